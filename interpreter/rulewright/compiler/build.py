"""Whole programs: set-up, phases, scores, rule texts; and checks of parts that no game reaches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import EditionError, Report, SourcePlace
from rulewright.base.rule_keys import RuleKey
from rulewright.compiler import (
    boards,
    cell_access,
    choose_group,
    control,
    decisions,
    dispatch,
    effects,
    exits,
    expressions,
    figures,
    name_resolution,
    position_hash,
    projections,
    registry,
    relations,
    set_packing,
    sets,
    simultaneous,
    step_results,
    steps,
    texts,
)
from rulewright.compiler.context import Context
from rulewright.compiler.edition_analysis import EditionAnalysis
from rulewright.compiler.emitter import ONE, ZERO, constant
from rulewright.compiler.layout import LayoutBuilder, board_map
from rulewright.compiler.piece_types import piece_types
from rulewright.compiler.registry import figure_meaning, meaning_of
from rulewright.compiler.remarks import Condition, Doubt
from rulewright.compiler.set_operations import constant_group
from rulewright.compiler.texts import one_line
from rulewright.compiler.tracing import Tracer
from rulewright.compiler.type_checks import as_fraction, require_type, single_value
from rulewright.compiler.typed_expressions import compile_value, meaning_of_text
from rulewright.compiler.typed_values import (
    FRACTION,
    NUMBER,
    SEAT,
    TRUTH,
    UNBOUNDED,
    Binding,
    Frame,
    Meaning,
    ReportedError,
    Scope,
    Value,
)
from rulewright.compiler.work_budget import TooLarge
from rulewright.model.declarations import QUIET_ROUNDS, Edition
from rulewright.program.form import (
    ASKED,
    LIMITED,
    PHASE,
    ROUND,
    Function,
    Limit,
    Measure,
    Option,
    Power,
    Program,
    RuleText,
    ScoreLine,
    Setting,
    Text,
    Type,
)
from rulewright.program.instructions import Instruction
from rulewright.program.traced_program import FollowedProgram
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import Expression, ExtremeFirst, Key, Path, TrueFirst

MAX_STATE_CELLS = 100_000


def compile_edition(edition: Edition, seats: int, report: Report, setting: Setting | None = None) -> Program:
    """Compile an edition for a number of seats. Raises EditionError with everything that is wrong.

    setting: compile for these roles and options alone, which runs faster.
    """
    with _reporting_errors(edition, report):
        program = _compile_program(
            _context_with_capacities(edition, seats, report, EditionAnalysis(edition, report), setting)
        )
        if report.ok:
            return program
    raise EditionError(report)


def compile_with_sources(
    edition: Edition, seats: int, setting: Setting | None = None
) -> tuple[Program, list[Scalar | None]]:
    """Compile a checked edition; return the program and, for each instruction, the sentence that it comes from."""
    report = Report()
    context = _context_with_capacities(edition, seats, report, EditionAnalysis(edition, report), setting)
    return _compile_program(context), context.emit.sources()


def compile_traced(edition: Edition, seats: int) -> FollowedProgram:
    """Compile a checked edition into a program that also emits a trace of its sentences."""
    report = Report()
    context = _context_with_capacities(edition, seats, report, EditionAnalysis(edition, report))
    tracer = Tracer(context)
    context.trace = tracer.statement
    return tracer.program(_compile_program(context))


def check(edition: Edition, report: Report) -> None:
    """Report everything that is wrong with an edition, for its smallest and its largest number of seats."""
    _compile_smallest_and_largest(edition, report)


def check_conditions(edition: Edition, report: Report) -> tuple[list[Condition], list[Doubt]]:
    """Report everything that is wrong with an edition, for every number of seats.

    If nothing is: return the conditions that always come out the same, and the doubts about names with two meanings.
    """
    contexts = _compile_smallest_and_largest(edition, report, warns=True)
    if not report.ok or not contexts:
        return [], []
    try:
        analysis = contexts[0].analysis
        for seats in edition.seat_counts()[1:-1]:
            contexts.insert(-1, _context_with_capacities(edition, seats, report, analysis))
            _compile_program(contexts[-2])
    except (TooLarge, RecursionError, ReportedError):  # reported for the largest number of seats
        return [], []
    conditions: dict[tuple[SourcePlace, int, int], Condition] = {}
    for context in contexts:
        for key, condition in context.remarks.conditions.items():
            conditions.setdefault(key, condition).outcomes.update(condition.outcomes)
    always = [condition for condition in conditions.values() if condition.outcomes in ({0}, {1})]
    return always, list(contexts[0].remarks.doubts.values())


def _compile_smallest_and_largest(edition: Edition, report: Report, warns: bool = False) -> list[Context]:
    """Compile an edition for its smallest and its largest number of seats; return the contexts. warns: whether the
    first collects doubts, which are the same for any number."""
    contexts: list[Context] = []
    with _reporting_errors(edition, report):
        analysis = EditionAnalysis(edition, report)
        for seats in sorted(set(edition.seats)) if not edition.lost.meaning else ():
            with suppress(ReportedError):  # reported
                context = _context_with_capacities(edition, seats, report, analysis, warns=warns and not contexts)
                with suppress(ReportedError):  # reported
                    _compile_program(context)
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
        too_large = error if isinstance(error, TooLarge) else TooLarge("too much stands inside one another.")
        place = too_large.place or SourcePlace(edition.file, 1, 1, 1)
        report.error(place, "too-large", f"These rules are too large: {too_large.reason}", too_large.hint)
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
    """Return a context whose zones hold no more than their limits allow, as far as these are proven."""
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
            report.error(zone.at_most.place, "type", "Expected a number: how many pieces may lie here.")
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
    effects,
    exits,
    expressions,
    figures,
    position_hash,
    projections,
    relations,
    set_packing,
    sets,
    simultaneous,
    steps,
)


def _compile_program(ctx: Context) -> Program:
    """Compile everything into a program. Raises ReportedError."""
    edition, plan = ctx.edition, ctx.plan
    start = cell_access.new_block(ctx)
    cell_access.begin_block(ctx, start, "setup")
    if edition.setup is not None:
        control.compile_statements(ctx, edition.setup.body, Scope("setup", someone=False, flat=True))
    phases = _compile_phases(ctx)
    steps.finish_subroutines(ctx)
    scoring, ranking, lowest_first = _compile_scoring(ctx)
    measures = tuple(_compile_statistics(ctx))
    rules = _compile_rule_texts(ctx)
    aside_texts = (*edition.asides, *edition.figure_texts())
    asides = {
        (key, one_line(scalar.text)): RuleText(*compile_rule_text(ctx, key, scalar)) for key, scalar in aside_texts
    }
    powers = {
        changes.name: compile_power(ctx, changes.name) for changes in edition.change_sets if changes.level == "power"
    }
    if not ctx.report.ok:
        raise ReportedError
    types, type_of = piece_types(edition, ctx.report)
    layout = plan.layout()
    if layout.size > MAX_STATE_CELLS:
        ctx.report.error(
            plan.nowhere,
            "too-large",
            f"A game would need {layout.size:,} cells; {MAX_STATE_CELLS:,} are allowed.",
        )
    words = {name: tuple(word.name for word in entry.words) for name, entry in edition.words.items()}
    nouns = {name: tuple((w.noun.one, w.noun.many) for w in entry.words) for name, entry in edition.words.items()}
    limit = edition.limit
    options = tuple(Option(option.name, option.choices, option.default) for option in edition.options.values())
    return Program(
        code=tuple(ctx.emit.code),
        tables=tuple(plan.tables),
        functions=tuple(ctx.output.functions),
        layout=layout,
        start=start,
        phases=phases,
        sites=tuple(ctx.output.sites),
        sealed=tuple(ctx.output.sealed),
        texts=tuple(ctx.output.texts),
        places=tuple(plan.places),
        blocks=ctx.output.block_steps,
        starts=plan.starts(),
        types=types,
        type_of=type_of,
        words=words,
        word_nouns=nouns,
        maps=tuple(board_map(edition, board) for board in edition.boards.values() if board.positions),
        roles=tuple(edition.roles),
        unscored_roles=frozenset(role.name for role in edition.roles.values() if not role.scored),
        options=options,
        scoring=scoring,
        ranking=ranking,
        limit=Limit(limit.answers_of(layout.seats), limit.rounds or 0, limit.scored),
        measures=measures,
        rules=rules,
        powers=powers,
        asides=asides,
        lowest_first=lowest_first,
        sides=plan.counter(edition.sides)[0] if edition.sides else -1,
    )


def _compile_phases(ctx: Context) -> tuple[tuple[str, int], ...]:
    """Compile the phases as an endless round; return each phase's name and first block."""
    entries: list[tuple[str, int]] = []
    if ctx.analysis.ends_phases:
        ctx.output.phase_ends = [cell_access.new_block(ctx) for _ in ctx.edition.phases]
    for index, phase in enumerate(ctx.edition.phases):
        block = cell_access.new_block(ctx)
        entries.append((phase.name, block))
        cell_access.begin_block(ctx, block, phase.name)
        ctx.emit.store(PHASE, ZERO, 2 * index + 1)
        ctx.emit.spend()
        if index == 0:
            played = ctx.emit.load(ROUND)
            emit_round_limit(ctx, played)
            ctx.emit.store(ROUND, ZERO, ctx.emit.value("add", played, 3))
        with ctx.emit.telling():
            ctx.emit.op("tell", len(ctx.output.texts))
            ctx.output.texts.append(Text(f"phases.{phase.name}.title", phase.title, heading=True))
        frame = Frame("phase", phase.name, index)
        control.compile_statements(ctx, phase.body, Scope(phase.name, someone=False, flat=True, frames=(frame,)))
        if ctx.output.phase_ends:
            cell_access.begin_block(ctx, ctx.output.phase_ends[index], phase.name)
    if entries:
        ctx.emit.op("goto", entries[0][1])
    else:
        ctx.emit.op("halt")
    return tuple(entries)


