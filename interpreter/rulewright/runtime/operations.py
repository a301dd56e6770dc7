"""Runtime library of translated programs: errors, decisions, sets and zones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulewright.base.diagnostics import RulewrightError
from rulewright.program.form import Program
from rulewright.program.state_layout import FUEL, NOTHING
from rulewright.runtime.random_answers import RandomAnswers, pick
from rulewright.runtime.rng import Chance
from rulewright.runtime.state import State

Events = list[tuple[Any, ...]]
"""Log events: number of a text, the acting seat, and the text's arguments."""

MAX_NUMBER = 2**31 - 1
"""Greatest number that a cell can hold; the least is its opposite."""
FUEL_BETWEEN_DECISIONS = 1_000_000
"""Number of rounds of loops that may run until the next answer."""


class RuleError(RulewrightError):
    """Error of an edition's rules in play: division by zero, an endless loop, numbers out of range."""


class OutOfFuel(Exception):
    """Error: more work between two decisions than any game needs. The argument is the block in progress."""


class OutOfTime(Exception):
    """Error: time limit reached in the middle of a game."""


class OpenDecision:
    """Open decision of one seat: number of the site, candidates, minimum and maximum number (cut to
    what the candidates allow), arguments of the text.

    spots: zones of candidates that are pieces, for decisions from `Machine.open_decisions`; else empty.
    """

    __slots__ = ("arguments", "candidates", "least", "most", "seat", "site", "spots")

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
        self.spots: tuple[int, ...] = ()


# Error messages, the same from every executor.
FOREIGN_POSITION = "This position does not belong to these rules."
DIVISION_BY_ZERO = "{place}: this divides by zero."
NUMBER_TOO_LARGE = f"{{place}}: the number grows beyond {MAX_NUMBER:,}."
ENDLESS_RULES = (
    f"The rules never come to an end in '{{step}}': {FUEL_BETWEEN_DECISIONS:,} steps went by without "
    "anybody being asked. Look for a 'repeat' or 'go round' that nothing ends, or phases that ask nobody."
)
TOO_MUCH_WORK = (
    f"A score or text takes more than {FUEL_BETWEEN_DECISIONS:,} steps to work out. Look for conditions on "
    "sets inside conditions on sets."
)


def fail_at_foreign_position(s: State, out: Events | None, decisions: list[OpenDecision]) -> Any:
    """Raise the error of a state whose position is none of this program's blocks."""
    raise RuleError(FOREIGN_POSITION)


def _fail(message: str) -> None:
    """Raise the error that a sentence cannot be carried out; the message says why."""
    raise RuleError(message)


def _fail_at_division(place: str) -> int:
    """Raise the error of a division by zero."""
    raise RuleError(DIVISION_BY_ZERO.format(place=place))


def _checked(number: int, place: str) -> int:
    """Return a number, or raise RuleError if no cell can hold it. place: of the sentence, for the message."""
    if not -MAX_NUMBER <= number <= MAX_NUMBER:
        raise RuleError(NUMBER_TOO_LARGE.format(place=place))
    return int(number)


def _sort(items: Sequence[int], *keys: Sequence[int]) -> list[int]:
    """Return the items sorted by keys, stably."""
    ranks: Sequence[Any] = keys[0] if len(keys) == 1 else list(zip(*keys, strict=True))
    return [items[place] for place in sorted(range(len(items)), key=ranks.__getitem__)]


def _rank(items: Sequence[int], *keys: Sequence[int]) -> tuple[list[int], list[int]]:
    """Sort items by keys, stably; return them, and for each the number of items equal to it."""
    groups: dict[Any, list[int]] = {}
    for item, key in zip(items, zip(*keys, strict=True), strict=True):
        groups.setdefault(key, []).append(item)
    classes = [groups[key] for key in sorted(groups)]
    return [item for class_ in classes for item in class_], [len(class_) for class_ in classes for _ in class_]


