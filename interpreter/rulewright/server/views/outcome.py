"""Outcome of a game: who has won and why, the final standings, and the score sheet: points by round and by source."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rulewright.base.records import record
from rulewright.game.point_sources import PointSource, point_sources, round_sources
from rulewright.game.ranking import counts_points
from rulewright.i18n.localizer import Phrase
from rulewright.program.value_types import exact_sum
from rulewright.publish.final_result import headline, margin, own_place, place, reason
from rulewright.publish.labels import Labels
from rulewright.publish.log_sections import tie_break_title
from rulewright.publish.scores import deals
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


def points_by_round(labels: Labels, seat: int | None) -> tuple[RoundPoints, ...]:
    """Return the points of all seats at the end of each round, as far as this seat could know them, and at the end."""
    game, rounds = labels.game, list[RoundPoints]()
    steps = game.history.rounds()
    sources = _sources_of_deals(labels, steps)
    for number, step in steps.items():
        past = game.with_history(game.history.until(step)).position
        scores = (
            past.score(other, seat, past.ended) if past.is_scored(other) else None for other in range(len(game.names))
        )
        points = tuple(None if score is None else score.known for score in scores)
        earlier = rounds[-1].points if rounds else (0,) * len(points)
        rows = sources.get(number, ())
        sums = (exact_sum([0, *(row.values[other] or 0 for row in rows)]) for other in range(len(points)))
        adds_up = rows and all(
            exact_sum((now or 0, -(was or 0))) == got for now, was, got in zip(points, earlier, sums, strict=True)
        )
        rounds.append(RoundPoints(number, points, rows if adds_up else ()))
    return tuple(rounds)


def _sources_of_deals(labels: Labels, rounds: Collection[int]) -> Mapping[int, tuple[SheetRow, ...]]:
    """Return what has brought points in rounds that are told of when they end: in all of a game that is over, else in
    the last two."""
    game = labels.game
    if not deals(labels.edition) or not counts_points(labels.edition, game.program, game.options):
        return {}
    since = 0 if game.over else max(rounds) - 1
    return {number: _rows(labels, sources) for number, sources in round_sources(game, since).items()}


def _sheet(labels: Labels) -> Mapping[str, Any]:
    """Return the fields of the score sheet."""
    return {"sources": _sources(labels), "final": _final(labels)}


def _sources(labels: Labels) -> tuple[SheetRow, ...]:
    """Return what has brought points, the most telling first; steps with the same title share a row."""
    game = labels.game
    if not counts_points(labels.edition, game.program, game.options):
        return ()
    return _rows(labels, point_sources(game))


def _rows(labels: Labels, sources: Iterable[PointSource]) -> tuple[SheetRow, ...]:
    """Return a row for each title of sources, the most telling first; none if one alone has brought all."""
    rows: dict[str, _Row] = {}
    for source in sources:
        title = labels.localizer.title(labels.terms.points_from(source.step))
        row = rows.setdefault(title, _Row([0] * len(labels.game.names), bool(source.step)))
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
