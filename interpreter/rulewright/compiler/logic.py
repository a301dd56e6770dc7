"""Conditions: comparisons, quantifiers, and, or, not."""

from __future__ import annotations

from functools import partial

from rulewright.compiler import amounts, messages, name_resolution
from rulewright.compiler.arithmetic import unify_numbers
from rulewright.compiler.context import Context
from rulewright.compiler.operation_names import NumberOperation
from rulewright.compiler.registry import meaning_of, means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import any_member, contains
from rulewright.compiler.type_checks import single_value
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_set, compile_truth, compile_value
from rulewright.compiler.typed_values import NUMBER, TRUTH, Amounts, Meaning, Value, fits, member_type, member_value
from rulewright.program.instructions import ONE, ZERO
from rulewright.syntax.condition_nodes import Among, And, Compare, Empty, Exists, No, Not, Or, Quantified, Yes
from rulewright.syntax.number_nodes import Negative, Number, NumberOf, Total
from rulewright.syntax.tree import Relation


@means(Or)
def meaning_of_or(ctx: Context, expression: Or, scope: Scope) -> Value:
    """Compile `A or B`. B is only run where A does not hold."""
    result = ctx.emit.new_variable(compile_truth(ctx, expression.left, scope))
    with ctx.emit.if_true(ctx.emit.negate(result)):
        ctx.emit.assign(result, compile_truth(ctx, expression.right, scope))
    return Value(TRUTH, result, 0, 1)


@means(And)
def meaning_of_and(ctx: Context, expression: And, scope: Scope) -> Value:
    """Compile `A and B`. B is only run where A holds."""
    result = ctx.emit.new_variable(compile_truth(ctx, expression.left, scope))
    with ctx.emit.if_true(result):
        ctx.emit.assign(result, compile_truth(ctx, expression.right, scope))
    return Value(TRUTH, result, 0, 1)


@means(Not)
def meaning_of_not(ctx: Context, expression: Not, scope: Scope) -> Value:
    """Emit the negation of a condition."""
    return Value(TRUTH, ctx.emit.negate(compile_truth(ctx, expression.operand, scope)), 0, 1)


@means(Yes)
def meaning_of_yes(ctx: Context, expression: Yes, scope: Scope) -> Value:
    """Return the constant for `yes`; nothing is emitted."""
    return Value(TRUTH, ONE, 0, 1)


@means(No)
def meaning_of_no(ctx: Context, expression: No, scope: Scope) -> Value:
    """Return the constant for `no`; nothing is emitted."""
    return Value(TRUTH, ZERO, 0, 1)


@means(Compare)
def meaning_of_compare(ctx: Context, expression: Compare, scope: Scope) -> Value:
    """Compile a comparison: of numbers or equal types; of amounts word by word."""
    left_tree, relation, right_tree = expression.left, expression.relation, expression.right
    numbers = relation not in ("", "not") or isinstance(right_tree, Number | Negative | NumberOf | Total)
    compared = meaning_of(
        ctx,
        left_tree,
        scope,
        name_resolution.list_of_other_side(ctx, left_tree, right_tree, scope),
        NUMBER.base if numbers else "",
    )
    if isinstance(compared, Amounts):
        return compare_amounts(ctx, expression, relation, compared, meaning_of(ctx, right_tree, scope, "", NUMBER.base))
    left = single_value(ctx, compared, left_tree)
    expected_list = str(left.type.detail) if left.type.base == "word" else ""
    right_meaning = meaning_of(ctx, right_tree, scope, expected_list, left.type.base)
    if isinstance(right_meaning, Amounts):
        return compare_amounts(ctx, expression, relation, left, right_meaning)
    right = single_value(ctx, right_meaning, right_tree)
    if not fits(right.type, left.type) and not fits(left.type, right.type):
        raise ctx.error(expression, messages.COMPARES_TYPES(one=describe(left.type), other=describe(right.type)))
    if relation not in ("", "not") and not left.type.is_number:
        raise ctx.error(left_tree, messages.ONLY_NUMBERS_COMPARE(given=describe(left.type)))
    left, right = unify_numbers(ctx, left, right, expression)
    low, high = _comparison_bounds(relation, left, right)
    return Value(TRUTH, emit_comparison(ctx, relation, left.operand, right.operand), low, high)


