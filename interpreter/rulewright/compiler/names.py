"""Names: what a word or phrase of a sentence stands for, here and now.

Looks names up: the item at hand, then local names, then the acting seat, then the game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from string import ascii_lowercase

from lark import Token, Tree

from rulewright.base.diagnostics import SourcePlace, nearest
from rulewright.base.rule_keys import RuleKey
from rulewright.compiler import amounts, attributes, marks, sides
from rulewright.compiler.context import SET, Context
from rulewright.compiler.emitter import NONE, ZERO, Emitter, constant
from rulewright.compiler.meaning import (
    NOTHING,
    SEAT,
    TRUTH,
    UNBOUNDED,
    Amounts,
    Binding,
    Group,
    ListGroup,
    Meaning,
    Scope,
    Settable,
    Value,
    Wrong,
    described,
)
from rulewright.compiler.senses import (
    ATTRIBUTE,
    BUILT_IN,
    KIND,
    LIST,
    LOCAL,
    WORD,
    Sense,
    meant,
    tell_hidden,
    tell_rival,
)
from rulewright.compiler.told import miscount
from rulewright.model.declarations import NUMBERS, CounterDeclaration, Figure, WordTable, Zone, canonical
from rulewright.program.form import ME, Type
from rulewright.syntax import sentences
from rulewright.syntax.wording import said_here

ANY_PIECE = ("card", "piece")
WRITTEN_OUT = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
BUILT_IN_SETS = ("seat", "player", "virtual player", "opponent", "partner")
ACT = "Let somebody act: put this, or the 'do' that leads here, inside 'each seat:'. Or say whose it is: ada's hand."


def me(ctx: Context, scope: Scope, where: Tree[Token] | Token | None = None) -> int:
    """The acting seat."""
    if not scope.someone:
        message = "Nobody acts here, so there is no 'you' and nothing of a seat's."
        raise ctx.wrong(where, "nobody-acts", message, of_its_side(ctx, scope) or ACT)
    if scope.me is not None:
        return scope.me
    return ctx.emit.kept(("me",), lambda: ctx.emit.load(ME))


def of_its_side(ctx: Context, scope: Scope) -> str:
    """For a figure of pieces that belong to sides, where an enemy is told by its side."""
    side, figure = ctx.edition.sides, ctx.figures.get(canonical(scope.step))
    if not side or figure is None or not ctx.edition.is_of_pieces(figure.of):
        return ""
    return f"In a figure of pieces nobody acts. Tell them by their side: '… where {side} is not {figure.of}'s {side}'."


def path(
    ctx: Context, tree: Tree[Token], scope: Scope, expect: str = "", wanted: str = "", owner_of: str = ""
) -> Meaning:
    """owner_of: what is asked for of the thing that the path leads to; '' where it is meant itself."""
    own, first, *rest = tree.children
    assert isinstance(first, Token)
    owned = [token for token in rest if isinstance(token, Token) and token.type == "NAME"]
    wanted = SET if owned else wanted
    owner_of = canonical(str(owned[0])) if owned else owner_of
    meaning = first_name(ctx, first, str(own) if own else "", scope, expect, wanted, owner_of)
    for token in owned:
        owner = ctx.sure(ctx.single(meaning, tree), tree)
        doubt = partial(partial(doubt_of, ctx), first, str(own) if own else "", scope, expect, owner_of)
        meaning = possession(ctx, owner, token, scope, doubt if token is owned[0] else str)
    return meaning


def doubt_of(ctx: Context, token: Token, own: str, scope: Scope, expect: str, owner_of: str) -> str:
    """What an owner's name could mean as well, if that is doubtful."""
    kept, ctx.doubting, ctx.doubts = (ctx.doubting, ctx.doubts), True, {}
    try:
        first_name(ctx, token, own, scope, expect, SET, owner_of)
        return next((doubt.message for doubt in ctx.doubts.values()), "")
    finally:
        ctx.doubting, ctx.doubts = kept


