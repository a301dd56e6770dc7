"""Counters, lists and changing attributes: set, added to, taken from."""

from __future__ import annotations

from typing import Literal

from rulewright.compiler import amounts, cell_access, messages, stored_lists
from rulewright.compiler.context import Context
from rulewright.compiler.local_names import check_new_name
from rulewright.compiler.registry import StatementParts, compiles, meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import copy_vector, empty_vector, group_from_vector, vector_of
from rulewright.compiler.type_checks import as_fraction, require_present, require_type, single_value
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_set, compile_value
from rulewright.compiler.typed_values import (
    COUNTER,
    FRACTION,
    NUMBER,
    TRUTH,
    Amounts,
    Assignable,
    ListGroup,
    Meaning,
    Value,
)
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.syntax.change_nodes import Add, AddToBeginning, AddToEnd, Assign, Take, TakeOut
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.set_nodes import SomeOf
from rulewright.syntax.tree import Node


@compiles(Assign)
def compile_assign(ctx: Context, statement: Assign, scope: Scope, parts: StatementParts) -> None:
    """Compile `set gold to 3`: a counter, amounts, a list, or a changing attribute."""
    meaning = meaning_of(ctx, statement.counter, scope, "", COUNTER)
    if isinstance(meaning, ListGroup):
        stored_lists.store_list(ctx, meaning, stored_lists.vector_to_add(ctx, meaning, statement.value, scope))
        return
    target = require_assignable(ctx, meaning, statement.counter)
    if isinstance(target, Amounts):
        _, amounts_ = amounts.unify(ctx, statement, target, meaning_of(ctx, statement.value, scope, "", NUMBER.base))
        amounts.change_counter(ctx, target, amounts_, lambda one, to: store_value(ctx, one, to.operand, statement))
        return
    value = compile_value(ctx, statement.value, scope, target.type)
    if ctx.edition.sides and target.cell == ctx.plan.counter(ctx.edition.sides)[0]:
        value = require_present(ctx, value, statement.value)
    store_value(ctx, target, value.operand, statement)


@compiles(Add)
def compile_add(ctx: Context, statement: Add, scope: Scope, parts: StatementParts) -> None:
    """Add an amount to a counter."""
    compile_count(ctx, "add", statement, scope)


@compiles(Take)
def compile_take(ctx: Context, statement: Take, scope: Scope, parts: StatementParts) -> None:
    """Subtract an amount from a counter."""
    compile_count(ctx, "subtract", statement, scope)


def compile_count(ctx: Context, operation: Literal["add", "subtract"], statement: Add | Take, scope: Scope) -> None:
    """Add an amount to a counter, or subtract it. operation: name of the instruction."""
    amount, counter = statement.amount, statement.counter
    meaning, target = meaning_of(ctx, amount, scope, "", NUMBER.base), compile_counter(ctx, counter, scope)
    if isinstance(target, Amounts):
        _, amounts_ = amounts.unify(ctx, statement, target, meaning)

        def change(one: Assignable, more: Value) -> None:
            store_value(ctx, one, ctx.emit.evaluate(operation, one.operand, more.operand), statement)

        amounts.change_counter(ctx, target, amounts_, change)
        return
    if isinstance(meaning, Amounts):
        require_type(ctx, meaning.type, NUMBER, amount)
    value = single_value(ctx, meaning, amount)
    if target.type == FRACTION and value.type.is_number:
        value = as_fraction(ctx, value, amount)
    else:
        require_type(ctx, value.type, NUMBER, amount)
        require_type(ctx, target.type, NUMBER, counter)
    store_value(ctx, target, ctx.emit.evaluate(operation, target.operand, value.operand), statement)


def store_value(ctx: Context, target: Assignable, operand: int, node: Node) -> None:
    """Store a value in a counter or changing attribute; run-time errors for one out of range."""
    if ctx.edition.memory and (target.attribute or is_piece_counter(ctx, target)):
        changed = empty_vector(ctx)
        ctx.emit.op("push", changed, target.owner)
        ctx.emit.pieces.forget(changed)
    if target.attribute:
        least = ctx.emit.look_up(ctx.plan.first_face_table(target.attribute), target.owner)
        greatest = ctx.emit.look_up(ctx.plan.last_face_table(target.attribute), target.owner)
        for smaller, larger in ((operand, least), (greatest, operand)):
            with ctx.emit.if_true(ctx.emit.evaluate("less", smaller, larger)):
                ctx.emit.op("fail", ctx.source_place(node, f"no such {target.attribute} can show there."))
    if target.kinds:
        with ctx.emit.if_true(ctx.emit.negate(ctx.emit.look_up(ctx.plan.kind_table(target.kinds), target.owner))):
            ctx.emit.op("fail", ctx.source_place(node, "this piece has no such counter."))
    if target.type == TRUTH:
        truth = ctx.emit.new_variable(ZERO)
        with ctx.emit.if_true(operand):
            ctx.emit.assign(truth, ONE)
        operand = truth
    if target.type.is_number and not target.attribute:
        ctx.emit.op("count", target.cell, target.owner, operand, ctx.source_place(node))
    else:
        ctx.emit.store(target.cell, target.owner, operand)


