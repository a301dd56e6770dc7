"""What the log has of a table, as values: who sits there, what was answered, what it was agreed on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from rulewright.base.records import record
from rulewright.players.seating import PERSON, Seat


@record
class Pinned:
    """An edition as it was when a table began: its whole text, whatever becomes of its file."""

    digest: str
    name: str
    bases: tuple[str, ...]
    text: str

    @classmethod
    def of(cls, name: str, bases: Sequence[str], text: str) -> Pinned:
        whole = json.dumps([name, list(bases), text])
        return cls(hashlib.sha256(whole.encode()).hexdigest(), name, tuple(bases), text)


@record
class Record:
    """A table as it was created. hash: of the edition's rules; seats: a person's without a name is open."""

    id: int
    edition: str
    hash: str
    seed: int
    options: Mapping[str, str]
    seats: tuple[Seat, ...]

    @property
    def host(self) -> str:
        """The name of the first person at the device where it began, or ''."""
        return next((seat.name for seat in self.seats if seat.player == PERSON and seat.name), "")


@record
class LoggedAnswer:
    """An answer. take: its keys, or None where the seat took its last answer back."""

    seat: int
    decision: str
    take: tuple[str, ...] | None


@record
class Rematch:
    """The table that follows another one. seats: of each of its seats, which one of the other that was; by: the name
    of who began it, or ''."""

    next: int
    seats: tuple[int, ...]
    by: str


@record
class Deadline:
    """moment: how many answers were known to everybody when it was set; at: seconds since 1970; spare: seconds that
    were left at the moment before."""

    moment: int
    at: float
    spare: float


@record
class Entrance:
    """What a token opens."""

    game: int
    purpose: str
    seat: int | None


@record
class TableLog:
    """All that is kept of a table but its edition. awaited, messages: as `Store` tells them; links: the digests of
    the tokens with which its seats are played."""

    record: Record
    people: Mapping[int, str]
    rows: Sequence[LoggedAnswer]
    rematch: Rematch | None
    awaited: Mapping[int, str]
    settings: Mapping[str, str]
    deadline: Deadline | None
    messages: Mapping[int, tuple[int, int, str, str]]
    links: frozenset[bytes]


def seats_as_json(seats: Sequence[Seat]) -> str:
    return json.dumps([{"name": seat.name, "player": seat.player, "role": seat.role} for seat in seats])


def seats_in_json(text: str) -> list[Seat]:
    return [Seat(**seat) for seat in json.loads(text)]
