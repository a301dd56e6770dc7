"""Games that cannot be played to their ends: they are counted apart, and the others go on."""

from __future__ import annotations

from array import array
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rulewright.cli import main
from rulewright.game import library
from rulewright.players.seating import Seat
from rulewright.runtime import native
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.native.results import GAME_WORDS, STOPPED
from rulewright.runtime.operations import RuleError
from rulewright.simulation import results_folder
from rulewright.simulation.chunk_player import random_answer_function
from rulewright.simulation.tally import Tally
from rulewright.simulation.tuning.configurations import CandidateTable
from rulewright.simulation.tuning.search_space import SearchSpace

TRAPS = """\
rulewright: 1
title: Traps
players: 2
counters: {seat: {gold: 0, rings: 0}, game: {past: 0}}
phases:
  play:
    do:
      - each seat:
          - choose number from 0 to 9 as key: {ask: Which key?}
          - choose one: {ask: What now?, among: {sell: {do: add 1 to gold}, keep: {do: add 1 to rings}}}
          - add 9 / key rounded down to gold
          - if key is 9: [{repeat while key is 9: add 0 to gold}]
      - add 1 to past
      - if past is 2: end game
scoring: {gold: {points: gold}}
measures: {rings: {title: Rings, is: rings}}
"""
ENDLESS, DIVIDED = "never come to an end in 'play'", "divides by zero"
GAMES = 16


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "traps.yaml").write_text(TRAPS)
    return "traps.yaml"


@pytest.mark.rotating(6)
def test_native_code_counts_the_games_around_one_that_stops() -> None:
    pytest.importorskip("wasmtime")
    machine = library.from_text(TRAPS).machine(2)
    counting = StatisticsLayout(machine.program)
    words, tally, stopped = array("i"), Tally(counting, machine), {}
    for seed in range(GAMES):
        s = machine.new(seed)
        try:
            words.extend(tally.play(s, random_answer_function(seed, machine)))
        except RuleError as error:
            words.extend(tally.stopped_game(s))
            stopped[seed] = str(error)
    result = native.Bulk(machine.program, counting).counted_games(machine.new(0), range(GAMES))
    assert {why for why in stopped.values() if ENDLESS in why} and {why for why in stopped.values() if DIVIDED in why}
    assert 0 < len(stopped) < GAMES and result.stopped == stopped
    assert (result.words, result.sums) == (words, tally.sums)
    width = len(words) // GAMES
    assert {words[width * game + GAME_WORDS - 1] for game in stopped} == {STOPPED}


