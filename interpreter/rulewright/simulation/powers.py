"""Results of seats that had a power, and of seats that used it: association, not cause. Seats count by their games."""

from __future__ import annotations

import numpy as np

from rulewright.simulation import statistics
from rulewright.simulation.results import GameColumns, GameReader, Numbers
from rulewright.simulation.sample import Sums
from rulewright.simulation.statistics import NOTHING, Estimate

_HOLDERS, _OTHERS, _USERS, _IDLE = range(0, 8, 2)
"""Positions of sums of wins; the number of seats stands after each."""

_ROUNDS, _NUMBERS = 8, 9
"""Position of the sum of rounds, and number of all sums."""


class Holders:
    """Seats of a setting that ever had a power, against the other seats that are scored."""

    def __init__(self, sums: Sums) -> None:
        self._sums = sums

    @property
    def count(self) -> float:
        """Number of seats that ever had the power."""
        return float(self._sums.totals[_HOLDERS + 1])

    @property
    def wins(self) -> Estimate:
        """Share of wins of these seats."""
        return statistics.ratio_of(self._sums, _HOLDERS, _HOLDERS + 1)

    @property
    def rounds(self) -> Estimate:
        """Number of rounds that a holder had the power."""
        return statistics.ratio_of(self._sums, _ROUNDS, _HOLDERS + 1)

    @property
    def against_others(self) -> Estimate:
        """Difference of the shares of wins: holders less seats without the power."""
        return self._difference(_HOLDERS, _OTHERS)

    @property
    def used_or_not(self) -> Estimate:
        """Difference of the shares of wins: holders who used the power less those who did not."""
        return self._difference(_USERS, _IDLE)

    def _difference(self, seats: int, other_seats: int) -> Estimate:
        """Return the difference of two shares of wins, by the positions of their sums."""
        if min(self._sums.totals[seats + 1], self._sums.totals[other_seats + 1]) < 2:
            return NOTHING
        return statistics.ratio_difference_of(self._sums, seats, seats + 1, other_seats, other_seats + 1)


def holder_sums(power: str, used: bool) -> GameReader:
    """Return the reader of games, and the sums, for `Holders`. used: whether the tables count uses."""

    def read(part: GameColumns) -> Numbers:
        """Return the sums of games: for each kind of seats the wins and their number, then the rounds held."""
        won, rounds = part.scored("won"), part.scored(f"held: {power}")
        has_power = rounds > 0
        used_it = part.scored(f"used: {power}") > 0 if used else np.zeros_like(has_power)
        numbers = np.empty((len(won), _NUMBERS))
        for place, seats in (
            (_HOLDERS, has_power),
            (_OTHERS, ~has_power),
            (_USERS, used_it),
            (_IDLE, has_power & ~used_it),
        ):
            numbers[:, place] = (won * seats).sum(axis=1)
            numbers[:, place + 1] = seats.sum(axis=1)
        numbers[:, _ROUNDS] = rounds.sum(axis=1)
        return numbers

    return read, Sums(_NUMBERS)
