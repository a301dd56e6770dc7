"""What is probably a mistake in an edition without errors. A false alarm is worse than a mistake that is missed."""

import re
from collections import defaultdict
from collections.abc import Sequence

from rulewright.authoring.lint import (
    conditions,
    hardcoded_numbers,
    lookalikes,
    loops,
    pictures,
    style,
    texts,
    unexplained_rules,
    unused,
    without_effect,
)
from rulewright.authoring.lint.context import Reading
from rulewright.base.diagnostics import Report
from rulewright.compiler import check_conditions
from rulewright.model.declarations import Edition

__all__ = ["lint"]

_MEANT = re.compile(r"(?:^|\s)# ?meant: ([a-z, -]+)")


def lint(edition: Edition, report: Report) -> None:
    """Report all errors of an edition, for whatever number of seats; if there are none, warnings."""
    always, doubts = check_conditions(edition, report)
    if not report.ok:
        return
    found = Report()
    for doubt in doubts:
        found.warning(doubt.place, doubt.code, doubt.message, doubt.hint)
    reading = Reading(edition)
    unused.look(reading, found)
    without_effect.look(reading, found)
    conditions.look(reading, always, found)
    lookalikes.look(reading, found)
    loops.look(reading, found)
    texts.look(reading, found)
    pictures.look(reading, found)
    unexplained_rules.look(reading, found)
    hardcoded_numbers.look(reading, found)
    style.look(reading, found)
    meant = _meant(report.lines(edition.file))
    for warning in found.diagnostics:
        place = warning.place
        if place.file == edition.file and warning.code not in meant.get(place.line, ()):  # a base has its own mistakes
            report.warning(place, warning.code, warning.message, warning.hint)


def _meant(lines: Sequence[str]) -> dict[int, set[str]]:
    """Return, by a line's number, the codes that a comment behind it, or alone above it, says are meant."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for number, line in enumerate(lines, 1):
        if match := _MEANT.search(line):
            codes = re.split("[, ]+", match[1])
            found[number].update(codes)
            if line.lstrip().startswith("#"):
                found[number + 1].update(codes)
    return found
