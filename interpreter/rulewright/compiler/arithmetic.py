"""Numbers: literals, sums, quotients, totals, extremes."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler import amounts, attributes, fractions, messages, name_resolution, owned_names
from rulewright.compiler.context import Context
from rulewright.compiler.fractions import clamp_bound
from rulewright.compiler.operation_names import NumberOperation
from rulewright.compiler.registry import meaning_of, means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.senses import warn_of_arithmetic_after_where
from rulewright.compiler.set_operations import empty_vector, size_of, sum_entries
from rulewright.compiler.type_checks import as_fraction, require_type, single_value
from rulewright.compiler.typed_expressions import compile_number, compile_number_or_fraction, compile_set
from rulewright.compiler.typed_values import (
    FRACTION,
    NUMBER,
    UNBOUNDED,
    Amounts,
    Meaning,
    MemberSet,
    Value,
    member_type,
    member_value,
)
from rulewright.model.declarations import canonical
from rulewright.program.instructions import ZERO, constant
from rulewright.program.value_types import Type, parse_hundredths
from rulewright.syntax.expression_nodes import Expression, Lookup, Path
from rulewright.syntax.number_nodes import (
    Arithmetic,
    Divided,
    Extreme,
    ExtremeOf,
    LongestRun,
    Minus,
    Negative,
    Number,
    NumberOf,
    Plus,
    Remainder,
    Times,
    Total,
)
from rulewright.syntax.tree import Name, Node


@means(Number)
def meaning_of_number(ctx: Context, expression: Number, scope: Scope) -> Value:
    """Return the value of a number as written. Raises ReportedError for too many digits or decimals."""
    return literal(ctx, expression, 1)


@means(Negative)
def meaning_of_negative(ctx: Context, expression: Negative, scope: Scope) -> Value:
    """Return the value of a negative number as written. Raises ReportedError for too many digits or decimals."""
    return literal(ctx, expression, -1)


def literal(ctx: Context, expression: Number | Negative, sign: int) -> Value:
    """Return a number as written. sign: -1 for a negative one. Raises ReportedError for too many digits or decimals."""
    digits, _, fraction = expression.digits.partition(".")
    if len(fraction) > 2:
        raise ctx.error(expression, messages.TOO_MANY_DECIMALS())
    if len(digits) > (7 if fraction else 9):
        problem = messages.TOO_MANY_DIGITS_BEFORE_POINT if fraction else messages.TOO_MANY_DIGITS
        raise ctx.error(expression, problem())
    number = sign * (parse_hundredths(f"{digits}.{fraction}") if fraction else int(digits))
    return Value(FRACTION if fraction else NUMBER, constant(number), number, number)


def unify_numbers(ctx: Context, one: Value, other: Value, node: Node) -> tuple[Value, Value]:
    """Return both numbers as fractions if one is; leave what is no number."""
    if not (one.type.is_number and other.type.is_number):
        return one, other
    return fractions.unify(ctx.emit, one, other, lambda: ctx.source_place(node))


@means(Plus)
def meaning_of_plus(ctx: Context, expression: Plus, scope: Scope) -> Meaning:
    """Emit a sum, of amounts word by word; one that may exceed 32 bits is checked when the game runs."""

    def plus(a: Value, b: Value) -> Value:
        a, b = unify_numbers(ctx, a, b, expression)
        operand = ctx.emit.evaluate("add", a.operand, b.operand)
        return check_range(ctx, operand, a.low + b.low, a.high + b.high, expression, a.type)

    return compile_arithmetic(ctx, expression, scope, plus)


@means(Minus)
def meaning_of_minus(ctx: Context, expression: Minus, scope: Scope) -> Meaning:
    """Emit a difference, of amounts word by word; one that may exceed 32 bits is checked when the game runs."""

    def minus(a: Value, b: Value) -> Value:
        a, b = unify_numbers(ctx, a, b, expression)
        operand = ctx.emit.evaluate("subtract", a.operand, b.operand)
        return check_range(ctx, operand, a.low - b.high, a.high - b.low, expression, a.type)

    return compile_arithmetic(ctx, expression, scope, minus)


@means(Times)
def meaning_of_times(ctx: Context, expression: Times, scope: Scope) -> Meaning:
    """Compile `A * B`; two fractions are an error."""

    def times(a: Value, b: Value) -> Value:
        if a.type == b.type == FRACTION:
            raise ctx.error(expression, messages.TWO_FRACTIONS(), messages.ROUND_ONE())
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        operand = ctx.emit.evaluate("multiply", a.operand, b.operand)
        type_ = FRACTION if FRACTION in (a.type, b.type) else NUMBER
        return check_range(ctx, operand, min(corners), max(corners), expression, type_)

    return compile_arithmetic(ctx, expression, scope, times)


def compile_arithmetic(
    ctx: Context, expression: Arithmetic, scope: Scope, combine: Callable[[Value, Value], Value]
) -> Meaning:
    """Combine two numbers, emitted now; or, word by word at each use, two amounts, or amounts and a number. Raises
    ReportedError for anything else."""
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


def check_range(ctx: Context, operand: int, low: int, high: int, node: Node, type_: Type = NUMBER) -> Value:
    """Return a result with its bounds; where these exceed 32 bits, emit a check, by which the game stops if it does.
    low, high: bounds of what the operand would be without that limit; node: place of the error."""
    if low < -UNBOUNDED or high > UNBOUNDED:
        operand = ctx.emit.compute("checked", operand, ctx.source_place(node))
    return Value(type_, operand, clamp_bound(low), clamp_bound(high))


@means(Divided)
def meaning_of_divided(ctx: Context, expression: Divided, scope: Scope) -> Meaning:
    """Compile `A / B rounded down`, or `rounded up`."""
    operation: NumberOperation = "divide_up" if expression.rounded == "up" else "divide_down"

    def over(a: Value, b: Value) -> Value:
        a, b = unify_numbers(ctx, a, b, expression)
        result = ctx.emit.compute(operation, a.operand, b.operand, ctx.source_place(expression))
        largest = max(abs(a.low), abs(a.high))
        return Value(NUMBER, result, -largest, largest)

    return compile_arithmetic(ctx, expression, scope, over)


@means(Remainder)
def meaning_of_remainder(ctx: Context, expression: Remainder, scope: Scope) -> Value:
    """Emit the remainder of a division: smaller than the divisor, and of its sign."""
    first, second = (
        compile_number_or_fraction(ctx, expression.left, scope),
        compile_number_or_fraction(ctx, expression.right, scope),
    )
    a, b = unify_numbers(ctx, first, second, expression)
    times = ctx.emit.compute("divide_down", a.operand, b.operand, ctx.source_place(expression))
    left = ctx.emit.evaluate("subtract", a.operand, ctx.emit.evaluate("multiply", times, b.operand))
    return Value(a.type, left, min(0, clamp_bound(b.low + 1)), max(0, clamp_bound(b.high - 1)))


@means(NumberOf)
def meaning_of_number_of(ctx: Context, expression: NumberOf, scope: Scope) -> Value:
    """Emit the size of a set; of amounts, their sum."""
    counted = compile_set(ctx, expression.things, scope, allow_amounts=True)
    return amounts.sum_of_all_words(ctx, counted) if isinstance(counted, Amounts) else size_of(ctx, counted)


@means(Total)
def meaning_of_total(ctx: Context, expression: Total, scope: Scope) -> Meaning:
    """Compile `total price of hand`, `total goods for wood of seats`, `total price of fields` where each has
    amounts."""
    name, argument = expression.name, expression.argument
    members = compile_set(ctx, expression.things, scope)
    bounds = [0, 0]
    if argument is not None:
        looked_up = Lookup(Path("its", (name,)).with_span(expression.span), argument).with_span(expression.span)
        return sum_over_members(
            ctx, members, expression, lambda item: compile_number_or_fraction(ctx, looked_up, scope.with_item(item))
        )
    if canonical(name.text) in amounts.possible_amount_names(ctx) and (
        every := total_amounts(ctx, members, name, scope)
    ):
        return every
    attribute = owned_names.resolve_member_name(ctx, name, members.type, scope)
    if members.type.base == "piece" and (column := attributes.attribute_table(ctx, members.type, attribute)):
        table, type_, *bounds = column
        require_type(ctx, type_, NUMBER, name)
        total = sum_entries(ctx, members, table)
    else:
        return sum_over_members(ctx, members, expression, lambda item: owned_number(ctx, item, name, scope))
    low, high = (bound * members.capacity for bound in bounds)
    return check_range(ctx, total, min(0, low), max(0, high), expression)


def owned_number(ctx: Context, item: Value, name: Name, scope: Scope) -> Value:
    """Return a number that an item has under a name. Raises ReportedError for anything else."""
    figure = single_value(ctx, name_resolution.resolve_owned(ctx, item, name, scope), name)
    if figure.type != FRACTION:
        require_type(ctx, figure.type, NUMBER, name)
    return figure


def sum_over_members(ctx: Context, members: MemberSet, expression: Total, figure_of: Callable[[Value], Value]) -> Value:
    """Emit the sum of a number of each member."""
    total, bounds, type_ = ctx.emit.new_variable(ZERO), [0, 0], NUMBER

    def body(item: int) -> None:
        nonlocal type_
        figure = figure_of(member_value(members, item))
        type_ = figure.type
        ctx.emit.compute_into("add", total, total, figure.operand)
        bounds[:] = [figure.low, figure.high]

    members.walk(body, None)
    low, high = (bound * members.capacity for bound in bounds)
    return check_range(ctx, total, min(0, low), max(0, high), expression, type_)


def total_amounts(ctx: Context, members: MemberSet, name: Name, scope: Scope) -> Amounts | None:
    """Return the sum of the members' amounts; None if the name does not mean amounts."""
    if (key := (canonical(name.text), member_type(members.type))) in ctx.single_numbers:
        return None
    with ctx.emit.if_true(ZERO):
        sample = name_resolution.resolve_owned(ctx, member_value(members, ctx.emit.new_register()), name, scope)
    if not isinstance(sample, Amounts):
        ctx.single_numbers.add(key)
        return None
    scalar = ctx.scalar

    def of(item: int) -> Amounts:
        with ctx.reading(scalar):
            member_amounts = name_resolution.resolve_owned(ctx, member_value(members, item), name, scope)
        assert isinstance(member_amounts, Amounts)
        return member_amounts

    return amounts.sum_over_members(ctx, members, of, sample.words)


