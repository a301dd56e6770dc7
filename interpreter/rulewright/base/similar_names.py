"""Names that are like a name: what somebody who mistyped it may have meant, however many names there are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from heapq import nlargest

MOST_COMPARED = 100
"""Letter by letter; of more names, those are looked for that share most pairs of letters."""
_MOST_WITH_PAIR = 200
"""A pair of letters that more names have tells little."""


@lru_cache(1 << 13)
def bare(name: str) -> str:
    """A name without what does not count: spaces, hyphens, capitals and a plural's s."""
    words = re.split(r"[\s_-]+", name.strip().casefold())
    return "".join(word.removesuffix("s") if len(word) > 2 else word for word in words)


def likely(name: str, known: Sequence[str]) -> Sequence[str]:
    """Those of many names that could be meant, at most MOST_COMPARED; all of few."""
    return known if len(known) <= MOST_COMPARED else _index(tuple(known)).likely(name)


@lru_cache(4)
def _index(known: tuple[str, ...]) -> _NameIndex:
    return _NameIndex(known)


class _NameIndex:
    """Finds names by pairs of letters."""

    def __init__(self, known: tuple[str, ...]) -> None:
        self._same: dict[str, list[str]] = {}
        self._with: dict[str, list[str]] = {}
        for name in known:
            self._same.setdefault(bare(name), []).append(name)
            for pair in _pairs(name):
                self._with.setdefault(pair, []).append(name)

    def likely(self, name: str) -> list[str]:
        having = [self._with[pair] for pair in _pairs(name) if pair in self._with]
        telling = [names for names in having if len(names) <= _MOST_WITH_PAIR]
        shared: Counter[str] = Counter()
        for names in telling or having:
            shared.update(names[:_MOST_WITH_PAIR])
        found = nlargest(MOST_COMPARED // 2, shared, key=lambda other: shared[other] / (len(other) + len(name)))
        return list(dict.fromkeys([*self._same.get(bare(name), ())[:MOST_COMPARED], *found]))


def _pairs(name: str) -> set[str]:
    text = f" {name.lower()} "
    return {text[at : at + 2] for at in range(len(text) - 1)}
