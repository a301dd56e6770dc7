"""Counters of pieces: their visibility, the choices that they tell apart, and that they move with the piece."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players.choice_grouping import SeatCandidates
from rulewright.program.appearance import appearances_by_name, type_with_marks
from rulewright.publish.console import plain_text
from rulewright.publish.labels import Labels
from rulewright.publish.rulebook.positions import Positions
from rulewright.runtime.information_state import determinize, information_state
from rulewright.terminal import board

MARKED = """\
rulewright: 1
title: Marked
players: 2
words: {posture: {high: {}, low: {}}, side: {white: {}, black: {}}}
boards: {field: {of: space, size: 2 by 1}}
pieces:
  tank: {has: {side: side}, copies: 4, starts in: bag, noun: "{side} tank"}
zones:
  bag: {seen by: nobody}
  camp: {of: seat, seen by: owner}
  ground: {of: space, seen by: all}
counters:
  seat: {own: side}
  tank:
    moved: no
    damage: {starts at: 5, noun: strength}
    stance: posture
    keeper: seat
    fresh: yes
    dice used: {starts at: 0, shown: no}
setup:
  do:
    - each seat:
        - set own to white
        - move first 2 of (tanks in bag where side is white) to camp
    - move first 2 of (tanks in bag where side is black) to a1's ground
phases:
  play:
    do:
      - each seat:
          - choose 1 from camp plus cards in spaces as mover: {ask: "Which, {seat}?"}
          - do mark for mover
          - choose 1 from spaces as goal: {ask: "Where to with {mover}?"}
          - move mover to goal's ground
          - log: "{seat} moves {mover}."
    steps:
      mark:
        for: {marked: tank}
        do:
          - set marked's moved to yes
          - take 7 from marked's damage
          - set marked's stance to low
          - set marked's keeper to you
          - set marked's fresh to no
          - add 1 to marked's dice used
