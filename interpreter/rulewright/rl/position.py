"""One game as it goes on, action by action: never changed, each action gives another position."""

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
from rulewright.players.action_space import DONE, Picks
from rulewright.players.observations import Asking, Vector
from rulewright.rl.environment_spec import Arena
from rulewright.runtime.operations import OpenDecision
from rulewright.runtime.state import State

Mask = NDArray[np.int8]
NOTHING_YET = -1


class IllegalAction(RulewrightError):
    """An action that cannot be taken now; nothing has changed."""


@record
class GivenAnswer:
    """What a seat has chosen, as the game takes it."""

    seat: int
    keys: tuple[str, ...]


class GamePosition:
    """A game between two actions. picks: what each agent has chosen of its answer so far; last: the action that each
    took last, or -1."""

    def __init__(self, arena: Arena, game: Game, picks: Mapping[int, Picks], last: tuple[int, ...]) -> None:
        self.arena, self.game, self.picks, self.last = arena, game, picks, last

    @classmethod
    def begin(cls, arena: Arena, game: Game) -> GamePosition:
        """The first position of a game, in which an agent is asked. The game is its own from now on."""
        answer_for_virtual(arena, game)
        return cls(arena, game, {}, (NOTHING_YET,) * len(arena.names))

    @cached_property
    def state(self) -> State:
        return self.game.state

    @cached_property
    def asked(self) -> dict[int, OpenDecision]:
        """What each agent is asked."""
        return {one.seat: one for one in self.arena.machine.asked(self.state)} if not self.game.over else {}

    @cached_property
    def _offered(self) -> dict[int, dict[int, list[int]]]:
        return {seat: self.arena.actions.offered(self.state, asked) for seat, asked in self.asked.items()}

    def possible(self, seat: int) -> list[int]:
        """The actions that a seat can take, smallest first; none where it is not asked."""
        if seat not in self.asked:
            return []
        asked = self.asked[seat]
        return self.picks.get(seat, Picks()).possible(self._offered[seat], asked.least, asked.most)

    def mask(self, seat: int) -> Mask:
        """1 for each action that a seat can take; where it is not asked, only `done`, which does nothing then."""
        found = np.zeros(len(self.arena.actions), np.int8)
        found[self.possible(seat) or [DONE]] = 1
        return found

    def vector(self, seat: int) -> Vector:
        """What a seat sees."""
        asking = Asking(self.asked.get(seat), self.picks.get(seat, Picks()), self.last[seat])
        return self.arena.observations.vector(self.game.view(seat), asking)

    def picked(self, seat: int, action: int) -> GamePosition | GivenAnswer:
        """After an action of a seat: what it has chosen so far, or its answer if that is complete.

        Raises IllegalAction.
        """
        if action not in self.possible(seat):
            raise self._refused(seat, action)
        picks = self.picks.get(seat, Picks())
        asked, offered = self.asked[seat], self._offered[seat]
        if action != DONE:
            picks = picks.with_one(action)
            if picks.possible(offered, asked.least, asked.most) != [DONE]:
                return GamePosition(self.arena, self.game, {**self.picks, seat: picks}, self._after(seat, action))
        return GivenAnswer(seat, tuple(self.game.keys(asked, picks.chosen(offered))))

    def answered(self, answer: GivenAnswer, action: int, game: Game) -> GamePosition:
        """The position after an answer, in a game that has it, up to where an agent is asked. action: the last one of
        the answer."""
        answer_for_virtual(self.arena, game)
        picks = {seat: picks for seat, picks in self.picks.items() if seat != answer.seat}
        return GamePosition(self.arena, game, picks, self._after(answer.seat, action))

    def act(self, seat: int, action: int) -> GamePosition:
        """The position after an action of a seat. Raises IllegalAction."""
        found = self.picked(seat, action)
        if isinstance(found, GamePosition):
            return found
        game = self.game.copy()
        game.answer(found.seat, found.keys)
        return self.answered(found, action, game)

    def rewards(self) -> tuple[float, ...]:
        """What each agent has so far: 0 until the game is over."""
        return self.arena.rewards(self.state) if self.game.over else (0.0,) * len(self.arena.agents)

    def _after(self, seat: int, action: int) -> tuple[int, ...]:
        return tuple(action if other == seat else last for other, last in enumerate(self.last))

    def _refused(self, seat: int, action: int) -> IllegalAction:
        names = self.arena.actions.names
        called = names[action] if 0 <= action < len(names) else str(action)
        return IllegalAction(
            phrase("errors", "{name} cannot do '{action}' now.", name=self.game.names[seat], action=called)
        )


def answer_for_virtual(arena: Arena, game: Game) -> None:
    """Let the virtual players answer, at random, until an agent is asked or the game is over."""
    if len(arena.agents) == len(arena.names):
        return
    while True:
        seat = next((seat for seat, _ in game.asked() if seat not in arena.agents), None)
        if seat is None:
            return
        given = sum(other == seat for other, _ in game.answers())
        game.answer(seat, players.choose("random", game, seat, given))
