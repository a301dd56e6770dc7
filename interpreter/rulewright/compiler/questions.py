"""Questions to a seat: candidates, texts, the site of the decision and the cell of its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.base.records import record
from rulewright.compiler import cell_access, control, messages, name_resolution, texts
from rulewright.compiler.context import Context
from rulewright.compiler.parking import allow_parking_at, park
from rulewright.compiler.saved_cells import SavedCell
from rulewright.compiler.scopes import AtOnceProgress, Scope
from rulewright.compiler.set_operations import emit_is_empty, empty_vector
from rulewright.compiler.texts import one_line
from rulewright.compiler.type_checks import single_value
from rulewright.compiler.typed_values import TRUTH
from rulewright.program.form import Site, Text
from rulewright.program.instructions import ONE, ZERO
from rulewright.program.state_layout import QUESTION_ROUND, ROUND
from rulewright.program.value_types import Type
from rulewright.syntax.expression_nodes import Path
from rulewright.syntax.source import Node, Scalar


@record
class DecisionTexts:
    """Name and texts of a decision.

    - sentence: its source
    - ask: the question
    - none, some, whole: texts of choosing nothing, something and everything, None where that has no text
    - branches, branch_texts: names and texts of a menu's entries
    - each: text of a number as an answer, and the name for it there
    - none_at: zone that stands for choosing nothing, or ''
    """

    name: str
    sentence: Scalar
    ask: Scalar | None
    none: Scalar | None = None
    branches: tuple[str, ...] = ()
    branch_texts: tuple[Text, ...] = ()
    each: tuple[Scalar, str] | None = None
    some: Scalar | None = None
    whole: Scalar | None = None
    none_at: str = ""


@record
class Candidates:
    """Candidates of a decision.

    - vector: of what can be chosen
    - element: type of its items
    - least, most: operands for how many are chosen
    - capacity: bound of the size of an answer
    - allows_some: whether `most` is known to be at least 1, so that only a lack of candidates skips the decision
    - by_place: cell that says whether equal pieces in different places are different, or -1
    """

    element: Type
    vector: int
    least: int
    most: int
    capacity: int = 1
    allows_some: bool = False
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
    """Emit a yes/no question to the acting seat and the branches for its answers. name: of the decision; sentence: its
    source; then, other: compile the branches for yes and no."""

    def candidates() -> Candidates:
        vector = ctx.emit.compute_vector("fixed", ctx.plan.add_table((1, 0)))
        return Candidates(TRUTH, vector, ONE, ONE, allows_some=True)

    slot = compile_question(ctx, DecisionTexts(name, sentence, ask), candidates, scope)
    answered = (*ctx.enclosing_sites, len(ctx.output.sites) - 1)
    answer = single_value(ctx, cell_access.load(ctx, slot), Path(None, ())).operand
    with ctx.after_answers(answered):
        control.emit_branch(ctx, answer, then, other, scope, True)


def compile_question(
    ctx: Context, question: DecisionTexts, candidates: Callable[[], Candidates], scope: Scope, moves: bool = False
) -> SavedCell:
    """Compile a decision of the acting seat; return the cell of its answer, a set, which is empty where nothing was
    chosen or could be. Raises ReportedError where the scope allows no decision, after an effect inside an `at once`,
    or where nobody acts.

    candidates: emits them, in a block of its own where registers from before are gone; moves: whether the chosen pieces
    move at once: inside an `at once` the seat then waits after its answer, until all have answered.
    """
    if not scope.can_ask:
        raise ctx.error(None, messages.CANNOT_ASK())
    if ctx.output.progress(scope).effects:
        raise ctx.error(None, messages.CHOICE_AFTER_EFFECT())
    asking, resume = cell_access.new_block(ctx), cell_access.new_block(ctx)
    cell_access.begin_block(ctx, asking, scope.step)
    offered = candidates()
    slot = cell_access.new_cell(ctx, replace(offered.element, many=True), offered.capacity, scope)
    parks = moves and scope.at_once >= 0
    with ctx.emit.if_true(emit_has_no_choice(ctx, offered)):
        cell_access.write_set(ctx, slot, empty_vector(ctx))
        if parks:
            park(ctx, scope, resume)
        else:
            ctx.emit.op("goto", resume)
    emit_ask(ctx, question, offered, scope, slot, resume)
    cell_access.begin_block(ctx, resume, scope.step)
    if parks:
        allow_parking_at(ctx, scope, resume)
        ctx.output.set_progress(scope, AtOnceProgress(effects=True, waited=True))
        ctx.output.sites[-1] = replace(ctx.output.sites[-1], parks=True)
    return slot


def emit_ask(
    ctx: Context, question: DecisionTexts, offered: Candidates, scope: Scope, slot: SavedCell, resume: int
) -> None:
    """Emit the question to the acting seat, and add its decision site. offered: its candidates; slot: cell of the
    answer; resume: block that goes on after it."""
    id_ = register_id(ctx, question)
    text, arguments = texts.compile_text(ctx, question.ask, f"{id_}.ask", scope)
    none, some, whole = (
        answer_text(ctx, f"{id_}.{key}", text)
        for key, text in (("none", question.none), ("some", question.some), ("all", question.whole))
    )
    if ctx.edition.limit.rounds is None:
        ctx.emit.store(QUESTION_ROUND, ZERO, ctx.emit.load(ROUND))
    seat = name_resolution.acting_seat(ctx, scope)
    bounds = offered.least, offered.most
    ctx.emit.op("ask", len(ctx.output.sites), seat, offered.vector, *bounds, *arguments)
    each = question.each
    ctx.output.sites.append(
        Site(
            id=id_,
            element=offered.element,
            ask=text,
            none=none,
            some=some,
            whole=whole,
            none_at=question.none_at,
            step=scope.step,
            slot=slot.cell,
            per_seat=slot.per_seat,
            resume=resume,
            sealed=scope.at_once,
            branches=question.branches,
            branch_texts=question.branch_texts,
            by_place=offered.by_place,
            remaining_seats=scope.seats_in_round,
            number_text=None if each is None else texts.number_answer_text(ctx, *each, f"{id_}.text"),
            enclosing=ctx.enclosing_sites,
        )
    )


def answer_text(ctx: Context, id_: str, text: Scalar | None) -> Text | None:
    """Return the text of an answer; None without one."""
    refuse_slots(ctx, text)
    return Text(id_, one_line(text.text)) if text is not None else None


def refuse_slots(ctx: Context, text: Node | None) -> None:
    """Report slots in a text that cannot have any. text: None, or anything that is no text, has none."""
    if isinstance(text, Scalar) and "{" in text.text:
        ctx.report.error(text.place, messages.TEXT_WITHOUT_SLOTS())


def emit_has_no_choice(ctx: Context, offered: Candidates) -> int:
    """Emit whether a decision is skipped: no candidates, or none may be chosen."""
    empty = emit_is_empty(ctx, offered.vector)
    if offered.allows_some:
        return empty
    nothing = ctx.emit.new_variable(empty)
    with ctx.emit.if_true(ctx.emit.evaluate("at_most", offered.most, ZERO)):
        ctx.emit.assign(nothing, ONE)
    return nothing


def register_id(ctx: Context, question: DecisionTexts) -> str:
    """Register the id of a decision and return it: its name, numbered where other sentences have that name."""
    places = ctx.output.site_ids.setdefault(question.name, [])
    if question.sentence.place not in places:
        places.append(question.sentence.place)
    number = places.index(question.sentence.place) + 1
    return question.name if number == 1 else f"{question.name} {number}"
