"""Effects: pieces moved, counters changed, names given."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import nearest
from rulewright.compiler import amounts, attributes, cell_access, figures, stored_lists
from rulewright.compiler.context import Context
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.registry import StatementParts, compiles, meaning_of
from rulewright.compiler.set_operations import (
    any_member,
    as_group,
    copy_vector,
    group_from_vector,
    restrict_to_kinds,
    size_of,
    vector_of,
)
from rulewright.compiler.type_checks import as_fraction, require_present, require_type, single_value
from rulewright.compiler.typed_expressions import compile_group, compile_number, compile_value, meaning_of_text
from rulewright.compiler.typed_values import (
    ANYTHING,
    COUNTER,
    FRACTION,
    NUMBER,
    TRUTH,
    Amounts,
    Group,
    ListGroup,
    Meaning,
    ReportedError,
    Scope,
    Settable,
    Value,
    ZoneGroup,
    describe,
    fits,
    kinds_in,
)
from rulewright.compiler.zone_access import zone_group
from rulewright.model.declarations import CounterDeclaration, Figure, Kind, OptionDeclaration, Zone, canonical
from rulewright.program.form import Type
from rulewright.syntax.nouns import an
from rulewright.syntax.tree import (
    Add,
    AddToBeginning,
    AddToEnd,
    Assign,
    EndGame,
    Expression,
    Fill,
    Let,
    Move,
    Name,
    Node,
    Path,
    PossessionOf,
    Roll,
    Show,
    Shuffle,
    SomeOf,
    Swap,
    Take,
    TakeOut,
    Target,
)


@compiles(Move)
def compile_move(ctx: Context, statement: Move, scope: Scope, parts: StatementParts) -> None:
    pieces = statement.pieces
    place, bottom = target_of(ctx, statement.target, scope)
    draw = draw_source(ctx, pieces, scope)
    if draw is not None:
        amount, pile = draw
        require_all_held(ctx, pile, place, pieces)
        emit_draw(ctx, pile, place, amount.operand, bottom)
        return
    by_position = is_by_position(ctx, pieces, scope)
    meaning = meaning_of(ctx, pieces, scope)
    group = as_group(ctx, meaning)
    require_held(ctx, group, place, pieces)
    if isinstance(meaning, Value) and room_in(ctx, place) is None and not ctx.edition.memory:
        with ctx.emit.if_true(ctx.emit.value("unequal", meaning.operand, NONE)):
            ctx.emit.op("move", meaning.operand, place.address, bottom)
    else:
        emit_move(ctx, group, place, bottom, by_position)


def is_by_position(ctx: Context, expression: Expression, scope: Scope) -> bool:
    """Whether pieces are identified by their positions in a zone, as in `first 2 of deck`, or are its whole
    contents."""
    if not ctx.edition.memory:
        return False
    source = expression.things if isinstance(expression, SomeOf) else expression
    return isinstance(source, Path) and isinstance(meaning_of(ctx, source, scope), ZoneGroup)


def draw_source(ctx: Context, expression: Expression, scope: Scope) -> tuple[Value, ZoneGroup] | None:
    """Return number and pile of `top N of PILE`, so that an empty pile can be refilled; else None."""
    match expression:
        case SomeOf(end="top", amount=amount, things=Path() as source):
            pile = meaning_of(ctx, source, scope)
            return (compile_number(ctx, amount, scope), pile) if isinstance(pile, ZoneGroup) else None
    return None


def target_of(ctx: Context, target: Target, scope: Scope) -> tuple[ZoneGroup, int]:
    """Return the zone that something goes to, and ONE if to its bottom."""
    return require_zone(ctx, target.zone, scope), ONE if target.at_bottom else ZERO


def require_zone(ctx: Context, expression: Expression, scope: Scope) -> ZoneGroup:
    """Return the zone that an expression means. Raises ReportedError."""
    place = meaning_of(ctx, expression, scope, "", "piece")
    if not isinstance(place, ZoneGroup):
        hint = nearest(
            expression.names[-1].text if isinstance(expression, Path | PossessionOf) else "", ctx.edition.zones
        )
        raise ctx.error(expression, "type", f"Expected a zone here; this is {describe(place.type)}.", hint)
    return place


def require_held(ctx: Context, group: Group, place: ZoneGroup, expression: Expression) -> None:
    """Raise ReportedError if a zone never holds such pieces."""
    if group.type.base == "nothing":
        return
    if group.type.base == "piece" and (ctx.may_be_lost_kind(group.type) or ctx.may_be_lost_kind(place.type)):
        raise ReportedError
    if not fits(group.type, place.type) or not (kinds_in(group.type) & kinds_in(place.type)):
        name = place.zone.name if place.zone else ""
        raise ctx.error(
            expression,
            "zone-does-not-hold",
            f"'{name}' holds {describe(place.type)}; this is {describe(group.type)}.",
            "Name the kind in the zone's 'holds', or move it elsewhere.",
        )


def require_all_held(ctx: Context, pile: ZoneGroup, place: ZoneGroup, expression: Expression) -> None:
    """Raise ReportedError if a pile may contain pieces that the zone does not hold: they are drawn unseen."""
    require_held(ctx, pile, place, expression)
    if not kinds_in(pile.type) <= kinds_in(place.type):
        name = place.zone.name if place.zone else ""
        message = f"'{name}' holds {describe(place.type)}, but what is drawn may be {describe(pile.type)}."
        raise ctx.error(expression, "zone-does-not-hold", message)


def emit_move(ctx: Context, group: Group, place: ZoneGroup, bottom: int, by_position: bool = False) -> None:
    """Move every piece while there is room; the rest stays. by_position: whether their positions identify them."""
    assert place.zone is not None
    memory = ctx.edition.memory
    kinds = kinds_in(place.type)
    sources = [source for source in group.all_of if source.zone is not None]
    if sources and bottom == ZERO and place.zone.at_most is None and place.zone not in [s.zone for s in sources]:
        for source in sources:
            if kinds_in(source.type) <= kinds:
                ctx.emit.op("spill", source.address, place.address)
            elif memory:
                picked = vector_of(ctx, restrict_to_kinds(ctx, source, kinds))
                ctx.emit.op("mingle", picked)
                ctx.emit.op("move_all", picked, place.address, bottom)
            else:
                ctx.emit.op("sift", source.address, place.address, ctx.plan.kind_table(kinds), ONE)
        return
    pieces = vector_of(ctx, restrict_to_kinds(ctx, group, kinds))
    room = room_in(ctx, place)
    counted = room is None or kinds_in(group.type) <= place.zone.counting
    if memory and not (by_position and counted and kinds_in(group.type) <= kinds):
        ctx.emit.op("mingle", pieces)
    if room is None:
        if memory or bottom == ONE or not ctx.emit.fuse_sift(pieces, place.address):
            ctx.emit.op("move_all", pieces, place.address, bottom)
    elif counted:
        fitting = ctx.emit.vector()
        ctx.emit.op("front", fitting, pieces, room)
        ctx.emit.op("move_all", fitting, place.address, bottom)
    else:
        fitting = ctx.emit.vector()
        ctx.emit.op("fitting", fitting, pieces, ctx.plan.kind_table(place.zone.counting), room)
        ctx.emit.op("move_all", fitting, place.address, bottom)


def room_in(ctx: Context, place: ZoneGroup) -> int | None:
    """Emit how many more pieces a zone's limit allows; None if it has no limit."""
    zone = place.zone
    if zone is None or zone.at_most is None:
        return None
    owner = figures.owner_scope(ctx, zone.name, zone.of, place.owner)
    limit = single_value(ctx, meaning_of_text(ctx, zone.at_most, owner), Path(None, ()))
    counted = size_of(ctx, restrict_to_kinds(ctx, place, zone.counting))
    return ctx.emit.variable(ctx.emit.value("subtract", limit.operand, counted.operand))