def first_name(
    ctx: Context, token: Token, own: str, scope: Scope, expect: str, wanted: str = "", owner_of: str = ""
) -> Meaning:
    """owner_of: what is asked for of the thing that is called so; '' where it is meant itself."""
    if own == "its":
        if scope.item is None:
            raise ctx.wrong(
                token,
                "no-item",
                "'its' speaks of the thing that 'where', 'has' or an order looks at; there is none here.",
            )
        return possession(ctx, ctx.single(scope.item, token), token, scope)
    senses = senses_of_name(ctx, token, own, scope, expect)
    if owner_of:
        senses = (replace(sense, expected=sense.expected or is_word_with(ctx, sense, owner_of)) for sense in senses)
    sense = meant(ctx, token, senses, wanted)
    if sense is not None and sense.sort == LIST and scope.item is not None and ctx.lost_kind(scope.item.type):
        raise Wrong  # it may be the item's
    if sense is None:
        raise unknown(ctx, token, scope, expect)
    if sense.sort == LOCAL:
        tell_hidden(ctx, token, scope.names[sense.name])
    return sense.mean()


def is_word_with(ctx: Context, sense: Sense, name: str) -> bool:
    """Whether a sense is a word that has something of this name."""
    return sense.sort == WORD and name in map(canonical, things_of(ctx, Type("word", sense.of)))


def senses_of_name(ctx: Context, token: Token, own: str, scope: Scope, expect: str) -> Iterator[Sense]:
    """All that a name can mean here, what counts first before the rest."""
    name = canonical(str(token))
    if own != "my":
        if name == "it" and scope.item is not None:
            item = scope.item
            yield Sense(BUILT_IN, name, lambda: item)
        if isinstance(scope.item, Value):
            yield from (sense for sense in senses_of(ctx, scope.item, name, scope) if sense.sort != KIND)
        if (made := local_name(ctx, token, scope)) is not None:
            yield Sense(
                LOCAL,
                made,
                scope.names[made],
                of=what_of(ctx, made, scope) if name in ctx.lists or name in ctx.kinds else "",
            )
        yield from word_senses(ctx, name, [expect] if expect else [], True)
    if scope.someone:
        mine = of_seat(ctx, name, lambda: me(ctx, scope, token), scope)
        yield from (sense for sense in mine if own == "my" or not said_with_my(ctx, sense))
    if own != "my":
        yield from belongings(ctx, "", name, lambda: None, scope)
        for option in ctx.edition.options.values():
            if canonical(option.name) == name and option.choices == ("no", "yes"):
                yield Sense(
                    "option", option.name, partial(partial(chosen_or_not, ctx), option.name), option.place, TRUTH.base
                )
        yield from everywhere(ctx, token, scope, expect)


def said_with_my(ctx: Context, sense: Sense) -> bool:
    """Whether something of the acting seat is told from all there are only by 'my': its side, its pieces."""
    return sense.sort == KIND or (sense.sort == "counter" and sense.of != "")


def local(ctx: Context, token: Token, scope: Scope) -> Binding | None:
    """What is called so here."""
    made = local_name(ctx, token, scope)
    return None if made is None else scope.names[made]


def local_name(ctx: Context, token: Token, scope: Scope) -> str | None:
    """The name made here that is meant. Where `town` is one of the towns, `towns` are still all of them."""
    written, name = " ".join(str(token).split()), canonical(str(token))
    if written in scope.names:
        return written
    made = next((made for made in reversed(scope.names) if canonical(made) == name), None)
    things = ctx.lists.get(name) or ctx.kinds.get(name)
    one = name if name in BUILT_IN_SETS else things.name if things is not None else written
    return made if written in (name, one) else None


def what_of(ctx: Context, made: str, scope: Scope) -> str:
    """The word list of what a name made here stands for, if it is a word; the kind, if it is a piece of one."""
    outer, sights, ctx.emit = ctx.emit, set(ctx.sights), Emitter(parameters=1)
    try:
        type_ = scope.names[made]().type
    except Wrong:
        return made
    finally:
        ctx.emit, ctx.sights = outer, sights
    if type_.base == "piece" and len(kinds := ctx.kinds_in(type_)) == 1:
        return min(kinds)
    return str(type_.detail) if type_.base == "word" else type_.base


