"""Files of a game: a save when it is over, and fault reports for developers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins

from rulewright import __version__
from rulewright.i18n.localizer import phrase
from rulewright.publish.labels import Labels
from rulewright.server.tables.refusals import TableError
from rulewright.server.tables.table import Table
from rulewright.server.views import seat_view


def save_file(table: Table) -> Mapping[str, Any]:
    """Return a finished game as a save file, with all that was hidden. Raises TableError before its end."""
    game = table.game
    if game is None or not game.over:
        raise TableError(phrase("errors", "A game can be saved from here when it is over: the file tells all secrets."))
    save = game.save()
    save["edition"]["name"] = table.pinned.name
    return {**save, "players": [seat.player for seat in table.record.seats], "over": True}


def report(table: Table, labels: Labels, seat: int | None) -> Mapping[str, Any]:
    """Build a fault report: before the end of the game, only what the reader's seat knows (its answers, view and log);
    then the whole game.

    seat: None for a spectator.
    """
    game = labels.game
    content: dict[str, Any] = {
        "rulewright": __version__,
        "edition": {"name": table.pinned.name, "hash": table.record.hash},
        "options": dict(table.record.options),
        "settings": dict(table.settings),
        "seats": [{"name": one.name, "player": one.player, "role": one.role} for one in table.seats],
        "seat": seat,
        "language": labels.language,
        "trouble": labels.say(table.error),
        "now": to_builtins(seat_view.now(labels, seat, 0)),
        "log": [line.text for line in game.log.lines(seat, language=labels.language)],
        "answers": [list(keys) for other, keys in game.history.answer_keys() if other == seat],
    }
    if not game.over:
        return content
    rows = [{"seat": row.seat, "decision": row.decision, "take": row.take and list(row.take)} for row in table.rows]
    return {**content, "save": save_file(table), "rows": rows}
