"""Check the project: `python3 tools/verify.py [ROOM…] [--failed]`.

    python3 tools/verify.py                  everything: lint, format, types, of the pages too, translations, and the
                                             tests; of the slow ones another part for each commit
    python3 tools/verify.py game players     lint, format, types, and all tests of these rooms
    python3 tools/verify.py --failed         lint, format, types, and the tests that failed last
    python3 tools/verify.py --prepare        nothing yet: what the check needs is set up
    python3 tools/verify.py --release        everything, all slow tests too, and fails unless all texts are translated
    python3 tools/verify.py game -k undo     what follows the first option goes to pytest, and so do paths

All steps run, whatever fails before; types and translations beside the tests. Exit status 1 if anything failed, 2 for a
room that there is not, and if the environment could not be set up.
"""

from __future__ import annotations

import difflib
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Sequence

from bundle_pages import TOOLS, tool
from start import ROOT, command, prepare, prepare_pages

LINT = [
    ["ruff", "check"],
    ["ruff", "format", "--check"],
    ["mypy", *(["--cache-dir", os.devnull] if os.environ.get("CI") else [])],  # nobody checks that clone again
]
PAGE_FOLDERS = [*(f"interpreter/rulewright/{room}/page" for room in ("server", "workbench")), "tools/page"]
PAGES = [
    ["tsc", "--project", "tools/page"],
    ["tsc", "--project", "tools/page/worker"],
    [
        "biome",
        "ci",
        "--config-path=tools/page/lint.json",
        "--error-on-warnings",
        "interpreter/rulewright",
        "tools/page",
    ],
]
CATALOGS = ["python", "tools/check_catalogs.py"]
RELEASE = "--release"
"""Everything, with what must hold before a version is published: all texts are translated. Until then a text that has
changed is counted and shown, and fails nothing: whoever changes it need not speak five languages."""
TESTS = ["pytest", "-n", "auto"]
ROTATIONS = 60
"""A multiple of all numbers of rounds in which slow tests take turns."""
SHARED_CACHE = "RULEWRIGHT_CHECK_CACHE"
"""Environment variable: a folder of compiled editions, for all steps of one run."""
CHOOSES = ("-k", "--long", "--rotation", RELEASE)
"""Options with which every slow test runs that they leave."""


class UnknownRoom(Exception):
    """Somebody asked for the tests of a room that there is not; the text says so."""


def rooms(root: Path = ROOT) -> list[str]:
    """Return the rooms with tests: the package's, 'editions' for whole games, 'project' for what holds it together."""
    return sorted({file.parent.name for file in (root / "tests").glob("*/test_*.py")})


def rotation(root: Path = ROOT) -> int:
    """Return which part of the slow tests is due: another one for each commit, 0 outside a repository."""
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    try:
        return (
            int(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout, 16)
            % ROTATIONS
        )
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0


def failed_last(root: Path = ROOT) -> list[str]:
    """The files, as far as they are there, with tests that failed the last time that they ran."""
    try:
        failed = json.loads((root / ".pytest_cache/v/cache/lastfailed").read_text(encoding="utf-8"))
        files = {str(test).partition("::")[0] for test in failed}
    except (OSError, ValueError, TypeError):
        return []
    return sorted(file for file in files if (root / file).is_file())


def steps(arguments: Sequence[str], root: Path = ROOT) -> list[list[str]]:
    """The commands, pytest the last. Raises UnknownRoom."""
    first_option = next((at for at, argument in enumerate(arguments) if argument.startswith("-")), len(arguments))
    names, rest = list(arguments[:first_option]), list(arguments[first_option:])
    if "--failed" in rest:
        rest.remove("--failed")
        within = tuple(folder_of(name, root) for name in names)
        failed = [file for file in failed_last(root) if file.startswith(within or "")]
        return [*LINT, *PAGES, [*TESTS, *failed, *rest, "--last-failed"]] if failed else [*LINT, *PAGES]
    if not names:
        catalogs = [*CATALOGS, "--complete"] if RELEASE in rest else CATALOGS
        due = [] if any(option in CHOOSES for option in rest) else ["--rotation", str(rotation(root))]
        return [*LINT, *PAGES, catalogs, [*TESTS, *due, *(option for option in rest if option != RELEASE)]]
    return [*LINT, *PAGES, [*TESTS, *(folder_of(name, root) for name in names), *rest]]


def folder_of(name: str, root: Path) -> str:
    """The tests of a room; a path as it is. Raises UnknownRoom."""
    if (root / "tests" / name).is_dir() and name in rooms(root):
        return f"tests/{name}"
    if (root / name.partition("::")[0]).exists():
        return name
    near = difflib.get_close_matches(name, rooms(root), 1)
    hint = f"Did you mean '{near[0]}'?" if near else f"There are {', '.join(rooms(root))}."
    raise UnknownRoom(f"There is no room '{name}'. {hint}")


def succeeds(step: Sequence[str]) -> bool:
    """Run a step under a heading."""
    print(f"\n== {' '.join(step)} ==", flush=True)
    return subprocess.call(words_of(step), cwd=ROOT) == 0


def words_of(step: Sequence[str]) -> list[str]:
    """Return a step as a command: of this environment, or of npm's packages."""
    name, *arguments = step
    return [*(tool(ROOT, name) if name in TOOLS else [command(ROOT, name)]), *arguments]


def run_step(step: Sequence[str]) -> tuple[bool, str]:
    """Run a step; return whether it succeeds, and its output."""
    done = subprocess.run(words_of(step), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode == 0, done.stdout.decode("utf-8", "replace")


def failures(expected: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """Run the steps; those that failed. Tests wait for browsers and servers now and then, so all but what is quick runs
    beside them; what it says comes behind what they say."""
    neighbours = [step for step in expected if step[0] not in ("ruff", "pytest")]
    failed = []
    with ThreadPoolExecutor(1) as pool:
        later = [pool.submit(run_step, step) for step in neighbours]
        try:
            failed += [step for step in expected if step not in neighbours and not succeeds(step)]
            for step, result in zip(neighbours, later):
                succeeded, text = result.result()
                print(f"\n== {' '.join(step)} ==\n{text}", end="", flush=True)
                failed += [] if succeeded else [step]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return failed


def main(arguments: Sequence[str]) -> int:
    """Set up, run every step, and name the failed ones; the exit status."""
    if "-h" in arguments or "--help" in arguments:
        print(__doc__)
        return 0
    try:
        expected = [] if list(arguments) == ["--prepare"] else steps(arguments)
    except UnknownRoom as unknown:
        print(unknown, file=sys.stderr)
        return 2
    prepare(ROOT, "dev")
    prepare_pages(ROOT, tools=True)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # the tests start commands by the hundred
    try:
        with tempfile.TemporaryDirectory(prefix="rulewright-check-") as folder:
            os.environ[SHARED_CACHE] = folder
            failed = [" ".join(step) for step in failures(expected)]
    except KeyboardInterrupt:
        return 130
    if "--failed" in arguments and expected == [*LINT, *PAGES]:
        print("\nNo test failed the last time.")
    if failed:
        print(f"\nFailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
