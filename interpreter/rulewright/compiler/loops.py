"""Loops: over members, runs of equals, repetitions, turns around the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.compiler import cell_access, exits, local_names, messages
from rulewright.compiler.context import Context
from rulewright.compiler.control import checking_bodies_on_error, compile_statements
from rulewright.compiler.ordering import emit_has_several, key_columns, ordered_group, ordered_vector
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.saved_cells import SavedCell
from rulewright.compiler.scopes import Binding, Frame, Round, Scope
from rulewright.compiler.set_operations import empty_vector, vector_of
from rulewright.compiler.typed_expressions import compile_number, compile_set, compile_truth
from rulewright.compiler.typed_values import NUMBER, SEAT, MemberSet, Value, member_type, member_value
from rulewright.program.instructions import ONE, ZERO
from rulewright.program.state_layout import ME
from rulewright.program.value_types import Type
from rulewright.syntax.flow_nodes import DropOut, Each, EachGroup, GoRound, RepeatTimes, RepeatWhile
from rulewright.syntax.statement_nodes import Loop
from rulewright.syntax.tree import Name


@compiles(Each)
def compile_each(ctx: Context, statement: Each, scope: Scope, parts: StatementParts) -> None:
    """Compile `each`: within a block, or over several where somebody is asked inside."""
    keys = statement.keys
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        members = compile_set(ctx, statement.things, scope)
    if keys is not None:
        members = ordered_group(ctx, members, keys, scope)
    if ctx.plan.setting is not None and members.constant_members == ():
        return
    compile_body = parts.compile_body or (lambda inner: compile_statements(ctx, parts.body, inner))
    if parts.asks:
        compile_each_over_blocks(ctx, statement, members, scope, compile_body)
    else:
        compile_each_in_block(ctx, statement, members, scope, compile_body, exits.loop_frame(ctx, parts.body))


def compile_each_in_block(
    ctx: Context, statement: Each, members: MemberSet, scope: Scope, compile_body: Callable[[Scope], None], frame: Frame
) -> None:
    """Compile a loop that asks nobody. frame: the loop's own, for sentences in it that leave it or more than it."""
    with ctx.emit.each(vector_of(ctx, members)) as item:
        inner = scope.in_one_block().with_frame(frame)
        if members.type.base == SEAT.base:
            inner = inner.with_acting_seat(item)
        value = member_value(members, item)
        inner.bind("it", lambda: value)
        bind_item_name(ctx, inner, statement.name, lambda: value)
        compile_body(inner)
    exits.emit_outer_break(ctx, frame)


def compile_each_over_blocks(
    ctx: Context, statement: Each, members: MemberSet, scope: Scope, compile_body: Callable[[Scope], None]
) -> None:
    """Compile a loop that may ask: its members, the index of the next one and the present one are saved in cells."""
    seats = members.type.base == SEAT.base
    if seats and scope.at_once >= 0:
        raise ctx.error(statement, messages.ASKS_INSIDE_AT_ONCE())
    items = cell_access.new_cell(ctx, members.type, members.capacity, scope)
    cell_access.save(ctx, items, members)
    cursor = cell_access.new_cell(ctx, NUMBER, 0, scope)
    current = cell_access.new_cell(ctx, member_type(members.type), 0, scope)
    cell_access.write_number(ctx, cursor, ZERO)
    before = cell_access.new_cell(ctx, SEAT, 0, scope)
    if seats:
        ctx.emit.store(before.cell, ZERO, ctx.emit.load(ME))
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    cell_access.begin_block(ctx, again, scope.step)
    item = emit_next_item(ctx, items, cursor, after)
    cell_access.write_number(ctx, current, item)
    if seats:
        cell_access.set_acting_seat(ctx, item)
    frame = Frame("loop", after=after, previous_seat=before.cell if seats else -1)
    inner = scope.for_inner_list().with_frame(frame)
    if seats:
        inner = inner.with_acting_seat(None)
    inner.bind("it", lambda: cell_access.load(ctx, current))
    bind_item_name(ctx, inner, statement.name, lambda: cell_access.load(ctx, current))
    compile_loop_body(ctx, lambda: compile_body(inner), inner, statement)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    exits.merge_arrivals(ctx, frame, scope)
    if seats:
        cell_access.set_acting_seat(ctx, ctx.emit.load(before.cell))


def emit_next_item(ctx: Context, items: SavedCell, cursor: SavedCell, after: int) -> int:
    """Emit the next item of a saved set and advance the cursor; after the last one, go to another block."""
    index, all_ = cell_access.read_number(ctx, cursor), cell_access.read_set(ctx, items)
    size = ctx.emit.compute("length", all_)
    with ctx.emit.if_true(ctx.emit.evaluate("at_most", size, index)):
        ctx.emit.op("goto", after)
    item = ctx.emit.compute("item", all_, index)
    cell_access.write_number(ctx, cursor, ctx.emit.evaluate("add", index, ONE))
    return item


