"""Outcome texts: what an answer leads to, in few enough words to stand beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.answer_outcomes import COUNTER, FEWER, MORE, POINTS, AnswerOutcome, OutcomeChange, OutcomeFinder
from rulewright.players.answer_trials import AnswerTrials
from rulewright.players.choice_grouping import AnswerKey, SeatCandidates
from rulewright.publish.labels import Labels
from rulewright.runtime.machine import OpenDecision
from rulewright.runtime.state import State

MAX_ANSWERS = 80
"""Limit of answers of a decision that are previewed; of more, none is."""
MAX_NUMBERS = 16
"""Limit of numbers as answers that are previewed; of more, none is."""


@record
class OutcomeTexts:
    """Texts about an answer's outcome.

    - texts: certain outcomes
    - perhaps: likely ones, which came out in all tries, without their sign
    - idle: nothing comes of it
    - reason: log line that would explain that, or ''
    - warning: why the answer needs a confirmation, or ''
    """

    texts: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    idle: bool = False
    reason: str = ""
    warning: str = ""

    @property
    def has_text(self) -> bool:
        """Whether an outcome is told, be it certain or not; `idle`, `reason` and `warning` do not count."""
        return bool(self.texts or self.perhaps)


def answers_to_preview(game: Game, info_state: State, decision: OpenDecision) -> dict[str, tuple[AnswerKey, ...]]:
    """Return the answers to preview, by the key of the chosen candidate, '' for choosing nothing.

    Empty where several candidates are chosen together, or there are too many, or only one that is no word.
    """
    choices = SeatCandidates(game.machine, decision.seat).choices(info_state, decision)
    element = game.program.sites[decision.site].element
    limit = MAX_NUMBERS if element.base == "number" else MAX_ANSWERS
    is_forced = sum(map(len, choices.values())) == decision.least
    if decision.most != 1 or (is_forced and element.base != "word") or len(choices) > limit:
        return {}
    keys_by_choice = {game.offer(decision).keys(items[:1])[0]: (key,) for key, items in choices.items()}
    return keys_by_choice | ({"": ()} if decision.least == 0 else {})


def picks_of_menu(game: Game, seat: int) -> list[str]:
    """Return the keys of a menu's entries that surely only pick what is asked next, which takes few trials; none for a
    question that is no menu."""
    info_state, decision = game.known(seat)
    if game.program.sites[decision.site].element.base not in ("branch", "truth"):
        return []
    trials = AnswerTrials(game.rules.edition, game.machine, info_state, seat)
    answers = answers_to_preview(game, info_state, decision) if trials.worlds else {}
    return [key for key, keys in answers.items() if keys and trials.is_pick(keys)]


def answer_of_keys(game: Game, info_state: State, decision: OpenDecision, keys: Sequence[str]) -> tuple[AnswerKey, ...]:
    """Return the answer that several keys make. Raises AnswerError."""
    choices = SeatCandidates(game.machine, decision.seat).choices(info_state, decision)
    key_of = {item: key for key, items in choices.items() for item in items}
    return tuple(key_of[item] for item in game.offer(decision).candidates_for(keys))


def outcomes_by_key(game: Game, seat: int) -> dict[str, AnswerOutcome]:
    """Return the outcomes of all `answers_to_preview` of a seat's decision. Raises AnswerError where it has none."""
    info_state, decision = game.known(seat)
    answer_keys = answers_to_preview(game, info_state, decision)
    outcomes = (
        OutcomeFinder(game.rules.edition, game.machine, info_state, seat).outcomes(decision, list(answer_keys.values()))
        if answer_keys
        else []
    )
    return dict(zip(answer_keys, outcomes, strict=True))


def warning(labels: Labels, seat: int, keys: Sequence[str]) -> str:
    """Return the warning about one answer, or ''. Raises AnswerError where it is not offered."""
    game = labels.game
    info_state, decision = game.known(seat)
    [outcome] = OutcomeFinder(game.rules.edition, game.machine, info_state, seat).outcomes(
        decision, [answer_of_keys(game, info_state, decision, keys)]
    )
    return outcome_texts(labels, seat, outcome).warning


