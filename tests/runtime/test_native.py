"""The native module plays the same games as the machine: state by state, error by error, from any point on."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import chain
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from wasmtime import Trap

from example_counts import few, one_in
from machines import GAMES, choices_of, on_to_the_end, same_game, table_top, tables, tried
from rulewright.game import library
from rulewright.game.library import Rules
from rulewright.program.blocks import Nest, Node, flatten
from rulewright.program.decision_pipeline import decision_blocks
from rulewright.program.form import Program, Setting
from rulewright.program.instructions import IN_BULK, OPERANDS
from rulewright.program.rollout_pipeline import rollout_blocks, whole_game_blocks
from rulewright.program.state_layout import FUEL, RANDOM
from rulewright.runtime import native
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import Fallback, unchecked_calls
from rulewright.runtime.native.assembler import Module
from rulewright.runtime.native.engine import Instance
from rulewright.runtime.native.library_calls import Library
from rulewright.runtime.native.library_object import SymbolPlace
from rulewright.runtime.native.library_object import library as library_functions
from rulewright.runtime.native.meanings import check
from rulewright.runtime.native.vectors import Vectors
from rulewright.runtime.native.webassembly import I32, I64, Address, Items
from rulewright.runtime.operations import VALUE_OPERATIONS, RuleError
from rulewright.runtime.rng import batch, fractions, seeded, shuffled
from rulewright.runtime.state import State, clone
from small_games.bank import STOPPED
from whole_games import EDITIONS, LONG

pytest.importorskip("wasmtime")


@cache
def executors(rules: Rules, seats: int) -> tuple[Machine, native.Native]:
    machine = rules.machine(seats)
    return machine, native.Native(machine.program, range(len(machine.program.functions)))


@cache
def stand_in_for(rules: Rules, seats: int) -> Fallback:
    return Fallback(rules.machine(seats).program, "")


def call_function(executor: Machine | native.Native, function: int, s: State, seat: int) -> Any:
    """Return the vectors of a function's results, or the error's text."""
    results = tried(executor.call, function, clone(s), seat)
    return results if isinstance(results, str) else [list(vector) for vector in results]


def ended(top: Callable[[State], Any], play: Callable[..., Any], s: State, *arguments: Any) -> Any:
    """Return the table when a game has been played out, or the error."""
    error = tried(play, s, *arguments)
    return error if isinstance(error, str) else top(s)


@few(60)
@given(tables(), st.integers(0, 2**64 - 1))
def test_states_are_the_same_at_every_decision(table: tuple[Rules, int, Setting], seed: int) -> None:
    rules, seats, setting = table
    machine, other = executors(rules, seats)
    s = machine.new(seed, setting.roles, setting.options)
    same_game(machine, other, s, random.Random(seed).random, 200)
    for function in range(len(machine.program.functions)):
        for seat in range(seats):
            assert call_function(other, function, s, seat) == call_function(machine, function, s, seat)


@few(60)
@given(tables(to_the_end=True), st.integers(0, 2**64 - 1), st.integers(0, 60), st.integers(-(2**63), 2**64))
def test_a_game_can_be_handed_over_at_any_decision(
    table: tuple[Rules, int, Setting], seed: int, decisions: int, answers: int
) -> None:
    rules, seats, setting = table
    machine, other = executors(rules, seats)
    s = machine.new(seed, setting.roles, setting.options)
    on_to_the_end(machine, s, random.Random(seed).random, decisions)
    ends = [
        ended(lambda s: table_top(machine, s), play, clone(s), *arguments)
        for play, arguments in ((machine.play_out, (fractions(answers),)), (other.play_out, (answers,)))
    ]
    assert ends[0] == ends[1]
    back = clone(s)
    other.run(back)
    assert back == s


@few(40)
@given(tables(), st.integers(0, 2**64 - 1), st.integers(0, 30))
def test_states_are_played_step_by_step(table: tuple[Rules, int, Setting], seed: int, decisions: int) -> None:
    """Decisions, answers, read cells and rollouts are those of the machine. The memory of players is left out: native
    code is asked nothing that depends on it."""
    rules, seats, setting = table
    machine, other = executors(rules, seats)
    assume(machine.program.layout.memory < 0)
    stand_in, chance = stand_in_for(rules, seats), random.Random(seed).random
    s = machine.new(seed, setting.roles, setting.options)
    on_to_the_end(machine, s, chance, decisions)
    if isinstance(tried(machine.run, s), str):
        return
    rng = seeded(seed)
    packed = other.pack(s), stand_in.pack(s)
    glances: dict[tuple[int, bool, int], int] = {}

    def took_up() -> None:
        other.load_state(packed[0], rng)
        stand_in.load_state(packed[1], rng)

    def same() -> State:
        s, t = other.memory.unpack(other.state_copy()), stand_in.cells
        s[FUEL] = t[FUEL]
        assert s == t
        for seat in range(seats):
            for openly in (False, True):
                previous = stand_in.view_hash(seat, openly)
                glance = other.view_hash(seat, openly)
                assert glances.setdefault((seat, openly, previous), glance) == glance
        return t

    took_up()
    open_ = machine.open_decisions(same())
    for _ in range(8):
        if not open_:
            break
        decision = open_.pop(0)
        answer = machine.random_answer(stand_in.cells, decision, chance)
        other.answer(decision, answer)
        stand_in.answer(decision, answer)
        result, known = tried(other.resume), tried(stand_in.resume)
        assert choices_of(result) == choices_of(known)
        if isinstance(known, str):
            return
        open_ += known
        same()
    different = {(seat, openly, glance) for (seat, openly, _), glance in glances.items()}
    assert len(different) == len(glances), "what looks different has a number of its own"
    assert tried(other.play_on, seed, 5) == tried(stand_in.play_on, seed, 5)
    took_up()
    same()
    for most in (0, 3):
        assert tried(other.play_on, seed, most) == tried(stand_in.play_on, seed, most)
        took_up()


@pytest.mark.parametrize("name", one_in(5, GAMES))
def test_documented_examples_and_editions_are_the_same_games(name: str) -> None:
    rules = GAMES[name]
    for seats in {rules.edition.seats[0], rules.edition.seats[1]}:
        machine, other = executors(rules, seats)
        same_game(machine, other, machine.new(seats), random.Random(seats).random, 60)
        new, seeds = machine.new(0), range(seats, seats + (1 if name in LONG else 3))
        bulk, stand_in = native.Bulk(machine.program), stand_in_for(rules, seats)
        assert [*tried(bulk.games, new, seeds)] == [*tried(stand_in.games, new, seeds)]


@pytest.mark.parametrize("name", one_in(6, sorted(EDITIONS)))
def test_games_in_bulk_equal_those_of_the_machine(name: str) -> None:
    rules = EDITIONS[name]
    seats = rules.edition.seats[0]
    machine, other = executors(rules, seats)
    stand_in = stand_in_for(rules, seats)
    new = machine.new(0)
    assert list(other.games(new, range(5, 12))) == list(stand_in.games(new, range(5, 12)))
    on_to_the_end(machine, new, random.Random(name).random, 5)
    for seed, most in ((2**64 - 1, None), (2**64, None), (3, 0), (4, 1), (5, 7)):
        packed, stood_in = other.pack(new), stand_in.pack(new)
        other.load_state(packed, seeded(seed))
        stand_in.load_state(stood_in, seeded(seed))
        played = other.play_on(seed, most)
        assert played == stand_in.play_on(seed, most)
        other.load_state(packed, seeded(seed))
        stand_in.load_state(stood_in, seeded(seed))
        assert other.play_on_often(seed, most, 3) == stand_in.play_on_often(seed, most, 3)
        assert most is None or played.decisions <= most


@few(40)
@given(tables(to_the_end=True), st.integers(-(2**63), 2**64))
def test_whole_games_equal_those_of_the_machine(table: tuple[Rules, int, Setting], seed: int) -> None:
    rules, seats, setting = table
    machine, other = executors(rules, seats)
    new, seeds = machine.new(0, setting.roles, setting.options), range(seed, seed + 3)
    games = [tried(executor.games, new, seeds) for executor in (other, stand_in_for(rules, seats))]
    if isinstance(games[1], str):
        assert games[0] == games[1]
    else:
        assert list(games[0]) == list(games[1])


SET_UP = """\
rulewright: 1
title: Set-up
players: 2
pieces:
  card: {{has: {{value: 1 to 12}}, starts in: deck, noun: "card of {{value}}"}}
  chip: {{has: {{worth: 1 to 12}}, starts in: box, noun: "chip of {{worth}}"}}
zones:
  deck: {{seen by: nobody, pile: yes}}
  box: {{seen by: nobody, pile: yes}}
  used: {{seen by: nobody, pile: yes}}
  hand: {{of: seat, holds: [card, chip], seen by: owner}}
setup:
  text: Shuffle, and take something.
  do:
{steps}
phases:
  play:
    do:
      - each seat:
          - choose 1 from hand as given: {{ask: What?}}
          - move given to used
      - if number of used is more than 3: end game
scoring:
  cards: {{points: total value of cards in hand}}
  chips: {{points: total worth of chips in hand}}
ranking: highest score
"""


@pytest.mark.parametrize(
    "steps, same",
    [
        (["shuffle deck", "each seat: [move top 3 of box to hand]", "shuffle box"], True),
        (["shuffle deck", "each seat: [move top 3 of deck to hand]"], False),
        (["shuffle deck", "shuffle box", "each seat: [move top 3 of deck to hand]"], False),
        (["shuffle deck", "move deck to used", "each seat: [move top 3 of box to hand]"], False),
        (["choose at random 1 from chips in box as lucky", "each seat: [move top 3 of box to hand]"], False),
    ],
)
def test_the_common_beginning_of_games_runs_once(steps: list[str], same: bool) -> None:
    rules = library.from_text(SET_UP.format(steps="\n".join(f"    - {step}" for step in steps)))
    machine, other = executors(rules, 2)
    program = machine.program
    last = whole_game_blocks(program)[program.start][-1]
    assert (isinstance(last, tuple) and last[0] == "wait") is same
    new, seeds = machine.new(0), range(100, 120)
    assert list(other.games(new, seeds)) == list(Fallback(program, "").games(new, seeds))


UNUSED_WORD = """\
rulewright: 1
title: Unused word
players: 2
words:
  colour: {red: , green: }
  fruit: {apple: {colour: red}, plum: {colour: red}}
