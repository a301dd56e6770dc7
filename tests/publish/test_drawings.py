"""Drawn boards, positions and what a rulebook makes of them."""

from __future__ import annotations

import re
from functools import cache
from typing import TypeVar
from xml.etree import ElementTree

import pytest

from project_folders import GAMES
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.terms import localizer_of
from rulewright.publish.board_annotations import PieceOnSpace
from rulewright.publish.drawing import BoardLooks, Field, board
from rulewright.publish.rulebook import setup_pictures
from rulewright.publish.rulebook.model import (
    Drawing,
    Flow,
    Gallery,
    PrintedTable,
    Reference,
    Rule,
    Rulebook,
    Setup,
    ShownTable,
)
from rulewright.publish.rulebook.player_aid import shorten_text
from rulewright.publish.rulebook.positions import Positions
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.publish.scores import ScoreSheet
from shipped_books import contents

T = TypeVar("T")
SVG = "{http://www.w3.org/2000/svg}"
GROUND = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200"><path d="M0 0H200V200Z" fill="#8DB04B"/></svg>'


@cache
def book(name: str) -> Rulebook:
    return contents(name).rulebook()


def of_type(name: str, expected: type[T]) -> list[T]:
    return [block for chapter in book(name).chapters for block in chapter.blocks if isinstance(block, expected)]


def table(name: str) -> ShownTable:
    return of_type(name, Setup)[0].position


def parse_svg(svg: str) -> ElementTree.Element:
    """A drawing, of which every name that is used is there, once."""
    root = ElementTree.fromstring(svg)
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))
    defs = root.find(f"{SVG}defs")
    assert defs is not None
    assert {use.get("href", "") for use in root.iter(f"{SVG}use")} == {f"#{defined.get('id')}" for defined in defs}
    assert "url(" not in svg and not root.findall(f".//{SVG}svg")
    return root


def strong(svg: str) -> int:
    """Return the number of edges with a strong line."""
    paths: list[str] = re.findall(r'<path d="([^"]*)"[^>]*stroke-width="14"', svg)
    return sum(path.count("M") for path in paths)


def test_lines_part_regions() -> None:
    def fields(*regions: str) -> dict[tuple[int, int], Field]:
        return {(column, 0): Field(region) for column, region in enumerate(regions)}

    assert [strong(board(fields(*regions))) for regions in ("nn", "ns", "nsn")] == [6, 7, 10]
    assert strong(board(fields("n", "n"), hexagonal=True)) == 10


def test_pictures_stand_in_a_drawing_once() -> None:
    places = {
        (column, row): Field("n", GROUND, PieceOnSpace("Elf", GROUND, 3)) for column in range(3) for row in range(3)
    }
    root = parse_svg(board(places, looks=BoardLooks(around=GROUND)))
    assert len(list(root.iter(f"{SVG}symbol"))) == 1
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts == ["a", "b", "c", "1", "2", "3", *["3"] * 9]


def test_names_are_never_markup() -> None:
    root = parse_svg(board({(0, 0): Field("n", "", PieceOnSpace("<b>", ""))}))
    assert "<b" in [text.text for text in root.iter(f"{SVG}text")]


def test_a_board_has_an_alternative_text() -> None:
    rules = library.load(str(GAMES / "hex.yaml"))
    game = Game.start(rules, ["Ada", "Ben"], seed=1)
    first = game.pending.ids[0][0]
    game.answer(first, ["c1"])
    (drawing,) = Positions(game, localizer_of(rules.edition, "en")).position(None).boards
    assert drawing.text.startswith("Rhombus: 25 spaces.") and re.search(r"On it lie: \w+ stone \(c1\)\.", drawing.text)
    assert len(list(parse_svg(drawing.picture).iter(f"{SVG}circle"))) == 1


@pytest.mark.parametrize("name", ["harbours", "ferries"])
def test_boards_without_a_map_are_drawn_with_the_names_of_their_spaces(name: str) -> None:
    rules = library.load(str(GAMES / f"{name}.yaml"))
    game = Game.start(rules, ["Ada", "Ben"], seed=1)
    for _ in range(2):
        decision = game.decisions()[0]
        game.answer(decision.seat, [decision.choices[0].key])
    result = Positions(game, localizer_of(rules.edition, "en")).position(None)
    [drawing], [board] = result.boards, rules.edition.boards.values()
    assert f": {len(board.neighbours)} spaces. On it lie: " in drawing.text
    names = [word.name for word in rules.edition.words[board.spaces].words]
    assert re.search(rf"\((?:{'|'.join(names)})[,)]", drawing.text)


