"""Grammar of a language, as far as sentences with inserted names need it: a table that a translator fills.

A table is in `locales/<language>/grammar.yaml`: the genders and cases that nouns have, the articles that sentences
may use as samples, with the forms that replace them, and the sounds by which some forms are chosen. A noun carries
its own grammar: `Steinbock [m; gen=Steinbocks]`. Where adjective endings depend on the article, the noun
has a ~ for the ending, `groß~ Bär [m]`, or gives the whole form: `groot bos [n; definite=grote bos]`.

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

from rulewright.base.diagnostics import did_you_mean
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.i18n import messages

if TYPE_CHECKING:
    from babel import Locale

NAME = "name"
"""Gender of nouns without an article: names of people, and nouns such as 'red 2'."""
MANY = "many"
"""Key of agreement for the plural, alone or before a gender."""
YOU, YOU_AND_OTHERS, NOTHING = "you", "you and others", "nothing"
"""Keys of agreement besides genders and 'many'."""
OTHERWISE = "otherwise"
"""Key of an article's or an ordinal's form for everything else."""

_NOUN = re.compile(r"\s*(.*?)\s*(?:\[([^\[\]]*)\])?\s*", re.DOTALL)
"""Noun as a catalog has it; behind it in brackets its gender and what else the grammar asks for."""
_GLUE = ("’", "'", "-")
"""Ends of an article that a noun follows without a blank."""
_MILLIONS = re.compile(r"n != 0 && n % 1000000 == 0 \? (\d) : \d")
"""Part of a plural rule by which millions have a form of their own, in Romance languages."""
_USUAL_PLURALS = ("(n != 1)", "(n > 1)")
"""Rules of two forms as catalogs usually write them; `plurals_of` returns an equal rule in this form."""
_MAX_TRIED = 200
"""Numbers up to which two rules of plurals are compared."""

Form = str | tuple[tuple[str, str], ...]
"""Form, or forms by the sound that follows."""


class NounError(ValueError):
    """Error: a noun with unreadable grammar in brackets. wordings: problem, then hints."""

    def __init__(self, *wordings: Wording) -> None:
        super().__init__(" ".join(map(str, wordings)))
        self.wordings = wordings


@record
class InflectedNoun:
    """Noun with its forms. gender: '' if it is not known; forms: for each plural form, by case and kind of adjective
    ending; ('', '') is the noun's own case, without an article."""

    gender: str
    forms: tuple[Mapping[tuple[str, str], str], ...]

    @property
    def one(self) -> str:
        """Singular in the noun's own case, without an article."""
        return self.forms[0]["", ""]

    def form(self, number: int, case: str, manner: str = "") -> str:
        """Return a form by plural form, case and kind of adjective ending; the noun's own case where it has no such
        form. A plural form that is too high becomes the last."""
        forms = self.forms[min(number, len(self.forms) - 1)]
        return forms.get((case, manner), forms["", ""])


@record
class Sound:
    """Class of word beginnings that sound alike, in lower case. exceptions: beginnings that sound otherwise."""

    beginnings: tuple[str, ...]
    exceptions: tuple[str, ...] = ()

    def matches(self, word: str) -> bool:
        """Return whether a word begins with this sound; é also counts as e, and so on, except among exceptions."""
        word = word.casefold()
        plain = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
        is_class = word.startswith(self.beginnings) or plain.startswith(self.beginnings)
        return is_class and not word.startswith(self.exceptions)


@record
class Article:
    """Replacement of a sample article. case: in which the noun after it stands, '' for its own; forms: by gender,
    'many', 'many' and a gender, and 'otherwise' for the rest; manner: kind of adjective ending after it, '' for the one
    without an article."""

    case: str
    forms: Mapping[str, Form]
    manner: str = ""

    def form(self, gender: str, many: bool) -> Form:
        """Return the form for a noun of a gender: of NAME, its one form for any number; of others in the plural, of
        'many' and the gender, else of 'many'. Else 'otherwise'; '' without that."""
        keys = [NAME] if gender == NAME else [f"{MANY} {gender}", MANY] if many else [gender]
        return next((self.forms[key] for key in (*keys, OTHERWISE) if key in self.forms), "")

    def words(self) -> frozenset[str]:
        """Return all its forms, in lower case."""
        return frozenset(word for form in self.forms.values() for word in _words(form))


def _words(form: Form) -> tuple[str, ...]:
    """Return a form's variants, in lower case."""
    return (form.casefold(),) if isinstance(form, str) else tuple(one.casefold() for _, one in form)


