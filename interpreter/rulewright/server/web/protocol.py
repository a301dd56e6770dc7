"""Messages of pages, decoded and validated. spec/PROTOCOL.md explains them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal, TypeVar

from msgspec import DecodeError, Meta, Struct
from msgspec.json import Decoder

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.picks import MAX_PICKS
from rulewright.i18n.languages import code_of
from rulewright.i18n.localizer import ENGLISH, phrase

VERSION = 3
"""Version of the protocol, which a page says first."""

T = TypeVar("T")

ShortText = Annotated[str, Meta(max_length=200)]
NaturalNumber = Annotated[int, Meta(ge=0, le=2**31)]
GestureName = Literal["luck", "played", "thanks", "sorry", "wait", "hurry", "smile", "frown"]
MAX_TAKEN, MAX_LANGUAGES, MAX_SEATS, MAX_OPTIONS = 500, 10, 12, 100
"""Maximum numbers of choices in an answer, of languages that are looked at, of seats of a table, and of options."""
MAX_SUBSCRIPTIONS = MAX_SEATS + 1
"""Tokens of one device: each seat, and the host."""
MAX_TURNS = 60
"""Links in one request for whose turn it is."""


class ProtocolError(RulewrightError):
    """Message that is not part of the protocol."""


class UnknownVersion(ProtocolError):
    """Message from a page of another version."""


class Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Message of a page. by: index of the device's token that it comes from."""

    by: NaturalNumber = 0


class Hello(Message, frozen=True, kw_only=True, tag="hello"):
    """First message: the tokens at this device, and its language. protocol: the version that the page speaks, see
    VERSION."""

    protocol: int
    tokens: Annotated[tuple[ShortText, ...], Meta(min_length=1, max_length=MAX_SUBSCRIPTIONS)]
    language: ShortText = ""


class Language(Message, frozen=True, kw_only=True, tag="language"):
    """Choice of the device's language."""

    language: ShortText


class Sit(Message, frozen=True, kw_only=True, tag="sit"):
    """Request for a seat. key: secret part of the seat's future token, made by the page so that it can find its seat
    even if it missed the reply."""

    name: ShortText
    key: Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{43})?$")] = ""


class Answer(Message, frozen=True, kw_only=True, tag="answer"):
    """Answer to a decision. question: the decision's number; back: number of picks that are undone first; next:
    answers to the questions that follow, each after an answer that told the seat nothing."""

    question: NaturalNumber
    take: Annotated[tuple[ShortText, ...], Meta(max_length=MAX_TAKEN)]
    back: Annotated[int, Meta(ge=0, le=MAX_PICKS)] = 0
    next: Annotated[
        tuple[Annotated[tuple[ShortText, ...], Meta(max_length=MAX_TAKEN)], ...], Meta(max_length=MAX_PICKS)
    ] = ()


class TryOut(Message, frozen=True, kw_only=True, tag="try"):
    """Request for a preview. question: the decision's number; take: an answer, or empty for each of them."""

    question: NaturalNumber
    take: Annotated[tuple[ShortText, ...], Meta(max_length=MAX_TAKEN)] = ()


class Undo(Message, frozen=True, tag="undo"):
    """Request to undo the seat's last answer."""


class Stand(Message, frozen=True, tag="stand"):
    """Confirmation of the seat's last answer: bots need not wait for its undo."""


class Leave(Message, frozen=True, kw_only=True, tag="leave"):
    """Request that a bot plays for a person: the sender, or for the host somebody else. seat: of the other person, -1
    for the sender."""

    seat: int = -1


class Back(Message, frozen=True, tag="back"):
    """Notice that a person plays again."""


class Concede(Message, frozen=True, tag="concede"):
    """Notice that a person gives up."""


class Propose(Message, frozen=True, kw_only=True, tag="propose"):
    """Proposal to the others: a draw, or to take the own last turn back; or the end of a game that has hardly begun."""

    what: Literal["draw", "undo", "abort"]


class Agree(Message, frozen=True, kw_only=True, tag="agree"):
    """Answer to a proposal, or its withdrawal by whoever made it. number: the proposal's."""

    number: NaturalNumber
    agrees: bool


class ReportFault(Message, frozen=True, tag="report"):
    """Request for a fault report."""


class Save(Message, frozen=True, tag="save"):
    """Request for a finished game as a save."""


class LookBack(Message, frozen=True, kw_only=True, tag="look"):
    """Request for a step of the game. step: from 0."""

    step: int


class Review(Message, frozen=True, kw_only=True, tag="review"):
    """Request for one of the seat's own decisions. number: from 0."""

    number: int


class Analyse(Message, frozen=True, tag="analyse"):
    """Request for the analysis of the finished game, whose rows follow as they are made."""


