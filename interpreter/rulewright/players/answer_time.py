"""Time that a bot takes for an answer at a table: decided by public facts only.

The kind of player decides, how many tables wait for bots, and how many answers of bots a person waits for: never what
the seat holds, how many answers it can choose from, or which it takes. A player may think for a limited time, and an
answer that is ready sooner waits until that time is over; a player that counts tries makes all of them, even if there
is nothing to choose.
"""

from __future__ import annotations

from rulewright.players.kinds import QUICK_TABLE_MILLISECONDS, read_budget

REST = 0.1
"""Seconds added to the time for thinking: for the way there and back, and for the last try."""

UNHURRIED = 4
"""Steps since a person answered up to which answers take the usual time; later ones take less, since people wait."""


def share_in_row(number: int) -> float:
    """Return the part of the usual time for an answer of a bot. number: of steps of the game since a
    person's last answer."""
    return min(1.0, UNHURRIED / max(1, number))


def answer_time(kind: str) -> float:
    """Return the seconds from a decision to the bot's answer at a table.

    kind: as `table_kind` returns it. Random players answer at once; players that count tries answer when these are
    made. Raises PlayerError.
    """
    name, limit = read_budget(kind)
    if limit.milliseconds is not None:
        return limit.milliseconds / 1000 + REST
    if name in ("random", "novice", "search"):
        return 0.0
    return QUICK_TABLE_MILLISECONDS / 1000 + REST
