"""Those who are connected at one time: so many in all, and so many from one address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable

from rulewright.base.records import record


@record
class _Member:
    address: str
    leave: Callable[[], object]


class Crowd:
    """Where all places are taken, whoever has been idle for longest gives theirs up; where nobody is idle, nobody comes
    in. So those who connect and say nothing shut nobody out, however many they are."""

    def __init__(self, most: int, from_one: int, elsewhere: Callable[[int], int] | None = None) -> None:
        """elsewhere: how many others have places, where several share them; it is told how many there are here."""
        self._most, self._from_one, self._elsewhere = most, from_one, elsewhere or (lambda _: 0)
        self._members: dict[Hashable, _Member] = {}
        self._there: dict[str, int] = {}
        self._idle: OrderedDict[Hashable, None] = OrderedDict()  # since longest first

    def __len__(self) -> int:
        return len(self._members)

    def enter(self, who: Hashable, address: str, leave: Callable[[], object]) -> bool:
        """Whether there is a place; who has one is idle at first. address: '' where it does not count; leave: ends a
        member's connection."""
        if address and self._there.get(address, 0) >= self._from_one:
            idle = (other for other in self._idle if self._members[other].address == address)
            if not self._send_away(next(idle, None)):
                return False
        full = len(self._members) + self._elsewhere(len(self._members)) >= self._most
        if full and not self._send_away(next(iter(self._idle), None)):
            return False
        self._members[who] = _Member(address, leave)
        self._there[address] = self._there.get(address, 0) + 1
        self._idle[who] = None
        self._elsewhere(len(self._members))
        return True

    def busy(self, who: Hashable) -> None:
        """A member is not idle any more."""
        self._idle.pop(who, None)

    def idle(self, who: Hashable) -> None:
        """A member has nothing to do again."""
        if who in self._members:
            self._idle[who] = None
            self._idle.move_to_end(who)

    def leave(self, who: Hashable) -> None:
        """A member has gone, or was sent away before."""
        member = self._members.pop(who, None)
        if member is None:
            return
        self._idle.pop(who, None)
        self._there[member.address] -= 1
        if not self._there[member.address]:
            del self._there[member.address]
        self._elsewhere(len(self._members))

    def _send_away(self, who: Hashable | None) -> bool:
        if who is None:
            return False
        member = self._members[who]
        self.leave(who)
        member.leave()
        return True
