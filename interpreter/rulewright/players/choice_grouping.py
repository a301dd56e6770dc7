"""Grouping of candidates that a seat cannot tell apart.

Pieces of one zone that look the same to it, hidden ones included, are one choice unless their places matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulewright.runtime.machine import Machine, OpenDecision
from rulewright.runtime.view import sees_zone

UNSEEN = -1
"""Greatest key of unseen pieces: their keys go down from here, by the zone that they are in."""

AnswerKey = int
"""Key of a choice. A number, seat, word, branch … is its own key; a piece's key encodes its zone, its appearance if the
seat sees it, and its rank among equal pieces where places matter."""


class SeatCandidates:
    """Groups candidates for one seat, in states and in what the seat knows of them."""

    def __init__(self, machine: Machine, seat: int) -> None:
        program, layout = machine.program, machine.program.layout
        self._program, self._addresses, self._size = program, layout.piece_zones, layout.size
        self._types = () if layout.faces or layout.marks else program.type_of
        self._sites, self._seat = program.sites, seat
        self._faces, self._pieces = len(program.types), layout.pieces
        self._looks = layout.size * (len(program.types) + 1)
        self._visible_zones = frozenset(space.address for space in layout.zones if sees_zone(space, seat))

    def choices(self, s: Sequence[Any], decision: OpenDecision) -> dict[AnswerKey, list[int]]:
        """Return the candidates of each choice, in the order of the offer.

        s: the cells of a state (sets are not needed), or what the seat knows of it.
        """
        site = self._sites[decision.site]
        if site.element.base != "piece":
            return {item: [item] for item in decision.candidates}
        places_matter = site.distinguishes_places(s, self._seat)
        choices: dict[AnswerKey, list[int]] = {}
        counts: Counter[AnswerKey] = Counter()
        types, look, first_address, size, visible = (
            self._types,
            self._program.appearance,
            self._addresses,
            self._size,
            self._visible_zones,
        )
        for number, piece in enumerate(decision.candidates):
            address = s[first_address + piece]
            if address in visible:
                marks, face = (0, types[piece]) if types else divmod(look(s, piece), self._faces)
                key = face * size + address + marks * self._pieces * self._looks
            else:  # what a seat knows does not hold where it lies; the question does
                key = UNSEEN - (decision.spots[number] if address < 0 else address)
            if places_matter:  # they are offered in the order in which they lie
                counts[key] += 1
                key += (counts[key] - 1) * (self._looks if key >= 0 else -self._looks)
            if key in choices:
                choices[key].append(piece)
            else:
                choices[key] = [piece]
        return choices


def answer_of(choices: dict[AnswerKey, list[int]], keys: Sequence[AnswerKey], decision: OpenDecision) -> list[int]:
    """Return the candidates that keys stand for, in the order of the offer; of equal ones, the first."""
    order = {item: place for place, item in enumerate(decision.candidates)}
    return sorted(candidates_of(choices, keys), key=order.__getitem__)


def candidates_of(choices: dict[AnswerKey, list[int]], keys: Sequence[AnswerKey]) -> list[int]:
    """Return the candidates that keys stand for, in the order of the keys; of equal ones, the first."""
    taken_counts: dict[AnswerKey, int] = {}
    candidates = []
    for key in keys:
        candidates.append(choices[key][taken_counts.setdefault(key, 0)])
        taken_counts[key] += 1
    return candidates
