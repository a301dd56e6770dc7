"""Instructions -> lines of WebAssembly: what every instruction means to the native module.

An instruction is a line of WebAssembly, given in LINES; what takes more is a function of library.wat. Where blocks ask,
a decision is asked, or answered at random while a game is played on; blocks for whole games have random answers as
instructions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import zip_longest

from rulewright.program.blocks import Nest, Node, flattened
from rulewright.program.form import GAME_OVER, PARKED, WAITING, Program
from rulewright.program.instructions import (
    IN_BULK,
    MAKING_VECTORS,
    ONE,
    OPERANDS,
    PARTS,
    ZERO,
    Instruction,
    operands_of,
)
from rulewright.runtime.native.bits import Bits, Spelling
from rulewright.runtime.native.inlining import inlined, library
from rulewright.runtime.native.maps import Maps
from rulewright.runtime.native.masks import Masks
from rulewright.runtime.native.memory import (
    ASKING,
    DIVIDED,
    FAILED,
    FEW_ITEMS,
    FULL,
    GREW,
    OVER,
    SLACK,
    SPENT,
    WORD,
    Memory,
)
from rulewright.runtime.native.ordered import Vacancies
from rulewright.runtime.native.tracing import Tracing
from rulewright.runtime.native.vectors import UNPROVEN, VectorName, Vectors, loop_name

# {0}, {1} … are the operands: registers to set, values as i64 (as {i0}, {i1} … as i32), plain numbers and addresses as
# i32, vectors as address and size. {to} is where the items of a new vector go, {cell} the address of cell k + v, {set}
# that of the set in it. What begins with '{0} = ' sets a register, or the size of a new vector.
LINES = {
    "copy": "{0} = {1}",
    "add": "{0} = (i64.add {1} {2})",
    "subtract": "{0} = (i64.sub {1} {2})",
    "multiply": "{0} = (i64.mul {1} {2})",
    "divide_down": "(if (i64.eqz {2}) (then (return (call $error {divided} {3}))))\n{0} = (call $divide_down {1} {2})",
    "divide_up": "(if (i64.eqz {2}) (then (return (call $error {divided} {3}))))\n{0} = (call $divide_up {1} {2})",
    "checked": "(if (call $too_large {1}) (then (return (call $error {grew} {2}))))\n{0} = {1}",
    "equal": "{0} = (i64.extend_i32_u (i64.eq {1} {2}))",
    "unequal": "{0} = (i64.extend_i32_u (i64.ne {1} {2}))",
    "less": "{0} = (i64.extend_i32_u (i64.lt_s {1} {2}))",
    "at_most": "{0} = (i64.extend_i32_u (i64.le_s {1} {2}))",
    "shared": "{0} = (i64.and {1} {2})",
    "not": "{0} = (i64.extend_i32_u (i64.eqz {1}))",
    "load": "{0} = (i64.load32_s {cell})",
    "store": "(i64.store32 {cell} {2})",
    "store_block": "(i32.store {cell} {2})",
    "count": "(if (call $too_large {2}) (then (return (call $error {grew} {3}))))\n(i64.store32 {cell} {2})",
    "table": "{0} = (i64.load32_s (i32.add {1} (i32.shl {i2} (i32.const 2))))",
    "if": "(i64.ne {0} (i64.const 0))\nif",
    "spend": "(if (call $spend) (then (return (call $error {spent} {0}))))",
    "goto_value": "(local.set $block {i0})\n(br $next)",
    "halt": "(i32.store (global.get $PC) {over})\n(return {ended})",
    "wait": "(i32.store (global.get $PC) {0})\n(return {asking})",
    "fail": "(return (call $error {failed} {0}))",
    "vector": "{0} = (i32.const 0)",
    "one": "(i64.store32 {to} {1})\n{0} = (i64.ne {1} (i64.const -1))",
    "numbers": "{0} = (call $numbers {to} {1} {2} {3})",
    "length": "{0} = (i64.extend_i32_u {n1})",
    "empty": "{0} = (i64.extend_i32_u (i32.eqz {n1}))",
    "item": "{0} = (call $item {1} {2})",
    "has": "{0} = (call $has {1} {2})",
    "fixed": "{0} = (i32.const {length})",
    "row": "{0} = (select {3} (i32.const 0) (i64.ge_s {2} (i64.const 0)))",
    "stretch": "{0} = (i32.sub (i32.load offset=4 {stretch}) (i32.load {stretch}))",
    "read": "{0} = (i32.load {set})",
    "keep": "(call $keep {set} {0})",
    "as_tuple": "{0} = {n1}",
    "join": "{0} = (call $join {to} {1} {2})",
    "unite": "{0} = (call $unite {to} {1} {2})",
    "greatest": "{0} = (call $greatest {1})",
    "smallest": "{0} = (call $smallest {1})",
    "longest_run": "{0} = (call $longest_run {1})",
    "tally": "{0} = (call $tally {1} {2})",
    "none_of": "{0} = (call $none_of {1} {2})",
    "filter": "{0} = (call $filter {to} {1} {2})",
    "count_of": "{0} = (call $count_of {1} {2} {3})",
    "select": "{0} = (call $select {to} {1} {2} {3})",
    "within": "{0} = (call $within {to} {1} {2} {3})",
    "entries": "{0} = (call $entries {to} {1} {2})",
    "images": "{0} = (call $images {to} {1} {2})",
    "lying": "{0} = (call $lying {to} {1} {2} {3})",
    "gather": "{0} = (call $gather {to} {1} {2})",
    "beside": "{0} = (call $beside {to} {1} {2} {3})",
    "reached": "{0} = (call $reached {to} {1} {2} {3} {4})",
    "slice": "{0} = (call $among (i32.sub {n1} (call $among {n1} {2})) {3})",
    "front": "{0} = (call $among {n1} {2})",
    "back": "{0} = (call $back {to} {1} {2})",
    "largest_group": "{0} = (call $largest_group {to} {1} {a2} {3})",
    "move": "(call $move {i0} {i1} {i2})",
    "move_all": "(call $move_all {0} {i1} {i2})",
    "fitting": "{0} = (call $fitting {to} {1} {2} {3})",
    "spill": "(call $spill {i0} {i1})",
    "sift": "(call $sift {i0} {i1} {2} {i3})",
    "deal": "(call $deal {i0} {i1} {2} {i3} {i4})",
    "pour": "(call $pour {i0} {i1})",
    "shuffle": "(call $shuffle {i0})",
    "swap": "(call $swap {i0} {i1})",
    "random": "{0} = (call $below {1})",
}
# What is written by a method of its own: it has a varying number of operands, changes a vector, or directs the way.
WRITTEN = (
    frozenset(["push", "append", "draw", "sort", "rank", "ask", "answer", "tell"])
    | frozenset(["goto", "for", "loop", "else", "end", "break", "again"])
    | frozenset(["pick", "pick_one", "pick_up_to_one", "noted"])
)
assert LINES.keys() | WRITTEN == IN_BULK

# What can be done with numbers one after the other that are not written down.
OF_SPANS = frozenset(["empty", "length", "pick_one", "pick_up_to_one"])

# Of vectors that never have more than four items, which need no loop.
OF_FEW = ("keep", "copy", "join")

# Of vectors that never have more than one, which need no branch.
OF_ONE = ("count_of", "tally")

# Where the items of what is only a part of something else begin.
STARTS = {
    "read": "(i32.add {set} (i32.const 4))",
    "as_tuple": "{a1}",
    "front": "{a1}",
    "slice": "(i32.add {a1} (i32.shl (call $among {n1} {2}) (i32.const 2)))",
    "fixed": "{1}",
    "row": "(i32.add {1} (i32.shl (i32.mul {i2} {3}) (i32.const 2)))",
    "stretch": "(i32.add {1} (i32.shl (i32.load {stretch}) (i32.const 2)))",
}
assert STARTS.keys() == PARTS


CONSTANTS = {
    "divided": DIVIDED,
    "grew": GREW,
    "spent": SPENT,
    "failed": FAILED,
    "asking": ASKING,
    "ended": OVER,
    "over": GAME_OVER,
}
_DIVIDED_BY_KNOWN = (
    "{0} = (i64.sub (i64.div_s {1} {2}) (i64.extend_i32_u (i64.lt_s (i64.rem_s {1} {2}) (i64.const 0))))"
)
"""`divide_down` by a number that is known and more than 0: the compiler of WebAssembly multiplies instead."""

_STRETCH = "(i32.add (i32.add {1} (i32.shl {3} (i32.const 2))) (i32.shl {i2} (i32.const 2)))"
"""Where stands where a stretch begins."""

_SPELT = {name: f"(i32.const {number})" for name, number in CONSTANTS.items()}


def _wanted(pick: Instruction) -> tuple[int, int]:
    """The operands of how many, at least and at most."""
    match pick:
        case ("pick_one", *_):
            return ONE, ONE
        case ("pick_up_to_one", *_):
            return ZERO, ONE
    return int(pick[3]), int(pick[4])


_SPENT = (
    "(local.set $spent (i32.add (local.get $spent) {fuel}))\n"
    "(if (i32.gt_s (local.get $spent) (i32.load (global.get $FUEL))) (then (return (call $error {spent} {0}))))"
)  # of a block, which counts what it spends apart from what is spent in the library
_COUNTED = (
    "(i32.store (global.get $GAVE) (i32.add (i32.load (global.get $GAVE)) (i32.const 1)))\n"
    "(i32.store (global.get $FUEL) (global.get $FUEL_FOR_ONE))\n(local.set $spent (i32.const 0))"
)  # of an answer
_STOPPED_AT = f"(if (i32.ge_s (i32.load (global.get $GAVE)) {{most}}) (then (return (i32.const {ASKING}))))"
_UP_TO_THE_LIMIT = _STOPPED_AT.format(most="(global.get $LIMIT)") + "\n" + _COUNTED


def _picked(least: int, most: int, to: str, place: int) -> str:
    """Puts a random answer somewhere, and gives its size. least, most: operands, which follow the candidates at that
    place among an instruction's operands."""
    one = {(ONE, ONE): "$pick_one", (ZERO, ONE): "$pick_up_to_one"}.get((least, most))
    if one:
        return f"(call {one} {to} {{{place}}})"
    pick = f"(call $pick {to} {{{place}}} {{{place + 1}}} {{{place + 2}}})"
    if least == ONE:  # mostly exactly one, too
        one = f"(call $pick_one {to} {{{place}}})"
        pick = f"(if (result i32) (i64.eq {{{place + 2}}} (i64.const 1)) (then {one}) (else {pick}))"
    return pick


