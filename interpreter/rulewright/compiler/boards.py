"""What is beside what on boards: neighbours, directions, lines, distances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from rulewright.compiler import name_resolution, owned_names, relations
from rulewright.compiler.context import SET, Context, Doubt
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.registry import means
from rulewright.compiler.typed_values import NUMBER, Group, Scope, Value, describe, member_type
from rulewright.model.declarations import Board, canonical
from rulewright.model.reader.boards import OPPOSITES
from rulewright.program.form import NOTHING, Type
from rulewright.syntax.nouns import an
from rulewright.syntax.tree import (
    Connected,
    Distance,
    Expression,
    InLines,
    Line,
    LineAlong,
    LineTo,
    LongestLine,
    Neighbours,
    WholeLine,
)


@means(Neighbours)
def meaning_of_neighbours(ctx: Context, expression: Neighbours, scope: Scope) -> Group:
    group = board_spaces(ctx, expression.things, scope)
    if group.only is not None:
        board = board_of(ctx, group)

        def rows() -> list[list[int]]:
            return [sorted({*row} - {space}) for space, row in enumerate(board.neighbours)]

        return _space_row(ctx, group, ("beside", board.name), rows, group.only)
    table, width = neighbours_table(ctx, group)

    def make() -> int:
        vector, found = ctx.vector(group), ctx.emit.vector()
        ctx.emit.op("beside", found, vector, table, width)
        return found

    words = len(ctx.edition.words[str(group.type.detail)].words)
    return ctx.group_from_vector(group.type, min(words, group.capacity * width), make)


@means(Connected)
def meaning_of_connected(ctx: Context, expression: Connected, scope: Scope) -> Group:
    """The members that can be reached from a space, from neighbour to neighbour."""
    land, origins = board_spaces(ctx, expression.land, scope), board_spaces(ctx, expression.origins, scope)
    if land.type.detail != origins.type.detail:
        raise ctx.error(expression, "type", f"There is no way from {describe(origins.type)} to {describe(land.type)}.")
    _warn_of_outside_origins(ctx, expression)
    table, width = neighbours_table(ctx, land)

    def make() -> int:
        start, through, found = ctx.vector(origins), ctx.vector(land), ctx.emit.vector()
        ctx.emit.op("reached", found, start, through, table, width)
        return found

    return ctx.group_from_vector(land.type, land.capacity, make)


def _warn_of_outside_origins(ctx: Context, expression: Connected) -> None:
    """Doubt that a way may begin at neighbours, which mostly are none of what it leads over: it goes on behind them."""
    land, origins = expression.land, expression.origins
    if not isinstance(origins, Neighbours) or origins.span is None:
        return
    start, end = origins.span
    over, from_ = ctx.source_text(land), ctx.source_text(origins)
    message = f"This also leads over '{from_}' that are not among '{over}', to what lies behind them."
    hint = f"If it begins at some of these, say '{over} connected to {over} in {from_}'."
    place = ctx.scalar.place_at(start, end - start)
    ctx.doubts.setdefault(place, Doubt(place, "begins-outside", message, hint))


def board_spaces(ctx: Context, expression: Expression, scope: Scope, what: Expression | None = None) -> Group:
    """what: the directions in which one goes from there."""
    board = _board_of_shared_word(ctx, expression) or (list_owning(ctx, what, expression) if what is not None else "")
    group = (
        ctx.require_group(ctx.meaning(expression, scope, board, SET), expression)
        if board
        else ctx.group(expression, scope)
    )
    if not any(board.spaces == group.type.detail for board in ctx.edition.boards.values()):
        boards = ", ".join(f"'{board.spaces}'" for board in ctx.edition.boards.values())
        hint = f"The boards have spaces called {boards}." if boards else "A board is declared under 'boards'."
        raise ctx.error(expression, "type", f"Expected spaces of a board; this is {describe(group.type)}.", hint)
    return group


def _board_of_shared_word(ctx: Context, expression: Expression) -> str:
    """The spaces of which a word is one that other lists have, too, or ''."""
    if len(homes := _lists_with_word(ctx, expression)) < 2:
        return ""
    boards = [board.spaces for board in ctx.edition.boards.values() if board.spaces in homes]
    return boards[0] if len(boards) == 1 else ""


def list_owning(ctx: Context, what: Expression, where: Expression) -> str:
    """Of a word of several lists, as in `north of c1`, the only one of which something can be meant, or ''."""
    if len(homes := _lists_with_word(ctx, where)) < 2:
        return ""
    name = name_resolution.single_name(what)
    key = canonical(name.text) if name is not None else ""
    having = [home for home in homes if _has_direction(ctx, home, key) or _owns_name(ctx, home, key)]
    return having[0] if len(having) == 1 else ""


def _lists_with_word(ctx: Context, expression: Expression) -> list[str]:
    """The lists that have a word, which stands alone."""
    token = name_resolution.single_name(expression)
    return [home for home, numbers in ctx.words.items() if token is not None and canonical(token.text) in numbers]


def _has_direction(ctx: Context, spaces_: str, key: str) -> bool:
    """Whether a direction is called so, or directions are, on the board that has these spaces. key: '' for what is no
    name alone."""
    board = next((board for board in ctx.edition.boards.values() if board.spaces == spaces_), None)
    if board is None or not board.directions:
        return False
    ways = board.directions
    return key in ("", canonical(ways)) or key in ctx.words[ways] or _owns_name(ctx, ways, key)


def _owns_name(ctx: Context, words: str, key: str) -> bool:
    return key in map(canonical, owned_names.names_owned_by(ctx, Type("word", words)))


def neighbours_table(ctx: Context, group: Group) -> tuple[int, int]:
    """A table with a row for each space, and the rows' width."""
    board = board_of(ctx, group)

    def make() -> tuple[int, int]:
        width = max(1, *(len(row) for row in board.neighbours))
        spaces_ = (space for row in board.neighbours for space in (*row, *[-1] * (width - len(row))))
        return ctx.plan.table((*spaces_, -1)), width

    return ctx.plan.once(("neighbours", board.name), make)


