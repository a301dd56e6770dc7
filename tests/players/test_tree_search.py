"""Search in native code: it proves what can be proved, is the same for a seed, and fits into its memory."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest

from project_folders import TESTS
from rulewright.game import library
from rulewright.players import evaluation, make_player
from rulewright.players.evaluation import executor_of
from rulewright.program.state_layout import GAME_OVER, PC
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import EndTerms, SearchTerms, Tree, emit, executor, is_searched_natively
from rulewright.runtime.native.tree import EVEN, LOST, NONE_MORE, WON
from rulewright.runtime.state import State, clone
from rulewright.runtime.view import ranks

pytest.importorskip("wasmtime")

PLAIN = EndTerms(1.0, 1.0, False, (0, 1), (0.0, 0.0), 1.0)
ONE_ROLLOUT = SearchTerms(1, None, 0.5, 1.1)


def tree_of(machine: Machine) -> Tree:
    tree = executor_of(machine).tree
    assert tree is not None and is_searched_natively(machine.program)
    return tree


def planted(machine: Machine, s: State, seed: int = 1, ends: EndTerms = PLAIN) -> Tree:
    tree = tree_of(machine)
    assert tree.begin(executor_of(machine).pack(s), seed, ONE_ROLLOUT, ends)
    return tree


def result_for(machine: Machine, s: State, seat: int) -> int:
    """Return what best play of both leads to."""
    if s[PC] == GAME_OVER:
        places = ranks(machine, s)
        return EVEN if places[0] == places[1] else WON if places[seat] == 1 else LOST
    [question] = machine.open_decisions(s)
    results = [result_after(machine, s, question, item, seat) for item in question.candidates]
    return max(results) if question.seat == seat else min(results)


def result_after(machine: Machine, s: State, question: OpenDecision, item: int, seat: int) -> int:
    copy = clone(s)
    machine.answer(copy, question, [item])
    machine.run(copy)
    return result_for(machine, copy, seat)


def position(machine: Machine, answers: int, seed: int) -> State:
    s, rng = machine.new(seed), random.Random(seed)
    machine.run(s)
    for _ in range(answers):
        if open_ := machine.open_decisions(s):
            machine.answer(s, open_[0], [rng.choice(open_[0].candidates)])
            machine.run(s)
    return s


def test_certain_results_are_those_of_best_play() -> None:
    machine = library.load(str(TESTS / "openspiel" / "tic_tac_toe.yaml")).machine(2)
    results_met = set()
    for seed in range(24):
        s = position(machine, 3 + seed % 3, seed)
        if s[PC] == GAME_OVER:
            continue
        [question] = machine.open_decisions(s)
        tree = planted(machine, s)
        tries = tree.grow(4000)
        results = [result_after(machine, s, question, item, question.seat) for item in question.candidates]
        choices = tree.choices()
        best = max(results)
        assert all(choice.known in (0, results[choice.place]) for choice in choices)
        assert tries < 4000 and max(choice.known for choice in choices) == best
        results_met.add(best)
        known = information_state(machine, s, question.seat)
        [answer] = make_player("search-2000", machine).choose(known, question, random.Random(seed))
        assert results[question.candidates.index(answer)] == best
    assert results_met == {LOST, EVEN, WON}


def test_a_search_is_the_same_for_a_seed_however_it_is_cut() -> None:
    machine = library.load(str(TESTS / "openspiel" / "pig.yaml")).machine(2)
    s = position(machine, 2, 5)
    tree = planted(machine, s, 7)
    tree.grow(400)
    first = tree.choices()
    tree = planted(machine, s, 7)
    for _ in range(8):
        tree.grow(50)
    assert tree.choices() == first
    planted(machine, s, 8).grow(400)
    assert tree.choices() != first


CARDS = """\
rulewright: 1
title: Cards
players: 2
pieces: {card: {has: {worth: 0 to 2}, copies: [2, 1, 2], starts in: table, noun: "card of {worth}"}}
zones:
  table: {seen by: all}
  lap: {of: seat, seen by: all}
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


def answers_below(tree: Tree, picks: list[int]) -> list[tuple[int, ...]]:
    answers = []
    for choice in tree.choices(picks):
        if choice.place == NONE_MORE:
            answers.append(tuple(picks))
        else:
            answers += answers_below(tree, [*picks, choice.place]) or [(*picks, choice.place)]
    return answers


