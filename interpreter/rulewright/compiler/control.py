"""Control flow: bodies, branches, loops.

A statement that asks nobody is structured code inside one block. One that may ask spans several blocks, and saves
its loop state in cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import nearest
from rulewright.compiler import cell_access, effects, exits, sets, stored_lists, texts
from rulewright.compiler.context import Context
from rulewright.compiler.edition_analysis import bodies_of, head_of
from rulewright.compiler.emitter import ONE, ZERO, constant, constant_value
from rulewright.compiler.move_witnesses import MoveWitnesses
from rulewright.compiler.parking import before_effect
from rulewright.compiler.registry import StatementParts, compile_statement, compiles
from rulewright.compiler.set_operations import copy_vector, group_from_vector, vector_of
from rulewright.compiler.type_checks import require_present, require_type
from rulewright.compiler.typed_expressions import (
    compile_group,
    compile_number,
    compile_number_or_fraction,
    compile_truth,
    compile_value,
)
from rulewright.compiler.typed_values import (
    NUMBER,
    SEAT,
    Binding,
    Frame,
    Group,
    ReportedError,
    Round,
    Scope,
    Value,
    member_value,
)
from rulewright.model.error_recovery import names_introduced
from rulewright.model.statements import is_heading, log_text
from rulewright.program.form import ME, Type
from rulewright.syntax import sentences
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from rulewright.syntax.tree import (
    ActAs,
    Clockwise,
    DropOut,
    Each,
    EachGroup,
    ExtremeFirst,
    GoRound,
    If,
    Key,
    Keys,
    Loop,
    Name,
    RepeatTimes,
    RepeatWhile,
    Sort,
    Statement,
    TrueFirst,
)


def compile_statements(ctx: Context, node: Node, scope: Scope) -> None:
    """Compile a sentence or a list of statements; an error skips one statement."""
    items = node.items if isinstance(node, SequenceNode) else [node]
    witnesses = MoveWitnesses(items)
    for number, item in enumerate(items):
        try:
            with ctx.emit.marking(head_of(item)), ctx.trace(item, scope):
                if (line := log_text(item)) is not None:
                    before_effect(ctx, scope)
                    texts.compile_log(ctx, line, is_heading(item), scope, witnesses.moved_by(ctx, number, scope))
                    continue
                witnesses.note(ctx, number, scope)
                compile_node(ctx, item, scope)
        except ReportedError:
            bind_unusable_names(ctx, item, scope)


def bind_unusable_names(ctx: Context, node: Node, scope: Scope) -> None:
    """Bind the names that a wrong statement introduces, so that their uses are not reported again."""
    head = head_of(node)
    for name in names_introduced(head.text if head else ""):
        scope.bind(name, partial(effects.raise_reported, ctx))


@contextmanager
def checking_bodies_on_error(ctx: Context, node: Node, scope: Scope, asks: bool) -> Iterator[None]:
    """Compile the head of a statement inside this; if it is wrong, its bodies are still checked."""
    try:
        yield
    except ReportedError:
        inner = replace(scope.branch() if asks else scope.structured(), someone=True).inside(Frame("loop"))
        bind_unusable_names(ctx, node, inner)
        inner.bind("it", partial(effects.raise_reported, ctx))
        if inner.round is None:
            inner = replace(inner, round=Round(ctx.plan.sets(1, 0), ctx.plan.cells(1), ctx.plan.cells(1)))
        for body in bodies_of(node) if scope.flat or not asks else ():
            compile_statements(ctx, body, replace(inner, names=dict(inner.names)))
        raise


def compile_node(ctx: Context, node: Node, scope: Scope) -> None:
    """Compile one statement."""
    if isinstance(node, SequenceNode):
        ctx.report.error(node.place, "shape", "Expected one statement here, not a list.")
        return
    key, value = (node, None) if isinstance(node, Scalar) else next(node.items())
    clauses = value if isinstance(value, MappingNode) else None
    if isinstance(node, Scalar) and re.match(r"(if|each|all|as|repeat|go)\b.*:\s", node.text):
        message = "A sentence with a body stands alone before its colon, as a key: use no quotes here."
        ctx.report.error(node.place, "shape", message)
        return
    with ctx.reading(key):
        asks = ctx.analysis.may_ask(node)
        with checking_bodies_on_error(ctx, node, scope, asks):
            tree = ctx.parse(key, sentences.statement)
        if asks and not scope.flat:
            raise ctx.error(tree, "cannot-ask", "Nobody can be asked here.")
        if not asks and tree.visible:
            before_effect(ctx, scope)
        check_shape(ctx, tree, node, value)
        compile_statement(ctx, tree, scope, StatementParts(key, value, clauses, node, asks))


def check_shape(ctx: Context, statement: Statement, node: Node, value: Node | None) -> None:
    """Report clauses and bodies that a sentence may not have, or lacks. Raises ReportedError."""
    present = isinstance(node, MappingNode) and value is not None and not (isinstance(value, Scalar) and value.absent)
    allowed, name = statement.clauses, statement.keyword()
    if statement.has_body and not present:
        raise ctx.error(statement, "body-missing", f"'{name}' is followed by a colon and what is to be done.")
    if not statement.has_body and present and not isinstance(value, MappingNode):
        raise ctx.error(statement, "shape", f"Nothing is done inside '{name}'; start a new line with '- '.")
    if isinstance(value, MappingNode) and not statement.has_body:
        for key in value.keys.values():
            if key.text not in allowed:
                message = f"'{name}' has no clause '{key.text}'."
                hint = nearest(key.text, allowed) or ("It has " + ", ".join(sorted(allowed)) if allowed else "")
                ctx.report.error(key.place, "unknown-key", message, hint)
    if isinstance(node, MappingNode):
        for key in list(node.keys.values())[1:]:
            if key.text != "otherwise" or not isinstance(statement, If):
                message = (
                    f"'{key.text}' does not belong here."
                    if key.text != "otherwise"
                    else "'otherwise' belongs to an 'if'."
                )
                ctx.report.error(key.place, "shape", message, "Every statement begins with '- '.")


def emit_branch(
    ctx: Context,
    condition: int,
    then: Callable[[], None],
    other: Callable[[], None] | None,
    scope: Scope,
    asks: bool,
) -> None:
    """Emit if … otherwise …, over several blocks where somebody may be asked inside."""
    if not asks:
        if other is None or constant_value(condition) is None:
            with ctx.emit.if_true(condition):
                then()
                if other:
                    ctx.emit.otherwise()
                    other()
        else:
            with ctx.emit.if_true(condition):
                then()
            with ctx.emit.if_true(ctx.emit.negate(condition)):
                other()
        return
    if ctx.plan.setting is not None and constant_value(condition) is not None:  # checked before, without a setting
        if constant_value(condition):
            then()
        elif other:
            other()
        return
    no, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    with ctx.emit.if_true(ctx.emit.negate(condition)):
        ctx.emit.op("goto", no)
    before = ctx.output.progress(scope)
    cell_access.begin_block(ctx, cell_access.new_block(ctx), scope.step)
    then()
    ctx.emit.op("goto", after)
    one = ctx.output.progress(scope)
    ctx.output.set_progress(scope, before)
    cell_access.begin_block(ctx, no, scope.step)
    if other:
        other()
    ctx.output.set_progress(scope, one.or_else(ctx.output.progress(scope)))
    cell_access.begin_block(ctx, after, scope.step)


@compiles(If)
def compile_if(ctx: Context, statement: If, scope: Scope, parts: StatementParts) -> None:
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        condition = compile_truth(ctx, statement.condition, scope)
    assert isinstance(parts.node, MappingNode) and parts.value is not None
    inner = scope.branch() if parts.asks else scope.structured()
    body, other = parts.value, parts.node.get("otherwise")
    outer = scope.branch() if parts.asks else scope.structured()
    otherwise = (lambda: compile_statements(ctx, other, outer)) if other is not None else None
    emit_branch(ctx, condition, lambda: compile_statements(ctx, body, inner), otherwise, scope, parts.asks)


@compiles(Each)
def compile_each(ctx: Context, statement: Each, scope: Scope, parts: StatementParts) -> None:
    keys = statement.keys
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        group = compile_group(ctx, statement.things, scope)
    compile_body = parts.done or (lambda inner: compile_statements(ctx, parts.body, inner))
    if keys is not None:
        ordered = group

        def in_order() -> int:
            return ordered_vector(ctx, ordered, keys, scope)

        group = group_from_vector(ctx, group.type, group.capacity, in_order)
    if ctx.plan.setting is not None and group.members == ():
        return
    seats = group.type.base == "seat"
    if not parts.asks:
        frame = exits.loop_frame(ctx, parts.body)
        with ctx.emit.each(vector_of(ctx, group)) as item:
            inner = scope.structured().inside(frame)
            if seats:
                inner = inner.acting(item)
            value = member_value(group, item)
            inner.bind("it", lambda: value)
            bind_item_name(ctx, inner, statement.name, lambda: value)
            compile_body(inner)
        exits.emit_outer_break(ctx, frame)
        return
    if seats and scope.sealed >= 0:
        raise ctx.error(statement, "nested-at-once", "Inside 'at once' nobody else can be asked in turn.")
    items = cell_access.new_cell(ctx, group.type, group.capacity, scope)
    cell_access.save(ctx, items, group)
    cursor, current = (
        cell_access.new_cell(ctx, NUMBER, 0, scope),
        cell_access.new_cell(ctx, replace(group.type, many=False), 0, scope),
    )
    ctx.emit.store(cursor.cell, cell_access.cell_index(ctx, cursor), ZERO)
    before = cell_access.new_cell(ctx, SEAT, 0, scope)
    if seats:
        ctx.emit.store(before.cell, ZERO, ctx.emit.load(ME))
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    cell_access.begin_block(ctx, again, scope.step)
    index, all_ = ctx.emit.load(cursor.cell, cell_access.cell_index(ctx, cursor)), ctx.emit.vector()
    ctx.emit.op("read", all_, items.cell, cell_access.cell_index(ctx, items))
    size, item = ctx.emit.register(), ctx.emit.register()
    ctx.emit.op("length", size >> 1, all_)
    with ctx.emit.if_true(ctx.emit.value("at_most", size, index)):
        ctx.emit.op("goto", after)
    ctx.emit.op("item", item >> 1, all_, index)
    ctx.emit.store(cursor.cell, cell_access.cell_index(ctx, cursor), ctx.emit.value("add", index, ONE))
    ctx.emit.store(current.cell, cell_access.cell_index(ctx, current), item)
    if seats:
        cell_access.set_acting_seat(ctx, item)
    frame = Frame("loop", after=after, before=before.cell if seats else -1)
    inner = scope.branch().inside(frame)
    if seats:
        inner = inner.acting(None)
    inner.bind("it", lambda: cell_access.load(ctx, current))
    bind_item_name(ctx, inner, statement.name, lambda: cell_access.load(ctx, current))
    compile_loop_body(ctx, lambda: compile_body(inner), inner, statement)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    exits.merge_arrivals(ctx, frame, scope)
    if seats:
        cell_access.set_acting_seat(ctx, ctx.emit.load(before.cell))


def bind_item_name(ctx: Context, scope: Scope, name: Name | None, item: Binding) -> None:
    """Bind the name that `as` gives to the item of a loop."""
    if name is not None:
        effects.check_new_name(ctx, name, scope)
        scope.bind(name.text, item)


def ordered_vector(ctx: Context, group: Group, keys: Keys, scope: Scope) -> int:
    """Emit the members in an order, as a vector."""
    match keys.keys, group.members:
        case (Clockwise() as key,), (_, _, *_) as members:
            require_type(ctx, replace(group.type, many=False), SEAT, key)
            return sets.clockwise_from(ctx, first_seat(ctx, key, scope), members)
    vector = vector_of(ctx, group)
    with ctx.emit.if_true(has_several(ctx, vector)):
        ctx.emit.op("sort", vector, *key_columns(ctx, vector, group, keys, scope))
    return vector


def has_several(ctx: Context, vector: int) -> int:
    """Emit whether a vector has more than one member."""
    size = ctx.emit.register()
    ctx.emit.op("length", size >> 1, vector)
    return ctx.emit.value("less", ONE, size)


def key_columns(ctx: Context, vector: int, group: Group, keys: Keys, scope: Scope) -> list[int]:
    """Emit a vector for each key of an order, with the key's number for each item."""
    columns: list[int] = []
    for key in keys.keys:
        column = ctx.emit.vector()
        rank = order_key(ctx, key, replace(group.type, many=False), scope)
        ctx.emit.op("vector", column)
        with ctx.emit.each(vector) as item:
            ctx.emit.op("push", column, rank(member_value(group, item)))
        columns.append(column)
    return columns