def is_piece_counter(ctx: Context, target: Assignable) -> bool:
    """Whether this is a counter of a piece."""
    own = (counter for counter in ctx.edition.counters.values() if counter.marks)
    return any(ctx.plan.counter(counter.name)[0] == target.cell for counter in own)


def compile_counter(ctx: Context, expression: Expression, scope: Scope) -> Assignable | Amounts:
    """Emit the read of the counter that an expression means; return it, or its amounts."""
    return require_assignable(ctx, meaning_of(ctx, expression, scope, "", COUNTER), expression)


def require_assignable(ctx: Context, meaning: Meaning, expression: Expression) -> Assignable | Amounts:
    """Return a meaning that can be set. Raises ReportedError."""
    if isinstance(meaning, Amounts) and meaning.cell_of is not None:
        return meaning
    if not isinstance(meaning, Assignable):
        hint = messages.COUNTERS_CHANGE()
        if isinstance(meaning, ListGroup):
            hint = messages.IS_LIST()
        if meaning.type.base == "piece":
            hint = messages.MOVE_PIECES()
        if meaning.type.base == "word" and str(meaning.type.detail) == ctx.edition.sides:
            hint = messages.SET_MY_SIDE(sides=ctx.edition.sides)
        raise ctx.error(expression, messages.EXPECTED_COUNTER(given=describe(meaning.type)), hint)
    return meaning


@compiles(AddToEnd)
def compile_add_to_end(ctx: Context, statement: AddToEnd, scope: Scope, parts: StatementParts) -> None:
    """Append to a list as much as fits; the rest is left out."""
    list_ = require_list(ctx, statement.counter, scope)
    more = stored_lists.vector_to_add(ctx, list_, statement.value, scope)
    stored_lists.store_list(ctx, list_, ctx.emit.compute_vector("join", vector_of(ctx, list_), more))


@compiles(AddToBeginning)
def compile_add_to_beginning(ctx: Context, statement: AddToBeginning, scope: Scope, parts: StatementParts) -> None:
    """Insert at the beginning of a list as much as fits: nothing is pushed out at the end."""
    list_ = require_list(ctx, statement.counter, scope)
    more = stored_lists.vector_to_add(ctx, list_, statement.value, scope)
    size = ctx.emit.compute("length", vector_of(ctx, list_))
    room = ctx.emit.evaluate("subtract", constant(list_.capacity), size)
    fitting = ctx.emit.compute_vector("front", more, room)
    stored_lists.store_list(ctx, list_, ctx.emit.compute_vector("join", fitting, vector_of(ctx, list_)))


@compiles(TakeOut)
def compile_take_out(ctx: Context, statement: TakeOut, scope: Scope, parts: StatementParts) -> None:
    """Compile `take first 1 of orders as next one`: the name means what was taken, whatever becomes of the list."""
    source, name = statement.taken, statement.name
    check_new_name(ctx, name, scope)
    list_ = meaning_of(ctx, source.things, scope) if isinstance(source, SomeOf) else None
    if not isinstance(list_, ListGroup) or not isinstance(source, SomeOf):
        raise ctx.error(source, messages.TAKES_FROM_LIST(), messages.TAKE_EXAMPLE())
    at_end = source.end in ("last", "top")
    members = compile_set(ctx, source, scope, list_.type.base)
    vector = copy_vector(ctx, members)
    cell_access.bind_value(ctx, str(name), group_from_vector(ctx, list_.type, list_.capacity, lambda: vector), scope)
    count = ctx.emit.compute("length", vector)
    size = ctx.emit.compute("length", vector_of(ctx, list_))
    rest = ctx.emit.evaluate("subtract", size, count)
    left = ctx.emit.compute_vector("slice", vector_of(ctx, list_), ZERO if at_end else count, rest)
    stored_lists.store_list(ctx, list_, left)


def require_list(ctx: Context, expression: Expression, scope: Scope) -> ListGroup:
    """Return the list that an expression means. Raises ReportedError."""
    list_ = meaning_of(ctx, expression, scope, "", COUNTER)
    if not isinstance(list_, ListGroup):
        problem = messages.EXPECTED_LIST(given=describe(list_.type))
        raise ctx.error(expression, problem, messages.LISTS_ARE_COUNTERS())
    return list_
