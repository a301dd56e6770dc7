"""Sentences with slots, as they stand in editions and catalogs.

    {actor} took [the] {card} from [a] {place}.     a sample article before a slot: the right one for what stands there
    {seat} [takes|take] {count} [card|cards].       forms that agree with the slot before them: with a number, one for
                                                    each plural; with a player, for others and for 'you'; with a list
                                                    of players, one for each plural, and last for 'you'
    {seat} plays {card} and [seat: wins|win].       forms that agree with the slot named first
    {card} est [pris|f=prise|many f=prises]         forms for what the slot holds: by gender, many, name (people), you,
                                                    'you and others', nothing, or a number: exactly so many; those
                                                    without a key are for the rest
    [seat: nothing=Nobody|{seat}, for {count}]      forms may hold slots and forms themselves

Anything else in brackets is as it is. Nothing here is ever run or looked up: a slot is a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
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
    """Forms of which one agrees with what fills a slot. named: those with a key, which come first; forms: the others,
    by number or by who reads; known: the slots of the sentence in which it stands; misnamed: what stands before a colon
    at its beginning, and is none of these, or ''."""

    forms: tuple[str, ...]
    slot: str
    named: tuple[tuple[str, str], ...] = ()
    known: frozenset[str] = frozenset()
    misnamed: str = ""

    @property
    def told(self) -> tuple[str, ...]:
        """All its forms."""
        return (*self.forms, *(form for _, form in self.named))


PatternPart = str | Slot | Agreement

_IN_FORM = r"\{[^{}]*\}|\[(?:\{[^{}]*\}|[^\[\]{}])*\]"
_INSIDE = rf"\{{[^{{}}]*\}}|\[(?:{_IN_FORM}|[^\[\]{{}}])*\]"
_TOKEN = re.compile(
    r"\{([^{}]*)\}|\[([^\[\]{}|]*)\] ?\{([^{}]*)\}"
    rf"|\[((?:{_INSIDE}|[^\[\]{{}}|])*\|(?:{_INSIDE}|[^\[\]{{}}])*)\]"
)
_FORM = re.compile(rf"\|((?:{_INSIDE}|[^\[\]{{}}|])*)")
_IN_BRACES = re.compile(r"\{([^{}]*)\}")
_OPEN = re.compile(r"\{(\w+)\}")
_NAMED = re.compile(r" *([^\W\d_][\w ]*):")
_KEYED = re.compile(r"([a-z][a-z ]*|\d+) *= *(.*)", re.DOTALL)


@lru_cache(maxsize=10_000)
def parts(text: str) -> tuple[PatternPart, ...]:
    """A sentence as its literals, slots and agreeing words. Raises PatternError."""
    if len(text) > LONGEST:
        raise PatternError(f"a sentence has at most {LONGEST:,} characters")
    names = _names(text)
    return _parts(text, frozenset(names), names[0] if names else "")


@lru_cache(maxsize=10_000)
def within(part: Agreement, form: str) -> tuple[PatternPart, ...]:
    """One of an agreement's forms as its literals, slots and agreeing words. Raises PatternError."""
    return _parts(form, part.known, part.slot)


def everything(pattern: Iterable[PatternPart]) -> Iterator[PatternPart]:
    """The parts of a sentence, with those within forms. Raises PatternError."""
    for part in pattern:
        yield part
        if isinstance(part, Agreement):
            for form in part.told:
                yield from everything(within(part, form))


def slots(text: str) -> Counter[str]:
    """The names of a sentence's slots, each as often as it stands there. Raises PatternError."""
    return Counter(part.name for part in everything(parts(text)) if isinstance(part, Slot))


def _parts(text: str, known: frozenset[str], subject: str) -> tuple[PatternPart, ...]:
    """known: the slots that forms can agree with; subject: the one with which they do where none stands before."""
    found: list[PatternPart] = []
    at = 0
    first = next((named(match[1] or match[3] or "") for match in _TOKEN.finditer(text) if match[4] is None), "")
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
            continue
        of, colon, forms = match[4].partition(":")
        if not colon or named(of) not in known:
            of, forms = last or first or subject, match[4]
        found.append(_agreement(forms, named(of), known) if of else match[0])
    if at < len(text):
        found.append(_literal(text[at:]))
    return tuple(found)


def _names(text: str) -> list[str]:
    """The names in a text's braces, wherever they stand."""
    return [name for name in map(named, _IN_BRACES.findall(text)) if name]


def filled(template: str, **texts: str) -> str:
    """A text with slots in braces, and nothing else that has a meaning, with what fills them."""
    return _OPEN.sub(lambda found: texts.get(found[1], found[0]), template)


def named(slot: str) -> str:
    """A slot's name with single spaces."""
    return " ".join(slot.split())


def _agreement(forms: str, slot: str, known: frozenset[str]) -> Agreement:
    told = [form.strip() for form in _FORM.findall(f"|{forms}")]
    keyed = [_KEYED.fullmatch(form) for form in told]
    bare = tuple(form for form, match in zip(told, keyed, strict=True) if match is None)
    misnamed = _NAMED.match(told[0]) if keyed[0] is None else None
    with_key = tuple((named(match[1]), match[2]) for match in keyed if match is not None)
    return Agreement(bare, slot, with_key, known, misnamed[1] if misnamed is not None else "")


def _literal(text: str) -> str:
    if "{" in text or "}" in text:
        raise PatternError("a brace is open or closed without the other")
    return text
