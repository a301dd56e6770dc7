"""Attributes: what pieces, words and the sides of seats have themselves, and what the words that they have lead to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulewright.compiler.context import Context
from rulewright.compiler.emitter import NONE, constant
from rulewright.compiler.typed_values import NUMBER, Settable, Value
from rulewright.model.declarations import NUMBERS, Edition, Kind, WordList, WordTable, canonical
from rulewright.program.form import Type


def attributes_of_kinds(edition: Edition, kinds: frozenset[str]) -> dict[str, Kind]:
    """The attributes of pieces of some kinds, with a kind that has each: first what most of them have."""
    having: dict[str, list[Kind]] = {}
    for kind in edition.kinds.values():
        for attribute in kind.attributes if kind.name in kinds else ():
            having.setdefault(attribute, []).append(kind)
    most_first = sorted(having, key=lambda attribute: -len(having[attribute]))
    return {attribute: having[attribute][0] for attribute in most_first}


def reachable_lists(edition: Edition, words: str) -> Iterator[tuple[WordList, list[str]]]:
    """A word list, those of its words' attributes, and so on, the nearest first; with the attributes that lead
    there. A list to which two ways lead comes twice, so that the second can be told."""
    todo: list[tuple[str, list[str], frozenset[str]]] = [(words, [], frozenset([words]))]
    times = Counter([words])
    while todo:
        here, path, passed = todo.pop(0)
        yield edition.words[here], path
        for attribute, type_ in edition.words[here].attributes.items():
            if type_ not in NUMBERS and type_ not in passed and times[type_] < 2:
                times[type_] += 1
                todo.append((type_, [*path, attribute], passed | {type_}))


def attribute_path(edition: Edition, words: str, name: str) -> list[str]:
    """The attributes that lead from a word to one called `name`: its own, or one of a word that it has."""
    for list_, path in reachable_lists(edition, words):
        for attribute in list_.attributes:
            if attribute == name:
                return [*path, attribute]
    return []


def path_type(edition: Edition, words: str, path: list[str]) -> Type:
    """What the attributes of a path lead to."""
    for attribute in path:
        words = edition.words[words].attributes[attribute]
    return type_named(words)


def type_named(holds: str) -> Type:
    """Of what an attribute or a table holds, as declarations have it."""
    return Type(holds) if holds in NUMBERS else Type("word", holds)


def path_values(edition: Edition, words: str, path: list[str]) -> tuple[int, ...]:
    """What the attributes of a path lead to from every word of a list; where they do not, 0 or no word."""
    values, here = list(range(len(edition.words[words].words))), words
    for attribute in path:
        entries = edition.words[here].words
        here = edition.words[here].attributes[attribute]
        none = 0 if here in NUMBERS else -1
        values = [entries[value].attributes.get(attribute, none) if value >= 0 else none for value in values]
    return tuple(values)


def reachable_tables(ctx: Context, type_: Type, name: str) -> Iterator[tuple[WordList, list[str], WordTable]]:
    """The tables of a name that things of a type have, the nearest first: whose, by which attributes, and each."""
    starts: list[tuple[str, list[str]]] = []
    if type_.base == "word":
        starts = [(str(type_.detail), [])]
    elif type_.base == "seat" and ctx.edition.sides:
        starts = [(ctx.edition.sides, [])]
    elif type_.base == "piece":
        held = attributes_of_kinds(ctx.edition, ctx.kinds_in(type_))
        starts = [(kind.attributes[attribute], [attribute]) for attribute, kind in held.items()]
    for words, first in starts:
        for list_, path in reachable_lists(ctx.edition, words) if words not in NUMBERS else ():
            for table_name, table in list_.tables.items():
                if canonical(table_name) == name:
                    yield list_, [*first, *path], table


def attribute_table(ctx: Context, type_: Type, name: str) -> tuple[int, Type, int, int] | None:
    """Where an attribute of pieces is looked up: table, type, least and greatest; None if in no table."""
    for kind in sorted(ctx.kinds_in(type_)):
        for attribute, attribute_type in ctx.edition.kinds[kind].attributes.items():
            if attribute == name and ctx.plan.face(attribute) is None:
                table, low, high = ctx.plan.attribute_table(attribute)
                number = attribute_type == "number"
                return table, NUMBER if number else Type("word", attribute_type), low, high
    return None


def changing_kinds(ctx: Context, type_: Type) -> list[Kind]:
    """The kinds that have an attribute that changes."""
    return [kind for name in sorted(ctx.kinds_in(type_)) if (kind := ctx.edition.kinds[name]).changing]


def piece_attribute(ctx: Context, piece: Value, name: str) -> Value | None:
    """What a piece has under a name, one that can be set if it changes; None if its kinds have no such attribute."""
    turning = [kind for kind in changing_kinds(ctx, piece.type) if kind.changing == name]
    if turning and (cell := ctx.plan.face(attribute := turning[0].changing)) is not None:
        held = turning[0].attributes[attribute]
        ctx.note_pieces_read(frozenset(kind.name for kind in turning))
        type_ = NUMBER if held == "number" else Type("word", held)
        low, high = min(0, *(kind.faces[0] for kind in turning)), max(0, *(kind.faces[-1] for kind in turning))
        showing = ctx.emit.load(cell, piece.operand)
        if type_ != NUMBER and len(turning) < len(ctx.kinds_in(piece.type)):
            table, face = ctx.plan.kind_table(frozenset(kind.name for kind in turning)), showing
            showing = ctx.emit.variable(NONE)
            with ctx.emit.when(ctx.emit.look_up(table, piece.operand)):
                ctx.emit.assign(showing, face)
        return Settable(type_, showing, low, high, False, cell, piece.operand, attribute)
    if found := attribute_table(ctx, piece.type, name):
        table, type_, low, high = found
        return Value(type_, ctx.emit.look_up(table, piece.operand), low, high, type_ != NUMBER and low < 0)
    return None


def required_attribute(ctx: Context, piece: Value, attribute: str) -> Value:
    """The same of an attribute that its kinds have."""
    found = piece_attribute(ctx, piece, attribute)
    assert found is not None
    return found


def seat_side(ctx: Context, seat: int) -> Settable:
    """The word that a seat plays. It is never nothing."""
    cell, type_ = ctx.plan.counter(ctx.edition.sides)
    return Settable(type_, ctx.emit.load(cell, seat), cell=cell, index=seat)


def follow_path(ctx: Context, word: Value, path: list[str]) -> Value:
    """What the attributes of a path lead to from a word."""
    if not path:
        return word
    words = str(word.type.detail)
    type_, values = path_type(ctx.edition, words, path), path_values(ctx.edition, words, path)
    none = 0 if type_.counts else -1
    operand = ctx.emit.look_up(ctx.plan.table((*values, none)), word.operand)
    if type_.counts:
        return Value(type_, operand, min(values), max(values))
    return Value(type_, operand, maybe=word.maybe or -1 in values)


def row_entry_index(ctx: Context, word: Value, width: int, place: int) -> int:
    """Where a table of rows has the entry of a word at a place; -1, as for all that have no such table, for nothing."""
    if not word.maybe:
        return ctx.emit.value("add", ctx.emit.value("multiply", word.operand, constant(width)), place)
    entry = ctx.emit.variable(NONE)
    with ctx.emit.when(ctx.emit.value("unequal", word.operand, NONE)):
        first = ctx.emit.value("multiply", word.operand, constant(width))
        ctx.emit.assign(entry, ctx.emit.value("add", first, place))
    return entry


def find_table(ctx: Context, owner: Value, name: str) -> tuple[Value, WordTable] | None:
    """A table of a word, of a word that it has, or of a word of a piece or a seat; with the word whose table it is."""
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
