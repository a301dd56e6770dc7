"""Training: a policy learns an edition by playing against itself, in batches and with numpy alone.

    policy = train("my-game.yaml", seats=2, decisions=2_000_000)
    policy.save("my-game.safetensors")

The algorithm is proximal policy optimization (Schulman and others, 2017), with generalized advantage estimation
(Schulman and others, 2016). Games are played side by side, one network plays all their seats, and actions that came out
better than expected become likelier. It does not know any game, and reads nothing that a seat does not see.
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
"""Usual number of decisions to learn from."""
STEPS, PASSES, PARTS = 64, 3, 16
"""Decisions of each game between updates, passes over them in an update, and parts of a pass."""
RATE, MIN_RATE_SHARE = 1e-3, 0.05
"""Learning rate of the first step, and the last one's, as a share of it."""
CLIP_RANGE = 0.2
"""Change of an action's probability, as a share of it, beyond which an update gains nothing."""
TRACE_DECAY = 0.95
"""Lambda of generalized advantage estimation."""
ENTROPY_WEIGHT = 0.01
"""Weight of the entropy, which learning increases."""
REPORT_EVERY = 10
"""Rounds between reports and checkpoints."""
TEST_GAMES, TEST_SEED = 512, 10**9
"""Number of games against random play, and the first one's seed."""
MAX_TEST_STEPS = 20_000
"""Limit of steps in games of a test, or that find the scale, in case games do not end."""

Mask = NDArray[np.bool_]
"""Rows of decisions: for each action, whether it could be taken."""
OnProgress = Callable[[int, float], None]
"""Callback with the number of decisions so far, and the share of games won against random play."""


