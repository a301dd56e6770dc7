"""Simplification of one block: constant folding, elimination of repetitions and of dead code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from rulewright.program.blocks import Nest, Node, flatten
from rulewright.program.instructions import (
    FOLDED,
    LEAVING,
    MAKING_VECTORS,
    MOVING,
    OPERANDS,
    PURE,
    STORING,
    Instruction,
    cell_of,
    constant,
    is_constant,
    number_in,
    operands_of,
    reads_register,
    register_value,
)
from rulewright.program.state_layout import Layout


def simplify(body: list[Node], layout: Layout, tables: Sequence[Sequence[int]] = ()) -> list[Node]:
    """Return code simplified. tables: those of the program, for lookups with constant indices; without them lookups
    stay."""
    body = fold_constants(body, tables)
    return remove_unused(_Repetitions(layout, body).remove(body))


def remove_unused(body: list[Node]) -> list[Node]:
    """Return code without what sets registers and vectors that nobody reads."""
    used: set[str] = set()
    known = -1
    while len(used) > known:  # a loop may need what its previous round has set
        known = len(used)
        _mark_needed(body, used)
    return _drop_unneeded(body, used)


def fold_constants(body: list[Node], tables: Sequence[Sequence[int]] = ()) -> list[Node]:
    """Return code with constants folded, without branches that are never taken and what follows a leaving
    instruction."""
    times_set = Counter(chain.from_iterable(map(names_set_by, flatten(body))))
    return _fold_nodes(body, {}, {name for name, times in times_set.items() if times == 1}, tables)


READING_STATE = frozenset(["read", "load", "gather", "lying"])
"""Operations that read the state; all other pure ones depend only on their operands."""

_SET = {"d": "r", "N": "V", "C": "V"}
"""Prefix of a register or vector that an operand sets or changes, by the operand's letter."""


@lru_cache(maxsize=100_000)
def _register_set_by(instruction: Instruction) -> tuple[str, ...]:
    """Return the name of the register or vector that an instruction sets by its first operand, alone in a tuple; ()
    where it sets none."""
    return tuple(_SET[letter] + str(instruction[1]) for letter in OPERANDS[str(instruction[0])][:1] if letter in "dN")


@lru_cache(maxsize=100_000)
def names_set_by(instruction: Instruction) -> tuple[str, ...]:
    """Return the names of the registers ('r1') and vectors ('V1') that an instruction sets or changes in place."""
    operands = zip(OPERANDS[str(instruction[0])], instruction[1:], strict=False)
    return tuple(f"{_SET[letter]}{operand}" for letter, operand in operands if letter in _SET)


@lru_cache(maxsize=100_000)
def names_used_by(instruction: Instruction) -> tuple[str, ...]:
    """Return the names of the registers and vectors that an instruction reads, as in `names_set_by`. Extending a vector
    does not count as reading it."""
    only_adds = instruction[0] in MAKING_VECTORS or instruction[0] in ("push", "append")
    used: list[str] = []
    for place, (kind, operand) in enumerate(operands_of(instruction)):
        if reads_register(kind, operand):
            used.append(f"r{number_in(operand)}")
        elif kind == "V" and (place or not only_adds):
            used.append(f"V{operand}")
    return tuple(used)


@lru_cache(maxsize=100_000)
def _registers_read(instruction: Instruction) -> tuple[int, ...]:
    """Return the numbers of the registers, other than vectors, that an instruction reads."""
    return tuple(number_in(operand) for kind, operand in operands_of(instruction) if reads_register(kind, operand))


def _fold_nodes(
    nodes: list[Node], known: dict[int, int], once: set[str], tables: Sequence[Sequence[int]]
) -> list[Node]:
    """Return nodes with constants inserted, and without branches that are never taken. known: registers with constant
    values, to be extended; once: registers that are set once."""
    result: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest):
            opening = _insert_constants(node.opening, known)
            body, other = (_fold_nodes(inner, known, once, tables) for inner in (node.body, node.other))
            if opening[0] != "if" or not is_constant(int(opening[1])):
                result.append(Nest(opening, body, other))
            else:
                result += body if number_in(int(opening[1])) else other
        else:
            instruction = _insert_constants(node, known)
            number = _known_result(instruction, tables)
            if number is not None and f"r{instruction[1]}" in once:
                known[int(instruction[1])] = constant(number)
            else:
                result.append(instruction)
        if result and not isinstance(result[-1], Nest) and result[-1][0] in LEAVING:
            break
    return result


def _known_result(instruction: Instruction, tables: Sequence[Sequence[int]]) -> int | None:
    """Return the known result of an instruction, or None."""
    if instruction[0] == "table" and is_constant(int(instruction[3])) and int(instruction[2]) < len(tables):
        return tables[int(instruction[2])][number_in(int(instruction[3]))]
    operation, numbers = instruction[0], [number_in(int(operand)) for operand in instruction[2:]]
    if operation not in ("copy", "not", *FOLDED) or not all(is_constant(int(operand)) for operand in instruction[2:]):
        return None
    if operation == "copy":
        return numbers[0]
    return int(not numbers[0]) if operation == "not" else FOLDED[str(operation)](numbers[0], numbers[1])


def _insert_constants(instruction: Instruction, known: dict[int, int]) -> Instruction:
    """Return the instruction with known registers replaced by constants."""
    if known.keys().isdisjoint(_registers_read(instruction)):
        return instruction
    operands = [
        known.get(number_in(operand), operand) if reads_register(kind, operand) else operand
        for kind, operand in operands_of(instruction)
    ]
    return (instruction[0], *operands)


ValueKey = tuple[str | int, ...]
"""Operation with its operands, but for the register that it sets."""


@dataclass
class _Known:
    """Computed values and their registers: lasting ones, contents of zones, contents of other cells. Lasting ones are
    shared by the nests of a body; `added` are those of one nest."""

    lasting: dict[ValueKey, int] = field(default_factory=dict)
    in_zones: dict[ValueKey, int] = field(default_factory=dict)
    in_cells: dict[ValueKey, int] = field(default_factory=dict)

    added: list[ValueKey] = field(default_factory=list)

    def inside(self) -> _Known:
        """Return the values known in a nest, whose lasting ones are shared."""
        return _Known(self.lasting, self.in_zones.copy(), self.in_cells.copy())

    def leave(self) -> None:
        """Drop the lasting values that a nest added."""
        for key in self.added:
            del self.lasting[key]

    def get(self, key: ValueKey) -> int | None:
        """Return the register, as an operand, or the vector that holds a value; None if it is not known."""
        return self.lasting.get(key, self.in_zones.get(key, self.in_cells.get(key)))


