"""Sets that a table marks, by terms that an edition's looks name: who leads a trick, and spaces of boards."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler.context import Context
from rulewright.compiler.pure_functions import compile_function, result_visibility, seat_scope
from rulewright.compiler.set_operations import vector_of
from rulewright.compiler.type_checks import require_type
from rulewright.compiler.typed_expressions import compile_group
from rulewright.compiler.typed_values import SEAT, ReportedError
from rulewright.program.form import MarkedSet
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar


def compile_leading_seats(ctx: Context) -> dict[str, MarkedSet]:
    """Compile, for zones, the seats that lead with what lies there; wrong terms are reported and left out."""
    leading = {zone: _compile_set(ctx, term, SEAT) for zone, term in ctx.edition.leading_seats.items()}
    return {zone: marked for zone, marked in leading.items() if marked is not None}


def compile_marked_spaces(ctx: Context) -> dict[str, dict[str, MarkedSet]]:
    """Compile, by mark and the word lists of boards, the spaces of a seat that have it; wrong terms are reported and
    left out."""
    return {mark: _compile_spaces(ctx, terms) for mark, terms in ctx.edition.marked_spaces.items()}


def _compile_spaces(ctx: Context, terms: Mapping[str, Scalar]) -> dict[str, MarkedSet]:
    """Return the sets of spaces by their word list; terms: of a seat, by board. Wrong ones are left out."""
    spaces_of = {board: ctx.edition.boards[board].spaces for board in terms}
    sets = {spaces_of[board]: _compile_set(ctx, term, Type("word", spaces_of[board])) for board, term in terms.items()}
    return {spaces: marked for spaces, marked in sets.items() if marked is not None}


def _compile_set(ctx: Context, term: Scalar, type_: Type) -> MarkedSet | None:
    """Compile a term of a seat as a set of things of a type; None if it is wrong."""

    def make() -> list[int]:
        with ctx.reading(term):
            tree = ctx.parse(term, sentences.value)
            group = compile_group(ctx, tree, seat_scope(ctx, "looks"))
            require_type(ctx, group.type, type_, tree)
        return [vector_of(ctx, group)]

    ctx.visibilities.clear()
    try:
        return MarkedSet(compile_function(ctx, make), result_visibility(ctx))
    except ReportedError:
        return None
