"""The log of all tables: what is acknowledged is in it, and states are made from it again.

Of a game, nothing in it is ever changed: a table is created, its seats are taken, its answers are added. Only a lost
link ends, when its seat gets another, and seats that nobody has taken can become the computer's. That (game, number) is
the key of an answer keeps two answers from being the same one, whoever gives them, from whatever process.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.players.seating import Seat
from rulewright.server import tokens
from rulewright.server.storage.database import (
    AnswerRow,
    Database,
    DatabaseError,
    DiskFullError,
    ExistsError,
    FullError,
    Row,
    StoreError,
    damaged,
    disk_full,
    taken,
)
from rulewright.server.storage.records import (
    Deadline,
    Entrance,
    LoggedAnswer,
    Pinned,
    Record,
    Rematch,
    TableLog,
    seats_as_json,
    seats_in_json,
)
from rulewright.server.storage.sqlite_file import SqliteFile

CLOCK = "clock"
"""The setting: seconds for each move."""
_TOO_FAR = """
    SELECT deadlines.game, settings.value FROM deadlines JOIN settings ON settings.game = deadlines.game
    WHERE settings.name = ?
    AND deadlines.at > CAST(? AS DOUBLE PRECISION) + CAST(settings.value AS DOUBLE PRECISION) + 1
"""
"""The tables whose deadlines are further away than their clocks give."""
ROOM = 16_384
"""Bytes that there must be room for."""
_MENDING = """
    INSERT INTO editions VALUES (?, ?, ?, ?) ON CONFLICT (digest) DO UPDATE
    SET name = excluded.name, bases = excluded.bases, text = excluded.text
    WHERE editions.name <> excluded.name OR editions.bases <> excluded.bases OR editions.text <> excluded.text