def outcome_texts(labels: Labels, seat: int, outcome: AnswerOutcome) -> OutcomeTexts:
    """Return the texts of an outcome for the deciding seat."""
    say = labels.say
    texts = [say(_change_text(labels, seat, change)) for change in outcome.certain]
    uncertain = [say(_change_text(labels, seat, change)) for change in outcome.likely]
    ending = texts if outcome.tries == 0 else uncertain
    if outcome.ends:
        ending.append(say(phrase("leads", "ends the game")))
    if outcome.idle:
        ending.append(say(phrase("leads", "nothing comes of it")))
    reason = _reason_text(labels, seat, outcome)
    if outcome.done:
        done_text = say(phrase("leads", "you decide nothing more this round"))
        uncertain.append(labels.localizer.entry(done_text, reason) if reason else done_text)
    if outcome.declined:
        changes = labels.localizer.join_items([say(_change_text(labels, seat, change)) for change in outcome.declined])
        if_declined = uncertain if outcome.tries_declined else texts
        if_declined.append(say(phrase("leads", "{what} if the others pass", what=changes)))
    return OutcomeTexts(
        tuple(texts), tuple(uncertain), outcome.idle, "" if outcome.done else reason, _warning(labels, seat, outcome)
    )


def telling_outcomes(
    labels: Labels, decision: Decision, outcomes: Mapping[str, AnswerOutcome]
) -> dict[str, AnswerOutcome]:
    """Return outcomes without changes that would not help to choose.

    Those are changes that all answers but declining share, what the answer itself says, what is merely given, and
    guesses at more than points and counters.
    """
    labels_by_key = {choice.key: choice.label for choice in decision.choices}
    telling = {
        key: _telling_outcome(labels, decision, (key, labels_by_key.get(key, "")), outcome)
        for key, outcome in outcomes.items()
    }
    accepting = [outcome for key, outcome in telling.items() if key]
    if len(accepting) < 2:
        return telling
    certain, likely, declined = (
        set.intersection(*map(set, column))
        for column in zip(*((one.certain, one.likely, one.declined) for one in accepting), strict=True)
    )
    return {
        key: replace(
            outcome,
            certain=tuple(one for one in outcome.certain if one not in certain),
            likely=tuple(one for one in outcome.likely if one not in likely),
            declined=tuple(one for one in outcome.declined if one not in declined),
        )
        for key, outcome in telling.items()
    }


def _telling_outcome(
    labels: Labels, decision: Decision, answer: tuple[str, str], outcome: AnswerOutcome
) -> AnswerOutcome:
    """Return an outcome without what an answer, given by key and label, says itself. A warning keeps all of it."""
    if outcome.setback:
        return outcome
    key, label = answer
    guesses = decision.kind != "branch"
    if_declined = decision.kind == "number" or (guesses and not outcome.tries_declined)
    return replace(
        outcome,
        certain=tuple(
            one for one in outcome.certain if _is_telling(decision, key, one) and not _is_named(labels, one, label)
        ),
        likely=tuple(one for one in outcome.likely if guesses and _is_exact(one)),
        declined=tuple(
            one for one in outcome.declined if if_declined and _is_exact(one) and _is_telling(decision, key, one)
        ),
    )


def _is_exact(change: OutcomeChange) -> bool:
    """Return whether a change is of points or a counter, by a single amount."""
    return change.kind in (POINTS, COUNTER) and change.low == change.high


def _is_telling(decision: Decision, key: str, change: OutcomeChange) -> bool:
    """Return whether a change says something that the answer, such as an entry of a menu, does not. key: of the answer.
    Changes of points or counters that may be 0 or of either sign say nothing."""
    if decision.kind == "branch":
        return change.kind == POINTS and change.low == change.high
    if change.kind in (POINTS, COUNTER):
        is_answer = decision.kind == "number" and change.low == change.high and str(change.low) == key
        return change.low * change.high > 0 and not is_answer
    if decision.kind == "truth":
        return False
    return bool(change.looks) or (change.kind == MORE and change.low == change.high)


def _is_named(labels: Labels, change: OutcomeChange, label: str) -> bool:
    """Return whether an answer is called like the one piece that it brings."""
    return len(change.looks) == 1 and labels.say(labels.game.messages.piece(change.looks[0], 1)) == label


def _reason_text(labels: Labels, seat: int, outcome: AnswerOutcome) -> str:
    """Return the log line that would explain an outcome, or ''."""
    if outcome.reason is None:
        return ""
    number, arguments = outcome.reason
    return labels.say(labels.game.messages.text(labels.game.program.texts[number], arguments, seat))


