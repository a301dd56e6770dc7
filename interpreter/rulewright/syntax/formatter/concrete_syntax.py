"""Read YAML text into its concrete syntax: nodes with places, and each comment at its entry.

Other than `source`, which keeps what a file means, this keeps what a designer wrote: anchors, comments, blank
lines. It reads only what `source` has accepted, so depth and size are bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import yaml

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class TextSpot(NamedTuple):
    """Line and column, both from 0."""

    line: int
    column: int


@dataclass(slots=True, eq=False)
class Comment:
    """Comment with its #. blank: whether a blank line stands before it."""

    text: str
    blank: bool = False


@dataclass(slots=True, eq=False)
class WrittenText:
    """Scalar as written. text: its value; start, end: of all, an anchor included; style: its quote, | or >, '' for a
    plain one."""

    text: str
    start: TextSpot
    end: TextSpot
    style: str = ""
    anchor: str | None = None

    @property
    def absent(self) -> bool:
        """Whether nothing was written, not even quotes."""
        return not self.text and not self.style


@dataclass(slots=True, eq=False)
class Alias:
    """Alias `*name`."""

    name: str
    start: TextSpot
    end: TextSpot


@dataclass(slots=True, eq=False)
class WrittenEntry:
    """Item of a list (no key) or a key with its value. head: comments above it; tail: the one behind it; blank: whether
    a blank line stands right above it, behind those comments."""

    key: WrittenText | None
    value: Node
    head: list[Comment] = field(default_factory=list)
    tail: Comment | None = None
    blank: bool = False

    @property
    def start(self) -> TextSpot:
        """Place of the key, or of the value of a list's item."""
        return (self.key or self.value).start


@dataclass(slots=True, eq=False)
class Collection:
    """List or mapping. keyed: whether it is a mapping; flow: whether it stands in brackets or braces; foot: comments
    after the last entry; own_lines: whether its entries need lines of their own, as `arrangement` says."""

    keyed: bool
    flow: bool
    start: TextSpot
    end: TextSpot
    anchor: str | None = None
    entries: list[WrittenEntry] = field(default_factory=list)
    foot: list[Comment] = field(default_factory=list)
    own_lines: bool = False


Node: TypeAlias = WrittenText | Alias | Collection


@dataclass(slots=True, eq=False)
class Document:
    """Root mapping, and the comments above its first key."""

    root: Collection
    head: list[Comment]
    aliases: bool
    """True if an alias occurs."""


def read(text: str) -> Document:
    """Read a text that `yaml_reader` has accepted, with line ends \\n; its root is a mapping."""
    return _SyntaxReader(text).read()


def comments(document: Document) -> Iterator[str]:
    """Yield the texts of all comments of a document, in no particular order."""
    yield from (comment.text for comment in document.head)
    for collection, entry in walk(document.root):
        if entry is None:
            yield from (comment.text for comment in collection.foot)
        else:
            yield from (comment.text for comment in entry.head)
            if entry.tail:
                yield entry.tail.text


def walk(collection: Collection) -> Iterator[tuple[Collection, WrittenEntry | None]]:
    """Yield each entry, in order, with its collection; (collection, None) at each collection's end."""
    for entry in collection.entries:
        yield collection, entry
        if isinstance(entry.value, Collection):
            yield from walk(entry.value)
    yield collection, None


class _SyntaxReader:
    """Reader of one text, once: nodes from YAML events, then the comments between them. spans: extents of scalars,
    where a # begins no comment; aliases: whether there are any."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.events = iter(yaml.parse(text, Loader=_Loader))
        self.spans: list[tuple[TextSpot, TextSpot]] = []
        self.aliases = False

    def read(self) -> Document:
        """Read the whole text as a document, with its comments placed."""
        event = next(self.events)
        while not isinstance(event, yaml.NodeEvent):
            event = next(self.events)
        root = self._read_node(event)
        assert isinstance(root, Collection)
        for _ in self.events:
            pass
        document = Document(root, [], self.aliases)
        _CommentPlacer(document, self.lines).place(list(self._find_comments()))
        return document

    # ── nodes ──

    def _read_node(self, event: Any) -> Node:
        """Read the node that begins with an event."""
        start, end = _spot(event.start_mark), _spot(event.end_mark)
        match event:
            case yaml.AliasEvent():
                self.aliases = True
                return Alias(event.anchor or "", start, end)
            case yaml.ScalarEvent():
                self._note_span(start, end, event)
                return WrittenText(event.value, start, end, event.style or "", event.anchor)
        keyed = isinstance(event, yaml.MappingStartEvent)
        node = Collection(keyed, bool(event.flow_style), start, end, event.anchor)
        while not isinstance(event := next(self.events), yaml.CollectionEndEvent):
            key = self._read_node(event) if keyed else None
            assert key is None or isinstance(key, WrittenText)
            node.entries.append(WrittenEntry(key, self._read_node(next(self.events) if keyed else event)))
        node.end = _spot(event.end_mark)
        return node

    def _note_span(self, start: TextSpot, end: TextSpot, event: Any) -> None:
        """Record where a scalar's text lies, so that a # in it is no comment."""
        if event.anchor is not None:
            start = self._behind_anchor(TextSpot(start.line, start.column + 1 + len(event.anchor)))
        if event.style in (">", "|"):  # a comment may follow in the same line
            start = TextSpot(start.line + 1, 0)
        if start < end:
            self.spans.append((start, end))

    def _behind_anchor(self, spot: TextSpot) -> TextSpot:
        """Return the start of a scalar, perhaps some lines below its anchor."""
        while spot.line < len(self.lines):
            rest = self.lines[spot.line][spot.column :].lstrip()
            if rest and not rest.startswith("#"):
                return TextSpot(spot.line, len(self.lines[spot.line]) - len(rest))
            spot = TextSpot(spot.line + 1, 0)
        return spot

    # ── comments ──

    def _find_comments(self) -> Iterator[tuple[TextSpot, str]]:
        """Yield the place and text of each comment: what follows a '#' outside of texts."""
        spans = iter([*sorted(self.spans), (TextSpot(len(self.lines), 0),) * 2])
        start, end = next(spans)
        for number, line in enumerate(self.lines):
            spot = TextSpot(number, 0)
            while (column := line.find("#", spot.column)) >= 0:
                spot = TextSpot(number, column)
                while end <= spot:
                    start, end = next(spans)
                if spot < start:
                    yield spot, line[column:].rstrip()
                    break
                if end.line > number:
                    break
                spot = end


