"""Document that a reader is shown; only changes of it are sent.

spec/PROTOCOL.md explains each field. Default values (`None`, empty, false) are left out; a page fills them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Raw, Struct


class Fragment(Struct, omit_defaults=True, frozen=True):
    """Part of a message."""


# ── the table now ──


class NamedPart(Fragment, frozen=True):
    """Part of a log line that names a seat, or pieces: by their name in the edition, and how many."""

    text: str
    seat: int | None = None
    piece: str = ""
    count: int = 1


class Line(Fragment, frozen=True):
    """Line of the log: its text, or its parts if something is named in it.

    - heading: it stands over the lines that follow
    - round: 0 before the first
    - step: number of the step that brought it, from 0
    - sentence: index of its text in the program, if it names nothing but seats and pieces
    - notation: its short form, with actor: who acted then, and answers: the number given before
    """

    text: str = ""
    parts: tuple[str | NamedPart, ...] = ()
    heading: bool = False
    round: int = 0
    step: int = 0
    sentence: int | None = None
    notation: str = ""
    actor: int | None = None
    answers: int = 0


class ZoneNow(Fragment, frozen=True):
    """Zone with its contents. pieces: names, bottom first; None if only their number may be known, described by
    `hidden`; known: names of those that the reader knows all the same."""

    zone: str
    count: int = 0
    owner: int | None = None
    word: str = ""
    pieces: tuple[str, ...] | None = None
    hidden: str = ""
    known: tuple[str, ...] = ()


class ScoreNow(Fragment, frozen=True):
    """Score of a seat. told: the known points in words; points that may not be known are None."""

    told: str
    lines: tuple[tuple[str, int | float | None], ...]
    total: int | float | None = None


class Offered(Fragment, frozen=True):
    """Choice of a decision.

    - label: if it is not simply the piece's, or the key
    - count: equal ones
    - piece, word: if the key does not name them
    - owner: seat in whose zone it is
    - place: position in its zone from 1, if that distinguishes it
    """

    key: str
    label: str = ""
    count: int = 1
    piece: str = ""
    zone: str = ""
    words: str = ""
    word: str = ""
    place: int = 0
    owner: int | None = None


class ChainPick(Fragment, frozen=True):
    """Pick that leads from one question to the next. key: of what was picked, or would be; kind, choices, zone, words:
    of the question that it answered, or of the one that it leads to."""

    key: str
    kind: str
    choices: tuple[Offered, ...]
    zone: str = ""
    words: str = ""


class Asked(Fragment, frozen=True):
    """Decision of a seat.

    - question: its number, which an answer quotes
    - kind: as of `Decision`
    - least, most: how many to choose
    - rule: text of the rule that applies
    - zone, words: the common zone or word list of all choices
    - wanted: how many to choose, in words
    - none, some, all: labels of choosing nothing, something, everything
    - none_at: zone that stands for nothing
    - passage: anchor of the rule in the rulebook
    - about: pieces in the prompt, by name
    - among: seats still in
    - named: the last number that each of these has named
    - purse: where numbers are bid, the counter of the seat that the prompt tells, and what it holds
    - into: zone to which an answer moves a piece: the reader's, or that of the chosen word; '' if the rules do not say
    - picked: the seat's picks that led to this question, the newest first
    - finish: the question that comes once everything is taken, where it is about lines of a score pad
    """

    question: int
    kind: str
    prompt: str
    least: int
    most: int
    choices: tuple[Offered, ...]
    zone: str = ""
    words: str = ""
    none: str = ""
    some: str = ""
    all: str = ""
    none_at: str = ""
    wanted: str = ""
    rule: str = ""
    passage: str = ""
    about: tuple[str, ...] = ()
    among: tuple[int, ...] = ()
    named: tuple[int | None, ...] = ()
    purse: tuple[str, int] | None = None
    into: str = ""
    picked: tuple[ChainPick, ...] = ()
    finish: ChainPick | None = None


class Placed(Fragment, frozen=True):
    """Seat in the final standings. place: its rank in words; told, margin: what it is told of its place if it has not
    won, and how far the best is ahead; lines: points by scoring line; ties: what decided between equal points, and the
    seat's value of it."""

    seat: int
    rank: int
    place: str
    total: int | float
    lines: tuple[tuple[str, int | float], ...]
    ties: tuple[tuple[str, str], ...] = ()
    told: str = ""
    margin: str = ""


