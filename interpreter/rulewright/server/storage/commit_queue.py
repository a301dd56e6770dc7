"""The log from the tables' side: it works in a thread of its own, and what is kept at one time is kept together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from rulewright.i18n.localizer import phrase
from rulewright.server import structured_log
from rulewright.server.metrics import Measures
from rulewright.server.storage.database import StoreError, TakenError, UnknownEndError, taken
from rulewright.server.storage.store import NewAnswer, Store

T = TypeVar("T")

_Work = Callable[[Store], Any]
_Wanted = tuple[_Work, asyncio.Future[Any]]
_End = tuple[Any, Exception | None]
"""What something gave, or the error that it ended with."""

LONGEST, _PAUSE = 20.0, 1.0
"""Seconds for which anybody waits for the log, and between two looks at one that says nothing any more."""


class CommitQueue:
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
                ends = together(self._store, [work for work, _ in wanted])
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
            structured_log.trouble("log failed", works=failed)

    async def close(self) -> None:
        """Let what is wanted be kept."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                await self._idle.wait()
        self._given.put(None)


def together(store: Store, works: Sequence[_Work]) -> list[_End]:
    """Do several things and wait for the disk once, or twice where answers are among them: they go first. What one of
    them cannot do keeps none of the others from being done."""
    answers = [work for work in works if isinstance(work, NewAnswer)]
    if not answers or len({new.game for new in answers}) < len(answers):
        return _done(store, works)
    ended = iter(_added(store, answers))
    done = iter(_done(store, [work for work in works if not isinstance(work, NewAnswer)]))
    return [next(ended if isinstance(work, NewAnswer) else done) for work in works]


def _added(store: Store, answers: Sequence[NewAnswer]) -> list[_End]:
    """Add answers of different tables."""
    try:
        added = store.add(answers)
    except StoreError as error:
        if len(answers) > 1 and not isinstance(error, UnknownEndError):
            return _done(store, answers)  # perhaps only one of them is what cannot be kept
        return [(None, error)] * len(answers)
    return [(None, None if new.game in added else taken()) for new in answers]


def _done(store: Store, works: Sequence[_Work]) -> list[_End]:
    for attempt in (_at_once, _side_by_side) if len(works) > 1 else ():
        try:
            return attempt(store, works)
        except UnknownEndError as error:  # done again, it could be there twice
            return [(None, error)] * len(works)
        except Exception:
            pass  # perhaps only one of them is what cannot be kept
    return [_ended(store, work, Exception) for work in works]


def _at_once(store: Store, works: Sequence[_Work]) -> list[_End]:
    """All or nothing: hardly ever can something not be kept."""
    with store.at_once():
        return [(work(store), None) for work in works]


def _side_by_side(store: Store, works: Sequence[_Work]) -> list[_End]:
    """All but those for which somebody else was faster."""
    with store.writing():
        return [_ended(store, work, TakenError) for work in works]


def _ended(store: Store, work: _Work, expected: type[Exception]) -> _End:
    try:
        return work(store), None
    except expected as error:
        return None, error
