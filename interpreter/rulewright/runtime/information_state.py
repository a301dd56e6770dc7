"""What a seat knows of a state, and the states that it may therefore be in: all from the zones' visibility.

state ──sight──▶ what the seat knows ──world──▶ a state that looks the same to it, the rest left to chance
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random

from rulewright.program.form import (
    ANSWERS,
    BEGINNING,
    FUEL,
    ME,
    NOTHING,
    PC,
    RANDOM,
    RANDOM_CELLS,
    Layout,
    Program,
    Sealed,
)
from rulewright.runtime.machine import Machine
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS
from rulewright.runtime.state import State, StateError, clone
from rulewright.runtime.view import sees

HIDDEN = -1  # instead of a piece in a zone, and of the zone that it lies in


def sight(machine: Machine, s: State, seat: int) -> State:
    """The state at a decision as far as a seat may know it.

    Of zones that it does not see only the sizes are left: HIDDEN stands for each piece in them, which shows its first
    face and has its counters as they begin. The random generator, how many answers there have been, what others answer
    in an open `at once` and how far they have got there, and all answers to those that are over, are as they begin. A
    hidden piece that an answer or a name stands for is a number below HIDDEN, the same for the same piece, that `world`
    understands.
    """
    program, layout = machine.program, machine.program.layout
    known = clone(s)
    known[ME], known[FUEL] = seat, FUEL_BETWEEN_DECISIONS
    known[RANDOM : RANDOM + RANDOM_CELLS] = [0] * RANDOM_CELLS
    known[ANSWERS] = 0
    for number, sealed in enumerate(program.sealed):
        _forget_answers(layout, known, number, sealed, seat if s[PC] == sealed.block else None)
    hidden = {space.address for space in layout.spaces if not sees(space, seat)}
    _blank_pieces(layout, known, s, hidden)
    mine = _own_memory(layout, known, s, seat)
    for address in hidden:
        known[address] = tuple(piece if piece in mine else HIDDEN for piece in s[address])
        if loose := [piece for piece in s[address] if piece in mine and known[layout.loose + piece]]:
            known[address] = _without_places(program, s, known[address], loose)
    for piece in range(layout.pieces):
        if s[layout.at + piece] in hidden and piece not in mine:
            known[layout.at + piece] = HIDDEN
            if piece in layout.faces:
                known[layout.faces[piece].cell] = layout.faces[piece].first
            for mark, start in layout.marked.get(piece, ()):
                known[mark.address + piece] = start
    return known


def is_known(machine: Machine, s: State, seat: int, cells: Collection[int]) -> bool:
    """Whether a seat knows what is in all of these cells at a decision, as `sight` has it."""
    layout = machine.program.layout
    pieces, plain = range(layout.at, layout.at + layout.pieces), layout.open
    if all(cell in plain or (cell in pieces and s[cell] in plain) for cell in cells):
        return True  # found much sooner
    known = sight(machine, s, seat)
    return all(s[cell] == known[cell] for cell in cells)


def _own_memory(layout: Layout, known: State, s: State, seat: int) -> frozenset[int]:
    """The pieces that a seat knows without seeing them, or remembers; of what the others know, nothing is left."""
    if layout.memory < 0:
        return frozenset()
    for cell in range(layout.memory, layout.memory + layout.pieces):
        known[cell] = s[cell] & 1 << seat
    for cell in range(layout.loose, layout.loose + layout.pieces):
        known[cell] = s[cell] & 1 << seat
    known[layout.shown], known[layout.shown + 1] = (), 0
    return frozenset(piece for piece in range(layout.pieces) if known[layout.memory + piece])


def _without_places(program: Program, s: State, there: Sequence[int], loose: Collection[int]) -> tuple[int, ...]:
    """What lies in a zone, where a seat has lost the places of some pieces: these come behind what is hidden, by how
    they look, in the places that it does not know."""
    hidden = sum(piece in loose or piece < 0 for piece in there) - len(loose)
    rest = iter([HIDDEN] * hidden + sorted(loose, key=lambda piece: (program.look(s, piece), piece)))
    return tuple(next(rest) if piece in loose or piece < 0 else piece for piece in there)


def _forget_answers(layout: Layout, known: State, number: int, sealed: Sealed, seat: int | None) -> None:
    """An `at once` as it begins, but for one seat, if it is open."""
    for other in range(layout.seats):
        if other != seat:
            known[sealed.next_block + other] = 0 if seat is None else BEGINNING
            known[sealed.ask_block + other] = known[sealed.parked_block + other] = 0
            for note in layout.notes:
                if note.sealed == number:
                    known[note.address + other] = () if note.type.many else 0


def _blank_pieces(layout: Layout, known: State, s: State, hidden: set[int]) -> None:
    """Numbers instead of the hidden pieces in notes: for the first, second … of a zone that is mentioned."""
    mentioned: dict[int, dict[int, int]] = {address: {} for address in hidden}

    def blanked(piece: int) -> int:
        address = s[layout.at + piece] if piece >= 0 else NOTHING
        if address not in hidden:
            return piece
        number = mentioned[address].setdefault(piece, len(mentioned[address]))
        return HIDDEN - 1 - (address * layout.pieces + number)

    for cell, many in notes_of_pieces(layout):
        known[cell] = tuple(map(blanked, known[cell])) if many else blanked(known[cell])


def notes_of_pieces(layout: Layout) -> Iterator[tuple[int, bool]]:
    """The cells of notes that hold pieces, and whether as sets."""
    for note in layout.notes:
        if note.type.base == "piece":
            for seat in range(layout.seats if note.sealed >= 0 else 1):
                yield note.address + seat, note.type.many


def world(machine: Machine, known: State, seat: int, rng: Random) -> State:
    """A state that agrees with what a seat knows, as `sight` gives it; see Worlds."""
    return Worlds(machine, known, seat).draw(rng)


class Worlds:
    """States that agree with what a seat knows, as `sight` gives it.

    Pieces that the seat does not see are dealt to the zones that it does not see: to each as many as lie there, of
    kinds that it may hold. Pieces of one type are numbered as they come, so that equal views give equal worlds. Raises
    StateError for what no state agrees with.
    """

    def __init__(self, machine: Machine, known: State, seat: int) -> None:
        program, layout = machine.program, machine.program.layout
        self._machine, self._layout = machine, layout
        self._base, left = _renumbered(program, known)
        unseen = [space for space in layout.spaces if not sees(space, seat)]
        self._loose = self._unplaced([space.address for space in unseen]) if layout.memory >= 0 else {}
        zones = [space for space in unseen if HIDDEN in self._base[space.address]]  # an empty one is nobody's home
        self._zones = [(space.address, self._base[space.address].count(HIDDEN)) for space in zones]
        self._at_once = known[PC] in {sealed.block for sealed in program.sealed}
        kinds = sorted({program.types[program.type_of[piece]].kind for piece in left})
        homes = {kind: tuple(n for n, space in enumerate(zones) if kind in space.holds) for kind in kinds}
        groups = sorted(set(homes.values()))
        self._pieces: list[list[int]] = [
            [piece for piece in left if homes[program.types[program.type_of[piece]].kind] == group] for group in groups
        ]
        self._mixing = Mixing([size for _, size in self._zones], groups, [len(some) for some in self._pieces])
        self._faces = [layout.faces[piece] for piece in left if piece in layout.faces]
        self._mentions = [
            (cell, many)
            for cell, many in notes_of_pieces(layout)
            if any(item < HIDDEN for item in (self._base[cell] if many else (self._base[cell],)))
        ]

    def _unplaced(self, zones: Sequence[int]) -> dict[int, list[int]]:
        """Of the zones in which the seat has lost the places of pieces: the places that it does not know."""
        base, loose = self._base, self._layout.loose
        found = {}
        for address in zones:
            there = base[address]
            if any(piece >= 0 and base[loose + piece] for piece in there):
                found[address] = [n for n, piece in enumerate(there) if piece < 0 or base[loose + piece]]
        return found

    def draw(self, rng: Random) -> State:
        """One such state, ready to be run from; of `rng` only `random()` is called. Raises RuleError."""
        s, layout = clone(self._base), self._layout
        chance = rng.random
        s[RANDOM : RANDOM + RANDOM_CELLS] = [*(int(chance() * 2**32) for _ in range(RANDOM_CELLS - 1)), 1]
        for some in self._pieces:
            _shuffle(some, rng)
        nexts = [iter(some) for some in self._pieces]
        groups = iter(self._mixing.mixed(rng))
        for address, size in self._zones:
            dealt = [next(nexts[next(groups)]) for _ in range(size)]
            for piece in dealt:
                s[layout.at + piece] = address
            there = s[address]
            s[address] = tuple(dealt) if size == len(there) else _filled(there, dealt)
        for address, places in self._loose.items():
            mixed = [s[address][place] for place in places]
            _shuffle(mixed, rng)
            there = list(s[address])
            for place, piece in zip(places, mixed, strict=True):
                there[place] = piece
            s[address] = tuple(there)
        for face in self._faces:
            s[face.cell] = face.first + int(chance() * (face.last - face.first + 1))
        if self._mentions:
            self._name_pieces(s, rng)
        if self._at_once:
            self._machine.run(s)  # the others come to what they are asked
        return s

    def _name_pieces(self, s: State, rng: Random) -> None:
        """Some piece of the right zone for each hidden one that a note stands for."""
        mentioned: dict[int, list[int]] = {}

        def named(item: int) -> int:
            if item >= HIDDEN:
                return item
            address, number = divmod(HIDDEN - 1 - item, self._layout.pieces)
            if address not in mentioned:
                mentioned[address] = list(s[address])
                _shuffle(mentioned[address], rng)
            return mentioned[address][number]

        for cell, many in self._mentions:
            s[cell] = tuple(map(named, s[cell])) if many else named(s[cell])


def _filled(there: Sequence[int], dealt: Sequence[int]) -> tuple[int, ...]:
    """What lies in a zone, with pieces in the places of those that are hidden."""
    nexts = iter(dealt)
    return tuple(piece if piece >= 0 else next(nexts) for piece in there)


def _renumbered(program: Program, known: State) -> tuple[State, list[int]]:
    """The same with the pieces of each type numbered as they come, zone by zone; and those that come nowhere."""
    layout = program.layout
    spare: dict[int, deque[int]] = {}
    for piece, type_ in enumerate(program.type_of):
        spare.setdefault(type_, deque()).append(piece)
    s = clone(known)
    numbers: dict[int, int] = {}
    marks, loose = [0] * layout.pieces, [0] * layout.pieces
    for space in layout.spaces:
        for piece in known[space.address]:
            if piece >= 0:
                new = numbers[piece] = spare[program.type_of[piece]].popleft()
                s[layout.at + new] = space.address
                if layout.memory >= 0:
                    marks[new] = known[layout.memory + piece]
                    loose[new] = known[layout.loose + piece]
                if new in layout.faces:
                    s[layout.faces[new].cell] = known[layout.faces[piece].cell]
                for mark, _ in layout.marked.get(new, ()):
                    s[mark.address + new] = known[mark.address + piece]
        s[space.address] = tuple(numbers.get(piece, piece) for piece in known[space.address])
    if layout.memory >= 0:
        s[layout.memory : layout.memory + layout.pieces] = marks
        s[layout.loose : layout.loose + layout.pieces] = loose
    for cell, many in notes_of_pieces(layout):
        old = known[cell]
        s[cell] = tuple(numbers.get(piece, piece) for piece in old) if many else numbers.get(old, old)
    left = sorted(piece for pieces in spare.values() for piece in pieces)
    for piece in left:
        for mark, start in layout.marked.get(piece, ()):
            s[mark.address + piece] = start
    return s, left


def _shuffle(items: list[int], rng: Random) -> None:
    """In place, by Fisher and Yates; `random.shuffle` may differ between versions of Python."""
    chance = rng.random
    for last in range(len(items) - 1, 0, -1):
        other = int(chance() * (last + 1))
        items[last], items[other] = items[other], items[last]


class Mixing:
    """Which places of some zones are for which groups of pieces, where not every group may lie in every zone.

    sizes: of the zones; homes: for each group, the zones that it may lie in; counts: of its pieces. All ways to lay
    them out are equally likely in the long run: a Markov chain in which some pieces change places in a circle, as
    likely this way round as back (Diaconis and Sturmfels, "Algebraic algorithms for sampling from conditional
    distributions", 1998). Swaps alone do not reach all of them: three groups may each be at home in two of three
    zones. Circles of as many pieces as there are groups do. Raises StateError where there is none.
    """

    def __init__(self, sizes: Sequence[int], homes: Sequence[tuple[int, ...]], counts: Sequence[int]) -> None:
        self._zone = [zone for zone, size in enumerate(sizes) for _ in range(size)]
        self._may = [frozenset(zones) for zones in homes]
        self._groups = _laid_out(sizes, homes, counts)
        choosy = [zone for zone in range(len(sizes)) if sum(zone in may for may in self._may) > 1]
        self._open = [place for place, zone in enumerate(self._zone) if zone in choosy]
        self._places = [[place for place in self._open if self._zone[place] in may] for may in self._may]
        self._begun = False

    def mixed(self, rng: Random) -> list[int]:
        """The group of each place, zone by zone."""
        groups, zone, may, open_, chance = self._groups, self._zone, self._may, self._open, rng.random
        for _ in range((1 if self._begun else 10) * len(open_)):
            place = open_[int(chance() * len(open_))]
            places = self._places[groups[place]]
            other = places[int(chance() * len(places))]
            if len(may) > 2 and chance() < 0.5:
                self._turn([place, other], chance)
            elif zone[place] in may[groups[other]]:
                groups[place], groups[other] = groups[other], groups[place]
        self._begun = True
        return groups

    def _turn(self, circle: list[int], chance: Callable[[], float]) -> None:
        """More than two pieces, of which these are the first: each goes to the place of the next, if it may."""
        groups = self._groups
        while len(circle) < 3 or (len(circle) < len(self._may) and chance() < 0.5):
            places = self._places[groups[circle[-1]]]
            circle.append(places[int(chance() * len(places))])
        if self._zone[circle[0]] in self._may[groups[circle[-1]]] and len(set(circle)) == len(circle):
            coming = [groups[place] for place in circle]
            for place, group in zip(circle, [coming[-1], *coming[:-1]], strict=True):
                groups[place] = group


def _laid_out(sizes: Sequence[int], homes: Sequence[tuple[int, ...]], counts: Sequence[int]) -> list[int]:
    """One way to lay pieces out: the group of each place, zone by zone. Raises StateError.

    Each piece goes where there is room, or pushes another one on that goes elsewhere (augmenting paths, Ford and
    Fulkerson 1956).
    """
    lying = [[0] * len(homes) for _ in sizes]
    room = list(sizes)
    if sum(sizes) != sum(counts):
        raise StateError("What this seat knows cannot be: some pieces are nowhere.")
    for group, count in enumerate(counts):
        for _ in range(count):
            _lay_one(group, lying, room, homes)
    return [group for zone in lying for group, count in enumerate(zone) for _ in range(count)]


def _lay_one(group: int, lying: list[list[int]], room: list[int], homes: Sequence[tuple[int, ...]]) -> None:
    came: dict[int, tuple[int, int]] = {}  # zone -> the group that would come to it, and from which zone
    waiting = deque([(group, NOTHING)])
    tried: set[int] = set()
    while waiting:
        coming, origin = waiting.popleft()
        if coming in tried:
            continue
        tried.add(coming)
        for zone in homes[coming]:
            if zone in came:
                continue
            came[zone] = coming, origin
            if room[zone]:
                room[zone] -= 1
                end = zone
                while end != NOTHING:
                    coming, origin = came[end]
                    lying[end][coming] += 1
                    if origin != NOTHING:
                        lying[origin][coming] -= 1
                    end = origin
                return
            waiting.extend((other, zone) for other, count in enumerate(lying[zone]) if count)
    raise StateError("What this seat knows cannot be: some pieces can lie nowhere.")
