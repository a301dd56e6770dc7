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

from rulewright.syntax.source import Node

Worked = TypeVar("Worked")

_BEGINS = re.compile(r"(?m)^[^\W\d_][\w ]*:(?=\s|$)")
_NOT_ALONE = re.compile(r"(?m)(?:^|[\s\[{,])[&*]\w|^(?:---|\.\.\.)|^\S[^:\n]*$")
"""What can make a section mean something else beside others: marks, ends of documents, lines that are no key."""


class ReusedSections:
    """What is kept between two readings: of what was used in the last one, nothing else."""

    def __init__(self) -> None:
        self.known: dict[Hashable, tuple[Any, Any]] = {}
        self.used: dict[Hashable, tuple[Any, Any]] = {}

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
        kept.known, kept.used = kept.used if whole else {**kept.known, **kept.used}, {}


def reused(what: str, section: Node, work: Callable[[], Worked]) -> Worked:
    """What comes of a section alone, as it was if it is the same section. Nobody may change it."""
    kept = _REUSED.get()
    return work() if kept is None else kept.get((what, id(section)), section, work)


def sections(text: str, file: str, read: Callable[[str], Node | None]) -> list[Node] | None:
    """The sections of a file, each as a file of its own would be read, in its lines; those that are as before are the
    same nodes. None where nobody reuses them, or they are not to be read alone.

    read: makes the node of a text, or None if anything is wrong.
    """
    kept = _REUSED.get()
    if kept is None or _NOT_ALONE.search(_BEGINS.sub("", _without_comments(text))):
        return None
    starts = [found.start() for found in _BEGINS.finditer(text)]
    found: list[Node] = []
    for start, end in pairwise([*starts, len(text)]):
        line, own = text.count("\n", 0, start), text[start:end]
        node = kept.get((file, line, own), None, lambda own=own, line=line: read("\n" * line + own))  # type: ignore[misc]
        if node is None:
            return None
        found.append(node)
    return found


def _without_comments(text: str) -> str:
    return re.sub(r"(?m)^#.*$", "", text)
