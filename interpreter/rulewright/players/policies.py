"""Trained players: a small network takes what a seat sees and values each action, without looking ahead.

    policy = Policy(batch.arena.trained_for, layers)
    policy.save("my-game.safetensors")

`--seats policy:my-game.safetensors` plays it. It takes each action with the probability that its network gives: a
policy whose last layer is multiplied leaves less to chance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players import policy_files
from rulewright.players.action_space import DONE, ActionSpace, PartialAnswer
from rulewright.players.kinds import PlayerError
from rulewright.players.observations import DecisionInput, Observations
from rulewright.players.policy_files import Layer, TrainedFor
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State
from rulewright.runtime.view import view

NO_LAST_ACTION = -1
"""Number in place of what a seat did last: a policy is not told, since a view does not hold it."""
_LOG_ZERO = -1e30
"""Value of an action that is not possible: its probability is 0."""


class Policy:
    """Network that values actions.

    trained: what it was trained for; layers: linear layers with a ReLU between each two. The last one gives the
    logarithm of each action's probability, up to a constant.
    """

    def __init__(self, trained: TrainedFor, layers: Sequence[tuple[Any, Any]]) -> None:
        """Check the layers. Raises PlayerError where they do not fit each other."""
        self.trained = trained
        self.layers: list[Layer] = [
            (np.asarray(weights, np.float32), np.asarray(added, np.float32)) for weights, added in layers
        ]
        if reason := policy_files.misfit(self.layers, trained):
            raise PlayerError(phrase("errors", "This is no policy: {why}.", why=reason))

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Load the policy of a file. Raises PlayerError."""
        layers, trained = policy_files.read(Path(path))
        return cls(trained, layers)

    def save(self, path: str | Path) -> None:
        """Save the policy to a file, replacing its content. Raises PlayerError."""
        policy_files.write(Path(path), self.layers, self.trained)

    @cached_property
    def digest(self) -> str:
        """Digest of the policy: the same for equal policies."""
        digest = hashlib.sha256(repr(self.trained).encode())
        for layer in self.layers:
            for numbers in layer:
                digest.update(numbers.tobytes())
        return digest.hexdigest()

    def values(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the value of each action in each row, as logarithms.

        observations: as a batch has them; columns beyond those that it was trained with are ignored.
        """
        values_ = observations[:, : len(self.trained.observations)]
        with np.errstate(all="ignore"):  # of a file with monstrous numbers
            for number, (weights, biases) in enumerate(self.layers):
                values_ = (np.maximum(values_, 0) if number else values_) @ weights + biases
        return np.nan_to_num(values_)

    def chances(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the probability of each action, rows that sum to 1. masks: 1 for each possible action."""
        values = np.where(masks != 0, self.values(observations), _LOG_ZERO)
        probabilities: NDArray[np.float32] = np.exp(values - values.max(1, keepdims=True)) * (masks != 0)
        probabilities /= probabilities.sum(1, keepdims=True)
        return probabilities

    def player(self, machine: Machine) -> PolicyPlayer:
        """Return a player for games of a machine. Raises PlayerError where the policy was trained for others."""
        return PolicyPlayer(machine, self)

    def notice(self, title: str, plays: str, roles: Iterable[str] | None = None) -> Phrase | None:
        """Return a warning that the policy was trained for other rules, or with other virtual players; None if neither.

        roles: of the virtual players at this table, None while that is open.
        """
        if self.trained.plays != plays:
            slots = {"title": self.trained.title, "other": title}
            return phrase(
                "player", "The trained player has learned {title}, not this {other}: expect less of it.", **slots
            )
        if roles is None or self.trained.roles is None or tuple(sorted(roles)) == self.trained.roles:
            return None
        return phrase(
            "player",
            "The trained player has learned {title} with other virtual players: expect less of it.",
            title=title,
        )


class PolicyPlayer:
    """Player that answers by a policy, from what its seat sees and has chosen for its answer so far."""

    def __init__(self, machine: Machine, policy: Policy) -> None:
        """Prepare the player. Raises PlayerError where the policy was trained for other games than the machine's."""
        self._machine, self._policy = machine, policy
        self._actions = ActionSpace(machine.program)
        self._observations = Observations(machine.program, self._actions)
        if reason := self._misfit():
            raise PlayerError(phrase("errors", "The trained player cannot play here: {why}.", why=reason))

    def _misfit(self) -> Phrase | None:
        """Return the reason why the policy cannot play these games, or None."""
        trained, seats = self._policy.trained, self._machine.program.layout.seats
        slots: dict[str, Any] = {"title": trained.title}
        if trained.seats != seats:
            return phrase(
                "errors",
                "it has learned {title} with {number} seats, virtual players among them, and here are {here}",
                number=trained.seats,
                here=seats,
                **slots,
            )
        observations, actions = self._observations.names[: self._observations.now], self._actions.names
        for theirs, ours in ((trained.observations, observations), (trained.actions, actions)):
            if name := next((one for one in ours if one not in theirs), None):
                return phrase("errors", "it has learned {title}, and does not know '{name}'", name=name, **slots)
            if name := next((one for one in theirs if one not in ours), None):
                return phrase("errors", "it has learned {title}, and misses '{name}'", name=name, **slots)
            if list(theirs) != ours:
                return phrase("errors", "it has learned {title}, where all stands in another order", **slots)
        return None

    def choose(self, info_state: State, decision: OpenDecision, rng: Random) -> list[int]:
        """Choose some of the candidates, in their order."""
        candidates_by_action, partial = self._actions.candidates_by_action(info_state, decision), PartialAnswer()
        seat_view = view(self._machine, info_state, decision.seat, derived=False)
        while (actions := partial.next_actions(candidates_by_action, decision.least, decision.most)) != [DONE]:
            action = actions[0]
            if len(actions) > 1:
                vector = self._observations.vector(seat_view, DecisionInput(decision, partial, NO_LAST_ACTION))
                action = self._draw_action(vector, actions, rng)
            if action == DONE:
                break
            partial = partial.with_action(action)
        items = set(partial.candidates(candidates_by_action))
        return [item for item in decision.candidates if item in items]

    def _draw_action(self, vector: NDArray[np.float32], possible: Sequence[int], rng: Random) -> int:
        """Draw one of the possible actions by the policy's probabilities."""
        mask = np.zeros((1, len(self._actions)), np.int8)
        mask[0, possible] = 1
        sums = self._policy.chances(vector[None], mask)[0, possible].cumsum()
        index = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
        return possible[min(index, len(possible) - 1)]