@pytest.mark.parametrize("amount", ["up to 1", "up to 2", "1 to 3", "2", "up to 5"])
def test_each_answer_of_several_pieces_is_reached_in_one_way(amount: str) -> None:
    text = CARDS.replace("AMOUNT", amount)
    machine = library.from_text(text, "cards").machine(2)
    s = position(machine, 0, 1)
    [question] = machine.open_decisions(s)
    one_side = EndTerms(0.0, 0.0, True, (0, 1), (0.0, 0.0), 1.0)  # nothing is certain: all is tried
    tree = planted(machine, s, ends=one_side)
    tree.grow(4000)
    faces = [machine.program.type_of[item] for item in question.candidates]
    expected = {
        tuple(sorted(faces[n] for n in some))
        for size in range(question.least, question.most + 1)
        for some in combinations(range(5), size)
    }
    assert sorted(tuple(sorted(faces[n] for n in some)) for some in answers_below(tree, [])) == sorted(expected)


RISKY = """\
rulewright: 1
title: Risky
players: 2
counters: {seat: {gold: 0}}
phases:
  play:
    do:
      - each seat:
          - choose number from 0 to 2 as bid: {ask: Bid?}
          - add 6 / (2 - bid) rounded down to gold
      - end game
scoring: {gold: {points: gold}}
ranking: highest score
"""


def test_answers_that_break_the_rules_are_avoided() -> None:
    machine = library.from_text(RISKY, "risky").machine(2)
    s = position(machine, 0, 1)
    tree = planted(machine, s)
    assert tree.grow(500) <= 500
    visits = {choice.place: choice.visits for choice in tree.choices()}
    assert max(visits, key=visits.__getitem__) == 1 and visits[2] > 0


def test_a_full_tree_grows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = library.load("classics/four-in-a-row").machine(2)
    s = position(machine, 4, 3)
    monkeypatch.setattr(emit, "TREE_BYTES", 2**16)
    native = executor(evaluation.scored_program(machine.program))
    monkeypatch.setitem(evaluation.executors, machine, native)
    tree = planted(machine, s)
    assert tree.grow(3000) == 3000
    assert tree.bytes_used <= 2**16
    assert sum(choice.visits for choice in tree.choices()) == 3000


NUGGETS = """\
rulewright: 1
title: Nuggets
players: 2
pieces: {nugget: {has: {worth: 0 to 29}, starts in: table, noun: "nugget of {worth}"}}
zones:
  table: {seen by: all}
  lap: {of: seat, seen by: all}
phases:
  play:
    do:
      - repeat while table is not empty:
          - each seat:
              - choose 1 from table as taken: {ask: Which?}
              - move taken to lap
      - end game
scoring:
  gold: {points: total worth of lap}
ranking: highest score
"""


def test_what_was_worth_something_later_is_tried_first() -> None:
    machine = library.from_text(NUGGETS, "nuggets").machine(2)
    s = position(machine, 0, 1)
    [question] = machine.open_decisions(s)
    tree, packed = tree_of(machine), executor_of(machine).pack(s)
    choices: dict[float | None, list[int]] = {None: [], 0.02: []}
    for bias, places in choices.items():
        terms = replace(ONE_ROLLOUT, amaf_bias=bias, amaf_exploration=0.1)
        for seed in range(8):
            assert tree.begin(packed, seed, terms, PLAIN)
            tree.grow(90)
            places.append(max(tree.choices(), key=lambda choice: (choice.visits, choice.mean)).place)
    worth = {bias: sum(question.candidates[place] for place in places) / 8 for bias, places in choices.items()}
    assert worth[0.02] > 20 > worth[None], worth


def test_what_is_expected_of_an_answer_counts_until_it_has_been_tried() -> None:
    machine = library.from_text(NUGGETS, "nuggets").machine(2)
    s = position(machine, 0, 1)
    [question] = machine.open_decisions(s)
    tree, packed, low = tree_of(machine), executor_of(machine).pack(s), question.candidates.index(1)
    for seed in range(4):
        assert tree.begin(packed, seed, replace(ONE_ROLLOUT, amaf_bias=0.02, amaf_exploration=0.1), PLAIN)
        tree.expect({low: 1.2})
        tree.grow(2)
        assert low in [choice.place for choice in tree.choices() if choice.visits]
        tree.grow(2000)
        assert max(tree.choices(), key=lambda choice: choice.visits).place != low


def tree_at_start(edition: str) -> tuple[Tree, bytes]:
    """Return the tree of a game for two, and the state at its first question, packed."""
    machine = library.from_text(edition, "tried").machine(2)
    return tree_of(machine), executor_of(machine).pack(position(machine, 0, 1))


