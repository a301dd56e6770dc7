"""Conditions that every part of a valid group meets, such as 'all of one suit', to prune the search for groups."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulewright.compiler import figures
from rulewright.compiler.context import Context
from rulewright.compiler.scopes import Scope
from rulewright.compiler.typed_expressions import compile_truth, compile_value
from rulewright.compiler.typed_values import SEAT, MemberSet
from rulewright.model.declarations import Figure, canonical
from rulewright.program.instructions import ZERO
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.condition_nodes import And, Compare, Or, Quantified
from rulewright.syntax.expression_nodes import Expression, Lookup, Path
from rulewright.syntax.number_nodes import LongestRun, Number, NumberOf, Total
from rulewright.syntax.set_nodes import GroupOf, Images, Where
from rulewright.syntax.tree import Name, Node, Relation

_RELATION_FOR_PARTS: dict[Relation, Relation] = {"": "at most", "at most": "at most", "less than": "less than"}
"""Comparisons of a number that never decreases when a member is added -> the comparison that holds for every part."""

SetCondition = Callable[[Scope], int]
"""Function that emits whether something holds of the set that a scope binds to the name of a figure's parameter."""


def is_group_figure(ctx: Context, name: str) -> bool:
    """Whether there is a figure of that name, canonical, with one parameter, a set."""
    figure = ctx.names.figures.get(name)
    return figure is not None and len(figure.parameters) == 1 and set_parameter(ctx, figure) is not None


def set_parameter(ctx: Context, figure: Figure) -> Type | None:
    """Return the type of a figure's first parameter if it is a set, else None. Raises ReportedError for a wrong
    type."""
    type_ = figures.declared_type(ctx, figure.parameters[0][1])
    return type_ if type_.many else None


def emit_condition_on(
    ctx: Context, figure: Figure, owner: int | None, condition: SetCondition, group: MemberSet
) -> int:
    """Emit a condition with a set bound to the figure's parameter. owner: operand of the figure's owner, or None."""
    scope = figures.owner_scope(ctx, figure.name, figure.of, owner)
    scope.bind(figure.parameters[0][0], lambda: group)
    return condition(scope)


def part_condition(ctx: Context, figure: Figure, owner: int | None, members: MemberSet) -> SetCondition | None:
    """Return a condition that holds for every part of a set of members for which a figure holds; None if none is known.
    owner: as in `emit_condition_on`."""
    if figure.cases or figure.name in ctx.analysis.changes or figure.name in ctx.open_figures:
        return None
    with ctx.within_figures((*ctx.open_figures, figure.name)), ctx.reading(figure.body):
        tree = ctx.parse(figure.body, sentences.value)
        scope = figures.owner_scope(ctx, figure.name, figure.of, owner)
        scope.bind(name := figure.parameters[0][0], lambda: members)
        condition = part_condition_of(ctx, tree, name, owner, scope)
    if condition is None:
        return None

    def read(scope: Scope) -> int:
        with ctx.reading(figure.body):
            return condition(scope)

    return read


def part_condition_of(
    ctx: Context, expression: Expression, name: str, owner: int | None, all_: Scope
) -> SetCondition | None:
    """Return a condition like `part_condition`, for a condition on the set called `name`; None if none is known. all_:
    scope where that is all members."""
    if not mentions(expression, name):
        return lambda scope: compile_truth(ctx, expression, scope)
    match expression:
        case Or():
            first, second = (
                part_condition_of(ctx, expression.left, name, owner, all_),
                part_condition_of(ctx, expression.right, name, owner, all_),
            )
            return partial(emit_or, ctx, first, second) if first and second else None
        case And():
            first, second = (
                part_condition_of(ctx, expression.left, name, owner, all_),
                part_condition_of(ctx, expression.right, name, owner, all_),
            )
            return partial(emit_and, ctx, first, second) if first and second else first or second
        case Compare(left=number, right=limit):
            if expression.relation == "" and compares_with_largest_group(number, limit, name):
                return lambda scope: compile_truth(ctx, expression, scope)
            relation = _RELATION_FOR_PARTS.get(expression.relation)
            if relation is not None and can_only_rise(ctx, number, name, all_) and not mentions(limit, name):
                left = Compare(number, relation, limit)
                return lambda scope: compile_truth(ctx, left, scope)
        case Quantified(things=things, condition=condition):
            if expression.quantifier != "any" and can_only_grow(things, name) and not mentions(condition, name):
                return lambda scope: compile_truth(ctx, expression, scope)
        case Lookup(figure=Path(own=None, names=(figure_name,)), arguments=arguments):
            if is_only_name(arguments, name):
                return part_condition_of_lookup(
                    ctx, ctx.names.figures.get(canonical(figure_name.text)), name, owner, all_
                )
    return None


