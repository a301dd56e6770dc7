"""What can be run or played from a place of a file: shown as a line above it."""

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
    """title: what is shown; runs: whether it runs the case, rather than begin to play there; name: of the case, or of
    the phase or step, '' for the beginning of a game."""

    place: SourcePlace
    title: str
    runs: bool
    name: str


def lenses(sheet: OpenFile, outcomes: Mapping[str, CaseOutcome]) -> Iterator[Lens]:
    """From the top of a file to its end. outcomes: of the cases that have been run as they are written."""
    if sheet.kind == schema.SCENARIOS:
        for case in case_files.written_cases(sheet):
            yield Lens(case.place, _title(outcomes.get(case.name)), True, case.name)
            yield Lens(case.place, "Play from here", False, case.name)
        return
    known = sheet.known
    if known is None or known.lines != sheet.lines:
        return
    for entry in known.entries:
        if entry.place.file == sheet.file and entry.path[0] == "phases" and entry.kind in ("phase", "step"):
            yield Lens(entry.place, "Play from here", False, entry.name)


def _title(outcome: CaseOutcome | None) -> str:
    if outcome is None:
        return "Run this case"
    return "✗ Fails. Run again" if outcome.failures else "✓ Passes. Run again"
