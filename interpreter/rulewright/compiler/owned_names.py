"""Names with an owner: a seat, a piece, a word of a list, or the game itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.wording import Wording
from rulewright.compiler import amounts, attributes, messages, piece_members, sides
from rulewright.compiler.context import Context
from rulewright.compiler.registry import figure_meaning
from rulewright.compiler.scopes import Binding, Scope
from rulewright.compiler.senses import ATTRIBUTE, KIND, Sense, choose_sense, warn_of_rival
from rulewright.compiler.set_operations import group_from_vector
from rulewright.compiler.typed_values import (
    SEAT,
    TRUTH,
    UNBOUNDED,
    Amounts,
    Assignable,
    ListGroup,
    MemberSet,
    Value,
    kinds_in,
)
from rulewright.compiler.zone_access import note_pieces_read, zone_set
from rulewright.model.declarations import NUMBERS, WordTable, canonical
from rulewright.program.instructions import NONE, ZERO
from rulewright.program.value_types import Type
from rulewright.syntax.nouns import article
from rulewright.syntax.tree import Name

ANY_PIECE = ("card", "piece")
"""Built-in names of a piece of any kind."""


def senses_of(ctx: Context, owner: Value, name: str, scope: Scope) -> Iterator[Sense]:
    """Yield all that a name can mean with an owner. name: canonical."""
    if owner.type.base == "seat":
        yield from seat_senses(ctx, name, lambda: owner.operand, scope)
    elif owner.type.base == "piece":
        yield from piece_senses(ctx, owner, name)
        yield from piece_members.member_senses(ctx, owner, name, scope)
    elif owner.type.base == "word":
        words = str(owner.type.detail)
        yield from declared_senses(ctx, words, name, lambda: owner.operand, scope)
        yield from attribute_senses(ctx, words, name, lambda path: attributes.follow_path(ctx, owner, path))


def declared_senses(
    ctx: Context, owner_type: str, name: str, owner: Callable[[], int | None], scope: Scope
) -> Iterator[Sense]:
    """Yield zone, figure or counter that belongs to a seat, to a word of a list, or to the game. owner_type: 'seat',
    the list, or ''; name: canonical; owner: called when a sense is meant, not before; gives the operand, None for the
    game."""
    zone, figure, counter = ctx.names.zones.get(name), ctx.names.figures.get(name), ctx.names.counters.get(name)
    if zone is not None and zone.of == owner_type:
        place = zone.name
        yield Sense("zone", place, lambda: zone_set(ctx, place, owner()), zone.place, "piece")
    if figure is not None and figure.of == owner_type and not figure.parameters:
        sort = "value" if figure.is_value else "term"
        yield Sense(sort, figure.name, lambda: figure_meaning(ctx, figure, owner(), [], scope), figure.place)
    if counter is not None and counter.of == owner_type and counter.by:
        if counter.holds == "number":
            yield Sense(
                "counter", counter.name, lambda: amounts.counter_amounts(ctx, counter, owner()), counter.place, "amount"
            )
    elif counter is not None and counter.of == owner_type:
        _, type_ = ctx.plan.counter(counter.name)
        base = "number" if type_.is_number else type_.base
        index: Binding = partial(list_value if counter.most else owned_counter, ctx, name, owner)
        yield Sense("counter", counter.name, index, counter.place, base, counter.holds if counter.side else "")


def list_value(ctx: Context, name: str, owner: Callable[[], int | None]) -> ListGroup:
    """Return the contents of a list counter, read at each use; the owner is emitted now. name: canonical."""
    place, most = owner(), ctx.names.counters[name].most
    cell, type_ = ctx.plan.counter(ctx.names.counters[name].name)
    index = ZERO if place is None else place

    def make() -> int:
        return ctx.emit.compute_vector("read", cell, index)

    members = group_from_vector(ctx, type_, most, make)
    return ListGroup(members.type, most, members.walk, make, cell=cell, index=index)


def owned_counter(ctx: Context, name: str, owner: Callable[[], int | None]) -> Assignable:
    """Emit the read of a counter of an owner, or of the game without one, and return it as one that can be set. name:
    canonical."""
    index = owner()
    return read_counter(ctx, name, ZERO if index is None else index)


def read_counter(ctx: Context, name: str, index: int) -> Assignable:
    """Emit the read of a counter, and return it as one that can be set. name: canonical; index: operand of its owner's
    number, ZERO for the table."""
    counter = ctx.names.counters[name]
    if counter.side:
        return attributes.seat_side(ctx, index)
    cell, type_ = ctx.plan.counter(counter.name)
    low, high = (0, 1) if type_ == TRUTH else (-UNBOUNDED, UNBOUNDED)
    return Assignable(type_, ctx.emit.load(cell, index), low, high, type_.base in ("seat", "word"), cell, index)


def seat_senses(ctx: Context, name: str, seat: Callable[[], int], scope: Scope) -> Iterator[Sense]:
    """Yield what a seat has, what the word that it plays has, and the pieces of its side."""
    yield from declared_senses(ctx, SEAT.base, name, seat, scope)
    if ctx.edition.sides:
        yield from attribute_senses(
            ctx,
            ctx.edition.sides,
            name,
            lambda path: attributes.follow_path(ctx, attributes.seat_side(ctx, seat()), path),
        )
        if kinds := sided_kinds_named(ctx, name):
            kind = ctx.names.kinds.get(name)
            declared_name, place = (kind.name, kind.place) if kind else (name, None)
            own = partial(seat_pieces, ctx, kinds, seat)
            yield Sense(KIND, declared_name, own, place, "piece", declared_name)


def seat_pieces(ctx: Context, kinds: frozenset[str], seat: Callable[[], int]) -> MemberSet:
    """Return the pieces of a seat's side."""
    return sides.pieces_of_sides(ctx, kinds, attributes.seat_side(ctx, seat()))


