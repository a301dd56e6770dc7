"""Three-way merge of a text, by lines."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.workbench.core.shared_text import blocks


@record
class _Hunk:
    """Changed lines: first, last (excluded), and their replacement."""

    first: int
    last: int
    lines: Sequence[str]


def merge(base: str, mine: str, theirs: str) -> str | None:
    """Merge two changes of a text; None if both change the same lines, or if one inserts where the other changes."""
    lines = base.splitlines(keepends=True)
    ours, others = (_hunks(lines, text.splitlines(keepends=True)) for text in (mine, theirs))
    if any(one != other and _collide(one, other) for one in ours for other in others):
        return None
    lines_out, position = [], 0
    for hunk in sorted([*ours, *(other for other in others if other not in ours)], key=lambda hunk: hunk.first):
        lines_out += [*lines[position : hunk.first], *hunk.lines]
        position = hunk.last
    return "".join([*lines_out, *lines[position:]])


def _hunks(old: Sequence[str], new: Sequence[str]) -> list[_Hunk]:
    """List the changes between two texts; adjacent ones are joined."""
    hunks: list[_Hunk] = []
    for first, last, start, end in blocks(old, new):
        if old[first:last] == new[start:end]:
            continue
        if hunks and hunks[-1].last == first:
            hunks[-1] = _Hunk(hunks[-1].first, last, [*hunks[-1].lines, *new[start:end]])
        else:
            hunks.append(_Hunk(first, last, list(new[start:end])))
    return hunks


def _collide(one: _Hunk, other: _Hunk) -> bool:
    """Return whether two changes overlap or touch: the order of an insertion beside a change is ambiguous."""
    if one.first == one.last or other.first == other.last:
        return one.first <= other.last and other.first <= one.last
    return one.first < other.last and other.first < one.last
