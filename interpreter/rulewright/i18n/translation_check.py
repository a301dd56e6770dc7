"""Check of one translation: its slots, articles, forms, brackets and blanks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.base import wording
from rulewright.base.diagnostics import did_you_mean, there_are
from rulewright.base.wording import SlotValue, Wording
from rulewright.i18n import messages
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
"""First words of an English noun that is inserted with its article."""
_TWICE = re.compile(r"(?<!\.)\.\.(?!\.)|[!?…]\s?\.(?!\.)")
"""Two full stops, or one behind another sign that ends a sentence."""
_PLAIN_BLANK = re.compile(r"(?<=[^\W_\]}]) [?!:;»](?!\w)|« ")
"""Ordinary blank where no line may break: before a sign, or inside « »."""
_PAIRS = (("(", ")"), ("«", "»"))
"""Signs that come in pairs."""
_WORDS_BEFORE = re.compile(r"(?:^|[\s(«„“\u00a0])([^\s(«„“]+[’'-]|[^\s(«„“]+\s)$")
"""Word directly before a slot: with its apostrophe or hyphen, or with a blank."""


TranslationError = tuple[Wording, ...]
"""A problem, then hints."""


def text_errors(text: str, message: CatalogMessage, table: GrammarTable) -> Iterator[TranslationError]:
    """Yield the errors of one text of a translation, a noun's too, compared with the English text."""
    if message.context == DIAGNOSTIC:
        yield from _slot_errors(wording.slots(text), wording.slots(message.one))
    else:
        yield from _pattern_errors(text, message, table)
    if "\n" in text.strip("\n") and "\n" not in message.one:
        yield (messages.LINE_BREAK(),)
    if _TWICE.search(text) and not _TWICE.search(message.one):
        yield (messages.TWO_STOPS(),)
    if "  " in text and "  " not in message.one:
        yield (messages.TWO_BLANKS(),)
    yield from _sign_errors(text, message)
    if match := OVERRIDES.search(text):
        yield messages.REORDERED(character=f"U+{ord(match[0]):04X}"), messages.DELETE_REORDERING()


def _slot_errors(used: Counter[str], known: Counter[str]) -> Iterator[TranslationError]:
    """Yield errors of slots that a translation has and the English text has not, or the other way round."""
    for name in used.keys() - known.keys():
        listed = tuple(f"{{{other}}}" for other in known) or messages.NONE()
        yield messages.NO_SLOT(name=name, known=listed), *did_you_mean(name, known)
    for name in known.keys() - used.keys():
        yield (messages.SLOT_MISSING(name=name),)


def _pattern_errors(text: str, message: CatalogMessage, table: GrammarTable) -> Iterator[TranslationError]:
    """Yield errors of slots, articles and forms."""
    try:
        known, used = slots(message.one), slots(text)
        pattern = parts(text)
    except PatternError as error:
        yield (messages.UNREADABLE_SENTENCE(reason=str(error)),)
        return
    yield from _slot_errors(used, known)
    samples = (*table.articles, *table.ordinals)
    kinds, literals = dict(message.slots), "".join(part for part in parts(message.one) if isinstance(part, str))
    for part in all_parts(pattern):
        if isinstance(part, Slot) and part.sample and part.sample.casefold() not in samples:
            hints = did_you_mean(part.sample, samples) or there_are(samples)
            yield messages.NO_ARTICLE(article=part.sample, language=table.name), *hints
        if isinstance(part, Slot) and part.sample.casefold() in table.ordinals:
            kind = kinds.get(part.name, SlotKind.NUMBER)
            if kind != SlotKind.NUMBER:
                kind_words = messages.KINDS[kind.value]()
                yield (messages.NO_NUMBER(ordinal=part.sample, name=part.name, kind=kind_words),)
        if isinstance(part, Agreement):
            yield from _form_errors(part, message, table)
        if isinstance(part, str):
            yield from _literal_errors(part, message, literals)
    yield from _article_errors(pattern, message, table)


def max_length(text: str) -> int:
    """Return the maximum number of characters of a text: of the longest forms, and of slots as they are written,
    without their article."""
    try:
        pattern = parts(text)
    except PatternError:
        return len(text)
    forms = (part.all_forms for part in pattern if isinstance(part, Agreement))
    pieces = [part if isinstance(part, str) else f"{{{part.name}}}" for part in pattern if isinstance(part, str | Slot)]
    return len("".join([*pieces, *(max(each, key=len) for each in forms)]))


