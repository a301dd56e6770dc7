"""Effects of each of several values by itself where all their combinations were played, and joint effects of two.

A value's own effect is the mean over all combinations of the others (a factorial design): every game counts for every
value, so that three questions at once cost no more games than one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from rulewright.base.records import record
from rulewright.simulation import statistics
from rulewright.simulation.quantities import GameGroup, Quantity, quantities, side_by_side
from rulewright.simulation.statistics import EstimatedDifference


@record
class ValueChange:
    """Change of one value. name: of an option or a value."""

    name: str
    before: str
    after: str


@record
class Effect:
    """Effect of changes on a quantity: one by itself, or two together beyond their own effects.

    chance: p-value adjusted for all effects (Holm).
    """

    quantity: Quantity
    changes: tuple[ValueChange, ...]
    difference: EstimatedDifference
    chance: float = 1.0

    @property
    def differs(self) -> bool:
        """Whether the effect is clear, all questions considered."""
        return self.chance < statistics.CHANCE and self.difference.is_apart


def levels(groups: Sequence[GameGroup]) -> dict[str, list[str]]:
    """Return the values of each name that was combined with all others, the own or nearest one first.

    {} where the groups are no such design. groups: of one run.
    """
    plan = groups[0].plan
    settings = [group.plan.settings[group.setting.number] for group in _designed_groups(groups)]
    values_of = {name: list(dict.fromkeys(setting[name] for setting in settings)) for name in plan.varied}
    values_of = {name: values for name, values in values_of.items() if len(values) > 1}
    whole = len({tuple(setting[name] for name in values_of) for setting in settings}) == len(settings)
    if len(values_of) < 2 or not whole or len(settings) != np.prod([len(values) for values in values_of.values()]):
        return {}
    return {
        name: sorted(values, key=lambda value: _distance_from_own(value, plan.own.get(name)))
        for name, values in values_of.items()
    }


def _designed_groups(groups: Sequence[GameGroup]) -> list[GameGroup]:
    """Return all groups, without the unchanged edition if that was only added for comparison."""
    plan = groups[0].plan
    return [group for group in groups if plan.own_asked or plan.settings[group.setting.number] != plan.own]


def _distance_from_own(value: str, own: str | None) -> tuple[bool, int]:
    """Return how far a value is from the edition's own."""
    numbers = [each.lstrip("-").isdigit() for each in (value, own or "")]
    return value != own, abs(int(value) - int(own or 0)) if all(numbers) else 0


def effects(groups: Sequence[GameGroup], keys: Sequence[str]) -> list[Effect]:
    """Return the effects of all values, and of any two of different names together.

    [] where groups are no such design, or their games do not have the same seeds. keys: of quantities.
    """
    plan, known = groups[0].plan, levels(groups)
    several_runs = len({(group.setting.folder, group.plan.identity) for group in groups}) > 1
    if not known or several_runs or plan.played:
        return []
    designed = _designed_groups(groups)
    settings = [plan.settings[group.setting.number] for group in designed]
    weights = {changes: _weights(changes, settings) for changes in _possible_changes(known)}
    by_key = [{quantity.key: quantity for quantity in quantities(group.setting)} for group in designed]
    results = _effects_of_changes(
        [by_key[0][key] for key in keys if all(key in each for each in by_key)], designed, weights
    )
    chances = statistics.holm([effect.difference.p for effect in results])
    return [replace(effect, chance=chance) for effect, chance in zip(results, chances, strict=True)]


def _possible_changes(known: Mapping[str, Sequence[str]]) -> Iterator[tuple[ValueChange, ...]]:
    """Yield each single change of a value, then each pair of changes of two values."""
    single = {name: [ValueChange(name, first, other) for other in rest] for name, (first, *rest) in known.items()}
    for changes in single.values():
        yield from ((change,) for change in changes)
    for one, other in combinations(single.values(), 2):
        yield from ((first, second) for first in one for second in other)


def _weights(changes: Sequence[ValueChange], settings: Sequence[Mapping[str, str]]) -> list[float]:
    """Return the weight of each setting in a contrast, 0 for those that lack a value of some change. The positive
    weights sum to 1 for a single change; for two, to 2: a difference of two effects."""
    signs = []
    for setting in settings:
        values = [(setting[each.name] == each.after) - (setting[each.name] == each.before) for each in changes]
        signs.append(float(np.prod(values)))
    each_side = sum(sign > 0 for sign in signs) / len(changes)
    return [sign / each_side for sign in signs]


def _effects_of_changes(
    chosen_quantities: Sequence[Quantity],
    groups: Sequence[GameGroup],
    weights: Mapping[tuple[ValueChange, ...], Sequence[float]],
) -> list[Effect]:
    """Return the effect of each change, or pair of changes, on each quantity. weights: of the groups in each
    contrast."""
    pairs = {(quantity.key, changes): statistics.Pairs() for quantity in chosen_quantities for changes in weights}
    for games in side_by_side([group.setting for group in groups], chosen_quantities) if chosen_quantities else ():
        for quantity, known in zip(chosen_quantities, np.moveaxis(games, 1, 0), strict=True):
            complete = known[:, ~np.isnan(known).any(axis=0)]
            for changes, weight in weights.items():
                above, below = np.maximum(weight, 0), np.maximum(np.negative(weight), 0)
                # In whole millionths, so that of millions of games few sums are different.
                pairs[quantity.key, changes].add(np.round(below @ complete, 6), np.round(above @ complete, 6))
    return [
        Effect(quantity, changes, pairs[quantity.key, changes].difference())
        for quantity in chosen_quantities
        for changes in weights
    ]
