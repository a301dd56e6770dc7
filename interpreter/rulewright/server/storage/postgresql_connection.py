"""Connections to PostgreSQL: settings, timeouts, and errors in words."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from rulewright.i18n.localizer import Phrase, phrase
from rulewright.server.storage.database import StoreError

T = TypeVar("T")

MAX_SILENCE_SECONDS = 17.0
"""Seconds after which a silent database counts as lost; it should have given up by itself before."""
_EXAMPLE = "postgresql://USER@HOST/NAME"
"""Form of an address, for messages."""
_CONNECTION_SETTINGS: Mapping[str, str] = {
    "application_name": "rulewright",
    "client_encoding": "UTF8",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""Settings that an address need not have."""
_SESSION = """
    SET statement_timeout = '15s';
    SET lock_timeout = '10s';
    SET idle_in_transaction_session_timeout = '30s';
    SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
    SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
           set_config('tcp_keepalives_count', '3', false)
"""
"""Session settings: commits reach the disk, and a vanished machine holds no lock for long."""
_REASONS = (
    ("too many clients", "out of connections"),
    ("remaining connection slots", "out of connections"),
    ("too many connections", "out of connections"),
    ("starting up", "starting or stopping"),
    ("shutting down", "starting or stopping"),
    ("timeout expired", "no answer"),
    ("said nothing", "no answer"),
)
"""Words of PostgreSQL or psycopg, with the kind of failure that the structured log names."""


class ImpatientConnection(psycopg.Connection):
    """Connection that is given up when the other side is connected but silent for too long.

    A statement's result is valid until the next statement.
    """

    _only: psycopg.Cursor | None = None

    def execute(self, *arguments: Any, **settings: Any) -> psycopg.Cursor:
        """Execute a statement with one cursor for all: creating another takes a quarter of a statement's time."""
        if self._only is None:
            self._only = self.cursor()
        return self._only.execute(*arguments, **settings)

    @property
    def max_silence(self) -> float:
        """Seconds after which this connection is given up, if it is silent."""
        return MAX_SILENCE_SECONDS

    def wait(self, gen: Generator[Any, Any, T], *arguments: Any, **settings: Any) -> T:
        """Wait as psycopg does, within a time limit; a silent connection is closed."""
        try:
            return super().wait(_time_limited(gen, self), *arguments, **settings)
        except _UnansweredError:
            self.pgconn.finish()
            raise


class _UnansweredError(psycopg.OperationalError):
    """Error: the database is silent for too long."""

    pass


def _time_limited(waiting: Generator[Any, Any, T], connection: ImpatientConnection) -> Generator[Any, Any, T]:
    """Pass on what psycopg waits for, until the connection's time limit. Raises _UnansweredError."""
    started = time.monotonic()
    ready = None
    while True:
        try:
            event = waiting.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result
        ready = yield event
        if not ready and time.monotonic() >= started + connection.max_silence:
            raise _UnansweredError(f"the database said nothing for {connection.max_silence:g} seconds")


def connect(settings: Mapping[str, Any]) -> psycopg.Connection:
    """Open a connection with our session settings. Raises psycopg.Error."""
    connection = ImpatientConnection.connect(**settings, autocommit=True)
    try:
        connection.execute(_SESSION)
    except BaseException:
        connection.close()
        raise
    return connection


def lock_call(function: str, purpose: str, number: int = 0) -> tuple[str, tuple[Any, ...]]:
    """Return the statement, with `?` for each value, and the values, to call an advisory lock function for these
    tables. number: of a table. Two tables with equal locks wait for each other, no more."""
    return f"SELECT {function}(hashtext(? || current_schema()), ?)", (f"rulewright {purpose} ", number % (1 << 31))


def parse_address(address: str) -> dict[str, Any]:
    """Parse a database's address with libpq.

    Raises StoreError, which quotes nothing of it: it may hold a password, and if that holds special characters,
    anywhere.
    """
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
    return {**_CONNECTION_SETTINGS, **settings}


def public_address(settings: Mapping[str, Any]) -> str:
    """Return a database's address without user and password."""
    port = f":{settings['port']}" if "port" in settings else ""
    service = f"?service={settings['service']}" if "service" in settings else ""
    return f"postgresql://{settings.get('host', '')}{port}/{settings.get('dbname', '')}{service}"


def error_message(error: psycopg.Error) -> str:
    """Return the database's message in one line; of a failed connection, that of the last attempt."""
    lines = [error.diag.message_primary or "", *str(error).strip().splitlines()]
    lines = [line for line in lines if not line.endswith("?")]  # libpq asks whether the server runs there
    main_line = next((line for line in lines if "FATAL: " in line), "") or lines[0] or lines[-1] or type(error).__name__
    return main_line.rpartition("FATAL: ")[2].strip().removesuffix(".")


def failure_kind(error: psycopg.Error) -> str:
    """Return why a database cannot be reached, as the structured log names it, without quoting the error."""
    return next((kind for words, kind in _REASONS if words in str(error)), "out of reach")


def refusal_message(error: psycopg.Error) -> Phrase:
    """Return the message for people about a refused statement."""
    if isinstance(error, psycopg.errors.QueryCanceled | psycopg.errors.LockNotAvailable):
        return phrase("errors", "The database takes too long. Nothing has changed: try again in a moment.")
    return phrase("errors", "The database refuses this just now. Nothing has changed: try again in a moment.")
