"""What mends a mistake at a touch: the hints of diagnostics, as edits of the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.editing.edits import applied
from rulewright.editing.hint_fixes import BY_HINT
from rulewright.editing.sentence_fixes import BY_WORDS, SENTENCE_FIXES
from rulewright.editing.structure_fixes import STRUCTURE_FIXES
from rulewright.editing.value_fixes import VALUE_FIXES

_LONGEST = 2_000
"""In characters: in lines that are longer, nothing is looked for."""


def fixes(found: Diagnostic, lines: Sequence[str]) -> Iterator[Fix]:
    """The edits that a diagnostic's hint speaks of, the likeliest first. lines: of the file."""
    if not 0 < found.place.line <= len(lines) or len(lines[found.place.line - 1]) > _LONGEST:
        return
    seen: set[tuple[object, ...]] = set()
    by_code = [mend for each in (SENTENCE_FIXES, VALUE_FIXES, STRUCTURE_FIXES) for mend in each.get(found.code, ())]
    others = (*by_code, *BY_WORDS)
    for mend in (*BY_HINT, *others) if "Did you mean" in found.hint else (*others, *BY_HINT):
        for fix in mend(found, lines):
            if applied(fix, lines) == "\n".join(lines):
                continue
            key = (fix.start, fix.end, fix.new)
            if key not in seen and applied(fix, lines) != "\n".join(lines):
                seen.add(key)
                yield fix
