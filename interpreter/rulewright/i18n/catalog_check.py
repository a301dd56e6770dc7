"""Check of a catalog: its errors, and how much is translated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from babel.messages import Catalog
from babel.messages import Message as Entry

from rulewright.base import cache, files
from rulewright.base.records import record
from rulewright.i18n import catalogs, po_files, po_lines
from rulewright.i18n import messages as wordings
from rulewright.i18n.catalog_update import SORTS, TERMS, CatalogMessage
from rulewright.i18n.grammar import GrammarTable, plurals_of
from rulewright.i18n.translation_check import TranslationError, max_length, noun_errors, text_errors

MAX_LABEL_LENGTH = 40
"""Maximum number of characters of a translation in `_LABELS`."""
_LABELS = ("zones", "counters", "phases", "scoring", "options", "table", "board", "score", "rules")
"""Contexts of terms that stand in columns, by their first part."""


@record
class CatalogFinding:
    """Message about a file. line: from 1, or 0 for the whole file; is_error: whether it is an error rather than missing
    work or a doubt."""

    file: str
    line: int
    message: str
    is_error: bool = True

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


def check(path: Path, messages: Sequence[CatalogMessage], table: GrammarTable, shown_name: str) -> list[CatalogFinding]:
    """Return the errors of a catalog file, the work that is left and doubts about terms, in the order of its lines;
    cached. shown_name: the file's name in messages. A file that cannot be read is one error."""
    key = cache.key("check", shown_name, files.read_beginning(path, po_files.MAX_SIZE + 1), table, tuple(messages))
    if isinstance(known := cache.get(key), tuple):
        return list(known)
    findings = _check_catalog(path, messages, table, shown_name)
    cache.store(key, tuple(findings))
    return findings


def _check_catalog(
    path: Path, messages: Sequence[CatalogMessage], table: GrammarTable, shown_name: str
) -> list[CatalogFinding]:
    """Return what `check` does, without the cache."""
    try:
        catalog = po_files.read(path, table.language)
    except po_files.CatalogError as error:
        return [CatalogFinding(shown_name, error.line, f"The file cannot be used: {error}.")]
    except OSError as error:
        return [
            CatalogFinding(
                shown_name, 0, f"The file cannot be read: {error.strerror or error}. 'locale update' makes one."
            )
        ]
    findings = [*_compare_with_messages(catalog, messages, table, shown_name), *_find_duplicates(path, shown_name)]
    return sorted(findings, key=lambda finding: finding.line)


def coverage(path: Path, messages: Sequence[CatalogMessage], language: str) -> Mapping[str, tuple[int, int]]:
    """Count the translated and all texts, by sort of text; sorts without texts are left out. A fuzzy or incomplete
    translation does not count."""
    usable = catalogs.load(path, language).entries
    total = Counter(message.sort for message in messages)
    done = Counter(message.sort for message in messages if (message.context, message.one) in usable)
    return {sort: (done[sort], total[sort]) for sort in SORTS if total[sort]}


