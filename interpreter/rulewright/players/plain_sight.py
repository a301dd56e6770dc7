"""Ends of a game that lie in plain sight: an answer that wins at once, and one after which somebody else can."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import monotonic

from rulewright.players.choice_grouping import SeatCandidates
from rulewright.players.evaluation import draw_rng_cells
from rulewright.runtime.information_state import Determinizer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import GAME_WORDS, Executor
from rulewright.runtime.operations import OutOfTime, RuleError
from rulewright.runtime.state import State

WORLDS = 3
"""Determinizations in each of which an answer has to win."""
MAX_LOOKED_AT = 400
"""Most answers that are looked at; where there are more, nobody sees all of them."""


class PlainSight:
    """View of one seat at one decision, without looking further than the next answer. executor: of the machine's
    rollouts; until: time by which it stops looking, on the monotonic clock; hidden: whether there are several worlds to
    draw."""

    def __init__(
        self,
        machine: Machine,
        executor: Executor,
        info_state: State,
        decision: OpenDecision,
        rng: Random,
        until: float = math.inf,
        *,
        hidden: bool = True,
    ) -> None:
        self._machine, self._executor, self._decision, self._rng = machine, executor, decision, rng
        self._until = until
        self._worlds: list[tuple[bytes, OpenDecision, tuple[int, ...]]] = []
        determinizer = Determinizer(machine, info_state, decision.seat)
        for _ in range(WORLDS if hidden else 1):
            if monotonic() >= until:
                break
            with suppress(RuleError):
                s = determinizer.draw(rng)
                open_ = next(one for one in machine.open_decisions(s) if one.seat == decision.seat)
                sides = machine.program.seat_sides(s)
                self._worlds.append((executor.pack(s), open_, sides))

    def wins(self, place: int) -> bool:
        """Return whether answering with the candidate at this place ends the game in all worlds, with its seat's side
        first."""
        with suppress(RuleError, OutOfTime):
            return bool(self._worlds) and all(self._wins(world, [place]) for world in self._worlds)
        return False

    def first_win(self) -> int | None:
        """Return the place of the first candidate that wins, or None."""
        if self._decision.least > 1 or len(self._decision.candidates) > MAX_LOOKED_AT:
            return None
        return next((place for place in range(len(self._decision.candidates)) if self.wins(place)), None)

    def gives_win(self, places: Sequence[int]) -> bool:
        """Return whether somebody of another side who is asked next could win at once, after an answer with the
        candidates at these places."""
        with suppress(RuleError, OutOfTime):
            return bool(self._worlds) and all(self._gives_win(world, places) for world in self._worlds)
        return False

    def _wins(self, world: tuple[bytes, OpenDecision, tuple[int, ...]], places: Sequence[int]) -> bool:
        """Return whether an answer ends the game in a world with its side first; False when time is over. Raises
        RuleError, OutOfTime."""
        if monotonic() >= self._until:
            return False
        packed, decision, sides = world
        self._executor.load_state(packed, draw_rng_cells(self._rng))
        self._executor.answer(decision, [decision.candidates[place] for place in places])
        return not self._executor.resume() and self._is_first(decision.seat, sides)

    def _gives_win(self, world: tuple[bytes, OpenDecision, tuple[int, ...]], places: Sequence[int]) -> bool:
        """Return whether in a world the seat asked next could win so; False when time is over. Raises RuleError,
        OutOfTime."""
        packed, decision, sides = world
        executor, cells = self._executor, draw_rng_cells(self._rng)
        executor.load_state(packed, cells)
        executor.answer(decision, [decision.candidates[place] for place in places])
        open_ = executor.resume()
        if len(open_) != 1 or sides[open_[0].seat] == sides[decision.seat]:
            return False
        reply = open_[0]
        choices = SeatCandidates(self._machine, reply.seat).choices(executor.cells, reply)
        if reply.least > 1 or len(choices) > MAX_LOOKED_AT:
            return False
        after = executor.state_copy()
        for items in choices.values():
            if monotonic() >= self._until:
                return False
            executor.load_state(after, cells)
            executor.answer(reply, items[:1])
            if not executor.resume() and self._is_first(reply.seat, sides):
                return True
        return False

    def _is_first(self, seat: int, sides: Sequence[int]) -> bool:
        """Return whether in the game that the executor has just ended a seat's side alone is first."""
        row = self._executor.play_on_often(1, 0, 1)[0]
        places = row[GAME_WORDS :: (len(row) - GAME_WORDS) // len(sides)]
        best = min((place for place in places if place), default=0)
        return {side for side, place in zip(sides, places, strict=True) if place == best} == {sides[seat]}
