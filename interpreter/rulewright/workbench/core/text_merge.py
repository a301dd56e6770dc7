"""Two changes of one text come together, where they change different lines."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.workbench.core.shared_text import blocks


@record
class _Hunk:
    """Lines of a text, from one to before another, and what stands there instead."""

    first: int
    last: int
    lines: Sequence[str]


def merged(base: str, mine: str, theirs: str) -> str | None:
    """A text with two changes of it made; None where both change the same lines, or one puts something where the
    other changes something."""
    lines = base.splitlines(keepends=True)
    ours, others = (_hunks(lines, text.splitlines(keepends=True)) for text in (mine, theirs))
    if any(one != other and _collide(one, other) for one in ours for other in others):
        return None
    made, at = [], 0
    for hunk in sorted([*ours, *(other for other in others if other not in ours)], key=lambda hunk: hunk.first):
        made += [*lines[at : hunk.first], *hunk.lines]
        at = hunk.last
    return "".join([*made, *lines[at:]])


def _hunks(old: Sequence[str], new: Sequence[str]) -> list[_Hunk]:
    """What changes, one after another; what touches is one."""
    found: list[_Hunk] = []
    for first, last, start, end in blocks(old, new):
        if old[first:last] == new[start:end]:
            continue
        if found and found[-1].last == first:
            found[-1] = _Hunk(found[-1].first, last, [*found[-1].lines, *new[start:end]])
        else:
            found.append(_Hunk(first, last, list(new[start:end])))
    return found


def _collide(one: _Hunk, other: _Hunk) -> bool:
    """Whether two changes meet: of what is only put in, nobody knows on which side of its neighbour it belongs."""
    if one.first == one.last or other.first == other.last:
        return one.first <= other.last and other.first <= one.last
    return one.first < other.last and other.first < one.last
