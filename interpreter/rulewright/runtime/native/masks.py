"""Sets of pieces as bit masks: what is counted, summed up or looked for in a zone needs no walk over its pieces.

Every zone has a mask beside its list, one bit for each piece, that library.wat keeps whenever a piece comes to lie
elsewhere. A vector that is read from a zone, or filtered from such a one, is held as a mask where its order does not
matter: a table of numbers then is a mask for each binary digit, and a sum the number of pieces under each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce

from rulewright.program.blocks import Node, flattened
from rulewright.program.form import NOTHING, Layout, Program
from rulewright.program.instructions import CHANGING_VECTORS, MAKING_VECTORS, Instruction, operands_of
from rulewright.runtime.native.memory import MASK_BITS, MASK_SIZE, Memory, bits_of, mask_words

MOST_DIGITS = 5  # with more, a walk over the pieces is as quick
MOST_VALUES = 64  # of a table whose pieces are looked up by value
MOST_GROUPS = 12  # kinds of pieces among which the largest are looked for; of more, a walk over the pieces is as quick
MOST_RANKS = 3  # of these, how far down
COUNTING = frozenset(["tally", "none_of", "count_of"])
CHOOSING = frozenset(["filter", "select"])
SIZING = frozenset(["length", "empty"])
ZERO = "(i64.const 0)"


class TableMasks:
    """The tables of a program as masks of the pieces that have an entry. Those that not every piece is in are empty."""

    def __init__(self, program: Program) -> None:
        layout = program.layout
        self.words = mask_words(layout)
        self._entries = [table[: layout.pieces] if len(table) >= layout.pieces else () for table in program.tables]
        bits = {bit: piece for piece, bit in enumerate(bits_of(program))}
        self._pieces = [bits.get(bit, NOTHING) for bit in reversed(range(1 + max(bits, default=0)))]

    def of_pieces(self, table: int) -> bool:
        """Whether every piece has an entry."""
        return bool(self._entries[table])

    def present(self, table: int) -> int:
        """The pieces whose entry is not 0."""
        return self._where(table, bool)

    def equal(self, table: int, value: int) -> int:
        """The pieces that have an entry."""
        return self._where(table, value.__eq__)

    def values(self, table: int) -> range:
        """The pieces' entries, from the smallest to the largest."""
        entries = self._entries[table]
        return range(min(entries), max(entries) + 1)

    def few_values(self, table: int) -> bool:
        """Whether pieces can be looked up by their entry."""
        return self.of_pieces(table) and len(self.values(table)) <= MOST_VALUES

    def digits(self, table: int) -> Iterator[tuple[int, int]]:
        """Each binary digit of the pieces' entries, and the pieces that have it."""
        for digit in range(max(self._entries[table]).bit_length()):
            yield digit, self._where(table, (1 << digit).__and__)

    def few_groups(self, table: int) -> bool:
        """Whether the sizes of groups with equal entries can be compared one by one."""
        return self.of_pieces(table) and len(set(self._entries[table])) <= MOST_GROUPS

    def groups(self, table: int) -> Iterator[int]:
        """The pieces of each entry."""
        return (self.equal(table, value) for value in sorted(set(self._entries[table])))

    def few_digits(self, table: int) -> bool:
        """Whether a sum can be worked out by digits."""
        entries = self._entries[table]
        return bool(entries) and min(entries) >= 0 and max(entries).bit_length() <= MOST_DIGITS

    def _where(self, table: int, holds: Callable[[int], int]) -> int:
        """The mask of the pieces for whose entry something holds."""
        entries = self._entries[table]
        return int("".join(["01"[piece >= 0 and bool(holds(entries[piece]))] for piece in self._pieces]) or "0", 2)


