"""Regressions from random editions, each reduced to a small one."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import choose
from rulewright.publish.console import Console
from rulewright.publish.rulebook import markdown
from rulewright.publish.rulebook.book import rulebook
from rulewright.publish.rulebook.rulebook_builder import RulebookBuilder
from rulewright.runtime import native
from rulewright.terminal import table
from whole_games import check_state

POWER_OF_ONE_PIECE = """\
rulewright: 1
title: A power of one piece
players: 2
words: {colour: {red: , blue: }}
pieces:
  crown: {each: colour, starts in: box, noun: "{colour} crown", power in: front}
  ring: {each: colour, copies: {red: 0, blue: 1}, starts in: box, noun: "{colour} ring", power in: hand}
zones: {box: {seen by: all}, front: {of: seat, seen by: all}, hand: {of: seat, seen by: all}}
values: {seat: {wage: 1}}
powers: {red: {change: {wage: 5}}}
scoring: {wage: {points: wage}}
phases: {play: {do: [each first 1 of seats: [move cards in box to front], end game]}}
"""


def test_power_of_a_word_that_one_of_two_kinds_has_a_piece_of() -> None:
    machine = library.from_text(POWER_OF_ONE_PIECE).machine(2)
    s = machine.new(1)
    machine.run(s)
    points = [machine.call(machine.program.scoring[0].function, s, seat)[0][0] for seat in range(2)]
    assert points == [5, 1]


TOLD_AT_THE_BEGINNING = """\
rulewright: 1
title: Told at the beginning
players: 2
text: "Do you play with riches? {rich}"
counters: {seat: {gold: 0}}
options: {rich: {text: All is gold., before earn: add 1 to gold}}
phases: {play: {text: Earn., do: [each seat: do earn, end game], steps: {earn: [add 1 to gold]}}}
"""


def test_rulebook_of_an_edition_whose_own_text_names_an_option() -> None:
    text = RulebookBuilder(library.from_text(TOLD_AT_THE_BEGINNING))
    assert "Do you play with riches? no" in markdown.text(rulebook(text))


BELOW_ZERO = """\
rulewright: 1
title: Below zero
players: 2
counters: {seat: {debt: 0}}
scoring: {debt: {points: 0 - debt}}
phases: {play: {do: [each seat: [choose number from -2 to 0 as bid, set debt to bid], end game]}}
"""


@pytest.mark.rotating(2)
def test_search_chooses_among_numbers_below_zero() -> None:
    game = Game.start(library.from_text(BELOW_ZERO), ["Ada", "Ben"], seed=1)
    for seat in range(2):
        game.answer(seat, choose("search", game, seat, 0))
    assert [standing.total for standing in game.standings()] == [2, 2]


NO_OPPONENTS = """\
rulewright: 1
title: No opponents
players: 1
counters: {seat: {gold: 0}}
phases:
  play:
    do:
      - each seat:
          - each group of opponents by highest gold as equals: [choose number from 0 to 1 as bid]
          - choose number from 0 to 1 as final bid
      - end game
