"""Nodes of the syntax tree for statements, with their parts, and for the keys of hooks and ranges.

The rule of the same name in `spec/sentences.lark` (`AddToEnd`: `add_to_end`) shows the sentence of each.
"""

from __future__ import annotations

from typing import ClassVar

from rulewright.syntax.expression_nodes import Expression, Negative, Number, Several
from rulewright.syntax.tree import Name, Node, Which, node


class Statement(Node):
    """Item of a `do` list. word: its name in messages; has_body: whether a colon and a body follow; clauses: keys that
    may stand below it; visible: whether it may do something that somebody can see; ends: what it ends, '' for most."""

    word: ClassVar[str] = ""
    has_body: ClassVar[bool] = False
    clauses: ClassVar[frozenset[str]] = frozenset()
    visible: ClassVar[bool] = True
    moves_pieces: ClassVar[bool] = False
    ends: ClassVar[str] = ""
    """Part of the game that it ends: 'loop', 'step', 'phase' or 'game'; '' for none."""

    @property
    def changed(self) -> Expression | None:
        """Counter or zone that it changes, if it says which; else None."""
        return None

    @property
    def test(self) -> Expression | None:
        """Condition under which its body is done; None without one."""
        return None

    @classmethod
    def keyword(cls) -> str:
        """Return its first words, as messages quote them."""
        return cls.word or cls.rule.replace("_", " ")


class Question(Statement):
    """Statement that asks a seat; the game waits for its answer."""


class Loop(Statement):
    """Statement that repeats its body."""

    has_body: ClassVar[bool] = True


class Change(Statement):
    """Statement that changes the content of a counter or list."""

    counter: Expression

    @property
    def changed(self) -> Expression:
        return self.counter


class Ending(Statement):
    """Statement that ends a construct around it: what follows it in its list is not done."""


@node
class Move(Statement):
    moves_pieces = True
    pieces: Expression
    target: Target


@node
class Shuffle(Statement):
    moves_pieces = True
    zone: Expression


@node
class Roll(Statement):
    moves_pieces = True
    pieces: Expression


@node
class Swap(Statement):
    moves_pieces = True
    one: Expression
    other: Expression


@node
class Show(Statement):
    pieces: Expression
    viewers: Expression


@node
class Fill(Statement):
    moves_pieces = True
    zone: Expression
    kinds: Expression
    source: Expression
    amount: Expression

    @property
    def changed(self) -> Expression:
        return self.zone


@node
class Assign(Change):
    """`set COUNTER to VALUE`"""

    word = "set"
    counter: Expression
    value: Expression


@node
class Add(Change):
    amount: Expression
    counter: Expression


@node
class Take(Change):
    amount: Expression
    counter: Expression


@node
class AddToEnd(Change):
    value: Expression
    counter: Expression


@node
class AddToBeginning(Change):
    value: Expression
    counter: Expression


@node
class Sort(Change):
    counter: Expression
    keys: Keys


@node
class TakeOut(Statement):
    """`take SOME of LIST as NAME`"""

    taken: Expression
    name: Name


@node
class Let(Statement):
    visible = False
    name: Name
    value: Expression


@node
class Choose(Question):
    clauses = frozenset(["ask", "none", "by place"])
    moves_pieces = True
    how_many: HowMany
    source: Expression
    outcome: Outcome


@node
class ChooseGroup(Question):
    """`choose HOW_MANY from SET that make one NAME …`"""

    clauses = frozenset(["ask", "none", "ask more", "none more"])
    moves_pieces = True
    how_many: HowMany
    source: Expression
    group: Name
    outcome: Outcome


@node
class ChooseAtRandom(Statement):
    moves_pieces = True
    how_many: HowMany
    source: Expression
    weight: Expression | None
    outcome: Outcome


@node
class ChooseNumber(Question):
    clauses = frozenset(["ask", "none", "text"])
    low: Expression
    high: Expression
    name: Name


@node
class ChooseOne(Question):
    clauses = frozenset(["ask", "none", "none if", "among"])
    name: Name | None


@node
class May(Question):
    clauses = frozenset(["ask", "do"])
    name: Name | None


@node
class RepeatChoosing(Question, Loop):
    has_body = False
    clauses = frozenset(["ask", "none", "none if", "among"])
    name: Name | None


@node
class Each(Loop):
    things: Expression
    name: Name | None
    keys: Keys | None


@node
class EachGroup(Loop):
    things: Expression
    keys: Keys
    name: Name


@node
class GoRound(Loop):
    seats: Expression
    keys: Keys | None
    until: Expression | None


@node
class RepeatWhile(Loop):
    condition: Expression

    @property
    def test(self) -> Expression:
        return self.condition


@node
class RepeatTimes(Loop):
    times: Expression


@node
class AtOnce(Loop):
    seats: Expression


@node
class ActAs(Statement):
    has_body = True
    seat: Expression


@node
class If(Statement):
    has_body = True
    condition: Expression

    @property
    def test(self) -> Expression:
        return self.condition


@node
class DropOut(Statement):
    pass


@node
class Do(Statement):
    step: Name
    arguments: Expression | Several | None
    name: Name | None


@node
class DoWhat(Statement):
    thing: Expression


@node
class Give(Ending):
    visible = False
    ends = "step"
    value: Expression


@node
class EndLoop(Ending):
    visible = False
    ends = "loop"


@node
class EndStep(Ending):
    visible = False
    ends = "step"


@node
class EndPhase(Ending):
    ends = "phase"


@node
class EndGame(Ending):
    ends = "game"


# ── parts of statements ──


class Target(Node):
    """Goal of a move."""

    zone: Expression
    at_bottom: ClassVar[bool] = False


@node
class EndOf(Target):
    zone: Expression


@node
class TopOf(Target):
    zone: Expression


@node
class BottomOf(Target):
    at_bottom = True
    zone: Expression


class Outcome(Node):
    """Use of what is chosen."""


@node
class Into(Outcome):
    target: Target


@node
class Named(Outcome):
    name: Name


class HowMany(Node):
    """Number of things to choose."""


@node
class Exactly(HowMany):
    number: Expression


@node
class Between(HowMany):
    low: Expression
    high: Expression


@node
class UpTo(HowMany):
    number: Expression


@node
class AtLeast(HowMany):
    number: Expression


@node
class AnyNumber(HowMany):
    pass


@node
class Keys(Node):
    """Keys of an order: the first, among equals the next."""

    variadic = True
    keys: tuple[Key, ...]


class Key(Node):
    """One key of an order."""


@node
class ExtremeFirst(Key):
    which: Which
    figure: Expression


@node
class TrueFirst(Key):
    condition: Expression


@node
class Clockwise(Key):
    start: Expression


@node
class AtRandom(Key):
    pass


@node
class HookKey(Node):
    """Key of a hook in a change set: `may before clear table if …`."""

    rule = "hook"

    optional: bool
    when: str
    step: Name
    condition: Expression | None


@node
class NumberRange(Node):
    """`2 to 5`; high: None where it is one number."""

    rule = "span"
    low: Number | Negative
    high: Number | Negative | None = None
