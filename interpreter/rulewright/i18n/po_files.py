"""PO files: reading, and their usable translations."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from babel.messages import Catalog
from babel.messages import Message as Entry
from babel.messages.pofile import PoFileError, read_po, unescape

from rulewright.base.files import to_nfc, with_unix_line_ends
from rulewright.i18n import po_lines
from rulewright.i18n.bidi import OVERRIDES
from rulewright.i18n.grammar import locale_of, map_forms, plurals_of

MAX_SIZE = 5_000_000
"""Maximum size of a file, in bytes."""
PoMessages = Catalog
"""All messages of a file, as Babel reads them."""
MessageKey = tuple[str, str]
"""Context and English text of a message."""

_FORMER = re.compile(r'\|\s*(msgctxt|msgid_plural|msgid|)\s*(".*")\s*')
"""Comment with a part of a message's former text, as Babel reads it."""
_FORMER_OBSOLETE = re.compile(r"(?m)^#~\|.*$")
"""Line with the former text of an obsolete message, which Babel cannot read."""


class CatalogError(Exception):
    """Unreadable catalog. line: where reading stops, or 0."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def read(path: Path, language: str) -> PoMessages:
    """Read all messages of a file. Raises CatalogError, OSError."""
    with path.open("rb") as opened:
        content = opened.read(MAX_SIZE + 1)
    if len(content) > MAX_SIZE:
        raise CatalogError(f"it is larger than {MAX_SIZE:,} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise CatalogError("it is not written in UTF-8; save it in that encoding", line) from None
    return parse(text, language)


def parse(text: str, language: str) -> PoMessages:
    """Parse all messages of a file's text; each has its former text in `previous_id`. Raises CatalogError."""
    text = to_nfc(with_unix_line_ends(text))
    try:
        for _ in po_lines.entries(text):
            pass
    except po_lines.PoLineError as error:
        raise CatalogError(f"its syntax is wrong: {error}", error.line) from None
    try:
        # Babel does not know the lines with former texts of obsolete messages.
        file = io.StringIO(_FORMER_OBSOLETE.sub("#", text))
        catalog = read_po(file, locale=locale_of(language), abort_invalid=True)
    except PoFileError as error:
        if "num_plurals" in str(error):
            number, rule = plurals_of(language)
            message = f"there are more plural forms than its head says; expected nplurals={number}; plural={rule};"
            raise CatalogError(message, error.lineno + 1) from None
        raise CatalogError(f"its syntax is wrong: {error}", error.lineno + 1) from None
    except Exception as error:  # a broken file makes Babel raise anything
        raise CatalogError(f"its syntax is wrong: {error}") from None
    for entry in [*catalog, *catalog.obsolete.values()]:
        entry.previous_id = _former_text(entry.user_comments)
        entry.user_comments = [comment for comment in entry.user_comments if not _FORMER.fullmatch(comment)]
    return catalog


def key_of(entry: Entry) -> MessageKey:
    """Return the key of an entry: of a noun, its singular is the text."""
    return entry.context or "", entry.id if isinstance(entry.id, str) else entry.id[0]


def strings_of(entry: Entry) -> tuple[str, ...]:
    """Return a translation's texts, one for each plural form, without empty ones at the end; at least one, which may be
    empty."""
    texts = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
    number_of_texts = max((number for number, text in enumerate(texts, 1) if text), default=1)
    return texts[:number_of_texts] or ("",)


def _former_text(comments: Iterable[str]) -> list[str]:
    """Return the former text of a message, and its former plural if any, from what Babel takes for comments:
    `#| msgid "…"`; [] without."""
    texts: dict[str, str] = {}
    key = ""
    for match in map(_FORMER.fullmatch, comments):
        if match is not None:
            key = match[1] or key
            texts[key] = texts.get(key, "") + unescape(match[2])
    return [texts[key] for key in ("msgid", "msgid_plural") if key in texts]


def plural_forms(messages: PoMessages, language: str) -> tuple[int, ...] | None:
    """Map each plural form of the language, from 0, to a form of a file.

    The file's own head decides: other tools use other versions of CLDR, for example for French or Hebrew. None if the
    head cannot be read, or has one form where the language has several.
    """
    return map_forms(plurals_of(language)[1], messages.num_plurals, messages.plural_expr)


def number_of_forms(messages: PoMessages | None, language: str) -> int:
    """Return the number of texts that a noun's translation has in a file: by its own head, if that fits the
    language."""
    if messages is not None and plural_forms(messages, language):
        return int(messages.num_plurals)
    return plurals_of(language)[0]


def in_language_forms(texts: Sequence[str], messages: PoMessages | None, language: str) -> tuple[str, ...]:
    """Return a noun's texts in a file as one text for each plural form of the language; as they are if there is only
    one, or the file's head does not fit."""
    forms = plural_forms(messages, language) if messages is not None and len(texts) > 1 else None
    return tuple(texts[form] for form in forms) if forms else tuple(texts)


def usable(messages: PoMessages, language: str) -> Iterator[tuple[MessageKey, tuple[str, ...]]]:
    """Yield the translations that are complete, not fuzzy and without characters that change the order of text, with
    one text for each plural form of the language."""
    number = number_of_forms(messages, language)
    for message in messages:
        if not message.id or message.fuzzy:
            continue
        strings = strings_of(message)
        if len(strings) != (1 if isinstance(message.id, str) else number):
            continue
        if all(text and text.strip() and not OVERRIDES.search(text) for text in strings):
            yield key_of(message), in_language_forms(strings, messages, language)
