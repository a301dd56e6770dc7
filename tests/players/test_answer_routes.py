"""Routes: where one piece can be taken by several answers in a row."""

from __future__ import annotations

import random

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.picks import learned_nothing
from rulewright.publish import outcome_texts
from rulewright.server.tables.answer_rows import SeatAnswer, answer_rows
from whole_games import answer_to


@pytest.mark.parametrize(("edition", "answers"), [("classics/backgammon", 60), ("classics/checkers", 79)])
def test_a_route_is_one_answer_that_takes_a_piece_to_its_last_space(edition: str, answers: int) -> None:
    game, rng, count = Game.start(library.load(edition), ["Ann", "Bo"], seed=3), random.Random(1), 0
    for _ in range(answers):
        [decision] = game.decisions()
        words = game.program.words[decision.choices[0].words] if decision.choices[0].words else ()
        outcomes = outcome_texts.outcomes_by_key(game, decision.seat)
        routes = [route for outcome in outcomes.values() for route in outcome.routes]
        count += len(routes)
        for items, space in routes:
            take, *more = [[words[item]] for item in items]
            assert words[space] not in outcomes, "no single answer leads there"
            after = game.copy()
            for row in answer_rows(game, decision.seat, SeatAnswer(0, take, next=more)):
                after.answer(row.seat, row.take or (), row.decision)
            assert number_of_own(after, decision.seat, words[space]) > number_of_own(game, decision.seat, words[space])
        game.answer(decision.seat, answer_to(decision, rng), decision.id)
    assert count


def number_of_own(game: Game, seat: int, word: str) -> int:
    zones = [zone for zone in game.view(None).zones if zone.word == word]
    return sum(seat_of(game, name) == seat for zone in zones for name in zone.pieces or ())


def seat_of(game: Game, name: str) -> int:
    colours = [word.name for word in game.rules.edition.words["colour"].words]
    return next(number for number, colour in enumerate(colours) if colour in name)


def test_entries_of_a_menu_tell_which_pieces_they_touch() -> None:
    game = Game.start(library.load("classics/backgammon"), ["Ann", "Bo"], {"match": "three points"}, seed=3)
    rng = random.Random(1)
    while {choice.key for choice in game.decisions()[0].choices} != {"roll", "double"}:
        [decision] = game.decisions()
        game.answer(decision.seat, answer_to(decision, rng), decision.id)
    outcomes = outcome_texts.outcomes_by_key(game, game.decisions()[0].seat)
    assert {key: outcome.touched for key, outcome in outcomes.items()} == {"roll": ("die",), "double": ("cube",)}


def test_entries_touch_nothing_where_pieces_are_hidden() -> None:
    game, rng = Game.start(library.load("classics/liars-dice"), ["Ann", "Bo"], seed=3), random.Random(1)
    while game.decisions()[0].kind != "branch":
        [decision] = game.decisions()
        game.answer(decision.seat, answer_to(decision, rng), decision.id)
    outcomes = outcome_texts.outcomes_by_key(game, game.decisions()[0].seat)
    assert not any(outcome.touched for outcome in outcomes.values())


def test_answers_in_a_row_stop_where_something_may_be_learned() -> None:
    """An answer after which dice are rolled, or in a game with hidden cards, tells its seat something."""
    game = Game.start(library.load("classics/backgammon"), ["Ann", "Bo"], seed=3)
    while game.decisions()[0].kind != "branch":
        [decision] = game.decisions()
        game.answer(decision.seat, [decision.choices[0].key])
        assert learned_nothing(game, decision.seat)
    game.answer(decision.seat, ["done"])
    assert not learned_nothing(game, decision.seat)
    hidden = Game.start(library.load("classics/crazy-eights"), ["Ann", "Bo"], seed=3)
    [decision] = hidden.decisions()
    hidden.answer(decision.seat, [decision.choices[0].key][: decision.most])
    assert not learned_nothing(hidden, decision.seat)
