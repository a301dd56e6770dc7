"""Information states, and sampled states that agree with them: they look the same to the seat and can be played to the
end."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few
from rulewright.game import library
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS, StateZone
from rulewright.runtime import view as views
from rulewright.runtime.information_state import (
    HIDDEN,
    ArrangementSampler,
    Determinizer,
    determinize,
    information_state,
    is_known,
)
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State, StateError, clone
from whole_games import EDITIONS, Table, check_state, positions, tables

MOST_LOOKED_AT = 12


def looked_at(table: Table) -> Iterator[tuple[Machine, State, int]]:
    """Yield some positions of a game, each with a seat that has a decision there."""
    game, rng = table.start()
    looked = 0
    for decision, _ in positions(game, rng):
        if rng.random() < 0.2:
            yield game.machine, game.state, decision.seat
            looked += 1
            if looked == MOST_LOOKED_AT:
                return


@pytest.mark.rotating(6)
@few(20)
@given(tables(), st.integers(0, 2**32))
def test_sampled_states_look_the_same_and_can_be_played(table: Table, seed: int) -> None:
    for machine, s, seat in looked_at(table):
        before = clone(s)
        known = information_state(machine, s, seat)
        second = determinize(machine, known, seat, random.Random(seed))
        assert s == before
        check_state(EDITIONS[table.edition], machine, second)
        assert views.view(machine, second, seat) == views.view(machine, s, seat)
        mine, first = ([a for a in machine.open_decisions(state) if a.seat == seat] for state in (second, s))
        assert [(a.site, len(a.candidates), a.least, a.most) for a in mine] == [
            (a.site, len(a.candidates), a.least, a.most) for a in first
        ]
        machine.play_out(second, random.Random(seed).random)
        check_state(EDITIONS[table.edition], machine, second)


@few(20)
@given(tables())
def test_known_cells_are_those_that_the_information_state_keeps(table: Table) -> None:
    chance = random.Random(table.seed)
    for machine, s, seat in looked_at(table):
        known = information_state(machine, s, seat)
        layout = machine.program.layout
        contents = range(layout.piece_zones, layout.piece_zones + layout.pieces)
        for cell in (*layout.public_cells, *chance.sample(contents, min(len(contents), 20))):
            assert is_known(machine, s, seat, [cell]) == (s[cell] == known[cell])


@few(20)
@given(tables(), st.integers(0, 2**32))
def test_equal_information_states_give_equal_samples(table: Table, seed: int) -> None:
    for machine, s, seat in looked_at(table):
        existing = determinize(machine, information_state(machine, s, seat), seat, random.Random(seed))
        again = [
            determinize(machine, information_state(machine, state, seat), seat, random.Random(7))
            for state in (s, existing)
        ]
        assert again[0] == again[1]


@few(20)
@given(tables())
def test_information_states_hold_nothing_hidden(table: Table) -> None:
    for machine, s, seat in looked_at(table):
        layout = machine.program.layout
        known = information_state(machine, s, seat)
        assert known[RANDOM : RANDOM + RANDOM_CELLS] == [0] * RANDOM_CELLS
        for space in layout.zones:
            if not views.sees_zone(space, seat):
                assert len(known[space.address]) == len(s[space.address])
                contents = {piece for piece in known[space.address] if piece != HIDDEN}
                contents |= {piece for piece in s[space.address] if known[layout.piece_zones + piece] != HIDDEN}
                assert all(views.knows(machine.program, s, seat, piece) for piece in contents)
        for note in layout.lasting_values:
            cells = [known[note.address + n] for n in range(layout.seats if note.sealed >= 0 else 1)]
            if note.type.base == "piece":
                items = [item for cell in cells for item in (cell if note.type.many else (cell,))]
                assert all(item < 0 or views.sees_zone(place(machine, s, item), seat) for item in items)


def place(machine: Machine, s: State, piece: int) -> StateZone:
    layout = machine.program.layout
    return next(space for space in layout.zones if space.address == s[layout.piece_zones + piece])


def test_hidden_pieces_are_sampled_in_any_zone_that_may_hold_them() -> None:
    machine = EDITIONS["wild-cards/2022"].machine(3)
    program, s = machine.program, machine.new(5)
    machine.run(s)
    known = information_state(machine, s, 0)
    rng, results = random.Random(1), set()
    worlds = Determinizer(machine, known, 0)
    for _ in range(60):
        existing = worlds.draw(rng)
        assert (
            information_state(machine, existing, 0)[: machine.program.layout.piece_zones]
            == known[: machine.program.layout.piece_zones]
        )
        for space in program.layout.zones:
            if not views.sees_zone(space, 0):
                results |= {
                    (space.name, program.types[program.type_of[piece]].kind) for piece in existing[space.address]
                }
    assert results == {
        (space.name, kind)
        for space in program.layout.zones
        if not views.sees_zone(space, 0) and s[space.address]
        for kind in space.holds & {"animal", "habitat card", "refill card"}
    }


def test_answers_of_others_are_hidden_until_all_are_in() -> None:
    machine = EDITIONS["market"].machine(2)
    s = machine.new(5)
    machine.run(s)
    [ada, ben] = machine.open_decisions(s)
    sights = [information_state(machine, s, ben.seat)]
    for answer in ada.candidates[:1], ada.candidates[1:2], ():
        answered = clone(s)
        machine.answer(answered, ada, answer)
        machine.run(answered)  # and on to what is asked next
        sights.append(information_state(machine, answered, ben.seat))
        [further] = [asked for asked in machine.open_decisions(answered) if asked.seat == ada.seat]
        machine.answer(answered, further, further.candidates[1:2])
        machine.run(answered)
        sights.append(information_state(machine, answered, ben.seat))
        assert information_state(machine, answered, ada.seat) != information_state(machine, s, ada.seat)
        existing = determinize(machine, sights[-1], ben.seat, random.Random(1))
        assert {asked.seat for asked in machine.open_decisions(existing)} == {ada.seat, ben.seat}
    assert all(known == sights[0] for known in sights)


@pytest.mark.parametrize("looking", range(3))
def test_seats_of_a_simultaneous_decision_know_only_their_own_answers(looking: int) -> None:
    machine = EDITIONS["market"].machine(3)
    s = machine.new(5)
    machine.run(s)
    others = [seat for seat in range(3) if seat != looking]
    known = information_state(machine, s, looking)
    for answering in [*others, *reversed(others)]:  # each to its second question, and to its end
        [question] = [question for question in machine.open_decisions(s) if question.seat == answering]
        machine.answer(s, question, question.candidates[: max(1, question.least)])
        machine.run(s)
        assert information_state(machine, s, looking) == known
        existing = determinize(machine, known, looking, random.Random(1))
        assert {question.seat for question in machine.open_decisions(existing)} == {0, 1, 2}
        assert views.view(machine, existing, looking) == views.view(machine, s, looking)
        now, then = (
            [question for question in machine.open_decisions(state) if question.seat == looking]
            for state in (s, existing)
        )
        assert len(now) == 1 and len(now[0].candidates) == len(then[0].candidates)
    machine.answer(s, now[0], now[0].candidates[-1:])
    machine.run(s)
    program, index = machine.program, machine.program.layout.piece_zones
    [choice] = [
        note.address for note in program.layout.lasting_values if note.sealed >= 0 and note.type.base == "piece"
    ]
    for seed in range(5):
        existing = determinize(machine, information_state(machine, s, looking), looking, random.Random(seed))
        mine, same = (
            [(program.appearance(state, piece), state[index + piece]) for piece in state[choice + looking]]
            for state in (s, existing)
        )
        assert mine == same and mine, "what it chose stays chosen"


TAKING_GAME = """\
rulewright: 1
title: Taken
players: 2
pieces: {card: {has: {value: 1 to 6}, copies: [1, 1, 1, 1, 1, 1], starts in: row, noun: "card of {value}"}}
zones:
  row: {seen by: all}
  hand: {of: seat, seen by: owner}
