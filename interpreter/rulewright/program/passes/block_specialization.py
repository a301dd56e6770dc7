"""Specialized copies of blocks for facts known on the way to them.

Facts are the contents of control cells: the return block of a step called from several places, and the progress of an
`at once`. A copy is entered only where these cells hold what it assumes; a game that starts anywhere
else runs the original blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.program.blocks import Blocks, Nest, Node, flatten, free_register, renumber
from rulewright.program.form import Sealed
from rulewright.program.instructions import ZERO, Instruction, constant, is_constant, number_in
from rulewright.program.state_layout import BEGINNING, PARKED

MAX_JUMP_TARGETS = 4
"""Limit of a jump's targets that are distinguished by comparison."""
MAX_COPIED_SIZE = 4000
"""Limit of a program's instructions; in larger ones copies gain little and take long to translate."""
MAX_GROWTH = 1.5
"""Limit of the code's size, as a multiple."""

Facts = dict[int, int]
"""Known contents: number of a cell -> content."""


def specialize_blocks(blocks: Blocks, start: int, sealed: Sequence[Sealed]) -> Blocks:
    """Return the blocks that a game can reach from a start, with specialized copies under new numbers."""
    copying = _Specializer(blocks, sealed)
    copying.copy_for(start, {})
    while copying.pending:
        copying.write_copy(*copying.pending.pop())
    return copying.result


