"""Bit masks of pieces: counts, sums and searches in a zone without a loop over its pieces.

Every zone has a mask beside its list, one bit for each piece; library/zones.c updates it when pieces move. A vector
read from a zone, or filtered from such a one, is held as a mask where its order does not matter. A table of numbers
becomes a mask for each binary digit, and a sum counts the pieces under each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce

from rulewright.base.records import record
from rulewright.program.blocks import Node, flatten
from rulewright.program.form import Program
from rulewright.program.instructions import (
    CHANGING_VECTORS,
    MAKING_VECTORS,
    Instruction,
    is_constant,
    number_in,
    operands_of,
)
from rulewright.program.state_layout import NOTHING, Layout
from rulewright.runtime.native.memory import LONG, MASK_BITS, MASK_SIZE, mask_bits, mask_words
from rulewright.runtime.native.operands import LocalFrame, Operands
from rulewright.runtime.native.webassembly import I32, I64, Address, Code, Local, after, select

MAX_DIGITS = 5
"""Limit of the binary digits of a table's entries; with more, a walk over the pieces is as quick."""
MAX_VALUES = 64
"""Limit of the values of a table whose pieces are looked up by value."""
MAX_GROUPS = 12
"""Limit of kinds of pieces among which the largest are looked for; of more, a walk over the pieces is as quick."""
MAX_RANKS = 3
"""Limit of how far down among these the largest are looked for."""
COUNTING = frozenset(["tally", "none_of", "count_of"])
"""Instructions that count items by a table."""
CHOOSING = frozenset(["filter", "select"])
"""Instructions that make a vector of some of another's items."""
SIZING = frozenset(["length", "empty"])
"""Instructions that ask how many there are."""


class TableMasks:
    """Tables of a program as masks of pieces. Tables that do not have an entry for every piece give no masks. words:
    64-bit words of a mask, 0 in a program without masks."""

    def __init__(self, program: Program) -> None:
        layout = program.layout
        self.words = mask_words(layout)
        self._entries = [table[: layout.pieces] if len(table) >= layout.pieces else () for table in program.tables]
        bits = {bit: piece for piece, bit in enumerate(mask_bits(program))}
        self._pieces = [bits.get(bit, NOTHING) for bit in reversed(range(1 + max(bits, default=0)))]

    def has_every_piece(self, table: int) -> bool:
        """Return whether every piece has an entry in a table."""
        return bool(self._entries[table])

    def pieces_with_entry(self, table: int) -> int:
        """Return the mask of the pieces whose entry is not 0."""
        return self._mask_where(table, bool)

    def pieces_with(self, table: int, value: int) -> int:
        """Return the mask of the pieces with this entry."""
        return self._mask_where(table, value.__eq__)

    def values(self, table: int) -> range:
        """Return the range from the least entry of a piece to the greatest."""
        entries = self._entries[table]
        return range(min(entries), max(entries) + 1)

    def has_few_values(self, table: int) -> bool:
        """Return whether a table may have a mask for each value."""
        return self.has_every_piece(table) and len(self.values(table)) <= MAX_VALUES

    def digits(self, table: int) -> Iterator[tuple[int, int]]:
        """Yield the exponent of each binary digit of the pieces' entries, from 0, with the mask of the pieces whose
        entry has that digit."""
        for digit in range(max(self._entries[table]).bit_length()):
            yield digit, self._mask_where(table, (1 << digit).__and__)

    def has_few_groups(self, table: int) -> bool:
        """Return whether pieces have few enough different entries to compare the sizes of their groups one by one."""
        return self.has_every_piece(table) and len(set(self._entries[table])) <= MAX_GROUPS

    def groups(self, table: int) -> Iterator[int]:
        """Yield the mask of the pieces with each entry, by ascending entries."""
        return (self.pieces_with(table, value) for value in sorted(set(self._entries[table])))

    def has_few_digits(self, table: int) -> bool:
        """Return whether a sum of entries can be made of binary digits."""
        entries = self._entries[table]
        return bool(entries) and min(entries) >= 0 and max(entries).bit_length() <= MAX_DIGITS

    def _mask_where(self, table: int, holds: Callable[[int], int]) -> int:
        """Return the mask of the pieces whose entry passes a test."""
        entries = self._entries[table]
        return int("".join(["01"[piece >= 0 and bool(holds(entries[piece]))] for piece in self._pieces]) or "0", 2)


@record
class GroupSize:
    """Group of equal pieces of which only the size is needed. items, keys: vectors of all pieces and of their keys;
    table: of the keys; rank: of the group, 1 for the largest, as an operand."""

    items: int
    keys: int
    table: int
    rank: int


