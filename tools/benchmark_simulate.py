"""`simulate` beside a program in C: `python tools/benchmark_simulate.py [--games N] [--rounds N] [--memory]`.

Runs, in turn and as somebody types them, a simulation of Wild Cards 2022 (four seats, all random, one process) with its
tables and its report, the same game by hand in C (`wild_cards.c`, compiled by `cc`), a simulation of a hundred games,
and a Python that does nothing. Times are of the processor, of all that a command starts, its beginning included:
nothing is taken off. Of several rounds the quickest counts. `--memory` runs one, two and four times as many games
instead, and tells the most memory that each needed.

What `simulate` works out once of an edition stays in its cache: a round before the first one fills that.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

HERE = Path(__file__).parent
SIMULATE = [sys.executable, "-m", "rulewright", "simulate", "wild-cards/2022", "--processes", "1", "--quiet"]
FEW = 100


def ran(command: Sequence[str]) -> tuple[float, float]:
    """The processor's time of a command, in seconds, and the most memory of its process, in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}.")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def simulated(games: int) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        return ran([*SIMULATE, "--games", str(games), "--out", f"{folder}/run"])


def compared(games: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        peer = f"{folder}/wild_cards"
        subprocess.run(["cc", "-O3", "-march=native", "-o", peer, str(HERE / "wild_cards.c")], check=True)
        simulated(FEW)
        runs: dict[str, Callable[[], float]] = {
            "in C": lambda: ran([peer, str(games)])[0],
            "simulate": lambda: simulated(games)[0],
            f"simulate --games {FEW}": lambda: simulated(FEW)[0],
            "an empty Python": lambda: ran([sys.executable, "-c", "pass"])[0],
        }
        found: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(rounds):
            for name, run in runs.items():
                found[name].append(run())
    best = {name: min(times) for name, times in found.items()}
    print(f"Wild Cards 2022, 4 seats, random, one process; the quickest of {rounds}, in seconds of the processor")
    for name, seconds in best.items():
        print(f"{seconds:>12,.3f} {name}")
    few = best[f"simulate --games {FEW}"] / best["an empty Python"]
    print(f"{best['simulate'] / best['in C']:>12,.1f} times as long as C for {games:,} games")
    print(f"{few:>12,.0f} times an empty Python for {FEW} games and their report")


def remembered(games: int) -> None:
    print("The most memory of a simulation, in MB")
    for count in (games, 2 * games, 4 * games):
        print(f"{simulated(count)[1]:>12,.0f} {count:,} games", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true")
    arguments = parser.parse_args()
    if arguments.memory:
        remembered(arguments.games)
    else:
        compared(arguments.games, arguments.rounds)


if __name__ == "__main__":
    main()
