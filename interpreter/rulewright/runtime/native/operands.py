"""How the operands of instructions are spelt in WebAssembly."""

from __future__ import annotations

import re
from functools import cache

from rulewright.program.form import Program
from rulewright.program.instructions import OPERANDS, Instruction, operands_of
from rulewright.runtime.native.lines import OF_FEW, OF_ONE, SPELT
from rulewright.runtime.native.memory import FEW_ITEMS, SLACK, WORD, Memory
from rulewright.runtime.native.vectors import VectorName, Vectors


@cache
def _fields(line: str) -> frozenset[str]:
    """What stands in braces."""
    return frozenset(re.findall(r"{(\w+)}", line))


class Operands:
    """Of one stretch of code, in which registers and vectors are numbered anew, as they come.

    room: how many bytes of the scratch memory others need; first: a register that stays register 0, or -1; end: of the
    rooms into which the items of vectors go.
    """

    def __init__(self, program: Program, memory: Memory, vectors: Vectors, room: int, first: int = -1) -> None:
        self._tables, self._memory, self._vectors = program.tables, memory, vectors
        self.registers: dict[int, int] = {first: 0} if first >= 0 else {}
        self.numbers: dict[VectorName, int] = {}
        self._rooms: dict[VectorName, int] = {}
        self.end = memory.scratch + room
        for name in vectors.names():
            self._rooms[name] = self.end
            self.end += (vectors.capacity(name) + SLACK) * WORD

    def vector(self, name: VectorName) -> str:
        """Address and size."""
        return f"(local.get $v{self.numbered(name)}) (local.get $n{self.numbered(name)})"

    def room(self, name: VectorName) -> str:
        """Where its items go."""
        return f"(i32.const {self._rooms[name]})"

    def register(self, number: int) -> str:
        return f"$r{self.registers.setdefault(number, len(self.registers))}"

    def numbered(self, name: VectorName) -> int:
        """The number of a vector, of which $v and $n are address and size."""
        return self.numbers.setdefault(name, len(self.numbers))

    def number(self, operand: int) -> str:
        """A value, as i64."""
        return f"(i64.const {operand >> 1})" if operand & 1 else f"(local.get {self.register(operand >> 1)})"

    def index(self, operand: int) -> str:
        """A value, as i32."""
        return f"(i32.const {operand >> 1})" if operand & 1 else f"(i32.wrap_i64 {self.number(operand)})"

    def cell(self, cell: int, index: int) -> str:
        return self._entry(self._memory.state, cell, index)

    def _entry(self, table: int, first: int, index: int) -> str:
        """An address, as it stands in a load or store."""
        if index & 1:
            return f"(i32.const {table + WORD * (first + (index >> 1))})"
        return f"offset={table + WORD * first} (i32.shl {self.index(index)} (i32.const 2))"

    def set_at(self, cell: int, index: int) -> str:
        if index & 1:
            return f"(i32.const {self._memory.set_at[cell + (index >> 1)]})"
        return f"(call $there (i32.load {self._entry(self._memory.sets, cell, index)}))"

    def filled(self, line: str, instruction: Instruction) -> str:
        """A line with the operands of an instruction."""
        spelt, fields = dict(SPELT), _fields(line)
        words: list[str] = []
        operands = operands_of(instruction)
        for place, (kind, operand) in enumerate(operands):
            match kind:
                case "d":
                    words.append(self.register(operand))
                case "v":
                    words.append(self.number(operand))
                    if (name := f"i{place}") in fields:
                        spelt[name] = self.index(operand)
                case "T":
                    words.append(f"(i32.const {self._memory.tables[operand]})")
                    spelt["length"] = str(len(self._tables[operand]))
                case "V":
                    n = self.numbered(operand)
                    spelt[f"a{place}"], spelt[f"n{place}"] = f"(local.get $v{n})", f"(local.get $n{n})"
                    words.append(self.vector(operand))
                    if place == 0:
                        spelt["to"] = self.room(operand)
                case _:
                    words.append(f"(i32.const {operand})")
        if (place := OPERANDS[str(instruction[0])].find("c")) >= 0:
            cell, index = operands[place][1], operands[place + 1][1]
            if "cell" in fields:
                spelt["cell"] = self.cell(cell, index)
            if "set" in fields:
                spelt["set"] = self.set_at(cell, index)
        vectors = [operand for kind, operand in operands if kind == "V"]
        for name in OF_FEW:
            if (call := f"(call ${name} ") in line:
                line = line.replace(call, f"(call {self.of_few(name, *vectors)} ")
        if instruction[0] in OF_ONE and self._vectors.capacity(vectors[0]) == 1:
            line = line.replace(f"${instruction[0]} ", f"${instruction[0]}_of_one ")
        if instruction[0] == "filter" and set(self._tables[int(instruction[3])]) <= {0, 1}:
            line = line.replace("$filter", "$filter_of_kind")
        return line.format(*words, **spelt)

    def of_few(self, name: str, *vectors: VectorName) -> str:
        """What to call: for vectors that never have more than four items, what needs no loop."""
        few = all(self._vectors.capacity(vector) <= FEW_ITEMS for vector in vectors)
        return f"${name}_of_few" if few else f"${name}"