def emit_draw(ctx: Context, pile: ZoneGroup, place: ZoneGroup, amount: int, bottom: int) -> None:
    """Move the top pieces of a pile until there are enough, no room, or none left; an empty pile is refilled."""
    left, room = ctx.emit.variable(amount), room_in(ctx, place)
    assert pile.zone is not None and place.zone is not None
    if room is not None and not kinds_in(pile.type) <= place.zone.counting:
        emit_draw_one_by_one(ctx, pile, place, left, bottom)
        return
    if room is not None:
        with ctx.emit.if_true(ctx.emit.value("less", room, left)):
            ctx.emit.assign(left, room)
    refill = zone_group(ctx, pile.zone.refills_from, pile.owner).address if pile.zone.refills_from else NONE
    ctx.emit.op("deal", pile.address, place.address, left, bottom, refill)


def emit_refill(ctx: Context, pile: ZoneGroup) -> None:
    """Refill a pile from the zone that it names, shuffled."""
    assert pile.zone is not None
    source = zone_group(ctx, pile.zone.refills_from, pile.owner)
    ctx.emit.op("pour", source.address, pile.address)


def emit_draw_one_by_one(ctx: Context, pile: ZoneGroup, place: ZoneGroup, left: int, bottom: int) -> None:
    """Draw for a limit that counts only some of the kinds that may be drawn."""
    assert pile.zone is not None
    with ctx.emit.loop():
        with ctx.emit.if_true(ctx.emit.value("at_most", left, ZERO)):
            ctx.emit.op("break")
        if pile.zone.refills_from:
            with ctx.emit.if_true(ctx.emit.negate(any_member(ctx, pile))):
                emit_refill(ctx, pile)
        before = size_of(ctx, pile).operand
        with ctx.emit.if_true(ctx.emit.value("equal", before, ZERO)):
            ctx.emit.op("break")
        last = ctx.emit.register()
        ctx.emit.op("item", last >> 1, vector_of(ctx, pile), NONE)
        emit_move(ctx, as_group(ctx, Value(replace(pile.type, many=False), last)), place, bottom, by_position=True)
        with ctx.emit.if_true(ctx.emit.value("equal", size_of(ctx, pile).operand, before)):
            ctx.emit.op("break")
        ctx.emit.change("subtract", left, left, ONE)


