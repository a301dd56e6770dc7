"""Syntax tree of a sentence: nodes in general; the modules whose names end in `_nodes` have the classes.

Every class has the name of its rule in `spec/sentences.lark`: `ChooseGroup` is made from `choose_group`, and its fields
are the rule's parts in order. Properties that all sentences of a kind share (they ask, have a body, move pieces) are in
their class, so that the compiler, `check`, the trace and the random editions agree. No other module knows how the
parser represents a sentence.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, ClassVar, Literal, NamedTuple, Never, Self, TypeAlias, TypeVar, dataclass_transform

Relation: TypeAlias = Literal["", "not", "at least", "at most", "more than", "less than"]
"""Comparison without its verb; '' for `is`."""
Which: TypeAlias = Literal["highest", "lowest"]
"""Extreme that is meant."""
Quantifier: TypeAlias = Literal["any", "every", "no"]
"""First word of a condition on a set."""
End: TypeAlias = Literal["top", "bottom", "first", "last"]
"""End of a set; `top` and `last` are the same end, and so are `bottom` and `first`."""

AnyNode = TypeVar("AnyNode", bound="Node")

CLASSES: dict[str, type[Any]] = {}
"""Rule of the grammar -> class of its node."""


class Span(NamedTuple):
    """Offsets into the sentence, from the first character to behind the last."""

    start: int
    end: int


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[AnyNode]) -> type[AnyNode]:
    """Register a class as the node of its grammar rule: the rule of its name, or of its attribute `rule`. Its own
    annotations become its fields. As with `record`, only the type checker prevents changes. Nothing is generated, since
    a hundred dataclasses would delay every command by a tenth of a second. Raises TypeError if the rule has a class."""
    if "rule" not in cls.__dict__:
        cls.rule = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in cls.__name__).lstrip("_")
    cls.fields = tuple(inspect.get_annotations(cls))
    if cls.rule in CLASSES:
        raise TypeError(f"{cls.__module__}: '{cls.rule}' is the rule of {CLASSES[cls.rule].__module__}, too.")
    CLASSES[cls.rule] = cls
    return cls


class Node:
    """Part of a sentence. Nodes are equal if they say the same, wherever they stand. rule: grammar rule that it is made
    from; fields: names of its fields in order; span: its place in the sentence, None for a part that is not written,
    such as the path in `total price of hand`."""

    rule: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]
    variadic: ClassVar[bool] = False
    """True where the last field takes all parts that are left."""
    span: Span | None = None

    def __init__(self, *values: Never) -> None:
        self.__dict__.update(zip(self.fields, values, strict=False))

    def with_span(self, span: Span | None) -> Self:
        """Set the place in the sentence of a node just made; return the node."""
        self.span = span
        return self

    def values(self) -> tuple[object, ...]:
        """Return the values of its fields, in order."""
        return tuple(getattr(self, name) for name in self.fields)

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if isinstance(other, Node) and type(self) is type(other) else False

    def __hash__(self) -> int:
        return hash((self.rule, self.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.fields)})"

    def children(self) -> Iterator[Node]:
        """Yield the nodes that are its direct parts, in order."""
        for value in self.values():
            if isinstance(value, Node):
                yield value
            elif isinstance(value, tuple):
                yield from value

    def walk(self) -> Iterator[Node]:
        """Yield this node and all inside it, each before its parts."""
        yield self
        for child in self.children():
            yield from child.walk()

    def find(self, *classes: type[AnyNode]) -> Iterator[AnyNode]:
        """Yield the nodes of some classes, this one included."""
        return (node for node in self.walk() if isinstance(node, classes))


@node
class Name(Node):
    """A name, with single blanks between its words."""

    text: str

    def __str__(self) -> str:
        return self.text


Data: TypeAlias = tuple[str, tuple[int, ...], list[Any]]
"""A node as plain data: its rule, its span, what its fields hold."""


def make(rule: str, parts: Sequence[object], span: Span | None) -> Node:
    """Return the node of a grammar rule. parts: values of its fields, in order; of a variadic class the last field gets
    a tuple of the rest; a class without fields keeps none. Raises KeyError for an unknown rule, TypeError where the
    parts are not those of the class."""
    cls = CLASSES[rule]
    count = len(cls.fields)
    values = [*parts[: count - 1], tuple(parts[count - 1 :])] if cls.variadic else list(parts)
    missing = [name for name in cls.fields[len(values) :] if not hasattr(cls, name)]
    if missing or 0 < count < len(values):
        fields = ", ".join(cls.fields)
        raise TypeError(f"The rule '{rule}' gives {len(values)} parts; {cls.__name__} has {fields}.")
    node: Node = cls(*values[:count])
    return node.with_span(span)


def to_data(node: Node) -> Data:
    """Return a node as plain data; `from_data` is the inverse."""

    def plain(value: object) -> object:
        if isinstance(value, Node):
            return to_data(value)
        return [plain(each) for each in value] if isinstance(value, tuple) else value

    return node.rule, node.span or (), [plain(getattr(node, name)) for name in node.fields]


def from_data(data: Data) -> Node:
    """Return a node equal to the one that `to_data` was called with."""

    def value_of(plain: Any) -> object:
        if isinstance(plain, tuple):
            return from_data(plain)
        return tuple(map(value_of, plain)) if isinstance(plain, list) else plain

    rule, span, values = data
    node: Node = CLASSES[rule](*map(value_of, values))
    return node.with_span(Span(*span) if span else None)
