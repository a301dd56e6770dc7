"""Decisions: sentences that ask a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.compiler import cell_access, control, exits, local_names, loops, messages, moves, weighted_draw
from rulewright.compiler.context import Context
from rulewright.compiler.questions import Candidates, DecisionTexts, ask_yes_no, compile_question, refuse_slots
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.saved_cells import SavedCell
from rulewright.compiler.scopes import Frame, Scope
from rulewright.compiler.set_operations import as_set, copy_vector, empty_vector, group_from_vector, vector_of
from rulewright.compiler.texts import one_line
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_number, compile_set, compile_truth, compile_value
from rulewright.compiler.typed_values import NUMBER, TRUTH, MemberSet, Value
from rulewright.program.form import Text
from rulewright.program.instructions import NONE, ONE, ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.choice_nodes import Choose, ChooseAtRandom, ChooseNumber, ChooseOne, May, RepeatChoosing
from rulewright.syntax.condition_nodes import Yes
from rulewright.syntax.expression_nodes import Lookup, Path, PossessionOf
from rulewright.syntax.part_nodes import AtLeast, Between, Exactly, HowMany, Into, Named, Outcome, Target, UpTo
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode, value_of

MAX_NUMBERS = 1000
"""Maximum number of numbers to choose from, the lowest on; those beyond are not offered."""


@compiles(May)
def compile_may(ctx: Context, statement: May, scope: Scope, parts: StatementParts) -> None:
    """Compile `may`: ask whether to do what stands below."""
    name = statement.name.text if statement.name is not None else "may"
    body = parts.clause("do") or SequenceNode([], parts.key.place)
    inner = scope.for_inner_list()
    ask_yes_no(
        ctx,
        f"{scope.step}.{name}",
        parts.text("ask"),
        parts.key,
        lambda: control.compile_statements(ctx, body, inner),
        scope,
    )


@compiles(Choose)
def compile_choose(ctx: Context, statement: Choose, scope: Scope, parts: StatementParts) -> None:
    """Compile `choose 2 from hand as gift`, or `… into row`, which moves the pieces."""
    group_tree, outcome = statement.source, statement.outcome
    scalar = ctx.scalar
    if isinstance(outcome, Named):
        local_names.check_new_name(ctx, outcome.name, scope)

    condition = parts.text("by place")
    by_place = cell_access.new_cell(ctx, TRUTH, 0, scope) if condition is not None else None
    if condition is not None and by_place is not None:
        with ctx.reading(condition):
            expression = ctx.parse(condition, sentences.value)
            always = isinstance(expression, Yes)
            operand = (
                compile_value(ctx, expression, scope, TRUTH).operand
                if always
                else compile_truth(ctx, expression, scope)
            )
            cell_access.save(ctx, by_place, Value(TRUTH, operand, 0, 1))

    def candidates() -> Candidates:
        """Compile the candidates, how many are chosen, and their capacity."""
        with ctx.reading(scalar):
            members = compile_set(ctx, group_tree, scope)
            if condition is not None and members.type.base != "piece":
                raise ctx.error(group_tree, messages.BY_PLACE_NEEDS_PIECES(given=describe(members.type)))
            least, most = choice_bounds(ctx, statement.how_many, scope, members)
            if isinstance(outcome, Into):
                moves.require_allowed(ctx, members, moves.target_of(ctx, outcome.target, scope)[0], group_tree)
            capacity = max(0, min(members.capacity, most.high))
            element = replace(members.type, many=False)
            vector = vector_of(ctx, members)
            cell = by_place.cell if by_place is not None else -1
            return Candidates(element, vector, least.operand, most.operand, capacity, most.low > 0, cell)

    name = outcome_name(outcome)
    question = DecisionTexts(
        f"{scope.step}.{name}",
        parts.key,
        parts.text("ask"),
        parts.text("none"),
        some=parts.text("some"),
        whole=parts.text("all"),
        none_at=zone_of_nothing(ctx, parts.text("none at"), scope),
    )
    slot = compile_question(ctx, question, candidates, scope, moves=isinstance(outcome, Into))
    if isinstance(outcome, Into):
        pieces = cell_access.load(ctx, slot)
        assert isinstance(pieces, MemberSet)
        place, bottom = moves.target_of(ctx, outcome.target, scope)
        moves.emit_move(ctx, pieces, place, bottom)
    else:
        scope.bind(name, lambda: cell_access.load(ctx, slot))


def zone_of_nothing(ctx: Context, name: Scalar | None, scope: Scope) -> str:
    """Return the name of the zone that stands for choosing nothing; '' without one. Raises the error of a wrong one."""
    if name is None:
        return ""
    with ctx.reading(name):
        tree = ctx.parse(name, sentences.value)
        compile_set(ctx, tree, scope)
    return name.text


def outcome_name(outcome: Outcome) -> str:
    """Return the name of a decision: that of the choice, or of the zone that it goes to; '' for a zone without a
    name."""
    match outcome:
        case Named(name=name):
            return name.text
        case Into(target=Target(zone=Path(names=names) | PossessionOf(names=names) | Lookup(figure=Path(names=names)))):
            return names[-1].text
    return ""


def choice_bounds(ctx: Context, how_many: HowMany, scope: Scope, members: MemberSet) -> tuple[Value, Value]:
    """Emit the minimum and the maximum number of members to choose, and return them; the sentence alone decides, not
    how many members there are."""
    zero = Value(NUMBER, ZERO, 0, 0)
    everything = Value(NUMBER, constant(members.capacity), members.capacity, members.capacity)
    match how_many:
        case Exactly():
            number = compile_number(ctx, how_many.number, scope)
            return number, number
        case Between():
            return compile_number(ctx, how_many.low, scope), compile_number(ctx, how_many.high, scope)
        case AtLeast():
            return compile_number(ctx, how_many.number, scope), everything
        case UpTo():
            return zero, compile_number(ctx, how_many.number, scope)
    return zero, everything


@compiles(ChooseAtRandom)
def compile_choose_at_random(ctx: Context, statement: ChooseAtRandom, scope: Scope, parts: StatementParts) -> None:
    """Compile a random choice, uniform or weighted, without a question."""
    weight, outcome = statement.weight, statement.outcome
    things = compile_set(ctx, statement.source, scope)
    if not isinstance(statement.how_many, Exactly):
        raise ctx.error(statement.how_many, messages.CHANCE_NEEDS_NUMBER())
    amount = compile_number(ctx, statement.how_many.number, scope)

    def make() -> int:
        if weight is not None:
            return weighted_draw.draw_weighted(
                ctx,
                things,
                amount.operand,
                lambda item: compile_number(ctx, weight, scope.with_item(item)).operand,
                weight,
            )
        vector = copy_vector(ctx, things)
        ctx.emit.op("draw", vector, amount.operand)
        return vector

    members = group_from_vector(ctx, things.type, max(0, min(things.capacity, amount.high)), make)
    if isinstance(outcome, Named):
        local_names.check_new_name(ctx, outcome.name, scope)
        cell_access.bind_value(ctx, outcome.name.text, members, scope)
    elif isinstance(outcome, Into):
        place, bottom = moves.target_of(ctx, outcome.target, scope)
        moves.require_allowed(ctx, things, place, statement.source)
        moves.emit_move(ctx, members, place, bottom)


@compiles(ChooseNumber)
def compile_choose_number(ctx: Context, statement: ChooseNumber, scope: Scope, parts: StatementParts) -> None:
    """Compile `choose number from 1 to gold as bid`; its name is bound to the answer."""
    name = statement.name
    local_names.check_new_name(ctx, name, scope)

    def candidates() -> Candidates:
        low, high = compile_number(ctx, statement.low, scope), compile_number(ctx, statement.high, scope)
        vector = ctx.emit.compute_vector("numbers", low.operand, high.operand, MAX_NUMBERS)
        return Candidates(NUMBER, vector, ONE if none is None else ZERO, ONE)

    none, text = parts.text("none"), parts.text("text")
    each = (text, str(name)) if text is not None else None
    question = DecisionTexts(f"{scope.step}.{name}", parts.key, parts.text("ask"), none, each=each)
    slot = compile_question(ctx, question, candidates, scope)
    scope.bind(str(name), lambda: cell_access.load(ctx, slot))


@compiles(ChooseOne)
def compile_choose_one(ctx: Context, statement: ChooseOne, scope: Scope, parts: StatementParts) -> None:
    """Compile a menu: branches with text, condition and body."""
    compile_menu(ctx, statement, scope, parts, {}, None)


@compiles(RepeatChoosing)
def compile_repeat_choosing(ctx: Context, statement: RepeatChoosing, scope: Scope, parts: StatementParts) -> None:
    """Compile a menu that repeats until nothing is chosen, or can be; each branch at most its `times`."""
    left: dict[int, SavedCell] = {}
    for index, (_, details) in enumerate(branches_of(ctx, statement, parts)):
        times = value_of(details, "times")
        if isinstance(times, Scalar):
            left[index] = cell_access.new_cell(ctx, NUMBER, 0, scope)
            with ctx.reading(times):
                cell_access.save(ctx, left[index], compile_number(ctx, ctx.parse(times, sentences.value), scope))
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    cell_access.begin_block(ctx, again, scope.step)
    ctx.emit.spend()
    frame = Frame("loop", after=after)
    inner = scope.for_inner_list().with_frame(frame)
    loops.compile_loop_body(ctx, lambda: compile_menu(ctx, statement, inner, parts, left, after), inner, statement)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    exits.merge_arrivals(ctx, frame, scope)


def branches_of(
    ctx: Context, statement: ChooseOne | RepeatChoosing, parts: StatementParts
) -> list[tuple[Scalar, Node]]:
    """Return name and details of each branch of a menu. Raises ReportedError if there are none."""
    among = parts.clause("among")
    if not isinstance(among, MappingNode) or not among.keys:
        raise ctx.error(statement, messages.AMONG_MISSING())
    return list(among.items())


def compile_menu(
    ctx: Context,
    statement: ChooseOne | RepeatChoosing,
    scope: Scope,
    parts: StatementParts,
    left: dict[int, SavedCell],
    leave: int | None,
) -> None:
    """Ask for one branch and do it. left: number of a branch -> cell of how often it may still be chosen, for those
    that are limited; leave: block to go to if none is chosen, None to go on behind the menu."""
    branches = branches_of(ctx, statement, parts)
    texts = [static_text(ctx, value_of(details, "text"), key, scope) for key, details in branches]
    question = DecisionTexts(
        f"{scope.step}.{statement.name.text if statement.name is not None else 'one'}",
        parts.key,
        parts.text("ask"),
        parts.text("none"),
        tuple(key.text for key, _ in branches),
        tuple(texts),
    )
    with control.checking_bodies_on_error(ctx, parts.node, scope, True):
        slot = compile_question(ctx, question, lambda: possible_branches(ctx, branches, scope, parts, left), scope)
    site = len(ctx.output.sites) - 1
    ctx.output.sites[site] = replace(ctx.output.sites[site], steady=_steady_branch(ctx, branches))
    answered = (*ctx.enclosing_sites, site)
    answer_cell = cell_access.new_cell(ctx, NUMBER, 0, scope)
    answer = ctx.emit.new_variable(NONE)
    with ctx.emit.each(vector_of(ctx, as_set(ctx, cell_access.load(ctx, slot)))) as branch:
        ctx.emit.assign(answer, branch)
    if leave is not None:
        with ctx.emit.if_true(ctx.emit.evaluate("equal", answer, NONE)):
            ctx.emit.op("goto", leave)
    cell_access.write_number(ctx, answer_cell, answer)
    before = ctx.output.progress(scope)
    after = before
    for index, (_, details) in enumerate(branches):
        body = value_of(details, "do") if isinstance(details, MappingNode) else details
        if body is None:
            continue
        ctx.output.set_progress(scope, before)
        condition = ctx.emit.evaluate("equal", cell_access.read_number(ctx, answer_cell), constant(index))
        inner = scope.for_inner_list()
        with ctx.after_answers(answered):
            control.emit_branch(ctx, condition, counted_branch(ctx, body, inner, left.get(index)), None, scope, True)
        after = after.or_else(ctx.output.progress(scope))
    ctx.output.set_progress(scope, after)


def _steady_branch(ctx: Context, branches: list[tuple[Scalar, Node]]) -> int:
    """Return the first branch that can always be chosen and does not end the game, where another may end it; else
    -1."""
    bodies = [value_of(details, "do") if isinstance(details, MappingNode) else details for _, details in branches]
    ends = [body is not None and ctx.analysis.may_end_game(body) for body in bodies]
    steady = [n for n, (_, details) in enumerate(branches) if not ends[n] and value_of(details, "if") is None]
    return steady[0] if any(ends) and steady else -1


def possible_branches(
    ctx: Context, branches: list[tuple[Scalar, Node]], scope: Scope, parts: StatementParts, left: dict[int, SavedCell]
) -> Candidates:
    """Emit the branches whose conditions hold and whose `times` are left."""
    vector = empty_vector(ctx)
    for index, (_, details) in enumerate(branches):
        condition = value_of(details, "if")
        remains = ctx.emit.evaluate("less", ZERO, cell_access.read_number(ctx, left[index])) if index in left else ONE
        with ctx.emit.if_true(remains):
            holds = ONE
            if isinstance(condition, Scalar):
                with ctx.reading(condition):
                    holds = compile_truth(ctx, ctx.parse(condition, sentences.value), scope)
            with ctx.emit.if_true(holds):
                ctx.emit.op("push", vector, constant(index))
    return Candidates(Type("branch"), vector, minimum_choices(ctx, parts, scope), ONE)


def minimum_choices(ctx: Context, parts: StatementParts, scope: Scope) -> int:
    """Emit how many branches must be chosen, and return the operand: 0 where the menu may be declined, else 1. A `none
    if` without `none` is reported."""
    condition = parts.text("none if")
    if parts.text("none") is None:
        if condition is not None:
            ctx.report.error(condition.place, messages.NONE_IF_WITHOUT_NONE(), messages.SAY_NONE())
        return ONE
    if condition is None:
        return ZERO
    with ctx.reading(condition):
        least = ctx.emit.new_variable(ONE)
        with ctx.emit.if_true(compile_truth(ctx, ctx.parse(condition, sentences.value), scope)):
            ctx.emit.assign(least, ZERO)
        return least


def counted_branch(ctx: Context, body: Node, scope: Scope, left: SavedCell | None) -> Callable[[], None]:
    """Return the function that compiles a branch and counts down its `times`. left: its cell, None without a limit."""

    def do() -> None:
        if left is not None:
            remaining = cell_access.read_number(ctx, left)
            cell_access.write_number(ctx, left, ctx.emit.evaluate("subtract", remaining, ONE))
        control.compile_statements(ctx, body, scope)

    return do


def static_text(ctx: Context, node: Node | None, key: Scalar, scope: Scope) -> Text:
    """Return the text of a branch, by default its capitalized key; slots in it are reported."""
    refuse_slots(ctx, node)
    text = node.text if isinstance(node, Scalar) else key.text.capitalize()
    return Text(f"{scope.step}.{key.text}", one_line(text))
