"""What is beside what on boards: neighbours, directions, lines, distances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from rulewright.compiler import name_resolution, owned_names, relations
from rulewright.compiler.context import SET, Context, Doubt
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.registry import means
from rulewright.compiler.typed_values import NUMBER, Group, Scope, Value, described, one_of
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
def on_neighbours(ctx: Context, tree: Neighbours, scope: Scope) -> Group:
    group = spaces(ctx, tree.things, scope)
    if group.only is not None:
        board = board_of(ctx, group)

        def rows() -> list[list[int]]:
            return [sorted({*row} - {space}) for space, row in enumerate(board.neighbours)]

        return _stretch(ctx, group, ("beside", board.name), rows, group.only)
    table, width = neighbours_table(ctx, group)

    def make() -> int:
        vector, found = ctx.vector(group), ctx.emit.vector()
        ctx.emit.op("beside", found, vector, table, width)
        return found

    words = len(ctx.edition.words[str(group.type.detail)].words)
    return ctx.listed(group.type, min(words, group.capacity * width), make)


@means(Connected)
def on_connected(ctx: Context, tree: Connected, scope: Scope) -> Group:
    """The members that can be reached from a space, from neighbour to neighbour."""
    land, origins = spaces(ctx, tree.land, scope), spaces(ctx, tree.origins, scope)
    if land.type.detail != origins.type.detail:
        raise ctx.wrong(tree, "type", f"There is no way from {described(origins.type)} to {described(land.type)}.")
    _doubt_origins(ctx, tree)
    table, width = neighbours_table(ctx, land)

    def make() -> int:
        start, through, found = ctx.vector(origins), ctx.vector(land), ctx.emit.vector()
        ctx.emit.op("reached", found, start, through, table, width)
        return found

    return ctx.listed(land.type, land.capacity, make)


def _doubt_origins(ctx: Context, tree: Connected) -> None:
    """Doubt that a way may begin at neighbours, which mostly are none of what it leads over: it goes on behind them."""
    land, origins = tree.land, tree.origins
    if not isinstance(origins, Neighbours) or origins.span is None:
        return
    start, end = origins.span
    over, from_ = ctx.written(land), ctx.written(origins)
    message = f"This also leads over '{from_}' that are not among '{over}', to what lies behind them."
    hint = f"If it begins at some of these, say '{over} connected to {over} in {from_}'."
    place = ctx.scalar.place_at(start, end - start)
    ctx.doubts.setdefault(place, Doubt(place, "begins-outside", message, hint))


def spaces(ctx: Context, tree: Expression, scope: Scope, what: Expression | None = None) -> Group:
    """what: the directions in which one goes from there."""
    board = _board_with(ctx, tree) or (list_having(ctx, what, tree) if what is not None else "")
    group = ctx.grouped(ctx.meaning(tree, scope, board, SET), tree) if board else ctx.group(tree, scope)
    if not any(board.spaces == group.type.detail for board in ctx.edition.boards.values()):
        boards = ", ".join(f"'{board.spaces}'" for board in ctx.edition.boards.values())
        hint = f"The boards have spaces called {boards}." if boards else "A board is declared under 'boards'."
        raise ctx.wrong(tree, "type", f"Expected spaces of a board; this is {described(group.type)}.", hint)
    return group


def _board_with(ctx: Context, tree: Expression) -> str:
    """The spaces of which a word is one that other lists have, too, or ''."""
    if len(homes := _homes(ctx, tree)) < 2:
        return ""
    boards = [board.spaces for board in ctx.edition.boards.values() if board.spaces in homes]
    return boards[0] if len(boards) == 1 else ""


def list_having(ctx: Context, what: Expression, where: Expression) -> str:
    """Of a word of several lists, as in `north of c1`, the only one of which something can be meant, or ''."""
    if len(homes := _homes(ctx, where)) < 2:
        return ""
    name = name_resolution.alone(what)
    key = canonical(name.text) if name is not None else ""
    having = [home for home in homes if _leads(ctx, home, key) or _has(ctx, home, key)]
    return having[0] if len(having) == 1 else ""


def _homes(ctx: Context, tree: Expression) -> list[str]:
    """The lists that have a word, which stands alone."""
    token = name_resolution.alone(tree)
    return [home for home, numbers in ctx.words.items() if token is not None and canonical(token.text) in numbers]


def _leads(ctx: Context, spaces_: str, key: str) -> bool:
    """Whether a direction is called so, or directions are, on the board that has these spaces. key: '' for what is no
    name alone."""
    board = next((board for board in ctx.edition.boards.values() if board.spaces == spaces_), None)
    if board is None or not board.directions:
        return False
    ways = board.directions
    return key in ("", canonical(ways)) or key in ctx.words[ways] or _has(ctx, ways, key)


def _has(ctx: Context, words: str, key: str) -> bool:
    return key in map(canonical, owned_names.things_of(ctx, Type("word", words)))


def neighbours_table(ctx: Context, group: Group) -> tuple[int, int]:
    """A table with a row for each space, and the rows' width."""
    board = board_of(ctx, group)

    def make() -> tuple[int, int]:
        width = max(1, *(len(row) for row in board.neighbours))
        spaces_ = (space for row in board.neighbours for space in (*row, *[-1] * (width - len(row))))
        return ctx.plan.table((*spaces_, -1)), width

    return ctx.plan.once(("neighbours", board.name), make)