_MakeRows = Callable[[], Sequence[Sequence[int]]]
"""What makes rows of spaces."""


def _space_row(ctx: Context, group: Group, key: tuple[str, ...], rows: _MakeRows, number: int) -> Group:
    """One of some rows of spaces, by its number; none where that is -1."""
    table, longest = _row_table(ctx, key, rows, 1)

    def make() -> int:
        found = ctx.emit.vector()
        ctx.emit.op("stretch", found, table, number, 1)
        return found

    return ctx.group_from_vector(group.type, longest, make)


def _row_table(ctx: Context, key: tuple[str, ...], make_rows: _MakeRows, before: int) -> tuple[int, int]:
    """A table of rows, and so many empty ones before them; and how long the longest is."""

    def make() -> tuple[int, int]:
        rows = make_rows()
        first = before + len(rows) + 1
        ends = accumulate(map(len, rows), initial=first)
        table = ctx.plan.table((*[first] * before, *ends, *(space for row in rows for space in row), -1))
        return table, max(map(len, rows))

    return ctx.plan.once(key, make)


def board_of(ctx: Context, group: Group) -> Board:
    return next(board for board in ctx.edition.boards.values() if board.spaces == group.type.detail)


# ── directions ──

_Holds = Callable[[Expression, int], int]
"""Writes whether a condition holds of a space."""

_OnSpace = Callable[[int, int, _Holds], None]
"""Writes what is done with the vector of a line and a space that it comes onto; it may leave the line by `break`."""


def step_in_direction(ctx: Context, what: Expression, group: Group, scope: Scope) -> Group | None:
    """north of a1: the spaces one step on; None where no direction can be meant."""
    board = next((board for board in ctx.edition.boards.values() if board.spaces == group.type.detail), None)
    if board is None or group.type.base != "word":
        return None
    name = name_resolution.single_name(what)
    plain = name.text if name is not None and name_resolution.local_binding(ctx, name, scope) is None else ""
    if plain and canonical(plain) in map(canonical, owned_names.names_owned_by(ctx, group.type)):
        return None
    if not board.directions and plain not in OPPOSITES:
        return None
    ways = directions(ctx, board, what, scope)

    def make() -> int:
        found = _new_vector(ctx)

        def body(way: int, space: int) -> None:
            there = _next_space(ctx, board, space, way)
            with ctx.emit.when(ctx.emit.value("unequal", there, NONE)):
                ctx.emit.op("push", found, there)

        _walk_pairs(ways, group, body)
        return _distinct(ctx, found, group, ways)

    return ctx.group_from_vector(group.type, min(len(board.steps), group.capacity * ways.capacity), make)