@compiles(Shuffle)
def compile_shuffle(ctx: Context, statement: Shuffle, scope: Scope, parts: StatementParts) -> None:
    ctx.emit.op("shuffle", require_zone(ctx, statement.zone, scope).address)


@compiles(Show)
def compile_show(ctx: Context, statement: Show, scope: Scope, parts: StatementParts) -> None:
    """Show pieces to some seats, which know them from then on."""
    by_position = is_by_position(ctx, statement.pieces, scope)
    pieces = compile_group(ctx, statement.pieces, scope, "piece")
    seats = compile_group(ctx, statement.viewers, scope, "seat")
    ctx.emit.op("show", vector_of(ctx, pieces), vector_of(ctx, seats), int(by_position))


@compiles(Swap)
def compile_swap(ctx: Context, statement: Swap, scope: Scope, parts: StatementParts) -> None:
    """Swap two pieces, or the contents of two counters."""
    both = statement.one, statement.other
    one, other = (single_value(ctx, meaning_of(ctx, each, scope), each) for each in both)
    if isinstance(one, Settable) and isinstance(other, Settable) and not (one.attribute or other.attribute):
        if one.type != other.type:
            message = f"Only what is alike changes places, not {describe(one.type)} and {describe(other.type)}."
            raise ctx.error(statement, "type", message)
        store_value(ctx, one, other.operand, statement)
        store_value(ctx, other, one.operand, statement)
        return
    for thing, each in zip((one, other), both, strict=True):
        require_type(ctx, thing.type, Type("piece"), each)
    one, other = (require_present(ctx, thing, each) for thing, each in zip((one, other), both, strict=True))
    if kinds_in(one.type) != kinds_in(other.type):
        message = f"Only pieces of one kind change places, not {describe(one.type)} and {describe(other.type)}."
        raise ctx.error(statement, "type", message)
    ctx.emit.op("swap", one.operand, other.operand)


@compiles(Fill)
def compile_fill(ctx: Context, statement: Fill, scope: Scope, parts: StatementParts) -> None:
    place, pile = require_zone(ctx, statement.zone, scope), require_zone(ctx, statement.source, scope)
    kinds = compile_group(ctx, statement.kinds, scope, "piece")
    require_all_held(ctx, pile, place, statement.source)
    if not kinds_in(pile.type) <= kinds_in(kinds.type):
        message = f"What is drawn here may be {describe(pile.type)}, not only {describe(kinds.type)}."
        raise ctx.error(statement.source, "type", message)
    present = size_of(ctx, restrict_to_kinds(ctx, place, kinds_in(kinds.type)))
    amount = compile_number(ctx, statement.amount, scope)
    emit_draw(ctx, pile, place, ctx.emit.value("subtract", amount.operand, present.operand), ZERO)


