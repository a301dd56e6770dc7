"""Log of all tables: the source from which all games are rebuilt; an acknowledged answer is in it.

Of a game it only grows: a table is created, its seats are taken, its answers are added. What stands beside the answers
changes: links that are lost, seats left free that bots take over, settings, the deadline, and chat, whose old messages
are deleted. `retention` deletes old tables and names. Since (game, number) is the key of an answer, no two processes
can add the same one.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

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
    StoreError,
    disk_full_message,
    taken_error,
)
from rulewright.server.storage.records import (
    Deadline,
    LoggedAnswer,
    PinnedEdition,
    seats_to_json,
)
from rulewright.server.storage.sqlite_file import SqliteDatabase
from rulewright.server.storage.store_reader import StoreReader

CLOCK = "clock"
"""Setting: seconds for each move."""
_DISTANT_DEADLINES = """
    SELECT deadlines.game, settings.value FROM deadlines JOIN settings ON settings.game = deadlines.game
    WHERE settings.name = ?
    AND deadlines.at > CAST(? AS DOUBLE PRECISION) + CAST(settings.value AS DOUBLE PRECISION) + 1
"""
"""Query for tables whose deadlines are further away than their clocks allow."""
TEST_BYTES = 16_384
"""Bytes written to find out whether a full disk has space again."""
_PUT_EDITION = """
    INSERT INTO editions VALUES (?, ?, ?, ?) ON CONFLICT (digest) DO UPDATE
    SET name = excluded.name, bases = excluded.bases, text = excluded.text
    WHERE editions.name <> excluded.name OR editions.bases <> excluded.bases OR editions.text <> excluded.text
