"""Ratings of players from who was ahead of whom: Bradley and Terry's model, with intervals by deals.

Source: Bradley and Terry 1952; the fit is Hunter's (2004, minorization and maximization), a draw being half a win for
each. Intervals are from deals drawn again (bootstrap), since comparisons of one deal are alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from matching.scores import of_deals
from rulewright.base.records import record
from rulewright.simulation.statistics import Estimate

Comparison = tuple[int, int, int, float]
"""A deal, two players by number, and how the first did: 1 ahead, 0.5 equal, 0 behind."""

SCALE = 400 / np.log(10)
"""Points of a rating by which odds grow by e: 400 points are odds of ten to one, as Elo has them."""
PRIOR = 0.5
"""Draws that any two players are taken to have had besides, so that who has lost everything has a rating too."""
ROUNDS, EXACT = 10_000, 1e-6
"""Rounds of a fit at most, and the change of a rating that ends it."""
DRAWN_AGAIN = 200
"""Samples of the deals for intervals."""


@record
class Rating:
    """Rating of a player above the first player's, with its interval."""

    value: float
    low: float
    high: float


def ratings(comparisons: Sequence[Comparison], players: int) -> list[Rating]:
    """Return the rating of each player; the first one's is 0."""
    by_deal: dict[int, list[Comparison]] = {}
    for comparison in comparisons:
        by_deal.setdefault(comparison[0], []).append(comparison)
    deals = np.array([won_points(each, players) for each in by_deal.values()])
    middle = fit(deals.sum(0))
    chance = np.random.default_rng(1)
    samples = [fit(deals[chance.integers(len(deals), size=len(deals))].sum(0)) for _ in range(DRAWN_AGAIN)]
    low, high = np.quantile(samples, (0.025, 0.975), axis=0)
    return [Rating(*map(float, each)) for each in zip(middle, low, high, strict=True)]


def won_points(comparisons: Sequence[Comparison], players: int) -> NDArray[np.float64]:
    """Return the points of each player (row) against each other (column)."""
    won = np.zeros((players, players))
    for _, one, other, points in comparisons:
        won[one, other] += points
        won[other, one] += 1 - points
    return won


def fit(won: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ratings that make the points most likely; the first one is 0."""
    won = won + PRIOR / 2 * (1 - np.eye(len(won)))
    games, strength = won + won.T, np.ones(len(won))
    ratings_ = np.zeros(len(won))
    for _ in range(ROUNDS):
        strength = won.sum(1) / (games / (strength[:, None] + strength)).sum(1)
        strength /= strength[0]
        before, ratings_ = ratings_, SCALE * np.log(strength)
        if np.abs(ratings_ - before).max() < EXACT:
            break
    return ratings_


def neighbours(comparisons: Sequence[Comparison], players: int) -> list[Estimate]:
    """Return the share of each player but the first against the one before it, with Wilson's interval by deals."""
    results = []
    for upper in range(1, players):
        shares = [
            (deal, points if one == upper else 1 - points)
            for deal, one, other, points in comparisons
            if {one, other} == {upper, upper - 1}
        ]
        results.append(of_deals(shares))
    return results
