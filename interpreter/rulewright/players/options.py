"""What a seat is offered, told apart as the seat can: equal pieces are one option unless their places matter, and so
are all hidden ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.view import sees

UNSEEN = -1

AnswerKey = int
"""A number, seat, word, branch … as it is; a piece by what it shows and the zone it lies in, and which of equal ones it
is where that matters; or UNSEEN."""


class Eyes:
    """How one seat tells things apart, in states and in what it knows of them."""

    def __init__(self, machine: Machine, seat: int) -> None:
        program, layout = machine.program, machine.program.layout
        self._program, self._at, self._size = program, layout.at, layout.size
        self._types = () if layout.faces else program.type_of
        self._sites, self._seat = program.sites, seat
        self._looks = layout.size * (len(program.types) + 1)
        self._seen = frozenset(space.address for space in layout.spaces if sees(space, seat))

    def options(self, s: Sequence[Any], asked: OpenDecision) -> dict[AnswerKey, list[int]]:
        """The candidates of each option, in the order in which they are offered. s: the cells of a state, of which sets
        are not needed."""
        site = self._sites[asked.site]
        if site.element.base != "piece":
            return {item: [item] for item in asked.candidates}
        if site.apart(s, self._seat):
            return self._by_place(s, asked)
        found: dict[AnswerKey, list[int]] = {}
        types, look, at, size, seen = self._types, self._program.look, self._at, self._size, self._seen
        for piece in asked.candidates:
            address = s[at + piece]
            key = (types[piece] if types else look(s, piece)) * size + address if address in seen else UNSEEN
            if key in found:
                found[key].append(piece)
            else:
                found[key] = [piece]
        return found

    def _by_place(self, s: Sequence[Any], asked: OpenDecision) -> dict[AnswerKey, list[int]]:
        """The same, each of equal pieces an option of its own: they are offered in the order in which they lie."""
        found: dict[AnswerKey, list[int]] = {}
        met: Counter[AnswerKey] = Counter()
        for piece in asked.candidates:
            address = s[self._at + piece]
            if address in self._seen:
                look = self._program.look(s, piece) * self._size + address
                found[look + met[look] * self._looks] = [piece]
                met[look] += 1
            else:
                found.setdefault(UNSEEN, []).append(piece)
        return found


def answer_of(options: dict[AnswerKey, list[int]], keys: Sequence[AnswerKey], asked: OpenDecision) -> list[int]:
    """The candidates that options stand for, in the order in which they are offered: of equal ones, the first."""
    used: dict[AnswerKey, int] = {}
    chosen = []
    for key in keys:
        chosen.append(options[key][used.setdefault(key, 0)])
        used[key] += 1
    order = {item: place for place, item in enumerate(asked.candidates)}
    return sorted(chosen, key=order.__getitem__)
