"""Rows of the log for an answer of a seat: the undo of picks that it replaces, the answer, and those given along with
it."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game, undo_error
from rulewright.game.picks import learned_nothing, picks
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.server.storage.records import LoggedAnswer
from rulewright.server.tables import log_rows


@record
class SeatAnswer:
    """Answer to a seat's question. question: its number; back: number of picks to undo first; next: keys for the
    questions that follow, each after an answer from which the seat has learned nothing."""

    question: int
    take: Sequence[str]
    back: int = 0
    next: Sequence[Sequence[str]] = ()


def answer_rows(game: Game, seat: int, answer: SeatAnswer) -> list[LoggedAnswer]:
    """Return the rows of an answer; the game stays as it is. Raises AnswerError; then nothing of it holds. A single row
    is checked only when it is applied."""
    decisions = dict(game.pending.ids)
    if seat not in decisions:
        raise AnswerError(phrase("errors", "It is not your turn."))
    if not answer.back and not answer.next:
        return [LoggedAnswer(seat, decisions[seat], tuple(answer.take))]
    changed, rows = game.copy(), list[LoggedAnswer]()
    if answer.back:
        numbers = picks(game, seat)
        if answer.back > len(numbers):
            raise undo_error()
        rows.append(log_rows.undo(seat, numbers[answer.back - 1]))
        log_rows.apply(changed, rows[0])
    for place, take in enumerate((answer.take, *answer.next)):
        decisions = dict(changed.pending.ids)
        if place and (seat not in decisions or not learned_nothing(changed, seat)):
            raise AnswerError(changed_question())
        rows.append(LoggedAnswer(seat, decisions[seat], tuple(take)))
        log_rows.apply(changed, rows[-1])
    return rows


def changed_question() -> Phrase:
    """Return the message that a question was answered already, or has changed."""
    return phrase("errors", "This was answered already, or has changed. Look again.")
