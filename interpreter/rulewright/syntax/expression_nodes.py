"""Nodes of the syntax tree for expressions: their base classes, and names that may stand for any value.

`condition_nodes`, `number_nodes` and `set_nodes` have the other classes. The rule of the same name in
`spec/sentences.lark` (`PossessionOf`: `possession_of`) shows the words of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from rulewright.syntax.tree import Name, Node, node


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


class OverMembers(Expression):
    """Expression worked out from each member of a set, of which a trace shows the set alone."""

    things: Expression

    def traced(self) -> Iterator[Node]:
        yield self.things


class SetExpression(Expression):
    """Expression for a set. bare: whether parentheses around it are left out where the meaning stays the same."""

    opaque: ClassVar[bool] = True
    bare: ClassVar[bool] = True


@node
class Path(Expression):
    """Name alone, or after owners: `deck`, `my hand`, `its owner's gold`. own: 'my' or 'its', if it begins so; names:
    in the order of the sentence, so that the last is what is meant."""

    opaque = True
    variadic = True
    own: Literal["my", "its"] | None
    names: tuple[Name, ...]


@node
class PossessionOf(Expression):
    """Name after an owner in parentheses: `(left of you)'s gold`. names: as in a path, the last is what is meant."""

    opaque = True
    variadic = True
    owner: Expression
    names: tuple[Name, ...]


@node
class Lookup(Expression):
    """Figure, table or counter for arguments: `worth for red`, `many for (red, 2)`. figure: a `Path` or
    `PossessionOf`, or whatever stands in parentheses."""

    opaque = True
    figure: Expression
    arguments: Expression | Several


@node
class Several(Node):
    """Two or more arguments after `for`: `(red, 2)`."""

    variadic = True
    parts: tuple[Expression, ...]
