"""What pieces of a kind have of their own: counters, and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.compiler.context import Context
from rulewright.compiler.emitter import NONE, ZERO
from rulewright.compiler.senses import Sense
from rulewright.compiler.typed_values import (
    TRUTH,
    UNBOUNDED,
    Binding,
    Group,
    Meaning,
    ReportedError,
    Scope,
    Settable,
    Value,
    describe,
)
from rulewright.model.declarations import CounterDeclaration, Figure
from rulewright.syntax.nouns import an


def member_senses(ctx: Context, piece: Value, name: str, scope: Scope) -> Iterator[Sense]:
    """The figures and counters of a piece's kinds."""
    figure, counter, kinds = ctx.figures.get(name), ctx.counters.get(name), ctx.kinds_in(piece.type)
    if figure is not None and not figure.parameters and kinds & ctx.kinds_with(figure):
        sort = "value" if figure.is_value else "term"
        yield Sense(sort, figure.name, lambda: figure_by_kind(ctx, figure, piece, [], scope), figure.place)
    if counter is not None and kinds & counter.marks.keys():
        _, type_ = ctx.plan.counter(counter.name)
        base = "number" if type_.counts else type_.base
        yield Sense("counter", counter.name, lambda: piece_counter(ctx, counter, piece), counter.place, base)


def figure_by_kind(ctx: Context, figure: Figure, piece: Value, arguments: Sequence[Binding], scope: Scope) -> Meaning:
    """A figure of a piece, as its kind has it; 0, no or nothing for one whose kind has none."""
    having = [one for one in (figure, *figure.others) if one.of in ctx.kinds_in(piece.type)]
    if len(having) == len(ctx.kinds_in(piece.type)) == 1:
        return ctx.figure(having[0], piece.operand, list(arguments), scope)
    operand, vector = ctx.emit.variable(ZERO), ctx.emit.vector()
    ctx.emit.op("vector", vector)
    every: list[Meaning] = []
    for one in having:
        with ctx.emit.when(ctx.emit.look_up(ctx.plan.kind_table(frozenset([one.of])), piece.operand)):
            found = ctx.figure(one, piece.operand, list(arguments), scope)
            if isinstance(found, Group):
                ctx.append(vector, found)
            else:
                ctx.emit.assign(operand, found.operand)
        every.append(found)
        if found.type != every[0].type:
            types = f"{describe(every[0].type)} for {an(having[0].of)} and {describe(found.type)} for {an(one.of)}"
            ctx.report.error(one.place, "type", f"'{figure.name}' is {types}.", "Give one of the two another name.")
            raise ReportedError
    groups = [found for found in every if isinstance(found, Group)]
    if groups:
        return ctx.group_from_vector(groups[0].type, max(found.capacity for found in groups), lambda: vector)
    values = [found for found in every if isinstance(found, Value)]
    low, high = min(0, *(found.low for found in values)), max(0, *(found.high for found in values))
    named = not values[0].type.counts and values[0].type != TRUTH
    if named:
        nothing = ctx.emit.look_up(ctx.plan.kind_table(frozenset(one.of for one in having)), piece.operand)
        with ctx.emit.when(ctx.emit.negate(nothing)):
            ctx.emit.assign(operand, NONE)
    return Value(values[0].type, operand, low, high, maybe=named)


def piece_counter(ctx: Context, counter: CounterDeclaration, piece: Value) -> Settable:
    """A counter of a piece; 0, no or nothing for one whose kind has none."""
    cell, type_ = ctx.plan.counter(counter.name)
    having = frozenset(counter.marks)
    ctx.note_pieces_read(ctx.kinds_in(piece.type) & having)
    low, high = (0, 1) if type_ == TRUTH else (-UNBOUNDED, UNBOUNDED)
    named = type_.base in ("seat", "word")
    if ctx.kinds_in(piece.type) <= having:
        return Settable(type_, ctx.emit.load(cell, piece.operand), low, high, named, cell, piece.operand)
    held = ctx.emit.variable(NONE if named else ZERO)
    with ctx.emit.when(ctx.emit.look_up(ctx.plan.kind_table(having), piece.operand)):
        ctx.emit.assign(held, ctx.emit.load(cell, piece.operand))
    return Settable(type_, held, low, high, named, cell, piece.operand, kinds=having)
