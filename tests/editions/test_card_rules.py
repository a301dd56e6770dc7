"""Card games of the shelf beside models of their published rules: what may be played, and what it scores."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

import pytest

from rulewright.game import library
from rulewright.game.game import Game

NAMES = ("Ada", "Ben", "Cleo", "Dora")
RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]


class Deals:
    """A game by chance: what its players hold, and each of their answers."""

    def __init__(self, edition: str, seats: int, seed: int, options: dict[str, str] | None = None) -> None:
        self.game = Game.start(library.load(edition), NAMES[:seats], options or {}, seed)
        self.chance, self.seats = random.Random(seed), range(seats)

    def hands(self) -> list[set[str]]:
        return [set(self.cards("hand", seat)) for seat in self.seats]

    def cards(self, zone: str, seat: int | None = None) -> tuple[str, ...]:
        return self.game.view(seat).zone(zone, seat).pieces or ()

    def answer(self, seat: int, allowed: Collection[str]) -> str:
        """The answer of a seat, which is the only one asked, and has these choices."""
        assert [decision.seat for decision in self.game.decisions()] == [seat]
        [key] = self.chosen(seat, allowed, 1)
        return key

    def chosen(self, seat: int, allowed: Collection[str], count: int) -> list[str]:
        """So many answers of a seat together, which has these choices."""
        decision = self.game.decision(seat)
        assert decision is not None
        assert sorted(choice.key for choice in decision.choices) == sorted(allowed)
        keys = self.chance.sample(sorted(allowed), count)
        self.game.answer(seat, keys)
        return keys

    def points(self) -> list[int]:
        return [int(standing.total) for standing in sorted(self.game.standings(), key=lambda one: one.seat)]


# ── spades ──


def suit(card: str) -> str:
    return card.rpartition(" of ")[2]


def strength(card: str) -> int:
    return RANKS.index(card.partition(" ")[0])


@pytest.mark.rotating(3)
def test_spades_is_played_and_counted_by_its_published_rules() -> None:
    ends = sum(map(spades, range(8)), Counter[str]())
    assert min(ends[each] for each in ("made", "set", "nil kept", "nil broken", "bags", "won")) > 0


def spades(seed: int) -> Counter[str]:
    """Play until a side has 250 points, or −200; counts what happened."""
    deals = Deals("classics/spades", 4, seed, {"length": "two hundred and fifty"})
    scores, bags, counts = [0, 0], [0, 0], Counter[str]()
    dealer = deals.game.view(None).counters["dealer"]
    assert isinstance(dealer, int)
    while not deals.game.over:
        hands = deals.hands()
        assert len(set.union(*hands)) == 52
        first = (dealer + 1) % 4
        bids = {seat: bid(deals, seat, hands[seat]) for seat in ((first + n) % 4 for n in range(4))}
        tricks = played(deals, first, hands)
        for side in (0, 1):
            counts += count(side, bids, tricks, scores, bags)
        dealer = first
        assert deals.points() == [*scores, *scores]
    assert (max(scores) >= 250 or min(scores) <= -200) and scores[0] != scores[1]
    counts["won" if max(scores) >= 250 else "lost"] += 1
    return counts


def bid(deals: Deals, seat: int, hand: set[str]) -> int:
    """Bid as many tricks as a seat has high cards, or nil."""
    [decision] = deals.game.decisions()
    assert (decision.seat, decision.least) == (seat, 0)
    assert [choice.key for choice in decision.choices] == [str(number) for number in range(1, 14)]
    size = sum(strength(card) > 10 for card in hand) * (deals.chance.random() < 0.9)
    deals.game.answer(seat, [str(size)] if size else [])
    return size


def played(deals: Deals, leader: int, hands: list[set[str]]) -> Counter[int]:
    """Play thirteen tricks; how many each seat took."""
    tricks, broken = Counter[int](), False
    for _ in range(13):
        trick = dict[str, int]()
        for seat in ((leader + n) % 4 for n in range(4)):
            first = next(iter(trick), None)
            fitting = {card for card in hands[seat] if first and suit(card) == suit(first)}
            plain = {card for card in hands[seat] if suit(card) != "spades"}
            card = deals.answer(seat, fitting or (hands[seat] if first or broken else plain or hands[seat]))
            trick[card] = seat
            hands[seat].remove(card)
            broken |= suit(card) == "spades"
        led = suit(next(iter(trick)))
        best = max(trick, key=lambda card: (suit(card) == "spades", suit(card) == led, strength(card)))
        leader = trick[best]
        tricks[leader] += 1
    return tricks


def count(side: int, bids: dict[int, int], tricks: Counter[int], scores: list[int], bags: list[int]) -> Counter[str]:
    """Score what one side bid and took."""
    team, counts = (side, side + 2), Counter[str]()
    contract, own = sum(bids[seat] for seat in team), sum(tricks[seat] for seat in team if bids[seat])
    over = max(0, own - contract) + sum(tricks[seat] for seat in team if not bids[seat])
    scores[side] += over + (10 * contract if own >= contract else -10 * contract)
    counts["made" if own >= contract else "set"] += 1
    for seat in team:
        if not bids[seat]:
            scores[side] += -100 if tricks[seat] else 100
            counts["nil broken" if tricks[seat] else "nil kept"] += 1
    fines, bags[side] = divmod(bags[side] + over, 10)
    scores[side] -= 100 * fines
    counts["bags"] += fines
    return counts


# ── cribbage ──

LOW_ACE = ["ace", *RANKS[:-1]]
GOAL = 61


def place(card: str) -> int:
    return LOW_ACE.index(card.partition(" ")[0]) + 1


def worth(card: str) -> int:
    return min(10, place(card))


class Won(Exception):
    """Somebody has reached the goal."""


class Board:
    """The points of two players. Raises Won when one of them has enough."""

    def __init__(self) -> None:
        self.points, self.counts = [0, 0], Counter[str]()

    def peg(self, seat: int, points: int, reason: str = "") -> None:
        self.points[seat] += points
        self.counts[reason] += points > 0
        if self.points[seat] >= GOAL:
            raise Won


@pytest.mark.rotating(3)
def test_cribbage_is_pegged_and_counted_by_its_published_rules() -> None:
    counts = sum(map(cribbage, range(8)), Counter[str]())
    reasons = ("heels", "fifteen", "equal", "run", "31", "last", "hand", "crib", "won in play")
    assert min(counts[each] for each in reasons) > 0


def cribbage(seed: int) -> Counter[str]:
    """Play to 61 points; counts for what there were points."""
    deals, board = Deals("classics/cribbage", 2, seed, {"length": "once round"}), Board()
    dealer = deals.game.view(None).counters["dealer"]
    assert isinstance(dealer, int)
    try:
        while True:
            deal(deals, board, dealer)
            dealer = 1 - dealer
    except Won:
        assert deals.game.over
    board.counts["won in play"] += any(deals.cards("hand", seat) for seat in (0, 1))
    assert [min(GOAL, each) for each in deals.points()] == [min(GOAL, each) for each in board.points]
    return board.counts


def deal(deals: Deals, board: Board, dealer: int) -> None:
    hands, crib = deals.hands(), list[str]()
    for seat in deals.chance.sample((0, 1), 2):
        thrown = deals.chosen(seat, hands[seat], 2)
        crib.extend(thrown)
        hands[seat] -= set(thrown)
    [starter] = deals.cards("starter")
    if place(starter) == 11:
        board.peg(dealer, 2, "heels")
    lay_cards(deals, board, [set(hand) for hand in hands], 1 - dealer)
    for seat, cards, least in ((1 - dealer, hands[1 - dealer], 4), (dealer, hands[dealer], 4), (dealer, crib, 5)):
        board.peg(seat, counted(sorted(cards), starter, least), "hand" if least == 4 else "crib")


def lay_cards(deals: Deals, board: Board, hands: list[set[str]], turn: int) -> None:
    row, latest = list[str](), turn
    while any(hands):
        allowed = [{card for card in hand if sum(map(worth, row)) + worth(card) <= 31} for hand in hands]
        if not any(allowed):
            if sum(map(worth, row)) < 31:
                board.peg(latest, 1, "last")
            row, turn = [], 1 - latest
            continue
        latest = turn if allowed[turn] else 1 - turn
        assert deals.points() == board.points
        row.append(deals.answer(latest, allowed[latest]))
        hands[latest].remove(row[-1])
        turn = 1 - latest
        board.peg(latest, 2 * (sum(map(worth, row)) == 15), "fifteen")
        board.peg(latest, equals(row), "equal")
        board.peg(latest, run(row), "run")
        board.peg(latest, 2 * (sum(map(worth, row)) == 31), "31")
    if sum(map(worth, row)) < 31:
        board.peg(latest, 1, "last")


def equals(row: Sequence[str]) -> int:
    size = max(n for n in range(1, len(row) + 1) if len({place(card) for card in row[-n:]}) == 1)
    return size * (size - 1)


def run(row: Sequence[str]) -> int:
    return max((n for n in range(3, len(row) + 1) if is_run(row[-n:])), default=0)


def is_run(cards: Sequence[str]) -> bool:
    places = sorted(map(place, cards))
    return places == [*range(places[0], places[0] + len(places))]


def counted(four: Sequence[str], starter: str, least: int) -> int:
    """Points of a hand or a crib. least: cards of one suit that are a flush."""
    five = [*four, starter]
    groups = [group for size in range(2, 6) for group in combinations(five, size)]
    points = 2 * sum(sum(map(worth, group)) == 15 for group in groups)
    points += 2 * sum(place(first) == place(second) for first, second in combinations(five, 2))
    longest = max((len(group) for group in groups if len(group) > 2 and is_run(group)), default=0)
    points += sum(longest for group in groups if len(group) == longest and is_run(group))
    flush = len({suit(card) for card in four}) == 1
    suited = 4 + (suit(starter) == suit(four[0]))
    points += suited * (flush and suited >= least)
    return points + sum(place(card) == 11 and suit(card) == suit(starter) for card in four)
