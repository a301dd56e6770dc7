"""Values that bring a game nearer to goals, looked for while somebody watches; the best on fresh games."""

from __future__ import annotations

import math
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.model.declarations import Edition
from rulewright.simulation import planning
from rulewright.simulation.tuning import pareto_front
from rulewright.simulation.tuning.configurations import CandidateGames
from rulewright.simulation.tuning.search_space import search_space
from rulewright.simulation.tuning.tuning import Tuning, TuningWanted, prepared
from rulewright.workbench.statistics.dashboard import estimate
from rulewright.workbench.statistics.sample_requests import SearchWanted, TableWanted

GAMES, TRIALS, DRAWN = 500, 40, 200
"""Of each candidate, how many there are where they are chosen from many, and where they are drawn at random."""

MOST_WHOLE = 400
"""Combinations that are all tried, as long as there is time: that needs nothing that chooses among them."""

SECONDS = 60
"""After which no further candidate is begun."""


def looked_for(edition: Edition, table: TableWanted, wanted: SearchWanted) -> Iterator[dict[str, Any]]:
    """What is known of the search, whenever that is more. What is wrong with it is told."""
    try:
        usual: dict[tuple[str, ...], str] = {
            ("options", name, "default"): choice for name, choice in table.setting if name in edition.options
        }
        rules = library.with_changes(Rules(edition), usual) if usual else Rules(edition)
        size = search_space(rules, len(planning.seats(rules, table.seats)), wanted.vary).size
        chosen = TRIALS if find_spec("optuna") else DRAWN
        trials = size if size <= MOST_WHOLE else chosen
        given = TuningWanted(wanted.vary, wanted.toward, table.seats, GAMES, trials, SECONDS, processes=1)
        tuning = prepared(rules, given)
        yield _told(tuning)
        for _ in tuning.search():
            yield _told(tuning)
        for _ in tuning.check():
            yield _told(tuning)
        yield {**_told(tuning), "done": True}
    except RulewrightError as error:
        yield {"text": str(error), "done": True}


def _told(tuning: Tuning) -> dict[str, Any]:
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
        "drawn": tuning.drawn,
        "rows": rows,
        "done": False,
    }


def _row(
    tuning: Tuning, played: CandidateGames, best: list[CandidateGames], proposed: CandidateGames
) -> dict[str, Any]:
    """kind: 'now', 'chosen', 'best' or 'other'; figures: of each goal, in the search, and fresh on other seeds; says:
    how it stands there to the edition's own values."""
    own = played.candidate == tuning.space.now
    kind = "now" if own else "chosen" if played is proposed else "best" if played in best else "other"
    told: dict[str, Any] = {"values": list(played.candidate), "kind": kind}
    if not played.sound:
        return {**told, "text": str(played.why)}
    told["figures"] = _figures(tuning, played)
    fresh, base = tuning.fresh.get(played.candidate), tuning.fresh.get(tuning.space.now)
    if fresh is not None and fresh.sound:
        told["fresh"] = _figures(tuning, fresh)
        if base is not None and base.sound and not own:
            told["says"] = [each.says for each in pareto_front.verdicts(tuning.goals, base, fresh)]
    return told


def _figures(tuning: Tuning, played: CandidateGames) -> list[list[float] | None]:
    return [estimate(goal.estimate(played.values[goal.name])) for goal in tuning.goals]
