"""Rematches: a new table for the same people, where everybody has a seat."""

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
from rulewright.server.tables.refusals import TableError
from rulewright.server.tables.table import Table
from rulewright.server.tables.table_analysis import SETTING as ANALYSIS
from rulewright.server.tables.table_registry import NewTable, TableRegistry


@record
class RematchTokens:
    """Tokens for a rematch, '' for none. seat: to play there, or to watch for somebody without a seat; host: for
    whoever began it. Somebody who began it without a seat gets only the host's."""

    seat: str
    host: str


async def join_rematch(
    tables: TableRegistry, table: Table, seat: int | None, token: str, begins: bool
) -> RematchTokens:
    """Begin a rematch, or take one's seat there if somebody has begun it; repeating it gives the same tokens.

    seat, token: of whoever asks; None without a seat; begins: they may begin it; spectators follow others. Raises
    TableError, StoreError.
    """
    return await table.run_exclusively(lambda: _join_rematch(tables, table, seat, token, begins))


async def _join_rematch(
    tables: TableRegistry, table: Table, seat: int | None, token: str, begins: bool
) -> RematchTokens:
    """Begin or join the next game of the same people; return the links to it. Parameters are those of `join_rematch`.
    Raises TableError."""
    if table.game is None or not table.game.over:
        raise TableError(phrase("errors", "This game is not over."))
    # Whoever has the old link can work the new one out, on each of their devices.
    own_token, host = (tokens.derived(token, purpose) for purpose in ("rematch", "rematch host"))
    if table.rematch is None:
        if not begins:
            raise TableError(phrase("errors", "Nobody has begun another game with the same people."))
        try:
            await _begin_table(tables, table, seat, own_token, host)
        except TakenError:  # by way of another process
            table.rematch = await tables.with_store(lambda store: store.rematch(table.record.id))
        table.notify()
    rematch = table.rematch
    assert rematch is not None
    if seat is not None:
        next_table = await tables.table(rematch.next)
        if await tables.with_store(lambda store: store.grant(own_token)) is None:
            await next_table.sit(rematch.seats.index(seat), table.seats[seat].name, own_token)
    if await tables.with_store(lambda store: store.grant(host)) is not None:
        return RematchTokens("" if seat is None else own_token, host)
    if seat is None:
        await tables.with_store(lambda store: store.share(rematch.next, own_token))
    return RematchTokens(own_token, "")


async def _begin_table(tables: TableRegistry, table: Table, seat: int | None, own_token: str, host: str) -> None:
    """Create the table of a rematch, with seats rotated."""
    order = rotate_seats(table.record.seats)
    seats = [
        _open_seat(table.record.seats[number], table.seats[number].name if number == seat else "") for number in order
    ]
    beginning = NewTable(host, {order.index(seat): own_token} if seat is not None else {}, (table.record.id, order))
    offer = PlayableEdition(table.rules, table.pinned)
    options, seed = table.record.options, secrets.randbits(53)
    settings = {name: value for name, value in table.settings.items() if name != ANALYSIS}
    number = await tables.create_with_tokens(offer, seats, options, seed, beginning, settings)
    table.rematch = Rematch(number, order, table.seats[seat].name if seat is not None else "")


def rotate_seats(seats: Sequence[Seat]) -> tuple[int, ...]:
    """Return for each seat of a rematch the number of its player's seat before: players move up by one, so that another
    one is first; virtual players stay."""
    moving = [number for number, seat in enumerate(seats) if seat.role is None]
    places = iter([*moving[1:], *moving[:1]])
    return tuple(next(places) if seat.role is None else number for number, seat in enumerate(seats))


def _open_seat(seat: Seat, name: str) -> Seat:
    """Return a seat of the next table: a person's with this name, or open with ''; others as they are."""
    return Seat(name, PERSON) if seat.player == PERSON else seat
