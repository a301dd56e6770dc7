"""Sets: chosen, joined, filtered, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lark import Token, Tree

from rulewright.compiler import attributes, belongings, names
from rulewright.compiler.context import SET, Context
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.meaning import NUMBER, SEAT, Group, Scope, Value, described
from rulewright.compiler.senses import ATTRIBUTE, WORD, meant, tell_first_of_all, tell_where_of_both
from rulewright.model.declarations import canonical
from rulewright.program.form import Type


def on_where(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    group_tree, condition = tree.children
    tell_first_of_all(ctx, tree)
    tell_where_of_both(ctx, tree)
    group = ctx.group(group_tree, scope)
    scalar = ctx.scalar
    if looked_up := attribute_is(ctx, group, condition, scope):
        return looked_up

    def keep(item: int) -> int:
        with ctx.reading(scalar):
            return ctx.truth(condition, scope.within(ctx.element(group, item)))

    return ctx.filtered(group, keep)


def attribute_is(ctx: Context, group: Group, condition: Tree[Token] | Token, scope: Scope) -> Group | None:
    """For `where suit is trump`, the quick way: one look into a table for each piece."""
    if group.type.base != "piece" or not isinstance(condition, Tree) or condition.data != "compare":
        return None
    left, operator, right = condition.children
    if not isinstance(left, Tree) or not isinstance(right, Tree) or str(operator) not in ("is", "are"):
        return None
    if left.data != "path" or len(left.children) != 2 or str(left.children[0]) == "my":
        return None
    own, token = left.children
    item = ctx.element(group, NONE)
    assert isinstance(token, Token)
    here = scope.within(item)
    name = canonical(str(token))
    senses = (
        belongings.senses_of(ctx, item, name, here)
        if own is not None
        else names.senses_of_name(ctx, token, "", here, "")
    )
    sense = meant(ctx, token, senses, NUMBER.base if right.data == "number" else "")
    if sense is None or sense.sort != ATTRIBUTE:
        return None
    found = attributes.attribute_table(ctx, group.type, sense.name)
    if found is None or not (right.data == "number" or stays(ctx, right, here, str(found[1].detail))):
        return None
    value = ctx.value(right, scope, found[1])
    if value.type == NUMBER:
        ctx.notice(condition, None if value.low <= found[3] and found[2] <= value.high else 0)
    return ctx.selected(group, found[0], value.operand)


def stays(ctx: Context, path: Tree[Token], scope: Scope, expect: str) -> bool:
    """Whether a path means the same whatever the item is."""
    if path.data != "path" or str(path.children[0]) == "its" or scope.item is None:
        return False
    own, token, *_ = path.children
    assert isinstance(token, Token)
    if canonical(str(token)) not in map(canonical, ["it", *belongings.things_of(ctx, scope.item.type)]):
        return True
    sense = meant(ctx, token, names.senses_of_name(ctx, token, str(own or ""), scope, expect), "word" if expect else "")
    return sense is not None and sense.sort == WORD


def on_best(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    group_tree, extreme, figure = tree.children
    tell_first_of_all(ctx, tree)
    return best_of(ctx, ctx.group(group_tree, scope), str(extreme), figure, scope)


def on_best_where(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    group_tree, condition, extreme, figure = tree.children
    where: Tree[Token] = Tree("where", [group_tree, condition], tree.meta)
    return best_of(ctx, on_where(ctx, where, scope), str(extreme), figure, scope)


def best_of(ctx: Context, group: Group, extreme: str, figure_tree: Tree[Token] | Token, scope: Scope) -> Group:
    """All the members that have the highest (lowest) figure."""
    scalar = ctx.scalar

    def make() -> int:
        with ctx.reading(scalar):
            vector, best = ctx.emit.vector(), ctx.emit.variable(ZERO)
            ctx.emit.op("vector", vector)

            def body(item: int) -> None:
                figure = ctx.reckoning(figure_tree, scope.within(ctx.element(group, item)))
                pair = (best, figure.operand) if extreme == "highest" else (figure.operand, best)
                size = ctx.emit.register()
                ctx.emit.op("length", size >> 1, vector)
                better = ctx.emit.variable(ctx.emit.value("equal", size, ZERO))
                with ctx.emit.when(ctx.emit.negated(better)):
                    ctx.emit.assign(better, ctx.emit.value("less", *pair))
                with ctx.emit.when(better):
                    ctx.emit.op("vector", vector)
                    ctx.emit.assign(best, figure.operand)
                with ctx.emit.when(ctx.emit.value("equal", figure.operand, best)):
                    ctx.emit.op("push", vector, item)

            group.walk(body, None)
            return vector

    return ctx.listed(group.type, group.capacity, make)


def on_union(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    first, second = (ctx.group(child, scope) for child in tree.children)
    if first.type.base != second.type.base:
        raise ctx.wrong(tree, "type", f"This joins {described(first.type)} and {described(second.type)}.")
    type_ = first.type
    if type_.base == "piece":
        type_ = Type("piece", ctx.kinds_in(first.type) | ctx.kinds_in(second.type), True)

    apart = apart_from(ctx, first, second)

    def make() -> int:
        one, other, both = ctx.vector(first), ctx.vector(second), ctx.emit.vector()
        ctx.emit.op("join" if apart else "unite", both, one, other)
        return both

    both = ctx.listed(type_, first.capacity + second.capacity, make)
    if not (apart and first.all_of and second.all_of):
        return both

    def count() -> int:
        return ctx.emit.value("add", ctx.size(first).operand, ctx.size(second).operand)

    return replace(both, all_of=(*first.all_of, *second.all_of), count=count)


def apart_from(ctx: Context, first: Group, second: Group) -> bool:
    """Whether nothing can be in both."""
    if first.type.base == "piece" and not ctx.kinds_in(first.type) & ctx.kinds_in(second.type):
        return True
    ones, others = ({place.zone.name for place in group.all_of if place.zone} for group in (first, second))
    return bool(ones) and bool(others) and not ones & others


def on_some_of(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    end, amount_tree, group_tree = tree.children
    amount = ctx.number(amount_tree, scope)
    group = _with_an_end(ctx, end, group_tree, scope)
    from_end = str(end) in ("top", "last")

    def make() -> int:
        vector, taken = ctx.vector(group), ctx.emit.vector()
        ctx.emit.op("back" if from_end else "front", taken, vector, amount.operand)
        return taken

    return ctx.listed(group.type, max(0, min(group.capacity, amount.high)), make)


def _with_an_end(ctx: Context, end: Tree[Token] | Token, tree: Tree[Token] | Token, scope: Scope) -> Group:
    """What some are taken of: 'last 1 of row's colour' asks for the last of one colour, and means that of one piece."""
    meaning = ctx.everyone(tree, scope) or ctx.meaning(tree, scope, "", SET)
    whose, owned, what = ctx.written(tree).rpartition("'s ")
    if owned and isinstance(meaning, Value) and meaning.type.base in ("number", "fraction", "truth", "word"):
        raise ctx.wrong(
            tree,
            "type",
            f"This is {described(meaning.type)}: one thing, of which there is no {end}.",
            f"Say '({end} 1 of {whose})'s {what}'; or give the piece a name, with 'let … be {end} 1 of {whose}'.",
        )
    return ctx.grouped(meaning, tree)


