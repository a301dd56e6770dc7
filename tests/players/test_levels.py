"""Levels: low ones err like beginners, but miss no win that is there at once, and give none away in plain sight."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import LEVELS, make_player
from rulewright.players.evaluation import executor_of
from rulewright.players.kinds import SHORT_TRIES, Budget, level_tries
from rulewright.players.level_player import JUDGEMENTS
from rulewright.players.plain_sight import PlainSight
from rulewright.players.search import SearchPlayer
from rulewright.players.tree_search import picked_keys
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native.tree import TriedChoice
from whole_games import EDITIONS

pytest.importorskip("wasmtime")

SEEDS = range(6)


def after(columns: str) -> Game:
    """Return a game of discs after drops into these columns."""
    game = Game.start(library.load("classics/four-in-a-row"), ["Ann", "Bo"], {}, 1)
    for column in columns:
        seat = game.pending.seats[0]
        _, decision = game.known(seat)
        keys = game.offer(decision).keys(decision.candidates)
        game.answer(seat, [key for key in keys if key.startswith(column)])
    return game


def columns_chosen(game: Game, level: str, seeds: Sequence[int] = SEEDS) -> set[str]:
    seat = game.pending.seats[0]
    info_state, decision = game.known(seat)
    player = make_player(level, game.machine)
    answers = (player.choose(info_state, decision, random.Random(seed)) for seed in seeds)
    return {game.offer(decision).keys(answer)[0][0] for answer in answers}


@pytest.mark.rotating(2)
@pytest.mark.parametrize("level", LEVELS)
def test_no_level_misses_a_win_at_once(level: str) -> None:
    assert columns_chosen(after("agagag"), level) == {"a"}


@pytest.mark.rotating(2)
@pytest.mark.parametrize("level", LEVELS[1:])
def test_who_plays_better_than_a_beginner_gives_no_win_away_in_plain_sight(level: str) -> None:
    assert columns_chosen(after("agaga"), level) == {"a"}


def test_a_beginner_takes_answers_of_more_kinds_and_the_judgement_of_levels_grows() -> None:
    assert len(columns_chosen(after(""), "easy", range(12))) > len(columns_chosen(after(""), "best", range(3)))
    judgements = [JUDGEMENTS[level] for level in LEVELS[:-1]]
    for lower, higher in itertools.pairwise(judgements):
        assert lower.worth_a_look < higher.worth_a_look and lower.sharpness < higher.sharpness
        assert lower.considered > higher.considered


@pytest.mark.parametrize(("name", "factor"), [("classics/chess", SHORT_TRIES), ("classics/reversi", 1)])
def test_a_level_makes_more_tries_where_they_are_short(name: str, factor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    iterations = []

    class CountedPlayer(SearchPlayer):
        def __init__(self, machine: Machine, budget: Budget, **more: Any) -> None:
            iterations.append(budget.iterations)
            super().__init__(machine, budget, **more)

    monkeypatch.setattr("rulewright.players.level_player.SearchPlayer", CountedPlayer)
    game = Game.start(library.load(name), ["Ann", "Bo"], {}, 1)
    info_state, decision = game.known(game.pending.seats[0])
    make_player("easy", game.machine).choose(info_state, decision, random.Random(1))
    assert iterations == [factor * level_tries("easy", len(decision.candidates))]


def test_plain_sight_sees_ends_alone() -> None:
    """Say so to seats that give no win away, or are left with nothing else."""
    for columns, wins, gives in (("agagag", {"a"}, "bcdefg"), ("agaga", set(), "bcdefg"), ("", set(), "")):
        game = after(columns)
        seat = game.pending.seats[0]
        info_state, decision = game.known(seat)
        sight = PlainSight(
            game.machine, executor_of(game.machine), info_state, decision, random.Random(1), hidden=False
        )
        keys = [game.offer(decision).keys([item])[0][0] for item in decision.candidates]
        places = range(len(keys))
        assert {keys[place] for place in places if sight.wins(place)} == wins
        if not wins:
            assert {keys[place] for place in places if sight.gives_win([place])} == set(gives)


@pytest.mark.rotating(2)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("edition", ["goofspiel", "magpies"])
def test_levels_play_whole_games_where_something_is_hidden(level: str, edition: str) -> None:
    machine = EDITIONS[edition].machine(2)
    player, chance = make_player(f"{level}-20ms", machine), make_player("random", machine)
    s = machine.new(4)
    machine.run(s)
    rng = random.Random(4)
    while open_ := machine.open_decisions(s):
        decision = open_[0]
        chooser = player if decision.seat else chance
        known = information_state(machine, s, decision.seat)
        answer = chooser.choose(known, decision, rng)
        assert decision.least <= len(answer) <= decision.most and set(answer) <= set(decision.candidates)
        machine.answer(s, decision, answer)
        machine.run(s)


def test_picks_end_where_the_tree_goes_on_with_another_question() -> None:
    """The places after the last die that is kept are those of the next question."""
    decision = OpenDecision(0, 0, (0, 1, 2), 0, 3, ())
    after_picks = {(): [0, 2, -1], (2,): [0, 1, 2, 3], (0,): [1, 2, -1], (0, 1): [2, -1], (0, 1, 2): [0]}

    def choices_after(picks: Sequence[int]) -> list[TriedChoice]:
        return [TriedChoice(place, 1, 0.5, 0) for place in after_picks.get(tuple(picks), [])]

    keys = {0: 7, 1: 7, 2: 9}
    assert picked_keys(decision, keys, choices_after, lambda choices: choices[1]) == [9]
    assert picked_keys(decision, keys, choices_after, lambda choices: choices[0]) == [7, 7, 9]
    three = OpenDecision(0, 0, (0, 1, 2), 3, 3, ())
    assert sorted(picked_keys(three, keys, choices_after, lambda choices: choices[1])) == [7, 7, 9]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("seed", range(3))
def test_levels_keep_dice(seed: int) -> None:
    machine = library.load("classics/yacht").machine(2)
    player = make_player("easy", machine)
    s, rng = machine.new(seed), random.Random(seed)
    machine.run(s)
    for _ in range(30):
        decision = machine.open_decisions(s)[0]
        answer = player.choose(information_state(machine, s, decision.seat), decision, rng)
        assert decision.least <= len(answer) <= decision.most and len(set(answer)) == len(answer)
        machine.answer(s, decision, answer)
        machine.run(s)
