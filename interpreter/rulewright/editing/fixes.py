"""Quick fixes: the hints of diagnostics as edits of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing import (  # noqa: F401 - they register fixes
    compiler_fixes,
    declaration_fixes,
    phrasing_fixes,
    schema_fixes,
    yaml_fixes,
)
from rulewright.editing.edits import applied
from rulewright.editing.fix_registry import registered_fixes
from rulewright.editing.hint_fixes import BY_HINT
from rulewright.editing.sentence_fixes import BY_WORDS
from rulewright.editing.structure_fixes import STRUCTURE_FIXES
from rulewright.editing.value_fixes import VALUE_FIXES

_LONGEST = 2_000
"""Maximum length of a line, in characters, in which fixes are sought."""


def fixes(diagnostic: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """Yield the edits that a diagnostic's hint suggests, the likeliest first. lines: of the file."""
    if not 0 < diagnostic.place.line <= len(lines) or len(lines[diagnostic.place.line - 1]) > _LONGEST:
        return
    known_edits: set[tuple[object, ...]] = set()
    by_code = [mend for each in (VALUE_FIXES, STRUCTURE_FIXES) for mend in each.get(diagnostic.code, ())]
    others = (*by_code, *BY_WORDS)
    by_text = (*BY_HINT, *others) if "Did you mean" in diagnostic.hint else (*others, *BY_HINT)
    for mend in (registered_fixes, *by_text):
        for fix in mend(diagnostic, lines):
            if applied(fix, lines) == "\n".join(lines):
                continue
            key = (fix.start, fix.end, fix.new)
            if key not in known_edits and applied(fix, lines) != "\n".join(lines):
                known_edits.add(key)
                yield fix
