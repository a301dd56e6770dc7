"""Nodes of the syntax tree for sets: selections, lines of a board, sets that are joined or derived from others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rulewright.syntax.expression_nodes import Expression, SetExpression
from rulewright.syntax.tree import End, Name, Node, Which, node

# ── selections ──


class Selection(SetExpression):
    """Members of a set that are chosen by what they are. Its grammar puts nothing behind it, so parentheses stay."""

    bare: ClassVar[bool] = False
    things: Expression


@node
class Where(Selection):
    """Members for which a condition holds: `cards in hand where colour is red`."""

    things: Expression
    condition: Expression


@node
class Best(Selection):
    """Members with the greatest or least figure, all that are equal: `seats with highest gold`."""

    things: Expression
    which: Which
    figure: Expression


@node
class BestWhere(Selection):
    """Members with the greatest or least figure among those for which a condition holds: `seats where ready with
    highest gold`."""

    things: Expression
    condition: Expression
    which: Which
    figure: Expression


@node
class SomeOf(SetExpression):
    """Members at an end of a set: `top 2 of deck`, `first 1 of seats`. From `top` and `last` the last comes first."""

    opaque = False
    end: End
    amount: Expression
    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.amount


@node
class GroupOf(SetExpression):
    """Members of one class of equals: `group 1 of hand by colour`. rank: 1 for the largest class; name: the attribute
    in which they are equal."""

    rank: Expression
    things: Expression
    name: Name


@node
class Inside(SetExpression):
    """Members that lie in a place, or belong to another set: `cards in hand`, `settled in east`."""

    things: Expression
    place: Expression


@node
class InLines(SetExpression):
    """Spaces that belong to unbroken lines of at least some length: `held in lines of 3`."""

    things: Expression
    length: Expression


@node
class Outside(SetExpression):
    """Members that are left when groups are taken out: `hand outside melds leaving lowest worth`. group: the figure
    that says what is a group; figure: of what the least is left; None: as few members as possible are left."""

    things: Expression
    group: Name
    figure: Name | None


@node
class Connected(SetExpression):
    """Spaces that can be reached over members of a set: `settled connected to a1`. land: the spaces to go over;
    origins: where ways begin; those of them that belong to `land` are members too."""

    land: Expression
    origins: Expression


# ── lines of a board ──


class Line(SetExpression):
    """Spaces of a board that lie one behind the other in a direction, the nearest first. direction: one or several;
    start: space or spaces, which do not belong to it."""

    traceable: ClassVar[bool] = False
    bare: ClassVar[bool] = False
    direction: Expression
    start: Expression


@node
class WholeLine(Line):
    """Line up to the board's edge: `north of a1 as far as possible`."""

    direction: Expression
    start: Expression


@node
class LineTo(Line):
    """Line up to the first space for which a condition holds, with that one: `north of a1 as far as ground is not
    empty`."""

    direction: Expression
    start: Expression
    condition: Expression


@node
class LineAlong(Line):
    """Line before the first space for which a condition does not hold: `north of a1 as long as it is among greens`.
    until: what must hold for the space behind them, else there is no line, as in `… up to ground is not empty`; None
    without."""

    direction: Expression
    start: Expression
    condition: Expression
    until: Expression | None


# ── sets from others ──


@node
class Union(SetExpression):
    """Members of either set, each once: `hand plus front`."""

    opaque = False
    left: Expression
    right: Expression


@node
class Images(SetExpression):
    """Values of all members, each once: `colours of hand`, `owners of cards in east`, or the next spaces in a
    direction, `north of a1`. what: the attribute or direction, in the singular or plural."""

    what: Expression
    things: Expression


@node
class Neighbours(SetExpression):
    """Spaces next to any of some spaces, without these: `neighbours of a1`."""

    things: Expression


@node
class NextOf(SetExpression):
    """First of some seats clockwise after a seat, which itself comes last: `next of players after you`; empty if
    there is none."""

    seats: Expression
    after: Expression


@node
class LeftOf(SetExpression):
    """Next seat clockwise: `left of you`."""

    seat: Expression
