"""Tables that nobody visits any more go, while the server runs: those that are in use are noted, once a day."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from rulewright.base.diagnostics import RulewrightError
from rulewright.server import structured_log
from rulewright.server.storage import retention
from rulewright.server.storage.retention import DAY
from rulewright.server.tables.table_registry import Tables


class Expiry:
    """Of all tables of a server, as its limits say."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def run(self) -> None:
        """Each day, until it is cancelled."""
        clock = self._tables.clock
        while True:
            with suppress(RulewrightError):  # tomorrow is another day
                await self.sweep()
            await clock.until((clock.now() // DAY + 1) * DAY)

    async def sweep(self) -> None:
        """Delete what is to go. Raises StoreError."""
        tables, days = self._tables, self._tables.limits.keep
        watched = tables.watched()
        await tables.kept(lambda store: retention.visit(store, watched))
        while days and (gone := await tables.kept(lambda store: retention.expire(store, days))):
            tables.drop(gone)
            structured_log.event("tables expired", tables=len(gone))
            await asyncio.sleep(0)
