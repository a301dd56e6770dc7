"""Zones that large runs keep as a count instead of a list: where they may, and that the games are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few
from rulewright.authoring import zone_storage
from rulewright.game import library
from rulewright.runtime import native
from rulewright.runtime.native.emit import zones_without_lists
from rulewright.runtime.native.fallback import Fallback

HEAP = """\
rulewright: 1
title: Heap
players: 2
pieces:
  card: {has: {weight: 1 to 4}, copies: 3, starts in: deck, noun: "card {weight}"}
  crown: {copies: 6, starts in: heap}
  token: {starts in: heap}
zones:
  deck: {holds: card, seen by: nobody, pile: yes}
  heap: {seen by: all}
  row: {holds: card, seen by: all}
  spare: {seen by: all}
  store: {of: seat, seen by: all}
  hand: {of: seat, holds: card, seen by: owner}
counters: {game: {past: 0}, seat: {gold: 0}}
setup: {do: [shuffle deck, move top 1 of deck to row]}
phases:
  work:
    do:
      - each seat:
          - move top 1 of deck to hand
          - choose 1 from hand as given
          - move given to heap
          - if number of heap is more than 8: move crowns to store
            otherwise: move crowns to heap
          - if token's owner is you: move token to heap
            otherwise: move token to store
          - add total weight of cards in heap to gold
          - SENTENCE
      - add 1 to past
      - if past is 5: end game
scoring:
  gold: {title: Gold, points: gold + number of store}
"""
QUIET = [
    "add number of cards in heap where weight is 3 to gold",
    "if heap is empty: add 1 to gold",
    "move given to bottom of heap",
    "if row is not empty: move row to heap",
]
ASKING = [
    "move top 1 of heap to spare",
    "shuffle heap",
    "move heap to spare",
    "choose 1 from heap as taken",
    "move first 1 of cards in heap to row",
    "each (cards in heap): add 1 to gold",
    "move cards in heap to row",
]


def heap(sentence: str) -> library.Rules:
    return library.from_text(HEAP.replace("SENTENCE", sentence))


def counted(rules: library.Rules) -> set[str]:
    program = rules.machine(2).program
    cells = zones_without_lists(program)
    return {space.name for space in program.layout.zones if space.address in cells}


@pytest.mark.parametrize("sentence", QUIET)
def test_a_zone_is_counted_where_nothing_needs_its_order(sentence: str) -> None:
    rules = heap(sentence)
    assert {"heap", "store"} <= counted(rules)
    assert {row.lines for row in zone_storage.explain_storage(rules, "heap")} == {(zone_storage.COUNT,)}


@pytest.mark.parametrize("sentence", ASKING)
def test_a_zone_has_a_list_where_something_needs_its_order(sentence: str) -> None:
    rules = heap(sentence)
    assert "heap" not in counted(rules)
    assert {row.lines for row in zone_storage.explain_storage(rules, "heap")} == {(zone_storage.LIST,)}


@few(8)
@given(st.integers(0, 2**64 - 1), st.sampled_from([*QUIET, *ASKING]))
def test_games_with_counted_zones_are_the_same(seed: int, sentence: str) -> None:
    pytest.importorskip("wasmtime")
    machine, seeds = heap(sentence).machine(2), range(seed, seed + 3)
    played = native.Bulk(machine.program).games(machine.new(0), seeds)
    assert played == Fallback(machine.program, "").games(machine.new(0), seeds)
