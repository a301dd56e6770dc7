"""Text that several windows edit at once. A change names the version it was made to; if that is not the newest, the
window applies what it has missed and tries again. So all windows reach the same text.

Changes are written as CodeMirror writes them (its module `collab` does the windows' part): a list of lengths, a number
for text that stays, `[length, line, …]` for removed text and its replacement. Lengths count UTF-16 units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

from rulewright.base.records import record

ChangeList = list[Any]
"""Changes as the page's editor encodes them. An item for each part of the text in order: the number of UTF-16 units
that stay, or [number removed, line, line …] with what comes instead."""
_MAX_UPDATES = 5000
"""Maximum number of updates that are remembered; a window that has missed more takes the whole text anew."""
_MAX_EQUAL_PAIRS = 100_000
"""Maximum pairs of equal lines in two texts; beyond that, matching lines takes too long."""
_COMMON_LINE_SHARE = 100
"""Inverse share of a text above which equal lines, such as blank ones, are ignored in matching."""


class ChangeError(ValueError):
    """Change that does not fit the text."""


@record
class TextUpdate:
    """Change of a text. author: the window that made it, or a fixed name for changes of the workbench itself."""

    author: str
    changes: ChangeList


class SharedText:
    """Text with its version number and its latest updates."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.version = 0
        self._updates: list[TextUpdate] = []
        self._first = 0  # version before the first remembered update

    def push(self, version: int, updates: Sequence[TextUpdate]) -> bool:
        """Append updates made to a version; return False if that is not the newest. Raises ChangeError, with nothing
        changed."""
        if version != self.version:
            return False
        text = self.text
        for update in updates:
            text = apply_changes(text, update.changes)
        self.text = text
        self.version += len(updates)
        self._updates += updates
        if len(self._updates) > _MAX_UPDATES:
            excess = len(self._updates) - _MAX_UPDATES
            del self._updates[:excess]
            self._first += excess
        return True

    def replace(self, text: str, author: str) -> TextUpdate | None:
        """Replace the whole text by minimal changes; None if nothing changes."""
        if text == self.text:
            return None
        update = TextUpdate(author, diff(self.text, text))
        self.push(self.version, [update])
        return update

    def since(self, version: int) -> list[TextUpdate] | None:
        """Return the updates after a version; None if they are not remembered, or it is still to come."""
        if not self._first <= version <= self.version:
            return None
        return list(islice(self._updates, version - self._first, None))


def apply_changes(text: str, changes: ChangeList) -> str:
    """Apply changes to a text. Raises ChangeError for what is no list of changes, or not for a text of this length."""
    units = text.encode("utf-16-le")
    index, parts = 0, list[bytes]()
    if not isinstance(changes, list):
        raise ChangeError
    for part in changes:
        match part:
            case int(unchanged) if not isinstance(part, bool) and unchanged >= 0:
                parts.append(units[2 * index : 2 * (index + unchanged)])
                index += unchanged
            case [int(removed), *lines] if removed >= 0 and all(isinstance(line, str) for line in lines):
                try:
                    parts.append("\n".join(lines).encode("utf-16-le"))
                except UnicodeEncodeError:
                    raise ChangeError from None
                index += removed
            case _:
                raise ChangeError
    if 2 * index != len(units):
        raise ChangeError
    try:
        return b"".join(parts).decode("utf-16-le")
    except UnicodeDecodeError:
        raise ChangeError from None


def diff(before: str, after: str) -> ChangeList:
    """Return the changes from one text to another, line by line; within changed lines, the common beginning and end
    stay."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    changes: ChangeList = []
    for a, b, c, d in blocks(old, new):
        removed, added = "".join(old[a:b]), "".join(new[c:d])
        if removed == added:
            _add_unchanged(changes, _length(removed))
            continue
        start = _common_prefix(removed, added)
        end = _common_prefix(removed[start:][::-1], added[start:][::-1])
        _add_unchanged(changes, _length(removed[:start]))
        inserted = added[start : len(added) - end]
        changes.append([_length(removed[start : len(removed) - end]), *(inserted.split("\n") if inserted else [])])
        _add_unchanged(changes, _length(removed[len(removed) - end :]))
    return changes


def blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Match lines of two texts: yield (from, to, from, to) of each matching or changed block, as indices in the old and
    the new one, ends excluded. Blocks may be empty."""
    start = _common_prefix(old, new)
    end = _common_prefix(old[start:][::-1], new[start:][::-1])
    last, until = len(old) - end, len(new) - end
    yield 0, start, 0, start
    before, after = Counter(old[start:last]), Counter(new[start:until])
    rare = max(1, (until - start) // _COMMON_LINE_SHARE)
    if sum(before[line] * times for line, times in after.items() if times <= rare) > _MAX_EQUAL_PAIRS:
        yield start, last, start, until
    else:
        for _, a, b, c, d in SequenceMatcher(None, old[start:last], new[start:until]).get_opcodes():
            yield start + a, start + b, start + c, start + d
    yield last, len(old), until, len(new)


def _add_unchanged(changes: ChangeList, unchanged: int) -> None:
    """Add a number of unchanged characters to a list of changes."""
    if not unchanged:
        return
    if changes and isinstance(changes[-1], int):
        changes[-1] += unchanged
    else:
        changes.append(unchanged)


def _common_prefix(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the leading items that two sequences share."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _length(text: str) -> int:
    """Count a text's UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2
