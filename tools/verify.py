"""Check the whole project: `python3 tools/verify.py`.

Lint, format, types, translations and tests, one after the other; all of them run, whatever fails before. Further
arguments go to pytest. Exit status 1 if anything failed, 2 if the environment could not be set up.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Sequence

from start import ROOT, command, prepare


def steps(pytest_arguments: Sequence[str]) -> list[list[str]]:
    """The commands; pytest is the last, so that its summary ends the output."""
    return [
        ["ruff", "check"],
        ["ruff", "format", "--check"],
        ["mypy"],
        ["rulewright", "locale", "update", "--check"],
        ["rulewright", "locale", "check"],
        ["rulewright", "locale", "status", "--complete"],
        ["pytest", "-n", "auto", "--dist", "worksteal", *pytest_arguments],  # on all cores
    ]


def succeeds(step: Sequence[str]) -> bool:
    """Run a step under a heading."""
    tool, *arguments = step
    print(f"\n== {' '.join(step)} ==", flush=True)
    return subprocess.call([command(ROOT, tool), *arguments], cwd=ROOT) == 0


def main(pytest_arguments: Sequence[str]) -> int:
    """Set up, run every step, and name the failed ones; the exit status."""
    prepare(ROOT, "dev")
    try:
        failed = [" ".join(step) for step in steps(pytest_arguments) if not succeeds(step)]
    except KeyboardInterrupt:
        return 130
    if failed:
        print(f"\nFailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
