"""States as JSON: those from elsewhere are checked before they are played."""

from __future__ import annotations

import json
from typing import Any

import pytest

from project_folders import GAMES
from rulewright.game import library
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import StateError, from_json, to_json

NUMBER, SET = "a number", "a set"
"""Kinds of cells."""


@pytest.fixture(scope="module")
def machine() -> Machine:
    return library.load(str(GAMES / "goofspiel.yaml")).machine(2)


def cell_of(machine: Machine, kind: str) -> tuple[int, int]:
    """Return the number of a cell of a kind, and how many values it can hold."""
    layout = machine.program.layout
    sets = ((number, capacity) for number, capacity in layout.sets.items() if capacity > 1)
    return next(sets) if kind == SET else (next(cell for cell in range(layout.size) if cell not in layout.sets), 1)


def test_a_state_survives_json(machine: Machine) -> None:
    state = machine.new(1)
    assert from_json(to_json(state), machine.program.layout) == state


@pytest.mark.parametrize("text", ["", "[", "3", "null", "[]", "{}", '{"cells": 3}', '{"cells": [1, 2]}', "[" * 100_000])
def test_other_texts_are_refused(machine: Machine, text: str) -> None:
    with pytest.raises(StateError):
        from_json(text, machine.program.layout)


NO_NUMBERS: list[Any] = [None, True, 1.5, "1", [1], {}]
NO_SETS: list[Any] = [None, 1, {}, "ab", [None], [True], [1.5], ["1"], [[1]]]


@pytest.mark.parametrize(
    ("kind", "value"), [*((NUMBER, value) for value in NO_NUMBERS), *((SET, value) for value in NO_SETS)]
)
def test_cells_that_are_no_numbers_are_refused(machine: Machine, kind: str, value: Any) -> None:
    refuse(machine, cell_of(machine, kind)[0], value)


def test_a_set_holds_no_more_than_there_is_room_for(machine: Machine) -> None:
    number, capacity = cell_of(machine, SET)
    refuse(machine, number, [1] * (capacity + 1))


def refuse(machine: Machine, number: int, value: Any) -> None:
    """Check that a state with this value in a cell is refused."""
    cells = json.loads(to_json(machine.new(1)))["cells"]
    cells[number] = value
    with pytest.raises(StateError, match="This state belongs to another game"):
        from_json(json.dumps({"cells": cells}), machine.program.layout)
