"""Fixes of values and names: another one in the right form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing.edits import (
    Mend,
    deleted,
    names_below,
    path_at,
    rewritten,
)


def _unasked(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Remove an unused attribute from everything that has it."""
    if match := re.match(r"Nothing asks for the '([^']+)' of '([^']+)'", diagnostic.message):
        path, less = path_at(lines, diagnostic.place), list(lines)
        for word in names_below(lines, *map(str, path[:-2])) if path else ():
            assert path is not None
            less = deleted(less, (*path[:-2], word, match[1]), emptied=True) or less
        yield from rewritten("Delete it everywhere", lines, less)


VALUE_FIXES: dict[str, tuple[Mend, ...]] = {"unused": (_unasked,)}
