"""Information states (what a seat knows of a state) and determinizations, both from the zones' visibility.

state ──information_state──▶ information state ──determinize──▶ random state with the same information state
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random

from rulewright.program.form import Program, Sealed
from rulewright.program.state_layout import ANSWERS, BEGINNING, FUEL, ME, NOTHING, PC, RANDOM, RANDOM_CELLS, Layout
from rulewright.runtime.machine import Machine
from rulewright.runtime.operations import FUEL_BETWEEN_DECISIONS
from rulewright.runtime.state import State, StateError, clone
from rulewright.runtime.view import sees_zone

HIDDEN = -1
"""Number in place of a hidden piece, and of a piece's hidden zone."""


def information_state(machine: Machine, s: State, seat: int) -> State:
    """Return the information state of a seat at a decision.

    Zones hidden from it keep only their sizes: HIDDEN replaces each piece that it does not remember, which then has its
    initial face and marks.
    The random generator, the number of answers, other seats' answers and progress in an open `at once`, and all answers
    to finished ones have initial values. A hidden piece that a saved answer or name refers to is a number below HIDDEN,
    the same for the same piece, which `determinize` understands.
    """
    program, layout = machine.program, machine.program.layout
    known = clone(s)
    known[ME], known[FUEL] = seat, FUEL_BETWEEN_DECISIONS
    known[RANDOM : RANDOM + RANDOM_CELLS] = [0] * RANDOM_CELLS
    known[ANSWERS] = 0
    for number, sealed in enumerate(program.sealed):
        _forget_answers(layout, known, number, sealed, seat if s[PC] == sealed.block else None)
    hidden = {space.address for space in layout.zones if not sees_zone(space, seat)}
    _blank_pieces(layout, known, s, hidden)
    mine = _own_memory(layout, known, s, seat)
    for address in hidden:
        known[address] = tuple(piece if piece in mine else HIDDEN for piece in s[address])
        if loose := [piece for piece in s[address] if piece in mine and known[layout.lost_places + piece]]:
            known[address] = _without_places(program, s, known[address], loose)
    for piece in range(layout.pieces):
        if s[layout.piece_zones + piece] in hidden and piece not in mine:
            known[layout.piece_zones + piece] = HIDDEN
            if piece in layout.faces:
                known[layout.faces[piece].cell] = layout.faces[piece].first
            for mark, start in layout.marked.get(piece, ()):
                known[mark.address + piece] = start
    return known


def is_known(machine: Machine, s: State, seat: int, cells: Collection[int]) -> bool:
    """Return whether a seat knows the contents of all these cells at a decision, as in `information_state`, which is
    made unless all are public."""
    layout = machine.program.layout
    pieces, plain = range(layout.piece_zones, layout.piece_zones + layout.pieces), layout.public_cells
    if all(cell in plain or (cell in pieces and s[cell] in plain) for cell in cells):
        return True  # a fast path
    known = information_state(machine, s, seat)
    return all(s[cell] == known[cell] for cell in cells)


def _own_memory(layout: Layout, known: State, s: State, seat: int) -> frozenset[int]:
    """Erase from a state what other seats know, and return the pieces that a seat knows without seeing them, or
    remembers."""
    if layout.memory < 0:
        return frozenset()
    for cell in range(layout.memory, layout.memory + layout.pieces):
        known[cell] = s[cell] & 1 << seat
    for cell in range(layout.lost_places, layout.lost_places + layout.pieces):
        known[cell] = s[cell] & 1 << seat
    known[layout.shown_pieces], known[layout.shown_pieces + 1] = (), 0
    return frozenset(piece for piece in range(layout.pieces) if known[layout.memory + piece])


def _without_places(program: Program, s: State, pieces: Sequence[int], loose: Collection[int]) -> tuple[int, ...]:
    """Return a zone's pieces as a seat knows them that has lost the places of some: known places stay, and the places
    left are filled with hidden pieces, then with the loose ones, sorted by appearance."""
    hidden = sum(piece in loose or piece < 0 for piece in pieces) - len(loose)
    rest = iter([HIDDEN] * hidden + sorted(loose, key=lambda piece: (program.appearance(s, piece), piece)))
    return tuple(next(rest) if piece in loose or piece < 0 else piece for piece in pieces)


