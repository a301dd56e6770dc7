"""Memory of hidden pieces: a seat never knows more than follows from what it has seen."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from example_counts import few
from project_folders import GAMES
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.publish.labels import Labels
from rulewright.publish.zone_contents import zone_contents
from rulewright.runtime import rng
from rulewright.runtime import view as views
from rulewright.runtime.information_state import determinize, information_state
from rulewright.runtime.native import executor
from rulewright.runtime.operations import state_operations
from rulewright.runtime.piece_memory import PieceMemory
from rulewright.runtime.view import sees_zone
from rulewright.server.views import seat_view

EDITION = """
rulewright: 1
title: Worlds
memory: yes
players: 2
pieces:
  card: {has: {value: 1 to 3}, copies: [3, 1, 1], starts in: deck, noun: "{value}"}
zones:
  deck: {seen by: nobody}
  pit: {seen by: nobody}
  row: {seen by: all}
  hand: {of: seat, seen by: owner}
phases: {play: {do: [shuffle deck, end game]}}
"""
MACHINE = library.from_text(EDITION).machine(2)
PROGRAM, LAYOUT = MACHINE.program, MACHINE.program.layout
ZONES = range(len(LAYOUT.zones))
DECK, PIT, ROW = 0, 1, 2
SEATS = range(2)

World = tuple[tuple[int, ...], ...]
"""Appearances of the pieces of each zone, bottom first."""


def is_visible(zone: int, seat: int) -> bool:
    return sees_zone(LAYOUT.zones[zone], seat)


def without(existing: tuple[int, ...], places: Iterable[int]) -> tuple[int, ...]:
    answers = set(places)
    return tuple(look for place, look in enumerate(existing) if place not in answers)


def replaced(world: World, changes: dict[int, tuple[int, ...]]) -> World:
    return tuple(changes.get(zone, there) for zone, there in enumerate(world))


def take(world: World, source: int, zone: int, places: tuple[int, ...]) -> World:
    """Pieces go on top of another zone, or of their own."""
    moved = tuple(world[source][place] for place in places)
    left = without(world[source], places)
    if source == zone:
        return replaced(world, {zone: left + moved})
    return replaced(world, {source: left, zone: world[zone] + moved})


class Table:
    """State, and for each seat all states that it may be in."""

    happened: Any

    def __init__(self, order: tuple[int, ...], content: int) -> None:
        """content: how many of the cards lie hidden, half of them in the deck, half in the pit; the others lie open."""
        self.s = MACHINE.new(1)
        plain = state_operations(PROGRAM, rng)
        self.do: dict[str, Callable[..., Any]] = {**plain, **PieceMemory(PROGRAM, plain).operations()}
        half = content // 2
        for zone, pieces in ((DECK, order[:half]), (PIT, order[half:content]), (ROW, order[content:])):
            self.s[self.address(zone)] = pieces
            for piece in pieces:
                self.s[LAYOUT.piece_zones + piece] = self.address(zone)
        laid = self.world()
        hidden = laid[DECK] + laid[PIT]
        dealt = {replaced(laid, {DECK: every[:half], PIT: every[half:]}) for every in set(permutations(hidden))}
        self.worlds = [dealt, dealt]

    @staticmethod
    def address(zone: int) -> int:
        return LAYOUT.zones[zone].address

    def world(self) -> World:
        return tuple(tuple(PROGRAM.appearance(self.s, piece) for piece in self.s[self.address(zone)]) for zone in ZONES)

    def step(self, cases: Callable[[World], Iterable[tuple[World, Any]]], view: Callable[[int, Any], Any]) -> None:
        """cases: what a world may come to, each with what happens there; view: what a seat sees_zone of what
        happens."""
        after = self.world()
        for seat in SEATS:
            self.worlds[seat] = {
                then
                for before in self.worlds[seat]
                for then, happened in cases(before)
                if view(seat, happened) == view(seat, self.happened)
                and self.looks(then, seat) == self.looks(after, seat)
            }
            assert after in self.worlds[seat]

    def looks(self, world: World, seat: int) -> list[Any]:
        return [world[zone] if is_visible(zone, seat) else len(world[zone]) for zone in ZONES]

    # ── what happens ──

    def by_place(self, source: int, zone: int, count: int) -> None:
        """Choose a number of pieces from the top, as every seat can follow."""
        if source == zone:
            return
        size = len(self.s[self.address(source)])
        count = min(count, size)
        places = tuple(range(size - 1, size - 1 - count, -1))
        self.do["deal"](self.s, self.address(source), self.address(zone), count, 0, -1)
        self.happened = None
        self.step(lambda world: [(take(world, source, zone, places), None)], lambda *_: None)

    def picked(self, source: int, zone: int, numbers: tuple[int, ...]) -> None:
        """Some that only those who see them can tell."""
        existing = self.s[self.address(source)]
        places = tuple(dict.fromkeys(number % len(existing) for number in numbers)) if existing else ()
        pieces = [existing[place] for place in places]
        self.happened = tuple(PROGRAM.appearance(self.s, piece) for piece in pieces), places
        self.do["mingle"](self.s, pieces)
        self.do["move_all"](self.s, pieces, self.address(zone), 0)

        def possible_moves(world: World) -> Iterable[tuple[World, Any]]:
            for some in permutations(range(len(world[source])), len(places)):
                yield take(world, source, zone, some), (tuple(world[source][place] for place in some), some)

        def shown_to(seat: int, happened: Any) -> Any:
            looks, some = happened
            return (looks, some) if is_visible(source, seat) else looks if is_visible(zone, seat) else None

        self.step(possible_moves, shown_to)

    def shuffled(self, zone: int) -> None:
        self.happened = None
        self.do["shuffle"](self.s, self.address(zone))
        self.step(
            lambda world: [(replaced(world, {zone: every}), None) for every in set(permutations(world[zone]))],
            lambda *_: None,
        )

    def whole(self, source: int, zone: int) -> None:
        self.happened = None
        self.do["spill"](self.s, self.address(source), self.address(zone))
        if source != zone:
            self.step(
                lambda world: [(take(world, source, zone, tuple(range(len(world[source])))), None)], lambda *_: None
            )

    def showed(self, zone: int, seat: int, numbers: tuple[int, ...], top: bool) -> None:
        """Some pieces to a seat: those on top, or some that it cannot tell by their places."""
        existing = self.s[self.address(zone)]
        places = tuple(dict.fromkeys(number % len(existing) for number in numbers)) if existing else ()
        if top:
            places = tuple(range(len(existing)))[-len(places) :] if places else ()
        looks = tuple(PROGRAM.appearance(self.s, existing[place]) for place in places)
        self.happened = looks if top else tuple(sorted(looks))
        self.do["show"](self.s, [existing[place] for place in places], [seat], int(top))

        def possible_moves(world: World) -> Iterable[tuple[World, Any]]:
            result = [places] if top else combinations(range(len(world[zone])), len(places))
            for some in result:
                looks = tuple(world[zone][place] for place in some)
                yield world, looks if top else tuple(sorted(looks))

        self.step(possible_moves, lambda reader, happened: happened if reader == seat else None)
        for place in places if top and not is_visible(zone, seat) else ():
            piece = existing[place]
            assert self.s[LAYOUT.memory + piece] & ~self.s[LAYOUT.lost_places + piece] & 1 << seat, "shown as it lies"

    def swapped(self, one: int, other: int) -> None:
        pieces = range(LAYOUT.pieces)
        one, other = one % len(pieces), other % len(pieces)
        if one == other:
            return
        spots = [self.address_of(piece) for piece in (one, other)]
        indexes = [self.s[self.address(zone)].index(piece) for zone, piece in zip(spots, (one, other), strict=True)]
        self.happened = indexes
        self.do["swap"](self.s, one, other)
        own, existing = spots

        def possible_moves(world: World) -> Iterable[tuple[World, Any]]:
            for first in range(len(world[own])):
                for second in range(len(world[existing])):
                    if own == existing and first == second:
                        continue
                    rows = {own: list(world[own]), existing: list(world[existing])}
                    rows[own][first], rows[existing][second] = world[existing][second], world[own][first]
                    if own == existing:
                        rows[own] = list(world[own])
                        rows[own][first], rows[own][second] = world[own][second], world[own][first]
                    yield replaced(world, {zone: tuple(row) for zone, row in rows.items()}), [first, second]

        def shown_to(seat: int, happened: Any) -> Any:
            return [place for place, zone in zip(happened, spots, strict=True) if is_visible(zone, seat)]

        self.step(possible_moves, shown_to)

    def address_of(self, piece: int) -> int:
        return next(zone for zone in ZONES if self.address(zone) == self.s[LAYOUT.piece_zones + piece])

    # ── what is known ──

    def check(self) -> None:
        for seat in SEATS:
            for zone in ZONES:
                if is_visible(zone, seat):
                    continue
                existing = self.s[self.address(zone)]
                mine = [place for place, piece in enumerate(existing) if self.s[LAYOUT.memory + piece] >> seat & 1]
                placed = [place for place in mine if not self.s[LAYOUT.lost_places + existing[place]] >> seat & 1]
                claimed = Counter(PROGRAM.appearance(self.s, existing[place]) for place in mine)
                for there_too in self.worlds[seat]:
                    assert claimed <= Counter(there_too[zone]), (seat, zone)
                    assert all(there_too[zone][place] == self.world()[zone][place] for place in placed)


zones, numbers = st.integers(0, len(ZONES) - 1), st.lists(st.integers(0, 3), min_size=1, max_size=2).map(tuple)
deeds = st.one_of(
    st.tuples(st.just("by_place"), zones, zones, st.integers(1, 2)),
    st.tuples(st.just("picked"), zones, zones, numbers),
    st.tuples(st.just("whole"), zones, zones),
    st.tuples(st.just("shuffled"), zones),
    st.tuples(st.just("showed"), zones, st.integers(0, 1), numbers, st.booleans()),
    st.tuples(st.just("swapped"), st.integers(0, 4), st.integers(0, 4)),
)


@pytest.mark.rotating(2)
@example([3, 1, 0, 4, 2], 4, [("whole", ROW, PIT), ("picked", PIT, ROW, (0,))]).via("one that looks like one they know")
@example([3, 1, 0, 4, 2], 4, [("whole", ROW, PIT), ("showed", PIT, 0, (0,), False)]).via("the same, which is shown")
@few(300)
@given(st.permutations(range(LAYOUT.pieces)), st.integers(0, 5), st.lists(deeds, min_size=3, max_size=9))
def test_no_seat_remembers_more_than_it_has_seen(order: list[int], content: int, done: list[tuple[Any, ...]]) -> None:
    """Held against all worlds that agree with what a seat has seen."""
    table = Table(tuple(order), content)
    for name, *arguments in done:
        getattr(table, name)(*arguments)
        table.check()


SHOWN_AGAIN = """
rulewright: 1
title: Shown again
players: 2
pieces: {card: {has: {value: 1 to 4}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: nobody}, hand: {of: seat, seen by: nobody}, table: {seen by: all}}
setup: {do: [each first 1 of seats: [move top 4 of deck to hand, show hand to opponents]]}
phases:
  play:
    do:
      - each first 1 of seats:
          - choose 1 from hand into table: {ask: "Which?", by place: yes}
          - SHOW
          - choose 1 from hand into table: {ask: "Which?", by place: yes}
      - end game
