"""Merging of blocks that follow each other.

A game can stop and continue at each block, so the compiler makes many; but each costs a dispatch. Here a
block with one predecessor is inlined there, and one that goes to itself becomes a loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulewright.program.blocks import Blocks, Nest, Node, flatten, free_register, renumber, rewrite_nodes
from rulewright.program.instructions import (
    LEAVING,
    ONE,
    ZERO,
    Instruction,
    cell_of,
    constant,
    is_constant,
    register_value,
)
from rulewright.program.state_layout import FUEL

MAX_NESTING = 30
"""Limit of how deep inlined blocks nest; Python's is 100."""
MAX_NESTED_LOOPS = 6
"""Maximum depth of loops; Python's own limit is 20."""
MAX_ROUNDS = 20
"""Limit of rounds of merging; blocks that could still be merged then stay as they are."""
MAX_MERGED_JUMPS = 5
"""Limit of merged jumps, of which each nests the rest once more."""


def replace_return_jumps(blocks: Blocks) -> Blocks:
    """Replace the jump to a stored return block by a `goto`, for subroutines called from one place, and drop the stores
    of return blocks that nothing reads any more."""
    targets: dict[Instruction, set[int]] = {}
    for instruction in _all_instructions(blocks):
        if instruction[0] == "store_block":
            targets.setdefault(instruction[1:3], set()).add(int(instruction[3]))
    blocks = {number: _with_direct_return(body, targets) for number, body in blocks.items()}
    looked_up = {instruction[2] for instruction in _all_instructions(blocks) if instruction[0] == "load"}
    return {
        number: rewrite_nodes(body, lambda i: [] if i[0] == "store_block" and i[1] not in looked_up else [i])
        for number, body in blocks.items()
    }


def concatenate_functions(codes: Iterable[Sequence[Instruction]], fuel: int) -> list[Instruction]:
    """Concatenate functions of the same parameter: the result returns all their values. Each starts with the given
    fuel."""
    whole: list[Node] = []
    answers: list[int] = []
    for code in codes:
        first = free_register({0: whole})
        whole.append(("store", FUEL, ZERO, constant(fuel)))
        whole.append(("copy", first, 0))
        *body, (leaving, *results) = (renumber(instruction, first) for instruction in code)
        assert leaving == "answer" and not any(instruction[0] == "answer" for instruction in body)
        whole += body
        answers += map(int, results)
    return [*flatten(whole), ("answer", *answers)]


def _all_instructions(blocks: Blocks) -> Iterator[Instruction]:
    """Yield the instructions of all blocks."""
    return (instruction for body in blocks.values() for instruction in flatten(body))


def _with_direct_return(body: list[Node], targets: Mapping[Instruction, set[int]]) -> list[Node]:
    """Return a block's body with its final jump to a stored block replaced by a `goto`, if the cell can hold one block
    only."""
    if len(body) > 1:
        look_up, jump = body[-2:]
        if isinstance(look_up, tuple) and look_up[0] == "load":
            target, cell = register_value(int(look_up[1])), look_up[2:]
            if jump == ("goto_value", target) and is_constant(int(cell[1])) and len(targets.get(cell, ())) == 1:
                return [*body[:-2], ("goto", *targets[cell])]
    return body


def merge_blocks(blocks: Blocks, fixed: Iterable[int]) -> Blocks:
    """Return blocks merged as far as possible; those that nothing enters are left out. fixed: those named from outside
    the code, which stay."""
    redirected = {number: rewrite_nodes(body, lambda i: [_redirect_jump(i, blocks)]) for number, body in blocks.items()}
    blocks = _reachable_blocks(redirected, fixed)
    fixed = set(fixed) | {number for body in blocks.values() for number in _block_operands(body, "store_block")}
    changed = set(blocks)
    for _ in range(MAX_ROUNDS):  # a loop can be inlined only when all jumps back are inside it
        blocks |= {number: _merge_common_jumps(blocks[number]) for number in changed}
        targets_of = {number: list(_block_operands(body, "goto")) for number, body in blocks.items()}
        single = _single_predecessor(blocks, targets_of) - fixed
        if not single:
            break
        inliner = _Inliner(blocks, single)
        changed = {number for number in blocks.keys() - single if not single.isdisjoint(targets_of[number])}
        blocks = {number: body for number, body in blocks.items() if number not in single}
        blocks |= {number: inliner.inline(blocks[number], 0, 0) for number in sorted(changed)}
        while waiting := sorted(inliner.left - blocks.keys()):  # their successors may be left, too
            blocks |= {number: inliner.inline(inliner.blocks[number], 0, 0) for number in waiting}
        changed |= inliner.left
        fixed |= inliner.left
    blocks = {number: _turn_into_loop(number, body) for number, body in blocks.items()}
    return _reachable_blocks(blocks, fixed)


