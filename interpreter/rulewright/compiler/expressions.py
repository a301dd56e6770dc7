"""Meanings of expressions: truths, comparisons, arithmetic, figures of sets.

Each function returns a typed meaning, which emits instructions when it is used; `spec/LANGUAGE.md` describes them
for people.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulewright.compiler import (
    amounts,
    attributes,
    fractions,
    name_resolution,
    owned_names,
)
from rulewright.compiler.context import Context
from rulewright.compiler.emitter import ONE, ZERO, constant
from rulewright.compiler.fractions import clamp_bound
from rulewright.compiler.registry import meaning_of, means
from rulewright.compiler.senses import warn_of_arithmetic_after_where
from rulewright.compiler.set_operations import any_member, contains, size_of, sum_entries
from rulewright.compiler.type_checks import as_fraction, require_present, require_type, single_value
from rulewright.compiler.typed_expressions import (
    compile_group,
    compile_number,
    compile_number_or_fraction,
    compile_truth,
    compile_value,
)
from rulewright.compiler.typed_values import (
    FRACTION,
    NUMBER,
    TRUTH,
    UNBOUNDED,
    Amounts,
    Group,
    Meaning,
    Scope,
    Value,
    describe,
    fits,
    member_type,
    member_value,
)
from rulewright.model.declarations import canonical
from rulewright.program.form import Type, parts_of
from rulewright.syntax.tree import (
    Among,
    And,
    Arithmetic,
    Compare,
    Divided,
    Empty,
    Exists,
    Expression,
    Extreme,
    ExtremeOf,
    LongestRun,
    Lookup,
    Minus,
    Name,
    Negative,
    No,
    Node,
    Not,
    Number,
    NumberOf,
    Or,
    Path,
    Plus,
    PossessionOf,
    Quantified,
    Relation,
    Remainder,
    Times,
    Total,
    Yes,
)


@means(Or)
def meaning_of_or(ctx: Context, expression: Or, scope: Scope) -> Value:
    result = ctx.emit.variable(compile_truth(ctx, expression.left, scope))
    with ctx.emit.if_true(ctx.emit.negate(result)):
        ctx.emit.assign(result, compile_truth(ctx, expression.right, scope))
    return Value(TRUTH, result, 0, 1)


@means(And)
def meaning_of_and(ctx: Context, expression: And, scope: Scope) -> Value:
    result = ctx.emit.variable(compile_truth(ctx, expression.left, scope))
    with ctx.emit.if_true(result):
        ctx.emit.assign(result, compile_truth(ctx, expression.right, scope))
    return Value(TRUTH, result, 0, 1)


@means(Not)
def meaning_of_not(ctx: Context, expression: Not, scope: Scope) -> Value:
    return Value(TRUTH, ctx.emit.negate(compile_truth(ctx, expression.operand, scope)), 0, 1)


@means(Yes)
def meaning_of_yes(ctx: Context, expression: Yes, scope: Scope) -> Value:
    return Value(TRUTH, ONE, 0, 1)


@means(No)
def meaning_of_no(ctx: Context, expression: No, scope: Scope) -> Value:
    return Value(TRUTH, ZERO, 0, 1)


@means(Compare)
def meaning_of_compare(ctx: Context, expression: Compare, scope: Scope) -> Value:
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
        message = f"This compares {describe(left.type)} with {describe(right.type)}."
        raise ctx.error(expression, "type", message)
    if relation not in ("", "not") and not left.type.counts:
        raise ctx.error(left_tree, "type", f"Only numbers are more or less; this is {describe(left.type)}.")
    left, right = unify_numbers(ctx, left, right, expression)
    low, high = _comparison_bounds(relation, left, right)
    return Value(TRUTH, emit_comparison(ctx, relation, left.operand, right.operand), low, high)


def emit_comparison(ctx: Context, relation: Relation, a: int, b: int) -> int:
    """Emit whether a comparison holds."""
    forms: dict[Relation, tuple[str, int, int]] = {
        "": ("equal", a, b),
        "not": ("unequal", a, b),
        "at least": ("at_most", b, a),
        "at most": ("at_most", a, b),
        "more than": ("less", b, a),
        "less than": ("less", a, b),
    }
    return ctx.emit.value(*forms[relation])


def compare_amounts(ctx: Context, expression: Compare, relation: Relation, left: Meaning, right: Meaning) -> Value:
    """Emit whether a comparison holds for every word."""
    one, other = amounts.unify(ctx, expression, left, right)
    denied = relation == "not"
    holds = partial(emit_comparison, ctx, "" if denied else relation)
    return amounts.compare(ctx, one, other, holds, denied)


@means(Among)
def meaning_of_among(ctx: Context, expression: Among, scope: Scope) -> Value:
    left = compile_value(
        ctx,
        expression.left,
        scope,
        expected_list=name_resolution.list_of_other_side(ctx, expression.left, expression.right, scope),
    )
    group = compile_group(ctx, expression.right, scope, left.type.base)
    contained = contains(ctx, group, left.operand)
    return Value(TRUTH, ctx.emit.negate(contained) if expression.denied else contained, 0, 1)


@means(Empty)
def meaning_of_empty(ctx: Context, expression: Empty, scope: Scope) -> Value:
    group = compile_group(ctx, expression.things, scope, allow_declined=True, allow_amounts=True)
    if isinstance(group, Amounts):
        none = amounts.same_for_each_word(ctx, group.words, Value(NUMBER, ZERO, 0, 0), expression)
        return amounts.compare(ctx, group, none, partial(emit_comparison, ctx, ""), expression.denied)
    exists = any_member(ctx, group)
    return Value(TRUTH, exists if expression.denied else ctx.emit.negate(exists), 0, 1)


@means(Exists)
def meaning_of_exists(ctx: Context, expression: Exists, scope: Scope) -> Value:
    if expression.quantifier == "every":
        raise ctx.error(
            expression,
            "syntax",
            "'every' is followed by 'has' and a condition.",
            "For example: every card in hand has (value is 1).",
        )
    exists = any_member(ctx, compile_group(ctx, expression.things, scope))
    return Value(TRUTH, ctx.emit.negate(exists) if expression.quantifier == "no" else exists, 0, 1)


@means(Quantified)
def meaning_of_quantified(ctx: Context, expression: Quantified, scope: Scope) -> Value:
    group = compile_group(ctx, expression.things, scope)

    def holds(item: int) -> int:
        condition = compile_truth(ctx, expression.condition, scope.within(member_value(group, item)))
        return ctx.emit.negate(condition) if expression.quantifier == "every" else condition

    exists = any_member(ctx, group, holds)
    return Value(TRUTH, exists if expression.quantifier == "any" else ctx.emit.negate(exists), 0, 1)


@means(Number)
def meaning_of_number(ctx: Context, expression: Number, scope: Scope) -> Value:
    return literal(ctx, expression, 1)


@means(Negative)
def meaning_of_negative(ctx: Context, expression: Negative, scope: Scope) -> Value:
    return literal(ctx, expression, -1)


def literal(ctx: Context, expression: Number | Negative, sign: int) -> Value:
    """Return a number as written. Raises ReportedError for too many digits."""
    digits, _, fraction = expression.digits.partition(".")
    if len(fraction) > 2:
        raise ctx.error(expression, "fraction", "A number has at most two digits behind its point.")
    if len(digits) > (7 if fraction else 9):
        message = f"A number has at most {'seven digits before its point' if fraction else 'nine digits'}."
        raise ctx.error(expression, "number-too-large", message)
    number = sign * (parts_of(f"{digits}.{fraction}") if fraction else int(digits))
    return Value(FRACTION if fraction else NUMBER, constant(number), number, number)


def unify_numbers(ctx: Context, one: Value, other: Value, node: Node) -> tuple[Value, Value]:
    """Return both numbers as fractions if one is; leave what is no number."""
    if not (one.type.counts and other.type.counts):
        return one, other
    return fractions.unify(ctx.emit, one, other, lambda: ctx.source_place(node))


@means(Plus)
def meaning_of_plus(ctx: Context, expression: Plus, scope: Scope) -> Meaning:
    def plus(a: Value, b: Value) -> Value:
        a, b = unify_numbers(ctx, a, b, expression)
        operand = ctx.emit.value("add", a.operand, b.operand)
        return in_range(ctx, operand, a.low + b.low, a.high + b.high, expression, a.type)

    return compile_arithmetic(ctx, expression, scope, plus)


@means(Minus)
def meaning_of_minus(ctx: Context, expression: Minus, scope: Scope) -> Meaning:
    def minus(a: Value, b: Value) -> Value:
        a, b = unify_numbers(ctx, a, b, expression)
        operand = ctx.emit.value("subtract", a.operand, b.operand)
        return in_range(ctx, operand, a.low - b.high, a.high - b.low, expression, a.type)

    return compile_arithmetic(ctx, expression, scope, minus)


@means(Times)
def meaning_of_times(ctx: Context, expression: Times, scope: Scope) -> Meaning:
    def times(a: Value, b: Value) -> Value:
        if a.type == b.type == FRACTION:
            message = "One of the two must be a whole number: two fractions make one that is too small to keep."
            raise ctx.error(expression, "fraction", message, "Say how one is rounded, as in '(…) / 1 rounded down'.")
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        operand = ctx.emit.value("multiply", a.operand, b.operand)
        type_ = FRACTION if FRACTION in (a.type, b.type) else NUMBER
        return in_range(ctx, operand, min(corners), max(corners), expression, type_)

    return compile_arithmetic(ctx, expression, scope, times)


def compile_arithmetic(
    ctx: Context, expression: Arithmetic, scope: Scope, combine: Callable[[Value, Value], Value]
) -> Meaning:
    """Combine two numbers; or, word by word, two amounts, or amounts and a number."""
    warn_of_arithmetic_after_where(ctx, expression)
    both = expression.left, expression.right
    first, second = (meaning_of(ctx, each, scope, "", NUMBER.base) for each in both)
    if isinstance(first, Amounts) or isinstance(second, Amounts):
        scalar = ctx.scalar

        def in_place(a: Value, b: Value) -> Value:
            with ctx.reading(scalar):
                return combine(a, b)

        return amounts.combine_amounts(ctx, *amounts.unify(ctx, expression, first, second), in_place)
    numbers = []
    for meaning, child in zip((first, second), both, strict=True):
        numbers.append(single_value(ctx, meaning, child))
        if numbers[-1].type != FRACTION:
            require_type(ctx, numbers[-1].type, NUMBER, child)
    return combine(*numbers)


def in_range(ctx: Context, operand: int, low: int, high: int, node: Node, type_: Type = NUMBER) -> Value:
    """Return a result with its bounds; emit a check if it may exceed 32 bits."""
    if low < -UNBOUNDED or high > UNBOUNDED:
        checked = ctx.emit.register()
        ctx.emit.op("checked", checked >> 1, operand, ctx.source_place(node))
        operand = checked
    return Value(type_, operand, clamp_bound(low), clamp_bound(high))


@means(Divided)
def meaning_of_divided(ctx: Context, expression: Divided, scope: Scope) -> Meaning:
    operation = "divide_up" if expression.rounded == "up" else "divide_down"

    def over(a: Value, b: Value) -> Value:
        a, b = unify_numbers(ctx, a, b, expression)
        result = ctx.emit.register()
        ctx.emit.op(operation, result >> 1, a.operand, b.operand, ctx.source_place(expression))
        largest = max(abs(a.low), abs(a.high))
        return Value(NUMBER, result, -largest, largest)

    return compile_arithmetic(ctx, expression, scope, over)


@means(Remainder)
def meaning_of_remainder(ctx: Context, expression: Remainder, scope: Scope) -> Value:
    """Return the remainder of a division: smaller than the divisor, and of its sign."""
    first, second = (
        compile_number_or_fraction(ctx, expression.left, scope),
        compile_number_or_fraction(ctx, expression.right, scope),
    )
    a, b = unify_numbers(ctx, first, second, expression)
    times = ctx.emit.register()
    ctx.emit.op("divide_down", times >> 1, a.operand, b.operand, ctx.source_place(expression))
    left = ctx.emit.value("subtract", a.operand, ctx.emit.value("multiply", times, b.operand))
    return Value(a.type, left, min(0, clamp_bound(b.low + 1)), max(0, clamp_bound(b.high - 1)))


@means(NumberOf)
def meaning_of_number_of(ctx: Context, expression: NumberOf, scope: Scope) -> Value:
    """Return the size of a set; of amounts, their sum."""
    counted = compile_group(ctx, expression.things, scope, allow_amounts=True)
    return amounts.sum_of_all_words(ctx, counted) if isinstance(counted, Amounts) else size_of(ctx, counted)


@means(Total)
def meaning_of_total(ctx: Context, expression: Total, scope: Scope) -> Meaning:
    """Compile `total price of hand`, `total goods for wood of seats`, `total price of fields` where each has
    amounts."""
    name, argument = expression.name, expression.argument
    group = compile_group(ctx, expression.things, scope)
    bounds = [0, 0]
    if argument is not None:
        looked_up = Lookup(Path("its", (name,)).with_span(expression.span), argument).with_span(expression.span)
        return sum_over_members(
            ctx, group, expression, lambda item: compile_number_or_fraction(ctx, looked_up, scope.within(item))
        )
    if canonical(name.text) in amounts.possible_amount_names(ctx) and (every := total_amounts(ctx, group, name, scope)):
        return every
    attribute = owned_names.resolve_member_name(ctx, name, group.type, scope)
    if group.type.base == "piece" and (column := attributes.attribute_table(ctx, group.type, attribute)):
        table, type_, *bounds = column
        require_type(ctx, type_, NUMBER, name)
        total = sum_entries(ctx, group, table)
    else:
        return sum_over_members(ctx, group, expression, lambda item: owned_number(ctx, item, name, scope))
    low, high = (bound * group.capacity for bound in bounds)
    return in_range(ctx, total, min(0, low), max(0, high), expression)


def owned_number(ctx: Context, item: Value, name: Name, scope: Scope) -> Value:
    """Return a number that an item has under a name."""
    figure = single_value(ctx, name_resolution.resolve_owned(ctx, item, name, scope), name)
    if figure.type != FRACTION:
        require_type(ctx, figure.type, NUMBER, name)
    return figure


def sum_over_members(ctx: Context, group: Group, expression: Total, figure_of: Callable[[Value], Value]) -> Value:
    """Emit the sum of a number of each member."""
    total, bounds, type_ = ctx.emit.variable(ZERO), [0, 0], NUMBER

    def body(item: int) -> None:
        nonlocal type_
        figure = figure_of(member_value(group, item))
        type_ = figure.type
        ctx.emit.change("add", total, total, figure.operand)
        bounds[:] = [figure.low, figure.high]

    group.walk(body, None)
    low, high = (bound * group.capacity for bound in bounds)
    return in_range(ctx, total, min(0, low), max(0, high), expression, type_)


def total_amounts(ctx: Context, group: Group, name: Name, scope: Scope) -> Amounts | None:
    """Return the sum of the members' amounts; None if the name does not mean amounts."""
    if (key := (canonical(name.text), member_type(group.type))) in ctx.single_numbers:
        return None
    with ctx.emit.discarding():
        sample = name_resolution.resolve_owned(ctx, member_value(group, ctx.emit.register()), name, scope)
    if not isinstance(sample, Amounts):
        ctx.single_numbers.add(key)
        return None
    scalar = ctx.scalar

    def of(item: int) -> Amounts:
        with ctx.reading(scalar):
            member_amounts = name_resolution.resolve_owned(ctx, member_value(group, item), name, scope)
        assert isinstance(member_amounts, Amounts)
        return member_amounts

    return amounts.sum_over_members(ctx, group, of, sample.words)