"""


@pytest.mark.parametrize(
    ("show", "known"),
    [
        ("show hand to opponents", [("4", 1), ("2", 2), ("1", 3)]),
        ("show last 1 of hand to opponents", [("1", 3), ("2", 0), ("4", 0)]),
        ("show first 2 of hand to opponents", [("4", 1), ("2", 2), ("1", 3)]),
        ("show cards in hand where value is 4 to opponents", [("1", 0), ("2", 0), ("4", 0)]),
    ],
)
def test_shown_pieces_are_known_with_their_places(show: str, known: list[tuple[str, int]]) -> None:
    """Places that had been lost are known again, and everything that depends on the memory agrees."""
    game = Game.start(library.from_text(SHOWN_AGAIN.replace("SHOW", show)), ["Ada", "Ben"], seed=1)
    assert game.view(1).zone("hand", owner=0).known == (("4", 1), ("3", 2), ("2", 3), ("1", 4))
    game.answer(0, ["hidden (place 2)"])
    assert game.view(1).zone("hand", owner=0).known == tuple(known)
    again = Game.load(json.loads(json.dumps(game.save())), game.rules)
    assert again.view(1) == game.view(1)
    space = next(s for s in game.program.layout.zones if s.name == "hand" and s.owner == 0)
    lies = [["4", "2", "1"][place - 1] for place in range(1, 4)]
    known_to_ben = information_state(game.machine, game.state, 1)
    pictures = [determinize(game.machine, known_to_ben, 1, random.Random(n)) for n in range(30)]
    worlds = [views.piece_names(game.program, one, space) for one in pictures]
    for place, name in enumerate(lies, start=1):
        existing = {world[place - 1] for world in worlds}
        assert existing == {name} if (name, place) in known else len(existing) > 1


def test_a_revealed_place_cannot_be_undone() -> None:
    text = SHOWN_AGAIN.replace("- SHOW", '- may: {ask: "Show them?", do: show hand to opponents}')
    game = Game.start(library.from_text(text), ["Ada", "Ben"], seed=1)
    game.answer(0, ["hidden (place 2)"])
    game.answer(0, ["no"])
    assert game.can_undo(0)
    game.undo(0)
    game.answer(0, ["yes"])
    assert not game.can_undo(0)


WHISPERS = library.load(str(GAMES / "whispers.yaml"))


def games(seed: int) -> Iterator[Game]:
    """A game at every decision, answered by chance."""
    game, chance = Game.start(WHISPERS, ["Ada", "Ben", "Cora"], seed=seed), random.Random(seed)
    while not game.over:
        yield game
        decision = chance.choice(game.decisions())
        game.answer(decision.seat, [chance.choice(decision.choices).key])


@pytest.mark.parametrize("seed", range(6))
def test_sampled_states_keep_the_memory(seed: int) -> None:
    known = 0
    for game in games(seed):
        for seat in range(3):
            view = views.view(game.machine, game.state, seat)
            existing = determinize(
                game.machine, information_state(game.machine, game.state, seat), seat, random.Random(seed)
            )
            assert views.view(game.machine, existing, seat).zones == view.zones
            assert sorted(piece for space in game.program.layout.zones for piece in existing[space.address]) == list(
                range(game.program.layout.pieces)
            )
            known += sum(len(zone.known) for zone in view.zones)
    assert known > 10


@pytest.mark.parametrize("seed", range(6))
def test_hidden_rests_are_the_same_in_all_sampled_states(seed: int) -> None:
    """The answer of a bot does not depend on what its seat cannot know."""
    for game in games(seed):
        layout = game.program.layout
        for seat in range(3):
            known = information_state(game.machine, game.state, seat)
            assert known[layout.shown_pieces] == () and known[layout.shown_pieces + 1] == 0
            for space in layout.zones:
                if views.sees_zone(space, seat):
                    continue
                mine = [piece for piece in game.state[space.address] if game.state[layout.memory + piece] >> seat & 1]
                assert sorted(piece for piece in known[space.address] if piece >= 0) == sorted(mine)
                assert all(cell & ~(1 << seat) == 0 for cell in known[layout.memory : layout.memory + layout.pieces])


@pytest.mark.parametrize("seed", range(6))
def test_saves_and_undo_keep_the_memory(seed: int) -> None:
    for game in games(seed):
        again = Game.load(json.loads(json.dumps(game.save())), WHISPERS)
        assert [again.view(seat) for seat in range(3)] == [game.view(seat) for seat in range(3)]
        for seat in range(3):
            if game.can_undo(seat):
                before = game.view(seat)
                other = game.copy()
                other.undo(seat)
                keys = next(keys for who, keys in reversed(game.history.answer_keys()) if who == seat)
                other.answer(seat, keys)
                assert other.view(seat) == before


def test_a_revealed_piece_cannot_be_undone() -> None:
    game = Game.start(WHISPERS, ["Ada", "Ben", "Cora"], seed=1)
    for seat in range(3):
        game.answer(seat, [game.decisions()[0].choices[0].key])
    [question] = game.decisions()
    game.answer(0, [question.choices[0].key])
    assert not game.can_undo(0)
    lines = [game.log.lines(seat)[-1].text for seat in range(3)]
    assert lines[0] == lines[1] and "a hidden piece" not in lines[0] and "a hidden piece" in lines[2]


def test_views_show_remembered_pieces() -> None:
    game = Game.start(WHISPERS, ["Ada", "Ben", "Cora"], seed=1)
    for seat in range(3):
        game.answer(seat, [game.decisions()[0].choices[0].key])
    labels, passed = Labels(game), game.history.answer_keys()[0][1][0]
    [ben] = [zone for zone in game.view(0).zones if zone.name == "hand" and zone.owner == 1]
    assert [name for name, _ in ben.known] == [passed]
    assert zone_contents(labels, ben) == f"3 cards, face down (you know: {passed})"
    assert all(not zone.known for zone in game.view(2).zones if zone.owner == 1)
    view = seat_view.table_state(labels, 0)
    assert {key: zone.known for key, zone in view.zones.items() if zone.known} == {"hand/1/": (passed,)}


def test_native_code_plays_on_from_states_with_memory() -> None:
    """Native code keeps no memory, as nothing that it is used for needs it."""
    for game in games(3):
        one, other = game.state, game.state
        run = executor(game.program)
        run.play_out(one, 5)
        run.play_out(other, 5)
        assert one == other and one[0] == -1


def test_pieces_shown_by_a_card_are_remembered() -> None:
    """The state remembers wherever the rules say `show`."""
    says = "words: {look: {spy: {do: show deck to you}}}\npieces:"
    text = EDITION.replace("memory: yes\n", "").replace("pieces:", says)
    play = "each first 1 of seats: [do what spy says, choose 1 from deck into row]"
    rules = library.from_text(text.replace("[shuffle deck, end game]", f"[{play}, end game]"))
    game = Game.start(rules, ["Ada", "Ben"], seed=1)
    known = [next(zone.known for zone in game.view(seat).zones if zone.name == "deck") for seat in SEATS]
    assert [[name for name, _ in one] for one in known] == [["1", "1", "1", "2", "3"], []]


FACES = """
rulewright: 1
title: Faces
memory: yes
players: 2
pieces:
  die: {has: {value: 1 to 3}, changing: value, starts in: row, noun: "die {value}"}
  coin: {starts in: row}
zones: {row: {seen by: all}, pit: {seen by: nobody}}
phases: {play: {do: end game}}
"""


def test_a_changed_face_is_not_mistaken_for_a_piece_of_another_kind() -> None:
    machine = library.from_text(FACES).machine(2)
    program, layout = machine.program, machine.program.layout
    row, pit = layout.zones
    s, plain = machine.new(1), state_operations(program, rng)
    die, coin = s[row.address]
    s[layout.faces[die].cell] = 3
    memory = PieceMemory(program, plain)
    memory.move_all(s, (die, coin), pit.address, 0)
    assert views.known_pieces(program, s, pit, 0) == (("die 3", 1), ("coin", 2))
    memory.swap(s, die, coin)
    assert views.known_pieces(program, s, pit, 0) == (("die 3", 0), ("coin", 0))
