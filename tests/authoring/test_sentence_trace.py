"""Traces of rules, sentence by sentence; a traced game stays the same game."""

from __future__ import annotations

from random import Random

import pytest

from example_counts import some_editions
from project_folders import GAMES
from rulewright.authoring import sentence_trace
from rulewright.authoring.sentence_trace import SentenceStep, SentenceTrace, after_answer, counted_last, moved_last
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.program.traced_program import NAME_SLOT, VALUE_SLOT

PEOPLE = ("Ada", "Ben", "Cora", "Dan", "Eve", "Flo", "Gus", "Hal")

COUNTING = """
rulewright: 1
title: Counting
players: 2
pieces:
  chip: {copies: 6, starts in: heap}
zones:
  heap: {seen by: all}
  hand: {of: seat, seen by: owner}
values:
  game: {most: 2}
counters:
  seat: {taken: 0}
setup:
  do:
    - move top 1 of heap to hand of seats
phases:
  take:
    do:
      - each seat:
          - choose number from 1 to most as wanted:
              ask: How many?
          - move top wanted of heap to hand
          - if number of hand is more than most:
              - add 1 to taken
              - log: "{seat} has many."
            otherwise:
              - set taken to 0
      - if heap is empty: end game
"""


def play_randomly(game: Game, seed: int, answers: int) -> Game:
    """Play on at random."""
    rng = Random(seed)
    while not game.over and len(game.history.answers) < answers:
        decision = rng.choice(game.decisions())
        keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
        rng.shuffle(keys)
        game.answer(decision.seat, keys[: rng.randint(decision.least, decision.most)])
    return game


def counting(*answers: tuple[int, str]) -> Game:
    game = Game.start(
        library.from_text(COUNTING.replace("move top 1 of heap to hand of seats", "shuffle heap")), PEOPLE[:2], seed=1
    )
    for seat, key in answers:
        game.answer(seat, [key])
    return game


def texts(trace: SentenceTrace) -> list[str]:
    return [trace.program.sentences[step.sentence].text if step.sentence >= 0 else "" for step in trace.steps]


def step_of(trace: SentenceTrace, text: str) -> SentenceStep:
    return trace.steps[texts(trace).index(text)]


def read(trace: SentenceTrace, step: SentenceStep, begins: str) -> dict[str, list[int]]:
    return {name: list(found) for name, _, found in trace.read(step, begins)}


@pytest.mark.rotating(3)
@pytest.mark.parametrize(
    "name",
    some_editions(
        "wild-cards/2022", "wildlife/2002", "classics/backgammon", "classics/hearts", "classics/hex", "classics/yacht"
    ),
)
def test_a_traced_game_is_the_same_game(name: str) -> None:
    rules = library.load(name)
    game = play_randomly(Game.start(rules, PEOPLE[: rules.edition.people[1]], seed=5), seed=7, answers=20)
    for number in range(-1, len(game.history.answers)):
        trace = after_answer(game, number)
        position = (
            game if number + 1 == len(game.history.answers) else game.with_history(game.history.before(number + 1))
        )
        assert trace.last == position.state, number
        assert not trace.error


def test_sentences_are_traced_in_the_order_of_execution() -> None:
    trace = after_answer(counting((0, "2")), 0)
    assert texts(trace) == [
        "move top wanted of heap to hand",
        "if number of hand is more than most",
        "set taken to 0",
        "choose number from 1 to most as wanted",
    ]
    assert [trace.acting(step) for step in trace.steps] == [0, 0, 0, 1]
    assert [trace.program.sentences[number].text for number in trace.chain(trace.steps[2])] == [
        "each seat",
        "if number of hand is more than most",
    ]


def test_a_step_shows_moved_pieces_with_both_zones() -> None:
    game = counting((0, "2"))
    step = step_of(trace := after_answer(game, 0), "move top wanted of heap to hand")
    zones = {space.address: (space.name, space.owner) for space in trace.program.program.layout.zones}
    assert [(zones[move.start], zones[move.goal]) for move in step.moves] == [(("heap", -1), ("hand", 0))] * 2
    assert {move.piece for move in step.moves} == set(game.state[step.moves[0].goal])
    assert not step.before[step.moves[0].goal] and len(step.after[step.moves[0].goal]) == 2