"""
"""Statement that adds an edition, or writes it anew where it is damaged."""


@record
class NewAnswer:
    """Work that adds an answer. number: of answers that the table has."""

    game: int
    number: int
    row: LoggedAnswer

    def __call__(self, store: Store) -> None:
        store.answer(self.game, self.number, self.row)

    def values(self) -> AnswerRow:
        """Return the row as the database stores it."""
        take = None if self.row.take is None else json.dumps(self.row.take)
        return self.game, self.number, self.row.seat, self.row.decision, take


class Store(StoreReader):
    """Log of a server, in whatever database. Any thread may use it, one at a time."""

    def __init__(self, location: Path | str) -> None:
        """Open the log, or create it: in a file, or at a PostgreSQL address. Raises StoreError."""
        super().__init__(SqliteDatabase(location) if isinstance(location, Path) else _postgresql(location))
        self._full = False  # whether something could not be kept, for lack of room
        self._within, self._fails = False, False  # what is done `at_once`, and whether something of it cannot be kept

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def check_news(self) -> None:
        """Check that servers of the same log are notified of each other's changes. Raises StoreError."""
        self.database.check_news()

    # ── writing ──

    def add(self, answers: Sequence[NewAnswer]) -> set[int]:
        """Add answers of different tables, and return the tables to which one was added; elsewhere somebody was faster.

        Raises UnknownOutcomeError, and StoreError if none was added.
        """
        with self._translate_errors():
            return self.database.add(sorted(new.values() for new in answers))  # in one order, wherever it is done

    def create(
        self,
        edition: PinnedEdition,
        rules: str,
        seats: Sequence[Seat],
        options: Mapping[str, str],
        seed: int,
        grants: Mapping[str, tuple[str, int | None]],
        after: tuple[int, Sequence[int]] | None = None,
    ) -> int:
        """Create a table, and return its number.

        rules: hash of the edition's rules; grants: token -> purpose and seat; after: the previous table in a series
        of rematches, and for each seat its number there. Raises TakenError if another table follows that one,
        StoreError.
        """
        seats_json = seats_to_json(seats)
        with self.writing():
            self._run(
                _PUT_EDITION,
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
                seats_json,
                created,
            )
            for token, (purpose, seat) in grants.items():
                self._add_token(token, game, purpose, seat)
            if after is not None:
                self._run("INSERT INTO rematches VALUES (?, ?, ?)", after[0], game, json.dumps(after[1]))
                self.database.notify_changed(after[0])
        return int(game)

    def sit(self, game: int, seat: int, name: str, token: str) -> None:
        """Take a seat for a person, once. Raises TakenError, StoreError."""
        with self.writing():
            self._run("INSERT INTO people VALUES (?, ?, ?)", game, seat, name)
            self._add_token(token, game, tokens.SEAT, seat)
            self.database.notify_changed(game)

    def fill(self, game: int, seats: Sequence[Seat], filled: Sequence[int]) -> None:
        """Give free seats to bots before the game. seats: all of them; filled: numbers of those. Raises TakenError,
        StoreError."""
        with self.writing():
            for seat in filled:  # nobody takes them any more
                self._run("INSERT INTO people VALUES (?, ?, ?)", game, seat, seats[seat].name)
            self._run("UPDATE games SET seats = ? WHERE id = ?", seats_to_json(seats), game)
            self.database.notify_changed(game)

    def share(self, game: int, token: str, purpose: str = tokens.WATCH) -> None:
        """Add a token of a table that is for no seat, unless the token is known. Raises StoreError."""
        if self.grant(token) is None:
            with self.writing():
                self._add_token(token, game, purpose, None)

    def replace(self, game: int, seat: int, token: str) -> list[bytes]:
        """Replace a seat's token, and return the digests of the old ones. Raises StoreError."""
        with self.writing():
            old = self._run(
                "DELETE FROM tokens WHERE game = ? AND seat = ? AND purpose = ? RETURNING digest",
                game,
                seat,
                tokens.SEAT,
            )
            self._add_token(token, game, tokens.SEAT, seat)
            self.database.notify_changed(game)
        return [digest for (digest,) in old]

    def answer(self, game: int, number: int, row: LoggedAnswer) -> None:
        """Add an answer; it is on disk afterwards. Raises TakenError if its number is taken or the previous one is
        missing, as after restoring an older copy; StoreError."""
        with self._translate_errors():
            if not self.database.add([NewAnswer(game, number, row).values()]):
                raise taken_error()

    def put_settings(self, game: int, settings: Mapping[str, str]) -> None:
        """Store some of what is agreed at a table beside the rules; other settings stay. Raises StoreError."""
        with self.writing():
            setting = (
                "INSERT INTO settings VALUES (?, ?, ?) ON CONFLICT (game, name) DO UPDATE SET value = excluded.value"
            )
            for name, value in settings.items():
                self._run(setting, game, name, value)
            self.database.notify_changed(game)

    def put_deadline(self, game: int, deadline: Deadline | None) -> None:
        """Store a table's deadline, or delete it (None). Raises StoreError."""
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
        """Bring deadlines that were set while the database's clock was ahead down to one move's time from now; return
        their tables. Raises StoreError."""
        now = self.now()
        with self._errors_as_damage():
            deadlines = [(game, now + float(each)) for game, each in self._run(_DISTANT_DEADLINES, CLOCK, now)]
        if deadlines:
            with self.writing():
                for game, time in deadlines:
                    self._run("UPDATE deadlines SET at = ? WHERE game = ?", time, game)
                    self.database.notify_changed(game)
        return [game for game, _ in deadlines]

    def say(self, game: int, message: tuple[int, int, str, str], maximum: int) -> int:
        """Add a chat message (seat, seconds since 1970, text, gesture), and return its number; only the last `maximum`
        are kept. Raises StoreError."""
        with self.writing():
            [(last,)] = self._run("SELECT max(number) FROM messages WHERE game = ?", game)
            number = 0 if last is None else int(last) + 1
            self._run("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", game, number, *message)
            self._run("DELETE FROM messages WHERE game = ? AND number <= ?", game, number - maximum)
            self.database.notify_changed(game)
        return number

    def check_room(self) -> None:
        """Check that there is disk space; after a full disk, by writing. Raises FullError, StoreError."""
        if self.database.is_tight():
            raise FullError(disk_full_message())
        if self._full:
            digest = secrets.token_hex(8)
            with self.writing():
                self._run(_PUT_EDITION, digest, "", "", " " * TEST_BYTES)
            with self.writing():
                self._run("DELETE FROM editions WHERE digest = ?", digest)
            self._full = False

    def _add_token(self, token: str, game: int, purpose: str, seat: int | None) -> None:
        """Store the digest of a token."""
        self._run("INSERT INTO tokens VALUES (?, ?, ?, ?)", tokens.digest(token), game, purpose, seat)

    # ── who drives a table ──

    def take_lease(self, game: int) -> bool:
        """Take the lease of a table until `release_lease`, or return False if another process holds it. Raises
        StoreError."""
        with self._errors_as_damage():
            return self.database.take_lease(game)

    def release_lease(self, game: int) -> None:
        """Release the lease of a table. Raises StoreError."""
        with self._errors_as_damage():
            self.database.release_lease(game)

    # ── transactions ──

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run the context in a transaction, which is stored completely or not at all. Raises TakenError,
        UnknownOutcomeError, StoreError."""
        with self._translate_errors(), nullcontext() if self._within else self.database.transaction():
            yield

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Run the context in a transaction without savepoints: if any part fails, nothing is stored, even if that
        failure was handled."""
        with self.writing():
            self._within, self._fails = True, False
            try:
                yield
            finally:
                self._within = False
            if self._fails:
                raise taken_error()

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Translate the database's errors into messages for people. Raises TakenError, UnknownOutcomeError,
        StoreError."""
        try:
            with self._note_failure() if self._within else nullcontext():
                yield
        except ExistsError:
            raise taken_error() from None
        except DiskFullError as error:
            self._full = True
            raise FullError(error.message or "") from None
        except DatabaseError as error:
            message = error.message or phrase(
                "errors", "This cannot be kept ({why}). Nothing has changed.", why=str(error)
            )
            raise StoreError(message) from None

    @contextmanager
    def _note_failure(self) -> Iterator[None]:
        """Note that the store fails, if an error leaves this context."""
        try:
            yield
        except BaseException:
            self._fails = True
            raise


def _postgresql(address: str) -> Database:
    """Open a PostgreSQL database. Raises StoreError, also if psycopg is not installed."""
    try:
        from rulewright.server.storage.postgresql import PostgresqlDatabase  # noqa: PLC0415 - it needs what is not always there
    except ImportError:
        message = phrase(
            "errors",
            "Tables in PostgreSQL need {libraries}, not installed here: {command}.",
            libraries=("psycopg",),
            command="pip install 'rulewright[postgresql]'",
        )
        raise StoreError(message) from None
    return PostgresqlDatabase(address)
