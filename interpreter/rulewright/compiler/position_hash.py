"""Hash of a position: equal for equal positions, and otherwise hardly ever.

Each piece has a random number for its zone, its type, its face if that changes, each of its counters and its index in
a pile; their products are summed modulo a prime.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from rulewright.compiler import messages
from rulewright.compiler.context import Context
from rulewright.compiler.registry import means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import sum_entries, vector_of
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_set
from rulewright.compiler.typed_values import NUMBER, Value, ZoneSet, member_type
from rulewright.compiler.zone_access import zone_set
from rulewright.model.declarations import Kind
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.number_nodes import PositionOf

PRIME = 2**31 - 1
"""Modulus of the hash."""


@means(PositionOf)
def meaning_of_position_of(ctx: Context, expression: PositionOf, scope: Scope) -> Value:
    """Compile `position of spaces`: a number of all zones of these owners that everybody sees. Raises ReportedError if
    they have none."""
    owners = compile_set(ctx, expression.owners, scope)
    of = str(owners.type.detail) if owners.type.base == "word" else owners.type.base
    zones = [zone for zone in ctx.edition.zones.values() if zone.of == of and zone.seen_by == "all"]
    if not zones:
        problem = messages.NO_PUBLIC_ZONE(owner=describe(member_type(owners.type)))
        raise ctx.error(expression, problem, messages.POSITION_OF_ZONES())
    total = ctx.emit.new_variable(ZERO)
    count = len(ctx.edition.words[of].words) if owners.type.base == "word" else ctx.plan.seats
    for zone in zones:
        noise = _noise_table(ctx, f"zone {zone.name}", range(count))
        with ctx.emit.each(vector_of(ctx, owners)) as owner:
            number = ctx.emit.look_up(noise, owner)
            _add_zone(ctx, expression, zone_set(ctx, zone.name, owner), number, total)
    return Value(NUMBER, _modulo(ctx, expression, total), 0, PRIME - 1)


def _add_zone(ctx: Context, expression: Expression, zone: ZoneSet, number: int, total: int) -> None:
    """Emit code that adds the products of all pieces of a zone to a total. number, total: registers; the first has the
    zone's random number."""
    emit, declared = ctx.emit, zone.zone
    assert declared is not None
    looks = _noise_table(ctx, "look", ctx.plan.stock.looks())
    kinds = _kinds_named(ctx, declared.holds)
    marked = [counter for counter in ctx.edition.counters.values() if counter.marks.keys() & declared.holds]
    if not (declared.pile or marked or any(kind.changing for kind in kinds)):
        type_numbers = sum_entries(ctx, zone, looks)
        if zone.capacity > 1:
            type_numbers = _modulo(ctx, expression, type_numbers)
        emit.compute_into("add", total, total, _multiply_modulo(ctx, expression, number, type_numbers))
        return
    place = emit.new_variable(ZERO)
    places = _noise_table(ctx, "place", range(zone.capacity))
    with emit.each(vector_of(ctx, zone)) as piece:
        product = emit.new_variable(_multiply_modulo(ctx, expression, number, emit.look_up(looks, piece)))
        if declared.pile:
            emit.assign(product, _multiply_modulo(ctx, expression, product, emit.look_up(places, place)))
            emit.compute_into("add", place, place, ONE)
        for attribute in dict.fromkeys(kind.changing for kind in kinds if kind.changing):
            turning = [kind for kind in kinds if kind.changing == attribute]
            cell, first = ctx.plan.face(attribute), min(kind.faces.start for kind in turning)
            assert cell is not None
            faces = _noise_table(ctx, f"face {attribute}", range(first, max(kind.faces.stop for kind in turning)))
            turns = emit.look_up(ctx.plan.kind_table(frozenset(kind.name for kind in turning)), piece)
            with emit.if_true(turns):
                face = emit.evaluate("subtract", emit.load(cell, piece), constant(first))
                emit.assign(product, _multiply_modulo(ctx, expression, product, emit.look_up(faces, face)))
        for counter in marked:
            mark = emit.load(ctx.plan.counter(counter.name)[0], piece)
            own = _modulo(ctx, expression, emit.evaluate("add", mark, constant(noise(f"counter {counter.name}"))))
            emit.assign(product, _multiply_modulo(ctx, expression, product, own))
        emit.compute_into("add", total, total, product)


def _kinds_named(ctx: Context, kinds: Iterable[str]) -> list[Kind]:
    """Return kinds of piece in the edition's order."""
    return [ctx.edition.kinds[name] for name in ctx.edition.kinds if name in kinds]


def _multiply_modulo(ctx: Context, expression: Expression, one: int, other: int) -> int:
    """Emit the remainder of a product divided by PRIME."""
    return _modulo(ctx, expression, ctx.emit.evaluate("multiply", one, other))


def _modulo(ctx: Context, expression: Expression, number: int) -> int:
    """Emit the remainder of a number divided by PRIME."""
    whole = ctx.emit.compute("divide_down", number, constant(PRIME), ctx.source_place(expression))
    return ctx.emit.evaluate("subtract", number, ctx.emit.evaluate("multiply", whole, constant(PRIME)))


def _noise_table(ctx: Context, prefix: str, keys: Iterable[object]) -> int:
    """Return the number of a table with a random number for each key, and a 0 behind them."""
    return ctx.plan.add_table((*(noise(f"{prefix} {key}") for key in keys), 0))


def noise(text: str) -> int:
    """Return a pseudo-random number from 1 to PRIME - 1, always the same for a text."""
    return 1 + int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % (PRIME - 1)
