"""Forecast whether an answer may reveal something, as far as another seat can know beforehand.

It depends only on what the other seat knows: in games that look the same to it, the result is the same, whatever the
answer will be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from rulewright.game import undo
from rulewright.program.state_layout import GAME_OVER, ME, PC
from rulewright.runtime.information_state import Determinizer, information_state
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State, clone

WORLDS = 3
"""Number of sampled states in which answers are tried."""
MAX_ANSWERS = 32
"""Limit of answers tried in each determinization."""
MIXED = 6
"""Random answers tried in each determinization where an answer can have several items."""


def may_reveal(machine: Machine, state: State, seat: int, other: int) -> bool:
    """Return whether an answer of a seat may end the game or reveal something, for all that another seat knows.

    True if this cannot be computed. In an `at once` there is nothing to forecast: the last answer opens the seals.
    """
    known = information_state(machine, state, other)
    known[ME] = state[ME]  # the acting seat is public
    chance = Random(0)
    worlds = Determinizer(machine, known, other)
    tried = 0
    for _ in range(WORLDS):
        try:
            before = worlds.draw(chance)
            for decision in machine.open_decisions(before):
                for answer in _sample_answers(machine, before, decision, chance) if decision.seat == seat else ():
                    tried += 1
                    if _does_reveal(machine, before, decision, answer):
                        return True
        except RuleError:
            return True
    return not tried


def _sample_answers(machine: Machine, s: State, decision: OpenDecision, chance: Random) -> Iterator[Sequence[int]]:
    """Yield some answers: all single candidates, or evenly spread ones of many; random ones if several are chosen."""
    if decision.most == 1:
        if decision.least == 0:
            yield ()
        step = max(1, -(-len(decision.candidates) // MAX_ANSWERS))
        yield from ([item] for item in islice(decision.candidates, 0, None, step))
        return
    for _ in range(MIXED):
        yield machine.random_answer(s, decision, chance.random)


def _does_reveal(machine: Machine, before: State, decision: OpenDecision, answer: Sequence[int]) -> bool:
    """Return whether one answer ends the game or reveals something."""
    after = clone(before)
    machine.answer(after, decision, answer)
    machine.run(after)
    return after[PC] == GAME_OVER or undo.does_reveal(machine, before, after)
