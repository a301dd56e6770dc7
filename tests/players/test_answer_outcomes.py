"""Previews of answers: certain effects come true, hidden state changes nothing, and estimates are marked as such."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.players.answer_outcomes import COUNTER, FEWER, MORE, AnswerOutcome, OutcomeChange, OutcomeFinder
from rulewright.players.choice_grouping import SeatCandidates
from rulewright.players.hidden_access import AccessMonitor, HiddenRead, MonitoredState
from rulewright.publish import outcome_texts
from rulewright.publish.labels import Labels
from rulewright.runtime.information_state import determinize, information_state
from rulewright.runtime.position import ZoneContent, build
from small_games.digging import DIGGING
from whole_games import EDITIONS, NAMES, Table, positions, tables

FAIR = """\
rulewright: 1
title: Fair
players: 2
pieces:
  ball: {has: {size: 1 to 3}, copies: [3, 2, 1], starts in: bag, noun: "ball of {size}"}
  ticket: {copies: 6, starts in: booth}
zones:
  bag: {holds: ball, seen by: nobody, pile: yes}
  booth: {seen by: all}
  pouch: {of: seat, holds: [ball, ticket], seen by: owner}
  bin: {seen by: all, holds: [ball, ticket]}
counters:
  seat: {money: 5, calls: 0}
setup:
  do:
    - shuffle bag
    - each seat: move first 2 of booth to pouch
phases:
  stroll:
    do:
      - each seat: do visit
      - each seat: do shout
      - end game
    steps:
      visit:
        do:
          - choose one as stall:
              ask: Where to?
              none: Nowhere.
              among:
                draw: {text: Draw., do: [take 2 from money, move top 2 of bag to pouch]}
                luck: {text: Try your luck., do: [do bet]}
                swap: {text: Give tickets., if: any ticket in pouch, do: [do give]}
      bet:
        do:
          - take 1 from money
          - move top 1 of bag to bin
          - if any ball in bin has (size is 3): add 9 to money
      give:
        do:
          - choose 1 to 2 from tickets in pouch into bin: {ask: Which tickets?}
          - add 3 to money
      shout:
        do:
          - choose number from 0 to 3 as loudness: {ask: How loud?}
          - take loudness from money
scoring:
  money: {points: money}
