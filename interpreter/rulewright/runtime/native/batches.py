"""Many games of one program that go on together in native code: each step takes one action in each of them.

What the numbers of actions and observations stand for, its plan says; `batches.wat` says how a game goes on.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from importlib.resources import files

from rulewright.base.records import record
from rulewright.program.appearance import may_be_alike
from rulewright.program.decision_pipeline import asking
from rulewright.program.form import PARKED, PHASE, RANDOM_CELLS, WAITING, Program
from rulewright.runtime.native import memory
from rulewright.runtime.native.executor import NativeCode
from rulewright.runtime.native.inlining import spelt_with
from rulewright.runtime.native.memory import MASK_SIZE, PAGE, WORD, Memory, mask_words
from rulewright.runtime.rng import ANSWERS, SAMPLES, seeded
from rulewright.runtime.state import State

BY_NUMBER, BY_SEAT, BY_PLACE, BY_PIECE = range(4)  # how the action for a candidate is found
AS_NUMBER, AS_WORD, AS_SEAT, AS_PARTS = range(4)  # how what a counter holds is told
VIRTUAL = -1000
"""Added to the seats that answer by chance, before all others."""
FEW_BYTES = 1024
"""So many are copied or cleared one by one rather than by a call."""
WRITTEN_OUT = (
    "by_number",
    "first_action",
    "from",
    "set_one",
    "clear_mask",
    "clear_vector",
    "limit",
    "possible",
    "slot",
)
"""Functions of batches.wat that are written where they are called."""
PIECES_FOR_COLUMN = 4
"""A zone with room for so many pieces for each of its columns is counted by its mask."""
LINE = 64
"""Bytes that come into a processor's cache together."""
MOST_REACHED = 4096
"""Of a game, so many bytes are reached for before it is played."""
BEGIN = -1
"""Instead of an action: the game begins anew."""


@record
class SeenZone:
    """A zone as a seat sees it: its cell, where it begins in a vector, and of each type its place from there on, or
    nothing where only the number of pieces is told; tops, places: as in `players.observations`; width: how many
    columns."""

    cell: int
    first: int
    columns: tuple[int, ...]
    tops: int
    places: int
    width: int


@record
class BatchPlan:
    """What native code has to know of actions and observations.

    sites: of each, how the action for a candidate is found, and the first one; pieces: of each seat and each cell of a
    zone, the action for each type; each: how many of each there are; agents: the seats that do not answer by chance;
    seen, held: of each seat, zones, and counters as cell, how it is told, and where; starts: where parts of the vector
    begin, by their names in `batches.wat`; names, actions: how many numbers a vector has, and how many actions there
    are; numbers, row: of how many numbers one can be chosen, and how many places of a row are told.
    """

    sites: Sequence[tuple[int, int]]
    pieces: Mapping[tuple[int, int], Sequence[int]]
    each: Mapping[tuple[int, int], int]
    agents: Sequence[int]
    seen: Sequence[Sequence[SeenZone]]
    held: Sequence[Sequence[tuple[int, int, int]]]
    starts: Mapping[str, int]
    names: int
    actions: int
    numbers: int
    row: int


