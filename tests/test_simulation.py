"""Simulation: the plan, the tables, and that they are the same however a run comes about."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest

from rulewright import files, library, native
from rulewright.cli import main
from rulewright.compiler import Setting
from rulewright.counting import Counting
from rulewright.diagnostics import RulewrightError
from rulewright.game import Game
from rulewright.generator import fractions
from rulewright.operations import pick
from rulewright.simulation import command, playing, rows, workers
from rulewright.simulation.command import Wanted, simulate
from rulewright.simulation.folder import TABLES, Folder, FolderError, read
from rulewright.simulation.plan import Chunk, Plan, PlanError
from rulewright.simulation.playing import PlayError, Work, at_chance
from rulewright.simulation.settings import rules_of, settings
from rulewright.simulation.tally import Tally
from rulewright.simulation.workers import Done
from test_properties import EDITIONS

GOOFSPIEL = "tests/games/goofspiel.yaml"
ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def work_of(
    *options: str, edition: str = "2022", games: int = 40, per_chunk: int = 10, seats: str | None = None
) -> Work:
    wanted = Wanted(edition, games, seats, options)
    rules = library.load(edition)
    work = command._work(wanted, rules, command._seats(wanted, rules))
    return Work(replace(work.plan, per_chunk=per_chunk), work.tables)


def table(folder: Path, name: str) -> duckdb.DuckDBPyRelation:
    return duckdb.connect().read_parquet(str(folder / name / "*.parquet"))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Work, "games_per_chunk", lambda self: 10)


# ── counting ──


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_native_code_counts_what_the_machine_counts(name: str) -> None:
    pytest.importorskip("wasmtime")
    rules = EDITIONS[name]
    for seats in {rules.edition.seats[0], rules.edition.seats[1]}:
        machine = rules.machine(seats)
        counting = Counting(machine.program)
        tally = Tally(counting, machine)
        seeds = range(2**64 - 2, 2**64 + 2)
        expected = array("i")
        for seed in seeds:
            expected.extend(tally.played(machine.new(seed % 2**64), at_chance(seed)))
        assert native.Traced(counting).counted(machine.new(0), seeds) == expected


COUNTED = """\
rulewright: 1
title: What is counted
players: 2
words:
  colour: {red: {}, blue: {}}
pieces:
  card: {each: colour, has: {weight: 1 to 2}, starts in: deck, noun: "{colour} {weight}"}
  crown: {starts in: box, power in: front}
zones:
  deck: {seen by: nobody}
  box: {holds: crown, seen by: all}
  hand: {of: seat, holds: card, seen by: owner}
  front: {of: seat, holds: crown, seen by: all}
counters:
  seat: {gold: 0}
  game: {price: 0}
setup:
  do:
    - each seat: move first 1 of deck to hand
    - move box to front of first 1 of seats
phases:
  work:
    do:
      - each seat in turn:
          - choose number from -1 to 120 as offer
          - choose 0 to 2 cards from hand of left of you as taken
          - choose seat from seats as friend
          - do earn
      - if round is 3: end game
steps:
  earn: add 1 to my gold
powers:
  crown:
    may after earn: {ask: More?, do: add 1 to my gold}
scoring:
  gold: {title: Gold, points: my gold}
"""


def counted(text: str, seeds: range, answer: Any = None) -> tuple[Counting, list[list[int]]]:
    rules = library.from_text(text)
    machine = rules.machine(2)
    counting = Counting(machine.program)
    tally = Tally(counting, machine)
    return counting, [tally.played(machine.new(seed), answer or at_chance(seed)) for seed in seeds]


# ── the same rows, however they come about ──


def run(path: Path, processes: int = 1, games: int = 40, **more: Any) -> int:
    wanted = Wanted("2022", games, None, ["no bluffing=no,yes"], out=path, processes=processes, quiet=True)
    return simulate(replace(wanted, **more))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one process leaves behind that nobody disturbs."""
    path = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        small_chunks(patch)
        assert run(path) == 0
    return contents(path)


