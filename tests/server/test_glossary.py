"""What a page is told of pieces and boards, so that it draws them as they are printed."""

from __future__ import annotations

from functools import cache
from typing import Any

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.glossary import glossary


@cache
def told(name: str, language: str = "en") -> dict[str, Any]:
    return glossary(Labels(Game.start(library.load(name), ["Ann", "Bo", "Cy"], {}, 1), language))


def test_cards_have_their_ground_sign_and_corner() -> None:
    pieces = told("wild-cards/2022")["pieces"]
    shown = {name: (piece["corner"], piece["suit"], piece["ground"]) for name, piece in pieces.items()}
    assert shown["forest 3"] == ("3", "suit-forest", "ground-forest")
    assert shown["refill card"] == ("7", "suit-refill", "ground-refill")  # a figure of the rule that stands on it
    assert shown["lion leader"] == ("", "suit-leader", "ground-leader")


def test_a_table_that_stands_on_a_piece() -> None:
    table = told("wildlife/2002", "de")["pieces"]["crocodile chart"]["table"]
    assert table[0] == ["Wald", "forest", "Expandieren", "expansion"]
    assert [row[3] for row in table] == ["expansion", "none", "migration", "migration", "none", "attack"]
    assert told("wildlife/2002")["pieces"]["joker"]["table"] == []


def test_signs_of_a_board_have_a_key() -> None:
    (board,) = told("wildlife/2002")["boards"]
    assert {space["sign"] for space in board["spaces"]} == {sign for sign, _ in board["key"]}
    assert dict(board["key"])["suit-forest"] == "forest" and len(board["key"]) == 6
