"""Results: what a step gives, from the sentence that gives it to the name that `do … as NAME` makes."""

from __future__ import annotations

from rulewright.compiler import cell_access, figures
from rulewright.compiler.context import Context
from rulewright.compiler.emitter import NONE, ONE, ZERO
from rulewright.compiler.saved_cells import SavedCell, StepResult
from rulewright.compiler.typed_values import FRACTION, NUMBER, TRUTH, Group, Meaning, Scope, Value, describe
from rulewright.model.declarations import Step
from rulewright.program.form import Type
from rulewright.syntax.tree import Node


def begin_result(ctx: Context, step: Step, scope: Scope) -> StepResult | None:
    """Where a step that begins now keeps what it gives, if it gives something; nothing is given yet."""
    if scope.flat:
        result = new_result(ctx, step, scope)
        if result is not None:
            clear_result(ctx, result)
        return result
    if step.gives is None:
        return None
    type_ = figures.declared_type(ctx, step.gives)
    if type_.many:
        vector = ctx.emit.vector()
        ctx.emit.op("vector", vector)
        return StepResult(step.name, type_, register=vector)
    given = ctx.emit.variable(ZERO) if _lacks_nothing(type_) else None
    return StepResult(step.name, type_, register=ctx.emit.variable(NONE), given=given)


def new_result(ctx: Context, step: Step, scope: Scope) -> StepResult | None:
    """Slots for what a step gives that may ask, if it gives something."""
    if step.gives is None:
        return None
    type_ = figures.declared_type(ctx, step.gives)
    given = cell_access.new_cell(ctx, NUMBER, 0, scope) if _lacks_nothing(type_) else None
    return StepResult(step.name, type_, new_cell_of_type(ctx, type_, scope), given)


def new_cell_of_type(ctx: Context, type_: Type, scope: Scope) -> SavedCell:
    """A slot for whatever is of a type."""
    return cell_access.new_cell(ctx, type_, type_capacity(ctx, type_) if type_.many else 0, scope)


def type_capacity(ctx: Context, type_: Type) -> int:
    """How many there are of a type."""
    if type_.base == "seat":
        return ctx.plan.seats
    if type_.base == "word":
        return len(ctx.edition.words[str(type_.detail)].words)
    return ctx.plan.stock.count(ctx.kinds_in(type_))


def clear_result(ctx: Context, result: StepResult) -> None:
    """A step that keeps its result in slots begins: nothing is given yet."""
    assert result.slot is not None
    nothing: Meaning = ctx.constant_group(result.type, ()) if result.type.many else Value(NUMBER, NONE)
    cell_access.save(ctx, result.slot, nothing)
    if result.given_slot is not None:
        cell_access.save(ctx, result.given_slot, Value(NUMBER, ZERO))


def save_result(ctx: Context, result: StepResult, meaning: Meaning) -> None:
    """A step gives something."""
    if result.slot is not None:
        cell_access.save(ctx, result.slot, meaning)
        if result.given_slot is not None:
            cell_access.save(ctx, result.given_slot, Value(NUMBER, ONE))
    elif isinstance(meaning, Group):
        found = ctx.vector(meaning)
        ctx.emit.op("vector", result.register)
        ctx.emit.op("append", result.register, found)
    else:
        ctx.emit.assign(result.register, meaning.operand)
        if result.given is not None:
            ctx.emit.assign(result.given, ONE)


def read_result(ctx: Context, result: StepResult, node: Node) -> Meaning:
    """What a step has given that has ended; the game stops if it was to give a number, or yes or no, and gave none."""
    given = result.given
    if result.given_slot is not None:
        given = ctx.emit.load(result.given_slot.cell, cell_access.cell_index(ctx, result.given_slot))
    if given is not None:
        with ctx.emit.when(ctx.emit.value("equal", given, ZERO)):
            message = f"'{result.name}' has ended without giving {describe(result.type)}."
            ctx.emit.op("fail", ctx.source_place(node, message))
    maybe = not _lacks_nothing(result.type)
    if result.slot is not None:
        return cell_access.load(ctx, result.slot, maybe)
    if result.type.many:
        return ctx.group_from_vector(result.type, type_capacity(ctx, result.type), lambda: result.register)
    if result.type == TRUTH:
        return Value(TRUTH, result.register, 0, 1)
    return Value(result.type, result.register, maybe=maybe)


def _lacks_nothing(type_: Type) -> bool:
    """Whether there is nothing of a type that stands for nothing."""
    return not type_.many and type_ in (NUMBER, FRACTION, TRUTH)
