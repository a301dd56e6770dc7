"""The program form: all that the compiler and the executors share.

A program is a flat list of instructions over a state of plain integers. Instructions are tuples
`(name, operand, ...)`. The operands of a name, by the letters of OPERATIONS:

    d  a register that the instruction sets         v  a value: a register (2 * n) or a constant (2 * n + 1)
    k  a plain number: an address or an index       V  a vector register      L  a block's number
    T  a table of Program.tables                    P  a source place, for errors
    +  all the rest are vector registers

Registers and vectors live inside one block; what must outlive a decision lies in the state. `if … else … end`,
`for … end` and `loop … end` are nested inside one block, as in WebAssembly; `goto` leaves a block from anywhere in it.
Blocks are the entry points: the state's first cell holds the block to run next, so every decision can be saved.

A state is a list of cells. A cell holds a number, or a set: a tuple of numbers, of a size within the capacity that the
compiler has proven. A zone is such a cell, its pieces bottom first. Pieces, seats and words are numbers from 0; -1 is
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

Instruction = tuple[str | int, ...]

# The cells at the front of every state.
PC, ME, FUEL, PHASE, ROUND, RANDOM = 0, 1, 2, 3, 4, 5
RANDOM_CELLS = 4
ANSWERS = RANDOM + RANDOM_CELLS  # how many have been given
LIMITED = ANSWERS + 1  # 1 where the game is over because it came to its limit
HEADER = LIMITED + 1

GAME_OVER = -1
WAITING, PARKED, BEGINNING = -1, -2, -3
NOTHING = -1

OPERATIONS: Mapping[str, str] = {
    # values
    "copy": "dv",
    "add": "dvv",
    "subtract": "dvv",
    "multiply": "dvv",
    "divide_down": "dvvP",
    "divide_up": "dvvP",
    "checked": "dvP",  # refused beyond 32 bits
    "equal": "dvv",
    "unequal": "dvv",
    "less": "dvv",
    "at_most": "dvv",
    "not": "dv",
    "load": "dkv",  # the cell k + v
    "store": "kvv",  # cell k + v becomes the last value
    "store_block": "kvL",  # cell k + v becomes the number of a block to go to
    "count": "kvvP",  # like store, for a counter: refused beyond 32 bits
    "table": "dTv",  # an index of -1 gives the table's last entry
    # control
    "if": "v",
    "else": "",
    "end": "",
    "loop": "",
    "spend": "k",  # fuel, in that block: in loops that may never end, and where loops are nested deeply
    "for": "dV",
    "break": "",
    "again": "",  # from the beginning of the loop
    "block": "L",
    "goto": "L",
    "goto_value": "v",  # to the block of that number
    "halt": "",
    "fail": "P",  # with the message P
    # vectors
    "vector": "V",  # made, or made empty
    "push": "Vv",
    "length": "dV",
    "empty": "dV",
    "item": "dVv",  # -1 is the last
    "fixed": "VT",
    "row": "VTvk",  # row v, of k entries, of a table
    "read": "Vkv",  # the set in cell k + v
    "keep": "Vkv",  # as the set in cell k + v
    "as_tuple": "VV",  # as it is now, whatever becomes of the second vector
    "join": "VVV",  # the items of two vectors
    "unite": "VVV",  # likewise, each item once
    "greatest": "dV",  # 0 for no items
    "smallest": "dV",
    "longest_run": "dV",  # how many whole numbers one after the other are among the items
    "append": "VV",  # the items of the second vector to the first
    "tally": "dVT",  # the sum of the items' entries in a table
    "none_of": "dVT",  # whether all items' entries in a table are 0
    "filter": "VVT",  # the items of the second vector whose entry in a table is not 0
    "count_of": "dVTv",  # how many items have the entry v in a table
    "select": "VVTv",  # the items of the second vector whose entry in a table is v
    "within": "VVTV",  # the items of the second vector whose entry in a table is one of the third
    "entries": "VVT",  # the items' entries in a table
    "images": "VVT",  # the items' entries in a table, each once, nothing left out
    "lying": "VVTk",  # likewise, of what the cells k + item hold
    "gather": "VVk",  # all that is in the sets in cells k + item
    "beside": "VVTk",  # the items in the rows of k entries of a table, of the items of the second vector, without those
    "reached": "VVVTk",  # the items of the third vector reached from the second, over rows of k entries of a table
    "slice": "VVvv",  # the items from number v on, so many
    "front": "VVv",  # the first v items of the second vector
    "back": "VVv",  # the last v items, the last first
    "sort": "V+",  # distinct items by the vectors that follow, smallest first
    "rank": "VV+",  # likewise; the second vector becomes how many are equal to each item
    "largest_group": "VVVv",  # the members of the v-th largest group of equal keys
    # zones
    "move": "vvv",  # piece, zone, 1 for the bottom
    "move_all": "Vvv",  # the items of a vector, one after the other
    "fitting": "VVTv",  # the items for which there is room: v for those whose entry in a table is not 0
    "spill": "vv",  # all pieces of a zone onto another
    "sift": "vvTv",  # those whose entry in a table is the last value
    "deal": "vvvvv",  # from the top of a zone to another at most so many, 1 for the bottom; what refills it, or -1
    "pour": "vv",  # all pieces of a zone onto another, which is then shuffled
    "shuffle": "v",
    "swap": "vv",  # two pieces change places
    "random": "dv",  # evenly from 0 to v - 1
    "draw": "Vv",  # keep v of the vector's items, chosen evenly, in their order
    # the outside
    "ask": "kvVvv+",  # decision k for a seat: candidates, least, most, arguments of its text
    "wait": "L",  # and go on at that block
    "told": "",  # begins an `if` that runs only where somebody listens
    "tell": "k+",  # text k with its arguments
    "answer": "+",  # ends a function with its results
    "pick": "VVvv",  # instead of asking, a random answer: candidates, of which there are some; least, most. It counts;
    # where there have been as many as the limit allows, the game stops there instead
    "pick_one": "VV",  # likewise exactly one
    "pick_up_to_one": "VV",
    "noted": "kvVvV",  # for statistics: question k of a seat, candidates, least, what was picked
}

ZERO, ONE = 1, 3  # as operands
OPENING = frozenset(["if", "told", "for", "loop"])
LEAVING = frozenset(["goto", "goto_value", "halt", "ask", "wait", "answer", "again", "break"])
MAKING_VECTORS = frozenset(
    [
        "vector",
        "fixed",
        "row",
        "read",
        "as_tuple",
        "join",
        "unite",
        "filter",
        "select",
        "slice",
        "front",
        "back",
        "fitting",
        "largest_group",
        "within",
        "entries",
        "images",
        "lying",
        "gather",
        "beside",
        "reached",
        "pick",
        "pick_one",
        "pick_up_to_one",
    ]
)
MOVING = frozenset(["move", "move_all", "spill", "sift", "deal", "pour", "shuffle", "swap"])
# What only sets a register, and can be left out where nothing reads it.
PURE = (MAKING_VECTORS - {"lying", "gather", "pick", "pick_one", "pick_up_to_one"}) | {
    "copy",
    "add",
    "subtract",
    "multiply",
    "equal",
    "unequal",
    "less",
    "at_most",
    "not",
    "load",
    "table",
    "length",
    "empty",
    "item",
    "greatest",
    "smallest",
    "longest_run",
    "tally",
    "none_of",
    "count_of",
}


# What can be worked out beforehand.
FOLDED: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "equal": lambda a, b: int(a == b),
    "unequal": lambda a, b: int(a != b),
    "less": lambda a, b: int(a < b),
    "at_most": lambda a, b: int(a <= b),
}


@lru_cache(maxsize=100_000)
def operands_of(instruction: Instruction) -> tuple[tuple[str, int], ...]:
    """Each operand with its letter. Raises TypeError for one that is not a whole number."""
    kinds = OPERATIONS[str(instruction[0])]
    found: list[tuple[str, int]] = []
    for place, operand in enumerate(instruction[1:]):
        if type(operand) is not int:
            raise TypeError(f"a program's operands are whole numbers, not {operand!r}")
        found.append((kinds[place] if place < len(kinds) and kinds[place] != "+" else "V", operand))
    return tuple(found)


@dataclass(frozen=True)
class Type:
    """What an expression stands for.

    base: 'number', 'truth', 'seat', 'piece', 'word', or 'nothing'; detail: the word list's name, or the kinds that
    pieces may be of; many: a set of them.
    """

    base: str
    detail: str | frozenset[str] = ""
    many: bool = False


@dataclass(frozen=True)
class Text:
    """A sentence for people: `key` is its dotted place in the edition, `text` what stands there on one line, `slots`
    the expressions in its braces as they are written, each once, `types` what each of them stands for."""

    key: str
    text: str
    slots: tuple[str, ...] = ()
    types: tuple[Type, ...] = ()


@dataclass(frozen=True)
class Site:
    """A place of the program where somebody is asked.

    id: from the names in the edition; element: type of a candidate; slot: the cell of the answer, a set (of the first
    seat's, if per_seat); resume: the block that goes on; sealed: the number of the `at once` it stands in, or -1;
    parks: whether effects follow at once, for which that one has to wait; branches: the names of a menu's entries;
    by_place: the cell that tells whether equal pieces are told apart by their places (of the first seat's, if
    per_seat), or -1.
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

    def apart(self, s: Sequence[Any], seat: int) -> bool:
        """Whether equal pieces are told apart by their places now."""
        return self.by_place >= 0 and bool(s[self.by_place + (seat if self.per_seat else 0)])


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Note:
    """What outlives a decision besides zones and counters: answers, and what has been given a name.

    address: its cell (of the first seat's, if it stands in an `at once`, where every seat has its own); type: of what
    it holds, a set if many; sealed: the number of that `at once`, or -1.
    """

    address: int
    type: Type
    sealed: int


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class BoardMap:
    """A drawn board. spaces: the word list of its spaces; positions: of each, column and row from 0; letters: by which
    each is drawn; regions: of each, its attributes that are words, by name; hexagonal: odd rows are shifted by half."""

    name: str
    spaces: str
    positions: tuple[tuple[int, int], ...]
    letters: tuple[str, ...]
    regions: tuple[Mapping[str, str], ...]
    hexagonal: bool


@dataclass(frozen=True)
class PieceType:
    """Pieces that nobody can tell apart. attributes: in order, number or index of a word."""

    name: str
    plural: str
    kind: str
    attributes: Mapping[str, int]


@dataclass(frozen=True)
class Counter:
    """A counter in the state, that holds a number or another single thing: one cell, or one for each seat or word (of:
    as for zones; cells: how many)."""

    name: str
    address: int
    of: str
    cells: int
    start: int
    type: Type


@dataclass(frozen=True)
class Function:
    """A pure function of a state and a seat: its code and what it gives."""

    code: tuple[Instruction, ...]


@dataclass(frozen=True)
class ScoreLine:
    name: str
    title: Text
    function: int
    seen_by: str


@dataclass(frozen=True)
class RuleText:
    """A rule told in words; `function` gives the text's arguments for a state and a seat."""

    text: Text
    function: int


@dataclass(frozen=True)
class Measure:
    """A figure for statistics; `function` gives it for a seat of a state in which the game is over."""

    name: str
    title: Text
    text: RuleText | None
    function: int


@dataclass(frozen=True)
class Power:
    """function: does a seat have it? seen_by: who sees where the pieces that give it lie."""

    function: int
    seen_by: str


@dataclass(frozen=True)
class FaceCell:
    """The attribute of a piece that changes: its cell, and its first and last value."""

    cell: int
    first: int
    last: int


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Option:
    """choices: their names; default: an index into them."""

    name: str
    choices: tuple[str, ...]
    default: int


@dataclass(frozen=True)
class Limit:
    """Where a game ends that has not ended by its rules. answers: after so many of all seats; rounds: after so many, 0
    for any number; scored: whether it is scored as it stands then; else it has no result."""

    answers: int
    rounds: int
    scored: bool


@dataclass(frozen=True)
class Setting:
    """A table for which alone a program is made: the role of each seat, or -1; the index of each option's choice."""

    roles: tuple[int, ...]
    options: tuple[int, ...]


@dataclass(frozen=True)
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
    rules: Mapping[str, RuleText] = field(default_factory=dict)  # dotted place -> rule
    powers: Mapping[str, Power] = field(default_factory=dict)
    asides: Mapping[tuple[str, str], RuleText] = field(default_factory=dict)  # by place and text

    def looks(self, piece: int) -> range:
        """The numbers of the types that a piece can show."""
        face, first = self.layout.faces.get(piece), self.type_of[piece]
        return range(first, first + (1 if face is None else 1 + face.last - face.first))

    def look(self, s: Sequence[Any], piece: int) -> int:
        """The number of the type that a piece shows now."""
        face = self.layout.faces.get(piece)
        return self.type_of[piece] if face is None else self.type_of[piece] + s[face.cell] - face.first
