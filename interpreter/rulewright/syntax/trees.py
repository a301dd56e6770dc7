"""Syntax trees: what a sentence says, and where its parts stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

Leaf = TypeVar("Leaf")


class Token(str):
    """A name, a number or a keyword that matters, as it is written. type: the terminal of the grammar; start_pos,
    end_pos: where in the text."""

    __slots__ = ("end_pos", "start_pos", "type")

    start_pos: int
    end_pos: int
    type: str

    def __new__(cls, terminal: str, value: str, start_pos: int = 0, end_pos: int = 0) -> Token:
        made = super().__new__(cls, value)
        made.type, made.start_pos, made.end_pos = terminal, start_pos, end_pos
        return made

    def __eq__(self, other: object) -> bool:
        return not (isinstance(other, Token) and self.type != other.type) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


@dataclass(slots=True, eq=False)
class Span:
    """Where a tree stands. outer_start, outer_end: with the parentheses around it."""

    start_pos: int = 0
    end_pos: int = 0
    outer_start: int = 0
    outer_end: int = 0
    empty: bool = True


class Tree(Generic[Leaf]):
    """A rule of the grammar with its parts; None stands for a part that may be there and is not."""

    __slots__ = ("children", "data", "meta")

    def __init__(self, data: str, children: list[Leaf | Tree[Leaf]], meta: Span | None = None) -> None:
        self.data, self.children, self.meta = data, children, meta or Span()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and self.data == other.data and self.children == other.children

    def __hash__(self) -> int:
        return hash((self.data, tuple(self.children)))

    def __repr__(self) -> str:
        return f"Tree({self.data!r}, {self.children!r})"

    def iter_subtrees(self) -> Iterator[Tree[Leaf]]:
        """Every tree in this one, the inner before the outer."""
        found: dict[int, Tree[Leaf]] = {}
        waiting = [self]
        for tree in waiting:
            if id(tree) not in found:
                found[id(tree)] = tree
                waiting += [child for child in reversed(tree.children) if isinstance(child, Tree)]
        return reversed(found.values())

    def find_data(self, data: str) -> Iterator[Tree[Leaf]]:
        """The trees in this one that are such a rule."""
        return (tree for tree in self.iter_subtrees() if tree.data == data)

    def scan_values(self, wanted: Callable[[Leaf | Tree[Leaf]], bool]) -> Iterator[Leaf]:
        """The leaves that are wanted, from left to right."""
        for child in self.children:
            if isinstance(child, Tree):
                yield from child.scan_values(wanted)
            elif wanted(child):
                yield child
