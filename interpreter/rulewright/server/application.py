"""The web application: routes for pages, tables and monitoring, and its uvicorn configuration."""

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
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.clock import Clock
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.health_checks import HealthChecks
from rulewright.server.limits import Limits
from rulewright.server.metrics import Metrics
from rulewright.server.network.client_addresses import ClientAddresses, HostNames
from rulewright.server.network.connection_limiter import ConnectionLimiter
from rulewright.server.network.http_connection import BACKLOG, connection_limits, http_connection_class
from rulewright.server.network.table_routing import TableRouter
from rulewright.server.network.websocket_connection import WebSocketConnection
from rulewright.server.storage.store import Store
from rulewright.server.tables.expiry import Expiry
from rulewright.server.tables.table_registry import TableRegistry
from rulewright.server.web.client_session import ClientSession
from rulewright.server.web.connection import BUSY, Connection
from rulewright.server.web.pages import Pages
from rulewright.server.web.security_headers import SecurityHeaders

_PING_SECONDS = 20.0
"""Seconds between two keepalive pings of a connection, and until one counts as unanswered."""


def application(
    store: Store,
    offers: EditionRegistry,
    limits: Limits | None = None,
    thinkers: BotPool | None = None,
    hosts: HostNames | None = None,
    callers: ClientAddresses | None = None,
    clock: Clock | None = None,
    beside: Sequence[BaseRoute] = (),
    measures: Metrics | None = None,
    homes: TableRouter | None = None,
) -> Starlette:
    """Build the Starlette application, which closes the store when it ends.

    hosts: the names by which browsers may call it; callers: which proxies are trusted; clock: for tests; beside: extra
    routes, tried before those here; measures: where it counts; homes: the router, where several processes share the
    tables.
    """
    limits, hosts, callers = limits or Limits(), hosts or HostNames(), callers or ClientAddresses()
    tables = TableRegistry(store, offers, thinkers or BotPool(), limits, clock, measures)
    pages = Pages(tables, limits)
    crowd = ConnectionLimiter(limits.connections, limits.from_one, None if homes is None else homes.pages_elsewhere)
    tables.measures.present = {"connections": lambda: len(crowd), **tables.present()}

    async def play(websocket: WebSocket) -> None:
        started = time.monotonic()
        connection = Connection(websocket, tables, limits, lambda: crowd.busy(connection))
        if not crowd.enter(connection, websocket.client.host if websocket.client else "", connection.give_up):
            await websocket.close(BUSY)
            return
        try:
            with suppress(WebSocketDisconnect):
                if (readers := await connection.greeted()) is not None:
                    await ClientSession(connection, readers).run()
        finally:
            crowd.leave(connection)
            tables.leavings.add()
            structured_log.event("connection ended", seconds=round(time.monotonic() - started, 1))

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
    operated = Middleware(HealthChecks, tables=tables)
    guarded = Middleware(SecurityHeaders, hosts=hosts, callers=callers)
    compressed = Middleware(GZipMiddleware, compresslevel=6)
    return Starlette(routes=routes, middleware=[operated, guarded, compressed], lifespan=lifespan)


def server_config(
    store: Store,
    offers: EditionRegistry,
    limits: Limits,
    hosts: HostNames,
    callers: ClientAddresses,
    clock: Clock | None = None,
    beside: Sequence[BaseRoute] = (),
    thinkers: BotPool | None = None,
    measures: Metrics | None = None,
    homes: TableRouter | None = None,
) -> uvicorn.Config:
    """Configure uvicorn for the application, with no more connections than the system's limit on open files allows.

    beside, measures: as for `application`; thinkers: processes for bots; homes: the router, where several processes
    share the tables.
    """
    waiting, connections = connection_limits(limits)
    limits = replace(limits, waiting=waiting, connections=connections)
    structured_log.ignore_cancellations()
    # The library's logs would hold addresses, and in them what people should not find there; errors are enough.
    return uvicorn.Config(
        application(store, offers, limits, thinkers, hosts, callers, clock, beside, measures, homes),
        log_config=None if structured_log.is_written() else LOGGING_CONFIG,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=http_connection_class(ConnectionLimiter(limits.waiting, limits.from_one), callers, limits, homes),
        h11_max_incomplete_event_size=limits.message,
        backlog=BACKLOG,
        ws=WebSocketConnection,
        ws_max_size=4 * limits.message,
        ws_ping_interval=_PING_SECONDS,
        ws_ping_timeout=_PING_SECONDS,
        timeout_graceful_shutdown=3,
    )
