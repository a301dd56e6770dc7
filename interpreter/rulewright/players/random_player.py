"""Player that answers at random."""

from __future__ import annotations

from random import Random

from rulewright.players.choice_grouping import SeatCandidates
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.random_answers import pick
from rulewright.runtime.state import State


class RandomPlayer:
    """Player that chooses each answer with equal probability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def choose(self, info_state: State, decision: OpenDecision, rng: Random) -> list[int]:
        """Choose an answer, each as likely as any other.

        Only `rng.random()` is called: its sequence is the same in every version of Python.
        """
        options = SeatCandidates(self._machine, decision.seat).choices(info_state, decision)
        keys = {item: key for key, items in options.items() for item in items}
        return list(pick(rng.random, decision.candidates, decision.least, decision.most, keys.__getitem__))
