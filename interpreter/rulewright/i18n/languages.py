"""The languages there are: folders with a grammar and catalogs, found by their codes and by what a system is set to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from rulewright.base import resources
from rulewright.base.diagnostics import Report
from rulewright.base.files import on_disk
from rulewright.i18n import catalogs, grammar, grammar_files
from rulewright.i18n.localizer import ENGLISH, Phrase, Speech, english, meant, phrase

INTERFACE = "interface"
PSEUDO = "en_XA"
"""English with accents: what stands without them cannot be translated. For tests and translators, not in any list."""

_ACCENTS = str.maketrans("AEIOUYaeiouy", "ÅÉÎÖÛÝåéîöûý")


def languages() -> list[str]:
    """Every language that has a folder with a grammar, English first."""
    found = sorted(path.parent.name for path in resources.folder("locales").glob("*/grammar.yaml"))
    return [ENGLISH, *(language for language in found if language != ENGLISH)]


def unknown_language(language: str) -> Phrase:
    """What to say of a language that there is not."""
    return phrase(
        "errors",
        "There is no language '{language}'. {hint} There are: {languages}.",
        language=language,
        hint=meant(language, languages()),
        languages=tuple(languages()),
    )


def code_of(language: str) -> str:
    """The code of a language that there is, however its letters are written, as in pt-br; '' where there is none."""
    written = language.replace("-", "_").casefold()
    return next((code for code in languages() if code.casefold() == written), "")


def of_environment(environment: Mapping[str, str]) -> str:
    """The language that the system is set to, as POSIX has it; English where there is no such language here."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    found = next((environment[name] for name in names if environment.get(name)), "")
    code = found.partition(".")[0].partition("@")[0]
    written, first = [code], code.partition("_")[0]
    if any(language.startswith(f"{first}_") for language in languages()) and (locale := grammar.locale_of(code)):
        written += [str(locale), f"{locale.language}_{locale.script}"]  # zh_TW is zh_Hant_TW in full
    return next((language for one in (*written, first) if (language := code_of(one))), ENGLISH)


def folder(language: str) -> Path:
    """Where a language's grammar and catalogs are."""
    return resources.folder("locales") / language


def catalog(language: str, domain: str) -> Path:
    """The file of a language's catalog for an edition's family, or the interface."""
    return folder(language) / "LC_MESSAGES" / f"{domain}.po"


def translated(name: str, language: str) -> bool:
    """Whether an edition, by its name, is read in a language: the grammar may leave its catalog out, for a while."""
    return name.partition("/")[0] not in speech(language).table.left_out


def accented(text: str) -> str:
    """A text as it stands in the pseudo-locale: slots and articles as they are."""
    return "".join(
        part if number % 2 else part.translate(_ACCENTS)
        for number, part in enumerate(re.split(r"(\{[^{}]*\}|\[[^\[\]|]*\](?= ?\{))", text))
    )


@cache
def speech(language: str) -> Speech:
    """The interface in a language; English where its grammar cannot be read."""
    if language == PSEUDO:
        return Speech(replace(english().table, language=PSEUDO), (), accented)
    if language == ENGLISH or language not in languages():
        return english()
    table = grammar_files.read(folder(language) / "grammar.yaml", language, Report())
    if table is None:
        return english()
    return Speech(table, (catalogs.load(catalog(language, INTERFACE), language),))


def for_edition(language: str, names: Sequence[str], file: Path | None = None) -> Speech:
    """A language with the catalogs of an edition and of those that it extends, the nearest first.

    names: theirs, the first parts of which name the catalogs; file: of an edition that is not shipped, beside which
    its own catalog may lie, as `my-cards.de.po` beside `my-cards.yaml`.
    """
    base = speech(language)
    if base.language == ENGLISH:
        return base
    beside = [on_disk(file.with_name(f"{file.stem}.{language}.po"))] if file is not None else []
    domains = dict.fromkeys(name.partition("/")[0] for name in names if not name.endswith((".yaml", ".yml")))
    paths = [catalog(language, domain) for domain in domains if domain.replace("-", "").isalnum()]
    found = [catalogs.load_beside(path, language) for path in beside]
    return base.with_catalogs([*found, *(catalogs.load(path, language) for path in paths)])
