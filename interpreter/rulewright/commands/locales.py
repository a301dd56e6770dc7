"""Commands `rulewright locale add`, `update`, `check`, `status` and `preview`."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from rulewright.base import files, resources
from rulewright.base.diagnostics import Report, RulewrightError, escape_controls, nearest_of
from rulewright.game import library
from rulewright.i18n import (
    catalog_check,
    catalog_update,
    grammar,
    grammar_files,
    languages,
    phrase_extraction,
    po_files,
)
from rulewright.i18n.catalog_update import SORTS, CatalogMessage
from rulewright.i18n.localizer import ENGLISH
from rulewright.publish import templates
from rulewright.publish.console import Console, Styled

_PACKAGE = Path(__file__).parents[1]
"""Folder of the package, whose source has the phrases."""
_CODE = re.compile(r"[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|[0-9]{3}))?")
"""Code of a language, with a script and a territory if need be: de, pt_BR, zh_Hant."""

_GRAMMAR = """\
# {name}: how words change around the nouns that sentences insert. spec/TRANSLATING.md explains it.
# What the language does not have stays empty; one without articles needs no more than its name.
language: {own}

# What nouns may be, each with a word that explains it. A noun's translation says which it is: 'Steinbock [m]'.
#   genders: {{m: der, f: die, n: das}}
genders: {{}}

# The forms of a noun: first as it stands, then others, which its translation tells: 'Ochse [m; dat=Ochsen]'.
#   cases: [nom, acc, dat, gen]
cases: [own]

# How words begin, as far as the article before them goes by it; tried in this order.
#   sounds: {{vowel: [a, e, i, o, u]}}
sounds: {{}}

# The articles that sentences show before a slot, as in '[il] {{card}}', and what stands for each: by gender, with
# 'many', and by the sound that follows; 'name' is for people, and 'case' names the case that nouns take after it.
#   articles:
#     il: {{m: {{vowel: l’, otherwise: il}}, f: {{vowel: l’, otherwise: la}}, many m: i, many f: le}}
#     da: {{m: da, f: da, many: da, name: da}}
articles: {{}}
"""
"""Grammar of a new language, to be filled."""
_ENGLISH = "English needs no catalog: its texts stand in the editions and in the source. Change them there."
"""Refusal of English as a language to translate into."""
_MAX_CODE_LENGTH = 20
"""Maximum length of an argument that is taken for a misspelt code."""
_NEXT = "Next: fill the grammar and translate the terms; then run 'rulewright locale check {0}'."
"""Advice after `locale add`, with the language's code."""

Domain = tuple[str, Path, Sequence[CatalogMessage]]
"""Catalog: its name, its file for a language, and its messages."""


class LocaleError(RulewrightError):
    """Unknown language, or one that exists already."""


def add(arguments: Namespace) -> int:
    """Begin a language: write a grammar to fill, and a catalog for the interface and for each game."""
    language = arguments.language
    locale = grammar.locale_of(language) if _CODE.fullmatch(language) else None
    if languages.code_of(language) == ENGLISH or (locale is not None and locale.language == ENGLISH):
        raise LocaleError(_ENGLISH)
    if locale is None or str(locale) != language:
        raise LocaleError(
            f"'{escape_controls(language)}' is no code of a language that can be added. "
            f"{_suggest_code(language)}".strip()
        )
    path = languages.folder(language) / "grammar.yaml"
    text = _GRAMMAR.format(name=locale.english_name, own=(locale.display_name or language).capitalize())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        files.create(path, text.encode())
    except FileExistsError:
        message = f"The language '{language}' is there already, in '{path.parent}'"
        raise LocaleError(f"{message}; nothing has changed. 'rulewright locale update {language}' goes on.") from None
    except OSError as error:
        raise LocaleError(f"'{path}' cannot be written: {files.error_reason(error)}.") from None
    print(f"{_display_path(path)}: the grammar of {locale.english_name}, to be filled")
    _update([language], None)
    print(_NEXT.format(language))
    return 0


def update(arguments: Namespace) -> int:
    """Bring catalogs up to date with the texts there are. What has changed is kept, and marked as fuzzy."""
    return _update(_chosen_languages(arguments), arguments.edition, arguments.check)


def check(arguments: Namespace) -> int:
    """Print all that is wrong with catalogs; return 0 if nothing is, else 1."""
    findings: list[catalog_check.CatalogFinding] = []
    for language in _chosen_languages(arguments):
        report = Report()
        path = languages.folder(language) / "grammar.yaml"
        table = grammar_files.read(path, language, report)
        if table is None:
            print(report.render())
            message = "The grammar cannot be used, so that this language is in English. Mend it, and check again."
            findings.append(catalog_check.CatalogFinding(_display_path(path), 0, message))
            continue
        for _, file, messages in _domains(language, arguments.edition):
            findings += catalog_check.check(file, messages, table, _display_path(file))
    for finding in findings:
        print(escape_controls(str(finding)))
    mistakes = sum(finding.is_error for finding in findings)
    print(f"{mistakes} to mend" if mistakes else "no mistakes")
    return int(mistakes > 0)


