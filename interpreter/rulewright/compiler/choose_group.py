"""`choose … that make one GROUP`: pieces chosen one by one, each only where a group remains possible."""

from __future__ import annotations

from rulewright.compiler import cell_access, decisions, groups, local_names, moves
from rulewright.compiler.context import Context
from rulewright.compiler.parking import emit_wait_before_effect
from rulewright.compiler.questions import Candidates, DecisionTexts, compile_question
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.saved_cells import SavedCell
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import emit_is_empty, group_from_vector, vector_of
from rulewright.compiler.typed_expressions import compile_set
from rulewright.compiler.typed_values import NUMBER, MemberSet, member_type
from rulewright.program.instructions import ONE, ZERO
from rulewright.syntax.choice_nodes import ChooseGroup
from rulewright.syntax.part_nodes import Into, Named


@compiles(ChooseGroup)
def compile_choose_group(ctx: Context, statement: ChooseGroup, scope: Scope, parts: StatementParts) -> None:
    """Compile `choose 3 or more from hand that make one meld into row`."""
    outcome = statement.outcome
    if isinstance(outcome, Named):
        local_names.check_new_name(ctx, outcome.name, scope)
    choice = GroupChoice(ctx, statement, scope)
    name = decisions.outcome_name(outcome)
    first = DecisionTexts(f"{scope.step}.{name}", parts.key, parts.text("ask"), parts.text("none"))
    ask = parts.text("ask more") or parts.text("ask")
    second = DecisionTexts(f"{scope.step}.{name} more", parts.key, ask, parts.text("none more"))
    cell_access.write_number(ctx, choice.bits, ZERO)
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    choice.add(compile_question(ctx, first, choice.candidates, scope), after)
    cell_access.begin_block(ctx, again, scope.step)
    inner = scope.for_inner_list()
    inner.bind("it", choice.so_far)
    choice.add(compile_question(ctx, second, choice.candidates, inner), after)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    if isinstance(outcome, Into):
        emit_wait_before_effect(ctx, scope)
        place, bottom = moves.target_of(ctx, outcome.target, scope)
        moves.emit_move(ctx, choice.so_far(), place, bottom)
    else:
        cell_access.bind_value(ctx, name, choice.so_far(), scope)


class GroupChoice:
    """Choice that grows piece by piece. bits: cell with a bit for each member of the source that is chosen."""

    def __init__(self, ctx: Context, statement: ChooseGroup, scope: Scope) -> None:
        self._ctx, self._statement, self._scope, self._scalar = ctx, statement, scope, ctx.scalar
        self.bits = cell_access.new_cell(ctx, NUMBER, 0, scope)

    def _source(self) -> MemberSet:
        """Compile all that there is to choose from, chosen or not."""
        with self._ctx.reading(self._scalar):
            return compile_set(self._ctx, self._statement.source, self._scope)

    def so_far(self) -> MemberSet:
        """Return the chosen members of the source, as a set; each use emits their read. The source is compiled now."""
        ctx, group = self._ctx, self._source()

        def make() -> int:
            return groups.members_with_bits(ctx, vector_of(ctx, group), cell_access.read_number(ctx, self.bits))

        return group_from_vector(ctx, group.type, group.capacity, make)

    def add(self, answer: SavedCell, after: int) -> None:
        """Emit the answer's addition to the choice; if it is empty, the jump to another block. after: that block."""
        ctx, answered = self._ctx, cell_access.load(self._ctx, answer)
        assert isinstance(answered, MemberSet)
        with ctx.emit.if_true(emit_is_empty(ctx, vector_of(ctx, answered))):
            ctx.emit.op("goto", after)
        more = bits_of_members(ctx, vector_of(ctx, self._source()), answered)
        before = cell_access.read_number(ctx, self.bits)
        cell_access.write_number(ctx, self.bits, ctx.emit.evaluate("add", before, more))

    def candidates(self) -> Candidates:
        """Emit the members with which a group remains possible."""
        ctx, statement, group = self._ctx, self._statement, self._source()
        with ctx.reading(self._scalar):
            if isinstance(statement.outcome, Into):
                zone, _ = moves.target_of(ctx, statement.outcome.target, self._scope)
                moves.require_allowed(ctx, group, zone, statement.source)
            least, most = decisions.choice_bounds(ctx, statement.how_many, self._scope, group)
            grouping = groups.group_test(ctx, statement.group, group, self._scope)
            members = vector_of(ctx, group)
            groups.emit_member_limit(ctx, members, statement)
            before = cell_access.read_number(ctx, self.bits)
            bits, open_, needed = ctx.emit.new_variable(ZERO), ctx.emit.new_variable(ZERO), ctx.emit.new_variable(ONE)
            sums = (groups.RunningSum(bits, lambda place: groups.emit_bit(ctx, place)),)
            fewest = ctx.emit.new_variable(least.operand)
            with ctx.emit.if_true(ctx.emit.evaluate("less", fewest, ONE)):
                ctx.emit.assign(fewest, ONE)

            def note(_: int) -> None:
                """Note the members of a group that holds what is chosen; the choice may end where it is that group."""
                with ctx.emit.if_true(ctx.emit.evaluate("equal", ctx.emit.evaluate("shared", bits, before), before)):
                    both = ctx.emit.evaluate("shared", open_, bits)
                    ctx.emit.compute_into("add", open_, open_, ctx.emit.evaluate("subtract", bits, both))
                    with ctx.emit.if_true(ctx.emit.evaluate("equal", bits, before)):
                        ctx.emit.assign(needed, ZERO)

            groups.for_each_group(ctx, members, group.type, grouping, note, least=fewest, most=most.operand, sums=sums)
            with ctx.emit.if_true(ctx.emit.evaluate("equal", before, ZERO)):
                ctx.emit.assign(needed, ctx.emit.evaluate("less", ZERO, least.operand))
            more = ctx.emit.evaluate("subtract", open_, ctx.emit.evaluate("shared", open_, before))
            offered = groups.members_with_bits(ctx, members, more)
            return Candidates(member_type(group.type), offered, needed, ONE, allows_some=True)


def bits_of_members(ctx: Context, members: int, some: MemberSet) -> int:
    """Emit the bits of those members of a vector that are in a set, as one number."""
    bits, place, vector = ctx.emit.new_variable(ZERO), ctx.emit.new_variable(ZERO), vector_of(ctx, some)
    with ctx.emit.each(members) as member:
        with ctx.emit.each(vector) as one:
            with ctx.emit.if_true(ctx.emit.evaluate("equal", member, one)):
                ctx.emit.compute_into("add", bits, bits, groups.emit_bit(ctx, place))
        ctx.emit.compute_into("add", place, place, ONE)
    return bits
