"""View of a seat's decision: the question, its choices, and the rule that it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.base.rule_keys import RuleKey
from rulewright.game.choices import Choice
from rulewright.game.decisions import Decision
from rulewright.game.picks import knows_all, picks
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.labels import Labels
from rulewright.publish.rulebook.model import anchor
from rulewright.publish.scores import score_pad
from rulewright.server.views.document import Asked, ChainPick, Offered
from rulewright.server.views.memo import Memo, NoMemo
from rulewright.server.views.table_metadata import flow_analysis

PIECE, WORD, BRANCH = "piece", "word", "branch"
"""Kinds of decisions: in the first two, keys are names of what is chosen; in the third, of branches."""


def question_now(labels: Labels, seat: int, question: int, memo: Memo | None = None) -> Asked | None:
    """Return a seat's decision, or None. question: the number that its answer must quote."""
    if seat not in labels.game.pending.seats:
        return None
    log_length = labels.game.log.length if labels.game.program.has_dropouts else 0  # it tells what others have named
    memo = memo or NoMemo()
    return memo.once(
        ("asked", labels.language, seat), lambda: _open_question(labels, seat, question, memo), (question, log_length)
    )


def _open_question(labels: Labels, seat: int, question: int, memo: Memo) -> Asked | None:
    """Return a seat's decision for the page; None without one."""
    decision = labels.game.decision(seat, labels.language)
    if decision is None:
        return None
    rule, passage = memo.fixed(("rule", decision.step, decision.phase), lambda: _rule_of(labels, decision))
    choices, zone, words = _offered(labels, decision)
    return Asked(
        question=question,
        kind=decision.kind,
        prompt=decision.prompt,
        least=decision.least,
        most=decision.most,
        choices=choices,
        zone=zone,
        words=words,
        none=_button_text(decision.none),
        some=_button_text(decision.some),
        all=_button_text(decision.whole),
        none_at=decision.none_at,
        wanted=labels.say(_wanted_text(decision)),
        rule=labels.game.rule_texts.rule(rule, seat, labels.language),
        passage=passage,
        about=decision.about,
        among=decision.among,
        named=decision.last_numbers if any(number is not None for number in decision.last_numbers) else (),
        purse=_purse(labels, decision),
        into=flow_analysis(labels.game).targets.get(decision.id, ""),
        picked=tuple(_picked(labels, seat)),
        finish=_finish(labels, seat, decision),
    )


def _finish(labels: Labels, seat: int, decision: Decision) -> ChainPick | None:
    """Return the question about lines of a score pad that comes once everything is taken, as when all dice are kept;
    None without one, or where something is hidden from the seat."""
    game, pad = labels.game, score_pad(labels.edition)
    everything = [choice.key for choice in decision.choices for _ in range(choice.count)]
    if pad is None or not 1 < len(everything) == decision.most or not knows_all(game, seat):
        return None
    after = game.copy()
    after.answer(seat, everything)
    question = after.decision(seat, labels.language)
    if question is None or question.most != 1 or {choice.words for choice in question.choices} != {pad["words"]}:
        return None
    return ChainPick("", question.kind, *_offered(Labels(after, labels.language), question))


def _purse(labels: Labels, decision: Decision) -> tuple[str, int] | None:
    """Return the seat's counter that a prompt for a bid tells, with its value: what it can pay from."""
    if decision.kind != "number" or decision.most != 1 or not (decision.about or decision.among):
        return None
    site = next(site for site in labels.game.program.sites if site.id == decision.id)
    for slot in site.ask.slots:
        counter = labels.edition.counters.get(slot)
        if counter is not None and counter.of == "seat" and counter.shown:
            values = labels.game.view(decision.seat).counters[slot]
            value = values[decision.seat] if isinstance(values, tuple) else None
            return (slot, value) if isinstance(value, int) else None
    return None


def _offered(labels: Labels, decision: Decision) -> tuple[tuple[Offered, ...], str, str]:
    """Return the choices of a decision, and the zone and word list that all have in common."""
    choices = decision.choices
    if decision.kind == PIECE and not any(choice.place for choice in choices):
        choices = tuple(sorted(choices, key=lambda choice: labels.piece_order(choice.name)))
    zone, words = _common([choice.zone for choice in choices]), _common([choice.words for choice in choices])
    return tuple([_choice(labels, decision.kind, choice, zone, words) for choice in choices]), zone, words


def _picked(labels: Labels, seat: int) -> Iterator[ChainPick]:
    """Yield the picks that led to a seat's decision, the newest first."""
    game = labels.game
    for number in picks(game, seat):
        decision = game.with_history(game.history.before(number)).decision(seat, labels.language)
        if decision is None or decision.most != 1:
            return
        yield ChainPick(game.history.answers[number].keys[0], decision.kind, *_offered(labels, decision))


def question_after(labels: Labels, seat: int, key: str) -> ChainPick | None:
    """Return the question that a seat's answer leads to, if that is a pick; else None. Raises AnswerError."""
    game = labels.game.copy()
    game.answer(seat, [key])
    decision = game.decision(seat, labels.language) if picks(game, seat) else None
    return (
        None if decision is None else ChainPick(key, decision.kind, *_offered(Labels(game, labels.language), decision))
    )


def _rule_of(labels: Labels, decision: Decision) -> tuple[RuleKey, str]:
    """Return the rule of a decision, and its anchor in the rulebook: its step's, or else the phase's."""
    own, phase = RuleKey.of("steps", decision.step), RuleKey.of("phases", decision.phase)
    rule = own if own in labels.game.program.rules or phase not in labels.game.program.rules else phase
    return rule, anchor(rule)


def _common(texts: Iterable[str]) -> str:
    """Return the value that all have in common, or ''."""
    values = set(texts)
    return values.pop() if len(values) == 1 else ""


def _choice(labels: Labels, kind: str, choice: Choice, zone: str, words: str) -> Offered:
    """Return a choice for the page. zone, words: what all choices have in common, which is left out here."""
    key, name = choice.key, choice.name
    label = _button_text(choice.label) if kind == BRANCH else choice.label
    usual = labels.piece(name) if name else key
    return Offered(
        key,
        "" if label == usual else label,
        choice.count,
        "" if kind == PIECE and name == key else name,
        "" if zone else choice.zone,
        "" if words else choice.words,
        "" if kind == WORD and choice.word == key else choice.word,
        choice.place,
        choice.owner,
    )


def _button_text(text: str) -> str:
    """Return the text of an answer as a button has it, without a full stop."""
    return text if text.endswith("..") else text.removesuffix(".")


def _wanted_text(decision: Decision) -> Phrase:
    """Return how many to choose, in words."""
    if decision.least == decision.most:
        return phrase("page", "Choose {count}.", count=decision.most)
    if decision.least:
        return phrase("page", "Choose {least} to {most}.", least=decision.least, most=decision.most)
    return phrase("page", "Choose up to {most}.", most=decision.most)