"""

RULES = library.from_text(MARKED)
ALL = "moved and damage -2 and stance low and keeper 1 and fresh no"


def start(*answers: Sequence[str]) -> Game:
    game = Game.start(RULES, ["Ada", "Ben"], seed=5)
    for keys in answers:
        game.answer(game.decisions()[0].seat, keys)
    return game


def keys(game: Game) -> dict[str, int]:
    [decision] = game.decisions()
    return {choice.key: choice.count for choice in decision.choices}


def test_pieces_with_different_counters_are_different_choices() -> None:
    game = start(["black tank on a1"])
    [decision] = game.decisions()
    assert decision.prompt == ("Where to with black tank (moved, strength −2, stance low, keeper Ada and fresh no)?")
    assert keys(start(["black tank on a1"], ["b1"])) == {
        "white tank": 2,
        "black tank on a1": 1,
        f"black tank ({ALL}) on b1": 1,
    }


def test_counters_of_hidden_pieces_are_hidden() -> None:
    marked = start(["white tank"])  # in Ada's camp still
    [own] = [zone for zone in marked.view(0).zones if zone.name == "camp" and zone.owner == 0]
    assert sorted(own.pieces or ()) == ["white tank", f"white tank ({ALL})"]
    for reader in (1, None):
        assert ALL not in repr(marked.view(reader))
        assert "moved" not in repr(marked.view(reader).zones)
    machine = marked.machine
    unmarked = information_state(machine, start(["black tank on a1"]).state, 1)
    known = information_state(machine, marked.state, 1)
    hidden = range(4)  # the white ones
    assert [known[mark.address + piece] for mark in machine.program.layout.marks for piece in hidden] == [
        unmarked[mark.address + piece] for mark in machine.program.layout.marks for piece in hidden
    ]


def test_sampled_states_keep_visible_counters() -> None:
    game = start(["black tank on a1"], ["b1"])
    for seat in range(2):
        sampled = determinize(game.machine, information_state(game.machine, game.state, seat), seat, random.Random(3))
        spaces = [space for space in game.program.layout.zones if space.name == "ground"]
        for space in spaces:
            assert [game.program.appearance(sampled, piece) for piece in sampled[space.address]] == [
                game.program.appearance(game.state, piece) for piece in game.state[space.address]
            ]
        for piece in sampled[game.program.layout.zones[0].address]:
            assert game.program.appearance(sampled, piece) == game.program.type_of[piece]


def test_saves_and_copies_keep_counters() -> None:
    game = start(["black tank on a1"], ["b1"], ["white tank"], ["a1"], [f"black tank ({ALL}) on b1"], ["a1"])
    again = Game.load(game.save(), RULES)
    assert again.state == game.state
    assert again.log.lines(None) == game.log.lines(None)
    # Twice marked: moved stays, the rest goes on.
    assert "black tank (moved and damage -9 and stance low and keeper 1 and fresh no)" in repr(game.view(None).zones)


def test_counters_that_are_not_shown_tell_nothing_apart() -> None:
    assert "dice used" not in repr(start(["black tank on a1"], ["b1"]).view(0))


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("black tank", {}),
        ("white tank (moved)", {"moved": 1}),
        ("white tank (damage -2147483648 and moved)", None),
        ("white tank (damage 0)", {"damage": 0}),
        ("white tank (damage 5)", {}),
        ("white tank (stance low, keeper 2)", {"stance": 1, "keeper": 1}),
        ("white tank (stance nothing)", {}),
        ("white tank (fresh no)", {"fresh": 0}),
        ("white tank (fresh)", {}),
        ("white tank (dice used 1)", None),
        ("white tank (keeper 3)", None),
        ("white tank (stance middle)", None),
        ("white tank (moved and moved)", None),
        ("white tank ()", None),
        ("white tank (moved", None),
        ("tank (moved)", None),
    ],
)
def test_names_with_counters_are_parsed(name: str, marks: dict[str, int] | None) -> None:
    program = RULES.machine(2).program
    appearances = appearances_by_name(program, [name])
    assert (name in appearances) == (marks is not None)
    if marks is not None:
        type_ = type_with_marks(program, appearances[name])
        assert {mark.name: held for mark, held in type_.marks} == marks
        assert appearances_by_name(program, [type_.name])[type_.name] == appearances[name]


def test_any_number_fits_a_counter() -> None:
    program = RULES.machine(2).program
    [damage] = [mark for mark in program.layout.marks if mark.name == "damage"]
    for value in (-(2**31), -1, 0, 4, 6, 2**31 - 1):
        for face in range(len(program.types)):
            type_ = type_with_marks(program, program.appearance_of(face, [(damage, value)]))
            assert type_.marks == ((damage, value),) and type_.name.endswith(f"(damage {value})")


def test_counters_are_labelled_by_their_nouns() -> None:
    game = start(["black tank on a1"], ["b1"])
    name = f"black tank ({ALL})"
    assert Labels(game).piece(name) == "black tank (moved, strength −2, stance low, keeper Ada and fresh no)"
    assert Labels(game).sort_pieces([name, "white tank"]) == ["white tank", name]


def test_a_map_marks_pieces_with_counters_and_lists_them_below() -> None:
    game = start(["black tank on a1"], ["b1"])
    lines = [plain_text(line) for line in board.draw(game, game.view(0), 80, 20)]
    assert any("B*" in line for line in lines)
    assert any("B* black tank (moved, strength −2" in " ".join(lines) for _ in lines)


def test_a_rulebook_names_the_counters_of_a_piece() -> None:
    game = start(["black tank on a1"], ["b1"])
    position = Positions(game, game.localizer()).piece(f"black tank ({ALL})")
    assert "strength −2" in position.name and "strength −2" in position.description


def test_search_distinguishes_pieces_with_different_counters() -> None:
    back = start(["black tank on a1"], ["a1"])
    [decision] = back.machine.open_decisions(back.state)
    options = SeatCandidates(back.machine, 1).choices(back.state, decision)
    assert sorted(map(len, options.values())) == [1, 1, 2]
