"""Control flow: bodies, branches, acting for another seat.

A statement that asks nobody is structured code inside one block. One that may ask spans several blocks, and saves
its loop state in cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import did_you_mean
from rulewright.compiler import cell_access, local_names, messages, texts
from rulewright.compiler.context import Context
from rulewright.compiler.edition_analysis import bodies_of, head_of
from rulewright.compiler.move_witnesses import MoveWitnesses
from rulewright.compiler.parking import emit_wait_before_effect
from rulewright.compiler.registry import StatementParts, compile_statement, compiles
from rulewright.compiler.scopes import Frame, Round, Scope
from rulewright.compiler.type_checks import require_present
from rulewright.compiler.typed_expressions import compile_truth, compile_value
from rulewright.compiler.typed_values import SEAT, ReportedError
from rulewright.model.error_recovery import names_introduced
from rulewright.model.statements import is_heading, log_text, notation_text
from rulewright.program.instructions import ZERO, constant_value
from rulewright.program.state_layout import ME
from rulewright.syntax import sentences
from rulewright.syntax.flow_nodes import ActAs, If
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from rulewright.syntax.statement_nodes import Statement


def compile_statements(ctx: Context, node: Node, scope: Scope) -> None:
    """Compile a sentence or a list of statements; an error, which is reported, skips one statement. scope: gets the
    names that they bind."""
    items = node.items if isinstance(node, SequenceNode) else [node]
    witnesses = MoveWitnesses(items)
    for number, item in enumerate(items):
        try:
            with ctx.emit.sources.marking(head_of(item)), ctx.trace(item, scope):
                if (line := log_text(item)) is not None:
                    emit_wait_before_effect(ctx, scope)
                    moved = witnesses.moved_by(ctx, number, scope)
                    texts.compile_log(ctx, line, is_heading(item), scope, moved, notation_text(item))
                    continue
                witnesses.emit_zones_before(ctx, number, scope)
                compile_node(ctx, item, scope)
        except ReportedError:
            bind_unusable_names(ctx, item, scope)


def bind_unusable_names(ctx: Context, node: Node, scope: Scope) -> None:
    """Bind the names that a wrong statement introduces, so that their uses are not reported again."""
    head = head_of(node)
    for name in names_introduced(head.text if head else ""):
        scope.bind(name, partial(local_names.raise_reported, ctx))


@contextmanager
def checking_bodies_on_error(ctx: Context, node: Node, scope: Scope, asks: bool) -> Iterator[None]:
    """Compile the head of a statement inside this; if it is wrong, its bodies are still checked. asks: whether they may
    ask somebody."""
    try:
        yield
    except ReportedError:
        inner = replace(scope.for_inner_list() if asks else scope.in_one_block(), somebody_acts=True).with_frame(
            Frame("loop")
        )
        bind_unusable_names(ctx, node, inner)
        inner.bind("it", partial(local_names.raise_reported, ctx))
        if inner.round is None:
            inner = replace(
                inner, round=Round(ctx.plan.allocate_sets(1, 0), ctx.plan.allocate_cells(1), ctx.plan.allocate_cells(1))
            )
        for body in bodies_of(node) if scope.can_ask or not asks else ():
            compile_statements(ctx, body, replace(inner, names=dict(inner.names)))
        raise


def compile_node(ctx: Context, node: Node, scope: Scope) -> None:
    """Compile one statement. Raises ReportedError where its sentence is wrong, after its bodies have been checked."""
    if isinstance(node, SequenceNode):
        ctx.report.error(node.place, messages.STATEMENT_NOT_LIST())
        return
    key, value = (node, None) if isinstance(node, Scalar) else next(node.items())
    clauses = value if isinstance(value, MappingNode) else None
    if isinstance(node, Scalar) and re.match(r"(if|each|all|as|repeat|go)\b.*:\s", node.text):
        ctx.report.error(node.place, messages.BODY_IN_QUOTES())
        return
    with ctx.reading(key):
        asks = ctx.analysis.may_ask(node)
        with checking_bodies_on_error(ctx, node, scope, asks):
            tree = ctx.parse(key, sentences.statement)
        if asks and not scope.can_ask:
            raise ctx.error(tree, messages.CANNOT_ASK())
        if not asks and tree.visible:
            emit_wait_before_effect(ctx, scope)
        check_shape(ctx, tree, node, value)
        compile_statement(ctx, tree, scope, StatementParts(key, value, clauses, node, asks))


def check_shape(ctx: Context, statement: Statement, node: Node, value: Node | None) -> None:
    """Report clauses, keys and bodies that a sentence may not have, or lacks. Raises ReportedError for a body; clauses
    and keys that do not belong there are only reported. value: what stands below the sentence, or None."""
    present = isinstance(node, MappingNode) and value is not None and not (isinstance(value, Scalar) and value.absent)
    allowed, name = statement.clauses, statement.keyword()
    if statement.has_body and not present:
        raise ctx.error(statement, messages.BODY_MISSING(sentence=name))
    if not statement.has_body and present and not isinstance(value, MappingNode):
        raise ctx.error(statement, messages.NO_BODY(sentence=name))
    if isinstance(value, MappingNode) and not statement.has_body:
        for key in value.keys.values():
            if key.text not in allowed:
                hints = did_you_mean(key.text, allowed)
                if allowed and not hints:
                    hints = (messages.HAS_CLAUSES(clauses=tuple(sorted(allowed))),)
                ctx.report.error(key.place, messages.NO_CLAUSE(sentence=name, clause=key.text), *hints)
    if isinstance(node, MappingNode):
        for key in list(node.keys.values())[1:]:
            if key.text != "otherwise" or not isinstance(statement, If):
                misplaced = messages.KEY_MISPLACED(key=key.text)
                problem = misplaced if key.text != "otherwise" else messages.OTHERWISE_NEEDS_IF()
                ctx.report.error(key.place, problem, messages.BEGIN_STATEMENT())


def emit_branch(
    ctx: Context,
    condition: int,
    then: Callable[[], None],
    other: Callable[[], None] | None,
    scope: Scope,
    asks: bool,
) -> None:
    """Emit if … otherwise …, over several blocks where somebody may be asked inside. For a fixed setting, a constant
    condition leaves only one branch of those that may ask. condition: operand; other: None for nothing; asks: whether
    somebody may be."""
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
    """Compile `if`, with `otherwise`."""
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        condition = compile_truth(ctx, statement.condition, scope)
    assert isinstance(parts.node, MappingNode) and parts.value is not None
    inner = scope.for_inner_list() if parts.asks else scope.in_one_block()
    body, other = parts.value, parts.node.get("otherwise")
    outer = scope.for_inner_list() if parts.asks else scope.in_one_block()
    otherwise = (lambda: compile_statements(ctx, other, outer)) if other is not None else None
    emit_branch(ctx, condition, lambda: compile_statements(ctx, body, inner), otherwise, scope, parts.asks)


@compiles(ActAs)
def compile_act_as(ctx: Context, statement: ActAs, scope: Scope, parts: StatementParts) -> None:
    """Compile sentences of another acting seat; if they may ask, the former one is saved in a cell."""
    with checking_bodies_on_error(ctx, parts.node, scope, parts.asks):
        seat = require_present(ctx, compile_value(ctx, statement.seat, scope, SEAT), statement.seat)
    if not parts.asks:
        compile_statements(ctx, parts.body, scope.in_one_block().with_acting_seat(ctx.emit.new_variable(seat.operand)))
        return
    if scope.at_once >= 0:
        raise ctx.error(statement, messages.ASKS_INSIDE_AT_ONCE())
    before = cell_access.new_cell(ctx, SEAT, 0, scope)
    ctx.emit.store(before.cell, ZERO, ctx.emit.load(ME))
    cell_access.set_acting_seat(ctx, seat.operand)
    compile_statements(
        ctx,
        parts.body,
        scope.for_inner_list().with_acting_seat(None).with_frame(Frame("acting", previous_seat=before.cell)),
    )
    cell_access.begin_block(ctx, cell_access.new_block(ctx), scope.step)
    cell_access.set_acting_seat(ctx, ctx.emit.load(before.cell))
