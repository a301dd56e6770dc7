"""Sets of pieces as bit masks: what is counted, summed up or looked for in a zone needs no walk over its pieces.

Every zone has a mask beside its list, one bit for each piece, that library/zones.c keeps whenever a piece comes to lie
elsewhere. A vector that is read from a zone, or filtered from such a one, is held as a mask where its order does not
matter: a table of numbers then is a mask for each binary digit, and a sum the number of pieces under each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce

from rulewright.base.records import record
from rulewright.program.blocks import Node, flatten
from rulewright.program.form import NOTHING, Layout, Program
from rulewright.program.instructions import (
    CHANGING_VECTORS,
    MAKING_VECTORS,
    Instruction,
    is_constant,
    number_in,
    operands_of,
)
from rulewright.runtime.native.memory import LONG, MASK_BITS, MASK_SIZE, bits_of, mask_words
from rulewright.runtime.native.operands import LocalFrame, Operands
from rulewright.runtime.native.webassembly import I32, I64, Address, Code, Local, after, select

MAX_DIGITS = 5  # with more, a walk over the pieces is as quick
MAX_VALUES = 64  # of a table whose pieces are looked up by value
MAX_GROUPS = 12  # kinds of pieces among which the largest are looked for; of more, a walk over the pieces is as quick
MAX_RANKS = 3  # of these, how far down
COUNTING = frozenset(["tally", "none_of", "count_of"])
CHOOSING = frozenset(["filter", "select"])
SIZING = frozenset(["length", "empty"])


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
        return self._mask_where(table, bool)

    def equal(self, table: int, value: int) -> int:
        """The pieces that have an entry."""
        return self._mask_where(table, value.__eq__)

    def values(self, table: int) -> range:
        """The pieces' entries, from the smallest to the largest."""
        entries = self._entries[table]
        return range(min(entries), max(entries) + 1)

    def few_values(self, table: int) -> bool:
        """Whether pieces can be looked up by their entry."""
        return self.of_pieces(table) and len(self.values(table)) <= MAX_VALUES

    def digits(self, table: int) -> Iterator[tuple[int, int]]:
        """Each binary digit of the pieces' entries, and the pieces that have it."""
        for digit in range(max(self._entries[table]).bit_length()):
            yield digit, self._mask_where(table, (1 << digit).__and__)

    def few_groups(self, table: int) -> bool:
        """Whether the sizes of groups with equal entries can be compared one by one."""
        return self.of_pieces(table) and len(set(self._entries[table])) <= MAX_GROUPS

    def groups(self, table: int) -> Iterator[int]:
        """The pieces of each entry."""
        return (self.equal(table, value) for value in sorted(set(self._entries[table])))

    def few_digits(self, table: int) -> bool:
        """Whether a sum can be worked out by digits."""
        entries = self._entries[table]
        return bool(entries) and min(entries) >= 0 and max(entries).bit_length() <= MAX_DIGITS

    def _mask_where(self, table: int, holds: Callable[[int], int]) -> int:
        """The mask of the pieces for whose entry something holds."""
        entries = self._entries[table]
        return int("".join(["01"[piece >= 0 and bool(holds(entries[piece]))] for piece in self._pieces]) or "0", 2)


@record
class GroupSize:
    """A group of equal pieces of which only the size is asked: the vectors of all items and of their keys, the keys'
    table, and which of all groups it is, the largest first."""

    items: int
    keys: int
    table: int
    rank: int


