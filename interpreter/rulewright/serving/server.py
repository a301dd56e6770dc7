"""The server: what answers where, and how it is begun and ended."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from rulewright.diagnostics import RulewrightError
from rulewright.languages.speech import phrase
from rulewright.saves import reason
from rulewright.serving import catalogue
from rulewright.serving.connection import BUSY, Connection
from rulewright.serving.limits import Limits
from rulewright.serving.offers import Offers, names_of
from rulewright.serving.pages import Guarded, Pages
from rulewright.serving.store import Store
from rulewright.serving.tables import Tables
from rulewright.serving.thinking import Thinkers

FILE = "tables.sqlite"
_ALIVE = 20.0
"""Seconds between two signs of life of a connection."""


class ServingError(RulewrightError):
    """The server cannot be begun."""


@dataclass(frozen=True)
class Served:
    """What is served and where. editions: more than those that come along, by file."""

    host: str
    port: int
    data: Path
    editions: Sequence[str] = ()


def application(
    store: Store, offers: Offers, limits: Limits | None = None, thinkers: Thinkers | None = None
) -> Starlette:
    """The application; it closes the store when it ends."""
    limits = limits or Limits()
    tables = Tables(store, offers, thinkers or Thinkers(), limits)
    pages = Pages(tables, limits)
    open_connections = 0

    async def play(websocket: WebSocket) -> None:
        nonlocal open_connections
        if open_connections >= limits.connections:
            await websocket.close(BUSY)
            return
        open_connections += 1
        try:
            await Connection(websocket, tables, limits).run()
        finally:
            open_connections -= 1

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await tables.close()
        store.close()

    routes = [
        Route("/", pages.index),
        Route("/table", pages.table),
        Route("/page/{name}", pages.file),
        Route("/words", pages.words),
        Route("/editions", pages.editions),
        Route("/editions/{edition}", pages.edition),
        Route("/editions/{edition}/rulebook", pages.rulebook),
        Route("/editions/{edition}/pictures/{name}.svg", pages.picture),
        Route("/qr", pages.qr, methods=["POST"]),
        Route("/tables", pages.begin, methods=["POST"]),
        WebSocketRoute("/play", play),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guarded)], lifespan=lifespan)


def serve(served: Served, begun: Callable[[str], object], limits: Limits | None = None) -> None:
    """Serve until somebody stops it. begun: is told the address, once there is one. Raises RulewrightError."""
    offers = Offers(names_of(list(served.editions)))
    listening = listen(served.host, served.port)
    with listening:
        store, limits = Store(served.data / FILE), limits or Limits()
        # The library's logs would hold addresses, and in them what people should not find there; errors are enough.
        config = uvicorn.Config(
            application(store, offers, limits),
            log_level="error",
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=4 * limits.message,
            ws_ping_interval=_ALIVE,
            ws_ping_timeout=_ALIVE,
            limit_concurrency=2 * limits.connections,
            timeout_graceful_shutdown=3,
        )
        Thread(target=catalogue.prepare, args=(offers,), daemon=True).start()
        begun(address(listening))
        uvicorn.Server(config).run(sockets=[listening])


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections; port 0: at any that is free. Raises ServingError."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        listening = socket.socket(family, kind)
        try:
            if sys.platform != "win32":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(where)
            listening.listen(2048)
        except BaseException:
            listening.close()
            raise
    except (OSError, OverflowError, UnicodeError) as error:
        slots = {"host": host, "port": str(port), "why": reason(error), "option": "--port"}
        raise ServingError(
            phrase("errors", "Nothing can be served at {host}, port {port}: {why}. Try another {option}.", **slots)
        ) from None
    return listening


def address(listening: socket.socket) -> str:
    """Where a browser on this machine finds it."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{host}:{port}/"
