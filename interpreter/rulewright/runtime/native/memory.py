"""Memory layout of a program's native code, and states as bytes.

A cell of the state is a 4-byte word. Sets lie apart: the size, then the items.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from struct import Struct
from typing import Protocol

from rulewright.base.records import record
from rulewright.program.appearance import distinct_pieces
from rulewright.program.form import Program
from rulewright.program.state_layout import RANDOM, RANDOM_CELLS, Layout
from rulewright.runtime.native.results import GAME_WORDS
from rulewright.runtime.random_answers import sight_of_zones
from rulewright.runtime.rng import batch
from rulewright.runtime.state import State
from rulewright.runtime.view import sees_zone

ONES, ROWS, VALUES, PIECES, TABLE = "ones", "rows", "values", "pieces", "table"
"""Kinds of constant data: sets of one item each; rows of a table as sets; the items of each value of a table, as sets;
the pieces of each value, as lists; the table itself."""
DataKey = tuple[str, int, int]
"""Key of data that is kept in memory for a table: its kind, the table's number, and the width of its rows or 0."""

WORD, LONG = 4, 8
"""Bytes of a number and of a long one."""
RELOCATABLE_START = 2**30
"""Address from which a state that may lie anywhere is laid out, so that its places are no addresses: no memory reaches
so far."""
FEW_ITEMS = 4
"""Items of a vector for which no loop is needed."""
SLACK = 8
"""Items behind every vector, so that eight can be written at a time."""
GAMES_AT_ONCE = 1024
"""Games played by one call."""
MAX_COUNTED_BYTES = 2**21
"""Limit of the bytes of one call's results, where games are counted."""
PAGE = 65536
"""Bytes of a page of WebAssembly's memory."""
MASK_BITS = 64
"""Bits of a word of a mask of pieces."""
MASK_SIZE = 16
"""Bytes of a mask; a program with more pieces has none."""

ERROR, PLAYING, MOST, ASKED_END, ANSWER_END, ENDED, PLAYED_OUT, TURN = 0, 4, 8, 12, 16, 20, 24, 28
"""Addresses of the first words, which native code and its host share: argument of an error; whether decisions are
answered at random; limit of decisions; ends of the lists of questions and answers; result of the last game of a batch;
number of games that ended; number, from 1, of the seat whose turn is played on only, or 0."""
CHANCE = 32
"""Address of the random generator, by which questions are answered."""
ASKING, OVER, FAILED, DIVISION_BY_ZERO, NUMBER_TOO_LARGE, OUT_OF_FUEL, UNKNOWN_BLOCK, SET_TOO_LARGE = range(8)
"""Results of a run: a seat is asked, the game is over, or one of the errors of `NativeCode`."""
ORDERS = Struct("<qii")
"""Parts of an order: the first seed; how many games, or of one the most decisions; and how often it is played."""
SEARCH = Struct("<q8iIi9d4i")
"""Parts of a search that stand in front of those of each seat, as library/tree.c has them."""
INFORMATION = Struct("<8i2d4I2i")
"""Parts of a search among worlds that its host writes or reads, as library/information.c has them."""
INFORMATION_SIZE = 256
"""Bytes of all its parts."""
PATH_SIZE = 512 * LONG
"""Bytes of the path of a try."""
AMAF_SIZE = 22 * WORD + 2**10 * 2 * WORD + 2**12 * 6 * WORD
"""Bytes of what library/amaf.c knows of all games of a search."""
TO_THE_END = -1
"""Number in place of the most decisions, for games played to their end."""


@record
class MemoryNeeds:
    """Memory that a program's code needs.

    - scratch: bytes for vectors
    - largest: items of the largest vector, with SLACK
    - columns: most keys of a sort
    - by_value: by table, a mask of pieces for each value, from the least on
    - data: constant data of bit sets
    - without_lists: cells of the zones without a list
    - choice_counts: numbers needed to count choices among candidates of which some are equal
    - tree: bytes for a search
    """

    scratch: int
    largest: int
    columns: int
    by_value: Mapping[int, Sequence[int]]
    data: Mapping[DataKey, bytes]
    without_lists: Sequence[int] = ()
    choice_counts: int = 0
    tree: int = 0


class StatisticsRoom(Protocol):
    """Memory of statistics: `row_words` words after a game's result, and `size` bytes of its own."""

    row_words: int
    size: int

    def place_at(self, begin: int) -> None:
        """Give each part its address, from the beginning of `size` bytes on."""


