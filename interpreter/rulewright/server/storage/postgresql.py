"""Log in a PostgreSQL database, for any number of processes on any number of machines.

One connection reads and writes; another, while somebody listens, receives notifications. Tables' leases are advisory
locks of the first, so they end with it, whatever becomes of this process. A lost connection is replaced. If it was lost
during a commit, the transaction's number tells whether that was stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import chain
from threading import Event, Thread
from typing import Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from rulewright.i18n.localizer import Phrase, phrase
from rulewright.server import structured_log
from rulewright.server.storage.database import (
    OTHER_CHANGE,
    AnswerRow,
    ChangeListener,
    DatabaseError,
    DiskFullError,
    ExistsError,
    LostError,
    Row,
    StoreError,
    UnknownOutcomeError,
    other_database_error,
    other_version_error,
    upgrade_tables,
)
from rulewright.server.storage.postgresql_connection import (
    connect,
    error_message,
    failure_kind,
    lock_call,
    parse_address,
    public_address,
    refusal_message,
)
from rulewright.server.storage.postgresql_listener import CHANNEL, PostgresqlListener, hears_own_notification
from rulewright.server.storage.schema import VERSION, VERSIONS, to_postgresql

T = TypeVar("T")

START, SERVE, LEAD = "start", "serve", "lead"
"""Purposes of advisory locks: upgrade the tables, use them, drive one of them."""
RECONNECT_SECONDS = 2.0
"""Seconds for which a lost connection is retried, so that nobody notices a restarted database. After that, errors are
immediate, and it is retried once a second."""
UNDECIDED_SECONDS = 10.0
"""Seconds in which it must turn out whether a commit succeeded."""
_RETRY_SECONDS, _AWAY_SECONDS = 0.1, 1.0
"""Seconds between two tries to connect or look again, and seconds after a failure in which none is made."""
MAX_BATCH = 100
"""Answers in one statement."""
_TERMINATE_STATEMENT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid = ? AND backend_start = ? AND pid <> pg_backend_pid()
"""
"""Statement that ends a database process, unless its number has passed to another one."""


@cache
def _insert_statement(count: int) -> str:
    """Build the statement that inserts so many answers and notifies listeners."""
    values = ", ".join(["(?::bigint, ?::bigint, ?::bigint, ?, ?)"] * count)
    return f"""
        WITH wanted (game, number, seat, decision, take) AS (VALUES {values}),
        added AS (
            INSERT INTO answers SELECT * FROM wanted WHERE number = 0 OR EXISTS (
                SELECT 1 FROM answers WHERE answers.game = wanted.game AND answers.number = wanted.number - 1
            )
            ON CONFLICT DO NOTHING RETURNING game, number
        )
        SELECT game, pg_notify('{CHANNEL}', game || ' ' || number)::text FROM added
    """


@cache
def _select_statement(count: int) -> str:
    """Build the statement that tells which of so many answers exist."""
    values = ", ".join(["(?::bigint, ?::bigint, ?::bigint, ?, ?)"] * count)
    return f"""
        SELECT answers.game FROM answers JOIN (VALUES {values}) wanted (game, number, seat, decision, take)
        ON answers.game = wanted.game AND answers.number = wanted.number AND answers.seat = wanted.seat
        AND answers.decision = wanted.decision AND answers.take IS NOT DISTINCT FROM wanted.take
    """


