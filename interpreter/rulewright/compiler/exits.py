"""Early exits: `end loop`, `end step`, `end phase`, `end game` and `give`.

Code over several blocks is left by `goto` to the block after it; structured code inside one block by `break`, loop
by loop.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler import cell_access, messages
from rulewright.compiler.context import Context
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.scopes import Frame, Scope
from rulewright.compiler.type_checks import require_type
from rulewright.compiler.typed_expressions import compile_set, compile_value
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.program.state_layout import PHASE
from rulewright.syntax.flow_nodes import EndGame, EndLoop, EndPhase, EndStep, Give
from rulewright.syntax.source import Node
from rulewright.syntax.statement_nodes import Ending

_FRAMES = {"loop": messages.LOOP, "step": messages.STEP, "phase": messages.PHASE}
"""Words for what a statement leaves, by the sort of its frame."""


def loop_frame(ctx: Context, body: Node) -> Frame:
    """Return the frame of a loop that is structured code; emits its register, so call it before the loop. body: of the
    loop."""
    return Frame("loop", ends_outer=ctx.emit.new_variable(ZERO) if ctx.analysis.ends_step(body) else None)


def emit_outer_break(ctx: Context, frame: Frame) -> None:
    """Break the enclosing loop, too, after a loop of structured code that a sentence left together with it."""
    if frame.sets_ends_outer and frame.ends_outer is not None:
        with ctx.emit.if_true(frame.ends_outer):
            ctx.emit.op("break")


def merge_arrivals(ctx: Context, frame: Frame, scope: Scope) -> None:
    """Merge, inside an `at once`, the progress of those who left by an early exit."""
    for progress in frame.arrivals:
        ctx.output.set_progress(scope, ctx.output.progress(scope).or_else(progress))


def compile_step_body(
    ctx: Context, frame: Frame, scope: Scope, body: Callable[[Scope], None], ends: bool, asks: bool
) -> None:
    """Compile the body of a step inside its frame. ends: whether a sentence in it ends the step. asks: whether it may
    ask somebody, so that several blocks are needed."""
    inner = scope.with_frame(frame)
    if not ends:
        body(inner)
    elif asks:
        frame.after = cell_access.new_block(ctx)
        body(inner)
        cell_access.begin_block(ctx, frame.after, scope.step)
        merge_arrivals(ctx, frame, scope)
    else:
        with ctx.emit.loop():
            body(inner)
            ctx.emit.op("break")


@compiles(EndLoop)
def compile_end_loop(ctx: Context, statement: EndLoop, scope: Scope, parts: StatementParts) -> None:
    """Compile `end loop`. A step cannot end the loop of whoever does it: that is an error."""
    around = _enclosing_frame(scope, "loop", "step")
    if around is None or around.sort == "step":
        hint = messages.LOOP_OF_CALLER if around is not None else messages.LOOPS_ARE
        raise ctx.error(statement, messages.NO_LOOP(), hint())
    _emit_exit(ctx, statement, scope, around)


@compiles(EndStep)
def compile_end_step(ctx: Context, statement: EndStep, scope: Scope, parts: StatementParts) -> None:
    """Compile `end step`."""
    _emit_exit(ctx, statement, scope, _enclosing_step(ctx, statement, scope))


@compiles(Give)
def compile_give(ctx: Context, statement: Give, scope: Scope, parts: StatementParts) -> None:
    """Compile `give X`: store the result of the enclosing step, and end the step."""
    frame = _enclosing_step(ctx, statement, scope)
    if frame.result_type is None or frame.store_result is None:
        problem = messages.RESULT_NOT_DECLARED(step=frame.name)
        raise ctx.error(statement, problem, messages.DECLARE_RESULT_BESIDE_DO())
    value = statement.value
    if frame.result_type.many:
        members = compile_set(ctx, value, scope)
        require_type(ctx, members.type, frame.result_type, value)
        frame.store_result(members)
    else:
        frame.store_result(compile_value(ctx, value, scope, frame.result_type))
    _emit_exit(ctx, statement, scope, frame)


@compiles(EndPhase)
def compile_end_phase(ctx: Context, statement: EndPhase, scope: Scope, parts: StatementParts) -> None:
    """Compile `end phase`; a step that several phases do looks up the phase at run time."""
    around = _enclosing_frame(scope, "phase", "routine")
    if around is None:
        raise ctx.error(statement, messages.SETUP_IS_NO_PHASE())
    _refuse_at_once(ctx, statement, scope, around)
    if around.sort == "phase":
        ctx.emit.op("goto", ctx.output.phase_ends[around.number])
        return
    for number, block in enumerate(ctx.output.phase_ends):
        with ctx.emit.if_true(ctx.emit.evaluate("equal", ctx.emit.load(PHASE), constant(number))):
            ctx.emit.op("goto", block)
    ctx.emit.op("fail", ctx.source_place(statement, "the set-up is no phase, so it cannot be ended."))


def _enclosing_step(ctx: Context, statement: Ending, scope: Scope) -> Frame:
    """Return the frame of the enclosing step. Raises ReportedError."""
    around = _enclosing_frame(scope, "step")
    if around is None:
        problem = messages.NO_STEP_IN_SETUP if scope.step == "setup" else messages.NO_STEP_IN_PHASE
        raise ctx.error(statement, problem(sentence=statement.keyword()), messages.STEPS_ARE_LISTS())
    return around


def _enclosing_frame(scope: Scope, *sorts: str) -> Frame | None:
    """Return the innermost frame of some sorts, or None."""
    return next((frame for frame in reversed(scope.frames) if frame.sort in sorts), None)


def _frames_inside(scope: Scope, frame: Frame) -> tuple[Frame, ...]:
    """Return the frames nested inside a frame, the outermost first."""
    return scope.frames[scope.frames.index(frame) + 1 :]


def _refuse_at_once(ctx: Context, statement: Ending, scope: Scope, frame: Frame) -> None:
    """Raise ReportedError if a frame cannot be left since an `at once` lies between."""
    if any(inner.sort == "once" for inner in _frames_inside(scope, frame)):
        problem = messages.ENDS_AT_ONCE(frame=_FRAMES[frame.sort]())
        raise ctx.error(statement, problem, messages.NOTE_IN_COUNTER())


def _emit_exit(ctx: Context, statement: Ending, scope: Scope, frame: Frame) -> None:
    """Emit the jump out of a frame, and the acting seat of outside. Raises ReportedError where it cannot be left."""
    _refuse_at_once(ctx, statement, scope, frame)
    inside = _frames_inside(scope, frame)
    if frame.after is None:
        for inner in inside:
            if inner.sort == "loop" and inner.ends_outer is not None:
                inner.sets_ends_outer = True
                ctx.emit.assign(inner.ends_outer, ONE)
        ctx.emit.op("break")
        return
    before = next((inner.previous_seat for inner in inside if inner.previous_seat >= 0), -1)
    if before >= 0:
        cell_access.set_acting_seat(ctx, ctx.emit.load(before))
    frame.arrivals.append(ctx.output.progress(scope))
    ctx.emit.op("goto", frame.after)


@compiles(EndGame)
def compile_end_game(ctx: Context, statement: EndGame, scope: Scope, parts: StatementParts) -> None:
    """Compile `end game`."""
    ctx.emit.op("halt")
