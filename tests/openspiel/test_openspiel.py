"""Our editions of OpenSpiel's games, held against OpenSpiel in lock step; and whether a fault would be found."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel")

from lockstep import LEFT_OUT, PLAYED, Difference, LockStep  # noqa: E402 - they need OpenSpiel
from pairings import PAIRINGS  # noqa: E402
from rulewright.authoring.examination import examine  # noqa: E402
from rulewright.game import library  # noqa: E402

HERE = Path(__file__).parent
SECONDS = float(os.environ.get("RULEWRIGHT_OPENSPIEL_SECONDS", "1"))
"""How long each game is played again and again; at least once, a long one too."""

MOST_LINES = 120
FIRST_SEED = int(os.environ.get("RULEWRIGHT_OPENSPIEL_SEED", str(int(time.time()) // 86_400)))
"""Another one every day."""

named = pytest.mark.parametrize("name", PAIRINGS)


def lock_step(name: str, *changes: tuple[str, str]) -> LockStep:
    text = (HERE / PAIRINGS[name].edition).read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return LockStep(PAIRINGS[name], library.from_text(text))


@named
def test_it_is_the_same_game(name: str) -> None:
    step, end, seed = lock_step(name), time.monotonic() + SECONDS, FIRST_SEED * 1000
    while not step.counts[PLAYED] or time.monotonic() < end:
        step.play(seed)
        seed += 1


@named
def test_the_edition_is_short_and_without_a_warning(name: str) -> None:
    path = HERE / PAIRINGS[name].edition
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    report = examine(str(path))[1]
    assert [found.message for found in (*report.errors, *report.warnings)] == []


@named
def test_every_action_there_stands_in_the_table(name: str) -> None:
    """As far as the game has it: of some games, there are numbers that are no action."""
    step, seen = lock_step(name), set[int]()
    for seed in range(3):
        state, chance = step.game.new_initial_state(), random.Random(seed)
        while not state.is_terminal():
            if state.is_simultaneous_node():
                legal = [state.legal_actions(seat) for seat in range(step.game.num_players())]
                seen.update(*legal)
                state.apply_actions([chance.choice(actions) for actions in legal])
            elif state.is_chance_node():
                state.apply_action(chance.choice(state.legal_actions()))
            else:
                seen.update(state.legal_actions())
                state.apply_action(chance.choice(state.legal_actions()))
    assert seen <= PAIRINGS[name].actions.keys()


FAULTS = {
    "a line that is too long": ("tic_tac_toe", ("is at least 3", "is at least 4")),
    "discs that float": ("connect_four", ("as long as place is empty", "as far as place is empty")),
    "a direction that is forgotten": ("othello", ("is: directions of spot", "is: straight of spot")),
    "a goal that is too near": ("breakthrough", ("set goal to 1", "set goal to 2")),
    "a heap of the wrong size": ("nim", ("sevens: {size: 7}", "sevens: {size: 6}")),
    "a side that is reached too early": ("hex", ("mine connected to mine in own", "mine connected to cells in own")),
    "a card that is shown": ("kuhn_poker", ("hand: {of: seat, seen by: owner}", "hand: {of: seat, seen by: all}")),
    "a pair that counts for nothing": ("leduc_poker", (" + 9 * ", " + 0 * ")),
    "bids one after the other": ("goofspiel", ("all seats at once", "each seat")),
    "one line for each turn": ("dots_and_boxes", ("if closed is empty: set", "if 1 is 1: set")),
    "seeds in the wrong store": ("mancala", ("here's sort is house or here's side is own", "yes")),
    "the wrong one wins": ("clobber", ("each opponent: set won to yes", "set won to yes")),
}


@pytest.mark.parametrize("name, change", FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(name: str, change: tuple[str, str]) -> None:
    step = lock_step(name, change)
    with pytest.raises(Difference):
        for seed in range(200):
            step.play(seed)


def test_every_way_to_end_is_met() -> None:
    step = lock_step("tic_tac_toe")
    for seed in range(60):
        step.play(seed)
    assert {key for key in step.counts if key.startswith("returns")} == {
        f"returns {ended}" for ended in ([1.0, -1.0], [-1.0, 1.0], [0.0, 0.0])
    }


def test_what_is_forced_is_left_out_and_counted() -> None:
    """In reversi, whoever can turn nothing passes; here nobody is asked for that."""
    step = lock_step("othello")
    for seed in range(6):
        step.play(seed)
    assert step.counts[LEFT_OUT] > 0
