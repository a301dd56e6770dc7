"""Estimates and intervals: against figures of the literature, and against chance itself with a fixed seed."""

import math

import numpy as np
import pytest

from rulewright.simulation import statistics
from rulewright.simulation.statistics import Estimate

TRIES = 2000


def near_promised(hits: int) -> bool:
    """Whether 95 % of TRIES, give or take four standard errors."""
    return abs(hits / TRIES - 0.95) < 4 * math.sqrt(0.95 * 0.05 / TRIES)


def holds(estimate: Estimate, truth: float) -> bool:
    return estimate.low <= truth <= estimate.high


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706205), (2, 4.302653), (5, 2.570582), (9, 2.262157), (30, 2.042272), (120, 1.979930), (1e9, 1.959964)],
)
def test_students_quantiles_are_those_of_the_tables(freedom: float, quantile: float) -> None:
    assert statistics.student(freedom) == pytest.approx(quantile, abs=2e-5)


# Newcombe 1998, 'Two-sided confidence intervals for the single proportion', table I, method 3.
@pytest.mark.parametrize(
    ("hits", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_is_that_of_the_literature(hits: int, games: int, low: float, high: float) -> None:
    values = np.array([1.0] * hits + [0.0] * (games - hits))
    found = statistics.share(values)
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


# Newcombe 1998, 'Interval estimation for the difference between independent proportions', table II, method 10.
@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 10), 0.6075, 1.0)],
)
def test_difference_of_shares_is_that_of_the_literature(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    more, less = (np.array([1.0] * hits + [0.0] * (games - hits)) for hits, games in (first, second))
    found = statistics.unpaired(less, more, shares=True).estimate
    assert [found.low, found.high] == pytest.approx([low, high], abs=5e-5)


def test_holm_multiplies_by_what_is_left() -> None:
    assert statistics.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert statistics.holm([]) == []
    assert statistics.holm([0.9, 0.8]) == [1.0, 1.0]


def test_means_of_few_games_hold_the_truth_as_often_as_promised() -> None:
    random = np.random.default_rng(1)
    assert near_promised(sum(holds(statistics.mean(random.normal(3, 2, 6)), 3) for _ in range(TRIES)))


def test_shares_with_shared_wins_hold_the_truth_as_often_as_promised() -> None:
    random = np.random.default_rng(2)
    wins = random.choice([0, 1 / 2, 1], p=[0.6, 0.2, 0.2], size=(TRIES, 400))
    found = [statistics.share(games) for games in wins]
    assert near_promised(sum(holds(estimate, 0.3) for estimate in found))
    whole = [statistics.wilson(estimate.value, 400) for estimate in found]
    narrower = sum(estimate.high - estimate.low for estimate in found) / sum(high - low for low, high in whole)
    assert narrower == pytest.approx(math.sqrt(0.16 / 0.21), rel=0.02), "a shared win varies less than a whole one"


def test_ratios_of_clusters_hold_the_truth_as_often_as_promised() -> None:
    random = np.random.default_rng(3)
    hits = 0
    for _ in range(TRIES):
        seats = random.integers(0, 4, 60).astype(float)
        luck = random.normal(0, 0.2, 60)  # the same for all seats of a game
        hits += holds(statistics.ratio(seats * (0.5 + luck), seats), 0.5)
    assert abs(hits / TRIES - 0.95) < 0.025, "linearised with 60 clusters it is near, not exact"


def test_differences_hold_the_truth_as_often_as_promised() -> None:
    random = np.random.default_rng(4)
    pairs = unpaired = 0
    for _ in range(TRIES):
        common = random.normal(0, 3, 40)
        before, after = common + random.normal(0, 1, 40), common + random.normal(1, 1, 40)
        pairs += holds(statistics.paired(before, after).estimate, 1)
        unpaired += holds(statistics.unpaired(random.normal(0, 1, 8), random.normal(1, 3, 20)).estimate, 1)
    assert near_promised(pairs)
    assert near_promised(unpaired)


def test_equal_sides_are_called_different_once_in_twenty_times() -> None:
    random = np.random.default_rng(5)
    found = sum(statistics.paired(*random.normal(0, 1, (2, 12))).p < 0.05 for _ in range(TRIES))
    assert near_promised(TRIES - found)


def test_paired_is_narrower_than_unpaired_where_games_are_alike() -> None:
    random = np.random.default_rng(6)
    common = random.normal(0, 3, 500)
    before, after = common + random.normal(0, 1, 500), common + random.normal(0.2, 1, 500)
    pairs, apart = statistics.paired(before, after), statistics.unpaired(before, after)
    width, wide = (each.estimate.high - each.estimate.low for each in (pairs, apart))
    assert pairs.estimate.value == pytest.approx(apart.estimate.value)
    assert pairs.worth == pytest.approx((wide / width) ** 2, rel=0.01)
    assert pairs.worth == pytest.approx(10, rel=0.2)
    wins = (before > 0).astype(float), (after > 0).astype(float)
    narrow, broad = (each(*wins, shares=True).estimate for each in (statistics.paired, statistics.unpaired))
    assert narrow.high - narrow.low < 0.7 * (broad.high - broad.low)


def test_planned_games_find_the_difference_as_often_as_promised() -> None:
    random = np.random.default_rng(7)
    games = int(statistics.paired(np.zeros(100_000), random.normal(0, 2, 100_000)).games_for(0.5))
    assert games == pytest.approx((1.96 + 0.84) ** 2 * 4 / 0.25, rel=0.03)
    found = [statistics.paired(np.zeros(games), random.normal(0.5, 2, games)) for _ in range(TRIES)]
    assert sum(each.p < 0.05 for each in found) / TRIES == pytest.approx(statistics.POWER, abs=0.035)
    assert found[0].detectable == pytest.approx(0.5, rel=0.2)


def test_what_never_happened_is_not_called_impossible() -> None:
    never = np.zeros(100)
    found = statistics.paired(never, never, shares=True)
    assert found.estimate.low < -0.02 and found.estimate.high > 0.02
    assert found.p == 1
    assert statistics.share(never).high > 0.02


def test_pairs_of_which_one_side_never_varies_tell_no_more_than_strangers() -> None:
    never, often = np.zeros(40), np.array([0.0, 1.0] * 20)
    for before, after in ((never, often), (often, never)):
        found, apart = (each(before, after, shares=True).estimate for each in (statistics.paired, statistics.unpaired))
        assert (found.value, found.low, found.high) == pytest.approx((apart.value, apart.low, apart.high))
    assert statistics.mean(np.array([3.0, 5.0])).low == pytest.approx(4 - 12.706205, abs=1e-4)


def test_hardly_anything_tells_hardly_anything() -> None:
    assert not statistics.mean(np.array([3.0])).known
    assert not statistics.mean(np.array([])).known
    assert not statistics.ratio(np.array([1.0]), np.array([2.0])).known
    assert not statistics.paired(np.array([1.0]), np.array([2.0])).estimate.known
    assert statistics.quantiles(np.array([1.0, 2, 3, 10]), (0.5, 0.95)) == [2, 10]
