"""How much a server takes from those who talk to it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from rulewright.base.records import record


@record
class Limits:
    """message: characters of one message; burst, each_second: how many messages at once, and later on; mistakes:
    refused messages until a connection ends; greeting: seconds until a token must have come; connections: in all;
    per_table: at one table; tables: that are kept; live: of those, in memory; begun, begun_each_second: as burst, of
    tables from one address; turns, turns_each_second: as burst, of how often one address asks whose turn it is;
    patience: seconds until what could not be kept is tried again; waiting: connections that are at no table, in all;
    from_one: of either, from one address; head: seconds until a request must have come; stalled: until somebody must
    have read something; books_waiting: rulebooks that are waited for, books_for_one: of those, by one address; books,
    books_each_second: as burst, of rulebooks that are made for one address; hold: seconds for which the computer keeps
    back an answer after which somebody could not take theirs back any more; absence: seconds after which others are
    told that somebody has gone; said, said_each_second: as burst, of messages of one seat to the others; keep: days for
    which a table is kept that nobody visits, or 0: for ever."""

    message: int = 16_384
    burst: int = 40
    each_second: float = 8.0
    mistakes: int = 20
    greeting: float = 10.0
    connections: int = 2000
    per_table: int = 48
    patience: float = 5.0
    tables: int = 20_000
    live: int = 300
    begun: int = 20
    begun_each_second: float = 0.1
    turns: int = 30
    turns_each_second: float = 1.0
    waiting: int = 1000
    from_one: int = 250
    head: float = 10.0
    stalled: float = 30.0
    books_waiting: int = 8
    books_for_one: int = 3
    absence: float = 5.0
    books: int = 10
    books_each_second: float = 0.2
    hold: float = 3.0
    said: int = 6
    said_each_second: float = 0.25
    keep: int = 0

    def for_one_of(self, processes: int) -> Limits:
        """Those of one of several processes that share what there is room for in all. What one address may do, each of
        them still counts for itself: whoever keeps one connection would be refused by a part of it."""
        connections, waiting = (-(-whole // processes) for whole in (self.connections, self.waiting))
        return replace(self, connections=connections, waiting=waiting)


class Bucket:
    """Lets so many things through at once, and then so many each second. clock: seconds, for tests."""

    def __init__(self, burst: int, each_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._each_second, self._clock = burst, each_second, clock
        self._left, self._at = float(burst), clock()

    def take(self) -> bool:
        """Whether one more is let through."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._each_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address; of those that were not heard of for long, only some are remembered."""

    _MOST = 10_000

    def __init__(self, burst: int, each_second: float) -> None:
        self._burst, self._each_second = burst, each_second
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        bucket = self._buckets.setdefault(address, Bucket(self._burst, self._each_second))
        self._buckets.move_to_end(address)
        if len(self._buckets) > self._MOST:
            self._buckets.popitem(last=False)
        return bucket.take()
