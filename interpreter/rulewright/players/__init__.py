"""Players that are no people: each is given what its seat knows, and sees no more."""

from __future__ import annotations

import re
from random import Random
from typing import Protocol
from weakref import WeakKeyDictionary

from rulewright.diagnostics import RulewrightError
from rulewright.game import Game
from rulewright.languages.speech import meant, phrase
from rulewright.machine import Asked, Machine
from rulewright.players.greedy import GreedyPlayer
from rulewright.players.random import RandomPlayer
from rulewright.players.search import Budget, SearchPlayer
from rulewright.state import State

__all__ = [
    "KINDS",
    "Player",
    "PlayerError",
    "at_a_table",
    "by_the_clock",
    "check_kind",
    "choose",
    "luck",
    "player",
    "tries",
]

KINDS = ("random", "greedy", "search")
ITERATIONS = 1000  # of 'search', where nothing else is said
AT_A_TABLE = "search-700ms"  # 'search' where people wait
MOST_ITERATIONS = 1_000_000
MOST_MILLISECONDS = 600_000


class PlayerError(RulewrightError):
    """A kind of player that there is not."""


class Player(Protocol):
    """Answers for any seat of the games of one machine. Equal sights and states of `rng` give equal answers, unless it
    thinks by the clock."""

    def choose(self, sight: State, asked: Asked, rng: Random) -> list[int]:
        """Some of the candidates, from `least` to `most` of them, in their order.

        sight: what the seat that is asked knows, as `knowledge.sight` gives it.
        """


def player(kind: str, machine: Machine) -> Player:
    """A player for games of that machine.

    kind: 'random', 'greedy', 'search', or that with a budget for each decision: 'search-500' tries so many answers out,
    'search-800ms' thinks so long. Raises PlayerError.
    """
    name, budget = _read(kind)
    if name == "search":
        return SearchPlayer(machine, budget)
    return GreedyPlayer(machine) if name == "greedy" else RandomPlayer(machine)


def check_kind(kind: str) -> str:
    """The kind, if there are such players. Raises PlayerError."""
    _read(kind)
    return kind


def _read(kind: str) -> tuple[str, Budget]:
    name, dash, amount = kind.partition("-")
    if name not in KINDS:
        raise PlayerError(
            phrase(
                "errors",
                "There is no kind of player '{kind}'. {hint} Kinds: {kinds}.",
                kind=kind,
                hint=meant(kind, KINDS),
                kinds=", ".join(KINDS),
            )
        )
    if not dash:
        return name, Budget(iterations=ITERATIONS)
    if name != "search":
        slots = {"searching": "search", "name": name, "kind": kind}
        raise PlayerError(
            phrase("errors", "Only '{searching}' has a budget: write '{name}' instead of '{kind}'.", **slots)
        )
    match = re.fullmatch(r"([0-9]{1,20})(ms)?", amount)
    if match is None:
        raise PlayerError(
            phrase(
                "errors",
                "'{kind}' does not say how long to search. Write '{tries}' for 500 tries at each decision, or '{time}' "
                "for 800 milliseconds.",
                kind=kind,
                tries="search-500",
                time="search-800ms",
            )
        )
    number, most = int(match[1]), MOST_MILLISECONDS if match[2] else MOST_ITERATIONS
    if not 1 <= number <= most:
        tries = phrase(
            "errors", "'{kind}': a search may take from 1 to {most} tries at each decision.", kind=kind, most=most
        )
        time = phrase(
            "errors",
            "'{kind}': a search may take from 1 to {most} milliseconds at each decision.",
            kind=kind,
            most=most,
        )
        raise PlayerError(time if match[2] else tries)
    return name, Budget(milliseconds=number) if match[2] else Budget(iterations=number)


def by_the_clock(kind: str) -> bool:
    """Whether such a player thinks for so long, not so much: its answers depend on the computer. Raises PlayerError."""
    return _read(kind)[1].milliseconds is not None


def at_a_table(kind: str) -> str:
    """The same kind of player where people wait for it."""
    return AT_A_TABLE if kind == "search" else kind


def tries(kind: str) -> int:
    """About how many games such a player tries out, if only in part, at each decision: the most that it could, where it
    thinks by the clock. Raises PlayerError."""
    name, budget = _read(kind)
    return {"random": 0, "greedy": 5}.get(name, budget.iterations)


_at_tables: WeakKeyDictionary[Machine, dict[str, Player]] = WeakKeyDictionary()


def choose(kind: str, game: Game, seat: int, answers: int) -> list[str]:
    """The answer of a player of that kind to what a seat is asked, as keys.

    answers: how many the seat has given before. Seed, seat and that number fix the player's luck: a game
    that was saved and resumed goes on like one that never stopped. Raises PlayerError.
    """
    kind = at_a_table(kind)
    made = _at_tables.setdefault(game.machine, {})
    if kind not in made:
        made[kind] = player(kind, game.machine)
    rng = Random(luck(game, seat, answers))
    sight, asked = game.known(seat)
    return game.keys(asked, made[kind].choose(sight, asked, rng))


def luck(game: Game, seat: int, answers: int) -> str:
    """What fixes a player's chance at a seat's next answer. answers: how many it has given before."""
    return f"{game.seed} {seat} {answers}"
