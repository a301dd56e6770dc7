"""Wildlife by the book: whole random games beside a second, plain reckoning of what lies on the island.

The rules are those of the published rulebook and of the rulings of this project on what it leaves open.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from example_counts import few
from rulewright.game import library
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.program.state_layout import GAME_OVER, PC
from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.operations import Events
from rulewright.runtime.state import State
from whole_games import check_state

TILES = {2: 30, 3: 30, 4: 25, 5: 21, 6: 18}
ISLAND = """\
..TTTTww..
.dTTTTwwM.
ddFFSSSSMM
ddFFSSSMMM
mFFFFSStMM
mFDDDDttff
mmDDDDttff
.mssWWWWW.
..ssWWWW..
""".splitlines()
LETTERS = {
    (column, row): letter for row, line in enumerate(ISLAND) for column, letter in enumerate(line) if letter != "."
}
CHARTS = {  # forest, desert, savannah, steppe, mountains, water: attack, expansion, migration or no action
    "crocodile": "ENMMNA",
    "snake": "NANMME",
    "eagle": "MEMNAN",
    "bear": "ANMMEN",
    "mammoth": "MNEAMN",
    "man": "MNAEMN",
}
MOST_DECISIONS = 60_000

# Shrinking would play hundreds of such games more; a table says enough.
whole_games = settings(few(9), phases=[Phase.explicit, Phase.reuse, Phase.generate])

Position = tuple[int, int]
Herd = set[Position]


@dataclass(frozen=True)
class Table:
    """options: the index of each option's choice; seed: of the game; player: of the random answers."""

    seats: int
    options: tuple[int, ...]
    seed: int
    player: int


@cache
def rules() -> Rules:
    return library.load("wildlife/2002")


@st.composite
def tables(draw: st.DrawFn) -> Table:
    options = tuple(draw(st.integers(0, len(o.choices) - 1)) for o in rules().edition.options.values())
    return Table(draw(st.integers(2, 6)), options, draw(st.integers(0, 2**53 - 1)), draw(st.integers(0, 2**32)))


class Island:
    """Position, read from a state by the names of zones and counters."""

    def __init__(self, machine: Machine, s: State) -> None:
        self.program, self.s, self.seats = machine.program, s, machine.program.layout.seats
        self._zones = {(space.name, space.owner): space.address for space in self.program.layout.zones}
        self._counters = {counter.name: counter for counter in self.program.layout.counters}

    def zone(self, name: str, owner: int = -1) -> list[str]:
        """The names of the pieces in a zone."""
        return [
            self.program.types[self.program.appearance(self.s, piece)].name
            for piece in self.s[self._zones[name, owner]]
        ]

    def counter(self, name: str, seat: int = 0) -> int:
        return int(self.s[self._counters[name].address + seat])

    def organism(self, seat: int) -> str:
        return self.program.words["organism"][self.counter("own organism", seat)]

    def settled(self) -> dict[Position, str]:
        """The organism on each space that is not empty."""
        results: dict[Position, str] = {}
        for number, name in enumerate(self.program.words["space"]):
            if self.s[self._zones["ground", number]]:  # most are empty, and this is looked at thousands of times
                [results["abcdefghij".index(name[0]), int(name[1:]) - 1]] = self.zone("ground", number)
        return results

    def levels(self, seat: int) -> dict[str, int]:
        """Return, by the letter of a terrain: 0 for no action, 1 to migrate, 2 to expand, 3 to attack."""
        chart = CHARTS[self.organism(seat)]
        stacked = Counter(name.removeprefix("spare ").split()[0] for name in self.zone("adaptations", seat))
        terrains = {"F": "forest", "D": "desert", "S": "savannah", "T": "steppe", "M": "mountains", "W": "water"}
        return {
            letter: "NMEA".index(chart[number]) + stacked[terrain]
            for number, (letter, terrain) in enumerate(terrains.items())
        }


def herds(settled: dict[Position, str]) -> list[tuple[str, Herd]]:
    """Every herd with its organism, by flood fill."""
    left = dict(settled)
    results: list[tuple[str, Herd]] = []
    while left:
        start, organism = left.popitem()
        herd, edge = {start}, [start]
        while edge:
            column, row = edge.pop()
            for other in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
                if left.get(other) == organism:
                    del left[other]
                    herd.add(other)
                    edge.append(other)
        results.append((organism, herd))
    return results


def ranked(sizes: Counter[str], prizes: Sequence[int], by_heads: bool) -> Counter[str]:
    """The points of a comparison: who ties scores one place lower, the next one behind that (ruling 12)."""
    points: Counter[str] = Counter()
    place = 0
    for size in sorted(set(sizes.values()) - {0}, reverse=True):
        tied = [player for player in sizes if sizes[player] == size]
        mine = place + (len(tied) > 1)
        for player in tied:
            points[player] += prizes[mine] if mine < len(prizes) else 0
        place = mine + (len(tied) - 1 if by_heads and len(tied) > 1 else 1)
    return points