phases:
  play:
    do:
      - each seat: [choose 1 from colours as shade, choose 1 from fruits in green as fruit]
      - end game
"""


def test_a_word_that_nothing_has_gives_an_empty_set() -> None:
    machine, other = executors(library.from_text(UNUSED_WORD), 2)
    same_game(machine, other, machine.new(1), random.Random(1).random, 30)


FIVE_CALLS = """\
rulewright: 1
title: Five calls
players: 2
pieces: {card: {has: {value: 1 to 20}, starts in: deck, noun: "{value}"}}
zones: {deck: {seen by: all}, hand: {of: seat, seen by: all}}
phases:
  play:
    do: [each seat: [do draft, do draft, do draft, do draft, do draft], end game]
    steps: {draft: [choose 1 from deck into hand]}
"""
HEARTS = """\
rulewright: 1
title: Hearts
players: 4
words:
  suit: {clubs: , diamonds: , spades: , hearts: }
pieces:
  card: {has: {suit: suit, rank: 2 to 14}, starts in: deck, noun: "{suit} {rank}"}
zones:
  deck: {seen by: nobody, pile: yes}
  hand: {of: seat, seen by: owner}
  passed: {of: seat, seen by: owner}
  played: {of: seat, seen by: all}
  taken: {of: seat, seen by: nobody, pile: yes, noun: cards taken}
counters:
  game: {leader: seat, led: suit, deals: 0}
  seat: {penalty: 0}
