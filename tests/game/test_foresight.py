"""Foresight: whether an answer may reveal something, as far as another seat can know before it is given."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from example_counts import few
from rulewright import players
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.reveal_check import may_reveal
from rulewright.program.state_layout import GAME_OVER, ME, PC
from rulewright.runtime.information_state import Determinizer, information_state
from rulewright.runtime.operations import RuleError
from whole_games import Table, tables


@few(20)
@given(tables(), st.integers(0, 2**32))
def test_foresight_is_the_same_in_games_that_look_the_same(table: Table, seed: int) -> None:
    """The result does not depend on hidden pieces, nor on choices that follow from them."""
    game, chance = table.start()
    machine, s = game.machine, game.state
    for _ in range(12):
        if s[PC] == GAME_OVER:
            return
        decision = chance.choice(machine.open_decisions(s))
        other = chance.randrange(machine.program.layout.seats)
        if other != decision.seat and not machine.simultaneous_seats(s):
            known = information_state(machine, s, other)
            known[ME] = s[ME]
            try:
                elsewhere = Determinizer(machine, known, other).draw(random.Random(seed))
            except RuleError:
                continue
            assert may_reveal(machine, s, decision.seat, other) == may_reveal(machine, elsewhere, decision.seat, other)
        machine.answer(s, decision, chance.sample(decision.candidates, decision.least))
        machine.run(s)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("classics/reversi", {False}, id="all lies open"),
        pytest.param("classics/hearts", {True}, id="a card from a hand"),
        pytest.param("classics/liars-dice", {True, False}, id="a bid shows no dice, a doubt shows all"),
    ],
)
def test_answers_that_may_reveal_something(name: str, expected: set[bool]) -> None:
    rules = library.load(name)
    game = Game.start(rules, ["Ann", "Bo", "Cy", "Dee"][: rules.edition.people[1]], {}, 3)
    results = set()
    for answers in range(20):
        decision = game.decisions()[0]
        if not game.pending.at_once:
            results.add(may_reveal(game.machine, game.state, decision.seat, (decision.seat + 1) % len(game.names)))
        game.answer(decision.seat, players.choose("random", game, decision.seat, answers))
    assert results == expected
