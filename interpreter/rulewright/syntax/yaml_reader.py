"""Read YAML text into nodes with their places.

Every scalar is its text: `yes`, `2022` and `on` stay as written, quoted or not. What YAML allows beyond
mappings, lists and texts (tags, merge keys, several documents) is refused. Files are untrusted: size, depth
and the expansion of aliases are bounded, and no function calls itself while a file is read.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from rulewright.base.diagnostics import RelatedPlace, Report, SourcePlace, shorten_name
from rulewright.base.files import to_nfc, with_unix_line_ends
from rulewright.syntax import messages, section_cache
from rulewright.syntax.source import MAX_FILE_SIZE, MappingNode, Node, Scalar, ScalarLayout, SequenceNode
from rulewright.syntax.yaml_errors import (
    MAX_NESTING,
    LastNode,
    SyntaxErrorExplainer,
    UnreadableFile,
    tag_refused,
    too_deep,
)

MAX_EXPANSION = 50_000
"""Most nodes, aliases expanded; a text counts one more for every 64 characters."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Parser of YAML: libyaml's where it is installed, which marks places in the same way."""
_NUMBER_SIGN = re.compile(r"[ \t]+(#[^\s#]\S*)")
"""Sign # with a text right behind it, which YAML takes for a comment."""
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that nobody sees, or that change the direction of others: refused."""


def read(path: Path | None, text: str | None, report: Report, shown_as: str) -> Node | None:
    """Read `text`, or the file at `path` if that is None. Errors go to the report, where the file is called `shown_as`.
    Return None if nothing can be used; a node may have errors in the report, too (a key given twice)."""
    try:
        if text is None:
            text = _decode(_read_bytes(path, shown_as), report, shown_as)
        elif len(text.encode("utf-8", "surrogatepass")) > MAX_FILE_SIZE:
            raise _too_large(shown_as)
        text = with_unix_line_ends(text.removeprefix("\ufeff"))
        report.add_source(shown_as, text)
        _refuse_invisible(text, shown_as)
        return _read_by_sections(text, report, shown_as) or _NodeReader(text, report, shown_as).read()
    except UnreadableFile as refused:
        report.add(refused.diagnostic)
        return None


def _read_by_sections(text: str, report: Report, shown_as: str) -> MappingNode | None:
    """Read a file section by section, reusing cached ones; None if that is impossible. A broken section is read alone,
    with the same errors as if the whole file were read."""

    def read_alone(section: str, depth: int) -> Node | None:
        node = None
        alone = Report()
        with suppress(UnreadableFile):
            node = _NodeReader(section, alone, shown_as, depth).read()
        return node if alone.ok and isinstance(node, MappingNode) and len(node.entries) == 1 else None

    try:
        read = section_cache.read_sections(text, shown_as, read_alone)
    except section_cache.UnreadablePart as unsound:
        rest_report = Report()
        try:
            _NodeReader(unsound.rest, rest_report, shown_as, whole=text).read()
        except UnreadableFile:
            for error in rest_report.errors:
                report.add(error)
            raise
        return None  # broken in another way, or not at all
    if not read:
        return None
    whole = MappingNode(read[0].place)
    for section in read:
        assert isinstance(section, MappingNode)
        whole.entries.update(section.entries)
        whole.keys.update(section.keys)
    return whole


def read_text(path: Path, report: Report, shown_as: str) -> str | None:
    """Return the text of a file with \\n line ends; None, reported, if it cannot be read."""
    try:
        text = _decode(_read_bytes(path, shown_as), report, shown_as)
    except UnreadableFile as refused:
        report.add(refused.diagnostic)
        return None
    return with_unix_line_ends(text.removeprefix("\ufeff"))


def _read_bytes(path: Path | None, shown_as: str) -> bytes:
    """Read a file. Raises UnreadableFile if there is none, it is no file, cannot be read, or is too large."""
    start = SourcePlace(shown_as, 1, 1, 1)
    if path is None or not path.exists():
        raise UnreadableFile(start, messages.NO_FILE())
    if not path.is_file():
        raise UnreadableFile(start, messages.NOT_A_FILE(), messages.NAME_THE_FILE())
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_SIZE + 1)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise UnreadableFile(start, messages.UNREADABLE_FILE(reason=reason)) from None
    if len(data) > MAX_FILE_SIZE:
        raise _too_large(shown_as)
    return data


def _too_large(shown_as: str) -> UnreadableFile:
    """Return the error of a file of more than MAX_FILE_SIZE."""
    return UnreadableFile(SourcePlace(shown_as, 1, 1, 1), messages.FILE_TOO_LARGE(most=f"{MAX_FILE_SIZE:,}"))


def _decode(data: bytes, report: Report, shown_as: str) -> str:
    """Decode a file's bytes. Raises UnreadableFile at the first that is no UTF-8; the report then has the text as far
    as it can be read, to quote."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        report.add_source(shown_as, data.decode("utf-8", "replace"))
        before = re.split("\r\n|\r|\n", data[: error.start].decode("utf-8"))
        place = SourcePlace(shown_as, len(before), len(before[-1]) + 1, 1)
        raise UnreadableFile(place, messages.NOT_UTF_8(), messages.SAVE_AS_UTF_8()) from None


