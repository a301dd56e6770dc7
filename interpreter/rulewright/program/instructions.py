"""Instructions: their operands, and their properties for passes and executors.

An instruction is a tuple `(name, operand, ...)`. Its operands, by the letters of its operation:

    d  a register that it sets                      v  a value: a register (2 * n) or a constant (2 * n + 1)
    c  a cell; the value that follows is added      z  a value that is a zone's cell
    V  a vector register that it reads              N  a vector that it makes anew
    C  a vector that it changes where it is         +  all the rest are vectors that it reads
    T  a table of Program.tables                    L  a block's number
    P  a source place, for errors                   k  another plain number

Registers and vectors live inside one block; what must outlive a decision lies in the state. `if … else … end`,
`for … end` and `loop … end` are nested inside one block, as in WebAssembly; `goto` leaves a block from anywhere in it.
What an instruction does stands at the executors: `python_source.LINES` and `native.meanings`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from rulewright.base.records import record

Instruction = tuple[str | int, ...]


def constant(number: int) -> int:
    """Return the operand of a number."""
    return 2 * number + 1


ZERO, ONE, NONE = constant(0), constant(1), constant(-1)
"""Operands for the numbers 0, 1 and -1; -1 also stands for nothing."""


@record
class Operation:
    """Properties of an instruction, by its name.

    - operands: letters of its operands, as above
    - pure: only sets its register or vector, from its operands and the cell c + v; it can be left out if nothing reads
      that
    - folded: function that computes its result from constant operands
    - opens: begins a nest that an `end` closes
    - leaves: control never continues behind it
    - moves: moves pieces, or changes their order
    - stores: changes the cell c + v
    - steady: has the same result whether or not zones that it does not name were shuffled before
    - part: makes a vector that is a stretch of an existing one, or a set; it keeps what was there when it was made:
      executors copy it only where that may change
    - in_bulk: exists in programs for many games as well, where nobody watches and no view, log or memory is needed
    """

    operands: str
    pure: bool = False
    folded: Callable[[int, int], int] | None = None
    opens: bool = False
    leaves: bool = False
    moves: bool = False
    stores: bool = False
    steady: bool = False
    part: bool = False
    in_bulk: bool = True


OPERATIONS: Mapping[str, Operation] = {
    # values
    "copy": Operation("dv", pure=True),
    "add": Operation("dvv", pure=True, folded=lambda a, b: a + b),
    "subtract": Operation("dvv", pure=True, folded=lambda a, b: a - b),
    "multiply": Operation("dvv", pure=True, folded=lambda a, b: a * b),
    "divide_down": Operation("dvvP"),
    "divide_up": Operation("dvvP"),
    "checked": Operation("dvP"),  # an error beyond 32 bits
    "equal": Operation("dvv", pure=True, folded=lambda a, b: int(a == b)),
    "unequal": Operation("dvv", pure=True, folded=lambda a, b: int(a != b)),
    "less": Operation("dvv", pure=True, folded=lambda a, b: int(a < b)),
    "at_most": Operation("dvv", pure=True, folded=lambda a, b: int(a <= b)),
    "shared": Operation("dvv", pure=True, folded=lambda a, b: a & b),  # bits set in both
    "not": Operation("dv", pure=True),
    "load": Operation("dcv", pure=True),  # the cell c + v
    "store": Operation("cvv", stores=True, steady=True),  # cell c + v becomes the last value
    "store_block": Operation("cvL", stores=True),  # cell c + v becomes the number of a block to go to
    "count": Operation("cvvP", stores=True),  # like store, for a counter: refused beyond 32 bits
    "table": Operation("dTv", pure=True),  # an index of -1 gives the table's last entry
    # control
    "if": Operation("v", opens=True, steady=True),
    "else": Operation("", steady=True),
    "end": Operation("", steady=True),
    "loop": Operation("", opens=True),
    "spend": Operation("k"),  # fuel, in that block: in loops that may never end, and where loops are nested deeply
    "for": Operation("dV", opens=True, steady=True),
    "break": Operation("", leaves=True),
    "again": Operation("", leaves=True),  # from the beginning of the loop
    "block": Operation("L", in_bulk=False),
    "goto": Operation("L", leaves=True),
    "goto_value": Operation("v", leaves=True),  # to the block of that number
    "halt": Operation("", leaves=True),
    "fail": Operation("P", steady=True),  # with the message P
    # vectors
    "vector": Operation("N", pure=True),  # made, or made empty
    "one": Operation("Nv", pure=True),  # of one item, or of none where that is -1
    "numbers": Operation("Nvvk", pure=True),  # those from v to v, one after the other, at most k
    "push": Operation("Cv", steady=True),
    "length": Operation("dV", pure=True),
    "empty": Operation("dV", pure=True),
    "item": Operation("dVv", pure=True),  # -1 is the last
    "has": Operation("dVv", pure=True),  # whether v is among the items
    "fixed": Operation("NT", pure=True, part=True),
    "row": Operation("NTvk", pure=True, part=True),  # row v, of k entries, of a table
    # stretch v + k of a table that begins with where each of its stretches does, and where the last one ends
    "stretch": Operation("NTvk", pure=True, part=True),
    "read": Operation("Ncv", pure=True, part=True),  # the set in cell c + v
    "keep": Operation("Vcv", stores=True),  # as the set in cell c + v
    "as_tuple": Operation("NV", pure=True, part=True),  # as it is now, whatever becomes of the second vector
    "join": Operation("NVV", pure=True),  # the items of two vectors
    "unite": Operation("NVV", pure=True),  # likewise, each item once
    "greatest": Operation("dV", pure=True),  # 0 for no items
    "smallest": Operation("dV", pure=True),
    "longest_run": Operation("dV", pure=True),  # how many whole numbers one after the other are among the items
    "append": Operation("CV", steady=True),  # the items of the second vector to the first
    "tally": Operation("dVT", pure=True),  # the sum of the items' entries in a table
    "none_of": Operation("dVT", pure=True),  # whether all items' entries in a table are 0
    "filter": Operation("NVT", pure=True),  # the items of the second vector whose entry in a table is not 0
    "count_of": Operation("dVTv", pure=True),  # how many items have the entry v in a table
    "select": Operation("NVTv", pure=True),  # the items of the second vector whose entry in a table is v
    "within": Operation("NVTV", pure=True),  # the items of the second vector whose entry in a table is one of the third
    "entries": Operation("NVT", pure=True),  # the items' entries in a table
    "images": Operation("NVT", pure=True),  # the items' entries in a table, each once, nothing left out
    "lying": Operation("NVTk", pure=True),  # likewise, of what the cells k + item hold; in order
    "gather": Operation("NVk", pure=True),  # all that is in the sets in cells k + item
    # the items in the rows of k entries of a table, of the items of the second vector, without those
    "beside": Operation("NVTk", pure=True),
    # the items of the third vector reached from the second, over rows of k entries of a table
    "reached": Operation("NVVTk", pure=True),
    "slice": Operation("NVvv", pure=True, part=True),  # the items from number v on, so many
    "front": Operation("NVv", pure=True, part=True),  # the first v items of the second vector
    "back": Operation("NVv", pure=True),  # the last v items, the last first
    "sort": Operation("C+", steady=True),  # items by the vectors that follow, smallest first
    "rank": Operation("CN+", steady=True),  # likewise; the second vector becomes how many are equal to each item
    "largest_group": Operation("NVVv", pure=True),  # the members of the v-th largest group of equal keys
    # zones
    "move": Operation("vzv", moves=True),  # piece, zone, 1 for the bottom
    "move_all": Operation("Vzv", moves=True),  # the items of a vector, one after the other
    # the items for which there is room: v for those whose entry in a table is not 0
    "fitting": Operation("NVTv", pure=True),
    "spill": Operation("zz", moves=True, steady=True),  # all pieces of a zone onto another
    "sift": Operation("zzTv", moves=True, steady=True),  # those whose entry in a table is the last value
    # from the top of a zone to another at most so many, 1 for the bottom; what refills it, or -1
    "deal": Operation("zzvvz", moves=True, steady=True),
    "pour": Operation("zz", moves=True),  # all pieces of a zone onto another, which is then shuffled
    "shuffle": Operation("z", moves=True),
    "swap": Operation("vv", moves=True),  # two pieces change places
    # what players know of pieces that they do not see, where an edition has memory
    "mingle": Operation("V", moves=True, in_bulk=False),  # these are about to move, and not as their places tell
    "show": Operation("VVk", moves=True, in_bulk=False),  # pieces to seats; 1 if their places tell which they are
    "forget": Operation("V", moves=True, in_bulk=False),  # what these show changes
    "random": Operation("dv"),  # evenly from 0 to v - 1
    "draw": Operation("Cv"),  # keep v of the vector's items, chosen evenly, in their order
    # the outside
    "ask": Operation("kvVvv+", leaves=True),  # decision k for a seat: candidates, least, most, arguments of its text
    "wait": Operation("L", leaves=True),  # and go on at that block
    "told": Operation("", opens=True, in_bulk=False),  # begins an `if` that runs only where somebody listens
    "tell": Operation("k+"),  # text k with its arguments
    "answer": Operation("+", leaves=True),  # ends a function with its results
    # instead of asking, a random answer: candidates, of which there are some; least, most. It counts; where there have
    # been as many as the limit allows, the game stops there instead
    "pick": Operation("NVvv"),
    "pick_one": Operation("NV"),  # likewise exactly one
    "pick_up_to_one": Operation("NV"),
    # likewise, where some may look alike to a seat, if the last value is 0; question k
    "pick_alike": Operation("NVvvvvk"),
    "noted": Operation("kvVvV"),  # for statistics: question k of a seat, candidates, least, what was picked
}

OPERANDS: Mapping[str, str] = {name: operation.operands for name, operation in OPERATIONS.items()}
"""Letters of each operation's operands."""
FOLDED = {name: operation.folded for name, operation in OPERATIONS.items() if operation.folded is not None}
"""Functions that compute the results of operations from constant operands, where there is one."""


