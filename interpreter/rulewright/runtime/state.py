"""The state of a game: plain integers and tuples of them, seed and position in the program included."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from rulewright.base.diagnostics import RulewrightError
from rulewright.program.form import Layout

State: TypeAlias = list[Any]

clone = list.copy


class StateError(RulewrightError):
    """A text that is no state of this game."""


def to_json(state: State) -> str:
    return json.dumps({"cells": state}, separators=(",", ":"))


def from_json(text: str, layout: Layout) -> State:
    """The state in a JSON text, for a program of that layout. Raises StateError."""
    try:
        found = json.loads(text)
        cells = found["cells"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise StateError("This is not the state of a game.") from None
    if not isinstance(cells, list) or len(cells) != layout.size:
        raise StateError("This state belongs to another game.")
    state = [tuple(cell) if isinstance(cell, list) else cell for cell in cells]
    for number, cell in enumerate(state):
        capacity = layout.sets.get(number)
        items = (cell,) if capacity is None else cell
        if not isinstance(items, tuple) or len(items) > (capacity or 1) or not all(type(i) is int for i in items):
            raise StateError("This state belongs to another game.")
    return state
