"""A decision in words, with numbered answers, and what people type made into an answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from string import ascii_lowercase

from rulewright.base.records import record
from rulewright.game.game import Choice, Decision
from rulewright.game.messages import answer
from rulewright.i18n.localizer import Either, Phrase, Speech, english, meant, phrase
from rulewright.publish.console import ConsoleLine, Styled, cell_width, flow, shorten, wrap
from rulewright.terminal import board_choices

YES, NO = "yes", "no"
DECLINE, DECLINE_BESIDE_LETTERS = "0", "-"
"""What chooses nothing. Enter never does: nobody passes by leaning on a key."""

_MOST_SHOWN = 40
_MOST_SPACES_NUMBERED = 9
_SHORTEST_PREFIX = 2
_SHOWN_OF_ANSWER = 40


class NotUnderstood(Exception):
    """What was typed is no answer; the phrase says why and what would be one."""

    def __init__(self, why: Phrase) -> None:
        super().__init__(why)
        self.why = why


@record
class Question:
    """A decision and its choices in the order in which they are listed. by_rows: whether they are no list, but many
    spaces of a board; speech: in whose words the answers are; notes: what there is to say of choices, by their keys;
    among: who is still in, where some drop out."""

    decision: Decision
    choices: tuple[Choice, ...]
    by_rows: bool = False
    speech: Speech = field(default_factory=english, compare=False)
    notes: Mapping[str, str] = field(default_factory=dict)
    among: str = ""

    @property
    def truths(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What may be typed for yes and for no: a word, or its first letter."""
        return said_for(YES, self.speech), said_for(NO, self.speech)

    @property
    def none(self) -> Phrase | str:
        """What choosing nothing is called."""
        return self.decision.none or phrase("prompt", "Nothing.")

    @property
    def total(self) -> int:
        return sum(choice.count for choice in self.choices)

    @property
    def forced(self) -> bool:
        """Whether there is but one answer."""
        return self.decision.least == self.total or (
            len(self.choices) == 1 and self.decision.least == self.decision.most
        )

    @property
    def pieces(self) -> list[str]:
        """The pieces that can be chosen, each as often as it can be."""
        if self.decision.kind != "piece":
            return []
        return [choice.key for choice in self.choices for _ in range(choice.count)]

    @property
    def offered(self) -> list[str]:
        """The keys of all choices, each as often as it can be taken, in the order in which the game offers them."""
        return [choice.key for choice in self.decision.choices for _ in range(choice.count)]

    @property
    def labels(self) -> list[str]:
        return [choice.label for choice in self.choices]

    @cached_property
    def marks(self) -> list[str]:
        """What stands before each choice and may be typed for it: numbers; letters where a number is the name of
        another, so that '2' is never two things."""
        count, names = len(self.choices), set(self.labels)
        numbers = [str(number) for number in range(1, count + 1)]
        taken = any(name in names and name != label for name, label in zip(numbers, self.labels, strict=True))
        if (not taken and (self.decision.least or DECLINE not in names)) or count > len(ascii_lowercase):
            return numbers
        letters = list(ascii_lowercase[:count])
        return numbers if names & set(letters) else letters

    @property
    def lettered(self) -> bool:
        return self.marks[:1] == ["a"]

    @property
    def decline(self) -> str:
        """What may be typed to choose nothing."""
        return DECLINE_BESIDE_LETTERS if self.lettered else DECLINE


def question(
    decision: Decision,
    order: Mapping[str, int],
    boards: Collection[str] = (),
    speech: Speech | None = None,
    notes: Mapping[str, str] | None = None,
    among: str = "",
) -> Question:
    """The decision with its pieces in the edition's order, which is always the same; where they are told apart by their
    places, in the order in which they lie.

    boards: the word lists of drawn boards' spaces; notes, among: see Question.
    """
    choices = decision.choices
    if decision.kind == "piece" and not any(choice.place for choice in choices):
        choices = tuple(sorted(choices, key=lambda choice: order.get(choice.name, len(order))))
    by_rows = len(choices) > _MOST_SPACES_NUMBERED and board_choices.are_placed(choices, boards)
    return Question(decision, choices, by_rows, speech or english(), notes or {}, among)


