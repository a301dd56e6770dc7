"""Simulation: the plan, the tables, and that they are the same however a run comes about."""

from __future__ import annotations

from array import array

import pytest

from rulewright import native
from rulewright.counting import Counting
from rulewright.generator import fractions
from rulewright.operations import pick
from rulewright.simulation.tally import Tally
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
            chance = fractions(seed)
            tally = Tally(counting, machine)
            expected.extend(
                tally.played(machine.new(seed % 2**64), lambda s, a, c=chance: pick(c, a.candidates, a.least, a.most))
            )
        assert native.Traced(counting).counted(machine.new(0), seeds) == expected