def _take_fitting(items: Sequence[int], counts: Sequence[int], room: int) -> Sequence[int]:
    """Return the items that fit into the room, in order; what does not count always fits."""
    if len(items) <= room:
        return items
    fitting: list[int] = []
    for item in items:
        if not counts[item]:
            fitting.append(item)
        elif room > 0:
            fitting.append(item)
            room -= 1
    return fitting


def _largest_group(items: Sequence[int], keys: Sequence[int], rank: int) -> list[int]:
    """Return the items of the largest group with equal keys, or of the one with that rank, 1 for the largest; [] if
    there are fewer groups."""
    sizes: dict[int, int] = {}
    for key in keys:
        sizes[key] = sizes.get(key, 0) + 1
    if not 1 <= rank <= len(sizes):
        return []
    if len(sizes) == 1:
        return list(items)
    largest = max(sizes, key=sizes.__getitem__) if rank == 1 else sorted(sizes, key=lambda key: -sizes[key])[rank - 1]
    return [item for item, key in zip(items, keys, strict=True) if key == largest]


def _longest_run(numbers: Iterable[int]) -> int:
    """Return the length of the longest run of consecutive numbers."""
    longest = length = 0
    previous = None
    for number in sorted(set(numbers)):
        length = length + 1 if number - 1 == previous else 1
        longest, previous = max(longest, length), number
    return longest


def _within(items: Iterable[int], table: Sequence[int], among: Iterable[int]) -> list[int]:
    """Return the items whose entry in a table is among some."""
    allowed = frozenset(among)
    return [item for item in items if table[item] in allowed]


def _images(entries: Iterable[int]) -> list[int]:
    """Return the entries, each once, without nothing."""
    result = dict.fromkeys(entries)
    result.pop(NOTHING, None)
    return list(result)


def _row(table: Sequence[int], width: int, item: int) -> Sequence[int]:
    """Return the row of an item in a table of rows of a width."""
    return table[item * width : (item + 1) * width]


def _neighbours(items: Sequence[int], table: Sequence[int], width: int) -> list[int]:
    """Return what is in the rows of items, ascending, without these items and nothing."""
    neighbours = {other for item in items for other in _row(table, width, item)}
    return sorted(neighbours.difference(items, (NOTHING,)))


def _reached(s: State, origins: Iterable[int], land: Sequence[int], table: Sequence[int], width: int) -> list[int]:
    """Flood fill: return the reached part of the land, in its order. A large land costs fuel, since many fills are much
    work."""
    s[FUEL] -= len(land) // 16
    unseen = set(land)
    edge = unseen.intersection(origins)
    for origin in origins:
        edge |= unseen.intersection(_row(table, width, origin))
    while edge:
        unseen -= edge
        edge = unseen.intersection([other for item in edge for other in _row(table, width, item)])
    return [item for item in land if item not in unseen]


VALUE_OPERATIONS: dict[str, Any] = {
    "OpenDecision": OpenDecision,
    "RuleError": RuleError,
    "OutOfFuel": OutOfFuel,
    "beside": _neighbours,
    "checked": _checked,
    "fail_at_division": _fail_at_division,
    "fail": _fail,
    "fitting": _take_fitting,
    "images": _images,
    "largest_group": _largest_group,
    "longest_run": _longest_run,
    "pick": pick,
    "rank": _rank,
    "reached": _reached,
    "sort": _sort,
    "within": _within,
}
"""Names that compiled blocks use and that are the same for all programs."""


