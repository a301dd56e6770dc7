"""Simulation: the plan, the tables, and that they are the same however a run comes about."""

from __future__ import annotations

import errno
import io
import json
import multiprocessing
import os
import pickle
import random
import re
import select
import signal
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few, one_in
from project_folders import ROOT
from results_folders import contents
from rulewright.base import cache, files
from rulewright.base.diagnostics import RulewrightError
from rulewright.cli import main
from rulewright.commands import common
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.program.form import Program
from rulewright.runtime import native
from rulewright.runtime.game_statistics import LEAD_CHANGES, OF_GAME, OFFERED, PICKED, TIMES, StatisticsLayout
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import emit as emitting
from rulewright.runtime.native.results import CountedGames
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.rng import fractions
from rulewright.runtime.state import State
from rulewright.simulation import chunk_tables, command, parquet_files, planning, results_folder, sources, workers
from rulewright.simulation.chunk_player import Work, random_answer_function
from rulewright.simulation.command import RunRequest
from rulewright.simulation.finished_chunks import FinishedChunk, PlayedChunk, play_chunk
from rulewright.simulation.folder import TABLES, Folder, FolderError, read
from rulewright.simulation.parquet_files import DamagedError
from rulewright.simulation.plan import Chunk, Plan, PlanError
from rulewright.simulation.settings import rules_of
from rulewright.simulation.tally import Tally
from whole_games import EDITIONS

WHARF = "tests/games/wharf.yaml"
GOOFSPIEL = "tests/games/goofspiel.yaml"


def files_of(work: Work, chunk: Chunk) -> dict[str, bytes]:
    """Return the three tables of a chunk as Parquet files."""
    return chunk_tables.to_files(work.plan, chunk, chunk_tables.play_tables(work, chunk))


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


KEYS = ("version", "edition", "seats", "settings", "varied", "seed", "games", "lines", "measures", "powers")


def work_of(
    *options: str, edition: str = "2022", games: int = 40, per_chunk: int = 10, seats: str | None = None
) -> Work:
    expected = RunRequest(edition, games, seats, options)
    rules = library.load(edition)
    work = command._work(expected, rules, planning.seats(rules, expected.seats))
    return Work(replace(work.plan, per_chunk=per_chunk), work.tables)


def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Work, "games_per_chunk", lambda self: 10)


# ── counting ──


@pytest.mark.parametrize("name", one_in(3, sorted(EDITIONS)))
def test_native_code_counts_what_the_machine_counts(name: str) -> None:
    pytest.importorskip("wasmtime")
    rules = EDITIONS[name]
    for seats in {*rules.edition.seats} - ({6} if name == "wildlife/2002" else set()):  # 30,000 answers a game
        machine = rules.machine(seats)
        counting = StatisticsLayout(machine.program)
        seeds = range(2**64 - 1, 2**64 + 1)
        words, tally = array("i"), Tally(counting, machine)
        for seed in seeds:
            words.extend(tally.play(machine.new(seed % 2**64), random_answer_function(seed, machine)))
        result = native.Bulk(machine.program, counting).counted_games(machine.new(0), seeds)
        assert result == CountedGames(words, tally.sums)


def test_native_code_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wasmtime")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    outcomes: list[Program] = []

    def emitted(program: Program, *rest: Any) -> Any:
        outcomes.append(program)
        return emit(program, *rest)

    emit = emitting.emit_module
    monkeypatch.setattr(emitting, "emit_module", emitted)
    chunk = Chunk(0, 0, 20)
    first = work_of(edition=WHARF).play(chunk)
    again = work_of(edition=WHARF)
    assert again.games_per_chunk() and again.play(chunk) == first
    assert len(outcomes) == 1
    # Of another setting, or made by something else, it is not.
    other = work_of("cash only=yes", edition=WHARF)
    assert other.play(replace(chunk, setting=1)) != first and len(outcomes) == 2
    key = cache.key("whole games", again.tables[0].key, True)
    stored = cache.get(key)
    cache.store(key, replace(stored, compiled=b"no code"))
    assert work_of(edition=WHARF).play(chunk) == first and len(outcomes) == 3


HIDING = """\
rulewright: 1
title: Out of sight
players: 2
pieces:
  card: {has: {weight: 1 to 4}, copies: 3, starts in: deck, noun: "card {weight}"}
zones:
  deck: {seen by: nobody, pile: yes}
  table: {seen by: all}
  hand: {of: seat, seen by: owner}
counters: {game: {past: 0}}
setup: {do: [each seat: move top 2 of deck to hand]}
phases:
  work:
    do:
      - move top 1 of deck to table
      - each seat:
          - choose 1 from hand as seen
          - choose 1 from hand of left of you plus table as partly
          - let earlier be hand
          - if seen's weight is 2:
              - move earlier to deck
              - move bottom 2 of deck to hand
          - choose 1 from earlier as gone
          - choose 1 from earlier where weight is 3 as few
          - let again be hand
          - choose 1 from again as kept
          - move kept to deck
          - choose up to 1 from again as later
          - move top 1 of deck to hand
          - choose up to 1 from hand of first 1 of seats as whose
      - add 1 to past
      - if past is 4: end game
scoring:
  one: {title: One, points: total weight of hand}
"""


