"""All answers to a question are equally likely, as `spec/RANDOM.md` says, in the machine and in native code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from random import Random

import pytest

from edition_generator.random_source import from_seed
from edition_generator.trial import generate
from rulewright.base import resources
from rulewright.game import library
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.players.random_player import RandomPlayer
from rulewright.program.rollout_pipeline import whole_game_blocks
from rulewright.runtime import native
from rulewright.runtime.information_state import information_state
from rulewright.runtime.native.emit import emit_module
from rulewright.runtime.native.executor import IN_BULK
from rulewright.runtime.operations import OpenDecision, RuleError
from rulewright.runtime.random_answers import pick
from rulewright.runtime.rng import fractions
from rulewright.runtime.state import State
from whole_games import EDITIONS

SPEC = resources.read_text("spec", "RANDOM.md")
MOST_ANSWERS = 40
TIMES = 60
Answer = tuple[str, ...]

EVERY_KIND = """\
rulewright: 1
title: Every kind of question
players: 2
words:
  colour: {red: {}, blue: {}}
  taste: {sweet: {}, sour: {}, salty: {}}
pieces:
  card: {each: colour, copies: {red: 4, blue: 2}, starts in: deck, noun: "{colour} card"}
  token: {has: {size: 1 to 4}, starts in: box, noun: "token {size}"}
  coin: {each: taste, has: {side: 1 to 2}, changing: side, copies: 2, starts in: purse, noun: "{taste} coin {side}"}
zones:
  deck: {holds: card, seen by: nobody}
  row: {holds: card, seen by: all}
  hand: {of: seat, holds: card, seen by: owner}
  box: {holds: token, seen by: all}
  purse: {holds: coin, seen by: all}
counters:
  card: {damage: 0}
  game: {way: 0}
"""
PLAY = """\
phases:
  play:
    do:
      - move top 3 of (cards in deck where colour is red) to row
      - move top 1 of (cards in deck where colour is blue) to row
      - each seat: move top 1 of deck to hand
      - each first 1 of (cards in row where colour is red) as hurt: add 2 to hurt's damage
      - each first 1 of purse as flipped: set flipped's side to 2
      - QUESTION
      - end game
"""
ALL_ROW = "each first 1 of seats: [choose up to 1 from row as chosen]"


def answers(decision: Decision) -> list[Answer]:
    """Yield all answers that a decision allows, each as its keys in the choices' order."""
    counts = [range(min(choice.count, decision.most) + 1) for choice in decision.choices]
    results = []
    for answer in product(*counts):
        if decision.least <= sum(answer) <= decision.most:
            pairs = zip(decision.choices, answer, strict=True)
            results.append(tuple(choice.key for choice, count in pairs for _ in range(count)))
    return results


def is_few(decision: Decision) -> bool:
    cases = 1
    for choice in decision.choices:
        cases *= min(choice.count, decision.most) + 1
        if cases > 4000:
            return False
    return 1 < len(answers(decision)) <= MOST_ANSWERS


def deviation(results: Counter[Answer], expected: Sequence[Answer]) -> float:
    """Return how far counts are from equal ones, in standard deviations (Wilson and Hilferty, 1931)."""
    assert set(results) <= set(expected), (set(results) - set(expected), expected)
    each, freedom = results.total() / len(expected), len(expected) - 1
    chi_square = sum((results[answer] - each) ** 2 / each for answer in expected)
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def check_each_is_equally_likely(game: Game, question: OpenDecision, other: native.Native) -> int:
    """Check the machine, native code and the random player; return the number of answers."""
    decision = game.decision(question.seat)
    assert decision is not None
    expected, machine, s = answers(decision), game.machine, game.state
    order = {choice.key: place for place, choice in enumerate(decision.choices)}

    def to_answer(choices: Sequence[int]) -> Answer:
        keys = game.offer(question).keys(choices)
        assert game.offer(question).candidates_for(keys) == list(choices)  # of those that are alike the first
        return tuple(sorted(keys, key=order.__getitem__))

    times = TIMES * len(expected)
    by_machine = [machine.random_answer(s, question, fractions(seed)) for seed in range(times)]
    if machine.open_decisions(s)[0].seat == question.seat:
        assert by_machine[:TIMES] == [played_natively(other, s, question, seed) for seed in range(TIMES)]
    known, player = information_state(machine, s, question.seat), RandomPlayer(machine)
    by_player = [player.choose(known, question, Random(seed)) for seed in range(times)]
    for argument in (by_machine, by_player):
        assert deviation(Counter(map(to_answer, argument)), expected) < 5, (expected, Counter(map(to_answer, argument)))
    return len(expected)


def played_natively(other: native.Native, s: State, question: OpenDecision, seed: int) -> tuple[int, ...]:
    """Return the answer that native code gives in a rollout."""
    other.load_state(other.pack(s), (1, 2, 3, 4))
    with suppress(RuleError):  # of what comes after the answer
        other.play_on(seed, 1)
    site = other.program.sites[question.site]
    choices: tuple[int, ...] = other.memory.unpack(other.state_copy())[site.slot + question.seat * site.per_seat]
    return choices


def positions(game: Game, rng: Random, most: int) -> Iterator[OpenDecision]:
    """Yield decisions of a game with few answers, each at another place of the rules."""
    counts: set[int] = set()
    for _ in range(most):
        if game.over or not game.pending.open:
            return
        for question in game.machine.open_decisions(game.state):
            decision = game.decision(question.seat)
            assert decision is not None
            if question.site not in counts and is_few(decision):
                counts.add(question.site)
                yield question
        question = game.machine.open_decisions(game.state)[0]
        game.answer(
            question.seat, game.offer(question).keys(game.machine.random_answer(game.state, question, rng.random))
        )