class Batches(NativeCode):
    """So many games, each with what is seen, what can be done and whose turn it is, in one memory.

    given: of each game the action to be taken, or BEGIN; masks: a byte for each action; vectors: numbers of 32 bits
    with a fraction; sampled: the actions drawn last; turns: the seat that is asked; done: whether a game has ended in
    this step, and begun anew; rows: how it ended, as `results` has it. Raises CannotRun and Unbounded.
    """

    def __init__(self, program: Program, plan: BatchPlan, games: int) -> None:
        self.program, self.plan, self.games = program, plan, games
        self._tables = array("i")
        self._names: dict[str, int] = {}
        super().__init__(program, asking(program, telling=False), (), ("run",), None, self._more)
        self._instance.write(self._names["SITES"], self._tables.tobytes())
        words = memoryview(self._instance.words).cast("B")

        def part(name: str, size: int) -> memoryview:
            return words[self._names[name] : self._names[name] + size]

        self.given = part("GIVEN", WORD * games)
        self.masks = part("MASKS", self._names["MASK_SIZE"] * games)
        self.vectors = part("VECTORS", self._names["VECTOR_SIZE"] * games)
        self.turns = part("TURNS", WORD * games)
        self.done = part("DONE", games)
        self.sampled = part("SAMPLED", WORD * games)
        self.rows = part("ROWS", self._names["ROW_SIZE"] * games)

    def begin(self, new: State, seed: int) -> None:
        """Begin all games, each from a new state with another seed. Raises RuleError."""
        self._instance.write(self.memory.template, self.memory.packed(new))
        self._instance.write(self._names["NEXT_SEED"], (seed % 2**64).to_bytes(8, "little"))
        self._instance.write(memory.CHANCE, array("I", seeded(seed, ANSWERS)).tobytes())
        self._instance.write(self._names["SAMPLER"], array("I", seeded(seed, SAMPLES)).tobytes())
        self.given.cast("i")[:] = memoryview(array("i", [BEGIN] * self.games))
        self.step()

    def step(self) -> None:
        """Take the action of each game, which its mask has to allow. Raises RuleError."""
        self._check(self._instance.functions["step"]())

    def refused(self) -> int:
        """The first game whose mask does not allow its action, or -1."""
        return int(self._instance.functions["refused"]())

    def sample(self) -> None:
        """Draw for each game one of the actions that its mask allows, into `sampled`."""
        self._instance.functions["sample"]()

    # ── where everything is ──

    def _more(self, found: Memory) -> tuple[str, int]:
        """The functions, and how many pages they need."""
        program, plan, layout = self.program, self.plan, self.program.layout
        seats, types = layout.seats, len(program.types)
        room = -(-_most_asked(program, (found.answers - found.asked) // (seats + 1)) // 16) * 16
        asked = found.state_size
        actions, picks = asked + room, asked + 2 * room
        zones = 1 + max((space.address for space in layout.spaces), default=0)
        names = {
            "ASKED": asked,
            "SEAT": asked + 4,
            "LEAST": asked + 8,
            "MOST": asked + 12,
            "COUNT": asked + 16,
            "ITEMS": asked + 20,
            "LAST_ITEM": asked + 20 - WORD,
            "ACTIONS": actions,
            "PICKS": picks,
            "LAST_PICK": picks - WORD,
            "TAKEN": picks + room,
            "LAST": picks + room + 16,
            "LAST_SIZE": WORD * seats,
            "GAME_SIZE": -(-(picks + room + 16 + WORD * seats) // 16) * 16,
            "BEHIND": found.state - found.origin,
            "SEATS": seats,
            "TYPES": types,
            "ZONES": zones,
            "AT": found.cell(layout.at),
            "ROLE": found.cell(layout.role),
            "PHASE": found.cell(PHASE),
            "ROLE_COUNT": len(program.roles),
            "MOST_NUMBERS": plan.numbers,
            "PLACES": plan.row,
            "PARKED": PARKED,
            "WAITING": WAITING,
            "ACTION_COUNT": plan.actions,
            "MASK_SIZE": plan.actions,
            "COUNTS_SIZE": WORD * plan.actions,
            "VECTOR_SIZE": WORD * plan.names,
            "ROW_SIZE": WORD * found.row,
            "GAME_COUNT": self.games,
            **plan.starts,
            "O_ROUND": WORD * plan.starts["O_ROUND"],
        }
        start = found.pages * PAGE
        self._tables, tables = self._laid_out(found, start, zones)
        names |= tables
        address = start + len(self._tables) * WORD
        for name, size in (
            ("NEXT_SEED", 8),
            ("REACHED", 8),
            ("SAMPLER", RANDOM_CELLS * WORD),
            ("SAMPLED", WORD * self.games),
            ("COUNTS", names["COUNTS_SIZE"]),
            ("GIVEN", WORD * self.games),
            ("TURNS", WORD * self.games),
            ("DONE", self.games),
            ("ROWS", names["ROW_SIZE"] * self.games),
            ("MASKS", names["MASK_SIZE"] * self.games),
            ("VECTORS", names["VECTOR_SIZE"] * self.games),
            ("GAMES", names["GAME_SIZE"] * (self.games + 1)),
        ):
            address = -(-address // 64) * 64
            names[name] = address
            address += size
        self._names = names
        text = files("rulewright.runtime.native").joinpath("batches.wat").read_text(encoding="utf-8")
        look = "(i32.load (local.get $at))"  # where pieces have one face, columns are by piece
        text = text.replace("{{LOOK}}", f"(i32.wrap_i64 (call $looks {look}))" if layout.faces else look)
        text = text.replace("{{CLEAR_MASK}}", _cleared(names["MASK_SIZE"]))
        text = text.replace("{{CLEAR_VECTOR}}", _cleared(names["VECTOR_SIZE"]))
        text = text.replace("{{REACH}}", _reached(found.first_mask - found.state, asked, actions, names["TAKEN"]))
        text = text.replace("{{TAKE_UP}}", _copied(found.state_size))
        written = re.sub(r"\{\{(\w+)\}\}", lambda name: str(names[name[1]]), text)
        return spelt_with(written, WRITTEN_OUT), 1 + (address - start) // PAGE

    def _laid_out(self, found: Memory, start: int, zones: int) -> tuple[array[int], dict[str, int]]:
        """The tables, as they stand from an address on, and where each of them begins."""
        program, plan = self.program, self.plan
        seats, types = range(program.layout.seats), len(program.types)
        words, names = array("i"), dict[str, int]()

        def begin(name: str) -> None:
            names[name] = start + WORD * len(words)

        begin("SITES")
        for site, (kind, first) in zip(program.sites, plan.sites, strict=True):
            by_place = found.cell(site.by_place) - found.origin if site.by_place >= 0 else -1
            each = int(site.per_seat)
            flags = int(site.parks), int(may_be_alike(program, site))
            words.extend((site.slot, each, each, site.sealed, site.resume, kind, first, by_place, *flags, 0, 0))
        begin("SEALED")
        for sealed in program.sealed:
            cells = (sealed.next_block, sealed.ask_block, sealed.parked_block)
            places = (*map(found.cell, cells), found.set_at[sealed.seats])
            words.extend((sealed.block, *(place - found.origin for place in places), 0, 0, 0))
        begin("SEALED_END")
        begin("ORDER")
        words.extend(seat if seat in plan.agents else seat + VIRTUAL for seat in seats)
        begin("PIECES")
        for seat in seats:
            for cell in range(zones):
                words.extend(plan.pieces.get((seat, cell), [-1] * types))
        begin("EACH")
        words.extend(plan.each.get((seat, cell), 1) for seat in seats for cell in range(zones))
        self._lay_out_zones(found, start, words, names)
        begin("HELD")
        for counters in plan.held:
            for cell, kind, place in counters:
                words.extend((found.cell(cell) - found.origin, kind, place))
        names["HELD_SIZE"] = 12 * len(plan.held[0])
        return words, names

    def _lay_out_zones(self, found: Memory, start: int, words: array[int], names: dict[str, int]) -> None:
        """What is told of zones, seat by seat: of those for one piece, of those that are counted, and of the others."""
        type_of, layout = self.program.type_of, self.program.layout
        columns: dict[tuple[int, ...], int] = {}
        masks: dict[tuple[int, ...], int] = {}
        for zone in (zone for some in self.plan.seen for zone in some):
            by_type = zone.columns or (0,) * len(self.program.types)
            if by_type not in columns:
                columns[by_type] = start + WORD * len(words)
                words.extend(by_type if layout.faces else (by_type[n] for n in type_of))
            if self._is_counted(zone) and by_type not in masks:
                masks[by_type] = start + WORD * len(words)
                for column in range(zone.width):
                    words.frombytes(found.mask(n for n, type_ in enumerate(type_of) if by_type[type_] == column))
        told: dict[str, list[array[int]]] = {"SINGLE": [], "COUNTED": [], "SEEN": []}
        for some in self.plan.seen:
            of_seat, singles = {name: array("i") for name in told}, list[tuple[int, int, int]]()
            for zone in some:
                place = found.set_at[zone.cell] - found.origin, zone.first
                table = columns[zone.columns] if zone.columns else 0
                if layout.sets[zone.cell] == 1 and zone.tops < 0 and zone.places < 0:
                    singles.append((*place, table or columns[(0,) * len(self.program.types)]))
                elif self._is_counted(zone):
                    for column in range(zone.width):
                        mask = masks[zone.columns] + MASK_SIZE * column
                        of_seat["COUNTED"].extend((found.mask_of(zone.cell) - found.origin, mask, zone.first + column))
                else:
                    of_seat["SEEN"].extend((*place, table, zone.tops, zone.places, zone.width))
            of_seat["SINGLE"].extend(_rows_of(singles))
            for name, of_zones in of_seat.items():
                told[name].append(of_zones)
        for name, of_seats in told.items():
            names[name], names[f"{name}_SIZE"] = start + WORD * len(words), WORD * len(of_seats[0])
            for of_zones in of_seats:
                assert len(of_zones) == len(of_seats[0])
                words.extend(of_zones)

    def _is_counted(self, zone: SeenZone) -> bool:
        """Whether its pieces are rather counted by their mask, column by column, than one after the other."""
        layout = self.program.layout
        plain = bool(zone.columns) and zone.tops < 0 and zone.places < 0 and not layout.faces
        return plain and mask_words(layout) > 0 and layout.sets[zone.cell] > PIECES_FOR_COLUMN * zone.width


_WIDTHS = (
    (16, "v128.load", "v128.store", "(v128.const i64x2 0 0)"),
    (4, "i32.load", "i32.store", "(i32.const 0)"),
    (1, "i32.load8_u", "i32.store8", "(i32.const 0)"),
)


def _pieces(size: int) -> Iterator[tuple[int, str, str, str]]:
    """Where each part of so many bytes begins, and how it is read, written and cleared."""
    at = 0
    for width, load, store, nothing in _WIDTHS:
        while size - at >= width:
            yield at, load, store, nothing
            at += width


def _cleared(size: int) -> str:
    """Puts 0 into so many bytes at $to."""
    if size > FEW_BYTES:
        return f"(memory.fill (local.get $to) (i32.const 0) (i32.const {size}))"
    return "".join(f"({store} offset={at} (local.get $to) {nothing})" for at, _, store, nothing in _pieces(size))


def _copied(size: int) -> str:
    """Copies so many bytes from $from to $to."""
    if size > FEW_BYTES:
        return f"(memory.copy (local.get $to) (local.get $from) (i32.const {size}))"
    return "".join(
        f"({store} offset={at} (local.get $to) ({load} offset={at} (local.get $from)))"
        for at, load, store, _ in _pieces(size)
    )


def _rows_of(zones: Sequence[tuple[int, int, int]]) -> Iterator[int]:
    """Zones for one piece, each as its set, where it begins, and the columns of types: as rows in which all lie and
    begin equally far from the one before."""
    apart = 2 * WORD
    left = list(zones)
    while left:
        row = [left.pop(0)]
        while left and (left[0][0], left[0][2]) == (row[-1][0] + apart, row[0][2]):
            if len(row) > 1 and left[0][1] - row[-1][1] != row[1][1] - row[0][1]:
                break
            row.append(left.pop(0))
        step = row[1][1] - row[0][1] if len(row) > 1 else 0
        yield from (row[0][0], apart * len(row), WORD * row[0][1], WORD * step, row[0][2])


def _reached(size: int, *more: int) -> str:
    """Something of each line from $game on, so many bytes, and of some further places."""
    lines = [*range(0, min(size, MOST_REACHED), LINE), *more]
    return reduce(lambda sum_, at: f"(i64.or {sum_} (i64.load offset={at} (local.get $game)))", lines, "(i64.const 0)")


def _most_asked(program: Program, room: int) -> int:
    """How many bytes what is asked takes at most, of so many."""
    if any(site.element.base == "number" for site in program.sites):
        return room
    most = max(len(words) for words in [*program.words.values(), range(max(2, program.layout.pieces))])
    most = max([most, program.layout.seats, *(len(site.branches) for site in program.sites)])
    return min(room, WORD * (5 + most))
