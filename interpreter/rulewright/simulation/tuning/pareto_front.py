"""Best candidates: those that no other beats in everything, and the compromise among them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rulewright.base.records import record
from rulewright.simulation import statistics
from rulewright.simulation.quantities import Numbers
from rulewright.simulation.statistics import EstimatedDifference
from rulewright.simulation.tuning.configurations import CandidateGames
from rulewright.simulation.tuning.goals import Goal
from rulewright.simulation.tuning.search_space import Candidate

BLUR = 4.0
"""Number of standard errors of a difference that counts as the least span of a goal's figures."""

_Matrix = NDArray[np.float64]
"""Row for each candidate, column for each goal."""


@record
class Verdict:
    """Comparison of one candidate's games with those of the unchanged edition, in one goal.

    nearer: how much nearer to the goal, game by game; judgement: 'better', 'worse', or 'unclear' where chance explains
    it; 'same' where every game comes out alike, or both have reached the goal.
    """

    goal: Goal
    nearer: EstimatedDifference
    judgement: str


def losses(goals: Sequence[Goal], played: CandidateGames) -> list[float]:
    """Return the distance of a sound candidate from each goal; infinite if its games have no such figure."""
    distances = [goal.off_by(goal.estimate(played.values[goal.name]).value) for goal in goals]
    return [off_by if math.isfinite(off_by) else math.inf for off_by in distances]


def front(goals: Sequence[Goal], played: Sequence[CandidateGames]) -> list[CandidateGames]:
    """Return the Pareto front, in its order: the sound candidates that no other one beats.

    One beats another if it is at least as near to every goal, and nearer to one.
    """
    sound = [each for each in played if each.sound]
    if not sound:
        return []
    matrix = np.array([losses(goals, each) for each in sound])
    return [each for number, each in enumerate(sound) if not _beaten(matrix, number)]


def _beaten(matrix: _Matrix, number: int) -> bool:
    """Return whether another row of losses is nowhere greater and somewhere less."""
    own = matrix[number]
    return bool(((matrix <= own).all(axis=1) & (matrix < own).any(axis=1)).any())


def order_by_compromise(
    goals: Sequence[Goal],
    played: Sequence[CandidateGames],
    base: CandidateGames,
    changed: Mapping[Candidate, int],
) -> list[CandidateGames]:
    """Return the front, the compromise first: the candidate nearest to a point that has the best of every goal at once.

    Goals are measured against each other by the span that the candidates' figures have, so that a goal that these
    values hardly move weighs little: that span is at least `BLUR` standard errors. Of two that are equally near the one
    that changes less comes first. changed: number of values that each candidate changes. (Compromise programming:
    Zeleny 1973.)
    """
    best_candidates = front(goals, played)
    if not best_candidates:
        return []
    everything = np.array([losses(goals, each) for each in played if each.sound])
    everything[~np.isfinite(everything)] = np.nan
    matrix = np.array([losses(goals, each) for each in best_candidates])
    best = matrix.min(axis=0)
    spans = np.nanmax(everything, axis=0) - np.nanmin(everything, axis=0)
    errors = np.array([_error(goal, base, best_candidates[0]) for goal in goals])
    spans = np.maximum(spans, BLUR * errors)
    away = np.sqrt((((matrix - best) / np.where(spans > 0, spans, 1.0)) ** 2).sum(axis=1))
    order = sorted(
        range(len(best_candidates)),
        key=lambda index: (round(float(away[index]), 9), changed[best_candidates[index].candidate], index),
    )
    return [best_candidates[index] for index in order]


def _error(goal: Goal, base: CandidateGames, other: CandidateGames) -> float:
    """Return the standard error of a difference in one goal."""
    sides = [each.values[goal.name] for each in (base, other) if each.sound]
    variances = [float(np.nanvar(values)) / max(1, int((~np.isnan(values)).sum())) for values in sides]
    return math.sqrt(sum(variances)) if all(map(math.isfinite, variances)) else 0.0


def verdicts(goals: Sequence[Goal], base: CandidateGames, other: CandidateGames) -> list[Verdict]:
    """Compare another candidate with the unchanged edition, on the same seeds: for all goals at once (Holm 1979). Both
    are sound."""
    differences = [_gain(base.values[goal.name], other.values[goal.name], goal) for goal in goals]
    chances = statistics.holm([each.p for each in differences])
    return [
        Verdict(goal, each, _judge(each, chance))
        for goal, each, chance in zip(goals, differences, chances, strict=True)
    ]


def _gain(base: Numbers, other: Numbers, goal: Goal) -> EstimatedDifference:
    """Return how much nearer to a goal the other games are, pair by pair."""
    base_losses, other_losses = goal.losses(base), goal.losses(other)
    both = ~(np.isnan(base_losses) | np.isnan(other_losses))
    return statistics.paired_difference(other_losses[both], base_losses[both])


def _judge(difference: EstimatedDifference, chance: float) -> str:
    """Return 'better', 'worse', 'same' or 'unclear'."""
    if difference.games > 1 and difference.deviation == 0 and difference.estimate.value == 0:
        return "same"
    if chance < statistics.CHANCE and difference.is_apart:
        return "better" if difference.estimate.value > 0 else "worse"
    return "unclear"
