"""A catalog while somebody translates it, text by text: what there is, what is wrong with it, and the file anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from babel.messages import Message as Entry

from rulewright.base.records import record
from rulewright.i18n import catalog_check, catalog_update, po_files
from rulewright.i18n.catalog_update import CatalogMessage
from rulewright.i18n.catalogs import Catalog
from rulewright.i18n.grammar import GrammarTable
from rulewright.i18n.message_patterns import PatternError, slots
from rulewright.i18n.po_files import MessageKey, PoMessages

MISSING, LOOK, DONE = "missing", "look", "done"
"""A text has no translation; it has one that is to be looked over, or mended; it has one."""

KnownTexts = Mapping[MessageKey, tuple[str, ...]]
"""Translations of other catalogs by context and text, and with '' as context by the text alone."""


@record
class TranslatedText:
    """A text with its translation. texts: as many as it needs, '' where one is missing; state: MISSING, LOOK or DONE;
    former: the English text that a translation was made for, where that has changed; wrong: what is to be mended;
    known: what other catalogs say for the same text, or nothing; line: of the edition's file, or 0."""

    context: str
    one: str
    many: str
    sort: str
    comments: tuple[str, ...]
    slots: tuple[str, ...]
    line: int
    texts: tuple[str, ...]
    state: str
    former: str
    wrong: tuple[str, ...]
    known: tuple[str, ...]


def translations(
    messages: Sequence[CatalogMessage], written: PoMessages | None, table: GrammarTable, known: KnownTexts, file: str
) -> Iterator[TranslatedText]:
    """All texts with their translations. written: what stands in the catalog, None where there is none; file: the
    edition's, without folders."""
    up_to_date = catalog_update.updated(messages, written, table.language, "") if written is not None else ()
    entries = {po_files.key_of(entry): entry for entry in up_to_date if entry.id}
    plurals = po_files.number_of_forms(written, table.language)
    for message in messages:
        key = (message.context, message.one)
        number = plurals if message.many else 1
        entry = entries.get(key)
        texts = po_files.strings_of(entry) if entry is not None else ()
        texts = (*texts[:number], *[""] * (number - len(texts)))
        wrong = tuple(catalog_check.wrong(texts, message, table, plurals))
        fuzzy = entry is not None and entry.fuzzy
        other = known.get(key) or known.get(("", message.one)) or ()
        yield TranslatedText(
            context=str(message.context),
            one=message.one,
            many=message.many,
            sort=message.sort,
            comments=message.comments,
            slots=_slots(message.one),
            line=next((line for place, line in message.places if place == file), 0),
            texts=texts,
            state=MISSING if not any(texts) else LOOK if wrong or fuzzy else DONE,
            former=" / ".join(entry.previous_id) if entry is not None and fuzzy else "",
            wrong=wrong,
            known=other if len(other) == number else (),
        )


def translated(
    messages: Sequence[CatalogMessage],
    written: PoMessages | None,
    language: str,
    domain: str,
    given: Mapping[MessageKey, Sequence[str]],
) -> str:
    """The text of a catalog with translations for some of its texts; all others stay, and so do comments. written: what
    stands in it, None where it is begun; then it gets all texts. Raises KeyError for a text that there is not."""
    catalog = written
    if catalog is None or not given.keys() <= {po_files.key_of(entry) for entry in catalog if entry.id}:
        catalog = catalog_update.updated(messages, written, language, domain)
        if written is not None:
            catalog.header_comment = written.header_comment
    entries = {po_files.key_of(entry): entry for entry in catalog if entry.id}
    for key, texts in given.items():
        _say(entries[key], texts)
    return catalog_update.text_of(catalog)


def _say(entry: Entry, texts: Sequence[str]) -> None:
    entry.string = texts[0] if isinstance(entry.id, str) else tuple(texts)
    entry.flags.discard("fuzzy")
    entry.previous_id = []


def known_texts(catalogs: Iterable[Catalog]) -> KnownTexts:
    """What catalogs say; the first that has a text counts."""
    found: dict[MessageKey, tuple[str, ...]] = {}
    for catalog in catalogs:
        for key, texts in catalog.entries.items():
            found.setdefault(key, texts)
            found.setdefault(("", key[1]), texts)
    return found


def _slots(text: str) -> tuple[str, ...]:
    try:
        return tuple(slots(text))
    except PatternError:
        return ()
