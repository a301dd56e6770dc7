"""Sinking of vectors into the only branch that needs them.

Whether a choice has any candidates must be known before its branch; but for that, they need not be
listed. So a filter whose vector is read in one branch only is replaced outside by a test for emptiness.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from rulewright.program.blocks import Nest, Node, flatten
from rulewright.program.instructions import Instruction
from rulewright.program.passes.simplification import names_set_by, names_used_by

_SINKABLE = frozenset(["filter", "select"])
"""Operations whose vectors may be computed later: they take time for each item, and read no state."""


def sink_vectors(body: list[Node]) -> list[Node]:
    """Return the code with each vector that a single branch needs computed in there."""
    code = flatten(body)
    times_set = Counter(chain.from_iterable(map(names_set_by, code)))
    once = {name for name, times in times_set.items() if times == 1}
    makers = (i for i in code if i[0] in _SINKABLE and once.issuperset([*names_set_by(i), *names_used_by(i)]))
    names = {name for maker in makers for name in names_set_by(maker)}
    return _Sinking(names, body).sink(body) if names else body


@dataclass
class _SunkVector:
    """Candidate for sinking. place: index of the instruction that makes it; tests: indices of tests for emptiness, each
    with its register."""

    maker: Instruction
    place: int
    tests: list[tuple[int, int]] = field(default_factory=list)


class _Sinking:
    """Sinking of candidates. names: the vectors that may sink."""

    def __init__(self, names: set[str], body: list[Node]) -> None:
        self._names = names
        self._inside: dict[int, Counter[str]] = {}  # by a nest's identity
        self._uses = self._count_uses(body)

    def _count_uses(self, nodes: Iterable[Node]) -> Counter[str]:
        """Count the uses of the candidates in some nodes."""
        result = Counter[str]()
        for node in nodes:
            if not isinstance(node, Nest):
                result.update(self._names.intersection(names_used_by(node)))
                continue
            if id(node) not in self._inside:
                opening: list[Node] = [node.opening]
                self._inside[id(node)] = self._count_uses([*opening, *node.body, *node.other])
            if self._inside[id(node)]:
                result.update(self._inside[id(node)])
        return result

    def sink(self, nodes: list[Node]) -> list[Node]:
        """Return nodes with each vector made inside the branch that uses it, if no other branch does."""
        code: list[Node | None] = []
        waiting: dict[str, _SunkVector] = {}

        def remove_maker(name: str) -> Instruction:
            """Remove the making of a vector of which only the emptiness is asked."""
            vector = waiting.pop(name)
            code[vector.place] = None
            for place, register in vector.tests:
                code[place] = ("none_of", register, *vector.maker[2:])
            return vector.maker

        for place, node in enumerate(nodes):
            if isinstance(node, Nest):
                branches = [node.body, node.other]
                inside = [self._count_uses(branch) for branch in branches] if waiting else []
                for name, vector in list(waiting.items()):
                    counts = [branch[name] for branch in inside]
                    if any(counts) and not node.loops and max(counts) == self._uses[name] - len(vector.tests):
                        into = counts.index(max(counts))
                        branches[into] = [remove_maker(name), *branches[into]]
                    elif any(counts) or name in names_used_by(node.opening):
                        del waiting[name]
                code.append(Nest(node.opening, *map(self.sink, branches)))
                continue
            for name in waiting.keys() & names_used_by(node):
                if node[0] == "empty" and waiting[name].maker[0] == "filter":
                    waiting[name].tests.append((len(code), int(node[1])))
                else:
                    del waiting[name]
            for name in self._names.intersection(names_set_by(node)):
                if self._count_uses(nodes[place + 1 :])[name] == self._uses[name]:
                    waiting[name] = _SunkVector(node, len(code))
            code.append(node)
        for name in list(waiting):
            remove_maker(name)  # nothing is left that needs more of it
        return [node for node in code if node is not None]
