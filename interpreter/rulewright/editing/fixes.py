"""Quick fixes: the hints of diagnostics as edits of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing import (  # noqa: F401 - they register fixes
    compiler_fixes,
    declaration_fixes,
    hint_fixes,
    lint_fixes,
    phrasing_fixes,
    schema_fixes,
    yaml_fixes,
)
from rulewright.editing.edits import text_after_fix
from rulewright.editing.fix_registry import registered_fixes

_MAX_LINE_LENGTH = 2_000
"""Maximum length of a line, in characters, in which fixes are sought."""


def fixes(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield the edits that solve a diagnostic, the likeliest first. lines: of the file."""
    if not 0 < diagnostic.place.line <= len(lines) or len(lines[diagnostic.place.line - 1]) > _MAX_LINE_LENGTH:
        return
    known_edits: set[tuple[object, ...]] = set()
    for fix in registered_fixes(diagnostic, lines):
        key = (fix.start, fix.end, fix.new)
        if key not in known_edits and text_after_fix(fix, lines) != "\n".join(lines):
            known_edits.add(key)
            yield fix
