"""Texts of the edition with {slots}: log lines, questions, rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.compiler import messages
from rulewright.compiler.context import Context
from rulewright.compiler.registry import meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.set_operations import as_set, empty_vector, vector_of
from rulewright.compiler.typed_values import NUMBER, Meaning, MemberSet, ReportedError
from rulewright.model.statements import split_slots
from rulewright.program.form import Text
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.source import Scalar, text_part

MAX_SLOTS = 50
"""Maximum number of distinct slots in a text."""


@record
class MovedPieces:
    """Pieces that a move next to a log line passes on. pieces: expression in the move; zones: emits, for a vector of
    pieces, the zone of each that decides who sees it; None where nobody does."""

    pieces: Expression
    zones: Callable[[int], int | None]


def compile_log(
    ctx: Context,
    scalar: Scalar,
    heading: bool,
    scope: Scope,
    moves: Sequence[MovedPieces] = (),
    notation: Scalar | None = None,
) -> None:
    """Compile a log line. heading: whether it stands over the lines that follow; moves: pieces that moves next to it
    pass on; notation: its short form."""
    with ctx.emit.telling():
        text, arguments = compile_text(ctx, scalar, f"{scope.step}.log", scope, moves, notation)
        ctx.emit.op("tell", len(ctx.output.texts), *arguments)
        ctx.output.texts.append(replace(text, heading=heading, notation=one_line(notation.text) if notation else ""))


def compile_text(
    ctx: Context,
    scalar: Scalar | None,
    key: str,
    scope: Scope,
    moves: Sequence[MovedPieces] = (),
    other: Scalar | None = None,
) -> tuple[Text, list[int]]:
    """Return a text and the vectors of its arguments, followed by zones of moved pieces; wrong slots are reported and
    left out. other: a text whose slots it has, too. Raises ReportedError for unbalanced braces."""
    if scalar is None:
        return Text(key, ""), []
    types: dict[str, Type] = {}
    arguments: list[int] = []
    zones: list[tuple[int, int]] = []
    inner = scope.in_one_block()
    slots = [(scalar, slot) for slot in split_slots(scalar.text)]
    slots += [(other, slot) for slot in split_slots(other.text)] if other is not None else []
    if len(slots) > MAX_SLOTS:
        ctx.report.error(scalar.place, messages.TOO_MANY_SLOTS(most=MAX_SLOTS))
        del slots[MAX_SLOTS:]
    for one in filter(None, (scalar, other)):
        refuse_braces(ctx, one)
    for source, (_, slot, offset) in slots:
        name = one_line(slot)
        if not slot or name in types:
            continue
        slot_text = text_part(source, offset, slot)
        with ctx.reading(slot_text):
            try:
                tree = ctx.parse(slot_text, sentences.value)
                meaning = meaning_of(ctx, tree, inner)
            except ReportedError:
                continue
            arguments.append(emit_argument(ctx, meaning))
            zones += [(len(types), zone) for zone in _visibility_zones(tree, meaning, arguments[-1], moves)]
            types[name] = meaning.type
    text = Text(
        key, one_line(scalar.text), tuple(types), tuple(types.values()), passed=tuple(slot for slot, _ in zones)
    )
    return text, [*arguments, *(vector for _, vector in zones)]


def _visibility_zones(expression: Expression, meaning: Meaning, pieces: int, moves: Sequence[MovedPieces]) -> list[int]:
    """Emit the zones of the moved pieces that a slot names, a vector for each move; none for other slots."""
    if meaning.type.base != "piece":
        return []
    vectors = [one.zones(pieces) for one in moves if one.pieces == expression]
    return [vector for vector in vectors if vector is not None]


def number_answer_text(ctx: Context, scalar: Scalar, name: str, key: str) -> Text:
    """Return the text of a number as an answer. Its slots hold only that number: nothing is chosen yet."""
    refuse_braces(ctx, scalar)
    for _, slot, offset in split_slots(scalar.text)[:-1]:
        if one_line(slot) != name:
            problem = messages.ONLY_NUMBER_IN_TEXT(slot=f"{{{name}}}")
            ctx.report.error(text_part(scalar, offset, slot).place, problem)
    return Text(key, one_line(scalar.text), (name,), (NUMBER,))


def refuse_braces(ctx: Context, scalar: Scalar) -> None:
    """Raise ReportedError for unbalanced or empty braces."""
    if re.search(r"[{}]", re.sub(r"\{[^{}]+\}", "", scalar.text)):
        ctx.report.error(scalar.place, messages.SLOT_IS_EXPRESSION())
        raise ReportedError


def emit_argument(ctx: Context, meaning: Meaning) -> int:
    """Emit a meaning as a vector: of one item for a value, of none for a piece that is nothing."""
    if isinstance(meaning, MemberSet) or (meaning.may_be_nothing and meaning.type.base == "piece"):
        return vector_of(ctx, as_set(ctx, meaning))
    vector = empty_vector(ctx)
    ctx.emit.op("push", vector, meaning.operand)
    return vector


def one_line(text: str) -> str:
    """Return a text with line breaks and repeated blanks as single blanks."""
    return " ".join(text.split())
