"""What mends a mistake at a touch: the hints of diagnostics, as edits of the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.base.diagnostics import Diagnostic
from rulewright.base.records import record

_INSTEAD = (
    re.compile(r"Did you mean '(?P<new>[^']+)' for '(?P<old>[^']+)'\?"),
    re.compile(r"Did you mean '(?P<new>[^']+)'\?"),
    re.compile(r"\bSay '(?P<new>[^']+)'(?:, for example)?\."),
)


@record
class Fix:
    """title: for people; column counts from 1; new: what stands there instead of `length` characters."""

    title: str
    line: int
    column: int
    length: int
    new: str


def fixes(found: Diagnostic, line: str) -> Iterator[Fix]:
    """The edits that a diagnostic's hint speaks of. line: the one in which it stands."""
    place = found.place
    for pattern in _INSTEAD:
        for hint in pattern.finditer(found.hint):
            old = hint.groupdict().get("old")
            column, length = place.column, place.length
            if old:
                start = line.rfind(old, 0, place.column - 1 + place.length)
                if start < 0:
                    continue
                column, length = start + 1, len(old)
            yield Fix(f"Say '{hint['new']}'", place.line, column, length, hint["new"])
        if pattern.search(found.hint):
            return
