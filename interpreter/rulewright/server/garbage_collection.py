"""Garbage collection for many tables: freeze what lives, and collect fully once enough pages and tables have closed.

Python's own full collections walk all objects: with thousands of tables, nobody is answered for a second. Reference
counting frees nearly everything; only requests, closed pages and dropped tables leave cycles. A collection of the
youngest generation finds those of requests, a rare full one the rest.

An answer allocates thousands of objects that live until the next answer at its table and leave no cycles. Since they
replace others, Python's net count of new objects hardly grows, and its next collection would walk half a million of
them. Therefore young objects are frozen every few answers, without a collection.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

YOUNG_THRESHOLD, MIDDLE_THRESHOLD, NEVER = 5_000, 5, 1_000_000_000
"""Thresholds of Python's three generations: new objects before a collection of the youngest, such collections before
one of the middle generation; practically never a full one."""
MIN_CLOSED = 1_000
"""Closed pages and tables before a full collection; twice the number of open tables is added."""
REQUEST_WEIGHT, ANSWER_WEIGHT = 0.01, 0.001
"""Share of a closed page that a request or an answer counts as, since it may leave cycles that were frozen too
early."""
ANSWERS_PER_FREEZE = 32
"""Answers after which young objects are frozen."""


def tune_collector() -> None:
    """Freeze all present objects and set this process's thresholds so that full collections are ours to start."""
    gc.freeze()
    gc.set_threshold(YOUNG_THRESHOLD, MIDDLE_THRESHOLD, NEVER)


class GarbageCollector:
    """Scheduler of collections and freezes. open_tables: returns their number; a full collection takes longer with
    each."""

    def __init__(self, open_tables: Callable[[], int]) -> None:
        self._open_tables, self._garbage, self._answers, self._requests = open_tables, 0.0, 0, 0

    def count_closed(self, closed: float = 1) -> None:
        """Count closed pages or tables; collect fully when there were enough of them."""
        self._requests += 1
        self._garbage += closed
        if self._garbage >= MIN_CLOSED + 2 * self._open_tables():
            self._garbage = 0
            gc.unfreeze()
            gc.collect()
            self._freeze_objects()

    def count_request(self) -> None:
        """Count a request for a page, or a new connection."""
        self.count_closed(REQUEST_WEIGHT)

    def count_answer(self) -> None:
        """Count an answer at a table."""
        self._garbage += ANSWER_WEIGHT
        self._answers += 1
        if self._answers % ANSWERS_PER_FREEZE == 0:
            self._freeze_objects()

    def _freeze_objects(self) -> None:
        """Collect the youngest objects if there were requests, then freeze all, unless the process is not the server's
        alone."""
        if gc.get_threshold()[2] != NEVER:  # the process is not the server's alone
            return
        if self._requests:
            self._requests = 0
            gc.collect(0)
        gc.freeze()