def order_key(ctx: Context, key: Key, type_: Type, scope: Scope) -> Callable[[Value], int]:
    """Return the function that emits an item's number for a key; smaller comes earlier."""
    if isinstance(key, Clockwise):
        require_type(ctx, type_, SEAT, key)
        start = first_seat(ctx, key, scope)
        return lambda item: sets.clockwise_distance(ctx, start, item.operand)

    def rank(item: Value) -> int:
        match key:
            case TrueFirst():
                return ctx.emit.negate(compile_truth(ctx, key.condition, scope.within(item)))
            case ExtremeFirst():
                number = compile_number_or_fraction(ctx, key.figure, scope.within(item)).operand
                return ctx.emit.value("subtract", ZERO, number) if key.which == "highest" else number
        number = ctx.emit.register()
        ctx.emit.op("random", number >> 1, constant(2**31 - 1))
        return number

    return rank


@compiles(Sort)
def compile_sort(ctx: Context, statement: Sort, scope: Scope, parts: StatementParts) -> None:
    list_ = effects.require_list(ctx, statement.counter, scope)
    vector = copy_vector(ctx, list_)
    with ctx.emit.if_true(has_several(ctx, vector)):
        ctx.emit.op("sort", vector, *key_columns(ctx, vector, list_, statement.keys, scope))
    stored_lists.store_list(ctx, list_, vector)


