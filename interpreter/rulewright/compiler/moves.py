"""Moves of pieces between zones: single ones, draws with refills, swaps; shuffles, shows, rolls."""

from __future__ import annotations

from dataclasses import replace

from rulewright.base.diagnostics import RelatedPlace, did_you_mean
from rulewright.compiler import attributes, figures, messages
from rulewright.compiler.context import Context
from rulewright.compiler.counters import store_value
from rulewright.compiler.fusion import fuse_sift
from rulewright.compiler.registry import StatementParts, compiles, meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import any_member, as_set, restrict_to_kinds, size_of, vector_of
from rulewright.compiler.type_checks import require_present, require_type, single_value
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_number, compile_set, meaning_of_text
from rulewright.compiler.typed_values import Assignable, MemberSet, ReportedError, Value, ZoneSet, fits, kinds_in
from rulewright.compiler.zone_access import zone_set
from rulewright.program.instructions import NONE, ONE, ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax.change_nodes import Fill, Move, Roll, Show, Shuffle, Swap
from rulewright.syntax.expression_nodes import Expression, Path, PossessionOf
from rulewright.syntax.nouns import article
from rulewright.syntax.part_nodes import Target
from rulewright.syntax.set_nodes import SomeOf


@compiles(Move)
def compile_move(ctx: Context, statement: Move, scope: Scope, parts: StatementParts) -> None:
    """Compile `move SET to TARGET`. `top N of PILE` draws, so that an empty pile is refilled; one piece moves
    without a loop."""
    pieces = statement.pieces
    place, bottom = target_of(ctx, statement.target, scope)
    draw = draw_source(ctx, pieces, scope)
    if draw is not None:
        amount, pile = draw
        require_all_allowed(ctx, pile, place, pieces)
        emit_draw(ctx, pile, place, amount.operand, bottom)
        return
    by_position = is_by_position(ctx, pieces, scope)
    meaning = meaning_of(ctx, pieces, scope)
    members = as_set(ctx, meaning)
    require_allowed(ctx, members, place, pieces)
    if isinstance(meaning, Value) and room_in(ctx, place) is None and not ctx.edition.memory:
        with ctx.emit.if_true(ctx.emit.evaluate("unequal", meaning.operand, NONE)):
            ctx.emit.pieces.move_one(meaning.operand, place.address, bottom)
    else:
        emit_move(ctx, members, place, bottom, by_position)


def is_by_position(ctx: Context, expression: Expression, scope: Scope) -> bool:
    """Whether pieces are identified by their positions in a zone, as in `first 2 of deck`, or are its whole
    contents. False where seats do not remember pieces, since then it does not matter."""
    if not ctx.edition.memory:
        return False
    source = expression.things if isinstance(expression, SomeOf) else expression
    return isinstance(source, Path) and isinstance(meaning_of(ctx, source, scope), ZoneSet)


def draw_source(ctx: Context, expression: Expression, scope: Scope) -> tuple[Value, ZoneSet] | None:
    """Return number and pile of `top N of PILE`, so that an empty pile can be refilled; None for other expressions."""
    match expression:
        case SomeOf(end="top", amount=amount, things=Path() as source):
            pile = meaning_of(ctx, source, scope)
            return (compile_number(ctx, amount, scope), pile) if isinstance(pile, ZoneSet) else None
    return None


def target_of(ctx: Context, target: Target, scope: Scope) -> tuple[ZoneSet, int]:
    """Return the zone that something goes to, and ONE if to its bottom."""
    return require_zone(ctx, target.zone, scope), ONE if target.at_bottom else ZERO


def require_zone(ctx: Context, expression: Expression, scope: Scope) -> ZoneSet:
    """Return the zone that an expression means. Raises ReportedError."""
    place = meaning_of(ctx, expression, scope, "", "piece")
    if not isinstance(place, ZoneSet):
        name = expression.names[-1].text if isinstance(expression, Path | PossessionOf) else ""
        problem = messages.EXPECTED_ZONE(given=describe(place.type))
        raise ctx.error(expression, problem, *did_you_mean(name, ctx.edition.zones))
    return place


def require_allowed(ctx: Context, members: MemberSet, place: ZoneSet, expression: Expression) -> None:
    """Raise ReportedError if a zone never holds such pieces: none of their kinds. Nothing, as a value, always fits."""
    if members.type.base == "nothing":
        return
    if members.type.base == "piece" and (ctx.may_be_broken_kind(members.type) or ctx.may_be_broken_kind(place.type)):
        raise ReportedError
    if not fits(members.type, place.type) or not (kinds_in(members.type) & kinds_in(place.type)):
        problem = messages.HOLDS_OTHERS(
            zone=place.zone.name if place.zone else "",
            held=describe(place.type),
            given=describe(members.type),
            held_kinds=tuple(sorted(kinds_in(place.type))),
            given_kinds=tuple(sorted(kinds_in(members.type))),
        )
        raise ctx.error(expression, problem, messages.NAME_KIND_IN_HOLDS(), related=_declaration(place))


