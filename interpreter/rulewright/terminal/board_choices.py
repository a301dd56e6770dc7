"""Choices that lie on a drawn board: told by the board's rows, and found by their coordinates."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from rulewright.game.game import Choice
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.publish.console import join_with_dots

_COORDINATES = re.compile(r"([a-z])([0-9]{1,3})")
_MOST_NEAR = 3


def are_placed(choices: Sequence[Choice], boards: Collection[str]) -> bool:
    """Whether all choices are spaces of drawn boards, or pieces that are named with such a space. boards: the word
    lists of their spaces."""
    return all(choice.words in boards and (_is_space(choice) or piece(choice)) for choice in choices)


def piece(choice: Choice) -> str:
    """The name of a piece on a space, or that it is hidden, without the space; '' for anything else."""
    return choice.piece if choice.word and choice.key.endswith(f" on {choice.word}") else ""


def told(choices: Iterable[Choice], width: int, entry: Callable[[str, str], str]) -> list[str]:
    """`a1 b1 · c2 d2`, by rows; pieces of one name together, `elf: a1 · c2`. entry: names a row."""
    by_name: dict[str, dict[str, list[str]]] = {}
    for choice in choices:
        by_name.setdefault(piece(choice), {}).setdefault(choice.word[1:], []).append(choice.word)
    lines: list[str] = []
    for name, rows in by_name.items():
        ordered = [" ".join(dict.fromkeys(rows[row])) for row in sorted(rows, key=int)]
        lines += join_with_dots([entry(name, ordered[0]), *ordered[1:]] if name else ordered, width)
    return lines


def found(typed: str, choices: Iterable[Choice]) -> list[Choice]:
    """The choices on a space, given by its name."""
    return [choice for choice in choices if choice.word and choice.word.casefold() == typed.casefold()]


def near(typed: str, choices: Iterable[Choice]) -> Phrase | str:
    """What is wrong with coordinates that are not offered, and which are nearest; '' for what is none."""
    wanted = _COORDINATES.fullmatch(typed.casefold())
    words = dict.fromkeys(choice.word for choice in choices if _COORDINATES.fullmatch(choice.word))
    if wanted is None or not words:
        return ""
    nearest = sorted(words, key=lambda word: _distance(typed.casefold(), word))[:_MOST_NEAR]
    here, others = typed.casefold(), ", ".join(nearest)
    return phrase("prompt", "{space} cannot be chosen here. Near it: {spaces}.", space=here, spaces=others)


def _is_space(choice: Choice) -> bool:
    return choice.key == choice.word


def _distance(one: str, other: str) -> int:
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:]))
