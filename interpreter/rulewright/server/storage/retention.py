"""What the log forgets: tables that nobody has visited for long, and people who want it.

A table knows the day on which somebody last opened one of its links. A person is a name at a seat, the link that the
seat is played with, and what was said there; answers are moves of a game, and stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.players.seating import PERSON, spare_names
from rulewright.server import tokens
from rulewright.server.storage.records import seats_as_json, seats_in_json
from rulewright.server.storage.schema import of_tables
from rulewright.server.storage.store import Store

DAY = 86_400
AT_ONCE = 100
"""Tables that are deleted in one transaction."""


@record
class Place:
    """Where somebody sits. edition: its name; created: when the table began, as ISO 8601 has it."""

    game: int
    seat: int
    edition: str
    created: str


def today(store: Store) -> int:
    """Days since 1970, by the clock of the database. Raises StoreError."""
    return int(store.now() // DAY)


def visit(store: Store, games: Sequence[int]) -> None:
    """Somebody is at these tables. Raises StoreError."""
    day = today(store)
    with store.writing():
        for game in games:
            store.database.execute(
                "INSERT INTO visits SELECT id, ? FROM games WHERE id = ? "
                "ON CONFLICT (game) DO UPDATE SET day = excluded.day",
                (day, game),
            )


def expire(store: Store, days: int) -> list[int]:
    """Delete some of the tables that nobody has visited for so many days; which ones, none when all are gone. What is
    older than this count is taken as visited today. Raises StoreError."""
    day = today(store)
    with store.writing():
        execute = store.database.execute
        execute("INSERT INTO visits SELECT id, ? FROM games WHERE id NOT IN (SELECT game FROM visits)", (day,))
        old = "SELECT game FROM visits WHERE day <= ? ORDER BY day LIMIT ?"
        found = [int(game) for (game,) in execute(old, (day - days, AT_ONCE))]
        for game in found:
            execute("DELETE FROM rematches WHERE next = ?", (game,))
            for table in of_tables():
                execute(f"DELETE FROM {table} WHERE game = ?", (game,))
            execute("DELETE FROM games WHERE id = ?", (game,))
    return found


def places(store: Store, name: str) -> list[Place]:
    """Where somebody of that name sits, the oldest table first; nobody can tell whether it is always the same person.
    Raises StoreError."""
    execute = store.database.execute
    with store.writing():
        tables = execute("SELECT id, seats, created, name FROM games JOIN editions ON edition = digest ORDER BY id")
        sat = {(game, seat): told for game, seat, told in execute("SELECT game, seat, name FROM people")}
    found = []
    for game, told, created, edition in tables:
        for number, seat in enumerate(seats_in_json(told)):
            if seat.player == PERSON and _same(sat.get((game, number), seat.name), name):
                found.append(Place(game, number, edition, created))
    return found


def by_link(store: Store, token: str) -> Place | None:
    """Where somebody sits who has that link; None where it is no link of a seat. Raises StoreError."""
    entrance = store.entrance(token)
    if entrance is None or entrance.purpose != tokens.SEAT or entrance.seat is None:
        return None
    with store.writing():
        [(created, edition)] = store.database.execute(
            "SELECT created, name FROM games JOIN editions ON edition = digest WHERE id = ?", (entrance.game,)
        )
    return Place(entrance.game, entrance.seat, edition, created)


def forget(store: Store, found: Sequence[Place]) -> None:
    """Who sits there gets a name that nobody has chosen; their links open nothing any more, and what they said is gone.
    Raises StoreError."""
    if not store.database.shared:  # else SQLite leaves deleted text in its file until something is written over it
        store.database.execute("PRAGMA secure_delete = ON")
    for place in found:
        with store.writing():
            _forget(store, place)
    if not store.database.shared:
        store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _forget(store: Store, place: Place) -> None:
    execute, who = store.database.execute, (place.game, place.seat)
    seats = seats_in_json(execute("SELECT seats FROM games WHERE id = ?", (place.game,))[0][0])
    sat: dict[int, str] = dict(execute("SELECT seat, name FROM people WHERE game = ?", (place.game,)))
    name = next(spare_names([sat.get(number, seat.name) for number, seat in enumerate(seats)]))
    if place.seat in sat:
        execute("UPDATE people SET name = ? WHERE game = ? AND seat = ?", (name, *who))
    if seats[place.seat].name:
        seats[place.seat] = replace(seats[place.seat], name=name)
        execute("UPDATE games SET seats = ? WHERE id = ?", (seats_as_json(seats), place.game))
    execute("DELETE FROM tokens WHERE game = ? AND seat = ? AND purpose = ?", (*who, tokens.SEAT))
    execute("DELETE FROM messages WHERE game = ? AND seat = ?", who)
    store.database.changed(place.game)


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
