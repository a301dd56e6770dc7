"""When Python looks for what nobody needs any more.

Left alone, it looks at all that there is again and again, while tables are opened and played: with thousands of them,
nobody is answered for a second meanwhile. Nearly everything goes by itself. What is left in circles was needed by
requests, by pages that have gone, or by tables that nobody is at. What requests leave is found among the young. When
much has gone, all is looked at once.

An answer makes thousands of objects that last until the next one at its table, and leaves no circles. They replace
others: so Python, which counts how many more there are, hardly ever takes them for many, and then looks at half a
million at once. Therefore they are put aside with the old ones now and then, unlooked at.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

YOUNG, MIDDLE, NEVER = 5_000, 5, 1_000_000_000
"""After so many new objects the young ones are looked at; each so many times, those that have stayed a little; and all
of them, as good as never by itself."""
FEWEST = 1_000
"""Of pages and tables that have gone, until all is looked at."""
REQUEST, ANSWER = 0.01, 0.001
"""What part of a page a request, or an answer, counts as: some of it may have been put aside too early."""
OFTEN = 32
"""Answers after which what is young is put aside."""


def look_at_the_young() -> None:
    """From now on in this process; what is there already, such as the program itself, is looked at with all else."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


class Leavings:
    """stay: how many tables there are that have not gone; the more, the longer it takes to look at all."""

    def __init__(self, stay: Callable[[], int]) -> None:
        self._stay, self._gone, self._answers, self._requests = stay, 0.0, 0, 0

    def add(self, gone: float = 1) -> None:
        """So many pages or tables have gone."""
        self._requests += 1
        self._gone += gone
        if self._gone >= FEWEST + 2 * self._stay():
            self._gone = 0
            gc.unfreeze()
            gc.collect()
            self._put_aside()

    def request(self) -> None:
        """Somebody was told what is the same at any table, or comes to one."""
        self.add(REQUEST)

    def answer(self) -> None:
        """Something was answered at a table."""
        self._gone += ANSWER
        self._answers += 1
        if self._answers % OFTEN == 0:
            self._put_aside()

    def _put_aside(self) -> None:
        if gc.get_threshold()[2] != NEVER:  # the process is not the server's alone
            return
        if self._requests:
            self._requests = 0
            gc.collect(0)
        gc.freeze()