def sided_kinds_named(ctx: Context, name: str) -> frozenset[str]:
    """Return the kinds that a name means with a seat as owner: those whose pieces belong to sides."""
    if name in ctx.names.kinds:
        return frozenset([ctx.names.kinds[name].name]) & frozenset(sides.side_paths(ctx.edition))
    return frozenset(sides.side_paths(ctx.edition)) if name in ANY_PIECE else frozenset()


def pieces_of_seats(ctx: Context, token: Name, seats: MemberSet, scope: Scope) -> MemberSet | None:
    """Compile `cards of opponents`: pieces of the sides that some seats play; None where the name means something
    else."""
    name, one = canonical(str(token)), Value(SEAT, NONE)
    if seats.type.base != "seat" or not (kinds := sided_kinds_named(ctx, name)):
        return None
    sense = choose_sense(ctx, token, senses_of(ctx, one, name, scope))
    if sense is None or sense.sort != KIND:
        return None
    return sides.pieces_of_sides(ctx, kinds, sides.sides_of(ctx, seats))


def piece_senses(ctx: Context, piece: Value, name: str) -> Iterator[Sense]:
    """Yield what a piece has, then what its words have, then where it lies."""
    kinds_by_attribute = attributes.attributes_of_kinds(ctx.edition, kinds_in(piece.type))
    own = [attribute for attribute in kinds_by_attribute if canonical(attribute) == name]
    for attribute in own:
        mean = partial(attributes.required_attribute, ctx, piece, attribute)
        kind_ = kinds_by_attribute[attribute]
        yield attribute_sense(attribute, kind_.place, kind_.attributes[attribute], mean, article(kind_.name))
    for attribute, kind_ in kinds_by_attribute.items():
        if (words := kind_.attributes[attribute]) != "number":
            yield from attribute_senses(
                ctx, words, name, partial(follow_from_attribute, ctx, piece, attribute), attribute
            )
    if (of := zone_owner_type(ctx, name)) is not None:
        list_ = str(of.detail) if of.base == "word" else name
        yield Sense(ATTRIBUTE, list_, partial(zone_owner, ctx, piece, of), None, of.base, list_)


def follow_from_attribute(ctx: Context, piece: Value, attribute: str, path: list[str]) -> Value:
    """Return where a path leads from an attribute of a piece."""
    return attributes.follow_path(ctx, attributes.required_attribute(ctx, piece, attribute), path)


def attribute_senses(
    ctx: Context, words: str, name: str, along: Callable[[list[str]], Value], via: str = ""
) -> Iterator[Sense]:
    """Yield what the words of a list have, or words reachable from them, nearest first. along: emits the value that a
    path of attributes leads to from the owner; via: attribute of pieces that holds these words, '' for words
    themselves."""
    for list_, path in attributes.reachable_lists(ctx.edition, words):
        for attribute, holds in list_.attributes.items():
            if canonical(attribute) == name:
                mean, owner = partial(along, [*path, attribute]), messages.QUOTED(name=list_.name)
                sense = attribute_sense(attribute, list_.places[attribute], holds, mean, owner)
                yield replace(sense, via="|".join(filter(None, [via, *path])))
        for table_name, table in list_.tables.items():
            if canonical(table_name) == name and amounts.holds_amounts(table):
                row = partial(table_row, ctx, along, path, table)
                place = list_.places[table_name]
                path_text = "|".join(filter(None, [via, *path]))
                yield Sense(
                    ATTRIBUTE, table_name, row, place, "amount", owner=messages.QUOTED(name=list_.name), via=path_text
                )