"""


def test_groups_of_nobody_need_room_for_the_size_of_one() -> None:
    rules = library.from_text(NO_OPPONENTS)
    machine = rules.machine(1)
    s = machine.new(1)
    machine.run(s)
    check_state(rules, machine, s)


WORD_AND_ZONE = """\
rulewright: 1
title: Ants
players: 2
words: {insect: {bee: {legs: 6}, ant: {legs: 5}}}
pieces: {bead: {has: {insect: insect}, starts in: ant, noun: "bead {insect}"}}
zones: {ant: {seen by: all}}
phases: {play: {do: [end game]}}
scoring: {legs: {points: ant's legs}}
"""


def test_an_owner_can_be_a_word_or_a_zone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (file := tmp_path / "ants.yaml").write_text(WORD_AND_ZONE)
    assert main(["check", str(file)]) == 0
    assert "warning[two-meanings]: 'ant' is the zone 'ant' here (line 6), not the word 'ant'" in capsys.readouterr().out


def test_zones_of_the_game_have_no_owner(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (file := tmp_path / "pot.yaml").write_text(
        "rulewright: 1\ntitle: Pot\nplayers: 2\ncounters: {game: {pot: 0}}\n"
        "phases: {play: {do: [each seat: add 1 to my pot, end game]}}\n"
    )
    assert main(["check", str(file)]) == 1
    assert "error[unknown-name]: 'pot' belongs to the game: leave out 'my'." in capsys.readouterr().out


KEPT_OFF_THE_TABLE = """\
rulewright: 1
title: Kept off the table
players: 2
words: {land: {moor: , heath: }}
pieces: {card: {has: {value: 1 to 4}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: nobody}, bog: {of: land, seen by: all, shown: no}, meadow: {of: land, seen by: all}}
phases:
  play:
    do:
      - choose at random 1 from deck into moor's bog
      - choose at random 1 from deck into heath's meadow
      - each seat:
          - choose number from 1 to 2 as guess
      - end game
"""


def test_hidden_zones_of_words_are_not_shown() -> None:
    game = Game.start(library.from_text(KEPT_OFF_THE_TABLE), ["Ada", "Ben"], seed=1)
    out = io.StringIO()
    Console(None, out, "never").write_lines(table.draw(game, 0, 80))
    assert "land  heath: 2\n" in out.getvalue()


NOTHING_TO_RANK_BY = """\
rulewright: 1
title: Nothing to rank by
players: 2
limit: {rounds: 2}
pieces: {card: {has: {value: 1 to 4}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: all}, discard: {seen by: all}}
scoring: {line: {points: discard's value}}
ranking: lowest discard's value
phases: {play: {do: [each seat: [choose number from 1 to 2 as guess]]}}
"""


def test_game_without_a_result_is_not_ranked() -> None:
    machine = library.from_text(NOTHING_TO_RANK_BY).machine(2)
    plain, fast = native.Fallback(machine.program, ""), native.Bulk(machine.program)
    new = machine.new(1)
    assert list(fast.games(new, range(3))) == list(plain.games(new, range(3)))
    assert [game.limited for game in plain.games(new, range(3))] == [True] * 3


A_ROUND_BEFORE_THE_LOOP = """\
rulewright: 1
title: A round before the loop
players: 2
pieces: {bead: {has: {value: 1 to 4}, starts in: basket, noun: "{value}"}}
zones: {basket: {seen by: all}, beaver: {seen by: all}}
counters: {seat: {bell: 0}}
phases:
  bow:
    do:
      - go round seats:
          - do bough for 0
          - do bough for 0
          - drop out
      - end game
    steps:
      bough:
        for: {boat: number}
        do:
          - as you:
              - each group of first 1 of basket by highest 0, highest boat as bone:
                  - choose 1 from bone into basket
                  - add 0 to my bell
          - each seats by highest 0, clockwise from you:
              - choose 1 from first 1 of basket as book
          - choose 1 from beaver as bottle
"""


def test_a_loop_with_a_copied_first_round() -> None:
    machine = library.from_text(A_ROUND_BEFORE_THE_LOOP).machine(2)
    plain, fast = native.Fallback(machine.program, ""), native.Bulk(machine.program)
    new = machine.new(1)
    assert list(fast.games(new, range(5))) == list(plain.games(new, range(5)))


SUM_OF_THE_FIRST_ROUND = """\
rulewright: 1
title: A sum of the first round
players: 2 to 3
pieces:
  card: {has: {value: 1 to 2}, copies: 2, noun: "card {value}", starts in: banner}
zones: {banner: {seen by: all}, ant: {seen by: all}}
counters: {seat: {gold: 4}}
phases:
  play:
    do:
      - each group of cards by highest 3 as some:
          - each seat: [choose up to 1 from ant into banner]
          - each seat: take highest value among cards in banner from it's gold
      - end game
scoring: {gold: {points: gold}}
"""


def test_values_computed_for_the_first_seat_are_reused() -> None:
    machine = library.from_text(SUM_OF_THE_FIRST_ROUND).machine(3)
    assert [game.points for game in native.Native(machine.program).games(machine.new(0), range(2))] == [
        ((2,), (2,), (2,))
    ] * 2
