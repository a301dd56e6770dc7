"""The program form: all that the compiler and the executors share.

A program is a flat list of instructions over a state of plain integers. Blocks are the entry points: the state's
first cell holds the block to run next, so every decision can be saved.

A state is a list of cells. A cell holds a number, or a set: a tuple of numbers, of a size within the capacity that the
compiler has proven. A zone is such a cell, its pieces bottom first. Pieces, seats and words are numbers from 0; -1 is
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.program.instructions import Instruction

# The cells at the front of every state.
PC, ME, FUEL, PHASE, ROUND, RANDOM = 0, 1, 2, 3, 4, 5
RANDOM_CELLS = 4
ANSWERS = RANDOM + RANDOM_CELLS  # how many have been given
LIMITED = ANSWERS + 1  # 1 where the game is over because it came to its limit
ASKED = LIMITED + 1  # the round in which somebody was asked last; not kept where the edition limits rounds
HEADER = ASKED + 1

GAME_OVER = -1
WAITING, PARKED, BEGINNING = -1, -2, -3
NOTHING = -1
PARTS = 100  # of one: numbers with fractions are kept in hundredths
MARK_BITS = 34  # room for a 32-bit number's distance from another, with its sign


@record
class Type:
    """What an expression stands for.

    base: 'number', 'fraction', 'truth', 'seat', 'piece', 'word', or 'nothing'; detail: the word list's name, or the
    kinds that pieces may be of; many: a set of them.
    """

    base: str
    detail: str | frozenset[str] = ""
    many: bool = False

    @property
    def counts(self) -> bool:
        """Whether it is a number, with a fraction or without."""
        return self.base in ("number", "fraction")

    def told(self, cell: int) -> int | float:
        """A number of this type as people write it."""
        return from_parts(cell) if self.base == "fraction" else cell


def from_parts(parts: int) -> int | float:
    """A number that is kept in hundredths, as people write it."""
    return parts // PARTS if parts % PARTS == 0 else parts / PARTS


def added_up(numbers: Iterable[int | float]) -> int | float:
    """The sum of numbers with at most two digits behind their points, as people write it."""
    return from_parts(round(PARTS * sum(numbers)))


def parts_of(written: str) -> int:
    """A number as it is written, such as -0.5, in hundredths. It has at most two digits behind its point."""
    whole, _, behind = written.removeprefix("-").partition(".")
    parts = int(whole + behind.ljust(2, "0"))
    return -parts if written.startswith("-") else parts


@record
class Text:
    """A sentence for people: `key` is its dotted place in the edition, `text` what stands there on one line, `slots`
    the expressions in its braces as they are written, each once, `types` what each of them stands for; heading: whether
    it stands over the lines of the log that follow it; passed: the slots of pieces that come from zones, or go to some,
    that one more argument of each has."""

    key: str
    text: str
    slots: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()
    heading: bool = False
    passed: tuple[int, ...] = ()

    @property
    def of_phase(self) -> bool:
        """Whether this is the title of a phase, or the rule of one in words."""
        return self.key.startswith("phases.")


@record
class Site:
    """A place of the program where somebody is asked.

    id: from the names in the edition; element: type of a candidate; slot: the cell of the answer, a set (of the first
    seat's, if per_seat); resume: the block that goes on; sealed: the number of the `at once` it stands in, or -1;
    parks: whether effects follow at once, for which that one has to wait; branches: the names of a menu's entries;
    by_place: the cell that tells whether equal pieces are told apart by their places (of the first seat's, if
    per_seat), or -1; among: the cell of those who are still in the `go round` that it stands in, where some drop
    out, or -1; number_text: what a number is called as an answer, where it is not simply told; within: the sites of the
    menus and yes/no questions in whose bodies it stands, also in steps that are done there.
    """

    id: str
    element: Type
    ask: Text
    none: Text | None
    step: str
    slot: int
    per_seat: bool
    resume: int
    sealed: int
    parks: bool = False
    branches: tuple[str, ...] = ()
    branch_texts: tuple[Text, ...] = ()
    by_place: int = -1
    among: int = -1
    number_text: Text | None = None
    within: tuple[int, ...] = ()

    def apart(self, s: Sequence[Any], seat: int) -> bool:
        """Whether equal pieces are told apart by their places now."""
        return self.by_place >= 0 and bool(s[self.by_place + (seat if self.per_seat else 0)])


@record
class Sealed:
    """An `all … at once`: the block that schedules it, and where its seats (a set) are kept, and for each seat the
    block it goes on to (or WAITING, PARKED or BEGINNING), the block that asks it and the block of its effects. phase:
    the cell that is 0 until all have answered, and then 1."""

    block: int
    seats: int
    next_block: int
    ask_block: int
    parked_block: int
    phase: int


@record
class Note:
    """What outlives a decision besides zones and counters: answers, and what has been given a name.

    address: its cell (of the first seat's, if it stands in an `at once`, where every seat has its own); type: of what
    it holds, a set if many; sealed: the number of that `at once`, or -1.
    """

    address: int
    type: Type
    sealed: int


@record
class StateZone:
    """One zone in the state, the set in cell `address`. of: 'seat' or a word list, whose number `owner` is; or '' and
    -1 for a zone of the table; seen_by: 'all', 'owner' or 'nobody'; holds: the kinds of the pieces that may lie in it.
    """

    name: str
    of: str
    owner: int
    address: int
    capacity: int
    seen_by: str
    pile: bool
    holds: frozenset[str]

    def is_seen_by(self, seat: int) -> bool:
        """Return whether a seat sees what lies in it."""
        return self.seen_by == "all" or (self.seen_by == "owner" and self.of == "seat" and self.owner == seat)


@record
class BoardMap:
    """A drawn board. spaces: the word list of its spaces; positions: of each, column and row from 0; letters: by which
    each is drawn; regions: of each, its attributes that are words, by name; hexagonal: odd rows are shifted by half."""

    name: str
    spaces: str
    positions: tuple[tuple[int, int], ...]
    letters: tuple[str, ...]
    regions: tuple[Mapping[str, str], ...]
    hexagonal: bool


@record
class PieceType:
    """Pieces that nobody can tell apart. attributes: in order, number or index of a word; marks: the counters of theirs
    that are not as they began, with what their cells hold."""

    name: str
    plural: str
    kind: str
    attributes: Mapping[str, int]
    marks: tuple[tuple[Mark, int], ...] = ()


@record
class Counter:
    """A counter in the state, that holds a number or another single thing: one cell, or one for each seat or word (of:
    as for zones; cells: how many). start: what the first cell begins with; cycle: where each begins with the next word
    after that, how many words there are, or 0. by: the word list for whose words each of them has it, one cell after
    the other, with what they begin with; or '' and none; most: of a list, how many it holds, in sets."""

    name: str
    address: int
    of: str
    cells: int
    start: int
    type: Type
    cycle: int = 0
    by: str = ""
    firsts: tuple[int, ...] = ()
    most: int = 0

    @property
    def width(self) -> int:
        """How many cells each of its owners has."""
        return len(self.firsts) or 1

    @property
    def owners(self) -> int:
        """How many there are that have it."""
        return self.cells // self.width

    def cells_of(self, owner: int) -> range:
        """The cells of an owner; -1 is the table."""
        first = self.address + max(0, owner) * self.width
        return range(first, first + self.width)

    def starts(self, cell: int) -> int:
        """What its cell of that number begins with: of sides, one word after the other, round the table."""
        if self.firsts:
            return self.firsts[cell % self.width]
        return (self.start + cell) % self.cycle if self.cycle else self.start


@record
class Function:
    """A pure function of a state and a seat: its code and what it gives. fraction: whether that is a number with a
    fraction, in hundredths."""

    code: tuple[Instruction, ...]
    fraction: bool = False


@record
class ScoreLine:
    name: str
    title: Text
    function: int
    seen_by: str


@record
class RuleText:
    """A rule told in words; `function` gives the text's arguments for a state and a seat."""

    text: Text
    function: int


@record
class Measure:
    """A figure for statistics; `function` gives it for a seat of a state in which the game is over."""

    name: str
    title: Text
    text: RuleText | None
    function: int


@record
class Power:
    """function: does a seat have it? seen_by: who sees where the pieces that give it lie."""

    function: int
    seen_by: str


@record
class Mark:
    """A counter that pieces have: a cell for each piece of the edition, from `address` on. starts: of each kind that
    has it; shown: whether it is part of what a piece shows; number: which of the marks it is."""

    name: str
    address: int
    starts: Mapping[str, int]
    type: Type
    shown: bool
    number: int


@record
class FaceCell:
    """The attribute of a piece that changes: its cell, and its first and last value."""

    cell: int
    first: int
    last: int


@record
class Layout:
    """Where everything is in a state of `size` cells."""

    size: int
    seats: int
    pieces: int
    at: int  # cells holding the address of each piece's zone
    role: int  # cells holding each seat's role, or -1
    option: int  # cells holding the index of each option's choice
    spaces: tuple[StateZone, ...]
    counters: tuple[Counter, ...]
    sets: Mapping[int, int]  # cells that hold sets, with their capacities
    faces: Mapping[int, FaceCell]  # by piece, of those that change
    notes: tuple[Note, ...]
    marks: tuple[Mark, ...] = ()
    marked: Mapping[int, tuple[tuple[Mark, int], ...]] = field(default_factory=dict)  # by piece, with how each begins
    # Of an edition with memory, else -1: cells holding the seats that know in which zone each piece lies, one bit for
    # each; cells holding those of them that have lost its place there; and the set of the pieces that were shown last
    # since somebody answered, with the seats that they were shown to in the next cell.
    memory: int = -1
    loose: int = -1
    shown: int = -1

    @cached_property
    def open(self) -> frozenset[int]:
        """Cells that everybody knows at every decision: what is counted, who plays which role, what lies open …"""
        found = {PC, FUEL, PHASE, ROUND, *range(self.role, self.role + self.seats)}
        found.update(space.address for space in self.spaces if space.seen_by == "all")
        for counter in self.counters:
            found.update(range(counter.address, counter.address + counter.cells))
        return frozenset(found)

    @cached_property
    def seers(self) -> Mapping[int, int]:
        """Of each zone, by its address, the seats that see what lies there: one bit for each."""
        found = {space.address: 0 for space in self.spaces}
        for space in self.spaces:
            if space.seen_by == "all":
                found[space.address] = (1 << self.seats) - 1
            elif space.seen_by == "owner" and space.of == "seat":
                found[space.address] = 1 << space.owner
        return found


@record
class Option:
    """choices: their names; default: an index into them."""

    name: str
    choices: tuple[str, ...]
    default: int


@record
class Limit:
    """Where a game ends that has not ended by its rules. answers: after so many of all seats; rounds: after so many, 0
    for any number; scored: whether it is scored as it stands then; else it has no result."""

    answers: int
    rounds: int
    scored: bool


@record
class Setting:
    """A table for which alone a program is made: the role of each seat, or -1; the index of each option's choice."""

    roles: tuple[int, ...]
    options: tuple[int, ...]


@record
class Program:
    """An edition for a number of seats, ready to run. Immutable and shared by all its games."""

    code: tuple[Instruction, ...]
    tables: tuple[tuple[int, ...], ...]
    functions: tuple[Function, ...]
    layout: Layout
    start: int  # first block
    phases: tuple[tuple[str, int], ...]  # name, block
    sites: tuple[Site, ...]
    sealed: tuple[Sealed, ...]
    texts: tuple[Text, ...]  # of `tell`
    places: tuple[str, ...]  # source places named by run-time errors
    blocks: Mapping[int, str]  # the step that each block belongs to
    starts: tuple[int, ...]  # address of the zone each piece starts in
    types: tuple[PieceType, ...]
    type_of: tuple[int, ...]  # piece -> type that it begins as; its other faces follow that one
    words: Mapping[str, tuple[str, ...]]  # list -> names of its words
    word_nouns: Mapping[str, tuple[tuple[str, str], ...]]
    maps: tuple[BoardMap, ...]
    roles: tuple[str, ...]
    unscored_roles: frozenset[str]
    options: tuple[Option, ...]
    scoring: tuple[ScoreLine, ...]
    ranking: tuple[int, ...]  # functions, the most important first; more is better
    limit: Limit
    measures: tuple[Measure, ...] = ()
    rules: Mapping[RuleKey, RuleText] = field(default_factory=dict)
    powers: Mapping[str, Power] = field(default_factory=dict)
    asides: Mapping[tuple[str, str], RuleText] = field(default_factory=dict)  # by place and text
    lowest_first: bool = False  # the ranking begins with what is lowest
    sides: int = -1  # the cell of what the first seat plays; seats that play the same win together

    def side(self, s: Sequence[Any], seat: int) -> int:
        """What tells the side of a seat from others."""
        side: int = s[self.sides + seat] if self.sides >= 0 else seat
        return side

    @property
    def fractions(self) -> bool:
        """Whether points are numbers with fractions, in hundredths."""
        return any(self.functions[line.function].fraction for line in self.scoring)

    @cached_property
    def told_by_place(self) -> frozenset[str]:
        """Kinds of pieces of which equal ones are told apart by their places in some question."""
        return frozenset(kind for site in self.sites if site.by_place >= 0 for kind in site.element.detail)

    @cached_property
    def goes_round(self) -> bool:
        """Whether seats may go round, while some drop out."""
        return any(site.among >= 0 for site in self.sites)

    def told(self, function: int, number: int) -> int | float:
        """A number that a function gives, as people write it."""
        return from_parts(number) if self.functions[function].fraction else number

    @cached_property
    def names(self) -> tuple[str, ...] | None:
        """What each piece is called, where none ever shows anything else."""
        if self.layout.faces or self.layout.marked:
            return None
        return tuple(self.types[type_].name for type_ in self.type_of)

    def looks(self, piece: int) -> range:
        """The numbers of the types that a piece can show."""
        face, first = self.layout.faces.get(piece), self.type_of[piece]
        return range(first, first + (1 if face is None else 1 + face.last - face.first))

    def face(self, s: Sequence[Any], piece: int) -> int:
        """The number of the type that a piece shows now, whatever its marks."""
        face = self.layout.faces.get(piece)
        return self.type_of[piece] if face is None else self.type_of[piece] + s[face.cell] - face.first

    def look(self, s: Sequence[Any], piece: int) -> int:
        """A number for all that a piece shows now: the number of its type as long as its marks are as they began."""
        if self.names is not None:
            return self.type_of[piece]
        face = self.face(s, piece)
        if piece not in self.layout.marked:
            return face
        return self.look_of(face, ((mark, s[mark.address + piece]) for mark, _ in self.layout.marked[piece]))

    def look_of(self, face: int, marks: Iterable[tuple[Mark, int]]) -> int:
        """The same of a type, and of what the marks of a piece hold."""
        kind, number = self.types[face].kind, 0
        for mark, held in marks:
            if mark.shown and (more := held - mark.starts[kind]):
                number += (2 * more if more > 0 else -2 * more - 1) << (MARK_BITS * mark.number)
        return face + len(self.types) * number
