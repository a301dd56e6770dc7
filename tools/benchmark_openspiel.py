"""Games that are held against OpenSpiel, side by side with it: `python tools/benchmark_openspiel.py [GAME…]`.

Prints random games a second on one core, in one run, and the decisions a second behind them: of the machine, of native
code, of OpenSpiel from a loop in Python and of its rollouts in C++, each the best of several rounds taken in turn; how
many decisions a game has, here and there; and how many times as many decisions a second native code takes as each of
the latter two. Each has played before it is timed, as what is translated when it is first needed is no
part of a game. Times are of the processor. OpenSpiel has no rollouts of games that reward on the way.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspiel

TESTS = Path(__file__).parent.parent / "tests"
sys.path.insert(0, str(TESTS / "shared"))

from benchmark_native import by_machine, machine_of  # noqa: E402
from name_arguments import one_of  # noqa: E402
from pairings import PAIRINGS  # noqa: E402
from rulewright.runtime.native import Bulk  # noqa: E402

Play = Callable[[int, int], None]
"""Plays so many games, from a seed on."""

WARMING, MOST_WARMING = 1.0, 100  # seconds, or games
LENGTHS = 40  # games of which the decisions are counted

COLUMNS = ("machine", "native code", "OpenSpiel, Python", "OpenSpiel, C++")


def plays(name: str) -> tuple[tuple[Play | None, ...], tuple[float, float]]:
    """Return a row in the order of the columns, and the number of decisions in a game, here and there."""
    pairing = PAIRINGS[name]
    game: Any = pyspiel.load_game(pairing.theirs)
    in_turn: Any = (
        pyspiel.load_game(f"turn_based_simultaneous_game(game={pairing.theirs}())") if at_once(game) else game
    )
    options = tuple((pairing.options or {}).items())
    machine = machine_of(str(TESTS / "openspiel" / pairing.edition), game.num_players(), options)
    native = Bulk(machine.program)
    results = (
        lambda seed, count: ignored(by_machine(machine, seed, count)),
        lambda seed, count: ignored(len(native.games(machine.new(0), range(seed, seed + count)))),
        lambda seed, count: ignored(in_a_loop(game, seed, count)),
        (lambda seed, count: in_rollouts(in_turn, seed, count)) if rewards_last(game) else None,
    )
    own = sum(one.decisions for one in native.games(machine.new(0), range(LENGTHS))) / LENGTHS
    return results, (own, in_a_loop(game, 0, LENGTHS) / LENGTHS)


def ignored(_: int) -> None:
    """Drop a result."""


def at_once(game: Any) -> bool:
    """Return whether players of a game of OpenSpiel decide at the same time."""
    return bool(game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS)


def rewards_last(game: Any) -> bool:
    """Return whether a game of OpenSpiel rewards only at its end."""
    return bool(game.get_type().reward_model == pyspiel.GameType.RewardModel.TERMINAL)


def in_a_loop(game: Any, seed: int, count: int) -> int:
    """Play so many random games of OpenSpiel; return the number of the players' decisions."""
    chance, decisions = random.Random(seed).random, 0
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_simultaneous_node():
                legal = [state.legal_actions(player) for player in range(game.num_players())]
                state.apply_actions([actions[int(chance() * len(actions))] for actions in legal])
                decisions += len(legal)
            else:
                actions = state.legal_actions()
                decisions += not state.is_chance_node()
                state.apply_action(actions[int(chance() * len(actions))])
    return decisions


def in_rollouts(game: Any, seed: int, count: int) -> None:
    """Let OpenSpiel judge the first decision by so many random rollouts."""
    state = game.new_initial_state()
    chance = random.Random(seed)
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    evaluator = pyspiel.RandomRolloutEvaluator(count, seed)
    pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, seed, False).step(state)


def warm(play: Play | None) -> None:
    """Play until everything that a game needs has been translated, as far as can be told: for a second."""
    begin = time.process_time()
    for seed in range(MOST_WARMING if play else 0):
        assert play is not None
        play(seed, 1)
        if time.process_time() - begin > WARMING:
            break


def rate(play: Play | None, seconds: float, seed: int) -> float:
    """Play for at least so many seconds; return games a second, or NaN where there is no such play."""
    count = 1
    while play:
        start = time.process_time()
        play(seed, count)
        took = time.process_time() - start
        if took >= seconds:
            return count / took
        count *= 2 if took > seconds / 8 else 8
    return math.nan


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "games", nargs="*", type=one_of(PAIRINGS), metavar="GAME", help="as OpenSpiel calls it; all, if left out"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2, help="that each round takes at least")
    arguments = parser.parse_args()
    print(f"| games (decisions) a second | decisions | {' | '.join(COLUMNS)} | times Python | times C++ |")
    print(f"|---|{'---|' * (len(COLUMNS) + 3)}")
    for name in arguments.games or PAIRINGS:
        every, lengths = plays(name)
        for play in every:
            warm(play)
        rounds = [
            [rate(play, arguments.seconds, 10_000 * number) for play in every] for number in range(arguments.rounds)
        ]
        best = [max(found) for found in zip(*rounds, strict=True)]
        first, second = lengths
        decisions = [rate * length for rate, length in zip(best, (first, first, second, second), strict=True)]
        lines = [f"{first:,.0f}, {second:,.0f}"]
        lines += [f"{games:,.0f} ({taken:,.0f})" for games, taken in zip(best, decisions, strict=True)]
        lines += [f"{decisions[1] / other:,.1f}" for other in decisions[2:]]
        lines = ["–" if "nan" in number else number for number in lines]
        print(f"| {name} | {' | '.join(lines)} |", flush=True)


if __name__ == "__main__":
    main()
