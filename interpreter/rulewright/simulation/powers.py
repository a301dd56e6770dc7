"""How the seats that had a power fared, and those that used it: association, not cause. Seats count by their games."""

from __future__ import annotations

import numpy as np

from rulewright.simulation import statistics
from rulewright.simulation.results import GameColumns, Gathered, Numbers
from rulewright.simulation.sample import Sums
from rulewright.simulation.statistics import NOTHING, Estimate

_HOLDERS, _OTHERS, _USERS, _IDLE = range(0, 8, 2)
"""Places of the wins of seats; how many seats there are stands behind each."""

_ROUNDS, _NUMBERS = 8, 9


class Holders:
    """The seats of a setting that ever had a power, against the other seats that are scored."""

    def __init__(self, sums: Sums) -> None:
        self._sums = sums

    @property
    def count(self) -> float:
        """How many seats ever had it."""
        return float(self._sums.totals[_HOLDERS + 1])

    @property
    def wins(self) -> Estimate:
        """Their share of wins."""
        return statistics.ratio_of(self._sums, _HOLDERS, _HOLDERS + 1)

    @property
    def rounds(self) -> Estimate:
        """For how many rounds they had it."""
        return statistics.ratio_of(self._sums, _ROUNDS, _HOLDERS + 1)

    @property
    def against_others(self) -> Estimate:
        """By how much their share of wins is above that of seats without the power."""
        return self._apart(_HOLDERS, _OTHERS)

    @property
    def used_or_not(self) -> Estimate:
        """The same between those that used it and those that had it and did not."""
        return self._apart(_USERS, _IDLE)

    def _apart(self, these: int, those: int) -> Estimate:
        if min(self._sums.totals[these + 1], self._sums.totals[those + 1]) < 2:
            return NOTHING
        return statistics.ratios_apart_of(self._sums, these, these + 1, those, those + 1)


def gathered(power: str, used: bool) -> Gathered:
    """What `Holders` are made of. used: whether the tables tell how often the power was used."""

    def read(part: GameColumns) -> Numbers:
        won, rounds = part.scored("won"), part.scored(f"held: {power}")
        held = rounds > 0
        who = part.scored(f"used: {power}") > 0 if used else np.zeros_like(held)
        numbers = np.empty((len(won), _NUMBERS))
        for place, seats in ((_HOLDERS, held), (_OTHERS, ~held), (_USERS, who), (_IDLE, held & ~who)):
            numbers[:, place] = (won * seats).sum(axis=1)
            numbers[:, place + 1] = seats.sum(axis=1)
        numbers[:, _ROUNDS] = rounds.sum(axis=1)
        return numbers

    return read, Sums(_NUMBERS)