def _warning(labels: Labels, seat: int, outcome: AnswerOutcome) -> str:
    """Return the warning that an amount costs the seat points, and how; '' if it does not."""
    if not outcome.setback:
        return ""
    changes, tries = (*outcome.certain, *outcome.likely), outcome.tries
    declined = not any(change.low < 0 and change.kind in (POINTS, COUNTER) for change in changes)
    if declined:
        changes, tries = outcome.declined, outcome.tries_declined
    changes_text = ("≈ " if tries else "") + labels.localizer.join_items(
        [labels.say(_change_text(labels, seat, change)) for change in changes]
    )
    slots: dict[str, float | str] = {"count": outcome.setback, "how": changes_text}
    if declined:
        message = phrase("leads", "If the others pass, this sets you back {count} [point|points]: {how}.", **slots)
    else:
        message = phrase("leads", "This sets you back {count} [point|points]: {how}.", **slots)
    return labels.say(message)


def preview_texts(labels: Labels, seat: int) -> dict[str, tuple[str, ...]]:
    """Return the texts beside each answer to a seat's decision, by key, with a sign before uncertain ones."""
    decision = labels.game.decision(seat, labels.language)
    assert decision is not None
    telling = telling_outcomes(labels, decision, outcomes_by_key(labels.game, seat))
    outcomes = {key: outcome_texts(labels, seat, outcome) for key, outcome in telling.items()}
    texts_by_key = {
        key: (*one.texts, *(f"≈ {text}" for text in one.perhaps)) for key, one in outcomes.items() if one.has_text
    }
    localizer = labels.localizer
    return {
        key: (localizer.entry(localizer.join_items(list(texts)), outcomes[key].reason),)
        if outcomes[key].reason
        else texts
        for key, texts in texts_by_key.items()
    }


def uncertainty_note(labels: Labels, outcomes: Sequence[AnswerOutcome]) -> str:
    """Explain the sign before uncertain outcomes; '' where all is certain."""
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


def _change_text(labels: Labels, seat: int, change: OutcomeChange) -> Phrase:
    """Describe one change of an outcome."""
    if change.kind in (MORE, FEWER):
        return _pieces_text(labels, change)
    amount = _amount(labels, change.low, change.high)
    counter = labels.counter(change.name) if change.kind == COUNTER else ""
    left = _counter_value(labels, seat, change.name) + change.low if counter else 0
    if counter and change.low == change.high < 0 <= left:
        return phrase("leads", "{counter} {amount} ({left} left)", counter=counter, amount=amount, left=left)
    if counter:
        return phrase("leads", "{counter} {amount}", counter=counter, amount=amount)
    if max(abs(change.low), abs(change.high)) == 1:
        return phrase("leads", "{amount} point", amount=amount)
    return phrase("leads", "{amount} points", amount=amount)


def _counter_value(labels: Labels, seat: int, name: str) -> int:
    """Return the present value of a seat's counter."""
    values = labels.game.view(seat).counters[name]
    value = values[seat] if isinstance(values, tuple) else 0
    return value if isinstance(value, int) else 0


def _amount(labels: Labels, low: float, high: float) -> str | Phrase:
    """Return a change or a range of changes, the value nearer to zero first."""
    near, far = sorted((low, high), key=abs)
    if near == far:
        return _signed_number(labels, far)
    if near == 0:
        return phrase("leads", "up to {amount}", amount=_signed_number(labels, far))
    return phrase("leads", "{near} to {far}", near=_signed_number(labels, near), far=_signed_number(labels, far))


def _signed_number(labels: Labels, number: float) -> str:
    """Return a number with its sign, '+' too."""
    return ("+" if number > 0 else "") + labels.localizer.number(number)


def _pieces_text(labels: Labels, change: OutcomeChange) -> Phrase:
    """Describe pieces that a seat gains or loses."""
    more = change.kind == MORE
    if change.looks:
        piece = labels.game.messages.piece
        pieces = tuple(piece(look, count) for look, count in Counter(change.looks).items())
        return phrase("leads", "+ {pieces}", pieces=pieces) if more else phrase("leads", "− {pieces}", pieces=pieces)
    some = labels.terms.any_of_kinds(int(change.high), change.kinds)
    if change.low < change.high == 1:
        if more:
            return phrase("leads", "perhaps +1 {piece}", piece=some)
        return phrase("leads", "perhaps −1 {piece}", piece=some)
    if change.low < change.high:
        if more:
            return phrase("leads", "+{low} to {pieces}", low=change.low, pieces=some)
        return phrase("leads", "−{low} to {pieces}", low=change.low, pieces=some)
    if change.high == 1:
        return phrase("leads", "+1 {piece}", piece=some) if more else phrase("leads", "−1 {piece}", piece=some)
    return phrase("leads", "+{pieces}", pieces=some) if more else phrase("leads", "−{pieces}", pieces=some)
