"""Numbers with fractions: stored in hundredths; both operands brought to one type."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.emitter import Emitter
from rulewright.compiler.typed_values import FRACTION, UNBOUNDED, Value
from rulewright.program.instructions import constant, constant_value
from rulewright.program.value_types import PARTS


def clamp_bound(number: int) -> int:
    """Return a bound within the 32 bits that numbers have."""
    return max(-UNBOUNDED, min(UNBOUNDED, number))


def to_fraction(emit: Emitter, value: Value, place: Callable[[], int]) -> Value:
    """Emit a number as one with a fraction. place: gives the place that an error names if it is too large."""
    if value.type == FRACTION:
        return value
    low, high = value.low * PARTS, value.high * PARTS
    if (number := constant_value(value.operand)) is not None and abs(number * PARTS) <= UNBOUNDED:
        return Value(FRACTION, constant(number * PARTS), number * PARTS, number * PARTS)
    operand = emit.evaluate("multiply", value.operand, constant(PARTS))
    if low < -UNBOUNDED or high > UNBOUNDED:
        operand = emit.compute("checked", operand, place())
    return Value(FRACTION, operand, clamp_bound(low), clamp_bound(high))


def unify(emit: Emitter, one: Value, other: Value, place: Callable[[], int]) -> tuple[Value, Value]:
    """Return both numbers as fractions if one is."""
    if FRACTION not in (one.type, other.type):
        return one, other
    return to_fraction(emit, one, place), to_fraction(emit, other, place)
