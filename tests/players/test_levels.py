"""Levels: low ones err like beginners, but miss no win that is there at once, and give none away in plain sight."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import LEVELS, make_player
from rulewright.players.evaluation import executor_of
from rulewright.players.level_player import JUDGEMENTS
from rulewright.players.plain_sight import PlainSight
from rulewright.runtime.information_state import information_state
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


def test_plain_sight_sees_ends_alone() -> None:
    """Whoever gives no win away, or is left with nothing else, is told so."""
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
