"""Warn of conditions with the same result in every game."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext
from rulewright.base.diagnostics import Report
from rulewright.compiler import Condition


def check(context: LintContext, settled: Sequence[Condition], report: Report) -> None:
    """Warn of conditions that are always true or always false, of nested ones the outermost. Those that depend on a
    value are left alone, since a variant may change it; so are loops whose condition is always true, of which `loops`
    warns. settled: conditions with one outcome."""
    values = {name for name, figure in context.figures.items() if figure.is_value}
    together: dict[int, list[Condition]] = {}  # those of one sentence
    for condition in settled:
        together.setdefault(id(condition.scalar), []).append(condition)
    for condition in settled:
        if condition.outcomes == {1} and condition.scalar.text.lstrip().startswith("repeat"):
            continue
        if _is_part(condition, together[id(condition.scalar)]) or context.dependencies(condition.tree) & values:
            continue
        start, end = condition.span
        place = condition.scalar.place_at(start, end - start)
        if condition.outcomes == {1}:
            report.warning(place, messages.ALWAYS_TRUE(), messages.DELETE_CONDITION())
        else:
            report.warning(place, messages.ALWAYS_FALSE(), messages.ASK_OR_DELETE())


def _is_part(condition: Condition, others: Sequence[Condition]) -> bool:
    """Return whether a condition is part of a longer one that is reported already."""
    start, end = condition.span
    return any(o is not condition and o.span[0] <= start and end <= o.span[1] for o in others)
