"""Operands of instructions as typed values of native code: numbers, cells, tables and vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.base.records import record
from rulewright.program.form import Program
from rulewright.program.instructions import OPERANDS, Instruction, is_constant, number_in, operands_of
from rulewright.program.state_layout import PC
from rulewright.runtime.native.assembler import FunctionBuilder
from rulewright.runtime.native.library_calls import Library
from rulewright.runtime.native.memory import FEW_ITEMS, SLACK, WORD, Memory
from rulewright.runtime.native.vectors import VectorName, Vectors
from rulewright.runtime.native.webassembly import I32, I64, Address, Code, Items, Local, ValueT


class LocalFrame:
    """Locals of one function: registers, vectors and loops by number, and others by name; each is added on first use.
    first: parameter that is register 0, None without."""

    def __init__(self, function: FunctionBuilder, memory: Memory, first: Local[I64] | None = None) -> None:
        self.function, self.memory = function, memory
        self.library = Library(function)
        self._registers = [first] if first else []
        self._vectors: list[tuple[Local[I32], Local[I32]]] = []
        self._loops: list[tuple[Local[I32], Local[I32]]] = []
        self._purposes: dict[tuple[object, ...], Any] = {}

    def register(self, number: int) -> Local[I64]:
        """Return the local of a register, by its number in this function."""
        while number >= len(self._registers):
            self._registers.append(self.function.local(I64))
        return self._registers[number]

    def vector(self, number: int) -> tuple[Local[I32], Local[I32]]:
        """Return the locals for the address and the size of a vector."""
        return self._pair(self._vectors, number)

    def loop(self, depth: int) -> tuple[Local[I32], Local[I32]]:
        """Return the locals of a loop: address of the next item, and the end of the items."""
        return self._pair(self._loops, depth)

    def _pair(self, pairs: list[tuple[Local[I32], Local[I32]]], number: int) -> tuple[Local[I32], Local[I32]]:
        """Return the pair of locals with a number, adding those up to it."""
        while number >= len(pairs):
            pairs.append((self.function.local(I32), self.function.local(I32)))
        return pairs[number]

    def local_for(self, kind: type[ValueT], *name: object) -> Local[ValueT]:
        """Return the local of a purpose, made on first use. name: its parts."""
        key = (kind, *name)
        if key not in self._purposes:
            self._purposes[key] = self.function.local(kind)
        result: Local[ValueT] = self._purposes[key]
        return result

    # ── the state ──

    @property
    def program_counter(self) -> Address:
        """Address of the cell with the block to run next."""
        return self.state_address(self.memory.cell(PC))

    def state_address(self, address: int, index: I32 | None = None, width: int = WORD) -> Address:
        """Return an address in the current state. index: of an entry in a row that begins at `address`; width: bytes of
        an entry."""
        memory, module = self.memory, self.function.module
        if index is None:
            return Address(module.state_base(), address - memory.origin) if memory.relocatable else Address(address)
        place = index << (width.bit_length() - 1)
        return Address(module.state_base() + place if memory.relocatable else place, address - memory.origin)

    def table_address(self, place: I32) -> I32:
        """Return the address of a place in the state. place: its offset from `Memory.origin`, as tables in memory hold
        it."""
        return self.function.module.state_base() + place if self.memory.relocatable else place


@record
class Number:
    """Value of an operand. constant: the number, or None for a register."""

    i64: I64
    constant: int | None = None

    @property
    def i32(self) -> I32:
        """Lower 32 bits of the value."""
        return self.i64.wrapped() if self.constant is None else I32.const(self.constant)


class StateCell:
    """Cell of the state, and the set that it may hold. cell, index: their sum is its number."""

    def __init__(self, frame: LocalFrame, cell: int, index: Number) -> None:
        self._frame, self._cell, self._index = frame, cell, index

    @property
    def address(self) -> Address:
        """Address of the cell."""
        index = self._index.constant
        return self._frame.state_address(
            self._frame.memory.cell(self._cell + (index or 0)), None if index is not None else self._index.i32
        )

    @property
    def set(self) -> Address:
        """Address of the set that the cell holds: its size, then its items."""
        frame, memory = self._frame, self._frame.memory
        if self._index.constant is not None:
            return frame.state_address(memory.set_at[self._cell + self._index.constant])
        return Address(frame.table_address(Address(self._index.i32 << 2, memory.sets + WORD * self._cell).load()))

    def store(self, number: int) -> Code:
        """Return code that stores a constant in the cell."""
        return self.address.store(number)


@record
class ProgramTable:
    """Table of the program: its address in memory, and its entries."""

    address: int
    entries: Sequence[int]

    def entry(self, index: Number) -> Address:
        """Return the place of an entry; an index of -1 is the last."""
        return Address((index.i32 << 2) + self.address)


@record
class NamedVector:
    """Vector as an operand. few: whether it has at most FEW_ITEMS items; one: at most one."""

    name: VectorName
    items: Items
    few: bool
    one: bool


Operand = Number | StateCell | ProgramTable | NamedVector | int
"""Decoded operand; an int is one that the instruction itself holds."""


class Operands:
    """Operands of one stretch of code; its registers and vectors are numbered anew. room: bytes of scratch memory that
    others need; first: register that becomes number 0, or -1; end: address behind the scratch memory in use."""

    def __init__(self, program: Program, frame: LocalFrame, vectors: Vectors, room: int, first: int = -1) -> None:
        self._tables, self._frame, self._vectors = program.tables, frame, vectors
        self._registers: dict[int, int] = {first: 0} if first >= 0 else {}
        self._numbers: dict[VectorName, int] = {}
        self._values: dict[int, Number] = {}
        self._rooms: dict[VectorName, int] = {}
        self.end = frame.memory.scratch + room
        for name in vectors.names():
            self._rooms[name] = self.end
            self.end += (vectors.capacity(name) + SLACK) * WORD

    def vector(self, name: VectorName) -> Items:
        """Return a vector's items as they are in its locals."""
        address, size = self.locals_of(name)
        return Items(address.get(), size.get())

    def locals_of(self, name: VectorName) -> tuple[Local[I32], Local[I32]]:
        """Return the locals of a vector's address and size."""
        return self._frame.vector(self._numbers.setdefault(name, len(self._numbers)))

    def items_address(self, name: VectorName) -> I32:
        """Return the address in scratch memory for the items of a vector."""
        return I32.const(self._rooms[name])

    def register(self, number: int) -> Local[I64]:
        """Return the local of a register, by the program's number for it."""
        return self._frame.register(self._registers.setdefault(number, len(self._registers)))

    def number(self, value: int) -> Number:
        """Return the number of an operand: a register (2 n) or a constant (2 n + 1)."""
        if value not in self._values:
            number = number_in(value)
            constant = Number(I64.const(number), number) if is_constant(value) else None
            self._values[value] = constant or Number(self.register(number).get())
        return self._values[value]

    def cell(self, cell: int, index: int) -> StateCell:
        """Return a cell of the state. index: as an operand, added to the cell."""
        return StateCell(self._frame, cell, self.number(index))

    def table(self, number: int) -> ProgramTable:
        """Return a table of the program."""
        return ProgramTable(self._frame.memory.tables[number], self._tables[number])

    def named_vector(self, name: VectorName) -> NamedVector:
        """Return a vector with what is known of its size."""
        capacity = self._vectors.capacity(name)
        return NamedVector(name, self.vector(name), capacity <= FEW_ITEMS, capacity <= 1)

    def decode(self, instruction: Instruction) -> list[Operand]:
        """Return the operands of an instruction, without the register or vector that it makes."""
        letters = OPERANDS[str(instruction[0])]
        decoded: list[Operand] = []
        for place, (kind, operand) in enumerate(operands_of(instruction)):
            letter = letters[place] if place < len(letters) else "+"
            match kind:
                case _ if letter in "dNc":
                    pass
                case "v" if place and letters[place - 1] == "c":
                    decoded.append(self.cell(int(instruction[place]), operand))
                case "v":
                    decoded.append(self.number(operand))
                case "T":
                    decoded.append(self.table(operand))
                case "V":
                    decoded.append(self.named_vector(operand))
                case _:
                    decoded.append(operand)
        return decoded
