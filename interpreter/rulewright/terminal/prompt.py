"""Prompts for decisions: numbered choices, and the parsing of typed answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from string import ascii_lowercase

from rulewright.base.records import record
from rulewright.game.choices import Choice
from rulewright.game.decisions import Decision
from rulewright.game.messages import yes_or_no
from rulewright.i18n.localizer import Either, Localizer, Phrase, english, phrase, suggestion
from rulewright.publish.console import ConsoleLine, Styled, cell_width, flow, shorten, wrap
from rulewright.terminal import board_choices

YES, NO = "yes", "no"
"""Keys of the answers to a yes/no question."""
DECLINE, DECLINE_BESIDE_LETTERS = "0", "-"
"""Input that chooses nothing, also beside choices marked by letters. Enter never does: nobody passes by accident."""

_MAX_LISTED = 40
"""Numbers listed as possible answers."""
_MAX_NUMBERED_SPACES = 9
"""Choices on a board up to which each is listed with a number; more are listed by row."""
_MIN_PREFIX = 2
"""Characters from which the beginning of a name chooses it."""
_MAX_QUOTED = 40
"""Characters that a message repeats of what was typed, or of an answer."""


class InvalidAnswer(Exception):
    """Input that is no answer; the phrase says why, and what would be one."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(reason)
        self.reason = reason


