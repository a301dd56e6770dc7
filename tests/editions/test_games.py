"""Small games of many kinds: each is played whole, and what it needs of the language is tested by its scenarios."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

from project_folders import TESTS
from rulewright.authoring import scenarios
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.players import choose
from rulewright.publish.labels import Labels

FILES = sorted((TESTS / "games").glob("*.yaml"))
NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")
MOST_LINES = 130
LEAST_CASES = 4
MOST_ANSWERS = 2000

each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@cache
def rules_of(file: Path) -> Rules:
    return library.load(str(file))


def pieces(game: Game) -> list[int]:
    """All pieces that lie somewhere, each as often as it does."""
    return sorted(piece for space in game.program.layout.zones for piece in game.state[space.address])


def test_there_are_games_of_all_kinds() -> None:
    assert {file.stem for file in FILES} >= {"goofspiel", "trumps", "pairs", "four-in-a-row", "magpies"}
    assert {file.stem for file in FILES} >= {"hex", "harbours", "wharf", "showdown", "patience", "millstream"}
    assert {file.stem for file in FILES} >= {"cairns", "ferry-night", "three-banners", "lanes", "wolves"}


@each_file
def test_example_games_are_small(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) < MOST_LINES


@pytest.mark.rotating(3)
@each_file
def test_scenarios_pass(file: Path) -> None:
    cases = TESTS / "scenarios" / "games" / file.name
    expected = len(yaml.safe_load(cases.read_text(encoding="utf-8"))["cases"])
    assert expected >= LEAST_CASES
    out = io.StringIO()
    assert scenarios.run([str(cases)], out) == 0, out.getvalue()
    assert out.getvalue() == f"{expected} passed, 0 failed\n"


@pytest.mark.rotating(3)
@each_file
def test_random_games_end_and_replay(file: Path) -> None:
    rules = rules_of(file)
    for seats in rules.edition.seat_counts():
        for seed in range(2):
            game, chance = Game.start(rules, NAMES[:seats], seed=seed), random.Random(seed)
            whole, answers = pieces(game), 0
            assert whole == list(range(game.program.layout.pieces))
            while not game.over:
                answers += 1
                assert answers < MOST_ANSWERS
                decision = chance.choice(game.decisions())
                game.answer(decision.seat, choose("random", game, decision.seat, answers))
                assert pieces(game) == whole
            assert len(game.standings()) == seats
            again = Game.load(json.loads(json.dumps(game.save())), rules)
            assert again.state == game.state
            assert [again.log.lines(seat) for seat in range(seats)] == [game.log.lines(seat) for seat in range(seats)]


@pytest.mark.rotating(3)
@each_file
def test_games_play_out_in_bulk(file: Path) -> None:
    rules = rules_of(file)
    for seats in rules.edition.seat_counts():
        machine, chance = rules.machine(seats), random.Random(seats)
        for seed in range(20):
            state = machine.new(seed)
            machine.play_out(state, chance.random)
            assert machine.open_decisions(state) == []
            assert sorted(p for space in machine.program.layout.zones for p in state[space.address]) == list(
                range(machine.program.layout.pieces)
            )


def test_all_faces_are_rolled() -> None:
    rules = library.load("classics/liars-dice")
    rolled: Counter[str] = Counter()
    for seed in range(60):
        game = Game.start(rules, NAMES[:4], seed=seed)
        for seat in range(4):
            rolled.update(game.view(seat).zone("cup", seat).pieces or ())
    assert len(rolled) == 6 and sum(rolled.values()) == 1200
    assert all(150 < count < 250 for count in rolled.values())  # 200 of each, five standard deviations either way


def test_counters_show_seats_and_words() -> None:
    game = Game.start(rules_of(TESTS / "games" / "trumps.yaml"), NAMES[:3], seed=1)
    counters = game.view(None).counters
    leader, trump = counters["leader"], counters["trump"]
    assert counters["led"] is None and leader == game.decisions()[0].seat
    assert isinstance(leader, int)
    assert isinstance(trump, str) and str(game.view(None).zone("trump card").pieces).endswith(f"{trump}',)")
    labels = Labels(game)
    assert labels.counter_value("led", None) == "nothing" and labels.counter_value("leader", None) == "nobody"
    assert labels.counter_value("leader", leader) == NAMES[leader] and labels.counter_value("trump", trump) == trump


def test_a_position_says_what_counters_hold(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    edition = TESTS / "games" / "trumps.yaml"
    file.write_text(
        f"edition: {edition}\nseats: [Ada, Ben, Cleo]\ncases:\n  wrong:\n"
        "    given: {phase: play, deck: rest, leader: Zoe, trump: heart}\n    expect: {led: spaces}\n",
        encoding="utf-8",
    )
    out = io.StringIO()
    assert scenarios.run([str(file)], out) == 2
    for message in ("There is no seat 'Zoe'.", "There is no suit 'heart'.", "Did you mean 'hearts'?"):
        assert message in out.getvalue()


def test_repeated_questions_change_nothing() -> None:
    """Finding what can be chosen, seen and scored is work; it must not use up what the game may do."""
    for name in ("four-in-a-row", "hex"):
        game = Game.start(rules_of(TESTS / "games" / f"{name}.yaml"), NAMES[:2], seed=1)
        before = game.state
        for _ in range(20):
            game.decisions()
            game.view(0)
            game.standings()
        assert game.state == before
