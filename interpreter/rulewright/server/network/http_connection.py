"""The door to the server: how many may stand in it, and for how long without a word.

A whole request must come within some seconds, the first one and every later one, and what is answered must be read.
Whoever lets the door wait is idle, and gives their place up when others want it. When a connection becomes a websocket
it has left the door, and is counted elsewhere.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from rulewright.server.limits import Limits
from rulewright.server.network.client_addresses import Callers, counted
from rulewright.server.network.connection_limiter import Crowd
from rulewright.server.network.table_routing import Homes
from rulewright.server.network.websocket_connection import forget_unsent

BACKLOG = 256
"""Connections that the system keeps until they are let in, and at most so many are let in at once."""

_FILES = 64
"""Open files that are no connections."""


class Door(H11Protocol):
    """What uvicorn speaks with everybody who connects. read: of a connection that another process has passed on, what
    that has read of it."""

    read = b""


def door(crowd: Crowd, callers: Callers, limits: Limits, homes: Homes | None = None) -> type[Door]:
    """For these. homes: where several processes serve."""

    class Guest(Door):
        def __init__(self, *arguments: Any, **settings: Any) -> None:
            super().__init__(*arguments, **settings)
            self._timer: asyncio.TimerHandle | None = None
            self._awaited: float | None = None
            self._inside, self._full, self._unread, self._new = False, False, 0, homes is not None

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(cast(asyncio.Transport, transport))  # of faster loops it is none by its class
            address = self.client[0] if self.client else ""
            self._inside = crowd.enter(self, "" if callers.are_proxies(address) else counted(address), self._end)
            if not self._inside:
                self._end()
                return
            self._look()
            if self.read:
                self._new = False
                self.data_received(self.read)

        def connection_lost(self, exc: Exception | None) -> None:
            self._leave()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            new, self._new = self._new, False
            if new and homes is not None and homes.passed_on(self.transport, data):
                self._leave()
                self.transport.abort()
                return
            super().data_received(data)
            self._look()

        def on_response_complete(self) -> None:
            self._within(None)
            super().on_response_complete()
            self._look()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._full = True
            self._look()

        def resume_writing(self) -> None:
            super().resume_writing()
            self._full = False
            self._look()

        def handle_websocket_upgrade(self, event: h11.Request) -> None:
            self._leave()
            super().handle_websocket_upgrade(event)

        def _look(self) -> None:
            """Who is to do something now: this server, or whoever is connected."""
            cycle = self.cycle
            if not self._inside:
                return
            if not self._full and cycle is not None and not (cycle.more_body or cycle.response_complete):
                crowd.busy(self)
                self._within(None)
            elif self._awaited != (awaited := limits.stalled if self._full else limits.head):
                crowd.idle(self)
                self._within(awaited)

        def _leave(self) -> None:
            self._inside = False
            self._within(None)
            crowd.leave(self)

        def _within(self, seconds: float | None) -> None:
            """End the connection, unless something happens in so many seconds."""
            if self._timer is not None:
                self._timer.cancel()
            self._awaited = seconds
            self._timer = None if seconds is None else self.loop.call_later(seconds, self._late)

        def _late(self) -> None:
            before, self._unread = self._unread, self.transport.get_write_buffer_size()
            if self._unread not in (0, before):  # it is read, slowly
                self._within(limits.stalled)
            else:
                self._end()

        def _end(self) -> None:
            forget_unsent(self.transport)
            self.transport.abort()

    return Guest


def places(limits: Limits) -> tuple[int, int]:
    """How many may stand in the door and how many may be at tables, as far as this process may open so many files."""
    files = _open_files(limits.waiting + 2 * limits.connections + BACKLOG + _FILES) - BACKLOG - _FILES
    waiting = max(1, min(limits.waiting, files // 3))
    return waiting, max(1, min(limits.connections, files - waiting))


def _open_files(wanted: int) -> int:
    """How many files this process may open: as many as wanted, if the system lets it."""
    if sys.platform == "win32":
        return wanted
    import resource  # noqa: PLC0415 - not everywhere

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    if soft == endless or soft >= wanted:
        return wanted
    most = wanted if hard == endless else min(wanted, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft
