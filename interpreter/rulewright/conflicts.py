"""Change sets that contradict each other, and those that say which of them counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rulewright.declarations import ChangeSet
from rulewright.diagnostics import Place, Report, nearest


def ranked(change_sets: list[ChangeSet], report: Report) -> list[ChangeSet]:
    """The change sets in the order in which they count, the last most: one that overrules another comes after it.

    Two that can be active for one seat, of one level and without an order, must not set one value differently, nor do
    different things instead of one step; both places are reported.
    """
    above: dict[tuple[str, str], set[str]] = {}  # (level, name) -> the names that it overrules
    for changes in change_sets:
        above.setdefault((changes.level, changes.name), set()).update(_overruled(changes, change_sets, report))
    ordered: list[ChangeSet] = []
    for changes in change_sets:
        _place(changes, change_sets, above, ordered, [], report)
    for one, other in combinations(change_sets, 2):
        apart = one.level != other.level or one.name == other.name or one.level == "role"
        if not apart and one.name not in _all_below(other, above) and other.name not in _all_below(one, above):
            _report(one, other, report)
    return ordered


def _overruled(changes: ChangeSet, change_sets: list[ChangeSet], report: Report) -> Iterator[str]:
    known = [other.name for other in change_sets if other.level == changes.level and other.name != changes.name]
    for name in changes.overrules:
        if name.text in known:
            yield name.text
        else:
            message = f"There is no other {changes.level} called '{name.text}'."
            report.error(name.place, "unknown-name", message, nearest(name.text, known))


def _place(
    changes: ChangeSet,
    change_sets: list[ChangeSet],
    above: dict[tuple[str, str], set[str]],
    ordered: list[ChangeSet],
    waiting: list[ChangeSet],
    report: Report,
) -> None:
    if changes in ordered:
        return
    if changes in waiting:
        circle = " → ".join(one.name for one in [*waiting[waiting.index(changes) :], changes])
        report.error(changes.place, "circular", f"These overrule each other: {circle}.")
        return
    for other in change_sets:
        if other.level == changes.level and other.name in above[changes.level, changes.name]:
            _place(other, change_sets, above, ordered, [*waiting, changes], report)
    if changes not in ordered:
        ordered.append(changes)


def _all_below(changes: ChangeSet, above: dict[tuple[str, str], set[str]]) -> set[str]:
    below: set[str] = set()
    waiting = [changes.name]
    while waiting:
        for name in above.get((changes.level, waiting.pop()), ()):
            if name not in below:
                below.add(name)
                waiting.append(name)
    return below


def _report(one: ChangeSet, other: ChangeSet, report: Report) -> None:
    meet = "a seat can have both" if one.level == "power" else "both can be chosen"
    for name, (operation, text) in other.changes.items():
        first_operation, first = one.changes.get(name, ("", text))
        if operation == first_operation == "set" and first.text.split() != text.text.split():
            message = f"'{name}' is set here and by the {one.level} '{one.name}' ({_line(first.place)}); {meet}."
            report.error(text.place, "conflict", message, _hint(one, other))
    for hook in other.hooks:
        for found in one.hooks:
            if hook.when == found.when == "instead of" and hook.step == found.step:
                where = f"the {one.level} '{one.name}' ({_line(found.place)})"
                message = f"This stands instead of '{hook.step}', and so does {where}; {meet}."
                report.error(hook.place, "conflict", message, _hint(one, other))


def _line(place: Place) -> str:
    return f"{place.file}:{place.line}"


def _hint(one: ChangeSet, other: ChangeSet) -> str:
    return f"Say which counts: 'overrules: {one.name}' in '{other.name}', or the other way round."