@means(Extreme)
def meaning_of_extreme(ctx: Context, expression: Extreme, scope: Scope) -> Value:
    """Compile `highest price among opponents`; 0 where there is nobody."""
    figures, bounds = emit_figures(
        ctx, compile_group(ctx, expression.things, scope), expression.figure, scope, compile_number_or_fraction
    )
    best = ctx.emit.register()
    ctx.emit.op("greatest" if expression.which == "highest" else "smallest", best >> 1, figures)
    return Value(bounds.type, best, bounds.low, bounds.high)


def emit_figures(
    ctx: Context,
    group: Group,
    figure_tree: Expression,
    scope: Scope,
    number: Callable[[Context, Expression, Scope], Value],
) -> tuple[int, Value]:
    """Emit a figure of each member, as a vector; return it and a value with the bounds of all and 0. number:
    compiles the figure."""
    bounds = Value(NUMBER, ZERO, 0, 0)
    figures = ctx.emit.vector()
    ctx.emit.op("vector", figures)

    def body(item: int) -> None:
        nonlocal bounds
        figure = number(ctx, figure_tree, scope.within(member_value(group, item)))
        bounds = Value(figure.type, figure.operand, min(0, figure.low), max(0, figure.high))
        ctx.emit.op("push", figures, figure.operand)

    group.walk(body, None)
    return figures, bounds


