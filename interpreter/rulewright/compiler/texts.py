"""Texts of the edition with their {slots}: logs, questions, rules in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rulewright.base.records import record
from rulewright.compiler.context import Context
from rulewright.compiler.typed_values import NUMBER, Group, Meaning, ReportedError, Scope
from rulewright.model.bodies import slots_of
from rulewright.program.form import Text, Type
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar, part
from rulewright.syntax.tree import Expression

MAX_SLOTS = 50


@record
class MovedPieces:
    """Pieces that are passed on beside a line. pieces: as they stand there; zones: writes, for a vector of pieces, one
    that has for each of them a zone that tells who sees it; None where nobody is told so."""

    pieces: Expression
    zones: Callable[[int], int | None]


def compile_log(ctx: Context, scalar: Scalar, heading: bool, scope: Scope, passed: Sequence[MovedPieces] = ()) -> None:
    """Tell a line. passed: what is passed on beside it."""
    with ctx.emit.telling():
        text, arguments = compile_text(ctx, scalar, f"{scope.step}.log", scope, passed)
        ctx.emit.op("tell", len(ctx.texts), *arguments)
        ctx.texts.append(replace(text, heading=heading))


def compile_text(
    ctx: Context, scalar: Scalar | None, key: str, scope: Scope, passed: Sequence[MovedPieces] = ()
) -> tuple[Text, list[int]]:
    """A text with its arguments, each as a vector, and behind them, for those that are passed on, their zones."""
    if scalar is None:
        return Text(key, ""), []
    types: dict[str, Type] = {}
    arguments: list[int] = []
    zones: list[tuple[int, int]] = []
    inner = scope.structured()
    slots = slots_of(scalar.text)
    if len(slots) > MAX_SLOTS:
        text_error(ctx, scalar, f"A text has at most {MAX_SLOTS} slots.")
        del slots[MAX_SLOTS:]
    refuse_braces(ctx, scalar)
    for _, slot, offset in slots:
        name = one_line(slot)
        if not slot or name in types:
            continue
        slot_text = part(scalar, offset, slot)
        with ctx.reading(slot_text):
            try:
                tree = ctx.parse(slot_text, sentences.value)
                meaning = ctx.meaning(tree, inner)
            except ReportedError:
                continue
            arguments.append(emit_argument(ctx, meaning))
            zones += [(len(types), found) for found in _visibility_zones(tree, meaning, arguments[-1], passed)]
            types[name] = meaning.type
    text = Text(
        key, one_line(scalar.text), tuple(types), tuple(types.values()), passed=tuple(slot for slot, _ in zones)
    )
    return text, [*arguments, *(vector for _, vector in zones)]


def _visibility_zones(
    expression: Expression, meaning: Meaning, pieces: int, passed: Sequence[MovedPieces]
) -> list[int]:
    """The zones of pieces that are passed on."""
    if meaning.type.base != "piece":
        return []
    found = [one.zones(pieces) for one in passed if one.pieces == expression]
    return [vector for vector in found if vector is not None]


def number_answer_text(ctx: Context, scalar: Scalar, name: str, key: str) -> Text:
    """What a number is called as an answer. Only that number can stand in a slot: nothing has been chosen yet."""
    refuse_braces(ctx, scalar)
    for _, slot, offset in slots_of(scalar.text)[:-1]:
        if one_line(slot) != name:
            message = f"Only the number that can be chosen stands in this text: {{{name}}}."
            ctx.report.error(part(scalar, offset, slot).place, "slot", message)
    return Text(key, one_line(scalar.text), (name,), (NUMBER,))


def refuse_braces(ctx: Context, scalar: Scalar) -> None:
    if re.search(r"[{}]", re.sub(r"\{[^{}]+\}", "", scalar.text)):
        raise text_error(ctx, scalar, "A slot is one expression in braces, such as {price}.")


def text_error(ctx: Context, scalar: Scalar, message: str) -> ReportedError:
    ctx.report.error(scalar.place, "syntax", message)
    return ReportedError()


def emit_argument(ctx: Context, meaning: Meaning) -> int:
    if isinstance(meaning, Group) or (meaning.maybe and meaning.type.base == "piece"):
        return ctx.vector(ctx.as_group(meaning))
    vector = ctx.emit.vector()
    ctx.emit.op("vector", vector)
    ctx.emit.op("push", vector, meaning.operand)
    return vector


def one_line(text: str) -> str:
    """A text as people read it: however it is broken into lines."""
    return " ".join(text.split())