ranking: highest score
"""


def game_of(text: str, people: int = 2, seed: int = 1) -> Game:
    return Game.start(library.from_text(text, "fair"), NAMES[:people], {}, seed)


def outcomes(game: Game, seat: int = 0) -> dict[str, AnswerOutcome]:
    return outcome_texts.outcomes_by_key(game, seat)


def leading(kind: str, name: str, low: int, high: int | None = None) -> OutcomeChange:
    return OutcomeChange(kind, name, (), low, low if high is None else high)


def test_payments_and_numbers_of_drawn_cards_are_certain() -> None:
    draw = outcomes(game_of(FAIR))["draw"]
    assert leading(COUNTER, "money", -2) in draw.certain
    assert OutcomeChange(MORE, "", ("ball",), 2, 2) in draw.certain
    assert not draw.likely


def test_outcomes_that_depend_on_hidden_state_are_estimated_ranges() -> None:
    rng = outcomes(game_of(FAIR))["luck"]
    assert rng.tries > 1
    assert leading(COUNTER, "money", -1, 8) in rng.likely
    assert not any(lead.kind == COUNTER for lead in rng.certain)


def test_further_choices_of_the_seat_belong_to_the_answer() -> None:
    swap = outcomes(game_of(FAIR))["swap"]
    assert leading(COUNTER, "money", 3) in swap.certain
    assert OutcomeChange(FEWER, "", ("ticket",), 1, 2) in swap.certain


def test_chosen_numbers_show_their_cost() -> None:
    game = game_of(FAIR)
    for seat in (0, 1):
        game.answer(seat, [])
    result = outcomes(game)
    assert [result[str(number)].certain for number in (0, 3)] == [(), (leading(COUNTER, "money", -3),)]
    text = outcome_texts.outcome_texts(Labels(game), 0, result["3"])
    assert text.texts == ("money −3 (2 left)",)


def test_what_does_not_help_to_choose_is_left_out() -> None:
    """Such things are what an entry of a menu says itself, what answers share, and guesses of a range."""
    game = game_of(FAIR)

    def telling(results: dict[str, AnswerOutcome]) -> list[tuple[OutcomeChange, ...]]:
        decision = game.decision(0)
        assert decision is not None
        telling_ones = outcome_texts.telling_outcomes(Labels(game), decision, results)
        return [(*one.certain, *one.likely) for one in telling_ones.values()]

    assert not any(telling(outcomes(game)))
    for seat in (0, 1):
        game.answer(seat, [])
    assert telling(outcomes(game)) == [(), *((leading(COUNTER, "money", -number),) for number in (1, 2, 3))]
    shared, guess, number = leading(COUNTER, "calls", 5), leading(COUNTER, "money", -1, 8), leading(COUNTER, "calls", 3)
    assert telling({key: AnswerOutcome((shared,), (guess,)) for key in "12"}) == [(), ()]
    assert telling({"1": AnswerOutcome((number, shared)), "3": AnswerOutcome((number, shared))}) == [(number,), ()]


def test_a_bid_that_cannot_be_paid_is_noticed() -> None:
    rules = EDITIONS["wild-cards/2022"]
    machine = rules.machine(4)
    hands: list[Sequence[str]] = [
        ["forest 4", "forest 1", "forest 3", "refill card"],
        ["savannah 1", "savannah 2", "savannah 3", "mountain 1"],
        ["mountain 3", "mountain 1", "savannah 1", "refill card"],
        ["mountain 2", "mountain 1", "mountain 3", "savannah 1"],
    ]
    zones = {("hand", seat): ZoneContent(tuple(hand)) for seat, hand in enumerate(hands)}
    zones |= {("display", -1): ZoneContent(("ibex", "lion", "eagle")), ("front", 3): ZoneContent(("Talisman",))}
    state = build(machine, 1, [None] * 4, {}, phase="place bids", zones=zones, counters={})
    game = Game(rules, NAMES[:4], [None] * 4, {}, 1, state)
    result = outcomes(game)
    assert [key for key, outcome in result.items() if outcome.done] == ["forest 4"]
    text = outcome_texts.outcome_texts(Labels(game), 0, result["forest 4"])
    assert text.perhaps == (
        "you decide nothing more this round: Ada passed, 1 card short of the cost, and drew 2 habitat cards.",
    )
    assert "8 tries" in outcome_texts.uncertainty_note(Labels(game), list(result.values()))


@pytest.mark.rotating(3)
def test_a_card_without_effect_is_idle() -> None:
    """Two of the cards cannot be used at the second turn of this game."""
    game = Game.start(EDITIONS["wildlife/2002"], NAMES[:3], {}, 1)
    rng = random.Random(1)
    for decision, _ in positions(game, rng):
        if decision.id == "play a card.table":
            result = outcomes(game, decision.seat)
            idle = {key for key, outcome in result.items() if outcome.idle}
            assert idle < result.keys()
            for key in idle:
                reason = outcome_texts.outcome_texts(Labels(game), decision.seat, result[key]).reason
                assert "could not use the" in reason
                later = game.copy()
                later.answer(decision.seat, [key])
                again = later.decision(decision.seat)
                assert again is not None and again.id == "have a turn.action"
                assert later.log.lines(decision.seat)[-1].text == reason
            return


def test_a_reason_for_no_effect_is_given_if_it_always_holds() -> None:
    """Reasons that depend on hidden state, or that only repeat the answer, are not given."""
    game = game_of(DIGGING, 1)
    result = outcomes(game)
    assert [outcome.idle for outcome in result.values()] == [False, *[True] * 5, False]
    reasons = {key: outcome_texts.outcome_texts(Labels(game), 0, outcome).reason for key, outcome in result.items()}
    assert list(reasons.values()) == ["", "Ada broke the tool 2 after 5 days.", "", "", "Ada met water.", "", ""]
    neighbour = outcome_texts.preview_texts(Labels(game), 0)
    assert neighbour["tool 2"] == ("nothing comes of it: Ada broke the tool 2 after 5 days.",)
    assert neighbour["tool 4"] == ("≈ nothing comes of it",)
    assert neighbour["tool 5"] == ("≈ nothing comes of it: Ada met water.",)


def watched() -> MonitoredState:
    result = MonitoredState([0] * 20 + [(4, 5)], frozenset({3, 20}), AccessMonitor())
    result.monitor.start()
    return result


@pytest.mark.parametrize(
    "look",
    [
        lambda s: s[3],
        lambda s: list(s[20]),
        lambda s: s[20][0],
        lambda s: 4 in s[20],
        lambda s: s[20] == (4, 5),
        lambda s: [*s[20]],
        lambda s: sorted(s[20] + (1,)),
        lambda s: sum((1, *s[20])),
        lambda s: {*s[20][1:]},
        lambda s: hash(s[20]),
        lambda s: [1] + s[20],
    ],
)
def test_every_read_of_hidden_state_is_noticed(look: Callable[[object], object]) -> None:
    with pytest.raises(HiddenRead):
        look(watched())


def test_numbers_of_pieces_are_no_secret() -> None:
    s = watched()
    assert (len(s[20]), bool(s[20]), len(s[20][:-1]), s[4]) == (2, True, 1, 0)
    assert not s.monitor.was_read


@pytest.mark.rotating(3)
@few(25)
@given(tables(), st.integers(0, 2**32))
def test_certain_outcomes_come_true(table: Table, seed: int) -> None:
    """The counters and zones change as predicted until another seat is asked, in every sampled state."""
    game, rng = table.start()
    chance = random.Random(seed)
    for number, _ in enumerate(positions(game, rng)):
        if number > 40:
            break
        if chance.random() > 0.2:
            continue
        for seat, _ in game.pending.ids[:1]:
            check(game, seat, chance)


def check(game: Game, seat: int, chance: random.Random) -> None:
    known, question = game.known(seat)
    answers = outcome_texts.answers_to_preview(game, known, question)
    result = OutcomeFinder(game.rules.edition, game.machine, known, seat).outcomes(question, list(answers.values()))
    counters = {c.name: c.address + seat for c in game.program.layout.counters}
    for keys, outcome in zip(answers.values(), result, strict=True):
        state = game.state if chance.random() < 0.5 else determinize(game.machine, known, seat, chance)
        mine = next((one for one in game.machine.open_decisions(state) if one.seat == seat), None)
        if mine is None or outcome.tries or not (exact := [one for one in outcome.certain if one.low == one.high]):
            continue
        options = SeatCandidates(game.machine, seat).choices(state, mine)
        after = list(state)
        game.machine.answer(after, mine, [options[key][0] for key in keys])
        then = game.machine.run(after)
        if len(then) == 1 and then[0].seat == seat:
            continue  # it has more to choose, on which this may hang
        for lead in exact:
            if lead.kind == COUNTER and after[0] != -1:
                assert after[counters[lead.name]] - state[counters[lead.name]] == lead.low or later_phase(state, after)


def later_phase(before: list[object], after: list[object]) -> bool:
    """Outcomes end with the phase."""
    return before[3:5] != after[3:5]


@few(20)
@given(tables(), st.integers(0, 2**32))
def test_hidden_state_does_not_change_outcomes(table: Table, seed: int) -> None:
    game, rng = table.start()
    chance = random.Random(seed)
    for number, _ in enumerate(positions(game, rng)):
        if number > 30:
            break
        if chance.random() > 0.1:
            continue
        seat = game.pending.ids[0][0]
        known, question = game.known(seat)
        answers = list(outcome_texts.answers_to_preview(game, known, question).values())
        other = information_state(game.machine, determinize(game.machine, known, seat, chance), seat)
        if answers:
            tried = [
                OutcomeFinder(game.rules.edition, game.machine, one, seat).outcomes(question, answers)
                for one in (known, other)
            ]
            assert tried[0] == tried[1]


MIDWAY = """\
rulewright: 1
title: Midway
players: 2
pieces: {card: {has: {value: 1 to 9}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: nobody, pile: yes}, hand: {of: seat, seen by: owner}}
setup: {do: [shuffle deck, each seat: move top 2 of deck to hand]}
counters: {seat: {gold: 0}}
scoring: {influence: {points: number of hand}, gold: {points: gold}}
phases:
  play:
    do:
      - each seat:
          - choose one as plan:
              ask: What do you do?
              among:
                exchange:
                  text: Draw two cards and put two back.
                  do: [FIRSTmove top 2 of deck to hand, SECOND{choose 2 from hand into deck: {ask: "Which two?"}}]
                earn:
                  text: Earn 3.
                  do: [{all opponents at once: [may: {ask: "Do you object?", do: [log: No!]}]}, add 3 to gold]
                rest: {text: Rest., do: []}
      - end game