@cache
def _fields(line: str) -> frozenset[str]:
    """What stands in braces."""
    return frozenset(re.findall(r"{(\w+)}", line))


class Writer:
    """Writes the lines of one stretch of code. Registers are numbered anew in each.

    block: its number; places: of all blocks, in the order in which they are written; room: how many bytes of the
    scratch memory others need; answers: the vectors that it answers with, if each comes to have one item, which is then
    written where it is read; seen: the notes whose candidates the seat sees.
    """

    def __init__(
        self,
        program: Program,
        memory: Memory,
        vectors: Vectors,
        masks: Masks,
        bits: Bits,
        block: int,
        places: Mapping[int, int],
        maps: Maps,
        room: int = 0,
        tracing: Tracing | None = None,
        answers: Sequence[int] = (),
        seen: frozenset[Instruction] = frozenset(),
    ) -> None:
        self._seen = seen
        self._answers = {vector: memory.answers + 2 * WORD * place + WORD for place, vector in enumerate(answers)}
        self._program, self._memory, self._vectors, self._tracing = program, memory, vectors, tracing
        self._block, self._places, self._masks, self._maps = block, places, masks, maps
        self._bits, self._sets = bits, bits.sets
        self._spelling = Spelling(
            lambda vector: f"(local.get $v{self._vector(vector)}) (local.get $n{self._vector(vector)})", self._number
        )
        self._mapped: frozenset[int] = frozenset()
        self._library = library()
        self.lines: list[str] = []
        self.needed: dict[str, str] = bits.needed
        self._registers: dict[int, int] = {0: 0} if block < 0 else {}
        self._numbers: dict[VectorName, int] = {}
        self._rooms: dict[VectorName, int] = {}
        address = memory.scratch + room
        for name in vectors.names():
            self._rooms[name] = address
            address += (vectors.capacity(name) + SLACK) * WORD
        self._first_map = address + 1
        self._picked_for: Instruction | None = None  # where that is kept comes next
        self._selected_for: Instruction | None = None  # where only the first of it is wanted next
        self._position = 0
        self._loops: list[int] = []
        self._depth = self.deepest = 0  # of `for`

    @property
    def needs(self) -> tuple[int, int, int]:
        """How many registers, vectors, and nested `for`."""
        return len(self._registers), len(self._numbers), self.deepest

    def written(self, nodes: Sequence[Node]) -> Writer:
        for node, following in zip_longest(nodes, nodes[1:]):
            self._position += 1
            if not isinstance(node, Nest):
                self._instruction(node, following)
                continue
            vacant = self._sets.vacancies(node)
            if vacant is not None and (self._block >= 0 or vacant.spending is None):
                self._vacancies(vacant)
                self._position += len(flattened([node])) - 1
                continue
            before = self._mapped
            for mapped in self._maps.begun(node):
                self._map(mapped)
            match node.opening:
                case ("for", int(register), int(vector)):
                    self._begin_for(register, vector)
                case ("loop",):
                    self._begin_loop()
                case _:
                    self._lines(node.opening)
            self.written(node.body)
            if node.other:
                self._write("else")
                self.written(node.other)
            self._position += 1
            if node.opening[0] == "for":
                self._end_for()
            elif node.loops:
                self._write(f"br $t{self._loops.pop()}\nend")
            self._write("end")
            self._mapped = before
            for filled in self._sets.filled(node):
                self._list_of_bits(filled)
        return self

    def _map(self, vector: int) -> None:
        """Tells of a vector what its items are, as long as a loop goes on."""
        n = self._vector(vector)
        place = f"(i32.const {self._first_map + self._maps.place(vector)}) (i32.const {self._maps.bound})"
        self._write(f"(call $map {place} (local.get $v{n}) (local.get $n{n}))")
        self._mapped |= {vector}

    def _write(self, line: str) -> None:
        line, needed = inlined(line, self._library)
        self.lines.append(line)
        self.needed |= needed

    # ── loops ──

    def _begin_loop(self) -> None:
        self._loops.append(self._position)
        self._write(f"block $o{self._position}\nloop $t{self._position}")

    def _begin_for(self, register: int, vector: int) -> None:
        """Over the items as they are now: copied first if they may change meanwhile."""
        name, n, here = loop_name(self._position), self._vector(vector), self._depth
        self._depth += 1
        self.deepest = max(self.deepest, self._depth)
        start = f"(local.get $v{n})"
        if self._vectors.copied(name):
            start = f"(i32.const {self._rooms[name]})"
            self._write(f"(drop (call {self._of_few('copy', vector)} {start} (local.get $v{n}) (local.get $n{n})))")
        self._write(f"(local.set $p{here} {start})")
        self._write(f"(local.set $e{here} (i32.add (local.get $p{here}) (i32.shl (local.get $n{n}) (i32.const 2))))")
        self._loops.append(self._position)
        self._write(
            f"block $o{self._position}\n(br_if $o{self._position} (i32.eq (local.get $p{here}) (local.get $e{here})))"
        )
        self._write(f"loop $l{self._position}")
        self._write(f"(local.set {self._register(register)} (i64.load32_s (local.get $p{here})))")
        self._write(f"(local.set $p{here} (i32.add (local.get $p{here}) (i32.const 4)))\nblock $t{self._position}")

    def _end_for(self) -> None:
        self._depth -= 1
        here = self._depth
        self._write(f"end\n(br_if $l{self._loops.pop()} (i32.ne (local.get $p{here}) (local.get $e{here})))\nend")

    # ── instructions ──

    def _instruction(self, instruction: Instruction, following: Node | None) -> None:
        match instruction:
            case ("pick" | "pick_one" | "pick_up_to_one", int(vector), *_) if (
                isinstance(following, tuple) and following[:2] == ("keep", vector) and self._vectors.used_once(vector)
            ):
                self._picked_for = instruction
            case ("keep", *_) if self._picked_for is not None:
                self._pick_into(self._picked_for, instruction)
                self._picked_for = None
            case ("select", int(selected), *_) if (
                isinstance(following, tuple)
                and following[0] == "front"
                and following[2:] == (selected, ONE)
                and self._vectors.used_once(selected)
                and not self._masks.held(selected)
                and not self._sets.held(selected)
            ):
                self._selected_for = instruction
            case ("front", int(first), *_) if self._selected_for is not None:
                self._select_one(self._selected_for, first)
                self._selected_for = None
            case ("numbers", int(vector), int(first), int(last), int(most)) if self._is_span(vector):
                n, ends = self._vector(vector), f"{self._number(first)} {self._number(last)}"
                self._write(f"(local.set $v{n} {self._index(first)})")
                self._write(f"(local.set $n{n} (call $span {ends} (i64.const {most})))")
            case ("goto", int(block)):
                self._goto(block)
            case _ if self._as_bits(instruction):
                pass
            case ("has" | "within", *_) if self._maps.looked_at(instruction) in self._mapped:
                self._look_into_map(instruction)
            case ("spend", *_) if self._block >= 0:
                self._write(_SPENT.format(f"(i32.const {instruction[1]})", fuel="(i32.const 1)", **_SPELT))
            case ("break",):
                self._write(f"(br $o{self._loops[-1]})")
            case ("again",):
                self._write(f"(br $t{self._loops[-1]})")
            case ("vector", int(vector)) if vector in self._answers:
                pass
            case ("push", int(vector), int(item)) if vector in self._answers:
                self._write(f"(i64.store32 (i32.const {self._answers[vector]}) {self._number(item)})")
            case ("push", int(vector), int()):
                n = self._vector(vector)
                self._bounded(vector, "(i32.const 1)")
                self._write(self._filled("(i64.store32 (i32.add {a0} (i32.shl {n0} (i32.const 2))) {1})", instruction))
                self._write(f"(local.set $n{n} (i32.add (local.get $n{n}) (i32.const 1)))")
            case ("append", int(vector), int(more)):
                n = self._vector(vector)
                self._bounded(vector, f"(local.get $n{self._vector(more)})")
                copied = "(call $copy (i32.add {a0} (i32.shl {n0} (i32.const 2))) {1})"
                self._write(self._filled(f"(local.set $n{n} (i32.add {{n0}} {copied}))", instruction))
            case ("draw", int(vector), int()):
                self._write(f"(local.set $n{self._vector(vector)} {self._filled('(call $draw {0} {1})', instruction)})")
            case ("sort", int(vector), *columns):
                self._columns(columns)
                sort = self._of_few("sort", vector)
                self._write(self._filled(f"(drop (call {sort} {{0}} (i32.const {len(columns)})))", instruction))
            case ("rank", int(vector), int(classes), *columns):
                self._columns(columns)
                n, room = self._vector(classes), self._rooms[classes]
                self._write(f"(local.set $v{n} (i32.const {room}))")
                rank = self._of_few("rank", vector)
                call = f"(call {rank} {{a0}} (i32.const {room}) {{n0}} (i32.const {len(columns)}))"
                self._write(f"(local.set $n{n} {self._filled(call, instruction)})")
            case ("answer", *results):
                for result in () if self._answers else results:
                    n = self._vector(int(result))
                    answer = "$answer_one" if self._vectors.capacity(int(result)) <= 1 else "$answer"
                    self._write(f"(call {answer} (local.get $v{n}) (local.get $n{n}))")
                self._write("(return (i32.const 0))")
            case ("ask", *_):
                self._ask(instruction)
            case ("pick" | "pick_one" | "pick_up_to_one", *_):
                self._pick(instruction)
            case ("noted", int(site), *_):
                assert self._tracing is not None
                note = self._tracing.note(site, instruction in self._seen)
                self._write(self._filled(f"(call ${note} {{i1}} {{2}} {{3}} {{4}})", instruction))
            case ("tell", *_):  # with which a round begins
                self._write("(call $sample)")
            case _ if self._masks.counted(instruction):
                number = self._masks.counting(instruction, self._memory, self._last_number(instruction))
                self._write(f"(local.set {self._register(int(instruction[1]))} {number})")
                self.needed |= self._masks.needed
            case _:
                if instruction[0] in MAKING_VECTORS and self._masks.held(int(instruction[1])):
                    self._mask(instruction)
                if instruction[0] not in MAKING_VECTORS or self._masks.listed(int(instruction[1])):
                    self._lines(instruction)

    def _is_span(self, vector: VectorName) -> bool:
        """Whether numbers are only counted, or one is picked: then the first of them stands for their address."""
        makers, uses = self._sets.makers(vector), {str(use[0]) for use in self._sets.uses(vector)}
        return uses <= OF_SPANS and self._vectors.made_once(vector) and makers[0][0] == "numbers"

    def _select_one(self, select: Instruction, vector: int) -> None:
        """A vector of the first item that would be selected."""
        n, room = self._vector(vector), f"(i32.const {self._rooms[vector]})"
        self._write(f"(local.set $n{n} {self._filled(f'(call $select_one {room} {{1}} {{2}} {{3}})', select)})")
        self._write(f"(local.set $v{n} {room})")

    def _as_bits(self, instruction: Instruction) -> bool:
        """Writes what is about a set that is held as bits. Gives whether all of it is written."""
        sets, bits, spelling = self._sets, self._bits, self._spelling
        if sets.skipped(instruction):
            return True
        if (told := bits.told(instruction, self._memory.data, spelling)) is not None:
            self._write(f"(local.set {self._register(int(instruction[1]))} {told})")
            return True
        if instruction[0] == "push" and sets.held(int(instruction[1])):
            self._write(bits.pushed(instruction, spelling))
            return True
        if instruction[0] not in MAKING_VECTORS or not sets.held(vector := int(instruction[1])):
            return False
        self._write(bits.set(vector, bits.made(instruction, self._memory.data, spelling)))
        if sets.listed(vector) and instruction[0] not in ("fixed", "as_tuple", "vector"):
            self._list_of_bits(vector)
        return not sets.listed(vector) or instruction[0] not in ("fixed", "as_tuple", "vector")

    def _list_of_bits(self, vector: int) -> None:
        n, room = self._vector(vector), self._rooms[vector]
        self._write(f"(local.set $v{n} (i32.const {room}))")
        self._write(f"(local.set $n{n} (call $listed (i32.const {room}) (local.get $bits{vector})))")

    def _vacancies(self, vacant: Vacancies) -> None:
        """Instead of a loop, which zones are empty, or are not."""
        items, bits = self._spelling.vector(vacant.items), self._bits
        if vacant.spending is not None:
            fuel = f"(local.get $n{self._vector(vacant.items)})"
            self._write(_SPENT.format(f"(i32.const {vacant.spending})", fuel=fuel, **_SPELT))
        found = f"(call $vacant {items} (i32.const {vacant.first}))"
        if apart := self._memory.sets_apart(vacant.first, vacant.in_row):
            first = self._memory.set_at[vacant.first]
            found = f"(call $vacant_row (i32.const {first}) (i32.const {apart}) (i64.const {vacant.in_row}))"
            if apart == 2 * WORD:
                found = f"(call $vacant_close_row (i32.const {first}) (i64.const {vacant.in_row}))"
        if not vacant.empty:
            found = f"(v128.andnot {bits.bits(vacant.items, self._spelling)} {found})"
        before = bits.bits(vacant.vector, self._spelling)
        self._write(bits.set(vacant.vector, f"(v128.or {before} {found})"))
        if self._sets.listed(vacant.vector):
            self._list_of_bits(vacant.vector)

    def _look_into_map(self, instruction: Instruction) -> None:
        """Whether something is among the items of a vector that has a map; what is beyond it is looked for."""
        vector = self._maps.looked_at(instruction)
        assert vector is not None
        place = f"(i32.const {self._first_map + self._maps.place(vector)})"
        if instruction[0] == "within":
            self._make(instruction, self._filled(f"(call $within_map {{to}} {{1}} {{2}} {place})", instruction))
            return
        told = f"(i64.load8_u (i32.add {place} {{i2}}))"
        known = f"(i64.lt_u {{2}} (i64.const {self._maps.bound}))"
        found = f"(if (result i64) {known} (then {told}) (else {LINES['has'].removeprefix('{0} = ')}))"
        self._write(f"(local.set {self._register(int(instruction[1]))} {self._filled(found, instruction)})")

    def _mask(self, instruction: Instruction) -> None:
        """Makes a vector as a mask."""
        index = self._index(int(instruction[3])) if instruction[0] == "read" else ""
        for line in self._masks.made(instruction, self._memory, index, self._last_number(instruction)):
            self._write(line)
        self.needed |= self._masks.needed

    def _last_number(self, instruction: Instruction) -> str:
        """The last operand as a value, where it is one."""
        kind, operand = operands_of(instruction)[-1]
        return self._number(operand) if kind == "v" else ""

    def _lines(self, instruction: Instruction) -> None:
        """As LINES has it."""
        operation = str(instruction[0])
        makes = operation in MAKING_VECTORS
        pattern = LINES[operation].replace("{stretch}", _STRETCH)
        if operation == "divide_down" and (divisor := int(instruction[3])) & 1 and divisor > 1:
            pattern = _DIVIDED_BY_KNOWN
        for line in pattern.split("\n"):
            value = self._filled(line.removeprefix("{0} = "), instruction)
            if not line.startswith("{0} = "):
                self._write(value)
            elif makes:
                self._make(instruction, value)
            else:
                self._write(f"(local.set {self._register(int(instruction[1]))} {value})")

    def _make(self, instruction: Instruction, size: str) -> None:
        """A vector of that size: a part of something else, or with its items in its own room."""
        operation, vector = str(instruction[0]), int(instruction[1])
        n, room = self._vector(vector), f"(i32.const {self._rooms[vector]})"
        sources = [operand for kind, operand in operands_of(instruction)[1:] if kind == "V"]
        assert vector not in sources or operation in PARTS, instruction
        if operation in PARTS:
            part = self._filled(STARTS[operation].replace("{stretch}", _STRETCH), instruction)
            if self._vectors.copied(vector):
                copy = self._of_few("copy", vector)
                self._write(f"(local.set $n{n} (call {copy} {room} {part} {size}))")
                self._write(f"(local.set $v{n} {room})")
            else:
                self._write(f"(local.set $v{n} {part})")
                self._write(f"(local.set $n{n} {size})")
        else:
            self._write(f"(local.set $n{n} {size})")
            self._write(f"(local.set $v{n} {room})")

    def _of_few(self, name: str, *vectors: VectorName) -> str:
        """What to call: for vectors that never have more than four items, what needs no loop."""
        few = all(self._vectors.capacity(vector) <= FEW_ITEMS for vector in vectors)
        return f"${name}_of_few" if few else f"${name}"

    def _bounded(self, vector: VectorName, more: str) -> None:
        """Checked for those vectors for which no bound is known."""
        if vector in self._vectors.unproven:
            size = f"(i32.add (local.get $n{self._vector(vector)}) {more})"
            full = f"(return (call $error (i32.const {FULL}) (i32.const 0)))"
            self._write(f"(if (i32.gt_u {size} (i32.const {UNPROVEN})) (then {full}))")

    def _columns(self, columns: Sequence[str | int]) -> None:
        for place, column in enumerate(columns):
            address = self._memory.columns + WORD * place
            self._write(f"(i32.store (i32.const {address}) (local.get $v{self._vector(int(column))}))")

    def _goto(self, block: int) -> None:
        if self._places[block] > self._places[self._block]:
            self._write(f"(br $b{block})")
        else:
            self._write(f"(local.set $block (i32.const {block}))\n(br $next)")

    def _ask(self, ask: Instruction) -> None:
        """Answered at random as `Machine.answer` puts an answer into the state, or asked."""
        site = self._program.sites[int(ask[1])]
        seats = int(ask[2]) if site.per_seat else ZERO
        cell = self._set(site.slot, seats)
        self._write("(if (i32.load (global.get $PLAYING)) (then")
        self._write(_STOPPED_AT.format(most="(i32.load (global.get $MOST))"))
        self._write(_COUNTED)
        answer = f"(i32.add {cell} (i32.const 4))"
        self._write(self._filled(f"(i32.store {cell} {_picked(int(ask[4]), int(ask[5]), answer, 2)})", ask))
        if site.parks:
            sealed = self._program.sealed[site.sealed]
            self._keep_way(sealed.parked_block, int(ask[2]), site.resume)
            self._keep_way(sealed.next_block, int(ask[2]), PARKED)
            self._goto(sealed.block)
        else:
            self._goto(site.resume)
        self._write("))")
        self._write(self._filled("(call $asked {0} {i1} {2} {3} {4})", ask))
        if site.sealed < 0:
            self._write(f"(i32.store (global.get $PC) (i32.const {self._block}))")
            self._write(f"(return (i32.const {ASKING}))")
        else:
            sealed = self._program.sealed[site.sealed]
            self._keep_way(sealed.ask_block, int(ask[2]), self._block)
            self._keep_way(sealed.next_block, int(ask[2]), WAITING)
            self._goto(sealed.block)

    def _pick(self, pick: Instruction) -> None:
        """A random answer, as a vector."""
        self._write(_UP_TO_THE_LIMIT)
        self._make(pick, self._filled(self._picked(pick, f"(i32.const {self._rooms[int(pick[1])]})"), pick))

    def _pick_into(self, pick: Instruction, keep: Instruction) -> None:
        """A random answer that is kept in a set, made there: copying what has just been written item by item would make
        the processor wait for that."""
        self._write(_UP_TO_THE_LIMIT)
        cell = self._set(int(keep[2]), int(keep[3]))
        size = self._filled(self._picked(pick, f"(i32.add {cell} (i32.const 4))"), pick)
        self._write(f"(i32.store {cell} {size})")

    def _picked(self, pick: Instruction, to: str) -> str:
        picked = _picked(*_wanted(pick), to, 1)
        if self._is_span(int(pick[2])):
            picked = picked.replace("$pick_one ", "$pick_number ")
            picked = picked.replace("$pick_up_to_one ", "$pick_up_to_one_number ")
        return picked

    def _keep_way(self, cell: int, index: int, block: int) -> None:
        self._write(f"(i32.store {self._cell(cell, index)} (i32.const {block}))")

    # ── operands ──

    def _register(self, number: int) -> str:
        return f"$r{self._registers.setdefault(number, len(self._registers))}"

    def _vector(self, number: VectorName) -> int:
        return self._numbers.setdefault(number, len(self._numbers))

    def _number(self, operand: int) -> str:
        """A value, as i64."""
        return f"(i64.const {operand >> 1})" if operand & 1 else f"(local.get {self._register(operand >> 1)})"

    def _index(self, operand: int) -> str:
        """A value, as i32."""
        return f"(i32.const {operand >> 1})" if operand & 1 else f"(i32.wrap_i64 {self._number(operand)})"

    def _cell(self, cell: int, index: int) -> str:
        return self._entry(self._memory.state, cell, index)

    def _entry(self, table: int, first: int, index: int) -> str:
        """An address, as it stands in a load or store."""
        if index & 1:
            return f"(i32.const {table + WORD * (first + (index >> 1))})"
        return f"offset={table + WORD * first} (i32.shl {self._index(index)} (i32.const 2))"

    def _set(self, cell: int, index: int) -> str:
        if index & 1:
            return f"(i32.const {self._memory.set_at[cell + (index >> 1)]})"
        return f"(call $there (i32.load {self._entry(self._memory.sets, cell, index)}))"

    def _filled(self, line: str, instruction: Instruction) -> str:
        """A line with the operands of an instruction."""
        spelt, fields = dict(_SPELT), _fields(line)
        words: list[str] = []
        operands = operands_of(instruction)
        for place, (kind, operand) in enumerate(operands):
            match kind:
                case "d":
                    words.append(self._register(operand))
                case "v":
                    words.append(self._number(operand))
                    if (name := f"i{place}") in fields:
                        spelt[name] = self._index(operand)
                case "T":
                    words.append(f"(i32.const {self._memory.tables[operand]})")
                    spelt["length"] = str(len(self._program.tables[operand]))
                case "V":
                    n = self._vector(operand)
                    spelt[f"a{place}"], spelt[f"n{place}"] = f"(local.get $v{n})", f"(local.get $n{n})"
                    words.append(f"(local.get $v{n}) (local.get $n{n})")
                    if place == 0:
                        spelt["to"] = f"(i32.const {self._rooms[operand]})"
                case _:
                    words.append(f"(i32.const {operand})")
        if (place := OPERANDS[str(instruction[0])].find("c")) >= 0:
            cell, index = operands[place][1], operands[place + 1][1]
            if "cell" in fields:
                spelt["cell"] = self._cell(cell, index)
            if "set" in fields:
                spelt["set"] = self._set(cell, index)
        vectors = [operand for kind, operand in operands if kind == "V"]
        for name in OF_FEW:
            if (call := f"(call ${name} ") in line:
                line = line.replace(call, f"(call {self._of_few(name, *vectors)} ")
        if instruction[0] in OF_ONE and self._vectors.capacity(vectors[0]) == 1:
            line = line.replace(f"${instruction[0]} ", f"${instruction[0]}_of_one ")
        if instruction[0] == "filter" and set(self._program.tables[int(instruction[3])]) <= {0, 1}:
            line = line.replace("$filter", "$filter_of_kind")
        return line.format(*words, **spelt)
