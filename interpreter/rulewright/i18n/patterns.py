"""Sentences with slots, as they stand in editions and catalogs.

    {actor} took [the] {card} from [a] {place}.     a sample article before a slot: the right one for what stands there
    {seat} [takes|take] {count} [card|cards].       forms that agree with the slot before them: with a number, one for
                                                    each plural; with a player, for others and for 'you'; with a list
                                                    of players, one for each plural, and last for 'you'
    {seat} plays {card} and [seat: wins|win].       forms that agree with the slot named first
    {card} est [pris|f=prise|many f=prises]         forms for what the slot holds: by gender, many, name (people), you,
                                                    'you and others' and nothing; those without a key are for the rest

Anything else in brackets is as it is. Nothing here is ever run or looked up: a slot is a name.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from rulewright.base.records import record

LONGEST = 10_000


class PatternError(ValueError):
    """A sentence whose braces are not in pairs, or that is too long; the text says what is wrong."""


@record
class Slot:
    """A place to fill. sample: the article in brackets before it, or ''."""

    name: str
    sample: str = ""


@record
class Agreement:
    """Forms of a word, of which one agrees with what fills a slot. named: those with a key, which come first; forms:
    the others, by number or by who reads."""

    forms: tuple[str, ...]
    slot: str
    named: tuple[tuple[str, str], ...] = ()


PatternPart = str | Slot | Agreement

_TOKEN = re.compile(r"\{([^{}]*)\}|\[([^\[\]{}|]*)\] ?\{([^{}]*)\}|\[([^\[\]{}]*\|[^\[\]{}]*)\]")
_OPEN = re.compile(r"\{(\w+)\}")
_KEYED = re.compile(r"([a-z][a-z ]*) *= *(.*)", re.DOTALL)


@lru_cache(maxsize=10_000)
def parts(text: str) -> tuple[PatternPart, ...]:
    """A sentence as its literals, slots and agreeing words. Raises PatternError."""
    if len(text) > LONGEST:
        raise PatternError(f"a sentence has at most {LONGEST:,} characters")
    found: list[PatternPart] = []
    at = 0
    names = [named(match[1] or match[3] or "") for match in _TOKEN.finditer(text) if match[4] is None]
    last = ""
    for match in _TOKEN.finditer(text):
        literal = text[at : match.start()]
        at = match.end()
        if literal:
            found.append(_literal(literal))
        if match[4] is None:
            last = named(match[1] or match[3] or "")
            if not last:
                raise PatternError("a slot has a name, as in {card}")
            found.append(Slot(last, (match[2] or "").strip()))
        elif names:
            subject, colon, forms = match[4].partition(":")
            if not colon or named(subject) not in names:
                subject, forms = last or names[0], match[4]
            found.append(_agreement(forms, named(subject)))
        else:
            found.append(match[0])
    if at < len(text):
        found.append(_literal(text[at:]))
    return tuple(found)


def slots(text: str) -> Counter[str]:
    """The names of a sentence's slots, each as often as it stands there. Raises PatternError."""
    return Counter(part.name for part in parts(text) if isinstance(part, Slot))


def filled(template: str, **texts: str) -> str:
    """A text with slots in braces, and nothing else that has a meaning, with what fills them."""
    return _OPEN.sub(lambda found: texts.get(found[1], found[0]), template)


def named(slot: str) -> str:
    """A slot's name with single spaces."""
    return " ".join(slot.split())


def _agreement(forms: str, slot: str) -> Agreement:
    keyed = [_KEYED.fullmatch(form.strip()) for form in forms.split("|")]
    bare = tuple(form.strip() for form, match in zip(forms.split("|"), keyed, strict=True) if match is None)
    return Agreement(bare, slot, tuple((named(match[1]), match[2]) for match in keyed if match is not None))


def _literal(text: str) -> str:
    if "{" in text or "}" in text:
        raise PatternError("a brace is open or closed without the other")
    return text