def emit_round_limit(ctx: Context, played: int) -> None:
    """End the game where a round begins after the maximum number of rounds, or after too many without a question.
    played: register of the rounds begun."""
    rounds = ctx.edition.limit.rounds
    if rounds is None:
        rounds, played = QUIET_ROUNDS, ctx.emit.value("subtract", played, ctx.emit.load(ASKED))
    with ctx.emit.if_true(ctx.emit.value("at_most", constant(rounds), played)):
        ctx.emit.store(LIMITED, ZERO, ONE)
        ctx.emit.op("halt")


# ── pure functions ──


def _compile_function(ctx: Context, make: Callable[[], list[int]], fraction: bool = False) -> int:
    """Compile a pure function of the state and a seat; return its number. make: returns the vectors of its results;
    fraction: whether these are numbers with fractions."""
    outer, ctx.emit = ctx.emit, ctx.emitter(parameters=1)
    try:
        results = make()
        ctx.emit.op("answer", *results)
        code: tuple[Instruction, ...] = tuple(ctx.emit.code)
    finally:
        ctx.emit = outer
    ctx.output.functions.append(Function(code, fraction))
    return len(ctx.output.functions) - 1


def seat_scope(ctx: Context, name: str) -> Scope:
    """Return the scope of a pure function of the seat in register 0."""
    return Scope(name, me=0)


