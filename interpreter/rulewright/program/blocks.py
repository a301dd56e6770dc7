"""Code as blocks of nested instructions, which is how it is simplified and translated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from rulewright.base.records import record
from rulewright.program.form import Program
from rulewright.program.instructions import OPENING, Instruction, operands_of


@record
class Nest:
    """An `if`, `told`, `for` or `loop` with what stands inside; `other` is what stands after its `else`."""

    opening: Instruction
    body: list[Node]
    other: list[Node] = field(default_factory=list)

    @property
    def loops(self) -> bool:
        return self.opening[0] in ("for", "loop")


Node = Instruction | Nest
Blocks = dict[int, list[Node]]


def blocks_of(program: Program) -> Blocks:
    """Every block's code, nested."""
    return _nested(program.code)


def nested(code: Iterable[Instruction]) -> list[Node]:
    """The nested code of a function."""
    return _nested((("block", 0), *code))[0]


def _nested(code: Iterable[Instruction]) -> Blocks:
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


def entries(program: Program) -> set[int]:
    """The blocks at which a game can begin or go on."""
    asking, block = set(), 0
    for instruction in program.code:
        if instruction[0] == "block":
            block = int(instruction[1])
        elif instruction[0] == "ask":
            asking.add(block)
    resumed, phases = {site.resume for site in program.sites}, {number for _, number in program.phases}
    return asking | resumed | phases | {program.start} | {sealed.block for sealed in program.sealed}


def free_register(blocks: Blocks) -> int:
    """A number above those of all registers and vectors."""
    operands = (o for body in blocks.values() for instruction in flattened(body) for o in operands_of(instruction))
    return 1 + max((number >> (kind == "v") for kind, number in operands if kind in "dvV"), default=0)


def renumbered(instruction: Instruction, first: int) -> Instruction:
    """With registers and vectors from that number on."""
    operands = [
        operand + first if kind in "dV" else operand + 2 * first if kind == "v" and not operand & 1 else operand
        for kind, operand in operands_of(instruction)
    ]
    return (instruction[0], *operands)


def flattened(nodes: Iterable[Node]) -> list[Instruction]:
    """As flat code."""
    code: list[Instruction] = []
    _flatten(nodes, code)
    return code


def _flatten(nodes: Iterable[Node], code: list[Instruction]) -> None:
    for node in nodes:
        if isinstance(node, Nest):
            code.append(node.opening)
            _flatten(node.body, code)
            if node.other:
                code.append(("else",))
                _flatten(node.other, code)
            code.append(("end",))
        else:
            code.append(node)


def rewritten(nodes: Iterable[Node], rewrite: Callable[[Instruction], Iterable[Instruction]]) -> list[Node]:
    """With other instructions for each."""
    written: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest):
            written.append(Nest(node.opening, rewritten(node.body, rewrite), rewritten(node.other, rewrite)))
        else:
            written += rewrite(node)
    return written


def renamed(nodes: Iterable[Node], names: Mapping[tuple[bool, int], int]) -> list[Node]:
    """With other numbers for registers and vectors. names: by whether it is a vector, and its number."""

    def spelt(instruction: Instruction) -> Instruction:
        return (
            instruction[0],
            *(
                names.get((kind == "V", operand), operand)
                if kind in "dV"
                else 2 * names.get((False, operand >> 1), operand >> 1)
                if kind == "v" and not operand & 1
                else operand
                for kind, operand in operands_of(instruction)
            ),
        )

    return [
        Nest(spelt(node.opening), renamed(node.body, names), renamed(node.other, names))
        if isinstance(node, Nest)
        else spelt(node)
        for node in nodes
    ]
