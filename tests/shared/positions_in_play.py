"""Games some answers after their beginning, as the workbench starts them."""

from __future__ import annotations

from random import Random

from example_counts import one_of_each_game
from project_folders import GAMES
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.workbench.play.game_start import default_start

SHELF = [*one_of_each_game(), *(str(file) for file in sorted(GAMES.glob("*.yaml")))]
"""Shipped editions and the small games of tests."""


def game_after(rules: Rules, answers: int) -> Game:
    """Play a game with random answers, the same ones each time; less if it ends before."""
    started, rng = default_start(rules.edition), Random(4)
    start = started.start(rules)
    game = start.game(start.state)
    while not game.over and len(game.history.answers) < answers:
        decision = rng.choice(game.decisions())
        keys = [choice.key for choice in decision.choices for _ in range(choice.count)]
        rng.shuffle(keys)
        game.answer(decision.seat, keys[: rng.randint(decision.least, decision.most)])
    return game