def _compile_scoring(ctx: Context) -> tuple[tuple[ScoreLine, ...], tuple[int, ...], bool]:
    """Return the lines, the keys of the ranking, and whether its first key puts the lowest first."""
    lines: list[ScoreLine] = []
    type_ = points_type(ctx)
    for line in ctx.edition.scoring:
        ctx.visibilities.clear()
        number = compile_number_function(ctx, line.points, seat_scope(ctx, line.name), type_)
        title = Text(f"scoring.{line.name}.title", line.title)
        lines.append(ScoreLine(line.name, title, number, result_visibility(ctx)))
    ranking: list[int] = []
    order = ctx.edition.ranking or Scalar("highest score", ctx.plan.nowhere)
    warned_of_doubts = ctx.remarks.warns_of_doubts
    ctx.remarks.warns_of_doubts = (
        warned_of_doubts and ctx.edition.ranking is not None
    )  # the default ranking raises none
    with ctx.reading(order):
        try:
            tree = ctx.parse(order, sentences.keys)
        except ReportedError:
            return tuple(lines), (), False
        for key in tree.keys:
            ranking += compile_ranking_key(ctx, key)
    ctx.remarks.warns_of_doubts = warned_of_doubts
    first = tree.keys[0]
    lowest_first = isinstance(first, ExtremeFirst) and first.which == "lowest"
    return tuple(lines), tuple(ranking), lowest_first


