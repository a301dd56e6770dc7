"""The state of a game: a list of plain integers, seed and position in the program included."""

from __future__ import annotations

import json
from typing import TypeAlias

from rulewright.diagnostics import RulewrightError

State: TypeAlias = list[int]

clone = list.copy


class StateError(RulewrightError):
    """A text that is no state of this game."""


def to_json(state: State) -> str:
    return json.dumps({"cells": state}, separators=(",", ":"))


def from_json(text: str, size: int) -> State:
    """The state in a JSON text. size: of the program's layout. Raises StateError."""
    try:
        found = json.loads(text)
        cells = found["cells"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise StateError("This is not the state of a game.") from None
    if not isinstance(cells, list) or len(cells) != size or not all(type(cell) is int for cell in cells):
        raise StateError("This state belongs to another game.")
    return cells
