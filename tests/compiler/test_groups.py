"""Groups: counts, set packing and choices, compared with all subsets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules

Card = tuple[int, str]

RULES = """
rulewright: 1
title: Groups
players: 1
words: {suit: {clubs: {}, hearts: {}, spades: {}}}
pieces: {card: {has: {value: 1 to 5, suit: suit}, starts in: deck, noun: "{value} {suit}"}}
zones: {deck: {seen by: all}, hand: {of: seat, seen by: all}, row: {seen by: all}}
counters: {game: {count: 0, some: no}}
values: {game: {enough: 3}}
terms:
  card: {worth: "lowest of (value * 2 - 2, 6)"}
  game:
    combination: {for: {those: cards}, is: GROUP}
    straight:
      for: {those: cards}
      is: number of suits of those is 1 and longest run of value among those is number of those
phases:
  play:
    do:
      - shuffle deck
      - each seat:
          - move top 8 of deck to hand
          - set count to number of combinations in hand
          - set some to any combination in hand
          - log: "{hand outside combinations}; {hand outside combinations leaving lowest worth}"
          - choose 2 to 4 from hand that make one combination as chosen: {ask: "Which?"}
          - log: "{chosen}"
      - end game
"""


def same_value(cards: tuple[Card, ...]) -> bool:
    return len({value for value, _ in cards}) == 1


def straight(cards: tuple[Card, ...]) -> bool:
    values = sorted(value for value, _ in cards)
    return len({suit for _, suit in cards}) == 1 and values == list(range(values[0], values[0] + len(cards)))


SORTS: dict[str, Callable[[tuple[Card, ...]], bool]] = {
    "number of those is 2 and number of group 1 of those by value is number of those": lambda c: (
        len(c) == 2 and same_value(c)
    ),
    "number of those is at least enough and (straight for those or every those has (value is 3))": lambda c: (
        len(c) >= 3 and (straight(c) or {value for value, _ in c} == {3})
    ),
    "total value of those is 7": lambda c: sum(value for value, _ in c) == 7,
    "not straight for those and number of suits of those is number of those": lambda c: (
        len({suit for _, suit in c}) == len(c) and not straight(c)
    ),
    "number of those is less than 4 and total worth of those is at least 10": lambda c: (
        len(c) < 4 and sum(map(worth, c)) >= 10
    ),
}  # fmt: skip


def worth(card: Card) -> int:
    return min(card[0] * 2 - 2, 6)


def rules(condition: str) -> Rules:
    return library.from_text(RULES.replace("GROUP", condition))


def subsets(cards: list[Card]) -> Iterator[tuple[Card, ...]]:
    for size in range(1, len(cards) + 1):
        yield from combinations(cards, size)


def least_left(cards: frozenset[Card], groups: list[frozenset[Card]]) -> Iterator[frozenset[Card]]:
    yield cards
    for number, group in enumerate(groups):
        if group <= cards:
            yield from least_left(cards - group, groups[number + 1 :])


def read(text: str) -> list[Card]:
    names = text.rstrip(".").replace(" and ", ", ").split(", ")
    return [(int(name[0]), name[2:]) for name in names if name[0].isdigit()]


@pytest.mark.parametrize("condition", SORTS)
def test_groups_agree_with_all_subsets(condition: str) -> None:
    holds, chance = SORTS[condition], random.Random(condition)
    compiled = rules(condition)
    for seed in range(4):
        game = Game.start(compiled, ("Ada",), None, seed)
        hand = [(int(name[0]), name[2:]) for name in game.view(0).zone("hand", 0).pieces or ()]
        groups = [frozenset(cards) for cards in subsets(hand) if holds(cards)]
        counters = game.view(0).counters
        assert (counters["count"], counters["some"]) == (len(groups), bool(groups))
        fewest, cheapest = (read(part) for part in game.log.lines(0)[-1].text.split("; "))
        left = list(least_left(frozenset(hand), groups))
        assert len(fewest) == min(map(len, left)) and frozenset(fewest) in left
        best = min((sum(map(worth, cards)), len(cards)) for cards in left)
        assert (sum(map(worth, cheapest)), len(cheapest)) == best and frozenset(cheapest) in left
        small = [group for group in groups if 2 <= len(group) <= 4]
        picked_cards = frozenset[Card]()
        while not game.over:
            [decision] = game.decisions()
            fitting = {card for group in small if picked_cards < group for card in group - picked_cards}
            assert {card for choice in decision.choices for card in read(choice.key)} == fitting
            assert decision.least == int(picked_cards not in small) and decision.most == 1
            picked = chance.choice(decision.choices).key if decision.least or chance.random() < 0.7 else ""
            picked_cards |= frozenset(read(picked)) if picked else frozenset()
            game.answer(0, [picked] if picked else [])
        assert not small or picked_cards in small


def test_groups_of_more_than_thirty_are_refused() -> None:
    text = RULES.replace("GROUP", "number of those is 2")
    text = text.replace("value: 1 to 5", "value: 1 to 13").replace("top 8", "top 31")
    with pytest.raises(Exception, match="groups are taken of at most 30, and these are more"):
        Game.start(library.from_text(text), ("Ada",), None, 1)
