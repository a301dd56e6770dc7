"""What a reader is shown, as the server says it: one document for each reader, of which only changes are sent.

spec/PROTOCOL.md says what each field means. What is as usual is left out (`None`, nothing, no); a page fills it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import NODEFAULT, Raw, Struct, structs
from msgspec.structs import astuple


class Fragment(Struct, omit_defaults=True, frozen=True):
    """A part of what is sent."""


# ── the table now ──


class NamedPart(Fragment, frozen=True):
    """A part of a line that names a seat, or pieces: by their name in the edition, and how many."""

    text: str
    seat: int | None = None
    piece: str = ""
    count: int = 1


class Line(Fragment, frozen=True):
    """A line of the log: its text, or its parts where something is named in it. heading: whether it stands over the
    lines that follow it; round:
    0 before the first; step: which one brought it, from 0."""

    text: str = ""
    parts: tuple[str | NamedPart, ...] = ()
    heading: bool = False
    round: int = 0
    step: int = 0


class ZoneNow(Fragment, frozen=True):
    """pieces: names, bottom first; None where only their number may be known, which `hidden` says in words; known: the
    names of those that the reader knows all the same."""

    zone: str
    count: int = 0
    owner: int | None = None
    word: str = ""
    pieces: tuple[str, ...] | None = None
    hidden: str = ""
    known: tuple[str, ...] = ()


class ScoreNow(Fragment, frozen=True):
    """told: what is known of the points, in words; points that may not be known are None."""

    told: str
    lines: tuple[tuple[str, int | float | None], ...]
    total: int | float | None = None


class Offered(Fragment, frozen=True):
    """One of the answers. label: where it is not simply the piece's, or the key; count: how many equal ones there are;
    piece, word: where the key does not name them; owner: the seat in whose zone it
    lies; place: where it lies in its zone, from 1, if that tells it apart from those like it."""

    key: str
    label: str = ""
    count: int = 1
    piece: str = ""
    zone: str = ""
    words: str = ""
    word: str = ""
    place: int = 0
    owner: int | None = None


class Asked(Fragment, frozen=True):
    """What a seat is asked. zone, words: where all choices lie, or of which list all are; wanted: how many to take, in
    words; none: what taking nothing is called; passage: where the rulebook has the rule; about: the pieces in the
    prompt, by name; among: the seats that are still in; named: of each of these the last number that it has named."""

    question: int
    kind: str
    prompt: str
    least: int
    most: int
    choices: tuple[Offered, ...]
    zone: str = ""
    words: str = ""
    none: str = ""
    wanted: str = ""
    rule: str = ""
    passage: str = ""
    about: tuple[str, ...] = ()
    among: tuple[int, ...] = ()
    named: tuple[int | None, ...] = ()


class Placed(Fragment, frozen=True):
    """A seat in the final standings. place: its rank, as the reader says it; ties: what decided between equal points,
    with what it is for this seat."""

    seat: int
    rank: int
    place: str
    total: int | float
    lines: tuple[tuple[str, int | float], ...]
    ties: tuple[tuple[str, str], ...] = ()


class RoundPoints(Fragment, frozen=True):
    """The points of all seats at the end of a round, as far as a reader knew them then."""

    round: int
    points: tuple[int | float | None, ...]


class Now(Fragment, frozen=True):
    """All that a reader may see of the game. zones: by name, owner and word; scores: by seat, where they are known."""

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
    undo: bool = False
    held: float = 0
    deadline: float = 0
    standings: tuple[Placed, ...] = ()
    asked: Asked | None = None
    sealed: tuple[str, ...] = ()
    steps: int = 0
    result: str = ""
    curve: tuple[RoundPoints, ...] = ()
    trouble: str = ""


# ── the whole ──


class Sitting(Fragment, frozen=True):
    """Who sits at a seat. kind: 'person', 'bot' or 'role'; player: the bot's kind; awaited: who sat here at the table
    before, while nobody does; away: whether the computer plays for a person; conceded: whether they have given up."""

    name: str
    kind: str
    player: str = ""
    awaited: str = ""
    away: bool = False
    conceded: bool = False


class HostLinks(Fragment, frozen=True):
    """For the host: tokens that can be given away. group: for whoever comes first, or ''; invites: by seat."""

    invites: Mapping[str, str]
    watch: str
    group: str = ""


class ChatMessage(Fragment, frozen=True):
    """What somebody at the table has said: a text, or a gesture by its name. at: seconds since 1970."""

    seat: int
    at: int
    text: str = ""
    gesture: str = ""


class TableDocument(Fragment, frozen=True):
    """you: what the reader's token is for; inviter: who began the table, if they sit at it; away: seats of people who
    are not there, each with the time since when, in seconds since 1970, or 0 for longer than is known; rematch: who
    wants to play again with the same people, or '' where they have no seat; clock: seconds for each move; notices: what
    people should know of who plays; silent: whether messages are turned off, else they are in `messages`, by number;
    table: what the game is made of; now: the game, once it has begun, as everybody sees it; own: what the reader's seat
    sees otherwise, see `seen_with`. A host who sits at the same device has none of the last three."""

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
    """Lines from number `start` on: what stood there before is replaced."""

    start: int
    lines: tuple[Line, ...]


class Update(Fragment, frozen=True):
    """A change of one reader's document, as a merge patch (RFC 7386). number: 1 is a change of an empty document, and
    each number follows the last."""

    number: int
    change: Mapping[str, Any]
    reader: int = 0
    log: Raw | LogChange | None = None


class Reply(Fragment, frozen=True, tag_field="type"):
    """A message of the server. reader: which token it is for, as the device counts them."""


class Updates(Reply, frozen=True, tag="updates"):
    """For all readers at a device at once."""

    of: tuple[Update, ...]


class Refusal(Reply, frozen=True, tag="refused"):
    """gone: this token opens nothing, or no more."""

    text: str
    reader: int = 0
    gone: bool = False


class SeatGiven(Reply, frozen=True, tag="seated"):
    token: str
    reader: int = 0


class Replaced(Reply, frozen=True, tag="replaced"):
    seat: int
    token: str
    reader: int = 0


class Kept(Reply, frozen=True, tag="kept"):
    question: int
    reader: int = 0


class Past(Reply, frozen=True, tag="past"):
    """A step of the game, counted from 0, as the reader could see it then, and the lines by which the log grew."""

    step: int
    state: Now
    lines: tuple[Line, ...]
    reader: int = 0


class Reviewed(Reply, frozen=True, tag="reviewed"):
    """One of a seat's decisions, looked at after the game. number: from 0, of so many; offered, taken: in words; lines:
    what came of it, until the seat was asked again; step: the one to look back to."""

    number: int
    count: int
    step: int
    prompt: str
    offered: tuple[str, ...]
    taken: str
    lines: tuple[Line, ...]
    reader: int = 0


class RulingTold(Fragment, frozen=True):
    title: str
    text: str


class LessonLine(Fragment, frozen=True):
    """What a learner is told; said: whether it explains what has happened; heading: whether it stands over the lines
    that follow it."""

    text: str
    said: bool = False
    heading: bool = False


class ExampleTold(Fragment, frozen=True):
    """lesson: the number of the lesson in which one plays it, from 0."""

    lesson: int
    title: str
    text: str
    lines: tuple[LessonLine, ...]


class RuleTold(Fragment, frozen=True):
    title: str
    text: str
    passage: str
    rulings: tuple[RulingTold, ...] = ()
    examples: tuple[ExampleTold, ...] = ()


class Explained(Reply, frozen=True, tag="explained"):
    """carries: what the words of a piece have, each with what it is called, as in 'Price', '2 wood and 1 clay'."""

    what: str
    name: str
    told: tuple[RuleTold, ...]
    reader: int = 0
    carries: tuple[tuple[str, str], ...] = ()


class LeadsTold(Fragment, frozen=True):
    """What an answer leads to, in words. perhaps: what was so in all tries, and need not be so; idle: whether nothing
    comes of it, unlike of others; why: what the log would tell then, or ''; warning: why it is asked once more before
    it is given, or ''."""

    sure: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    idle: bool = False
    why: str = ""
    warning: str = ""


class Tried(Reply, frozen=True, tag="tried"):
    """leads: by key, '' for what was taken as a whole, or for taking nothing; doubt: what `perhaps` means."""

    question: int
    take: tuple[str, ...] = ()
    leads: Mapping[str, LeadsTold] = {}
    doubt: str = ""
    reader: int = 0


class Rematch(Reply, frozen=True, tag="rematch"):
    """The way to the next table. token: to play there, or without a seat to watch, or '' for its host; host: of that
    table, for whoever began it, or ''."""

    token: str = ""
    host: str = ""
    reader: int = 0


class Shared(Reply, frozen=True, tag="shared"):
    token: str
    reader: int = 0


class Reported(Reply, frozen=True, tag="reported"):
    """A file about a fault, for whoever can mend it."""

    report: Mapping[str, Any]
    reader: int = 0


class Saved(Reply, frozen=True, tag="save"):
    save: Mapping[str, Any]
    reader: int = 0


ServerMessage = (
    Updates
    | Refusal
    | SeatGiven
    | Replaced
    | Kept
    | Past
    | Explained
    | Tried
    | Shared
    | Reported
    | Saved
    | Rematch
    | Reviewed
)


# ── changes ──


_NESTED = (Fragment, dict)
_MISSING = object()


def change(before: Fragment | Mapping[str, Any] | None, after: Fragment | Mapping[str, Any]) -> dict[str, Any]:
    """What turns one part into the other, as a merge patch (RFC 7386): what is gone, or is as usual again, is None."""
    if isinstance(after, Fragment) and type(before) is type(after):
        return _changed(before, after)
    old, new = fields(before), fields(after)
    found: dict[str, Any] = {name: None for name in old if name not in new}
    for name, value in new.items():
        known = old.get(name, _MISSING)
        if known is not value and known != value:
            found[name] = _turned(known, value)
    return found


def _changed(before: Fragment, after: Fragment) -> dict[str, Any]:
    """The same of two parts of one type."""
    found: dict[str, Any] = {}
    for (name, usual), known, value in zip(_usual(type(after)), astuple(before), astuple(after), strict=True):
        if known is not value and known != value:
            found[name] = None if value == usual else value if known == usual else _turned(known, value)
    return found


def _turned(known: Any, value: Any) -> Any:
    """The change of a field, or where it is no part itself, what it is now."""
    nested = isinstance(value, _NESTED) and isinstance(known, _NESTED)
    return change(known, value) if nested else value


def fields(part: Fragment | Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The fields of a part that are sent."""
    if isinstance(part, Fragment):
        own = zip(_usual(type(part)), astuple(part), strict=True)
        return {name: value for (name, usual), value in own if value is not usual and value != usual}
    return part or {}


def merged(before: Any, patch: Any) -> Any:
    """A JSON value after a merge patch (RFC 7386): what a page makes of changes."""
    if not isinstance(patch, Mapping):
        return patch
    after = dict(before) if isinstance(before, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        else:
            after[name] = merged(after.get(name), value)
    return after


def seen_with(now: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """What a seat sees of the game: what everybody does, but for what is its own. Of zones and scores, those that are
    named there are other ones; any other field is."""
    parts = {name: {**now.get(name, {}), **own[name]} for name in ("zones", "scores") if name in own}
    return {**now, **own, **parts}


@cache
def _usual(type_: type[Fragment]) -> list[tuple[str, Any]]:
    """The fields of a part, each with what it usually is."""
    known = ((field, field.default_factory) for field in structs.fields(type_))
    return [(field.name, field.default if made is NODEFAULT else made()) for field, made in known]
