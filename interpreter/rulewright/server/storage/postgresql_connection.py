"""A connection to PostgreSQL: how it is made, how long anything is waited for, and what is said where it cannot be."""

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

UNANSWERED = 17.0
"""Seconds after which a database that says nothing at all has gone: it should have given up earlier by itself."""
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
_REASONS = (
    ("too many clients", "out of connections"),
    ("remaining connection slots", "out of connections"),
    ("too many connections", "out of connections"),
    ("starting up", "starting or stopping"),
    ("shutting down", "starting or stopping"),
    ("timeout expired", "no answer"),
    ("said nothing", "no answer"),
)
"""What PostgreSQL or psycopg says -> why a database cannot be reached, as the log of events calls it."""


class ImpatientConnection(psycopg.Connection):
    """One that is given up where the other side is there, and says nothing for longer than it may take. What a
    statement gives is there until the next one."""

    _only: psycopg.Cursor | None = None

    def execute(self, *arguments: Any, **settings: Any) -> psycopg.Cursor:
        """As any connection does, with one cursor for all: to make another takes a quarter of a statement's time."""
        if self._only is None:
            self._only = self.cursor()
        return self._only.execute(*arguments, **settings)

    def wait(self, gen: Generator[Any, Any, T], *arguments: Any, **settings: Any) -> T:
        try:
            return super().wait(_within(gen, UNANSWERED), *arguments, **settings)
        except _UnansweredError:
            self.pgconn.finish()
            raise


class _UnansweredError(psycopg.OperationalError):
    pass


def _within(waiting: Generator[Any, Any, T], seconds: float) -> Generator[Any, Any, T]:
    """What psycopg waits for, until it is too late."""
    late = time.monotonic() + seconds
    ready = None
    while True:
        try:
            wanted = waiting.send(ready)
        except StopIteration as end:
            found: T = end.value
            return found
        ready = yield wanted
        if not ready and time.monotonic() >= late:
            raise _UnansweredError(f"the database said nothing for {seconds:g} seconds")


def connected(settings: Mapping[str, Any]) -> psycopg.Connection:
    """Raises psycopg.Error."""
    connection = ImpatientConnection.connect(**settings, autocommit=True)
    try:
        connection.execute(_SESSION)
    except BaseException:
        connection.close()
        raise
    return connection


def lock(function: str, purpose: str, number: int = 0) -> tuple[str, tuple[Any, ...]]:
    """A function of advisory locks, called for these tables. Where two tables have one lock, one waits for the other,
    and nothing else."""
    return f"SELECT {function}(hashtext(? || current_schema()), ?)", (f"rulewright {purpose} ", number % (1 << 31))


def settings_of(address: str) -> dict[str, Any]:
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


def without_secrets(settings: Mapping[str, Any]) -> str:
    port = f":{settings['port']}" if "port" in settings else ""
    service = f"?service={settings['service']}" if "service" in settings else ""
    return f"postgresql://{settings.get('host', '')}{port}/{settings.get('dbname', '')}{service}"


def why(error: psycopg.Error) -> str:
    """What the database says, in one line; of a connection that cannot be made, what was tried last."""
    lines = [error.diag.message_primary or "", *str(error).strip().splitlines()]
    lines = [line for line in lines if not line.endswith("?")]  # libpq asks whether the server runs there
    said = next((line for line in lines if "FATAL: " in line), "") or lines[0] or lines[-1] or type(error).__name__
    return said.rpartition("FATAL: ")[2].strip().removesuffix(".")


def reason(error: psycopg.Error) -> str:
    """Why a database cannot be reached, without a word that it said itself."""
    return next((told for words, told in _REASONS if words in str(error)), "out of reach")


def told_of(error: psycopg.Error) -> Phrase:
    """What people are told of a statement that the database does not carry out."""
    if isinstance(error, psycopg.errors.QueryCanceled | psycopg.errors.LockNotAvailable):
        return phrase("errors", "The database takes too long. Nothing has changed: try again in a moment.")
    return phrase("errors", "The database refuses this just now. Nothing has changed: try again in a moment.")
