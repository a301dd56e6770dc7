"""The log from the tables' side: it works in a thread of its own, and what is kept at one time is kept together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from rulewright.i18n.speech import phrase
from rulewright.server import journal
from rulewright.server.database import StoreError, TakenError, UnknownEndError
from rulewright.server.measures import Measures
from rulewright.server.store import Store

T = TypeVar("T")

_Wanted = tuple[Callable[[Store], Any], asyncio.Future[Any]]
_End = tuple[Any, Exception | None]

LONGEST, _PAUSE = 20.0, 1.0
"""Seconds for which anybody waits for the log, and between two looks at one that says nothing any more."""


class Keeper:
    """While the disk is waited for, the tables go on; what they want in the meantime waits for it once, not each for
    itself."""

    def __init__(self, store: Store, measures: Measures) -> None:
        self._store, self._measures = store, measures
        self._wanted: list[_Wanted] = []
        self._given: SimpleQueue[tuple[asyncio.AbstractEventLoop, list[_Wanted]] | None] = SimpleQueue()
        self._working: list[_Wanted] = []  # what the thread is about
        self._late: asyncio.TimerHandle | None = None
        self._thread: Thread | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    async def kept(self, work: Callable[[Store], T]) -> T:
        """Something done with the log; what it changes is on the disk when this returns. Raises StoreError."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._wanted.append((work, done))
        if not self._working:
            self._give(loop)
        return await done

    def _give(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let the thread do all that is wanted by now."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="store", daemon=True)
            self._thread.start()
        self._working, self._wanted = self._wanted, []
        self._idle.clear()
        self._late = loop.call_later(LONGEST, self._lasts, loop)
        self._given.put((loop, self._working))

    def _work(self) -> None:
        """In the thread."""
        while (given := self._given.get()) is not None:
            loop, wanted = given
            begun = time.perf_counter()
            try:
                ends = self._store.together([work for work, _ in wanted])
            except Exception as error:
                ends = [(None, error)] * len(wanted)
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(self._ended, loop, wanted, ends, time.perf_counter() - begun)

    def _ended(
        self, loop: asyncio.AbstractEventLoop, wanted: list[_Wanted], ends: Sequence[_End], seconds: float
    ) -> None:
        if self._late is not None:
            self._late.cancel()
        self._working = []
        self._count(seconds, [error for _, error in ends])
        for (_, done), (result, error) in zip(wanted, ends, strict=True):
            if done.done():
                continue
            if error is None:
                done.set_result(result)
            else:
                done.set_exception(error)
        if self._wanted:
            self._give(loop)
        else:
            self._idle.set()

    def _lasts(self, loop: asyncio.AbstractEventLoop) -> None:
        """The log says nothing: nobody waits for it any longer, nor does whoever comes until it says something."""
        told = phrase("errors", "What is kept cannot be reached just now. Look again in a moment.")
        for _, done in (*self._working, *self._wanted):
            if not done.done():
                done.set_exception(UnknownEndError(told))
        self._wanted = []
        self._late = loop.call_later(_PAUSE, self._lasts, loop)

    def _count(self, seconds: float, ends: Sequence[Exception | None]) -> None:
        self._measures.commits.add(seconds)
        self._measures.kept += len(ends)
        failed = sum(isinstance(error, StoreError) and not isinstance(error, TakenError) for error in ends)
        if failed:
            self._measures.failures += failed
            journal.trouble("log failed", works=failed)

    async def close(self) -> None:
        """Let what is wanted be kept."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                await self._idle.wait()
        self._given.put(None)
