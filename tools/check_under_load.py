"""Run the whole check again and again while other processes keep the cores busy: `python3 tools/check_under_load.py`.

    python3 tools/check_under_load.py                  ten runs, with a busy process for each core
    python3 tools/check_under_load.py --runs 3 --busy 4 -- tests/server

A test that fails on a busy machine has a race: it waits for a time instead of an event, or two of its parts share
something. Each run of the whole check takes the next turn of the slow tests, so that ten runs try nearly all. A run
prints one line: whether it passed, how long it took, and which tests failed; what a failed run said is kept in a file
beside. Exit status 1 if any run failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Sequence

import verify
from start import ROOT

FAILED = re.compile(r"(?m)^(?:FAILED|ERROR) (\S+)|^Failed: (.*)$")


def spin() -> None:
    """Use a core until the process is ended."""
    while True:
        pass


@contextmanager
def busy(number: int) -> Iterator[None]:
    """Keep `number` processes busy meanwhile."""
    spinning = [multiprocessing.Process(target=spin, daemon=True) for _ in range(number)]
    for process in spinning:
        process.start()
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.join()


def failures(output: str) -> list[str]:
    """Return the tests and steps that a run names as failed, each once."""
    return sorted({test or step for test, step in FAILED.findall(output)})


def main(arguments: Sequence[str]) -> int:
    """Run the check several times; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10, help="how often; 10 without this")
    parser.add_argument("--busy", type=int, default=multiprocessing.cpu_count(), help="busy processes; one a core")
    parser.add_argument("check", nargs="*", help="what tools/verify.py is given, after --")
    choice = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="check-under-load-"))
    failed = 0
    with busy(choice.busy):
        for run in range(1, choice.runs + 1):
            start = time.monotonic()
            check = choice.check or ["--rotation", str(verify.rotation() + run)]
            command = [sys.executable, str(ROOT / "tools" / "verify.py"), *check]
            done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            output = done.stdout.decode("utf-8", "replace")
            result = "passed" if done.returncode == 0 else f"failed: {', '.join(failures(output)) or 'see the output'}"
            if done.returncode:
                failed += 1
                stored = folder / f"run-{run}.txt"
                stored.write_text(output, encoding="utf-8")
                result += f" ({stored})"
            print(f"run {run} of {choice.runs}: {time.monotonic() - start:.0f} s, {result}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
