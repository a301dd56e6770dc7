"""What servers of one PostgreSQL database tell each other: a connection that hears of changes, and on which a server
says what nobody keeps. Who has gone without a word is noticed, since each holds a lock while it hears."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any

import psycopg

from rulewright.server.storage.database import NewsReader
from rulewright.server.storage.postgresql_connection import connected, lock

CHANNEL = "rulewright"
"""On which changes are told: the number of a table, and that of an answer or BESIDE, nothing else."""
HEAR = "hear"
"""What an advisory lock is for: it is held by all who hear."""
HEARS_ITSELF = 5.0
"""Seconds within which somebody who says something hears it."""
HEARING, GATHERING, LOOKING, PAUSE, DEAF = 0.5, 0.01, 2.0, 1.0, 5.0
"""Seconds until something is said at the latest; for which news gathers before it is heard at once, since each time
costs as much as what is heard; between two looks at who is there; until a lost connection is made again; and between
two looks at all tables by somebody who cannot hear."""
_THERE = """
    SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = 0
    AND classid::bigint = hashtext(%s || current_schema())::bigint & 4294967295
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def hears_itself(settings: Mapping[str, Any]) -> bool:
    """Whether a connection hears what another one says: not so through a pooler that gives a client another connection
    for each transaction. Raises psycopg.Error."""
    channel = f"{CHANNEL}_{secrets.token_hex(8)}"
    with connected(settings) as hearing, connected(settings) as saying:
        hearing.execute(f"LISTEN {channel}")
        with saying.transaction():  # such a pooler lends it what heard just now
            saying.execute("SELECT pg_notify(%s, '')", (channel,))
        for _ in hearing.notifies(timeout=HEARS_ITSELF, stop_after=1):
            return True
    return False


class PostgresqlNews:
    """Of one server, in a thread of its own. own: the process of the database that writes for this server."""

    def __init__(self, settings: Mapping[str, Any], own: Callable[[], int]) -> None:
        self._settings, self._own = settings, own
        self._to_say: SimpleQueue[str] = SimpleQueue()
        self._hearing = False
        self._speakers: set[int] = set()

    def say(self, told: str) -> None:
        """Tell it to all other servers that hear just now, if this one can."""
        if self._hearing:
            self._to_say.put(told)

    def run(self, heard: NewsReader, ended: Event) -> None:
        """Hear and say, until the end."""
        deaf = time.monotonic() + DEAF
        while not ended.is_set():
            with suppress(psycopg.Error), connected(self._settings) as connection:
                self._hear(connection, heard, ended)
            self._hearing = False
            if time.monotonic() >= deaf:  # there may be a connection to read by, and none to hear by
                heard.missed()
                deaf = time.monotonic() + DEAF
            ended.wait(PAUSE)

    def _hear(self, connection: psycopg.Connection, heard: NewsReader, ended: Event) -> None:
        statement, values = lock("pg_advisory_lock_shared", HEAR)
        connection.execute(statement.replace("?", "%s"), values)
        [(whispers,)] = connection.execute("SELECT %s || md5(current_schema())", (f"{CHANNEL}_",)).fetchall()
        connection.execute(f"LISTEN {CHANNEL}")
        connection.execute(f"LISTEN {whispers}")
        with suppress(Empty):
            while True:
                self._to_say.get_nowait()  # all is said anew
        self._speakers, self._hearing, looked = set(), True, time.monotonic()
        heard.begun()
        heard.missed()
        while not ended.is_set():
            for news in connection.notifies(timeout=HEARING, stop_after=1):
                if news.channel == whispers and news.pid != connection.info.backend_pid:
                    self._speakers.add(news.pid)
                    heard.said(news.pid, news.payload)
                elif news.channel == CHANNEL and news.pid != self._own():
                    with suppress(ValueError):  # anybody who may use the database can say anything
                        game, number = map(int, news.payload.split())
                        heard.changed(game, number)
            with suppress(Empty):
                while True:
                    connection.execute("SELECT pg_notify(%s, %s)", (whispers, self._to_say.get_nowait()))
            if time.monotonic() >= looked + LOOKING:
                looked = time.monotonic()
                self._look(connection, heard)
            ended.wait(GATHERING)

    def _look(self, connection: psycopg.Connection, heard: NewsReader) -> None:
        """Who is there no more. Also, whether the database still answers."""
        there = {process for (process,) in connection.execute(_THERE, (f"rulewright {HEAR} ",)).fetchall()}
        for process in self._speakers - there:
            heard.gone(process)
        self._speakers &= there
