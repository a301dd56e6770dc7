"""Past of a game, as one seat could see it then: step by step, and its own decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.picks import picks
from rulewright.i18n.localizer import phrase
from rulewright.publish.labels import Labels
from rulewright.runtime.operations import RuleError
from rulewright.server.views import seat_view
from rulewright.server.views.replies import Past, Reviewed

JOINED = "–"
"""Sign between a pick and where it leads, as in 'e2–e4'."""


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
    """Return a decision of a seat, from 0: its choices, its answer, and the log until its next one. Picks that lead to
    an answer, such as that of a piece to where it goes, are one decision with it.

    Raises HistoryError, also before the end of the game.
    """
    game = labels.game
    own = own_decisions(game, seat) if game.over else []
    if not 0 <= number < len(own):
        raise HistoryError(phrase("errors", "There is no such decision in this game."))
    answers = game.history.answers
    first, *_ = parts = own[number]
    moments = [Labels(game.with_history(game.history.before(part)), labels.language) for part in parts]
    decisions = [moment.game.decision(seat, labels.language) for moment in moments]
    end = answers[own[number + 1][0]].events if number + 1 < len(own) else game.log.length
    start, steps = moments[0].game.log.length, game.history.steps()
    answered = [labels.answer(one, answers[part].keys) for one, part in zip(decisions, parts, strict=True) if one]
    return Reviewed(
        number=number,
        count=len(own),
        step=max(n for n, one in enumerate(steps) if one.moment is None and one.answers <= first),
        prompt=decisions[0].prompt if decisions[0] else "",
        offered=tuple(_offered(moments, [one for one in decisions if one], seat)),
        taken=JOINED.join(answered),
        lines=seat_view.lines(labels, seat, start, steps)[: end - start],
        reader=reader,
    )


def own_decisions(game: Game, seat: int) -> list[list[int]]:
    """Return the numbers of a seat's answers, those together that picks lead to."""
    decisions: list[list[int]] = []
    for number, answered in enumerate(game.history.answers):
        if answered.seat != seat:
            continue
        leading = picks(game.with_history(game.history.before(number)), seat) if decisions else []
        if leading and leading[0] == decisions[-1][-1]:
            decisions[-1].append(number)
        else:
            decisions.append([number])
    return decisions


def _offered(moments: Sequence[Labels], decisions: Sequence[Decision], seat: int) -> Iterator[str]:
    """Yield what a decision offered: after one pick each whole way, after more of them the last choices."""
    if len(decisions) != 2:
        for choice in decisions[-1].choices:
            yield moments[-1].localizer.times(choice.label, choice.count)
        return
    for choice in decisions[0].choices:
        after = _after_pick(moments[0], seat, choice.key)
        yield from (JOINED.join((choice.label, one.label)) for one in after.choices) if after else (choice.label,)


def _after_pick(moment: Labels, seat: int, key: str) -> Decision | None:
    """Return a seat's next decision after a pick; None after an answer that is none, or that breaks the game."""
    game = moment.game.copy()
    try:
        game.answer(seat, [key])
    except RuleError:
        return None
    return game.decision(seat, moment.language) if picks(game, seat) else None
