"""Code for bit sets of spaces, words or the like: item n is bit n of 128.

Filters, floods over a board and searches need no loop; the list is written only where an instruction needs it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from functools import cached_property

from rulewright.program.form import Program
from rulewright.program.instructions import Instruction
from rulewright.program.state_layout import NOTHING
from rulewright.runtime.native.bit_set_analysis import MAX_ITEMS, BitSets, values_of
from rulewright.runtime.native.memory import ONES, PIECES, ROWS, TABLE, VALUES, DataKey
from rulewright.runtime.native.operands import LocalFrame, Operands
from rulewright.runtime.native.webassembly import I64, V128, Code, Local

SET_SIZE = 16
"""Bytes of a set as bits."""
WORD_BITS = 64
"""Bits of one of the two words that hold a set."""
SUMMARIES = frozenset(["empty", "length", "has", "none_of", "count_of"])
"""Instructions that compute a number from a vector; its bits are enough for that, except in some `count_of`."""


class BitData:
    """Constant data of the bit sets in one stretch of code."""

    def __init__(self, sets: BitSets, program: Program) -> None:
        self.sets, self._tables, self._pieces = sets, program.tables, program.layout.pieces

    @cached_property
    def data(self) -> dict[DataKey, bytes]:
        """Contents by key, beside the program's tables."""
        content: dict[DataKey, bytes] = (
            {(ONES, 0, 0): _pack_sets([[item] for item in range(MAX_ITEMS)])} if self.sets.all else {}
        )
        for key in dict.fromkeys(key for vector in sorted(self.sets.all) for key in self._tables_needed(vector)):
            kind, table, width = key
            entries = self._tables[table]
            if kind == ROWS:
                rows = [entries[first : first + width] for first in range(0, len(entries) - width + 1, width)]
                content[key] = _pack_sets(rows)
            elif kind == VALUES:
                content[key] = _pack_sets(
                    [[n for n, e in enumerate(entries[:MAX_ITEMS]) if e == value] for value in values_of(entries)]
                )
            else:
                pieces = [
                    [n for n, e in enumerate(entries[: self._pieces]) if e == value] for value in values_of(entries)
                ]
                begins = [sum(map(len, pieces[:number])) for number in range(len(pieces) + 1)]
                words = [1 + len(begins) + begin for begin in (*begins, begins[-1])]
                words += [piece for some in pieces for piece in some]
                content[key] = struct.pack(f"<{len(words)}i", *words)
        return content

    def _tables_needed(self, vector: int) -> Iterator[DataKey]:
        """Yield the tables that the makers and uses of a set of bits look up."""
        for maker in self.sets.makers(vector):
            match maker:
                case ("within", _, int(source), int(table), _) if not self.sets.maps_to_itself(source, table):
                    yield VALUES, table, 0
                case ("select", _, _, int(table), _):
                    yield VALUES, table, 0
                case ("images", _, int(source), int(table)) if shift_of(self.sets, source, table) is None:
                    yield ROWS, table, 1
                case ("beside", _, _, int(table), int(width)) | ("reached", _, _, _, int(table), int(width)):
                    yield ROWS, table, width
        for use in self.sets.uses(vector):
            if use[0] == "count_of" and not self.sets.asks_for_list(use, vector):
                yield VALUES, int(use[3]), 0
        if vector in self.sets.by_piece:
            yield PIECES, self.sets.by_piece[vector].piece_values, 0


