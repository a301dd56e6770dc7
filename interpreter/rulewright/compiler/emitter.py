"""Writes instructions: registers, folding of constants, nesting, blocks.

An operand is a register (even) or a constant (odd), as `program.instructions` has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from rulewright.compiler.work_budget import TooLarge, WorkBudget
from rulewright.program.instructions import FOLDED, LEAVING, OPENING, PURE, Instruction
from rulewright.syntax.source import Scalar

MAX_LOOP_DEPTH = 12  # Python nests no more than 20
MAX_FREE_LOOP_DEPTH = 1  # nested loops over sets; deeper ones spend fuel


def constant(number: int) -> int:
    """The operand that stands for a number."""
    return 2 * number + 1


def constant_value(operand: int) -> int | None:
    """The number that a constant operand stands for, or None for a register."""
    return operand >> 1 if operand & 1 else None


ZERO, ONE, NONE = constant(0), constant(1), constant(-1)

_REPEATED = ("add", "multiply")  # what addresses are worked out with
_OPPOSITES = {"equal": "unequal", "unequal": "equal", "less": "at_most", "at_most": "less"}


class Emitter:
    """Collects one stretch of code. work: what all stretches of a compilation come to."""

    def __init__(self, work: WorkBudget, parameters: int = 0) -> None:
        self._work = work
        self.code: list[Instruction] = []
        self._marks: list[tuple[int, Scalar | None]] = []  # from which instruction on a sentence is being compiled
        self.depth = 0
        self.loops = 0
        self._block = -1  # outside all blocks
        self._open = 0  # of `if`, `for` and `loop`
        self._unreachable = False
        self._registers = parameters
        self._vectors = 0
        self._cached: list[dict[tuple[str | int, ...], int]] = [{}]  # what is worked out already, by nesting
        self._definitions: dict[int, tuple[str, tuple[int, ...]]] = {}  # what registers that never change stand for

    def register(self) -> int:
        """A new register, as an operand."""
        self._registers += 1
        return 2 * (self._registers - 1)

    def vector(self) -> int:
        """A new vector register."""
        self._vectors += 1
        return self._vectors - 1

    def op(self, name: str, *operands: int) -> None:
        self._work.write()
        if self._unreachable and name != "block":
            return
        self._open += (name in OPENING) - (name == "end")
        self._unreachable = name in LEAVING and not self._open
        self.code.append((name, *operands))

    @contextmanager
    def marking(self, sentence: Scalar | None) -> Iterator[None]:
        """While a sentence is compiled. What stands inside it has its own."""
        outer = self._marks[-1][1] if self._marks else None
        self._mark(sentence)
        try:
            yield
        finally:
            self._mark(outer)

    def _mark(self, sentence: Scalar | None) -> None:
        while self._marks and self._marks[-1][0] >= len(self.code):
            self._marks.pop()
        self._marks.append((len(self.code), sentence))

    def sources(self) -> list[Scalar | None]:
        """For each instruction, the sentence that it was written for."""
        found: list[Scalar | None] = []
        for (begin, sentence), (end, _) in pairwise([(0, None), *self._marks, (len(self.code), None)]):
            found += [sentence] * (end - begin)
        return found

    def spend(self) -> None:
        """Fuel; where there is none left, it is told which block used it up."""
        self.op("spend", self._block)

    def value(self, name: str, *operands: int) -> int:
        """The result of an operation, worked out now if it is known."""
        numbers = [constant_value(operand) for operand in operands]
        if name in FOLDED and numbers[0] is not None and numbers[1] is not None:
            return constant(FOLDED[name](numbers[0], numbers[1]))
        if name in ("add", "subtract") and operands[1] == ZERO:
            return operands[0]
        if name in _REPEATED and all(constant_value(o) is not None or o in self._definitions for o in operands):
            return self.cached((name, *operands), lambda: self._emit_value(name, operands))
        return self._emit_value(name, operands)

    def _emit_value(self, name: str, operands: tuple[int, ...]) -> int:
        result = self.register()
        self.op(name, result >> 1, *operands)
        self._definitions[result] = (name, operands)
        return result

    def variable(self, operand: int) -> int:
        """A register of its own that begins as `operand`."""
        result = self.register()
        self.op("copy", result >> 1, operand)
        return result

    def assign(self, register: int, operand: int) -> None:
        self.op("copy", register >> 1, operand)

    def change(self, name: str, register: int, *operands: int) -> None:
        """`register` becomes the result of an operation."""
        self.op(name, register >> 1, *operands)

    def negate(self, operand: int) -> int:
        number = constant_value(operand)
        if number is not None:
            return constant(int(not number))
        name, operands = self._definitions.get(operand, ("", ()))
        if name == "not":
            return operands[0]
        if name in _OPPOSITES and all(constant_value(o) is not None or o in self._definitions for o in operands):
            return self.value(_OPPOSITES[name], *(operands[::-1] if name in ("less", "at_most") else operands))
        return self.value("not", operand)

    def load(self, cell: int, index: int = ZERO) -> int:
        result = self.register()
        self.op("load", result >> 1, cell, index)
        self._definitions[result] = ("load", (cell, index))
        return result

    def look_up(self, table: int, index: int) -> int:
        result = self.register()
        self.op("table", result >> 1, table, index)
        self._definitions[result] = ("table", (table, index))
        return result

    def fuse_table_lookups(self, begin: int) -> None:
        """From there on, a loop that only collects the entries of items in a table becomes one instruction."""
        match self.code[begin:]:
            case [
                ("vector", int(entries)),
                ("for", int(item), int(items)),
                ("table", int(entry), int(table), index),
                ("push", _, pushed),
                ("end",),
            ] if index == 2 * item and pushed == 2 * entry:
                self.code[begin:] = [("entries", entries, items, table)]

    def fuse_sift(self, pieces: int, zone: int) -> bool:
        """Moves what has just been selected of a zone, without the vector; gives whether the pieces are that."""
        if not self.code or self.code[-1][:2] != ("select", pieces):
            return False
        _, _, all_, table, value = self.code[-1]
        for instruction in reversed(self.code[:-1]):
            if instruction[:3] == ("read", all_, 0):
                self.code.pop()
                self.op("sift", int(instruction[3]), zone, int(table), int(value))
                return True
            if instruction[0] not in PURE:
                break
        return False

    def store(self, cell: int, index: int, operand: int) -> None:
        self.op("store", cell, index, operand)

    def cached(self, key: tuple[str | int, ...], make: Callable[[], int]) -> int:
        """A value that is needed again: made once, as long as what follows stands inside the same nesting."""
        for level in self._cached:
            if key in level:
                return level[key]
        made = make()
        self._cached[-1][key] = made
        return made

    def drop_cached(self, key: tuple[str | int, ...]) -> None:
        for level in self._cached:
            level.pop(key, None)

    # ── nesting: closed even where what stands inside is wrong, so that the rest can be compiled and checked ──

    @contextmanager
    def when(self, condition: int) -> Iterator[None]:
        """What happens where a truth holds. What is known to be true needs no `if`; the known false is left out."""
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
                self._mark(self._marks[-1][1] if self._marks else None)
                self._unreachable = unreachable

    def otherwise(self) -> None:
        self.op("else")
        self._cached[-1] = {}

    @contextmanager
    def telling(self) -> Iterator[None]:
        self.op("told")
        self._enter()
        try:
            yield
        finally:
            self._leave()
            self.op("end")

    @contextmanager
    def loop(self) -> Iterator[None]:
        """Until `break`. The loop is known to end, or spends fuel."""
        self.op("loop")
        self._enter_loop()
        try:
            yield
        finally:
            self._leave_loop()

    def _enter_loop(self) -> None:
        self.loops += 1
        if self.loops > MAX_LOOP_DEPTH:
            raise TooLarge(f"sets are gone through inside one another more than {MAX_LOOP_DEPTH} deep.")
        self._enter()

    def _leave_loop(self) -> None:
        self._leave()
        self.op("end")
        self.loops -= 1

    def _enter(self) -> None:
        self.depth += 1
        self._cached.append({})

    def _leave(self) -> None:
        self.depth -= 1
        self._cached.pop()

    def is_present(self, operand: int) -> bool:
        """Whether an operand surely stands for something: it is a member of a set, or known."""
        number = constant_value(operand)
        return self._definitions.get(operand, ("", ()))[0] in ("for", "item") if number is None else number >= 0

    def item(self, vector: int, place: int) -> int:
        """A member of a set."""
        item = self.register()
        self.op("item", item >> 1, vector, place)
        self._definitions[item] = ("item", ())
        return item

    @contextmanager
    def each(self, vector: int, brief: bool = False) -> Iterator[int]:
        """For each item of a vector as it is now. brief: of so few that no fuel is spent."""
        item = self.register()
        self.op("for", item >> 1, vector)
        self._definitions[item] = ("for", ())
        self._enter_loop()
        try:
            if self.loops > MAX_FREE_LOOP_DEPTH and not brief:
                self.spend()
            yield item
        finally:
            self._leave_loop()

    @contextmanager
    def discarding(self) -> Iterator[None]:
        """What is written inside is left out again, where only its meaning is asked for."""
        with self.when(ZERO):
            yield

    @contextmanager
    def isolated(self) -> Iterator[None]:
        """What is worked out inside is not known outside: it may be left out again."""
        self._cached.append({})
        try:
            yield
        finally:
            self._cached.pop()

    # ── blocks ──

    def block(self, number: int) -> None:
        """Begin a block; what came before goes on into it. Registers end here."""
        assert self.depth == 0
        if self.code and self.code[-1][0] not in LEAVING:
            self.op("goto", number)
        self.op("block", number)
        self._block = number
        self._cached = [{}]
