"""Games that the machine plays, counted as native code counts them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.runtime.counting import AHEAD, LEAD_CHANGES, OF_GAME, Counting
from rulewright.runtime.machine import Machine
from rulewright.runtime.native.results import reckoned
from rulewright.runtime.operations import Events, OpenDecision, RuleError
from rulewright.runtime.state import State

AnswerFunction = Callable[[State, OpenDecision], Sequence[int]]
"""Chooses among the candidates of an open decision. The state is the whole one: to be looked at with care."""


class _Ear(list[Any]):
    """Hears what is told; looks at the game where a round begins, as native code does, and keeps nothing."""

    def __init__(self, text: int, looks: Callable[[], None]) -> None:
        super().__init__()
        self._text, self._looks = text, looks

    def append(self, event: Any) -> None:
        if event[0] == self._text:
            self._looks()


class Tally:
    """Plays games of one program and counts what happens in them."""

    def __init__(self, counting: Counting, machine: Machine | None = None) -> None:
        self._counting, self._program = counting, counting.program
        self._machine = machine or Machine(counting.program)
        key = f"phases.{self._program.phases[0][0]}.title"
        self._text = next(number for number, text in enumerate(self._program.texts) if text.key == key)

    def played(
        self, s: State, answer: AnswerFunction, first: Callable[[list[OpenDecision]], int] = lambda _: 0
    ) -> list[int]:
        """Plays a new state to the end: the words of its results and then its counts. Raises RuleError.

        first: which of several open decisions is answered first, by its place among them.
        """
        counting, machine, seats = self._counting, self._machine, range(self._program.layout.seats)
        counts = [0] * counting.size
        ear: Events = _Ear(self._text, lambda: self._look(s, counts))
        machine.run(s, ear)
        while open_ := machine.asked(s):
            asked = open_[first(open_)]
            chosen = answer(s, asked)
            self._note(s, asked, chosen, counts)
            machine.answer(s, asked, chosen)
            machine.run(s, ear)
        result = reckoned(machine, s)
        self._look(s, counts)
        for seat in seats:
            for place, function in enumerate(counting.measures, self._of(seat) + counting.measured):
                counts[place] = machine.call(function, s, seat)[0][0]
        return result + counts

    def _of(self, seat: int) -> int:
        """Where a seat's counts begin."""
        return OF_GAME + seat * self._counting.of_seat

    def _note(self, s: State, asked: OpenDecision, chosen: Sequence[int], counts: list[int]) -> None:
        counting = self._counting
        question = counting.question_of[asked.site]
        empty = len(question.choices) - 1
        for first, items, least in (
            (counting.offered, asked.candidates, asked.least),
            (counting.chosen, chosen, len(chosen)),
        ):
            found = {counting.choice(question, s, asked.seat, item) for item in items}
            for choice in found if least > 0 else {*found, empty}:
                counts[self._of(asked.seat) + first + question.first + choice] += 1

    def _look(self, s: State, counts: list[int]) -> None:
        """Who leads, and who has which power. What cannot be worked out now leaves things as they were."""
        counting = self._counting
        keys: dict[int, int] = {}
        failed = False
        for seat in range(self._program.layout.seats):
            if counting.scored(s, seat):
                key = self._called(counting.leading, s, seat)
                if key is None:
                    failed = True
                else:
                    keys[seat] = counts[self._of(seat)] = key
            for place, function in enumerate(counting.powers, self._of(seat) + counting.held):
                counts[place] += self._called(function, s, seat) or 0
        best = [seat for seat, key in keys.items() if key == max(keys.values())]
        if failed or len(best) != 1:
            return
        if counts[AHEAD] not in (0, best[0] + 1):
            counts[LEAD_CHANGES] += 1
        counts[AHEAD] = best[0] + 1

    def _called(self, function: int, s: State, seat: int) -> int | None:
        try:
            return int(self._machine.call(function, s, seat)[0][0])
        except RuleError:
            return None
