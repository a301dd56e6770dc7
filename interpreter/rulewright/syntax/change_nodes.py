"""Nodes of the syntax tree for statements that move pieces, change counters and lists, or give names."""

from __future__ import annotations

from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.part_nodes import Keys, Target
from rulewright.syntax.statement_nodes import Change, CounterChange, Statement
from rulewright.syntax.tree import Name, node

# ── pieces ──


@node
class Move(Statement):
    """Move of pieces, one after the other: `move top 2 of deck to hand`."""

    moves_pieces = True
    pieces: Expression
    target: Target


@node
class Shuffle(Statement):
    """Random order of a zone: `shuffle deck`."""

    moves_pieces = True
    zone: Expression


@node
class Roll(Statement):
    """Random values that pieces show: `roll dice`."""

    moves_pieces = True
    pieces: Expression


@node
class Swap(Statement):
    """Exchange of the places of two pieces, or of the contents of two counters: `swap (first 1 of row) with worst`."""

    moves_pieces = True
    one: Expression
    other: Expression

    @property
    def changes(self) -> tuple[Expression, ...]:
        return self.one, self.other


@node
class Show(Statement):
    """Disclosure of pieces to seats, which know them from then on: `show hand to opponents`."""

    pieces: Expression
    viewers: Expression


@node
class Fill(Change):
    """Draw of the pieces that a zone lacks: `fill hand with cards from deck up to 5`. kinds: set of pieces, of which
    kind those drawn are; amount: how many the zone then has of them."""

    moves_pieces = True
    zone: Expression
    kinds: Expression
    source: Expression
    amount: Expression

    @property
    def changes(self) -> tuple[Expression, ...]:
        return (self.zone,)


# ── counters and lists ──


@node
class Assign(CounterChange):
    """New content of a counter or list: `set pot to 0`, `set orders to nothing`."""

    word = "set"
    counter: Expression
    value: Expression


@node
class Add(CounterChange):
    """Increase of a counter: `add 2 to pot`."""

    amount: Expression
    counter: Expression


@node
class Take(CounterChange):
    """Decrease of a counter: `take 2 from pot`."""

    amount: Expression
    counter: Expression


@node
class AddToEnd(CounterChange):
    """Addition of one value or several behind those of a list: `add red to end of orders`."""

    value: Expression
    counter: Expression


@node
class AddToBeginning(CounterChange):
    """Addition of one value or several before those of a list: `add red to beginning of orders`."""

    value: Expression
    counter: Expression


@node
class Sort(CounterChange):
    """Reordering of a list: `sort orders by highest rank`."""

    counter: Expression
    keys: Keys


@node
class TakeOut(Statement):
    """Values taken from an end of a list, which get a name: `take first 1 of orders as next one`. taken: `SomeOf`
    of the list; the compiler reports whatever else is written."""

    taken: Expression
    name: Name

    @property
    def changes(self) -> tuple[Expression, ...]:
        return (self.taken,)


# ── names ──


@node
class Let(Statement):
    """Name for what an expression is at that moment: `let starter be last 1 of seats`."""

    visible = False
    name: Name
    value: Expression
