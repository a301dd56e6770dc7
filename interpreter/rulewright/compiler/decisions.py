"""Decisions: sentences that ask a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.base.records import record
from rulewright.compiler import (
    cell_access,
    control,
    effects,
    exits,
    name_resolution,
    simultaneous,
    texts,
    weighted_draw,
)
from rulewright.compiler.context import Context
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.registry import StatementParts, compiles
from rulewright.compiler.saved_cells import SavedCell
from rulewright.compiler.texts import one_line
from rulewright.compiler.typed_values import NUMBER, TRUTH, AtOnceProgress, Frame, Group, Scope, Value, describe
from rulewright.program.form import ASKED, ROUND, Site, Text, Type
from rulewright.syntax import sentences
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from rulewright.syntax.tree import (
    AtLeast,
    Between,
    Choose,
    ChooseAtRandom,
    ChooseNumber,
    ChooseOne,
    Exactly,
    HowMany,
    Into,
    Lookup,
    May,
    Named,
    Outcome,
    Path,
    PossessionOf,
    RepeatChoosing,
    Target,
    UpTo,
    Yes,
)

MAX_NUMBERS = 1000


@record
class DecisionTexts:
    """Name and texts of a decision. sentence: its source; branches: of a menu; each: text of a number as an answer,
    and the name for it there."""

    name: str
    sentence: Scalar
    ask: Scalar | None
    none: Scalar | None = None
    branches: tuple[str, ...] = ()
    branch_texts: tuple[Text, ...] = ()
    each: tuple[Scalar, str] | None = None


@record
class Candidates:
    """Candidates of a decision: a vector of one type, and operands for how many. capacity: bound of an answer; some:
    whether at least one must be chosen if there is any; by_place: cell that says whether equal pieces in different
    places are different, or -1."""

    element: Type
    vector: int
    least: int
    most: int
    capacity: int = 1
    some: bool = False
    by_place: int = -1


def ask_yes_no(
    ctx: Context,
    name: str,
    ask: Scalar | None,
    sentence: Scalar,
    then: Callable[[], None],
    scope: Scope,
    other: Callable[[], None] | None = None,
) -> None:
    """Ask a yes/no question; branch on the answer."""

    def candidates() -> Candidates:
        vector = ctx.emit.vector()
        ctx.emit.op("fixed", vector, ctx.plan.table((1, 0)))
        return Candidates(TRUTH, vector, ONE, ONE, some=True)

    slot = compile_question(ctx, DecisionTexts(name, sentence, ask), candidates, scope)
    answered = (*ctx.enclosing_sites, len(ctx.sites) - 1)
    answer = ctx.single(cell_access.load(ctx, slot), Path(None, ())).operand
    with ctx.after_answers(answered):
        control.emit_branch(ctx, answer, then, other, scope, True)


@compiles(May)
def compile_may(ctx: Context, statement: May, scope: Scope, parts: StatementParts) -> None:
    name = statement.name.text if statement.name is not None else "may"
    body = parts.clause("do") or SequenceNode([], parts.key.place)
    inner = scope.branch()
    ctx.ask_yes_no(
        f"{scope.step}.{name}",
        parts.text("ask"),
        parts.key,
        lambda: control.compile_statements(ctx, body, inner),
        scope,
    )


@compiles(Choose)
def compile_choose(ctx: Context, statement: Choose, scope: Scope, parts: StatementParts) -> None:
    group_tree, outcome = statement.source, statement.outcome
    scalar = ctx.scalar
    if isinstance(outcome, Named):
        effects.check_new_name(ctx, outcome.name, scope)

    condition = parts.text("by place")
    by_place = cell_access.new_cell(ctx, TRUTH, 0, scope) if condition is not None else None
    if condition is not None and by_place is not None:
        with ctx.reading(condition):
            expression = ctx.parse(condition, sentences.value)
            always = isinstance(expression, Yes)
            operand = ctx.value(expression, scope, TRUTH).operand if always else ctx.truth(expression, scope)
            cell_access.save(ctx, by_place, Value(TRUTH, operand, 0, 1))

    def candidates() -> Candidates:
        with ctx.reading(scalar):
            group = ctx.group(group_tree, scope)
            if condition is not None and group.type.base != "piece":
                message = f"'by place' is for pieces, which lie somewhere; this is {describe(group.type)}."
                raise ctx.error(group_tree, "type", message)
            least, most = choice_bounds(ctx, statement.how_many, scope, group)
            if isinstance(outcome, Into):
                effects.require_held(ctx, group, effects.target_of(ctx, outcome.target, scope)[0], group_tree)
            capacity = max(0, min(group.capacity, most.high))
            element = replace(group.type, many=False)
            vector = ctx.vector(group)
            cell = by_place.cell if by_place is not None else -1
            return Candidates(element, vector, least.operand, most.operand, capacity, most.low > 0, cell)

    name = outcome_name(outcome)
    question = DecisionTexts(f"{scope.step}.{name}", parts.key, parts.text("ask"), parts.text("none"))
    slot = compile_question(ctx, question, candidates, scope, moves=isinstance(outcome, Into))
    if isinstance(outcome, Into):
        pieces = cell_access.load(ctx, slot)
        assert isinstance(pieces, Group)
        place, bottom = effects.target_of(ctx, outcome.target, scope)
        effects.emit_move(ctx, pieces, place, bottom)
    else:
        scope.bind(name, lambda: cell_access.load(ctx, slot))


def outcome_name(outcome: Outcome) -> str:
    """Return the name of a decision: that of the choice, or of the zone that it goes to."""
    match outcome:
        case Named(name=name):
            return name.text
        case Into(target=Target(zone=Path(names=names) | PossessionOf(names=names) | Lookup(figure=Path(names=names)))):
            return names[-1].text
    return ""


def choice_bounds(ctx: Context, how_many: HowMany, scope: Scope, group: Group) -> tuple[Value, Value]:
    """Return the minimum and the maximum number of members to choose."""
    zero = Value(NUMBER, ZERO, 0, 0)
    everything = Value(NUMBER, constant(group.capacity), group.capacity, group.capacity)
    match how_many:
        case Exactly():
            number = ctx.number(how_many.number, scope)
            return number, number
        case Between():
            return ctx.number(how_many.low, scope), ctx.number(how_many.high, scope)
        case AtLeast():
            return ctx.number(how_many.number, scope), everything
        case UpTo():
            return zero, ctx.number(how_many.number, scope)
    return zero, everything


@compiles(ChooseAtRandom)
def compile_choose_at_random(ctx: Context, statement: ChooseAtRandom, scope: Scope, parts: StatementParts) -> None:
    weight, outcome = statement.weight, statement.outcome
    group = ctx.group(statement.source, scope)
    if not isinstance(statement.how_many, Exactly):
        raise ctx.error(statement.how_many, "syntax", "Chance is told exactly how many to choose.")
    amount = ctx.number(statement.how_many.number, scope)

    def make() -> int:
        if weight is not None:
            return weighted_draw.draw_weighted(
                ctx, group, amount.operand, lambda item: ctx.number(weight, scope.within(item)).operand, weight
            )
        vector = ctx.copy_vector(group)
        ctx.emit.op("draw", vector, amount.operand)
        return vector

    members = ctx.group_from_vector(group.type, max(0, min(group.capacity, amount.high)), make)
    if isinstance(outcome, Named):
        effects.check_new_name(ctx, outcome.name, scope)
        cell_access.bind_value(ctx, outcome.name.text, members, scope)
    elif isinstance(outcome, Into):
        place, bottom = effects.target_of(ctx, outcome.target, scope)
        effects.require_held(ctx, group, place, statement.source)
        effects.emit_move(ctx, members, place, bottom)


@compiles(ChooseNumber)
def compile_choose_number(ctx: Context, statement: ChooseNumber, scope: Scope, parts: StatementParts) -> None:
    name = statement.name
    effects.check_new_name(ctx, name, scope)

    def candidates() -> Candidates:
        low, high = ctx.number(statement.low, scope), ctx.number(statement.high, scope)
        vector = ctx.emit.vector()
        ctx.emit.op("numbers", vector, low.operand, high.operand, MAX_NUMBERS)
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
        times = details.get("times") if isinstance(details, MappingNode) else None
        if isinstance(times, Scalar):
            left[index] = cell_access.new_cell(ctx, NUMBER, 0, scope)
            with ctx.reading(times):
                cell_access.save(ctx, left[index], ctx.number(ctx.parse(times, sentences.value), scope))
    again, after = cell_access.new_block(ctx), cell_access.new_block(ctx)
    cell_access.begin_block(ctx, again, scope.step)
    ctx.emit.spend()
    frame = Frame("loop", after=after)
    inner = scope.branch().inside(frame)
    control.compile_loop_body(ctx, lambda: compile_menu(ctx, statement, inner, parts, left, after), inner, statement)
    ctx.emit.op("goto", again)
    cell_access.begin_block(ctx, after, scope.step)
    exits.merge_arrivals(ctx, frame, scope)


def branches_of(
    ctx: Context, statement: ChooseOne | RepeatChoosing, parts: StatementParts
) -> list[tuple[Scalar, Node]]:
    """Return name and details of each branch of a menu. Raises ReportedError if there are none."""
    among = parts.clause("among")
    if not isinstance(among, MappingNode) or not among.keys:
        raise ctx.error(
            statement,
            "among-missing",
            "'choose one' says with 'among' what there is to choose: a name for each branch.",
        )
    return list(among.items())


def compile_menu(
    ctx: Context,
    statement: ChooseOne | RepeatChoosing,
    scope: Scope,
    parts: StatementParts,
    left: dict[int, SavedCell],
    leave: int | None,
) -> None:
    """Ask for one branch and do it. left: cells of how often each may still be chosen, where limited; leave: block
    to go to if none is chosen."""
    branches = branches_of(ctx, statement, parts)
    name = statement.name.text if statement.name is not None else "one"

    def remaining(index: int) -> int:
        return ctx.emit.load(left[index].cell, cell_access.cell_index(ctx, left[index]))

    def candidates() -> Candidates:
        vector = ctx.emit.vector()
        ctx.emit.op("vector", vector)
        for index, (_, details) in enumerate(branches):
            condition = details.get("if") if isinstance(details, MappingNode) else None
            holds = ctx.emit.value("less", ZERO, remaining(index)) if index in left else ONE
            with ctx.emit.if_true(holds):
                if isinstance(condition, Scalar):
                    with ctx.reading(condition):
                        holds = ctx.truth(ctx.parse(condition, sentences.value), scope)
                else:
                    holds = ONE
                with ctx.emit.if_true(holds):
                    ctx.emit.op("push", vector, constant(index))
        return Candidates(Type("branch"), vector, minimum_choices(ctx, parts, scope), ONE)

    texts = [
        static_text(ctx, details.get("text") if isinstance(details, MappingNode) else None, key, scope)
        for key, details in branches
    ]
    names = tuple(key.text for key, _ in branches)
    id_ = f"{scope.step}.{name}"
    question = DecisionTexts(id_, parts.key, parts.text("ask"), parts.text("none"), names, tuple(texts))
    with control.checking_bodies_on_error(ctx, parts.node, scope, True):
        slot = compile_question(ctx, question, candidates, scope)
    answered = (*ctx.enclosing_sites, len(ctx.sites) - 1)
    answer_cell = cell_access.new_cell(ctx, NUMBER, 0, scope)
    answer = ctx.emit.variable(NONE)
    with ctx.emit.each(ctx.vector(ctx.as_group(cell_access.load(ctx, slot)))) as branch:
        ctx.emit.assign(answer, branch)
    if leave is not None:
        with ctx.emit.if_true(ctx.emit.value("equal", answer, NONE)):
            ctx.emit.op("goto", leave)
    ctx.emit.store(answer_cell.cell, cell_access.cell_index(ctx, answer_cell), answer)
    before = ctx.progress(scope)
    after = before
    for index, (_, details) in enumerate(branches):
        body = details.get("do") if isinstance(details, MappingNode) else details
        if body is None:
            continue
        ctx.set_progress(scope, before)
        condition = ctx.emit.value(
            "equal", ctx.emit.load(answer_cell.cell, cell_access.cell_index(ctx, answer_cell)), constant(index)
        )
        inner = scope.branch()
        with ctx.after_answers(answered):
            control.emit_branch(ctx, condition, counted_branch(ctx, body, inner, left.get(index)), None, scope, True)
        after = after.or_else(ctx.progress(scope))
    ctx.set_progress(scope, after)


def minimum_choices(ctx: Context, parts: StatementParts, scope: Scope) -> int:
    """Return how many branches must be chosen: 0 where the menu may be declined."""
    condition = parts.text("none if")
    if parts.text("none") is None:
        if condition is not None:
            message = "'none if' tells when nothing need be chosen, but there is no 'none'."
            ctx.report.error(condition.place, "missing-key", message, "Say with 'none' what that is called.")
        return ONE
    if condition is None:
        return ZERO
    with ctx.reading(condition):
        least = ctx.emit.variable(ONE)
        with ctx.emit.if_true(ctx.truth(ctx.parse(condition, sentences.value), scope)):
            ctx.emit.assign(least, ZERO)
        return least


def counted_branch(ctx: Context, body: Node, scope: Scope, left: SavedCell | None) -> Callable[[], None]:
    """Return the function that compiles a branch and counts down its `times`."""

    def do() -> None:
        if left is not None:
            index = cell_access.cell_index(ctx, left)
            ctx.emit.store(left.cell, index, ctx.emit.value("subtract", ctx.emit.load(left.cell, index), ONE))
        control.compile_statements(ctx, body, scope)

    return do


def refuse_slots(ctx: Context, text: Node | None) -> None:
    """Report slots in a text that cannot have any."""
    if isinstance(text, Scalar) and "{" in text.text:
        message = "This text is always the same: only 'ask', 'log' and rules have {slots}."
        ctx.report.error(text.place, "slot", message)


def static_text(ctx: Context, node: Node | None, key: Scalar, scope: Scope) -> Text:
    """Return the text of a branch, by default its capitalized key."""
    refuse_slots(ctx, node)
    text = node.text if isinstance(node, Scalar) else key.text.capitalize()
    return Text(f"{scope.step}.{key.text}", one_line(text))


def compile_question(
    ctx: Context, question: DecisionTexts, candidates: Callable[[], Candidates], scope: Scope, moves: bool = False
) -> SavedCell:
    """Compile a decision of the acting seat; return the cell of its answer.

    moves: whether the choice moves at once; inside an `at once` that waits.
    """
    if not scope.flat:
        raise ctx.error(None, "cannot-ask", "Nobody can be asked here.")
    if ctx.progress(scope).effects:
        message = "Inside 'at once' every choice comes before anything happens, or its answer could show too early."
        raise ctx.error(None, "choice-after-effect", message)
    asking, resume = cell_access.new_block(ctx), cell_access.new_block(ctx)
    cell_access.begin_block(ctx, asking, scope.step)
    offered = candidates()
    slot = cell_access.new_cell(ctx, replace(offered.element, many=True), offered.capacity, scope)
    parks = moves and scope.sealed >= 0
    with ctx.emit.if_true(has_no_choice(ctx, offered)):
        ctx.emit.op("keep", simultaneous.empty_vector(ctx), slot.cell, cell_access.cell_index(ctx, slot))
        if parks:
            simultaneous.park(ctx, scope, resume)
        else:
            ctx.emit.op("goto", resume)
    refuse_slots(ctx, question.none)
    id_ = unique_id(ctx, question)
    text, arguments = texts.compile_text(ctx, question.ask, f"{id_}.ask", scope)
    none = Text(f"{id_}.none", one_line(question.none.text)) if question.none is not None else None
    if ctx.edition.limit.rounds is None:
        ctx.emit.store(ASKED, ZERO, ctx.emit.load(ROUND))
    ctx.emit.op(
        "ask",
        len(ctx.sites),
        name_resolution.acting_seat(ctx, scope),
        offered.vector,
        offered.least,
        offered.most,
        *arguments,
    )
    ctx.sites.append(
        Site(
            id=id_,
            element=offered.element,
            ask=text,
            none=none,
            step=scope.step,
            slot=slot.cell,
            per_seat=slot.per_seat,
            resume=resume,
            sealed=scope.sealed,
            parks=parks,
            branches=question.branches,
            branch_texts=question.branch_texts,
            by_place=offered.by_place,
            among=scope.among,
            number_text=texts.number_answer_text(ctx, *question.each, f"{id_}.text")
            if question.each is not None
            else None,
            within=ctx.enclosing_sites,
        )
    )
    cell_access.begin_block(ctx, resume, scope.step)
    if parks:
        simultaneous.allow_parking_at(ctx, scope, resume)
        ctx.set_progress(scope, AtOnceProgress(effects=True, waited=True))
    return slot


def has_no_choice(ctx: Context, offered: Candidates) -> int:
    """Emit whether a decision is skipped: no candidates, or none may be chosen."""
    empty = ctx.is_empty(offered.vector)
    if offered.some:
        return empty
    nothing = ctx.emit.variable(empty)
    with ctx.emit.if_true(ctx.emit.value("at_most", offered.most, ZERO)):
        ctx.emit.assign(nothing, ONE)
    return nothing


def unique_id(ctx: Context, question: DecisionTexts) -> str:
    """The decision's id: its name, numbered where a step has several of that name."""
    places = ctx.site_ids.setdefault(question.name, [])
    if question.sentence.place not in places:
        places.append(question.sentence.place)
    number = places.index(question.sentence.place) + 1
    return question.name if number == 1 else f"{question.name} {number}"
