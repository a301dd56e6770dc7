"""Bots: they answer every decision, and cannot see what is hidden from them."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few
from project_folders import ROOT
from rulewright import players
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players import (
    PlayerError,
    check_kind,
    evaluation,
    greedy,
    information_search,
    level_player,
    make_player,
    plain_sight,
    playouts,
    search,
    tree_search,
)
from rulewright.players.choice_grouping import answer_of
from rulewright.players.greedy import lead_of, search_amounts
from rulewright.players.information_search import InformationSearch
from rulewright.players.level_player import LevelPlayer
from rulewright.players.seating import Seat, read_seats
from rulewright.program.form import Program
from rulewright.program.state_layout import GAME_OVER, PC, ROUND
from rulewright.runtime.information_state import determinize, information_state
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.native import Executor, Fallback, GameResult, InformationTrees, executor, fallback
from rulewright.runtime.state import State
from small_games.kiosk import kiosk
from whole_games import EDITIONS, Table, fork, tables

KINDS = ("random", "greedy", "search-20")


def looked_at(table: Table, most: int = 4) -> Iterator[tuple[Machine, State, OpenDecision]]:
    """Some positions of a game with more than one answer."""
    game, rng = table.start()
    machine, s, looked = game.machine, game.state, 0
    while looked < most and s[PC] != GAME_OVER:
        question = rng.choice(machine.open_decisions(s))
        if rng.random() < 0.2 and len(question.candidates) > question.least:
            yield machine, s, question
            looked += 1
        machine.answer(
            s,
            question,
            make_player("random", machine).choose(information_state(machine, s, question.seat), question, rng),
        )
        machine.run(s)


@pytest.mark.rotating(3)
@few(20)
@given(tables(), st.sampled_from(KINDS), st.integers(0, 2**32))
def test_every_bot_gives_legal_answers(table: Table, kind: str, seed: int) -> None:
    for machine, s, question in looked_at(table):
        choice = make_player(kind, machine).choose(
            information_state(machine, s, question.seat), question, random.Random(seed)
        )
        assert question.least <= len(choice) <= question.most
        order = [question.candidates.index(item) for item in choice]
        assert order == sorted(set(order))


@pytest.mark.rotating(2)
@few(20)
@given(tables(), st.sampled_from(KINDS), st.integers(0, 2**32))
def test_equal_views_and_seeds_give_equal_answers(table: Table, kind: str, seed: int) -> None:
    """Pieces that the seat does not see, and the order of equal ones, do not matter."""
    for machine, s, question in looked_at(table, 2):
        seat, answers = question.seat, []
        second = determinize(machine, information_state(machine, s, seat), seat, random.Random(seed))
        for state in (s, second):
            [first] = [one for one in machine.open_decisions(state) if one.seat == seat]
            choice = make_player(kind, machine).choose(
                information_state(machine, state, seat), first, random.Random(seed)
            )
            table_top = fork(table.from_the_start()[0], state)
            answers.append(sorted(table_top.offer(first).keys(choice)))
        assert answers[0] == answers[1]


def test_search_without_native_code_decides_as_the_greedy_player_does(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = EDITIONS["goofspiel"].machine(2)
    s = machine.new(2)
    question = machine.run(s)[0]
    monkeypatch.setitem(evaluation.executors, machine, Fallback(machine.program, ""))
    known = information_state(machine, s, question.seat)
    answers = [make_player(kind, machine).choose(known, question, random.Random(4)) for kind in ("search-20", "greedy")]
    assert answers[0] == answers[1]


TRAP = """\
rulewright: 1
title: Trap
players: 2
pieces:
  card: {has: {worth: 0 to 3}, copies: [1, 1, 1, 3], starts in: deck, noun: "card of {worth}"}
zones:
  deck: {seen by: nobody, pile: yes}
  won: {of: seat, seen by: all}
counters:
  seat: {luck: 0}
phases:
  play:
    text: Draw.
    do:
      - each seat: do draw
      - if deck is empty: end game
    steps:
      draw:
        do:
          - choose number from 0 to 1 as extra: {ask: More?}
          - move top 1 of deck to won
          - add 6 / total worth of won rounded down to luck
          - if extra is 1: add 1 to luck
scoring:
  luck: {points: luck}
ranking: highest score
"""


@pytest.mark.parametrize("kind", KINDS)
def test_imagined_positions_may_break_the_rules(kind: str) -> None:
    """Some states that look the same divide by zero."""
    machine = library.from_text(TRAP, "trap").machine(2)
    s = machine.new(1)
    machine.run(s)
    [question] = machine.open_decisions(s)
    choice = make_player(kind, machine).choose(information_state(machine, s, question.seat), question, random.Random(1))
    assert choice in ([0], [1])


UNSEEN = """\
rulewright: 1
title: Unseen
players: 2
pieces:
  card: {has: {value: 1 to 4}, copies: 2, starts in: deck, noun: "{value}"}
