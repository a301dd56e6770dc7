"""Joins blocks that always follow each other, so that fewer are left to dispatch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rulewright.program import OPERATIONS, Instruction

Bodies = dict[int, list[Instruction]]


def joined(code: list[Instruction], entries: Iterable[int]) -> list[Instruction]:
    """The same code with every block that follows only one other put there, and blocks that only lead on left out.

    entries: blocks that something outside the code names.
    """
    bodies: Bodies = {}
    for instruction in code:
        if instruction[0] == "block":
            body = bodies.setdefault(int(instruction[1]), [])
        else:
            body.append(instruction)
    for number, body in bodies.items():
        bodies[number] = [_redirected(instruction, bodies) for instruction in body]
    fixed = set(entries)
    named = Counter(block for body in bodies.values() for block in _blocks_of(body))
    for number in list(bodies):
        while number in bodies and bodies[number] and bodies[number][-1][0] == "goto":
            target = int(bodies[number][-1][1])
            if target in fixed or named[target] != 1 or target == number:
                break
            bodies[number] = bodies[number][:-1] + bodies.pop(target)
    live = fixed | {block for body in bodies.values() for block in _blocks_of(body)}
    kept = {number: body for number, body in bodies.items() if number in live}
    return [instruction for number, body in kept.items() for instruction in (("block", number), *body)]


def _blocks_of(body: list[Instruction]) -> Iterable[int]:
    return (int(i[-1]) for i in body if i[0] in ("goto", "store_block"))


def _redirected(instruction: Instruction, bodies: Bodies) -> Instruction:
    """With the block where its own leads in the end."""
    if "L" not in OPERATIONS[str(instruction[0])]:
        return instruction
    number = int(instruction[-1])
    seen = {number}
    while len(bodies[number]) == 1 and bodies[number][0][0] == "goto":
        number = int(bodies[number][0][1])
        if number in seen:
            break
        seen.add(number)
    return (*instruction[:-1], number)
