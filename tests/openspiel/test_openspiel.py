"""Our editions of OpenSpiel's games, held against OpenSpiel in lock step; and whether a fault would be found."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel")

import project_folders  # noqa: E402
from lockstep import LEFT_OUT, Difference, LockStep  # noqa: E402 - they need OpenSpiel
from pairings import PAIRINGS, rules_of  # noqa: E402
from rulewright.authoring.edition_check import examine  # noqa: E402
from rulewright.syntax.formatter import format_file  # noqa: E402

FOLDER = Path(__file__).parent
GAMES = int(os.environ.get("RULEWRIGHT_OPENSPIEL_GAMES", "2"))
"""Minimum number of plays of each game."""

MOST_LINES = 125
MOST_SHELF_LINES = 275
"""Lines of an edition of the shelf, with what people play besides: matches, a doubling cube, notation."""
FOR_PEOPLE = {"age", "credits", "index", "looks", "minutes", "options", "rulings", "series", "text"}
"""Keys; an index is what stands in the corner of a card. Options are what is not part of the game as families play
it."""
MOST = 2000
"""Games at most until all that is rare has been met; mostly a few are enough."""
FIRST_SEED = int(os.environ.get("RULEWRIGHT_OPENSPIEL_SEED", str(int(time.time()) // 86_400)))
"""Another one every day."""

each_pairing = pytest.mark.parametrize("name", PAIRINGS)
LONG = {"backgammon": 6, "chess": 12, "gin_rummy": 12, "go": 6, "goofspiel": 10, "havannah": 6}
"""Games that take seconds, and of how many checks one plays them."""


def lock_step(name: str, *changes: tuple[str, str]) -> LockStep:
    return LockStep(PAIRINGS[name], rules_of(name, *changes))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.rotating(LONG.get(name, 3))) for name in PAIRINGS]
)
def test_both_implementations_play_the_same_game(name: str) -> None:
    """Games are played until every class of action and every way to end has occurred."""
    step, played = lock_step(name), 0
    while played < GAMES or (step.missing() and played < MOST):
        step.play(FIRST_SEED * MOST + played, steered=played % 4 > 0)
        played += 1
    assert step.missing() == []
    assert step.unlisted() == []


@pytest.mark.rotating(3)
@each_pairing
def test_the_edition_is_short_and_without_a_warning(name: str) -> None:
    path = FOLDER / PAIRINGS[name].edition
    most = MOST_SHELF_LINES if PAIRINGS[name].shelf else MOST_LINES
    assert len(rules_alone(path.read_text(encoding="utf-8")).splitlines()) <= most
    report = examine(str(path))[1]
    assert [found.message for found in (*report.errors, *report.warnings)] == []


def rules_alone(text: str) -> str:
    """Compare without texts for people, also in editions of the shelf."""

    def cut(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: cut(value) for key, value in node.items() if key not in FOR_PEOPLE | {"title"}}
        return [cut(item) for item in node] if isinstance(node, list) else node

    edition = yaml.load(text, yaml.BaseLoader)
    rules = {"rulewright": "1", "title": edition["title"]} | cut(edition)
    return format_file(None, "edition", yaml.safe_dump(rules, sort_keys=False, width=1000))


@each_pairing
def test_every_openspiel_action_is_in_the_table(name: str) -> None:
    """Actions that the game can have are in the table; some games have numbers that are no action."""
    step, known = lock_step(name), set[int]()
    for seed in range(3):
        state, chance = step.game.new_initial_state(), random.Random(seed)
        while not state.is_terminal():
            if state.is_simultaneous_node():
                legal = [state.legal_actions(seat) for seat in range(step.game.num_players())]
                known.update(*legal)
                state.apply_actions([chance.choice(actions) for actions in legal])
            elif state.is_chance_node():
                state.apply_action(chance.choice(state.legal_actions()))
            else:
                known.update(state.legal_actions())
                state.apply_action(chance.choice(state.legal_actions()))
    assert known <= PAIRINGS[name].actions.keys()


FAULTS = {
    "a line that is too long": ("tic_tac_toe", ("is at least 3", "is at least 4")),
    "discs that float": ("connect_four", ("as long as place is empty", "as far as place is empty")),
    "a direction that is forgotten": ("othello", ("directions of spot as long", "straight of spot as long")),
    "a goal that is too near": ("breakthrough", ("goal: 1}", "goal: 2}")),
    "a heap of the wrong size": ("nim", ("sevens: {size: 7}", "sevens: {size: 6}")),
    "a side that is reached too early": ("hex", ("mine connected to mine in home", "mine connected to cells in home")),
    "a card that is shown": ("kuhn_poker", ("hand: {of: seat, seen by: owner}", "hand: {of: seat, seen by: all}")),
    "a pair that counts for nothing": ("leduc_poker", (" + 9 * ", " + 0 * ")),
    "bids one after the other": ("goofspiel", ("all seats at once", "each seat")),
    "one line for each turn": ("dots_and_boxes", ("if closed is empty: set", "if 1 is 1: set")),
    "seeds in the wrong store": ("mancala", ("here's sort is house or here's side is my side", "yes")),
    "a bid that is lost": ("first_sealed_auction", ("seats with highest bid", "seats with lowest bid")),
    "hearts that never break": ("hearts", ("set broken to yes", "set broken to no")),
    "spades that are no trump": ("spades", ("played where suit is spades", "played where suit is led")),
    "a last bid that is free": ("oh_hell", ("you is not dealer or", "you is dealer or")),
    "eights that are not crazy": ("crazy_eights", ("rank is eight or rank is", "rank is")),
    "a bank that stands too early": ("blackjack", ("bank stands: 17", "bank stands: 16")),
    "checkers that leave too early": ("backgammon", ("home size: {is: 6", "home size: {is: 12")),
    "a fine that grows too slowly": ("bridge", ("300 * won + 400", "200 * won + 400")),
    "runs that count once": ("cribbage", ("length * number of runs in five", "length")),
    "a cube that is too far": (
        "einstein_wurfelt_nicht",
        ("less than total pips of dice with highest", "less than total pips of dice with lowest"),
    ),
    "a house of three and one": ("yacht", ("pips is 2", "pips is 1")),
    "a quarter turned the wrong way": ("pentago", ("north: east", "north: west")),
    "men that never jump": ("nine_mens_morris", ("if rest is 3: set foe's", "if rest is 9: set foe's")),
    "a try that is not noted": ("dark_hex", ("set entry's sign to rival's sign", "set entry's sign to blank")),
    "a new king that jumps on": (
        "checkers",
        (
            "sort to king\n",
            "sort to king\n              - if any jump for mover's square: set here to mover's square\n",
        ),
    ),
    "a check that is not parried": ("chess", ("check or start is king or passed", "start is king or passed")),
    "a jump over theirs": (
        "lines_of_action",
        ("(any place has (colour is not my colour))", "possible"),
    ),
    "a ko that is taken back": ("go", ("set ko to caught", "set ko to nothing")),
    "a board that is forgotten": ("go", ("is among past: end game", "is 0: end game")),
    "seeds that all are taken": ("oware", ("number of catch is less than", "number of catch is at most")),
    "rooks that have never moved": ("chess", ("one: set one's able to no", "one: set passed to nothing")),
    "a pawn that can be taken for ever": ("chess", (" where (passed is nothing)", "")),
    "a pawn that nobody could take": (
        "chess",
        (" and any corners for (my ahead of start) has (foe for (it, pawn, pawn))", ""),
    ),
    "men that are not counted anew": ("chess", ("number of past is 51", "number of past is 50")),
    "houses that are forgotten": ("oware", (" or position of houses is among past", "")),
    "a board that is all right again": ("lines_of_action", (" or position of squares is among past", "")),
    "a fork of two sides": ("havannah", ("sides of chain is at least 3", "sides of chain is at least 2")),
    "a set of three and one": ("gin_rummy", (" of them by rank is number of them}", " of them by rank is at least 3}")),
    "a run with a gap": ("gin_rummy", ("among them is number of them}", "among them is at least 3}")),
    "a wall that comes too early": ("gin_rummy", ("wall: 2", "wall: 12")),
    "the wrong one wins": ("clobber", ("each opponent: set won to yes", "set won to yes")),
}


CHECKED = [
    pytest.param(*fault, marks=[pytest.mark.long] if at % 3 else [], id=what)
    for at, (what, fault) in enumerate(FAULTS.items())
]


@pytest.mark.rotating(3)
@pytest.mark.parametrize(("name", "change"), CHECKED)
def test_a_planted_fault_is_found(name: str, change: tuple[str, str]) -> None:
    step = lock_step(name, change)
    with pytest.raises(Difference):
        for seed in range(200):
            step.play(seed, steered=seed < len(PAIRINGS[name].openings) or seed % 2 == 1)


TABLES = """
import sys, types
if sys.argv[1] == "blocked":
    sys.modules["pyspiel"] = types.ModuleType("pyspiel")
from pairings import PAIRINGS
for name, pairing in PAIRINGS.items():
    print(name, sorted(pairing.actions.items()), sorted((pairing.second or {}).items()))
"""


@pytest.mark.rotating(2)
def test_tables_do_not_depend_on_positions() -> None:
    """Tables are the same where OpenSpiel is not installed."""
    blocked, free = (
        subprocess.run(
            [sys.executable, "-c", TABLES, how],
            env={**os.environ, "PYTHONPATH": str(project_folders.TESTS / "shared")},
            check=True,
            capture_output=True,
        ).stdout
        for how in ("blocked", "free")
    )
    assert blocked == free
    assert b"chess" in free


@pytest.mark.rotating(2)
def test_forced_actions_are_skipped_and_counted() -> None:
    """A seat that can turn nothing passes in OpenSpiel's reversi; here it is not asked."""
    step = lock_step("othello")
    for seed in range(6):
        step.play(seed)
    assert step.counts[LEFT_OUT] > 0
