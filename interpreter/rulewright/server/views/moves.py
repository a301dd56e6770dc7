"""Moves of the last step: which pieces went from which zone to which, in order, as one reader sees it.

They are derived from that reader's views of the states at the lines of the log and from nothing else: pieces that show
their names at both ends are matched by name, hidden ones by how many a zone lost or gained. So they tell nothing that
the views do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product

from rulewright.model.edition import Edition
from rulewright.program.appearance import name_without_marks
from rulewright.program.form import Program
from rulewright.program.state_layout import StateZone
from rulewright.runtime.state import State
from rulewright.runtime.view import piece_names, sees_zone
from rulewright.server.views.document import Move

_MOST = 40
"""Pieces whose moves are told; of more, the first."""
_HIDDEN = ""
"""Name of a piece that is not seen."""


_Pieces = Counter[tuple[str, str]]
"""Pieces by their zone and their name."""


_Successors = Sequence[Mapping[str, str]]
"""Maps of a zone's key to that of the one that follows, by an attribute of the spaces where they are."""


def successors_of_zones(edition: Edition, spaces: Sequence[tuple[str, StateZone]]) -> _Successors:
    """Return maps from zone to zone, one for each attribute by which words of a list name others of it."""
    keys = {(space.name, space.owner): key for key, space in spaces}
    successors = []
    for name, of in {space.name: space.of for _, space in spaces if space.of in edition.words}.items():
        words = edition.words[of]
        for attribute in (one for one, holds in words.attributes.items() if holds == of):
            following = ((number, word.attributes.get(attribute, -1)) for number, word in enumerate(words.words))
            pairs = (((name, here), (name, there)) for here, there in following)
            successors.append({keys[here]: keys[there] for here, there in pairs if here in keys and there in keys})
    return successors


class ZoneChanges:
    """Changes of zones along successive states of a game, the same for all readers."""

    def __init__(
        self,
        program: Program,
        spaces: Sequence[tuple[str, StateZone]],
        successors: _Successors,
        states: Sequence[State],
    ) -> None:
        """spaces: the zones that are shown, each with its key; successors: as `successors_of_zones` returns them."""
        self._program, self._successors = program, successors
        self._steps = [
            (
                before,
                after,
                [one for one in spaces if before[one[1].address] != after[one[1].address]],
            )
            for before, after in pairwise(states)
        ]

    def are_seen_alike(self, seat: int | None) -> bool:
        """Return whether a seat sees the changed zones just as a spectator does."""
        changed = (space for *_, spaces in self._steps for _, space in spaces)
        return all(sees_zone(space, seat) == sees_zone(space, None) for space in changed)

    def moves(self, seat: int | None) -> tuple[Move, ...]:
        """Return the moves as a seat or a spectator sees them, of the first _MOST pieces only."""
        moves: list[Move] = []
        for before, after, spaces in self._steps:
            lost, gained = _Pieces(), _Pieces()
            for key, space in spaces:
                old, new = (_contents(self._program, state, space, seat) for state in (before, after))
                losses, gains = old - new, new - old
                _forget_changed_looks(self._program, losses, gains)
                lost.update({(key, name): count for name, count in losses.items()})
                gained.update({(key, name): count for name, count in gains.items()})
            moves += _sort_along_board(list(_matches(self._program, lost, gained)), self._successors)
        return tuple(_first(moves))


def _sort_along_board(moves: list[Move], successors: _Successors) -> list[Move]:
    """Sort moves that all begin in one zone along the board to where they end, as seeds are sown; that tells no more
    than the rules do."""
    sources, targets = {move.source for move in moves}, {move.target for move in moves}
    if len(sources) != 1 or len(targets) < 2:
        return moves
    for successor in successors:
        course = [*sources]
        while (following := successor.get(course[-1])) is not None and following not in course[1:]:
            course.append(following)
        if targets <= {*course[1:]}:
            return sorted(moves, key=lambda move: course.index(move.target, 1))
    return moves


def _contents(program: Program, state: State, space: StateZone, seat: int | None) -> Counter[str]:
    """Count a zone's pieces by name, as a seat sees them; hidden ones have one name."""
    if sees_zone(space, seat):
        return Counter(piece_names(program, state, space))
    return Counter({_HIDDEN: len(state[space.address])})


def _same_type(_: Program, lost: str, gained: str) -> bool:
    """Return whether two visible pieces differ in their counters at most."""
    return bool(lost and gained) and name_without_marks(lost) == name_without_marks(gained)


def _forget_changed_looks(program: Program, losses: Counter[str], gains: Counter[str]) -> None:
    """Remove pieces that stayed in their zone and look otherwise, such as a disc that was turned over."""
    for old, new in product(list(losses), list(gains)):
        if _same_type(program, old, new) or _may_turn_into(program, old, new):
            count = min(losses[old], gains[new])
            losses[old] -= count
            gains[new] -= count


def _may_turn_into(program: Program, old: str, new: str) -> bool:
    """Return whether one piece can show both of two names that are seen."""
    if not (old and new):
        return False
    names = {name_without_marks(old), name_without_marks(new)}
    return any(
        names <= {program.types[number].name for number in program.possible_types(piece)}
        for piece in range(program.layout.pieces)
    )


_FITS: tuple[Callable[[Program, str, str], bool], ...] = (
    lambda _, lost, gained: lost == gained != _HIDDEN,
    _same_type,
    _may_turn_into,
    lambda _, lost, gained: _HIDDEN == lost != gained,
    lambda _, lost, gained: lost != gained == _HIDDEN,
    lambda _, lost, gained: lost == gained,
)
"""Conditions on which a lost and a gained piece can be the same, the surest first."""


def _matches(program: Program, lost: _Pieces, gained: _Pieces) -> Iterator[Move]:
    """Match lost with gained pieces, and yield a move for all between the same two zones."""
    moves: dict[tuple[str, str], list[str]] = {(source, target): [] for target, _ in gained for source, _ in lost}
    for fits in _FITS:
        for (target, name), (source, old) in product(gained, lost):
            count = min(gained[target, name], lost[source, old])
            if count > 0 and fits(program, old, name):
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
