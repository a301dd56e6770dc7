"""Expressions: syntax tree -> typed meaning, written as instructions when it is used.

Every `on_` function is named after a rule of the grammar and stands for what it means; `spec/LANGUAGE.md` tells it to
people.
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
from rulewright.compiler.fractions import bounded
from rulewright.compiler.registry import meaning_of, means
from rulewright.compiler.senses import tell_end_of_where
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
    described,
    fits,
    one_of,
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


def meaning(ctx: Context, tree: Expression, scope: Scope, expect: str = "", wanted: str = "") -> Meaning:
    if isinstance(tree, Path):
        return name_resolution.path(ctx, tree, scope, expect, wanted)
    return meaning_of(ctx, tree, scope)


@means(Or)
def on_or_(ctx: Context, tree: Or, scope: Scope) -> Value:
    result = ctx.emit.variable(ctx.truth(tree.left, scope))
    with ctx.emit.when(ctx.emit.negated(result)):
        ctx.emit.assign(result, ctx.truth(tree.right, scope))
    return Value(TRUTH, result, 0, 1)


@means(And)
def on_and_(ctx: Context, tree: And, scope: Scope) -> Value:
    result = ctx.emit.variable(ctx.truth(tree.left, scope))
    with ctx.emit.when(result):
        ctx.emit.assign(result, ctx.truth(tree.right, scope))
    return Value(TRUTH, result, 0, 1)


@means(Not)
def on_not_(ctx: Context, tree: Not, scope: Scope) -> Value:
    return Value(TRUTH, ctx.emit.negated(ctx.truth(tree.operand, scope)), 0, 1)


@means(Yes)
def on_true(ctx: Context, tree: Yes, scope: Scope) -> Value:
    return Value(TRUTH, ONE, 0, 1)


@means(No)
def on_false(ctx: Context, tree: No, scope: Scope) -> Value:
    return Value(TRUTH, ZERO, 0, 1)


@means(Compare)
def on_compare(ctx: Context, tree: Compare, scope: Scope) -> Value:
    left_tree, relation, right_tree = tree.left, tree.relation, tree.right
    numbers = relation not in ("", "not") or isinstance(right_tree, Number | Negative | NumberOf | Total)
    compared = ctx.meaning(
        left_tree, scope, name_resolution.list_beside(ctx, left_tree, right_tree, scope), NUMBER.base if numbers else ""
    )
    if isinstance(compared, Amounts):
        return amounts_compare(ctx, tree, relation, compared, ctx.meaning(right_tree, scope, "", NUMBER.base))
    left = ctx.single(compared, left_tree)
    expect = str(left.type.detail) if left.type.base == "word" else ""
    meant = ctx.meaning(right_tree, scope, expect, left.type.base)
    if isinstance(meant, Amounts):
        return amounts_compare(ctx, tree, relation, left, meant)
    right = ctx.single(meant, right_tree)
    if not fits(right.type, left.type) and not fits(left.type, right.type):
        message = f"This compares {described(left.type)} with {described(right.type)}."
        raise ctx.wrong(tree, "type", message)
    if relation not in ("", "not") and not left.type.counts:
        raise ctx.wrong(left_tree, "type", f"Only numbers are more or less; this is {described(left.type)}.")
    left, right = alike(ctx, left, right, tree)
    low, high = _proven(relation, left, right)
    return Value(TRUTH, related(ctx, relation, left.operand, right.operand), low, high)


def related(ctx: Context, relation: Relation, a: int, b: int) -> int:
    """Whether a comparison holds."""
    forms: dict[Relation, tuple[str, int, int]] = {
        "": ("equal", a, b),
        "not": ("unequal", a, b),
        "at least": ("at_most", b, a),
        "at most": ("at_most", a, b),
        "more than": ("less", b, a),
        "less than": ("less", a, b),
    }
    return ctx.emit.value(*forms[relation])


def amounts_compare(ctx: Context, tree: Compare, relation: Relation, left: Meaning, right: Meaning) -> Value:
    """Whether a comparison holds for every word."""
    one, other = amounts.alike(ctx, tree, left, right)
    denied = relation == "not"
    holds = partial(related, ctx, "" if denied else relation)
    return amounts.compared(ctx, one, other, holds, denied)


@means(Among)
def on_among(ctx: Context, tree: Among, scope: Scope) -> Value:
    left = ctx.value(tree.left, scope, expect=name_resolution.list_beside(ctx, tree.left, tree.right, scope))
    group = ctx.group(tree.right, scope, left.type.base)
    found = ctx.holds(group, left.operand)
    return Value(TRUTH, ctx.emit.negated(found) if tree.denied else found, 0, 1)


@means(Empty)
def on_empty(ctx: Context, tree: Empty, scope: Scope) -> Value:
    group = ctx.group(tree.things, scope, chosen=True, reckoned=True)
    if isinstance(group, Amounts):
        none = amounts.repeated(ctx, group.words, Value(NUMBER, ZERO, 0, 0), tree)
        return amounts.compared(ctx, group, none, partial(related, ctx, ""), tree.denied)
    found = ctx.some(group)
    return Value(TRUTH, found if tree.denied else ctx.emit.negated(found), 0, 1)


@means(Exists)
def on_exists(ctx: Context, tree: Exists, scope: Scope) -> Value:
    if tree.quantifier == "every":
        raise ctx.wrong(
            tree,
            "syntax",
            "'every' is followed by 'has' and a condition.",
            "For example: every card in hand has (value is 1).",
        )
    found = ctx.some(ctx.group(tree.things, scope))
    return Value(TRUTH, ctx.emit.negated(found) if tree.quantifier == "no" else found, 0, 1)


@means(Quantified)
def on_quantified(ctx: Context, tree: Quantified, scope: Scope) -> Value:
    group = ctx.group(tree.things, scope)

    def holds(item: int) -> int:
        condition = ctx.truth(tree.condition, scope.within(ctx.element(group, item)))
        return ctx.emit.negated(condition) if tree.quantifier == "every" else condition

    found = ctx.some(group, holds)
    return Value(TRUTH, found if tree.quantifier == "any" else ctx.emit.negated(found), 0, 1)


@means(Number)
def on_number(ctx: Context, tree: Number, scope: Scope) -> Value:
    return literal(ctx, tree, 1)


@means(Negative)
def on_negative(ctx: Context, tree: Negative, scope: Scope) -> Value:
    return literal(ctx, tree, -1)


def literal(ctx: Context, tree: Number | Negative, sign: int) -> Value:
    digits, _, fraction = tree.digits.partition(".")
    if len(fraction) > 2:
        raise ctx.wrong(tree, "fraction", "A number has at most two digits behind its point.")
    if len(digits) > (7 if fraction else 9):
        message = f"A number has at most {'seven digits before its point' if fraction else 'nine digits'}."
        raise ctx.wrong(tree, "number-too-large", message)
    number = sign * (parts_of(f"{digits}.{fraction}") if fraction else int(digits))
    return Value(FRACTION if fraction else NUMBER, constant(number), number, number)


def alike(ctx: Context, one: Value, other: Value, tree: Node) -> tuple[Value, Value]:
    """Two numbers, both with fractions if one of them has one; or what is no number, as it is."""
    if not (one.type.counts and other.type.counts):
        return one, other
    return fractions.alike(ctx.emit, one, other, lambda: ctx.source_place(tree))


@means(Plus)
def on_plus(ctx: Context, tree: Plus, scope: Scope) -> Meaning:
    def plus(a: Value, b: Value) -> Value:
        a, b = alike(ctx, a, b, tree)
        operand = ctx.emit.value("add", a.operand, b.operand)
        return in_range(ctx, operand, a.low + b.low, a.high + b.high, tree, a.type)

    return reckoned(ctx, tree, scope, plus)


@means(Minus)
def on_minus(ctx: Context, tree: Minus, scope: Scope) -> Meaning:
    def minus(a: Value, b: Value) -> Value:
        a, b = alike(ctx, a, b, tree)
        operand = ctx.emit.value("subtract", a.operand, b.operand)
        return in_range(ctx, operand, a.low - b.high, a.high - b.low, tree, a.type)

    return reckoned(ctx, tree, scope, minus)


@means(Times)
def on_times(ctx: Context, tree: Times, scope: Scope) -> Meaning:
    def times(a: Value, b: Value) -> Value:
        if a.type == b.type == FRACTION:
            message = "One of the two must be a whole number: two fractions make one that is too small to keep."
            raise ctx.wrong(tree, "fraction", message, "Say how one is rounded, as in '(…) / 1 rounded down'.")
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        operand = ctx.emit.value("multiply", a.operand, b.operand)
        type_ = FRACTION if FRACTION in (a.type, b.type) else NUMBER
        return in_range(ctx, operand, min(corners), max(corners), tree, type_)

    return reckoned(ctx, tree, scope, times)


def reckoned(ctx: Context, tree: Arithmetic, scope: Scope, combine: Callable[[Value, Value], Value]) -> Meaning:
    """What two numbers make; or, for every word, two amounts, or amounts and a number."""
    tell_end_of_where(ctx, tree)
    both = tree.left, tree.right
    first, second = (ctx.meaning(each, scope, "", NUMBER.base) for each in both)
    if isinstance(first, Amounts) or isinstance(second, Amounts):
        scalar = ctx.scalar

        def in_place(a: Value, b: Value) -> Value:
            with ctx.reading(scalar):
                return combine(a, b)

        return amounts.combined(ctx, *amounts.alike(ctx, tree, first, second), in_place)
    numbers = []
    for meaning, child in zip((first, second), both, strict=True):
        numbers.append(ctx.single(meaning, child))
        if numbers[-1].type != FRACTION:
            ctx.demand(numbers[-1].type, NUMBER, child)
    return combine(*numbers)


def in_range(ctx: Context, operand: int, low: int, high: int, tree: Node, type_: Type = NUMBER) -> Value:
    """A result that may not leave the 32 bits that numbers have."""
    if low < -UNBOUNDED or high > UNBOUNDED:
        checked = ctx.emit.register()
        ctx.emit.op("checked", checked >> 1, operand, ctx.source_place(tree))
        operand = checked
    return Value(type_, operand, bounded(low), bounded(high))


@means(Divided)
def on_over(ctx: Context, tree: Divided, scope: Scope) -> Meaning:
    operation = "divide_up" if tree.rounded == "up" else "divide_down"

    def over(a: Value, b: Value) -> Value:
        a, b = alike(ctx, a, b, tree)
        result = ctx.emit.register()
        ctx.emit.op(operation, result >> 1, a.operand, b.operand, ctx.source_place(tree))
        largest = max(abs(a.low), abs(a.high))
        return Value(NUMBER, result, -largest, largest)

    return reckoned(ctx, tree, scope, over)


@means(Remainder)
def on_remainder(ctx: Context, tree: Remainder, scope: Scope) -> Value:
    """What is left of a number by so many at a time: less than the divisor, and of its sign."""
    first, second = ctx.reckoning(tree.left, scope), ctx.reckoning(tree.right, scope)
    a, b = alike(ctx, first, second, tree)
    times = ctx.emit.register()
    ctx.emit.op("divide_down", times >> 1, a.operand, b.operand, ctx.source_place(tree))
    left = ctx.emit.value("subtract", a.operand, ctx.emit.value("multiply", times, b.operand))
    return Value(a.type, left, min(0, bounded(b.low + 1)), max(0, bounded(b.high - 1)))


@means(NumberOf)
def on_number_of(ctx: Context, tree: NumberOf, scope: Scope) -> Value:
    """Of amounts, all together."""
    counted = ctx.group(tree.things, scope, reckoned=True)
    return amounts.how_many(ctx, counted) if isinstance(counted, Amounts) else ctx.size(counted)


@means(Total)
def on_total(ctx: Context, tree: Total, scope: Scope) -> Meaning:
    """total price of hand; total goods for wood of seats; total price of fields, of which each has amounts."""
    name, argument = tree.name, tree.argument
    group = ctx.group(tree.things, scope)
    bounds = [0, 0]
    if argument is not None:
        looked_up = Lookup(Path("its", (name,)).at(tree.span), argument).at(tree.span)
        return total_of(ctx, group, tree, lambda item: ctx.reckoning(looked_up, scope.within(item)))
    if canonical(name.text) in amounts.names_of_amounts(ctx) and (every := amounts_of(ctx, group, name, scope)):
        return every
    called = owned_names.called(ctx, name, group.type, scope)
    if group.type.base == "piece" and (column := attributes.attribute_table(ctx, group.type, called)):
        table, type_, *bounds = column
        ctx.demand(type_, NUMBER, name)
        total = ctx.tally(group, table)
    else:
        return total_of(ctx, group, tree, lambda item: figure_named(ctx, item, name, scope))
    low, high = (bound * group.capacity for bound in bounds)
    return in_range(ctx, total, min(0, low), max(0, high), tree)


def figure_named(ctx: Context, item: Value, name: Name, scope: Scope) -> Value:
    figure = ctx.single(name_resolution.possession(ctx, item, name, scope), name)
    if figure.type != FRACTION:
        ctx.demand(figure.type, NUMBER, name)
    return figure


def total_of(ctx: Context, group: Group, tree: Total, figure_of: Callable[[Value], Value]) -> Value:
    """The sum of what each member has."""
    total, bounds, type_ = ctx.emit.variable(ZERO), [0, 0], NUMBER

    def body(item: int) -> None:
        nonlocal type_
        figure = figure_of(ctx.element(group, item))
        type_ = figure.type
        ctx.emit.change("add", total, total, figure.operand)
        bounds[:] = [figure.low, figure.high]

    group.walk(body, None)
    low, high = (bound * group.capacity for bound in bounds)
    return in_range(ctx, total, min(0, low), max(0, high), tree, type_)


def amounts_of(ctx: Context, group: Group, name: Name, scope: Scope) -> Amounts | None:
    """The sum of what each member has, if that is amounts."""
    if (known := (canonical(name.text), one_of(group.type))) in ctx.single_numbers:
        return None
    with ctx.emit.unwritten():
        sample = name_resolution.possession(ctx, ctx.element(group, ctx.emit.register()), name, scope)
    if not isinstance(sample, Amounts):
        ctx.single_numbers.add(known)
        return None
    scalar = ctx.scalar

    def of(item: int) -> Amounts:
        with ctx.reading(scalar):
            found = name_resolution.possession(ctx, ctx.element(group, item), name, scope)
        assert isinstance(found, Amounts)
        return found

    return amounts.total(ctx, group, of, sample.words)


@means(Extreme)
def on_extreme(ctx: Context, tree: Extreme, scope: Scope) -> Value:
    """highest price among opponents; 0 where there is nobody."""
    figures, found = figures_of(ctx, ctx.group(tree.things, scope), tree.figure, scope, ctx.reckoning)
    best = ctx.emit.register()
    ctx.emit.op("greatest" if tree.which == "highest" else "smallest", best >> 1, figures)
    return Value(found.type, best, found.low, found.high)


def figures_of(
    ctx: Context,
    group: Group,
    figure_tree: Expression,
    scope: Scope,
    number: Callable[[Expression, Scope], Value],
) -> tuple[int, Value]:
    """A figure of each member, as a vector; and one of them with the bounds of all and 0. number: what gives one."""
    found = Value(NUMBER, ZERO, 0, 0)
    figures = ctx.emit.vector()
    ctx.emit.op("vector", figures)

    def body(item: int) -> None:
        nonlocal found
        figure = number(figure_tree, scope.within(ctx.element(group, item)))
        found = Value(figure.type, figure.operand, min(0, figure.low), max(0, figure.high))
        ctx.emit.op("push", figures, figure.operand)

    group.walk(body, None)
    return figures, found


@means(LongestRun)
def on_longest_run(ctx: Context, tree: LongestRun, scope: Scope) -> Value:
    """longest run of value among hand: how many numbers there are one after the other."""
    group = ctx.group(tree.things, scope)
    figures, _ = figures_of(ctx, group, tree.figure, scope, ctx.number)
    longest = ctx.emit.register()
    ctx.emit.op("longest_run", longest >> 1, figures)
    return Value(NUMBER, longest, 0, group.capacity)


@means(ExtremeOf)
def on_extreme_of(ctx: Context, tree: ExtremeOf, scope: Scope) -> Value:
    """highest of (1, gold - 3)"""
    values = [ctx.reckoning(part, scope) for part in tree.parts]
    if FRACTION in (value.type for value in values):
        values = [ctx.in_parts(value, child) for value, child in zip(values, tree.parts, strict=True)]
    best = ctx.emit.variable(values[0].operand)
    for value in values[1:]:
        pair = (best, value.operand) if tree.which == "highest" else (value.operand, best)
        with ctx.emit.when(ctx.emit.value("less", *pair)):
            ctx.emit.assign(best, value.operand)
    pick = max if tree.which == "highest" else min
    return Value(values[0].type, best, pick(v.low for v in values), pick(v.high for v in values))


@means(PossessionOf)
def on_possession_of(ctx: Context, tree: PossessionOf, scope: Scope) -> Meaning:
    """(first 1 of hand)'s value"""
    whose = tree.owner
    meaning = ctx.meaning(whose, scope)
    for name in tree.names:
        meaning = name_resolution.possession(ctx, ctx.sure(ctx.single(meaning, whose), whose), name, scope)
    return meaning


def _proven(relation: str, a: Value, b: Value) -> tuple[int, int]:
    """The least and the greatest that a comparison can come to, by the bounds of what it compares."""
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
