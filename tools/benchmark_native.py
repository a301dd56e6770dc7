"""Native code, the machine and OpenSpiel side by side: `python tools/benchmark_native.py [--rounds N]`.

Prints games a second of random play on one core, as best and median of several rounds taken in turn; how many times
OpenSpiel's that is, where `open_spiel` is installed; and how long it takes to make native code.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from rulewright import library
from rulewright.asking import asking
from rulewright.compiler import Setting
from rulewright.generator import fractions
from rulewright.machine import Machine
from rulewright.native import Native, emit
from rulewright.native.engine import Instance

GOOFSPIEL = Path(__file__).parent.parent / "tests" / "games" / "goofspiel.yaml"
OPEN_SPIEL = "goofspiel(num_cards=13,players=2,points_order=random,imp_info=False)"
IN_TURN = f"turn_based_simultaneous_game(game={OPEN_SPIEL})"
ROLLOUTS = 4000

Play = Callable[[int], int]
"""Plays games from a seed on, and gives how many."""


def of_rules(edition: str, seats: int) -> dict[str, Play]:
    rules = library.load(edition)
    options = tuple(option.default for option in rules.edition.options.values())
    machine = rules.machine(seats, Setting((-1,) * seats, options))
    native = Native(machine.program)
    return {"machine": lambda seed: by_machine(machine, seed), "native": lambda seed: by_native(machine, native, seed)}


def by_machine(machine: Machine, seed: int) -> int:
    chance = fractions(seed)
    for number in range(seed, seed + 50):
        machine.play_out(machine.new(number), chance)
    return 50


def by_native(machine: Machine, native: Native, seed: int) -> int:
    return len(native.games(machine.new(0), range(seed, seed + 10_000)))


def of_open_spiel() -> dict[str, Play]:
    try:
        spiel: Any = import_module("pyspiel")
    except ImportError:
        print("OpenSpiel is left out: it comes with `pip install open_spiel`.")
        return {}
    game, in_turn = spiel.load_game(OPEN_SPIEL), spiel.load_game(IN_TURN)
    return {
        "OpenSpiel, loop in Python": lambda seed: in_a_loop(game, seed),
        "OpenSpiel, rollouts in C++": lambda seed: in_rollouts(spiel, in_turn, seed),
    }


def in_a_loop(game: Any, seed: int) -> int:
    chance = random.Random(seed).random
    for _ in range(100):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
            else:
                legal = [state.legal_actions(player) for player in range(2)]
                state.apply_actions([actions[int(chance() * len(actions))] for actions in legal])
    return 100


def in_rollouts(spiel: Any, game: Any, seed: int) -> int:
    """One simulation of a search, judged by rollouts from the first decision on."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    evaluator = spiel.RandomRolloutEvaluator(ROLLOUTS, seed)
    spiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, seed, False).step(state)
    return ROLLOUTS


def measured(plays: Mapping[str, Play], rounds: int) -> dict[str, list[float]]:
    """Games a second, of each in every round."""
    found: dict[str, list[float]] = {name: [] for name in plays}
    for number in range(rounds):
        for name, play in plays.items():
            start = time.perf_counter()
            count = play(10_000 * number)
            found[name].append(count / (time.perf_counter() - start))
    return found


def told(title: str, found: Mapping[str, list[float]]) -> None:
    print(title)
    for name, values in found.items():
        print(f"{max(values):>14,.0f} ({statistics.median(values):,.0f}) {name}")
    for name in found:
        if name.startswith("OpenSpiel"):
            print(f"{max(found['native']) / max(found[name]):>14,.1f} times {name}")


def compiling(edition: str, seats: int) -> None:
    """How long it takes to make native code of a program, and what of that is simplifying it as the machine does."""
    rules = library.load(edition)
    options = tuple(option.default for option in rules.edition.options.values())
    program = rules.machine(seats, Setting((-1,) * seats, options)).program
    numbers = sorted({*(line.function for line in program.scoring), *program.ranking})
    times: dict[str, float] = {}
    for _ in range(5):
        start = time.perf_counter()
        asking(program, telling=False)
        simplified = time.perf_counter()
        text, _ = emit.emitted(program, numbers)
        emitted = time.perf_counter()
        Instance(text)
        done = time.perf_counter()
        for name, seconds in (
            ("simplifying the blocks", simplified - start),
            ("writing WebAssembly", emitted - simplified - (simplified - start)),
            ("compiling that", done - emitted),
        ):
            times[name] = min(times.get(name, seconds), seconds)
    print(f"Making native code of {rules.edition.full_title()}, {seats} seats")
    for name, seconds in times.items():
        print(f"{1000 * seconds:>14,.1f} ms {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    goofspiel = {**of_rules(str(GOOFSPIEL), 2), **of_open_spiel()}
    told("Goofspiel, 13 cards, 2 seats, random play, games a second", measured(goofspiel, arguments.rounds))
    wild_cards = of_rules("wild-cards/2022", 4)
    told("Wild Cards 2022, 4 seats, random play, games a second", measured(wild_cards, arguments.rounds))
    compiling("wild-cards/2022", 4)


if __name__ == "__main__":
    main()
