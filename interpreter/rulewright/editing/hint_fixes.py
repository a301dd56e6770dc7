"""Fixes that a hint gives literally: other words in place of the underlined ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import (
    DID_YOU_MEAN_FOR,
    THERE_ARE,
    Diagnostic,
    Fix,
)
from rulewright.base.wording import Wording
from rulewright.editing import messages as titles
from rulewright.editing.edits import replacement
from rulewright.editing.fix_registry import fixes_for
from rulewright.syntax.messages import KNOWN_HERE

_MAX_CHOICES = 6
"""Maximum number of known names for which fixes are offered; none if there are more."""
_CODES_WITH_NAMES = ("unknown-name", "drawing")
"""Codes of problems that one of the names in the hint solves."""


@fixes_for(DID_YOU_MEAN_FOR)
def _replace_given(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace a misspelt word by the one that was probably meant."""
    place, word, name = diagnostic.place, wording.text_of("given"), wording.text_of("name")
    start = lines[place.line - 1].rfind(word, 0, place.column - 1 + place.length)
    if start >= 0:
        yield Fix(titles.SAY(words=name), (place.line, start + 1), (place.line, start + 1 + len(word)), name)


@fixes_for(KNOWN_HERE, THERE_ARE)
def _replace_by_known(diagnostic: Diagnostic, wording: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Replace the underlined name by each existing one, if there are few."""
    names = wording.items("names")
    if diagnostic.code in _CODES_WITH_NAMES and len(names) <= _MAX_CHOICES:
        yield from (replacement(diagnostic, name) for name in names if "…" not in name)
