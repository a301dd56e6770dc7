"""Texts of rules: their figures have the values that hold where the rule does, for every number of seats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.runtime.operations import RuleError

FAIR = """
rulewright: 1
title: Fair
players: 1 to 4
seats: 2 to 4
words:
  guild: {baker: {}, smith: {}, potter: {}}
  fruit: {apple: {}, plum: {}}
pieces:
  sign: {each: guild, copies: 2, starts in: box, noun: "{guild} sign", power in: door}
  coin: {copies: 20, starts in: box}
zones:
  box: {seen by: all}
  door: {of: seat, seen by: all}
values:
  game:
    prize: {by: number of seats, 2: 7, 3: 9, otherwise: 12}
    bait: {by: number of seats, 2: 5, otherwise: 4}
  seat:
    stall fee: 3
    wage: number of seats + 1
    sign worth: 1

    bonus: 4
    sum: number of signs in door * sign worth
terms:
  seat:
    doubled: {for: {amount: number}, is: 2 * amount}
setup: {text: "Put {prize} coins in the middle, {number of coins} there are.", do: []}
phases:
  market:
    title: Market
    text: "Pay {stall fee}, earn {wage} with {number of seats} of you."
    do:
      - each seat: do trade for 3
      - end game
    steps:
      trade: {for: {amount: number}, text: "Trade {doubled for 4} at most, never {prize + 1}.", do: []}
powers:
  baker:
    text: "Pay only {stall fee}."
    change: {stall fee: 1}
  smith:
    text: "This sign is worth {bonus} more, {sum} in all; of signs you have {number of signs in door}."
    change: {sum: +bonus}
roles:
  tinker:
    text: "Pays {stall fee}, earns {wage}; the prize is {prize}."
    joins: {1: required, 2: optional}
    change: {stall fee: 0, wage: -1}
options:
  rich:
    text: "Pay {stall fee}, and the prize is {prize}."
    change: {stall fee: 10, prize: 99}
  weather:
    text: "Everybody earns {wage} now."
    choices:
      fine: {text: "Earn {wage}."}
      foul: {text: "Earn {wage}, and bring {bait}.", change: {wage: 8, bait: 11}}
scoring:
  signs: {text: "{sign worth} for each sign.", points: sum}