@means(Extreme)
def meaning_of_extreme(ctx: Context, expression: Extreme, scope: Scope) -> Value:
    """Compile `highest price among opponents`; 0 where there is nobody."""
    figures, bounds = emit_figures(
        ctx, compile_set(ctx, expression.things, scope), expression.figure, scope, compile_number_or_fraction
    )
    best = ctx.emit.compute("greatest" if expression.which == "highest" else "smallest", figures)
    return Value(bounds.type, best, bounds.low, bounds.high)


def emit_figures(
    ctx: Context,
    members: MemberSet,
    figure_tree: Expression,
    scope: Scope,
    compile_figure: Callable[[Context, Expression, Scope], Value],
) -> tuple[int, Value]:
    """Emit a figure of each member, as a vector; return it and a value with the type of all and bounds of all and
    0."""
    bounds = Value(NUMBER, ZERO, 0, 0)
    figures = empty_vector(ctx)

    def body(item: int) -> None:
        nonlocal bounds
        figure = compile_figure(ctx, figure_tree, scope.with_item(member_value(members, item)))
        bounds = Value(figure.type, figure.operand, min(0, figure.low), max(0, figure.high))
        ctx.emit.op("push", figures, figure.operand)

    members.walk(body, None)
    return figures, bounds


@means(LongestRun)
def meaning_of_longest_run(ctx: Context, expression: LongestRun, scope: Scope) -> Value:
    """Compile `longest run of value among hand`: the most consecutive numbers."""
    members = compile_set(ctx, expression.things, scope)
    figures, _ = emit_figures(ctx, members, expression.figure, scope, compile_number)
    longest = ctx.emit.compute("longest_run", figures)
    return Value(NUMBER, longest, 0, members.capacity)


@means(ExtremeOf)
def meaning_of_extreme_of(ctx: Context, expression: ExtremeOf, scope: Scope) -> Value:
    """Compile `highest of (1, gold - 3)`."""
    values = [compile_number_or_fraction(ctx, part, scope) for part in expression.parts]
    if FRACTION in (value.type for value in values):
        values = [as_fraction(ctx, value, child) for value, child in zip(values, expression.parts, strict=True)]
    best = ctx.emit.new_variable(values[0].operand)
    for value in values[1:]:
        pair = (best, value.operand) if expression.which == "highest" else (value.operand, best)
        with ctx.emit.if_true(ctx.emit.evaluate("less", *pair)):
            ctx.emit.assign(best, value.operand)
    pick = max if expression.which == "highest" else min
    return Value(values[0].type, best, pick(v.low for v in values), pick(v.high for v in values))
