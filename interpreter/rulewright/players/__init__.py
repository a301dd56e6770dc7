"""Players: seats, bots that receive only what their seat knows, sessions and their saves.

It does not know how a person is asked.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from rulewright.i18n.localizer import phrase
from rulewright.players.answer_time import answer_time, share_in_row
from rulewright.players.kinds import (
    KINDS,
    LEVELS,
    POLICY,
    QUICK_TRIES,
    Budget,
    PlayerError,
    check_kind,
    is_policy,
    is_time_limited,
    kind_after_wait,
    max_tries,
    policy_file,
    read_budget,
    table_kind,
)
from rulewright.players.random_player import RandomPlayer
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State

if TYPE_CHECKING:
    from rulewright.game.game import Game
    from rulewright.players.policies import Policy

__all__ = [
    "KINDS",
    "LEVELS",
    "Player",
    "PlayerError",
    "answer_seed",
    "answer_time",
    "check_kind",
    "choose",
    "is_policy",
    "is_time_limited",
    "kind_after_wait",
    "load_policy",
    "make_player",
    "max_tries",
    "policy_file",
    "share_in_row",
    "table_kind",
    "table_player",
]


class Player(Protocol):
    """Player that answers for any seat in the games of one machine.

    Equal information states and equal states of `rng` give equal answers, unless the player thinks by the clock.
    """

    def choose(self, info_state: State, decision: OpenDecision, rng: Random) -> list[int]:
        """Choose some of the decision's candidates, from `least` to `most` of them, in their order.

        info_state: what the seat to answer knows, as `information_state` returns it.
        """


def make_player(kind: str, machine: Machine, *, evenly: bool = False) -> Player:
    """Make a player for the games of a machine.

    kind: 'random', a level, 'greedy' or 'search', the last also with a number of tries for each decision, as in
    'search-500', and all but the first with a time: 'search-800ms' thinks for 800 milliseconds, 'greedy-200ms' for at
    most 200; 'policy:FILE' is a trained player. evenly: make all tries even if they cannot change the answer, as at
    tables (see `answer_time`). Raises PlayerError.
    """
    name, limit = read_budget(kind)
    if name == POLICY:
        return load_policy(policy_file(kind)).player(machine)
    if name == "random":
        return RandomPlayer(machine)
    player = _thinking_player(name, limit, machine, evenly)
    if not machine.program.wagers:
        return player
    from rulewright.players.wagers import WagersPlayer  # noqa: PLC0415 - it loads native code

    return WagersPlayer(machine, player, limit.milliseconds)


def _thinking_player(name: str, limit: Budget, machine: Machine, evenly: bool) -> Player:
    """Make a player that looks ahead."""
    from rulewright.players.learned_values import value_of  # noqa: PLC0415 - it loads native code
    from rulewright.players.search import SearchPlayer  # noqa: PLC0415 - as above

    value = value_of(machine.program)
    if name in LEVELS:
        from rulewright.players.level_player import LevelPlayer  # noqa: PLC0415 - as above

        return LevelPlayer(machine, name, limit.milliseconds, evenly=evenly, value=value)
    if name == "search":
        return SearchPlayer(machine, limit, evenly=evenly, value=value)
    if value is not None:
        return SearchPlayer(machine, Budget(QUICK_TRIES, limit.milliseconds), evenly=evenly, value=value)
    from rulewright.players.greedy import GreedyPlayer  # noqa: PLC0415 - as above

    return GreedyPlayer(machine, limit.milliseconds)


def load_policy(file: Path) -> Policy:
    """Load the trained player of a file. Raises PlayerError."""
    try:
        from rulewright.players.policies import Policy  # noqa: PLC0415 - it needs numpy
    except ImportError:
        slots = {"library": "numpy", "command": "pip install numpy"}
        message = phrase("errors", "Trained players need {library}, not installed here: {command}.", **slots)
        raise PlayerError(message) from None
    return Policy.load(file)


_table_players: WeakKeyDictionary[Machine, dict[str, Player]] = WeakKeyDictionary()
"""Players of a machine's tables, by kind."""


def choose(kind: str, game: Game, seat: int, answers: int) -> list[str]:
    """Choose the answer of a player of this kind to a seat's open decision; return its keys.

    answers: number of answers that the seat has given before. The game's seed, the seat and this number seed the
    player's random generator, so that a saved game resumes like one that never stopped. Raises PlayerError.
    """
    rng = Random(answer_seed(game, seat, answers))
    info_state, decision = game.known(seat)
    return game.offer(decision).keys(table_player(kind, game.machine).choose(info_state, decision, rng))


def table_player(kind: str, machine: Machine) -> Player:
    """Return the player of this kind for tables of a machine, cached for each machine. Raises PlayerError."""
    kind = table_kind(kind)
    cached = _table_players.setdefault(machine, {})
    if kind not in cached:
        cached[kind] = make_player(kind, machine, evenly=True)
    return cached[kind]


def answer_seed(game: Game, seat: int, answers: int) -> str:
    """Return the seed of the random generator for a seat's next answer. answers: number of answers that it has given
    before."""
    return f"{game.seed} {seat} {answers}"
