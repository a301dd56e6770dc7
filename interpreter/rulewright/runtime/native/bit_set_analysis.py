"""Analysis of vectors that can be held as bit sets instead of lists.

A vector qualifies if it only ever holds ascending, different numbers below 128: spaces, words or the like. `bits`
generates the code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from rulewright.base.records import record
from rulewright.program.blocks import Nest, Node, flatten
from rulewright.program.form import Program
from rulewright.program.instructions import (
    CHANGING_VECTORS,
    MAKING_VECTORS,
    MOVING,
    Instruction,
    is_constant,
    number_in,
    operands_of,
)
from rulewright.program.passes.simplification import names_set_by, names_used_by
from rulewright.program.state_layout import NOTHING

MAX_ITEMS = 128
"""Bits of a set, whose items are all below this number."""
FEW = 8
"""A list is as quick as bits if all items are below this number."""
MAX_VALUES = 64
"""Limit of the values of a table whose items are looked up by value."""
MADE_AS_BITS = frozenset(["within", "filter", "select", "beside", "lying", "reached", "images"])
"""Instructions that are quicker where their vectors are bits."""


@record
class _Place:
    """Instruction with its position, the nests around it, and the lists of nodes that it stands in."""

    position: int
    nests: tuple[Nest, ...]
    lists: tuple[int, ...]
    instruction: Instruction

    @property
    def loops(self) -> list[int]:
        """Identities of the loops around it, the outermost first."""
        return [id(nest) for nest in self.nests if nest.loops]

    @property
    def loop(self) -> Nest | None:
        """Innermost loop around it, or None."""
        return next((nest for nest in reversed(self.nests) if nest.loops), None)


@record
class Vacancies:
    """Loop that only finds which zones are empty, or are not.

    - vector: the result
    - items: the loop's items
    - first: number to add to an item for the cell of its zone
    - empty: whether empty zones are wanted
    - in_row: number of items if they are 0, 1, 2 …, else 0
    - spending: block that spends fuel for each item, or None
    """

    vector: int
    items: int
    first: int
    empty: bool
    in_row: int
    spending: int | None


@record
class PiecesOnSpaces:
    """Spaces on which pieces of some value lie, found by each such piece's zone instead of by each space.

    piece_values: table with the value of each piece; value: the one that counts, as an operand; first: number to add to
    a space for the cell of its zone; possible_spaces: table of the spaces that count.
    """

    piece_values: int
    value: int
    first: int
    possible_spaces: int


class BitSets:
    """Vectors of one stretch of code that are held as bits: `all` of them, which are those that are quicker so, and
    what these are made from. by_piece: how to find the items of those that hold spaces with pieces of some value, by
    vector."""

    def __init__(self, body: Sequence[Node], program: Program) -> None:
        self._body, self._program, self._tables = body, program, program.tables
        self._makers: dict[int, list[_Place]] = {}
        self._changes: dict[int, list[_Place]] = {}
        self._uses: dict[int, list[_Place]] = {}
        self._lists: dict[int, tuple[int, ...]] = {}  # those that each nest stands in
        self._moves: list[int] = []  # positions
        self._set: dict[str, list[int]] = {}  # positions at which each register is set
        self._position = 0
        self._note_all(body, (), ())
        self._bounds = self._find_bounds()
        self.all: set[int] = set()
        waiting = [vector for vector in self._makers if self._is_quicker(vector)]
        while waiting:
            vector = waiting.pop()
            if vector not in self.all:
                self.all.add(vector)
                waiting += [source for maker in self._makers[vector] for source in self._sources(maker.instruction)]
        self.by_piece = {vector: spaces for vector in self.all if (spaces := self._find_by_piece(vector)) is not None}
        self._filled = {vector: loop for vector in self.all if (loop := self._filling_loop(vector)) is not None}

    def is_bit_set(self, vector: int) -> bool:
        """Return whether a vector is held as bits, perhaps as a list too."""
        return vector in self.all

    def makers(self, vector: int) -> list[Instruction]:
        """Return the instructions that make a vector, in their order. Raises KeyError if none does."""
        return [place.instruction for place in self._makers[vector]]

    def uses(self, vector: int) -> list[Instruction]:
        """Return the instructions that read a vector, in their order; those that make or change it are left out."""
        return [place.instruction for place in self._uses[vector]]

    def maps_to_itself(self, source: int, table: int) -> bool:
        """Return whether a table maps each possible item of a vector to itself: each number below the vector's
        bound."""
        entries = self._tables[table]
        return self._bound(source) <= len(entries) and all(entries[n] == n for n in range(self._bound(source)))

    def needs_list(self, vector: int) -> bool:
        """Return whether a vector is needed as a list."""
        if vector not in self._listed:
            self._listed[vector] = True
            self._listed[vector] = vector not in self.all or any(
                self.asks_for_list(use.instruction, vector) for use in self._uses[vector]
            )
        return self._listed[vector]

    @cached_property
    def _listed(self) -> dict[int, bool]:
        """Answers of `needs_list` so far, by vector."""
        return {}

    # ── which ──

    def _note_all(self, nodes: Sequence[Node], nests: tuple[Nest, ...], lists: tuple[int, ...]) -> None:
        """Note every instruction with the nests and lists of nodes around it."""
        lists = (*lists, id(nodes))
        for node in nodes:
            if not isinstance(node, Nest):
                self._note_instruction(node, nests, lists)
                continue
            self._note_instruction(node.opening, nests, lists)
            self._lists[id(node)] = lists
            self._note_all(node.body, (*nests, node), lists)
            self._note_all(node.other, (*nests, node), lists)

    def _note_instruction(self, instruction: Instruction, nests: tuple[Nest, ...], lists: tuple[int, ...]) -> None:
        """Note what an instruction sets, makes, changes and uses."""
        self._position += 1
        place = _Place(self._position, nests, lists, instruction)
        if instruction[0] in MOVING:
            self._moves.append(self._position)
        for name in names_set_by(instruction):
            self._set.setdefault(name, []).append(self._position)
        for number, (kind, operand) in enumerate(operands_of(instruction)):
            if kind != "V":
                continue
            self._uses.setdefault(operand, [])
            if number == 0 and instruction[0] in MAKING_VECTORS:
                self._makers.setdefault(operand, []).append(place)
            elif number <= 1 and (number == 0 or instruction[0] == "rank") and instruction[0] in CHANGING_VECTORS:
                self._changes.setdefault(operand, []).append(place)
            else:
                self._uses[operand].append(place)

    def _bound(self, vector: int) -> int:
        """Return a number above all items of a vector, at most MAX_ITEMS: 1 if it is always empty, 0 if it cannot be
        held as bits."""
        return self._bounds.get(vector, 0)

    def _find_bounds(self) -> dict[int, int]:
        """Return the bounds of all vectors, those of `_bound`: from 1 on, until no maker raises a bound, or makes it
        0."""
        self._bounds = known = dict.fromkeys(self._makers, 1)
        asking: dict[int, list[int]] = {}
        for vector, makers in self._makers.items():
            loops = [place.loop for place in self._changes.get(vector, ())]
            sources = [int(loop.opening[2]) for loop in loops if loop and loop.opening[0] == "for"]
            for maker in makers:
                sources += [operand for kind, operand in operands_of(maker.instruction)[1:] if kind == "V"]
            for source in sources:
                asking.setdefault(source, []).append(vector)
        waiting = list(reversed(known))
        while waiting:
            vector = waiting.pop()
            bounds = [self._bound_of(maker, vector) for maker in self._makers[vector]]
            bound = max(bounds) if all(0 < bound <= MAX_ITEMS for bound in bounds) else 0
            if bound != known[vector]:
                known[vector] = bound
                waiting += asking.get(vector, ())
        return known

    def _bound_of(self, maker: _Place, vector: int) -> int:
        """Return the bound of a vector by one of its makers, as `_bound` does."""
        if self._changes.get(vector):
            return self._bound_filled_by_loop(maker, vector)
        match maker.instruction:
            case ("vector", *_):
                return 1
            case ("fixed", _, int(table)):
                return _bound_if_ascending(self._tables[table])
            case ("within" | "select", _, int(source), int(table), *_):
                return (
                    self._bound(source)
                    if self.maps_to_itself(source, table) or has_few_values(self._tables[table])
                    else 0
                )
            case ("filter" | "as_tuple", _, int(source), *_):
                return self._bound(source)
            case ("images", _, int(source), int(table)):
                return 1 + max(self._tables[table], default=0) if self._keeps_order_of(source, table) else 0
            case ("lying", _, _, int(table), _):
                return 1 + max(self._tables[table], default=0)
            case ("beside", _, _, int(table), int(width)) if _is_board(self._tables[table], width):
                return 1 + max(self._tables[table])
            case ("reached", _, _, int(land), int(table), int(width)) if _is_board(self._tables[table], width):
                return self._bound(land)
        return 0

    def _keeps_order_of(self, source: int, table: int) -> bool:
        """Return whether a table maps the items of a vector to ascending entries, except NOTHING."""
        bound, entries = self._bound(source), self._tables[table]
        return (
            0 < bound <= len(entries)
            and _bound_if_ascending([entry for entry in entries[:bound] if entry != NOTHING]) > 0
        )

    def distance(self, source: int, table: int) -> int | None:
        """Return the difference between each item's entry and the item if it is equal for all, else None."""
        distances = {
            entry - n for n, entry in enumerate(self._tables[table][: self._bound(source)]) if entry != NOTHING
        }
        return distances.pop() if len(distances) == 1 else None

    def _filling_loop(self, vector: int) -> Nest | None:
        """Return the loop that pushes a vector's items; None if it is not filled in one."""
        changes = self._changes.get(vector)
        return changes[0].loop if changes else None

    def _bound_filled_by_loop(self, maker: _Place, vector: int) -> int:
        """Return the bound of a vector that a loop over a bit set fills with some of its items."""
        changes = self._changes[vector]
        if maker.instruction[0] != "vector" or len(self._makers[vector]) > 1 or len(changes) > 1:
            return 0
        loop, pushed = changes[0].loop, changes[0].instruction
        if loop is None:
            return 0
        match loop.opening, pushed:
            case ("for", int(register), int(items)), ("push", _, int(value)) if value == 2 * register:
                alone = all(f"r{register}" not in names_set_by(instruction) for instruction in flatten(loop.body))
                outside = all(all(nest is not loop for nest in use.nests) for use in self._uses[vector])
                again = self._lists[id(loop)] == maker.lists and maker.position < changes[0].position
                return self._bound(items) if alone and outside and again else 0
        return 0

    def _sources(self, maker: Instruction) -> list[int]:
        """Return the vectors that have to be held as bits, too, for an instruction to make bits."""
        match maker:
            case ("within", _, int(source), int(table), int(among)):
                same = self.maps_to_itself(source, table) and self._bound(among) > FEW
                return [source, among] if same else [source]
            case ("filter" | "select" | "as_tuple" | "images", _, int(source), *_):
                return [source]
            case ("reached", _, _, int(land), *_):
                return [land]
        return []

    def _is_quicker(self, vector: int) -> bool:
        """Return whether bits would be quicker than a list for some maker or use."""
        if self._bound(vector) <= FEW:
            return False
        makers = (maker.instruction[0] for maker in self._makers[vector])
        return any(name in MADE_AS_BITS for name in makers) or any(
            use.instruction[0] in MADE_AS_BITS and not self.asks_for_list(use.instruction, vector, sure=False)
            for use in self._uses[vector]
        )

    def asks_for_list(self, use: Instruction, vector: int, sure: bool = True) -> bool:
        """Return whether an instruction reads a vector's list. sure: whether `all` is final; before, it is
        estimated."""
        match use:
            case ("empty" | "length" | "has", *_):
                return False
            case ("none_of", *_):
                return False
            case ("count_of", _, _, int(counted), _):
                return not has_few_values(self._tables[counted])
            case ("within", int(target), int(source), int(table), int(among)):
                as_bits = target in self.all if sure else self._bound(target) > FEW
                return not as_bits or (vector == among and not self.maps_to_itself(source, table))
            case ("filter" | "select" | "beside" | "reached" | "images", int(target), *_):
                return not (target in self.all if sure else self._bound(target) > FEW)
            case ("as_tuple", int(target), *_):
                return target not in self.all or self.needs_list(target)
            case ("gather", int(target), *_):
                return not self.is_skipped(use)
        return True

    # ── pieces of a kind, found by where each of them lies ──

    def _find_by_piece(self, vector: int) -> PiecesOnSpaces | None:
        """Return how to find the spaces of a vector by its pieces, None where that is impossible."""
        location = self._sole_maker(vector, "lying")
        selection = location and self._sole_maker(int(location.instruction[2]), "select")
        gather = selection and self._sole_maker(int(selection.instruction[2]), "gather")
        zones = gather and self._sole_maker(int(gather.instruction[2]), "fixed")
        if not (location and selection and gather and zones) or len(self._uses[int(selection.instruction[1])]) > 1:
            return None
        _, _, _, spaces, cell = map(int, ("0", *location.instruction[1:]))
        table, value, first = int(selection.instruction[3]), int(selection.instruction[4]), int(gather.instruction[3])
        numbers = int(zones.instruction[2])
        possible_spaces, lies = self._tables[numbers], self._tables[spaces]
        if (
            cell != self._program.layout.piece_zones
            or not _bound_if_ascending(possible_spaces)
            or not self._can_look_up_pieces(table)
        ):
            return None
        if any(first + number >= len(lies) or lies[first + number] != number for number in possible_spaces):
            return None
        moved = any(gather.position < position < location.position for position in self._moves)
        changed = not is_constant(value) and any(
            selection.position < position < location.position for position in self._set.get(f"r{number_in(value)}", ())
        )
        if moved or changed or gather.loops != location.loops:
            return None
        inside = selection.lists[: len(gather.lists)], location.lists[: len(selection.lists)]
        return PiecesOnSpaces(table, value, first, numbers) if inside == (gather.lists, selection.lists) else None

    def _sole_maker(self, vector: int, operation: str) -> _Place | None:
        """Return where an operation makes a vector, if it is the only maker and nothing changes the vector; else
        None."""
        makers = self._makers.get(vector, [])
        once = len(makers) == 1 and vector not in self._changes and makers[0].instruction[0] == operation
        return makers[0] if once else None

    def _can_look_up_pieces(self, table: int) -> bool:
        """Return whether pieces can be looked up by their entry in a table."""
        return self._program.layout.pieces <= len(self._tables[table]) and has_few_values(self._tables[table])

    def is_skipped(self, instruction: Instruction) -> bool:
        """Return whether the result of an instruction is unused, since spaces are found by their pieces."""
        match instruction:
            case ("select", int(vector), *_):
                uses = self.uses(vector)
                return bool(uses) and all(use[1] in self.by_piece for use in uses)
            case ("gather", int(vector), *_):
                uses = self.uses(vector)
                return bool(uses) and all(use[0] == "select" and self.is_skipped(use) for use in uses)
        return False

    def lists_filled_by(self, loop: Nest) -> list[int]:
        """Return the vectors that a loop completes and that are needed as lists."""
        return [vector for vector, filling in self._filled.items() if filling is loop and self.needs_list(vector)]

    # ── zones that are empty ──

    def find_vacancies(self, loop: Nest) -> Vacancies | None:
        """Return the description of a loop that only finds which zones are empty, or are not; None for other loops."""
        match loop:
            case Nest(("for", int(item), int(items)), [first, _, _, *_, Nest(("if", int(condition)), [push], [])]):
                spending = int(first[1]) if isinstance(first, tuple) and first[0] == "spend" else None
            case _:
                return None
        match push, loop.body[0 if spending is None else 1 : -1]:
            case (
                ("push", int(vector), int(pushed)),
                [
                    ("add", int(cell), *sum_),
                    ("read", int(pieces), 0, int(index)),
                    ("empty", int(empty), int(read)),
                    *more,
                ],
            ) if vector in self.all and pushed == 2 * item and index == 2 * cell and read == pieces:
                pass
            case _:
                return None
        zones = [int(operand) for operand in sum_ if operand != 2 * item]
        match more:
            case [] if condition == 2 * empty:
                names, wants_empty = [f"r{cell}", f"V{pieces}", f"r{empty}"], True
            case [("not", int(full), int(negation))] if negation == 2 * empty and condition == 2 * full:
                names, wants_empty = [f"r{cell}", f"V{pieces}", f"r{empty}", f"r{full}"], False
            case _:
                return None
        if len(zones) != 1 or not is_constant(zones[0]) or any(self._used[name] != 1 for name in names):
            return None
        maker = self._sole_maker(items, "fixed")
        known = self._tables[int(maker.instruction[2])] if maker else ()
        in_row = len(known) if list(known) == list(range(len(known))) else 0
        return Vacancies(vector, items, number_in(zones[0]), wants_empty, in_row, spending)

    @cached_property
    def _used(self) -> Counter[str]:
        """Number of reads of each register and vector, by names such as 'r7' and 'V7'."""
        return Counter(name for instruction in flatten(self._body) for name in names_used_by(instruction))


def _bound_if_ascending(entries: Sequence[int]) -> int:
    """Return a number above all entries if they are ascending and at least 0; else 0."""
    ascend = all(one < other for one, other in pairwise((NOTHING, *entries)))
    return (entries[-1] + 1 if entries else 1) if ascend else 0


def _is_board(entries: Sequence[int], width: int) -> bool:
    """Return whether a table has rows of `width` spaces for each of at most MAX_ITEMS spaces, all below MAX_ITEMS."""
    return bool(entries) and len(entries) // width <= MAX_ITEMS and max(entries) < MAX_ITEMS


def values_of(entries: Sequence[int]) -> range:
    """Return the range from the least entry to the greatest. Raises ValueError without entries."""
    return range(min(entries), max(entries) + 1)


def has_few_values(entries: Sequence[int]) -> bool:
    """Return whether the range from the least entry to the greatest has at most MAX_VALUES numbers; False without
    entries."""
    return bool(entries) and len(values_of(entries)) <= MAX_VALUES