def possession(ctx: Context, owner: Value, token: Token, scope: Scope, doubt: Callable[[], str] = str) -> Meaning:
    """What a name means with an owner: crown's owner, dealer's row, trump's colour. doubt: tells what the owner's
    name could mean as well."""
    sense = meant(ctx, token, senses_of(ctx, owner, canonical(str(token)), scope))
    if sense is None:
        raise has_no(ctx, owner, token, doubt())
    return sense.mean()


def has_no(ctx: Context, owner: Value, token: Token, doubt: str = "") -> Wrong:
    """There is no such thing of this owner; or it is a table, and not told for what."""
    if ctx.lost(token) or ctx.lost_kind(owner.type):
        return Wrong()
    name = canonical(str(token))
    if (found := attributes.table_of(ctx, owner, name)) is not None:
        by = "a number" if found[1].by == "number" else described(Type("word", found[1].by))
        return ctx.wrong(token, "argument-missing", f"'{token}' is a table: say '{token} for' and {by}.")
    hint = nearest(str(token), things_of(ctx, owner.type))
    declared = declaration(ctx, name)
    if declared is not None and declared.of not in ("", owner_name(ctx, owner.type)):
        hint = f"Every {declared.of} has one of its own."
    message = f"{described(owner.type).capitalize()} has no '{token}'."
    hint = hint or (of_no_side(ctx, name) if owner.type.base == "seat" else "")
    return ctx.wrong(token, "unknown-name", message, doubt or hint)


def declaration(ctx: Context, name: str) -> Figure | Zone | CounterDeclaration | None:
    return ctx.figures.get(name) or ctx.zones.get(name) or ctx.counters.get(name)


def senses_of(ctx: Context, owner: Value, name: str, scope: Scope) -> Iterator[Sense]:
    """All that a name can mean with an owner."""
    if owner.type.base == "seat":
        yield from of_seat(ctx, name, lambda: owner.operand, scope)
    elif owner.type.base == "piece":
        yield from piece_senses(ctx, owner, name)
        yield from marks.senses(ctx, owner, name, scope)
    elif owner.type.base == "word":
        words = str(owner.type.detail)
        yield from belongings(ctx, words, name, lambda: owner.operand, scope)
        yield from attribute_senses(ctx, words, name, lambda path: attributes.word_along(ctx, owner, path))


def of_seat(ctx: Context, name: str, seat: Callable[[], int], scope: Scope) -> Iterator[Sense]:
    """What a seat has itself, what the word that it plays has, and the pieces of its side."""
    yield from belongings(ctx, SEAT.base, name, seat, scope)
    if ctx.edition.sides:
        yield from attribute_senses(
            ctx, ctx.edition.sides, name, lambda path: attributes.word_along(ctx, attributes.side_of(ctx, seat()), path)
        )
        if kinds := kinds_of_sides(ctx, name):
            kind = ctx.kinds.get(name)
            called, place = (kind.name, kind.place) if kind else (name, None)
            own = partial(partial(own_pieces, ctx), kinds, seat)
            yield Sense(KIND, called, own, place, "piece", called)


def own_pieces(ctx: Context, kinds: frozenset[str], seat: Callable[[], int]) -> Group:
    return sides.pieces_of(ctx, kinds, attributes.side_of(ctx, seat()))


def kinds_of_sides(ctx: Context, name: str) -> frozenset[str]:
    """The kinds that a name means behind a seat: those of them whose pieces belong to sides."""
    if name in ctx.kinds:
        return frozenset([ctx.kinds[name].name]) & frozenset(sides.sided(ctx.edition))
    return frozenset(sides.sided(ctx.edition)) if name in ANY_PIECE else frozenset()


def pieces_of_sides(ctx: Context, token: Token, seats: Group, scope: Scope) -> Group | None:
    """cards of opponents: the pieces of the sides that some seats play; None where the name means something else."""
    name, one = canonical(str(token)), Value(SEAT, NONE)
    if seats.type.base != "seat" or not (kinds := kinds_of_sides(ctx, name)):
        return None
    sense = meant(ctx, token, senses_of(ctx, one, name, scope))
    if sense is None or sense.sort != KIND:
        return None
    return sides.pieces_of(ctx, kinds, sides.sides_of(ctx, seats))


