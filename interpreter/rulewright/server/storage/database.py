"""What a database of the log must be able to do, and what it says when it cannot.

There are two: `sqlite_file`, one file for one process, and `postgresql`, a server for many processes on many machines.
`store` says everything else to both, in the same SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from rulewright.base.diagnostics import RulewrightError
from rulewright.i18n.localizer import Phrase, phrase

Row = tuple[Any, ...]

AnswerRow = tuple[int, int, int, str, str | None]
"""An answer as it is kept: the table, its number there, the seat, the decision, and what was taken as JSON, or None
where it was taken back."""

BESIDE = -1
"""Instead of the number of an answer: what has changed at a table is something else."""


class StoreError(RulewrightError):
    """The log cannot be opened, read or written; nothing has changed."""


class TakenError(StoreError):
    """Somebody else was there first."""


class FullError(StoreError):
    """The disk has no room for it."""


class BrokenLogError(StoreError):
    """What is kept makes no sense, or is not there any more."""


class UnknownEndError(StoreError):
    """The database has gone while something was being kept: it is there, or it is not, and both wholly. Whoever goes on
    reads it again first."""


class DatabaseError(Exception):
    """What a database answers to a statement that it cannot carry out. told: a sentence for people that says all, or
    None: then the text says why."""

    def __init__(self, why: str, told: Phrase | None = None) -> None:
        super().__init__(why)
        self.told = told


class DiskFullError(DatabaseError):
    """There is no room for what is to be kept."""

    def __init__(self, why: str) -> None:
        super().__init__(why, disk_full())


class ExistsError(DatabaseError):
    """There is such a row, or none that it belongs to."""


class LostError(DatabaseError):
    """The database cannot be reached: not any more, or not yet."""


class Database(Protocol):
    """The tables of `schema` in some database. It may be used from any thread, by one at a time.

    where: how people call it, without a password; shared: whether other processes may use it at the same time, so that
    what one of them has read may not be the newest.
    """

    where: str
    shared: bool

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        """What a statement gives, with `?` for each value. Raises DatabaseError."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; when the outermost one ends, it is on the disk. One within another can fail by itself. Raises
        DatabaseError; UnknownEndError where nobody can say whether it was kept."""

    def add(self, answers: Sequence[AnswerRow]) -> set[int]:
        """Add answers, at most one to each table, and tell others; when this returns outside a transaction, they are on
        the disk. The tables to which one was added: elsewhere its number is taken, or the one before it is missing.

        Raises ExistsError where there is no such table, DatabaseError: none was added then; UnknownEndError where
        nobody can say whether they were.
        """

    def changed(self, game: int, number: int = BESIDE) -> None:
        """What this transaction does concerns a table: others are told when it is kept. number: of the answer."""

    def now(self) -> float:
        """Seconds since 1970: the same for all who use it, whatever their own clocks say. Raises DatabaseError."""

    def lead(self, game: int) -> bool:
        """Be the one who drives a table, until `release`, or until this process has gone; False where another one does.
        Raises DatabaseError."""

    def release(self, game: int) -> None:
        """Let others drive a table. Raises DatabaseError."""

    def listen(self, heard: NewsReader) -> AbstractContextManager[None]:
        """Be told what others change and say, from a thread of its own."""

    def is_tight(self) -> bool:
        """Whether hardly any room is left for what is kept, as far as that can be seen from here."""

    def check_news(self) -> None:
        """Find out whether what is told is heard. Raises StoreError where it is not."""

    def say(self, told: str) -> None:
        """Tell something to others that listen, which nobody keeps. It is never waited for, and gets lost where it
        cannot be told."""

    def close(self) -> None: ...


class NewsReader(Protocol):
    """Whoever wants to know what other processes do. All is called from another thread."""

    def changed(self, game: int, number: int) -> object:
        """Something is new at a table: an answer, by its number, or BESIDE."""

    def missed(self) -> object:
        """There may have been changes that nobody has told of."""

    def begun(self) -> object:
        """From now on it is heard what others say, for the first time or again."""

    def said(self, process: int, told: str) -> object:
        """Another process has said something."""

    def gone(self, process: int) -> object:
        """A process that has said something is there no more."""


def taken() -> TakenError:
    return TakenError(phrase("errors", "Somebody else was faster."))


def damaged() -> BrokenLogError:
    return BrokenLogError(phrase("errors", "What is kept of this table is damaged."))


def disk_full() -> Phrase:
    return phrase("errors", "This cannot be kept: the disk of the server is full. Nothing has changed.")


def other_database(where: str) -> StoreError:
    return StoreError(phrase("errors", "'{path}' is a database of something else; it stays as it is.", path=where))


def other_version(where: str, found: int, expected: int) -> StoreError:
    return StoreError(
        phrase(
            "errors",
            "The tables in '{path}' were kept by another version of Rulewright (theirs is {found}, this one's "
            "{expected}). They stay as they are: use that version, or another folder with {option}.",
            path=where,
            found=str(found),
            expected=str(expected),
            option="--data",
        )
    )


def bring_up(version: int, later: tuple[str, ...], run: Callable[[str], object]) -> None:
    """Bring tables of an older version, or none at all (0), to the newest."""
    for statements in later[version:]:
        for statement in filter(str.strip, statements.split(";")):
            run(statement)
