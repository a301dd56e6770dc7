"""The web application: routes for pages, tables and monitoring, and its uvicorn configuration."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import field, replace

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.config import LOGGING_CONFIG

from rulewright.base.records import record
from rulewright.server import structured_log
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.clock import Clock
from rulewright.server.edition_registry import EditionRegistry
from rulewright.server.health_checks import HealthChecks
from rulewright.server.limits import Limits
from rulewright.server.metrics import Metrics
from rulewright.server.network.client_addresses import ClientAddresses, HostNames
from rulewright.server.network.connection_limiter import ConnectionLimiter
from rulewright.server.network.http_connection import BACKLOG, ConnectionRules, connection_limits, http_connection_class
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


@record
class AppSettings:
    """Settings of the application.

    - hosts: the names by which browsers may call it
    - clients: which proxies are trusted
    - clock: for tests
    - routes: extra ones, tried before those here
    - bots: processes for them
    - metrics: where it counts
    - router: where several processes share the tables
    """

    limits: Limits = field(default_factory=Limits)
    hosts: HostNames = field(default_factory=HostNames)
    clients: ClientAddresses = field(default_factory=ClientAddresses)
    clock: Clock = field(default_factory=Clock)
    routes: Sequence[BaseRoute] = ()
    bots: BotPool = field(default_factory=BotPool)
    metrics: Metrics = field(default_factory=Metrics)
    router: TableRouter | None = None


def application(store: Store, editions: EditionRegistry, settings: AppSettings | None = None) -> Starlette:
    """Build the Starlette application, which closes the store when it ends."""
    settings = settings or AppSettings()
    serving = _Application(store, editions, settings)
    operated = Middleware(HealthChecks, tables=serving.tables)
    guarded = Middleware(SecurityHeaders, hosts=settings.hosts, callers=settings.clients)
    compressed = Middleware(GZipMiddleware, compresslevel=6)
    return Starlette(
        routes=[*settings.routes, *_page_routes(Pages(serving.tables, settings.limits)), *serving.routes()],
        middleware=[operated, guarded, compressed],
        lifespan=serving.lifespan,
    )


class _Application:
    """Tables of a server, and its connections at them."""

    def __init__(self, store: Store, editions: EditionRegistry, settings: AppSettings) -> None:
        limits, router = settings.limits, settings.router
        self._store, self._limits = store, limits
        self.tables = TableRegistry(store, editions, settings.bots, limits, settings.clock, settings.metrics)
        pages_elsewhere = None if router is None else router.pages_elsewhere
        self._limiter = ConnectionLimiter(limits.connections, limits.from_one, pages_elsewhere)
        settings.metrics.gauges = {"connections": lambda: len(self._limiter), **self.tables.gauges()}

    def routes(self) -> Sequence[BaseRoute]:
        """Return the routes of tables; the second one leads to the worker of the table."""
        return [WebSocketRoute("/play", self.play), WebSocketRoute("/play/{home}", self.play)]

    async def play(self, websocket: WebSocket) -> None:
        """Serve a device at its tables until it leaves; close the connection where there are too many."""
        started = time.monotonic()
        connection = Connection(websocket, self.tables, self._limits, lambda: self._limiter.mark_busy(connection))
        if not self._limiter.enter(connection, websocket.client.host if websocket.client else "", connection.give_up):
            await websocket.close(BUSY)
            return
        try:
            with suppress(WebSocketDisconnect):
                if (readers := await connection.receive_tokens()) is not None:
                    await ClientSession(connection, readers).run()
        finally:
            self._limiter.leave(connection)
            self.tables.garbage_collector.count_closed()
            structured_log.event("connection ended", seconds=round(time.monotonic() - started, 1))

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Run what goes on beside requests; at the end, wait for what is unfinished and close the store."""
        self.tables.task(self.tables.run())
        expiring = asyncio.create_task(Expiry(self.tables).run())
        yield
        expiring.cancel()
        with suppress(asyncio.CancelledError):
            await expiring
        structured_log.event("stopping", connections=len(self._limiter))
        await self.tables.close()
        self._store.close()
        structured_log.event("stopped")


def _page_routes(pages: Pages) -> Sequence[BaseRoute]:
    """Return the routes of pages, each with its endpoint."""
    return [
        Route("/", pages.index),
        Route("/games/{name:path}", pages.index),
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
    ]


def server_config(store: Store, editions: EditionRegistry, settings: AppSettings | None = None) -> uvicorn.Config:
    """Configure uvicorn for the application, with no more connections than the system's limit on open files allows,
    which is raised for this process if need be; also set what is logged."""
    settings = settings or AppSettings()
    waiting, connections = connection_limits(settings.limits)
    limits = replace(settings.limits, waiting=waiting, connections=connections)
    settings = replace(settings, limits=limits)
    limiter = ConnectionLimiter(waiting, limits.from_one)
    structured_log.ignore_cancellations()
    # The library's logs would hold addresses, and in them what people should not find there; errors are enough.
    return uvicorn.Config(
        application(store, editions, settings),
        log_config=None if structured_log.is_written() else LOGGING_CONFIG,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http=http_connection_class(ConnectionRules(limiter, settings.clients, limits, settings.router)),
        h11_max_incomplete_event_size=limits.message,
        backlog=BACKLOG,
        ws=WebSocketConnection,
        ws_max_size=4 * limits.message,
        ws_ping_interval=_PING_SECONDS,
        ws_ping_timeout=_PING_SECONDS,
        timeout_graceful_shutdown=3,
    )