def points_type(ctx: Context) -> Type:
    """Return the type of all score lines: FRACTION if any of them has a fraction."""
    for line in ctx.edition.scoring:
        with suppress(ReportedError), ctx.reading(line.points):
            if is_fraction(ctx, ctx.parse(line.points, sentences.value), seat_scope(ctx, line.name)):
                return FRACTION
    return NUMBER


def is_fraction(ctx: Context, expression: Expression, scope: Scope) -> bool:
    """Whether an expression of a pure function is a number with a fraction."""
    outer, ctx.emit = ctx.emit, ctx.emitter(parameters=1)
    try:
        return meaning_of(ctx, expression, scope, "", NUMBER.base).type == FRACTION
    finally:
        ctx.emit = outer


def compile_ranking_key(ctx: Context, key: Key) -> Iterator[int]:
    """Compile one key of the ranking; yield its function's number unless it is wrong."""
    scope = seat_scope(ctx, "ranking")
    if not isinstance(key, ExtremeFirst | TrueFirst):
        ctx.error(key, "type", "A ranking goes by 'highest …', 'lowest …' or '… first'.")
        return
    scope.bind("score", partial(emit_total_score, ctx))

    def make() -> list[int]:
        vector = ctx.emit.vector()
        ctx.emit.op("vector", vector)
        ctx.emit.op(
            "push", vector, ctx.emit.value("subtract", ZERO, control.order_key(ctx, key, SEAT, scope)(Value(SEAT, 0)))
        )
        return [vector]

    with suppress(ReportedError):
        yield _compile_function(ctx, make, isinstance(key, ExtremeFirst) and is_fraction(ctx, key.figure, scope))


def emit_total_score(ctx: Context) -> Value:
    """Emit the sum of all score lines."""
    total, nowhere = Value(NUMBER, ZERO, 0, 0), Path(None, ())
    for line in ctx.edition.scoring:
        points = single_value(ctx, meaning_of_text(ctx, line.points, seat_scope(ctx, line.name)), nowhere)
        with ctx.reading(line.points):
            total, points = expressions.unify_numbers(ctx, total, points, nowhere)
            operand = ctx.emit.value("add", total.operand, points.operand)
            low, high = total.low + points.low, total.high + points.high
            total = expressions.in_range(ctx, operand, low, high, nowhere, total.type)
    return total


def compile_number_function(
    ctx: Context, scalar: Scalar, scope: Scope, type_: Type = NUMBER, truths: bool = False
) -> int:
    """Compile an expression as a pure function; return its number, -1 if it is wrong. type_: of the result; truths:
    also accept a condition, as 1 or 0."""

    def make() -> list[int]:
        vector = ctx.emit.vector()
        ctx.emit.op("vector", vector)
        with ctx.reading(scalar):
            tree = ctx.parse(scalar, sentences.value)
            value = compile_value(ctx, tree, scope)
            if not (truths and value.type == TRUTH):
                require_type(ctx, value.type, type_, tree)
            if type_ == FRACTION:
                value = as_fraction(ctx, value, tree)
        ctx.emit.op("push", vector, value.operand)
        return [vector]

    try:
        return _compile_function(ctx, make, type_ == FRACTION)
    except ReportedError:
        return -1


def _compile_statistics(ctx: Context) -> Iterator[Measure]:
    """Compile the statistics that the edition declares."""
    for measure in ctx.edition.measures:
        key, text = f"measures.{measure.name}", None
        number = compile_number_function(ctx, measure.amount, seat_scope(ctx, measure.name), truths=True)
        if measure.text is not None:
            text = RuleText(*compile_rule_text(ctx, f"{key}.text", measure.text))
        yield Measure(measure.name, Text(f"{key}.title", measure.title), text, number)


