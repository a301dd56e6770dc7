"""What an answer leads to, in words: short enough to stand beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.answer_outcomes import COUNTER, FEWER, MORE, POINTS, AnswerOutcome, OutcomeChange, OutcomeFinder
from rulewright.players.choice_grouping import AnswerKey, ChoiceGrouping
from rulewright.publish.labels import Labels
from rulewright.runtime.machine import OpenDecision
from rulewright.runtime.state import State

MOST_ANSWERS = 80
MOST_NUMBERS = 16


@record
class Told:
    """texts: what an answer leads to; perhaps: what was so in all tries, and need not be so; idle: whether nothing
    comes of it; why: what the log would tell then, or ''; warning: why it is asked once more before it is given, or
    ''."""

    texts: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    idle: bool = False
    why: str = ""
    warning: str = ""

    @property
    def everything(self) -> bool:
        return bool(self.texts or self.perhaps)


def answers(game: Game, known: State, asked: OpenDecision) -> dict[str, tuple[AnswerKey, ...]]:
    """The answers that are tried without being asked for: by its key each of which one is taken, and '' for taking
    nothing. None where several are taken together, or there are too many."""
    options = ChoiceGrouping(game.machine, asked.seat).choices(known, asked)
    many = MOST_NUMBERS if game.program.sites[asked.site].element.base == "number" else MOST_ANSWERS
    if asked.most != 1 or sum(map(len, options.values())) == asked.least or len(options) > many:
        return {}
    found = {game.keys(asked, items[:1])[0]: (key,) for key, items in options.items()}
    return found | ({"": ()} if asked.least == 0 else {})


def answer(game: Game, known: State, asked: OpenDecision, take: Sequence[str]) -> tuple[AnswerKey, ...]:
    """One that is made of several keys. Raises AnswerError."""
    options = ChoiceGrouping(game.machine, asked.seat).choices(known, asked)
    key_of = {item: key for key, items in options.items() for item in items}
    return tuple(key_of[item] for item in game.chosen(asked, take))


def tried(game: Game, seat: int) -> dict[str, AnswerOutcome]:
    """What all `answers` of what a seat is asked lead to. Raises AnswerError where it is not asked."""
    known, asked = game.known(seat)
    found = answers(game, known, asked)
    outcomes = (
        OutcomeFinder(game.rules.edition, game.machine, known, seat).outcomes(asked, list(found.values()))
        if found
        else []
    )
    return dict(zip(found, outcomes, strict=True))


def warning(labels: Labels, seat: int, take: Sequence[str]) -> str:
    """Why one answer is asked once more before it is given, or ''. Raises AnswerError where it is not offered."""
    game = labels.game
    known, asked = game.known(seat)
    [outcome] = OutcomeFinder(game.rules.edition, game.machine, known, seat).outcomes(
        asked, [answer(game, known, asked, take)]
    )
    return told(labels, seat, outcome).warning


def told(labels: Labels, seat: int, outcome: AnswerOutcome) -> Told:
    """For the seat that is asked."""
    say = labels.say
    texts = [say(_lead(labels, seat, lead)) for lead in outcome.certain]
    perhaps = [say(_lead(labels, seat, lead)) for lead in outcome.likely]
    ending = texts if outcome.tries == 0 else perhaps
    if outcome.ends:
        ending.append(say(phrase("leads", "ends the game")))
    if outcome.idle:
        ending.append(say(phrase("leads", "nothing comes of it")))
    why = _why(labels, seat, outcome)
    if outcome.done:
        done = say(phrase("leads", "you decide nothing more this round"))
        perhaps.append(labels.speech.entry(done, why) if why else done)
    if outcome.declined:
        what = labels.speech.row([say(_lead(labels, seat, lead)) for lead in outcome.declined])
        if_declined = perhaps if outcome.tries_declined else texts
        if_declined.append(say(phrase("leads", "{what} if the others pass", what=what)))
    return Told(
        tuple(texts), tuple(perhaps), outcome.idle, "" if outcome.done else why, _warning(labels, seat, outcome)
    )


def _why(labels: Labels, seat: int, outcome: AnswerOutcome) -> str:
    if outcome.reason is None:
        return ""
    number, arguments = outcome.reason
    return labels.say(labels.game.messages.text(labels.game.program.texts[number], arguments, seat))


def _warning(labels: Labels, seat: int, outcome: AnswerOutcome) -> str:
    """That an amount leaves the seat with fewer points, and how."""
    if not outcome.setback:
        return ""
    found, tries = (*outcome.certain, *outcome.likely), outcome.tries
    declined = not any(lead.low < 0 and lead.what in (POINTS, COUNTER) for lead in found)
    if declined:
        found, tries = outcome.declined, outcome.tries_declined
    how = ("≈ " if tries else "") + labels.speech.row([labels.say(_lead(labels, seat, lead)) for lead in found])
    slots: dict[str, float | str] = {"count": outcome.setback, "how": how}
    if declined:
        told = phrase("leads", "If the others pass, this sets you back {count} [point|points]: {how}.", **slots)
    else:
        told = phrase("leads", "This sets you back {count} [point|points]: {how}.", **slots)
    return labels.say(told)


def beside(labels: Labels, seat: int) -> dict[str, tuple[str, ...]]:
    """What stands beside each answer to what a seat is asked, by its key; a sign before what need not be so."""
    each = {key: told(labels, seat, outcome) for key, outcome in tried(labels.game, seat).items()}
    found = {key: (*one.texts, *(f"≈ {text}" for text in one.perhaps)) for key, one in each.items() if one.everything}
    speech = labels.speech
    return {
        key: (speech.entry(speech.row(list(texts)), each[key].why),) if each[key].why else texts
        for key, texts in found.items()
    }


def doubt(labels: Labels, outcomes: Sequence[AnswerOutcome]) -> str:
    """What the sign before `perhaps` means; '' where all is certain."""
    tries = max((max(outcome.tries, outcome.tries_declined) for outcome in outcomes), default=0)
    if not tries:
        return ""
    return labels.say(
        phrase(
            "leads",
            "≈ means: likely. It came out like this in {tries} [try|tries], each with another guess at what you cannot "
            "see",
            tries=tries,
        )
    )


def _lead(labels: Labels, seat: int, lead: OutcomeChange) -> Phrase:
    if lead.what in (MORE, FEWER):
        return _pieces(labels, lead)
    amount = _amount(labels, lead.low, lead.high)
    counter = labels.counter(lead.name) if lead.what == COUNTER else ""
    if counter and lead.low == lead.high < 0:
        left = _held(labels, seat, lead.name) + lead.low
        return phrase("leads", "{counter} {amount} ({left} left)", counter=counter, amount=amount, left=left)
    if counter:
        return phrase("leads", "{counter} {amount}", counter=counter, amount=amount)
    return phrase("leads", "points {amount}", amount=amount)


def _held(labels: Labels, seat: int, name: str) -> int:
    """What a counter of the seat holds now."""
    held = labels.game.view(seat).counters[name]
    value = held[seat] if isinstance(held, tuple) else 0
    return value if isinstance(value, int) else 0


def _amount(labels: Labels, low: float, high: float) -> str | Phrase:
    """So much more or less; what is nearer to nothing comes first."""
    near, far = sorted((low, high), key=abs)
    if near == far:
        return _signed(labels, far)
    if near == 0:
        return phrase("leads", "up to {amount}", amount=_signed(labels, far))
    return phrase("leads", "{near} to {far}", near=_signed(labels, near), far=_signed(labels, far))


def _signed(labels: Labels, number: float) -> str:
    return ("+" if number > 0 else "") + labels.speech.number(number)


def _pieces(labels: Labels, lead: OutcomeChange) -> Phrase:
    more = lead.what == MORE
    if lead.looks:
        piece = labels.game.messages.piece
        known = tuple(piece(look, count) for look, count in Counter(lead.looks).items())
        return phrase("leads", "+ {pieces}", pieces=known) if more else phrase("leads", "− {pieces}", pieces=known)
    some = labels.terms.some(int(lead.high), lead.kinds)
    if lead.low < lead.high == 1:
        if more:
            return phrase("leads", "perhaps +1 {piece}", piece=some)
        return phrase("leads", "perhaps −1 {piece}", piece=some)
    if lead.low < lead.high:
        if more:
            return phrase("leads", "+{low} to {pieces}", low=lead.low, pieces=some)
        return phrase("leads", "−{low} to {pieces}", low=lead.low, pieces=some)
    if lead.high == 1:
        return phrase("leads", "+1 {piece}", piece=some) if more else phrase("leads", "−1 {piece}", piece=some)
    return phrase("leads", "+{pieces}", pieces=some) if more else phrase("leads", "−{pieces}", pieces=some)
