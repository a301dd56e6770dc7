"""Reader of grammar files, which translators fill."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulewright.base import cache, files
from rulewright.base.diagnostics import Report, SourcePlace, did_you_mean
from rulewright.base.wording import Wording
from rulewright.i18n import messages
from rulewright.i18n.grammar import MANY, NAME, OTHERWISE, Article, Form, GrammarTable, Sound, locale_of, plurals_of
from rulewright.syntax import source

_MAX_FORM_LENGTH = 60
"""Maximum number of characters of any text in a grammar file."""


def read(path: Path, language: str, report: Report) -> GrammarTable | None:
    """Read a grammar file, from the cache if it is the same; None if it is invalid, or the report had errors before.
    Errors go to the report."""
    key = cache.key("grammar", language, files.read_beginning(path, source.MAX_FILE_SIZE))
    if isinstance(known := cache.get(key), GrammarTable):
        return known
    from rulewright.syntax import yaml_reader  # noqa: PLC0415 - only what is not known yet is read

    node = yaml_reader.read(path, None, report, str(path))
    if node is None or not report.ok:
        return None
    table = _GrammarReader(language, report).table(node)
    if table is None or not report.ok:
        return None
    cache.store(key, table)
    return table


class _GrammarReader:
    """Reader of one grammar file."""

    def __init__(self, language: str, report: Report) -> None:
        self.language, self.report = language, report

    def table(self, node: source.Node) -> GrammarTable | None:
        """Return the table of a grammar's root node, without what was reported; None for a language that Babel does not
        know."""
        locale = locale_of(self.language)
        if locale is None:
            self.report.error(node.place, messages.NO_LANGUAGE(language=self.language))
            return None
        keys = (
            *("language", "left out", "genders", "cases", "beside others", "sounds", "adjectives", "articles"),
            *("ordinals", "drops pronoun"),
        )
        top = self._mapping(node, messages.KEYS(names=keys))
        for key, place in ((key, top[key].place) for key in top.keys() - set(keys)):
            self.report.error(place, messages.NO_KEY(key=key), *did_you_mean(key, keys))
        genders = {k: self._text(v) for k, v in self._mapping(top.get("genders"), messages.GENDERS()).items()}
        cases = tuple(self._texts(top.get("cases"))) or ("",)
        sounds = {k: self._sound(v) for k, v in self._mapping(top.get("sounds"), messages.SOUNDS()).items()}
        adjectives = {
            manner: self._endings(value, genders, cases)
            for manner, value in self._mapping(top.get("adjectives"), messages.ADJECTIVES()).items()
        }
        articles = {}
        for sample, value in self._mapping(top.get("articles"), messages.ARTICLES()).items():
            articles[sample.casefold()] = self._read_article(value, genders, cases, sounds, list(adjectives))
        ordinals = {
            sample.casefold(): self._ordinal(value)
            for sample, value in self._mapping(top.get("ordinals"), messages.ORDINALS()).items()
        }
        case_beside_others = self._text(top["beside others"]) if "beside others" in top else cases[0]
        if case_beside_others not in cases:
            self._report_unknown_case(top["beside others"].place, case_beside_others, cases)
        drops = self._text(top["drops pronoun"]) if "drops pronoun" in top else "no"
        if drops not in ("yes", "no"):
            self.report.error(top["drops pronoun"].place, messages.YES_OR_NO_EXPECTED(given=drops))
        name = self._text(top["language"]) if "language" in top else self.language
        leftwards = locale.character_order == "right-to-left"
        number, rule = plurals_of(self.language)
        case_beside_others = "" if case_beside_others == cases[0] else case_beside_others
        return GrammarTable(
            self.language,
            name,
            genders,
            cases,
            sounds,
            articles,
            leftwards,
            number,
            rule,
            adjectives,
            ordinals,
            case_beside_others,
            tuple(self._texts(top.get("left out"))),
            drops == "yes",
        )

    def _sound(self, node: source.Node) -> Sound:
        """Read a class of word beginnings: a list, or beginnings and exceptions."""
        if not isinstance(node, source.MappingNode):
            return Sound(tuple(self._texts(node)))
        entries, keys = self._mapping(node, messages.BEGINNINGS()), ("begins", "except")
        for key, value in entries.items():
            if key not in keys:
                self.report.error(value.place, messages.NO_KEY(key=key), *did_you_mean(key, keys))
        beginnings, exceptions = self._texts(entries.get("begins")), self._texts(entries.get("except"))
        return Sound(tuple(beginnings), tuple(exceptions))

    def _ordinal(self, node: source.Node) -> Mapping[str, str]:
        """Read an ordinal's forms by CLDR's categories of numbers."""
        known = ("zero", "one", "two", "few", "many", OTHERWISE)
        entries = self._mapping(node, messages.ORDINAL_FORMS())
        for key, value in entries.items():
            if key not in known:
                self.report.error(value.place, messages.NO_ORDINAL(key=key, known=known))
            elif "#" not in self._text(value):
                self.report.error(value.place, messages.ORDINAL_WITHOUT_NUMBER())
        return {key: self._text(value) for key, value in entries.items()}

    def _endings(
        self, node: source.Node, genders: Mapping[str, str], cases: tuple[str, ...]
    ) -> Mapping[str, Mapping[str, str]]:
        """Read one kind of adjective endings: by case ('': the noun's own), then by gender or 'many'."""
        endings_by_case: dict[str, Mapping[str, str]] = {}
        for case, value in self._mapping(node, messages.ENDINGS_BY_CASE()).items():
            if case not in cases:
                self._report_unknown_case(value.place, case, cases)
            endings = self._mapping(value, messages.ENDINGS())
            for key, ending in endings.items():
                if key not in (*genders, MANY):
                    self.report.error(ending.place, messages.NO_GENDER(key=key, known=(*genders, MANY)))
            endings_by_case["" if case == cases[0] else case] = {
                key: self._text(ending) for key, ending in endings.items()
            }
        return endings_by_case

    def _read_article(
        self,
        node: source.Node,
        genders: Mapping[str, str],
        cases: tuple[str, ...],
        sounds: Mapping[str, object],
        manners: list[str],
    ) -> Article:
        """Return an article's forms by gender and number, with its case and the kind of adjective endings after it.
        manners: kinds of endings; the first, without an article, becomes ''."""
        entries = dict(self._mapping(node, messages.FORMS_BY_GENDER()))
        case = self._text(entries.pop("case")) if "case" in entries else cases[0]
        if case not in cases:
            self._report_unknown_case(node.place, case, cases)
        manner = self._text(entries.pop("adjectives")) if "adjectives" in entries else ""
        if manner and manner not in manners:
            self.report.error(node.place, messages.NO_MANNER(manner=manner), *did_you_mean(manner, manners))
        known = [*genders, MANY, *(f"{MANY} {gender}" for gender in genders), NAME, OTHERWISE]
        if not genders:
            known = ["", OTHERWISE, MANY, NAME]
        forms: dict[str, Form] = {}
        for key, value in entries.items():
            if key not in known:
                self.report.error(value.place, messages.NO_GENDER(key=key, known=tuple(filter(None, known))))
            forms["" if key == OTHERWISE and not genders else key] = self._read_form(value, sounds)
        return Article("" if case == cases[0] else case, forms, "" if manner in manners[:1] else manner)

    def _read_form(self, node: source.Node, sounds: Mapping[str, object]) -> Form:
        """Return a form of an article: one text, or pairs of a sound and its text, in the order of the sounds."""
        if isinstance(node, source.Scalar):
            return self._text(node)
        entries = self._mapping(node, messages.FORMS_BY_SOUND())
        for key, value in entries.items():
            if key not in (*sounds, OTHERWISE):
                self.report.error(value.place, messages.NO_SOUND(sound=key), *did_you_mean(key, sounds))
        forms = {key: self._text(value) for key, value in entries.items()}
        order = [key for key in (*sounds, OTHERWISE) if key in forms]
        return tuple((key, forms[key]) for key in order)

    def _mapping(self, node: source.Node | None, entries: Wording) -> dict[str, source.Node]:
        """Return the entries of a mapping by key; {} for none, and for another node, which is reported. entries: what
        is expected, for the message."""
        if node is None or (isinstance(node, source.Scalar) and node.absent):
            return {}
        if not isinstance(node, source.MappingNode):
            self.report.error(node.place, messages.MAPPING_EXPECTED(entries=entries))
            return {}
        return {key.text: value for key, value in node.items()}

    def _texts(self, node: source.Node | None) -> list[str]:
        """Return the texts of a list in lower case; [] for none, and for another node, which is reported."""
        if node is None or (isinstance(node, source.Scalar) and node.absent):
            return []
        if not isinstance(node, source.SequenceNode):
            self.report.error(node.place, messages.LIST_EXPECTED())
            return []
        return [self._text(item).casefold() for item in node.items]

    def _text(self, node: source.Node) -> str:
        """Return a text without blanks at its ends; '', reported, for a longer one or another node."""
        if not isinstance(node, source.Scalar) or len(node.text) > _MAX_FORM_LENGTH:
            self.report.error(node.place, messages.TEXT_EXPECTED(most=_MAX_FORM_LENGTH))
            return ""
        return node.text.strip()

    def _report_unknown_case(self, place: SourcePlace, case: str, cases: tuple[str, ...]) -> None:
        """Report a case that the language does not have."""
        self.report.error(place, messages.NO_CASE(case=case), *did_you_mean(case, cases))