def require_all_allowed(ctx: Context, pile: ZoneSet, place: ZoneSet, expression: Expression) -> None:
    """Raise ReportedError if a pile may contain pieces that the zone does not hold: they are drawn unseen."""
    require_allowed(ctx, pile, place, expression)
    if not kinds_in(pile.type) <= kinds_in(place.type):
        name = place.zone.name if place.zone else ""
        problem = messages.MAY_HOLD_OTHERS(zone=name, held=describe(place.type), drawn=describe(pile.type))
        raise ctx.error(expression, problem, related=_declaration(place))


def _declaration(place: ZoneSet) -> tuple[RelatedPlace, ...]:
    """Return the place where a zone is declared, for an error; () if it is no declared one."""
    zone = place.zone
    return (RelatedPlace(zone.place, messages.DECLARED_HERE(name=zone.name)),) if zone is not None else ()


def emit_move(ctx: Context, members: MemberSet, place: ZoneSet, bottom: int, by_position: bool = False) -> None:
    """Emit the move of every piece of a kind that the zone holds while there is room; the rest stays. bottom: ONE for
    the zone's bottom; by_position: whether their positions tell everybody which they are, as `is_by_position` says."""
    assert place.zone is not None
    memory = ctx.edition.memory
    kinds = kinds_in(place.type)
    sources = [source for source in members.zones if source.zone is not None]
    if sources and bottom == ZERO and place.zone.at_most is None and place.zone not in [s.zone for s in sources]:
        for source in sources:
            if kinds_in(source.type) <= kinds:
                ctx.emit.op("spill", source.address, place.address)
            elif memory:
                picked = vector_of(ctx, restrict_to_kinds(ctx, source, kinds))
                ctx.emit.pieces.move_all(picked, place.address, bottom, picked=picked)
            else:
                ctx.emit.pieces.sift(source.address, place.address, ctx.plan.kind_table(kinds), ONE)
        return
    pieces = vector_of(ctx, restrict_to_kinds(ctx, members, kinds))
    room = room_in(ctx, place)
    counted = room is None or kinds_in(members.type) <= place.zone.counting
    picked_from = None if by_position and counted and kinds_in(members.type) <= kinds else pieces
    if room is None and not memory and bottom == ZERO and fuse_sift(ctx.emit, pieces, place.address):
        return
    fitting = pieces
    if room is not None and counted:
        fitting = ctx.emit.compute_vector("front", pieces, room)
    elif room is not None:
        fitting = ctx.emit.compute_vector("fitting", pieces, ctx.plan.kind_table(place.zone.counting), room)
    ctx.emit.pieces.move_all(fitting, place.address, bottom, picked=picked_from)


def room_in(ctx: Context, place: ZoneSet) -> int | None:
    """Emit how many more pieces a zone's limit allows of those that it counts; None if it has no limit."""
    zone = place.zone
    if zone is None or zone.at_most is None:
        return None
    owner = figures.owner_scope(ctx, zone.name, zone.of, place.owner)
    limit = single_value(ctx, meaning_of_text(ctx, zone.at_most, owner), Path(None, ()))
    counted = size_of(ctx, restrict_to_kinds(ctx, place, zone.counting))
    return ctx.emit.new_variable(ctx.emit.evaluate("subtract", limit.operand, counted.operand))


def emit_draw(ctx: Context, pile: ZoneSet, place: ZoneSet, amount: int, bottom: int) -> None:
    """Emit the move of a pile's top pieces until there are enough, no room, or none left; an empty pile is refilled, if
    it names a zone for that. amount: operand; bottom: ONE for the zone's bottom."""
    left, room = ctx.emit.new_variable(amount), room_in(ctx, place)
    assert pile.zone is not None and place.zone is not None
    if room is not None and not kinds_in(pile.type) <= place.zone.counting:
        emit_draw_one_by_one(ctx, pile, place, left, bottom)
        return
    if room is not None:
        with ctx.emit.if_true(ctx.emit.evaluate("less", room, left)):
            ctx.emit.assign(left, room)
    refill = zone_set(ctx, pile.zone.refills_from, pile.owner).address if pile.zone.refills_from else NONE
    ctx.emit.op("deal", pile.address, place.address, left, bottom, refill)


def emit_refill(ctx: Context, pile: ZoneSet) -> None:
    """Emit the refill of a pile from the zone that it names, shuffled."""
    assert pile.zone is not None
    source = zone_set(ctx, pile.zone.refills_from, pile.owner)
    ctx.emit.op("pour", source.address, pile.address)