@means(LongestRun)
def meaning_of_longest_run(ctx: Context, expression: LongestRun, scope: Scope) -> Value:
    """Compile `longest run of value among hand`: the most consecutive numbers."""
    group = compile_group(ctx, expression.things, scope)
    figures, _ = emit_figures(ctx, group, expression.figure, scope, compile_number)
    longest = ctx.emit.register()
    ctx.emit.op("longest_run", longest >> 1, figures)
    return Value(NUMBER, longest, 0, group.capacity)


@means(ExtremeOf)
def meaning_of_extreme_of(ctx: Context, expression: ExtremeOf, scope: Scope) -> Value:
    """Compile `highest of (1, gold - 3)`."""
    values = [compile_number_or_fraction(ctx, part, scope) for part in expression.parts]
    if FRACTION in (value.type for value in values):
        values = [as_fraction(ctx, value, child) for value, child in zip(values, expression.parts, strict=True)]
    best = ctx.emit.variable(values[0].operand)
    for value in values[1:]:
        pair = (best, value.operand) if expression.which == "highest" else (value.operand, best)
        with ctx.emit.if_true(ctx.emit.value("less", *pair)):
            ctx.emit.assign(best, value.operand)
    pick = max if expression.which == "highest" else min
    return Value(values[0].type, best, pick(v.low for v in values), pick(v.high for v in values))


@means(PossessionOf)
def meaning_of_possession_of(ctx: Context, expression: PossessionOf, scope: Scope) -> Meaning:
    """Compile `(first 1 of hand)'s value`."""
    owner = expression.owner
    meaning = meaning_of(ctx, owner, scope)
    for name in expression.names:
        meaning = name_resolution.resolve_owned(
            ctx, require_present(ctx, single_value(ctx, meaning, owner), owner), name, scope
        )
    return meaning


def _comparison_bounds(relation: str, a: Value, b: Value) -> tuple[int, int]:
    """Return the least and the greatest result of a comparison, from the bounds of its operands."""
    if not (a.type.counts and b.type.counts):
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