@pytest.mark.parametrize("processes", [2, 3])
def test_number_of_processes_does_not_matter(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    small_chunks(monkeypatch)
    assert run(tmp_path / "run", processes) == 0
    assert contents(tmp_path / "run") == whole


def test_run_that_was_stopped_goes_on(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small_chunks(monkeypatch)
    path, keep = tmp_path / "run", Folder.keep

    def stopped(self: Folder, chunk: Chunk, tables: Mapping[str, bytes]) -> None:
        if chunk == Chunk(0, 20, 10):
            raise KeyboardInterrupt
        keep(self, chunk, tables)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Folder, "keep", stopped)
        assert run(path) == 130
    assert "40 of 80 games are kept" in capsys.readouterr().err
    before = contents(path)
    assert len(before) == 1 + 4 * 3
    assert run(path, 2) == 0
    assert contents(path) == whole
    assert before.items() <= whole.items()


def test_more_games_are_added(tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    small_chunks(monkeypatch)
    path = tmp_path / "run"
    assert run(path, games=15) == 0
    assert read(path).games == 15
    assert run(path) == 0
    assert contents(path) == whole
    assert run(path) == 0  # nothing is left to do
    with pytest.raises(FolderError, match="is a run of 40 games already"):
        run(path, games=39)


def test_chunk_that_stopped_between_two_tables_is_played_again(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_chunks(monkeypatch)
    path = tmp_path / "run"
    assert run(path, games=15) == 0
    replaced = files.replace

    def full(target: Path, content: bytes) -> None:
        if target.name == "001-000000010.parquet" and target.parent.name == "seats":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replaced(target, content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "replace", full)
        with pytest.raises(
            FolderError, match=r"seats/001-000000010.parquet' cannot be written: No space left on device"
        ):
            run(path)
    assert run(path) == 0
    assert contents(path) == whole


def test_worker_that_is_killed_is_replaced(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_chunks(monkeypatch)
    keep, killed = Folder.keep, []

    def killing(self: Folder, chunk: Chunk, tables: Mapping[str, bytes]) -> None:
        if not killed:
            killed.append(multiprocessing.active_children()[0])
            killed[0].kill()
            killed[0].join()
        keep(self, chunk, tables)

    monkeypatch.setattr(Folder, "keep", killing)
    assert run(tmp_path / "run", 2) == 0
    assert killed[0].exitcode == -signal.SIGKILL
    assert contents(tmp_path / "run") == whole
    assert not multiprocessing.active_children()


def test_workers_that_die_again_and_again_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    work, starts = work_of(), []

    def dying(work: Work, chunks: Any, processes: int) -> Iterator[Done]:
        starts.append(len(chunks))
        if len(starts) < 3:  # one chunk is finished: the count begins anew
            yield chunks[0], {}
        raise workers.BrokenProcessPool

    monkeypatch.setattr(workers, "_once", dying)
    played = workers.played(work, list(work.plan.chunks()), 2)
    assert [chunk.first for chunk, _ in [next(played), next(played)]] == [0, 10]
    with pytest.raises(workers.WorkersError, match=r"died 3 times.*fewer --processes"):
        next(played)
    assert starts == [4, 3, 2, 2]


def test_stand_in_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    chunk = Chunk(0, 10, 10)
    for edition, seats in (("2022", "random,random,leo"), (GOOFSPIEL, None)):
        work = work_of(edition=edition, seats=seats)
        expected = rows.files(work, chunk)
        with monkeypatch.context() as patch:

            def missing(counting: Counting) -> None:
                raise native.CannotRun("tried without")

            patch.setattr(native, "Traced", missing)
            slow = Work(work.plan, work.tables)
            assert rows.files(slow, chunk) == expected
            assert "slower" in slow.notice and "slower" not in work.notice


def test_edition_may_be_edited_while_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read again; but with changed rules nothing is added."""
    small_chunks(monkeypatch)
    file = tmp_path / "game.yaml"
    original = (ROOT / GOOFSPIEL).read_text(encoding="utf-8")
    file.write_text(original, encoding="utf-8")
    wanted = Wanted(str(file), 30, out=tmp_path / "run", processes=2, quiet=True)
    keep = Folder.keep

    def editing(self: Folder, chunk: Chunk, tables: Mapping[str, bytes]) -> None:
        file.write_text("gone", encoding="utf-8")
        keep(self, chunk, tables)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "keep", editing)
        assert simulate(wanted) == 0
    file.write_text(original.replace("1 to 13", "1 to 12"), encoding="utf-8")
    with pytest.raises(FolderError, match="the rules of .*game.yaml have changed since"):
        simulate(replace(wanted, games=40))
    file.write_text(original, encoding="utf-8")
    assert simulate(replace(wanted, games=40)) == 0
