"""Middleware for operators: `/health` and `/ready`, and metrics and log events of all other requests."""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.base.diagnostics import RulewrightError
from rulewright.server import structured_log
from rulewright.server.storage.database import FullError
from rulewright.server.storage.store import Store
from rulewright.server.tables.table_registry import TableRegistry

HEALTH, READY = "/health", "/ready"
"""Paths that tell whether the process lives, and whether it takes requests."""

_CACHE_SECONDS = 1.0
"""Seconds for which a check of the store is reused, however often somebody asks."""
_MAX_WAIT_SECONDS = 5.0
"""Seconds after which a store that does not answer counts as unreachable."""


class HealthChecks:
    """ASGI middleware that answers health checks under any host name and counts all other requests."""

    def __init__(self, app: ASGIApp, tables: TableRegistry) -> None:
        self._app, self._tables = app, tables
        self._looked = -_CACHE_SECONDS
        self._reason: str | None = "store"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a health check; serve and count any other request; pass on what is no HTTP request. All count for the
        collector of garbage."""
        self._tables.garbage_collector.count_request()
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] in (HEALTH, READY) and scope["method"] in ("GET", "HEAD"):
            await (await self._response(Request(scope)))(scope, receive, send)
        else:
            await self._serve_and_count(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        """Answer a health check: alive always; ready unless stopping, still preloading games, or without a usable
        store."""
        headers = {"cache-control": "no-store"}
        if request.url.path == HEALTH:
            return JSONResponse({"alive": True}, headers=headers)
        if self._tables.closing:
            return JSONResponse({"ready": False, "why": "stopping"}, 503, headers)
        if self._tables.offers.being_read:
            return JSONResponse({"ready": False, "why": "games"}, 503, headers)
        if (reason := await self._store_problem()) is not None:
            return JSONResponse({"ready": False, "why": reason}, 503, headers)
        return JSONResponse({"ready": True}, headers=headers)

    async def _store_problem(self) -> str | None:
        """Return why nothing can be stored now ('disk' or 'store'), or None; cached for a second."""
        now = time.monotonic()
        if now - self._looked >= _CACHE_SECONDS:
            self._looked = now
            try:
                async with asyncio.timeout(_MAX_WAIT_SECONDS):
                    await self._tables.with_store(_check_store)
                self._reason = None
            except FullError:
                self._reason = "disk"
            except (RulewrightError, TimeoutError):
                self._reason = "store"
        return self._reason

    async def _serve_and_count(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; count it by page and status, and log its time."""
        started, status = time.perf_counter(), 500

        async def send_counted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_counted)
        finally:
            page = getattr(scope.get("endpoint"), "__name__", "none")  # the address may hold what nobody should keep
            self._tables.metrics.requests[page, status] += 1
            structured_log.event(
                "request", page=page, status=status, ms=round(1000 * (time.perf_counter() - started), 1)
            )


def _check_store(store: Store) -> None:
    """Read from the store and check its free space. Raises StoreError."""
    store.check_readable()
    store.check_room()
