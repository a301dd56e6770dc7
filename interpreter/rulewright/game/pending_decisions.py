"""Who is waited for at one position of a game: who is asked, what is sealed, who is ready, who may take back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from rulewright.game import undo
from rulewright.game.undo import Answered
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State
from rulewright.runtime.view import among_all


class Waiting:
    """Each of it is worked out when it is first asked for. sealed: the last answers, which nobody has seen yet; group:
    the seats that decide at once, if any do; asks: whether anybody is asked at all, as nobody is at moments between two
    decisions, and after a game that was given up."""

    def __init__(
        self, machine: Machine, state: State, sealed: Sequence[Answered], group: Sequence[int], asks: bool
    ) -> None:
        self._machine, self._state, self._asks = machine, state, asks
        self.sealed, self.group = sealed, group
        self._takers: tuple[Collection[int], Mapping[int, int]] | None = None

    @cached_property
    def open(self) -> Sequence[OpenDecision]:
        """What is asked, without what the texts tell."""
        return self._machine.asked(self._state) if self._asks else ()

    @cached_property
    def asked(self) -> list[int]:
        """The seats that are asked something, as nobody may know while they decide at once."""
        return [decision.seat for decision in self.open]

    @cached_property
    def ready(self) -> frozenset[int]:
        """While seats decide at once, those that have done so for all to see. Who never was asked is not among them:
        that there was nothing to choose stays hidden."""
        return frozenset([answered.seat for answered in self.sealed]).difference(self.asked)

    @cached_property
    def _expected(self) -> tuple[int, ...]:
        """Who is waited for, as far as everybody may know."""
        found = among_all(self.group, self.asked, None) if self.group else self.asked
        return tuple([seat for seat in found if seat not in self.ready]) if self._asks else ()

    def expected(self, seat: int | None) -> tuple[int, ...]:
        """Who is waited for, as a seat or everybody may know: of those who decide at once all that are not ready."""
        if seat not in self._expected or seat in self.asked:
            return self._expected
        return tuple([other for other in self._expected if other != seat])

    def keys(self, seat: int) -> list[str]:
        """What a seat has taken in its sealed answers."""
        return [key for answered in self.sealed if answered.seat == seat for key in answered.keys]

    def takers(self, answers: Sequence[Answered], computers: Collection[int]) -> Mapping[int, int]:
        """Who may take an answer back, each with its number, counted from 0. answers: all of them; computers: seats
        whose answers are taken back along with others."""
        if self._takers is None or self._takers[0] != computers:
            self._takers = computers, undo.takers(answers, len(self.sealed), self.ready, computers)
        return self._takers[1]