def emit_comparison(ctx: Context, relation: Relation, a: int, b: int) -> int:
    """Emit whether a comparison holds."""
    forms: dict[Relation, tuple[NumberOperation, int, int]] = {
        "": ("equal", a, b),
        "not": ("unequal", a, b),
        "at least": ("at_most", b, a),
        "at most": ("at_most", a, b),
        "more than": ("less", b, a),
        "less than": ("less", a, b),
    }
    return ctx.emit.evaluate(*forms[relation])


def compare_amounts(ctx: Context, expression: Compare, relation: Relation, left: Meaning, right: Meaning) -> Value:
    """Emit whether a comparison holds for every word."""
    one, other = amounts.unify(ctx, expression, left, right)
    denied = relation == "not"
    holds = partial(emit_comparison, ctx, "" if denied else relation)
    return amounts.compare(ctx, one, other, holds, denied)


@means(Among)
def meaning_of_among(ctx: Context, expression: Among, scope: Scope) -> Value:
    """Compile `A is among SET`, or its denial."""
    left = compile_value(
        ctx,
        expression.left,
        scope,
        expected_list=name_resolution.list_of_other_side(ctx, expression.left, expression.right, scope),
    )
    members = compile_set(ctx, expression.right, scope, left.type.base)
    member = member_type(members.type)
    if not (fits(left.type, member) or fits(member, left.type)):
        raise ctx.error(expression, messages.COMPARES_TYPES(one=describe(left.type), other=describe(members.type)))
    contained = contains(ctx, members, left.operand)
    return Value(TRUTH, ctx.emit.negate(contained) if expression.denied else contained, 0, 1)


@means(Empty)
def meaning_of_empty(ctx: Context, expression: Empty, scope: Scope) -> Value:
    """Emit whether a set has no members, or, of amounts, whether they are 0 for each word; the contrary where it is
    denied."""
    members = compile_set(ctx, expression.things, scope, allow_declined=True, allow_amounts=True)
    if isinstance(members, Amounts):
        none = amounts.same_for_each_word(ctx, members.words, Value(NUMBER, ZERO, 0, 0), expression)
        return amounts.compare(ctx, members, none, partial(emit_comparison, ctx, ""), expression.denied)
    exists = any_member(ctx, members)
    return Value(TRUTH, exists if expression.denied else ctx.emit.negate(exists), 0, 1)


@means(Exists)
def meaning_of_exists(ctx: Context, expression: Exists, scope: Scope) -> Value:
    """Compile `any SET` or `no SET`. Raises ReportedError for `every`, which needs a condition."""
    if expression.quantifier == "every":
        raise ctx.error(expression, messages.EVERY_NEEDS_CONDITION(), messages.EVERY_HAS_EXAMPLE())
    exists = any_member(ctx, compile_set(ctx, expression.things, scope))
    return Value(TRUTH, ctx.emit.negate(exists) if expression.quantifier == "no" else exists, 0, 1)


@means(Quantified)
def meaning_of_quantified(ctx: Context, expression: Quantified, scope: Scope) -> Value:
    """Compile `any`, `every` or `no`, with a condition for each member."""
    members = compile_set(ctx, expression.things, scope)

    def holds(item: int) -> int:
        condition = compile_truth(ctx, expression.condition, scope.with_item(member_value(members, item)))
        return ctx.emit.negate(condition) if expression.quantifier == "every" else condition

    exists = any_member(ctx, members, holds)
    return Value(TRUTH, exists if expression.quantifier == "any" else ctx.emit.negate(exists), 0, 1)


def _comparison_bounds(relation: str, a: Value, b: Value) -> tuple[int, int]:
    """Return the least and the greatest result of a comparison, from the bounds of its operands."""
    if not (a.type.is_number and b.type.is_number):
        return 0, 1
    less, more = a.high < b.low, b.high < a.low
    same = a.low == a.high == b.low == b.high
    always, never = {
        "": (same, less or more),
        "not": (less or more, same),
        "at least": (b.high <= a.low, less),
        "at most": (a.high <= b.low, more),
        "more than": (more, a.high <= b.low),
        "less than": (less, b.high <= a.low),
    }[relation]
    return int(always), int(not never)
