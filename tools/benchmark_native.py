"""Native code, the machine, OpenSpiel and C side by side: `python tools/benchmark_native.py [--rounds N]`.

With `--against`, a folder or a commit, native code of another checkout is set beside that of this one instead: each
plays in a process of its own, in turns, its own edition of the games.

Prints games and decisions a second of random play on one core, games as best and median of several rounds taken in
turn; how many times OpenSpiel's that is, where `open_spiel` is installed; how many times as quick Wild Cards is by hand
in C (`wild_cards.c`), where there is a `cc`; and how long it takes to make native code. Times are of the processor:
what else runs on a computer counts less so.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmark_simulate import compiled
from checkouts import CHECKOUT, checkout
from rulewright.game import library
from rulewright.game.setup import check_options
from rulewright.program.decision_pipeline import decision_blocks
from rulewright.program.form import Setting
from rulewright.program.rollout_pipeline import whole_game_blocks
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import Bulk, emit
from rulewright.runtime.native.engine import Instance
from rulewright.runtime.native.executor import IN_BULK, STEP_BY_STEP
from rulewright.runtime.rng import fractions

GOOFSPIEL = Path(__file__).parent.parent / "tests" / "games" / "goofspiel.yaml"
OPEN_SPIEL = "goofspiel(num_cards=13,players=2,points_order=random,imp_info=False)"
IN_TURN = f"turn_based_simultaneous_game(game={OPEN_SPIEL})"
ROLLOUTS = 4000
IN_C = "by hand in C"
AGAINST = (
    ("Goofspiel, 13 cards", str(GOOFSPIEL), 2, 100_000),
    ("Wild Cards 2022", "wild-cards/2022", 4, 20_000),
    ("Wildlife 2002", "wildlife/2002", 4, 50),
)
"""Games that two checkouts play: for each a title, an edition, seats, and games in a round."""

Play = Callable[[int], int]
"""Plays games from a seed on, and gives how many."""


@cache
def machine_of(edition: str, seats: int, selection: tuple[tuple[str, str], ...] = ()) -> Machine:
    """Return the machine of an edition. selection: options and their choices; the others have their usual ones."""
    rules = library.load(edition)
    choices = check_options(rules, dict(selection))
    options = tuple(option.choices.index(choices[name]) for name, option in rules.edition.options.items())
    return rules.machine(seats, Setting((-1,) * seats, options))


def of_rules(edition: str, seats: int, few: int, many: int) -> dict[str, Play]:
    """Return players of an edition by name. few, many: games that the machine and native code play in a round."""
    machine = machine_of(edition, seats)
    native = Bulk(machine.program)
    return {
        "machine": lambda seed: by_machine(machine, seed, few),
        "native": lambda seed: len(native.games(machine.new(0), range(seed, seed + many))),
    }


def by_machine(machine: Machine, seed: int, games: int) -> int:
    """Play random games inside the machine; return their number."""
    chance = fractions(seed)
    for number in range(seed, seed + games):
        machine.play_out(machine.new(number), chance)
    return games


def decisions(edition: str, seats: int) -> float:
    """Return the mean number of decisions in a game."""
    machine = machine_of(edition, seats)
    return statistics.fmean(game.decisions for game in Bulk(machine.program).games(machine.new(0), range(200)))


def of_open_spiel() -> dict[str, Play]:
    """Return OpenSpiel's players of Goofspiel by name; none, with a word about it, where it is not installed."""
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
    """Play 100 random games of OpenSpiel in a loop of Python; return their number."""
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
    """Let OpenSpiel judge the first decision by random rollouts; return their number."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    evaluator = spiel.RandomRolloutEvaluator(ROLLOUTS, seed)
    spiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, seed, False).step(state)
    return ROLLOUTS


def in_c(folder: str, games: int) -> dict[str, Play]:
    """Compile a program in C into a folder, and return it by name: it plays Wild Cards for four. {} without `cc`."""
    if shutil.which("cc") is None:
        print("C is left out: there is no compiler 'cc'.")
        return {}
    command = compiled(folder)

    def play(seed: int) -> int:
        subprocess.run([command, str(games), str(seed)], check=True, stdout=subprocess.DEVNULL)
        return games

    return {IN_C: play}


def processor_seconds() -> float:
    """The processor's time of this process and of those that it has waited for, in seconds."""
    of_children = os.times()  # which is too coarse for what plays quickly here
    return time.process_time() + of_children.children_user + of_children.children_system


def measured(plays: Mapping[str, Play], rounds: int) -> dict[str, list[float]]:
    """Let all play in turns; return the games a second of each in every round."""
    results: dict[str, list[float]] = {name: [] for name in plays}
    for number in range(rounds):
        for name, play in plays.items():
            start = processor_seconds()
            count = play(10_000 * number)
            results[name].append(count / (processor_seconds() - start))
    return results