"""
OBJECTION = '{all opponents at once: [may: {ask: "Do you object?", do: [log: No!]}]}, '


@pytest.mark.parametrize("first, second", [(OBJECTION, ""), ("", OBJECTION)])
def test_outcomes_are_not_cut_off_by_decisions_of_others(first: str, second: str) -> None:
    """Two cards are drawn and two put back: the preview shows no gain, whoever answers in between."""
    result = outcomes(game_of(MIDWAY.replace("FIRST", first).replace("SECOND", second)))
    assert result["exchange"].certain == result["exchange"].likely == result["exchange"].declined == ()
    assert result["earn"].declined


DOORS = """\
rulewright: 1
title: Doors
players: 2
words: {door: {left: {}, middle: {}, right: {}}}
pieces: {card: {has: {size: 1 to 2}, copies: 1, starts in: box, noun: "card of {size}"}}
zones: {box: {seen by: nobody, pile: yes}}
counters: {game: {height: 0}}
setup: {do: [shuffle box]}
phases:
  go:
    do:
      - each seat:
          - choose 1 from doors as way: {ask: Which way?}
          - if way is middle: [log: The middle is open.]
          - if way is left or way is middle or (any card in top 1 of box has (size is 1)):
              - choose number from 1 to 2 as steps: {ask: How far?}
"""


def test_an_answer_is_a_pick_only_where_nothing_hidden_decides_what_follows() -> None:
    for seed in range(4):  # whatever card lies on top
        outcomes = outcome_texts.outcomes_by_key(game_of(DOORS, seed=seed), 0)
        assert [key for key, outcome in outcomes.items() if outcome.pick] == ["left"]
