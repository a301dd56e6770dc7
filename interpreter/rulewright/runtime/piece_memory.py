"""What players know of pieces that they do not see: kept beside the moves of an edition with memory.

Of each piece the state holds the seats that know in which zone it lies, one bit for each, and those of them that have
lost its place there: to them it is *loose*. Everybody sees from where to where pieces move, and how many. Which of
them, a seat can tell

- where it sees them go or arrive,
- where they are told by their places, as in `top 2 of deck`, or are all that lies there.

So what a seat saw, it knows where it goes, and what it knows it can follow. A seat that does not see which pieces are
picked out of a zone, nor sees them arrive, knows nothing of that zone any more; one that sees them arrive knows what is
left of what it knew, but not where. Pieces that it is shown as they lie have their places again. A shuffle ends what is
known of a zone, and so does a piece in it that comes to show something else unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulewright.program.form import Program
from rulewright.runtime.state import State


def over_memory(program: Program, plain: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """What moves pieces, and keeps what is known of them. plain: the same without."""
    layout = program.layout
    at, known, faces = layout.at, layout.memory, layout.faces
    loose, shown = layout.loose, layout.shown
    seats = range(layout.seats)
    seers = layout.seers
    everybody = (1 << layout.seats) - 1
    cell = list.__getitem__  # unseen, even where somebody watches who looks at pieces

    def lying(s: State, zone: int) -> tuple[int, ...]:
        return tuple(tuple.__iter__(cell(s, zone)))

    def look(s: State, piece: int) -> int:
        return program.type_of[piece] + (cell(s, faces[piece].cell) if piece in faces else 0)

    def by_zone(s: State, pieces: Iterable[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for piece in pieces:
            found.setdefault(cell(s, at + piece), []).append(piece)
        return found

    def is_placed(s: State, piece: int, seat: int) -> bool:
        """Return whether a seat knows a piece at its place."""
        return bool(s[known + piece] & ~s[loose + piece] & 1 << seat)

    def unplaced(s: State, pieces: Iterable[int], seat: int) -> list[int]:
        """Pieces that a seat does not know, or not at their places."""
        return [piece for piece in pieces if not is_placed(s, piece, seat)]

    def lose_places(s: State, zone: int) -> None:
        """Who does not see a zone does not know any more where in it pieces lie."""
        for piece in lying(s, zone):
            s[loose + piece] |= s[known + piece] & ~seers[zone]

    def pick(s: State, pieces: Sequence[int], source: int, zone: int, seat: int) -> None:
        """Pieces leave a zone of which a seat knows some pieces, but not their places."""
        going, there = unplaced(s, pieces, seat), unplaced(s, lying(s, source), seat)
        if not going or len(going) == len(there):
            return
        bit = 1 << seat
        left = [piece for piece in there if s[known + piece] & bit and piece not in going]
        if not seers[zone] & bit:
            for piece in (*left, *going):
                s[known + piece] &= ~bit
            return
        for piece in going:
            if not s[known + piece] & bit:  # it could be any that looks like it
                alike = (one for one in left if s[known + one] & bit and look(s, one) == look(s, piece))
                if (other := next(alike, None)) is not None:
                    s[known + other] &= ~bit

    def leave(s: State, pieces: Sequence[int], source: int, zone: int) -> None:
        """Before pieces go from one zone to another."""
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
        """After pieces have moved: a piece has no place to lose where all that could lie there look like it."""
        for zone in zones:
            there = lying(s, zone)
            losing = 0
            for piece in there:
                s[loose + piece] &= s[known + piece] & ~seers[zone]
                losing |= s[loose + piece]
            for seat in seats:
                if losing >> seat & 1:
                    rest = unplaced(s, there, seat)
                    if all(s[known + piece] >> seat & 1 for piece in rest) and len({look(s, one) for one in rest}) == 1:
                        for piece in rest:
                            s[loose + piece] &= ~(1 << seat)

    def mingle(s: State, pieces: Iterable[int]) -> None:
        """These pieces are about to move; who does not see which of them they are is not told by their places."""
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

    def deal(s: State, source: int, zone: int, wanted: int, under: int, refill: int) -> None:
        while wanted > 0:
            dealt = lying(s, source)[-wanted:]
            if dealt:
                leave(s, dealt, source, zone)
                plain["deal"](s, source, zone, len(dealt), under, -1)
                settle(s, (source, zone))
                wanted -= len(dealt)
            if not wanted or refill < 0 or not lying(s, refill):
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
        """What these pieces show changes."""
        for zone in by_zone(s, pieces):
            forget_zone(s, zone)

    def swap(s: State, one: int, other: int) -> None:
        here, there = cell(s, at + one), cell(s, at + other)
        mingle(s, (one, other))
        if here != there:
            leave(s, (one,), here, there)
            leave(s, (other,), there, here)
        plain["swap"](s, one, other)
        for zone in (here, there):
            lose_places(s, zone)
        settle(s, (here, there))

    def show(s: State, pieces: Iterable[int], readers: Iterable[int], told: int) -> None:
        """These seats see pieces. told: whether everybody knows by their places which ones."""
        who = sum(1 << seat for seat in set(readers))
        pieces = tuple(pieces)
        s[shown], s[shown + 1] = pieces, who
        for zone, some in by_zone(s, pieces).items():
            for seat in seats:
                if who & ~seers[zone] & 1 << seat:
                    see(s, some, zone, seat, bool(told))
            settle(s, (zone,))

    def see(s: State, some: Sequence[int], zone: int, seat: int, told: bool) -> None:
        """A seat is shown pieces of a zone. What it did not know there may be what it knows already, where that looks
        like it and may lie there."""
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
        """With the seats that know each, and know that it is this one that is spoken of: since it has just been shown
        to them, or since all that lies there is spoken of."""
        just = s[shown + 1] if pieces and set(pieces) == set(cell(s, shown)) else 0
        found = []
        for piece in pieces:
            there = cell(s, cell(s, at + piece))
            who = everybody if set(tuple.__iter__(there)) <= set(pieces) else just
            found.append((program.look(s, piece), s[at + piece], s[known + piece] & who))
        return found

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