def _operations_where(holds: Callable[[Operation], bool]) -> frozenset[str]:
    """Return the names of the operations for which a test holds."""
    return frozenset(name for name, operation in OPERATIONS.items() if holds(operation))


OPENING = _operations_where(lambda operation: operation.opens)
"""Operations that begin a nest, which an `end` closes."""
LEAVING = _operations_where(lambda operation: operation.leaves)
"""Operations behind which control never continues."""
PURE = _operations_where(lambda operation: operation.pure)
"""Operations that only set their register or vector; they can be left out if nothing reads it."""
STEADY = _operations_where(lambda operation: operation.steady or operation.pure)
"""Operations that are declared steady, and all pure ones."""

MOVING = _operations_where(lambda operation: operation.moves)
"""Operations that move pieces, or change their order or what players know of them."""
STORING = _operations_where(lambda operation: operation.stores)
"""Operations that change the cell c + v."""
MAKING_VECTORS = _operations_where(lambda operation: operation.operands.startswith("N"))
"""Operations whose first operand is a vector that they make; `rank` makes its second one besides."""
CHANGING_VECTORS = _operations_where(lambda operation: operation.operands.startswith("C"))
"""Operations that change their first operand, a vector."""
PURE_OVER_VECTORS = _operations_where(lambda operation: operation.pure and "V" in operation.operands)
"""Pure operations that read a vector."""
PARTS = _operations_where(lambda operation: operation.part)
"""Operations that make a vector which is a stretch of an existing one, and need not be copied."""
IN_BULK = _operations_where(lambda operation: operation.in_bulk)
"""Operations that programs for many games have, where nobody watches."""
LEFT_OUT_IN_BULK = _operations_where(lambda operation: not operation.in_bulk and not operation.opens)
"""Operations that programs for many games are without: what changes players' memory of pieces, and marks of blocks.
`told`, with the nest that it opens, is left out besides."""

