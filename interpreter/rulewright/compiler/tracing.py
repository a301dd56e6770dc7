"""Sentences that tell when they are done: in whose name, and what the things that they speak of are just before.

Nothing that is written here changes a state: what would, or what is left to chance, is left out again.
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
from rulewright.compiler.emitter import constant_value
from rulewright.compiler.texts import one_line
from rulewright.compiler.typed_values import SEAT, Meaning, ReportedError, Scope, Value
from rulewright.compiler.work_budget import TooLarge
from rulewright.model.bodies import log_of, parsed
from rulewright.model.declarations import canonical
from rulewright.program.form import Program, Text, Type
from rulewright.program.instructions import LEAVING, MOVING, STORING, Instruction
from rulewright.program.traced_program import ACTING, NAMED, SAID, FollowedProgram, FollowedSentence
from rulewright.syntax import sentences
from rulewright.syntax.source import Node, Scalar
from rulewright.syntax.tree import Expression, Keys, Loop, Name, Outcome, Statement, Target
from rulewright.syntax.tree import Node as SyntaxNode

_BEGINS, _GOES_ON = "sentence", "goes on"
MAX_ARGUMENTS = 12  # of one sentence
_MAX_NAMES = 4
_EFFECTS = (MOVING | STORING | LEAVING | {"random", "draw", "ask", "tell"}) - {"break", "again"}


class Tracer:
    """The sentences of a program that is being compiled to be followed."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.sentences: list[FollowedSentence] = []
        self._heads: list[Scalar] = []  # one for each sentence, by which its instructions are known
        self._open = [-1]

    @contextmanager
    def sentence(self, node: Node, scope: Scope) -> Iterator[None]:
        """While a statement is compiled: it begins with telling itself."""
        line = log_of(node)
        head = line or head_of(node)
        if head is None:
            yield
            return
        number, tree = len(self.sentences), None if line is not None else parsed(head, sentences.statement)
        test = _source_text(head, tree.test) if tree is not None and tree.test is not None else ""
        declared = dict(_declaration_places(self.ctx, tree)) if tree is not None else {}
        self.sentences.append(
            FollowedSentence(
                one_line(head.text), head.place, self._open[-1], scope.step, test, isinstance(tree, Loop), declared
            )
        )
        self._heads.append(replace(head))
        self._open.append(number)
        try:
            with self.ctx.emit.marking(self._heads[-1]):
                self._tell(number, head, tree, scope)
                yield
        finally:
            self._open.pop()

    def _tell(self, number: int, head: Scalar, statement: Statement | None, scope: Scope) -> None:
        """Write what tells of a sentence, with all that can be told of it."""
        ctx, inner = self.ctx, scope.structured()
        told: dict[str, tuple[Type, int]] = {}

        def add(slot: str, mean: Callable[[], Meaning]) -> None:
            if slot not in told and len(told) < MAX_ARGUMENTS and (found := _emit_if_pure(ctx, mean)) is not None:
                told[slot] = found

        with ctx.emit.telling(), _without_traces(ctx), ctx.reading(head):
            if scope.someone:
                add(ACTING, lambda: Value(SEAT, name_resolution.acting_seat(ctx, scope)))
            for name in list(scope.names)[-_MAX_NAMES:]:
                add(NAMED + name, scope.names[name])
            for part in _mentioned_parts(statement) if statement is not None else ():
                if (said := _source_text(head, part)) not in ("you", "nobody", *scope.names):
                    add(SAID + said, partial(ctx.meaning, part, inner))
            ctx.emit.op("tell", len(ctx.texts), *(vector for _, vector in told.values()))
        types = tuple(type_ for type_, _ in told.values())
        ctx.texts.append(Text(f"{_BEGINS}.{number}", one_line(head.text), tuple(told), types))

    def program(self, program: Program) -> FollowedProgram:
        """The program that was compiled, where every block in the middle of a sentence tells that this goes on."""
        numbers = {id(head): number for number, head in enumerate(self._heads)}
        code: list[Instruction] = []
        told = list(program.texts)
        goes_on: dict[int, int] = {}
        asks: dict[int, int] = {}
        for instruction, head in zip(program.code, self.ctx.emit.sources(), strict=True):
            code.append(instruction)
            if (number := numbers.get(id(head))) is None:
                continue
            if instruction[0] == "shuffle":
                self.sentences[number] = replace(self.sentences[number], shuffles=True)
            if instruction[0] == "ask":
                asks[int(instruction[1])] = number
            elif instruction[0] == "block":
                goes_on[len(told)] = number
                code += [("told",), ("tell", len(told)), ("end",)]
                told.append(Text(_GOES_ON, ""))
        begins = {
            number: int(text.key.removeprefix(f"{_BEGINS}."))
            for number, text in enumerate(program.texts)
            if text.key.startswith(f"{_BEGINS}.")
        }
        telling = replace(program, code=tuple(code), texts=tuple(told))
        return FollowedProgram(telling, tuple(self.sentences), begins, goes_on, asks)