class Memory:
    """Addresses of one program's data. statistics: memory of a module that counts; relocatable: whether states may
    lie anywhere; code and tables then have offsets from `origin`, else 0.

    state, set_at: of the first cell, and of each set by its cell; masks: where that of zone 0 would be; tables: by
    table; template: of the state that games start from; orders: of what the host orders; questions, answers: of the
    lists of open decisions and of functions' results; results: of the rows of games; row: words of such a row; at_once:
    games of one call at most; scratch: of the room for vectors; pages: all memory, in pages. The rest are tables that
    the library reads, each by the symbol of its name.
    """

    def __init__(
        self, program: Program, needs: MemoryNeeds, statistics: StatisticsRoom | None = None, relocatable: bool = False
    ) -> None:
        self._program, self.needs, self.relocatable = program, needs, relocatable
        self._next = CHANCE + RANDOM_CELLS * WORD
        layout = program.layout
        self._vector = (max(needs.largest, layout.pieces, *layout.sets.values(), 1) + SLACK) * WORD
        self._place_visibility(program)
        self._place_tables(program, needs)
        self._place_state(layout, relocatable)
        self._place_play(program, statistics)
        self._place_search(program, needs.tree)
        self.scratch = self._allocate(needs.scratch)
        self.pages = 1 + self._next // PAGE

    def _place_visibility(self, program: Program) -> None:
        """Place the bytes that mark visited items, and the tables of what seats see."""
        layout = program.layout
        marks = 1 + max(
            [layout.pieces, layout.seats, layout.size]
            + [len(words) for words in program.words.values()]
            + [max(table, default=0) for table in program.tables if max(table, default=0) <= len(table)]
        )
        self.marks = self._allocate(WORD + marks + 1) + WORD
        self.appearances = self._allocate(2 * WORD * layout.pieces)
        zones = [space for space in layout.zones if space.seen_by == "all"]
        self._glances = [zones, *([zone for zone in layout.zones if sees_zone(zone, n)] for n in range(layout.seats))]
        self.glances = [self._allocate(WORD * (1 + len(zones))) for zones in self._glances]
        self._counters = [
            counter.address + n for counter in layout.counters if not counter.type.many for n in range(counter.cells)
        ]
        self.counters = self._allocate(WORD * (1 + len(self._counters)))
        self._marked = [mark.address for mark in layout.marks]
        self.marked = self._allocate(WORD * (1 + len(self._marked)))
        self._shown_marks = [mark.address for mark in layout.marks if mark.visible]
        self.shown_marks = self._allocate(WORD * (1 + len(self._shown_marks)))
        sight = sight_of_zones(program)
        self._sight, self.sight_width = b"".join(sight), len(sight[0])
        self.sight = self._allocate(len(self._sight))
        self.distinct_pieces = self._allocate(layout.pieces)

    def _place_tables(self, program: Program, needs: MemoryNeeds) -> None:
        """Place tables, masks, batches of shuffles, and room for sorting."""
        layout = program.layout
        self.choice_counts = self._allocate(LONG * needs.choice_counts)
        self.tables = [self._allocate((len(table) + 1 + SLACK) * WORD) + WORD for table in program.tables]
        self.sets = self._allocate(layout.size * WORD)
        self._by_value = by_value = needs.by_value
        self.by_value = {table: self._allocate(MASK_SIZE * (len(masks) + 1)) for table, masks in by_value.items()}
        self._data = data = needs.data
        self._data_at = {key: self._allocate(len(content)) for key, content in data.items()}
        self.counted = self._allocate(layout.size) if needs.without_lists else 0
        self.bits = self._allocate(MASK_SIZE * layout.pieces if mask_words(layout) else 0)
        self._bits = mask_bits(program)
        self._most = max(layout.sets.values(), default=0)
        self.batches = self._allocate((self._most + 1) * 2 * WORD)
        self.columns = self._allocate((needs.columns + 1) * WORD)
        self.order, self.sorted, self.temporary = (self._allocate(self._vector) for _ in range(3))

    def _place_state(self, layout: Layout, relocatable: bool) -> None:
        """Place the state, its sets, and the masks of its zones."""
        # The mask of the zone in a cell stands so many times MASK_SIZE from `masks` on, which is not below address 0.
        self._zones = [space.address for space in layout.zones] if mask_words(layout) else []
        first = min(self._zones, default=0)
        fixed_end = self._next = max(self._next, MASK_SIZE * first)
        if relocatable:
            self._next = RELOCATABLE_START
        self.state = self._allocate(layout.size * WORD)
        single = [space.address for space in layout.zones if layout.sets[space.address] == 1]
        row = self._allocate(2 * WORD * len(single))
        self.set_at = {cell: row + 2 * WORD * number for number, cell in enumerate(single)}
        for cell in sorted(layout.sets.keys() - self.set_at.keys()):
            self.set_at[cell] = self._allocate((1 + layout.sets[cell] + SLACK) * WORD)
        self.first_mask = self._allocate(MASK_SIZE * (1 + max(self._zones, default=0) - first))
        self.masks = self.first_mask - MASK_SIZE * first
        self.state_size = self._next - self.state
        self.origin = min(self.state, self.masks) if relocatable else 0
        self._next = fixed_end if relocatable else self._next

    def _place_play(self, program: Program, statistics: StatisticsRoom | None) -> None:
        """Place orders to play, questions, answers and results."""
        layout = program.layout
        self.orders = self._allocate(ORDERS.size)
        self.template = self._allocate(self.state_size)
        self.question_size = 5 * WORD + self._vector
        self.questions = self._allocate((layout.seats + 1) * self.question_size)
        results = len(program.ranking) + len(program.scoring) + len(program.powers)
        self.answers = self._allocate((16 + results) * (WORD + self._vector))
        self.row = GAME_WORDS + layout.seats * (1 + len(program.scoring))
        self.keys = self._allocate(layout.seats * max(1, len(program.ranking)) * WORD)
        self.at_once = GAMES_AT_ONCE
        if statistics is not None:
            self.row += statistics.row_words
            self.at_once = max(1, min(GAMES_AT_ONCE, MAX_COUNTED_BYTES // (self.row * WORD)))
            statistics.place_at(self._allocate(statistics.size))
        self.results = self._allocate(self.at_once * self.row * WORD)

    def _place_search(self, program: Program, size: int) -> None:
        """Place the table of where seats are asked, and what a search needs, if there are any."""
        self._sources = [_source(program, number) for number in range(len(program.sites))] if size else []
        self.sources = self._allocate(len(self._sources) * 8 * WORD)
        sealed = program.sealed if size else ()
        self._schedules = [(each.block, each.next_block, each.ask_block, 0) for each in sealed]
        self.schedules, self.schedule_count = self._allocate(len(sealed) * 4 * WORD), len(sealed)
        self.visible = self._allocate(len(self._sight))
        self.views = self._allocate(program.layout.seats * WORD)
        self.information = self._allocate(INFORMATION_SIZE)
        seats = program.layout.seats + 1
        self.search = self._allocate(bool(size) * (SEARCH.size + seats * (WORD + 5 * LONG) + PATH_SIZE + self._vector))
        self.amaf = self._allocate(bool(size) * AMAF_SIZE)
        self.tree = self._allocate(size)
        self.tree_end = self.tree + size

    def _allocate(self, size: int) -> int:
        """Set aside so many bytes behind all others, and return their address."""
        address = self._next
        self._next += -(-size // 16) * 16
        return address

    def constants(self) -> Iterable[tuple[int, bytes]]:
        """Yield all constant data with its address. A table has its last entry in front too; masks by value end with an
        empty one; a list has its length in front; a piece's appearance is a number and an address, whose content is
        added."""
        for address, entries in zip(self.tables, self._program.tables, strict=True):
            yield address - WORD, array("i", (*entries[-1:], *entries) if entries else (0,)).tobytes()
        for table, masks in self._by_value.items():
            yield self.by_value[table], b"".join(mask.to_bytes(MASK_SIZE, "little") for mask in (*masks, 0))
        for key, content in self._data.items():
            yield self._data_at[key], content
        if without := self.needs.without_lists:
            yield self.counted, bytes(cell in without for cell in range(self._program.layout.size))
        if self._zones:
            bits = ((1 << bit).to_bytes(MASK_SIZE, "little") for bit in self._bits)
            yield self.bits, b"".join(bits)
        batches = (batch(length) for length in range(self._most + 1))
        yield self.batches, array("i", (word for limit, left in batches for word in (left, limit))).tobytes()
        layout = self._program.layout
        yield (
            self.sets,
            array("i", (self.set_at.get(n, self.origin) - self.origin for n in range(layout.size))).tobytes(),
        )
        appearances, nothing = array("i"), self.cell(min(layout.sets, default=0))  # since the set lies apart
        for piece, look in enumerate(self._program.type_of):
            face = layout.faces.get(piece)
            less, cell = (0, nothing) if face is None else (face.first, self.cell(face.cell))
            appearances.extend((look - less, cell - self.origin))
        yield self.appearances, appearances.tobytes()
        for address, zones in zip(self.glances, self._glances, strict=True):
            yield address, array("i", (len(zones), *(self.set_at[zone.address] for zone in zones))).tobytes()
        yield self.counters, array("i", (len(self._counters), *map(self.cell, self._counters))).tobytes()
        yield self.marked, array("i", (len(self._marked), *map(self.cell, self._marked))).tobytes()
        marks = [self.cell(mark) - self.origin for mark in self._shown_marks]
        yield self.shown_marks, array("i", (len(marks), *marks)).tobytes()
        yield self.sight, self._sight
        yield self.sources, array("i", (int(word) for words in self._sources for word in words)).tobytes()
        yield self.schedules, array("i", (word for words in self._schedules for word in words)).tobytes()
        yield self.visible, self._visible_zones()
        yield self.views, array("i", self.glances[1:]).tobytes()
        yield self.distinct_pieces, bytes(distinct_pieces(self._program))

    def _visible_zones(self) -> bytes:
        """Return for each seat and zone whether the seat sees what lies there, as `sight` has its zones."""
        visible = bytearray(len(self._sight))
        for seat in range(self._program.layout.seats):
            for zone in self._program.layout.zones:
                visible[seat * self.sight_width + zone.address] = sees_zone(zone, seat)
        return bytes(visible)

    def cell(self, number: int) -> int:
        """Return the address of a cell of the state."""
        return self.state + WORD * number

    def mask(self, pieces: Iterable[int]) -> bytes:
        """Return a mask of pieces as bytes."""
        return sum(1 << self._bits[piece] for piece in pieces).to_bytes(MASK_SIZE, "little")

    def mask_of(self, zone: int) -> int:
        """Return the address of a zone's mask."""
        return self.masks + MASK_SIZE * zone

    def data(self, key: DataKey) -> int:
        """Return the address of constant data for bit sets; of the table itself for the kind TABLE; 0 for data that the
        program's code does not need."""
        kind, table, _ = key
        return self.tables[table] if kind == TABLE else self._data_at.get(key, 0)

    def distance_of_sets(self, first: int, count: int) -> int:
        """Return the bytes from one set to the next if this many cells from `first` on have equal distances; else 0."""
        places = [self.set_at.get(cell, 0) for cell in range(first, first + count)]
        distances = {other - one for one, other in pairwise(places)}
        return distances.pop() if len(distances) == 1 and 0 not in places else 0

    def pack(self, s: State) -> bytes:
        """Return a state as bytes, as it lies in memory."""
        data = bytearray(self.state_size)
        random = slice(RANDOM, RANDOM + RANDOM_CELLS)
        cells = list(s)
        cells[random] = struct.unpack(f"<{RANDOM_CELLS}i", struct.pack(f"<{RANDOM_CELLS}I", *cells[random]))
        for cell, address in self.set_at.items():
            if items := cells[cell]:
                struct.pack_into(f"<{1 + len(items)}i", data, address - self.state, len(items), *items)
            cells[cell] = 0
        for zone in self._zones:
            if pieces := s[zone]:
                offset = self.mask_of(zone) - self.state
                data[offset : offset + MASK_SIZE] = self.mask(pieces)
        struct.pack_into(f"<{len(cells)}i", data, 0, *cells)
        return bytes(data)

    def unpack(self, data: bytes) -> State:
        """Return the state that `pack` made bytes of."""
        size = self._program.layout.size
        s: State = list(struct.unpack_from(f"<{size}i", data))
        s[RANDOM : RANDOM + RANDOM_CELLS] = struct.unpack_from(f"<{RANDOM_CELLS}I", data, RANDOM * WORD)
        for cell, address in self.set_at.items():
            s[cell] = tuple(read_vector(data, address - self.state))
        return s


def _source(program: Program, number: int) -> tuple[int, ...]:
    """Return the numbers of a site, as library/tree.c has them."""
    site = program.sites[number]
    next_block = parked_block = -1
    if site.sealed >= 0:
        sealed = program.sealed[site.sealed]
        next_block, parked_block = sealed.next_block, sealed.parked_block
    kinds = {"piece": 1, "number": 2}.get(site.element.base, 0) + 4 * (number in program.turn_sites)
    return site.slot, site.per_seat, site.resume, kinds, site.by_place, next_block, parked_block, site.parks


def read_vector(data: bytes, address: int) -> Sequence[int]:
    """Return the items of a vector or set whose size stands at an address."""
    (size,) = struct.unpack_from("<i", data, address)
    return struct.unpack_from(f"<{size}i", data, address + WORD)


def mask_words(layout: Layout) -> int:
    """Return the number of words in a mask of pieces; 0 for a layout without masks."""
    words = -(-layout.pieces // MASK_BITS)
    return words if words * MASK_BITS <= MASK_SIZE * 8 else 0


def mask_bits(program: Program) -> Sequence[int]:
    """Return the number of each piece's bit in masks. They ascend with gaps: a kind stays within one word where
    possible, since that halves the work."""
    bits: list[int] = []
    end = 0
    for _, pieces in groupby(range(program.layout.pieces), lambda piece: program.types[program.type_of[piece]].kind):
        size = len(list(pieces))
        if end // MASK_BITS != (end + size - 1) // MASK_BITS and size <= MASK_BITS:
            end += -end % MASK_BITS
        bits += range(end, end + size)
        end += size
    return bits if end <= mask_words(program.layout) * MASK_BITS else range(program.layout.pieces)
