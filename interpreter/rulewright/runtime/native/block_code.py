"""Code of the blocks of a game: jumps, fuel, and questions.

A question stops the function, or is answered at random while a game is played on. In blocks for whole games random
answers are instructions.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import record
from rulewright.program.appearance import may_be_indistinguishable, may_look_equal
from rulewright.program.blocks import Node
from rulewright.program.form import Program
from rulewright.program.instructions import ONE, ZERO, Instruction
from rulewright.program.state_layout import ANSWERS, FUEL, PARKED, WAITING
from rulewright.runtime.native.assembler import Label
from rulewright.runtime.native.codegen import Analysis, CodeGenerator
from rulewright.runtime.native.memory import ASKING, MOST, OUT_OF_FUEL, PLAYING, TURN
from rulewright.runtime.native.operands import LocalFrame, Number
from rulewright.runtime.native.statistics_code import StatisticsCode
from rulewright.runtime.native.webassembly import I32, Address, Code, Items, Local, choose
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS


@record
class Jumps:
    """Jumps between the blocks of one function. places: position of each block; labels: in front of each block, for
    jumps forward; again: beginning of the branch table, for jumps backward to block `number`; fuel_used: fuel spent by
    blocks since the last decision."""

    places: Mapping[int, int]
    labels: Mapping[int, Label]
    again: Label
    number: Local[I32]
    fuel_used: Local[I32]


@record
class _Limits:
    """Least and greatest number of candidates to choose, as operands."""

    least: int
    most: int

    @property
    def are_one(self) -> bool:
        """Whether exactly one candidate is chosen, for certain."""
        return (self.least, self.most) == (ONE, ONE)

    @property
    def are_up_to_one(self) -> bool:
        """Whether one candidate or none is chosen, for certain."""
        return (self.least, self.most) == (ZERO, ONE)


def _limits_of(pick: Instruction) -> _Limits:
    """Return how many candidates an instruction picks."""
    match pick:
        case ("pick_one", *_):
            return _Limits(ONE, ONE)
        case ("pick_up_to_one", *_):
            return _Limits(ZERO, ONE)
    return _Limits(int(pick[3]), int(pick[4]))


class BlockGenerator(CodeGenerator):
    """Generator of one block's code. visible: notes and random answers whose candidates the seat provably sees."""

    spends_at_once = True

    def __init__(
        self,
        program: Program,
        frame: LocalFrame,
        analysis: Analysis,
        block: int,
        jumps: Jumps,
        visible: frozenset[Instruction],
        statistics: StatisticsCode | None,
    ) -> None:
        super().__init__(program, frame, analysis)
        self._block, self._jumps, self._visible, self._statistics = block, jumps, visible, statistics
        self._pick_to_keep: Instruction | None = None  # its result is kept by the next instruction

    def _cell(self, number: int) -> Address:
        """Return the address of a cell of the state, by its number."""
        return self._frame.state_address(self._memory.cell(number))

    def _emit_instruction(self, instruction: Instruction, following: Node | None) -> None:
        """Emit an instruction; an answer that is kept next is written there at once."""
        match instruction:
            case ("pick" | "pick_one" | "pick_up_to_one" | "pick_alike", int(vector), *_) if (
                isinstance(following, tuple)
                and following[:2] == ("keep", vector)
                and self._vectors.is_used_once(vector)
            ):
                self._pick_to_keep = instruction
            case ("keep", _, int(cell), int(index)) if self._pick_to_keep is not None:
                self._emit_pick_into(self._pick_to_keep, cell, index)
                self._pick_to_keep = None
            case _:
                super()._emit_instruction(instruction, following)

    def _emit_special(self, instruction: Instruction) -> bool:
        """Emit what only blocks have: jumps, questions, answers and notes; return whether that was one."""
        match instruction:
            case ("goto", int(block)):
                self._emit_jump(block)
            case ("goto_value", int(value)):
                self._f.add(self._jumps.number.set(self._operands.number(value).i32))
                self._f.branch(self._jumps.again)
            case ("ask", *_):
                self._emit_question(instruction)
            case ("pick" | "pick_one" | "pick_up_to_one" | "pick_alike", int(vector), *_):
                self._emit_answer_begin()
                size = self._emit_pick(instruction, self._operands.items_address(vector))
                self._set_vector(vector, self._items_in_room(vector, size))
            case ("noted", *_):
                self._emit_note(instruction)
            case ("tell", *_):  # with which a round begins
                self._f.add(Code(self._f.call("sample_round")))
            case _:
                return super()._emit_special(instruction)
        return True

    def _emit_spend(self, block: int, fuel: I32) -> None:
        """Emit the spending of fuel, and the failure of the game where there is too little. block: for the message."""
        fuel_used = self._jumps.fuel_used
        self._f.add(fuel_used.set(fuel_used.get() + fuel))
        with self._f.if_true(fuel_used.get().greater(self._cell(FUEL).load())):
            self._f.return_value(self._library.fail(OUT_OF_FUEL, block))

    def _emit_jump(self, block: int) -> None:
        """Emit a jump to a block: a branch if it stands further down, else through the branch table."""
        if self._jumps.places[block] > self._jumps.places[self._block]:
            self._f.branch(self._jumps.labels[block])
        else:
            self._f.add(self._jumps.number.set(I32.const(block)))
            self._f.branch(self._jumps.again)

    # ── questions ──

    def _emit_question(self, ask: Instruction) -> None:
        """Emit a question: answered at random, as `Machine.answer` puts an answer into the state, or left to the
        host."""
        site = self._program.sites[int(ask[1])]
        seat, candidates = self._operands.number(int(ask[2])), self._operands.vector(int(ask[3]))
        limits = _Limits(int(ask[4]), int(ask[5]))
        least, most = self._operands.number(limits.least).i64, self._operands.number(limits.most).i64
        with self._f.if_true(Address(PLAYING).load()):
            self._emit_random_answer(ask, seat, candidates, limits)
        self._f.add(self._library.ask(int(ask[1]), seat.i32, candidates, least, most))
        if site.sealed < 0:
            self._f.add(self._frame.program_counter.store(self._block))
            self._f.return_value(ASKING)
        else:
            sealed = self._program.sealed[site.sealed]
            self._emit_next_block(sealed.ask_block, int(ask[2]), self._block)
            self._emit_next_block(sealed.next_block, int(ask[2]), WAITING)
            self._emit_jump(sealed.block)

    def _emit_random_answer(self, ask: Instruction, seat: Number, candidates: Items, limits: _Limits) -> None:
        """Emit a random answer to a question, and the jump to what follows it. At the limit of
        answers in MOST the function ends instead, as if a seat were asked; so it does where another turn than that of
        TURN begins."""
        site = self._program.sites[int(ask[1])]
        seats = int(ask[2]) if site.per_seat else ZERO
        self._emit_stop_at(Address(MOST).load())
        if int(ask[1]) in self._program.turn_sites:
            with self._f.if_true(Address(TURN).load()), self._f.if_true(Address(TURN).load().differs(seat.i32 + 1)):
                self._f.return_value(ASKING)
        self._emit_answer_count()
        answer = self._operands.cell(site.slot, seats).set
        to = answer.offset_by(4).value()
        picked = self._emit_random_pick(limits, to, candidates)
        if may_be_indistinguishable(self._program, site):
            equal_picks = self._emit_pick_alike(limits, to, candidates, seat)
            by_place = self._operands.cell(site.by_place, seats).address.load() if site.by_place >= 0 else None
            picked = equal_picks if by_place is None else choose(by_place, picked, equal_picks)
        self._f.add(answer.store(picked))
        if self._memory.needs.tree:
            self._f.add(self._library.log_answer(int(ask[1]), seat.i32, answer.value(), candidates))
        if site.parks:
            sealed = self._program.sealed[site.sealed]
            self._emit_next_block(sealed.parked_block, int(ask[2]), site.resume)
            self._emit_next_block(sealed.next_block, int(ask[2]), PARKED)
            self._emit_jump(sealed.block)
        else:
            self._emit_jump(site.resume)

    def _emit_next_block(self, cell: int, index: int, block: int) -> None:
        """Emit the storing of the block with which a seat goes on. cell, index: their sum is the cell; index: as an
        operand."""
        self._f.add(self._operands.cell(cell, index).store(block))

    # ── random answers ──

    def _emit_stop_at(self, most: I32 | int) -> None:
        """Emit the end of the function, as if a seat were asked, once a game has had so many answers."""
        with self._f.if_true(self._cell(ANSWERS).load().at_least(most)):
            self._f.return_value(ASKING)

    def _emit_answer_count(self) -> None:
        """Emit the count of an answer, and refill the fuel."""
        answers = self._cell(ANSWERS)
        self._f.add(
            answers.store(answers.load() + 1),
            self._cell(FUEL).store(FUEL_BETWEEN_DECISIONS),
            self._jumps.fuel_used.set(I32.const(0)),
        )

    def _emit_answer_begin(self) -> None:
        """Emit what comes before a random answer: the stop at the game's limit, and the count of the answer."""
        self._emit_stop_at(self._program.limit.answers)
        self._emit_answer_count()

    def _emit_pick_into(self, pick: Instruction, cell: int, index: int) -> None:
        """Emit a random answer written straight into the set that keeps it; a copy afterwards would stall the
        processor."""
        self._emit_answer_begin()
        answer = self._operands.cell(cell, index).set
        self._f.add(answer.store(self._emit_pick(pick, answer.offset_by(4).value())))

    def _emit_pick(self, pick: Instruction, to: I32) -> I32:
        """Emit a random answer written to an address; return its size."""
        limits, name = _limits_of(pick), int(pick[2])
        candidates = self._operands.vector(name)
        if self._is_span(name) and pick[0] in ("pick_one", "pick_up_to_one"):
            one = pick[0] == "pick_one"
            number = self._library.pick_number if one else self._library.pick_up_to_one_number
            return number(to, candidates.address, candidates.size)
        picked = self._emit_random_pick(limits, to, candidates)
        if pick[0] == "pick_alike" and not self._are_all_distinct(pick):
            equal_picks = self._emit_pick_alike(limits, to, candidates, self._operands.number(int(pick[5])))
            by_place = int(pick[6])
            return equal_picks if by_place == ZERO else choose(self._operands.number(by_place).i32, picked, equal_picks)
        return picked

    def _are_all_distinct(self, pick: Instruction) -> bool:
        """Return whether the seat sees all candidates and can tell them all apart."""
        return pick in self._visible and not may_look_equal(self._program, self._program.sites[int(pick[7])])

    def _emit_random_pick(self, limits: _Limits, to: I32, candidates: Items) -> I32:
        """Emit a random choice among candidates; return its size."""
        if limits.are_one:
            return self._library.pick_one(to, candidates)
        if limits.are_up_to_one:
            return self._library.pick_up_to_one(to, candidates)
        least, most = self._operands.number(limits.least).i64, self._operands.number(limits.most).i64
        some = self._library.pick(to, candidates, least, most)
        if limits.least == ONE:  # mostly exactly one, too
            return choose(most.equals(1), self._library.pick_one(to, candidates), some)
        return some

    def _emit_pick_alike(self, limits: _Limits, to: I32, candidates: Items, seat: Number) -> I32:
        """Emit a choice among candidates of which some may look alike to the seat; return its size."""
        if limits.are_one or limits.are_up_to_one:
            return self._library.pick_one_alike(to, candidates, int(limits.are_up_to_one), seat.i32)
        least, most = self._operands.number(limits.least).i64, self._operands.number(limits.most).i64
        return self._library.pick_alike(to, candidates, least, most, seat.i32)

    def _emit_note(self, note: Instruction) -> None:
        """Emit the noting of an answer for statistics."""
        assert self._statistics is not None
        _, site, seat, candidates, least, answer = note
        offered, picked = self._operands.vector(int(candidates)), self._operands.vector(int(answer))
        name = self._statistics.note_function(int(site), note in self._visible)
        arguments = (
            self._operands.number(int(seat)).i32,
            offered.address,
            offered.size,
            self._operands.number(int(least)).i64,
            picked.address,
            picked.size,
        )
        self._f.add(Code(self._f.call(name, *arguments)))