@pytest.mark.rotating(2)
def test_setup_shows_what_one_player_sees() -> None:
    tableaus = {tableau.owner: tableau.places for tableau in table("wild-cards/2022").tableaus}
    assert list(tableaus) == ["", "Player 1", "Player 2", "Player 3"]
    hands = {owner: place.pieces for owner, places in tableaus.items() for place in places if place.name == "Hand"}
    assert sum(piece.count for piece in hands["Player 1"]) == 8
    assert not any(piece.hidden for piece in hands["Player 1"])
    for owner in ("Player 2", "Player 3"):
        assert [(piece.name, piece.count, piece.hidden) for piece in hands[owner]] == [("Face down", 8, True)]
    decks = [place.pieces for place in tableaus[""] if "deck" in place.name]
    assert all(piece.hidden and piece.picture for pieces in decks for piece in pieces)


@pytest.mark.rotating(5)
def test_the_setup_leaves_out_hidden_zones() -> None:
    names = [place.name for tableau in table("wildlife/2002").tableaus for place in tableau.places]
    assert "Reserve" in names and not {"Chart pile", "Lifted", "Drawer"} & set(names)
    pieces = {place.name: place.pieces for place in table("wildlife/2002").tableaus[0].places}
    assert [(piece.name, piece.count) for piece in pieces["Adaptation supply"]] == [("Adaptation tiles", 72)]
    others = table("wildlife/2002").tableaus[2:]
    hands = [place.pieces for other in others for place in other.places if place.name == "Hand"]
    assert [[(piece.hidden, piece.count) for piece in hand] for hand in hands] == [[(True, 10)]] * 2
    (island,) = table("wildlife/2002").boards
    assert isinstance(island, Drawing) and "large forest (9)" in island.text
    assert len(list(parse_svg(island.picture).iter(f"{SVG}symbol"))) == 16  # terrains, signs, sea, animals
    assert len(island.key) == 6 and all(sign and told for sign, told in island.key)


def test_a_game_that_cannot_start_has_no_setup_picture() -> None:
    rules = library.from_text(
        "rulewright: 1\ntitle: T\nplayers: 2\npieces: {card: {copies: 2, starts in: row}}\n"
        "zones: {row: {seen by: all}}\nphases: {play: {do: end game}}\n"
    )
    assert setup_pictures.setup_picture(rules, {}, localizer_of(rules.edition, "en"), {}) is not None
    assert setup_pictures.setup_picture(rules, {"no": "option"}, localizer_of(rules.edition, "en"), {}) is None


@pytest.mark.rotating(3)
def test_numbers_of_the_setup_stand_where_its_steps_lead() -> None:
    (view,) = of_type("wild-cards/2022", Setup)
    places = {place.name: place.numbers for tableau in view.position.tableaus for place in tableau.places}
    assert places["Leader supply"] == (1,) and places["Animal deck"] == places["Habitat deck"] == (2,)
    assert places["Display"] == (4,) and places["Play area"] == (6,)
    chapter = next(chapter for chapter in book("wild-cards/2022").chapters if chapter.anchor == "setup")
    rules = [block for block in chapter.blocks if isinstance(block, Rule)]
    assert [rule.number for rule in rules] == [1, 2, 3, 4, 5, 6]
    assert rules[3].title == "Lay out the display"
    (wild,) = of_type("wildlife/2002", Setup)
    (island,) = wild.position.boards
    assert island.numbers and re.search(r"crocodile \((\w\d, ){7}\w\d\)", island.text)  # seeded


def test_a_book_without_points_or_tokens() -> None:
    """Sides stand in the set-up; a ranking is no scoring; and a counter without tokens is no component."""
    rules = library.load("classics/checkers")
    view = setup_pictures.setup_picture(rules, {}, localizer_of(rules.edition, "en"), {})
    assert view is not None
    sides = [(tableau.owner, place.note) for tableau in view.position.tableaus for place in tableau.places]
    assert sides == [("Player 1", "Black"), ("Player 2", "White")]
    chapters = {chapter.anchor: chapter for chapter in RulebookBuilder(rules, played=False).rulebook().chapters}
    assert chapters["scoring"].title == "Who wins"
    cards = RulebookBuilder(library.load("classics/oh-hell"), played=False).rulebook().chapters
    lines = {link.anchor: chapter.anchor for chapter in cards for link in chapter.links()}
    assert lines["counters-dealer"] == "places" and lines["pieces-card"] == "components"


def test_figures_by_number_of_players() -> None:
    (table,) = [found for found in of_type("wild-cards/2022", PrintedTable) if "players" in found.title]
    assert table.heads == ("2 + Leo", "3", "3 + Leo", "4", "4 + Leo", "5")
    assert ("Animals taken out", "14", "14", "6", "6", "2", "2") in table.rows


