"""Random answers: of all answers to a question each is equally likely, as `spec/RANDOM.md` has it.

An answer is what can be told apart: candidates that look alike to the seat that is asked are one choice, of which an
answer takes so many. Native code draws the same numbers (`pick` and `pick_alike` in native/library/answers.c).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, reduce
from itertools import islice
from operator import add

from rulewright.program.appearance import unlike_pieces
from rulewright.program.form import Program
from rulewright.runtime.state import State

ALONE, UNSEEN, SEEN = range(3)
"""How a seat tells pieces in a zone apart: it has room for one; by nothing; by what they show."""

_MOST_REMEMBERED = 4000


def pick(
    random: Callable[[], float],
    candidates: Sequence[int],
    least: int,
    most: int,
    key: Callable[[int], Hashable] | None = None,
) -> tuple[int, ...]:
    """Return a random answer, in the candidates' order. key: of a candidate, what is the same for those that look like
    it, of which the first ones are taken; None where all differ."""
    size = len(candidates)
    limit = min(most, size)
    if limit <= 1:
        return _one(random, candidates, least, key) if limit == 1 else ()
    if key is not None:
        keys = [key(item) for item in candidates]
        kinds = dict.fromkeys(keys, 0)
        if len(kinds) < size:
            for one in keys:
                kinds[one] += 1
            return _of_alike(random, candidates, keys, kinds, least, limit)
    return _of_unlike(random, candidates, least, limit)


def _one(
    random: Callable[[], float], candidates: Sequence[int], least: int, key: Callable[[int], Hashable] | None
) -> tuple[int, ...]:
    """One candidate, or none where that is an answer too."""
    none = int(least < 1)
    while (place := int(random() * (len(candidates) + none)) - none) >= 0:
        item = candidates[place]
        if key is None or not place:
            return (item,)
        like = key(item)
        if all(key(other) != like for other in islice(candidates, place)):
            return (item,)
    return ()


def _of_unlike(random: Callable[[], float], candidates: Sequence[int], least: int, limit: int) -> tuple[int, ...]:
    size = len(candidates)
    wanted = limit if least >= limit else _size(random, _sets(size, max(least, 0), limit), max(least, 0), limit)
    if wanted == 1:
        return (candidates[int(random() * size)],)
    if not wanted:
        return ()
    if wanted == size:
        return tuple(candidates)
    chosen: list[int] = []
    for item in candidates:
        if random() * size < wanted:
            chosen.append(item)
            wanted -= 1
            if not wanted:
                break
        size -= 1
    return tuple(chosen)


def _of_alike(
    random: Callable[[], float],
    candidates: Sequence[int],
    keys: Sequence[Hashable],
    kinds: dict[Hashable, int],
    least: int,
    limit: int,
) -> tuple[int, ...]:
    """kinds: how many candidates have each key."""
    ways = _ways(tuple(kinds.values()), limit)
    wanted = limit if least >= limit else _size(random, ways[0][max(least, 0) : limit + 1], max(least, 0), limit)
    if not wanted:
        return ()
    if wanted == len(candidates):
        return tuple(candidates)
    for (key, count), here, rest in zip(kinds.items(), ways, ways[1:], strict=False):
        taken = 0
        if wanted:
            left, most = random() * here[wanted], min(count, wanted)
            while taken < most and left >= rest[wanted - taken]:
                left -= rest[wanted - taken]
                taken += 1
        kinds[key] = taken
        wanted -= taken
    chosen: list[int] = []
    for item, key in zip(candidates, keys, strict=True):
        if kinds[key]:
            kinds[key] -= 1
            chosen.append(item)
    return tuple(chosen)


def _size(random: Callable[[], float], sets: Sequence[float], least: int, limit: int) -> int:
    """How many are chosen. sets: of each number from least to limit, how many sets of so many there are."""
    left = random() * _added_up(sets)
    for wanted in range(least, limit):
        if left < sets[wanted - least]:
            return wanted
        left -= sets[wanted - least]
    return limit


@lru_cache(_MOST_REMEMBERED)
def _sets(size: int, least: int, limit: int) -> list[float]:
    """How many sets of each number from least to limit there are of so many different things, counted in sets of the
    first of these numbers."""
    found = [1.0]
    for wanted in range(least, limit):
        found.append(found[-1] * (size - wanted) / (wanted + 1))
    return found


@lru_cache(_MOST_REMEMBERED)
def _ways(counts: tuple[int, ...], limit: int) -> list[list[float]]:
    """From each kind on, and behind the last, in how many ways 0, 1 … limit of them can be chosen. counts: how many
    there are of each."""
    rows = [[1.0] + [0.0] * limit]
    for count in reversed(counts):
        rest = rows[-1]
        rows.append([_added_up(rest[max(0, wanted - count) : wanted + 1][::-1]) for wanted in range(limit + 1)])
    return rows[::-1]


def _added_up(numbers: Sequence[float]) -> float:
    """Their sum, one after the other: `sum` itself rounds otherwise in newer versions of Python."""
    return reduce(add, numbers, 0.0)


class RandomAnswers:
    """Random answers to the questions of one program, in its states."""

    def __init__(self, program: Program) -> None:
        layout = program.layout
        self._at, self._look = layout.at, program.look
        self._sight, self._unlike = sight_of_zones(program), unlike_pieces(program)

    def pick_alike(
        self,
        s: State,
        random: Callable[[], float],
        candidates: Sequence[int],
        least: int,
        most: int,
        seat: int,
        apart: int,
    ) -> tuple[int, ...]:
        """Pick pieces. seat: who looks at them; apart: whether those that look alike are told apart by their places."""
        if apart:
            return pick(random, candidates, least, most)
        at, sight, unlike, look = self._at, self._sight[seat], self._unlike, self._look

        def key(piece: int) -> Hashable:
            zone: int = s[at + piece]
            if sight[zone] == UNSEEN:
                return zone
            return ~piece if sight[zone] == ALONE or unlike[piece] else (zone, look(s, piece))

        return pick(random, candidates, least, most, key)


def sight_of_zones(program: Program) -> list[bytes]:
    """How each seat tells pieces apart, by the address of the zone that they lie in."""
    size = 1 + max((space.address for space in program.layout.spaces), default=0)
    found = [bytearray(size) for _ in range(program.layout.seats)]
    for seat, sight in enumerate(found):
        for space in program.layout.spaces:
            if space.capacity > 1:
                sight[space.address] = SEEN if space.is_seen_by(seat) else UNSEEN
    return [bytes(sight) for sight in found]
