"""Whether somebody's answer may bring something to light, as far as somebody else can know before it is given.

It is worked out from what the other seat knows and from nothing else: in games that look alike to it, it is the same,
whatever the answer is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from rulewright.game import undo
from rulewright.program.form import GAME_OVER, ME, PC
from rulewright.runtime.information_state import Worlds, sight
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State, clone

WORLDS = 3
MOST_ANSWERS = 32  # that are tried in each of them
MIXED = 6  # of these, where several things are chosen at once


def may_show(machine: Machine, state: State, seat: int, other: int) -> bool:
    """Return whether an answer of a seat that is asked may end the game or bring something to light, for all that
    another seat knows. Where that cannot be worked out it may; of those who decide at once, the last one may."""
    if machine.group(state):
        return [asked.seat for asked in machine.asked(state)] == [seat]
    known = sight(machine, state, other)
    known[ME] = state[ME]  # everybody knows whose turn it is
    chance = Random(0)
    worlds = Worlds(machine, known, other)
    tried = 0
    for _ in range(WORLDS):
        try:
            before = worlds.draw(chance)
            for asked in machine.asked(before):
                for answer in _answers(machine, before, asked, chance) if asked.seat == seat else ():
                    tried += 1
                    if _shows(machine, before, asked, answer):
                        return True
        except RuleError:
            return True
    return not tried


def _answers(machine: Machine, s: State, asked: OpenDecision, chance: Random) -> Iterator[Sequence[int]]:
    """Some answers, all where they are few."""
    if asked.most == 1:
        if asked.least == 0:
            yield ()
        step = max(1, -(-len(asked.candidates) // MOST_ANSWERS))
        yield from ([item] for item in islice(asked.candidates, 0, None, step))
        return
    for _ in range(MIXED):
        yield machine.random_answer(s, asked, chance.random)


def _shows(machine: Machine, before: State, asked: OpenDecision, answer: Sequence[int]) -> bool:
    after = clone(before)
    machine.answer(after, asked, answer)
    machine.run(after)
    return after[PC] == GAME_OVER or undo.shows(machine, before, after)