@record
class GrammarTable:
    """Grammar of one language.

    - name: what the file says under `language`, else the code
    - genders: with their meaning, for translators
    - cases: the first is a noun's own
    - sounds: classes of word beginnings, in the order in which they are tried
    - articles: by their samples
    - adjectives: endings by kind (the first: without an article), case ('': the noun's own), and gender or 'many'
    - ordinals: by their samples, and then by CLDR's category of the number, with # for the number
    - beside_others: case of 'you' in a list with others
    - drops_pronoun: whether 'you' is left out before its verb
    - left_out: catalogs not translated yet
    - plurals: number of plural forms
    - plural_rule: in the syntax of catalog heads
    """

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
        """Babel's locale; asserts that Babel knows the language."""
        locale = locale_of(self.language)
        assert locale is not None
        return locale

    def plural(self, number: int) -> int:
        """Return the index of the plural form for a number."""
        return _plural(self.plural_rule)(number)

    def noun(self, texts: Sequence[str], inherited: str = "") -> InflectedNoun:
        """Make a noun from its texts, one for each plural form, with grammar in brackets. inherited: its gender, if it
        has none of its own. Raises NounError."""
        gender, forms = "", []
        for number, text in enumerate(texts):
            match = _NOUN.fullmatch(text)
            assert match is not None
            plain_text, grammar = match[1], match[2]
            cases = {"": plain_text}
            for note in (grammar or "").split(";"):
                case, equals, form = (part.strip() for part in note.partition("="))
                if equals and case in (*self.cases[1:], *self.manners) and form:
                    cases[case] = form
                elif not equals and case in (*self.genders, NAME) and number == 0:
                    gender = case
                elif note.strip():
                    raise NounError(*self._errors_of_note(note.strip(), number))
            forms.append(cases)
        if not gender and not inherited and self._takes_no_article(forms[0][""]):
            gender = NAME
        gender = gender or inherited
        return InflectedNoun(
            gender, tuple(self._inflected(cases, gender, many=number > 0) for number, cases in enumerate(forms))
        )

    def _takes_no_article(self, noun: str) -> bool:
        """Return whether a noun takes no article without declaring so: 'red 2', or in a language without genders, 'a
        hidden card', which has its own."""
        if self.genders:
            return noun[-1:].isdigit()
        first, blank, _ = noun.partition(" ")
        return bool(blank) and first.casefold() in self.articles

    @property
    def manners(self) -> list[str]:
        """Kinds of adjective endings after an article."""
        return list(self.adjectives)[1:]

    def _inflected(self, cases: Mapping[str, str], gender: str, many: bool) -> Mapping[tuple[str, str], str]:
        """Return all forms of a noun by case and kind of adjective ending, derived from those that are given. cases:
        given texts by case or kind of ending, '' for the noun's own."""
        forms = {}
        for manner in ("", *self.manners):
            for case in ("", *self.cases[1:]):
                text = (cases.get(manner) if manner else None) or cases.get(case) or cases[""]
                if "~" in text and self.adjectives:
                    endings = self.adjectives[manner or next(iter(self.adjectives))].get(case, {})
                    text = text.replace("~", endings.get(MANY if many else gender, ""))
                forms[case, manner] = text
        return forms

    def article(self, sample: str, gender: str, many: bool, following: str) -> str | None:
        """Return the article for a sample, with the blank behind it if any; '' if the noun takes none, None for an
        unknown sample. following: text after it, whose beginning may choose the form."""
        article = self.articles.get(sample.casefold())
        if article is None:
            return None
        form = article.form(gender, many)
        if not isinstance(form, str):
            form = self._by_sound(form, following)
        return form if not form or form.endswith(_GLUE) else f"{form} "

    def manner(self, sample: str, gender: str, many: bool) -> str:
        """Return the kind of adjective ending after a sample's article; as without an article, '', if that is empty or
        unknown."""
        article = self.articles.get(sample.casefold())
        return article.manner if article is not None and article.form(gender, many) else ""

    def case(self, sample: str) -> str:
        """Return the case after a sample's article; '', a noun's own, for an unknown sample."""
        article = self.articles.get(sample.casefold())
        return article.case if article is not None else ""

    def _by_sound(self, forms: tuple[tuple[str, str], ...], following: str) -> str:
        """Return the form for the sound of the following word; '' without one."""
        return next((form for sound, form in forms if sound == OTHERWISE or self.sounds[sound].matches(following)), "")

    def ordinal(self, sample: str, number: int, number_text: str) -> str | None:
        """Return a rank as an ordinal, such as 'the 2nd'; None if there is no such sample. number_text: the number as
        the language writes it."""
        forms = self.ordinals.get(sample.casefold())
        if forms is None:
            return None
        return forms.get(self.locale.ordinal_form(number), forms.get(OTHERWISE, "#")).replace("#", number_text)

    def agreement_keys(self) -> tuple[str, ...]:
        """Return the keys by which words can agree."""
        genders = (*self.genders, NAME)
        return (*genders, MANY, *(f"{MANY} {gender}" for gender in genders), YOU, YOU_AND_OTHERS, NOTHING)

    @property
    def written_articles(self) -> frozenset[str]:
        """One-word forms of articles before nouns with a gender, in lower case, without those for NAME and
        'otherwise'."""
        forms = {
            word
            for article in self.articles.values()
            for key, form in article.forms.items()
            if key not in (NAME, OTHERWISE)
            for word in _words(form)
        }
        return frozenset(form for form in forms if form and " " not in form)

    def sound_dependent_words(self, people: bool) -> frozenset[str]:
        """Return the words whose form depends on the next sound, such as 'de' and 'd’'. people: of the forms for NAME,
        or 'otherwise' where there is none; else only of those for 'otherwise', not of genders' own."""
        key = NAME if people else OTHERWISE
        forms = [article.forms.get(key, article.forms.get(OTHERWISE, "")) for article in self.articles.values()]
        return frozenset(word for form in forms if len(words := set(_words(form))) > 1 for word in words)

    def _errors_of_note(self, note: str, number: int) -> tuple[Wording, ...]:
        """Return why a note in brackets is no grammar, and hints. number: plural form of the text with the note, from
        0."""
        known = [f"{case}=…" for case in (*self.cases[1:], *self.manners)]
        if number > 0 and note in (*self.genders, NAME):
            return (messages.GENDER_OF_PLURAL(note=note),)
        if number == 0:
            known = [*self.genders, NAME, *known]
        listed = tuple(known) or messages.NONE()
        return messages.NO_GRAMMAR(note=note, known=listed), *did_you_mean(note, known)


