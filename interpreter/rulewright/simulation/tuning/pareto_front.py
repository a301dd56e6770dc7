"""Which candidates are best: those that no other beats in everything, and the one among them that is proposed."""

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
"""How many standard errors of a difference count as the least span that a goal's figures have."""

_Matrix = NDArray[np.float64]


@record
class Verdict:
    """How one candidate's games stand to those of the edition as it is, in one goal. nearer: by how much nearer to the
    goal, game by game; says: 'better', 'worse', or 'unclear' where chance explains it; 'same' where every game comes
    out alike, or both are where they are to be."""

    goal: Goal
    nearer: EstimatedDifference
    says: str


def losses(goals: Sequence[Goal], played: CandidateGames) -> list[float]:
    """How far a sound candidate is from each goal; infinite where its games have no such figure."""
    found = [goal.off_by(goal.estimate(played.values[goal.name]).value) for goal in goals]
    return [off_by if math.isfinite(off_by) else math.inf for off_by in found]


def front(goals: Sequence[Goal], played: Sequence[CandidateGames]) -> list[CandidateGames]:
    """The sound candidates that no other one beats: is at least as near to every goal, and nearer to one (the Pareto
    front); in their order."""
    sound = [each for each in played if each.sound]
    if not sound:
        return []
    matrix = np.array([losses(goals, each) for each in sound])
    return [each for number, each in enumerate(sound) if not _beaten(matrix, number)]


def _beaten(matrix: _Matrix, number: int) -> bool:
    own = matrix[number]
    return bool(((matrix <= own).all(axis=1) & (matrix < own).any(axis=1)).any())


def in_order(
    goals: Sequence[Goal],
    played: Sequence[CandidateGames],
    base: CandidateGames,
    changed: Mapping[Candidate, int],
) -> list[CandidateGames]:
    """The front, the candidate that is proposed first: the nearest to a point that has the best of every goal at once.

    Goals are measured against each other by the span that the candidates' figures have, so that a goal that these
    values hardly move weighs little: that span is at least `BLUR` standard errors. Of two that are equally near the one
    that changes less comes first. changed: how many values each candidate changes. (Compromise programming: Zeleny
    1973.)
    """
    kept = front(goals, played)
    if not kept:
        return []
    everything = np.array([losses(goals, each) for each in played if each.sound])
    everything[~np.isfinite(everything)] = np.nan
    matrix = np.array([losses(goals, each) for each in kept])
    best = matrix.min(axis=0)
    spans = np.nanmax(everything, axis=0) - np.nanmin(everything, axis=0)
    errors = np.array([_error(goal, base, kept[0]) for goal in goals])
    spans = np.maximum(spans, BLUR * errors)
    away = np.sqrt((((matrix - best) / np.where(spans > 0, spans, 1.0)) ** 2).sum(axis=1))
    order = sorted(range(len(kept)), key=lambda at: (round(float(away[at]), 9), changed[kept[at].candidate], at))
    return [kept[at] for at in order]


def _error(goal: Goal, base: CandidateGames, other: CandidateGames) -> float:
    """The standard error of a difference in one goal."""
    sides = [each.values[goal.name] for each in (base, other) if each.sound]
    variances = [float(np.nanvar(values)) / max(1, int((~np.isnan(values)).sum())) for values in sides]
    return math.sqrt(sum(variances)) if all(map(math.isfinite, variances)) else 0.0


def verdicts(goals: Sequence[Goal], base: CandidateGames, other: CandidateGames) -> list[Verdict]:
    """How another candidate stands to the edition as it is, on the same seeds: for all goals at once (Holm 1979)."""
    apart = [_nearer(base.values[goal.name], other.values[goal.name], goal) for goal in goals]
    chances = statistics.holm([each.p for each in apart])
    return [Verdict(goal, each, _says(each, chance)) for goal, each, chance in zip(goals, apart, chances, strict=True)]


def _nearer(base: Numbers, other: Numbers, goal: Goal) -> EstimatedDifference:
    here, there = goal.losses(base), goal.losses(other)
    both = ~(np.isnan(here) | np.isnan(there))
    return statistics.paired(there[both], here[both])


def _says(apart: EstimatedDifference, chance: float) -> str:
    if apart.games > 1 and apart.deviation == 0 and apart.estimate.value == 0:
        return "same"
    if chance < statistics.CHANCE and apart.is_apart:
        return "better" if apart.estimate.value > 0 else "worse"
    return "unclear"
