"""Limits on simultaneous connections: in all, and from one address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from rulewright.base.records import record


@record
class _Member:
    """Connection in the limiter. leave: closes it."""

    address: str
    leave: Callable[[], object]


class ConnectionLimiter:
    """Limiter that evicts the longest-idle connection when all places are taken, and refuses if none is idle.

    So whoever connects and stays silent shuts nobody out, however many they are.
    """

    def __init__(self, maximum: int, from_one: int, elsewhere: Callable[[int], int] | None = None) -> None:
        """elsewhere: receives the number of connections here and returns those of other processes, where several share
        the limit."""
        self._most, self._from_one, self._elsewhere = maximum, from_one, elsewhere or (lambda _: 0)
        self._members: dict[Hashable, _Member] = {}
        self._by_address: dict[str, int] = {}
        self._idle: OrderedDict[Hashable, None] = OrderedDict()  # since longest first

    def __len__(self) -> int:
        return len(self._members)

    def enter(self, connection: Hashable, address: str, close: Callable[[], object]) -> bool:
        """Admit a connection as idle, evicting another if need be; return False if there is no place.

        address: '' if it does not count; close: closes the connection.
        """
        if address and self._by_address.get(address, 0) >= self._from_one:
            idle = (other for other in self._idle if self._members[other].address == address)
            if not self._evict(next(idle, None)):
                return False
        full = len(self._members) + self._elsewhere(len(self._members)) >= self._most
        if full and not self._evict(next(iter(self._idle), None)):
            return False
        self._members[connection] = _Member(address, close)
        self._by_address[address] = self._by_address.get(address, 0) + 1
        self._idle[connection] = None
        self._elsewhere(len(self._members))
        return True

    def mark_busy(self, connection: Hashable) -> None:
        """Mark a connection as busy."""
        self._idle.pop(connection, None)

    def mark_idle(self, connection: Hashable) -> None:
        """Mark a connection as idle again."""
        if connection in self._members:
            self._idle[connection] = None
            self._idle.move_to_end(connection)

    def leave(self, connection: Hashable) -> None:
        """Remove a connection, which may have been evicted before."""
        member = self._members.pop(connection, None)
        if member is None:
            return
        self._idle.pop(connection, None)
        self._by_address[member.address] -= 1
        if not self._by_address[member.address]:
            del self._by_address[member.address]
        self._elsewhere(len(self._members))

    def _evict(self, connection: Hashable | None) -> bool:
        """Evict a connection; False for None."""
        if connection is None:
            return False
        member = self._members[connection]
        self.leave(connection)
        member.leave()
        return True
