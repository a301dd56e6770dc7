"""Past of a game, as one seat could see it then: step by step, and its own decisions."""

from __future__ import annotations

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view
from rulewright.server.views.replies import Past, Reviewed


class HistoryError(RulewrightError):
    """Request for a step or decision that does not exist."""


def past_state(labels: Labels, seat: int | None, number: int, reader: int = 0) -> Past:
    """Return a step of a game, from 0, as a seat or a spectator saw it: the table after it, and the lines it added to
    the log.

    Raises HistoryError.
    """
    steps = labels.game.history.steps()
    if not 0 <= number < len(steps):
        raise HistoryError(phrase("errors", "There is no such step in this game."))
    past = Labels(labels.game.with_history(labels.game.history.until(steps[number])), labels.language)
    log = seat_view.lines(past, seat, steps[number - 1].lines if number else 0, steps)
    state = seat_view.table_state(past, seat, moves=seat_view.last_moves(past, seat))
    return Past(number, state, log, reader)


def review(labels: Labels, seat: int, number: int, reader: int = 0) -> Reviewed:
    """Return a decision of a seat, from 0: its choices, its answer, and the log until its next one.

    Raises HistoryError, also before the end of the game.
    """
    game = labels.game
    answers = game.history.answers
    own_answers = [index for index, answered in enumerate(answers) if answered.seat == seat]
    if not game.over or not 0 <= number < len(own_answers):
        raise HistoryError(phrase("errors", "There is no such decision in this game."))
    then = game.with_history(game.history.before(own_answers[number]))
    end = answers[own_answers[number + 1]].events if number + 1 < len(own_answers) else game.log.length
    decision, start = then.decision(seat, labels.language), then.log.length
    assert decision is not None
    steps = game.history.steps()
    return Reviewed(
        number=number,
        count=len(own_answers),
        step=max(n for n, one in enumerate(steps) if one.moment is None and one.answers <= own_answers[number]),
        prompt=decision.prompt,
        offered=tuple(labels.localizer.times(choice.label, choice.count) for choice in decision.choices),
        taken=labels.answer(decision, answers[own_answers[number]].keys),
        lines=seat_view.lines(labels, seat, start, steps)[: end - start],
        reader=reader,
    )
