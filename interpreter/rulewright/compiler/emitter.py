"""Emission of instructions: registers, constant folding, nesting, blocks.

An operand is a register (even) or a constant (odd), as in `program.instructions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

from rulewright.compiler import messages
from rulewright.compiler.operation_names import NumberOperation, PlainOperation, VectorOperation
from rulewright.compiler.work_budget import TooLarge, WorkBudget
from rulewright.program.instructions import (
    FOLDED,
    LEAVING,
    OPENING,
    ZERO,
    Instruction,
    constant,
    constant_value,
    number_in,
    register_value,
)
from rulewright.syntax.source import Scalar

MAX_LOOP_DEPTH = 12
"""Limit of nested loops; Python nests no more than 20."""
MAX_FREE_LOOP_DEPTH = 1
"""Nested loops over sets that spend no fuel; deeper ones do."""


_REPEATED = ("add", "multiply")
"""Operations of addresses, whose results are cached."""
_OPPOSITES: dict[str, NumberOperation] = {"equal": "unequal", "unequal": "equal", "less": "at_most", "at_most": "less"}
"""Comparison -> the one that holds where it does not; `less` and `at_most` change places of their operands."""


class SourceMarks:
    """Sentences from which instructions are compiled: each with the index of its first instruction."""

    def __init__(self, code: Sequence[Instruction]) -> None:
        self._code = code
        self._marks: list[tuple[int, Scalar | None]] = []

    @contextmanager
    def marking(self, sentence: Scalar | None) -> Iterator[None]:
        """Mark instructions emitted inside as compiled from a sentence; nested sentences mark their own."""
        outer = self._marks[-1][1] if self._marks else None
        self._mark(sentence)
        try:
            yield
        finally:
            self._mark(outer)

    def mark_again(self) -> None:
        """Mark the end of the code with the present sentence, after instructions were deleted."""
        self._mark(self._marks[-1][1] if self._marks else None)

    def _mark(self, sentence: Scalar | None) -> None:
        """Note that the code from here on comes from a sentence; drop notes on code that has been deleted."""
        while self._marks and self._marks[-1][0] >= len(self._code):
            self._marks.pop()
        self._marks.append((len(self._code), sentence))

    def by_instruction(self) -> list[Scalar | None]:
        """Return, for each instruction, the sentence that it was compiled from; None for one of no sentence."""
        sentences: list[Scalar | None] = []
        for (begin, sentence), (end, _) in pairwise([(0, None), *self._marks, (len(self._code), None)]):
            sentences += [sentence] * (end - begin)
        return sentences


class PieceEmitter:
    """Instructions that move pieces, or after which seats forget what they knew of hidden ones. append: what writes an
    instruction; memory: whether seats remember hidden pieces."""

    def __init__(self, append: Callable[..., None], memory: bool) -> None:
        self._append, self._memory = append, memory

    def move_one(self, piece: int, zone: int, bottom: int) -> None:
        """Emit the move of a piece. Asserts that seats do not remember pieces. bottom: ONE for the zone's bottom."""
        assert not self._memory
        self._append("move", piece, zone, bottom)

    def move_all(self, pieces: int, zone: int, bottom: int, *, picked: int | None) -> None:
        """Emit the move of a vector's pieces, one after the other. picked: the vector of those among which they were
        picked out, whose places seats lose that see neither of both zones; None where places tell everybody which
        pieces they are, as of the top of a zone. bottom: ONE for the zone's bottom."""
        if picked is not None and self._memory:
            self._append("mingle", picked)
        self._append("move_all", pieces, zone, bottom)

    def sift(self, source: int, zone: int, table: int, entry: int) -> None:
        """Emit the move of a zone's pieces that have an entry in a table. Asserts that seats do not remember pieces."""
        assert not self._memory
        self._append("sift", source, zone, table, entry)

    def forget(self, pieces: int) -> None:
        """Emit, where seats remember pieces, that these are about to change what they show. pieces: vector."""
        if self._memory:
            self._append("forget", pieces)