def big_scoring(island: Island, by_heads: bool) -> Counter[str]:
    """Return each organism's points. by_heads: the option that each of the tied uses up a place."""
    settled = island.settled()
    points: Counter[str] = Counter()
    for letter in set(LETTERS.values()):
        spaces = [position for position in LETTERS if LETTERS[position] == letter]
        tiles = Counter(settled[position] for position in spaces if position in settled)
        if len(tiles) == 1:
            points[next(iter(tiles))] += 5 if tiles.total() == len(spaces) else 4
        else:
            points += ranked(tiles, (3, 2, 1), by_heads)
    place, result = 0, herds(settled)
    prizes = (10, 7, 5, 3, 1)
    for size in sorted({len(herd) for _, herd in result}, reverse=True):
        equals = [organism for organism, herd in result if len(herd) == size]
        tie = len(set(equals)) > 1
        mine = place + tie
        for organism in equals:
            points[organism] += prizes[mine] if mine < len(prizes) else 0
        place = mine + ((len(equals) - 1 if by_heads else 1) if tie else len(equals))
    organisms = {seat: island.organism(seat) for seat in range(island.seats)}
    counts: list[Callable[[int], int]] = [
        lambda seat: len(island.zone("adaptations", seat)),
        lambda seat: len(island.zone("ready abilities", seat) + island.zone("used abilities", seat)),
        lambda seat: island.counter("food", seat),
    ]
    for count in counts:
        points += ranked(Counter({name: count(seat) for seat, name in organisms.items()}), (4, 2), by_heads)
    return points


def check_island(island: Island, before: dict[Position, str], settled: dict[Position, str]) -> None:
    """Tiles are conserved, and stand where they can: new ones at least, since mobility swaps others anywhere."""
    on_island, boxed = Counter(settled.values()), Counter(island.zone("box"))
    lifted = Counter(island.zone("lifted"))
    count = TILES[island.seats]
    for seat in range(island.seats):
        organism, levels = island.organism(seat), island.levels(seat)
        reserve = island.zone("reserve", seat)
        assert set(reserve) <= {organism}
        assert len(reserve) + on_island[organism] + boxed[organism] + lifted[organism] == 30
        assert len(reserve) + on_island[organism] <= count
        assert max(levels.values()) <= 3
        moved = sum(before.get(place) == organism and settled.get(place) != organism for place in before)
        barred = [
            place
            for place, tile in settled.items()
            if tile == organism and before.get(place) != organism and not levels[LETTERS[place].upper()]
        ]
        assert len(barred) <= moved, (organism, barred)
    marks = sum(len(island.zone("mark", area)) for area in range(12))
    assert marks + len(island.zone("small track")) == 11


def check_turn(island: Island, two_of_a_kind: bool) -> None:
    """Full areas are scored, and nothing is left over, wherever a seat chooses its next action."""
    settled = island.settled()
    for number, letter in enumerate("FfDdSsTtMmWw"):
        full = all(position in settled for position in LETTERS if LETTERS[position] == letter)
        assert not full or island.zone("mark", number) or not island.zone("small track"), letter
    assert not island.zone("lifted") and not island.zone("table")
    for seat in range(island.seats):
        content = Counter(island.zone("ready abilities", seat) + island.zone("used abilities", seat))
        assert max(content.values(), default=0) <= 2 or not two_of_a_kind


def moves(table: Table) -> Iterator[tuple[Machine, State, OpenDecision, tuple[int, ...], State, Events]]:
    """Every move of a whole random game: the state before, the decision and its answer, the state after, the log."""
    machine = rules().machine(table.seats)
    chance = random.Random(table.player).random
    s = machine.new(table.seed, options=table.options)
    question = machine.run(s)
    for _ in range(MOST_DECISIONS):
        if not question:
            break
        before, decision = list(s), question[0]
        answer = machine.random_answer(s, decision, chance)
        machine.answer(s, decision, answer)
        events: Events = []
        question = machine.run(s, events)
        yield machine, before, decision, answer, s, events
    assert s[PC] == GAME_OVER, "this game never ends"


