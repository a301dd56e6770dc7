"""Weighted choices follow their weights, on both executors alike."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from machines import same_game
from rulewright.game import library
from rulewright.runtime import native
from rulewright.runtime.machine import Machine
from rulewright.runtime.operations import RuleError

URN = """
rulewright: 1
title: Urn
players: 1
pieces: {ball: {has: {size: 0 to 3}, copies: [2, 1, 1, 1], starts in: urn, noun: "ball {size}"}}
zones: {urn: {seen by: nobody}, tray: {seen by: all}}
counters: {game: {drawn: 0}}
phases:
  play:
    do:
      - choose at random NUMBER from urn weighted by WEIGHT as lucky
      - add total size of (first 1 of lucky) to drawn
      - move lucky to tray
      - each seat: [choose up to 1 from tray as seen]
      - end game
"""


@cache
def urn(number: str, weight: str) -> Machine:
    return library.from_text(URN.replace("NUMBER", number).replace("WEIGHT", weight)).machine(1)


def played(number: str, weight: str, seed: int) -> tuple[int, list[int]]:
    """Return the size of the first piece drawn, and the sizes of all in their order."""
    machine = urn(number, weight)
    s = machine.new(seed)
    machine.run(s)
    address = {space.name: space.address for space in machine.program.layout.zones}["tray"]
    [picture] = (counter for counter in machine.program.layout.counters if counter.name == "drawn")
    sizes = [machine.program.types[machine.program.type_of[piece]].attributes["size"] for piece in s[address]]
    return s[picture.address], sizes


def test_odds_follow_the_weights() -> None:
    counts = Counter(played("1", "size", seed)[0] for seed in range(600))
    assert counts[0] == 0
    for size in (1, 2, 3):
        assert abs(counts[size] - 100 * size) < 45


def test_pieces_without_weight_are_drawn_last_and_evenly() -> None:
    for seed in range(20):
        first, sizes = played("5", "size", seed)
        assert sizes[3:] == [0, 0]
        assert first == sizes[0]
    assert len({tuple(played("2", "0", seed)[1]) for seed in range(60)}) > 6


@pytest.mark.parametrize(("weight", "text"), [("size - 1", "less than 0"), ("size * 400000", "more than 1,000,000")])
def test_impossible_weights_stop_the_game(weight: str, text: str) -> None:
    with pytest.raises(RuleError, match=text):
        played("1", weight, 1)


@pytest.mark.parametrize("weight", ["size", "0", "size * size + 1", "number of urn"])
def test_both_executors_draw_alike(weight: str) -> None:
    pytest.importorskip("wasmtime")
    machine = library.from_text(URN.replace("NUMBER", "3").replace("WEIGHT", weight)).machine(1)
    other = native.Native(machine.program, ())
    for seed in range(20):
        same_game(machine, other, machine.new(seed), random.Random(seed).random, 20)
