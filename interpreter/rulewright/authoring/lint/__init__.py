"""What is probably a mistake in an edition without errors. A false alarm is worse than a mistake that is missed."""

import re
from collections.abc import Sequence

from rulewright.authoring.lint import (
    changes,
    conditions,
    lookalikes,
    loops,
    pictures,
    style,
    texts,
    unbound,
    untold,
    unused,
)
from rulewright.authoring.lint.reading import Reading
from rulewright.base.diagnostics import Diagnostic, Report
from rulewright.compiler import settled
from rulewright.model.declarations import Edition

__all__ = ["lint"]

_MEANT = re.compile(r"(?:^|\s)# ?meant: ([a-z, -]+)")


def lint(edition: Edition, report: Report) -> None:
    """Report all errors of an edition, for whatever number of seats; if there are none, warnings."""
    always, doubts = settled(edition, report)
    if not report.ok:
        return
    found = Report()
    for doubt in doubts:
        found.warning(doubt.place, doubt.code, doubt.message, doubt.hint)
    reading = Reading(edition)
    unused.look(reading, found)
    changes.look(reading, found)
    conditions.look(reading, always, found)
    lookalikes.look(reading, found)
    loops.look(reading, found)
    texts.look(reading, found)
    pictures.look(reading, found)
    untold.look(reading, found)
    unbound.look(reading, found)
    style.look(reading, found)
    for warning in found.diagnostics:
        lines = report.lines(edition.file)
        if warning.place.file == edition.file and not _is_meant(warning, lines):  # a base has its own mistakes
            report.warning(warning.place, warning.code, warning.message, warning.hint)


def _is_meant(warning: Diagnostic, lines: Sequence[str]) -> bool:
    """Whether a comment behind the line, or one that is the line above it, says `meant:` and the code."""
    at = warning.place.line - 1
    told = [*lines[at : at + 1], *(line for line in lines[max(0, at - 1) : at] if line.lstrip().startswith("#"))]
    return any(warning.code in re.split("[, ]+", match[1]) for line in told if (match := _MEANT.search(line)))