def emit_draw_one_by_one(ctx: Context, pile: ZoneSet, place: ZoneSet, left: int, bottom: int) -> None:
    """Emit a draw for a limit that counts only some of the kinds that may be drawn: it ends with the first piece that
    finds no room. left: register of how many are to be drawn, which is counted down."""
    assert pile.zone is not None
    with ctx.emit.loop():
        with ctx.emit.if_true(ctx.emit.evaluate("at_most", left, ZERO)):
            ctx.emit.op("break")
        if pile.zone.refills_from:
            with ctx.emit.if_true(ctx.emit.negate(any_member(ctx, pile))):
                emit_refill(ctx, pile)
        before = size_of(ctx, pile).operand
        with ctx.emit.if_true(ctx.emit.evaluate("equal", before, ZERO)):
            ctx.emit.op("break")
        last = ctx.emit.compute("item", vector_of(ctx, pile), NONE)
        emit_move(ctx, as_set(ctx, Value(replace(pile.type, many=False), last)), place, bottom, by_position=True)
        with ctx.emit.if_true(ctx.emit.evaluate("equal", size_of(ctx, pile).operand, before)):
            ctx.emit.op("break")
        ctx.emit.compute_into("subtract", left, left, ONE)


@compiles(Shuffle)
def compile_shuffle(ctx: Context, statement: Shuffle, scope: Scope, parts: StatementParts) -> None:
    """Emit the shuffling of a zone. Raises ReportedError for what is no zone."""
    ctx.emit.op("shuffle", require_zone(ctx, statement.zone, scope).address)


@compiles(Show)
def compile_show(ctx: Context, statement: Show, scope: Scope, parts: StatementParts) -> None:
    """Show pieces to some seats, which know them from then on."""
    by_position = is_by_position(ctx, statement.pieces, scope)
    pieces = compile_set(ctx, statement.pieces, scope, "piece")
    seats = compile_set(ctx, statement.viewers, scope, "seat")
    ctx.emit.op("show", vector_of(ctx, pieces), vector_of(ctx, seats), int(by_position))


@compiles(Swap)
def compile_swap(ctx: Context, statement: Swap, scope: Scope, parts: StatementParts) -> None:
    """Swap two pieces, or the contents of two counters."""
    both = statement.one, statement.other
    one, other = (single_value(ctx, meaning_of(ctx, each, scope), each) for each in both)
    if isinstance(one, Assignable) and isinstance(other, Assignable) and not (one.attribute or other.attribute):
        if one.type != other.type:
            problem = messages.ONLY_ALIKE_SWAP(one=describe(one.type), other=describe(other.type))
            raise ctx.error(statement, problem)
        store_value(ctx, one, other.operand, statement)
        store_value(ctx, other, one.operand, statement)
        return
    for thing, each in zip((one, other), both, strict=True):
        require_type(ctx, thing.type, Type("piece"), each)
    one, other = (require_present(ctx, thing, each) for thing, each in zip((one, other), both, strict=True))
    if kinds_in(one.type) != kinds_in(other.type):
        problem = messages.ONLY_ONE_KIND_SWAPS(one=describe(one.type), other=describe(other.type))
        raise ctx.error(statement, problem)
    ctx.emit.op("swap", one.operand, other.operand)


@compiles(Fill)
def compile_fill(ctx: Context, statement: Fill, scope: Scope, parts: StatementParts) -> None:
    """Compile `fill row with tiles from bag up to 4`: draw what is missing."""
    place, pile = require_zone(ctx, statement.zone, scope), require_zone(ctx, statement.source, scope)
    kinds = compile_set(ctx, statement.kinds, scope, "piece")
    require_all_allowed(ctx, pile, place, statement.source)
    if not kinds_in(pile.type) <= kinds_in(kinds.type):
        problem = messages.DRAWS_OTHERS(drawn=describe(pile.type), wanted=describe(kinds.type))
        raise ctx.error(statement.source, problem)
    present = size_of(ctx, restrict_to_kinds(ctx, place, kinds_in(kinds.type)))
    amount = compile_number(ctx, statement.amount, scope)
    emit_draw(ctx, pile, place, ctx.emit.evaluate("subtract", amount.operand, present.operand), ZERO)


@compiles(Roll)
def compile_roll(ctx: Context, statement: Roll, scope: Scope, parts: StatementParts) -> None:
    """Give each piece a random value of its changing attribute."""
    members = compile_set(ctx, statement.pieces, scope, "piece")
    if ctx.may_be_broken_kind(members.type):
        raise ReportedError
    lasting = kinds_in(members.type) - {kind.name for kind in attributes.changing_kinds(ctx, members.type)}
    if lasting:
        turning = attributes.changing_kinds(ctx, members.type)
        hint = messages.ROLL_SOME(kind=turning[0].name) if turning else messages.DECLARE_CHANGING()
        raise ctx.error(statement, messages.CANNOT_BE_ROLLED(piece=article(min(lasting))), hint)
    for kind in attributes.changing_kinds(ctx, members.type):
        cell = ctx.plan.face(kind.changing)
        assert cell is not None
        if ctx.edition.memory:
            ctx.emit.pieces.forget(vector_of(ctx, members))
        with ctx.emit.each(vector_of(ctx, restrict_to_kinds(ctx, members, frozenset([kind.name])))) as piece:
            number = ctx.emit.compute("random", constant(len(kind.faces)))
            ctx.emit.store(cell, piece, ctx.emit.evaluate("add", number, constant(kind.faces[0])))
