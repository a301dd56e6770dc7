"""Figures by cases: `{by: subject, CASE: …, otherwise: …}`, for numbers, yes or no, things and sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from rulewright.base.diagnostics import RelatedPlace
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.compiler import messages
from rulewright.compiler.context import Context
from rulewright.compiler.registry import meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import append_members, as_set, empty_vector, group_from_vector
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_expressions import compile_value
from rulewright.compiler.typed_values import (
    FRACTION,
    NOTHING,
    NUMBER,
    TRUTH,
    UNBOUNDED,
    Meaning,
    MemberSet,
    ReportedError,
    Value,
    fits,
    kinds_in,
    member_type,
)
from rulewright.model.declarations import Figure
from rulewright.program.instructions import NONE, ONE, ZERO, constant_value
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.source import Scalar


@record
class Cases:
    """Cases of a figure where it is used. subject: what they are chosen by; expression: the subject's; entries: for
    each case the operands of its keys, and its text, without `otherwise`."""

    figure: Figure
    subject: Value
    expression: Expression
    scope: Scope
    entries: tuple[tuple[tuple[int, ...], Scalar], ...]

    @property
    def constant_subject(self) -> int | None:
        """Value of the subject if it is constant; else None."""
        return constant_value(self.subject.operand)

    @property
    def texts(self) -> tuple[Scalar, ...]:
        """Texts of all cases, that of `otherwise` last, if there is one."""
        other = () if self.figure.otherwise is None else (self.figure.otherwise,)
        return (*(text for _, text in self.entries), *other)


def figure_by_cases(ctx: Context, figure: Figure, scope: Scope) -> Meaning:
    """Return the meaning of a figure by cases, for its subject."""
    with ctx.reading(figure.body):
        tree = ctx.parse(figure.body, sentences.value)
        subject = compile_value(ctx, tree, scope)
    cases = Cases(figure, subject, tree, scope, tuple(case_entries(ctx, figure, subject, scope)))
    if figure.otherwise is None:
        require_all_cases(ctx, cases)
    type_, capacity = common_type(ctx, cases)
    return matching_set(ctx, cases, type_, capacity) if type_.many else matching_value(ctx, cases, type_)


def case_entries(ctx: Context, figure: Figure, subject: Value, scope: Scope) -> list[tuple[tuple[int, ...], Scalar]]:
    """Emit the keys of each case; return their operands and its text; keys of one line are grouped. Raises
    ReportedError for a constant key that stands twice."""
    entries: list[tuple[tuple[int, ...], Scalar]] = []
    handled: dict[int, Scalar] = {}
    for _, same in groupby(figure.cases, key=lambda case: id(case[1])):
        lines, keys = list(same), []
        for key, _ in lines:
            with ctx.reading(key):
                tree = ctx.parse(key, sentences.value)
                keys.append(operand := compile_value(ctx, tree, scope, subject.type).operand)
                if operand in handled and constant_value(operand) is not None:
                    case = key.text.strip()
                    related = RelatedPlace(handled[operand].place, messages.CASE_HERE(case=case))
                    raise ctx.error(tree, messages.CASE_TWICE(case=case), related=(related,))
            handled[operand] = key
        entries.append((tuple(keys), lines[0][1]))
    return entries


def require_all_cases(ctx: Context, cases: Cases) -> None:
    """Report a missing case if the subject is constant, and raise ReportedError; else warn of a word that has none."""
    handled = [constant_value(key) for keys, _ in cases.entries for key in keys]
    if cases.constant_subject is None:
        warn_of_missing_case(ctx, cases.figure, cases.subject.type, handled)
    elif cases.constant_subject not in handled:
        problem = messages.CASE_MISSING(case=cases.constant_subject)
        ctx.report.error(cases.figure.place, problem, messages.CASE_FOR_EVERY_COUNT())
        raise ReportedError


def warn_of_missing_case(ctx: Context, figure: Figure, subject: Type, handled: Sequence[int | None]) -> None:
    """Warn of the first word, or yes or no, without a case; a number may be missing on purpose."""
    every = ["no", "yes"] if subject == TRUTH else []
    if subject.base == "word":
        every = [word.name for word in ctx.edition.words[str(subject.detail)].words]
    missing = next((name for number, name in enumerate(every) if number not in handled), None)
    if missing is not None and None not in handled:
        ctx.remarks.note_doubt(figure.place, messages.NO_CASE(case=missing), messages.ADD_CASE(case=missing))


def common_type(ctx: Context, cases: Cases) -> tuple[Type, int]:
    """Return the type of all cases, a set if any case is one, and the largest capacity. Emits nothing. Raises
    ReportedError for types that do not go together."""
    description: Wording | None = None
    type_, before, many, capacity = NOTHING, cases.figure.place, False, 1
    with ctx.emit.if_true(ZERO):
        for text in cases.texts:
            with ctx.reading(text):
                tree = ctx.parse(text, sentences.value)
                meaning = meaning_of(ctx, tree, cases.scope, str(type_.detail) if type_.base == "word" else "")
                one = member_type(meaning.type)
                if description and not can_share_type(one, type_):
                    problem = messages.OTHER_TYPE_BEFORE(given=describe(meaning.type), before=description)
                    related = RelatedPlace(before, messages.TYPE_HERE(given=description))
                    raise ctx.error(tree, problem, messages.ONE_TYPE_IN_ALL_CASES(), related=(related,))
            if one.base == type_.base == "piece":
                one = Type("piece", kinds_in(one) | kinds_in(type_))
            if (one != NOTHING and not (one == NUMBER and type_ == FRACTION)) or not description:
                type_, description, before = one, describe(meaning.type), text.place
            if isinstance(meaning, MemberSet):
                many, capacity = True, max(capacity, meaning.capacity)
    return (Type(type_.base, type_.detail, True) if many else type_), capacity


def can_share_type(one: Type, other: Type) -> bool:
    """Whether cases can be of two types: pieces of different kinds can, numbers with and without fractions, and nobody
    beside any thing."""
    return one.base == other.base == "piece" or fits(one, other) or fits(other, one)


def matching_value(ctx: Context, cases: Cases, type_: Type) -> Value:
    """Emit the value of the case that holds."""
    thing = type_.base in ("seat", "word", "piece", "nothing")
    result, low, high, may_be_nothing = ctx.emit.new_variable(NONE if thing else ZERO), UNBOUNDED, -UNBOUNDED, False

    def take(expression: Expression) -> None:
        nonlocal low, high, may_be_nothing
        value = compile_value(ctx, expression, cases.scope, type_)
        ctx.emit.assign(result, value.operand)
        low, high, may_be_nothing = min(low, value.low), max(high, value.high), may_be_nothing or value.may_be_nothing

    emit_cases(ctx, cases, take)
    return Value(type_, result, low, high, may_be_nothing)


def matching_set(ctx: Context, cases: Cases, type_: Type, capacity: int) -> MemberSet:
    """Return the members of the case that holds, which is looked up at each use; one value is a set of one."""
    expected_list = str(type_.detail) if type_.base == "word" else ""

    def make() -> int:
        members = empty_vector(ctx)

        def take(expression: Expression) -> None:
            append_members(ctx, members, as_set(ctx, meaning_of(ctx, expression, cases.scope, expected_list)))

        emit_cases(ctx, cases, take)
        return members

    return group_from_vector(ctx, type_, capacity, make)


def emit_cases(ctx: Context, cases: Cases, take: Callable[[Expression], None]) -> None:
    """Emit the first case that holds, else `otherwise`; without that the game stops where none holds. take: compiles
    the text of a case."""
    has_matched, may_repeat = ctx.emit.new_variable(ZERO), False
    for keys, text in cases.entries:
        holds = equals_any(ctx, cases.subject.operand, keys)
        if may_repeat:  # unless an earlier case matched
            holds = ctx.emit.evaluate("less", has_matched, holds)
        may_repeat = may_repeat or any(constant_value(key) is None for key in keys)
        with ctx.reading(text), ctx.emit.if_true(holds):
            take(ctx.parse(text, sentences.value))
            ctx.emit.assign(has_matched, ONE)
    if (other := cases.figure.otherwise) is not None:
        with ctx.reading(other), ctx.emit.if_true(ctx.emit.negate(has_matched)):
            take(ctx.parse(other, sentences.value))
    elif cases.constant_subject is None:
        with ctx.reading(cases.figure.body), ctx.emit.if_true(ctx.emit.negate(has_matched)):
            ctx.emit.op("fail", ctx.source_place(cases.expression, "there is no case for this."))


def equals_any(ctx: Context, subject: int, keys: Sequence[int]) -> int:
    """Emit whether the subject is one of some keys."""
    if len(keys) == 1:
        return ctx.emit.evaluate("equal", subject, keys[0])
    if constant_value(subject) is not None and all(constant_value(key) is not None for key in keys):
        return ONE if subject in keys else ZERO
    result = ctx.emit.new_variable(ctx.emit.evaluate("equal", subject, keys[0]))
    for key in keys[1:]:
        with ctx.emit.if_true(ctx.emit.evaluate("equal", subject, key)):
            ctx.emit.assign(result, ONE)
    return result
