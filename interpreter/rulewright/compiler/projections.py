"""What attributes of the members of a set come to: suits of hand."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler import attributes, boards, name_resolution, owned_names
from rulewright.compiler.context import SET, Context
from rulewright.compiler.registry import means
from rulewright.compiler.typed_values import NUMBER, Group, Scope, described
from rulewright.program.form import Type
from rulewright.syntax.tree import Images, Name


@means(Images)
def on_images(ctx: Context, tree: Images, scope: Scope) -> Group:
    """suits of hand: what an attribute of the members comes to, each once."""
    what, where = tree.what, tree.things
    home = boards.list_having(ctx, what, where)
    group = ctx.grouped(ctx.meaning(where, scope, home, SET), where) if home else ctx.group(where, scope)
    if (there := boards.that_way(ctx, what, group, scope)) is not None:
        return there
    name = name_resolution.alone(what)
    if name is None:
        raise ctx.wrong(what, "syntax", "Before 'of' stands the name of an attribute, as in 'colours of hand'.")
    if (theirs := owned_names.pieces_of_sides(ctx, name, group, scope)) is not None:
        return theirs
    key = owned_names.called(ctx, name, group.type, scope)
    if (
        group.type.base == "piece"
        and (found := attributes.attribute_table(ctx, group.type, key))
        and found[1] != NUMBER
    ):
        table, type_ = found[0], found[1]
        return ctx.listed(type_, how_many_of(ctx, type_, group.capacity), lambda: images(ctx, group, table))
    if group.type.base == "piece" and (of := owned_names.owners(ctx, key)) is not None:
        owners = ctx.plan.owner_table(owned_names.owner_name(ctx, of))
        ctx.look_for(ctx.kinds_in(group.type), owned_names.owner_name(ctx, of))

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


def images_one_by_one(ctx: Context, group: Group, name: Name, scope: Scope) -> Group:
    sample = ctx.emit.register()
    with ctx.emit.unwritten():
        first = ctx.as_group(name_resolution.possession(ctx, ctx.element(group, sample), name, scope))
    type_, several = replace(first.type, many=False), group.capacity * first.capacity
    if type_.base not in ("seat", "word", "piece"):
        message = f"Expected what is a seat, a piece or a word; this is {described(type_)}."
        whose = f"Of one of them, say '…'s {name}'; of several in all, 'total {name} of …'."
        raise ctx.wrong(name, "type", message, whose)
    scalar = ctx.scalar

    def make() -> int:
        found, distinct, none = ctx.emit.vector(), ctx.emit.vector(), ctx.emit.vector()
        ctx.emit.op("vector", found)

        def body(item: int) -> None:
            with ctx.reading(scalar):
                image = ctx.as_group(name_resolution.possession(ctx, ctx.element(group, item), name, scope))
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
