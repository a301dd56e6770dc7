"""Players that are no people: each is a function `choose(view, decision, rng) -> keys`, and sees no more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from rulewright.game import Decision, Game
from rulewright.players import random
from rulewright.view import View

Chooser = Callable[[View, Decision, Random], list[str]]

KINDS: Mapping[str, Chooser] = {"random": random.choose}


def choose(kind: str, game: Game, decision: Decision, answers: int) -> list[str]:
    """The answer of a player of that kind to a decision.

    answers: how many its seat has given before. Seed, seat and that number fix the player's luck: a game
    that was saved and resumed goes on like one that never stopped.
    """
    rng = Random(f"{game.seed} {decision.seat} {answers}")
    return KINDS[kind](game.view(decision.seat), decision, rng)
