"""Machine with the interface of native code: equal results, slower."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from time import monotonic

from rulewright.program.form import Program
from rulewright.program.state_layout import ANSWERS, RANDOM, RANDOM_CELLS
from rulewright.runtime.machine import Machine
from rulewright.runtime.native.results import GameResult, GameResults, parse_result, result_words
from rulewright.runtime.operations import OpenDecision, OutOfTime
from rulewright.runtime.rng import fractions, seeded
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import sees_zone


class Fallback:
    """Executor of one program by the machine; `native.Executor` describes its methods. notice: why it is not native
    code."""

    tree = information_trees = None

    def __init__(self, program: Program, notice: str) -> None:
        self.program, self.notice = program, notice
        self._machine = Machine(program)
        self._s: State = []
        layout = program.layout
        self._visible_zones = [
            [space.address for space in layout.zones if sees_zone(space, seat)] for seat in range(layout.seats)
        ]
        self._public_zones = [space.address for space in layout.zones if space.seen_by == "all"]
        self._counters = [
            counter.address + n for counter in layout.counters if not counter.type.many for n in range(counter.cells)
        ]

    def play_out(self, s: State, seed: int) -> None:
        """Play a state to its end with random answers. Raises RuleError."""
        self._machine.play_out(s, fractions(seed))

    def games(self, new: State, seeds: range) -> GameResults:
        """Play whole games, each from a new state with another seed, as `play_out` does. Raises RuleError."""
        results = GameResults(self.program.layout.seats, len(self.program.scoring), array("i"))
        for seed in seeds:
            s = clone(new)
            s[RANDOM : RANDOM + RANDOM_CELLS] = seeded(seed)
            results.words.extend(self._result_of(s, fractions(seed), None))
        return results

    def pack(self, s: State) -> State:
        return clone(s)

    @property
    def cells(self) -> State:
        return self._s

    def load_state(self, packed: State, rng_state: Sequence[int]) -> None:
        self._s = clone(packed)
        self._s[RANDOM : RANDOM + RANDOM_CELLS] = rng_state

    def state_copy(self) -> State:
        return clone(self._s)

    def answer(self, decision: OpenDecision, answer: Sequence[int]) -> None:
        self._machine.answer(self._s, decision, answer)

    def resume(self) -> list[OpenDecision]:
        return self._machine.run(self._s)

    def view_hash(self, seat: int, public: bool) -> int:
        """Return a hash as `Executor.view_hash` does; native code has other numbers for the same view."""
        s, face = self._s, self.program.shown_type
        pieces = [s[zone] for zone in (self._public_zones if public else self._visible_zones[seat])]
        types = [tuple([face(s, piece) for piece in some]) for some in pieces]
        marks = [s[mark.address + piece] for mark in self.program.layout.marks for some in pieces for piece in some]
        return hash((*types, *marks, *[s[cell] for cell in self._counters]))

    def play_on(self, seed: int, most: int | None = None) -> GameResult:
        return parse_result(self._result_of(self._s, fractions(seed), most), len(self.program.scoring))

    def play_on_often(
        self, seed: int, most: int | None, times: int, until: float = math.inf, turn: int = -1
    ) -> list[list[int]]:
        ends: list[list[int]] = []
        for each in range(seed, seed + times):
            s = clone(self._s)
            s[RANDOM : RANDOM + RANDOM_CELLS] = seeded(each)
            ends.append(self._result_of(s, fractions(each), most, until, turn))
        return ends

    def _result_of(
        self, s: State, chance: Callable[[], float], most: int | None, until: float = math.inf, turn: int = -1
    ) -> list[int]:
        """Play on from a state, in place, and return the words of the result. Raises OutOfTime and RuleError."""
        earlier_answers = s[ANSWERS]
        self._play_on_state(s, chance, most, until, turn)
        return result_words(self._machine, s, earlier_answers)

    def _play_on_state(self, s: State, chance: Callable[[], float], most: int | None, until: float, turn: int) -> None:
        """Answer decisions at random until the end, `most` of them, or the end of a seat's turn; of
        simultaneous ones, one at a time, like `play_out`. Raises OutOfTime."""
        decisions, machine = 0, self._machine
        machine.run(s)
        while decisions != most and (open_ := machine.open_decisions(s)):
            if monotonic() >= until:
                raise OutOfTime
            first = open_[0]
            if turn >= 0 and first.site in self.program.turn_sites and first.seat != turn:
                break
            machine.answer(s, first, machine.random_answer(s, first, chance))
            machine.run(s)
            decisions += 1
