"""Simulation: the plan, the tables, and that they are the same however a run comes about."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

import pytest

from rulewright import native
from rulewright.counting import Counting
from rulewright.generator import fractions
from rulewright.operations import Asked, pick
from rulewright.simulation.tally import Tally
from rulewright.state import State
from test_properties import EDITIONS


@pytest.mark.parametrize("name", sorted(EDITIONS))
def test_native_code_counts_what_the_machine_counts(name: str) -> None:
    pytest.importorskip("wasmtime")
    rules = EDITIONS[name]
    for seats in {rules.edition.seats[0], rules.edition.seats[1]}:
        machine = rules.machine(seats)
        counting = Counting(machine.program)
        seeds = range(2**64 - 2, 2**64 + 2)
        expected = array("i")
        for seed in seeds:
            expected.extend(Tally(counting, machine).played(machine.new(seed % 2**64), at_random(seed)))
        assert native.Traced(counting).counted(machine.new(0), seeds) == expected


def at_random(seed: int) -> Callable[[State, Asked], Sequence[int]]:
    chance = fractions(seed)
    return lambda _, asked: pick(chance, asked.candidates, asked.least, asked.most)
