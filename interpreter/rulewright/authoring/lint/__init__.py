"""Warnings for editions without errors. A false alarm is worse than a mistake that is missed."""

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
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report
from rulewright.compiler import check_conditions
from rulewright.model.edition import Edition

__all__ = ["lint"]

_INTENDED = re.compile(r"(?:^|\s)# ?meant: ([a-z, -]+)")
"""Comment with the codes of warnings that its author does not want."""


def lint(edition: Edition, report: Report) -> None:
    """Report all errors of an edition, for any number of seats; if there are none, warnings of its own file, without
    those that a comment `# meant: CODE` allows."""
    settled, doubts = check_conditions(edition, report)
    if not report.ok:
        return
    warnings = Report()
    for doubt in doubts:
        warnings.add(doubt)
    context = LintContext(edition)
    unused.check(context, warnings)
    without_effect.check(context, warnings)
    conditions.check(context, settled, warnings)
    lookalikes.check(context, warnings)
    loops.check(context, warnings)
    texts.check(context, warnings)
    pictures.check(context, warnings)
    unexplained_rules.check(context, warnings)
    hardcoded_numbers.check(context, warnings)
    style.check(context, warnings)
    intended = _intended_codes(report.lines(edition.file))
    for warning in warnings.diagnostics:
        place = warning.place
        if place.file == edition.file and warning.code not in intended.get(
            place.line, ()
        ):  # a base has its own mistakes
            report.add(warning)


def _intended_codes(lines: Sequence[str]) -> dict[int, set[str]]:
    """Return the codes that a comment `# meant: CODE` allows, by the number of the line, from 1, that it is about: its
    own, and the next one if it has a line for itself."""
    result: defaultdict[int, set[str]] = defaultdict(set)
    for number, line in enumerate(lines, 1):
        if match := _INTENDED.search(line):
            codes = re.split("[, ]+", match[1])
            result[number].update(codes)
            if line.lstrip().startswith("#"):
                result[number + 1].update(codes)
    return result