@pytest.mark.rotating(12)
def test_the_flow_of_phases() -> None:
    (flow,) = of_type("wild-cards/2022", Flow)
    anchors = [chapter.anchor for chapter in book("wild-cards/2022").chapters]
    assert flow.steps[0].title == "Place bids" and len(flow.steps) == 4
    assert all(step.anchor in anchors and step.picture for step in flow.steps)
    assert "Prepare the next round" in flow.ends
    (turn,) = of_type("wildlife/2002", Flow)
    assert flow.ordered and not turn.ordered  # in a turn, one does as one likes
    assert {"steps-migrate", "steps-auction-a-card"} <= {step.anchor for step in turn.steps}


@pytest.mark.rotating(3)
def test_the_reference_card_and_the_score_sheet() -> None:
    course, powers, scoring = of_type("wild-cards/2022", Reference)
    assert [rule.title for rule in course.rules][:2] == ["Place bids", "Resolve refill cards"]
    assert all(rule.text == shorten_text(rule.text) for rule in course.rules[:4])
    assert [rule.title for rule in course.rules][-2:] == ["Pass", "Discard and draw"] and course.rules[-1].text.count(
        "."
    ) > 1  # told in full
    assert len(powers.rules) == 6 and all(rule.picture for rule in powers.rules)
    assert [rule.title for rule in scoring.rules][-1] == "Ranking"
    (sheet,) = of_type("wild-cards/2022", ScoreSheet)
    assert (sheet.lines[0], sheet.columns) == ("Largest herd", 5)
    assert not of_type("wildlife/2002", ScoreSheet)  # one line: nothing to add up


def test_long_steps_are_cut_on_the_reference_card() -> None:
    assert shorten_text("Bid. Pay! Take it?") == "Bid. Pay! Take it?"
    assert shorten_text(f"Bid. {'Pay ' * 40}.") == "Bid."
    assert shorten_text("A sentence " * 20 + "that is long. Another.") == "A sentence " * 20 + "that is long."


def test_kinds_have_headings() -> None:
    titles = [gallery.title for gallery in of_type("wild-cards/2022", Gallery)]
    assert titles == ["Animals", "Leaders", "Refill cards", "Talisman", "Habitat cards", "Score tokens"]


def test_a_corner_may_have_a_figure_of_the_rule_on_the_card() -> None:
    (card,) = next(found for found in of_type("wild-cards/2022", Gallery) if found.title == "Refill cards").pieces
    assert card.corner == "7"


def gallery(title: str) -> Gallery:
    return next(found for found in of_type("wildlife/2002", Gallery) if found.title == title)


def test_charts_are_drawn_with_what_their_signs_mean() -> None:
    charts = gallery("Charts")
    assert all(len(piece.chart) == 6 and all(row.key_picture for row in piece.chart) for piece in charts.pieces)
    lines = ["Forest", "Desert", "Savannah", "Steppe", "Mountains", "Water"]
    assert [words for _, words in charts.key] == [*lines, "No action", "Migration", "Expansion", "Attack"]
    assert {sign for sign, _ in charts.key} == {
        sign for piece in charts.pieces for row in piece.chart for sign in (row.key_picture, row.value_picture)
    }
    tables = of_type("wildlife/2002", PrintedTable)
    assert not any("Crocodile" in row for table in tables for row in table.rows)  # the same once more, in words


def test_counters_have_their_tokens() -> None:
    food = gallery("Food chits")
    assert [(piece.corner, piece.count, piece.disc) for piece in food.pieces] == [("1", 30, True), ("5", 18, True)]
    (pawn,) = gallery("Success pawns").pieces
    assert (pawn.name, pawn.count, pawn.disc) == ("", 6, False) and pawn.picture


@pytest.mark.rotating(10)
def test_components_of_an_option_are_marked() -> None:
    def titles(*options: tuple[str, str]) -> list[str]:
        (chapter,) = (
            found
            for found in contents("wildlife/2002", "en", *options).rulebook().chapters
            if found.anchor == "components"
        )
        return [block.title for block in chapter.blocks if isinstance(block, Gallery)]

    assert "Spare tiles" not in titles() and "Adaptation tiles" in titles()
    assert "Spare tiles" in titles(("adaptations unlimited", "yes"))


def test_the_cover_has_the_data_of_the_box() -> None:
    assert book("wildlife/2002").facts == (("Players", "2–6"), ("Minutes", "60–120"), ("Age", "10+"))
    assert [name for name, _ in book("wild-cards/2022").facts] == ["Players", "Minutes"]


@pytest.mark.parametrize("name", ["wild-cards/2020", "wild-cards/2022", "wildlife/2002"])
def test_every_piece_has_a_picture(name: str) -> None:
    assert all(piece.picture for gallery in of_type(name, Gallery) for piece in gallery.pieces)
