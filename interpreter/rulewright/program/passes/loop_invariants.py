"""Loop-invariant code motion.

Invariant code that every round runs first moves before the loop. Code that only some rounds need, or that can fail, is
run by the first round that needs it; a register says whether its result exists. So nothing is read
that was not read before, and nothing fails that did not fail.

Both executors run the result, so that they spend the same fuel. The pass runs on the compiled blocks,
before any merging.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import count

from rulewright.base.records import record
from rulewright.program.blocks import Blocks, Nest, Node, flatten, free_register
from rulewright.program.instructions import (
    LEAVING,
    MAKING_VECTORS,
    MOVING,
    ONE,
    PURE,
    STORING,
    ZERO,
    Instruction,
    cell_of,
    is_constant,
    number_in,
    register_value,
)
from rulewright.program.passes.simplification import names_set_by, names_used_by
from rulewright.program.state_layout import Layout

_CHANGING = frozenset(["push", "append", "sort", "rank"])
"""Operations that change a vector."""
_FAILING = frozenset(["fail", "checked", "divide_down", "divide_up"])
"""Instructions that may stop the game with an error."""
_QUICK = frozenset(["vector", "one", "push", "fixed", "row", "stretch", "read", "as_tuple", "front", "slice"])
"""Operations too cheap to be worth hoisting by themselves."""
_NEVER_FOR_LONG = frozenset(["length", "empty", "item"])
"""Instructions on vectors that take the same time whatever their length."""


def hoist_invariants(blocks: Blocks, layout: Layout) -> Blocks:
    """Return the blocks with invariant code moved out of loops."""
    hoisting = _Hoisting(layout, free_register(blocks))
    return {number: hoisting.body(body) for number, body in blocks.items()}


@record
class _Counts:
    """Occurrences of registers and vectors in some code. set: number of times each is set; occurrences: number of times
    each is set or used."""

    set: Counter[str]
    occurrences: Counter[str]


class _Hoisting:
    """Pass over one function or block."""

    def __init__(self, layout: Layout, free: int) -> None:
        self._layout, self._free = layout, count(free)
        self._all = _Counts(Counter(), Counter())
        self._body: list[Node] = []
        self._counted = False
        self._plain: set[str] = set()  # names set once, and used only in the same list of nodes
        self._known: dict[int, tuple[Node, _Counts]] = {}  # by a node's identity

    def body(self, nodes: list[Node]) -> list[Node]:
        """Hoist in the body of a block or function."""
        if not _has_loops(nodes):
            return nodes
        self._body, self._counted = nodes, False
        return self._hoist_around_loops(nodes)

    def _count(self) -> None:
        """Count all names, before the first hoisting."""
        if not self._counted:
            self._counted = True
            self._known = {}
            self._all = self._count_names(self._body)
            self._plain = set()
            self._find_plain(self._body, set())

    def _find_plain(self, nodes: Sequence[Node], before: set[str]) -> None:
        """Collect the plain names: those that one list of nodes sets before it uses them, and that occur nowhere else.
        before: names seen so far, to be extended."""
        set_here: set[str] = set()
        for node in nodes:
            if isinstance(node, tuple):
                set_here.update(
                    name for name in _newly_set(node) if name not in before and name not in names_used_by(node)
                )
                before.update(names_set_by(node), names_used_by(node))
                continue
            item = set(names_set_by(node.opening)) - before
            occurrences = self._count_names([node]).occurrences
            self._plain.update(name for name in item if occurrences[name] == self._all.occurrences[name])
            before.update(names_set_by(node.opening), names_used_by(node.opening))
            self._find_plain(node.body, before)
            self._find_plain(node.other, before)
        counts = self._count_names(nodes).occurrences
        self._plain.update(name for name in set_here if counts[name] == self._all.occurrences[name])

    def _hoist_around_loops(self, nodes: Sequence[Node]) -> list[Node]:
        """Return code outside loops, with the invariants of its loops in front of them."""
        result: list[Node] = []
        for node in nodes:
            if not isinstance(node, Nest) or node.opening[0] == "told":
                result.append(node)
            elif node.loops:
                loop = _Loop(self._layout, node)
                before: list[Node] = []
                body = node.body
                if loop.is_promising():
                    self._count()
                    loop.names = self._count_names(flatten([Nest(node.opening, body)]))
                    body = self._hoist_from_loop(body, loop, before, always=True)
                result += [*before, Nest(node.opening, self._hoist_around_loops(body))]
            else:
                result.append(
                    Nest(node.opening, self._hoist_around_loops(node.body), self._hoist_around_loops(node.other))
                )
        return result

    def _hoist_from_loop(self, nodes: Sequence[Node], loop: _Loop, before: list[Node], always: bool) -> list[Node]:
        """Return code of a loop without its invariants. before: code before the loop, to be extended; always: whether
        every round runs this code."""
        if always:
            sure = next((place for place, node in enumerate(nodes) if _may_stop(node)), len(nodes))
            group = self._invariant_places(nodes[:sure], nodes, loop, lambda name: False, _spends_fuel)
            before += [nodes[place] for place in sorted(group)]
            loop.remove_names(self._count_names([nodes[place] for place in group]))
            nodes = [node for place, node in enumerate(nodes) if place not in group]
        group = self._first_round_places(nodes, loop)
        result: list[Node] = []
        for place, node in enumerate(nodes):
            if place in group:
                if place == min(group):
                    flag = next(self._free)
                    before.append(("copy", flag, ZERO))
                    once = [nodes[each] for each in sorted(group)]
                    result.append(Nest(("if", register_value(flag)), [], [("copy", flag, ONE), *once]))
                    loop.first_round_results |= self._count_names(once).set.keys()
            elif isinstance(node, Nest) and node.opening[0] != "told":
                always = always and not any(map(_may_stop, nodes[:place]))
                body, other = (
                    self._hoist_from_loop(each, loop, before, always and node.loops) for each in (node.body, node.other)
                )
                result.append(Nest(node.opening, body, other))
            else:
                result.append(node)
        return result

    def _first_round_places(self, nodes: Sequence[Node], loop: _Loop) -> set[int]:
        """Return the places of code to run in the first round that needs it, up to the first place that may stop the
        round."""
        sure = len(nodes)
        while True:
            same = self._invariant_places(
                nodes[:sure], nodes, loop, loop.first_round_results.__contains__, lambda node: False
            )
            group = self._expensive_places(nodes, same)
            before = next((n for n in range(sure) if n not in group and _may_stop(nodes[n])), sure)
            if before >= max(group, default=0):
                return group
            sure = before

    def _invariant_places(
        self,
        nodes: Sequence[Node],
        around: Sequence[Node],
        loop: _Loop,
        known: Callable[[str], bool],
        left: Callable[[Node], bool],
    ) -> set[int]:
        """Return the places of invariant code. around: the list in which these nodes begin; known: whether a name set
        in the loop is invariant nevertheless; left: code that must stay."""
        group = {place for place, node in enumerate(nodes) if loop.is_invariant(node) and not left(node)}
        counts = self._count_names(around)
        while group:
            names = {place: self._count_names([nodes[place]]) for place in group}
            times_set: Counter[str] = Counter()
            for each in names.values():
                times_set.update(each.set)
            wrong = {
                name
                for name in {name for each in names.values() for name in each.occurrences}
                if loop.names.set[name]
                and not known(name)
                and not (
                    name in self._plain
                    and times_set[name] == self._all.set[name]
                    and counts.occurrences[name] == self._all.occurrences[name]
                )
            }
            rest = {place for place in group if wrong.isdisjoint(names[place].occurrences)}
            if rest == group:
                break
            group = rest
        return group

    def _expensive_places(self, nodes: Sequence[Node], group: set[int]) -> set[int]:
        """Return the places of expensive code, and of its inputs."""
        result = {place for place in group if _is_expensive(nodes[place])}
        names: set[str] = set()
        while True:
            names = {name for place in result for name in self._count_names([nodes[place]]).occurrences}
            more = {place for place in group - result if not names.isdisjoint(self._count_names([nodes[place]]).set)}
            if not more:
                return result
            result |= more

    def _count_names(self, nodes: Sequence[Node]) -> _Counts:
        """Count the registers and vectors that nodes set and use; of a single node, cached."""
        if len(nodes) == 1:
            node = nodes[0]
            if id(node) not in self._known:
                self._known[id(node)] = node, _names_in(flatten(nodes))
            return self._known[id(node)][1]
        return _names_in(flatten(nodes))


class _Loop:
    """State changes of a loop. names: set or used in it; first_round_results: results of first rounds."""

    def __init__(self, layout: Layout, nest: Nest) -> None:
        code = flatten(nest.body)
        self.names, self.first_round_results = _Counts(Counter(), Counter()), set[str]()
        self._nest, self._layout = nest, layout
        self._moves = any(i[0] in MOVING for i in code)
        self._stores = [cell for i in code if i[0] in STORING and (cell := cell_of(i)) is not None]
        self._varying: set[str] = set()

    def is_promising(self) -> bool:
        """Return whether some expensive code may be invariant. Mostly there is none."""
        self._varying.update(names_set_by(self._nest.opening))
        return self._find_promising(self._nest.body, False)

    def _find_promising(self, nodes: Sequence[Node], differing: bool) -> bool:
        """Return whether some code in the loop is promising; add to `_varying` what may differ between rounds.
        differing: whether a varying condition leads here."""
        result = False
        for node in nodes:
            if isinstance(node, Nest):
                differs = differing or not self._varying.isdisjoint(names_used_by(node.opening))
                if differs:
                    self._varying.update(names_set_by(node.opening))
                result |= self._find_promising(node.body, differs)
                result |= self._find_promising(node.other, differs)
            elif not self._varying.isdisjoint(names_used_by(node)) or not self.is_invariant(node, True):
                self._varying.update(names_set_by(node))
            else:
                if self._varying.isdisjoint(names_set_by(node)):
                    result |= _is_expensive(node) or (node[0] in ("push", "append") and not differing)
                if differing:
                    self._varying.update(names_set_by(node))
        return result

    def remove_names(self, names: _Counts) -> None:
        """Remove hoisted names from the loop."""
        for name in names.set:
            del self.names.set[name]

    def is_invariant(self, node: Node, within: bool = False) -> bool:
        """Return whether the state that a node reads stays the same in the loop, and it changes nothing but registers
        and vectors; whether those that it uses vary is not asked. within: in an inner loop that is hoisted with it."""
        if isinstance(node, Nest):
            if node.opening[0] == "told":
                return False
            inner = within or node.loops
            return all(self.is_invariant(each, inner) for each in (*node.body, *node.other))
        match node:
            case ("load" | "read", _, int(cell), int(index)):
                return not self._may_change(node[0] == "read", cell, index)
            case ("gather" | "lying", *_):
                return not self._moves
            case ("spend", *_):
                return True
            case ("break" | "again",):
                return within
        return node[0] in PURE or node[0] in _CHANGING or node[0] in _FAILING

    def _may_change(self, read: bool, cell: int, index: int) -> bool:
        """Return whether the loop may change what a `read`, or else a `load`, takes from a cell."""
        if (read and cell == 0) or (not read and cell == self._layout.piece_zones):
            return self._moves
        return any(_may_alias(cell, index, *stored) for stored in self._stores)


def _may_alias(one: int, index: int, other: int, place: int) -> bool:
    """Return whether two cells may be the same; an added register is at least 0."""
    if is_constant(index) and is_constant(place):
        return one + number_in(index) == other + number_in(place)
    if is_constant(index):
        return other <= one + number_in(index)
    return not is_constant(place) or one <= other + number_in(place)


def _names_in(code: Iterable[Instruction]) -> _Counts:
    """Count the names that code sets and uses."""
    names_set: list[str] = []
    used: list[str] = []
    for instruction in code:
        names_set += names_set_by(instruction)
        used += names_used_by(instruction)
    return _Counts(Counter(names_set), Counter(names_set + used))  # four times faster than updating counters


def _newly_set(instruction: Instruction) -> tuple[str, ...]:
    """Return the names that an instruction sets regardless of their previous contents."""
    if instruction[0] in MAKING_VECTORS:
        return (f"V{instruction[1]}",)
    return () if instruction[0] in _CHANGING else names_set_by(instruction)


def _is_expensive(node: Node) -> bool:
    """Return whether a node is worth hoisting: a loop, or an operation on vectors."""
    if isinstance(node, Nest):
        return node.loops or any(map(_is_expensive, (*node.body, *node.other)))
    return (
        node[0] in PURE
        and any(name[0] == "V" for name in (*names_set_by(node), *names_used_by(node)))
        and node[0] not in _QUICK | _NEVER_FOR_LONG
    )


def _may_stop(node: Node, looping: bool = False) -> bool:
    """Return whether execution may not continue behind a node, so that later code depends on it. looping: in a loop of
    its own."""
    if isinstance(node, Nest):
        return any(_may_stop(each, looping or node.loops) for each in (*node.body, *node.other))
    return node[0] in _FAILING or (node[0] in LEAVING and not (looping and node[0] in ("break", "again")))


def _spends_fuel(node: Node) -> bool:
    """Return whether something in a node spends fuel."""
    return any(i[0] == "spend" for i in flatten([node]))


def _has_loops(nodes: Iterable[Node]) -> bool:
    """Return whether there is a loop in some nodes."""
    return any(
        isinstance(node, Nest) and (node.loops or _has_loops(node.body) or _has_loops(node.other)) for node in nodes
    )