class Masks:
    """The vectors of some code that are held as masks, and the code for that.

    tables_by_value: the tables whose masks are needed by value.
    """

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
        waiting = [vector for vector in self._makers if self._can_be(vector) and self._is_quicker(vector)]
        while waiting:
            vector = waiting.pop()
            self._as_masks.add(vector)
            waiting += [int(maker[2]) for maker in self._makers[vector] if maker[0] in CHOOSING]
        read = [maker for vector in self._as_masks for maker in self._makers[vector]]
        read += [use for vector in self._as_masks for use in self._uses[vector] if self.is_answered(use)]
        by_value = [instruction for instruction in read if instruction[0] in ("select", "count_of")]
        self.tables_by_value = {int(instruction[3]) for instruction in by_value if not is_constant(int(instruction[4]))}

    def is_mask(self, vector: int) -> bool:
        """Whether it is held as a mask, perhaps as a list too."""
        return vector in self._as_masks

    def needs_list(self, vector: int) -> bool:
        """Whether it is needed as a list. How many pieces a zone has stands in its list."""
        if vector in self._groups or vector in self._keys:
            return False
        if vector not in self._as_masks:
            return True
        read = all(maker[0] == "read" for maker in self._makers[vector])
        return not all(self._by_mask(use) and not (read and use[0] in SIZING) for use in self._uses[vector])

    def needs_items(self, vector: int) -> bool:
        """Whether something asks for its items one by one, not only for what its mask and its size tell."""
        if vector in self._groups or vector in self._keys:
            return False
        other_uses = (use for use in self._uses[vector] if use[0] not in SIZING)
        return not all(vector in self._as_masks and self._by_mask(use) for use in other_uses)

    def is_answered(self, instruction: Instruction) -> bool:
        """Whether what it says of a vector comes from a mask."""
        if instruction[0] in SIZING and int(instruction[2]) in self._groups:
            return True
        if instruction[0] not in COUNTING | SIZING or int(instruction[2]) not in self._as_masks:
            return False
        return self._by_mask(instruction) and (instruction[0] in COUNTING or not self.needs_list(int(instruction[2])))

    def size_of(self, group: int) -> GroupSize | None:
        """Return how to work out the size of a group whose members are not needed; None for other vectors."""
        return self._groups.get(group)

    def searched_words(self, vector: int) -> set[int]:
        """The numbers of its words in which something is looked for."""
        if vector not in self._sought:
            masks = [self._relevant_pieces(use) for use in self._uses[vector] if self._looks_at_words(use)]
            words = range(self.tables.words)
            self._sought[vector] = {word for word in words for mask in masks if word_of(mask, word)}
        return self._sought[vector]

    def _looks_at_words(self, use: Instruction) -> bool:
        """Whether what uses a vector looks at its mask."""
        return int(use[1]) in self._as_masks if use[0] in CHOOSING else self._by_mask(use)

    def _relevant_pieces(self, use: Instruction) -> int:
        """The mask of the pieces that matter to what uses a vector."""
        match use:
            case ("tally" | "none_of" | "filter", _, _, int(table)):
                return self.tables.present(table)
            case ("count_of" | "select", _, _, int(table), int(value)) if is_constant(value):
                return self.tables.equal(table, number_in(value))
        return (1 << MASK_BITS * self.tables.words) - 1

    # ── groups of equal pieces, of which only their sizes are asked ──

    def _sized_groups(self) -> Iterator[tuple[int, GroupSize]]:
        """Iterate over the vectors of the members of such groups, each with how its size is worked out."""
        for group, makers in self._makers.items():
            match makers:
                case [("largest_group", _, int(items), int(keys), int(rank))] if (
                    is_constant(rank)
                    and 1 <= number_in(rank) <= MAX_RANKS
                    and self._only(group, SIZING)
                    and self._can_be(items)
                ):
                    match self._makers.get(keys):
                        case [("entries", _, int(source), int(table))] if (
                            source == items and self.tables.few_groups(table) and self._only_groups(keys, items)
                        ):
                            yield group, GroupSize(items, keys, table, number_in(rank))

    def _only(self, vector: int, uses: frozenset[str]) -> bool:
        return vector not in self._changed and all(use[0] in uses for use in self._uses[vector])

    def _only_groups(self, keys: int, items: int) -> bool:
        """Whether keys only tell groups of these items whose sizes alone are asked."""
        return keys not in self._changed and all(
            use[0] == "largest_group"
            and use[2:4] == (items, keys)
            and is_constant(int(use[4]))
            and 1 <= number_in(int(use[4])) <= MAX_RANKS
            and self._only(int(use[1]), SIZING)
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

    def _can_be(self, vector: int) -> bool:
        if vector not in self._possible:
            self._possible[vector] = False  # until it is known: what is made of itself has no mask
            self._possible[vector] = vector not in self._changed and all(
                self._can_be_made(maker) for maker in self._makers.get(vector, [()])
            )
        return self._possible[vector]

    def _can_be_made(self, maker: Instruction) -> bool:
        match maker:
            case ("read", _, int(cell), int(index)):
                return cell + number_in(index) in self._zones if is_constant(index) else cell == 0
            case ("filter", _, int(source), int(table)):
                return self._can_be(source) and self.tables.of_pieces(table)
            case ("select", _, int(source), int(table), int(value)):
                known = is_constant(value) and self.tables.of_pieces(table)
                return self._can_be(source) and (known or self.tables.few_values(table))
        return False

    def _is_quicker(self, vector: int) -> bool:
        """Whether some use is quicker so."""
        return any(self._by_mask(use) and use[0] not in SIZING for use in self._uses[vector])

    def _by_mask(self, use: Instruction) -> bool:
        match use:
            case ("entries" | "largest_group", int(target), *_):
                return target in self._keys or target in self._groups
            case ("tally", _, _, int(table)):
                return self.tables.few_digits(table)
            case ("none_of", _, _, int(table)):
                return self.tables.of_pieces(table)
            case ("count_of", _, _, int(table), int(value)):
                return self.tables.of_pieces(table) and (is_constant(value) or self.tables.few_values(table))
            case ("filter" | "select", int(target), *_):
                return self._can_be(target) and all(self._by_mask(further) for further in self._uses[target])
        return use[0] in SIZING


def word_of(mask: int, word: int) -> int:
    """One of the words of a mask."""
    return mask >> MASK_BITS * word & (1 << MASK_BITS) - 1


class MaskCode:
    """The code for the vectors of one stretch of code that are held as masks. A word that is always 0 is None."""

    def __init__(self, masks: Masks, frame: LocalFrame, operands: Operands) -> None:
        self._masks, self._tables = masks, masks.tables
        self._frame, self._operands, self._memory = frame, operands, frame.memory

    def make(self, instruction: Instruction) -> Iterator[Code]:
        """The code that makes a vector."""
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
                return _none(self._within(own, self._tables.present(table)))
            case ("tally", _, _, int(table)):
                return self._sum(own, table)
            case ("count_of", *_):
                return _size(self._selected_words(instruction))
            case ("length", *_):
                return _size(own)
        return _none(own)

    def _local(self, vector: int, word: int) -> Local[I64]:
        return self._frame.local_for(I64, "mask", vector, word)

    def _words(self, vector: int) -> list[I64]:
        return [self._local(vector, word).get() for word in range(self._tables.words)]

    @staticmethod
    def _within(words: Sequence[I64], mask: int) -> list[I64 | None]:
        bits_of_words = [word_of(mask, word) for word in range(len(words))]
        return [own & bits if bits else None for own, bits in zip(words, bits_of_words, strict=True)]

    def _selected_words(self, instruction: Instruction) -> Sequence[I64 | None]:
        """The words of what `filter`, `select` or `count_of` chooses."""
        own, table = self._words(int(instruction[2])), int(instruction[3])
        if instruction[0] == "filter":
            return self._within(own, self._tables.present(table))
        value = self._operands.number(int(instruction[4]))
        if value.constant is not None:
            return self._within(own, self._tables.equal(table, value.constant))
        values = self._tables.values(table)
        place = self._frame.local_for(I64, "mask entry")
        number = place.tee(value.i64 - values.start)
        number = select(number, I64.const(len(values)), place.get().below(len(values)))
        entry = Address(number.wrapped() << (MASK_SIZE.bit_length() - 1), self._memory.by_value[table])
        loaded = self._words_at(entry)
        return [one & other for one, other in zip(own, loaded, strict=True)]

    def _words_at(self, address: Address) -> list[I64]:
        words = range(self._tables.words)
        return [address.offset_by(LONG * word).load_long() for word in words]

    def _sum(self, own: Sequence[I64], table: int) -> I64:
        """The sum of the pieces' entries: how many have each binary digit, times what that stands for."""
        digits = ((digit, self._within(own, mask)) for digit, mask in self._tables.digits(table))
        return _total(_size(words) << digit if digit else _size(words) for digit, words in digits if any(words))

    def _size_of_group(self, group: GroupSize) -> I64:
        """Return the size of the group of that rank: the largest sizes so far are kept, the largest first."""
        own = self._words(group.items)
        size, passed = self._frame.local_for(I64, "size"), self._frame.local_for(I64, "passed size")
        ranks = [self._frame.local_for(I64, "rank", number) for number in range(group.rank)]
        code = [rank.set(_ZERO) for rank in ranks]
        for mask in self._tables.groups(group.table):
            code.append(size.set(_size(self._within(own, mask))))
            for rank in ranks:  # what is no longer here goes on to the next rank
                larger = size.get().above(rank.get())
                code.append(passed.set(select(rank.get(), size.get(), larger)))
                code.append(rank.set(select(size.get(), rank.get(), larger)))
                code.append(size.set(passed.get()))
        return after(Code().then(*code), ranks[-1].get())


_ZERO = I64.const(0)


def _size(words: Iterable[I64 | None]) -> I64:
    return _total(word.bit_count() for word in words if word is not None)


def _none(words: Iterable[I64 | None]) -> I64:
    present = [word for word in words if word is not None]
    return reduce(I64.__or__, present, _ZERO).is_zero().extended() if present else I64.const(1)


def _total(numbers: Iterable[I64]) -> I64:
    terms = list(numbers)
    return reduce(I64.__add__, terms) if terms else _ZERO