def first_seat(ctx: Context, clockwise: Clockwise, scope: Scope) -> int:
    """Emit the seat with which an order `clockwise from` begins."""
    return require_present(ctx, compile_value(ctx, clockwise.start, scope, SEAT), clockwise.start).operand


@compiles(EachGroup)
def compile_each_group(ctx: Context, statement: EachGroup, scope: Scope, parts: StatementParts) -> None:
    """Compile a loop over runs of equals; the groups are fixed when the loop begins."""
    effects.check_new_name(ctx, statement.name, scope.branch())
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        group = compile_group(ctx, statement.things, scope)
    vector, sizes = vector_of(ctx, group), ctx.emit.vector()
    ctx.emit.op("fixed", sizes, ctx.plan.table((1,)))
    with ctx.emit.if_true(has_several(ctx, vector)):
        columns = key_columns(ctx, vector, group, statement.keys, scope)
        ctx.emit.op("rank", vector, sizes, *columns)
    members = cell_access.new_cell(ctx, group.type, group.capacity, scope)
    in_run = cell_access.new_cell(ctx, Type("number", "", True), max(1, group.capacity), scope)
    current = cell_access.new_cell(ctx, group.type, group.capacity, scope)
    cursor = cell_access.new_cell(ctx, NUMBER, 0, scope)
    ctx.emit.op("keep", vector, members.cell, cell_access.cell_index(ctx, members))
    ctx.emit.op("keep", sizes, in_run.cell, cell_access.cell_index(ctx, in_run))
    ctx.emit.store(cursor.cell, cell_access.cell_index(ctx, cursor), ZERO)

    def next_run(leave: Callable[[], None]) -> None:
        """Save the next run as the current one; leave if there is none."""
        first = ctx.emit.load(cursor.cell, cell_access.cell_index(ctx, cursor))
        all_, size = ctx.emit.vector(), ctx.emit.register()
        ctx.emit.op("read", all_, members.cell, cell_access.cell_index(ctx, members))
        ctx.emit.op("length", size >> 1, all_)
        with ctx.emit.if_true(ctx.emit.value("at_most", size, first)):
            leave()
        run, counted, equals = ctx.emit.vector(), ctx.emit.vector(), ctx.emit.register()
        ctx.emit.op("read", counted, in_run.cell, cell_access.cell_index(ctx, in_run))
        ctx.emit.op("item", equals >> 1, counted, first)
        ctx.emit.op("slice", run, all_, first, equals)
        ctx.emit.op("keep", run, current.cell, cell_access.cell_index(ctx, current))
        ctx.emit.store(cursor.cell, cell_access.cell_index(ctx, cursor), ctx.emit.value("add", first, equals))

    frame = Frame("loop") if parts.asks else exits.loop_frame(ctx, parts.body)
    inner = (scope.branch() if parts.asks else scope.structured()).inside(frame)
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
        message = "Inside 'at once' every choice comes before anything happens; this loop chooses again after it."
        raise ctx.error(statement, "choice-after-effect", message)


