"""Trained players: a small network takes what a seat sees and values each action, without looking ahead.

    policy = Policy(batch.arena.trained_for, layers)
    policy.save("my-game.safetensors")

`--seats policy:my-game.safetensors` plays it. It takes each action as often as its network says: a policy whose last
layer is multiplied leaves less to chance.
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
from rulewright.players.action_space import DONE, Actions, Picks
from rulewright.players.kinds import PlayerError
from rulewright.players.observations import Asking, Observations
from rulewright.players.policy_files import Layer, TrainedFor
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.state import State
from rulewright.runtime.view import view

NOTHING_YET = -1  # a policy is not told what its seat did last: a view does not hold it
_NEVER = -1e30


class Policy:
    """A network that values actions. trained: what it was trained for; layers: linear ones, with a ReLU between each
    two, the last of which gives the logarithm of how likely each action is, or that and any number besides."""

    def __init__(self, trained: TrainedFor, layers: Sequence[tuple[Any, Any]]) -> None:
        """Raises PlayerError where they do not fit each other."""
        self.trained = trained
        self.layers: list[Layer] = [
            (np.asarray(weights, np.float32), np.asarray(added, np.float32)) for weights, added in layers
        ]
        if why := policy_files.misfit(self.layers, trained):
            raise PlayerError(phrase("errors", "This is no policy: {why}.", why=why))

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """The policy in a file. Raises PlayerError."""
        layers, trained = policy_files.read(Path(path))
        return cls(trained, layers)

    def save(self, path: str | Path) -> None:
        """Keep it in a file, in place of what is there. Raises PlayerError."""
        policy_files.write(Path(path), self.layers, self.trained)

    @cached_property
    def digest(self) -> str:
        """The same for equal policies."""
        found = hashlib.sha256(repr(self.trained).encode())
        for layer in self.layers:
            for numbers in layer:
                found.update(numbers.tobytes())
        return found.hexdigest()

    def values(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of each row what each action is worth, as logarithms. observations: such as a batch has them; what it was not
        trained with stands behind, and is left out."""
        found = observations[:, : len(self.trained.observations)]
        with np.errstate(all="ignore"):  # of a file with monstrous numbers
            for number, (weights, added) in enumerate(self.layers):
                found = (np.maximum(found, 0) if number else found) @ weights + added
        return np.nan_to_num(found)

    def chances(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """How likely it takes each action: rows that come to 1. masks: 1 for what can be done."""
        values = np.where(masks != 0, self.values(observations), _NEVER)
        likely: NDArray[np.float32] = np.exp(values - values.max(1, keepdims=True)) * (masks != 0)
        likely /= likely.sum(1, keepdims=True)
        return likely

    def player(self, machine: Machine) -> PolicyPlayer:
        """What lets it answer in games of that machine. Raises PlayerError where it has learned others."""
        return PolicyPlayer(machine, self)

    def notice(self, title: str, plays: str, roles: Iterable[str] | None = None) -> Phrase | None:
        """What people should know before it plays other rules than those that it was trained for, or with other virtual
        players, or None. roles: of the virtual players here, None where that is still open."""
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
    """Lets a policy answer for a seat. It is told what the seat sees, and what it has chosen of its answer so far."""

    def __init__(self, machine: Machine, policy: Policy) -> None:
        """Raises PlayerError where the policy was trained for other games than those of the machine."""
        self._machine, self._policy = machine, policy
        self._actions = Actions(machine.program)
        self._observations = Observations(machine.program, self._actions)
        if why := self._misfit():
            raise PlayerError(phrase("errors", "The trained player cannot play here: {why}.", why=why))

    def _misfit(self) -> Phrase | None:
        """Why the policy cannot play these games, or None."""
        trained, seats = self._policy.trained, self._machine.program.layout.seats
        told: dict[str, Any] = {"title": trained.title}
        if trained.seats != seats:
            return phrase(
                "errors",
                "it has learned {title} with {number} seats, virtual players among them, and here are {here}",
                number=trained.seats,
                here=seats,
                **told,
            )
        seen, done = self._observations.names[: self._observations.now], self._actions.names
        for theirs, ours in ((trained.observations, seen), (trained.actions, done)):
            if name := next((one for one in ours if one not in theirs), None):
                return phrase("errors", "it has learned {title}, and does not know '{name}'", name=name, **told)
            if name := next((one for one in theirs if one not in ours), None):
                return phrase("errors", "it has learned {title}, and misses '{name}'", name=name, **told)
            if list(theirs) != ours:
                return phrase("errors", "it has learned {title}, where all stands in another order", **told)
        return None

    def choose(self, sight: State, asked: OpenDecision, rng: Random) -> list[int]:
        """Some of the candidates, in their order."""
        offered, picks = self._actions.offered(sight, asked), Picks()
        seen = view(self._machine, sight, asked.seat, derived=False)
        while (possible := picks.possible(offered, asked.least, asked.most)) != [DONE]:
            action = possible[0]
            if len(possible) > 1:
                vector = self._observations.vector(seen, Asking(asked, picks, NOTHING_YET))
                action = self._drawn(vector, possible, rng)
            if action == DONE:
                break
            picks = picks.with_one(action)
        chosen = set(picks.chosen(offered))
        return [item for item in asked.candidates if item in chosen]

    def _drawn(self, vector: NDArray[np.float32], possible: Sequence[int], rng: Random) -> int:
        mask = np.zeros((1, len(self._actions)), np.int8)
        mask[0, possible] = 1
        sums = self._policy.chances(vector[None], mask)[0, possible].cumsum()
        place = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
        return possible[min(place, len(possible) - 1)]