def bind_item_name(ctx: Context, scope: Scope, name: Name | None, item: Binding) -> None:
    """Bind the name that `as` gives to the item of a loop."""
    if name is not None:
        local_names.check_new_name(ctx, name, scope)
        scope.bind(name.text, item)


@compiles(EachGroup)
def compile_each_group(ctx: Context, statement: EachGroup, scope: Scope, parts: StatementParts) -> None:
    """Compile a loop over runs of equals; the groups are fixed when the loop begins."""
    local_names.check_new_name(ctx, statement.name, scope.for_inner_list())
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        things = compile_set(ctx, statement.things, scope)
    vector, sizes = vector_of(ctx, things), ctx.emit.new_vector()
    ctx.emit.op("fixed", sizes, ctx.plan.add_table((1,)))
    with ctx.emit.if_true(emit_has_several(ctx, vector)):
        columns = key_columns(ctx, vector, things, statement.keys, scope)
        ctx.emit.op("rank", vector, sizes, *columns)
    members = cell_access.new_cell(ctx, things.type, things.capacity, scope)
    in_run = cell_access.new_cell(ctx, Type("number", "", True), max(1, things.capacity), scope)
    current = cell_access.new_cell(ctx, things.type, things.capacity, scope)
    cursor = cell_access.new_cell(ctx, NUMBER, 0, scope)
    cell_access.write_set(ctx, members, vector)
    cell_access.write_set(ctx, in_run, sizes)
    cell_access.write_number(ctx, cursor, ZERO)

    def next_run(leave: Callable[[], None]) -> None:
        """Save the next run as the current one; leave if there is none."""
        first = cell_access.read_number(ctx, cursor)
        all_ = cell_access.read_set(ctx, members)
        size = ctx.emit.compute("length", all_)
        with ctx.emit.if_true(ctx.emit.evaluate("at_most", size, first)):
            leave()
        equals = ctx.emit.compute("item", cell_access.read_set(ctx, in_run), first)
        run = ctx.emit.compute_vector("slice", all_, first, equals)
        cell_access.write_set(ctx, current, run)
        cell_access.write_number(ctx, cursor, ctx.emit.evaluate("add", first, equals))

    frame = Frame("loop") if parts.asks else exits.loop_frame(ctx, parts.body)
    inner = (scope.for_inner_list() if parts.asks else scope.in_one_block()).with_frame(frame)
    inner.bind(statement.name.text, lambda: cell_access.load(ctx, current))
    if not parts.asks:
        with ctx.emit.loop():
            next_run(lambda: ctx.emit.op("break"))
            compile_statements(ctx, parts.body, inner)
        exits.emit_outer_break(ctx, frame)
        return
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    frame.after = after
    cell_access.begin_block(ctx, again, scope.step)
    next_run(lambda: ctx.emit.op("goto", after))
    compile_loop_body(ctx, lambda: compile_statements(ctx, parts.body, inner), inner, statement)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    exits.merge_arrivals(ctx, frame, scope)


def compile_loop_body(ctx: Context, body: Callable[[], None], scope: Scope, statement: Loop) -> None:
    """Compile the body of a loop that asks. Inside an `at once` an effect would come before the next question: an
    error."""
    before = ctx.output.progress(scope)
    body()
    after = ctx.output.progress(scope)
    ctx.output.set_progress(scope, before.or_else(after))  # the body may run for nobody
    if after.effects and not before.effects:
        raise ctx.error(statement, messages.CHOICE_AFTER_EFFECT_OF_LOOP())


@compiles(RepeatWhile)
def compile_repeat_while(ctx: Context, statement: RepeatWhile, scope: Scope, parts: StatementParts) -> None:
    """Compile a body that repeats as long as a condition holds before it."""

    def again() -> int:
        with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
            return compile_truth(ctx, statement.condition, scope)

    compile_repeat(ctx, again, statement, scope, parts)


@compiles(RepeatTimes)
def compile_repeat_times(ctx: Context, statement: RepeatTimes, scope: Scope, parts: StatementParts) -> None:
    """Compile `repeat N times`: the count is taken once, at the beginning."""
    left = cell_access.new_cell(ctx, NUMBER, 0, scope)
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        cell_access.save(ctx, left, compile_number(ctx, statement.times, scope))

    def again() -> int:
        number = cell_access.read_number(ctx, left)
        cell_access.write_number(ctx, left, ctx.emit.evaluate("subtract", number, ONE))
        return ctx.emit.evaluate("less", ZERO, number)

    compile_repeat(ctx, again, statement, scope, parts)


