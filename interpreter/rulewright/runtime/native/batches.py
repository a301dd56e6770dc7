"""Many games that advance together in native code: a step takes one action in each of them.

A `BatchPlan` says what the numbers of actions and observations mean; library/batches.c holds the code of a step.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence

from rulewright.base.records import record
from rulewright.program.appearance import may_be_indistinguishable
from rulewright.program.decision_pipeline import decision_blocks
from rulewright.program.form import Program
from rulewright.program.state_layout import PARKED, PHASE, RANDOM_CELLS, WAITING
from rulewright.runtime.native import memory
from rulewright.runtime.native.executor import NativeCode
from rulewright.runtime.native.memory import LONG, MASK_SIZE, PAGE, WORD, Memory, mask_words
from rulewright.runtime.rng import ANSWERS, SAMPLES, seeded
from rulewright.runtime.state import State

BY_NUMBER, BY_SEAT, BY_PLACE, BY_PIECE = range(4)
"""Ways in which the action for a candidate is found: the site's first action plus the candidate, plus the seat as the
asked seat counts round the table, or plus the candidate's index among those offered; or the action of the piece."""
AS_NUMBER, AS_WORD, AS_SEAT, AS_PARTS = range(4)
"""Ways in which a seat observes what a counter holds: as a number, a word, a seat, or hundredths."""
VIRTUAL_SEAT_OFFSET = -1000
"""Number added to seats that answer at random, so that they are asked before all others."""
PIECES_PER_COLUMN = 4
"""A zone is counted by its mask if it has room for more than so many pieces for each of its columns."""
CACHE_LINE = 64
"""Bytes of a line of the processor's cache."""
MAX_PREFETCHED = 4096
"""Limit of the bytes of a game that are loaded into the cache before it is played."""
EXPORTS = ("step", "refused", "sample")
"""Functions of the library that a batch calls."""
BEGIN = -1
"""Number in place of an action: the game begins anew."""


@record
class ObservedZone:
    """Zone as a seat observes it.

    - cell: of the zone
    - first: its first index in the observed vector
    - columns: for each piece type its index after `first`, empty if only the number of pieces is observed
    - tops, places: as in `players.observations`, -1 without them
    - width: number of columns
    """

    cell: int
    first: int
    columns: tuple[int, ...]
    tops: int
    places: int
    width: int


@record
class BatchPlan:
    """Meaning of actions and observations, for native code.

    - site_actions: for each site, the way to find its actions (BY_NUMBER …) and the first one
    - piece_actions: by seat and zone cell, the action for each piece type, -1 for none
    - equal_pieces: by seat and zone cell, how many equal pieces have actions of their own
    - agents: seats that are not answered at random
    - zones: by seat
    - counters: by seat, each as cell, encoding (AS_NUMBER …) and index in the vector
    - part_starts: beginnings of parts of the vector, by their names in library/batches.c
    - vector_size: numbers of a vector
    - action_count: number of actions
    - max_numbers: how many numbers a decision may offer
    - row_places: how many places of a zone are observed one by one
    """

    site_actions: Sequence[tuple[int, int]]
    piece_actions: Mapping[tuple[int, int], Sequence[int]]
    equal_pieces: Mapping[tuple[int, int], int]
    agents: Sequence[int]
    zones: Sequence[Sequence[ObservedZone]]
    counters: Sequence[Sequence[tuple[int, int, int]]]
    part_starts: Mapping[str, int]
    vector_size: int
    action_count: int
    max_numbers: int
    row_places: int


