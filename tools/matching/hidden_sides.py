"""Sides of OpenSpiel for games in which something is hidden: information-set search, and regret minimisation.

Its search in C++ takes games that can draw a world from what a seat knows. For games of two that cannot, and for those
in which all answer at once, its search in Python is given such a draw: others' answers at random, drawn again until the
seat would know what it does.
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from matching.meter import Meter
from matching.openspiel_sides import UCT_C, SearchSide

Information = pyspiel.GameType.Information
SPREAD_GAMES = 200
"""Random games of which the spread of the returns is measured: exploration goes by it."""
DRAWS = 100_000
"""Draws of a world before one counts as impossible."""
CFR_ROUNDS, CFR_SECONDS = 1000, 10.0
"""Rounds of regret minimisation, or seconds of the processor, whichever end first."""


class IsmctsSide(SearchSide):
    """OpenSpiel's information-set search, `uct_c` 1.4 times the spread of a random game's returns."""

    def __init__(self, game: Any, seconds: float) -> None:
        kind = game.get_type()
        at_once = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        self._draw = drawn_answers if kind.information == Information.PERFECT_INFORMATION else drawn_world
        super().__init__(pyspiel.convert_to_turn_based(game) if at_once else game, seconds)
        self._at_once = at_once
        self._exploration = UCT_C * spread(self.game)
        self.in_python = at_once or not can_draw_worlds(self.game)

    def can_play(self, state: Any) -> bool:
        """Return whether the search in C++ does not crash: it does where hearts are passed (OpenSpiel 2.0)."""
        return bool(self.game.get_type().short_name != "hearts" or state.history()[0] == 0)

    def action(self, state: Any, seat: int) -> int:
        """Return the action of a seat. What others answer at once with it is drawn: it has not been answered yet."""
        if self._at_once:
            history, state = state.history(), self.game.new_initial_state()
            for each in history:
                state.apply_action(each)
            while state.current_player() != seat:
                state.apply_action(state.legal_actions()[0])
        return super().action(state, seat)

    def search(self, state: Any, tries: int) -> tuple[int, int]:
        """Search by UCT over worlds; the action with most visits is taken."""
        if self.in_python:
            bot = ismcts.ISMCTSBot(
                self.game,
                mcts.RandomRolloutEvaluator(1, np.random.RandomState(self._seed)),
                self._exploration,
                tries,
                random_state=np.random.RandomState(self._seed),
                final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            )
            chance = random.Random(self._seed)
            bot.set_resampler(lambda known, seat: self._draw(known, seat, chance))
        else:
            bot = pyspiel.ISMCTSBot(
                self._seed,
                pyspiel.RandomRolloutEvaluator(1, self._seed),
                self._exploration,
                tries,
                -1,
                pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            )
        return int(bot.step(state)), tries


class CfrSide:
    """Average policy of OpenSpiel's CFR+. exploitability: of the policy; rounds: made by the solver."""

    def __init__(self, game: Any) -> None:
        self.meter = Meter()
        self.rounds, self._solver = solve(game)
        self.policy = self._solver.average_policy()  # it lives as long as the solver
        self.exploitability = float(pyspiel.exploitability(game, self.policy))
        self._chance = random.Random()

    def begin(self, seed: int) -> None:
        """Begin a game."""
        self._chance = random.Random(f"policy {seed}")

    def can_play(self, state: Any) -> bool:
        """Return True."""
        return True

    def action(self, state: Any, seat: int) -> int:
        """Return an action, drawn by the policy."""
        with self.meter.measure():
            chances = self.policy.action_probabilities(state)
            [action] = self._chance.choices(list(chances), list(chances.values()))
        return int(action)


def solve(game: Any) -> tuple[int, Any]:
    """Return how many rounds CFR+ made, and the solver."""
    solver, start, rounds = pyspiel.CFRPlusSolver(game), time.process_time(), 0
    while rounds < CFR_ROUNDS and time.process_time() - start < CFR_SECONDS:
        solver.evaluate_and_update_policy()
        rounds += 1
    return rounds, solver


def spread(game: Any) -> float:
    """Return the standard deviation of the first seat's returns in random games; 1 where they are all alike."""
    chance = random.Random(1)
    returns = [random_end(game.new_initial_state(), chance).returns()[0] for _ in range(SPREAD_GAMES)]
    return float(np.std(returns)) or 1.0


def random_end(state: Any, chance: random.Random) -> Any:
    """Play a state to its end at random, and return it."""
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    return state


def can_draw_worlds(game: Any) -> bool:
    """Return whether a game's states can draw a world from what a seat knows."""
    state, chance = game.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(chance.choice(state.legal_actions()))
    try:
        state.resample_from_infostate(state.current_player(), chance.random)
    except pyspiel.SpielError:
        return False
    return True


def drawn_answers(state: Any, seat: int, chance: random.Random) -> Any:
    """Return a state in which those who answer at once with a seat, and before it there, have drawn their answers."""
    past = state.full_history()
    begin = len(past)
    while begin and 0 <= past[begin - 1].player < seat and len(past) - begin < seat:
        begin -= 1
    world = state.get_game().new_initial_state()
    for each in past[:begin]:
        world.apply_action(each.action)
    while world.current_player() != seat:
        world.apply_action(chance.choice(world.legal_actions()))
    return world


def drawn_world(state: Any, seat: int, chance: random.Random) -> Any:
    """Return a state that the seat to move cannot tell from this one: chance as it was, others' answers drawn.

    Raises LookupError if none is found.
    """
    past = state.full_history()
    known, now = list[str](), state.get_game().new_initial_state()
    for each in past:
        if now.current_player() == seat:
            known.append(now.information_state_string(seat))
        now.apply_action(each.action)
    known.append(state.information_state_string(seat))
    own = [each.action for each in past if each.player == seat]
    fallen = [each.action for each in past if each.player < 0]
    for _ in range(DRAWS):
        world = _world(state.get_game(), seat, (known, own, fallen), chance)
        if world is not None:
            return world
    raise LookupError(f"No world is like this one:\n{state}")


def _world(game: Any, seat: int, past: tuple[list[str], list[int], list[int]], chance: random.Random) -> Any:
    """Return a draw, or None if the seat would know that it is another.

    past: what the seat knew at each of its decisions, its answers, and what fell by chance.
    """
    known, own, fallen = past
    state, turns, falls = game.new_initial_state(), 0, 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(fallen[falls])
            falls += 1
        elif state.current_player() != seat:
            state.apply_action(chance.choice(state.legal_actions()))
        elif state.information_state_string(seat) != known[turns]:
            return None
        elif turns == len(own):
            return state
        else:
            state.apply_action(own[turns])
            turns += 1
    return None
