"""What a seat knows, and the worlds that it may be in: they look the same to it, and can be played to their end."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import view as views
from rulewright.knowledge import HIDDEN, Worlds, sight, world
from rulewright.machine import Machine
from rulewright.program import RANDOM, RANDOM_CELLS, Space
from rulewright.state import State, StateError, clone
from test_properties import EDITIONS, Table, check_state, few, positions, tables

MOST_LOOKED_AT = 12


def looked_at(table: Table) -> Iterator[tuple[Machine, State, int]]:
    """Some positions of a game, with a seat that is asked there."""
    game, rng = table.start()
    looked = 0
    for decision, _ in positions(game, rng):
        if rng.random() < 0.2:
            yield game.machine, game.state, decision.seat
            looked += 1
            if looked == MOST_LOOKED_AT:
                return


@few(20)
@given(tables(), st.integers(0, 2**32))
def test_worlds_look_the_same_and_can_be_played(table: Table, seed: int) -> None:
    for machine, s, seat in looked_at(table):
        before = clone(s)
        known = sight(machine, s, seat)
        there = world(machine, known, seat, random.Random(seed))
        assert s == before
        check_state(EDITIONS[table.edition], machine, there)
        assert views.view(machine, there, seat) == views.view(machine, s, seat)
        mine, here = ([a for a in machine.asked(state) if a.seat == seat] for state in (there, s))
        assert [(a.site, len(a.candidates), a.least, a.most) for a in mine] == [
            (a.site, len(a.candidates), a.least, a.most) for a in here
        ]
        machine.play_out(there, random.Random(seed).random)
        check_state(EDITIONS[table.edition], machine, there)


@few(20)
@given(tables(), st.integers(0, 2**32))
def test_equal_views_give_equal_worlds(table: Table, seed: int) -> None:
    for machine, s, seat in looked_at(table):
        there = world(machine, sight(machine, s, seat), seat, random.Random(seed))
        again = [world(machine, sight(machine, state, seat), seat, random.Random(7)) for state in (s, there)]
        assert again[0] == again[1]


@few(20)
@given(tables())
def test_sight_says_nothing_of_what_is_hidden(table: Table) -> None:
    for machine, s, seat in looked_at(table):
        layout = machine.program.layout
        known = sight(machine, s, seat)
        assert known[RANDOM : RANDOM + RANDOM_CELLS] == [0] * RANDOM_CELLS
        for space in layout.spaces:
            if not views.sees(space, seat):
                assert known[space.address] == (HIDDEN,) * len(s[space.address])
                assert all(known[layout.at + piece] == HIDDEN for piece in s[space.address])
        for note in layout.notes:
            cells = [known[note.address + n] for n in range(layout.seats if note.sealed >= 0 else 1)]
            if note.type.base == "piece":
                items = [item for cell in cells for item in (cell if note.type.many else (cell,))]
                assert all(item < 0 or views.sees(place(machine, s, item), seat) for item in items)


def place(machine: Machine, s: State, piece: int) -> Space:
    layout = machine.program.layout
    return next(space for space in layout.spaces if space.address == s[layout.at + piece])


def test_hidden_pieces_may_be_anywhere_that_holds_them() -> None:
    machine = EDITIONS["wild-cards/2022"].machine(3)
    program, s = machine.program, machine.new(5)
    machine.run(s)
    known = sight(machine, s, 0)
    rng, found = random.Random(1), set()
    worlds = Worlds(machine, known, 0)
    for _ in range(60):
        there = worlds.draw(rng)
        assert sight(machine, there, 0)[: machine.program.layout.at] == known[: machine.program.layout.at]
        for space in program.layout.spaces:
            if not views.sees(space, 0):
                found |= {(space.name, program.types[program.type_of[piece]].kind) for piece in there[space.address]}
    assert found == {
        (space.name, kind)
        for space in program.layout.spaces
        if not views.sees(space, 0) and s[space.address]
        for kind in space.holds & {"animal", "habitat card", "refill card"}
    }


def test_answers_of_others_are_hidden_until_all_are_in() -> None:
    machine = EDITIONS["market"].machine(2)
    s = machine.new(5)
    machine.run(s)
    [ada, ben] = machine.asked(s)
    sights = [sight(machine, s, ben.seat)]
    for answer in ada.candidates[:1], ada.candidates[1:2], ():
        answered = clone(s)
        machine.answer(answered, ada, answer)
        machine.run(answered)  # and on to what is asked next
        sights.append(sight(machine, answered, ben.seat))
        [further] = [asked for asked in machine.asked(answered) if asked.seat == ada.seat]
        machine.answer(answered, further, further.candidates[1:2])
        machine.run(answered)
        sights.append(sight(machine, answered, ben.seat))
        assert sight(machine, answered, ada.seat) != sight(machine, s, ada.seat)
        there = world(machine, sights[-1], ben.seat, random.Random(1))
        assert {asked.seat for asked in machine.asked(there)} == {ada.seat, ben.seat}
    assert all(known == sights[0] for known in sights)


def test_sight_that_no_state_agrees_with() -> None:
    machine = EDITIONS["goofspiel"].machine(2)
    s = machine.new(5)
    machine.run(s)
    known = sight(machine, s, 0)
    hand = next(space.address for space in machine.program.layout.spaces if space.name == "hand" and space.owner == 1)
    known[hand] = known[hand][1:]
    with pytest.raises(StateError, match="some pieces are nowhere"):
        world(machine, known, 0, random.Random(1))