zones:
  deck: {seen by: nobody, pile: yes}
  secret: {of: seat, seen by: nobody}
counters: {seat: {coins: 0}, game: {turns: 0}}
setup:
  do:
    - shuffle deck
    - each seat: move top 2 of deck to secret
phases:
  draft:
    do:
      - each seat:
          - choose one as way:
              ask: Which?
              among:
                a: {do: add 1 to coins}
                b: {if: total value of secret is at least 5, do: add 1 to coins}
      - add 1 to turns
      - if turns is 4: end game
scoring: {coins: {points: coins}}
"""


def test_what_is_offered_may_follow_from_hidden_pieces() -> None:
    machine = library.from_text(UNSEEN, "unseen").machine(2)
    for seed in (17, 19, 26):
        s, bot, rng = machine.new(seed), make_player("greedy", machine), random.Random(seed)
        answers = 0
        while machine.run(s):
            [question] = machine.open_decisions(s)
            machine.answer(s, question, bot.choose(information_state(machine, s, question.seat), question, rng))
            answers += 1
        assert answers == 8


class OnlyRandom:
    """Generator that allows only `random()`."""

    def __init__(self, *numbers: float) -> None:
        self.numbers: Iterator[float] = iter(numbers)

    def random(self) -> float:
        return next(self.numbers)


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((0.0, 0.9, 0.9), 0),
        ((0.34, 0.3, 0.9), 1),
        ((0.99, 0.0, 0.0), 2),
    ],
)
def test_random_draws_the_number_then_which(numbers: tuple[float, ...], expected: int) -> None:
    machine = EDITIONS["market"].machine(2)
    s = machine.new(5)
    [question, _] = machine.run(s)
    both = OpenDecision(question.site, question.seat, question.candidates, 0, 2, ())
    known = information_state(machine, s, question.seat)
    choice = make_player("random", machine).choose(known, both, OnlyRandom(*numbers))  # type: ignore[arg-type]
    assert len(choice) == expected


def test_players_get_the_information_state_of_their_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Table("wild-cards/2022", (None, None, "leo"), {}, 5, 5).start()[0]
    given_to: list[tuple[State, int]] = []

    class Spy:
        def choose(self, known: State, question: OpenDecision, rng: Any) -> list[int]:
            given_to.append((known, question.seat))
            return list(question.candidates[: question.least])

    monkeypatch.setattr(players, "make_player", lambda kind, machine, evenly: Spy())
    for decision in game.decisions():
        players.choose("greedy", game, decision.seat, 0)
    assert given_to
    assert all(known == information_state(game.machine, game.state, seat) for known, seat in given_to)


@pytest.fixture
def counted_tries(monkeypatch: pytest.MonkeyPatch) -> Counter[OpenDecision]:
    """Return the number of tries, by what was asked."""
    tries: Counter[OpenDecision] = Counter()
    counts: list[int] = []
    grow, run = InformationTrees.grow, InformationSearch.run

    def counted_grow(self: InformationTrees, number: int) -> None:
        counts.append(number)
        grow(self, number)

    def counted_run(self: InformationSearch, *, evenly: bool) -> None:
        counts.clear()
        run(self, evenly=evenly)
        tries[self._decision] += sum(counts)

    monkeypatch.setattr(InformationTrees, "grow", counted_grow)
    monkeypatch.setattr(InformationSearch, "run", counted_run)
    return tries


def clocks(monkeypatch: pytest.MonkeyPatch, clock: Callable[[], float]) -> None:
    """Set the clock of all who think."""
    own = (level_player, plain_sight)
    thinking = (search, information_search, tree_search, evaluation, greedy, playouts, fallback, *own)
    for module in thinking:
        monkeypatch.setattr(module, "monotonic", clock)


def test_search_without_time_for_tries_decides_as_the_greedy_player_does(
    monkeypatch: pytest.MonkeyPatch, counted_tries: Counter[OpenDecision]
) -> None:
    machine = EDITIONS["goofspiel"].machine(2)
    s = machine.new(2)
    question = machine.run(s)[0]
    hours = count(0, 3600)
    clocks(monkeypatch, lambda: next(hours))
    choice = make_player("search-1ms", machine).choose(
        information_state(machine, s, question.seat), question, random.Random(1)
    )
    assert len(choice) == 1 and not counted_tries


@pytest.mark.parametrize("used", [executor, lambda program: Fallback(program, "")], ids=["native", "machine"])
@pytest.mark.parametrize("kind", ["search-400ms", "greedy-400ms", "easy-400ms", "best-400ms"])
@pytest.mark.parametrize("each", [0.001, 0.02, 0.1, 1.0])
def test_a_player_with_a_clock_answers_in_time(
    kind: str, each: float, used: Callable[[Program], Executor], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is in time however long each step takes; a step that has begun is finished."""
    machine = EDITIONS["goofspiel"].machine(3)
    s = machine.new(2)
    question = machine.run(s)[0]
    monkeypatch.setitem(evaluation.executors, machine, used(machine.program))
    looks = count()
    clocks(monkeypatch, lambda: next(looks) * each)
    choice = make_player(kind, machine).choose(information_state(machine, s, question.seat), question, random.Random(1))
    assert len(choice) == 1
    assert next(looks) * each <= 0.4 + 18 * each


