"""Preselection of candidates for a misspelt name, fast with any number of names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from heapq import nlargest

MAX_COMPARED = 100
"""Maximum names compared letter by letter; of more, those sharing most pairs of letters are compared."""
_MAX_WITH_PAIR = 200
"""Maximum names per pair of letters; more common pairs are ignored."""


@lru_cache(1 << 13)
def normalize(name: str) -> str:
    """Normalize a name: no spaces, hyphens, underscores or capitals, and no s at the end of its words, except short
    ones."""
    words = re.split(r"[\s_-]+", name.strip().casefold())
    return "".join(word.removesuffix("s") if len(word) > 2 else word for word in words)


def preselect(name: str, known: Sequence[str]) -> Sequence[str]:
    """Preselect the names that could be meant, at most MAX_COMPARED; few names stay complete."""
    return known if len(known) <= MAX_COMPARED else _index(tuple(known)).preselect(name)


@lru_cache(4)
def _index(known: tuple[str, ...]) -> _NameIndex:
    return _NameIndex(known)


class _NameIndex:
    """Index of names by pairs of letters."""

    def __init__(self, known: tuple[str, ...]) -> None:
        self._same: dict[str, list[str]] = {}
        self._with: dict[str, list[str]] = {}
        for name in known:
            self._same.setdefault(normalize(name), []).append(name)
            for pair in _pairs(name):
                self._with.setdefault(pair, []).append(name)

    def preselect(self, name: str) -> list[str]:
        """Return the names worth comparing: those equal but for case and the like, then those that share most pairs of
        letters."""
        sharing = [self._with[pair] for pair in _pairs(name) if pair in self._with]
        rare = [names for names in sharing if len(names) <= _MAX_WITH_PAIR]
        shared: Counter[str] = Counter()
        for names in rare or sharing:
            shared.update(names[:_MAX_WITH_PAIR])
        best = nlargest(MAX_COMPARED // 2, shared, key=lambda other: shared[other] / (len(other) + len(name)))
        return list(dict.fromkeys([*self._same.get(normalize(name), ())[:MAX_COMPARED], *best]))


def _pairs(name: str) -> set[str]:
    """Return the pairs of neighbouring letters in a name, whatever their case; a blank stands before and behind it."""
    text = f" {name.lower()} "
    return {text[index : index + 2] for index in range(len(text) - 1)}
