"""Search in native code among worlds: each answer in one way, the same for a seed, within its memory, for what a seat
knows alone."""

from __future__ import annotations

import random
from itertools import combinations, count

import pytest

from project_folders import TESTS
from rulewright.game import library
from rulewright.players import evaluation, information_search, make_player, search
from rulewright.players.evaluation import executor_of
from rulewright.players.kinds import Budget
from rulewright.players.search import SearchPlayer
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import EndTerms, InformationTrees, SearchTerms, emit, executor
from rulewright.runtime.native.tree import NONE_MORE
from rulewright.runtime.state import State

pytest.importorskip("wasmtime")

ONE_ROLLOUT = SearchTerms(1, None, 0.3, 0.0)


def first_question(machine: Machine, seed: int) -> tuple[State, OpenDecision]:
    s = machine.new(seed)
    return s, machine.run(s)[0]


def begin_search(machine: Machine, s: State, seat: int, seed: int = 1, *, all_alike: bool = False) -> InformationTrees:
    """Return trees with one world, the state itself. all_alike: whether all ends have the same worth."""
    trees = executor_of(machine).information_trees
    assert trees is not None
    seats = machine.program.layout.seats
    sides = tuple(range(seats))
    weight = 0.0 if all_alike else 1.0
    ends = EndTerms(weight, weight, all_alike, sides, (0.0,) * seats, 1e9 if all_alike else 1.0)
    assert trees.begin(seat, seed, ONE_ROLLOUT, ends, None, (), 4, 0.5)
    trees.add_world(executor_of(machine).pack(s), sides)
    return trees


HANDS = """\
rulewright: 1
title: Hands
players: 2
pieces: {card: {has: {worth: 0 to 2}, copies: [2, 1, 2], starts in: table, noun: "card of {worth}"}}
zones:
  table: {seen by: SEEN}
  lap: {of: seat, seen by: owner}
phases:
  play:
    do:
      - each seat where it is among first 1 of seats:
          - choose AMOUNT from table as taken: {ask: Which?}
          - move taken to lap
      - end game
scoring:
  cards: {points: total worth of lap}
ranking: highest score
"""


def answers_below(trees: InformationTrees, picks: list[int]) -> list[tuple[int, ...]]:
    answers = []
    for choice in trees.choices(picks):
        if choice.place == NONE_MORE:
            answers.append(tuple(picks))
        else:
            answers += answers_below(trees, [*picks, choice.place]) or [(*picks, choice.place)]
    return answers


@pytest.mark.parametrize("sight", ["all", "nobody"])
@pytest.mark.parametrize("amount", ["up to 1", "up to 2", "1 to 3", "2", "up to 5"])
def test_each_answer_of_several_pieces_is_reached_in_one_way(amount: str, sight: str) -> None:
    text = HANDS.replace("AMOUNT", amount).replace("SEEN", sight)
    machine = library.from_text(text, "hands").machine(2)
    s, question = first_question(machine, 1)
    trees = begin_search(machine, s, 0, all_alike=True)
    trees.grow(6000)
    faces = [machine.program.type_of[item] if sight == "all" else 0 for item in question.candidates]
    expected = {
        tuple(sorted(faces[n] for n in some))
        for size in range(question.least, question.most + 1)
        for some in combinations(range(5), size)
    }
    reached = answers_below(trees, []) if len(expected) > 1 else expected  # what is no choice is in no tree
    assert {tuple(sorted(faces[n] for n in some)) for some in reached} == expected
    assert len(reached) == len(expected)


def test_a_search_is_the_same_for_a_seed_however_it_is_cut() -> None:
    machine = library.load(str(TESTS / "openspiel" / "goofspiel.yaml")).machine(2)
    s, question = first_question(machine, 5)
    trees = begin_search(machine, s, question.seat, 7)
    trees.grow(400)
    first = trees.choices()
    trees = begin_search(machine, s, question.seat, 7)
    for _ in range(8):
        trees.grow(50)
    assert trees.choices() == first
    begin_search(machine, s, question.seat, 8).grow(400)
    assert trees.choices() != first


def test_full_trees_grow_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = library.load(str(TESTS / "openspiel" / "goofspiel.yaml")).machine(3)
    s, question = first_question(machine, 3)
    monkeypatch.setattr(emit, "TREE_BYTES", 2**20)
    native = executor(evaluation.scored_program(machine.program))
    monkeypatch.setitem(evaluation.executors, machine, native)
    trees = begin_search(machine, s, question.seat)
    trees.grow(9000)
    assert 0.9 * 2**20 < trees.bytes_used <= 2**20
    assert sum(choice.visits for choice in trees.choices()) == 9000


def test_as_many_tries_give_the_same_however_fast_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = library.load(str(TESTS / "openspiel" / "goofspiel.yaml")).machine(2)
    s, question = first_question(machine, 5)
    trees = executor_of(machine).information_trees
    assert trees is not None
    results = []
    for each in (0.0, 0.001, 0.1):
        looks = count()
        for module in (information_search, evaluation, search):
            monkeypatch.setattr(module, "monotonic", lambda looks=looks, each=each: next(looks) * each)
        player = SearchPlayer(machine, Budget(300, 600_000), evenly=False)
        known = information_state(machine, s, question.seat)
        results.append((player.choose(known, question, random.Random(3)), trees.choices()))
    assert results[0] == results[1] == results[2]


GUESS = """\
rulewright: 1
title: Guess
players: 2
counters: {seat: {gold: 0}}
phases:
  play:
    do:
      - all seats at once:
          - choose number from 0 to 3 as mine: {ask: Yours?}
          - add mine to gold
      - end game
scoring: {gold: {points: gold}}
ranking: highest score
"""


def test_what_is_better_against_every_answer_at_once_is_chosen() -> None:
    machine = library.from_text(GUESS, "guess").machine(2)
    s, question = first_question(machine, 1)
    for seat in range(2):
        trees = begin_search(machine, s, seat)
        trees.grow(2000)
        visits = {choice.place: choice.visits for choice in trees.choices()}
        assert max(visits, key=visits.__getitem__) == 3 and sum(visits.values()) == 2000
    known = information_state(machine, s, question.seat)
    assert make_player("search-200", machine).choose(known, question, random.Random(1)) == [3]


RACE = """\
rulewright: 1
title: Race
players: 2 to 4
counters: {seat: {gold: 0}, game: {handed: 0}}
phases:
  play:
    do:
      - each seat where it is not among first 1 of seats:
          - add 1 to handed
          - add handed to gold
      - each seat where it is among first 1 of seats:
          - choose number from 0 to 4 as mine: {ask: Yours?}
          - add mine to gold
      - end game
scoring: {gold: {points: gold}}
ranking: highest score
"""


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_winning_counts_beside_those_whom_a_seat_has_beaten(seats: int) -> None:
    machine = library.from_text(RACE, "race").machine(seats)
    s, _ = first_question(machine, 1)
    trees = begin_search(machine, s, 0)
    trees.grow(200)
    others = range(1, seats)
    for choice in trees.choices():
        points = [choice.place, *others]
        places = [1 + sum(other > own for other in points) for own in points]
        expected = evaluation.place_worth(places, range(seats), 0)
        assert choice.mean == pytest.approx(expected)