def part_condition_of_lookup(
    ctx: Context, figure: Figure | None, name: str, owner: int | None, all_: Scope
) -> SetCondition | None:
    """Return a condition like `part_condition`, for another figure of the same set, which `name` means in `all_`; None
    if none is known."""
    if figure is None or not is_group_figure(ctx, canonical(figure.name)):
        return None
    if figure.of not in ("", SEAT.base) or (figure.of and owner is None):
        return None
    own, members = owner if figure.of else None, all_.names[name]()
    assert isinstance(members, MemberSet)
    condition = part_condition(ctx, figure, own, members)

    def bound(scope: Scope) -> int:
        assert condition is not None
        group = scope.names[name]()
        assert isinstance(group, MemberSet)
        return emit_condition_on(ctx, figure, own, condition, group)

    return bound if condition is not None else None


def emit_or(ctx: Context, one: SetCondition, other: SetCondition, scope: Scope) -> int:
    """Emit whether one of two conditions holds."""
    result = ctx.emit.new_variable(one(scope))
    with ctx.emit.if_true(ctx.emit.negate(result)):
        ctx.emit.assign(result, other(scope))
    return result


def emit_and(ctx: Context, one: SetCondition, other: SetCondition, scope: Scope) -> int:
    """Emit whether both conditions hold."""
    result = ctx.emit.new_variable(one(scope))
    with ctx.emit.if_true(result):
        ctx.emit.assign(result, other(scope))
    return result


def mentions(node: Node, name: str) -> bool:
    """Whether a tree contains a name, in the singular or plural."""
    return any(canonical(each.text) == canonical(name) for each in node.find(Name))


def is_only_name(node: Node, name: str) -> bool:
    """Whether a tree is nothing but a name."""
    return isinstance(node, Path) and len(node.names) == 1 and mentions(node, name)


def can_only_grow(expression: Expression, name: str) -> bool:
    """Whether a set can only grow when something is added to the one called `name`."""
    match expression:
        case Path():
            return is_only_name(expression, name)
        case Images():
            return can_only_grow(expression.things, name)
        case Where():
            return can_only_grow(expression.things, name) and not mentions(expression.condition, name)
    return False


def can_only_rise(ctx: Context, expression: Expression, name: str, all_: Scope) -> bool:
    """Whether a number can only rise when something is added to the set called `name`. all_: scope where that is all
    members."""
    match expression:
        case Total(argument=None) if can_only_grow(expression.things, name):
            with ctx.emit.if_true(ZERO):
                return compile_value(ctx, expression, all_).low >= 0
        case NumberOf():
            return can_only_grow(expression.things, name)
        case LongestRun():
            return can_only_grow(expression.things, name) and not mentions(expression.figure, name)
    return False


def compares_with_largest_group(number: Expression, limit: Expression, name: str) -> bool:
    """Whether a comparison says that all of the set are equal: `number of group 1 of those by value is number of
    those`."""
    match number, limit:
        case NumberOf(things=GroupOf(rank=Number(), things=things)), NumberOf(things=all_):
            return is_only_name(things, name) and is_only_name(all_, name)
    return False
