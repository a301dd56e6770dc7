"""The log from the tables' side: it works in a thread of its own, and what is kept at one time is kept together."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from rulewright.i18n.speech import phrase
from rulewright.server import journal
from rulewright.server.database import StoreError, TakenError, UnknownEndError
from rulewright.server.measures import Measures
from rulewright.server.store import Store

T = TypeVar("T")

LONGEST, _PAUSE = 20.0, 1.0
"""Seconds for which anybody waits for the log, and between two looks at one that says nothing any more."""


class Keeper:
    """While the disk is waited for, the tables go on; what they want in the meantime waits for it once, not each for
    itself."""

    def __init__(self, store: Store, measures: Measures) -> None:
        self._store, self._thread, self._measures = store, ThreadPoolExecutor(1, "store"), measures
        self._wanted: list[tuple[Callable[[Store], Any], asyncio.Future[Any]]] = []
        self._keeping: asyncio.Task[None] | None = None

    async def kept(self, work: Callable[[Store], T]) -> T:
        """Something done with the log; what it changes is on the disk when this returns. Raises StoreError."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._wanted.append((work, done))
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep())
        return await done

    async def _keep(self) -> None:
        loop = asyncio.get_running_loop()
        while self._wanted:
            wanted, self._wanted = self._wanted, []
            works, begun = [work for work, _ in wanted], time.perf_counter()
            working = loop.run_in_executor(self._thread, self._store.together, works)
            await asyncio.wait({working}, timeout=LONGEST)
            while not working.done():
                self._refuse([*wanted, *self._wanted])
                self._wanted = []
                await asyncio.wait({working}, timeout=_PAUSE)
            ends = working.result()
            self._count(time.perf_counter() - begun, [error for _, error in ends])
            for (_, done), (result, error) in zip(wanted, ends, strict=True):
                if done.done():
                    continue
                if error is None:
                    done.set_result(result)
                else:
                    done.set_exception(error)
        self._keeping = None

    def _refuse(self, wanted: Sequence[tuple[object, asyncio.Future[Any]]]) -> None:
        """Let nobody wait for a log that says nothing any more."""
        for _, done in wanted:
            if not done.done():
                told = phrase("errors", "What is kept cannot be reached just now. Look again in a moment.")
                done.set_exception(UnknownEndError(told))

    def _count(self, seconds: float, ends: Sequence[Exception | None]) -> None:
        self._measures.commits.add(seconds)
        self._measures.kept += len(ends)
        failed = sum(isinstance(error, StoreError) and not isinstance(error, TakenError) for error in ends)
        if failed:
            self._measures.failures += failed
            journal.trouble("log failed", works=failed)

    async def close(self) -> None:
        """Let what is wanted be kept."""
        if self._keeping is not None:
            await asyncio.wait({self._keeping}, timeout=LONGEST)
        self._thread.shutdown(wait=self._keeping is None)
