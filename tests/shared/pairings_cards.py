"""Answers of the actions of OpenSpiel's games of cards, dice and bids, and the outcomes of chance.

As in `pairings`, the tables follow from OpenSpiel's numbering of actions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Any

from lockstep import observed_view, outcome, points, won, zone
from pairing import NOTHING, OBSERVATIONS, STATES, Answers, Pairing
from rulewright.game.game import Game

RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
CDHS, CDSH = ("clubs", "diamonds", "hearts", "spades"), ("clubs", "diamonds", "spades", "hearts")

PLACES = ("a1", "b1", "c1", "d1", "e1")
LINES = (
    *("ones", "twos", "threes", "fours", "fives", "sixes"),
    *("chance", "four alike", "full house", "small straight", "large straight", "yacht"),
)
NUMBERS = [str(number) for number in range(18)]


def by_rank(suits: Sequence[str]) -> list[str]:
    """A deck as some games number it: first all cards of the lowest rank."""
    return [f"{rank} of {suit}" for rank, suit in product(RANKS, suits)]


def by_suit(suits: Sequence[str]) -> list[str]:
    return [f"{rank} of {suit}" for suit, rank in product(suits, RANKS)]


BY_RANK, BY_RANK_DSH = by_rank(CDHS), by_rank(CDSH)


def each_of(names: Sequence[str], first: int = 0) -> dict[int, Answers]:
    return {first + number: (name,) for number, name in enumerate(names)}


def dealt_round(deck: Sequence[str], players: int, before: int = 0) -> Callable[[Game, Any], int]:
    """A card to each player in turn, after so many other things that chance tells."""

    def fell(ours: Game, theirs: Any) -> int:
        row, seat = divmod(len(theirs.history()) - before, players)
        return deck.index(zone(ours, "hand", seat)[row])

    return fell


def counter(game: Game, name: str) -> int:
    """Return a counter's value; of one for each seat, that of the first. A seat is its number."""
    content = observed_view(game).counters[name]
    value = content[0] if isinstance(content, tuple) else content
    assert isinstance(value, int)
    return value


def auction(ours: Game, theirs: Any) -> int:
    """Return the value of the lot for each seat, then its buyer: there, chance decides even for one highest bid.

    It always costs less than it is worth.
    """
    seat = len(theirs.history())
    return int(zone(ours, "hand", seat)[0]) if seat < 2 else [gain > 0 for gain in points(ours)].index(True)


def cribbage() -> dict[int, Answers]:
    """A card that is laid; the two cards for the crib, of which the first tells most; or a pass, which is forced."""
    crib: dict[int, Answers] = {
        52 + 52 * one + other: (tuple(sorted((BY_VALUE[one], BY_VALUE[other]))),)
        for one, other in permutations(range(52), 2)
    }
    return {**crib, **each_of(BY_VALUE), 52 + 52 * 52: ()}


