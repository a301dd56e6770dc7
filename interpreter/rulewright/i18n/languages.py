"""Available languages: folders with a grammar and catalogs, found by code or by the system's settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from rulewright.base import resources
from rulewright.base.diagnostics import Report
from rulewright.base.files import path_on_disk
from rulewright.i18n import catalogs, grammar, grammar_files
from rulewright.i18n.catalogs import DIAGNOSTIC
from rulewright.i18n.localizer import ENGLISH, Localizer, Phrase, english, phrase, suggestion

INTERFACE, DIAGNOSTICS = "interface", "diagnostics"
"""Catalogs that belong to no edition."""
PSEUDO = "en_XA"
"""Pseudo-locale: accented English, in which text without accents is untranslatable. For tests and translators; not
listed."""

_ACCENTS = str.maketrans("AEIOUYaeiouy", "ÅÉÎÖÛÝåéîöûý")
"""Letters of the pseudo-language, which shows what is not translated."""


def languages() -> list[str]:
    """List the codes of the languages that have a grammar, English first."""
    codes = sorted(path.parent.name for path in resources.folder("locales").glob("*/grammar.yaml"))
    return [ENGLISH, *(language for language in codes if language != ENGLISH)]


def unknown_language(language: str) -> Phrase:
    """Return the message about an unavailable language."""
    return phrase(
        "errors",
        "There is no language '{language}'. {hint} There are: {languages}.",
        language=language,
        hint=suggestion(language, languages()),
        languages=tuple(languages()),
    )


def code_of(language: str) -> str:
    """Return the code of an available language in any spelling, such as pt-br; '' if there is none."""
    normal_code = language.replace("-", "_").casefold()
    return next((code for code in languages() if code.casefold() == normal_code), "")


def environment_language(environment: Mapping[str, str]) -> str:
    """Return the language set in the environment, by POSIX rules; English if that is not available."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    setting = next((environment[name] for name in names if environment.get(name)), "")
    code = setting.partition(".")[0].partition("@")[0]
    candidates, first = [code], code.partition("_")[0]
    if any(language.startswith(f"{first}_") for language in languages()) and (locale := grammar.locale_of(code)):
        candidates += [str(locale), f"{locale.language}_{locale.script}"]  # zh_TW is zh_Hant_TW in full
    return next((language for one in (*candidates, first) if (language := code_of(one))), ENGLISH)


def folder(language: str) -> Path:
    """Return the folder of a language's grammar and catalogs."""
    return resources.folder("locales") / language


def catalog_path(language: str, domain: str) -> Path:
    """Return the path of a language's catalog. domain: family of editions, INTERFACE or DIAGNOSTICS."""
    return folder(language) / "LC_MESSAGES" / f"{domain}.po"


def is_translated(name: str, language: str) -> bool:
    """Whether a language's grammar does not leave out the catalog of an edition, given by its name."""
    return name.partition("/")[0] not in localizer_for(language).table.left_out


def to_pseudo_locale(text: str) -> str:
    """Return a text in the pseudo-locale; slots and articles stay, forms that agree change."""
    return "".join(
        part if number % 2 else part.translate(_ACCENTS)
        for number, part in enumerate(re.split(r"(\{[^{}]*\}|\[[^\[\]|]*\](?= ?\{))", text))
    )


@cache
def localizer_for(language: str) -> Localizer:
    """Return the localizer of the interface in a language, shared by all; English for an unknown language, and if its
    grammar cannot be read."""
    if language == PSEUDO:
        return Localizer(replace(english().table, language=PSEUDO), (), to_pseudo_locale)
    if language == ENGLISH or language not in languages():
        return english()
    table = grammar_files.read(folder(language) / "grammar.yaml", language, Report())
    if table is None:
        return english()
    return Localizer(table, (catalogs.load(catalog_path(language, INTERFACE), language),))


@cache
def diagnostic_translator(language: str) -> Callable[[str], str]:
    """Return a function that translates templates of diagnostics, for `Diagnostic.message_and_hint`. What a catalog
    lacks stays in English, as does all in an unknown language."""
    if language == PSEUDO:
        return to_pseudo_locale
    if language == ENGLISH or language not in languages():
        return str
    entries = catalogs.load(catalog_path(language, DIAGNOSTICS), language).entries
    return lambda text: entries.get((DIAGNOSTIC, text), (text,))[0]


def for_edition(language: str, names: Sequence[str], file: Path | None = None) -> Localizer:
    """Return a localizer with the catalogs of an edition and of those that it extends, nearest first, before that of
    the interface. English, also of an unknown language, gets no catalogs.

    names: of these editions, whose first parts name the catalogs; names of files are passed over; file: of an edition
    that is not shipped, whose own catalog may lie beside it, as `my-cards.de.po` beside `my-cards.yaml`.
    """
    base = localizer_for(language)
    if base.language == ENGLISH:
        return base
    own_catalogs = [path_on_disk(file.with_name(f"{file.stem}.{language}.po"))] if file is not None else []
    domains = dict.fromkeys(name.partition("/")[0] for name in names if not name.endswith((".yaml", ".yml")))
    paths = [catalog_path(language, domain) for domain in domains if domain.replace("-", "").isalnum()]
    all_catalogs = [catalogs.load_beside(path, language) for path in own_catalogs]
    return base.with_catalogs([*all_catalogs, *(catalogs.load(path, language) for path in paths)])
