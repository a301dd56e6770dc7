"""Code lenses: commands above a line, to run a case or to play from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.editing import case_files
from rulewright.editing.case_files import CaseOutcome
from rulewright.editing.text_document import OpenFile
from rulewright.syntax import schema


@record
class Lens:
    """Code lens. title: its text; runs: whether it runs the case, instead of starting to play there; name: of the case,
    or of the phase or step."""

    place: SourcePlace
    title: str
    runs: bool
    name: str


def lenses(open_file: OpenFile, outcomes: Mapping[str, CaseOutcome]) -> Iterator[Lens]:
    """Yield a file's lenses from top to bottom; none for an edition whose present text cannot be read. outcomes: of
    unchanged cases that have been run."""
    if open_file.kind == schema.SCENARIOS:
        for case in case_files.written_cases(open_file):
            yield Lens(case.place, _title(outcomes.get(case.name)), True, case.name)
            yield Lens(case.place, "Play from here", False, case.name)
        return
    known = open_file.known
    if known is None or known.lines != open_file.lines:
        return
    for entry in known.entries:
        if entry.place.file == open_file.file and entry.path[0] == "phases" and entry.kind in ("phase", "step"):
            yield Lens(entry.place, "Play from here", False, entry.name)


def _title(outcome: CaseOutcome | None) -> str:
    """Return the text of the lens that runs a case. outcome: of its last run, None before any."""
    if outcome is None:
        return "Run this case"
    return "✗ Fails. Run again" if outcome.failures else "✓ Passes. Run again"
