"""Editing of a catalog, text by text: translations with their errors, and the new file."""

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

MISSING, TO_REVIEW, DONE = "missing", "look", "done"
"""States of a translation: missing; to be reviewed or corrected; done."""

KnownTexts = Mapping[MessageKey, tuple[str, ...]]
"""Translations of other catalogs by context and text, and by text alone under the context ''."""


@record
class TranslatedText:
    """Message with its translation.

    - context, one, many, sort, comments: as of `CatalogMessage`
    - slots: their names
    - texts: one for each plural form, '' for a missing one
    - state: MISSING, TO_REVIEW or DONE
    - former: English text that the translation was made for, with its plural behind ' / ', if that has changed, else ''
    - wrong: errors, in words
    - known: translation of the same text in other catalogs, () without one that has as many forms
    - line: of the edition's file, or 0
    """

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
    messages: Sequence[CatalogMessage], catalog: PoMessages | None, table: GrammarTable, known: KnownTexts, file: str
) -> Iterator[TranslatedText]:
    """Yield all messages with their translations, in their order. catalog: its messages, None without one; file: name
    of the edition's file, without folders, in which a text's line is sought."""
    up_to_date = catalog_update.update(messages, catalog, table.language, "") if catalog is not None else ()
    entries = {po_files.key_of(entry): entry for entry in up_to_date if entry.id}
    plurals = po_files.number_of_forms(catalog, table.language)
    for message in messages:
        key = (message.context, message.one)
        number = plurals if message.many else 1
        entry = entries.get(key)
        texts = po_files.strings_of(entry) if entry is not None else ()
        texts = (*texts[:number], *[""] * (number - len(texts)))
        wrong = tuple(catalog_check.translation_errors(texts, message, table, plurals))
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
            state=MISSING if not any(texts) else TO_REVIEW if wrong or fuzzy else DONE,
            former=" / ".join(entry.previous_id) if entry is not None and fuzzy else "",
            wrong=tuple(" ".join(map(str, each)) for each in wrong),
            known=other if len(other) == number else (),
        )


def with_translations(
    messages: Sequence[CatalogMessage],
    existing: PoMessages | None,
    language: str,
    domain: str,
    new_texts: Mapping[MessageKey, Sequence[str]],
) -> str:
    """Return a catalog's text with new translations for some messages; other entries and comments stay.

    existing: messages of the catalog, changed in place if all those texts are in it, else brought up to date in a copy;
    None to start one with all texts. Raises KeyError for an unknown message.
    """
    catalog = existing
    if catalog is None or not new_texts.keys() <= {po_files.key_of(entry) for entry in catalog if entry.id}:
        catalog = catalog_update.update(messages, existing, language, domain)
        if existing is not None:
            catalog.header_comment = existing.header_comment
    entries = {po_files.key_of(entry): entry for entry in catalog if entry.id}
    for key, texts in new_texts.items():
        _set_texts(entries[key], texts)
    return catalog_update.text_of(catalog)


def _set_texts(entry: Entry, texts: Sequence[str]) -> None:
    """Set the translation of an entry, which is then no longer fuzzy."""
    entry.string = texts[0] if isinstance(entry.id, str) else tuple(texts)
    entry.flags.discard("fuzzy")
    entry.previous_id = []


def known_texts(catalogs: Iterable[Catalog]) -> KnownTexts:
    """Collect the translations of several catalogs; the first one with a text counts."""
    result: dict[MessageKey, tuple[str, ...]] = {}
    for catalog in catalogs:
        for key, texts in catalog.entries.items():
            result.setdefault(key, texts)
            result.setdefault(("", key[1]), texts)
    return result


def _slots(text: str) -> tuple[str, ...]:
    """Return the names of a text's slots, each once; () for an unreadable text."""
    try:
        return tuple(slots(text))
    except PatternError:
        return ()
