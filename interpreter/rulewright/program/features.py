"""Features of a seat's position, as further lines of a score: what a value is learned from.

They are general: the seat's counters, how many pieces of each kind lie in its zones, and how its own lie on boards.
Each is a function of a state and a seat, and so native code works it out with the points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.program.form import Function, Program, ScoreLine, Text
from rulewright.program.instructions import OPERANDS, Instruction, constant, register_value
from rulewright.program.state_layout import GAME_OVER, PC, Counter, StateZone

MAX_FEATURES = 40
"""Most features of a seat."""
MAX_REGIONS = 16
"""Most regions of a board of which it is counted how many a seat leads."""
MAX_WORDS = 6
"""Most words for which a counter has features of their own; of more, their sum is one."""


@record
class Feature:
    """Feature of a seat. name: of the counter or zone, with the kind or word; code: of its function; tables: that it
    needs, which its code names by their index from 0."""

    name: str
    code: tuple[Instruction, ...]
    tables: tuple[tuple[int, ...], ...] = ()


def features(program: Program) -> tuple[Feature, ...]:
    """Return the first MAX_FEATURES features of a program, in an order that depends on the rules alone."""
    return tuple([*_of_counters(program), *_on_boards(program), *_of_zones(program)][:MAX_FEATURES])


def with_features(program: Program, more: Sequence[Feature]) -> Program:
    """Return a program whose score has further lines behind its own: one that is 1 where the game is over, and one for
    each feature."""
    tables, functions, lines = list(program.tables), list(program.functions), list(program.scoring)
    for feature in (_OVER, *more):
        code = tuple(_with_tables(instruction, len(tables)) for instruction in feature.code)
        lines.append(ScoreLine(feature.name, Text("", feature.name), len(functions), "all"))
        functions.append(Function((("vector", 0), *code, ("push", 0, register_value(1)), ("answer", 0))))
        tables += feature.tables
    return replace(program, tables=tuple(tables), functions=tuple(functions), scoring=tuple(lines))


def _with_tables(instruction: Instruction, first: int) -> Instruction:
    """Return an instruction of a feature for the program: the tables of the feature begin at number `first` there."""
    place = OPERANDS[str(instruction[0])].find("T") + 1
    if not place:
        return instruction
    return (*instruction[:place], int(instruction[place]) + first, *instruction[place + 1 :])


SEAT = register_value(0)
"""Operand of the seat, in a function."""
_OVER = Feature("over", (("load", 2, PC, constant(0)), ("equal", 1, register_value(2), constant(GAME_OVER))))


def _of_counters(program: Program) -> Iterator[Feature]:
    """Yield a feature for each cell of a seat's counters of numbers and truths; one for the sum where a counter has
    more than MAX_WORDS."""
    for counter in program.layout.counters:
        if counter.of != "seat" or counter.type.many or counter.type.base not in ("number", "truth"):
            continue
        own: tuple[Instruction, ...] = (("multiply", 2, SEAT, constant(counter.width)),)
        cells = range(counter.address, counter.address + counter.width)
        if counter.width <= MAX_WORDS:
            words = program.words.get(counter.by, ("",) * counter.width)
            for cell, word in zip(cells, words, strict=True):
                yield Feature(f"{counter.name} {word}".strip(), (*own, ("load", 1, cell, register_value(2))))
        else:
            code = [*own, ("load", 1, cells[0], register_value(2))]
            for cell in cells[1:]:
                code += [("load", 3, cell, register_value(2)), ("add", 1, register_value(1), register_value(3))]
            yield Feature(counter.name, tuple(code))


def _of_zones(program: Program) -> Iterator[Feature]:
    """Yield a feature for each zone of a seat, or for each kind of pieces in it."""
    zones: dict[str, list[StateZone]] = {}
    for zone in program.layout.zones:
        if zone.of == "seat":
            zones.setdefault(zone.name, []).append(zone)
    kinds = [program.types[type_].kind for type_ in program.type_of]
    for name, places in zones.items():
        first = places[0].address
        if [zone.address for zone in places] != list(range(first, first + len(places))):
            continue
        read: Instruction = ("read", 1, first, SEAT)
        parts = _parts(program, sorted(places[0].holds & set(kinds)))
        if len(parts) < 2:
            yield Feature(name, (read, ("length", 1, 1)))
            continue
        for part, types in parts.items():
            table = tuple(int(type_ in types) for type_ in program.type_of)
            yield Feature(f"{name} {part}", (read, ("tally", 1, 1, 0)), (table,))


def _parts(program: Program, kinds: Sequence[str]) -> Mapping[str, frozenset[int]]:
    """Return the types of each kind of pieces; where one of its attributes has a few values, of each value. What a seat
    plays is no such attribute: in its zones all is its own. Types are the ones that pieces have at first."""
    owned, parts = _owned_words(program), dict[str, frozenset[int]]()
    for kind in kinds:
        types = sorted({type_ for type_ in program.type_of if program.types[type_].kind == kind})
        values: dict[str, dict[int, set[int]]] = {}
        for type_ in types:
            for name, value in program.types[type_].attributes.items():
                values.setdefault(name, {}).setdefault(value, set()).add(type_)
        few = {name: of for name, of in values.items() if 2 <= len(of) <= MAX_WORDS and name not in owned}
        if not few:
            parts[kind] = frozenset(types)
            continue
        name = min(few, key=lambda name: len(few[name]))
        for value, some in few[name].items():
            words = program.words.get(name, ())
            parts[f"{kind} {words[value] if value < len(words) else value}"] = frozenset(some)
    return parts


def _owned_words(program: Program) -> Mapping[str, Counter]:
    """Return the counters that tell which word of a list each seat plays, by the list."""
    return {
        str(counter.type.detail): counter
        for counter in program.layout.counters
        if counter.of == "seat" and counter.type.base == "word" and not counter.by and not counter.type.many
    }


@record
class _Board:
    """Zones of a board on which pieces of the words lie that seats play. first: cell of the first zone; spaces: number
    of them; own: counter with the word of a seat; attributes: of each piece, that word, or -1."""

    name: str
    first: int
    spaces: int
    own: Counter
    attributes: tuple[int, ...]

    @property
    def everything(self) -> tuple[int, ...]:
        """Table of all spaces."""
        return tuple(range(self.spaces))


def _on_boards(program: Program) -> Iterator[Feature]:
    """Yield for each board how many pieces on it are a seat's, how many lie in its largest group, and in how many
    regions it has more than any other."""
    boards: dict[str, list[StateZone]] = {}
    for zone in program.layout.zones:
        if zone.of not in ("", "seat"):
            boards.setdefault(zone.name, []).append(zone)
    types = [program.types[type_] for type_ in program.type_of]
    for name, zones in boards.items():
        first = zones[0].address
        if [zone.address for zone in zones] != list(range(first, first + len(zones))):
            continue
        for word, counter in _owned_words(program).items():
            attributes = tuple(type_.attributes.get(word, -1) for type_ in types)
            if any(of >= 0 and type_.kind in zones[0].holds for of, type_ in zip(attributes, types, strict=True)):
                board = _Board(f"{name} {word}", first, len(zones), counter, attributes)
                yield Feature(board.name, (*_own_pieces(board), ("length", 1, 3)), (board.everything, attributes))
                yield from _groups(program, board)
                yield from _regions(program, board, zones[0].of)


def _own_pieces(board: _Board) -> tuple[Instruction, ...]:
    """Return code that makes vector 3 of a seat's pieces on a board."""
    return (
        ("load", 2, board.own.address, SEAT),
        ("fixed", 1, 0),
        ("gather", 2, 1, board.first),
        ("select", 3, 2, 1, register_value(2)),
    )


