"""Knowledge of hidden pieces, tracked along with moves in editions with memory.

For each piece the state holds the seats that know its zone, one bit for each, and those of them that have
lost its place there: to them it is *loose*. Everybody sees from where to where pieces move, and how many. A seat can
identify them

- if it sees the zone that they leave or enter,
- if they are given by their places, as in `top 2 of deck`, or are all pieces of the zone.

So a seat can track pieces that it has seen. A seat that does not see which pieces are
picked out of a zone, nor sees them arrive, loses its knowledge of the zone; one that sees them arrive keeps the rest
of its knowledge, but not the places. Pieces shown to it in place have known places again. A shuffle erases the
knowledge of a zone, and so does a piece in it that changes its face unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulewright.program.form import Program
from rulewright.runtime.state import State

_Operation = Callable[..., Any]
"""Function that runs an instruction."""
_cell = list.__getitem__
"""Read of a cell that bypasses a list which monitors reads of pieces."""


class PieceMemory:
    """Operations that move pieces and track who knows them. plain: those without tracking."""

    def __init__(self, program: Program, plain: Mapping[str, _Operation]) -> None:
        layout = program.layout
        self._program, self._plain = program, plain
        self._zone_cells, self._known, self._lost_places, self._shown_cell = (
            layout.piece_zones,
            layout.memory,
            layout.lost_places,
            layout.shown_pieces,
        )
        self._faces, self._viewers, self._seats = layout.faces, layout.viewers, range(layout.seats)
        self._everybody = (1 << layout.seats) - 1

    def operations(self) -> dict[str, _Operation]:
        """Return the operations by name."""
        return {name: getattr(self, name) for name in _OPERATIONS}

    # ── operations ──

    def mingle(self, s: State, pieces: Iterable[int]) -> None:
        """Update knowledge before individual moves; seats that cannot identify the pieces lose their places."""
        for zone in self._by_zone(s, pieces):
            if len(self._pieces_in(s, zone)) > 1:
                self._lose_places(s, zone)

    def move_all(self, s: State, pieces: Sequence[int], zone: int, under: int) -> None:
        """Move pieces as the plain operation does, and track what seats know of them."""
        sources = self._by_zone(s, pieces)
        for source, some in sources.items():
            self._leave(s, some, source, zone)
        self._plain["move_all"](s, pieces, zone, under)
        self._settle(s, {*sources, zone})

    def move(self, s: State, piece: int, zone: int, under: int) -> None:
        """Move one piece, as `move_all` does."""
        self.move_all(s, (piece,), zone, under)

    def deal(self, s: State, source: int, zone: int, count: int, under: int, refill: int) -> None:
        """Deal pieces as the plain operation does, refilling the source by pouring, and track what seats know of
        them."""
        while count > 0:
            dealt = self._pieces_in(s, source)[-count:]
            if dealt:
                self._leave(s, dealt, source, zone)
                self._plain["deal"](s, source, zone, len(dealt), under, -1)
                self._settle(s, (source, zone))
                count -= len(dealt)
            if not count or refill < 0 or not self._pieces_in(s, refill):
                return
            self.pour(s, refill, source)

    def spill(self, s: State, source: int, zone: int) -> None:
        """Move all pieces of a zone to another, and track what seats know of them; nothing happens from a zone to
        itself."""
        if source != zone:
            self._leave(s, self._pieces_in(s, source), source, zone)
            self._plain["spill"](s, source, zone)
            self._settle(s, (source, zone))

    def pour(self, s: State, source: int, zone: int) -> None:
        """Move all pieces of a zone to another, and shuffle that."""
        self.spill(s, source, zone)
        self.shuffle(s, zone)

    def shuffle(self, s: State, zone: int) -> None:
        """Shuffle a zone; if it has several pieces, what seats knew of each is forgotten."""
        self._plain["shuffle"](s, zone)
        if len(self._pieces_in(s, zone)) > 1:
            self._forget_zone(s, zone)

    def forget(self, s: State, pieces: Iterable[int]) -> None:
        """Erase knowledge when these pieces change their faces."""
        for zone in self._by_zone(s, pieces):
            self._forget_zone(s, zone)

    def swap(self, s: State, one: int, other: int) -> None:
        """Swap two pieces, and track what seats know of them."""
        first_zone, second_zone = _cell(s, self._zone_cells + one), _cell(s, self._zone_cells + other)
        self.mingle(s, (one, other))
        if first_zone != second_zone:
            self._leave(s, (one,), first_zone, second_zone)
            self._leave(s, (other,), second_zone, first_zone)
        self._plain["swap"](s, one, other)
        for zone in (first_zone, second_zone):
            self._lose_places(s, zone)
        self._settle(s, (first_zone, second_zone))

    def show(self, s: State, pieces: Iterable[int], seats: Iterable[int], by_place: int) -> None:
        """Record that seats are shown pieces. by_place: whether everybody can identify them by their places."""
        viewers = sum(1 << seat for seat in set(seats))
        pieces = tuple(pieces)
        s[self._shown_cell], s[self._shown_cell + 1] = pieces, viewers
        for zone, some in self._by_zone(s, pieces).items():
            for seat in self._seats:
                if viewers & ~self._viewers[zone] & 1 << seat:
                    self._see(s, some, zone, seat, bool(by_place))
            self._settle(s, (zone,))

    def located(self, s: State, pieces: Sequence[int]) -> list[tuple[int, int, int]]:
        """Return located pieces with the seats that know each and can identify it here: those it was just shown to, or
        all if the whole zone is mentioned."""
        just = s[self._shown_cell + 1] if pieces and set(pieces) == set(_cell(s, self._shown_cell)) else 0
        result = []
        for piece in pieces:
            zone_pieces = _cell(s, _cell(s, self._zone_cells + piece))
            viewers = self._everybody if set(tuple.__iter__(zone_pieces)) <= set(pieces) else just
            result.append(
                (self._program.appearance(s, piece), s[self._zone_cells + piece], s[self._known + piece] & viewers)
            )
        return result

    # ── knowledge ──

    def _pieces_in(self, s: State, zone: int) -> tuple[int, ...]:
        """Return the pieces of a zone."""
        return tuple(tuple.__iter__(_cell(s, zone)))

    def _appearance(self, s: State, piece: int) -> int:
        """Return the number of the type that a piece shows face up, without its marks."""
        face = self._faces.get(piece)
        return self._program.type_of[piece] + (0 if face is None else _cell(s, face.cell) - face.first)

    def _by_zone(self, s: State, pieces: Iterable[int]) -> dict[int, list[int]]:
        """Group pieces by the zones they are in."""
        result: dict[int, list[int]] = {}
        for piece in pieces:
            result.setdefault(_cell(s, self._zone_cells + piece), []).append(piece)
        return result

    def _is_placed(self, s: State, piece: int, seat: int) -> bool:
        """Return whether a seat knows a piece and its place."""
        return bool(s[self._known + piece] & ~s[self._lost_places + piece] & 1 << seat)

    def _unplaced(self, s: State, pieces: Iterable[int], seat: int) -> list[int]:
        """Return the pieces that a seat does not know, or without their places."""
        return [piece for piece in pieces if not self._is_placed(s, piece, seat)]

    def _lose_places(self, s: State, zone: int) -> None:
        """Erase the known places in a zone for all seats that do not see it."""
        for piece in self._pieces_in(s, zone):
            s[self._lost_places + piece] |= s[self._known + piece] & ~self._viewers[zone]

    def _pick(self, s: State, pieces: Sequence[int], source: int, zone: int, seat: int) -> None:
        """Update a seat's knowledge when pieces leave a zone of which it knows some pieces, but not their places."""
        going, others = self._unplaced(s, pieces, seat), self._unplaced(s, self._pieces_in(s, source), seat)
        if not going or len(going) == len(others):
            return
        bit = 1 << seat
        left = [piece for piece in others if s[self._known + piece] & bit and piece not in going]
        if not self._viewers[zone] & bit:
            for piece in (*left, *going):
                s[self._known + piece] &= ~bit
            return
        for piece in going:
            if not s[self._known + piece] & bit:  # it may be any similar one
                equal_pieces = (
                    one
                    for one in left
                    if s[self._known + one] & bit and self._appearance(s, one) == self._appearance(s, piece)
                )
                if (other := next(equal_pieces, None)) is not None:
                    s[self._known + other] &= ~bit

    def _leave(self, s: State, pieces: Sequence[int], source: int, zone: int) -> None:
        """Update knowledge before pieces move between zones."""
        if source != zone:
            losing = 0
            for piece in self._pieces_in(s, source):
                losing |= s[self._lost_places + piece]
            for seat in self._seats:
                if losing >> seat & 1:
                    self._pick(s, pieces, source, zone, seat)
        for piece in pieces:
            s[self._known + piece] |= self._viewers[source]

    def _settle(self, s: State, zones: Iterable[int]) -> None:
        """Update knowledge after moves: places matter only if the zone may hold pieces that look different."""
        for zone in zones:
            pieces = self._pieces_in(s, zone)
            losing = 0
            for piece in pieces:
                s[self._lost_places + piece] &= s[self._known + piece] & ~self._viewers[zone]
                losing |= s[self._lost_places + piece]
            for seat in self._seats:
                if losing >> seat & 1:
                    rest = self._unplaced(s, pieces, seat)
                    if (
                        all(s[self._known + piece] >> seat & 1 for piece in rest)
                        and len({self._appearance(s, one) for one in rest}) == 1
                    ):
                        for piece in rest:
                            s[self._lost_places + piece] &= ~(1 << seat)

    def _forget_zone(self, s: State, zone: int) -> None:
        """Erase what all seats know of the pieces in a zone."""
        for piece in self._pieces_in(s, zone):
            s[self._known + piece] = s[self._lost_places + piece] = 0

    def _see(self, s: State, some: Sequence[int], zone: int, seat: int, by_place: bool) -> None:
        """Record that a seat is shown pieces of a zone. An unknown piece may be one that it knows already, if that
        looks the same and may be there. by_place: as of `show`."""
        bit = 1 << seat
        others = [one for one in self._pieces_in(s, zone) if one not in some and s[self._known + one] & bit]
        if by_place:
            others = [one for one in others if s[self._lost_places + one] & bit]
        for piece in some:
            if not s[self._known + piece] & bit:
                equal_piece = next(
                    (one for one in others if self._appearance(s, one) == self._appearance(s, piece)), None
                )
                if equal_piece is not None:
                    others.remove(equal_piece)
                if by_place and equal_piece is not None:
                    s[self._known + equal_piece] &= ~bit
                if by_place or equal_piece is None:
                    s[self._known + piece] |= bit
                    s[self._lost_places + piece] |= bit
            if by_place:
                s[self._lost_places + piece] &= ~bit


_OPERATIONS = tuple(name for name in vars(PieceMemory) if name[0] != "_" and name != "operations")
"""Names of the instructions that this memory replaces."""
