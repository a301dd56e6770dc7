"""Table in play: exclusive changes, stored before they are shown, and notification of listeners."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.choices import AnswerError
from rulewright.game.game import undo_error
from rulewright.game.library import Rules
from rulewright.game.setup import MAX_NAME_LENGTH, GameError
from rulewright.i18n.localizer import Phrase, message_of, phrase
from rulewright.players.seating import PERSON, Seat, check_name, spare_names
from rulewright.server import tokens
from rulewright.server.bots.bot_driver import BotDriver, BotHost
from rulewright.server.garbage_collection import GarbageCollector
from rulewright.server.storage.database import OTHER_CHANGE, BrokenLogError, StoreError, TakenError, damaged_error
from rulewright.server.storage.records import LoggedAnswer, PinnedEdition, Rematch, TableLog, TableRecord
from rulewright.server.storage.store import NewAnswer, Store
from rulewright.server.tables import log_rows
from rulewright.server.tables.answer_rows import SeatAnswer, answer_rows, changed_question
from rulewright.server.tables.attendance import Attendance
from rulewright.server.tables.chat import Chat
from rulewright.server.tables.deadline_timer import DeadlineTimer
from rulewright.server.tables.game_clock import GameClock, awaited_people
from rulewright.server.tables.log_rows import apply
from rulewright.server.tables.logged_game import LoggedGame
from rulewright.server.tables.refusals import TableError, check_names, seat_taken_error, table_full_error
from rulewright.server.views.view_cache import ViewCache

T = TypeVar("T")


class TableHost(BotHost, Protocol):
    """Parts of the server that a table needs: the log, whether other processes share it, the deadline timer, and the
    garbage collector."""

    alarm: DeadlineTimer
    garbage_collector: GarbageCollector
    shared: bool

    async def with_store(self, work: Callable[[Store], T]) -> T:
        """Run some work with the store, as `CommitQueue.with_store` does. Raises StoreError."""
        ...

    def drop(self, games: Iterable[int]) -> None:
        """Drop tables from memory; the log stays as it is."""
        ...


class Table(LoggedGame):
    """Table. One task at a time changes it, first in the log: what is shown is on disk.

    tables: the server that it is part of; pinned: its edition as it began; listeners: called after each change; error:
    why the game cannot go on, or ''; rematch: the table that follows, if any; settings: stored beside the game, such as
    whether there is chat. `add`, `read`, `set_clock` and methods with `_` run within a turn of `run_exclusively`.
    ended: digests of tokens that opened it, and do no more; awaited: who sat here at the table before, by seat;
    last_use: when somebody last used it, in seconds since 1970; changes: number of changes besides answers; lost: the
    log has it no more, or cannot be read.
    """

    def __init__(self, host: TableHost, record: TableRecord, pinned: PinnedEdition, rules: Rules) -> None:
        super().__init__(record, rules, host.bot_pool.trained)
        self.tables, self.pinned = host, pinned
        self.listeners: set[Callable[[], object]] = set()
        self.ended: set[bytes] = set()  # digests of tokens that opened it, and do no more
        self.error: Phrase | str = ""
        self.rematch: Rematch | None = None
        self.awaited: Mapping[int, str] = {}  # who sat here at the table before, by seat
        self.attendance = Attendance(self.notify, host.limits.absence, host.clock.now)
        self.last_use = host.clock.now()  # when somebody last used it, in seconds since 1970
        self.settings: Mapping[str, str] = {}
        self.views = ViewCache()
        self.changes = 0  # number of changes besides answers
        self.lost = False  # the log has it no more, or cannot be read
        self.clock, self.chat, self.bots = GameClock(host, record.id), Chat(host, record.id), BotDriver(self)
        self._links: frozenset[bytes] = frozenset()  # digests of the tokens with which seats are played
        self._lock, self._doubtful = asyncio.Lock(), False  # nobody knows whether the last change was kept

    # ── who sits here ──

    async def sit(self, seat: int | None, name: str, token: str) -> None:
        """Take a seat, or the next free one, for a person.

        token: with which it is played; the same token takes a seat only once. Raises TableError, GameError, StoreError.
        """
        await self.run_exclusively(lambda: self._sit_down(seat, name, token))

    async def _sit_down(self, seat: int | None, name: str, token: str) -> None:
        """Take a seat for `sit`: try free ones until this process gets one. Raises TableError, GameError."""
        if tokens.digest(token) in self._links:
            return
        while True:
            free = [number for number, one in enumerate(self.seats) if not one.name]
            own_seat = next(iter(free), None) if seat is None else seat
            if own_seat not in free:
                raise table_full_error() if seat is None else seat_taken_error()
            assert own_seat is not None
            if await self._sit(own_seat, " ".join(name.split()), token):
                return

    async def _sit(self, seat: int, name: str, token: str) -> bool:
        """Take a free seat; return False if another process gave it to somebody else. Raises GameError for the name."""
        if not name:
            raise GameError(
                phrase("errors", "A player's name must have 1 to {count} characters.", count=MAX_NAME_LENGTH)
            )
        check_name(name, [other.name for other in self.seats if other.name])
        seats = [replace(s, name=name) if n == seat else s for n, s in enumerate(self.seats)]
        check_names(self.rules, seats)
        try:
            await self.tables.with_store(lambda store: store.sit(self.record.id, seat, name, token))
        except TakenError:
            await self._load_changes()
            if seat not in self.people:
                raise
            return tokens.digest(token) in self._links  # it was kept, but nobody was told
        self.people = {**self.people, seat: name}
        self._links |= {tokens.digest(token)}
        self.attendance.expect(seat)
        await self._begin_if_full()
        return True

    async def fill(self) -> None:
        """Give all free seats to bots and begin the game. Raises TableError, StoreError."""
        await self.run_exclusively(self._fill_with_bots)

    async def _fill_with_bots(self) -> None:
        """Give free seats to bots as `fill` says."""
        names = [seat.name for seat in self.seats]
        free = [number for number, name in enumerate(names) if not name]
        if not free:
            raise TableError(phrase("errors", "No seat is free any more."))
        spare, kind = spare_names(names), self.usual_bot()
        self.tables.task(self.tables.bot_pool.prepare([kind], self.pinned, len(names)))
        seats = [Seat(next(spare), kind) if n in free else seat for n, seat in enumerate(self.record.seats)]
        await self.tables.with_store(lambda store: store.fill(self.record.id, seats, free))
        self.record = replace(self.record, seats=tuple(seats))
        self.people = {**self.people, **{number: seats[number].name for number in free}}
        await self._begin_if_full()

    async def replace(self, seat: int, token: str) -> None:
        """Replace the token of a person's seat, whose link was lost; the old one ends. Raises TableError,
        StoreError."""
        await self.run_exclusively(lambda: self._replace_link(seat, token))

    async def _replace_link(self, seat: int, token: str) -> None:
        """Replace a token as `replace` says."""
        if seat not in range(len(self.seats)) or self.seats[seat].player != PERSON or not self.seats[seat].name:
            raise TableError(phrase("errors", "Nobody plays this seat with a link."))
        old_tokens = await self.tables.with_store(lambda store: store.replace(self.record.id, seat, token))
        self.ended.update(old_tokens)
        self._links = (self._links - frozenset(old_tokens)) | {tokens.digest(token)}
        self.notify()

    async def _begin_if_full(self) -> None:
        """Begin the game once all seats are taken; if that fails, they stay taken, and the error is shown."""
        try:
            if self.game is None and self.full:
                await asyncio.to_thread(self.rebuild_game)
                await self.set_clock()
                self.bots.drive()
        except RulewrightError as error:
            self.report_error(error)
        self.notify()

    # ── what is answered ──

    async def answer(self, seat: int, answer: SeatAnswer) -> None:
        """Answer for a seat; the answer is stored when this returns. Raises TableError, AnswerError, StoreError."""
        await self.run_exclusively(lambda: self._add_answer(seat, answer))

    async def _add_answer(self, seat: int, answer: SeatAnswer) -> None:
        """Answer as `answer` says. Raises TableError if the question has changed or a bot plays for the seat, and
        AnswerError."""
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        if answer.question != self.question(seat):
            raise TableError(changed_question())
        rows = answer_rows(self.game, seat, answer)
        if self.is_away(seat):
            raise TableError(phrase("errors", "The computer plays for you. Say first that you are back."))
        await self.add(*rows)

    async def undo(self, seat: int) -> None:
        """Undo a seat's last answer. Raises TableError, AnswerError, StoreError."""
        await self.run_exclusively(lambda: self._add_undo(seat))

    async def _add_undo(self, seat: int) -> None:
        """Undo as `undo` says."""
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        number = self.game.undoable_answer(seat)
        if number is None:
            raise undo_error()
        await self.add(log_rows.undo(seat, number))

    async def add(self, *rows: LoggedAnswer) -> None:
        """Apply rows to a copy of the game, store them together with the new deadline, and only then show them. Raises
        AnswerError, StoreError."""
        assert self.game is not None
        changed, number = self.game.copy(), len(self.rows)
        disturbed = [apply(changed, row) for row in rows]
        is_answer = all(row.take is not None for row in rows)
        kinds = self.kinds if is_answer else self.players([*self.rows, *rows])[0]
        deadline = self.clock.deadline_for(changed, kinds)
        new = [NewAnswer(self.record.id, number + place, row) for place, row in enumerate(rows)]

        def keep_all(store: Store) -> None:
            with store.writing():
                for one in new:
                    one(store)
                if deadline != self.clock.deadline:
                    store.put_deadline(self.record.id, deadline)

        await self.tables.with_store(new[0] if len(new) == 1 and deadline == self.clock.deadline else keep_all)
        self.clock.set(deadline)
        for row, seats in zip(rows, disturbed, strict=True):
            self.advance(changed, row, seats)
            self.tables.garbage_collector.count_answer()
            self.bots.on_answer(row)
        if not is_answer:
            self.notify()
        self.wake()
        self.bots.drive()

    # ── what other processes have done ──

    async def follow(self, number: int = OTHER_CHANGE) -> None:
        """Load what other processes have stored. number: of an answer; OTHER_CHANGE for anything. Raises
        RulewrightError."""
        await self.run_exclusively(lambda: self._load_changes(number))

    async def _load_changes(self, number: int = OTHER_CHANGE) -> None:
        """Load changes as `follow` says; nothing for an answer that is known here already."""
        game, start = self.record.id, len(self.rows)
        if number == OTHER_CHANGE:
            await self._take_over(await self.tables.with_store(lambda store: store.table_log(game)))
        elif number >= start:
            rows, deadline = await self.tables.with_store(
                lambda store: (store.answers(game, start), store.deadline(game))
            )
            self.clock.set(deadline)
            await self._apply_rows(rows)
        else:
            return
        self.notify()
        self.bots.drive()

    async def _take_over(self, table_log: TableLog) -> None:
        """Bring the table to the state of the log. Raises StoreError if it is the log of another table."""
        if table_log.record.seed != self.record.seed:
            raise damaged_error()  # another table has its number by now
        names = [seat.name for seat in self.seats]
        self.read(table_log)
        before, has_begun = len(self.rows), self.game is not None
        renamed = names != [seat.name for seat in self.seats]  # somebody is forgotten
        if (renamed or not has_begun) and self.full:
            self.rows = list(table_log.rows)
            await asyncio.to_thread(self.rebuild_game)
        elif table_log.rows[:before] == self.rows:
            await self._apply_rows(table_log.rows[before:])
        else:
            self.rows, self.shortened = list(table_log.rows), True
            await asyncio.to_thread(self.rebuild_game)
        await self.set_clock()

    def read(self, table_log: TableLog) -> None:
        """Load all that is stored beside the answers."""
        self.ended |= self._links - table_log.links
        self.record, self.people, self._links = table_log.record, table_log.people, table_log.links
        self.rematch, self.awaited = table_log.rematch, table_log.awaited
        self.settings = table_log.settings
        self.clock.read(table_log.settings, table_log.deadline)
        self.chat.read(table_log.settings, table_log.messages)

    async def _apply_rows(self, rows: Sequence[LoggedAnswer]) -> None:
        """Continue the game by rows that are stored; replay all of them if they do not fit."""
        whole = [*self.rows, *rows]
        try:
            for row in rows:
                assert self.game is not None
                changed = self.game.copy()
                self.advance(changed, row, apply(changed, row))
                self.tables.garbage_collector.count_answer()
                self.bots.on_answer(row)
        except AnswerError:  # they go on from something else than what was read here
            self.rows = whole
            await asyncio.to_thread(self.rebuild_game)

    def _log_version(self) -> object:
        """Return a value that changes with what is known of the log."""
        return self.record, self.people, len(self.rows), self.settings, self.rematch, list(self.chat.messages)

    # ── leaving, and coming back ──

    async def leave(self, seat: int) -> None:
        """Let a bot play for a person, if it does not already. Raises TableError, StoreError."""
        await self.run_exclusively(lambda: self._leave(seat))

    async def _leave(self, seat: int) -> None:
        if self.require_player(seat).kinds[seat] == PERSON:
            await self.add(log_rows.away(seat, self.usual_bot()))

    async def come_back(self, seat: int) -> None:
        """Let a person play their seat again, if a bot plays it. Raises TableError, StoreError."""
        await self.run_exclusively(lambda: self._come_back(seat))

    async def _come_back(self, seat: int) -> None:
        if self.require_player(seat).is_away(seat):
            await self.add(log_rows.back(seat))

    async def concede(self, seat: int) -> None:
        """Give up for a person: the game ends if nobody is left to play with, else a bot plays on for them.

        Raises TableError, AnswerError, StoreError.
        """
        await self.run_exclusively(lambda: self._concede(seat))

    async def _concede(self, seat: int) -> None:
        """Concede as `concede` says."""
        ending = self.require_player(seat).ends_without(seat)
        if not ending and self.kinds[seat] == PERSON:
            await self.add(log_rows.away(seat, self.usual_bot()))
        await self.add(log_rows.concede(seat, ending))

    def require_player(self, seat: int) -> Table:
        """Return this table if its game goes on and the seat is a person's who has not conceded. Raises TableError."""
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        if seat not in range(len(self.kinds)) or self.record.seats[seat].player != PERSON:
            raise TableError(phrase("errors", "Nobody plays this seat with a link."))
        if self.game.over or seat in self.game.conceded:
            raise TableError(phrase("errors", "It is too late for that."))
        return self

    # ── the clock ──

    async def set_clock(self) -> None:
        """Set the deadline that the game needs now. Raises StoreError."""
        if self.game is not None:
            await self.clock.follow(self.game, self.kinds)

    async def ring(self) -> None:
        """Handle a passed deadline: bots take over for those who are late. Raises RulewrightError."""
        await self.run_exclusively(self._answer_overdue)

    async def _answer_overdue(self) -> None:
        """Let bots take over as `ring` says, unless the deadline has moved; remove it if none has followed."""
        deadline, game = self.clock.deadline, self.game
        if deadline is None or game is None or deadline.at > self.tables.clock.now():
            return
        for seat in (
            awaited_people(game.pending.awaited(), self.kinds) if deadline.moment == game.pending.opened else []
        ):
            await self._leave(seat)
        if self.clock.deadline == deadline:  # nobody has got another one
            await self.tables.with_store(lambda store: store.put_deadline(self.record.id, None))
            self.clock.set(None)

    # ── what people say ──

    async def say(self, seat: int, text: str = "", gesture: str = "") -> None:
        """Send a person's text, or else a gesture, to all who are here. Raises ChatError, StoreError."""
        await self.run_exclusively(lambda: self.chat.say(seat, text, gesture))
        self.notify()

    async def set_chat(self, enabled: bool) -> None:
        """Turn chat on or off. Raises StoreError."""
        await self.run_exclusively(lambda: self._set_chat(enabled))

    async def _set_chat(self, enabled: bool) -> None:
        self.settings = {**self.settings, **await self.chat.turn(enabled)}
        self.notify()

    # ── the computer's players ──

    def confirm_answer(self, seat: int) -> None:
        """Confirm a seat's last answer: no bot waits for its undo. Raises TableError before the game."""
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        self.bots.confirm_answer(seat)

    def report_error(self, error: RulewrightError) -> None:
        """Show why the game cannot go on."""
        self.error = message_of(error)
        self.notify()

    # ── how ──

    def unwatch(self, listener: Callable[[], object]) -> None:
        """Remove a listener; with the last one, what was cached to be shown is dropped."""
        self.listeners.discard(listener)
        if not self.listeners:
            self.views = ViewCache()

    def notify(self) -> None:
        """Notify listeners of a change of anything but answers."""
        self.changes += 1
        self.wake()

    def wake(self) -> None:
        """Notify listeners that the game has gone on."""
        for listener in self.listeners:
            listener()

    async def run_exclusively(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run a change exclusively and to its end, even if its caller is cancelled.

        What loses a race against another process is done again on the new state, or refused.
        """

        async def locked() -> T:
            async with self._lock:
                try:
                    return await self._retry_after_races(work)
                except TakenError:
                    raise
                except BrokenLogError:
                    self.lost = True
                    self.tables.drop([self.record.id])
                    self.notify()
                    raise
                except StoreError:
                    self._doubtful = True
                    raise

        return await asyncio.shield(self.tables.task(locked()))

    async def _retry_after_races(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run a change on the state of the log, again as often as others change that."""
        if self._doubtful:
            await self._load_changes()
            self._doubtful = False
        while True:
            try:
                return await work()
            except TakenError:
                before = self._log_version()
                await self._load_changes()
                if self._log_version() == before:
                    raise
