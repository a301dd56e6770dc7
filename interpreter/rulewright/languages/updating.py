"""Catalogs for translators, made and brought up to date: what is translated stays, what has changed is marked."""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass

from babel.messages import Catalog
from babel.messages import Message as Entry
from babel.messages.pofile import write_po

from rulewright.languages.grammar import locale_of

TERMS, PROMPTS, LOG, RULES = "terms", "prompts", "log", "rules"
SORTS = (TERMS, PROMPTS, LOG, RULES)
_ALIKE = 0.7  # how much two texts have in common, as difflib tells it, of which one is the other changed

_UNIMPORTANT = re.compile(r'(?m)^("(POT-Creation|PO-Revision)-Date: |"Generated-By: |#: ).*\n')
_HEADER = """\
# {language} texts of Rulewright: {domain}.
# spec/TRANSLATING.md says how they are written; 'rulewright locale check {code}' looks them through.
#"""


@dataclass(frozen=True)
class Message:
    """A text to translate. many: a noun's plural, or ''; sort: one of SORTS; inflected: whether sentences insert it, so
    that it needs a gender; comments: for translators; places: file and line where the text stands."""

    context: str
    one: str
    many: str
    sort: str
    inflected: bool = False
    comments: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()

    @property
    def id(self) -> str | tuple[str, str]:
        return (self.one, self.many) if self.many else self.one


def updated(messages: Iterable[Message], old: Catalog | None, language: str, domain: str) -> Catalog:
    """A catalog with all messages, in their order, and the translations of an old one.

    A message is the same where context and text are; where the context is and the text is much the same, or no other
    could be meant, its translation is kept as fuzzy, with the text that it was made for. What is left over is kept as
    obsolete.
    """
    locale = locale_of(language)
    name = locale.english_name if locale is not None else language
    header = _HEADER.format(language=name, domain=domain, code=language)
    found = Catalog(locale, domain, header, "Rulewright", "", charset="utf-8", fuzzy=False)
    if old is not None:
        found.last_translator, found.language_team = old.last_translator, old.language_team
        found.creation_date, found.revision_date = old.creation_date, old.revision_date
    wanted = list(messages)
    known = {(message.context or "", _one(message)): message for message in old or () if message.id}
    left = {key: known[key] for key in known.keys() - {(message.context, message.one) for message in wanted}}
    for message in wanted:
        before = known.get((message.context, message.one))
        changed = None
        if before is None:
            there = {key[1]: key for key in left if key[0] == message.context and _is_translated(left[key])}
            alone = len(there) == 1 and sum(key[0] == message.context for key in known) == 1
            near = list(there) if alone else difflib.get_close_matches(message.one, there, 1, _ALIKE)
            if near:
                changed = left.pop(there[near[0]])
        _add(found, message, before or changed, changed)
    for (context, text), entry in left.items():
        if _is_translated(entry):
            found.obsolete[f"{context}\x04{text}"] = entry
    return found


def text_of(catalog: Catalog) -> str:
    """What a catalog's file holds."""
    out = io.BytesIO()
    write_po(out, catalog, width=100, include_previous=True)
    return out.getvalue().decode()


def same(one: str, other: str) -> bool:
    """Whether two catalogs differ only in when they were written, and in the lines where the texts stand."""
    return _UNIMPORTANT.sub("", one) == _UNIMPORTANT.sub("", other)


def _add(catalog: Catalog, message: Message, before: Entry | None, changed: Entry | None) -> None:
    string: str | tuple[str, ...] = ("",) * catalog.num_plurals if message.many else ""
    flags: set[str] = set()
    comments: list[str] = []
    if before is not None:
        comments = list(before.user_comments)
        if isinstance(before.string, str) == (not message.many):
            string = before.string if isinstance(before.string, str) else tuple(before.string or ())
            flags = {"fuzzy"} if before.fuzzy or changed is not None else set()
    source = [_one(changed)] if changed is not None else list(before.previous_id) if before is not None else []
    catalog.add(
        message.id,
        string,
        locations=message.places,
        flags=flags,
        auto_comments=message.comments,
        user_comments=comments,
        previous_id=source if flags else [],
        context=message.context,
    )


def _one(entry: Entry) -> str:
    return entry.id if isinstance(entry.id, str) else entry.id[0]


def _is_translated(entry: Entry) -> bool:
    strings = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
    return any(strings)
