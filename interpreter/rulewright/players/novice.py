"""Player like a beginner."""

from __future__ import annotations

from random import Random

from rulewright.players.kinds import Budget
from rulewright.players.random_player import RandomPlayer
from rulewright.players.search import SearchPlayer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State

HASTY_TRIES = 3
"""Tries of a novice for answers other than amounts."""
SLIPS = 0.2
"""Share of a novice's answers other than amounts that are random."""


class NovicePlayer:
    """Player like a beginner: searches with few tries, and sometimes answers without thinking. Amounts, where a random
    one would be nonsense, are searched with the whole budget."""

    def __init__(self, machine: Machine, budget: Budget) -> None:
        self._machine = machine
        self._careful = SearchPlayer(machine, budget)
        self._hasty = SearchPlayer(machine, Budget(HASTY_TRIES, budget.milliseconds))
        self._careless = RandomPlayer(machine)

    def choose(self, info_state: State, decision: OpenDecision, rng: Random) -> list[int]:
        """Choose as `Player.choose` does."""
        if self._machine.program.sites[decision.site].element.base == "number":
            return self._careful.choose(info_state, decision, rng)
        player = self._careless if rng.random() < SLIPS else self._hasty
        return player.choose(info_state, decision, rng)
