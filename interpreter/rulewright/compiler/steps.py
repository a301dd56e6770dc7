"""Steps: calls, with the hooks of options, roles and powers.

Steps never call themselves, so the saved cells of each are allocated once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import RelatedPlace, there_are
from rulewright.compiler import (
    cell_access,
    change_sets,
    control,
    exits,
    figures,
    local_names,
    lookups,
    loops,
    messages,
    name_resolution,
)
from rulewright.compiler.arguments import argument_miscount
from rulewright.compiler.context import Context
from rulewright.compiler.parking import emit_wait_before_effect
from rulewright.compiler.questions import ask_yes_no
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.saved_cells import SavedCell, StepResult, Subroutine
from rulewright.compiler.scopes import Binding, Frame, Scope
from rulewright.compiler.step_results import (
    begin_result,
    clear_result,
    new_cell_of_type,
    new_result,
    read_result,
    save_result,
)
from rulewright.compiler.typed_expressions import compile_truth
from rulewright.compiler.typed_values import NUMBER, SEAT, Meaning, ReportedError, Value
from rulewright.model.declarations import ChangeSet, Hook, Step
from rulewright.program.instructions import ZERO
from rulewright.syntax import sentences
from rulewright.syntax.flow_nodes import Do, Each
from rulewright.syntax.source import Node, Scalar


@compiles(Do)
def compile_do(ctx: Context, statement: Do, scope: Scope, parts: StatementParts) -> None:
    """Compile `do STEP`, with its arguments and a name for its result."""
    name, result_name = statement.step, statement.name
    step = ctx.analysis.step(name.text)
    if step is None and ctx.is_known_wrong(name):
        raise ReportedError
    if step is None:
        hints = ctx.edition.unknown_name_hints(name.text, ctx.edition.steps) or there_are(ctx.edition.steps)
        raise ctx.error(name, messages.NO_STEP(name=name.text), *hints, related=ctx.edition.removed_at(name.text))
    declaration = RelatedPlace(step.place, messages.DECLARED_HERE(name=step.name))
    if miscount := argument_miscount(step.parameters, statement.arguments, f"do {name} for"):
        problem = messages.STEP_MISCOUNTED(name=name.text, miscount=miscount)
        raise ctx.error(statement, problem, related=(declaration,))
    if result_name is not None:
        local_names.check_new_name(ctx, result_name, scope)
        if step.gives is None:
            problem = messages.STEP_GIVES_NOTHING(step=name.text)
            raise ctx.error(result_name, problem, messages.DECLARE_RESULT(), related=(declaration,))
    result = call(ctx, step, lookups.argument_meanings(ctx, step.parameters, statement.arguments, scope), scope)
    if result_name is not None and result is not None:
        cell_access.bind_value(ctx, result_name.text, read_result(ctx, result, statement), scope)


def call(ctx: Context, step: Step, arguments: list[Meaning], scope: Scope) -> StepResult | None:
    """Call a step: inline, or as a subroutine if it may ask, has several callers, and nobody answers under seal. Return
    its result, or None. Raises TooLarge if too much is expanded."""
    ctx.work.count_expansion(step.name, step.place)
    asks = ctx.analysis.step_may_ask(step)
    if asks and scope.at_once < 0 and ctx.analysis.call_count(step) > 1:
        return call_subroutine(ctx, step, arguments, scope)
    inner = replace(
        Scope(step.short_name, scope.acting_seat, scope.somebody_acts, at_once=scope.at_once, can_ask=asks),
        seats_in_round=scope.seats_in_round,
        frames=scope.frames,
    )
    for (name, _), argument in zip(step.parameters, arguments, strict=True):
        cell_access.bind_value(ctx, name, argument, inner)
    result = begin_result(ctx, step, inner)
    with ctx.compiling_step(step.name):
        compile_step(ctx, step, inner, result)
    if not arguments and scope.somebody_acts and scope.at_once < 0:
        ctx.checked_steps.add(step.name)
    return result


def call_subroutine(ctx: Context, step: Step, arguments: list[Meaning], scope: Scope) -> StepResult | None:
    """Emit the call of a step's subroutine; return the result that the step gives, None if it gives nothing."""
    routine = subroutine(ctx, step)
    routine.answered = tuple(sorted({*routine.answered, *ctx.enclosing_sites}))
    for slot, argument in zip(routine.parameters, arguments, strict=True):
        cell_access.save(ctx, slot, argument)
    back = cell_access.new_block(ctx)
    ctx.emit.op("store_block", routine.back.cell, ZERO, back)
    ctx.emit.op("goto", routine.entry)
    cell_access.begin_block(ctx, back, scope.step)
    return routine.result