def _sign_errors(text: str, message: CatalogMessage) -> Iterator[TranslationError]:
    """Yield errors of unpaired signs, and of blanks at which a line would break beside a sign; English may have them,
    too."""
    for opening, closing in _PAIRS:
        if text.count(opening) != text.count(closing) and message.one.count(opening) == message.one.count(closing):
            yield (messages.UNPAIRED(opening=opening, closing=closing),)
    match = _PLAIN_BLANK.search(text)
    if match is not None and not _PLAIN_BLANK.search(message.one):
        yield messages.BREAK_BESIDE_SIGN(sign=match[0].strip()), messages.WRITE_NO_BREAK_SPACE()


def _literal_errors(literal: str, message: CatalogMessage, english: str) -> Iterator[TranslationError]:
    """Yield an error for the first bracket or bar that is not parsed, unless English has it, or it is a noun. english:
    its text outside of slots and forms."""
    if message.inflected or message.many:
        return  # a noun's grammar, checked with the noun
    for sign in "[]|":
        if sign in literal and sign not in english:
            yield (messages.LONE_SIGN(sign=sign, text=literal.strip()),)
            return


def _article_errors(
    pattern: Sequence[PatternPart], message: CatalogMessage, table: GrammarTable
) -> Iterator[TranslationError]:
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
            yield (messages.FIXED_ARTICLE(word=word, name=part.name, sample=_sample(word, table)),)


def _normalize(word: str) -> str:
    """Normalize a word as grammars write it: lower case, with a curled apostrophe."""
    return word.casefold().replace("'", "’")


def _sample(word: str, table: GrammarTable) -> str:
    """Return the sample of an article that is given in one of its forms; '…' without one."""
    if word in table.articles:
        return word
    return next((sample for sample, article in table.articles.items() if word in article.words()), "…")


def _form_errors(part: Agreement, message: CatalogMessage, table: GrammarTable) -> Iterator[TranslationError]:
    """Yield errors of agreeing forms: their keys, and the number of those without one."""
    forms_text = "|".join([*part.forms, *(f"{key}={form}" for key, form in part.keyed)])
    if part.misnamed:
        problem = messages.NO_SLOT_OF_FORMS(forms=forms_text, name=part.misnamed)
        yield problem, *did_you_mean(part.misnamed, part.known_slots)
    for key, _ in part.keyed:
        if key not in table.agreement_keys() and not key.isdecimal():
            hints = did_you_mean(key, table.agreement_keys()) or there_are(table.agreement_keys())
            yield messages.NO_AGREEMENT(forms=forms_text, key=key), *hints
    kind = dict(message.slots).get(part.slot)
    if kind == SlotKind.THING and len(part.forms) > 1:
        yield (messages.ONE_THING(forms=forms_text, name=part.slot),)
        return
    if part.keyed and len(part.forms) <= 1:
        return
    least, most = 2, table.plurals + 2
    if kind == SlotKind.NUMBER:
        least = most = table.plurals
    elif kind == SlotKind.PLAYER:
        most = 2
    if not least <= len(part.forms) <= most:
        expected = least if least == most else messages.SPAN(least=least, most=most)
        count: dict[str, SlotValue] = {"forms": forms_text, "count": len(part.forms), "expected": expected}
        if kind is None:
            yield (messages.FORM_COUNT(**count),)
        else:
            yield (messages.FORM_COUNT_FOR(**count, kind=messages.KINDS[kind.value]()),)


def noun_errors(texts: tuple[str, ...], message: CatalogMessage, table: GrammarTable) -> Iterator[TranslationError]:
    """Yield the errors of a noun's grammar: unreadable brackets, endings of adjectives that the language lacks, an
    article before it, no gender. texts: one for each plural form."""
    try:
        noun = table.noun(texts)
    except NounError as error:
        yield error.wordings
        return
    if any("~" in text for text in texts) and not table.adjectives:
        yield (messages.NO_ADJECTIVES(language=table.name),)
    if message.inflected and noun.gender != NAME and message.one.partition(" ")[0] not in _DETERMINERS:
        for text in texts:
            first, _, rest = text.partition(" ")
            glued = next((a for a in table.written_articles if a[-1] in "’'" and _normalize(text).startswith(a)), "")
            if (rest and _normalize(first) in table.written_articles) or glued:
                duplicated = glued or first
                yield messages.NOUN_WITH_ARTICLE(), messages.DELETE_WORDS(words=duplicated)
                break
    inherits = "{" in message.one and not texts[0].endswith("]")  # brackets at the end are its grammar
    if message.inflected and table.genders and not noun.gender and not inherits:
        genders = tuple(f"[{gender}]" for gender in table.genders)
        yield (messages.NO_GENDER_OF_NOUN(genders=genders),)
