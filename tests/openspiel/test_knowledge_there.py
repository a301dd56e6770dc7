"""Seats can tell games apart here exactly as in OpenSpiel."""

from __future__ import annotations

import os
import time

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel")

from chance_odds import AllOfChance  # noqa: E402 - they need OpenSpiel
from lockstep import Difference  # noqa: E402
from openspiel_twins import HIDDEN, VISIBLE, Twins  # noqa: E402
from pairings import PAIRINGS, rules_of  # noqa: E402

GAMES = int(os.environ.get("RULEWRIGHT_OPENSPIEL_GAMES", "4"))
FIRST_SEED = int(os.environ.get("RULEWRIGHT_OPENSPIEL_SEED", str(int(time.time()) // 86_400)))
DECISIONS, MOST = 16, 200
WHOLE = ("kuhn_poker", "matching_pennies_3p", "tiny_hanabi")
LARGE = {"leduc_poker", "first_sealed_auction"}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name in LARGE else []) for name in (*WHOLE, *sorted(LARGE))],
)
def test_seats_know_the_same_in_whole_games(name: str) -> None:
    """All that chance can come to and all that can be answered: what can be done, is known, and comes of it."""
    step = AllOfChance(PAIRINGS[name], rules_of(name))
    step.everything()
    assert step.missing() == []


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", [name for name in PAIRINGS if PAIRINGS[name].secret and name not in WHOLE])
def test_games_that_differ_in_one_thing_are_distinguished_the_same(name: str) -> None:
    twins, played = Twins(PAIRINGS[name], rules_of(name)), 0
    while played < GAMES or (len(twins.counts) < 2 and played < MOST):
        twins.play(FIRST_SEED * 1000 + played, DECISIONS)
        played += 1
    assert twins.counts[HIDDEN] and twins.counts[VISIBLE]


FAULTS = {
    "hands that are seen": ("bridge", ("holds: card, seen by: owner", "holds: card, seen by: all")),
    "tricks that nobody sees": ("spades", ("played: {of: seat, seen by: all}", "played: {of: seat, seen by: owner}")),
    "notes that are shown": ("phantom_ttt", ("sheet: {of: seat, seen by: owner}", "sheet: {of: seat, seen by: all}")),
}


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name, change", FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(name: str, change: tuple[str, str]) -> None:
    twins = Twins(PAIRINGS[name], rules_of(name, change))
    with pytest.raises(Difference, match="only"):
        for seed in range(MOST):
            twins.play(seed, DECISIONS)