_MakesRows = Callable[[], Sequence[Sequence[int]]]
"""What makes rows of spaces."""


def _stretch(ctx: Context, group: Group, key: tuple[str, ...], rows: _MakesRows, number: int) -> Group:
    """One of some rows of spaces, by its number; none where that is -1."""
    table, longest = _stretches(ctx, key, rows, 1)

    def make() -> int:
        found = ctx.emit.vector()
        ctx.emit.op("stretch", found, table, number, 1)
        return found

    return ctx.listed(group.type, longest, make)


def _stretches(ctx: Context, key: tuple[str, ...], make_rows: _MakesRows, before: int) -> tuple[int, int]:
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

_Onto = Callable[[int, int, _Holds], None]
"""Writes what is done with the vector of a line and a space that it comes onto; it may leave the line by `break`."""


def that_way(ctx: Context, what: Expression, group: Group, scope: Scope) -> Group | None:
    """north of a1: the spaces one step on; None where no direction can be meant."""
    board = next((board for board in ctx.edition.boards.values() if board.spaces == group.type.detail), None)
    if board is None or group.type.base != "word":
        return None
    name = name_resolution.alone(what)
    plain = name.text if name is not None and name_resolution.local(ctx, name, scope) is None else ""
    if plain and canonical(plain) in map(canonical, owned_names.things_of(ctx, group.type)):
        return None
    if not board.directions and plain not in OPPOSITES:
        return None
    ways = directions(ctx, board, what, scope)

    def make() -> int:
        found = _new(ctx)

        def body(way: int, space: int) -> None:
            there = _step(ctx, board, space, way)
            with ctx.emit.when(ctx.emit.value("unequal", there, NONE)):
                ctx.emit.op("push", found, there)

        _from_each(ways, group, body)
        return _distinct(ctx, found, group, ways)

    return ctx.listed(group.type, min(len(board.steps), group.capacity * ways.capacity), make)


def directions(ctx: Context, board: Board, what: Expression, scope: Scope) -> Group:
    """The directions that are named, or that have what is named: north; straight, of those that are straight."""
    if not board.directions:
        hint = f"Name them: 'directions: direction', below the board '{board.name}'." if board.steps else ""
        raise ctx.wrong(what, "type", f"The board '{board.name}' has no directions with names.", hint)
    ways = ctx.as_group(ctx.everyone(what, scope) or ctx.meaning(what, scope, board.directions, SET))
    if ways.type.base == "word" and ways.type.detail != board.directions:
        count = len(ctx.edition.words[board.directions].words)
        everything = ctx.fixed(Type("word", board.directions), tuple(range(count)))
        if relations.towards(ctx, board.directions, str(ways.type.detail)):
            return relations.related(ctx, everything, ways, what)
    if ways.type.base != "word" or ways.type.detail != board.directions:
        this = described(one_of(ways.type))
        message = f"Expected {an(board.directions)} of '{board.name}' before 'of'; this is {this}."
        raise ctx.wrong(what, "type", message)
    return ways


@means(WholeLine)
def on_whole_line(ctx: Context, tree: WholeLine, scope: Scope) -> Group:
    """north of a1 as far as possible: all spaces that way, the nearest first."""

    def onto(found: int, space: int, holds: _Holds) -> None:
        ctx.emit.op("push", found, space)

    return _lines(ctx, tree, scope, lambda found: (found, onto), whole=True)


@means(LineTo)
def on_line_to(ctx: Context, tree: LineTo, scope: Scope) -> Group:
    """north of a1 as far as taken: those up to the first that is taken, with it."""

    def onto(found: int, space: int, holds: _Holds) -> None:
        ctx.emit.op("push", found, space)
        with ctx.emit.when(holds(tree.condition, space)):
            ctx.emit.op("break")

    return _lines(ctx, tree, scope, lambda found: (found, onto))