@record
class Rollout:
    """Decisions, one a row.

    probabilities: of each action; advantages: how much better it came out than expected; returns: its results.
    """

    observations: Floats
    masks: Mask
    actions: NDArray[np.int64]
    probabilities: Floats
    advantages: Floats
    returns: Floats


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
    """Train a policy by playing against itself. It takes many arguments by name, since it is called from notebooks; all
    but the first have usual values.

    edition, seats, options, reward: as for Arena; decisions: about how many it learns from; games: most games side by
    side, fewer for few decisions; hidden: size of both hidden layers; told: called from time to time with the progress.
    The same seed trains the same policy on the same computer.

    keep: file for the policy so far, written from time to time and on Ctrl-C; a checkpoint lies beside it until the
    training is done. resume: resume from that checkpoint, with new games. Raises what Batch and its steps raise, and
    RulewrightError where a file cannot be read or written, the checkpoint is of another training, or there is no `keep`
    to resume from.
    """
    games = max(1, min(games, decisions // STEPS))
    batch = Batch(edition, games, seats, options, reward, seed)
    learner = Learner(batch, hidden, np.random.default_rng(seed))
    each = STEPS * games
    rounds = max(1, round(decisions / each))
    progress = _TrainingFiles(learner, Path(keep) if keep is not None else None, seed, reward)
    done = progress.resume() if resume else 0
    try:
        for number in range(done // each, rounds):
            learner.update(learner.play(), RATE * max(MIN_RATE_SHARE, 1 - number / rounds))
            done = (number + 1) * each
            if number % REPORT_EVERY == REPORT_EVERY - 1 and number < rounds - 1:
                progress.save(done)
            if told is not None and (number % REPORT_EVERY == REPORT_EVERY - 1 or number == rounds - 1):
                told(done, win_share(batch, learner.policy()))
    except KeyboardInterrupt:
        progress.save(done)
        raise
    progress.finish()
    return learner.policy()


class _TrainingFiles:
    """Files of a training: the policy so far, and a checkpoint beside it.

    path: of the policy, None to write nothing.
    """

    def __init__(self, learner: Learner, path: Path | None, seed: int, reward: str) -> None:
        self._learner, self._path = learner, path
        arena = learner.arena
        self._about = {
            "plays": arena.rules.edition.play_digest,
            "seats": len(arena.names),
            "options": dict(arena.options),
            "reward": reward,
            "seed": seed,
        }

    def resume(self) -> int:
        """Load the checkpoint; return its number of decisions. Raises RulewrightError."""
        if self._path is None:
            raise RulewrightError(phrase("errors", "To resume a training, say in which file it is kept."))
        path = checkpoints.checkpoint_path(self._path)
        arrays, about = checkpoints.read(path, self._learner.arrays())
        done = about.pop("decisions", None)
        if about != self._about or type(done) is not int or done < 0:
            message = phrase(
                "errors",
                "'{path}' is of another training: the edition, its seats, options, reward or seed differ.",
                path=str(path),
            )
            raise RulewrightError(message)
        self._learner.restore(arrays)
        return done

    def save(self, decisions: int) -> None:
        """Write the policy and the checkpoint. Raises RulewrightError."""
        if self._path is not None:
            self._learner.policy().save(self._path)
            about = {**self._about, "decisions": decisions}
            checkpoints.write(checkpoints.checkpoint_path(self._path), self._learner.arrays(), about)

    def finish(self) -> None:
        """Write the policy, and remove the checkpoint. Raises RulewrightError."""
        if self._path is not None:
            self._learner.policy().save(self._path)
            checkpoints.remove(checkpoints.checkpoint_path(self._path))


class Learner:
    """Learner from the games of a batch, which continue from one update to the next.

    It begins with random play of these games, about one game each, to measure the scale of observations and rewards.
    """

    def __init__(self, batch: Batch, hidden: int, rng: np.random.Generator) -> None:
        self._batch, self._rng = batch, rng
        self._inputs = batch.arena.observations.now
        self._network = Network(self._inputs, hidden, batch.masks.shape[1] + 1, rng)
        self._columns = np.zeros(len(batch.arena.names), np.int64)  # of each seat, its column among the rewards
        self._columns[list(batch.arena.agents)] = range(len(batch.arena.agents))
        self._scale = np.ones(self._inputs, np.float32)  # maximum of each number so far
        ends: list[Any] = []
        for _ in range(MAX_TEST_STEPS):
            self._scale = np.maximum(self._scale, np.abs(batch.observations[:, : self._inputs]).max(0))
            batch.step(draw_actions(batch.masks, rng))
            ends.extend(self._relative_rewards()[batch.done])
            if len(ends) >= len(batch.done):
                break
        self._reward_scale = max(1e-3, 2 * float(np.std(ends or [0.0])))  # scales rewards to about 1

    @property
    def arena(self) -> Arena:
        """Players and roles of its games."""
        return self._batch.arena

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that is learned and measured, by name."""
        return {**self._network.arrays(), "scale": self._scale, "worth": np.array(self._reward_scale)}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Restore what `arrays` gave."""
        self._network.restore(arrays)
        self._scale, self._reward_scale = arrays["scale"], float(arrays["worth"])

    def policy(self) -> Policy:
        """Return the policy learned so far, without the network's expected return."""
        first, middle, last = zip(self._network.weights, self._network.added, strict=True)
        scaled = first[0] / self._scale[:, None], first[1]
        return Policy(self._batch.arena.trained_for, [scaled, middle, (last[0][:, :-1], last[1][:-1])])

    def play(self) -> Rollout:
        """Play the next STEPS decisions of all games and return them."""
        batch, rng = self._batch, self._rng
        each = np.arange(len(batch.done))
        rows: list[tuple[Any, ...]] = []
        results: list[tuple[Any, ...]] = []
        for _ in range(STEPS):
            observations = batch.observations[:, : self._inputs] / self._scale
            masks, columns = batch.masks != 0, self._columns[batch.seats]
            outputs = self._network.forward(observations)[-1]
            probabilities_ = probabilities(outputs[:, :-1], masks)
            actions = draw_actions(probabilities_, rng)
            batch.step(actions)
            rows.append((observations, masks, actions, probabilities_[each, actions]))
            results.append((outputs[:, -1], columns, batch.done.copy(), self._relative_rewards() / self._reward_scale))
        advantages = _advantages(results)
        expected = np.concatenate([one for one, *_ in results])
        observations, masks, actions, probabilities_ = (np.concatenate(column) for column in zip(*rows, strict=True))
        return Rollout(observations, masks, actions, probabilities_, advantages, advantages + expected)

    def update(self, rows: Rollout, rate: float) -> None:
        """Update the network in PASSES passes: advantages make actions likelier, and returns correct what it expects.
        rate: of learning."""
        advantages = (rows.advantages - rows.advantages.mean()) / (rows.advantages.std() + 1e-8)
        for _ in range(PASSES):
            order = self._rng.permutation(len(advantages))
            for some in np.array_split(order, PARTS):
                layers = self._network.forward(rows.observations[some])
                probabilities_ = probabilities(layers[-1][:, :-1], rows.masks[some])
                each, actions, advantage = np.arange(len(some)), rows.actions[some], advantages[some]
                ratio = probabilities_[each, actions] / rows.probabilities[some]
                clipped = np.where(advantage > 0, ratio > 1 + CLIP_RANGE, ratio < 1 - CLIP_RANGE)
                weighted = np.where(clipped, 0, ratio * advantage)
                entropy = probabilities_ * np.log(probabilities_ + 1e-12)
                slope = np.empty_like(layers[-1])
                slope[:, :-1] = weighted[:, None] * probabilities_ + ENTROPY_WEIGHT * (
                    entropy - probabilities_ * entropy.sum(1, keepdims=True)
                )
                slope[each, actions] -= weighted
                slope[:, -1] = 0.5 * (layers[-1][:, -1] - rows.returns[some])
                self._network.learn(layers, slope / np.float32(len(some)), rate)

    def _relative_rewards(self) -> Any:
        """Return how far each agent's reward is above the average of the others."""
        rewards = self._batch.rewards
        others = max(1, rewards.shape[1] - 1)
        return rewards - (rewards.sum(1, keepdims=True) - rewards) / others


def _advantages(results: list[tuple[Any, ...]]) -> Floats:
    """Return the advantage of each decision, from each agent's expectation at its own next decision and its reward."""
    _, _, done, rewards = results[-1]
    each = np.arange(len(done))
    after, trace = np.full(rewards.shape, np.nan, np.float32), np.zeros(rewards.shape, np.float32)
    advantages: list[Floats] = []
    for expected, columns, done, rewards in reversed(results):
        after[done], trace[done] = rewards[done], 0
        next_expected = after[each, columns]
        trace[each, columns] = (
            np.where(np.isnan(next_expected), 0, next_expected - expected) + TRACE_DECAY * trace[each, columns]
        )
        after[each, columns] = expected
        advantages.append(trace[each, columns])
    return np.concatenate(advantages[::-1])


def probabilities(values: Floats, masks: NDArray[Any]) -> Floats:
    """Return the probability of each action (softmax). values: their logarithms but for a constant; masks: 0 for
    impossible actions, of probability 0."""
    exponentials: Floats = np.where(masks, values, np.float32(-1e9))
    exponentials = np.exp(exponentials - exponentials.max(1, keepdims=True))
    exponentials /= exponentials.sum(1, keepdims=True)
    return exponentials


def draw_actions(probabilities_: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw an action for each row by its probabilities; impossible ones, of probability 0, are never drawn."""
    with np.errstate(divide="ignore"):
        actions: NDArray[np.int64] = (np.log(probabilities_) + rng.gumbel(size=probabilities_.shape)).argmax(1)
    return actions


def win_share(batch: Batch, policy: Policy) -> float:
    """Return the share of TEST_GAMES games that a policy wins as first agent against random players. One that several
    win counts whole; one that all win, or that does not end, counts as not won. batch:
    gives the edition, seats and options."""
    arena, rng = batch.arena, np.random.default_rng(TEST_SEED)
    table = Batch(arena.rules, TEST_GAMES, len(arena.agents), arena.options, "win", TEST_SEED)
    won = np.full(TEST_GAMES, np.nan)
    for _ in range(MAX_TEST_STEPS):
        own_turn = table.seats == arena.agents[0]
        probabilities_ = np.where(own_turn[:, None], policy.chances(table.observations, table.masks), table.masks)
        table.step(draw_actions(probabilities_, rng))
        newly_ended = table.done & np.isnan(won)
        won[newly_ended] = table.rewards[newly_ended, 0] > 0
        if not np.isnan(won).any():
            break
    return float(np.nan_to_num(won).mean())
