"""What whoever runs a server asks of it: whether it lives, whether it is ready, and what pages are asked for."""

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
from rulewright.server.tables.table_registry import Tables

HEALTH, READY = "/health", "/ready"

_REMEMBERED = 1.0
"""Seconds for which one look at the store counts, however often somebody asks."""
_LONGEST = 5.0
"""Seconds after which a store that says nothing counts as out of reach."""


class Operated:
    """Answers machines that watch over this one, by whatever name they call it, and counts what all others ask."""

    def __init__(self, app: ASGIApp, tables: Tables) -> None:
        self._app, self._tables = app, tables
        self._looked = -_REMEMBERED
        self._why: str | None = "store"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._tables.leavings.request()
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] in (HEALTH, READY) and scope["method"] in ("GET", "HEAD"):
            await (await self._told(Request(scope)))(scope, receive, send)
        else:
            await self._count(scope, receive, send)

    async def _told(self, request: Request) -> Response:
        """The process answers, so it lives; it is ready while it is to go on, has read its games once, and reaches a
        store that has room."""
        headers = {"cache-control": "no-store"}
        if request.url.path == HEALTH:
            return JSONResponse({"alive": True}, headers=headers)
        if self._tables.closing:
            return JSONResponse({"ready": False, "why": "stopping"}, 503, headers)
        if self._tables.offers.being_read:
            return JSONResponse({"ready": False, "why": "games"}, 503, headers)
        if (why := await self._lacking()) is not None:
            return JSONResponse({"ready": False, "why": why}, 503, headers)
        return JSONResponse({"ready": True}, headers=headers)

    async def _lacking(self) -> str | None:
        """Why nothing can be kept just now, None where it can."""
        now = time.monotonic()
        if now - self._looked >= _REMEMBERED:
            self._looked = now
            try:
                async with asyncio.timeout(_LONGEST):
                    await self._tables.kept(_looked)
                self._why = None
            except FullError:
                self._why = "disk"
            except (RulewrightError, TimeoutError):
                self._why = "store"
        return self._why

    async def _count(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun, status = time.perf_counter(), 500

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            page = getattr(scope.get("endpoint"), "__name__", "none")  # the address may hold what nobody should keep
            self._tables.measures.requests[page, status] += 1
            structured_log.event("request", page=page, status=status, ms=round(1000 * (time.perf_counter() - begun), 1))


def _looked(store: Store) -> None:
    """Raises StoreError."""
    store.look()
    store.check_room()