class Move(Fragment, frozen=True):
    """Move of pieces from one zone to another, both named as in `zones`. pieces: names of those that the reader sees
    there or here; hidden: number of the others."""

    source: str
    target: str
    pieces: tuple[str, ...] = ()
    hidden: int = 0


class ProposalNow(Fragment, frozen=True):
    """Proposal of a seat: a draw, or to take its last turn back ('draw', 'undo'). number: which an answer to it quotes;
    asked: seats that have not agreed yet."""

    number: int
    seat: int
    what: str
    asked: tuple[int, ...]


class PastProposal(Fragment, frozen=True):
    """Proposal that has been made, by `seat`. what: as in `ProposalNow`; reply: 'agree' or 'refuse', '' for none;
    replier: the seat that replied, the proposer's if it was withdrawn, None for computers that agreed."""

    seat: int
    what: str
    reply: str = ""
    replier: int | None = None


class SheetRow(Fragment, frozen=True):
    """Row of a score sheet: a number for each seat, None where the rules give none."""

    title: str
    values: tuple[int | float | None, ...]


class RoundPoints(Fragment, frozen=True):
    """Points of all seats at the end of a round, as far as a reader knew them then. sources: what has brought those of
    this round, if several things have, and if it is told."""

    round: int
    points: tuple[int | float | None, ...]
    sources: tuple[SheetRow, ...] = ()


class Now(Fragment, frozen=True):
    """All that a reader may see of the game.

    - waiting: awaited seats
    - ready: seats that have answered in an `at once`, while others have not
    - zones: by name, owner and word
    - counters: by name, in words: of the table, of each seat, or by word
    - powers: of each seat
    - scores: by seat, if known
    - owners: names of pieces, each with its seat
    - measures: those beside names, by name, of each seat
    - leading: by zone, the seats that lead with what lies there
    - pad: for each seat, what the lines of its score pad have brought, None while they are free
    - worth: what they would bring now, for seats that decide
    - values_before: in a race, what each seat had before that changed last
    - laid_by: by row that everybody lays pieces into, the seat that each came from, -1 for none
    - apart_pieces: by zone, the reader's pieces that lie apart there
    - winning: by board, the spaces with which the winners have won
    - threatened: by board, where somebody is in danger
    - lit, pale: by board, what lights up, and where pieces are pale
    - areas: by board, the spaces that belong to each seat
    - undo: the reader's seat may take its last answer back
    - held: seconds for which a bot's answer waits for that
    - deadline: of the decision, in seconds since 1970, 0 for none
    - standings: once the game is over
    - asked: the decision of the reader's seat
    - sealed: its pieces that are chosen but not shown yet
    - laid: the zone where these will lie
    - steps: number of steps so far
    - moves: of the last step, in order
    - result: of the game in words, once it is over
    - headline, reason: who has won and why
    - curve: points after each round, once it is over
    - sources: what has brought points
    - final: measures at the end
    - trouble: why the game cannot go on
    - proposal: what somebody proposes
    - proposed: all that has been proposed, in order
    - may: what the reader's seat may do besides answering: propose a draw, propose to take back, call the game off
    """

    round: int = 0
    phase: str = ""
    over: bool = False
    waiting: tuple[int, ...] = ()
    ready: tuple[int, ...] = ()
    zones: Mapping[str, ZoneNow] = {}
    counters: Mapping[str, str | tuple[str, ...] | Mapping[str, str]] = {}
    powers: tuple[tuple[str, ...], ...] = ()
    scores: Mapping[str, ScoreNow] = {}
    owners: Mapping[str, int] = {}
    measures: Mapping[str, tuple[int | float | None, ...]] = {}
    leading: Mapping[str, tuple[int, ...]] = {}
    pad: tuple[tuple[int | float | None, ...], ...] = ()
    worth: tuple[tuple[int, ...], ...] = ()
    values_before: tuple[int, ...] = ()
    laid_by: Mapping[str, tuple[int, ...]] = {}
    apart_pieces: Mapping[str, tuple[str, ...]] = {}
    winning: Mapping[str, tuple[str, ...]] = {}
    threatened: Mapping[str, tuple[str, ...]] = {}
    lit: Mapping[str, tuple[str, ...]] = {}
    pale: Mapping[str, tuple[str, ...]] = {}
    areas: Mapping[str, tuple[tuple[str, ...], ...]] = {}
    undo: bool = False
    held: float = 0
    deadline: float = 0
    standings: tuple[Placed, ...] = ()
    asked: Asked | None = None
    sealed: tuple[str, ...] = ()
    laid: str = ""
    steps: int = 0
    moves: tuple[Move, ...] = ()
    result: str = ""
    headline: str = ""
    reason: str = ""
    curve: tuple[RoundPoints, ...] = ()
    sources: tuple[SheetRow, ...] = ()
    final: tuple[SheetRow, ...] = ()
    trouble: str = ""
    proposal: ProposalNow | None = None
    proposed: tuple[PastProposal, ...] = ()
    may: tuple[str, ...] = ()