class Batches(NativeCode):
    """Games in one memory, each with an observation, a mask of legal actions and the seat to act.

    actions: for each game the next action, or BEGIN; masks: one byte for each action; vectors: 32-bit floats; sampled:
    actions drawn last; turns: seat to act; done: whether a game ended in this step and was started anew; rows: its
    result, as in `results`. Raises CannotRun and Unbounded.
    """

    def __init__(self, program: Program, plan: BatchPlan, games: int) -> None:
        self.program, self.plan, self.games = program, plan, games
        self._table_words = array("i")
        self._names: dict[str, int] = {}
        super().__init__(program, decision_blocks(program, telling=False), (), EXPORTS, None, self._place_tables)
        self._instance.write(self._names["SITES"], self._table_words.tobytes())
        words = memoryview(self._instance.words).cast("B")

        def part(name: str, size: int) -> memoryview:
            return words[self._names[name] : self._names[name] + size]

        self.actions = part("ACTIONS", WORD * games)
        self.masks = part("ACTION_MASKS", plan.action_count * games)
        self.vectors = part("VECTORS", WORD * plan.vector_size * games)
        self.turns = part("TURNS", WORD * games)
        self.done = part("DONE", games)
        self.sampled = part("SAMPLED", WORD * games)
        self.rows = part("RESULT_ROWS", WORD * self.memory.row * games)

    def begin(self, new: State, seed: int) -> None:
        """Begin all games, each from a new state with another seed. Raises RuleError."""
        self._instance.write(self.memory.template, self.memory.pack(new))
        self._instance.write(self._names["NEXT_SEED"], (seed % 2**64).to_bytes(8, "little"))
        self._instance.write(memory.CHANCE, array("I", seeded(seed, ANSWERS)).tobytes())
        self._instance.write(self._names["SAMPLER"], array("I", seeded(seed, SAMPLES)).tobytes())
        self.actions.cast("i")[:] = memoryview(array("i", [BEGIN] * self.games))
        self.step()

    def step(self) -> None:
        """Take the action of each game, which its mask has to allow. Raises RuleError."""
        self._check(self._instance.functions["step"]())

    def first_refused(self) -> int:
        """Return the first game whose mask does not allow its action, or -1."""
        return int(self._instance.functions["refused"]())

    def sample(self) -> None:
        """Draw for each game one of the actions that its mask allows, into `sampled`."""
        self._instance.functions["sample"]()

    # ── where everything is ──

    def _place_tables(self, places: Memory) -> tuple[Mapping[str, int], int]:
        """Lay out the memory for batches behind the program's. Return the symbols that library/batches.c names, and the
        number of pages."""
        program, plan, layout = self.program, self.plan, self.program.layout
        room = -(-_max_question_size(program, (places.answers - places.questions) // (layout.seats + 1)) // 16) * 16
        record = _game_record_offsets(places.state_size, room, layout.seats)
        names = {
            **record,
            **plan.part_starts,
            "STATE_BEHIND": places.state - places.origin,
            "TYPES": len(program.types),
            "ZONE_CELLS": _zone_cells(program),
            "ROLE": places.cell(layout.role) - places.origin,
            "PHASE": places.cell(PHASE) - places.origin,
            "ROLE_COUNT": len(program.roles),
            "MOST_NUMBERS": plan.max_numbers,
            "PLACES": plan.row_places,
            "PARKED": PARKED,
            "WAITING": WAITING,
            "HAS_FACES": int(bool(layout.faces)),
            "ACTION_COUNT": plan.action_count,
            "VECTOR_SIZE": WORD * plan.vector_size,
            "GAME_COUNT": self.games,
            "PREFETCHED_LINES": -(-min(places.first_mask - places.state, MAX_PREFETCHED) // CACHE_LINE),
        }
        start = places.pages * PAGE
        self._table_words, tables = self._lay_out_tables(places, start)
        names |= tables
        address = start + len(self._table_words) * WORD
        for name, size in (
            ("NEXT_SEED", LONG),
            ("PREFETCHED", LONG),
            ("SAMPLER", RANDOM_CELLS * WORD),
            ("SAMPLED", WORD * self.games),
            ("ACTION_COUNTS", WORD * plan.action_count),
            ("ACTIONS", WORD * self.games),
            ("TURNS", WORD * self.games),
            ("DONE", self.games),
            ("RESULT_ROWS", WORD * places.row * self.games),
            ("ACTION_MASKS", plan.action_count * self.games),
            ("VECTORS", WORD * plan.vector_size * self.games),
            ("GAMES", names["GAME_SIZE"] * (self.games + 1)),
        ):
            address = -(-address // CACHE_LINE) * CACHE_LINE
            names[name] = address
            address += size
        self._names = names
        return names, 1 + (address - start) // PAGE

    def _lay_out_tables(self, places: Memory, start: int) -> tuple[array[int], dict[str, int]]:
        """Return the tables' words, as they lie from address `start` on, and the address of each table."""
        program, plan, zones = self.program, self.plan, _zone_cells(self.program)
        seats, types = range(program.layout.seats), len(program.types)
        words, names = array("i"), dict[str, int]()

        def begin(name: str) -> None:
            """Note the address at which a table begins: here."""
            names[name] = start + WORD * len(words)

        begin("SITES")
        for site, (kind, first) in zip(program.sites, plan.site_actions, strict=True):
            by_place = places.cell(site.by_place) - places.origin if site.by_place >= 0 else -1
            each = int(site.per_seat)
            flags = int(site.parks), int(may_be_indistinguishable(program, site))
            words.extend((site.slot, each, each, site.sealed, site.resume, kind, first, by_place, *flags, 0, 0))
        begin("SEALED")
        for sealed in program.sealed:
            cells = (sealed.next_block, sealed.ask_block, sealed.parked_block)
            addresses = (*map(places.cell, cells), places.set_at[sealed.seats])
            words.extend((sealed.block, *(address - places.origin for address in addresses), 0, 0, 0))
        begin("SEALED_END")
        begin("SEAT_ORDER")
        words.extend(seat if seat in plan.agents else seat + VIRTUAL_SEAT_OFFSET for seat in seats)
        begin("PIECE_ACTIONS")
        for seat in seats:
            for cell in range(zones):
                words.extend(plan.piece_actions.get((seat, cell), [-1] * types))
        begin("EQUAL_PIECES")
        words.extend(plan.equal_pieces.get((seat, cell), 1) for seat in seats for cell in range(zones))
        self._lay_out_zones(places, start, words, names)
        begin("COUNTER_VIEWS")
        for counters in plan.counters:
            for cell, kind, place in counters:
                words.extend((places.cell(cell) - places.origin, kind, place))
        names["COUNTER_VIEWS_SIZE"] = 12 * len(plan.counters[0])
        return words, names

    def _lay_out_zones(self, places: Memory, start: int, words: array[int], names: dict[str, int]) -> None:
        """Append the tables of zones as seats see them: single pieces, zones counted by masks, and the others."""
        type_of, layout = self.program.type_of, self.program.layout
        columns: dict[tuple[int, ...], int] = {}
        masks: dict[tuple[int, ...], int] = {}
        for zone in (zone for some in self.plan.zones for zone in some):
            by_type = zone.columns or (0,) * len(self.program.types)
            if by_type not in columns:
                columns[by_type] = start + WORD * len(words)
                words.extend(by_type if layout.faces else (by_type[n] for n in type_of))
            if self._is_counted(zone) and by_type not in masks:
                masks[by_type] = start + WORD * len(words)
                for column in range(zone.width):
                    words.frombytes(places.mask(n for n, type_ in enumerate(type_of) if by_type[type_] == column))
        views: dict[str, list[array[int]]] = {"SINGLE": [], "BY_MASK": [], "SEEN": []}
        for some in self.plan.zones:
            of_seat, singles = {name: array("i") for name in views}, list[tuple[int, int, int]]()
            for zone in some:
                place = places.set_at[zone.cell] - places.origin, zone.first
                table = columns[zone.columns] if zone.columns else 0
                if layout.sets[zone.cell] == 1 and zone.tops < 0 and zone.places < 0:
                    singles.append((*place, table or columns[(0,) * len(self.program.types)]))
                elif self._is_counted(zone):
                    for column in range(zone.width):
                        mask = masks[zone.columns] + MASK_SIZE * column
                        of_seat["BY_MASK"].extend(
                            (places.mask_of(zone.cell) - places.origin, mask, zone.first + column)
                        )
                else:
                    of_seat["SEEN"].extend((*place, table, zone.tops, zone.places, zone.width))
            of_seat["SINGLE"].extend(_join_into_rows(singles))
            for name, of_zones in of_seat.items():
                views[name].append(of_zones)
        for name, of_seats in views.items():
            names[name], names[f"{name}_SIZE"] = start + WORD * len(words), WORD * len(of_seats[0])
            for of_zones in of_seats:
                assert len(of_zones) == len(of_seats[0])
                words.extend(of_zones)

    def _is_counted(self, zone: ObservedZone) -> bool:
        """Return whether a zone's pieces are counted by masks, column by column, instead of one by one."""
        layout = self.program.layout
        plain = bool(zone.columns) and zone.tops < 0 and zone.places < 0 and not layout.faces
        return plain and mask_words(layout) > 0 and layout.sets[zone.cell] > PIECES_PER_COLUMN * zone.width


def _zone_cells(program: Program) -> int:
    """Return a number above the cells of all zones."""
    return 1 + max((space.address for space in program.layout.zones), default=0)


def _game_record_offsets(state_size: int, room: int, seats: int) -> dict[str, int]:
    """Return the offsets of the parts of a game's record that follow its state, and the record's size. room: bytes for
    a question."""
    actions, picks = state_size + room, state_size + 2 * room
    last = picks + room + 16
    return {
        "OF_ASKED": state_size,
        "OF_SEAT": state_size + WORD,
        "OF_LEAST": state_size + 2 * WORD,
        "OF_MOST": state_size + 3 * WORD,
        "OF_COUNT": state_size + 4 * WORD,
        "OF_ITEMS": state_size + 5 * WORD,
        "OF_ACTIONS": actions,
        "OF_PICKS": picks,
        "OF_TAKEN": picks + room,
        "OF_LAST": last,
        "GAME_SIZE": -(-(last + WORD * seats) // 16) * 16,
    }


def _join_into_rows(zones: Sequence[tuple[int, int, int]]) -> Iterator[int]:
    """Yield zones for one piece as rows that library/batches.c walks: first address, length, first place, step and
    table of each, all but the table in bytes. zones: address of the set, index in the vector, table of columns. Zones
    at equal distances share a row."""
    distance = 2 * WORD
    left = list(zones)
    while left:
        row = [left.pop(0)]
        while left and (left[0][0], left[0][2]) == (row[-1][0] + distance, row[0][2]):
            if len(row) > 1 and left[0][1] - row[-1][1] != row[1][1] - row[0][1]:
                break
            row.append(left.pop(0))
        step = row[1][1] - row[0][1] if len(row) > 1 else 0
        yield from (row[0][0], distance * len(row), WORD * row[0][1], WORD * step, row[0][2])


def _max_question_size(program: Program, room: int) -> int:
    """Return how many bytes a question takes at most. room: the bytes there are for one."""
    if any(site.element.base == "number" for site in program.sites):
        return room
    most = max(len(words) for words in [*program.words.values(), range(max(2, program.layout.pieces))])
    most = max([most, program.layout.seats, *(len(site.branches) for site in program.sites)])
    return min(room, WORD * (5 + most))
