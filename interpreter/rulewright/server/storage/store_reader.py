"""Reading of the log of all tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rulewright.server import tokens
from rulewright.server.storage.database import Database, DatabaseError, Row, StoreError, damaged_error
from rulewright.server.storage.records import (
    Deadline,
    LoggedAnswer,
    PinnedEdition,
    Rematch,
    TableLog,
    TableRecord,
    TokenGrant,
    seats_from_json,
)


class StoreReader:
    """Reader of the log. Each method raises StoreError where the database cannot be read or its content is damaged."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def grant(self, token: str) -> TokenGrant | None:
        """Return what a token grants; None for an unknown one."""
        digest = tokens.digest(token)
        with self._errors_as_damage():
            row = self._row("SELECT digest, game, purpose, seat FROM tokens WHERE digest = ?", digest)
        if row is None or not tokens.digests_equal(row[0], digest):
            return None
        return TokenGrant(*row[1:])

    def check_readable(self) -> None:
        """Check that the log can be read."""
        with self._errors_as_damage():
            self._run("SELECT 1 FROM games LIMIT 1")

    def count(self) -> int:
        """Return the number of tables."""
        with self._errors_as_damage():
            return int(self._run("SELECT count(*) FROM games")[0][0])

    def games(self, edition: str, maximum: int) -> list[tuple[int, str]]:
        """List the last tables with any version of an edition, newest first: numbers, and when they began in ISO
        8601. edition: by name."""
        with self._errors_as_damage():
            rows = self._run(
                "SELECT games.id, created FROM games JOIN editions ON edition = digest WHERE name = ? "
                "ORDER BY games.id DESC LIMIT ?",
                edition,
                maximum,
            )
            return [(game, created) for game, created in rows]

    def record(self, game: int) -> TableRecord:
        """Return a table as it was created."""
        with self._errors_as_damage():
            [(edition, rules, seed, options, seats)] = self._run(
                "SELECT edition, hash, seed, options, seats FROM games WHERE id = ?", game
            )
            return TableRecord(game, edition, rules, int(seed), json.loads(options), tuple(seats_from_json(seats)))

    def edition(self, digest: str) -> PinnedEdition | None:
        """Return an edition by its digest, or None."""
        with self._errors_as_damage():
            row = self._row("SELECT name, bases, text FROM editions WHERE digest = ?", digest)
            if row is None:
                return None
            pinned = PinnedEdition.from_text(row[0], json.loads(row[1]), row[2])
        if pinned.digest != digest:
            raise damaged_error()
        return pinned

    def table_log(self, game: int) -> TableLog:
        """Return all that is stored of a table."""
        with self._errors_as_damage():
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
        """Return the number of rows of a table's log, 0 for an unknown table."""
        with self._errors_as_damage():
            [(last,)] = self._run("SELECT max(number) FROM answers WHERE game = ?", game)
            return 0 if last is None else int(last) + 1

    def people(self, game: int) -> dict[int, str]:
        """Return the names of those who have taken seats."""
        with self._errors_as_damage():
            return dict(self._run("SELECT seat, name FROM people WHERE game = ?", game))

    def rematch(self, game: int) -> Rematch | None:
        """Return the table that follows another one, or None."""
        with self._errors_as_damage():
            row = self._row("SELECT next, seats FROM rematches WHERE game = ?", game)
            return None if row is None else Rematch(row[0], tuple(json.loads(row[1])), self.record(row[0]).host)

    def awaited(self, game: int) -> dict[int, str]:
        """Return, for the seats of a rematch, the names of those who sat there at the table before."""
        with self._errors_as_damage():
            row = self._row("SELECT game, seats FROM rematches WHERE next = ?", game)
            if row is None:
                return {}
            before, people = self.record(row[0]), self.people(row[0])
            names = [people.get(number, seat.name) for number, seat in enumerate(before.seats)]
            return {seat: names[number] for seat, number in enumerate(json.loads(row[1]))}

    def answers(self, game: int, start: int = 0) -> list[LoggedAnswer]:
        """List a table's answers in order, from a number on."""
        with self._errors_as_damage():
            rows = self._run(
                "SELECT number, seat, decision, take FROM answers WHERE game = ? AND number >= ? ORDER BY number",
                game,
                start,
            )
            if [row[0] for row in rows] != list(range(start, start + len(rows))):
                raise damaged_error()
            return [
                LoggedAnswer(seat, decision, None if take is None else tuple(json.loads(take)))
                for _, seat, decision, take in rows
            ]

    def settings(self, game: int) -> dict[str, str]:
        """Return what is agreed at a table beside the rules."""
        with self._errors_as_damage():
            return dict(self._run("SELECT name, value FROM settings WHERE game = ?", game))

    def deadline(self, game: int) -> Deadline | None:
        """Return a table's deadline, or None."""
        with self._errors_as_damage():
            row = self._row("SELECT moment, at, spare FROM deadlines WHERE game = ?", game)
            return None if row is None else Deadline(*row)

    def messages(self, game: int) -> dict[int, tuple[int, int, str, str]]:
        """Return a table's chat messages by number: seat, time, text, gesture."""
        with self._errors_as_damage():
            rows = self._run(
                "SELECT number, seat, at, text, gesture FROM messages WHERE game = ? ORDER BY number", game
            )
            return {number: (seat, at, text, gesture) for number, seat, at, text, gesture in rows}

    def next_deadline(self) -> tuple[int, float] | None:
        """Return the table with the earliest deadline, and when that is, in seconds since 1970; None if no table has
        one."""
        with self._errors_as_damage():
            row = self._row("SELECT game, at FROM deadlines ORDER BY at LIMIT 1")
            return None if row is None else (row[0], row[1])

    def now(self) -> float:
        """Return the database's time in seconds since 1970."""
        with self._errors_as_damage():
            return self.database.now()

    def _run(self, statement: str, *values: Any) -> list[Row]:
        return self.database.execute(statement, values)

    def _row(self, statement: str, *values: Any) -> Row | None:
        """Return the first row of a query, or None."""
        return next(iter(self._run(statement, *values)), None)

    @contextmanager
    def _errors_as_damage(self) -> Iterator[None]:
        """Raise errors of reading in this context as StoreError: as damage, unless the database has a message."""
        try:
            yield
        except DatabaseError as error:
            raise (damaged_error() if error.message is None else StoreError(error.message)) from None
        except (ValueError, TypeError, KeyError, IndexError):
            raise damaged_error() from None