def _forget_answers(layout: Layout, known: State, number: int, sealed: Sealed, seat: int | None) -> None:
    """Reset the answers and progress of an `at once`; if it is open, one seat keeps its own."""
    for other in range(layout.seats):
        if other != seat:
            known[sealed.next_block + other] = 0 if seat is None else BEGINNING
            known[sealed.ask_block + other] = known[sealed.parked_block + other] = 0
            for note in layout.lasting_values:
                if note.sealed == number:
                    known[note.address + other] = () if note.type.many else 0


def _blank_pieces(layout: Layout, information: State, s: State, hidden: set[int]) -> None:
    """Replace hidden pieces in saved cells by numbers: the first, second … of a zone."""
    mentioned: dict[int, dict[int, int]] = {address: {} for address in hidden}

    def blanked(piece: int) -> int:
        address = s[layout.piece_zones + piece] if piece >= 0 else NOTHING
        if address not in hidden:
            return piece
        number = mentioned[address].setdefault(piece, len(mentioned[address]))
        return HIDDEN - 1 - (address * layout.pieces + number)

    for cell, many in lasting_piece_cells(layout):
        information[cell] = tuple(map(blanked, information[cell])) if many else blanked(information[cell])


def lasting_piece_cells(layout: Layout) -> Iterator[tuple[int, bool]]:
    """Yield the saved cells that hold pieces, and whether as sets."""
    for note in layout.lasting_values:
        if note.type.base == "piece":
            for seat in range(layout.seats if note.sealed >= 0 else 1):
                yield note.address + seat, note.type.many


def determinize(machine: Machine, known: State, seat: int, rng: Random) -> State:
    """Return a random state that agrees with an information state; see Determinizer."""
    return Determinizer(machine, known, seat).draw(rng)


class Determinizer:
    """Sampler of states that agree with an information state.

    Pieces hidden from the seat are dealt to the zones hidden from it: as many to each as it has, of kinds that it may
    hold. Pieces of one type are numbered in order, so that equal views give equal states. Raises StateError, when it is
    made, if no state agrees.
    """

    def __init__(self, machine: Machine, known: State, seat: int) -> None:
        program, layout = machine.program, machine.program.layout
        self._machine, self._layout = machine, layout
        self._base, left = _renumber_pieces(program, known)
        unseen = [space for space in layout.zones if not sees_zone(space, seat)]
        self._loose = self._unplaced([space.address for space in unseen]) if layout.memory >= 0 else {}
        zones = [space for space in unseen if HIDDEN in self._base[space.address]]  # an empty zone takes no pieces
        self._zones = [(space.address, self._base[space.address].count(HIDDEN)) for space in zones]
        self._at_once = known[PC] in {sealed.block for sealed in program.sealed}
        kinds = sorted({program.types[program.type_of[piece]].kind for piece in left})
        homes = {kind: tuple(n for n, space in enumerate(zones) if kind in space.holds) for kind in kinds}
        groups = sorted(set(homes.values()))
        self._pieces: list[list[int]] = [
            [piece for piece in left if homes[program.types[program.type_of[piece]].kind] == group] for group in groups
        ]
        self._arrangements = ArrangementSampler(
            [size for _, size in self._zones], groups, [len(some) for some in self._pieces]
        )
        self._faces = [layout.faces[piece] for piece in left if piece in layout.faces]
        self._mentions = [
            (cell, many)
            for cell, many in lasting_piece_cells(layout)
            if any(item < HIDDEN for item in (self._base[cell] if many else (self._base[cell],)))
        ]

    def _unplaced(self, zones: Sequence[int]) -> dict[int, list[int]]:
        """Return the zones in which the seat has lost places of pieces, with the places unknown to it."""
        base, loose = self._base, self._layout.lost_places
        result = {}
        for address in zones:
            pieces = base[address]
            if any(piece >= 0 and base[loose + piece] for piece in pieces):
                result[address] = [n for n, piece in enumerate(pieces) if piece < 0 or base[loose + piece]]
        return result

    def draw(self, rng: Random) -> State:
        """Draw a state, ready to run; of `rng` only `random()` is called. In an open `at once` the others are
        brought to their questions first, which may raise RuleError."""
        s, layout = clone(self._base), self._layout
        chance = rng.random
        s[RANDOM : RANDOM + RANDOM_CELLS] = [*(int(chance() * 2**32) for _ in range(RANDOM_CELLS - 1)), 1]
        for some in self._pieces:
            _shuffle(some, rng)
        nexts = [iter(some) for some in self._pieces]
        groups = iter(self._arrangements.sample(rng))
        for address, size in self._zones:
            dealt = [next(nexts[next(groups)]) for _ in range(size)]
            for piece in dealt:
                s[layout.piece_zones + piece] = address
            pieces = s[address]
            s[address] = tuple(dealt) if size == len(pieces) else _fill_hidden_places(pieces, dealt)
        for address, places in self._loose.items():
            mixed = [s[address][place] for place in places]
            _shuffle(mixed, rng)
            pieces = list(s[address])
            for place, piece in zip(places, mixed, strict=True):
                pieces[place] = piece
            s[address] = tuple(pieces)
        for face in self._faces:
            s[face.cell] = face.first + int(chance() * (face.last - face.first + 1))
        if self._mentions:
            self._name_pieces(s, rng)
        if self._at_once:
            self._machine.run(s)  # the other seats reach their questions
        return s

    def _name_pieces(self, s: State, rng: Random) -> None:
        """Choose a piece of the right zone for each hidden one in a saved cell."""
        mentioned: dict[int, list[int]] = {}

        def choose_piece(item: int) -> int:
            if item >= HIDDEN:
                return item
            address, number = divmod(HIDDEN - 1 - item, self._layout.pieces)
            if address not in mentioned:
                mentioned[address] = list(s[address])
                _shuffle(mentioned[address], rng)
            return mentioned[address][number]

        for cell, many in self._mentions:
            s[cell] = tuple(map(choose_piece, s[cell])) if many else choose_piece(s[cell])


