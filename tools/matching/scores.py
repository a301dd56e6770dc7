"""Scores of matches, with intervals by deals: games of one deal are alike, and so they count as one observation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rulewright.base.records import record
from rulewright.simulation.statistics import Estimate, mean, share


@record
class Ending:
    """End of a game. values, points: of each seat, more values being better; limited: by the limit of answers."""

    values: list[float]
    points: list[float]
    limited: bool = False


def seatings(seats: str) -> list[str]:
    """Return the seatings of one deal: all rotations of the seats that differ, as 'AB' and 'BA' of 'AB'."""
    return list(dict.fromkeys(seats[turn:] + seats[:turn] for turn in range(len(seats))))


def points(seats: str, values: Sequence[float]) -> float:
    """Return the share of pairs of a seat of A and one of B in which A's is ahead; equal ones count half.

    values: what each seat has in the end, more being better.
    """
    pairs = [(mine, its) for mine, a in zip(values, seats) if a == "A" for its, b in zip(values, seats) if b == "B"]
    return sum(1.0 if mine > its else 0.5 if mine == its else 0.0 for mine, its in pairs) / len(pairs)


def wins(seats: str, values: Sequence[float]) -> float:
    """Return A's part of the win: who shares it has a part of it."""
    first = [seat for seat, value in zip(seats, values) if value == max(values)]
    return first.count("A") / len(first)


def above_average(seats: str, values: Sequence[float]) -> float:
    """Return what A's seats have in the mean above the mean of all seats."""
    own = [value for seat, value in zip(seats, values) if seat == "A"]
    return sum(own) / len(own) - sum(values) / len(values)


def by_deals(results: Iterable[tuple[int, float]], games: int) -> Estimate:
    """Return the mean of scores with Wilson's interval, over the deals of which all games are played.

    results: deal and score of each game; games: number of games of a deal.
    """
    return share(_of_deals(results, games))


def of_deals(results: Iterable[tuple[int, float]]) -> Estimate:
    """Return the mean of scores with Wilson's interval, over all deals, however many scores each has."""
    deals: dict[int, list[float]] = {}
    for deal, score in results:
        deals.setdefault(deal, []).append(score)
    return share(np.array([sum(each) / len(each) for each in deals.values()]))


def mean_by_deals(results: Iterable[tuple[int, float]], games: int) -> Estimate:
    """Return the mean of any numbers, as `by_deals` does, with Student's interval."""
    return mean(_of_deals(results, games))


def _of_deals(results: Iterable[tuple[int, float]], games: int) -> NDArray[np.float64]:
    """Return the mean of each deal that is complete."""
    deals: dict[int, list[float]] = {}
    for deal, score in results:
        deals.setdefault(deal, []).append(score)
    return np.array([sum(each) / games for each in deals.values() if len(each) == games], float)


def quantiles(seconds: Sequence[float]) -> tuple[float, float, float]:
    """Return median, 95th and 99th percentile: the smallest value that so many do not exceed."""
    if not seconds:
        return (math.nan,) * 3
    ordered = sorted(seconds)
    middle, high, highest = (ordered[math.ceil(part * len(ordered)) - 1] for part in (0.5, 0.95, 0.99))
    return middle, high, highest
