"""What is wrong with one translation: its slots, articles, forms, brackets and blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import few, nearest
from rulewright.i18n.bidi import OVERRIDES
from rulewright.i18n.catalog_update import CatalogMessage, SlotKind
from rulewright.i18n.grammar import NAME, GrammarTable, NounError
from rulewright.i18n.message_patterns import (
    Agreement,
    PatternError,
    PatternPart,
    Slot,
    everything,
    parts,
    slots,
    within,
)

_DETERMINERS = ("a", "an", "no", "the")
_TWICE = re.compile(r"(?<!\.)\.\.(?!\.)|[!?…]\s?\.(?!\.)")
_PLAIN_BLANK = re.compile(r"(?<=[^\W_\]}]) [?!:;»](?!\w)|« ")
_PAIRS = (("(", ")"), ("«", "»"))
_WORDS_BEFORE = re.compile(r"(?:^|[\s(«„“\u00a0])([^\s(«„“]+[’'-]|[^\s(«„“]+\s)$")


def wrong_sentence(text: str, message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """What is wrong with a text, a term or a sentence, beside its English one."""
    try:
        known, used = slots(message.one), slots(text)
        pattern = parts(text)
    except PatternError as error:
        yield f"The sentence cannot be read: {error}."
        return
    for name in used.keys() - known.keys():
        listed = ", ".join(f"{{{other}}}" for other in known) or "none"
        yield f"There is no slot {{{name}}} here; there is {listed}. {nearest(name, known)}".strip()
    for name in known.keys() - used.keys():
        yield f"The slot {{{name}}} is missing."
    samples = (*table.articles, *table.ordinals)
    kinds, literals = dict(message.slots), "".join(part for part in parts(message.one) if isinstance(part, str))
    for part in everything(pattern):
        if isinstance(part, Slot) and part.sample and part.sample.casefold() not in samples:
            hint = nearest(part.sample, samples) or few(samples)
            yield f"'[{part.sample}]' is no article that the grammar of {table.name} knows. {hint}".strip()
        if isinstance(part, Slot) and part.sample.casefold() in table.ordinals:
            kind = kinds.get(part.name, SlotKind.NUMBER)
            if kind != SlotKind.NUMBER:
                yield f"'[{part.sample}]' is an ordinal, and {{{part.name}}} is {kind.value}."
        if isinstance(part, Agreement):
            yield from _wrong_forms(part, message, table)
        if isinstance(part, str):
            yield from _wrong_literal(part, message, literals)
    yield from _wrong_articles(pattern, message, table)
    if "\n" in text.strip("\n") and "\n" not in message.one:
        yield "There is a line break, and none in English."
    if _TWICE.search(text) and not _TWICE.search(message.one):
        yield "There are two full stops in a row."
    if "  " in text:
        yield "There are two blanks in a row."
    yield from _wrong_signs(text, message)
    if found := OVERRIDES.search(text):
        told = f"An invisible character (U+{ord(found[0]):04X}) changes the order of what follows. Delete it"
        yield f"{told}; what is inserted keeps its order by itself."


def longest(text: str) -> int:
    """How many characters a text can have, with the names of its slots for what fills them."""
    try:
        pattern = parts(text)
    except PatternError:
        return len(text)
    forms = (part.told for part in pattern if isinstance(part, Agreement))
    told = [part if isinstance(part, str) else f"{{{part.name}}}" for part in pattern if isinstance(part, str | Slot)]
    return len("".join([*told, *(max(each, key=len) for each in forms)]))


def _wrong_signs(text: str, message: CatalogMessage) -> Iterator[str]:
    """Signs of which one is open, and blanks beside a sign where a line would break; English may have them too."""
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing) and message.one.count(opening) == message.one.count(closing):
            yield f"There are not as many '{opening}' as '{closing}'."
    found = _PLAIN_BLANK.search(text)
    if found is not None and not _PLAIN_BLANK.search(message.one):
        yield f"A line can break beside '{found[0].strip()}'. Write a no-break space there (U+00A0 or U+202F)."


def _wrong_literal(literal: str, message: CatalogMessage, english: str) -> Iterator[str]:
    """Brackets and bars that are left as they are, though English has none. english: its text outside of slots and
    forms."""
    if message.inflected or message.many:
        return  # a noun's grammar, which is looked at with it
    for sign in "[]|":
        if sign in literal and sign not in english:
            yield f"A '{sign}' stands alone in '{literal.strip()}': brackets come in pairs, with forms or an article."
            return


def _wrong_articles(pattern: Sequence[PatternPart], message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """Articles that stand before a slot as plain words, and would stay as they are whatever is inserted."""
    for part in pattern:
        if isinstance(part, Agreement):
            for form in part.told:
                yield from _wrong_articles(within(part, form), message, table)
    kinds = dict(message.slots)
    for before, part, behind in zip(pattern, pattern[1:], (*pattern[2:], ""), strict=False):
        if not isinstance(before, str) or not isinstance(part, Slot) or part.sample:
            continue
        if isinstance(behind, str) and behind[:1].isalpha():
            continue  # a part of a longer word
        match = _WORDS_BEFORE.search(before)
        word = _curled(match[1].strip()) if match else ""
        things = kinds.get(part.name) in (SlotKind.THING, SlotKind.THINGS)
        people = kinds.get(part.name) in (SlotKind.PLAYER, SlotKind.PLAYERS)
        if (things and word in table.written_articles) or ((things or people) and word in table.changing(people)):
            yield f"'{word}' before {{{part.name}}} stays as it is; write [{_sample(word, table)}] for what fits."


def _curled(word: str) -> str:
    """As grammars write it: in lower case, with a curled apostrophe."""
    return word.casefold().replace("'", "’")


def _sample(written: str, table: GrammarTable) -> str:
    """The sample to write for an article that stands there in one of its forms."""
    if written in table.articles:
        return written
    return next((sample for sample, article in table.articles.items() if written in article.words()), "…")


def _wrong_forms(part: Agreement, message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """What is wrong with forms of which one agrees with a slot: their keys, and how many there are without one."""
    told = "|".join([*part.forms, *(f"{key}={form}" for key, form in part.named)])
    if part.misnamed:
        yield f"'[{told}]': there is no slot {{{part.misnamed}}} here. {nearest(part.misnamed, part.known)}".strip()
    for key, _ in part.named:
        if key not in table.agreeing() and not key.isdecimal():
            hint = nearest(key, table.agreeing()) or few(table.agreeing())
            yield f"'[{told}]': words do not agree by '{key}'. {hint}".strip()
    kind = dict(message.slots).get(part.slot)
    if kind == SlotKind.THING and len(part.forms) > 1:
        yield f"'[{told}]': {{{part.slot}}} is one thing; its gender tells forms apart, as in [x|f=y]."
        return
    if part.named and len(part.forms) <= 1:
        return
    least, most = 2, table.plurals + 2
    if kind == SlotKind.NUMBER:
        least = most = table.plurals
    elif kind == SlotKind.PLAYER:
        most = 2
    if not least <= len(part.forms) <= most:
        expected = f"{least}" if least == most else f"{least} to {most}"
        told_kind = f" for {kind.value}" if kind is not None else ""
        yield f"'[{told}]' has {len(part.forms)} forms; expected {expected}{told_kind}."


def wrong_noun(texts: tuple[str, ...], message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """What is wrong with a noun and its grammar. texts: one for each plural form."""
    try:
        noun = table.noun(texts)
    except NounError as error:
        yield str(error)
        return
    if any("~" in text for text in texts) and not table.adjectives:
        yield f"'~' is the ending of an adjective; the grammar of {table.name} has no 'adjectives' that tell it."
    if message.inflected and noun.gender != NAME and message.one.partition(" ")[0] not in _DETERMINERS:
        for text in texts:
            first, _, rest = text.partition(" ")
            glued = next((a for a in table.written_articles if a[-1] in "’'" and _curled(text).startswith(a)), "")
            if (rest and _curled(first) in table.written_articles) or glued:
                told = glued or first
                yield f"A noun stands without its article: sentences put one before it. Delete '{told}'."
                break
    inherits = "{" in message.one and "[" not in texts[0]
    if message.inflected and table.genders and not noun.gender and not inherits:
        genders = ", ".join(f"[{gender}]" for gender in table.genders)
        yield f"A noun needs its gender in brackets: {genders}, or [name] if it takes no article."
