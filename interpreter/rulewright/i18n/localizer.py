"""Text is data until somebody reads it: a phrase and what is inserted, made into a sentence in the reader's language.

    speech("de").say(phrase("terminal", "At the table: {names}.", names=(Person("Ada"), Person("Ben"))))

A phrase's English text is also how catalogs name it, with its context. Where a language has no sentence for it, or one
that does not fit, the English one stands in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeVar

from rulewright.base import resources
from rulewright.base.diagnostics import Report, nearest_of, quotable
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
ERRORS = "errors"
"""The context of what is said of mistakes."""
"""The name of whoever sits here without one; in sentences it is a pronoun."""


@record
class Term:
    """A noun of an edition, as many as `count` of it; its English text may have slots for other nouns.

    context: its place in catalogs, '' for what has none; many: '' for what is never counted; notes: what stands behind
    it in brackets, each told by a label and what is behind that; counted: whether it is told with its number even if
    that is 1.
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
    """Somebody at the table, by name. you: whether the name is only what the reader is called."""

    name: str
    you: bool = False


@record
class Either:
    """Things of which one is meant: this or that."""

    items: tuple[Item, ...]


@record
class DecimalNumber:
    """A number that is not whole. places: so many digits behind the point; percent: whether it is a share."""

    value: float
    places: int = 1
    percent: bool = False


@record
class Phrase:
    """A text for people, in no language yet: its English text, and what fills its slots."""

    context: str
    text: str
    slots: tuple[tuple[str, Argument], ...] = ()

    def __str__(self) -> str:
        """In English."""
        return english().say(self)


@record
class Mention:
    """Where in a sentence one of the things that fill a slot stands. number: which of them, from 0; start, end: places
    in the text."""

    slot: str
    number: int
    start: int
    end: int


_Texts = list[str]
_Mentions = list[Mention]
Item = str | int | float | DecimalNumber | Term | Person | Phrase
Argument = Item | Either | tuple[Item, ...]


def phrase(context: str, text: str, **slots: Argument) -> Phrase:
    """A phrase of the interface. Its context and text stand there as they are: templates are taken from the source.

    An error quotes no text at length that somebody gave."""
    if context == ERRORS:
        slots = {name: quotable(told) if isinstance(told, str) else told for name, told in slots.items()}
    return Phrase(context, text, tuple(slots.items()))


def meant(name: str, known: Sequence[str]) -> Phrase | str:
    """A question that names the known name nearest to `name`, or ''."""
    found = nearest_of(name, known)
    return phrase("errors", "Did you mean '{name}'?", name=found) if found else ""


def message_of(error: Exception) -> Phrase | str:
    """What an error says, for whatever language it is to be told in."""
    return error.args[0] if error.args and isinstance(error.args[0], Phrase) else str(error)


_BREAKING = re.compile(r"[ \t\n\r]+")
"""Blanks between words; those where no line may break are left."""
_COUNTED, _TIMES = phrase("count", "{number} {things}"), phrase("count", "{number} × {things}")
_ENDS = (*".!?…:",)
"""What sentences end with; other texts do not begin with a capital by themselves."""


_PARTED = re.compile(r"[.!?…:;,]")
"""Signs that part a subject from what is no verb of it."""

_MOST_SAID = 4000
"""Nouns, each with its number and its notes, and sentences, of which a language remembers how they are said."""


class _Unsaid(Exception):
    """A sentence that a catalog has not, or that does not fit."""


