"""What a seat is offered, told apart as the seat can: equal pieces are one option, and so are all hidden ones."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import Any

from rulewright.machine import Asked, Machine
from rulewright.state import State
from rulewright.view import sees

UNSEEN = -1

Key = int
"""A number, seat, word, branch … as it is; a piece by what it shows and the zone it lies in, or UNSEEN."""


class Eyes:
    """How one seat tells things apart, in states and in what it knows of them."""

    def __init__(self, machine: Machine, seat: int) -> None:
        program, layout = machine.program, machine.program.layout
        self._program, self._at, self._size = program, layout.at, layout.size
        self._faces = bool(layout.faces)
        self._sites = [site.element.base == "piece" for site in program.sites]
        self._seen = frozenset(space.address for space in layout.spaces if sees(space, seat))
        counters = sorted({c.address + n for c in layout.counters for n in range(c.cells)})
        everybodys = [space.address for space in layout.spaces if space.seen_by == "all"]
        self._open, self._own = _Cells(everybodys), _Cells(sorted(self._seen))
        self._counters = _Cells(counters)
        self._shown = _Shown(program.type_of)

    def options(self, s: State, asked: Asked) -> dict[Key, list[int]]:
        """The candidates of each option, in the order in which they are offered."""
        if not self._sites[asked.site]:
            return {item: [item] for item in asked.candidates}
        found: dict[Key, list[int]] = {}
        look, at, size, seen = self._program.look, self._at, self._size, self._seen
        for piece in asked.candidates:
            address = s[at + piece]
            key = look(s, piece) * size + address if address in seen else UNSEEN
            found.setdefault(key, []).append(piece)
        return found

    def glance(self, s: State, openly: bool) -> Hashable:
        """A number for all that this seat sees; openly: for all that everybody sees."""
        zones = (self._open if openly else self._own).of(s)
        if self._faces:
            look = self._program.look
            shown = tuple([tuple([look(s, piece) for piece in zone]) for zone in zones])
        else:
            shown = tuple(map(self._shown.__getitem__, zones))
        return hash((shown, self._counters.of(s)))


class _Cells:
    """Some cells of a state, fetched at once."""

    def __init__(self, addresses: Sequence[int]) -> None:
        self.of: Callable[[State], tuple[Any, ...]] = lambda s: tuple([s[address] for address in addresses])
        if len(addresses) > 1:
            self.of = itemgetter(*addresses)


class _Shown(dict[tuple[int, ...], tuple[int, ...]]):
    """The types of the pieces in a zone, remembered."""

    def __init__(self, types: Sequence[int]) -> None:
        super().__init__()
        self._types = types

    def __missing__(self, zone: tuple[int, ...]) -> tuple[int, ...]:
        self[zone] = shown = tuple([self._types[piece] for piece in zone])
        return shown


def answer_of(options: dict[Key, list[int]], keys: Sequence[Key], asked: Asked) -> list[int]:
    """The candidates that options stand for, in the order in which they are offered: of equal ones, the first."""
    used: dict[Key, int] = {}
    chosen = []
    for key in keys:
        chosen.append(options[key][used.setdefault(key, 0)])
        used[key] += 1
    order = {item: place for place, item in enumerate(asked.candidates)}
    return sorted(chosen, key=order.__getitem__)
