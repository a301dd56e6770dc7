"""Catalogs for translators, made and brought up to date: what is translated stays, what has changed is marked."""

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

_PLACES = re.compile(r"(?m)^#: .*\n")
_PLURALS = re.compile(r"(?m)^\"Plural-Forms: .*$")
_OWN_LINES = re.compile(r"(?m)^msg(ctxt|id) ")
_ALIKE = 0.6
_WIDTH = 100
_HEADER = """\
# {language} texts of Rulewright: {domain}.
# spec/TRANSLATING.md says how they are written; 'rulewright locale check {code}' looks them through.
#"""


class SlotKind(StrEnum):
    """What can stand in a slot, as far as words agree with it otherwise; as it is told to translators."""

    NUMBER = "a number"
    PLAYER = "a player"
    PLAYERS = "a list of players"
    THING = "one thing"
    THINGS = "a list of things"


@record
class CatalogMessage:
    """A text to translate. many: a noun's plural, or ''; sort: one of SORTS; inflected: whether sentences insert it, so
    that it needs a gender; comments: for translators; places: file and line where the text stands; slots: what can
    stand in them, as far as that is known."""

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
        return (self.one, self.many) if self.many else self.one


def updated(messages: Iterable[CatalogMessage], old: Catalog | None, language: str, domain: str) -> Catalog:
    """A catalog with all messages, in their order, and the translations of an old one.

    A message is the same where context and text are, and what was put away comes back; where only the context is, the
    translation is kept as fuzzy, with the text that it was made for. What is left over is put away as obsolete.
    """
    locale = locale_of(language)
    name = str(locale.english_name) if locale is not None else language
    header = _HEADER.format(language=name, domain=domain, code=language)
    found = Catalog(locale, domain, header, "Rulewright", domain, charset="utf-8", fuzzy=False)
    found.last_translator, found.language_team, found.msgid_bugs_address = "", name, ""
    found.revision_date = found.creation_date
    number, rule = plurals_of(language)
    if old is not None and plural_forms(old, language):  # another version of CLDR may count otherwise
        number, rule = old.num_plurals, old.plural_expr
    found.mime_headers = [("Plural-Forms", f"nplurals={number}; plural={rule};")]
    if old is not None:
        found.last_translator, found.language_team = old.last_translator, old.language_team
        found.creation_date, found.revision_date = old.creation_date, old.revision_date
    wanted = {(message.context, message.one): message for message in messages}
    known = {key_of(entry): entry for entry in [*(old.obsolete.values() if old else ()), *(old or ())] if entry.id}
    left = {key: known[key] for key in known if key not in wanted and _is_translated(known[key])}
    contexts = Counter(message.context for message in wanted.values())
    for key, message in wanted.items():
        before = known.get(key)
        former = _former(message, left, contexts[message.context] == 1) if before is None else None
        _add(found, message, before or (left.pop(former) if former else None), changed=former is not None)
    for (context, text), entry in left.items():
        found.obsolete[f"{context}\x04{text}"] = entry
    return found


def _former(message: CatalogMessage, left: Mapping[MessageKey, Entry], alone: bool) -> MessageKey | None:
    """What a message was before it was changed. alone: whether no other message has its context; else its text must be
    alike."""
    same_place = {text: (context, text) for context, text in left if context == message.context}
    alike = list(same_place) if alone else difflib.get_close_matches(message.one, same_place, 1, _ALIKE)
    return same_place[alike[0]] if alike else None


def text_of(catalog: Catalog) -> str:
    """What a catalog's file holds."""
    out = io.BytesIO()
    for entry in catalog:
        entry.flags.discard("python-format")  # a per cent sign means just that
    write_po(out, catalog, width=_WIDTH)
    entries = list(catalog)
    told = out.getvalue().decode().split("\n\n")
    return "\n\n".join([*map(_with_former, entries, told), *told[len(entries) :]])


def _with_former(entry: Entry, told: str) -> str:
    """An entry in a file with the text that its translation was made for, which Babel itself would wrap a second time,
    as prose, so that other tools could not read it."""
    names = ("msgid", "msgid_plural")
    former = "".join(
        f"{name} {normalize(text, width=_WIDTH - 3)}\n" for name, text in zip(names, entry.previous_id, strict=False)
    )
    return _OWN_LINES.sub(lambda start: indent(former, "#| ") + start[0], told, count=1)


def same(one: str, other: str) -> bool:
    """Whether two catalogs differ only in their heads, as far as that is about people, dates and tools, and in the
    lines where the texts stand."""
    return _told(one) == _told(other)


def _told(text: str) -> tuple[list[str], str]:
    head, _, body = text.partition("\n\n")
    return _PLURALS.findall(head), _PLACES.sub("", body)


def _add(catalog: Catalog, message: CatalogMessage, before: Entry | None, changed: bool) -> None:
    string: str | tuple[str, ...] = ("",) * catalog.num_plurals if message.many else ""
    flags: set[str] = set()
    comments: list[str] = []
    source: list[str] = []
    if before is not None:
        comments = list(before.user_comments)
        if isinstance(before.string, str) == (not message.many):
            string = before.string if isinstance(before.string, str) else tuple(before.string or ())
            flags = {"fuzzy"} if before.fuzzy or changed else set()
            # The text that it was made for, which is not the last one where nobody has looked it over since.
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
    strings = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
    return any(strings)