def check_a_game(rules: library.Rules, seed: int, most: int) -> None:
    """Check all decisions of a game with few answers, at least one."""
    names = [f"Seat {number}" for number in range(rules.edition.seats[0])]
    other = native.Native(rules.machine(len(names)).program)
    game = Game.start(rules, names, seed=seed)
    checked = [check_each_is_equally_likely(game, asked, other) for asked in positions(game, Random(seed), most)]
    assert any(checked)


# ── each kind of question ──

QUESTIONS = {
    "one of some alike": "choose 1 from row as chosen",
    "up to one of some alike": "choose up to 1 from row as chosen",
    "several of some alike": "choose any number from row as chosen",
    "so many of some alike": "choose 3 from row as chosen",
    "a few of some alike": "choose 2 to 4 from row as chosen",
    "in several zones": "choose up to 3 from row plus hand as chosen",
    "one that is not seen": "choose 1 from row plus deck as chosen",
    "several that are not seen": "choose up to 3 from deck as chosen",
    "of another hand": "choose 0 to 2 from hand plus hand of left of you as chosen",
    "by place": "choose 0 to 2 from row as chosen: {by place: yes}",
    "by place where it matters": "choose 0 to 2 from row as chosen: {by place: number of row is 9}",
    "all different": "choose any number from box as chosen",
    "so many different ones": "choose 2 from box as chosen",
    "at least some different ones": "choose 3 to 4 from box as chosen",
    "with other sides": "choose up to 2 from purse as chosen",
    "words": "choose any number from tastes as chosen",
    "one word": "choose up to 1 from tastes as chosen",
    "a number": "choose number from 3 to 9 as chosen",
    "a number or none": "choose number from 3 to 9 as chosen: {none: None.}",
    "a seat": "choose up to 1 from seats as chosen",
    "a menu": "choose one as chosen: {among: {left: {do: [add 1 to way]}, right: {do: [add 2 to way]}}}",
    "yes or no": "may: {ask: More?, do: add 1 to way}",
}


@pytest.mark.rotating(3)
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("at_once", [False, True])
def test_each_answer_is_equally_likely(question: str, at_once: bool) -> None:
    pytest.importorskip("wasmtime")
    asking = f"all seats at once: [{question}]" if at_once else f"each first 1 of seats: [{question}]"
    game = Game.start(library.from_text(EVERY_KIND + PLAY.replace("QUESTION", asking)), ["Ada", "Ben"], seed=1)
    [*questions] = game.machine.open_decisions(game.state)
    other = native.Native(game.program)
    for one in questions:
        check_each_is_equally_likely(game, one, other)


def test_equal_pieces_are_one_choice() -> None:
    """Six answers are possible: nothing, or one of five kinds; three equal cards are no likelier than one."""
    game = Game.start(library.from_text(EVERY_KIND + PLAY.replace("QUESTION", ALL_ROW)), ["Ada", "Ben"], seed=1)
    [question] = game.machine.open_decisions(game.state)
    counts = Counter(len(game.machine.random_answer(game.state, question, fractions(seed))) for seed in range(600))
    assert 150 < counts[0] < 250 and counts.total() == 600


def test_native_code_compares_no_candidates_that_all_differ() -> None:
    """The candidates are cards of the seat's own hand, which are all different."""
    pytest.importorskip("wasmtime")
    modules = []
    for name in ("goofspiel", "magpies"):
        program = EDITIONS[name].machine(2).program
        modules.append(emit_module(program, whole_game_blocks(program), (), IN_BULK)[0])
    assert [b"pick_one_alike" in module for module in modules] == [False, True]


# ── games, and editions drawn by chance ──


PLAYED = "market wild-cards/2022 magpies millstream pairs three-banners whispers classics/yacht classics/crazy-eights"


@pytest.mark.rotating(3)
@pytest.mark.parametrize("name", PLAYED.split())
def test_in_games_each_answer_is_equally_likely(name: str) -> None:
    pytest.importorskip("wasmtime")
    check_a_game(EDITIONS[name], 1, 25)


@pytest.mark.rotating(3)
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 6, 7, 8, 11, 13, 14, 15, 16, 19])
def test_in_random_editions_each_answer_is_equally_likely(seed: int) -> None:
    pytest.importorskip("wasmtime")
    _, text = generate(from_seed(seed), 0)
    check_a_game(library.from_text(text), seed, 25)


# ── the document ──


def test_answers_of_the_document() -> None:
    rows = SPEC.partition("\n| seed | candidates")[2].split("\n\n")[0].splitlines()[2:]
    assert len(rows) > 5
    for row in rows:
        seed, candidates, least, most, expected = (cell.strip() for cell in row.strip("|").split("|"))
        random = fractions(int(seed))
        several = (
            pick(random, range(len(candidates)), int(least), int(most), candidates.__getitem__) for _ in range(8)
        )
        assert ["".join(candidates[n] for n in chosen) or "–" for chosen in several] == expected.split(), row


def test_counts_of_many_candidates_do_not_overflow() -> None:
    """About half of a thousand pieces are chosen, equal or not; never fewer or more than allowed."""
    random = Random(1).random
    for key in (None, lambda item: item // 100):
        sizes = [len(pick(random, range(1000), 0, 1000, key)) for _ in range(20)]
        assert 400 < sum(sizes) / 20 < 600
        assert {len(pick(random, range(1000), 998, 999, key)) for _ in range(20)} <= {998, 999}
        assert {len(pick(random, range(1000), 0, 2, key)) for _ in range(20)} <= {0, 1, 2}
