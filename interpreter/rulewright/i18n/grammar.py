"""The grammar of a language, as far as sentences with inserted names need it: a table that a translator fills.

A table stands in `locales/<language>/grammar.yaml`: the genders and cases that nouns have, the articles that sentences
may show as samples, with the forms that stand for them, and the sounds by which some forms are chosen. A noun carries
its own grammar: `Steinbock [m; gen=Steinbocks]`. Where adjectives end otherwise after this article or that, the noun
has a ~ for the ending, `groß~ Bär [m]`, or tells the whole form: `groot bos [n; definite=grote bos]`.

`grammar_files` reads such a table.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache as cached
from gettext import c2py
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import nearest
from rulewright.base.records import record

if TYPE_CHECKING:
    from babel import Locale

NAME = "name"
"""The gender of what takes no article: the names of people, and nouns such as 'red 2'."""
MANY = "many"
YOU, YOU_AND_OTHERS, NOTHING = "you", "you and others", "nothing"
"""With what words may agree, beside genders and 'many'."""
OTHERWISE = "otherwise"

_NOUN = re.compile(r"\s*(.*?)\s*(?:\[([^\[\]]*)\])?\s*", re.DOTALL)
_GLUE = ("’", "'", "-")
_MILLIONS = re.compile(r"n != 0 && n % 1000000 == 0 \? (\d) : \d")
_USUAL_PLURALS = ("(n != 1)", "(n > 1)")
_MOST_TRIED = 200

Form = str | tuple[tuple[str, str], ...]
"""A form, or the forms by the sound that follows."""


class NounError(ValueError):
    """A noun whose grammar in brackets cannot be read; the text says why."""


@record
class InflectedNoun:
    """What a thing is called. forms: by plural form, and then by case and by how adjectives end; ('', '') is the case
    that is the noun's own, without an article."""

    gender: str
    forms: tuple[Mapping[tuple[str, str], str], ...]

    @property
    def one(self) -> str:
        return self.forms[0]["", ""]

    def form(self, number: int, case: str, manner: str = "") -> str:
        forms = self.forms[min(number, len(self.forms) - 1)]
        return forms.get((case, manner), forms["", ""])


@record
class Sound:
    """How words begin that sound alike. but: beginnings of those that sound otherwise all the same."""

    begins: tuple[str, ...]
    but: tuple[str, ...] = ()

    def of(self, word: str) -> bool:
        """Whether a word begins so; é counts as e too."""
        word = word.casefold()
        plain = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
        return (word.startswith(self.begins) or plain.startswith(self.begins)) and not word.startswith(self.but)


@record
class Article:
    """What a sample stands for. forms: by gender, 'many', or 'many' and a gender, and 'otherwise' for all that is not
    told; manner: how adjectives end after it, or ''."""

    case: str
    forms: Mapping[str, Form]
    manner: str = ""

    def form(self, gender: str, many: bool) -> Form:
        keys = [NAME] if gender == NAME else [f"{MANY} {gender}", MANY] if many else [gender]
        return next((self.forms[key] for key in (*keys, OTHERWISE) if key in self.forms), "")

    def words(self) -> frozenset[str]:
        """All its forms, whatever follows."""
        return frozenset(word for form in self.forms.values() for word in _words(form))


def _words(form: Form) -> tuple[str, ...]:
    """What a form may be, in lower case."""
    return (form.casefold(),) if isinstance(form, str) else tuple(one.casefold() for _, one in form)


