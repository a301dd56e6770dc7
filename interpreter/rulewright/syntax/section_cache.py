"""Cache of results for sections of a file that stay the same while others change.

An editor reads the file anew at every keystroke, and all sections but one are as before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeVar

from rulewright.base.records import record
from rulewright.syntax.source import MappingNode, Node, shift_lines

Result = TypeVar("Result")

_MIN_LINES_TO_SPLIT = 12
"""Lines below its key from which on an entry is read part by part."""
_SECTION_KEY = re.compile(r"(?m)^[^\W\d_][\w ]*:(?=\s|$)")
"""Key of a section, without quotes."""
_NOT_ALONE = re.compile(r"(?m)(?:^|[\s\[{,])[&*]\w|^(?:---|\.\.\.)|^\S[^:\n]*$")
"""Text that gives a section another meaning beside others: anchors, ends of documents, lines without a key."""
_CONTENT_LINE = re.compile(r"(?m)^ *[^ #\n]")
"""Line that is neither blank nor a comment; a file with such a line before its first section is not split."""


class SectionCache:
    """Results of the last two readings of a file, since a text is often broken and whole in turn. known: results of
    those that are finished; used: of the present reading; last: of the last whole one; each by its key, as (source,
    result)."""

    def __init__(self) -> None:
        self.known: dict[Hashable, tuple[Any, Any]] = {}
        self.used: dict[Hashable, tuple[Any, Any]] = {}
        self.last: dict[Hashable, tuple[Any, Any]] = {}
        self.same: dict[int, tuple[Node, Node]] = {}
        """Pairs of a node and the equal one that stood on another line before, by id of the first."""
        self._lines: dict[tuple[str, str], EntryText] | None = None

    def get(self, key: Hashable, source: Any, work: Callable[[], Result]) -> Result:
        """Return the result for a key; `work` computes it if there is none of the very same source. Within one reading
        a key has one result, whatever the source."""
        if key not in self.used:
            entry = self.known.get(key)
            self.used[key] = entry if entry is not None and entry[0] is source else (source, work())
        result: Result = self.used[key][1]
        return result

    def find_moved(self, part: EntryText) -> tuple[int, Node] | None:
        """Return (line, node) of the same text at the same depth, on whatever line it was read before, or None."""
        if self._lines is None:
            entries = (key for key in self.known if isinstance(key, EntryText))
            self._lines = {(entry.text, entry.file): entry for entry in entries}
        old = self._lines.get((part.text, part.file))
        return None if old is None or old.depth != part.depth else (old.line, self.known[old][1])

    def finish_reading(self, whole: bool) -> None:
        """Finish a reading. whole: whether everything was read: drop what neither it nor the last whole one used."""
        self.known = {**(self.last if whole else self.known), **self.used}
        self.last, self.used = self.used if whole else self.last, {}
        self.same, self._lines = {}, None


_CURRENT: ContextVar[SectionCache | None] = ContextVar("section_cache", default=None)
"""Cache of the file that is being read, or None."""


@contextmanager
def use_section_cache(cache: SectionCache, whole: bool = True) -> Iterator[None]:
    """Reuse results while a file is read again. whole: whether everything is read, so that the rest can be dropped."""
    before = _CURRENT.set(cache)
    try:
        yield
    finally:
        _CURRENT.reset(before)
        cache.finish_reading(whole)


def cached(name: str, section: Node, work: Callable[[], Result], anywhere: bool = False) -> Result:
    """Return the result of `work` on a section, or the cached one if the section is the same object. Do not mutate it.
    name: of the work; anywhere: whether the result is the same when the section moves to other lines, which is noticed
    for the entries of sections."""
    cache = _CURRENT.get()
    if cache is None:
        return work()
    if anywhere and (same := cache.same.get(id(section))) is not None and (name, id(same[1])) in cache.known:
        return cache.get((name, id(section)), section, lambda: cache.known[name, id(same[1])][1])  # type: ignore[no-any-return]
    return cache.get((name, id(section)), section, work)


class UnreadablePart(Exception):
    """Raised if a part of a file cannot be read.

    rest: the file with the lines of readable entries before it blanked.
    """

    def __init__(self, rest: str) -> None:
        super().__init__()
        self.rest = rest


class _UnreadableEntry(Exception):
    """Raised at an unreadable entry. sound: ranges of lines (end exclusive) of readable entries before it."""

    def __init__(self, sound: list[tuple[int, int]]) -> None:
        super().__init__()
        self.sound = sound


def read_sections(text: str, file: str, read: Callable[[str, int], Node | None]) -> list[Node] | None:
    """Read the sections of a file, each by itself; unchanged ones are the same nodes as before. None without a cache,
    or if the file cannot be split. Raises UnreadablePart. read: takes a text, with empty lines up to the line on which
    it stands, and the number of levels above it; returns its node, None if anything in it is wrong."""
    cache = _CURRENT.get()
    if cache is None:
        return None
    matches = list(_SECTION_KEY.finditer(text))
    starts = [match.start() for match in matches]
    if not starts or len({match[0] for match in matches}) < len(starts) or _CONTENT_LINE.search(text[: starts[0]]):
        return None
    nodes: list[Node] = []
    parts = [
        EntryText(text[start:end], text.count("\n", 0, start), 0, file) for start, end in pairwise([*starts, len(text)])
    ]
    if not all(_is_alone(part.text) for part in parts):
        return None
    try:
        for part in parts:
            nodes.append(_read_entry(part, cache, read))
    except _UnreadableEntry as error:
        lines = text.split("\n")
        for first, end in [*((part.line, part.end) for part in parts[: len(nodes)]), *error.sound]:
            lines[first:end] = [""] * (end - first)
        raise UnreadablePart("\n".join(lines)) from None
    return nodes


@record
class EntryText:
    """Source text of an entry or section. line: its first line, from 0; depth: number of levels above it."""

    text: str
    line: int
    depth: int
    file: str

    @property
    def end(self) -> int:
        """Line after the last, of a text that ends with a line break."""
        return self.line + self.text.count("\n")


def _read_entry(part: EntryText, cache: SectionCache, read: Callable[[str, int], Node | None]) -> Node:
    """Read an entry as a mapping by itself, part by part if it is long; note which of its values stood on other lines
    before. Raises _UnreadableEntry."""

    def work() -> Node:
        """Read an entry: from its own entries, from a copy that has moved, or anew."""
        old = cache.find_moved(part)
        node: Node | None = _read_parts(part, cache, read)
        if node is None and old is not None:
            node = shift_lines(old[1], part.line - old[0])
        if node is None and (node := read("\n" * part.line + part.text, part.depth)) is None:
            raise _UnreadableEntry([])
        if old is not None and isinstance(node, MappingNode) and isinstance(old[1], MappingNode):
            for key, inner in node.entries.items():
                cache.same[id(inner)] = inner, old[1].entries[key]
        return node

    return cache.get(part, None, work)


def _read_parts(part: EntryText, cache: SectionCache, read: Callable[[str, int], Node | None]) -> MappingNode | None:
    """Read a long entry part by part; None if it is short, or its parts do not stand on lines of their own. Raises
    _UnreadableEntry."""
    head, _, body = part.text.partition("\n")
    first = re.search(r"(?m)^( *)[^\s#]", body)
    if (
        body.count("\n") < _MIN_LINES_TO_SPLIT
        or first is None
        or "\t" in body
        or not re.fullmatch(r" *[^\W\d_][\w ]*:", head)
    ):
        return None
    indent = len(first[1])
    starts = [match.start() for match in re.finditer(rf"(?m)^ {{{indent}}}(?=\S)(?!#)", body)]
    outside = rf"(?m)^(?: {{0,{indent - 1}}}[^ #\n]| {{{indent}}}(?![ #\n]|[^\W\d_][\w ]*:\s))"
    if indent <= len(head) - len(head.lstrip()) or re.search(outside, body):
        return None
    keys = [body[start : body.index(":", start)] for start in starts]
    owner = read("\n" * part.line + head, part.depth)
    if not isinstance(owner, MappingNode) or len(owner.keys) != 1 or len(set(keys)) < len(keys):
        return None
    inner: MappingNode | None = None
    sound: list[tuple[int, int]] = []
    for start, end in pairwise([*starts, len(body)]):
        line = part.line + 1 + body.count("\n", 0, start)
        below = EntryText(body[start:end], line, part.depth + 1, part.file)
        try:
            section = _read_entry(below, cache, read)
        except _UnreadableEntry as error:
            raise _UnreadableEntry([*sound, *error.sound]) from None
        assert isinstance(section, MappingNode)
        sound.append((below.line, below.end))
        inner = inner or MappingNode(section.place)
        inner.entries.update(section.entries)
        inner.keys.update(section.keys)
    return inner and MappingNode(owner.place, dict.fromkeys(owner.keys, inner), owner.keys)


@lru_cache(maxsize=128)
def _is_alone(text: str) -> bool:
    """Return whether a section means the same without the others."""
    return not _NOT_ALONE.search(_SECTION_KEY.sub("", re.sub(r"(?m)^#.*$", "", text)))
