"""Card games of the shelf beside models of their published rules: what may be played, and what it scores."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
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
        [key] = self.choose_some(seat, allowed, 1)
        return key

    def choose_some(self, seat: int, allowed: Collection[str], count: int) -> list[str]:
        """Answer for a seat with so many of its choices, which are these."""
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
        thrown = deals.choose_some(seat, hands[seat], 2)
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


# ── gin rummy ──

Meld = frozenset[str]


@pytest.mark.rotating(5)
def test_gin_rummy_is_played_and_counted_by_its_published_rules() -> None:
    counts = sum(map(gin_rummy, (2, 3, 8, 11)), Counter[str]())
    assert min(counts[each] for each in ("knock", "undercut", "laid off", "upcard", "nothing fits")) > 0


def gin_rummy(seed: int) -> Counter[str]:
    """Play until somebody gets points; counts what happened."""
    deals, points, counts = Deals("classics/gin-rummy", 2, seed, {"length": "single deal"}), [0, 0], Counter[str]()
    dealer = deals.game.view(None).counters["dealer"]
    assert isinstance(dealer, int)
    while not deals.game.over:
        hands = deals.hands()
        knocker = draw_and_discard(deals, dealer, hands, counts)
        if knocker is not None:
            own = least_deadwood(hands[knocker])
            lay_off(deals, knocker, hands, counts)
            other = least_deadwood(hands[1 - knocker])
            winner = knocker if own < other or not own else 1 - knocker
            points[winner] += abs(own - other) + (25 if winner != knocker or not own else 0)
            counts["gin" if not own else "knock" if winner == knocker else "undercut"] += 1
            dealer = 1 - winner
        assert deals.points() == points
    assert max(points) > 0
    return counts


def draw_and_discard(deals: Deals, dealer: int, hands: list[set[str]], counts: Counter[str]) -> int | None:
    """Play until somebody has knocked, or nobody has and two cards are left in the stock."""
    pile, seat, stock, refused = [*deals.cards("discard pile")], 1 - dealer, 31, True
    for other in (1 - dealer, dealer):
        if deals.choose_some(other, pile, deals.chance.randint(0, 1)):
            if knocks(deals, other, hands[other], pile):
                return other
            seat, refused = 1 - other, False
            break
    while stock > 2:
        card_taken = not refused and bool(deals.choose_some(seat, {pile[-1]}, deals.chance.randint(0, 1)))
        refused = False
        counts["upcard"] += card_taken
        if not card_taken:
            stock -= 1
            hands[seat] |= set(deals.cards("hand", seat))
        if knocks(deals, seat, hands[seat], pile, card_taken=card_taken):
            return seat
        seat = 1 - seat
    return None


def knocks(deals: Deals, seat: int, hand: set[str], pile: list[str], *, card_taken: bool = True) -> bool:
    """Discard, and say whether the seat knocks. card_taken: whether the uppermost card of the pile has been taken."""
    new_card = {pile.pop()} if card_taken else set[str]()
    hand |= new_card
    results = {card: least_deadwood(hand - {card}) for card in hand - new_card}
    spare = {card for card, loose in results.items() if loose <= 10}
    if spare and deals.chance.random() < 0.6:
        deals.choose_some(seat, results, 0)
        hand.remove(deals.answer(seat, spare))
        return True
    decision = deals.game.decision(seat)
    assert decision is not None
    assert decision.least == (0 if spare else 1)
    assert {choice.key for choice in decision.choices} == results.keys()
    card = min(sorted(results), key=lambda each: results[each])
    deals.game.answer(seat, [card])
    hand.remove(card)
    pile.append(card)
    return False


def lay_off(deals: Deals, knocker: int, hands: list[set[str]], counts: Counter[str]) -> None:
    """Answer what the other player may lay off; where they are not asked, nothing can be."""
    seat, best = 1 - knocker, least_deadwood(hands[knocker])
    layouts = {layout for layout, loose in arrangements(hands[knocker]) if loose == best}
    if not asks(deals, seat):
        assert best == 0 or any(not fitting(hands[seat], *layout) for layout in layouts)
        counts["nothing fits"] += best > 0
        return
    sets, runs = (frozenset(deals.cards(zone, knocker)) for zone in ("sets", "runs"))
    assert best > 0
    assert (sets, runs) in layouts
    while allowed := fitting(hands[seat], sets, runs):
        if not (keys := set(deals.choose_some(seat, allowed, deals.chance.random() < 0.8))):
            return
        counts["laid off"] += 1
        hands[seat] -= keys
        sets, runs = (sets, runs | keys) if fitting(keys, frozenset(), runs) else (sets | keys, runs)
    assert not asks(deals, seat)


ROWS = [
    Meld(f"{LOW_ACE[low + step]} of {kind}" for step in range(size))
    for kind in ("clubs", "diamonds", "hearts", "spades")
    for size in (3, 4, 5)
    for low in range(14 - size)
]


def asks(deals: Deals, seat: int) -> bool:
    decision = deals.game.decision(seat)
    return decision is not None and decision.id == "lay off.extra"


def fitting(hand: Collection[str], sets: Meld, runs: Meld) -> set[str]:
    """Cards that can be laid off on these sets and runs."""
    thirds = {number for number, count in Counter(map(place, sets)).items() if count == 3}
    ends = {(suit(card), place(card) + step) for card in runs for step in (-1, 1)}
    return {card for card in hand if place(card) in thirds or (suit(card), place(card)) in ends}


def least_deadwood(hand: Set[str]) -> int:
    return min(loose for _, loose in arrangements(hand))


def arrangements(hand: Set[str]) -> Iterator[tuple[tuple[Meld, Meld], int]]:
    """Yield every way to lay out melds: the cards in sets, those in runs, and what all others count."""
    same_rank = [Meld(card for card in hand if place(card) == number) for number in range(1, 14)]
    sets = [Meld(group) for cards in same_rank for size in (3, 4) for group in combinations(sorted(cards), size)]
    runs = [row for row in ROWS if row <= hand]
    for chosen_sets, rest in disjoint(sets, Meld(hand)):
        for chosen_runs, loose in disjoint(runs, rest):
            yield (chosen_sets, chosen_runs), sum(map(worth, loose))


def disjoint(groups: Sequence[Meld], cards: Meld) -> Iterator[tuple[Meld, Meld]]:
    """Yield every choice of groups that share no card: all their cards, and the others."""
    yield Meld(), cards
    for number, group in enumerate(groups):
        if group <= cards:
            for others, rest in disjoint(groups[number + 1 :], cards - group):
                yield group | others, rest
