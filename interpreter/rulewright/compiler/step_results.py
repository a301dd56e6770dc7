"""Results of steps, from `give` to the name that `do … as NAME` binds."""

from __future__ import annotations

from rulewright.compiler import cell_access, figures
from rulewright.compiler.context import Context
from rulewright.compiler.saved_cells import SavedCell, StepResult
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import constant_group, empty_vector, group_from_vector, vector_of
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_values import FRACTION, NUMBER, TRUTH, Meaning, MemberSet, Value, kinds_in
from rulewright.model.declarations import Step
from rulewright.program.instructions import NONE, ONE, ZERO
from rulewright.program.value_types import Type
from rulewright.syntax.tree import Node


def begin_result(ctx: Context, step: Step, scope: Scope) -> StepResult | None:
    """Return the result of a step that begins, and emit that it is empty; None if the step gives nothing."""
    if scope.can_ask:
        result = new_result(ctx, step, scope)
        if result is not None:
            clear_result(ctx, result)
        return result
    if step.gives is None:
        return None
    type_ = figures.declared_type(ctx, step.gives)
    if type_.many:
        vector = empty_vector(ctx)
        return StepResult(step.name, type_, register=vector)
    is_given = ctx.emit.new_variable(ZERO) if _lacks_nothing(type_) else None
    return StepResult(step.name, type_, register=ctx.emit.new_variable(NONE), given_register=is_given)


def new_result(ctx: Context, step: Step, scope: Scope) -> StepResult | None:
    """Return saved cells for the result of a step that may ask; None if it gives nothing."""
    if step.gives is None:
        return None
    type_ = figures.declared_type(ctx, step.gives)
    given_cell = cell_access.new_cell(ctx, NUMBER, 0, scope) if _lacks_nothing(type_) else None
    return StepResult(step.name, type_, new_cell_of_type(ctx, type_, scope), given_cell)


def new_cell_of_type(ctx: Context, type_: Type, scope: Scope) -> SavedCell:
    """Allocate a saved cell for a value or set of a type."""
    return cell_access.new_cell(ctx, type_, type_capacity(ctx, type_) if type_.many else 0, scope)


def type_capacity(ctx: Context, type_: Type) -> int:
    """Return the number of all seats, of a list's words, or of some kinds' pieces: the most that a set can have."""
    if type_.base == "seat":
        return ctx.plan.seats
    if type_.base == "word":
        return len(ctx.edition.words[str(type_.detail)].words)
    return ctx.plan.stock.count(kinds_in(type_))


def clear_result(ctx: Context, result: StepResult) -> None:
    """Emit the reset of a result in saved cells."""
    assert result.slot is not None
    nothing: Meaning = constant_group(ctx, result.type, ()) if result.type.many else Value(NUMBER, NONE)
    cell_access.save(ctx, result.slot, nothing)
    if result.given_cell is not None:
        cell_access.save(ctx, result.given_cell, Value(NUMBER, ZERO))


def save_result(ctx: Context, result: StepResult, meaning: Meaning) -> None:
    """Emit the assignment of a result."""
    if result.slot is not None:
        cell_access.save(ctx, result.slot, meaning)
        if result.given_cell is not None:
            cell_access.save(ctx, result.given_cell, Value(NUMBER, ONE))
    elif isinstance(meaning, MemberSet):
        vector = vector_of(ctx, meaning)
        ctx.emit.op("vector", result.register)
        ctx.emit.op("append", result.register, vector)
    else:
        ctx.emit.assign(result.register, meaning.operand)
        if result.given_register is not None:
            ctx.emit.assign(result.given_register, ONE)


def read_result(ctx: Context, result: StepResult, node: Node) -> Meaning:
    """Return the result of a finished step; emit a failure for a number, or yes or no, that was not given."""
    is_given = result.given_register
    if result.given_cell is not None:
        is_given = cell_access.read_number(ctx, result.given_cell)
    if is_given is not None:
        with ctx.emit.if_true(ctx.emit.evaluate("equal", is_given, ZERO)):
            message = f"'{result.name}' has ended without giving {describe(result.type)}."
            ctx.emit.op("fail", ctx.source_place(node, message))
    may_be_nothing = not _lacks_nothing(result.type)
    if result.slot is not None:
        return cell_access.load(ctx, result.slot, may_be_nothing)
    if result.type.many:
        return group_from_vector(ctx, result.type, type_capacity(ctx, result.type), lambda: result.register)
    if result.type == TRUTH:
        return Value(TRUTH, result.register, 0, 1)
    return Value(result.type, result.register, may_be_nothing=may_be_nothing)


def _lacks_nothing(type_: Type) -> bool:
    """Whether a type has no value that stands for nothing."""
    return not type_.many and type_ in (NUMBER, FRACTION, TRUTH)
