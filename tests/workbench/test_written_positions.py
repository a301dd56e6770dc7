"""Positions as cases say them: what is written comes to the same position again, and is short."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from positions_in_play import SHELF, game_after
from rulewright.authoring.scenarios.written_positions import as_text, position_entries
from rulewright.base.diagnostics import Report
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.runtime.state import State
from rulewright.syntax import yaml_reader
from rulewright.syntax.source import MappingNode, plain
from rulewright.workbench.play.game_start import GameStart


def visible_state(game: Game, s: State, ordered: bool = True) -> list[Sequence[object]]:
    program = game.program
    zones = []
    for space in program.layout.zones:
        looks = [program.appearance(s, piece) for piece in s[space.address]]
        loose = space.seen_by == "nobody" or space.address in program.starts
        zones.append(sorted(looks) if loose and not ordered else looks)
    cells = [
        s[cell]
        for counter in program.layout.counters
        for cell in range(counter.address, counter.address + counter.cells)
    ]
    return [*zones, cells]


def again(game: Game, text: str) -> State:
    """The state to which a position comes, as it is read from a case."""
    tree = yaml_reader.read(None, text, Report(), "position")
    assert isinstance(tree, MappingNode)
    result = plain(tree)["given"]
    start = GameStart(game.names, game.roles, game.options, 1, result).start(game.rules)
    assert start.state is not None
    return start.state


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("name", SHELF)
def test_a_written_position_gives_the_same_state(name: str, ordered: bool) -> None:
    game = game_after(library.load(name), 12)
    phase = game.program.phases[-1][0]
    result = position_entries(game.machine, game.names, game.state, phase=phase, round_number=3, ordered=ordered)
    text = as_text(result)
    assert visible_state(game, again(game, text), ordered) == visible_state(game, game.state, ordered), text


def test_derived_parts_are_left_out() -> None:
    game = game_after(library.load("classics/checkers"), 0)
    result = position_entries(game.machine, game.names, game.history.beginning, phase="play", round_number=1)
    assert result == {"phase": "play"}


def test_one_zone_takes_the_rest() -> None:
    game = game_after(library.load("wildlife/2002"), 12)
    result = position_entries(game.machine, game.names, game.state, phase="turns", round_number=2, ordered=False)
    assert [zone for zone, laid in result.items() if laid == "rest"] == ["box"]
    assert "deck" not in result and result["round"] == "2"


def test_a_board_is_drawn() -> None:
    game = game_after(library.load("classics/checkers"), 6)
    text = as_text(position_entries(game.machine, game.names, game.state, phase="play", round_number=1))
    assert "    with: {w: white man, b: black man}\n" in text
    assert len(next(line for line in text.splitlines() if "w." in line).strip()) == 8
