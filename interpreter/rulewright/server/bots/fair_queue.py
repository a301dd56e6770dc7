"""Work that waits for one of a few places. Those for whom it is done take turns: whoever wants more, waits longer.

Source: round robin over flows, as in Nagle, "On packet switches with infinite storage" (RFC 970, 1985).
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable


class _Turn:
    """Of one who waits. crowd: how many there were at most meanwhile, who had a place or waited."""

    __slots__ = ("come", "crowd")

    def __init__(self) -> None:
        self.come: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.crowd = 1


class FairQueue:
    """places: how much is done at a time; for one of those who take turns it is half of that at most, or one."""

    def __init__(self, places: int) -> None:
        self._places, self._most = places, max(1, places // 2)
        self._here = 0
        self._doing: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[_Turn]] = OrderedDict()

    def __len__(self) -> int:
        """What is done or waits; any thread may ask."""
        return self._here

    async def begin(self, whose: Hashable) -> float:
        """Wait for a place, and keep it until `end`. Gives the share of the usual time that is fair, 1 at most: if all
        who wait together take no more, the last of them is done about when one alone would be, or soon after. Whoever
        is cancelled has no place."""
        turn = _Turn()
        self._waiting.setdefault(whose, deque()).append(turn)
        self._here += 1
        for turns in self._waiting.values():
            for waiting in turns:
                waiting.crowd = max(waiting.crowd, self._here)
        self._go_on()
        try:
            await turn.come
        except asyncio.CancelledError:
            if turn.come.cancelled():
                self._forget(whose, turn)
            else:
                self.end(whose)
            raise
        return min(1.0, self._places / turn.crowd)

    def end(self, whose: Hashable) -> None:
        """The place is free for the next."""
        self._here -= 1
        self._doing[whose] -= 1
        self._doing += Counter()  # those who have none are forgotten
        if whose in self._waiting:
            self._waiting.move_to_end(whose)
        self._go_on()

    def _go_on(self) -> None:
        while self._doing.total() < self._places:
            whose = next((one for one in self._waiting if self._doing[one] < self._most), None)
            if whose is None:
                return
            turns = self._waiting.pop(whose)
            turn = turns.popleft()
            if turns:  # behind all others
                self._waiting[whose] = turns
            if not turn.come.done():
                self._doing[whose] += 1
                turn.come.set_result(None)

    def _forget(self, whose: Hashable, turn: _Turn) -> None:
        self._here -= 1
        turns = self._waiting.get(whose, deque())
        if turn in turns:
            turns.remove(turn)
        if not turns:
            self._waiting.pop(whose, None)
