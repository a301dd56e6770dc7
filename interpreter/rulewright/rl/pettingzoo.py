"""PettingZoo environments: agents one after the other, or all at once.

Agents are called player_0, player_1 … by their seats. An observation is a dictionary: `observation`, the vector of
`rulewright.players.observations`, and `action_mask`, with 1 for each possible action. Rewards come when a game is over.
A game that came to its limit is truncated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from rulewright.game.library import Rules
from rulewright.players.action_space import DONE
from rulewright.program.state_layout import LIMITED
from rulewright.rl.environment_spec import Arena, check_render_mode, check_seed
from rulewright.rl.position import GamePosition, GivenAnswer

RENDER_MODES = ["human", "ansi", "rgb_array"]
ILLEGAL = -1.0
"""Reward for an impossible action, which ends the game."""


class _EnvironmentCore:
    """Common part of both kinds of environment: agents with their spaces, and a game."""

    def __init__(self, arena: Arena, render_mode: str | None) -> None:
        self.arena, self.render_mode = arena, check_render_mode(render_mode, RENDER_MODES)
        self.agents_of = {seat: f"player_{seat}" for seat in arena.agents}
        self.seat_of = {agent: seat for seat, agent in self.agents_of.items()}
        observations, actions = arena.observations, len(arena.actions)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(observations.lowest, observations.highest, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.seat_of
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.seat_of}
        self._rng = Random()
        self.position = GamePosition.begin(arena, arena.start(0))

    def start_game(self, seed: int | None) -> None:
        """Begin a new game. seed: of this game and of those that follow, None to go on. Raises RulewrightError for a
        wrong seed."""
        if seed is not None:
            self._rng = Random(check_seed(seed))
        self.position = GamePosition.begin(self.arena, self.arena.start(self._rng.getrandbits(53)))

    def observation(self, agent: str) -> dict[str, Any]:
        seat = self.seat_of[agent]
        return {"observation": self.position.vector(seat), "action_mask": self.position.mask(seat)}

    def rewards(self) -> dict[str, float]:
        return dict(zip(self.seat_of, self.position.rewards(), strict=True))

    @property
    def over(self) -> bool:
        return self.position.game.over

    @property
    def limited(self) -> bool:
        return bool(self.position.state[LIMITED])

    def render(self, seat: int | None) -> Any:
        """Render the table as a seat, or None for everybody, sees it: return text or pixels, or print it,
        by the mode."""
        from rulewright.rl import rendering  # noqa: PLC0415 - who draws nothing needs no font

        if self.render_mode is None:
            return None
        text = rendering.text(self.position.game, seat)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "rgb_array":
            return rendering.image(text)
        print(text)
        return None


def _name(arena: Arena) -> str:
    return re.sub(r"[^a-z0-9]+", "_", arena.rules.name.casefold()).strip("_") + "_v0"


class _Environment:
    """Base of both kinds of environment: what PettingZoo's classes leave open."""

    metadata: ClassVar[dict[str, Any]]

    def __init__(self, arena: Arena, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {**type(self).metadata, "name": _name(arena)}  # type: ignore[misc]
        self.render_mode = render_mode
        self._core = _EnvironmentCore(arena, render_mode)
        self.possible_agents = list(self._core.seat_of)
        self.agents: list[str] = []
        self.observation_spaces = self._core.observation_spaces
        self.action_spaces = self._core.action_spaces

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def describe(self) -> list[str]:
        """Return the name of each number of an observation."""
        return list(self._core.arena.observations.names)

    def describe_actions(self) -> list[str]:
        """Return the name of each action."""
        return list(self._core.arena.actions.names)

    def close(self) -> None:
        """Close nothing: no resource is open."""


class TurnEnv(_Environment, AECEnv[str, Any, Any]):
    """Environment in which agents act one after the other. Of agents that decide at once, the first seats answer first,
    and nobody sees an answer before all are given. Made by `env`, which also checks for misuse."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 1}

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new game. seed: of this and all following games; options: none are known."""
        self._core.start_game(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._update_selection()

    def observe(self, agent: str) -> Any:
        return self._core.observation(agent)

    def step(self, action: Any) -> None:
        """Take an action of the selected agent; None is the only one when the game is over. Raises IllegalAction."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        core = self._core
        core.position = core.position.act(core.seat_of[agent], int(action))
        self._update_selection()
        self._accumulate_rewards()

    def _update_selection(self) -> None:
        """Select the agent to move, or set rewards and the end."""
        core = self._core
        if not core.over:
            self.agent_selection = core.agents_of[min(core.position.decisions)]
            return
        self.rewards = core.rewards()
        self.terminations = dict.fromkeys(self.agents, not core.limited)
        self.truncations = dict.fromkeys(self.agents, core.limited)
        self.agent_selection = self.agents[0]

    def render(self) -> Any:
        """Render the table as the selected agent sees it."""
        return self._core.render(self._core.seat_of[self.agent_selection])


class AtOnceEnv(_Environment, ParallelEnv[str, Any, Any]):
    """Environment in which all agents act at once; an agent without a decision can only do nothing, action 0. An
    illegal action ends the game, with a reward of -1 for that agent."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start a new game. seed: of this and all following games; options: none are known."""
        self._core.start_game(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """Take the actions of all agents at once; a missing one does nothing. Return observations, rewards,
        terminations, truncations and infos."""
        core = self._core
        position = core.position
        actions_by_seat = {core.seat_of[agent]: int(actions.get(agent, DONE)) for agent in self.agents}
        legal = {seat: position.possible(seat) or [DONE] for seat in actions_by_seat}
        illegal = [seat for seat, action in actions_by_seat.items() if action not in legal[seat]]
        if not illegal:
            core.position = _act_at_once(position, actions_by_seat)
        ended = bool(illegal) or core.over
        rewards = core.rewards()
        if illegal:
            rewards = {agent: ILLEGAL if core.seat_of[agent] in illegal else 0.0 for agent in self.agents}
        limited = not illegal and core.limited
        observations, infos = self._observations(), self._infos()
        over, cut = dict.fromkeys(self.agents, ended and not limited), dict.fromkeys(self.agents, limited)
        if ended:
            self.agents = []
        return observations, rewards, over, cut, infos

    def _observations(self) -> dict[str, Any]:
        return {agent: self._core.observation(agent) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {} for agent in self.agents}

    def render(self) -> Any:
        """Render the table as everybody sees it."""
        return self._core.render(None)


def _act_at_once(position: GamePosition, actions: Mapping[int, int]) -> GamePosition:
    """Return the position after the actions of all deciding seats.

    Answers are given when all have acted, so that no seat decides twice.
    """
    answers: list[tuple[GivenAnswer, int]] = []
    for seat in sorted(position.decisions):
        result = position.take_action(seat, actions[seat])
        if isinstance(result, GivenAnswer):
            answers.append((result, actions[seat]))
        else:
            position = result
    for answer, action in answers:
        game = position.game.copy()
        game.answer(answer.seat, answer.keys)
        position = position.after_answer(answer, action, game)
    return position


def env(
    edition: str | Rules,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    reward: str = "win",
    render_mode: str | None = None,
) -> AECEnv[str, Any, Any]:
    """Make an environment in which agents act one after the other; see Arena for its parameters and errors.

    render_mode: one of RENDER_MODES; None to render nothing. An impossible action ends the game.
    """
    checked: Any = wrappers.TerminateIllegalWrapper(
        TurnEnv(Arena(edition, seats, options, reward), render_mode), illegal_reward=ILLEGAL
    )
    ordered: AECEnv[str, Any, Any] = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))
    return ordered


def parallel_env(
    edition: str | Rules,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    reward: str = "win",
    render_mode: str | None = None,
) -> ParallelEnv[str, Any, Any]:
    """Make an environment in which all agents act at once; see Arena for its parameters and errors.

    render_mode: one of RENDER_MODES; None to render nothing.
    """
    return AtOnceEnv(Arena(edition, seats, options, reward), render_mode)
