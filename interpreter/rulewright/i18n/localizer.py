"""Localizer: turns phrases and their slots into sentences of the reader's language.

    localizer_for("de").say(phrase("terminal", "At the table: {names}.", names=(Person("Ada"), Person("Ben"))))

If a language has no sentence for a phrase, or one that does not fit, the English one is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeVar

from rulewright.base import resources
from rulewright.base.diagnostics import Report, nearest_of, shorten_quote
from rulewright.base.records import record
from rulewright.i18n import bidi, grammar_files
from rulewright.i18n.agreement import Subject, choose_form, gender_of_all
from rulewright.i18n.catalogs import Catalog
from rulewright.i18n.grammar import NAME, GrammarTable, InflectedNoun, NounError
from rulewright.i18n.message_patterns import Agreement, PatternError, PatternPart, Slot, parse_form, parts, slots

T = TypeVar("T")
U = TypeVar("U")

ENGLISH = "en"
YOU = "You"
"""Name of a person without a name at this seat; in sentences it is a pronoun."""
ERRORS = "errors"
"""Context of error messages."""


@record
class Term:
    """Noun of an edition with its number; its English text may have slots for other nouns.

    context: in catalogs, '' for a noun that is not translated; many: plural, '' for a noun without one; notes: in
    brackets behind the noun, each of texts that blanks join, such as a label and its value; counted: whether the number
    is shown even if it is 1.
    """

    context: str
    one: str
    many: str
    slots: tuple[tuple[str, Item], ...] = ()
    count: int = 1
    notes: tuple[tuple[Argument, ...], ...] = ()
    counted: bool = False


@record
class Person:
    """Person at the table. you: whether it is the reader, of whom sentences speak by a pronoun, not by name."""

    name: str
    you: bool = False


@record
class Either:
    """Alternatives, joined with commas and `or`."""

    items: tuple[Item, ...]


@record
class DecimalNumber:
    """Number with decimals. places: number of decimals; percent: whether it is a share, written as a percentage: 1 as
    100 %."""

    value: float
    places: int = 1
    percent: bool = False


@record
class Phrase:
    """Text for people in no language yet: English text and contents of its slots."""

    context: str
    text: str
    slots: tuple[tuple[str, Argument], ...] = ()

    def __str__(self) -> str:
        """Return the phrase in English."""
        return english().say(self)


@record
class Mention:
    """Position of a slot's item in a sentence.

    number: of the item in its slot, from 0; start, end: indexes in the text, the end exclusive.
    """

    slot: str
    number: int
    start: int
    end: int


_Texts = list[str]
"""List of texts, by a name that `Localizer.list` does not hide."""
_Mentions = list[Mention]
"""Positions of items in a sentence, by such a name."""
Item = str | int | float | DecimalNumber | Term | Person | Phrase
"""Value of one thing in a slot."""
Argument = Item | Either | tuple[Item, ...]
"""Value of a slot: one thing, alternatives, or a list, which is joined with commas and `and`."""


def phrase(context: str, text: str, **slots: Argument) -> Phrase:
    """Return a phrase of the interface. Context and text are literals: templates are extracted from the source.

    Long texts in slots of errors are shortened.
    """
    if context == ERRORS:
        slots = {name: shorten_quote(value) if isinstance(value, str) else value for name, value in slots.items()}
    return Phrase(context, text, tuple(slots.items()))


def suggestion(name: str, known: Sequence[str]) -> Phrase | str:
    """Return the question whether the known name nearest to `name` was meant; '' if none is near."""
    nearest = nearest_of(name, known)
    return phrase("errors", "Did you mean '{name}'?", name=nearest) if nearest else ""


def message_of(error: Exception) -> Phrase | str:
    """Return the message of an error, translatable if it is a phrase."""
    return error.args[0] if error.args and isinstance(error.args[0], Phrase) else str(error)


_BREAKING = re.compile(r"[ \t\n\r]+")
"""Blanks between words, except those where no line may break."""
_COUNTED, _TIMES = phrase("count", "{number} {things}"), phrase("count", "{number} × {things}")
"""Number before a noun: '3 cards', '3 × cards'."""
_ENDS = (*".!?…:",)
"""Ends of sentences; other texts do not begin with a capital by themselves."""


_SEPARATORS = re.compile(r"[.!?…:;,]")
"""Signs that separate a subject from words that are not its verb."""

_MAX_CACHED = 4000
"""Maximum number of entries in each of a localizer's caches of texts."""