@few(20)
@given(st.integers(0, 2**64 - 1))
def test_choices_that_become_hidden_are_counted_as_hidden(seed: int) -> None:
    """The compiler decides visibility where the code shows it."""
    pytest.importorskip("wasmtime")
    machine = library.from_text(HIDING).machine(2)
    counting = StatisticsLayout(machine.program)
    tally = Tally(counting, machine)
    words = array("i", tally.play(machine.new(seed), random_answer_function(seed, machine)))
    result = native.Bulk(machine.program, counting).counted_games(machine.new(0), range(seed, seed + 1))
    assert result == CountedGames(words, tally.sums)


COUNTED = """\
rulewright: 1
title: What is counted
players: 2
words:
  colour: {red: {}, blue: {}}
  king: {old: {}}
pieces:
  card: {each: colour, has: {weight: 1 to 2}, starts in: deck, noun: "{colour} {weight}"}
  crown: {each: king, starts in: box, power in: front}
zones:
  deck: {holds: card, seen by: nobody, pile: yes}
  box: {holds: crown, seen by: all}
  hand: {of: seat, holds: card, seen by: owner}
  front: {of: seat, holds: crown, seen by: all}
counters:
  seat: {gold: 0}
  game: {past: 0}
setup:
  do:
    - each seat:
        - move top 2 of deck to hand
        - if you is among first 1 of seats: move box to front
phases:
  work:
    do:
      - each seat:
          - choose number from -1 to 120 as offer
          - choose 0 to 2 from cards in hand of left of you as taken
          - choose 1 from seats as friend
          - do earn
      - add 1 to past
      - if past is 3: end game
    steps:
      earn: add 1 to gold
powers:
  old:
    may after earn: {ask: More?, do: add 1 to gold}
scoring:
  gold: {title: Gold, points: gold}
"""


def counted(text: str, seeds: range, answer: Any = None) -> tuple[StatisticsLayout, CountedGames]:
    rules = library.from_text(text)
    machine = rules.machine(2)
    tally, words = Tally(StatisticsLayout(machine.program), machine), array("i")
    for seed in seeds:
        words.extend(tally.play(machine.new(seed), answer or random_answer_function(seed, machine)))
    return StatisticsLayout(machine.program), CountedGames(words, tally.sums)


# ── the same rows, however they come about ──


def run(path: Path, processes: int = 1, games: int = 40, **more: Any) -> int:
    expected = RunRequest(WHARF, games, None, ["cash only=no,yes"], out=path, processes=processes, quiet=True)
    return command.play(replace(expected, **more)).status


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the folder of a run by one process, which nothing disturbed."""
    path = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        small_chunks(patch)
        assert run(path) == 0
    return contents(path)


@pytest.mark.rotating(4)
def test_number_of_processes_does_not_matter(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are tried below, after a run was stopped."""
    small_chunks(monkeypatch)
    assert run(tmp_path / "run", 3) == 0
    assert contents(tmp_path / "run") == whole


@pytest.mark.rotating(4)
def test_run_that_was_stopped_goes_on(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small_chunks(monkeypatch)
    path, keep = tmp_path / "run", Folder.save

    def stopped(self: Folder, chunk: Chunk, tables: Mapping[str, bytes]) -> None:
        if chunk == Chunk(0, 20, 10):
            raise KeyboardInterrupt
        keep(self, chunk, tables)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Folder, "save", stopped)
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


