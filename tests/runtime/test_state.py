"""States as JSON: those from elsewhere are checked before they are played."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulewright.game import library
from rulewright.runtime.state import StateError, from_json, to_json

MACHINE = library.load("wild-cards/2022").machine(3)
LAYOUT = MACHINE.program.layout
STATE = MACHINE.new(1)
SET, CAPACITY = next((number, capacity) for number, capacity in LAYOUT.sets.items() if capacity > 1)
NUMBER = next(number for number in range(LAYOUT.size) if number not in LAYOUT.sets)


def test_a_state_comes_back_as_it_was() -> None:
    assert from_json(to_json(STATE), LAYOUT) == STATE


@pytest.mark.parametrize("text", ["", "[", "3", "null", "[]", "{}", '{"cells": 3}', '{"cells": [1, 2]}', "[" * 100_000])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(StateError):
        from_json(text, LAYOUT)


NO_NUMBERS: list[Any] = [None, True, 1.5, "1", [1], {}]
NO_SETS: list[Any] = [None, 1, {}, "ab", [None], [True], [1.5], ["1"], [[1]], [1] * (CAPACITY + 1)]


@pytest.mark.parametrize(
    ("number", "cell"), [*((NUMBER, value) for value in NO_NUMBERS), *((SET, value) for value in NO_SETS)]
)
def test_cells_that_are_no_numbers_are_refused(number: int, cell: Any) -> None:
    cells = json.loads(to_json(STATE))["cells"]
    cells[number] = cell
    with pytest.raises(StateError, match="This state belongs to another game"):
        from_json(json.dumps({"cells": cells}), LAYOUT)
