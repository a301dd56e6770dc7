"""What is wrong with a catalog, and how much of it is translated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from babel.messages import Catalog
from babel.messages import Message as Entry

from rulewright.base import cache, files
from rulewright.base.records import record
from rulewright.i18n import catalogs, po_files, po_lines
from rulewright.i18n.catalog_update import SORTS, TERMS, CatalogMessage
from rulewright.i18n.grammar import GrammarTable, plurals_of
from rulewright.i18n.translation_check import longest, wrong_noun, wrong_sentence

LONGEST_LABEL = 40
_LABELS = ("zones", "counters", "phases", "scoring", "options", "table", "board", "score", "rules")


@record
class Finding:
    """Something to tell of a file. line: from 1, or 0 for the whole file; mistake: whether it is to be mended, and not
    just to be done."""

    file: str
    line: int
    message: str
    mistake: bool = True

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


def check(path: Path, messages: Sequence[CatalogMessage], table: GrammarTable, shown: str) -> list[Finding]:
    """All that is wrong with the catalog in a file, which is called `shown`."""
    key = cache.key("check", shown, files.beginning(path, po_files.LARGEST + 1), table, tuple(messages))
    if isinstance(known := cache.found(key), tuple):
        return list(known)
    found = _found(path, messages, table, shown)
    cache.keep(key, tuple(found))
    return found


def _found(path: Path, messages: Sequence[CatalogMessage], table: GrammarTable, shown: str) -> list[Finding]:
    try:
        catalog = po_files.read(path, table.language)
    except po_files.CatalogError as error:
        return [Finding(shown, error.line, f"The file cannot be used: {error}.")]
    except OSError as error:
        return [Finding(shown, 0, f"The file cannot be read: {error.strerror or error}. 'locale update' makes one.")]
    found = [*_findings(catalog, messages, table, shown), *_twice(path, shown)]
    return sorted(found, key=lambda finding: finding.line)


def coverage(path: Path, messages: Sequence[CatalogMessage], language: str) -> Mapping[str, tuple[int, int]]:
    """For each sort of text, how many are translated, and how many there are."""
    usable = catalogs.load(path, language).entries
    total = Counter(message.sort for message in messages)
    done = Counter(message.sort for message in messages if (message.context, message.one) in usable)
    return {sort: (done[sort], total[sort]) for sort in SORTS if total[sort]}


def _findings(
    catalog: Catalog, messages: Sequence[CatalogMessage], table: GrammarTable, shown: str
) -> Iterator[Finding]:
    number, rule = plurals_of(table.language)
    if po_files.plural_forms(catalog, table.language) is None:
        told = f"expected 'Plural-Forms: nplurals={number}; plural={rule};'"
        yield Finding(shown, 1, f"The head does not tell the plural forms of {table.name}: {told}.")
    if catalog.charset.casefold() not in ("utf-8", "utf8"):
        told = f"The head says charset={catalog.charset}; the file is written in UTF-8: charset=utf-8."
        yield Finding(shown, 1, told)
    wanted = {(message.context, message.one): message for message in messages}
    found = {po_files.key_of(entry): entry for entry in catalog if entry.id}
    missing = len(wanted.keys() - found.keys())
    if missing:
        yield Finding(shown, 0, f"{missing} texts are missing. 'rulewright locale update' adds them.")
    undone = [
        entry.lineno or 0 for key, entry in found.items() if key in wanted and not any(po_files.strings_of(entry))
    ]
    if undone:
        told = f"Not translated yet: {len(undone)} of {len(wanted)} texts; the first is here."
        yield Finding(shown, min(undone), told, mistake=False)
    for key, entry in found.items():
        message = wanted.get(key)
        if message is None:
            yield Finding(shown, entry.lineno or 0, "No such text is left. 'rulewright locale update' puts it away.")
            continue
        if entry.fuzzy:
            yield Finding(
                shown, entry.lineno or 0, "Marked as fuzzy: the text has changed. Look it over, remove the mark."
            )
            continue
        for told in wrong(po_files.strings_of(entry), message, table, catalog.num_plurals):
            yield Finding(shown, entry.lineno or 0, told)
    yield from _inconsistent(found, wanted, shown)


def wrong(texts: tuple[str, ...], message: CatalogMessage, table: GrammarTable, plurals: int) -> Iterator[str]:
    """What is wrong with a translation: the texts of its plural forms, or one. plurals: how many forms the file
    has."""
    if not any(texts):
        return
    wanted = plurals if message.many else 1
    if len(texts) != wanted or not all(texts):
        yield f"Expected {wanted} plural forms, found {sum(map(bool, texts))}."
        return
    for text in texts:
        yield from wrong_sentence(text, message, table)
    if message.sort == TERMS and message.many:
        yield from wrong_noun(texts, message, table)
    if message.context.partition(".")[0] in _LABELS and message.sort == TERMS and longest(texts[0]) > LONGEST_LABEL:
        yield f"A label of {longest(texts[0])} characters is too long for its column: at most {LONGEST_LABEL}."


def _inconsistent(
    found: Mapping[tuple[str, str], Entry], wanted: Mapping[tuple[str, str], CatalogMessage], shown: str
) -> Iterator[Finding]:
    """Terms that are the same in English and not here; one that is counted may differ from one that is not."""
    first: dict[tuple[str, bool], str] = {}
    for key, entry in found.items():
        message = wanted.get(key)
        text = _bare(po_files.strings_of(entry)[0])
        if message is None or message.sort != TERMS or entry.fuzzy or not text:
            continue
        before = first.setdefault((message.one, bool(message.many)), text)
        if before.casefold() != text.casefold():
            told = f"'{message.one}' is '{text}' here, and '{before}' above. Is that meant?"
            yield Finding(shown, entry.lineno or 0, told, mistake=False)


def _twice(path: Path, shown: str) -> Iterator[Finding]:
    first: dict[tuple[str, str], int] = {}
    for line, *key in po_lines.entries(path.read_text(encoding="utf-8-sig")):
        before = first.setdefault((key[0], key[1]), line)
        if before != line:
            yield Finding(shown, line, f"This text stands here twice, first in line {before}. Delete one of them.")


def _bare(noun: str) -> str:
    """A noun without its grammar."""
    return noun.partition("[")[0].strip()


def percent(done: Iterable[tuple[int, int]]) -> int:
    """How much of all is done, rounded down."""
    pairs = list(done)
    total = sum(of for _, of in pairs)
    return 100 * sum(number for number, _ in pairs) // total if total else 100
