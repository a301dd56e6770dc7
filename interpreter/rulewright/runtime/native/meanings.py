"""Meanings of instructions in native code: one method for each, with the operands from the table of instructions.

A method returns the value for the instruction's register; or the size of the vector that it makes, whose items it has
written to `room`; or where that vector lies, if it is part of something else; or code. `check` compares the methods
with the table. `codegen` has jumps, and instructions that change a vector or have a varying number of operands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_type_hints

from rulewright.program.instructions import IN_BULK, OPERANDS, PARTS
from rulewright.program.state_layout import GAME_OVER
from rulewright.runtime.native.memory import ASKING, DIVISION_BY_ZERO, FAILED, NUMBER_TOO_LARGE, OVER
from rulewright.runtime.native.operands import LocalFrame, NamedVector, Number, Operand, ProgramTable, StateCell
from rulewright.runtime.native.webassembly import I32, I64, Address, Code, Items, StackValue, select

DIRECTLY_EMITTED = (
    frozenset(["push", "append", "draw", "sort", "rank", "ask", "answer", "tell"])
    | frozenset(["if", "goto", "goto_value", "for", "loop", "else", "end", "break", "again", "spend"])
    | frozenset(["pick", "pick_one", "pick_up_to_one", "pick_alike", "noted"])
)
"""Instructions that `codegen` and `block_code` write."""

OF_SPANS = frozenset(["empty", "length", "pick_one", "pick_up_to_one"])
"""Instructions that need only the first of consecutive numbers, and how many there are."""

Emitted = I64 | I32 | Items | Code
"""WebAssembly of a result: a number, a vector's items, or code without one."""


