"""Sets and numbers that a table marks, by terms that an edition's looks name: who leads a trick, spaces of boards, and
what lines of a score pad are worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.compiler.context import Context
from rulewright.compiler.name_resolution import find_word
from rulewright.compiler.pure_functions import compile_function, result_visibility, seat_scope
from rulewright.compiler.set_operations import empty_vector, vector_of
from rulewright.compiler.type_checks import require_type
from rulewright.compiler.typed_expressions import compile_number, compile_set
from rulewright.compiler.typed_values import SEAT, ReportedError
from rulewright.model.declarations import canonical
from rulewright.program.form import MarkedSet
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar


def compile_leading_seats(ctx: Context) -> dict[str, MarkedSet]:
    """Compile, for zones, the seats that lead with what lies there; wrong terms are reported and left out."""
    leading = {zone: _compile_set(ctx, term, SEAT) for zone, term in ctx.edition.leading_seats.items()}
    return {zone: marked for zone, marked in leading.items() if marked is not None}


def compile_apart_pieces(ctx: Context) -> dict[str, MarkedSet]:
    """Compile, for zones, the pieces of a seat that lie apart there; wrong terms are reported and left out."""
    pieces = {zone: _compile_set(ctx, term, Type("piece")) for zone, term in ctx.edition.apart_pieces.items()}
    return {zone: marked for zone, marked in pieces.items() if marked is not None}


def compile_marked_spaces(ctx: Context) -> dict[str, dict[str, MarkedSet]]:
    """Compile, by mark and the word lists of boards, the spaces of a seat that have it; wrong terms are reported and
    left out."""
    return {mark: _compile_spaces(ctx, terms) for mark, terms in ctx.edition.marked_spaces.items()}


def compile_line_worth(ctx: Context) -> MarkedSet | None:
    """Compile the numbers that the lines of a score pad would bring a seat now, in order; None without such a term."""
    pad, term = ctx.edition.score_pad_counters, ctx.edition.score_pad_worth
    if pad is None or term is None:
        return None
    words = ctx.edition.counters[pad[0]].by
    scope = seat_scope(ctx, "looks")

    def make() -> list[int]:
        vector = empty_vector(ctx)
        with ctx.reading(term):
            tree = ctx.parse(term, sentences.value)
            for word in ctx.edition.words[words].words:
                line = find_word(ctx, canonical(word.name), words)
                assert line is not None
                ctx.emit.op("push", vector, compile_number(ctx, tree, scope.with_item(line)).operand)
        return [vector]

    return _compile_marked(ctx, make)


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
            members = compile_set(ctx, tree, seat_scope(ctx, "looks"))
            require_type(ctx, members.type, type_, tree)
        return [vector_of(ctx, members)]

    return _compile_marked(ctx, make)


def _compile_marked(ctx: Context, make: Callable[[], list[int]]) -> MarkedSet | None:
    """Compile what a table marks, with who may see it; None if it is wrong."""
    ctx.visibilities.clear()
    try:
        return MarkedSet(compile_function(ctx, make), result_visibility(ctx))
    except ReportedError:
        return None