class ReasonsOfMove(Message, frozen=True, tag="why"):
    """Request for the reasons of the computer's last answer, in a game of one person without anything hidden."""


class Scores(Message, frozen=True, tag="scores"):
    """Request for the points at the end of each round."""


class WriteDown(Message, frozen=True, tag="record"):
    """Request for the moves of the game as a file for other programs."""


class Explain(Message, frozen=True, kw_only=True, tag="explain"):
    """Request for rules. what: 'piece', 'zone', 'counter', 'power', 'scoring' or 'phase', and name: in the edition; or
    what: 'rule', and name: the anchor of its passage in the rulebook."""

    what: ShortText
    name: ShortText


class Say(Message, frozen=True, kw_only=True, tag="say"):
    """Chat message for everybody at the table."""

    text: ShortText


class Gesture(Message, frozen=True, kw_only=True, tag="gesture"):
    """Gesture for everybody at the table, which each reads in their own language."""

    name: GestureName


class SetChat(Message, frozen=True, kw_only=True, tag="chat"):
    """Request of the host to turn chat on or off."""

    on: bool


class Share(Message, frozen=True, tag="share"):
    """Request for a token for watching the finished game."""


class Fill(Message, frozen=True, tag="fill"):
    """Request of the host that bots take all free seats and the game begins."""


class Replace(Message, frozen=True, kw_only=True, tag="replace"):
    """Request for a new link to a seat whose link was lost; the old one ends."""

    seat: int


class Rematch(Message, frozen=True, tag="rematch"):
    """Request after the game for a rematch, or a seat in one."""


class Again(Message, frozen=True, tag="again"):
    """Request for the whole document, as an update is missing."""


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
    | Propose
    | Agree
    | ReportFault
    | Save
    | LookBack
    | Review
    | Analyse
    | ReasonsOfMove
    | Scores
    | WriteDown
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
    """Seat of a new table. player: 'here', 'friend' or a kind of player, a trained one as 'policy:NAME'; role: of a
    virtual player, or ''; name: of who sits here, or ''."""

    player: ShortText
    role: ShortText = ""
    name: ShortText = ""


class WantedTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for a new table. clock: seconds for each move, 0 for none; chat: people can send messages."""

    edition: ShortText
    seats: Annotated[tuple[WantedSeat, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    options: Annotated[Mapping[ShortText, ShortText], Meta(max_length=MAX_OPTIONS)]
    clock: NaturalNumber = 0
    chat: bool = True


class WantedTurns(Struct, frozen=True, forbid_unknown_fields=True):
    """Request for whose turn it is, by links."""

    tokens: Annotated[tuple[ShortText, ...], Meta(max_length=MAX_TURNS)]


class _Version(Struct):
    """Parts of any message that tell the page's version."""

    type: str = ""
    protocol: int = VERSION


_versions: Decoder[_Version] = Decoder(_Version)
"""Decoder that reads only the version, so that a page of another one is told so whatever else it sends."""
_messages: Decoder[ClientMessage] = Decoder(ClientMessage)
_tables: Decoder[WantedTable] = Decoder(WantedTable)
_turns: Decoder[WantedTurns] = Decoder(WantedTurns)


def parse_message(text: str) -> ClientMessage:
    """Decode a page's message. Raises ProtocolError."""
    version = _decode(_versions, text)
    if version.type == "hello" and version.protocol != VERSION:
        raise UnknownVersion(phrase("errors", "This page is of another version than the server: load it again."))
    return _decode(_messages, text)


def parse_table(text: str) -> WantedTable:
    """Decode a request for a new table. Raises ProtocolError."""
    return _decode(_tables, text)


def parse_turns(text: str) -> WantedTurns:
    """Decode a request for whose turn it is. Raises ProtocolError."""
    return _decode(_turns, text)


def _decode(decoder: Decoder[T], text: str) -> T:
    """Decode a text by a decoder. Raises ProtocolError."""
    try:
        return decoder.decode(text)
    except (DecodeError, RecursionError, UnicodeError):
        raise unreadable_error() from None


def choose_language(accepted: str) -> str:
    """Return the first known language of an Accept-Language list such as `de-AT,en`; else English."""
    codes = [code.partition(";")[0].strip() for code in accepted.split(",")[:MAX_LANGUAGES]]
    candidates = [name for code in codes for name in (code, code.partition("-")[0])]
    return next((language for name in candidates if (language := _code(name))), ENGLISH)


@lru_cache(maxsize=256)
def _code(language: str) -> str:
    """Return `code_of`, cached, since that reads the disk."""
    return code_of(language)


def unreadable_error() -> ProtocolError:
    """Return the error for a message that is not understood."""
    return ProtocolError(phrase("errors", "The server did not understand this message. Nothing has changed."))
