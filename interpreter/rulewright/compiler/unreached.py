"""Checks of steps and figures that no game reaches."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from rulewright.compiler import cell_access, dispatch, figures, step_results, steps
from rulewright.compiler.context import Context
from rulewright.compiler.registry import figure_meaning
from rulewright.compiler.scopes import Binding, Frame, Scope, fixed_binding
from rulewright.compiler.set_operations import constant_group
from rulewright.compiler.typed_values import ReportedError, Value
from rulewright.program.value_types import Type


def check_unreached(ctx: Context, games: Context | None) -> None:
    """Compile what no game may reach, to report its errors: steps that nobody does, instructions that nobody follows,
    figures that nobody uses. ctx: one for this alone; games: context of the whole game, if it compiled without errors;
    what that reached is skipped."""
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
    """Return the binding of a value of a type, of register 0 or an empty set, for code that is compiled only to be
    checked."""
    return fixed_binding(constant_group(ctx, type_, ()) if type_.many else Value(type_, 0))