@cached
def locale_of(language: str) -> Locale | None:
    """Return Babel's locale of a language, None if Babel knows none: British for English, also for invented variants of
    English."""
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415 - English sentences seldom need it

    try:
        return Locale.parse("en_GB" if language == "en" else language)
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en_GB") if language.startswith("en") else None


def names_of_languages() -> dict[str, str]:
    """Map the English names of languages to their codes; only of those for which Babel has a locale."""
    from babel import Locale  # noqa: PLC0415 - as above

    return {name: code for code, name in Locale("en").languages.items() if locale_of(code) is not None}


@cached
def own_name(language: str) -> str:
    """Return a language's name in that language, capitalized as in lists; its code if none is known."""
    locale = locale_of(language)
    name = (locale.languages.get(language) or locale.get_display_name()) if locale is not None else None
    return name[0].upper() + name[1:] if name else language


def plurals_of(language: str) -> tuple[int, str]:
    """Return the number of plural forms of a language, and the rule for catalogs' heads; English ones for an unknown
    language.

    The form that Romance languages have for whole millions ('un milione di carte') is left out: no game counts so far,
    and only some versions of Babel have it.
    """
    from babel.messages.plurals import get_plural  # noqa: PLC0415 - as above

    plural = get_plural(locale_of(language) or locale_of("en"))
    rule, left_out = _MILLIONS.subn(r"\1", plural.plural_expr)
    number = plural.num_plurals - left_out
    return number, next((usual for usual in _USUAL_PLURALS if number == 2 and same_plurals(usual, rule)), rule)


def same_plurals(one: str, other: str) -> bool:
    """Whether two rules choose the same plural forms, for any number that a game may count to. False if one of them
    cannot be read."""
    try:
        function, other_function = c2py(one), c2py(other)
        return all(function(number) == other_function(number) for number in range(_MAX_TRIED))
    except (ValueError, ArithmeticError, RecursionError):
        return False


def map_forms(rule: str, number: int, other_rule: str) -> tuple[int, ...] | None:
    """Map each form of a rule, from 0, to one of the `number` forms of another rule: of several, to that of the lowest
    number from 1.

    None if the other rule cannot be read, does not choose just these forms, or joins forms that the rule
    distinguishes.
    """
    counts = [*range(1, _MAX_TRIED), 0, 1_000_000]
    try:
        function, other = c2py(rule), c2py(other_rule)
        pairs = [(int(function(count)), int(other(count))) for count in counts]
    except (ValueError, ArithmeticError, RecursionError):
        return None
    first = dict(reversed(pairs))
    if {form for _, form in pairs} != set(range(number)) or len(set(pairs)) != number:
        return None
    return tuple(first[form] for form in sorted(first))


@cached
def _plural(rule: str) -> Callable[[int], int]:
    """Compile a rule of Babel's own tables, never one from a catalog."""
    function: Callable[[int], int] = c2py(rule)
    return lambda number: int(function(number))
