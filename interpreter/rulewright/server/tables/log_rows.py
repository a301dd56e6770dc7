"""Rows of a table's log: answers, undos, and changes of who plays for a seat."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import record
from rulewright.game.choices import AnswerError
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.setup import GameError
from rulewright.i18n.localizer import phrase
from rulewright.players.seating import PERSON, Seat
from rulewright.server.storage.records import LoggedAnswer, TableRecord

UNDO, AWAY, BACK, CONCEDE, END = "undo", "away", "back", "concede", "end"
PROPOSE, AGREE, REFUSE = "propose", "agree", "refuse"
"""Kinds of rows without an answer; END also ends a row of a concession that ends the game. The last three are a
proposal to end the game or to take an answer back, and the replies to it."""
LATE = "late"
"""Mark of a concession of somebody whose time has run out."""


def undo(seat: int, number: int) -> LoggedAnswer:
    """Build the row for a seat's undo. number: of its answer, from 0."""
    return LoggedAnswer(seat, f"{UNDO} {number}", None)


def away(seat: int, kind: str) -> LoggedAnswer:
    """Build the row from which on a bot of that kind plays for a seat."""
    return LoggedAnswer(seat, f"{AWAY} {kind}", None)


def back(seat: int) -> LoggedAnswer:
    """Build the row from which on a person plays their seat again."""
    return LoggedAnswer(seat, BACK, None)


def concede(seat: int, ending: bool, late: bool = False) -> LoggedAnswer:
    """Build the row for a seat that gives up. ending: the game ends with it; late: its time has run out."""
    return LoggedAnswer(seat, " ".join([CONCEDE, *[END] * ending, *[LATE] * late]), None)


def end(seat: int, reason: str) -> LoggedAnswer:
    """Build the row with which a game ends early. reason: AGREED, with the seat that proposed it, or CALLED_OFF."""
    return LoggedAnswer(seat, f"{END} {reason}", None)


def is_about_proposal(row: LoggedAnswer) -> bool:
    """Return whether a row proposes something or replies to that; such a row changes neither game nor players."""
    return row.take is None and row.decision.partition(" ")[0] in (PROPOSE, AGREE, REFUSE)


def seat_kinds(seats: Sequence[Seat], rows: Sequence[LoggedAnswer]) -> list[str]:
    """Return who answers for each seat after these rows: PERSON or a kind of player."""
    kinds = [seat.player for seat in seats]
    for row in rows:
        change, _, kind = row.decision.partition(" ")
        if row.take is None and change in (AWAY, BACK):
            kinds[row.seat] = kind if change == AWAY else PERSON
    return kinds


@record
class GameFromLog:
    """Game rebuilt from its log. disturbed: seats, once for each undo of another that was in their sight, however many
    answers it took back."""

    game: Game
    disturbed: list[int]


def apply(game: Game, row: LoggedAnswer) -> list[int]:
    """Apply a row to a game; return the seats disturbed by it, since something in their sight was undone.

    Raises AnswerError; nothing has changed then.
    """
    if row.take is not None:
        game.answer(row.seat, row.take, row.decision)
        return []
    change, _, number = row.decision.partition(" ")
    if change in (AWAY, BACK, PROPOSE, AGREE, REFUSE):
        return []
    if change == CONCEDE:
        game.concede(row.seat, END in number.split(), LATE in number.split())
        return []
    if change == END:
        game.end_early(number)
        return []
    if change not in ("", UNDO) or not (number or "0").isdecimal():
        raise AnswerError(phrase("errors", "There is nothing to take back yet."))
    sealed = game.pending.is_sealed(row.seat)
    game.take_back(row.seat, int(number) if number else None)
    return [] if sealed else [seat for seat in range(len(game.names)) if seat != row.seat]


def replay(rules: Rules, record: TableRecord, seats: Sequence[Seat], rows: Sequence[LoggedAnswer]) -> GameFromLog:
    """Rebuild a game from its log. Raises GameError."""
    roles = {seat.name: seat.role for seat in seats if seat.role is not None}
    game = Game.start(rules, [seat.name for seat in seats], record.options, record.seed, roles)
    result = GameFromLog(game, [])
    for number, row in enumerate(rows, 1):
        try:
            result.disturbed.extend(apply(game, row))
        except AnswerError:
            raise GameError(
                phrase(
                    "errors",
                    "This saved game is damaged: answer {number} of {count} does not fit the game.",
                    number=number,
                    count=len(rows),
                )
            ) from None
    return result