def piece_senses(ctx: Context, piece: Value, name: str) -> Iterator[Sense]:
    """What a piece has itself, else what its words have; then where it lies."""
    held = attributes.held_by(ctx.edition, ctx.kinds_in(piece.type))
    own = [attribute for attribute in held if canonical(attribute) == name]
    for attribute in own:
        mean = partial(attributes.attribute_of, ctx, piece, attribute)
        kind_ = held[attribute]
        yield attribute_sense(ctx, attribute, kind_.place, kind_.attributes[attribute], mean, f"a {kind_.name}")
    for attribute, kind_ in held.items():
        if (words := kind_.attributes[attribute]) != "number":
            yield from attribute_senses(
                ctx, words, name, partial(partial(behind_attribute, ctx), piece, attribute), attribute
            )
    if (of := owners(ctx, name)) is not None:
        list_ = str(of.detail) if of.base == "word" else name
        yield Sense(ATTRIBUTE, list_, partial(partial(lying_at, ctx), piece, of), None, of.base, list_)


def behind_attribute(ctx: Context, piece: Value, attribute: str, path: list[str]) -> Value:
    return attributes.word_along(ctx, attributes.attribute_of(ctx, piece, attribute), path)


def attribute_senses(
    ctx: Context, words: str, name: str, along: Callable[[list[str]], Value], behind: str = ""
) -> Iterator[Sense]:
    """What the words of a list have, or the words that they have, the nearest first. behind: an attribute of pieces
    that holds these words."""
    for list_, path in attributes.lists_behind(ctx.edition, words):
        for attribute, of in list_.attributes.items():
            if canonical(attribute) == name:
                mean = partial(along, [*path, attribute])
                sense = attribute_sense(ctx, attribute, list_.places[attribute], of, mean, f"'{list_.name}'")
                yield replace(sense, behind="|".join([behind, *path]))
        for table_name, table in list_.tables.items():
            if canonical(table_name) == name and amounts.is_amounts(table):
                row = partial(partial(row_of, ctx), along, path, table)
                place = list_.places[table_name]
                way = "|".join([behind, *path])
                yield Sense(ATTRIBUTE, table_name, row, place, "amount", whose=f"'{list_.name}'", behind=way)


def row_of(ctx: Context, along: Callable[[list[str]], Value], path: list[str], table: WordTable) -> Amounts:
    """What a table has for each word of the list by which it goes."""
    return amounts.of_table(ctx, along(path), table)


def called(ctx: Context, token: Token, type_: Type, scope: Scope) -> str:
    """What a sentence means by the name of something that things of a type have, as it is declared."""
    thing = Value(replace(type_, many=False), NONE)
    sense = meant(ctx, token, senses_of(ctx, thing, canonical(str(token)), scope))
    return canonical(str(token)) if sense is None else sense.name


def attribute_sense(ctx: Context, name: str, place: SourcePlace, of: str, mean: Binding, whose: str) -> Sense:
    number = of in NUMBERS
    return Sense(ATTRIBUTE, name, mean, place, "number" if number else "word", "" if number else of, whose=whose)


def lying_at(ctx: Context, piece: Value, of: Type) -> Value:
    """Whose the zone is in which a piece lies."""
    ctx.look_for(ctx.kinds_in(piece.type), owner_name(ctx, of))
    address = ctx.emit.load(ctx.plan.at, piece.operand)
    return Value(of, ctx.emit.look_up(ctx.plan.owner_table(owner_name(ctx, of)), address), maybe=True)


def owners(ctx: Context, name: str) -> Type | None:
    """What the zones belong to whose `name` a piece can be asked for: its owner, its space."""
    if name == "owner":
        return SEAT
    words = ctx.lists.get(name)
    if words is None or not any(zone.of == words.name for zone in ctx.edition.zones.values()):
        return None
    return Type("word", words.name)


def owner_name(ctx: Context, type_: Type) -> str:
    """As `of` has it: SEAT or the name of a word list."""
    return str(type_.detail) if type_.base == "word" else SEAT.base


