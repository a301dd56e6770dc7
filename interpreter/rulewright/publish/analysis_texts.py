"""Analysis of a game in words: verdicts, costs, what was better and what may follow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.i18n.localizer import DecimalNumber, Phrase, phrase
from rulewright.players.analysis import BEST, BLUNDER, CLOSE, ERRORS, GOOD, INACCURACY, MISTAKE, JudgedDecision
from rulewright.publish.console import Console, Styled
from rulewright.publish.labels import Labels

SIGNS = {BEST: "★", GOOD: "✓", CLOSE: "≈", INACCURACY: "?!", MISTAKE: "?", BLUNDER: "??"}
"""Signs of verdicts, the best first."""


@record
class AnswerText:
    """Answer in words, with its value and half of the value's interval, in per cent."""

    text: str
    value: str
    margin: str


@record
class DecisionText:
    """Judged decision in words.

    - played, best: the answer given and the best one
    - others: further answers, the best first
    - verdict: in a word
    - summary: what was played, and what was better
    - cost: of the played answer, with its interval; '' where it was the best one
    - meaning: of that cost in one plain sentence; '' where it was the best one
    - certainty: how often the answers were tried, and how sure the values are
    - line: what may follow the best answer, itself first
    - followed: the answer given and what followed in the game; () unless it was an error
    """

    played: AnswerText
    best: AnswerText
    others: tuple[AnswerText, ...]
    verdict: str
    summary: str
    cost: str
    meaning: str
    certainty: str
    line: tuple[str, ...]
    followed: tuple[str, ...]


def verdict_word(verdict: str) -> Phrase:
    """Return the word for a verdict."""
    return {
        BEST: phrase("analysis", "best"),
        GOOD: phrase("analysis", "good"),
        CLOSE: phrase("analysis", "too close to call"),
        INACCURACY: phrase("analysis", "inaccuracy"),
        MISTAKE: phrase("analysis", "mistake"),
        BLUNDER: phrase("analysis", "blunder"),
    }[verdict]


def verdict_title(verdict: str) -> Phrase:
    """Return the title of a column that counts verdicts."""
    return {
        BEST: phrase("analysis", "Best"),
        GOOD: phrase("analysis", "Good"),
        CLOSE: phrase("analysis", "Close"),
        INACCURACY: phrase("analysis", "Inaccuracies"),
        MISTAKE: phrase("analysis", "Mistakes"),
        BLUNDER: phrase("analysis", "Blunders"),
    }[verdict]


def has_two_sides(game: Game) -> bool:
    """Return whether two sides play: then a value is a chance to win."""
    state = game.history.present
    return len(set(game.program.seat_sides(state))) == 2


def meaning_of_values(game: Game) -> Phrase:
    """Return what the values of an analysis stand for."""
    if has_two_sides(game):
        return phrase("analysis", "Chance to win, as far as each player could know; a draw counts half.")
    return phrase("analysis", "How well things stood, as far as each player could know: 100% is first, 0% is last.")


def describe(labels: Labels, judged: JudgedDecision) -> DecisionText:
    """Describe a judged decision of the labels' game, which is over."""
    game = labels.game
    before = game.with_history(game.history.before(judged.number))
    played, best, *others = (
        AnswerText(_answer(before, labels, judged.seat, one.keys), *_percents(labels, one.value.mean, one.value.margin))
        for one in (judged.played, judged.best, *judged.others)
    )
    if judged.verdict == BEST:
        summary = phrase("analysis", "{played}: nothing was better", played=played.text)
    elif judged.verdict == CLOSE:
        summary = phrase("analysis", "{played} or {best}", played=played.text, best=best.text)
    else:
        summary = phrase("analysis", "{played} instead of {best}", played=played.text, best=best.text)
    cost, margin = _percents(labels, -judged.cost.mean, judged.cost.margin)
    return DecisionText(
        played,
        best,
        tuple(others),
        labels.say(verdict_word(judged.verdict)),
        labels.say(summary),
        "" if judged.verdict == BEST else f"{cost} ± {margin}",
        _meaning(labels, judged, played, best),
        _certainty(labels, judged, cost, margin),
        tuple(_line(labels, judged)),
        tuple(_followed(labels, judged)) if judged.verdict in ERRORS else (),
    )


def _meaning(labels: Labels, judged: JudgedDecision, played: AnswerText, best: AnswerText) -> str:
    """Return in one plain sentence what the played answer cost; '' where it was the best one."""
    slots = {"played": played.value, "best": best.value}
    if judged.verdict == BEST:
        return ""
    if judged.verdict == CLOSE:
        return labels.say(phrase("analysis", "Both are about equally good."))
    if judged.verdict == GOOD:
        return labels.say(phrase("analysis", "It is almost as good."))
    if has_two_sides(labels.game):
        return labels.say(phrase("analysis", "The chance to win fell from {best} to {played}.", **slots))
    return labels.say(phrase("analysis", "The outlook fell from {best} to {played}.", **slots))


def _certainty(labels: Labels, judged: JudgedDecision, cost: str, margin: str) -> str:
    """Return how often the answers were tried, and how sure their difference is."""
    tries = DecimalNumber(judged.tries, 0)
    if judged.verdict == BEST:
        text = phrase("analysis", "The computer tried each answer {tries} times.", tries=tries)
    else:
        text = phrase(
            "analysis",
            "The computer tried each answer {tries} times. The difference is {cost}, give or take {margin}.",
            tries=tries,
            cost=cost,
            margin=margin,
        )
    return labels.say(text)