def _compare_with_messages(
    catalog: Catalog, messages: Sequence[CatalogMessage], table: GrammarTable, shown_name: str
) -> Iterator[CatalogFinding]:
    """Yield the errors of a catalog against the messages that it should have: head and translations; work that is left:
    missing, unknown and untranslated entries; and doubts about terms."""
    number, rule = plurals_of(table.language)
    if po_files.plural_forms(catalog, table.language) is None:
        text = f"expected 'Plural-Forms: nplurals={number}; plural={rule};'"
        yield CatalogFinding(shown_name, 1, f"The head does not tell the plural forms of {table.name}: {text}.")
    if catalog.charset.casefold() not in ("utf-8", "utf8"):
        text = f"The head says charset={catalog.charset}; the file is written in UTF-8: charset=utf-8."
        yield CatalogFinding(shown_name, 1, text)
    messages_by_key = {(message.context, message.one): message for message in messages}
    entries = {po_files.key_of(entry): entry for entry in catalog if entry.id}
    missing = len(messages_by_key.keys() - entries.keys())
    if missing:
        text = f"{missing} texts are missing. 'rulewright locale update' adds them."
        yield CatalogFinding(shown_name, 0, text, is_error=False)
    undone = [
        entry.lineno or 0
        for key, entry in entries.items()
        if key in messages_by_key and not any(po_files.strings_of(entry))
    ]
    if undone:
        text = f"Not translated yet: {len(undone)} of {len(messages_by_key)} texts; the first is here."
        yield CatalogFinding(shown_name, min(undone), text, is_error=False)
    for key, entry in entries.items():
        message = messages_by_key.get(key)
        if message is None:
            text = "No such text is left. 'rulewright locale update' puts it away."
            yield CatalogFinding(shown_name, entry.lineno or 0, text, is_error=False)
            continue
        if entry.fuzzy:
            text = "Marked as fuzzy: the text has changed. Look it over, remove the mark."
            yield CatalogFinding(shown_name, entry.lineno or 0, text, is_error=False)
            continue
        for error in translation_errors(po_files.strings_of(entry), message, table, catalog.num_plurals):
            yield CatalogFinding(shown_name, entry.lineno or 0, " ".join(map(str, error)))
    yield from _inconsistent_terms(entries, messages_by_key, shown_name)


def translation_errors(
    texts: tuple[str, ...], message: CatalogMessage, table: GrammarTable, plurals: int
) -> Iterator[TranslationError]:
    """Yield the errors of a translation, none if it is empty. texts: of its plural forms, or one; plurals: number of
    forms in the file."""
    if not any(texts):
        return
    expected = plurals if message.many else 1
    if len(texts) != expected or not all(texts):
        yield (wordings.WRONG_PLURAL_FORMS(expected=expected, count=sum(map(bool, texts))),)
        return
    for text in texts:
        yield from text_errors(text, message, table)
    if message.sort == TERMS and message.many:
        yield from noun_errors(texts, message, table)
    if (
        message.context.partition(".")[0] in _LABELS
        and message.sort == TERMS
        and max_length(texts[0]) > MAX_LABEL_LENGTH
    ):
        yield (wordings.LONG_LABEL(length=max_length(texts[0]), most=MAX_LABEL_LENGTH),)


def _inconsistent_terms(
    entries: Mapping[tuple[str, str], Entry], messages_by_key: Mapping[tuple[str, str], CatalogMessage], shown_name: str
) -> Iterator[CatalogFinding]:
    """Yield doubts about terms with equal English and different translations, whatever their capitals and grammar; a
    term with a plural may differ from one without."""
    first: dict[tuple[str, bool], str] = {}
    for key, entry in entries.items():
        message = messages_by_key.get(key)
        text = _without_grammar(po_files.strings_of(entry)[0])
        if message is None or message.sort != TERMS or entry.fuzzy or not text:
            continue
        before = first.setdefault((message.one, bool(message.many)), text)
        if before.casefold() != text.casefold():
            text_of_warning = f"'{message.one}' is '{text}' here, and '{before}' above. Is that meant?"
            yield CatalogFinding(shown_name, entry.lineno or 0, text_of_warning, is_error=False)


def _find_duplicates(path: Path, shown_name: str) -> Iterator[CatalogFinding]:
    """Yield an error for each text that stands in a file twice. Raises PoLineError."""
    first: dict[tuple[str, str], int] = {}
    for line, *key in po_lines.entries(path.read_text(encoding="utf-8-sig")):
        before = first.setdefault((key[0], key[1]), line)
        if before != line:
            yield CatalogFinding(
                shown_name, line, f"This text stands here twice, first in line {before}. Delete one of them."
            )


def _without_grammar(noun: str) -> str:
    """Return a noun without its grammar in brackets."""
    return noun.partition("[")[0].strip()


def percent(counts: Iterable[tuple[int, int]]) -> int:
    """Return the percentage translated, rounded down; 100 if there is nothing to do. counts: pairs as in `coverage`."""
    pairs = list(counts)
    total = sum(number for _, number in pairs)
    return 100 * sum(done for done, _ in pairs) // total if total else 100