def test_search_uses_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = EDITIONS["goofspiel"].machine(2)
    s = machine.new(2)
    question = machine.run(s)[0]
    looks, tries = count(), list[int]()
    grow = InformationTrees.grow

    def counted(self: InformationTrees, number: int) -> None:
        tries.append(number)
        grow(self, number)

    def clock() -> float:
        return next(looks) / 10_000 + sum(tries) / 100_000

    monkeypatch.setattr(InformationTrees, "grow", counted)
    monkeypatch.setattr(InformationSearch, "_is_decided", lambda self, left: False)
    clocks(monkeypatch, clock)
    make_player("search-300ms", machine).choose(
        information_state(machine, s, question.seat), question, random.Random(1)
    )
    assert clock() == pytest.approx(0.3, abs=0.01)
    assert sum(tries) > 10_000


@pytest.mark.rotating(3)
def test_at_a_table_all_tries_are_made_for_any_choices(counted_tries: Counter[OpenDecision]) -> None:
    """Outside a table nothing is tried where there is no choice, or where tries cannot change the answer any more."""
    rules = library.load("classics/hearts")
    game = Game.start(rules, ["Ann", "Bo", "Cy", "Dee"], {}, 1)
    offered = set()
    while game.state[ROUND] < 2:
        seat = game.pending.seats[0]
        question = game.known(seat)[1]
        game.answer(seat, players.choose("search-16", game, seat, len(game.history.answers)))
        offered.add(len(question.candidates))
    assert offered >= {1, 2, 5, 13}
    assert set(counted_tries.values()) == {16} and len(counted_tries) == len(game.history.answers)


@pytest.mark.parametrize(
    ("kind", "seconds"),
    [
        ("random", 0.0),
        ("easy-200ms", 0.3),
        ("search-16", 0.0),
        ("greedy-200ms", 0.3),
        ("search-400ms", 0.5),
        ("search-50ms", 0.15),
        ("policy:eva.safetensors", 0.3),
    ],
)
def test_the_kind_of_player_decides_the_time_of_an_answer(kind: str, seconds: float) -> None:
    assert players.answer_time(kind, EDITIONS["market"].machine(2).program) == pytest.approx(seconds)
    assert players.answer_time(kind, library.load("classics/mancala").machine(2).program) == 0.0, "nothing is hidden"


def test_a_person_waits_for_many_answers_in_a_row_hardly_longer_than_for_some() -> None:
    program = EDITIONS["market"].machine(2).program
    kinds = [players.table_kind("greedy", players.share_in_row(number)) for number in range(24)]
    times = [players.answer_time(kind, program) for kind in kinds]
    assert times == sorted(times, reverse=True) and times[4] == times[0] > times[5]
    assert sum(times) < 0.7 * len(times) * times[0]


# ── what an end is worth ──


def judged(*results: GameResult, sides: tuple[int, ...] = ()) -> list[list[float]]:
    """Return the value of each seat in the estimate of a judge that has seen these ends, each equally often."""
    machine = EDITIONS["goofspiel"].machine(len(results[0].places))
    sides = sides or tuple(range(len(results[0].places)))
    asked_for: list[int | None] = []

    class Ends(Fallback):
        ends = cycle(results)

        def load_state(self, packed: Any, rng: Any) -> None:
            pass

        def play_on_often(
            self, seed: int, most: int | None, times: int, until: float = math.inf, turn: int = -1
        ) -> list[list[int]]:
            asked_for.append(most)
            end = next(self.ends)
            seats = zip(end.places, end.points, strict=True)
            words = [word for place, points in seats for word in (place, *points)]
            return [[end.rounds, end.decisions, end.limited, *words]] * times

    judge = evaluation.RolloutEvaluator(
        machine, Ends(machine.program, ""), [(None, sides)] * len(results), random.Random(1)
    )
    assert asked_for[0] == evaluation.LONG and set(asked_for[len(results) :]) == {judge.most}
    return [[round(each, 12) for each in judge.worth(random.Random(1), sides)] for _ in results]


def end(places: tuple[int, ...], *points: int, decisions: int = 10) -> GameResult:
    return GameResult(1, decisions, False, places, tuple((each,) for each in points))


