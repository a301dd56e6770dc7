"""Whose turn it is at several tables, for whoever comes back to the first page: no more than their links show there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.server import tokens
from rulewright.server.tables.table_registry import Tables
from rulewright.server.views.document import Fragment, fields


class Turn(Fragment, frozen=True):
    """yours: whether whoever has the link is asked; waiting: the names of all who are; nobody is before the game."""

    over: bool = False
    yours: bool = False
    waiting: tuple[str, ...] = ()


async def turns(tables: Tables, wanted: Sequence[str]) -> list[Mapping[str, Any] | None]:
    """For each link, in their order, the fields of a Turn that are not as usual; None for one that opens nothing, or
    whose table cannot be played now."""
    found = [await _turn(tables, token) for token in wanted]
    return [None if turn is None else fields(turn) for turn in found]


async def _turn(tables: Tables, token: str) -> Turn | None:
    try:
        opened = await tables.entrance(token)
    except RulewrightError:
        return None
    if opened is None:
        return None
    entrance, table = opened
    seat = entrance.seat if entrance.purpose == tokens.SEAT else None
    return Turn() if table.game is None else turn(table.game, seat)


def turn(game: Game, seat: int | None) -> Turn:
    """seat: None for a spectator."""
    ready = game.ready()
    waiting = [other for other in game.view(seat).waiting if other not in ready]
    return Turn(game.over, seat in waiting, tuple(game.names[other] for other in waiting))
