"""What happened before, as one seat could see it then: step by step, and as a curve of the scores."""

from __future__ import annotations

from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.i18n.speech import phrase
from rulewright.publish.labels import Labels
from rulewright.server import seat_view


class HistoryError(RulewrightError):
    """There is nothing to look back to."""


def look(labels: Labels, seat: int | None, number: int) -> dict[str, Any]:
    """A step of a game, counted from 0, as a seat or a spectator saw it: the table after it, and its lines of the log.

    Raises HistoryError.
    """
    steps = labels.game.steps()
    if not 0 <= number < len(steps):
        raise HistoryError(phrase("errors", "There is no such step in this game."))
    past = Labels(labels.game.past(steps[number]), labels.language)
    lines = past.game.log(seat, steps[number - 1] if number else 0, labels.language)
    return {
        **seat_view.seen(past, seat),
        "undo": False,
        "asked": None,
        "lines": [{"text": line.text, "heading": line.heading} for line in lines],
    }


def curve(game: Game, seat: int | None) -> list[dict[str, Any]]:
    """The points of all seats at the end of each round, as far as this one could know them then, and at the end."""
    found = []
    for number, lines in game.rounds().items():
        scores = game.past(lines).view(seat).scores
        points = [None if score is None else sum(p or 0 for _, p in score.lines) for score in scores]
        found.append({"round": number, "points": points})
    return found