@means(LineAlong)
def on_line_along(ctx: Context, tree: LineAlong, scope: Scope) -> Group:
    """north of a1 as long as theirs up to mine: those before the first that is not theirs, if that one is mine."""
    condition, end = tree.condition, tree.until

    def begin(found: int) -> tuple[int, _Onto]:
        def onto(line: int, space: int, holds: _Holds) -> None:
            with ctx.emit.when(ctx.emit.negated(holds(condition, space))):
                if end is not None:
                    with ctx.emit.when(holds(end, space)):
                        ctx.emit.op("append", found, line)
                ctx.emit.op("break")
            ctx.emit.op("push", line, space)

        return found if end is None else _new(ctx), onto

    return _lines(ctx, tree, scope, begin)


def _lines(
    ctx: Context, tree: Line, scope: Scope, begin: Callable[[int], tuple[int, _Onto]], whole: bool = False
) -> Group:
    """From each space in each direction. begin: of the vector of what is found, the one in which a line is collected,
    and what is written for a space that it comes onto; whole: all these spaces belong to the line."""
    group = spaces(ctx, tree.start, scope, tree.direction)
    board = board_of(ctx, group)
    ways, scalar = directions(ctx, board, tree.direction, scope), ctx.scalar

    def holds(condition: Expression, space: int) -> int:
        with ctx.reading(scalar):
            return ctx.truth(condition, scope.within(ctx.element(group, space)))

    def make() -> int:
        found = _new(ctx)

        def body(way: int, start: int) -> None:
            line, onto = begin(found)
            with ctx.emit.each(ahead(way, start), brief=True) as space:
                onto(line, space, holds)

        _from_each(ways, group, body)
        return _distinct(ctx, found, group, ways)

    width = len(board.steps[0])

    def rows() -> list[list[int]]:
        return [_ahead(board, start, way) for start in range(len(board.steps)) for way in range(width)]

    table, longest = _stretches(ctx, ("ahead", board.name), rows, width)

    def ahead(way: int, start: int) -> int:
        stretch = ctx.emit.vector()
        number = ctx.emit.value("add", ctx.emit.value("multiply", start, constant(width)), way)
        ctx.emit.op("stretch", stretch, table, number, width)
        return stretch

    if whole and ways.only is not None and group.only is not None:
        way, start = ways.only, group.only
        if ctx.emit.there(way):
            return ctx.listed(group.type, longest, lambda: ahead(way, start))
    return ctx.listed(group.type, len(board.steps), make)


def _ahead(board: Board, start: int, way: int) -> list[int]:
    """All spaces one after the other in a direction, before the line comes back."""
    found: list[int] = []
    space = board.steps[start][way]
    while space not in (NOTHING, start, *found):
        found.append(space)
        space = board.steps[space][way]
    return found


def _new(ctx: Context) -> int:
    vector = ctx.emit.vector()
    ctx.emit.op("vector", vector)
    return vector


def _same_as(ctx: Context, vector: int) -> int:
    same = ctx.emit.vector()
    ctx.emit.op("as_tuple", same, vector)
    return same


def _from_each(ways: Group, starts: Group, body: Callable[[int, int], None]) -> None:
    ways.walk(lambda way: starts.walk(lambda start: body(way, start), None), None)


def _distinct(ctx: Context, found: int, group: Group, ways: Group) -> int:
    """Each once, where two ways can lead to one space."""
    if group.capacity == 1 or ways.capacity == 1:
        return found
    distinct = ctx.emit.vector()
    ctx.emit.op("unite", distinct, _new(ctx), found)
    return distinct


def _step(ctx: Context, board: Board, space: int, way: int) -> int:
    """The next space in a direction, or none."""
    width = len(board.steps[0])
    table, _ = ctx.plan.once(
        ("steps", board.name), lambda: (ctx.plan.table((*(there for row in board.steps for there in row), -1)), width)
    )
    place = ctx.emit.value("add", ctx.emit.value("multiply", space, constant(width)), way)
    return ctx.emit.look_up(table, place)


@means(LongestLine)
def on_longest_line(ctx: Context, tree: LongestLine, scope: Scope) -> Value:
    """How many members lie in an unbroken line, in any direction; of those lines that hold one of some others."""
    through = tree.through
    group = spaces(ctx, tree.things, scope)
    board = _with_lines(ctx, group, tree)
    land, longest = ctx.vector(group), ctx.emit.variable(ZERO)
    held = None
    if through is not None:
        wanted, held = ctx.vector(same_board(ctx, group, through, scope)), ctx.emit.vector()
        ctx.emit.op("within", held, land, _itself(ctx, board), wanted)
    for way in board.axes:
        lying = land if held is None else _reached(ctx, board, way, held, land)
        ends, length = _same_as(ctx, lying), ctx.emit.variable(ZERO)
        with ctx.emit.loop():
            with ctx.emit.when(ctx.empty(ends)):
                ctx.emit.op("break")
            ctx.emit.change("add", length, length, ONE)
            _further(ctx, board, way, ends, lying, length)
        with ctx.emit.when(ctx.emit.value("less", longest, length)):
            ctx.emit.assign(longest, length)
    return Value(NUMBER, longest, 0, group.capacity)