def directions(ctx: Context, board: Board, what: Expression, scope: Scope) -> Group:
    """The directions that are named, or that have what is named: north; straight, of those that are straight."""
    if not board.directions:
        hint = f"Name them: 'directions: direction', below the board '{board.name}'." if board.steps else ""
        raise ctx.error(what, "type", f"The board '{board.name}' has no directions with names.", hint)
    ways = ctx.as_group(ctx.every_seat(what, scope) or ctx.meaning(what, scope, board.directions, SET))
    if ways.type.base == "word" and ways.type.detail != board.directions:
        count = len(ctx.edition.words[board.directions].words)
        everything = ctx.constant_group(Type("word", board.directions), tuple(range(count)))
        if relations.word_columns(ctx, board.directions, str(ways.type.detail)):
            return relations.related_words(ctx, everything, ways, what)
    if ways.type.base != "word" or ways.type.detail != board.directions:
        this = describe(member_type(ways.type))
        message = f"Expected {an(board.directions)} of '{board.name}' before 'of'; this is {this}."
        raise ctx.error(what, "type", message)
    return ways


@means(WholeLine)
def meaning_of_whole_line(ctx: Context, expression: WholeLine, scope: Scope) -> Group:
    """north of a1 as far as possible: all spaces that way, the nearest first."""

    def onto(found: int, space: int, holds: _Holds) -> None:
        ctx.emit.op("push", found, space)

    return _walk_lines(ctx, expression, scope, lambda found: (found, onto), whole=True)


@means(LineTo)
def meaning_of_line_to(ctx: Context, expression: LineTo, scope: Scope) -> Group:
    """north of a1 as far as taken: those up to the first that is taken, with it."""

    def onto(found: int, space: int, holds: _Holds) -> None:
        ctx.emit.op("push", found, space)
        with ctx.emit.when(holds(expression.condition, space)):
            ctx.emit.op("break")

    return _walk_lines(ctx, expression, scope, lambda found: (found, onto))


@means(LineAlong)
def meaning_of_line_along(ctx: Context, expression: LineAlong, scope: Scope) -> Group:
    """north of a1 as long as theirs up to mine: those before the first that is not theirs, if that one is mine."""
    condition, end = expression.condition, expression.until

    def begin(found: int) -> tuple[int, _OnSpace]:
        def onto(line: int, space: int, holds: _Holds) -> None:
            with ctx.emit.when(ctx.emit.negate(holds(condition, space))):
                if end is not None:
                    with ctx.emit.when(holds(end, space)):
                        ctx.emit.op("append", found, line)
                ctx.emit.op("break")
            ctx.emit.op("push", line, space)

        return found if end is None else _new_vector(ctx), onto

    return _walk_lines(ctx, expression, scope, begin)


def _walk_lines(
    ctx: Context, expression: Line, scope: Scope, begin: Callable[[int], tuple[int, _OnSpace]], whole: bool = False
) -> Group:
    """From each space in each direction. begin: of the vector of what is found, the one in which a line is collected,
    and what is written for a space that it comes onto; whole: all these spaces belong to the line."""
    group = board_spaces(ctx, expression.start, scope, expression.direction)
    board = board_of(ctx, group)
    ways, scalar = directions(ctx, board, expression.direction, scope), ctx.scalar

    def holds(condition: Expression, space: int) -> int:
        with ctx.reading(scalar):
            return ctx.truth(condition, scope.within(ctx.element(group, space)))

    def make() -> int:
        found = _new_vector(ctx)

        def body(way: int, start: int) -> None:
            line, onto = begin(found)
            with ctx.emit.each(ahead(way, start), brief=True) as space:
                onto(line, space, holds)

        _walk_pairs(ways, group, body)
        return _distinct(ctx, found, group, ways)

    width = len(board.steps[0])

    def rows() -> list[list[int]]:
        return [_spaces_ahead(board, start, way) for start in range(len(board.steps)) for way in range(width)]

    table, longest = _row_table(ctx, ("ahead", board.name), rows, width)

    def ahead(way: int, start: int) -> int:
        stretch = ctx.emit.vector()
        number = ctx.emit.value("add", ctx.emit.value("multiply", start, constant(width)), way)
        ctx.emit.op("stretch", stretch, table, number, width)
        return stretch

    if whole and ways.only is not None and group.only is not None:
        way, start = ways.only, group.only
        if ctx.emit.is_present(way):
            return ctx.group_from_vector(group.type, longest, lambda: ahead(way, start))
    return ctx.group_from_vector(group.type, len(board.steps), make)


