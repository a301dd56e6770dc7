"""Creation and update of catalogs: translations are kept, changed texts are marked."""

from __future__ import annotations

import difflib
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from textwrap import indent

from babel.messages import Catalog
from babel.messages import Message as Entry
from babel.messages.pofile import normalize, write_po

from rulewright.base.records import record
from rulewright.i18n.grammar import locale_of, plurals_of
from rulewright.i18n.po_files import MessageKey, key_of, plural_forms

TERMS, PROMPTS, LOG, RULES = "terms", "prompts", "log", "rules"
SORTS = (TERMS, PROMPTS, LOG, RULES)
"""Sorts of texts in the order in which they are translated: names, what people are asked and told, lines of logs, and
rules with everything that is read like them."""

_PLACES = re.compile(r"(?m)^#: .*\n")
"""Lines with the places of a message."""
_PLURALS = re.compile(r"(?m)^\"Plural-Forms: .*$")
"""Line of the header with the rule of plurals."""
_OWN_LINES = re.compile(r"(?m)^msg(ctxt|id) ")
"""Beginning of a message's own lines, behind its comments."""
_MIN_SIMILARITY = 0.6
"""Similarity, from 0 to 1, from which on a text counts as a changed one."""
_WIDTH = 100
"""Characters of a line of a file."""
_HEADER = """\
# {language} texts of Rulewright: {domain}.
# spec/TRANSLATING.md says how they are written; 'rulewright locale check {code}' looks them through.
#"""
"""Comments at the beginning of a new catalog."""


class SlotKind(StrEnum):
    """Kind of content of a slot, as far as words agree with it; shown to translators."""

    NUMBER = "a number"
    PLAYER = "a player"
    PLAYERS = "a list of players"
    THING = "one thing"
    THINGS = "a list of things"


@record
class CatalogMessage:
    """Text to translate.

    - many: plural of a noun, or ''
    - sort: one of SORTS
    - inflected: whether sentences insert it, so that its translation needs a gender
    - comments: for translators
    - places: files and lines of the text
    - slots: kinds of their contents, as far as known
    """

    context: str
    one: str
    many: str
    sort: str
    inflected: bool = False
    comments: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()
    slots: tuple[tuple[str, SlotKind], ...] = ()

    @property
    def id(self) -> str | tuple[str, str]:
        """Text, or singular and plural, as Babel identifies an entry."""
        return (self.one, self.many) if self.many else self.one


def update(messages: Iterable[CatalogMessage], old: Catalog | None, language: str, domain: str) -> Catalog:
    """Return a catalog with all messages, in their order, and the translations of an old one.

    A message with the same context and text keeps its translation, also an obsolete one. Else it takes that of a
    message that is gone from its context, if its text is similar or it is alone in the context: as fuzzy, with the text
    that it was made for. A translation is dropped where only one of both texts has a plural. Other translated entries
    become obsolete; those without a translation go. Comments of translators, people and dates stay.
    """
    locale = locale_of(language)
    name = str(locale.english_name) if locale is not None else language
    header = _HEADER.format(language=name, domain=domain, code=language)
    catalog = Catalog(locale, domain, header, "Rulewright", domain, charset="utf-8", fuzzy=False)
    catalog.last_translator, catalog.language_team, catalog.msgid_bugs_address = "", name, ""
    catalog.revision_date = catalog.creation_date
    number, rule = plurals_of(language)
    if old is not None and plural_forms(old, language):  # versions of CLDR differ in plural forms
        number, rule = old.num_plurals, old.plural_expr
    catalog.mime_headers = [("Plural-Forms", f"nplurals={number}; plural={rule};")]
    if old is not None:
        catalog.last_translator, catalog.language_team = old.last_translator, old.language_team
        catalog.creation_date, catalog.revision_date = old.creation_date, old.revision_date
    messages_by_key = {(message.context, message.one): message for message in messages}
    known = {key_of(entry): entry for entry in [*(old.obsolete.values() if old else ()), *(old or ())] if entry.id}
    unused = {key: known[key] for key in known if key not in messages_by_key and _is_translated(known[key])}
    contexts = Counter(message.context for message in messages_by_key.values())
    for key, message in messages_by_key.items():
        before = known.get(key)
        former = _find_former(message, unused, contexts[message.context] == 1) if before is None else None
        _add_entry(catalog, message, before or (unused.pop(former) if former else None), changed=former is not None)
    for (context, text), entry in unused.items():
        catalog.obsolete[f"{context}\x04{text}"] = entry
    return catalog


