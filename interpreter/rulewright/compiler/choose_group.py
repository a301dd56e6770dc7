"""`choose … that make one GROUP`: pieces chosen one by one, each only where a group remains possible."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler import cell_access, decisions, groups, local_names, moves
from rulewright.compiler.context import Context
from rulewright.compiler.emitter import ONE, ZERO
from rulewright.compiler.parking import before_effect
from rulewright.compiler.questions import Candidates, DecisionTexts, compile_question
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.saved_cells import SavedCell
from rulewright.compiler.set_operations import group_from_vector, is_empty, vector_of
from rulewright.compiler.typed_expressions import compile_group
from rulewright.compiler.typed_values import NUMBER, Group, Scope
from rulewright.syntax.tree import ChooseGroup, Into, Named


@compiles(ChooseGroup)
def compile_choose_group(ctx: Context, statement: ChooseGroup, scope: Scope, parts: StatementParts) -> None:
    """Compile `choose 3 or more from hand that make one meld into row`."""
    scalar, outcome = ctx.scalar, statement.outcome
    if isinstance(outcome, Named):
        local_names.check_new_name(ctx, outcome.name, scope)
    chosen_bits = cell_access.new_cell(ctx, NUMBER, 0, scope)

    def all_() -> Group:
        with ctx.reading(scalar):
            return compile_group(ctx, statement.source, scope)

    def bits_so_far() -> int:
        return ctx.emit.load(chosen_bits.cell, cell_access.cell_index(ctx, chosen_bits))

    def so_far() -> Group:
        group = all_()
        return group_from_vector(
            ctx, group.type, group.capacity, lambda: groups.members_with_bits(ctx, vector_of(ctx, group), bits_so_far())
        )

    def add(answer: SavedCell, after: int) -> None:
        """Add the answer to the choice; go to another block if it is empty."""
        answered = cell_access.load(ctx, answer)
        assert isinstance(answered, Group)
        with ctx.emit.if_true(is_empty(ctx, vector_of(ctx, answered))):
            ctx.emit.op("goto", after)
        more = bits_of_members(ctx, vector_of(ctx, all_()), answered)
        ctx.emit.store(
            chosen_bits.cell, cell_access.cell_index(ctx, chosen_bits), ctx.emit.value("add", bits_so_far(), more)
        )

    def candidates() -> Candidates:
        group = all_()
        with ctx.reading(scalar):
            if isinstance(outcome, Into):
                moves.require_held(ctx, group, moves.target_of(ctx, outcome.target, scope)[0], statement.source)
            least, most = decisions.choice_bounds(ctx, statement.how_many, scope, group)
            grouping = groups.group_test(ctx, statement.group, group, scope)
            members = vector_of(ctx, group)
            groups.emit_member_limit(ctx, members, statement)
            bits_before = bits_so_far()
            bits, open_, needed = ctx.emit.variable(ZERO), ctx.emit.variable(ZERO), ctx.emit.variable(ONE)

            def note(_: groups.PartialGroup) -> None:
                with ctx.emit.if_true(
                    ctx.emit.value("equal", ctx.emit.value("shared", bits, bits_before), bits_before)
                ):
                    both = ctx.emit.value("shared", open_, bits)
                    ctx.emit.change("add", open_, open_, ctx.emit.value("subtract", bits, both))
                    with ctx.emit.if_true(ctx.emit.value("equal", bits, bits_before)):
                        ctx.emit.assign(needed, ZERO)

            sums = (groups.RunningSum(bits, lambda place: groups.emit_bit(ctx, place)),)
            fewest = ctx.emit.variable(least.operand)
            with ctx.emit.if_true(ctx.emit.value("less", fewest, ONE)):
                ctx.emit.assign(fewest, ONE)
            groups.each_group(ctx, members, group.type, grouping, note, least=fewest, most=most.operand, sums=sums)
            with ctx.emit.if_true(ctx.emit.value("equal", bits_before, ZERO)):
                ctx.emit.assign(needed, ctx.emit.value("less", ZERO, least.operand))
            more = ctx.emit.value("subtract", open_, ctx.emit.value("shared", open_, bits_before))
            offered = groups.members_with_bits(ctx, members, more)
            return Candidates(replace(group.type, many=False), offered, needed, ONE, some=True)

    name = decisions.outcome_name(outcome)
    first = DecisionTexts(f"{scope.step}.{name}", parts.key, parts.text("ask"), parts.text("none"))
    ask = parts.text("ask more") or parts.text("ask")
    second = DecisionTexts(f"{scope.step}.{name} more", parts.key, ask, parts.text("none more"))
    ctx.emit.store(chosen_bits.cell, cell_access.cell_index(ctx, chosen_bits), ZERO)
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    add(compile_question(ctx, first, candidates, scope), after)
    cell_access.begin_block(ctx, again, scope.step)
    inner = scope.branch()
    inner.bind("it", so_far)
    add(compile_question(ctx, second, candidates, inner), after)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    if isinstance(outcome, Into):
        before_effect(ctx, scope)
        place, bottom = moves.target_of(ctx, outcome.target, scope)
        moves.emit_move(ctx, so_far(), place, bottom)
    else:
        cell_access.bind_value(ctx, name, so_far(), scope)


def bits_of_members(ctx: Context, members: int, some: Group) -> int:
    """Emit the bits of those members that are in a set."""
    bits, place, vector = ctx.emit.variable(ZERO), ctx.emit.variable(ZERO), vector_of(ctx, some)
    with ctx.emit.each(members) as member:
        with ctx.emit.each(vector) as one:
            with ctx.emit.if_true(ctx.emit.value("equal", member, one)):
                ctx.emit.change("add", bits, bits, groups.emit_bit(ctx, place))
        ctx.emit.change("add", place, place, ONE)
    return bits
