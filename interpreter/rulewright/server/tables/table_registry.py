"""Registry of a server's tables: creation, loading from the log, leases, and changes by other processes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, TypeVar

from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.base.records import record
from rulewright.game.setup import GameError, check_options
from rulewright.i18n.localizer import phrase
from rulewright.players.seating import PERSON, Seat, check_name
from rulewright.server import structured_log, tokens
from rulewright.server.bots.bot_pool import BotPool
from rulewright.server.clock import Clock
from rulewright.server.deferred_work import DeferredWork
from rulewright.server.edition_registry import EditionRegistry, PlayableEdition
from rulewright.server.garbage_collection import GarbageCollector
from rulewright.server.limits import Limits
from rulewright.server.metrics import Metrics
from rulewright.server.storage import retention
from rulewright.server.storage.change_listener import ChangeRelay
from rulewright.server.storage.commit_queue import CommitQueue
from rulewright.server.storage.database import OTHER_CHANGE, BrokenLogError, StoreError, damaged_error
from rulewright.server.storage.records import PinnedEdition, TableLog, TokenGrant
from rulewright.server.storage.store import Store
from rulewright.server.tables.attendance import UNKNOWN
from rulewright.server.tables.attendance_sync import AttendanceSync
from rulewright.server.tables.deadline_timer import DeadlineTimer
from rulewright.server.tables.refusals import TableError, check_names
from rulewright.server.tables.table import Table

T = TypeVar("T")

_CLOSING, _CANCELLED, _STAYS = 3.0, 1.0, 60.0
"""Seconds that a stopping server waits for running work, and for work that it cancels then; and seconds for which a
table stays in memory without anybody there, since whoever asked for it may be about to come."""


@record
class TableLinks:
    """Tokens of a new table: the host's, and, by seat, those of people who sit down at once."""

    host: str
    seats: Mapping[int, str]


@record
class NewTable:
    """Tokens with which a table begins. host: the host's; mine: seat -> token of somebody at this device; after: the
    table before, and for each seat its number there."""

    host: str
    mine: Mapping[int, str]
    after: tuple[int, Sequence[int]] | None = None