@compiles(RepeatWhile)
def compile_repeat_while(ctx: Context, statement: RepeatWhile, scope: Scope, parts: StatementParts) -> None:
    def again() -> int:
        with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
            return compile_truth(ctx, statement.condition, scope)

    compile_repeat(ctx, again, statement, scope, parts)


@compiles(RepeatTimes)
def compile_repeat_times(ctx: Context, statement: RepeatTimes, scope: Scope, parts: StatementParts) -> None:
    left = cell_access.new_cell(ctx, NUMBER, 0, scope)
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        cell_access.save(ctx, left, compile_number(ctx, statement.times, scope))

    def again() -> int:
        number = ctx.emit.load(left.cell, cell_access.cell_index(ctx, left))
        ctx.emit.store(left.cell, cell_access.cell_index(ctx, left), ctx.emit.value("subtract", number, ONE))
        return ctx.emit.value("less", ZERO, number)

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
            compile_statements(ctx, parts.body, scope.structured().inside(frame))
        exits.emit_outer_break(ctx, frame)
        return
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    cell_access.begin_block(ctx, again, scope.step)
    ctx.emit.spend()
    with ctx.emit.if_true(ctx.emit.negate(condition())):
        ctx.emit.op("goto", after)
    frame = Frame("loop", after=after)
    inner = scope.branch().inside(frame)
    compile_loop_body(ctx, lambda: compile_statements(ctx, parts.body, inner), inner, statement)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    exits.merge_arrivals(ctx, frame, scope)


