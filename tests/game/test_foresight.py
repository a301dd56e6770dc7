"""Whether an answer may bring something to light: as far as somebody else knows before it is given."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import few
from rulewright import players
from rulewright.game import library
from rulewright.game.game import Game
from rulewright.game.reveal_check import may_show
from rulewright.program.form import GAME_OVER, ME, PC
from rulewright.runtime.information_state import Worlds, sight
from rulewright.runtime.operations import RuleError
from whole_games import Table, tables


@few(20)
@given(tables(), st.integers(0, 2**32))
def test_it_is_the_same_in_games_that_look_alike(table: Table, seed: int) -> None:
    """However the pieces lie that somebody does not see, and whatever else is offered by that."""
    game, chance = table.start()
    machine, s = game.machine, game.state
    for _ in range(12):
        if s[PC] == GAME_OVER:
            return
        asked = chance.choice(machine.asked(s))
        other = chance.randrange(machine.program.layout.seats)
        if other != asked.seat and not machine.group(s):
            known = sight(machine, s, other)
            known[ME] = s[ME]
            try:
                elsewhere = Worlds(machine, known, other).draw(random.Random(seed))
            except RuleError:
                continue
            assert may_show(machine, s, asked.seat, other) == may_show(machine, elsewhere, asked.seat, other)
        machine.answer(s, asked, chance.sample(asked.candidates, asked.least))
        machine.run(s)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("classics/reversi", {False}, id="all lies open"),
        pytest.param("classics/hearts", {True}, id="a card from a hand"),
        pytest.param("classics/liars-dice", {True, False}, id="a bid shows no dice, a doubt shows all"),
    ],
)
def test_what_may_come_to_light(name: str, expected: set[bool]) -> None:
    rules = library.load(name)
    game = Game.start(rules, ["Ann", "Bo", "Cy", "Dee"][: rules.edition.people[1]], {}, 3)
    found = set()
    for answers in range(20):
        decision = game.decisions()[0]
        if not game.pending.at_once:
            found.add(may_show(game.machine, game.state, decision.seat, (decision.seat + 1) % len(game.names)))
        game.answer(decision.seat, players.choose("random", game, decision.seat, answers))
    assert found == expected
