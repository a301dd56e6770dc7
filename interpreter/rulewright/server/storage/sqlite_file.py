"""Log in one SQLite file, for one process: nothing to install and nothing to administer."""

from __future__ import annotations

import errno
import math
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from rulewright.base.files import error_reason
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.server.storage.database import (
    OTHER_CHANGE,
    AnswerRow,
    ChangeListener,
    DatabaseError,
    DiskFullError,
    ExistsError,
    Row,
    StoreError,
    other_database_error,
    other_version_error,
    upgrade_tables,
)
from rulewright.server.storage.schema import VERSION, VERSIONS

APPLICATION = 0x52577254
"""Application number in the file's header, by which our files are known."""
MIN_FREE_BYTES = 1 << 20
"""Free bytes below which nothing should begin: SQLite needs some before it can tidy up."""
_INSERT_STATEMENT = """
    INSERT INTO answers SELECT ?, ?, ?, ?, ?
    WHERE ? = 0 OR EXISTS (SELECT 1 FROM answers WHERE game = ? AND number = ?)
    ON CONFLICT DO NOTHING RETURNING game
"""


class SqliteDatabase:
    """Database in a SQLite file."""

    shared = False

    def __init__(self, path: Path) -> None:
        """Open the log, or create it. Raises StoreError."""
        self.path, self.address = path, str(path)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        except (OSError, ValueError, sqlite3.Error) as error:
            raise unusable_error(path, error) from None
        try:
            self._open_schema()
        except BaseException:
            self.connection.close()
            raise

    def _open_schema(self) -> None:
        """Set the connection up, and create or upgrade the tables.

        Raises StoreError, also for a file of another program or of a newer version, which stays as it is.
        """
        run = self.connection.execute
        try:
            for pragma in ("trusted_schema = OFF", "foreign_keys = ON", "synchronous = FULL", "busy_timeout = 10000"):
                run(f"PRAGMA {pragma}")
            with self.transaction():
                application, version = self.pragma("application_id"), self.pragma("user_version")
                empty = run("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
                if empty and not application:
                    run(f"PRAGMA application_id = {APPLICATION}")
                    application, version = APPLICATION, 0
                if application == APPLICATION and (0 < version < VERSION or empty):
                    upgrade_tables(version, VERSIONS, run)
                    run(f"PRAGMA user_version = {VERSION}")
                    version = VERSION
            if application != APPLICATION:
                raise other_database_error(self.address)
            if version != VERSION:
                raise other_version_error(self.address, version, VERSION)
            # What is committed lasts through a power cut: in this mode too, FULL waits for the disk at every commit.
            run("PRAGMA journal_mode = WAL")
        except (sqlite3.Error, DatabaseError) as error:
            raise unusable_error(self.path, error) from None

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        """Run a statement and return its rows. Raises ExistsError, DiskFullError or DatabaseError."""
        try:
            return self.connection.execute(statement, values).fetchall()
        except sqlite3.IntegrityError as error:
            raise ExistsError(str(error)) from None
        except sqlite3.Error as error:
            raise (DiskFullError if _is_full(self.path, error) else DatabaseError)(str(error)) from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the context in a transaction, or in a savepoint of one. Raises DatabaseError."""
        inner = self.connection.in_transaction
        self.execute("SAVEPOINT one" if inner else "BEGIN IMMEDIATE")
        try:
            yield
            self.execute("RELEASE one" if inner else "COMMIT")
        except BaseException:
            with suppress(DatabaseError):  # some errors have ended it already
                for statement in ("ROLLBACK TO one", "RELEASE one") if inner else ("ROLLBACK",):
                    self.execute(statement)
            raise

    def add(self, answers: Sequence[AnswerRow]) -> set[int]:
        """Add answers whose number is free and follows another or is 0; return the tables of those that were added."""
        with self.transaction() if len(answers) > 1 else nullcontext():
            return {row[0] for row in answers if self.execute(_INSERT_STATEMENT, (*row, row[1], row[0], row[1] - 1))}

    def notify_changed(self, game: int, number: int = OTHER_CHANGE) -> None:
        """Do nothing: no other process uses the file."""

    def now(self) -> float:
        return time.time()

    def take_lease(self, game: int) -> bool:
        return True

    def release_lease(self, game: int) -> None:
        """Do nothing: no other process competes."""

    @contextmanager
    def listen(self, listener: ChangeListener) -> Iterator[None]:
        yield

    def is_tight(self) -> bool:
        return _free_bytes(self.path) < MIN_FREE_BYTES

    def check_news(self) -> None:
        """Do nothing: no other process uses the file."""

    def say(self, message: str) -> None:
        """Do nothing: no other process listens."""

    def close(self) -> None:
        self.connection.close()

    def pragma(self, name: str) -> int:
        """Return a whole number of SQLite's settings. name: trusted, for it becomes part of the statement."""
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])


def unusable_error(path: Path, error: Exception) -> StoreError:
    """Describe why the log's file cannot be used."""
    reason_: Phrase | str = phrase("errors", "the disk is full") if _is_full(path, error) else error_reason(error)
    return StoreError(phrase("errors", "Tables cannot be kept in '{path}': {why}.", path=str(path), why=reason_))


def _is_full(path: Path, error: Exception) -> bool:
    """Return whether an error comes from a full disk; SQLite has several names for that."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_FULL" or (
        name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and _free_bytes(path) < MIN_FREE_BYTES
    )


def _free_bytes(path: Path) -> float:
    """Return the free bytes on a file's disk; infinite if the system does not tell."""
    try:
        disk = shutil.disk_usage(path.parent)
    except OSError:
        return math.inf
    return disk.free if disk.total else math.inf
