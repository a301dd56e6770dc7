"""A decision in words, with numbered answers, and what people type made into an answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rulewright.diagnostics import nearest
from rulewright.frontends import places
from rulewright.frontends.console import Line, Styled, cells, flow, shortened, wrap
from rulewright.frontends.labels import times
from rulewright.game import Choice, Decision

YES, NO = "yes", "no"
_MOST_SHOWN = 40
_MOST_SPACES_NUMBERED = 9
_SHORTEST_PREFIX = 2
_SHOWN_OF_ANSWER = 40


class NotUnderstood(Exception):
    """What was typed is no answer; the text says why and what would be one."""


@dataclass(frozen=True)
class Question:
    """A decision and its choices in the order in which they are numbered. by_rows: whether they are no list with
    numbers, but many spaces of a board."""

    decision: Decision
    choices: tuple[Choice, ...]
    by_rows: bool = False

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
    def labels(self) -> list[str]:
        return [choice.label for choice in self.choices]


def question(decision: Decision, order: Mapping[str, int], boards: Collection[str] = ()) -> Question:
    """The decision with its pieces in the edition's order, which is always the same.

    boards: the word lists of drawn boards' spaces.
    """
    choices = decision.choices
    if decision.kind == "piece":
        choices = tuple(sorted(choices, key=lambda choice: order.get(places.piece(choice) or choice.key, len(order))))
    by_rows = len(choices) > _MOST_SPACES_NUMBERED and places.are_placed(choices, boards)
    return Question(decision, choices, by_rows)


# ── asking ──


def lines(asked: Question, width: int) -> list[Line]:
    """The question, its choices and how to answer them."""
    decision = asked.decision
    shown: list[Line] = [[Styled(line, "strong")] for line in wrap(decision.prompt, width)]
    if decision.kind == "number":
        shown += [["  ", line] for line in wrap(_numbers(asked), width - 2)]
    elif asked.by_rows:
        shown += [["  ", line] for line in places.told(asked.choices, width - 2)]
    elif decision.kind != "truth":
        shown += numbered(asked.choices, width)
    if decision.least == 0:
        shown += [["  ", line] for line in wrap(f"Enter: {decision.none or 'Nothing.'}", width - 2)]
    return shown


def numbered(choices: Sequence[Choice], width: int) -> list[Line]:
    """`1) this  2) that ×2`, in columns; one below the other where one alone needs several lines."""
    digits = len(str(len(choices)))
    texts = [flow([times(c.label, c.count)], max(8, width - digits - 4)) for c in choices]
    widest = max(cells(line) for text in texts for line in text)
    columns = max(1, width // (widest + digits + 4)) if all(len(text) == 1 for text in texts) else 1
    lines: list[Line] = []
    for number, (first, *more) in enumerate(texts):
        entry: Line = [
            "  ",
            Styled(f"{number + 1:>{digits}})", "key"),
            f" {first}{' ' * (widest - cells(first))}",
        ]
        if number % columns:
            lines[-1] = [*lines[-1], *entry]
        else:
            lines.append(entry)
        lines += [[" " * (digits + 4), line] for line in more]
    return lines


def invitation(asked: Question, name: str) -> str:
    """What stands before the cursor: who is asked, and how much is wanted."""
    decision = asked.decision
    if decision.kind == "truth":
        return f"{name} (y/n)>"
    if asked.forced:
        return f"{name} (Enter: {shortened(_forced_text(asked), _SHOWN_OF_ANSWER)})>"
    if decision.least == decision.most:
        wanted = "" if decision.most == 1 else f" ({decision.most})"
    elif decision.most == 1:
        wanted = ""
    else:
        wanted = f" ({decision.least}–{decision.most})"
    return f"{name}{wanted}>"


def _forced_text(asked: Question) -> str:
    if len(asked.choices) == 1:
        return times(asked.choices[0].label, asked.decision.least)
    return ", ".join(times(choice.label, choice.count) for choice in asked.choices)


def _numbers(asked: Question) -> str:
    numbers = sorted(int(choice.key) for choice in asked.choices)
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"A number from {numbers[0]} to {numbers[-1]}."
    shown = ", ".join(str(number) for number in numbers[:_MOST_SHOWN])
    return f"One of: {shown}{' …' if len(numbers) > _MOST_SHOWN else ''}"


# ── understanding ──


def understand(text: str, asked: Question) -> list[str]:
    """The keys that somebody's words stand for. Raises NotUnderstood."""
    decision, words = asked.decision, " ".join(text.split())
    if not words:
        return _nothing(asked)
    if decision.kind == "truth":
        keys = [_truth(words)]
    elif words.casefold() == "all" and "all" not in asked.labels:
        keys = [choice.key for choice in asked.choices for _ in range(choice.count)]
    else:
        keys = [key for part in re.split("[,;]", words) if part.strip() for key in _part(part.split(), asked)]
    _check(keys, asked)
    return keys


