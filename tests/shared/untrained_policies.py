"""Trained players that have learned nothing yet, made in no time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rulewright.players.action_space import ActionSpace
from rulewright.players.observations import Observations
from rulewright.players.policies import Policy
from rulewright.players.policy_files import TrainedFor
from rulewright.runtime.machine import Machine


def untrained(machine: Machine, seed: int = 1, title: str = "Guess", plays: str = "") -> Policy:
    """A policy for the games of a machine that has learned nothing yet."""
    actions = ActionSpace(machine.program)
    previous = Observations(machine.program, actions)
    chance = np.random.default_rng(seed)
    sizes = [previous.now, 8, len(actions)]
    layers = [(chance.normal(size=two), chance.normal(size=two[1])) for two in pairwise(sizes)]
    names = tuple(previous.names[: previous.now]), tuple(actions.names)
    return Policy(TrainedFor(title, plays, machine.program.layout.seats, *names), layers)
