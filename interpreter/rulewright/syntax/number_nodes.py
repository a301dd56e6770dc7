"""Nodes of the syntax tree for numbers: digits, arithmetic, and what is counted or measured of a set."""

from __future__ import annotations

from typing import Literal

from rulewright.syntax.expression_nodes import Expression, OverMembers
from rulewright.syntax.tree import Name, Which, node


@node
class Number(Expression):
    """Number in digits: `3`, `2.5`. digits: as written, of any length; readers check it."""

    traceable = False
    digits: str


@node
class Negative(Expression):
    """Negative number in digits: `-3`. digits: as written, without the minus."""

    traceable = False
    digits: str


class Arithmetic(Expression):
    """Operation on two numbers."""

    left: Expression
    right: Expression


@node
class Plus(Arithmetic):
    """Sum: `gold + 1`."""

    left: Expression
    right: Expression

    def constant(self, *parts: int) -> int:
        return sum(parts)


@node
class Minus(Arithmetic):
    """Difference: `number of seats - 1`."""

    left: Expression
    right: Expression

    def constant(self, *parts: int) -> int:
        left, right = parts
        return left - right


@node
class Times(Arithmetic):
    """Product: `gold * 2`."""

    left: Expression
    right: Expression

    def constant(self, *parts: int) -> int:
        left, right = parts
        return left * right // 100


@node
class Divided(Arithmetic):
    """Quotient as a whole number: `gold / 2 rounded down`."""

    left: Expression
    right: Expression
    rounded: Literal["up", "down"]

    def constant(self, *parts: int) -> int | None:
        left, right = parts
        if right == 0:
            return None
        return 100 * (-(-left // right) if self.rounded == "up" else left // right)


@node
class Remainder(Arithmetic):
    """Rest that a division rounded down leaves: `remainder of gold / 2`."""

    left: Expression
    right: Expression

    def constant(self, *parts: int) -> int | None:
        left, right = parts
        return left % right if right else None


@node
class NumberOf(Expression):
    """Size of a set, or number of groups in it: `number of cards in hand`, `number of melds in hand`."""

    things: Expression


@node
class Total(OverMembers):
    """Sum of a figure over a set: `total value of hand`, `total cost for red of hand`. argument: what follows `for`."""

    name: Name
    argument: Expression | None
    things: Expression


@node
class Extreme(OverMembers):
    """Greatest or least figure among a set: `highest gold among opponents`; 0 of an empty set."""

    which: Which
    figure: Expression
    things: Expression


@node
class ExtremeOf(Expression):
    """Greatest or least of several numbers: `highest of (gold, 3)`."""

    variadic = True
    which: Which
    parts: tuple[Expression, ...]

    def constant(self, *parts: int) -> int:
        return max(parts) if self.which == "highest" else min(parts)


@node
class LongestRun(OverMembers):
    """Length of the longest series of consecutive values: `longest run of value among hand`; 0 of an empty set."""

    figure: Expression
    things: Expression


@node
class LongestLine(Expression):
    """Length of the longest unbroken line of spaces on a map: `longest line of held`. through: only lines that hold
    one of these spaces count, as in `longest line of held through a2`; None without."""

    things: Expression
    through: Expression | None


@node
class PositionOf(Expression):
    """Hash of what lies in the public zones of spaces, other words or seats: `position of squares`."""

    owners: Expression


@node
class Distance(Expression):
    """Steps from one space to another by way of neighbours: `distance between a1 and e3`; as many as the board has
    spaces where there is no way."""

    one: Expression
    other: Expression
