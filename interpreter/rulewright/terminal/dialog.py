"""A question put to somebody at a terminal, and what is typed under it: an answer, or a command."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rulewright.base.diagnostics import nearest
from rulewright.game.game import Decision
from rulewright.i18n.localizer import Phrase, meant, phrase
from rulewright.publish import outcome_texts
from rulewright.publish.console import Console, Styled
from rulewright.publish.labels import Labels
from rulewright.terminal import prompt
from rulewright.terminal.pace import Left

_TAKING_MORE = ("save", "?", "lang", "log", "pace")
_ALSO_CALLED = {"exit": "quit", "rules": "?", "q": "quit"}


def question(labels: Labels, decision: Decision) -> prompt.Question:
    """With a note beside each answer: what its piece shows, and what it leads to; and with who is still in."""
    told = outcome_texts.preview_texts(labels, decision.seat)
    notes = {choice.key: [labels.signs_text(choice.name), *told.get(choice.key, ())] for choice in decision.choices}
    notes[""] = [*told.get("", ())]
    row = labels.speech.row
    shown = {key: row(list(filter(None, texts))) for key, texts in notes.items() if any(texts)}
    named = dict(zip(decision.among, decision.named, strict=False))
    still_in = row([_with_last(labels, seat, named.get(seat)) for seat in decision.among])
    among = labels.speech.entry(labels.say(phrase("page", "Still in")), still_in) if still_in else ""
    offered = [choice.name for choice in decision.choices if choice.name]
    order = {**labels.order, **{name: labels.piece_order(name) for name in offered}}
    return prompt.question(decision, order, labels.boards, labels.speech, shown, among)


def _with_last(labels: Labels, seat: int, last: int | None) -> str:
    """A name, and the last number that was named."""
    name, speech = labels.name(seat), labels.speech
    return name if last is None else speech.noted(name, speech.number(last))


def command(text: str, known: Collection[str], asked: prompt.Question | None = None) -> tuple[str, str]:
    """The command in a line, and what follows it; ('', '') where it is an answer. known: the commands that there
    are."""
    if text.startswith("?"):
        return "?", text[1:].strip()
    word, _, argument = text.removeprefix("/").partition(" ")
    word = _ALSO_CALLED.get(word.casefold(), word.casefold())
    if word not in known or (argument and word not in _TAKING_MORE):
        return "", ""
    if asked is not None and not text.startswith("/") and prompt.is_choice(text, asked):
        return "", ""
    return word, argument.strip()


def complain(
    console: Console, message: Phrase | str, text: str, asked: prompt.Question, known: Collection[str]
) -> None:
    """Say why a line is no answer, and which command may have been meant."""
    word = text.split(maxsplit=1)[0] if text else ""
    guessed = word and not nearest(text, asked.labels) and len(word) > 2
    hint = console.translate(meant(word, list(known))) if guessed else ""
    console.paragraph(f"{console.translate(message)} {hint}".strip(), style="bad")


def pick(console: Console, ways: Sequence[str]) -> int:
    """One of a few ways on; Enter takes the first. Raises Left."""
    for number, text in enumerate(ways, 1):
        console.write_line("  ", Styled(f"{number})", "key"), f" {text}")
    while True:
        answer = console.ask(phrase("menu", "Number or name [1]>"), ways).strip()
        if command(answer, ("quit",))[0]:
            raise Left
        if not answer:
            return 0
        if re.fullmatch("[0-9]{1,4}", answer) and 1 <= int(answer) <= len(ways):
            return int(answer) - 1
        found = [number for number, way in enumerate(ways) if way.casefold().startswith(answer.casefold())]
        if len(found) == 1:
            return found[0]
        told = phrase("menu", "Type a number from 1 to {count}. {hint}", count=len(ways), hint=meant(answer, ways))
        console.paragraph(told, style="bad")


def is_meant(console: Console, labels: Labels, decision: Decision, keys: Sequence[str]) -> bool:
    """Whether an amount is given knowingly: where it leads to what one may not expect, that is asked once more."""
    warning = outcome_texts.warning(labels, decision.seat, keys) if decision.kind == "number" and len(keys) == 1 else ""
    if not warning:
        return True
    console.paragraph(warning, style="bad")
    yes, no = (prompt.said_for(key, console.speech) for key in (prompt.YES, prompt.NO))
    again = console.speech.say(phrase("page", "Do you still want to do this?"))
    return console.ask(f"{console.speech.noted(again, f'{yes[-1]}/{no[-1]}')}>").strip().casefold() in yes