def _piece_operations(program: Program) -> dict[str, Any]:
    """Return the operations that move given pieces. They are closures, for speed."""
    zone_cells = program.layout.piece_zones  # first cell with the addresses of the pieces' zones

    def move(s: State, piece: int, zone: int, under: int) -> None:
        move_all(s, (piece,), zone, under)

    def move_all(s: State, pieces: Sequence[int], zone: int, under: int) -> None:
        """Move pieces to a zone, on top or (under) to the bottom."""
        for piece in pieces:
            source = s[zone_cells + piece]
            left = list(s[source])
            left.remove(piece)
            s[source] = tuple(left)
            s[zone_cells + piece] = zone
        s[zone] = tuple(pieces)[::-1] + s[zone] if under else s[zone] + tuple(pieces)

    def swap(s: State, one: int, other: int) -> None:
        """Let two pieces change places."""
        first_zone, second_zone = s[zone_cells + one], s[zone_cells + other]
        exchange = {one: other, other: one}
        for zone in {first_zone, second_zone}:
            s[zone] = tuple(exchange.get(piece, piece) for piece in s[zone])
        s[zone_cells + one], s[zone_cells + other] = second_zone, first_zone

    return {"move": move, "move_all": move_all, "swap": swap}


def _zone_operations(program: Program, chance: Chance) -> dict[str, Any]:
    """Return the operations on the pieces that lie in a zone."""
    zone_cells, shuffled = program.layout.piece_zones, chance.shuffled

    def deal(s: State, source: int, zone: int, count: int, under: int, refill: int) -> None:
        """Move pieces from the top of a zone one by one, to the top or (under) bottom of another. refill: zone whose
        pieces are shuffled into an empty source, or -1."""
        while count > 0:
            pieces = s[source]
            dealt = pieces[: -count - 1 : -1]
            if dealt:
                s[source] = pieces[:-count]
                s[zone] = dealt[::-1] + s[zone] if under else s[zone] + dealt
                for piece in tuple.__iter__(dealt):  # bypasses a list that monitors reads of pieces
                    s[zone_cells + piece] = zone
                count -= len(dealt)
            if not count or refill < 0 or not s[refill]:
                return
            pour(s, refill, source)

    def spill(s: State, source: int, zone: int) -> None:
        """Move all pieces of a zone to the top of another, in order; nothing happens from a zone to itself."""
        pieces = s[source]
        if pieces and source != zone:
            s[source] = ()
            s[zone] += pieces
            for piece in pieces:
                s[zone_cells + piece] = zone

    def sift(s: State, source: int, zone: int, table: Sequence[int], value: int) -> None:
        """Move the pieces of a zone with this table entry to the top of another, in order."""
        pieces = s[source]
        moved = tuple([piece for piece in pieces if table[piece] == value])
        if moved:
            s[source] = () if moved == pieces else tuple([piece for piece in pieces if table[piece] != value])
            s[zone] += moved
            for piece in moved:
                s[zone_cells + piece] = zone

    def pour(s: State, source: int, zone: int) -> None:
        spill(s, source, zone)
        shuffle(s, zone)

    def shuffle(s: State, zone: int) -> None:
        s[FUEL] -= len(s[zone])
        s[zone] = tuple(shuffled(s, s[zone]))

    return {"deal": deal, "spill": spill, "sift": sift, "pour": pour, "shuffle": shuffle}


def _location_operations(program: Program) -> dict[str, Any]:
    """Return the operations that locate pieces for texts."""
    zone_cells, seers, open_ = program.layout.piece_zones, program.layout.viewers, program.layout.public_cells

    def located(s: State, pieces: Sequence[int]) -> list[tuple[int, int]]:
        """Return for each piece its appearance and the address of its zone."""
        return [(program.appearance(s, piece), s[zone_cells + piece]) for piece in pieces]

    def passed(pieces: Sequence[tuple[int, ...]], zones: Sequence[int]) -> list[tuple[int, ...]]:
        """Add to located pieces the seats that see them in other zones: where they come from, or go to."""
        return [
            (look, zone if zone in open_ else here, sum(knowers) | seers[zone])
            for (look, here, *knowers), zone in zip(pieces, zones, strict=True)
        ]

    return {"located": located, "passed": passed}


def state_operations(program: Program, chance: Chance) -> dict[str, Any]:
    """Return the operations that move and locate pieces, and those of chance."""
    return {
        "below": chance.below,
        "draw": chance.draw,
        "pick_alike": RandomAnswers(program).pick_alike,
        **_piece_operations(program),
        **_zone_operations(program, chance),
        **_location_operations(program),
    }