"""
"""What adds an edition: one that is there is written anew where it is damaged."""


@record
class NewAnswer:
    """An answer that a store is to add, as something that it does. number: how many answers the table has."""

    game: int
    number: int
    row: LoggedAnswer

    def __call__(self, store: Store) -> None:
        store.answer(self.game, self.number, self.row)

    def values(self) -> AnswerRow:
        take = None if self.row.take is None else json.dumps(self.row.take)
        return self.game, self.number, self.row.seat, self.row.decision, take


class Store:
    """What a server does with the log, in whatever database. It may be used from any thread, by one at a time."""

    def __init__(self, where: Path | str) -> None:
        """Open the log, or begin one: in a file, or at the address of a PostgreSQL server. Raises StoreError."""
        self.database: Database = SqliteFile(where) if isinstance(where, Path) else _postgresql(where)
        self._full = False  # whether something could not be kept, for lack of room
        self._within, self._fails = False, False  # what is done `at_once`, and whether something of it cannot be kept

    def close(self) -> None:
        self.database.close()

    def check_news(self) -> None:
        """Find out whether servers of the same log hear of each other. Raises StoreError."""
        self.database.check_news()

    # ── writing ──

    def add(self, answers: Sequence[NewAnswer]) -> set[int]:
        """Add answers of different tables; the tables to which one was added: elsewhere somebody was faster. Raises
        UnknownEndError, StoreError: none was added then."""
        with self._telling():
            return self.database.add(sorted(new.values() for new in answers))  # in one order, wherever it is done

    def create(
        self,
        edition: Pinned,
        rules: str,
        seats: Sequence[Seat],
        options: Mapping[str, str],
        seed: int,
        entrances: Mapping[str, tuple[str, int | None]],
        after: tuple[int, Sequence[int]] | None = None,
    ) -> int:
        """A new table; its number. rules: the hash of the edition's; entrances: token -> purpose and seat; after: the
        table that it follows, and which seat of that each of its seats was.

        Raises TakenError where another table follows that one, StoreError.
        """
        told = seats_as_json(seats)
        with self.writing():
            self._run(
                _MENDING,
                edition.digest,
                edition.name,
                json.dumps(edition.bases),
                edition.text,
            )
            created = datetime.fromtimestamp(self.database.now(), UTC).isoformat(timespec="seconds")
            [(game,)] = self._run(
                "INSERT INTO games (edition, hash, seed, options, seats, created) VALUES (?, ?, ?, ?, ?, ?) "
                "RETURNING id",
                edition.digest,
                rules,
                str(seed),
                json.dumps(dict(options)),
                told,
                created,
            )
            for token, (purpose, seat) in entrances.items():
                self._add_token(token, game, purpose, seat)
            if after is not None:
                self._run("INSERT INTO rematches VALUES (?, ?, ?)", after[0], game, json.dumps(after[1]))
                self.database.changed(after[0])
        return int(game)

    def sit(self, game: int, seat: int, name: str, token: str) -> None:
        """Somebody takes a seat, once. Raises TakenError, StoreError."""
        with self.writing():
            self._run("INSERT INTO people VALUES (?, ?, ?)", game, seat, name)
            self._add_token(token, game, tokens.SEAT, seat)
            self.database.changed(game)

    def fill(self, game: int, seats: Sequence[Seat], filled: Sequence[int]) -> None:
        """Before the game, seats that were free become the computer's. seats: all of them, as for a new table; filled:
        which of them those are. Raises TakenError, StoreError."""
        with self.writing():
            for seat in filled:  # nobody takes them any more
                self._run("INSERT INTO people VALUES (?, ?, ?)", game, seat, seats[seat].name)
            self._run("UPDATE games SET seats = ? WHERE id = ?", seats_as_json(seats), game)
            self.database.changed(game)

    def share(self, game: int, token: str, purpose: str = tokens.WATCH) -> None:
        """One more token for whoever gets it, without a seat; it may be there already. Raises StoreError."""
        if self.entrance(token) is None:
            with self.writing():
                self._add_token(token, game, purpose, None)

    def replace(self, game: int, seat: int, token: str) -> list[bytes]:
        """Another token for a seat; the digests of those that end. Raises StoreError."""
        with self.writing():
            ended = self._run(
                "DELETE FROM tokens WHERE game = ? AND seat = ? AND purpose = ? RETURNING digest",
                game,
                seat,
                tokens.SEAT,
            )
            self._add_token(token, game, tokens.SEAT, seat)
            self.database.changed(game)
        return [digest for (digest,) in ended]

    def answer(self, game: int, number: int, row: LoggedAnswer) -> None:
        """Add an answer; when this returns, it is on the disk. Raises TakenError, also where there are fewer answers
        than that, as in a log that was restored from an older copy; StoreError."""
        with self._telling():
            if not self.database.add([NewAnswer(game, number, row).values()]):
                raise taken()

    def put_settings(self, game: int, settings: Mapping[str, str]) -> None:
        """What is agreed at a table beside the rules. Raises StoreError."""
        with self.writing():
            setting = (
                "INSERT INTO settings VALUES (?, ?, ?) ON CONFLICT (game, name) DO UPDATE SET value = excluded.value"
            )
            for name, value in settings.items():
                self._run(setting, game, name, value)
            self.database.changed(game)

    def put_deadline(self, game: int, deadline: Deadline | None) -> None:
        """A table's deadline, or that it has none. Raises StoreError."""
        with self.writing():
            if deadline is None:
                self._run("DELETE FROM deadlines WHERE game = ?", game)
            else:
                self._run(
                    "INSERT INTO deadlines VALUES (?, ?, ?, ?) ON CONFLICT (game) DO UPDATE "
                    "SET moment = excluded.moment, at = excluded.at, spare = excluded.spare",
                    game,
                    deadline.moment,
                    deadline.at,
                    deadline.spare,
                )

    def shorten_deadlines(self) -> list[int]:
        """Deadlines that are further away than the time that a table's clock gives were set while the clock of the
        database was ahead: from now on they are as far as that. The tables. Raises StoreError."""
        now = self.now()
        with self._reading():
            found = [(game, now + float(each)) for game, each in self._run(_TOO_FAR, CLOCK, now)]
        if found:
            with self.writing():
                for game, at in found:
                    self._run("UPDATE deadlines SET at = ? WHERE game = ?", at, game)
                    self.database.changed(game)
        return [game for game, _ in found]

    def say(self, game: int, said: tuple[int, int, str, str], most: int) -> int:
        """Add a message of a seat, at a time in seconds since 1970: a text, or a gesture; its number. Of the table's
        messages, so many are kept. Raises StoreError."""
        with self.writing():
            [(last,)] = self._run("SELECT max(number) FROM messages WHERE game = ?", game)
            number = 0 if last is None else int(last) + 1
            self._run("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", game, number, *said)
            self._run("DELETE FROM messages WHERE game = ? AND number <= ?", game, number - most)
            self.database.changed(game)
        return number

    def _add_token(self, token: str, game: int, purpose: str, seat: int | None) -> None:
        self._run("INSERT INTO tokens VALUES (?, ?, ?, ?)", tokens.digest(token), game, purpose, seat)

    # ── reading ──

    def entrance(self, token: str) -> Entrance | None:
        """What a token opens; None where there is no such token. Raises StoreError."""
        wanted = tokens.digest(token)
        with self._reading():
            found = self._row("SELECT digest, game, purpose, seat FROM tokens WHERE digest = ?", wanted)
        if found is None or not tokens.same(found[0], wanted):
            return None
        return Entrance(*found[1:])

    def look(self) -> None:
        """Whether the log can be read. Raises StoreError."""
        with self._reading():
            self._run("SELECT 1 FROM games LIMIT 1")

    def check_room(self) -> None:
        """Whether there is room for what comes. Where it was missing, that is tried. Raises FullError, StoreError."""
        if self.database.is_tight():
            raise FullError(disk_full())
        if self._full:
            digest = secrets.token_hex(8)
            with self.writing():
                self._run(_MENDING, digest, "", "", " " * ROOM)
            with self.writing():
                self._run("DELETE FROM editions WHERE digest = ?", digest)
            self._full = False

    def count(self) -> int:
        """How many tables there are. Raises StoreError."""
        with self._reading():
            return int(self._run("SELECT count(*) FROM games")[0][0])

    def games(self, edition: str, most: int) -> list[tuple[int, str]]:
        """The last tables with any version of an edition, by its name, the newest first: their numbers, and when they
        began, as ISO 8601 has it. Raises StoreError."""
        with self._reading():
            found = self._run(
                "SELECT games.id, created FROM games JOIN editions ON edition = digest WHERE name = ? "
                "ORDER BY games.id DESC LIMIT ?",
                edition,
                most,
            )
            return [(game, created) for game, created in found]

    def record(self, game: int) -> Record:
        """Raises StoreError."""
        with self._reading():
            [(edition, rules, seed, options, seats)] = self._run(
                "SELECT edition, hash, seed, options, seats FROM games WHERE id = ?", game
            )
            return Record(game, edition, rules, int(seed), json.loads(options), tuple(seats_in_json(seats)))

    def edition(self, digest: str) -> Pinned | None:
        """The edition of some table. Raises StoreError."""
        with self._reading():
            found = self._row("SELECT name, bases, text FROM editions WHERE digest = ?", digest)
            if found is None:
                return None
            pinned = Pinned.of(found[0], json.loads(found[1]), found[2])
        if pinned.digest != digest:
            raise damaged()
        return pinned

    def standing(self, game: int) -> TableLog:
        """All of a table. Raises StoreError."""
        with self._reading():
            links = self._run("SELECT digest FROM tokens WHERE game = ? AND purpose = ?", game, tokens.SEAT)
            return TableLog(
                self.record(game),
                self.people(game),
                self.answers(game),
                self.rematch(game),
                self.awaited(game),
                self.settings(game),
                self.deadline(game),
                self.messages(game),
                frozenset(digest for (digest,) in links),
            )

    def length(self, game: int) -> int:
        """How many answers a table has. Raises StoreError."""
        with self._reading():
            [(last,)] = self._run("SELECT max(number) FROM answers WHERE game = ?", game)
            return 0 if last is None else int(last) + 1

    def people(self, game: int) -> dict[int, str]:
        """The names of those who have taken a seat. Raises StoreError."""
        with self._reading():
            return dict(self._run("SELECT seat, name FROM people WHERE game = ?", game))

    def rematch(self, game: int) -> Rematch | None:
        """The table that follows one. Raises StoreError."""
        with self._reading():
            found = self._row("SELECT next, seats FROM rematches WHERE game = ?", game)
            return None if found is None else Rematch(found[0], tuple(json.loads(found[1])), self.record(found[0]).host)

    def awaited(self, game: int) -> dict[int, str]:
        """Of a table that follows another one: the names of those who sat there, by their seats here. Raises
        StoreError."""
        with self._reading():
            found = self._row("SELECT game, seats FROM rematches WHERE next = ?", game)
            if found is None:
                return {}
            before, people = self.record(found[0]), self.people(found[0])
            names = [people.get(number, seat.name) for number, seat in enumerate(before.seats)]
            return {seat: names[number] for seat, number in enumerate(json.loads(found[1]))}

    def answers(self, game: int, start: int = 0) -> list[LoggedAnswer]:
        """All answers of a table from one on, in their order. Raises StoreError."""
        with self._reading():
            rows = self._run(
                "SELECT number, seat, decision, take FROM answers WHERE game = ? AND number >= ? ORDER BY number",
                game,
                start,
            )
            if [row[0] for row in rows] != list(range(start, start + len(rows))):
                raise damaged()
            return [
                LoggedAnswer(seat, decision, None if take is None else tuple(json.loads(take)))
                for _, seat, decision, take in rows
            ]

    def settings(self, game: int) -> dict[str, str]:
        """What is agreed at a table beside the rules. Raises StoreError."""
        with self._reading():
            return dict(self._run("SELECT name, value FROM settings WHERE game = ?", game))

    def deadline(self, game: int) -> Deadline | None:
        """A table's deadline. Raises StoreError."""
        with self._reading():
            found = self._row("SELECT moment, at, spare FROM deadlines WHERE game = ?", game)
            return None if found is None else Deadline(*found)

    def messages(self, game: int) -> dict[int, tuple[int, int, str, str]]:
        """The messages of a table that are kept, by number: seat, time, text, gesture. Raises StoreError."""
        with self._reading():
            rows = self._run(
                "SELECT number, seat, at, text, gesture FROM messages WHERE game = ? ORDER BY number", game
            )
            return {number: (seat, at, text, gesture) for number, seat, at, text, gesture in rows}

    def next_deadline(self) -> tuple[int, float] | None:
        """The table whose deadline comes first, and when. Raises StoreError."""
        with self._reading():
            found = self._row("SELECT game, at FROM deadlines ORDER BY at LIMIT 1")
            return None if found is None else (found[0], found[1])

    def now(self) -> float:
        """Seconds since 1970, by the clock of the database. Raises StoreError."""
        with self._reading():
            return self.database.now()

    # ── who drives a table ──

    def lead(self, game: int) -> bool:
        """Whether this process is the one that drives a table, from now on until `release`. Raises StoreError."""
        with self._reading():
            return self.database.lead(game)

    def release(self, game: int) -> None:
        """Let others drive a table. Raises StoreError."""
        with self._reading():
            self.database.release(game)

    # ── how ──

    def _run(self, statement: str, *values: Any) -> list[Row]:
        return self.database.execute(statement, values)

    def _row(self, statement: str, *values: Any) -> Row | None:
        return next(iter(self._run(statement, *values)), None)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """What is done within is kept together, or nothing of it. Raises TakenError, UnknownEndError, StoreError."""
        with self._telling(), nullcontext() if self._within else self.database.transaction():
            yield

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """As `writing`, where nothing within is ready to be taken back alone: if something of it fails, nothing is
        kept, even where whoever wanted it has gone on without it."""
        with self.writing():
            self._within, self._fails = True, False
            try:
                yield
            finally:
                self._within = False
            if self._fails:
                raise taken()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """What the database answers, in words for people. Raises TakenError, UnknownEndError, StoreError."""
        try:
            with self._part() if self._within else nullcontext():
                yield
        except ExistsError:
            raise taken() from None
        except DiskFullError as error:
            self._full = True
            raise FullError(error.told or "") from None
        except DatabaseError as error:
            told = error.told or phrase("errors", "This cannot be kept ({why}). Nothing has changed.", why=str(error))
            raise StoreError(told) from None

    @contextmanager
    def _part(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._fails = True
            raise

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except DatabaseError as error:
            raise (damaged() if error.told is None else StoreError(error.told)) from None
        except (ValueError, TypeError, KeyError, IndexError):
            raise damaged() from None


def _postgresql(address: str) -> Database:
    """Raises StoreError."""
    try:
        from rulewright.server.storage.postgresql import Postgresql  # noqa: PLC0415 - it needs what is not always there
    except ImportError:
        told = phrase(
            "errors",
            "Tables in PostgreSQL need {libraries}, not installed here: {command}.",
            libraries=("psycopg",),
            command="pip install 'rulewright[postgresql]'",
        )
        raise StoreError(told) from None
    return Postgresql(address)
