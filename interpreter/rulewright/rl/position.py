"""Position of a game between actions; immutable, each action returns another position."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rulewright import players
from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.game import Game
from rulewright.i18n.localizer import phrase
from rulewright.players.action_space import DONE, PartialAnswer
from rulewright.players.observations import DecisionInput, Vector
from rulewright.rl.environment_spec import Arena
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.state import State

Mask = NDArray[np.int8]
"""1 for each action that can be taken, 0 for the others."""
NO_LAST_ACTION = -1
"""Number in place of a seat's last action before it has acted."""


class IllegalAction(RulewrightError):
    """Raised for an action that cannot be taken now; nothing has changed."""


@record
class GivenAnswer:
    """Complete answer of a seat, as the game takes it."""

    seat: int
    keys: tuple[str, ...]


class GamePosition:
    """Game between two actions.

    picks: chosen actions of each agent for its answer so far; last: last action of each seat, or -1.
    """

    def __init__(self, arena: Arena, game: Game, picks: Mapping[int, PartialAnswer], last: tuple[int, ...]) -> None:
        self.arena, self.game, self.picks, self.last = arena, game, picks, last

    @classmethod
    def begin(cls, arena: Arena, game: Game) -> GamePosition:
        """Return the first position of a game, at an agent's decision. The position owns the game from now on."""
        answer_for_virtual(arena, game)
        return cls(arena, game, {}, (NO_LAST_ACTION,) * len(arena.names))

    def game_at(self, state: State) -> Game:
        """Return an independent game in another state."""
        return self.game.with_history(self.game.history.with_state(state))

    @cached_property
    def state(self) -> State:
        """State of the game, the same list at each access: nobody changes it."""
        return self.game.state

    @cached_property
    def decisions(self) -> dict[int, OpenDecision]:
        """Open decision of each agent."""
        return {one.seat: one for one in self.arena.machine.open_decisions(self.state)} if not self.game.over else {}

    @cached_property
    def _candidates(self) -> dict[int, dict[int, list[int]]]:
        return {
            seat: self.arena.actions.candidates_by_action(self.state, asked) for seat, asked in self.decisions.items()
        }

    def possible(self, seat: int) -> list[int]:
        """List the possible actions of a seat in ascending order; none if it has no decision."""
        if seat not in self.decisions:
            return []
        decision = self.decisions[seat]
        return self.picks.get(seat, PartialAnswer()).next_actions(self._candidates[seat], decision.least, decision.most)

    def mask(self, seat: int) -> Mask:
        """Return 1 for each possible action of a seat; without a decision only `done`, which does nothing then."""
        mask_ = np.zeros(len(self.arena.actions), np.int8)
        mask_[self.possible(seat) or [DONE]] = 1
        return mask_

    def vector(self, seat: int) -> Vector:
        """Encode what a seat sees."""
        decision_input = DecisionInput(self.decisions.get(seat), self.picks.get(seat, PartialAnswer()), self.last[seat])
        return self.arena.observations.vector(self.game.view(seat), decision_input)

    def take_action(self, seat: int, action: int) -> GamePosition | GivenAnswer:
        """Take an action of a seat: return the position with its partial answer, or the answer if it is complete.

        Raises IllegalAction.
        """
        if action not in self.possible(seat):
            raise self._illegal_action(seat, action)
        picks = self.picks.get(seat, PartialAnswer())
        decision, candidates = self.decisions[seat], self._candidates[seat]
        if action != DONE:
            picks = picks.with_action(action)
            if picks.next_actions(candidates, decision.least, decision.most) != [DONE]:
                return GamePosition(
                    self.arena, self.game, {**self.picks, seat: picks}, self._last_actions(seat, action)
                )
        return GivenAnswer(seat, tuple(self.game.offer(decision).keys(picks.candidates(candidates))))

    def after_answer(self, answer: GivenAnswer, action: int, game: Game) -> GamePosition:
        """Return the position after an answer, in a game that has it, up to an agent's decision.

        action: last one of the answer. The position owns the game from now on.
        """
        answer_for_virtual(self.arena, game)
        picks = {seat: picks for seat, picks in self.picks.items() if seat != answer.seat}
        return GamePosition(self.arena, game, picks, self._last_actions(answer.seat, action))

    def act(self, seat: int, action: int) -> GamePosition:
        """Return the position after an action of a seat. Raises IllegalAction."""
        result = self.take_action(seat, action)
        if isinstance(result, GamePosition):
            return result
        game = self.game.copy()
        game.answer(result.seat, result.keys)
        return self.after_answer(result, action, game)

    def rewards(self) -> tuple[float, ...]:
        """Return the reward of each agent so far: 0 until the game is over."""
        return self.arena.rewards(self.state) if self.game.over else (0.0,) * len(self.arena.agents)

    def _last_actions(self, seat: int, action: int) -> tuple[int, ...]:
        """Return the last action of each seat, after an action of one."""
        return tuple(action if other == seat else last for other, last in enumerate(self.last))

    def _illegal_action(self, seat: int, action: int) -> IllegalAction:
        """Return the error of an action that is not possible."""
        names = self.arena.actions.names
        action_name = names[action] if 0 <= action < len(names) else str(action)
        return IllegalAction(
            phrase("errors", "{name} cannot do '{action}' now.", name=self.game.names[seat], action=action_name)
        )


def answer_for_virtual(arena: Arena, game: Game) -> None:
    """Let the virtual players answer at random until an agent has a decision or the game is over."""
    if len(arena.agents) == len(arena.names):
        return
    while True:
        seat = next((seat for seat, _ in game.pending.ids if seat not in arena.agents), None)
        if seat is None:
            return
        answer_count = sum(other == seat for other, _ in game.history.answer_keys())
        game.answer(seat, players.choose("random", game, seat, answer_count))
