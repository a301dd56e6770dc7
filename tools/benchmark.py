"""Speed of the machine: `python tools/benchmark.py [EDITION…] [--seats N] [--games N] [--rounds N]`.

Prints, as best and median of several rounds taken in turn: games and decisions a second of random play, inside the
machine and through asked and answered decisions; the time of a clone; how long games are; and, to compare machines,
the time of a plain loop.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulewright.game import library
from rulewright.program.form import Setting
from rulewright.program.state_layout import ROUND
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import clone

MOST_DECISIONS = 25_000  # in a round of measuring


def played_out(machine: Machine, seeds: range) -> int:
    """Play whole games inside the machine; return the number of games."""
    chance = random.Random(seeds[0]).random
    for seed in seeds:
        machine.play_out(machine.new(seed), chance)
    return len(seeds)


def asked_and_answered(machine: Machine, seeds: range) -> int:
    """Play whole games at random, every decision asked and answered; return the number of decisions."""
    decisions = 0
    chance = random.Random(seeds[0]).random
    for seed in seeds:
        state = machine.new(seed)
        question = machine.run(state)
        while question:
            decisions += len(question)
            for decision in question:
                answer = machine.random_answer(state, decision, chance)
                machine.answer(state, decision, answer)
            question = machine.run(state)
    return decisions


def cloned(machine: Machine, seeds: range) -> int:
    """Clone a state at its first decision; return the number of clones."""
    state = machine.new(seeds[0])
    machine.run(state)
    for _ in range(10_000):
        clone(state)
    return 10_000


def looped(machine: Machine, seeds: range) -> int:
    """Add in a plain loop; return the number of additions."""
    total = 0
    for number in range(200_000):
        total += number
    return 200_000


def measured(work: Callable[[Machine, range], int], machine: Machine, seeds: range) -> float:
    """Return how many of the things that some work counts were done a second."""
    start = time.perf_counter()
    count = work(machine, seeds)
    return count / (time.perf_counter() - start)


@dataclass(frozen=True)
class Length:
    """Lengths of random games: the decisions of each, and its rounds."""

    decisions: list[int]
    rounds: list[int]


def lengths(machine: Machine, games: int) -> Length:
    """Play random games to tell how long they are; rounds are counted in games of their own."""
    decisions, rounds = [], []
    for seed in range(games):
        state = machine.new(seed)
        decisions.append(asked_and_answered(machine, range(seed, seed + 1)))
        machine.play_out(state, random.Random(seed).random)
        rounds.append(state[ROUND])
    return Length(decisions, rounds)


def spread(numbers: Sequence[int]) -> str:
    """Return the median of numbers, the least and the greatest as text."""
    return f"{statistics.median(numbers):,.0f} ({min(numbers):,} to {max(numbers):,})"


def measure(edition: str, seats: int, games: int, rounds: int) -> None:
    """Measure an edition and print its speed and length."""
    rules = library.load(edition)
    seats = min(max(seats, rules.edition.seats[0]), rules.edition.seats[1])
    options = tuple(option.default for option in rules.edition.options.values())
    machine = rules.machine(seats, Setting((-1,) * seats, options))
    length = lengths(machine, games)
    per_game = statistics.mean(length.decisions)
    in_a_round = range(max(1, min(games, round(MOST_DECISIONS / per_game))))
    rows = {
        "games a second, played out inside the machine": played_out,
        "decisions a second, asked and answered": asked_and_answered,
        "clones a second": cloned,
        "additions a second in a Python loop": looped,
    }
    results: dict[str, list[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, work in rows.items():
            results[name].append(measured(work, machine, in_a_round))
    question = max(results["decisions a second, asked and answered"])
    played = max(results["games a second, played out inside the machine"])
    print(f"{rules.edition.full_title()}, {seats} seats, random play, one core; best (median) of {rounds}")
    for name, values in results.items():
        print(f"{max(values):>14,.1f} ({statistics.median(values):,.1f}) {name}")
    print(f"{question / per_game:>14,.1f} games a second, asked and answered")
    print(f"{played * per_game:>14,.0f} decisions a second, played out")
    print(f"{1e6 / max(results['clones a second']):>14.2f} µs for a clone")
    print(f"decisions in a game: {spread(length.decisions)}; rounds: {spread(length.rounds)}; {games} games")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("editions", nargs="*", default=["wild-cards/2022", "wildlife/2002"], metavar="EDITION")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, default=100, help="in each round at most, and to tell how long they are")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    for edition in arguments.editions:
        measure(edition, arguments.seats, arguments.games, arguments.rounds)


if __name__ == "__main__":
    main()
