"""Pure functions of a program: numbers, conditions and texts for one seat."""

from __future__ import annotations

from collections.abc import Callable, Collection

from rulewright.compiler import change_sets, texts
from rulewright.compiler.context import Context
from rulewright.compiler.registry import meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import empty_vector
from rulewright.compiler.type_checks import as_fraction, require_type
from rulewright.compiler.typed_expressions import compile_value
from rulewright.compiler.typed_values import FRACTION, NUMBER, TRUTH, ReportedError, Value
from rulewright.program.form import Function, Power, Text
from rulewright.program.instructions import Instruction
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.source import Scalar


def compile_function(ctx: Context, make: Callable[[], list[int]], fraction: bool = False) -> int:
    """Compile a pure function of the state and a seat; return its number. make: returns the vectors of its results;
    fraction: whether these are numbers with fractions."""
    outer, ctx.emit = ctx.emit, ctx.emitter(parameters=1)
    try:
        results = make()
        ctx.emit.op("answer", *results)
        code: tuple[Instruction, ...] = tuple(ctx.emit.code)
    finally:
        ctx.emit = outer
    ctx.output.functions.append(Function(code, fraction))
    return len(ctx.output.functions) - 1


def seat_scope(ctx: Context, name: str) -> Scope:
    """Return the scope of a pure function of the seat in register 0. name: of its step in messages."""
    return Scope(name, acting_seat=0)


def is_fraction(ctx: Context, expression: Expression, scope: Scope) -> bool:
    """Whether an expression of a pure function is a number with a fraction; its code is thrown away. Raises
    ReportedError."""
    outer, ctx.emit = ctx.emit, ctx.emitter(parameters=1)
    try:
        return meaning_of(ctx, expression, scope, "", NUMBER.base).type == FRACTION
    finally:
        ctx.emit = outer


def compile_number_function(
    ctx: Context, scalar: Scalar, scope: Scope, type_: Type = NUMBER, truths: bool = False
) -> int:
    """Compile an expression as a pure function; return its number, -1 if it is wrong. type_: of the result; truths:
    also accept a condition, as 1 or 0."""

    def make() -> list[int]:
        """Emit the value as the only item of a vector."""
        vector = empty_vector(ctx)
        with ctx.reading(scalar):
            tree = ctx.parse(scalar, sentences.value)
            value = compile_value(ctx, tree, scope)
            if not (truths and value.type == TRUTH):
                require_type(ctx, value.type, type_, tree)
            if type_ == FRACTION:
                value = as_fraction(ctx, value, tree)
        ctx.emit.op("push", vector, value.operand)
        return [vector]

    try:
        return compile_function(ctx, make, type_ == FRACTION)
    except ReportedError:
        return -1


def result_visibility(ctx: Context) -> str:
    """Return who may see a result: as the least visible of the zones that were read since `visibilities` was
    cleared."""
    return _least_visible(ctx.visibilities)


def _least_visible(visibilities: Collection[str]) -> str:
    """Return the narrowest of some visibilities: 'nobody', 'owner' or 'all'; 'all' for none."""
    return next((viewers for viewers in ("nobody", "owner") if viewers in visibilities), "all")


def compile_power(ctx: Context, name: str) -> Power:
    """Compile the function that says whether a seat holds a power."""

    def make() -> list[int]:
        vector = empty_vector(ctx)
        ctx.emit.op("push", vector, change_sets.emit_holds_power(ctx, name, 0))
        return [vector]

    visibilities = {ctx.edition.zones[zone].seen_by for zone, _ in ctx.plan.stock.power_pieces(name)}
    return Power(compile_function(ctx, make), _least_visible(visibilities))


def compile_rule_text(ctx: Context, key: str, scalar: Scalar, item: Value | None = None) -> tuple[Text, int]:
    """Compile a text and the function of its figures; an empty text and -1 if it is wrong. key: its place in catalogs;
    item: the word that it is about, if any."""
    results: list[Text] = []

    def make() -> list[int]:
        scope = seat_scope(ctx, key)
        text, arguments = texts.compile_text(ctx, scalar, key, scope if item is None else scope.with_item(item))
        results.append(text)
        return arguments

    try:
        function = compile_function(ctx, make)
    except ReportedError:
        return Text(key, ""), -1
    return results[0], function