@means(InLines)
def on_in_lines(ctx: Context, tree: InLines, scope: Scope) -> Group:
    """The members that lie in an unbroken line of so many: those where such a line ends, and all before them."""
    group = spaces(ctx, tree.things, scope)
    board = _with_lines(ctx, group, tree)
    size = ctx.number(tree.length, scope)

    def make() -> int:
        land, found = ctx.vector(group), _new(ctx)
        for way in board.axes:
            ends, length = _same_as(ctx, land), ctx.emit.variable(ONE)
            with ctx.emit.loop():
                with ctx.emit.when(ctx.empty(ends)):
                    ctx.emit.op("break")
                with ctx.emit.when(ctx.emit.value("at_most", size.operand, length)):
                    ctx.emit.op("break")
                _further(ctx, board, way, ends, land, length)
                ctx.emit.change("add", length, length, ONE)
            lines = _reached(ctx, board, way, ends, land)
            ctx.emit.op("append", found, lines)
        lying = ctx.emit.vector()
        ctx.emit.op("within", lying, land, _itself(ctx, board), found)
        return lying

    return ctx.listed(group.type, group.capacity, make)


def _with_lines(ctx: Context, group: Group, tree: Expression) -> Board:
    board = board_of(ctx, group)
    if not board.steps:
        message = f"The board '{board.name}' is no map, so it has no lines."
        hint = "A board with lines has a 'map' or a 'size', or its spaces say where its 'directions' lead."
        raise ctx.wrong(tree, "type", message, hint)
    return board


def same_board(ctx: Context, group: Group, tree: Expression, scope: Scope) -> Group:
    """Spaces of the board of some others."""
    there = spaces(ctx, tree, scope)
    if there.type.detail != group.type.detail:
        message = f"There is no way from {described(one_of(group.type))} to {described(one_of(there.type))}."
        raise ctx.wrong(tree, "type", message)
    return there


def _further(ctx: Context, board: Board, way: int, ends: int, land: int, length: int) -> None:
    """Goes on from where lines of some length end to where longer ones do. A line that comes back ends before its
    start."""
    beyond, left = ctx.emit.vector(), ctx.emit.vector()
    ctx.emit.op("images", beyond, ends, ctx.plan.table((*(row[way] for row in board.steps), -1)))
    ctx.emit.op("within", left, beyond, _itself(ctx, board), land)
    if not board.round:
        ctx.emit.op("as_tuple", ends, left)
        return
    ctx.emit.op("vector", ends)
    most = ctx.plan.table((*(board.most_in_line(space, way) for space in range(len(board.steps))), 0))
    with ctx.emit.each(left) as space:
        with ctx.emit.when(ctx.emit.value("less", length, ctx.emit.look_up(most, space))):
            ctx.emit.op("push", ends, space)


def _reached(ctx: Context, board: Board, way: int, starts: int, land: int) -> int:
    """The whole lines, along one direction and back, in which some members lie."""
    both = (way, board.opposites[way])
    table = ctx.plan.table((*(row[each] for row in board.steps for each in both), -1))
    found = ctx.emit.vector()
    ctx.emit.op("reached", found, starts, land, table, 2)
    return found


def _itself(ctx: Context, board: Board) -> int:
    return ctx.plan.table((*range(len(board.steps)), -1))


@means(Distance)
def on_distance(ctx: Context, tree: Distance, scope: Scope) -> Value:
    """From neighbour to neighbour; where there is no way, as many as there are spaces."""
    named = tree.one, tree.other
    groups = [spaces(ctx, place, scope) for place in named]
    board = board_of(ctx, groups[0])
    if groups[1].type.detail != board.spaces:
        here, there = (described(one_of(group.type)) for group in groups)
        message = f"There is no way from {here} to {there}."
        raise ctx.wrong(tree, "type", message)
    one, other = (ctx.sure(ctx.single(group, tree), place) for group, place in zip(groups, named, strict=True))
    count = len(board.neighbours)

    def steps() -> tuple[int, int]:
        return ctx.plan.table((*(far for start in range(count) for far in _distances(board, start)), 0)), count

    table, _ = ctx.plan.once(("distances", board.name), steps)
    place = ctx.emit.value("add", ctx.emit.value("multiply", one.operand, constant(count)), other.operand)
    return Value(NUMBER, ctx.emit.look_up(table, place), 0, count)


def _distances(board: Board, start: int) -> list[int]:
    found, edge = {start: 0}, [start]
    while edge:
        here = edge.pop(0)
        for there in board.neighbours[here]:
            if there not in found:
                found[there] = found[here] + 1
                edge.append(there)
    return [found.get(space, len(board.neighbours)) for space in range(len(board.neighbours))]