class Masks:
    """Vectors of one stretch of code that are held as masks. tables_by_value: tables that need a mask for each
    value."""

    def __init__(self, body: Sequence[Node], layout: Layout, tables: TableMasks) -> None:
        self.tables, self._zones = tables, frozenset(space.address for space in layout.zones)
        self._makers: dict[int, list[Instruction]] = {}
        self._uses: dict[int, list[Instruction]] = {}
        self._changed: set[int] = set()
        for instruction in flatten(body) if tables.words else ():
            self._note_vectors(instruction)
        self._possible: dict[int, bool] = {}
        self._groups = dict(self._sized_groups())
        self._keys = {group.keys for group in self._groups.values()}
        self._as_masks: set[int] = set()
        self._sought: dict[int, set[int]] = {}
        waiting = [vector for vector in self._makers if self._can_be_mask(vector) and self._is_quicker(vector)]
        while waiting:
            vector = waiting.pop()
            self._as_masks.add(vector)
            waiting += [int(maker[2]) for maker in self._makers[vector] if maker[0] in CHOOSING]
        read = [maker for vector in self._as_masks for maker in self._makers[vector]]
        read += [use for vector in self._as_masks for use in self._uses[vector] if self.reads_mask(use)]
        by_value = [instruction for instruction in read if instruction[0] in ("select", "count_of")]
        self.tables_by_value = {int(instruction[3]) for instruction in by_value if not is_constant(int(instruction[4]))}

    def is_mask(self, vector: int) -> bool:
        """Return whether a vector is held as a mask, perhaps as a list too."""
        return vector in self._as_masks

    def needs_list(self, vector: int) -> bool:
        """Return whether a vector is needed as a list; that of a zone also has the number of pieces."""
        if vector in self._groups or vector in self._keys:
            return False
        if vector not in self._as_masks:
            return True
        read = all(maker[0] == "read" for maker in self._makers[vector])
        return not all(self._can_use_mask(use) and not (read and use[0] in SIZING) for use in self._uses[vector])

    def needs_items(self, vector: int) -> bool:
        """Return whether an instruction reads a vector's items one by one, so that mask and size do not suffice."""
        if vector in self._groups or vector in self._keys:
            return False
        other_uses = (use for use in self._uses[vector] if use[0] not in SIZING)
        return not all(vector in self._as_masks and self._can_use_mask(use) for use in other_uses)

    def reads_mask(self, instruction: Instruction) -> bool:
        """Return whether an instruction takes its answer from a mask."""
        if instruction[0] in SIZING and int(instruction[2]) in self._groups:
            return True
        if instruction[0] not in COUNTING | SIZING or int(instruction[2]) not in self._as_masks:
            return False
        return self._can_use_mask(instruction) and (
            instruction[0] in COUNTING or not self.needs_list(int(instruction[2]))
        )

    def size_of(self, group: int) -> GroupSize | None:
        """Return how to compute the size of a vector that is a group whose members are not needed; None for others."""
        return self._groups.get(group)

    def searched_words(self, vector: int) -> set[int]:
        """Return the indices of the words of a vector's mask in which instructions look for pieces."""
        if vector not in self._sought:
            masks = [self._relevant_pieces(use) for use in self._uses[vector] if self._looks_at_words(use)]
            words = range(self.tables.words)
            self._sought[vector] = {word for word in words for mask in masks if word_of(mask, word)}
        return self._sought[vector]

    def _looks_at_words(self, use: Instruction) -> bool:
        """Return whether an instruction looks at a vector's mask."""
        return int(use[1]) in self._as_masks if use[0] in CHOOSING else self._can_use_mask(use)

    def _relevant_pieces(self, use: Instruction) -> int:
        """Return the mask of the pieces that matter to an instruction."""
        match use:
            case ("tally" | "none_of" | "filter", _, _, int(table)):
                return self.tables.pieces_with_entry(table)
            case ("count_of" | "select", _, _, int(table), int(value)) if is_constant(value):
                return self.tables.pieces_with(table, number_in(value))
        return (1 << MASK_BITS * self.tables.words) - 1

    # ── groups of equal pieces, of which only their sizes are asked ──

    def _sized_groups(self) -> Iterator[tuple[int, GroupSize]]:
        """Yield each vector of group members of which only the size is needed, with how to compute it."""
        for group, makers in self._makers.items():
            match makers:
                case [("largest_group", _, int(items), int(keys), int(rank))] if (
                    is_constant(rank)
                    and 1 <= number_in(rank) <= MAX_RANKS
                    and self._is_used_only_by(group, SIZING)
                    and self._can_be_mask(items)
                ):
                    match self._makers.get(keys):
                        case [("entries", _, int(source), int(table))] if (
                            source == items and self.tables.has_few_groups(table) and self._only_groups(keys, items)
                        ):
                            yield group, GroupSize(items, keys, table, number_in(rank))

    def _is_used_only_by(self, vector: int, uses: frozenset[str]) -> bool:
        """Return whether only these operations use a vector."""
        return vector not in self._changed and all(use[0] in uses for use in self._uses[vector])

    def _only_groups(self, keys: int, items: int) -> bool:
        """Return whether keys serve only to group these items, and only for the groups' sizes."""
        return keys not in self._changed and all(
            use[0] == "largest_group"
            and use[2:4] == (items, keys)
            and is_constant(int(use[4]))
            and 1 <= number_in(int(use[4])) <= MAX_RANKS
            and self._is_used_only_by(int(use[1]), SIZING)
            for use in self._uses[keys]
        )

    def _note_vectors(self, instruction: Instruction) -> None:
        """Note the vectors that an instruction makes, uses and changes."""
        for place, (kind, operand) in enumerate(operands_of(instruction)):
            if kind == "V" and place == 0 and instruction[0] in MAKING_VECTORS:
                self._makers.setdefault(operand, []).append(instruction)
                self._uses.setdefault(operand, [])
            elif kind == "V":
                self._uses.setdefault(operand, []).append(instruction)
                if instruction[0] in CHANGING_VECTORS:
                    self._changed.add(operand)

    def _can_be_mask(self, vector: int) -> bool:
        """Return whether all makers of a vector can make a mask."""
        if vector not in self._possible:
            self._possible[vector] = False  # until it is known: what is made of itself has no mask
            self._possible[vector] = vector not in self._changed and all(
                self._is_made_as_mask(maker) for maker in self._makers.get(vector, [()])
            )
        return self._possible[vector]

    def _is_made_as_mask(self, maker: Instruction) -> bool:
        """Return whether an instruction can make a mask."""
        match maker:
            case ("read", _, int(cell), int(index)):
                return cell + number_in(index) in self._zones if is_constant(index) else cell == 0
            case ("filter", _, int(source), int(table)):
                return self._can_be_mask(source) and self.tables.has_every_piece(table)
            case ("select", _, int(source), int(table), int(value)):
                known = is_constant(value) and self.tables.has_every_piece(table)
                return self._can_be_mask(source) and (known or self.tables.has_few_values(table))
        return False

    def _is_quicker(self, vector: int) -> bool:
        """Return whether some use of a vector is quicker with a mask."""
        return any(self._can_use_mask(use) and use[0] not in SIZING for use in self._uses[vector])

    def _can_use_mask(self, use: Instruction) -> bool:
        """Return whether an instruction can answer from a vector's mask."""
        match use:
            case ("entries" | "largest_group", int(target), *_):
                return target in self._keys or target in self._groups
            case ("tally", _, _, int(table)):
                return self.tables.has_few_digits(table)
            case ("none_of", _, _, int(table)):
                return self.tables.has_every_piece(table)
            case ("count_of", _, _, int(table), int(value)):
                return self.tables.has_every_piece(table) and (is_constant(value) or self.tables.has_few_values(table))
            case ("filter" | "select", int(target), *_):
                return self._can_be_mask(target) and all(self._can_use_mask(further) for further in self._uses[target])
        return use[0] in SIZING


