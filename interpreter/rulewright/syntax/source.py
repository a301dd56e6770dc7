"""Nodes of a YAML file, with their places: scalars, lists and mappings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypeAlias

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.files import to_nfc

MAX_FILE_SIZE = 1_000_000
"""Maximum size of a rule file, in bytes."""

_MARKS = "[\u0300-\u036f]*"
"""Combining accents, which form one character with their letter."""
_CHARACTER = re.compile(rf"\S{_MARKS}")
"""Character with the marks that belong to it."""
_CHARACTERS = {"'": re.compile(rf"''|\S{_MARKS}"), '"': re.compile(rf"\\.|\S{_MARKS}"), "": _CHARACTER}
"""Sign of a text's style -> pattern of one of its characters as written, escapes included."""


class ScalarLayout(NamedTuple):
    """Extent and style of a scalar in its file: lines and columns from 0, end exclusive. lines: of the file; style: its
    quote, | or >, '' for a plain one."""

    lines: list[str]
    line: int
    column: int
    end_line: int
    end_column: int
    style: str

    def characters(self) -> Iterator[tuple[int, re.Match[str]]]:
        """Yield (line, match) of each character that is not blank, without quotes and block headers."""
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
    """Text in a file. absent: nothing was written, not even quotes. Without a layout, as for texts that no file has, it
    is not known where its parts stand."""

    text: str
    place: SourcePlace
    absent: bool = False
    _layout: ScalarLayout | None = field(default=None, repr=False, compare=False)
    _characters: list[tuple[int, re.Match[str]]] | None = field(default=None, init=False, repr=False, compare=False)

    def place_at(self, offset: int, length: int) -> SourcePlace:
        """Return the place of text[offset:offset + length] in the file; the scalar's start if that is unclear.

        Line breaks and indentation may differ between the text and the file, so the characters that are not
        blank are counted: the n-th of the text is the n-th of the file.
        """
        stretch = self.text[offset : offset + length]
        if stretch and stretch == stretch.strip() and self._stands_in_a_line():
            return SourcePlace(self.place.file, self.place.line, self.place.column + offset, len(stretch))
        if not (characters := self._file_characters()):
            return self.place
        first = len(_CHARACTER.findall(self.text[:offset]))
        after = first + len(_CHARACTER.findall(self.text[offset : offset + length]))
        if first == after:  # a blank, or the end
            return self._place_after(characters[first - 1] if first else None)
        line, start = characters[first]
        end = max(match.end() for number, match in characters[first:after] if number == line)
        return SourcePlace(self.place.file, line + 1, start.start() + 1, end - start.start())

    @property
    def first_line(self) -> str:
        """Text of the first line of the file that the scalar stands on; its own if that is unclear; with single
        blanks."""
        layout = self._layout
        return " ".join((self.text if layout is None else layout.lines[layout.line]).split())

    def _stands_in_a_line(self) -> bool:
        """Return whether the text stands in the file unchanged, on one line."""
        if (layout := self._layout) is None or layout.style or layout.line != layout.end_line:
            return False
        return layout.lines[layout.line][layout.column : layout.end_column] == self.text

    def _file_characters(self) -> list[tuple[int, re.Match[str]]]:
        """Return the characters of the text as matches in the file; [] if that is unclear."""
        if self._layout is None:
            return []
        if self._characters is None:
            characters = list(self._layout.characters())
            written_so = [match[0][-1] if match[0][0] in "'\\" else to_nfc(match[0]) for _, match in characters]
            same = written_so == _CHARACTER.findall(self.text)
            self._characters = characters if same else []
        return self._characters

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        return None, {**{own.name: getattr(self, own.name) for own in fields(self)}, "_characters": None}

    def _place_after(self, character: tuple[int, re.Match[str]] | None) -> SourcePlace:
        """Return the place right behind a character in the file; the scalar's for None."""
        if character is None:
            return self.place
        return SourcePlace(self.place.file, character[0] + 1, character[1].end() + 1, 1)


