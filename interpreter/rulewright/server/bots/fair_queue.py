"""Fair queue for a few places: clients take turns, so whoever wants more waits longer.

Source: round robin over flows, as in Nagle, "On packet switches with infinite storage" (RFC 970, 1985).
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Hashable


class _Turn:
    """Waiting entry of the queue. peak: most entries that ran or waited at one time meanwhile."""

    __slots__ = ("come", "peak")

    def __init__(self) -> None:
        self.come: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.peak = 1


class FairQueue:
    """Round-robin queue with limited concurrency. places: how many run at once; one client gets at most half of them,
    or one."""

    def __init__(self, places: int) -> None:
        self._places, self._most = places, max(1, places // 2)
        self._entries = 0
        self._doing: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[_Turn]] = OrderedDict()

    def __len__(self) -> int:
        """Count running and waiting entries; any thread may ask."""
        return self._entries

    async def begin(self, client: Hashable) -> float:
        """Wait for a place, and hold it until `end`; return the fair share of the usual time, at most 1.

        If all who wait take no more than their share, the last of them is done about when one alone would be. A
        cancelled caller holds no place.
        """
        turn = _Turn()
        self._waiting.setdefault(client, deque()).append(turn)
        self._entries += 1
        for turns in self._waiting.values():
            for waiting in turns:
                waiting.peak = max(waiting.peak, self._entries)
        self._go_on()
        try:
            await turn.come
        except asyncio.CancelledError:
            if turn.come.cancelled():
                self._forget(client, turn)
            else:
                self.end(client)
            raise
        return min(1.0, self._places / turn.peak)

    def end(self, client: Hashable) -> None:
        """Free a client's place for the next."""
        self._entries -= 1
        self._doing[client] -= 1
        self._doing += Counter()  # those who have none are forgotten
        if client in self._waiting:
            self._waiting.move_to_end(client)
        self._go_on()

    def _go_on(self) -> None:
        """Start waiting entries as long as places are free, clients in turn."""
        while self._doing.total() < self._places:
            client = next((one for one in self._waiting if self._doing[one] < self._most), None)
            if client is None:
                return
            turns = self._waiting.pop(client)
            turn = turns.popleft()
            if turns:  # behind all others
                self._waiting[client] = turns
            if not turn.come.done():
                self._doing[client] += 1
                turn.come.set_result(None)

    def _forget(self, client: Hashable, turn: _Turn) -> None:
        """Remove a cancelled entry."""
        self._entries -= 1
        turns = self._waiting.get(client, deque())
        if turn in turns:
            turns.remove(turn)
        if not turns:
            self._waiting.pop(client, None)
