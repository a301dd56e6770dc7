"""What a row of a table's log does: an answer, one that is taken back, or that somebody else plays for a seat now."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.game import AnswerError, Game, GameError
from rulewright.game.library import Rules
from rulewright.i18n.localizer import phrase
from rulewright.players.seating import PERSON, Seat
from rulewright.server.storage.records import LoggedAnswer, Record

UNDO, AWAY, BACK, CONCEDE, END = "undo", "away", "back", "concede", "end"
"""What rows without an answer are about."""


def undo(seat: int, number: int) -> LoggedAnswer:
    """The row by which a seat takes an answer back, counted from 0."""
    return LoggedAnswer(seat, f"{UNDO} {number}", None)


def away(seat: int, kind: str) -> LoggedAnswer:
    """The row from which on a player of that kind plays for a seat."""
    return LoggedAnswer(seat, f"{AWAY} {kind}", None)


def back(seat: int) -> LoggedAnswer:
    """The row from which on a person plays their seat again."""
    return LoggedAnswer(seat, BACK, None)


def concede(seat: int, ending: bool) -> LoggedAnswer:
    """The row by which a seat gives up, and perhaps ends the game."""
    return LoggedAnswer(seat, f"{CONCEDE} {END}" if ending else CONCEDE, None)


def who_plays(seats: Sequence[Seat], rows: Sequence[LoggedAnswer]) -> list[str]:
    """Who answers for each seat after these rows: PERSON or a kind of player."""
    kinds = [seat.player for seat in seats]
    for row in rows:
        what, _, kind = row.decision.partition(" ")
        if row.take is None and what in (AWAY, BACK):
            kinds[row.seat] = kind if what == AWAY else PERSON
    return kinds


@record
class Played:
    """disturbed: seats, once for each answer of another that was taken back before their eyes."""

    game: Game
    disturbed: list[int]


def apply(game: Game, row: LoggedAnswer) -> list[int]:
    """The seats that are disturbed by it, since what they look at was taken back. Raises AnswerError; nothing has
    changed then."""
    if row.take is not None:
        game.answer(row.seat, row.take, row.decision)
        return []
    what, _, number = row.decision.partition(" ")
    if what in (AWAY, BACK):
        return []
    if what == CONCEDE:
        game.concede(row.seat, number == END)
        return []
    if what not in ("", UNDO) or not (number or "0").isdecimal():
        raise AnswerError(phrase("errors", "There is nothing to take back yet."))
    sealed = game.sealed(row.seat)
    game.undo_as_logged(row.seat, int(number) if number else None)
    return [] if sealed else [seat for seat in range(len(game.names)) if seat != row.seat]


def played(rules: Rules, record: Record, seats: Sequence[Seat], rows: Sequence[LoggedAnswer]) -> Played:
    """A game as its log says. Raises GameError."""
    roles = {seat.name: seat.role for seat in seats if seat.role is not None}
    game = Game.start(rules, [seat.name for seat in seats], record.options, record.seed, roles)
    found = Played(game, [])
    for number, row in enumerate(rows, 1):
        try:
            found.disturbed.extend(apply(game, row))
        except AnswerError:
            raise GameError(
                phrase(
                    "errors",
                    "This saved game is damaged: answer {number} of {count} does not fit the game.",
                    number=number,
                    count=len(rows),
                )
            ) from None
    return found
