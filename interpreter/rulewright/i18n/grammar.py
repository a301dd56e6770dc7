"""The grammar of a language, as far as sentences with inserted names need it: a table that a translator fills.

A table stands in `locales/<language>/grammar.yaml`: the genders and cases that nouns have, the articles that sentences
may show as samples, with the forms that stand for them, and the sounds by which some forms are chosen. A noun carries
its own grammar: `Steinbock [m; gen=Steinbocks]`. Where adjectives end otherwise after this article or that, the noun
has a ~ for the ending, `groß~ Bär [m]`, or tells the whole form: `groot bos [n; definite=grote bos]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cache as cached
from gettext import c2py
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base import cache, files
from rulewright.base.diagnostics import Report, SourcePlace, nearest
from rulewright.base.records import record
from rulewright.syntax import source

if TYPE_CHECKING:
    from babel import Locale

NAME = "name"
"""The gender of what takes no article: the names of people, and nouns such as 'red 2'."""
MANY = "many"
OTHERWISE = "otherwise"

_NOUN = re.compile(r"\s*(.*?)\s*(?:\[([^\[\]]*)\])?\s*", re.DOTALL)
_LONGEST_FORM = 60
_GLUE = ("’", "'", "-")

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
class Article:
    """What a sample stands for. forms: by gender, 'many', or 'many' and a gender; manner: how adjectives end after it,
    or ''."""

    case: str
    forms: Mapping[str, Form]
    manner: str = ""

    def form(self, gender: str, many: bool) -> Form:
        if gender == NAME:
            return self.forms.get(NAME, "")
        keys = [f"{MANY} {gender}", MANY] if many else [gender]
        return next((self.forms[key] for key in keys if key in self.forms), "")


@record
class GrammarTable:
    """The grammar of one language. genders: with what they mean, for translators; cases: the first is a noun's own;
    sounds: how words begin, in the order in which they are tried; articles: by their samples; adjectives: their
    endings by manner (the first: without an article), case ('': the noun's own), and gender or 'many'; plurals:
    how many forms can stand with a number; plural_rule: which one does, as catalogs' heads say it."""

    language: str
    name: str
    genders: Mapping[str, str]
    cases: tuple[str, ...]
    sounds: Mapping[str, tuple[str, ...]]
    articles: Mapping[str, Article]
    right_to_left: bool = False
    plurals: int = 2
    plural_rule: str = "(n != 1)"
    adjectives: Mapping[str, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)

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
        if not gender and forms[0][""][-1:].isdigit():
            gender = NAME
        gender = gender or inherited
        return InflectedNoun(
            gender, tuple(self._inflected(cases, gender, many=at > 0) for at, cases in enumerate(forms))
        )

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
        word = following.casefold()
        for sound, form in forms:
            if sound == OTHERWISE or word.startswith(self.sounds[sound]):
                return form
        return ""

    def _wrong(self, note: str, number: int) -> str:
        known = [f"{case}=…" for case in (*self.cases[1:], *self.manners)]
        if number == 0:
            known = [*self.genders, NAME, *known]
        hint = nearest(note, known)
        return f"'{note}' is no grammar here; there is {', '.join(known) or 'none'}. {hint}".strip()


def read(path: Path, language: str, report: Report) -> GrammarTable | None:
    """The table in a file, or None; what is wrong goes to the report."""
    key = cache.key("grammar", language, files.beginning(path, source.LARGEST_FILE))
    if isinstance(known := cache.found(key), GrammarTable):
        return known
    from rulewright.syntax import yaml_reader  # noqa: PLC0415 - only what is not known yet is read

    node = yaml_reader.read(path, None, report, str(path))
    if node is None or not report.ok:
        return None
    table = _GrammarReader(language, report).table(node)
    if table is None or not report.ok:
        return None
    cache.keep(key, table)
    return table


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
    """How many plural forms a language has, and the rule for catalogs' heads."""
    from babel.messages.plurals import get_plural  # noqa: PLC0415 - as above

    plural = get_plural(locale_of(language) or locale_of("en"))
    return plural.num_plurals, plural.plural_expr


@cached
def _plural(rule: str) -> Callable[[int], int]:
    """rule: of Babel's own tables, never one from a catalog."""
    found: Callable[[int], int] = c2py(rule)
    return lambda number: int(found(number))


class _GrammarReader:
    def __init__(self, language: str, report: Report) -> None:
        self.language, self.report = language, report

    def table(self, node: source.Node) -> GrammarTable | None:
        locale = locale_of(self.language)
        if locale is None:
            self._error(node.place, f"There is no language '{self.language}'.")
            return None
        keys = ("language", "genders", "cases", "sounds", "adjectives", "articles")
        top = self._mapping(node, "the keys " + ", ".join(keys))
        for key, place in ((key, top[key].place) for key in top.keys() - set(keys)):
            self._error(place, f"There is no key '{key}' here. {nearest(key, keys)}".strip())
        genders = {k: self._text(v) for k, v in self._mapping(top.get("genders"), "genders").items()}
        cases = tuple(self._texts(top.get("cases"))) or ("",)
        sounds = {k: tuple(self._texts(v)) for k, v in self._mapping(top.get("sounds"), "sounds").items()}
        adjectives = {
            manner: self._endings(value, genders, cases)
            for manner, value in self._mapping(top.get("adjectives"), "adjectives' endings").items()
        }
        articles = {}
        for sample, value in self._mapping(top.get("articles"), "articles").items():
            articles[sample.casefold()] = self._article(value, genders, cases, sounds, list(adjectives))
        name = self._text(top["language"]) if "language" in top else self.language
        leftwards = locale.character_order == "right-to-left"
        number, rule = plurals_of(self.language)
        return GrammarTable(self.language, name, genders, cases, sounds, articles, leftwards, number, rule, adjectives)

    def _endings(
        self, node: source.Node, genders: Mapping[str, str], cases: tuple[str, ...]
    ) -> Mapping[str, Mapping[str, str]]:
        """How adjectives end in one manner: by case, and then by gender or 'many'."""
        found: dict[str, Mapping[str, str]] = {}
        for case, value in self._mapping(node, "endings by case").items():
            if case not in cases:
                self._error(value.place, f"There is no case '{case}'. {nearest(case, cases)}".strip())
            endings = self._mapping(value, "endings by gender")
            for key, ending in endings.items():
                if key not in (*genders, MANY):
                    expected = ", ".join((*genders, MANY))
                    self._error(ending.place, f"There is no gender '{key}': expected {expected}.")
            found["" if case == cases[0] else case] = {key: self._text(ending) for key, ending in endings.items()}
        return found

    def _article(
        self,
        node: source.Node,
        genders: Mapping[str, str],
        cases: tuple[str, ...],
        sounds: Mapping[str, object],
        manners: list[str],
    ) -> Article:
        entries = dict(self._mapping(node, "an article's forms by gender"))
        case = self._text(entries.pop("case")) if "case" in entries else cases[0]
        if case not in cases:
            self._error(node.place, f"There is no case '{case}'. {nearest(case, cases)}".strip())
        manner = self._text(entries.pop("adjectives")) if "adjectives" in entries else ""
        if manner and manner not in manners:
            self._error(node.place, f"Adjectives do not end in a manner '{manner}'. {nearest(manner, manners)}".strip())
        known = [*genders, MANY, *(f"{MANY} {gender}" for gender in genders), NAME]
        if not genders:
            known = ["", OTHERWISE, MANY, NAME]
        forms: dict[str, Form] = {}
        for key, value in entries.items():
            if key not in known:
                self._error(value.place, f"There is no gender '{key}': expected {', '.join(filter(None, known))}.")
            forms["" if key == OTHERWISE else key] = self._form(value, sounds)
        return Article("" if case == cases[0] else case, forms, "" if manner in manners[:1] else manner)

    def _form(self, node: source.Node, sounds: Mapping[str, object]) -> Form:
        if isinstance(node, source.Scalar):
            return self._text(node)
        entries = self._mapping(node, "a form, or forms by sound")
        for key, value in entries.items():
            if key not in (*sounds, OTHERWISE):
                self._error(value.place, f"There is no sound '{key}'. {nearest(key, sounds)}".strip())
        written = {key: self._text(value) for key, value in entries.items()}
        order = [key for key in (*sounds, OTHERWISE) if key in written]
        return tuple((key, written[key]) for key in order)

    def _mapping(self, node: source.Node | None, what: str) -> dict[str, source.Node]:
        if node is None or (isinstance(node, source.Scalar) and node.absent):
            return {}
        if not isinstance(node, source.MappingNode):
            self._error(node.place, f"Expected {what}.")
            return {}
        return {key.text: value for key, value in node.items()}

    def _texts(self, node: source.Node | None) -> list[str]:
        if node is None or (isinstance(node, source.Scalar) and node.absent):
            return []
        if not isinstance(node, source.SequenceNode):
            self._error(node.place, "Expected a list.")
            return []
        return [self._text(item).casefold() for item in node.items]

    def _text(self, node: source.Node) -> str:
        if not isinstance(node, source.Scalar) or len(node.text) > _LONGEST_FORM:
            self._error(node.place, f"Expected a text of at most {_LONGEST_FORM} characters.")
            return ""
        return node.text.strip()

    def _error(self, place: SourcePlace, message: str) -> None:
        self.report.error(place, "wrong-shape", message)
