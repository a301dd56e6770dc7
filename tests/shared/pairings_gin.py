"""Answers of the actions of OpenSpiel's gin rummy, and steering towards rare play."""

from __future__ import annotations

from itertools import combinations, product
from random import Random
from typing import Any

from lockstep import points, zone
from pairing import NOTHING, OBSERVATIONS, Answers, Pairing
from rulewright.game.game import Game

SUITS = ("spades", "clubs", "diamonds", "hearts")
CARDS = [f"{rank} of {suit}" for suit in SUITS for rank in range(1, 14)]
SORTS = ("set of 3", "set of 4", "run of 3", "run of 4", "run of 5")
TAKE, DRAW, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56


def melds() -> list[tuple[int, ...]]:
    """Melds in the order of their numbers: of each rank those without one suit, then all four; then runs of three, of
    four and of five, suit by suit."""
    results: list[tuple[int, ...]] = []
    for rank in range(13):
        same = [rank + 13 * suit for suit in range(4)]
        results += [*reversed(list(combinations(same, 3))), tuple(same)]
    for size in (3, 4, 5):
        results += [
            tuple(13 * suit + rank + more for more in range(size)) for suit in range(4) for rank in range(14 - size)
        ]
    return results


def actions() -> dict[int, Answers]:
    """Actions: discard or add a card; take one, draw one, pass, knock; lay out a meld."""
    results: dict[int, Answers] = {number: (card,) for number, card in enumerate(CARDS)}
    results |= {TAKE: ("take",), DRAW: ("draw",), PASS: NOTHING, KNOCK: ("knock",)}
    return results | {
        MELDS + number: (tuple(sorted(CARDS[card] for card in meld)),) for number, meld in enumerate(melds())
    }


def fell(ours: Game, theirs: Any) -> int:
    """The deal, one hand after the other; the card that is turned up; then whatever is drawn."""
    text = len(theirs.history())
    if text < 20:
        return CARDS.index(zone(ours, "hand", text // 10)[text % 10])
    if text == 20:
        return CARDS.index(zone(ours, "discard pile")[0])
    return CARDS.index(zone(ours, "hand", theirs.full_history()[-1].player)[-1])


# ── what chance would rarely meet ──


def phase(theirs: Any) -> str:
    return str(theirs).partition("Phase: ")[2].split()[0]


def deadwood(theirs: Any, seat: int) -> int:
    """Return the deadwood of a seat's hand, or of its rest after a discard."""
    return int(str(theirs).partition(f"Player{seat}: Deadwood=")[2].split()[0])


def sort_of(theirs: Any, action: int) -> str:
    now = phase(theirs)
    if action == PASS and now in ("Knock", "Layoff"):
        return "pass after a knock"
    if action >= MELDS:
        meld = melds()[action - MELDS]
        kind = "run" if meld[1] == meld[0] + 1 else "set"
        return f"{kind} of {len(meld)}, {now}"
    return f"{('take', 'draw', 'pass', 'knock')[action - TAKE] if action >= TAKE else 'card'}, {now}"


def ended(theirs: Any) -> str:
    knocker = next((each.player for each in theirs.full_history() if each.action == KNOCK and each.player >= 0), None)
    if knocker is None:
        return {PASS: "the wall", TAKE: "fifty taken"}.get(theirs.history()[-1], "thrown back twice")
    won = theirs.returns()[knocker]
    if deadwood(theirs, knocker) == 0:
        return "gin"
    return "an undercut" if won < 0 else "equal" if won == 0 else "a knock"


def steered(theirs: Any, legal: list[int], chance: Random) -> int:
    """Strategies of seven games: in two the card taken is thrown back or is always taken, in one nobody knocks before
    the wall, and in four all knock as soon as they can, or wait for gin; in these, all collect melds."""
    way, seat, now = sum(theirs.history()[:5]) % 7, theirs.current_player(), phase(theirs)
    if KNOCK in legal and (way in (3, 4) or (way > 4 and deadwood(theirs, seat) == 0)):
        return KNOCK
    if now in ("FirstUpcard", "Draw") and TAKE in legal:
        other = DRAW if DRAW in legal else PASS
        return TAKE if way < 2 or better(theirs, TAKE, seat) < deadwood(theirs, seat) else other
    if now == "Discard":
        cards = [action for action in legal if action < TAKE]
        answer = theirs.history()[-1] == TAKE
        if answer and way == 0:
            return next(card for card in cards if CARDS[card] == upcard_before(theirs))
        if answer and way == 1:
            return chance.choice([card for card in cards if CARDS[card] != upcard_before(theirs)])
        return min(cards, key=lambda card: (better(theirs, card, seat), chance.random()))
    rather = [action for action in legal if action != PASS]
    return chance.choice(rather if rather and chance.random() < 0.8 else legal)


def better(theirs: Any, action: int, seat: int) -> int:
    """The deadwood of a seat after an action."""
    after = theirs.clone()
    after.apply_action(action)
    return deadwood(after, seat)


def upcard_before(theirs: Any) -> str:
    """The card that has just been taken."""
    text = str(theirs).partition("Prev upcard: ")[2].split()[0]
    return f"{'A23456789TJQK'.index(text[0]) + 1} of {SUITS['scdh'.index(text[1])]}"


GIN = Pairing(
    "gin_rummy",
    actions(),
    unsaid=frozenset(["take a turn.knocking"]),
    together=frozenset(["knock.melded"]),
    fell=fell,
    returns=points,
    secret=OBSERVATIONS,
    class_of=sort_of,
    ended=ended,
    meets=frozenset(
        [
            *("take, FirstUpcard", "pass, FirstUpcard", "draw, FirstUpcard", "take, Draw", "draw, Draw"),
            *("card, Discard", "knock, Discard", "knock, Wall", "pass, Wall", "pass after a knock"),
            *(f"{what}, {when}" for what, when in product(("card", *SORTS), ("Knock", "Layoff"))),
            *("a knock", "gin", "an undercut", "equal", "the wall", "fifty taken", "thrown back twice"),
        ]
    ),
    steer=steered,
    seeds=(43, 15, 72, 63, 9, 58, 74, 8, 102, 92, 55),
)
