"""Notifications between servers of one PostgreSQL database: changes, and messages that nobody stores.

A server that vanishes is noticed, since each holds a lock while it listens.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any

import psycopg

from rulewright.server.storage.database import ChangeListener
from rulewright.server.storage.postgresql_connection import connect, lock_call

CHANNEL = "rulewright"
"""Channel for changes, each as the number of a table and of an answer (or OTHER_CHANGE), nothing else."""
LISTENER_LOCK = "hear"
"""Purpose of the advisory lock that all listeners hold."""
SELF_TEST_SECONDS = 5.0
"""Seconds in which a notification must arrive at its sender's other connection."""
WAIT_SECONDS, GATHER_SECONDS, CHECK_SECONDS, RECONNECT_SECONDS, POLL_SECONDS = 0.5, 0.01, 2.0, 1.0, 5.0
"""Seconds until messages are sent at the latest; while notifications gather, since each delivery costs as much as its
content; between two checks of who is there; until a lost connection is replaced; and between two checks of all tables
without one."""
_LISTENERS = """
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = 0
    AND classid::bigint = hashtext(%s || current_schema())::bigint & 4294967295
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def hears_own_notification(settings: Mapping[str, Any]) -> bool:
    """Return whether one connection receives another's notifications; not so through a pooler that shares connections
    between transactions. Raises psycopg.Error."""
    channel = f"{CHANNEL}_{secrets.token_hex(8)}"
    with connect(settings) as hearing, connect(settings) as saying:
        hearing.execute(f"LISTEN {channel}")
        with saying.transaction():  # such a pooler lends it what heard just now
            saying.execute("SELECT pg_notify(%s, '')", (channel,))
        for _ in hearing.notifies(timeout=SELF_TEST_SECONDS, stop_after=1):
            return True
    return False


class PostgresqlListener:
    """Listener of one server, in a thread of its own. own: returns the database process that writes for this server."""

    def __init__(self, settings: Mapping[str, Any], own: Callable[[], int]) -> None:
        self._settings, self._own = settings, own
        self._to_say: SimpleQueue[str] = SimpleQueue()
        self._hearing = False
        self._speakers: set[int] = set()

    def say(self, message: str) -> None:
        """Queue a message for all other servers, if this one is connected."""
        if self._hearing:
            self._to_say.put(message)

    def run(self, listener: ChangeListener, stop: Event) -> None:
        """Receive and send until the end, reconnecting when the connection is lost."""
        poll_at = time.monotonic() + POLL_SECONDS
        while not stop.is_set():
            with suppress(psycopg.Error), connect(self._settings) as connection:
                self._listen_on(connection, listener, stop)
            self._hearing = False
            if time.monotonic() >= poll_at:  # there may be a connection to read by, and none to hear by
                listener.missed()
                poll_at = time.monotonic() + POLL_SECONDS
            stop.wait(RECONNECT_SECONDS)

    def _listen_on(self, connection: psycopg.Connection, listener: ChangeListener, stop: Event) -> None:
        """Pass on the notifications of a connection, and send what waits, until told to stop."""
        statement, values = lock_call("pg_advisory_lock_shared", LISTENER_LOCK)
        connection.execute(statement.replace("?", "%s"), values)
        [(whispers,)] = connection.execute("SELECT %s || md5(current_schema())", (f"{CHANNEL}_",)).fetchall()
        connection.execute(f"LISTEN {CHANNEL}")
        connection.execute(f"LISTEN {whispers}")
        with suppress(Empty):
            while True:
                self._to_say.get_nowait()  # all is said anew
        self._speakers, self._hearing, checked = set(), True, time.monotonic()
        listener.on_connected()
        listener.missed()
        while not stop.is_set():
            for news in connection.notifies(timeout=WAIT_SECONDS, stop_after=1):
                if news.channel == whispers and news.pid != connection.info.backend_pid:
                    self._speakers.add(news.pid)
                    listener.on_message(news.pid, news.payload)
                elif news.channel == CHANNEL and news.pid != self._own():
                    with suppress(ValueError):  # anybody who may use the database can say anything
                        game, number = map(int, news.payload.split())
                        listener.changed(game, number)
            with suppress(Empty):
                while True:
                    connection.execute("SELECT pg_notify(%s, %s)", (whispers, self._to_say.get_nowait()))
            if time.monotonic() >= checked + CHECK_SECONDS:
                checked = time.monotonic()
                self._report_ended_processes(connection, listener)
            stop.wait(GATHER_SECONDS)

    def _report_ended_processes(self, connection: psycopg.Connection, listener: ChangeListener) -> None:
        """Report processes that have gone; this also checks that the database answers."""
        alive = {process for (process,) in connection.execute(_LISTENERS, (f"rulewright {LISTENER_LOCK} ",)).fetchall()}
        for process in self._speakers - alive:
            listener.on_process_end(process)
        self._speakers &= alive