def share_of_points(lead: float) -> float:
    return 0.5 + 0.5 * math.tanh(lead / 2)


WON = 0.8 + 0.2 * share_of_points(1)  # where every lead is as large as usual
AHEAD = 0.2 + 0.8 * share_of_points(1)  # likewise, before the end
THIRD = 0.8 * (0.5 / 2 + 0.5 / 3)  # of equals, each has half beaten the others, and a third of the win
WIDE = share_of_points(math.sqrt(3 / 2))  # where one of three is always in the middle


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        pytest.param([end((1, 1), 5, 5)], [[0.5, 0.5]], id="nobody is ahead"),
        pytest.param(
            [end((1, 1), 5, 5), end((1, 1), 3, 3)],
            [[share_of_points(1)] * 2, [share_of_points(-1)] * 2],
            id="all together",
        ),
        pytest.param([end((1, 2), 3, 1), end((2, 1), 1, 3)], [[WON, 1 - WON], [1 - WON, WON]], id="more is better"),
        pytest.param([end((2, 1), 3, 1), end((1, 2), 1, 3)], [[1 - WON, WON], [WON, 1 - WON]], id="less is better"),
        pytest.param(
            [end((1, 2), 3, 1, decisions=300), end((2, 1), 1, 3, decisions=300)],
            [[AHEAD, 1 - AHEAD], [1 - AHEAD, AHEAD]],
            id="not played to its end",
        ),
        pytest.param(
            [end((1, 2), 3, 1, decisions=200), end((2, 1), 1, 3, decisions=200)],
            [[WON, 1 - WON], [1 - WON, WON]],
            id="long, and played to its end",
        ),
        # Against the average of two others the leads are 4.5, 0 and -4.5, or none: 2.25, 0 and 2.25 from their middle.
        pytest.param(
            [end((1, 2, 3), 6, 3, 0), end((1, 1, 1), 0, 0, 0)],
            [[0.8 + 0.2 * WIDE, 0.3, 0.2 * (1 - WIDE)], [THIRD + 0.2 * (1 - WIDE), THIRD + 0.1, THIRD + 0.2 * WIDE]],
            id="more points, and wider apart",
        ),
        pytest.param([end((1, 1, 3), 4, 4, 4)], [[0.8 * 0.625 + 0.1, 0.8 * 0.625 + 0.1, 0.1]], id="two are first"),
        pytest.param([end((1, 2, 2), 4, 4, 4)], [[0.9, 0.8 * 0.125 + 0.1, 0.8 * 0.125 + 0.1]], id="two are last"),
        pytest.param([end((1, 0, 2), 4, 99, 4)], [[0.9, 0.5, 0.1]], id="one does not count"),
        pytest.param([end((1, 0), 4, 99)], [[0.5, 0.5]], id="one alone, and rounding makes no lead"),
        pytest.param(
            [end((1, 2, 3), 6, 3, 0), end((1, 2, 3), 6, 3, 0)], [[0.9, 0.3, 0.1]] * 2, id="always the same leads"
        ),
    ],
)
def test_values_of_results(ends: list[GameResult], expected: list[list[float]]) -> None:
    for result, request in zip(judged(*ends), expected, strict=True):
        assert result == pytest.approx(request)


@pytest.mark.parametrize(
    ("decisions", "times"), [(0, 8), (10, 8), (150, 8), (200, 6), (260, 4), (2000, evaluation.MIN_ROLLOUTS)]
)
def test_long_games_have_fewer_rollouts_per_try(decisions: int, times: int) -> None:
    machine = EDITIONS["goofspiel"].machine(2)
    asked_for: list[int] = []

    class Ends(Fallback):
        def load_state(self, packed: Any, rng: Any) -> None:
            pass

        def play_on_often(
            self, seed: int, most: int | None, times: int, until: float = math.inf, turn: int = -1
        ) -> list[list[int]]:
            asked_for.append(times)
            return [[1, decisions, 0, 1, 3, 2, 1]] * times

    judge = evaluation.RolloutEvaluator(machine, Ends(machine.program, ""), [(None, (0, 1))], random.Random(1))
    assert judge.worth(random.Random(1), (0, 1))
    assert asked_for[-1] == times


TOWER = """\
rulewright: 1
title: Tower
players: 2 to 4
words: {side: {us: {}, them: {}}}
counters: {game: {tower: 0, built: 0}, seat: {height: 0}}
phases:
  build:
    do:
      - each seat:
          - choose number from 1 to 6 as part: {ask: How much do you add?}
          - add part to tower
          - add part to height
      - add 1 to built
      - if built is 2: end game
scoring: {tower: {points: tower}}
"""
MENU = TOWER.replace(
    """          - choose number from 1 to 6 as part: {ask: How much do you add?}
          - add part to tower
          - add part to height
""",
    """          - choose one:
              ask: What do you do?
              among:
                harm: {do: take 1 from tower}
                nothing much: {do: []}
                help: {do: add 1 to tower}
""",
)
ALONE = TOWER.replace("players: 2 to 4", "players: 1")
LOW = TOWER + "ranking: lowest score\n"
RANKED = TOWER.replace("scoring: {tower: {points: tower}}", "ranking: highest tower")
ONE_SIDE = TOWER.replace(", them: {}", "") + "sides: side\n"