@record
class GrammarTable:
    """The grammar of one language. genders: with what they mean, for translators; cases: the first is a noun's own;
    sounds: how words begin, in the order in which they are tried; articles: by their samples; adjectives: their
    endings by manner (the first: without an article), case ('': the noun's own), and gender or 'many'; ordinals:
    by their samples, and then by the category that CLDR gives a number, with # for the number; beside_others: the case
    of 'you' in a list with others; drops_pronoun: whether 'you' is left out before its verb; left_out: the catalogs
    that nobody translates yet; plurals: how many forms can stand with a number; plural_rule: which one does, as
    catalogs' heads say it."""

    language: str
    name: str
    genders: Mapping[str, str]
    cases: tuple[str, ...]
    sounds: Mapping[str, Sound]
    articles: Mapping[str, Article]
    right_to_left: bool = False
    plurals: int = 2
    plural_rule: str = "(n != 1)"
    adjectives: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    ordinals: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    beside_others: str = ""
    left_out: tuple[str, ...] = ()
    drops_pronoun: bool = False

    @property
    def locale(self) -> Locale:
        """What Babel knows of it."""
        found = locale_of(self.language)
        assert found is not None
        return found

    def plural(self, number: int) -> int:
        """Which plural form stands with a number, from 0."""
        return _plural(self.plural_rule)(number)

    def noun(self, texts: Sequence[str], inherited: str = "") -> InflectedNoun:
        """A noun from its texts, one for each plural form, with grammar in brackets. inherited: its gender if it says
        none. Raises NounError."""
        gender, forms = "", []
        for number, text in enumerate(texts):
            match = _NOUN.fullmatch(text)
            assert match is not None
            written, grammar = match[1], match[2]
            cases = {"": written}
            for note in (grammar or "").split(";"):
                case, equals, form = (part.strip() for part in note.partition("="))
                if equals and case in (*self.cases[1:], *self.manners) and form:
                    cases[case] = form
                elif not equals and case in (*self.genders, NAME) and number == 0:
                    gender = case
                elif note.strip():
                    raise NounError(self._wrong(note.strip(), number))
            forms.append(cases)
        if not gender and not inherited and self._takes_none(forms[0][""]):
            gender = NAME
        gender = gender or inherited
        return InflectedNoun(
            gender, tuple(self._inflected(cases, gender, many=at > 0) for at, cases in enumerate(forms))
        )

    def _takes_none(self, noun: str) -> bool:
        """Whether a noun takes no article, though it does not say so: 'red 2', or in English, 'a hidden card'."""
        if self.genders:
            return noun[-1:].isdigit()
        first, blank, _ = noun.partition(" ")
        return bool(blank) and first.casefold() in self.articles

    @property
    def manners(self) -> list[str]:
        """How adjectives may end after an article, other than without one."""
        return list(self.adjectives)[1:]

    def _inflected(self, cases: Mapping[str, str], gender: str, many: bool) -> Mapping[tuple[str, str], str]:
        """Every form of a noun, from those that it tells."""
        found = {}
        for manner in ("", *self.manners):
            for case in ("", *self.cases[1:]):
                text = (cases.get(manner) if manner else None) or cases.get(case) or cases[""]
                if "~" in text and self.adjectives:
                    endings = self.adjectives[manner or next(iter(self.adjectives))].get(case, {})
                    text = text.replace("~", endings.get(MANY if many else gender, ""))
                found[case, manner] = text
        return found

    def article(self, sample: str, gender: str, many: bool, following: str) -> str | None:
        """The article for a sample, with the blank behind it where it has one; None if no sample is written so."""
        article = self.articles.get(sample.casefold())
        if article is None:
            return None
        form = article.form(gender, many)
        if not isinstance(form, str):
            form = self._by_sound(form, following)
        return form if not form or form.endswith(_GLUE) else f"{form} "

    def manner(self, sample: str, gender: str, many: bool) -> str:
        """How adjectives end after what stands for a sample; where that is nothing, as without an article."""
        article = self.articles.get(sample.casefold())
        return article.manner if article is not None and article.form(gender, many) else ""

    def case(self, sample: str) -> str:
        article = self.articles.get(sample.casefold())
        return article.case if article is not None else ""

    def _by_sound(self, forms: tuple[tuple[str, str], ...], following: str) -> str:
        return next((form for sound, form in forms if sound == OTHERWISE or self.sounds[sound].of(following)), "")

    def ordinal(self, sample: str, number: int, written: str) -> str | None:
        """A number that tells a place in a row, as in 'the 2nd'; None if no sample is written so."""
        forms = self.ordinals.get(sample.casefold())
        if forms is None:
            return None
        return forms.get(self.locale.ordinal_form(number), forms.get(OTHERWISE, "#")).replace("#", written)

    def agreeing(self) -> tuple[str, ...]:
        """The keys by which words can agree."""
        genders = (*self.genders, NAME)
        return (*genders, MANY, *(f"{MANY} {gender}" for gender in genders), YOU, YOU_AND_OTHERS, NOTHING)

    @property
    def written_articles(self) -> frozenset[str]:
        """The forms of articles that are one word, as nouns with a gender have them before them."""
        forms = {
            form
            for article in self.articles.values()
            for key, told in article.forms.items()
            if key not in (NAME, OTHERWISE)
            for form in _words(told)
        }
        return frozenset(form for form in forms if form and " " not in form)

    def changing(self, people: bool) -> frozenset[str]:
        """Words that change with the sound behind them, before people or before any noun, as 'de' and 'd’' do."""
        key = NAME if people else OTHERWISE
        told = [article.forms.get(key, article.forms.get(OTHERWISE, "")) for article in self.articles.values()]
        return frozenset(word for form in told if len(words := set(_words(form))) > 1 for word in words)

    def _wrong(self, note: str, number: int) -> str:
        known = [f"{case}=…" for case in (*self.cases[1:], *self.manners)]
        if number > 0 and note in (*self.genders, NAME):
            return f"'{note}': the gender stands on the first form only."
        if number == 0:
            known = [*self.genders, NAME, *known]
        hint = nearest(note, known)
        return f"'{note}' is no grammar here; there is {', '.join(known) or 'none'}. {hint}".strip()