def _spaces_ahead(board: Board, start: int, way: int) -> list[int]:
    """All spaces one after the other in a direction, before the line comes back."""
    found: list[int] = []
    space = board.steps[start][way]
    while space not in (NOTHING, start, *found):
        found.append(space)
        space = board.steps[space][way]
    return found


def _new_vector(ctx: Context) -> int:
    vector = ctx.emit.vector()
    ctx.emit.op("vector", vector)
    return vector


def _copy_vector(ctx: Context, vector: int) -> int:
    same = ctx.emit.vector()
    ctx.emit.op("as_tuple", same, vector)
    return same


def _walk_pairs(ways: Group, starts: Group, body: Callable[[int, int], None]) -> None:
    ways.walk(lambda way: starts.walk(lambda start: body(way, start), None), None)


def _distinct(ctx: Context, found: int, group: Group, ways: Group) -> int:
    """Each once, where two ways can lead to one space."""
    if group.capacity == 1 or ways.capacity == 1:
        return found
    distinct = ctx.emit.vector()
    ctx.emit.op("unite", distinct, _new_vector(ctx), found)
    return distinct


def _next_space(ctx: Context, board: Board, space: int, way: int) -> int:
    """The next space in a direction, or none."""
    width = len(board.steps[0])
    table, _ = ctx.plan.once(
        ("steps", board.name), lambda: (ctx.plan.table((*(there for row in board.steps for there in row), -1)), width)
    )
    place = ctx.emit.value("add", ctx.emit.value("multiply", space, constant(width)), way)
    return ctx.emit.look_up(table, place)


@means(LongestLine)
def meaning_of_longest_line(ctx: Context, expression: LongestLine, scope: Scope) -> Value:
    """How many members lie in an unbroken line, in any direction; of those lines that hold one of some others."""
    through = expression.through
    group = board_spaces(ctx, expression.things, scope)
    board = _board_with_lines(ctx, group, expression)
    land, longest = ctx.vector(group), ctx.emit.variable(ZERO)
    held = None
    if through is not None:
        wanted, held = ctx.vector(spaces_of_same_board(ctx, group, through, scope)), ctx.emit.vector()
        ctx.emit.op("within", held, land, _identity_table(ctx, board), wanted)
    for way in board.axes:
        lying = land if held is None else _whole_lines(ctx, board, way, held, land)
        ends, length = _copy_vector(ctx, lying), ctx.emit.variable(ZERO)
        with ctx.emit.loop():
            with ctx.emit.when(ctx.is_empty(ends)):
                ctx.emit.op("break")
            ctx.emit.change("add", length, length, ONE)
            _extend_lines(ctx, board, way, ends, lying, length)
        with ctx.emit.when(ctx.emit.value("less", longest, length)):
            ctx.emit.assign(longest, length)
    return Value(NUMBER, longest, 0, group.capacity)


@means(InLines)
def meaning_of_in_lines(ctx: Context, expression: InLines, scope: Scope) -> Group:
    """The members that lie in an unbroken line of so many: those where such a line ends, and all before them."""
    group = board_spaces(ctx, expression.things, scope)
    board = _board_with_lines(ctx, group, expression)
    size = ctx.number(expression.length, scope)

    def make() -> int:
        land, found = ctx.vector(group), _new_vector(ctx)
        for way in board.axes:
            ends, length = _copy_vector(ctx, land), ctx.emit.variable(ONE)
            with ctx.emit.loop():
                with ctx.emit.when(ctx.is_empty(ends)):
                    ctx.emit.op("break")
                with ctx.emit.when(ctx.emit.value("at_most", size.operand, length)):
                    ctx.emit.op("break")
                _extend_lines(ctx, board, way, ends, land, length)
                ctx.emit.change("add", length, length, ONE)
            lines = _whole_lines(ctx, board, way, ends, land)
            ctx.emit.op("append", found, lines)
        lying = ctx.emit.vector()
        ctx.emit.op("within", lying, land, _identity_table(ctx, board), found)
        return lying

    return ctx.group_from_vector(group.type, group.capacity, make)


