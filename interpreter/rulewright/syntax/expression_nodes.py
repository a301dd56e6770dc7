"""Nodes of the syntax tree for expressions: numbers, truths, things and sets.

The rule of the same name in `spec/sentences.lark` (`NumberOf`: `number_of`) shows the words of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from rulewright.syntax.tree import End, Name, Node, Quantifier, Relation, Which, node


class Expression(Node):
    """Expression with a value: a number, a truth, a thing or a set. traceable: whether the trace of a sentence shows
    its value; opaque: whether the trace shows it as a whole only, since its parts mean nothing alone or concern each
    thing separately."""

    traceable: ClassVar[bool] = True
    opaque: ClassVar[bool] = False

    def traced(self) -> Iterator[Node]:
        """Yield the parts that the trace of a sentence shows as well."""
        return iter(()) if self.opaque else self.children()

    def constant(self, *parts: int) -> int | None:
        """Return its value if its parts have these values, all in hundredths; None if they do not decide it."""
        return None


class SetExpression(Expression):
    """Expression for a set. bare: whether parentheses around it are left out where the meaning stays the same.
    picked_from: the set that it selects members of, None if it is no selection."""

    opaque: ClassVar[bool] = True
    bare: ClassVar[bool] = True

    @property
    def picked_from(self) -> Expression | None:
        return None


class Arithmetic(Expression):
    """Operation on two numbers."""

    left: Expression
    right: Expression


@node
class Or(Expression):
    left: Expression
    right: Expression


@node
class And(Expression):
    left: Expression
    right: Expression


@node
class Not(Expression):
    operand: Expression


@node
class Compare(Expression):
    left: Expression
    relation: Relation
    right: Expression


@node
class Among(Expression):
    left: Expression
    denied: bool
    right: Expression


@node
class Empty(Expression):
    things: Expression
    denied: bool


@node
class Exists(Expression):
    quantifier: Quantifier
    things: Expression


@node
class Quantified(Expression):
    quantifier: Quantifier
    things: Expression
    condition: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


@node
class Plus(Arithmetic):
    left: Expression
    right: Expression

    def constant(self, *parts: int) -> int:
        return sum(parts)


@node
class Minus(Arithmetic):
    left: Expression
    right: Expression

    def constant(self, *parts: int) -> int:
        left, right = parts
        return left - right


@node
class Times(Arithmetic):
    left: Expression
    right: Expression

    def constant(self, *parts: int) -> int:
        left, right = parts
        return left * right // 100


@node
class Divided(Arithmetic):
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
    left: Expression
    right: Expression

    def constant(self, *parts: int) -> int | None:
        left, right = parts
        return left % right if right else None


@node
class Number(Expression):
    traceable = False
    digits: str


@node
class Negative(Expression):
    traceable = False
    digits: str


@node
class Yes(Expression):
    traceable = False


@node
class No(Expression):
    traceable = False


@node
class NumberOf(Expression):
    things: Expression


@node
class Total(Expression):
    """`total NAME for ARGUMENT of SET`"""

    name: Name
    argument: Expression | None
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


@node
class Extreme(Expression):
    """`highest FIGURE among SET`"""

    which: Which
    figure: Expression
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


@node
class ExtremeOf(Expression):
    """`highest of (A, B)`"""

    variadic = True
    which: Which
    parts: tuple[Expression, ...]

    def constant(self, *parts: int) -> int:
        return max(parts) if self.which == "highest" else min(parts)


@node
class LongestRun(Expression):
    figure: Expression
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


@node
class LongestLine(Expression):
    """`longest line of SPACES through SPACE`"""

    things: Expression
    through: Expression | None


@node
class PositionOf(Expression):
    """`position of OWNERS`: a number for what lies in public zones of spaces, other words or seats."""

    owners: Expression


@node
class Distance(Expression):
    one: Expression
    other: Expression


@node
class Several(Node):
    """Several arguments of `for`: `(2, bank)`."""

    variadic = True
    parts: tuple[Expression, ...]


# ── sets ──


@node
class Where(SetExpression):
    bare = False
    things: Expression
    condition: Expression

    @property
    def picked_from(self) -> Expression:
        return self.things


@node
class BestWhere(SetExpression):
    """`SET where CONDITION with highest FIGURE`"""

    bare = False
    things: Expression
    condition: Expression
    which: Which
    figure: Expression

    @property
    def picked_from(self) -> Expression:
        return self.things


@node
class Best(SetExpression):
    """`SET with highest FIGURE`"""

    bare = False
    things: Expression
    which: Which
    figure: Expression

    @property
    def picked_from(self) -> Expression:
        return self.things


class Line(SetExpression):
    """Spaces of a board that lie one behind the other in a direction."""

    traceable: ClassVar[bool] = False
    bare: ClassVar[bool] = False
    direction: Expression
    start: Expression


@node
class WholeLine(Line):
    direction: Expression
    start: Expression


@node
class LineTo(Line):
    """`DIRECTION of SPACE as far as CONDITION`"""

    direction: Expression
    start: Expression
    condition: Expression


@node
class LineAlong(Line):
    """`DIRECTION of SPACE as long as CONDITION up to CONDITION`"""

    direction: Expression
    start: Expression
    condition: Expression
    until: Expression | None


@node
class Union(SetExpression):
    opaque = False
    left: Expression
    right: Expression


@node
class Inside(SetExpression):
    """`SET in PLACE`"""

    things: Expression
    place: Expression


@node
class InLines(SetExpression):
    """`SET in lines of NUMBER`"""

    things: Expression
    length: Expression


@node
class Outside(SetExpression):
    """`SET outside GROUPS leaving lowest FIGURE`"""

    things: Expression
    group: Name
    figure: Name | None


@node
class Images(SetExpression):
    """`NAME of SET`: the values of an attribute, or the next spaces in a direction, of all members."""

    what: Expression
    things: Expression


@node
class Connected(SetExpression):
    """`SPACES connected to SPACES`"""

    land: Expression
    origins: Expression


@node
class Neighbours(SetExpression):
    things: Expression


@node
class SomeOf(SetExpression):
    """`top 2 of SET`"""

    opaque = False
    end: End
    amount: Expression
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.amount


@node
class NextOf(SetExpression):
    """`next of SEATS after SEAT`"""

    seats: Expression
    after: Expression


@node
class LeftOf(SetExpression):
    seat: Expression


@node
class GroupOf(SetExpression):
    """`group 1 of SET by NAME`: the members of one of the groups of equals, the largest first."""

    rank: Expression
    things: Expression
    name: Name


@node
class Lookup(Expression):
    """`NAME for ARGUMENT`"""

    opaque = True
    figure: Expression
    arguments: Expression | Several


@node
class PossessionOf(Expression):
    """`(EXPRESSION)'s NAME`"""

    opaque = True
    variadic = True
    owner: Expression
    names: tuple[Name, ...]


@node
class Path(Expression):
    """`my NAME's NAME`; own: 'my' or 'its', if it begins so."""

    opaque = True
    variadic = True
    own: Literal["my", "its"] | None
    names: tuple[Name, ...]