@cached
def locale_of(language: str) -> Locale | None:
    """What Babel knows of a language; English is the British one, and what is only made up goes by its first part."""
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - English sentences seldom need it

    try:
        return Locale.parse("en_GB" if language == "en" else language)
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en_GB") if language.startswith("en") else None


def names_of_languages() -> dict[str, str]:
    """What languages are called in English, with their codes."""
    from babel import Locale  # noqa: PLC0415 - as above

    return {name: code for code, name in Locale("en").languages.items() if locale_of(code) is not None}


def plurals_of(language: str) -> tuple[int, str]:
    """How many plural forms a language has, and the rule for catalogs' heads.

    The form that Romance languages have for whole millions ('un milione di carte') is left out: no game counts so far,
    and the tables of some versions of Babel have it, others not.
    """
    from babel.messages.plurals import get_plural  # noqa: PLC0415 - as above

    plural = get_plural(locale_of(language) or locale_of("en"))
    rule, left_out = _MILLIONS.subn(r"\1", plural.plural_expr)
    number = plural.num_plurals - left_out
    return number, next((usual for usual in _USUAL_PLURALS if number == 2 and same_plurals(usual, rule)), rule)


def same_plurals(one: str, other: str) -> bool:
    """Whether two rules choose the same plural forms, for any number that a game may count to."""
    try:
        chosen, wanted = c2py(one), c2py(other)
        return all(chosen(number) == wanted(number) for number in range(_MOST_TRIED))
    except (ValueError, ArithmeticError, RecursionError):
        return False


def forms_chosen(rule: str, number: int, other_rule: str) -> tuple[int, ...] | None:
    """Which of the `number` forms of another rule stands for each form of a rule, from 0.

    None where the other rule cannot be read, does not choose just these forms, or joins what the rule keeps apart.
    """
    counts = [*range(1, _MOST_TRIED), 0, 1_000_000]
    try:
        chosen, other = c2py(rule), c2py(other_rule)
        pairs = [(int(chosen(count)), int(other(count))) for count in counts]
    except (ValueError, ArithmeticError, RecursionError):
        return None
    first = dict(reversed(pairs))
    if {form for _, form in pairs} != set(range(number)) or len(set(pairs)) != number:
        return None
    return tuple(first[form] for form in sorted(first))


@cached
def _plural(rule: str) -> Callable[[int], int]:
    """rule: of Babel's own tables, never one from a catalog."""
    found: Callable[[int], int] = c2py(rule)
    return lambda number: int(found(number))