def _fill_hidden_places(pieces: Sequence[int], dealt: Sequence[int]) -> tuple[int, ...]:
    """Put pieces in the hidden places of a zone."""
    nexts = iter(dealt)
    return tuple(piece if piece >= 0 else next(nexts) for piece in pieces)


def _renumber_pieces(program: Program, known: State) -> tuple[State, list[int]]:
    """Return a copy of a state in which the pieces of each type are numbered in order, zone by zone, and the pieces
    that are in no zone."""
    layout = program.layout
    spare: dict[int, deque[int]] = {}
    for piece, type_ in enumerate(program.type_of):
        spare.setdefault(type_, deque()).append(piece)
    s = clone(known)
    numbers: dict[int, int] = {}
    marks, loose = [0] * layout.pieces, [0] * layout.pieces
    for space in layout.zones:
        for piece in known[space.address]:
            if piece >= 0:
                new = numbers[piece] = spare[program.type_of[piece]].popleft()
                s[layout.piece_zones + new] = space.address
                if layout.memory >= 0:
                    marks[new] = known[layout.memory + piece]
                    loose[new] = known[layout.lost_places + piece]
                if new in layout.faces:
                    s[layout.faces[new].cell] = known[layout.faces[piece].cell]
                for mark, _ in layout.marked.get(new, ()):
                    s[mark.address + new] = known[mark.address + piece]
        s[space.address] = tuple(numbers.get(piece, piece) for piece in known[space.address])
    if layout.memory >= 0:
        s[layout.memory : layout.memory + layout.pieces] = marks
        s[layout.lost_places : layout.lost_places + layout.pieces] = loose
    for cell, many in lasting_piece_cells(layout):
        old = known[cell]
        s[cell] = tuple(numbers.get(piece, piece) for piece in old) if many else numbers.get(old, old)
    left = sorted(piece for pieces in spare.values() for piece in pieces)
    for piece in left:
        for mark, start in layout.marked.get(piece, ()):
            s[mark.address + piece] = start
    return s, left


def _shuffle(items: list[int], rng: Random) -> None:
    """Shuffle in place, by Fisher and Yates; `random.shuffle` may differ between versions of Python."""
    chance = rng.random
    for last in range(len(items) - 1, 0, -1):
        other = int(chance() * (last + 1))
        items[last], items[other] = items[other], items[last]