def _refuse_invisible(text: str, shown_as: str) -> None:
    """Raise UnreadableFile at an invisible character."""
    if match := _INVISIBLE.search(text):
        line = text.count("\n", 0, match.start())
        column = match.start() - text.rfind("\n", 0, match.start())
        raise _invisible_character(SourcePlace(shown_as, line + 1, column, 1), match[0])


def _invisible_character(place: SourcePlace, character: str) -> UnreadableFile:
    """Return the error of an invisible character."""
    problem = messages.CONTROL_CHARACTER(name=f"U+{ord(character):04X}")
    return UnreadableFile(place, problem, messages.DELETE_CHARACTER())


@dataclass(slots=True)
class _OpenCollection:
    """List or mapping whose end has not been read.

    - anchor: its name, if it has one
    - flow: whether it stands in brackets
    - weight_before: that of all nodes before it
    - levels: of lists and mappings, itself included, so far
    - key: of the value that comes next, None where the key is invalid
    - key_read: whether a key waits for its value
    """

    node: SequenceNode | MappingNode
    anchor: str | None
    flow: bool
    weight_before: int
    levels: int = 1
    key: Scalar | None = None
    key_read: bool = False


class _Anchored(NamedTuple):
    """Node with an anchor: its weight and levels count again at every alias."""

    node: Node
    weight: int
    levels: int


