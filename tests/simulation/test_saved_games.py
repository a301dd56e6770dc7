"""Games of people, counted as simulated ones are: what the tables tell is what happened."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from rulewright import cli
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules

pq = pytest.importorskip("pyarrow.parquet")

LAST_ANSWER = 30


def game(rules: Rules, seed: int, *, leo: bool = False, options: dict[str, str] | None = None, most: int = 0) -> Game:
    """A game at random, in whose turns the seats come in any order; of `most` answers, if that is not 0."""
    names = ["Ada", "Ben", *(["Leo"] if leo else ["Cora"])]
    played = Game.start(rules, names, options, seed, {"Leo": "leo"} if leo else {})
    rng = random.Random(seed)
    while not played.over and not (most and len(played.history.answers) == most):
        seat, _ = rng.choice(played.pending.ids)
        decision = played.decision(seat)
        assert decision is not None
        keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
        played.answer(seat, rng.sample(keys, rng.randint(decision.least, decision.most)))
    return played


def saved(folder: Path, *games: Game) -> list[str]:
    paths = [folder / f"game-{number}.json" for number in range(len(games))]
    for path, one in zip(paths, games, strict=True):
        path.write_text(json.dumps(one.save()), encoding="utf-8")
    return list(map(str, paths))


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / name).to_pylist()
    return rows


CUT = """\
rulewright: 1
title: Cut
players: 2
pieces: {card: {copies: 8, starts in: box}}
zones: {box: {seen by: all}, hand: {of: seat, seen by: all}, pot: {of: seat, seen by: all}}
setup: {do: [each seat: move first 4 of box to hand]}
phases:
  play:
    do:
      - all seats at once: [choose 1 from hand into pot: {ask: Which?}]
      - if every seat has (hand is empty): end game
scoring: {cards: {points: number of pot * 0.5}}
limit: {answers: 3, scored: yes}
"""


def test_a_limit_may_come_before_somebody_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last seat answers first each time; then the limit is reached, and nobody answered before."""
    file, out = tmp_path / "cut.yaml", tmp_path / "out"
    file.write_text(CUT, encoding="utf-8")
    cut = Game.start(library.load(str(file)), ["Ada", "Ben"], seed=1)
    while not cut.over:
        seat, _ = cut.pending.ids[-1]
        decision = cut.decision(seat)
        assert decision is not None
        cut.answer(seat, [decision.choices[0].key])
    assert [seat for seat, _ in cut.history.answer_keys()] == [1, 0, 1]
    assert cli.main(["simulate", str(file), "--played", *saved(tmp_path, cut), "--out", str(out)]) == 0
    assert "1 of 1 game came to the limit" in capsys.readouterr().out
    assert [(row["total"], row["points: cards"]) for row in table(out, "seats")] == [(0.5, 0.5)] * 2
    answers = {seat: sum(row["chosen"] for row in table(out, "choices") if row["seat"] == seat) for seat in (1, 2)}
    assert answers == {1: 1, 2: 2}


@pytest.mark.rotating(2)
@pytest.mark.parametrize("leo", [True, False])
def test_tables_tell_what_happened(leo: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, out = library.load("wild-cards/2022"), tmp_path / "out"
    games = [game(rules, seed, leo=leo, options={"no bluffing": "yes"}) for seed in (7, 3)]
    assert cli.main(["simulate", "wild-cards/2022", "--played", *saved(tmp_path, *games), "--out", str(out)]) == 0
    assert "2 games of " in capsys.readouterr().out and "report" in [path.stem for path in out.iterdir()]
    rows = table(out, "games")
    assert [(row["seed"], row["decisions"]) for row in rows] == [(one.seed, len(one.history.answers)) for one in games]
    assert [row["rounds"] for row in rows] == [one.view(None).round for one in games]
    seats = table(out, "seats")
    for number, one in enumerate(games):
        lines = {row["seat"] - 1: (row["place"], row["total"]) for row in seats if row["game"] == number}
        for log in one.standings():
            assert lines[log.seat] == (log.rank, log.total)
    assert {row["player"] for row in seats} == {"person"}
    run = json.loads((out / "run.json").read_text(encoding="utf-8"))
    assert run["settings"][0]["no bluffing"] == "yes" and run["games"] == 2
    choices = table(out, "choices")
    assert sum(row["chosen"] for row in choices) >= sum(len(one.history.answers) for one in games)


@pytest.mark.rotating(4)
def test_equal_games_are_counted_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, out = library.load("wild-cards/2022"), tmp_path / "out"
    paths = saved(tmp_path, *(game(rules, seed) for seed in (1, 2)))
    command = ["simulate", "wild-cards/2022", "--out", str(out), "--played"]
    assert cli.main([*command, *paths]) == cli.main([*command, *paths]) == 0
    assert "has all games already" in capsys.readouterr().err
    assert cli.main([*command, paths[0]]) != 0
    assert "the saved games" in capsys.readouterr().err
    assert cli.main(["report", str(out)]) == 0


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["{0}", "{0}"], "is given twice"),
        (["{0}", "{1}"], "with other seats or options"),
        (["{0}", "{2}"], "with other seats or options"),
        (["{3}"], "is not over"),
        (["{4}"], "was played by other rules than the edition has now"),
        (["nothing.json"], "There is no file 'nothing.json'"),
        (["{0}", "--games", "5"], "--games is for editions that are simulated"),
        (["{0}", "--option", "no bluffing=yes"], "--option is for editions that are simulated"),
    ],
)
def test_impossible_arguments_are_refused(
    arguments: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = library.load("wild-cards/2022")
    others = [
        game(rules, 2, leo=True),
        game(rules, 2, options={"no bluffing": "yes"}),
        game(rules, 2, most=LAST_ANSWER),
    ]
    paths = saved(tmp_path, game(rules, 1), *others, game(library.load("wildlife/2002"), 1, most=1))
    inputs = [argument.format(*paths) for argument in arguments]
    out = tmp_path / "out"
    assert cli.main(["simulate", "wild-cards/2022", "--out", str(out), "--played", *inputs]) != 0
    assert text in " ".join(capsys.readouterr().err.split()) and not out.exists()
