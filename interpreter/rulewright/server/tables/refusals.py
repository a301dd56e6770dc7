"""Refusals at tables: the error for a change that is refused, and checks of who may sit together."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.diagnostics import RulewrightError
from rulewright.game.library import Rules
from rulewright.game.setup import GameError, check_seats
from rulewright.i18n.localizer import YOU, phrase
from rulewright.players.confusable_names import are_confusable
from rulewright.players.seating import Seat, spare_names


class TableError(RulewrightError):
    """Refused change of a table; nothing has changed."""


def check_names(rules: Rules, seats: Sequence[Seat]) -> None:
    """Check that such a table is possible, with names for open seats. Raises GameError."""
    names = [seat.name for seat in seats]
    folded = [name.casefold() for name in names if name]
    if any(are_confusable(YOU, name) for name in names):
        raise GameError(
            phrase("errors", "Everybody is called '{name}' on their own screen; choose another name.", name=YOU)
        )
    for name in names:
        if name and folded.count(name.casefold()) > 1:
            message = phrase("errors", "Two players are called '{name}'; give them different names.", name=name)
            raise GameError(message)
    spare = spare_names(names)
    check_seats(rules, [name or next(spare) for name in names], [seat.role for seat in seats])


def seat_taken_error() -> TableError:
    """Return the error for a seat that somebody else has taken."""
    return TableError(
        phrase("errors", "This seat is taken. Whoever took it goes on with the link that this gave, on any device.")
    )


def table_full_error() -> TableError:
    """Return the error for a table without a free seat."""
    return TableError(phrase("errors", "All seats are taken by now. You can watch."))
