"""Typed calls of the library's functions, for generated code. Made by tools/build_native_library.py: do not edit."""

from __future__ import annotations

from rulewright.runtime.native.assembler import FunctionBuilder
from rulewright.runtime.native.webassembly import I32, I64, V128, Code, Items


class Library:
    """The library as one function of the module calls it. to: where the items of a vector go."""

    def __init__(self, function: FunctionBuilder) -> None:
        self._call = function.call

    def ask(self, site: I32 | int, seat: I32 | int, items: Items, least: I64, most: I64) -> Code:
        return Code(self._call("ask", site, seat, items.address, items.size, least, most))

    def pick_one(self, to: I32 | int, items: Items) -> I32:
        return I32(self._call("pick_one", to, items.address, items.size))

    def pick_up_to_one(self, to: I32 | int, items: Items) -> I32:
        return I32(self._call("pick_up_to_one", to, items.address, items.size))

    def pick_number(self, to: I32 | int, first: I32 | int, n: I32 | int) -> I32:
        return I32(self._call("pick_number", to, first, n))

    def pick_up_to_one_number(self, to: I32 | int, first: I32 | int, n: I32 | int) -> I32:
        return I32(self._call("pick_up_to_one_number", to, first, n))

    def pick(self, to: I32 | int, items: Items, least: I64, most: I64) -> I32:
        return I32(self._call("pick", to, items.address, items.size, least, most))

    def pick_one_alike(self, to: I32 | int, items: Items, none: I32 | int, seat: I32 | int) -> I32:
        return I32(self._call("pick_one_alike", to, items.address, items.size, none, seat))

    def pick_alike(self, to: I32 | int, items: Items, least: I64, most: I64, seat: I32 | int) -> I32:
        return I32(self._call("pick_alike", to, items.address, items.size, least, most, seat))

    def draw(self, items: Items, count: I64) -> I32:
        return I32(self._call("draw", items.address, items.size, count))

    def bit_of(self, item: I64) -> V128:
        return V128(self._call("bit_of", item))

    def bits_of(self, items: Items) -> V128:
        return V128(self._call("bits_of", items.address, items.size))

    def in_bits(self, bits: V128, item: I64) -> I64:
        return I64(self._call("in_bits", bits, item))

    def size_of_bits(self, bits: V128) -> I64:
        return I64(self._call("size_of_bits", bits))

    def list_bits(self, to: I32 | int, bits: V128) -> I32:
        return I32(self._call("list_bits", to, bits))

    def bits_at(self, sets: I32 | int, first: I64, count: I64, value: I64) -> V128:
        return V128(self._call("bits_at", sets, first, count, value))

    def bits_of_values(self, sets: I32 | int, first: I64, count: I64, items: Items) -> V128:
        return V128(self._call("bits_of_values", sets, first, count, items.address, items.size))

    def spread(self, rows: I32 | int, bits: V128) -> V128:
        return V128(self._call("spread", rows, bits))

    def add_to_bits(self, bits: V128, number: I32 | int) -> V128:
        return V128(self._call("add_to_bits", bits, number))

    def subtract_from_bits(self, bits: V128, number: I32 | int) -> V128:
        return V128(self._call("subtract_from_bits", bits, number))

    def reached_bits(self, rows: I32 | int, edge: V128, land: V128) -> V128:
        return V128(self._call("reached_bits", rows, edge, land))

    def lying_low_bits(self, items: Items, table: I32 | int, cell: I32 | int) -> V128:
        return V128(self._call("lying_low_bits", items.address, items.size, table, cell))

    def lying_bits(self, items: Items, table: I32 | int, cell: I32 | int) -> V128:
        return V128(self._call("lying_bits", items.address, items.size, table, cell))

    def lying_of(self, list: I32 | int, first: I64, count: I64, value: I64, cell: I32 | int) -> V128:
        return V128(self._call("lying_of", list, first, count, value, cell))

    def vacant(self, items: Items, cell: I32 | int) -> V128:
        return V128(self._call("vacant", items.address, items.size, cell))

    def vacant_close_row(self, set: I32 | int, n: I64) -> V128:
        return V128(self._call("vacant_close_row", set, n))

    def vacant_row(self, set: I32 | int, stride: I32 | int, n: I64) -> V128:
        return V128(self._call("vacant_row", set, stride, n))

    def fail(self, kind: I32 | int, argument: I32 | int) -> I32:
        return I32(self._call("fail", kind, argument))

    def too_large(self, number: I64) -> I32:
        return I32(self._call("too_large", number))

    def divide_down(self, a: I64, b: I64) -> I64:
        return I64(self._call("divide_down", a, b))

    def divide_up(self, a: I64, b: I64) -> I64:
        return I64(self._call("divide_up", a, b))

    def burn(self, fuel: I32 | int) -> Code:
        return Code(self._call("burn", fuel))

    def spend(self) -> I32:
        return I32(self._call("spend"))

    def seed(self, generator: I32 | int, number: I64, stream: I32 | int) -> Code:
        return Code(self._call("seed", generator, number, stream))

    def below(self, limit: I64) -> I64:
        return I64(self._call("below", limit))

    def sort_few(self, items: Items, columns: I32 | int) -> I32:
        return I32(self._call("sort_few", items.address, items.size, columns))

    def sort(self, items: Items, columns: I32 | int) -> I32:
        return I32(self._call("sort", items.address, items.size, columns))

    def rank(self, p: I32 | int, to: I32 | int, n: I32 | int, columns: I32 | int) -> I32:
        return I32(self._call("rank", p, to, n, columns))

    def rank_few(self, p: I32 | int, to: I32 | int, n: I32 | int, columns: I32 | int) -> I32:
        return I32(self._call("rank_few", p, to, n, columns))

    def largest_group(self, to: I32 | int, items: Items, q: I32 | int, rank: I64) -> I32:
        return I32(self._call("largest_group", to, items.address, items.size, q, rank))

    def sample_round(self) -> Code:
        return Code(self._call("sample_round"))

    def count_choices(self, bits: I64, choice_bits: I32 | int, counts: I32 | int) -> Code:
        return Code(self._call("count_choices", bits, choice_bits, counts))

    def count_game(self, row: I32 | int) -> I32:
        return I32(self._call("count_game", row))

    def copy(self, to: I32 | int, items: Items) -> I32:
        return I32(self._call("copy", to, items.address, items.size))

    def copy_few(self, to: I32 | int, items: Items) -> I32:
        return I32(self._call("copy_few", to, items.address, items.size))

    def join(self, to: I32 | int, items: Items, others: Items) -> I32:
        return I32(self._call("join", to, items.address, items.size, others.address, others.size))

    def join_few(self, to: I32 | int, items: Items, others: Items) -> I32:
        return I32(self._call("join_few", to, items.address, items.size, others.address, others.size))

    def keep(self, set: I32 | int, items: Items) -> Code:
        return Code(self._call("keep", set, items.address, items.size))

    def keep_few(self, set: I32 | int, items: Items) -> Code:
        return Code(self._call("keep_few", set, items.address, items.size))

    def answer(self, items: Items) -> Code:
        return Code(self._call("answer", items.address, items.size))

    def answer_one(self, items: Items) -> Code:
        return Code(self._call("answer_one", items.address, items.size))

    def item(self, items: Items, index: I64) -> I64:
        return I64(self._call("item", items.address, items.size, index))

    def span(self, first: I64, last: I64, most: I64) -> I32:
        return I32(self._call("span", first, last, most))

    def numbers(self, to: I32 | int, first: I64, last: I64, most: I32 | int) -> I32:
        return I32(self._call("numbers", to, first, last, most))

    def has(self, items: Items, item: I64) -> I64:
        return I64(self._call("has", items.address, items.size, item))

    def greatest(self, items: Items) -> I64:
        return I64(self._call("greatest", items.address, items.size))

    def smallest(self, items: Items) -> I64:
        return I64(self._call("smallest", items.address, items.size))

    def longest_run(self, items: Items) -> I64:
        return I64(self._call("longest_run", items.address, items.size))

    def tally(self, items: Items, table: int) -> I64:
        return I64(self._call("tally", items.address, items.size, table=table))

    def tally_one(self, items: Items, table: int) -> I64:
        return I64(self._call("tally_one", items.address, items.size, table=table))

    def none_of(self, items: Items, table: int) -> I64:
        return I64(self._call("none_of", items.address, items.size, table=table))

    def count_of(self, items: Items, value: I64, table: int) -> I64:
        return I64(self._call("count_of", items.address, items.size, value, table=table))

    def count_of_one(self, items: Items, value: I64, table: int) -> I64:
        return I64(self._call("count_of_one", items.address, items.size, value, table=table))

    def filter(self, to: I32 | int, items: Items, table: int) -> I32:
        return I32(self._call("filter", to, items.address, items.size, table=table))

    def filter_flagged(self, to: I32 | int, items: Items, table: int) -> I32:
        return I32(self._call("filter_flagged", to, items.address, items.size, table=table))

    def select(self, to: I32 | int, items: Items, value: I64, table: int) -> I32:
        return I32(self._call("select", to, items.address, items.size, value, table=table))

    def entries(self, to: I32 | int, items: Items, table: int) -> I32:
        return I32(self._call("entries", to, items.address, items.size, table=table))

    def select_one(self, to: I32 | int, items: Items, table: I32 | int, value: I64) -> I32:
        return I32(self._call("select_one", to, items.address, items.size, table, value))

    def fitting(self, to: I32 | int, items: Items, table: I32 | int, room: I64) -> I32:
        return I32(self._call("fitting", to, items.address, items.size, table, room))

    def among(self, n: I32 | int, count: I64) -> I32:
        return I32(self._call("among", n, count))

    def back(self, to: I32 | int, items: Items, count: I64) -> I32:
        return I32(self._call("back", to, items.address, items.size, count))

    def gather(self, to: I32 | int, items: Items, cell: I32 | int) -> I32:
        return I32(self._call("gather", to, items.address, items.size, cell))

    def unite(self, to: I32 | int, items: Items, others: Items) -> I32:
        return I32(self._call("unite", to, items.address, items.size, others.address, others.size))

    def images(self, to: I32 | int, items: Items, table: I32 | int) -> I32:
        return I32(self._call("images", to, items.address, items.size, table))

    def lying(self, to: I32 | int, items: Items, table: I32 | int, cell: I32 | int) -> I32:
        return I32(self._call("lying", to, items.address, items.size, table, cell))

    def within(self, to: I32 | int, items: Items, table: I32 | int, others: Items) -> I32:
        return I32(self._call("within", to, items.address, items.size, table, others.address, others.size))

    def map(self, map: I32 | int, bound: I32 | int, items: Items) -> Code:
        return Code(self._call("map", map, bound, items.address, items.size))

    def within_map(self, to: I32 | int, items: Items, table: I32 | int, map: I32 | int) -> I32:
        return I32(self._call("within_map", to, items.address, items.size, table, map))

    def beside(self, to: I32 | int, items: Items, table: I32 | int, width: I32 | int) -> I32:
        return I32(self._call("beside", to, items.address, items.size, table, width))

    def reached(self, to: I32 | int, items: Items, others: Items, table: I32 | int, width: I32 | int) -> I32:
        return I32(self._call("reached", to, items.address, items.size, others.address, others.size, table, width))

    def move(self, piece: I32 | int, zone: I32 | int, under: I32 | int) -> Code:
        return Code(self._call("move", piece, zone, under))

    def move_several(self, items: Items, zone: I32 | int) -> Code:
        return Code(self._call("move_several", items.address, items.size, zone))

    def move_all(self, items: Items, zone: I32 | int, under: I32 | int) -> Code:
        return Code(self._call("move_all", items.address, items.size, zone, under))

    def spill(self, source: I32 | int, zone: I32 | int) -> Code:
        return Code(self._call("spill", source, zone))

    def sift(self, source: I32 | int, zone: I32 | int, table: I32 | int, value: I32 | int) -> Code:
        return Code(self._call("sift", source, zone, table, value))

    def pour(self, source: I32 | int, zone: I32 | int) -> Code:
        return Code(self._call("pour", source, zone))

    def deal(self, source: I32 | int, zone: I32 | int, count: I64, under: I32 | int, refill: I32 | int) -> Code:
        return Code(self._call("deal", source, zone, count, under, refill))

    def swap(self, one: I32 | int, other: I32 | int) -> Code:
        return Code(self._call("swap", one, other))

    def shuffle(self, zone: I32 | int) -> Code:
        return Code(self._call("shuffle", zone))
