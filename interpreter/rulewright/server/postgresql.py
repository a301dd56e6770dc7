"""The log in a PostgreSQL database, for as many processes on as many machines as there are.

One connection reads and writes; another one, while somebody listens, hears what other processes have written. Advisory
locks belong to the first: they end with it, whatever becomes of this process. A connection that is lost is made again.
What was being kept just then is looked up, since a transaction has a number: where it is kept, it is told so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from rulewright.i18n.speech import Phrase, phrase
from rulewright.server.database import (
    BESIDE,
    DatabaseError,
    ExistsError,
    LostError,
    NewsReader,
    Row,
    StoreError,
    UnknownEndError,
    bring_up,
    disk_full,
    other_database,
    other_version,
)
from rulewright.server.schema import VERSION, VERSIONS, in_postgresql

CHANNEL = "rulewright"
"""On which changes are told: the number of a table, and that of an answer or BESIDE, nothing else."""
START, SERVE, LEAD = "start", "serve", "lead"
"""What an advisory lock is for: to bring the tables to this version, to use them, to drive one of them."""
PATIENCE = 2.0
"""Seconds for which a lost connection is tried again, so that nobody notices a database that is begun anew. Later on
all are told at once that it is away, and it is looked for each second."""
UNDECIDED = 10.0
"""Seconds within which it must be found out whether something was kept."""
_AGAIN, _PAUSE, _HEARING = 0.1, 1.0, 0.5
_EXAMPLE = "postgresql://USER@HOST/NAME"
_CONNECTING: Mapping[str, str] = {
    "application_name": "rulewright",
    "client_encoding": "UTF8",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""What an address need not say."""
_SESSION = """
    SET statement_timeout = '15s';
    SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '30s';
    SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
    SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
           set_config('tcp_keepalives_count', '3', false)
"""
"""What is acknowledged is on the disk; a machine that has gone without a word holds no lock for long."""