def test_a_full_disk_leaves_a_folder_to_start_in(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_chunks(monkeypatch)
    path = tmp_path / "run"

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(FolderError, match=r"run.json' cannot be written: No space left on device"):
            run(path)
    assert not any(path.iterdir())
    (path / f".rulewright-{'0' * 16}.new").write_bytes(b"{")  # of a process that was killed just then
    assert run(path) == 0
    assert {name: content for name, content in contents(path).items() if name in whole} == whole


# ── damage ──


def damage(path: Path, whole: dict[str, bytes], name: str, content: bytes) -> str:
    """Return the output of all three commands for a folder with one file replaced."""
    laid(path, whole)
    (path / "run" / name).write_bytes(content)
    lines = set()
    for work in (
        lambda: run(path / "run"),
        lambda: results_folder.read(path / "run"),
        lambda: sources.groups([str(path / "run")], RunRequest(""), path),
    ):
        with pytest.raises(RulewrightError) as refused:
            work()
        lines.add(str(refused.value))
    (message,) = lines
    assert f"{name}' is damaged" in message and "run 'rulewright simulate' again to make a new one" in message
    return message


@pytest.mark.parametrize("table", TABLES)
def test_flipped_bit_is_noticed_wherever_it_is(tmp_path: Path, whole: dict[str, bytes], table: str) -> None:
    name = f"{table}/000-000000010.parquet"
    content, rng = whole[name], random.Random(1)
    for index in rng.sample(range(8 * len(content)), 300):
        spoilt = bytearray(content)
        spoilt[index // 8] ^= 1 << index % 8
        (tmp_path / "file").write_bytes(spoilt)
        with pytest.raises(DamagedError):
            parquet_files.read_description(tmp_path / "file", table)


def test_flipped_bit_stops_all_three_commands(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """Change a byte among a column's statistics, which nobody reads and no page's checksum covers."""
    name = "choices/000-000000010.parquet"
    content = bytearray(whole[name])
    content[content.rindex(b"random")] ^= 1
    assert "its checksum is wrong" in damage(tmp_path, whole, name, bytes(content))


def test_pages_have_checksums_that_other_readers_check(whole: dict[str, bytes]) -> None:
    content = bytearray(whole["choices/000-000000010.parquet"])
    metadata = pq.read_metadata(pa.BufferReader(bytes(content)))
    column = metadata.row_group(0).column(metadata.num_columns - 1)
    content[(column.dictionary_page_offset or column.data_page_offset) + column.total_compressed_size - 1] ^= 1
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(pa.BufferReader(bytes(content)), page_checksum_verification=True)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("existing", TABLES)
def test_chunk_of_another_table_is_refused(tmp_path: Path, whole: dict[str, bytes], table: str, existing: str) -> None:
    chunk = "000-000000010.parquet"
    if table == existing:
        assert parquet_files.read_description(laid(tmp_path, whole) / table / chunk, table)["first"] == 10
        return
    message = damage(tmp_path, whole, f"{table}/{chunk}", whole[f"{existing}/{chunk}"])
    assert f"it holds {existing}, not {table}" in message


def test_files_without_a_checksum_are_still_read(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """Write files as former versions did."""
    path = laid(tmp_path, whole)
    for file in path.glob("*/*.parquet"):
        said_otherwise(file, None)
    assert run(path) == 0
    assert results_folder.read(path).games == 80


@pytest.mark.parametrize("column", ["seat", "chosen"])
def test_text_in_a_column_of_numbers_is_noticed(tmp_path: Path, whole: dict[str, bytes], column: str) -> None:
    path = laid(tmp_path, whole)
    for file in path.glob("choices/*.parquet"):
        table = pq.read_table(file)
        index = table.schema.get_field_index(column)
        pq.write_table(table.set_column(index, column, [["?"] * table.num_rows]), file)
        said_otherwise(file, None)
    setting = results_folder.read(path).settings[0]
    with pytest.raises(DamagedError, match="a column of numbers holds something else"):
        _ = setting.choices


def test_checksum_that_has_lost_its_name_is_noticed(tmp_path: Path, whole: dict[str, bytes]) -> None:
    file = laid(tmp_path, whole) / "games" / "000-000000010.parquet"
    said_otherwise(file, "crc33")
    with pytest.raises(DamagedError, match="its checksum is wrong"):
        parquet_files.read_description(file, "games")


def said_otherwise(file: Path, name: str | None) -> None:
    """Rewrite a file that has its checksum under another name, or none."""
    table = pq.read_table(file)
    mark = json.loads(table.schema.metadata[parquet_files.MARK])
    text = mark.pop("crc32")
    changed = mark if name is None else {**mark, name: text}
    pq.write_table(table.replace_schema_metadata({parquet_files.MARK: json.dumps(changed).encode()}), file)


def test_pipe_in_the_place_of_a_plan_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run.json")
    with pytest.raises(FolderError, match=r"run.json' cannot be read: it is not a file"):
        results_folder.read(tmp_path)


@pytest.mark.rotating(5)
def test_worker_that_is_killed_is_replaced(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_chunks(monkeypatch)
    keep, killed, before = Folder.save, list[Any](), set(multiprocessing.active_children())

    def killing(self: Folder, chunk: Chunk, tables: Mapping[str, bytes]) -> None:
        if not killed:
            killed.append((set(multiprocessing.active_children()) - before).pop())
            killed[0].kill()
            killed[0].join()
        keep(self, chunk, tables)

    monkeypatch.setattr(Folder, "save", killing)
    assert run(tmp_path / "run", 2) == 0
    assert killed[0].exitcode == -signal.SIGKILL
    assert contents(tmp_path / "run") == whole
    assert not set(multiprocessing.active_children()) - before


def test_a_worker_sends_no_more_than_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe takes so much at once: who is killed while sending has sent all of it or nothing."""
    work, chunk = work_of(), Chunk(0, 10, 10)
    monkeypatch.setattr(workers, "_work", (work, str(tmp_path)))
    name = workers._play(chunk)
    assert len(pickle.dumps(name)) < select.PIPE_BUF < Path(name).stat().st_size
    assert workers._take_result(name).files == play_chunk(work, chunk).files
    assert not list(tmp_path.iterdir())


def test_workers_that_keep_dying_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    work, starts = work_of(), []

    def dying(work: Work, chunks: Any, processes: int) -> Iterator[PlayedChunk]:
        starts.append(len(chunks))
        if len(starts) < 3:  # one chunk is finished: the count begins anew
            yield chunks[0], FinishedChunk({}, {})
        raise BrokenProcessPool

    monkeypatch.setattr(workers, "_once", dying)
    played = workers.play_chunks(work, list(work.plan.chunks()), 2)
    assert [chunk.first for chunk, _ in [next(played), next(played)]] == [0, 10]
    with pytest.raises(workers.WorkersError, match=r"died 3 times.*fewer --processes"):
        next(played)
    assert starts == [4, 3, 2, 2]


@pytest.mark.rotating(4)
def test_the_machine_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    chunk = Chunk(0, 10, 10)
    for edition, seats in (("2022", "random,random,leo"), (GOOFSPIEL, None)):
        work = work_of(edition=edition, seats=seats)
        expected = files_of(work, chunk)
        with monkeypatch.context() as patch:

            def missing(program: Program, counting: StatisticsLayout, key: str) -> None:
                raise native.CannotRun("tried without")

            patch.setattr(native, "Bulk", missing)
            slow = Work(work.plan, work.tables)
            assert files_of(slow, chunk) == expected
            assert "slower" in str(slow.notice) and not work.notice


@pytest.mark.rotating(6)
def test_search_players_play_the_same_games_on_any_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_chunks(monkeypatch)
    expected = RunRequest(GOOFSPIEL, 12, "random,greedy,search-10", quiet=True)
    views: set[int] = set()

    def noting(machine: Machine, s: State, seat: int) -> State:
        views.add(seat)
        return information_state(machine, s, seat)

    monkeypatch.setattr("rulewright.runtime.information_state.information_state", noting)
    for processes in (1, 2):
        assert command.play(replace(expected, out=tmp_path / str(processes), processes=processes)).status == 0
    assert views == {1, 2}  # those who think are asked, and see what their seat sees
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    seats = pq.read_table(tmp_path / "1" / "seats").to_pydict()
    assert seats["player"][:3] == ["random", "greedy", "search-10"]


def test_chunks_are_smaller_where_games_take_longer() -> None:
    sizes = [
        work_of(edition=GOOFSPIEL, seats=f"random,{kind},{kind}").games_per_chunk()
        for kind in ("random", "greedy", "search-10", "search-200")
    ]
    assert sizes == sorted(set(sizes), reverse=True) and sizes[-1] >= 1


@pytest.mark.rotating(4)
def test_edition_may_be_edited_while_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read again while games are played; but a run with changed rules gets no more games."""
    small_chunks(monkeypatch)
    file = tmp_path / "game.yaml"
    original = (ROOT / GOOFSPIEL).read_text(encoding="utf-8")
    file.write_text(original, encoding="utf-8")
    expected = RunRequest(str(file), 30, out=tmp_path / "run", processes=2, quiet=True)
    keep = Folder.save

    def editing(self: Folder, chunk: Chunk, tables: Mapping[str, bytes]) -> None:
        file.write_text("gone", encoding="utf-8")
        keep(self, chunk, tables)

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "save", editing)
        assert command.play(expected).status == 0
    file.write_text(original.replace("1 to 13", "1 to 12"), encoding="utf-8")
    with pytest.raises(FolderError, match=r"the rules of .*game\.yaml have changed since"):
        command.play(replace(expected, games=40))
    file.write_text(original, encoding="utf-8")
    assert command.play(replace(expected, games=40)).status == 0


# ── what the columns mean ──


def choices_of(counting: StatisticsLayout, games: CountedGames, seat: int, kind: int) -> dict[str, dict[str, float]]:
    """Return the counts that are not 0: decision -> choice -> count."""
    return {
        question.id: {
            choice: times
            for number, choice in enumerate(question.choices, question.first)
            if (times := games.sums[counting.entry(seat, kind, number) + TIMES])
        }
        for question in counting.decisions
    }


def test_choices_are_counted_as_documented() -> None:
    answers: dict[str, Callable[[OpenDecision], Sequence[int]]] = {
        "work.offer": lambda decision: [decision.candidates[{0: 0, 1: -1}[decision.seat]]],
        "work.taken": lambda decision: list(decision.candidates) if decision.seat else [],
        "work.friend": lambda decision: [0],
        "old.earn": lambda decision: [1],
    }
    rules = library.from_text(COUNTED)
    program = rules.machine(2).program
    counting, games = counted(COUNTED, range(1), lambda s, decision: answers[program.sites[decision.site].id](decision))
    first, second = (choices_of(counting, games, seat, PICKED) for seat in range(2))
    assert first["work.offer"] == {"below 0": 3} and second["work.offer"] == {"over 100": 3}
    assert first["work.taken"] == {"nothing": 3} and second["work.taken"] == {"hidden": 3}
    assert first["work.friend"] == {"self": 3} and second["work.friend"] == {"left 1": 3}
    assert first["old.earn"] == {"yes": 3} and second["old.earn"] == {}
    offered = choices_of(counting, games, 0, OFFERED)
    assert offered["work.taken"] == {"hidden": 3, "nothing": 3}
    assert list(offered["work.offer"])[-4:] == ["71 to 80", "81 to 90", "91 to 100", "over 100"]
    assert len(offered["work.offer"]) == 1 + 41 + 6 + 1 and set(offered["work.offer"].values()) == {3}


RACE = """\
rulewright: 1
title: A race
players: 2
words: {way: {home: {}}}
pieces: {bell: {each: way, starts in: box, power in: front}}
zones:
  box: {seen by: all}
  front: {of: seat, seen by: all}
counters:
  seat: {gold: 0}
  game: {past: 0}
phases:
  run:
    do:
      - each seat:
          - choose number from 0 to 9 as stride
          - add stride to gold
      - each seat:
          - if past is 1 and you is among last 1 of seats: move box to front
      - add 1 to past
      - if past is 4: end game
powers:
  home: {change: {luck: 1}}
values:
  seat: {luck: 0}
scoring:
  gold: {title: Gold, points: gold}
  luck: {title: Luck, points: luck}
ranking: highest score, highest gold
measures:
  lucky: {title: Luck, is: luck}
"""


def raced(*strides: int) -> tuple[StatisticsLayout, CountedGames]:
    """A game in which these numbers are chosen, and what is counted of it."""
    left = iter(strides)
    result = counted(RACE, range(1), lambda s, decision: [next(left)])
    assert next(left, None) is None
    return result


def test_lead_changes_when_another_seat_leads_alone() -> None:
    for strides, changes in (
        # From the second round on the power gives the second seat one point.
        ((2, 0, 0, 0, 0, 0, 0, 0), 0),  # nobody led before
        ((2, 0, 0, 1, 1, 0, 0, 0), 0),  # equals in between
        ((2, 0, 0, 2, 2, 0, 0, 0), 2),
        ((2, 0, 0, 0, 0, 0, 0, 2), 1),  # at the end
    ):
        counting, games = raced(*strides)
        assert games.words[-counting.size :][LEAD_CHANGES] == changes


def test_powers_are_held_at_beginnings_of_rounds_and_the_end() -> None:
    counting, games = raced(0, 0, 0, 0, 0, 0, 0, 0)
    counts = games.words[-counting.size :]
    holdings = [counts[OF_GAME + seat * counting.seat_width + counting.powers_offset] for seat in range(2)]
    assert holdings == [0, 3]  # from the second round on: at the beginnings of two rounds, and the end
    assert [counts[OF_GAME + seat * counting.seat_width + counting.measures_offset] for seat in range(2)] == [0, 1]


def tables_of(monkeypatch: pytest.MonkeyPatch, text: str, rows_: list[CountedGames]) -> dict[str, pa.Table]:
    """The tables of games that went so."""
    words = array("i", [word for games in rows_ for word in games.words])
    sums = array("d", map(sum, zip(*(games.sums for games in rows_), strict=True)))
    rules = library.from_text(text)
    work = command._work(RunRequest("-", len(rows_)), rules, planning.seats(rules, None))
    monkeypatch.setattr(Work, "play", lambda self, chunk: CountedGames(words, sums))
    result = files_of(work, Chunk(0, 0, len(rows_)))
    return {name: pq.read_table(io.BytesIO(content)) for name, content in result.items()}


def test_rows_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    rows_ = [raced(5, 0, 0, 0, 0, 0, 0, 4)[1], raced(5, 0, 0, 0, 0, 4, 0, 5)[1], raced(0, 0, 0, 0, 0, 0, 0, 0)[1]]
    rows_.append(raced(5, 4, 0, 0, 0, 0, 0, 0)[1])
    result = tables_of(monkeypatch, RACE.replace("highest score, highest gold", "highest score"), rows_)["games"]
    assert result["rounds"].to_pylist() == [4] * 4 and result["decisions"].to_pylist() == [8] * 4
    # The power gives the second seat one point more.
    assert result["margin"].to_pylist() == [0, 5, 1, 0]
    assert result["winners"].to_pylist() == [1, 1, 1, 1]
    assert result["tie_break"].to_pylist() == [True, False, False, True]


def test_rows_of_seats_and_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    result = tables_of(monkeypatch, RACE, [raced(5, 0, 5, 0, 0, 0, 0, 4)[1], raced(1, 1, 1, 1, 1, 1, 1, 1)[1]])
    seats = result["seats"].to_pydict()
    assert seats["seat"] == [1, 2, 1, 2] and seats["game"] == [0, 0, 1, 1]
    assert seats["place"] == [1, 2, 2, 1] and seats["won"] == [1, 0, 0, 1]
    assert seats["total"] == [10, 5, 4, 5]
    assert seats["points: gold"] == [10, 4, 4, 4] and seats["points: luck"] == [0, 1, 0, 1]
    assert seats["measure: lucky"] == [0, 1, 0, 1] and seats["held: home"] == [0, 3, 0, 3]
    assert "used: home" not in seats
    choices = result["choices"].to_pylist()
    assert {row["decision"] for row in choices} == {"run.stride"}
    (five,) = (row for row in choices if row["seat"] == 1 and row["choice"] == "5")
    assert five == {
        "setting": 0,
        "seat": 1,
        "player": "random",
        "decision": "run.stride",
        "step": "run",
        "choice": "5",
        "offered": 8,
        "chosen": 2,
        "games_offered": 2,
        "games_chosen": 1,
        "won_offered": 1.0,
        "won_chosen": 1.0,
        "points_offered": 14,
        "points_chosen": 10,
        "squares_offered": 116.0,
        "squares_chosen": 100.0,
    }


@pytest.mark.rotating(2)
def test_shared_wins_and_seats_that_are_not_scored() -> None:
    result = files_of(work_of(seats="random,random,leo", games=300, per_chunk=300), Chunk(0, 0, 300))
    games, seats = (pq.read_table(io.BytesIO(result[name])).to_pydict() for name in ("games", "seats"))
    assert seats["role"][:3] == [None, None, "leo"]
    for number, winners in enumerate(games["winners"]):
        places, won = (seats[name][3 * number : 3 * number + 3] for name in ("place", "won"))
        assert won == [1 / winners if place == 1 else 0 for place in places]
        assert places[2] == 0 and seats["total"][3 * number + 2] is None
    assert set(seats["points: first species"][2::3]) == {None}


def test_totals_may_be_larger_than_words() -> None:
    text = re.sub(r"points: (gold|luck)}", "points: gold * 50000000}", RACE).replace("highest score, ", "")
    rules = library.from_text(text)
    work = command._work(RunRequest("-", 50), rules, planning.seats(rules, None))
    result = chunk_tables.play_tables(work, Chunk(0, 0, 50))
    totals = np.array(result["seats"]["total"].to_pylist()).reshape(50, 2)
    assert totals.max() > 2**31
    choices = result["choices"].to_pylist()
    for row in (row for row in choices if row["games_offered"] == 50):
        of_seat = [int(total) for total in totals[:, row["seat"] - 1]]
        assert row["points_offered"] == sum(of_seat)
        assert row["squares_offered"] == pytest.approx(sum(total**2 for total in of_seat), rel=1e-15)


@pytest.mark.rotating(3)
def test_simulated_games_equal_those_at_a_table() -> None:
    """A game's seed deals the same game again, with every value that is tried."""
    work = work_of("hand limit=8,12", games=3)
    seeds = work.plan.seeds(Chunk(1, 0, 3))
    assert seeds == work.plan.seeds(Chunk(0, 0, 3)) and len(seeds) == 3
    result = files_of(work, Chunk(1, 0, 3))
    assert pq.read_table(io.BytesIO(result["games"]))["seed"].to_pylist() == [seed % 2**64 for seed in seeds]
    rules = rules_of(library.load("2022"), work.plan.settings[1])
    seed, machine = seeds[2] % 2**64, rules.machine(4)
    game = Game.start(rules, ["a", "b", "c", "d"], seed=seed)
    s = machine.new(seed)
    machine.run(s)
    assert game.state == s
    machine.play_out(s, fractions(seed))
    totals = [sum(machine.call(line.function, s, seat)[0][0] for line in game.program.scoring) for seat in range(4)]
    assert pq.read_table(io.BytesIO(result["seats"]))["total"].to_pylist()[8:] == totals


@pytest.mark.rotating(5)
def test_settings_share_shuffles_and_differ_in_rules() -> None:
    work = work_of("no bluffing=no,yes", "hand limit=10,12", games=40)
    assert [dict(setting) for setting in work.plan.settings] == [
        {"no bluffing": bluffing, "hand limit": limit} for bluffing in ("no", "yes") for limit in ("10", "12")
    ]
    assert work.plan.labels[1] == "no bluffing no, hand limit 12"
    usual, plain = (work_of(*options, games=40) for options in (["hand limit=10"], []))
    chunk = Chunk(0, 0, 10)
    ends = [files_of(made, it)["seats"] for made, it in ((work, chunk), (usual, chunk), (plain, chunk))]
    assert len({str(pq.read_table(io.BytesIO(end)).to_pydict()) for end in ends}) == 1
    assert work.play(chunk) != work.play(Chunk(1, 0, 10))


# ── refusals ──


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the command's error message."""
    assert main(["simulate", *arguments]) == 2
    text = capsys.readouterr().err
    assert text.startswith("rulewright: ") and "Traceback" not in text
    return text


@pytest.mark.parametrize(
    "arguments, text",
    [
        ("--games 0", "--games is a whole number from 1 to 100,000,000, not 0"),
        ("--games x", "A whole number is expected, not 'x'"),
        ("--games 999999999999", "not 999,999,999,999"),
        ("--processes 0", "--processes is a whole number from 1"),
        ("--processes 2 --cluster tcp://127.0.0.1:1", "leave out --processes"),
        ("--seed -1", "A seed is a whole number"),
        ("--seats you,random,random", "People are not simulated"),
        ("--seats random,random,search-50ms", "'search-50ms' thinks by the clock"),
        ("--seats random,random,search-0", "a search may take from 1 to"),
        ("--seats random", "Wild Cards 2022 is for 2 to 5 players, not 1"),
        ("--seats randum,random,random", "Did you mean 'random'?"),
        ("--option hand-limt=9", "no option or value 'hand-limt'. Did you mean 'hand limit'? Options: even removal"),
        ("--option hand-limit=many", "The value 'hand limit' is a whole number, not 'many'"),
        ("--option hand-limit=8,08", "'hand limit' has the same value twice"),
        ("--option hand-limit=8 --option hand-limit=9", "'hand limit' is given twice"),
        ("--option starter=3", "it is worked out from 'left of talisman's owner'"),
        ("--option animals-removed=3", "it is worked out from 'number of seats'"),
        ("--option no-bluffing=perhaps", "can be no or yes, not 'perhaps'"),
        (f"--option hand-limit={','.join(map(str, range(101)))}", "101 combinations; at most 100"),
    ],
)
def test_impossible_arguments_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: str, text: str
) -> None:
    out = tmp_path / "run"
    assert text in refused(capsys, "2022", "--out", str(out), *arguments.split(" "))
    assert not out.exists()


def test_game_that_cannot_be_played_to_its_end_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "stuck.yaml"
    file.write_text(RACE.replace("add stride to gold", "add 9 / (4 - stride) rounded down to gold"))
    assert main(["simulate", str(file), "--games", "5", "--out", str(tmp_path / "run"), "--quiet"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "of 5 games could not be played to" in text and "divides by zero" in text


def test_rules_too_large_for_native_code_run_on_the_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four thousand different sentences took 4.7 GB, and ended with a traceback."""
    pytest.importorskip("wasmtime")
    monkeypatch.setenv(cache.VARIABLE, "off")
    file = tmp_path / "race.yaml"
    file.write_text(RACE)
    run = ["simulate", str(file), "--games", "20", "--processes", "1", "--out"]
    assert main([*run, str(tmp_path / "native")]) == 0
    assert "machine" not in capsys.readouterr().err
    monkeypatch.setattr(emitting, "MAX_NAMES", 10)
    assert main([*run, str(tmp_path / "machine")]) == 0
    assert "played by the machine, which is slower: the rules are too long for native code" in " ".join(
        capsys.readouterr().err.split()
    )
    native_, machine = (pq.read_table(tmp_path / name / "seats") for name in ("native", "machine"))
    assert native_ == machine


@pytest.mark.long
def test_rules_of_six_hundred_sentences_are_too_long_for_native_code() -> None:
    pytest.importorskip("wasmtime")
    sums = ", ".join(f"set past to (number of seats where gold is {n}) * {n} + total gold of seats" for n in range(600))
    machine = library.from_text(RACE.replace("- add 1 to past", f"- [{sums}]")).machine(2)
    with pytest.raises(native.TooLong):
        native.Bulk(machine.program)


NARROW = """\
rulewright: 1
title: Narrow gate
players: 1
counters: {seat: {gold: 0}}
phases:
  play:
    do:
      - each seat:
          - choose number from 0 to 9 as key: {ask: Which key?}
          - set gold to 9 / (key / 9 rounded down) rounded down
      - end game
scoring: {gold: {points: gold}}
"""


@pytest.mark.rotating(4)
def test_an_unplayed_edition_does_not_stop_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Random play cannot end this game; but only search players play."""
    file = tmp_path / "narrow.yaml"
    file.write_text(NARROW)
    assert main(["simulate", str(file), "--games", "5", "--out", str(tmp_path / "chance"), "--quiet"]) == 1
    assert "divides by zero" in " ".join(capsys.readouterr().out.split())
    assert main(["simulate", str(file), "--games", "5", "--seats", "greedy", "--out", str(tmp_path / "run")]) == 0
    assert "9.0 points" in capsys.readouterr().out


STUCK = """\
rulewright: 1
title: Stuck
players: 2
pieces: {card: {has: {value: 1 to 6}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: all}, row: {seen by: all}, hand: {of: seat, seen by: owner}}
phases:
  play:
    do:
      - each seat: do draw
      - SENTENCE
    steps: {draw: {text: Take one., do: [choose 1 from deck into hand: {ask: Which?}]}}
"""


@pytest.mark.rotating(3)
@pytest.mark.parametrize("seats", ["random,random", "greedy,random"])
@pytest.mark.parametrize(
    "sentence, text",
    [
        ("let best be row, if best's value is 3: end game", "exactly one card here, but there is none."),
        ("let best be deck, if best's value is 3: end game", "exactly one card here, but there are several."),
        ("let who be seats, if who is left of who: end game", "exactly one seat here, but there are several."),
    ],
)
def test_every_stop_names_the_seed_and_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seats: str, sentence: str, text: str
) -> None:
    file = tmp_path / "stuck.yaml"
    file.write_text(STUCK.replace("- SENTENCE", "- " + sentence.replace(", if", "\n      - if")))
    arguments = [str(file), "--seats", seats, "--games", "4", "--out", str(tmp_path / "run"), "--quiet"]
    assert main(["simulate", *arguments]) == 1
    result = " ".join(capsys.readouterr().out.split())
    assert "4 of 4 games could not be played to their ends" in result and text in result
    assert re.search(r"with the seed \d+, stops in round 1, after 2 answers\.", result)


@pytest.mark.parametrize(
    "change, text",
    [
        ({"seed": 2}, "the seed (1 there, 2 now)"),
        ({"seats": "random,random,random"}, "the seats (random,random,random,random there, random,random,random now)"),
        ({"options": ["cash only=no"]}, "the options (cash only=no,yes there, cash only=no now)"),
        ({"edition": GOOFSPIEL, "options": []}, f"the edition ({WHARF} there)"),
    ],
)
def test_a_folder_of_another_run_is_refused(tmp_path: Path, whole: dict[str, bytes], change: Any, text: str) -> None:
    path = laid(tmp_path, whole)
    with pytest.raises(FolderError, match=f"holds another run; what differs: .*{re.escape(text)}"):
        run(path, **change)
    assert contents(path) == whole


def laid(tmp_path: Path, whole: dict[str, bytes]) -> Path:
    for name, content in whole.items():
        file = tmp_path / "run" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return tmp_path / "run"


def test_other_version_is_another_run(tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "__version__", "99")
    with pytest.raises(FolderError, match=r"the version of Rulewright \(.* there, 99 now\)"):
        run(laid(tmp_path, whole))


@pytest.mark.parametrize(
    "content, text",
    [
        (b"{", "it is damaged"),
        (b"\xff", "it is damaged"),
        (b"[" * 100_000, "it is damaged"),
        (b" " * 1_000_001, "it is too large"),
        (b"[]", "it is no simulation of Rulewright"),
        (b'{"rulewright simulation": 2}', "it has another format (2) than this (1)"),
        (b'{"rulewright simulation": 1}', "it is damaged"),
    ],
)
def test_a_damaged_plan_is_refused(tmp_path: Path, whole: dict[str, bytes], content: bytes, text: str) -> None:
    path = laid(tmp_path, whole)
    (path / "run.json").write_bytes(content)
    with pytest.raises(FolderError, match=re.escape(f"run.json' cannot be used: {text}")):
        run(path)


@pytest.mark.parametrize(
    "key", sorted(json.loads(json.dumps(work_of(edition=WHARF).plan.to_json())).keys() - {"rulewright simulation"})
)
@pytest.mark.parametrize("value", [None, -1, {}, [1], [[]]])
def test_a_plan_with_a_wrong_value_is_refused(tmp_path: Path, whole: dict[str, bytes], key: str, value: Any) -> None:
    values = {**read(laid(tmp_path, whole)).to_json(), key: value}
    with pytest.raises(PlanError, match="it is damaged"):
        Plan.from_json(json.dumps(values))


def test_files_that_do_not_belong_to_the_run(tmp_path: Path, whole: dict[str, bytes]) -> None:
    path = laid(tmp_path, whole)
    file = path / "seats" / "000-000000010.parquet"
    for content, text in ((b"PAR1", "is damaged"), (whole["seats/000-000000020.parquet"], "belongs to another run")):
        file.write_bytes(content)
        with pytest.raises(RulewrightError, match=rf"seats/000-000000010.parquet' {text}"):
            run(path)
    file.write_bytes(whole["seats/000-000000010.parquet"])
    (path / "games" / "more.parquet").write_bytes(b"")
    with pytest.raises(FolderError, match=r"games/more.parquet' does not belong to this run"):
        run(path)


def test_folders_that_cannot_be_used(tmp_path: Path, whole: dict[str, bytes]) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(FolderError, match="file' is no folder"):
        run(tmp_path / "file")
    with pytest.raises(FolderError, match="holds something else than a simulation"):
        run(tmp_path)
    with pytest.raises(FolderError, match="cannot be written: Not a directory"):
        run(tmp_path / "file" / "below")
    path = laid(tmp_path, whole)
    with Folder(path, read(path)).open():
        with pytest.raises(FolderError, match="Another simulation is writing to"):
            run(path)
    assert run(path) == 0


def test_command_says_where_the_tables_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    small_chunks(monkeypatch)
    arguments = ["simulate", str(ROOT / GOOFSPIEL), "--games", "20", "--processes", "1", "--seed", "7"]
    assert main(arguments) == 0
    output = capsys.readouterr()
    (folder,) = (tmp_path / "simulations").iterdir()
    assert folder.name.endswith("goofspiel-7") and f"simulations/{folder.name}" in output.out
    assert "20 games of 13.0 rounds" in output.out and output.err.splitlines() == ["10 of 20 games", "20 of 20 games"]
    assert main([*arguments, "--quiet"]) == 0
    assert not capsys.readouterr().err


@pytest.mark.rotating(2)
def test_changed_rules_get_a_folder_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file, rules = tmp_path / "mine.yaml", (ROOT / GOOFSPIEL).read_text(encoding="utf-8")
    for text in (rules, f"{rules}age: 8\n", rules.replace("highest score", "lowest score"), rules):
        file.write_text(text, encoding="utf-8")
        assert main(["simulate", "mine.yaml", "--games", "20", "--processes", "1", "--quiet"]) == 0
    assert sorted(path.name for path in (tmp_path / "simulations").iterdir()) == ["mine-1", "mine-1-2"]


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(common, "find_spec", lambda name: None if name == "pyarrow" else name)
    assert "pip install 'rulewright[simulate]'" in refused(capsys, "2022")


def test_run_ends_with_its_report(tmp_path: Path) -> None:
    assert main(["simulate", GOOFSPIEL, "--games", "20", "--out", str(tmp_path / "run"), "--quiet"]) == 0
    assert "Goofspiel" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
