"""Environments for PettingZoo: agents one after the other, or all at once.

Agents are called player_0, player_1 … by their seats. An observation is a dictionary: `observation`, the vector of
`rulewright.players.observations`, and `action_mask`, with 1 for each action that can be taken. Rewards come when a game
is over. A game that came to its limit is truncated.
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
from rulewright.program.form import LIMITED
from rulewright.rl.environment_spec import Arena, checked_among, checked_seed
from rulewright.rl.position import GamePosition, GivenAnswer

RENDER_MODES = ["human", "ansi", "rgb_array"]
ILLEGAL = -1.0
"""The reward of whoever takes an action that cannot be taken, which ends the game."""


class _Sitting:
    """What both kinds of environment have: a table, agents with their spaces, and a game."""

    def __init__(self, arena: Arena, render_mode: str | None) -> None:
        self.arena, self.render_mode = arena, checked_among(render_mode, RENDER_MODES)
        self.agents_of = {seat: f"player_{seat}" for seat in arena.agents}
        self.seat_of = {agent: seat for seat, agent in self.agents_of.items()}
        seen, actions = arena.observations, len(arena.actions)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(seen.lowest, seen.highest, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.seat_of
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.seat_of}
        self._luck = Random()
        self.position = GamePosition.begin(arena, arena.start(0))

    def begin(self, seed: int | None) -> None:
        if seed is not None:
            self._luck = Random(checked_seed(seed))
        self.position = GamePosition.begin(self.arena, self.arena.start(self._luck.getrandbits(53)))

    def observed(self, agent: str) -> dict[str, Any]:
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
        from rulewright.rl import rendering  # noqa: PLC0415 - who draws nothing needs no font

        if self.render_mode is None:
            return None
        written = rendering.text(self.position.game, seat)
        if self.render_mode == "ansi":
            return written
        if self.render_mode == "rgb_array":
            return rendering.picture(written)
        print(written)
        return None


def _name(arena: Arena) -> str:
    return re.sub(r"[^a-z0-9]+", "_", arena.rules.name.casefold()).strip("_") + "_v0"


class TurnEnv(AECEnv[str, Any, Any]):
    """Agents one after the other. Of those who decide at once the first seats answer first, and nobody sees what they
    answer before all have. Better made by `env`, which says what is done wrong."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 1}

    def __init__(self, arena: Arena, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {**type(self).metadata, "name": _name(arena)}  # type: ignore[misc]
        self.render_mode = render_mode
        self._sitting = _Sitting(arena, render_mode)
        self.possible_agents = list(self._sitting.seat_of)
        self.observation_spaces = self._sitting.observation_spaces
        self.action_spaces = self._sitting.action_spaces

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def describe(self) -> list[str]:
        """What each number of an observation is."""
        return list(self._sitting.arena.observations.names)

    def describe_actions(self) -> list[str]:
        """What each action does."""
        return list(self._sitting.arena.actions.names)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """A new game. seed: of this and of all games that follow; options: none that it knows."""
        self._sitting.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> Any:
        return self._sitting.observed(agent)

    def step(self, action: Any) -> None:
        """The action of the agent that is selected. Raises IllegalAction."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        sitting = self._sitting
        sitting.position = sitting.position.act(sitting.seat_of[agent], int(action))
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        sitting = self._sitting
        if not sitting.over:
            self.agent_selection = sitting.agents_of[min(sitting.position.asked)]
            return
        self.rewards = sitting.rewards()
        self.terminations = dict.fromkeys(self.agents, not sitting.limited)
        self.truncations = dict.fromkeys(self.agents, sitting.limited)
        self.agent_selection = self.agents[0]

    def render(self) -> Any:
        """The table as the agent sees it that is selected."""
        return self._sitting.render(self._sitting.seat_of[self.agent_selection])

    def close(self) -> None:
        """Nothing is open."""


class AtOnceEnv(ParallelEnv[str, Any, Any]):
    """All agents at once: who is not asked can only do nothing, with action 0. An action that cannot be taken ends the
    game, with a reward of -1 for that agent."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(self, arena: Arena, render_mode: str | None = None) -> None:
        self.metadata = {**type(self).metadata, "name": _name(arena)}  # type: ignore[misc]
        self.render_mode = render_mode
        self._sitting = _Sitting(arena, render_mode)
        self.possible_agents = list(self._sitting.seat_of)
        self.agents: list[str] = []
        self.observation_spaces = self._sitting.observation_spaces
        self.action_spaces = self._sitting.action_spaces

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def describe(self) -> list[str]:
        """What each number of an observation is."""
        return list(self._sitting.arena.observations.names)

    def describe_actions(self) -> list[str]:
        """What each action does."""
        return list(self._sitting.arena.actions.names)

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """A new game. seed: of this and of all games that follow; options: none that it knows."""
        self._sitting.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observed(), self._infos()

    def step(self, actions: Mapping[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        sitting = self._sitting
        here = sitting.position
        taken = {sitting.seat_of[agent]: int(actions.get(agent, DONE)) for agent in self.agents}
        refused = [seat for seat, action in taken.items() if not here.mask(seat)[action]]
        if not refused:
            sitting.position = _together(here, taken)
        ended = bool(refused) or sitting.over
        rewards = sitting.rewards()
        if refused:
            rewards = {agent: ILLEGAL if sitting.seat_of[agent] in refused else 0.0 for agent in self.agents}
        limited = not refused and sitting.limited
        observed, infos = self._observed(), self._infos()
        over, cut = dict.fromkeys(self.agents, ended and not limited), dict.fromkeys(self.agents, limited)
        if ended:
            self.agents = []
        return observed, rewards, over, cut, infos

    def _observed(self) -> dict[str, Any]:
        return {agent: self._sitting.observed(agent) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {} for agent in self.agents}

    def render(self) -> Any:
        """The table as everybody sees it."""
        return self._sitting.render(None)

    def close(self) -> None:
        """Nothing is open."""


def _together(position: GamePosition, taken: Mapping[int, int]) -> GamePosition:
    """After the actions of all who are asked: answers are given when all have acted, so that nobody is asked twice."""
    answers: list[tuple[GivenAnswer, int]] = []
    for seat in sorted(position.asked):
        found = position.picked(seat, taken[seat])
        if isinstance(found, GivenAnswer):
            answers.append((found, taken[seat]))
        else:
            position = found
    for answer, action in answers:
        game = position.game.copy()
        game.answer(answer.seat, answer.keys)
        position = position.answered(answer, action, game)
    return position


def env(
    edition: str | Rules,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    reward: str = "win",
    render_mode: str | None = None,
) -> AECEnv[str, Any, Any]:
    """An environment in which agents act one after the other; see Arena for what it is of, and what it raises."""
    made: Any = wrappers.TerminateIllegalWrapper(
        TurnEnv(Arena(edition, seats, options, reward), render_mode), illegal_reward=ILLEGAL
    )
    found: AECEnv[str, Any, Any] = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))
    return found


def parallel_env(
    edition: str | Rules,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    reward: str = "win",
    render_mode: str | None = None,
) -> ParallelEnv[str, Any, Any]:
    """An environment in which all agents act at once; see Arena for what it is of, and what it raises."""
    return AtOnceEnv(Arena(edition, seats, options, reward), render_mode)
