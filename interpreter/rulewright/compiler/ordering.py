"""Orders of sets: keys, sorted vectors, seats clockwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.compiler import counters, sets, stored_lists
from rulewright.compiler.context import Context
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import copy_vector, group_from_vector, vector_of
from rulewright.compiler.type_checks import require_present, require_type
from rulewright.compiler.typed_expressions import compile_number_or_fraction, compile_truth, compile_value
from rulewright.compiler.typed_values import SEAT, MemberSet, Value, member_value
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax.change_nodes import Sort
from rulewright.syntax.part_nodes import Clockwise, ExtremeFirst, Key, Keys, TrueFirst


def ordered_group(ctx: Context, members: MemberSet, keys: Keys, scope: Scope) -> MemberSet:
    """Return a set whose uses emit its members in an order: this call emits nothing, and each use orders anew."""
    return group_from_vector(ctx, members.type, members.capacity, lambda: ordered_vector(ctx, members, keys, scope))


def ordered_vector(ctx: Context, things: MemberSet, keys: Keys, scope: Scope) -> int:
    """Emit the members in an order, as a vector."""
    match keys.keys, things.constant_members:
        case (Clockwise() as key,), (_, _, *_) as members:
            require_type(ctx, replace(things.type, many=False), SEAT, key)
            return sets.clockwise_from(ctx, first_seat(ctx, key, scope), members)
    vector = vector_of(ctx, things)
    with ctx.emit.if_true(emit_has_several(ctx, vector)):
        ctx.emit.op("sort", vector, *key_columns(ctx, vector, things, keys, scope))
    return vector


def emit_has_several(ctx: Context, vector: int) -> int:
    """Emit whether a vector has more than one member."""
    size = ctx.emit.compute("length", vector)
    return ctx.emit.evaluate("less", ONE, size)


def key_columns(ctx: Context, vector: int, members: MemberSet, keys: Keys, scope: Scope) -> list[int]:
    """Emit a vector for each key of an order, with the key's number for each item of `vector`, smaller for what comes
    earlier; `members` gives their type."""
    columns: list[int] = []
    for key in keys.keys:
        column = ctx.emit.new_vector()
        rank = order_key(ctx, key, replace(members.type, many=False), scope)
        ctx.emit.op("vector", column)
        with ctx.emit.each(vector) as item:
            ctx.emit.op("push", column, rank(member_value(members, item)))
        columns.append(column)
    return columns


def order_key(ctx: Context, key: Key, type_: Type, scope: Scope) -> Callable[[Value], int]:
    """Return the function that emits an item's number for a key; smaller comes earlier. For `clockwise from`, the call
    itself emits the first seat, once for all items."""
    if isinstance(key, Clockwise):
        require_type(ctx, type_, SEAT, key)
        start = first_seat(ctx, key, scope)
        return lambda item: sets.clockwise_distance(ctx, start, item.operand)

    def rank(item: Value) -> int:
        match key:
            case TrueFirst():
                return ctx.emit.negate(compile_truth(ctx, key.condition, scope.with_item(item)))
            case ExtremeFirst():
                number = compile_number_or_fraction(ctx, key.figure, scope.with_item(item)).operand
                return ctx.emit.evaluate("subtract", ZERO, number) if key.which == "highest" else number
        return ctx.emit.compute("random", constant(2**31 - 1))

    return rank


@compiles(Sort)
def compile_sort(ctx: Context, statement: Sort, scope: Scope, parts: StatementParts) -> None:
    """Order a stored list by keys: a sorted copy of it is stored."""
    list_ = counters.require_list(ctx, statement.counter, scope)
    vector = copy_vector(ctx, list_)
    with ctx.emit.if_true(emit_has_several(ctx, vector)):
        ctx.emit.op("sort", vector, *key_columns(ctx, vector, list_, statement.keys, scope))
    stored_lists.store_list(ctx, list_, vector)


def first_seat(ctx: Context, clockwise: Clockwise, scope: Scope) -> int:
    """Emit the seat with which an order `clockwise from` begins."""
    return require_present(ctx, compile_value(ctx, clockwise.start, scope, SEAT), clockwise.start).operand
