"""Abbreviations of names: the fewest letters that tell all of them apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from rulewright.publish.console import cell_width

_MAX_LENGTH = 3
"""Most letters of an abbreviation."""


@lru_cache(maxsize=64)
def abbreviate(names: tuple[str, ...], letters: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return an abbreviation for each name, all equally long: its first letter if that is enough, else with further
    letters, preferably the first ones of its next words; numbers if even three letters are alike.

    letters: others shown beside them, none of which becomes an abbreviation of its own. Words that all names have, as
    in 'red tile' and 'blue tile', do not count.
    """
    common = set.intersection(*(set(name.split()) for name in names)) if len(names) > 1 else set()
    short = {name: _distinct_words(name, common) for name in names}
    for length in range(1, _MAX_LENGTH + 1):
        abbreviations: dict[str, str] = {}
        used: set[str] = set(letters)
        for name in names:
            free = (abbreviation for abbreviation in _candidates(short[name], length) if abbreviation not in used)
            if (abbreviation := next(free, None)) is None:
                break
            abbreviations[name] = abbreviation
            used.add(abbreviation)
        else:
            return abbreviations
    digits = len(str(len(names)))
    return {name: f"{number:0{digits}}" for number, name in enumerate(names, 1)}


def _distinct_words(name: str, common: set[str]) -> list[str]:
    """Return the words of a name that not all names have, or all its words if none is left: in lower case, and only
    letters and digits that take one terminal cell."""
    distinct = [word for word in name.split() if word not in common] or name.split()
    letters_of_words = (
        "".join(letter for letter in word.lower() if letter.isalnum() and cell_width(letter) == 1) for word in distinct
    )
    return [word for word in letters_of_words if word]


def _candidates(words: list[str], length: int) -> Iterator[str]:
    """Yield possible abbreviations, best first. A single letter is always the first one."""
    letters = "".join(words)
    first = letters[:1].upper()[:1]
    if first and length == 1:
        yield first
    elif first:
        if len(words) >= length:
            yield first + "".join(word[0] for word in words[1:length])
        for rest in combinations(letters[1:].ljust(length - 1, "."), length - 1):
            yield first + "".join(rest)
