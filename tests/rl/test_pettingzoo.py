"""Our environments keep what PettingZoo promises, and tell a seat no more than it may know."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pettingzoo", reason="needs PettingZoo")

from pettingzoo.test import (
    api_test,
    parallel_api_test,
    render_test,
    seed_test,
)
from pettingzoo.test.seed_test import check_environment_deterministic_parallel

from example_counts import few, some_editions
from indistinguishable_games import with_other_secrets
from project_folders import ROOT
from rulewright.base.diagnostics import RulewrightError
from rulewright.game import library
from rulewright.players.action_space import DONE, PartialAnswer
from rulewright.rl import pettingzoo
from rulewright.rl.environment_spec import Arena
from rulewright.rl.pettingzoo import TurnEnv
from rulewright.rl.position import GamePosition, IllegalAction

EDITIONS = some_editions("wild-cards/2022", "classics/four-in-a-row", "classics/liars-dice", "classics/yacht")
CYCLES = 10


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", EDITIONS)
def test_pettingzoos_tests_pass(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for usual in ("Observation space for each agent probably", "Observation is not a NumPy array"):
            warnings.filterwarnings("ignore", usual)  # its own games of cards have dictionaries, too
        api_test(pettingzoo.env(name), num_cycles=CYCLES)
        parallel_api_test(pettingzoo.parallel_env(name), num_cycles=CYCLES)
        seed_test(lambda: pettingzoo.env(name), num_cycles=CYCLES)
        check_environment_deterministic_parallel(*map(pettingzoo.parallel_env, [name, name]), num_cycles=CYCLES)
        render_test(lambda render_mode: pettingzoo.env(name, render_mode=render_mode))


def played(arena: Arena, seed: int, steps: int) -> GamePosition:
    """A position after so many actions by chance, or at the end."""
    chance = random.Random(seed)
    position = GamePosition.begin(arena, arena.start(seed))
    for _ in range(steps):
        if position.game.over:
            break
        seat = chance.choice(sorted(position.decisions))
        position = position.act(seat, chance.choice(position.possible(seat)))
    return position


@pytest.mark.parametrize("name", EDITIONS)
@few(10)
@given(seed=st.integers(0, 10_000), steps=st.integers(0, 60))
def test_indistinguishable_states_have_equal_observations(name: str, seed: int, steps: int) -> None:
    position = played(ARENAS.setdefault(name, Arena(name)), seed, steps)
    for seat in position.arena.agents:
        other = with_other_secrets(position.game, seat, random.Random(seed))
        twin = GamePosition(position.arena, other, position.picks, position.last)
        assert np.array_equal(position.vector(seat), twin.vector(seat))
        assert np.array_equal(position.mask(seat), twin.mask(seat))


ARENAS: dict[str, Arena] = {}


@pytest.mark.parametrize("name", EDITIONS)
def test_games_end_and_every_answer_is_reachable(name: str) -> None:
    """Offered actions are legal, and the rewards of all agents have one sum."""
    arena = ARENAS.setdefault(name, Arena(name))
    position = played(arena, 5, 400)
    assert len(arena.observations.names) == len(set(arena.observations.names))
    assert len(arena.actions.names) == len(set(arena.actions.names))
    if position.game.over:
        assert not position.decisions
        assert sum(position.rewards()) == pytest.approx(0) or len(arena.agents) < len(arena.names)
    else:
        assert all(position.possible(seat) for seat in position.decisions)


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", [*EDITIONS, "chess", "lines_of_action", "gin_rummy", "tiny_hanabi"])
def test_observations_keep_their_bounds(name: str) -> None:
    """Chess keeps a number for each position, and what these come to is far beyond a single number."""
    arena = Arena(name if "/" in name else str(ROOT / "tests" / "openspiel" / f"{name}.yaml"))
    low, high = arena.observations.lowest, arena.observations.highest
    assert len(low) == len(high) == len(arena.observations)
    for steps in range(0, 60, 6):
        position = played(arena, 7, steps)
        for seat in arena.agents:
            vector = position.vector(seat)
            wrong = np.flatnonzero((vector < low) | (vector > high))
            assert [arena.observations.names[number] for number in wrong] == []


def test_most_numbers_are_flags() -> None:
    previous = Arena("classics/four-in-a-row").observations
    bounds = dict(zip(previous.names, zip(previous.lowest, previous.highest, strict=True), strict=True))
    assert bounds["at seat 0"] == bounds["waiting for +1"] == bounds["game is over"] == (0, 1)
    assert bounds["place a1: red disc"][0] == 0 and bounds["place a1: red disc"][1] < 100


@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.parallel_env])
def test_unknown_names_are_refused(make: Any) -> None:
    with pytest.raises(RulewrightError, match="There is no render mode 'x'"):
        make("classics/four-in-a-row", render_mode="x")
    env = make("classics/four-in-a-row")
    for seed in (-1, 2**53, 1.5):
        with pytest.raises(RulewrightError, match="A seed is a whole number from 0 to"):
            env.reset(seed=seed)


def test_each_number_has_a_label() -> None:
    env = pettingzoo.env("classics/four-in-a-row")
    env.reset(seed=1)
    names, actions = env.unwrapped.describe(), env.unwrapped.describe_actions()
    assert actions[DONE] == "done" and actions[1] == "cell a6"
    for _ in range(2):
        observation = env.last()[0]
        assert len(observation["observation"]) == len(names) and len(observation["action_mask"]) == len(actions)
        views = {name: value for name, value in zip(names, observation["observation"], strict=True) if value}
        assert views["waiting for +0"] == 1 and views["round"] == 1
        env.step(next(action for action, possible in enumerate(observation["action_mask"]) if possible))
    assert [name for name in views if name.startswith("place ")] == ["place a1: yellow disc"]


def test_an_answer_of_several_pieces_is_given_pick_by_pick_in_one_order() -> None:
    offered = {3: [10, 11], 5: [12], 8: [13]}
    results = []
    worklist = [PartialAnswer()]
    while worklist:
        picks = worklist.pop()
        for action in picks.next_actions(offered, 2, 3):
            if action == DONE:
                results.append(picks.actions)
            else:
                worklist.append(picks.with_action(action))
    assert sorted(results) == [
        *[(3, 3), (3, 3, 5), (3, 3, 8), (3, 5), (3, 5, 8), (3, 8), (5, 8)],
    ]
    assert PartialAnswer((3, 3, 8)).candidates(offered) == [10, 11, 13]


def test_picks_are_visible_to_their_seat_alone() -> None:
    arena = Arena("classics/hearts")
    position = GamePosition.begin(arena, arena.start(3))
    others = [position.vector(seat) for seat in (1, 2, 3)]
    for number in range(2):
        position = position.act(0, position.possible(0)[number])
        assert [np.array_equal(position.vector(seat), old) for seat, old in zip((1, 2, 3), others, strict=True)] == [
            True
        ] * 3
    known = dict(zip(arena.observations.names, position.vector(0), strict=True))
    assert known["most still to choose"] == 1
    assert sum(value for name, value in known.items() if name.startswith("chosen: ")) == 2
    with pytest.raises(IllegalAction, match="Ada cannot do 'done' now"):
        position.act(0, DONE)


def test_virtual_players_come_with_the_edition() -> None:
    arena = Arena("wild-cards/2022", seats=2)
    assert (arena.agents, arena.names) == ((0, 1), ("Ada", "Ben", "Leo"))
    position = played(arena, 1, 1000)
    assert position.game.over and len(position.rewards()) == 2


@pytest.mark.parametrize(
    ("reward", "expected"),
    [("score", {4.0, 2.0, 1.0}), ("rank", {1.0, 0.0, -1.0}), ("win", {1.0, -0.5})],
)
def test_rewards(reward: str, expected: set[float]) -> None:
    arena = Arena(library.from_text(POINTS), seats=3, reward=reward)
    position = played(arena, 1, 10)
    assert position.game.over and set(position.rewards()) == expected


POINTS = """
rulewright: 1
title: Points
players: 3
counters: {seat: {gold: 0}}
setup: {do: [each seat: [add 1 to gold], each first 1 of seats: [add 3 to gold], each last 1 of seats: [add 1 to gold]]}
phases: {play: {do: [each seat: [may: {ask: "Well?", do: [add 0 to gold]}], end game]}}
scoring: {gold: {points: gold}}
"""


def test_impossible_environments_are_refused() -> None:
    with pytest.raises(RulewrightError, match="There is no reward 'money'"):
        Arena("classics/hex", reward="money")
    with pytest.raises(RulewrightError, match="players"):
        pettingzoo.env("classics/hex", seats=3)
    with pytest.raises(RulewrightError, match="option"):
        pettingzoo.env("classics/hex", options={"board": "round"})


def test_an_illegal_action_ends_the_game() -> None:
    env = pettingzoo.env("classics/four-in-a-row")
    env.reset(seed=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env.step(DONE)
    assert all(env.terminations.values()) and env.rewards["player_0"] == -1
    at_once: Any = pettingzoo.parallel_env("classics/four-in-a-row")
    at_once.reset(seed=1)
    _, rewards, ended, _, _ = at_once.step({"player_0": 1, "player_1": 1})
    assert rewards == {"player_0": 0, "player_1": -1} and all(ended.values()) and at_once.agents == []


@pytest.mark.parametrize("action", [-1, 10_000])
def test_an_action_that_there_is_not_ends_the_game(action: int) -> None:
    env: Any = pettingzoo.parallel_env("classics/four-in-a-row")
    env.reset(seed=1)
    _, rewards, ended, _, _ = env.step({"player_0": action, "player_1": DONE})
    assert rewards == {"player_0": -1, "player_1": 0} and all(ended.values())


def test_a_game_at_its_limit_is_truncated() -> None:
    env: TurnEnv = TurnEnv(
        Arena(library.from_text(POINTS.replace("scoring:", "limit: {answers: 2}\nscoring:")), seats=3)
    )
    env.reset(seed=1)
    for _ in range(2):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert all(env.truncations.values()) and not any(env.terminations.values())


def test_nothing_is_loaded_before_it_is_used() -> None:
    text = "import sys, rulewright.rl; print({'numpy', 'lark', 'pettingzoo'} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, check=True).stdout == b"set()\n"


def future(env: TurnEnv, seed: int) -> list[Any]:
    """All that is seen and given from here on, with actions by chance."""
    chance, known = np.random.default_rng(seed), []
    for _ in env.agent_iter(60):
        observation, reward, ended, cut, _ = env.last()
        known.append((env.agent_selection, observation["observation"].tolist(), reward, ended, cut))
        can = np.flatnonzero(observation["action_mask"])
        env.step(None if ended or cut else int(chance.choice(can)))
    return known


@pytest.mark.rotating(2)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deep", "pickle"])
@pytest.mark.parametrize("name", EDITIONS)
def test_a_copy_has_the_same_future(name: str, copied: Any) -> None:
    """Actions in the copy do not change the original."""
    env = pettingzoo.env(name)
    env.reset(seed=3)
    for _ in range(5):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    other, third = copied(env), copied(env)
    assert future(other, 1) == future(env, 1) != future(third, 2)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("no bluffing yes", "Options are names with their choices, not 'no bluffing yes'"),
        (["no bluffing"], "Options are names with their choices"),
        ({"no bluffing": True}, "The option 'no bluffing' can be no or yes, not 'True'"),
        ({1: "yes"}, "has no option '1'"),
    ],
)
def test_invalid_options_are_refused_with_a_message(options: Any, text: str) -> None:
    with pytest.raises(RulewrightError, match=text):
        pettingzoo.env("wild-cards/2022", seats=3, options=options)
