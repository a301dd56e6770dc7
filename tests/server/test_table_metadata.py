"""Metadata of pieces and boards, with which a page draws them as they are printed."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.server.views.explanations import explain
from rulewright.server.views.table_metadata import table_metadata


@cache
def metadata(name: str, language: str = "en") -> dict[str, Any]:
    return table_metadata(Labels(Game.start(library.load(name), ["Ann", "Bo", "Cy"], {}, 1), language))


def test_cards_have_their_ground_sign_and_corner() -> None:
    pieces = metadata("wild-cards/2022")["pieces"]
    views = {name: (piece["corner"], piece["suit"], piece["ground"]) for name, piece in pieces.items()}
    assert views["forest 3"] == ("3", "suit-forest", "ground-forest")
    assert views["refill card"] == ("7", "suit-refill", "ground-refill")  # a figure of the rule that stands on it
    assert views["lion leader"] == ("", "suit-leader", "ground-leader")


def test_cards_of_one_suit_are_sorted_together() -> None:
    pieces = metadata("classics/crazy-eights")["pieces"]
    views = sorted(pieces, key=lambda name: pieces[name]["order"])
    assert views[:2] == ["two of clubs", "three of clubs"]
    assert views[13::13] == ["two of diamonds", "two of spades", "two of hearts"], "red and black in turn"


def test_a_chart_that_stands_on_a_piece() -> None:
    chart = metadata("wildlife/2002", "de")["pieces"]["crocodile chart"]["chart"]
    assert chart["keys"][0] == ["forest", "Wald", "forest"]
    assert [name for name, _, _ in chart["values"]] == ["none", "migration", "expansion", "attack"]
    assert chart["values"][2] == ["expansion", "Expandieren", "expansion"] and chart["rises"]
    assert chart["cells"] == (2, 0, 1, 1, 0, 3)
    assert metadata("wildlife/2002")["pieces"]["joker"]["chart"] is None


def test_counters_have_the_pictures_of_their_tokens() -> None:
    assert metadata("wild-cards/2022")["counters"]["tokens"]["picture"] == "score-token"
    assert metadata("wildlife/2002")["counters"]["auctions"]["picture"] == ""


def test_signs_of_a_board_have_a_key() -> None:
    (board,) = metadata("wildlife/2002")["boards"]
    assert {space["sign"] for space in board["spaces"]} == {sign for sign, _ in board["key"]}
    assert dict(board["key"])["suit-forest"] == "forest" and len(board["key"]) == 6


@pytest.mark.rotating(3)
def test_zones_and_boards_have_the_place_and_kind_that_looks_declare() -> None:
    described = table_metadata(Labels(Game.start(library.load("classics/backgammon"), ["Ann", "Bo"], {}, 1)))
    places = {name: zone["place"] for name, zone in described["zones"].items()}
    assert places == {"cup": "board", "stack": "", "middle": "edge", "keep": "edge"}
    assert [board["kind"] for board in described["boards"]] == ["points"]
    assert described["nothings"] == ["no", "nothing", "nobody", "0"]
    assert described["truth"] == "yes"


@pytest.mark.parametrize(("choice", "expected"), [("single game", []), ("five points", ["points"])])
def test_points_are_not_shown_with_an_option_that_looks_name(choice: str, expected: list[str]) -> None:
    game = Game.start(library.load("classics/backgammon"), ["Ann", "Bo"], {"match": choice}, 1)
    assert list(table_metadata(Labels(game))["scoring"]) == expected
    assert [name for name, _ in game.standings()[0].lines] == [title.title() for title in expected]


def test_a_board_tells_how_each_seat_numbers_its_spaces_and_where_dice_lie() -> None:
    described = table_metadata(Labels(Game.start(library.load("classics/backgammon"), ["Ann", "Bo"], {}, 1)))
    (board,) = described["boards"]
    spaces = {space["word"]: (space["label"], space["numbers"], space["pile"]) for space in board["spaces"]}
    assert spaces["l1"] == ("l1", [1, 24], 1) and spaces["a3"] == ("a3", [13, 12], -1)
    assert spaces["f2"] == ("bar", [0, 0], 0) and spaces["n3"] == ("tray", [0, 0], -2)
    (_, top, width, height), rows = (
        board["bay"],
        [space["box"] for space in board["spaces"] if space["word"] in ("a1", "a3")],
    )
    assert rows[0][1] + rows[0][3] == top and top + height == rows[1][1] and width == 13 * 200
    assert described["pieces"]["1"]["faded"] == "used"


@pytest.mark.parametrize(
    ("edition", "upper"),
    [
        ("classics/backgammon", (0,)),  # by its looks
        ("classics/checkers", (1,)),  # by its pieces
        ("classics/mancala", (1,)),  # by its spaces
        ("classics/reversi", ()),  # both begin on both halves
        ("classics/hex", ()),  # nothing lies there
    ],
)
def test_a_board_is_seen_from_the_side_where_one_begins(edition: str, upper: tuple[int, ...]) -> None:
    (board,) = table_metadata(Labels(Game.start(library.load(edition), ["Ann", "Bo"], {}, 1)))["boards"]
    assert board["upper"] == upper


def test_zones_that_lie_nowhere_are_not_laid_out() -> None:
    described = table_metadata(Labels(Game.start(library.load("classics/reversi"), ["Ann", "Bo"], {}, 1)))
    assert (described["zones"]["box"]["place"], described["zones"]["box"]["layout"]) == ("nowhere", "away")
    assert described["zones"]["place"]["flow"] == {"filled": ("box",), "fed": ("box",), "capacity": 1}


SUPPLY = """\
rulewright: 1
title: Supply
players: 2
words: {ware: {wood: {}, clay: {}, iron: {}}, size: {small: {}, large: {}, huge: {}}}
pieces:
  crate: {has: {size: size, ware: ware}, copies: 2, starts in: store, noun: "{size} crate of {ware}"}
  chest: {has: {size: size, ware: ware}, copies: 1, starts in: shelf, noun: "{size} chest of {ware}"}