# ── the whole ──


class Sitting(Fragment, frozen=True):
    """Seat and who plays it.

    - kind: 'person', 'bot' or 'role'
    - player: kind of bot
    - awaited: who sat here at the previous table, while nobody does
    - away: the computer plays for a person
    - conceded: they have given up
    """

    name: str
    kind: str
    player: str = ""
    awaited: str = ""
    away: bool = False
    conceded: bool = False


class HostLinks(Fragment, frozen=True):
    """Tokens that a host can give away. group: for whoever comes first, or ''; invites: by seat."""

    invites: Mapping[str, str]
    watch: str
    group: str = ""


class ChatMessage(Fragment, frozen=True):
    """Chat message: a text, or the name of a gesture. at: seconds since 1970."""

    seat: int
    at: int
    text: str = ""
    gesture: str = ""


class TableDocument(Fragment, frozen=True):
    """Whole document of a reader.

    - you: purpose of the reader's token
    - inviter: who began the table, if they sit there
    - away: absent people's seats, with the time since when in seconds since 1970, or 0 if longer than known
    - rematch: who began a rematch, '' if they have no seat
    - clock: seconds for each move
    - notices: about who plays
    - silent: chat is off, else `messages` has it by number
    - table: what never changes in the game
    - now: the game as everybody sees it, once it has begun
    - own: what the reader's seat sees differently, see `merge_own`

    A host whose seat is at the same device has none of the last three.
    """

    you: str
    language: str
    direction: str
    edition: str
    title: str
    seats: tuple[Sitting, ...]
    seat: int | None = None
    begun: bool = False
    inviter: str = ""
    chosen: Mapping[str, str] = {}
    away: Mapping[str, int] = {}
    rematch: str | None = None
    clock: float = 0
    notices: tuple[str, ...] = ()
    links: HostLinks | None = None
    silent: bool = False
    messages: Mapping[str, ChatMessage] = {}
    table: Mapping[str, Any] | None = None
    now: Now | None = None
    own: Mapping[str, Any] = {}


# ── what is sent ──


class LogChange(Fragment, frozen=True):
    """Lines from number `start` on, replacing those before."""

    start: int
    lines: tuple[Line, ...]


class Update(Fragment, frozen=True):
    """Change of one reader's document, as a merge patch (RFC 7386). number: 1 changes an empty document; each follows
    the last."""

    number: int
    change: Mapping[str, Any]
    reader: int = 0
    log: Raw | LogChange | None = None
