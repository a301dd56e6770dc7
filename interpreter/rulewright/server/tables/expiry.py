"""Daily deletion of tables that nobody visits any more; those in use are noted as visited."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from rulewright.base.diagnostics import RulewrightError
from rulewright.server import structured_log
from rulewright.server.storage import retention
from rulewright.server.storage.retention import DAY_SECONDS
from rulewright.server.tables.table_registry import TableRegistry


class Expiry:
    """Daily task over all tables of a server, as its limits say."""

    def __init__(self, tables: TableRegistry) -> None:
        self._tables = tables

    async def run(self) -> None:
        """Sweep once a day until cancelled."""
        clock = self._tables.clock
        while True:
            with suppress(RulewrightError):  # tomorrow is another day
                await self.sweep()
            await clock.wait_until((clock.now() // DAY_SECONDS + 1) * DAY_SECONDS)

    async def sweep(self) -> None:
        """Note that somebody is at the watched tables, and delete expired ones. Raises StoreError."""
        tables, days = self._tables, self._tables.limits.keep
        watched = tables.watched()
        await tables.with_store(lambda store: retention.record_visits(store, watched))
        while days and (deleted := await tables.with_store(lambda store: retention.delete_expired(store, days))):
            tables.drop(deleted)
            structured_log.event("tables expired", tables=len(deleted))
            await asyncio.sleep(0)