@compiles(Roll)
def compile_roll(ctx: Context, statement: Roll, scope: Scope, parts: StatementParts) -> None:
    """Give each piece a random value of its changing attribute."""
    group = compile_group(ctx, statement.pieces, scope, "piece")
    if ctx.may_be_lost_kind(group.type):
        raise ReportedError
    lasting = kinds_in(group.type) - {kind.name for kind in attributes.changing_kinds(ctx, group.type)}
    if lasting:
        message = f"{an(min(lasting)).capitalize()} cannot be rolled: nothing of it changes."
        hint = "What a piece shows changes if its kind says so with 'changing'."
        if turning := attributes.changing_kinds(ctx, group.type):
            hint = f"Say which of them, as in 'roll {turning[0].name} in …'; or say with 'holds' what lies in a zone."
        raise ctx.error(statement, "type", message, hint)
    for kind in attributes.changing_kinds(ctx, group.type):
        cell = ctx.plan.face(kind.changing)
        assert cell is not None
        if ctx.edition.memory:
            ctx.emit.op("forget", vector_of(ctx, group))
        with ctx.emit.each(vector_of(ctx, restrict_to_kinds(ctx, group, frozenset([kind.name])))) as piece:
            number = ctx.emit.register()
            ctx.emit.op("random", number >> 1, constant(len(kind.faces)))
            ctx.emit.store(cell, piece, ctx.emit.value("add", number, constant(kind.faces[0])))


@compiles(Assign)
def compile_assign(ctx: Context, statement: Assign, scope: Scope, parts: StatementParts) -> None:
    target = meaning_of(ctx, statement.counter, scope, "", COUNTER)
    if isinstance(target, ListGroup):
        stored_lists.store_list(ctx, target, stored_lists.vector_to_add(ctx, target, statement.value, scope))
        return
    tally = require_settable(ctx, target, statement.counter)
    if isinstance(tally, Amounts):
        _, amounts_ = amounts.unify(ctx, statement, tally, meaning_of(ctx, statement.value, scope, "", NUMBER.base))
        amounts.change_counter(ctx, tally, amounts_, lambda one, to: store_value(ctx, one, to.operand, statement))
        return
    value = compile_value(ctx, statement.value, scope, tally.type)
    if ctx.edition.sides and tally.cell == ctx.plan.counter(ctx.edition.sides)[0]:
        value = require_present(ctx, value, statement.value)
    store_value(ctx, tally, value.operand, statement)


@compiles(Add)
def compile_add(ctx: Context, statement: Add, scope: Scope, parts: StatementParts) -> None:
    compile_count(ctx, "add", statement, scope)


@compiles(Take)
def compile_take(ctx: Context, statement: Take, scope: Scope, parts: StatementParts) -> None:
    compile_count(ctx, "subtract", statement, scope)


def compile_count(ctx: Context, operation: str, statement: Add | Take, scope: Scope) -> None:
    """Add an amount to a counter, or subtract it. operation: name of the instruction."""
    amount, counter = statement.amount, statement.counter
    meaning, tally = meaning_of(ctx, amount, scope, "", NUMBER.base), counter_at(ctx, counter, scope)
    if isinstance(tally, Amounts):
        _, amounts_ = amounts.unify(ctx, statement, tally, meaning)

        def change(one: Settable, more: Value) -> None:
            store_value(ctx, one, ctx.emit.value(operation, one.operand, more.operand), statement)

        amounts.change_counter(ctx, tally, amounts_, change)
        return
    if isinstance(meaning, Amounts):
        require_type(ctx, meaning.type, NUMBER, amount)
    value = single_value(ctx, meaning, amount)
    if tally.type == FRACTION and value.type.counts:
        value = as_fraction(ctx, value, amount)
    else:
        require_type(ctx, value.type, NUMBER, amount)
        require_type(ctx, tally.type, NUMBER, counter)
    store_value(ctx, tally, ctx.emit.value(operation, tally.operand, value.operand), statement)


