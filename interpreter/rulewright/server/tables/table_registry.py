"""All tables of a server: those that begin, and those that are in use, made from the log."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, TypeVar

from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.base.records import record
from rulewright.game.game import GameError
from rulewright.game.setup import check_options
from rulewright.i18n.localizer import phrase
from rulewright.players.kinds import max_tries
from rulewright.players.seating import PERSON, Seat, check_name
from rulewright.server import structured_log, tokens
from rulewright.server.bots.bot_pool import Thinkers
from rulewright.server.clock import Clock
from rulewright.server.deferred_work import SpareTime
from rulewright.server.edition_registry import Offers, PlayableEdition
from rulewright.server.garbage_collection import Leavings
from rulewright.server.limits import Limits
from rulewright.server.metrics import Measures
from rulewright.server.storage import retention
from rulewright.server.storage.change_listener import News
from rulewright.server.storage.commit_queue import CommitQueue
from rulewright.server.storage.database import BESIDE, BrokenLogError, StoreError, damaged
from rulewright.server.storage.records import Entrance, Pinned, TableLog
from rulewright.server.storage.store import Store
from rulewright.server.tables.attendance import UNKNOWN
from rulewright.server.tables.attendance_sync import RollCall
from rulewright.server.tables.deadline_timer import Alarm
from rulewright.server.tables.table import Table, TableError, check_names

T = TypeVar("T")

_CLOSING, _CANCELLED, _STAYS = 3.0, 1.0, 60.0
"""Seconds that a server waits for what is under way when it ends; for what it cancels then; and for which a table stays
in memory without anybody at it: whoever wanted it may be about to come."""


@record
class Links:
    """The tokens of a new table: the host's, and those of the seats that were taken at once."""

    host: str
    seats: Mapping[int, str]


@record
class Beginning:
    """With which tokens a table begins. host: the host's; mine: seat -> the token of somebody at this device; after:
    the table that it follows, and which seat of that each of its seats was."""

    host: str
    mine: Mapping[int, str]
    after: tuple[int, Sequence[int]] | None = None