@dataclass(slots=True)
class TextPart(Scalar):
    """Part of a longer text, such as a {slot}. whole: that text, or None; offset: beginning of the part in it."""

    whole: Scalar | None = None
    offset: int = 0

    def place_at(self, offset: int, length: int) -> SourcePlace:
        return self.place if self.whole is None else self.whole.place_at(self.offset + offset, length)


def text_part(whole: Scalar, offset: int, text: str) -> TextPart:
    """Return the part `text` of a scalar, which begins at `offset` there."""
    return TextPart(text, whole.place_at(offset, max(1, len(text))), False, None, whole, offset)


@dataclass(slots=True)
class SequenceNode:
    """List in a file."""

    items: list[Node]
    place: SourcePlace


@dataclass(slots=True)
class MappingNode:
    """Mapping in a file, in the file's order. entries: key -> value; keys: key -> the same key with its place."""

    place: SourcePlace
    entries: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Scalar] = field(default_factory=dict)

    def get(self, key: str) -> Node | None:
        """Return the node under `key`, or None."""
        return self.entries.get(key)

    def items(self) -> Iterator[tuple[Scalar, Node]]:
        """Yield pairs of key and value."""
        return ((self.keys[name], node) for name, node in self.entries.items())


Node: TypeAlias = Scalar | SequenceNode | MappingNode
"""Node of a YAML file. The nodes of sentences are `syntax.tree.Node`."""


def entries_of(node: Node | None) -> Iterable[tuple[Scalar, Node]]:
    """Return the entries of a mapping, each as its key and value; none for any other node."""
    return node.items() if isinstance(node, MappingNode) else ()


def value_of(node: Node | None, key: str) -> Node | None:
    """Return the value under a key of a mapping; None for any other node, and without the key."""
    return node.get(key) if isinstance(node, MappingNode) else None


def plain(node: Node) -> Any:
    """Return a node as new dict, list and str; None for an absent scalar."""
    match node:
        case Scalar():
            return None if node.absent else node.text
        case SequenceNode():
            return [plain(item) for item in node.items]
        case MappingNode():
            return {name: plain(value) for name, value in node.entries.items()}


def shift_lines(node: Node, distance: int) -> Node:
    """Return a copy of a node some lines further down, or up if `distance` is negative; parts of texts become plain
    scalars."""
    known: dict[int, list[str]] = {}

    def place_of(place: SourcePlace) -> SourcePlace:
        return SourcePlace(place.file, place.line + distance, place.column, place.length)

    def scalar_of(old: Scalar) -> Scalar:
        if (layout := old._layout) is None:
            return Scalar(old.text, place_of(old.place), old.absent)
        lines, line, column, end_line, end_column, style = layout
        if id(lines) not in known:
            known[id(lines)] = [""] * distance + lines if distance >= 0 else lines[-distance:]
        new_layout = ScalarLayout(known[id(lines)], line + distance, column, end_line + distance, end_column, style)
        return Scalar(old.text, place_of(old.place), old.absent, new_layout)

    def node_of(old: Node) -> Node:
        if isinstance(old, Scalar):
            return scalar_of(old)
        if isinstance(old, SequenceNode):
            return SequenceNode([node_of(item) for item in old.items], place_of(old.place))
        keys = {name: scalar_of(key) for name, key in old.keys.items()}
        return MappingNode(place_of(old.place), {name: node_of(inner) for name, inner in old.entries.items()}, keys)

    return node_of(node)


def extract_mapping(root: MappingNode, inner: MappingNode, text: str) -> str:
    """Return the text of a section's mapping alone, up to the next section, each character on its own line and
    column."""
    lines = text.split("\n")
    first = inner.place.line
    following = [key.place.line for key in root.keys.values() if key.place.line > first]
    own = lines[first - 1 : min(following, default=len(lines) + 1) - 1]
    own[0] = " " * (inner.place.column - 1) + own[0][inner.place.column - 1 :]
    return "\n" * (first - 1) + "\n".join(own)
