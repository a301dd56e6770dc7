"""Backgammon for points: what a game counts, with and without doubling."""

from __future__ import annotations

import random

import pytest

from rulewright.game import library
from rulewright.game.game import Game

TRAYS = ("n1", "n3")


def played(seed: int, offer: str) -> Game:
    """Return a game for points, played by chance, with one answer to whether to double; doubling is always taken."""
    game = Game.start(library.load("classics/backgammon"), ["Ann", "Bo"], {"match": "game for points"}, seed)
    chance = random.Random(seed)
    while not game.over:
        decision = game.decisions()[0]
        keys = [choice.key for choice in decision.choices]
        answers = [key for key in (offer, "take") if key in keys]
        game.answer(decision.seat, answers or [chance.choice(keys)])
    return game


def is_gammon(game: Game) -> bool:
    """Return whether the loser has taken off no checker."""
    return any(zone.word in TRAYS and not zone.pieces for zone in game.view(None).zones if zone.name == "stack")


@pytest.mark.rotating(3)
def test_a_gammon_counts_more_only_where_somebody_has_doubled() -> None:
    """Jacoby's rule."""
    seeds = range(4)
    plain = [played(seed, "roll") for seed in seeds]
    assert any(map(is_gammon, plain))
    assert [max(one.total for one in game.standings()) for game in plain] == [1] * len(seeds)
    doubled = next(game for game in (played(seed, "double") for seed in seeds) if is_gammon(game))
    assert max(one.total for one in doubled.standings()) in (128, 192)


def test_the_cube_lies_before_who_is_asked_and_nobody_takes_back_a_double() -> None:
    game = Game.start(library.load("classics/backgammon"), ["Ann", "Bo"], {"match": "game for points"}, 1)
    while "double" not in (keys := [choice.key for choice in game.decisions()[0].choices]):
        game.answer(game.decisions()[0].seat, keys[:1])
    doubler = game.decisions()[0].seat
    game.answer(doubler, ["double"])
    cubes = {zone.owner: zone.pieces for zone in game.view(None).zones if zone.name == "keep"}
    assert cubes == {doubler: (), 1 - doubler: ("doubling cube at 2",)}
    assert [game.can_undo(seat) for seat in (0, 1)] == [False, False]
    game.answer(1 - doubler, ["drop"])
    assert game.over and max(one.total for one in game.standings()) == 1
