"""Pieces in zones, pieces in the zones of words, and words related to other words."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

from rulewright.compiler import attributes, groups, messages, name_resolution
from rulewright.compiler.context import Context
from rulewright.compiler.group_pruning import is_group_figure
from rulewright.compiler.owned_names import ANY_PIECE
from rulewright.compiler.registry import meaning_of, means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import (
    as_set,
    constant_group,
    emit_is_empty,
    filter_group,
    group_from_vector,
    restrict_to_kinds,
    select_by_entry,
    size_of,
    vector_of,
)
from rulewright.compiler.sides import SidePieces
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_set
from rulewright.compiler.typed_values import PLACE, MemberSet, ZoneSet, kinds_in
from rulewright.compiler.zone_access import note_zone_read
from rulewright.model.declarations import canonical
from rulewright.program.value_types import Type
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.nouns import article
from rulewright.syntax.set_nodes import Inside


@means(Inside)
def meaning_of_inside(ctx: Context, expression: Inside, scope: Scope) -> MemberSet:
    """Compile `tiles in row`, any set of pieces as far as it lies in a zone, and `spaces in region`."""
    things, container = expression.things, expression.place
    place = as_set(ctx, meaning_of(ctx, container, scope, "", PLACE, all_seats=True))
    if is_group_figure(ctx, plain_name(ctx, things, scope)):
        return groups.groups_in(ctx, groups.path_name(things), place, scope)
    if place.type.base == "word":
        return things_at_words(ctx, things, place, container, scope)
    if place.type.base != "piece":
        raise ctx.error(container, messages.EXPECTED_ZONE_OR_WORDS_AFTER_IN(given=describe(place.type)))
    if key := plain_name(ctx, things, scope):
        if key in ctx.names.kinds:
            kind = ctx.names.kinds[key].name
            if kind not in kinds_in(place.type):
                raise ctx.error(things, messages.NEVER_IN(piece=article(kind), place=describe(place.type)))
            return restrict_to_kinds(ctx, place, frozenset([kind]))
        if key in map(canonical, ANY_PIECE):
            return place
    if not isinstance(place, ZoneSet):
        raise ctx.error(container, messages.EXPECTED_ZONE_AFTER_IN(given=describe(place.type)))
    members = compile_set(ctx, things, scope, "piece")
    if isinstance(members, SidePieces):
        return side_pieces_in(ctx, members, place, things)
    if place.zone is not None:
        note_zone_read(ctx, place.zone, own=place.owner == 0)
    present = filter_group(
        ctx,
        members,
        lambda piece: ctx.emit.evaluate("equal", ctx.emit.load(ctx.plan.piece_addresses, piece), place.address),
    )
    return MemberSet(present.type, min(members.capacity, place.capacity), present.walk)


def plain_name(ctx: Context, expression: Expression, scope: Scope) -> str:
    """Return the name that an expression is, in canonical form; '' for a local name, and for anything else."""
    name = name_resolution.single_name(expression)
    return canonical(name.text) if name is not None and name_resolution.local_binding(ctx, name, scope) is None else ""


def side_pieces_in(ctx: Context, members: SidePieces, others: MemberSet, expression: Expression) -> MemberSet:
    """Return the pieces of some sides among others, in the order of these."""
    if not kinds_in(members.type) & kinds_in(others.type):
        piece = describe(replace(members.type, many=False))
        raise ctx.error(expression, messages.NEVER_IN(piece=piece, place=describe(others.type)))
    return members.sift(others)


def things_at_words(
    ctx: Context, things: Expression, words: MemberSet, container: Expression, scope: Scope
) -> MemberSet:
    """Return the pieces in words' zones, or the words related to some words."""
    key = plain_name(ctx, things, scope)
    if key in ctx.names.lists:
        list_ = ctx.names.lists[key]
        everything = constant_group(ctx, Type("word", list_.name), tuple(range(len(list_.words))))
        return related_words(ctx, everything, words, things)
    if key in ctx.names.kinds or key in map(canonical, ANY_PIECE):
        kinds = frozenset([ctx.names.kinds[key].name] if key in ctx.names.kinds else ctx.edition.kinds)
        return pieces_at_words(ctx, kinds, words, container)
    members = compile_set(ctx, things, scope)
    if members.type.base == "word":
        return related_words(ctx, members, words, things)
    if members.type.base != "piece":
        problem = messages.EXPECTED_PIECES_OR_WORDS_BEFORE_IN(given=describe(members.type))
        raise ctx.error(things, problem, messages.PARENTHESES_BEFORE_IN())
    present = pieces_at_words(ctx, kinds_in(members.type), words, container)
    if isinstance(members, SidePieces):
        return side_pieces_in(ctx, members, present, things)
    identity = ctx.plan.add_table((*range(ctx.plan.stock.count(frozenset(ctx.edition.kinds))), -1))
    return members_with_entry_in(ctx, members, identity, present)