def _board_with_lines(ctx: Context, group: Group, expression: Expression) -> Board:
    board = board_of(ctx, group)
    if not board.steps:
        message = f"The board '{board.name}' is no map, so it has no lines."
        hint = "A board with lines has a 'map' or a 'size', or its spaces say where its 'directions' lead."
        raise ctx.error(expression, "type", message, hint)
    return board


def spaces_of_same_board(ctx: Context, group: Group, expression: Expression, scope: Scope) -> Group:
    """Spaces of the board of some others."""
    there = board_spaces(ctx, expression, scope)
    if there.type.detail != group.type.detail:
        message = f"There is no way from {describe(member_type(group.type))} to {describe(member_type(there.type))}."
        raise ctx.error(expression, "type", message)
    return there


def _extend_lines(ctx: Context, board: Board, way: int, ends: int, land: int, length: int) -> None:
    """Goes on from where lines of some length end to where longer ones do. A line that comes back ends before its
    start."""
    beyond, left = ctx.emit.vector(), ctx.emit.vector()
    ctx.emit.op("images", beyond, ends, ctx.plan.table((*(row[way] for row in board.steps), -1)))
    ctx.emit.op("within", left, beyond, _identity_table(ctx, board), land)
    if not board.round:
        ctx.emit.op("as_tuple", ends, left)
        return
    ctx.emit.op("vector", ends)
    most = ctx.plan.table((*(board.most_in_line(space, way) for space in range(len(board.steps))), 0))
    with ctx.emit.each(left) as space:
        with ctx.emit.when(ctx.emit.value("less", length, ctx.emit.look_up(most, space))):
            ctx.emit.op("push", ends, space)


def _whole_lines(ctx: Context, board: Board, way: int, starts: int, land: int) -> int:
    """The whole lines, along one direction and back, in which some members lie."""
    both = (way, board.opposites[way])
    table = ctx.plan.table((*(row[each] for row in board.steps for each in both), -1))
    found = ctx.emit.vector()
    ctx.emit.op("reached", found, starts, land, table, 2)
    return found


def _identity_table(ctx: Context, board: Board) -> int:
    return ctx.plan.table((*range(len(board.steps)), -1))


@means(Distance)
def meaning_of_distance(ctx: Context, expression: Distance, scope: Scope) -> Value:
    """From neighbour to neighbour; where there is no way, as many as there are spaces."""
    named = expression.one, expression.other
    groups = [board_spaces(ctx, place, scope) for place in named]
    board = board_of(ctx, groups[0])
    if groups[1].type.detail != board.spaces:
        here, there = (describe(member_type(group.type)) for group in groups)
        message = f"There is no way from {here} to {there}."
        raise ctx.error(expression, "type", message)
    one, other = (
        ctx.require_present(ctx.single(group, expression), place) for group, place in zip(groups, named, strict=True)
    )
    count = len(board.neighbours)

    def steps() -> tuple[int, int]:
        return ctx.plan.table((*(far for start in range(count) for far in _distances_from(board, start)), 0)), count

    table, _ = ctx.plan.once(("distances", board.name), steps)
    place = ctx.emit.value("add", ctx.emit.value("multiply", one.operand, constant(count)), other.operand)
    return Value(NUMBER, ctx.emit.look_up(table, place), 0, count)


def _distances_from(board: Board, start: int) -> list[int]:
    found, edge = {start: 0}, [start]
    while edge:
        here = edge.pop(0)
        for there in board.neighbours[here]:
            if there not in found:
                found[there] = found[here] + 1
                edge.append(there)
    return [found.get(space, len(board.neighbours)) for space in range(len(board.neighbours))]