class _Repetitions:
    """Elimination of repeated computations.

    Zones and places of pieces change only by moves; all other cells by stores.
    """

    def __init__(self, layout: Layout, body: list[Node]) -> None:
        self._layout = layout
        self._to_come = Counter(chain.from_iterable(map(names_set_by, flatten(body))))
        self._once = {name for name, times in self._to_come.items() if times == 1}
        self._same: dict[str, int] = {}  # register -> operand or vector with the same value
        self._writing: dict[int, list[Instruction]] = {}  # by a nest's identity, its instructions that change the state

    def remove(self, nodes: list[Node], known: _Known | None = None) -> list[Node]:
        """Return nodes without repetitions, in the order of the code: call it once. known: values computed before."""
        known = _Known() if known is None else known.inside()
        result: list[Node] = []
        for node in nodes:
            if isinstance(node, Nest):
                opening = self._use_earlier_names(node.opening)
                self._count_passed(node.opening)
                if node.loops:
                    self._forget(node, known)
                body, other = self.remove(node.body, known), self.remove(node.other, known)
                result.append(Nest(opening, body, other))
                self._forget(node, known)
                continue
            instruction = self._use_earlier_names(node)
            key = self._repetition_key(instruction)
            self._count_passed(node)
            if self._only_renames(instruction):
                self._same[_register_set_by(instruction)[0]] = int(instruction[2])
                continue
            if key is not None and (value := known.get(key)) is not None:
                self._same[_register_set_by(instruction)[0]] = value
                continue
            result.append(instruction)
            self._forget(instruction, known)
            if key is not None:
                vector = instruction[0] in MAKING_VECTORS
                self._note_result(key, int(instruction[1]) if vector else register_value(int(instruction[1])), known)
            elif instruction[0] == "store" and self._is_lasting("v", int(instruction[3])):
                self._note_result(("load", *instruction[1:3]), int(instruction[3]), known)
            elif instruction[0] == "keep" and self._is_lasting("V", int(instruction[1])):
                self._note_result(("read", *instruction[2:4]), int(instruction[1]), known)
        known.leave()
        return result

    def _count_passed(self, instruction: Instruction) -> None:
        """Count down what is still to be set in the code to come."""
        for name in names_set_by(instruction):
            self._to_come[name] -= 1

    def _only_renames(self, instruction: Instruction) -> bool:
        """Return whether a register or vector, set nowhere else, is a copy of another from now on."""
        operation = str(instruction[0])
        return (
            operation in ("copy", "as_tuple")
            and _register_set_by(instruction)[0] in self._once
            and self._is_lasting(OPERANDS[operation][1], int(instruction[2]))
        )

    def _is_lasting(self, kind: str, operand: int) -> bool:
        """Return whether an operand keeps its value: nothing sets or changes it later."""
        if kind == "v":
            return is_constant(operand) or not self._to_come[f"r{number_in(operand)}"]
        return kind != "V" or not self._to_come[f"V{operand}"]

    def _repetition_key(self, instruction: Instruction) -> ValueKey | None:
        """Return what identifies a computation that can be reused; None if its operands change or it is no pure one."""
        operation = instruction[0]
        if operation not in PURE or operation in ("vector", "copy"):
            return None
        target = f"{'V' if operation in MAKING_VECTORS else 'r'}{instruction[1]}"
        if target in self._once and all(
            self._is_lasting(kind, operand) for kind, operand in operands_of(instruction)[1:]
        ):
            return (operation, *instruction[2:])
        return None

    def _use_earlier_names(self, instruction: Instruction) -> Instruction:
        """Return an instruction that reads earlier results instead of repeated ones."""
        if self._same.keys().isdisjoint(names_used_by(instruction)):
            return instruction
        makes = instruction[0] in MAKING_VECTORS
        operands = [
            self._same.get(f"r{number_in(operand)}", operand)
            if reads_register(kind, operand)
            else self._same.get(f"V{operand}", operand)
            if kind == "V" and not (makes and place == 0)
            else operand
            for place, (kind, operand) in enumerate(operands_of(instruction))
        ]
        return (instruction[0], *operands)

    def _note_result(self, key: ValueKey, value: int, known: _Known) -> None:
        """Record a computation's result until what it depends on changes: zones, other cells, or nothing."""
        if key[0] not in READING_STATE:
            known.lasting[key] = value
            known.added.append(key)
        elif self._depends_on_zones(key):
            known.in_zones[key] = value
        else:
            known.in_cells[key] = value

    def _forget(self, node: Node, known: _Known) -> None:
        """Drop values that a node may change."""
        if not known.in_zones and not known.in_cells:
            return
        for instruction in self._state_changes(node):
            if instruction[0] in MOVING:
                known.in_zones.clear()
            elif known.in_cells and (stored := cell_of(instruction)) is not None:
                for key in [key for key in known.in_cells if self._may_read(key, *stored)]:
                    del known.in_cells[key]

    def _state_changes(self, node: Node) -> list[Instruction]:
        """Return the instructions in a node that change the state."""
        if not isinstance(node, Nest):
            return [node] if node[0] in MOVING or node[0] in STORING else []
        if id(node) not in self._writing:
            self._writing[id(node)] = [i for inner in (*node.body, *node.other) for i in self._state_changes(inner)]
        return self._writing[id(node)]

    def _depends_on_zones(self, key: ValueKey) -> bool:
        """Return whether a value depends on zones; those with computed addresses are read from cell 0 on."""
        return key[0] in ("gather", "lying") or key[:2] in (("read", 0), ("load", self._layout.piece_zones))

    def _may_read(self, key: ValueKey, cell: int, index: int) -> bool:
        """Return whether a value may depend on the content of a cell."""
        first, offset = int(key[1]), int(key[2])
        if is_constant(index):
            cell += number_in(index)
            return first + number_in(offset) == cell if is_constant(offset) else first <= cell
        return not is_constant(offset) or first + number_in(offset) >= cell


def _mark_needed(nodes: list[Node], used: set[str]) -> bool:
    """Add the inputs of needed instructions to `used`, from the last node to the first; return whether any node is
    needed."""
    needed = False
    for node in reversed(nodes):
        if isinstance(node, Nest):
            inside = _mark_needed(node.other, used) | _mark_needed(node.body, used)
            if not inside and node.opening[0] != "loop":
                continue
            used.update(names_used_by(node.opening))
        elif _is_needed(node, used):
            used.update(names_used_by(node))
        else:
            continue
        needed = True
    return needed


def _is_needed(instruction: Instruction, used: set[str]) -> bool:
    """Return whether an instruction has an effect, or sets a register in use."""
    if instruction[0] in ("push", "append"):
        return f"V{instruction[1]}" in used
    return instruction[0] not in PURE or not used.isdisjoint(_register_set_by(instruction))


def _drop_unneeded(nodes: list[Node], used: set[str]) -> list[Node]:
    """Return nodes without instructions whose results are not used."""
    result: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest):
            body, other = _drop_unneeded(node.body, used), _drop_unneeded(node.other, used)
            if body or other or node.opening[0] == "loop":
                result.append(Nest(node.opening, body, other))
        elif _is_needed(node, used):
            result.append(node)
    return result
