"""Steps: doing one, with the hooks of options, roles and powers woven in.

Steps never do themselves, so every step's cells are its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import few
from rulewright.compiler import cell_access, control, effects, exits, figures, name_resolution
from rulewright.compiler.arguments import miscount
from rulewright.compiler.context import Context
from rulewright.compiler.emitter import ZERO
from rulewright.compiler.registry import Parts, compiles
from rulewright.compiler.saved_cells import GivenResult, KeptSlot, Subroutine
from rulewright.compiler.step_results import (
    forget_result,
    keep_result,
    new_result,
    new_slot_for,
    read_result,
    result_of,
)
from rulewright.compiler.typed_values import NUMBER, SEAT, Binding, Frame, Meaning, Scope, Value, Wrong
from rulewright.model.declarations import ChangeSet, Hook, Step
from rulewright.syntax import sentences
from rulewright.syntax.source import Node, Scalar
from rulewright.syntax.tree import Do, Each


@compiles(Do)
def do_do(ctx: Context, tree: Do, scope: Scope, parts: Parts) -> None:
    name, made = tree.step, tree.name
    step = ctx.outline.step(name.text)
    if step is None and ctx.lost(name):
        raise Wrong
    if step is None:
        raise ctx.wrong(
            name,
            "unknown-name",
            f"There is no step called '{name}'.",
            ctx.edition.missing(name.text, ctx.edition.steps) or few(ctx.edition.steps),
        )
    if miscounted := miscount(step.parameters, tree.arguments, f"do {name} for"):
        raise ctx.wrong(tree, "argument", f"The step '{name}' {miscounted}.")
    if made is not None:
        effects.fresh(ctx, made, scope)
        if step.gives is None:
            hint = "Say what it gives, as in 'gives: number'; inside it, 'give' says which."
            raise ctx.wrong(made, "nothing-given", f"The step '{name}' gives nothing that could have a name.", hint)
    given = call(ctx, step, figures.handed_over(ctx, step.parameters, tree.arguments, scope), scope)
    if made is not None and given is not None:
        cell_access.remember(ctx, made.text, read_result(ctx, given, tree), scope)


def call(ctx: Context, step: Step, arguments: list[Meaning], scope: Scope) -> GivenResult | None:
    """In place, unless the step may ask and is done from several places. Gives where what the step gives is kept."""
    ctx.work.write_out(step.name, step.place)
    asks = ctx.outline.step_asks(step)
    if asks and scope.sealed < 0 and ctx.outline.calls(step) > 1:
        return call_subroutine(ctx, step, arguments, scope)
    inner = replace(
        Scope(step.called, scope.me, scope.someone, sealed=scope.sealed, flat=asks),
        among=scope.among,
        frames=scope.frames,
    )
    for (name, _), argument in zip(step.parameters, arguments, strict=True):
        cell_access.remember(ctx, name, argument, inner)
    result = result_of(ctx, step, inner)
    with ctx.doing(step.name):
        step_body(ctx, step, inner, result)
    if not arguments and scope.someone and scope.sealed < 0:
        ctx.whole_steps.add(step.name)
    return result


def call_subroutine(ctx: Context, step: Step, arguments: list[Meaning], scope: Scope) -> GivenResult | None:
    routine = subroutine(ctx, step)
    routine.answered = tuple(sorted({*routine.answered, *ctx.answered}))
    for slot, argument in zip(routine.parameters, arguments, strict=True):
        cell_access.put(ctx, slot, argument)
    back = cell_access.new_block(ctx)
    ctx.emit.op("store_block", routine.back.cell, ZERO, back)
    ctx.emit.op("goto", routine.entry)
    cell_access.begin(ctx, back, scope.step)
    return routine.result


def subroutine(ctx: Context, step: Step) -> Subroutine:
    key = " ".join([step.name, *(type_name.text for _, type_name in step.parameters)])
    if key not in ctx.subroutines:
        scope = Scope(step.called, flat=True)
        types = [figures.declared_type(ctx, type_name) for _, type_name in step.parameters]
        parameters = [new_slot_for(ctx, type_, scope) for type_ in types]
        entry, back = cell_access.new_block(ctx), cell_access.new_slot(ctx, NUMBER, 0, scope)
        routine = Subroutine(step, entry, back, parameters, new_result(ctx, step, scope))
        ctx.subroutines[key] = routine
        ctx.pending.append(routine)
    return ctx.subroutines[key]


def finish_subroutines(ctx: Context) -> None:
    """Lay out the steps that have been called."""
    while ctx.pending:
        routine = ctx.pending.pop(0)
        cell_access.begin(ctx, routine.entry, routine.step.called)
        scope = Scope(routine.step.called, flat=True, frames=(Frame("routine"),))
        for (name, _), slot in zip(routine.step.parameters, routine.parameters, strict=True):
            scope.bind(name, reader(ctx, slot))
        if routine.result is not None:
            forget_result(ctx, routine.result)
        with ctx.doing(routine.step.name), ctx.in_answer(routine.answered):
            step_body(ctx, routine.step, scope, routine.result)
        ctx.whole_steps.add(routine.step.name)
        ctx.emit.op("goto_value", ctx.emit.load(routine.back.cell))


def reader(ctx: Context, slot: KeptSlot) -> Binding:
    return lambda: cell_access.got(ctx, slot, maybe=slot.type.base not in ("number", "fraction", "truth"))


def step_body(ctx: Context, step: Step, scope: Scope, result: GivenResult | None) -> None:
    """A step with its hooks woven in: before, instead of or itself, after, and whenever it is done. Each of them can be
    ended by itself."""

    def part(bodies: list[Node], body: Callable[[Scope], None], scope: Scope = scope) -> None:
        gives, give = (None, None) if result is None else (result.type, partial(keep_result, ctx, result))
        frame = Frame("step", step.called, gives=gives, give=give)
        exits.stepped(ctx, frame, scope, body, any(map(ctx.outline.leaves, bodies)), scope.flat)

    def beside(when: str) -> None:
        for changes, hook in ctx.outline.hooks(step, when):
            part([hook.body], partial(_hooked, ctx, changes, hook))

    beside("before")
    in_place = ctx.outline.hooks(step, "instead of")
    part([step.body, *(hook.body for _, hook in in_place)], lambda inner: instead(ctx, in_place, step, inner))
    beside("after")
    whenever(ctx, step, scope, part)


def _hooked(ctx: Context, changes: ChangeSet, hook: Hook, scope: Scope) -> None:
    hooked(ctx, changes, hook, scope, None)


def whenever(ctx: Context, step: Step, scope: Scope, part: Callable[..., None]) -> None:
    """What options do whenever a step is done, then what each seat does that has such a role or power, whoever did the
    step: clockwise, first who did. `it` is who did. part: does one of the bodies, which can be ended by itself."""
    hooks = ctx.outline.hooks(step, "whenever")
    of_seats = [(changes, hook) for changes, hook in hooks if changes.level != "option"]
    doer = name_resolution.me(ctx, scope) if of_seats and scope.someone else None
    told = scope.structured() if doer is None else replace(scope, names=dict(scope.names))
    if doer is not None:
        cell_access.remember(ctx, "it", Value(SEAT, doer), told)
    for changes, hook in hooks:
        if changes.level == "option":
            part([hook.body], partial(_hooked, ctx, changes, hook))
    if not of_seats:
        return

    def done(inner: Scope) -> None:
        if doer is not None:
            inner.bind("it", told.names["it"])
        for changes, hook in of_seats:
            part([hook.body], partial(_hooked, ctx, changes, hook), inner)

    asks = any(hook.optional or ctx.outline.may_ask(hook.body) for _, hook in of_seats)
    _, first = of_seats[0]
    each = Scalar("each seat by clockwise from you" if doer is not None else "each seat", first.place)
    if not asks:
        ctx.effect(scope)
    with ctx.reading(each):
        loop = ctx.parse(each, sentences.statement)
        assert isinstance(loop, Each)
        control.do_each(ctx, loop, scope, Parts(each, first.body, None, each, asks, done))


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
        owner = name_resolution.me(ctx, scope) if scope.someone else None
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
