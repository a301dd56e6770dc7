"""Undo: an answer can be taken back, together with later answers of bots, until something hidden is
revealed.

Nobody learns hidden information by an undo. Seals stay closed: an answer that opens sealed answers of others
has revealed them, and can never be undone. A bot is told nothing of undone
answers: it gets its information state of the restored position, and its random numbers depend only on
the seed, its seat and the number of its answers in force. So it gives the same answer to the same question;
repeating an answer after an undo shows the same. Nor does `undo` show whether somebody else is about to seal: only
seats that are publicly ready prevent it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rulewright.base.records import record
from rulewright.game.snapshots import Snapshot
from rulewright.program.state_layout import PC, RANDOM, RANDOM_CELLS, ROUND
from rulewright.runtime import view as views
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State


@record
class Answered:
    """Answer with what an undo needs.

    - decision: its id
    - before: the state before it
    - events: length of the log before it
    - opening: whether it opened the seals of an `at once`
    - revealing: whether it revealed something
    - moments: snapshots between it and the next decision
    """

    seat: int
    decision: str
    keys: tuple[str, ...]
    before: State
    events: int
    opening: bool
    revealing: bool
    moments: tuple[Snapshot, ...] = ()


def count_sealed(machine: Machine, answers: Sequence[Answered], state: State, group: Sequence[int]) -> int:
    """Count the sealed answers at the end of the answers. group: seats of an open `at once`."""
    count = 0
    for answered in reversed(answers) if group else ():
        before = answered.before
        if answered.opening or before[PC] != state[PC] or machine.simultaneous_seats(before) != group:
            break
        count += 1
    return count


def opens_seals(
    machine: Machine, seat: int, open_seats: Sequence[int], before: State, after: State, has_logged: bool
) -> bool:
    """Return whether a seat's answer was the last of an `at once` and opened the seals: it alone was awaited, and
    something has happened since, other than the next question to it. open_seats: those with an open decision before;
    has_logged: whether the log has grown."""
    if open_seats != [seat]:
        return False
    layout = machine.program.layout
    pieces = slice(layout.piece_zones, layout.piece_zones + layout.pieces)
    return (
        has_logged
        or before[ROUND] != after[ROUND]
        or before[pieces] != after[pieces]
        or [decision.seat for decision in machine.open_decisions(after)] != [seat]
    )


def does_reveal(machine: Machine, before: State, after: State) -> bool:
    """Return whether chance was used between two states, or anybody sees or knows a piece that they did not before."""
    if before[RANDOM : RANDOM + RANDOM_CELLS] != after[RANDOM : RANDOM + RANDOM_CELLS]:
        return True
    layout, seats = machine.program.layout, range(machine.program.layout.seats)
    spaces = {space.address: space for space in layout.zones}
    for cell in range(layout.piece_zones, layout.piece_zones + layout.pieces):
        if before[cell] != after[cell]:
            was, now = spaces[before[cell]], spaces[after[cell]]
            if any(views.sees_zone(now, seat) and not views.sees_zone(was, seat) for seat in seats):
                return True
    for piece in range(layout.pieces if layout.memory >= 0 else 0):
        placed = after[layout.memory + piece] & ~after[layout.lost_places + piece]
        new = (
            after[layout.memory + piece] & ~before[layout.memory + piece] | placed & before[layout.lost_places + piece]
        )
        if any(
            new >> seat & 1 and not views.sees_zone(spaces[before[layout.piece_zones + piece]], seat) for seat in seats
        ):
            return True
    return False


def undoable_answers(
    answers: Sequence[Answered], sealed: int, ready: Collection[int], computers: Collection[int]
) -> Mapping[int, int]:
    """Return the seats that may undo an answer, each with the answer's number from 0. sealed: number of sealed answers;
    ready: seats publicly known to have sealed; computers: seats whose answers are undone along with others."""
    opened = len(answers) - sealed
    own = {answered.seat: number for number, answered in enumerate(answers[opened:], opened)}
    result = {seat: number for seat, number in own.items() if not answers[number].revealing}
    for number in () if set(ready).difference(computers) else range(opened - 1, -1, -1):
        answered = answers[number]
        if answered.revealing:
            break
        if answered.seat not in own:
            result.setdefault(answered.seat, number)
        if answered.seat not in computers:
            break
    return result


def last_answer_of(answers: Sequence[Answered], sealed: int, seat: int) -> int | None:
    """Return the number of the answer that a seat undoes in logs that do not tell it: of the seat's last sealed one, or
    of the last of all; None if that is not the seat's. sealed: number of sealed answers."""
    back = (n for n in range(1, max(1, sealed) + 1) if n <= len(answers) and answers[-n].seat == seat)
    return next((len(answers) - n for n in back), None)
