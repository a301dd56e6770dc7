"""Options, roles and powers that change nothing."""

from __future__ import annotations

from collections import Counter

from rulewright.authoring.lint.context import Reading, amount
from rulewright.base.diagnostics import Report
from rulewright.model.declarations import ChangeSet, Figure, canonical
from rulewright.model.statements import parsed
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar


def look(reading: Reading, report: Report) -> None:
    """Warn of options and powers without any effect, and of changes to what a figure is anyway."""
    edition = reading.edition
    for option in edition.options.values():
        sets = [c for c in edition.change_sets if c.level == "option" and c.name == option.name]
        asked = option.choices == ("no", "yes") and canonical(option.name) in reading.names
        if not asked and not any(c.changes or c.hooks for c in sets):
            message = f"The option '{option.name}' changes nothing."
            hint = "Give it 'change' or a hook such as 'instead of STEP', or name it in a condition if it is yes or no."
            report.warning(option.place, "changes-nothing", message, hint)
    for changes in edition.change_sets:
        idle = not changes.changes and not changes.hooks
        if changes.level == "power" and idle and canonical(changes.name) not in reading.names:
            message = f"The power '{changes.name}' changes nothing."
            hint = "Give it 'change' or a hook such as 'before STEP': its text alone is not played."
            report.warning(changes.place, "changes-nothing", message, hint)
    _repeats(reading, report)


def _repeats(reading: Reading, report: Report) -> None:
    """Where several change one figure, setting it back may be meant: then nothing is said."""
    edition = reading.edition
    times = Counter(name for changes in edition.change_sets for name in changes.changes)
    for changes in edition.change_sets:
        for name, (operation, text) in changes.changes.items():
            figure = edition.figures[name]
            if times[name] == 1 and (_adds_nothing(text) if operation == "add" else _same(figure, text)):
                message = f"This leaves '{name}' as it is: {figure.body.text}."
                hint = f"Change it to something else, or delete it from {_named(changes)}."
                report.warning(text.place, "repeats-base", message, hint)


def _adds_nothing(text: Scalar) -> bool:
    return amount(text).text.strip(" -+") == "0"


def _same(figure: Figure, text: Scalar) -> bool:
    return not figure.cases and parsed(figure.body, sentences.value) == parsed(text, sentences.value)


def _named(changes: ChangeSet) -> str:
    choice = f", {changes.choice}" if changes.choice not in ("", "yes") else ""
    return f"the {changes.level} '{changes.name}'{choice}"
