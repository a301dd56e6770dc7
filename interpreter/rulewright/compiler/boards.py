"""Boards as graphs: neighbours, connected spaces, directions, distances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from rulewright.compiler import messages, name_resolution, owned_names, relations
from rulewright.compiler.context import Context
from rulewright.compiler.registry import meaning_of, means
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import as_set, constant_group, empty_vector, group_from_vector, vector_of
from rulewright.compiler.type_checks import require_group, require_present, single_value
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_set
from rulewright.compiler.typed_values import NUMBER, SET, MemberSet, Value, member_type
from rulewright.model.declarations import Board, canonical
from rulewright.model.reader.boards import OPPOSITES
from rulewright.program.instructions import NONE, constant
from rulewright.program.value_types import Type
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.nouns import article
from rulewright.syntax.number_nodes import Distance
from rulewright.syntax.set_nodes import Connected, Neighbours


@means(Neighbours)
def meaning_of_neighbours(ctx: Context, expression: Neighbours, scope: Scope) -> MemberSet:
    """Compile `neighbours of SPACES`: the spaces beside them, each once, without themselves."""
    members = board_spaces(ctx, expression.things, scope)
    if members.single_operand is not None:
        board = board_of(ctx, members)

        def rows() -> list[list[int]]:
            return [sorted({*row} - {space}) for space, row in enumerate(board.neighbours)]

        return _space_row(ctx, members, ("beside", board.name), rows, members.single_operand)
    table, width = neighbours_table(ctx, members)

    def make() -> int:
        return ctx.emit.compute_vector("beside", vector_of(ctx, members), table, width)

    words = len(ctx.edition.words[str(members.type.detail)].words)
    return group_from_vector(ctx, members.type, min(words, members.capacity * width), make)


@means(Connected)
def meaning_of_connected(ctx: Context, expression: Connected, scope: Scope) -> MemberSet:
    """Compile `SPACES connected to ORIGINS`: spaces of a set reachable from an origin, from neighbour to neighbour of
    the set. Raises ReportedError for two boards."""
    land, origins = board_spaces(ctx, expression.land, scope), board_spaces(ctx, expression.origins, scope)
    if land.type.detail != origins.type.detail:
        raise ctx.error(expression, messages.NO_WAY(one=describe(origins.type), other=describe(land.type)))
    _warn_of_outside_origins(ctx, expression)
    table, width = neighbours_table(ctx, land)

    def make() -> int:
        return ctx.emit.compute_vector("reached", vector_of(ctx, origins), vector_of(ctx, land), table, width)

    return group_from_vector(ctx, land.type, land.capacity, make)


def _warn_of_outside_origins(ctx: Context, expression: Connected) -> None:
    """Warn where a path begins at neighbours: most are not among the spaces it leads over, and it goes on beyond
    them."""
    land, origins = expression.land, expression.origins
    if not isinstance(origins, Neighbours) or origins.span is None:
        return
    start, end = origins.span
    over, from_ = ctx.source_text(land), ctx.source_text(origins)
    problem = messages.BEGINS_OUTSIDE(origins=from_, land=over)
    place = ctx.scalar.place_at(start, end - start)
    ctx.remarks.note_doubt(place, problem, messages.BEGIN_AT_SOME(origins=from_, land=over))


def board_spaces(ctx: Context, expression: Expression, scope: Scope, direction: Expression | None = None) -> MemberSet:
    """Return a set of board spaces. direction: the direction in which one goes from there, to resolve a word of
    several lists."""
    board = _board_of_shared_word(ctx, expression) or (
        list_with_name(ctx, direction, expression) if direction is not None else ""
    )
    members = (
        require_group(ctx, meaning_of(ctx, expression, scope, board, SET), expression)
        if board
        else compile_set(ctx, expression, scope)
    )
    if not any(board.spaces == members.type.detail for board in ctx.edition.boards.values()):
        lists = [board.spaces for board in ctx.edition.boards.values()]
        hint = messages.DECLARE_BOARD()
        if lists:
            spaces = tuple(messages.QUOTED(name=name) for name in lists)
            hint = messages.BOARDS_HAVE(spaces=spaces, example=lists[0])
        raise ctx.error(expression, messages.EXPECTED_SPACES(given=describe(members.type)), hint)
    return members


def _board_of_shared_word(ctx: Context, expression: Expression) -> str:
    """Return the only list of a board's spaces among several lists that have a word, or ''."""
    if len(lists := _lists_with_word(ctx, expression)) < 2:
        return ""
    boards = [board.spaces for board in ctx.edition.boards.values() if board.spaces in lists]
    return boards[0] if len(boards) == 1 else ""


