"""Compilation of an edition: into a program for some seats, a traced one, or only to check it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rulewright.base.diagnostics import Diagnostic, EditionError, Report, SourcePlace
from rulewright.compiler import (
    arithmetic,
    boards,
    choose_group,
    control,
    counters,
    decisions,
    dispatch,
    exits,
    figures,
    lines,
    local_names,
    logic,
    lookups,
    loops,
    messages,
    moves,
    name_resolution,
    ordering,
    position_hash,
    projections,
    registry,
    relations,
    set_packing,
    sets,
    simultaneous,
    steps,
)
from rulewright.compiler.context import Context
from rulewright.compiler.edition_analysis import EditionAnalysis
from rulewright.compiler.layout import LayoutBuilder
from rulewright.compiler.remarks import Condition
from rulewright.compiler.tracing import Tracer
from rulewright.compiler.typed_expressions import meaning_of_text
from rulewright.compiler.typed_values import NUMBER, UNBOUNDED, ReportedError, Value
from rulewright.compiler.unreached import check_unreached
from rulewright.compiler.whole_program import compile_program
from rulewright.compiler.work_budget import TooLarge
from rulewright.model.edition import Edition
from rulewright.program.form import Program, Setting
from rulewright.program.instructions import ZERO
from rulewright.program.traced_program import TracedProgram
from rulewright.syntax.source import Scalar


def compile_edition(edition: Edition, seats: int, report: Report, setting: Setting | None = None) -> Program:
    """Compile an edition for a number of seats. Raises EditionError with everything that is wrong.

    setting: compile for these roles and options alone, which runs faster.
    """
    with _reporting_errors(edition, report):
        program = compile_program(
            _context_with_capacities(edition, seats, report, EditionAnalysis(edition, report), setting)
        )
        if report.ok:
            return program
    raise EditionError(report)


def compile_with_sources(
    edition: Edition, seats: int, setting: Setting | None = None
) -> tuple[Program, list[Scalar | None]]:
    """Compile a checked edition; return the program and, for each instruction, the sentence that it comes from, None
    for one of no sentence. Raises ReportedError for an edition with errors."""
    report = Report()
    context = _context_with_capacities(edition, seats, report, EditionAnalysis(edition, report), setting)
    return compile_program(context), context.emit.sources.by_instruction()


def compile_traced(edition: Edition, seats: int) -> TracedProgram:
    """Compile a checked edition into a program that also emits a trace of its sentences."""
    report = Report()
    context = _context_with_capacities(edition, seats, report, EditionAnalysis(edition, report))
    tracer = Tracer(context)
    context.trace = tracer.statement
    return tracer.program(compile_program(context))


def check(edition: Edition, report: Report) -> dict[int, Program]:
    """Report everything that is wrong with an edition, for its smallest and its largest number of seats, also in steps
    and figures that no game reaches. Return number of seats -> program; {} if anything is wrong."""
    programs: dict[int, Program] = {}
    _compile_smallest_and_largest(edition, report, programs)
    return programs if report.ok else {}


def check_conditions(edition: Edition, report: Report) -> tuple[list[Condition], list[Diagnostic]]:
    """Report everything that is wrong with an edition, as `check` does, and compile it for all other numbers of seats.
    If nothing is wrong, return the conditions that come out the same wherever they are compiled, and the doubts about
    what sentences mean; else nothing of both."""
    contexts = _compile_smallest_and_largest(edition, report, {}, warns=True)
    if not report.ok or not contexts:
        return [], []
    try:
        analysis = contexts[0].analysis
        for seats in edition.seat_counts()[1:-1]:
            contexts.insert(-1, _context_with_capacities(edition, seats, report, analysis))
            compile_program(contexts[-2])
    except (TooLarge, RecursionError, ReportedError):  # reported for the largest number of seats
        return [], []
    conditions: dict[tuple[SourcePlace, int, int], Condition] = {}
    for context in contexts:
        for key, condition in context.remarks.conditions.items():
            conditions.setdefault(key, condition).outcomes.update(condition.outcomes)
    always = [condition for condition in conditions.values() if condition.outcomes in ({0}, {1})]
    return always, list(contexts[0].remarks.doubts.values())


def _compile_smallest_and_largest(
    edition: Edition, report: Report, programs: dict[int, Program], warns: bool = False
) -> list[Context]:
    """Compile an edition for its smallest and its largest number of seats, and what no game reaches; report errors.
    Return the contexts in this order; none where declarations are lost that sentences may mean.

    programs: receives the programs that were completed, by number of seats. warns: whether the first context collects
    doubts, which are the same for any.
    """
    contexts: list[Context] = []
    with _reporting_errors(edition, report):
        analysis = EditionAnalysis(edition, report)
        for seats in sorted(set(edition.seats)) if not edition.lost.meaning else ():
            with suppress(ReportedError):  # reported
                context = _context_with_capacities(edition, seats, report, analysis, warns=warns and not contexts)
                with suppress(ReportedError):  # reported
                    programs[seats] = compile_program(context)
                check_unreached(
                    _context_with_capacities(edition, seats, report, analysis), context if report.ok else None
                )
                contexts.append(context)
    return contexts


@contextmanager
def _reporting_errors(edition: Edition, report: Report) -> Iterator[None]:
    """Report rules that are too large; suppress errors that are reported already."""
    try:
        yield
    except (TooLarge, RecursionError) as error:
        too_large = error if isinstance(error, TooLarge) else TooLarge(messages.NESTED_TOO_DEEP())
        place = too_large.place or SourcePlace(edition.file, 1, 1, 1)
        report.error(place, messages.TOO_LARGE(reason=too_large.reason), *too_large.hints)
    except ReportedError:  # reported
        pass


def _context_with_capacities(
    edition: Edition,
    seats: int,
    report: Report,
    analysis: EditionAnalysis,
    setting: Setting | None = None,
    warns: bool = False,
) -> Context:
    """Return a context whose zones hold no more than their limits allow, as far as these are proven; report limits that
    are no numbers. setting: as of `compile_edition`; warns: whether to look for doubts."""
    rough = LayoutBuilder(edition, analysis.stock, seats)
    context = Context(edition, rough, report, analysis)
    capacities: dict[str, int] = {}
    for zone in edition.zones.values():
        if zone.at_most is None:
            continue
        try:
            scope = figures.owner_scope(context, zone.name, zone.of, ZERO if zone.of else None)
            limit = meaning_of_text(context, zone.at_most, scope)
        except ReportedError:
            continue
        if not isinstance(limit, Value) or limit.type != NUMBER:
            report.error(zone.at_most.place, messages.EXPECTED_ZONE_LIMIT())
            continue
        uncounted = rough.stock.count(zone.holds - zone.counting)
        if limit.high < UNBOUNDED:
            capacities[zone.name] = min(rough.stock.count(zone.holds), max(0, limit.high) + uncounted)
    layout = LayoutBuilder(edition, analysis.stock, seats, setting, capacities)
    return Context(edition, layout, report, analysis, warns)


registry.require_all(
    boards,
    choose_group,
    control,
    decisions,
    dispatch,
    moves,
    exits,
    arithmetic,
    counters,
    lines,
    local_names,
    logic,
    lookups,
    loops,
    ordering,
    name_resolution,
    figures,
    position_hash,
    projections,
    relations,
    set_packing,
    sets,
    simultaneous,
    steps,
)