class BitCode:
    """Generator of code for the vectors of one stretch that are held as bits."""

    def __init__(self, sets: BitSets, program: Program, frame: LocalFrame, operands: Operands) -> None:
        self._sets, self._tables = sets, program.tables
        self._frame, self._library, self._operands, self._data = frame, frame.library, operands, frame.memory.data

    def value(self, instruction: Instruction) -> I64 | None:
        """Return the value of an instruction about a vector that is held as bits; None for other instructions."""
        if instruction[0] not in SUMMARIES or int(instruction[2]) not in self._sets.all:
            return None
        bits = self.bits(int(instruction[2]))
        match instruction:
            case ("empty", *_):
                return bits.any().is_zero().extended()
            case ("length", *_):
                return self._library.size_of_bits(bits)
            case ("none_of", _, _, int(table)):
                return (bits & self._items_with_entry(table)).any().is_zero().extended()
            case ("count_of", _, int(vector), int(table), int(value)):
                if self._sets.asks_for_list(instruction, vector):
                    return None
                return self._library.size_of_bits(bits & self._with_value(table, value))
        return self._library.in_bits(bits, self._operands.number(int(instruction[3])).i64)

    def push(self, instruction: Instruction) -> Code:
        """Return code that adds an item to a vector's bits."""
        bit = self._library.bit_of(self._operands.number(int(instruction[2])).i64)
        return self.set(int(instruction[1]), self.bits(int(instruction[1])) | bit)

    def set(self, vector: int, bits: V128) -> Code:
        """Return code that replaces a vector's bits."""
        return self._local(vector).set(bits)

    def _local(self, vector: int) -> Local[V128]:
        """Return the local that holds a vector's bits."""
        return self._frame.local_for(V128, "bits", vector)

    def bits(self, vector: int) -> V128:
        """Return a vector's bits, made from its list if it is not held as bits."""
        if vector in self._sets.all:
            return self._local(vector).get()
        return self._library.bits_of(self._operands.vector(vector))

    def make(self, instruction: Instruction) -> V128:
        """Return the bits of the vector that an instruction makes."""
        match instruction:
            case ("vector", *_):
                return V128.const(0)
            case ("fixed", _, int(table)):
                return _constant_set(self._tables[table])
            case ("as_tuple", _, int(source)):
                return self.bits(source)
            case ("filter", _, int(source), int(table)):
                return self.bits(source) & self._items_with_entry(table)
            case ("select", _, int(source), int(table), int(value)):
                return self.bits(source) & self._with_value(table, value)
            case ("within", _, int(source), int(table), int(among)) if self._sets.maps_to_itself(source, table):
                return self.bits(source) & self.bits(among)
            case ("within", _, int(source), int(table), int(among)):
                sets, first, count = self._table_of_sets(VALUES, table)
                values = self._operands.vector(among)
                return self.bits(source) & self._library.bits_of_values(sets, first, count, values)
            case ("beside", _, int(source), int(table), int(width)):
                bits = self.bits(source)
                return self._library.spread(self._data((ROWS, table, width)), bits).without(bits)
            case ("images", _, int(source), int(table)):
                return self._images(source, table)
            case ("reached", _, int(source), int(land), int(table), int(width)):
                return self._library.reached_bits(self._data((ROWS, table, width)), self.bits(source), self.bits(land))
            case ("lying", int(vector), int(source), int(table), int(cell)):
                return self._spaces_with_pieces(vector, source, table, cell)
        raise AssertionError(instruction)

    def _images(self, source: int, table: int) -> V128:
        """Return the bits of the items' entries in a table: shifted if all are equally far away, else looked up."""
        shift, bits = shift_of(self._sets, source, table), self.bits(source)
        if shift is None:
            return self._library.spread(self._data((ROWS, table, 1)), bits)
        bits &= _constant_set(n for n, entry in enumerate(self._tables[table][:MAX_ITEMS]) if entry >= 0)
        return (self._library.add_to_bits if shift > 0 else self._library.subtract_from_bits)(bits, abs(shift))

    def _spaces_with_pieces(self, vector: int, source: int, table: int, cell: int) -> V128:
        """Return the bits of the spaces in which pieces of a vector lie. cell: number to add to a piece for the cell
        that holds its zone."""
        if vector not in self._sets.by_piece:
            low = min(self._tables[table]) >= NOTHING and max(self._tables[table]) < WORD_BITS - 1
            find_spaces = self._library.lying_low_bits if low else self._library.lying_bits
            return find_spaces(self._operands.vector(source), self._data((TABLE, table, 0)), cell)
        spaces = self._sets.by_piece[vector]
        value = self._operands.number(spaces.value).i64
        pieces = self._library.lying_of(*self._table_of_sets(PIECES, spaces.piece_values), value, spaces.first)
        return _constant_set(self._tables[spaces.possible_spaces]) & pieces

    def _items_with_entry(self, table: int) -> V128:
        """Return the bits of the items whose entry in a table is not 0."""
        return _constant_set(n for n, entry in enumerate(self._tables[table][:MAX_ITEMS]) if entry)

    def _with_value(self, table: int, value: int) -> V128:
        """Return the bits of the items that have a certain entry in a table."""
        return self._library.bits_at(*self._table_of_sets(VALUES, table), self._operands.number(value).i64)

    def _table_of_sets(self, kind: str, table: int) -> tuple[int, I64, I64]:
        """Return the address of a table's data by value, the least value, and the number of values. kind: VALUES or
        PIECES."""
        values = values_of(self._tables[table])
        return self._data((kind, table, 0)), I64.const(values.start), I64.const(len(values))


def shift_of(sets: BitSets, source: int, table: int) -> int | None:
    """Return the distance of each item's entry from the item if it is equal for all and a shift can do it, else
    None."""
    distance = sets.distance(source, table)
    return distance if distance is not None and 0 < abs(distance) < WORD_BITS else None


def _pack_sets(sets: Iterable[Iterable[int]]) -> bytes:
    """Return sets as 16 bytes each, with an empty one behind them. Items out of range are left out."""
    return b"".join(
        sum(1 << n for n in set(items) if 0 <= n < MAX_ITEMS).to_bytes(SET_SIZE, "little") for items in (*sets, ())
    )


def _constant_set(items: Iterable[int]) -> V128:
    """Return the bits of different items."""
    return V128.const(sum(1 << item for item in items))