class Postgresql:
    """A Database."""

    shared = True

    def __init__(self, address: str) -> None:
        """Open the log, or begin one. address: a URL, as libpq takes it. Raises StoreError."""
        self._settings = _settings(address)
        self.where = _without_secrets(self._settings)
        self._connection: psycopg.Connection | None = None
        self._lost, self._looked = "", 0.0  # why it is away, and when it was looked for
        self._depth = 0
        self._told: set[str] = set()
        self._leading: set[int] = set()
        self._process = 0  # of the database, for this connection
        try:
            self._connect(patience=0)
        except DatabaseError as error:
            raise self._unusable(str(error)) from None

    # ── what a Database does ──

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        return self._said(statement, values) if self._depth else self._begun(statement, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        inner = self._depth > 0
        if inner:
            self._said("SAVEPOINT one")
        else:
            self._told.clear()
            self._begun("BEGIN")
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            with suppress(DatabaseError):
                for statement in ("ROLLBACK TO one", "RELEASE one") if inner else ("ROLLBACK",):
                    self._said(statement)
            raise
        self._depth -= 1
        if inner:
            self._said("RELEASE one")
        else:
            self._commit()

    def changed(self, game: int, number: int = BESIDE) -> None:
        self._told.add(f"{game} {number}")

    def now(self) -> float:
        return float(self.execute("SELECT extract(epoch FROM clock_timestamp())::float8")[0][0])

    def lead(self, game: int) -> bool:
        if game not in self._leading and self.execute(*_lock("pg_try_advisory_lock", LEAD, game))[0][0]:
            self._leading.add(game)
        return game in self._leading

    def release(self, game: int) -> None:
        if game in self._leading:
            self._leading.remove(game)
            self.execute(*_lock("pg_advisory_unlock", LEAD, game))

    @contextmanager
    def listen(self, heard: NewsReader) -> Iterator[None]:
        ended = Event()
        Thread(target=self._listen, args=(heard, ended), name="news", daemon=True).start()
        try:
            yield
        finally:
            ended.set()

    def close(self) -> None:
        self._drop()

    # ── keeping ──

    def _commit(self) -> None:
        """Keep what was done. Raises LostError where it is not kept, UnknownEndError."""
        if self._connection is None:
            raise self._away()
        if self._connection.info.transaction_status != TransactionStatus.INTRANS:
            self._said("ROLLBACK")
            raise DatabaseError("ROLLBACK")
        kept = (
            "SELECT pg_current_xact_id_if_assigned()::text, "
            "(SELECT count(pg_notify(?, one)::text) FROM unnest(?::text[]) one)"
        )
        [(number, _)] = self._said(kept, (CHANNEL, list(self._told)))
        process = self._process
        try:
            self._said("COMMIT")
        except LostError:
            if number is not None and not self._was_kept(number, process):
                raise

    def _was_kept(self, number: str, process: int) -> bool:
        """Whether a transaction was, of which that was not heard any more. Raises UnknownEndError."""
        tried = time.monotonic() + UNDECIDED
        while time.monotonic() < tried:
            with suppress(LostError):
                [(status,)] = self._begun("SELECT pg_xact_status(?::xid8)", (number,))
                if status != "in progress":
                    return bool(status == "committed")
                self._begun("SELECT pg_terminate_backend(?)", (process,))
            time.sleep(_AGAIN)
        raise UnknownEndError(
            phrase("errors", "The database has gone just now. Look again whether this was kept, in a moment.")
        )

    # ── a connection ──

    def _begun(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        """What can be said once more if the connection was lost meanwhile: nothing has been changed in it."""
        if self._connection is not None:
            with suppress(LostError):
                return self._said(statement, values)
        self._connect(PATIENCE)
        return self._said(statement, values)

    def _said(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        if self._connection is None:
            raise self._away()
        try:
            cursor = self._connection.execute(statement.replace("?", "%s"), values or None)
            return [] if cursor.description is None else cursor.fetchall()
        except psycopg.IntegrityError as error:
            raise ExistsError(_why(error)) from None
        except psycopg.Error as error:
            if self._connection.closed:
                self._drop()
                self._lost = _why(error)
                raise self._away() from None
            raise DatabaseError(_why(error), _told_of(error)) from None

    def _connect(self, patience: float) -> None:
        """Connect, to tables of this version. Raises LostError, StoreError."""
        if self._looked and time.monotonic() < self._looked + _PAUSE:
            raise self._away()
        tried = time.monotonic() + (0 if self._looked else patience)
        while self._connection is None:
            try:
                self._connection = self._open()
            except psycopg.Error as error:
                if time.monotonic() >= tried:
                    self._lost, self._looked = _why(error), time.monotonic()
                    raise self._away() from None
                time.sleep(_AGAIN)
        self._looked, self._process = 0.0, self._connection.info.backend_pid
        try:
            self._prepare()
        except BaseException:
            self._drop()
            raise

    def _open(self) -> psycopg.Connection:
        """Raises psycopg.Error."""
        connection = psycopg.connect(**self._settings, autocommit=True)
        try:
            connection.execute(_SESSION)
        except BaseException:
            connection.close()
            raise
        return connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        self._leading.clear()
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()

    def _away(self) -> LostError:
        told = phrase("errors", "The database cannot be reached just now. Nothing has changed: try again in a moment.")
        return LostError(self._lost, told)

    # ── its tables ──

    def _prepare(self) -> None:
        """Bring the tables to this version, unless somebody uses them in theirs: of several that begin at once, one
        does. Raises DatabaseError, StoreError."""
        with self.transaction():
            self._said(*_lock("pg_advisory_xact_lock", START))
            [(schema, encoding)] = self._said("SELECT current_schema(), current_setting('server_encoding')")
            if schema is None or encoding != "UTF8":
                raise self._unusable(phrase("errors", "the database needs the encoding UTF8 and a schema to write to"))
            there = {name for (name,) in self._said("SELECT tablename FROM pg_tables WHERE schemaname = ?", (schema,))}
            version = self._said("SELECT version FROM rulewright")[0][0] if "rulewright" in there else 0
            if there and not version:
                raise other_database(self.where)
            if version > VERSION:
                raise other_version(self.where, version, VERSION)
            if version < VERSION:
                self._bring_up(version)
            self._said(*_lock("pg_advisory_lock_shared", SERVE))

    def _bring_up(self, version: int) -> None:
        if not self._said(*_lock("pg_try_advisory_xact_lock", SERVE))[0][0]:
            raise StoreError(
                phrase(
                    "errors",
                    "The tables in '{path}' are served by an older version of Rulewright, and this one would change "
                    "how they are kept. End all of its servers first.",
                    path=self.where,
                )
            )
        if not version:
            self._said("CREATE TABLE rulewright (version BIGINT NOT NULL)")
            self._said("INSERT INTO rulewright VALUES (0)")
        bring_up(version, tuple(map(in_postgresql, VERSIONS)), self._said)
        self._said("UPDATE rulewright SET version = ?", (VERSION,))

    def _unusable(self, why: Phrase | str) -> StoreError:
        return StoreError(phrase("errors", "Tables cannot be kept in '{path}': {why}.", path=self.where, why=why))

    # ── what others do ──

    def _listen(self, heard: NewsReader, ended: Event) -> None:
        """In a thread of its own."""
        while not ended.is_set():
            with suppress(psycopg.Error), self._open() as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                heard.missed()
                while not ended.is_set():
                    for news in connection.notifies(timeout=_HEARING):
                        if news.pid != self._process:
                            with suppress(ValueError):  # anybody who may use the database can say anything
                                game, number = map(int, news.payload.split())
                                heard.changed(game, number)
            ended.wait(_PAUSE)


def _lock(function: str, purpose: str, number: int = 0) -> tuple[str, tuple[Any, ...]]:
    """A function of advisory locks, called for these tables. Where two tables have one lock, one waits for the other,
    and nothing else."""
    return f"SELECT {function}(hashtext(? || current_schema()), ?)", (f"rulewright {purpose} ", number % (1 << 31))


def _settings(address: str) -> dict[str, Any]:
    """What libpq makes of an address. Raises StoreError, which has none of it: there may be a password in it, and where
    that holds signs that mean something in addresses, it may be anywhere."""
    settings: dict[str, Any] = {}
    with suppress(psycopg.Error):
        settings = conninfo_to_dict(address)
    name, port = f"{settings.get('host', '')}{settings.get('dbname', '')}", str(settings.get("port", "0"))
    if not settings or "@" in name or not port.replace(",", "").isdecimal():
        raise StoreError(
            phrase(
                "errors",
                "This is no address of a PostgreSQL database: write {example}. A password is better kept in ~/.pgpass "
                "or PGPASSWORD; here, signs such as @ and / in it are written as %40 and %2F.",
                example=_EXAMPLE,
            )
        )
    return {**_CONNECTING, **settings}


def _without_secrets(settings: Mapping[str, Any]) -> str:
    port = f":{settings['port']}" if "port" in settings else ""
    return f"postgresql://{settings.get('host', '')}{port}/{settings.get('dbname', '')}"


def _why(error: psycopg.Error) -> str:
    """What the database says, in one line; of a connection that cannot be made, what was tried last."""
    lines = [error.diag.message_primary or "", *str(error).strip().splitlines()]
    said = next((line for line in lines if "FATAL: " in line), "") or lines[0] or lines[-1] or type(error).__name__
    return said.rpartition("FATAL: ")[2].strip().removesuffix(".")


def _told_of(error: psycopg.Error) -> Phrase | None:
    if isinstance(error, psycopg.errors.DiskFull):
        return disk_full()
    if isinstance(error, psycopg.errors.QueryCanceled | psycopg.errors.LockNotAvailable):
        return phrase("errors", "The database takes too long. Nothing has changed: try again in a moment.")
    return None
