"""Check of one translation: its slots, articles, forms, brackets and blanks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.base import wording
from rulewright.base.diagnostics import few, nearest
from rulewright.i18n.bidi import OVERRIDES
from rulewright.i18n.catalog_update import CatalogMessage, SlotKind
from rulewright.i18n.catalogs import DIAGNOSTIC
from rulewright.i18n.grammar import NAME, GrammarTable, NounError
from rulewright.i18n.message_patterns import (
    Agreement,
    PatternError,
    PatternPart,
    Slot,
    all_parts,
    parse_form,
    parts,
    slots,
)

_DETERMINERS = ("a", "an", "no", "the")
_TWICE = re.compile(r"(?<!\.)\.\.(?!\.)|[!?…]\s?\.(?!\.)")
_PLAIN_BLANK = re.compile(r"(?<=[^\W_\]}]) [?!:;»](?!\w)|« ")
_PAIRS = (("(", ")"), ("«", "»"))
_WORDS_BEFORE = re.compile(r"(?:^|[\s(«„“\u00a0])([^\s(«„“]+[’'-]|[^\s(«„“]+\s)$")


def sentence_errors(text: str, message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """Yield the errors of a translation, compared with the English text."""
    if message.context == DIAGNOSTIC:
        yield from _slot_errors(wording.slots(text), wording.slots(message.one))
    else:
        yield from _pattern_errors(text, message, table)
    if "\n" in text.strip("\n") and "\n" not in message.one:
        yield "There is a line break, and none in English."
    if _TWICE.search(text) and not _TWICE.search(message.one):
        yield "There are two full stops in a row."
    if "  " in text and "  " not in message.one:
        yield "There are two blanks in a row."
    yield from _sign_errors(text, message)
    if match := OVERRIDES.search(text):
        problem = f"An invisible character (U+{ord(match[0]):04X}) changes the order of what follows. Delete it"
        yield f"{problem}; what is inserted keeps its order by itself."


def _slot_errors(used: Counter[str], known: Counter[str]) -> Iterator[str]:
    """Yield errors of slots that a translation has and the English text has not, or the other way round."""
    for name in used.keys() - known.keys():
        listed = ", ".join(f"{{{other}}}" for other in known) or "none"
        yield f"There is no slot {{{name}}} here; there is {listed}. {nearest(name, known)}".strip()
    for name in known.keys() - used.keys():
        yield f"The slot {{{name}}} is missing."


def _pattern_errors(text: str, message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """Yield errors of slots, articles and forms."""
    try:
        known, used = slots(message.one), slots(text)
        pattern = parts(text)
    except PatternError as error:
        yield f"The sentence cannot be read: {error}."
        return
    yield from _slot_errors(used, known)
    samples = (*table.articles, *table.ordinals)
    kinds, literals = dict(message.slots), "".join(part for part in parts(message.one) if isinstance(part, str))
    for part in all_parts(pattern):
        if isinstance(part, Slot) and part.sample and part.sample.casefold() not in samples:
            hint = nearest(part.sample, samples) or few(samples)
            yield f"'[{part.sample}]' is no article that the grammar of {table.name} knows. {hint}".strip()
        if isinstance(part, Slot) and part.sample.casefold() in table.ordinals:
            kind = kinds.get(part.name, SlotKind.NUMBER)
            if kind != SlotKind.NUMBER:
                yield f"'[{part.sample}]' is an ordinal, and {{{part.name}}} is {kind.value}."
        if isinstance(part, Agreement):
            yield from _form_errors(part, message, table)
        if isinstance(part, str):
            yield from _literal_errors(part, message, literals)
    yield from _article_errors(pattern, message, table)


def max_length(text: str) -> int:
    """Return the maximum length of a text, counting slots by their names."""
    try:
        pattern = parts(text)
    except PatternError:
        return len(text)
    forms = (part.all_forms for part in pattern if isinstance(part, Agreement))
    pieces = [part if isinstance(part, str) else f"{{{part.name}}}" for part in pattern if isinstance(part, str | Slot)]
    return len("".join([*pieces, *(max(each, key=len) for each in forms)]))


def _sign_errors(text: str, message: CatalogMessage) -> Iterator[str]:
    """Yield errors of unpaired signs, and of blanks at which a line would break beside a sign; English may have them,
    too."""
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing) and message.one.count(opening) == message.one.count(closing):
            yield f"There are not as many '{opening}' as '{closing}'."
    match = _PLAIN_BLANK.search(text)
    if match is not None and not _PLAIN_BLANK.search(message.one):
        yield f"A line can break beside '{match[0].strip()}'. Write a no-break space there (U+00A0 or U+202F)."


def _literal_errors(literal: str, message: CatalogMessage, english: str) -> Iterator[str]:
    """Yield errors of brackets and bars that are not parsed, unless English has them. english: its text outside of
    slots and forms."""
    if message.inflected or message.many:
        return  # a noun's grammar, checked with the noun
    for sign in "[]|":
        if sign in literal and sign not in english:
            yield f"A '{sign}' stands alone in '{literal.strip()}': brackets come in pairs, with forms or an article."
            return


def _article_errors(pattern: Sequence[PatternPart], message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """Yield errors of articles before a slot as plain words, which would never change."""
    for part in pattern:
        if isinstance(part, Agreement):
            for form in part.all_forms:
                yield from _article_errors(parse_form(part, form), message, table)
    kinds = dict(message.slots)
    for before, part, after in zip(pattern, pattern[1:], (*pattern[2:], ""), strict=False):
        if not isinstance(before, str) or not isinstance(part, Slot) or part.sample:
            continue
        if isinstance(after, str) and after[:1].isalpha():
            continue  # part of a longer word
        match = _WORDS_BEFORE.search(before)
        word = _normalize(match[1].strip()) if match else ""
        things = kinds.get(part.name) in (SlotKind.THING, SlotKind.THINGS)
        people = kinds.get(part.name) in (SlotKind.PLAYER, SlotKind.PLAYERS)
        if (things and word in table.written_articles) or (
            (things or people) and word in table.sound_dependent_words(people)
        ):
            yield f"'{word}' before {{{part.name}}} stays as it is; write [{_sample(word, table)}] for what fits."


def _normalize(word: str) -> str:
    """Normalize a word as grammars write it: lower case, with a curled apostrophe."""
    return word.casefold().replace("'", "’")


def _sample(word: str, table: GrammarTable) -> str:
    """Return the sample of an article that is given in one of its forms."""
    if word in table.articles:
        return word
    return next((sample for sample, article in table.articles.items() if word in article.words()), "…")


def _form_errors(part: Agreement, message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """Yield errors of agreeing forms: their keys, and the number of those without one."""
    forms_text = "|".join([*part.forms, *(f"{key}={form}" for key, form in part.keyed)])
    if part.misnamed:
        question = nearest(part.misnamed, part.known_slots)
        yield f"'[{forms_text}]': there is no slot {{{part.misnamed}}} here. {question}".strip()
    for key, _ in part.keyed:
        if key not in table.agreement_keys() and not key.isdecimal():
            hint = nearest(key, table.agreement_keys()) or few(table.agreement_keys())
            yield f"'[{forms_text}]': words do not agree by '{key}'. {hint}".strip()
    kind = dict(message.slots).get(part.slot)
    if kind == SlotKind.THING and len(part.forms) > 1:
        yield f"'[{forms_text}]': {{{part.slot}}} is one thing; its gender tells forms apart, as in [x|f=y]."
        return
    if part.keyed and len(part.forms) <= 1:
        return
    least, most = 2, table.plurals + 2
    if kind == SlotKind.NUMBER:
        least = most = table.plurals
    elif kind == SlotKind.PLAYER:
        most = 2
    if not least <= len(part.forms) <= most:
        expected = f"{least}" if least == most else f"{least} to {most}"
        told_kind = f" for {kind.value}" if kind is not None else ""
        yield f"'[{forms_text}]' has {len(part.forms)} forms; expected {expected}{told_kind}."


def noun_errors(texts: tuple[str, ...], message: CatalogMessage, table: GrammarTable) -> Iterator[str]:
    """Yield the errors of a noun and its grammar. texts: one for each plural form."""
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
            glued = next((a for a in table.written_articles if a[-1] in "’'" and _normalize(text).startswith(a)), "")
            if (rest and _normalize(first) in table.written_articles) or glued:
                duplicated = glued or first
                yield f"A noun stands without its article: sentences put one before it. Delete '{duplicated}'."
                break
    inherits = "{" in message.one and "[" not in texts[0]
    if message.inflected and table.genders and not noun.gender and not inherits:
        genders = ", ".join(f"[{gender}]" for gender in table.genders)
        yield f"A noun needs its gender in brackets: {genders}, or [name] if it takes no article."
