"""Rulings in a book: numbered as the rules that they are about come, and named there."""

from __future__ import annotations

import io

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.console import Console
from rulewright.publish.rulebook import book, html, markdown
from rulewright.publish.rulebook.model import Rule, Rulings
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.terminal.rules import show_named

GAME = """
rulewright: 1
title: Draw
players: 2
zones:
  deck: {seen by: nobody, pile: yes, text: Draw from here.}
  hand: {of: seat, seen by: owner}
pieces: {card: {copies: 4, starts in: deck}}
values: {seat: {hand size: 3}}
setup:
  do: [do shuffling, each seat: do drawing]
  steps:
    shuffling: {text: Shuffle the cards., do: shuffle deck}
    drawing: {text: "Draw {hand size} cards.", do: move top hand size of deck to hand}
rulings:
  no players: {text: Two play.}
  no cards left: {about: zones.deck, text: "If you cannot draw {hand size}, draw what there is."}
  shuffled well: {about: steps.shuffling, text: Seven times is enough.}
phases: {play: {text: It ends., do: end game}}
"""


def test_rulings_are_numbered_in_the_order_of_their_rules() -> None:
    result = book.rulebook(RulebookBuilder(library.from_text(GAME)))
    blocks = [block for chapter in result.chapters for block in chapter.blocks]
    (rulings,) = [block for block in blocks if isinstance(block, Rulings)]
    assert [(rule.number, rule.title, [to.anchor for to in rule.see]) for rule in rulings.rulings] == [
        (1, "Shuffled well", ["steps-shuffling"]),
        (2, "No cards left", ["zones-deck"]),
        (3, "No players", []),
    ]
    assert rulings.rulings[1].text == "If you cannot draw 3, draw what there is."
    names = {block.anchor: [to.title for to in block.rulings] for block in blocks if isinstance(block, Rule)}
    assert names["steps-shuffling"] == ["1"] and names["zones-deck"] == ["2"] and names["steps-drawing"] == []
    page, words = html.page(result), markdown.text(result)
    assert 'href="#rulings-no-cards-left"' in page and "](#rulings-no-cards-left)" in words


def test_rulings_stand_with_their_rule() -> None:
    game = Game.start(library.from_text(GAME), ["Ada", "Ben"], seed=1)
    out = io.StringIO()
    show_named(Console(None, out), game, "deck", 0)
    assert "Draw from here." in out.getvalue() and "draw what there is." in out.getvalue()


def test_a_ruling_is_printed_once() -> None:
    """A name gives its rule, its ruling, or both."""
    game = Game.start(library.from_text(GAME.replace("no cards left", "deck")), ["Ada", "Ben"], seed=1)
    out = io.StringIO()
    show_named(Console(None, out), game, "deck", 0)
    assert out.getvalue().count("draw what there is.") == 1


def test_a_looked_up_ruling_comes_with_its_rule() -> None:
    """An entry with the name of a piece gives the piece's power as well as the ruling."""
    game = Game.start(library.load("wild-cards/2022"), ["Ada", "Ben", "Cy"], seed=1)
    out = io.StringIO()
    show_named(Console(None, out), game, "lion leader", 0)
    text = " ".join(out.getvalue().split())
    assert text.startswith("Lion (power): You win every tie in which you can pay.")
    assert "It wins ties against Leo" in text