@pytest.mark.parametrize("kind", ["greedy", "search-60"])
@pytest.mark.parametrize(
    ("edition", "seats", "height"),
    [
        (TOWER, 2, 24),
        (MENU, 2, 4),
        (MENU.replace(", them: {}", "") + "sides: side\n", 2, 4),
        (TOWER, 3, 36),
        (LOW, 2, 4),
        (RANKED, 2, 24),
        (ONE_SIDE, 2, 24),
        (ALONE, 1, 12),
    ],
    ids=["no sides", "a menu", "a menu, one side", "three", "lowest", "no points", "one side", "alone"],
)
def test_seats_without_a_rival_improve_their_own_points(kind: str, edition: str, seats: int, height: int) -> None:
    """All have the same points in the end, so no seat is ever ahead of another."""
    machine = library.from_text(edition, "tower").machine(seats)
    s = machine.new(3)
    rng, bot = random.Random(5), make_player(kind, machine)
    while open_ := machine.run(s):
        machine.answer(s, open_[0], bot.choose(information_state(machine, s, open_[0].seat), open_[0], rng))
    tower = next(counter.address for counter in machine.program.layout.counters if counter.name == "tower")
    assert s[tower] == height


def test_partners_win_with_each_other() -> None:
    """Two seats play against two: the winner has beaten both opponents, but not the partner."""
    won, lost = end((1, 3, 1, 3), 5, 1, 3, 1), end((3, 1, 3, 1), 1, 5, 1, 3)
    first, second = judged(won, lost, sides=(0, 1, 0, 1))
    assert first[0] == first[2] == second[1] == second[3] > 0.8 + 0.1
    assert first[1] == first[3] == second[0] == second[2] < 0.1


def test_only_scored_seats_are_rivals() -> None:
    game = kiosk()
    s = game.state
    assert [round(lead_of(game.machine, s, seat), 3) for seat in range(3)] == [0, 0, 0]
    gold = next(counter.address for counter in game.program.layout.counters if counter.name == "gold")
    s[gold] += 1
    assert [round(lead_of(game.machine, s, seat), 3) for seat in range(3)] == [6, -6, 0]


def test_greedy_leaves_to_chance_what_makes_no_difference() -> None:
    game = kiosk("- move shown to front", "- add 0 to gold")
    known, question = game.known(0)
    greedy = make_player("greedy", game.machine)
    choices = [len(greedy.choose(known, question, random.Random(seed))) for seed in range(40)]
    assert 10 < sum(choices) < 30


# ── what is plain to see ──

GIFTS = """\
rulewright: 1
title: Gifts
players: 2
pieces: {gift: {has: {worth: 0 to 4}, copies: [COPIES], starts in: table, noun: "gift of {worth}"}}
zones:
  table: {seen by: all}
  lap: {of: seat, seen by: all}
counters: {seat: {gold: 3}}
phases:
  play:
    do:
      - each seat where it is among first 1 of seats:
          - choose 1 from table as taken: {ask: Which?}
          - move taken to lap
      - end game
scoring:
  gold: {points: gold}
  gifts: {points: total worth of lap - 2 * number of lap}
ranking: highest score
"""
TAKING_GAME = """\
          - choose 1 from table as taken: {ask: Which?}
          - move taken to lap
"""


def answer_of_bot(kind: str, text: str, seed: int) -> list[int]:
    """Return the first answer of a bot in a game for two: the values of the gifts that it takes, or its number."""
    machine = library.from_text(text, "gifts").machine(2)
    s = machine.new(1)
    question, *_ = machine.run(s)
    choice = make_player(kind, machine).choose(
        information_state(machine, s, question.seat), question, random.Random(seed)
    )
    program = machine.program
    if program.sites[question.site].element.base != "piece":
        return choice
    return [int(program.types[program.type_of[piece]].name.removeprefix("gift of ")) for piece in choice]


