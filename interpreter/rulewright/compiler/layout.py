"""Layout of an edition's state: addresses of all cells, and the tables for look-ups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from rulewright.base.diagnostics import SourcePlace
from rulewright.model.declarations import NUMBER, NUMBERS, SEAT, Board
from rulewright.model.edition import Edition
from rulewright.program.form import BoardMap, Setting
from rulewright.program.state_layout import HEADER, Counter, FaceCell, LastingValue, Layout, Mark, StateZone
from rulewright.program.value_types import Type


class Stock:
    """Pieces of an edition, numbered; they are the same for any number of seats. rows: kind and attribute values of
    each piece, by its number. Cached functions: pieces, count: those of some kinds, and their number; power_pieces:
    zones with the pieces that give a power there; kind_entries: for each piece 1 if it is of some kinds, else 0;
    attribute_entries: for each piece its value of an attribute, as declared at the start, and the value, 0 or -1 (no
    word), of those that have none."""

    def __init__(self, edition: Edition) -> None:
        self._edition = edition
        self.rows = [(kind, values) for kind in edition.kinds.values() for values, n in kind.rows for _ in range(n)]
        self.pieces = cache(self._pieces)
        self.count = cache(lambda kinds: len(self.pieces(kinds)))
        self.power_pieces = cache(self._power_pieces)
        self.kind_entries = cache(self._kind_entries)
        self.attribute_entries = cache(self._attribute_entries)

    def _pieces(self, kinds: frozenset[str]) -> tuple[int, ...]:
        """Return the numbers of all pieces of some kinds, ascending."""
        return tuple(piece for piece, (kind, _) in enumerate(self.rows) if kind.name in kinds)

    def looks(self) -> tuple[str, ...]:
        """Return for each piece a text shared by all that look like it at the start, and by no others."""
        return tuple(f"{kind.name} {values}" for kind, values in self.rows)

    def _power_pieces(self, power: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """Return each zone in which pieces give a power, with these pieces."""
        result: list[tuple[str, tuple[int, ...]]] = []
        for kind in self._edition.kinds.values():
            if not kind.power_in:
                continue
            index = list(kind.attributes).index(kind.power_word)
            words = [word.name for word in self._edition.words[kind.attributes[kind.power_word]].words]
            pieces = (n for n, (k, values) in enumerate(self.rows) if k is kind and words[values[index]] == power)
            result.append((kind.power_in, tuple(pieces)))
        return tuple(result)

    def _kind_entries(self, kinds: frozenset[str]) -> tuple[int, ...]:
        """Return 1 for each piece of one of these kinds, 0 for any other."""
        return tuple(int(kind.name in kinds) for kind, _ in self.rows)

    def _attribute_entries(self, attribute: str) -> tuple[tuple[int, ...], int]:
        """Return the values, and the value that stands for none."""
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
    """Layout for a number of seats, under construction.

    setting: roles and options, if the program is for one such table only; capacities: of zones, where a smaller bound
    than all pieces is proven. nowhere: place of errors about the whole edition; tables: constant tables of the program;
    places: of sentences, as errors in play name them; role: first cell of the seats' roles; options: first cell of the
    options; piece_addresses: first cell with the pieces' zones; lasting_values: cells that outlive a decision.
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
        self._shared_tables: dict[tuple[str, ...], tuple[int, int]] = {}
        self._place_numbers: dict[str, int] = {}
        self._next = HEADER
        self._sets: dict[int, int] = {}
        self.lasting_values: list[LastingValue] = []
        self._rows = stock.rows
        self.role = self.allocate_cells(seats)
        self.options = self.allocate_cells(len(edition.options))
        counts = {
            counter.name: len(self._rows) if counter.marks else self.owners(counter.of) * (len(counter.starts) or 1)
            for counter in edition.counters.values()
        }
        self._counters = {
            name: self.allocate_sets(count, most)
            if (most := edition.counters[name].most)
            else self.allocate_cells(count)
            for name, count in counts.items()
        }
        self.piece_addresses = self.allocate_cells(len(self._rows))
        changing = dict.fromkeys(kind.changing for kind in edition.kinds.values() if kind.changing)
        self._faces = {attribute: self.allocate_cells(len(self._rows)) for attribute in changing}
        self._zones: dict[str, tuple[int, int]] = {}
        for zone in edition.zones.values():
            starting = sum(n for kind in edition.kinds.values() if kind.starts_in == zone.name for _, n in kind.rows)
            capacity = max(starting, (capacities or {}).get(zone.name, stock.count(zone.holds)))
            base = self.allocate_sets(self.owners(zone.of), capacity)
            self._zones[zone.name] = (base, capacity)
        self._zones_end = self._next
        self._memory = self._lost_places = self._shown_pieces = -1
        if edition.memory and self._zones:
            self._memory = self.allocate_cells(len(self._rows))
            self._lost_places = self.allocate_cells(len(self._rows))
            self._shown_pieces = self.allocate_sets(1, len(self._rows))
            self.allocate_cells(1)

    # ── cells ──

    def owners(self, of: str) -> int:
        """Return the number of owners: seats, words of a list, or 1 for the table. of: 'seat', the list, or ''."""
        return self.seats if of == SEAT else len(self.edition.words[of].words) if of else 1

    def allocate_cells(self, count: int) -> int:
        """Allocate cells; return the address. Even 0 cells get an address of their own: passes tell cells apart by
        it."""
        address = self._next
        self._next += max(1, count)
        return address

    def allocate_sets(self, count: int, capacity: int) -> int:
        """Allocate cells that each hold a set of at most `capacity`; return the address."""
        address = self.allocate_cells(count)
        self._sets |= dict.fromkeys(range(address, address + count), capacity)
        return address

    def zone(self, name: str) -> tuple[int, int]:
        """Return the cell of a zone (of the first owner's), and its capacity."""
        return self._zones[name]

    def option(self, name: str) -> int:
        """Return the cell of an option, which holds the index of its choice."""
        return self.options + list(self.edition.options).index(name)

    def counter(self, name: str) -> tuple[int, Type]:
        """Return the cell of a counter (of the first owner's), and the type of its contents."""
        holds, many = self.edition.counters[name].holds, self.edition.counters[name].most > 0
        return self._counters[name], Type("word", holds, many) if holds in self.edition.words else Type(holds, "", many)

    # ── tables: one entry for each index, and one more for index -1 ──

    def add_table(self, entries: tuple[int, ...]) -> int:
        """Add a table, unless an equal one is there, and return its number, from 0. entries: one for each index, then
        the one for -1."""
        if entries not in self._table_numbers:
            self._table_numbers[entries] = len(self.tables)
            self.tables.append(entries)
        return self._table_numbers[entries]

    def cached_table(self, key: tuple[str, ...], make: Callable[[], tuple[int, int]]) -> tuple[int, int]:
        """Return the number of a table, and the width of its rows, by a key; `make` builds both on first use."""
        if key not in self._shared_tables:
            self._shared_tables[key] = make()
        return self._shared_tables[key]

    def is_identity(self, table: int) -> bool:
        """Whether a table maps each number to itself, and nothing to nothing."""
        *entries, last = self.tables[table]
        return last == -1 and entries == [*range(len(entries))]

    def kind_table(self, kinds: frozenset[str]) -> int:
        """Return the number of the table: piece -> 1 if it is of these kinds, else 0."""
        return self.add_table((*self.stock.kind_entries(kinds), 0))

    def attribute_table(self, attribute: str) -> tuple[int, int, int]:
        """Return the number of the table: piece -> value of an attribute (0 or -1 where it has none), with minimum and
        maximum."""
        entries, missing = self.stock.attribute_entries(attribute)
        return self.add_table((*entries, missing)), min(entries, default=0), max(entries, default=0)

    def face(self, attribute: str) -> int | None:
        """Return the cell of a changing attribute (of the first piece's); None for a fixed one."""
        return self._faces.get(attribute)

    def first_face_table(self, attribute: str) -> int:
        """Return the number of the table: piece -> least value of its changing attribute; 1 for pieces without."""
        return self.add_table((*(kind.faces[0] if kind.changing == attribute else 1 for kind, _ in self._rows), 1))

    def last_face_table(self, attribute: str) -> int:
        """Return the number of the table: piece -> greatest value of its changing attribute; 0 for pieces without."""
        return self.add_table((*(kind.faces[-1] if kind.changing == attribute else 0 for kind, _ in self._rows), 0))

    def owner_table(self, of: str = SEAT) -> int:
        """Return the number of the table: address of a zone -> its seat, or its word of a list; -1 for zones of other
        owners."""
        owners = [-1] * (self._zones_end + 1)
        for name, (base, _) in self._zones.items():
            if self.edition.zones[name].of == of:
                for owner in range(self.owners(of)):
                    owners[base + owner] = owner
        return self.add_table(tuple(owners))

    def add_place(self, text: str) -> int:
        """Add a source place for run-time errors, unless an equal one is there, and return its number, from 0. text:
        as errors name it."""
        if text not in self._place_numbers:
            self._place_numbers[text] = len(self.places)
            self.places.append(text)
        return self._place_numbers[text]

    # ── the finished layout ──

    def layout(self) -> Layout:
        """Return the finished layout."""
        zones: list[StateZone] = []
        for zone in self.edition.zones.values():
            base, capacity = self._zones[zone.name]
            for owner in range(self.owners(zone.of)) if zone.of else (-1,):
                address = base + max(0, owner)
                zones.append(
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
            details = counter.by, counter.starts, counter.most
            counters.append(Counter(counter.name, cell, counter.of, cells, counter.start, type_, cycle, *details))
        marked = {
            piece: tuple((mark, mark.initial_by_kind[kind.name]) for mark in marks if kind.name in mark.initial_by_kind)
            for piece, (kind, _) in enumerate(self._rows)
        }
        return Layout(
            self._next,
            self.seats,
            len(self._rows),
            self.piece_addresses,
            self.role,
            self.options,
            tuple(zones),
            tuple(counters),
            self._sets,
            {
                piece: FaceCell(self._faces[kind.changing] + piece, kind.faces[0], kind.faces[-1])
                for piece, (kind, _) in enumerate(self._rows)
                if kind.changing
            },
            tuple(self.lasting_values),
            tuple(marks),
            {piece: counters_ for piece, counters_ in marked.items() if counters_},
            self._memory,
            self._lost_places,
            self._shown_pieces,
        )

    def starts(self) -> tuple[int, ...]:
        """Return for each piece the address of the zone in which it starts: the first owner's, if there are several."""
        return tuple(self._zones[kind.starts_in][0] for kind, _ in self._rows)


def board_map(edition: Edition, board: Board) -> BoardMap:
    """Return the map of a board that front-ends draw. Its regions: for each space attribute -> word, without
    numbers."""
    words = edition.words[board.spaces]
    regions = tuple(
        {
            name: edition.words[type_].words[word.attributes[name]].name
            for name, type_ in words.attributes.items()
            if type_ not in NUMBERS and name in word.attributes
        }
        for word in words.words
    )
    return BoardMap(board.name, board.spaces, board.positions, board.letters, regions, board.coordinates)
