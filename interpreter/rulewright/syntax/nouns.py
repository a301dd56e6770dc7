"""Singular and plural of English nouns, for names in rules and for messages.

The rules and `spec/nouns.txt` are our own, for what an edition means must not change with a library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache, reduce
from typing import NamedTuple

from rulewright.base import resources
from rulewright.base.wording import SlotValue, Wording, Words
from rulewright.syntax import messages

_LAST = re.compile(r"[^\W\d_]+$")
"""Last word of a name."""


class _Nouns(NamedTuple):
    """Lists of `spec/nouns.txt`. many: singular -> plural of irregular nouns; one: the reverse, with other plurals of
    the same nouns; lists: the other nouns, by heading."""

    many: dict[str, str]
    one: dict[str, str]
    lists: dict[str, frozenset[str]]


@cache
def _load_nouns() -> _Nouns:
    """Read spec/nouns.txt."""
    text = re.sub(r"(?m)^#.*$", "", resources.read_text("spec", "nouns.txt"))
    sections = {
        heading: [entry.split() for entry in body.split(",")]
        for heading, body in re.findall(r"([^:,]+):\n([^:]+)(?=\n\n|\Z)", text)
    }
    sections = {" ".join(heading.split()): entries for heading, entries in sections.items()}
    pairs = [(one, many) for one, many in sections.pop("irregular")]
    others = [(one, many) for one, many in sections.pop("other plurals")]
    lists = {heading: frozenset(word for (word,) in entries) for heading, entries in sections.items()}
    return _Nouns(dict(pairs), {many: one for one, many in [*pairs, *others]}, lists)


_SAID_AN = re.compile(
    r"[\W_]*(?:a|e(?!u)|i|o(?!nes?\b|nce\b)|u(?!ni[^nm]|s[aeiu]|r[ae]|t[ei])|hour|heir|honou?r)", re.IGNORECASE
)
"""Beginnings of words that take 'an'."""


def article(noun: SlotValue) -> Wording:
    """Return a noun with its indefinite article, for messages."""
    return (messages.AN if with_article(str(noun)).startswith("an ") else messages.A)(noun=noun)


def join_parts(link: Words, parts: Iterable[SlotValue]) -> SlotValue:
    """Join parts of a sentence by a link such as '{first} and {second}', for messages. parts: at least one."""
    return reduce(lambda first, second: link(first=first, second=second), parts)


def with_article(thing: str) -> str:
    """Add the indefinite article to a thing: a card, an option, a unit, an hour."""
    return f"{'an' if _SAID_AN.match(thing) else 'a'} {thing}"


@lru_cache(1 << 12)
def singular(name: str) -> str:
    """Return the singular of a name; one in the singular stays. Only its last word changes. name: in small letters;
    capitals hide nouns of the lists, such as irregular ones."""
    match = _LAST.search(name)
    return name[: match.start()] + _singular_word(match[0]) if match else name


@lru_cache(1 << 10)
def plural(name: str) -> str:
    """Return the plural of a name; one in the plural stays. Only its last word changes, whatever its capitals; a name
    that ends in no letter gets an s."""
    match = _LAST.search(name)
    if match is None:
        return name + "s"
    word = match[0].casefold()
    if _singular_word(word) != word:
        return name
    many = _plural_word(word)
    common = next((n for n, (a, b) in enumerate(zip(word, many, strict=False)) if a != b), min(len(word), len(many)))
    return name[: match.start() + common] + many[common:]


def _singular_word(word: str) -> str:
    """Return the singular of one word, by the lists of nouns and the rules of spelling."""
    nouns = _load_nouns()
    if word in nouns.one:
        return nouns.one[word]
    if compounded := _inflect_compound(word, nouns.one):
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


def _inflect_compound(word: str, other: Mapping[str, str]) -> str:
    """Return the other number of a compound such as grandchild, by the noun at its end; '' if it is none. other:
    singular -> plural of nouns, or the reverse."""
    nouns = _load_nouns()
    if word not in nouns.lists["not compounded"]:
        for one in nouns.lists["compounded"]:
            end = one if one in other else nouns.many[one]
            if word.endswith(end) and len(word) > len(end) + 1:
                return word.removesuffix(end) + other[end]
    return ""


def _takes_es(one: str) -> bool:
    """Return whether the plural of a noun, given in the singular, ends in -es, not -s."""
    lists = _load_nouns().lists
    if one.endswith("o"):
        return one in lists["in o with es"]
    if one + "e" in lists["in e"] or one.endswith(("ous", "aus")):
        return False
    return one in lists["singular in s"] or one.endswith(("us", "ss", "sh", "zz", "tz", "ch", "x"))


def _plural_word(word: str) -> str:
    """Return the plural of one word, by the lists of nouns and the rules of spelling."""
    nouns = _load_nouns()
    if word in nouns.many:
        return nouns.many[word]
    if word in nouns.lists["alike"]:
        return word
    if compounded := _inflect_compound(word, nouns.many):
        return compounded
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    if word.endswith("is") and word[:-2] + "es" in nouns.one:
        return word[:-2] + "es"
    return word + ("es" if _takes_es(word) or word.endswith(("s", "z")) else "s")
