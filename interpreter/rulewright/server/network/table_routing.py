"""Routing of tables to worker processes: a connection is handed over to the one that serves its table.

The system lets any worker accept a new connection, but each worker that serves a table computes its whole game. So the
worker that accepts a connection hands it over before answering. If the right one is absent or busy for long, it serves
the table itself: any worker can.
"""

from __future__ import annotations

import asyncio
import socket
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from rulewright.base.processes import spawn_context
from rulewright.base.records import record

HEARTBEAT_SECONDS, MAX_SILENCE_SECONDS = 0.25, 1.5
"""Seconds between heartbeats of a worker, and seconds without one after which nothing is handed over to it."""
_TABLE_REQUEST = b"GET /play/"
"""Beginning of the requests that belong to one table."""
_MAX_REQUEST_BYTES = 65_536
"""Bytes of a first request that are handed over with a connection; uvicorn reads no more at once."""


@record
class WorkerLinks:
    """State shared by workers. doors: a pair of sockets for each, over which connections are handed to it; alive: times
    of their last heartbeats in seconds; pages: pages at tables in each."""

    doors: Sequence[tuple[socket.socket, socket.socket]]
    alive: Any
    pages: Any

    @classmethod
    def for_processes(cls, processes: int) -> WorkerLinks | None:
        """Create the links for some processes; None if there is one, or the system cannot hand connections over."""
        if processes < 2 or not hasattr(socket, "send_fds"):
            return None
        doors = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(processes)]
        for sockets in doors:
            for end in sockets:
                end.setblocking(False)
        spawning = spawn_context()
        return cls(doors, spawning.RawArray("d", processes), spawning.RawArray("i", processes))


class TableRouter:
    """Router of one worker. number: its own, from 0."""

    def __init__(self, links: WorkerLinks, number: int) -> None:
        self._links, self._number = links, number
        self._beating: asyncio.TimerHandle | None = None
        self._arrive: Callable[[bytes], asyncio.Protocol] | None = None
        self._arriving: set[asyncio.Task[None]] = set()

    def open(self, arrive: Callable[[bytes], asyncio.Protocol]) -> None:
        """Take over connections from now on. arrive: creates the protocol for one, given what was read of it before."""
        self._arrive, self._links.pages[self._number] = arrive, 0
        asyncio.get_running_loop().add_reader(self._links.doors[self._number][0], self._take)
        self._beat()

    def close(self) -> None:
        """Stop taking over connections."""
        if self._beating is not None:
            self._beating.cancel()
            self._links.alive[self._number] = 0.0
            asyncio.get_running_loop().remove_reader(self._links.doors[self._number][0])

    def _beat(self) -> None:
        """Record a heartbeat of this worker, again and again."""
        self._links.alive[self._number] = time.monotonic()
        self._beating = asyncio.get_running_loop().call_later(HEARTBEAT_SECONDS, self._beat)

    def hand_over(self, transport: asyncio.Transport, data: bytes) -> bool:
        """Hand a connection over if its first request is for another worker's table; return whether that was done."""
        if not data.startswith(_TABLE_REQUEST) or len(data) > _MAX_REQUEST_BYTES:
            return False
        number = self.worker_of(data[len(_TABLE_REQUEST) :].split(b" ", 1)[0])
        if number == self._number or not self._is_there(number):
            return False
        try:
            file = transport.get_extra_info("socket").fileno()
            socket.send_fds(self._links.doors[number][1], [data], [file])
        except OSError:  # as many wait there as the system lets wait
            return False
        return True

    def pages_elsewhere(self, own_pages: int) -> int:
        """Return how many pages are at tables in the other workers. own_pages: the number in this one, announced to
        them."""
        self._links.pages[self._number] = own_pages
        others = (number for number in range(len(self._links.doors)) if number != self._number)
        return sum(self._links.pages[number] for number in others if self._is_there(number))

    def _is_there(self, number: int) -> bool:
        """Return whether a worker has given a recent heartbeat."""
        return bool(time.monotonic() <= self._links.alive[number] + MAX_SILENCE_SECONDS)

    def worker_of(self, prefix: bytes) -> int:
        """Return the number of the worker that serves tables with a routing prefix."""
        return zlib.crc32(prefix) % len(self._links.doors)

    def _take(self) -> None:
        """Take over all connections that were handed to this worker."""
        with suppress(BlockingIOError):
            while True:
                data, files, _, _ = socket.recv_fds(self._links.doors[self._number][0], _MAX_REQUEST_BYTES, 1)
                for file in files:
                    coming = asyncio.create_task(self._take_over(socket.socket(fileno=file), data))
                    self._arriving.add(coming)
                    coming.add_done_callback(self._arriving.discard)

    async def _take_over(self, connection: socket.socket, data: bytes) -> None:
        """Serve a connection that another worker has handed over. data: read of it before."""
        arrive = self._arrive
        assert arrive is not None
        with suppress(OSError):  # whoever it was has gone
            await asyncio.get_running_loop().connect_accepted_socket(lambda: arrive(data), connection)
