"""Puts a program together: set-up and phases, scores, rules in words; and checks that every part can be compiled."""

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
from rulewright.compiler.context import Condition, Context, Doubt
from rulewright.compiler.edition_analysis import EditionAnalysis
from rulewright.compiler.emitter import ONE, ZERO, constant
from rulewright.compiler.layout import LayoutBuilder, board_map
from rulewright.compiler.piece_types import piece_types
from rulewright.compiler.texts import one_line
from rulewright.compiler.tracing import Tracer
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
    """The program of an edition for a number of seats. Raises EditionError with all that is wrong.

    setting: if given, the program is for these roles and options alone, and quicker.
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
    """The program of an edition that has been checked; of each instruction, the sentence that it was written for."""
    report = Report()
    context = _context_with_capacities(edition, seats, report, EditionAnalysis(edition, report), setting)
    return _compile_program(context), context.emit.sources()


def compile_traced(edition: Edition, seats: int) -> FollowedProgram:
    """The same program, which tells its sentences besides, of an edition that has been checked."""
    report = Report()
    context = _context_with_capacities(edition, seats, report, EditionAnalysis(edition, report))
    follower = Tracer(context)
    context.trace = follower.sentence
    return follower.program(_compile_program(context))


def check(edition: Edition, report: Report) -> None:
    """Report everything that is wrong with an edition, for its least and its greatest number of seats."""
    _compile_smallest_and_largest(edition, report)


def check_conditions(edition: Edition, report: Report) -> tuple[list[Condition], list[Doubt]]:
    """Report everything that is wrong with an edition, for every number of seats. If nothing is: the conditions that
    always come to the same, however many sit at the table, and the names that could mean two things."""
    contexts = _compile_smallest_and_largest(edition, report, doubting=True)
    if not report.ok or not contexts:
        return [], []
    try:
        outline = contexts[0].analysis
        for seats in edition.seat_counts()[1:-1]:
            contexts.insert(-1, _context_with_capacities(edition, seats, report, outline))
            _compile_program(contexts[-2])
    except (TooLarge, RecursionError, ReportedError):  # the largest number of seats tells, or it is reported
        return [], []
    found: dict[tuple[SourcePlace, int, int], Condition] = {}
    for context in contexts:
        for key, condition in context.conditions.items():
            found.setdefault(key, condition).outcomes.update(condition.outcomes)
    always = [condition for condition in found.values() if condition.outcomes in ({0}, {1})]
    return always, list(contexts[0].doubts.values())


def _compile_smallest_and_largest(edition: Edition, report: Report, doubting: bool = False) -> list[Context]:
    """What has compiled an edition for its least and its greatest number of seats. doubting: whether the first tells
    doubts, which are the same for any number."""
    contexts: list[Context] = []
    with _reporting_errors(edition, report):
        outline = EditionAnalysis(edition, report)
        for seats in sorted(set(edition.seats)) if not edition.lost.meaning else ():
            with suppress(ReportedError):  # reported
                context = _context_with_capacities(edition, seats, report, outline, doubting=doubting and not contexts)
                with suppress(ReportedError):  # it is reported
                    _compile_program(context)
                check_unreached(
                    _context_with_capacities(edition, seats, report, outline), context if report.ok else None
                )
                contexts.append(context)
    return contexts


@contextmanager
def _reporting_errors(edition: Edition, report: Report) -> Iterator[None]:
    """While something is compiled that may be too large, or wrong."""
    try:
        yield
    except (TooLarge, RecursionError) as error:
        found = error if isinstance(error, TooLarge) else TooLarge("too much stands inside one another.")
        place = found.place or SourcePlace(edition.file, 1, 1, 1)
        report.error(place, "too-large", f"These rules are too large: {found.reason}", found.hint)
    except ReportedError:  # reported
        pass


def _context_with_capacities(
    edition: Edition,
    seats: int,
    report: Report,
    outline: EditionAnalysis,
    setting: Setting | None = None,
    doubting: bool = False,
) -> Context:
    """With a layout whose zones are no larger than their limits allow."""
    rough = LayoutBuilder(edition, outline.stock, seats)
    context = _new_context(edition, rough, report, outline)
    capacities: dict[str, int] = {}
    for zone in edition.zones.values():
        if zone.at_most is None:
            continue
        try:
            scope = figures.owner_scope(context, zone.name, zone.of, ZERO if zone.of else None)
            limit = context.meaning_of_text(zone.at_most, scope)
        except ReportedError:
            continue
        if not isinstance(limit, Value) or limit.type != NUMBER:
            report.error(zone.at_most.place, "type", "Expected a number: how many pieces may lie here.")
            continue
        uncounted = rough.stock.count(zone.holds - zone.counting)
        if limit.high < UNBOUNDED:
            capacities[zone.name] = min(rough.stock.count(zone.holds), max(0, limit.high) + uncounted)
    return _new_context(
        edition, LayoutBuilder(edition, outline.stock, seats, setting, capacities), report, outline, doubting
    )


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


def _new_context(
    edition: Edition, plan: LayoutBuilder, report: Report, outline: EditionAnalysis, doubting: bool = False
) -> Context:
    """A context that knows the functions which modules below them need."""
    ctx = Context(edition, plan, report, outline, doubting)
    ctx.meaning, ctx.every_seat = partial(expressions.meaning, ctx), partial(name_resolution.every_seat, ctx)
    ctx.figure, ctx.before_effect = partial(figures.compile_figure, ctx), partial(simultaneous.before_effect, ctx)
    ctx.progress, ctx.set_progress = partial(simultaneous.progress, ctx), partial(simultaneous.set_progress, ctx)
    ctx.ask_yes_no = partial(decisions.ask_yes_no, ctx)
    return ctx


def _compile_program(ctx: Context) -> Program:
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
    told_aside = (*edition.asides, *edition.tabled())
    asides = {
        (key, one_line(scalar.text)): RuleText(*compile_rule_text(ctx, key, scalar)) for key, scalar in told_aside
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
        functions=tuple(ctx.functions),
        layout=layout,
        start=start,
        phases=phases,
        sites=tuple(ctx.sites),
        sealed=tuple(ctx.sealed),
        texts=tuple(ctx.texts),
        places=tuple(plan.places),
        blocks=ctx.block_steps,
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
    """The phases, round after round. The first block of each marks where the game is."""
    entries: list[tuple[str, int]] = []
    if ctx.analysis.ends_phases:
        ctx.phase_ends = [cell_access.new_block(ctx) for _ in ctx.edition.phases]
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
            ctx.emit.op("tell", len(ctx.texts))
            ctx.texts.append(Text(f"phases.{phase.name}.title", phase.title, heading=True))
        frame = Frame("phase", phase.name, index)
        control.compile_statements(ctx, phase.body, Scope(phase.name, someone=False, flat=True, frames=(frame,)))
        if ctx.phase_ends:
            cell_access.begin_block(ctx, ctx.phase_ends[index], phase.name)
    if entries:
        ctx.emit.op("goto", entries[0][1])
    else:
        ctx.emit.op("halt")
    return tuple(entries)


def emit_round_limit(ctx: Context, played: int) -> None:
    """Where a round begins after as many as there may be, or after too many in which nobody was asked. played: the
    register of how many have begun."""
    rounds = ctx.edition.limit.rounds
    if rounds is None:
        rounds, played = QUIET_ROUNDS, ctx.emit.value("subtract", played, ctx.emit.load(ASKED))
    with ctx.emit.when(ctx.emit.value("at_most", constant(rounds), played)):
        ctx.emit.store(LIMITED, ZERO, ONE)
        ctx.emit.op("halt")


# ── pure functions ──


def _compile_function(ctx: Context, make: Callable[[], list[int]], fraction: bool = False) -> int:
    """Compile a pure function of the state and a seat; `make` gives the vectors of its results. fraction: whether they
    are numbers with fractions."""
    outer, ctx.emit = ctx.emit, ctx.emitter(parameters=1)
    try:
        results = make()
        ctx.emit.op("answer", *results)
        code: tuple[Instruction, ...] = tuple(ctx.emit.code)
    finally:
        ctx.emit = outer
    ctx.functions.append(Function(code, fraction))
    return len(ctx.functions) - 1


def seat_scope(ctx: Context, name: str) -> Scope:
    return Scope(name, me=0)


def _compile_scoring(ctx: Context) -> tuple[tuple[ScoreLine, ...], tuple[int, ...], bool]:
    """Return the lines, the keys of the ranking, and whether its first key puts the lowest first."""
    lines: list[ScoreLine] = []
    type_ = points_type(ctx)
    for line in ctx.edition.scoring:
        ctx.visibilities.clear()
        number = compile_number(ctx, line.points, seat_scope(ctx, line.name), type_)
        title = Text(f"scoring.{line.name}.title", line.title)
        lines.append(ScoreLine(line.name, title, number, result_visibility(ctx)))
    ranking: list[int] = []
    order = ctx.edition.ranking or Scalar("highest score", ctx.plan.nowhere)
    doubting, ctx.warns_of_doubts = (
        ctx.warns_of_doubts,
        ctx.warns_of_doubts and ctx.edition.ranking is not None,
    )  # else nobody wrote it
    with ctx.reading(order):
        try:
            tree = ctx.parse(order, sentences.keys)
        except ReportedError:
            return tuple(lines), (), False
        for key in tree.keys:
            ranking += compile_ranking_key(ctx, key)
    ctx.warns_of_doubts = doubting
    first = tree.keys[0]
    lowest_first = isinstance(first, ExtremeFirst) and first.which == "lowest"
    return tuple(lines), tuple(ranking), lowest_first


def points_type(ctx: Context) -> Type:
    """A number; with a fraction in all lines if it has one in some."""
    for line in ctx.edition.scoring:
        with suppress(ReportedError), ctx.reading(line.points):
            if is_fraction(ctx, ctx.parse(line.points, sentences.value), seat_scope(ctx, line.name)):
                return FRACTION
    return NUMBER


def is_fraction(ctx: Context, expression: Expression, scope: Scope) -> bool:
    """Whether an expression of a pure function is a number with a fraction."""
    outer, ctx.emit = ctx.emit, ctx.emitter(parameters=1)
    try:
        return ctx.meaning(expression, scope, "", NUMBER.base).type == FRACTION
    finally:
        ctx.emit = outer


def compile_ranking_key(ctx: Context, key: Key) -> Iterator[int]:
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
    total, nowhere = Value(NUMBER, ZERO, 0, 0), Path(None, ())
    for line in ctx.edition.scoring:
        points = ctx.single(ctx.meaning_of_text(line.points, seat_scope(ctx, line.name)), nowhere)
        with ctx.reading(line.points):
            total, points = expressions.unify_numbers(ctx, total, points, nowhere)
            operand = ctx.emit.value("add", total.operand, points.operand)
            low, high = total.low + points.low, total.high + points.high
            total = expressions.in_range(ctx, operand, low, high, nowhere, total.type)
    return total


def compile_number(ctx: Context, scalar: Scalar, scope: Scope, type_: Type = NUMBER, truths: bool = False) -> int:
    """type_: of the number; truths: a condition will do, and is 1 or 0."""

    def make() -> list[int]:
        vector = ctx.emit.vector()
        ctx.emit.op("vector", vector)
        with ctx.reading(scalar):
            tree = ctx.parse(scalar, sentences.value)
            found = ctx.value(tree, scope)
            if not (truths and found.type == TRUTH):
                ctx.require_type(found.type, type_, tree)
            if type_ == FRACTION:
                found = ctx.to_fraction(found, tree)
        ctx.emit.op("push", vector, found.operand)
        return [vector]

    try:
        return _compile_function(ctx, make, type_ == FRACTION)
    except ReportedError:
        return -1


def _compile_statistics(ctx: Context) -> Iterator[Measure]:
    for measure in ctx.edition.measures:
        key, text = f"measures.{measure.name}", None
        number = compile_number(ctx, measure.amount, seat_scope(ctx, measure.name), truths=True)
        if measure.text is not None:
            text = RuleText(*compile_rule_text(ctx, f"{key}.text", measure.text))
        yield Measure(measure.name, Text(f"{key}.title", measure.title), text, number)


def result_visibility(ctx: Context) -> str:
    """Who may see what has been worked out: the narrowest of the zones that were looked at decides."""
    return next((who for who in ("nobody", "owner") if who in ctx.visibilities), "all")


def compile_power(ctx: Context, name: str) -> Power:
    def make() -> list[int]:
        vector = ctx.emit.vector()
        ctx.emit.op("vector", vector)
        ctx.emit.op("push", vector, figures.emit_holds_power(ctx, name, 0))
        return [vector]

    seen = {ctx.edition.zones[zone].seen_by for zone, _ in ctx.plan.stock.power_pieces(name)}
    return Power(_compile_function(ctx, make), "nobody" if "nobody" in seen else "owner" if "owner" in seen else "all")


def _compile_rule_texts(ctx: Context) -> dict[RuleKey, RuleText]:
    """Every rule in words, with a function for the figures in it."""
    told = ctx.edition.told().items()
    return {
        key: RuleText(*compile_rule_text(ctx, f"{key}.text", scalar, name_resolution.rule_subject(ctx, key)))
        for key, scalar in told
    }


def compile_rule_text(ctx: Context, key: str, scalar: Scalar, item: Value | None = None) -> tuple[Text, int]:
    """A text with figures, whose place in catalogs is `key`, and the function for the figures. item: the word that it
    is about, if it is about one."""
    made: list[Text] = []

    def make() -> list[int]:
        scope = seat_scope(ctx, key)
        text, arguments = texts.compile_text(ctx, scalar, key, scope if item is None else scope.within(item))
        made.append(text)
        return arguments

    try:
        function = _compile_function(ctx, make)
    except ReportedError:
        return Text(key, ""), -1
    return made[0], function


# ── checks ──


def check_unreached(ctx: Context, games: Context | None) -> None:
    """Compile what no game may reach: steps that nobody does, figures that nobody uses.

    games: what has compiled all that games reach, if nothing was wrong with that.
    """
    for figure in (one for each in ctx.edition.figures.values() for one in (each, *each.others)):
        if games is not None and figure.name in games.checked_figures and not (figure.others or ctx.kinds_with(figure)):
            continue
        ctx.emit = ctx.emitter(parameters=1)
        try:
            types = [replace(figures.declared_type(ctx, name), many=False) for _, name in figure.parameters]
            arguments = [placeholder(ctx, type_) for type_ in types]
            ctx.figure(figure, 0 if figure.of else None, arguments, Scope(figure.name))
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
    for step in ctx.edition.sayings().values():
        if step.name not in ctx.checked_steps and (games is None or step.name not in games.checked_steps):
            with suppress(ReportedError):
                dispatch.check_instructions(ctx, step)


def placeholder(ctx: Context, type_: Type) -> Binding:
    """Something of a type, for code that is compiled to be checked and never run."""
    thing: Meaning = ctx.constant_group(type_, ()) if type_.many else Value(type_, 0)
    return lambda: thing