def _reachable_blocks(blocks: Blocks, starts: Iterable[int]) -> Blocks:
    """Return the blocks that can be entered from some, and these."""
    reached: set[int] = set()
    waiting = list(starts)
    while waiting:
        number = waiting.pop()
        if number not in reached:
            reached.add(number)
            waiting += [*_block_operands(blocks[number], "goto"), *_block_operands(blocks[number], "store_block")]
    return {number: body for number, body in blocks.items() if number in reached}


def _block_operands(body: list[Node], name: str) -> Iterator[int]:
    """Yield the block in each instruction of a name, whose last operand is one."""
    return (int(instruction[-1]) for instruction in flatten(body) if instruction[0] == name)


def _redirect_jump(instruction: Instruction, blocks: Blocks) -> Instruction:
    """Replace a jump's target by the final one of a chain of jumps.

    Stored block numbers stay: a state passes between executors, which compare these numbers.
    """
    if instruction[0] != "goto":
        return instruction
    number = int(instruction[-1])
    visited = {number}
    while len(blocks[number]) == 1 and not isinstance(only := blocks[number][0], Nest) and only[0] == "goto":
        number = int(only[1])
        if number in visited:
            break
        visited.add(number)
    return (*instruction[:-1], number)


def _merge_common_jumps(nodes: list[Node]) -> list[Node]:
    """Return nodes with equal jumps merged: where an `if` leaves for the same block as the code after it, make that the
    `else` and jump once."""
    nodes = [
        Nest(node.opening, _merge_common_jumps(node.body), _merge_common_jumps(node.other))
        if isinstance(node, Nest)
        else node
        for node in nodes
    ]
    last, merged = nodes[-1] if nodes else None, 0
    for place in reversed(range(len(nodes) - 1)):
        node = nodes[place]
        if not isinstance(node, Nest) or node.opening[0] != "if" or node.other or not node.body:
            continue
        if isinstance(last, tuple) and last[0] == "goto" and node.body[-1] == last and merged < MAX_MERGED_JUMPS:
            nodes[place:] = [Nest(node.opening, node.body[:-1], nodes[place + 1 : -1]), last]
            merged += 1
    return nodes


def _single_predecessor(blocks: Blocks, targets_of: Mapping[int, Iterable[int]]) -> set[int]:
    """Return blocks with one predecessor, and with jumps to themselves only outside their inner loops. targets_of:
    targets of each block."""
    into = Counter(target for number, targets in targets_of.items() for target in targets if target != number)
    return {number for number, times in into.items() if times == 1 and not _jumps_in_loop(number, blocks[number])}


def _jumps_in_loop(number: int, nodes: list[Node], looping: bool = False) -> bool:
    """Return whether there is a `goto` to a block inside a loop. looping: whether the nodes are in a loop already."""
    for node in nodes:
        if isinstance(node, Nest):
            inner = looping or node.loops
            if _jumps_in_loop(number, node.body, inner) or _jumps_in_loop(number, node.other, inner):
                return True
        elif looping and node == ("goto", number):
            return True
    return False


