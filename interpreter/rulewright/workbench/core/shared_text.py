"""A text that several windows edit at once. Whoever changes it says which version they have seen; where that is not the
newest, they take over what others have done, and try again. So all windows come to the same text.

Changes are written as CodeMirror writes them (its module `collab` does the windows' part): a list of lengths, a number
for what stays, `[length, line, …]` for what goes and what comes instead. Lengths count UTF-16 units.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

from rulewright.base.records import record

ChangeList = list[Any]
_MOST_KEPT = 5000
"""Updates that are remembered; a window that has slept through more takes the whole text anew."""
_MOST_ALIKE = 100_000
"""Pairs of equal lines in two texts, beyond which it takes too long to find out which line became which."""
_OFTEN = 100
"""Lines that make up more than one in so many of a text are no help in that, as blank ones."""


class ChangeError(ValueError):
    """A change that does not fit the text."""


@record
class TextUpdate:
    """by: which window has made it; ours for what the workbench itself has changed."""

    by: str
    changes: ChangeList


class SharedText:
    def __init__(self, text: str) -> None:
        self.text = text
        self.version = 0
        self._updates: list[TextUpdate] = []
        self._first = 0  # the version before the first update that is kept

    def push(self, version: int, updates: Sequence[TextUpdate]) -> bool:
        """Take updates of a window that has seen a version; False where that is not the newest. Raises ChangeError,
        and nothing has changed then."""
        if version != self.version:
            return False
        text = self.text
        for update in updates:
            text = changed(text, update.changes)
        self.text = text
        self.version += len(updates)
        self._updates += updates
        if len(self._updates) > _MOST_KEPT:
            gone = len(self._updates) - _MOST_KEPT
            del self._updates[:gone]
            self._first += gone
        return True

    def replace(self, text: str, by: str) -> TextUpdate | None:
        """Make it another text, by changes that leave alone what stays; None where nothing changes."""
        if text == self.text:
            return None
        update = TextUpdate(by, between(self.text, text))
        self.push(self.version, [update])
        return update

    def since(self, version: int) -> list[TextUpdate] | None:
        """The updates after a version; None where they are not known any more."""
        if not self._first <= version <= self.version:
            return None
        return list(islice(self._updates, version - self._first, None))


def changed(text: str, changes: ChangeList) -> str:
    """A text with changes made. Raises ChangeError."""
    units = text.encode("utf-16-le")
    at, found = 0, list[bytes]()
    if not isinstance(changes, list):
        raise ChangeError
    for part in changes:
        match part:
            case int(kept) if not isinstance(part, bool) and kept >= 0:
                found.append(units[2 * at : 2 * (at + kept)])
                at += kept
            case [int(gone), *lines] if gone >= 0 and all(isinstance(line, str) for line in lines):
                try:
                    found.append("\n".join(lines).encode("utf-16-le"))
                except UnicodeEncodeError:
                    raise ChangeError from None
                at += gone
            case _:
                raise ChangeError
    if 2 * at != len(units):
        raise ChangeError
    try:
        return b"".join(found).decode("utf-16-le")
    except UnicodeDecodeError:
        raise ChangeError from None


def between(before: str, after: str) -> ChangeList:
    """The changes that make one text of another, line by line, and within lines that have changed as little as the
    beginning and the end allow."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    changes: ChangeList = []
    for a, b, c, d in blocks(old, new):
        gone, comes = "".join(old[a:b]), "".join(new[c:d])
        if gone == comes:
            _add(changes, _length(gone))
            continue
        start = _alike(gone, comes)
        end = _alike(gone[start:][::-1], comes[start:][::-1])
        _add(changes, _length(gone[:start]))
        inserted = comes[start : len(comes) - end]
        changes.append([_length(gone[start : len(gone) - end]), *(inserted.split("\n") if inserted else [])])
        _add(changes, _length(gone[len(gone) - end :]))
    return changes


def blocks(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Which lines became which: from and to in one text, from and to in the other."""
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    last, until = len(old) - end, len(new) - end
    yield 0, start, 0, start
    before, after = Counter(old[start:last]), Counter(new[start:until])
    rare = max(1, (until - start) // _OFTEN)
    if sum(before[line] * times for line, times in after.items() if times <= rare) > _MOST_ALIKE:
        yield start, last, start, until
    else:
        for _, a, b, c, d in SequenceMatcher(None, old[start:last], new[start:until]).get_opcodes():
            yield start + a, start + b, start + c, start + d
    yield last, len(old), until, len(new)


def _add(changes: ChangeList, kept: int) -> None:
    if not kept:
        return
    if changes and isinstance(changes[-1], int):
        changes[-1] += kept
    else:
        changes.append(kept)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many letters, or lines, two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
