"""Who plays: seats, bots that are given what their seat knows, sessions and their saves.

It does not know how a person is asked.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from rulewright.i18n.localizer import phrase
from rulewright.players.answer_time import answer_time
from rulewright.players.kinds import (
    KINDS,
    POLICY,
    PlayerError,
    after_waiting,
    at_a_table,
    budget,
    by_the_clock,
    check_kind,
    is_policy,
    policy_file,
    tries,
)
from rulewright.players.random_player import RandomPlayer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State

if TYPE_CHECKING:
    from rulewright.game.game import Game
    from rulewright.players.policies import Policy

__all__ = [
    "KINDS",
    "Player",
    "PlayerError",
    "after_waiting",
    "answer_time",
    "at_a_table",
    "at_table",
    "by_the_clock",
    "check_kind",
    "choose",
    "is_policy",
    "luck",
    "player",
    "policy_file",
    "policy_in",
    "tries",
]


class Player(Protocol):
    """Answers for any seat of the games of one machine. Equal sights and states of `rng` give equal answers, unless it
    thinks by the clock."""

    def choose(self, sight: State, asked: OpenDecision, rng: Random) -> list[int]:
        """Some of the candidates, from `least` to `most` of them, in their order.

        sight: what the seat that is asked knows, as `knowledge.sight` gives it.
        """


def player(kind: str, machine: Machine, *, evenly: bool = False) -> Player:
    """A player for games of that machine.

    kind: 'random', 'greedy', 'search', or that with a budget for each decision: 'search-500' tries so many answers out,
    'search-800ms' thinks so long, and 'greedy-200ms' no longer; 'policy:FILE' is a trained player. evenly: whether all
    tries are made, also where they cannot change the answer: at tables, see `answer_time`. Raises PlayerError.
    """
    name, most = budget(kind)
    if name == POLICY:
        return policy_in(policy_file(kind)).player(machine)
    if name == "search":
        from rulewright.players.search import SearchPlayer  # noqa: PLC0415 - it loads native code

        return SearchPlayer(machine, most, evenly=evenly)
    if name == "greedy":
        from rulewright.players.greedy import GreedyPlayer  # noqa: PLC0415 - as above

        return GreedyPlayer(machine, most.milliseconds)
    return RandomPlayer(machine)


def policy_in(file: Path) -> Policy:
    """The trained player in a file. Raises PlayerError."""
    try:
        from rulewright.players.policies import Policy  # noqa: PLC0415 - it needs numpy
    except ImportError:
        slots = {"library": "numpy", "command": "pip install numpy"}
        told = phrase("errors", "Trained players need {library}, not installed here: {command}.", **slots)
        raise PlayerError(told) from None
    return Policy.load(file)


_at_tables: WeakKeyDictionary[Machine, dict[str, Player]] = WeakKeyDictionary()


def choose(kind: str, game: Game, seat: int, answers: int) -> list[str]:
    """The answer of a player of that kind to what a seat is asked, as keys.

    answers: how many the seat has given before. Seed, seat and that number fix the player's luck: a game
    that was saved and resumed goes on like one that never stopped. Raises PlayerError.
    """
    rng = Random(luck(game, seat, answers))
    sight, asked = game.known(seat)
    return game.keys(asked, at_table(kind, game.machine).choose(sight, asked, rng))


def at_table(kind: str, machine: Machine) -> Player:
    """The player of that kind who sits at tables of that machine. Raises PlayerError."""
    kind = at_a_table(kind)
    made = _at_tables.setdefault(machine, {})
    if kind not in made:
        made[kind] = player(kind, machine, evenly=True)
    return made[kind]


def luck(game: Game, seat: int, answers: int) -> str:
    """What fixes a player's chance at a seat's next answer. answers: how many it has given before."""
    return f"{game.seed} {seat} {answers}"
