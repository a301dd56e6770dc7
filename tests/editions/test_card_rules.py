"""Card games of the shelf beside models of their published rules: what may be played, and what it scores."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection

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

    def answer(self, seat: int, allowed: Collection[str], likely: Collection[str] = ()) -> str:
        """The answer of a seat, which is the only one asked, and has these choices. likely: of which one is taken."""
        [decision] = self.game.decisions()
        assert decision.seat == seat
        assert sorted(choice.key for choice in decision.choices) == sorted(allowed)
        key = self.chance.choice(sorted(likely or allowed))
        self.game.answer(seat, [key])
        return key

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
    """What a seat bids: as many tricks as it has high cards, or nil."""
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
