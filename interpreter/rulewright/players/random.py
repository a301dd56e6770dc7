"""A player that leaves everything to chance."""

from __future__ import annotations

from random import Random

from rulewright.players.options import Eyes
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State


class RandomPlayer:
    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def choose(self, sight: State, asked: OpenDecision, rng: Random) -> list[int]:
        """How many is drawn evenly between least and most, then which: all that is offered is equally likely.

        Only `rng.random()` is called: its sequence is the same in every version of Python.
        """
        options = Eyes(self._machine, asked.seat).options(sight, asked)
        offered = [item for items in options.values() for item in items]
        left = asked.least + int(rng.random() * (asked.most - asked.least + 1))
        chosen: set[int] = set()
        for index, item in enumerate(offered):
            if rng.random() * (len(offered) - index) < left:
                chosen.add(item)
                left -= 1
        return [item for item in asked.candidates if item in chosen]
