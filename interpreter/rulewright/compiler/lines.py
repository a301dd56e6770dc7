"""Lines on boards: along directions, whole lines, the longest, spaces in lines of a length."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler import messages
from rulewright.compiler.boards import (
    board_of,
    board_spaces,
    directions,
    distinct_spaces,
    row_table,
    spaces_of_same_board,
    walk_pairs,
)
from rulewright.compiler.context import Context
from rulewright.compiler.registry import means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import emit_is_empty, empty_vector, group_from_vector, vector_of
from rulewright.compiler.typed_expressions import compile_number, compile_truth
from rulewright.compiler.typed_values import NUMBER, MemberSet, Value, member_value
from rulewright.model.declarations import Board
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.program.state_layout import NOTHING
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.number_nodes import LongestLine
from rulewright.syntax.set_nodes import InLines, Line, LineAlong, LineTo, WholeLine

_Holds = Callable[[Expression, int], int]
"""Function that emits whether a condition holds of a space."""


_OnSpace = Callable[[int, int, _Holds], None]
"""Function that emits what is done with a line's vector and the next space on it; it may end the line by `break`."""


@means(WholeLine)
def meaning_of_whole_line(ctx: Context, expression: WholeLine, scope: Scope) -> MemberSet:
    """Compile `north of a1 as far as possible`: all spaces that way, nearest first."""

    def on_space(line: int, space: int, holds: _Holds) -> None:
        ctx.emit.op("push", line, space)

    return _walk_lines(ctx, expression, scope, lambda line: (line, on_space), whole=True)


@means(LineTo)
def meaning_of_line_to(ctx: Context, expression: LineTo, scope: Scope) -> MemberSet:
    """Compile `north of a1 as far as taken`: the spaces up to and including the first that is taken."""

    def on_space(line: int, space: int, holds: _Holds) -> None:
        ctx.emit.op("push", line, space)
        with ctx.emit.if_true(holds(expression.condition, space)):
            ctx.emit.op("break")

    return _walk_lines(ctx, expression, scope, lambda line: (line, on_space))


@means(LineAlong)
def meaning_of_line_along(ctx: Context, expression: LineAlong, scope: Scope) -> MemberSet:
    """Compile `north of a1 as long as theirs up to mine`: the spaces before the first that is not theirs, if that
    one is mine."""
    condition, end = expression.condition, expression.until

    def begin(result: int) -> tuple[int, _OnSpace]:
        def on_space(line: int, space: int, holds: _Holds) -> None:
            with ctx.emit.if_true(ctx.emit.negate(holds(condition, space))):
                if end is not None:
                    with ctx.emit.if_true(holds(end, space)):
                        ctx.emit.op("append", result, line)
                ctx.emit.op("break")
            ctx.emit.op("push", line, space)

        return result if end is None else empty_vector(ctx), on_space

    return _walk_lines(ctx, expression, scope, begin)


def _walk_lines(
    ctx: Context, expression: Line, scope: Scope, begin: Callable[[int], tuple[int, _OnSpace]], whole: bool = False
) -> MemberSet:
    """Return the spaces of the lines from each start in each direction; each use emits the walk. begin: takes the
    vector of the result; returns the vector that collects a line, which may be the same, and the code for each space;
    whole: every space belongs to the line, so that one line needs no loop."""
    members = board_spaces(ctx, expression.start, scope, expression.direction)
    board = board_of(ctx, members)
    directions_, scalar = directions(ctx, board, expression.direction, scope), ctx.scalar

    def holds(condition: Expression, space: int) -> int:
        with ctx.reading(scalar):
            return compile_truth(ctx, condition, scope.with_item(member_value(members, space)))

    def make() -> int:
        result = empty_vector(ctx)

        def body(direction: int, start: int) -> None:
            line, on_space = begin(result)
            with ctx.emit.each(ahead(direction, start), brief=True) as space:
                on_space(line, space, holds)

        walk_pairs(directions_, members, body)
        return distinct_spaces(ctx, result, members, directions_)

    width = len(board.steps[0])

    def rows() -> list[list[int]]:
        return [
            _spaces_ahead(board, start, direction) for start in range(len(board.steps)) for direction in range(width)
        ]

    table, longest = row_table(ctx, ("ahead", board.name), rows, width)

    def ahead(direction: int, start: int) -> int:
        number = ctx.emit.evaluate("add", ctx.emit.evaluate("multiply", start, constant(width)), direction)
        return ctx.emit.compute_vector("stretch", table, number, width)

    if whole and directions_.single_operand is not None and members.single_operand is not None:
        direction, start = directions_.single_operand, members.single_operand
        if ctx.emit.is_present(direction):
            return group_from_vector(ctx, members.type, longest, lambda: ahead(direction, start))
    return group_from_vector(ctx, members.type, len(board.steps), make)


