"""What a seat is offered, told apart as the seat can: what lies in one zone and is alike to it, as hidden pieces are,
is one option unless places matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.view import sees

UNSEEN = -1
"""What is not seen has this key or a smaller one, by the zone that it lies in."""

AnswerKey = int
"""A number, seat, word, branch … as it is; a piece by the zone it lies in and, if it is seen, what it shows, and which
of those that are alike it is where that matters."""


class Eyes:
    """How one seat tells things apart, in states and in what it knows of them."""

    def __init__(self, machine: Machine, seat: int) -> None:
        program, layout = machine.program, machine.program.layout
        self._program, self._at, self._size = program, layout.at, layout.size
        self._types = () if layout.faces or layout.marks else program.type_of
        self._sites, self._seat = program.sites, seat
        self._faces, self._pieces = len(program.types), layout.pieces
        self._looks = layout.size * (len(program.types) + 1)
        self._seen = frozenset(space.address for space in layout.spaces if sees(space, seat))

    def options(self, s: Sequence[Any], asked: OpenDecision) -> dict[AnswerKey, list[int]]:
        """The candidates of each option, in the order in which they are offered. s: the cells of a state, of which sets
        are not needed, or of what the seat knows of it."""
        site = self._sites[asked.site]
        if site.element.base != "piece":
            return {item: [item] for item in asked.candidates}
        apart = site.apart(s, self._seat)
        found: dict[AnswerKey, list[int]] = {}
        met: Counter[AnswerKey] = Counter()
        types, look, at, size, seen = self._types, self._program.look, self._at, self._size, self._seen
        for number, piece in enumerate(asked.candidates):
            address = s[at + piece]
            if address in seen:
                marks, face = (0, types[piece]) if types else divmod(look(s, piece), self._faces)
                key = face * size + address + marks * self._pieces * self._looks
            else:  # what a seat knows does not hold where it lies; the question does
                key = UNSEEN - (asked.spots[number] if address < 0 else address)
            if apart:  # they are offered in the order in which they lie
                met[key] += 1
                key += (met[key] - 1) * (self._looks if key >= 0 else -self._looks)
            if key in found:
                found[key].append(piece)
            else:
                found[key] = [piece]
        return found


def answer_of(options: dict[AnswerKey, list[int]], keys: Sequence[AnswerKey], asked: OpenDecision) -> list[int]:
    """The candidates that options stand for, in the order in which they are offered: of equal ones, the first."""
    order = {item: place for place, item in enumerate(asked.candidates)}
    return sorted(items_of(options, keys), key=order.__getitem__)


def items_of(options: dict[AnswerKey, list[int]], keys: Sequence[AnswerKey]) -> list[int]:
    """The candidates that options stand for, in the order of the keys: of equal ones, the first."""
    used: dict[AnswerKey, int] = {}
    chosen = []
    for key in keys:
        chosen.append(options[key][used.setdefault(key, 0)])
        used[key] += 1
    return chosen
