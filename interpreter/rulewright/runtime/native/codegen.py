"""Code generator: instructions of the program -> WebAssembly.

`meanings` has plain instructions, `block_code` those of blocks. Loops, and instructions that change a vector or have a
varying number of operands, are here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from rulewright.base.records import record
from rulewright.program.blocks import Nest, Node, flatten
from rulewright.program.form import Program
from rulewright.program.instructions import MAKING_VECTORS, ONE, Instruction
from rulewright.runtime.native.assembler import Label
from rulewright.runtime.native.bit_set_analysis import BitSets, Vacancies
from rulewright.runtime.native.bits import BitCode
from rulewright.runtime.native.maps import Maps
from rulewright.runtime.native.masks import MaskCode, Masks
from rulewright.runtime.native.meanings import OF_SPANS, Meanings
from rulewright.runtime.native.memory import OUT_OF_FUEL, SET_TOO_LARGE, WORD
from rulewright.runtime.native.operands import LocalFrame, Operands
from rulewright.runtime.native.vectors import UNPROVEN, VectorName, Vectors, loop_name
from rulewright.runtime.native.webassembly import I32, I64, Address, Code, Items, choose


@record
class Analysis:
    """Analyses of one stretch of code: how its vectors are held, and which loops have maps."""

    vectors: Vectors
    sets: BitSets
    masks: Masks
    maps: Maps


@record
class _OpenLoop:
    """Loop being emitted. again: beginning of the next round; out: end of the loop."""

    again: Label
    out: Label


class CodeGenerator:
    """Generator of one stretch of code in a function.

    room: bytes of scratch memory that other stretches need; argument: register of a function's seat, or -1; answers:
    result vectors, if each gets exactly one item, which is then written straight into the memory of answers;
    spends_at_once: whether the fuel of several rounds of a loop can be spent at once.
    """

    spends_at_once = False

    def __init__(
        self,
        program: Program,
        frame: LocalFrame,
        analysis: Analysis,
        room: int = 0,
        answers: Sequence[int] = (),
        argument: int = -1,
    ) -> None:
        memory = frame.memory
        self._program, self._frame, self._memory, self._f = program, frame, memory, frame.function
        self._library = frame.library
        self._vectors, self._sets, self._masks, self._maps = (
            analysis.vectors,
            analysis.sets,
            analysis.masks,
            analysis.maps,
        )
        self._answers = {vector: memory.answers + 2 * WORD * place + WORD for place, vector in enumerate(answers)}
        self._operands = Operands(program, frame, analysis.vectors, room, argument)
        self._meanings = Meanings(frame)
        self._mask_code = MaskCode(analysis.masks, frame, self._operands)
        self._bit_code = BitCode(analysis.sets, program, frame, self._operands)
        self._first_map = self._operands.end + 1
        self._mapped: frozenset[int] = frozenset()
        self._select_for_front: Instruction | None = None  # the next node needs its first item only
        self._position = 0
        self._loops: list[_OpenLoop] = []
        self._depth = 0  # of `for`

    # ── nests ──

    def write(self, nodes: Sequence[Node]) -> None:
        """Emit the code of nodes."""
        for node, following in zip_longest(nodes, nodes[1:]):
            self._position += 1
            if isinstance(node, Nest):
                self._emit_nest(node)
            else:
                self._emit_instruction(node, following)

    def _emit_nest(self, node: Nest) -> None:
        """Emit a loop or branch; a loop that only finds vacancies becomes a look-up."""
        vacant = self._sets.find_vacancies(node)
        if vacant is not None and (self.spends_at_once or vacant.spending is None):
            self._emit_vacancies(vacant)
            self._position += len(flatten([node])) - 1
            return
        before = self._mapped
        for mapped in self._maps.mapped_before(node):
            self._emit_map(mapped)
        match node.opening:
            case ("for", int(register), int(vector)):
                self._emit_for(node, register, vector)
            case ("loop",):
                with self._f.block() as out, self._f.loop() as again:
                    self._loops.append(_OpenLoop(again, out))
                    self._emit_branches(node)
                    self._f.branch(again)
                    self._loops.pop()
            case ("if", int(value)):
                with self._f.if_true(self._operands.number(value).i64.differs(0)):
                    self._emit_branches(node)
        self._mapped = before
        for vector in self._sets.lists_filled_by(node):
            self._emit_list_of_bits(vector)

    def _emit_branches(self, node: Nest) -> None:
        """Emit the body of a nest, and its `else`."""
        self.write(node.body)
        if node.other:
            self._f.start_else()
            self.write(node.other)
        self._position += 1

    def _emit_for(self, node: Nest, register: int, vector: int) -> None:
        """Emit a loop over a vector's present items: over a copy if they may change meanwhile."""
        name, items, f = loop_name(self._position), self._operands.vector(vector), self._f
        next_item, end = self._frame.loop(self._depth)
        self._depth += 1
        start = items.address
        if self._vectors.is_copied(name):
            start = self._operands.items_address(name)
            f.add(self._copy_function(vector)(start, items).dropped())
        f.add(next_item.set(start), end.set(next_item.get() + (items.size << 2)))
        with f.block() as out:
            f.branch_if(next_item.get().equals(end.get()), out)
            with f.loop() as more:
                f.add(
                    self._operands.register(register).set(Address(next_item.get()).load_word()),
                    next_item.set(next_item.get() + WORD),
                )
                with f.block() as again:
                    self._loops.append(_OpenLoop(again, out))
                    self._emit_branches(node)
                    self._loops.pop()
                f.branch_if(next_item.get().differs(end.get()), more)
        self._depth -= 1

    def _emit_map(self, vector: int) -> None:
        """Emit the building of a vector's map for the loop that follows."""
        place = self._first_map + self._maps.offset(vector)
        self._f.add(self._library.map(place, self._maps.bound, self._operands.vector(vector)))
        self._mapped |= {vector}

    # ── instructions ──

    def _emit_instruction(self, instruction: Instruction, following: Node | None) -> None:
        """Emit an instruction in its quickest form. following: the next node, which may take the result at once."""
        match instruction:
            case ("select", int(selected), *_) if self._needs_only_first(selected, following):
                self._select_for_front = instruction
            case ("front", int(first), *_) if self._select_for_front is not None:
                self._emit_select_one(self._select_for_front, first)
                self._select_for_front = None
            case ("numbers", int(vector), int(first), int(last), int(most)) if self._is_span(vector):
                one, other = self._operands.number(first), self._operands.number(last)
                size = self._library.span(one.i64, other.i64, I64.const(most))
                self._set_vector(vector, Items(one.i32, size))
            case _ if self._emit_as_bits(instruction):
                pass
            case ("has" | "within", *_) if self._maps.searched_vector(instruction) in self._mapped:
                self._emit_map_lookup(instruction)
            case _ if self._masks.reads_mask(instruction):
                self._set_register(instruction, self._mask_code.value(instruction))
            case _ if not self._emit_special(instruction):
                if instruction[0] in MAKING_VECTORS and self._masks.is_mask(int(instruction[1])):
                    self._f.add(*self._mask_code.make(instruction))
                if instruction[0] not in MAKING_VECTORS or self._masks.needs_list(int(instruction[1])):
                    self._emit_by_meaning(instruction)

    def _emit_special(self, instruction: Instruction) -> bool:
        """Emit an instruction that `meanings` lacks; return whether it was one."""
        match instruction:
            case ("spend", int(block)):
                self._emit_spend(block, I32.const(1))
            case ("break",):
                self._f.branch(self._loops[-1].out)
            case ("again",):
                self._f.branch(self._loops[-1].again)
            case ("vector", int(vector)) if vector in self._answers:
                pass
            case ("push", int(vector), int(item)):
                self._emit_push(vector, self._operands.number(item).i64)
            case ("append", int(vector), int(more)):
                self._emit_append(vector, more)
            case ("draw", int(vector), int(count)):
                _, size = self._operands.locals_of(vector)
                items = self._operands.vector(vector)
                self._f.add(size.set(self._library.draw(items, self._operands.number(count).i64)))
            case ("sort", int(vector), *columns):
                self._emit_sort(vector, columns)
            case ("rank", int(vector), int(classes), *columns):
                self._emit_rank(vector, classes, columns)
            case ("answer", *results):
                self._emit_answers([int(result) for result in results])
            case _:
                return False
        return True

    def _emit_spend(self, block: int, fuel: I32) -> None:
        """Emit the spending of a unit of fuel, and the failure where there was none. block: for the message."""
        with self._f.if_true(self._library.spend()):
            self._f.return_value(self._library.fail(OUT_OF_FUEL, block))

    def _emit_by_meaning(self, instruction: Instruction) -> None:
        """Emit an instruction by its method in `meanings`, and set the register or vector that it makes."""
        operation = str(instruction[0])
        operands = self._operands.decode(instruction)
        if operation in MAKING_VECTORS:
            vector = int(instruction[1])
            room = self._operands.items_address(vector)
            match self._meanings.emit(operation, operands, room):
                case I32() as size:
                    self._set_vector(vector, self._items_in_room(vector, size))
                case Items() as part:
                    self._set_part(vector, part)
            return
        match self._meanings.emit(operation, operands, I32.const(0)):
            case I64() as value:
                self._set_register(instruction, value)
            case Code() as code:
                self._f.add(code)

    # ── vectors ──

    def _set_register(self, instruction: Instruction, value: I64) -> None:
        """Emit the setting of the register that an instruction sets."""
        self._f.add(self._operands.register(int(instruction[1])).set(value))

    def _set_vector(self, name: VectorName, vector: Items) -> None:
        """Emit the setting of a vector's locals: where its items are, and how many."""
        address, size = self._operands.locals_of(name)
        self._f.add(size.set(vector.size), address.set(vector.address))

    def _items_in_room(self, name: VectorName, size: I32) -> Items:
        """Return a vector's items at its own address in scratch memory."""
        return Items(self._operands.items_address(name), size)

    def _set_part(self, name: VectorName, part: Items) -> None:
        """Set a vector that is part of another or of a set; it is copied if that may change."""
        if self._vectors.is_copied(name):
            room = self._operands.items_address(name)
            self._set_vector(name, Items(room, self._copy_function(name)(room, part)))
        else:
            address, size = self._operands.locals_of(name)
            self._f.add(address.set(part.address), size.set(part.size))

    def _copy_function(self, name: VectorName) -> Callable[[I32, Items], I32]:
        """Return the library's function that copies a vector of this size."""
        return self._library.copy_few if self._operands.named_vector(name).few else self._library.copy

    def _emit_push(self, name: VectorName, item: I64) -> None:
        """Emit the appending of an item to a vector, or of a result to the memory of answers."""
        if name in self._answers:
            self._f.add(Address(self._answers[name]).store_word(item))
        else:
            _, size = self._operands.locals_of(name)
            self._check_room(name, I32.const(1))
            self._f.add(Address(self._operands.vector(name).end()).store_word(item), size.set(size.get() + 1))

    def _emit_append(self, name: VectorName, more: VectorName) -> None:
        """Emit the appending of a vector's items to another."""
        _, size = self._operands.locals_of(name)
        items = self._operands.vector(more)
        self._check_room(name, items.size)
        self._f.add(size.set(size.get() + self._library.copy(self._operands.vector(name).end(), items)))

    def _check_room(self, name: VectorName, more: I32) -> None:
        """Emit a failure for when a vector without a proven bound grows too large."""
        if name in self._vectors.unproven:
            with self._f.if_true((self._operands.vector(name).size + more).above(UNPROVEN)):
                self._f.return_value(self._library.fail(SET_TOO_LARGE, 0))

    def _emit_sort(self, name: VectorName, columns: Sequence[str | int]) -> None:
        """Emit the sorting of a vector by columns of keys."""
        self._store_columns(columns)
        vector = self._operands.named_vector(name)
        sort = self._library.sort_few if vector.few else self._library.sort
        self._f.add(sort(vector.items, len(columns)).dropped())

    def _emit_rank(self, name: VectorName, classes: VectorName, columns: Sequence[str | int]) -> None:
        """Emit the sorting of a vector by columns of keys, with the classes of equal ones."""
        self._store_columns(columns)
        vector, room = self._operands.named_vector(name), self._operands.items_address(classes)
        rank = self._library.rank_few if vector.few else self._library.rank
        size = rank(vector.items.address, room, vector.items.size, len(columns))
        self._set_vector(classes, Items(room, size))

    def _store_columns(self, columns: Sequence[str | int]) -> None:
        """Emit the storing of the columns' addresses, where sorting reads them. columns: vectors."""
        for place, column in enumerate(columns):
            keys = self._operands.vector(int(column)).address
            self._f.add(Address(self._memory.columns + WORD * place).store(keys))

    def _emit_answers(self, results: Sequence[VectorName]) -> None:
        """Emit the end of a function: its result vectors go to the memory of answers, unless they are there already."""
        for result in () if self._answers else results:
            vector = self._operands.named_vector(result)
            self._f.add((self._library.answer_one if vector.one else self._library.answer)(vector.items))
        self._f.return_value(0)

    def _is_span(self, vector: VectorName) -> bool:
        """Return whether numbers are only counted, or one of them is picked. Such a span needs no list: its first
        number stands in for its address."""
        makers, uses = self._sets.makers(vector), {str(use[0]) for use in self._sets.uses(vector)}
        return uses <= OF_SPANS and self._vectors.is_made_once(vector) and makers[0][0] == "numbers"

    def _needs_only_first(self, selected: VectorName, following: Node | None) -> bool:
        """Return whether only the first selected item is used, and by the next instruction."""
        return (
            isinstance(following, tuple)
            and following[0] == "front"
            and following[2:] == (selected, ONE)
            and self._vectors.is_used_once(selected)
            and not self._masks.is_mask(selected)
            and not self._sets.is_bit_set(selected)
        )

    def _emit_select_one(self, select: Instruction, name: VectorName) -> None:
        """Emit a vector with the first item that `select` would give."""
        _, _, source, table, value = select
        items, room = self._operands.vector(int(source)), self._operands.items_address(name)
        address = self._operands.table(int(table)).address
        size = self._library.select_one(room, items, address, self._operands.number(int(value)).i64)
        self._set_vector(name, Items(room, size))

    # ── sets as bits ──

    def _emit_as_bits(self, instruction: Instruction) -> bool:
        """Emit an instruction on a vector held as bits; return whether nothing is left to emit."""
        sets, bits = self._sets, self._bit_code
        if sets.is_skipped(instruction):
            return True
        if (value := bits.value(instruction)) is not None:
            self._set_register(instruction, value)
            return True
        if instruction[0] == "push" and sets.is_bit_set(int(instruction[1])):
            self._f.add(bits.push(instruction))
            return True
        if instruction[0] not in MAKING_VECTORS or not sets.is_bit_set(vector := int(instruction[1])):
            return False
        self._f.add(bits.set(vector, bits.make(instruction)))
        listed_too = sets.needs_list(vector) and instruction[0] in ("fixed", "as_tuple", "vector")
        if sets.needs_list(vector) and not listed_too:
            self._emit_list_of_bits(vector)
        return not listed_too

    def _emit_list_of_bits(self, vector: VectorName) -> None:
        """Emit the list of a vector that is held as bits."""
        room = self._operands.items_address(vector)
        self._set_vector(vector, Items(room, self._library.list_bits(room, self._bit_code.bits(vector))))

    def _emit_vacancies(self, vacant: Vacancies) -> None:
        """Emit a look-up of vacant zones instead of a loop."""
        items, bits, library = self._operands.vector(vacant.items), self._bit_code, self._library
        if vacant.spending is not None:
            self._emit_spend(vacant.spending, items.size)
        if distance := self._memory.distance_of_sets(vacant.first, vacant.in_row):
            first = self._frame.state_address(self._memory.set_at[vacant.first]).value()
            size = I64.const(vacant.in_row)
            close = distance == 2 * WORD
            zones = library.vacant_close_row(first, size) if close else library.vacant_row(first, distance, size)
        else:
            zones = library.vacant(items, vacant.first)
        if not vacant.empty:
            zones = bits.bits(vacant.items).without(zones)
        self._f.add(bits.set(vacant.vector, bits.bits(vacant.vector) | zones))
        if self._sets.needs_list(vacant.vector):
            self._emit_list_of_bits(vacant.vector)

    def _emit_map_lookup(self, instruction: Instruction) -> None:
        """Emit a look-up in a vector's map; numbers beyond the map are searched."""
        vector = self._maps.searched_vector(instruction)
        assert vector is not None
        place = self._first_map + self._maps.offset(vector)
        match instruction:
            case ("within", int(target), int(source), int(table), _):
                items, address = self._operands.vector(source), self._operands.table(table).address
                size = self._library.within_map(self._operands.items_address(target), items, address, place)
                self._set_vector(target, self._items_in_room(target, size))
            case ("has", _, _, int(operand)):
                number = self._operands.number(operand)
                known = number.i64.below(self._maps.bound)
                is_marked = Address(number.i32 + place).load_byte()
                is_among = self._library.has(self._operands.vector(vector), number.i64)
                self._set_register(instruction, choose(known, is_marked, is_among))
