"""Traces: programs that log each sentence as it runs, its seat, and the values it mentions, just before.

Code of a trace never changes the state or uses chance; values that would are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import Report, SourcePlace
from rulewright.compiler import name_resolution, texts
from rulewright.compiler.context import Context
from rulewright.compiler.edition_analysis import head_of
from rulewright.compiler.registry import meaning_of
from rulewright.compiler.remarks import Remarks
from rulewright.compiler.scopes import Scope
from rulewright.compiler.texts import one_line
from rulewright.compiler.typed_values import SEAT, Meaning, ReportedError, Value
from rulewright.compiler.work_budget import TooLarge
from rulewright.model.declarations import canonical
from rulewright.model.statements import log_text, try_parse
from rulewright.program.form import Program, Text
from rulewright.program.instructions import LEAVING, MOVING, STORING, Instruction, constant_value
from rulewright.program.traced_program import ACTING_SLOT, NAME_SLOT, VALUE_SLOT, TracedProgram, TracedSentence
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.expression_nodes import Expression
from rulewright.syntax.part_nodes import Keys, Outcome, Target
from rulewright.syntax.source import Node, Scalar
from rulewright.syntax.statement_nodes import Change, Loop, Statement
from rulewright.syntax.tree import Name
from rulewright.syntax.tree import Node as SyntaxNode

_BEGINS, _GOES_ON = "sentence", "goes on"
"""Keys of the texts that a trace logs: `sentence.NUMBER` before a statement, `goes on` where a body continues."""
MAX_ARGUMENTS = 12
"""Values logged for one sentence."""
_MAX_NAMES = 4
"""Maximum number of names bound last whose values a trace shows."""
_EFFECTS = (MOVING | STORING | LEAVING | {"random", "draw", "ask", "tell"}) - {"break", "again"}
"""Instructions by which a statement does something, so that the trace shows it."""


class Tracer:
    """Tracer of a program: while it is compiled, `statement` emits log entries. sentences: those of the program so far,
    in the order of their compilation, also what is compiled twice."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.sentences: list[TracedSentence] = []
        self._heads: list[Scalar] = []  # one object for each sentence, which marks its instructions
        self._open = [-1]

    @contextmanager
    def statement(self, node: Node, scope: Scope) -> Iterator[None]:
        """Emit the trace of a statement before its code."""
        line = log_text(node)
        head = line or head_of(node)
        if head is None:
            yield
            return
        number, tree = len(self.sentences), None if line is not None else try_parse(head, sentences.statement)
        test = _source_text(head, tree.test) if tree is not None and tree.test is not None else ""
        declared = dict(_declaration_places(self.ctx, tree)) if tree is not None else {}
        self.sentences.append(
            TracedSentence(
                one_line(head.text), head.place, self._open[-1], scope.step, test, isinstance(tree, Loop), declared
            )
        )
        self._heads.append(replace(head))
        self._open.append(number)
        try:
            with self.ctx.emit.sources.marking(self._heads[-1]):
                self._tell(number, head, tree, scope)
                yield
        finally:
            self._open.pop()

    def _tell(self, number: int, head: Scalar, statement: Statement | None, scope: Scope) -> None:
        """Emit the log entry of a sentence, with all values that can be logged."""
        ctx, inner = self.ctx, scope.in_one_block()
        arguments: dict[str, tuple[Type, int]] = {}

        def add(slot: str, mean: Callable[[], Meaning]) -> None:
            if (
                slot not in arguments
                and len(arguments) < MAX_ARGUMENTS
                and (entry := _emit_if_pure(ctx, mean)) is not None
            ):
                arguments[slot] = entry

        with ctx.emit.telling(), _without_traces(ctx), ctx.reading(head):
            if scope.somebody_acts:
                add(ACTING_SLOT, lambda: Value(SEAT, name_resolution.acting_seat(ctx, scope)))
            for name in list(scope.names)[-_MAX_NAMES:]:
                add(NAME_SLOT + name, scope.names[name])
            for part in _mentioned_parts(statement) if statement is not None else ():
                if (text := _source_text(head, part)) not in ("you", "nobody", *scope.names):
                    add(VALUE_SLOT + text, partial(meaning_of, ctx, part, inner))
            ctx.emit.op("tell", len(ctx.output.texts), *(vector for _, vector in arguments.values()))
        types = tuple(type_ for type_, _ in arguments.values())
        ctx.output.texts.append(Text(f"{_BEGINS}.{number}", one_line(head.text), tuple(arguments), types))

    def program(self, program: Program) -> TracedProgram:
        """Return the compiled program with a log entry at every block in the middle of a sentence."""
        numbers = {id(head): number for number, head in enumerate(self._heads)}
        code: list[Instruction] = []
        texts_ = list(program.texts)
        goes_on: dict[int, int] = {}
        asks: dict[int, int] = {}
        for instruction, head in zip(program.code, self.ctx.emit.sources.by_instruction(), strict=True):
            code.append(instruction)
            if (number := numbers.get(id(head))) is None:
                continue
            if instruction[0] == "shuffle":
                self.sentences[number] = replace(self.sentences[number], shuffles=True)
            if instruction[0] == "ask":
                asks[int(instruction[1])] = number
            elif instruction[0] == "block":
                goes_on[len(texts_)] = number
                code += [("told",), ("tell", len(texts_)), ("end",)]
                texts_.append(Text(_GOES_ON, ""))
        begins = {
            number: int(text.key.removeprefix(f"{_BEGINS}."))
            for number, text in enumerate(program.texts)
            if text.key.startswith(f"{_BEGINS}.")
        }
        telling = replace(program, code=tuple(code), texts=tuple(texts_))
        return TracedProgram(telling, tuple(self.sentences), begins, goes_on, asks)