def reason(labels: Labels, judged: JudgedDecision) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the answer that was given, and why, each reason with its label: what it is worth beside the next best one,
    and what may follow. The labels' game may go on."""
    texts = describe(labels, judged)
    rivals = [(judged.best, texts.best), *zip(judged.others, texts.others, strict=True)]
    rivals = [rival for rival in rivals if rival[0] != judged.played]
    played, sentences = judged.played.value, []
    if rivals:
        other, text = max(rivals, key=lambda rival: rival[0].value.mean)
        slots = {"answer": texts.played.text, "value": texts.played.value, "other": text.text, "less": text.value}
        if judged.verdict in ERRORS:
            sentence = phrase("analysis", "{other} would be better: {less} instead of {value}.", **slots)
        elif played.mean - other.value.mean > played.margin + other.value.margin:
            sentence = phrase("analysis", "With {answer} the chance to win is {value}, with {other} {less}.", **slots)
        else:
            sentence = phrase("analysis", "{answer} and {other} are about equally good.", **slots)
        sentences.append(sentence)
    lines = [(phrase("analysis", "Beside the next best move"), labels.say(sentence)) for sentence in sentences]
    if len(texts.line) > 1:
        lines.append((phrase("page", "What may follow"), " · ".join(texts.line)))
    return texts.played.text, tuple((labels.say(label), text) for label, text in lines)


def _percents(labels: Labels, value: float, margin: float) -> tuple[str, str]:
    """Return a value in per cent, and half of its interval as a number."""
    decimal = labels.localizer.decimal
    return decimal(DecimalNumber(round(value, 2) + 0.0, 0, percent=True)), decimal(DecimalNumber(100 * margin, 0))


def _answer(game: Game, labels: Labels, seat: int, keys: Sequence[str]) -> str:
    """Return a seat's answer at the present of a game as text; '' where it is not asked."""
    decision = game.decision(seat, labels.language)
    return labels.answer(decision, keys) if decision is not None else ""


def _line(labels: Labels, judged: JudgedDecision) -> Iterable[str]:
    """Yield what may follow the best answer, itself first."""
    game = labels.game
    if not judged.line:
        return
    following = game.with_history(game.history.before(judged.number))
    first = judged.best if judged.verdict in ERRORS else judged.played
    for seat, keys in [(judged.seat, first.keys), *((one.seat, one.keys) for one in judged.line)]:
        yield _answer(following, labels, seat, keys)
        following.answer(seat, keys)


def _followed(labels: Labels, judged: JudgedDecision) -> Iterable[str]:
    """Yield the answer that was given and as many that followed in the game as the line has, each as its seat saw
    it."""
    game = labels.game
    first = judged.number
    for number, answered in enumerate(game.history.answers[first : first + 1 + len(judged.line)], first):
        before = game.with_history(game.history.before(number))
        yield _answer(before, labels, answered.seat, answered.keys)


# ── at a terminal ──


def write_decision(console: Console, labels: Labels, judged: JudgedDecision) -> None:
    """Write one judged decision."""
    texts = describe(labels, judged)
    sign = SIGNS[judged.verdict]
    head = phrase(
        "analysis",
        "{number}. {name}, {verdict}",
        number=judged.number + 1,
        name=labels.names([judged.seat])[0],
        verdict=texts.verdict,
    )
    console.write_line(
        Styled(f"{sign:>3} ", "bad" if judged.verdict in ERRORS else "faint"), Styled(labels.say(head), "strong")
    )
    slots = {"summary": texts.summary, "played": texts.played.value, "best": texts.best.value, "cost": texts.cost}
    text = phrase("analysis", "{summary} ({played}).", **slots)
    if texts.cost:
        text = phrase("analysis", "{summary}: {cost} ({played} instead of {best}).", **slots)
    console.paragraph(text, "    ")
    if texts.line:
        console.paragraph(phrase("analysis", "What may follow: {line}.", line=" · ".join(texts.line)), "    ")
        console.paragraph(phrase("analysis", "In the game: {line}.", line=" · ".join(texts.followed)), "    ")


def write_summary(console: Console, labels: Labels, judged: Sequence[JudgedDecision]) -> None:
    """Write for each seat how many decisions got which verdict, and what all errors cost."""
    console.write_line()
    for seat in sorted({one.seat for one in judged}):
        own = [one for one in judged if one.seat == seat]
        counts = [
            f"{labels.say(verdict_title(verdict))} {count}"
            for verdict in SIGNS
            if (count := sum(one.verdict == verdict for one in own))
        ]
        lost = DecimalNumber(sum(one.cost.mean for one in own if one.verdict in ERRORS), 0, percent=True)
        text = phrase("analysis", "{counts}; lost {lost}", counts=" · ".join(counts), lost=lost)
        console.paragraph(text, first=Styled(labels.heading_label(labels.name(seat)), "strong"), hang="  ")


# ── for programs ──


def as_json(labels: Labels, judged: JudgedDecision) -> dict[str, object]:
    """Return one judged decision as JSON values, with its texts."""
    texts = describe(labels, judged)
    answers = [(judged.played, texts.played), (judged.best, texts.best), *zip(judged.others, texts.others, strict=True)]
    played, best, *others = (
        {"take": list(one.keys), "text": text.text, "value": one.value.mean, "margin": one.value.margin}
        for one, text in answers
    )
    return {
        "answer": judged.number,
        "seat": judged.seat,
        "round": judged.round,
        "verdict": judged.verdict,
        "cost": judged.cost.mean,
        "margin": judged.cost.margin,
        "tries": judged.tries,
        "played": played,
        "best": best,
        "others": others,
        "line": list(texts.line),
        "followed": list(texts.followed),
    }