# ── asking ──


def lines(asked: Question, width: int) -> list[ConsoleLine]:
    """The question, its choices and how to answer them."""
    decision = asked.decision
    shown: list[ConsoleLine] = [[Styled(line, "strong")] for line in wrap(decision.prompt, width)]
    if asked.among:
        shown += [["  ", line] for line in wrap(asked.among, width - 2)]
    if decision.kind == "number":
        shown += [["  ", line] for line in wrap(asked.speech.say(_numbers(asked)), width - 2)]
    elif asked.by_rows:
        shown += [["  ", line] for line in board_choices.told(asked.choices, width - 2, asked.speech.entry)]
    elif decision.kind != "truth":
        shown += marked(asked, width)
    if decision.least == 0:
        head = f"{asked.decline:>{max(map(len, asked.marks), default=1)}})"
        none, note = asked.speech.say(asked.none), asked.notes.get("")
        none = asked.speech.noted(none, note) if note else none
        first, *more = wrap(none, max(8, width - len(head) - 3)) or [""]
        shown.append(["  ", Styled(head, "key"), f" {first}"])
        shown += [[" " * (len(head) + 3), line] for line in more]
    return shown


def marked(asked: Question, width: int) -> list[ConsoleLine]:
    """`1) this  2) that ×2`, in columns; one below the other where one alone needs several lines."""
    digits = max(map(len, asked.marks), default=1)
    texts = [flow([_shown(asked, choice)], max(8, width - digits - 4)) for choice in asked.choices]
    widest = max(cell_width(line) for text in texts for line in text)
    columns = max(1, width // (widest + digits + 4)) if all(len(text) == 1 for text in texts) else 1
    lines: list[ConsoleLine] = []
    for number, (first, *more) in enumerate(texts):
        entry: ConsoleLine = [
            "  ",
            Styled(f"{asked.marks[number]:>{digits}})", "key"),
            f" {first}{' ' * (widest - cell_width(first))}",
        ]
        if number % columns:
            lines[-1] = [*lines[-1], *entry]
        else:
            lines.append(entry)
        lines += [[" " * (digits + 4), line] for line in more]
    return lines


def _shown(asked: Question, choice: Choice) -> str:
    """`this (what there is to say of it) ×2`"""
    note = asked.notes.get(choice.key)
    return asked.speech.times(asked.speech.noted(choice.label, note) if note else choice.label, choice.count)


def invitation(asked: Question, name: str) -> str:
    """What stands before the cursor: who is asked, and how much is wanted."""
    decision, noted = asked.decision, asked.speech.noted
    if decision.kind == "truth":
        yes, no = asked.truths
        return f"{noted(name, f'{yes[-1]}/{no[-1]}')}>"
    if asked.forced:
        only = asked.speech.say(phrase("prompt", "Enter: {none}", none=_forced_text(asked)))
        return f"{noted(name, shorten(only, _SHOWN_OF_ANSWER))}>"
    if decision.most == 1:
        return f"{name}>"
    return f"{noted(name, asked.speech.span(decision.least, decision.most))}>"


def _forced_text(asked: Question) -> str:
    if len(asked.choices) == 1:
        return asked.speech.times(asked.choices[0].label, asked.decision.least)
    return asked.speech.row([asked.speech.times(choice.label, choice.count) for choice in asked.choices])


def _numbers(asked: Question, typed: bool = False) -> Phrase:
    """The numbers that can be chosen; typed: as what to type."""
    numbers = sorted(int(choice.key) for choice in asked.choices)
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        low, high = numbers[0], numbers[-1]
        if typed:
            return phrase("prompt", "type a number from {low} to {high}", low=low, high=high)
        return phrase("prompt", "A number from {low} to {high}.", low=low, high=high)
    if len(numbers) == 1 and not typed:
        return phrase("prompt", "Only {number} is possible.", number=numbers[0])
    shown = asked.speech.row([asked.speech.number(number) for number in numbers[:_MOST_SHOWN]])
    shown += " …" if len(numbers) > _MOST_SHOWN else ""
    if typed:
        return phrase("prompt", "type one of: {numbers}", numbers=shown)
    return phrase("prompt", "One of: {numbers}", numbers=shown)


# ── understanding ──


def understand(text: str, asked: Question) -> list[str]:
    """The keys that somebody's words stand for. Raises NotUnderstood."""
    decision, words = asked.decision, " ".join(text.split())
    if not words:
        return _nothing(asked)
    if _declines(words.casefold(), asked):
        return []
    if decision.kind == "truth":
        keys = [_truth(words, asked)]
    elif words.casefold() in _all(asked):
        keys = asked.offered
    elif is_choice(words, asked):  # as a whole, for there may be a comma in it
        keys = _part(words.split(), asked)
    else:
        keys = [key for part in re.split("[,;]", words) if part.strip() for key in _part(part.split(), asked)]
    _check(keys, asked)
    return keys


def _declines(said: str, asked: Question) -> bool:
    """Whether this chooses nothing: by its number, or by how it is called, as far as no choice is called so."""
    if asked.decision.least or any(
        said in (choice.label.casefold(), choice.key.casefold()) for choice in asked.choices
    ):
        return False
    if said.rstrip(").") == asked.decline:
        return True
    called = asked.speech.say(asked.none).casefold()
    begins = len(said) >= _SHORTEST_PREFIX and called.startswith(said)
    return begins and not any(choice.label.casefold().startswith(said) for choice in asked.choices)


def _all(asked: Question) -> set[str]:
    """What may be typed for all choices together."""
    words = {"all", asked.speech.say(phrase("prompt", "all")).casefold()}
    return words - {label.casefold() for label in asked.labels}


def said_for(key: str, speech: Speech) -> tuple[str, ...]:
    """What may be typed for yes or no: the word, English or the reader's own, or its first letter, which comes last."""
    word = speech.say(answer(key == YES)).casefold()
    known = (key, key[:1], word, "1" if key == YES else "2")
    return (*(said for said in known if said != word[:1]), word[:1])


def is_choice(text: str, asked: Question) -> bool:
    """Whether the words name a choice exactly: then they are no command."""
    return text.casefold() in (label.casefold() for label in asked.labels)


def _nothing(asked: Question) -> list[str]:
    decision = asked.decision
    if asked.forced:
        return asked.offered[: decision.least]
    if decision.kind == "truth":
        yes, no = (said[-1] for said in asked.truths)
        raise NotUnderstood(phrase("prompt", "Answer {y} for yes or {n} for no.", y=yes, n=no))
    raise NotUnderstood(_choose(asked))


def _choose(asked: Question) -> Phrase:
    if asked.decision.least:
        return phrase("prompt", "Choose {wanted}: {manner}.", wanted=_wanted(asked.decision), manner=_manner(asked))
    return phrase(
        "prompt",
        "Choose {wanted}: {manner}. Type {number} for: {none}",
        wanted=_wanted(asked.decision),
        manner=_manner(asked),
        number=asked.decline,
        none=asked.none,
    )


def _truth(words: str, asked: Question) -> str:
    said = words.casefold()
    for key, known in zip((YES, NO), asked.truths, strict=True):
        if said in known:
            return key
    yes, no = (known[-1] for known in asked.truths)
    typed = shorten(words, _SHOWN_OF_ANSWER)
    told = phrase("prompt", "'{typed}' is neither yes nor no: answer {y} or {n}.", typed=typed, y=yes, n=no)
    raise NotUnderstood(told)


def _part(words: list[str], asked: Question) -> list[str]:
    """The keys in words without a comma: names, numbers of choices, and `×2` after either."""
    keys: list[str] = []
    at = 0
    while at < len(words):
        if keys and (again := re.fullmatch(r"[x×*]([0-9]{1,3})", words[at])):
            keys += [keys[-1]] * (int(again[1]) - 1)
            at += 1
            continue
        for end in range(len(words), at, -1):
            key = _named(" ".join(words[at:end]), asked, alone=at == 0 and end == len(words))
            if key is not None:
                keys.append(key)
                at = end
                break
        else:
            raise NotUnderstood(_unknown(" ".join(words[at:]), words[at], asked))
    return keys


def _named(words: str, asked: Question, alone: bool) -> str | None:
    """The key of a choice given by its name, by its number, or by a beginning that no other choice has."""
    said = words.casefold()
    for choice in asked.choices:
        if said in (choice.label.casefold(), choice.key.casefold()):
            return choice.key
    if there := board_choices.found(said, asked.choices):
        if len(there) > 1:
            raise NotUnderstood(_several(words, there))
        return there[0].key
    if asked.decision.kind != "number" and not asked.by_rows:
        mark = said.rstrip(").").lstrip("0")
        if mark in asked.marks:
            return asked.choices[asked.marks.index(mark)].key
    if alone and len(said) >= _SHORTEST_PREFIX and not said.isdecimal():
        begun = [choice for choice in asked.choices if choice.label.casefold().startswith(said)]
        if len(begun) > 1:
            raise NotUnderstood(_several(words, begun[:4]))
        return begun[0].key if begun else None
    return None


def _several(words: str, found: Sequence[Choice]) -> Phrase:
    names = Either(tuple(choice.label for choice in found))
    return phrase("prompt", "'{typed}' could be {names}.", typed=words, names=names)


def _unknown(words: str, first: str, asked: Question) -> Phrase:
    if re.fullmatch("-?[0-9]+[).]?", first):
        typed = shorten(first.rstrip(")."), _SHOWN_OF_ANSWER)
        return phrase("prompt", "There is no {number} here: {manner}.", number=typed, manner=_manner(asked))
    if isinstance(wrong := board_choices.near(first, asked.choices), Phrase):
        return wrong
    hint = meant(words, asked.labels) or _choose(asked)
    return phrase("prompt", "There is no '{typed}' here. {hint}", typed=shorten(words, _SHOWN_OF_ANSWER), hint=hint)


def _check(keys: Sequence[str], asked: Question) -> None:
    """Raises NotUnderstood for too many, too few, or one that is not there so often."""
    decision = asked.decision
    for choice in asked.choices:
        taken = Counter(keys)[choice.key]
        if taken > choice.count:
            slots: dict[str, str | int] = {"name": choice.label, "count": choice.count, "taken": taken}
            if choice.count == 1:
                told = phrase("prompt", "'{name}' is there only once, not {taken} [time|times].", **slots)
                raise NotUnderstood(told)
            raise NotUnderstood(
                phrase("prompt", "'{name}' is there only {count} times, not {taken} [time|times].", **slots)
            )
    if not decision.least <= len(keys) <= decision.most:
        raise NotUnderstood(
            phrase("prompt", "That is {given}; choose {wanted}.", given=len(keys), wanted=_wanted(decision))
        )


def _wanted(decision: Decision) -> Phrase | str:
    if decision.most in (decision.least, 1):
        return str(decision.most)
    if decision.least:
        return phrase("prompt", "{least} to {most}", least=decision.least, most=decision.most)
    return phrase("prompt", "up to {most}", most=decision.most)


def _manner(asked: Question) -> Phrase:
    """How an answer to this question is written."""
    several = asked.decision.most != 1
    if asked.decision.kind == "number":
        return _numbers(asked, typed=True)
    if asked.by_rows:
        words = list(dict.fromkeys(choice.word for choice in asked.choices))
        if several:
            return phrase("prompt", "type spaces, such as '{spaces}'", spaces=" ".join(words[:2]))
        return phrase("prompt", "type a space, such as '{space}'", space=words[0])
    if asked.lettered and several:
        last = asked.marks[-1]
        return phrase("prompt", "type letters from a to {last} or names, such as 'a b' or 'a, b'", last=last)
    if asked.lettered:
        return phrase("prompt", "type a letter from a to {last}, or a name", last=asked.marks[-1])
    if len(asked.choices) == 1:
        return phrase("prompt", "type 1 or its name")
    if several:
        count = len(asked.choices)
        return phrase("prompt", "type numbers from 1 to {count} or names, such as '1 2' or '1, 2'", count=count)
    return phrase("prompt", "type a number from 1 to {count}, or a name", count=len(asked.choices))
