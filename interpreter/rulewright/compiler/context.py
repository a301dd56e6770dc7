"""Context that all parts of the compiler share: the edition, the code, and the text being compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from rulewright.base.diagnostics import RelatedPlace, Report, SourcePlace
from rulewright.base.wording import Wording
from rulewright.compiler.declared_names import DeclaredNames
from rulewright.compiler.edition_analysis import EditionAnalysis
from rulewright.compiler.emitter import Emitter
from rulewright.compiler.layout import LayoutBuilder
from rulewright.compiler.output import Output
from rulewright.compiler.remarks import Remarks
from rulewright.compiler.scopes import Scope
from rulewright.compiler.typed_values import ReportedError, kinds_in
from rulewright.compiler.work_budget import WorkBudget
from rulewright.model.declarations import Step
from rulewright.model.edition import Edition
from rulewright.model.error_recovery import names_introduced
from rulewright.program.value_types import Type
from rulewright.syntax import sentence_errors, sentence_grammar
from rulewright.syntax.source import Node as SourceNode
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import AnyNode, Name, Node


class Context:
    """Compilation of an edition for one number of seats.

    - plan: cells, tables and pieces
    - analysis: of the edition's statements, before any is compiled
    - names: declared ones
    - output: what becomes the program
    - remarks: doubts and conditions, for `check`
    - work: budget of the whole compilation
    - emit: code of the present stretch
    - trace: context manager around each sentence while it is compiled
    - visibilities: of the zones read ('all', 'owner', 'nobody')
    - scalar: text being compiled
    - enclosing_sites: menus and yes/no questions in whose branches code is compiled
    - current_step: step whose body is being compiled, '' outside of any
    - open_figures: figures that are being compiled, the outermost first
    - checked_steps: those compiled for any seat and any arguments
    - checked_figures: those compiled for any owner
    - dispatched_steps: for each caller, the instructions that it dispatches to
    - single_numbers: names, each with the type of an owner for which it means one number, not amounts
    """

    def __init__(
        self,
        edition: Edition,
        plan: LayoutBuilder,
        report: Report,
        analysis: EditionAnalysis,
        warns_of_doubts: bool = False,
    ) -> None:
        self.edition, self.plan, self.report, self.analysis = edition, plan, report, analysis
        self.names = DeclaredNames(edition)
        self.output = Output()
        self.remarks = Remarks(warns_of_doubts)
        self.work = WorkBudget()
        self.emit = self.emitter()
        self.trace: Callable[[SourceNode, Scope], AbstractContextManager[None]] = lambda node, scope: nullcontext()
        self.visibilities: set[str] = set()
        self.scalar = Scalar("", plan.nowhere, True)
        self.enclosing_sites: tuple[int, ...] = ()
        self.current_step = ""
        self.open_figures: tuple[str, ...] = ()
        self.checked_steps: set[str] = set()
        self.checked_figures: set[str] = set()
        self.dispatched_steps: dict[str, list[Step]] = {}
        self.single_numbers: set[tuple[str, Type]] = set()

    @contextmanager
    def compiling_step(self, step: str) -> Iterator[None]:
        """Set the step, or the instructions of a word or kind of piece, whose body is compiled inside. step: name."""
        before, self.current_step = self.current_step, step
        try:
            yield
        finally:
            self.current_step = before

    @contextmanager
    def after_answers(self, sites: tuple[int, ...]) -> Iterator[None]:
        """Set the decision sites after whose answers the code runs that is compiled inside."""
        before, self.enclosing_sites = self.enclosing_sites, sites
        try:
            yield
        finally:
            self.enclosing_sites = before

    def emitter(self, parameters: int = 0) -> Emitter:
        """Return an emitter for a separate stretch of code. parameters: number of registers that are set before."""
        return Emitter(self.work, parameters, bool(self.edition.memory))

    @contextmanager
    def within_figures(self, figures: tuple[str, ...]) -> Iterator[None]:
        """Set the figures that are open inside, by name, the outermost first."""
        before, self.open_figures = self.open_figures, figures
        try:
            yield
        finally:
            self.open_figures = before

    @contextmanager
    def reading(self, scalar: Scalar) -> Iterator[None]:
        """Set the text that is compiled inside, into which messages point."""
        before, self.scalar = self.scalar, scalar
        try:
            yield
        finally:
            self.scalar = before

    def error(
        self, part: Node | None, problem: Wording, *hints: Wording, related: tuple[RelatedPlace, ...] = ()
    ) -> ReportedError:
        """Report an error at a part of the sentence, None for all of it; return the exception for the caller to
        raise."""
        start, end = (part.span if part is not None else None) or (0, len(self.scalar.text))
        self.report.error(self.scalar.place_at(start, max(1, end - start)), problem, *hints, related=related)
        return ReportedError()

    def is_known_wrong(self, *names: Name) -> bool:
        """Whether one of these names is known to be wrong, so that no more is reported of it."""
        return any(name.text in self.edition.lost for name in names)

    def may_be_broken_kind(self, type_: Type) -> bool:
        """Whether something may be a piece of a kind whose declaration is broken."""
        if type_.base != "piece" or not self.edition.lost.names:
            return False
        return not kinds_in(type_) or any(kind in self.edition.lost for kind in kinds_in(type_))

    def place_of(self, name: Name) -> SourcePlace:
        """Return the place of a name in its file."""
        start, end = name.span or (0, len(name.text))
        return self.scalar.place_at(start, end - start)

    def source_text(self, node: Node) -> str:
        """Return a part of the sentence as it is written."""
        start, end = node.span or (0, 0)
        return sentence_grammar.without_joints(self.scalar.text[start:end])

    def source_place(self, part: Node, message: str = "") -> int:
        """Return the number of a place, and message, that a run-time error names."""
        place = self.scalar.place_at(part.span.start if part.span is not None else 0, 1)
        excerpt = self.scalar.text if len(self.scalar.text) < 80 else self.scalar.text[:77] + "…"
        label = f"{place.file}:{place.line}: '{excerpt}'"
        return self.plan.add_place(f"{label}: {message}" if message else label)

    def parse(self, scalar: Scalar, parse: Callable[[str], AnyNode]) -> AnyNode:
        """Return the tree of a text. parse: one of those of `sentences`. Raises ReportedError; where a reserved word is
        made a name, uses of that name are not reported any more."""
        try:
            return parse(scalar.text)
        except sentence_errors.SentenceError as error:
            if not self.edition.lost.explains_error(scalar.text, error.offset):
                self.report.error(scalar.place_at(error.offset, error.length), error.problem, *error.hints)
            if error.reserved_word:  # suppress further errors about it, and about names that contain it
                self.edition.lost.refused.add(error.reserved_word)
                names = names_introduced(scalar.text)
                self.edition.lost.unreadable.update(name for name in names if error.reserved_word in name.split())
            raise ReportedError from None
