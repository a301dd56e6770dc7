"""Names that hold reserved words: parts that a sentence could read by themselves, and joining their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from rulewright.syntax import sentence_grammar

_OF_A_NUMBER = frozenset(["first", "last", "top", "bottom"])
"""Words that a number follows: `first 2 of …`."""


@lru_cache(maxsize=10_000)
def parts_of_name(name: str) -> tuple[tuple[str, bool], ...]:
    """Return the names within a name, if its words could stand side by side in a sentence, each with whether it must be
    a number there: ('crumbs', False) for 'no crumbs'. () for a name without reserved words, and for one that no
    sentence could hold otherwise, such as 'draw after empty'."""
    if not sentence_grammar.reserved_in(name):
        return ()
    segments = list(_split_at_phrases(name))
    kinds = [terminals for _, terminals in segments]
    neighbours = sentence_grammar.neighbours()
    if not all(kinds) or not all(
        any((one, other) in neighbours for one in left for other in right) for left, right in pairwise(kinds)
    ):
        return ()
    return tuple(
        (text, number > 0 and segments[number - 1][0] in _OF_A_NUMBER)
        for number, (text, terminals) in enumerate(segments)
        if "NAME" in terminals
    )


def _split_at_phrases(name: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Split a name into phrases of the language, the longest at each place, and the names between them, each with the
    terminals that it can be: NAME for a name; none for a phrase that stands only inside a longer one."""
    words = name.split()
    pending: list[str] = []
    position = 0
    while position < len(words):
        length = next(
            (
                n
                for n in range(min(_max_phrase_words(), len(words) - position), 0, -1)
                if _is_reserved_phrase(words[position : position + n])
            ),
            0,
        )
        if not length:
            pending.append(words[position])
            position += 1
            continue
        if pending:
            yield " ".join(pending), frozenset(["NAME"])
            pending = []
        phrase = " ".join(words[position : position + length])
        yield phrase, _phrases().get(phrase, frozenset())
        position += length
    if pending:
        yield " ".join(pending), frozenset(["NAME"])


def _is_reserved_phrase(words: list[str]) -> bool:
    """Return whether words are a phrase of the language, which only declared names may hold."""
    phrase = " ".join(words)
    return phrase in sentence_grammar.reserved() or (
        phrase in _phrases() and bool(sentence_grammar.reserved_in(phrase))
    )


@cache
def _phrases() -> dict[str, frozenset[str]]:
    """Return the terminals that each phrase can be."""
    result: dict[str, set[str]] = {}
    for terminal, phrases in sentence_grammar.spellings().items():
        for phrase in phrases:
            result.setdefault(phrase, set()).add(terminal)
    return {phrase: frozenset(terminals) for phrase, terminals in result.items()}


@cache
def _max_phrase_words() -> int:
    """Return the number of words of the longest phrase."""
    return max(len(phrase.split()) for phrase in _phrases())


@lru_cache(maxsize=1_000)
def is_word_of_language(name: str) -> bool:
    """Return whether a name is made of nothing but phrases with reserved words; False for ''."""
    return bool(name) and all(terminals != frozenset(["NAME"]) for _, terminals in _split_at_phrases(name))


@lru_cache(maxsize=1_000)
def _pattern_of_names(names: frozenset[str]) -> re.Pattern[str]:
    """Return the pattern of some names in a sentence, not followed by a further word of a name."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    either = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    reserved = "|".join(sorted(sentence_grammar.reserved())).replace(" ", r"\s+")
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)(?!\s+(?!(?:{reserved})\b)[^\W\d_])")


def join_names(text: str, names: frozenset[str]) -> str:
    """Join the words of these names by JOINT wherever a sentence has them, the longest names first, but not where they
    begin a longer name."""
    if not names:
        return text
    return _pattern_of_names(names).sub(lambda match: re.sub(r"\s", sentence_grammar.JOINT, match[0]), text)


def join_name(name: str) -> str:
    """Return a name as it stands in sentences to parse, its words joined if it holds reserved ones."""
    return name.replace(" ", sentence_grammar.JOINT) if sentence_grammar.reserved_in(name) else name