def store_value(ctx: Context, tally: Settable, operand: int, node: Node) -> None:
    """Store a value in a counter or changing attribute; run-time errors for one out of range."""
    if ctx.edition.memory and (tally.attribute or is_piece_counter(ctx, tally)):
        changed = ctx.emit.vector()
        ctx.emit.op("vector", changed)
        ctx.emit.op("push", changed, tally.index)
        ctx.emit.op("forget", changed)
    if tally.attribute:
        least = ctx.emit.look_up(ctx.plan.first_face_table(tally.attribute), tally.index)
        greatest = ctx.emit.look_up(ctx.plan.last_face_table(tally.attribute), tally.index)
        for smaller, larger in ((operand, least), (greatest, operand)):
            with ctx.emit.if_true(ctx.emit.value("less", smaller, larger)):
                ctx.emit.op("fail", ctx.source_place(node, f"no such {tally.attribute} can show there."))
    if tally.kinds:
        with ctx.emit.if_true(ctx.emit.negate(ctx.emit.look_up(ctx.plan.kind_table(tally.kinds), tally.index))):
            ctx.emit.op("fail", ctx.source_place(node, "this piece has no such counter."))
    if tally.type == TRUTH:
        truth = ctx.emit.variable(ZERO)
        with ctx.emit.if_true(operand):
            ctx.emit.assign(truth, ONE)
        operand = truth
    if tally.type.counts and not tally.attribute:
        ctx.emit.op("count", tally.cell, tally.index, operand, ctx.source_place(node))
    else:
        ctx.emit.store(tally.cell, tally.index, operand)


def is_piece_counter(ctx: Context, tally: Settable) -> bool:
    """Whether this is a counter of a piece."""
    own = (counter for counter in ctx.edition.counters.values() if counter.marks)
    return any(ctx.plan.counter(counter.name)[0] == tally.cell for counter in own)


def counter_at(ctx: Context, expression: Expression, scope: Scope) -> Settable | Amounts:
    """Return the counter that an expression means, or its amounts."""
    return require_settable(ctx, meaning_of(ctx, expression, scope, "", COUNTER), expression)


def require_settable(ctx: Context, tally: Meaning, expression: Expression) -> Settable | Amounts:
    """Return a meaning that can be set. Raises ReportedError."""
    if isinstance(tally, Amounts) and tally.cell_of is not None:
        return tally
    if not isinstance(tally, Settable):
        hint = "Options, roles and powers change values; what changes during the game is a counter."
        if isinstance(tally, ListGroup):
            hint = "It holds a list: 'add … to end of …', 'take first 1 of … as …', 'set … to …'."
        if tally.type.base == "word" and tally.type.detail == ctx.edition.sides:
            hint = f"Say whose it is: 'my {ctx.edition.sides}', for whoever acts."
        if tally.type.base == "piece":
            hint = "Pieces are moved: 'move … to …'."
        if tally.type.base == "word" and str(tally.type.detail) == ctx.edition.sides:
            hint = f"What a seat plays is said with its name: 'set my {ctx.edition.sides} to …'."
        raise ctx.error(expression, "not-a-counter", f"Expected a counter here; this is {describe(tally.type)}.", hint)
    return tally


@compiles(AddToEnd)
def compile_add_to_end(ctx: Context, statement: AddToEnd, scope: Scope, parts: StatementParts) -> None:
    list_ = require_list(ctx, statement.counter, scope)
    more, joined = stored_lists.vector_to_add(ctx, list_, statement.value, scope), ctx.emit.vector()
    ctx.emit.op("join", joined, vector_of(ctx, list_), more)
    stored_lists.store_list(ctx, list_, joined)


@compiles(AddToBeginning)
def compile_add_to_beginning(ctx: Context, statement: AddToBeginning, scope: Scope, parts: StatementParts) -> None:
    """Insert at the beginning of a list as much as fits: nothing is pushed out at the end."""
    list_ = require_list(ctx, statement.counter, scope)
    more, size = stored_lists.vector_to_add(ctx, list_, statement.value, scope), ctx.emit.register()
    ctx.emit.op("length", size >> 1, vector_of(ctx, list_))
    fitting, joined = ctx.emit.vector(), ctx.emit.vector()
    ctx.emit.op("front", fitting, more, ctx.emit.value("subtract", constant(list_.capacity), size))
    ctx.emit.op("join", joined, fitting, vector_of(ctx, list_))
    stored_lists.store_list(ctx, list_, joined)


