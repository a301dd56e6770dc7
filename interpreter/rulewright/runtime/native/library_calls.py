"""Typed calls of the library's functions, for generated code. Made by tools/build_native_library.py: do not edit."""

from __future__ import annotations

from rulewright.runtime.native.assembler import FunctionBuilder
from rulewright.runtime.native.webassembly import I32, I64, V128, Code, Items


class Library:
    """Code of calls of the library from one function of the module; each method emits nothing by itself.

    A method of type I32 or I64 returns the code of a number; one of type Code, of a call without a result. to: address
    that items are written to; the result is then their number. items, others: of vectors; p, q: addresses of items or
    keys; n: how many; table: address of a table of the program, in which entries of items are looked up; cell: number
    of a cell that items are added to; zone, source: cells of zones; rows, sets: addresses of bit sets.
    """

    def __init__(self, function: FunctionBuilder) -> None:
        self._call = function.call

    def log_answer(self, site: I32 | int, seat: I32 | int, set: I32 | int, items: Items) -> Code:
        """Note an answer that was given at random to so many candidates, if it is a single one or none; where a better
        reply is known, that is given."""
        return Code(self._call("log_answer", site, seat, set, items.address, items.size))

    def ask(self, site: I32 | int, seat: I32 | int, items: Items, least: I64, most: I64) -> Code:
        """Add a question to ASKED."""
        return Code(self._call("ask", site, seat, items.address, items.size, least, most))

    def pick_one(self, to: I32 | int, items: Items) -> I32:
        """Pick one candidate at random."""
        return I32(self._call("pick_one", to, items.address, items.size))

    def pick_up_to_one(self, to: I32 | int, items: Items) -> I32:
        """Pick one candidate or none at random."""
        return I32(self._call("pick_up_to_one", to, items.address, items.size))

    def pick_number(self, to: I32 | int, first: I32 | int, n: I32 | int) -> I32:
        """Pick one of n consecutive numbers."""
        return I32(self._call("pick_number", to, first, n))

    def pick_up_to_one_number(self, to: I32 | int, first: I32 | int, n: I32 | int) -> I32:
        """Pick one of n consecutive numbers, or none."""
        return I32(self._call("pick_up_to_one_number", to, first, n))

    def pick(self, to: I32 | int, items: Items, least: I64, most: I64) -> I32:
        """Pick from least to most candidates that all differ; all sets of them are equally likely."""
        return I32(self._call("pick", to, items.address, items.size, least, most))

    def pick_one_alike(self, to: I32 | int, items: Items, none: I32 | int, seat: I32 | int) -> I32:
        """Pick a candidate of which some may look alike to a seat; of these the first is taken. none: 1 where no
        candidate is an answer too, 0 elsewhere."""
        return I32(self._call("pick_one_alike", to, items.address, items.size, none, seat))

    def pick_alike(self, to: I32 | int, items: Items, least: I64, most: I64, seat: I32 | int) -> I32:
        """Pick from least to most candidates, of which some may look alike to a seat; of these the first are taken."""
        return I32(self._call("pick_alike", to, items.address, items.size, least, most, seat))

    def draw(self, items: Items, count: I64) -> I32:
        """Keep so many of the items, chosen evenly, in their order."""
        return I32(self._call("draw", items.address, items.size, count))

    def bit_of(self, item: I64) -> V128:
        """Return the set of one item, or the empty set where the number cannot be an item."""
        return V128(self._call("bit_of", item))

    def bits_of(self, items: Items) -> V128:
        """Return the set of some items."""
        return V128(self._call("bits_of", items.address, items.size))

    def in_bits(self, bits: V128, item: I64) -> I64:
        """Return whether a number is in a set."""
        return I64(self._call("in_bits", bits, item))

    def size_of_bits(self, bits: V128) -> I64:
        """Return how many items a set has."""
        return I64(self._call("size_of_bits", bits))

    def list_bits(self, to: I32 | int, bits: V128) -> I32:
        """Write a set's items in ascending order."""
        return I32(self._call("list_bits", to, bits))

    def bits_at(self, sets: I32 | int, first: I64, count: I64, value: I64) -> V128:
        """Return the set that belongs to a value, of so many; the one behind them is empty."""
        return V128(self._call("bits_at", sets, first, count, value))

    def bits_of_values(self, sets: I32 | int, first: I64, count: I64, items: Items) -> V128:
        """Return the union of the sets that belong to some values."""
        return V128(self._call("bits_of_values", sets, first, count, items.address, items.size))

    def spread(self, rows: I32 | int, bits: V128) -> V128:
        """Return all that is in the rows of some items."""
        return V128(self._call("spread", rows, bits))

    def add_to_bits(self, bits: V128, number: I32 | int) -> V128:
        """Add a number below 64 to each item."""
        return V128(self._call("add_to_bits", bits, number))

    def subtract_from_bits(self, bits: V128, number: I32 | int) -> V128:
        """Subtract a number below 64 from each item."""
        return V128(self._call("subtract_from_bits", bits, number))

    def reached_bits(self, rows: I32 | int, edge: V128, land: V128) -> V128:
        """Return what can be reached of the land from an edge, by a flood over rows. A large land takes fuel."""
        return V128(self._call("reached_bits", rows, edge, land))

    def lying_low_bits(self, items: Items, table: I32 | int, cell: I32 | int) -> V128:
        """Return the same as lying_bits, where all entries are below 63."""
        return V128(self._call("lying_low_bits", items.address, items.size, table, cell))

    def lying_bits(self, items: Items, table: I32 | int, cell: I32 | int) -> V128:
        """Return the entries, in a table, of what the cells of some pieces hold; without -1."""
        return V128(self._call("lying_bits", items.address, items.size, table, cell))

    def lying_of(self, list: I32 | int, first: I64, count: I64, value: I64, cell: I32 | int) -> V128:
        """Return where the pieces with a value lie, less the cell of the first zone. The list begins with where those
        of each value do."""
        return V128(self._call("lying_of", list, first, count, value, cell))

    def vacant(self, items: Items, cell: I32 | int) -> V128:
        """Return the items whose zone is empty."""
        return V128(self._call("vacant", items.address, items.size, cell))

    def vacant_close_row(self, set: I32 | int, n: I64) -> V128:
        """Return which of the first n zones are empty, whose sets lie eight bytes apart."""
        return V128(self._call("vacant_close_row", set, n))

    def vacant_row(self, set: I32 | int, stride: I32 | int, n: I64) -> V128:
        """Return which of the first n zones are empty, whose sets lie so many bytes apart."""
        return V128(self._call("vacant_row", set, stride, n))

    def fail(self, kind: I32 | int, argument: I32 | int) -> I32:
        """Note what an error is about; return its kind."""
        return I32(self._call("fail", kind, argument))

    def too_large(self, number: I64) -> I32:
        """Return whether no cell can hold a number."""
        return I32(self._call("too_large", number))

    def divide_down(self, a: I64, b: I64) -> I64:
        """Divide, rounded down; traps for 0."""
        return I64(self._call("divide_down", a, b))

    def divide_up(self, a: I64, b: I64) -> I64:
        """Divide, rounded up; traps for 0."""
        return I64(self._call("divide_up", a, b))

    def burn(self, fuel: I32 | int) -> Code:
        """Take fuel, even where there is too little."""
        return Code(self._call("burn", fuel))

    def spend(self) -> I32:
        """Take a unit of fuel; return whether there was none."""
        return I32(self._call("spend"))

    def seed(self, generator: I32 | int, number: I64, stream: I32 | int) -> Code:
        """Begin a stream of a random generator anew."""
        return Code(self._call("seed", generator, number, stream))

    def below(self, limit: I64) -> I64:
        """Draw a number from 0 to less than a limit, by the game's generator."""
        return I64(self._call("below", limit))

    def sort_few(self, items: Items, columns: I32 | int) -> I32:
        """Sort at most four items by columns of keys."""
        return I32(self._call("sort_few", items.address, items.size, columns))

    def sort(self, items: Items, columns: I32 | int) -> I32:
        """Sort items by columns of keys, smallest first."""
        return I32(self._call("sort", items.address, items.size, columns))

    def rank(self, p: I32 | int, to: I32 | int, n: I32 | int, columns: I32 | int) -> I32:
        """Sort; write at `to` how many are equal to each item."""
        return I32(self._call("rank", p, to, n, columns))

    def rank_few(self, p: I32 | int, to: I32 | int, n: I32 | int, columns: I32 | int) -> I32:
        """Rank at most four items, without ORDER."""
        return I32(self._call("rank_few", p, to, n, columns))

    def largest_group(self, to: I32 | int, items: Items, q: I32 | int, rank: I64) -> I32:
        """Write the members of the rank-th largest group of items with equal keys. q: address of the keys."""
        return I32(self._call("largest_group", to, items.address, items.size, q, rank))

    def sample_round(self) -> Code:
        """Note who leads, and who has which power."""
        return Code(self._call("sample_round"))

    def count_choices(self, bits: I64, choice_bits: I32 | int, counts: I32 | int) -> Code:
        """Add a decision's choices, as bits, to what the game had so far, and count each once more."""
        return Code(self._call("count_choices", bits, choice_bits, counts))

    def count_game(self, row: I32 | int) -> I32:
        """Write a game's counts behind its results, and clear them; return 0, or how that failed."""
        return I32(self._call("count_game", row))

    def copy(self, to: I32 | int, items: Items) -> I32:
        """Copy items, four at a time and at least four. Where both overlap, `to` is before them."""
        return I32(self._call("copy", to, items.address, items.size))

    def copy_few(self, to: I32 | int, items: Items) -> I32:
        """Copy at most four items."""
        return I32(self._call("copy_few", to, items.address, items.size))

    def join(self, to: I32 | int, items: Items, others: Items) -> I32:
        """Write the items of two vectors, one behind the other."""
        return I32(self._call("join", to, items.address, items.size, others.address, others.size))

    def join_few(self, to: I32 | int, items: Items, others: Items) -> I32:
        """Join two vectors of at most four items."""
        return I32(self._call("join_few", to, items.address, items.size, others.address, others.size))

    def keep(self, set: I32 | int, items: Items) -> Code:
        """Store items as the set at an address."""
        return Code(self._call("keep", set, items.address, items.size))

    def keep_few(self, set: I32 | int, items: Items) -> Code:
        """Store at most four items as the set at an address."""
        return Code(self._call("keep_few", set, items.address, items.size))

    def answer(self, items: Items) -> Code:
        """Add an answer to ANSWERS."""
        return Code(self._call("answer", items.address, items.size))

    def answer_one(self, items: Items) -> Code:
        """Add an answer of at most one item."""
        return Code(self._call("answer_one", items.address, items.size))

    def item(self, items: Items, index: I64) -> I64:
        """Return an item; an index of -1 is the last."""
        return I64(self._call("item", items.address, items.size, index))

    def span(self, first: I64, last: I64, most: I64) -> I32:
        """Return how many numbers there are from first to last, at most so many."""
        return I32(self._call("span", first, last, most))

    def numbers(self, to: I32 | int, first: I64, last: I64, most: I32 | int) -> I32:
        """Write the numbers from first to last, at most so many."""
        return I32(self._call("numbers", to, first, last, most))

    def has(self, items: Items, item: I64) -> I64:
        """Return whether a number is among the items, four at a time."""
        return I64(self._call("has", items.address, items.size, item))

    def greatest(self, items: Items) -> I64:
        """Return the greatest item, 0 without items."""
        return I64(self._call("greatest", items.address, items.size))

    def smallest(self, items: Items) -> I64:
        """Return the smallest item, 0 without items."""
        return I64(self._call("smallest", items.address, items.size))

    def longest_run(self, items: Items) -> I64:
        """Return how many consecutive numbers are among the items."""
        return I64(self._call("longest_run", items.address, items.size))

    def tally(self, items: Items, table: int) -> I64:
        """Return the sum of the items' entries."""
        return I64(self._call("tally", items.address, items.size, table=table))

    def tally_one(self, items: Items, table: int) -> I64:
        """Return the entry of the only item, 0 without items."""
        return I64(self._call("tally_one", items.address, items.size, table=table))

    def none_of(self, items: Items, table: int) -> I64:
        """Return whether all items' entries are 0."""
        return I64(self._call("none_of", items.address, items.size, table=table))

    def count_of(self, items: Items, value: I64, table: int) -> I64:
        """Return how many items have an entry of this value."""
        return I64(self._call("count_of", items.address, items.size, value, table=table))

    def count_of_one(self, items: Items, value: I64, table: int) -> I64:
        """Return whether the only item has an entry of this value."""
        return I64(self._call("count_of_one", items.address, items.size, value, table=table))

    def filter(self, to: I32 | int, items: Items, table: int) -> I32:
        """Write the items whose entries are not 0."""
        return I32(self._call("filter", to, items.address, items.size, table=table))

    def filter_flagged(self, to: I32 | int, items: Items, table: int) -> I32:
        """Like filter, where all entries are 0 or 1."""
        return I32(self._call("filter_flagged", to, items.address, items.size, table=table))

    def select(self, to: I32 | int, items: Items, value: I64, table: int) -> I32:
        """Write the items whose entries are this value."""
        return I32(self._call("select", to, items.address, items.size, value, table=table))

    def entries(self, to: I32 | int, items: Items, table: int) -> I32:
        """Write the items' entries."""
        return I32(self._call("entries", to, items.address, items.size, table=table))

    def select_one(self, to: I32 | int, items: Items, table: I32 | int, value: I64) -> I32:
        """Select the first item only."""
        return I32(self._call("select_one", to, items.address, items.size, table, value))

    def fitting(self, to: I32 | int, items: Items, table: I32 | int, room: I64) -> I32:
        """Write the first items for which there is room. room: for those whose entry is not 0."""
        return I32(self._call("fitting", to, items.address, items.size, table, room))

    def among(self, n: I32 | int, count: I64) -> I32:
        """Return how many of n items are taken where so many are wanted: from 0 to n."""
        return I32(self._call("among", n, count))

    def back(self, to: I32 | int, items: Items, count: I64) -> I32:
        """Write the last items, the last first."""
        return I32(self._call("back", to, items.address, items.size, count))

    def gather(self, to: I32 | int, items: Items, cell: I32 | int) -> I32:
        """Write all that is in the sets of the cells from a cell on, by items."""
        return I32(self._call("gather", to, items.address, items.size, cell))

    def unite(self, to: I32 | int, items: Items, others: Items) -> I32:
        """Write the items of two vectors, each once."""
        return I32(self._call("unite", to, items.address, items.size, others.address, others.size))

    def images(self, to: I32 | int, items: Items, table: I32 | int) -> I32:
        """Write the items' entries, each once, without -1."""
        return I32(self._call("images", to, items.address, items.size, table))

    def lying(self, to: I32 | int, items: Items, table: I32 | int, cell: I32 | int) -> I32:
        """Write the entries, in a table, of what the cells of some pieces hold; each once, without -1, in order."""
        return I32(self._call("lying", to, items.address, items.size, table, cell))

    def within(self, to: I32 | int, items: Items, table: I32 | int, others: Items) -> I32:
        """Write the items whose entries are among others."""
        return I32(self._call("within", to, items.address, items.size, table, others.address, others.size))

    def map(self, map: I32 | int, bound: I32 | int, items: Items) -> Code:
        """Fill a map, whose bytes are 1 for the numbers below a bound that are items. The byte before that of 0 is
        nothing's."""
        return Code(self._call("map", map, bound, items.address, items.size))

    def within_map(self, to: I32 | int, items: Items, table: I32 | int, map: I32 | int) -> I32:
        """Like within, by a map of the third vector."""
        return I32(self._call("within_map", to, items.address, items.size, table, map))

    def beside(self, to: I32 | int, items: Items, table: I32 | int, width: I32 | int) -> I32:
        """Write what is in the rows of the items and is none of them."""
        return I32(self._call("beside", to, items.address, items.size, table, width))

    def reached(self, to: I32 | int, items: Items, others: Items, table: I32 | int, width: I32 | int) -> I32:
        """Flood fill: what can be reached of the land (q, m), in its order. A large land takes fuel."""
        return I32(self._call("reached", to, items.address, items.size, others.address, others.size, table, width))

    def move(self, piece: I32 | int, zone: I32 | int, under: I32 | int) -> Code:
        """Move a piece onto a zone. under: 1 for the bottom."""
        return Code(self._call("move", piece, zone, under))

    def move_several(self, items: Items, zone: I32 | int) -> Code:
        """Move several pieces onto a zone."""
        return Code(self._call("move_several", items.address, items.size, zone))

    def move_all(self, items: Items, zone: I32 | int, under: I32 | int) -> Code:
        """Move pieces onto a zone. under: 1 for the bottom."""
        return Code(self._call("move_all", items.address, items.size, zone, under))

    def spill(self, source: I32 | int, zone: I32 | int) -> Code:
        """Move all pieces of a zone onto another."""
        return Code(self._call("spill", source, zone))

    def sift(self, source: I32 | int, zone: I32 | int, table: I32 | int, value: I32 | int) -> Code:
        """Move the pieces whose entry in a table is a value."""
        return Code(self._call("sift", source, zone, table, value))

    def pour(self, source: I32 | int, zone: I32 | int) -> Code:
        """Move all pieces of a zone onto another, and shuffle that."""
        return Code(self._call("pour", source, zone))

    def deal(self, source: I32 | int, zone: I32 | int, count: I64, under: I32 | int, refill: I32 | int) -> Code:
        """Move so many pieces from the top of a zone. under: 1 for the bottom; refill: zone that is shuffled in when it
        is empty, or -1."""
        return Code(self._call("deal", source, zone, count, under, refill))

    def swap(self, one: I32 | int, other: I32 | int) -> Code:
        """Let two pieces change places."""
        return Code(self._call("swap", one, other))

    def shuffle(self, zone: I32 | int) -> Code:
        """Shuffle as Fisher and Yates do: a chosen item changes places with the last that is left, several chosen by
        one number. BATCHES holds, for so many that are left, how many are left then, and the limit of that number."""
        return Code(self._call("shuffle", zone))
