"""The script that checks the project: which steps it takes for what is asked."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import check_catalogs
import check_under_load
import least_versions
import verify
from project_folders import ROOT
from rotation import are_due
from rulewright import cli
from rulewright.base import cache

DUE = ["--rotation", str(verify.rotation())]


@pytest.mark.parametrize(
    ("typed", "arguments"),
    [
        ("", DUE),
        ("-x", [*DUE, "-x"]),
        ("-k undo", ["-k", "undo"]),
        ("--long", ["--long"]),
        ("--rotation 7", ["--rotation", "7"]),
        ("game", ["tests/game"]),
        ("game players", ["tests/game", "tests/players"]),
        ("game -k syntax", ["tests/game", "-k", "syntax"]),
        ("tests/game/test_game.py::test_refused -x", ["tests/game/test_game.py::test_refused", "-x"]),
    ],
)
def test_arguments_of_pytest(typed: str, arguments: list[str]) -> None:
    *before, last = verify.steps(typed.split())
    assert last == [*verify.TESTS, *arguments]
    assert before == [*verify.LINT, *verify.PAGES, *([verify.CATALOGS] if typed[:1] in ("", "-") else [])]


def test_a_release_needs_all_translations_and_all_slow_tests() -> None:
    *others, tests = verify.steps([])
    assert tests == [*verify.TESTS, *DUE]
    assert verify.steps(["--release"]) == [*others[:-1], [*verify.CATALOGS, "--complete"], verify.TESTS]


def test_catalogs_are_checked_to_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran: list[tuple[str, ...]] = []

    def run(words: Sequence[str]) -> int:
        ran.append(tuple(words[1:]))
        return int(words[1] == "check")

    monkeypatch.setattr(cli, "main", run)
    monkeypatch.setattr(cache, "MAX_ENTRIES", cache.MAX_ENTRIES)
    monkeypatch.setenv(cache.VARIABLE, os.environ[cache.VARIABLE])
    monkeypatch.setenv(verify.SHARED_CACHE, str(tmp_path))
    assert check_catalogs.main(["--complete"]) == 1
    assert ran == [("update", "--check"), ("check",), ("status", "--complete")]
    assert os.environ[cache.VARIABLE] == str(tmp_path)


@pytest.mark.parametrize(
    ("failing", "arguments", "status"),
    [("update", [], 0), ("update", ["--complete"], 1), ("status", ["--complete"], 1), ("check", [], 1)],
)
def test_texts_that_no_catalog_has_may_wait_for_a_release(
    failing: str, arguments: list[str], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(verify.SHARED_CACHE, raising=False)
    monkeypatch.setattr(cli, "main", lambda words: int(words[1] == failing))
    assert check_catalogs.main(arguments) == status


def test_each_commit_has_its_turn_of_the_slow_tests(tmp_path: Path) -> None:
    assert 0 <= verify.rotation() < verify.ROTATIONS
    assert verify.rotation(tmp_path) == 0, "outside a repository"


@pytest.mark.parametrize("start", [0, 41])
@pytest.mark.parametrize("rounds", [2, 3])
def test_rotations_in_a_row_run_every_slow_test_once(start: int, rounds: int) -> None:
    marked = [rounds, 5, *[rounds] * 7]
    runs = [are_due(marked, start + number) for number in range(rounds)]
    turns = [[due for due, own in zip(run, marked, strict=True) if own == rounds] for run in runs]
    assert [sum(run) for run in zip(*turns, strict=True)] == [1] * 8
    assert all(2 <= sum(run) <= 4 for run in turns), "about as many in each"
    assert are_due(marked, start) == are_due(marked, start + verify.ROTATIONS)


@pytest.mark.parametrize(
    ("typed", "text"), [("sever", "Did you mean 'server'?"), ("xyz", f"There are {', '.join(verify.rooms())}.")]
)
def test_an_unknown_room_is_refused(typed: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert verify.main([typed]) == 2
    assert capsys.readouterr().err == f"There is no room '{typed}'. {text}\n"


@pytest.mark.parametrize("stored", [None, "{}", "{", "[]", "7", '{"tests/gone/test_gone.py::test_x": true}'])
def test_without_failures_only_lint_runs(stored: str | None, tmp_path: Path) -> None:
    last = tmp_path / ".pytest_cache/v/cache/lastfailed"
    last.parent.mkdir(parents=True)
    if stored is not None:
        last.write_text(stored, encoding="utf-8")
    assert verify.steps(["--failed"], tmp_path) == [*verify.LINT, *verify.PAGES]


def test_failed_tests_run_again(tmp_path: Path) -> None:
    last = tmp_path / ".pytest_cache/v/cache/lastfailed"
    last.parent.mkdir(parents=True)
    one, other = "tests/base/test_files.py", "tests/game/test_game.py"
    last.write_text(json.dumps({f"{other}::test_x": True, f"{one}::test_y[1]": True}), encoding="utf-8")
    for file in (one, other):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).touch()
    assert verify.steps(["--failed"], tmp_path) == [
        *verify.LINT,
        *verify.PAGES,
        [*verify.TESTS, one, other, "--last-failed"],
    ]
    assert verify.steps(["game", "--failed", "-x"], tmp_path)[-1] == [*verify.TESTS, other, "-x", "--last-failed"]


def test_no_failed_tests_are_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(verify, "prepare", lambda *_: None)
    monkeypatch.setattr(verify, "failures", lambda steps: [])
    monkeypatch.setattr(verify, "failed_last", lambda root: [])
    assert verify.main(["--failed"]) == 0
    assert capsys.readouterr().out == "\nNo test failed the last time.\n"


def test_types_are_checked_beside_the_tests(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Quick checks come first, and those beside the tests are printed after them; each that fails is named."""
    monkeypatch.setattr(verify, "command", lambda root, tool: sys.executable)
    ruff, mypy, catalogs, tests = (
        [tool, "-c", f"print('{tool} was here'); raise SystemExit({status})"]
        for tool, status in (("ruff", 0), ("mypy", 1), ("rulewright", 0), ("pytest", 1))
    )
    assert verify.failures([ruff, mypy, catalogs, tests]) == [tests, mypy]
    texts = [line for line in capfd.readouterr().out.splitlines() if line.endswith("was here")]
    assert texts == [f"{tool} was here" for tool in ("ruff", "pytest", "mypy", "rulewright")]