@pytest.mark.rotating(3)
@pytest.mark.parametrize("kind", ["greedy", "search-80"])
@pytest.mark.parametrize(
    ("choice", "copies", "best"),
    [
        pytest.param("1", "1, 1, 1, 1, 1", [4], id="one"),
        pytest.param("up to 1", "0, 0, 0, 0, 1", [4], id="a gift"),
        pytest.param("up to 1", "1, 0, 0, 0, 0", [], id="a burden"),
        pytest.param("up to 1", "1, 1, 0, 0, 0", [], id="only burdens"),
        pytest.param("up to 2", "2, 0, 0, 0, 2", [4, 4], id="two alike"),
        pytest.param("up to 3", "0, 0, 0, 3, 0", [3, 3, 3], id="all, all alike"),
        pytest.param("up to 2", "2, 1, 0, 0, 0", [], id="none of many"),
        pytest.param("2", "2, 1, 0, 0, 1", [1, 4], id="the best two"),
        pytest.param("3", "0, 0, 2, 2, 0", [2, 3, 3], id="the first of which is no choice"),
        pytest.param("3 to 4", "3, 1, 2, 0, 0", [1, 2, 2], id="as few as may be"),
    ],
)
def test_the_best_gifts_are_taken(kind: str, choice: str, copies: str, best: list[int]) -> None:
    text = GIFTS.replace("choose 1", f"choose {choice}").replace("COPIES", copies)
    for seed in range(5):
        assert sorted(answer_of_bot(kind, text, seed)) == best


def chosen_numbers(*statements: str, kind: str = "greedy") -> list[list[int]]:
    """Return the choices in ten games in which the first seat has this decision."""
    lines = "".join(f"          - {statement}\n" for statement in statements)
    text = GIFTS.replace("COPIES", "1, 1, 1, 1, 1").replace(TAKING_GAME, lines)
    return [answer_of_bot(kind, text, seed) for seed in range(10)]


def test_greedy_looks_no_farther_than_to_its_next_answer() -> None:
    """The bot chooses its next answer itself; it is not left to chance."""
    assert (
        chosen_numbers(
            "choose number from 0 to 1 as bid: {ask: Bid?}",
            "add bid to gold",
            "choose number from 0 to 1 as reply: {ask: Reply?}",
            "add 0 - 50 * bid * reply to gold",
        )
        == [[1]] * 10
    )


def test_greedy_plays_out_answers_that_leave_it_equally_far_ahead() -> None:
    assert (
        chosen_numbers(
            "choose number from 0 to 1 as bid: {ask: Bid?}",
            "choose number from 0 to 1 as reply: {ask: Reply?}",
            "add 9 * bid + reply to gold",
        )
        == [[1]] * 10
    )


@pytest.mark.rotating(4)
@pytest.mark.parametrize("kind", ["greedy", "search-60"])
def test_amounts_that_all_name_in_turn_fit_together(kind: str) -> None:
    """The four bids of a deal of spades, 13 tricks, are no chance numbers, though random players' bids would be."""
    for seed in range(3):
        game = Game.start(library.load("classics/spades"), ["Ann", "Bo", "Cy", "Dee"], {}, seed)
        bids = []
        for _ in range(4):
            known, question = game.known(game.pending.seats[0])
            bid = make_player(kind, game.machine).choose(known, question, random.Random(seed))
            bids.append(sum(bid))
            game.answer(question.seat, game.offer(question).keys(bid))
        assert 5 <= sum(bids) <= 13 and bids.count(0) < 2, bids


@pytest.mark.rotating(6)
def test_search_opens_lines_and_takes_what_stands_loose() -> None:
    """A game without points goes by the measure that tells who is ahead, and by how freely a seat can move."""
    game = Game.start(library.load("classics/chess"), ["Ann", "Bo"], {}, 1)
    assert evaluation.scored_program(game.program).scoring
    for key in ("e2", "e4"):
        game.answer(0, [key])
    first = players.choose("search-400", game, 1, 0)
    assert first[0] in ("c7", "d7", "e7", "b8", "g8"), "no pawn at the rim"
    for seat, key in ((1, "d7"), (1, "d5"), (0, "f1"), (0, "a6")):
        game.answer(seat, [key])
    second = players.choose("search-400", game, 1, 2)
    game.answer(1, second)
    assert players.choose("search-400", game, 1, 3) == ["a6"], "it takes the bishop"


def test_greedy_sees_the_outcome_after_sealed_answers_of_others() -> None:
    assert (
        chosen_numbers(
            "choose number from 0 to 1 as bid: {ask: Bid?}",
            "each opponent: [choose number from 0 to 1 as reply: {ask: Reply?}]",
            "add bid to gold",
        )
        == [[1]] * 10
    )


def test_greedy_avoids_answers_that_stop_the_rules() -> None:
    assert (
        chosen_numbers(
            "choose number from 0 to 1 as bid: {ask: Bid?}",
            "add 1 / (1 - bid) rounded down to gold",
        )
        == [[0]] * 10
    )