def list_with_name(ctx: Context, direction: Expression, start: Expression) -> str:
    """Return the only list, of several that have a word, whose words have something of a name, as in `north of c1`;
    else ''. direction: the name; start: the word."""
    if len(lists := _lists_with_word(ctx, start)) < 2:
        return ""
    name = name_resolution.single_name(direction)
    key = canonical(name.text) if name is not None else ""
    owning = [list_ for list_ in lists if _has_direction(ctx, list_, key) or _words_have_name(ctx, list_, key)]
    return owning[0] if len(owning) == 1 else ""


def _lists_with_word(ctx: Context, expression: Expression) -> list[str]:
    """Return the lists that have the word which an expression is; [] for anything but a single name."""
    token = name_resolution.single_name(expression)
    return [
        list_ for list_, numbers in ctx.names.words.items() if token is not None and canonical(token.text) in numbers
    ]


def _has_direction(ctx: Context, spaces_: str, key: str) -> bool:
    """Whether the board with these spaces has a direction, or a list of directions, of this name. key: '' for
    anything but a single name."""
    board = next((board for board in ctx.edition.boards.values() if board.spaces == spaces_), None)
    if board is None or not board.directions:
        return False
    directions_list = board.directions
    return (
        key in ("", canonical(directions_list))
        or key in ctx.names.words[directions_list]
        or _words_have_name(ctx, directions_list, key)
    )


def _words_have_name(ctx: Context, words: str, key: str) -> bool:
    """Whether words of a list have something of this name."""
    return key in map(canonical, owned_names.names_owned_by(ctx, Type("word", words)))


def neighbours_table(ctx: Context, members: MemberSet) -> tuple[int, int]:
    """Return the number of a table with a row of neighbours for each space, padded with -1, and the rows' width; it is
    made once for a board."""
    board = board_of(ctx, members)

    def make() -> tuple[int, int]:
        width = max(1, *(len(row) for row in board.neighbours))
        spaces_ = (space for row in board.neighbours for space in (*row, *[-1] * (width - len(row))))
        return ctx.plan.add_table((*spaces_, -1)), width

    return ctx.plan.cached_table(("neighbours", board.name), make)


_MakeRows = Callable[[], Sequence[Sequence[int]]]
"""Function that builds rows of spaces."""


def _space_row(ctx: Context, members: MemberSet, key: tuple[str, ...], rows: _MakeRows, number: int) -> MemberSet:
    """Return one of some rows of spaces, by its number as an operand; the empty set for -1."""
    table, longest = row_table(ctx, key, rows, 1)

    def make() -> int:
        return ctx.emit.compute_vector("stretch", table, number, 1)

    return group_from_vector(ctx, members.type, longest, make)


def row_table(ctx: Context, key: tuple[str, ...], make_rows: _MakeRows, before: int) -> tuple[int, int]:
    """Return the number of a table of rows of different lengths, and the length of the longest. The table begins with
    the index of each row's beginning and of the last one's end. key: under which it is made once; before: empty rows
    put before the first."""

    def make() -> tuple[int, int]:
        rows = make_rows()
        first = before + len(rows) + 1
        ends = accumulate(map(len, rows), initial=first)
        table = ctx.plan.add_table((*[first] * before, *ends, *(space for row in rows for space in row), -1))
        return table, max(map(len, rows))

    return ctx.plan.cached_table(key, make)


def board_of(ctx: Context, members: MemberSet) -> Board:
    """Return the board that a set of spaces belongs to; there must be one."""
    return next(board for board in ctx.edition.boards.values() if board.spaces == members.type.detail)


def step_in_direction(ctx: Context, direction: Expression, members: MemberSet, scope: Scope) -> MemberSet | None:
    """Compile `north of a1`: the spaces one step on; None where no direction can be meant."""
    board = next((board for board in ctx.edition.boards.values() if board.spaces == members.type.detail), None)
    if board is None or members.type.base != "word":
        return None
    name = name_resolution.single_name(direction)
    plain = name.text if name is not None and name_resolution.local_binding(ctx, name, scope) is None else ""
    if plain and canonical(plain) in map(canonical, owned_names.names_owned_by(ctx, members.type)):
        return None
    if not board.directions and plain not in OPPOSITES:
        return None
    directions_ = directions(ctx, board, direction, scope)

    def make() -> int:
        reached = empty_vector(ctx)

        def body(direction_: int, space: int) -> None:
            target = next_space(ctx, board, space, direction_)
            with ctx.emit.if_true(ctx.emit.evaluate("unequal", target, NONE)):
                ctx.emit.op("push", reached, target)

        walk_pairs(directions_, members, body)
        return distinct_spaces(ctx, reached, members, directions_)

    return group_from_vector(ctx, members.type, min(len(board.steps), members.capacity * directions_.capacity), make)


