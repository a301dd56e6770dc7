"""What lies where: pieces, and the words in whose zones they lie; words that have others."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

from rulewright.compiler import attributes, groups, name_resolution
from rulewright.compiler.context import PLACE, Context
from rulewright.compiler.group_pruning import is_group_figure
from rulewright.compiler.owned_names import ANY_PIECE
from rulewright.compiler.registry import means
from rulewright.compiler.sides import SidePieces
from rulewright.compiler.typed_values import Group, Scope, ZoneGroup, describe
from rulewright.model.declarations import canonical
from rulewright.program.form import Type
from rulewright.syntax.nouns import an
from rulewright.syntax.tree import Expression, Inside


@means(Inside)
def meaning_of_inside(ctx: Context, expression: Inside, scope: Scope) -> Group:
    """tiles in row; also any other set of pieces, as far as it lies there. Of words: spaces in region."""
    what, where = expression.things, expression.place
    place = ctx.as_group(ctx.every_seat(where, scope) or ctx.meaning(where, scope, "", PLACE))
    if is_group_figure(ctx, plain_name(ctx, what, scope)):
        return groups.groups_in(ctx, groups.path_name(what), place, scope)
    if place.type.base == "word":
        return things_at_words(ctx, what, place, where, scope)
    if place.type.base != "piece":
        raise ctx.error(where, "type", f"Expected a zone or words after 'in'; this is {describe(place.type)}.")
    if key := plain_name(ctx, what, scope):
        if key in ctx.kinds:
            kind = ctx.kinds[key].name
            if kind not in ctx.kinds_in(place.type):
                raise ctx.error(what, "zone-does-not-hold", f"There is never {an(kind)} in {describe(place.type)}.")
            return ctx.restrict_to_kinds(place, frozenset([kind]))
        if key in map(canonical, ANY_PIECE):
            return place
    if not isinstance(place, ZoneGroup):
        raise ctx.error(where, "type", f"Expected a zone after 'in'; this is {describe(place.type)}.")
    group = ctx.group(what, scope, "piece")
    if isinstance(group, SidePieces):
        return side_pieces_in(ctx, group, place, what)
    if place.zone is not None:
        ctx.note_zone_read(place.zone, own=place.owner == 0)
    lying = ctx.filter_group(
        group, lambda piece: ctx.emit.value("equal", ctx.emit.load(ctx.plan.at, piece), place.address)
    )
    return Group(lying.type, min(group.capacity, place.capacity), lying.walk)


def plain_name(ctx: Context, what: Expression, scope: Scope) -> str:
    """A name alone, if nothing is called so here; '' for all else."""
    name = name_resolution.single_name(what)
    return canonical(name.text) if name is not None and name_resolution.local_binding(ctx, name, scope) is None else ""


def side_pieces_in(ctx: Context, group: SidePieces, there: Group, what: Expression) -> Group:
    """The pieces of some sides as far as they lie somewhere, as they lie there."""
    if not ctx.kinds_in(group.type) & ctx.kinds_in(there.type):
        message = f"There is never {describe(replace(group.type, many=False))} in {describe(there.type)}."
        raise ctx.error(what, "zone-does-not-hold", message)
    return group.sift(there)


def things_at_words(ctx: Context, what: Expression, words: Group, where: Expression, scope: Scope) -> Group:
    """The pieces that lie with words, or the words that have some of them as an attribute."""
    key = plain_name(ctx, what, scope)
    if key in ctx.lists:
        list_ = ctx.lists[key]
        everything = ctx.constant_group(Type("word", list_.name), tuple(range(len(list_.words))))
        return related_words(ctx, everything, words, what)
    if key in ctx.kinds or key in map(canonical, ANY_PIECE):
        kinds = frozenset([ctx.kinds[key].name] if key in ctx.kinds else ctx.edition.kinds)
        return pieces_at_words(ctx, kinds, words, where)
    group = ctx.group(what, scope)
    if group.type.base == "word":
        return related_words(ctx, group, words, what)
    if group.type.base != "piece":
        message = f"Expected pieces or words before 'in'; this is {describe(group.type)}."
        raise ctx.error(what, "type", message, "What belongs together stands in parentheses: '(cards of seats) in …'.")
    there = pieces_at_words(ctx, ctx.kinds_in(group.type), words, where)
    if isinstance(group, SidePieces):
        return side_pieces_in(ctx, group, there, what)
    identity = ctx.plan.table((*range(ctx.plan.stock.count(frozenset(ctx.edition.kinds))), -1))
    return members_with_entry_in(ctx, group, identity, there)


def members_with_entry_in(ctx: Context, group: Group, table: int, wanted: Group) -> Group:
    """The members whose entry in a table is among others."""
    if wanted.only is not None and ctx.emit.is_present(wanted.only):
        return ctx.select_by_entry(group, table, wanted.only)

    def make() -> int:
        vector, others, found = ctx.vector(group), ctx.vector(wanted), ctx.emit.vector()
        ctx.emit.op("within", found, vector, table, others)
        return found

    found = ctx.group_from_vector(group.type, group.capacity, make)
    if ctx.plan.is_identity(table) and group.capacity > wanted.capacity:
        turned = members_with_entry_in(ctx, wanted, table, group)
        return replace(found, count=lambda: ctx.size(turned).operand, none=lambda: ctx.is_empty(ctx.vector(turned)))
    return found


def related_words(ctx: Context, group: Group, words: Group, expression: Expression) -> Group:
    """The members of a set of words that are, or have as an attribute, one of some words."""
    here, there = str(group.type.detail), str(words.type.detail)
    columns = word_columns(ctx, here, there)
    if not columns:
        raise ctx.error(expression, "type", f"A word of '{here}' has nothing to do with {describe(words.type)}.")
    if group.members is not None and words.members is not None:
        wanted = frozenset(words.members)
        return ctx.constant_group(group.type, tuple(n for n in group.members if any(c[n] in wanted for c in columns)))
    related = [members_with_entry_in(ctx, group, ctx.plan.table((*column, -1)), words) for column in columns]
    if len(related) == 1:
        return related[0]
    identity = ctx.plan.table((*range(len(columns[0])), -1))
    return members_with_entry_in(ctx, group, identity, reduce(partial(unite, ctx), related))


def word_columns(ctx: Context, here: str, there: str) -> list[tuple[int, ...]]:
    """For every word of a list, the word of another list that it is or has; as often as it has one. What a word
    has itself counts before what its words have."""
    if here == there:
        return [tuple(range(len(ctx.edition.words[here].words)))]
    for list_, path in attributes.reachable_lists(ctx.edition, here):
        names = [name for name, type_ in list_.attributes.items() if type_ == there]
        if names:
            return [attributes.path_values(ctx.edition, here, [*path, name]) for name in names]
    return []


def unite(ctx: Context, first: Group, second: Group) -> Group:
    """The members of both, each once."""

    def make() -> int:
        one, other, both = ctx.vector(first), ctx.vector(second), ctx.emit.vector()
        ctx.emit.op("unite", both, one, other)
        return both

    return ctx.group_from_vector(first.type, first.capacity + second.capacity, make)


def join_vectors(ctx: Context, first: int, second: int) -> int:
    both = ctx.emit.vector()
    ctx.emit.op("join", both, first, second)
    return both


def pieces_at_words(ctx: Context, kinds: frozenset[str], words: Group, where: Expression) -> Group:
    """The pieces of some kinds in the zones of words, and of words that have those as an attribute."""
    there = str(words.type.detail)
    zones = [zone for zone in ctx.edition.zones.values() if zone.of in ctx.edition.words and zone.holds & kinds]
    found = [zone for zone in zones if word_columns(ctx, zone.of, there)]
    if not found:
        one = " or ".join(sorted(kinds)) if len(kinds) <= 3 else "piece"
        raise ctx.error(where, "zone-does-not-hold", f"There is never {an(one)} in {describe(words.type)}.")

    def make() -> int:
        gathered: list[int] = []
        for zone in found:
            ctx.note_zone_read(zone)
            base, _ = ctx.plan.zone(zone.name)
            owners = words
            if zone.of != there:
                everyone = ctx.constant_group(
                    Type("word", zone.of), tuple(range(len(ctx.edition.words[zone.of].words)))
                )
                owners = related_words(ctx, everyone, words, where)
            vector, pieces = ctx.vector(owners), ctx.emit.vector()
            ctx.emit.op("gather", pieces, vector, base)
            gathered.append(pieces)
        return reduce(partial(join_vectors, ctx), gathered)

    held = frozenset.union(*(zone.holds for zone in found))
    everything = ctx.group_from_vector(Type("piece", held), ctx.plan.stock.count(held), make)
    return ctx.restrict_to_kinds(everything, held & kinds)
