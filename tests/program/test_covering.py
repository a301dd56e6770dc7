"""Programs with coverage measures play the same games on every executor."""

from __future__ import annotations

from rulewright.compiler import compile_with_sources
from rulewright.game import library
from rulewright.program import coverage
from rulewright.program.form import Program
from rulewright.runtime.game_statistics import StatisticsLayout
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import Bulk
from rulewright.runtime.native.results import GAME_WORDS
from rulewright.simulation.chunk_player import random_answer_function
from rulewright.simulation.tally import Tally
from small_games.quarry import QUARRY

SEEDS = range(40)


def programs(text: str, seats: int = 2) -> tuple[Program, Program, int]:
    """Return a program, the same with measures, and the number of its parts."""
    program, source = compile_with_sources(library.from_text(text).edition, seats)
    places = [None if scalar is None else scalar.place for scalar in source]
    numbers = {place: number for number, place in enumerate(dict.fromkeys(filter(None, places)))}
    parts = [None if place is None else numbers[place] for place in places]
    return program, coverage.with_coverage(program, parts, len(numbers)), len(numbers)


def rows(program: Program) -> list[list[int]]:
    """Return the cells of games that native code plays."""
    counting = StatisticsLayout(program)
    words = Bulk(program, counting).counted_games(Machine(program).new(0), SEEDS).words
    width = len(words) // len(SEEDS)
    return [list(words[at * width : (at + 1) * width]) for at in range(len(SEEDS))]


def test_coverage_is_the_same_on_all_executors() -> None:
    program, covered, _ = programs(QUARRY)
    results = GAME_WORDS + program.layout.seats * (1 + len(program.scoring))
    native = rows(covered)
    assert [row[:results] for row in native] == [row[:results] for row in rows(program)]
    machine = Machine(covered)
    tally = Tally(StatisticsLayout(covered), machine)
    assert [tally.play(machine.new(seed), random_answer_function(seed, machine)) for seed in SEEDS] == native
