"""Websocket of a page at a table: immediate sending, and detection of pages that have gone."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from contextlib import suppress
from http import HTTPStatus
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

SCOPE_KEY = "rulewright.page"
"""Extension of the ASGI scope under which a websocket's `WebSocketConnection` is available."""
MIN_COMPRESSED_BYTES = 200
"""Bytes from which on a text is compressed; most are shorter and would save less than that costs."""
COMPRESSION = ServerPerMessageDeflateFactory(
    server_max_window_bits=12, client_max_window_bits=12, compress_settings={"level": 3, "memLevel": 5}
)
"""Compression with 32 kB of memory for each page. The usual level takes twice the time for an eighth less data."""
ALIVE_MESSAGE = b'{"type":"alive"}'
"""Message that shows a page that its server is there."""
_NO_LINGER = struct.pack("HH" if sys.platform == "win32" else "ii", 1, 0)
"""Value of SO_LINGER: discard unsent data on close."""


class WebSocketConnection(WebSocketsSansIOProtocol):
    """uvicorn's websocket protocol for a page at a table, which drops pages that neither answer pings nor read.

    Without that, the last data sent to a vanished page would be waited for as long as its system exists. `tell`
    bypasses the ASGI layers, since a change of a table goes to every seat.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.conn.available_extensions = [COMPRESSION]
        self._last_received = self.loop.time()

    def data_received(self, data: bytes) -> None:
        self._last_received = self.loop.time()
        super().data_received(data)

    def start_keepalive(self) -> None:
        """Send a first sign of life: a page that never gets one takes the server for an older one."""
        super().start_keepalive()
        self.tell(ALIVE_MESSAGE)

    def send_keepalive_ping(self) -> None:
        """Ping the page unless it has said something lately, and send it a sign of life.

        Its system answers pings by itself, so a page could otherwise not notice a server that has stopped.
        """
        self.tell(ALIVE_MESSAGE)
        interval, silent = self.ping_interval or 0, self.loop.time() - self._last_received
        if silent < interval / 2:
            self.ping_timer = self.loop.call_later(interval - silent, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            extensions: dict[str, Any] = cast(dict[str, Any], self.scope["extensions"])
            extensions[SCOPE_KEY] = self

    def tell(self, text: bytes) -> bool:
        """Send a text at once; return False if that would have to wait, or nobody is there."""
        closed = self.conn.state is not State.OPEN or self.close_sent or self.transport.is_closing()
        if closed or not self.writable.is_set():
            return False
        extensions = self.conn.extensions if len(text) >= MIN_COMPRESSED_BYTES else None
        self.transport.write(Frame(Opcode.TEXT, text).serialize(mask=False, extensions=extensions))
        return True

    def keepalive_timeout(self) -> None:
        """Drop a page that neither answers pings nor reads."""
        super().keepalive_timeout()
        if self.transport.get_write_buffer_size():
            discard_unsent(self.transport)
            self.transport.abort()


def discard_unsent(transport: asyncio.BaseTransport) -> None:
    """Let the system discard unsent data when a connection closes, instead of keeping megabytes for minutes."""
    connected = transport.get_extra_info("socket")
    if connected is not None:
        with suppress(OSError):
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
