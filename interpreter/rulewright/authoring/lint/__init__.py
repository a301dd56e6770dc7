"""What is probably a mistake in an edition without errors. A false alarm is worse than a mistake that is missed."""

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
from rulewright.base.diagnostics import Report
from rulewright.compiler import settled
from rulewright.model.declarations import Edition

__all__ = ["lint"]


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
        if warning.place.file == edition.file:  # what stands in a base is not this file's mistake
            report.warning(warning.place, warning.code, warning.message, warning.hint)