@compiles(GoRound)
def compile_go_round(ctx: Context, statement: GoRound, scope: Scope, parts: StatementParts) -> None:
    """Compile turns of seats in a circle, again and again; a seat that drops out is skipped."""
    keys, until = statement.keys, statement.until
    if scope.sealed >= 0:
        raise ctx.error(statement, "nested-at-once", "Inside 'at once' nobody else can be asked in turn.")
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        group = compile_group(ctx, statement.seats, scope, "seat")
        members = vector_of(ctx, group) if keys is None else ordered_vector(ctx, group, keys, scope)
    round_ = Round(ctx.plan.sets(1, group.capacity), ctx.plan.cells(1), ctx.plan.cells(1))
    before = ctx.plan.cells(1)
    frame = Frame("loop", before=before) if parts.asks else exits.loop_frame(ctx, parts.body)
    ctx.emit.op("keep", members, round_.seats, ZERO)
    ctx.emit.store(round_.next, ZERO, ZERO)

    def next_turn(leave: Callable[[], None]) -> Scope:
        """Let the next seat act, or leave if there is none."""
        everyone, size, seat = ctx.emit.vector(), ctx.emit.register(), ctx.emit.register()
        ctx.emit.spend()
        ctx.emit.op("read", everyone, round_.seats, ZERO)
        ctx.emit.op("length", size >> 1, everyone)
        with ctx.emit.if_true(ctx.emit.value("equal", size, ZERO)):
            leave()
        index = ctx.emit.variable(ctx.emit.load(round_.next))
        with ctx.emit.if_true(ctx.emit.value("at_most", size, index)):
            ctx.emit.assign(index, ZERO)
        ctx.emit.op("item", seat >> 1, everyone, index)
        ctx.emit.store(round_.next, ZERO, ctx.emit.value("add", index, ONE))
        ctx.emit.store(round_.current, ZERO, seat)
        if parts.asks:
            cell_access.set_acting_seat(ctx, seat)
            among = round_.seats if ctx.analysis.may_drop_out(parts.body) else scope.among
            inner = replace(scope.branch().acting(None), round=round_, among=among)
        else:
            inner = replace(scope.structured().acting(seat), round=round_)
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
            compile_statements(ctx, parts.body, next_turn(lambda: ctx.emit.op("break")).inside(frame))
        exits.emit_outer_break(ctx, frame)
        return
    ctx.emit.store(before, ZERO, ctx.emit.load(ME))
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    frame.after = after
    cell_access.begin_block(ctx, again, scope.step)
    compile_statements(ctx, parts.body, next_turn(lambda: ctx.emit.op("goto", after)).inside(frame))
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    cell_access.set_acting_seat(ctx, ctx.emit.load(before))