def on_next_of(ctx: Context, tree: Tree[Token], scope: Scope) -> Value:
    """The first member clockwise after a seat; the seat itself comes last; nobody if there is none."""
    group = ctx.group(tree.children[0], scope, "seat")
    after = ctx.sure(ctx.value(tree.children[1], scope, SEAT), tree.children[1])
    best, distance = ctx.emit.variable(NONE), ctx.emit.variable(constant(ctx.plan.seats + 1))

    def body(seat: int) -> None:
        steps = clockwise_distance(ctx, ctx.emit.value("add", after.operand, ONE), seat)
        with ctx.emit.when(ctx.emit.value("less", steps, distance)):
            ctx.emit.assign(distance, steps)
            ctx.emit.assign(best, seat)

    group.walk(body, None)
    return Value(SEAT, best, maybe=True)


def clockwise_distance(ctx: Context, start: int, seat: int) -> int:
    """Steps clockwise from `start` (which may be one beyond the last seat) to `seat`."""
    seats = ctx.plan.seats
    steps = ctx.emit.value("add", ctx.emit.value("subtract", seat, start), constant(seats))
    return ctx.emit.look_up(ctx.plan.table(tuple(n % seats for n in range(2 * seats + 1))), steps)


def clockwise_from(ctx: Context, start: int, members: Sequence[int]) -> int:
    """Some seats clockwise from `start`, as a vector."""
    seats = range(ctx.plan.seats)
    rows = [member for first in seats for member in sorted(members, key=lambda seat: (seat - first) % len(seats))]
    return ctx.row(tuple(rows), start, len(members))


def on_left_of(ctx: Context, tree: Tree[Token], scope: Scope) -> Value:
    seat = ctx.sure(ctx.value(tree.children[0], scope, SEAT), tree.children[0])
    seats = ctx.plan.seats
    left = tuple((n + 1) % seats for n in range(seats))
    return Value(SEAT, ctx.emit.look_up(ctx.plan.table((*left, -1)), seat.operand))


def on_group_of(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    """group 2 of tricks by suit: the members of the second largest group of equals."""
    rank_tree, group_tree, name = tree.children
    assert isinstance(name, Token)
    rank = ctx.number(rank_tree, scope)
    group = ctx.group(group_tree, scope)

    def make() -> int:
        vector, keys, members = ctx.vector(group), ctx.emit.vector(), ctx.emit.vector()
        begin = len(ctx.emit.code)
        ctx.emit.op("vector", keys)
        with ctx.emit.each(vector) as item:
            key = ctx.single(names.possession(ctx, ctx.element(group, item), name, scope), name)
            ctx.emit.op("push", keys, key.operand)
        ctx.emit.looked_up(begin)
        ctx.emit.op("largest_group", members, vector, keys, rank.operand)
        return members

    make_checked = make
    return ctx.listed(group.type, group.capacity, make_checked)