def is_choice(text: str, asked: Question) -> bool:
    """Whether the words name a choice exactly: then they are no command."""
    return text.casefold() in (label.casefold() for label in asked.labels)


def _nothing(asked: Question) -> list[str]:
    decision = asked.decision
    if decision.least == 0:
        return []
    if asked.forced:
        return [choice.key for choice in asked.choices for _ in range(choice.count)][: decision.least]
    if decision.kind == "truth":
        raise NotUnderstood("Answer y for yes or n for no.")
    raise NotUnderstood(f"Choose {_wanted(decision)}: {_manner(asked)}.")


def _truth(words: str) -> str:
    said = words.casefold()
    if said in ("y", YES, "1"):
        return YES
    if said in ("n", NO, "2"):
        return NO
    raise NotUnderstood(f"'{shortened(words, _SHOWN_OF_ANSWER)}' is neither yes nor no: answer y or n.")


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
    if there := places.found(said, asked.choices):
        if len(there) > 1:
            raise NotUnderstood(f"'{words}' could be {' or '.join(choice.label for choice in there)}.")
        return there[0].key
    if asked.decision.kind != "number" and not asked.by_rows and re.fullmatch(r"[0-9]{1,6}[).]?", said):
        number = int(said.rstrip(")."))
        return asked.choices[number - 1].key if 1 <= number <= len(asked.choices) else None
    if alone and len(said) >= _SHORTEST_PREFIX and not said.isdecimal():
        begun = [choice for choice in asked.choices if choice.label.casefold().startswith(said)]
        if len(begun) > 1:
            names = " or ".join(choice.label for choice in begun[:4])
            raise NotUnderstood(f"'{words}' could be {names}.")
        return begun[0].key if begun else None
    return None


def _unknown(words: str, first: str, asked: Question) -> str:
    if re.fullmatch("-?[0-9]+[).]?", first):
        return f"There is no {shortened(first.rstrip(').'), _SHOWN_OF_ANSWER)} here: {_manner(asked)}."
    if wrong := places.near(first, asked.choices):
        return wrong
    hint = nearest(words, asked.labels) or f"Choose {_wanted(asked.decision)}: {_manner(asked)}."
    return f"There is no '{shortened(words, _SHOWN_OF_ANSWER)}' here. {hint}"


def _check(keys: Sequence[str], asked: Question) -> None:
    """Raises NotUnderstood for too many, too few, or one that is not there so often."""
    decision = asked.decision
    for choice in asked.choices:
        taken = Counter(keys)[choice.key]
        if taken > choice.count:
            there = "only once" if choice.count == 1 else f"only {choice.count} times"
            raise NotUnderstood(f"'{choice.label}' is there {there}, not {taken} times.")
    if not decision.least <= len(keys) <= decision.most:
        raise NotUnderstood(f"That is {len(keys)}; choose {_wanted(decision)}.")


def _wanted(decision: Decision) -> str:
    if decision.least == decision.most:
        return str(decision.least)
    return f"{decision.least} to {decision.most}" if decision.least else f"up to {decision.most}"


def _manner(asked: Question) -> str:
    """How an answer to this question is written."""
    if asked.decision.kind == "number":
        return "type " + _numbers(asked)[0].lower() + _numbers(asked)[1:].rstrip(".")
    if asked.by_rows:
        words = list(dict.fromkeys(choice.word for choice in asked.choices))
        one = f"type a space, such as '{words[0]}'"
        return one if asked.decision.most == 1 else f"type spaces, such as '{' '.join(words[:2])}'"
    if len(asked.choices) == 1:
        return "type 1 or its name"
    span = f"a number from 1 to {len(asked.choices)}, or a name"
    if asked.decision.most == 1:
        return f"type {span}"
    return f"type numbers from 1 to {len(asked.choices)} or names, such as '1 2' or '1, 2'"