def tell_tables(ctx: Context, token: Token, type_: Type) -> None:
    """Which table is meant, where several ways lead to one."""
    senses = [
        Sense("table", str(token), lambda: Value(type_, NONE), list_.place, whose=f"'{list_.name}'", behind=way)
        for list_, path, _ in attributes.tables_behind(ctx, type_, canonical(str(token)))
        if (way := "|".join(path))
    ]
    if len(senses) > 1:
        tell_rival(ctx, token, senses[0], senses[1:], "")


def belongings(ctx: Context, of: str, name: str, owner: Callable[[], int | None], scope: Scope) -> Iterator[Sense]:
    """What belongs to a seat, to a word of a list or (of: '') to the game, by its name."""
    zone, figure, counter = ctx.zones.get(name), ctx.figures.get(name), ctx.counters.get(name)
    if zone is not None and zone.of == of:
        place = zone.name
        yield Sense("zone", place, lambda: ctx.zone(place, owner()), zone.place, "piece")
    if figure is not None and figure.of == of and not figure.parameters:
        sort = "value" if figure.is_value else "term"
        yield Sense(sort, figure.name, lambda: ctx.figure(figure, owner(), [], scope), figure.place)
    if counter is not None and counter.of == of and counter.by:
        if counter.holds == "number":
            told = partial(partial(amounts_of, ctx), counter, owner)
            yield Sense("counter", counter.name, told, counter.place, "amount")
    elif counter is not None and counter.of == of:
        _, type_ = ctx.plan.counter(counter.name)
        base = "number" if type_.counts else type_.base
        index: Binding = partial(partial(list_at if counter.most else counter_of, ctx), name, owner)
        yield Sense("counter", counter.name, index, counter.place, base, counter.holds if counter.side else "")


def amounts_of(ctx: Context, counter: CounterDeclaration, owner: Callable[[], int | None]) -> Amounts:
    return amounts.of_counter(ctx, counter, owner())


def list_at(ctx: Context, name: str, owner: Callable[[], int | None]) -> ListGroup:
    """What a kept list holds."""
    place, most = owner(), ctx.counters[name].most
    cell, type_ = ctx.plan.counter(ctx.counters[name].name)
    index = ZERO if place is None else place

    def make() -> int:
        vector = ctx.emit.vector()
        ctx.emit.op("read", vector, cell, index)
        return vector

    group = ctx.listed(type_, most, make)
    return ListGroup(group.type, most, group.walk, make, cell=cell, index=index)


def counter_of(ctx: Context, name: str, owner: Callable[[], int | None]) -> Settable:
    index = owner()
    return counter(ctx, name, ZERO if index is None else index)


def counter(ctx: Context, name: str, index: int) -> Settable:
    counter = ctx.counters[name]
    if counter.side:
        return attributes.side_of(ctx, index)
    cell, type_ = ctx.plan.counter(counter.name)
    low, high = (0, 1) if type_ == TRUTH else (-UNBOUNDED, UNBOUNDED)
    return Settable(type_, ctx.emit.load(cell, index), low, high, type_.base in ("seat", "word"), cell, index)


def everywhere(ctx: Context, token: Token, scope: Scope, expect: str) -> Iterator[Sense]:
    """What a name can mean wherever it stands: what the language knows, kinds, lists, words."""
    name, written = canonical(str(token)), " ".join(str(token).split())
    known = (name in BUILT_IN_SETS and (name != "partner" or ctx.edition.sides)) or name in ("you", "nobody", "nothing")
    if known or (name in ANY_PIECE and name not in ctx.kinds):
        base = "nothing" if name in ("nobody", "nothing") else "piece" if name in ANY_PIECE else SEAT.base
        yield Sense(BUILT_IN, written, lambda: builtin(ctx, name, scope, token), None, base)
    if (kind := ctx.kinds.get(name)) is not None:
        called = kind.name if canonical(kind.name) == name else written
        yield Sense(KIND, called, partial(partial(pieces, ctx), frozenset([kind.name])), kind.place, "piece", kind.name)
    if (words := ctx.lists.get(name)) is not None:
        type_, every = Type("word", words.name), tuple(range(len(words.words)))
        yield Sense(LIST, words.name, partial(ctx.fixed, type_, every), words.place, "word", words.name)
    homes = [words for words, numbers in ctx.words.items() if name in numbers]
    if len(homes) > 1:
        yield Sense(WORD, written, partial(partial(ambiguous, ctx), token, homes), None, "word", homes[0])
    else:
        yield from word_senses(ctx, name, homes)