def result_visibility(ctx: Context) -> str:
    """Return who may see a result: as the least visible of the zones that were read."""
    return next((viewers for viewers in ("nobody", "owner") if viewers in ctx.visibilities), "all")


def compile_power(ctx: Context, name: str) -> Power:
    """Compile the function that says whether a seat holds a power."""

    def make() -> list[int]:
        vector = ctx.emit.vector()
        ctx.emit.op("vector", vector)
        ctx.emit.op("push", vector, figures.emit_holds_power(ctx, name, 0))
        return [vector]

    visibilities = {ctx.edition.zones[zone].seen_by for zone, _ in ctx.plan.stock.power_pieces(name)}
    return Power(
        _compile_function(ctx, make),
        "nobody" if "nobody" in visibilities else "owner" if "owner" in visibilities else "all",
    )


def _compile_rule_texts(ctx: Context) -> dict[RuleKey, RuleText]:
    """Compile every rule text, with a function for its figures."""
    rule_texts = ctx.edition.rule_texts().items()
    return {
        key: RuleText(*compile_rule_text(ctx, f"{key}.text", scalar, name_resolution.rule_subject(ctx, key)))
        for key, scalar in rule_texts
    }


def compile_rule_text(ctx: Context, key: str, scalar: Scalar, item: Value | None = None) -> tuple[Text, int]:
    """Compile a text and the function of its figures. key: its place in catalogs; item: the word that it is about,
    if any."""
    results: list[Text] = []

    def make() -> list[int]:
        scope = seat_scope(ctx, key)
        text, arguments = texts.compile_text(ctx, scalar, key, scope if item is None else scope.within(item))
        results.append(text)
        return arguments

    try:
        function = _compile_function(ctx, make)
    except ReportedError:
        return Text(key, ""), -1
    return results[0], function


# ── checks ──


def check_unreached(ctx: Context, games: Context | None) -> None:
    """Compile what no game may reach: steps that nobody does, figures that nobody uses.

    games: context of the whole game, if it compiled without errors; what that reached is skipped.
    """
    for figure in (one for each in ctx.edition.figures.values() for one in (each, *each.others)):
        if (
            games is not None
            and figure.name in games.checked_figures
            and not (figure.others or ctx.analysis.kinds_with(figure))
        ):
            continue
        ctx.emit = ctx.emitter(parameters=1)
        try:
            types = [replace(figures.declared_type(ctx, name), many=False) for _, name in figure.parameters]
            arguments = [placeholder(ctx, type_) for type_ in types]
            figure_meaning(ctx, figure, 0 if figure.of else None, arguments, Scope(figure.name))
        except ReportedError:
            continue
    ctx.emit = ctx.emitter()
    for step in ctx.edition.steps.values():
        if games is not None and step.name in games.checked_steps:
            continue
        try:
            if ctx.analysis.step_may_ask(step):
                cell_access.begin_block(ctx, cell_access.new_block(ctx), step.name)
                steps.subroutine(ctx, step)
                steps.finish_subroutines(ctx)
                continue
            scope = Scope(step.name, frames=(Frame("routine"),))
            for name, type_name in step.parameters:
                scope.bind(name, placeholder(ctx, figures.declared_type(ctx, type_name)))
            with ctx.compiling_step(step.name):
                steps.compile_step(ctx, step, scope, step_results.begin_result(ctx, step, scope))
        except ReportedError:
            continue
    for step in ctx.edition.say_steps().values():
        if step.name not in ctx.checked_steps and (games is None or step.name not in games.checked_steps):
            with suppress(ReportedError):
                dispatch.check_instructions(ctx, step)


def placeholder(ctx: Context, type_: Type) -> Binding:
    """Return a value of a type for code that is compiled only to be checked."""
    thing: Meaning = constant_group(ctx, type_, ()) if type_.many else Value(type_, 0)
    return lambda: thing
