"""Pictures of examples and of the set-up contradict nothing that is told beside them."""

from __future__ import annotations

from pathlib import Path

from rulewright.game import library
from rulewright.publish.rulebook import book as whole
from rulewright.publish.rulebook.model import BookBlock, Example, Piece, Setup, ShownZone
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from shipped_books import contents

GAME = """
rulewright: 1
title: Rolls
players: 2
words: {suit: {clubs: {}, hearts: {}}, crate: {old: {}, new: {}}}
pieces:
  die: {has: {pips: 1 to 6}, changing: pips, copies: 2, starts in: box, noun: "{pips} | dice"}
  card: {has: {suit: suit, rank: 1 to 20}, starts in: deck, noun: "{suit} {rank}"}
  coin: {each: crate, copies: 3, starts in: chest, noun: "{crate} coin"}
zones:
  box: {seen by: all, shown: no}
  deck: {seen by: nobody, pile: yes, holds: card}
  chest: {seen by: all, shown: no, holds: coin}
  purse: {seen by: nobody, holds: [card, coin]}
  tray: {of: seat, holds: die, seen by: all}
  hand: {of: seat, seen by: owner, holds: card}
  table: {seen by: all, holds: card}
setup:
  do:
    - each seat: move first 1 of dice in box to tray
    - each seat: move top 13 of deck to hand
    - move top 2 of deck to purse
    - move first 3 of coins in chest to purse
phases:
  turns:
    text: Each in turn.
    do:
      - each seat:
          - choose 1 from dice as wanted: {ask: Which die?}
          - log: "{seat} used the {wanted}."
          - choose 1 from hand into table: {ask: Which card?}
          - log: "{seat} played {table}."
          - move top 2 of deck to hand
          - move table to purse
      - end game
scoring: {none: {text: Nothing., points: 0}}
looks: {cards: {card: {back: card-back}}, pieces: {coin: {back: coin-back, width: 20}}}
"""
CASES = """\
edition: game.yaml
seats: [Nora, Timo]
cases:
  a roll:
    explains: phases.turns
    given:
      phase: turns
      box: rest
      deck: rest
      chest: rest
      Nora: {tray: [5, 2], hand: [clubs 1, clubs 2, clubs 3]}
      Timo: {hand: [clubs 4, clubs 5]}
    do:
      - Nora: "5"
      - {expect: {Nora: {tray: [5, 2]}}, tell: The 5 was hers.}
      - Nora: clubs 1
    expect: {asked: [Timo]}
"""
BURIAL = """
rulewright: 1
title: Burial
players: 2
words: {crate: {old: {}, new: {}}}
boards: {field: {of: plot, size: 2 by 1}}
pieces:
  card: {each: crate, copies: 2, starts in: stock, noun: "{crate} card"}
  coin: {each: crate, copies: 2, starts in: stock, noun: "{crate} coin"}
zones:
  stock: {seen by: all, holds: [card, coin]}
  pit: {of: plot, seen by: nobody, holds: [card, coin]}
phases:
  turns:
    text: Each in turn.
    do:
      - each seat:
          - choose 1 from plots as wanted: {ask: Where?}
          - log: "{seat} dug at {wanted}."
          - move first 1 of cards in stock to wanted's pit
scoring: {none: {text: Nothing., points: 0}}
looks: {cards: {card: {back: card-back}}, pieces: {coin: {back: coin-back, width: 20}}}
"""
BURIAL_CASES = """\
edition: game.yaml
seats: [Nora, Timo]
cases:
  a burial:
    explains: phases.turns
    given: {phase: turns, pit: {a1: [old card, old coin, new coin]}, stock: rest}
    do:
      - Nora: a1
      - Timo: a1
      - {expect: {pit: {a1: 5}}, tell: There are more now.}
    expect: {asked: [Nora]}
"""
BACK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M{} 0H9V9Z"/></svg>'


def book_with_backs(folder: Path, game: str, cases: str) -> list[BookBlock]:
    (folder / "pictures").mkdir()
    for number, name in enumerate(("card-back", "coin-back")):
        (folder / "pictures" / f"{name}.svg").write_text(BACK.format(number), encoding="utf-8")
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    (folder / "game.examples.yaml").write_text(cases, encoding="utf-8")
    result = RulebookBuilder(library.load(str(folder / "game.yaml")))
    assert not result.left_out
    return [block for chapter in whole.rulebook(result).chapters for block in chapter.blocks]


def blocks(folder: Path) -> tuple[Setup, Example]:
    every = book_with_backs(folder, GAME, CASES)
    (setup,) = [block for block in every if isinstance(block, Setup)]
    (example,) = [block for block in every if isinstance(block, Example)]
    return setup, example


def zones(view: Setup | Example, owner: str) -> dict[str, ShownZone]:
    position = view.position if isinstance(view, Setup) else view.before
    return {place.name: place for tableau in position.tableaus if tableau.owner == owner for place in tableau.places}


def names(pieces: tuple[Piece, ...]) -> list[tuple[str, int, bool]]:
    return [(piece.name, piece.count, piece.hidden) for piece in pieces]


def test_a_roll_is_shown_whole(tmp_path: Path) -> None:
    """Both dice, though only one is used; and of a hand to which others come, how many more there are."""
    _, example = blocks(tmp_path)
    nora = zones(example, "Nora")
    assert [piece.name for piece in nora["Tray"].pieces] == ["5", "2"]
    assert [piece.name for piece in nora["Hand"].pieces] == ["Clubs 1"]
    assert nora["Hand"].note == "+2"


def test_the_set_up_shows_no_card_that_nobody_holds_so_often(tmp_path: Path) -> None:
    """A large hand is a pile of backs; hidden pieces are told apart where their backs do."""
    setup, _ = blocks(tmp_path)
    (hand,) = zones(setup, "Player 1")["Hand"].pieces
    assert (hand.count, hand.hidden, hand.corner) == (13, True, "")
    purse = zones(setup, "")["Purse"].pieces
    assert [(piece.count, piece.hidden) for piece in purse] == [(2, True), (3, True)]
    assert purse[0].picture != purse[1].picture


def test_hidden_pieces_on_a_board_are_those_of_the_position_that_is_drawn(tmp_path: Path) -> None:
    """The end of the example has two more cards than its beginning."""
    (example,) = [block for block in book_with_backs(tmp_path, BURIAL, BURIAL_CASES) if isinstance(block, Example)]
    contents = [board.text.partition("On it lie: ")[2] for board in (*example.before.boards, *example.after.boards)]
    assert contents == ["card, face down, 2 coins, face down (a1).", "3 cards, face down, 2 coins, face down (a1)."]


def test_numbers_in_examples_are_no_letters_of_places() -> None:
    """A die that shows 1 is not named by a move from b1."""
    examples = {
        block.title: block
        for chapter in contents("classics/backgammon").rulebook().chapters
        for block in chapter.blocks
        if isinstance(block, Example)
    }
    dice = zones(examples["The last checkers"], "Nora")["Dice"].pieces
    assert [(piece.name, piece.marks) for piece in dice] == [("6", (2,)), ("2", (2,))]
    assert "Nora moved 2/off." in examples["The last checkers"].course[1].text