def word_senses(ctx: Context, name: str, lists: list[str], expected: bool = False) -> Iterator[Sense]:
    for words in lists:
        for index, word in enumerate(ctx.edition.words[words].words):
            if canonical(word.name) == name:
                value = Value(Type("word", words), constant(index))
                place = ctx.edition.words[words].place
                yield Sense(WORD, word.name, partial(partial(as_it_is, ctx), value), place, "word", words, expected)


def as_it_is(ctx: Context, value: Value) -> Value:
    return value


def ambiguous(ctx: Context, token: Token, homes: list[str]) -> Meaning:
    """A word of several lists, where none is expected."""
    raise ctx.wrong(
        token,
        "ambiguous-word",
        f"'{token}' is a word of {' and of '.join(homes)}; I cannot tell which is meant.",
    )


def builtin(ctx: Context, name: str, scope: Scope, token: Token) -> Meaning:
    if name in ("you", "seat") and str(token) != "seats":
        return Value(SEAT, me(ctx, scope, token))
    if name == "seat":
        return ctx.fixed(SEAT, tuple(range(ctx.plan.seats)))
    if name in ("player", "virtual player"):
        virtual = name != "player"
        everyone = ctx.fixed(SEAT, tuple(range(ctx.plan.seats)))
        if setting := ctx.plan.setting:
            found = (seat for seat, role in enumerate(setting.roles) if (role >= 0) == virtual)
            return ctx.fixed(SEAT, tuple(found))
        return ctx.filtered(everyone, lambda seat: is_virtual(ctx, seat, virtual))
    if name == "opponent":
        return sides.opponents(ctx, me(ctx, scope, token))
    if name == "partner":
        return sides.partners(ctx, me(ctx, scope, token))
    if name in ("nobody", "nothing"):
        return Value(NOTHING, NONE, maybe=True)
    return pieces(ctx, frozenset(ctx.edition.kinds))


def everyone(ctx: Context, tree: Tree[Token] | Token, scope: Scope) -> Group | None:
    """Where a set is expected, `seat` means all of them, as in `each seat`; elsewhere the acting one."""
    if isinstance(tree, Tree) and tree.data == "path" and tree.children[0] is None:
        names = [name for name in tree.children[1:] if isinstance(name, Token)]
        if len(names) == 1 and canonical(str(names[0])) == "seat" and local(ctx, names[0], scope) is None:
            found = ctx.fixed(SEAT, tuple(range(ctx.plan.seats)))
            all_of_them = Sense(BUILT_IN, str(names[0]), lambda: found, None, SEAT.base)
            tell_rival(ctx, names[0], all_of_them, senses_of_name(ctx, names[0], "", scope, ""), SET)
            return found
    return None


def chosen_or_not(ctx: Context, option: str) -> Value:
    return Value(TRUTH, choice(ctx, option), 0, 1)


def choice(ctx: Context, option: str) -> int:
    """The index of what is chosen for an option."""
    if setting := ctx.plan.setting:
        return constant(setting.options[list(ctx.edition.options).index(option)])
    return ctx.emit.load(ctx.plan.option(option))


def is_virtual(ctx: Context, seat: int, virtual: bool) -> int:
    role = ctx.emit.load(ctx.plan.role, seat)
    return ctx.emit.value("unequal" if virtual else "equal", role, NONE)


def pieces(ctx: Context, kinds: frozenset[str]) -> Group:
    return ctx.fixed(Type("piece", kinds), ctx.plan.stock.pieces(kinds))


def word(ctx: Context, name: str, word_list: str) -> Value | None:
    number = ctx.words[word_list].get(name)
    return None if number is None else Value(Type("word", word_list), constant(number))


