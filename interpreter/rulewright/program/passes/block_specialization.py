"""Copies of blocks for what is known on the way to them, which then need not look it up.

Followed are cells that say where to go on: the way back of a step that is done from several places, and how far an
`at once` has come. A copy is gone to only where those cells hold what it takes for granted; a game that begins anywhere
else runs the blocks themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.program.blocks import Blocks, Nest, Node, flattened, free_register, renumbered
from rulewright.program.form import BEGINNING, PARKED, Sealed
from rulewright.program.instructions import ZERO, Instruction

MOST_WAYS = 4  # that are told apart by comparing
LARGEST_COPIED = 4000  # instructions; in larger programs other work weighs more, and copies take long to translate
MOST_GROWTH = 1.5  # when there are so many times the instructions, nothing more is copied

Facts = dict[int, int]  # cell -> what it holds


def foreseen(blocks: Blocks, start: int, sealed: Sequence[Sealed]) -> Blocks:
    """The blocks that a game can reach from one; where more is known, copies instead, with numbers of their own."""
    copying = _Copying(blocks, sealed)
    copying.copy(start, {})
    while copying.waiting:
        copying.write(*copying.waiting.pop())
    return copying.written


class _Copying:
    def __init__(self, blocks: Blocks, sealed: Sequence[Sealed]) -> None:
        self._blocks = blocks
        self._phase_of = {once.next_block: once.phase for once in sealed}
        self._ways: dict[int, list[int]] = {}  # cell -> the blocks whose numbers it may hold
        self._registers = free_register(blocks) + 1  # for each copy; the last is to compare
        of_seats = set()
        for instruction in (i for body in blocks.values() for i in flattened(body)):
            if instruction[0] == "store_block":
                cell, index, number = (int(operand) for operand in instruction[1:])
                self._ways[cell] = sorted({*self._ways.get(cell, ()), number})
                if index != ZERO:
                    of_seats.add(cell)
        self._followed = {*self._phase_of.values(), *self._ways} - of_seats
        self._needed = self._needed_facts()
        self._changing: dict[int, frozenset[int]] = {}  # by a nest's identity
        self._numbers: dict[tuple[int, frozenset[tuple[int, int]]], int] = {}
        self._sizes = {number: len(flattened(body)) for number, body in blocks.items()}
        size = sum(self._sizes.values())
        self._room = MOST_GROWTH * size if size <= LARGEST_COPIED else 0
        self.waiting: list[tuple[int, int, Facts]] = []
        self.written: Blocks = {}

    def _needed_facts(self) -> Mapping[int, set[int]]:
        """The followed cells that may be looked up from a block on before they are written."""
        needed, written, following = {}, {}, {}
        for number, body in self._blocks.items():
            code = flattened(body)
            cells = {int(i[2]) for i in code if i[0] == "load"}
            needed[number] = {self._phase_of.get(cell, cell) for cell in cells} & self._followed
            written[number] = {int(i[1]) for i in body if isinstance(i, tuple) and i[0] in ("store", "store_block")}
            following[number] = {int(i[1]) for i in code if i[0] == "goto"}
            for cell in cells:
                following[number].update(self._ways.get(cell, ()))
        before = None
        while before != (before := sum(map(len, needed.values()))):
            for number, targets in following.items():
                needed[number] |= set().union(*(needed[target] for target in targets)) - written[number]
        return needed

    def copy(self, number: int, facts: Facts) -> int:
        """The number of the block to go to where those facts are known."""
        known = {cell: held for cell, held in facts.items() if cell in self._needed[number]}
        if self._room <= 0:
            known = {}
        key = number, frozenset(known.items())
        if key not in self._numbers:
            self._room -= self._sizes[number]
            self._numbers[key] = max(self._blocks) + 1 + len(self._numbers) if known else number
            self.waiting.append((number, self._numbers[key], known))
        return self._numbers[key]

    def write(self, number: int, copy: int, facts: Facts) -> None:
        self.written[copy] = self._written(self._blocks[number], facts, self._registers * len(self.written))

    def _written(self, nodes: list[Node], facts: Facts, first: int) -> list[Node]:
        """first: the number of the first register; each copy has its own, as they may be put together."""
        written: list[Node] = []
        for node in nodes:
            if isinstance(node, Nest):
                changed = self._changed(node)
                inside = {cell: held for cell, held in facts.items() if not (node.loops and cell in changed)}
                body, other = (self._written(inner, dict(inside), first) for inner in (node.body, node.other))
                written.append(Nest(renumbered(node.opening, first), body, other))
                for cell in changed:
                    facts.pop(cell, None)
            else:
                written += self._instruction(renumbered(node, first), facts, written[-1:], first)
        return written

    def _changed(self, nest: Nest) -> frozenset[int]:
        """The followed cells that are written in a nest, which stays as it is as long as this does."""
        if id(nest) not in self._changing:
            code = flattened(nest.body) + flattened(nest.other)
            cells = frozenset(int(i[1]) for i in code if i[0] in ("store", "store_block"))
            self._changing[id(nest)] = cells & self._followed
        return self._changing[id(nest)]

    def _instruction(self, instruction: Instruction, facts: Facts, before: list[Node], first: int) -> Iterator[Node]:
        match instruction:
            case ("goto", int(number)):
                yield ("goto", self.copy(number, facts))
            case ("goto_value", int(where)):
                yield from self._jump(where, facts, before, first)
            case ("load", int(register), int(cell), int()) if (held := self._held(cell, facts)) is not None:
                yield ("copy", register, 2 * held + 1)
            case ("store_block", int(cell), int(index), int(number)) if self._few(cell):
                yield from self._instruction(("store", cell, index, 2 * number + 1), facts, before, first)
            case ("store_block", int(cell), int(index), int(number)):  # gone to whatever is known then
                facts.pop(cell, None)
                yield ("store_block", cell, index, self.copy(number, {}))
            case ("store", int(cell), int(), int(value)) if cell in self._followed:
                facts.pop(cell, None)
                if value & 1:
                    facts[cell] = value >> 1
                yield instruction
            case _:
                yield instruction

    def _few(self, cell: int) -> bool:
        return 0 < len(self._ways.get(cell, ())) <= MOST_WAYS

    def _held(self, cell: int, facts: Facts) -> int | None:
        """What a cell is known to hold. In an `at once` everybody begins, and then everybody has parked."""
        if cell not in self._phase_of:
            return facts.get(cell)
        phase = facts.get(self._phase_of[cell])
        return None if phase is None else PARKED if phase else BEGINNING

    def _jump(self, where: int, facts: Facts, before: list[Node], first: int) -> Iterator[Node]:
        """To a block whose number has just been loaded: to the known one, or to one of a few by comparing."""
        match before:
            case [("copy", int(register), int(value))] if where == 2 * register:
                yield ("goto", self.copy(value >> 1, facts))
            case [("load", int(register), int(cell), int())] if where == 2 * register and self._few(cell):
                *ways, last = self._ways[cell]
                same = first + self._registers - 1
                for number in ways:
                    yield ("equal", same, where, 2 * number + 1)
                    yield Nest(("if", 2 * same), [("goto", self.copy(number, facts))])
                yield ("goto", self.copy(last, facts))
            case _:
                yield ("goto_value", where)