@dataclass(slots=True, eq=False)
class _EntryContext:
    """Entry with the collections around it, the outermost first."""

    entry: WrittenEntry
    owners: tuple[Collection, ...]


class _CommentPlacer:
    """Attach comments to entries: those behind an entry to it, others to the entry below or the end of a list."""

    def __init__(self, document: Document, lines: list[str]) -> None:
        self.document, self.lines = document, lines
        self.entries: list[_EntryContext] = []
        self._collect_entries(document.root, ())
        self.starts = [placed.entry.start for placed in self.entries]
        self.endings: dict[int, list[WrittenEntry]] = {}
        for placed in self.entries:
            if not _open_ended(placed.entry.value):
                self.endings.setdefault(placed.entry.value.end.line, []).append(placed.entry)

    def _collect_entries(self, collection: Collection, owners: tuple[Collection, ...]) -> None:
        """Collect all entries below a collection, and note blank lines above them."""
        owners = (*owners, collection)
        for entry in collection.entries:
            self.entries.append(_EntryContext(entry, owners))
            entry.blank = not collection.flow and self._blank_above(entry.start.line)
            if isinstance(entry.value, Collection):
                self._collect_entries(entry.value, owners)

    def place(self, comments: list[tuple[TextSpot, str]]) -> None:
        """Put each comment at the entry that it explains: above it, behind it, or at the head of the file."""
        first = self.entries[0].entry.start if self.entries else self.document.root.start
        for spot, text in comments:
            line = self.lines[spot.line]
            own_line = not line[: spot.column].strip()
            # What `source` takes for a misread text when it follows one: '#1'.
            comment = Comment(re.sub(r"^#(?=[^\s#!])", "# ", text), own_line and self._blank_above(spot.line))
            if spot < first:
                self.document.head.append(comment)
            elif own_line:
                self._put_above(spot, spot.column, comment)
            elif entry := self._ending(spot) or self._beginning(spot):
                if entry.tail:
                    entry.head.append(entry.tail)
                entry.tail = comment
            else:
                self._put_above(spot, 0, comment)

    def _blank_above(self, line: int) -> bool:
        """Return whether a blank line stands above a line, which counts from 0."""
        return line > 0 and not self.lines[line - 1].strip()

    def _ending(self, spot: TextSpot) -> WrittenEntry | None:
        """Return the entry that ends last before a spot on its line, the outermost of several; None without one.

        Block collections end below.
        """
        best: WrittenEntry | None = None
        for entry in self.endings.get(spot.line, ()):
            if entry.value.end <= spot and (best is None or entry.value.end > best.value.end):
                best = entry
        return best

    def _beginning(self, spot: TextSpot) -> WrittenEntry | None:
        """Return the last entry that begins before a spot on its line, or None."""
        number = bisect_left(self.starts, spot)
        entry = self.entries[number - 1].entry
        return entry if entry.start.line == spot.line else None

    def _put_above(self, spot: TextSpot, column: int, comment: Comment) -> None:
        """Put a comment above the entry below it, or at the foot of the collection whose end it stands at. column: by
        which the collection is told from those around it."""
        number = bisect_left(self.starts, spot)
        before = self.entries[number - 1]
        after = self.entries[number] if number < len(self.entries) else None
        value = before.entry.value
        if not _open_ended(value) and spot < value.end and not (isinstance(value, Collection) and value.entries):
            before.entry.head.append(comment)  # between a key and its text, or in empty brackets
            return
        chain = (*before.owners, value) if isinstance(value, Collection) and value.entries else before.owners
        around = after.owners if after is not None else ()
        inside = next((owner for owner in reversed(chain) if owner.flow and spot < owner.end), None)
        if inside is not None and inside not in around:
            inside.foot.append(comment)
        elif inside is not None and after is not None:
            after.entry.head.append(comment)
        else:
            margin = _column(after.owners[-1]) if after is not None else -1
            closed = [owner for owner in chain if owner not in around and not owner.flow]
            left = [owner for owner in closed if margin < _column(owner) <= column]
            if left or after is None:
                (left or [self.document.root])[-1].foot.append(comment)
            else:
                after.entry.head.append(comment)


def _column(owner: Collection) -> int:
    """Return the column where the lines of a block collection begin."""
    if owner.keyed:
        return owner.entries[0].start.column
    return owner.start.column if owner.anchor is None else owner.entries[0].start.column - 2


def _open_ended(value: Node) -> bool:
    """Return whether a value ends by its indentation, so that a comment behind its last line belongs to that."""
    return not value.flow if isinstance(value, Collection) else _style(value) in (">", "|")


def _style(node: Node) -> str:
    """Return the style of a text; '' for anything else."""
    return node.style if isinstance(node, WrittenText) else ""


def _spot(mark: Any) -> TextSpot:
    """Return the spot of a mark of the YAML parser."""
    return TextSpot(mark.line, mark.column)
