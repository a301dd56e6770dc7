"""Zones as sets of pieces, and notes of whose view a result depends on."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.context import Context
from rulewright.compiler.set_operations import emit_is_empty, group_from_vector
from rulewright.compiler.typed_values import ZoneSet
from rulewright.model.declarations import Zone
from rulewright.program.instructions import constant
from rulewright.program.value_types import Type


def zone_set(ctx: Context, name: str, owner: int | None) -> ZoneSet:
    """Return a zone as a set. Its size is public; reading its pieces is noted. owner: of one that is not the table's,
    as an operand."""
    zone = ctx.edition.zones[name]
    base, capacity = ctx.plan.zone(name)
    address = constant(base)
    if zone.of:
        assert owner is not None
        address = ctx.emit.evaluate("add", constant(base), owner)

    def read() -> int:
        return ctx.emit.compute_vector("read", 0, address)

    def make() -> int:
        note_zone_read(ctx, zone, own=owner == 0)
        return read()

    def count() -> int:
        return ctx.emit.compute("length", read())

    members = group_from_vector(ctx, Type("piece", zone.holds), capacity, make)
    place = ZoneSet(
        members.type,
        capacity,
        members.walk,
        make,
        emit_size=count,
        emit_is_empty=lambda: emit_is_empty(ctx, read()),
        zone=zone,
        address=address,
        owner=owner,
    )
    return replace(place, zones=(place,))


def note_zone_read(ctx: Context, zone: Zone, own: bool = False) -> None:
    """Note that a result depends on a zone's contents, for who may see it. own: whether it is the zone of the
    function's seat."""
    ctx.visibilities.add("nobody" if zone.seen_by == "owner" and not own else zone.seen_by)


def note_pieces_read(ctx: Context, kinds: frozenset[str], owner_type: str | None = None) -> None:
    """Note that a result depends on where pieces lie, or what they show. owner_type: restrict to zones of these owners:
    'seat', a word list, or '' for the table; None for all zones."""
    for zone in ctx.edition.zones.values():
        if zone.holds & kinds and owner_type in (None, zone.of):
            note_zone_read(ctx, zone)
