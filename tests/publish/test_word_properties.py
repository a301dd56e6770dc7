"""Attributes and tables of words: in books as tables, at a table beside the piece that is looked at."""

from __future__ import annotations

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.publish.labels import Labels
from rulewright.publish.rule_lookup import piece_properties_of
from rulewright.publish.rulebook import html, markdown
from rulewright.publish.rulebook.model import PrintedTable
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder

BUILT = """\
rulewright: 1
title: Built
players: 2
words:
  ware: {wood: {noun: wood | wood}, clay: {noun: clay | clay}}
  quarter: {harbour: {toll: 2}, market: {}}
  building:
    barn: {price: {wood: 2, clay: 1}, fee: 3, site: harbour, rent: [1, 3], order: 1}
    mine: {price: {wood: 3, otherwise: 0}, site: market, rent: [2, 4], order: 2}
pieces:
  card: {each: building, starts in: deck, noun: "{building}"}
  map: {each: quarter, starts in: deck, noun: "{quarter}"}
zones: {deck: {seen by: all}}
counters: {seat: {goods: {for: ware}}}
phases: {play: {do: end game}}
"""
LISTED = "looks: {words: {building: [fee, price, site, rent], quarter: toll}}\n"


def built(looks: str) -> Rules:
    return library.from_text(BUILT + looks, "built")


def tables(looks: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The tables among the components: their titles, with their heads as the first row."""
    components = RulebookBuilder(built(looks), "en").components()
    results = [block for block in components.blocks if isinstance(block, PrintedTable)]
    return {table.title: (table.heads, *table.rows) for table in results}


def test_attributes_for_readers_are_in_a_table() -> None:
    assert tables(LISTED) == {
        "Quarter": (("Toll",), ("Harbour", "2"), ("Market", "")),
        "Building": (
            ("Fee", "Price", "Site"),
            ("Barn", "3", "2 wood and 1 clay", "harbour"),
            ("Mine", "", "3 wood", "market"),
        ),
        "Building: rent": (("1", "2"), ("Barn", "1", "3"), ("Mine", "2", "4")),
    }


def test_tables_that_are_not_counted_are_no_amounts() -> None:
    rules = library.from_text(BUILT.replace("for: ware", "for: quarter"), "built")
    (table,) = (block for block in RulebookBuilder(rules, "en").components().blocks if isinstance(block, PrintedTable))
    assert (table.title, table.heads) == ("Building: price", ("Wood", "Clay"))
    assert table.rows == (("Barn", "2", "1"), ("Mine", "3", "0"))
    assert piece_properties_of(Labels(Game.start(rules, ["Ada", "Ben"])), "barn") == [("Price", "wood: 2, clay: 1")]


def test_every_form_of_a_book_has_the_table() -> None:
    book = RulebookBuilder(built(LISTED), "en").rulebook()
    assert "| Barn | 3 | 2 wood and 1 clay | harbour |" in markdown.text(book)
    assert '<td data-name="Price">2 wood and 1 clay</td>' in html.page(book)


def test_amounts_are_shown_by_default_and_sort_keys_are_not() -> None:
    assert tables("") == {"Building": (("Price",), ("Barn", "2 wood and 1 clay"), ("Mine", "3 wood"))}
    assert tables("looks: {words: {building: []}}\n") == {}


def test_charts_on_pieces_are_not_repeated_as_text() -> None:
    assert tables("looks: {pieces: {card: {table: price}}}\n") == {}


def test_a_long_list_of_numbers_stands_down_the_side() -> None:
    long = BUILT.replace("rent: [1, 3]", f"rent: {list(range(1, 12))}")
    (table,) = [
        block
        for block in RulebookBuilder(library.from_text(long + LISTED, "long"), "en").components().blocks
        if isinstance(block, PrintedTable) and block.title == "Building: rent"
    ]
    assert table.heads == ("Barn", "Mine") and table.rows[1] == ("2", "2", "4") and len(table.rows) == 11


def test_a_piece_shows_the_attributes_of_its_words() -> None:
    labels = Labels(Game.start(built(LISTED), ["Ada", "Ben"]))
    assert piece_properties_of(labels, "barn") == [
        ("Fee", "3"),
        ("Price", "2 wood and 1 clay"),
        ("Site", "harbour"),
        ("Rent", "1, 3"),
        ("Toll", "2"),
    ]
    assert piece_properties_of(labels, "market") == []
    assert piece_properties_of(labels, "nothing") == []
