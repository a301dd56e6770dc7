"""What lies where, and what is beside what: pieces and the words in whose zones they lie, spaces of boards."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

from lark import Token, Tree

from rulewright.compiler import attributes, names
from rulewright.compiler.context import PLACE, Context
from rulewright.compiler.meaning import NUMBER, Group, Scope, ZoneGroup, described
from rulewright.compiler.names import ANY_PIECE
from rulewright.model.declarations import canonical
from rulewright.program.form import Type


def on_inside(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    """tiles in row; also any other set of pieces, as far as it lies there. Of words: spaces in region."""
    what, where = tree.children
    assert isinstance(what, Tree) and not isinstance(where, str)
    place = ctx.as_group(ctx.everyone(where, scope) or ctx.meaning(where, scope, "", PLACE))
    if place.type.base == "word":
        return in_words(ctx, what, place, where, scope)
    if place.type.base != "piece":
        raise ctx.wrong(where, "type", f"Expected a zone or words after 'in'; this is {described(place.type)}.")
    own, name, *rest = what.children
    assert isinstance(name, Token)
    if own is None and not rest and names.local(ctx, name, scope) is None:
        key = canonical(str(name))
        if key in ctx.kinds:
            kind = ctx.kinds[key].name
            if kind not in ctx.kinds_in(place.type):
                raise ctx.wrong(what, "zone-does-not-hold", f"There is never a {kind} in {described(place.type)}.")
            return ctx.of_kinds(place, frozenset([kind]))
        if key in map(canonical, ANY_PIECE):
            return place
    if not isinstance(place, ZoneGroup):
        raise ctx.wrong(where, "type", f"Expected a zone after 'in'; this is {described(place.type)}.")
    group = ctx.group(what, scope, "piece")
    lying = ctx.filtered(group, lambda piece: ctx.emit.value("equal", ctx.emit.load(ctx.plan.at, piece), place.address))
    return Group(lying.type, min(group.capacity, place.capacity), lying.walk)


def in_words(ctx: Context, what: Tree[Token], words: Group, where: Tree[Token] | Token, scope: Scope) -> Group:
    """The pieces that lie with words, or the words that have some of them as an attribute."""
    own, name, *rest = what.children
    assert isinstance(name, Token)
    key = canonical(str(name)) if own is None and not rest and names.local(ctx, name, scope) is None else ""
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
        raise ctx.wrong(what, "type", f"Expected pieces or words before 'in'; this is {described(group.type)}.")
    there = lying_with(ctx, ctx.kinds_in(group.type), words, where)
    identity = ctx.plan.table((*range(ctx.plan.stock.count(frozenset(ctx.edition.kinds))), -1))
    return within(ctx, group, identity, there)


def within(ctx: Context, group: Group, table: int, wanted: Group) -> Group:
    """The members whose entry in a table is among others."""

    def make() -> int:
        vector, others, found = ctx.vector(group), ctx.vector(wanted), ctx.emit.vector()
        ctx.emit.op("within", found, vector, table, others)
        return found

    return ctx.listed(group.type, group.capacity, make)


def related(ctx: Context, group: Group, words: Group, tree: Tree[Token] | Token) -> Group:
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


def lying_with(ctx: Context, kinds: frozenset[str], words: Group, where: Tree[Token] | Token) -> Group:
    """The pieces of some kinds in the zones of words, and of words that have those as an attribute."""
    there = str(words.type.detail)
    zones = [zone for zone in ctx.edition.zones.values() if zone.of in ctx.edition.words and zone.holds & kinds]
    found = [zone for zone in zones if towards(ctx, zone.of, there)]
    if not found:
        one = " or ".join(sorted(kinds)) if len(kinds) <= 3 else "piece"
        raise ctx.wrong(where, "zone-does-not-hold", f"There is never a {one} in {described(words.type)}.")

    def make() -> int:
        all_ = ctx.emit.vector()
        ctx.emit.op("vector", all_)
        for zone in found:
            ctx.look_at(zone)
            base, _ = ctx.plan.zone(zone.name)
            owners = words
            if zone.of != there:
                everyone = ctx.fixed(Type("word", zone.of), tuple(range(len(ctx.edition.words[zone.of].words))))
                owners = related(ctx, everyone, words, where)
            vector, pieces = ctx.vector(owners), ctx.emit.vector()
            ctx.emit.op("gather", pieces, vector, base)
            ctx.emit.op("append", all_, pieces)
        return all_

    held = frozenset.union(*(zone.holds for zone in found))
    everything = ctx.listed(Type("piece", held), ctx.plan.stock.count(held), make)
    return ctx.of_kinds(everything, held & kinds)


def on_images(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    """suits of hand: what an attribute of the members comes to, each once."""
    what, where = tree.children
    assert isinstance(what, Tree)
    own, name, *rest = what.children
    assert isinstance(name, Token)
    if own is not None or rest:
        raise ctx.wrong(what, "syntax", "Before 'of' stands the name of an attribute, as in 'colours of hand'.")
    group = ctx.group(where, scope)
    key = names.called(ctx, name, group.type, scope)
    if (
        group.type.base == "piece"
        and (found := attributes.attribute_table(ctx, group.type, key))
        and found[1] != NUMBER
    ):
        table, type_ = found[0], found[1]
        return ctx.listed(type_, how_many_of(ctx, type_, group.capacity), lambda: images(ctx, group, table))
    if group.type.base == "piece" and (of := names.owners(ctx, key)) is not None:
        owners = ctx.plan.owner_table(names.owner_name(ctx, of))
        ctx.look_for(ctx.kinds_in(group.type), names.owner_name(ctx, of))

        def lying() -> int:
            vector, places = ctx.vector(group), ctx.emit.vector()
            ctx.emit.op("lying", places, vector, owners, ctx.plan.at)
            return places

        return ctx.listed(of, how_many_of(ctx, of, group.capacity), lying)
    words = str(group.type.detail)
    path = attributes.attribute_path(ctx.edition, words, key) if group.type.base == "word" else []
    if path and (held := attributes.type_along(ctx.edition, words, path)) != NUMBER:
        values = ctx.plan.table((*attributes.word_values(ctx.edition, words, path), -1))
        return ctx.listed(held, how_many_of(ctx, held, group.capacity), lambda: images(ctx, group, values))
    return images_one_by_one(ctx, group, name, scope)


def images(ctx: Context, group: Group, table: int) -> int:
    vector, images = ctx.vector(group), ctx.emit.vector()
    ctx.emit.op("images", images, vector, table)
    return images


def images_one_by_one(ctx: Context, group: Group, name: Token, scope: Scope) -> Group:
    sample = ctx.emit.register()
    with ctx.emit.unwritten():
        first = ctx.as_group(names.possession(ctx, ctx.element(group, sample), name, scope))
    type_, several = replace(first.type, many=False), group.capacity * first.capacity
    if type_.base not in ("seat", "word", "piece"):
        raise ctx.wrong(name, "type", f"Expected what is a seat, a piece or a word; this is {described(type_)}.")
    scalar = ctx.scalar

    def make() -> int:
        found, distinct, none = ctx.emit.vector(), ctx.emit.vector(), ctx.emit.vector()
        ctx.emit.op("vector", found)

        def body(item: int) -> None:
            with ctx.reading(scalar):
                image = ctx.as_group(names.possession(ctx, ctx.element(group, item), name, scope))
            image.walk(lambda one: ctx.emit.op("push", found, one), None)

        group.walk(body, None)
        ctx.emit.op("vector", none)
        ctx.emit.op("unite", distinct, none, found)
        return distinct

    return ctx.listed(type_, how_many_of(ctx, type_, several), make)


def how_many_of(ctx: Context, type_: Type, most: int) -> int:
    """At most so many different things of a type are there among so many."""
    if type_.base == "seat":
        return min(ctx.plan.seats, most)
    if type_.base == "word":
        return min(len(ctx.edition.words[str(type_.detail)].words), most)
    return min(ctx.plan.stock.count(ctx.kinds_in(type_)), most)


def on_neighbours(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    group = spaces(ctx, tree.children[0], scope)
    table, width = neighbours_table(ctx, group)

    def make() -> int:
        vector, found = ctx.vector(group), ctx.emit.vector()
        ctx.emit.op("beside", found, vector, table, width)
        return found

    words = len(ctx.edition.words[str(group.type.detail)].words)
    return ctx.listed(group.type, min(words, group.capacity * width), make)


def on_connected(ctx: Context, tree: Tree[Token], scope: Scope) -> Group:
    """The members that can be reached from a space, from neighbour to neighbour."""
    land, origins = spaces(ctx, tree.children[0], scope), spaces(ctx, tree.children[1], scope)
    if land.type.detail != origins.type.detail:
        raise ctx.wrong(tree, "type", f"There is no way from {described(origins.type)} to {described(land.type)}.")
    table, width = neighbours_table(ctx, land)

    def make() -> int:
        start, through, found = ctx.vector(origins), ctx.vector(land), ctx.emit.vector()
        ctx.emit.op("reached", found, start, through, table, width)
        return found

    return ctx.listed(land.type, land.capacity, make)


def spaces(ctx: Context, tree: Tree[Token] | Token, scope: Scope) -> Group:
    group = ctx.group(tree, scope)
    if not any(board.spaces == group.type.detail for board in ctx.edition.boards.values()):
        boards = ", ".join(f"'{board.spaces}'" for board in ctx.edition.boards.values())
        hint = f"The boards have spaces called {boards}." if boards else "A board is declared under 'boards'."
        raise ctx.wrong(tree, "type", f"Expected spaces of a board; this is {described(group.type)}.", hint)
    return group


def neighbours_table(ctx: Context, group: Group) -> tuple[int, int]:
    """A table with a row for each space, and the rows' width."""
    board = next(board for board in ctx.edition.boards.values() if board.spaces == group.type.detail)
    width = max(1, *(len(row) for row in board.neighbours))
    rows = tuple(
        space for row in board.neighbours for space in (*row, *[-1] * (width - len(row)))
    )  # fmt: skip
    return ctx.plan.table((*rows, -1)), width
