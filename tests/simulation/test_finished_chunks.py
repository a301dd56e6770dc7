"""Samples gathered while chunks are played equal those read from their files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.i18n.localizer import english
from rulewright.simulation import results_folder
from rulewright.simulation.chunk_player import Work
from rulewright.simulation.command import RunRequest, play
from rulewright.simulation.finished_chunks import RunGathering
from rulewright.simulation.folder import TABLES
from rulewright.simulation.report import GamesReport, groups_of
from rulewright.simulation.results import SettingResults
from rulewright.simulation.results_folder import ResultsFolder


def page(result: ResultsFolder) -> str:
    return GamesReport(groups_of(result), english()).page()


@pytest.fixture
def run_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunRequest:
    monkeypatch.setattr(Work, "games_per_chunk", lambda self: 7)
    return RunRequest("wild-cards/2022", 40, None, ["hand limit=8,12"], out=tmp_path / "run", processes=1, quiet=True)


def gather_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    def again(self: SettingResults, _: Any) -> Any:
        raise AssertionError("the games are gathered twice")

    monkeypatch.setattr(SettingResults, "gather", again)


@pytest.mark.rotating(10)
def test_report_of_a_run_is_that_of_its_folder(run_request: RunRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play(run_request)
    from_files = page(results_folder.read(run.path))
    gather_no_more(monkeypatch)
    assert page(run.results) == from_files


@pytest.mark.rotating(6)
def test_run_that_went_on_is_read_from_its_folder(run_request: RunRequest) -> None:
    from_files = page(play(run_request).results)
    assert run_request.out is not None
    for table in TABLES:
        next(iter(sorted((run_request.out / table).iterdir()))).unlink()
    assert page(play(run_request).results) == from_files


@pytest.mark.rotating(5)
def test_chunks_may_come_in_any_order(run_request: RunRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[tuple[Any, Any]] = []
    add = RunGathering.add
    monkeypatch.setattr(RunGathering, "add", lambda self, chunk, gathered: added.append((chunk, gathered)))
    run = play(run_request)
    for entry in reversed(added):
        add(run.gathering, *entry)
    from_files = page(results_folder.read(run.path))
    gather_no_more(monkeypatch)
    assert page(run.results) == from_files
