"""Simplifies one block's code: leaves out what is known, what is worked out already, and what is of no use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from rulewright.program.blocks import Nest, Node, flattened
from rulewright.program.form import Layout
from rulewright.program.instructions import (
    FOLDED,
    LEAVING,
    MAKING_VECTORS,
    MOVING,
    OPERANDS,
    PURE,
    STORING,
    Instruction,
    operands_of,
)


def pruned(body: list[Node], layout: Layout, tables: Sequence[Sequence[int]] = ()) -> list[Node]:
    """The same code, shorter. tables: those in which something may be looked up."""
    body = folded(body, tables)
    return useful(_Repetitions(layout, body).left_out(body))


def useful(body: list[Node]) -> list[Node]:
    """The same code without what sets registers that nothing reads."""
    used: set[str] = set()
    known = -1
    while len(used) > known:  # what is needed in a loop may be made there in the round before
        known = len(used)
        _use(body, used)
    return _without_the_useless(body, used)


def folded(body: list[Node], tables: Sequence[Sequence[int]] = ()) -> list[Node]:
    """The same code with what is known worked out, and without the ways that are never taken."""
    made = Counter(chain.from_iterable(map(set_in, flattened(body))))
    return _without_the_known(body, {}, {name for name, times in made.items() if times == 1}, tables)


LOOKING = frozenset(["read", "load", "gather", "lying"])
"""What looks at the state; all else that is pure depends only on its operands."""

_SET = {"d": "r", "N": "V", "C": "V"}
"""How a register or vector that is set or changed is called here, by its letter."""


@lru_cache(maxsize=100_000)
def _made(instruction: Instruction) -> tuple[str, ...]:
    """The register that an instruction sets; it is the first operand."""
    return tuple(_SET[letter] + str(instruction[1]) for letter in OPERANDS[str(instruction[0])][:1] if letter in "dN")


@lru_cache(maxsize=100_000)
def set_in(instruction: Instruction) -> tuple[str, ...]:
    """What an instruction sets, or changes where it is."""
    operands = zip(OPERANDS[str(instruction[0])], instruction[1:], strict=False)
    return tuple(f"{_SET[letter]}{operand}" for letter, operand in operands if letter in _SET)


@lru_cache(maxsize=100_000)
def used_in(instruction: Instruction) -> tuple[str, ...]:
    """The registers that an instruction reads. A vector is not read by what only adds to it."""
    only_adds = instruction[0] in MAKING_VECTORS or instruction[0] in ("push", "append")
    used: list[str] = []
    for place, (kind, operand) in enumerate(operands_of(instruction)):
        if kind == "v" and not operand & 1:
            used.append(f"r{operand >> 1}")
        elif kind == "V" and (place or not only_adds):
            used.append(f"V{operand}")
    return tuple(used)


@lru_cache(maxsize=100_000)
def _read(instruction: Instruction) -> tuple[int, ...]:
    """The numbers of the registers, other than vectors, that an instruction reads."""
    return tuple(operand >> 1 for kind, operand in operands_of(instruction) if kind == "v" and not operand & 1)


def _without_the_known(
    nodes: list[Node], known: dict[int, int], once: set[str], tables: Sequence[Sequence[int]]
) -> list[Node]:
    kept: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest):
            opening = _with_known(node.opening, known)
            body, other = (_without_the_known(inner, known, once, tables) for inner in (node.body, node.other))
            if opening[0] != "if" or not int(opening[1]) & 1:
                kept.append(Nest(opening, body, other))
            else:
                kept += body if int(opening[1]) >> 1 else other
        else:
            instruction = _with_known(node, known)
            number = _result(instruction, tables)
            if number is not None and f"r{instruction[1]}" in once:
                known[int(instruction[1])] = 2 * number + 1
            else:
                kept.append(instruction)
        if kept and not isinstance(kept[-1], Nest) and kept[-1][0] in LEAVING:
            break
    return kept


def _result(instruction: Instruction, tables: Sequence[Sequence[int]]) -> int | None:
    """What an instruction sets its register to, if that is known."""
    if instruction[0] == "table" and int(instruction[3]) & 1 and int(instruction[2]) < len(tables):
        return tables[int(instruction[2])][int(instruction[3]) >> 1]
    operation, numbers = instruction[0], [int(operand) >> 1 for operand in instruction[2:]]
    if operation not in ("copy", "not", *FOLDED) or not all(int(operand) & 1 for operand in instruction[2:]):
        return None
    if operation == "copy":
        return numbers[0]
    return int(not numbers[0]) if operation == "not" else FOLDED[str(operation)](numbers[0], numbers[1])


def _with_known(instruction: Instruction, known: dict[int, int]) -> Instruction:
    if known.keys().isdisjoint(_read(instruction)):
        return instruction
    spelt = [
        known.get(operand >> 1, operand) if kind == "v" and not operand & 1 else operand
        for kind, operand in operands_of(instruction)
    ]
    return (instruction[0], *spelt)


ValueKey = tuple[str | int, ...]  # an operation and its operands, without the register that it sets


@dataclass
class _Known:
    """Where what has been worked out is: what lasts, what is in a zone, and what is in another cell. What lasts is
    shared by the nests of a body, and `added` in each."""

    lasting: dict[ValueKey, int] = field(default_factory=dict)
    in_zones: dict[ValueKey, int] = field(default_factory=dict)
    in_cells: dict[ValueKey, int] = field(default_factory=dict)

    added: list[ValueKey] = field(default_factory=list)

    def inside(self) -> _Known:
        return _Known(self.lasting, self.in_zones.copy(), self.in_cells.copy())

    def leave(self) -> None:
        for key in self.added:
            del self.lasting[key]

    def get(self, key: ValueKey) -> int | None:
        return self.lasting.get(key, self.in_zones.get(key, self.in_cells.get(key)))


class _Repetitions:
    """What was worked out before and cannot have changed is not worked out again.

    Zones and where pieces lie change only by what moves pieces; all other cells by being written.
    """

    def __init__(self, layout: Layout, body: list[Node]) -> None:
        self._layout = layout
        self._to_come = Counter(chain.from_iterable(map(set_in, flattened(body))))
        self._once = {name for name, times in self._to_come.items() if times == 1}
        self._same: dict[str, int] = {}  # register -> the operand, or the vector, that has the same value
        self._writing: dict[int, list[Instruction]] = {}  # by a nest's identity, what changes the state in it

    def left_out(self, nodes: list[Node], known: _Known | None = None) -> list[Node]:
        """known: by what would be worked out again, where its value is."""
        known = _Known() if known is None else known.inside()
        kept: list[Node] = []
        for node in nodes:
            if isinstance(node, Nest):
                opening = self._renamed(node.opening)
                self._passed(node.opening)
                if node.loops:
                    self._forget(node, known)
                body, other = self.left_out(node.body, known), self.left_out(node.other, known)
                kept.append(Nest(opening, body, other))
                self._forget(node, known)
                continue
            instruction = self._renamed(node)
            key = self._key(instruction)
            self._passed(node)
            if self._only_renames(instruction):
                self._same[_made(instruction)[0]] = int(instruction[2])
                continue
            if key is not None and (found := known.get(key)) is not None:
                self._same[_made(instruction)[0]] = found
                continue
            kept.append(instruction)
            self._forget(instruction, known)
            if key is not None:
                vector = instruction[0] in MAKING_VECTORS
                self._remember(key, int(instruction[1]) if vector else 2 * int(instruction[1]), known)
            elif instruction[0] == "store" and self._lasts("v", int(instruction[3])):
                self._remember(("load", *instruction[1:3]), int(instruction[3]), known)
            elif instruction[0] == "keep" and self._lasts("V", int(instruction[1])):
                self._remember(("read", *instruction[2:4]), int(instruction[1]), known)
        known.leave()
        return kept

    def _passed(self, instruction: Instruction) -> None:
        for name in set_in(instruction):
            self._to_come[name] -= 1

    def _only_renames(self, instruction: Instruction) -> bool:
        """Whether a register that is set nowhere else becomes what another is from now on."""
        operation = str(instruction[0])
        return (
            operation in ("copy", "as_tuple")
            and _made(instruction)[0] in self._once
            and self._lasts(OPERANDS[operation][1], int(instruction[2]))
        )

    def _lasts(self, kind: str, operand: int) -> bool:
        """Whether an operand stands for the same value from now on: nothing that sets or changes it is to come."""
        if kind == "v":
            return bool(operand & 1) or not self._to_come[f"r{operand >> 1}"]
        return kind != "V" or not self._to_come[f"V{operand}"]

    def _key(self, instruction: Instruction) -> ValueKey | None:
        operation = instruction[0]
        if operation not in PURE or operation in ("vector", "copy"):
            return None
        target = f"{'V' if operation in MAKING_VECTORS else 'r'}{instruction[1]}"
        if target in self._once and all(self._lasts(kind, operand) for kind, operand in operands_of(instruction)[1:]):
            return (operation, *instruction[2:])
        return None

    def _renamed(self, instruction: Instruction) -> Instruction:
        if self._same.keys().isdisjoint(used_in(instruction)):
            return instruction
        makes = instruction[0] in MAKING_VECTORS
        operands = [
            self._same.get(f"r{operand >> 1}", operand)
            if kind == "v" and not operand & 1
            else self._same.get(f"V{operand}", operand)
            if kind == "V" and not (makes and place == 0)
            else operand
            for place, (kind, operand) in enumerate(operands_of(instruction))
        ]
        return (instruction[0], *operands)

    def _remember(self, key: ValueKey, value: int, known: _Known) -> None:
        if key[0] not in LOOKING:
            known.lasting[key] = value
            known.added.append(key)
        elif self._in_a_zone(key):
            known.in_zones[key] = value
        else:
            known.in_cells[key] = value

    def _forget(self, node: Node, known: _Known) -> None:
        """What a node may change is no longer known."""
        if not known.in_zones and not known.in_cells:
            return
        for instruction in self._changing(node):
            operation = instruction[0]
            if operation in MOVING:
                known.in_zones.clear()
            elif known.in_cells:
                cell, index = (int(o) for o in (instruction[2:4] if operation == "keep" else instruction[1:3]))
                for key in [key for key in known.in_cells if self._may_be_in(key, cell, index)]:
                    del known.in_cells[key]

    def _changing(self, node: Node) -> list[Instruction]:
        """The instructions in a node that change the state."""
        if not isinstance(node, Nest):
            return [node] if node[0] in MOVING or node[0] in STORING else []
        if id(node) not in self._writing:
            self._writing[id(node)] = [i for inner in (*node.body, *node.other) for i in self._changing(inner)]
        return self._writing[id(node)]

    def _in_a_zone(self, key: ValueKey) -> bool:
        """Zones' own addresses are worked out, so they are read from cell 0 on."""
        return key[0] in ("gather", "lying") or key[:2] in (("read", 0), ("load", self._layout.at))

    def _may_be_in(self, key: ValueKey, cell: int, index: int) -> bool:
        first, offset = int(key[1]), int(key[2])
        if index & 1:
            cell += index >> 1
            return first + (offset >> 1) == cell if offset & 1 else first <= cell
        return not offset & 1 or first + (offset >> 1) >= cell


def _use(nodes: list[Node], used: set[str]) -> bool:
    """Adds what is needed for what is needed already, from the last to the first; gives whether anything here is."""
    needed = False
    for node in reversed(nodes):
        if isinstance(node, Nest):
            inside = _use(node.other, used) | _use(node.body, used)
            if not inside and node.opening[0] != "loop":
                continue
            used.update(used_in(node.opening))
        elif _needed(node, used):
            used.update(used_in(node))
        else:
            continue
        needed = True
    return needed


def _needed(instruction: Instruction, used: set[str]) -> bool:
    if instruction[0] in ("push", "append"):
        return f"V{instruction[1]}" in used
    return instruction[0] not in PURE or not used.isdisjoint(_made(instruction))


def _without_the_useless(nodes: list[Node], used: set[str]) -> list[Node]:
    kept: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest):
            body, other = _without_the_useless(node.body, used), _without_the_useless(node.other, used)
            if body or other or node.opening[0] == "loop":
                kept.append(Nest(node.opening, body, other))
        elif _needed(node, used):
            kept.append(node)
    return kept