class _Specializer:
    """Maker of specialized copies. pending: copies to write: number of the block, that of the copy, and known facts;
    result: those written."""

    def __init__(self, blocks: Blocks, sealed: Sequence[Sealed]) -> None:
        self._blocks = blocks
        self._phase_of = {once.next_block: once.phase for once in sealed}
        self._return_blocks: dict[int, list[int]] = {}  # cell -> block numbers that it may hold
        self._registers = free_register(blocks) + 1  # for each copy; the last one is for comparisons
        of_seats = set()
        for instruction in (i for body in blocks.values() for i in flatten(body)):
            if instruction[0] == "store_block":
                cell, index, number = (int(operand) for operand in instruction[1:])
                self._return_blocks[cell] = sorted({*self._return_blocks.get(cell, ()), number})
                if index != ZERO:
                    of_seats.add(cell)
        self._tracked = {*self._phase_of.values(), *self._return_blocks} - of_seats
        self._needed = self._needed_facts()
        self._changed_in: dict[int, frozenset[int]] = {}  # by a nest's identity
        self._numbers: dict[tuple[int, frozenset[tuple[int, int]]], int] = {}
        self._sizes = {number: len(flatten(body)) for number, body in blocks.items()}
        size = sum(self._sizes.values())
        self._room = MAX_GROWTH * size if size <= MAX_COPIED_SIZE else 0
        self.pending: list[tuple[int, int, Facts]] = []
        self.result: Blocks = {}

    def _needed_facts(self) -> Mapping[int, set[int]]:
        """Return for each block the control cells that may be read from there on before they are written."""
        needed, overwritten, following = {}, {}, {}
        for number, body in self._blocks.items():
            code = flatten(body)
            cells = {int(i[2]) for i in code if i[0] == "load"}
            needed[number] = {self._phase_of.get(cell, cell) for cell in cells} & self._tracked
            overwritten[number] = {int(i[1]) for i in body if isinstance(i, tuple) and i[0] in ("store", "store_block")}
            following[number] = {int(i[1]) for i in code if i[0] == "goto"}
            for cell in cells:
                following[number].update(self._return_blocks.get(cell, ()))
        before = None
        while before != (before := sum(map(len, needed.values()))):
            for number, targets in following.items():
                needed[number] |= set().union(*(needed[target] for target in targets)) - overwritten[number]
        return needed

    def copy_for(self, number: int, facts: Facts) -> int:
        """Return the number of the copy of a block for some facts; a new copy is pending. It assumes only facts that
        the block needs, and none once the room is used up; without facts its number is the block's own."""
        known = {cell: held for cell, held in facts.items() if cell in self._needed[number]}
        if self._room <= 0:
            known = {}
        key = number, frozenset(known.items())
        if key not in self._numbers:
            self._room -= self._sizes[number]
            self._numbers[key] = max(self._blocks) + 1 + len(self._numbers) if known else number
            self.pending.append((number, self._numbers[key], known))
        return self._numbers[key]

    def write_copy(self, number: int, copy: int, facts: Facts) -> None:
        """Write a copy of a block into the result; it may make further copies pending."""
        self.result[copy] = self._specialize_nodes(self._blocks[number], facts, self._registers * len(self.result))

    def _specialize_nodes(self, nodes: list[Node], facts: Facts, first: int) -> list[Node]:
        """Return the copied nodes. first: number of the first register; each copy has its own, since copies may be
        merged."""
        result: list[Node] = []
        for node in nodes:
            if isinstance(node, Nest):
                changed = self._changed_cells(node)
                inside = {cell: held for cell, held in facts.items() if not (node.loops and cell in changed)}
                body, other = (self._specialize_nodes(inner, dict(inside), first) for inner in (node.body, node.other))
                result.append(Nest(renumber(node.opening, first), body, other))
                for cell in changed:
                    facts.pop(cell, None)
            else:
                result += self._specialize(renumber(node, first), facts, result[-1:], first)
        return result

    def _changed_cells(self, nest: Nest) -> frozenset[int]:
        """Return the control cells written in a nest, cached by the nest's identity."""
        if id(nest) not in self._changed_in:
            code = flatten(nest.body) + flatten(nest.other)
            cells = frozenset(int(i[1]) for i in code if i[0] in ("store", "store_block"))
            self._changed_in[id(nest)] = cells & self._tracked
        return self._changed_in[id(nest)]

    def _specialize(self, instruction: Instruction, facts: Facts, before: list[Node], first: int) -> Iterator[Node]:
        """Yield an instruction as it is under the facts so far, and update the facts by it."""
        match instruction:
            case ("goto", int(number)):
                yield ("goto", self.copy_for(number, facts))
            case ("goto_value", int(register_operand)):
                yield from self._jump(register_operand, facts, before, first)
            case ("load", int(register), int(cell), int()) if (content := self._content(cell, facts)) is not None:
                yield ("copy", register, constant(content))
            case ("store_block", int(cell), int(index), int(number)) if self._has_few_targets(cell):
                yield from self._specialize(("store", cell, index, constant(number)), facts, before, first)
            case ("store_block", int(cell), int(index), int(number)):  # entered with any facts
                facts.pop(cell, None)
                yield ("store_block", cell, index, self.copy_for(number, {}))
            case ("store", int(cell), int(), int(value)) if cell in self._tracked:
                facts.pop(cell, None)
                if is_constant(value):
                    facts[cell] = number_in(value)
                yield instruction
            case _:
                yield instruction

    def _has_few_targets(self, cell: int) -> bool:
        """Return whether a cell can hold few enough block numbers to compare with each."""
        return 0 < len(self._return_blocks.get(cell, ())) <= MAX_JUMP_TARGETS

    def _content(self, cell: int, facts: Facts) -> int | None:
        """Return the content of a cell, None if it is not known. In an `at once` all seats start at BEGINNING, and end
        PARKED."""
        if cell not in self._phase_of:
            return facts.get(cell)
        phase = facts.get(self._phase_of[cell])
        return None if phase is None else PARKED if phase else BEGINNING

    def _jump(self, register_operand: int, facts: Facts, before: list[Node], first: int) -> Iterator[Node]:
        """Yield a jump to a block number just loaded: directly if known, else by comparison with a few candidates."""
        match before:
            case [("copy", int(register), int(value))] if register_operand == 2 * register:
                yield ("goto", self.copy_for(number_in(value), facts))
            case [("load", int(register), int(cell), int())] if (
                register_operand == 2 * register and self._has_few_targets(cell)
            ):
                *others, last = self._return_blocks[cell]
                same = first + self._registers - 1
                for number in others:
                    yield ("equal", same, register_operand, constant(number))
                    yield Nest(("if", 2 * same), [("goto", self.copy_for(number, facts))])
                yield ("goto", self.copy_for(last, facts))
            case _:
                yield ("goto_value", register_operand)
