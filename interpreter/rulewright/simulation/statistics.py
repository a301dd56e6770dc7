"""Estimates with honest intervals: means, shares, ratios, paired and unpaired differences.

The unit is always the game: seats of one game decide about each other's points, so that they are never counted as if
they were independent. spec/SIMULATION.md says which formula stands where, and why.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from rulewright.simulation.sample import Gathering, OfGames, Sample, Sums

Numbers = NDArray[np.float64]
"""One number for each game."""
CONFIDENCE = 0.95
"""Probability with which an interval contains the true value."""
CHANCE = 1 - CONFIDENCE
"""Probability below which a result counts as more than chance."""
POWER = 0.8
"""Share of tries in which an existing difference is found, for planning a number of games."""

_NORMAL = NormalDist()
"""Normal distribution with mean 0 and deviation 1."""
_LARGE = 1000
"""Number of games or degrees of freedom from which on a normal distribution is near enough."""
_STEPS = 4_000
"""Steps of a table of Student's distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Figure and the interval of its true value, at CONFIDENCE. count: number of games."""

    value: float
    low: float
    high: float
    count: int

    @property
    def known(self) -> bool:
        """Whether the estimate is finite."""
        return all(map(math.isfinite, (self.value, self.low, self.high)))


@dataclass(frozen=True, slots=True)
class EstimatedDifference:
    """Difference B - A.

    - p: how often chance alone would make a difference as large, were there none (two-sided)
    - games: pairs, or the games of the smaller side
    - deviation: of a pair, or what it would have to be for `games` unpaired games, from which numbers of games are
      planned
    - paired: whether games were paired by number
    - worth: how many times as many unpaired games would be as exact (1 where nothing was paired)
    """

    estimate: Estimate
    p: float
    games: int
    deviation: float
    paired: bool
    worth: float = 1.0

    @property
    def is_apart(self) -> bool:
        """Whether 0 lies outside the interval: a verdict never says more than the interval beside it."""
        return not self.estimate.low <= 0 <= self.estimate.high

    @property
    def detectable(self) -> float:
        """Difference that this number of games finds in POWER of all tries; infinite without games."""
        return _power_errors() * self.deviation / math.sqrt(self.games) if self.games else math.inf

    def games_for(self, difference: float) -> float:
        """Return the number of games that find such a difference in POWER of all tries; infinite for 0."""
        return math.ceil((_power_errors() * self.deviation / difference) ** 2) if difference else math.inf


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)
"""Estimate from no game."""


def mean(values: OfGames) -> Estimate:
    """Return the mean of one number per game, shape (games,), with Student's interval; NOTHING without games, an
    infinite interval for a single one."""
    count = len(values)
    if count == 0:
        return NOTHING
    middle = float(values.mean())
    if count == 1:
        return Estimate(middle, -math.inf, math.inf, 1)
    width = student(count - 1) * float(values.std(ddof=1)) / math.sqrt(count)
    return Estimate(middle, middle - width, middle + width, count)


def share(values: OfGames) -> Estimate:
    """Return the mean of one number from 0 to 1 per game, shape (games,), with Wilson's interval.

    Where a win is divided among several, the number of games is replaced by that of whole wins and losses that would
    vary as much (the effective sample size of Korn and Graubard 1998).
    """
    count = len(values)
    if count == 0:
        return NOTHING
    middle = min(1.0, max(0.0, float(values.mean())))
    low, high = wilson(middle, _whole_games(values))
    return Estimate(middle, low, high, count)


def wilson(portion: float, count: float) -> tuple[float, float]:
    """Return Wilson's score interval (1927) for a portion, from 0 to 1, of `count` independent tries, at least one."""
    z = _normal_quantile()
    shrink = 1 + z * z / count
    middle = (portion + z * z / (2 * count)) / shrink
    width = z / shrink * math.sqrt(portion * (1 - portion) / count + z * z / (4 * count * count))
    return min(portion, max(0.0, middle - width)), max(portion, min(1.0, middle + width))


def ratio(above: Numbers, below: Numbers) -> Estimate:
    """Return sum(above) / sum(below) over clusters, shape (clusters,): games, or chunks of games.

    The interval is that of the linearised ratio (Cochran 1977, section 6.4): what a cluster has above the ratio's share
    varies between clusters.
    """
    return ratio_of(_sums(above, below), 0, 1)


def ratio_difference(above: Numbers, below: Numbers, other_above: Numbers, other_below: Numbers) -> Estimate:
    """Return ratio(above, below) - ratio(other_above, other_below), both over the same clusters."""
    return ratio_difference_of(_sums(above, below, other_above, other_below), 0, 1, 2, 3)


def ratio_of(sums: Sums, above: int, below: int) -> Estimate:
    """Return the `ratio` of two of the summed numbers. above, below: their indexes. NOTHING if that below is 0; an
    infinite interval for a single cluster."""
    total = float(sums.totals[below])
    if sums.count == 0 or total == 0:
        return NOTHING
    value = float(sums.totals[above]) / total
    width = _ratio_width(sums, {above: 1 / total, below: -value / total})
    return Estimate(value, value - width, value + width, sums.count)


