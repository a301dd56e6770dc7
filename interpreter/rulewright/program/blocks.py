"""Blocks of nested instructions, the form for optimization and translation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from rulewright.base.records import record
from rulewright.program.form import Program
from rulewright.program.instructions import OPENING, Instruction, number_in, operands_of, reads_register, register_value


@record
class Nest:
    """Nested instruction: `if`, `told`, `for` or `loop` with its body. other: the part after `else`."""

    opening: Instruction
    body: list[Node]
    other: list[Node] = field(default_factory=list)

    @property
    def loops(self) -> bool:
        """Whether its body may run more than once."""
        return self.opening[0] in ("for", "loop")


Node = Instruction | Nest
"""Item of a block's code."""
Blocks = dict[int, list[Node]]
"""Code of a program: number of a block -> its nodes."""


def blocks_of(program: Program) -> Blocks:
    """Return the nested code of every block."""
    return _nest_blocks(program.code)


def nest_code(code: Iterable[Instruction]) -> list[Node]:
    """Nest the code of a function."""
    return _nest_blocks((("block", 0), *code))[0]


def _nest_blocks(code: Iterable[Instruction]) -> Blocks:
    """Return the nested code of each block, by its number."""
    blocks: Blocks = {}
    stack: list[list[Node]] = []
    for instruction in code:
        name = instruction[0]
        if name == "block":
            stack = [blocks.setdefault(int(instruction[1]), [])]
        elif name in OPENING:
            nest = Nest(instruction, [])
            stack[-1].append(nest)
            stack.append(nest.body)
        elif name == "else":
            stack.pop()
            opened = stack[-1][-1]
            assert isinstance(opened, Nest)
            stack.append(opened.other)
        elif name == "end":
            stack.pop()
        else:
            stack[-1].append(instruction)
    return blocks


def entry_blocks(program: Program) -> set[int]:
    """Return the blocks at which a game can begin or continue."""
    asking, block = set(), 0
    for instruction in program.code:
        if instruction[0] == "block":
            block = int(instruction[1])
        elif instruction[0] == "ask":
            asking.add(block)
    resumed, phases = {site.resume for site in program.sites}, {number for _, number in program.phases}
    return asking | resumed | phases | {program.start} | {sealed.block for sealed in program.sealed}


def free_register(blocks: Blocks) -> int:
    """Return a number above those of all registers and vectors."""
    operands = (o for body in blocks.values() for instruction in flatten(body) for o in operands_of(instruction))
    return 1 + max((number >> (kind == "v") for kind, number in operands if kind in "dvV"), default=0)


def renumber(instruction: Instruction, first: int) -> Instruction:
    """Return an instruction with `first` added to the numbers of its registers and vectors."""
    operands = [
        operand + first
        if kind in "dV"
        else operand + register_value(first)
        if reads_register(kind, operand)
        else operand
        for kind, operand in operands_of(instruction)
    ]
    return (instruction[0], *operands)


def flatten(nodes: Iterable[Node]) -> list[Instruction]:
    """Return nested nodes as flat code."""
    code: list[Instruction] = []
    _append_flat(nodes, code)
    return code


def _append_flat(nodes: Iterable[Node], code: list[Instruction]) -> None:
    """Append nested instructions to flat code."""
    for node in nodes:
        if isinstance(node, Nest):
            code.append(node.opening)
            _append_flat(node.body, code)
            if node.other:
                code.append(("else",))
                _append_flat(node.other, code)
            code.append(("end",))
        else:
            code.append(node)


def rewrite_nodes(nodes: Iterable[Node], rewrite: Callable[[Instruction], Iterable[Instruction]]) -> list[Node]:
    """Return nodes with each instruction replaced by others, but for those that open nests."""
    result: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest):
            result.append(Nest(node.opening, rewrite_nodes(node.body, rewrite), rewrite_nodes(node.other, rewrite)))
        else:
            result += rewrite(node)
    return result


def rename(nodes: Iterable[Node], names: Mapping[tuple[bool, int], int]) -> list[Node]:
    """Return nodes with registers and vectors renamed. names: (is vector, number) -> new number; others stay."""

    def renamed(instruction: Instruction) -> Instruction:
        return (
            instruction[0],
            *(
                names.get((kind == "V", operand), operand)
                if kind in "dV"
                else register_value(names.get((False, number_in(operand)), number_in(operand)))
                if reads_register(kind, operand)
                else operand
                for kind, operand in operands_of(instruction)
            ),
        )

    return [
        Nest(renamed(node.opening), rename(node.body, names), rename(node.other, names))
        if isinstance(node, Nest)
        else renamed(node)
        for node in nodes
    ]
