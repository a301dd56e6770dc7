"""What answers where: the pages, the tables, and the machines that watch over them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.config import LOGGING_CONFIG

from rulewright.server import structured_log
from rulewright.server.bots.bot_pool import Thinkers
from rulewright.server.clock import Clock
from rulewright.server.edition_registry import Offers
from rulewright.server.health_checks import Operated
from rulewright.server.limits import Limits
from rulewright.server.metrics import Measures
from rulewright.server.network.client_addresses import Callers, Hosts
from rulewright.server.network.connection_limiter import Crowd
from rulewright.server.network.http_connection import BACKLOG, door, places
from rulewright.server.network.table_routing import Homes
from rulewright.server.network.websocket_connection import LivePage
from rulewright.server.storage.store import Store
from rulewright.server.tables.expiry import Expiry
from rulewright.server.tables.table_registry import Tables
from rulewright.server.web.client_session import Device
from rulewright.server.web.connection import BUSY, Connection
from rulewright.server.web.pages import Pages
from rulewright.server.web.security_headers import Guarded

_ALIVE = 20.0
"""Seconds between two signs of life of a connection."""


def application(
    store: Store,
    offers: Offers,
    limits: Limits | None = None,
    thinkers: Thinkers | None = None,
    hosts: Hosts | None = None,
    callers: Callers | None = None,
    clock: Clock | None = None,
    beside: Sequence[BaseRoute] = (),
    measures: Measures | None = None,
    homes: Homes | None = None,
) -> Starlette:
    """The application; it closes the store when it ends. hosts: by which names it may be called; callers: which proxies
    are trusted; clock: for tests; beside: what else is answered, instead of what stands here where both could;
    measures: where it counts; homes: where several processes share the tables."""
    limits, hosts, callers = limits or Limits(), hosts or Hosts(), callers or Callers()
    tables = Tables(store, offers, thinkers or Thinkers(), limits, clock, measures)
    pages = Pages(tables, limits)
    crowd = Crowd(limits.connections, limits.from_one, None if homes is None else homes.pages_elsewhere)
    tables.measures.present = {"connections": lambda: len(crowd), **tables.present()}

    async def play(websocket: WebSocket) -> None:
        begun = time.monotonic()
        connection = Connection(websocket, tables, limits, lambda: crowd.busy(connection))
        if not crowd.enter(connection, websocket.client.host if websocket.client else "", connection.give_up):
            await websocket.close(BUSY)
            return
        try:
            with suppress(WebSocketDisconnect):
                if (readers := await connection.greeted()) is not None:
                    await Device(connection, readers).run()
        finally:
            crowd.leave(connection)
            tables.leavings.add()
            structured_log.event("connection ended", seconds=round(time.monotonic() - begun, 1))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tables.task(tables.run())
        expiring = asyncio.create_task(Expiry(tables).run())
        yield
        expiring.cancel()
        with suppress(asyncio.CancelledError):
            await expiring
        structured_log.event("stopping", connections=len(crowd))
        await tables.close()
        store.close()
        structured_log.event("stopped")

    routes: list[BaseRoute] = [
        *beside,
        Route("/", pages.index),
        Route("/table", pages.table),
        Route("/page/{name}", pages.file),
        Route("/worker.js", pages.worker),
        Route("/words", pages.words),
        Route("/editions", pages.editions),
        Route("/editions/{edition}", pages.edition),
        Route("/editions/{edition}/differences", pages.differences),
        Route("/editions/{edition}/glance", pages.glance),
        Route("/editions/{edition}/rulebook", pages.rulebook),
        Route("/editions/{edition}/learn", pages.learn),
        Route("/editions/{edition}/lessons", pages.lessons),
        Route("/editions/{edition}/lessons/{number}", pages.lesson),
        Route("/editions/{edition}/lessons/{number}/{moment}", pages.moment),
        Route("/editions/{edition}/lessons/{number}/{moment}/answer", pages.lesson_answer),
        Route("/editions/{edition}/lessons/{number}/{moment}/explained", pages.lesson_explained),
        Route("/editions/{edition}/pictures", pages.pictures),
        Route("/editions/{edition}/pictures/{name}.svg", pages.picture),
        Route("/qr", pages.qr, methods=["POST"]),
        Route("/tables", pages.begin, methods=["POST"]),
        Route("/turns", pages.turns, methods=["POST"]),
        WebSocketRoute("/play", play),
        WebSocketRoute("/play/{home}", play),
    ]
    operated = Middleware(Operated, tables=tables)
    guarded = Middleware(Guarded, hosts=hosts, callers=callers)
    compressed = Middleware(GZipMiddleware, compresslevel=6)
    return Starlette(routes=routes, middleware=[operated, guarded, compressed], lifespan=lifespan)


def configured(
    store: Store,
    offers: Offers,
    limits: Limits,
    hosts: Hosts,
    callers: Callers,
    clock: Clock | None = None,
    beside: Sequence[BaseRoute] = (),
    thinkers: Thinkers | None = None,
    measures: Measures | None = None,
    homes: Homes | None = None,
) -> uvicorn.Config:
    """The application behind its door, with no more places than the system gives. beside, measures: as `application`
    has them; thinkers: where the computer's players think; homes: where several processes share the tables."""
    waiting, connections = places(limits)
    limits = replace(limits, waiting=waiting, connections=connections)
    structured_log.stop_calmly()
    # The library's logs would hold addresses, and in them what people should not find there; errors are enough.
    return uvicorn.Config(
        application(store, offers, limits, thinkers, hosts, callers, clock, beside, measures, homes),
        log_config=None if structured_log.written() else LOGGING_CONFIG,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=door(Crowd(limits.waiting, limits.from_one), callers, limits, homes),
        h11_max_incomplete_event_size=limits.message,
        backlog=BACKLOG,
        ws=LivePage,
        ws_max_size=4 * limits.message,
        ws_ping_interval=_ALIVE,
        ws_ping_timeout=_ALIVE,
        timeout_graceful_shutdown=3,
    )