def _groups(program: Program, board: _Board) -> Iterator[Feature]:
    """Yield how large a seat's largest group of neighbours is, if the rules know neighbours on this board."""
    width, rows = next(neighbours_of(program, board.spaces), (0, 0))
    if not width:
        return
    space_of = tuple(max(-1, cell - board.first) for cell in range(board.first + board.spaces))
    code: tuple[Instruction, ...] = (
        *_own_pieces(board),
        ("lying", 4, 3, 2, program.layout.piece_zones),
        ("vector", 7),
        ("for", 3, 4),
        ("one", 5, register_value(3)),
        ("reached", 6, 5, 4, 3, width),
        ("length", 4, 6),
        ("push", 7, register_value(4)),
        ("end",),
        ("greatest", 1, 7),
    )
    tables = (board.everything, board.attributes, space_of, program.tables[rows])
    yield Feature(f"{board.name} group", code, tables)


def neighbours_of(program: Program, spaces: int) -> Iterator[tuple[int, int]]:
    """Yield how many neighbours a space of a board with so many spaces has at most, and the number of the table with a
    row of them for each, padded with -1; nothing where the rules go by no connected spaces there."""
    for instruction in program.code:
        if instruction[0] == "reached":
            table, width = int(instruction[4]), int(instruction[5])
            if len(program.tables[table]) - 1 == width * spaces:
                yield width, table


def _regions(program: Program, board: _Board, spaces: str) -> Iterator[Feature]:
    """Yield in how many regions a seat has more than any other, by the attribute that parts the board most."""
    regions = next((map_.regions for map_ in program.maps if map_.spaces == spaces), ())
    by_name: dict[str, dict[str, list[int]]] = {}
    for place, attributes in enumerate(regions):
        for name, region in attributes.items():
            by_name.setdefault(name, {}).setdefault(region, []).append(place)
    parts = {name: of for name, of in by_name.items() if 2 <= len(of) <= MAX_REGIONS}
    if not parts:
        return
    name = max(parts, key=lambda name: len(parts[name]))
    seats = range(program.layout.seats)
    code: list[Instruction] = [("load", 2, board.own.address, SEAT), ("copy", 1, constant(0))]
    for seat in seats:
        code += [("load", 10 + 2 * seat, board.own.address, constant(seat))]
        code += [("unequal", 11 + 2 * seat, SEAT, constant(seat))]
    for number in range(len(parts[name])):
        code += [("fixed", 1, 1 + number), ("gather", 2, 1, board.first), ("vector", 3), ("push", 3, constant(0))]
        for seat in seats:
            code += [("count_of", 3, 2, 0, register_value(10 + 2 * seat))]
            code += [("multiply", 4, register_value(3), register_value(11 + 2 * seat)), ("push", 3, register_value(4))]
        code += [("count_of", 3, 2, 0, register_value(2)), ("greatest", 4, 3)]
        code += [("less", 5, register_value(4), register_value(3)), ("add", 1, register_value(1), register_value(5))]
    yield Feature(f"{board.name} {name}", tuple(code), (board.attributes, *map(tuple, parts[name].values())))
