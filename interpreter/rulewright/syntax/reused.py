"""What was worked out of the sections of a file, kept while the file is changed elsewhere.

An editor reads a file anew at every keystroke, and all sections but one are as they were. Whoever works something out
of a section alone asks here for what came of it before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise
from typing import Any, TypeVar

from rulewright.base.records import record
from rulewright.syntax.source import MappingNode, Node

Worked = TypeVar("Worked")

_LARGE = 12
"""In lines: what is shorter is read at once."""
_BEGINS = re.compile(r"(?m)^[^\W\d_][\w ]*:(?=\s|$)")
_NOT_ALONE = re.compile(r"(?m)(?:^|[\s\[{,])[&*]\w|^(?:---|\.\.\.)|^\S[^:\n]*$")
"""What can make a section mean something else beside others: marks, ends of documents, lines that are no key."""


class ReusedSections:
    """What is kept between readings: of what was used in the last two, for a text is often broken and whole in turn."""

    def __init__(self) -> None:
        self.known: dict[Hashable, tuple[Any, Any]] = {}
        self.used: dict[Hashable, tuple[Any, Any]] = {}
        self.last: dict[Hashable, tuple[Any, Any]] = {}

    def get(self, key: Hashable, of: Any, work: Callable[[], Worked]) -> Worked:
        if key not in self.used:
            kept = self.known.get(key)
            self.used[key] = kept if kept is not None and kept[0] is of else (of, work())
        found: Worked = self.used[key][1]
        return found


_REUSED: ContextVar[ReusedSections | None] = ContextVar("reused", default=None)


@contextmanager
def reusing(kept: ReusedSections, whole: bool = True) -> Iterator[None]:
    """While a file is read that was read before. whole: whether all is worked out, so that the rest can go."""
    before = _REUSED.set(kept)
    try:
        yield
    finally:
        _REUSED.reset(before)
        kept.known = {**(kept.last if whole else kept.known), **kept.used}
        kept.last, kept.used = kept.used if whole else kept.last, {}


def reused(what: str, section: Node, work: Callable[[], Worked]) -> Worked:
    """What comes of a section alone, as it was if it is the same section. Nobody may change it."""
    kept = _REUSED.get()
    return work() if kept is None else kept.get((what, id(section)), section, work)


def sections(text: str, file: str, read: Callable[[str, int], Node | None]) -> list[Node] | None:
    """The sections of a file, each as a file of its own would be read, in its lines; those that are as before are the
    same nodes. None where nobody reuses them, or they are not to be read alone.

    read: makes the node of a text, which stands so many levels deep, or None if anything is wrong.
    """
    kept = _REUSED.get()
    if kept is None or _NOT_ALONE.search(_BEGINS.sub("", _without_comments(text))):
        return None
    starts = [found.start() for found in _BEGINS.finditer(text)]
    if not starts or re.search(r"(?m)^ *[^ #\n]", text[: starts[0]]):
        return None
    found: list[Node] = []
    for start, end in pairwise([*starts, len(text)]):
        node = _section(_WrittenEntry(text[start:end], text.count("\n", 0, start), 0, file), kept, read)
        if node is None:
            return None
        found.append(node)
    return found


@record
class _WrittenEntry:
    """An entry as it is written. line: on which it begins, counted from 0; depth: levels above it."""

    text: str
    line: int
    depth: int
    file: str


def _section(part: _WrittenEntry, kept: ReusedSections, read: Callable[[str, int], Node | None]) -> Node | None:
    """The mapping that an entry alone is, put together of what stands below it if that is much."""

    def work() -> Node | None:
        return _of_entries(part, kept, read) or read("\n" * part.line + part.text, part.depth)

    return kept.get((part.file, part.line, part.text), None, work)


def _of_entries(
    part: _WrittenEntry, kept: ReusedSections, read: Callable[[str, int], Node | None]
) -> MappingNode | None:
    """A large entry that has entries in lines of their own; None where it has not."""
    head, _, body = part.text.partition("\n")
    first = re.search(r"(?m)^( *)[^\s#]", body)
    if body.count("\n") < _LARGE or first is None or "\t" in body or not re.fullmatch(r" *[^\W\d_][\w ]*:", head):
        return None
    indent = len(first[1])
    starts = [found.start() for found in re.finditer(rf"(?m)^ {{{indent}}}(?=\S)(?!#)", body)]
    outside = rf"(?m)^(?: {{0,{indent - 1}}}[^ #\n]| {{{indent}}}(?![ #\n]|[^\W\d_][\w ]*:\s))"
    if indent <= len(head) - len(head.lstrip()) or re.search(outside, body):
        return None
    owner = read("\n" * part.line + head, part.depth)
    if not isinstance(owner, MappingNode) or len(owner.keys) != 1:
        return None
    inner: MappingNode | None = None
    for start, end in pairwise([*starts, len(body)]):
        line = part.line + 1 + body.count("\n", 0, start)
        found = _section(_WrittenEntry(body[start:end], line, part.depth + 1, part.file), kept, read)
        if not isinstance(found, MappingNode) or (inner is not None and inner.keys.keys() & found.keys.keys()):
            return None
        inner = inner or MappingNode(found.place)
        inner.entries.update(found.entries)
        inner.keys.update(found.keys)
    return inner and MappingNode(owner.place, dict.fromkeys(owner.keys, inner), owner.keys)


def _without_comments(text: str) -> str:
    return re.sub(r"(?m)^#.*$", "", text)
