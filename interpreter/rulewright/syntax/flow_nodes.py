"""Nodes of the syntax tree for statements that direct what is done next: loops, conditions, steps and endings."""

from __future__ import annotations

from rulewright.syntax.expression_nodes import Expression, Several
from rulewright.syntax.part_nodes import Keys
from rulewright.syntax.statement_nodes import Ending, Loop, Statement
from rulewright.syntax.tree import Name, node

# ── loops ──


@node
class Each(Loop):
    """Body for each member of a set, where `it` is the member: `each card in hand as mover by highest value:`. A seat
    acts in its turn. name: for the member as well; keys: the order of members, None for that of the set."""

    things: Expression
    name: Name | None
    keys: Keys | None


@node
class EachGroup(Loop):
    """Body for each set of members that are equal in an order, the first in order first: `each group of seats by
    highest gold as tied:`. name: for the set."""

    things: Expression
    keys: Keys
    name: Name


@node
class GoRound(Loop):
    """Turns of seats again and again, until all have dropped out: `go round seats by clockwise from starter until you
    are starter:`. until: ends the round if it holds before a turn; None without."""

    seats: Expression
    keys: Keys | None
    until: Expression | None


@node
class RepeatWhile(Loop):
    """Body as long as a condition holds before it: `repeat while pot is more than 1:`."""

    condition: Expression

    @property
    def test(self) -> Expression:
        return self.condition


@node
class RepeatTimes(Loop):
    """Body several times: `repeat 3 times:`."""

    times: Expression


@node
class AtOnce(Loop):
    """Body for seats that decide at the same time, without seeing each other's answers: `all seats at once:`."""

    seats: Expression


# ── who acts, and conditions ──


@node
class ActAs(Statement):
    """Body in which another seat acts: `as victim:`."""

    has_body = True
    seat: Expression


@node
class If(Statement):
    """Body under a condition: `if pot is 0:`. An `otherwise:` is no part of it: it is a key beside the sentence."""

    has_body = True
    condition: Expression

    @property
    def test(self) -> Expression:
        return self.condition


# ── steps and instructions ──


@node
class Do(Statement):
    """Run of a step: `do pay for 2 as rest`. arguments: what follows `for`, None without; name: for what the step
    gives, None without."""

    step: Name
    arguments: Expression | Several | None
    name: Name | None


@node
class DoWhat(Statement):
    """Run of the instructions of a word or piece: `do what played says`."""

    thing: Expression


# ── endings ──


@node
class DropOut(Statement):
    """End of all turns of a seat in the round around it: `drop out`. What follows in its list is still done."""


@node
class Give(Ending):
    """Result of a step, which ends with it: `give amount * 2`."""

    visible = False
    ends = "step"
    value: Expression


@node
class EndLoop(Ending):
    """End of the innermost loop around it: `end loop`."""

    visible = False
    ends = "loop"


@node
class EndStep(Ending):
    """End of the step: `end step`."""

    visible = False
    ends = "step"


@node
class EndPhase(Ending):
    """End of the phase, also from within its steps: `end phase`."""

    ends = "phase"


@node
class EndGame(Ending):
    """End of the game: `end game`."""

    ends = "game"
