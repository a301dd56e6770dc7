"""Outcome of a game: who has won and why, the final standings, and the score sheet: points by round and by source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.game.point_sources import point_sources
from rulewright.game.ranking import counts_points
from rulewright.i18n.localizer import Phrase
from rulewright.program.value_types import exact_sum
from rulewright.publish.final_result import headline, margin, own_place, place, reason
from rulewright.publish.labels import Labels
from rulewright.publish.log_sections import tie_break_title
from rulewright.server.views.document import Placed, RoundPoints, SheetRow
from rulewright.server.views.memo import Memo, NoMemo

_LEAST_SOURCES = 2
"""Sources besides the set-up, of which a score sheet tells: one alone has brought all."""


def outcome(labels: Labels, memo: Memo | None = None) -> Mapping[str, Any]:
    """Return the fields of a finished game: who has won and why, and the score sheet, if it ended by its rules; {}
    before the end."""
    game = labels.game
    if not game.over:
        return {}
    results = game.standings(labels.language)
    words = {"headline": headline(labels, results), "reason": reason(labels, results)}
    if not game.position.ended:
        return words
    key, so_far = ("score sheet", labels.language), len(game.history.answers)
    return {**words, **(memo or NoMemo()).once(key, lambda: _sheet(labels), so_far)}


def standings(labels: Labels) -> tuple[Placed, ...]:
    """Return the final standings; empty before the end, and for a game that ended without a result."""
    game = labels.game
    if not game.over:
        return ()
    results = game.standings(labels.language)
    return tuple(
        Placed(
            seat=result.seat,
            rank=result.rank,
            place=place(results, result, labels.localizer),
            total=result.total,
            lines=tuple((title, points) for title, points in result.lines),
            ties=tuple((tie_break_title(title, labels.localizer), number) for title, number in result.ties),
            told=own_place(labels, results, result),
            margin=margin(labels, results, result),
        )
        for result in results
    )


def points_by_round(game: Game, seat: int | None) -> tuple[RoundPoints, ...]:
    """Return the points of all seats at the end of each round, as far as this seat could know them, and at the end."""
    rounds = []
    for number, step in game.history.rounds().items():
        past = game.with_history(game.history.until(step)).position
        scores = (
            past.score(other, seat, past.ended) if past.is_scored(other) else None for other in range(len(game.names))
        )
        points = (None if score is None else score.known for score in scores)
        rounds.append(RoundPoints(number, tuple(points)))
    return tuple(rounds)


def _sheet(labels: Labels) -> Mapping[str, Any]:
    """Return the fields of the score sheet."""
    return {"sources": _sources(labels), "final": _final(labels)}


def _sources(labels: Labels) -> tuple[SheetRow, ...]:
    """Return what has brought points, the most telling first; steps with the same title share a row."""
    game = labels.game
    if not counts_points(labels.edition, game.program, game.options):
        return ()
    rows: dict[str, _Row] = {}
    for source in point_sources(game):
        title = labels.localizer.title(labels.terms.points_from(source.step))
        row = rows.setdefault(title, _Row([0] * len(game.names), bool(source.step)))
        row.points[:] = map(exact_sum, zip(row.points, source.points, strict=True))
    if sum(row.is_played for row in rows.values()) < _LEAST_SOURCES:
        return ()
    telling = sorted(rows.items(), key=lambda one: (not one[1].is_played, -sum(map(abs, one[1].points))))
    return tuple(SheetRow(title, tuple(row.points)) for title, row in telling)


@record
class _Row:
    """Points by seat. is_played: whether they do not come from the set-up."""

    points: list[int | float]
    is_played: bool


def _final(labels: Labels) -> Sequence[SheetRow]:
    """Return the measures that looks name for the score sheet."""
    game = labels.game
    by_name = {measure.name: measure for measure in game.program.measures}
    return tuple(
        SheetRow(
            labels.localizer.title(Phrase(measure.title.key, measure.title.text)),
            tuple(game.position.measure(measure, seat, None) for seat in range(len(game.names))),
        )
        for measure in (by_name[name] for name in labels.edition.final_measures)
    )