def test_a_step_shows_the_values_it_read_and_their_declarations() -> None:
    trace = after_answer(counting((0, "2")), 0)
    step = step_of(trace, "if number of hand is more than most")
    sentence = trace.program.sentences[step.sentence]
    assert read(trace, step, NAME_SLOT) == {"it": [0], "wanted": [2]}
    values = read(trace, step, VALUE_SLOT)
    assert values[sentence.test] == [0] and values["number of hand"] == [2] and values["most"] == [2]
    lines = COUNTING.split("\n")
    assert lines[sentence.place.line - 1].strip() == "- if number of hand is more than most:"
    assert lines[sentence.declared["most"].line - 1].strip() == "game: {most: 2}"


def test_a_step_shows_counters_and_log_lines() -> None:
    game = counting((0, "2"), (1, "1"), (0, "1"))
    trace = after_answer(game, 2)
    assert [(one.counter.name, one.owner) for one in step_of(trace, "add 1 to taken").counts] == [("taken", 0)]
    assert len(step_of(trace, "{seat} has many.").lines) == 1


def test_shuffled_pieces_have_not_moved() -> None:
    step = step_of(after_answer(counting(), -1), "shuffle heap")
    assert step.shuffled and not step.moves


def test_an_answer_under_seal_shows_its_sentence() -> None:
    game = Game.start(library.load(str(GAMES / "goofspiel.yaml")), PEOPLE[:2], seed=1)
    game.answer(0, [game.decisions()[0].choices[0].key])
    trace = after_answer(game, 0)
    assert texts(trace) == ["choose 1 from hand into offer"] and not trace.steps[0].changes


def test_a_phase_that_begins_is_a_step() -> None:
    trace = after_answer(counting(), -1)
    phase = trace.steps[texts(trace).index("")]
    assert trace.program.program.texts[phase.lines[0][0]].of_phase


def test_random_choices_are_not_drawn_again() -> None:
    """A sentence that draws lots is shown without drawing again."""
    rules = library.from_text(
        COUNTING.replace("move top 1 of heap to hand of seats", "each seat by random: shuffle heap")
    )
    game = Game.start(rules, PEOPLE[:2], seed=1)
    assert after_answer(game, -1).last == game.state


def test_the_last_move_of_a_piece_is_found_after_later_answers() -> None:
    game = counting((0, "1"), (1, "2"))
    first = next(space for space in game.program.layout.zones if (space.name, space.owner) == ("hand", 0))
    last_move = moved_last(game, game.state[first.address][0])
    assert last_move is not None
    number, trace, step = last_move
    assert (number, trace.program.sentences[step.sentence].text) == (0, "move top wanted of heap to hand")
    assert moved_last(game, game.state[game.program.layout.zones[0].address][0]) is None


def test_the_last_change_of_a_counter_is_found() -> None:
    last_change = counted_last(game := counting((0, "2"), (1, "1"), (0, "1")), "taken", 0)
    assert last_change is not None and last_change[0] == 2
    assert counted_last(game, "taken", 1) is None


@pytest.mark.rotating(2)
def test_endless_rules_are_traced_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence_trace, "MAX_STATEMENTS", 3 * sentence_trace.MAX_STEPS)
    text = COUNTING.replace("move top 1 of heap to hand of seats", "repeat while yes:\n        - shuffle heap")
    rules = library.from_text(text)
    machine, followed = rules.traced_machine(2)
    trace = sentence_trace._run(machine, followed, machine.new(1), -1)
    assert "without asking" in trace.error
    assert len(trace.steps) == sentence_trace.MAX_STEPS and trace.done == 3 * sentence_trace.MAX_STEPS
    assert trace.steps[-1].number == trace.done - 1


def test_a_game_between_decisions_shows_the_table_and_asks_nobody() -> None:
    game = counting((0, "2"))
    step = step_of(after_answer(game, 0), "move top wanted of heap to hand")
    before, after = (
        game.with_history(game.history.with_state(state, between=True)) for state in (step.before, step.after)
    )
    assert [one.view(0).zone("hand", 0).count for one in (before, after)] == [0, 2]
    assert not after.decisions() and not after.over
    assert game.decisions()
