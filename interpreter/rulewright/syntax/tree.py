"""The syntax tree of a sentence: one class for each rule of the grammar, and what is true of its kind.

Here are nodes in general; `statement_nodes` and `expression_nodes` have the classes.

Every class is called as its rule in `spec/sentences.lark`: `ChooseGroup` is built from `choose_group`, and its fields
are the rule's parts in their order. What is true of all sentences of a kind (that they ask, have a body, move pieces)
stands in their class, so that the compiler, `check`, the trace and the random editions ask the same question.

No other module knows how the parser represents a sentence.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any, ClassVar, Literal, NamedTuple, Never, Self, TypeAlias, TypeVar, dataclass_transform

Relation: TypeAlias = Literal["", "not", "at least", "at most", "more than", "less than"]
"""A comparison without its verb; '' for `is`."""
Which: TypeAlias = Literal["highest", "lowest"]
Quantifier: TypeAlias = Literal["any", "every", "no"]
End: TypeAlias = Literal["top", "bottom", "first", "last"]

AnyNode = TypeVar("AnyNode", bound="Node")

CLASSES: dict[str, type[Any]] = {}
"""The class of each rule of the grammar."""


class Span(NamedTuple):
    """Offsets into the sentence, from the first character to behind the last."""

    start: int
    end: int


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[AnyNode]) -> type[AnyNode]:
    """Make a class the one of the rule that is called as it is, or as its `rule` says.

    Its fields are the attributes that it declares itself. As with `record`, the type checker alone holds that nothing
    changes, and nothing is generated: a hundred dataclasses would take a tenth of a second when a command begins.
    """
    if "rule" not in cls.__dict__:
        cls.rule = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in cls.__name__).lstrip("_")
    cls.fields = tuple(inspect.get_annotations(cls))
    CLASSES[cls.rule] = cls
    return cls


class Node:
    """A part of a sentence. Two are equal if they say the same, wherever they stand.

    span: where it stands; None for a part that no sentence has, such as the path in `total price of hand`.
    """

    rule: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]
    variadic: ClassVar[bool] = False
    """True where the last field takes all parts that are left."""
    span: Span | None = None

    def __init__(self, *values: Never) -> None:
        self.__dict__.update(zip(self.fields, values, strict=False))

    def with_span(self, span: Span | None) -> Self:
        """Return this node, which has just been made, with its place in the sentence."""
        self.span = span
        return self

    def values(self) -> tuple[object, ...]:
        """Return what its fields hold."""
        return tuple(getattr(self, name) for name in self.fields)

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if isinstance(other, Node) and type(self) is type(other) else False

    def __hash__(self) -> int:
        return hash((self.rule, self.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.fields)})"

    def children(self) -> Iterator[Node]:
        """Yield the nodes that this one is made of, as they follow one another."""
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
    """Return the node of a rule, with the values of its fields in their order."""
    cls = CLASSES[rule]
    count = len(cls.fields)
    values = [*parts[: count - 1], tuple(parts[count - 1 :])] if cls.variadic else parts[:count]
    node: Node = cls(*values)
    return node.with_span(span)


def to_data(node: Node) -> Data:
    """Return a node as plain data, of which `from_data` makes it again."""

    def plain(value: object) -> object:
        if isinstance(value, Node):
            return to_data(value)
        return [plain(each) for each in value] if isinstance(value, tuple) else value

    return node.rule, node.span or (), [plain(getattr(node, name)) for name in node.fields]


def from_data(data: Data) -> Node:
    """Return the node that `to_data` was given."""

    def value_of(plain: Any) -> object:
        if isinstance(plain, tuple):
            return from_data(plain)
        return tuple(map(value_of, plain)) if isinstance(plain, list) else plain

    rule, span, values = data
    node: Node = CLASSES[rule](*map(value_of, values))
    return node.with_span(Span(*span) if span else None)