@pytest.mark.rotating(12)
@whole_games
@given(tables())
def test_positions_of_random_games_are_consistent(table: Table) -> None:
    """Random games end; tiles, cards and pawns are conserved; tiles stand where they can."""
    settled: dict[Position, str] = {}
    two_of_a_kind = table.seats > 2 and table.options[list(rules().edition.options).index("same abilities")] == 0
    for number, (machine, before, decision, _, s, _) in enumerate(moves(table)):
        if machine.program.sites[decision.site].id == "have a turn.action":
            check_turn(Island(machine, before), two_of_a_kind)
        island = Island(machine, s)
        if any(island.counter("own organism", seat) < 0 for seat in range(island.seats)):
            continue
        before_it, settled = settled, island.settled()
        check_island(island, before_it, settled)
        if number % 50 == 0:
            check_state(rules(), machine, s)


@pytest.mark.rotating(4)
@whole_games
@given(tables())
def test_big_scorings_equal_those_computed_by_hand(table: Table) -> None:
    by_heads = table.options[list(rules().edition.options).index("ties use up places")] == 1
    checked = due = 0
    for machine, before, decision, answer, after, events in moves(table):
        texts = [machine.program.texts[number].text for number, *_ in events]
        due += sum(text.startswith("A Big Scoring, because") for text in texts)
        times = sum("Big Scoring, because" in text for text in texts)
        ends_the_turn = machine.program.sites[decision.site].id == "have a turn.action" and not answer
        if not times or not ends_the_turn:
            continue
        was, now = Island(machine, before), Island(machine, after)
        expected = big_scoring(was, by_heads)
        for seat in range(was.seats):
            gained = now.counter("success", seat) - was.counter("success", seat)
            assert gained == times * expected[was.organism(seat)], was.organism(seat)
        checked += 1
    assert checked or table.seats == 2 or not due  # a game may end before any but the final one


@pytest.mark.rotating(6)
@whole_games
@given(tables())
def test_an_auction_only_moves_food(table: Table) -> None:
    """The seller gets what the buyer pays, in food and in steps of three."""
    for machine, before, decision, _, after, events in moves(table):
        texts = [machine.program.texts[number].text for number, *_ in events]
        was, now = Island(machine, before), Island(machine, after)
        if (
            not any(re.match(r"\d+ bought the", text) for text in texts)
            or machine.program.sites[decision.site].id[:9] != "auction a"
        ):
            continue
        if any("Big Scoring" in text or "scored" in text for text in texts):
            continue
        worth = [
            [island.counter("food", seat) + 3 * island.counter("success", seat) for seat in range(island.seats)]
            for island in (was, now)
        ]
        assert sum(worth[0]) == sum(worth[1])
        assert sum(a != b for a, b in zip(*worth, strict=True)) == 2
        assert all(now.counter("food", seat) >= 0 for seat in range(now.seats))


def asked_one_by_one(seats: Sequence[str], seed: int) -> Iterator[tuple[Game, Decision]]:
    """A random game, with every question before it is answered."""
    game, chance = Game.start(rules(), seats, seed=seed), random.Random(seed)
    while decisions := game.decisions():
        decision = decisions[0]
        yield game, decision
        keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
        game.answer(decision.seat, chance.sample(keys, chance.randint(decision.least, decision.most)))


@pytest.mark.rotating(4)
def test_questions_name_the_debt_the_cost_of_bids_and_attackers() -> None:
    names = ["Ada", "Ben", "Cleo"]
    left: Counter[tuple[int, int]] = Counter()
    blocks: Counter[str] = Counter()
    for game, decision in asked_one_by_one(names, seed=4):
        if decision.id == "have a turn.action":
            match = re.fullmatch(
                r"(?:You must auction (\d) (?:more )?cards? and may play|You may play or auction) (no|\d) "
                r"(?:others?|more cards?)\. What do you do\?",
                decision.prompt,
            )
            assert match, decision.prompt
            plays = int(match[2].replace("no", "0"))
            left[int(match[1] or 0), plays] += 1
            assert ("play" in [choice.key for choice in decision.choices]) == (plays > 0)
        elif decision.id == "auction a card.amount":
            first, *_ = decision.choices
            assert (first.label, decision.none) == (f"Bid {first.key}", "Pass")
            assert "What do you bid?" in decision.prompt
        elif decision.id == "defence.give way":
            victim, text = names[decision.seat], game.log.lines(None, game.log.length - 1)[0].text
            struck = re.fullmatch(rf"(\w+) (?:used )?(\w+?)(?:ed| against) {victim} at (..)\.", text)
            match = struck or re.fullmatch(
                rf"(\w+) used (\w+) to move from .. to (..), where {victim} had a tile\.", text
            )
            assert match, text
            player, mode, location = match.groups()
            assert (
                decision.prompt
                == f"{player} is about to take {location} from you by {mode}. Do you block it with defence?"
            )
            blocks[mode] += 1
        if len(blocks) == 3:
            break
    assert left[1, 2] and left[1, 0] and left[0, 2], left
    assert set(blocks) == {"attack", "mobility", "aggression"}
