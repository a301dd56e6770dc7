"""Deletion of old tables and of personal data.

A table has the day of its last visit. A person is a name at a seat, the link with which the seat is played, and their
chat messages; answers are moves of a game and stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.players.seating import PERSON, spare_names
from rulewright.server import tokens
from rulewright.server.storage.records import seats_from_json, seats_to_json
from rulewright.server.storage.schema import tables_of_games
from rulewright.server.storage.store import Store

DAY_SECONDS = 86_400
MAX_BATCH = 100
"""Tables deleted in one transaction."""


@record
class SeatRecord:
    """Seat that somebody took. edition: its name; created: when the table began, in ISO 8601."""

    game: int
    seat: int
    edition: str
    created: str


def today(store: Store) -> int:
    """Return the database's day, counted from 1970. Raises StoreError."""
    return int(store.now() // DAY_SECONDS)


def record_visits(store: Store, games: Sequence[int]) -> None:
    """Note that somebody is at these tables today. Raises StoreError."""
    day = today(store)
    with store.writing():
        for game in games:
            store.database.execute(
                "INSERT INTO visits SELECT id, ? FROM games WHERE id = ? "
                "ON CONFLICT (game) DO UPDATE SET day = excluded.day",
                (day, game),
            )


def delete_expired(store: Store, days: int) -> list[int]:
    """Delete some of the tables not visited for so many days; return these, none when all are gone. Tables from before
    visits were counted count as visited today. Raises StoreError."""
    day = today(store)
    with store.writing():
        execute = store.database.execute
        execute("INSERT INTO visits SELECT id, ? FROM games WHERE id NOT IN (SELECT game FROM visits)", (day,))
        old = "SELECT game FROM visits WHERE day <= ? ORDER BY day LIMIT ?"
        expired = [int(game) for (game,) in execute(old, (day - days, MAX_BATCH))]
        for game in expired:
            execute("DELETE FROM rematches WHERE next = ?", (game,))
            for table in tables_of_games():
                execute(f"DELETE FROM {table} WHERE game = ?", (game,))
            execute("DELETE FROM games WHERE id = ?", (game,))
    return expired


def find_by_name(store: Store, name: str) -> list[SeatRecord]:
    """List seats taken under a name, oldest table first; they may belong to different people. Raises StoreError."""
    execute = store.database.execute
    with store.writing():
        tables = execute("SELECT id, seats, created, name FROM games JOIN editions ON edition = digest ORDER BY id")
        names = {(game, seat): seats_json for game, seat, seats_json in execute("SELECT game, seat, name FROM people")}
    result = []
    for game, seats_json, created, edition in tables:
        for number, seat in enumerate(seats_from_json(seats_json)):
            if seat.player == PERSON and _same_name(names.get((game, number), seat.name), name):
                result.append(SeatRecord(game, number, edition, created))
    return result


def find_by_link(store: Store, token: str) -> SeatRecord | None:
    """Find the seat of a link; None if it is no link of a seat. Raises StoreError."""
    grant = store.grant(token)
    if grant is None or grant.purpose != tokens.SEAT or grant.seat is None:
        return None
    with store.writing():
        [(created, edition)] = store.database.execute(
            "SELECT created, name FROM games JOIN editions ON edition = digest WHERE id = ?", (grant.game,)
        )
    return SeatRecord(grant.game, grant.seat, edition, created)


def erase(store: Store, seats: Sequence[SeatRecord]) -> None:
    """Replace the people's names at some seats, and delete their links and messages. Raises StoreError."""
    if not store.database.shared:  # else SQLite leaves deleted text in its file until something is written over it
        store.database.execute("PRAGMA secure_delete = ON")
    for place in seats:
        with store.writing():
            _erase_seat(store, place)
    if not store.database.shared:
        store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _erase_seat(store: Store, place: SeatRecord) -> None:
    """Replace a seat's name, and delete its links and messages."""
    execute, key = store.database.execute, (place.game, place.seat)
    seats = seats_from_json(execute("SELECT seats FROM games WHERE id = ?", (place.game,))[0][0])
    names: dict[int, str] = dict(execute("SELECT seat, name FROM people WHERE game = ?", (place.game,)))
    name = next(spare_names([names.get(number, seat.name) for number, seat in enumerate(seats)]))
    if place.seat in names:
        execute("UPDATE people SET name = ? WHERE game = ? AND seat = ?", (name, *key))
    if seats[place.seat].name:
        seats[place.seat] = replace(seats[place.seat], name=name)
        execute("UPDATE games SET seats = ? WHERE id = ?", (seats_to_json(seats), place.game))
    execute("DELETE FROM tokens WHERE game = ? AND seat = ? AND purpose = ?", (*key, tokens.SEAT))
    execute("DELETE FROM messages WHERE game = ? AND seat = ?", key)
    store.database.notify_changed(place.game)


def _same_name(one: str, other: str) -> bool:
    """Return whether two names differ in case and blanks at most."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