zones: {store: {seen by: all}, shelf: {holds: chest, seen by: all}, stock: {holds: crate, seen by: all}}
looks: {zones: {stock: heaps}}
phases: {play: {do: end game}}
"""


def test_many_sorts_that_two_words_tell_apart_are_a_table() -> None:
    zones = table_metadata(Labels(Game.start(library.from_text(SUPPLY, "supply"), ["Ann", "Bo"])))["zones"]
    assert {name: zone["layout"] for name, zone in zones.items()} == {
        "store": "table",
        "shelf": "row",  # one of each sort
        "stock": "heaps",  # as its looks have it
    }
    assert zones["store"]["table"] == {
        "columns": [["wood", "Wood", ""], ["clay", "Clay", ""], ["iron", "Iron", ""]],
        "rows": [["small", "Small", ""], ["large", "Large", ""], ["huge", "Huge", ""]],
    }
    assert zones["stock"]["table"] is None


PRICED = """\
rulewright: 1
title: Priced
players: 2
words: {ware: {wood: {noun: wood | wood}, clay: {}}, building: {barn: {price: {wood: 2, clay: 1}}}}
pieces: {card: {each: building, starts in: deck, noun: "{building}"}}
zones: {deck: {seen by: all}}
counters: {seat: {goods: {for: ware}}}
phases: {play: {do: end game}}
"""


def test_a_piece_that_is_tapped_tells_what_it_carries() -> None:
    labels = Labels(Game.start(library.from_text(PRICED, "priced"), ["Ann", "Bo"]))
    assert explain(labels, None, "piece", "barn").carries == (("Price", "2 wood and 1 clay"),)
    assert explain(labels, None, "zone", "deck").carries == ()


DICE = """\
rulewright: 1
title: Dice
players: 2
pieces:
  die: {has: {face: 1 to 6}, changing: face, starts in: tray, noun: "{face} | dice"}
  crate: {has: {load: 1 to 3}, changing: load, starts in: tray, noun: "crate {load}"}
zones: {tray: {seen by: all}}
phases: {play: {do: [roll dice, roll crates, end game]}}
"""


def test_dice_are_drawn_with_pips() -> None:
    def pictures(text: str) -> dict[str, tuple[str, bool]]:
        pieces = table_metadata(Labels(Game.start(library.from_text(text, "dice"), ["Ann", "Bo"])))["pieces"]
        return {name: (pieces[name]["picture"], pieces[name]["die"]) for name in ("5", "crate 2")}

    assert pictures(DICE) == {"5": ("die-5", True), "crate 2": ("", False)}
    assert pictures(DICE.replace("roll dice, roll crates, ", "")) == {"5": ("", False), "crate 2": ("", False)}
    assert pictures(DICE + "looks: {pieces: {die: {picture: own}}}\n")["5"] == ("", False)


def test_pieces_without_a_picture_have_the_colour_that_a_word_of_theirs_is_called_by() -> None:
    """Letters tell the pieces apart as well, but not by the colour where something else does."""
    words = "words: {hue: {white: {}, red: {}, elven: {}}, sort: {king: {}, knight: {}}}\n"
    kind = "pieces: {man: {has: {hue: hue, sort: sort}, starts in: tray, noun: '{hue} {sort}'}}\n"
    text = (
        DICE[: DICE.index("pieces:")]
        + words
        + kind
        + DICE[DICE.index("zones:") :].replace("roll dice, roll crates, ", "")
    )

    def pictures(text: str) -> dict[str, tuple[str, str]]:
        pieces = table_metadata(Labels(Game.start(library.from_text(text, "men"), ["Ann", "Bo"])))["pieces"]
        return {name: ("".join(piece["paint"][:1]), piece["letters"]) for name, piece in pieces.items()}

    result = pictures(text)
    assert result["white king"] == ("#fffdf6", "Ki") and result["red knight"] == ("#b5432a", "Kn")
    assert result["elven king"] == ("", "Ek")
    alone = pictures(text.replace("sort: sort}", "}").replace(" {sort}", "").replace(", }", "}"))
    assert alone == {"white": ("#fffdf6", "W"), "red": ("#b5432a", "R"), "elven": ("", "E")}


def test_a_space_tells_what_readers_are_told() -> None:
    text = DICE + "boards: {land: {of: field, map: m, legend: {m: {height: 3, order: 7}}}}\n"
    for looks, message in (("", ["height 3", "order 7"]), ("looks: {words: {field: height}}\n", ["height 3"])):
        labels = Labels(Game.start(library.from_text(text + looks, "land"), ["Ann", "Bo"]))
        assert table_metadata(labels)["boards"][0]["spaces"][0]["told"] == message
