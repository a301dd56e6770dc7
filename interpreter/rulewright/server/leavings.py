"""When Python looks for what nobody needs any more.

Left alone, it looks at all that there is again and again, while tables are opened and played: with thousands of them,
nobody is answered for a second meanwhile. Nearly everything goes by itself. What is left in circles was needed by pages
that have gone, or by tables that nobody is at: when there have been many of those, all is looked at once.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

YOUNG, MIDDLE, NEVER = 5_000, 5, 1_000_000_000
"""After so many new objects the young ones are looked at; each so many times, those that have stayed a little; and all
of them, as good as never by itself."""
FEWEST = 1_000
"""Of pages and tables that have gone, until all is looked at."""


def look_at_the_young() -> None:
    """From now on; what is there already, such as the program itself, is never looked at again."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


class Leavings:
    """stay: how many there are that have not gone; the more, the longer it takes to look at all."""

    def __init__(self, stay: Callable[[], int]) -> None:
        self._stay, self._gone = stay, 0

    def add(self, gone: int = 1) -> None:
        """So many have gone."""
        self._gone += gone
        if self._gone >= FEWEST + 2 * self._stay():
            self._gone = 0
            gc.collect()