def subroutine(ctx: Context, step: Step) -> Subroutine:
    """Return the subroutine of a step for the types of its parameters; it is compiled by `finish_subroutines`."""
    key = " ".join([step.name, *(type_name.text for _, type_name in step.parameters)])
    if key not in ctx.output.subroutines:
        scope = Scope(step.short_name, can_ask=True)
        types = [figures.declared_type(ctx, type_name) for _, type_name in step.parameters]
        parameters = [new_cell_of_type(ctx, type_, scope) for type_ in types]
        entry, back = cell_access.new_block(ctx), cell_access.new_cell(ctx, NUMBER, 0, scope)
        routine = Subroutine(step, entry, back, parameters, new_result(ctx, step, scope))
        ctx.output.subroutines[key] = routine
        ctx.output.pending.append(routine)
    return ctx.output.subroutines[key]


def finish_subroutines(ctx: Context) -> None:
    """Compile all subroutines that have been called, also by each other."""
    while ctx.output.pending:
        routine = ctx.output.pending.pop(0)
        cell_access.begin_block(ctx, routine.entry, routine.step.short_name)
        scope = Scope(routine.step.short_name, can_ask=True, frames=(Frame("routine"),))
        for (name, _), slot in zip(routine.step.parameters, routine.parameters, strict=True):
            scope.bind(name, cell_binding(ctx, slot))
        if routine.result is not None:
            clear_result(ctx, routine.result)
        with ctx.compiling_step(routine.step.name), ctx.after_answers(routine.answered):
            compile_step(ctx, routine.step, scope, routine.result)
        ctx.checked_steps.add(routine.step.name)
        ctx.emit.op("goto_value", ctx.emit.load(routine.back.cell))


def cell_binding(ctx: Context, slot: SavedCell) -> Binding:
    """Return the binding that reads a saved cell."""
    return lambda: cell_access.load(ctx, slot, may_be_nothing=slot.type.base not in ("number", "fraction", "truth"))


def compile_step(ctx: Context, step: Step, scope: Scope, result: StepResult | None) -> None:
    """Compile a step with its hooks: before, instead of, after, whenever. `end step` ends each of them alone. result:
    where `give` puts its result, None if it gives nothing."""

    def part(bodies: list[Node], body: Callable[[Scope], None], scope: Scope = scope) -> None:
        gives, give = (None, None) if result is None else (result.type, partial(save_result, ctx, result))
        frame = Frame("step", step.short_name, result_type=gives, store_result=give)
        exits.compile_step_body(ctx, frame, scope, body, any(map(ctx.analysis.ends_step, bodies)), scope.can_ask)

    def compile_hooks(timing: str) -> None:
        for changes, hook in ctx.analysis.hooks(step, timing):
            part([hook.body], partial(_compile_hook_alone, ctx, changes, hook))

    compile_hooks("before")
    in_place = ctx.analysis.hooks(step, "instead of")
    part([step.body, *(hook.body for _, hook in in_place)], lambda inner: compile_instead(ctx, in_place, step, inner))
    compile_hooks("after")
    compile_whenever(ctx, step, scope, part)


def _compile_hook_alone(ctx: Context, changes: ChangeSet, hook: Hook, scope: Scope) -> None:
    """Compile a hook without an alternative."""
    compile_hook(ctx, changes, hook, scope, None)


