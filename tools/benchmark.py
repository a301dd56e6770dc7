"""How fast the machine is: `python tools/benchmark.py [EDITION] [--seats N] [--games N] [--rounds N]`.

Prints, as best and median of several rounds taken in turn: games and decisions a second of random play, inside the
machine and through asked and answered decisions; the time of a clone; and, to compare machines, that of a plain loop.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from rulewright import library
from rulewright.compiler import Setting
from rulewright.machine import Machine
from rulewright.operations import pick
from rulewright.state import clone


def played_out(machine: Machine, seeds: range) -> int:
    """Whole games inside the machine. Gives the number of games."""
    chance = random.Random(seeds[0]).random
    for seed in seeds:
        machine.play_out(machine.new(seed), chance)
    return len(seeds)


def asked_and_answered(machine: Machine, seeds: range) -> int:
    """Whole games, every decision asked and answered. Gives the number of decisions."""
    decisions = 0
    chance = random.Random(seeds[0]).random
    for seed in seeds:
        state = machine.new(seed)
        asked = machine.run(state)
        while asked:
            decisions += len(asked)
            for decision in asked:
                answer = pick(chance, decision.candidates, decision.least, decision.most)
                machine.answer(state, decision, answer)
            asked = machine.run(state)
    return decisions


def cloned(machine: Machine, seeds: range) -> int:
    """Clones of a state in mid-game. Gives the number of clones."""
    state = machine.new(seeds[0])
    machine.run(state)
    for _ in range(10_000):
        clone(state)
    return 10_000


def looped(machine: Machine, seeds: range) -> int:
    """Additions in a plain loop."""
    total = 0
    for number in range(200_000):
        total += number
    return 200_000


def measured(work: Callable[[Machine, range], int], machine: Machine, seeds: range) -> float:
    """Things done a second."""
    start = time.perf_counter()
    count = work(machine, seeds)
    return count / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edition", nargs="?", default="wild-cards/2022")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=200, help="in each round")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    rules = library.load(arguments.edition)
    options = tuple(option.default for option in rules.edition.options.values())
    machine = rules.machine(arguments.seats, Setting((-1,) * arguments.seats, options))
    seeds = range(arguments.games)
    rows = {
        "games a second, played out inside the machine": played_out,
        "decisions a second, asked and answered": asked_and_answered,
        "clones a second": cloned,
        "additions a second in a Python loop": looped,
    }
    found: dict[str, list[float]] = {name: [] for name in rows}
    for name, work in rows.items():
        measured(work, machine, range(20))
        del name
    for _ in range(arguments.rounds):
        for name, work in rows.items():
            found[name].append(measured(work, machine, seeds))
    decisions = asked_and_answered(machine, seeds) / arguments.games
    print(f"{rules.title}, {arguments.seats} seats, random play, one core; best (median) of {arguments.rounds}")
    for name, values in found.items():
        print(f"{max(values):>14,.0f} ({statistics.median(values):,.0f}) {name}")
    print(
        f"{max(found['decisions a second, asked and answered']) / decisions:>14,.0f} games a second, asked and answered"
    )
    print(f"{1e6 / max(found['clones a second']):>14.2f} µs for a clone")
    print(f"{decisions:>14.1f} decisions in a game")


if __name__ == "__main__":
    main()