def _spaces_ahead(board: Board, start: int, direction: int) -> list[int]:
    """Return all spaces in a direction, the nearest first, until the board ends or the line comes back."""
    line: list[int] = []
    space = board.steps[start][direction]
    while space not in (NOTHING, start, *line):
        line.append(space)
        space = board.steps[space][direction]
    return line


def _copy_vector(ctx: Context, vector: int) -> int:
    """Emit a copy of a vector."""
    return ctx.emit.compute_vector("as_tuple", vector)


@means(LongestLine)
def meaning_of_longest_line(ctx: Context, expression: LongestLine, scope: Scope) -> Value:
    """Emit the length of the longest unbroken line of members, in any direction; with `through`, of lines that
    contain one of some spaces."""
    through = expression.through
    things = board_spaces(ctx, expression.things, scope)
    board = _board_with_lines(ctx, things, expression)
    land, longest = vector_of(ctx, things), ctx.emit.new_variable(ZERO)
    origins = None
    if through is not None:
        others = vector_of(ctx, spaces_of_same_board(ctx, things, through, scope))
        origins = ctx.emit.compute_vector("within", land, _identity_table(ctx, board), others)
    for axis in board.axes:
        members = land if origins is None else _whole_lines(ctx, board, axis, origins, land)
        ends, length = _copy_vector(ctx, members), ctx.emit.new_variable(ZERO)
        with ctx.emit.loop():
            with ctx.emit.if_true(emit_is_empty(ctx, ends)):
                ctx.emit.op("break")
            ctx.emit.compute_into("add", length, length, ONE)
            _extend_lines(ctx, board, axis, ends, members, length)
        with ctx.emit.if_true(ctx.emit.evaluate("less", longest, length)):
            ctx.emit.assign(longest, length)
    return Value(NUMBER, longest, 0, things.capacity)


@means(InLines)
def meaning_of_in_lines(ctx: Context, expression: InLines, scope: Scope) -> MemberSet:
    """Compile `SPACES in lines of N`: the members, in their order, that lie in an unbroken line of at least so many:
    along each axis first the ends of such lines, then all connected to them."""
    things = board_spaces(ctx, expression.things, scope)
    board = _board_with_lines(ctx, things, expression)
    size = compile_number(ctx, expression.length, scope)

    def make() -> int:
        """Emit the members that stand in lines of at least this size, axis by axis; return the vector."""
        land, in_lines = vector_of(ctx, things), empty_vector(ctx)
        for axis in board.axes:
            ends, length = _copy_vector(ctx, land), ctx.emit.new_variable(ONE)
            with ctx.emit.loop():
                with ctx.emit.if_true(emit_is_empty(ctx, ends)):
                    ctx.emit.op("break")
                with ctx.emit.if_true(ctx.emit.evaluate("at_most", size.operand, length)):
                    ctx.emit.op("break")
                _extend_lines(ctx, board, axis, ends, land, length)
                ctx.emit.compute_into("add", length, length, ONE)
            lines = _whole_lines(ctx, board, axis, ends, land)
            ctx.emit.op("append", in_lines, lines)
        return ctx.emit.compute_vector("within", land, _identity_table(ctx, board), in_lines)

    return group_from_vector(ctx, things.type, things.capacity, make)


def _board_with_lines(ctx: Context, members: MemberSet, expression: Expression) -> Board:
    """Return the board of a set of spaces. Raises ReportedError if it has no directions."""
    board = board_of(ctx, members)
    if not board.steps:
        raise ctx.error(expression, messages.NO_LINES(board=board.name), messages.BOARDS_WITH_LINES())
    return board


def _extend_lines(ctx: Context, board: Board, direction: int, ends: int, land: int, length: int) -> None:
    """Move the ends of lines of some length one space further, in place; those that leave the set are dropped. On a
    board that wraps round, a line ends before its start. ends, land: vectors; length: register."""
    next_spaces = ctx.plan.add_table((*(row[direction] for row in board.steps), -1))
    beyond = ctx.emit.compute_vector("images", ends, next_spaces)
    remaining = ctx.emit.compute_vector("within", beyond, _identity_table(ctx, board), land)
    if not board.round:
        ctx.emit.op("as_tuple", ends, remaining)
        return
    ctx.emit.op("vector", ends)
    most = ctx.plan.add_table((*(board.max_line_length(space, direction) for space in range(len(board.steps))), 0))
    with ctx.emit.each(remaining) as space:
        with ctx.emit.if_true(ctx.emit.evaluate("less", length, ctx.emit.look_up(most, space))):
            ctx.emit.op("push", ends, space)


def _whole_lines(ctx: Context, board: Board, direction: int, starts: int, land: int) -> int:
    """Emit the members of a set connected to some spaces along one direction and its opposite."""
    both = (direction, board.opposites[direction])
    table = ctx.plan.add_table((*(row[each] for row in board.steps for each in both), -1))
    return ctx.emit.compute_vector("reached", starts, land, table, 2)


def _identity_table(ctx: Context, board: Board) -> int:
    """Return the table that maps each space to itself."""
    return ctx.plan.add_table((*range(len(board.steps)), -1))
