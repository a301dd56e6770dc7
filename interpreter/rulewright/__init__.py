"""Rulewright runs tabletop games from rule files.

    import rulewright

    rules = rulewright.load("my-game.yaml")
    game = rulewright.Game.start(rules, ["Ada", "Ben", "Cora"], seed=7)
    decision = game.decisions()[0]
    game.answer(decision.seat, [decision.choices[0].key])

`check`, `simulate` and `rulebook` do what the commands of these names do; `choose` gives a bot's answer. What goes
wrong for a reason that people can understand is a `RulewrightError`. Nothing is loaded before it is used. Deeper
modules may change at any time.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.1"

_HOMES = {
    "AnswerError": "game.choices",
    "Decision": "game.decisions",
    "EditionError": "base.diagnostics",
    "Game": "game.game",
    "GameError": "game.setup",
    "Report": "base.diagnostics",
    "Rules": "game.library",
    "RulewrightError": "base.diagnostics",
    "UnknownEdition": "model.editions",
    "available": "game.library",
    "beginnings": "game.chance_outcomes",
    "check": "api",
    "choose": "players",
    "load": "game.library",
    "outcomes": "game.chance_outcomes",
    "rulebook": "api",
    "simulate": "api",
}
"""Public names that are imported on first use: name -> module of the package."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
