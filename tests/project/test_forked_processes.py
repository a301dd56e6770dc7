"""Processes that share the tests of a run: each test runs once, and what happens to it is told."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import forked_processes
from forked_processes import Division

TESTS = """
import os, warnings
from pathlib import Path
import pytest

print("collected", file=open("collected", "a"))

@pytest.fixture(scope="module")
def kept():
    yield "kept"
    Path("ends", str(os.getpid())).touch()

@pytest.mark.parametrize("number", range(30))
def test_number(number, kept, tmp_path):
    Path("runs", str(os.getpid())).mkdir(exist_ok=True)
    Path("runs", str(os.getpid()), str(number)).touch()
    print(f"number {number} is printed")
    assert number != 7

def test_dying():
    os._exit(3)

def test_warning():
    warnings.warn(DeprecationWarning("this is old"))

def test_killed():
    os.kill(os.getpid(), 9)

def test_left_out():
    pytest.skip("for a reason")
"""


def run(folder: Path, *options: str) -> str:
    """Return what pytest says of the tests above, without the plugins that it would look for."""
    for name in ("runs", "ends"):
        (folder / name).mkdir()
    (folder / "test_some.py").write_text(TESTS, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    paths = os.pathsep.join(path for path in (str(Path(forked_processes.__file__).parent), *sys.path) if path)
    environment = {**os.environ, "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-rfs", "-p", "forked_processes", *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


def test_each_test_runs_once_and_its_outcome_is_told(tmp_path: Path) -> None:
    text = run(tmp_path, "-n", "2", "--basetemp", str(tmp_path / "temporary"))
    assert "3 failed, 30 passed, 1 skipped, 1 warning in" in text
    assert (tmp_path / "collected").read_text() == "collected\n"
    runs = [file.name for folder in (tmp_path / "runs").iterdir() for file in folder.iterdir()]
    assert sorted(runs, key=int) == [str(number) for number in range(30)]
    assert len([*(tmp_path / "runs").iterdir()]) >= 2, "both had some"
    assert "test_number[7] - assert 7 != 7" in text
    assert "number 7 is printed" in text and "number 8 is printed" not in text, "output of what fails"
    for test, status in (("dying", 3), ("killed", -9)):
        assert f"FAILED test_some.py::test_{test} - the process of the test ended with status {status}" in text
    assert "DeprecationWarning: this is old" in text and "for a reason" in text


def test_a_run_ends_with_the_first_failure(tmp_path: Path) -> None:
    """Others may fail while it ends. What is open is closed in each process."""
    text = run(tmp_path, "-n", "2", "-x", "-k", "number")
    assert re.search(r"^1 failed, \d+ passed, 4 deselected in", text, re.MULTILINE), text
    assert len([*(tmp_path / "ends").iterdir()]) == len([*(tmp_path / "runs").iterdir()])


def test_a_process_without_tests_takes_half_of_the_longest_rest() -> None:
    division = Division(11, 2)
    assert [division.next_for(1) for _ in range(6)] == [5, 6, 7, 8, 9, 10]
    assert [division.next_for(1) for _ in range(3)] == [2, 3, 4], "neighbours, in their order"
    assert [division.next_for(0) for _ in range(3)] == [0, 1, None]
    assert division.next_for(1) is None


@pytest.mark.parametrize(("typed", "processes"), [("0", 0), ("3", 3), ("auto", (os.cpu_count() or 1) + 1)])
def test_how_many_processes(typed: str, processes: int) -> None:
    assert forked_processes.number_of_processes(typed) == processes
