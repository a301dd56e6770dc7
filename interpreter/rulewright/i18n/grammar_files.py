"""Reader of grammar files, which translators fill."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulewright.base import cache, files
from rulewright.base.diagnostics import Report, SourcePlace, nearest
from rulewright.i18n.grammar import MANY, NAME, OTHERWISE, Article, Form, GrammarTable, Sound, locale_of, plurals_of
from rulewright.i18n.messages import WRONG_GRAMMAR
from rulewright.syntax import source

_MAX_FORM_LENGTH = 60


def read(path: Path, language: str, report: Report) -> GrammarTable | None:
    """Read a grammar file; None if invalid. Errors go to the report."""
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
        locale = locale_of(self.language)
        if locale is None:
            self._error(node.place, f"There is no language '{self.language}'.")
            return None
        keys = (
            *("language", "left out", "genders", "cases", "beside others", "sounds", "adjectives", "articles"),
            *("ordinals", "drops pronoun"),
        )
        top = self._mapping(node, "the keys " + ", ".join(keys))
        for key, place in ((key, top[key].place) for key in top.keys() - set(keys)):
            self._error(place, f"There is no key '{key}' here. {nearest(key, keys)}".strip())
        genders = {k: self._text(v) for k, v in self._mapping(top.get("genders"), "genders").items()}
        cases = tuple(self._texts(top.get("cases"))) or ("",)
        sounds = {k: self._sound(v) for k, v in self._mapping(top.get("sounds"), "sounds").items()}
        adjectives = {
            manner: self._endings(value, genders, cases)
            for manner, value in self._mapping(top.get("adjectives"), "adjectives' endings").items()
        }
        articles = {}
        for sample, value in self._mapping(top.get("articles"), "articles").items():
            articles[sample.casefold()] = self._article(value, genders, cases, sounds, list(adjectives))
        ordinals = {
            sample.casefold(): self._ordinal(value)
            for sample, value in self._mapping(top.get("ordinals"), "ordinals").items()
        }
        case_beside_others = self._text(top["beside others"]) if "beside others" in top else cases[0]
        if case_beside_others not in cases:
            self._error(
                top["beside others"].place,
                f"There is no case '{case_beside_others}'. {nearest(case_beside_others, cases)}".strip(),
            )
        drops = self._text(top["drops pronoun"]) if "drops pronoun" in top else "no"
        if drops not in ("yes", "no"):
            self._error(top["drops pronoun"].place, f"Expected yes or no, not '{drops}'.")
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
        entries, keys = self._mapping(node, "beginnings of words"), ("begins", "except")
        for key, value in entries.items():
            if key not in keys:
                self._error(value.place, f"There is no key '{key}' here. {nearest(key, keys)}".strip())
        return Sound(tuple(self._texts(entries.get("begins"))), tuple(self._texts(entries.get("except"))))

    def _ordinal(self, node: source.Node) -> Mapping[str, str]:
        """Read an ordinal's forms by CLDR's categories of numbers."""
        known = ("zero", "one", "two", "few", "many", OTHERWISE)
        entries = self._mapping(node, "an ordinal's forms, with # for the number")
        for key, value in entries.items():
            if key not in known:
                self._error(value.place, f"There is no ordinal '{key}': expected {', '.join(known)}.")
            elif "#" not in self._text(value):
                self._error(value.place, "An ordinal has a # where its number stands.")
        return {key: self._text(value) for key, value in entries.items()}

    def _endings(
        self, node: source.Node, genders: Mapping[str, str], cases: tuple[str, ...]
    ) -> Mapping[str, Mapping[str, str]]:
        """Read one kind of adjective endings: by case, then by gender or 'many'."""
        endings_by_case: dict[str, Mapping[str, str]] = {}
        for case, value in self._mapping(node, "endings by case").items():
            if case not in cases:
                self._error(value.place, f"There is no case '{case}'. {nearest(case, cases)}".strip())
            endings = self._mapping(value, "endings by gender")
            for key, ending in endings.items():
                if key not in (*genders, MANY):
                    expected = ", ".join((*genders, MANY))
                    self._error(ending.place, f"There is no gender '{key}': expected {expected}.")
            endings_by_case["" if case == cases[0] else case] = {
                key: self._text(ending) for key, ending in endings.items()
            }
        return endings_by_case

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
        known = [*genders, MANY, *(f"{MANY} {gender}" for gender in genders), NAME, OTHERWISE]
        if not genders:
            known = ["", OTHERWISE, MANY, NAME]
        forms: dict[str, Form] = {}
        for key, value in entries.items():
            if key not in known:
                self._error(value.place, f"There is no gender '{key}': expected {', '.join(filter(None, known))}.")
            forms["" if key == OTHERWISE and not genders else key] = self._form(value, sounds)
        return Article("" if case == cases[0] else case, forms, "" if manner in manners[:1] else manner)

    def _form(self, node: source.Node, sounds: Mapping[str, object]) -> Form:
        if isinstance(node, source.Scalar):
            return self._text(node)
        entries = self._mapping(node, "a form, or forms by sound")
        for key, value in entries.items():
            if key not in (*sounds, OTHERWISE):
                self._error(value.place, f"There is no sound '{key}'. {nearest(key, sounds)}".strip())
        forms = {key: self._text(value) for key, value in entries.items()}
        order = [key for key in (*sounds, OTHERWISE) if key in forms]
        return tuple((key, forms[key]) for key in order)

    def _mapping(self, node: source.Node | None, description: str) -> dict[str, source.Node]:
        if node is None or (isinstance(node, source.Scalar) and node.absent):
            return {}
        if not isinstance(node, source.MappingNode):
            self._error(node.place, f"Expected {description}.")
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
        if not isinstance(node, source.Scalar) or len(node.text) > _MAX_FORM_LENGTH:
            self._error(node.place, f"Expected a text of at most {_MAX_FORM_LENGTH} characters.")
            return ""
        return node.text.strip()

    def _error(self, place: SourcePlace, message: str) -> None:
        self.report.error(place, WRONG_GRAMMAR(reason=message))
