"""Room around the spaces of a board, where rules go by what is connected: a guess at what is worth trying first."""

from __future__ import annotations

from functools import lru_cache

from rulewright.program.features import neighbours_of
from rulewright.program.form import Program
from rulewright.runtime.machine import OpenDecision


def room_of_candidates(program: Program, decision: OpenDecision) -> dict[int, float]:
    """Return by place how many spaces lie within two steps of each candidate, as a part of the most, less the average
    of all candidates; nothing where they are no spaces, or rules go by no connected ones on their board."""
    element = program.sites[decision.site].element
    if element.base != "word" or not isinstance(element.detail, str):
        return {}
    spaces = len(program.words.get(element.detail, ()))
    width, table = next(neighbours_of(program, spaces), (0, 0))
    if not width:
        return {}
    room = _room_of_spaces(program.tables[table], width)
    average = sum(room[item] for item in decision.candidates) / len(decision.candidates)
    return {place: room[item] - average for place, item in enumerate(decision.candidates)}


@lru_cache(maxsize=32)
def _room_of_spaces(rows: tuple[int, ...], width: int) -> tuple[float, ...]:
    """Return the part of each space. rows: of the neighbours of each, with so many entries, padded with -1; one entry
    stands behind them all."""
    count = len(rows) // width
    neighbours = [{item for item in rows[space * width : (space + 1) * width] if item >= 0} for space in range(count)]
    near = [
        len(set().union(own, *(neighbours[item] for item in own)) - {space}) for space, own in enumerate(neighbours)
    ]
    most = max(near, default=1) or 1
    return tuple(number / most for number in near)
