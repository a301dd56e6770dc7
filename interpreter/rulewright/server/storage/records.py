"""Records of a table in the log, as values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from rulewright.base.records import record
from rulewright.players.seating import PERSON, Seat


@record
class PinnedEdition:
    """Text of an edition, with all that it extends, when its table began; it stays whatever happens to the file.
    digest: of the rest; name: of the edition, or of its file; bases: names of the editions that it extends."""

    digest: str
    name: str
    bases: tuple[str, ...]
    text: str

    @classmethod
    def from_text(cls, name: str, bases: Sequence[str], text: str) -> PinnedEdition:
        """Pin an edition's text; the digest is of its name and bases, too."""
        whole = json.dumps([name, list(bases), text])
        return cls(hashlib.sha256(whole.encode()).hexdigest(), name, tuple(bases), text)


@record
class TableRecord:
    """Table as it was created. edition: digest of its text; hash: of the edition's rules; seats: a person's without a
    name is open."""

    id: int
    edition: str
    hash: str
    seed: int
    options: Mapping[str, str]
    seats: tuple[Seat, ...]

    @property
    def host(self) -> str:
        """Name of the first person at the device where the table began, or ''."""
        return next((seat.name for seat in self.seats if seat.player == PERSON and seat.name), "")


@record
class LoggedAnswer:
    """Row of a table's log. decision: id, or sort of a row that is no answer; take: chosen keys, or None for such a
    row, such as an undo."""

    seat: int
    decision: str
    take: tuple[str, ...] | None


@record
class Rematch:
    """Table that follows another one. next: its number; seats: for each of its seats, the number of that seat at the
    other table; by: name of whoever began it, or ''."""

    next: int
    seats: tuple[int, ...]
    by: str


@record
class Deadline:
    """Deadline of a decision. moment: public answers when it was set; at: seconds since 1970; spare: seconds that were
    left of the deadline before."""

    moment: int
    at: float
    spare: float


@record
class TokenGrant:
    """Access that a token gives. game: number of the table; purpose: as in `tokens`; seat: None if it is for no single
    one."""

    game: int
    purpose: str
    seat: int | None


@record
class TableLog:
    """Everything stored about a table except its edition. awaited, messages: as `Store` returns them; links: digests of
    the tokens of seats."""

    record: TableRecord
    people: Mapping[int, str]
    rows: Sequence[LoggedAnswer]
    rematch: Rematch | None
    awaited: Mapping[int, str]
    settings: Mapping[str, str]
    deadline: Deadline | None
    messages: Mapping[int, tuple[int, int, str, str]]
    links: frozenset[bytes]


def seats_to_json(seats: Sequence[Seat]) -> str:
    """Encode seats as the log stores them."""
    return json.dumps([{"name": seat.name, "player": seat.player, "role": seat.role} for seat in seats])


def seats_from_json(text: str) -> list[Seat]:
    """Decode seats from the log."""
    return [Seat(**seat) for seat in json.loads(text)]
