"""How long a player of the computer takes for an answer at a table: decided by public things only.

The kind of player decides, and how many wait for the computer: never what the seat holds, how many answers it has to
choose from, or which of them it takes. A player may think for a limited time, and an answer that is found sooner waits
until that time is over; who thinks in tries instead makes all of them, also where there is nothing to choose.
"""

from __future__ import annotations

from rulewright.players.kinds import QUICK_AT_A_TABLE, budget

REST = 0.1
"""Seconds besides those of thinking: for the way there and back, and for the last try."""


def answer_time(kind: str) -> float:
    """Return the seconds from a question to the answer of such a player at a table.

    kind: as `at_a_table` gives it. Whoever leaves all to chance answers at once; so does a player that makes a number
    of tries, when it has made them. Raises PlayerError.
    """
    name, most = budget(kind)
    if most.milliseconds is not None:
        return most.milliseconds / 1000 + REST
    if name in ("random", "search"):
        return 0.0
    return QUICK_AT_A_TABLE / 1000 + REST
