"""Replayed games of a run give the rows of its tables."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import rulewright
from rulewright.cli import main
from rulewright.simulation import plan
from rulewright.simulation.replay import ReplayError, replay

HAZARD = """\
rulewright: 1
title: Hazard
players: 2 to 3
words: {colour: {red: {}, blue: {}}}
options: {blind: {text: Nobody sees the deck.}}
values: {game: {size: 2}}
pieces:
  card: {has: {colour: colour, value: 1 to 4}, copies: 2, starts in: deck, noun: "{colour} {value}"}
zones:
  deck: {seen by: nobody, pile: yes}
  hand: {of: seat, seen by: owner}
  front: {of: seat, seen by: all}
counters: {game: {turns: 0}, seat: {spare: 0}}
setup: {do: [shuffle deck, each seat: move top size of deck to hand]}
phases:
  play:
    do:
      - all seats at once:
          - choose up to 2 from hand into front: {ask: Which?}
      - each seat:
          - log: "{seat} [has|have] {front}."
          - move top (number of front) of deck to hand
      - add 1 to turns
      - if turns is 3: end game
scoring: {value: {points: total value of front}}
"""
DIVIDING = "add 6 / (9 - total value of front) rounded down to spare"
STOPPING = HAZARD.replace("- add 1 to", f"- each seat: {DIVIDING}\n      - add 1 to")


def run(folder: Path, text: str, seats: str | None = None, options: tuple[str, ...] = ()) -> Path:
    (folder / "hazard.yaml").write_text(text)
    rulewright.simulate(folder / "hazard.yaml", folder / "run", games=12, seats=seats, options=options, processes=1)
    return folder / "run"


@pytest.mark.rotating(10)
@pytest.mark.parametrize("seats", ["random,random", "greedy,random,search-20"])
def test_a_row_can_be_replayed(seats: str, tmp_path: Path) -> None:
    folder = run(tmp_path, HAZARD, seats, ("blind=no,yes", "size=2,3"))
    rows, of_seats = (pq.read_table(folder / table).to_pylist() for table in ("games", "seats"))
    assert len(rows) == 4 * 12
    for row in rows:
        result = replay(folder, row["game"], row["setting"])
        game = result.game
        assert result.stopped is None and game.over and game.seed == row["seed"]
        assert (len(game.history.answers), game.position.round) == (row["decisions"], row["rounds"])
        points = {standing.seat + 1: standing.total for standing in game.standings()}
        own = [it for it in of_seats if (it["setting"], it["game"]) == (row["setting"], row["game"])]
        assert points == {it["seat"]: it["total"] for it in own}


def test_a_stopped_game_is_replayed_to_its_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = run(tmp_path, STOPPING)
    rows = pq.read_table(folder / "games").to_pylist()
    stopped = [row for row in rows if row["stopped"]]
    assert 0 < len(stopped) < len(rows)
    for row in stopped:
        assert main(["replay", str(folder), "--game", str(row["game"])]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert f"(seed {row['seed']}) cannot be played to its end" in text and "divides by zero" in text
        assert f"in round {row['rounds']}, after {row['decisions']} answers" in text


def test_a_replay_for_a_seat_shows_what_it_saw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(run(tmp_path, HAZARD))
    assert main(["replay", folder, "--game", "3", "--seat", "2"]) == 0
    text = capsys.readouterr().out
    assert "As Ben saw it." in text and "Round 3" in text and "Winner" in text


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (("run",), "'run' is a folder: say with --game N which of its games."),
        (("run", "--game", "12"), "--game is a whole number from 0 to 11."),
        (("run", "--game", "1", "--setting", "1"), "--setting is a whole number from 0 to 0."),
        (("hazard.yaml", "--game", "1"), "--game is for a folder of simulated games."),
        (("hazard.yaml", "--setting", "1"), "--setting is for a folder of simulated games."),
        ((".", "--game", "1"), "There is no simulation in '.': it has no run.json."),
        (("run", "--game", "-1"), "-1"),
    ],
)
def test_unknown_games_are_refused(
    typed: tuple[str, ...],
    text: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    run(tmp_path, HAZARD)
    assert main(["replay", *typed]) == 2
    assert text in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"version": "', '"version": "0.', "may play it otherwise"),
        ('"hash": "', '"hash": "0', "have changed since"),
        ('"player": "random"', '"player": "policy:trained 01234567"', "does not keep its trained players"),
        ('"games per chunk"', '"played": [1], "games per chunk"', "replay their saves"),
    ],
)
def test_a_game_with_other_rules_is_refused(before: str, after: str, message: str, tmp_path: Path) -> None:
    file = run(tmp_path, HAZARD) / "run.json"
    text = file.read_text()
    assert before in text
    file.write_text(text.replace(before, after))
    with pytest.raises(ReplayError, match=message):
        replay(file.parent, 0)


def test_a_run_says_how_it_is_marked() -> None:
    assert plan.Chunk(1, 200, 100).mark("run") == {"run": "run", "setting": 1, "first": 200, "games": 100}