ECHO = """\
rulewright: 1
title: Echo
players: 2
counters: {seat: {gold: 0}, game: {called: 0}}
phases:
  play:
    do:
      - repeat 3 times:
          - each seat where it is among first 1 of seats:
              - choose number from 0 to 9 as call: {ask: Call?}
              - set called to call
              - set gold to 1
          - each seat where it is among last 1 of seats:
              - choose number from 0 to 9 as reply: {ask: Reply?}
              - if reply is 9 - called: set gold to 2
      - end game
scoring: {gold: {points: gold}}
ranking: highest score
"""


def test_games_are_played_on_with_the_replies_that_have_won() -> None:
    tree, packed = tree_at_start(ECHO)
    worth = {}
    for bias in (None, 1.0):
        assert tree.begin(packed, 1, replace(ONE_ROLLOUT, exploration=9.0, amaf_exploration=9.0, amaf_bias=bias), PLAIN)
        tree.grow(300)
        worth[bias] = sum(choice.mean * choice.visits for choice in tree.choices()) / 300
    assert worth[None] > 0.5 > worth[1.0], worth


def test_a_search_leaves_no_replies_to_other_games() -> None:
    machine = library.from_text(ECHO, "echo").machine(2)
    s = position(machine, 0, 1)
    native = executor_of(machine)

    def ends() -> list[list[int]]:
        native.load_state(native.pack(s), [1, 2, 3, 1])
        return native.play_on_often(1, None, 30, float("inf"))

    before = ends()
    assert tree_of(machine).begin(native.pack(s), 1, replace(ONE_ROLLOUT, amaf_bias=0.02), PLAIN)
    tree_of(machine).grow(300)
    assert ends() == before


STROLL = """\
rulewright: 1
title: Stroll
players: 2
counters: {seat: {room: 2, gold: 0}}
phases:
  play:
    do:
      - repeat 20 times:
          - each seat:
              - choose number from 1 to room as step: {ask: A step?}
              - if room is 2: set room to 2 + step
      - end game
scoring: {gold: {points: gold}}
ranking: highest score
"""


def test_freedom_counts_where_games_are_not_played_to_their_end() -> None:
    tree, packed = tree_at_start(STROLL)
    for weight in (0.0, 0.3):
        terms = replace(ONE_ROLLOUT, most=4, freedom_weight=weight)
        assert tree.begin(packed, 1, terms, PLAIN)
        tree.grow(200)
        means = {choice.place: choice.mean for choice in tree.choices()}
        assert (means[1] > means[0]) == bool(weight), means


BAIT = """\
rulewright: 1
title: Bait
players: 2
counters: {seat: {gold: 20}, game: {bait: 0}}
phases:
  play:
    do:
      - each seat where it is among first 1 of seats:
          - choose number from 0 to 1 as taken: {ask: Take the bait?}
          - set bait to taken
          - add 2 * taken to gold
      - each seat where it is among last 1 of seats:
          - choose number from 0 to 5 as reply: {ask: Reply?}
          - if reply is 5 and bait is 1: add 9 to gold
      - repeat 3 times:  # so that nothing is proven
          - each seat:
              - choose number from 0 to 9 as luck: {ask: A number?}
              - if luck is 9: add 1 to gold
      - end game
scoring: {gold: {points: gold}}
ranking: highest score
"""


def baits_by_weight(edition: str) -> dict[float, int]:
    """Return how often the bait is tried, without a weight of leads and with one."""
    tree, packed = tree_at_start(edition)
    tries = {}
    for weight in (0.0, 0.9):
        terms, baits = replace(ONE_ROLLOUT, by_margin=True, lead_weight=weight), 0
        for seed in range(6):
            assert tree.begin(packed, seed, terms, PLAIN)
            tree.grow(40)
            baits += sum(choice.visits for choice in tree.choices() if choice.place == 1)
        tries[weight] = baits
    return tries


def test_an_answer_has_the_lead_that_the_best_reply_leaves() -> None:
    tries = baits_by_weight(BAIT)
    assert tries[0.9] < 0.7 * tries[0.0], tries


def test_leads_count_only_where_points_are_kept() -> None:
    """Discs that are turned over say little of who has more at the end."""
    tries = baits_by_weight(
        BAIT.replace("    do:\n", "    do:\n      - each seat: add 9 to gold\n").replace(
            "          - if reply", "          - each seat: take 1 from gold\n          - if reply"
        )
    )
    assert tries[0.9] > 0.7 * tries[0.0], tries