phases:
  play:
    do:
      - each seat where it is among first 1 of seats:
          - move first 4 of row to hand
          - choose 3 from hand plus row as taken: {ask: Which?}
          - each opponent: [choose number from 0 to 1 as guess: {ask: How many?}]
          - move taken to row
      - end game
scoring: {cards: {points: number of hand}}
ranking: highest score
"""


def test_only_visible_pieces_of_another_choice_are_known() -> None:
    machine = library.from_text(TAKING_GAME, "taken").machine(2)
    layout, s = machine.program.layout, machine.new(1)
    [question] = machine.run(s)
    hand = next(space.address for space in layout.zones if (space.name, space.owner) == ("hand", 0))
    hidden = s[hand]
    [view, _] = [piece for piece in question.candidates if piece not in hidden]
    [answer] = [note.address for note in layout.lasting_values if note.type.base == "piece" and note.type.many]
    machine.answer(s, question, [piece for piece in question.candidates if piece in (*hidden[:2], view)])
    machine.run(s)
    known, rng = information_state(machine, s, 1), random.Random(1)
    worlds, contents = Determinizer(machine, known, 1), Counter[Looks]()
    for _ in range(200):
        existing = worlds.draw(rng)
        choice, cards = existing[answer], existing[hand]
        assert len(set(choice)) == 3 and set(choice) - set(cards) == {view}
        contents[tuple(sorted(cards.index(piece) for piece in choice if piece in cards))] += 1
        machine.play_out(existing, rng.random)
        assert len(existing[hand]) == 2
    assert unevenness(contents, {*combinations(range(4), 2)}) < 6


def test_the_face_of_a_hidden_piece_is_not_known() -> None:
    machine = library.from_text(LARDERS, "larders").machine(2)
    s = machine.new(1)
    machine.run(s)
    [horns] = machine.program.layout.faces.values()
    sights = []
    for face in range(horns.first, horns.last + 1):
        s[horns.cell] = face
        sights.append(information_state(machine, s, 0))
    assert len(sights) == 3 and all(known == sights[0] for known in sights)


def test_sampled_states_have_their_own_randomness() -> None:
    machine = EDITIONS["goofspiel"].machine(2)
    s = machine.new(5)
    machine.run(s)
    worlds, rng = Determinizer(machine, information_state(machine, s, 0), 0), random.Random(1)
    assert len({tuple(worlds.draw(rng)[RANDOM : RANDOM + RANDOM_CELLS]) for _ in range(40)}) == 40


def test_an_impossible_information_state_is_refused() -> None:
    machine = EDITIONS["goofspiel"].machine(2)
    s = machine.new(5)
    machine.run(s)
    known = information_state(machine, s, 0)
    hand = next(space.address for space in machine.program.layout.zones if space.name == "hand" and space.owner == 1)
    known[hand] = known[hand][1:]
    with pytest.raises(StateError, match="some pieces are nowhere"):
        determinize(machine, known, 0, random.Random(1))


# ── fairness ──

LARDERS = """\
rulewright: 1
title: Larders
players: 2
pieces:
  nut: {has: {worth: 1 to 2}, copies: [1, 2], starts in: store, noun: "nut of {worth}"}
  corn: {copies: 2, starts in: store, noun: corn}
  moss: {copies: 2, starts in: store, noun: moss}
  berry: {copies: 2, starts in: bush, noun: berry | berries}
  snail: {has: {horns: 1 to 3}, changing: horns, copies: 1, starts in: shell, noun: "snail with {horns} | snails"}
