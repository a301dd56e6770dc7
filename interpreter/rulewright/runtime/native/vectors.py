"""Analysis of where vectors lie and how large they grow.

A vector of its own needs room in memory. One that is read from the state, or is part of another, is not copied as long
as nothing changes its source while it is needed. The makers of a vector give a bound for its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from rulewright.program.blocks import Nest, Node
from rulewright.program.instructions import MOVING, OPERANDS, Instruction, is_constant, number_in, operands_of
from rulewright.program.state_layout import NOTHING, Layout

UNPROVEN = 4096
"""Capacity of a vector without a proven bound, checked when items are pushed."""

NestPath = tuple[int, ...]
"""Nests around an instruction, the outermost first."""
VectorName = int
"""Number of a vector; below 0 for what a `for` goes over."""


@dataclass
class _VectorUse:
    """Places where a vector is made, changed and used: positions in the code, with the nests around them."""

    makers: list[tuple[int, NestPath, Instruction]] = field(default_factory=list)
    changes: list[tuple[int, NestPath, Instruction]] = field(default_factory=list)
    uses: list[tuple[int, NestPath]] = field(default_factory=list)


@dataclass
class _Roots:
    """Sources of a vector that is not copied: sets (cell and index of a `read`), and vectors with rooms."""

    sets: set[tuple[int, int]] = field(default_factory=set)
    rooms: set[VectorName] = field(default_factory=set)


class Unbounded(Exception):
    """Error: native code cannot hold the program, because a vector may grow with every round of a loop."""


class TooLong(Unbounded):
    """Error: the rules are so long that native code would need too much memory, or too many locals in a function."""


class Vectors:
    """Vectors of one stretch of code. unproven: those whose bound is not proven or reaches UNPROVEN; their size is
    checked in play. Raises Unbounded."""

    def __init__(self, body: Sequence[Node], layout: Layout, tables: Sequence[Sequence[int]]) -> None:
        self._layout, self._tables = layout, tables
        self._zones_end = max((space.address for space in layout.zones), default=0)
        self._largest_set = max(layout.sets.values(), default=0)
        self._vectors: dict[VectorName, _VectorUse] = {}
        self._nests: dict[int, tuple[int, int, bool, bool]] = {}  # begin, end, whether it loops, without a known end
        self._writing: list[tuple[int, NestPath, Instruction]] = []  # what changes sets
        self._position = 0
        self._firsts: dict[int, set[int]] = {}  # what is added to something in a register, or -1 for anything else
        self._rooms_of = {
            min(space.address for space in same): max(layout.sets[space.address] for space in same)
            for _, zones in groupby(layout.zones, lambda space: space.name)
            if (same := list(zones))
        }
        self._note_all(body, ())
        self._roots: dict[VectorName, _Roots | None] = {}
        for name, vector in sorted(self._vectors.items(), key=lambda item: _first_position(item[1])):
            self._roots[name] = self._find_roots(vector)
        self.unproven: set[VectorName] = set()
        self._capacities = self._prove_bounds()

    def is_copied(self, name: VectorName) -> bool:
        """Return whether a vector that is part of something else is copied when it is made."""
        return self._roots.get(name) is None

    def capacity(self, name: VectorName) -> int:
        """Return the most items a vector can have; for an `unproven` one the most that the check in play allows."""
        return self._capacities.get(name, 0)

    def is_made_once(self, name: VectorName) -> bool:
        """Return whether a vector has one maker and no changes."""
        return len(self._vectors[name].makers) == 1 and not self._vectors[name].changes

    def is_used_once(self, name: VectorName) -> bool:
        """Return whether a vector has one maker, no changes and one use."""
        return self.is_made_once(name) and len(self._vectors[name].uses) == 1

    def is_pushed_once(self, name: VectorName) -> bool:
        """Return whether a vector begins empty, gets one item, and is used once."""
        vector = self._vectors[name]
        makers = [maker[0] for _, _, maker in vector.makers]
        changed = [change[0] for _, _, change in vector.changes]
        return makers == ["vector"] and changed == ["push"] and len(vector.uses) == 1 and self.capacity(name) == 1

    def names(self) -> Iterator[VectorName]:
        """Yield the vectors, including those that loops go over."""
        yield from self._vectors

    # ── where they stand ──

    def _note_all(self, nodes: Sequence[Node], path: NestPath) -> None:
        """Note every instruction, loop and branch with the nests around it."""
        for node in nodes:
            if not isinstance(node, Nest):
                self._note_instruction(node, path)
                continue
            self._note_instruction(node.opening, path)
            begin, number = self._position, self._position
            for inside in (node.body, node.other):
                self._note_all(inside, (*path, 2 * number + (inside is node.other and bool(node.other))))
            self._position += 1
            if node.opening[0] == "for":
                self._uses_of(loop_name(number)).uses.append((self._position, path))
            for half in (2 * number, 2 * number + 1):
                self._nests[half] = begin, self._position, node.loops, node.opening[0] == "loop"

    def _uses_of(self, name: VectorName) -> _VectorUse:
        """Return the record of where a vector is made, changed and used; a new one at its first mention."""
        return self._vectors.setdefault(name, _VectorUse())

    def _note_instruction(self, instruction: Instruction, path: NestPath) -> None:
        """Note the vectors that an instruction makes, changes and uses, and the first values of registers."""
        self._position += 1
        position, operation = self._position, str(instruction[0])
        if operation in MOVING or operation == "keep":
            self._writing.append((position, path, instruction))
        letters = OPERANDS[operation]
        if letters.startswith("d"):
            added = next((number_in(int(operand)) for operand in instruction[2:] if is_constant(int(operand))), NOTHING)
            self._firsts.setdefault(int(instruction[1]), set()).add(added if operation == "add" else NOTHING)
        for place, (kind, operand) in enumerate(operands_of(instruction)):
            if kind == "V":
                vector = self._uses_of(operand)
                if letters.startswith("N", place):
                    vector.makers.append((position, path, instruction))
                elif letters.startswith("C", place):
                    vector.changes.append((position, path, instruction))
                else:
                    vector.uses.append((position, path))
        if operation == "for":
            maker = ("as_tuple", loop_name(position), int(instruction[2]))
            self._uses_of(loop_name(position)).makers.append((position, path, maker))

    # ── parts of something else ──

    def _find_roots(self, vector: _VectorUse) -> _Roots | None:
        """Return the roots of a vector that need not be copied; else None."""
        if vector.changes or not vector.makers:
            return None
        roots = _Roots()
        for _, _, maker in vector.makers:
            match maker:
                case ("read", _, int(cell), int(index)):
                    roots.sets.add((cell, index))
                case ("as_tuple" | "front" | "slice", _, int(source), *_):
                    if source not in self._roots:
                        return None
                    others = self._roots[source]
                    if others is None:
                        roots.rooms.add(source)
                    else:
                        roots.sets |= others.sets
                        roots.rooms |= others.rooms | {source}
        begin, end, again = self._lifetime(vector)
        for name in roots.rooms:
            other = self._vectors[name]
            if any(begin < position <= end for position, _, _ in (*other.makers, *other.changes)):
                return None
        for position, path, instruction in self._writing:
            if not begin < position <= end or not any(self._may_change(instruction, *read) for read in roots.sets):
                continue
            if again or any(position <= used and not _are_exclusive(path, where) for used, where in vector.uses):
                return None
        return roots

    def _lifetime(self, vector: _VectorUse) -> tuple[int, int, bool]:
        """Return the first and the last position at which a vector is needed, and whether that spans rounds of a loop.
        A loop counts as a whole, unless each round makes the vector anew before using it."""
        places = sorted(
            [(position, path) for position, path, _ in (*vector.makers, *vector.changes)] + vector.uses,
            key=lambda place: place[0],
        )
        begin, end = places[0][0], places[-1][0]
        first, again = places[0][1], False
        anew = places[0][0] == vector.makers[0][0] and all(path[: len(first)] == first for _, path in places)
        for _, path in places:
            for number in path:
                opened, closed, loops, _ = self._nests[number]
                if loops and not (anew and number in first):
                    begin, end, again = min(begin, opened), max(end, closed), True
        return begin, end, again

    def _may_change(self, instruction: Instruction, cell: int, index: int) -> bool:
        """Return whether an instruction may change a set read from a cell."""
        if instruction[0] in MOVING:
            return cell <= self._zones_end
        other, place = int(instruction[2]), int(instruction[3])
        if cell <= self._zones_end or other <= self._zones_end:
            return False  # nothing is kept in zones
        if is_constant(index) and is_constant(place):
            return cell + number_in(index) == other + number_in(place)
        if is_constant(place):
            return other >= cell
        return cell >= other or not is_constant(index)

    # ── how large ──

    def _prove_bounds(self) -> dict[VectorName, int]:
        """Return a bound for the size of each vector. Raises Unbounded if repeated rounds give no end."""
        bounds = dict.fromkeys(self._vectors, 0)
        for _ in range(len(bounds) + 2):
            before = dict(bounds)
            for name, vector in self._vectors.items():
                bounds[name] = self._bound_of(name, vector, bounds)
            if bounds == before:
                return bounds
        raise Unbounded

    def _bound_of(self, name: VectorName, vector: _VectorUse, known: dict[VectorName, int]) -> int:
        """Return a bound for one vector's size by those known. A vector that is added to is put among the `unproven` if
        the bound reaches UNPROVEN, which is then its bound."""
        size = max((self._max_items(maker, known) for _, _, maker in vector.makers), default=0)
        made_in = min(vector.makers, key=lambda maker: maker[0])[1] if vector.makers else ()
        for _, path, change in vector.changes:
            if change[0] not in ("push", "append"):
                continue
            times = 1 if change[0] == "push" else known[int(change[2])]
            for number in path:
                _, _, loops, endless = self._nests[number]
                if loops and number not in made_in:
                    times *= UNPROVEN if endless else known[loop_name(_nest_position(number))]
            size += times
        if size >= UNPROVEN and vector.changes:
            self.unproven.add(name)
            size = UNPROVEN
        return size

    def _zone_capacity(self, register: int) -> int:
        """Return the most pieces that a zone can hold whose cell is in a register, as first zone of a name plus
        owner."""
        firsts = self._firsts.get(register, set())
        if not firsts or not firsts <= self._rooms_of.keys():
            return self._largest_set
        return max(self._rooms_of[first] for first in firsts)

    def _max_items(self, maker: Instruction, known: dict[VectorName, int]) -> int:
        """Return the most items that an instruction makes: of one that is not named here, as many as its first source
        has. known: bounds of the other vectors so far."""
        operation = maker[0]
        sources = [known[operand] for kind, operand in operands_of(maker)[1:] if kind == "V"]
        match maker:
            case ("vector", *_):
                return 0
            case ("one", *_):
                return 1
            case ("fixed", _, int(table)):
                return len(self._tables[table])
            case ("row", _, _, _, int(width)) | ("numbers", _, _, _, int(width)):
                return width
            case ("stretch", _, int(table), *_):
                begins = self._tables[table][: self._tables[table][0]]
                return max((end - begin for begin, end in pairwise(begins)), default=0)
            case ("read", _, int(cell), int(index)) if is_constant(index):
                return self._layout.sets[cell + number_in(index)]
            case ("read", _, 0, int(index)):
                return self._zone_capacity(number_in(index))
            case ("read", *_):
                return self._largest_set
            case ("gather", *_):
                return sources[0] * self._largest_set
            case ("beside", _, _, _, int(width)):
                return sources[0] * width
            case ("join" | "unite", *_):
                return sum(sources)
            case ("reached", *_):
                return sources[1]
            case ("rank", int(items), *_):
                return known[items]
        assert OPERANDS[str(operation)].startswith("NV"), maker
        return sources[0]


def loop_name(number: int) -> VectorName:
    """Return the name of the vector that the `for` at a position goes over."""
    return -number - 1


def _nest_position(half: int) -> int:
    """Return the position of a nest from one of its halves, as paths hold them."""
    return half >> 1


def _are_exclusive(one: NestPath, other: NestPath) -> bool:
    """Return whether two places are in opposite halves of one branch."""
    return any(half ^ 1 in other for half in one)


def _first_position(vector: _VectorUse) -> int:
    """Return the position in the code at which a vector appears first."""
    return min(
        [position for position, *_ in (*vector.makers, *vector.changes)] + [position for position, _ in vector.uses]
    )
