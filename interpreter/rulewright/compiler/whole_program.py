"""Whole programs: set-up, phases, limits and rule texts."""

from __future__ import annotations

from rulewright.base.rule_keys import RuleKey
from rulewright.compiler import cell_access, control, messages, name_resolution, steps
from rulewright.compiler.context import Context
from rulewright.compiler.layout import board_map
from rulewright.compiler.marked_sets import (
    compile_apart_pieces,
    compile_leading_seats,
    compile_line_worth,
    compile_marked_spaces,
)
from rulewright.compiler.piece_types import piece_types
from rulewright.compiler.pure_functions import compile_power, compile_rule_text
from rulewright.compiler.scopes import Frame, Scope
from rulewright.compiler.scoring import compile_scoring, compile_statistics
from rulewright.compiler.texts import one_line
from rulewright.compiler.typed_values import ReportedError
from rulewright.model.declarations import QUIET_ROUNDS
from rulewright.program.form import Limit, Option, Program, RuleText, Text
from rulewright.program.instructions import ONE, ZERO, constant
from rulewright.program.state_layout import LIMITED, PHASE, QUESTION_ROUND, ROUND, Layout

MAX_STATE_CELLS = 100_000
"""Maximum number of cells in a state."""


def compile_program(ctx: Context) -> Program:
    """Compile everything into a program. Raises ReportedError if anything is wrong, after all has been compiled."""
    edition, plan = ctx.edition, ctx.plan
    start = cell_access.new_block(ctx)
    cell_access.begin_block(ctx, start, "setup")
    if edition.setup is not None:
        control.compile_statements(ctx, edition.setup.body, Scope("setup", somebody_acts=False, can_ask=True))
    phases = _compile_phases(ctx)
    steps.finish_subroutines(ctx)
    scoring, ranking, lowest_first = compile_scoring(ctx)
    measures = tuple(compile_statistics(ctx))
    leading, marked_spaces = compile_leading_seats(ctx), compile_marked_spaces(ctx)
    line_worth, apart_pieces = compile_line_worth(ctx), compile_apart_pieces(ctx)
    rules = _compile_rule_texts(ctx)
    asides = _compile_asides(ctx)
    powers = {
        changes.name: compile_power(ctx, changes.name) for changes in edition.change_sets if changes.level == "power"
    }
    if not ctx.report.ok:
        raise ReportedError
    types, type_of = piece_types(edition, ctx.report)
    layout = _checked_layout(ctx)
    words = {name: tuple(word.name for word in entry.words) for name, entry in edition.words.items()}
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
        maps=tuple(board_map(edition, board) for board in edition.boards.values() if board.positions),
        roles=tuple(edition.roles),
        unscored_roles=frozenset(role.name for role in edition.roles.values() if not role.scored),
        options=options,
        scoring=scoring,
        ranking=ranking,
        limit=Limit(limit.answers_of(layout.seats), limit.rounds or 0, limit.scored),
        measures=measures,
        leading=leading,
        marked_spaces=marked_spaces,
        line_worth=line_worth,
        apart_pieces=apart_pieces,
        rules=rules,
        powers=powers,
        asides=asides,
        lowest_first=lowest_first,
        sides=plan.counter(edition.sides)[0] if edition.sides else -1,
        lead=next((number for number, one in enumerate(measures) if one.name == edition.lead_measure), -1),
        plays=edition.play_digest,
    )


def _checked_layout(ctx: Context) -> Layout:
    """Return the layout of the state; report one that is too large."""
    layout = ctx.plan.layout()
    if layout.size > MAX_STATE_CELLS:
        problem = messages.STATE_TOO_LARGE(needed=f"{layout.size:,}", most=f"{MAX_STATE_CELLS:,}")
        ctx.report.error(ctx.plan.nowhere, problem)
    return layout


def _compile_phases(ctx: Context) -> tuple[tuple[str, int], ...]:
    """Compile the phases as an endless round; return each phase's name and first block."""
    entries: list[tuple[str, int]] = []
    if ctx.analysis.ends_phases:
        ctx.output.phase_ends = [cell_access.new_block(ctx) for _ in ctx.edition.phases]
    for index, phase in enumerate(ctx.edition.phases):
        block = cell_access.new_block(ctx)
        entries.append((phase.name, block))
        cell_access.begin_block(ctx, block, phase.name)
        ctx.emit.store(PHASE, ZERO, constant(index))
        ctx.emit.spend()
        if index == 0:
            played = ctx.emit.load(ROUND)
            emit_round_limit(ctx, played)
            ctx.emit.store(ROUND, ZERO, ctx.emit.evaluate("add", played, ONE))
        with ctx.emit.telling():
            ctx.emit.op("tell", len(ctx.output.texts))
            ctx.output.texts.append(Text(f"phases.{phase.name}.title", phase.title, heading=True))
        frame = Frame("phase", phase.name, index)
        control.compile_statements(
            ctx, phase.body, Scope(phase.name, somebody_acts=False, can_ask=True, frames=(frame,))
        )
        if ctx.output.phase_ends:
            cell_access.begin_block(ctx, ctx.output.phase_ends[index], phase.name)
    if entries:
        ctx.emit.op("goto", entries[0][1])
    else:
        ctx.emit.op("halt")
    return tuple(entries)


def emit_round_limit(ctx: Context, played: int) -> None:
    """Emit the end of the game where a round begins after the maximum number of rounds, or, without one, after too many
    without a question. played: operand of the number of rounds begun."""
    rounds = ctx.edition.limit.rounds
    if rounds is None:
        rounds, played = QUIET_ROUNDS, ctx.emit.evaluate("subtract", played, ctx.emit.load(QUESTION_ROUND))
    with ctx.emit.if_true(ctx.emit.evaluate("at_most", constant(rounds), played)):
        ctx.emit.store(LIMITED, ZERO, ONE)
        ctx.emit.op("halt")


def _compile_rule_texts(ctx: Context) -> dict[RuleKey, RuleText]:
    """Compile every rule text, with a function for its figures."""
    rule_texts = ctx.edition.rule_texts().items()
    return {
        key: RuleText(*compile_rule_text(ctx, f"{key}.text", scalar, name_resolution.rule_subject(ctx, key)))
        for key, scalar in rule_texts
    }


def _compile_asides(ctx: Context) -> dict[tuple[str, str], RuleText]:
    """Compile the texts beside the rules, such as those of figures: (place in catalogs, text on one line) -> text."""
    return {
        (key, one_line(scalar.text)): RuleText(*compile_rule_text(ctx, key, scalar))
        for key, scalar in (*ctx.edition.asides, *ctx.edition.figure_texts())
    }