def status(arguments: Namespace) -> int:
    """Print how much is translated, by language, catalog and sort of text; with --complete, return 1 unless all is."""
    rows = [("LANGUAGE", "CATALOG", *(sort.upper() for sort in SORTS), "ALL")]
    complete = True
    for language in _chosen_languages(arguments):
        for name in _left_out(language) if arguments.edition is None else ():
            rows.append((language, name, *("–" for _ in SORTS), "left out: in English"))
        for name, file, messages in _domains(language, arguments.edition):
            coverage = catalog_check.coverage(file, messages, language)
            cells = ["{}/{}".format(*coverage[sort]) if sort in coverage else "–" for sort in SORTS]
            percent = catalog_check.percent(coverage.values())
            complete = complete and percent == 100
            rows.append((language, name, *cells, f"{percent} %"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    return int(arguments.complete and not complete)


def preview(arguments: Namespace) -> int:
    """Print every sentence of an edition with all that can stand in its slots, for translators to read through."""
    rules = library.load(arguments.edition)
    language = _require_language(arguments.language)
    console = Console(None, sys.stdout, localizer=languages.localizer_for(language))
    for game in templates.games(rules):
        for key, example in templates.examples(game, game.localizer(language)).items():
            console.write_line(Styled(key, "key"), Styled(_untranslated_note(key, example.missed), "faint"))
            for line in example.lines:
                console.paragraph(line, indent="  ", hang="  ")
        break
    return 0


def _untranslated_note(key: str, missing: Iterable[tuple[str, str]]) -> str:
    """Note whether a text is partly in English, and which other entries it needs."""
    entries = [f"'{text}' ({context})" for context, text in missing if context != key]
    return ("  partly in English" if missing else "") + (f": see {', '.join(entries)}" if entries else "")


# ── which catalogs ──


def _update(languages: Sequence[str], edition: str | None, dry: bool = False) -> int:
    """Write the catalogs that are outdated, and print which; in a dry run only print them, and return 1 if there are
    any. Raises LocaleError."""
    stale = 0
    for language in languages:
        for name, file, messages in _domains(language, edition):
            try:
                old = po_files.read(file, language) if file.is_file() else None
                before = catalog_update.text_of(old) if old is not None else ""
                after = catalog_update.text_of(catalog_update.update(messages, old, language, name))
                if catalog_update.is_same_content(before, after):
                    continue
                stale += 1
                if not dry:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    existing = file.read_text(encoding="utf-8", errors="replace") if old is not None else ""
                    files.replace(file, catalog_update.with_line_ends_of(existing, after).encode())
            except po_files.CatalogError as error:
                place = f"{_display_path(file)}:{error.line}" if error.line else _display_path(file)
                raise LocaleError(f"{place}: {error}. Mend it first; this file has not changed.") from None
            except OSError as error:
                raise LocaleError(f"'{file}' cannot be written: {files.error_reason(error)}.") from None
            if dry:
                print(f"{_display_path(file)}: not up to date; run 'rulewright locale update'")
            else:
                print(f"{_display_path(file)}: {'brought up to date' if old else f'begun, {len(messages)} texts'}")
    return int(dry and stale > 0)


def _domains(language: str, edition: str | None) -> Iterator[Domain]:
    """Yield the catalogs of a language: for the interface and the shipped editions, or for one edition's own file."""
    if edition is None:
        yield languages.INTERFACE, languages.catalog_path(language, languages.INTERFACE), _interface()
        yield languages.DIAGNOSTICS, languages.catalog_path(language, languages.DIAGNOSTICS), _diagnostics()
        for domain in dict.fromkeys(name.partition("/")[0] for name in library.available()):
            if domain not in _left_out(language):
                yield domain, languages.catalog_path(language, domain), templates.family_messages(domain)
        return
    name, path = library.find(edition)
    if name in library.available():
        domain = name.partition("/")[0]
        yield domain, languages.catalog_path(language, domain), templates.family_messages(domain)
        return
    yield path.stem, path.with_name(f"{path.stem}.{language}.po"), templates.own_messages(library.load(edition))


def _left_out(language: str) -> tuple[str, ...]:
    """Return the catalogs that nobody translates yet, as the grammar says."""
    table = grammar_files.read(languages.folder(language) / "grammar.yaml", language, Report())
    return table.left_out if table is not None else ()


@cache
def _interface() -> Sequence[CatalogMessage]:
    return phrase_extraction.interface(_PACKAGE)


@cache
def _diagnostics() -> Sequence[CatalogMessage]:
    return phrase_extraction.diagnostics(_PACKAGE)


def _chosen_languages(arguments: Namespace) -> list[str]:
    """Return the language given, or all but English. Raises LocaleError."""
    if arguments.language is None:
        return [language for language in languages.languages() if language != ENGLISH]
    language = _require_language(arguments.language)
    if language == ENGLISH:
        raise LocaleError(_ENGLISH)
    return [language]


def _require_language(language: str) -> str:
    """Return the code of a language that is there. Raises LocaleError."""
    code_of_language = languages.code_of(language)
    if not code_of_language:
        message = f"{languages.unknown_language(language)}"
        code = language if _CODE.fullmatch(language) and grammar.locale_of(language) is not None else ""
        raise LocaleError(f"{message} 'rulewright locale add {code}' begins it." if code else message)
    return code_of_language


def _suggest_code(language: str) -> str:
    """Suggest a language code for a word that is none."""
    locale = grammar.locale_of(language.replace("-", "_")) if len(language) <= _MAX_CODE_LENGTH else None
    if locale is not None:
        return f"Did you mean '{locale}'?"
    names = grammar.names_of_languages()
    name = next((name for name in names if name.casefold() == language.casefold()), nearest_of(language, names))
    if name:
        return f"Did you mean '{names[name]}' ({name})?"
    return "Expected a language's code, such as fr or pt_BR."


def _display_path(path: Path) -> str:
    """Return a file's path, from the folder of locales on."""
    home = resources.folder("locales").parent
    return os.fspath(path.relative_to(home)) if path.is_relative_to(home) else os.fspath(path)
