"""Limits of a server against overload and abuse, and token buckets that hold rates."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from rulewright.base.records import record


@record
class Limits:
    """Limits of one server. `burst` and `each_second` belong together, as do `x` and `x_each_second`: as many at once,
    then so many a second."""

    message: int = 16_384
    """Characters of one message."""
    burst: int = 40
    """Messages of one connection."""
    each_second: float = 8.0
    mistakes: int = 20
    """Malformed messages before a connection is closed."""
    greeting: float = 10.0
    """Seconds until a new connection must have sent a token."""
    connections: int = 2000
    """Connections at tables, in all."""
    per_table: int = 48
    """Connections at one table."""
    patience: float = 5.0
    """Seconds before what could not be stored is tried again."""
    tables: int = 20_000
    """Tables in the log."""
    live: int = 300
    """Tables in memory at which nobody is."""
    begun: int = 20
    """Tables begun from one address."""
    begun_each_second: float = 0.1
    turns: int = 30
    """Requests of one address for whose turn it is."""
    turns_each_second: float = 1.0
    waiting: int = 1000
    """HTTP connections, at no table, in all."""
    from_one: int = 250
    """Connections from one address: at tables, and likewise over HTTP."""
    head: float = 10.0
    """Seconds until a request must be complete."""
    stalled: float = 30.0
    """Seconds until a client must have read something of a response."""
    books_waiting: int = 8
    """Rulebooks in the queue."""
    books_for_one: int = 3
    """Rulebooks in the queue that one address asked for."""
    absence: float = 5.0
    """Seconds until others see that somebody has left."""
    books: int = 10
    """Rulebooks rendered for one address."""
    books_each_second: float = 0.2
    hold: float = 1.5
    """Seconds for which a bot's answer is held back that would end somebody's right to undo."""
    said: int = 6
    """Chat messages of one seat."""
    said_each_second: float = 0.25
    keep: int = 0
    """Days for which a table is kept that nobody visits; 0: for ever."""

    def for_one_of(self, processes: int) -> Limits:
        """Divide the limits on connections among processes that share them.

        Limits for one address stay whole: somebody with a single connection would otherwise be refused by a part of a
        limit.
        """
        connections, waiting = (-(-whole // processes) for whole in (self.connections, self.waiting))
        return replace(self, connections=connections, waiting=waiting)


class Bucket:
    """Token bucket: admits `burst` events at once, then `each_second`. clock: seconds, for tests."""

    def __init__(self, burst: int, each_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._each_second, self._clock = burst, each_second, clock
        self._left, self._time = float(burst), clock()

    def take(self) -> bool:
        """Admit one more event, or return False."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._time) * self._each_second)
        self._time = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """Token bucket for each address; the least recently used are dropped."""

    _MAX_ADDRESSES = 10_000

    def __init__(self, burst: int, each_second: float) -> None:
        self._burst, self._each_second = burst, each_second
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Admit one more event of an address, or return False."""
        bucket = self._buckets.setdefault(address, Bucket(self._burst, self._each_second))
        self._buckets.move_to_end(address)
        if len(self._buckets) > self._MAX_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take()
