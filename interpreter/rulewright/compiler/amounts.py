"""Amounts: one number for each word of a list; their arithmetic, comparison and sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulewright.compiler import attributes, messages
from rulewright.compiler.context import Context
from rulewright.compiler.set_operations import empty_vector, item_reader
from rulewright.compiler.type_checks import single_value
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_values import NUMBER, TRUTH, UNBOUNDED, Amounts, Assignable, Meaning, MemberSet, Value
from rulewright.model.declarations import CounterDeclaration, WordTable, canonical
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax.tree import Node

MAX_UNROLLED_WORDS = 8
"""Maximum number of words of a list for which code is repeated; a longer list gets a loop."""


def new_amounts(
    ctx: Context,
    words: str,
    open_: Callable[[], Callable[[int], Value]],
    cell_of: Callable[[int], Assignable] | None = None,
) -> Amounts:
    """Return amounts of a word list: nothing is emitted now, and each use emits them anew. open_: emits what all
    entries share and returns the reader of one entry; cell_of: gives the cell of an entry, where entries can be set."""

    def make() -> int:
        vector = empty_vector(ctx)
        read = open_()
        for_each_word(ctx, words, lambda word: ctx.emit.op("push", vector, read(word).operand))
        return vector

    type_, size = Type("amount", words, True), len(ctx.edition.words[words].words)

    def walk(body: Callable[[int], None], stop: int | None) -> None:
        with ctx.emit.each(make()) as item:
            body(item)

    return Amounts(type_, size, walk, make, words=words, open=open_, cell_of=cell_of)


def for_each_word(ctx: Context, words: str, body: Callable[[int], None]) -> None:
    """Emit code for each word of a list. body: takes the word's number as an operand; it is called for each word of a
    short list, once, inside a loop, for a long one."""
    size = len(ctx.edition.words[words].words)
    if size <= MAX_UNROLLED_WORDS:
        for word in range(size):
            body(constant(word))
        return
    with ctx.emit.each(ctx.emit.compute_vector("fixed", ctx.plan.add_table(tuple(range(size))))) as item:
        body(item)


# ── what there is for each word ──


def counter_amounts(ctx: Context, counter: CounterDeclaration, owner: int | None) -> Amounts:
    """Return the entries of a counter declared `by` a word list, as amounts that can be set. owner: as an operand, None
    for the table's."""

    def cell_of(word: int) -> Assignable:
        return counter_entry(ctx, counter, owner, word)

    return new_amounts(ctx, counter.by, lambda: cell_of, cell_of)


def counter_entry(ctx: Context, counter: CounterDeclaration, owner: int | None, word: int) -> Assignable:
    """Emit the read of a counter's entry for a word, and return it as one that can be set. owner: as an operand, None
    for the table's."""
    cell, type_ = ctx.plan.counter(counter.name)
    index = word
    if owner is not None:
        first = ctx.emit.evaluate("multiply", owner, constant(len(counter.starts)))
        index = ctx.emit.evaluate("add", first, word)
    low, high = (0, 1) if type_ == TRUTH else (-UNBOUNDED, UNBOUNDED)
    return Assignable(type_, ctx.emit.load(cell, index), low, high, type_.base in ("seat", "word"), cell, index)


def holds_amounts(table: WordTable) -> bool:
    """Whether a table has a number for each word of a list."""
    return table.by != "number" and table.holds == "number"


def table_amounts(ctx: Context, word: Value, table: WordTable) -> Amounts:
    """Return a word's row of a table, as amounts; each use emits the look-ups."""
    entries = tuple(entry for row in table.rows for entry in row)

    def open_() -> Callable[[int], Value]:
        width = len(table.rows[0])

        def read(place: int) -> Value:
            entry = attributes.row_entry_index(ctx, word, width, place)
            operand = ctx.emit.look_up(ctx.plan.add_table((*entries, 0)), entry)
            return Value(NUMBER, operand, min(0, *entries), max(0, *entries))

        return read

    return new_amounts(ctx, table.by, open_)


