"""Patterns of sentences: texts with slots and agreeing words, in editions and catalogs.

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

MAX_LENGTH = 10_000
"""Maximum number of characters of a sentence."""


class PatternError(ValueError):
    """Error: a sentence with unpaired braces or a slot without a name, or too long; the text says which."""


@record
class Slot:
    """Slot in a sentence. sample: article in brackets before it, or ''."""

    name: str
    sample: str = ""


@record
class Agreement:
    """Alternative forms, one of which agrees with a slot's content.

    - keyed: forms with a key, tried first
    - forms: the others, by number or by reader
    - slot: name of the one that they agree with
    - known_slots: names of the sentence's slots
    - misnamed: unknown slot named before a colon, or ''
    """

    forms: tuple[str, ...]
    slot: str
    keyed: tuple[tuple[str, str], ...] = ()
    known_slots: frozenset[str] = frozenset()
    misnamed: str = ""

    @property
    def all_forms(self) -> tuple[str, ...]:
        """All its forms."""
        return (*self.forms, *(form for _, form in self.keyed))


PatternPart = str | Slot | Agreement
"""Part of a parsed sentence; a str is text as it stands."""

_IN_FORM = r"\{[^{}]*\}|\[(?:\{[^{}]*\}|[^\[\]{}])*\]"
"""Content of a form, as a pattern: a slot, or brackets without further brackets in them."""
_INSIDE = rf"\{{[^{{}}]*\}}|\[(?:{_IN_FORM}|[^\[\]{{}}])*\]"
"""Like `_IN_FORM`, with one more level of brackets."""
_TOKEN = re.compile(
    r"\{([^{}]*)\}|\[([^\[\]{}|]*)\] ?\{([^{}]*)\}"
    rf"|\[((?:{_INSIDE}|[^\[\]{{}}|])*\|(?:{_INSIDE}|[^\[\]{{}}])*)\]"
)
"""Slot; article in brackets and slot; or forms, in group 4."""
_FORM = re.compile(rf"\|((?:{_INSIDE}|[^\[\]{{}}|])*)")
"""Form behind a bar."""
_IN_BRACES = re.compile(r"\{([^{}]*)\}")
_OPEN = re.compile(r"\{(\w+)\}")
"""Slot of a plain template."""
_SLOT_NAME = re.compile(r" *([^\W\d_][\w ]*):")
"""Likely name of a slot before forms."""
_KEYED = re.compile(r"([a-z][a-z ]*|\d+) *= *(.*)", re.DOTALL)
"""Form with its key, such as 'many = take' or '1 = takes'."""


@lru_cache(maxsize=10_000)
def parts(text: str) -> tuple[PatternPart, ...]:
    """Parse a sentence into literals, slots and agreeing words; forms stay unparsed, see `parse_form`. Raises
    PatternError."""
    if len(text) > MAX_LENGTH:
        raise PatternError(f"a sentence has at most {MAX_LENGTH:,} characters")
    names = _names(text)
    return _parts(text, frozenset(names), names[0] if names else "")


@lru_cache(maxsize=10_000)
def parse_form(part: Agreement, form: str) -> tuple[PatternPart, ...]:
    """Parse one of an agreement's forms. Raises PatternError."""
    return _parts(form, part.known_slots, part.slot)


def all_parts(pattern: Iterable[PatternPart]) -> Iterator[PatternPart]:
    """Yield the parts of a sentence, with those within forms. Raises PatternError."""
    for part in pattern:
        yield part
        if isinstance(part, Agreement):
            for form in part.all_forms:
                yield from all_parts(parse_form(part, form))


def slots(text: str) -> Counter[str]:
    """Count the slots of a sentence by name, with those within forms. Raises PatternError."""
    return Counter(part.name for part in all_parts(parts(text)) if isinstance(part, Slot))


def _parts(text: str, known: frozenset[str], subject: str) -> tuple[PatternPart, ...]:
    """Parse a text. known: slots that forms can agree with; subject: slot that forms agree with if the text has none.

    Forms agree with the slot that they name, else with the last one before them, else with the first one behind.
    Without any, they stay as they are. Raises PatternError.
    """
    result: list[PatternPart] = []
    position = 0
    first = next((normal_name(match[1] or match[3] or "") for match in _TOKEN.finditer(text) if match[4] is None), "")
    last = ""
    for match in _TOKEN.finditer(text):
        literal = text[position : match.start()]
        position = match.end()
        if literal:
            result.append(_literal(literal))
        if match[4] is None:
            last = normal_name(match[1] or match[3] or "")
            if not last:
                raise PatternError("a slot has a name, as in {card}")
            result.append(Slot(last, (match[2] or "").strip()))
            continue
        slot, colon, forms = match[4].partition(":")
        if not colon or normal_name(slot) not in known:
            slot, forms = last or first or subject, match[4]
        result.append(_parse_agreement(forms, normal_name(slot), known) if slot else match[0])
    if position < len(text):
        result.append(_literal(text[position:]))
    return tuple(result)


def _names(text: str) -> list[str]:
    """List the names in a text's braces, at any depth."""
    return [name for name in map(normal_name, _IN_BRACES.findall(text)) if name]


def fill(template: str, **texts: str) -> str:
    """Fill the braces of a plain template; those without a text stay."""
    return _OPEN.sub(lambda match: texts.get(match[1], match[0]), template)


def normal_name(slot: str) -> str:
    """Return a slot's name with single spaces."""
    return " ".join(slot.split())


def _parse_agreement(forms: str, slot: str, known: frozenset[str]) -> Agreement:
    """Parse the forms between brackets, 'takes|take' or '1=takes|take', that agree with a slot."""
    texts = [form.strip() for form in _FORM.findall(f"|{forms}")]
    keyed = [_KEYED.fullmatch(form) for form in texts]
    bare = tuple(form for form, match in zip(texts, keyed, strict=True) if match is None)
    misnamed = _SLOT_NAME.match(texts[0]) if keyed[0] is None else None
    with_key = tuple((normal_name(match[1]), match[2]) for match in keyed if match is not None)
    return Agreement(bare, slot, with_key, known, misnamed[1] if misnamed is not None else "")


def _literal(text: str) -> str:
    """Return a text outside of slots and forms. Raises PatternError for a single brace."""
    if "{" in text or "}" in text:
        raise PatternError("a brace is open or closed without the other")
    return text
