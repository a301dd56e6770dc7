"""Tables as they are played: each made from its log, changed by answer after answer, watched by its connections."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, TypeVar

from rulewright import players
from rulewright.base.diagnostics import EditionError, RulewrightError
from rulewright.base.records import record
from rulewright.game.game import AnswerError, Game, GameError
from rulewright.game.library import Rules
from rulewright.game.setup import LONGEST_NAME, check_options, check_seats
from rulewright.i18n.speech import YOU, Phrase, phrase
from rulewright.players.likeness import are_alike
from rulewright.players.seating import PERSON, Seat, check_name, spare_names
from rulewright.server import tokens
from rulewright.server.commit_queue import Keeper
from rulewright.server.edition_registry import Offers, PlayableEdition
from rulewright.server.limits import Limits
from rulewright.server.store import Entrance, LoggedAnswer, Pinned, Record, Store, StoreError, TakenError
from rulewright.server.thinking import Thinkers

T = TypeVar("T")

_CLOSING = 3.0
"""Seconds that a server waits for what is under way when it ends."""


class TableError(RulewrightError):
    """What cannot be done at this table; nothing has changed."""


@record
class Links:
    """The tokens of a new table: the host's, and those of the seats that were taken at once."""

    host: str
    seats: Mapping[int, str]