class Masks:
    """The vectors of some code that are held as masks, and the code for that.

    looked_up: the tables whose masks are needed by value.
    """

    def __init__(self, body: Sequence[Node], layout: Layout, tables: TableMasks) -> None:
        self._tables, self._zones = tables, frozenset(space.address for space in layout.spaces)
        self._makers: dict[int, list[Instruction]] = {}
        self._uses: dict[int, list[Instruction]] = {}
        self._changed: set[int] = set()
        for instruction in flattened(body) if tables.words else ():
            self._note(instruction)
        self._possible: dict[int, bool] = {}
        self._groups = dict(self._sized_groups())
        self._keys = {keys for _, keys, _, _ in self._groups.values()}
        self._held: set[int] = set()
        self._sought: dict[int, set[int]] = {}
        waiting = [vector for vector in self._makers if self._can_be(vector) and self._is_quicker(vector)]
        while waiting:
            vector = waiting.pop()
            self._held.add(vector)
            waiting += [int(maker[2]) for maker in self._makers[vector] if maker[0] in CHOOSING]
        read = [maker for vector in self._held for maker in self._makers[vector]]
        read += [use for vector in self._held for use in self._uses[vector] if self.counted(use)]
        by_value = [instruction for instruction in read if instruction[0] in ("select", "count_of")]
        self.looked_up = {int(instruction[3]) for instruction in by_value if not int(instruction[4]) & 1}

    @cached_property
    def needed(self) -> dict[str, str]:
        """The locals that the code has, and their types."""
        words = {name.strip("$"): "i64" for vector in self._held for name in self.names(vector)}
        ranks = {f"rank{number}": "i64" for _, _, _, rank in self._groups.values() for number in range(rank + 1)}
        return {"mask": "i32", "place": "i64", **words, **ranks}

    def held(self, vector: int) -> bool:
        """Whether it is held as a mask, perhaps as a list too."""
        return vector in self._held

    def listed(self, vector: int) -> bool:
        """Whether it is needed as a list. How many pieces a zone has stands in its list."""
        if vector in self._groups or vector in self._keys:
            return False
        if vector not in self._held:
            return True
        read = all(maker[0] == "read" for maker in self._makers[vector])
        return not all(self._by_mask(use) and not (read and use[0] in SIZING) for use in self._uses[vector])

    def walked(self, vector: int) -> bool:
        """Whether something asks for its items one by one, not only for what its mask and its size tell."""
        if vector in self._groups or vector in self._keys:
            return False
        asked = (use for use in self._uses[vector] if use[0] not in SIZING)
        return not all(vector in self._held and self._by_mask(use) for use in asked)

    def counted(self, instruction: Instruction) -> bool:
        """Whether what it says of a vector comes from a mask."""
        if instruction[0] in SIZING and int(instruction[2]) in self._groups:
            return True
        if instruction[0] not in COUNTING | SIZING or int(instruction[2]) not in self._held:
            return False
        return self._by_mask(instruction) and (instruction[0] in COUNTING or not self.listed(int(instruction[2])))

    def made(self, instruction: Instruction, memory: Memory, index: str, value: str) -> Iterator[str]:
        """The lines that make a vector. index: of the cell that is read, as i32; value: of a `select`, as i64."""
        if instruction[0] == "read":
            yield f"(local.set $mask {_place(index)})"
            words = self._loaded(memory.masks + MASK_SIZE * int(instruction[2]), "(local.get $mask)")
        else:
            words = self._chosen(instruction, memory, value)
        vector = int(instruction[1])
        for number, (name, word) in enumerate(zip(self.names(vector), words, strict=True)):
            if number in self._looked_at(vector):
                yield f"(local.set {name} {word})"

    def counting(self, instruction: Instruction, memory: Memory, value: str) -> str:
        """What `counted` is about, as i64."""
        if int(instruction[2]) in self._groups:
            size = self._size_of_group(int(instruction[2]))
            return size if instruction[0] == "length" else f"(i64.extend_i32_u (i64.eqz {size}))"
        own = self._words(int(instruction[2]))
        match instruction:
            case ("none_of", _, _, int(table)):
                return f"(i64.extend_i32_u {_none(_both(own, self._constants(self._tables.present(table))))})"
            case ("tally", _, _, int(table)):
                return self._sum(own, table)
            case ("count_of", *_):
                return _size(self._chosen(instruction, memory, value))
            case ("length", *_):
                return _size(own)
        return f"(i64.extend_i32_u {_none(own)})"

    def _constants(self, mask: int) -> list[str]:
        words = (mask >> MASK_BITS * word & (1 << MASK_BITS) - 1 for word in range(self._tables.words))
        return [f"(i64.const {word:#x})" if word else ZERO for word in words]

    def _words(self, vector: int) -> list[str]:
        return [f"(local.get {name})" for name in self.names(vector)]

    def _looked_at(self, vector: int) -> set[int]:
        """The numbers of its words in which something is looked for."""
        if vector not in self._sought:
            masks = [self._masks_of(use) for use in self._uses[vector] if self._looks_at_words(use)]
            self._sought[vector] = {number for words in masks for number, word in enumerate(words) if word != ZERO}
        return self._sought[vector]

    def _looks_at_words(self, use: Instruction) -> bool:
        """Whether what uses a vector looks at its mask."""
        return int(use[1]) in self._held if use[0] in CHOOSING else self._by_mask(use)

    def _masks_of(self, use: Instruction) -> list[str]:
        """The words of the pieces that matter to what uses a vector."""
        match use:
            case ("tally" | "none_of" | "filter", _, _, int(table)):
                return self._constants(self._tables.present(table))
            case ("count_of", _, _, int(table), int(value)) | ("select", _, _, int(table), int(value)) if value & 1:
                return self._constants(self._tables.equal(table, value >> 1))
        return ["(i64.const -1)"] * self._tables.words

    def names(self, vector: int) -> list[str]:
        """The locals that hold its words."""
        return [f"$mask{vector}_{word}" for word in range(self._tables.words)]

    def _chosen(self, instruction: Instruction, memory: Memory, value: str) -> list[str]:
        own, table = self._words(int(instruction[2])), int(instruction[3])
        if instruction[0] == "filter":
            return _both(own, self._constants(self._tables.present(table)))
        if int(instruction[4]) & 1:
            return _both(own, self._constants(self._tables.equal(table, int(instruction[4]) >> 1)))
        values = self._tables.values(table)
        none = f"(i64.const {len(values)})"
        place = f"(local.tee $place (i64.sub {value} (i64.const {values.start})))"
        place = f"(select {place} {none} (i64.lt_u (local.get $place) {none}))"
        place = f"(local.tee $mask {_place(f'(i32.wrap_i64 {place})')})"
        return _both(own, self._loaded(memory.by_value[table], place))

    def _loaded(self, table: int, place: str) -> list[str]:
        """The words of a mask in a table of them. place: what gives where it is, and leaves it in $mask."""
        further = range(1, self._tables.words)
        return [
            f"(i64.load offset={table} {place})",
            *(f"(i64.load offset={table + 8 * word} (local.get $mask))" for word in further),
        ]

    def _sum(self, own: list[str], table: int) -> str:
        total = ""
        for digit, mask in self._tables.digits(table):
            size = _size(_both(own, self._constants(mask)))
            if size == ZERO:
                continue
            size = f"(i64.shl {size} (i64.const {digit}))" if digit else size
            total = f"(i64.add {total} {size})" if total else size
        return total or ZERO

    # ── groups of equal pieces, of which only their sizes are asked ──

    def _sized_groups(self) -> Iterator[tuple[int, tuple[int, int, int, int]]]:
        """Of each: the vector of its members, that of all items, of their keys, the keys' table, and which it is."""
        for group, makers in self._makers.items():
            match makers:
                case [("largest_group", _, int(items), int(keys), int(rank))] if (
                    rank & 1 and 1 <= rank >> 1 <= MOST_RANKS and self._only(group, SIZING) and self._can_be(items)
                ):
                    match self._makers.get(keys):
                        case [("entries", _, int(source), int(table))] if (
                            source == items and self._tables.few_groups(table) and self._only_groups(keys, items)
                        ):
                            yield group, (items, keys, table, rank >> 1)

    def _only(self, vector: int, uses: frozenset[str]) -> bool:
        return vector not in self._changed and all(use[0] in uses for use in self._uses[vector])

    def _only_groups(self, keys: int, items: int) -> bool:
        """Whether keys only tell groups of these items whose sizes alone are asked."""
        return keys not in self._changed and all(
            use[0] == "largest_group"
            and use[2:4] == (items, keys)
            and int(use[4]) & 1
            and 1 <= int(use[4]) >> 1 <= MOST_RANKS
            and self._only(int(use[1]), SIZING)
            for use in self._uses[keys]
        )

    def _size_of_group(self, group: int) -> str:
        """Of all sizes, those that are the largest so far are kept, the largest first."""
        items, _, table, rank = self._groups[group]
        own = self._words(items)
        lines = [f"(local.set $rank{number} {ZERO})" for number in range(1, rank + 1)]
        for mask in self._tables.groups(table):
            lines.append(f"(local.set $rank0 {_size(_both(own, self._constants(mask)))})")
            for number in range(1, rank + 1):
                larger = f"(i64.gt_u (local.get $rank0) (local.get $rank{number}))"
                pair = f"(local.get $rank0) (local.get $rank{number})"
                further = f"(local.get $rank{number}) (local.get $rank0) {larger}"
                if number == rank:
                    lines.append(f"(local.set $rank{number} (select {pair} {larger}))")
                else:  # what is no longer among them goes on to the next place
                    lines.append(f"(select {further}) (local.set $rank{number} (select {pair} {larger}))")
                    lines.append("(local.set $rank0)")
        return f"(block (result i64) {' '.join(lines)} (local.get $rank{rank}))"

    def _note(self, instruction: Instruction) -> None:
        for place, (kind, operand) in enumerate(operands_of(instruction)):
            if kind == "V" and place == 0 and instruction[0] in MAKING_VECTORS:
                self._makers.setdefault(operand, []).append(instruction)
                self._uses.setdefault(operand, [])
            elif kind == "V":
                self._uses.setdefault(operand, []).append(instruction)
                if instruction[0] in CHANGING_VECTORS:
                    self._changed.add(operand)

    def _can_be(self, vector: int) -> bool:
        if vector not in self._possible:
            self._possible[vector] = False  # until it is known: what is made of itself has no mask
            self._possible[vector] = vector not in self._changed and all(
                self._made_so(maker) for maker in self._makers.get(vector, [()])
            )
        return self._possible[vector]

    def _made_so(self, maker: Instruction) -> bool:
        match maker:
            case ("read", _, int(cell), int(index)):
                return cell + (index >> 1) in self._zones if index & 1 else cell == 0
            case ("filter", _, int(source), int(table)):
                return self._can_be(source) and self._tables.of_pieces(table)
            case ("select", _, int(source), int(table), int(value)):
                known = bool(value & 1) and self._tables.of_pieces(table)
                return self._can_be(source) and (known or self._tables.few_values(table))
        return False

    def _is_quicker(self, vector: int) -> bool:
        """Whether some use is quicker so."""
        return any(self._by_mask(use) and use[0] not in SIZING for use in self._uses[vector])

    def _by_mask(self, use: Instruction) -> bool:
        match use:
            case ("entries" | "largest_group", int(made), *_):
                return made in self._keys or made in self._groups
            case ("tally", _, _, int(table)):
                return self._tables.few_digits(table)
            case ("none_of", _, _, int(table)):
                return self._tables.of_pieces(table)
            case ("count_of", _, _, int(table), int(value)):
                return self._tables.of_pieces(table) and (bool(value & 1) or self._tables.few_values(table))
            case ("filter" | "select", int(made), *_):
                return self._can_be(made) and all(self._by_mask(further) for further in self._uses[made])
        return use[0] in SIZING


def _place(index: str) -> str:
    """Where a mask is in a table of them."""
    return f"(i32.shl {index} (i32.const {MASK_SIZE.bit_length() - 1}))"


def _both(one: Sequence[str], other: Sequence[str]) -> list[str]:
    return [ZERO if ZERO in pair else f"(i64.and {pair[0]} {pair[1]})" for pair in zip(one, other, strict=True)]


def _size(words: Sequence[str]) -> str:
    return _together("i64.add", [f"(i64.popcnt {word})" for word in words if word != ZERO])


def _none(words: Sequence[str]) -> str:
    return f"(i64.eqz {_together('i64.or', [word for word in words if word != ZERO])})"


def _together(operation: str, words: Sequence[str]) -> str:
    return reduce(lambda one, other: f"({operation} {one} {other})", words) if words else ZERO
