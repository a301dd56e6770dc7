"""The log of all tables, in one SQLite file: what is acknowledged is in it, and states are made from it again.

Of a game, nothing in it is ever changed: a table is created, its seats are taken, its answers are added. Only a lost
link ends, when its seat gets another, and seats that nobody has taken can become the computer's. That (game, number) is
the key of an answer keeps two answers from being the same one, whoever gives them, from whatever process.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.files import reason
from rulewright.base.records import record
from rulewright.i18n.speech import phrase
from rulewright.players.seating import PERSON, Seat
from rulewright.server import tokens

APPLICATION = 0x52577254
"""Tells SQLite's files apart: this one is of Rulewright's tables."""

_SCHEMA = """
CREATE TABLE editions (
    digest TEXT PRIMARY KEY, name TEXT NOT NULL, bases TEXT NOT NULL, text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE games (
    id INTEGER PRIMARY KEY, edition TEXT NOT NULL REFERENCES editions, hash TEXT NOT NULL, seed TEXT NOT NULL,
    options TEXT NOT NULL, seats TEXT NOT NULL, created TEXT NOT NULL
) STRICT;
CREATE TABLE tokens (
    digest BLOB PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, purpose TEXT NOT NULL, seat INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE people (
    game INTEGER NOT NULL REFERENCES games, seat INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE answers (
    game INTEGER NOT NULL REFERENCES games, number INTEGER NOT NULL, seat INTEGER NOT NULL, decision TEXT NOT NULL,
    take TEXT, PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
"""
_LATER = (
    """
    CREATE TABLE rematches (
        game INTEGER PRIMARY KEY REFERENCES games, next INTEGER NOT NULL UNIQUE REFERENCES games, seats TEXT NOT NULL
    ) STRICT;
    """,
    """
    CREATE TABLE settings (
        game INTEGER NOT NULL REFERENCES games, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (game, name)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE deadlines (
        game INTEGER PRIMARY KEY REFERENCES games, moment INTEGER NOT NULL, at REAL NOT NULL, spare REAL NOT NULL
    ) STRICT;
    CREATE INDEX deadlines_at ON deadlines (at);
    """,
    """
    CREATE TABLE messages (
        game INTEGER NOT NULL REFERENCES games, number INTEGER NOT NULL, seat INTEGER NOT NULL, at INTEGER NOT NULL,
        text TEXT NOT NULL, gesture TEXT NOT NULL, PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
    """,
)
"""What came to the first version, one after the other: a log of then gets what it lacks."""

VERSION = 1 + len(_LATER)


class StoreError(RulewrightError):
    """The log cannot be opened, read or written; nothing has changed."""


class TakenError(StoreError):
    """Somebody else was there first."""


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


class Store:
    """The file. It may be used from any thread, by one at a time."""

    def __init__(self, path: Path) -> None:
        """Open the log, or begin one. Raises StoreError."""
        self.path = path
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        except (OSError, ValueError, sqlite3.Error) as error:
            raise cannot_be_used(path, error) from None
        try:
            self._prepare()
        except BaseException:
            self._db.close()
            raise

    def _prepare(self) -> None:
        try:
            for pragma in ("trusted_schema = OFF", "foreign_keys = ON", "synchronous = FULL", "busy_timeout = 10000"):
                self._db.execute(f"PRAGMA {pragma}")
            with self._transaction():
                application, version = self._pragma("application_id"), self._pragma("user_version")
                empty = self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
                if empty and not application:
                    self._run(_SCHEMA)
                    self._db.execute(f"PRAGMA application_id = {APPLICATION}")
                    application, version = APPLICATION, 1
                if application == APPLICATION and 1 <= version < VERSION:
                    for later in _LATER[version - 1 :]:
                        self._run(later)
                    self._db.execute(f"PRAGMA user_version = {VERSION}")
                    version = VERSION
            # What is committed lasts through a power cut: in this mode too, FULL waits for the disk at every commit.
            self._db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error as error:
            raise cannot_be_used(self.path, error) from None
        if application != APPLICATION:
            told = phrase("errors", "'{path}' is a database of something else; it stays as it is.", path=str(self.path))
            raise StoreError(told)
        if version != VERSION:
            raise StoreError(
                phrase(
                    "errors",
                    "The tables in '{path}' were kept by another version of Rulewright (theirs is {found}, this one's "
                    "{expected}). They stay as they are: use that version, or another folder with {option}.",
                    path=str(self.path),
                    found=str(version),
                    expected=str(VERSION),
                    option="--data",
                )
            )

    def _run(self, statements: str) -> None:
        for statement in filter(str.strip, statements.split(";")):
            self._db.execute(statement)

    def close(self) -> None:
        self._db.close()

    # ── writing ──

    def together(self, works: Sequence[Callable[[Store], Any]]) -> list[tuple[Any, Exception | None]]:
        """Do several things and wait for the disk once. What each gave, or the error that it ended with: what one of
        them cannot do keeps none of the others from being done."""
        if len(works) > 1:
            with suppress(Exception), self._transaction():
                return [self._ended(work, TakenError) for work in works]
        return [self._ended(work, Exception) for work in works]  # perhaps only one of them is what cannot be kept

    def _ended(self, work: Callable[[Store], Any], expected: type[Exception]) -> tuple[Any, Exception | None]:
        try:
            return work(self), None
        except expected as error:
            return None, error

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
        told = _seats_as_json(seats)
        with self._writing():
            self._db.execute(
                "INSERT OR IGNORE INTO editions VALUES (?, ?, ?, ?)",
                (edition.digest, edition.name, json.dumps(edition.bases), edition.text),
            )
            created = datetime.now(UTC).isoformat(timespec="seconds")
            game = self._db.execute(
                "INSERT INTO games (edition, hash, seed, options, seats, created) VALUES (?, ?, ?, ?, ?, ?)",
                (edition.digest, rules, str(seed), json.dumps(dict(options)), told, created),
            ).lastrowid
            assert game is not None
            for token, (purpose, seat) in entrances.items():
                self._add_token(token, game, purpose, seat)
            if after is not None:
                row = (after[0], game, json.dumps(after[1]))
                self._db.execute("INSERT INTO rematches VALUES (?, ?, ?)", row)
        return game

    def sit(self, game: int, seat: int, name: str, token: str) -> None:
        """Somebody takes a seat, once. Raises TakenError, StoreError."""
        with self._writing():
            self._db.execute("INSERT INTO people VALUES (?, ?, ?)", (game, seat, name))
            self._add_token(token, game, tokens.SEAT, seat)

    def fill(self, game: int, seats: Sequence[Seat], filled: Sequence[int]) -> None:
        """Before the game, seats that were free become the computer's. seats: all of them, as for a new table; filled:
        which of them those are. Raises TakenError, StoreError."""
        with self._writing():
            rows = [(game, seat, seats[seat].name) for seat in filled]
            self._db.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)  # nobody takes them any more
            self._db.execute("UPDATE games SET seats = ? WHERE id = ?", (_seats_as_json(seats), game))

    def share(self, game: int, token: str, purpose: str = tokens.WATCH) -> None:
        """One more token for whoever gets it, without a seat; it may be there already. Raises StoreError."""
        if self.entrance(token) is None:
            with self._writing():
                self._add_token(token, game, purpose, None)

    def replace(self, game: int, seat: int, token: str) -> list[bytes]:
        """Another token for a seat; the digests of those that end. Raises StoreError."""
        with self._writing():
            ended = self._db.execute(
                "DELETE FROM tokens WHERE game = ? AND seat = ? AND purpose = ? RETURNING digest",
                (game, seat, tokens.SEAT),
            ).fetchall()
            self._add_token(token, game, tokens.SEAT, seat)
        return [digest for (digest,) in ended]

    def answer(self, game: int, number: int, row: LoggedAnswer) -> None:
        """Add an answer; when this returns, it is on the disk. Raises TakenError, StoreError."""
        take = None if row.take is None else json.dumps(row.take)
        with self._writing():
            self._db.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", (game, number, row.seat, row.decision, take))

    def put_settings(self, game: int, settings: Mapping[str, str]) -> None:
        """What is agreed at a table beside the rules. Raises StoreError."""
        with self._writing():
            rows = [(game, name, value) for name, value in settings.items()]
            self._db.executemany("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", rows)

    def put_deadline(self, game: int, deadline: Deadline | None) -> None:
        """A table's deadline, or that it has none. Raises StoreError."""
        with self._writing():
            self._db.execute("DELETE FROM deadlines WHERE game = ?", (game,))
            if deadline is not None:
                row = (game, deadline.moment, deadline.at, deadline.spare)
                self._db.execute("INSERT INTO deadlines VALUES (?, ?, ?, ?)", row)

    def say(self, game: int, said: tuple[int, int, str, str], most: int) -> int:
        """Add a message of a seat, at a time in seconds since 1970: a text, or a gesture; its number. Of the table's
        messages, so many are kept. Raises StoreError."""
        with self._writing():
            last = self._db.execute("SELECT max(number) FROM messages WHERE game = ?", (game,)).fetchone()[0]
            number = 0 if last is None else int(last) + 1
            self._db.execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", (game, number, *said))
            self._db.execute("DELETE FROM messages WHERE game = ? AND number <= ?", (game, number - most))
        return number

    def _add_token(self, token: str, game: int, purpose: str, seat: int | None) -> None:
        self._db.execute("INSERT INTO tokens VALUES (?, ?, ?, ?)", (tokens.digest(token), game, purpose, seat))

    # ── reading ──

    def entrance(self, token: str) -> Entrance | None:
        """What a token opens; None where there is no such token. Raises StoreError."""
        wanted = tokens.digest(token)
        with self._reading():
            found = self._db.execute(
                "SELECT digest, game, purpose, seat FROM tokens WHERE digest = ?", (wanted,)
            ).fetchone()
        if found is None or not tokens.same(found[0], wanted):
            return None
        return Entrance(*found[1:])

    def look(self) -> None:
        """Whether the log can be read. Raises StoreError."""
        with self._reading():
            self._db.execute("SELECT 1 FROM games LIMIT 1").fetchone()

    def count(self) -> int:
        """How many tables there are. Raises StoreError."""
        with self._reading():
            return int(self._db.execute("SELECT count(*) FROM games").fetchone()[0])

    def games(self, edition: str, most: int) -> list[tuple[int, str]]:
        """The last tables with any version of an edition, by its name, the newest first: their numbers, and when they
        began, as ISO 8601 has it. Raises StoreError."""
        with self._reading():
            return self._db.execute(
                "SELECT games.id, created FROM games JOIN editions ON edition = digest WHERE name = ? "
                "ORDER BY games.id DESC LIMIT ?",
                (edition, most),
            ).fetchall()

    def record(self, game: int) -> Record:
        """Raises StoreError."""
        with self._reading():
            edition, rules, seed, options, seats = self._db.execute(
                "SELECT edition, hash, seed, options, seats FROM games WHERE id = ?", (game,)
            ).fetchone()
            return Record(
                game, edition, rules, int(seed), json.loads(options), tuple(Seat(**seat) for seat in json.loads(seats))
            )

    def edition(self, digest: str) -> Pinned | None:
        """The edition of some table. Raises StoreError."""
        with self._reading():
            found = self._db.execute("SELECT name, bases, text FROM editions WHERE digest = ?", (digest,)).fetchone()
            if found is None:
                return None
            pinned = Pinned.of(found[0], json.loads(found[1]), found[2])
        if pinned.digest != digest:
            raise self._damaged()
        return pinned

    def people(self, game: int) -> dict[int, str]:
        """The names of those who have taken a seat. Raises StoreError."""
        with self._reading():
            return dict(self._db.execute("SELECT seat, name FROM people WHERE game = ?", (game,)).fetchall())

    def rematch(self, game: int) -> Rematch | None:
        """The table that follows one. Raises StoreError."""
        with self._reading():
            found = self._db.execute("SELECT next, seats FROM rematches WHERE game = ?", (game,)).fetchone()
            return None if found is None else Rematch(found[0], tuple(json.loads(found[1])), self.record(found[0]).host)

    def awaited(self, game: int) -> dict[int, str]:
        """Of a table that follows another one: the names of those who sat there, by their seats here. Raises
        StoreError."""
        with self._reading():
            found = self._db.execute("SELECT game, seats FROM rematches WHERE next = ?", (game,)).fetchone()
            if found is None:
                return {}
            before, people = self.record(found[0]), self.people(found[0])
            names = [people.get(number, seat.name) for number, seat in enumerate(before.seats)]
            return {seat: names[number] for seat, number in enumerate(json.loads(found[1]))}

    def answers(self, game: int) -> list[LoggedAnswer]:
        """All answers of a table, in their order. Raises StoreError."""
        with self._reading():
            rows = self._db.execute(
                "SELECT number, seat, decision, take FROM answers WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
            if [row[0] for row in rows] != list(range(len(rows))):
                raise self._damaged()
            return [
                LoggedAnswer(seat, decision, None if take is None else tuple(json.loads(take)))
                for _, seat, decision, take in rows
            ]

    def settings(self, game: int) -> dict[str, str]:
        """What is agreed at a table beside the rules. Raises StoreError."""
        with self._reading():
            return dict(self._db.execute("SELECT name, value FROM settings WHERE game = ?", (game,)).fetchall())

    def deadline(self, game: int) -> Deadline | None:
        """A table's deadline. Raises StoreError."""
        with self._reading():
            found = self._db.execute("SELECT moment, at, spare FROM deadlines WHERE game = ?", (game,)).fetchone()
            return None if found is None else Deadline(*found)

    def messages(self, game: int) -> dict[int, tuple[int, int, str, str]]:
        """The messages of a table that are kept, by number: seat, time, text, gesture. Raises StoreError."""
        with self._reading():
            rows = self._db.execute(
                "SELECT number, seat, at, text, gesture FROM messages WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
            return {number: (seat, at, text, gesture) for number, seat, at, text, gesture in rows}

    def next_deadline(self) -> tuple[int, float] | None:
        """The table whose deadline comes first, and when. Raises StoreError."""
        with self._reading():
            found = self._db.execute("SELECT game, at FROM deadlines ORDER BY at LIMIT 1").fetchone()
            return None if found is None else (found[0], found[1])

    # ── how ──

    def _pragma(self, name: str) -> int:
        return int(self._db.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; one within another is kept when the outer one is."""
        inner = self._db.in_transaction
        self._db.execute("SAVEPOINT one" if inner else "BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("RELEASE one" if inner else "COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # some errors have ended it already
                for statement in ("ROLLBACK TO one", "RELEASE one") if inner else ("ROLLBACK",):
                    self._db.execute(statement)
            raise

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self._transaction():
                yield
        except sqlite3.IntegrityError:
            raise TakenError(phrase("errors", "Somebody else was faster.")) from None
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorname", "").startswith("SQLITE_FULL"):
                told = phrase("errors", "This cannot be kept: the disk of the server is full. Nothing has changed.")
                raise StoreError(told) from None
            told = phrase("errors", "This cannot be kept ({why}). Nothing has changed.", why=str(error))
            raise StoreError(told) from None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, KeyError):
            raise self._damaged() from None

    def _damaged(self) -> StoreError:
        return StoreError(phrase("errors", "What is kept of this table is damaged."))


def cannot_be_used(path: Path, error: Exception) -> StoreError:
    """What the system says to a file of the log."""
    return StoreError(phrase("errors", "Tables cannot be kept in '{path}': {why}.", path=str(path), why=reason(error)))


def _seats_as_json(seats: Sequence[Seat]) -> str:
    return json.dumps([{"name": seat.name, "player": seat.player, "role": seat.role} for seat in seats])


def as_json(value: Any) -> str:
    """JSON in one line, the same for equal values."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
