"""Time that a bot takes for an answer at a table: decided by public facts only.

Where nothing is hidden in a game, an answer comes as soon as it is found. Elsewhere the kind of player decides, how
many tables wait for bots, and how many answers of bots a person waits for: never what the seat holds, how many answers
it can choose from, or which it takes. A player may think for a limited time, and an answer that is ready sooner waits
until that time is over; a player that counts tries makes all of them, even if there is nothing to choose.
"""

from __future__ import annotations

from rulewright.players.kinds import LEVELS, QUICK_TABLE_MILLISECONDS, read_budget
from rulewright.program.form import Program

REST = 0.1
"""Seconds added to the time for thinking: for the way there and back, and for the last try."""

UNHURRIED = 4
"""Steps since a person answered up to which answers take the usual time; later ones take less, since people wait."""


def share_in_row(number: int) -> float:
    """Return the part of the usual time for an answer of a bot. number: of steps of the game since a
    person's last answer."""
    return min(1.0, UNHURRIED / max(1, number))


def hides_anything(program: Program) -> bool:
    """Return whether anything is ever hidden in a game, an answer under seal included."""
    layout = program.layout
    return bool(program.sealed) or layout.memory >= 0 or any(space.seen_by != "all" for space in layout.zones)


def answer_time(kind: str, program: Program) -> float:
    """Return the seconds from a decision to the bot's answer at a table, as long as finding it does not take longer.

    kind: as `table_kind` returns it. Where nothing is hidden, answers come at once; random players' do everywhere.
    Players that count tries answer when these are made. Raises PlayerError.
    """
    name, limit = read_budget(kind)
    if not hides_anything(program):
        return 0.0
    if limit.milliseconds is not None:
        return limit.milliseconds / 1000 + REST
    if name in ("random", "search", *LEVELS):
        return 0.0
    return QUICK_TABLE_MILLISECONDS / 1000 + REST
