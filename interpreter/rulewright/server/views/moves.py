"""Moves of the last step: which pieces went from which zone to which, in order, as one reader sees it.

They are derived from that reader's views of the states at the lines of the log and from nothing else: pieces that show
their names at both ends are matched by name, hidden ones by how many a zone lost or gained. So they tell nothing that
the views do not.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product

from rulewright.program.appearance import name_without_marks
from rulewright.program.form import Program, StateZone
from rulewright.runtime.state import State
from rulewright.runtime.view import piece_names, sees_zone
from rulewright.server.views.document import Move

_MOST = 40
"""Pieces whose moves are told; of more, the first."""
_HIDDEN = ""
"""Name of a piece that is not seen."""


_Pieces = Counter[tuple[str, str]]
"""Pieces by their zone and their name."""


class ZoneChanges:
    """Changes of zones along successive states of a game, the same for all readers."""

    def __init__(self, program: Program, spaces: Sequence[tuple[str, StateZone]], states: Sequence[State]) -> None:
        """spaces: the zones that are shown, each with its key."""
        self._program = program
        self._steps = [
            (
                before,
                after,
                [one for one in spaces if before[one[1].address] != after[one[1].address]],
            )
            for before, after in pairwise(states)
        ]

    def are_seen_alike(self, seat: int | None) -> bool:
        """Whether a seat sees no more of them than a spectator."""
        changed = (space for *_, spaces in self._steps for _, space in spaces)
        return all(sees_zone(space, seat) == sees_zone(space, None) for space in changed)

    def moves(self, seat: int | None) -> tuple[Move, ...]:
        """Return the moves as a seat or a spectator sees them."""
        moves: list[Move] = []
        for before, after, spaces in self._steps:
            lost, gained = _Pieces(), _Pieces()
            for key, space in spaces:
                old, new = (_contents(self._program, state, space, seat) for state in (before, after))
                losses, gains = old - new, new - old
                _forget_changed_looks(self._program, losses, gains)
                lost.update({(key, name): count for name, count in losses.items()})
                gained.update({(key, name): count for name, count in gains.items()})
            matches = list(_matches(lost, gained))
            if len({move.source for move in matches}) == 1:
                matches.sort(key=_order_of_leaving(before, after, spaces, seat))
            moves += matches
        return tuple(_first(moves))


def _order_of_leaving(
    before: State, after: State, spaces: Sequence[tuple[str, StateZone]], seat: int | None
) -> Callable[[Move], int]:
    """Return the key by which moves from one zone are sorted: how many pieces lay before the first one, as when seeds
    are sown. Moves that the seat does not see come last."""
    open_zones = [(key, space.address) for key, space in spaces if sees_zone(space, seat)]
    places = {
        (source, target): min((was.index(piece) for piece in after[to] if piece in was), default=len(was))
        for source, address in open_zones
        for was in [before[address]]
        for target, to in open_zones
    }
    return lambda move: places.get((move.source, move.target), sys.maxsize)


def _contents(program: Program, state: State, space: StateZone, seat: int | None) -> Counter[str]:
    """Count a zone's pieces by name, as a seat sees them; hidden ones have one name."""
    if sees_zone(space, seat):
        return Counter(piece_names(program, state, space))
    return Counter({_HIDDEN: len(state[space.address])})


def _same_type(lost: str, gained: str) -> bool:
    """Return whether two visible pieces differ in their counters at most."""
    return bool(lost and gained) and name_without_marks(lost) == name_without_marks(gained)


def _forget_changed_looks(program: Program, losses: Counter[str], gains: Counter[str]) -> None:
    """Remove pieces that stayed in their zone and look otherwise, such as a disc that was turned over."""
    for old, new in product(list(losses), list(gains)):
        if _same_type(old, new) or (old and new and _may_turn_into(program, old, new)):
            count = min(losses[old], gains[new])
            losses[old] -= count
            gains[new] -= count


def _may_turn_into(program: Program, old: str, new: str) -> bool:
    """Whether one piece can show both."""
    names = {name_without_marks(old), name_without_marks(new)}
    return any(
        names <= {program.types[number].name for number in program.possible_types(piece)}
        for piece in range(program.layout.pieces)
    )


_FITS: tuple[Callable[[str, str], bool], ...] = (
    lambda lost, gained: lost == gained != _HIDDEN,
    _same_type,
    lambda lost, gained: _HIDDEN == lost != gained,
    lambda lost, gained: lost != gained == _HIDDEN,
    lambda lost, gained: lost == gained,
)
"""Conditions on which a lost and a gained piece can be the same, the surest first."""


def _matches(lost: _Pieces, gained: _Pieces) -> Iterator[Move]:
    """Match lost with gained pieces, and yield a move for all between the same two zones."""
    moves: dict[tuple[str, str], list[str]] = {(source, target): [] for target, _ in gained for source, _ in lost}
    for fits in _FITS:
        for (target, name), (source, old) in product(gained, lost):
            count = min(gained[target, name], lost[source, old])
            if count > 0 and fits(old, name):
                gained[target, name] -= count
                lost[source, old] -= count
                moves[source, target] += [name or old] * count
    for (source, target), pieces in moves.items():
        if pieces and source != target:
            yield Move(source, target, tuple(filter(None, pieces)), pieces.count(_HIDDEN))


def _first(moves: Sequence[Move]) -> Iterator[Move]:
    """Yield the first moves, of not too many pieces."""
    left = _MOST
    for move in moves:
        if left <= 0:
            return
        pieces = move.pieces[:left]
        yield Move(move.source, move.target, pieces, min(move.hidden, left - len(pieces)))
        left -= len(move.pieces) + move.hidden
