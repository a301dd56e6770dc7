"""Comparison of groups of games with the first one: differences, and quantities without a clear difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.simulation import statistics
from rulewright.simulation.quantities import SEAT, GameGroup, Quantity, differences, quantities
from rulewright.simulation.statistics import Estimate, EstimatedDifference


@record
class QuantityComparison:
    """One quantity in two groups. figures: of both; difference: after minus before; chance: p-value adjusted for all
    questions (Holm)."""

    quantity: Quantity
    before: GameGroup
    after: GameGroup
    figures: tuple[Estimate, Estimate]
    difference: EstimatedDifference
    chance: float = 1.0

    @property
    def differs(self) -> bool:
        """Whether the difference is clear, all questions considered."""
        return self.chance < statistics.CHANCE and self.difference.is_apart

    @property
    def perhaps(self) -> bool:
        """Whether it would count as a difference if it were the only question."""
        return not self.differs and self.difference.p < statistics.CHANCE and self.difference.is_apart

    @property
    def same(self) -> bool:
        """Whether it is the same on both sides, game by game."""
        return self.difference.deviation == 0 and self.difference.estimate.value == 0

    @property
    def size(self) -> float:
        """Size of the difference in standard errors, for sorting; infinite where nothing varies."""
        error = self.difference.deviation / math.sqrt(max(1, self.difference.games))
        return abs(self.difference.estimate.value) / error if error > 0 else math.inf


@record
class UnmatchedQuantities:
    """Quantities that one group has and the other lacks."""

    group: GameGroup
    other: GameGroup
    quantities: Sequence[Quantity]


@record
class Comparison:
    """All groups that have games with a result, against the first of them.

    questions: number of questions that are asked at once; played: all groups, also those without a result; unmatched:
    quantities that one side lacks; tables: groups with other players than the first, whose single seats were not
    compared.
    """

    groups: Sequence[GameGroup]
    compared: Sequence[QuantityComparison]
    played: Sequence[GameGroup] = ()
    unmatched: Sequence[UnmatchedQuantities] = ()
    tables: Sequence[GameGroup] = ()

    @property
    def questions(self) -> int:
        """Number of questions that are asked at once."""
        return len(self.compared)

    @property
    def others(self) -> Sequence[GameGroup]:
        """Groups that are compared with the first."""
        return self.groups[1:]

    def comparisons_of(self, group: GameGroup) -> list[QuantityComparison]:
        """List the comparisons of one group with the first."""
        return [each for each in self.compared if each.after is group]


def compare(groups: Sequence[GameGroup]) -> Comparison:
    """Compare every quantity that the first group shares with another, as far as both have games with a result; single
    seats only where the same players sit. Groups without a result are in `played` alone. groups: one or more."""
    played = groups
    groups = [group for group in groups if len(group.setting.games)]
    if len(groups) < 2:
        return Comparison(groups, [], played)
    first = groups[0]
    known = {quantity.key: quantity for quantity in quantities(first.setting)}
    comparisons: list[QuantityComparison] = []
    unmatched: list[UnmatchedQuantities] = []
    for group in groups[1:]:
        others = {quantity.key: quantity for quantity in quantities(group.setting)}
        unmatched += _unmatched(first, group, known, others)
        shared: list[tuple[Quantity, tuple[Estimate, Estimate]]] = []
        for key, quantity in known.items():
            # At other tables a single seat is another player's.
            if key not in others or (key.startswith(SEAT) and not _same_table(first, group)):
                continue
            figures = quantity.estimate(first), quantity.estimate(group)
            if all(each.count for each in figures):
                shared.append((quantity, figures))
        estimated = differences([quantity for quantity, _ in shared], first, group)
        for (quantity, figures), difference in zip(shared, estimated, strict=True):
            comparisons.append(QuantityComparison(quantity, first, group, figures, difference))
    chances = statistics.holm([each.difference.p for each in comparisons])
    tables = [group for group in groups[1:] if not _same_table(first, group)]
    adjusted = [replace(c, chance=p) for c, p in zip(comparisons, chances, strict=True)]
    return Comparison(groups, adjusted, played, unmatched, tables)


def _same_table(first: GameGroup, other: GameGroup) -> bool:
    """Return whether the same players sit at the seats of both."""
    return first.plan.seats == other.plan.seats


def _unmatched(
    first: GameGroup, group: GameGroup, known: dict[str, Quantity], others: dict[str, Quantity]
) -> Iterator[UnmatchedQuantities]:
    """Yield the quantities that only one of two groups has, but for those of single seats."""
    for group_with, group_without, has, lacks in ((first, group, known, others), (group, first, others, known)):
        unmatched = [quantity for key, quantity in has.items() if key not in lacks and not key.startswith(SEAT)]
        if unmatched:
            yield UnmatchedQuantities(group_with, group_without, unmatched)
