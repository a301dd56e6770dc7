"""Counts of choices, and how the seats that made them fared: association, not cause.

The tables count choices by chunks of games. If there are enough chunks, these are the clusters of all intervals, and
nothing is assumed about what happens inside; if there are few, games of one seat count as independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rulewright.base.records import record
from rulewright.simulation import statistics
from rulewright.simulation.results import COUNTS, ChoiceRow, SettingResults
from rulewright.simulation.statistics import NOTHING, Estimate

ENOUGH_CHUNKS = 8
"""Number of chunks from which on these are the clusters."""
MAX_ANSWERS = 12
"""Limit of answers of a decision; if there are more by two or over, the rarest are combined in one row."""


@record
class AnswerCount:
    """One answer of a decision, or the rest of them together.

    share_chosen: of the times that it was offered; wins_difference, points_difference: of the share of wins, and of
    the total, between games in which a seat chose it and those in which it could have and never did; others: number of
    answers that are combined here, 0 for one alone.
    """

    name: str
    times_offered: int
    times_chosen: int
    share_chosen: Estimate
    wins_difference: Estimate
    points_difference: Estimate
    others: int = 0


@record
class DecisionCount:
    """One decision as one kind of player answered it. offered: times that its most offered answer was; answers: most
    offered first."""

    player: str
    step: str
    decision: str
    offered: int
    answers: Sequence[AnswerCount]


def count_decisions(settings: Sequence[SettingResults]) -> list[list[DecisionCount | None]]:
    """Return the decisions that leave a choice, most frequent first: each for every setting, None where it was never
    made. All settings have the answers in the same order, each without those that it never offered; the rarest beyond
    MAX_ANSWERS are combined."""
    together: dict[tuple[str, str, str], dict[str, dict[int, ChoiceRow]]] = {}
    for number, setting in enumerate(settings):
        for choice in setting.choices:
            decision = together.setdefault((choice.player, choice.step, choice.decision), {})
            decision.setdefault(choice.choice, {})[number] = choice
    decisions = []
    for key, by_name in together.items():
        everything = [choice for answers in by_name.values() for choice in answers.values()]
        if all(choice.total("offered") == choice.total("chosen") for choice in everything):
            continue
        by_frequency = sorted(
            by_name, key=lambda name: -sum(choice.total("offered") for choice in by_name[name].values())
        )
        names_shown = by_frequency if len(by_frequency) <= MAX_ANSWERS + 1 else by_frequency[:MAX_ANSWERS]
        decisions.append([_decision_count(key, number, by_name, names_shown) for number in range(len(settings))])
    return sorted(decisions, key=lambda each: -max(one.offered for one in each if one is not None))


def _decision_count(
    key: tuple[str, str, str], number: int, by_name: dict[str, dict[int, ChoiceRow]], names_shown: Sequence[str]
) -> DecisionCount | None:
    """Return one decision in one setting, or None where it was never made."""
    of_setting = {name: choices[number] for name, choices in by_name.items() if number in choices}
    if not of_setting:
        return None
    answers = [_count_answer(name, of_setting[name]) for name in names_shown if name in of_setting]
    rest = [choice for name, choice in of_setting.items() if name not in names_shown]
    if rest:
        answers.append(_combine_rest(rest, len(by_name) - len(names_shown)))
    return DecisionCount(*key, int(max(choice.total("offered") for choice in of_setting.values())), answers)


def _count_answer(name: str, choice: ChoiceRow) -> AnswerCount:
    """Return the counts of one answer, with estimates over its chunks."""
    count = {column: choice.total(column) for column in COUNTS}
    return AnswerCount(
        name,
        int(count["offered"]),
        int(count["chosen"]),
        _share_chosen(choice),
        _wins_difference(choice),
        _points_difference(choice),
    )


def _combine_rest(rest: Sequence[ChoiceRow], count: int) -> AnswerCount:
    """Combine many seldom offered answers in one row, without their results: a game may hold several of them."""
    whole = ChoiceRow("", "", "", "", np.sum([choice.counts for choice in rest], axis=0))
    name = f"{count} others together"
    offered_counts, chosen_counts = int(whole.total("offered")), int(whole.total("chosen"))
    return AnswerCount(name, offered_counts, chosen_counts, _share_chosen(whole), NOTHING, NOTHING, count)


def _share_chosen(choice: ChoiceRow) -> Estimate:
    """Return the share of times offered that an answer was chosen; NOTHING if it was never offered."""
    offered_counts, chosen_counts = choice.per_chunk("offered"), choice.per_chunk("chosen")
    if len(offered_counts) >= ENOUGH_CHUNKS and chosen_counts.sum() not in (0, offered_counts.sum()):
        estimate = statistics.ratio(chosen_counts, offered_counts)
        return Estimate(estimate.value, max(0.0, estimate.low), min(1.0, estimate.high), int(offered_counts.sum()))
    games = min(choice.total("games_offered"), choice.total("offered"))
    if not games:
        return NOTHING
    part = float(chosen_counts.sum() / offered_counts.sum())
    return Estimate(part, *statistics.wilson(part, games), int(offered_counts.sum()))


def _wins_difference(choice: ChoiceRow) -> Estimate:
    """Return the share of wins in games with this choice, less that in games that offered it in vain; NOTHING with
    fewer than two games on a side."""
    games, won = choice.per_chunk("games_chosen"), choice.per_chunk("won_chosen")
    others, others_won = choice.per_chunk("games_offered") - games, choice.per_chunk("won_offered") - won
    if min(games.sum(), others.sum()) < 2:
        return NOTHING
    if len(games) >= ENOUGH_CHUNKS:
        return statistics.ratio_difference(won, games, others_won, others)
    with_choice, without = (
        Estimate(part, *statistics.wilson(part, float(count)), int(count))
        for part, count in (
            (min(1.0, max(0.0, float(w.sum() / g.sum()))), g.sum()) for w, g in ((won, games), (others_won, others))
        )
    )
    difference = with_choice.value - without.value
    low = difference - math.hypot(with_choice.value - with_choice.low, without.high - without.value)
    high = difference + math.hypot(with_choice.high - with_choice.value, without.value - without.low)
    return Estimate(difference, low, high, int(games.sum()))


def _points_difference(choice: ChoiceRow) -> Estimate:
    """Return the difference of totals between seats' games with this choice and those that offered it in vain; NOTHING
    with fewer than two games on a side."""
    games, points = choice.per_chunk("games_chosen"), choice.per_chunk("points_chosen")
    others, others_points = choice.per_chunk("games_offered") - games, choice.per_chunk("points_offered") - points
    if min(games.sum(), others.sum()) < 2:
        return NOTHING
    if len(games) >= ENOUGH_CHUNKS:
        return statistics.ratio_difference(points, games, others_points, others)
    squares = choice.total("squares_chosen"), choice.total("squares_offered") - choice.total("squares_chosen")
    counts, sums = (games.sum(), others.sum()), (points.sum(), others_points.sum())
    means = [total / count for total, count in zip(sums, counts, strict=True)]
    spread = [
        max(0.0, square - count * middle * middle) / (count - 1) / count
        for square, count, middle in zip(squares, counts, means, strict=True)
    ]
    width = statistics.student(float(min(counts)) - 1) * math.sqrt(sum(spread))
    difference = float(means[0] - means[1])
    return Estimate(difference, difference - width, difference + width, int(games.sum()))