class PostgresqlDatabase:
    """Database on a PostgreSQL server."""

    shared = True

    def __init__(self, address: str) -> None:
        """Open the log, or create it. address: a URL, as libpq takes it. Raises StoreError."""
        self._settings = parse_address(address)
        self.address = public_address(self._settings)
        self._connection: psycopg.Connection | None = None
        self._lost, self._looked = "", 0.0  # why it is away, and when it was looked for
        self._used = False  # it was ours once
        self._missed = 0.0  # since when it has been away, or 0
        self._depth = 0
        self._preparing = False
        self._warned: set[str] = set()
        self._leading: set[int] = set()
        self._process = 0  # of the database, for this connection
        self._since: Any = None  # when that began
        self._news = PostgresqlListener(self._settings, lambda: self._process)
        try:
            self._connect(patience=0)
        except DatabaseError as error:
            raise self._unusable(str(error)) from None

    # ── what a Database does ──

    def execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        return self._query(statement, values) if self._depth else self._execute(statement, values)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the context in a transaction, or in a savepoint of one."""
        inner = self._depth > 0
        if inner:
            self._query("SAVEPOINT one")
        else:
            self._warned.clear()
            self._execute("BEGIN")
        self._depth += 1
        try:
            yield
        except BaseException:
            self._depth -= 1
            with suppress(DatabaseError):
                for statement in ("ROLLBACK TO one", "RELEASE one") if inner else ("ROLLBACK",):
                    self._query(statement)
            raise
        self._depth -= 1
        if inner:
            self._query("RELEASE one")
        else:
            self._commit()

    def add(self, answers: Sequence[AnswerRow]) -> set[int]:
        """Add answers with one statement, which commits by itself outside a transaction: a second one would cost
        another wait."""
        parts = (answers[start : start + MAX_BATCH] for start in range(0, len(answers), MAX_BATCH))
        return {game for part in parts for game in self._insert_answers(part)}

    def notify_changed(self, game: int, number: int = OTHER_CHANGE) -> None:
        self._warned.add(f"{game} {number}")

    def now(self) -> float:
        return float(self.execute("SELECT extract(epoch FROM clock_timestamp())::float8")[0][0])

    def take_lease(self, game: int) -> bool:
        if game not in self._leading and self.execute(*lock_call("pg_try_advisory_lock", LEAD, game))[0][0]:
            self._leading.add(game)
        return game in self._leading

    def release_lease(self, game: int) -> None:
        if game in self._leading:
            self._leading.remove(game)
            self.execute(*lock_call("pg_advisory_unlock", LEAD, game))

    @contextmanager
    def listen(self, listener: ChangeListener) -> Iterator[None]:
        ended = Event()
        Thread(target=self._news.run, args=(listener, ended), name="news", daemon=True).start()
        try:
            yield
        finally:
            ended.set()

    def is_tight(self) -> bool:
        """Return False: the server's disk is not visible from here."""
        return False

    def check_news(self) -> None:
        """Check that one connection hears another's notifications. Raises StoreError."""
        try:
            works = hears_own_notification(self._settings)
        except psycopg.Error as error:
            raise self._unusable(error_message(error)) from None
        if not works:
            raise self._unusable(
                phrase(
                    "errors",
                    "what one connection tells is not heard by another. A pooler between them must give each client a "
                    "connection of its own, as PgBouncer does with {setting}; or give the address of the database "
                    "itself",
                    setting="pool_mode = session",
                )
            )

    def say(self, message: str) -> None:
        self._news.say(message)

    def close(self) -> None:
        self._close_connection()

    # ── keeping ──

    def _commit(self) -> None:
        """Commit the transaction. Raises LostError if it is not stored, UnknownOutcomeError."""
        if self._connection is None:
            raise self._away_error()
        if self._connection.info.transaction_status != TransactionStatus.INTRANS:
            self._query("ROLLBACK")
            raise DatabaseError("ROLLBACK")
        statement = (
            "SELECT pg_current_xact_id_if_assigned()::text, "
            "(SELECT count(pg_notify(?, one)::text) FROM unnest(?::text[]) one)"
        )
        [(number, _)] = self._query(statement, (CHANNEL, list(self._warned)))
        process = self._process, self._since
        try:
            self._query("COMMIT")
        except LostError:
            if number is not None and not self._was_committed(number, process):
                raise

    def _was_committed(self, number: str, process: tuple[int, Any]) -> bool:
        """Return whether a transaction was committed whose confirmation got lost. Raises UnknownOutcomeError."""

        def look() -> bool | None:
            """Return whether it was committed; None while it runs, which is then terminated."""
            [(status,)] = self._execute("SELECT pg_xact_status(?::xid8)", (number,))
            if status != "in progress":
                return bool(status == "committed")
            self._execute(_TERMINATE_STATEMENT, process)
            return None

        return self._poll_outcome(look)

    def _insert_answers(self, answers: Sequence[AnswerRow]) -> set[int]:
        """Insert rows of answers; return the tables whose row is new. After a lost connection, look which were
        stored."""
        statement, values = _insert_statement(len(answers)), tuple(chain.from_iterable(answers))
        if not self._depth and (self._connection is None or self._was_lost_while_idle()):
            self._connect(RECONNECT_SECONDS)
        process = self._process, self._since
        try:
            added = self._query(statement, values)
        except LostError:
            if self._depth or not (stored := self._stored_tables(answers, process)):
                raise
            return stored
        return {game for game, _ in added}

    def _stored_tables(self, answers: Sequence[AnswerRow], process: tuple[int, Any]) -> set[int]:
        """Return the tables whose answers are stored, after the confirmation got lost. Raises UnknownOutcomeError."""

        def look() -> set[int] | None:
            if self._execute(_TERMINATE_STATEMENT, process):  # it may be about to keep them
                return None
            return {
                game for (game,) in self._execute(_select_statement(len(answers)), tuple(chain.from_iterable(answers)))
            }

        return self._poll_outcome(look)

    def _poll_outcome(self, look: Callable[[], T | None]) -> T:
        """Poll until a lost transaction's fate is known. Raises UnknownOutcomeError."""
        deadline = time.monotonic() + UNDECIDED_SECONDS
        while time.monotonic() < deadline:
            with suppress(LostError):
                if (result := look()) is not None:
                    return result
            time.sleep(_RETRY_SECONDS)
        raise UnknownOutcomeError(
            phrase("errors", "The database has gone just now. Look again whether this was kept, in a moment.")
        )

    # ── a connection ──

    def _was_lost_while_idle(self) -> bool:
        """Return whether the connection was lost while idle, and close it then: no later statement can have been
        stored."""
        assert self._connection is not None
        try:
            for _ in range(2):  # the first may hear why
                self._connection.pgconn.consume_input()
        except psycopg.Error as error:
            self._close_connection()
            self._lost = error_message(error)
            return True
        return False

    def _execute(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        """Execute a statement, once more after a lost connection: nothing has been changed in it yet."""
        if self._preparing:  # what ends a connection at once would end the next one, too
            return self._query(statement, values)
        if self._connection is not None:
            with suppress(LostError):
                return self._query(statement, values)
        self._connect(RECONNECT_SECONDS)
        return self._query(statement, values)

    def _query(self, statement: str, values: tuple[Any, ...] = ()) -> list[Row]:
        """Execute a statement on the present connection."""
        if self._connection is None:
            raise self._away_error()
        try:
            prepare = None if values else False  # such as BEGIN, which is as quick without
            cursor = self._connection.execute(statement.replace("?", "%s"), values or None, prepare=prepare)
            return [] if cursor.description is None else cursor.fetchall()
        except psycopg.IntegrityError as error:
            raise ExistsError(error_message(error)) from None
        except psycopg.Error as error:
            if self._connection.closed or isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                self._close_connection()
                self._lost = error_message(error)
                raise self._away_error() from None
            structured_log.warning("database refused", code=error.sqlstate)
            if isinstance(error, psycopg.errors.DiskFull):
                raise DiskFullError(error_message(error)) from None
            raise DatabaseError(error_message(error), refusal_message(error)) from None

    def _connect(self, patience: float) -> None:
        """Connect, and prepare the tables of this version. Raises LostError, StoreError."""
        if self._looked and time.monotonic() < self._looked + _AWAY_SECONDS:
            raise self._away_error()
        deadline = time.monotonic() + (0 if self._looked else patience)
        while self._connection is None:
            try:
                self._connection = connect(self._settings)
            except psycopg.Error as error:
                if time.monotonic() >= deadline:
                    raise self._unreached(error_message(error), failure_kind(error)) from None
                time.sleep(_RETRY_SECONDS)
        self._process = self._connection.info.backend_pid
        self._preparing = True
        try:
            [(self._since,)] = self._query("SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
            self._prepare()
        except BaseException as error:
            self._close_connection()
            if self._used and isinstance(error, StoreError):  # nothing that people at a table should read
                raise self._unreached(str(error), "not as it was") from None
            raise
        finally:
            self._preparing = False
        if self._missed:
            structured_log.event("database back", seconds=round(time.monotonic() - self._missed, 1))
        self._used, self._looked, self._missed = True, 0.0, 0.0

    def _unreached(self, message: str, kind: str) -> LostError:
        """Note that the database is away; return the error for that. kind: why, for the structured log."""
        self._lost, self._looked = message, time.monotonic()
        if not self._missed and self._used:
            structured_log.warning("database away", why=kind)
            self._missed = self._looked
        return self._away_error()

    def _close_connection(self) -> None:
        """Close the connection; leases end with it."""
        connection, self._connection = self._connection, None
        self._leading.clear()
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()

    def _away_error(self) -> LostError:
        """Return the error that the database is away."""
        message = phrase(
            "errors", "The database cannot be reached just now. Nothing has changed: try again in a moment."
        )
        return LostError(self._lost, message)

    # ── its tables ──

    def _prepare(self) -> None:
        """Create or upgrade the tables, unless others use an older version, and lock them as used by this one; of
        several servers that start at once, one upgrades. Raises DatabaseError, StoreError."""
        with self.transaction():
            self._query(*lock_call("pg_advisory_xact_lock", START))
            [(schema, encoding, fixed)] = self._query(
                "SELECT current_schema(), current_setting('server_encoding'), current_setting('transaction_read_only')"
            )
            if schema is None or encoding != "UTF8" or fixed == "on":
                raise self._unusable(phrase("errors", "the database needs the encoding UTF8 and a schema to write to"))
            tables = {
                name for (name,) in self._query("SELECT tablename FROM pg_tables WHERE schemaname = ?", (schema,))
            }
            version = self._query("SELECT version FROM rulewright")[0][0] if "rulewright" in tables else 0
            if not version and (tables or self._used):
                raise other_database_error(self.address)
            if version > VERSION:
                raise other_version_error(self.address, version, VERSION)
            if version < VERSION:
                self._upgrade_schema(version)
            self._query(*lock_call("pg_advisory_lock_shared", SERVE))

    def _upgrade_schema(self, version: int) -> None:
        """Create or upgrade the tables, unless a server of an older version uses them. Raises StoreError.

        The locks of a server that has just ended are waited for: the database ends its process a moment later.
        """
        deadline = time.monotonic() + RECONNECT_SECONDS
        while not self._query(*lock_call("pg_try_advisory_xact_lock", SERVE))[0][0]:
            if time.monotonic() < deadline:
                time.sleep(_RETRY_SECONDS)
                continue
            raise StoreError(
                phrase(
                    "errors",
                    "The tables in '{path}' are served by an older version of Rulewright, and this one would change "
                    "how they are kept. End all of its servers first.",
                    path=self.address,
                )
            )
        if not version:
            self._query("CREATE TABLE rulewright (version BIGINT NOT NULL)")
            self._query("INSERT INTO rulewright VALUES (0)")
        upgrade_tables(version, tuple(map(to_postgresql, VERSIONS)), self._query)
        self._query("UPDATE rulewright SET version = ?", (VERSION,))

    def _unusable(self, reason: Phrase | str) -> StoreError:
        return StoreError(phrase("errors", "Tables cannot be kept in '{path}': {why}.", path=self.address, why=reason))
