"""Numbers with fractions: kept in hundredths, and what makes two numbers alike."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.emitter import Emitter, constant, constant_value
from rulewright.compiler.typed_values import FRACTION, UNBOUNDED, Value
from rulewright.program.form import PARTS


def clamp_bound(number: int) -> int:
    """A bound, kept within the numbers there are."""
    return max(-UNBOUNDED, min(UNBOUNDED, number))


def to_fraction(emit: Emitter, value: Value, place: Callable[[], int]) -> Value:
    """A number as one with a fraction. place: the number of the source place that an error names if it is too large."""
    if value.type == FRACTION:
        return value
    low, high = value.low * PARTS, value.high * PARTS
    if (number := constant_value(value.operand)) is not None and abs(number * PARTS) <= UNBOUNDED:
        return Value(FRACTION, constant(number * PARTS), number * PARTS, number * PARTS)
    operand = emit.value("multiply", value.operand, constant(PARTS))
    if low < -UNBOUNDED or high > UNBOUNDED:
        checked = emit.register()
        emit.op("checked", checked >> 1, operand, place())
        operand = checked
    return Value(FRACTION, operand, clamp_bound(low), clamp_bound(high))


def unify(emit: Emitter, one: Value, other: Value, place: Callable[[], int]) -> tuple[Value, Value]:
    """Two numbers, both with fractions if one of them has one."""
    if FRACTION not in (one.type, other.type):
        return one, other
    return to_fraction(emit, one, place), to_fraction(emit, other, place)
