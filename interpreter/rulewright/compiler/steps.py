"""Steps: doing one, with the hooks of options, roles and powers woven in.

Steps never do themselves, so every step's cells are its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lark import Token, Tree

from rulewright.base.diagnostics import few
from rulewright.compiler import control, figures, names, slots
from rulewright.compiler.context import Context
from rulewright.compiler.effects import Parts
from rulewright.compiler.emitter import ZERO
from rulewright.compiler.kept import KeptSlot, Subroutine
from rulewright.compiler.meaning import NUMBER, Binding, Meaning, Scope, Wrong
from rulewright.compiler.told import miscount
from rulewright.model.declarations import ChangeSet, Hook, Step
from rulewright.program.form import Type
from rulewright.syntax.source import Node


def do_do(ctx: Context, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
    name, argument = tree.children
    assert isinstance(name, Token)
    step = ctx.outline.step(str(name))
    if step is None and ctx.lost(name):
        raise Wrong
    if step is None:
        raise ctx.wrong(
            name,
            "unknown-name",
            f"There is no step called '{name}'.",
            ctx.edition.missing(str(name), ctx.edition.steps) or few(ctx.edition.steps),
        )
    if miscounted := miscount(step.parameters, argument, f"do {name} for"):
        raise ctx.wrong(tree, "argument", f"The step '{name}' {miscounted}.")
    call(ctx, step, figures.handed_over(ctx, step.parameters, argument, scope), scope)


def call(ctx: Context, step: Step, arguments: list[Meaning], scope: Scope) -> None:
    """In place, unless the step may ask and is done from several places."""
    ctx.count_part()
    asks = ctx.outline.step_asks(step)
    if asks and scope.sealed < 0 and ctx.outline.calls(step) > 1:
        call_subroutine(ctx, step, arguments, scope)
        return
    inner = Scope(step.called, scope.me, scope.someone, sealed=scope.sealed, flat=asks, among=scope.among)
    for (name, _), argument in zip(step.parameters, arguments, strict=True):
        slots.remember(ctx, name, argument, inner)
    with ctx.doing(step.name):
        step_body(ctx, step, inner)
    if not arguments and scope.someone and scope.sealed < 0:
        ctx.whole_steps.add(step.name)


def call_subroutine(ctx: Context, step: Step, arguments: list[Meaning], scope: Scope) -> None:
    routine = subroutine(ctx, step)
    for slot, argument in zip(routine.parameters, arguments, strict=True):
        slots.put(ctx, slot, argument)
    back = slots.new_block(ctx)
    ctx.emit.op("store_block", routine.back.cell, ZERO, back)
    ctx.emit.op("goto", routine.entry)
    slots.begin(ctx, back, scope.step)


def subroutine(ctx: Context, step: Step) -> Subroutine:
    key = " ".join([step.name, *(type_name.text for _, type_name in step.parameters)])
    if key not in ctx.subroutines:
        scope = Scope(step.called, flat=True)
        types = [figures.declared_type(ctx, type_name) for _, type_name in step.parameters]
        parameters = [
            slots.new_slot(ctx, type_, capacity_of(ctx, type_) if type_.many else 0, scope) for type_ in types
        ]
        routine = Subroutine(step, slots.new_block(ctx), slots.new_slot(ctx, NUMBER, 0, scope), parameters)
        ctx.subroutines[key] = routine
        ctx.pending.append(routine)
    return ctx.subroutines[key]


def capacity_of(ctx: Context, type_: Type) -> int:
    if type_.base == "seat":
        return ctx.plan.seats
    if type_.base == "word":
        return len(ctx.edition.words[str(type_.detail)].words)
    return ctx.plan.stock.count(ctx.kinds_in(type_))


def finish_subroutines(ctx: Context) -> None:
    """Lay out the steps that have been called."""
    while ctx.pending:
        routine = ctx.pending.pop(0)
        slots.begin(ctx, routine.entry, routine.step.called)
        scope = Scope(routine.step.called, flat=True)
        for (name, _), slot in zip(routine.step.parameters, routine.parameters, strict=True):
            scope.bind(name, reader(ctx, slot))
        with ctx.doing(routine.step.name):
            step_body(ctx, routine.step, scope)
        ctx.whole_steps.add(routine.step.name)
        ctx.emit.op("goto_value", ctx.emit.load(routine.back.cell))


def reader(ctx: Context, slot: KeptSlot) -> Binding:
    return lambda: slots.got(ctx, slot, maybe=slot.type.base != "number")


def step_body(ctx: Context, step: Step, scope: Scope) -> None:
    """A step with its hooks woven in: before, instead of or itself, after."""
    for changes, hook in ctx.outline.hooks(step, "before"):
        hooked(ctx, changes, hook, scope, None)
    instead(ctx, ctx.outline.hooks(step, "instead of"), step, scope)
    for changes, hook in ctx.outline.hooks(step, "after"):
        hooked(ctx, changes, hook, scope, None)


def instead(ctx: Context, hooks: list[tuple[ChangeSet, Hook]], step: Step, scope: Scope) -> None:
    """The highest-ranking active hook, or the step itself."""
    if not hooks:
        control.statements(ctx, step.body, scope)
        return
    *lower, (changes, hook) = hooks
    hooked(ctx, changes, hook, scope, lambda: instead(ctx, lower, step, scope))


def hooked(ctx: Context, changes: ChangeSet, hook: Hook, scope: Scope, other: Callable[[], None] | None) -> None:
    asks = ctx.outline.may_ask(hook.body) or hook.optional or (scope.flat and (other is not None or scope.sealed >= 0))
    with ctx.reading(hook.condition_text):
        if not scope.someone and changes.level != "option":
            message = f"Nobody acts in '{hook.step}', so no {changes.level} can be active there."
            raise ctx.wrong(None, "nobody-acts", message)
        owner = names.me(ctx, scope) if scope.someone else None
        condition = figures.active(ctx, changes, owner)
        if hook.condition is not None and condition != ZERO:
            condition = ctx.emit.variable(condition)
            with ctx.emit.when(condition):
                ctx.emit.assign(condition, ctx.truth(hook.condition, scope))
    inner = replace(scope.branch() if asks else scope.structured(), step=changes.name)
    then = doer(ctx, hook.body, inner)
    if not hook.optional:
        control.branch(ctx, condition, then, other, scope, asks)
        return
    name = f"{changes.name}.{hook.step}"
    asked = asker(ctx, name, hook, then, inner, other)
    control.branch(ctx, condition, asked, other, scope, True)


def doer(ctx: Context, body: Node, scope: Scope) -> Callable[[], None]:
    return lambda: control.statements(ctx, body, scope)


def asker(
    ctx: Context, name: str, hook: Hook, then: Callable[[], None], scope: Scope, other: Callable[[], None] | None
) -> Callable[[], None]:
    return lambda: ctx.optional(name, hook.ask, hook.condition_text, then, scope, other)
