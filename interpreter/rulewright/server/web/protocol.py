"""What a page says over the wire, read with suspicion. spec/PROTOCOL.md says what each message means."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal, TypeVar

from msgspec import DecodeError, Meta, Struct
from msgspec.json import Decoder

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.languages import code_of
from rulewright.i18n.localizer import ENGLISH, phrase

VERSION = 3

T = TypeVar("T")

ShortText = Annotated[str, Meta(max_length=200)]
Counted = Annotated[int, Meta(ge=0, le=2**31)]
GestureName = Literal["luck", "played", "thanks", "sorry", "wait", "hurry", "smile", "frown"]
MOST_TAKEN, MOST_LANGUAGES, MOST_SEATS, MOST_OPTIONS = 500, 10, 12, 100
MOST_READERS = MOST_SEATS + 1
"""At one device: each seat, and the host."""
MOST_TURNS = 60
"""Of so many links it is told at once whose turn it is."""


class ProtocolError(RulewrightError):
    """A message that is none of ours."""


class UnknownVersion(ProtocolError):
    """A page of another version."""


class Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """by: which of the device's tokens it comes from, counted from 0, where it is about one."""

    by: Counted = 0


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """The first message: which links somebody has at this device, and what they like to read."""

    protocol: int
    tokens: Annotated[tuple[ShortText, ...], Meta(min_length=1, max_length=MOST_READERS)]
    language: ShortText = ""


class Language(Message, frozen=True, kw_only=True, tag="language"):
    language: ShortText


class Sit(Message, frozen=True, kw_only=True, tag="sit"):
    """key: the secret part of the token with which the seat will be played, where the page has made it: it can find its
    seat again, though it never heard that it has it."""

    name: ShortText
    key: Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{43})?$")] = ""


class Answer(Message, frozen=True, kw_only=True, tag="answer"):
    """question: the number that came with what is answered."""

    question: Counted
    take: Annotated[tuple[ShortText, ...], Meta(max_length=MOST_TAKEN)]


class TryOut(Message, frozen=True, kw_only=True, tag="try"):
    """question: what is asked; take: an answer to it, or nothing for each of them."""

    question: Counted
    take: Annotated[tuple[ShortText, ...], Meta(max_length=MOST_TAKEN)] = ()


class Undo(Message, frozen=True, tag="undo"):
    pass


class Stand(Message, frozen=True, tag="stand"):
    """The seat stands by its last answer: the computer need not wait."""


class Leave(Message, frozen=True, kw_only=True, tag="leave"):
    """The computer is to play for a person: who says so, or for the host one at a seat."""

    seat: int = -1


class Back(Message, frozen=True, tag="back"):
    """Whoever says so plays again."""


class Concede(Message, frozen=True, tag="concede"):
    pass


class ReportFault(Message, frozen=True, tag="report"):
    """Somebody wants a file about a fault."""


class Save(Message, frozen=True, tag="save"):
    pass


class LookBack(Message, frozen=True, kw_only=True, tag="look"):
    """step: of the game, counted from 0."""

    step: int


class Review(Message, frozen=True, kw_only=True, tag="review"):
    """number: of the seat's own decisions, counted from 0."""

    number: int


class Explain(Message, frozen=True, kw_only=True, tag="explain"):
    """what: 'piece', 'zone', 'counter', 'power', 'scoring' or 'phase'; name: its own, in the edition."""

    what: ShortText
    name: ShortText


class Say(Message, frozen=True, kw_only=True, tag="say"):
    """A short text for everybody at the table."""

    text: ShortText


class Gesture(Message, frozen=True, kw_only=True, tag="gesture"):
    """One of those that there are, for everybody at the table; each reads it in their own language."""

    name: GestureName


class SetChat(Message, frozen=True, kw_only=True, tag="chat"):
    """The host's: whether messages can be sent and read."""

    on: bool


class Share(Message, frozen=True, tag="share"):
    pass


class Fill(Message, frozen=True, tag="fill"):
    """The host's: the computer takes all seats that are free, and the game begins."""


class Replace(Message, frozen=True, kw_only=True, tag="replace"):
    """Somebody lost the link of their seat: it ends, and there is another one."""

    seat: int


class Rematch(Message, frozen=True, tag="rematch"):
    """The game is over: another one with the same people, or a seat there, if somebody has begun it."""


class Again(Message, frozen=True, tag="again"):
    """A change is missing: all is wanted anew."""


ClientMessage = (
    Hello
    | Language
    | Sit
    | Answer
    | TryOut
    | Undo
    | Stand
    | Leave
    | Back
    | Concede
    | ReportFault
    | Save
    | LookBack
    | Review
    | Explain
    | Say
    | Gesture
    | SetChat
    | Share
    | Fill
    | Replace
    | Again
    | Rematch
)


class WantedSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """player: 'here', 'friend' or a kind of player, a trained one as 'policy:NAME'; role: of a virtual player, or '';
    name: of who sits here, or ''."""

    player: ShortText
    role: ShortText = ""
    name: ShortText = ""


class WantedTable(Struct, frozen=True, forbid_unknown_fields=True):
    """clock: seconds for each move; 0 for none; chat: whether people can send each other messages."""

    edition: ShortText
    seats: Annotated[tuple[WantedSeat, ...], Meta(min_length=1, max_length=MOST_SEATS)]
    options: Annotated[Mapping[ShortText, ShortText], Meta(max_length=MOST_OPTIONS)]
    clock: Counted = 0
    chat: bool = True


class WantedTurns(Struct, frozen=True, forbid_unknown_fields=True):
    """Links of tables where somebody would know whose turn it is."""

    tokens: Annotated[tuple[ShortText, ...], Meta(max_length=MOST_TURNS)]


class _Version(Struct):
    """Of any message, only what tells which page it comes from."""

    type: str = ""
    protocol: int = VERSION


_versions: Decoder[_Version] = Decoder(_Version)
_messages: Decoder[ClientMessage] = Decoder(ClientMessage)
_tables: Decoder[WantedTable] = Decoder(WantedTable)
_turns: Decoder[WantedTurns] = Decoder(WantedTurns)


def read(text: str) -> ClientMessage:
    """A message of the page. Raises ProtocolError."""
    version = _decoded(_versions, text)
    if version.type == "hello" and version.protocol != VERSION:
        raise UnknownVersion(phrase("errors", "This page is of another version than the server: load it again."))
    return _decoded(_messages, text)


def read_table(text: str) -> WantedTable:
    """What somebody wants to begin. Raises ProtocolError."""
    return _decoded(_tables, text)


def read_turns(text: str) -> WantedTurns:
    """Of which tables somebody asks whose turn it is. Raises ProtocolError."""
    return _decoded(_turns, text)


def _decoded(decoder: Decoder[T], text: str) -> T:
    try:
        return decoder.decode(text)
    except (DecodeError, RecursionError, UnicodeError):
        raise not_understood() from None


def language_of(wanted: str) -> str:
    """The first of several languages that there is: `de-AT,en`; English where there is none."""
    codes = [code.partition(";")[0].strip() for code in wanted.split(",")[:MOST_LANGUAGES]]
    named = [name for code in codes for name in (code, code.partition("-")[0])]
    return next((found for name in named if (found := _code(name))), ENGLISH)


@lru_cache(maxsize=256)
def _code(language: str) -> str:
    """As `code_of`, which looks at the disk."""
    return code_of(language)


def not_understood() -> ProtocolError:
    return ProtocolError(phrase("errors", "The server did not understand this message. Nothing has changed."))
