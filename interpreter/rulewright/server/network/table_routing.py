"""Which of several processes on one machine serves a table, and how whoever comes gets there.

The system lets any of them take a new connection. All who are at a table are better served by one: else each process
works out the whole game for its few. So the process that has taken a connection passes it on to the one where the table
is at home, before it answers. Where that one is not there, or is busy for long, it serves the table itself: any process
can.
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

BEAT, LONGEST = 0.25, 1.5
"""Seconds between two signs of life of a process, and without one after which nothing is passed on to it."""
_START = b"GET /play/"
_MOST = 65_536
"""Bytes of a first request that are passed on with it; a server reads no more at once."""


@record
class Street:
    """What all processes know of each other. doors: of each, both ends of where connections are passed on to it; alive:
    when each gave its last sign of life, in seconds; pages: how many are at tables in each."""

    doors: Sequence[tuple[socket.socket, socket.socket]]
    alive: Any
    pages: Any

    @classmethod
    def of(cls, processes: int) -> Street | None:
        """None where the system cannot pass connections on."""
        if processes < 2 or not hasattr(socket, "send_fds"):
            return None
        doors = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(processes)]
        for door in doors:
            for end in door:
                end.setblocking(False)
        spawning = spawn_context()
        return cls(doors, spawning.RawArray("d", processes), spawning.RawArray("i", processes))


class Homes:
    """Of one process. number: which it is, from 0."""

    def __init__(self, street: Street, number: int) -> None:
        self._street, self._number = street, number
        self._beating: asyncio.TimerHandle | None = None
        self._arrive: Callable[[bytes], asyncio.Protocol] | None = None
        self._arriving: set[asyncio.Task[None]] = set()

    def open(self, arrive: Callable[[bytes], asyncio.Protocol]) -> None:
        """From now on connections are passed on to this process. arrive: what speaks with one of which so much was read
        before."""
        self._arrive, self._street.pages[self._number] = arrive, 0
        asyncio.get_running_loop().add_reader(self._street.doors[self._number][0], self._take)
        self._beat()

    def close(self) -> None:
        """Nothing more is passed on to this process."""
        if self._beating is not None:
            self._beating.cancel()
            self._street.alive[self._number] = 0.0
            asyncio.get_running_loop().remove_reader(self._street.doors[self._number][0])

    def _beat(self) -> None:
        self._street.alive[self._number] = time.monotonic()
        self._beating = asyncio.get_running_loop().call_later(BEAT, self._beat)

    def passed_on(self, transport: asyncio.Transport, data: bytes) -> bool:
        """Whether a connection whose first request begins like that is another process's business by now."""
        if not data.startswith(_START) or len(data) > _MOST:
            return False
        number = self.of(data[len(_START) :].split(b" ", 1)[0])
        if number == self._number or not self._is_there(number):
            return False
        try:
            file = transport.get_extra_info("socket").fileno()
            socket.send_fds(self._street.doors[number][1], [data], [file])
        except OSError:  # as many wait there as the system lets wait
            return False
        return True

    def pages_elsewhere(self, here: int) -> int:
        """How many pages are at tables in the other processes. here: how many in this one, for those to know."""
        self._street.pages[self._number] = here
        others = (number for number in range(len(self._street.doors)) if number != self._number)
        return sum(self._street.pages[number] for number in others if self._is_there(number))

    def _is_there(self, number: int) -> bool:
        return bool(time.monotonic() <= self._street.alive[number] + LONGEST)

    def of(self, home: bytes) -> int:
        """Which process it is."""
        return zlib.crc32(home) % len(self._street.doors)

    def _take(self) -> None:
        """Take all that was passed on."""
        with suppress(BlockingIOError):
            while True:
                data, files, _, _ = socket.recv_fds(self._street.doors[self._number][0], _MOST, 1)
                for file in files:
                    coming = asyncio.create_task(self._taken(socket.socket(fileno=file), data))
                    self._arriving.add(coming)
                    coming.add_done_callback(self._arriving.discard)

    async def _taken(self, connection: socket.socket, data: bytes) -> None:
        arrive = self._arrive
        assert arrive is not None
        with suppress(OSError):  # whoever it was has gone
            await asyncio.get_running_loop().connect_accepted_socket(lambda: arrive(data), connection)
