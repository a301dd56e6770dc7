"""Operations on sets while a game runs: members as vectors, sizes, tests, filters, sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from rulewright.compiler.context import Context
from rulewright.compiler.dead_iterations import effective_members
from rulewright.compiler.typed_values import NUMBER, Amounts, Meaning, MemberSet, Value, ZoneSet, kinds_in, set_of
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.program.value_types import Type


def as_set(ctx: Context, meaning: Meaning) -> MemberSet:
    """Return a set; one value is a set of one, or, if it turns out to be nothing, of none. Emits nothing."""
    if isinstance(meaning, MemberSet):
        return meaning
    only = meaning.operand
    sure = meaning.type != NUMBER and ctx.emit.is_present(only)

    def make() -> int:
        return ctx.emit.compute_vector("one", only)

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        if sure and stop is None:
            body(only)
        else:
            with ctx.emit.each(make()) as item:
                body(item)

    return MemberSet(set_of(meaning.type), 1, walk, make, single_operand=only if meaning.type != NUMBER else None)


def empty_vector(ctx: Context) -> int:
    """Emit an empty vector."""
    return ctx.emit.compute_vector("vector")


def vector_of(ctx: Context, members: MemberSet) -> int:
    """Emit the members as they are now, as a vector that must not be changed."""
    if members.vector is not None:
        return members.vector()
    vector = empty_vector(ctx)
    members.walk(lambda item: ctx.emit.op("push", vector, item), None)
    return vector


def group_from_vector(ctx: Context, type_: Type, capacity: int, make: Callable[[], int]) -> MemberSet:
    """Return a set whose members `make` emits as a vector, anew at each use; this call emits nothing. capacity: proven
    bound of its size."""

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        with ctx.emit.each(make()) as item:
            body(item)

    if type_.base == "amount":
        several = set_of(type_)
        return Amounts(several, capacity, walk, make, words=str(type_.detail), open=lambda: item_reader(ctx, make()))
    return MemberSet(set_of(type_), capacity, walk, make)


def item_reader(ctx: Context, vector: int) -> Callable[[int], Value]:
    """Return the function that emits the number at an index of a vector, given as an operand."""

    def item(place: int) -> Value:
        return Value(NUMBER, ctx.emit.compute("item", vector, place))

    return item


def constant_group(ctx: Context, type_: Type, members: tuple[int, ...]) -> MemberSet:
    """Return a set of members known now; loops over it drop iterations without effect."""

    def make() -> int:
        return ctx.emit.compute_vector("fixed", ctx.plan.add_table(members))

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        """Emit a loop over the members, without those for which the body has no effect."""
        begin, vector = len(ctx.emit.code), make()
        with ctx.emit.each(vector) as item:
            body(item)
        opening, *loop = ctx.emit.code[begin:] or [()]
        may_narrow = opening[:2] == ("fixed", vector) and ctx.work.spend_on_analysis(len(loop) * len(members))
        remaining = effective_members(loop, members, ctx.plan.tables) if may_narrow else members
        if 0 < len(remaining) < len(members):
            ctx.emit.code[begin] = ("fixed", vector, ctx.plan.add_table(tuple(remaining)))

    return replace(group_from_vector(ctx, type_, len(members), make), walk=walk, constant_members=members)


def filter_group(ctx: Context, members: MemberSet, keep: Callable[[int], int]) -> MemberSet:
    """Return the members for which `keep(item)`, a truth, holds; each use emits the test of every member."""

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        def checked(item: int) -> None:
            with ctx.emit.if_true(keep(item)):
                body(item)

        members.walk(checked, stop)

    def contains_item(item: int) -> int:
        result = ctx.emit.new_variable(contains(ctx, members, item))
        with ctx.emit.if_true(result):
            ctx.emit.assign(result, keep(item))
        return result

    return MemberSet(members.type, members.capacity, walk, emit_contains=contains_item)


def size_of(ctx: Context, members: MemberSet) -> Value:
    """Emit the number of members."""
    if members.constant_members is not None:
        count = len(members.constant_members)
        return Value(NUMBER, constant(count), count, count)
    if members.emit_size is not None:
        return Value(NUMBER, members.emit_size(), 0, members.capacity)
    if members.vector is not None:
        return Value(NUMBER, ctx.emit.compute("length", members.vector()), 0, members.capacity)
    total = ctx.emit.new_variable(ZERO)
    members.walk(lambda _: ctx.emit.compute_into("add", total, total, ONE), None)
    return Value(NUMBER, total, 0, members.capacity)


def any_member(ctx: Context, members: MemberSet, holds: Callable[[int], int] | None = None) -> int:
    """Emit whether there is a member, for which `holds` emits a truth, if it is given."""
    if members.emit_is_empty is not None and holds is None:
        return ctx.emit.negate(members.emit_is_empty())
    if members.emit_size is not None and holds is None:
        return ctx.emit.evaluate("less", ZERO, size_of(ctx, members).operand)
    if members.vector is not None and holds is None:
        return ctx.emit.negate(emit_is_empty(ctx, members.vector()))
    result = ctx.emit.new_variable(ZERO)

    def body(item: int) -> None:
        if holds is None:
            ctx.emit.assign(result, ONE)
            ctx.emit.op("break")
        else:
            with ctx.emit.if_true(holds(item)):
                ctx.emit.assign(result, ONE)
                ctx.emit.op("break")

    members.walk(body, result)
    return result


def emit_is_empty(ctx: Context, vector: int) -> int:
    """Emit whether a vector is empty."""
    return ctx.emit.compute("empty", vector)


def contains(ctx: Context, members: MemberSet, member: int) -> int:
    """Emit whether something, given as an operand, is a member."""
    if members.single_operand is not None:
        same = ctx.emit.evaluate("equal", members.single_operand, member)
        if ctx.emit.is_present(members.single_operand) or ctx.emit.is_present(member):
            return same
    if members.emit_contains is not None:
        return members.emit_contains(member)
    if members.vector is None:
        return any_member(ctx, members, lambda item: ctx.emit.evaluate("equal", item, member))
    return ctx.emit.compute("has", members.vector(), member)


def restrict_to_kinds(ctx: Context, members: MemberSet, kinds: frozenset[str]) -> MemberSet:
    """Return the pieces of these kinds: the set itself if it can have no others; else they are filtered at each use."""
    have = kinds_in(members.type)
    if have <= kinds:
        return members
    table = ctx.plan.kind_table(kinds)
    group_of_kinds = group_from_vector(
        ctx, members.type, members.capacity, lambda: filter_by_table(ctx, members, table)
    )
    capacity = min(members.capacity, ctx.plan.stock.count(kinds))

    def count() -> int:
        return sum_entries(ctx, members, table)

    def none() -> int:
        return ctx.emit.compute("none_of", vector_of(ctx, members), table)

    return replace(
        group_of_kinds, type=Type("piece", have & kinds, True), capacity=capacity, emit_size=count, emit_is_empty=none
    )


def filter_by_table(ctx: Context, members: MemberSet, table: int) -> int:
    """Emit the members whose entry in a table is not 0."""
    return ctx.emit.compute_vector("filter", vector_of(ctx, members), table)


def select_by_entry(ctx: Context, things: MemberSet, table: int, entry: int) -> MemberSet:
    """Return the members whose entry in a table is `entry`, an operand; they are selected at each use."""
    rows = equal_rows(ctx, things, table)
    if rows is not None:
        members, size = rows
        return group_from_vector(ctx, things.type, size, lambda: emit_row(ctx, members, entry, size))

    def make() -> int:
        return ctx.emit.compute_vector("select", vector_of(ctx, things), table, entry)

    def count() -> int:
        return ctx.emit.compute("count_of", vector_of(ctx, things), table, entry)

    return replace(group_from_vector(ctx, things.type, things.capacity, make), emit_size=count)


def equal_rows(ctx: Context, members: MemberSet, table: int) -> tuple[tuple[int, ...], int] | None:
    """Group constant members by their entry in a table: return them, group by group, and the size of each; None unless
    the entries are the numbers from 0 on, and all groups are of one size."""
    if not members.constant_members:
        return None
    rows: dict[int, list[int]] = {}
    for member in members.constant_members:
        rows.setdefault(ctx.plan.tables[table][member], []).append(member)
    sizes = {len(row) for row in rows.values()}
    if len(sizes) > 1 or set(rows) != set(range(len(rows))):
        return None
    return tuple(member for value in range(len(rows)) for member in rows[value]), sizes.pop()


def emit_row(ctx: Context, members: tuple[int, ...], number: int, size: int) -> int:
    """Emit one of some rows of members, as a vector. members: of all rows, one after the other; number: operand of the
    row's number, from 0; size: of each row."""
    return ctx.emit.compute_vector("row", ctx.plan.add_table(members), number, size)


def sum_entries(ctx: Context, members: MemberSet, table: int) -> int:
    """Emit the sum of the members' entries in a table."""
    if len(members.zones) > 1:
        one, *others = (sum_entries(ctx, place, table) for place in members.zones)
        return reduce(lambda sum_, more: ctx.emit.evaluate("add", sum_, more), others, one)
    return ctx.emit.compute("tally", vector_of(ctx, members), table)


def copy_vector(ctx: Context, members: MemberSet) -> int:
    """Emit the members as a vector that can be changed."""
    vector = empty_vector(ctx)
    append_members(ctx, vector, members)
    return vector


def append_members(ctx: Context, vector: int, members: MemberSet) -> None:
    """Emit code that appends the members to a vector."""
    if members.vector is not None:
        ctx.emit.op("append", vector, members.vector())
    else:
        members.walk(lambda item: ctx.emit.op("push", vector, item), None)


def bind_open_figures(ctx: Context, members: MemberSet) -> MemberSet:
    """Return the same set for use inside another figure: its code is emitted with the figures open that are open now,
    so that a figure which uses it does not seem to depend on itself."""
    if isinstance(members, ZoneSet) or members.constant_members is not None or members.single_operand is not None:
        return members
    definition_figures = ctx.open_figures

    def bound(make: Callable[..., int] | None) -> Callable[..., int] | None:
        def emit(*operands: int) -> int:
            assert make is not None
            with ctx.within_figures(definition_figures):
                return make(*operands)

        return None if make is None else emit

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        use_figures = ctx.open_figures

        def inside(item: int) -> None:
            with ctx.within_figures(use_figures):
                body(item)

        with ctx.within_figures(definition_figures):
            members.walk(inside, stop)

    return replace(
        members,
        walk=walk,
        vector=bound(members.vector),
        emit_size=bound(members.emit_size),
        emit_is_empty=bound(members.emit_is_empty),
        emit_contains=bound(members.emit_contains),
    )
