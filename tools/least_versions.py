"""Try the least versions of all dependencies that `pyproject.toml` allows: `python3 tools/least_versions.py`.

    python3 tools/least_versions.py                 try them, and note in tools/least_versions.tried what was tried
    python3 tools/least_versions.py --if-changed    only where the lines of dependencies are not those that were tried

An environment outside of the checkout gets the lowest version of each direct dependency, and runs the tests of what
each of them is for: a socket of a server, a simulation, a printed book, an editor, learners, tuning, databases. Exit
status 1 if they fail, 2 if the environment cannot be set up.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Sequence

import tomllib

from start import RESOLVER, ROOT, SetUpError, executable, install, prepare, prepare_pages, run_quietly, tell

TRIED = ROOT / "tools" / "least_versions.tried"
TESTS = {
    "the language, catalogs, commands": [
        "tests/syntax/test_schema.py",
        "tests/syntax/test_source.py",
        "tests/compiler/test_language.py",
        "tests/i18n/test_locale_commands.py",
        "tests/commands/test_cli.py",
        "tests/runtime/test_counted.py",
        "tests/terminal/test_terminal.py",
    ],
    "simulate": ["tests/simulation/test_simulation.py"],
    "serve": ["tests/server/test_serving.py", "tests/server/test_serving_log.py", "tests/server/test_serving_open.py"],
    "metrics, postgresql": ["tests/server/test_operating.py", "tests/server/test_databases.py"],
    "print": ["tests/publish/test_cards.py", "tests/publish/test_pages.py"],
    "edit": ["tests/editing/test_language_server.py"],
    "design": ["tests/workbench/test_bench.py", "tests/workbench/test_figures.py"],
    "tune": ["tests/simulation/test_tuning.py"],
    "rl, openspiel": ["tests/rl", "tests/players/test_policies.py"],
    "cluster": ["tests/simulation/test_cluster.py", "tests/simulation/test_cluster_recipes.py"],
}


def digest(root: Path = ROOT) -> str:
    """Return a digest of the lines of dependencies, and of the tests that they are tried with."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [project["dependencies"], project["optional-dependencies"], project["requires-python"], TESTS]
    return hashlib.sha256(json.dumps(lines, sort_keys=True).encode()).hexdigest()


def is_tried(root: Path = ROOT) -> bool:
    """Return whether these lines are those that were tried last."""
    tried = root / "tools" / "least_versions.tried"
    return tried.is_file() and tried.read_text(encoding="utf-8").split() == [digest(root)]


def environment(folder: Path) -> Path:
    """Install an environment with the least versions into a folder; return where it is. Raises SetUpError."""
    result = folder / "environment"
    run_quietly([sys.executable, "-m", "venv", str(result)], result)
    install(result, [RESOLVER], ROOT)
    resolver, listed = str(executable(result, "uv")), folder / "least.txt"
    resolve = ["pip", "compile", "--quiet", "--resolution", "lowest-direct", "--extra", "dev", "pyproject.toml"]
    run_quietly([resolver, *resolve, "--python", str(executable(result, "python")), "-o", str(listed)], result, ROOT)
    into = [resolver, "pip", "install", "--quiet", "--python", str(executable(result, "python"))]
    run_quietly([*into, "-r", str(listed)], result, ROOT)
    run_quietly([*into, "--no-deps", "--editable", "."], result, ROOT)
    return result


def main(arguments: Sequence[str]) -> int:
    """Try the least versions, note those that pass, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--if-changed", action="store_true", help="only where the lines are not those that were tried")
    parser.add_argument("pytest", nargs="*", help="other tests than the usual ones, or options of pytest after --")
    choice = parser.parse_args(arguments)
    if choice.if_changed and is_tried():
        print("The least versions of all dependencies have been tried.")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        try:
            prepare(ROOT, "dev")
            prepare_pages(ROOT)
            result = environment(Path(folder))
        except SetUpError as error:
            tell(str(error))
            return 2
        tests = choice.pytest or [file for files in TESTS.values() for file in files]
        python = str(executable(result, "python"))
        status = subprocess.call([python, "-m", "pytest", "-n", "auto", *tests], cwd=ROOT)
    if status == 0 and not choice.pytest:
        TRIED.write_text(f"{digest()}\n", encoding="utf-8")
    return min(status, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
