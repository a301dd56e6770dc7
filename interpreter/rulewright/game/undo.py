"""What may be taken back: an answer, with what the computer's players have answered to it, until something comes to
light.

Nobody learns by it what they could not know before. What is sealed stays sealed: an answer that opens what others have
sealed has brought that to light, and is never taken back. A player of the computer is told nothing of what was taken
back: it is given what its seat knows of the state, which is the one from before, and its luck depends on nothing but
the seed, its seat and how many of its answers stand. So it answers the same question alike, however often it is asked;
who takes back and answers the same sees the same. Nor does `undo` tell what somebody else is about to seal: only those
who are ready for all to see are in the way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rulewright.base.records import record
from rulewright.game.snapshots import OpenMoment
from rulewright.program.form import PC, RANDOM, RANDOM_CELLS, ROUND
from rulewright.runtime import view as views
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State


@record
class Answered:
    """One answer, and what is needed to take it back. before: the state; events: how many lines the log had;
    opening: whether it broke the seals of those who decided at once; revealing: whether it brought something to light;
    moments: between it and the next decision."""

    seat: int
    decision: str
    keys: tuple[str, ...]
    before: State
    events: int
    opening: bool
    revealing: bool
    moments: tuple[OpenMoment, ...] = ()


def unopened(machine: Machine, answers: Sequence[Answered], state: State, group: Sequence[int]) -> int:
    """How many of the last answers are sealed. group: the seats that decide at once now."""
    count = 0
    for answered in reversed(answers) if group else ():
        before = answered.before
        if answered.opening or before[PC] != state[PC] or machine.group(before) != group:
            break
        count += 1
    return count


def opens(machine: Machine, seat: int, asked: Sequence[int], before: State, after: State, told: bool) -> bool:
    """Whether a seat that decided at once with others was the last one, and the seals are broken: it alone was awaited,
    and something has happened since, unless it is only asked once more. asked: who was; told: whether the log has
    grown."""
    if asked != [seat]:
        return False
    layout = machine.program.layout
    pieces = slice(layout.at, layout.at + layout.pieces)
    return (
        told
        or before[ROUND] != after[ROUND]
        or before[pieces] != after[pieces]
        or [decision.seat for decision in machine.asked(after)] != [seat]
    )


def shows(machine: Machine, before: State, after: State) -> bool:
    """Whether chance was used, or anybody sees a piece, or knows one, that they did not see before."""
    if before[RANDOM : RANDOM + RANDOM_CELLS] != after[RANDOM : RANDOM + RANDOM_CELLS]:
        return True
    layout, seats = machine.program.layout, range(machine.program.layout.seats)
    spaces = {space.address: space for space in layout.spaces}
    for cell in range(layout.at, layout.at + layout.pieces):
        if before[cell] != after[cell]:
            was, now = spaces[before[cell]], spaces[after[cell]]
            if any(views.sees(now, seat) and not views.sees(was, seat) for seat in seats):
                return True
    for piece in range(layout.pieces if layout.memory >= 0 else 0):
        placed = after[layout.memory + piece] & ~after[layout.loose + piece]
        new = after[layout.memory + piece] & ~before[layout.memory + piece] | placed & before[layout.loose + piece]
        if any(new >> seat & 1 and not views.sees(spaces[before[layout.at + piece]], seat) for seat in seats):
            return True
    return False


def takers(
    answers: Sequence[Answered], sealed: int, ready: Collection[int], computers: Collection[int]
) -> Mapping[int, int]:
    """Who may take an answer back, each with its number, counted from 0. sealed: how many of the last answers are;
    ready: who has sealed theirs for all to see; computers: seats whose answers are taken back along with others."""
    opened = len(answers) - sealed
    own = {answered.seat: number for number, answered in enumerate(answers[opened:], opened)}
    found = {seat: number for seat, number in own.items() if not answers[number].revealing}
    for number in () if set(ready).difference(computers) else range(opened - 1, -1, -1):
        answered = answers[number]
        if answered.revealing:
            break
        if answered.seat not in own:
            found.setdefault(answered.seat, number)
        if answered.seat not in computers:
            break
    return found


def last(answers: Sequence[Answered], sealed: int, seat: int) -> int | None:
    """Which answer was taken back by a seat in logs that do not say: its last one under seal, or that of all."""
    back = (n for n in range(1, max(1, sealed) + 1) if n <= len(answers) and answers[-n].seat == seat)
    return next((len(answers) - n for n in back), None)
