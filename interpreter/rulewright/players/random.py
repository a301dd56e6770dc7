"""A player that leaves everything to chance."""

from __future__ import annotations

from random import Random

from rulewright.game import Decision
from rulewright.view import View


def choose(view: View, decision: Decision, rng: Random) -> list[str]:
    """How many is drawn evenly between least and most, then which: all that is offered is equally likely.

    Only `rng.random()` is called: its sequence is the same in every version of Python.
    """
    del view
    offered = [choice.key for choice in decision.choices for _ in range(choice.count)]
    wanted = decision.least + int(rng.random() * (decision.most - decision.least + 1))
    chosen: list[str] = []
    for index, key in enumerate(offered):
        if rng.random() * (len(offered) - index) < wanted - len(chosen):
            chosen.append(key)
    return chosen
