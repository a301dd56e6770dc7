"""Cells and blocks: what must outlive a decision, and where the program goes on."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.compiler.emitter import ONE, ZERO
from rulewright.compiler.expressions import Expressions
from rulewright.compiler.meaning import TRUTH, AtOnceProgress, Group, Meaning, Scope, Value
from rulewright.compiler.outline import Outline
from rulewright.model.declarations import Step
from rulewright.program.form import ME, Note, Sealed, Site, Text, Type


@record
class KeptSlot:
    """A cell that outlives a decision: a set of at most `capacity`, or one value.

    Inside an `at once` every seat has its own."""

    type: Type
    cell: int
    capacity: int
    per_seat: bool


@dataclass
class Subroutine:
    """A step that may ask somebody, laid out once and called from several places."""

    step: Step
    entry: int
    back: KeptSlot
    parameters: list[KeptSlot]


@dataclass
class AtOnce:
    """An `all … at once` being compiled: the blocks and cells of its schedule."""

    number: int
    schedule: int
    effects: int
    phase: int
    turn: int
    seats: int
    next_block: int
    ask_block: int
    parked_block: int
    progress: AtOnceProgress = field(default_factory=AtOnceProgress)
    parked: set[int] = field(default_factory=set)  # blocks where seats go on with their effects


class Slots(Expressions):
    """Gives out blocks and cells; keeps names."""

    def prepare(self, outline: Outline) -> None:
        self.outline = outline
        self.sites: list[Site] = []
        self.sealed: list[Sealed] = []
        self.texts: list[Text] = []
        self.block_steps: dict[int, str] = {}
        self._at_once: dict[int, AtOnce] = {}
        self._blocks = 0
        self._subroutines: dict[str, Subroutine] = {}
        self._pending: list[Subroutine] = []
        self.whole_steps: set[str] = set()  # that are compiled for whoever may do them, with whatever they are told
        self._site_ids: dict[str, list[SourcePlace]] = {}

    def new_block(self) -> int:
        self._blocks += 1
        return self._blocks

    def begin(self, block: int, step: str) -> None:
        self.block_steps[block] = step
        self.emit.block(block)

    def act_as(self, seat: int) -> None:
        self.emit.store(ME, ZERO, seat)
        self.emit.forget(("me",))

    def slot(self, type_: Type, capacity: int, scope: Scope) -> KeptSlot:
        per_seat = scope.sealed >= 0
        count = self.plan.seats if per_seat else 1
        cell = self.plan.sets(count, capacity) if type_.many else self.plan.cells(count)
        self.plan.notes.append(Note(cell, type_, scope.sealed))
        return KeptSlot(type_, cell, capacity, per_seat)

    def slot_index(self, slot: KeptSlot) -> int:
        if not slot.per_seat:
            return ZERO
        return self.emit.kept(("me",), lambda: self.emit.load(ME))

    def put(self, slot: KeptSlot, meaning: Meaning) -> None:
        if isinstance(meaning, Value):
            operand = meaning.operand
            if meaning.type == TRUTH:
                operand = self.emit.variable(ZERO)
                with self.emit.when(meaning.operand):
                    self.emit.assign(operand, ONE)
            self.emit.store(slot.cell, self.slot_index(slot), operand)
        else:
            self.emit.op("keep", self.vector(meaning), slot.cell, self.slot_index(slot))

    def got(self, slot: KeptSlot, maybe: bool = False) -> Meaning:
        if not slot.type.many:
            return Value(slot.type, self.emit.load(slot.cell, self.slot_index(slot)), maybe=maybe)

        def make() -> int:
            vector = self.emit.vector()
            self.emit.op("read", vector, slot.cell, self.slot_index(slot))
            return vector

        return self.listed(slot.type, slot.capacity, make)

    def remember(self, name: str, meaning: Meaning, scope: Scope) -> None:
        """Give a name to what something stands for now."""
        if scope.flat:
            slot = self.slot(meaning.type, meaning.capacity if isinstance(meaning, Group) else 0, scope)
            self.put(slot, meaning)
            maybe = isinstance(meaning, Value) and meaning.maybe
            scope.bind(name, lambda: self.got(slot, maybe))
        elif isinstance(meaning, Value):
            operand = self.emit.variable(meaning.operand)
            value = Value(meaning.type, operand, meaning.low, meaning.high, meaning.maybe)
            scope.bind(name, lambda: value)
        else:
            vector = self.vector(meaning)
            kept = self.listed(meaning.type, meaning.capacity, lambda: vector)
            scope.bind(name, lambda: kept)