_MERGED_KINDS = {"N": "V", "C": "V", "+": "V", "z": "v", "c": "k"}
"""Kinds by letter, whatever is done with an operand; a letter that is not here is its own kind."""


@lru_cache(maxsize=100_000)
def operands_of(instruction: Instruction) -> tuple[tuple[str, int], ...]:
    """Return each operand with its kind: 'V' for every vector, 'v' for every value, 'k' for cells and plain numbers,
    else its letter: 'd', 'T', 'L', 'P'. Raises TypeError for one that is not a whole number."""
    letters = OPERANDS[str(instruction[0])]
    result: list[tuple[str, int]] = []
    for place, operand in enumerate(instruction[1:]):
        if type(operand) is not int:
            raise TypeError(f"a program's operands are whole numbers, not {operand!r}")
        letter = letters[place] if place < len(letters) else "+"
        result.append((_MERGED_KINDS.get(letter, letter), operand))
    return tuple(result)


_CELL_PLACES = {name: letters.index("c") + 1 for name, letters in OPERANDS.items() if "c" in letters}
"""Index of the cell's number in each instruction that reads or writes the cell c + v."""


def cell_of(instruction: Instruction) -> tuple[int, int] | None:
    """Return the cell c that an instruction reads or writes, and the operand v that is added to it; None for other
    instructions."""
    place = _CELL_PLACES.get(str(instruction[0]))
    return None if place is None else (int(instruction[place]), int(instruction[place + 1]))


def zones_of(instruction: Instruction) -> list[int]:
    """Return the operands that are cells of zones, as values: registers or constants."""
    letters = OPERANDS[str(instruction[0])]
    return [int(operand) for letter, operand in zip(letters, instruction[1:], strict=False) if letter == "z"]


def register_value(number: int) -> int:
    """Return the operand of a register."""
    return 2 * number


def is_constant(value: int) -> bool:
    """Return whether a value among operands is a number; else it is a register."""
    return bool(value & 1)


def number_in(value: int) -> int:
    """Return the number of a constant, or the number of a register."""
    return value >> 1


def constant_value(value: int) -> int | None:
    """Return the number of a constant, or None for a register."""
    return value >> 1 if value & 1 else None


def reads_register(kind: str, operand: int) -> bool:
    """Return whether an operand of a kind is a register that is read."""
    return kind == "v" and not operand & 1