@dataclass
class Speech:
    """One language as it is read at one table. catalogs: the first that has a message counts; missed: what was said in
    English instead."""

    table: GrammarTable
    catalogs: tuple[Catalog, ...] = ()
    change: Callable[[str], str] | None = None
    missed: Counter[tuple[str, str]] = field(default_factory=Counter)
    _nouns: dict[tuple[object, ...], InflectedNoun] = field(default_factory=dict)
    _said: dict[Term | Phrase, str] = field(default_factory=dict)
    _mentioned: dict[Phrase, tuple[str, Sequence[Mention]]] = field(default_factory=dict)

    @property
    def language(self) -> str:
        return self.table.language

    @property
    def right_to_left(self) -> bool:
        return self.table.right_to_left

    def isolated(self, text: str) -> str:
        """What is inserted, so that its letters and digits do not mix with others that run the other way."""
        return bidi.isolate(text) if self.right_to_left or bidi.runs_right_to_left(text) else bidi.balance(text)

    def with_catalogs(self, more: Sequence[Catalog]) -> Speech:
        """The same language, with catalogs that come before its own."""
        return Speech(self.table, (*more, *self.catalogs), self.change) if more else self

    # ── what is said ──

    def say(self, told: Argument) -> str:
        """A phrase, or what could fill a slot, for people to read. Never fails: what cannot be said is in English."""
        if isinstance(told, str):
            return told
        if isinstance(told, Term | Phrase) and (known := self._said.get(told)) is not None:
            return known
        try:
            if isinstance(told, Term):
                return self._remembered(self._said, told, self._one(Slot(""), told, False).strip())
            if isinstance(told, Phrase):
                said = self._sentence(self._translated(told.context, told.text), dict(told.slots))
                return self._remembered(self._said, told, said)
            if isinstance(told, tuple | Either):
                return self._listed(Slot(""), told, False)
            return self._one(Slot(""), told, False).strip()
        except _Unsaid:
            if not isinstance(told, Phrase):  # what a noun lacks is noted where it is looked up
                return english().say(told)
            self.missed[told.context, told.text] += 1
            return told.text if self.table.language == ENGLISH else self.isolated(english().say(told))

    def with_mentions(self, told: Phrase) -> tuple[str, Sequence[Mention]]:
        """A phrase as `say` has it, and where in it the things stand that fill its slots; nothing of that for a phrase
        that is said in English instead."""
        if (known := self._mentioned.get(told)) is not None:
            return known
        found: _Mentions = []
        try:
            said = self._sentence(self._translated(told.context, told.text), dict(told.slots), found)
            return self._remembered(self._mentioned, told, (said, tuple(found)))
        except _Unsaid:
            return self.say(told), ()

    def number(self, number: float) -> str:
        if self.language == ENGLISH and -1000 < number < 1000:
            return str(int(number) if number == int(number) else number).replace("-", "−")
        from rulewright.i18n.locale_formats import format_integer  # noqa: PLC0415 - it loads Babel

        return format_integer(number, self.table.locale)

    def figure(self, figure: DecimalNumber) -> str:
        if self.language == ENGLISH:  # as Babel has it, which takes a while to load
            shown = f"{figure.value * (100 if figure.percent else 1):,.{figure.places}f}".replace("-", "−")
            return f"{shown}%" if figure.percent else shown
        from rulewright.i18n.locale_formats import format_fraction  # noqa: PLC0415 - it loads Babel

        return format_fraction(figure.value, figure.places, figure.percent, self.table.locale)

    def moment(self, when: float) -> str:
        """A date and a time of the day, given in seconds since 1970, as clocks show them here."""
        from rulewright.i18n.locale_formats import format_time  # noqa: PLC0415 - it loads Babel

        return format_time(when, self.table.locale)

    def list(self, texts: Sequence[str], style: Literal["standard", "or"] = "standard") -> str:
        if self.language == ENGLISH:  # as Babel has it, which takes a while to load
            *before, last = texts or ("",)
            joint = " or " if style == "or" else " and "
            return f"{', '.join(before)}{joint}{last}" if before else last
        from rulewright.i18n.locale_formats import format_list  # noqa: PLC0415 - it loads Babel

        return format_list(texts, style, self.table.locale)

    def noun(self, term: Term) -> InflectedNoun:
        """A term's noun, with its grammar; English where there is no other."""
        try:
            return self._noun(term)
        except _Unsaid:
            return english()._noun(term)

    def title(self, told: Argument) -> str:
        """For the head of a column, or a name of its own: as said, but with a capital."""
        text = self.say(told)
        return text[:1].upper() + text[1:]

    def headed(self, label: str) -> str:
        """A label with what stands behind it where something follows: a colon, in most languages."""
        return self.say(phrase("form", "{label}:", label=label))

    def entry(self, label: str, text: str) -> str:
        """A label, and what it is about."""
        return self.say(phrase("form", "{label}: {what}", label=label, what=text))

    def noted(self, text: str, note: str) -> str:
        """A text with a note, in brackets in most languages."""
        return self.say(phrase("form", "{what} ({note})", what=text, note=note))

    def quoted(self, text: str) -> str:
        """A name as it is written, such as that of a file."""
        return self.say(phrase("form", "'{what}'", what=text))

    def times(self, text: str, count: int) -> str:
        """A thing, and how often it is there, if that is more than once: short, for tables."""
        return text if count == 1 else self.say(phrase("form", "{what} ×{count}", what=text, count=count))

    def span(self, low: int, high: int) -> str:
        """All numbers from one to another."""
        return self.number(low) if low == high else self.say(phrase("form", "{low}–{high}", low=low, high=high))

    def place(self, rank: int) -> str:
        """A place in a ranking, as an ordinal: 1st."""
        return self.say(phrase("form", "[1st] {rank}", rank=rank))

    def items(self, texts: Sequence[str]) -> _Texts:
        """What is told one after the other, without 'and': each but the last with a comma, in most languages."""
        return [*(self.say(phrase("form", "{what},", what=text)) for text in texts[:-1]), *texts[-1:]]

    def row(self, texts: Sequence[str]) -> str:
        """The same in one text."""
        return " ".join(self.items(texts))

    def parts(self, texts: Sequence[str]) -> str:
        """A row of what has commas itself: each but the last with a semicolon, in most languages."""
        return " ".join([*(self.say(phrase("form", "{what};", what=text)) for text in texts[:-1]), *texts[-1:]])

    def template(self, told: Phrase) -> str:
        """A phrase with its slots still open, in braces."""
        return self.say(Phrase(told.context, told.text, tuple((name, f"{{{name}}}") for name in slots(told.text))))

    # ── how ──

    @staticmethod
    def _remembered(memory: dict[T, U], told: T, said: U) -> U:
        """What was said, for the next time."""
        if len(memory) >= _MOST_SAID:
            memory.clear()
        memory[told] = said
        return said

    def _translated(self, context: str, text: str) -> str:
        found = self._strings(context, text)
        if found is None or not found[0].strip():
            raise _Unsaid
        return found[0]

    def _strings(self, context: str, text: str, many: str = "") -> tuple[str, ...] | None:
        """What a catalog says, one text for each plural form; English itself needs no catalog."""
        found = next((c.entries[context, text] for c in self.catalogs if (context, text) in c.entries), None)
        if found is None and self.table.language == ENGLISH:
            found = (text, many) if many else (text,)
        if self.change is not None:
            found = tuple(self.change(one) for one in ((text, many) if many else (text,)))
        return found

    def _noun(self, term: Term) -> InflectedNoun:
        """Raises _Unsaid."""
        key = (term.context, term.one, term.many, term.slots)
        if key not in self._nouns:
            self._nouns[key] = self._made(term)
        return self._nouns[key]

    def _made(self, term: Term) -> InflectedNoun:
        texts = self._strings(term.context, term.one, term.many)
        if texts is None and not term.context:
            texts = (term.one, term.many) if term.many else (term.one,)
        if texts is None:
            self.missed[term.context, term.one] += 1
            raise _Unsaid
        inserted = {name: self.noun(i) if isinstance(i, Term) else i for name, i in term.slots}
        try:
            if inserted:
                texts = tuple(self._inserted(text, inserted) for text in texts)
            inner = next((noun.gender for noun in inserted.values() if isinstance(noun, InflectedNoun)), "")
            return self.table.noun(texts, inner if self.table.genders else "")
        except (NounError, PatternError):
            self.missed[term.context, term.one] += 1
            if self.table.language == ENGLISH:
                return InflectedNoun("", ({("", ""): term.one}, {("", ""): term.many or term.one}))
            raise _Unsaid from None

    def _inserted(self, text: str, nouns: Mapping[str, object]) -> str:
        """A noun with other nouns in it, each with its article, if one stands before it, and with what agrees."""
        return "".join(self._written(part, nouns) for part in parts(text))

    def _written(self, part: PatternPart, nouns: Mapping[str, object]) -> str:
        """Raises PatternError."""
        if isinstance(part, Slot):
            if part.name not in nouns:
                raise PatternError(f"there is no slot '{part.name}'")
            return self._noun_inserted(part, nouns[part.name])
        if isinstance(part, Agreement):
            noun = nouns.get(part.slot)
            gender = noun.gender if isinstance(noun, InflectedNoun) else ""
            form = choose_form(part, Subject(noun if isinstance(noun, int) else 1, gender), self.table)
            return "".join(self._written(inner, nouns) for inner in parse_form(part, form))
        return part

    def _noun_inserted(self, slot: Slot, value: object) -> str:
        """Raises PatternError where its article is none."""
        if not isinstance(value, InflectedNoun):
            return str(value)
        table = self.table
        text = value.form(0, table.case(slot.sample), table.manner(slot.sample, value.gender, many=False))
        article = table.article(slot.sample, value.gender, False, text) if slot.sample else ""
        if article is None:
            raise PatternError(f"'{slot.sample}' is no article")
        return article + text

    def _sentence(self, text: str, arguments: Mapping[str, Argument], mentions: _Mentions | None = None) -> str:
        """mentions: where things stand in it is added here. Raises _Unsaid where the text does not fit."""
        try:
            pattern = parts(text)
        except PatternError:
            raise _Unsaid from None
        said, empty, begins = "", False, False
        is_sentence = text.rstrip()[-1:] in _ENDS
        chosen = list(self._chosen(pattern, arguments))
        for place, part in enumerate(chosen, 1):
            if isinstance(part, Agreement):
                continue
            if isinstance(part, str):
                said += _capital(part.lstrip(), True) if begins else part
                begins = begins and not part.strip()
            elif self._drops(part, arguments[part.name], chosen[place:]):
                empty, begins = True, is_sentence and _begins(said)
            else:
                first, begins = _begins(said), False
                filled = self._filled(part, arguments[part.name], is_sentence and first, inside=not first)
                empty = empty or not filled
                if mentions is not None:
                    mentions += self._mentions(part, arguments[part.name], filled, len(said), first)
                said += filled
        if mentions is not None and (empty or said[:1] in (" ", "\n")):
            mentions.clear()  # they would stand elsewhere
        return (said if not empty else _BREAKING.sub(" ", said)).strip(" \n")

    def _drops(self, slot: Slot, argument: Argument, following: Sequence[PatternPart]) -> bool:
        """Whether a pronoun is left out: alone before its verb, which tells by its ending who is meant."""
        person = argument[0] if isinstance(argument, tuple) and len(argument) == 1 else argument
        if not self.table.drops_pronoun or slot.sample or not isinstance(person, Person) or not person.you:
            return False
        for part in following:
            if isinstance(part, Slot) or (isinstance(part, str) and _PARTED.search(part)):
                return False
            if isinstance(part, Agreement) and part.slot == slot.name:
                return True
        return False

    def _chosen(self, pattern: Sequence[PatternPart], arguments: Mapping[str, Argument]) -> Iterator[PatternPart]:
        """The parts of a sentence, each agreement before the form of it that agrees. Raises _Unsaid where it has no
        argument for one."""
        for part in pattern:
            if isinstance(part, str):
                yield part
            elif (part.name if isinstance(part, Slot) else part.slot) not in arguments:
                raise _Unsaid
            elif isinstance(part, Slot):
                yield part
            else:
                yield part
                yield from self._chosen(self._form(part, arguments[part.slot]), arguments)

    def _form(self, part: Agreement, argument: Argument) -> Sequence[PatternPart]:
        """The form that agrees with an argument. Raises _Unsaid where it cannot be read."""
        try:
            return parse_form(part, self._agreeing(part, argument))
        except PatternError:
            raise _Unsaid from None

    def _mentions(self, slot: Slot, argument: Argument, filled: str, at: int, first: bool) -> _Mentions:
        """Where the things of an argument stand, whose words begin at a place of the sentence. first: whether the
        sentence begins there."""
        items = argument if isinstance(argument, tuple) else argument.items if isinstance(argument, Either) else ()
        if len(items) < 2:
            return [Mention(slot.name, 0, at, at + len(filled))]
        found, place = [], 0
        for number, item in enumerate(items):
            word = self._filled(slot, item, False, True, inside=not first or number > 0)
            # What begins a sentence may have a capital.
            place = max(place, filled.casefold().find(word.casefold(), place))
            found.append(Mention(slot.name, number, at + place, at + place + len(word)))
            place += len(word)
        return found

    def _filled(
        self, slot: Slot, argument: Argument, beginning: bool, beside: bool = False, inside: bool = False
    ) -> str:
        """beside: whether others are named with it; inside: whether words of the sentence stand before it."""
        if isinstance(argument, tuple | Either):
            return self._listed(slot, argument, beginning, inside)
        said = self.isolated(self._one(slot, argument, beginning, beside))
        return said.lower() if inside and said == YOU and isinstance(argument, Person) and argument.you else said

    def _listed(self, slot: Slot, argument: Either | tuple[Item, ...], beginning: bool, inside: bool = False) -> str:
        items = argument if isinstance(argument, tuple) else argument.items
        beside = len(items) > 1
        words = [
            self._filled(slot, item, beginning and place == 0, beside, inside or place > 0)
            for place, item in enumerate(items)
        ]
        return self.list(words, "or" if isinstance(argument, Either) else "standard") if words else ""

    def _one(self, slot: Slot, item: Item, beginning: bool, beside: bool = False) -> str:
        match item:
            case str():
                return self._after_sample(slot, item)
            case int():
                ordinal = self.table.ordinal(slot.sample, item, self.number(item)) if slot.sample else None
                return self._after_sample(slot, self.number(item)) if ordinal is None else ordinal
            case float():
                return self._after_sample(slot, self.number(item))
            case DecimalNumber():
                return self._after_sample(slot, self.figure(item))
            case Phrase():
                return self._after_sample(slot, self.say(item))
            case Person(name, you):
                return self._pronoun(slot, beginning, beside) if you else self._after_sample(slot, name)
        return _capital(self._term(slot, item), beginning)

    def _after_sample(self, slot: Slot, text: str) -> str:
        """What takes no article, though a preposition may stand in the sample."""
        if not slot.sample or slot.sample.casefold() in self.table.ordinals:
            return text
        article = self.table.article(slot.sample, NAME, False, text)
        if article is None:
            return f"[{slot.sample}] {text}"
        return article + text

    def _term(self, slot: Slot, term: Term) -> str:
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
            text = self.noted(text, self.list([" ".join(map(self.say, note)) for note in term.notes]))
        if not slot.sample or (noun.gender == NAME and not self.table.genders):
            return text
        if self.table.genders and not noun.gender:
            self.missed[term.context, term.one] += 1
            raise _Unsaid
        article = self.table.article(slot.sample, noun.gender, term.count != 1, text)
        if article is None:
            if self.table.language != ENGLISH:
                raise _Unsaid
            return f"[{slot.sample}] {text}"
        return (self.change(article) if self.change is not None else article) + text

    def _pronoun(self, slot: Slot, beginning: bool, beside: bool) -> str:
        try:
            noun = self._noun(Term("pronoun", "You", ""))
        except _Unsaid:
            return YOU
        case = self.table.case(slot.sample) or (self.table.beside_others if beside else "")
        text = noun.form(0, case)
        article = self.table.article(slot.sample, NAME, False, text) if slot.sample else ""
        return _capital((article or "") + text, beginning)

    def _agreeing(self, part: Agreement, argument: Argument) -> str:
        return choose_form(part, self._subject(argument), self.table)

    def _subject(self, argument: Argument) -> Subject:
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
        broken = len(items) == 1 and isinstance(items[0], float | DecimalNumber)
        if len(items) == 1 and isinstance(items[0], int | float):
            count = items[0] if isinstance(items[0], int) else 2  # one and a half are many
        you = any(isinstance(item, Person) and item.you for item in items)
        gender = gender_of_all(genders, self.table)
        return Subject(count, gender, listed, you, len(items), broken=broken)

    def _gender(self, item: Item) -> str:
        return self.noun(item).gender if isinstance(item, Term) else ""


def _is_nothing(item: Item) -> bool:
    """Whether this stands for what is not there: nothing, nobody."""
    return isinstance(item, Phrase) and item.context == "argument"


def _begins(said: str) -> bool:
    """Whether a sentence begins here."""
    return not said.strip() or (said[-1:].isspace() and said.rstrip()[-1:] in ".!?")


def _capital(text: str, beginning: bool) -> str:
    return text[:1].upper() + text[1:] if beginning else text


@cache
def english() -> Speech:
    table = grammar_files.read(resources.folder("locales") / ENGLISH / "grammar.yaml", ENGLISH, Report())
    if table is None:
        raise RuntimeError("Rulewright's installation is broken: the grammar of English cannot be read.")
    return Speech(table)
