"""What chance can come to after an action: every game with its odds, each only once where nobody could tell them apart.

A pile that nobody sees and that has been shuffled is in no order yet: which piece comes next is left to the moment when
it comes. That is so if all orders of what lies there are equally likely and come to the same otherwise, which is found
by trying all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod

from rulewright.base.records import record
from rulewright.game.chance_outcomes import PossibleGame, beginnings, outcomes
from rulewright.game.game import Game
from rulewright.program.form import Layout
from rulewright.rl.environment_spec import Arena
from rulewright.runtime.state import State

MOST_LISTED = 1000
"""Outcomes of one action."""
MOST_ORDERS = 120
"""Of piles that are in no order: of so many orders at most."""

RANDOM_INSTRUCTIONS = {"deal", "draw", "pour", "random", "shuffle"}


@record
class ChanceOutcome:
    """odds: all of one list together have 1; loose: the cells of zones that are in no order."""

    odds: Fraction
    game: Game
    loose: tuple[int, ...]


def leaves_to_chance(arena: Arena) -> bool:
    """Whether anything in a game may be left to chance."""
    return any(i[0] in RANDOM_INSTRUCTIONS for i in arena.program.code) or len(arena.agents) < len(arena.names)


def openings(arena: Arena) -> list[ChanceOutcome]:
    """What the set-up can come to. Raises TooManyOutcomes."""
    found = beginnings(arena.rules, arena.names, arena.options, arena.roles, MOST_LISTED, arena.foreseeing)
    return _merged(arena.program.layout, found)


def after(arena: Arena, game: Game, loose: Sequence[int], seat: int, keys: Sequence[str]) -> list[ChanceOutcome]:
    """What an answer can come to. loose: the cells of zones that are in no order. Raises TooManyOutcomes."""

    def answered(other: Game) -> list[PossibleGame]:
        return outcomes(other, seat, keys, MOST_LISTED, arena.foreseeing)

    return _merged(arena.program.layout, _in_every_order(game, loose, answered))


def _in_every_order(
    game: Game, loose: Sequence[int], answered: Callable[[Game], list[PossibleGame]]
) -> list[PossibleGame]:
    state = game.state
    orders = list(product(*(list(permutations(state[cell])) for cell in loose)))
    found = []
    for order in orders:
        for cell, pieces in zip(loose, order, strict=True):
            state[cell] = pieces
        found += [
            PossibleGame(one.odds / len(orders), one.game) for one in answered(game.elsewhere(state) if loose else game)
        ]
    return found


def _merged(layout: Layout, found: Sequence[PossibleGame]) -> list[ChanceOutcome]:
    """Those that differ in the order of piles alone that nobody sees, as one, if all orders are equally likely."""
    alike: dict[str, list[PossibleGame]] = {}
    for one in found:
        state = one.game.state
        for cell in _unseen(layout, state):
            state[cell] = tuple(sorted(state[cell]))
        alike.setdefault(repr((state, one.game.events)), []).append(one)
    merged: list[ChanceOutcome] = []
    for some in alike.values():
        state = some[0].game.state
        loose = _unseen(layout, state)
        odds: dict[tuple[object, ...], Fraction] = {}
        games: dict[tuple[object, ...], Game] = {}
        for one in some:
            now = one.game.state
            order = tuple(now[cell] for cell in loose)
            odds[order] = odds.get(order, Fraction(0)) + one.odds
            games[order] = one.game
        if len(odds) == prod(factorial(len(state[cell])) for cell in loose) and len(set(odds.values())) == 1:
            merged.append(ChanceOutcome(sum(odds.values(), Fraction(0)), min(games.items())[1], loose))
        else:
            merged += [ChanceOutcome(odds[order], games[order], ()) for order in odds]
    return merged


def _unseen(layout: Layout, state: State) -> tuple[int, ...]:
    """The cells of piles in which several pieces lie that nobody sees, unless there are too many orders of them."""
    if layout.memory >= 0:  # somebody may know what lies where
        return ()
    found = tuple(s.address for s in layout.spaces if s.seen_by == "nobody" and s.pile and len(state[s.address]) > 1)
    return found if prod(factorial(len(state[cell])) for cell in found) <= MOST_ORDERS else ()
