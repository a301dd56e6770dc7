"""Slow connection to a server on this computer, for measurements.

Browsers can imitate one themselves, but count what comes over a websocket before it is compressed, and no handshakes.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

CHUNK = 1460
"""Bytes that are sent at once, about a packet: connections share the line fairly."""


@dataclass
class Line:
    """One direction of a connection to the internet, which everything shares that goes that way.

    rate: bytes in a second, 0 for any number; delay: seconds on the way; carried: bytes so far."""

    rate: float
    delay: float
    carried: int = 0
    _free: float = field(default=0.0, repr=False)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, arrives: float) -> None:
        """Carry all that comes, and close the other end when it ends. arrives: time before which nothing arrives."""
        loop = asyncio.get_running_loop()
        while chunk := await reader.read(CHUNK):
            self.carried += len(chunk)
            self._free = max(self._free, loop.time()) + (len(chunk) / self.rate if self.rate else 0)
            loop.call_at(max(self._free, arrives) + self.delay, writer.write, chunk)
            await asyncio.sleep(self._free - loop.time())
        loop.call_at(max(self._free, arrives) + self.delay, writer.close)


@dataclass(frozen=True)
class SlowNetwork:
    """A port of this computer behind a slow line."""

    port: int
    up: Line
    down: Line


@contextmanager
def slow_network(server: int, rate: float, round_trip: float) -> Iterator[SlowNetwork]:
    """Open a port that leads to a server's. rate: bytes in a second each way, 0 for any number; round_trip: seconds,
    which a new connection takes twice."""
    up, down = Line(rate, round_trip / 2), Line(rate, round_trip / 2)
    loop = asyncio.new_event_loop()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrives = loop.time() + round_trip
        with suppress(OSError):
            from_server, to_server = await asyncio.open_connection("127.0.0.1", server)
            await asyncio.gather(up.carry(reader, to_server, arrives), down.carry(from_server, writer, arrives))

    async def end() -> None:
        listening.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)

    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    beginning = asyncio.start_server(connect, "127.0.0.1", 0)
    listening = asyncio.run_coroutine_threadsafe(beginning, loop).result()
    try:
        yield SlowNetwork(listening.sockets[0].getsockname()[1], up, down)
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
