"""What comes over the wire, read with suspicion. spec/PROTOCOL.md says what each message means."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.i18n.languages import code_of
from rulewright.i18n.speech import ENGLISH, phrase

VERSION = 1

MOST_TAKEN = 500
LONGEST_TEXT = 200
MOST_LANGUAGES = 10
MOST_SEATS = 12
MOST_OPTIONS = 100


class ProtocolError(RulewrightError):
    """A message that is none of ours."""


class UnknownVersion(ProtocolError):
    """A page of another version."""


@record
class Hello:
    """The first message: which link somebody has, and what they like to read."""

    token: str
    language: str


@record
class Language:
    language: str


@record
class Sit:
    name: str


@record
class Answer:
    """question: the number that came with what is answered."""

    question: int
    take: tuple[str, ...]


@record
class Undo:
    pass


@record
class Save:
    pass


@record
class LookAt:
    """step: of the game, counted from 0."""

    step: int


@record
class Explain:
    """what: 'piece', 'zone', 'counter', 'power', 'scoring' or 'phase'; name: its own, in the edition."""

    what: str
    name: str


@record
class Share:
    pass


@record
class Replace:
    """Somebody lost the link of their seat: it ends, and there is another one."""

    seat: int


ClientMessage = Hello | Language | Sit | Answer | Undo | Save | LookAt | Explain | Share | Replace


@record
class WantedSeat:
    """player: 'here', 'friend' or a kind of player; role: of a virtual player, or ''; name: of who sits here, or ''."""

    player: str
    role: str = ""
    name: str = ""


@record
class WantedTable:
    edition: str
    seats: tuple[WantedSeat, ...]
    options: Mapping[str, str]


def read(text: str) -> ClientMessage:
    """A message of the page. Raises ProtocolError."""
    fields = _object(text)
    kind = fields.pop("type", None)
    if not isinstance(kind, str) or kind not in _MESSAGES:
        raise not_understood()
    return _MESSAGES[kind](_Fields(fields))


def read_table(text: str) -> WantedTable:
    """What somebody wants to begin. Raises ProtocolError."""
    fields = _Fields(_object(text))
    options = fields.take("options", dict)
    if len(options) > MOST_OPTIONS or not all(map(_is_short, (*options, *options.values()))):
        raise not_understood()
    edition, seats = fields.text("edition"), []
    listed = fields.take("seats", list)
    if not 1 <= len(listed) <= MOST_SEATS:
        raise not_understood()
    for entry in listed:
        seat = _Fields(entry if isinstance(entry, dict) else {})
        seats.append(WantedSeat(seat.text("player"), seat.text("role", ""), seat.text("name", "")))
        seat.end()
    fields.end()
    return WantedTable(edition, tuple(seats), options)


def language_of(wanted: str) -> str:
    """The first of several languages that there is: `de-AT,en`; English where there is none."""
    codes = [code.partition(";")[0].strip() for code in wanted.split(",")[:MOST_LANGUAGES]]
    named = [name for code in codes for name in (code, code.partition("-")[0])]
    return next((found for name in named if (found := _code(name))), ENGLISH)


@lru_cache(maxsize=256)
def _code(language: str) -> str:
    """As `code_of`, which looks at the disk."""
    return code_of(language)


class _Fields:
    """The fields of a message; each is taken once, and none may be left."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def take(self, name: str, type_: type, usual: Any = None) -> Any:
        found = self._fields.pop(name, usual)
        if type(found) is not type_:
            raise not_understood()
        return found

    def text(self, name: str, usual: str | None = None) -> str:
        found = self.take(name, str, usual)
        if not _is_short(found):
            raise not_understood()
        return str(found)

    def end(self) -> None:
        if self._fields:
            raise not_understood()


def _hello(fields: _Fields) -> Hello:
    version = fields.take("protocol", int)
    if version != VERSION:
        raise UnknownVersion(phrase("errors", "This page is of another version than the server: load it again."))
    hello = Hello(fields.text("token"), language_of(fields.text("language", "")))
    fields.end()
    return hello


def _answer(fields: _Fields) -> Answer:
    take = fields.take("take", list)
    if len(take) > MOST_TAKEN or not all(map(_is_short, take)):
        raise not_understood()
    answer = Answer(fields.take("question", int), tuple(take))
    fields.end()
    return answer


def _language(fields: _Fields) -> Language:
    language = Language(language_of(fields.text("language")))
    fields.end()
    return language


def _sit(fields: _Fields) -> Sit:
    sit = Sit(fields.text("name"))
    fields.end()
    return sit


def _look(fields: _Fields) -> ClientMessage:
    look = LookAt(fields.take("step", int))
    fields.end()
    return look


def _explain(fields: _Fields) -> Explain:
    explain = Explain(fields.text("what"), fields.text("name"))
    fields.end()
    return explain


def _replace(fields: _Fields) -> Replace:
    replace = Replace(fields.take("seat", int))
    fields.end()
    return replace


def _plain(made: type[Undo] | type[Save] | type[Share]) -> Callable[[_Fields], ClientMessage]:
    def read(fields: _Fields) -> ClientMessage:
        fields.end()
        return made()

    return read


_MESSAGES: Mapping[str, Callable[[_Fields], ClientMessage]] = {
    "hello": _hello,
    "language": _language,
    "sit": _sit,
    "answer": _answer,
    "undo": _plain(Undo),
    "save": _plain(Save),
    "look": _look,
    "explain": _explain,
    "share": _plain(Share),
    "replace": _replace,
}


def not_understood() -> ProtocolError:
    return ProtocolError(phrase("errors", "The server did not understand this message. Nothing has changed."))


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text, parse_float=_refuse, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise not_understood() from None
    if not isinstance(found, dict):
        raise not_understood()
    return found


def _refuse(_: str) -> None:
    raise ValueError


def _is_short(text: object) -> bool:
    """Whether it is a text that can be kept and sent: no half of a character, and not long."""
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in text)
