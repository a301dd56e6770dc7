"""A table as it is played: who may change it and in what order, and who is told of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import AnswerError, GameError, not_undone
from rulewright.game.library import Rules
from rulewright.game.setup import LONGEST_NAME, check_seats
from rulewright.i18n.localizer import YOU, Phrase, message_of, phrase
from rulewright.players.confusable_names import are_confusable
from rulewright.players.seating import PERSON, Seat, check_name, spare_names
from rulewright.server import tokens
from rulewright.server.bots.bot_driver import Bots, House
from rulewright.server.garbage_collection import Leavings
from rulewright.server.storage.database import BESIDE, BrokenLogError, StoreError, TakenError, damaged
from rulewright.server.storage.records import LoggedAnswer, Pinned, Record, Rematch, TableLog
from rulewright.server.storage.store import NewAnswer, Store
from rulewright.server.tables import log_rows
from rulewright.server.tables.attendance import Attendance
from rulewright.server.tables.chat import Chat
from rulewright.server.tables.deadline_timer import Alarm
from rulewright.server.tables.game_clock import GameClock, late
from rulewright.server.tables.log_rows import apply
from rulewright.server.tables.logged_game import LoggedGame
from rulewright.server.views.view_cache import Stage

T = TypeVar("T")


class TableError(RulewrightError):
    """What cannot be done at this table; nothing has changed."""


class Hall(House, Protocol):
    """What a table needs of the server: the log, whether other processes use it too, what rings when a time has run
    out, and what takes care of what is left behind."""

    alarm: Alarm
    leavings: Leavings
    shared: bool

    async def kept(self, work: Callable[[Store], T]) -> T: ...

    def drop(self, games: Iterable[int]) -> None: ...


class Table(LoggedGame):
    """One table. It is changed by one task at a time, and first in the log: what is shown is on the disk."""

    def __init__(self, hall: Hall, record: Record, pinned: Pinned, rules: Rules) -> None:
        super().__init__(record, rules, hall.thinkers.trained)
        self.hall, self.pinned = hall, pinned
        self.listeners: set[Callable[[], object]] = set()
        self.ended: set[bytes] = set()  # digests of tokens that opened it, and do no more
        self.trouble: Phrase | str = ""
        self.rematch: Rematch | None = None
        self.awaited: Mapping[int, str] = {}  # who sat here at the table before, by seat
        self.attendance = Attendance(self.tell, hall.limits.absence, hall.clock.now)
        self.wanted = hall.clock.now()  # when somebody last did, in seconds since 1970
        self.settings: Mapping[str, str] = {}
        self.stage = Stage()
        self.told = 0  # how often it was told of anything but answers
        self.lost = False  # the log has it no more, or cannot be read
        self.clock, self.chat, self.bots = GameClock(hall, record.id), Chat(hall, record.id), Bots(self)
        self._links: frozenset[bytes] = frozenset()  # digests of the tokens with which seats are played
        self._lock, self._doubtful = asyncio.Lock(), False  # nobody knows whether the last change was kept

    # ── who sits here ──

    async def sit(self, seat: int | None, name: str, token: str) -> None:
        """Take a seat, or the next one that is free. token: with which it is played; with the same one it is taken
        once. Raises TableError, GameError, StoreError."""
        await self.alone(lambda: self._sit_down(seat, name, token))

    async def _sit_down(self, seat: int | None, name: str, token: str) -> None:
        if tokens.digest(token) in self._links:
            return
        while True:
            free = [number for number, one in enumerate(self.seats) if not one.name]
            wanted = next(iter(free), None) if seat is None else seat
            if wanted not in free:
                raise full() if seat is None else taken()
            assert wanted is not None
            if await self._sit(wanted, " ".join(name.split()), token):
                return

    async def _sit(self, seat: int, name: str, token: str) -> bool:
        """Whether the seat is taken now; False where somebody was faster, by way of another process."""
        if not name:
            raise GameError(phrase("errors", "A player's name must have 1 to {count} characters.", count=LONGEST_NAME))
        check_name(name, [other.name for other in self.seats if other.name])
        seats = [replace(s, name=name) if n == seat else s for n, s in enumerate(self.seats)]
        check_names(self.rules, seats)
        try:
            await self.hall.kept(lambda store: store.sit(self.record.id, seat, name, token))
        except TakenError:
            await self._follow()
            if seat not in self.people:
                raise
            return tokens.digest(token) in self._links  # it was kept, but nobody was told
        self.people = {**self.people, seat: name}
        self._links |= {tokens.digest(token)}
        self.attendance.expect(seat)
        await self._begin_if_full()
        return True

    async def fill(self) -> None:
        """The computer takes all free seats, and the game begins. Raises TableError, StoreError."""
        await self.alone(self._fill)

    async def _fill(self) -> None:
        names = [seat.name for seat in self.seats]
        free = [number for number, name in enumerate(names) if not name]
        if not free:
            raise TableError(phrase("errors", "No seat is free any more."))
        spare, kind = spare_names(names), self.usual_bot()
        seats = [Seat(next(spare), kind) if n in free else seat for n, seat in enumerate(self.record.seats)]
        await self.hall.kept(lambda store: store.fill(self.record.id, seats, free))
        self.record = replace(self.record, seats=tuple(seats))
        self.people = {**self.people, **{number: seats[number].name for number in free}}
        await self._begin_if_full()

    async def replace(self, seat: int, token: str) -> None:
        """Another token for a person's seat, whose link was lost: the old one ends. Raises TableError, StoreError."""
        await self.alone(lambda: self._replace(seat, token))

    async def _replace(self, seat: int, token: str) -> None:
        if seat not in range(len(self.seats)) or self.seats[seat].player != PERSON or not self.seats[seat].name:
            raise TableError(phrase("errors", "Nobody plays this seat with a link."))
        ended = await self.hall.kept(lambda store: store.replace(self.record.id, seat, token))
        self.ended.update(ended)
        self._links = (self._links - frozenset(ended)) | {tokens.digest(token)}
        self.tell()

    async def _begin_if_full(self) -> None:
        """Begin the game, once everybody sits; where it cannot be, the seats are taken all the same."""
        try:
            if self.game is None and self.full:
                await asyncio.to_thread(self.play_again)
                await self.set_clock()
                self.bots.drive()
        except RulewrightError as error:
            self.tell_trouble(error)
        self.tell()

    # ── what is answered ──

    async def answer(self, seat: int, question: int, take: Sequence[str]) -> None:
        """Answer for a seat. When this returns, the answer lasts. Raises TableError, AnswerError, StoreError."""
        await self.alone(lambda: self._answer(seat, question, take))

    async def _answer(self, seat: int, question: int, take: Sequence[str]) -> None:
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        if question != self.question(seat):
            raise TableError(phrase("errors", "This was answered already, or has changed. Look again."))
        asked = dict(self.game.asked())
        if seat not in asked:
            raise AnswerError(phrase("errors", "It is not your turn."))
        if self.away(seat):
            raise TableError(phrase("errors", "The computer plays for you. Say first that you are back."))
        await self.add(LoggedAnswer(seat, asked[seat], tuple(take)))

    async def undo(self, seat: int) -> None:
        """Take a seat's last answer back. Raises TableError, AnswerError, StoreError."""
        await self.alone(lambda: self._undo(seat))

    async def _undo(self, seat: int) -> None:
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        number = self.game.undoable(seat)
        if number is None:
            raise not_undone()
        await self.add(log_rows.undo(seat, number))

    async def add(self, row: LoggedAnswer) -> None:
        """Try it on a copy, keep it, and only then show it."""
        assert self.game is not None
        changed, number = self.game.copy(), len(self.rows)
        disturbed = apply(changed, row)
        kinds = self.kinds if row.take is not None else self.players([*self.rows, row])[0]
        deadline = self.clock.wanted(changed, kinds)
        new = NewAnswer(self.record.id, number, row)

        def keep_both(store: Store) -> None:
            with store.writing():
                new(store)
                store.put_deadline(self.record.id, deadline)

        await self.hall.kept(new if deadline == self.clock.deadline else keep_both)
        self.clock.set(deadline)
        self.go_on(changed, row, disturbed)
        self.hall.leavings.answer()
        self.bots.heard(row)
        if row.take is None:
            self.tell()
        self.wake()
        self.bots.drive()

    # ── what other processes have done ──

    async def follow(self, number: int = BESIDE) -> None:
        """Take over what others have kept. number: of an answer; BESIDE where it may be anything. Raises
        RulewrightError."""
        await self.alone(lambda: self._follow(number))

    async def _follow(self, number: int = BESIDE) -> None:
        game, start = self.record.id, len(self.rows)
        if number == BESIDE:
            await self._stand(await self.hall.kept(lambda store: store.standing(game)))
        elif number >= start:
            rows, deadline = await self.hall.kept(lambda store: (store.answers(game, start), store.deadline(game)))
            self.clock.set(deadline)
            await self._append(rows)
        else:
            return
        self.tell()
        self.bots.drive()

    async def _stand(self, standing: TableLog) -> None:
        """Be as the log has it."""
        if standing.record.seed != self.record.seed:
            raise damaged()  # another table has its number by now
        names = [seat.name for seat in self.seats]
        self.read(standing)
        before, begun = len(self.rows), self.game is not None
        renamed = names != [seat.name for seat in self.seats]  # somebody is forgotten
        if (renamed or not begun) and self.full:
            self.rows = list(standing.rows)
            await asyncio.to_thread(self.play_again)
        elif standing.rows[:before] == self.rows:
            await self._append(standing.rows[before:])
        else:
            self.rows, self.shortened = list(standing.rows), True
            await asyncio.to_thread(self.play_again)
        await self.set_clock()

    def read(self, standing: TableLog) -> None:
        """Take over what is kept beside the answers."""
        self.ended |= self._links - standing.links
        self.record, self.people, self._links = standing.record, standing.people, standing.links
        self.rematch, self.awaited = standing.rematch, standing.awaited
        self.settings = standing.settings
        self.clock.read(standing.settings, standing.deadline)
        self.chat.read(standing.settings, standing.messages)

    async def _append(self, rows: Sequence[LoggedAnswer]) -> None:
        whole = [*self.rows, *rows]
        try:
            for row in rows:
                assert self.game is not None
                changed = self.game.copy()
                self.go_on(changed, row, apply(changed, row))
                self.hall.leavings.answer()
                self.bots.heard(row)
        except AnswerError:  # they go on from something else than what was read here
            self.rows = whole
            await asyncio.to_thread(self.play_again)

    def _known(self) -> object:
        return self.record, self.people, len(self.rows), self.settings, self.rematch, list(self.chat.messages)

    # ── leaving, and coming back ──

    async def leave(self, seat: int) -> None:
        """Let the computer play for a person. Raises TableError, StoreError."""
        await self.alone(lambda: self._leave(seat))

    async def _leave(self, seat: int) -> None:
        if self._going_on(seat).kinds[seat] == PERSON:
            await self.add(log_rows.away(seat, self.usual_bot()))

    async def come_back(self, seat: int) -> None:
        """A person plays again. Raises TableError, StoreError."""
        await self.alone(lambda: self._come_back(seat))

    async def _come_back(self, seat: int) -> None:
        if self._going_on(seat).away(seat):
            await self.add(log_rows.back(seat))

    async def concede(self, seat: int) -> None:
        """A person gives up: the game ends where nobody is left to play with, else the computer plays on for them.
        Raises TableError, AnswerError, StoreError."""
        await self.alone(lambda: self._concede(seat))

    async def _concede(self, seat: int) -> None:
        ending = self._going_on(seat).ends_without(seat)
        if not ending and self.kinds[seat] == PERSON:
            await self.add(log_rows.away(seat, self.usual_bot()))
        await self.add(log_rows.concede(seat, ending))

    def _going_on(self, seat: int) -> Table:
        """This table, where a person may leave it or come back. Raises TableError."""
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        if seat not in range(len(self.kinds)) or self.record.seats[seat].player != PERSON:
            raise TableError(phrase("errors", "Nobody plays this seat with a link."))
        if self.game.over or seat in self.game.conceded:
            raise TableError(phrase("errors", "It is too late for that."))
        return self

    # ── the clock ──

    async def set_clock(self) -> None:
        """Set the deadline that it takes now. Raises StoreError."""
        if self.game is not None:
            await self.clock.follow(self.game, self.kinds)

    async def ring(self) -> None:
        """The time has run out. Raises RulewrightError."""
        await self.alone(self._ring)

    async def _ring(self) -> None:
        deadline, game = self.clock.deadline, self.game
        if deadline is None or game is None or deadline.at > self.hall.clock.now():
            return
        for seat in late(game.expected(), self.kinds) if deadline.moment == game.opened else []:
            await self._leave(seat)
        if self.clock.deadline == deadline:  # nobody has got another one
            await self.hall.kept(lambda store: store.put_deadline(self.record.id, None))
            self.clock.set(None)

    # ── what people say ──

    async def say(self, seat: int, text: str = "", gesture: str = "") -> None:
        """A text, or a gesture, of somebody for all who are here. Raises ChatError, StoreError."""
        await self.alone(lambda: self.chat.say(seat, text, gesture))
        self.tell()

    async def set_chat(self, on: bool) -> None:
        """Whether people can say something here. Raises StoreError."""
        await self.alone(lambda: self._set_chat(on))

    async def _set_chat(self, on: bool) -> None:
        self.settings = {**self.settings, **await self.chat.turn(on)}
        self.tell()

    # ── the computer's players ──

    def stand(self, seat: int) -> None:
        """A seat will not take its last answer back: no answer of the computer waits for it. Raises TableError."""
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        self.bots.stand(seat)

    def tell_trouble(self, error: RulewrightError) -> None:
        """Say at the table why the game cannot go on."""
        self.trouble = message_of(error)
        self.tell()

    # ── how ──

    def unwatch(self, listener: Callable[[], object]) -> None:
        """Somebody looks no longer; where nobody does, nothing is kept of what was shown."""
        self.listeners.discard(listener)
        if not self.listeners:
            self.stage = Stage()

    def tell(self) -> None:
        """Let all who look know that there is something new."""
        self.told += 1
        self.wake()

    def wake(self) -> None:
        """Let all who look know that the game has gone on."""
        for listener in self.listeners:
            listener()

    async def alone(self, work: Callable[[], Awaitable[T]]) -> T:
        """One change after the other, each to its end, even where whoever wanted it has gone. What loses a race against
        another process is done anew, on what is there then, or refused."""

        async def locked() -> T:
            async with self._lock:
                try:
                    return await self._anew(work)
                except TakenError:
                    raise
                except BrokenLogError:
                    self.lost = True
                    self.hall.drop([self.record.id])
                    self.tell()
                    raise
                except StoreError:
                    self._doubtful = True
                    raise

        return await asyncio.shield(self.hall.task(locked()))

    async def _anew(self, work: Callable[[], Awaitable[T]]) -> T:
        """Something, on what the log has, as often as others change that."""
        if self._doubtful:
            await self._follow()
            self._doubtful = False
        while True:
            try:
                return await work()
            except TakenError:
                before = self._known()
                await self._follow()
                if self._known() == before:
                    raise


def check_names(rules: Rules, seats: Sequence[Seat]) -> None:
    """Whether such a table can be, open seats counted. Raises GameError."""
    names = [seat.name for seat in seats]
    folded = [name.casefold() for name in names if name]
    if any(are_confusable(YOU, name) for name in names):
        raise GameError(
            phrase("errors", "Everybody is called '{name}' on their own screen; choose another name.", name=YOU)
        )
    for name in names:
        if name and folded.count(name.casefold()) > 1:
            told = phrase("errors", "Two players are called '{name}'; give them different names.", name=name)
            raise GameError(told)
    spare = spare_names(names)
    check_seats(rules, [name or next(spare) for name in names], [seat.role for seat in seats])


def taken() -> TableError:
    return TableError(
        phrase("errors", "This seat is taken. Whoever took it goes on with the link that this gave, on any device.")
    )


def full() -> TableError:
    return TableError(phrase("errors", "All seats are taken by now. You can watch."))