def attribute_sense(name: str, place: SourcePlace, holds: str, mean: Binding, owner: Wording) -> Sense:
    """Return the sense of an attribute. holds: its type as declared; owner: who has it, for people."""
    number = holds in NUMBERS
    return Sense(ATTRIBUTE, name, mean, place, "number" if number else "word", "" if number else holds, owner=owner)


def table_row(ctx: Context, along: Callable[[list[str]], Value], path: list[str], table: WordTable) -> Amounts:
    """Return a word's row of a table as amounts."""
    return amounts.table_amounts(ctx, along(path), table)


def zone_owner(ctx: Context, piece: Value, type_: Type) -> Value:
    """Emit the owner of the zone in which a piece lies; nothing if it is of another type."""
    note_pieces_read(ctx, kinds_in(piece.type), owner_name(ctx, type_))
    address = ctx.emit.load(ctx.plan.piece_addresses, piece.operand)
    return Value(type_, ctx.emit.look_up(ctx.plan.owner_table(owner_name(ctx, type_)), address), may_be_nothing=True)


def zone_owner_type(ctx: Context, name: str) -> Type | None:
    """Return the type of owner that `name` means for a piece's zone: 'owner', or a list of spaces; else None."""
    if name == "owner":
        return SEAT
    words = ctx.names.lists.get(name)
    if words is None or not any(zone.of == words.name for zone in ctx.edition.zones.values()):
        return None
    return Type("word", words.name)


def owner_name(ctx: Context, type_: Type) -> str:
    """Return an owner's type as `of` in declarations: SEAT or the name of a word list."""
    return str(type_.detail) if type_.base == "word" else SEAT.base


def resolve_member_name(ctx: Context, token: Name, type_: Type, scope: Scope) -> str:
    """Return the declared name of what a sentence names as a member's; the canonical one if there is no such thing.
    type_: of the members."""
    thing = Value(replace(type_, many=False), NONE)
    sense = choose_sense(ctx, token, senses_of(ctx, thing, canonical(str(token)), scope))
    return canonical(str(token)) if sense is None else sense.name


def warn_of_rival_tables(ctx: Context, token: Name, type_: Type) -> None:
    """Warn where several tables of a name are reachable."""
    senses = [
        Sense(
            "table",
            str(token),
            lambda: Value(type_, NONE),
            list_.place,
            owner=messages.QUOTED(name=list_.name),
            via=path_text,
        )
        for list_, path, _ in attributes.reachable_tables(ctx, type_, canonical(str(token)))
        if (path_text := "|".join(path))
    ]
    if len(senses) > 1:
        warn_of_rival(ctx, token, senses[0], senses[1:], "")


def names_owned_by(ctx: Context, type_: Type) -> list[str]:
    """Return the names, as declared, that mean something with an owner of a type; [] for numbers and truths."""
    of = owner_name(ctx, type_)
    declarations = (ctx.edition.zones, ctx.edition.figures, ctx.edition.counters)
    own = [name for table in declarations for name, thing in table.items() if thing.of == of]
    if type_.base == "seat":
        return [*own, *(reachable_attribute_names(ctx, ctx.edition.sides) if ctx.edition.sides else ())]
    if type_.base == "piece":
        kinds = [ctx.edition.kinds[kind] for kind in kinds_in(type_)]
        lists = {type_name for kind in kinds for type_name in kind.attributes.values() if type_name != "number"}
        return [
            *(one.name for one in ctx.edition.figures.values() if ctx.analysis.kinds_with(one) & kinds_in(type_)),
            *(counter.name for counter in ctx.edition.counters.values() if kinds_in(type_) & counter.marks.keys()),
            "owner",
            *(name for name in ctx.edition.words if zone_owner_type(ctx, canonical(name))),
            *(a for kind in kinds for a in kind.attributes),
            *(name for words in sorted(lists) for name in reachable_attribute_names(ctx, words)),
        ]
    if type_.base == "word":
        return [*own, *reachable_attribute_names(ctx, str(type_.detail))]
    return []


def reachable_attribute_names(ctx: Context, words: str) -> Iterator[str]:
    """Yield attributes and tables of the words of a list, and of words reachable from them."""
    for list_, _ in attributes.reachable_lists(ctx.edition, words):
        yield from (*list_.attributes, *list_.tables)