class Emitter:
    """Code of one stretch, as it is written.

    An instruction is written by `op` if it has no result, or its vector was made before; by `compute` and
    `compute_vector` if its result gets a new register or vector; by `compute_into` if an old register is to change. Use
    `evaluate` for results that do not change afterwards: it folds constants, and keeps what can be negated or used
    again. A register that is changed later begins as a `new_variable`. `pieces` writes moves and what seats forget.

    code: instructions so far; sources: sentences that they come from; depth: number of open nests; loops: number of
    open loops. Operands and results are encoded as in `program.instructions`, but for vectors, which are plain numbers.
    """

    def __init__(self, work: WorkBudget, parameters: int = 0, memory: bool = False) -> None:
        """work: budget shared by all stretches of a compilation; parameters: number of registers that are set when the
        code begins, the first ones; memory: whether seats remember hidden pieces."""
        self._work = work
        self.pieces = PieceEmitter(self._append, memory)
        self.code: list[Instruction] = []
        self.sources = SourceMarks(self.code)
        self.depth = 0
        self.loops = 0
        self._block = -1  # none yet
        self._open_count = 0  # number of open `if`, `for` and `loop`
        self._unreachable = False
        self._registers = parameters
        self._vectors = 0
        self._cached: list[dict[tuple[str | int, ...], int]] = [{}]  # cached values, one dictionary a nesting level
        self._definitions: dict[int, tuple[str, tuple[int, ...]]] = {}  # register -> operation, if assigned once

    def new_register(self) -> int:
        """Return a new register, as an operand; nothing is emitted."""
        self._registers += 1
        return register_value(self._registers - 1)

    def new_vector(self) -> int:
        """Return the number of a new vector register; nothing is emitted."""
        self._vectors += 1
        return self._vectors - 1

    def op(self, name: PlainOperation, *operands: int) -> None:
        """Append an instruction, unless unreachable. Raises TooLarge beyond the budget; unreachable ones count, too."""
        self._append(name, *operands)

    def _append(self, name: str, *operands: int) -> None:
        """Append an instruction as `op` does, also one that has a method of its own."""
        self._work.count_instruction()
        if self._unreachable and name != "block":
            return
        self._open_count += (name in OPENING) - (name == "end")
        self._unreachable = name in LEAVING and not self._open_count
        self.code.append((name, *operands))

    def spend(self) -> None:
        """Emit the use of fuel; an error names the block where it ran out."""
        self.op("spend", self._block)

    # ── results ──

    def evaluate(self, name: NumberOperation, *operands: int) -> int:
        """Return the result of an operation, folded if all operands are constant; the register must not change
        afterwards."""
        numbers = [constant_value(operand) for operand in operands]
        if name in FOLDED and numbers[0] is not None and numbers[1] is not None:
            return constant(FOLDED[name](numbers[0], numbers[1]))
        if name in ("add", "subtract") and operands[1] == ZERO:
            return operands[0]
        if name in _REPEATED and all(constant_value(o) is not None or o in self._definitions for o in operands):
            return self.cached((name, *operands), lambda: self._emit_value(name, operands))
        return self._emit_value(name, operands)

    def _emit_value(self, name: NumberOperation, operands: tuple[int, ...]) -> int:
        """Emit an operation and note how its result came about, so that it can be negated and cached."""
        result = self.compute(name, *operands)
        self._definitions[result] = (name, operands)
        return result

    def new_variable(self, operand: int) -> int:
        """Return a new register initialized with an operand."""
        return self.compute("copy", operand)

    def assign(self, target: int, operand: int) -> None:
        """Copy an operand into a register."""
        self.op("copy", number_in(target), operand)

    def compute(self, name: NumberOperation, *operands: int) -> int:
        """Return a new register with the result of an operation."""
        result = self.new_register()
        self.op(name, number_in(result), *operands)
        return result

    def compute_vector(self, name: VectorOperation, *operands: int) -> int:
        """Return a new vector with the result of an operation."""
        vector = self.new_vector()
        self.op(name, vector, *operands)
        return vector

    def compute_into(self, name: NumberOperation, target: int, *operands: int) -> None:
        """Assign the result of an operation to a register, given as an operand."""
        self.op(name, number_in(target), *operands)

    def negate(self, operand: int) -> int:
        """Return the negation of a truth, without an instruction where possible."""
        number = constant_value(operand)
        if number is not None:
            return constant(int(not number))
        name, operands = self._definitions.get(operand, ("", ()))
        if name == "not":
            return operands[0]
        if name in _OPPOSITES and all(constant_value(o) is not None or o in self._definitions for o in operands):
            return self.evaluate(_OPPOSITES[name], *(operands[::-1] if name in ("less", "at_most") else operands))
        return self.evaluate("not", operand)

    def load(self, cell: int, index: int = ZERO) -> int:
        """Emit the read of a state cell. index: operand that is added to the cell's number."""
        result = self.compute("load", cell, index)
        self._definitions[result] = ("load", (cell, index))
        return result

    def look_up(self, table: int, index: int) -> int:
        """Emit the read of a table's entry. table: its number; index: operand, -1 for the last entry."""
        result = self.compute("table", table, index)
        self._definitions[result] = ("table", (table, index))
        return result

    def store(self, cell: int, index: int, operand: int) -> None:
        """Emit the write of a state cell. index: as in `load`."""
        self.op("store", cell, index, operand)

    def cached(self, key: tuple[str | int, ...], make: Callable[[], int]) -> int:
        """Return a value by its key; `make` emits it if no nest that is open has it yet."""
        for level in self._cached:
            if key in level:
                return level[key]
        value = make()
        self._cached[-1][key] = value
        return value

    def drop_cached(self, key: tuple[str | int, ...]) -> None:
        """Remove a cached value that has changed."""
        for level in self._cached:
            level.pop(key, None)

    # ── nesting: closed even where what stands inside is wrong, so that the rest can be compiled and checked ──

    @contextmanager
    def if_true(self, condition: int) -> Iterator[None]:
        """Emit `if`; none for a true constant. What is compiled under a false one is deleted at the end, so its errors
        are found."""
        if (number := constant_value(condition)) is None:
            self.op("if", condition)
        start, unreachable = len(self.code), self._unreachable
        self._enter()
        try:
            yield
        finally:
            self._leave()
            if number is None:
                self.op("end")
            elif not number:
                del self.code[start:]
                self.sources.mark_again()
                self._unreachable = unreachable

    def otherwise(self) -> None:
        """Begin the else branch of `if_true`, inside it; the condition must be no constant."""
        self.op("else")
        self._cached[-1] = {}

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Emit a block of log output, which machines may skip."""
        self.op("told")
        self._enter()
        try:
            yield
        finally:
            self._leave()
            self.op("end")

    @contextmanager
    def loop(self) -> Iterator[None]:
        """Emit a loop that ends at `break`; it must end or spend fuel. Raises TooLarge inside too many others."""
        self.op("loop")
        self._enter_loop()
        try:
            yield
        finally:
            self._leave_loop()

    def _enter_loop(self) -> None:
        """Count one more open loop and begin its nest. Raises TooLarge beyond MAX_LOOP_DEPTH."""
        self.loops += 1
        if self.loops > MAX_LOOP_DEPTH:
            raise TooLarge(messages.LOOPS_TOO_DEEP(most=MAX_LOOP_DEPTH))
        self._enter()

    def _leave_loop(self) -> None:
        """Emit the end of a loop, and count one less."""
        self._leave()
        self.op("end")
        self.loops -= 1

    def _enter(self) -> None:
        """Begin a nest, with cached values of its own."""
        self.depth += 1
        self._cached.append({})

    def _leave(self) -> None:
        """End a nest; the values cached in it are no longer used."""
        self.depth -= 1
        self._cached.pop()

    def is_present(self, operand: int) -> bool:
        """Whether an operand is known never to be nothing: member of a set, or constant."""
        number = constant_value(operand)
        return self._definitions.get(operand, ("", ()))[0] in ("for", "item") if number is None else number >= 0

    def item(self, vector: int, place: int) -> int:
        """Emit the read of a vector's element, which is known to be there. place: operand of its index."""
        item = self.compute("item", vector, place)
        self._definitions[item] = ("item", ())
        return item

    @contextmanager
    def each(self, vector: int, brief: bool = False) -> Iterator[int]:
        """Emit a loop over the present items of a vector; give the item's register. brief: too few to spend fuel.
        Raises TooLarge inside too many others."""
        item = self.new_register()
        self.op("for", number_in(item), vector)
        self._definitions[item] = ("for", ())
        self._enter_loop()
        try:
            if self.loops > MAX_FREE_LOOP_DEPTH and not brief:
                self.spend()
            yield item
        finally:
            self._leave_loop()

    @contextmanager
    def isolated(self) -> Iterator[None]:
        """Keep values cached inside from uses outside, as the code may be discarded."""
        self._cached.append({})
        try:
            yield
        finally:
            self._cached.pop()

    # ── blocks ──

    def block(self, number: int) -> None:
        """Begin a block; code before it goes on there. Registers and vectors of before hold nothing in it. Asserts that
        no nest is open."""
        assert self.depth == 0
        if self.code and self.code[-1][0] not in LEAVING:
            self.op("goto", number)
        self.op("block", number)
        self._block = number
        self._cached = [{}]
