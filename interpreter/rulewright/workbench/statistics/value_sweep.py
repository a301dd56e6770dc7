"""Curve of a value: the same table played with different numbers for it, coarse first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.workbench.statistics.dashboard import all_estimates
from rulewright.workbench.statistics.game_sample import GameSample
from rulewright.workbench.statistics.sample_requests import CurveRequest, TableRequest

MAX_POINTS = 11
"""Number of evenly spaced numbers at most; the ends are tried besides."""
ROUNDS = (100, 400, 2000)
"""Games of each number after each round."""

MAX_SECONDS = 15
"""Maximum processor time for one curve; where games take long, its later rounds are left out."""


def numbers(request: CurveRequest, now: int) -> list[int]:
    """List the numbers to try, those first that show the shape of the curve. now: the present value."""
    step_width = max(1, -(-(request.most - request.least) // (MAX_POINTS - 1)))
    grid = range(request.least + (now - request.least) % step_width, request.most + 1, step_width)
    result = dict.fromkeys([now, request.least, request.most])
    step = len(grid)
    while step > 1:
        step = (step + 1) // 2
        result |= dict.fromkeys(grid[::step])
    return list(result | dict.fromkeys(grid))


def curve(
    request: CurveRequest, now: int, table: TableRequest, trial: Callable[[TableRequest], GameSample]
) -> Iterator[dict[str, Any] | None]:
    """Yield the curve whenever there is news, and None where another request may be taken up. trial: returns the sample
    of a table. A number with which no game can be played has its reason."""
    points: dict[int, dict[str, Any]] = {}
    seconds_used = 0.0
    for games in ROUNDS:
        for number in numbers(request, now):
            if "text" in points.get(number, ()):
                continue
            if seconds_used > MAX_SECONDS and number in points:
                return
            setting = tuple((name, value) for name, value in table.setting if name != request.value)
            if number != now:
                setting = (*setting, (request.value, str(number)))
            try:
                played = trial(replace(table, setting=setting))
                before = played.seconds
                for _ in played.grow(games):
                    yield None
                seconds_used += played.seconds - before
                points[number] = {"value": number, "games": played.games, "estimates": all_estimates(played)}
            except RulewrightError as error:
                points[number] = {"value": number, "text": str(error)}
            yield {"points": [points[number] for number in sorted(points)], "done": False}
    yield {"points": [points[number] for number in sorted(points)], "done": True}