def directions(ctx: Context, board: Board, expression: Expression, scope: Scope) -> MemberSet:
    """Return the directions that are named, or that have what is named: `north`; `straight`, of those that are
    straight. Raises ReportedError for a board without directions, and for anything else."""
    if not board.directions:
        hints = [messages.NAME_DIRECTIONS(board=board.name)] if board.steps else []
        raise ctx.error(expression, messages.NO_DIRECTIONS(board=board.name), *hints)
    members = as_set(ctx, meaning_of(ctx, expression, scope, board.directions, SET, all_seats=True))
    if members.type.base == "word" and members.type.detail != board.directions:
        count = len(ctx.edition.words[board.directions].words)
        everything = constant_group(ctx, Type("word", board.directions), tuple(range(count)))
        if relations.word_columns(ctx, board.directions, str(members.type.detail)):
            return relations.related_words(ctx, everything, members, expression)
    if members.type.base != "word" or members.type.detail != board.directions:
        description = describe(member_type(members.type))
        problem = messages.EXPECTED_DIRECTION(direction=article(board.directions), board=board.name, given=description)
        raise ctx.error(expression, problem)
    return members


def spaces_of_same_board(ctx: Context, members: MemberSet, expression: Expression, scope: Scope) -> MemberSet:
    """Return spaces of the same board as a set's. Raises ReportedError for another board."""
    spaces = board_spaces(ctx, expression, scope)
    if spaces.type.detail != members.type.detail:
        one, other = describe(member_type(members.type)), describe(member_type(spaces.type))
        raise ctx.error(expression, messages.NO_WAY(one=one, other=other))
    return spaces


def walk_pairs(directions_: MemberSet, starts: MemberSet, body: Callable[[int, int], None]) -> None:
    """Emit code for each direction and each start, passed to `body` as operands in this order."""
    directions_.walk(lambda direction: starts.walk(lambda start: body(direction, start), None), None)


def distinct_spaces(ctx: Context, reached: int, members: MemberSet, directions_: MemberSet) -> int:
    """Emit a vector without duplicates, where two directions can lead to one space; else return `reached` itself."""
    if members.capacity == 1 or directions_.capacity == 1:
        return reached
    return ctx.emit.compute_vector("unite", empty_vector(ctx), reached)


def next_space(ctx: Context, board: Board, space: int, direction: int) -> int:
    """Emit the look-up of the next space in a direction; -1 at an edge."""
    width = len(board.steps[0])
    table, _ = ctx.plan.cached_table(
        ("steps", board.name),
        lambda: (ctx.plan.add_table((*(target for row in board.steps for target in row), -1)), width),
    )
    place = ctx.emit.evaluate("add", ctx.emit.evaluate("multiply", space, constant(width)), direction)
    return ctx.emit.look_up(table, place)


@means(Distance)
def meaning_of_distance(ctx: Context, expression: Distance, scope: Scope) -> Value:
    """Emit the number of steps from neighbour to neighbour; the number of spaces where there is no path."""
    expressions = expression.one, expression.other
    groups = [board_spaces(ctx, place, scope) for place in expressions]
    board = board_of(ctx, groups[0])
    if groups[1].type.detail != board.spaces:
        start, end = (describe(member_type(members.type)) for members in groups)
        raise ctx.error(expression, messages.NO_WAY(one=start, other=end))
    one, other = (
        require_present(ctx, single_value(ctx, members, expression), place)
        for members, place in zip(groups, expressions, strict=True)
    )
    count = len(board.neighbours)

    def steps() -> tuple[int, int]:
        return ctx.plan.add_table((*(far for start in range(count) for far in _distances_from(board, start)), 0)), count

    table, _ = ctx.plan.cached_table(("distances", board.name), steps)
    place = ctx.emit.evaluate("add", ctx.emit.evaluate("multiply", one.operand, constant(count)), other.operand)
    return Value(NUMBER, ctx.emit.look_up(table, place), 0, count)


def _distances_from(board: Board, start: int) -> list[int]:
    """Return each space's distance from a start, in steps; the number of spaces where there is no path."""
    distances, queue = {start: 0}, [start]
    while queue:
        current = queue.pop(0)
        for neighbour in board.neighbours[current]:
            if neighbour not in distances:
                distances[neighbour] = distances[current] + 1
                queue.append(neighbour)
    return [distances.get(space, len(board.neighbours)) for space in range(len(board.neighbours))]