def compile_whenever(ctx: Context, step: Step, scope: Scope, part: Callable[..., None]) -> None:
    """Compile the hooks `whenever`: of options, then of each seat with such a role or power, clockwise from the
    doer, who is `it`. part: compiles a body that `end step` ends."""
    hooks = ctx.analysis.hooks(step, "whenever")
    of_seats = [(changes, hook) for changes, hook in hooks if changes.level != "option"]
    doer = name_resolution.acting_seat(ctx, scope) if of_seats and scope.somebody_acts else None
    outer = scope.in_one_block() if doer is None else replace(scope, names=dict(scope.names))
    if doer is not None:
        cell_access.bind_value(ctx, "it", Value(SEAT, doer), outer)
    for changes, hook in hooks:
        if changes.level == "option":
            part([hook.body], partial(_compile_hook_alone, ctx, changes, hook))
    if not of_seats:
        return

    def done(inner: Scope) -> None:
        if doer is not None:
            inner.bind("it", outer.names["it"])
        for changes, hook in of_seats:
            part([hook.body], partial(_compile_hook_alone, ctx, changes, hook), inner)

    asks = any(hook.optional or ctx.analysis.may_ask(hook.body) for _, hook in of_seats)
    _, first = of_seats[0]
    each = Scalar("each seat by clockwise from you" if doer is not None else "each seat", first.place)
    if not asks:
        emit_wait_before_effect(ctx, scope)
    with ctx.reading(each):
        loop = ctx.parse(each, sentences.statement)
        assert isinstance(loop, Each)
        loops.compile_each(ctx, loop, scope, StatementParts(each, first.body, None, each, asks, done))


def compile_instead(ctx: Context, hooks: list[tuple[ChangeSet, Hook]], step: Step, scope: Scope) -> None:
    """Compile the last active hook, which ranks highest, or the step itself if none is active."""
    if not hooks:
        control.compile_statements(ctx, step.body, scope)
        return
    *lower, (changes, hook) = hooks
    compile_hook(ctx, changes, hook, scope, lambda: compile_instead(ctx, lower, step, scope))


def compile_hook(ctx: Context, changes: ChangeSet, hook: Hook, scope: Scope, other: Callable[[], None] | None) -> None:
    """Compile a hook under its condition. other: compiles the alternative."""
    asks = (
        ctx.analysis.may_ask(hook.body)
        or hook.optional
        or (scope.can_ask and (other is not None or scope.at_once >= 0))
    )
    with ctx.reading(hook.condition_text):
        if not scope.somebody_acts and changes.level != "option":
            raise ctx.error(None, messages.NOBODY_ACTS_IN_STEP(step=hook.step, level=changes.level))
        owner = name_resolution.acting_seat(ctx, scope) if scope.somebody_acts else None
        condition = change_sets.emit_is_active(ctx, changes, owner)
        if hook.condition is not None and condition != ZERO:
            condition = ctx.emit.new_variable(condition)
            with ctx.emit.if_true(condition):
                ctx.emit.assign(condition, compile_truth(ctx, hook.condition, scope))
    inner = replace(scope.for_inner_list() if asks else scope.in_one_block(), step=changes.name)
    then = body_compiler(ctx, hook.body, inner)
    if not hook.optional:
        control.emit_branch(ctx, condition, then, other, scope, asks)
        return
    name = f"{changes.name}.{hook.step}"
    ask = question_compiler(ctx, name, hook, then, inner, other)
    control.emit_branch(ctx, condition, ask, other, scope, True)


def body_compiler(ctx: Context, body: Node, scope: Scope) -> Callable[[], None]:
    """Return the function that compiles a body."""
    return lambda: control.compile_statements(ctx, body, scope)


def question_compiler(
    ctx: Context, name: str, hook: Hook, then: Callable[[], None], scope: Scope, other: Callable[[], None] | None
) -> Callable[[], None]:
    """Return the function that compiles the question whether an optional hook is used."""
    return lambda: ask_yes_no(ctx, name, hook.ask, hook.condition_text, then, scope, other)
