"""Sets of spaces, words or the like as bits: what is cut, spread over a board or looked for in them needs no walk.

Item n is bit n, of 128. A list is written out from the bits only where something asks for it.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from rulewright.program.form import NOTHING, Program
from rulewright.program.instructions import Instruction
from rulewright.runtime.native.memory import ONES, PIECES, ROWS, TABLE, VALUES, DataKey
from rulewright.runtime.native.operands import Operands
from rulewright.runtime.native.ordered import MOST, OrderedSets, values_of

SIZE = 16  # bytes of such a set
WORD_BITS = 64
TELLING = frozenset(["empty", "length", "has", "none_of", "count_of"])
NONE = "(v128.const i64x2 0 0)"


class Bits:
    """The code for the sets of some code that are held as bits. data: what lies where in memory."""

    def __init__(self, sets: OrderedSets, program: Program) -> None:
        self.sets, self._tables, self._pieces = sets, program.tables, program.layout.pieces

    # ── data ──

    @cached_property
    def data(self) -> dict[DataKey, bytes]:
        """What lies in memory, beside the program's tables."""
        found: dict[DataKey, bytes] = {(ONES, 0, 0): _sets([[item] for item in range(MOST)])} if self.sets.all else {}
        for key in dict.fromkeys(key for vector in sorted(self.sets.all) for key in self._keys(vector)):
            kind, table, width = key
            entries = self._tables[table]
            if kind == ROWS:
                rows = [entries[first : first + width] for first in range(0, len(entries) - width + 1, width)]
                found[key] = _sets(rows)
            elif kind == VALUES:
                found[key] = _sets(
                    [[n for n, e in enumerate(entries[:MOST]) if e == value] for value in values_of(entries)]
                )
            else:
                pieces = [
                    [n for n, e in enumerate(entries[: self._pieces]) if e == value] for value in values_of(entries)
                ]
                begins = [sum(map(len, pieces[:number])) for number in range(len(pieces) + 1)]
                words = [1 + len(begins) + begin for begin in (*begins, begins[-1])]
                words += [piece for some in pieces for piece in some]
                found[key] = struct.pack(f"<{len(words)}i", *words)
        return found

    def _keys(self, vector: int) -> Iterator[DataKey]:
        for maker in self.sets.makers(vector):
            match maker:
                case ("within", _, int(source), int(table), _) if not self.sets.same(source, table):
                    yield VALUES, table, 0
                case ("select", _, _, int(table), _):
                    yield VALUES, table, 0
                case ("images", _, int(source), int(table)) if self._shift(source, table) is None:
                    yield ROWS, table, 1
                case ("beside", _, _, int(table), int(width)) | ("reached", _, _, _, int(table), int(width)):
                    yield ROWS, table, width
        for use in self.sets.uses(vector):
            if use[0] == "count_of" and not self.sets.asks_for_list(use, vector):
                yield VALUES, int(use[3]), 0
        if vector in self.sets.by_piece:
            yield PIECES, self.sets.by_piece[vector][0], 0

    # ── code ──

    @property
    def needed(self) -> dict[str, str]:
        """The locals that the code has, and their types."""
        return {f"bits{vector}": "v128" for vector in self.sets.all}

    def told(self, instruction: Instruction, data: Callable[[DataKey], int], spelt: Operands) -> str | None:
        """What an instruction says of a vector that is held as bits, as i64; None if it is not of such a one."""
        if instruction[0] not in TELLING or int(instruction[2]) not in self.sets.all:
            return None
        bits = self.bits(int(instruction[2]), spelt)
        match instruction:
            case ("empty", *_):
                return f"(i64.extend_i32_u (i32.eqz (v128.any_true {bits})))"
            case ("length", *_):
                return f"(call $size_of_bits {bits})"
            case ("none_of", _, _, int(table)):
                present = _constant(n for n, e in enumerate(self._tables[table][:MOST]) if e)
                return f"(i64.extend_i32_u (i32.eqz (v128.any_true (v128.and {bits} {present}))))"
            case ("count_of", _, int(vector), int(table), int(value)):
                if self.sets.asks_for_list(instruction, vector):
                    return None
                looked_up = f"{self._looked_up(VALUES, table, data)} {spelt.number(value)}"
                return f"(call $size_of_bits (v128.and {bits} (call $bits_at {looked_up})))"
        return f"(call $in_bits {bits} {spelt.number(int(instruction[3]))})"

    def pushed(self, instruction: Instruction, spelt: Operands) -> str:
        bits = self.bits(int(instruction[1]), spelt)
        return self.set(int(instruction[1]), f"(v128.or {bits} (call $bit_of {spelt.number(int(instruction[2]))}))")

    def set(self, vector: int, bits: str) -> str:
        return f"(local.set $bits{vector} {bits})"

    def made(self, instruction: Instruction, data: Callable[[DataKey], int], spelt: Operands) -> str:
        """The bits of a vector that an instruction makes. data: where something lies in memory."""
        match instruction:
            case ("vector", *_):
                return NONE
            case ("fixed", _, int(table)):
                return _constant(self._tables[table])
            case ("as_tuple", _, int(source)):
                return self.bits(source, spelt)
            case ("filter", _, int(source), int(table)):
                present = _constant(n for n, e in enumerate(self._tables[table][:MOST]) if e)
                return f"(v128.and {self.bits(source, spelt)} {present})"
            case ("select", _, int(source), int(table), int(value)):
                looked_up = f"{self._looked_up(VALUES, table, data)} {spelt.number(value)}"
                return f"(v128.and {self.bits(source, spelt)} (call $bits_at {looked_up}))"
            case ("within", _, int(source), int(table), int(among)) if self.sets.same(source, table):
                return f"(v128.and {self.bits(source, spelt)} {self.bits(among, spelt)})"
            case ("within", _, int(source), int(table), int(among)):
                looked_up = f"{self._looked_up(VALUES, table, data)} {spelt.vector(among)}"
                return f"(v128.and {self.bits(source, spelt)} (call $bits_of_values {looked_up}))"
            case ("beside", _, int(source), int(table), int(width)):
                rows = f"(i32.const {data((ROWS, table, width))})"
                bits = self.bits(source, spelt)
                return f"(v128.andnot (call $spread {rows} {bits}) {bits})"
            case ("images", _, int(source), int(table)):
                shift = self._shift(source, table)
                if shift is None:
                    return f"(call $spread (i32.const {data((ROWS, table, 1))}) {self.bits(source, spelt)})"
                going = _constant(n for n, entry in enumerate(self._tables[table][:MOST]) if entry >= 0)
                moved = "moved_up" if shift > 0 else "moved_down"
                return f"(call ${moved} (v128.and {self.bits(source, spelt)} {going}) (i32.const {abs(shift)}))"
            case ("reached", _, int(source), int(land), int(table), int(width)):
                rows = f"(i32.const {data((ROWS, table, width))})"
                return f"(call $reached_bits {rows} {self.bits(source, spelt)} {self.bits(land, spelt)})"
            case ("lying", int(vector), int(source), int(table), int(cell)):
                if vector not in self.sets.by_piece:
                    where = f"(i32.const {data((TABLE, table, 0))}) (i32.const {cell})"
                    few = min(self._tables[table]) >= NOTHING and max(self._tables[table]) < WORD_BITS - 1
                    return f"(call ${'lying_few_bits' if few else 'lying_bits'} {spelt.vector(source)} {where})"
                kinds, value, first, numbers = self.sets.by_piece[vector]
                pieces = f"{self._looked_up(PIECES, kinds, data)} {spelt.number(value)}"
                zones = _constant(self._tables[numbers])
                return f"(v128.and {zones} (call $lying_of {pieces} (i32.const {first})))"
        raise AssertionError(instruction)

    def _shift(self, source: int, table: int) -> int | None:
        distance = self.sets.distance(source, table)
        return distance if distance is not None and 0 < abs(distance) < WORD_BITS else None

    def _looked_up(self, kind: str, table: int, data: Callable[[DataKey], int]) -> str:
        values = values_of(self._tables[table])
        address = data((kind, table, 0))
        return f"(i32.const {address}) (i64.const {values.start}) (i64.const {len(values)})"

    def bits(self, vector: int, spelt: Operands) -> str:
        return f"(local.get $bits{vector})" if vector in self.sets.all else f"(call $bits_of {spelt.vector(vector)})"


def _sets(sets: Iterable[Iterable[int]]) -> bytes:
    """Each as bits, and an empty one behind them. What cannot be an item is left out."""
    return b"".join(sum(1 << n for n in set(items) if 0 <= n < MOST).to_bytes(SIZE, "little") for items in (*sets, ()))


def _constant(items: Iterable[int]) -> str:
    bits = sum(1 << item for item in items)
    return f"(v128.const i64x2 {bits & 2**64 - 1:#x} {bits >> 64:#x})"
