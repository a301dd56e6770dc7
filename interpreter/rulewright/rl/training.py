"""A player that learns an edition by playing against itself, in batches and with numpy alone.

    policy = train("my-game.yaml", seats=2, decisions=2_000_000)
    policy.save("my-game.safetensors")

It is proximal policy optimization (Schulman and others, 2017), with advantages over what each seat expected (Schulman
and others, 2016). Games go on side by side, one network plays all their seats, and what came out better than it had
expected becomes likelier. It does not know any game, and looks at nothing that a seat does not see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.base.diagnostics import RulewrightError
from rulewright.base.records import record
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.players.policies import Policy
from rulewright.rl import checkpoints
from rulewright.rl.batch import Batch
from rulewright.rl.environment_spec import Arena
from rulewright.rl.network import Floats, Network

DECISIONS = 2_000_000
STEPS, PASSES, PARTS = 64, 3, 16
"""Decisions of each game before it learns, how often it goes over them, and in how many parts."""
RATE, LEAST_RATE = 1e-3, 0.05  # of the first step, and as a part of it, of the last
CLIPPED = 0.2  # so far an action may become likelier before it is tried again
TRACE = 0.95  # how much of what came later counts beside what was expected next
CURIOSITY = 0.01  # what it is worth to leave things open
TOLD_EVERY = 10  # rounds it is told, and kept, how far a training is
TESTED = 512  # games against chance
MOST_TESTED = 20_000  # steps, where games do not end

Mask = NDArray[np.bool_]
OnProgress = Callable[[int, float], None]
"""Hears how many decisions there have been, and the share of games that are won against chance."""


@record
class Rollout:
    """Decisions, one a row. chances: how likely each action was; better: how much better it came out than expected;
    came: what it came to."""

    seen: Floats
    masks: Mask
    actions: NDArray[np.int64]
    chances: Floats
    better: Floats
    came: Floats


def train(
    edition: str | Rules,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    reward: str = "win",
    decisions: int = DECISIONS,
    games: int = 512,
    hidden: int = 128,
    seed: int = 1,
    told: OnProgress | None = None,
    keep: str | Path | None = None,
    resume: bool = False,
) -> Policy:
    """A policy that has played against itself.

    edition, seats, options, reward: as for Arena; decisions: about how many it learns from; games: how many go on side
    by side; hidden: how large both hidden layers are; told: hears from time to time how far it is. The same seed trains
    the same policy on the same computer.

    keep: a file for the policy as far as it has come, which is written from time to time and on Ctrl-C; beside it lies
    a checkpoint until the training is done. resume: go on from that checkpoint, with new games. Raises what Batch
    raises, and RulewrightError where a file cannot be written, or the checkpoint is of another training.
    """
    games = max(1, min(games, decisions // STEPS))
    batch = Batch(edition, games, seats, options, reward, seed)
    learner = Learner(batch, hidden, np.random.default_rng(seed))
    each = STEPS * games
    rounds = max(1, round(decisions / each))
    progress = _Progress(learner, Path(keep) if keep is not None else None, seed, reward)
    done = progress.resume() if resume else 0
    try:
        for number in range(done // each, rounds):
            learner.update(learner.played(), RATE * max(LEAST_RATE, 1 - number / rounds))
            done = (number + 1) * each
            if number % TOLD_EVERY == TOLD_EVERY - 1 and number < rounds - 1:
                progress.keep(done)
            if told is not None and (number % TOLD_EVERY == TOLD_EVERY - 1 or number == rounds - 1):
                told(done, won_against_chance(batch, learner.policy()))
    except KeyboardInterrupt:
        progress.keep(done)
        raise
    progress.finish()
    return learner.policy()


class _Progress:
    """What is kept of a training: the policy so far, and a checkpoint beside it. path: of the policy, None to keep
    nothing."""

    def __init__(self, learner: Learner, path: Path | None, seed: int, reward: str) -> None:
        self._learner, self._path = learner, path
        arena = learner.arena
        self._about = {
            "plays": arena.rules.edition.plays,
            "seats": len(arena.names),
            "options": dict(arena.options),
            "reward": reward,
            "seed": seed,
        }

    def resume(self) -> int:
        """Take up the checkpoint; after how many decisions that is. Raises RulewrightError."""
        if self._path is None:
            raise RulewrightError(phrase("errors", "To resume a training, say in which file it is kept."))
        path = checkpoints.path_beside(self._path)
        arrays, about = checkpoints.read(path, self._learner.arrays())
        done = about.pop("decisions", None)
        if about != self._about or type(done) is not int or done < 0:
            told = phrase(
                "errors",
                "'{path}' is of another training: the edition, its seats, options, reward or seed differ.",
                path=str(path),
            )
            raise RulewrightError(told)
        self._learner.restore(arrays)
        return done

    def keep(self, decisions: int) -> None:
        """Write the policy and the checkpoint. Raises RulewrightError."""
        if self._path is not None:
            self._learner.policy().save(self._path)
            about = {**self._about, "decisions": decisions}
            checkpoints.write(checkpoints.path_beside(self._path), self._learner.arrays(), about)

    def finish(self) -> None:
        """Write the policy, and remove the checkpoint. Raises RulewrightError."""
        if self._path is not None:
            self._learner.policy().save(self._path)
            checkpoints.path_beside(self._path).unlink(missing_ok=True)


class Learner:
    """Learns from the games of a batch, which go on from where they are."""

    def __init__(self, batch: Batch, hidden: int, chance: np.random.Generator) -> None:
        self._batch, self._chance = batch, chance
        self._taken = batch.arena.observations.now
        self._network = Network(self._taken, hidden, batch.masks.shape[1] + 1, chance)
        self._columns = np.zeros(len(batch.arena.names), np.int64)  # of each seat, its column among the rewards
        self._columns[list(batch.arena.agents)] = range(len(batch.arena.agents))
        self._scale = np.ones(self._taken, np.float32)  # how large each number gets
        ends: list[Any] = []
        for _ in range(MOST_TESTED):
            self._scale = np.maximum(self._scale, np.abs(batch.observations[:, : self._taken]).max(0))
            batch.step(drawn(batch.masks, chance))
            ends.extend(self._ahead()[batch.done])
            if len(ends) >= len(batch.done):
                break
        self._worth = max(1e-3, 2 * float(np.std(ends or [0.0])))  # so that rewards are about 1

    @property
    def arena(self) -> Arena:
        return self._batch.arena

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that it has learned and measured, by name."""
        return {**self._network.arrays(), "scale": self._scale, "worth": np.array(self._worth)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take what `arrays` has given."""
        self._network.restore(arrays)
        self._scale, self._worth = arrays["scale"], float(arrays["worth"])

    def policy(self) -> Policy:
        """What it has learned, without what it expects."""
        first, middle, last = zip(self._network.weights, self._network.added, strict=True)
        scaled = first[0] / self._scale[:, None], first[1]
        return Policy(self._batch.arena.trained_for, [scaled, middle, (last[0][:, :-1], last[1][:-1])])

    def played(self) -> Rollout:
        """Some decisions of all games."""
        batch, chance = self._batch, self._chance
        each = np.arange(len(batch.done))
        rows: list[tuple[Any, ...]] = []
        what_came: list[tuple[Any, ...]] = []
        for _ in range(STEPS):
            seen = batch.observations[:, : self._taken] / self._scale
            masks, who = batch.masks != 0, self._columns[batch.seats]
            given = self._network.forward(seen)[-1]
            chances = likely(given[:, :-1], masks)
            actions = drawn(chances, chance)
            batch.step(actions)
            rows.append((seen, masks, actions, chances[each, actions]))
            what_came.append((given[:, -1], who, batch.done.copy(), self._ahead() / self._worth))
        better = _surprises(what_came)
        expected = np.concatenate([one for one, *_ in what_came])
        seen, masks, actions, chances = (np.concatenate(column) for column in zip(*rows, strict=True))
        return Rollout(seen, masks, actions, chances, better, better + expected)

    def update(self, rows: Rollout, rate: float) -> None:
        """Make likelier what came out better than expected, and expect what came."""
        better = (rows.better - rows.better.mean()) / (rows.better.std() + 1e-8)
        for _ in range(PASSES):
            order = self._chance.permutation(len(better))
            for some in np.array_split(order, PARTS):
                floors = self._network.forward(rows.seen[some])
                chances = likely(floors[-1][:, :-1], rows.masks[some])
                each, actions, gained = np.arange(len(some)), rows.actions[some], better[some]
                ratio = chances[each, actions] / rows.chances[some]
                far = np.where(gained > 0, ratio > 1 + CLIPPED, ratio < 1 - CLIPPED)
                pull = np.where(far, 0, ratio * gained)
                open_ = chances * np.log(chances + 1e-12)
                slope = np.empty_like(floors[-1])
                slope[:, :-1] = pull[:, None] * chances + CURIOSITY * (open_ - chances * open_.sum(1, keepdims=True))
                slope[each, actions] -= pull
                slope[:, -1] = 0.5 * (floors[-1][:, -1] - rows.came[some])
                self._network.learn(floors, slope / np.float32(len(some)), rate)

    def _ahead(self) -> Any:
        """How far each agent's reward is above that of the others."""
        rewards = self._batch.rewards
        others = max(1, rewards.shape[1] - 1)
        return rewards - (rewards.sum(1, keepdims=True) - rewards) / others


def _surprises(what_came: list[tuple[Any, ...]]) -> Floats:
    """How much better each decision came out than expected, from what each agent expected at its own next one, and what
    it had in the end."""
    _, _, done, ahead = what_came[-1]
    each = np.arange(len(done))
    after, trace = np.full(ahead.shape, np.nan, np.float32), np.zeros(ahead.shape, np.float32)
    found: list[Floats] = []
    for expected, who, done, ahead in reversed(what_came):
        after[done], trace[done] = ahead[done], 0
        known = after[each, who]
        trace[each, who] = np.where(np.isnan(known), 0, known - expected) + TRACE * trace[each, who]
        after[each, who] = expected
        found.append(trace[each, who])
    return np.concatenate(found[::-1])


def likely(values: Floats, masks: NDArray[Any]) -> Floats:
    """How likely each action is. values: as logarithms."""
    found: Floats = np.where(masks, values, np.float32(-1e9))
    found = np.exp(found - found.max(1, keepdims=True))
    found /= found.sum(1, keepdims=True)
    return found


def drawn(chances: NDArray[Any], chance: np.random.Generator) -> NDArray[np.int64]:
    """An action for each row, as likely as it says; what has the chance 0 is not drawn."""
    with np.errstate(divide="ignore"):
        found: NDArray[np.int64] = (np.log(chances) + chance.gumbel(size=chances.shape)).argmax(1)
    return found


def won_against_chance(batch: Batch, policy: Policy, seed: int = 10**9) -> float:
    """The share of games that a policy wins against others who play at random, where all were to win equally often it
    would be one in so many: of each game the first agent plays by it. Ties are shared."""
    arena, chance = batch.arena, np.random.default_rng(seed)
    table = Batch(arena.rules, TESTED, len(arena.agents), arena.options, "win", seed)
    won = np.full(TESTED, np.nan)
    for _ in range(MOST_TESTED):
        ours = table.seats == arena.agents[0]
        chances = np.where(ours[:, None], policy.chances(table.observations, table.masks), table.masks)
        table.step(drawn(chances, chance))
        new = table.done & np.isnan(won)
        won[new] = table.rewards[new, 0] > 0
        if not np.isnan(won).any():
            break
    return float(np.nan_to_num(won).mean())
