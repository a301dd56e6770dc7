"""Fixes given literally by a hint: other words, quotes, a colon, a bracket, or a deletion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import DID_YOU_MEAN, DID_YOU_MEAN_FOR, SAY, SAY_FOR_EXAMPLE, WRITE, Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.editing.edits import (
    Mend,
    deletions,
    instead,
    names_below,
    path_at,
)
from rulewright.editing.fix_registry import fixes_for

_MOST_CHOICES = 6
_INSTEAD = (
    re.compile(r"Did you mean '(?P<new>[^']+)' for '(?P<old>[^']+)'\?"),
    re.compile(r"Did you mean '(?P<new>[^']+)'\?"),
    re.compile(r"\bSay '(?P<new>[^'…]+)'(?:, for example)?[.:]"),
    re.compile(r"\bSay '(?P<new>[^'…]+)' or '(?P<other>[^'…]+)'\."),
    re.compile(r"\bWrite '(?P<new>[^'…]+)'\."),
)
_KNOWN = re.compile(r"(?:There are|Known here): ([^.…]+?)\.?$")


def _fix_name(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace a name by the suggested one."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    for pattern in _INSTEAD:
        for hint in pattern.finditer(diagnostic.hint):
            parts = hint.groupdict()
            if not (old := parts.get("old")):
                for new in (parts["new"], parts.get("other")):
                    if new:
                        yield instead(diagnostic, new)
            elif (start := line.rfind(old, 0, place.column - 1 + place.length)) >= 0:
                end = (place.line, start + 1 + len(old))
                yield Fix(f"Say '{parts['new']}'", (place.line, start + 1), end, parts["new"])
        if pattern.search(diagnostic.hint):
            return


@fixes_for(DID_YOU_MEAN)
def _replace_name(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace the underlined name by the nearest known one."""
    yield instead(diagnostic, wording.text_of("name"))


@fixes_for(DID_YOU_MEAN_FOR)
def _replace_given(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace a misspelt word by the one that was probably meant."""
    place, given, name = diagnostic.place, wording.text_of("given"), wording.text_of("name")
    start = lines[place.line - 1].rfind(given, 0, place.column - 1 + place.length)
    if start >= 0:
        yield Fix(f"Say '{name}'", (place.line, start + 1), (place.line, start + 1 + len(given)), name)


@fixes_for(SAY, SAY_FOR_EXAMPLE, WRITE)
def _replace_by_words(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace the underlined text by the words of the hint, if these are complete."""
    words = wording.text_of("words")
    if "…" not in words and "'" not in words:
        yield instead(diagnostic, words)


def _one_of_few(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Suggest each existing name, if there are few."""
    if (known := _KNOWN.search(diagnostic.hint)) and diagnostic.code in ("unknown-name", "unknown-key", "drawing"):
        names = known[1].split(", ")
        if len(names) <= _MOST_CHOICES:
            path = path_at(lines, diagnostic.place) if diagnostic.code == "unknown-key" else None
            existing = names_below(lines, *map(str, path[:-1])) if path else []
            yield from (instead(diagnostic, name) for name in names if "…" not in name and name not in existing)


def _unneeded(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Delete a useless entry."""
    if "Did you mean" not in diagnostic.hint and re.search(_NEEDLESS, f"{diagnostic.message} {diagnostic.hint}"):
        yield from deletions(diagnostic, lines)


_NEEDLESS = r"\b(?:delete it|leave it out)\b|' is not known here"
BY_HINT: tuple[Mend, ...] = (_fix_name, _one_of_few, _unneeded)
