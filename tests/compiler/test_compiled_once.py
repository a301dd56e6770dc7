"""Compilation results are shared between check and play."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from rulewright.authoring.edition_check import examine
from rulewright.base import cache
from rulewright.base.diagnostics import Report
from rulewright.compiler import build, steps, whole_program
from rulewright.compiler.context import Context
from rulewright.game import library
from rulewright.program import decision_pipeline

RUNGS = ["rung" + " up" * number for number in range(12)]
EDITION = f"""
rulewright: 1
title: Ladder
players: 2 to 5
counters: {{seat: {{height: 0}}}}
phases:
  climb:
    do:
      - each seat: do rung
      - end game
    steps:
{"".join(f"      {rung}: [add 1 to height, do {next_}]{chr(10)}" for rung, next_ in pairwise(RUNGS))}
      {RUNGS[-1]}: add 1 to height
scoring: {{height: {{points: height}}}}
"""


@pytest.fixture
def edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    (path := tmp_path / "ladder.yaml").write_text(EDITION, "utf-8")
    return path


def test_each_number_of_seats_is_compiled_once(edition: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, build_one = Counter[int](), whole_program.compile_program

    def counting(ctx: Context) -> object:
        compiled[ctx.plan.seats] += 1
        return build_one(ctx)

    monkeypatch.setattr(build, "compile_program", counting)
    checked, report = examine(str(edition))
    assert checked is not None and not report.diagnostics
    assert compiled == Counter(checked.seat_counts())


def test_steps_that_games_reach_are_compiled_once(edition: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step is not compiled again for each step that runs it, which would multiply with their depth."""
    compiled, step_body = Counter[int](), steps.compile_step

    def counting(ctx: Context, *step: object) -> None:
        compiled[ctx.plan.seats] += 1
        step_body(ctx, *step)  # type: ignore[arg-type]

    monkeypatch.setattr(steps, "compile_step", counting)
    library.load(str(edition))
    assert compiled == {2: len(RUNGS), 5: len(RUNGS)}


def test_first_games_play_what_the_check_has_compiled(edition: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = library.load(str(edition))
    expected = {seats: build.compile_edition(rules.edition, seats, Report()) for seats in (2, 5)}
    monkeypatch.setattr(library, "_compile_program", lambda *_: pytest.fail("this is compiled already"))
    assert {seats: rules.machine(seats).program for seats in (2, 5)} == expected


def test_play_reuses_the_check(edition: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examine(str(edition))
    monkeypatch.setattr(library, "_read_and_check", lambda *_: pytest.fail("this is known already"))
    assert library.load(str(edition)).title == "Ladder"


def test_cached_program_is_not_simplified_again(edition: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = library.load(str(edition)).machine(3)
    monkeypatch.setattr(decision_pipeline, "stopping_blocks", lambda _: pytest.fail("this is known already"))
    known = library.load(str(edition)).machine(3)
    state = known.new(1)
    known.run(state)
    again = first.new(1)
    first.run(again)
    assert state == again and known.program == first.program
