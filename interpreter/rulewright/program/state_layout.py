"""Layout of states: which cell holds what.

A state is a list of cells. A cell holds a number, or a set: a tuple of numbers, of a size within the capacity that the
compiler has proven. A zone is such a cell, its pieces bottom first. Pieces, seats and words are numbers from 0; -1 is
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from rulewright.base.records import record
from rulewright.program.value_types import Type

PC, ME, FUEL, PHASE, ROUND, RANDOM = 0, 1, 2, 3, 4, 5
"""Cells at the front of every state: the block to run next, or GAME_OVER; the acting seat; the rounds of loops that may
run until the next answer; the phase, -1 in the set-up; the round; and the first one of the random generator."""
RANDOM_CELLS = 4
"""Number of cells of the random generator, from RANDOM on."""
ANSWERS = RANDOM + RANDOM_CELLS
"""Cell with the number of answers given."""
LIMITED = ANSWERS + 1
"""Cell with 1 if the game ended at its limit."""
QUESTION_ROUND = LIMITED + 1
"""Cell with the round of the last question; unused if the edition limits rounds."""
HEADER = QUESTION_ROUND + 1
"""Number of cells before those that the edition needs."""

GAME_OVER = -1
"""Content of PC when the game is over."""
WAITING, PARKED, BEGINNING = -1, -2, -3
"""States of a seat in an `at once`, in place of its next block: asked; waiting for the others with its effects; not
begun."""
NOTHING = -1
"""Content of a cell that holds no seat, word or piece."""


@record
class LastingValue:
    """Value that outlives a decision besides zones and counters: an answer, or a named value.

    address: its cell (of the first seat, if in an `at once`, where every seat has its own); type: of its content, a set
    if many; sealed: number of that `at once`, or -1.
    """

    address: int
    type: Type
    sealed: int


@record
class StateZone:
    """Zone in the state: the set in cell `address`.

    - of: 'seat' or a word list, whose number `owner` is; or '' and -1 for a zone of the table
    - seen_by: 'all', 'owner' or 'nobody'
    - holds: kinds of pieces allowed in it
    - capacity: proven bound of the number of pieces
    - pile: whether it is declared as a pile
    """

    name: str
    of: str
    owner: int
    address: int
    capacity: int
    seen_by: str
    pile: bool
    holds: frozenset[str]

    def is_seen_by(self, seat: int) -> bool:
        """Whether a seat sees the zone's pieces."""
        return self.seen_by == "all" or (self.seen_by == "owner" and self.of == "seat" and self.owner == seat)


@record
class Counter:
    """Counter or list in the state.

    - address: its first cell
    - of: owners, as for zones
    - cells: number of cells, of all owners together
    - start: content of the first cell at the start
    - cycle: number of words if each further cell starts with the next word, else 0
    - by: word list for whose words each owner has a cell, or ''
    - initial_by_word: initial contents of these
    - most: capacity of a list, whose cell is a set; 0 for a counter
    """

    name: str
    address: int
    of: str
    cells: int
    start: int
    type: Type
    cycle: int = 0
    by: str = ""
    initial_by_word: tuple[int, ...] = ()
    most: int = 0

    @property
    def width(self) -> int:
        """Number of cells of each owner."""
        return len(self.initial_by_word) or 1

    @property
    def owners(self) -> int:
        """Number of owners."""
        return self.cells // self.width

    def cells_of(self, owner: int) -> range:
        """Return the cells of an owner; -1 is the table."""
        first = self.address + max(0, owner) * self.width
        return range(first, first + self.width)

    def initial(self, cell: int) -> int:
        """Return the initial content of one of its cells: sides cycle through the words, round the table. cell: counted
        from its first, 0."""
        if self.initial_by_word:
            return self.initial_by_word[cell % self.width]
        return (self.start + cell) % self.cycle if self.cycle else self.start


@record
class Mark:
    """Piece counter: one cell for each piece of the edition, whatever its kind.

    - address: cell of the first piece
    - initial_by_kind: content at the start, of the kinds that have the counter
    - visible: whether pieces show it
    - number: index among the piece counters
    """

    name: str
    address: int
    initial_by_kind: Mapping[str, int]
    type: Type
    visible: bool
    number: int


@record
class FaceCell:
    """Changing attribute of a piece. cell: its cell; first, last: range of its values."""

    cell: int
    first: int
    last: int


@record
class Layout:
    """Addresses in a state of `size` cells, for `seats` players and `pieces`.

    - piece_zones: first cell with the addresses of the pieces' zones
    - role: first cell of the seats' roles, or -1
    - option: first cell of the options' choices, as indices
    - sets: capacity of each set's cell
    - faces: by piece, if it changes
    - marked: by piece
    - memory: first cell with the seats that know each piece's zone, one bit for each; -1 in an edition without memory
    - lost_places: likewise, that have lost its place there
    - shown_pieces: those shown since the last answer, before a cell with the seats that saw these
    """

    size: int
    seats: int
    pieces: int
    piece_zones: int
    role: int
    option: int
    zones: tuple[StateZone, ...]
    counters: tuple[Counter, ...]
    sets: Mapping[int, int]
    faces: Mapping[int, FaceCell]
    lasting_values: tuple[LastingValue, ...]
    marks: tuple[Mark, ...] = ()
    marked: Mapping[int, tuple[tuple[Mark, int], ...]] = field(default_factory=dict)
    memory: int = -1
    lost_places: int = -1
    shown_pieces: int = -1

    @cached_property
    def public_cells(self) -> frozenset[int]:
        """Cells that everybody knows at every decision: all counters, roles, visible zones, phase, round and the
        like."""
        cells = {PC, FUEL, PHASE, ROUND, *range(self.role, self.role + self.seats)}
        cells.update(space.address for space in self.zones if space.seen_by == "all")
        for counter in self.counters:
            cells.update(range(counter.address, counter.address + counter.cells))
        return frozenset(cells)

    @cached_property
    def viewers(self) -> Mapping[int, int]:
        """Address of each zone -> seats that see its pieces, one bit for each."""
        result = {space.address: 0 for space in self.zones}
        for space in self.zones:
            if space.seen_by == "all":
                result[space.address] = (1 << self.seats) - 1
            elif space.seen_by == "owner" and space.of == "seat":
                result[space.address] = 1 << space.owner
        return result