class _Untranslatable(Exception):
    """Raised for a text that a catalog lacks, or whose translation does not fit."""


@dataclass
class Localizer:
    """Formatter of texts in one language.

    catalogs: the first that has a message counts; change: replaces translation, for a pseudo-locale; missed: number of
    times that English was used instead, by context and text; it grows.
    """

    table: GrammarTable
    catalogs: tuple[Catalog, ...] = ()
    change: Callable[[str], str] | None = None
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)
    _nouns: dict[tuple[object, ...], InflectedNoun] = field(default_factory=dict)
    _cache: dict[Term | Phrase, str] = field(default_factory=dict)
    _mention_cache: dict[Phrase, tuple[str, Sequence[Mention]]] = field(default_factory=dict)

    @property
    def language(self) -> str:
        """Code of the language."""
        return self.table.language

    @property
    def right_to_left(self) -> bool:
        """Whether the language is written from right to left."""
        return self.table.right_to_left

    def isolate(self, text: str) -> str:
        """Return an inserted text so that its letters and digits do not mix with others that run the other way."""
        return bidi.isolate(text) if self.right_to_left or bidi.runs_right_to_left(text) else bidi.balance(text)

    def with_catalogs(self, more: Sequence[Catalog]) -> Localizer:
        """Return a localizer with catalogs that come before its own, which counts `missed` anew; this one without
        any."""
        return Localizer(self.table, (*more, *self.catalogs), self.change) if more else self

    # ── what is said ──

    def say(self, argument: Argument) -> str:
        """Return a phrase, or an argument of one, as text. Never fails: English is used if a translation is missing,
        and an English text that does not fit its slots stays as it is."""
        if isinstance(argument, str):
            return argument
        if isinstance(argument, Term | Phrase) and (known := self._cache.get(argument)) is not None:
            return known
        try:
            if isinstance(argument, Term):
                return self._cached(self._cache, argument, self._format_item(Slot(""), argument, False).strip())
            if isinstance(argument, Phrase):
                text = self._sentence(self._translated(argument.context, argument.text), dict(argument.slots))
                return self._cached(self._cache, argument, text)
            if isinstance(argument, tuple | Either):
                return self._format_list(Slot(""), argument, False)
            return self._format_item(Slot(""), argument, False).strip()
        except _Untranslatable:
            if not isinstance(argument, Phrase):  # what a noun lacks is noted where it is looked up
                return english().say(argument)
            self.missed[argument.context, argument.text] += 1
            return argument.text if self.table.language == ENGLISH else self.isolate(english().say(argument))

    def say_with_mentions(self, message: Phrase) -> tuple[str, Sequence[Mention]]:
        """Return a phrase like `say`, with the positions of its arguments; without positions if English is used
        instead, a slot is empty, or the text begins with a blank."""
        if (known := self._mention_cache.get(message)) is not None:
            return known
        mentions: _Mentions = []
        try:
            text = self._sentence(self._translated(message.context, message.text), dict(message.slots), mentions)
            return self._cached(self._mention_cache, message, (text, tuple(mentions)))
        except _Untranslatable:
            return self.say(message), ()

    def number(self, number: float) -> str:
        """Return a number with the language's separators and minus sign."""
        if self.language == ENGLISH and -1000 < number < 1000:
            return str(int(number) if number == int(number) else number).replace("-", "−")
        from rulewright.i18n.locale_formats import format_number  # noqa: PLC0415 - it loads Babel

        return format_number(number, self.table.locale)

    def decimal(self, number: DecimalNumber) -> str:
        """Write a number with decimals, or as a percentage."""
        if self.language == ENGLISH:  # as Babel has it, which takes a while to load
            text = f"{number.value * (100 if number.percent else 1):,.{number.places}f}".replace("-", "−")
            return f"{text}%" if number.percent else text
        from rulewright.i18n.locale_formats import format_fraction  # noqa: PLC0415 - it loads Babel

        return format_fraction(number.value, number.places, number.percent, self.table.locale)

    def date_and_time(self, seconds: float) -> str:
        """Return a date and a time of day in local time. seconds: since 1970."""
        from rulewright.i18n.locale_formats import format_time  # noqa: PLC0415 - it loads Babel

        return format_time(seconds, self.table.locale)

    def list(self, texts: Sequence[str], style: Literal["standard", "or"] = "standard") -> str:
        """Return texts joined by commas and 'and', or 'or'."""
        if self.language == ENGLISH:  # as Babel has it, which takes a while to load
            *before, last = texts or ("",)
            joint = " or " if style == "or" else " and "
            return f"{', '.join(before)}{joint}{last}" if before else last
        from rulewright.i18n.locale_formats import format_list  # noqa: PLC0415 - it loads Babel

        return format_list(texts, style, self.table.locale)

    def noun(self, term: Term) -> InflectedNoun:
        """Return a term's noun with its grammar; the English one if there is no other."""
        try:
            return self._noun(term)
        except _Untranslatable:
            return english()._noun(term)

    def title(self, argument: Argument) -> str:
        """Return the text of a heading: like `say`, but with a capital."""
        text = self.say(argument)
        return text[:1].upper() + text[1:]

    def with_colon(self, label: str) -> str:
        """Return a label with a colon (in most languages), as something follows it."""
        return self.say(phrase("form", "{label}:", label=label))

    def entry(self, label: str, text: str) -> str:
        """Return a label and its text."""
        return self.say(phrase("form", "{label}: {what}", label=label, what=text))

    def with_note(self, text: str, note: str) -> str:
        """Return a text with a note, in brackets in most languages."""
        return self.say(phrase("form", "{what} ({note})", what=text, note=note))

    def quote(self, text: str) -> str:
        """Return a literal name, such as that of a file, in quotes."""
        return self.say(phrase("form", "'{what}'", what=text))

    def times(self, text: str, count: int) -> str:
        """Return a thing with its number if that is more than 1: short, for tables."""
        return text if count == 1 else self.say(phrase("form", "{what} ×{count}", what=text, count=count))

    def span(self, low: int, high: int) -> str:
        """Return a range of numbers."""
        return self.number(low) if low == high else self.say(phrase("form", "{low}–{high}", low=low, high=high))

    def place(self, rank: int) -> str:
        """Return a place in a ranking as an ordinal: 1st."""
        return self.say(phrase("form", "[1st] {rank}", rank=rank))

    def items(self, texts: Sequence[str]) -> _Texts:
        """Return items of an enumeration without 'and': each but the last with a comma, in most languages."""
        return [*(self.say(phrase("form", "{what},", what=text)) for text in texts[:-1]), *texts[-1:]]

    def join_items(self, texts: Sequence[str]) -> str:
        """Join `items` to one text."""
        return " ".join(self.items(texts))

    def join_parts(self, texts: Sequence[str]) -> str:
        """Join texts that contain commas: each but the last with a semicolon, in most languages."""
        return " ".join([*(self.say(phrase("form", "{what};", what=text)) for text in texts[:-1]), *texts[-1:]])

    def template(self, message: Phrase) -> str:
        """Return a phrase in this language with its slots still open, in braces."""
        return self.say(
            Phrase(message.context, message.text, tuple((name, f"{{{name}}}") for name in slots(message.text)))
        )

    # ── how ──

    @staticmethod
    def _cached(memory: dict[T, U], key: T, text: U) -> U:
        """Store a text in a cache and return it; a full cache is emptied first."""
        if len(memory) >= _MAX_CACHED:
            memory.clear()
        memory[key] = text
        return text

    def _translated(self, context: str, text: str) -> str:
        """Return the translation of a text without a plural. Raises _Untranslatable."""
        texts = self._strings(context, text)
        if texts is None or not texts[0].strip():
            raise _Untranslatable
        return texts[0]

    def _strings(self, context: str, text: str, many: str = "") -> tuple[str, ...] | None:
        """Return a catalog's texts, one for each plural form; None where no catalog has them. English itself needs no
        catalog, and `change` is given the English text."""
        texts = next((c.entries[context, text] for c in self.catalogs if (context, text) in c.entries), None)
        if texts is None and self.table.language == ENGLISH:
            texts = (text, many) if many else (text,)
        if self.change is not None:
            texts = tuple(self.change(one) for one in ((text, many) if many else (text,)))
        return texts

    def _noun(self, term: Term) -> InflectedNoun:
        """Return a term's noun from the cache, or make it. Raises _Untranslatable."""
        key = (term.context, term.one, term.many, term.slots)
        if key not in self._nouns:
            self._nouns[key] = self._make_noun(term)
        return self._nouns[key]

    def _make_noun(self, term: Term) -> InflectedNoun:
        """Return a term's noun from its translation. Raises _Untranslatable if there is none, or none that fits; in
        English, such a noun stays as it is, with its slots open."""
        texts = self._strings(term.context, term.one, term.many)
        if texts is None and not term.context:
            texts = (term.one, term.many) if term.many else (term.one,)
        if texts is None:
            self.missed[term.context, term.one] += 1
            raise _Untranslatable
        inserted = {name: self.noun(i) if isinstance(i, Term) else i for name, i in term.slots}
        try:
            if inserted:
                texts = tuple(self._fill_noun(text, inserted) for text in texts)
            inner = next((noun.gender for noun in inserted.values() if isinstance(noun, InflectedNoun)), "")
            return self.table.noun(texts, inner if self.table.genders else "")
        except (NounError, PatternError):
            self.missed[term.context, term.one] += 1
            if self.table.language == ENGLISH:
                return InflectedNoun("", ({("", ""): term.one}, {("", ""): term.many or term.one}))
            raise _Untranslatable from None

    def _fill_noun(self, text: str, nouns: Mapping[str, object]) -> str:
        """Return the text of a noun with other nouns in it, each with its article and in agreement. nouns:
        InflectedNoun or another value by slot. Raises PatternError."""
        return "".join(self._fill_part(part, nouns) for part in parts(text))

    def _fill_part(self, part: PatternPart, nouns: Mapping[str, object]) -> str:
        """Return a part of a noun's text. Raises PatternError."""
        if isinstance(part, Slot):
            if part.name not in nouns:
                raise PatternError(f"there is no slot '{part.name}'")
            return self._noun_with_article(part, nouns[part.name])
        if isinstance(part, Agreement):
            noun = nouns.get(part.slot)
            gender = noun.gender if isinstance(noun, InflectedNoun) else ""
            form = choose_form(part, Subject(noun if isinstance(noun, int) else 1, gender), self.table)
            return "".join(self._fill_part(inner, nouns) for inner in parse_form(part, form))
        return part

    def _noun_with_article(self, slot: Slot, value: object) -> str:
        """Return a noun with its article, and anything else as it is. Raises PatternError for an unknown article."""
        if not isinstance(value, InflectedNoun):
            return str(value)
        table = self.table
        text = value.form(0, table.case(slot.sample), table.manner(slot.sample, value.gender, many=False))
        article = table.article(slot.sample, value.gender, False, text) if slot.sample else ""
        if article is None:
            raise PatternError(f"'{slot.sample}' is no article")
        return article + text

    def _sentence(self, text: str, arguments: Mapping[str, Argument], mentions: _Mentions | None = None) -> str:
        """Return a sentence. mentions: list to which the positions of arguments are added. Raises _Untranslatable."""
        try:
            pattern = parts(text)
        except PatternError:
            raise _Untranslatable from None
        sentence, empty, takes_capital, is_dropped = "", False, False, False
        is_sentence = text.rstrip()[-1:] in _ENDS
        sentence_parts = list(self._agreeing_parts(pattern, arguments))
        for place, part in enumerate(sentence_parts, 1):
            if isinstance(part, Agreement):
                continue
            if isinstance(part, str):
                words = part.lstrip() if is_dropped else part
                sentence += _capital(words, takes_capital)
                takes_capital, is_dropped = takes_capital and not words, is_dropped and not words
            elif self._drops_pronoun(part, arguments[part.name], sentence_parts[place:]):
                takes_capital, is_dropped = _ends_sentence(sentence), True
                if mentions is not None:
                    mentions.append(Mention(part.name, 0, len(sentence), len(sentence)))
            else:
                first, takes_capital, is_dropped = _ends_sentence(sentence), False, False
                is_capital = first and (is_sentence or (not part.sample and _addresses(arguments[part.name])))
                filled = self._format_argument(part, arguments[part.name], is_capital, inside=not first)
                empty = empty or not filled
                if mentions is not None:
                    mentions += self._mentions(part, arguments[part.name], filled, len(sentence), first)
                sentence += filled
        if mentions is not None and (empty or sentence[:1] in (" ", "\n")):
            mentions.clear()  # they would stand elsewhere
        return (sentence if not empty else _BREAKING.sub(" ", sentence)).strip(" \n")

    def _drops_pronoun(self, slot: Slot, argument: Argument, following: Sequence[PatternPart]) -> bool:
        """Return whether a pronoun is left out: alone before its verb, whose ending tells the person."""
        person = argument[0] if isinstance(argument, tuple) and len(argument) == 1 else argument
        if not self.table.drops_pronoun or slot.sample or not isinstance(person, Person) or not person.you:
            return False
        for part in following:
            if isinstance(part, Slot) or (isinstance(part, str) and _SEPARATORS.search(part)):
                return False
            if isinstance(part, Agreement) and part.slot == slot.name:
                return True
        return False

    def _agreeing_parts(
        self, pattern: Sequence[PatternPart], arguments: Mapping[str, Argument]
    ) -> Iterator[PatternPart]:
        """Yield the parts of a sentence, each agreement before its form.

        Raises _Untranslatable for a missing argument.
        """
        for part in pattern:
            if isinstance(part, str):
                yield part
            elif (part.name if isinstance(part, Slot) else part.slot) not in arguments:
                raise _Untranslatable
            elif isinstance(part, Slot):
                yield part
            else:
                yield part
                yield from self._agreeing_parts(self._form(part, arguments[part.slot]), arguments)

    def _form(self, part: Agreement, argument: Argument) -> Sequence[PatternPart]:
        """Return the form that agrees with an argument. Raises _Untranslatable if it cannot be parsed."""
        try:
            return parse_form(part, self._agreeing(part, argument))
        except PatternError:
            raise _Untranslatable from None

    def _mentions(self, slot: Slot, argument: Argument, filled: str, start: int, first: bool) -> _Mentions:
        """Return the positions of an argument's items.

        start: of the argument; first: whether the sentence begins with it.
        """
        items = argument if isinstance(argument, tuple) else argument.items if isinstance(argument, Either) else ()
        if len(items) < 2:
            return [Mention(slot.name, 0, start, start + len(filled))]
        mentions, offset = [], 0
        for number, item in enumerate(items):
            word = self._format_argument(slot, item, False, True, inside=not first or number > 0)
            # What begins a sentence may have a capital.
            offset = max(offset, filled.casefold().find(word.casefold(), offset))
            mentions.append(Mention(slot.name, number, start + offset, start + offset + len(word)))
            offset += len(word)
        return mentions

    def _format_argument(
        self, slot: Slot, argument: Argument, beginning: bool, in_list: bool = False, inside: bool = False
    ) -> str:
        """Return an argument as text. beginning: whether it takes a capital; in_list: whether it is part of a list;
        inside: whether words stand before it. Raises _Untranslatable."""
        if isinstance(argument, tuple | Either):
            return self._format_list(slot, argument, beginning, inside)
        text = self.isolate(self._format_item(slot, argument, beginning, in_list))
        return text.lower() if inside and text == YOU and isinstance(argument, Person) and argument.you else text

    def _format_list(
        self, slot: Slot, argument: Either | tuple[Item, ...], beginning: bool, inside: bool = False
    ) -> str:
        """Return the items of a list as text, joined. beginning: whether the first takes a capital; inside: whether
        words stand before it. Raises _Untranslatable."""
        items = argument if isinstance(argument, tuple) else argument.items
        in_list = len(items) > 1
        words = [
            self._format_argument(slot, item, beginning and place == 0, in_list, inside or place > 0)
            for place, item in enumerate(items)
        ]
        return self.list(words, "or" if isinstance(argument, Either) else "standard") if words else ""

    def _format_item(self, slot: Slot, item: Item, beginning: bool, in_list: bool = False) -> str:
        """Return one item as text, with the article or ordinal that the slot's sample shows. beginning: whether terms
        and pronouns take a capital; in_list: whether it is one of several items. Raises _Untranslatable."""
        match item:
            case str():
                return self._without_article(slot, item)
            case int():
                ordinal = self.table.ordinal(slot.sample, item, self.number(item)) if slot.sample else None
                return self._without_article(slot, self.number(item)) if ordinal is None else ordinal
            case float():
                return self._without_article(slot, self.number(item))
            case DecimalNumber():
                return self._without_article(slot, self.decimal(item))
            case Phrase():
                return self._without_article(slot, self.say(item))
            case Person(name, you):
                return self._write_pronoun(slot, beginning, in_list) if you else self._without_article(slot, name)
        return _capital(self._write_term(slot, item), beginning)

    def _without_article(self, slot: Slot, text: str) -> str:
        """Return a text that takes no article, behind the preposition that the sample has; an unknown sample stays, in
        brackets."""
        if not slot.sample or slot.sample.casefold() in self.table.ordinals:
            return text
        article = self.table.article(slot.sample, NAME, False, text)
        if article is None:
            return f"[{slot.sample}] {text}"
        return article + text

    def _write_term(self, slot: Slot, term: Term) -> str:
        """Write a counted thing with the article or pronoun that the slot's sample shows. Raises _Untranslatable."""
        noun = self._noun(term)
        number = self.table.plural(term.count)
        manner = self.table.manner(slot.sample, noun.gender, term.count != 1)
        text = noun.form(number, self.table.case(slot.sample), manner)
        if term.count != 1 or term.counted:
            # Two of 'red 2' are '2 red 2s' in English alone; '{colour} {shape}' has no plural: '2 × red square'.
            ends_in_figure = noun.one[-1:].isdigit()
            times = ends_in_figure or (term.slots and term.one == term.many)
            if ends_in_figure and self.table.language == ENGLISH and not noun.one.isdigit():
                text, times = (f"{text}s" if text == noun.one else text), False
            form = _TIMES if times else _COUNTED
            counted = (self._strings(form.context, form.text) or (form.text,))[0]
            text = counted.replace("{number}", self.number(term.count)).replace("{things}", text)
        if term.notes:
            text = self.with_note(text, self.list([" ".join(map(self.say, note)) for note in term.notes]))
        if not slot.sample or (noun.gender == NAME and not self.table.genders):
            return text
        if self.table.genders and not noun.gender:
            self.missed[term.context, term.one] += 1
            raise _Untranslatable
        article = self.table.article(slot.sample, noun.gender, term.count != 1, text)
        if article is None:
            if self.table.language != ENGLISH:
                raise _Untranslatable
            return f"[{slot.sample}] {text}"
        return (self.change(article) if self.change is not None else article) + text

    def _write_pronoun(self, slot: Slot, beginning: bool, in_list: bool) -> str:
        """Write the pronoun for the reader, in the case of a slot, or of `beside_others` in a list; YOU without a
        translation."""
        try:
            noun = self._noun(Term("pronoun", "You", ""))
        except _Untranslatable:
            return YOU
        case = self.table.case(slot.sample) or (self.table.beside_others if in_list else "")
        text = noun.form(0, case)
        article = self.table.article(slot.sample, NAME, False, text) if slot.sample else ""
        return _capital((article or "") + text, beginning)

    def _agreeing(self, part: Agreement, argument: Argument) -> str:
        """Return the unparsed form of a part that agrees with an argument."""
        return choose_form(part, self._features_of(argument), self.table)

    def _features_of(self, argument: Argument) -> Subject:
        """Return the grammatical features of an argument."""
        items = argument if isinstance(argument, tuple) else argument.items if isinstance(argument, Either) else ()
        if not items and not isinstance(argument, tuple | Either):
            items, listed = (argument,), False
        else:
            listed = True
        if not items or (len(items) == 1 and _is_nothing(items[0])):
            return Subject(1 if items else 0, nothing=True)
        genders = {NAME if isinstance(i, Person) else self._gender(i) for i in items}
        counts = [item.count if isinstance(item, Term) else 1 for item in items]
        count = sum(counts)
        is_fraction = len(items) == 1 and isinstance(items[0], float | DecimalNumber)
        if len(items) == 1 and isinstance(items[0], int | float):
            count = items[0] if isinstance(items[0], int) else 2  # one and a half are many
        you = any(isinstance(item, Person) and item.you for item in items)
        gender = gender_of_all(genders, self.table)
        return Subject(count, gender, listed, you, len(items), is_fraction=is_fraction)

    def _gender(self, item: Item) -> str:
        """Return the gender of a noun; '' for anything else."""
        return self.noun(item).gender if isinstance(item, Term) else ""


def _is_nothing(item: Item) -> bool:
    """Return whether an argument stands for nothing or nobody."""
    return isinstance(item, Phrase) and item.context == "argument"


def _addresses(argument: Argument) -> bool:
    """Return whether an argument has a pronoun for the reader."""
    items = argument if isinstance(argument, tuple) else (argument,)
    return any(isinstance(item, Person) and item.you for item in items)


def _ends_sentence(text: str) -> bool:
    """Return whether a new sentence begins after this text."""
    return not text.strip() or (text[-1:].isspace() and text.rstrip()[-1:] in ".!?")


def _capital(text: str, beginning: bool) -> str:
    """Return a text, with a capital if it is at a beginning."""
    return text[:1].upper() + text[1:] if beginning else text


@cache
def english() -> Localizer:
    """Return the localizer of English, which others fall back on. Raises RuntimeError if its grammar is missing."""
    table = grammar_files.read(resources.folder("locales") / ENGLISH / "grammar.yaml", ENGLISH, Report())
    if table is None:
        raise RuntimeError("Rulewright's installation is broken: the grammar of English cannot be read.")
    return Localizer(table)
