"""Warnings of options and powers without effect, and of changes to the value that a figure has anyway."""

from __future__ import annotations

from collections import Counter

from rulewright.authoring.lint import messages
from rulewright.authoring.lint.context import LintContext, amount
from rulewright.base.diagnostics import Report
from rulewright.base.wording import Wording
from rulewright.model.declarations import ChangeSet, Figure, canonical
from rulewright.model.statements import try_parse
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar


def check(context: LintContext, report: Report) -> None:
    """Warn of options and powers without effect, and of changes to the value that a figure has anyway."""
    edition = context.edition
    for option in edition.options.values():
        sets = [c for c in edition.change_sets if c.level == "option" and c.name == option.name]
        conditional = option.choices == ("no", "yes") and canonical(option.name) in context.names
        if not conditional and not any(c.changes or c.hooks for c in sets):
            report.warning(option.place, messages.IDLE_OPTION(option=option.name), messages.CHANGE_OR_NAME())
    for changes in edition.change_sets:
        idle = not changes.changes and not changes.hooks
        if changes.level == "power" and idle and canonical(changes.name) not in context.names:
            report.warning(changes.place, messages.IDLE_POWER(power=changes.name), messages.CHANGE_OR_HOOK())
    _warn_of_repeated_values(context, report)


def _warn_of_repeated_values(context: LintContext, report: Report) -> None:
    """Warn of changes to the value that a figure has anyway, unless several change sets change it: one may undo
    another."""
    edition = context.edition
    times = Counter(name for changes in edition.change_sets for name in changes.changes)
    for changes in edition.change_sets:
        for name, (operation, text) in changes.changes.items():
            figure = edition.figures[name]
            if times[name] == 1 and (_adds_nothing(text) if operation == "add" else _is_same(figure, text)):
                problem = messages.REPEATS_BASE(name=name, value=figure.body.text)
                report.warning(text.place, problem, messages.CHANGE_OR_DELETE_FROM(owner=_describe(changes)))


def _adds_nothing(text: Scalar) -> bool:
    """Return whether a change adds or subtracts 0."""
    return amount(text).text.strip(" -+") == "0"


def _is_same(figure: Figure, text: Scalar) -> bool:
    """Return whether a change sets a figure to the expression that it has; False for one with cases."""
    return not figure.cases and try_parse(figure.body, sentences.value) == try_parse(text, sentences.value)


def _describe(changes: ChangeSet) -> Wording:
    """Return a change set in words, with its choice unless that is 'yes'."""
    kind = messages.KINDS[f"{changes.level}s"]()
    if changes.choice in ("", "yes"):
        return messages.CHANGE_SET(kind=kind, name=changes.name)
    return messages.CHANGE_SET_OF_CHOICE(kind=kind, name=changes.name, choice=changes.choice)