def of_rule(ctx: Context, rule: RuleKey) -> Value | None:
    """The word that a rule is about, if it is about one."""
    return word(ctx, canonical(rule.name), rule.words) if rule.words else None


def things_of(ctx: Context, type_: Type) -> list[str]:
    """The names that mean something with such an owner."""
    of = owner_name(ctx, type_)
    named = (ctx.edition.zones, ctx.edition.figures, ctx.edition.counters)
    own = [name for table in named for name, thing in table.items() if thing.of == of]
    if type_.base == "seat":
        return [*own, *(attributes_behind(ctx, ctx.edition.sides) if ctx.edition.sides else ())]
    if type_.base == "piece":
        kinds = [ctx.edition.kinds[kind] for kind in ctx.kinds_in(type_)]
        lists = {type_name for kind in kinds for type_name in kind.attributes.values() if type_name != "number"}
        return [
            *(one.name for one in ctx.edition.figures.values() if ctx.kinds_with(one) & ctx.kinds_in(type_)),
            *(counter.name for counter in ctx.edition.counters.values() if ctx.kinds_in(type_) & counter.marks.keys()),
            "owner",
            *(name for name in ctx.edition.words if owners(ctx, canonical(name))),
            *(a for kind in kinds for a in kind.attributes),
            *(name for words in sorted(lists) for name in attributes_behind(ctx, words)),
        ]
    if type_.base == "word":
        return [*own, *attributes_behind(ctx, str(type_.detail))]
    return []


def attributes_behind(ctx: Context, words: str) -> Iterator[str]:
    """What the words of a list have, and the words that they have."""
    for list_, _ in attributes.lists_behind(ctx.edition, words):
        yield from (*list_.attributes, *list_.tables)


def names(ctx: Context, scope: Scope) -> list[str]:
    """Every name that means something here."""
    edition = ctx.edition
    tables = (
        edition.zones,
        edition.figures,
        edition.counters,
        edition.options,
        edition.kinds,
        edition.words,
    )
    found = [name for table in tables for name in table]
    found += [word.name for words in edition.words.values() for word in words.words]
    found += ["seats", "players", "virtual players", "opponents", "you", "nobody", *scope.names]
    found += ["partners", *attributes_behind(ctx, edition.sides)] if edition.sides else []
    return found + (things_of(ctx, scope.item.type) if scope.item else [])


_ACTING = "Whoever acts is 'you', and what they have is 'my …'."


def unknown(ctx: Context, token: Token, scope: Scope, expect: str = "") -> Wrong:
    if ctx.lost(token) or (scope.item is not None and ctx.lost_kind(scope.item.type)):
        return Wrong()
    text, known_names = str(token), names(ctx, scope)
    figure = ctx.figures.get(canonical(text))
    if figure is not None and figure.parameters:
        return ctx.wrong(token, "argument-missing", f"'{text}' {miscount(figure.parameters, None, f'{text} for')}.")
    declared = declaration(ctx, canonical(text))
    if isinstance(declared, CounterDeclaration) and declared.by:
        return untold(ctx, token, declared)
    if declared is not None and declared.of == SEAT.base:
        return ctx.wrong(token, "nobody-acts", f"'{text}' belongs to a seat, and nobody acts here.", ACT)
    if declared is not None and not declared.of:
        return ctx.wrong(token, "unknown-name", f"'{text}' belongs to the game: leave out 'my'.")
    if declared is not None and ctx.edition.is_of_pieces(declared.of):
        message = f"Every {declared.of} has its own '{text}', so say whose: as in mover's {text}, or its {text}."
        return ctx.wrong(token, "whose", message, "'choose', 'let' and 'each … as' give a piece a name.")
    if declared is not None:
        return whose(ctx, token, declared.of, hint=named_owner(ctx, token, scope))
    if isinstance(scope.item, Value) and attributes.table_of(ctx, scope.item, canonical(text)) is not None:
        return has_no(ctx, scope.item, token)
    hint = _ACTING if text in ("me", "i", "myself") else ""
    hint = hint or off_the_map(ctx, text) or of_no_side(ctx, canonical(text)) or named_owner(ctx, token, scope)
    hint = (
        hint
        or said_otherwise(ctx, token)
        or ctx.edition.missing(text, known_names)
        or keyword_hint(ctx, text, known_names)
    )
    if not hint and expect:
        hint = f"Words of '{expect}': {', '.join(word.name for word in ctx.edition.words[expect].words)}."
    return ctx.wrong(token, "unknown-name", f"Nothing here is called '{text}'.", hint)