AUCTION = """\
rulewright: 1
title: Auction
players: 3
counters:
  game: {price: PRICE, buyer: seat}
  seat: {gold: 3, fame: {starts at: 20}}
phases:
  sale:
    do:
      - go round seats until you are buyer:
          - choose one as bid:
              ask: Do you bid?
              among:
                more: {do: do outbid}
                pass: {do: [drop out]}
      - as buyer:
          - do pay
          - choose number from 0 to USE as gained: {ask: How much do you gain?}
          - add gained to fame
      - end game
    steps:
      outbid:
        do:
          - choose number from price + 1 to price + 60 as amount: {ask: How much?}
          - set price to amount
          - set buyer to you
      pay:
        do:
          - take highest of (0, price - gold) from fame
          - take lowest of (gold, price) from gold
scoring: {fame: {points: fame}}
ranking: highest score
"""


ONE_QUESTION = """\
          - choose number from price + 1 to price + 60 as amount: {ask: Bid?, none: Pass}
          - if amount is empty: drop out
            otherwise: [set price to amount, set buyer to you]
"""


def auction(price: int, use: int, *, menu: bool) -> Machine:
    """A seat that has 3 and pays more loses the rest, and then can gain a number."""
    text = AUCTION.replace("PRICE", str(price)).replace("USE", str(use))
    if not menu:
        start, end = text.index("          - choose one"), text.index("      - as buyer")
        text = text[:start] + ONE_QUESTION + text[end:]
    return library.from_text(text, "auction").machine(3)


@pytest.mark.parametrize(("kind", "menu"), [("greedy", True), ("greedy", False), ("search-20", False)])
@pytest.mark.parametrize(
    ("price", "use", "bids"),
    [
        pytest.param(0, 0, True, id="within its means"),
        pytest.param(3, 0, False, id="beyond them, for nothing"),
        pytest.param(3, 4, True, id="beyond them, for more than it costs"),
        pytest.param(10, 4, False, id="beyond them, for less"),
    ],
)
def test_bids_are_sensible(kind: str, menu: bool, price: int, use: int, bids: bool) -> None:
    """Bots raise by the minimum. Random opponents hardly ever let a bid stand."""
    machine = auction(price, use, menu=menu)
    for seed in range(10):
        rng, s = random.Random(seed), machine.new(seed)
        [question] = machine.run(s)
        bot = make_player(kind, machine)
        choice = bot.choose(information_state(machine, s, 0), question, rng)
        if menu:
            assert choice == ([0] if bids else [1])
            machine.answer(s, question, [0])
            [question] = machine.run(s)
            choice = bot.choose(information_state(machine, s, 0), question, rng)
            assert choice == [price + 1]
        else:
            assert choice == ([price + 1] if bids else [])


def test_the_best_amount_is_searched_for() -> None:
    tried: list[int] = []

    def worth(amount: int) -> float:
        tried.append(amount)
        return -abs(amount - 23)

    result = search_amounts(range(4, 1004), worth)
    assert max(result, key=result.__getitem__) in range(21, 26)
    assert {4, 1003} <= set(result)
    assert len(tried) == len(set(tried)) < 25


@pytest.mark.rotating(2)
def test_search_values_its_later_decisions() -> None:
    """Random play would gain as much with 0 as with 1; a player that goes on with 1 gains more."""
    answers = chosen_numbers(
        "choose number from 0 to 1 as bid: {ask: Bid?}",
        "choose number from 0 to 1 as reply: {ask: Reply?}",
        "if bid is 0: add 2 * reply - 1 to gold",
        kind="search-400",
    )
    assert answers == [[0]] * 10


def test_the_first_of_equal_answers_is_chosen() -> None:
    question = OpenDecision(0, 0, (9, 4, 8, 5), 0, 4, ())
    assert answer_of({7: [9, 8, 5], 1: [4]}, [1, 7, 7], question) == [9, 4, 8]


# ── strength ──


@pytest.mark.rotating(6)
@pytest.mark.parametrize(("kind", "edition"), [("easy", "magpies"), ("greedy", "magpies"), ("search-60", "goofspiel")])
def test_search_players_beat_random_ones(kind: str, edition: str) -> None:
    machine = EDITIONS[edition].machine(2)
    thinker, chance = make_player(kind, machine), make_player("random", machine)
    lead = 0
    for seed in range(12):
        s = machine.new(seed)
        machine.run(s)
        rng = random.Random(seed)
        while open_ := machine.open_decisions(s):
            question = open_[0]
            player = thinker if question.seat == seed % 2 else chance
            machine.answer(s, question, player.choose(information_state(machine, s, question.seat), question, rng))
            machine.run(s)
        totals = [
            sum(machine.call(line.function, s, seat)[0][0] for line in machine.program.scoring) for seat in (0, 1)
        ]
        lead += totals[seed % 2] - totals[1 - seed % 2]
    assert lead > 0


# ── kinds ──


@pytest.mark.parametrize("kind", [*players.KINDS, "search-500", "search-800ms", "best-800ms", "search-1000000"])
def test_kinds_of_players(kind: str) -> None:
    assert check_kind(kind) == kind


