"""Pending decisions at one position: open questions, sealed answers, ready seats, possible undos."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from rulewright.game import undo
from rulewright.game.history import GameHistory
from rulewright.game.undo import Answered
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.view import awaited_of_simultaneous


class PendingDecisions:
    """Pending decisions at the end of a history, whose open decisions are computed on first use. sealed: the last
    answers, not yet revealed; group: seats of an open `at once`, all of them."""

    def __init__(self, machine: Machine, history: GameHistory, asks: bool) -> None:
        """asks: whether there may be open questions: none are left after a concession."""
        self._machine, self._state, self._asks = machine, history.present, asks and not history.between
        self.group: Sequence[int] = [] if history.between else machine.simultaneous_seats(self._state)
        self._answers = history.answers
        sealed = undo.count_sealed(machine, self._answers, self._state, self.group)
        self.sealed: Sequence[Answered] = self._answers[len(self._answers) - sealed :]
        self._undoable_answers: tuple[Collection[int], Mapping[int, int]] | None = None

    @property
    def opened(self) -> int:
        """Number of answers publicly known to be given; sealed ones do not count."""
        return len(self._answers) - len(self.sealed)

    @cached_property
    def open(self) -> Sequence[OpenDecision]:
        """Open decisions, without the arguments of texts."""
        return self._machine.open_decisions(self._state) if self._asks else ()

    @cached_property
    def seats(self) -> list[int]:
        """Seats with an open decision; secret during an `at once`."""
        return [decision.seat for decision in self.open]

    @cached_property
    def ids(self) -> list[tuple[int, str]]:
        """Seats with an open decision, each with the decision's id: faster than `Game.decisions`."""
        return [(decision.seat, self._machine.program.sites[decision.site].id) for decision in self.open]

    @property
    def at_once(self) -> bool:
        """Whether seats decide at once now, under seal."""
        return bool(self.group)

    def is_sealed(self, seat: int) -> bool:
        """Return whether a seat's last answer is sealed: others still have to answer, and see nothing of it."""
        return any(answered.seat == seat for answered in self.sealed)

    @cached_property
    def ready(self) -> frozenset[int]:
        """Seats known to have answered in an open `at once`. Seats without a question are not included: that they had
        no choice stays hidden."""
        return frozenset([answered.seat for answered in self.sealed]).difference(self.seats)

    @cached_property
    def _awaited(self) -> tuple[int, ...]:
        """Seats still to answer, as everybody may know."""
        seats = awaited_of_simultaneous(self.group, self.seats, None) if self.group else self.seats
        return tuple([seat for seat in seats if seat not in self.ready]) if self._asks else ()

    def awaited(self, seat: int | None = None) -> tuple[int, ...]:
        """Return the seats still to answer, as a seat or everybody (None) may know: in an `at once`, all that are not
        ready."""
        if seat not in self._awaited or seat in self.seats:
            return self._awaited
        return tuple([other for other in self._awaited if other != seat])

    def sealed_keys(self, seat: int) -> list[str]:
        """Return the keys of a seat's sealed answers."""
        return [key for answered in self.sealed if answered.seat == seat for key in answered.keys]

    def undoable_answers(self, computers: Collection[int]) -> Mapping[int, int]:
        """Return the seats that may undo an answer, each with the answer's number from 0. computers: seats whose
        answers are undone along with others."""
        if self._undoable_answers is None or self._undoable_answers[0] != computers:
            self._undoable_answers = (
                computers,
                undo.undoable_answers(self._answers, len(self.sealed), self.ready, computers),
            )
        return self._undoable_answers[1]
