"""Catalogs in an editor: diagnostics of translations, and slots for completion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.editing import messages
from rulewright.i18n import grammar_files, languages, po_files
from rulewright.i18n.catalog_update import CatalogMessage
from rulewright.i18n.grammar import GrammarTable
from rulewright.i18n.localizer import ENGLISH
from rulewright.i18n.message_patterns import PatternError, slots
from rulewright.i18n.messages import NO_SLOT, WRONG_PLURAL_FORMS
from rulewright.i18n.translation_check import text_errors

SUFFIX = ".po"
"""Ending of a catalog's file name."""
_SLOT = re.compile(r"\{([^{}\[\]]*)$")
"""Begin of a slot at the end of a line, up to the cursor."""
_TRANSLATED = re.compile(r'\s*(?:msgstr(?:\[\d\])?\s*)?"')
"""Begin of a line of a translation: `msgstr`, or a continued text."""
_TEXT = re.compile(r'^(msgid_plural|msgid)?\s*"(.*)"\s*$')
"""Line of a source text: `msgid`, `msgid_plural`, or a continued one."""


@record
class CatalogSlot:
    """Slot that may stand at a place. length: of its part typed so far."""

    name: str
    length: int


def check_translations(path: Path, text: str, report: Report) -> None:
    """Report errors of a catalog's translations, as far as the file itself tells them, and warn of fuzzy ones. Without
    a grammar of the language, no text is checked."""
    file, lines = str(path), text.split("\n")
    table = _grammar(path)
    language = table.language if table else ENGLISH
    try:
        catalog = po_files.parse(text, language)
    except po_files.CatalogError as error:
        line = min(max(error.line, 1), len(lines))
        report.error(_whole(file, line, lines), messages.UNUSABLE_CATALOG(reason=str(error)))
        return
    number_of_forms = po_files.number_of_forms(catalog, language)
    for entry in catalog:
        if not entry.id or entry.lineno is None:
            continue
        ids = (entry.id, "") if isinstance(entry.id, str) else tuple(entry.id)
        translations = po_files.strings_of(entry)
        first_line = _line_of_translation(lines, entry.lineno)
        if entry.fuzzy:
            report.warning(_whole(file, first_line, lines), messages.FUZZY())
        if not any(translations):
            continue
        message = CatalogMessage(entry.context or "", str(ids[0]), str(ids[1]), "")
        if table and ids[1] and len(translations) != number_of_forms:
            problem = WRONG_PLURAL_FORMS(expected=number_of_forms, count=len(translations))
            report.error(_whole(file, first_line, lines), problem)
        for translation in translations:
            for mistake in text_errors(translation, message, table) if table and translation else ():
                report.error(_place(file, first_line, lines, mistake[0]), *mistake)


def slots_at(lines: list[str], line: int, column: int) -> Iterator[CatalogSlot]:
    """Yield the slots for a translation at a place; line and column count from 1."""
    line_start = lines[line - 1][: column - 1] if line <= len(lines) else ""
    match = _SLOT.search(line_start)
    if match is None or not _is_translated(lines, line):
        return
    try:
        known = slots(_english(lines, line))
    except PatternError:
        return
    yield from (CatalogSlot(name, len(match[1])) for name in known if name.startswith(match[1]))


def _is_translated(lines: list[str], line: int) -> bool:
    """Return whether a line, from 1, belongs to a translation: with its `msgstr` or below it."""
    above = next((text for text in reversed(lines[:line]) if not text.lstrip().startswith('"')), "")
    return above.lstrip().startswith("msgstr")


def _grammar(path: Path) -> GrammarTable | None:
    """Return the grammar of the language whose folder, or one of the two around it, holds a catalog: its own or the
    shipped one; None if there is none that can be read."""
    for folder in path.parents[:3]:
        own, shipped = folder / "grammar.yaml", folder.name in languages.languages()
        if own.is_file():
            return grammar_files.read(own, folder.name, Report())
        if shipped:
            return grammar_files.read(languages.folder(folder.name) / "grammar.yaml", folder.name, Report())
    return None


def _line_of_translation(lines: list[str], entry: int) -> int:
    """Return the line, from 1, in which an entry's translation begins."""
    for number in range(entry, min(len(lines), entry + 200) + 1):
        if lines[number - 1].startswith("msgstr"):
            return number
    return entry


def _place(file: str, first_line: int, lines: list[str], problem: Wording) -> SourcePlace:
    """Return the place of an unknown slot in a translation; else its first line."""
    if problem.template == NO_SLOT:
        name = problem.text_of("name")
        for number in range(first_line, len(lines) + 1):
            if number > first_line and not _TRANSLATED.match(lines[number - 1]):
                break
            column = lines[number - 1].find(f"{{{name}")
            if column >= 0:
                return SourcePlace(file, number, column + 2, max(1, len(name)))
    return _whole(file, first_line, lines)


def _whole(file: str, line: int, lines: list[str]) -> SourcePlace:
    """Return the place of a whole line, from 1."""
    return SourcePlace(file, line, 1, max(1, len(lines[line - 1].rstrip())))


def _english(lines: list[str], line: int) -> str:
    """Return the English text of the entry that contains a line, from 1: singular and plural one after the other."""
    parts: list[str] = []
    number = line
    while number > 1 and not lines[number - 1].startswith("msgid"):
        number -= 1
    while number > 1 and not lines[number - 1].startswith("msgid "):
        number -= 1
    for text in lines[number - 1 :]:
        part = _TEXT.match(text)
        if part is None:
            break
        parts.append(part[2].replace('\\"', '"'))
    return "".join(parts)
