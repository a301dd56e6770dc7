"""`simulate` beside C: `python tools/benchmark_simulate.py [--games N] [--rounds N] [--memory | --dask WORKERS]`.

Runs, in turn and as somebody types them, a simulation of Wild Cards 2022 (four seats, all random, one process) with its
tables and its report, the same game by hand in C (`wild_cards.c`, compiled by `cc`), a simulation of a hundred games,
and a Python that does nothing. Times are of the processor, of all that a command starts, its beginning included:
nothing is taken off. Of several rounds the quickest counts. `--memory` runs one, two and four times as many games
instead, and tells the most memory that each needed. `--dask 2` sets one process beside two local workers of Dask,
in turn: how many times as many games a second they play, by the clock, and how much more of the processor's time they
take for it, the scheduler's and the reports' included. A computer that does something else tells little by the clock.

What `simulate` works out once of an edition stays in its cache: a round before the first one fills that.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).parent
SIMULATE = [sys.executable, "-m", "rulewright", "simulate", "wild-cards/2022", "--processes", "1", "--quiet"]
FEW = 100


def ran(command: Sequence[str]) -> tuple[float, float]:
    """Run a command; return its processor's time in seconds, and the most memory of its process in MB. Exits if it
    fails."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}.")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def simulated(games: int) -> tuple[float, float]:
    """Simulate so many games; return what `ran` does."""
    with tempfile.TemporaryDirectory() as folder:
        return ran([*SIMULATE, "--games", str(games), "--out", f"{folder}/run"])


def compiled(folder: str) -> str:
    """Compile the program in C into a folder; return its path."""
    peer = f"{folder}/wild_cards"
    subprocess.run(["cc", "-O3", "-march=native", "-o", peer, str(FOLDER / "wild_cards.c")], check=True)
    return peer


def compared(games: int, rounds: int) -> None:
    """Print the times of a simulation beside those of C and of an empty Python."""
    with tempfile.TemporaryDirectory() as folder:
        peer = compiled(folder)
        simulated(FEW)
        runs: dict[str, Callable[[], float]] = {
            "in C": lambda: ran([peer, str(games)])[0],
            "simulate": lambda: simulated(games)[0],
            f"simulate --games {FEW}": lambda: simulated(FEW)[0],
            "an empty Python": lambda: ran([sys.executable, "-c", "pass"])[0],
        }
        results: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(rounds):
            for name, run in runs.items():
                results[name].append(run())
    best = {name: min(times) for name, times in results.items()}
    print(f"Wild Cards 2022, 4 seats, random, one process; the quickest of {rounds}, in seconds of the processor")
    for name, seconds in best.items():
        print(f"{seconds:>12,.3f} {name}")
    few = best[f"simulate --games {FEW}"] / best["an empty Python"]
    print(f"{best['simulate'] / best['in C']:>12,.1f} times as long as C for {games:,} games")
    print(f"{few:>12,.0f} times an empty Python for {FEW} games and their report")


def remembered(games: int) -> None:
    """Print the most memory of one, two and four times as many games."""
    print("The most memory of a simulation, in MB")
    for count in (games, 2 * games, 4 * games):
        print(f"{simulated(count)[1]:>12,.0f} {count:,} games", flush=True)


def contents(folder: str) -> dict[str, bytes]:
    """Return the tables of a run as bytes, by their files."""
    results = sorted(Path(folder).rglob("*.parquet"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in results}


def distributed(games: int, rounds: int, workers: int) -> None:
    """Print the times of one process beside local workers of Dask. Exits if their tables differ."""
    clock: dict[str, list[float]] = {"one process": [], f"{workers} workers": []}
    used: dict[str, list[float]] = {name: [] for name in clock}
    with tempfile.TemporaryDirectory() as folder, cluster(workers) as (address, duration):
        for number in range(rounds + 1):  # the first one makes everybody ready
            tables = []
            for name, more in zip(clock, ([], ["--cluster", address])):
                out = f"{folder}/{name}"
                shutil.rmtree(out, ignore_errors=True)
                command = [*SIMULATE, "--games", str(games), "--out", out, *more]
                before, start = duration(), time.monotonic()
                own, _ = ran([part for part in command if not (more and part in ("--processes", "1"))])
                if number:
                    clock[name].append(time.monotonic() - start)
                    used[name].append(own + duration() - before)
                tables.append(contents(out))
            if tables[0] != tables[1]:
                raise SystemExit("The tables are not the same.")
    print(f"Wild Cards 2022, 4 seats, random, {games:,} games, the same tables; the quickest of {rounds}, in seconds")
    for name, seconds in clock.items():
        print(f"{min(seconds):>12,.1f} by the clock, {min(used[name]):,.1f} of the processor: {name}")
    one, many = clock
    print(f"{min(clock[one]) / min(clock[many]):>12,.2f} times as many games a second")
    print(f"{100 * (min(used[many]) / min(used[one]) - 1):>12,.0f} % more of the processor's time")


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, Callable[[], float]]]:
    """Run a scheduler and workers of Dask meanwhile; yield its address, and what tells how much of the processor's time
    they all have had."""
    from distributed import LocalCluster  # noqa: PLC0415 - an extra

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as local:
        with local.get_client() as client:

            def processor_seconds() -> float:
                own = os.times()
                return float(sum(client.run(time.process_time).values())) + own.user + own.system

            yield local.scheduler_address, processor_seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--dask", type=int, metavar="WORKERS")
    arguments = parser.parse_args()
    if arguments.dask:
        distributed(arguments.games, arguments.rounds, arguments.dask)
    elif arguments.memory:
        remembered(arguments.games)
    else:
        compared(arguments.games, arguments.rounds)


if __name__ == "__main__":
    main()