def possible_amount_names(ctx: Context) -> Iterator[str]:
    """Yield names that may mean amounts: counters by word and tables; also all values and terms, whose type is not
    known by name."""
    for counter in ctx.edition.counters.values():
        if counter.by:
            yield canonical(counter.name)
    for words in ctx.edition.words.values():
        yield from (canonical(name) for name, table in words.tables.items() if holds_amounts(table))
    yield from (canonical(name) for name, figure in ctx.edition.figures.items() if not figure.parameters)


# ── reckoning ──


def unify(ctx: Context, node: Node, one: Meaning, other: Meaning) -> tuple[Amounts, Amounts]:
    """Return both as amounts of one list; a number stands for that many of each word. One must be amounts. Raises
    ReportedError for amounts of two lists, or with what is no whole number."""
    if not isinstance(one, Amounts):
        assert isinstance(other, Amounts)
        return same_for_each_word(ctx, other.words, single_value(ctx, one, node), node), other
    if not isinstance(other, Amounts):
        return one, same_for_each_word(ctx, one.words, single_value(ctx, other, node), node)
    if one.words != other.words:
        raise ctx.error(node, messages.TWO_AMOUNTS(one=one.words, other=other.words))
    return one, other


def same_for_each_word(ctx: Context, words: str, number: Value, node: Node) -> Amounts:
    """Return amounts with one number for every word. Raises ReportedError for what is no whole number."""
    if number.type != NUMBER:
        raise ctx.error(node, messages.EXPECTED_AMOUNTS(list=words, given=describe(number.type)))
    return new_amounts(ctx, words, lambda: lambda word: number)


def combine_amounts(ctx: Context, one: Amounts, other: Amounts, combine: Callable[[Value, Value], Value]) -> Amounts:
    """Apply an operation to the two numbers of each word, emitted anew at each use."""

    def open_() -> Callable[[int], Value]:
        first, second = one.open(), other.open()
        return lambda word: combine(first(word), second(word))

    return new_amounts(ctx, one.words, open_)


def sum_over_members(ctx: Context, members: MemberSet, amounts_of: Callable[[int], Amounts], words: str) -> Amounts:
    """Sum the members' amounts, word by word; each use emits the sums anew."""

    def make() -> int:
        sums = empty_vector(ctx)

        def add_up(word: int) -> None:
            sum_ = ctx.emit.new_variable(ZERO)
            members.walk(
                lambda item: ctx.emit.compute_into("add", sum_, sum_, amounts_of(item).open()(word).operand), None
            )
            ctx.emit.op("push", sums, sum_)

        for_each_word(ctx, words, add_up)
        return sums

    return new_amounts(ctx, words, lambda: item_reader(ctx, make()))


def sum_of_all_words(ctx: Context, amounts: Amounts) -> Value:
    """Emit the sum of all entries."""
    sum_, read = ctx.emit.new_variable(ZERO), amounts.open()
    for_each_word(ctx, amounts.words, lambda word: ctx.emit.compute_into("add", sum_, sum_, read(word).operand))
    return Value(NUMBER, sum_)


def compare(
    ctx: Context, one: Amounts, other: Amounts, relation: Callable[[int, int], int], denied: bool = False
) -> Value:
    """Emit whether a comparison holds for every word. relation: emits it for two operands; denied: negate the
    result."""
    holds = ctx.emit.new_variable(ONE)
    first, second = one.open(), other.open()

    def compare(word: int) -> None:
        with ctx.emit.if_true(ctx.emit.negate(relation(first(word).operand, second(word).operand))):
            ctx.emit.assign(holds, ZERO)

    for_each_word(ctx, one.words, compare)
    return Value(TRUTH, ctx.emit.negate(holds) if denied else holds, 0, 1)


def change_counter(
    ctx: Context, counter: Amounts, amounts: Amounts, change: Callable[[Assignable, Value], None]
) -> None:
    """Change a counter's entry of each word by that word's number; all numbers are read before any entry changes.
    Asserts that the entries can be set."""
    cell_of, vector = counter.cell_of, amounts.vector
    assert cell_of is not None and vector is not None
    read = item_reader(ctx, vector())  # before anything changes
    for_each_word(ctx, counter.words, lambda word: change(cell_of(word), read(word)))