@contextmanager
def _without_traces(ctx: Context) -> Iterator[None]:
    """While something is compiled of which nothing must be known afterwards."""
    kept = ctx.report, ctx.warns_of_doubts, ctx.doubts, ctx.visibilities, ctx.conditions
    ctx.report, ctx.warns_of_doubts, ctx.doubts, ctx.visibilities, ctx.conditions = Report(), False, {}, set(), {}
    try:
        with ctx.work.aside():
            yield
    finally:
        ctx.report, ctx.warns_of_doubts, ctx.doubts, ctx.visibilities, ctx.conditions = kept


def _emit_if_pure(ctx: Context, mean: Callable[[], Meaning]) -> tuple[Type, int] | None:
    """Write what a meaning comes to, as a vector; nothing where it has none here, or would do more than look."""
    start = len(ctx.emit.code)
    try:
        with ctx.emit.isolated():
            found = mean()
            if found.type.base == "nothing" or (
                found.type.base == "word" and not found.type.many and _is_constant(found)
            ):
                raise ReportedError
            told = found.type, texts.emit_argument(ctx, found)
    except (ReportedError, TooLarge, RecursionError):
        del ctx.emit.code[start:]
        return None
    written = ctx.emit.code[start:]
    done = {str(instruction[0]) for instruction in written}
    if done & _EFFECTS or {"loop", "spend"} <= done:
        del ctx.emit.code[start:]
        return None
    ctx.emit.code[start:] = [instruction for instruction in written if instruction[0] != "spend"]
    return told


def _is_constant(meaning: Meaning) -> bool:
    """Whether it is known before the game."""
    return isinstance(meaning, Value) and constant_value(meaning.operand) is not None


def _mentioned_parts(statement: Statement) -> Iterator[Expression]:
    """What a sentence speaks of, the whole before its parts."""
    for child in statement.children():
        if child is not statement.changed:
            yield from _traceable_parts(child)


def _traceable_parts(tree: SyntaxNode) -> Iterator[Expression]:
    if isinstance(tree, Target | Outcome | Keys):
        return
    if isinstance(tree, Expression) and tree.traceable and tree.span is not None:
        yield tree
    for part in tree.traced() if isinstance(tree, Expression) else tree.children():
        yield from _traceable_parts(part)


def _source_text(scalar: Scalar, tree: SyntaxNode) -> str:
    """A part of a sentence as it is written."""
    return "" if tree.span is None else one_line(scalar.text[slice(*tree.span)])


def _declaration_places(ctx: Context, statement: Statement) -> Iterator[tuple[str, SourcePlace]]:
    """Where the things that a sentence names are declared, by their names as they stand there."""
    for each in statement.find(Name):
        name = canonical(each.text)
        found = ctx.figures.get(name) or ctx.counters.get(name) or ctx.zones.get(name) or ctx.lists.get(name)
        if found is not None:
            yield each.text, found.place
