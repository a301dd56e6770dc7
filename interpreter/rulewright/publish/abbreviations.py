"""Short marks for names: the fewest letters by which all of them can be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from rulewright.publish.console import cells

_LONGEST = 3


@lru_cache(maxsize=64)
def marks(names: tuple[str, ...], letters: frozenset[str] = frozenset()) -> dict[str, str]:
    """A mark for each name, all equally long: its first letter if that is enough, else its first letter with others,
    rather those with which its next words begin. letters: what else stands beside them, and is no mark.

    Words that all names have, as in 'red tile' and 'blue tile', do not count.
    """
    common = set.intersection(*(set(name.split()) for name in names)) if len(names) > 1 else set()
    short = {name: _words(name, common) for name in names}
    for length in range(1, _LONGEST + 1):
        found: dict[str, str] = {}
        taken: set[str] = set(letters)
        for name in names:
            likely = (mark for mark in _marks(short[name], length) if mark not in taken)
            if (mark := next(likely, None)) is None:
                break
            found[name] = mark
            taken.add(mark)
        else:
            return found
    digits = len(str(len(names)))
    return {name: f"{number:0{digits}}" for number, name in enumerate(names, 1)}


def _words(name: str, common: set[str]) -> list[str]:
    """The words that not all names have, as letters; those that take more or less than one cell are of no use."""
    own = [word for word in name.split() if word not in common] or name.split()
    told = ("".join(letter for letter in word.lower() if letter.isalnum() and cells(letter) == 1) for word in own)
    return [word for word in told if word]


def _marks(words: list[str], length: int) -> Iterator[str]:
    """What could stand for a name, the likeliest first. One letter alone is always the first one."""
    letters = "".join(words)
    first = letters[:1].upper()[:1]
    if first and length == 1:
        yield first
    elif first:
        if len(words) >= length:
            yield first + "".join(word[0] for word in words[1:length])
        for rest in combinations(letters[1:].ljust(length - 1, "."), length - 1):
            yield first + "".join(rest)