class Table:
    """One table. It is changed by one task at a time, and first in the log: what is shown is on the disk."""

    def __init__(self, hall: Tables, record: Record, pinned: Pinned, rules: Rules) -> None:
        self.hall, self.record, self.pinned, self.rules = hall, record, pinned, rules
        self.people: dict[int, str] = {}
        self.game: Game | None = None
        self.rows: list[LoggedAnswer] = []
        self.disturbed: list[int] = []  # seats, once for each answer of another that was taken back before their eyes
        self.listeners: set[asyncio.Event] = set()
        self.ended: set[bytes] = set()  # digests of tokens that opened it, and do no more
        self.trouble: Phrase | str = ""
        self._lock = asyncio.Lock()
        self._driving: asyncio.Task[None] | None = None

    # ── who sits here ──

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, with the names of those who have sat down; '' where one is open."""
        return tuple(replace(seat, name=self.people.get(n, seat.name)) for n, seat in enumerate(self.record.seats))

    @property
    def full(self) -> bool:
        """Whether everybody sits."""
        return all(seat.name for seat in self.seats)

    async def sit(self, seat: int, name: str) -> str:
        """Take a seat; the token that it is played with. Raises TableError, GameError, StoreError."""
        return await self._alone(lambda: self._sit(seat, name))

    async def _sit(self, seat: int, name: str) -> str:
        name = " ".join(name.split())
        if self.seats[seat].name:
            raise taken()
        if not name:
            raise GameError(phrase("errors", "A player's name has 1 to {count} letters.", count=LONGEST_NAME))
        check_name(name, [other.name for other in self.seats if other.name])
        seats = [replace(s, name=name) if n == seat else s for n, s in enumerate(self.seats)]
        check_names(self.rules, seats)
        token = tokens.new()
        try:
            await self.hall.kept(lambda store: store.sit(self.record.id, seat, name, token))
        except TakenError:
            self.people = await self.hall.kept(lambda store: store.people(self.record.id))
            raise taken() from None
        self.people[seat] = name
        try:
            await self._begin()
        except RulewrightError as error:  # the seat is taken all the same
            self._tell_trouble(error)
        self.tell()
        return token

    async def replace(self, seat: int) -> str:
        """Another token for a person's seat, whose link was lost: the old one ends. Raises TableError, StoreError."""
        return await self._alone(lambda: self._replace(seat))

    async def _replace(self, seat: int) -> str:
        if seat not in range(len(self.seats)) or self.seats[seat].player != PERSON or not self.seats[seat].name:
            raise TableError(phrase("errors", "Nobody plays this seat with a link."))
        token = tokens.new()
        self.ended.update(await self.hall.kept(lambda store: store.replace(self.record.id, seat, token)))
        self.tell()
        return token

    async def _begin(self) -> None:
        """Begin the game, once everybody sits."""
        if self.game is None and self.full:
            await asyncio.to_thread(self.play_again)
            self._drive()

    # ── what is answered ──

    def question(self, seat: int) -> int:
        """The number of what a seat is asked: with it an answer says what it is meant for. Another one after each of
        the seat's own answers, and after every one that was taken back, unless that was sealed from this seat."""
        return sum(row.seat == seat for row in self.rows) + self.disturbed.count(seat)

    async def answer(self, seat: int, question: int, take: Sequence[str]) -> None:
        """Answer for a seat. When this returns, the answer lasts. Raises TableError, AnswerError, StoreError."""
        await self._alone(lambda: self._answer(seat, question, take))

    async def _answer(self, seat: int, question: int, take: Sequence[str]) -> None:
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        if question != self.question(seat):
            raise TableError(phrase("errors", "This was answered already, or has changed. Look again."))
        asked = dict(self.game.asked())
        if seat not in asked:
            raise AnswerError(phrase("errors", "It is not your turn."))
        await self._add(LoggedAnswer(seat, asked[seat], tuple(take)))

    async def undo(self, seat: int) -> None:
        """Take a seat's last answer back. Raises TableError, AnswerError, StoreError."""
        await self._alone(lambda: self._undo(seat))

    async def _undo(self, seat: int) -> None:
        if self.game is None:
            raise TableError(phrase("errors", "The game has not begun."))
        await self._add(LoggedAnswer(seat, "", None))

    async def _add(self, row: LoggedAnswer) -> None:
        """Try it on a copy, keep it, and only then show it."""
        assert self.game is not None
        changed, number = self.game.copy(), len(self.rows)
        disturbed = apply(changed, row)
        try:
            await self.hall.kept(lambda store: store.answer(self.record.id, number, row))
        except TakenError:
            await self._read_again()
            raise
        self.game = changed
        self.rows.append(row)
        self.disturbed += disturbed
        self.tell()
        self._drive()

    async def _read_again(self) -> None:
        """Another process has added to the log."""
        self.rows = await self.hall.kept(lambda store: store.answers(self.record.id))
        await asyncio.to_thread(self.play_again)
        self.tell()

    def play_again(self) -> None:
        """Make the game from the log, in any thread; that takes as long as it is. Raises GameError."""
        self.game, self.disturbed = _played(self.rules, self.record, self.seats, self.rows)

    # ── the computer's players ──

    def _drive(self) -> None:
        """Let whoever is no person answer, until only persons are asked."""
        if self._driving is None or self._driving.done():
            self._driving = self.hall.task(self._driven())

    async def _driven(self) -> None:
        try:
            while (waiting := self._next()) is not None:
                seat, number, game = waiting, len(self.rows), self.game
                assert game is not None
                given = sum(row.seat == seat and row.take is not None for row in self.rows)
                sight, asked = game.known(seat)
                chosen = await self.hall.thinkers.choose(
                    self.record.seats[seat].player,
                    self.pinned,
                    game.machine,
                    sight,
                    asked,
                    players.luck(game, seat, given),
                )
                keys = game.keys(asked, chosen)
                await self._alone(lambda: self._add_if(number, seat, keys))  # noqa: B023 - awaited before they change
        except StoreError as error:
            # The disk may have room again soon.
            self._tell_trouble(error)
            await asyncio.sleep(self.hall.limits.patience)
            self.trouble = ""
            self._driving = self.hall.task(self._driven())
        except RulewrightError as error:
            self._tell_trouble(error)

    def _tell_trouble(self, error: RulewrightError) -> None:
        self.trouble = error.args[0] if error.args and isinstance(error.args[0], Phrase) else str(error)
        self.tell()

    async def _add_if(self, number: int, seat: int, keys: Sequence[str]) -> None:
        """An answer that was thought out when the log had so many rows; if it has others now, it is thought over."""
        assert self.game is not None
        if len(self.rows) == number:
            await self._add(LoggedAnswer(seat, dict(self.game.asked())[seat], tuple(keys)))
        await asyncio.sleep(0)  # between two answers that need no thought, others have their turn

    def _next(self) -> int | None:
        """The seat of a player that is no person, and asked; None while a person could still take an answer back."""
        if self.game is None or self.trouble or self.hall.closing:
            return None
        asked = self.game.asked()
        if not asked and not self.game.over:
            self.trouble = phrase("errors", "The rules of this game wait for an answer, but ask nobody.")
            self.tell()
        kinds = [seat.player for seat in self.record.seats]
        if any(kinds[seat] == PERSON and self.game.can_undo(seat) for seat, _ in asked):
            return None
        return next((seat for seat, _ in asked if kinds[seat] != PERSON), None)

    # ── how ──

    def tell(self) -> None:
        """Let all who look know that there is something new."""
        for listener in self.listeners:
            listener.set()

    async def _alone(self, work: Callable[[], Awaitable[T]]) -> T:
        """One change after the other, each to its end, even where whoever wanted it has gone."""

        async def locked() -> T:
            async with self._lock:
                return await work()

        return await asyncio.shield(self.hall.task(locked()))


