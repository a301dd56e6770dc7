"""Decisions a second of learners' environments, side by side: `python tools/benchmark_batches.py [--games 4096]`.

Random actions, in one run and on one core: of batches, of PettingZoo's connect four (which needs pygame), and of
OpenSpiel's `rl_environment`, each the best of several rounds taken in turn. What draws the actions is counted, too: for
a batch one line of numpy. Times are of the processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rulewright.rl.batch import Batch

TESTS = Path(__file__).parent.parent / "tests" / "openspiel"
EDITIONS = {"connect_four": "classics/four-in-a-row", "kuhn_poker": str(TESTS / "kuhn_poker.yaml")}

Steps = Callable[[], int]
"""Some steps; gives how many decisions they were."""


def of_batch(edition: str, games: int) -> Steps:
    batch, chance = Batch(edition, games), np.random.default_rng(1)
    possible = batch.masks.view(np.uint8)

    def steps() -> int:
        for _ in range(5):
            drawn = np.frombuffer(chance.bytes(possible.size), np.uint8).reshape(possible.shape) | 1
            batch.step((drawn * possible).argmax(1))
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
            seen, _, over, cut, _ = env.last()
            action = None if over or cut else int(chance.choice(np.flatnonzero(seen["action_mask"])))
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
        seen, decisions = env.reset(), 0
        while not seen.last():
            player = seen.observations["current_player"]
            seen = env.step([int(chance.choice(seen.observations["legal_actions"][player]))])
            decisions += 1
        return decisions

    return steps


def measured(steps: Steps, seconds: float) -> float:
    """Decisions a second."""
    begun, decisions = time.process_time(), 0
    while (spent := time.process_time() - begun) < seconds:
        decisions += steps()
    return decisions / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4096, help="in a batch")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each in a round")
    arguments = parser.parse_args()
    print(
        "| decisions a second | batches | OpenSpiel's `rl_environment` | times | PettingZoo | times |\n"
        + "|---" * 6
        + "|"
    )
    for name, edition in EDITIONS.items():
        zoo = of_pettingzoo() if name == "connect_four" else None
        played = [of_batch(edition, arguments.games), of_openspiel(name), *([zoo] if zoo else [])]
        best = [0.0] * len(played)
        for _ in range(arguments.rounds):
            best = [max(old, measured(steps, arguments.seconds)) for old, steps in zip(best, played, strict=True)]
        ours, *others = best
        told = " | ".join(f"{other:,.0f} | {ours / other:.0f}" for other in others)
        print(f"| {name} | {ours:,.0f} | {told} |" + ("" if zoo else " | |"))


if __name__ == "__main__":
    main()
