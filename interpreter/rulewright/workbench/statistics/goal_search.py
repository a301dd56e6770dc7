"""Search for values that bring a game nearer to goals, shown as it proceeds; the best are replayed on new seeds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.model.edition import Edition
from rulewright.simulation import planning
from rulewright.simulation.tuning import pareto_front
from rulewright.simulation.tuning.configurations import CandidateGames
from rulewright.simulation.tuning.search_space import search_space
from rulewright.simulation.tuning.tuning import Tuning, TuningRequest, prepare
from rulewright.workbench.statistics.dashboard import estimate
from rulewright.workbench.statistics.sample_requests import SearchRequest, TableRequest

GAMES, TRIALS, RANDOM_TRIALS = 500, 40, 200
"""Games of each candidate; number of candidates if optuna chooses them, and if they are drawn at random."""

MAX_EXHAUSTIVE = 400
"""Maximum number of combinations that are all tried, which needs no optimizer."""

MAX_SECONDS = 60
"""Seconds after which no further candidate is started."""


def search(edition: Edition, table: TableRequest, request: SearchRequest) -> Iterator[dict[str, Any]]:
    """Yield the state of the search whenever there is news, errors included."""
    try:
        usual: dict[tuple[str, ...], str] = {
            ("options", name, "default"): choice for name, choice in table.setting if name in edition.options
        }
        rules = library.with_changes(Rules(edition), usual) if usual else Rules(edition)
        size = search_space(rules, len(planning.seats(rules, table.seats)), request.vary).size
        candidates = TRIALS if find_spec("optuna") else RANDOM_TRIALS
        trials = size if size <= MAX_EXHAUSTIVE else candidates
        settings = TuningRequest(request.vary, request.toward, table.seats, GAMES, trials, MAX_SECONDS, processes=1)
        tuning = prepare(rules, settings)
        yield _search_state(tuning)
        for _ in tuning.search():
            yield _search_state(tuning)
        for _ in tuning.check():
            yield _search_state(tuning)
        yield {**_search_state(tuning), "done": True}
    except RulewrightError as error:
        yield {"text": str(error), "done": True}


def _search_state(tuning: Tuning) -> dict[str, Any]:
    """Return the state of a search for the page, the nearest candidates first."""
    best = tuning.best()
    proposed = tuning.proposed()
    nearest = sorted(
        tuning.tried, key=lambda each: pareto_front.losses(tuning.goals, each) if each.sound else [math.inf]
    )
    rows = [_row(tuning, each, best, proposed) for each in (tuning.base, *nearest)]
    return {
        "names": [each.name for each in tuning.space.varied],
        "goals": [{"key": goal.measure.key, "shares": goal.measure.share} for goal in tuning.goals],
        "tried": len(tuning.tried),
        "planned": tuning.planned,
        "drawn": tuning.random_draws,
        "rows": rows,
        "done": False,
    }


def _row(
    tuning: Tuning, played: CandidateGames, best: list[CandidateGames], proposed: CandidateGames
) -> dict[str, Any]:
    """Describe a candidate: its kind ('now', 'chosen', 'best' or 'other'), its figures of each goal, in the search and
    on new seeds, and their comparison with the edition's own values."""
    own = played.candidate == tuning.space.now
    kind = "now" if own else "chosen" if played is proposed else "best" if played in best else "other"
    content: dict[str, Any] = {"values": list(played.candidate), "kind": kind}
    if not played.sound:
        return {**content, "text": str(played.problem)}
    content["figures"] = _figures(tuning, played)
    on_new_seeds, base = tuning.checked.get(played.candidate), tuning.checked.get(tuning.space.now)
    if on_new_seeds is not None and on_new_seeds.sound:
        content["fresh"] = _figures(tuning, on_new_seeds)
        if base is not None and base.sound and not own:
            content["says"] = [each.judgement for each in pareto_front.verdicts(tuning.goals, base, on_new_seeds)]
    return content


def _figures(tuning: Tuning, played: CandidateGames) -> list[list[float] | None]:
    return [estimate(goal.estimate(played.values[goal.name])) for goal in tuning.goals]
