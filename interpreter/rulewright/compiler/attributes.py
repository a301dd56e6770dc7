"""Attributes of pieces, words and sides, and what is reachable over words that are their values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright.compiler.context import Context
from rulewright.compiler.typed_values import NUMBER, Assignable, Value, kinds_in
from rulewright.compiler.zone_access import note_pieces_read
from rulewright.model.declarations import NUMBERS, Kind, WordList, WordTable, canonical
from rulewright.model.edition import Edition
from rulewright.program.instructions import NONE, constant
from rulewright.program.value_types import Type


def attributes_of_kinds(edition: Edition, kinds: frozenset[str]) -> dict[str, Kind]:
    """Return the attributes of some kinds of piece, each with one kind that has it; the most common ones first."""
    having: dict[str, list[Kind]] = {}
    for kind in edition.kinds.values():
        for attribute in kind.attributes if kind.name in kinds else ():
            having.setdefault(attribute, []).append(kind)
    most_first = sorted(having, key=lambda attribute: -len(having[attribute]))
    return {attribute: having[attribute][0] for attribute in most_first}


def reachable_lists(edition: Edition, words: str) -> Iterator[tuple[WordList, list[str]]]:
    """Yield a word list and the lists reachable over its words' attributes, nearest first, each with the path of
    attributes.

    A list reachable by two paths is yielded twice, so that a caller can warn of the second.
    """
    queue: list[tuple[str, list[str], frozenset[str]]] = [(words, [], frozenset([words]))]
    visits = Counter([words])
    while queue:
        list_name, path, visited = queue.pop(0)
        yield edition.words[list_name], path
        for attribute, type_ in edition.words[list_name].attributes.items():
            if type_ not in NUMBERS and type_ not in visited and visits[type_] < 2:
                visits[type_] += 1
                queue.append((type_, [*path, attribute], visited | {type_}))


def attribute_path(edition: Edition, words: str, name: str) -> list[str]:
    """Return the shortest path of attributes from a word to an attribute called `name`; [] if there is none."""
    for list_, path in reachable_lists(edition, words):
        for attribute in list_.attributes:
            if attribute == name:
                return [*path, attribute]
    return []


def path_type(edition: Edition, words: str, path: list[str]) -> Type:
    """Return the type that a path of attributes ends in. words: word list where the path begins."""
    for attribute in path:
        words = edition.words[words].attributes[attribute]
    return type_named(words)


def type_named(holds: str) -> Type:
    """Return the type of values, from the name that the declaration of an attribute or a table has for it: a kind of
    number, or a word list."""
    return Type(holds) if holds in NUMBERS else Type("word", holds)


def path_values(edition: Edition, words: str, path: list[str]) -> tuple[int, ...]:
    """Return where a path of attributes ends for each word of a list; 0 or -1 (no word) where it breaks off."""
    values, list_name = list(range(len(edition.words[words].words))), words
    for attribute in path:
        entries = edition.words[list_name].words
        list_name = edition.words[list_name].attributes[attribute]
        none = 0 if list_name in NUMBERS else -1
        values = [entries[value].attributes.get(attribute, none) if value >= 0 else none for value in values]
    return tuple(values)


def reachable_tables(ctx: Context, type_: Type, name: str) -> Iterator[tuple[WordList, list[str], WordTable]]:
    """Yield the tables of a name that things of a type reach, nearest first: the list, the path of attributes, the
    table."""
    starts: list[tuple[str, list[str]]] = []
    if type_.base == "word":
        starts = [(str(type_.detail), [])]
    elif type_.base == "seat" and ctx.edition.sides:
        starts = [(ctx.edition.sides, [])]
    elif type_.base == "piece":
        kinds_by_attribute = attributes_of_kinds(ctx.edition, kinds_in(type_))
        starts = [(kind.attributes[attribute], [attribute]) for attribute, kind in kinds_by_attribute.items()]
    for words, first in starts:
        for list_, path in reachable_lists(ctx.edition, words) if words not in NUMBERS else ():
            for table_name, table in list_.tables.items():
                if canonical(table_name) == name:
                    yield list_, [*first, *path], table


def attribute_table(ctx: Context, type_: Type, name: str) -> tuple[int, Type, int, int] | None:
    """Return how an attribute that never changes is looked up for the pieces of a type: number of the table, type,
    minimum, maximum; None if none of their kinds has it, or it changes. name: as declared."""
    for kind in sorted(kinds_in(type_)):
        for attribute, attribute_type in ctx.edition.kinds[kind].attributes.items():
            if attribute == name and ctx.plan.face(attribute) is None:
                table, low, high = ctx.plan.attribute_table(attribute)
                number = attribute_type == "number"
                return table, NUMBER if number else Type("word", attribute_type), low, high
    return None


def changing_kinds(ctx: Context, type_: Type) -> list[Kind]:
    """Return those kinds of a type of pieces that have a changing attribute, sorted by name."""
    return [kind for name in sorted(kinds_in(type_)) if (kind := ctx.edition.kinds[name]).changing]


def piece_attribute(ctx: Context, piece: Value, name: str) -> Value | None:
    """Emit the read of a piece's attribute, as an Assignable if it changes; return None, without code, if its kinds
    have no such attribute."""
    turning = [kind for kind in changing_kinds(ctx, piece.type) if kind.changing == name]
    if turning and (cell := ctx.plan.face(attribute := turning[0].changing)) is not None:
        declared = turning[0].attributes[attribute]
        note_pieces_read(ctx, frozenset(kind.name for kind in turning))
        type_ = NUMBER if declared == "number" else Type("word", declared)
        low, high = min(0, *(kind.faces[0] for kind in turning)), max(0, *(kind.faces[-1] for kind in turning))
        operand = ctx.emit.load(cell, piece.operand)
        if type_ != NUMBER and len(turning) < len(kinds_in(piece.type)):
            table, face = ctx.plan.kind_table(frozenset(kind.name for kind in turning)), operand
            operand = ctx.emit.new_variable(NONE)
            with ctx.emit.if_true(ctx.emit.look_up(table, piece.operand)):
                ctx.emit.assign(operand, face)
        return Assignable(type_, operand, low, high, False, cell, piece.operand, attribute)
    if column := attribute_table(ctx, piece.type, name):
        table, type_, low, high = column
        return Value(type_, ctx.emit.look_up(table, piece.operand), low, high, type_ != NUMBER and low < 0)
    return None


def required_attribute(ctx: Context, piece: Value, attribute: str) -> Value:
    """Like `piece_attribute`, for an attribute that the kinds are known to have."""
    value = piece_attribute(ctx, piece, attribute)
    assert value is not None
    return value


def seat_side(ctx: Context, seat: int) -> Assignable:
    """Emit the read of the word that a seat plays, which is never nothing; it can be set."""
    cell, type_ = ctx.plan.counter(ctx.edition.sides)
    return Assignable(type_, ctx.emit.load(cell, seat), cell=cell, owner=seat)


def follow_path(ctx: Context, word: Value, path: list[str]) -> Value:
    """Emit the look-up of where a path of attributes leads from a word."""
    if not path:
        return word
    words = str(word.type.detail)
    type_, values = path_type(ctx.edition, words, path), path_values(ctx.edition, words, path)
    none = 0 if type_.is_number else -1
    operand = ctx.emit.look_up(ctx.plan.add_table((*values, none)), word.operand)
    if type_.is_number:
        return Value(type_, operand, min(values), max(values))
    return Value(type_, operand, may_be_nothing=word.may_be_nothing or -1 in values)


def row_entry_index(ctx: Context, word: Value, width: int, place: int) -> int:
    """Emit the index of a word's entry in a table of rows of `width`; -1, that of the entry for nothing, if there is no
    word. place: operand of the place in the row, from 0."""
    if not word.may_be_nothing:
        return ctx.emit.evaluate("add", ctx.emit.evaluate("multiply", word.operand, constant(width)), place)
    entry = ctx.emit.new_variable(NONE)
    with ctx.emit.if_true(ctx.emit.evaluate("unequal", word.operand, NONE)):
        first = ctx.emit.evaluate("multiply", word.operand, constant(width))
        ctx.emit.assign(entry, ctx.emit.evaluate("add", first, place))
    return entry


def find_table(ctx: Context, owner: Value, name: str) -> tuple[Value, WordTable] | None:
    """Return a table that a word, piece or seat reaches by its name, with the word that owns it, whose look-up is
    emitted; None if it reaches none."""
    way = next(reachable_tables(ctx, owner.type, name), None)
    if way is None:
        return None
    _, path, table = way
    word: Value | None = owner
    if owner.type.base == "seat":
        word = seat_side(ctx, owner.operand)
    elif owner.type.base == "piece":
        attribute, *path = path
        word = piece_attribute(ctx, owner, attribute)
    return (follow_path(ctx, word, path) if path else word, table) if word else None
