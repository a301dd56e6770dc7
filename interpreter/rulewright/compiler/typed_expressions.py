"""Expressions of an expected type: one value, a number, a condition, a set."""

from __future__ import annotations

from rulewright.compiler.context import Context
from rulewright.compiler.registry import meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.type_checks import as_fraction, require_group, require_type, single_value
from rulewright.compiler.typed_values import FRACTION, NUMBER, SET, TRUTH, Amounts, Meaning, MemberSet, Value
from rulewright.program.instructions import constant_value
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.source import Scalar


def meaning_of_text(ctx: Context, scalar: Scalar, scope: Scope) -> Meaning:
    """Return the meaning of a whole expression text."""
    with ctx.reading(scalar):
        return meaning_of(ctx, ctx.parse(scalar, sentences.value), scope)


def compile_value(
    ctx: Context, expression: Expression, scope: Scope, type_: Type | None = None, expected_list: str = ""
) -> Value:
    """Return one value of a type; a set stands for its only member. Raises ReportedError."""
    expected_list = expected_list or (str(type_.detail) if type_ and type_.base == "word" else "")
    base = NUMBER.base if type_ == FRACTION else type_.base if type_ else ""
    meaning = meaning_of(ctx, expression, scope, expected_list, base)
    if type_ is not None and isinstance(meaning, Amounts):
        require_type(ctx, meaning.type, type_, expression)
    value = single_value(ctx, meaning, expression)
    if type_ is not None:
        require_type(ctx, value.type, type_, expression)
    return as_fraction(ctx, value, expression) if type_ == FRACTION else value


def compile_set(
    ctx: Context,
    expression: Expression,
    scope: Scope,
    base: str = "",
    *,
    allow_declined: bool = False,
    allow_amounts: bool = False,
) -> MemberSet:
    """Return a set; one value is a set of one, nobody the empty set. base: of its members' type, '' for seats, pieces
    and words, and for numbers where any list holds some; allow_declined: allow the set of a number that may be
    declined; allow_amounts: allow amounts. Raises ReportedError."""
    meaning = meaning_of(ctx, expression, scope, "", f"{base} {SET}".strip(), all_seats=True)
    return require_group(ctx, meaning, expression, base, allow_declined=allow_declined, allow_amounts=allow_amounts)


def compile_number(ctx: Context, expression: Expression, scope: Scope) -> Value:
    """Return a whole number. Raises ReportedError for anything else."""
    return compile_value(ctx, expression, scope, NUMBER)


def compile_number_or_fraction(ctx: Context, expression: Expression, scope: Scope) -> Value:
    """Return a number, with or without a fraction. Raises ReportedError for anything else."""
    meaning = meaning_of(ctx, expression, scope, "", NUMBER.base)
    if isinstance(meaning, Amounts):
        require_type(ctx, meaning.type, NUMBER, expression)
    value = single_value(ctx, meaning, expression)
    if value.type != FRACTION:
        require_type(ctx, value.type, NUMBER, expression)
    return value


def compile_truth(ctx: Context, expression: Expression, scope: Scope) -> int:
    """Emit a condition; return its operand, and note its outcome. Raises ReportedError for anything else."""
    value = compile_value(ctx, expression, scope, TRUTH)
    outcome = value.low if value.low == value.high else constant_value(value.operand)
    ctx.remarks.note_condition(ctx.scalar, expression, outcome)
    return value.operand
