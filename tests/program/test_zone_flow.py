"""Flow of pieces between zones, beside the rules and beside what happens in games."""

from __future__ import annotations

import random
import runpy
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import project_folders
from edition_generator.random_source import from_seed
from edition_generator.trial import generate
from rulewright.base.diagnostics import EditionError
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.program.zone_flow import FlowAnalysis
from rulewright.runtime.operations import OutOfFuel, RuleError

RECORDER: dict[str, Any] = runpy.run_path(str(project_folders.ROOT / "tools" / "zone_flows.py"))
FILES = RECORDER["editions"]()


def recorded() -> dict[str, list[str]]:
    """Return the recorded lines of each edition."""
    result: dict[str, list[str]] = {}
    for line in RECORDER["RECORD"].read_text("utf-8").splitlines():
        if not line.startswith(" "):
            name = line
        result.setdefault(name, []).append(line)
    return result


@pytest.mark.rotating(3)
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_zones_flow_as_recorded(file: Path) -> None:
    lines = list(RECORDER["record"](file))
    assert lines == recorded()[lines[0]]


def reachable(analysis: FlowAnalysis) -> dict[str, set[str]]:
    """Return the zones that pieces of each zone may come to, by any number of moves."""
    targets = {name: {one.target for one in analysis.moves if one.source == name} for name in analysis.flows}
    for name, flow in analysis.flows.items():
        if flow.refills:
            targets[flow.refills].add(name)
    for middle, further in targets.items():
        for onward in targets.values():
            if middle in onward:
                onward.update(further)
    return targets


def check_random_game(rules: Rules, seed: int, decisions: int = 150) -> int:
    """Play a game by chance; return how many moves of pieces it had, all of which the analysis must know of."""
    machine = rules.machine(rules.edition.seat_counts()[-1])
    program, rng = machine.program, random.Random(seed)
    analysis, again = FlowAnalysis(program), FlowAnalysis(program)
    assert (analysis.flows, analysis.moves) == (again.flows, again.moves)
    targets, layout = reachable(analysis), program.layout
    zones = {space.address: space.name for space in layout.zones}
    state = machine.new(seed, [-1] * layout.seats, [option.default for option in program.options])
    moves = 0
    positions = list(program.starts)
    for _ in range(decisions):
        questions = machine.run(state)
        before, positions = positions, list(state[layout.piece_zones : layout.piece_zones + layout.pieces])
        for source, target in zip(before, positions, strict=True):
            if source != target:
                moves += 1
                assert zones[target] in targets[zones[source]], f"{zones[source]} to {zones[target]}"
        if not questions:
            break
        for question in questions:
            if program.sites[question.site].element.base == "piece":
                offered = {zones[positions[piece]] for piece in question.candidates}
                assert all(analysis.flows[zone].is_chosen_from for zone in offered), offered
            machine.answer(state, question, machine.random_answer(state, question, rng.random))
    return moves


@pytest.mark.rotating(3)
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_pieces_move_only_as_the_analysis_knows(file: Path) -> None:
    rules = library.load(str(file))
    assert sum(check_random_game(rules, seed) for seed in range(3)) > 0


@pytest.mark.rotating(10)
def test_drawn_editions_move_pieces_only_as_the_analysis_knows() -> None:
    moves = 0
    for seed in range(40):
        _, text = generate(from_seed(seed))
        with suppress(EditionError, RuleError, OutOfFuel):
            moves += check_random_game(library.from_text(text, "drawn"), seed, 30)
    assert moves > 0


SHELTERS = """\
rulewright: 1
title: Shelters
players: 2
pieces: {card: {has: {worth: 1 to 6}, starts in: deck, noun: "card {worth}"}}
zones:
  deck: {seen by: nobody, pile: yes, refills from: heap}
  heap: {seen by: all}
  hand: {of: seat, seen by: owner}
  tired: {of: seat, seen by: all}
  bid: {of: seat, seen by: all}
phases:
  play:
    do:
      - each seat:
          - move tired to hand
          - move top 2 of deck to hand
          - choose up to 1 from hand into tired: {ask: Which?, none: none}
          - choose up to 1 from hand into bid: {ask: Which?, none: none}
      - each seat:
          - let neighbour be next of seats after it
          - move bid to neighbour's hand
      - if any seat has (hand is not empty): move bid of seats to heap
"""


def test_what_returns_to_its_owner_is_not_passed_on() -> None:
    flows = FlowAnalysis(library.from_text(SHELTERS, "shelters").machine(2).program).flows
    assert flows["tired"].returns and not flows["bid"].returns
    assert flows["tired"].filled == ("hand",) == flows["bid"].filled
    assert flows["deck"].refills == "heap" and flows["hand"].is_chosen_from


@pytest.mark.parametrize(
    ("name", "targets"),
    [
        ("classics/hearts", {"pass.passed": "passed", "play a card.played": "played"}),
        ("classics/reversi", {"play.spot": "place"}),
        ("classics/backgammon", {"use both dice.start": "stack", "use both dice.second start": "stack"}),
        ("classics/checkers", {"move on.spot": "place", "take.spot": "place"}),  # not what names the piece
    ],
)
def test_answers_that_say_where_a_piece_goes(name: str, targets: dict[str, str]) -> None:
    rules = library.load(name)
    assert FlowAnalysis(rules.machine(rules.edition.seat_counts()[-1]).program).targets == targets