class _Inliner:
    """Inliner of blocks with one predecessor. left: blocks that stay, since they would nest too deeply."""

    def __init__(self, blocks: Blocks, single: set[int]) -> None:
        self.blocks, self._single = blocks, single
        self.left: set[int] = set()

    def inline(self, nodes: list[Node], depth: int, loops: int) -> list[Node]:
        """Return a list of nodes whose jumps at the end are replaced by the blocks that they lead to, as long as there
        is room."""
        result: list[Node] = []
        while nodes:
            for node in nodes:
                if isinstance(node, Nest):
                    body, other = (self.inline(n, depth + 1, loops + node.loops) for n in (node.body, node.other))
                    result.append(Nest(node.opening, body, other))
                else:
                    result.append(node)
            nodes = self._take_successor(result, depth, loops)
        return result

    def _take_successor(self, nodes: list[Node], depth: int, loops: int) -> list[Node]:
        """Return the code of the block that the final `goto` leads to, and remove that `goto`; [] if it stays."""
        if not nodes or isinstance(last := nodes[-1], Nest) or last[0] != "goto" or last[1] not in self._single:
            return []
        number = int(last[1])
        if depth > MAX_NESTING or loops > MAX_NESTED_LOOPS:
            self.left.add(number)
            return []
        nodes.pop()
        return _turn_into_set_loop(_turn_into_loop(number, self.blocks[number]), nodes)


def _turn_into_loop(number: int, body: list[Node]) -> list[Node]:
    """Turn a block that goes to itself into a loop, followed by the code of the first `if` that leaves it for good."""
    again = _replace_jumps_back(number, body)
    if again == body:
        return body
    if again[-1] == ("again",):
        again.pop()
    for place, node in enumerate(again):
        if isinstance(node, Nest) and node.opening[0] == "if" and not node.other and _always_leaves(node.body):
            stopped = Nest(node.opening, [("break",)])
            return [Nest(("loop",), [*again[:place], stopped, *again[place + 1 :]]), *node.body]
    return [Nest(("loop",), again)]


def _replace_jumps_back(number: int, nodes: list[Node]) -> list[Node]:
    """Replace each `goto` to the block, outside of loops, by `again`."""
    result: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest) and not node.loops:
            result.append(
                Nest(node.opening, _replace_jumps_back(number, node.body), _replace_jumps_back(number, node.other))
            )
        else:
            result.append(("again",) if node == ("goto", number) else node)
    return result


def _always_leaves(nodes: list[Node]) -> bool:
    """Return whether the code ends by leaving and never repeats."""
    last = nodes[-1] if nodes else None
    ends = isinstance(last, tuple) and last[0] in LEAVING
    return ends and not any(i[0] in ("again", "break") for i in flatten(nodes))


def _turn_into_set_loop(nodes: list[Node], before: list[Node]) -> list[Node]:
    """Turn a loop that counts items of a set in a cell into a `for` without the cell."""
    match nodes:
        case [
            Nest(
                opening=("loop",),
                body=[
                    ("load", int(count), int(cell), int(_)),
                    ("read", int(items), int(items_cell), int(_)) as read,
                    ("length", int(size), *_),
                    ("at_most", int(end), *_),
                    Nest(),
                    *rest,
                ] as body,
            ),
            *after,
        ]:
            pass
        case _:
            return nodes
    looked = [
        ("load", count, cell, ZERO),
        ("read", items, items_cell, ZERO),
        ("length", size, items),
        ("at_most", end, register_value(size), register_value(count)),
        Nest(("if", register_value(end)), [("break",)]),
    ]
    place = register_value(count)
    item = next((int(i[1]) for i in flatten(rest) if i[0] == "item" and i[2:] == (items, place)), None)
    added = next((int(i[1]) for i in flatten(rest) if i[0] == "add" and i[2:] == (place, ONE)), None)
    if item is None or added is None or body[: len(looked)] != looked or not _begins_at_zero(cell, before):
        return nodes
    taking_code = [
        ("item", item, items, place),
        ("add", added, place, ONE),
        ("store", cell, ZERO, register_value(added)),
    ]
    inside = [node for node in rest if node not in taking_code]
    if len(inside) != len(rest) - len(taking_code) or any(_touches(i, cell, items_cell) for i in flatten(inside)):
        return nodes
    return [read, Nest(("for", item, items), inside), *after]


def _begins_at_zero(cell: int, before: list[Node]) -> bool:
    """Return whether a cell certainly holds 0 when a loop begins. before: code before the loop."""
    for node in reversed(before):
        if node == ("store", cell, ZERO, ZERO):
            return True
        if any(i[0] not in ("load", "read") and _touches(i, cell) for i in flatten([node])):
            return False
    return False


def _touches(instruction: Instruction, *cells: int) -> bool:
    """Return whether an instruction reads or writes one of these cells, or one of a row that begins there."""
    cell = cell_of(instruction)
    return cell is not None and cell[0] in cells