def cribbage_dealt(ours: Game, theirs: Any) -> int:
    """Six cards for each seat, then the starter, again and again."""
    row = sum(each.player < 0 for each in theirs.full_history()) % 13
    lies = zone(ours, "starter") if row == 12 else zone(ours, "hand", row // 6)
    return BY_VALUE.index(lies[row % 6])


def with_bonus(ours: Game) -> list[float]:
    """The winner has 1000 more, the loser 1000 less."""
    content = observed_view(ours).counters["points"]
    assert isinstance(content, tuple)
    totals = [total if isinstance(total, int) else 0 for total in content]
    return [float(total) + 1000 * bonus for total, bonus in zip(totals, won(ours), strict=True)]


def cubes() -> dict[int, Answers]:
    """Actions from a square one step in one of six ways, those of the first seat first; captures are not distinguished
    here."""
    results: dict[int, Answers] = {}
    for row, column, (way, (down, across)), answer in product(range(5), range(5), enumerate(STEPS), range(2)):
        start, spot = f"{'abcde'[column]}{row + 1}", (row + down, column + across)
        if spot in product(range(5), repeat=2):
            results[((row * 5 + column) * 6 + way) * 2 + answer] = (start, f"{'abcde'[spot[1]]}{spot[0] + 1}")
    return results


def laid_out(ours: Game, theirs: Any) -> int:
    """The cubes of black, then those of white, row by row, by which of all orders it is; then the die."""
    if len(theirs.history()) > 1:
        return int(zone(ours, "tray")[0]) - 1
    lies = [observed_view(ours).zone("place", word=square).pieces or () for square in CAMPS[len(theirs.history())]]
    return list(permutations(range(1, 7))).index(tuple(int(cube.split()[-1]) for [cube] in lies))


def hearts(ours: Game, theirs: Any) -> int:
    """Outcomes of chance where three cards go, to oneself where all keep them, then the deal."""
    if not theirs.history():
        receivers = observed_view(ours).counters["receiver"]
        assert isinstance(receivers, tuple)
        return 0 if receivers[0] is None else counter(ours, "receiver")
    return dealt_round(BY_RANK, 4, 1)(ours, theirs)


def oh_hell(ours: Game, theirs: Any) -> int:
    """Outcomes of chance: the number of cards for each, the dealer, the deal, and the trump."""
    text = len(theirs.history())
    if text < 2:
        return counter(ours, "tricks" if text == 0 else "dealer")
    if text - 2 < 3 * counter(ours, "tricks"):
        return dealt_round(BY_RANK_DSH, 3, 2)(ours, theirs)
    return BY_RANK_DSH.index(zone(ours, "trump card")[0])


def yacht() -> dict[int, Answers]:
    """First which of the five dice are rolled again, each a bit, where ours keeps the others; then which line is
    filled."""
    rolls: dict[int, Answers] = {bits: (places_of(~bits),) for bits in range(32)}
    return rolls | each_of(LINES, 32)


def places_of(bits: int) -> tuple[str, ...]:
    return tuple(place for bit, place in enumerate(PLACES) if bits >> bit & 1)


def yacht_rolled(ours: Game, theirs: Any) -> int:
    """Return the roll of the dice as a number, the first of them as its last digit."""
    before = theirs.history()[-1:]
    rolled = places_of(before[0]) if before and before[0] < 32 else PLACES
    view = observed_view(ours)
    views = {place: view.zone("spot", word=place).pieces or () for place in PLACES}
    return sum((int(views[place][0]) - 1) * 6**digit for digit, place in enumerate(rolled))


def backgammon() -> dict[int, Answers]:
    """Actions: from which of 24 points, or from the bar, two checkers go, the second one first, and whether the higher
    die goes first.

    Whoever cannot move any checker passes with both.
    """
    return dict.fromkeys(range(2 * 676), ("moved",)) | {late * 676 + 25 * 26 + 25: () for late in (0, 1)}


def backgammon_here(ours: Game) -> tuple[int, ...]:
    """Checkers of both players on the points and on the bar."""
    view = observed_view(ours)
    places = [view.zone("stack", word=point).pieces or () for point in (*POINTS, "f2")]
    return tuple(place.count(f"{colour} checker") for colour in ("white", "black") for place in places)


def backgammon_there(theirs: Any) -> tuple[int, ...]:
    bar = 100
    return tuple(theirs.board(seat, place) for seat in (0, 1) for place in (*range(24), bar))


def backgammon_rolled(ours: Game, theirs: Any) -> int:
    """The two dice, in either order; equal ones come last. Of the first roll, the order tells who begins."""
    before = sum(each.player < 0 for each in theirs.full_history())
    text = [line.text for line in ours.log.lines(None) if " rolled " in line.text][before]
    pips = [int(figure) for figure in text if figure.isdigit()]
    if pips[0] == pips[1]:
        return 29 + pips[0]
    later = text.startswith("Ben") if before == 0 else pips[0] > pips[1]
    return 2 * list(combinations(range(1, 7), 2)).index((min(pips), max(pips))) + later


def blackjack(ours: Game, theirs: Any) -> int:
    """Two cards for the player and two for the bank, the first of them face down; then what each draws."""
    done = theirs.full_history()
    if len(done) < 4:
        lies = zone(ours, "hand", 0) if len(done) < 2 else zone(ours, "face down") + zone(ours, "bank")
        return ACE_LOW.index(lies[len(done) % 2])
    decided = [number for number, each in enumerate(done) if each.player == 0]
    if done[-1].player == 0 and done[-1].action == HIT:
        return ACE_LOW.index(zone(ours, "hand", 0)[1 + len(decided)])
    return ACE_LOW.index(zone(ours, "bank")[1 + len(done) - decided[-1]])


def crazy_eights(ours: Game, theirs: Any) -> int:
    """Outcomes of chance: the dealer, five cards for each, left of the dealer first, the upcard, and the draws, each
    from the top of the stock."""
    deck, text = BY_RANK, len(theirs.history())
    if text == 0:
        return 52 + (counter(ours, "beginner") - 1) % 5
    if text <= 25:
        row, place = divmod(text - 1, 5)
        return deck.index(zone(ours, "hand", (counter(ours, "beginner") + place) % 5)[row])
    if text == 26:
        return deck.index(zone(ours, "pile")[0])
    seat = theirs.full_history()[-1].player
    done = [each.action for each in theirs.full_history() if each.player == seat]
    content = 5 + done[:-1].count(DRAW) - sum(action < 52 for action in done)
    return deck.index(zone(ours, "hand", seat)[content])


BRIDGE = [f"{suit} {value}" for value, suit in product(range(2, 15), CDHS)]
CALLS = [
    *("pass", "double", "redouble"),
    *(f"{level} {suit}" for level, suit in product(range(1, 8), (*CDHS, "notrump"))),
]
POINTS = [f"{letter}3" for letter in "lkjihgfedcba"] + [f"{letter}1" for letter in "abcdefghijkl"]
STEPS = ((1, 1), (1, 0), (0, 1), (-1, 0), (-1, -1), (0, -1))
CAMPS = (("a1", "b1", "c1", "a2", "b2", "a3"), ("e3", "d4", "e4", "c5", "d5", "e5"))
BY_VALUE = [f"{value} of {suit}" for suit, value in product(CDHS, range(1, 14))]
ACE_LOW = [f"{rank} of {suit}" for suit, rank in product(CDHS, ("ace", *RANKS[:-1]))]
HIT = 0
LADY = BY_RANK.index("queen of spades")
BID, HIGH, STAKES = 55, BRIDGE.index("clubs 11"), ("undoubled", "doubled", "redoubled")
DRAW, PASS = 52, 53
WINS = frozenset(["Ada wins", "Ben wins"])


# ── what chance would rarely meet ──


def done(theirs: Any) -> list[Any]:
    """Return the players' actions, each with its player."""
    return [each for each in theirs.full_history() if each.player >= 0]


def played_or_drawn(theirs: Any, action: int) -> str:
    """Crazy eights."""
    return ("draw", "pass")[action - DRAW] if DRAW <= action <= PASS else "suit" if action > PASS else "card"


def bid_or_card(theirs: Any, action: int) -> str:
    """Actions of games whose bids come after the 52 cards, the lowest first, which is none."""
    return "a card" if action < 52 else "a bid" if action > 52 else "a bid of nothing"


def filled(theirs: Any, action: int) -> str:
    """Yacht: how many dice are rolled again, or which line is filled."""
    return LINES[action - 32] if action >= 32 else f"{action.bit_count()} dice again"


def checkers_moved(theirs: Any, action: int) -> str:
    """Backgammon: from the bar, or with as many dice."""
    first, second = action % 676 % 26, action % 676 // 26
    return "from the bar" if 24 in (first, second) else "one die" if second == 25 else "both dice"


def out(theirs: Any) -> str:
    return "somebody is out" if 0 in theirs.returns() else "nobody is out"


def against_the_bank(theirs: Any) -> str:
    return ("lost", "equal", "won")[int(theirs.returns()[0]) + 1]


def hurts(card: int) -> int:
    """Return the points of hearts."""
    return 13 if card == LADY else int(card % 4 == 2)


def to_the_moon(theirs: Any, legal: list[int], chance: Random) -> int:
    """Hearts: the first seat gets high cards and plays high, the others just too low, and give it what hurts."""
    seat, way = theirs.current_player(), theirs.history()[0]
    plays = done(theirs)[12 if way else 0 :]
    if way and len(done(theirs)) < 12:
        return max(legal) if (seat + way) % 4 == 0 else min(legal)
    if seat == 0:
        return max(legal)
    trick = plays[len(plays) // 4 * 4 :]
    harmless = [card for card in legal if not hurts(card)] or legal
    if not trick:
        return min(harmless)
    led = trick[0].action % 4
    best = max((each for each in trick if each.action % 4 == led), key=lambda each: each.action)
    beaten = [card for card in legal if card % 4 != led or card < best.action]
    if best.player == 0 and beaten:
        return max(beaten, key=lambda card: (hurts(card), card))
    return max(harmless) if any(each.player == 0 for each in trick) else min(harmless)


def taking(theirs: Any, legal: list[int], chance: Random) -> int:
    """Take a cube, where that can be."""
    return chance.choice([action for action in legal if action % 2] or legal)


def cubes_left(theirs: Any) -> str:
    board = str(theirs)
    return "a corner" if "b" in board and "w" in board else "no cubes left"


def moon(theirs: Any) -> str:
    return "all that hurts" if sorted(theirs.returns()) == [0, 0, 0, 26] else outcome(theirs.returns())


def no_bids(theirs: Any, legal: list[int], chance: Random) -> int:
    """Spades: nobody bids anything; the first and the third seat play high, the others just too low."""
    if legal[0] >= 52:
        return legal[0]
    cards = [each.action for each in done(theirs)[4:]]
    trick = cards[len(cards) // 4 * 4 :]

    def force(card: int) -> int:
        return card % 13 + 13 * (card // 13 == 3) if card // 13 in (3, trick[0] // 13) else -1

    by_height = sorted(legal, key=lambda card: (card % 13, card))
    if theirs.current_player() % 2 == 0:
        return by_height[-1]
    beaten = [card for card in by_height if trick and force(card) < max(map(force, trick))]
    return beaten[-1] if beaten else by_height[0]


def bags(theirs: Any) -> str:
    bids = [each.action - 52 for each in done(theirs)[:4]]
    tricks = [int(number) for number in str(theirs).partition("Tricks taken:")[2].split()[4:8]]
    over = [sum(tricks[pair::2]) - sum(bids[pair::2]) for pair in range(2)]
    stored = any(bid == taken == 0 for bid, taken in zip(bids, tricks, strict=True))
    if max(over) >= 10 or stored:
        return "ten bags" if max(over) >= 10 else "a nil is kept"
    return "a nil is broken" if 0 in bids else "bids alone"


def for_the_declarer(theirs: Any, legal: list[int], chance: Random) -> int:
    """Bridge: the side of the highest bid plays high, but not on a high card of its own, the others low."""
    bidder = next(each.player for each in reversed(done(theirs)) if each.action >= BID)
    cards = [each.action for each in done(theirs) if each.action < 52]
    trick = cards[len(cards) // 4 * 4 :]
    safe = len(trick) >= 2 and trick[-2] % 4 == trick[0] % 4 and trick[-2] >= HIGH
    return max(legal) if theirs.current_player() % 2 == bidder % 2 and not safe else min(legal)


def auction_call(theirs: Any, action: int) -> str:
    return "a card" if action < 52 else ("a pass", "a double", "a redouble", "a bid")[min(action - 52, 3)]


def contract(theirs: Any) -> str:
    calls = [each for each in done(theirs) if each.action >= 52]
    final = max((number for number, call in enumerate(calls) if call.action >= BID), default=None)
    if final is None:
        return "passed out"
    stakes = sum(call.action in (53, 54) for call in calls[final:])
    result = theirs.returns()[calls[final].player] > 0
    return f"{STAKES[stakes]}, {'made' if result else 'failed'}"


CARDS = {
    pairing.name: pairing
    for pairing in (
        Pairing(
            "first_sealed_auction",
            each_of(NUMBERS[:10]),
            fell=auction,
            returns=points,
            secret=STATES,
            sealed=True,
            listed=True,
            meets=WINS,
        ),
        Pairing(
            "backgammon",
            backgammon(),
            shelf="../../editions/classics/backgammon.yaml",
            begins=frozenset(["use both dice.start"]),
            forced=frozenset(["pick up.finish"]),
            positions=(backgammon_here, backgammon_there),
            fell=backgammon_rolled,
            class_of=checkers_moved,
            meets=WINS | {"from the bar", "one die", "both dice"},
        ),
        Pairing(
            "blackjack",
            each_of(["hit", "stand"]),
            fell=blackjack,
            returns=points,
            secret=STATES,
            class_of=lambda theirs, action: ("a hit", "no more")[action],
            ended=against_the_bank,
            meets=frozenset(["a hit", "no more", "lost", "equal", "won"]),
        ),
        Pairing(
            "bridge(use_double_dummy_result=False)",
            each_of(BRIDGE) | each_of(CALLS, 52),
            fell=dealt_round(BRIDGE, 4),
            returns=points,
            secret=STATES,
            ended=contract,
            class_of=auction_call,
            meets=frozenset(
                [
                    *("a card", "a pass", "a double", "a redouble", "a bid", "passed out"),
                    *(f"{stakes}, {end}" for stakes, end in product(STAKES, ("made", "failed"))),
                ]
            ),
            steer=for_the_declarer,
            openings=[
                (52, 52, 52, 52),
                *((bid, *calls, 52, 52, 52) for bid in (BID, BID + 34) for calls in ((), (53,), (53, 54))),
            ],
        ),
        Pairing(
            "crazy_eights",
            each_of(BY_RANK) | {DRAW: NOTHING, PASS: NOTHING} | each_of(CDHS, 54),
            shelf="../../editions/classics/crazy-eights.yaml",
            options={"length": "single deal", "steep prices": "yes"},
            fell=crazy_eights,
            returns=lambda ours: [-each for each in points(ours)],
            secret=OBSERVATIONS,
            class_of=played_or_drawn,
            ended=out,
            meets=frozenset(["draw", "pass", "suit", "card", "somebody is out", "nobody is out"]),
        ),
        Pairing(
            "cribbage",
            cribbage(),
            fell=cribbage_dealt,
            returns=with_bonus,
            secret=STATES,
            sealed=True,
            class_of=lambda theirs, action: "a card" if action < 52 else "two for the crib",
            meets=WINS | {"a card", "two for the crib"},
        ),
        Pairing(
            "einstein_wurfelt_nicht",
            cubes(),
            fell=laid_out,
            class_of=lambda theirs, action: "a cube is taken" if action % 2 else "a cube moves",
            steer=taking,
            ended=cubes_left,
            meets=frozenset(["a cube is taken", "a cube moves", "a corner", "no cubes left"]),
        ),
        Pairing(
            "hearts",
            each_of(BY_RANK),
            shelf="../../editions/classics/hearts.yaml",
            options={"length": "single deal"},
            fell=hearts,
            returns=lambda ours: [26 - each for each in points(ours)],
            secret=STATES,
            sealed=True,
            one_by_one=True,
            ended=moon,
            meets=WINS | {"Cleo wins", "Dora wins", "a draw", "all that hurts"},
            steer=to_the_moon,
        ),
        Pairing(
            "oh_hell",
            each_of(BY_RANK_DSH) | each_of(NUMBERS[:18], 52),
            shelf="../../editions/classics/oh-hell.yaml",
            options={"length": "single deal"},
            fell=oh_hell,
            returns=points,
            secret=STATES,
            class_of=bid_or_card,
            meets=WINS | {"Cleo wins", "a draw", "a card", "a bid", "a bid of nothing"},
        ),
        Pairing(
            "spades",
            each_of(by_suit(CDHS)) | each_of(NUMBERS[:14], 52),
            fell=dealt_round(by_suit(CDHS), 4),
            returns=points,
            secret=OBSERVATIONS,
            class_of=bid_or_card,
            ended=bags,
            meets=frozenset(
                [
                    *("a card", "a bid", "a bid of nothing"),
                    *("ten bags", "a nil is kept", "a nil is broken", "bids alone"),
                ]
            ),
            steer=no_bids,
        ),
        Pairing(
            "yacht",
            yacht(),
            shelf="../../editions/classics/yacht.yaml",
            fell=yacht_rolled,
            class_of=filled,
            meets=WINS | {"a draw", *LINES, *(f"{dice} dice again" for dice in range(6))},
            seeds=(12,),
        ),
    )
}
