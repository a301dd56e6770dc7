"""Search in native code, where nothing is hidden: `library/tree.c` grows a tree of answers in the executor's memory."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence

from rulewright.base.records import record
from rulewright.program.form import Program
from rulewright.runtime.native import memory
from rulewright.runtime.native.engine import Instance

NONE_MORE = -1
"""Place that stands for no further candidate."""
LOST, EVEN, WON = 1, 2, 3
"""Certain results of a choice; 0 where there is none."""
_CHOICE = struct.Struct("<iidIBBhif")
_NODE = struct.Struct("<qIIIIIIiihhf")


@record
class EndTerms:
    """Terms of the value that the end of a try has for a seat: a share for its place, as the part of the others that it
    has beaten, and for the rest its lead.

    - at_end, before_end: weight of the place, from 0 to 1, where the game is over, and where it was broken off
    - together: whether all seats are on one side, so that their points alone count
    - sides: of each seat
    - middles: of each seat, the lead that is worth half
    - scale: of leads, which are divided by it
    """

    at_end: float
    before_end: float
    together: bool
    sides: Sequence[int]
    middles: Sequence[float]
    scale: float


@record
class SearchTerms:
    """Terms of a search.

    - rollouts: from each leaf
    - most: decisions of a rollout, None for whole games
    - exploration: weight of rarely tried answers
    - first_value: of an answer that was never tried
    - by_margin: whether a certain win may still be a higher one
    - amaf_bias: how far answers that were given later mislead about the same ones now, None where they are not looked
      at
    - amaf_exploration: weight of rarely tried answers where they are
    - lead_weight: of the lead that best play seems to lead to, where two sides contend, against the mean of an answer's
      games
    - freedom_weight: of how many candidates a side has for an answer of a rollout, more than the other one
    """

    rollouts: int
    most: int | None
    exploration: float
    first_value: float
    by_margin: bool = False
    amaf_bias: float | None = None
    amaf_exploration: float = 0.0
    lead_weight: float = 0.0
    freedom_weight: float = 0.0


@record
class TriedChoice:
    """Choice of the root: place of its candidate or NONE_MORE; number of tries; their mean value. known: LOST, EVEN or
    WON where that is certain, else 0."""

    place: int
    visits: int
    mean: float
    known: int


def by_tries(choice: TriedChoice) -> tuple[int, float, int]:
    """Return a key by which the choice tried most is the greatest; of equal ones the better, then the first."""
    return choice.visits, choice.mean, -choice.place


def is_searched_natively(program: Program) -> bool:
    """Return whether nothing is ever hidden in a game, and one seat is asked at a time."""
    layout = program.layout
    return not program.sealed and layout.memory < 0 and all(space.seen_by == "all" for space in layout.zones)


def pack_sides(sides: Sequence[int]) -> bytes:
    """Return the sides of all seats, numbered from 0 in their order, as they lie in memory."""
    numbers = {side: number for number, side in enumerate(dict.fromkeys(sides))}
    even = [*(numbers[side] for side in sides), *[0] * (len(sides) % 2)]
    return struct.pack(f"<{len(even)}i", *even)


def pack_terms(seed: int, terms: SearchTerms, ends: EndTerms) -> bytes:
    """Return the terms of a search as they lie in memory."""
    contest = len(set(ends.sides)) == 2 and not ends.together
    most = memory.TO_THE_END if terms.most is None else terms.most
    head = memory.SEARCH.pack(
        *(seed, 0, terms.rollouts, most, contest, ends.together, 0, 0, terms.by_margin, 0, 0),
        *(ends.at_end, ends.before_end, terms.exploration, terms.first_value, 2 * ends.scale),
        *(terms.amaf_exploration, -1.0 if terms.amaf_bias is None else terms.amaf_bias, terms.lead_weight),
        *(terms.freedom_weight if contest else 0.0, 0, 0, 0, 0),
    )
    return head + pack_sides(ends.sides) + struct.pack(f"<{len(ends.middles)}d", *ends.middles)


class Tree:
    """Tree in an executor's memory; a search ends where another one begins. check: raises RuleError for how a run
    ended, if that is an error."""

    def __init__(self, instance: Instance, layout: memory.Memory, check: Callable[[int], None]) -> None:
        self._instance, self._layout, self._check = instance, layout, check

    def begin(self, packed: bytes, seed: int, terms: SearchTerms, ends: EndTerms) -> bool:
        """Plant a tree at the question of a state; return whether there is a question and room for it. Raises
        RuleError."""
        self._instance.write(self._layout.state, packed)
        self._instance.write(self._layout.search, pack_terms(seed, terms, ends))
        ended = self._instance.call("search_begin")
        self._check(ended)
        return bool(ended == memory.ASKING)

    def prefer(self, values: Sequence[float]) -> None:
        """Add a value for each candidate to that of the root's choice when choices are compared, if there is room."""
        data = struct.pack(f"<{1 + len(values)}f", 0.0, *values)
        if address := self._instance.call("search_preferences", len(data)):
            self._instance.write(address, data)

    def expect(self, values: Mapping[int, float]) -> None:
        """Add values to those of answers to the root's kind of question, the less the oftener they have been tried; of
        no use where later answers do not count. values: by the places of candidates of the root."""
        for place, value in values.items():
            self._instance.call("search_expect", place, round(1000 * value))

    def grow(self, tries: int) -> int:
        """Make tries, fewer if the result becomes certain; return how many were made."""
        self._instance.write(self._layout.search + memory.LONG, struct.pack("<i", tries))
        return int(self._instance.call("search_on"))

    def choices(self, picks: Sequence[int] = ()) -> list[TriedChoice]:
        """Return the choices at the root, or after some places were picked there; none where nothing was tried."""
        node = self._root
        for pick in picks:
            node = next((choice[3] for choice in self._choices(node) if choice[0] == pick and choice[3]), 0)
        entries = self._choices(node) if node else ()
        return [
            TriedChoice(place, visits, total / visits if visits else 0.0, known)
            for place, visits, total, _, known, *_ in entries
        ]

    @property
    def bytes_used(self) -> int:
        """Bytes that the tree takes."""
        return int(self._head()[6]) - self._layout.tree

    @property
    def _root(self) -> int:
        """Address of the root."""
        return int(self._head()[9])

    def _head(self) -> tuple[int | float, ...]:
        """Return how the search stands, as it lies in memory."""
        return memory.SEARCH.unpack(self._instance.read(self._layout.search, memory.SEARCH.size))

    def _choices(self, node: int) -> Iterator[tuple[int, int, float, int, int, int, int, int, float]]:
        """Yield the choices of a node as they lie in memory."""
        parts = _NODE.unpack(self._instance.read(node, _NODE.size))
        first, count = parts[4], parts[7]
        return _CHOICE.iter_unpack(self._instance.read(first, count * _CHOICE.size)) if first else iter(())