terms:
  seat:
    playable: {for: {chosen: card}, is: led is nothing or chosen's suit is led or no card in hand has (suit is led)}
    strength: total rank of played where suit is led
    hurt: number of taken where suit is hearts + 13 * number of taken where (suit is spades and rank is 12)
phases:
  deal:
    do:
      - shuffle deck
      - each seat: move top 13 of deck to hand
      - all seats at once: [choose 3 from hand into passed]
      - each seat:
          - let neighbour be left of you
          - as neighbour: [move passed to hand]
  play:
    do:
      - each seat: [if any card in hand has (suit is clubs and rank is 2): set leader to you]
      - set led to clubs
      - as leader: do play a card
      - do follow
      - repeat 12 times: [set led to nothing, as leader: do play a card, do follow]
      - each seat: [add hurt to penalty, move taken to deck]
      - add 1 to deals
      - if deals is 2: end game
    steps:
      follow:
        - let second be left of leader
        - as second: do play a card
        - let third be left of second
        - as third: do play a card
        - let fourth be left of third
        - as fourth: do play a card
        - set leader to seats with highest strength
        - each seat: move played to leader's taken
      play a card:
        - choose 1 from hand where playable for it into played
        - if led is nothing: [let card on table be first 1 of played, set led to card on table's suit]
scoring:
  penalty: {points: penalty}
ranking: lowest score
"""


@pytest.mark.parametrize("text", [FIVE_CALLS, HEARTS], ids=["five calls", "hearts"])
def test_asking_steps_can_be_run_from_many_places(text: str) -> None:
    machine, other = executors(library.from_text(text), 4 if text is HEARTS else 2)
    program = machine.program
    for blocks in (decision_blocks(program), whole_game_blocks(program), rollout_blocks(program)):
        code = [instruction for body in blocks.values() for instruction in flatten(body)]
        assert {int(i[-1]) for i in code if "L" in OPERANDS[str(i[0])]} <= blocks.keys()
    same_game(machine, other, machine.new(1), random.Random(1).random, 30)
    new, seeds = machine.new(0), range(100, 110)
    assert list(other.games(new, seeds)) == list(Fallback(program, "").games(new, seeds))


AGAIN = """\
rulewright: 1
title: Again
players: 2
counters: {{seat: {{coins: 0}}, game: {{asked: 0}}}}
setup: {{do: {setup}}}
phases:
  play: {{do: [{play}, end game], steps: {{pay: [{ask}]}}}}
scoring: {{coins: {{points: coins}}}}
"""
AGAIN_AND_AGAIN = {
    "in a phase": ("[]", "{repeat 2 times: [{each seat: [{ASK}, add 1 to asked]}]}", 4),
    "in setup": ("[{repeat 3 times: [{each seat: [{ASK}, add 1 to asked]}]}]", "add 0 to asked", 6),
    "at once": ("[]", "{repeat 2 times: [{all seats at once: [{ASK}]}, add 2 to asked]}", 4),
    "going round": (
        "[]",
        "{repeat 2 times: [set asked to 0, {go round seats until asked is 3: [{ASK}, add 1 to asked]}]}",
        6,
    ),
    "nested": ("[]", "{repeat 2 times: [{repeat 3 times: [{each seat: [{ASK}, add 1 to asked]}]}]}", 12),
    "in a step": ("[]", "{repeat 2 times: [{each seat: [do pay, add 1 to asked]}]}", 4),
    "with one seat alone": (
        "[]",
        "let one be first 1 of seats, {as one: [{repeat 3 times: [{ASK}, add 1 to asked]}]}",
        3,
    ),
    "while": ("[]", "{repeat while asked is less than 5: [{each seat: [{ASK}, add 1 to asked]}]}", 6),
}
"""Loops that ask where there are no pieces: `setup` or a phase, with the number of questions."""


@pytest.mark.parametrize("setup, play, questions", AGAIN_AND_AGAIN.values(), ids=AGAIN_AND_AGAIN.keys())
def test_repeated_questions_without_pieces_end(setup: str, play: str, questions: int) -> None:
    ask = "{may: {ask: 'Again?', do: add 1 to coins}}"
    text = AGAIN.format(setup=setup.replace("{ASK}", ask), play=play.replace("{ASK}", ask), ask=ask)
    machine, other = executors(library.from_text(text), 2)
    same_game(machine, other, machine.new(1), random.Random(1).random, 50)
    new, seeds = machine.new(0), range(20)
    games = list(other.games(new, seeds))
    assert games == list(Fallback(machine.program, "").games(new, seeds))
    assert {(game.decisions, game.limited) for game in games} == {(questions, False)}


def test_more_games_than_one_call_can_play() -> None:
    _, other = executors(EDITIONS["goofspiel"], 2)
    machine = EDITIONS["goofspiel"].machine(2)
    many = list(other.games(machine.new(0), range(2500)))
    assert len(many) == 2500
    assert many[2400:] == list(other.games(machine.new(0), range(2400, 2500)))


# ── errors ──


@pytest.mark.parametrize("message, text", STOPPED.values(), ids=STOPPED.keys())
def test_errors_are_the_same(message: str, text: str) -> None:
    rules = library.from_text(text)
    machine, other = executors(rules, rules.edition.seats[0])
    s = machine.new(1)
    same_game(machine, other, clone(s), random.Random(1).random, 20)
    if "never" not in message:  # that takes the machine too long where it plays on by itself
        ends = [
            ended(lambda s: table_top(machine, s), play, clone(s), *arguments)
            for play, arguments in ((machine.play_out, (fractions(1),)), (other.play_out, (1,)))
        ]
        assert ends[0] == ends[1]


def test_endless_game_ends_in_bulk_too() -> None:
    rules = library.from_text(STOPPED["endless phases"][1])
    machine, other = executors(rules, rules.edition.seats[0])
    with pytest.raises(RuleError, match="never come to an end in 'play'"):
        other.games(machine.new(1), range(3))


# ── everything is covered ──

# Its text has what an expression can be, worked out for every seat at every decision, with much or nothing there.
EXPRESSIONS = """\
rulewright: 1
title: Expressions
players: 2 to 3
text: >-
  {neighbours of b1} {neighbours of held} {held connected to a1} {spaces connected to held}
  {held in neighbours of b1} {spaces in upland} {cards in middle} {spaces of row plus spaces of cards in spaces}
  {regions of held} {regions of spaces of cards in spaces} {colours of row} {owners of cards} {regions where full}
  {row plus deck} {row plus cards where value is 2} {opponents plus you}
  {row where colour is favourite} {row where value is more than 1 with highest value} {cards with lowest value}
  {top 2 of deck} {bottom gold of deck} {first 1 of row} {last (gold - 1) of front} {group 1 of row by colour}
  {group 2 of cards by value} {group gold of deck by colour} {left of you} {next of seats after you}
  {next of (seats where gold is 9) after you} {worth} {number of row * -3} {gold - 7 * number of front}
  {gold / 2 rounded up} {gold / -2 rounded down} {-7 / gold rounded up} {(3 - gold) / 2 rounded down}
  {total value of row} {total gold of seats} {highest value among row} {lowest value among row}
  {lowest gold among opponents} {highest of (gold, 2, number of row)} {lowest of (gold, 2)}
  {longest run of value among row} {longest run of gold among seats} {cards worth for red} {best}
words:
  colour: {red: {}, blue: {}, green: {}}
  ware: {wood: {}, clay: {}, ore: {}}
  works:
    barn: {price: {wood: 2, otherwise: 1}, yield: {wood: -1, clay: 3, ore: 0}}
    mine: {price: {clay: 2, otherwise: 0}, yield: {wood: 1, clay: 0, ore: 2}}
  region: {upland: {}, middle: {}, lowland: {}}
sides: colour
boards:
  island:
    of: space
    neighbours: diagonal
    directions: direction
    map: |
      nne
      n.e
      sss
    legend: {n: {region: upland}, e: {region: middle}, s: {region: lowland}}
pieces:
  card: {has: {colour: colour, value: 1 to 3}, copies: 2, starts in: deck, noun: "{colour} {value}"}
  coin: {copies: 4, starts in: deck}
zones:
  deck: {seen by: nobody, pile: yes, refills from: row}
  row: {seen by: all}
  front: {of: seat, seen by: all, at most: 5, counting: card}
  ground: {of: space, seen by: all, at most: 2}
counters:
  card: {wear: 1, worn: no, liking: colour}
  coin: {wear: 2}
  game:
    favourite: colour
    way: direction
    past: {list of: number, at most: 5}
    wished: {list of: colour, at most: 7}
  seat: {gold: 1, share: -0.5, goods: {for: ware, starts at: {wood: 1}}, owns: {for: works, starts at: no}}
  region: {stock: {for: ware}}
terms:
  card: {rest: value - wear, around: neighbours of its space}
  coin: {rest: wear + 1}
  game:
    pair: {for: {those: pieces}, is: number of those is 2 and number of group 1 of those by value is number of those}
    meld:
      for: {those: pieces}
      is: pair for those or number of colours of those is at most 1 and longest run of value among those is 3
    sum: {for: {those: cards}, is: total value of those is 4 and every those has (value is less than 4)}
    held: spaces where ground is not empty
    best: row with highest value
    near: {by: favourite, red: held, "blue, green": neighbours of held, otherwise: a1}
    wares left: total goods of seats - barn's price * 2
    chosen: {for: {kind: colour}, by: kind, red: row, favourite: deck, otherwise: nothing}
    ally: {by: number of row, "0, 1": nobody, otherwise: first 1 of seats with highest gold}
  region: {full: every space in it has (ground is not empty)}
  seat:
    worth: total value of front
    cards worth: {for: {kind: colour}, is: total value of front where colour is kind}
    dear: {for: {kind: colour, least: number}, is: front where (colour is kind and value is at least least)}
setup:
  text: >-
    {number of group 1 of row by colour} {number of group 2 of row by value} {number of group 3 of front by value}
    {number of group 4 of row by value} {number of group gold of row by value}
    {north of held} {directions of b1} {way of spaces in lowland} {(east of held as far as possible)} {diagonal of a1}
    {(directions of held as far as ground is not empty)} {distance between a1 and c3} {longest line of held}
    {(directions of spaces as long as ground is empty up to region is lowland)} {longest line of spaces in lowland}
    {dear for (red, gold)} {remainder of gold / 3} {remainder of (gold - 7) / -2}
    {held in lines of 2} {longest line of held through a1} {my colour} {number of partners}
    {my cards in deck} {cards of opponents} {(cards where value is 2) in row}
    {near} {number of chosen for red} {chosen for favourite} {ally}
    {goods} {total yield of works} {wares left / 2 rounded up} {number of goods} {total goods for ore of seats}
    {position of held} {position of seats}
  do:
    - shuffle deck
    - each seat by random: move top 2 of deck to front
phases:
  play:
    text: >-
      {total wear of cards} {pieces where wear is 2} {cards where worn} {likings of cards} {highest rest among pieces}
      {total rest of (cards plus coins)} {around of cards in spaces} {pieces where liking is red}
      {number of melds in (first 6 of deck)} {any meld in row} {no sum in front} {front outside sums}
      {((first 3 of deck) plus front) outside melds leaving lowest rest}
      {gold * 0.5 - 1} {highest of (gold, 2.5)} {total share of seats} {share / 2 rounded up} {remainder of share / 2}
    do:
      - each seat:
          - choose up to 3 from deck as taken: {ask: Which?}
          - choose 2 or more from first 7 of row that make one meld as melded: {ask: Which?}
          - move taken to row
          - if number of melded is more than 2: move last 1 of melded to front
          - each taken as used:
              - add 1 to used's wear
              - if number of row is more than 4: set used's wear to 0
          - each card in taken as played: [set played's worn to yes, set played's liking to played's colour]
          - choose up to 1 from colours of row as liked: {ask: What?}
          - if number of liked is 1: set favourite to liked
          - choose 1 from spaces as here: {ask: Where?}
          - choose 1 from directions as way there: {ask: Which way?}
          - set way to way there
          - move first 2 of row to here's ground
          - set owns for barn to goods are at least barn's price
          - let income be total yield of (works where owns for it)
          - choose number from 1 to 3 as amount: {ask: How much?}
          - set gold to amount
          - set share to highest of (share, gold) * 3 - total share of seats + 0.25
          - if share is more than amount + 2: take (share - 1.5) * 1 from share
          - add income - mine's price to goods
          - if goods are empty or any works has (price is more than my goods): add 1 to goods for clay
          - add goods * amount to upland's stock
          - take 1 from lowland's stock
          - set way to way's opposite
          - add favourite to end of wished
          - add colours plus favourite to beginning of wished
          - sort wished by highest cards worth for it, random
          - take last 1 of wished as given up
          - add gold to beginning of past
          - add number of row to end of past
          - sort past by lowest it
          - if number of past is more than 3: set past to last 2 of past
          - add remainder of (highest it among past + number of given up) / 4 to gold
          - choose at random 1 from deck weighted by number of front as lucky
          - move lucky to front
          - move top 3 of deck to front
          - if number of row is more than 8: move row to deck
          - if front is not empty and row is not empty:
              - let mine be first 1 of front
              - let theirs be last 1 of row
              - swap mine with theirs
      - if deck is empty: end game
"""


EXPRESSION = library.from_text(EXPRESSIONS)


@pytest.mark.rotating(5)
@given(st.integers(0, 2**64 - 1), st.sampled_from([2, 3]))
def test_expressions_have_the_same_value(seed: int, seats: int) -> None:
    machine, other = executors(EXPRESSION, seats)
    chance = random.Random(seed).random
    s = machine.new(seed)
    for _ in range(8):
        s = same_game(machine, other, s, chance, 3)
        for function in range(len(machine.program.functions)):
            for seat in range(seats):
                assert call_function(other, function, s, seat) == call_function(machine, function, s, seat)


# Its board needs two words of bits; sets of its spaces are cut, spread and counted, and asked for as lists.
MEADOW = """\
rulewright: 1
title: Meadow
players: 2
text: >-
  {free} {taken} {reds} {blues} {around red} {meeting} {red inside} {blocked} {number of free} {last 3 of free}
  {reds connected to blues} {taken connected to meeting} {(free in neighbours of taken) in spaces in east}
  {fields of meeting} {roomy} {any stone in spaces in east has (colour is red)} {number of spaces in roomy}
  {longest line of reds} {spaces in fields where (number of stones in it is more than chosen)}
words:
  colour: {red: {}, blue: {}}
  field: {west: {}, east: {}, south: {}}
boards:
  meadow:
    of: space
    map: |
      wwwwww.eeeee
      wwwwwweeeeee
      wwwwwweeeeee
      wwwww.eeeeee
      wwwwwweeeeee
      wwwwwweeeeee
      ssssssssssss
      sssss..sssss
      ssssssssssss
      ssssssssssss
    legend: {w: {field: west}, e: {field: east}, s: {field: south}}
pieces:
  stone: {each: colour, copies: 40, starts in: pouch, noun: "{colour} stone"}
zones:
  pouch: {seen by: all}
  ground: {of: space, seen by: all, at most: 1}
counters:
  game: {chosen: 1, rounds: 0}
terms:
  game:
    free: spaces where ground is empty
    taken: spaces where ground is not empty
    reds: spaces of (stones in spaces where colour is red)
    blues: spaces of (stones in spaces where colour is blue)
    around red: neighbours of reds
    meeting: reds in neighbours of blues
    red inside: reds in spaces in (fields where roomy is not empty)
    blocked: spaces where (number of free in neighbours of it is 0)
    roomy: fields where (number of free in spaces in it is more than 5 * chosen)
phases:
  play:
    do:
      - each seat:
          - choose 1 from free as here: {ask: Where?}
          - choose 1 from pouch as picked: {ask: Which?}
          - if here is not empty: move picked to here's ground
          - choose up to 2 from free in neighbours of taken as two: {ask: Where?}
          - each two as spot: [move first 1 of pouch to spot's ground]
          - if number of meeting is more than 12: move stones in meeting to pouch
          - choose number from 1 to number of fields of taken as amount: {ask: How much?}
          - set chosen to amount
      - add 1 to rounds
      - if rounds is 12: end game
"""


@pytest.mark.rotating(2)
@few(20)
@given(st.integers(0, 2**64 - 1))
def test_sets_of_spaces_are_the_same(seed: int) -> None:
    machine, other = executors(meadow(), 2)
    chance = random.Random(seed).random
    s = machine.new(seed)
    for _ in range(5):
        s = same_game(machine, other, s, chance, 6)
        for function in range(len(machine.program.functions)):
            assert call_function(other, function, s, 0) == call_function(machine, function, s, 0)
    ends = [
        ended(partial(table_top, machine), play, machine.new(seed), *arguments)
        for play, arguments in ((machine.play_out, (fractions(seed),)), (other.play_out, (seed,)))
    ]
    assert ends[0] == ends[1]


@cache
def meadow() -> Rules:
    return library.from_text(MEADOW)


def test_every_instruction_is_compared() -> None:
    """Each stands in a program that the tests above run on both executors, and each is emitted."""
    missing = IN_BULK - {"else", "end"}
    short_first = reversed([*GAMES])  # which have nearly all of them
    stopped = (library.from_text(text) for _, text in STOPPED.values())
    for rules in chain([EXPRESSION], stopped, map(GAMES.__getitem__, short_first)):
        if not missing:
            break
        for seats in rules.edition.seat_counts():
            missing = missing - instructions(rules.machine(seats).program)
    assert missing == set()


def instructions(program: Program) -> set[str]:
    blocks = [*decision_blocks(program, telling=False).values(), *whole_game_blocks(program, emitted_text=0).values()]
    code = [i for body in blocks for i in flatten(body)] + [i for f in program.functions for i in f.code]
    return {str(instruction[0]) for instruction in code}


# ── the engine ──


@pytest.mark.parametrize("bindings", ["wasmtime._bindings", "json", "wasmtime.none"])
def test_functions_are_called_with_numbers_of_both_sizes(bindings: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of calling: ctypes, and wasmtime's own where that is missing."""
    monkeypatch.setattr(unchecked_calls, "BINDINGS", bindings)
    module = Module({})
    with module.function("difference", [I32, I64], I64) as f:
        f.return_value(f.parameter(I32, 0).get().extended() - f.parameter(I64, 1).get())
    with module.function("low", [I64], I32) as f:
        f.return_value(f.parameter(I64, 0).get().wrapped())
    with module.function("store") as f:
        f.add(Address(8).store(-7))
    with module.function("never") as f:
        f.unreachable()
    module.export("difference", "low", "store", "never")
    instance = Instance(module.binary(1))
    assert instance.call("difference", 3, 2**40) == 3 - 2**40
    assert instance.call("low", 2**40 - 5) == -5
    instance.call("store")
    assert instance.words[2] == -7
    with pytest.raises((RuntimeError, Trap)):
        instance.call("never")


# ── vectors ──


@pytest.mark.rotating(2)
def test_zones_are_copied_if_they_change_before_they_are_read() -> None:
    program = library.load("2022").machine(3).program
    read, moved, use = ("read", 0, program.layout.zones[0].address, 1), ("spill", 1, 3), ("length", 0, 0)

    def copied(*body: Node) -> bool:
        return Vectors(body, program.layout, program.tables).is_copied(0)

    assert not copied(read, use, moved)
    assert not copied(read, Nest(("if", 2), [moved], [use]))
    assert not copied(Nest(("loop",), [read, Nest(("if", 2), [use], [moved])]))
    assert copied(read, moved, use)
    assert copied(read, ("move_all", 0, 1, 1))
    assert copied(read, Nest(("if", 2), [moved, use]))
    assert copied(read, Nest(("if", 2), [moved], [use]), use)
    assert copied(read, Nest(("loop",), [Nest(("if", 2), [moved], [use])]))


# ── the library ──

ROOM = 1 << 14  # bytes for each symbol
ITEMS, OTHER, SIZES = 1 << 22, (1 << 22) + ROOM, (1 << 22) + 4 * ROOM


def test_methods_take_the_operands_of_the_table_of_instructions() -> None:
    assert list(check()) == []


@cache
def symbols() -> dict[str, int]:
    """Return an address for each symbol of the library, with room after it."""
    references = [reference for function in library_functions().values() for reference in function.references]
    names = sorted({reference.symbol for reference in references if reference.place is not SymbolPlace.CALL})
    return {name: ROOM * (1 + place) for place, name in enumerate(names)}


@cache
def of_the_library() -> Instance:
    """Return a module that exports some functions of the library."""
    module = Module(symbols())
    with module.function("shuffled") as f:
        f.add(Library(f).shuffle(0))
    for name in ("rank", "rank_few"):
        with module.function(f"{name} them", [I32, I32]) as f:
            size, columns = f.parameter(I32, 0).get(), f.parameter(I32, 1).get()
            f.add(getattr(Library(f), name)(I32.const(ITEMS), SIZES, size, columns).dropped())
    with module.function("sort them", [I32, I32]) as f:
        size, columns = f.parameter(I32, 0).get(), f.parameter(I32, 1).get()
        f.add(Library(f).sort(Items(ITEMS, size), columns).dropped())
    with module.function("largest group", [I32, I64], I32) as f:
        items = Items(ITEMS, f.parameter(I32, 0).get())
        f.return_value(Library(f).largest_group(SIZES, items, OTHER, f.parameter(I64, 1).get()))
    module.export("shuffled", "rank them", "rank_few them", "sort them", "largest group")
    instance = Instance(module.binary(1 + (SIZES + ROOM) // 65536))
    for name, words in {
        "SETS": [ITEMS],
        "COLUMNS": [OTHER, OTHER + ROOM, OTHER + 2 * ROOM],
        "BATCHES": [word for length in range(601) for word in reversed(batch(length))],
    }.items():
        instance.write(symbols()[name], words_of(words))
    return instance


def words_of(numbers: Sequence[int]) -> bytes:
    return array("i", numbers).tobytes()


def read(instance: Instance, address: int, size: int) -> list[int]:
    return array("i", instance.read(address, 4 * size)).tolist()


@given(st.integers(0, 70) | st.integers(250, 600), st.integers(0, 2**32))
def test_shuffles_equal_those_of_the_generator(size: int, seed: int) -> None:
    cells, instance = seeded(seed), of_the_library()
    random_cells = symbols()["RANDOM"]
    instance.write(random_cells, array("I", cells).tobytes())
    instance.write(ITEMS, words_of([size, *range(100, 100 + size)]))
    instance.call("shuffled")
    s = [0] * RANDOM + cells
    assert read(instance, ITEMS, 1 + size) == [size, *shuffled(s, range(100, 100 + size))]
    assert instance.read(random_cells, 16) == array("I", s[RANDOM : RANDOM + 4]).tobytes()


KEYS = st.integers(-2, 2) | st.sampled_from([-(2**31) + 1, 2**31 - 1])


@given(st.integers(0, 12).flatmap(lambda n: st.lists(st.lists(KEYS, min_size=n, max_size=n), min_size=1, max_size=3)))
def test_orders_equal_those_of_the_machine(columns: list[list[int]]) -> None:
    size, instance = len(columns[0]), of_the_library()
    items = list(range(7, 7 + size))
    for place, column in enumerate(columns):
        instance.write(OTHER + place * ROOM, words_of([*column, -(2**31), 5, 5, -5]))
    ordered, sizes = VALUE_OPERATIONS["rank"](items, *columns)
    for call in ("rank them", "sort them", "rank_few them")[: 3 if size <= 4 else 2]:
        instance.write(ITEMS, words_of([*items, -9, -9, -9, -9]))
        instance.call(call, size, len(columns))
        assert read(instance, ITEMS, size) == ordered
        assert read(instance, SIZES, size) == sizes


@given(st.lists(KEYS, max_size=20), st.integers(-1, 6))
def test_largest_groups_equal_those_of_the_machine(keys: list[int], rank: int) -> None:
    size, instance = len(keys), of_the_library()
    items = list(range(7, 7 + size))
    instance.write(ITEMS, words_of([*items, -9, -9, -9, -9]))
    instance.write(OTHER, words_of([*keys, *keys[:1] * 2, 0, 1]))
    result = instance.call("largest group", size, rank)
    assert read(instance, SIZES, result) == VALUE_OPERATIONS["largest_group"](items, keys, rank)
