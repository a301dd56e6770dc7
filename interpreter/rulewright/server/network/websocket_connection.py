"""A page at a table, over its websocket: what is told at once, and when it has gone."""

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

PAGE = "rulewright.page"
"""Under which a websocket's scope has its `LivePage`, among the extensions."""
COMPRESSED = 200
"""Bytes from which on a text is compressed. Most are shorter, and would save less than that costs."""
COMPRESSION = ServerPerMessageDeflateFactory(
    server_max_window_bits=12, client_max_window_bits=12, compress_settings={"level": 3, "memLevel": 5}
)
"""What is remembered for each page takes 32 kB. The usual level takes twice the time, for an eighth less to send."""
ALIVE = b'{"type":"alive"}'
"""What shows a page that its server is there."""
_AT_ONCE = struct.pack("HH" if sys.platform == "win32" else "ii", 1, 0)
"""Of SO_LINGER: wait for nothing."""


class LivePage(WebSocketsSansIOProtocol):
    """What uvicorn speaks with a page at a table. One that shows no sign of life and reads nothing has gone: else what
    was sent last would be waited for as long as its system is there.

    What is told to a table goes to every seat: where nothing has to be waited for, it need not pass through what stands
    between the protocol and whoever tells it.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.conn.available_extensions = [COMPRESSION]
        self._heard = self.loop.time()

    def data_received(self, data: bytes) -> None:
        self._heard = self.loop.time()
        super().data_received(data)

    def start_keepalive(self) -> None:
        """From the beginning: who has never heard that a server lives takes it for an older one."""
        super().start_keepalive()
        self.tell(ALIVE)

    def send_keepalive_ping(self) -> None:
        """Ask whether it is there, unless it has said something itself since then. Tell it that this server is: its
        system answers by itself, and the page would wait for a machine that has stopped."""
        self.tell(ALIVE)
        interval, silent = self.ping_interval or 0, self.loop.time() - self._heard
        if silent < interval / 2:
            self.ping_timer = self.loop.call_later(interval - silent, self.send_keepalive_ping)
        else:
            super().send_keepalive_ping()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            extensions: dict[str, Any] = cast(dict[str, Any], self.scope["extensions"])
            extensions[PAGE] = self

    def tell(self, text: bytes) -> bool:
        """Send a text at once; False where that has to be waited for, or nobody is there."""
        gone = self.conn.state is not State.OPEN or self.close_sent or self.transport.is_closing()
        if gone or not self.writable.is_set():
            return False
        extensions = self.conn.extensions if len(text) >= COMPRESSED else None
        self.transport.write(Frame(Opcode.TEXT, text).serialize(mask=False, extensions=extensions))
        return True

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        if self.transport.get_write_buffer_size():
            forget_unsent(self.transport)
            self.transport.abort()


def forget_unsent(transport: asyncio.BaseTransport) -> None:
    """When a connection ends, let the system throw away what it has not sent: for somebody who reads nothing it would
    keep megabytes, and try for minutes."""
    connected = transport.get_extra_info("socket")
    if connected is not None:
        with suppress(OSError):
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
