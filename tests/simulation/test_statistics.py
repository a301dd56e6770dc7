"""Estimates and intervals: against figures of the literature, and against chance itself with a fixed seed."""

import math

import numpy as np
import pytest

from rulewright.simulation import statistics
from rulewright.simulation.statistics import Estimate

TRIES = 2000
T1, T2, T3, T4 = 12.706205, 4.302653, 3.182446, 2.776445  # Student's quantiles, of that many degrees of freedom


def near_promised(hits: int) -> bool:
    """Return whether a share is 95 %, give or take four standard errors of TRIES."""
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
    result = statistics.share(values)
    assert [result.low, result.high] == pytest.approx([low, high], abs=5e-5)


# Newcombe 1998, 'Interval estimation for the difference between independent proportions', table II, method 10.
@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((10, 10), (0, 10), 0.6075, 1.0)],
)
def test_difference_of_shares_is_that_of_the_literature(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    more, less = (np.array([1.0] * hits + [0.0] * (games - hits)) for hits, games in (first, second))
    result = statistics.unpaired_difference(less, more, shares=True).estimate
    assert [result.low, result.high] == pytest.approx([low, high], abs=5e-5)


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
    results = [statistics.share(games) for games in wins]
    assert near_promised(sum(holds(estimate, 0.3) for estimate in results))
    whole = [statistics.wilson(estimate.value, 400) for estimate in results]
    narrower = sum(estimate.high - estimate.low for estimate in results) / sum(high - low for low, high in whole)
    assert narrower == pytest.approx(math.sqrt(0.16 / 0.21), rel=0.02), "a shared win varies less than a whole one"


def test_ratios_of_clusters_hold_the_truth_as_often_as_promised() -> None:
    random = np.random.default_rng(3)
    hits = 0
    for _ in range(TRIES):
        seats = random.integers(0, 4, 60).astype(float)
        rng = random.normal(0, 0.2, 60)  # the same for all seats of a game
        hits += holds(statistics.ratio(seats * (0.5 + rng), seats), 0.5)
    assert abs(hits / TRIES - 0.95) < 0.025, "linearised with 60 clusters it is near, not exact"


@pytest.mark.rotating(4)
def test_differences_hold_the_truth_as_often_as_promised() -> None:
    random = np.random.default_rng(4)
    pairs = unpaired = 0
    for _ in range(TRIES):
        common = random.normal(0, 3, 40)
        before, after = common + random.normal(0, 1, 40), common + random.normal(1, 1, 40)
        pairs += holds(statistics.paired_difference(before, after).estimate, 1)
        unpaired += holds(statistics.unpaired_difference(random.normal(0, 1, 8), random.normal(1, 3, 20)).estimate, 1)
    assert near_promised(pairs)
    assert near_promised(unpaired)


@pytest.mark.rotating(2)
def test_equal_sides_are_called_different_once_in_twenty_times() -> None:
    random = np.random.default_rng(5)
    result = sum(statistics.paired_difference(*random.normal(0, 1, (2, 12))).p < 0.05 for _ in range(TRIES))
    assert near_promised(TRIES - result)


def test_paired_is_narrower_than_unpaired_where_games_are_alike() -> None:
    random = np.random.default_rng(6)
    common = random.normal(0, 3, 500)
    before, after = common + random.normal(0, 1, 500), common + random.normal(0.2, 1, 500)
    pairs, difference = statistics.paired_difference(before, after), statistics.unpaired_difference(before, after)
    width, wide = (each.estimate.high - each.estimate.low for each in (pairs, difference))
    assert pairs.estimate.value == pytest.approx(difference.estimate.value)
    assert pairs.worth == pytest.approx((wide / width) ** 2, rel=0.01)
    assert pairs.worth == pytest.approx(10, rel=0.2)
    wins = (before > 0).astype(float), (after > 0).astype(float)
    narrow, broad = (
        each(*wins, shares=True).estimate for each in (statistics.paired_difference, statistics.unpaired_difference)
    )
    assert narrow.high - narrow.low < 0.7 * (broad.high - broad.low)


@pytest.mark.rotating(2)
def test_planned_games_find_the_difference_as_often_as_promised() -> None:
    random = np.random.default_rng(7)
    games = int(statistics.paired_difference(np.zeros(100_000), random.normal(0, 2, 100_000)).games_for(0.5))
    assert games == pytest.approx((1.96 + 0.84) ** 2 * 4 / 0.25, rel=0.03)
    results = [statistics.paired_difference(np.zeros(games), random.normal(0.5, 2, games)) for _ in range(TRIES)]
    assert sum(each.p < 0.05 for each in results) / TRIES == pytest.approx(statistics.POWER, abs=0.035)
    assert results[0].detectable == pytest.approx(0.5, rel=0.2)


def test_an_event_that_never_happened_has_an_interval_above_zero() -> None:
    never = np.zeros(100)
    result = statistics.paired_difference(never, never, shares=True)
    assert result.estimate.low < -0.02 and result.estimate.high > 0.02
    assert result.p == 1
    assert statistics.share(never).high > 0.02


def test_pairs_with_a_constant_side_equal_unpaired_samples() -> None:
    never, often = np.zeros(40), np.array([0.0, 1.0] * 20)
    for before, after in ((never, often), (often, never)):
        result, difference = (
            each(before, after, shares=True).estimate
            for each in (statistics.paired_difference, statistics.unpaired_difference)
        )
        assert (result.value, result.low, result.high) == pytest.approx(
            (difference.value, difference.low, difference.high)
        )


# ── by hand ──


def numbers(*values: float) -> statistics.Numbers:
    return np.array(values, float)


def as_list(estimate: Estimate) -> list[float]:
    return [estimate.value, estimate.low, estimate.high, estimate.count]


def around(middle: float, width: float, count: int) -> object:
    return pytest.approx([middle, middle - width, middle + width, count], abs=5e-5)


def test_means_by_hand() -> None:
    assert as_list(statistics.mean(numbers(1, 2, 3, 4, 5))) == around(3, T4 * math.sqrt(2.5 / 5), 5)
    assert as_list(statistics.mean(numbers(3, 5))) == around(4, T1, 2)
    assert as_list(statistics.mean(numbers(3))) == [3, -math.inf, math.inf, 1]
    assert statistics.mean(numbers(3, 5)).known


def test_ratios_by_hand() -> None:
    """Sums 9 and 9; what the clusters have above their share, -1, 0 and 1, is by its squares 2 / 81 of the whole."""
    above, below = numbers(1, 3, 5), numbers(2, 3, 4)
    result = statistics.ratio(above, below)
    assert as_list(result) == around(1, T2 * math.sqrt(3 / 2 * 2 / 81), 3) and result.known
    assert as_list(statistics.ratio(numbers(2, 4), numbers(4, 4))) == around(0.75, T1 * math.sqrt(2 * 2 / 64), 2)


def test_ratios_apart_by_hand() -> None:
    above, below = numbers(1, 3, 5), numbers(2, 3, 4)
    steady = statistics.ratio_difference(above, below, numbers(1, 2, 1), numbers(4, 8, 4))
    assert as_list(steady) == around(0.75, T2 * math.sqrt(1 / 27), 3), "what never varies makes nothing wider"
    same = statistics.ratio_difference(above, below, 3 * above, 3 * below)
    assert as_list(same) == around(0, 0, 3), "what goes up and down together is exactly as far apart"
    # Of the second, one quarter, the clusters have 1, 0 and -1 above their share, of 8: -1/9 - 1/8, 0 and 1/9 + 1/8.
    against = statistics.ratio_difference(above, below, numbers(2, 0, 0), numbers(4, 0, 4))
    assert as_list(against) == around(0.75, T2 * math.sqrt(3 / 2 * 2) * (1 / 9 + 1 / 8), 3)


def test_pairs_by_hand() -> None:
    """Two pairs, apart by 1 and 3: a mean of 2, its error 1; of Cauchy's distribution, 2 or more is so likely."""
    result = statistics.paired_difference(numbers(5, 1), numbers(6, 4))
    assert as_list(result.estimate) == around(2, T1, 2)
    assert result.p == pytest.approx(1 - 2 / math.pi * math.atan(2), abs=1e-5)
    assert (result.games, result.paired) == (2, True) and result.deviation == pytest.approx(math.sqrt(2))
    assert result.worth == pytest.approx((8 + 2) / 2), "the variances of both sides, by that of what is between them"


def test_strangers_by_hand() -> None:
    """Variances 2 and 6 of 2 and 3 games: those of the means are 1 and 2, with 9 / (1 / 1 + 4 / 2) = 3 degrees."""
    before, after = numbers(0, 2), numbers(4 - math.sqrt(6), 4, 4 + math.sqrt(6))
    result = statistics.unpaired_difference(before, after)
    assert as_list(result.estimate) == around(3, T3 * math.sqrt(3), 2)
    assert result.p == pytest.approx(1 - 2 / math.pi * (1 / 2 + math.atan(1)), abs=1e-5), "t is the root of 3"
    assert (result.games, result.paired) == (2, False) and result.deviation == pytest.approx(math.sqrt(3 * 2))
    assert result.worth == 1, "nothing was paired"
    # Sides that vary alike, three games each: 4 degrees, and t is 2.
    error = math.sqrt(2 / 3)
    same = statistics.unpaired_difference(numbers(-1, 0, 1), numbers(-1, 0, 1) + 2 * error)
    assert as_list(same.estimate) == around(2 * error, T4 * error, 3)
    assert same.p == pytest.approx(1 - 3 / 4 * math.sqrt(2) * (1 - 1 / 6), abs=1e-5)


def test_many_games_go_by_the_normal_distribution() -> None:
    games = 1600
    difference = numbers(*[-1, 1] * (games // 2)) * math.sqrt((games - 1) / games)  # its deviation is 1
    for far, chance in ((1.959964, 0.05), (2.575829, 0.01), (0, 1)):
        result = statistics.paired_difference(np.zeros(games), difference + far / math.sqrt(games))
        assert result.p == pytest.approx(chance, abs=1e-6)
        assert as_list(result.estimate) == around(far / 40, 1.959964 / 40, games)


@pytest.mark.parametrize("games", [2, 3, 8, 100, 999, 1100])
def test_chances_stay_between_none_and_certainty(games: int) -> None:
    wave = np.array([0.0, 1.0] * games)[:games]
    for far in (0, 1e-9, 1, 1e9):
        assert 0 <= statistics.paired_difference(np.zeros(games), wave - wave.mean() + far).p <= 1
    always = statistics.paired_difference(np.zeros(games), np.ones(games))
    assert always.p == pytest.approx(0.5 ** (games - 1)), "so many coins fall alike"
    assert always.worth == 1, "it is so in every game, paired or not"


def test_planned_games_by_hand() -> None:
    """A deviation of 1: 1.959964 + 0.841621 standard errors are found in four of five tries."""
    result = statistics.paired_difference(np.zeros(3), numbers(-1, 0, 1))
    assert result.games_for(0.5) == 32, "31.4, and no game is played in part"
    assert result.detectable == pytest.approx(2.801585 / math.sqrt(3), abs=1e-5)
    assert result.games_for(0) == math.inf


def test_differences_of_shares_rest_on_the_smaller_side() -> None:
    some, more = np.array([1.0] * 3 + [0.0] * 7), np.array([1.0] * 48 + [0.0] * 32)
    for before, after in ((some, more), (more, some)):
        assert statistics.unpaired_difference(before, after, shares=True).estimate.count == 10


def test_differences_of_shares_stay_within_one() -> None:
    all_won, none = np.ones(2), np.zeros(2)
    up, down = (
        statistics.unpaired_difference(*each, shares=True).estimate for each in ((none, all_won), (all_won, none))
    )
    assert (up.value, up.high, down.value, down.low) == (1, 1, -1, -1)
    share_lost = 1.959964**2 / (2 + 1.959964**2)  # at most, of two games that were won
    assert up.low == pytest.approx(-down.high) == pytest.approx(1 - math.sqrt(2) * share_lost)


def test_tiny_samples_give_wide_intervals() -> None:
    none, one, two = numbers(), numbers(1), numbers(1, 2)
    unknown = [
        statistics.mean(none),
        statistics.mean(one),
        statistics.share(none),
        statistics.ratio(none, none),
        statistics.ratio(one, two[1:]),
        statistics.ratio(one, numbers(0)),
        statistics.ratio_difference(two, two, two, numbers(0, 0)),
        statistics.ratio_difference(two, numbers(0, 0), two, two),
        statistics.paired_difference(one, two[1:]).estimate,
        statistics.unpaired_difference(one, two).estimate,
        statistics.unpaired_difference(two, one).estimate,
    ]
    assert not any(estimate.known for estimate in unknown)
    assert [estimate.count for estimate in unknown] == [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    for result, pairs in (
        (statistics.paired_difference(one, one), True),
        (statistics.unpaired_difference(one, two), False),
    ):
        assert (result.p, result.games, result.paired) == (1, 1, pairs)
    assert statistics.paired_difference(none, none).detectable == math.inf
    assert statistics.quantiles(numbers(1, 2, 3, 10), (0.5, 0.95)) == [2, 10]
    assert statistics.quantiles(none, (0.5,)) == []


# ── few games ──


@pytest.mark.parametrize(
    "wins, games, figure, chance",
    [(0, 5, 0.25, 2 * 0.75**5), (5, 5, 0.25, 2 * 0.25**5), (0, 2, 0.25, 1.0), (1, 1, 0.5, 1.0), (3, 3, 0.5, 0.25)],
)
def test_a_share_of_few_games_is_as_likely_as_coins_have_it(
    wins: int, games: int, figure: float, chance: float
) -> None:
    values = np.array([1.0] * wins + [0.0] * (games - wins))
    assert statistics.by_chance(values, figure) == pytest.approx(chance)


@pytest.mark.rotating(10)
@pytest.mark.parametrize("figure", [1 / 6, 0.25, 0.5])
def test_no_share_is_called_unfair_where_its_interval_has_the_fair_one(figure: float) -> None:
    """The two can differ only by the gap between their kinds of interval."""
    for games in range(1, 200):
        for wins in range(games + 1):
            values = np.array([1.0] * wins + [0.0] * (games - wins))
            if statistics.by_chance(values, figure) < statistics.CHANCE:
                result = statistics.share(values)
                assert not result.low + 0.004 < figure < result.high - 0.004


def test_chances_of_many_games_go_on_where_those_of_few_end() -> None:
    for games in (1000, 1001):
        values = np.array([1.0] * 280 + [0.0] * (games - 280))
        assert statistics.by_chance(values, 0.25) == pytest.approx(0.031, abs=0.003)


def test_few_equal_games_show_no_difference() -> None:
    """Two games with one point more each are two coins that fall alike; ten are as good as certain."""
    for games, sure in ((2, False), (5, False), (10, True)):
        before, after = np.zeros(games), np.ones(games)
        assert statistics.paired_difference(before, after).p == pytest.approx(0.5 ** (games - 1))
        assert (statistics.paired_difference(before, after).p < statistics.CHANCE / 10) is sure
    assert statistics.unpaired_difference(np.zeros(2), np.ones(2)).p == pytest.approx(1 / 3)
    assert statistics.unpaired_difference(np.zeros(8), np.ones(8)).p < 0.001


def test_the_best_and_the_last_of_many_need_to_be_far_apart() -> None:
    more, less = Estimate(0.40, 0.36, 0.44, 100), Estimate(0.30, 0.26, 0.34, 100)
    assert statistics.surely_above(more, less, 1) and not statistics.surely_above(more, less, 190)
    assert not statistics.surely_above(Estimate(1.0, -math.inf, math.inf, 1), less, 1)
