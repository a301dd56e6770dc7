"""`all … at once`: every seat goes its own way to its decisions; effects wait until all have answered."""

from __future__ import annotations

from dataclasses import replace

from lark import Token, Tree

from rulewright.compiler.effects import Parts
from rulewright.compiler.emitter import ONE, ZERO, constant
from rulewright.compiler.meaning import (
    Scope,
)
from rulewright.compiler.slots import AtOnce
from rulewright.compiler.steps import Steps
from rulewright.program import ME, PARKED, WAITING, Sealed


class AtOnceStatements(Steps):
    """Compiles simultaneous decisions."""

    def do_at_once(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        """Everybody answers in any order; then what follows happens seat by seat."""
        group = self.group(tree.children[0], scope, "seat")
        if not parts.asks:
            with self.emit.each(self.vector(group)) as seat:
                self.body(parts.body, scope.structured().acting(seat))
            return
        if scope.sealed >= 0:
            raise self.wrong(tree, "nested-at-once", "An 'at once' cannot stand inside another.")
        seats = self.plan.seats
        once = AtOnce(
            number=len(self.sealed),
            schedule=self.new_entry(),
            phase=self.plan.cells(1),
            turn=self.plan.cells(1),
            seats=self.plan.sets(1, max(seats, group.capacity)),
            next_block=self.plan.cells(seats),
            ask_block=self.plan.cells(seats),
            parked_block=self.plan.cells(seats),
        )
        self._at_once[once.number] = once
        self.sealed.append(Sealed(once.schedule, once.seats, once.next_block, once.ask_block, once.parked_block))
        before = self.plan.cells(1)
        entry, end, after = self.new_block(), self.new_block(), self.new_block()
        members = self.vector(group)
        self.emit.op("keep", members, once.seats, ZERO)
        self.emit.store(before, ZERO, self.emit.load(ME))
        self.emit.store(once.phase, ZERO, ZERO)
        self.emit.store(once.turn, ZERO, ZERO)
        with self.emit.each(members) as seat:
            self.emit.op("store_block", once.next_block, seat, entry)
            self.emit.store(once.ask_block, seat, ZERO)
        self.schedule(once, before, after, scope)
        self.begin(entry, scope.step)
        inner = replace(scope.branch(), sealed=once.number, me=None, someone=True)
        self.body(parts.body, inner)
        self.begin(end, scope.step)
        with self.emit.when(self.emit.value("equal", self.emit.load(once.phase), ZERO)):
            self.park(inner, end)
        self.emit.op("goto", once.schedule)
        self.begin(after, scope.step)

    def schedule(self, once: AtOnce, before: int, after: int, scope: Scope) -> None:
        """Let every seat go on to its next decision; when nobody has one, to its effects, in order."""
        self.begin(once.schedule, scope.step)
        seats, size = self.emit.vector(), self.emit.register()
        self.emit.op("read", seats, once.seats, ZERO)
        self.emit.op("length", size >> 1, seats)
        phase = self.emit.load(once.phase)
        with self.emit.loop():
            turn, seat = self.emit.load(once.turn), self.emit.register()
            with self.emit.when(self.emit.value("at_most", size, turn)):
                self.emit.op("break")
            self.emit.store(once.turn, ZERO, self.emit.value("add", turn, ONE))
            self.emit.op("item", seat >> 1, seats, turn)
            block = self.emit.load(once.next_block, seat)
            with self.emit.when(self.emit.value("equal", phase, ZERO)):
                with self.emit.when(self.emit.value("less", ZERO, block)):
                    self.go_on(once, seat, block)
                self.emit.otherwise()
                with self.emit.when(self.emit.value("equal", block, constant(PARKED))):
                    self.go_on(once, seat, self.emit.load(once.parked_block, seat))
        self.emit.store(once.turn, ZERO, ZERO)
        with self.emit.when(self.emit.value("equal", phase, ZERO)):
            with self.emit.each(seats) as other:
                waits = self.emit.value("equal", self.emit.load(once.next_block, other), constant(WAITING))
                with self.emit.when(waits):
                    self.emit.op("wait")
            self.emit.store(once.phase, ZERO, ONE)
            self.emit.op("goto", once.schedule)
        self.emit.op("keep", self.empty_vector(), once.seats, ZERO)
        self.emit.store(ME, ZERO, self.emit.load(before))
        self.emit.op("goto", after)

    def empty_vector(self) -> int:
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        return vector

    def go_on(self, once: AtOnce, seat: int, block: int) -> None:
        self.emit.store(once.next_block, seat, ZERO)
        self.emit.store(ME, ZERO, seat)
        self.emit.op("goto_value", block)

    def park(self, scope: Scope, block: int) -> None:
        """The acting seat waits with its effects, which begin at a block."""
        once, seat = self._at_once[scope.sealed], self.emit.load(ME)
        self.emit.store(once.next_block, seat, constant(PARKED))
        self.emit.op("store_block", once.parked_block, seat, block)
        self.emit.op("goto", once.schedule)

    def effect(self, scope: Scope) -> None:
        """Before something happens: inside an `at once`, wait until everybody has answered."""
        if scope.sealed < 0 or not scope.flat or self.effects_so_far(scope, True):
            return
        here = self.new_block()
        phase = self.emit.load(self._at_once[scope.sealed].phase)
        with self.emit.when(self.emit.value("equal", phase, ZERO)):
            self.park(scope, here)
        self.begin(here, scope.step)

    def effects_so_far(self, scope: Scope, set_to: bool | None = None) -> bool:
        if scope.sealed < 0:
            return False
        once = self._at_once[scope.sealed]
        before = once.effects
        if set_to is not None:
            once.effects = set_to
        return before
