"""Fixes of sentences: other words for a misused figure, counter or set of pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing.edits import (
    Mend,
    deleted,
    path_at,
    rewritten,
)


def _reworded(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace words in the diagnostic's line, by its message."""
    place, line = diagnostic.place, lines[diagnostic.place.line - 1]
    first, last = place.column - 1, place.column - 1 + place.length
    for message_pattern, old, *others in _REWORDED:
        if (match := re.search(message_pattern, f"{diagnostic.message} {diagnostic.hint}")) is None:
            continue
        for stretch in re.finditer(old, line):
            if stretch.start() <= last and stretch.end() >= first:
                for other in others:
                    template = other.format(*(group.replace("\\", "") for group in match.groups() if group))
                    new = re.sub(r"\\(\d)", partial(_group_of, stretch), template)
                    title = f"Say '{new.strip()}'" if new.strip() else f"Delete '{stretch[0].strip()}'"
                    yield Fix(title, (place.line, stretch.start() + 1), (place.line, stretch.end() + 1), new)


def _group_of(match: re.Match[str], reference: re.Match[str]) -> str:
    """Return the group of a match to which a template refers by its number."""
    return str(match[int(reference[1])])


_REWORDED: tuple[tuple[str, ...], ...] = (
    # message pattern, with {0}, {1} for its groups; pattern in the line; replacement
    (r"ask: 'repeat … times'|say 'repeat … times'", r"\brepeat while [^:]+", "repeat 2 times"),
    (r"what the pieces in '([^']+)' show", r"(?:total|highest|lowest) [\w ]+? of [\w ]+", "number of {0}"),
    (r"Tell how many they are, \{(number of [^}]+)\}", r"(?<=\{)[^{}]+(?=\})", "{0}"),
    (r"This is always true", r"(?<=- )if [^:]+: (?=\S)", ""),
)


def _whole(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Delete a sentence that has no effect, or never can."""
    if re.search(_IN_VAIN, f"{diagnostic.message} {diagnostic.hint}"):
        path = path_at(lines, diagnostic.place)
        items = [at for at, step in enumerate(path or (), 1) if isinstance(step, int)]
        if path and items:
            yield from rewritten("Delete the sentence", lines, deleted(lines, path[: items[-1]]))
        elif path:
            yield from rewritten("Delete it", lines, deleted(lines, path))


_IN_VAIN = r"This is never true|Nothing can come of it"


BY_WORDS: tuple[Mend, ...] = (_reworded, _whole)
