"""The nodes of a file, which know their place: texts, lists and mappings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypeAlias

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.files import composed

LARGEST_FILE = 1_000_000

_MARKS = "[\u0300-\u036f]*"
"""Accents that follow on their letter: with it they are one character."""
_CHARACTER = re.compile(rf"\S{_MARKS}")
_CHARACTERS = {"'": re.compile(rf"''|\S{_MARKS}"), '"': re.compile(rf"\\.|\S{_MARKS}"), "": _CHARACTER}


class Written(NamedTuple):
    """How a scalar stands in its file: lines and columns from 0, the end not included."""

    lines: list[str]
    line: int
    column: int
    end_line: int
    end_column: int
    style: str

    def characters(self) -> Iterator[tuple[int, re.Match[str]]]:
        """Line and match of every character that is not blank, quotes and block headers left out."""
        pattern = _CHARACTERS.get(self.style, _CHARACTERS[""])
        quote = self.style in ("'", '"')
        for number in range(self.line + (self.style in (">", "|")), min(self.end_line + 1, len(self.lines))):
            line = self.lines[number]
            first = self.column + quote if number == self.line else 0
            last = self.end_column - quote if number == self.end_line else len(line)
            for match in pattern.finditer(line, first, last):
                yield number, match


@dataclass(slots=True)
class Scalar:
    """A text. `absent`: nothing was written at all, not even quotes."""

    text: str
    place: SourcePlace
    absent: bool = False
    _written: Written | None = field(default=None, repr=False, compare=False)
    _characters: list[tuple[int, re.Match[str]]] | None = field(default=None, init=False, repr=False, compare=False)

    def place_at(self, offset: int, length: int) -> SourcePlace:
        """Where text[offset:offset + length] stands in the file; the scalar's start where that is unclear.

        Line breaks and indentation may differ between the text and the file, so the characters that are not
        blank are counted: the n-th of the text is the n-th of the file.
        """
        stretch = self.text[offset : offset + length]
        if stretch and stretch == stretch.strip() and self._stands_in_a_line():
            return SourcePlace(self.place.file, self.place.line, self.place.column + offset, len(stretch))
        if not (characters := self._found()):
            return self.place
        first = len(_CHARACTER.findall(self.text[:offset]))
        after = first + len(_CHARACTER.findall(self.text[offset : offset + length]))
        if first == after:  # a blank, or the end
            return self._behind(characters[first - 1] if first else None)
        line, start = characters[first]
        end = max(match.end() for number, match in characters[first:after] if number == line)
        return SourcePlace(self.place.file, line + 1, start.start() + 1, end - start.start())

    @property
    def line(self) -> str:
        """The line of the file on which it begins; itself on one line where that is unclear."""
        written = self._written
        return " ".join((self.text if written is None else written.lines[written.line]).split())

    def _stands_in_a_line(self) -> bool:
        """Whether it stands in its file as it is."""
        if (written := self._written) is None or written.style or written.line != written.end_line:
            return False
        return written.lines[written.line][written.column : written.end_column] == self.text

    def _found(self) -> list[tuple[int, re.Match[str]]]:
        """The characters of the text in the file; none where that is unclear."""
        if self._written is None:
            return []
        if self._characters is None:
            found = list(self._written.characters())
            written_so = [match[0][-1] if match[0][0] in "'\\" else composed(match[0]) for _, match in found]
            same = written_so == _CHARACTER.findall(self.text)
            self._characters = found if same else []
        return self._characters

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        return None, {**{own.name: getattr(self, own.name) for own in fields(self)}, "_characters": None}

    def _behind(self, character: tuple[int, re.Match[str]] | None) -> SourcePlace:
        if character is None:
            return self.place
        return SourcePlace(self.place.file, character[0] + 1, character[1].end() + 1, 1)


@dataclass(slots=True)
class TextPart(Scalar):
    """A stretch of a longer text, such as a {slot}; `offset` is where it begins there."""

    whole: Scalar | None = None
    offset: int = 0

    def place_at(self, offset: int, length: int) -> SourcePlace:
        return self.place if self.whole is None else self.whole.place_at(self.offset + offset, length)


def part(whole: Scalar, offset: int, text: str) -> TextPart:
    """The stretch `text` of a scalar, beginning at `offset`."""
    return TextPart(text, whole.place_at(offset, max(1, len(text))), False, None, whole, offset)


@dataclass(slots=True)
class SequenceNode:
    """A list."""

    items: list[Node]
    place: SourcePlace


@dataclass(slots=True)
class MappingNode:
    """Names and what they stand for, in the order of the file; `keys` has the names with their places."""

    place: SourcePlace
    entries: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Scalar] = field(default_factory=dict)

    def get(self, key: str) -> Node | None:
        """What stands under `key`, or None."""
        return self.entries.get(key)

    def items(self) -> Iterator[tuple[Scalar, Node]]:
        """Pairs of key and value."""
        return ((self.keys[name], node) for name, node in self.entries.items())


Node: TypeAlias = Scalar | SequenceNode | MappingNode


def plain(node: Node) -> Any:
    """The node as dict, list and str; None for an absent scalar."""
    match node:
        case Scalar():
            return None if node.absent else node.text
        case SequenceNode():
            return [plain(item) for item in node.items]
        case MappingNode():
            return {name: plain(value) for name, value in node.entries.items()}


def moved(node: Node, by: int) -> Node:
    """The node as it is some lines further down, or up if that is less than 0."""
    known: dict[int, list[str]] = {}

    def place_of(place: SourcePlace) -> SourcePlace:
        return SourcePlace(place.file, place.line + by, place.column, place.length)

    def scalar_of(old: Scalar) -> Scalar:
        if (written := old._written) is None:
            return Scalar(old.text, place_of(old.place), old.absent)
        lines, line, column, end_line, end_column, style = written
        if id(lines) not in known:
            known[id(lines)] = [""] * by + lines if by >= 0 else lines[-by:]
        there = Written(known[id(lines)], line + by, column, end_line + by, end_column, style)
        return Scalar(old.text, place_of(old.place), old.absent, there)

    def node_of(old: Node) -> Node:
        if isinstance(old, Scalar):
            return scalar_of(old)
        if isinstance(old, SequenceNode):
            return SequenceNode([node_of(item) for item in old.items], place_of(old.place))
        keys = {name: scalar_of(key) for name, key in old.keys.items()}
        return MappingNode(place_of(old.place), {name: node_of(inner) for name, inner in old.entries.items()}, keys)

    return node_of(node)


def written_alone(root: MappingNode, inner: MappingNode, text: str) -> str:
    """What stands below a key of a file's own, every character in its own line and column."""
    lines = text.split("\n")
    first = inner.place.line
    behind = [key.place.line for key in root.keys.values() if key.place.line > first]
    own = lines[first - 1 : min(behind, default=len(lines) + 1) - 1]
    own[0] = " " * (inner.place.column - 1) + own[0][inner.place.column - 1 :]
    return "\n" * (first - 1) + "\n".join(own)
