"""Order of change sets by `overrules`, and errors for those that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from rulewright.base.diagnostics import RelatedPlace, Report, SourcePlace, did_you_mean
from rulewright.model import messages
from rulewright.model.declarations import ChangeSet
from rulewright.model.lost_names import LostNames

Overrules = dict[str, list[str]]
"""Names that each name overrules."""
LEVELS = {"option": messages.OPTION, "role": messages.ROLE, "power": messages.POWER}
"""Level of a change set -> its name in messages."""


def rank_change_sets(change_sets: list[ChangeSet], report: Report, lost: LostNames) -> list[ChangeSet]:
    """Return change sets level by level, each after those of its level that it overrules; later ones win.

    Two that can be active for one seat, of one level and without an order, must not set one value differently, nor do
    different things instead of one step; both places are reported.
    """
    ordered: list[ChangeSet] = []
    for level in dict.fromkeys(changes.level for changes in change_sets):
        ordered += _rank_level([changes for changes in change_sets if changes.level == level], report, lost)
    return ordered


def _rank_level(change_sets: list[ChangeSet], report: Report, lost: LostNames) -> list[ChangeSet]:
    """Sort change sets of one level as `rank_change_sets` does, and report contradictions. Roles have none, since a
    seat has one at most; a circle is reported, and leaves the order as it is."""
    names = dict.fromkeys(changes.name for changes in change_sets)
    below: Overrules = {name: [] for name in names}
    for changes in change_sets:
        below[changes.name] += _overruled_names(changes, below, report, lost)
    try:
        order = {name: number for number, name in enumerate(TopologicalSorter(below).static_order())}
    except CycleError as error:
        circle: list[str] = error.args[1]
        place = next(changes.place for changes in change_sets if changes.name == circle[0])
        report.error(place, messages.OVERRULE_EACH_OTHER(names=" → ".join(circle)))
        return change_sets
    tied = {name for over, under in below.items() if under for name in (over, *under)}
    earlier: dict[tuple[str, str], list[tuple[ChangeSet, str, SourcePlace]]] = {}
    for changes in change_sets if change_sets[0].level != "role" else ():
        for target, action, place in _alterations(changes):
            rivals = earlier.setdefault(target, [])
            other = next((o for o in rivals if o[1] != action and _can_conflict(o[0], changes, below)), None)
            if other is not None:
                _report_conflict(target, changes, place, other[0], other[2], report)
            # What contradicts this contradicts its equal too, unless an order takes one of them out.
            elif changes.name in tied or not any(o[1] == action and o[0].name not in tied for o in rivals):
                rivals.append((changes, action, place))
    return sorted(change_sets, key=lambda changes: order[changes.name])


def _overruled_names(changes: ChangeSet, known: Overrules, report: Report, lost: LostNames) -> Iterator[str]:
    """Yield the names that a change set overrules; report unknown ones. known: names of its level."""
    for name in changes.overrules:
        if name.text in known and name.text != changes.name:
            yield name.text
        elif name.text not in lost:
            problem = messages.NO_OTHER(level=LEVELS[changes.level](), name=name.text)
            others = (other for other in known if other != changes.name)
            report.error(name.place, problem, *did_you_mean(name.text, others))


def _alterations(changes: ChangeSet) -> Iterator[tuple[tuple[str, str], str, SourcePlace]]:
    """Yield what could contradict other change sets: (target, alteration, place)."""
    for name, (operation, text) in changes.changes.items():
        if operation == "set":
            yield ("value", name), " ".join(text.text.split()), text.place
    for hook in changes.hooks:
        if hook.when == "instead of":
            yield ("step", hook.step), str(hook.place), hook.place


def _can_conflict(one: ChangeSet, other: ChangeSet, below: Overrules) -> bool:
    """Return whether two change sets can be active together and neither overrules the other."""
    return (
        one.name != other.name
        and other.name not in _all_overruled(one, below)
        and one.name not in _all_overruled(other, below)
    )


def _all_overruled(changes: ChangeSet, below: Overrules) -> set[str]:
    """Return the names that a change set overrules, directly or through others."""
    result: set[str] = set()
    waiting = [changes.name]
    while waiting:
        new = set(below[waiting.pop()]) - result
        result |= new
        waiting += new
    return result


def _report_conflict(
    target: tuple[str, str],
    changes: ChangeSet,
    place: SourcePlace,
    other: ChangeSet,
    other_place: SourcePlace,
    report: Report,
) -> None:
    """Report two change sets that contradict each other. target: ('value' or 'step', name)."""
    kind, name = target
    level = LEVELS[other.level]()
    problem = (messages.VALUE_SET_TWICE if kind == "value" else messages.STEP_REPLACED_TWICE)(
        name=name,
        level=level,
        other=other.name,
        place=f"{other_place.file}:{other_place.line}",
        meeting=messages.SEAT_HAS_BOTH() if changes.level == "power" else messages.BOTH_CHOSEN(),
    )
    inside = changes.name if changes.choice in ("", "yes") else f"{changes.name}.choices.{changes.choice}"
    hint = messages.SAY_WHICH_COUNTS(other=other.name, inside=inside, section=f"{changes.level}s")
    related = RelatedPlace(other_place, messages.OTHER_CHANGE(level=level, other=other.name))
    report.error(place, problem, hint, related=(related,))
