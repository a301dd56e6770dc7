"""What attributes of the members of a set come to: suits of hand."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler import attributes, boards, name_resolution, owned_names
from rulewright.compiler.context import SET, Context
from rulewright.compiler.registry import means
from rulewright.compiler.typed_values import NUMBER, Group, Scope, describe
from rulewright.program.form import Type
from rulewright.syntax.tree import Images, Name


@means(Images)
def meaning_of_images(ctx: Context, expression: Images, scope: Scope) -> Group:
    """suits of hand: what an attribute of the members comes to, each once."""
    what, where = expression.what, expression.things
    home = boards.list_owning(ctx, what, where)
    group = ctx.require_group(ctx.meaning(where, scope, home, SET), where) if home else ctx.group(where, scope)
    if (there := boards.step_in_direction(ctx, what, group, scope)) is not None:
        return there
    name = name_resolution.single_name(what)
    if name is None:
        raise ctx.error(what, "syntax", "Before 'of' stands the name of an attribute, as in 'colours of hand'.")
    if (theirs := owned_names.pieces_of_seats(ctx, name, group, scope)) is not None:
        return theirs
    key = owned_names.resolve_member_name(ctx, name, group.type, scope)
    if (
        group.type.base == "piece"
        and (found := attributes.attribute_table(ctx, group.type, key))
        and found[1] != NUMBER
    ):
        table, type_ = found[0], found[1]
        return ctx.group_from_vector(
            type_, projection_capacity(ctx, type_, group.capacity), lambda: emit_images(ctx, group, table)
        )
    if group.type.base == "piece" and (of := owned_names.zone_owner_type(ctx, key)) is not None:
        owners = ctx.plan.owner_table(owned_names.owner_name(ctx, of))
        ctx.note_pieces_read(ctx.kinds_in(group.type), owned_names.owner_name(ctx, of))

        def lying() -> int:
            vector, places = ctx.vector(group), ctx.emit.vector()
            ctx.emit.op("lying", places, vector, owners, ctx.plan.at)
            return places

        return ctx.group_from_vector(of, projection_capacity(ctx, of, group.capacity), lying)
    words = str(group.type.detail)
    path = attributes.attribute_path(ctx.edition, words, key) if group.type.base == "word" else []
    if path and (held := attributes.path_type(ctx.edition, words, path)) != NUMBER:
        values = ctx.plan.table((*attributes.path_values(ctx.edition, words, path), -1))
        return ctx.group_from_vector(
            held, projection_capacity(ctx, held, group.capacity), lambda: emit_images(ctx, group, values)
        )
    return project_each(ctx, group, name, scope)


def emit_images(ctx: Context, group: Group, table: int) -> int:
    vector, images = ctx.vector(group), ctx.emit.vector()
    ctx.emit.op("images", images, vector, table)
    return images


def project_each(ctx: Context, group: Group, name: Name, scope: Scope) -> Group:
    sample = ctx.emit.register()
    with ctx.emit.discarding():
        first = ctx.as_group(name_resolution.resolve_owned(ctx, ctx.element(group, sample), name, scope))
    type_, several = replace(first.type, many=False), group.capacity * first.capacity
    if type_.base not in ("seat", "word", "piece"):
        message = f"Expected what is a seat, a piece or a word; this is {describe(type_)}."
        whose = f"Of one of them, say '…'s {name}'; of several in all, 'total {name} of …'."
        raise ctx.error(name, "type", message, whose)
    scalar = ctx.scalar

    def make() -> int:
        found, distinct, none = ctx.emit.vector(), ctx.emit.vector(), ctx.emit.vector()
        ctx.emit.op("vector", found)

        def body(item: int) -> None:
            with ctx.reading(scalar):
                image = ctx.as_group(name_resolution.resolve_owned(ctx, ctx.element(group, item), name, scope))
            image.walk(lambda one: ctx.emit.op("push", found, one), None)

        group.walk(body, None)
        ctx.emit.op("vector", none)
        ctx.emit.op("unite", distinct, none, found)
        return distinct

    return ctx.group_from_vector(type_, projection_capacity(ctx, type_, several), make)


def projection_capacity(ctx: Context, type_: Type, most: int) -> int:
    """At most so many different things of a type are there among so many."""
    if type_.base == "seat":
        return min(ctx.plan.seats, most)
    if type_.base == "word":
        return min(len(ctx.edition.words[str(type_.detail)].words), most)
    return min(ctx.plan.stock.count(ctx.kinds_in(type_)), most)
