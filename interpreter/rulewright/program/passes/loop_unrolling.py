"""Loops over what is known beforehand, such as all seats, written out for each item, where a program is short."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

from rulewright.program.blocks import Blocks, Nest, Node, flattened, free_register, renamed
from rulewright.program.instructions import CHANGING_VECTORS, LEAVING, Instruction, operands_of
from rulewright.program.passes.simplification import set_in, used_in

MOST_INSTRUCTIONS = 400  # of a program that is written out; in larger ones that takes longer to translate than it gains

Register = tuple[bool, int]  # whether it is a vector; its number


def unrolled(blocks: Blocks, tables: Sequence[Sequence[int]]) -> Blocks:
    """The same code; loops over tables that nothing else goes into are written out, the innermost first, as long as
    there is room."""
    codes = [flattened(body) for body in blocks.values()]
    room = MOST_INSTRUCTIONS - sum(map(len, codes))
    if room <= 0:
        return blocks
    unrolling = _Unrolling(codes, tables, room, free_register(blocks))
    return {number: unrolling.written(body) for number, body in blocks.items()}


class _Unrolling:
    def __init__(
        self, codes: Sequence[Sequence[Instruction]], tables: Sequence[Sequence[int]], room: int, free: int
    ) -> None:
        self._room, self._free = room, count(free)
        self._met = Counter(name for code in codes for i in code for name in _names(i))
        self._tables: dict[int, Sequence[int]] = {}  # by the vectors that never hold anything else
        made = Counter(name for code in codes for i in code for name in set_in(i))
        for instruction in (i for code in codes for i in code if i[0] == "fixed" and made[f"V{i[1]}"] == 1):
            self._tables[int(instruction[1])] = tables[int(instruction[2])]

    def written(self, nodes: Sequence[Node]) -> list[Node]:
        written: list[Node] = []
        for node in nodes:
            if not isinstance(node, Nest):
                written.append(node)
                continue
            nest = Nest(node.opening, self.written(node.body), self.written(node.other))
            items = self._tables.get(int(node.opening[2])) if node.opening[0] == "for" else None
            size = len(flattened(nest.body))
            if items is None or size * len(items) > self._room or _goes_on(nest.body):
                written.append(nest)
            else:
                self._room -= size * len(items)
                written += self._each(nest, items)
        return written

    def _each(self, nest: Nest, items: Sequence[int]) -> Iterator[Node]:
        """The body for one item after the other; what only one round knows gets other names in each."""
        inside = Counter(name for i in (nest.opening, *flattened(nest.body)) for name in _names(i))
        lasting = _lasting(nest)
        own = [name for name, times in inside.items() if times == self._met[name] and name not in lasting]
        self._met.subtract(inside)
        for item in items:
            names = {name: next(self._free) for name in own}
            copy = renamed([("copy", int(nest.opening[1]), 2 * item + 1), *nest.body], names)
            self._met.update(name for i in flattened(copy) for name in _names(i))
            yield from copy


def _lasting(nest: Nest) -> set[Register]:
    """Return what a round may look at before it sets it, such as what is worked out in the first round only."""
    found: set[str] = set()
    _looked_at_first(nest.body, set(set_in(nest.opening)), found)
    return {(name[0] == "V", int(name[1:])) for name in found}


def _looked_at_first(nodes: Sequence[Node], known: set[str], found: set[str]) -> bool:
    """Add to `known` what is surely set, and to `found` what may be looked at before; return whether the nodes always
    leave."""
    for node in nodes:
        if not isinstance(node, Nest):
            found.update(_looked_at(node) - known)
            known.update(set_in(node))
            if node[0] in LEAVING:
                return True
            continue
        found.update(_looked_at(node.opening) - known)
        ways = []
        for inside in (node.body, node.other):
            there = known | set(set_in(node.opening))
            if not _looked_at_first(inside, there, found):
                ways.append(there)
        if not node.loops:
            if not ways:
                return True
            known |= set.intersection(*ways)
    return False


def _looked_at(instruction: Instruction) -> set[str]:
    """Return what an instruction needs to be there, a vector that it only adds to included."""
    changed = (f"V{instruction[1]}",) if instruction[0] in CHANGING_VECTORS else ()
    return {*used_in(instruction), *changed}


def _names(instruction: Instruction) -> Iterator[Register]:
    for kind, operand in operands_of(instruction):
        if kind in "dV":
            yield kind == "V", operand
        elif kind == "v" and not operand & 1:
            yield False, operand >> 1


def _goes_on(nodes: Sequence[Node]) -> bool:
    """Whether something in a loop's body ends the loop or its round."""
    for node in nodes:
        if isinstance(node, Nest):
            if not node.loops and (_goes_on(node.body) or _goes_on(node.other)):
                return True
        elif node[0] in ("break", "again"):
            return True
    return False
