"""Starting positions: some pieces laid out by name, everything else as before the set-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulewright.base.diagnostics import RulewrightError, did_you_mean
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.program.appearance import appearances_by_name, type_with_marks
from rulewright.program.form import Program
from rulewright.program.state_layout import NOTHING, PC, PHASE, ROUND, Counter, StateZone
from rulewright.runtime import messages
from rulewright.runtime.machine import Machine
from rulewright.runtime.operations import MAX_NUMBER
from rulewright.runtime.state import State

TABLE = NOTHING
"""Owner of zones and counters of the table."""

Spot = tuple[str, int]
"""Zone or counter by name and owner: number of a seat or word, or TABLE."""


@record
class ZoneContent:
    """Content of a zone: exactly these pieces, bottom (oldest) first.

    on_top: the pieces lie on top of what starts there, and the first of them is drawn first; rest: the zone also takes
    (beneath them) displaced pieces of other zones.
    """

    pieces: tuple[str, ...] = ()
    on_top: bool = False
    rest: bool = False

    @property
    def exact(self) -> bool:
        """Whether the zone holds these pieces and no others."""
        return not (self.on_top or self.rest)


class PositionError(RulewrightError):
    """Impossible position. spot: its zone or counter; index: of the piece in it, if any."""

    def __init__(self, problem: Wording, *hints: Wording, spot: Spot | None = None, index: int | None = None) -> None:
        super().__init__(" ".join(map(str, (problem, *hints))))
        self.problem, self.hints = problem, hints
        self.spot, self.index = spot, index


def build(
    machine: Machine,
    seed: int,
    roles: Sequence[str | None],
    options: Mapping[str, str],
    *,
    phase: str,
    zones: Mapping[Spot, ZoneContent],
    counters: Mapping[Spot, Mapping[int, int | tuple[int, ...]]],
    round_number: int = 1,
) -> State:
    """Return the state at the beginning of a phase, without the set-up.

    roles: of each seat; options: name -> choice, defaults if missing; zones: their contents; counters: their contents,
    as cells hold them, by the number of a word for a counter with a value for each, else for 0. Pieces are taken from
    where they start, and all others stay there, unshuffled. A zone with exact contents keeps nothing else: pieces that
    start there go to the zone with `rest`.

    Raises PositionError for unknown zones, pieces, counters and phases, too few pieces, too little room and pieces left
    without a zone; ValueError for an unknown role or choice. Options of unknown names are ignored.
    """
    program = machine.program
    numbers = [NOTHING if role is None else program.roles.index(role) for role in roles]
    choices = [
        option.choices.index(options[option.name]) if option.name in options else option.default
        for option in program.options
    ]
    s = machine.new(seed, numbers, choices)
    _place_pieces(program, s, zones)
    _set_counters(program, s, counters)
    _start_phase(program, s, phase, round_number)
    return s


def _place_pieces(program: Program, s: State, zones: Mapping[Spot, ZoneContent]) -> None:
    """Put the chosen pieces into their zones, and the rest of displaced ones into the zone that takes them. Raises
    PositionError."""
    layout = program.layout
    spaces = {(space.name, space.owner): space for space in layout.zones}
    for spot in zones:
        if spot not in spaces:
            known = {name for name, owner in spaces if (owner == TABLE) == (spot[1] == TABLE)}
            raise PositionError(messages.NO_ZONE(name=spot[0]), *did_you_mean(spot[0], known), spot=spot)
    home = {space.address: spot for spot, space in spaces.items()}
    pieces_by_spot = _choose_pieces(program, s, zones)
    used = {piece for pieces in pieces_by_spot.values() for piece in pieces}
    contents: dict[Spot, list[int]] = {spot: [] for spot in spaces}
    left_over: list[int] = []
    for piece, address in enumerate(program.starts):
        spot = home[address]
        if piece not in used:
            (left_over if spot in zones and zones[spot].exact else contents[spot]).append(piece)
    if left_over:
        contents[_place_for_rest(program, zones, home, left_over)] += left_over
    for spot, space in spaces.items():
        laid = pieces_by_spot.get(spot, [])
        _fill_zone(
            s,
            layout.piece_zones,
            space,
            [*contents[spot], *(reversed(laid) if spot in zones and zones[spot].on_top else laid)],
        )


def _choose_pieces(program: Program, s: State, zones: Mapping[Spot, ZoneContent]) -> dict[Spot, list[int]]:
    """Choose distinct pieces for the names in zones, and set their faces and marks. Raises PositionError if there is no
    such piece, or none left."""
    stock: dict[int, list[int]] = {}
    for piece, candidates in enumerate(program.type_of):
        stock.setdefault(candidates, []).append(piece)
    of_face = {look: candidates for candidates in stock for look in program.possible_types(stock[candidates][0])}
    candidates_by_name = {program.types[look].name: candidates for look, candidates in of_face.items()}
    looks = appearances_by_name(program, {name for laid in zones.values() for name in laid.pieces})
    total = {candidates: len(pieces) for candidates, pieces in stock.items()}
    result: dict[Spot, list[int]] = {}
    for spot, laid in zones.items():
        result[spot] = []
        for index, name in enumerate(laid.pieces):
            if name not in looks:
                hints = did_you_mean(name, candidates_by_name)
                raise PositionError(messages.NO_PIECE(name=name), *hints, spot=spot, index=index)
            look = looks[name] % len(program.types)
            candidates = of_face[look]
            if not stock[candidates]:
                hints = did_you_mean(name, [other for other, pieces in candidates_by_name.items() if stock[pieces]])
                problem = messages.TOO_FEW_PIECES(name=name, count=total[candidates])
                raise PositionError(problem, *hints, spot=spot, index=index)
            piece = stock[candidates].pop(0)
            if (face := program.layout.faces.get(piece)) is not None:
                s[face.cell] = face.first + look - candidates
            for mark, content in type_with_marks(program, looks[name]).marks:
                s[mark.address + piece] = content
            result[spot].append(piece)
    return result


def _place_for_rest(
    program: Program, zones: Mapping[Spot, ZoneContent], home: Mapping[int, Spot], left_over: Sequence[int]
) -> Spot:
    """Return the zone that takes displaced pieces. Raises PositionError if there is none, or more than one."""
    wanting = [spot for spot, laid in zones.items() if laid.rest]
    if len(wanting) > 1:
        raise PositionError(messages.ONE_ZONE_FOR_REST(), spot=wanting[1])
    if wanting:
        return wanting[0]
    spot = home[program.starts[left_over[0]]]
    many = sum(home[program.starts[piece]] == spot for piece in left_over)
    example = program.types[program.type_of[left_over[0]]].name
    problem = messages.PIECES_LEFT(count=many, zone=spot[0], example=example)
    raise PositionError(problem, messages.SAY_WHERE(), spot=spot)


def _fill_zone(s: State, zone_cells: int, space: StateZone, pieces: Sequence[int]) -> None:
    """Put pieces into a zone of the state. Raises PositionError if they do not fit."""
    if len(pieces) > space.capacity:
        problem = messages.TOO_LITTLE_ROOM(zone=space.name, capacity=space.capacity, count=len(pieces))
        raise PositionError(problem, spot=(space.name, space.owner))
    s[space.address] = tuple(pieces)
    for piece in pieces:
        s[zone_cells + piece] = space.address


def _set_counters(program: Program, s: State, counters: Mapping[Spot, Mapping[int, int | tuple[int, ...]]]) -> None:
    """Set counters to their contents. Raises PositionError for unknown ones and impossible numbers."""
    known = {counter.name: counter for counter in program.layout.counters}
    for (name, owner), numbers in counters.items():
        counter = known.get(name)
        if counter is None or not -(not counter.of) <= owner < counter.owners:
            hints = did_you_mean(name, [other.name for other in known.values() if (other.of == "") == (owner == TABLE)])
            raise PositionError(messages.NO_COUNTER(name=name), *hints, spot=(name, owner))
        for word, number in numbers.items():
            several = number if isinstance(number, tuple) else (number,)
            most = counter.most or 1
            if counter.type.many != isinstance(number, tuple) or len(several) > most:
                problem = messages.TOO_MANY_NUMBERS(name=name, number=str(number), most=most)
                raise PositionError(problem, spot=(name, owner))
            if any(one not in _possible_contents(program, counter) for one in several):
                problem = messages.IMPOSSIBLE_NUMBER(name=name, number=str(number))
                raise PositionError(problem, spot=(name, owner))
            s[counter.cells_of(owner)[word]] = number


def _possible_contents(program: Program, counter: Counter) -> range:
    """Return the possible contents of a counter's cell."""
    if counter.type.base == "word":
        return range(NOTHING, len(program.words[str(counter.type.detail)]))
    seats = range(NOTHING, program.layout.seats)
    return {"truth": range(2), "seat": seats}.get(counter.type.base, range(-MAX_NUMBER, MAX_NUMBER + 1))


def _start_phase(program: Program, s: State, phase: str, round_number: int) -> None:
    """Set the program position, phase and round to a phase's beginning. Raises PositionError if it is unknown."""
    names = [name for name, _ in program.phases]
    if phase not in names:
        raise PositionError(messages.NO_PHASE(name=phase), *did_you_mean(phase, names))
    index = names.index(phase)
    s[PC] = program.phases[index][1]
    s[PHASE] = index
    s[ROUND] = round_number - (index == 0)  # the first phase's block increments the round
