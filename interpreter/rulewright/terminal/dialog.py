"""Dialog at a terminal: questions with notes, commands typed instead of answers, and small menus."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from rulewright.base.diagnostics import nearest_of
from rulewright.game.decisions import Decision
from rulewright.i18n.localizer import Phrase, phrase, suggestion
from rulewright.publish import outcome_texts
from rulewright.publish.console import Console, Styled
from rulewright.publish.labels import Labels
from rulewright.terminal import prompt
from rulewright.terminal.pace import UserQuit

_WITH_ARGUMENT = ("save", "?", "lang", "log", "pace")
"""Commands that may have an argument."""
_ALIASES = {"exit": "quit", "rules": "?", "q": "quit"}
"""Other spellings of commands."""


def build_question(labels: Labels, decision: Decision) -> prompt.Question:
    """Build a question with notes: what pieces show, what answers lead to, and who is still in."""
    leads_by_key = outcome_texts.preview_texts(labels, decision.seat)
    notes = {
        choice.key: [labels.signs_text(choice.name), *leads_by_key.get(choice.key, ())] for choice in decision.choices
    }
    notes[""] = [*leads_by_key.get("", ())]
    row = labels.localizer.join_items
    note_texts = {key: row(list(filter(None, texts))) for key, texts in notes.items() if any(texts)}
    last_numbers = dict(zip(decision.among, decision.last_numbers, strict=False))
    still_in = row([_with_last_number(labels, seat, last_numbers.get(seat)) for seat in decision.among])
    among = labels.localizer.entry(labels.say(phrase("page", "Still in")), still_in) if still_in else ""
    offered = [choice.name for choice in decision.choices if choice.name]
    order = {**labels.order, **{name: labels.piece_order(name) for name in offered}}
    return prompt.make_question(decision, order, labels.boards, labels.localizer, note_texts, among)


def _with_last_number(labels: Labels, seat: int, last: int | None) -> str:
    """Format a name with the last number that this seat has named."""
    name, localizer = labels.name(seat), labels.localizer
    return name if last is None else localizer.with_note(name, localizer.number(last))


def parse_command(text: str, commands: Collection[str], question: prompt.Question | None = None) -> tuple[str, str]:
    """Split a line into a command and its argument; ('', '') if it is an answer.

    commands: valid ones; question: a line that names one of its choices is an answer, unless it begins with / or ?.
    """
    if text.startswith("?"):
        return "?", text[1:].strip()
    word, _, argument = text.removeprefix("/").partition(" ")
    word = _ALIASES.get(word.casefold(), word.casefold())
    if word not in commands or (argument and word not in _WITH_ARGUMENT):
        return "", ""
    if question is not None and not text.startswith("/") and prompt.is_choice(text, question):
        return "", ""
    return word, argument.strip()


def complain(
    console: Console, message: Phrase | str, text: str, question: prompt.Question, commands: Collection[str]
) -> None:
    """Explain why a line is no answer, and suggest a command that may have been meant, unless a choice is nearer."""
    word = text.split(maxsplit=1)[0] if text else ""
    guessed = word and not nearest_of(text, question.labels) and len(word) > 2
    hint = console.translate(suggestion(word, list(commands))) if guessed else ""
    console.paragraph(f"{console.translate(message)} {hint}".strip(), style="bad")


def pick_option(console: Console, options: Sequence[str]) -> int:
    """Ask for one of a few options by number or by the beginning of its name, and return its index; Enter takes the
    first. Raises UserQuit, EndOfInput."""
    for number, text in enumerate(options, 1):
        console.write_line("  ", Styled(f"{number})", "key"), f" {text}")
    while True:
        answer = console.ask(phrase("menu", "Number or name [1]>"), options).strip()
        if parse_command(answer, ("quit",))[0]:
            raise UserQuit
        if not answer:
            return 0
        if re.fullmatch("[0-9]{1,4}", answer) and 1 <= int(answer) <= len(options):
            return int(answer) - 1
        matches = [number for number, option in enumerate(options) if option.casefold().startswith(answer.casefold())]
        if len(matches) == 1:
            return matches[0]
        message = phrase(
            "menu", "Type a number from 1 to {count}. {hint}", count=len(options), hint=suggestion(answer, options)
        )
        console.paragraph(message, style="bad")


def confirm_answer(console: Console, labels: Labels, decision: Decision, keys: Sequence[str]) -> bool:
    """Return whether an answer is meant: ask again about an amount that would cost points unexpectedly, True for all
    others."""
    warning = outcome_texts.warning(labels, decision.seat, keys) if decision.kind == "number" and len(keys) == 1 else ""
    if not warning:
        return True
    console.paragraph(warning, style="bad")
    yes, no = (prompt.truth_words(key, console.localizer) for key in (prompt.YES, prompt.NO))
    doubt = console.localizer.say(phrase("page", "Do you still want to do this?"))
    return console.ask(f"{console.localizer.with_note(doubt, f'{yes[-1]}/{no[-1]}')}>").strip().casefold() in yes