def word_of(mask: int, word: int) -> int:
    """Return one of the 64-bit words of a mask."""
    return mask >> MASK_BITS * word & (1 << MASK_BITS) - 1


class MaskCode:
    """Generator of code for the vectors of one stretch that are held as masks. A word that is always 0 is None."""

    def __init__(self, masks: Masks, frame: LocalFrame, operands: Operands) -> None:
        self._masks, self._tables = masks, masks.tables
        self._frame, self._operands, self._memory = frame, operands, frame.memory

    def make(self, instruction: Instruction) -> Iterator[Code]:
        """Yield the code that makes the mask of an instruction's vector."""
        match instruction:
            case ("read", _, int(cell), int(index)):
                number = self._operands.number(index)
                place = self._frame.local_for(I32, "mask place")
                yield place.set(number.i32)
                first = self._memory.masks + MASK_SIZE * int(cell)
                words: Sequence[I64 | None] = self._words_at(self._frame.state_address(first, place.get(), MASK_SIZE))
            case _:
                words = self._selected_words(instruction)
        vector = int(instruction[1])
        for word, value in enumerate(words):
            if word in self._masks.searched_words(vector):
                yield self._local(vector, word).set(value or _ZERO)

    def value(self, instruction: Instruction) -> I64:
        """Return the value of an instruction about a vector, by its mask."""
        vector = int(instruction[2])
        if (group := self._masks.size_of(vector)) is not None:
            size = self._size_of_group(group)
            return size if instruction[0] == "length" else size.is_zero().extended()
        own = self._words(vector)
        match instruction:
            case ("none_of", _, _, int(table)):
                return _are_all_zero(self._intersect(own, self._tables.pieces_with_entry(table)))
            case ("tally", _, _, int(table)):
                return self._sum(own, table)
            case ("count_of", *_):
                return _size(self._selected_words(instruction))
            case ("length", *_):
                return _size(own)
        return _are_all_zero(own)

    def _local(self, vector: int, word: int) -> Local[I64]:
        """Return the local that holds a word of a vector's mask."""
        return self._frame.local_for(I64, "mask", vector, word)

    def _words(self, vector: int) -> list[I64]:
        """Return all words of a vector's mask."""
        return [self._local(vector, word).get() for word in range(self._tables.words)]

    @staticmethod
    def _intersect(words: Sequence[I64], mask: int) -> list[I64 | None]:
        """Return words with a constant mask applied; None for those that are then always 0."""
        bits_of_words = [word_of(mask, word) for word in range(len(words))]
        return [own & bits if bits else None for own, bits in zip(words, bits_of_words, strict=True)]

    def _selected_words(self, instruction: Instruction) -> Sequence[I64 | None]:
        """Return the words of the pieces that `filter`, `select` or `count_of` chooses."""
        own, table = self._words(int(instruction[2])), int(instruction[3])
        if instruction[0] == "filter":
            return self._intersect(own, self._tables.pieces_with_entry(table))
        value = self._operands.number(int(instruction[4]))
        if value.constant is not None:
            return self._intersect(own, self._tables.pieces_with(table, value.constant))
        values = self._tables.values(table)
        place = self._frame.local_for(I64, "mask entry")
        number = place.tee(value.i64 - values.start)
        number = select(number, I64.const(len(values)), place.get().below(len(values)))
        entry = Address(number.wrapped() << (MASK_SIZE.bit_length() - 1), self._memory.by_value[table])
        loaded = self._words_at(entry)
        return [one & other for one, other in zip(own, loaded, strict=True)]

    def _words_at(self, address: Address) -> list[I64]:
        """Return the words of a mask in memory."""
        words = range(self._tables.words)
        return [address.offset_by(LONG * word).load_long() for word in words]

    def _sum(self, own: Sequence[I64], table: int) -> I64:
        """Return the sum of the pieces' entries: of each binary digit, the number of pieces times its value."""
        digits = ((digit, self._intersect(own, mask)) for digit, mask in self._tables.digits(table))
        return _total(_size(words) << digit if digit else _size(words) for digit, words in digits if any(words))

    def _size_of_group(self, group: GroupSize) -> I64:
        """Return the size of a group by its rank. The code compares all groups and keeps the largest sizes so far in
        order."""
        own = self._words(group.items)
        size, passed = self._frame.local_for(I64, "size"), self._frame.local_for(I64, "passed size")
        ranks = [self._frame.local_for(I64, "rank", number) for number in range(group.rank)]
        code = [rank.set(_ZERO) for rank in ranks]
        for mask in self._tables.groups(group.table):
            code.append(size.set(_size(self._intersect(own, mask))))
            for rank in ranks:  # what is no longer here goes on to the next rank
                larger = size.get().above(rank.get())
                code.append(passed.set(select(rank.get(), size.get(), larger)))
                code.append(rank.set(select(size.get(), rank.get(), larger)))
                code.append(size.set(passed.get()))
        return after(Code().then(*code), ranks[-1].get())


_ZERO = I64.const(0)
"""Empty word of a mask."""


def _size(words: Iterable[I64 | None]) -> I64:
    """Return the number of bits in the words of a mask."""
    return _total(word.bit_count() for word in words if word is not None)


def _are_all_zero(words: Iterable[I64 | None]) -> I64:
    """Return whether no bit is set in the words of a mask."""
    present = [word for word in words if word is not None]
    return reduce(I64.__or__, present, _ZERO).is_zero().extended() if present else I64.const(1)


def _total(numbers: Iterable[I64]) -> I64:
    """Return the sum of numbers, 0 without any."""
    terms = list(numbers)
    return reduce(I64.__add__, terms) if terms else _ZERO
