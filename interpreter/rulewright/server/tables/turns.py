"""Turn status of several tables, for the start page; it reveals no more than their links do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.game import Game
from rulewright.server import tokens
from rulewright.server.tables.table_registry import TableRegistry
from rulewright.server.views.document import Fragment
from rulewright.server.views.merge_patches import sent_fields


class Turn(Fragment, frozen=True):
    """Turn status of a table. yours: whoever has the link is asked; waiting: names of all who are; nobody before the
    game."""

    over: bool = False
    yours: bool = False
    waiting: tuple[str, ...] = ()


async def list_turns(tables: TableRegistry, links: Sequence[str]) -> list[Mapping[str, Any] | None]:
    """Return, for each link in order, the fields of its Turn that are not default; None if it opens no playable
    table. It counts as a visit of each table, from which its expiry is reckoned."""
    statuses = [await _turn_of_link(tables, token) for token in links]
    return [None if turn is None else sent_fields(turn) for turn in statuses]


async def _turn_of_link(tables: TableRegistry, token: str) -> Turn | None:
    """Return the turn status of a link's table; None if the link opens none that can be played."""
    try:
        opened = await tables.open_token(token)
    except RulewrightError:
        return None
    if opened is None:
        return None
    grant, table = opened
    seat = grant.seat if grant.purpose == tokens.SEAT else None
    return Turn() if table.game is None else turn_of_game(table.game, seat)


def turn_of_game(game: Game, seat: int | None) -> Turn:
    """Return the turn status of a game. seat: None for a spectator."""
    ready = game.pending.ready
    waiting = [other for other in game.view(seat).waiting if other not in ready]
    return Turn(game.over, seat in waiting, tuple(game.names[other] for other in waiting))