class _NodeReader:
    """Builder of nodes from YAML events, with a stack instead of recursion. stack: lists and mappings that are not read
    to their end, the outermost first; anchors: by name, None for one that is not read to its end; weight: nodes so far,
    see MAX_EXPANSION; root: what is read; last: for explaining errors."""

    def __init__(self, text: str, report: Report, file: str, depth: int = 0, whole: str = "") -> None:
        """depth: levels that stand above all this; whole: the text of the file, of which this is a part."""
        self.text, self.report, self.file, self.depth = text, report, file, depth
        self.lines = (whole or text).split("\n")
        self.stack: list[_OpenCollection] = []
        self.anchors: dict[str, _Anchored | None] = {}  # None: not finished yet
        self.weight = 0
        self.documents = 0
        self.root: Node | None = None
        self.last: LastNode | None = None

    def read(self) -> Node:
        """Return the root node. Raises UnreadableFile."""
        start = SourcePlace(self.file, 1, 1, 1)
        try:
            for event in yaml.parse(self.text, Loader=_Loader):
                self._handle_event(event)
        except yaml.MarkedYAMLError as error:
            raise SyntaxErrorExplainer(error, self.lines, self.file, self.last).explain() from None
        except (yaml.YAMLError, ValueError, OverflowError):  # the latter two: an escape beyond Unicode
            raise UnreadableFile(start, messages.NO_YAML()) from None
        if self.root is None or (isinstance(self.root, Scalar) and self.root.absent):
            raise UnreadableFile(start, messages.EMPTY_FILE())
        return self.root

    def _handle_event(self, event: Any) -> None:
        """Read one event of the YAML parser."""
        match event:
            case yaml.DocumentStartEvent():
                self._read_document(event)
            case yaml.AliasEvent():
                self._read_alias(event)
            case yaml.ScalarEvent():
                self._check_tag(event)
                self._read_scalar(event)
            case yaml.CollectionStartEvent():
                self._check_tag(event)
                self._begin_collection(event)
            case yaml.CollectionEndEvent():
                self._end_collection(event)

    def _read_document(self, event: Any) -> None:
        """Count a document. Raises UnreadableFile for a second one."""
        self.documents += 1
        if self.documents > 1:
            raise UnreadableFile(self._place(event), messages.SECOND_DOCUMENT(), messages.REMOVE_LINE())

    def _check_tag(self, event: Any) -> None:
        """Raise UnreadableFile for a node with a tag."""
        if event.tag is not None:
            raise tag_refused(self._place(event))

    def _read_alias(self, event: Any) -> None:
        """Add the node of an alias. Raises UnreadableFile for unknown and endless ones, and beyond the limits."""
        place = self._place(event)
        if event.anchor not in self.anchors:
            raise UnreadableFile(place, messages.UNKNOWN_ANCHOR(name=event.anchor), messages.QUOTE_IF_TEXT())
        anchored = self.anchors[event.anchor]
        if anchored is None:
            raise UnreadableFile(place, messages.ENDLESS_ALIAS(name=event.anchor))
        self._add_weight(anchored.weight, place)
        self._check_depth(anchored.levels, place)
        self._add(anchored.node, anchored.levels, None if self._at_key() else place)
        self._finish("alias", place, event)

    def _read_scalar(self, event: Any) -> None:
        """Add a scalar with its place and layout. Raises UnreadableFile for one that nobody means so, and beyond the
        limits."""
        line, column = self._begin_of(event)
        end_line, end_column = event.end_mark.line, event.end_mark.column
        style = event.style or ""
        place = self._place_between(line, column, end_line, end_column)
        layout = ScalarLayout(self.lines, line, column, end_line, end_column, style)
        scalar = Scalar(to_nfc(event.value), place, not style and not event.value, layout)
        if match := style == '"' and _INVISIBLE.search(event.value):
            raise _invisible_character(place, match[0])
        if not style:
            self._refuse_swallowed(line, end_line, end_column)
        weight = 1 + len(event.value) // 64
        self._add_weight(weight, place)
        self._check_depth(0, place)
        if event.anchor is not None:
            self._read_anchor(event, _Anchored(scalar, weight, 0))
        self._add(scalar, 0, place)
        self._finish("quoted" if style in ("'", '"') else "block" if style else "plain", place, event)

    def _refuse_swallowed(self, line: int, end_line: int, end_column: int) -> None:
        """Raise UnreadableFile for what YAML accepts and nobody means: an item that continues the text above, a #1 as a
        comment."""
        for number in range(line + 1, end_line + 1):
            if match := re.match(r"\s*(-\s)", self.lines[number]):
                if no_space := re.match(r"\s*(-)[^\s-]", self.lines[line]):
                    place = SourcePlace(self.file, line + 1, no_space.start(1) + 1, 2)
                    raise UnreadableFile(place, messages.MISSING_SPACE_AFTER_DASH())
                place = SourcePlace(self.file, number + 1, match.start(1) + 1, 1)
                raise UnreadableFile(place, messages.ITEM_TOO_DEEP(line=number), messages.INDENT_IT())
        if end_line < len(self.lines) and (match := _NUMBER_SIGN.match(self.lines[end_line], end_column)):
            place = SourcePlace(self.file, end_line + 1, match.start(1) + 1, len(match[1]))
            raise UnreadableFile(place, messages.COMMENT_IN_TEXT(), messages.QUOTE_IT(), messages.OR_SPACE_COMMENT())

    def _begin_collection(self, event: Any) -> None:
        """Put a list or mapping on the stack. Raises UnreadableFile beyond the limits."""
        place = self._place(event)
        self._add_weight(1, place)
        self._check_depth(1, place)
        if event.anchor is not None:
            self._read_anchor(event, None)
        node = SequenceNode([], place) if isinstance(event, yaml.SequenceStartEvent) else MappingNode(place)
        self.stack.append(_OpenCollection(node, event.anchor, bool(event.flow_style), self.weight - 1))

    def _end_collection(self, event: Any) -> None:
        """Take the finished collection from the stack and add it to the one around it."""
        done = self.stack.pop()
        node = done.node
        if done.flow:
            line, column = node.place.line - 1, node.place.column - 1
            node.place = self._place_between(line, column, event.end_mark.line, event.end_mark.column)
        if done.anchor is not None:
            self.anchors[done.anchor] = _Anchored(node, self.weight - done.weight_before, done.levels)
        self._add(node, done.levels, node.place)
        self._finish("brackets" if done.flow else "block", node.place, event)

    def _add(self, node: Node, levels: int, place: SourcePlace | None) -> None:
        """Add a node to the innermost open collection; `place` is None for an alias, which cannot be a key."""
        if not self.stack:
            self.root = node
            return
        parent = self.stack[-1]
        parent.levels = max(parent.levels, levels + 1)
        if isinstance(parent.node, SequenceNode):
            parent.node.items.append(node)
        elif not parent.key_read:
            parent.key = self._key(parent.node, node, place)
            parent.key_read = True
        else:
            if parent.key is not None:
                parent.node.keys[parent.key.text] = parent.key
                parent.node.entries[parent.key.text] = node
            parent.key, parent.key_read = None, False

    def _key(self, mapping: MappingNode, node: Node, place: SourcePlace | None) -> Scalar | None:
        """Return a valid key; None, reported, for others, whose value is dropped."""
        if not isinstance(node, Scalar) or place is None:
            problem = messages.NO_NAME_BEFORE_COLON()
            self.report.error(place or mapping.place, problem, messages.QUOTE_IF_TEXT())
        elif node.absent:
            self.report.error(place, messages.NAME_MISSING())
        elif node.text == "<<":
            self.report.error(place, messages.MERGE_KEY(), messages.WRITE_OUT())
        elif first := mapping.keys.get(node.text):
            problem = messages.DUPLICATE_KEY(name=shorten_name(node.text), line=first.place.line)
            related = RelatedPlace(first.place, messages.FIRST_ENTRY(name=shorten_name(node.text)))
            self.report.error(place, problem, messages.NAME_EACH_ENTRY(), related=(related,))
        else:
            return node
        return None

    def _at_key(self) -> bool:
        """Return whether the next node of the innermost collection is a key."""
        return bool(self.stack) and isinstance(self.stack[-1].node, MappingNode) and not self.stack[-1].key_read

    def _read_anchor(self, event: Any, anchored: _Anchored | None) -> None:
        """Note the node of an anchor, None as long as it is not read to its end. Raises UnreadableFile for a name that
        another anchor has."""
        if event.anchor in self.anchors:
            raise UnreadableFile(self._place(event), messages.DUPLICATE_ANCHOR(name=event.anchor))
        self.anchors[event.anchor] = anchored

    def _add_weight(self, weight: int, place: SourcePlace) -> None:
        """Count nodes and text, aliases expanded. Raises UnreadableFile beyond the limit."""
        self.weight += weight
        if self.weight > MAX_EXPANSION:
            raise UnreadableFile(place, messages.TOO_MANY_ENTRIES(most=f"{MAX_EXPANSION:,}"))

    def _check_depth(self, levels: int, place: SourcePlace) -> None:
        """Raise UnreadableFile for a node of so many levels inside the open ones, if they are too many together."""
        if self.depth + len(self.stack) + levels > MAX_NESTING:
            raise too_deep(place)

    def _finish(self, sort: str, place: SourcePlace, event: Any) -> None:
        """Note the node just read, for syntax errors."""
        self.last = LastNode(sort, place, event.end_mark.line, event.end_mark.column)

    def _begin_of(self, event: Any) -> tuple[int, int]:
        """Return line and column, from 0, where a node begins, behind its anchor if that stands on the same line."""
        line, column = event.start_mark.line, event.start_mark.column
        if event.anchor is not None and line < len(self.lines):
            anchor = re.compile(r"&\S+[ \t]*").match(self.lines[line], column)
            if anchor and line == event.end_mark.line:
                column = anchor.end()
        return line, column

    def _place(self, event: Any) -> SourcePlace:
        """Return the place of an event."""
        return self._place_between(
            event.start_mark.line, event.start_mark.column, event.end_mark.line, event.end_mark.column
        )

    def _place_between(self, line: int, column: int, end_line: int, end_column: int) -> SourcePlace:
        """Return the place between two marks, lines and columns from 0: to the end of the line if the second is on
        another one."""
        if end_line != line or end_column == column:
            end_column = len(self.lines[line].rstrip()) if line < len(self.lines) else 0
        return SourcePlace(self.file, line + 1, column + 1, max(1, end_column - column))