@contextmanager
def _without_traces(ctx: Context) -> Iterator[None]:
    """Compile something without effects on diagnostics, doubts, conditions and budget."""
    outer = ctx.report, ctx.remarks, ctx.visibilities
    ctx.report, ctx.remarks, ctx.visibilities = Report(), Remarks(), set()
    try:
        with ctx.work.aside():
            yield
    finally:
        ctx.report, ctx.remarks, ctx.visibilities = outer


def _emit_if_pure(ctx: Context, mean: Callable[[], Meaning]) -> tuple[Type, int] | None:
    """Emit a meaning as a vector; return type and vector, or None if it is invalid here or has effects."""
    start = len(ctx.emit.code)
    try:
        with ctx.emit.isolated():
            meaning = mean()
            if meaning.type.base == "nothing" or (
                meaning.type.base == "word" and not meaning.type.many and _is_constant(meaning)
            ):
                raise ReportedError
            entry = meaning.type, texts.emit_argument(ctx, meaning)
    except (ReportedError, TooLarge, RecursionError):
        del ctx.emit.code[start:]
        return None
    emitted = ctx.emit.code[start:]
    done = {str(instruction[0]) for instruction in emitted}
    if done & _EFFECTS or {"loop", "spend"} <= done:
        del ctx.emit.code[start:]
        return None
    ctx.emit.code[start:] = [instruction for instruction in emitted if instruction[0] != "spend"]
    return entry


def _is_constant(meaning: Meaning) -> bool:
    """Whether a meaning is constant."""
    return isinstance(meaning, Value) and constant_value(meaning.operand) is not None


def _mentioned_parts(statement: Statement) -> Iterator[Expression]:
    """Yield the expressions that a sentence reads, outer ones first."""
    targets = statement.changes if isinstance(statement, Change) else ()
    for child in statement.children():
        if all(child is not part for part in targets):
            yield from _traceable_parts(child)


def _traceable_parts(tree: SyntaxNode) -> Iterator[Expression]:
    """Yield the traceable expressions within a tree."""
    if isinstance(tree, Target | Outcome | Keys):
        return
    if isinstance(tree, Expression) and tree.traceable and tree.span is not None:
        yield tree
    for part in tree.traced() if isinstance(tree, Expression) else tree.children():
        yield from _traceable_parts(part)


def _source_text(scalar: Scalar, tree: SyntaxNode) -> str:
    """Return a part of a sentence as it is written, on one line; '' for one that is not written."""
    return "" if tree.span is None else one_line(scalar.text[slice(*tree.span)])


def _declaration_places(ctx: Context, statement: Statement) -> Iterator[tuple[str, SourcePlace]]:
    """Yield the names of figures, counters, zones and lists in a sentence, with the places of their declarations."""
    for each in statement.find(Name):
        name = canonical(each.text)
        declaration = (
            ctx.names.figures.get(name)
            or ctx.names.counters.get(name)
            or ctx.names.zones.get(name)
            or ctx.names.lists.get(name)
        )
        if declaration is not None:
            yield each.text, declaration.place
