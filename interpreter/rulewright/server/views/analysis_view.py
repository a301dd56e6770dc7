"""Analysis of a finished game as the page is told: judged decisions in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from rulewright.game.game import Game
from rulewright.players.analysis import CLOSE, JudgedAnswer, JudgedDecision
from rulewright.publish import analysis_texts
from rulewright.publish.labels import Labels
from rulewright.server.views.history import own_decisions
from rulewright.server.views.replies import Analysed, AnswerTold, JudgedTold


def analysis_message(
    labels: Labels, rows: Sequence[JudgedDecision], places: Mapping[int, int], ended: bool, reader: int
) -> Analysed:
    """Return some rows of an analysis in words. places: of all that will be judged, by the numbers of their answers;
    ended: no more come."""
    game = labels.game
    return Analysed(
        rows=tuple(_describe(labels, row, places[row.number]) for row in rows),
        total=len(places),
        ended=ended,
        meaning=labels.say(analysis_texts.meaning_of_values(game)),
        sides=game.program.seat_sides(game.history.present),
        reader=reader,
    )


def _describe(labels: Labels, row: JudgedDecision, place: int) -> JudgedTold:
    texts = analysis_texts.describe(labels, row)
    game = labels.game
    best_kind = "alike" if row.verdict == CLOSE else "best"
    answers = [(row.played, texts.played, "played"), (row.best, texts.best, best_kind)]
    if row.best == row.played:
        del answers[0]
    answers += [(one, text, "") for one, text in zip(row.others, texts.others, strict=True)]
    answers.sort(key=lambda one: -one[0].value.mean)
    steps = game.history.steps()
    return JudgedTold(
        place=place,
        seat=row.seat,
        number=_number(game, row),
        step=max(n for n, one in enumerate(steps) if one.moment is None and one.answers <= row.number),
        round=row.round,
        verdict=row.verdict,
        sign=analysis_texts.SIGNS[row.verdict],
        word=texts.verdict,
        summary=texts.summary,
        meaning=texts.meaning,
        certainty=texts.certainty,
        lost=row.cost.mean,
        value=row.best.value.mean,
        margin=row.best.value.margin,
        answers=tuple(_answer(*one) for one in answers),
        line=texts.line,
        followed=texts.followed,
    )


def _answer(judged: JudgedAnswer, text: analysis_texts.AnswerText, kind: str) -> AnswerTold:
    value = judged.value
    return AnswerTold(text.text, text.value, value.mean, value.margin, kind, judged.keys)


_numbers: WeakKeyDictionary[Game, dict[int, int]] = WeakKeyDictionary()
"""Numbers of decisions among those of their seats, by the numbers of each game's answers."""


def _number(game: Game, row: JudgedDecision) -> int:
    """Return the number of a decision among those of its seat, as `review` counts them."""
    if (numbers := _numbers.get(game)) is None:
        seats = range(len(game.names))
        places = [
            (part, place) for seat in seats for place, parts in enumerate(own_decisions(game, seat)) for part in parts
        ]
        numbers = _numbers[game] = dict(places)
    return numbers[row.number]
