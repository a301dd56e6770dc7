"""Again with the same people: from a table that has ended to another one, where everybody has a seat."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.players.seating import PERSON, Seat
from rulewright.server import tokens
from rulewright.server.edition_registry import PlayableEdition
from rulewright.server.storage.database import TakenError
from rulewright.server.storage.records import Rematch
from rulewright.server.tables.table import Table, TableError
from rulewright.server.tables.table_registry import Beginning, Tables


@record
class Joined:
    """seat: the token of the seat at the other table, or where somebody has none, to watch there; host: its host's, for
    whoever began it. Of the two, whoever began it without a seat gets the host's alone; else ''."""

    seat: str
    host: str


async def again(tables: Tables, table: Table, seat: int | None, token: str, begins: bool) -> Joined:
    """Begin the other table, or sit down at it, if somebody has begun it. Whoever asks again gets the same.

    seat, token: whose, and with which token; None without a seat; begins: whether they may begin it: onlookers follow
    the others. Raises TableError, StoreError.
    """
    return await table.alone(lambda: _again(tables, table, seat, token, begins))


async def _again(tables: Tables, table: Table, seat: int | None, token: str, begins: bool) -> Joined:
    if table.game is None or not table.game.over:
        raise TableError(phrase("errors", "This game is not over."))
    # Whoever has the old link can work the new one out, on each of their devices.
    mine, host = (tokens.derived(token, purpose) for purpose in ("rematch", "rematch host"))
    if table.rematch is None:
        if not begins:
            raise TableError(phrase("errors", "Nobody has begun another game with the same people."))
        try:
            await _begin(tables, table, seat, mine, host)
        except TakenError:  # by way of another process
            table.rematch = await tables.kept(lambda store: store.rematch(table.record.id))
        table.tell()
    rematch = table.rematch
    assert rematch is not None
    if seat is not None:
        there = await tables.table(rematch.next)
        if await tables.kept(lambda store: store.entrance(mine)) is None:
            await there.sit(rematch.seats.index(seat), table.seats[seat].name, mine)
    if await tables.kept(lambda store: store.entrance(host)) is not None:
        return Joined("" if seat is None else mine, host)
    if seat is None:
        await tables.kept(lambda store: store.share(rematch.next, mine))
    return Joined(mine, "")


async def _begin(tables: Tables, table: Table, seat: int | None, mine: str, host: str) -> None:
    order = rotated(table.record.seats)
    seats = [_open(table.record.seats[number], table.seats[number].name if number == seat else "") for number in order]
    beginning = Beginning(host, {order.index(seat): mine} if seat is not None else {}, (table.record.id, order))
    offer = PlayableEdition(table.rules, table.pinned)
    options, seed = table.record.options, secrets.randbits(53)
    number = await tables.begin(offer, seats, options, seed, beginning, table.settings)
    table.rematch = Rematch(number, order, table.seats[seat].name if seat is not None else "")


def rotated(seats: Sequence[Seat]) -> tuple[int, ...]:
    """Which seat comes where: everybody one further, so that somebody else is first; virtual players stay behind."""
    moving = [number for number, seat in enumerate(seats) if seat.role is None]
    places = iter([*moving[1:], *moving[:1]])
    return tuple(next(places) if seat.role is None else number for number, seat in enumerate(seats))


def _open(seat: Seat, name: str) -> Seat:
    return Seat(name, PERSON) if seat.player == PERSON else seat