class ArrangementSampler:
    """Sampler of places in zones for groups of pieces, where not every group is allowed in every zone.

    sizes: of the zones; homes: for each group, its allowed zones; counts: of its pieces. All arrangements are equally
    likely in the long run: a Markov chain in which some pieces change places in a circle, equally likely in both
    directions (Diaconis and Sturmfels, "Algebraic algorithms for sampling from conditional distributions", 1998). Swaps
    alone do not reach all arrangements: three groups may each be allowed in two of three zones. Circles of as many
    pieces as there are groups do. Raises StateError if there is no arrangement.
    """

    def __init__(self, sizes: Sequence[int], homes: Sequence[tuple[int, ...]], counts: Sequence[int]) -> None:
        self._zone = [zone for zone, size in enumerate(sizes) for _ in range(size)]
        self._may = [frozenset(zones) for zones in homes]
        self._groups = _any_arrangement(sizes, homes, counts)
        choosy = [zone for zone in range(len(sizes)) if sum(zone in may for may in self._may) > 1]
        self._open = [place for place, zone in enumerate(self._zone) if zone in choosy]
        self._places = [[place for place in self._open if self._zone[place] in may] for may in self._may]
        self._is_mixed = False

    def sample(self, rng: Random) -> list[int]:
        """Return the group of each place, zone by zone: its own list, which the next sample changes."""
        groups, zone, may, open_, chance = self._groups, self._zone, self._may, self._open, rng.random
        for _ in range((1 if self._is_mixed else 10) * len(open_)):
            place = open_[int(chance() * len(open_))]
            places = self._places[groups[place]]
            other = places[int(chance() * len(places))]
            if len(may) > 2 and chance() < 0.5:
                self._turn([place, other], chance)
            elif zone[place] in may[groups[other]]:
                groups[place], groups[other] = groups[other], groups[place]
        self._is_mixed = True
        return groups

    def _turn(self, circle: list[int], chance: Callable[[], float]) -> None:
        """Rotate a random circle of pieces that begins with these: each moves to the place of the next, if all are
        allowed there."""
        groups = self._groups
        while len(circle) < 3 or (len(circle) < len(self._may) and chance() < 0.5):
            places = self._places[groups[circle[-1]]]
            circle.append(places[int(chance() * len(places))])
        if self._zone[circle[0]] in self._may[groups[circle[-1]]] and len(set(circle)) == len(circle):
            coming = [groups[place] for place in circle]
            for place, group in zip(circle, [coming[-1], *coming[:-1]], strict=True):
                groups[place] = group


def _any_arrangement(sizes: Sequence[int], homes: Sequence[tuple[int, ...]], counts: Sequence[int]) -> list[int]:
    """Return one arrangement: the group of each place, zone by zone. Raises StateError.

    Each piece goes where there is room, or displaces another one that moves on (augmenting paths, Ford and Fulkerson
    1956).
    """
    counts_by_zone = [[0] * len(homes) for _ in sizes]
    room = list(sizes)
    if sum(sizes) != sum(counts):
        raise StateError("What this seat knows cannot be: some pieces are nowhere.")
    for group, count in enumerate(counts):
        for _ in range(count):
            _place_one(group, counts_by_zone, room, homes)
    return [group for zone in counts_by_zone for group, count in enumerate(zone) for _ in range(count)]


def _place_one(group: int, counts_by_zone: list[list[int]], room: list[int], homes: Sequence[tuple[int, ...]]) -> None:
    """Put one more piece of a group into a zone; pieces in the way move on to other zones. Changes `counts_by_zone` and
    `room`. Raises StateError if there is no room."""
    came: dict[int, tuple[int, int]] = {}  # zone -> the group that would move there, and its zone before
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
                    counts_by_zone[end][coming] += 1
                    if origin != NOTHING:
                        counts_by_zone[origin][coming] -= 1
                    end = origin
                return
            waiting.extend((other, zone) for other, count in enumerate(counts_by_zone[zone]) if count)
    raise StateError("What this seat knows cannot be: some pieces can lie nowhere.")
