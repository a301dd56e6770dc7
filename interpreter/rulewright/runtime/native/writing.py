"""Instructions, one after the other -> WebAssembly.

What takes a line or two is written as `lines` has it; the rest has a method here. Where blocks ask, a decision is
asked, or answered at random while a game is played on; blocks for whole games have random answers as instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rulewright.program.appearance import may_be_alike, may_show_alike
from rulewright.program.blocks import Nest, Node, flattened
from rulewright.program.form import PARKED, WAITING, Program
from rulewright.program.instructions import MAKING_VECTORS, ONE, PARTS, ZERO, Instruction, operands_of
from rulewright.runtime.native.bits import Bits
from rulewright.runtime.native.inlining import inlined, library
from rulewright.runtime.native.lines import DIVIDED_BY_KNOWN, LINES, OF_SPANS, SPELT, STARTS
from rulewright.runtime.native.maps import Maps
from rulewright.runtime.native.masks import Masks
from rulewright.runtime.native.memory import ASKING, FULL, WORD, Memory
from rulewright.runtime.native.operands import Operands
from rulewright.runtime.native.ordered import Vacancies
from rulewright.runtime.native.tracing import Tracing
from rulewright.runtime.native.vectors import UNPROVEN, VectorName, Vectors, loop_name

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


def _wanted(pick: Instruction) -> tuple[int, int]:
    """The operands of how many, at least and at most."""
    match pick:
        case ("pick_one", *_):
            return ONE, ONE
        case ("pick_up_to_one", *_):
            return ZERO, ONE
    return int(pick[3]), int(pick[4])


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


def _picked_alike(least: int, most: int, to: str, place: int, seat: str) -> str:
    """The same where some candidates may look alike to a seat."""
    if most == ONE and least in (ZERO, ONE):
        return f"(call $pick_one_alike {to} {{{place}}} (i32.const {int(least == ZERO)}) {seat})"
    return f"(call $pick_alike {to} {{{place}}} {{{place + 1}}} {{{place + 2}}} {seat})"


def _unless(apart: str, picked: str, picked_alike: str) -> str:
    """apart: what tells whether places tell candidates apart."""
    return f"(if (result i32) {apart} (then {picked}) (else {picked_alike}))"


class Writer:
    """Writes the lines of one stretch of code.

    block: its number; places: of all blocks, in the order in which they are written; room: how many bytes of the
    scratch memory others need; answers: the vectors that it answers with, if each comes to have one item, which is then
    written where it is read; seen: the notes and random answers whose candidates the seat sees.
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
        self._mapped: frozenset[int] = frozenset()
        self._library = library()
        self.lines: list[str] = []
        self.needed: dict[str, str] = bits.needed
        self._spelt = Operands(program, memory, vectors, room, 0 if block < 0 else -1)
        self._first_map = self._spelt.end + 1
        self._picked_for: Instruction | None = None  # where that is kept comes next
        self._selected_for: Instruction | None = None  # where only the first of it is wanted next
        self._position = 0
        self._loops: list[int] = []
        self._depth = self.deepest = 0  # of `for`

    @property
    def needs(self) -> tuple[int, int, int]:
        """How many registers, vectors, and nested `for`."""
        return len(self._spelt.registers), len(self._spelt.numbers), self.deepest

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
        n = self._spelt.numbered(vector)
        place = f"(i32.const {self._first_map + self._maps.place(vector)}) (i32.const {self._maps.bound})"
        self._write(f"(call $map {place} (local.get $v{n}) (local.get $n{n}))")
        self._mapped |= {vector}

    def _write(self, line: str) -> None:
        line, needed = inlined(line, self._library)
        self.lines.append(line)
        self.needed |= needed

    def _result(self, instruction: Instruction, value: str) -> None:
        """Into the register that it sets."""
        self._write(f"(local.set {self._spelt.register(int(instruction[1]))} {value})")

    # ── loops ──

    def _begin_loop(self) -> None:
        self._loops.append(self._position)
        self._write(f"block $o{self._position}\nloop $t{self._position}")

    def _begin_for(self, register: int, vector: int) -> None:
        """Over the items as they are now: copied first if they may change meanwhile."""
        name, n, here = loop_name(self._position), self._spelt.numbered(vector), self._depth
        self._depth += 1
        self.deepest = max(self.deepest, self._depth)
        start = f"(local.get $v{n})"
        if self._vectors.copied(name):
            start = self._spelt.room(name)
            copy = self._spelt.of_few("copy", vector)
            self._write(f"(drop (call {copy} {start} {self._spelt.vector(vector)}))")
        self._write(f"(local.set $p{here} {start})")
        self._write(f"(local.set $e{here} (i32.add (local.get $p{here}) (i32.shl (local.get $n{n}) (i32.const 2))))")
        self._loops.append(self._position)
        self._write(
            f"block $o{self._position}\n(br_if $o{self._position} (i32.eq (local.get $p{here}) (local.get $e{here})))"
        )
        self._write(f"loop $l{self._position}")
        self._write(f"(local.set {self._spelt.register(register)} (i64.load32_s (local.get $p{here})))")
        self._write(f"(local.set $p{here} (i32.add (local.get $p{here}) (i32.const 4)))\nblock $t{self._position}")

    def _end_for(self) -> None:
        self._depth -= 1
        here = self._depth
        self._write(f"end\n(br_if $l{self._loops.pop()} (i32.ne (local.get $p{here}) (local.get $e{here})))\nend")

    # ── instructions ──

    def _instruction(self, instruction: Instruction, following: Node | None) -> None:
        match instruction:
            case ("pick" | "pick_one" | "pick_up_to_one" | "pick_alike", int(vector), *_) if (
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
                n, ends = self._spelt.numbered(vector), f"{self._spelt.number(first)} {self._spelt.number(last)}"
                self._write(f"(local.set $v{n} {self._spelt.index(first)})")
                self._write(f"(local.set $n{n} (call $span {ends} (i64.const {most})))")
            case ("goto", int(block)):
                self._goto(block)
            case _ if self._as_bits(instruction):
                pass
            case ("has" | "within", *_) if self._maps.looked_at(instruction) in self._mapped:
                self._look_into_map(instruction)
            case ("spend", *_) if self._block >= 0:
                self._write(_SPENT.format(f"(i32.const {instruction[1]})", fuel="(i32.const 1)", **SPELT))
            case ("break",):
                self._write(f"(br $o{self._loops[-1]})")
            case ("again",):
                self._write(f"(br $t{self._loops[-1]})")
            case ("vector", int(vector)) if vector in self._answers:
                pass
            case ("push", int(vector), int(item)) if vector in self._answers:
                self._write(f"(i64.store32 (i32.const {self._answers[vector]}) {self._spelt.number(item)})")
            case ("push", int(vector), int()):
                n = self._spelt.numbered(vector)
                self._bounded(vector, "(i32.const 1)")
                self._write(
                    self._spelt.filled("(i64.store32 (i32.add {a0} (i32.shl {n0} (i32.const 2))) {1})", instruction)
                )
                self._write(f"(local.set $n{n} (i32.add (local.get $n{n}) (i32.const 1)))")
            case ("append", int(vector), int(more)):
                n = self._spelt.numbered(vector)
                self._bounded(vector, f"(local.get $n{self._spelt.numbered(more)})")
                copied = "(call $copy (i32.add {a0} (i32.shl {n0} (i32.const 2))) {1})"
                self._write(self._spelt.filled(f"(local.set $n{n} (i32.add {{n0}} {copied}))", instruction))
            case ("draw", int(vector), int()):
                size = self._spelt.filled("(call $draw {0} {1})", instruction)
                self._write(f"(local.set $n{self._spelt.numbered(vector)} {size})")
            case ("sort", int(vector), *columns):
                self._columns(columns)
                sort = self._spelt.of_few("sort", vector)
                self._write(self._spelt.filled(f"(drop (call {sort} {{0}} (i32.const {len(columns)})))", instruction))
            case ("rank", int(vector), int(classes), *columns):
                self._columns(columns)
                n, room = self._spelt.numbered(classes), self._spelt.room(classes)
                self._write(f"(local.set $v{n} {room})")
                rank = self._spelt.of_few("rank", vector)
                call = f"(call {rank} {{a0}} {room} {{n0}} (i32.const {len(columns)}))"
                self._write(f"(local.set $n{n} {self._spelt.filled(call, instruction)})")
            case ("answer", *results):
                for result in () if self._answers else results:
                    n = self._spelt.numbered(int(result))
                    answer = "$answer_one" if self._vectors.capacity(int(result)) <= 1 else "$answer"
                    self._write(f"(call {answer} (local.get $v{n}) (local.get $n{n}))")
                self._write("(return (i32.const 0))")
            case ("ask", *_):
                self._ask(instruction)
            case ("pick" | "pick_one" | "pick_up_to_one" | "pick_alike", *_):
                self._pick(instruction)
            case ("noted", int(site), *_):
                assert self._tracing is not None
                note = self._tracing.note(site, instruction in self._seen)
                self._write(self._spelt.filled(f"(call ${note} {{i1}} {{2}} {{3}} {{4}})", instruction))
            case ("tell", *_):  # with which a round begins
                self._write("(call $sample)")
            case _ if self._masks.counted(instruction):
                number = self._masks.counting(instruction, self._memory, self._last_number(instruction))
                self._result(instruction, number)
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
        n, room = self._spelt.numbered(vector), self._spelt.room(vector)
        self._write(f"(local.set $n{n} {self._spelt.filled(f'(call $select_one {room} {{1}} {{2}} {{3}})', select)})")
        self._write(f"(local.set $v{n} {room})")

    def _as_bits(self, instruction: Instruction) -> bool:
        """Writes what is about a set that is held as bits. Gives whether all of it is written."""
        sets, bits, spelt = self._sets, self._bits, self._spelt
        if sets.skipped(instruction):
            return True
        if (told := bits.told(instruction, self._memory.data, spelt)) is not None:
            self._result(instruction, told)
            return True
        if instruction[0] == "push" and sets.held(int(instruction[1])):
            self._write(bits.pushed(instruction, spelt))
            return True
        if instruction[0] not in MAKING_VECTORS or not sets.held(vector := int(instruction[1])):
            return False
        self._write(bits.set(vector, bits.made(instruction, self._memory.data, spelt)))
        if sets.listed(vector) and instruction[0] not in ("fixed", "as_tuple", "vector"):
            self._list_of_bits(vector)
        return not sets.listed(vector) or instruction[0] not in ("fixed", "as_tuple", "vector")

    def _list_of_bits(self, vector: int) -> None:
        n, room = self._spelt.numbered(vector), self._spelt.room(vector)
        self._write(f"(local.set $v{n} {room})")
        self._write(f"(local.set $n{n} (call $listed {room} (local.get $bits{vector})))")

    def _vacancies(self, vacant: Vacancies) -> None:
        """Instead of a loop, which zones are empty, or are not."""
        items, bits = self._spelt.vector(vacant.items), self._bits
        if vacant.spending is not None:
            fuel = f"(local.get $n{self._spelt.numbered(vacant.items)})"
            self._write(_SPENT.format(f"(i32.const {vacant.spending})", fuel=fuel, **SPELT))
        found = f"(call $vacant {items} (i32.const {vacant.first}))"
        if apart := self._memory.sets_apart(vacant.first, vacant.in_row):
            first = self._memory.set_at[vacant.first]
            found = f"(call $vacant_row (i32.const {first}) (i32.const {apart}) (i64.const {vacant.in_row}))"
            if apart == 2 * WORD:
                found = f"(call $vacant_close_row (i32.const {first}) (i64.const {vacant.in_row}))"
        if not vacant.empty:
            found = f"(v128.andnot {bits.bits(vacant.items, self._spelt)} {found})"
        before = bits.bits(vacant.vector, self._spelt)
        self._write(bits.set(vacant.vector, f"(v128.or {before} {found})"))
        if self._sets.listed(vacant.vector):
            self._list_of_bits(vacant.vector)

    def _look_into_map(self, instruction: Instruction) -> None:
        """Whether something is among the items of a vector that has a map; what is beyond it is looked for."""
        vector = self._maps.looked_at(instruction)
        assert vector is not None
        place = f"(i32.const {self._first_map + self._maps.place(vector)})"
        if instruction[0] == "within":
            self._make(instruction, self._spelt.filled(f"(call $within_map {{to}} {{1}} {{2}} {place})", instruction))
            return
        told = f"(i64.load8_u (i32.add {place} {{i2}}))"
        known = f"(i64.lt_u {{2}} (i64.const {self._maps.bound}))"
        found = f"(if (result i64) {known} (then {told}) (else {LINES['has'].removeprefix('{0} = ')}))"
        self._result(instruction, self._spelt.filled(found, instruction))

    def _mask(self, instruction: Instruction) -> None:
        """Makes a vector as a mask."""
        index = self._spelt.index(int(instruction[3])) if instruction[0] == "read" else ""
        for line in self._masks.made(instruction, self._memory, index, self._last_number(instruction)):
            self._write(line)
        self.needed |= self._masks.needed

    def _last_number(self, instruction: Instruction) -> str:
        """The last operand as a value, where it is one."""
        kind, operand = operands_of(instruction)[-1]
        return self._spelt.number(operand) if kind == "v" else ""

    def _lines(self, instruction: Instruction) -> None:
        """As LINES has it."""
        operation = str(instruction[0])
        makes = operation in MAKING_VECTORS
        pattern = LINES[operation]
        if operation == "divide_down" and (divisor := int(instruction[3])) & 1 and divisor > 1:
            pattern = DIVIDED_BY_KNOWN
        for line in pattern.split("\n"):
            value = self._spelt.filled(line.removeprefix("{0} = "), instruction)
            if not line.startswith("{0} = "):
                self._write(value)
            elif makes:
                self._make(instruction, value)
            else:
                self._result(instruction, value)

    def _make(self, instruction: Instruction, size: str) -> None:
        """A vector of that size: a part of something else, or with its items in its own room."""
        operation, vector = str(instruction[0]), int(instruction[1])
        n, room = self._spelt.numbered(vector), self._spelt.room(vector)
        sources = [operand for kind, operand in operands_of(instruction)[1:] if kind == "V"]
        assert vector not in sources or operation in PARTS, instruction
        if operation in PARTS:
            part = self._spelt.filled(STARTS[operation], instruction)
            if self._vectors.copied(vector):
                copy = self._spelt.of_few("copy", vector)
                self._write(f"(local.set $n{n} (call {copy} {room} {part} {size}))")
                self._write(f"(local.set $v{n} {room})")
            else:
                self._write(f"(local.set $v{n} {part})")
                self._write(f"(local.set $n{n} {size})")
        else:
            self._write(f"(local.set $n{n} {size})")
            self._write(f"(local.set $v{n} {room})")

    def _bounded(self, vector: VectorName, more: str) -> None:
        """Checked for those vectors for which no bound is known."""
        if vector in self._vectors.unproven:
            size = f"(i32.add (local.get $n{self._spelt.numbered(vector)}) {more})"
            full = f"(return (call $error (i32.const {FULL}) (i32.const 0)))"
            self._write(f"(if (i32.gt_u {size} (i32.const {UNPROVEN})) (then {full}))")

    def _columns(self, columns: Sequence[str | int]) -> None:
        for place, column in enumerate(columns):
            address = self._memory.columns + WORD * place
            self._write(f"(i32.store (i32.const {address}) (local.get $v{self._spelt.numbered(int(column))}))")

    def _goto(self, block: int) -> None:
        if self._places[block] > self._places[self._block]:
            self._write(f"(br $b{block})")
        else:
            self._write(f"(local.set $block (i32.const {block}))\n(br $next)")

    def _ask(self, ask: Instruction) -> None:
        """Answered at random as `Machine.answer` puts an answer into the state, or asked."""
        site = self._program.sites[int(ask[1])]
        seats = int(ask[2]) if site.per_seat else ZERO
        cell = self._spelt.set_at(site.slot, seats)
        self._write("(if (i32.load (global.get $PLAYING)) (then")
        self._write(_STOPPED_AT.format(most="(i32.load (global.get $MOST))"))
        self._write(_COUNTED)
        least, most, answer = int(ask[4]), int(ask[5]), f"(i32.add {cell} (i32.const 4))"
        picked = _picked(least, most, answer, 2)
        if may_be_alike(self._program, site):
            alike = _picked_alike(least, most, answer, 2, "{i1}")
            told = f"(i32.load {self._spelt.cell(site.by_place, seats)})"
            picked = alike if site.by_place < 0 else _unless(told, picked, alike)
        self._write(self._spelt.filled(f"(i32.store {cell} {picked})", ask))
        if site.parks:
            sealed = self._program.sealed[site.sealed]
            self._keep_way(sealed.parked_block, int(ask[2]), site.resume)
            self._keep_way(sealed.next_block, int(ask[2]), PARKED)
            self._goto(sealed.block)
        else:
            self._goto(site.resume)
        self._write("))")
        self._write(self._spelt.filled("(call $asked {0} {i1} {2} {3} {4})", ask))
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
        self._make(pick, self._spelt.filled(self._picked(pick, self._spelt.room(int(pick[1]))), pick))

    def _pick_into(self, pick: Instruction, keep: Instruction) -> None:
        """A random answer that is kept in a set, made there: copying what has just been written item by item would make
        the processor wait for that."""
        self._write(_UP_TO_THE_LIMIT)
        cell = self._spelt.set_at(int(keep[2]), int(keep[3]))
        size = self._spelt.filled(self._picked(pick, f"(i32.add {cell} (i32.const 4))"), pick)
        self._write(f"(i32.store {cell} {size})")

    def _picked(self, pick: Instruction, to: str) -> str:
        picked = _picked(*_wanted(pick), to, 1)
        if pick[0] == "pick_alike" and not self._all_differ(pick):
            alike = _picked_alike(*_wanted(pick), to, 1, "{i4}")
            return alike if pick[6] == ZERO else _unless("{i5}", picked, alike)
        if self._is_span(int(pick[2])):
            picked = picked.replace("$pick_one ", "$pick_number ")
            picked = picked.replace("$pick_up_to_one ", "$pick_up_to_one_number ")
        return picked

    def _all_differ(self, pick: Instruction) -> bool:
        """Whether the seat sees all candidates, and no two of them show the same."""
        return pick in self._seen and not may_show_alike(self._program, self._program.sites[int(pick[7])])

    def _keep_way(self, cell: int, index: int, block: int) -> None:
        self._write(f"(i32.store {self._spelt.cell(cell, index)} (i32.const {block}))")
