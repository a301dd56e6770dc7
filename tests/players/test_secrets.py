"""Bots' answers do not depend on hidden state: the tests change the state itself, not the information state made of
it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few
from rulewright.game.game import Game
from rulewright.players import Player, make_player
from rulewright.program.form import Program
from rulewright.program.state_layout import Layout
from rulewright.runtime.information_state import information_state, lasting_piece_cells
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import sees_zone
from whole_games import Table, answer_to, fork, positions, tables

SECRETIVE = (
    "wild-cards/2022",
    "wild-cards/2020",
    "wildlife/2002",
    "classics/liars-dice",
    "classics/oh-hell",
    "goofspiel",
    "market",
)
SEALING = ("wild-cards/2022", "wild-cards/2020", "goofspiel", "market")
KINDS = ("random", "greedy", "easy", "search-12", "policy")
LOOKS = 3  # at a game


def of_kind(kind: str, game: Game, seed: int) -> Player:
    if kind == "policy":
        pytest.importorskip("numpy", reason="needs numpy")
        from untrained_policies import untrained  # noqa: PLC0415 - it needs numpy

        return untrained(game.machine, seed).player(game.machine)
    return make_player(kind, game.machine)


def answers(kind: str, game: Game, seat: int, states: list[State], seed: int) -> list[list[str]]:
    results = []
    for s in states:
        [question] = [one for one in game.machine.open_decisions(s) if one.seat == seat]
        choice = of_kind(kind, game, seed).choose(
            information_state(game.machine, s, seat), question, random.Random(seed)
        )
        results.append(sorted(fork(game, s).offer(question).keys(choice)))
    return results


# ── cards that lie elsewhere ──


def lying_otherwise(program: Program, s: State, seat: int, rng: random.Random) -> State:
    """Exchange pieces that the seat neither sees nor remembers, and change what they show."""
    layout, existing = program.layout, clone(s)
    hidden = [space for space in layout.zones if not sees_zone(space, seat)]
    contents = {
        piece: space
        for space in hidden
        for piece in s[space.address]
        if layout.memory < 0 or not s[layout.memory + piece] >> seat & 1
    }
    names = dict(zip(contents, contents, strict=True))
    for piece in contents:
        other = rng.choice(list(contents))
        same = all(
            kind_of(program, names[one]) in contents[two].holds for one, two in ((piece, other), (other, piece))
        ) and marks_of(layout, names[piece]) == marks_of(layout, names[other])
        if same:
            names[piece], names[other] = names[other], names[piece]
    for space in hidden:
        existing[space.address] = tuple(names.get(piece, piece) for piece in s[space.address])
    for piece, name in names.items():
        existing[layout.piece_zones + name] = s[layout.piece_zones + piece]
        if layout.memory >= 0:
            existing[layout.memory + name] = s[layout.memory + piece]
        if name in layout.faces:
            face = layout.faces[name]
            existing[face.cell] = rng.randint(face.first, face.last)
    for cell, many in lasting_piece_cells(layout):
        note = s[cell]
        existing[cell] = tuple(names.get(piece, piece) for piece in note) if many else names.get(note, note)
    return existing


def kind_of(program: Program, piece: int) -> str:
    return program.types[program.type_of[piece]].kind


def marks_of(layout: Layout, piece: int) -> tuple[object, ...]:
    return piece in layout.faces, *(mark.address for mark, _ in layout.marked.get(piece, ()))


@few(20)
@given(tables(SECRETIVE), st.sampled_from(KINDS), st.integers(0, 2**32))
def test_hidden_pieces_change_no_answer(table: Table, kind: str, seed: int) -> None:
    game, rng = table.start()
    looked = 0
    for decision, _ in positions(game, rng):
        existing = lying_otherwise(game.program, game.state, decision.seat, rng)
        known = information_state(game.machine, game.state, decision.seat)
        assert information_state(game.machine, existing, decision.seat) == known
        if looked < LOOKS and rng.random() < 0.2:
            looked += 1
            first, second = answers(kind, game, decision.seat, [game.state, existing], seed)
            assert first == second


# ── answers that are sealed ──


def sealed_otherwise(game: Game, seat: int, rng: random.Random) -> Iterator[State]:
    """Yield the state after another seat of a simultaneous decision has answered in some way."""
    for other in game.decisions():
        if other.seat != seat and {seat, other.seat} <= set(game.machine.simultaneous_seats(game.state)):
            for _ in range(2):
                tried = game.copy()
                tried.answer(other.seat, answer_to(other, rng))
                if seat in {one.seat for one in tried.decisions()}:
                    yield tried.state


@few(20)
@given(tables(SEALING), st.sampled_from(KINDS), st.integers(0, 99))
def test_sealed_answers_of_others_change_no_answer(table: Table, kind: str, seed: int) -> None:
    """A seat that bids later knows nothing of sealed bids, not even whether there are any."""
    game, rng = table.start()
    looked = 0
    for decision, _ in positions(game, rng):
        states = [game.state, *sealed_otherwise(game, decision.seat, rng)]
        known = information_state(game.machine, game.state, decision.seat)
        assert all(information_state(game.machine, s, decision.seat) == known for s in states)
        if len(states) > 1 and looked < LOOKS:
            looked += 1
            first, *others = answers(kind, game, decision.seat, states, seed)
            assert all(other == first for other in others)
