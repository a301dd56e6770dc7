"""Where everything of an edition lies in the state, and the tables that instructions look things up in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from rulewright.base.diagnostics import SourcePlace
from rulewright.model.declarations import NUMBER, NUMBERS, SEAT, Board, Edition
from rulewright.program.form import HEADER, BoardMap, Counter, FaceCell, Layout, Mark, Note, Setting, StateZone, Type


class Stock:
    """The pieces of an edition, each a number; they are the same however many play.

    pieces, count: of some kinds; power_pieces: those that give a power, with the zone they give it in; kind_entries:
    piece -> 1 if it is of these kinds; attribute_entries: piece -> value of an attribute, 0 or no word where it has
    none.
    """

    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self.rows = [(kind, values) for kind in edition.kinds.values() for values, n in kind.rows for _ in range(n)]
        self.pieces = cache(self._pieces)
        self.count = cache(lambda kinds: len(self.pieces(kinds)))
        self.power_pieces = cache(self._power_pieces)
        self.kind_entries = cache(self._kind_entries)
        self.attribute_entries = cache(self._attribute_entries)

    def _pieces(self, kinds: frozenset[str]) -> tuple[int, ...]:
        return tuple(piece for piece, (kind, _) in enumerate(self.rows) if kind.name in kinds)

    def looks(self) -> tuple[str, ...]:
        """piece -> what all that look like it have in common as they begin, and no others"""
        return tuple(f"{kind.name} {values}" for kind, values in self.rows)

    def _power_pieces(self, power: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
        found: list[tuple[str, tuple[int, ...]]] = []
        for kind in self._edition.kinds.values():
            if not kind.power_in:
                continue
            index = list(kind.attributes).index(kind.power_word)
            words = [word.name for word in self._edition.words[kind.attributes[kind.power_word]].words]
            pieces = (n for n, (k, values) in enumerate(self.rows) if k is kind and words[values[index]] == power)
            found.append((kind.power_in, tuple(pieces)))
        return tuple(found)

    def _kind_entries(self, kinds: frozenset[str]) -> tuple[int, ...]:
        return tuple(int(kind.name in kinds) for kind, _ in self.rows)

    def _attribute_entries(self, attribute: str) -> tuple[tuple[int, ...], int]:
        """With what stands for none."""
        columns = {
            kind.name: list(kind.attributes).index(attribute)
            for kind in self._edition.kinds.values()
            if attribute in kind.attributes
        }
        numbers = any(self._edition.kinds[kind].attributes[attribute] == NUMBER for kind in columns)
        missing = 0 if numbers else -1
        entries = (values[columns[kind.name]] if kind.name in columns else missing for kind, values in self.rows)
        return tuple(entries), missing


class LayoutBuilder:
    """The layout of one edition for a number of seats, while it is being made.

    setting: who sits where and what is chosen, if the program is for one such table only; capacities: of zones, where
    something smaller than all the pieces they may hold is proven.
    """

    def __init__(
        self,
        edition: Edition,
        stock: Stock,
        seats: int,
        setting: Setting | None = None,
        capacities: Mapping[str, int] | None = None,
    ) -> None:
        self.edition, self.stock, self.seats, self.setting = edition, stock, seats, setting
        self.nowhere = SourcePlace(edition.file, 1, 1, 1)
        self.tables: list[tuple[int, ...]] = []
        self.places: list[str] = []
        self._table_numbers: dict[tuple[int, ...], int] = {}
        self._made_once: dict[tuple[str, ...], tuple[int, int]] = {}
        self._place_numbers: dict[str, int] = {}
        self._next = HEADER
        self._sets: dict[int, int] = {}
        self.notes: list[Note] = []
        self._rows = stock.rows
        self.role = self.cells(seats)
        self.options = self.cells(len(edition.options))
        counts = {
            counter.name: len(self._rows) if counter.marks else self.owners(counter.of) * (len(counter.starts) or 1)
            for counter in edition.counters.values()
        }
        self._counters = {
            name: self.sets(count, most) if (most := edition.counters[name].most) else self.cells(count)
            for name, count in counts.items()
        }
        self.at = self.cells(len(self._rows))
        changing = dict.fromkeys(kind.changing for kind in edition.kinds.values() if kind.changing)
        self._faces = {attribute: self.cells(len(self._rows)) for attribute in changing}
        self._zones: dict[str, tuple[int, int]] = {}
        for zone in edition.zones.values():
            starting = sum(n for kind in edition.kinds.values() if kind.starts_in == zone.name for _, n in kind.rows)
            capacity = max(starting, (capacities or {}).get(zone.name, stock.count(zone.holds)))
            base = self.sets(self.owners(zone.of), capacity)
            self._zones[zone.name] = (base, capacity)
        self._zones_end = self._next
        self._memory = self._loose = self._shown = -1
        if edition.memory and self._zones:
            self._memory = self.cells(len(self._rows))
            self._loose = self.cells(len(self._rows))
            self._shown = self.sets(1, len(self._rows))
            self.cells(1)

    # ── cells ──

    def owners(self, of: str) -> int:
        """How many there are of what belongs to seats, to the words of a list, or ('') to the table."""
        return self.seats if of == SEAT else len(self.edition.words[of].words) if of else 1

    def cells(self, count: int) -> int:
        """The address of that many new cells. No two share one, even where one of them has no cells: passes tell cells
        apart by it."""
        address = self._next
        self._next += max(1, count)
        return address

    def sets(self, count: int, capacity: int) -> int:
        """The address of that many new cells, each for a set of at most `capacity`."""
        address = self.cells(count)
        self._sets |= dict.fromkeys(range(address, address + count), capacity)
        return address

    def zone(self, name: str) -> tuple[int, int]:
        """Cell of a zone (of the first seat's), and its capacity."""
        return self._zones[name]

    def option(self, name: str) -> int:
        return self.options + list(self.edition.options).index(name)

    def counter(self, name: str) -> tuple[int, Type]:
        """Cell of a counter (of the first seat's, or the first piece's), and what it holds."""
        holds, many = self.edition.counters[name].holds, self.edition.counters[name].most > 0
        return self._counters[name], Type("word", holds, many) if holds in self.edition.words else Type(holds, "", many)

    # ── tables: one entry for each index, and one more for index -1 ──

    def table(self, entries: tuple[int, ...]) -> int:
        """The number of a table; equal tables are one."""
        if entries not in self._table_numbers:
            self._table_numbers[entries] = len(self.tables)
            self.tables.append(entries)
        return self._table_numbers[entries]

    def once(self, key: tuple[str, ...], make: Callable[[], tuple[int, int]]) -> tuple[int, int]:
        """A table that takes long to make and is read in many places, with the width of its rows: made once."""
        if key not in self._made_once:
            self._made_once[key] = make()
        return self._made_once[key]

    def is_identity(self, table: int) -> bool:
        """Whether each number's entry is that number, and nothing's is nothing."""
        *entries, last = self.tables[table]
        return last == -1 and entries == [*range(len(entries))]

    def kind_table(self, kinds: frozenset[str]) -> int:
        """piece -> 1 if it is of these kinds"""
        return self.table((*self.stock.kind_entries(kinds), 0))

    def attribute_table(self, attribute: str) -> tuple[int, int, int]:
        """piece -> value of an attribute (0 or no word where it has none), with the least and the greatest."""
        entries, missing = self.stock.attribute_entries(attribute)
        return self.table((*entries, missing)), min(entries, default=0), max(entries, default=0)

    def face(self, attribute: str) -> int | None:
        """The cell of an attribute that changes (of the first piece's), or None for one that does not."""
        return self._faces.get(attribute)

    def first_face_table(self, attribute: str) -> int:
        """piece -> the least value that its changing attribute can have; 1 for those that have none"""
        return self.table((*(kind.faces[0] if kind.changing == attribute else 1 for kind, _ in self._rows), 1))

    def last_face_table(self, attribute: str) -> int:
        """piece -> the greatest value that its changing attribute can have; 0 for those that have none"""
        return self.table((*(kind.faces[-1] if kind.changing == attribute else 0 for kind, _ in self._rows), 0))

    def owner_table(self, of: str = SEAT) -> int:
        """address of a zone -> its seat, or its word of a list"""
        owners = [-1] * (self._zones_end + 1)
        for name, (base, _) in self._zones.items():
            if self.edition.zones[name].of == of:
                for owner in range(self.owners(of)):
                    owners[base + owner] = owner
        return self.table(tuple(owners))

    def place(self, text: str) -> int:
        """The number of a source place for run-time errors."""
        if text not in self._place_numbers:
            self._place_numbers[text] = len(self.places)
            self.places.append(text)
        return self._place_numbers[text]

    # ── the finished layout ──

    def layout(self) -> Layout:
        spaces: list[StateZone] = []
        for zone in self.edition.zones.values():
            base, capacity = self._zones[zone.name]
            for owner in range(self.owners(zone.of)) if zone.of else (-1,):
                address = base + max(0, owner)
                spaces.append(
                    StateZone(zone.name, zone.of, owner, address, capacity, zone.seen_by, zone.pile, zone.holds)
                )
        counters = []
        marks: list[Mark] = []
        for counter in self.edition.counters.values():
            cell, type_ = self.counter(counter.name)
            if counter.marks:
                marks.append(Mark(counter.name, cell, counter.marks, type_, counter.shown, len(marks)))
                continue
            cycle = len(self.edition.words[counter.holds].words) if counter.side else 0
            cells = self.owners(counter.of) * (len(counter.starts) or 1)
            told = counter.by, counter.starts, counter.most
            counters.append(Counter(counter.name, cell, counter.of, cells, counter.start, type_, cycle, *told))
        marked = {
            piece: tuple((mark, mark.starts[kind.name]) for mark in marks if kind.name in mark.starts)
            for piece, (kind, _) in enumerate(self._rows)
        }
        return Layout(
            self._next,
            self.seats,
            len(self._rows),
            self.at,
            self.role,
            self.options,
            tuple(spaces),
            tuple(counters),
            self._sets,
            {
                piece: FaceCell(self._faces[kind.changing] + piece, kind.faces[0], kind.faces[-1])
                for piece, (kind, _) in enumerate(self._rows)
                if kind.changing
            },
            tuple(self.notes),
            tuple(marks),
            {piece: found for piece, found in marked.items() if found},
            self._memory,
            self._loose,
            self._shown,
        )

    def starts(self) -> tuple[int, ...]:
        return tuple(self._zones[kind.starts_in][0] for kind, _ in self._rows)

    def rows(self) -> list[tuple[str, tuple[int, ...]]]:
        """Kind and attribute values of each piece."""
        return [(kind.name, values) for kind, values in self._rows]


def board_map(edition: Edition, board: Board) -> BoardMap:
    """A drawn board as front-ends draw it."""
    words = edition.words[board.spaces]
    regions = tuple(
        {
            name: edition.words[type_].words[word.attributes[name]].name
            for name, type_ in words.attributes.items()
            if type_ not in NUMBERS and name in word.attributes
        }
        for word in words.words
    )
    return BoardMap(board.name, board.spaces, board.positions, board.letters, regions, board.hexagonal)
