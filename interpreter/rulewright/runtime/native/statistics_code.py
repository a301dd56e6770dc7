"""Code of a module with statistics: one function for each question counts its answers.

library/statistics.c samples the beginning of every round, and adds a game's counts to its results and its choices to
the sums.
"""

from __future__ import annotations

from rulewright.program.instructions import Instruction
from rulewright.program.passes.block_merging import concatenate_functions
from rulewright.runtime.game_statistics import EVERYBODY, OF_GAME, OFFERED, PICKED, RANGES_END, CountedDecision
from rulewright.runtime.native.assembler import FunctionBuilder, Module
from rulewright.runtime.native.library_calls import Library
from rulewright.runtime.native.memory import LONG, WORD, Memory
from rulewright.runtime.native.operands import LocalFrame
from rulewright.runtime.native.statistics_memory import LANES, StatisticsMemory
from rulewright.runtime.native.webassembly import I32, I64, V128, Address, Items, Local, choose, select
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS

_FEW = 32
"""Choices that are counted four at a time, without a branch; of more, those that there are, one by one."""


class StatisticsCode:
    """Generator of the counting functions."""

    def __init__(self, memory: StatisticsMemory) -> None:
        self._memory, self.counting = memory, memory.counting

    @property
    def examination_code(self) -> list[Instruction]:
        """Code that examines a seat when a round begins: its first ranking value and its powers."""
        functions = self.counting.program.functions
        numbers = (self.counting.leading, *self.counting.powers)
        return concatenate_functions((functions[number].code for number in numbers), FUEL_BETWEEN_DECISIONS)

    def note_function(self, site: int, all_visible: bool) -> str:
        """Return the name of the function that counts an answer; its parameters are seat, candidates, least, and
        answer. all_visible: whether the seat is known to see all candidates."""
        question = self.counting.decision_of[site]
        number = self.counting.decisions.index(question)
        return _name("note", number, all_visible and self._hides(question))

    def _hides(self, question: CountedDecision) -> bool:
        """Return whether a candidate may be hidden from its chooser."""
        return question.base == "piece" and any(seer != EVERYBODY for seer in self.counting.viewers)

    def define(self, module: Module, memory: Memory) -> None:
        """Define the counting functions in a module."""
        for number, mask in enumerate(self._memory.masks):
            for all_visible in (False, True)[: 1 + self._hides(mask.question)]:
                with module.function(_name("bits", number, all_visible), [I32, I32, I32], I64) as f:
                    self._define_bits(f, LocalFrame(f, memory), number, all_visible)
        for number, question in enumerate(self.counting.decisions):
            for all_visible in (False, True)[: 1 + self._hides(question)]:
                with module.function(_name("note", number, all_visible), [I32, I32, I32, I64, I32, I32]) as f:
                    self._emit_note(f, question, all_visible)

    def _emit_note(self, f: FunctionBuilder, question: CountedDecision, all_visible: bool) -> None:
        """Emit the body of a counting function: what was offered, and what was picked."""
        counting, empty = self.counting, len(question.choices) - 1
        seat, least = f.parameter(I32, 0).get(), f.parameter(I64, 3).get()
        candidates = Items(f.parameter(I32, 1).get(), f.parameter(I32, 2).get())
        answer = Items(f.parameter(I32, 4).get(), f.parameter(I32, 5).get())
        bits = f.local(I64)
        for kind, none, items in (
            (OFFERED, least.at_most(0), candidates),
            (PICKED, answer.size.is_zero(), answer),
        ):
            for place, mask in enumerate(self._memory.masks):
                if mask.question is not question:
                    continue
                own = I64(f.call(_name("bits", place, all_visible), seat, items.address, items.size))
                if nothing := mask.bit(empty):
                    own |= none.extended() << (nothing.bit_length() - 1)
                f.add(bits.set(own))
                earlier_bits = self._side_address(seat, "masks", LONG * len(self._memory.masks), kind, LONG * place)
                counts = self._side_address(seat, "counts", WORD * counting.choices, kind, WORD * mask.first)
                _count_choices(f, mask.width, bits.get(), earlier_bits, counts)
                if kind == PICKED and (using := counting.power_use(question)) is not None:
                    number = self._memory.addresses["row"] + WORD * (OF_GAME + using[0])
                    uses = Address(seat * (WORD * counting.seat_width), number)
                    using_bits = sum(mask.bit(choice) for choice in using[1])
                    f.add(uses.store(uses.load() + (bits.get() & using_bits).bit_count().wrapped()))

    def _side_address(self, seat: I32, part: str, size: int, kind: int, offset: int) -> Address:
        """Return the address of a seat's part of statistics. kind: OFFERED or PICKED; size: bytes of one kind."""
        return Address(seat * (2 * size), self._memory.addresses[part] + size * kind + offset)

    def _define_bits(self, f: FunctionBuilder, frame: LocalFrame, number: int, all_visible: bool) -> None:
        """Define the function that returns the choices of items as bits; see `StatisticsLayout.choice`. all_visible:
        whether the seat sees all of them."""
        mask = self._memory.masks[number]
        question, seat, layout = mask.question, f.parameter(I32, 0).get(), self.counting.program.layout
        next_item, size = f.parameter(I32, 1), f.parameter(I32, 2)
        bits, item = f.local(I64), f.local(I32)
        with f.if_true(size.get()), f.loop() as more:
            f.add(item.set(Address(next_item.get()).load()))
            index = self._index(f, frame, question, item, seat)
            bit = Address(index << 3, self._memory.addresses[f"mask {number}"]).load_long()
            if self._hides(question) and not all_visible:
                zone = frame.state_address(frame.memory.cell(layout.piece_zones), item.get()).load()
                seer = frame.local_for(I32, "seer")
                f.add(seer.set(self._entry("seers", zone)))
                sees = seer.get().equals(EVERYBODY) | seer.get().equals(seat)
                bit = select(bit, I64.const(mask.bit(question.hidden)), sees)
            f.add(bits.set(bits.get() | bit), next_item.set(next_item.get() + WORD))
            f.branch_if(size.tee(size.get() - 1), more)
        f.return_value(bits.get())

    def _index(
        self, f: FunctionBuilder, frame: LocalFrame, question: CountedDecision, item: Local[I32], seat: I32
    ) -> I32:
        """Return the index by which a candidate's choice is looked up; a number is first limited to what is counted."""
        layout = self.counting.program.layout
        match question.base:
            case "piece" if layout.faces:
                face = self._entry("faces", item.get())
                shown_face = frame.state_address(frame.memory.state, face).load()
                return self._entry("types", item.get()) + choose(face.at_least(0), shown_face, I32.const(0))
            case "seat":
                return (item.get() - seat + layout.seats).modulo(layout.seats)
            case "number":
                most = I32.const(RANGES_END + 1)
                f.add(item.set(select(I32.const(-1), item.get(), item.get().less(-1))))
                f.add(item.set(select(most, item.get(), item.get().greater(most))))
                return item.get() + 1
        return item.get()

    def _entry(self, table: str, index: I32) -> I32:
        """Return an entry of a table of `StatisticsMemory`, by the table's name."""
        return Address(index << 2, self._memory.addresses[table]).load()


def _name(kind: str, number: int, all_visible: bool) -> str:
    """Return the name of a counting function. kind: 'note' for that of a question, 'bits' for that of a mask."""
    return f"{kind} {number}{' all_visible' if all_visible else ''}"


def _count_choices(f: FunctionBuilder, width: int, bits: I64, earlier_bits: Address, counts: Address) -> None:
    """Emit the count of each choice, and add its bit to what the game has had. width: number of choices."""
    if width > _FEW:
        f.add(Library(f).count_choices(bits, earlier_bits.value(), counts.value()))
        return
    f.add(earlier_bits.store_long(earlier_bits.load_long() | bits))
    lane_bits = V128.lanes(1, 2, 4, 8)
    for first in range(0, width, LANES):
        own = (bits >> first if first else bits).wrapped().splat() & lane_bits
        place = counts.offset_by(WORD * first)
        f.add(place.store_set(place.load_set().lanes_minus(own.lanes_equal(lane_bits))))