@compiles(DropOut)
def compile_drop_out(ctx: Context, statement: DropOut, scope: Scope, parts: StatementParts) -> None:
    """Remove the seat whose turn it is from the innermost `go round`."""
    round_ = scope.round
    if round_ is None:
        message = "Nobody can drop out here: it says so inside a 'go round', not in a step that is done there."
        raise ctx.error(statement, "no-round", message, "Nor where another one acts, as inside 'each' and 'as'.")
    everyone, left = ctx.emit.vector(), ctx.emit.vector()
    leaver = ctx.emit.load(round_.current)
    ctx.emit.op("read", everyone, round_.seats, ZERO)
    ctx.emit.op("vector", left)
    with ctx.emit.each(everyone) as seat:
        with ctx.emit.if_true(ctx.emit.value("unequal", seat, leaver)):
            ctx.emit.op("push", left, seat)
        with ctx.emit.if_true(ctx.emit.value("equal", seat, leaver)):  # so that the next seat is not skipped
            ctx.emit.store(round_.next, ZERO, ctx.emit.value("subtract", ctx.emit.load(round_.next), ONE))
    ctx.emit.op("keep", left, round_.seats, ZERO)


@compiles(ActAs)
def compile_act_as(ctx: Context, statement: ActAs, scope: Scope, parts: StatementParts) -> None:
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        seat = require_present(ctx, compile_value(ctx, statement.seat, scope, SEAT), statement.seat)
    if not parts.asks:
        compile_statements(ctx, parts.body, scope.structured().acting(ctx.emit.variable(seat.operand)))
        return
    if scope.sealed >= 0:
        raise ctx.error(statement, "nested-at-once", "Inside 'at once' nobody else can be asked in turn.")
    before = cell_access.new_cell(ctx, SEAT, 0, scope)
    ctx.emit.store(before.cell, ZERO, ctx.emit.load(ME))
    cell_access.set_acting_seat(ctx, seat.operand)
    compile_statements(ctx, parts.body, scope.branch().acting(None).inside(Frame("acting", before=before.cell)))
    cell_access.begin_block(ctx, cell_access.new_block(ctx), scope.step)
    cell_access.set_acting_seat(ctx, ctx.emit.load(before.cell))
