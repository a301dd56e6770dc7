"""What can still become a group: what has to hold for every part of a set for which a yes/no figure holds, such as that
all are of one suit. So a set of which nothing can come is not added to."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lark import Token, Tree

from rulewright.compiler import figures
from rulewright.compiler.context import Context
from rulewright.compiler.meaning import SEAT, Group, Scope
from rulewright.model.declarations import Figure, canonical
from rulewright.program.form import Type

_AT_MOST = {"is": "is at most", "are": "is at most"} | dict.fromkeys(
    ("is at most", "are at most", "is less than", "are less than"), ""
)
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
        tree = ctx.parse(figure.body, "value")
        scope = figures.owned(ctx, figure.name, figure.of, owner)
        scope.bind(name := figure.parameters[0][0], lambda: members)
        found = of_parts(ctx, tree, name, owner, scope)
    if found is None:
        return None

    def read(scope: Scope) -> int:
        with ctx.reading(figure.body):
            return found(scope)

    return read


def of_parts(ctx: Context, tree: Tree[Token], name: str, owner: int | None, all_: Scope) -> Condition | None:
    """The same of a condition on the set that is called `name` in it. all_: where that is all members."""
    if not speaks_of(tree, name):
        return lambda scope: ctx.truth(tree, scope)
    match tree.data, tree.children:
        case "or_", [Tree() as one, Tree() as other]:
            first, second = of_parts(ctx, one, name, owner, all_), of_parts(ctx, other, name, owner, all_)
            return partial(either, ctx, first, second) if first and second else None
        case "and_", [Tree() as one, Tree() as other]:
            first, second = of_parts(ctx, one, name, owner, all_), of_parts(ctx, other, name, owner, all_)
            return partial(each_of, ctx, first, second) if first and second else first or second
        case "compare", [Tree() as number, Token() as sign, Tree() as limit]:
            relation = _AT_MOST.get(" ".join(sign.split()))
            if all_alike(number, limit, name) and relation == _AT_MOST["is"]:
                return lambda scope: ctx.truth(tree, scope)
            if relation is not None and never_falls(ctx, number, name, all_) and not speaks_of(limit, name):
                kept: Tree[Token] = Tree("compare", [number, Token("COMPARE", relation or str(sign)), limit])
                return lambda scope: ctx.truth(kept, scope)
        case "quantified", [Tree(children=[Token() as quantifier]), those, Tree() as condition]:
            if str(quantifier) != "any" and grows(those, name) and not speaks_of(condition, name):
                return lambda scope: ctx.truth(tree, scope)
        case "lookup", [Tree(data="path", children=[None, Token() as called]), Tree() as told]:
            if is_it(told, name):
                return of_other(ctx, ctx.figures.get(canonical(str(called))), name, owner, all_)
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


def speaks_of(tree: Tree[Token], name: str) -> bool:
    tokens = tree.scan_values(lambda value: isinstance(value, Token) and value.type == "NAME")
    return any(canonical(str(token)) == canonical(name) for token in tokens)


def is_it(tree: object, name: str) -> bool:
    return isinstance(tree, Tree) and tree.data == "path" and speaks_of(tree, name) and len(tree.children) == 2


def grows(tree: object, name: str) -> bool:
    """Whether a set can only grow when something is added to the one that is called so."""
    if is_it(tree, name):
        return True
    match tree:
        case Tree(data="images", children=[_, those]):
            return grows(those, name)
        case Tree(data="where", children=[those, Tree() as condition]):
            return grows(those, name) and not speaks_of(condition, name)
    return False


def never_falls(ctx: Context, tree: Tree[Token], name: str, all_: Scope) -> bool:
    """Whether a number can only rise when something is added."""
    match tree:
        case Tree(data="total", children=[_, None, those]) if grows(those, name):
            with ctx.emit.unwritten():
                return ctx.value(tree, all_).low >= 0
        case Tree(data="number_of", children=[those]):
            return grows(those, name)
        case Tree(data="longest_run", children=[Tree() as figure, those]):
            return grows(those, name) and not speaks_of(figure, name)
    return False


def all_alike(tree: Tree[Token], limit: Tree[Token], name: str) -> bool:
    """Whether it is all of the set that is compared with its largest group of equals, as `number of those` with
    `number of group 1 of those by value`."""
    match tree, limit:
        case (
            Tree(data="number_of", children=[Tree(data="group_of", children=[Tree(data="number"), those, _])]),
            Tree(data="number_of", children=[all_]),
        ):
            return is_it(those, name) and is_it(all_, name)
    return False