def compile_repeat(
    ctx: Context, condition: Callable[[], int], statement: Loop, scope: Scope, parts: StatementParts
) -> None:
    """Compile a loop that goes on while `condition` emits a truth."""
    if not parts.asks:
        frame = exits.loop_frame(ctx, parts.body)
        with ctx.emit.loop():
            ctx.emit.spend()
            with ctx.emit.if_true(ctx.emit.negate(condition())):
                ctx.emit.op("break")
            compile_statements(ctx, parts.body, scope.in_one_block().with_frame(frame))
        exits.emit_outer_break(ctx, frame)
        return
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    cell_access.begin_block(ctx, again, scope.step)
    ctx.emit.spend()
    with ctx.emit.if_true(ctx.emit.negate(condition())):
        ctx.emit.op("goto", after)
    frame = Frame("loop", after=after)
    inner = scope.for_inner_list().with_frame(frame)
    compile_loop_body(ctx, lambda: compile_statements(ctx, parts.body, inner), inner, statement)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    exits.merge_arrivals(ctx, frame, scope)


@compiles(GoRound)
def compile_go_round(ctx: Context, statement: GoRound, scope: Scope, parts: StatementParts) -> None:
    """Compile `go round seats until CONDITION`: turns of seats in a circle, again and again, until all have dropped out
    or the condition is true, which is looked at before each turn. An error inside an `at once`."""
    keys, until = statement.keys, statement.until
    if scope.at_once >= 0:
        raise ctx.error(statement, messages.ASKS_INSIDE_AT_ONCE())
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        things = compile_set(ctx, statement.seats, scope, "seat")
        members = vector_of(ctx, things) if keys is None else ordered_vector(ctx, things, keys, scope)
    round_ = Round(ctx.plan.allocate_sets(1, things.capacity), ctx.plan.allocate_cells(1), ctx.plan.allocate_cells(1))
    before = ctx.plan.allocate_cells(1)
    frame = Frame("loop", previous_seat=before) if parts.asks else exits.loop_frame(ctx, parts.body)
    ctx.emit.op("keep", members, round_.seats, ZERO)
    ctx.emit.store(round_.next, ZERO, ZERO)

    def next_turn(leave: Callable[[], None]) -> Scope:
        """Let the next seat act, or leave if there is none."""
        ctx.emit.spend()
        everyone = ctx.emit.compute_vector("read", round_.seats, ZERO)
        size = ctx.emit.compute("length", everyone)
        with ctx.emit.if_true(ctx.emit.evaluate("equal", size, ZERO)):
            leave()
        index = ctx.emit.new_variable(ctx.emit.load(round_.next))
        with ctx.emit.if_true(ctx.emit.evaluate("at_most", size, index)):
            ctx.emit.assign(index, ZERO)
        seat = ctx.emit.compute("item", everyone, index)
        ctx.emit.store(round_.next, ZERO, ctx.emit.evaluate("add", index, ONE))
        ctx.emit.store(round_.current, ZERO, seat)
        if parts.asks:
            cell_access.set_acting_seat(ctx, seat)
            among = round_.seats if ctx.analysis.may_drop_out(parts.body) else scope.seats_in_round
            inner = replace(scope.for_inner_list().with_acting_seat(None), round=round_, seats_in_round=among)
        else:
            inner = replace(scope.in_one_block().with_acting_seat(seat), round=round_)
        inner.bind("it", lambda: Value(SEAT, ctx.emit.load(round_.current)))
        if until is not None:
            with (
                checking_bodies_on_error(ctx, parts.node, inner, parts.asks),
                ctx.emit.if_true(compile_truth(ctx, until, inner)),
            ):
                leave()
        return inner

    if not parts.asks:
        with ctx.emit.loop():
            compile_statements(ctx, parts.body, next_turn(lambda: ctx.emit.op("break")).with_frame(frame))
        exits.emit_outer_break(ctx, frame)
        return
    ctx.emit.store(before, ZERO, ctx.emit.load(ME))
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    frame.after = after
    cell_access.begin_block(ctx, again, scope.step)
    compile_statements(ctx, parts.body, next_turn(lambda: ctx.emit.op("goto", after)).with_frame(frame))
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    cell_access.set_acting_seat(ctx, ctx.emit.load(before))


@compiles(DropOut)
def compile_drop_out(ctx: Context, statement: DropOut, scope: Scope, parts: StatementParts) -> None:
    """Compile `drop out`: remove the seat whose turn it is from the innermost `go round`."""
    round_ = scope.round
    if round_ is None:
        raise ctx.error(statement, messages.CANNOT_DROP_OUT(), messages.NOT_AS_ANOTHER())
    leaver = ctx.emit.load(round_.current)
    everyone, left = ctx.emit.compute_vector("read", round_.seats, ZERO), empty_vector(ctx)
    with ctx.emit.each(everyone) as seat:
        with ctx.emit.if_true(ctx.emit.evaluate("unequal", seat, leaver)):
            ctx.emit.op("push", left, seat)
        with ctx.emit.if_true(ctx.emit.evaluate("equal", seat, leaver)):  # so that the next seat is not skipped
            ctx.emit.store(round_.next, ZERO, ctx.emit.evaluate("subtract", ctx.emit.load(round_.next), ONE))
    ctx.emit.op("keep", left, round_.seats, ZERO)
