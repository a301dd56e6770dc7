"""Random whole games of every edition, and what can be asked of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from hypothesis import strategies as st

from example_counts import one_of_each_game
from project_folders import GAMES
from rulewright.game import library
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.log import LogLine
from rulewright.program.state_layout import Layout
from rulewright.runtime import state as states
from rulewright.runtime import view as views
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State

MARKET = """\
rulewright: 1
title: Market
players: 2 to 3
words:
  colour: {red: {rank: 1}, blue: {rank: 2}}
pieces:
  gem: {each: colour, copies: 4, starts in: bank, noun: "{colour} gem", power in: till}
  coin: {has: {worth: 1 to 3}, copies: [4, 2, 1], starts in: pit, noun: "coin of {worth}"}
zones:
  bank: {holds: gem, seen by: nobody, pile: yes, refills from: heap}
  heap: {holds: gem, seen by: all}
  pit: {holds: coin, seen by: all}
  purse: {of: seat, seen by: owner, at most: room, counting: gem}
  till: {of: seat, seen by: all}
values:
  game:
    days: {by: number of seats, 2: 3, 3: 2}
  seat:
    room: 3
terms:
  game:
    lucky: first 1 of (seats with highest luck)
  seat:
    wealth: total worth of coins in purse + number of gems in purse
counters:
  game: {today: 0, closed: no}
  seat: {luck: 1}
setup:
  do:
    - shuffle bank
    - each seat: move top 2 of bank to purse
phases:
  buy:
    text: Up to {days} days.
    do:
      - add 1 to today
      - all seats at once: do pick
      - each seat by lowest luck, clockwise from lucky: do buy
      - if today is at least days: end game
    steps:
      pick:
        do:
          - choose up to 1 from gems in purse as shown: {ask: Which gem?, none: None.}
          - choose number from 0 to 2 as mood: {ask: "How do you feel, with {shown}?"}
          - move shown to till
          - if mood is 2: add 1 to luck
      buy:
        do:
          - let price be highest of (1, number of till)
          - choose one as what:
              ask: What now?
              among:
                coin: {text: A coin., if: pit is not empty, do: do gain}
                luck:
                  text: Luck.
                  do:
                    - choose number from 0 to price as guess: {ask: How much?}
                    - add guess to luck
          - move till to heap
          - log: "{seat} has {luck} luck and {purse}."
      gain:
        do:
          - choose 1 from pit as wanted: {ask: Which coin?}
          - move wanted to purse
          - repeat while wealth is more than 9: move first 1 of (coins in purse where worth is more than 0) to pit
powers:
  red:
    may after gain if luck is more than 0: {ask: Draw a gem?, do: [move top 1 of bank to purse]}
  blue: {change: {room: +1}}
scoring:
  wealth: {points: wealth * 6 / luck rounded down}
ranking: highest score
options:
  rich: {change: {room: 9}}
