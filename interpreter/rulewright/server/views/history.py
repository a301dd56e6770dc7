"""What happened before, as one seat could see it then: step by step, and what it decided itself."""

from __future__ import annotations

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import phrase
from rulewright.publish.labels import Labels
from rulewright.server.views import seat_view
from rulewright.server.views.document import Past, Reviewed


class HistoryError(RulewrightError):
    """There is nothing to look back to."""


def look(labels: Labels, seat: int | None, number: int, reader: int = 0) -> Past:
    """A step of a game, counted from 0, as a seat or a spectator saw it: the table after it, and its lines of the log.

    Raises HistoryError.
    """
    steps = labels.game.steps()
    if not 0 <= number < len(steps):
        raise HistoryError(phrase("errors", "There is no such step in this game."))
    past = Labels(labels.game.past(steps[number]), labels.language)
    log = seat_view.lines(past, seat, steps[number - 1].lines if number else 0, steps)
    return Past(number, seat_view.seen(past, seat), log, reader)


def review(labels: Labels, seat: int, number: int, reader: int = 0) -> Reviewed:
    """A decision of a seat, counted from 0: what it was offered, what it took, and what it read until the next one.

    Raises HistoryError: while the game lasts, too.
    """
    game = labels.game
    own = [place for place, (who, _) in enumerate(game.answers()) if who == seat]
    if not game.over or not 0 <= number < len(own):
        raise HistoryError(phrase("errors", "There is no such decision in this game."))
    then = game.before(own[number])
    end = game.before(own[number + 1]).log_length if number + 1 < len(own) else game.log_length
    decision, start = then.decision(seat, labels.language), then.log_length
    assert decision is not None
    steps = game.steps()
    return Reviewed(
        number=number,
        count=len(own),
        step=max(n for n, one in enumerate(steps) if one.moment is None and one.answers <= own[number]),
        prompt=decision.prompt,
        offered=tuple(labels.speech.times(choice.label, choice.count) for choice in decision.choices),
        taken=labels.answer(decision, game.answers()[own[number]][1]),
        lines=seat_view.lines(labels, seat, start, steps)[: end - start],
        reader=reader,
    )
