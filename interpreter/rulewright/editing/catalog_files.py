"""A catalog of translations while it is written: what is wrong with each, and the slots that its English text has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.base.records import record
from rulewright.i18n import grammar_files, languages, po_files
from rulewright.i18n.catalog_update import CatalogMessage
from rulewright.i18n.grammar import GrammarTable
from rulewright.i18n.localizer import ENGLISH
from rulewright.i18n.message_patterns import PatternError, slots
from rulewright.i18n.translation_check import sentence_errors

SUFFIX = ".po"
_SLOT = re.compile(r"\{([^{}\[\]]*)$")
_SAID = re.compile(r"There is no slot \{([^{}]*)\}")
_TRANSLATED = re.compile(r'\s*(?:msgstr(?:\[\d\])?\s*)?"')
_TEXT = re.compile(r'^(msgid_plural|msgid)?\s*"(.*)"\s*$')


@record
class CatalogSlot:
    """A slot that can stand at a place. length: of what of it is written there."""

    name: str
    length: int


def examined(path: Path, text: str, report: Report) -> None:
    """Tell what is wrong with the translations of a catalog, as far as it can be seen in the file."""
    file, lines = str(path), text.split("\n")
    table = _grammar(path)
    language = table.language if table else ENGLISH
    try:
        catalog = po_files.parse(text, language)
    except po_files.CatalogError as error:
        line = min(max(error.line, 1), len(lines))
        report.error(_whole(file, line, lines), "catalog", f"The file cannot be used: {error}.")
        return
    wanted = po_files.number_of_forms(catalog, language)
    for entry in catalog:
        if not entry.id or entry.lineno is None:
            continue
        ids = (entry.id, "") if isinstance(entry.id, str) else tuple(entry.id)
        translations = po_files.strings_of(entry)
        begun = _line_of_translation(lines, entry.lineno)
        if entry.fuzzy:
            told = "The English text has changed since. Look this over, and remove the mark 'fuzzy'."
            report.warning(_whole(file, begun, lines), "fuzzy", told)
        if not any(translations):
            continue
        message = CatalogMessage(entry.context or "", str(ids[0]), str(ids[1]), "")
        if table and ids[1] and len(translations) != wanted:
            told = f"Expected {wanted} plural forms, found {len(translations)}."
            report.error(_whole(file, begun, lines), "plural-forms", told)
        for translation in translations:
            for told in sentence_errors(translation, message, table) if table and translation else ():
                report.error(_place(file, begun, lines, told), "translation", told, _hint(told))


def offered(lines: list[str], line: int, column: int) -> Iterator[CatalogSlot]:
    """The slots that can stand in a translation at a place; line and column count from 1."""
    written = lines[line - 1][: column - 1] if line <= len(lines) else ""
    begun = _SLOT.search(written)
    if begun is None or not _TRANSLATED.match(written):
        return
    try:
        known = slots(_english(lines, line))
    except PatternError:
        return
    yield from (CatalogSlot(name, len(begun[1])) for name in known if name.startswith(begun[1]))


def _grammar(path: Path) -> GrammarTable | None:
    """Of the language in whose folder a catalog lies."""
    for folder in path.parents[:3]:
        own, shipped = folder / "grammar.yaml", folder.name in languages.languages()
        if own.is_file():
            return grammar_files.read(own, folder.name, Report())
        if shipped:
            return grammar_files.read(languages.folder(folder.name) / "grammar.yaml", folder.name, Report())
    return None


def _line_of_translation(lines: list[str], entry: int) -> int:
    """The line in which the translation of an entry begins."""
    for number in range(entry, min(len(lines), entry + 200) + 1):
        if lines[number - 1].startswith("msgstr"):
            return number
    return entry


def _place(file: str, begun: int, lines: list[str], told: str) -> SourcePlace:
    """Where the slot stands that is spoken of; else the first line of the translation."""
    if found := _SAID.match(told):
        for number in range(begun, len(lines) + 1):
            if number > begun and not _TRANSLATED.match(lines[number - 1]):
                break
            at = lines[number - 1].find(f"{{{found[1]}")
            if at >= 0:
                return SourcePlace(file, number, at + 2, max(1, len(found[1])))
    return _whole(file, begun, lines)


def _hint(told: str) -> str:
    found = re.search(r"Did you mean '[^']*'\?", told)
    return found[0] if found else ""


def _whole(file: str, line: int, lines: list[str]) -> SourcePlace:
    return SourcePlace(file, line, 1, max(1, len(lines[line - 1].rstrip())))


def _english(lines: list[str], line: int) -> str:
    """The English text of the entry in which a line stands."""
    found: list[str] = []
    number = line
    while number > 1 and not lines[number - 1].startswith("msgid"):
        number -= 1
    while number > 1 and not lines[number - 1].startswith("msgid "):
        number -= 1
    for text in lines[number - 1 :]:
        part = _TEXT.match(text)
        if part is None:
            break
        found.append(part[2].replace('\\"', '"'))
    return "".join(found)
