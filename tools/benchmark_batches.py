"""Decisions a second of learners' environments, side by side: `python tools/benchmark_batches.py [--games 4096]`.

Random actions, in one run and on one core: of batches, of OpenSpiel's `rl_environment`, of PettingZoo's connect four
(which needs pygame), and of Pgx on the processor (which needs jax), each the best of several rounds taken in turn. What
draws the actions is counted, too. Pgx has as many games side by side as a batch, begins
them anew as they end, and takes all its steps of a round within one compiled loop. Times are of the processor.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from rulewright.rl.batch import Batch

TESTS = Path(__file__).parent.parent / "tests" / "openspiel"
EDITIONS = {"connect_four": "classics/four-in-a-row", "kuhn_poker": str(TESTS / "kuhn_poker.yaml")}

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

Steps = Callable[[], int]
"""Function that takes some steps at random, and returns how many decisions they were."""


def of_batch(edition: str, games: int) -> Steps:
    batch = Batch(edition, games)

    def steps() -> int:
        for _ in range(5):
            batch.step(batch.sample())
        return 5 * games

    return steps


def of_pettingzoo() -> Steps | None:
    try:
        from pettingzoo.classic import connect_four_v3  # noqa: PLC0415 - it needs pygame
    except ImportError:
        return None
    env = connect_four_v3.env()
    chance = np.random.default_rng(1)

    def steps() -> int:
        env.reset()
        decisions = 0
        for agent in env.agent_iter():
            previous, _, over, cut, _ = env.last()
            action = None if over or cut else int(chance.choice(np.flatnonzero(previous["action_mask"])))
            decisions += action is not None
            env.step(action)
            assert agent in env.possible_agents
        return decisions

    return steps


def of_openspiel(name: str) -> Steps:
    from open_spiel.python import rl_environment  # noqa: PLC0415 - it begins slowly

    env: Any = rl_environment.Environment(name)
    chance = np.random.default_rng(1)

    def steps() -> int:
        previous, decisions = env.reset(), 0
        while not previous.last():
            player = previous.observations["current_player"]
            previous = env.step([int(chance.choice(previous.observations["legal_actions"][player]))])
            decisions += 1
        return decisions

    return steps


def of_pgx(name: str, games: int) -> Steps | None:
    try:
        import jax  # noqa: PLC0415 - few have it
        import pgx  # noqa: PLC0415
        from pgx.experimental.wrappers import auto_reset  # noqa: PLC0415
    except ImportError:
        return None
    env: Any = pgx.make(name)
    begin, go_on = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, Any]:
        picture, dealt = jax.random.split(key)
        actions = jax.random.categorical(picture, jax.numpy.log(state.legal_action_mask))
        after = go_on(state, actions, jax.random.split(dealt, games))
        return after, (after.observation.sum(), after.rewards.sum())  # so that neither is left out

    several = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, 5)))
    key = jax.random.PRNGKey(1)
    state = jax.jit(begin)(jax.random.split(key, games))

    def steps() -> int:
        nonlocal state, key
        key, now = jax.random.split(key)
        state, previous = several(state, now)
        previous[0].block_until_ready()
        return 5 * games

    steps()  # compiles it
    return steps


def measured(steps: Steps, seconds: float) -> float:
    """Take steps for so many seconds of the processor; return decisions a second."""
    start, decisions = time.process_time(), 0
    while (duration := time.process_time() - start) < seconds:
        decisions += steps()
    return decisions / duration


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4096, help="in a batch")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each in a round")
    arguments = parser.parse_args()
    print(
        "| decisions a second | batches | OpenSpiel | times | PettingZoo | times | Pgx | times |\n" + "|---" * 8 + "|"
    )
    for name, edition in EDITIONS.items():
        peers = {
            "OpenSpiel": of_openspiel(name),
            "PettingZoo": of_pettingzoo() if name == "connect_four" else None,
            "Pgx": of_pgx(name, arguments.games),
        }
        played = {"batches": of_batch(edition, arguments.games)}
        played |= {peer: steps for peer, steps in peers.items() if steps is not None}
        best = dict.fromkeys(played, 0.0)
        for _ in range(arguments.rounds):
            best = {peer: max(best[peer], measured(steps, arguments.seconds)) for peer, steps in played.items()}
        ours = best["batches"]
        lines = (f"{best[peer]:,.0f} | {ours / best[peer]:.1f}" if peer in best else " | " for peer in peers)
        print(f"| {name} | {ours:,.0f} | {' | '.join(lines)} |", flush=True)
    if find_spec("pgx") is None or find_spec("jax") is None:
        print("Pgx is left out: pip install pgx jax")
    if find_spec("pygame") is None:
        print("PettingZoo's connect four is left out: pip install pygame")


if __name__ == "__main__":
    main()