ranking: {text: "The most of {prize} win.", by: highest score}
"""


@cache
def fair() -> Rules:
    return library.from_text(FAIR)


def rule_text(key: str, options: Mapping[str, str] | None = None) -> str:
    return str(RuleTexts(fair(), check_options(fair(), options or {})).rule(key))


FIGURES = {
    "setup": "Put 7, 9 or 12 coins in the middle, 20 there are.",
    "phases.market": "Pay 3, earn 3, 4 or 5 with 2, 3 or 4 of you.",
    "steps.trade": "Trade 8 at most, never 8, 10 or 13.",
    "powers.baker": "Pay only 1.",
    "powers.smith": "This sign is worth 4 more, 5 in all; of signs you have 1.",
    "roles.tinker": "Pays 0, earns 2 or 3; the prize is 7 or 9.",  # it never sits down with three people
    "options.rich": "Pay 10, and the prize is 99.",
    "options.weather": "Everybody earns 3, 4 or 5 now.",
    "options.weather.choices.fine": "Earn 3, 4 or 5.",
    "options.weather.choices.foul": "Earn 8, and bring 11.",
    "scoring.signs": "1 for each sign.",
    "ranking": "The most of 7, 9 or 12 win.",
}


@pytest.mark.parametrize("key", FIGURES)
def test_figures_have_their_values_for_each_number_of_seats(key: str) -> None:
    assert rule_text(key) == FIGURES[key]


def test_other_values_of_figures_are_not_shown() -> None:
    texts = RuleTexts(fair(), check_options(fair(), {}))
    assert set(texts.rule_keys()) == set(FIGURES)
    assert texts.rule("powers.potter") is None


def test_chosen_options_apply_to_every_text() -> None:
    assert rule_text("phases.market", {"weather": "foul"}).startswith("Pay 3, earn 8 ")
    assert rule_text("roles.tinker", {"weather": "foul"}).startswith("Pays 0, earns 7;")
    assert rule_text("options.weather", {"weather": "foul"}) == "Everybody earns 8 now."
    assert rule_text("options.weather.choices.fine", {"weather": "foul"}) == "Earn 3, 4 or 5."
    assert rule_text("powers.baker", {"rich": "yes"}) == "Pay only 1."  # a power has the last word
    assert rule_text("powers.smith", {"rich": "yes"}) == FIGURES["powers.smith"]


def test_texts_at_a_table_have_its_figures() -> None:
    game = Game(fair(), ["Ada", "Ben", "Tin"], [None, None, "tinker"], {}, seed=1)
    before = game.state
    assert game.rule_texts.rule("setup", 0) == "Put 9 coins in the middle, 20 there are."
    assert game.rule_texts.rule("phases.market", 0).startswith("Pay 3, earn 4")
    assert game.rule_texts.rule("phases.market", 2).startswith("Pay 0, earn 3")
    assert game.rule_texts.rule("powers.baker", 1) == "Pay only 1."
    assert game.rule_texts.rule("powers.smith", 1) == FIGURES["powers.smith"]
    assert game.rule_texts.rule("roles.tinker", 0) == "Pays 0, earns 3; the prize is 9."
    assert game.rule_texts.rule("options.rich", 0) == "Pay 10, and the prize is 99."
    assert game.rule_texts.rule("options.weather.choices.foul", 0) == "Earn 8, and bring 11."
    assert game.state == before  # nobody has got anything by asking


def test_a_figure_that_cannot_be_computed_is_an_error() -> None:
    rules = library.from_text(
        FAIR.replace("{number of coins}", "{6 / tally rounded up}") + "counters: {game: {tally: 0}}\n"
    )
    with pytest.raises(RuleError, match="divides by zero"):
        RuleTexts(rules, check_options(rules, {})).rule("setup")


BAG = """
rulewright: 1
title: Bag
players: 2
pieces:
  stone: {has: {size: 1 to 9}, starts in: bag, noun: "stone of {size}"}
zones:
  bag: {seen by: nobody, pile: yes}
  pouch: {of: seat, seen by: owner}
setup:
  do:
    - shuffle bag
    - each seat: move top 1 of bag to pouch
phases:
  guess:
    text: "You hold {total size of pouch}. The bag begins with {total size of top 1 of bag}."
    do:
      - each seat: do ask
      - end game
    steps:
      ask: {do: [{choose number from 0 to 3 as guess: {ask: "What?"}}]}
scoring: {all: {points: 1}}
ranking: {by: highest score}
"""


def test_figures_in_texts_reveal_nothing_hidden() -> None:
    rules = library.from_text(BAG)
    texts: dict[str, set[str]] = {}
    for seed in range(60):
        game = Game.start(rules, ["Ada", "Ben"], seed=seed)
        own, bag = game.rule_texts.rule("phases.guess", 0).split(". The")
        texts.setdefault(own, set()).add(bag)
    assert len(texts) == 9
    assert all(len(same) == 1 for same in texts.values())  # whatever lies in the bag


DICE = """\
rulewright: 1
title: Dice
players: 2
pieces: {die: {has: {pips: 1 to 3}, starts in: tray, copies: 2, noun: "{pips}"}}
zones: {tray: {seen by: all}}
phases:
  play: {do: [{log: "All: {tray}."}, {each seat: [{choose 1 from tray as pick: {ask: Which?}}]}, end game]}
scoring: {points: {points: 1}}
ranking: {by: highest score}
"""


def test_equal_dice_are_listed_one_by_one() -> None:
    game = Game.start(library.from_text(DICE, "dice"), ["Ann", "Bo"], seed=1)
    (line,) = [line.text for line in game.log.lines(0) if line.text.startswith("All")]
    assert line == "All: 1, 1, 2, 2, 3 and 3."
    parts = [part for line in game.log.parts(0) for part in line if part.piece]
    assert [(part.text, part.count) for part in parts] == [(pips, 1) for pips in "112233"]
