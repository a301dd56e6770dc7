"""Kept lists: what is put into them, in an order, and what fits."""

from __future__ import annotations

from rulewright.compiler.context import Context
from rulewright.compiler.emitter import constant
from rulewright.compiler.typed_values import NOTHING, Group, ListGroup, Scope, described, fits, one_of
from rulewright.syntax.tree import Expression


def joining(ctx: Context, kept: ListGroup, tree: Expression, scope: Scope) -> int:
    """What is to stand in a list as a vector: one thing, several or nothing."""
    type_ = one_of(kept.type)
    expect = str(type_.detail) if type_.base == "word" else ""
    found = ctx.everyone(tree, scope) or ctx.meaning(tree, scope, expect, type_.base)
    vector = ctx.emit.vector()
    ctx.emit.op("vector", vector)
    if found.type == NOTHING:
        return vector
    if not fits(one_of(found.type), type_):
        held = described(kept.type).removeprefix("a set of ")
        message = f"Expected {described(type_)} here; this is {described(one_of(found.type))}."
        raise ctx.wrong(tree, "type", message, f"It holds {held}; 'set … to nothing' empties it.")
    if isinstance(found, Group):
        return ctx.vector(found)
    ctx.emit.op("push", vector, ctx.sure(found, tree).operand)
    return vector


def keep(ctx: Context, kept: ListGroup, vector: int) -> None:
    """A list becomes as much of a vector as fits."""
    fitting = ctx.emit.vector()
    ctx.emit.op("front", fitting, vector, constant(kept.capacity))
    ctx.emit.op("keep", fitting, kept.cell, kept.index)
