"""Analysis of a finished game as the page is told: judged decisions in words."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from rulewright.game.game import Game
from rulewright.players.analysis import JudgedAnswer, JudgedDecision
from rulewright.publish import analysis_texts
from rulewright.publish.labels import Labels
from rulewright.server.views.history import own_decisions
from rulewright.server.views.replies import Analysed, AnswerTold, JudgedTold


def analysed(
    labels: Labels, start: int, rows: Sequence[JudgedDecision], total: int | None, ended: bool, reader: int
) -> Analysed:
    """Return some rows of an analysis in words. start: number of the first of them; total: how many there will be;
    ended: no more come."""
    game = labels.game
    return Analysed(
        start=start,
        rows=tuple(_describe(labels, row) for row in rows),
        total=total or 0,
        ended=ended,
        meaning=labels.say(analysis_texts.meaning_of_values(game)),
        sides=tuple(game.program.side(game.history.present, seat) for seat in range(len(game.names))),
        reader=reader,
    )


def _describe(labels: Labels, row: JudgedDecision) -> JudgedTold:
    texts = analysis_texts.describe(labels, row)
    game = labels.game
    answers = [(row.played, texts.played, "played"), (row.best, texts.best, "best")]
    if row.best == row.played:
        del answers[0]
    answers += [(one, text, "") for one, text in zip(row.others, texts.others, strict=True)]
    answers.sort(key=lambda one: -one[0].value.mean)
    steps = game.history.steps()
    return JudgedTold(
        seat=row.seat,
        number=_number(game, row),
        step=max(n for n, one in enumerate(steps) if one.moment is None and one.answers <= row.number),
        round=row.round,
        verdict=row.verdict,
        sign=analysis_texts.SIGNS[row.verdict],
        word=texts.verdict,
        summary=texts.summary,
        cost=texts.cost,
        lost=row.cost.mean,
        value=row.best.value.mean,
        margin=row.best.value.margin,
        answers=tuple(_answer(*one) for one in answers),
        line=texts.line,
        followed=texts.followed,
    )


def _answer(judged: JudgedAnswer, text: analysis_texts.AnswerText, kind: str) -> AnswerTold:
    value = judged.value
    return AnswerTold(text.text, f"{text.value} ± {text.margin}", value.mean, value.margin, kind, judged.keys)


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
