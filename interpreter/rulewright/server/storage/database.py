"""Interface of the log's database, and its errors.

There are two: `sqlite_file`, one file for one process, and `postgresql`, a server for many processes on many machines.
`store` talks to both in the same SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import Phrase, phrase

Row = tuple[Any, ...]
"""Values of a row, in the order of its columns."""

AnswerRow = tuple[int, int, int, str, str | None]
"""Stored answer: table, its number there, seat, decision, and the choice keys as JSON, or None for an undo."""

OTHER_CHANGE = -1
"""Placeholder for an answer's number where something else has changed at a table."""


class StoreError(RulewrightError):
    """Error of the log when it is opened, read or written; nothing has changed."""


class TakenError(StoreError):
    """Lost race: somebody else was there first."""


class FullError(StoreError):
    """Lack of space on the disk."""


class BrokenLogError(StoreError):
    """Stored data that is inconsistent or missing."""


class UnknownOutcomeError(StoreError):
    """Unreachable database during a commit, which is stored completely or not at all: read it again before going on."""


class DatabaseError(Exception):
    """Error: the database refused a statement. message: complete, for people, or None: then the text says why."""

    def __init__(self, reason: str, message: Phrase | None = None) -> None:
        super().__init__(reason)
        self.message = message


class DiskFullError(DatabaseError):
    """Error: no space for a change."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, disk_full_message())


class ExistsError(DatabaseError):
    """Error: a violated constraint. A row exists already, or the one it refers to does not."""


class LostError(DatabaseError):
    """Error: the connection to the database is lost or missing."""


class Database(Protocol):
    """Database with the tables of `schema`. Any thread may use it, one at a time.

    address: its public name, without a password; shared: whether other processes may use it at the same time, so that
    data read before may be outdated.
    """

    address: str
    shared: bool

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        """Run a statement with `?` for each value, and return its rows. Raises DatabaseError."""

    def transaction(self) -> AbstractContextManager[None]:
        """Run the context in a transaction; the outermost is on disk at its end, an inner one can fail alone.

        Raises DatabaseError, and UnknownOutcomeError if nobody can say whether it was committed.
        """

    def add(self, answers: Sequence[AnswerRow]) -> set[int]:
        """Add answers, at most one for each table, and notify others; outside a transaction, they are on disk
        afterwards.

        Return the tables to which one was added: for the others, its number is taken or the previous one is missing.
        Raises ExistsError for an unknown table, DatabaseError (nothing was added), and UnknownOutcomeError.
        """

    def notify_changed(self, game: int, number: int = OTHER_CHANGE) -> None:
        """Notify others, when this transaction commits, that a table has changed. number: of an answer."""

    def now(self) -> float:
        """Return the database's time, the same for all its users, in seconds since 1970. Raises DatabaseError."""

    def take_lease(self, game: int) -> bool:
        """Take the lease of a table until `release_lease` or the end of this process; False if another one holds
        it. Raises DatabaseError."""

    def release_lease(self, game: int) -> None:
        """Release the lease of a table, if this process holds it. Raises DatabaseError."""

    def listen(self, listener: ChangeListener) -> AbstractContextManager[None]:
        """Call a listener, from a thread of its own, for changes and messages of others while the context is open."""

    def is_tight(self) -> bool:
        """Return whether hardly any disk space is left; False where that is not visible from here."""

    def check_news(self) -> None:
        """Check that notifications arrive. Raises StoreError if they do not."""

    def say(self, message: str) -> None:
        """Broadcast a message to other listening processes, without waiting; it is not stored and may get lost."""

    def close(self) -> None:
        """Close the connections."""


class ChangeListener(Protocol):
    """Listener for what other processes do, called from another thread."""

    def changed(self, game: int, number: int) -> object:
        """Handle a change of a table: a new answer, by its number, or OTHER_CHANGE."""

    def missed(self) -> object:
        """Handle possibly missed changes of any table."""

    def on_connected(self) -> object:
        """Handle a new connection: from now on, messages arrive, for the first time or again."""

    def on_message(self, process: int, message: str) -> object:
        """Handle another process's message."""

    def on_process_end(self, process: int) -> object:
        """Handle the end of a process that has sent messages."""


def taken_error() -> TakenError:
    """Return the error of a lost race."""
    return TakenError(phrase("errors", "Somebody else was faster."))


def damaged_error() -> BrokenLogError:
    """Return the error for damaged data of a table."""
    return BrokenLogError(phrase("errors", "What is kept of this table is damaged."))


def disk_full_message() -> Phrase:
    """Return the text for a change that failed because the disk is full."""
    return phrase("errors", "This cannot be kept: the disk of the server is full. Nothing has changed.")


def other_database_error(address: str) -> StoreError:
    """Return the error for a database with other tables than this program's. address: its public name."""
    return StoreError(phrase("errors", "'{path}' is a database of something else; it stays as it is.", path=address))


def other_version_error(address: str, version: int, expected: int) -> StoreError:
    """Return the error for tables of another version."""
    return StoreError(
        phrase(
            "errors",
            "The tables in '{path}' were kept by another version of Rulewright (theirs is {found}, this one's "
            "{expected}). They stay as they are: use that version, or another folder with {option}.",
            path=address,
            found=str(version),
            expected=str(expected),
            option="--data",
        )
    )


def upgrade_tables(version: int, versions: tuple[str, ...], run: Callable[[str], object]) -> None:
    """Bring tables of an older version, or none at all (0), to the newest. versions: the statements of each; run: runs
    one statement."""
    for statements in versions[version:]:
        for statement in filter(str.strip, statements.split(";")):
            run(statement)