class Meanings:
    """The meanings of instructions in one function."""

    def __init__(self, frame: LocalFrame) -> None:
        self._frame, self._function, self._library = frame, frame.function, frame.library

    def emit(self, operation: str, operands: list[Operand], room: I32) -> Emitted:
        """Return the code of an operation, by its method, and emit what must run before it. room: address for the items
        of the vector that it makes."""
        rooms = [room] if OPERANDS[operation].startswith("N") and operation not in PARTS | ROOMLESS else []
        meaning: Emitted = getattr(self, _NAMES.get(operation, operation))(*rooms, *operands)
        return meaning

    def _fail(self, kind: int, place: int) -> None:
        """Emit the end of the function with an error. kind: as in `memory`; place: of the sentence, by its number."""
        self._function.return_value(self._library.fail(kind, place))

    def _check_size(self, number: Number, place: int) -> None:
        """Emit the error for a number that no cell can hold."""
        with self._function.if_true(self._library.too_large(number.i64)):
            self._fail(NUMBER_TOO_LARGE, place)

    def _check_divisor(self, divisor: Number, place: int) -> None:
        """Emit the error for a divisor that is 0; nothing for a constant one."""
        if not divisor.constant:
            with self._function.if_true(divisor.i64.is_zero()):
                self._fail(DIVISION_BY_ZERO, place)

    # ── values ──

    def copy(self, value: Number) -> I64:
        return value.i64

    def add(self, one: Number, other: Number) -> I64:
        return one.i64 + other.i64

    def subtract(self, one: Number, other: Number) -> I64:
        return one.i64 - other.i64

    def multiply(self, one: Number, other: Number) -> I64:
        return one.i64 * other.i64

    def divide_down(self, number: Number, divisor: Number, place: int) -> I64:
        self._check_divisor(divisor, place)
        if (divisor.constant or 0) > 0:  # the compiler of WebAssembly multiplies instead
            negative = number.i64.remainder(divisor.i64).less(0)
            return number.i64.divided(divisor.i64) - negative.extended()
        return self._library.divide_down(number.i64, divisor.i64)

    def divide_up(self, number: Number, divisor: Number, place: int) -> I64:
        self._check_divisor(divisor, place)
        return self._library.divide_up(number.i64, divisor.i64)

    def checked(self, number: Number, place: int) -> I64:
        self._check_size(number, place)
        return number.i64

    def equal(self, one: Number, other: Number) -> I64:
        return one.i64.equals(other.i64).extended()

    def unequal(self, one: Number, other: Number) -> I64:
        return one.i64.differs(other.i64).extended()

    def less(self, one: Number, other: Number) -> I64:
        return one.i64.less(other.i64).extended()

    def at_most(self, one: Number, other: Number) -> I64:
        return one.i64.at_most(other.i64).extended()

    def shared(self, one: Number, other: Number) -> I64:
        return one.i64 & other.i64

    def negated(self, truth: Number) -> I64:
        return truth.i64.is_zero().extended()

    def load(self, cell: StateCell) -> I64:
        return cell.address.load_word()

    def store(self, cell: StateCell, number: Number) -> Code:
        return cell.address.store_word(number.i64)

    def store_block(self, cell: StateCell, block: int) -> Code:
        return cell.store(block)

    def count(self, cell: StateCell, number: Number, place: int) -> Code:
        self._check_size(number, place)
        return cell.address.store_word(number.i64)

    def table(self, table: ProgramTable, index: Number) -> I64:
        return table.entry(index).load_word()

    def random(self, limit: Number) -> I64:
        return self._library.below(limit.i64)

    # ── control ──

    def halt(self) -> Code:
        self._function.add(self._frame.program_counter.store(GAME_OVER))
        self._function.return_value(OVER)
        return Code()

    def wait(self, block: int) -> Code:
        self._function.add(self._frame.program_counter.store(block))
        self._function.return_value(ASKING)
        return Code()

    def failed(self, place: int) -> Code:
        self._fail(FAILED, place)
        return Code()

    # ── vectors ──

    def vector(self) -> I32:
        return I32.const(0)

    def one(self, room: I32, item: Number) -> I32:
        self._function.add(Address(room).store_word(item.i64))
        return item.i64.differs(-1)

    def numbers(self, room: I32, first: Number, last: Number, most: int) -> I32:
        return self._library.numbers(room, first.i64, last.i64, most)

    def length(self, vector: NamedVector) -> I64:
        return vector.items.size.extended()

    def empty(self, vector: NamedVector) -> I64:
        return vector.items.size.is_zero().extended()

    def item(self, vector: NamedVector, index: Number) -> I64:
        return self._library.item(vector.items, index.i64)

    def has(self, vector: NamedVector, number: Number) -> I64:
        return self._library.has(vector.items, number.i64)

    def greatest(self, vector: NamedVector) -> I64:
        return self._library.greatest(vector.items)

    def smallest(self, vector: NamedVector) -> I64:
        return self._library.smallest(vector.items)

    def longest_run(self, vector: NamedVector) -> I64:
        return self._library.longest_run(vector.items)

    def tally(self, vector: NamedVector, table: ProgramTable) -> I64:
        tally = self._library.tally_one if vector.one else self._library.tally
        return tally(vector.items, table.address)

    def none_of(self, vector: NamedVector, table: ProgramTable) -> I64:
        return self._library.none_of(vector.items, table.address)

    def count_of(self, vector: NamedVector, table: ProgramTable, value: Number) -> I64:
        count_of = self._library.count_of_one if vector.one else self._library.count_of
        return count_of(vector.items, value.i64, table.address)

    def keep(self, vector: NamedVector, cell: StateCell) -> Code:
        keep = self._library.keep_few if vector.few else self._library.keep
        return keep(cell.set.value(), vector.items)

    def join(self, room: I32, one: NamedVector, other: NamedVector) -> I32:
        join = self._library.join_few if one.few and other.few else self._library.join
        return join(room, one.items, other.items)

    def unite(self, room: I32, one: NamedVector, other: NamedVector) -> I32:
        return self._library.unite(room, one.items, other.items)

    def filter(self, room: I32, vector: NamedVector, table: ProgramTable) -> I32:
        flagged = set(table.entries) <= {0, 1}
        return (self._library.filter_flagged if flagged else self._library.filter)(room, vector.items, table.address)

    def select(self, room: I32, vector: NamedVector, table: ProgramTable, value: Number) -> I32:
        return self._library.select(room, vector.items, value.i64, table.address)

    def within(self, room: I32, vector: NamedVector, table: ProgramTable, among: NamedVector) -> I32:
        return self._library.within(room, vector.items, table.address, among.items)

    def entries(self, room: I32, vector: NamedVector, table: ProgramTable) -> I32:
        return self._library.entries(room, vector.items, table.address)

    def images(self, room: I32, vector: NamedVector, table: ProgramTable) -> I32:
        return self._library.images(room, vector.items, table.address)

    def lying(self, room: I32, vector: NamedVector, table: ProgramTable, cell: int) -> I32:
        return self._library.lying(room, vector.items, table.address, cell)

    def gather(self, room: I32, vector: NamedVector, cell: int) -> I32:
        return self._library.gather(room, vector.items, cell)

    def beside(self, room: I32, vector: NamedVector, table: ProgramTable, width: int) -> I32:
        return self._library.beside(room, vector.items, table.address, width)

    def reached(self, room: I32, edge: NamedVector, land: NamedVector, table: ProgramTable, width: int) -> I32:
        return self._library.reached(room, edge.items, land.items, table.address, width)

    def back(self, room: I32, vector: NamedVector, size: Number) -> I32:
        return self._library.back(room, vector.items, size.i64)

    def fitting(self, room: I32, vector: NamedVector, table: ProgramTable, space: Number) -> I32:
        return self._library.fitting(room, vector.items, table.address, space.i64)

    def largest_group(self, room: I32, vector: NamedVector, keys: NamedVector, rank: Number) -> I32:
        return self._library.largest_group(room, vector.items, keys.items.address, rank.i64)

    # ── vectors that are part of something else ──

    def read(self, cell: StateCell) -> Items:
        return Items(cell.set.offset_by(4).value(), cell.set.load())

    def as_tuple(self, vector: NamedVector) -> Items:
        return vector.items

    def front(self, vector: NamedVector, size: Number) -> Items:
        return Items(vector.items.address, self._library.among(vector.items.size, size.i64))

    def slice(self, vector: NamedVector, first: Number, size: Number) -> Items:
        before = self._library.among(vector.items.size, first.i64)
        remaining = vector.items.size - before
        return Items(vector.items.address + (before << 2), self._library.among(remaining, size.i64))

    def fixed(self, table: ProgramTable) -> Items:
        return Items(table.address, len(table.entries))

    def row(self, table: ProgramTable, number: Number, width: int) -> Items:
        size = select(I32.const(width), I32.const(0), number.i64.below(len(table.entries) // max(1, width)))
        return Items(((number.i32 * width) << 2) + table.address, size)

    def stretch(self, table: ProgramTable, number: Number, first: int) -> Items:
        begins = Address((number.i32 << 2) + (table.address + 4 * first))
        return Items((begins.load() << 2) + table.address, begins.offset_by(4).load() - begins.load())

    # ── zones ──

    def move(self, piece: Number, zone: Number, under: Number) -> Code:
        return self._library.move(piece.i32, zone.i32, under.i32)

    def move_all(self, pieces: NamedVector, zone: Number, under: Number) -> Code:
        return self._library.move_all(pieces.items, zone.i32, under.i32)

    def spill(self, source: Number, zone: Number) -> Code:
        return self._library.spill(source.i32, zone.i32)

    def sift(self, source: Number, zone: Number, table: ProgramTable, value: Number) -> Code:
        return self._library.sift(source.i32, zone.i32, table.address, value.i32)

    def deal(self, source: Number, zone: Number, size: Number, under: Number, refill: Number) -> Code:
        return self._library.deal(source.i32, zone.i32, size.i64, under.i32, refill.i32)

    def pour(self, source: Number, zone: Number) -> Code:
        return self._library.pour(source.i32, zone.i32)

    def shuffle(self, zone: Number) -> Code:
        return self._library.shuffle(zone.i32)

    def swap(self, one: Number, other: Number) -> Code:
        return self._library.swap(one.i32, other.i32)


ROOMLESS = frozenset(["vector"])
"""Instructions that make a vector without items."""

_NAMES = {"not": "negated", "fail": "failed"}
"""Methods of instructions whose names are words of Python, or meant otherwise here."""

_KINDS = {"v": "Number", "z": "Number", "T": "ProgramTable", "V": "NamedVector", "k": "int", "P": "int", "L": "int"}
"""Types of the parameters of an instruction's method, by the operand's letter."""


def check() -> Iterator[str]:
    """Yield the differences between the methods and the table of instructions."""
    for operation in sorted(IN_BULK - DIRECTLY_EMITTED):
        letters = OPERANDS[operation]
        kinds = [_KINDS[letter] for letter in letters.replace("cv", "c").strip("dN") if letter in _KINDS]
        if "c" in letters:
            kinds = [_KINDS.get(letter, "StateCell") for letter in letters.replace("cv", "c").strip("dN")]
        if letters.startswith("N") and operation not in PARTS | ROOMLESS:
            kinds.insert(0, "I32")
        result: type[StackValue] | type[Code] | type[Items] = I64 if letters.startswith("d") else Code
        if letters.startswith("N"):
            result = Items if operation in PARTS else I32
        hints = get_type_hints(getattr(Meanings, _NAMES.get(operation, operation)))
        result_hint = hints.pop("return")
        if [hint.__name__ for hint in hints.values()] != kinds or result_hint is not result:
            yield f"{operation}: {kinds} -> {result.__name__}"
