"""HTTP connections with limits: how many, and for how long one may be silent.

Each request must be complete within some seconds, and responses must be read. A connection that lets the server wait is
idle, and gives its place up when others need it. One that becomes a websocket is counted elsewhere from then on.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from rulewright.base.records import record
from rulewright.server.limits import Limits
from rulewright.server.network.client_addresses import ClientAddresses, limit_key
from rulewright.server.network.connection_limiter import ConnectionLimiter
from rulewright.server.network.table_routing import TableRouter
from rulewright.server.network.websocket_connection import discard_unsent

BACKLOG = 256
"""Connections that the system queues before they are accepted, and the most accepted at once."""

_OTHER_FILES = 64
"""Open files that are no connections."""


@record
class ConnectionRules:
    """Surroundings of HTTP connections. limiter: counts them; clients: which are proxies; router: where several
    processes serve."""

    limiter: ConnectionLimiter
    clients: ClientAddresses
    limits: Limits
    router: TableRouter | None = None


class HttpConnection(H11Protocol):
    """uvicorn's HTTP protocol for one connection, with limits. read: data that another worker has read before handing
    the connection over."""

    rules: ConnectionRules
    read = b""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._timer: asyncio.TimerHandle | None = None
        self._awaited: float | None = None
        self._inside, self._full, self._unread, self._new = False, False, 0, self.rules.router is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit the connection, or close it if there is no place."""
        super().connection_made(cast(asyncio.Transport, transport))  # of faster loops it is none by its class
        address = self.client[0] if self.client else ""
        key = "" if self.rules.clients.is_proxy(address) else limit_key(address)
        self._inside = self.rules.limiter.enter(self, key, self._end)
        if not self._inside:
            self._end()
            return
        self._update_deadline()
        if self.read:
            self._new = False
            self.data_received(self.read)

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hand the connection to another worker if its first request is for a table there; else read the data."""
        new, self._new = self._new, False
        if new and self.rules.router is not None and self.rules.router.hand_over(self.transport, data):
            self._leave()
            self.transport.abort()
            return
        super().data_received(data)
        self._update_deadline()

    def on_response_complete(self) -> None:
        self._limit_time(None)
        super().on_response_complete()
        self._update_deadline()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._full = True
        self._update_deadline()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._full = False
        self._update_deadline()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)

    def _update_deadline(self) -> None:
        """Decide whether the client or the server must act: idle connections get a deadline, busy ones none."""
        cycle = self.cycle
        if not self._inside:
            return
        if not self._full and cycle is not None and not (cycle.more_body or cycle.response_complete):
            self.rules.limiter.mark_busy(self)
            self._limit_time(None)
        elif self._awaited != (awaited := self.rules.limits.stalled if self._full else self.rules.limits.head):
            self.rules.limiter.mark_idle(self)
            self._limit_time(awaited)

    def _leave(self) -> None:
        """Stop counting the connection and its time."""
        self._inside = False
        self._limit_time(None)
        self.rules.limiter.leave(self)

    def _limit_time(self, seconds: float | None) -> None:
        """Close the connection unless something happens in so many seconds; None: no deadline."""
        if self._timer is not None:
            self._timer.cancel()
        self._awaited = seconds
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._end_if_stalled)

    def _end_if_stalled(self) -> None:
        """End the connection, unless the client has read something of what waits for it."""
        before, self._unread = self._unread, self.transport.get_write_buffer_size()
        if self._unread not in (0, before):  # it is read, slowly
            self._limit_time(self.rules.limits.stalled)
        else:
            self._end()

    def _end(self) -> None:
        """Close the connection at once; unsent data is lost."""
        discard_unsent(self.transport)
        self.transport.abort()


def http_connection_class(rules: ConnectionRules) -> type[HttpConnection]:
    """Make the protocol class that uvicorn instantiates for each connection."""
    return type("HttpConnection", (HttpConnection,), {"rules": rules})


def connection_limits(limits: Limits) -> tuple[int, int]:
    """Return the limits on HTTP connections and on pages at tables, as far as the system's limit on open files allows,
    which is raised for this process if need be."""
    files = _raise_file_limit(limits.waiting + 2 * limits.connections + BACKLOG + _OTHER_FILES) - BACKLOG - _OTHER_FILES
    http = max(1, min(limits.waiting, files // 3))
    return http, max(1, min(limits.connections, files - http))


def _raise_file_limit(needed: int) -> int:
    """Raise the process's limit on open files as far as needed and allowed; return how many of those needed may be
    open."""
    if sys.platform == "win32":
        return needed
    import resource  # noqa: PLC0415 - not everywhere

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    infinite = resource.RLIM_INFINITY
    if soft == infinite or soft >= needed:
        return needed
    limit = needed if hard == infinite else min(needed, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
        return limit
    return soft
