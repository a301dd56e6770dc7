"""Names of pieces where one of several is chosen, and the shortest answer that is accepted."""

from __future__ import annotations

import pytest

from rulewright.game import library
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.publish.labels import Labels

MARKET = """
rulewright: 1
title: Market
players: 2
words:
  gem: {ruby: {}, opal: {}, jade: {}}
  row: {upper row: {}, lower row: {}}
boards: {street: {of: space, size: 2 by 1}}
pieces:
  jewel: {each: gem, starts in: box, noun: "{gem}"}
  coin: {copies: 3, starts in: box}
  guard: {starts in: box}
zones:
  box: {seen by: all}
  market: {of: row, seen by: all}
  shelf: {of: row, seen by: all}
  ground: {of: space, seen by: all}
  hand: {of: seat, seen by: all, noun: card in hand | cards in hand}
counters: {seat: {lives: {starts at: 3, noun: life | lives}, food: 1}}
setup:
  do:
    - move first 1 of jewels to upper row's market
    - move first 2 of jewels in box to lower row's shelf
    - move first 1 of coins to upper row's market
    - move first 1 of coins in box to lower row's market
    - move guards to a1's ground
phases:
  play:
    do:
      - each seat:
          - choose 1 to 2 from (pieces in rows plus pieces in spaces) into hand: {ask: "Which?"}
      - end game
"""


def market() -> Game:
    return Game.start(library.from_text(MARKET), ("Ada", "Ben"), seed=1)


def test_a_unique_piece_is_named_without_its_zone_unless_on_a_space() -> None:
    [decision] = market().decisions()
    assert [(choice.key, choice.label) for choice in decision.choices] == [
        ("ruby in upper row's market", "ruby"),
        ("coin in upper row's market", "coin in upper row’s market"),
        ("coin in lower row's market", "coin in lower row’s market"),
        ("opal in lower row's shelf", "opal"),
        ("jade in lower row's shelf", "jade"),
        ("guard on a1", "guard on a1"),
    ]


@pytest.mark.parametrize("answer", [["jade"], ["jade in lower row's shelf"], ["guard", "jade"]])
def test_an_answer_may_omit_an_unambiguous_zone(answer: list[str]) -> None:
    short, whole = market(), market()
    short.answer(0, answer)
    whole.answer(0, ["guard on a1", "jade in lower row's shelf"][-len(answer) :])
    assert short.state == whole.state
    assert short.save()["answers"] == whole.save()["answers"]


@pytest.mark.parametrize("answer", [["coin"], ["jade", "jade"], ["jade in upper row's market"], ["hidden"]])
def test_an_ambiguous_answer_is_refused(answer: list[str]) -> None:
    game = market()
    with pytest.raises(AnswerError):
        game.answer(0, answer)
    assert game.history.answer_keys() == []


def test_columns_have_plural_headings() -> None:
    labels = Labels(market())
    assert (labels.counter("lives"), labels.counter("food")) == ("lives", "food")
    assert (labels.zone("hand"), labels.zone("market")) == ("cards in hand", "market")
