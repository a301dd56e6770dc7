"""Score lines, the ranking, and the statistics that an edition declares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from rulewright.compiler import arithmetic, messages, ordering
from rulewright.compiler.context import Context
from rulewright.compiler.pure_functions import (
    compile_function,
    compile_number_function,
    compile_rule_text,
    is_fraction,
    result_visibility,
    seat_scope,
)
from rulewright.compiler.set_operations import empty_vector
from rulewright.compiler.type_checks import single_value
from rulewright.compiler.typed_expressions import meaning_of_text
from rulewright.compiler.typed_values import FRACTION, NUMBER, SEAT, ReportedError, Value
from rulewright.program.form import Measure, RuleText, ScoreLine, Text
from rulewright.program.instructions import ZERO
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.expression_nodes import Path
from rulewright.syntax.part_nodes import ExtremeFirst, Key, TrueFirst
from rulewright.syntax.source import Scalar


def compile_scoring(ctx: Context) -> tuple[tuple[ScoreLine, ...], tuple[int, ...], bool]:
    """Return the lines, the numbers of the functions of the ranking's keys, greater for who comes first, and whether
    its first key puts the lowest first. Wrong lines have the number -1, wrong keys are left out; both are reported.
    Changes `ctx.visibilities`."""
    lines: list[ScoreLine] = []
    type_ = points_type(ctx)
    for line in ctx.edition.scoring:
        ctx.visibilities.clear()
        number = compile_number_function(ctx, line.points, seat_scope(ctx, line.name), type_)
        title = Text(f"scoring.{line.name}.title", line.title)
        lines.append(ScoreLine(line.name, title, number, result_visibility(ctx)))
    ranking: list[int] = []
    order = ctx.edition.ranking or Scalar("highest score", ctx.plan.nowhere)
    warned_of_doubts = ctx.remarks.warns_of_doubts
    ctx.remarks.warns_of_doubts = (
        warned_of_doubts and ctx.edition.ranking is not None
    )  # the default ranking raises none
    with ctx.reading(order):
        try:
            tree = ctx.parse(order, sentences.keys)
        except ReportedError:
            return tuple(lines), (), False
        for key in tree.keys:
            ranking += compile_ranking_key(ctx, key)
    ctx.remarks.warns_of_doubts = warned_of_doubts
    first = tree.keys[0]
    lowest_first = isinstance(first, ExtremeFirst) and first.which == "lowest"
    return tuple(lines), tuple(ranking), lowest_first


def points_type(ctx: Context) -> Type:
    """Return the type of all score lines: FRACTION if any of them has a fraction."""
    for line in ctx.edition.scoring:
        with suppress(ReportedError), ctx.reading(line.points):
            if is_fraction(ctx, ctx.parse(line.points, sentences.value), seat_scope(ctx, line.name)):
                return FRACTION
    return NUMBER


def compile_ranking_key(ctx: Context, key: Key) -> Iterator[int]:
    """Compile one key of the ranking; yield its function's number unless it is wrong."""
    scope = seat_scope(ctx, "ranking")
    if not isinstance(key, ExtremeFirst | TrueFirst):
        ctx.error(key, messages.RANKING_KEY())
        return
    scope.bind("score", partial(emit_total_score, ctx))

    def make() -> list[int]:
        vector = empty_vector(ctx)
        ctx.emit.op(
            "push",
            vector,
            ctx.emit.evaluate("subtract", ZERO, ordering.order_key(ctx, key, SEAT, scope)(Value(SEAT, 0))),
        )
        return [vector]

    with suppress(ReportedError):
        yield compile_function(ctx, make, isinstance(key, ExtremeFirst) and is_fraction(ctx, key.figure, scope))


def emit_total_score(ctx: Context) -> Value:
    """Emit the sum of all score lines of the seat of the pure function that is compiled. Raises ReportedError."""
    total, nowhere = Value(NUMBER, ZERO, 0, 0), Path(None, ())
    for line in ctx.edition.scoring:
        points = single_value(ctx, meaning_of_text(ctx, line.points, seat_scope(ctx, line.name)), nowhere)
        with ctx.reading(line.points):
            total, points = arithmetic.unify_numbers(ctx, total, points, nowhere)
            operand = ctx.emit.evaluate("add", total.operand, points.operand)
            low, high = total.low + points.low, total.high + points.high
            total = arithmetic.check_range(ctx, operand, low, high, nowhere, total.type)
    return total


def compile_statistics(ctx: Context) -> Iterator[Measure]:
    """Compile the statistics that the edition declares, in its order; a wrong one has the number -1."""
    for measure in ctx.edition.measures:
        key, text = f"measures.{measure.name}", None
        ctx.visibilities.clear()
        number = compile_number_function(ctx, measure.amount, seat_scope(ctx, measure.name), truths=True)
        seen_by = result_visibility(ctx)
        if measure.text is not None:
            text = RuleText(*compile_rule_text(ctx, f"{key}.text", measure.text))
        yield Measure(measure.name, Text(f"{key}.title", measure.title), text, number, seen_by)