def test_a_stopped_game_is_reported_and_the_others_are_counted(traps: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", traps, "--games", str(GAMES), "--out", "run", "--processes", "1", "--quiet"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    [setting] = results_folder.read(Path("run")).settings
    games = pq.read_table("run/games").to_pylist()
    stopped = [game for game in games if game["stopped"] is not None]
    ended = [game for game in games if game["stopped"] is None]
    first, count = stopped[0], len(stopped)
    assert 0 < count < GAMES and len(games) == GAMES and len(setting.games) == len(ended)
    assert f"Traps: {count} of {GAMES} games could not be played to their ends and have no result" in text
    assert f"with the seed {first['seed']}, stops in round {first['rounds']}, after" in text
    assert f"{len(ended)} games of 2.0 rounds" in text
    assert {game["winners"] for game in stopped} == {None} and {game["limited"] for game in games} == {False}
    seats = pq.read_table("run/seats").to_pylist()
    alone = {game["game"] for game in stopped}
    assert {seat["total"] for seat in seats if seat["game"] in alone} == {None}
    assert all(seat["total"] is not None for seat in seats if seat["game"] not in alone)
    choice = pq.read_table("run/choices").to_pylist()
    assert sum(
        row["chosen"] for row in choice if row["step"] == "play" and row["choice"] in ("sell", "keep")
    ) == 4 * len(ended)
    assert first["stopped"] in Path("run/report.html").read_text().replace("&#39;", "'").replace("&#x27;", "'")


@pytest.mark.rotating(6)
def test_search_players_go_on_after_a_stopped_game(traps: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", traps, "--games", "4", "--seats", "random,greedy", "--out", "run", "--quiet"]) == 0
    count = sum(game["stopped"] is not None for game in pq.read_table("run/games").to_pylist())
    assert 0 < count < 4
    assert f"{count} of 4 games could not be played" in " ".join(capsys.readouterr().out.split())


def test_comparisons_leave_out_stopped_games(traps: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("safe.yaml").write_text(TRAPS.replace("from 0 to 9", "from 1 to 8"))
    assert main(["compare", "safe.yaml", traps, "--games", str(GAMES), "--quiet"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert f"of {GAMES} games could not be played to their ends" in text and "the first of them" in text.lower()


@pytest.mark.parametrize("key", ["0 to 0", "9 to 9"], ids=["by an error", "for ever"])
def test_where_every_game_stops_the_command_says_so(traps: str, capsys: pytest.CaptureFixture[str], key: str) -> None:
    Path(traps).write_text(TRAPS.replace("0 to 9", key))
    assert main(["simulate", traps, "--games", "5", "--out", "run", "--processes", "1", "--quiet"]) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert "5 of 5 games could not be played to their ends and have no result" in text
    assert main(["report", "run"]) == 0


def test_a_stop_in_the_setup_stops_all_games(traps: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(traps).write_text(TRAPS + "setup: {do: [{each seat: add 9 / gold rounded down to gold}]}\n")
    assert main(["simulate", traps, "--games", "5", "--out", "run", "--processes", "1", "--quiet"]) == 1
    assert "stops before the first round, after 0 answers" in " ".join(capsys.readouterr().out.split())


def test_a_continued_run_keeps_stopped_games(traps: str, capsys: pytest.CaptureFixture[str]) -> None:
    simulate = ["simulate", traps, "--out", "run", "--processes", "1", "--quiet", "--games"]
    assert main([*simulate, "10"]) == main([*simulate, str(GAMES)]) == 0
    whole = pq.read_table("run/games").sort_by("game").select(["game", "seed", "stopped"])
    assert main(["simulate", traps, "--out", "other", "--processes", "1", "--quiet", "--games", str(GAMES)]) == 0
    assert whole == pq.read_table("other/games").sort_by("game").select(["game", "seed", "stopped"])


def test_values_with_which_many_games_stop_are_not_proposed() -> None:
    rules = library.from_text(TRAPS)
    seats = tuple(Seat(name, "random", None) for name in ("Ada", "Ben"))
    table = CandidateTable(rules, seats, SearchSpace(()), {}, 1, GAMES, unended=0.0)
    assert "come to no result" in str(table.play(()).problem)


LONG = """\
rulewright: 1
title: Long
players: 2
pieces: {card: {has: {value: 1 to 9}, starts in: row, noun: "{value}"}}
zones: {row: {seen by: all}, front: {of: seat, seen by: all}}
counters: {game: {pot: 0}}
scoring: {pot: {points: pot}}
phases:
  play:
    do:
      - each seat:
          - choose 1 from row into front: {ask: Which?}
"""
SENTENCE = (
    "      - set pot to (number of cards in row where value is {}) * {} + total value of cards in front of seats\n"
)


@pytest.mark.rotating(10)
def test_rules_too_long_for_native_code_are_played_with_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A compiler of whole games needs memory that grows with the square of their length."""
    pytest.importorskip("wasmtime")
    sentences = "".join(f"{SENTENCE.format(number % 9, number)}\n" for number in range(700))
    (tmp_path / "long.yaml").write_text(f"{LONG}{sentences}      - end game\n")
    run = tmp_path / "run"
    assert main(["simulate", str(tmp_path / "long.yaml"), "--games", "3", "--out", str(run), "--processes", "1"]) == 0
    assert "the rules are too long for native code" in " ".join(capsys.readouterr().err.split())
    seats = pq.read_table(run / "seats").to_pylist()
    assert [row["total"] for row in seats[::2]] == [row["total"] for row in seats[1::2]]
    assert all(3 <= row["total"] % 699 <= 17 for row in seats)  # two cards, and 699 unless a 6 is taken