class Tables:
    """All tables of a server. Those that are in use are kept in memory; the log has them all."""

    def __init__(self, store: Store, offers: Offers, thinkers: Thinkers, limits: Limits) -> None:
        self.offers, self.thinkers, self.limits = offers, thinkers, limits
        self._keeper = Keeper(store)
        self._tables: OrderedDict[int, asyncio.Task[Table]] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.closing = False

    async def kept(self, work: Callable[[Store], T]) -> T:
        """Something done with the log. Raises StoreError."""
        return await self._keeper.kept(work)

    def task(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Something that goes on by itself; it is kept, lest it be collected."""
        made = asyncio.create_task(work)
        self._tasks.add(made)
        made.add_done_callback(self._tasks.discard)
        return made

    async def create(
        self, offer: PlayableEdition, seats: Sequence[Seat], options: Mapping[str, str], seed: int
    ) -> Links:
        """A new table. seats: a person's without a name is given away by a link. Raises RulewrightError."""
        given = [seat.name for seat in seats if seat.name]
        for number, name in enumerate(given):
            check_name(name, given[:number])
        check_names(offer.rules, seats)
        chosen = check_options(offer.rules, options)
        if await self.kept(Store.count) >= self.limits.tables:
            raise TableError(phrase("errors", "This server has as many tables as it keeps. Nothing has begun."))
        host, mine = (
            tokens.new(),
            {n: tokens.new() for n, seat in enumerate(seats) if seat.player == PERSON and seat.name},
        )
        entrances: dict[str, tuple[str, int | None]] = {
            host: (tokens.HOST, None),
            tokens.watch(host): (tokens.WATCH, None),
            **{tokens.invite(host, n): (tokens.INVITE, n) for n, s in enumerate(seats) if not s.name},
            **{token: (tokens.SEAT, seat) for seat, token in mine.items()},
        }
        rules = offer.rules.hash
        await self.kept(lambda store: store.create(offer.pinned, rules, seats, chosen, seed, entrances))
        return Links(host, mine)

    async def entrance(self, token: str) -> tuple[Entrance, Table] | None:
        """What a token opens; None where it opens nothing. Raises RulewrightError."""
        if not token or len(token) > tokens.LONGEST:
            return None
        found = await self.kept(lambda store: store.entrance(token))
        return None if found is None else (found, await self.table(found.game))

    async def table(self, game: int) -> Table:
        """A table, from memory or from the log. Raises RulewrightError."""
        if game not in self._tables:
            self._tables[game] = self.task(self._load(game))
            self._forget()
        self._tables.move_to_end(game)
        loading = self._tables[game]
        try:
            return await asyncio.shield(loading)
        except RulewrightError:
            self._tables.pop(game, None)
            raise

    def _forget(self) -> None:
        """Of tables at which nobody is, only the last are kept in memory."""
        many = len(self._tables) - self.limits.live
        idle = (
            game
            for game, task in self._tables.items()
            if task.done() and not task.cancelled() and task.exception() is None and not task.result().listeners
        )
        for game in list(islice(idle, max(0, many))):
            del self._tables[game]

    async def _load(self, game: int) -> Table:
        def read(store: Store) -> tuple[Record, Pinned, dict[int, str], list[LoggedAnswer]]:
            record = store.record(game)
            pinned = store.edition(record.edition)
            if pinned is None:
                raise StoreError(phrase("errors", "What is kept of this table is damaged."))
            return record, pinned, store.people(game), store.answers(game)

        record, pinned, people, rows = await self.kept(read)

        def made() -> Table:
            try:
                rules = self.offers.rules(pinned)
            except EditionError:
                raise other_rules() from None
            if rules.hash != record.hash:
                raise other_rules()
            table = Table(self, record, pinned, rules)
            table.people, table.rows = people, rows
            if table.full:
                table.play_again()
            return table

        table = await asyncio.to_thread(made)
        if table.full:
            table._drive()
        return table

    async def close(self) -> None:
        """Let what is being kept be kept; nobody thinks any more."""
        self.closing = True
        self.thinkers.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_CLOSING)
        await self._keeper.close()


def apply(game: Game, row: LoggedAnswer) -> list[int]:
    """The seats that are disturbed by it, since what they look at was taken back. Raises AnswerError; nothing has
    changed then."""
    if row.take is not None:
        game.answer(row.seat, row.take, row.decision)
        return []
    sealed = game.sealed(row.seat)
    game.undo(row.seat)
    return [] if sealed else [seat for seat in range(len(game.names)) if seat != row.seat]


def _played(
    rules: Rules, record: Record, seats: Sequence[Seat], rows: Sequence[LoggedAnswer]
) -> tuple[Game, list[int]]:
    """A game as its log says, and who was disturbed. Raises GameError."""
    roles = {seat.name: seat.role for seat in seats if seat.role is not None}
    game = Game.start(rules, [seat.name for seat in seats], record.options, record.seed, roles)
    disturbed: list[int] = []
    for number, row in enumerate(rows, 1):
        try:
            disturbed += apply(game, row)
        except AnswerError:
            raise GameError(
                phrase(
                    "errors",
                    "This saved game is damaged: answer {number} of {count} does not fit the game.",
                    number=number,
                    count=len(rows),
                )
            ) from None
    return game, disturbed


def check_names(rules: Rules, seats: Sequence[Seat]) -> None:
    """Whether such a table can be, open seats counted. Raises GameError."""
    names = [seat.name for seat in seats]
    folded = [name.casefold() for name in names if name]
    if any(are_alike(YOU, name) for name in names):
        raise GameError(
            phrase("errors", "'{name}' is what everybody is called on their own screen; choose another name.", name=YOU)
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


def other_rules() -> GameError:
    return GameError(
        phrase("errors", "This version of Rulewright no longer understands the rules that this table began with.")
    )
