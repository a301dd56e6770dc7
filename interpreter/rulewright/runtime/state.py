"""State of a game: plain integers and tuples of them, including seed and program position."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any, TypeAlias

from rulewright.base.diagnostics import RulewrightError
from rulewright.program.state_layout import Layout

State: TypeAlias = list[Any]

clone = list.copy
"""Function that copies a state; its sets are tuples, which states share."""


class StateError(RulewrightError):
    """Error: text that is no state of this game, or an information state that no state agrees with."""


def to_json(state: State) -> str:
    """Return a state as JSON, from which `from_json` makes an equal one."""
    return json.dumps({"cells": state}, separators=(",", ":"))


def from_json(text: str, layout: Layout) -> State:
    """Parse a state for a program of that layout. Raises StateError."""
    try:
        fields = json.loads(text)
        cells = fields["cells"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise StateError("This is not the state of a game.") from None
    if not isinstance(cells, list) or len(cells) != layout.size:
        raise StateError("This state belongs to another game.")
    state = [tuple(cell) if isinstance(cell, list) else cell for cell in cells]
    sets = [state[number] for number in layout.sets]
    numbers = [cell for number, cell in enumerate(state) if number not in layout.sets]
    fit = all(
        isinstance(items, tuple) and len(items) <= capacity
        for items, capacity in zip(sets, layout.sets.values(), strict=True)
    )
    if not fit or set(map(type, chain(numbers, *sets))) - {int}:
        raise StateError("This state belongs to another game.")
    return state
