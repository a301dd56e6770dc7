"""Readings of a name that holds words of the language: what else it could be taken for in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from rulewright.syntax import sentences

_OF_A_NUMBER = frozenset(["first", "last", "top", "bottom"])
"""Words that stand before how many: `first 2 of …`."""


@lru_cache(maxsize=10_000)
def parts_of_name(name: str) -> tuple[tuple[str, bool], ...]:
    """The names in a name, if a sentence could hold its words as they stand, one beside the other, each with whether it
    has to be a number there: ('crumbs', False) of 'no crumbs'. None for a name without reserved words, and for one
    that no sentence could hold otherwise, such as 'draw after empty'."""
    if not sentences.reserved_in(name):
        return ()
    found = list(_terminals(name))
    kinds = [terminals for _, terminals in found]
    beside = sentences.neighbours()
    if not all(kinds) or not all(
        any((one, other) in beside for one in left for other in right) for left, right in pairwise(kinds)
    ):
        return ()
    return tuple(
        (text, number > 0 and found[number - 1][0] in _OF_A_NUMBER)
        for number, (text, terminals) in enumerate(found)
        if "NAME" in terminals
    )


def _terminals(name: str) -> Iterator[tuple[str, frozenset[str]]]:
    """A name cut into phrases of the language and names, each with what it can be in a sentence."""
    words = name.split()
    begun: list[str] = []
    at = 0
    while at < len(words):
        length = next((n for n in range(min(_longest(), len(words) - at), 0, -1) if _spelt(words[at : at + n])), 0)
        if not length:
            begun.append(words[at])
            at += 1
            continue
        if begun:
            yield " ".join(begun), frozenset(["NAME"])
            begun = []
        phrase = " ".join(words[at : at + length])
        yield phrase, _phrases().get(phrase, frozenset())
        at += length
    if begun:
        yield " ".join(begun), frozenset(["NAME"])


def _spelt(words: list[str]) -> bool:
    """Whether words are a phrase of the language that no name holds unless it is declared so."""
    phrase = " ".join(words)
    return phrase in sentences.reserved() or (phrase in _phrases() and bool(sentences.reserved_in(phrase)))


@cache
def _phrases() -> dict[str, frozenset[str]]:
    """Of each phrase, the terminals that it can be."""
    found: dict[str, set[str]] = {}
    for terminal, phrases in sentences.spellings().items():
        for phrase in phrases:
            found.setdefault(phrase, set()).add(terminal)
    return {phrase: frozenset(terminals) for phrase, terminals in found.items()}


@cache
def _longest() -> int:
    return max(len(phrase.split()) for phrase in _phrases())


@lru_cache(maxsize=1_000)
def is_word_of_language(name: str) -> bool:
    """Whether a name is made of nothing but reserved words."""
    return bool(name) and all(terminals != frozenset(["NAME"]) for _, terminals in _terminals(name))


@lru_cache(maxsize=1_000)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    either = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    reserved = "|".join(sorted(sentences.reserved())).replace(" ", r"\s+")
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)(?!\s+(?!(?:{reserved})\b)[^\W\d_])")


def joined(text: str, names: frozenset[str]) -> str:
    """A sentence with the names in it that hold reserved words made one word each, the longest first."""
    if not names:
        return text
    return _pattern(names).sub(lambda found: re.sub(r"\s", sentences.JOINT, found[0]), text)


def one_word(name: str) -> str:
    """A name as it stands in sentences that are read."""
    return name.replace(" ", sentences.JOINT) if sentences.reserved_in(name) else name
