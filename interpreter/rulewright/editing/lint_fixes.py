"""Fixes of warnings: delete something unused; add a slot or a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.authoring.lint import messages
from rulewright.base.diagnostics import Diagnostic, Fix
from rulewright.base.wording import Wording
from rulewright.editing import messages as titles
from rulewright.editing.edits import (
    line_edits,
    lines_without,
    names_below,
    path_at,
    quoted_in_braces,
    replacement,
)
from rulewright.editing.fix_registry import fixes_for


@fixes_for(messages.UNUSED_ATTRIBUTE)
def _delete_everywhere(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Remove an unused attribute from everything that has it."""
    path, less = path_at(lines, diagnostic.place), list(lines)
    for word in names_below(lines, *map(str, path[:-2])) if path else ():
        assert path is not None
        less = lines_without(less, (*path[:-2], word, problem.text_of("attribute")), emptied=True) or less
    yield from line_edits(titles.DELETE_EVERYWHERE(), lines, less)


@fixes_for(messages.WRITE_SLOT)
def _write_slot(diagnostic: Diagnostic, hint: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Write a slot for a number; a text in braces gets quotes if it needs them."""
    slot = hint["slot"]
    for choice in (slot.text_of("one"), slot.text_of("other")) if isinstance(slot, Wording) else (str(slot),):
        yield quoted_in_braces(diagnostic, lines, choice) or replacement(diagnostic, choice)


@fixes_for(messages.NO_ASK)
def _add_question(diagnostic: Diagnostic, problem: Wording, lines: Sequence[str]) -> Iterator[Fix]:
    """Add the text of a question."""
    line, indent = lines[diagnostic.place.line - 1].rstrip(), diagnostic.place.column - 1
    end = (diagnostic.place.line, len(line) + 1)
    if not line[:indent].strip(" -"):
        colon = "" if line.endswith(":") else ":"
        new = f"{colon}\n{' ' * (indent + 2)}ask: What do you choose?"
        yield Fix(titles.ADD_QUESTION(), end, end, new)