class Tables:
    """All tables of a server. Those that are in use are kept in memory; the log has them all."""

    def __init__(
        self,
        store: Store,
        offers: Offers,
        thinkers: Thinkers,
        limits: Limits,
        clock: Clock | None = None,
        measures: Measures | None = None,
    ) -> None:
        self.offers, self.thinkers, self.limits, self.clock = offers, thinkers, limits, clock or Clock()
        self.measures = measures or Measures()
        self._store, self._commits = store, CommitQueue(store, self.measures)
        self.shared = store.database.shared
        self._tables: OrderedDict[int, asyncio.Task[Table]] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._today, self._visited = 0, set[int]()
        self.closing = False
        self.alarm = Alarm(self)
        self.roll_call = RollCall(store.database.say)
        self.leavings, self.spare_time = Leavings(lambda: len(self._tables)), SpareTime()

    async def kept(self, work: Callable[[Store], T]) -> T:
        """Something done with the log. Raises StoreError."""
        return await self._commits.kept(work)

    def task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Something that goes on by itself; it is kept, lest it be collected."""
        made = asyncio.create_task(work)
        self._tasks.add(made)
        made.add_done_callback(self._tasks.discard)
        return made

    async def create(
        self,
        offer: PlayableEdition,
        seats: Sequence[Seat],
        options: Mapping[str, str],
        seed: int,
        settings: Mapping[str, str],
    ) -> Links:
        """A new table. seats: a person's without a name is given away by a link; settings: what is agreed beside the
        rules. Raises RulewrightError."""
        host = tokens.new()
        sitting = [number for number, seat in enumerate(seats) if seat.player == PERSON and seat.name]
        mine = {number: tokens.new(host) for number in sitting}
        beginning = Beginning(host, mine)
        await self.begin(offer, seats, options, seed, beginning, settings)
        if any(seat.player != PERSON and max_tries(seat.player) for seat in seats):  # read while the page is on its way
            self.task(self.thinkers.prepare(offer.pinned, len(seats)))
        return Links(host, mine)

    async def begin(
        self,
        offer: PlayableEdition,
        seats: Sequence[Seat],
        options: Mapping[str, str],
        seed: int,
        beginning: Beginning,
        settings: Mapping[str, str],
    ) -> int:
        """A new table with these tokens; its number. Raises RulewrightError."""
        given = [seat.name for seat in seats if seat.name]
        for number, name in enumerate(given):
            check_name(name, given[:number])
        check_names(offer.rules, seats)
        chosen = check_options(offer.rules, options)
        if await self.kept(Store.count) >= self.limits.tables:
            raise TableError(phrase("errors", "This server has as many tables as it keeps. Nothing has begun."))
        host = beginning.host
        entrances: dict[str, tuple[str, int | None]] = {
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
                game = store.create(offer.pinned, rules, seats, chosen, seed, entrances, after)
                store.put_settings(game, settings)
            return game

        number = await self.kept(create)
        structured_log.event("table begun", table=number, edition=offer.pinned.name, seats=len(seats))
        return number

    async def ring(self, game: int) -> bool:
        """The time has run out at a table. Whether it is for this process to say so."""
        try:
            if not await self.lead(game):
                return False
            table = await self.table(game)
            await table.ring()
            if not table.bots.driving:
                await self.release(game)
        except StoreError:
            return False
        except RulewrightError:  # it cannot be played any more
            with suppress(RulewrightError):
                await self.kept(lambda store: store.put_deadline(game, None))
        return True

    # ── with other processes ──

    async def lead(self, game: int) -> bool:
        """Whether this process drives a table, from now on until `release`. Raises StoreError."""
        return not self.shared or await self.kept(lambda store: store.lead(game))

    async def release(self, game: int) -> None:
        """Let others drive a table. Raises StoreError."""
        if self.shared:
            await self.kept(lambda store: store.release(game))

    async def run(self) -> None:
        """Ring when a time has run out, and follow what other processes do, until the end."""
        loop = asyncio.get_running_loop()
        with self._store.database.listen(News(loop, self)):
            await self.alarm.run()

    def changed(self, game: int, number: int) -> None:
        """Something is new at a table. One at which nobody has been here for long is read again when somebody comes: of
        all who may have it in memory, only those follow who show it."""
        loading = self._tables.get(game)
        if loading is None or self.closing:
            return
        table = _there(loading)
        if table is None or table.bots.driving or not self._is_left(table):
            self.task(self._follow(game, number))
        else:
            self.drop([game])
            self.leavings.add()

    def has(self, table: Table) -> bool:
        """Whether it is told what others do at it: it may have been dropped while somebody was about to come."""
        loading = self._tables.get(table.record.id)
        return loading is not None and _there(loading) is table

    def missed(self) -> None:
        """There may be something new at every table."""
        if not self.closing:  # whoever tells it is not waited for, and may be the last to hear of the end
            self.task(self._follow_all())

    def begun(self) -> None:
        """Others hear what this process says, and are heard."""
        self.roll_call.begun()

    def said(self, process: int, told: str) -> None:
        """By another process."""
        self.roll_call.said(process, told)

    def gone(self, process: int) -> None:
        """Another process is there no more."""
        self.roll_call.gone(process)

    async def _follow_all(self) -> None:
        try:
            await self.kept(Store.look)
        except RulewrightError:  # it will be told when it can be reached again
            return
        for game in list(self._tables):
            await self._follow(game, BESIDE)

    async def _follow(self, game: int, number: int) -> None:
        """Take over what is new at a table; where that cannot be, it is read again when somebody comes."""
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

    async def entrance(self, token: str) -> tuple[Entrance, Table] | None:
        """What a token opens; None where it opens nothing. Raises RulewrightError."""
        if not token or len(token) > tokens.LONGEST:
            return None

        def read(store: Store) -> tuple[Entrance | None, int]:
            entrance = store.entrance(token)
            return entrance, store.length(entrance.game) if entrance is not None and self.shared else 0

        found, length = await self.kept(read)
        if found is None:
            return None
        self._visit(found.game)
        table = await self.table(found.game)
        if length > len(table.rows):  # whoever comes from another process finds what they have seen there
            await table.follow(length - 1)
        if found.purpose == tokens.HOST and not table.full:  # tables that are older than links for a group have none
            await self.kept(lambda store: store.share(found.game, tokens.group(token), tokens.GROUP))
        return found, table

    def _visit(self, game: int) -> None:
        """Somebody has come: that is noted once a day, and nobody waits for it."""
        day = int(self.clock.now() // retention.DAY)
        if day != self._today:
            self._today, self._visited = day, set()
        if game not in self._visited:
            self._visited.add(game)
            self.task(self._note(game))

    async def _note(self, game: int) -> None:
        with suppress(RulewrightError):
            await self.kept(lambda store: retention.visit(store, [game]))

    def watched(self) -> list[int]:
        """The tables at which somebody is."""
        return [table.record.id for table in self._loaded() if table.listeners]

    def drop(self, games: Iterable[int]) -> None:
        """These are not in the log any more."""
        for game in games:
            self._tables.pop(game, None)

    async def table(self, game: int) -> Table:
        """A table, from memory or from the log. Raises RulewrightError."""
        if game not in self._tables:
            self._tables[game] = self.task(self._load(game))
            self._forget()
        self._tables.move_to_end(game)
        loading = self._tables[game]
        try:
            table = await asyncio.shield(loading)
            table.wanted = self.clock.now()
            return table
        except RulewrightError:
            self._tables.pop(game, None)
            raise

    def present(self) -> Mapping[str, Callable[[], int]]:
        """How many there are just now, by what Prometheus calls them."""
        return {
            "tables_in_memory": lambda: len(self._tables),
            "tables_watched": lambda: len(self.watched()),
            "thoughts": lambda: self.thinkers.busy_with,
        }

    def _forget(self) -> None:
        """Of tables at which nobody is, only the last are kept in memory."""
        many = len(self._tables) - self.limits.live
        idle = (table.record.id for table in self._loaded() if self._is_left(table))
        for game in list(islice(idle, max(0, many))):
            del self._tables[game]
            self.leavings.add()

    def _is_left(self, table: Table) -> bool:
        """Whether nobody is there, nor about to come."""
        return not table.listeners and self.clock.now() >= table.wanted + _STAYS

    def _loaded(self) -> Iterator[Table]:
        """The tables in memory, those that were not used for longest first."""
        for task in tuple(self._tables.values()):  # metrics are read in a thread of their own
            if (table := _there(task)) is not None:
                yield table

    async def _load(self, game: int) -> Table:
        def read(store: Store) -> tuple[TableLog, Pinned | None]:
            standing = store.standing(game)
            with suppress(BrokenLogError):
                return standing, store.edition(standing.record.edition)
            return standing, None

        standing, kept = await self.kept(read)

        def made() -> Table:
            offered = self.offers.get(standing.record.edition) if kept is None else None
            pinned = kept if offered is None else offered.pinned  # it is known here, though it is damaged there
            if pinned is None:
                raise damaged()
            try:
                rules = self.offers.rules(pinned)
            except EditionError:
                raise other_rules() from None
            if rules.hash != standing.record.hash:
                raise other_rules()
            table = Table(self, standing.record, pinned, rules)
            table.read(standing)
            table.rows = list(standing.rows)
            if table.full:
                table.play_again()
            return table

        table = await asyncio.to_thread(made)
        self.roll_call.follow(game, table.attendance)
        for number, seat in enumerate(table.seats):
            if seat.player == PERSON and seat.name:
                table.attendance.expect(number, UNKNOWN)
        if table.full:
            await table.set_clock()
            table.bots.drive()
        return table

    async def close(self) -> None:
        """Let what is being kept be kept; nobody thinks any more."""
        self.closing = True
        self.alarm.wake()
        self.thinkers.close()
        for table in self._loaded():
            table.bots.wake()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=_CLOSING)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=_CANCELLED)
        await self._commits.close()


def _there(loading: asyncio.Task[Table]) -> Table | None:
    """The table, once it is read."""
    read = loading.done() and not loading.cancelled() and loading.exception() is None
    return loading.result() if read else None


def other_rules() -> GameError:
    return GameError(
        phrase("errors", "This version of Rulewright no longer understands the rules that this table began with.")
    )
