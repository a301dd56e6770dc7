"""What can still become a group: what has to hold for every part of a set for which a yes/no figure holds, such as that
all are of one suit. So a set of which nothing can come is not added to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulewright.compiler import figures
from rulewright.compiler.context import Context
from rulewright.compiler.typed_values import SEAT, Group, Scope
from rulewright.model.declarations import Figure, canonical
from rulewright.program.form import Type
from rulewright.syntax import sentences
from rulewright.syntax.tree import (
    And,
    Compare,
    Expression,
    GroupOf,
    Images,
    LongestRun,
    Lookup,
    Name,
    Node,
    Number,
    NumberOf,
    Or,
    Path,
    Quantified,
    Relation,
    Total,
    Where,
)

_AT_MOST: dict[Relation, Relation] = {"": "at most", "at most": "at most", "less than": "less than"}
"""Comparisons that hold for every part of a set if they hold for all of it, where the number never falls when
something is added; and what is left of them for parts."""

Condition = Callable[[Scope], int]
"""Writes whether something holds of the set that a scope knows by the figure's name for it."""


def is_grouping(ctx: Context, name: str) -> bool:
    """Whether there is a figure of that name that is told one set."""
    figure = ctx.figures.get(name)
    return figure is not None and len(figure.parameters) == 1 and told_set(ctx, figure) is not None


def told_set(ctx: Context, figure: Figure) -> Type | None:
    """The type of the set that a figure is told; None if it is told something else."""
    type_ = figures.declared_type(ctx, figure.parameters[0][1])
    return type_ if type_.many else None


def told_of(ctx: Context, figure: Figure, owner: int | None, condition: Condition, group: Group) -> int:
    scope = figures.owned(ctx, figure.name, figure.of, owner)
    scope.bind(figure.parameters[0][0], lambda: group)
    return condition(scope)


def partly(ctx: Context, figure: Figure, owner: int | None, members: Group) -> Condition | None:
    """What holds for every part of a set of some members for which a figure holds; None if nothing is known."""
    if figure.cases or figure.name in ctx.outline.changes or figure.name in ctx.figures_open:
        return None
    with ctx.within_figures((*ctx.figures_open, figure.name)), ctx.reading(figure.body):
        tree = ctx.parse(figure.body, sentences.value)
        scope = figures.owned(ctx, figure.name, figure.of, owner)
        scope.bind(name := figure.parameters[0][0], lambda: members)
        found = of_parts(ctx, tree, name, owner, scope)
    if found is None:
        return None

    def read(scope: Scope) -> int:
        with ctx.reading(figure.body):
            return found(scope)

    return read


def of_parts(ctx: Context, tree: Expression, name: str, owner: int | None, all_: Scope) -> Condition | None:
    """The same of a condition on the set that is called `name` in it. all_: where that is all members."""
    if not speaks_of(tree, name):
        return lambda scope: ctx.truth(tree, scope)
    match tree:
        case Or():
            first, second = of_parts(ctx, tree.left, name, owner, all_), of_parts(ctx, tree.right, name, owner, all_)
            return partial(either, ctx, first, second) if first and second else None
        case And():
            first, second = of_parts(ctx, tree.left, name, owner, all_), of_parts(ctx, tree.right, name, owner, all_)
            return partial(each_of, ctx, first, second) if first and second else first or second
        case Compare(left=number, right=limit):
            if tree.relation == "" and all_alike(number, limit, name):
                return lambda scope: ctx.truth(tree, scope)
            relation = _AT_MOST.get(tree.relation)
            if relation is not None and never_falls(ctx, number, name, all_) and not speaks_of(limit, name):
                left = Compare(number, relation, limit)
                return lambda scope: ctx.truth(left, scope)
        case Quantified(things=those, condition=condition):
            if tree.quantifier != "any" and grows(those, name) and not speaks_of(condition, name):
                return lambda scope: ctx.truth(tree, scope)
        case Lookup(figure=Path(own=None, names=(called,)), arguments=told):
            if is_it(told, name):
                return of_other(ctx, ctx.figures.get(canonical(called.text)), name, owner, all_)
    return None


def of_other(ctx: Context, figure: Figure | None, name: str, owner: int | None, all_: Scope) -> Condition | None:
    """The same of another figure that is told the same set."""
    if figure is None or not is_grouping(ctx, canonical(figure.name)):
        return None
    if figure.of not in ("", SEAT.base) or (figure.of and owner is None):
        return None
    own, members = owner if figure.of else None, all_.names[name]()
    assert isinstance(members, Group)
    found = partly(ctx, figure, own, members)

    def handed(scope: Scope) -> int:
        assert found is not None
        group = scope.names[name]()
        assert isinstance(group, Group)
        return told_of(ctx, figure, own, found, group)

    return handed if found is not None else None


def either(ctx: Context, one: Condition, other: Condition, scope: Scope) -> int:
    result = ctx.emit.variable(one(scope))
    with ctx.emit.when(ctx.emit.negated(result)):
        ctx.emit.assign(result, other(scope))
    return result


def each_of(ctx: Context, one: Condition, other: Condition, scope: Scope) -> int:
    result = ctx.emit.variable(one(scope))
    with ctx.emit.when(result):
        ctx.emit.assign(result, other(scope))
    return result


def speaks_of(tree: Node, name: str) -> bool:
    """Whether a name stands anywhere in a tree."""
    return any(canonical(each.text) == canonical(name) for each in tree.find(Name))


def is_it(tree: Node, name: str) -> bool:
    """Whether a tree is nothing but a name."""
    return isinstance(tree, Path) and len(tree.names) == 1 and speaks_of(tree, name)


def grows(tree: Expression, name: str) -> bool:
    """Whether a set can only grow when something is added to the one that is called so."""
    match tree:
        case Path():
            return is_it(tree, name)
        case Images():
            return grows(tree.things, name)
        case Where():
            return grows(tree.things, name) and not speaks_of(tree.condition, name)
    return False


def never_falls(ctx: Context, tree: Expression, name: str, all_: Scope) -> bool:
    """Whether a number can only rise when something is added."""
    match tree:
        case Total(argument=None) if grows(tree.things, name):
            with ctx.emit.unwritten():
                return ctx.value(tree, all_).low >= 0
        case NumberOf():
            return grows(tree.things, name)
        case LongestRun():
            return grows(tree.things, name) and not speaks_of(tree.figure, name)
    return False


def all_alike(number: Expression, limit: Expression, name: str) -> bool:
    """Whether it is all of the set that is compared with its largest group of equals, as `number of those` with
    `number of group 1 of those by value`."""
    match number, limit:
        case NumberOf(things=GroupOf(rank=Number(), things=those)), NumberOf(things=all_):
            return is_it(those, name) and is_it(all_, name)
    return False