def print_table(title: str, results: Mapping[str, list[float]], per_game: float) -> None:
    """Print games and decisions a second, and how they compare with native code. per_game: decisions in a game."""
    print(f"{title}, random play, {per_game:,.0f} decisions a game; games a second, decisions a second")
    for name, values in results.items():
        print(f"{max(values):>14,.0f} ({statistics.median(values):,.0f}) {max(values) * per_game:>14,.0f} {name}")
    for name in results:
        if name.startswith("OpenSpiel"):
            print(f"{max(results['native']) / max(results[name]):>14,.1f} times {name}")
        elif name == IN_C:
            print(f"{max(results[name]) / max(results['native']):>14,.1f} times as quick as native code is C")


def print_compiling(edition: str, seats: int) -> None:
    """Print how long it takes to make native code of a program, stage by stage: for bulk play, and for play that stops
    at decisions."""
    rules, program = library.load(edition), machine_of(edition, seats).program
    exports = {"whole games": IN_BULK, "games step by step": STEP_BY_STEP}
    print(f"Making native code of {rules.edition.full_title()}, {seats} seats")
    for kind, names in exports.items():
        stages: list[tuple[float, float, float]] = []
        for _ in range(5):
            start = time.process_time()
            blocks = whole_game_blocks(program) if kind == "whole games" else decision_blocks(program, telling=False)
            simplified = time.process_time()
            binary, _ = emit.emit_module(program, blocks, (), names)
            started_at = time.process_time()
            Instance(binary)
            stages.append((simplified - start, started_at - simplified, time.process_time() - started_at))
        quickest = [1000 * min(times) for times in zip(*stages, strict=True)]
        text = "{:,.1f} ms simplifying the program, {:,.1f} ms writing WebAssembly, {:,.1f} ms compiling that"
        print(f"{sum(quickest):>14,.1f} ms {kind}: {text.format(*quickest)}")


@contextmanager
def playing(code: Path, edition: str, seats: int) -> Iterator[Callable[[int, int], tuple[float, float]]]:
    """Yield a function that plays so many games from a seed on in native code of a checkout, and returns games and
    decisions a second."""
    command = [sys.executable, str(CHECKOUT / "tools" / "native_apart.py"), str(code), edition, str(seats)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        question, text = process.stdin, process.stdout

        def play(seed: int, games: int) -> tuple[float, float]:
            print(seed, games, file=question, flush=True)
            if not (line := text.readline()):
                raise SystemExit(f"The code of {code} does not play {edition}.")
            seconds, decisions = map(float, line.split())
            return games / seconds, decisions / seconds

        yield play
        question.close()


def print_side_by_side(other: str, rounds: int) -> None:
    """Print the speed of native code of another checkout beside this one's."""
    with checkout(other) as existing:
        for title, edition, seats, games in AGAINST:
            results: list[list[tuple[float, float]]] = []
            with ExitStack() as stack:
                plays = [stack.enter_context(playing(code, edition, seats)) for code in (CHECKOUT, existing)]
                for play in plays:
                    play(0, games)  # what is made once is made
                for number in range(rounds):
                    results.append([play(10_000 * number, games) for play in plays])
            print(f"{title}, {seats} seats, random play in native code, games a second, decisions a second")
            for name, rates in zip(("here", other), zip(*results, strict=True), strict=True):
                both = zip(*rates, strict=True)  # games, decisions
                print(*(f"{max(values):>14,.0f} ({statistics.median(values):,.0f})" for values in both), name)
            for place, kind in enumerate(("games", "decisions")):
                times = [here[place] / before[place] for here, before in results]
                print(f"{statistics.median(times):>14,.2f} times as many {kind} here, in the median of {rounds} rounds")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--against", default="", metavar="CHECKOUT", help="a folder, or a commit, to compare with")
    arguments = parser.parse_args()
    if arguments.against:
        print_side_by_side(arguments.against, arguments.rounds)
        return
    goofspiel = {**of_rules(str(GOOFSPIEL), 2, 50, 10_000), **of_open_spiel()}
    print_table("Goofspiel, 13 cards, 2 seats", measured(goofspiel, arguments.rounds), decisions(str(GOOFSPIEL), 2))
    with tempfile.TemporaryDirectory() as folder:
        for title, edition, few, many, peers in (
            ("Wild Cards 2022", "wild-cards/2022", 50, 20_000, in_c(folder, 60_000)),
            ("Wildlife 2002", "wildlife/2002", 2, 50, {}),
        ):
            result = measured({**of_rules(edition, 4, few, many), **peers}, arguments.rounds)
            print_table(f"{title}, 4 seats", result, decisions(edition, 4))
    print_compiling("wild-cards/2022", 4)


if __name__ == "__main__":
    main()
