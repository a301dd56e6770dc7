"""What lies where: pieces, and the words in whose zones they lie; words that have others."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

from rulewright.compiler import attributes, groups, name_resolution
from rulewright.compiler.context import PLACE, Context
from rulewright.compiler.group_pruning import is_grouping
from rulewright.compiler.owned_names import ANY_PIECE
from rulewright.compiler.registry import means
from rulewright.compiler.sides import SidePieces
from rulewright.compiler.typed_values import Group, Scope, ZoneGroup, described
from rulewright.model.declarations import canonical
from rulewright.program.form import Type
from rulewright.syntax.nouns import an
from rulewright.syntax.tree import Expression, Inside


@means(Inside)
def on_inside(ctx: Context, tree: Inside, scope: Scope) -> Group:
    """tiles in row; also any other set of pieces, as far as it lies there. Of words: spaces in region."""
    what, where = tree.things, tree.place
    place = ctx.as_group(ctx.everyone(where, scope) or ctx.meaning(where, scope, "", PLACE))
    if is_grouping(ctx, plain_name(ctx, what, scope)):
        return groups.inside(ctx, groups.name_of(what), place, scope)
    if place.type.base == "word":
        return in_words(ctx, what, place, where, scope)
    if place.type.base != "piece":
        raise ctx.wrong(where, "type", f"Expected a zone or words after 'in'; this is {described(place.type)}.")
    if key := plain_name(ctx, what, scope):
        if key in ctx.kinds:
            kind = ctx.kinds[key].name
            if kind not in ctx.kinds_in(place.type):
                raise ctx.wrong(what, "zone-does-not-hold", f"There is never {an(kind)} in {described(place.type)}.")
            return ctx.of_kinds(place, frozenset([kind]))
        if key in map(canonical, ANY_PIECE):
            return place
    if not isinstance(place, ZoneGroup):
        raise ctx.wrong(where, "type", f"Expected a zone after 'in'; this is {described(place.type)}.")
    group = ctx.group(what, scope, "piece")
    if isinstance(group, SidePieces):
        return sifted(ctx, group, place, what)
    if place.zone is not None:
        ctx.look_at(place.zone, own=place.owner == 0)
    lying = ctx.filtered(group, lambda piece: ctx.emit.value("equal", ctx.emit.load(ctx.plan.at, piece), place.address))
    return Group(lying.type, min(group.capacity, place.capacity), lying.walk)


def plain_name(ctx: Context, what: Expression, scope: Scope) -> str:
    """A name alone, if nothing is called so here; '' for all else."""
    name = name_resolution.alone(what)
    return canonical(name.text) if name is not None and name_resolution.local(ctx, name, scope) is None else ""


def sifted(ctx: Context, group: SidePieces, there: Group, what: Expression) -> Group:
    """The pieces of some sides as far as they lie somewhere, as they lie there."""
    if not ctx.kinds_in(group.type) & ctx.kinds_in(there.type):
        message = f"There is never {described(replace(group.type, many=False))} in {described(there.type)}."
        raise ctx.wrong(what, "zone-does-not-hold", message)
    return group.sift(there)


def in_words(ctx: Context, what: Expression, words: Group, where: Expression, scope: Scope) -> Group:
    """The pieces that lie with words, or the words that have some of them as an attribute."""
    key = plain_name(ctx, what, scope)
    if key in ctx.lists:
        list_ = ctx.lists[key]
        everything = ctx.fixed(Type("word", list_.name), tuple(range(len(list_.words))))
        return related(ctx, everything, words, what)
    if key in ctx.kinds or key in map(canonical, ANY_PIECE):
        kinds = frozenset([ctx.kinds[key].name] if key in ctx.kinds else ctx.edition.kinds)
        return lying_with(ctx, kinds, words, where)
    group = ctx.group(what, scope)
    if group.type.base == "word":
        return related(ctx, group, words, what)
    if group.type.base != "piece":
        message = f"Expected pieces or words before 'in'; this is {described(group.type)}."
        raise ctx.wrong(what, "type", message, "What belongs together stands in parentheses: '(cards of seats) in …'.")
    there = lying_with(ctx, ctx.kinds_in(group.type), words, where)
    if isinstance(group, SidePieces):
        return sifted(ctx, group, there, what)
    identity = ctx.plan.table((*range(ctx.plan.stock.count(frozenset(ctx.edition.kinds))), -1))
    return within(ctx, group, identity, there)


def within(ctx: Context, group: Group, table: int, wanted: Group) -> Group:
    """The members whose entry in a table is among others."""
    if wanted.only is not None and ctx.emit.there(wanted.only):
        return ctx.selected(group, table, wanted.only)

    def make() -> int:
        vector, others, found = ctx.vector(group), ctx.vector(wanted), ctx.emit.vector()
        ctx.emit.op("within", found, vector, table, others)
        return found

    found = ctx.listed(group.type, group.capacity, make)
    if ctx.plan.is_identity(table) and group.capacity > wanted.capacity:
        turned = within(ctx, wanted, table, group)
        return replace(found, count=lambda: ctx.size(turned).operand, none=lambda: ctx.empty(ctx.vector(turned)))
    return found


def related(ctx: Context, group: Group, words: Group, tree: Expression) -> Group:
    """The members of a set of words that are, or have as an attribute, one of some words."""
    here, there = str(group.type.detail), str(words.type.detail)
    columns = towards(ctx, here, there)
    if not columns:
        raise ctx.wrong(tree, "type", f"A word of '{here}' has nothing to do with {described(words.type)}.")
    if group.members is not None and words.members is not None:
        wanted = frozenset(words.members)
        return ctx.fixed(group.type, tuple(n for n in group.members if any(c[n] in wanted for c in columns)))
    related = [within(ctx, group, ctx.plan.table((*column, -1)), words) for column in columns]
    if len(related) == 1:
        return related[0]
    identity = ctx.plan.table((*range(len(columns[0])), -1))
    return within(ctx, group, identity, reduce(partial(united, ctx), related))


def towards(ctx: Context, here: str, there: str) -> list[tuple[int, ...]]:
    """For every word of a list, the word of another list that it is or has; as often as it has one. What a word
    has itself counts before what its words have."""
    if here == there:
        return [tuple(range(len(ctx.edition.words[here].words)))]
    for list_, path in attributes.lists_behind(ctx.edition, here):
        names = [name for name, type_ in list_.attributes.items() if type_ == there]
        if names:
            return [attributes.word_values(ctx.edition, here, [*path, name]) for name in names]
    return []


def united(ctx: Context, first: Group, second: Group) -> Group:
    """The members of both, each once."""

    def make() -> int:
        one, other, both = ctx.vector(first), ctx.vector(second), ctx.emit.vector()
        ctx.emit.op("unite", both, one, other)
        return both

    return ctx.listed(first.type, first.capacity + second.capacity, make)


def joined(ctx: Context, first: int, second: int) -> int:
    both = ctx.emit.vector()
    ctx.emit.op("join", both, first, second)
    return both


def lying_with(ctx: Context, kinds: frozenset[str], words: Group, where: Expression) -> Group:
    """The pieces of some kinds in the zones of words, and of words that have those as an attribute."""
    there = str(words.type.detail)
    zones = [zone for zone in ctx.edition.zones.values() if zone.of in ctx.edition.words and zone.holds & kinds]
    found = [zone for zone in zones if towards(ctx, zone.of, there)]
    if not found:
        one = " or ".join(sorted(kinds)) if len(kinds) <= 3 else "piece"
        raise ctx.wrong(where, "zone-does-not-hold", f"There is never {an(one)} in {described(words.type)}.")

    def make() -> int:
        gathered: list[int] = []
        for zone in found:
            ctx.look_at(zone)
            base, _ = ctx.plan.zone(zone.name)
            owners = words
            if zone.of != there:
                everyone = ctx.fixed(Type("word", zone.of), tuple(range(len(ctx.edition.words[zone.of].words))))
                owners = related(ctx, everyone, words, where)
            vector, pieces = ctx.vector(owners), ctx.emit.vector()
            ctx.emit.op("gather", pieces, vector, base)
            gathered.append(pieces)
        return reduce(partial(joined, ctx), gathered)

    held = frozenset.union(*(zone.holds for zone in found))
    everything = ctx.listed(Type("piece", held), ctx.plan.stock.count(held), make)
    return ctx.of_kinds(everything, held & kinds)
