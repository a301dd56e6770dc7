"""The log in one SQLite file, for one process: there is nothing to install and nothing to run."""

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

from rulewright.base.files import reason
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.server.storage.database import (
    BESIDE,
    AnswerRow,
    DatabaseError,
    DiskFullError,
    ExistsError,
    NewsReader,
    Row,
    StoreError,
    bring_up,
    other_database,
    other_version,
)
from rulewright.server.storage.schema import VERSION, VERSIONS

APPLICATION = 0x52577254
"""Tells SQLite's files apart: this one is of Rulewright's tables."""
TIGHT = 1 << 20
"""Bytes of room below which nobody should begin anything: what is kept needs some of it before it is put in order."""
_ADD = """
    INSERT INTO answers SELECT ?, ?, ?, ?, ?
    WHERE ? = 0 OR EXISTS (SELECT 1 FROM answers WHERE game = ? AND number = ?)
    ON CONFLICT DO NOTHING RETURNING game
"""


class SqliteFile:
    """A Database."""

    shared = False

    def __init__(self, path: Path) -> None:
        """Open the log, or begin one. Raises StoreError."""
        self.path, self.where = path, str(path)
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self.connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        except (OSError, ValueError, sqlite3.Error) as error:
            raise cannot_be_used(path, error) from None
        try:
            self._prepare()
        except BaseException:
            self.connection.close()
            raise

    def _prepare(self) -> None:
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
                    bring_up(version, VERSIONS, run)
                    run(f"PRAGMA user_version = {VERSION}")
                    version = VERSION
            # What is committed lasts through a power cut: in this mode too, FULL waits for the disk at every commit.
            run("PRAGMA journal_mode = WAL")
        except (sqlite3.Error, DatabaseError) as error:
            raise cannot_be_used(self.path, error) from None
        if application != APPLICATION:
            raise other_database(self.where)
        if version != VERSION:
            raise other_version(self.where, version, VERSION)

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        try:
            return self.connection.execute(statement, values).fetchall()
        except sqlite3.IntegrityError as error:
            raise ExistsError(str(error)) from None
        except sqlite3.Error as error:
            raise (DiskFullError if _is_full(self.path, error) else DatabaseError)(str(error)) from None

    @contextmanager
    def transaction(self) -> Iterator[None]:
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
        with self.transaction() if len(answers) > 1 else nullcontext():
            return {row[0] for row in answers if self.execute(_ADD, (*row, row[1], row[0], row[1] - 1))}

    def changed(self, game: int, number: int = BESIDE) -> None:
        """There is nobody to be told."""

    def now(self) -> float:
        return time.time()

    def lead(self, game: int) -> bool:
        return True

    def release(self, game: int) -> None:
        """Nobody else wants to."""

    @contextmanager
    def listen(self, heard: NewsReader) -> Iterator[None]:
        yield

    def is_tight(self) -> bool:
        return _room(self.path) < TIGHT

    def check_news(self) -> None:
        """There is nobody to be told."""

    def say(self, told: str) -> None:
        """Nobody listens."""

    def close(self) -> None:
        self.connection.close()

    def pragma(self, name: str) -> int:
        return int(self.connection.execute(f"PRAGMA {name}").fetchone()[0])


def cannot_be_used(path: Path, error: Exception) -> StoreError:
    """What the system says to a file of the log."""
    why: Phrase | str = phrase("errors", "the disk is full") if _is_full(path, error) else reason(error)
    return StoreError(phrase("errors", "Tables cannot be kept in '{path}': {why}.", path=str(path), why=why))


def _is_full(path: Path, error: Exception) -> bool:
    """Whether an error comes from a disk that has no room; SQLite calls it by several names."""
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_FULL" or (name.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN")) and _room(path) < TIGHT)


def _room(path: Path) -> float:
    """How many bytes the disk of a file has left; endless where the system does not say."""
    try:
        disk = shutil.disk_usage(path.parent)
    except OSError:
        return math.inf
    return disk.free if disk.total else math.inf
