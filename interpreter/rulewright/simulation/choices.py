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
MOST = 12


@record
class AnswerCount:
    """One answer of a decision, or the rest of them together.

    taken: share of the times that it was offered; wins, points: difference of the share of wins, and of the total,
    between games in which a seat chose it and those in which it could have and never did; others: number of answers
    that are combined here, 0 for one alone.
    """

    name: str
    offered: int
    chosen: int
    taken: Estimate
    wins: Estimate
    points: Estimate
    others: int = 0


@record
class DecisionCount:
    """One decision as one kind of player answered it. answers: most offered first."""

    player: str
    step: str
    decision: str
    offered: int
    answers: Sequence[AnswerCount]


def asked(settings: Sequence[SettingResults]) -> list[list[DecisionCount | None]]:
    """Return the decisions that leave a choice, most frequent first: each for every setting, with the same answers in
    the same order."""
    together: dict[tuple[str, str, str], dict[str, dict[int, ChoiceRow]]] = {}
    for number, setting in enumerate(settings):
        for choice in setting.choices:
            decision = together.setdefault((choice.player, choice.step, choice.decision), {})
            decision.setdefault(choice.choice, {})[number] = choice
    found = []
    for key, by_name in together.items():
        everything = [choice for answers in by_name.values() for choice in answers.values()]
        if all(choice.total("offered") == choice.total("chosen") for choice in everything):
            continue
        names = sorted(by_name, key=lambda name: -sum(choice.total("offered") for choice in by_name[name].values()))
        shown = names if len(names) <= MOST + 1 else names[:MOST]
        found.append([_asked(key, number, by_name, shown) for number in range(len(settings))])
    return sorted(found, key=lambda each: -max(one.offered for one in each if one is not None))


def _asked(
    key: tuple[str, str, str], number: int, by_name: dict[str, dict[int, ChoiceRow]], shown: Sequence[str]
) -> DecisionCount | None:
    """Return one decision in one setting, or None where it was never made."""
    here = {name: choices[number] for name, choices in by_name.items() if number in choices}
    if not here:
        return None
    answers = [_answer(name, here[name]) for name in shown if name in here]
    rest = [choice for name, choice in here.items() if name not in shown]
    if rest:
        answers.append(_rest(rest, len(by_name) - len(shown)))
    return DecisionCount(*key, int(max(choice.total("offered") for choice in here.values())), answers)


def _answer(name: str, choice: ChoiceRow) -> AnswerCount:
    count = {what: choice.total(what) for what in COUNTS}
    return AnswerCount(
        name, int(count["offered"]), int(count["chosen"]), _taken(choice), _wins(choice), _points(choice)
    )


def _rest(rest: Sequence[ChoiceRow], count: int) -> AnswerCount:
    """Combine many seldom offered answers in one row. A game may hold several of them: how they fared is left out."""
    whole = ChoiceRow("", "", "", "", np.sum([choice.counts for choice in rest], axis=0))
    name = f"{count} others together"
    offered, chosen = int(whole.total("offered")), int(whole.total("chosen"))
    return AnswerCount(name, offered, chosen, _taken(whole), NOTHING, NOTHING, count)


def _taken(choice: ChoiceRow) -> Estimate:
    offered, chosen = choice.per_chunk("offered"), choice.per_chunk("chosen")
    if len(offered) >= ENOUGH_CHUNKS and chosen.sum() not in (0, offered.sum()):
        found = statistics.ratio(chosen, offered)
        return Estimate(found.value, max(0.0, found.low), min(1.0, found.high), int(offered.sum()))
    games = min(choice.total("games_offered"), choice.total("offered"))
    if not games:
        return NOTHING
    part = float(chosen.sum() / offered.sum())
    return Estimate(part, *statistics.wilson(part, games), int(offered.sum()))


def _wins(choice: ChoiceRow) -> Estimate:
    """Return the share of wins in games with this choice, less that in games that offered it in vain."""
    games, won = choice.per_chunk("games_chosen"), choice.per_chunk("won_chosen")
    others, others_won = choice.per_chunk("games_offered") - games, choice.per_chunk("won_offered") - won
    if min(games.sum(), others.sum()) < 2:
        return NOTHING
    if len(games) >= ENOUGH_CHUNKS:
        return statistics.ratios_apart(won, games, others_won, others)
    here, there = (
        Estimate(part, *statistics.wilson(part, float(count)), int(count))
        for part, count in (
            (min(1.0, max(0.0, float(w.sum() / g.sum()))), g.sum()) for w, g in ((won, games), (others_won, others))
        )
    )
    apart = here.value - there.value
    low = apart - math.hypot(here.value - here.low, there.high - there.value)
    high = apart + math.hypot(here.high - here.value, there.value - there.low)
    return Estimate(apart, low, high, int(games.sum()))


def _points(choice: ChoiceRow) -> Estimate:
    games, points = choice.per_chunk("games_chosen"), choice.per_chunk("points_chosen")
    others, others_points = choice.per_chunk("games_offered") - games, choice.per_chunk("points_offered") - points
    if min(games.sum(), others.sum()) < 2:
        return NOTHING
    if len(games) >= ENOUGH_CHUNKS:
        return statistics.ratios_apart(points, games, others_points, others)
    squares = choice.total("squares_chosen"), choice.total("squares_offered") - choice.total("squares_chosen")
    counts, sums = (games.sum(), others.sum()), (points.sum(), others_points.sum())
    means = [total / count for total, count in zip(sums, counts, strict=True)]
    spread = [
        max(0.0, square - count * middle * middle) / (count - 1) / count
        for square, count, middle in zip(squares, counts, means, strict=True)
    ]
    width = statistics.student(float(min(counts)) - 1) * math.sqrt(sum(spread))
    apart = float(means[0] - means[1])
    return Estimate(apart, apart - width, apart + width, int(games.sum()))
