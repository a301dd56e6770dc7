"""List counters: ordered contents of limited size."""

from __future__ import annotations

from rulewright.compiler import messages
from rulewright.compiler.context import Context
from rulewright.compiler.registry import meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import empty_vector, vector_of
from rulewright.compiler.type_checks import require_present
from rulewright.compiler.type_descriptions import describe, describe_members
from rulewright.compiler.typed_values import NOTHING, ListGroup, MemberSet, fits, member_type
from rulewright.program.instructions import constant
from rulewright.syntax.expression_nodes import Expression


def vector_to_add(ctx: Context, list_: ListGroup, expression: Expression, scope: Scope) -> int:
    """Emit what is added to a list, as a vector: one thing, several or nothing. Raises ReportedError for another
    type."""
    type_ = member_type(list_.type)
    expected_list = str(type_.detail) if type_.base == "word" else ""
    meaning = meaning_of(ctx, expression, scope, expected_list, type_.base, all_seats=True)
    vector = empty_vector(ctx)
    if meaning.type == NOTHING:
        return vector
    if not fits(member_type(meaning.type), type_):
        problem = messages.EXPECTED_TYPE(expected=describe(type_), given=describe(member_type(meaning.type)))
        raise ctx.error(expression, problem, messages.LIST_HOLDS(members=describe_members(list_.type)))
    if isinstance(meaning, MemberSet):
        return vector_of(ctx, meaning)
    ctx.emit.op("push", vector, require_present(ctx, meaning, expression).operand)
    return vector


def store_list(ctx: Context, list_: ListGroup, vector: int) -> None:
    """Store a vector in a list, as much as fits."""
    fitting = ctx.emit.compute_vector("front", vector, constant(list_.capacity))
    ctx.emit.op("keep", fitting, list_.cell, list_.index)
