"""Insight from players that think: figures that are known of small games."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rulewright import cli
from rulewright.game import library
from rulewright.players.seating import read_seats
from rulewright.simulation import planning
from rulewright.simulation.insight import Insight, InsightGames, weaker_kind

LADDER = """\
rulewright: 1
title: Ladder
players: 2
counters: {game: {turns: 0}, seat: {height: 0}}
phases:
  climb:
    do:
      - each seat:
          - choose one as deed:
              ask: What do you do?
              among:
                climb: {do: add 2 to height}
                rest: {do: add 1 to height}
                fall: {do: take 1 from height}
      - add 1 to turns
      - if turns is 5: end game
setup: {do: [each seat: add 5 to height]}
scoring: {height: {points: height}}
ranking: highest score
"""


def played(kinds: str, games: int, text: str = LADDER) -> Insight:
    rules = library.from_text(text)
    seats = read_seats(kinds, rules.edition)
    setting = planning.compile_setting(rules, seats, {})
    of_games = InsightGames(setting, [seat.player for seat in seats], seed=1)
    of_games.play(math.inf, games)
    return of_games.insight()


@pytest.mark.rotating(2)
def test_what_nobody_chooses_is_dead_and_even_players_share_the_win() -> None:
    insight = played("search-60,search-60", 15)
    assert insight.games == 15
    assert {choice for _, choice in insight.dead} == {"rest", "fall"}
    assert [wins.value for wins in insight.wins] == [0.5, 0.5], "both always climb"
    assert insight.depth is not None and insight.depth.count == 5
    assert insight.settled is None and insight.halfway is None, "nobody wins alone, or leads alone halfway"
    assert insight.changes is not None and insight.changes.value == 0.0


def test_random_players_have_no_depth_and_leave_nothing_dead() -> None:
    insight = played("random,random", 12)
    assert insight.depth is None and insight.dead == []
    assert insight.changes is not None and insight.changes.value > 0


@pytest.mark.parametrize(
    ("kind", "weaker"),
    [
        ("best", "hard"),
        ("medium", "easy"),
        ("easy", None),
        ("random", None),
        ("search-200", "search-50"),
        ("search-1", None),
    ],
)
def test_who_thinks_less(kind: str, weaker: str | None) -> None:
    assert weaker_kind(kind) == weaker


def test_insight_is_told_in_the_language_of_the_reader(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ladder.yaml"
    file.write_text(LADDER, encoding="utf-8")
    arguments = ["simulate", str(file), "--seats", "search-8,search-8", "--insight", "1", "--games", "6"]
    assert cli.main(arguments) == 0
    output = " ".join(capsys.readouterr().out.split())
    assert "6 games of players that think." in output and "Drama: the lead changes" in output
    assert cli.main([*arguments, "--lang", "de"]) == 0
    assert "6 Partien denkender Spieler." in capsys.readouterr().out
    assert not (tmp_path / "simulations").exists()
