"""What players know of pieces that they do not see: kept beside the moves of an edition with memory.

Of each piece the state holds the seats that know it where it lies, one bit for each; of each zone the seats that know
some of its pieces, but not any more at which places they lie. Everybody sees from where to where pieces move, and how
many. Which of them, a seat can tell

- where it sees them go or arrive,
- where they are told by their places, as in `top 2 of deck`, or are all that lies there.

So what a seat saw, it knows where it goes, and what it knows it can follow. A seat that does not see which pieces are
picked out of a zone, nor sees them arrive, knows nothing of that zone any more; one that sees them arrive knows what is
left of what it knew. A shuffle ends what is known of a zone, and so does a piece in it that comes to show something
else unseen.
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
    order, shown = layout.order, layout.shown
    seats = range(layout.seats)
    seers = {
        space.address: sum(
            1 << seat
            for seat in seats
            if space.seen_by == "all" or (space.seen_by == "owner" and space.of == "seat" and space.owner == seat)
        )
        for space in layout.spaces
    }
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

    def pick(s: State, pieces: Sequence[int], source: int, zone: int, who: int) -> None:
        """Pieces leave a zone; these seats cannot tell by their places which of them they are."""
        there = lying(s, source)
        if len(pieces) == len(there):
            s[order + zone] |= who & ~seers[zone]
            return
        unseen, seen = who & ~seers[zone], who & seers[zone]
        for piece in there:
            s[known + piece] &= ~unseen
        left = [piece for piece in there if piece not in pieces]
        for seat in seats:
            if not seen >> seat & 1:
                continue
            for piece in pieces:
                if not s[known + piece] >> seat & 1:  # it could be any that looks like it
                    alike = (one for one in left if s[known + one] >> seat & 1 and look(s, one) == look(s, piece))
                    if (other := next(alike, None)) is not None:
                        s[known + other] &= ~(1 << seat)

    def leave(s: State, pieces: Sequence[int], source: int, zone: int) -> None:
        """Before pieces go from one zone to another."""
        if source != zone and s[order + source]:
            pick(s, pieces, source, zone, s[order + source])
        for piece in pieces:
            s[known + piece] |= seers[source]

    def settle(s: State, zones: Iterable[int]) -> None:
        """After pieces have moved: of a single piece, and of those that are not known, no place can be lost."""
        for zone in zones:
            there = lying(s, zone)
            marks = 0
            for piece in there:
                marks |= s[known + piece]
            s[order + zone] = s[order + zone] & marks & ~seers[zone] if len(there) > 1 else 0

    def mingle(s: State, pieces: Iterable[int]) -> None:
        """These pieces are about to move; who does not see which of them they are is not told by their places."""
        for zone in by_zone(s, pieces):
            if len(lying(s, zone)) > 1:
                s[order + zone] |= everybody & ~seers[zone]

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
            s[known + piece] = 0
        s[order + zone] = 0

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
            s[order + zone] |= everybody & ~seers[zone]
        settle(s, (here, there))

    def show(s: State, pieces: Iterable[int], readers: Iterable[int], told: int) -> None:
        """These seats see pieces. told: whether everybody knows by their places which ones."""
        who = sum(1 << seat for seat in set(readers))
        pieces = tuple(pieces)
        s[shown], s[shown + 1] = pieces, who
        for zone, some in by_zone(s, pieces).items():
            there = lying(s, zone)
            if not told and len(there) > 1:
                s[order + zone] |= who & ~seers[zone]
            for seat in seats:
                if who >> seat & 1:
                    others = [look(s, one) for one in there if one not in some and s[known + one] >> seat & 1]
                    for piece in some:
                        if s[known + piece] >> seat & 1:
                            continue
                        if s[order + zone] >> seat & 1 and look(s, piece) in others:
                            others.remove(look(s, piece))  # it may be the one that is known already
                        else:
                            s[known + piece] |= 1 << seat
            settle(s, (zone,))

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
