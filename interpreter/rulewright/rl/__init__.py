"""Environments for learners: PettingZoo's, OpenSpiel's games, and thousands of games at once.

    from rulewright.rl import pettingzoo
    env = pettingzoo.env("my-game.yaml", seats=4)

All of them number observations and actions alike: `actions` and `observations` name each number. This package does not
know what a good answer is. Nothing is loaded before it is used.
"""

from importlib import import_module
from typing import Any

_HOMES = {"Arena": "rl.environment_spec", "Batch": "rl.batch", "Policy": "players.policies", "train": "rl.training"}
"""Modules of the names that are imported when first used."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"rulewright.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
