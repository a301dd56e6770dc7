"""What was worked out of the sections of a file, kept while the file is changed elsewhere.

An editor reads a file anew at every keystroke, and all sections but one are as they were. Whoever works something out
of a section alone asks here for what came of it before.
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
from rulewright.syntax.source import MappingNode, Node, moved

Worked = TypeVar("Worked")

_LARGE = 12
"""In lines: what is shorter is read at once."""
_BEGINS = re.compile(r"(?m)^[^\W\d_][\w ]*:(?=\s|$)")
_NOT_ALONE = re.compile(r"(?m)(?:^|[\s\[{,])[&*]\w|^(?:---|\.\.\.)|^\S[^:\n]*$")
"""What can make a section mean something else beside others: marks, ends of documents, lines that are no key."""
_BEFORE = re.compile(r"(?m)^ *[^ #\n]")


class ReusedSections:
    """What is kept between readings: of what was used in the last two, for a text is often broken and whole in turn."""

    def __init__(self) -> None:
        self.known: dict[Hashable, tuple[Any, Any]] = {}
        self.used: dict[Hashable, tuple[Any, Any]] = {}
        self.last: dict[Hashable, tuple[Any, Any]] = {}
        self.same: dict[int, tuple[Node, Node]] = {}
        """Of a node by its id: itself, and the one that stood elsewhere before and says the same."""
        self._lines: dict[tuple[str, str], WrittenEntry] | None = None

    def get(self, key: Hashable, of: Any, work: Callable[[], Worked]) -> Worked:
        if key not in self.used:
            kept = self.known.get(key)
            self.used[key] = kept if kept is not None and kept[0] is of else (of, work())
        found: Worked = self.used[key][1]
        return found

    def elsewhere(self, part: WrittenEntry) -> tuple[int, Node] | None:
        """What the same text came to on another line, and on which."""
        if self._lines is None:
            written = (key for key in self.known if isinstance(key, WrittenEntry))
            self._lines = {(entry.text, entry.file): entry for entry in written}
        there = self._lines.get((part.text, part.file))
        return None if there is None or there.depth != part.depth else (there.line, self.known[there][1])

    def turn(self, whole: bool) -> None:
        """A reading is over."""
        self.known = {**(self.last if whole else self.known), **self.used}
        self.last, self.used = self.used if whole else self.last, {}
        self.same, self._lines = {}, None


_REUSED: ContextVar[ReusedSections | None] = ContextVar("reused", default=None)


@contextmanager
def reusing(kept: ReusedSections, whole: bool = True) -> Iterator[None]:
    """While a file is read that was read before. whole: whether all is worked out, so that the rest can go."""
    before = _REUSED.set(kept)
    try:
        yield
    finally:
        _REUSED.reset(before)
        kept.turn(whole)


def reused(what: str, section: Node, work: Callable[[], Worked], anywhere: bool = False) -> Worked:
    """What comes of a section alone, as it was if it is the same section. Nobody may change it.

    anywhere: whether it comes to the same on other lines.
    """
    kept = _REUSED.get()
    if kept is None:
        return work()
    if anywhere and (same := kept.same.get(id(section))) is not None and (what, id(same[1])) in kept.known:
        return kept.get((what, id(section)), section, lambda: kept.known[what, id(same[1])][1])  # type: ignore[no-any-return]
    return kept.get((what, id(section)), section, work)


class Unsound(Exception):
    """A part of a file cannot be read. rest: the file from there on, without what is sound before."""

    def __init__(self, rest: str) -> None:
        super().__init__()
        self.rest = rest


class _Stumbled(Exception):
    """sound: lines of entries that can be read, before one that cannot: from which to which, the end left out."""

    def __init__(self, sound: list[tuple[int, int]]) -> None:
        super().__init__()
        self.sound = sound


def sections(text: str, file: str, read: Callable[[str, int], Node | None]) -> list[Node] | None:
    """The sections of a file, each as a file of its own would be read, in its lines; those that are as before are the
    same nodes. None where nobody reuses them, or they are not to be read alone. Raises Unsound.

    read: makes the node of a text, which stands so many levels deep, or None if anything is wrong.
    """
    kept = _REUSED.get()
    if kept is None:
        return None
    begins = list(_BEGINS.finditer(text))
    starts = [found.start() for found in begins]
    if not starts or len({found[0] for found in begins}) < len(starts) or _BEFORE.search(text[: starts[0]]):
        return None
    found: list[Node] = []
    parts = [
        WrittenEntry(text[start:end], text.count("\n", 0, start), 0, file)
        for start, end in pairwise([*starts, len(text)])
    ]
    if not all(_is_alone(part.text) for part in parts):
        return None
    try:
        for part in parts:
            found.append(_section(part, kept, read))
    except _Stumbled as stumbled:
        lines = text.split("\n")
        for first, end in [*((part.line, part.end) for part in parts[: len(found)]), *stumbled.sound]:
            lines[first:end] = [""] * (end - first)
        raise Unsound("\n".join(lines)) from None
    return found


@record
class WrittenEntry:
    """An entry as it is written. line: on which it begins, counted from 0; depth: levels above it."""

    text: str
    line: int
    depth: int
    file: str

    @property
    def end(self) -> int:
        """The line behind it."""
        return self.line + self.text.count("\n")


def _section(part: WrittenEntry, kept: ReusedSections, read: Callable[[str, int], Node | None]) -> Node:
    """The mapping that an entry alone is, put together of what stands below it if that is much. Raises _Stumbled."""

    def work() -> Node:
        there = kept.elsewhere(part)
        node: Node | None = _of_entries(part, kept, read)
        if node is None and there is not None:
            node = moved(there[1], part.line - there[0])
        if node is None and (node := read("\n" * part.line + part.text, part.depth)) is None:
            raise _Stumbled([])
        if there is not None and isinstance(node, MappingNode) and isinstance(there[1], MappingNode):
            for key, inner in node.entries.items():
                kept.same[id(inner)] = inner, there[1].entries[key]
        return node

    return kept.get(part, None, work)


def _of_entries(
    part: WrittenEntry, kept: ReusedSections, read: Callable[[str, int], Node | None]
) -> MappingNode | None:
    """A large entry that has entries in lines of their own; None where it has not. Raises _Stumbled."""
    head, _, body = part.text.partition("\n")
    first = re.search(r"(?m)^( *)[^\s#]", body)
    if body.count("\n") < _LARGE or first is None or "\t" in body or not re.fullmatch(r" *[^\W\d_][\w ]*:", head):
        return None
    indent = len(first[1])
    starts = [found.start() for found in re.finditer(rf"(?m)^ {{{indent}}}(?=\S)(?!#)", body)]
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
        below = WrittenEntry(body[start:end], line, part.depth + 1, part.file)
        try:
            found = _section(below, kept, read)
        except _Stumbled as stumbled:
            raise _Stumbled([*sound, *stumbled.sound]) from None
        assert isinstance(found, MappingNode)
        sound.append((below.line, below.end))
        inner = inner or MappingNode(found.place)
        inner.entries.update(found.entries)
        inner.keys.update(found.keys)
    return inner and MappingNode(owner.place, dict.fromkeys(owner.keys, inner), owner.keys)


@lru_cache(maxsize=128)
def _is_alone(text: str) -> bool:
    """Whether a section means the same beside others."""
    return not _NOT_ALONE.search(_BEGINS.sub("", re.sub(r"(?m)^#.*$", "", text)))
