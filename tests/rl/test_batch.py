"""Games that go on together in native code are the games that the machine plays, and are seen alike."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

pytest.importorskip("wasmtime", reason="needs native code")
pytest.importorskip("numpy", reason="needs numpy")

from example_counts import some_editions
from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import from_text
from rulewright.program.state_layout import LIMITED
from rulewright.rl.batch import Batch
from rulewright.rl.environment_spec import Arena
from rulewright.rl.position import GamePosition, IllegalAction

EDITIONS = some_editions(
    "wild-cards/2022",
    "classics/liars-dice",
    "classics/yacht",
    "classics/hearts",
    "classics/mancala",
    "classics/four-in-a-row",
)
STEPS = 70


def choose_actions(batch: Batch, chance: np.random.Generator) -> Any:
    """One of the actions of each game that can be taken."""
    return (chance.random(batch.masks.shape) * batch.masks).argmax(1)


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", EDITIONS)
def test_games_equal_those_of_the_machine(name: str) -> None:
    arena, games, seed = Arena(name, reward="rank"), 3, 100
    batch, chance = Batch(name, games, reward="rank", seed=seed), np.random.default_rng(1)

    def begin() -> GamePosition:
        nonlocal seed
        seed += 1
        return GamePosition.begin(arena, arena.start(seed - 1))

    positions = [begin() for _ in range(games)]
    names = np.array(arena.observations.names)
    for _ in range(STEPS):
        for number, position in enumerate(positions):
            seat = min(position.decisions)
            assert batch.seats[number] == seat
            assert batch.masks[number].tolist() == position.mask(seat).tolist()
            expected = position.vector(seat)
            assert dict(zip(names, batch.observations[number], strict=True)) == dict(zip(names, expected, strict=True))
        actions = choose_actions(batch, chance)
        batch.step(actions)
        for number, action in enumerate(actions):
            after = positions[number].act(min(positions[number].decisions), int(action))
            assert batch.done[number] == after.game.over
            if after.game.over:
                assert batch.rewards[number].tolist() == pytest.approx(after.rewards())
                assert batch.limited[number] == after.state[LIMITED]
                after = begin()
            else:
                assert not batch.rewards[number].any()
            positions[number] = after


@pytest.mark.rotating(2)
def test_virtual_players_answer_by_themselves() -> None:
    batch, chance = Batch("wild-cards/2022", 50, seats=2, seed=3), np.random.default_rng(1)
    ended = 0
    for _ in range(400):
        assert set(batch.seats.tolist()) <= {0, 1}
        batch.step(choose_actions(batch, chance))
        ended += int(batch.done.sum())
        assert not batch.rewards[batch.done].sum(1).any()
    assert ended > 50


@pytest.mark.parametrize("reward", ["score", "rank", "win"])
def test_rewards_equal_those_of_single_games(reward: str) -> None:
    arena = Arena("classics/mancala", reward=reward)
    batch, chance = Batch("classics/mancala", 1, reward=reward, seed=5), np.random.default_rng(4)
    for seed in (5, 6):
        position = GamePosition.begin(arena, arena.start(seed))
        while not position.game.over:
            [action] = choose_actions(batch, chance)
            batch.step([action])
            position = position.act(min(position.decisions), int(action))
        assert batch.done[0] and batch.rewards[0].tolist() == pytest.approx(position.rewards())


def test_samples_are_legal_and_equally_likely() -> None:
    batch, same = (Batch("classics/four-in-a-row", 2000, seed=8) for _ in range(2))
    for _ in range(9):
        actions = batch.sample().copy()
        assert (actions == same.sample()).all() and batch.masks[np.arange(2000), actions].all()
        batch.step(actions)
        same.step(actions)
    possible = batch.masks.any(0)
    picture = np.bincount(np.concatenate([batch.sample().copy() for _ in range(20)]), minlength=possible.size)
    assert picture[~possible].sum() == 0
    odds = (batch.masks / batch.masks.sum(1, keepdims=True)).sum(0) * 20
    assert (np.abs(picture - odds) <= 6 * np.sqrt(odds)).all()


def test_observations_are_read_only() -> None:
    """Native code reads the masks again: whoever wrote there took actions that cannot be taken."""
    batch = Batch("classics/mancala", 2)
    for array in (batch.observations, batch.masks, batch.seats, batch.done, batch.rewards, batch.limited):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 1


@pytest.mark.parametrize("games", [0, -3, 2.5, True, 10**9, "4"])
def test_a_batch_has_games(games: Any) -> None:
    with pytest.raises(RulewrightError, match="A batch has 1 to 1,000,000 games, not"):
        Batch("classics/mancala", games)


@pytest.mark.parametrize("seed", [-1, 2**53, "x"])
def test_a_seed_is_a_number(seed: Any) -> None:
    with pytest.raises(RulewrightError, match="A seed is a whole number from 0 to"):
        Batch("classics/mancala", 2, seed=seed)


@pytest.mark.parametrize(
    "actions", [[float("nan"), 1], [1], [1, 2, 3], [[1], [2]], 1, None, ["a", "b"], [1.5, 2], [2**40, 1], object()]
)
def test_a_step_takes_one_action_for_each_game(actions: Any) -> None:
    batch = Batch("classics/mancala", 2)
    before = batch.observations.copy()
    with pytest.raises(IllegalAction, match="A step takes 2 whole numbers, one action for each game"):
        batch.step(actions)
    assert (batch.observations == before).all()
    batch.step(batch.sample().astype(np.float64))


def test_impossible_batches_are_refused() -> None:
    batch = Batch("classics/mancala", 2)
    before = batch.observations.copy()
    with pytest.raises(IllegalAction, match="Game 1 cannot take action 99 now"):
        batch.step([int(batch.masks[0].argmax()), 99])
    with pytest.raises(IllegalAction, match="Game 0 cannot take action"):
        batch.step([-1, 0])
    assert (batch.observations == before).all()
    remembering = from_text(REMEMBERING)
    with pytest.raises(RulewrightError, match="cannot be played in batches yet"):
        Batch(remembering, 2)


REMEMBERING = """
rulewright: 1
title: Colours
players: 2
words: {colour: {red: {}, blue: {}}}
pieces: {card: {copies: 4, starts in: deck}}
zones: {deck: {seen by: nobody, pile: yes}}
counters: {game: {called: {list of: colour, at most: 4}}}
phases: {play: {do: [each seat: [may: {ask: "Red?", do: [add red to end of called]}], end game]}}
"""


ENDING = """
import ctypes, sys
from rulewright.rl.batch import Batch
batch = Batch("classics/four-in-a-row", games=4)
batch.step(batch.sample())
ctypes.pythonapi.Py_IncRef(ctypes.py_object(sys.modules["__main__"]))  # as C extensions do with what they hold
"""


@pytest.mark.rotating(2)
def test_a_program_that_ends_with_a_batch_ends_quietly() -> None:
    """An object with games may outlive the modules of wasmtime when the interpreter ends."""
    ended = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