@record
class Question:
    """Decision with its choices in the order of the list.

    by_rows: many spaces of a board, listed by row; localizer: for answers; notes: remarks about choices, by key, '' for
    choosing nothing; among: who is still in, where some drop out, else ''.
    """

    decision: Decision
    choices: tuple[Choice, ...]
    by_rows: bool = False
    localizer: Localizer = field(default_factory=english, compare=False)
    notes: Mapping[str, str] = field(default_factory=dict)
    among: str = ""

    @property
    def yes_no_words(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Words for yes and for no, each as `truth_words` has them."""
        return truth_words(YES, self.localizer), truth_words(NO, self.localizer)

    @property
    def decline_label(self) -> Phrase | str:
        """Label of choosing nothing."""
        return self.decision.none or phrase("prompt", "Nothing.")

    @property
    def choice_count(self) -> int:
        """Number of things that can be chosen."""
        return sum(choice.count for choice in self.choices)

    @property
    def is_forced(self) -> bool:
        """Whether there is only one answer."""
        return self.decision.least == self.choice_count or (
            len(self.choices) == 1 and self.decision.least == self.decision.most
        )

    @property
    def pieces(self) -> list[str]:
        """Keys of the pieces that can be chosen, each as often as it can be; [] in other decisions."""
        if self.decision.kind != "piece":
            return []
        return [choice.key for choice in self.choices for _ in range(choice.count)]

    @property
    def candidate_keys(self) -> list[str]:
        """Keys of all choices, each as often as it can be taken, in the game's order."""
        return [choice.key for choice in self.decision.choices for _ in range(choice.count)]

    @property
    def labels(self) -> list[str]:
        """Texts of the choices, in the order of the list."""
        return [choice.label for choice in self.choices]

    @cached_property
    def marks(self) -> list[str]:
        """Marks of choices, which can be typed, in the order of the list: numbers from 1; letters if a number is the
        name of another choice, unless a letter is a name, too, or there are too many choices."""
        count, names = len(self.choices), set(self.labels)
        numbers = [str(number) for number in range(1, count + 1)]
        clashes = any(name in names and name != label for name, label in zip(numbers, self.labels, strict=True))
        if (not clashes and (self.decision.least or DECLINE not in names)) or count > len(ascii_lowercase):
            return numbers
        letters = list(ascii_lowercase[:count])
        return numbers if names & set(letters) else letters

    @property
    def has_letters(self) -> bool:
        """Whether the marks are letters, not numbers."""
        return self.marks[:1] == ["a"]

    @property
    def decline(self) -> str:
        """Input that chooses nothing."""
        return DECLINE_BESIDE_LETTERS if self.has_letters else DECLINE


def make_question(
    decision: Decision,
    order: Mapping[str, int],
    boards: Collection[str] = (),
    localizer: Localizer | None = None,
    notes: Mapping[str, str] | None = None,
    among: str = "",
) -> Question:
    """Return the decision with its pieces in the edition's order, which is always the same; where they are told apart
    by their places, in the order in which they lie.

    boards: the word lists of drawn boards' spaces; notes, among: see Question.
    """
    choices = decision.choices
    if decision.kind == "piece" and not any(choice.place for choice in choices):
        choices = tuple(sorted(choices, key=lambda choice: order.get(choice.name, len(order))))
    by_rows = len(choices) > _MAX_NUMBERED_SPACES and board_choices.are_placed(choices, boards)
    return Question(decision, choices, by_rows, localizer or english(), notes or {}, among)


# ── asking ──


def question_lines(question: Question, width: int) -> list[ConsoleLine]:
    """Format a question, its choices and how to decline. Yes and no are not listed."""
    decision = question.decision
    result: list[ConsoleLine] = [[Styled(line, "strong")] for line in wrap(decision.prompt, width)]
    if question.among:
        result += [["  ", line] for line in wrap(question.among, width - 2)]
    if decision.kind == "number":
        result += [["  ", line] for line in wrap(question.localizer.say(_numbers(question)), width - 2)]
    elif question.by_rows:
        result += [["  ", line] for line in board_choices.lines(question.choices, width - 2, question.localizer)]
    elif decision.kind != "truth":
        result += numbered_choices(question, width)
    if decision.least == 0:
        head = f"{question.decline:>{max(map(len, question.marks), default=1)}})"
        none, note = question.localizer.say(question.decline_label), question.notes.get("")
        none = question.localizer.with_note(none, note) if note else none
        first, *more = wrap(none, max(8, width - len(head) - 3)) or [""]
        result.append(["  ", Styled(head, "key"), f" {first}"])
        result += [[" " * (len(head) + 3), line] for line in more]
    return result


def numbered_choices(question: Question, width: int) -> list[ConsoleLine]:
    """Format `1) this 2) that ×2`, in columns if all fit on one line each."""
    digits = max(map(len, question.marks), default=1)
    texts = [flow([_choice_text(question, choice)], max(8, width - digits - 4)) for choice in question.choices]
    widest = max(cell_width(line) for text in texts for line in text)
    columns = max(1, width // (widest + digits + 4)) if all(len(text) == 1 for text in texts) else 1
    lines: list[ConsoleLine] = []
    for number, (first, *more) in enumerate(texts):
        entry: ConsoleLine = [
            "  ",
            Styled(f"{question.marks[number]:>{digits}})", "key"),
            f" {first}{' ' * (widest - cell_width(first))}",
        ]
        if number % columns:
            lines[-1] = [*lines[-1], *entry]
        else:
            lines.append(entry)
        lines += [[" " * (digits + 4), line] for line in more]
    return lines


def _choice_text(question: Question, choice: Choice) -> str:
    """Format a choice: `this (remark) ×2`."""
    note = question.notes.get(choice.key)
    return question.localizer.times(
        question.localizer.with_note(choice.label, note) if note else choice.label, choice.count
    )


def invitation(question: Question, name: str) -> str:
    """Return the prompt before the cursor: who is asked, and how much to choose, or what Enter does."""
    decision, noted = question.decision, question.localizer.with_note
    if decision.kind == "truth":
        yes, no = question.yes_no_words
        return f"{noted(name, f'{yes[-1]}/{no[-1]}')}>"
    if question.is_forced:
        forced_answer = question.localizer.say(phrase("prompt", "Enter: {none}", none=_forced_text(question)))
        return f"{noted(name, shorten(forced_answer, _MAX_QUOTED))}>"
    if decision.most == 1:
        return f"{name}>"
    return f"{noted(name, question.localizer.span(decision.least, decision.most))}>"


def _forced_text(question: Question) -> str:
    """Return the only possible answer in words."""
    if len(question.choices) == 1:
        return question.localizer.times(question.choices[0].label, question.decision.least)
    return question.localizer.join_items(
        [question.localizer.times(choice.label, choice.count) for choice in question.choices]
    )


def _numbers(question: Question, typed: bool = False) -> Phrase:
    """Describe the numbers that can be chosen. typed: as what to type."""
    numbers = sorted(int(choice.key) for choice in question.choices)
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        low, high = numbers[0], numbers[-1]
        if typed:
            return phrase("prompt", "type a number from {low} to {high}", low=low, high=high)
        return phrase("prompt", "A number from {low} to {high}.", low=low, high=high)
    if len(numbers) == 1 and not typed:
        return phrase("prompt", "Only {number} is possible.", number=numbers[0])
    text = question.localizer.join_items([question.localizer.number(number) for number in numbers[:_MAX_LISTED]])
    text += " …" if len(numbers) > _MAX_LISTED else ""
    if typed:
        return phrase("prompt", "type one of: {numbers}", numbers=text)
    return phrase("prompt", "One of: {numbers}", numbers=text)


# ── understanding ──


def parse_answer(text: str, question: Question) -> list[str]:
    """Parse an answer into choice keys, one for each thing that is taken; [] for choosing nothing. Raises
    InvalidAnswer."""
    decision, words = question.decision, " ".join(text.split())
    if not words:
        return _default_keys(question)
    if _declines(words.casefold(), question):
        return []
    if decision.kind == "truth":
        keys = [_parse_truth(words, question)]
    elif words.casefold() in _all(question):
        keys = question.candidate_keys
    elif is_choice(words, question):  # as a whole, for there may be a comma in it
        keys = _parse_part(words.split(), question)
    else:
        keys = [key for part in re.split("[,;]", words) if part.strip() for key in _parse_part(part.split(), question)]
    _check(keys, question)
    return keys


def _declines(text: str, question: Question) -> bool:
    """Return whether the text chooses nothing: by its mark, or the beginning of its label, unless a choice is called or
    begins so."""
    if question.decision.least or any(
        text in (choice.label.casefold(), choice.key.casefold()) for choice in question.choices
    ):
        return False
    if text.rstrip(").") == question.decline:
        return True
    label = question.localizer.say(question.decline_label).casefold()
    is_prefix = len(text) >= _MIN_PREFIX and label.startswith(text)
    return is_prefix and not any(choice.label.casefold().startswith(text) for choice in question.choices)


def _all(question: Question) -> set[str]:
    """Return the words that mean all choices together, except those that a choice has as its label."""
    words = {"all", question.localizer.say(phrase("prompt", "all")).casefold()}
    return words - {label.casefold() for label in question.labels}


def truth_words(key: str, localizer: Localizer) -> tuple[str, ...]:
    """Return the words for yes or no, in lower case: English, its first letter, the reader's, 1 for yes and 2 for no,
    and the reader's first letter, which comes last. key: YES or NO."""
    word = localizer.say(yes_or_no(key == YES)).casefold()
    words = (key, key[:1], word, "1" if key == YES else "2")
    return (*(entry for entry in words if entry != word[:1]), word[:1])


def is_choice(text: str, question: Question) -> bool:
    """Return whether a text is the label of a choice, in capitals or not, and so is no command."""
    return text.casefold() in (label.casefold() for label in question.labels)


def _default_keys(question: Question) -> list[str]:
    """Return the answer to a question for input that names nothing, where only one is possible. Raises InvalidAnswer,
    which says what to type, for any other."""
    decision = question.decision
    if question.is_forced:
        return question.candidate_keys[: decision.least]
    if decision.kind == "truth":
        yes, no = (words[-1] for words in question.yes_no_words)
        raise InvalidAnswer(phrase("prompt", "Answer {y} for yes or {n} for no.", y=yes, n=no))
    raise InvalidAnswer(_instruction(question))


def _instruction(question: Question) -> Phrase:
    """Say how many to choose, and how."""
    if question.decision.least:
        return phrase(
            "prompt", "Choose {wanted}: {manner}.", wanted=_amount(question.decision), manner=_manner(question)
        )
    return phrase(
        "prompt",
        "Choose {wanted}: {manner}. Type {number} for: {none}",
        wanted=_amount(question.decision),
        manner=_manner(question),
        number=question.decline,
        none=question.decline_label,
    )


def _parse_truth(words: str, question: Question) -> str:
    """Return the key of a typed yes or no. Raises InvalidAnswer."""
    folded = words.casefold()
    for key, accepted in zip((YES, NO), question.yes_no_words, strict=True):
        if folded in accepted:
            return key
    yes, no = (accepted[-1] for accepted in question.yes_no_words)
    typed = shorten(words, _MAX_QUOTED)
    message = phrase("prompt", "'{typed}' is neither yes nor no: answer {y} or {n}.", typed=typed, y=yes, n=no)
    raise InvalidAnswer(message)


def _parse_part(words: list[str], question: Question) -> list[str]:
    """Parse words without a comma: names or marks of choices, and `×2` after either; return their keys. Raises
    InvalidAnswer."""
    keys: list[str] = []
    start = 0
    while start < len(words):
        if keys and (repetition := re.fullmatch(r"[x×*]([0-9]{1,3})", words[start])):
            keys += [keys[-1]] * (int(repetition[1]) - 1)
            start += 1
            continue
        for end in range(len(words), start, -1):
            key = _find_key(" ".join(words[start:end]), question, is_whole=start == 0 and end == len(words))
            if key is not None:
                keys.append(key)
                start = end
                break
        else:
            raise InvalidAnswer(_unknown_choice(" ".join(words[start:]), words[start], question))
    return keys


def _find_key(words: str, question: Question, is_whole: bool) -> str | None:
    """Find a choice's key by its label, its key, its space, its mark, or an unambiguous beginning of its label; None if
    there is none. is_whole: whether these are all words, as a beginning must be. Raises InvalidAnswer if several are on
    the space or begin so."""
    folded = words.casefold()
    for choice in question.choices:
        if folded in (choice.label.casefold(), choice.key.casefold()):
            return choice.key
    if on_space := board_choices.find_on_space(folded, question.choices):
        if len(on_space) > 1:
            raise InvalidAnswer(_several(words, on_space))
        return on_space[0].key
    if question.decision.kind != "number" and not question.by_rows:
        mark = folded.rstrip(").").lstrip("0")
        if mark in question.marks:
            return question.choices[question.marks.index(mark)].key
    if is_whole and len(folded) >= _MIN_PREFIX and not folded.isdecimal():
        matches = [choice for choice in question.choices if choice.label.casefold().startswith(folded)]
        if len(matches) > 1:
            raise InvalidAnswer(_several(words, matches[:4]))
        return matches[0].key if matches else None
    return None


def _several(words: str, matches: Sequence[Choice]) -> Phrase:
    """Say that words could be one of several choices."""
    names = Either(tuple(choice.label for choice in matches))
    return phrase("prompt", "'{typed}' could be {names}.", typed=words, names=names)


def _unknown_choice(words: str, first: str, question: Question) -> Phrase:
    """Say that no choice is called so, with the nearest or with what to type."""
    if re.fullmatch("-?[0-9]+[).]?", first):
        typed = shorten(first.rstrip(")."), _MAX_QUOTED)
        return phrase("prompt", "There is no {number} here: {manner}.", number=typed, manner=_manner(question))
    if isinstance(spaces := board_choices.suggest_spaces(first, question.choices), Phrase):
        return spaces
    hint = suggestion(words, question.labels) or _instruction(question)
    return phrase("prompt", "There is no '{typed}' here. {hint}", typed=shorten(words, _MAX_QUOTED), hint=hint)


def _check(keys: Sequence[str], question: Question) -> None:
    """Check how many of each are chosen, and how many together. Raises InvalidAnswer."""
    decision = question.decision
    for choice in question.choices:
        count = Counter(keys)[choice.key]
        if count > choice.count:
            slots: dict[str, str | int] = {"name": choice.label, "count": choice.count, "taken": count}
            if choice.count == 1:
                message = phrase("prompt", "'{name}' is there only once, not {taken} [time|times].", **slots)
                raise InvalidAnswer(message)
            raise InvalidAnswer(
                phrase("prompt", "'{name}' is there only {count} times, not {taken} [time|times].", **slots)
            )
    if not decision.least <= len(keys) <= decision.most:
        raise InvalidAnswer(
            phrase("prompt", "That is {given}; choose {wanted}.", given=len(keys), wanted=_amount(decision))
        )


def _amount(decision: Decision) -> Phrase | str:
    """Return how many may be chosen, as '2', '1 to 3' or 'up to 3'."""
    if decision.most in (decision.least, 1):
        return str(decision.most)
    if decision.least:
        return phrase("prompt", "{least} to {most}", least=decision.least, most=decision.most)
    return phrase("prompt", "up to {most}", most=decision.most)


def _manner(question: Question) -> Phrase:
    """Describe how to answer this question."""
    several = question.decision.most != 1
    if question.decision.kind == "number":
        return _numbers(question, typed=True)
    if question.by_rows:
        words = list(dict.fromkeys(choice.word for choice in question.choices))
        if several:
            return phrase("prompt", "type spaces, such as '{spaces}'", spaces=" ".join(words[:2]))
        return phrase("prompt", "type a space, such as '{space}'", space=words[0])
    if question.has_letters and several:
        last = question.marks[-1]
        return phrase("prompt", "type letters from a to {last} or names, such as 'a b' or 'a, b'", last=last)
    if question.has_letters:
        return phrase("prompt", "type a letter from a to {last}, or a name", last=question.marks[-1])
    if len(question.choices) == 1:
        return phrase("prompt", "type 1 or its name")
    if several:
        count = len(question.choices)
        return phrase("prompt", "type numbers from 1 to {count} or names, such as '1 2' or '1, 2'", count=count)
    return phrase("prompt", "type a number from 1 to {count}, or a name", count=len(question.choices))
