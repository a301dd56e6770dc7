"""Checks of meanings against what is expected: one value, a set, somebody, a type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.base.wording import Wording
from rulewright.compiler import fractions, messages
from rulewright.compiler.context import Context
from rulewright.compiler.set_operations import as_set, vector_of
from rulewright.compiler.type_descriptions import describe, describe_set, either
from rulewright.compiler.typed_values import (
    FRACTION,
    NUMBER,
    TRUTH,
    Amounts,
    Meaning,
    MemberSet,
    Value,
    fits,
    kinds_in,
    member_type,
)
from rulewright.program.instructions import NONE, ONE, ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax.tree import Node


def single_value(ctx: Context, meaning: Meaning, node: Node) -> Value:
    """Return one value; of a set, its only member, which is checked when the game runs. Raises ReportedError for
    amounts, and for several members known now."""
    if isinstance(meaning, Value):
        return meaning
    if isinstance(meaning, Amounts):
        problem = messages.EXPECTED_ONE(given=describe(meaning.type))
        raise ctx.error(node, problem, messages.SAY_FOR_WHICH_WORD())
    if meaning.constant_members is not None and len(meaning.constant_members) == 1:
        return Value(member_type(meaning.type), constant(meaning.constant_members[0]))
    if meaning.type.base == "word" and meaning.constant_members:
        words = str(meaning.type.detail)
        problem = messages.ONE_OF_WORDS(count=len(meaning.constant_members), list=words)
        raise ctx.error(node, problem, messages.NAME_ONE())
    if meaning.type.base == "piece" and meaning.constant_members:
        kinds = either(sorted(kinds_in(meaning.type)))
        problem = messages.ONE_OF_PIECES(kinds=kinds, count=len(meaning.constant_members))
        raise ctx.error(node, problem, messages.SAY_WHICH())
    one = member_type(meaning.type)
    needed = f"there must be exactly one {str(describe(one)).removeprefix('an ').removeprefix('a ')} here, but there"
    if meaning.single_operand is not None:
        if not ctx.emit.is_present(meaning.single_operand):
            with ctx.emit.if_true(ctx.emit.evaluate("equal", meaning.single_operand, NONE)):
                ctx.emit.op("fail", ctx.source_place(node, f"{needed} is none."))
        return Value(one, meaning.single_operand)
    vector = vector_of(ctx, meaning)
    size = ctx.emit.compute("length", vector)
    with ctx.emit.if_true(ctx.emit.evaluate("unequal", size, ONE)):
        with ctx.emit.if_true(ctx.emit.evaluate("equal", size, ZERO)):
            ctx.emit.op("fail", ctx.source_place(node, f"{needed} is none."))
        ctx.emit.op("fail", ctx.source_place(node, f"{needed} are several."))
    return Value(one, ctx.emit.item(vector, ZERO))


def require_present(ctx: Context, value: Value, node: Node, name: str = "") -> Value:
    """Emit a failure if a value is nobody at run time; return it as never nobody. name: its name in the message, by
    default as written. Raises ReportedError for `nobody` itself."""
    if value.type.base == "nothing":
        raise ctx.error(node, messages.THIS_IS_NOBODY())
    if value.may_be_nothing:
        with ctx.emit.if_true(ctx.emit.evaluate("equal", value.operand, NONE)):
            some, none = ("somebody", "nobody") if value.type.base == "seat" else ("something", "nothing")
            message = f"{some} is needed here, but '{name or ctx.source_text(node)}' is {none}."
            ctx.emit.op("fail", ctx.source_place(node, message))
    return replace(value, may_be_nothing=False) if value.may_be_nothing else value


def require_type(ctx: Context, type_: Type, expected: Type, node: Node) -> None:
    """Raise ReportedError if a type does not fit the wanted one."""
    if not fits(type_, expected):
        if expected == NUMBER and type_ == FRACTION:
            raise ctx.error(node, messages.EXPECTED_WHOLE_NUMBER(given=describe(type_)), messages.ROUND_IT())
        problem = messages.EXPECTED_TYPE(expected=describe(expected), given=describe(type_))
        raise ctx.error(node, problem, *_conversion_hints(type_, expected))


def _conversion_hints(type_: Type, expected: Type) -> Iterator[Wording]:
    """Yield how something of a type becomes what is expected, if there is a way."""
    if expected == TRUTH and type_.is_number:
        yield messages.COMPARE_IT()
    elif expected == TRUTH and type_.many:
        yield messages.ASK_WHETHER_ANY()
    elif expected == NUMBER and type_.base == "amount":
        yield messages.SAY_FOR_WHICH_WORD()
    elif expected == NUMBER and type_.many:
        yield messages.COUNT_THEM()


def require_group(
    ctx: Context,
    meaning: Meaning,
    node: Node,
    base: str = "",
    *,
    allow_declined: bool = False,
    allow_amounts: bool = False,
) -> MemberSet:
    """Return a set, as `compile_set` does, from a meaning that is known. Raises ReportedError for another base, and
    for a number, a truth or amounts. allow_declined, allow_amounts: as for `compile_set`."""
    members = as_set(ctx, meaning)
    if base and members.type.base != base:
        raise ctx.error(node, messages.EXPECTED_TYPE(expected=describe_set(base), given=describe(meaning.type)))
    if allow_declined and meaning.type.many and members.type.base == "number":
        return members
    if allow_amounts and isinstance(members, Amounts):
        return members
    several = meaning.type.many and meaning.type.base == "number" and ctx.names.has_number_lists
    if not base and members.type.base in ("number", "fraction", "truth", "amount") and not several:
        raise ctx.error(node, messages.EXPECTED_TYPE(expected=messages.A_SET(), given=describe(meaning.type)))
    return members


def as_fraction(ctx: Context, value: Value, node: Node) -> Value:
    """Return a number as one with a fraction."""
    return fractions.to_fraction(ctx.emit, value, lambda: ctx.source_place(node))
