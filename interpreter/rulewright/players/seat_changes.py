"""Changes that a seat sees between two states: what an answer has led to when others decide."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rulewright.base.records import record
from rulewright.model.declarations import SEAT
from rulewright.model.edition import Edition
from rulewright.players.hidden_access import unmonitored
from rulewright.program.state_layout import GAME_OVER, PC, PHASE, ROUND
from rulewright.program.value_types import from_hundredths
from rulewright.runtime.machine import Machine
from rulewright.runtime.state import State
from rulewright.runtime.view import sees_zone

KnownPiece = tuple[tuple[str, ...], int]
"""Piece by the kinds that it may be of, and by the number of its type, or -1 where the seat does not see that."""


@record
class TrialEnd:
    """End of one try.

    - points, counters: changes of the seat's own, None where points are not known
    - gained, lost: pieces that it has taken and given away
    - over: whether the game is
    - others: whether other seats have a decision now
    - changed: differences that the seat sees, except the pieces that it has taken
    - alone: the seat had no further decision on the way, and no other seat has one now
    - midway: after others had decided, the seat has another decision that belongs to the answer
    - sites: that of the seat's next decision, then that of the one after if it declines, and so on
    - landing: the only piece that came onto a board, by the number of its appearance, and the cell of its zone
    """

    points: int | float | None
    counters: tuple[int, ...]
    gained: tuple[KnownPiece, ...]
    lost: tuple[KnownPiece, ...]
    changed: frozenset[Any]
    alone: bool
    over: bool
    others: bool
    midway: bool
    sites: tuple[int, ...]
    landing: tuple[int, int] | None = None


class SeatChanges:
    """Comparison of states for one seat.

    known: what the seat knows, as `information_state` returns it; visible_zones: whether the seat sees the zone, by its
    cell; counters: the seat's own single numbers, in the order of `TrialEnd.counters`.
    """

    def __init__(self, edition: Edition, machine: Machine, known: State, seat: int) -> None:
        self._machine, self._seat, self._program = machine, seat, machine.program
        self._layout = layout = machine.program.layout
        self._spaces = [space for space in layout.zones if edition.zones[space.name].shown]
        self.visible_zones = {space.address: sees_zone(space, seat) for space in layout.zones}
        self._on_boards = {space.address for space in layout.zones if space.of not in ("", SEAT)}
        self._own = {s.address for s in self._spaces if s.of == SEAT and s.owner == seat}
        self._hand_zones = {s.address for s in self._spaces if s.address in self._own and s.seen_by == "owner"}
        self._holds = {space.address: tuple(sorted(space.holds)) for space in layout.zones}
        shown_counters = [counter for counter in layout.counters if edition.counters[counter.name].shown]
        single = [counter for counter in shown_counters if not counter.by and not counter.type.many]
        self.counters = [counter for counter in single if counter.of == SEAT and counter.type.base == "number"]
        self._cells = [ROUND, PHASE, *(c.address + n for c in shown_counters for n in range(c.cells))]
        self._lines = machine.program.scoring
        if any(line.seen_by == "nobody" for line in self._lines) or not self._is_scored(known):
            self._lines = ()

    def _is_scored(self, known: State) -> bool:
        """Return whether the seat has a score: virtual players may be without."""
        role = known[self._layout.role + self._seat]
        return role < 0 or self._program.roles[role] not in self._program.unscored_roles

    def compare(
        self,
        before: State,
        after: State,
        own_pieces: set[int],
        *,
        alone: bool,
        others: bool = False,
        midway: bool = False,
    ) -> TrialEnd:
        """Return what has changed for the seat between two states, as the end of a try; `sites` stay empty.

        own_pieces: those that the answer itself takes, which do not count; alone, others, midway: as in `TrialEnd`.
        """
        seat = self._seat
        points: int | float | None = None
        if self._lines:
            points = self._points(after) - self._points(before)
            points = from_hundredths(points) if self._program.fractions else points
        counters = tuple(after[c.address + seat] - before[c.address + seat] for c in self.counters)
        gained: Counter[KnownPiece] = Counter()
        lost: Counter[KnownPiece] = Counter()
        landings: list[tuple[int, int]] = []
        changed: set[Any] = {(cell, after[cell]) for cell in self._cells if after[cell] != before[cell]}
        was, now = unmonitored(before), unmonitored(after)
        base = self._layout.piece_zones
        for piece in range(self._layout.pieces):
            source, goal = was[base + piece], now[base + piece]
            if source == goal or piece in own_pieces:
                continue
            if goal in self._on_boards and source not in self._on_boards and self.visible_zones[goal]:
                landings.append((self._program.appearance(now, piece), goal))
            own, other = source in self._own, goal in self._own
            known_piece = self._known_piece(was, now, piece, source, goal)
            if (other and not own) or (own and goal in self._hand_zones and source not in self._hand_zones):
                gained[known_piece] += 1
            elif (own and not other) or (other and source in self._hand_zones and goal not in self._hand_zones):
                lost[known_piece] += 1
        for space in self._spaces:
            if self._layout.marks or was[space.address] != now[space.address]:
                types = [self._visible_type(now, piece) for piece in now[space.address] if piece not in own_pieces]
                old = [self._visible_type(was, piece) for piece in was[space.address] if piece not in own_pieces]
                if types != old:
                    changed.add((space.address, tuple(types)))
        over = now[PC] == GAME_OVER
        return TrialEnd(
            points,
            counters,
            _sort_pieces(gained),
            _sort_pieces(lost),
            frozenset(changed),
            alone=alone and not over,
            over=over,
            others=others,
            midway=midway,
            sites=(),
            landing=landings[0] if len(landings) == 1 else None,
        )

    def _points(self, s: State) -> int:
        """Return the points of the seat in all lines, in hundredths in an edition with fractions."""
        return sum(self._machine.call(line.function, s, self._seat)[0][0] for line in self._lines)

    def _visible_type(self, s: State, piece: int) -> int:
        """Return the appearance of a piece, or -1 if the seat does not see it."""
        return self._program.appearance(s, piece) if self.visible_zones[s[self._layout.piece_zones + piece]] else -1

    def _known_piece(self, was: State, now: State, piece: int, source: int, goal: int) -> KnownPiece:
        """Return the kind and type of a piece that moves; of one that was hidden, the kinds that its zone may hold."""
        if not self.visible_zones[source]:
            return self._holds[source], -1
        program, s = self._program, now if self.visible_zones[goal] else was
        return (program.types[program.shown_type(s, piece)].kind,), program.appearance(s, piece)


def _sort_pieces(pieces: Counter[KnownPiece]) -> tuple[KnownPiece, ...]:
    return tuple(sorted(pieces.elements()))
