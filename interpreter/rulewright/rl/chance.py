"""Chance outcomes of an action: every possible game with its probability, indistinguishable ones merged.

A shuffled pile that nobody sees is kept unordered: which piece comes next is decided when it comes. That holds if all
orders of its pieces are equally likely and lead to the same game otherwise, which is established by trying all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod

from rulewright.base.records import record
from rulewright.game.chance_outcomes import PossibleGame, beginnings, outcomes
from rulewright.game.game import Game
from rulewright.program.state_layout import Layout
from rulewright.rl.environment_spec import Arena
from rulewright.runtime.state import State, clone

MAX_LISTED = 1000
"""Limit of outcomes of one action."""
MAX_ORDERS = 120
"""Limit of orders that unordered piles may have together."""

RANDOM_INSTRUCTIONS = {"deal", "draw", "pour", "random", "shuffle"}
"""Instructions that use the random generator; `deal` where a pile must be refilled."""


@record
class ChanceOutcome:
    """One outcome of chance.

    odds: probability, 1 over all outcomes of one list; loose: cells of zones that are unordered.
    """

    odds: Fraction
    game: Game
    loose: tuple[int, ...]


def has_chance(arena: Arena) -> bool:
    """Return whether anything in a game may be left to chance."""
    return any(i[0] in RANDOM_INSTRUCTIONS for i in arena.program.code) or len(arena.agents) < len(arena.names)


def setup_outcomes(arena: Arena) -> list[ChanceOutcome]:
    """List the outcomes of the set-up. Raises TooManyOutcomes."""
    games = beginnings(arena.rules, arena.names, arena.options, arena.roles, MAX_LISTED, arena.foreseeing)
    return _merge_orders(arena.program.layout, games)


def answer_outcomes(
    arena: Arena, game: Game, loose: Sequence[int], seat: int, keys: Sequence[str]
) -> list[ChanceOutcome]:
    """List the outcomes of an answer. loose: the cells of zones that are unordered. Raises TooManyOutcomes."""

    def answered(other: Game) -> list[PossibleGame]:
        return outcomes(other, seat, keys, MAX_LISTED, arena.foreseeing)

    return _merge_orders(arena.program.layout, _try_orders(game, loose, answered))


def _try_orders(game: Game, loose: Sequence[int], play: Callable[[Game], list[PossibleGame]]) -> list[PossibleGame]:
    """Return the games that playing leads to, for every order of the unordered zones."""
    state = game.state
    orders = list(product(*(list(permutations(state[cell])) for cell in loose)))
    games = []
    for order in orders:
        for cell, pieces in zip(loose, order, strict=True):
            state[cell] = pieces
        ordered = game.with_history(game.history.with_state(clone(state))) if loose else game
        games += [PossibleGame(one.odds / len(orders), one.game) for one in play(ordered)]
    return games


def _merge_orders(layout: Layout, possible_games: Sequence[PossibleGame]) -> list[ChanceOutcome]:
    """Merge games that differ only in the order of unseen piles, if all orders are equally likely."""
    groups: dict[str, list[PossibleGame]] = {}
    for one in possible_games:
        state = one.game.state
        for cell in _unordered_piles(layout, state):
            state[cell] = tuple(sorted(state[cell]))
        groups.setdefault(repr((state, one.game.log.events)), []).append(one)
    merged: list[ChanceOutcome] = []
    for some in groups.values():
        state = some[0].game.state
        loose = _unordered_piles(layout, state)
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


def _unordered_piles(layout: Layout, state: State) -> tuple[int, ...]:
    """Return the cells of unseen piles with several pieces, or () if they have too many orders."""
    if layout.memory >= 0:  # somebody may know what lies where
        return ()
    piles = tuple(s.address for s in layout.zones if s.seen_by == "nobody" and s.pile and len(state[s.address]) > 1)
    return piles if prod(factorial(len(state[cell])) for cell in piles) <= MAX_ORDERS else ()
