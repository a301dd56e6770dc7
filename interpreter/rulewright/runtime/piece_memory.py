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


def over_memory(program: Program, plain: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Return the operations that move pieces and track knowledge. plain: operations without tracking."""
    layout = program.layout
    at, known, faces = layout.at, layout.memory, layout.faces
    loose, shown = layout.loose, layout.shown
    seats = range(layout.seats)
    seers = layout.seers
    everybody = (1 << layout.seats) - 1
    cell = list.__getitem__  # bypasses a list that monitors reads of pieces

    def lying(s: State, zone: int) -> tuple[int, ...]:
        return tuple(tuple.__iter__(cell(s, zone)))

    def look(s: State, piece: int) -> int:
        return program.type_of[piece] + (cell(s, faces[piece].cell) if piece in faces else 0)

    def by_zone(s: State, pieces: Iterable[int]) -> dict[int, list[int]]:
        result: dict[int, list[int]] = {}
        for piece in pieces:
            result.setdefault(cell(s, at + piece), []).append(piece)
        return result

    def is_placed(s: State, piece: int, seat: int) -> bool:
        """Whether a seat knows a piece and its place."""
        return bool(s[known + piece] & ~s[loose + piece] & 1 << seat)

    def unplaced(s: State, pieces: Iterable[int], seat: int) -> list[int]:
        """Return the pieces that a seat does not know, or without their places."""
        return [piece for piece in pieces if not is_placed(s, piece, seat)]

    def lose_places(s: State, zone: int) -> None:
        """Erase the known places in a zone for all seats that do not see it."""
        for piece in lying(s, zone):
            s[loose + piece] |= s[known + piece] & ~seers[zone]

    def pick(s: State, pieces: Sequence[int], source: int, zone: int, seat: int) -> None:
        """Update a seat's knowledge when pieces leave a zone of which it knows some pieces, but not their places."""
        going, others = unplaced(s, pieces, seat), unplaced(s, lying(s, source), seat)
        if not going or len(going) == len(others):
            return
        bit = 1 << seat
        left = [piece for piece in others if s[known + piece] & bit and piece not in going]
        if not seers[zone] & bit:
            for piece in (*left, *going):
                s[known + piece] &= ~bit
            return
        for piece in going:
            if not s[known + piece] & bit:  # it may be any similar one
                alike = (one for one in left if s[known + one] & bit and look(s, one) == look(s, piece))
                if (other := next(alike, None)) is not None:
                    s[known + other] &= ~bit

    def leave(s: State, pieces: Sequence[int], source: int, zone: int) -> None:
        """Update knowledge before pieces move between zones."""
        if source != zone:
            losing = 0
            for piece in lying(s, source):
                losing |= s[loose + piece]
            for seat in seats:
                if losing >> seat & 1:
                    pick(s, pieces, source, zone, seat)
        for piece in pieces:
            s[known + piece] |= seers[source]

    def settle(s: State, zones: Iterable[int]) -> None:
        """Update knowledge after moves: places matter only if the zone may hold pieces that look different."""
        for zone in zones:
            pieces = lying(s, zone)
            losing = 0
            for piece in pieces:
                s[loose + piece] &= s[known + piece] & ~seers[zone]
                losing |= s[loose + piece]
            for seat in seats:
                if losing >> seat & 1:
                    rest = unplaced(s, pieces, seat)
                    if all(s[known + piece] >> seat & 1 for piece in rest) and len({look(s, one) for one in rest}) == 1:
                        for piece in rest:
                            s[loose + piece] &= ~(1 << seat)

    def mingle(s: State, pieces: Iterable[int]) -> None:
        """Update knowledge before individual moves; seats that cannot identify the pieces lose their places."""
        for zone in by_zone(s, pieces):
            if len(lying(s, zone)) > 1:
                lose_places(s, zone)

    def move_all(s: State, pieces: Sequence[int], zone: int, under: int) -> None:
        sources = by_zone(s, pieces)
        for source, some in sources.items():
            leave(s, some, source, zone)
        plain["move_all"](s, pieces, zone, under)
        settle(s, {*sources, zone})

    def move(s: State, piece: int, zone: int, under: int) -> None:
        move_all(s, (piece,), zone, under)

    def deal(s: State, source: int, zone: int, count: int, under: int, refill: int) -> None:
        while count > 0:
            dealt = lying(s, source)[-count:]
            if dealt:
                leave(s, dealt, source, zone)
                plain["deal"](s, source, zone, len(dealt), under, -1)
                settle(s, (source, zone))
                count -= len(dealt)
            if not count or refill < 0 or not lying(s, refill):
                return
            pour(s, refill, source)

    def spill(s: State, source: int, zone: int) -> None:
        if source != zone:
            leave(s, lying(s, source), source, zone)
            plain["spill"](s, source, zone)
            settle(s, (source, zone))

    def pour(s: State, source: int, zone: int) -> None:
        spill(s, source, zone)
        shuffle(s, zone)

    def shuffle(s: State, zone: int) -> None:
        plain["shuffle"](s, zone)
        if len(lying(s, zone)) > 1:
            forget_zone(s, zone)

    def forget_zone(s: State, zone: int) -> None:
        for piece in lying(s, zone):
            s[known + piece] = s[loose + piece] = 0

    def forget(s: State, pieces: Iterable[int]) -> None:
        """Erase knowledge when these pieces change their faces."""
        for zone in by_zone(s, pieces):
            forget_zone(s, zone)

    def swap(s: State, one: int, other: int) -> None:
        first_zone, second_zone = cell(s, at + one), cell(s, at + other)
        mingle(s, (one, other))
        if first_zone != second_zone:
            leave(s, (one,), first_zone, second_zone)
            leave(s, (other,), second_zone, first_zone)
        plain["swap"](s, one, other)
        for zone in (first_zone, second_zone):
            lose_places(s, zone)
        settle(s, (first_zone, second_zone))

    def show(s: State, pieces: Iterable[int], readers: Iterable[int], by_place: int) -> None:
        """Record that seats are shown pieces. told: whether everybody can identify them by their places."""
        viewers = sum(1 << seat for seat in set(readers))
        pieces = tuple(pieces)
        s[shown], s[shown + 1] = pieces, viewers
        for zone, some in by_zone(s, pieces).items():
            for seat in seats:
                if viewers & ~seers[zone] & 1 << seat:
                    see(s, some, zone, seat, bool(by_place))
            settle(s, (zone,))

    def see(s: State, some: Sequence[int], zone: int, seat: int, told: bool) -> None:
        """Record that a seat is shown pieces of a zone. An unknown piece may be one that it knows already, if that
        looks the same and may be there."""
        bit = 1 << seat
        others = [one for one in lying(s, zone) if one not in some and s[known + one] & bit]
        if told:
            others = [one for one in others if s[loose + one] & bit]
        for piece in some:
            if not s[known + piece] & bit:
                alike = next((one for one in others if look(s, one) == look(s, piece)), None)
                if alike is not None:
                    others.remove(alike)
                if told and alike is not None:
                    s[known + alike] &= ~bit
                if told or alike is None:
                    s[known + piece] |= bit
                    s[loose + piece] |= bit
            if told:
                s[loose + piece] &= ~bit

    def located(s: State, pieces: Sequence[int]) -> list[tuple[int, int, int]]:
        """Return located pieces with the seats that know each and can identify it here: those it was just shown to, or
        all if the whole zone is mentioned."""
        just = s[shown + 1] if pieces and set(pieces) == set(cell(s, shown)) else 0
        result = []
        for piece in pieces:
            zone_pieces = cell(s, cell(s, at + piece))
            viewers = everybody if set(tuple.__iter__(zone_pieces)) <= set(pieces) else just
            result.append((program.look(s, piece), s[at + piece], s[known + piece] & viewers))
        return result

    return {
        "move": move,
        "move_all": move_all,
        "deal": deal,
        "spill": spill,
        "pour": pour,
        "shuffle": shuffle,
        "swap": swap,
        "mingle": mingle,
        "forget": forget,
        "show": show,
        "located": located,
    }