def test_setting_up_is_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(verify, "prepare", lambda root, *extras: done.extend(extras))
    monkeypatch.setattr(verify, "prepare_pages", lambda root, tools: done.append("pages" if tools else ""))
    monkeypatch.setattr(verify, "succeeds", lambda step: done.append(step[0]))
    monkeypatch.setattr(verify, "run_step", lambda step: done.append(step[0]))
    assert verify.main(["--prepare"]) == 0
    assert done == ["dev", "pages"]


def test_every_room_has_its_tests() -> None:
    package = ROOT / "interpreter" / "rulewright"
    own = {folder.name for folder in package.iterdir() if (folder / "__init__.py").exists()}
    assert set(verify.rooms()) == own | {"editions", "openspiel", "project"}


def test_tests_lie_in_rooms_and_import_no_tests() -> None:
    files = [*(ROOT / "tests").rglob("*.py")]
    assert {file.name for file in (ROOT / "tests").glob("*.py")} == {"conftest.py"}
    importing = [str(file) for file in files if "\nfrom test_" in file.read_text(encoding="utf-8")]
    assert not importing, "what several tests use lies in tests/shared"


def test_failed_tests_of_a_run_are_named_once() -> None:
    output = "FAILED tests/a/test_x.py::test_1[y] - assert 0\nERROR tests/b/test_z.py\n\nFailed: mypy, pytest -n auto\n"
    assert check_under_load.failures(output) == [
        "mypy, pytest -n auto",
        "tests/a/test_x.py::test_1[y]",
        "tests/b/test_z.py",
    ]
    assert check_under_load.failures("7,000 passed") == []


def test_a_run_under_load_is_the_check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Two runs of the linter alone, while a process is busy; the second is made to fail."""
    arguments: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        arguments.append(command)
        assert [process.is_alive() for process in multiprocessing.active_children()] == [True]
        return subprocess.CompletedProcess(command, len(arguments) - 1, b"FAILED tests/a.py::test_b - late\n")

    monkeypatch.setattr(subprocess, "run", run)
    assert check_under_load.main(["--runs", "2", "--busy", "1", "--", "server"]) == 1
    assert [command[-1] for command in arguments] == ["server", "server"]
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("passed") and "failed: tests/a.py::test_b" in second
    assert not multiprocessing.active_children()


def test_runs_under_load_take_turns_of_the_slow_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, b"")

    monkeypatch.setattr(verify, "rotation", lambda: 7)
    monkeypatch.setattr(subprocess, "run", run)
    assert check_under_load.main(["--runs", "3", "--busy", "0"]) == 0
    assert [command[-2:] for command in commands] == [["--rotation", "8"], ["--rotation", "9"], ["--rotation", "10"]]


# ── the least versions of dependencies ──

PROJECT = """\
[project]
requires-python = ">=3.11"
dependencies = ["lark>=1.1.9,<2"]
[project.optional-dependencies]
serve = ["uvicorn>=0.35,<1"]
"""


def test_changed_lines_of_dependencies_are_tried_again(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    assert not least_versions.is_tried(tmp_path)
    (tmp_path / "tools" / "least_versions.tried").write_text(least_versions.digest(tmp_path), encoding="utf-8")
    assert least_versions.is_tried(tmp_path)
    (tmp_path / "pyproject.toml").write_text(PROJECT.replace("0.35", "0.53") + "# a comment\n", encoding="utf-8")
    assert not least_versions.is_tried(tmp_path)


def test_the_least_versions_run_tests_that_are_there() -> None:
    files = [file for files in least_versions.TESTS.values() for file in files]
    assert [file for file in files if not (ROOT / file).exists()] == []
