"""Analysis of candidates that their chooser provably sees, so that statistics need not check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.program.blocks import Node, flatten
from rulewright.program.form import Program
from rulewright.program.instructions import MAKING_VECTORS, MOVING, OPENING, Instruction, is_constant, number_in
from rulewright.program.state_layout import StateZone

_LOOPING = frozenset(["for", "loop"])
"""Instructions whose nest runs several times."""
_PART_OF = frozenset(["as_tuple", "front", "slice", "back", "filter", "select", "within", "fitting"])
"""Instructions that make a vector from items of the one in their second operand."""
_OF_BOTH = frozenset(["join", "unite"])
"""Instructions that make a vector of the items of two."""


_MAX_DEPTH = 8
"""Limit of vectors made of each other that are followed."""


class VisibleCandidates:
    """Candidates of one stretch of code that their chooser sees. visible: notes and random answers whose candidates all
    lie in zones that the chooser sees."""

    def __init__(self, body: Sequence[Node], program: Program) -> None:
        self._code = flatten(body)
        self._moves = [place for place, instruction in enumerate(self._code) if instruction[0] in MOVING]
        names: dict[str, list[StateZone]] = {}
        for space in program.layout.zones:
            names.setdefault(space.name, []).append(space)
        self._zones = {spaces[0].address: spaces for spaces in names.values()}  # those of a name, by the first address
        self._makers: dict[int, list[int]] = {}
        self._sums: dict[int, list[Instruction]] = {}
        for place, instruction in enumerate(self._code):
            if instruction[0] in MAKING_VECTORS:
                self._makers.setdefault(int(instruction[1]), []).append(place)
            elif instruction[0] in ("add", "copy", "load", "table", "for"):
                self._sums.setdefault(int(instruction[1]), []).append(instruction)
        self._ends: dict[int, int] = {}
        self._within = list(self._nests())
        notes: dict[Instruction, bool] = {}
        for place, instruction in enumerate(self._code):
            match instruction:
                case ("noted", _, int(seat), int(vector), *_) | ("pick_alike", _, int(vector), _, _, int(seat), *_):
                    notes[instruction] = notes.get(instruction, True) and self._sees(vector, seat, place, 0)
        self.visible = frozenset(note for note, is_visible in notes.items() if is_visible)

    def _nests(self) -> Iterator[tuple[int, ...]]:
        """Yield the nests around each instruction, each by the index of its opening, negative inside `else`."""
        open_: list[int] = []
        for place, instruction in enumerate(self._code):
            match instruction[0]:
                case "end":
                    self._ends[abs(open_.pop())] = place
                case "else":
                    open_.append(-open_.pop())
            yield tuple(open_)
            if instruction[0] in OPENING:
                open_.append(place)

    def _sees(self, vector: int, seat: int, noted: int, depth: int) -> bool:
        """Return whether a seat provably sees all items of a vector. seat: as an operand; noted: index of the
        instruction that uses them; depth: number of vectors that were made of this one."""
        makers = self._makers.get(vector, [])
        return (
            depth < _MAX_DEPTH and bool(makers) and all(self._sees_made(maker, seat, noted, depth) for maker in makers)
        )

    def _sees_made(self, place: int, seat: int, noted: int, depth: int) -> bool:
        """Return whether a seat sees all items of the vector made at a place, when the instruction at `noted` uses
        them."""
        maker = self._code[place]
        if maker[0] in _PART_OF:
            return self._sees(int(maker[2]), seat, noted, depth + 1)
        if maker[0] in _OF_BOTH:
            return all(self._sees(int(vector), seat, noted, depth + 1) for vector in maker[2:4])
        if maker[0] != "read" or self._may_move(place, noted):
            return False
        match maker:
            case ("read", _, int(cell), int(index)) if is_constant(index):
                return any(
                    space.address == cell + number_in(index) and self._sees_zone(space, seat)
                    for spaces in self._zones.values()
                    for space in spaces
                )
            case ("read", _, 0, int(index)):
                return self._sees_summed(self._sums.get(number_in(index), []), seat)
        return False

    def _sees_summed(self, sums: Sequence[Instruction], seat: int) -> bool:
        """Return whether a seat sees a zone of a computed cell: the first one of a name, plus the owner's number."""
        match sums:
            case [("add", _, int(one), int(other))]:
                first, owner = (one, other) if is_constant(one) else (other, one)
                spaces = self._zones.get(number_in(first), []) if is_constant(first) else []
                return bool(spaces) and (
                    all(space.seen_by == "all" for space in spaces)
                    or (owner == seat and all(space.seen_by == "owner" and space.of == "seat" for space in spaces))
                )
        return False

    def _sees_zone(self, space: StateZone, seat: int) -> bool:
        """Return whether a seat, as an operand, certainly sees a zone."""
        if space.seen_by == "all":
            return True
        return space.seen_by == "owner" and space.of == "seat" and seat == 2 * space.owner + 1

    def _may_move(self, read: int, noted: int) -> bool:
        """Return whether pieces may move after a zone is read and before its pieces are noted: in between, or in a loop
        that is around the note and not around the reading. What is in the other branch of an `if` is left out."""
        nests = self._within[noted]
        outside = [nest for nest in nests if nest not in self._within[read] and self._code[abs(nest)][0] in _LOOPING]
        end = max([noted, *(self._ends[nest] for nest in outside)])
        return any(
            read < move < end and not any(-nest in nests for nest in self._within[move] if nest) for move in self._moves
        )
