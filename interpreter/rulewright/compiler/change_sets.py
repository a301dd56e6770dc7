"""Change sets of options, roles and powers: whether one is active, and figures that it changes.

Parameter `owner`: operand of the seat that may have a role or power, None for what belongs to the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from rulewright.compiler import messages, name_resolution
from rulewright.compiler.context import Context
from rulewright.compiler.edition_analysis import FigureChange
from rulewright.compiler.fractions import clamp_bound
from rulewright.compiler.registry import meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import append_members, as_set, empty_vector, group_from_vector
from rulewright.compiler.type_checks import require_type
from rulewright.compiler.typed_expressions import compile_value
from rulewright.compiler.typed_values import FRACTION, NUMBER, UNBOUNDED, MemberSet, Value
from rulewright.compiler.zone_access import note_zone_read, zone_set
from rulewright.model.declarations import ChangeSet
from rulewright.program.instructions import ONE, ZERO, constant, constant_value
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar


def is_never_active(ctx: Context, changes: ChangeSet) -> bool:
    """Whether a change set is known not to be active at this table; False for powers, and where no setting is fixed."""
    setting = ctx.plan.setting
    if setting is None or changes.level == "power":
        return False
    if changes.level == "role":
        return list(ctx.edition.roles).index(changes.name) not in setting.roles
    return constant_value(emit_is_active(ctx, changes, None)) == 0


def changed_value(ctx: Context, base: Value, changes: Sequence[FigureChange], owner: int | None, scope: Scope) -> Value:
    """Emit a value with its changes in their order, as far as they are active: additions, or replacements, each of the
    result so far. owner: seat as an operand, None for the game's. Raises ReportedError for values of another type."""
    result, low, high, may_be_nothing = ctx.emit.new_variable(base.operand), base.low, base.high, base.may_be_nothing
    for change_set, operation, text in changes:
        with ctx.reading(text), when_active(ctx, change_set, owner):
            if operation == "add":
                tree = ctx.parse(_without_plus(text), sentences.value)
                if base.type != FRACTION:
                    require_type(ctx, base.type, NUMBER, tree)
                amount = compile_value(ctx, tree, scope, base.type)
                ctx.emit.compute_into("add", result, result, amount.operand)
                low, high = low + min(0, amount.low), high + max(0, amount.high)
                if low < -UNBOUNDED or high > UNBOUNDED:
                    ctx.emit.compute_into("checked", result, result, ctx.source_place(tree))
                low, high = clamp_bound(low), clamp_bound(high)
            else:
                value = compile_value(ctx, ctx.parse(text, sentences.value), scope, base.type)
                ctx.emit.assign(result, value.operand)
                low, high, may_be_nothing = (
                    min(low, value.low),
                    max(high, value.high),
                    may_be_nothing or value.may_be_nothing,
                )
    return Value(base.type, result, low, high, may_be_nothing)


def replaced_set(
    ctx: Context, base: MemberSet, changes: Sequence[FigureChange], owner: int | None, scope: Scope
) -> MemberSet:
    """Return a set that change sets replace, chosen at each use; the last active one counts. Raises ReportedError for
    an addition, or another type."""
    others: list[tuple[ChangeSet, Scalar]] = []
    capacity = base.capacity
    for change_set, operation, text in changes:
        with ctx.reading(text):
            tree = ctx.parse(_without_plus(text), sentences.value)
            if operation == "add":
                raise ctx.error(tree, messages.ONLY_NUMBERS_GROW(), messages.SAY_WHOLE_SET())
            members = as_set(ctx, meaning_of(ctx, tree, scope))
            require_type(ctx, members.type, base.type, tree)
            capacity = max(capacity, members.capacity)
        others.append((change_set, text))

    def make() -> int:
        """Emit the set of the last active change set, else the base; return the vector."""
        which = ctx.emit.new_variable(ZERO)
        vector = empty_vector(ctx)
        for number, (change_set, _) in enumerate(others, 1):
            with ctx.emit.if_true(emit_is_active(ctx, change_set, owner)):
                ctx.emit.assign(which, constant(number))
        with ctx.emit.if_true(ctx.emit.evaluate("equal", which, ZERO)):
            append_members(ctx, vector, base)
        for number, (_, text) in enumerate(others, 1):
            with ctx.reading(text), ctx.emit.if_true(ctx.emit.evaluate("equal", which, constant(number))):
                members = as_set(ctx, meaning_of(ctx, ctx.parse(text, sentences.value), scope))
                append_members(ctx, vector, members)
        return vector

    return group_from_vector(ctx, base.type, capacity, make)


