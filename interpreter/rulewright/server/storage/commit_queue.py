"""Queue of work on the log: a thread runs it, and work that comes together is committed together."""

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
from rulewright.server.metrics import Metrics
from rulewright.server.storage.database import StoreError, TakenError, UnknownOutcomeError, taken_error
from rulewright.server.storage.store import NewAnswer, Store

T = TypeVar("T")

_Work = Callable[[Store], Any]
"""Work with the store, within a transaction."""
_PendingWork = tuple[_Work, asyncio.Future[Any]]
"""Work that waits, with the future of its result."""
_Outcome = tuple[Any, Exception | None]
"""Result of some work, and the error that it failed with."""

MAX_WAIT_SECONDS, _RETRY_SECONDS = 20.0, 1.0
"""Seconds for which anybody waits for the log, and between two checks of one that does not answer."""


class CommitQueue:
    """Queue in front of the store. While the disk works, tables go on; what they ask meanwhile shares the next
    commit."""

    def __init__(self, store: Store, measures: Metrics) -> None:
        self._store, self._measures = store, measures
        self._pending: list[_PendingWork] = []
        self._batches: SimpleQueue[tuple[asyncio.AbstractEventLoop, list[_PendingWork]] | None] = SimpleQueue()
        self._working: list[_PendingWork] = []  # what the thread is about
        self._late: asyncio.TimerHandle | None = None
        self._thread: Thread | None = None
        self._idle = asyncio.Event()
        self._idle.set()

    async def with_store(self, work: Callable[[Store], T]) -> T:
        """Run some work with the store, in the queue's thread; its changes are on disk when this returns.

        The work may be run more than once, with its changes undone in between, so it must change nothing but the store.
        Raises what it raises, StoreError, and UnknownOutcomeError after MAX_WAIT_SECONDS, when it may still be done
        later.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._pending.append((work, done))
        if not self._working:
            self._give(loop)
        return await done

    def _give(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give all pending work to the thread as one batch; a timer fails this and later work if it takes too long."""
        if self._thread is None:
            self._thread = Thread(target=self._work, name="store", daemon=True)
            self._thread.start()
        self._working, self._pending = self._pending, []
        self._idle.clear()
        self._late = loop.call_later(MAX_WAIT_SECONDS, self._fail_pending, loop)
        self._batches.put((loop, self._working))

    def _work(self) -> None:
        """Run batches; the thread's main function."""
        while (batch := self._batches.get()) is not None:
            loop, pending = batch
            started = time.perf_counter()
            try:
                outcomes = run_batch(self._store, [work for work, _ in pending])
            except Exception as error:
                outcomes = [(None, error)] * len(pending)
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(self._deliver, loop, pending, outcomes, time.perf_counter() - started)

    def _deliver(
        self, loop: asyncio.AbstractEventLoop, pending: list[_PendingWork], outcomes: Sequence[_Outcome], seconds: float
    ) -> None:
        """Hand the results of a batch to those who wait."""
        if self._late is not None:
            self._late.cancel()
        self._working = []
        self._count(seconds, [error for _, error in outcomes])
        for (_, done), (result, error) in zip(pending, outcomes, strict=True):
            if done.done():
                continue
            if error is None:
                done.set_result(result)
            else:
                done.set_exception(error)
        if self._pending:
            self._give(loop)
        else:
            self._idle.set()

    def _fail_pending(self, loop: asyncio.AbstractEventLoop) -> None:
        """Fail the batch in the thread and all pending work, now and again until the thread is done: the log does not
        answer, and nobody waits until it does."""
        message = phrase("errors", "What is kept cannot be reached just now. Look again in a moment.")
        for _, done in (*self._working, *self._pending):
            if not done.done():
                done.set_exception(UnknownOutcomeError(message))
        self._pending = []
        self._late = loop.call_later(_RETRY_SECONDS, self._fail_pending, loop)

    def _count(self, seconds: float, errors: Sequence[Exception | None]) -> None:
        """Count a finished batch in the metrics."""
        self._measures.commits.add(seconds)
        self._measures.stored += len(errors)
        failed = sum(isinstance(error, StoreError) and not isinstance(error, TakenError) for error in errors)
        if failed:
            self._measures.failures += failed
            structured_log.warning("log failed", works=failed)

    async def close(self) -> None:
        """Wait for pending work, MAX_WAIT_SECONDS at most, and let the thread stop."""
        with suppress(TimeoutError):
            async with asyncio.timeout(MAX_WAIT_SECONDS):
                await self._idle.wait()
        self._batches.put(None)


def run_batch(store: Store, works: Sequence[_Work]) -> list[_Outcome]:
    """Run several pieces of work with one commit, or two if answers are among them, which go first. A failure does not
    affect the others."""
    answers = [work for work in works if isinstance(work, NewAnswer)]
    if not answers or len({new.game for new in answers}) < len(answers):
        return _run_works(store, works)
    added = iter(_add_answers(store, answers))
    done = iter(_run_works(store, [work for work in works if not isinstance(work, NewAnswer)]))
    return [next(added if isinstance(work, NewAnswer) else done) for work in works]


def _add_answers(store: Store, answers: Sequence[NewAnswer]) -> list[_Outcome]:
    """Add answers of different tables in one statement."""
    try:
        added = store.add(answers)
    except StoreError as error:
        if len(answers) > 1 and not isinstance(error, UnknownOutcomeError):
            return _run_works(store, answers)  # perhaps only one of them is what cannot be kept
        return [(None, error)] * len(answers)
    return [(None, None if new.game in added else taken_error()) for new in answers]


def _run_works(store: Store, works: Sequence[_Work]) -> list[_Outcome]:
    """Run work in one transaction if possible, else one by one."""
    for attempt in (_all_or_nothing, _in_savepoints) if len(works) > 1 else ():
        try:
            return attempt(store, works)
        except UnknownOutcomeError as error:  # done again, it could be there twice
            return [(None, error)] * len(works)
        except Exception:
            pass  # perhaps only one of them is what cannot be kept
    return [_try_work(store, work, Exception) for work in works]


def _all_or_nothing(store: Store, works: Sequence[_Work]) -> list[_Outcome]:
    """Run works in one transaction without savepoints; an error of one undoes all."""
    with store.at_once():
        return [(work(store), None) for work in works]


def _in_savepoints(store: Store, works: Sequence[_Work]) -> list[_Outcome]:
    """Run works in one transaction, each in a savepoint; those that lose a race are left out."""
    with store.writing():
        return [_try_work(store, work, TakenError) for work in works]


def _try_work(store: Store, work: _Work, expected: type[Exception]) -> _Outcome:
    """Run some work and return its result, or its error of the expected type."""
    try:
        return work(store), None
    except expected as error:
        return None, error