zones:
  store: {seen by: all, holds: [nut, corn, moss]}
  attic: {seen by: nobody, holds: [nut, corn]}
  barn: {seen by: nobody, holds: [corn, moss]}
  cellar: {seen by: nobody, holds: [moss, nut]}
  paw: {of: seat, seen by: owner, holds: [nut, corn, moss]}
  basket: {seen by: all, holds: berry}
  bush: {seen by: all, holds: berry}
  shell: {seen by: nobody, holds: snail}
counters: {game: {found: 0}}
phases:
  play:
    do:
      - move first 2 of nuts in store to attic
      - move first 1 of corn in store to barn
      - move first 2 of moss in store to cellar
      - each seat: move first 1 of store to paw
      - move last 1 of bush to basket
      - let sweet be first 1 of basket
      - choose at random 1 from attic as lucky
      - each seat:
          - choose number from 0 to 1 as guess: {ask: Which?}
          - add guess to found
      - move lucky to store
      - move sweet to bush
      - end game
scoring: {found: {points: found}}
ranking: highest score
"""
"""Return what the first seat cannot tell apart: how nuts, corn and moss lie in three zones that hold two of them each,
and in the other's paw; which piece of the attic is the lucky one; and the snail's horns."""
PAWS = "      - each seat: move first 1 of store to paw\n"

Looks = tuple[object, ...]


def unevenness(results: Counter[Looks], possible: set[Looks]) -> float:
    """Return by how many standard deviations the counts differ more than chance would have it (Pearson's chi-
    square)."""
    assert set(results) == possible
    expected, freedom = results.total() / len(possible), len(possible) - 1
    far = sum((number - expected) ** 2 for number in results.values()) / expected
    return (far - freedom) / math.sqrt(2 * freedom)


def one(cell: int | tuple[int, ...]) -> int:
    return cell if isinstance(cell, int) else cell[0]


@pytest.mark.parametrize("text", [LARDERS, LARDERS.replace(PAWS, "")], ids=["paws", "no paws"])
@pytest.mark.parametrize(("new", "draws"), [(True, 8), (False, 20)], ids=["first worlds", "later worlds"])
def test_indistinguishable_states_are_equally_likely(text: str, new: bool, draws: int) -> None:
    machine = library.from_text(text, "larders").machine(2)
    program, layout, s = machine.program, machine.program.layout, machine.new(1)
    machine.run(s)
    hidden = [space for space in layout.zones if not views.sees_zone(space, 0)]
    attic = next(space.address for space in hidden if space.name == "attic")
    sweet, lucky = (note.address for note in layout.lasting_values if note.type.base == "piece")
    [horns] = layout.faces.values()

    def looks(present: State) -> Looks:
        return present[attic].index(one(present[lucky])), *(
            views.piece_names(program, present, space) for space in hidden
        )

    def dealt() -> Iterator[State]:
        pieces = [piece for space in hidden for piece in s[space.address]]
        kinds = [program.types[type_].kind for type_ in program.type_of]
        homes = [space.holds for space in hidden for _ in s[space.address]]
        for order in permutations(pieces):
            if all(kinds[piece] in home for piece, home in zip(order, homes, strict=True)):
                present, rest = clone(s), iter(order)
                for space in hidden:
                    present[space.address] = tuple(next(rest) for _ in s[space.address])
                yield present

    possible: set[Looks] = set()
    for existing in dealt():
        for face, piece in product(range(horns.first, horns.last + 1), existing[attic]):
            existing[horns.cell], existing[lucky] = face, (piece,)
            possible.add(looks(existing))
    known, view, rng = information_state(machine, s, 0), views.view(machine, s, 0), random.Random(1)
    worlds, results = Determinizer(machine, known, 0), Counter[Looks]()
    for _ in range(draws * len(possible)):
        existing = (Determinizer(machine, known, 0) if new else worlds).draw(rng)
        assert views.view(machine, existing, 0) == view
        assert existing[layout.piece_zones + one(existing[sweet])] == s[layout.piece_zones + one(s[sweet])]
        results[looks(existing)] += 1
    assert unevenness(results, possible) < 6


def test_mixing_reaches_every_layout_or_says_that_there_is_none() -> None:
    rng, none = random.Random(1), 0
    for _ in range(120):
        sizes = [rng.randrange(3) for _ in range(3)]
        homes = [tuple(sorted(rng.sample(range(3), rng.randrange(1, 3)))) for _ in range(3)]
        counts = [0, 0, 0]
        for _ in range(sum(sizes)):
            counts[rng.randrange(3)] += 1
        zones = [zone for zone, size in enumerate(sizes) for _ in range(size)]
        groups = [group for group, count in enumerate(counts) for _ in range(count)]
        cases = {way for way in permutations(groups) if all(z in homes[g] for g, z in zip(way, zones, strict=True))}
        if cases:
            mixing = ArrangementSampler(sizes, homes, counts)
            assert {tuple(mixing.sample(rng)) for _ in range(12 * len(cases))} == cases
        else:
            none += 1
            with pytest.raises(StateError, match="some pieces can lie nowhere"):
                ArrangementSampler(sizes, homes, counts)
    assert 20 < none < 100
