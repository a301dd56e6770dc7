"""People at thousands of tables of one server, in one process: for tools that measure servers."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.json import Decoder

sys.path.insert(0, str(Path(__file__).parents[1] / "interpreter"))

import people
from people import OPENED_AT_ONCE, PATIENCE, Company, Person
from rulewright.server.views.merge_patches import merge_patch
from rulewright.server.web.protocol import VERSION

T = TypeVar("T")

BEGUN_AT_ONCE = 4
"""Tables that are begun at once."""
PAUSE = 0.2
"""Seconds in which somebody who plays against bots answers."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run like asyncio, with a cheaper event loop if there is one: processor time used here is missing for servers."""
    quick = None
    with suppress(ImportError):  # it is not for every system
        quick = import_module("uvloop").new_event_loop
    with asyncio.Runner(loop_factory=quick) as runner:
        return runner.run(work)


class TooSlowError(Exception):
    """A server does not keep up, or all its games are over."""


class Visitors(Company):
    """Everybody at a server, each from an address of their own. thinking_seconds: from each question to its answer;
    waited: seconds until somebody was asked again who plays against bots."""

    def __init__(self, address: str, rng: random.Random) -> None:
        super().__init__(address, VERSION, rng)
        self.guest: type[Visitor] = Visitor
        self.thinking_seconds, self.waited = list[float](), list[float]()
        self.numbers = count()

    def origin(self) -> str:
        """Return another visitor's address each time, for the header of proxies."""
        number = next(self.numbers)
        return f"198.18.{number // 250 % 250}.{number % 250}" if number < 62_500 else f"2001:db8:{number:x}::1"

    def table(self, edition: str, seats: int, bots: int = 0) -> list[str]:
        """Begin a table from an address of its own; return the tokens of people's seats. Exits if it is refused."""
        try:
            return people.table(self.address, edition, seats, ["search"] * bots, {"x-forwarded-for": self.origin()})
        except HTTPError as error:
            raise SystemExit(f"No table can be begun: {error.read().decode()}") from None

    async def open(self, tables: int, edition: str, seats: int, bots: int = 0) -> None:
        """Begin so many tables, and let everybody come."""
        with ThreadPoolExecutor(BEGUN_AT_ONCE) as threads:
            starts = list(threads.map(lambda _: self.table(edition, seats, bots), range(tables)))
        await self.arrive(starts)

    async def arrive(self, tables: Sequence[Sequence[str]]) -> None:
        """Let everybody come to their tables, by their tokens."""
        gate = asyncio.Semaphore(OPENED_AT_ONCE)
        await asyncio.gather(*(self.guest(self, token).come(gate) for table in tables for token in table))

    async def answer(self, rate: float, seconds: float) -> float:
        """Answer so often in a second, at times that do not depend on the server, and wait until all answers are
        acknowledged or PATIENCE has passed; return the seconds that it took. Raises TooSlowError."""
        start = time.perf_counter()
        due = start
        while (due := due + self.rng.expovariate(rate)) < start + seconds:
            while (early := due - time.perf_counter()) > 0 or not self.free:
                if -early > PATIENCE:
                    raise TooSlowError("nobody is asked any more, or all games are over")
                await asyncio.sleep(max(early, 0.001))
            place = self.rng.randrange(len(self.free))
            self.free[place], self.free[-1] = self.free[-1], self.free[place]
            choice = self.free.pop()
            assert isinstance(choice, Visitor)
            self.thinking_seconds.append(due - choice.asked_at)
            choice.answer(self.rng)
            choice.answered_at = due
        late = time.perf_counter() + PATIENCE
        while self.awaited and time.perf_counter() < late:
            await asyncio.sleep(0.01)
        return time.perf_counter() - start


class _Part(Struct):
    question: dict[str, Any] | UnsetType | None = field(default=UNSET, name="asked")


class _Change(Struct):
    own: _Part | UnsetType | None = UNSET


class _Update(Struct):
    change: _Change


class _Message(Struct):
    """Parts of a message that are needed to answer."""

    type: str
    of: tuple[_Update, ...] = ()
    text: str = ""


_messages = Decoder(_Message)


class Visitor(Person):
    """Reads and keeps only what it is asked: there are thousands of them in one process. asked_at: since when."""

    asked_at = 0.0
    side: Visitors
    _question: dict[str, Any] | None = None

    async def come(self, gate: asyncio.Semaphore) -> None:
        async with gate:
            host = self.line.uri.host, self.line.uri.port
            self.transport, _ = await asyncio.get_running_loop().create_connection(lambda: self, *host)
            request = self.line.connect()
            request.headers["X-Forwarded-For"] = self.side.origin()
            self.line.send_request(request)
            self.flush()
            await self.arrived

    def read(self, text: bytes) -> None:
        message = _messages.decode(text)
        if message.type != "updates":
            self.hear({"type": message.type, "text": message.text})
            return
        for update in message.of:
            own = update.change.own
            if own is None:
                self._question = None
            elif own is not UNSET and own.question is not UNSET:
                self._question = merge_patch(self._question, own.question)
        self.see()

    def open_question(self) -> dict[str, Any] | None:
        return self._question

    def look(self, questions: dict[str, Any] | None) -> None:
        before = len(self.side.free)
        super().look(questions)
        if len(self.side.free) > before:
            self.asked_at = time.perf_counter()


class Host(Visitor):
    """Plays against bots, and lets them think all the time."""

    def look(self, questions: dict[str, Any] | None) -> None:
        super().look(questions)
        if self in self.side.free:
            self.side.free.remove(self)
            if self.answered_at:
                self.side.waited.append(time.perf_counter() - self.answered_at)
            asyncio.get_running_loop().call_later(PAUSE, self.answer, self.side.rng)
