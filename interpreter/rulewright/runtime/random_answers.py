"""Random answers: all answers to a question are equally likely, as in `spec/RANDOM.md`.

Answers count as different only if the seat can distinguish them: equal candidates are one choice, of which an answer
takes a number. Native code draws the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, reduce
from itertools import islice
from operator import add

from rulewright.program.appearance import distinct_pieces
from rulewright.program.form import Program
from rulewright.runtime.state import State

SINGLE_PIECE, HIDDEN_PIECES, VISIBLE_PIECES = range(3)
"""Manner in which a seat distinguishes pieces in a zone: there is room for one; not at all; by appearance."""

_MAX_CACHED = 4000
"""Maximum number of results that each function below keeps."""


def pick(
    random: Callable[[], float],
    candidates: Sequence[int],
    least: int,
    most: int,
    key: Callable[[int], Hashable] | None = None,
) -> tuple[int, ...]:
    """Return a random answer, in the candidates' order. key: equal for indistinguishable candidates, of which the first
    ones are taken; None if all differ."""
    size = len(candidates)
    limit = min(most, size)
    if limit <= 1:
        return _pick_one(random, candidates, least, key) if limit == 1 else ()
    if key is not None:
        keys = [key(item) for item in candidates]
        kinds = dict.fromkeys(keys, 0)
        if len(kinds) < size:
            for one in keys:
                kinds[one] += 1
            return _pick_with_equals(random, candidates, keys, kinds, least, limit)
    return _pick_distinct(random, candidates, least, limit)


def _pick_one(
    random: Callable[[], float], candidates: Sequence[int], least: int, key: Callable[[int], Hashable] | None
) -> tuple[int, ...]:
    """Pick one candidate, or none if that is an answer, too."""
    none = int(least < 1)
    while (place := int(random() * (len(candidates) + none)) - none) >= 0:
        item = candidates[place]
        if key is None or not place:
            return (item,)
        like = key(item)
        if all(key(other) != like for other in islice(candidates, place)):
            return (item,)
    return ()


def _pick_distinct(random: Callable[[], float], candidates: Sequence[int], least: int, limit: int) -> tuple[int, ...]:
    """Pick among different candidates: draw the size of the answer, then its items in order."""
    size = len(candidates)
    size_of_answer = (
        limit if least >= limit else _draw_size(random, _count_sets(size, max(least, 0), limit), max(least, 0), limit)
    )
    if size_of_answer == 1:
        return (candidates[int(random() * size)],)
    if not size_of_answer:
        return ()
    if size_of_answer == size:
        return tuple(candidates)
    result: list[int] = []
    for item in candidates:
        if random() * size < size_of_answer:
            result.append(item)
            size_of_answer -= 1
            if not size_of_answer:
                break
        size -= 1
    return tuple(result)


def _pick_with_equals(
    random: Callable[[], float],
    candidates: Sequence[int],
    keys: Sequence[Hashable],
    kinds: dict[Hashable, int],
    least: int,
    limit: int,
) -> tuple[int, ...]:
    """Pick among candidates with equal ones. kinds: number of candidates with each key."""
    counts_by_kind = _count_choices(tuple(kinds.values()), limit)
    size_of_answer = (
        limit
        if least >= limit
        else _draw_size(random, counts_by_kind[0][max(least, 0) : limit + 1], max(least, 0), limit)
    )
    if not size_of_answer:
        return ()
    if size_of_answer == len(candidates):
        return tuple(candidates)
    for (key, count), here_counts, rest in zip(kinds.items(), counts_by_kind, counts_by_kind[1:], strict=False):
        number_taken = 0
        if size_of_answer:
            left, most = random() * here_counts[size_of_answer], min(count, size_of_answer)
            while number_taken < most and left >= rest[size_of_answer - number_taken]:
                left -= rest[size_of_answer - number_taken]
                number_taken += 1
        kinds[key] = number_taken
        size_of_answer -= number_taken
    result: list[int] = []
    for item, key in zip(candidates, keys, strict=True):
        if kinds[key]:
            kinds[key] -= 1
            result.append(item)
    return tuple(result)


def _draw_size(random: Callable[[], float], sets: Sequence[float], least: int, limit: int) -> int:
    """Draw the number of items. sets: number of sets of each size from least to limit."""
    left = random() * _sum_in_order(sets)
    for number in range(least, limit):
        if left < sets[number - least]:
            return number
        left -= sets[number - least]
    return limit


@lru_cache(_MAX_CACHED)
def _count_sets(size: int, least: int, limit: int) -> list[float]:
    """Count the sets of each size from least to limit of different items, as multiples of the first."""
    result = [1.0]
    for number in range(least, limit):
        result.append(result[-1] * (size - number) / (number + 1))
    return result


@lru_cache(_MAX_CACHED)
def _count_choices(counts: tuple[int, ...], limit: int) -> list[list[float]]:
    """Count, from each kind on and after the last, the ways to choose 0, 1 … limit items. counts: of each kind."""
    rows = [[1.0] + [0.0] * limit]
    for count in reversed(counts):
        rest = rows[-1]
        rows.append([_sum_in_order(rest[max(0, number - count) : number + 1][::-1]) for number in range(limit + 1)])
    return rows[::-1]


def _sum_in_order(numbers: Sequence[float]) -> float:
    """Add numbers in order; `sum` itself rounds differently in newer versions of Python."""
    return reduce(add, numbers, 0.0)


class RandomAnswers:
    """Random answers to the questions of one program, in its states."""

    def __init__(self, program: Program) -> None:
        layout = program.layout
        self._zone_cells, self._appearance = layout.piece_zones, program.appearance
        self._sight, self._unlike = sight_of_zones(program), distinct_pieces(program)

    def pick_alike(
        self,
        s: State,
        random: Callable[[], float],
        candidates: Sequence[int],
        least: int,
        most: int,
        seat: int,
        by_place: int,
    ) -> tuple[int, ...]:
        """Pick pieces. seat: the chooser; by_place: whether equal pieces are distinguished by place."""
        if by_place:
            return pick(random, candidates, least, most)
        zone_cells, sight, unlike, look = self._zone_cells, self._sight[seat], self._unlike, self._appearance

        def key(piece: int) -> Hashable:
            zone: int = s[zone_cells + piece]
            if sight[zone] == HIDDEN_PIECES:
                return zone
            return ~piece if sight[zone] == SINGLE_PIECE or unlike[piece] else (zone, look(s, piece))

        return pick(random, candidates, least, most, key)


def sight_of_zones(program: Program) -> list[bytes]:
    """Return for each seat how it distinguishes pieces, by the address of their zone."""
    size = 1 + max((space.address for space in program.layout.zones), default=0)
    result = [bytearray(size) for _ in range(program.layout.seats)]
    for seat, sight in enumerate(result):
        for space in program.layout.zones:
            if space.capacity > 1:
                sight[space.address] = VISIBLE_PIECES if space.is_seen_by(seat) else HIDDEN_PIECES
    return [bytes(sight) for sight in result]
