"""A player that leaves everything to chance."""

from __future__ import annotations

from random import Random

from rulewright.players.choice_grouping import Eyes
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.random_answers import pick
from rulewright.runtime.state import State


class RandomPlayer:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def choose(self, sight: State, asked: OpenDecision, rng: Random) -> list[int]:
        """Choose an answer, each as likely as any other.

        Only `rng.random()` is called: its sequence is the same in every version of Python.
        """
        options = Eyes(self._machine, asked.seat).options(sight, asked)
        keys = {item: key for key, items in options.items() for item in items}
        return list(pick(rng.random, asked.candidates, asked.least, asked.most, keys.__getitem__))
