"""Many games of one program that go on together in native code: each step takes one action in each of them.

What the numbers of actions and observations stand for, its plan says; `batches.wat` says how a game goes on.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from rulewright.base.records import record
from rulewright.program.asking import asking
from rulewright.program.form import PARKED, PHASE, WAITING, Program
from rulewright.runtime.native import memory
from rulewright.runtime.native.executor import NativeCode
from rulewright.runtime.native.memory import PAGE, WORD, Memory
from rulewright.runtime.rng import ANSWERS, seeded
from rulewright.runtime.state import State

BY_NUMBER, BY_SEAT, BY_PLACE, BY_PIECE = range(4)  # how the action for a candidate is found
AS_NUMBER, AS_WORD, AS_SEAT, AS_PARTS = range(4)  # how what a counter holds is told
VIRTUAL = -1000
"""Added to the seats that answer by chance, before all others."""
WRITTEN_OUT = 1024
"""So many bytes are copied or cleared one by one rather than by a call."""
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
    with a fraction; turns: the seat that is asked; done: whether a game has ended in this step, and begun anew; rows:
    how it ended, as `results` has it. Raises CannotRun and Unbounded.
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
        self.rows = part("ROWS", self._names["ROW_SIZE"] * games)

    def begin(self, new: State, seed: int) -> None:
        """Begin all games, each from a new state with another seed. Raises RuleError."""
        self._instance.write(self.memory.template, self.memory.packed(new))
        self._instance.write(self._names["NEXT_SEED"], (seed % 2**64).to_bytes(8, "little"))
        self._instance.write(memory.CHANCE, array("I", seeded(seed, ANSWERS)).tobytes())
        self.given.cast("i")[:] = memoryview(array("i", [BEGIN] * self.games))
        self.step()

    def step(self) -> None:
        """Take the action of each game, which its mask has to allow. Raises RuleError."""
        self._check(self._instance.functions["step"]())

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
            ("COUNTS", names["COUNTS_SIZE"]),
            ("GIVEN", WORD * self.games),
            ("TURNS", WORD * self.games),
            ("DONE", self.games),
            ("ROWS", names["ROW_SIZE"] * self.games),
            ("MASKS", names["MASK_SIZE"] * self.games),
            ("VECTORS", names["VECTOR_SIZE"] * self.games),
            ("GAMES", names["GAME_SIZE"] * self.games),
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
        text = text.replace("{{TAKE_UP}}", _copied(found.state_size))
        written = re.sub(r"\{\{(\w+)\}\}", lambda name: str(names[name[1]]), text)
        return re.sub(r";;.*", "", written), 1 + (address - start) // PAGE

    def _laid_out(self, found: Memory, start: int, zones: int) -> tuple[array[int], dict[str, int]]:
        """The tables, as they stand from an address on, and where each of them begins."""
        program, plan = self.program, self.plan
        seats, types = range(program.layout.seats), len(program.types)
        words, names = array("i"), dict[str, int]()

        def begin(name: str) -> None:
            names[name] = start + WORD * len(words)

        begin("SITES")
        for site, (kind, first) in zip(program.sites, plan.sites, strict=True):
            by_place = found.cell(site.by_place) if site.by_place >= 0 else -1
            each = int(site.per_seat)
            words.extend(
                (site.slot, each, each, site.sealed, site.resume, kind, first, by_place, int(site.parks), 0, 0, 0)
            )
        begin("SEALED")
        for sealed in program.sealed:
            cells = (found.cell(cell) for cell in (sealed.next_block, sealed.ask_block, sealed.parked_block))
            words.extend((sealed.block, *cells, found.set_at[sealed.seats], 0, 0, 0))
        begin("SEALED_END")
        begin("ORDER")
        words.extend(seat if seat in plan.agents else seat + VIRTUAL for seat in seats)
        begin("PIECES")
        for seat in seats:
            for cell in range(zones):
                words.extend(plan.pieces.get((seat, cell), [-1] * types))
        begin("EACH")
        words.extend(plan.each.get((seat, cell), 1) for seat in seats for cell in range(zones))
        columns: dict[tuple[int, ...], int] = {}
        for zone in (zone for some in plan.seen for zone in some):
            if zone.columns and zone.columns not in columns:
                columns[zone.columns] = start + WORD * len(words)
                words.extend(zone.columns if program.layout.faces else (zone.columns[n] for n in program.type_of))
        begin("SEEN")
        for some in plan.seen:
            for zone in some:
                table = columns[zone.columns] if zone.columns else 0
                words.extend((found.set_at[zone.cell], zone.first, table, zone.tops, zone.places, zone.width))
        begin("HELD")
        for counters in plan.held:
            for cell, kind, place in counters:
                words.extend((found.cell(cell), kind, place))
        names["SEEN_SIZE"], names["HELD_SIZE"] = 24 * len(plan.seen[0]), 12 * len(plan.held[0])
        return words, names


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
    if size > WRITTEN_OUT:
        return f"(memory.fill (local.get $to) (i32.const 0) (i32.const {size}))"
    return "".join(f"({store} offset={at} (local.get $to) {nothing})" for at, _, store, nothing in _pieces(size))


def _copied(size: int) -> str:
    """Copies so many bytes from $from to $to."""
    if size > WRITTEN_OUT:
        return f"(memory.copy (local.get $to) (local.get $from) (i32.const {size}))"
    return "".join(
        f"({store} offset={at} (local.get $to) ({load} offset={at} (local.get $from)))"
        for at, load, store, _ in _pieces(size)
    )


def _most_asked(program: Program, room: int) -> int:
    """How many bytes what is asked takes at most, of so many."""
    if any(site.element.base == "number" for site in program.sites):
        return room
    most = max(len(words) for words in [*program.words.values(), range(max(2, program.layout.pieces))])
    most = max([most, program.layout.seats, *(len(site.branches) for site in program.sites)])
    return min(room, WORD * (5 + most))
