"""Choices on a drawn board: listed by row, and found by coordinates."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from rulewright.game.choices import Choice
from rulewright.i18n.localizer import Localizer, Phrase, phrase
from rulewright.publish.console import join_with_dots, wrap

_COORDINATES = re.compile(r"([a-z])([0-9]{1,3})")
"""Name of a space by its column and row, such as b3."""
_MAX_LISTED = 60
"""Spaces that are listed one by one; of more, the board shows most."""
_MAX_SUGGESTIONS = 3
"""Number of near spaces that are named if nothing can be chosen at the one typed."""


def are_placed(choices: Sequence[Choice], boards: Collection[str]) -> bool:
    """Return whether all choices are spaces of drawn boards, or pieces named with such a space. boards: word lists of
    spaces."""
    return all(choice.words in boards and (_is_space(choice) or piece_name(choice)) for choice in choices)


def piece_name(choice: Choice) -> str:
    """Return the name of a piece on a space, without the space; '' for anything else."""
    return choice.piece if choice.word and choice.key.endswith(f" on {choice.word}") else ""


def lines(choices: Sequence[Choice], width: int, localizer: Localizer) -> list[str]:
    """List choices by row, or of very many spaces only how many there are, with an example."""
    if len(choices) <= _MAX_LISTED or not all(map(_is_space, choices)):
        return list_by_row(choices, width, localizer.entry)
    count, space = len(choices), choices[len(choices) // 2].word
    return wrap(
        localizer.say(phrase("prompt", "One of {count} spaces, such as {space}.", count=count, space=space)), width
    )


def list_by_row(choices: Iterable[Choice], width: int, entry: Callable[[str, str], str]) -> list[str]:
    """List choices on spaces as `a1 b1 · c2 d2`, by row; equal pieces together, as `elf: a1 · c2`. entry: joins a name
    and its first row."""
    by_name: dict[str, dict[str, list[str]]] = {}
    for choice in choices:
        name = choice.label if _is_space(choice) and choice.label.isdecimal() else choice.word
        by_name.setdefault(piece_name(choice), {}).setdefault(choice.word[1:], []).append(name)
    lines: list[str] = []
    for name, rows in by_name.items():
        ordered = [" ".join(dict.fromkeys(rows[row])) for row in sorted(rows, key=int)]
        lines += join_with_dots([entry(name, ordered[0]), *ordered[1:]] if name else ordered, width)
    return lines


def find_on_space(typed: str, choices: Iterable[Choice]) -> list[Choice]:
    """Find the choices on a space by its name, in capitals or not: the space itself, or pieces there."""
    return [choice for choice in choices if choice.word and choice.word.casefold() == typed.casefold()]


def suggest_spaces(typed: str, choices: Iterable[Choice]) -> Phrase | str:
    """Explain that coordinates cannot be chosen, and name the nearest that can; '' if the text is no coordinates, or
    no choice has any."""
    match = _COORDINATES.fullmatch(typed.casefold())
    words = dict.fromkeys(choice.word for choice in choices if _COORDINATES.fullmatch(choice.word))
    if match is None or not words:
        return ""
    nearest = sorted(words, key=lambda word: _distance(typed.casefold(), word))[:_MAX_SUGGESTIONS]
    wanted_space, others = typed.casefold(), ", ".join(nearest)
    return phrase("prompt", "{space} cannot be chosen here. Near it: {spaces}.", space=wanted_space, spaces=others)


def _is_space(choice: Choice) -> bool:
    """Return whether a choice is a space itself, rather than a piece on it."""
    return choice.key == choice.word


def _distance(first: str, second: str) -> int:
    """Return the distance of two spaces, such as b3: columns and rows together."""
    return abs(ord(first[0]) - ord(second[0])) + abs(int(first[1:]) - int(second[1:]))