def members_with_entry_in(ctx: Context, things: MemberSet, table: int, entries: MemberSet) -> MemberSet:
    """Return the members whose entry in a table is in another set, in the order of the members; both are read at each
    use."""
    if entries.single_operand is not None and ctx.emit.is_present(entries.single_operand):
        return select_by_entry(ctx, things, table, entries.single_operand)

    def make() -> int:
        return ctx.emit.compute_vector("within", vector_of(ctx, things), table, vector_of(ctx, entries))

    members = group_from_vector(ctx, things.type, things.capacity, make)
    if ctx.plan.is_identity(table) and things.capacity > entries.capacity:
        turned = members_with_entry_in(ctx, entries, table, things)
        return replace(
            members,
            emit_size=lambda: size_of(ctx, turned).operand,
            emit_is_empty=lambda: emit_is_empty(ctx, vector_of(ctx, turned)),
        )
    return members


def related_words(ctx: Context, things: MemberSet, words: MemberSet, expression: Expression) -> MemberSet:
    """Return the members of a set of words that are, or have as an attribute, one of some words. Raises ReportedError
    for lists that nothing relates."""
    list_name, other_list = str(things.type.detail), str(words.type.detail)
    columns = word_columns(ctx, list_name, other_list)
    if not columns:
        raise ctx.error(expression, messages.UNRELATED_WORDS(list=list_name, given=describe(words.type)))
    if things.constant_members is not None and words.constant_members is not None:
        members = frozenset(words.constant_members)
        return constant_group(
            ctx, things.type, tuple(n for n in things.constant_members if any(c[n] in members for c in columns))
        )
    related = [members_with_entry_in(ctx, things, ctx.plan.add_table((*column, -1)), words) for column in columns]
    if len(related) == 1:
        return related[0]
    identity = ctx.plan.add_table((*range(len(columns[0])), -1))
    return members_with_entry_in(ctx, things, identity, reduce(partial(unite, ctx), related))


def word_columns(ctx: Context, list_name: str, other_list: str) -> list[tuple[int, ...]]:
    """Return, for each attribute that relates a list to another, the number of the other list's word for every word, -1
    for none; direct attributes hide reachable ones. Of equal lists: each word itself. [] if nothing relates them."""
    if list_name == other_list:
        return [tuple(range(len(ctx.edition.words[list_name].words)))]
    for list_, path in attributes.reachable_lists(ctx.edition, list_name):
        names = [name for name, type_ in list_.attributes.items() if type_ == other_list]
        if names:
            return [attributes.path_values(ctx.edition, list_name, [*path, name]) for name in names]
    return []


def unite(ctx: Context, first: MemberSet, second: MemberSet) -> MemberSet:
    """Return the union of two sets, each member once; both are read at each use."""

    def make() -> int:
        return ctx.emit.compute_vector("unite", vector_of(ctx, first), vector_of(ctx, second))

    return group_from_vector(ctx, first.type, first.capacity + second.capacity, make)


def join_vectors(ctx: Context, first: int, second: int) -> int:
    """Emit the concatenation of two vectors."""
    return ctx.emit.compute_vector("join", first, second)


def pieces_at_words(ctx: Context, kinds: frozenset[str], words: MemberSet, container: Expression) -> MemberSet:
    """Return the pieces of some kinds in the zones of words, and of words that have those as an attribute; the zones
    are read at each use. Raises ReportedError if there can be none."""
    list_name = str(words.type.detail)
    zones = [zone for zone in ctx.edition.zones.values() if zone.of in ctx.edition.words and zone.holds & kinds]
    matching_zones = [zone for zone in zones if word_columns(ctx, zone.of, list_name)]
    if not matching_zones:
        piece = describe(Type("piece", kinds))
        raise ctx.error(container, messages.NEVER_IN(piece=piece, place=describe(words.type)))

    def make() -> int:
        """Emit the pieces in all zones of the words; return the vector."""
        gathered: list[int] = []
        for zone in matching_zones:
            note_zone_read(ctx, zone)
            base, _ = ctx.plan.zone(zone.name)
            owners = words
            if zone.of != list_name:
                everyone = constant_group(
                    ctx, Type("word", zone.of), tuple(range(len(ctx.edition.words[zone.of].words)))
                )
                owners = related_words(ctx, everyone, words, container)
            gathered.append(ctx.emit.compute_vector("gather", vector_of(ctx, owners), base))
        return reduce(partial(join_vectors, ctx), gathered)

    kinds_held = frozenset.union(*(zone.holds for zone in matching_zones))
    everything = group_from_vector(ctx, Type("piece", kinds_held), ctx.plan.stock.count(kinds_held), make)
    return restrict_to_kinds(ctx, everything, kinds_held & kinds)