"""
GAME_FILES = sorted(GAMES.glob("*.yaml"))


class Loaded(Mapping[str, Rules]):
    """Rules by their names, loaded when they are needed. made: what loads them."""

    def __init__(self, results: Mapping[str, Callable[[], Rules]]) -> None:
        self._loaders = {name: cache(load) for name, load in results.items()}

    def __getitem__(self, name: str) -> Rules:
        return self._loaders[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._loaders)

    def __len__(self) -> int:
        return len(self._loaders)


SHORTENED = {"classics/gin-rummy": 150}
"""Answers that end games which players by chance play on for thousands of them: some deals are enough."""


def loaded(name: str) -> Rules:
    """Return a shipped edition; of those that last too long, a variant that ends sooner."""
    rules = library.load(name)
    return library.with_changes(rules, {("limit", "answers"): str(SHORTENED[name])}) if name in SHORTENED else rules


EDITIONS = Loaded(
    {
        "market": partial(library.from_text, MARKET, "market"),
        **{name: partial(loaded, name) for name in one_of_each_game()},
        **{file.stem: partial(library.load, str(file)) for file in GAME_FILES},
    }
)
LONG = {
    "wildlife/2002": 4000,
    "classics/gin-rummy": 100,
    "classics/hearts": 500,
    "classics/oh-hell": 200,
    "classics/spades": 200,
    "classics/crazy-eights": 200,
    "classics/cribbage": 100,
    "classics/backgammon": 200,
    "classics/nine-mens-morris": 200,
    "classics/checkers": 100,
    "classics/chess": 400,
    "classics/go": 80,
}
"""Games of so many decisions that only some of them are looked at."""
MOST_POSITIONS = 60
NAMES = ("Ada", "Ben", "Cora", "Dan", "Edith", "Finn", "Gita", "Hugo", "Ines", "Jon", "Kim", "Luca")


@dataclass(frozen=True)
class Table:
    """Setup of a game: its edition and players.

    roles: of each seat, or None for a person; player: seed of the random answers; skip: number of decisions that are
    answered before anybody looks.
    """

    edition: str
    roles: tuple[str | None, ...]
    options: dict[str, str]
    seed: int
    player: int
    skip: int = 0

    def start(self) -> tuple[Game, random.Random]:
        game, rng = self.from_the_start()
        return (fork(game, skipped(game.machine, game.state, self.skip, rng)) if self.skip else game), rng

    def from_the_start(self) -> tuple[Game, random.Random]:
        names = NAMES[: len(self.roles)]
        roles = {name: role for name, role in zip(names, self.roles, strict=True) if role}
        game = Game.start(EDITIONS[self.edition], names, self.options, self.seed, roles)
        return game, random.Random(self.player)


def skipped(machine: Machine, s: State, decisions: int, rng: random.Random) -> State:
    """The state so many random answers later, or before the last one of the game."""
    questions = machine.open_decisions(s)
    for _ in range(decisions):
        before = states.clone(s)
        for one in questions:
            machine.answer(s, one, machine.random_answer(s, one, rng.random))
        if not (questions := machine.run(s)):
            return before
    return s


def seatings(rules: Rules) -> Iterator[tuple[str | None, ...]]:
    """Every number of people with every set of virtual players that may join them."""
    edition = rules.edition
    for people in range(edition.people[0], edition.people[1] + 1):
        may = [role.name for role in edition.roles.values() if people in role.joins]
        for bits in range(2 ** len(may)):
            joining = [name for number, name in enumerate(may) if bits >> number & 1]
            must = [name for name in may if edition.roles[name].joins[people] and name not in joining]
            if not must and people + len(joining) in edition.seat_counts():
                yield (*[None] * people, *joining)


@st.composite
def tables(draw: st.DrawFn, editions: Sequence[str] = tuple(EDITIONS)) -> Table:
    edition = draw(st.sampled_from(editions))
    rules = EDITIONS[edition]
    roles = draw(st.sampled_from(list(seatings(rules))).flatmap(st.permutations))
    options = {option.name: draw(st.sampled_from(option.choices)) for option in rules.edition.options.values()}
    skip = draw(st.integers(0, LONG[edition])) if edition in LONG else 0
    return Table(edition, tuple(roles), options, draw(st.integers(0, 2**53 - 1)), draw(st.integers(0, 2**32)), skip)


def answer_to(decision: Decision, rng: random.Random) -> list[str]:
    offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
    return rng.sample(offered, rng.randint(decision.least, decision.most))


def positions(game: Game, rng: random.Random) -> Iterator[tuple[Decision, list[str]]]:
    """Every position of a whole game (of a long one, some), with an open decision and the answer that is given on
    going on."""
    looked = 0
    while not game.over and not (is_long(game) and looked == MOST_POSITIONS):
        looked += 1
        decision = rng.choice(game.decisions())
        keys = answer_to(decision, rng)
        yield decision, keys
        game.answer(decision.seat, keys, decision.id)


def is_long(game: Game) -> bool:
    return game.rules.edition.name in LONG


def fork(game: Game, state: State | None = None) -> Game:
    """A game of its own that goes on from here (or from another state); its log begins here."""
    own = game.state if state is None else state
    return Game(game.rules, game.names, game.roles, game.options, game.seed, own)


def readers(game: Game) -> tuple[int | None, ...]:
    return (None, *range(len(game.names)))


def logs(game: Game) -> list[list[LogLine]]:
    return [game.log.lines(reader) for reader in readers(game)]


def everything(game: Game) -> tuple[Any, ...]:
    """All that can be asked of a game."""
    views_of_all = [game.view(reader) for reader in readers(game)]
    return game.state, game.decisions(), logs(game), game.save(), views_of_all, game.standings()


def check_state(rules: Rules, machine: Machine, s: State) -> None:
    """Every piece is in exactly one zone, and in one that may hold it; no set is larger than its capacity."""
    program, layout = machine.program, machine.program.layout
    assert len(s) == layout.size
    for number, cell in enumerate(s):
        items = cell if number in layout.sets else (cell,)
        assert type(items) is tuple and len(items) <= layout.sets.get(number, 1), number
        assert all(type(item) is int and -(2**31) <= item < 2**32 for item in items), number
    places: dict[int, int] = {}
    for space in layout.zones:
        assert layout.sets[space.address] == space.capacity
        for piece in s[space.address]:
            assert piece not in places, (space, piece)
            assert program.types[program.type_of[piece]].kind in rules.edition.zones[space.name].holds, space
            places[piece] = space.address
    assert [places[piece] for piece in range(layout.pieces)] == s[
        layout.piece_zones : layout.piece_zones + layout.pieces
    ]


def exchanged(s: State, layout: Layout, one: int, other: int) -> State:
    """The state with two pieces in each other's places."""
    partner = {one: other, other: one}
    s = states.clone(s)
    for address in {s[layout.piece_zones + one], s[layout.piece_zones + other]}:
        s[address] = tuple(partner.get(piece, piece) for piece in s[address])
    s[layout.piece_zones + one], s[layout.piece_zones + other] = (
        s[layout.piece_zones + other],
        s[layout.piece_zones + one],
    )
    return s


def hidden_pair(game: Game, viewer: int | None, rng: random.Random) -> tuple[int, int] | None:
    """Two pieces of one kind and of different types that a viewer neither sees nor remembers."""
    program, s = game.program, game.state
    spaces = [space for space in program.layout.zones if not views.sees_zone(space, viewer)]
    memory = program.layout.memory

    def known(piece: int) -> bool:
        return memory >= 0 and viewer is not None and bool(s[memory + piece] >> viewer & 1)

    def told_apart(piece: int) -> bool:  # by what it counted while it was seen
        return piece in program.layout.marked

    hidden = [piece for space in spaces for piece in s[space.address] if not known(piece) and not told_apart(piece)]
    types = {piece: program.types[program.appearance(s, piece)] for piece in hidden}
    for one in rng.sample(hidden, len(hidden)):
        others = [o for o in hidden if types[o] is not types[one] and types[o].kind == types[one].kind]
        if others:
            return one, rng.choice(others)
    return None
