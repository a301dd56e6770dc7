"""Picks: answers that only select the subject of the seat's next question, such as the piece that it moves."""

from __future__ import annotations

from rulewright.game.game import Game
from rulewright.program.state_layout import ANSWERS, FUEL, ME, RANDOM, RANDOM_CELLS, ROUND
from rulewright.runtime.information_state import information_state
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State

MAX_PICKS = 4
"""Maximum number of picks one after the other that count as one answer."""
_UNTOLD = frozenset([ME, FUEL, ANSWERS, *range(RANDOM, RANDOM + RANDOM_CELLS)])
"""Cells that an information state leaves out also where nothing is hidden."""


def picks(game: Game, seat: int) -> list[int]:
    """Return the numbers of a seat's last answers that were picks, from 0, the newest first. A pick moved no piece,
    logged and revealed nothing, and only this seat was asked next. So the seat may undo it, and nobody else has seen it
    or answered since."""
    history, machine = game.history, game.machine
    result: list[int] = []
    if game.over or history.between or seat in game.computers:
        return result
    after, lines = history.present, game.log.length
    for number in range(len(history.answers) - 1, -1, -1):
        answered = history.answers[number]
        is_quiet = answered.events == lines and not answered.revealing and not answered.moments
        if (
            answered.seat != seat
            or len(answered.keys) != 1
            or not is_quiet
            or not _is_pick(machine, seat, answered.before, after)
        ):
            break
        result.append(number)
        if len(result) == MAX_PICKS:
            break
        after, lines = answered.before, answered.events
    return result


def learned_nothing(game: Game, seat: int) -> bool:
    """Return whether a seat knows no more after the game's last answer, which was its own, than before: that was a
    pick, or nothing is hidden from the seat and nothing has come by chance."""
    return not game.history.answers[-1].revealing and (bool(picks(game, seat)) or knows_all(game, seat))


def knows_all(game: Game, seat: int) -> bool:
    """Return whether nothing is hidden from a seat now, besides what will come by chance."""
    present = game.history.present
    known = information_state(game.machine, present, seat)
    return all(one == other or cell in _UNTOLD for cell, (one, other) in enumerate(zip(present, known, strict=True)))


def _is_pick(machine: Machine, seat: int, before: State, after: State) -> bool:
    """Return whether an answer left the round and all pieces as they were, and only this seat is asked."""
    layout = machine.program.layout
    pieces = slice(layout.piece_zones, layout.piece_zones + layout.pieces)
    return (
        before[ROUND] == after[ROUND]
        and before[pieces] == after[pieces]
        and all(_is_alone(machine, seat, state) for state in (after, before))
    )


def _is_alone(machine: Machine, seat: int, state: State) -> bool:
    """Return whether only this seat is asked, and not at once with others."""
    return not machine.simultaneous_seats(state) and [one.seat for one in machine.open_decisions(state, [])] == [seat]