def named_owner(ctx: Context, token: Token, scope: Scope) -> str:
    """For what a thing has that has a name here, the last that was made."""
    for name, named in reversed([*scope.outer.items(), *scope.names.items()]):
        with suppress(Wrong), ctx.emit.unwritten():
            if name != "it" and canonical(str(token)) in map(canonical, things_of(ctx, named().type)):
                return f"Say whose it is: {name}'s {token}."
    return ""


def said_otherwise(ctx: Context, token: Token) -> str:
    """For what is said in other words here: numbers, spaces, and what other languages and games say."""
    first = str(token).split()[0]
    if first in WRITTEN_OUT:
        return f"Write numbers as digits: {WRITTEN_OUT.index(first) + 2}."
    if step := next((name for name in ctx.edition.steps if canonical(name) == canonical(str(token))), ""):
        return f"'{step}' is a step: 'do {step}' does it, and 'do {step} as …' makes a name for what it gives."
    if canonical(first) == "space" and ctx.edition.boards:
        called = (f"'{board.spaces}' on '{board.name}'" for board in ctx.edition.boards.values())
        return f"The spaces are called {', '.join(called)}."
    return said_here(ctx.scalar.text, token.start_pos or 0)


def of_no_side(ctx: Context, name: str) -> str:
    """For what only sides have."""
    if name == "partner" and ctx.edition.sides:
        return "Say 'partners': they are always those of whoever acts."
    if name == "partner":
        return "Partners are the seats of one side: say with 'sides' what each seat plays."
    if name not in ctx.kinds or kinds_of_sides(ctx, name):
        return ""
    if ctx.edition.sides:
        return f"A {ctx.kinds[name].name} has no word of '{ctx.edition.sides}', so it is on no side."
    return "Say where they lie, as in 'cards in my hand'; pieces are somebody's own where there are 'sides'."


def untold(ctx: Context, token: Token, counter: CounterDeclaration) -> Wrong:
    """A counter that is told for words, and holds no numbers, so that it is nothing as a whole."""
    message = f"'{token}' needs to be told for which {counter.by}: '{token} for …'."
    return ctx.wrong(token, "argument-missing", message)


def whose(ctx: Context, token: Token, words: str, told: str = "", hint: str = "") -> Wrong:
    """What belongs to each word of a list is named without its owner."""
    example = next((word.name for word in ctx.edition.words[words].words), words)
    message = f"Every {words} has its own '{token}', so say whose: {example}'s {token}{told}."
    return ctx.wrong(token, "whose", message, hint)


def off_the_map(ctx: Context, text: str) -> str:
    """For names such as b9, where a map has no space."""
    maps = [board for board in ctx.edition.boards.values() if board.positions]
    if not maps or not re.fullmatch(r"[a-z]\d+", text):
        return ""
    sizes = [
        f"'{board.name}' has the columns a to {ascii_lowercase[max(column for column, _ in board.positions)]} "
        f"and the rows 1 to {1 + max(row for _, row in board.positions)}"
        for board in maps
    ]
    return f"No map has such a space: {'; '.join(sizes)}."


def keyword_hint(ctx: Context, text: str, known_names: list[str]) -> str:
    """For names that swallowed a misspelt keyword, such as 'any seat have waiting'."""
    known_canonical = {canonical(name) for name in known_names}
    words = text.split()
    for size in range(len(words) - 1, 0, -1):
        for start in range(len(words) - size + 1):
            inside = " ".join(words[start : start + size])
            if canonical(inside) in known_canonical:
                odd = [*words[:start], *words[start + size :]]
                close = nearest(odd[0], sentences.words())
                return f"'{inside}' is known, so what is '{odd[0]}'? {close}".strip()
    return ""