def ratio_difference_of(sums: Sums, above: int, below: int, other_above: int, other_below: int) -> Estimate:
    """Return the `ratio_difference` of four of the summed numbers, by their indexes. NOTHING if one of those below is
    0; an infinite interval for a single cluster."""
    total, other_total = float(sums.totals[below]), float(sums.totals[other_below])
    if total == 0 or other_total == 0:
        return NOTHING
    first, second = float(sums.totals[above]) / total, float(sums.totals[other_above]) / other_total
    weights = {above: 1 / total, below: -first / total}
    weights |= {other_above: -1 / other_total, other_below: second / other_total}
    width = _ratio_width(sums, weights)
    return Estimate(first - second, first - second - width, first - second + width, sums.count)


def _sums(*numbers: Numbers) -> Sums:
    """Return the sums of arrays, each with one number a cluster."""
    sums = Sums(len(numbers))
    sums.add(np.stack(numbers, axis=1))
    return sums


def _ratio_width(sums: Sums, weights: Mapping[int, float]) -> float:
    """Return half the width of an interval. weights: factor of each number in a cluster's deviation from its share."""
    clusters = sums.count
    if clusters < 2:
        return math.inf
    weight = np.zeros(len(sums.totals))
    weight[list(weights)] = list(weights.values())
    squares = float(weight @ sums.products @ weight)
    # What is left of much larger squares that cancel each other is no variation.
    if squares < 1e-13 * float(weight * weight @ sums.products.diagonal()):
        squares = 0.0
    return student(clusters - 1) * math.sqrt(clusters / (clusters - 1) * squares)


def paired_difference(before: Numbers, after: Numbers, shares: bool = False) -> EstimatedDifference:
    """Return the difference after - before of paired numbers, one per game, shape (games,).

    Games are paired by index. shares: whether they are numbers from 0 to 1, whose interval is then Newcombe's (1998,
    method 10): it keeps its width where hardly any game differs.
    """
    pairs = Pairs()
    pairs.add(before, after)
    return pairs.difference(shares)


def by_chance(values: OfGames, figure: float) -> float:
    """Return the probability that a share is as far from a figure by chance, if that is the true one (two-sided).

    Twice the tail of the binomial distribution, which is exact for few games as for many; where a win is divided among
    several, of as many whole games as `share` counts.
    """
    tries = math.floor(_whole_games(values) + 1e-9)
    if tries < 1 or not 0 < figure < 1:
        return 1.0
    wins = float(values.mean()) * tries
    if wins < figure * tries:
        return min(1.0, 2 * _cumulative_binomial(math.ceil(wins - 1e-9), tries, figure))
    return min(1.0, 2 * _cumulative_binomial(tries - math.floor(wins + 1e-9), tries, 1 - figure))


def _cumulative_binomial(wins: int, tries: int, figure: float) -> float:
    """Return the probability of so many wins or fewer."""
    if tries > _LARGE:
        deviations = (wins + 0.5 - figure * tries) / math.sqrt(figure * (1 - figure) * tries)
        return _NORMAL.cdf(deviations)
    return sum(math.comb(tries, won) * figure**won * (1 - figure) ** (tries - won) for won in range(wins + 1))


def _whole_games(values: OfGames) -> float:
    """Return the number of whole wins and losses that would vary as much as parts of wins do."""
    middle = min(1.0, max(0.0, float(values.mean()))) if len(values) else 0.0
    variance, spread = middle * (1 - middle), float(values.var()) if len(values) else 0.0
    # Floating-point dust on either side is no variation.
    return len(values) * variance / spread if spread > 1e-12 and variance > 1e-12 else float(len(values))


def surely_above(more: Estimate, less: Estimate, pairs: int) -> bool:
    """Return whether one figure is above another, though both were picked from so many pairs (Bonferroni 1936); False
    without intervals."""
    errors = [(each.high - each.low) / 2 / _normal_quantile() for each in (more, less)]
    error = math.hypot(*errors)
    if not math.isfinite(error) or error <= 0:
        return False
    return 2 * _NORMAL.cdf(-(more.value - less.value) / error) * pairs < CHANCE


class Pairs:
    """Pairs of numbers of many games, gathered some at a time, for the statistics of their difference."""

    def __init__(self) -> None:
        self._before, self._after, self._differences = Gathering(), Gathering(), Gathering()

    def add(self, before: Numbers, after: Numbers) -> None:
        """Add numbers of some games, paired by index."""
        self._before.add(before)
        self._after.add(after)
        self._differences.add(after - before)

    def difference(self, shares: bool = False) -> EstimatedDifference:
        """Return the difference like `paired_difference`; with fewer than two games, NOTHING at a chance of 1. shares:
        whether the numbers are parts of a whole, 0 to 1."""
        before, after, differences = self._before.sample, self._after.sample, self._differences.sample
        games = len(differences)
        if games < 2:
            return EstimatedDifference(NOTHING, 1.0, games, math.nan, True)
        deviation = differences.std(ddof=1)
        unpaired_variance = before.var(ddof=1) + after.var(ddof=1)
        estimate = mean(differences)
        if shares:
            spread = before.std() * after.std()
            joint = (before.var() + after.var() - differences.var()) / 2
            correlation = max(-1.0, min(1.0, joint / spread)) if spread > 1e-12 else 0.0
            estimate = _share_difference(share(before), share(after), correlation)
        worth = unpaired_variance / deviation**2 if deviation > 0 else 1.0
        error, one_sign = deviation / math.sqrt(games), 0.5 ** (games - 1)
        chance = _two_sided(differences.mean(), error, games - 1, one_sign)
        return EstimatedDifference(estimate, chance, games, deviation, True, worth)


