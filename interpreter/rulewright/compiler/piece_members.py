"""Counters and figures of pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import RelatedPlace
from rulewright.compiler import messages
from rulewright.compiler.context import Context
from rulewright.compiler.registry import figure_meaning
from rulewright.compiler.scopes import Binding, Scope
from rulewright.compiler.senses import Sense
from rulewright.compiler.set_operations import append_members, empty_vector, group_from_vector
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_values import (
    TRUTH,
    UNBOUNDED,
    Assignable,
    Meaning,
    MemberSet,
    ReportedError,
    Value,
    kinds_in,
)
from rulewright.compiler.zone_access import note_pieces_read
from rulewright.model.declarations import CounterDeclaration, Figure
from rulewright.program.instructions import NONE, ZERO
from rulewright.syntax.nouns import article


def member_senses(ctx: Context, piece: Value, name: str, scope: Scope) -> Iterator[Sense]:
    """Yield the figure without parameters and the counter of a name that a piece's kinds have. name: canonical."""
    figure, counter, kinds = ctx.names.figures.get(name), ctx.names.counters.get(name), kinds_in(piece.type)
    if figure is not None and not figure.parameters and kinds & ctx.analysis.kinds_with(figure):
        sort = "value" if figure.is_value else "term"
        yield Sense(sort, figure.name, lambda: figure_by_kind(ctx, figure, piece, [], scope), figure.place)
    if counter is not None and kinds & counter.marks.keys():
        _, type_ = ctx.plan.counter(counter.name)
        base = "number" if type_.is_number else type_.base
        yield Sense("counter", counter.name, lambda: piece_counter(ctx, counter, piece), counter.place, base)


def figure_by_kind(ctx: Context, figure: Figure, piece: Value, arguments: Sequence[Binding], scope: Scope) -> Meaning:
    """Emit a figure of a piece, as its kind declares it; 0, no or nothing for a kind without it. At least one of its
    kinds has it. Raises ReportedError if kinds declare it with two types."""
    having = [one for one in (figure, *figure.others) if one.of in kinds_in(piece.type)]
    if len(having) == len(kinds_in(piece.type)) == 1:
        return figure_meaning(ctx, having[0], piece.operand, list(arguments), scope)
    operand, vector = ctx.emit.new_variable(ZERO), empty_vector(ctx)
    every: list[Meaning] = []
    for one in having:
        with ctx.emit.if_true(ctx.emit.look_up(ctx.plan.kind_table(frozenset([one.of])), piece.operand)):
            meaning = figure_meaning(ctx, one, piece.operand, list(arguments), scope)
            if isinstance(meaning, MemberSet):
                append_members(ctx, vector, meaning)
            else:
                ctx.emit.assign(operand, meaning.operand)
        every.append(meaning)
        if meaning.type != every[0].type:
            problem = messages.MEMBER_OF_TWO_TYPES(
                name=figure.name,
                one=describe(every[0].type),
                kind=article(having[0].of),
                other=describe(meaning.type),
                other_kind=article(one.of),
            )
            related = RelatedPlace(having[0].place, messages.DECLARED_HERE(name=figure.name))
            ctx.report.error(one.place, problem, messages.RENAME_ONE(), related=(related,))
            raise ReportedError
    groups = [meaning for meaning in every if isinstance(meaning, MemberSet)]
    if groups:
        return group_from_vector(ctx, groups[0].type, max(meaning.capacity for meaning in groups), lambda: vector)
    values = [meaning for meaning in every if isinstance(meaning, Value)]
    low, high = min(0, *(meaning.low for meaning in values)), max(0, *(meaning.high for meaning in values))
    can_be_nothing = not values[0].type.is_number and values[0].type != TRUTH
    if can_be_nothing:
        nothing = ctx.emit.look_up(ctx.plan.kind_table(frozenset(one.of for one in having)), piece.operand)
        with ctx.emit.if_true(ctx.emit.negate(nothing)):
            ctx.emit.assign(operand, NONE)
    return Value(values[0].type, operand, low, high, may_be_nothing=can_be_nothing)


def piece_counter(ctx: Context, counter: CounterDeclaration, piece: Value) -> Assignable:
    """Emit the read of a counter of a piece, and return it as one that can be set; 0, no or nothing for a kind without
    it, in which a write fails."""
    cell, type_ = ctx.plan.counter(counter.name)
    having = frozenset(counter.marks)
    note_pieces_read(ctx, kinds_in(piece.type) & having)
    low, high = (0, 1) if type_ == TRUTH else (-UNBOUNDED, UNBOUNDED)
    can_be_nothing = type_.base in ("seat", "word")
    if kinds_in(piece.type) <= having:
        return Assignable(type_, ctx.emit.load(cell, piece.operand), low, high, can_be_nothing, cell, piece.operand)
    contents = ctx.emit.new_variable(NONE if can_be_nothing else ZERO)
    with ctx.emit.if_true(ctx.emit.look_up(ctx.plan.kind_table(having), piece.operand)):
        ctx.emit.assign(contents, ctx.emit.load(cell, piece.operand))
    return Assignable(type_, contents, low, high, can_be_nothing, cell, piece.operand, kinds=having)
