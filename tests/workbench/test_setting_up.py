"""Positions that are set up: drafts of games, and games that begin with drafts."""

from __future__ import annotations

import pytest
from msgspec import structs

from example_counts import one_in
from positions_in_play import SHELF, game_after
from project_folders import GAMES
from rulewright.base.diagnostics import RulewrightError
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.workbench.steps import position_draft


@pytest.mark.parametrize("name", one_in(2, SHELF))
def test_a_game_begins_with_its_draft(name: str) -> None:
    game = game_after(library.load(name), 10)
    result = position_draft.draft(game)
    start = position_draft.starting_point(game.rules, result)
    assert start.state is not None
    again = position_draft.draft(game, start.state)
    assert (again.zones, again.counters) == (result.zones, result.counters)


def goofspiel() -> tuple[Game, position_draft.PositionDraft]:
    game = game_after(library.load(str(GAMES / "goofspiel.yaml")), 0)
    return game, position_draft.draft(game)


def moved(result: position_draft.PositionDraft, name: str, start: str, goal: str) -> position_draft.PositionDraft:
    zones = {key: list(names) for key, names in result.zones.items()}
    zones[start].remove(name)
    zones[goal].append(name)
    return structs.replace(result, zones=zones)


def test_a_piece_that_was_dragged_lies_there_in_the_game() -> None:
    game, result = goofspiel()
    card = result.zones["hand/0/"][3]
    result = structs.replace(moved(result, card, "hand/0/", "won/0/"), phase="bid", round=4)
    start = position_draft.starting_point(game.rules, result)
    started = start.game(start.state)
    assert started.view(None).zone("won", 0).pieces == (card,)
    assert (started.view(None).phase, started.view(None).round) == ("bid", 4)
    assert card not in [choice.name for choice in started.decisions()[0].choices]


def test_impossible_positions_give_the_message_of_cases() -> None:
    game, result = goofspiel()
    twice = structs.replace(result, zones={**result.zones, "won/0/": [result.zones["hand/0/"][0]]})
    with pytest.raises(RulewrightError, match="needs more of"):
        position_draft.starting_point(game.rules, twice)
    with pytest.raises(RulewrightError, match="no piece"):
        position_draft.starting_point(
            game.rules, structs.replace(result, zones={**result.zones, "won/0/": ["unicorn"]})
        )
    with pytest.raises(RulewrightError, match="no phase"):
        position_draft.starting_point(game.rules, structs.replace(result, phase="dream"))


def test_a_draft_is_written_as_in_a_case() -> None:
    game, result = goofspiel()
    text = position_draft.text(game.rules, structs.replace(result, phase="bid"), ordered=False)
    assert text.startswith("given:\n  phase: bid\n")
    assert "round" not in text and "offer" not in text and "won" not in text


def test_counters_can_be_set_as_they_are_offered() -> None:
    game = game_after(library.load("wildlife/2002"), 10)
    result = position_draft.draft(game)
    offered = {one.key: one for one in position_draft.counters(Labels(game))}
    assert set(offered) <= set(result.counters)
    food = offered["food/1"]
    assert (food.holds, food.owner) == ("number", game.names[1])
    start = position_draft.starting_point(
        game.rules, structs.replace(result, counters={**result.counters, "food/1": "17"})
    )
    assert position_draft.draft(game, start.state).counters["food/1"] == "17"


def test_pieces_are_offered_with_their_kinds_and_faces() -> None:
    game = game_after(library.load("classics/checkers"), 0)
    offered = position_draft.pieces(game)
    assert set(offered.kinds.values()) == {"checker"}
    assert offered.faces["white man"] == offered.faces["white king"] == ("white man", "white king")
    assert offered.rooms["place//a1"] == 1
