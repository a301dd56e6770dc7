"""Short marks for names: the fewest letters by which all of them can be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from rulewright.publish.console import cells

_LONGEST = 3


@lru_cache(maxsize=64)
def marks(names: tuple[str, ...]) -> dict[str, str]:
    """A mark for each name, all equally long: its first letter if that is enough, else its first letter with others.

    Words that all names have, as in 'red tile' and 'blue tile', do not count.
    """
    common = set.intersection(*(set(name.split()) for name in names)) if len(names) > 1 else set()
    short = {name: _letters(name, common) for name in names}
    for length in range(1, _LONGEST + 1):
        found: dict[str, str] = {}
        taken: set[str] = set()
        for name in names:
            if (mark := next((mark for mark in _marks(short[name], length) if mark not in taken), None)) is None:
                break
            found[name] = mark
            taken.add(mark)
        else:
            return found
    digits = len(str(len(names)))
    return {name: f"{number:0{digits}}" for number, name in enumerate(names, 1)}


def _letters(name: str, common: set[str]) -> str:
    """The letters of the words that not all names have; those that take more or less than one cell are of no use."""
    own = [word for word in name.split() if word not in common] or name.split()
    return "".join(letter for word in own for letter in word.lower() if letter.isalnum() and cells(letter) == 1)


def _marks(letters: str, length: int) -> Iterator[str]:
    """What could stand for a name, the likeliest first. One letter alone is always the first one."""
    first = letters[:1].upper()[:1]
    if first and length == 1:
        yield first
    elif first:
        for rest in combinations(letters[1:].ljust(length - 1, "."), length - 1):
            yield first + "".join(rest)