def _find_former(message: CatalogMessage, unused: Mapping[MessageKey, Entry], alone: bool) -> MessageKey | None:
    """Return the earlier key of a changed message, or None. unused: translated entries whose messages are gone; alone:
    whether no other message has its context; else its text must be similar."""
    same_place = {text: (context, text) for context, text in unused if context == message.context}
    similar = list(same_place) if alone else difflib.get_close_matches(message.one, same_place, 1, _MIN_SIMILARITY)
    return same_place[similar[0]] if similar else None


def text_of(catalog: Catalog) -> str:
    """Return the text of a catalog's file. Entries lose Babel's flag 'python-format'."""
    out = io.BytesIO()
    for entry in catalog:
        entry.flags.discard("python-format")  # a per cent sign is no format
    write_po(out, catalog, width=_WIDTH)
    entries = list(catalog)
    blocks = out.getvalue().decode().split("\n\n")
    return "\n\n".join([*map(_with_former, entries, blocks), *blocks[len(entries) :]])


def _with_former(entry: Entry, block: str) -> str:
    """Insert the former English text into a file's entry: Babel would wrap it again, as prose, so that other tools
    could not read it."""
    names = ("msgid", "msgid_plural")
    former = "".join(
        f"{name} {normalize(text, width=_WIDTH - 3)}\n" for name, text in zip(names, entry.previous_id, strict=False)
    )
    return _OWN_LINES.sub(lambda start: indent(former, "#| ") + start[0], block, count=1)


def with_line_ends_of(model: str, text: str) -> str:
    """Return the text of a catalog in which entries that are the same as in another text have their lines end where
    they do there: translators break lines as they like."""
    blocks = {_unbroken(block): block for block in model.split("\n\n")}
    return "\n\n".join(blocks.get(_unbroken(block), block) for block in text.split("\n\n"))


def _unbroken(block: str) -> str:
    """Return an entry with each text on one line."""
    return block.replace('"\n"', "")


def is_same_content(one: str, other: str) -> bool:
    """Whether two catalogs differ only in the head's people, dates and tools, and in the places of texts."""
    return _relevant_text(one) == _relevant_text(other)


def _relevant_text(text: str) -> tuple[list[str], str]:
    """Return what counts of a catalog's text: the plural forms of its head, and the entries without places."""
    head, _, body = text.partition("\n\n")
    return _PLURALS.findall(head), _PLACES.sub("", body)


def _add_entry(catalog: Catalog, message: CatalogMessage, before: Entry | None, changed: bool) -> None:
    """Add a message to a catalog with its earlier translation, as fuzzy if its text has changed or it was so before;
    without translation if only one of both has a plural."""
    string: str | tuple[str, ...] = ("",) * catalog.num_plurals if message.many else ""
    flags: set[str] = set()
    comments: list[str] = []
    source: list[str] = []
    if before is not None:
        comments = list(before.user_comments)
        if isinstance(before.string, str) == (not message.many):
            string = before.string if isinstance(before.string, str) else tuple(before.string or ())
            flags = {"fuzzy"} if before.fuzzy or changed else set()
            # The text that it was made for: an earlier one, if the entry was still fuzzy.
            now = [before.id] if isinstance(before.id, str) else list(before.id)
            source = list(before.previous_id) if before.fuzzy and before.previous_id else now if changed else []
    catalog.add(
        message.id,
        string,
        locations=message.places,
        flags=flags,
        auto_comments=message.comments,
        user_comments=comments,
        previous_id=source,
        context=message.context,
    )


def _is_translated(entry: Entry) -> bool:
    """Return whether any text of a translation is there."""
    strings = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
    return any(strings)