def emit_is_active(ctx: Context, change_set: ChangeSet, owner: int | None) -> int:
    """Emit whether a change set is active for a seat (for the game, if there is no owner). Raises ReportedError for a
    role or power without an owner."""
    if change_set.level == "option":
        option = ctx.edition.options[change_set.name]
        index = constant(option.choices.index(change_set.choice))
        return ctx.emit.evaluate("equal", name_resolution.option_choice(ctx, option.name), index)
    if owner is None:
        problem = messages.CHANGES_NO_GAME(level=messages.LEVELS[change_set.level]())
        raise ctx.error(None, problem, messages.DECLARE_UNDER_SEAT())
    if change_set.level == "role":
        return emit_has_role(ctx, owner, list(ctx.edition.roles).index(change_set.name))
    return emit_holds_power(ctx, change_set.name, owner)


@contextmanager
def when_active(ctx: Context, change_set: ChangeSet, owner: int | None) -> Iterator[None]:
    """Emit code for where a change set is active; a power of a single piece needs no register of its own."""
    pieces = [piece for _, pieces_ in ctx.plan.stock.power_pieces(change_set.name) for piece in pieces_]
    if change_set.level != "power" or owner is None or len(pieces) != 1:
        with ctx.emit.if_true(emit_is_active(ctx, change_set, owner)):
            yield
        return
    [zone] = [zone for zone, pieces_ in ctx.plan.stock.power_pieces(change_set.name) if pieces_]
    address = ctx.emit.load(ctx.plan.piece_addresses, constant(pieces[0]))
    with ctx.emit.if_true(ctx.emit.evaluate("equal", address, searched_zone(ctx, zone, owner))):
        with ctx.emit.if_true(emit_uses_powers(ctx, owner)):
            yield


def emit_holds_power(ctx: Context, power: str, owner: int) -> int:
    """Emit whether a seat holds a power."""
    result = ctx.emit.new_variable(ZERO)
    for zone, pieces in ctx.plan.stock.power_pieces(power):
        address = searched_zone(ctx, zone, owner)
        for piece in pieces:
            piece_address = ctx.emit.load(ctx.plan.piece_addresses, constant(piece))
            with ctx.emit.if_true(ctx.emit.evaluate("equal", piece_address, address)):
                with ctx.emit.if_true(emit_uses_powers(ctx, owner)):
                    ctx.emit.assign(result, ONE)
    return result


def searched_zone(ctx: Context, zone: str, owner: int) -> int:
    """Return the address, as an operand, of a seat's zone in which certain pieces are searched, and note the search."""
    note_zone_read(ctx, ctx.edition.zones[zone], own=owner == 0)
    return zone_set(ctx, zone, owner).address


def emit_uses_powers(ctx: Context, seat: int) -> int:
    """Emit whether a seat's role, if it has one, uses powers."""
    uses = tuple(int(role.uses_powers) for role in ctx.edition.roles.values())
    if all(uses):
        return ONE
    if setting := ctx.plan.setting:
        return truth_by_seat(ctx, tuple(role < 0 or bool(uses[role]) for role in setting.roles), seat)
    return ctx.emit.look_up(ctx.plan.add_table((*uses, 1)), ctx.emit.load(ctx.plan.role, seat))


def emit_has_role(ctx: Context, seat: int, role: int) -> int:
    """Emit whether a seat plays a role."""
    if setting := ctx.plan.setting:
        return truth_by_seat(ctx, tuple(other == role for other in setting.roles), seat)
    return ctx.emit.evaluate("equal", ctx.emit.load(ctx.plan.role, seat), constant(role))


def truth_by_seat(ctx: Context, truths: tuple[bool, ...], seat: int) -> int:
    """Emit the look-up of a seat's entry in truths that are known for each seat; a constant if they are all the
    same."""
    if len(set(truths)) == 1:
        return constant(int(truths[0]))
    return ctx.emit.look_up(ctx.plan.add_table((*map(int, truths), 0)), seat)


def _without_plus(scalar: Scalar) -> Scalar:
    """Return the amount of an addition, '+2', as an expression in the same columns; any other text as it is."""
    text = scalar.text
    return replace(scalar, text=text.replace("+", " ", 1)) if text.lstrip().startswith("+") else scalar
