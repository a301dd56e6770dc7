"""Sides: the word that each seat plays, the pieces that have it, and who plays with whom and against whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from rulewright.base.records import record
from rulewright.compiler import attributes
from rulewright.compiler.context import Context
from rulewright.compiler.typed_values import SEAT, Group, Value
from rulewright.model.declarations import Edition
from rulewright.program.form import Type

_SideFilter = Callable[[Group], Group]
"""The members of a set of pieces that belong to a side."""


@record
class SidePieces(Group):
    """The pieces of some sides. sift(set): those members of another set of pieces that are among them, in its order."""

    sift: _SideFilter = lambda group: group


def sides_of(ctx: Context, seats: Group) -> Group:
    """The words that some seats play, one for each of them."""

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        seats.walk(lambda seat: body(attributes.seat_side(ctx, seat).operand), stop)

    _, type_ = ctx.plan.counter(ctx.edition.sides)
    return Group(Type("word", type_.detail, True), seats.capacity, walk)


def partners(ctx: Context, me: int) -> Group:
    """The other seats of a seat's side, clockwise."""
    side = attributes.seat_side(ctx, me).operand
    return ctx.filter_group(
        _other_seats(ctx, me), lambda seat: ctx.emit.value("equal", attributes.seat_side(ctx, seat).operand, side)
    )


def opponents(ctx: Context, me: int) -> Group:
    """The seats of other sides, clockwise; without sides all other seats."""
    if not ctx.edition.sides:
        return _other_seats(ctx, me)
    side = attributes.seat_side(ctx, me).operand
    return ctx.filter_group(
        _other_seats(ctx, me), lambda seat: ctx.emit.value("unequal", attributes.seat_side(ctx, seat).operand, side)
    )


def _by_side(ctx: Context, me: int, comparison: str) -> Group:
    side = attributes.seat_side(ctx, me).operand

    def is_one(seat: int) -> int:
        return ctx.emit.value(comparison, attributes.seat_side(ctx, seat).operand, side)

    return ctx.filter_group(_other_seats(ctx, me), is_one)


def _other_seats(ctx: Context, me: int) -> Group:
    seats = ctx.plan.seats
    rows = [(seat + step) % seats for seat in range(seats) for step in range(1, seats)]
    return ctx.group_from_vector(SEAT, seats - 1, lambda: ctx.emit_row(tuple(rows), me, seats - 1))


# ── pieces ──


def side_paths(edition: Edition) -> dict[str, list[str]]:
    """The kinds whose pieces belong to sides, each with the attributes that lead to the side: one of its own, or one
    of a word that it has."""
    found: dict[str, list[str]] = {}
    for kind in edition.kinds.values() if edition.sides else ():
        ways = [[name] for name, words in kind.attributes.items() if words == edition.sides]
        for name, words in kind.attributes.items():
            for list_, path in attributes.reachable_lists(edition, words) if words in edition.words else ():
                ways += [[name, *path, other] for other, of in list_.attributes.items() if of == edition.sides]
        if ways:
            found[kind.name] = min(ways, key=len)
    return found


def pieces_of_sides(ctx: Context, kinds: frozenset[str], sides: Value | Group) -> SidePieces:
    """The pieces of some kinds that belong to a side, or to one of several."""
    ways = {kind: way for kind, way in side_paths(ctx.edition).items() if kind in kinds}
    changing = frozenset(kind for kind, way in ways.items() if ctx.edition.kinds[kind].changing == way[0])
    parts: list[tuple[frozenset[str], _SideFilter]] = []
    if lasting := kinds - changing:
        parts.append((lasting, _select_by_fixed_side(ctx, ways, sides)))
    parts += [(frozenset([kind]), _select_by_changing_side(ctx, ways[kind], sides)) for kind in sorted(changing)]

    def sift(group: Group) -> Group:
        found = [part(ctx.restrict_to_kinds(group, own)) for own, part in parts if own & ctx.kinds_in(group.type)]
        return _join_all(ctx, found)

    every = sift(ctx.constant_group(Type("piece", kinds), ctx.plan.stock.pieces(kinds)))
    return SidePieces(every.type, every.capacity, every.walk, every.vector, None, every.count, sift=sift)


def _select_by_fixed_side(ctx: Context, ways: dict[str, list[str]], sides: Value | Group) -> _SideFilter:
    """Of pieces whose side stays: one look into a table for each."""
    along = {kind: (list(ctx.edition.kinds[kind].attributes).index(way[0]), way) for kind, way in ways.items()}
    entries = [-1] * len(ctx.plan.stock.rows)
    for piece, (kind, values) in enumerate(ctx.plan.stock.rows):
        if kind.name in along:
            place, (first, *path) = along[kind.name]
            words = kind.attributes[first]
            entries[piece] = attributes.path_values(ctx.edition, words, path)[values[place]]
    table = ctx.plan.table((*entries, -1))
    if isinstance(sides, Value):
        return lambda group: ctx.select_by_entry(group, table, sides.operand)

    def among(group: Group) -> int:
        vector, wanted, found = ctx.vector(group), ctx.vector(sides), ctx.emit.vector()
        ctx.emit.op("within", found, vector, table, wanted)
        return found

    return lambda group: ctx.group_from_vector(group.type, group.capacity, lambda: among(group))


def _select_by_changing_side(ctx: Context, way: list[str], sides: Value | Group) -> _SideFilter:
    """Of pieces that show whose they are."""

    def belongs(group: Group, piece: int) -> int:
        shown = attributes.required_attribute(ctx, ctx.element(group, piece), way[0])
        side = (attributes.follow_path(ctx, shown, way[1:]) if way[1:] else shown).operand
        if isinstance(sides, Value):
            return ctx.emit.value("equal", side, sides.operand)
        return ctx.contains(sides, side)

    return lambda group: ctx.filter_group(group, lambda piece: belongs(group, piece))


def _join_all(ctx: Context, parts: Iterable[Group]) -> Group:
    """All the members of sets of different kinds of pieces."""

    def joined(first: Group, second: Group) -> Group:
        def make() -> int:
            one, other, both = ctx.vector(first), ctx.vector(second), ctx.emit.vector()
            ctx.emit.op("join", both, one, other)
            return both

        type_ = Type("piece", ctx.kinds_in(first.type) | ctx.kinds_in(second.type), True)
        return ctx.group_from_vector(type_, first.capacity + second.capacity, make)

    return reduce(joined, parts)