class TableRegistry:
    """Tables of a server. Those in use are in memory; the log has all. shared: several processes may serve them;
    closing: the server stops, so that nothing long begins; alarm: handles deadlines; roll_call: exchanges with other
    processes who is there; spare_time: work that can wait."""

    def __init__(
        self,
        store: Store,
        offers: EditionRegistry,
        bot_pool: BotPool,
        limits: Limits,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self.offers, self.bot_pool, self.limits, self.clock = offers, bot_pool, limits, clock
        self.metrics, self._store, self._commits = metrics, store, CommitQueue(store, metrics)
        self.shared = store.database.shared
        self._tables: OrderedDict[int, asyncio.Task[Table]] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._today, self._visited = 0, set[int]()
        self.closing = False
        self.alarm = DeadlineTimer(self)
        self.roll_call = AttendanceSync(store.database.say)
        self.garbage_collector, self.spare_time = GarbageCollector(lambda: len(self._tables)), DeferredWork()

    async def with_store(self, work: Callable[[Store], T]) -> T:
        """Run some work with the store, as `CommitQueue.with_store` does. Raises StoreError."""
        return await self._commits.with_store(work)

    def task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start a background task, and keep a reference so that it is not collected."""
        background = asyncio.create_task(work)
        self._tasks.add(background)
        background.add_done_callback(self._tasks.discard)
        return background

    async def create(
        self,
        offer: PlayableEdition,
        seats: Sequence[Seat],
        options: Mapping[str, str],
        seed: int,
        settings: Mapping[str, str],
    ) -> TableLinks:
        """Create a table from the start page. seats: a person's without a name gets an invitation; settings: what is
        agreed beside the rules. Raises RulewrightError."""
        host = tokens.new()
        sitting = [number for number, seat in enumerate(seats) if seat.player == PERSON and seat.name]
        mine = {number: tokens.new(host) for number in sitting}
        beginning = NewTable(host, mine)
        await self.create_with_tokens(offer, seats, options, seed, beginning, settings)
        bots = {seat.player for seat in seats if seat.player != PERSON}
        self.task(self.bot_pool.prepare(bots, offer.pinned, len(seats)))  # while the page is on its way
        return TableLinks(host, mine)

    async def create_with_tokens(
        self,
        offer: PlayableEdition,
        seats: Sequence[Seat],
        options: Mapping[str, str],
        seed: int,
        beginning: NewTable,
        settings: Mapping[str, str],
    ) -> int:
        """Check seats and options, and create a table with given tokens; return its number. Raises RulewrightError."""
        names = [seat.name for seat in seats if seat.name]
        for number, name in enumerate(names):
            check_name(name, names[:number])
        check_names(offer.rules, seats)
        checked = check_options(offer.rules, options)
        if await self.with_store(Store.count) >= self.limits.tables:
            raise TableError(phrase("errors", "This server has as many tables as it keeps. Nothing has begun."))
        host = beginning.host
        grants: dict[str, tuple[str, int | None]] = {
            host: (tokens.HOST, None),
            tokens.watch(host): (tokens.WATCH, None),
            **{tokens.invite(host, n): (tokens.INVITE, n) for n, s in enumerate(seats) if not s.name},
            **({} if all(seat.name for seat in seats) else {tokens.group(host): (tokens.GROUP, None)}),
            **{token: (tokens.SEAT, seat) for seat, token in beginning.mine.items()},
        }
        rules = offer.rules.hash
        after = beginning.after

        def create(store: Store) -> int:
            with store.writing():
                game = store.create(offer.pinned, rules, seats, checked, seed, grants, after)
                store.put_settings(game, settings)
            return game

        number = await self.with_store(create)
        structured_log.event("table begun", table=number, edition=offer.pinned.name, seats=len(seats))
        return number

    async def ring(self, game: int) -> bool:
        """Handle a table's passed deadline; return False if another process has to, or the store cannot be reached.
        Unplayable tables lose their deadline."""
        try:
            if not await self.take_lease(game):
                return False
            table = await self.table(game)
            await table.ring()
            if not table.bots.driving:
                await self.release_lease(game)
        except StoreError:
            return False
        except RulewrightError:  # it cannot be played any more
            with suppress(RulewrightError):
                await self.with_store(lambda store: store.put_deadline(game, None))
        return True

    # ── with other processes ──

    async def take_lease(self, game: int) -> bool:
        """Take the lease of a table until `release_lease`; False if another process holds it. Raises StoreError."""
        return not self.shared or await self.with_store(lambda store: store.take_lease(game))

    async def release_lease(self, game: int) -> None:
        """Release the lease of a table. Raises StoreError."""
        if self.shared:
            await self.with_store(lambda store: store.release_lease(game))

    async def run(self) -> None:
        """Handle deadlines and follow other processes until the server stops."""
        loop = asyncio.get_running_loop()
        with self._store.database.listen(ChangeRelay(loop, self)):
            await self.alarm.run()

    def changed(self, game: int, number: int) -> None:
        """Handle another process's change of a table.

        A table where nobody has been for long is dropped and read again when somebody comes: only processes that show
        it follow.
        """
        loading = self._tables.get(game)
        if loading is None or self.closing:
            return
        table = _loaded_table(loading)
        if table is None or table.bots.driving or not self._is_idle(table):
            self.task(self._follow(game, number))
        else:
            self.drop([game])
            self.garbage_collector.count_closed()

    def is_registered(self, table: Table) -> bool:
        """Return whether a table is still the registered one, which follows others; it may have been dropped while
        somebody was coming."""
        loading = self._tables.get(table.record.id)
        return loading is not None and _loaded_table(loading) is table

    def missed(self) -> None:
        """Check all tables for changes that were missed."""
        if not self.closing:  # whoever tells it is not waited for, and may be the last to hear of the end
            self.task(self._follow_all())

    def on_connected(self) -> None:
        """Handle a new connection to other processes."""
        self.roll_call.on_connected()

    def on_message(self, process: int, message: str) -> None:
        """Handle another process's message."""
        self.roll_call.on_message(process, message)

    def on_process_end(self, process: int) -> None:
        """Handle the end of another process."""
        self.roll_call.on_process_end(process)

    async def _follow_all(self) -> None:
        """Load the changes of all tables in memory, if the log can be read."""
        try:
            await self.with_store(Store.check_readable)
        except RulewrightError:  # it will be told when it can be reached again
            return
        for game in list(self._tables):
            await self._follow(game, OTHER_CHANGE)

    async def _follow(self, game: int, number: int) -> None:
        """Load a table's changes; if that fails, drop it, so that it is read again when somebody comes."""
        loading = self._tables.get(game)
        if loading is None:
            return
        try:
            await (await asyncio.shield(loading)).follow(number)
        except BrokenLogError:
            self._tables.pop(game, None)
        except StoreError:
            pass  # the table knows that it is behind
        except RulewrightError:
            self._tables.pop(game, None)

    async def open_token(self, token: str) -> tuple[TokenGrant, Table] | None:
        """Return what a token grants, and its table, with all that other processes have stored; None if it opens
        nothing. It counts as a visit. Raises RulewrightError."""
        if not token or len(token) > tokens.MAX_LENGTH:
            return None

        def read(store: Store) -> tuple[TokenGrant | None, int]:
            grant = store.grant(token)
            return grant, store.length(grant.game) if grant is not None and self.shared else 0

        grant, length = await self.with_store(read)
        if grant is None:
            return None
        self._visit(grant.game)
        table = await self.table(grant.game)
        if length > len(table.rows):  # whoever comes from another process finds what they have seen there
            await table.follow(length - 1)
        if grant.purpose == tokens.HOST and not table.full:  # tables that are older than links for a group have none
            await self.with_store(lambda store: store.share(grant.game, tokens.group(token), tokens.GROUP))
        return grant, table

    def _visit(self, game: int) -> None:
        """Note once a day that a table is visited; nobody waits for that."""
        day = int(self.clock.now() // retention.DAY_SECONDS)
        if day != self._today:
            self._today, self._visited = day, set()
        if game not in self._visited:
            self._visited.add(game)
            self.task(self._store_visit(game))

    async def _store_visit(self, game: int) -> None:
        """Store that a table is visited; errors do not matter."""
        with suppress(RulewrightError):
            await self.with_store(lambda store: retention.record_visits(store, [game]))

    def watched(self) -> list[int]:
        """List the tables where somebody is."""
        return [table.record.id for table in self._loaded() if table.listeners]

    def drop(self, games: Iterable[int]) -> None:
        """Drop tables from memory."""
        for game in games:
            self._tables.pop(game, None)

    async def table(self, game: int) -> Table:
        """Return a table, from memory or from the log. Raises RulewrightError."""
        if game not in self._tables:
            self._tables[game] = self.task(self._load_table(game))
            self._drop_idle()
        self._tables.move_to_end(game)
        loading = self._tables[game]
        try:
            table = await asyncio.shield(loading)
            table.last_use = self.clock.now()
            return table
        except RulewrightError:
            self._tables.pop(game, None)
            raise

    def gauges(self) -> Mapping[str, Callable[[], int]]:
        """Return gauges for the metrics, by Prometheus's names."""
        return {
            "tables_in_memory": lambda: len(self._tables),
            "tables_watched": lambda: len(self.watched()),
            "thoughts": lambda: self.bot_pool.busy_with,
        }

    def _drop_idle(self) -> None:
        """Drop the longest unused tables where nobody is, beyond the limit."""
        excess = len(self._tables) - self.limits.live
        idle = (table.record.id for table in self._loaded() if self._is_idle(table))
        for game in list(islice(idle, max(0, excess))):
            del self._tables[game]
            self.garbage_collector.count_closed()

    def _is_idle(self, table: Table) -> bool:
        """Return whether nobody is at a table, nor about to come."""
        return not table.listeners and self.clock.now() >= table.last_use + _STAYS

    def _loaded(self) -> Iterator[Table]:
        """Yield the tables in memory, longest unused first."""
        for task in tuple(self._tables.values()):  # metrics are read in a thread of their own
            if (table := _loaded_table(task)) is not None:
                yield table

    async def _load_table(self, game: int) -> Table:
        """Read a table from the log and play its game up to now; its clock and bots go on. Raises StoreError, and
        GameError for a game that cannot be played again."""

        def read(store: Store) -> tuple[TableLog, PinnedEdition | None]:
            table_log = store.table_log(game)
            with suppress(BrokenLogError):
                return table_log, store.edition(table_log.record.edition)
            return table_log, None

        table_log, stored = await self.with_store(read)

        def build() -> Table:
            """Build the table in a thread, since its game is played anew. Raises GameError, StoreError."""
            offered = self.offers.get(table_log.record.edition) if stored is None else None
            pinned = stored if offered is None else offered.pinned  # it is known here, though it is damaged there
            if pinned is None:
                raise damaged_error()
            try:
                rules = self.offers.rules(pinned)
            except EditionError:
                raise other_rules_error() from None
            if rules.hash != table_log.record.hash:
                raise other_rules_error()
            table = Table(self, table_log.record, pinned, rules)
            table.read(table_log)
            table.rows = list(table_log.rows)
            if table.full:
                table.rebuild_game()
            return table

        table = await asyncio.to_thread(build)
        self.roll_call.follow(game, table.attendance)
        for number, seat in enumerate(table.seats):
            if seat.player == PERSON and seat.name:
                table.attendance.expect(number, UNKNOWN)
        if table.full:
            await table.set_clock()
            table.bots.drive()
        return table

    async def close(self) -> None:
        """Stop bots, wait for running work, cancel what takes too long, and wait for pending commits."""
        self.closing = True
        self.alarm.wake()
        self.bot_pool.close()
        for table in self._loaded():
            table.bots.wake()
        if self._tasks:
            _, unfinished = await asyncio.wait(self._tasks, timeout=_CLOSING)
            for task in unfinished:
                task.cancel()
            if unfinished:
                await asyncio.wait(unfinished, timeout=_CANCELLED)
        await self._commits.close()


def _loaded_table(loading: asyncio.Task[Table]) -> Table | None:
    """Return the table of a finished loading task, else None."""
    is_loaded = loading.done() and not loading.cancelled() and loading.exception() is None
    return loading.result() if is_loaded else None


def other_rules_error() -> GameError:
    """Return the error for a table whose rules this version does not read as they were."""
    return GameError(
        phrase("errors", "This version of Rulewright no longer understands the rules that this table began with.")
    )
