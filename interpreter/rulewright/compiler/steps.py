"""Steps: doing one, with the hooks of options, roles and powers woven in.

Steps never do themselves, so every step's cells are its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace

from rulewright.base.diagnostics import few
from rulewright.compiler.control import Control
from rulewright.compiler.core import Wrong
from rulewright.compiler.effects import Parts
from rulewright.compiler.emitter import ZERO
from rulewright.compiler.meaning import NUMBER, Binding, Meaning, Scope
from rulewright.compiler.slots import KeptSlot, Subroutine
from rulewright.model.declarations import ChangeSet, Hook, Step
from rulewright.program.form import Type
from rulewright.syntax.source import Node, Scalar
from rulewright.syntax.trees import Token, Tree


class Steps(Control):
    """Compiles steps: in place where they ask nobody, else as subroutines."""

    def do_do(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        name, argument = tree.children
        assert isinstance(name, Token)
        step = self.outline.step(str(name))
        if step is None and self.lost(name):
            raise Wrong
        if step is None:
            raise self.wrong(
                name,
                "unknown-name",
                f"There is no step called '{name}'.",
                self.edition.missing(str(name), self.edition.steps) or few(self.edition.steps),
            )
        if (argument is None) == bool(step.parameters):
            wanted = (
                f"needs to be told for which {step.parameters[0][0]}: 'do {name} for …'"
                if step.parameters
                else "is not told 'for' anything"
            )
            raise self.wrong(tree, "argument", f"The step '{name}' {wanted}.")
        arguments: list[Meaning] = []
        if argument is not None:
            wanted_type = self.declared_type(step.parameters[0][1])
            if wanted_type.many:
                group = self.group(argument, scope)
                self.demand(group.type, wanted_type, argument)
                arguments.append(group)
            else:
                arguments.append(self.value(argument, scope, wanted_type))
        self.call(step, arguments, scope)

    def call(self, step: Step, arguments: list[Meaning], scope: Scope) -> None:
        """In place, unless the step may ask and is done from several places."""
        self.count_part()
        asks = self.outline.step_asks(step)
        if asks and scope.sealed < 0 and self.outline.calls[step.name] > 1:
            self.call_subroutine(step, arguments, scope)
            return
        inner = Scope(step.name, scope.me, scope.someone, sealed=scope.sealed, flat=asks)
        for (name, _), argument in zip(step.parameters, arguments, strict=True):
            self.remember(name, argument, inner)
        self.step_body(step, inner)
        if not arguments and scope.someone and scope.sealed < 0:
            self.whole_steps.add(step.name)

    def call_subroutine(self, step: Step, arguments: list[Meaning], scope: Scope) -> None:
        routine = self.subroutine(step)
        for slot, argument in zip(routine.parameters, arguments, strict=True):
            self.put(slot, argument)
        back = self.new_block()
        self.emit.op("store_block", routine.back.cell, ZERO, back)
        self.emit.op("goto", routine.entry)
        self.begin(back, scope.step)

    def subroutine(self, step: Step) -> Subroutine:
        if step.name not in self._subroutines:
            scope = Scope(step.name, flat=True)
            types = [self.declared_type(type_name) for _, type_name in step.parameters]
            parameters = [self.slot(type_, self.capacity_of(type_) if type_.many else 0, scope) for type_ in types]
            routine = Subroutine(step, self.new_block(), self.slot(NUMBER, 0, scope), parameters)
            self._subroutines[step.name] = routine
            self._pending.append(routine)
        return self._subroutines[step.name]

    def capacity_of(self, type_: Type) -> int:
        if type_.base == "seat":
            return self.plan.seats
        if type_.base == "word":
            return len(self.edition.words[str(type_.detail)].words)
        return self.plan.stock.count(self.kinds_in(type_))

    def finish_subroutines(self) -> None:
        """Lay out the steps that have been called."""
        while self._pending:
            routine = self._pending.pop(0)
            self.begin(routine.entry, routine.step.name)
            scope = Scope(routine.step.name, flat=True)
            for (name, _), slot in zip(routine.step.parameters, routine.parameters, strict=True):
                scope.bind(name, self.reader(slot))
            self.step_body(routine.step, scope)
            self.whole_steps.add(routine.step.name)
            self.emit.op("goto_value", self.emit.load(routine.back.cell))

    def reader(self, slot: KeptSlot) -> Binding:
        return lambda: self.got(slot, maybe=slot.type.base != "number")

    def step_body(self, step: Step, scope: Scope) -> None:
        """A step with its hooks woven in: before, instead of or itself, after."""
        for changes, hook in self.outline.hooks(step, "before"):
            self.hooked(changes, hook, scope, None)
        self.instead(self.outline.hooks(step, "instead of"), step, scope)
        for changes, hook in self.outline.hooks(step, "after"):
            self.hooked(changes, hook, scope, None)

    def instead(self, hooks: list[tuple[ChangeSet, Hook]], step: Step, scope: Scope) -> None:
        """The highest-ranking active hook, or the step itself."""
        if not hooks:
            self.body(step.body, scope)
            return
        *lower, (changes, hook) = hooks
        self.hooked(changes, hook, scope, lambda: self.instead(lower, step, scope))

    def hooked(self, changes: ChangeSet, hook: Hook, scope: Scope, other: Callable[[], None] | None) -> None:
        asks = (
            self.outline.may_ask(hook.body)
            or hook.optional
            or (scope.flat and (other is not None or scope.sealed >= 0))
        )
        with self.reading(hook.condition_text):
            if not scope.someone and changes.level != "option":
                message = f"Nobody acts in '{hook.step}', so no {changes.level} can be active there."
                raise self.wrong(None, "nobody-acts", message)
            owner = self.me(scope) if scope.someone else None
            condition = self.active(changes, owner)
            if hook.condition is not None and condition != ZERO:
                condition = self.emit.variable(condition)
                with self.emit.when(condition):
                    self.emit.assign(condition, self.truth(hook.condition, scope))
        inner = replace(scope.branch() if asks else scope.structured(), step=changes.name)
        then = self.doer(hook.body, inner)
        if not hook.optional:
            self.branch(condition, then, other, scope, asks)
            return
        name = f"{changes.name}.{hook.step}"
        asked = self.asker(name, hook, then, inner, other)
        self.branch(condition, asked, other, scope, True)

    def doer(self, body: Node, scope: Scope) -> Callable[[], None]:
        return lambda: self.body(body, scope)

    def asker(
        self, name: str, hook: Hook, then: Callable[[], None], scope: Scope, other: Callable[[], None] | None
    ) -> Callable[[], None]:
        return lambda: self.optional(name, hook.ask, hook.condition_text, then, scope, other)

    @abstractmethod
    def optional(
        self,
        name: str,
        ask: Scalar | None,
        at: Scalar,
        then: Callable[[], None],
        scope: Scope,
        other: Callable[[], None] | None = None,
    ) -> None:
        """Ask whether; then, or otherwise."""