def unpaired_difference(before: OfGames, after: OfGames, shares: bool = False) -> EstimatedDifference:
    """Return after - before of independent games, shapes (games,) and (other games,).

    Welch's interval (1947); for shares Newcombe's (1998). With fewer than two games on a side, NOTHING at a chance of
    1.
    """
    few, games = min(len(before), len(after)), (len(before), len(after))
    if few < 2:
        return EstimatedDifference(NOTHING, 1.0, few, math.nan, False)
    parts = float(before.var(ddof=1)) / games[0], float(after.var(ddof=1)) / games[1]
    error = math.sqrt(sum(parts))
    freedom = sum(parts) ** 2 / sum(p * p / (n - 1) for p, n in zip(parts, games, strict=True)) if error else few - 1
    difference = float(after.mean() - before.mean())
    width = student(freedom) * error
    estimate = Estimate(difference, difference - width, difference + width, few)
    if shares:
        estimate = _share_difference(share(before), share(after), 0.0)
    chance = _two_sided(difference, error, freedom, 2 / math.comb(2 * few, few) if few < _LARGE else 0.0)
    return EstimatedDifference(estimate, chance, few, error * math.sqrt(few), False)


def _share_difference(before: Estimate, after: Estimate, correlation: float) -> Estimate:
    """Return Newcombe's interval from those of the two shares."""
    difference = after.value - before.value

    def reach(up: float, down: float) -> float:
        return math.sqrt(max(0.0, up * up - 2 * correlation * up * down + down * down))

    low = difference - reach(after.value - after.low, before.high - before.value)
    high = difference + reach(after.high - after.value, before.value - before.low)
    return Estimate(difference, max(-1.0, low), min(1.0, high), min(before.count, after.count))


def holm(chances: Sequence[float]) -> list[float]:
    """Adjust p-values for asking all these questions at once (Holm 1979), in the same order.

    Among those that stay below 5 % there is in 19 of 20 cases not a single one by chance.
    """
    adjusted, worst = [1.0] * len(chances), 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        worst = max(worst, min(1.0, (len(chances) - rank) * chances[place]))
        adjusted[place] = worst
    return adjusted


def quantiles(values: OfGames, portions: Sequence[float]) -> list[float]:
    """Return the values that these portions of all games do not exceed: always values that occurred; [] without
    games."""
    if isinstance(values, Sample):
        return values.quantiles(portions) if len(values) else []
    return [float(value) for value in np.quantile(values, portions, method="inverted_cdf")] if len(values) else []


def student(freedom: float) -> float:
    """Return the quantile of Student's distribution that bounds CONFIDENCE on both sides."""
    if freedom >= _LARGE:
        return _normal_quantile()
    reached, values = _student_table(max(1.0, freedom))
    return float(np.interp((1 + CONFIDENCE) / 2, reached, values))


def _two_sided(difference: float, error: float, freedom: float, without_variation: float) -> float:
    """Return the probability of a difference as large by chance.

    without_variation: the result if the error is 0: games that all come out the same say no more than as many coins
    that fall on one side.
    """
    if error <= 0:
        return 1.0 if difference == 0 else without_variation
    far = abs(difference) / error
    if freedom >= _LARGE:
        return 2 * _NORMAL.cdf(-far)
    reached, values = _student_table(max(1.0, freedom))
    return float(2 * (1 - np.interp(far, values, reached)))


@lru_cache(maxsize=256)
def _student_table(freedom: float) -> tuple[Numbers, Numbers]:
    """Return Student's distribution, t = sqrt(freedom) * tan(angle): its value at many t, and these t."""
    angle = np.linspace(0, math.pi / 2, _STEPS + 1)[:-1]
    density = np.cos(angle) ** (freedom - 1)
    under = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    # The whole area is a beta function: half of B(freedom / 2, 1 / 2).
    whole = math.exp(math.lgamma(freedom / 2) + math.lgamma(0.5) - math.lgamma((freedom + 1) / 2)) / 2
    step = math.pi / 2 / _STEPS
    return np.minimum(1.0, 0.5 + under * step / whole / 2), math.sqrt(freedom) * np.tan(angle)


def _normal_quantile() -> float:
    """Return the number of standard errors that bounds CONFIDENCE on both sides."""
    return _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)


def _power_errors() -> float:
    """Return the number of standard errors of a difference that is found in POWER of all tries."""
    return _normal_quantile() + _NORMAL.inv_cdf(POWER)