@compiles(TakeOut)
def compile_take_out(ctx: Context, statement: TakeOut, scope: Scope, parts: StatementParts) -> None:
    """Compile `take first 1 of orders as next one`."""
    source, name = statement.taken, statement.name
    check_new_name(ctx, name, scope)
    list_ = meaning_of(ctx, source.things, scope) if isinstance(source, SomeOf) else None
    if not isinstance(list_, ListGroup) or not isinstance(source, SomeOf):
        hint = "As in 'take first 1 of orders as NAME'; pieces are moved: 'move … to …'."
        raise ctx.error(source, "type", "What is taken out is the first or the last few of a list.", hint)
    at_end = source.end in ("last", "top")
    group = compile_group(ctx, source, scope, list_.type.base)
    vector = copy_vector(ctx, group)
    cell_access.bind_value(ctx, str(name), group_from_vector(ctx, list_.type, list_.capacity, lambda: vector), scope)
    count, size, left = ctx.emit.register(), ctx.emit.register(), ctx.emit.vector()
    ctx.emit.op("length", count >> 1, vector)
    ctx.emit.op("length", size >> 1, vector_of(ctx, list_))
    rest = ctx.emit.value("subtract", size, count)
    ctx.emit.op("slice", left, vector_of(ctx, list_), ZERO if at_end else count, rest)
    stored_lists.store_list(ctx, list_, left)


def require_list(ctx: Context, expression: Expression, scope: Scope) -> ListGroup:
    """Return the list that an expression means. Raises ReportedError."""
    list_ = meaning_of(ctx, expression, scope, "", COUNTER)
    if not isinstance(list_, ListGroup):
        hint = "Lists are counters with 'list of' and 'at most'."
        raise ctx.error(expression, "type", f"Expected a list here; this is {describe(list_.type)}.", hint)
    return list_


@compiles(Let)
def compile_let(ctx: Context, statement: Let, scope: Scope, parts: StatementParts) -> None:
    name, value = statement.name, statement.value
    check_new_name(ctx, name, scope)
    try:
        meaning = meaning_of(ctx, value, scope, "", ANYTHING)
    except ReportedError:
        scope.bind(str(name), partial(raise_reported, ctx))
        raise
    cell_access.bind_value(ctx, str(name), meaning, scope)


def raise_reported(ctx: Context) -> Meaning:
    """Raise for a name whose definition is reported as wrong."""
    raise ReportedError


def check_new_name(ctx: Context, name: Name, scope: Scope) -> None:
    """Raise ReportedError if a new name hides a global one; note the local one that it shadows."""
    outer = scope.names.get(text := name.text)
    if outer is not None and scope.outer.get(text) is outer:
        ctx.remarks.shadowed.setdefault(outer, ctx.place_of(name))
    key = canonical(str(name))
    if (refusal := ctx.analysis.naming.local_refusal(text)) is not None:
        raise ctx.error(name, "name-taken", refusal.message, refusal.hint)
    for sort, table in (
        ("zone", ctx.names.zones),
        ("figure", ctx.names.figures),
        ("counter", ctx.names.counters),
        ("kind of piece", ctx.names.kinds),
        ("option", {key: option for key, option in ctx.names.options.items() if option.choices == ("no", "yes")}),
    ):
        if key in table:
            existing = table[key].name
            if _is_singular_of(table[key], text):
                continue
            hint = f"Singular and plural are one name, and there is '{existing}'." if existing != text else ""
            raise ctx.error(name, "name-taken", f"'{name}' is the name of {an(sort)} already; choose another.", hint)


def _is_singular_of(existing: Zone | Figure | CounterDeclaration | Kind | OptionDeclaration, name: str) -> bool:
    """Whether a name is the singular of something named in the plural, as `column` of `columns`; a counter of one
    value has no singular."""
    if isinstance(existing, CounterDeclaration) and not existing.most:
        return False
    return name == canonical(name) != existing.name


@compiles(EndGame)
def compile_end_game(ctx: Context, statement: EndGame, scope: Scope, parts: StatementParts) -> None:
    ctx.emit.op("halt")
