"""What the machine's lines call: errors, decisions, sets and zones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from rulewright.diagnostics import RulewrightError
from rulewright.generator import below, draw, shuffle
from rulewright.program import FUEL
from rulewright.state import State

Events = list[tuple[Any, ...]]

LARGEST_NUMBER = 2**31 - 1


class RuleError(RulewrightError):
    """The rules of an edition cannot go on: it divides by zero, never stops, or its numbers explode."""


class OutOfFuel(Exception):
    """More work between two decisions than any game needs; the argument is the block where it ran out."""


class Asked:
    """One seat's open decision: the site's number, what may be answered, how many, and the text's arguments."""

    __slots__ = ("arguments", "candidates", "least", "most", "seat", "site")

    def __init__(
        self,
        site: int,
        seat: int,
        candidates: Sequence[int],
        least: int,
        most: int,
        arguments: tuple[Any, ...],
    ) -> None:
        self.site, self.seat, self.candidates, self.arguments = site, seat, candidates, arguments
        self.most = most if most < len(candidates) else len(candidates)
        self.least = least if least < self.most else self.most


def pick(random: Callable[[], float], candidates: Sequence[int], least: int, most: int) -> tuple[int, ...]:
    """A random answer: first how many, then which, all equally likely; in the candidates' order."""
    size = len(candidates)
    most = min(most, size)
    if least < most:
        least += int(random() * (most - least + 1))
    wanted = min(least, most)
    if wanted == 1:
        return (candidates[int(random() * size)],)
    if not wanted:
        return ()
    chosen: list[int] = []
    for index, item in enumerate(candidates):
        if wanted and random() * (size - index) < wanted:
            chosen.append(item)
            wanted -= 1
    return tuple(chosen)


def nowhere(s: State, out: Events | None, asked: list[Asked]) -> Any:
    raise RuleError("This position does not belong to these rules.")


def _fail(message: str) -> None:
    raise RuleError(message)


def _divide(place: str) -> int:
    raise RuleError(f"{place}: this divides by zero.")


def _counted(number: int, place: str) -> int:
    if not -LARGEST_NUMBER <= number <= LARGEST_NUMBER:
        raise RuleError(f"{place}: the number grows beyond {LARGEST_NUMBER:,}.")
    return int(number)


def _sort(items: Sequence[int], *keys: Sequence[int]) -> tuple[Sequence[int], ...]:
    if len(items) < 2:
        return (items, *keys)
    ranks: Sequence[Any] = keys[0] if len(keys) == 1 else list(zip(*keys, strict=True))
    if len(items) == 2:
        if ranks[0] <= ranks[1]:
            return (items, *keys)
        return tuple(column[::-1] for column in (items, *keys))
    order = sorted(range(len(items)), key=ranks.__getitem__)
    return tuple([column[i] for i in order] for column in (items, *keys))


def _classes(*keys: list[int]) -> list[int]:
    classes: list[int] = []
    for i in range(len(keys[0])):
        equal = i > 0 and all(key[i] == key[i - 1] for key in keys)
        classes.append(classes[-1] + (not equal) if classes else 0)
    return classes


def _largest_group(items: Sequence[int], keys: Sequence[int], rank: int) -> list[int]:
    sizes = Counter(keys)
    largest = sorted(sizes, key=lambda key: -sizes[key])
    if not 1 <= rank <= len(largest):
        return []
    return [item for item, key in zip(items, keys, strict=True) if key == largest[rank - 1]]


OVER_VALUES: dict[str, Any] = {
    "Asked": Asked,
    "OutOfFuel": OutOfFuel,
    "below": below,
    "classes": _classes,
    "counted": _counted,
    "divide": _divide,
    "draw": draw,
    "fail": _fail,
    "largest_group": _largest_group,
    "pick": pick,
    "sort": _sort,
}


def over_state(at: int) -> dict[str, Any]:
    """What moves pieces; `at` is where the state holds the address of each piece's zone."""

    def move(s: State, piece: int, zone: int, under: int) -> None:
        source = s[at + piece]
        left = list(s[source])
        left.remove(piece)
        s[source] = tuple(left)
        s[zone] = (piece, *s[zone]) if under else (*s[zone], piece)
        s[at + piece] = zone

    def deal(s: State, source: int, zone: int, wanted: int, under: int, refill: int) -> None:
        while wanted > 0:
            pieces = s[source]
            dealt = pieces[: -wanted - 1 : -1]
            if dealt:
                s[source] = pieces[:-wanted]
                s[zone] = dealt[::-1] + s[zone] if under else s[zone] + dealt
                for piece in dealt:
                    s[at + piece] = zone
                wanted -= len(dealt)
            if not wanted or refill < 0 or not s[refill]:
                return
            pour(s, refill, source)

    def spill(s: State, source: int, zone: int) -> None:
        if source != zone:
            pieces = s[source]
            for piece in pieces:
                s[at + piece] = zone
            s[source] = ()
            s[zone] += pieces

    def pour(s: State, source: int, zone: int) -> None:
        spill(s, source, zone)
        shuffle_zone(s, zone)

    def swap(s: State, one: int, other: int) -> None:
        here, there = s[at + one], s[at + other]
        exchange = {one: other, other: one}
        for zone in {here, there}:
            s[zone] = tuple(exchange.get(piece, piece) for piece in s[zone])
        s[at + one], s[at + other] = there, here

    def shuffle_zone(s: State, zone: int) -> None:
        items = list(s[zone])
        s[FUEL] -= len(items)
        shuffle(s, items)
        s[zone] = tuple(items)

    def located(s: State, pieces: Sequence[int]) -> list[tuple[int, int]]:
        return [(piece, s[at + piece]) for piece in pieces]

    return {
        "move": move,
        "deal": deal,
        "spill": spill,
        "pour": pour,
        "shuffle": shuffle_zone,
        "swap": swap,
        "located": located,
    }
