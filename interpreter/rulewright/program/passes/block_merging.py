"""Puts blocks that follow each other together.

Blocks are where a game can stop and go on, so the compiler makes many; but each is dispatched when it is run. Here a
block that only one other goes to is written there, and one that goes to itself becomes a loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulewright.program.blocks import Blocks, Nest, Node, flattened, free_register, renumbered, rewritten
from rulewright.program.form import FUEL
from rulewright.program.instructions import LEAVING, ONE, ZERO, Instruction

DEEPEST_NESTING = 30  # for blocks put elsewhere; Python indents no deeper than 100
DEEPEST_LOOPS = 6  # Python nests no more than 20
MOST_ROUNDS = 20
MOST_MERGED = 5  # for each of them the rest is nested once more


def going_straight_back(blocks: Blocks) -> Blocks:
    """What is done from one place only need not look up where to go on."""
    ways: dict[Instruction, set[int]] = {}
    for instruction in _all(blocks):
        if instruction[0] == "store_block":
            ways.setdefault(instruction[1:3], set()).add(int(instruction[3]))
    blocks = {number: _straight(body, ways) for number, body in blocks.items()}
    looked_up = {instruction[2] for instruction in _all(blocks) if instruction[0] == "load"}
    return {
        number: rewritten(body, lambda i: [] if i[0] == "store_block" and i[1] not in looked_up else [i])
        for number, body in blocks.items()
    }


def together(codes: Iterable[Sequence[Instruction]], fuel: int) -> list[Instruction]:
    """Functions of the same parameter as one, which gives what they give, one after the other. Each begins with so much
    fuel."""
    whole: list[Node] = []
    answers: list[int] = []
    for code in codes:
        first = free_register({0: whole})
        whole.append(("store", FUEL, ZERO, 2 * fuel + 1))
        whole.append(("copy", first, 0))
        *body, (leaving, *results) = (renumbered(instruction, first) for instruction in code)
        assert leaving == "answer" and not any(instruction[0] == "answer" for instruction in body)
        whole += body
        answers += map(int, results)
    return [*flattened(whole), ("answer", *answers)]


def _all(blocks: Blocks) -> Iterator[Instruction]:
    return (instruction for body in blocks.values() for instruction in flattened(body))


def _straight(body: list[Node], ways: Mapping[Instruction, set[int]]) -> list[Node]:
    if len(body) > 1:
        look_up, jump = body[-2:]
        if isinstance(look_up, tuple) and look_up[0] == "load" and jump == ("goto_value", 2 * int(look_up[1])):
            cell = look_up[2:]
            if int(cell[1]) & 1 and len(ways.get(cell, ())) == 1:
                return [*body[:-2], ("goto", *ways[cell])]
    return body


def joined(blocks: Blocks, fixed: Iterable[int]) -> Blocks:
    """The same code in fewer blocks. fixed: those that something outside the code names, which stay."""
    redirected = {number: rewritten(body, lambda i: [_redirected(i, blocks)]) for number, body in blocks.items()}
    blocks = _reached(redirected, fixed)
    fixed = set(fixed) | {number for body in blocks.values() for number in _named(body, "store_block")}
    changed = set(blocks)
    for _ in range(MOST_ROUNDS):  # a loop can only be put somewhere when all that leads back is inside it
        blocks |= {number: _with_common_ends(blocks[number]) for number in changed}
        ways = {number: list(_named(body, "goto")) for number, body in blocks.items()}
        single = _with_one_way_in(blocks, ways) - fixed
        if not single:
            break
        joining = _Joining(blocks, single)
        changed = {number for number in blocks.keys() - single if not single.isdisjoint(ways[number])}
        blocks = {number: body for number, body in blocks.items() if number not in single}
        blocks |= {number: joining.expanded(blocks[number], 0, 0) for number in sorted(changed)}
        while waiting := sorted(joining.left - blocks.keys()):  # what they lead to may be left, too
            blocks |= {number: joining.expanded(joining.blocks[number], 0, 0) for number in waiting}
        changed |= joining.left
        fixed |= joining.left
    blocks = {number: _as_loop(number, body) for number, body in blocks.items()}
    return _reached(blocks, fixed)


def _reached(blocks: Blocks, starts: Iterable[int]) -> Blocks:
    reached: set[int] = set()
    waiting = list(starts)
    while waiting:
        number = waiting.pop()
        if number not in reached:
            reached.add(number)
            waiting += [*_named(blocks[number], "goto"), *_named(blocks[number], "store_block")]
    return {number: body for number, body in blocks.items() if number in reached}


def _named(body: list[Node], name: str) -> Iterator[int]:
    return (int(instruction[-1]) for instruction in flattened(body) if instruction[0] == name)


def _redirected(instruction: Instruction, blocks: Blocks) -> Instruction:
    """With the block where its own leads in the end.

    What is stored stays: a state goes from code that asks to code that answers, and there its numbers are compared.
    """
    if instruction[0] != "goto":
        return instruction
    number = int(instruction[-1])
    seen = {number}
    while len(blocks[number]) == 1 and not isinstance(only := blocks[number][0], Nest) and only[0] == "goto":
        number = int(only[1])
        if number in seen:
            break
        seen.add(number)
    return (*instruction[:-1], number)


def _with_common_ends(nodes: list[Node]) -> list[Node]:
    """Where an `if` leaves for the same block as what follows it: `if … else …`, and then leave."""
    nodes = [
        Nest(node.opening, _with_common_ends(node.body), _with_common_ends(node.other))
        if isinstance(node, Nest)
        else node
        for node in nodes
    ]
    last, merged = nodes[-1] if nodes else None, 0
    for place in reversed(range(len(nodes) - 1)):
        node = nodes[place]
        if not isinstance(node, Nest) or node.opening[0] != "if" or node.other or not node.body:
            continue
        if isinstance(last, tuple) and last[0] == "goto" and node.body[-1] == last and merged < MOST_MERGED:
            nodes[place:] = [Nest(node.opening, node.body[:-1], nodes[place + 1 : -1]), last]
            merged += 1
    return nodes


def _with_one_way_in(blocks: Blocks, ways: Mapping[int, Iterable[int]]) -> set[int]:
    """Blocks that one other goes to, and that go back to themselves at most from outside their loops. ways: where each
    block goes to."""
    into = Counter(target for number, targets in ways.items() for target in targets if target != number)
    return {number for number, times in into.items() if times == 1 and not _inside_loops(number, blocks[number])}


def _inside_loops(number: int, nodes: list[Node], looping: bool = False) -> bool:
    """Whether there is a `goto` to a block inside a loop."""
    for node in nodes:
        if isinstance(node, Nest):
            inner = looping or node.loops
            if _inside_loops(number, node.body, inner) or _inside_loops(number, node.other, inner):
                return True
        elif looping and node == ("goto", number):
            return True
    return False


class _Joining:
    """Writes blocks with one way in where they are gone to. left: those for which that would nest too deeply."""

    def __init__(self, blocks: Blocks, single: set[int]) -> None:
        self.blocks, self._single = blocks, single
        self.left: set[int] = set()

    def expanded(self, nodes: list[Node], depth: int, loops: int) -> list[Node]:
        written: list[Node] = []
        while nodes:
            for node in nodes:
                if isinstance(node, Nest):
                    body, other = (self.expanded(n, depth + 1, loops + node.loops) for n in (node.body, node.other))
                    written.append(Nest(node.opening, body, other))
                else:
                    written.append(node)
            nodes = self._following(written, depth, loops)
        return written

    def _following(self, written: list[Node], depth: int, loops: int) -> list[Node]:
        """What stands in the block that is gone to at the end; its `goto` is taken away."""
        if not written or isinstance(last := written[-1], Nest) or last[0] != "goto" or last[1] not in self._single:
            return []
        number = int(last[1])
        if depth > DEEPEST_NESTING or loops > DEEPEST_LOOPS:
            self.left.add(number)
            return []
        written.pop()
        return _over_a_set(_as_loop(number, self.blocks[number]), written)


def _as_loop(number: int, body: list[Node]) -> list[Node]:
    """A block that goes to itself as a loop, and after it what stood in the first `if` that leaves it for good."""
    again = _again(number, body)
    if again == body:
        return body
    if again[-1] == ("again",):
        again.pop()
    for place, node in enumerate(again):
        if isinstance(node, Nest) and node.opening[0] == "if" and not node.other and _leaves(node.body):
            stopped = Nest(node.opening, [("break",)])
            return [Nest(("loop",), [*again[:place], stopped, *again[place + 1 :]]), *node.body]
    return [Nest(("loop",), again)]


def _again(number: int, nodes: list[Node]) -> list[Node]:
    """With `again` for each `goto` of the block that stands in no loop."""
    written: list[Node] = []
    for node in nodes:
        if isinstance(node, Nest) and not node.loops:
            written.append(Nest(node.opening, _again(number, node.body), _again(number, node.other)))
        else:
            written.append(("again",) if node == ("goto", number) else node)
    return written


def _leaves(nodes: list[Node]) -> bool:
    """Whether it ends by leaving, and nothing in it goes round again."""
    last = nodes[-1] if nodes else None
    ends = isinstance(last, tuple) and last[0] in LEAVING
    return ends and not any(i[0] in ("again", "break") for i in flattened(nodes))


def _over_a_set(nodes: list[Node], before: list[Node]) -> list[Node]:
    """A loop that counts in a cell to take one item of a set after the other, as a `for` without the cell."""
    match nodes:
        case [
            Nest(
                opening=("loop",),
                body=[
                    ("load", int(count), int(cell), int(_)),
                    ("read", int(items), int(held), int(_)) as read,
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
        ("read", items, held, ZERO),
        ("length", size, items),
        ("at_most", end, 2 * size, 2 * count),
        Nest(("if", 2 * end), [("break",)]),
    ]
    item = next((int(i[1]) for i in flattened(rest) if i[0] == "item" and i[2:] == (items, 2 * count)), None)
    added = next((int(i[1]) for i in flattened(rest) if i[0] == "add" and i[2:] == (2 * count, ONE)), None)
    if item is None or added is None or body[: len(looked)] != looked or not _begins_at_zero(cell, before):
        return nodes
    taken = [("item", item, items, 2 * count), ("add", added, 2 * count, ONE), ("store", cell, ZERO, 2 * added)]
    inside = [node for node in rest if node not in taken]
    if len(inside) != len(rest) - len(taken) or any(_touches(i, cell, held) for i in flattened(inside)):
        return nodes
    return [read, Nest(("for", item, items), inside), *after]


def _begins_at_zero(cell: int, before: list[Node]) -> bool:
    """Whether a cell surely holds 0 after some code: a round of the loop that counts in it may stand there, too."""
    for node in reversed(before):
        if node == ("store", cell, ZERO, ZERO):
            return True
        if any(i[0] not in ("load", "read") and _touches(i, cell) for i in flattened([node])):
            return False
    return False


def _touches(instruction: Instruction, *cells: int) -> bool:
    """Whether an instruction reads or writes one of these cells, or what begins there."""
    place = _CELL.get(str(instruction[0]))
    return place is not None and instruction[place] in cells


_CELL = {"load": 2, "read": 2, "keep": 2, "store": 1, "count": 1, "store_block": 1}
