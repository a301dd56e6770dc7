"""Editions, the OpenSpiel games with which they are compared, and the answers of each action.

The tables follow from OpenSpiel's numbering of actions; they know nothing of a position.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, product, zip_longest
from random import Random
from typing import Any

import openings
import project_folders
from lockstep import points, zone
from pairing import STATES, Answers, Pairing
from pairings_boards import BOARDS
from pairings_cards import CARDS
from pairings_gin import GIN
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.library import Rules
from spaces import space, squares


def words(*each: str) -> dict[int, Answers]:
    return {number: (word,) for number, word in enumerate(each)}


def breakthrough() -> dict[int, Answers]:
    """Actions from a square in one of six directions, the three downwards first; captures are not distinguished
    here."""
    results: dict[int, Answers] = {}
    for row, column, way, answer in product(range(8), range(8), range(6), range(2)):
        down, across = (1, way - 1) if way < 3 else (-1, way - 4)
        if 0 <= row + down < 8 and 0 <= column + across < 8:
            number = ((row * 8 + column) * 6 + way) * 2 + answer
            results[number] = (space(row, column), space(row + down, column + across))
    return results


def clobber() -> dict[int, Answers]:
    """Actions from a square up, right, down or left."""
    results: dict[int, Answers] = {}
    for row, column, (way, (down, across)) in product(
        range(5), range(6), enumerate(((-1, 0), (0, 1), (1, 0), (0, -1)))
    ):
        if 0 <= row + down < 5 and 0 <= column + across < 6:
            results[(row * 6 + column) * 4 + way] = (space(row, column), space(row + down, column + across))
    return results


def nim() -> dict[int, Answers]:
    """Actions that take some from one of four heaps: first one from each, then two from each, and so on."""
    heaps = ("ones", "threes", "fives", "sevens")
    return {(amount - 1) * 4 + heap: (heaps[heap], str(amount)) for amount in range(1, 8) for heap in range(4)}


def triangle(size: int) -> dict[int, Answers]:
    """Likewise, but each row is shorter by one than the one above it."""
    return {
        row * size + column: (space(row, column + row // 2),) for row in range(size) for column in range(size - row)
    }


def strokes(size: int) -> dict[int, Answers]:
    """Actions of dots and boxes: first all horizontal lines, then all vertical ones.

    Each second row of the map is one of dots.
    """
    across: dict[int, Answers] = {
        row * size + column: (space(2 * row, 2 * column + 1),) for row in range(size + 1) for column in range(size)
    }
    down: dict[int, Answers] = {
        (size + row) * (size + 1) + column: (space(2 * row + 1, 2 * column),)
        for row in range(size)
        for column in range(size + 1)
    }
    return across | down


# ── what chance has come to ──


def dealt(least: int) -> Callable[[Game, Any], int]:
    """One number for each seat, in its hand. least: the one that counts as 0."""
    return lambda ours, theirs: int(zone(ours, "hand", len(theirs.history()))[0]) - least


def rolled(ours: Game, theirs: Any) -> int:
    return int(zone(ours, "table")[0]) - 1


def turned_up(ours: Game, theirs: Any) -> int:
    return int(zone(ours, "prize")[0].split()[-1]) - 1


def leduc(ours: Game, theirs: Any) -> int:
    """A card for each of the two seats, then one for both; first by ranks, then by suits."""
    seat = len(theirs.history())
    [card] = zone(ours, "hand", seat) if seat < 2 else zone(ours, "table")
    rank, _, suit = card.partition(" of ")
    return (int(rank) - 1) * 2 + (suit == "hearts")


# ── what chance would rarely meet ──

WINS = frozenset(["Ada wins", "Ben wins"])
ENDS = WINS | {"a draw"}


def by_names(*names: str) -> Callable[[Any, int], str]:
    """The class of each action is its name."""
    return lambda theirs, action: names[action]


def full_board(size: int) -> tuple[int, ...]:
    """A row of moves that fill a square board in such a way that nobody has more than two in a row, but for the last
    two spaces: pairs of columns change colour from row to row."""
    first: list[int] = []
    second: list[int] = []
    for row, column in product(range(size), repeat=2):
        (first if (column // 2 + row) % 2 == 0 else second).append(row * size + column)
    longer, shorter = sorted((first, second), key=len, reverse=True)
    surplus = (len(longer) - len(shorter)) // 2
    shorter, longer = shorter + longer[len(longer) - surplus :], longer[: len(longer) - surplus]
    return tuple(chain.from_iterable(zip_longest(longer, shorter)))[: size * size]


def towards_full_board(theirs: Any, legal: list[int], chance: Random) -> int:
    """Connect four without a winner, if it can be: none of the moves that win at once."""
    harmless = [action for action in legal if not theirs.child(action).is_terminal()]
    return chance.choice(harmless or legal)


def raising(theirs: Any, legal: list[int], chance: Random) -> int:
    """Mostly raise, where that is allowed: the highest stakes take four raises."""
    return RAISE if RAISE in legal and chance.random() < 0.75 else chance.choice(legal)


def ended_with(theirs: Any) -> str:
    return f"ended with {[int(each) for each in theirs.returns()]}"


def captures(theirs: Any, action: int) -> str:
    return "a pawn is taken" if action % 2 else "a pawn moves"


def breakthrough_end(theirs: Any) -> str:
    board = "".join(line[1:] for line in str(theirs).splitlines()[:8])
    winner = "Ada" if theirs.returns()[0] > 0 else "Ben"
    return f"{winner} arrives" if "b" in board and "w" in board else f"{winner} takes all"


def again(theirs: Any, action: int) -> str:
    after = theirs.child(action)
    same = not after.is_terminal() and after.current_player() == theirs.current_player()
    return "another turn" if same else "one turn"


def bid_or_doubt(theirs: Any, action: int) -> str:
    return "a doubt" if action == LIAR else "a bid"


MANCALA = {house + 1: (f"{column}3",) for house, column in enumerate("bcdefg")} | {
    house + 8: (f"{column}1",) for house, column in enumerate("gfedcb")
}
BIDS = {bid: (f"q{bid // 6 + 1}f{bid % 6 + 1}",) for bid in range(12)}
LIAR, PASS, RAISE = 12, 64, 2

PAIRINGS = {
    pairing.name: pairing
    for pairing in (
        Pairing("amazons", squares(10, 10), meets=WINS),
        Pairing(
            "breakthrough",
            breakthrough(),
            class_of=captures,
            ended=breakthrough_end,
            meets=frozenset(
                [
                    *("a pawn is taken", "a pawn moves"),
                    *(f"{name} {does}" for name in ("Ada", "Ben") for does in ("arrives", "takes all")),
                ]
            ),
            openings=openings.BREAKTHROUGH,
        ),
        Pairing("clobber", clobber(), meets=WINS),
        Pairing(
            "connect_four",
            {column: (space(5, column),) for column in range(7)},
            shelf="../../editions/classics/four-in-a-row.yaml",
            meets=ENDS,
            steer=towards_full_board,
        ),
        Pairing(
            "dots_and_boxes(num_rows=4,num_cols=4)",
            strokes(4),
            class_of=again,
            meets=ENDS | {"another turn", "one turn"},
        ),
        Pairing("goofspiel", {card: (str(card + 1),) for card in range(13)}, fell=turned_up, secret=STATES, meets=ENDS),
        Pairing(
            "hex",
            squares(11, 11),
            shelf="../../editions/classics/hex.yaml",
            options={"first move": "keep"},
            meets=WINS,
        ),
        Pairing(
            "kuhn_poker",
            words("pass", "bet"),
            fell=dealt(1),
            returns=points,
            secret=STATES,
            listed=True,
            class_of=by_names("pass", "bet"),
            ended=ended_with,
            meets=frozenset(["pass", "bet", *(f"ended with {[stake, -stake]}" for stake in (-2, -1, 1, 2))]),
        ),
        Pairing(
            "leduc_poker",
            words("fold", "call", "raise"),
            fell=leduc,
            returns=points,
            secret=STATES,
            listed=True,
            class_of=by_names("fold", "call", "raise"),
            ended=ended_with,
            meets=frozenset(
                [
                    "fold",
                    "call",
                    "raise",
                    *(f"ended with {[stake, -stake]}" for stake in range(-13, 14, 2)),
                    "ended with [0, 0]",
                ]
            ),
            steer=raising,
        ),
        Pairing(
            "liars_dice",
            {**BIDS, LIAR: ("liar",)},
            fell=dealt(1),
            secret=STATES,
            listed=True,
            class_of=bid_or_doubt,
            meets=WINS | {"a bid", "a doubt"},
        ),
        Pairing(
            "mancala",
            MANCALA,
            shelf="../../editions/classics/mancala.yaml",
            class_of=again,
            meets=ENDS | {"another turn", "one turn"},
        ),
        Pairing(
            "matching_pennies_3p",
            words("heads", "tails"),
            returns=points,
            secret=STATES,
            listed=True,
            class_of=by_names("heads", "tails"),
            ended=ended_with,
            meets=frozenset(
                [
                    "heads",
                    "tails",
                    *(f"ended with {[a, b, c]}" for a, b, c in ((1, 1, -1), (1, -1, 1), (-1, 1, 1), (-1, -1, -1))),
                ]
            ),
        ),
        Pairing("mnk", squares(15, 15), meets=ENDS, openings=(full_board(15)[:-30],)),
        Pairing("nim", nim(), meets=WINS),
        Pairing(
            "othello",
            {**squares(8, 8), PASS: ()},
            shelf="../../editions/classics/reversi.yaml",
            meets=ENDS,
            openings=openings.DRAWN_OTHELLO,
        ),
        Pairing(
            "pig",
            words("roll", "stop"),
            fell=rolled,
            listed=True,
            class_of=by_names("roll", "stop"),
            meets=WINS | {"roll", "stop"},
        ),
        Pairing("tic_tac_toe", squares(3, 3), meets=ENDS),
        Pairing(
            "tiny_hanabi",
            words("plain", "striped", "dotted"),
            fell=dealt(0),
            returns=points,
            secret=STATES,
            listed=True,
            class_of=by_names("plain", "striped", "dotted"),
            ended=ended_with,
            meets=frozenset(["plain", "striped", "dotted", *(f"ended with {[p, p]}" for p in (0, 4, 8, 10))]),
        ),
        Pairing("y", triangle(19), meets=WINS),
    )
} | {**BOARDS, **CARDS, GIN.name: GIN}


def rules_of(name: str, *changes: tuple[str, str]) -> Rules:
    """The edition of a game; changes: what is replaced in its text, and by what."""
    text = (project_folders.TESTS / "openspiel" / PAIRINGS[name].edition).read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return library.from_text(text)
