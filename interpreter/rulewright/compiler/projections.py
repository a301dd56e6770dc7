"""Projections: the values of an attribute over a set, each once, as in `suits of hand`."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler import attributes, boards, messages, name_resolution, owned_names
from rulewright.compiler.context import Context
from rulewright.compiler.registry import meaning_of, means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import as_set, empty_vector, group_from_vector, vector_of
from rulewright.compiler.type_checks import require_group
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_set
from rulewright.compiler.typed_values import NUMBER, SET, MemberSet, kinds_in, member_value
from rulewright.compiler.zone_access import note_pieces_read
from rulewright.program.instructions import ZERO
from rulewright.program.value_types import Type
from rulewright.syntax.set_nodes import Images
from rulewright.syntax.tree import Name


@means(Images)
def meaning_of_images(ctx: Context, expression: Images, scope: Scope) -> MemberSet:
    """Compile `suits of hand`, `north of a1`, `cards of opponents`: values of a name over the members, each once."""
    attribute_name, members = expression.what, expression.things
    list_name = boards.list_with_name(ctx, attribute_name, members)
    things = (
        require_group(ctx, meaning_of(ctx, members, scope, list_name, SET), members)
        if list_name
        else compile_set(ctx, members, scope)
    )
    if (step := boards.step_in_direction(ctx, attribute_name, things, scope)) is not None:
        return step
    name = name_resolution.single_name(attribute_name)
    if name is None:
        raise ctx.error(attribute_name, messages.NAME_BEFORE_OF())
    if (theirs := owned_names.pieces_of_seats(ctx, name, things, scope)) is not None:
        return theirs
    key = owned_names.resolve_member_name(ctx, name, things.type, scope)
    if (
        things.type.base == "piece"
        and (column := attributes.attribute_table(ctx, things.type, key))
        and column[1] != NUMBER
    ):
        table, type_ = column[0], column[1]
        return group_from_vector(
            ctx, type_, projection_capacity(ctx, type_, things.capacity), lambda: emit_images(ctx, things, table)
        )
    if things.type.base == "piece" and (of := owned_names.zone_owner_type(ctx, key)) is not None:
        owners = ctx.plan.owner_table(owned_names.owner_name(ctx, of))
        note_pieces_read(ctx, kinds_in(things.type), owned_names.owner_name(ctx, of))

        def zone_owners() -> int:
            return ctx.emit.compute_vector("lying", vector_of(ctx, things), owners, ctx.plan.piece_addresses)

        return group_from_vector(ctx, of, projection_capacity(ctx, of, things.capacity), zone_owners)
    words = str(things.type.detail)
    path = attributes.attribute_path(ctx.edition, words, key) if things.type.base == "word" else []
    if path and (value_type := attributes.path_type(ctx.edition, words, path)) != NUMBER:
        values = ctx.plan.add_table((*attributes.path_values(ctx.edition, words, path), -1))
        return group_from_vector(
            ctx,
            value_type,
            projection_capacity(ctx, value_type, things.capacity),
            lambda: emit_images(ctx, things, values),
        )
    return project_each(ctx, things, name, scope)


def emit_images(ctx: Context, members: MemberSet, table: int) -> int:
    """Emit the members' entries in a table, each once."""
    return ctx.emit.compute_vector("images", vector_of(ctx, members), table)


def project_each(ctx: Context, members: MemberSet, name: Name, scope: Scope) -> MemberSet:
    """Return the values of a name, resolved for each member, each once. Raises ReportedError for numbers and truths."""
    sample = ctx.emit.new_register()
    with ctx.emit.if_true(ZERO):
        first = as_set(ctx, name_resolution.resolve_owned(ctx, member_value(members, sample), name, scope))
    type_, several = replace(first.type, many=False), members.capacity * first.capacity
    if type_.base not in ("seat", "word", "piece"):
        problem = messages.EXPECTED_THINGS(given=describe(type_))
        raise ctx.error(name, problem, messages.SAY_ITS_OR_TOTAL(name=name.text))
    scalar = ctx.scalar

    def make() -> int:
        """Emit the images of all members, each once; return the vector."""
        values = empty_vector(ctx)

        def body(item: int) -> None:
            with ctx.reading(scalar):
                image = as_set(ctx, name_resolution.resolve_owned(ctx, member_value(members, item), name, scope))
            image.walk(lambda one: ctx.emit.op("push", values, one), None)

        members.walk(body, None)
        return ctx.emit.compute_vector("unite", empty_vector(ctx), values)

    return group_from_vector(ctx, type_, projection_capacity(ctx, type_, several), make)


def projection_capacity(ctx: Context, type_: Type, most: int) -> int:
    """Return the largest number of distinct values of a type among so many."""
    if type_.base == "seat":
        return min(ctx.plan.seats, most)
    if type_.base == "word":
        return min(len(ctx.edition.words[str(type_.detail)].words), most)
    return min(ctx.plan.stock.count(kinds_in(type_)), most)
