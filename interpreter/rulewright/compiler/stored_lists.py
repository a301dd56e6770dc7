"""Kept lists: what is put into them, in an order, and what fits."""

from __future__ import annotations

from rulewright.compiler.context import Context
from rulewright.compiler.emitter import constant
from rulewright.compiler.typed_values import NOTHING, Group, ListGroup, Scope, describe, fits, member_type
from rulewright.syntax.tree import Expression


def vector_to_add(ctx: Context, kept: ListGroup, expression: Expression, scope: Scope) -> int:
    """What is to stand in a list as a vector: one thing, several or nothing."""
    type_ = member_type(kept.type)
    expect = str(type_.detail) if type_.base == "word" else ""
    found = ctx.every_seat(expression, scope) or ctx.meaning(expression, scope, expect, type_.base)
    vector = ctx.emit.vector()
    ctx.emit.op("vector", vector)
    if found.type == NOTHING:
        return vector
    if not fits(member_type(found.type), type_):
        held = describe(kept.type).removeprefix("a set of ")
        message = f"Expected {describe(type_)} here; this is {describe(member_type(found.type))}."
        raise ctx.error(expression, "type", message, f"It holds {held}; 'set … to nothing' empties it.")
    if isinstance(found, Group):
        return ctx.vector(found)
    ctx.emit.op("push", vector, ctx.require_present(found, expression).operand)
    return vector


def store_list(ctx: Context, kept: ListGroup, vector: int) -> None:
    """A list becomes as much of a vector as fits."""
    fitting = ctx.emit.vector()
    ctx.emit.op("front", fitting, vector, constant(kept.capacity))
    ctx.emit.op("keep", fitting, kept.cell, kept.index)
