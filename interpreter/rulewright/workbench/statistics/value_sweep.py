"""A value's curve: the same table played with one number after the other in the place of a value, coarse first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.workbench.statistics.dashboard import all_estimates
from rulewright.workbench.statistics.game_sample import Trial
from rulewright.workbench.statistics.sample_requests import CurveWanted, TableWanted

MOST_POINTS = 11
ROUNDS = (100, 400, 2000)
"""How many games each number has after each round."""

SECONDS = 15
"""Of the processor's time, for one curve; where games take long, its later rounds are left out."""


def numbers(wanted: CurveWanted, now: int) -> list[int]:
    """The numbers that are tried, those first that show the shape of the curve. now: what the value is."""
    apart = max(1, -(-(wanted.most - wanted.least) // (MOST_POINTS - 1)))
    grid = range(wanted.least + (now - wanted.least) % apart, wanted.most + 1, apart)
    found = dict.fromkeys([now, wanted.least, wanted.most])
    step = len(grid)
    while step > 1:
        step = (step + 1) // 2
        found |= dict.fromkeys(grid[::step])
    return list(found | dict.fromkeys(grid))


def curve(
    wanted: CurveWanted, now: int, table: TableWanted, trial: Callable[[TableWanted], Trial]
) -> Iterator[dict[str, Any] | None]:
    """What is known of the curve, whenever that is more; None where others may be heeded. trial: the games of a table.

    A number with which no game can be played has its reason.
    """
    points: dict[int, dict[str, Any]] = {}
    spent = 0.0
    for games in ROUNDS:
        for number in numbers(wanted, now):
            if "text" in points.get(number, ()):
                continue
            if spent > SECONDS and number in points:
                return
            setting = tuple((name, value) for name, value in table.setting if name != wanted.value)
            if number != now:
                setting = (*setting, (wanted.value, str(number)))
            try:
                played = trial(replace(table, setting=setting))
                before = played.seconds
                for _ in played.grow(games):
                    yield None
                spent += played.seconds - before
                points[number] = {"value": number, "games": played.games, "estimates": all_estimates(played)}
            except RulewrightError as error:
                points[number] = {"value": number, "text": str(error)}
            yield {"points": [points[number] for number in sorted(points)], "done": False}
    yield {"points": [points[number] for number in sorted(points)], "done": True}
