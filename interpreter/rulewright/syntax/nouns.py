"""English nouns, one and many: by which names are one name, and what people read of several things.

The rules and `spec/nouns.txt` are our own, for what an edition means must not change with a library.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from rulewright.base import resources

_LAST = re.compile(r"[^\W\d_]+$")


class _Nouns(NamedTuple):
    """many, one: of nouns that no rule tells; lists: the others of `spec/nouns.txt`, by their headings."""

    many: dict[str, str]
    one: dict[str, str]
    lists: dict[str, frozenset[str]]


@cache
def _nouns() -> _Nouns:
    text = re.sub(r"(?m)^#.*$", "", resources.read_text("spec", "nouns.txt"))
    found = {
        heading: [entry.split() for entry in body.split(",")]
        for heading, body in re.findall(r"([^:,]+):\n([^:]+)(?=\n\n|\Z)", text)
    }
    found = {" ".join(heading.split()): entries for heading, entries in found.items()}
    pairs = [(one, many) for one, many in found.pop("irregular")]
    others = [(one, many) for one, many in found.pop("other plurals")]
    lists = {heading: frozenset(word for (word,) in entries) for heading, entries in found.items()}
    return _Nouns(dict(pairs), {many: one for one, many in [*pairs, *others]}, lists)


_SAID_AN = re.compile(
    r"[\W_]*(?:a|e(?!u)|i|o(?!nes?\b|nce\b)|u(?!ni[^nm]|s[aeiu]|r[ae]|t[ei])|hour|heir|honou?r)", re.IGNORECASE
)
"""How things begin that 'an' stands before."""


def an(thing: str) -> str:
    """A thing with its indefinite article: a card, an option, a unit, an hour."""
    return f"{'an' if _SAID_AN.match(thing) else 'a'} {thing}"


@lru_cache(1 << 12)
def singular(name: str) -> str:
    """What one of such things is called; a name that is singular as it is. Its last word alone counts."""
    found = _LAST.search(name)
    return name[: found.start()] + _one(found[0]) if found else name


@lru_cache(1 << 10)
def plural(name: str) -> str:
    """What several such things are called; a name that is plural stays as it is."""
    found = _LAST.search(name)
    if found is None:
        return name + "s"
    word = found[0].casefold()
    if _one(word) != word:
        return name
    many = _many(word)
    kept = next((n for n, (a, b) in enumerate(zip(word, many, strict=False)) if a != b), min(len(word), len(many)))
    return name[: found.start() + kept] + many[kept:]


def _one(word: str) -> str:
    nouns = _nouns()
    if word in nouns.one:
        return nouns.one[word]
    if compounded := _compounded(word, nouns.one):
        return compounded
    if not word.endswith("s") or len(word) < 3 or word in nouns.many:
        return word
    if word in nouns.lists["alike"] | nouns.lists["singular in s"]:
        return word
    if word.endswith(("ss", "us")) and word[:-1] not in nouns.lists["in u"] and not word.endswith("eaus"):
        return word
    if word.endswith("ies") and len(word) > 4 and word[:-1] not in nouns.lists["in ie"]:
        return word[:-3] + "y"
    return word[:-2] if word.endswith("es") and _takes_es(word[:-2]) else word[:-1]


def _compounded(word: str, other: Mapping[str, str]) -> str:
    """The other number of a word such as grandchild, by the noun at its end; '' where there is none."""
    nouns = _nouns()
    if word not in nouns.lists["not compounded"]:
        for one in nouns.lists["compounded"]:
            end = one if one in other else nouns.many[one]
            if word.endswith(end) and len(word) > len(end) + 1:
                return word.removesuffix(end) + other[end]
    return ""


def _takes_es(one: str) -> bool:
    """Whether several of a thing that is called so end in -es, not -s."""
    lists = _nouns().lists
    if one.endswith("o"):
        return one in lists["in o with es"]
    if one + "e" in lists["in e"] or one.endswith(("ous", "aus")):
        return False
    return one in lists["singular in s"] or one.endswith(("us", "ss", "sh", "zz", "tz", "ch", "x"))


def _many(word: str) -> str:
    nouns = _nouns()
    if word in nouns.many:
        return nouns.many[word]
    if word in nouns.lists["alike"]:
        return word
    if compounded := _compounded(word, nouns.many):
        return compounded
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    if word.endswith("is") and word[:-2] + "es" in nouns.one:
        return word[:-2] + "es"
    return word + ("es" if _takes_es(word) or word.endswith(("s", "z")) else "s")
