"""`all … at once`: every seat goes its own way to its decisions; effects wait until all have answered."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.effects import Parts
from rulewright.compiler.emitter import ONE, ZERO, constant
from rulewright.compiler.meaning import AtOnceProgress, Scope
from rulewright.compiler.slots import AtOnce
from rulewright.compiler.steps import Steps
from rulewright.program.form import BEGINNING, ME, PARKED, WAITING, Sealed
from rulewright.syntax.trees import Token, Tree


class AtOnceStatements(Steps):
    """Compiles simultaneous decisions."""

    def do_at_once(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        """Everybody answers in any order; then what follows happens seat by seat."""
        with self.heading(parts.node, scope, parts.asks):
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
            schedule=self.new_block(),
            effects=self.new_block(),
            phase=self.plan.cells(1),
            turn=self.plan.cells(1),
            seats=self.plan.sets(1, max(seats, group.capacity)),
            next_block=self.plan.cells(seats),
            ask_block=self.plan.cells(seats),
            parked_block=self.plan.cells(seats),
        )
        self._at_once[once.number] = once
        self.sealed.append(
            Sealed(once.schedule, once.seats, once.next_block, once.ask_block, once.parked_block, once.phase)
        )
        before = self.plan.cells(1)
        entry, end, after = self.new_block(), self.new_block(), self.new_block()
        members = self.vector(group)
        self.emit.op("keep", members, once.seats, ZERO)
        self.emit.store(before, ZERO, self.emit.load(ME))
        self.emit.store(once.phase, ZERO, ZERO)
        self.emit.store(once.turn, ZERO, ZERO)
        with self.emit.each(members) as seat:
            self.emit.store(once.next_block, seat, constant(BEGINNING))
        self.emit.op("goto", once.schedule)
        self.begin(entry, scope.step)
        inner = replace(scope.branch().acting(None), sealed=once.number)
        self.body(parts.body, inner)
        self.begin(end, scope.step)
        if not once.progress.waited:
            with self.emit.when(self.emit.value("equal", self.emit.load(once.phase), ZERO)):
                self.park(inner, end)
        self.emit.op("goto", once.effects)
        self.ask_all(once, entry, scope)
        self.let_all_act(once, after, scope)
        self.emit.op("keep", self.empty_vector(), once.seats, ZERO)
        self.emit.store(ME, ZERO, self.emit.load(before))

    def ask_all(self, once: AtOnce, entry: int, scope: Scope) -> None:
        """Every seat goes on to its next decision; when nobody has one, to the effects."""
        all_asked = self.new_block()
        self.begin(once.schedule, scope.step)
        seat, block = self.next_turn(once, all_asked)
        for condition, way in (
            (self.emit.value("equal", block, constant(BEGINNING)), ("goto", entry)),
            (self.emit.value("less", ZERO, block), ("goto_value", block)),
        ):
            with self.emit.when(condition):
                self.emit.store(once.next_block, seat, ZERO)
                self.emit.store(ME, ZERO, seat)
                self.emit.op(*way)
        self.emit.op("goto", once.schedule)
        self.begin(all_asked, scope.step)
        self.emit.store(once.turn, ZERO, ZERO)
        seats = self.emit.vector()
        self.emit.op("read", seats, once.seats, ZERO)
        with self.emit.each(seats) as other:
            waits = self.emit.value("equal", self.emit.load(once.next_block, other), constant(WAITING))
            with self.emit.when(waits):
                self.emit.op("wait", once.schedule)
        self.emit.store(once.phase, ZERO, ONE)
        self.emit.op("goto", once.effects)

    def let_all_act(self, once: AtOnce, after: int, scope: Scope) -> None:
        """Every seat goes on with its effects, in order."""
        self.begin(once.effects, scope.step)
        seat, block = self.next_turn(once, after)
        with self.emit.when(self.emit.value("equal", block, constant(PARKED))):
            self.emit.store(ME, ZERO, seat)
            if len(once.parked) == 1:
                self.emit.op("goto", *once.parked)
            else:
                self.emit.op("goto_value", self.emit.load(once.parked_block, seat))
        self.emit.op("goto", once.effects)
        self.begin(after, scope.step)

    def next_turn(self, once: AtOnce, after: int) -> tuple[int, int]:
        """The next seat and what it does next; after the last seat, on to another block."""
        turn, seats = self.emit.load(once.turn), self.emit.vector()
        size, seat = self.emit.register(), self.emit.register()
        self.emit.op("read", seats, once.seats, ZERO)
        self.emit.op("length", size >> 1, seats)
        with self.emit.when(self.emit.value("at_most", size, turn)):
            self.emit.op("goto", after)
        self.emit.store(once.turn, ZERO, self.emit.value("add", turn, ONE))
        self.emit.op("item", seat >> 1, seats, turn)
        return seat, self.emit.load(once.next_block, seat)

    def empty_vector(self) -> int:
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        return vector

    def park(self, scope: Scope, block: int) -> None:
        """The acting seat waits with its effects, which begin at a block."""
        once, seat = self._at_once[scope.sealed], self.emit.load(ME)
        once.parked.add(block)
        self.emit.store(once.next_block, seat, constant(PARKED))
        self.emit.op("store_block", once.parked_block, seat, block)
        self.emit.op("goto", once.schedule)

    def park_at(self, scope: Scope, block: int) -> None:
        """A seat may also come to wait by an answer, with effects that begin at a block."""
        self._at_once[scope.sealed].parked.add(block)

    def effect(self, scope: Scope) -> None:
        """Before something happens: inside an `at once`, wait until everybody has answered."""
        if scope.sealed < 0 or not scope.flat:
            return
        waited = self.progress(scope).waited
        self.set_progress(scope, AtOnceProgress(effects=True, waited=True))
        if waited:
            return
        here = self.new_block()
        phase = self.emit.load(self._at_once[scope.sealed].phase)
        with self.emit.when(self.emit.value("equal", phase, ZERO)):
            self.park(scope, here)
        self.begin(here, scope.step)

    def progress(self, scope: Scope) -> AtOnceProgress:
        return self._at_once[scope.sealed].progress if scope.sealed >= 0 else AtOnceProgress()

    def set_progress(self, scope: Scope, progress: AtOnceProgress) -> None:
        if scope.sealed >= 0:
            self._at_once[scope.sealed].progress = progress