def test_parameters_of_kinds_of_players() -> None:
    assert [players.max_tries(kind) for kind in ("random", "search-1", "search-500", "search-9000")] == [
        0,
        1,
        500,
        9000,
    ]
    assert 0 < players.max_tries("greedy") < 50 < players.max_tries("search") < players.max_tries("search-800ms")
    assert [players.is_time_limited(kind) for kind in ("random", "greedy", "search", "search-800ms")] == [False] * 3 + [
        True
    ]
    at_a_table = [players.table_kind(kind) for kind in ("random", "search-500", "search-2ms", "greedy", "search")]
    assert at_a_table[:-1] == ["random", "search-500", "search-2ms", "greedy-200ms"]
    assert players.is_time_limited(at_a_table[-1]), "where people wait, it is given a time"
    hurried = [players.table_kind("search", share) for share in (1.0, 0.5, 1 / 8, 1 / 9)]
    assert hurried == ["search-400ms", "search-200ms", "search-50ms", "greedy-50ms"]
    assert [players.table_kind("greedy", share) for share in (0.5, 0.1)] == ["greedy-100ms", "greedy-50ms"]
    assert [players.table_kind(level) for level in ("easy", "best")] == ["easy-200ms", "best-400ms"]
    assert players.table_kind("hard", 0.1) == "hard-50ms" and players.table_kind("best", 0.1) == "greedy-50ms"
    tries = [players.max_tries(level) for level in players.LEVELS]
    assert tries == sorted(tries) and players.max_tries("easy-200ms") == tries[0]


def test_former_kinds_are_the_levels_of_today() -> None:
    """Tables and saves of earlier versions name them."""
    assert check_kind("novice") == "novice" and players.table_kind("novice") == "easy-200ms"
    assert players.max_tries("novice") == players.max_tries("easy")
    assert type(make_player("novice", EDITIONS["goofspiel"].machine(2))) is LevelPlayer


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("serch", "There is no kind of player 'serch'. Did you mean 'search'. Kinds: random, easy, medium, hard, best"),
        ("search-0", "'search-0': a search may take from 1 to 1,000,000 tries at each decision"),
        ("search-0ms", "from 1 to 600,000 milliseconds"),
        ("search-9999999", "from 1 to 1,000,000 tries"),
        ("search-" + "9" * 30, "does not say how long"),
        ("search--5", "Write 'search-500' for 500 tries at each decision, or 'search-800ms'"),
        ("search-½", "does not say how long"),
        ("search-", "does not say how long"),
        ("greedy-5", "Only 'search' has a budget: write 'greedy' instead of 'greedy-5'"),
        ("", "There is no kind of player ''"),
    ],
)
def test_unknown_kinds_of_players_are_refused(kind: str, message: str) -> None:
    machine = EDITIONS["goofspiel"].machine(2)
    for use in (check_kind, lambda text: make_player(text, machine)):
        with pytest.raises(PlayerError, match=message.replace("'search'.", r"'search'\?")):
            use(kind)


def test_seats_of_players_that_think() -> None:
    edition = EDITIONS["goofspiel"].edition
    assert read_seats("Ada:search-800ms,GREEDY", edition)[0] == Seat("Ada", "search-800ms")
    assert [seat.player for seat in read_seats("search-500,greedy", edition)] == ["search-500", "greedy"]
    with pytest.raises(PlayerError, match="from 1 to"):
        read_seats("you,search-0", edition)
    with pytest.raises(PlayerError, match="how long"):
        read_seats("you,Ben:search-long", edition)


# ── matches ──


def matches(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "matches.py"), *arguments, "--processes", "1"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.rotating(3)
def test_matches_are_played() -> None:
    goofspiel = str(ROOT / "tests" / "games" / "goofspiel.yaml")
    done = matches(goofspiel, "random", "random", "--games", "20")
    assert done.returncode == 0, done.stderr
    won, lost, even = map(int, done.stdout.splitlines()[-1].split("|")[4:7])
    assert won == lost and won + lost + even == 20, "each deal is played from both sides with the same luck"
    again = matches(goofspiel, "random", "random", "--games", "20")
    assert again.stdout == done.stdout


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("2022", "serch", "random"), "Did you mean 'search'"),
        (("2022", "search-0", "random"), "from 1 to"),
        (("2022", "greedy", "random", "--games", "0"), "at least one game"),
        (("2022", "greedy", "random", "--seats", "A,B,lea"), "lea"),
        (("2022", "greedy", "random", "--option", "no blufing=yes"), "no bluffing"),
    ],
)
def test_impossible_matches_are_refused(arguments: tuple[str, ...], message: str) -> None:
    refused = matches(*arguments)
    assert refused.returncode == 2
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr
