"""Sides: the word that each seat plays, its pieces, partners and opponents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Literal

from rulewright.base.records import record
from rulewright.compiler import attributes
from rulewright.compiler.context import Context
from rulewright.compiler.set_operations import (
    constant_group,
    contains,
    emit_row,
    filter_group,
    group_from_vector,
    restrict_to_kinds,
    select_by_entry,
    vector_of,
)
from rulewright.compiler.typed_values import SEAT, MemberSet, Value, kinds_in, member_value
from rulewright.model.edition import Edition
from rulewright.program.value_types import Type

_SideFilter = Callable[[MemberSet], MemberSet]
"""Function that selects the members of a set of pieces that belong to some sides."""


@record
class SidePieces(MemberSet):
    """Pieces of some sides. sift(set): the members of another set that are among them, in its order."""

    sift: _SideFilter = lambda members: members


def sides_of(ctx: Context, seats: MemberSet) -> MemberSet:
    """Return the words that some seats play, one for each seat, so that a word may be there twice."""

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        seats.walk(lambda seat: body(attributes.seat_side(ctx, seat).operand), stop)

    _, type_ = ctx.plan.counter(ctx.edition.sides)
    return MemberSet(Type("word", type_.detail, True), seats.capacity, walk)


def partners(ctx: Context, me: int) -> MemberSet:
    """Return the other seats of a seat's side, clockwise."""
    return _seats_by_side(ctx, me, "equal")


def opponents(ctx: Context, me: int) -> MemberSet:
    """Return the seats of other sides, clockwise; without sides all other seats."""
    return _seats_by_side(ctx, me, "unequal") if ctx.edition.sides else _other_seats(ctx, me)


def _seats_by_side(ctx: Context, me: int, comparison: Literal["equal", "unequal"]) -> MemberSet:
    """Return the other seats whose side compares so with a seat's side; that side is read now, theirs at each use.
    comparison: name of the instruction."""
    side = attributes.seat_side(ctx, me).operand

    def matches(seat: int) -> int:
        return ctx.emit.evaluate(comparison, attributes.seat_side(ctx, seat).operand, side)

    return filter_group(ctx, _other_seats(ctx, me), matches)


def _other_seats(ctx: Context, me: int) -> MemberSet:
    """Return all other seats, clockwise."""
    seats = ctx.plan.seats
    rows = [(seat + step) % seats for seat in range(seats) for step in range(1, seats)]
    return group_from_vector(ctx, SEAT, seats - 1, lambda: emit_row(ctx, tuple(rows), me, seats - 1))


# ── pieces ──


def side_paths(edition: Edition) -> dict[str, list[str]]:
    """Return kind -> shortest path of attributes to the side, for kinds whose pieces belong to sides; {} in an edition
    without sides."""
    paths_by_kind: dict[str, list[str]] = {}
    for kind in edition.kinds.values() if edition.sides else ():
        paths = [[name] for name, words in kind.attributes.items() if words == edition.sides]
        for name, words in kind.attributes.items():
            for list_, path in attributes.reachable_lists(edition, words) if words in edition.words else ():
                paths += [[name, *path, other] for other, of in list_.attributes.items() if of == edition.sides]
        if paths:
            paths_by_kind[kind.name] = min(paths, key=len)
    return paths_by_kind


def pieces_of_sides(ctx: Context, kinds: frozenset[str], sides: Value | MemberSet) -> SidePieces:
    """Return the pieces of some kinds that belong to one or several sides."""
    paths = {kind: path for kind, path in side_paths(ctx.edition).items() if kind in kinds}
    changing = frozenset(kind for kind, path in paths.items() if ctx.edition.kinds[kind].changing == path[0])
    parts: list[tuple[frozenset[str], _SideFilter]] = []
    if lasting := kinds - changing:
        parts.append((lasting, _select_by_fixed_side(ctx, paths, sides)))
    parts += [(frozenset([kind]), _select_by_changing_side(ctx, paths[kind], sides)) for kind in sorted(changing)]

    def sift(members: MemberSet) -> MemberSet:
        subsets = [part(restrict_to_kinds(ctx, members, own)) for own, part in parts if own & kinds_in(members.type)]
        return _join_all(ctx, subsets)

    every = sift(constant_group(ctx, Type("piece", kinds), ctx.plan.stock.pieces(kinds)))
    return SidePieces(every.type, every.capacity, every.walk, every.vector, emit_size=every.emit_size, sift=sift)


def _select_by_fixed_side(ctx: Context, paths: dict[str, list[str]], sides: Value | MemberSet) -> _SideFilter:
    """Return the filter of pieces whose side never changes: one table look-up each."""
    along = {kind: (list(ctx.edition.kinds[kind].attributes).index(path_[0]), path_) for kind, path_ in paths.items()}
    entries = [-1] * len(ctx.plan.stock.rows)
    for piece, (kind, values) in enumerate(ctx.plan.stock.rows):
        if kind.name in along:
            place, (first, *path) = along[kind.name]
            words = kind.attributes[first]
            entries[piece] = attributes.path_values(ctx.edition, words, path)[values[place]]
    table = ctx.plan.add_table((*entries, -1))
    if isinstance(sides, Value):
        return lambda things: select_by_entry(ctx, things, table, sides.operand)

    def among(things: MemberSet) -> int:
        return ctx.emit.compute_vector("within", vector_of(ctx, things), table, vector_of(ctx, sides))

    return lambda things: group_from_vector(ctx, things.type, things.capacity, lambda: among(things))


def _select_by_changing_side(ctx: Context, path: list[str], sides: Value | MemberSet) -> _SideFilter:
    """Return the filter of pieces whose changing attribute shows their side."""

    def belongs(members: MemberSet, piece: int) -> int:
        value = attributes.required_attribute(ctx, member_value(members, piece), path[0])
        side = (attributes.follow_path(ctx, value, path[1:]) if path[1:] else value).operand
        if isinstance(sides, Value):
            return ctx.emit.evaluate("equal", side, sides.operand)
        return contains(ctx, sides, side)

    return lambda members: filter_group(ctx, members, lambda piece: belongs(members, piece))


def _join_all(ctx: Context, parts: Iterable[MemberSet]) -> MemberSet:
    """Return the union of sets of different kinds of pieces. parts: at least one."""

    def joined(first: MemberSet, second: MemberSet) -> MemberSet:
        def make() -> int:
            return ctx.emit.compute_vector("join", vector_of(ctx, first), vector_of(ctx, second))

        type_ = Type("piece", kinds_in(first.type) | kinds_in(second.type), True)
        return group_from_vector(ctx, type_, first.capacity + second.capacity, make)

    return reduce(joined, parts)
