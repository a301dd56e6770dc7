"""Figures (values and terms), with the change sets that alter them.

A later level changes the result of an earlier one; within a level additions come first. Parameter `owner`: operand of
the seat, word or piece that has a figure, None for one of the game.
"""

from __future__ import annotations

from rulewright.base.diagnostics import RelatedPlace, did_you_mean
from rulewright.compiler import messages
from rulewright.compiler.case_values import figure_by_cases
from rulewright.compiler.change_sets import changed_value, is_never_active, replaced_set
from rulewright.compiler.context import Context
from rulewright.compiler.owned_names import ANY_PIECE
from rulewright.compiler.registry import figure_meaning, meaning_of
from rulewright.compiler.scopes import Binding, Scope
from rulewright.compiler.set_operations import bind_open_figures
from rulewright.compiler.typed_values import FRACTION, SEAT, TRUTH, Meaning, MemberSet, ReportedError, Value
from rulewright.compiler.work_budget import MAX_CALL_DEPTH, too_deep
from rulewright.model.declarations import Figure, canonical
from rulewright.program.value_types import Type
from rulewright.syntax import sentences
from rulewright.syntax.source import Scalar


@figure_meaning.defines
def compile_figure(ctx: Context, figure: Figure, owner: int | None, arguments: list[Binding], scope: Scope) -> Meaning:
    """Return a figure's value for a seat (or the game), with every change that is active for it; its code is emitted
    here, as at every use. Raises ReportedError if it depends on itself, TooLarge if figures are nested too deep."""
    if figure.name in ctx.open_figures:
        circle = ctx.open_figures[ctx.open_figures.index(figure.name) :]
        related = (
            RelatedPlace(ctx.edition.figures[name].place, messages.DECLARED_HERE(name=name)) for name in circle[1:]
        )
        problem = messages.DEPENDS_ON_ITSELF(figures=" → ".join((*circle, figure.name)))
        ctx.report.error(figure.place, problem, related=tuple(related))
        raise ReportedError
    if len(ctx.open_figures) >= MAX_CALL_DEPTH:
        raise too_deep(ctx.open_figures[0], figure.place)
    ctx.work.count_expansion(figure.name, figure.place)
    with ctx.within_figures((*ctx.open_figures, figure.name)):
        inner = owner_scope(ctx, figure.name, figure.of, owner)
        for (name, _), argument in zip(figure.parameters, arguments, strict=True):
            inner.bind(name, argument)
        meaning = figure_with_changes(ctx, figure, owner if figure.of == SEAT.base else None, inner)
        if isinstance(meaning, MemberSet):
            meaning = bind_open_figures(ctx, meaning)
    if not arguments:
        ctx.checked_figures.add(figure.name)
    return meaning


def owner_scope(ctx: Context, name: str, owner_type: str, owner: int | None) -> Scope:
    """Return the scope of something owned by a seat, by a word or piece (the item there), or by the table. name: of
    that thing; owner_type: 'seat', a word list, a kind of piece, or '' for the table; owner: as an operand. Asserts
    that a word or piece is given."""
    if owner_type in ("", SEAT.base):
        return Scope(name, acting_seat=owner, somebody_acts=owner is not None)
    assert owner is not None
    of_pieces = ctx.edition.is_of_pieces(owner_type)
    thing = Value(Type("piece", frozenset([owner_type])) if of_pieces else Type("word", owner_type), owner)
    scope = Scope(name, somebody_acts=False, item=thing)
    scope.bind(owner_type, lambda: thing)
    return scope


def figure_with_changes(ctx: Context, figure: Figure, owner: int | None, scope: Scope) -> Meaning:
    """Return a figure with the change sets that may be active."""
    base = base_meaning(ctx, figure, scope)
    changes = [change for change in ctx.analysis.changes.get(figure.name, ()) if not is_never_active(ctx, change[0])]
    if not changes:
        return base
    for change_set, _, text in changes:
        if figure.of not in ("", SEAT.base) and change_set.level != "option":
            problem = messages.CHANGES_ONLY_SEATS(level=messages.LEVELS[change_set.level](), owner=figure.of)
            ctx.report.error(text.place, problem, messages.USE_OPTION())
            raise ReportedError
    if isinstance(base, MemberSet):
        return replaced_set(ctx, base, changes, owner, scope)
    return changed_value(ctx, base, changes, owner, scope)


def base_meaning(ctx: Context, figure: Figure, scope: Scope) -> Meaning:
    """Return a figure as declared, without changes."""
    if figure.cases:
        return figure_by_cases(ctx, figure, scope)
    with ctx.reading(figure.body):
        return meaning_of(ctx, ctx.parse(figure.body, sentences.value), scope)


def declared_type(ctx: Context, scalar: Scalar) -> Type:
    """Return the type that a declaration names: suit, tile, tiles, seat, seats, number, yes or no. Raises ReportedError
    for another name."""
    name, many = canonical(scalar.text), scalar.text.strip() != canonical(scalar.text)
    if name in ("number", "seat"):
        return Type(name, "", many)
    if name == FRACTION.base and not many:
        return FRACTION
    if name == "yes or no":
        return TRUTH
    if name in ctx.names.lists:
        words = ctx.names.lists[name].name
        several = many and scalar.text != words
        warn_of_plural_type(ctx, scalar, many, words, several)
        return Type("word", words, several)
    if name in ctx.names.kinds:
        warn_of_plural_type(ctx, scalar, many, ctx.names.kinds[name].name, many)
        return Type("piece", frozenset([ctx.names.kinds[name].name]), many)
    if name in map(canonical, ANY_PIECE):
        return Type("piece", frozenset(ctx.edition.kinds), many)
    if name in ctx.edition.lost:
        raise ReportedError
    known_types = ["number", "fraction", "yes or no", "seat", *ctx.edition.words, *ctx.edition.kinds]
    problem = messages.EXPECTED_PARAMETER_TYPE(given=scalar.text)
    ctx.report.error(scalar.place, problem, *did_you_mean(scalar.text, known_types))
    raise ReportedError


def warn_of_plural_type(ctx: Context, scalar: Scalar, many: bool, name: str, several: bool) -> None:
    """Warn where a list or kind that is itself named in the plural could mean one of them, or several. many: whether
    the text is a plural; name: of the list or kind; several: whether the text is taken for several."""
    if not many or scalar.text != name:
        return
    problem = messages.PLURAL_IS_SEVERAL if several else messages.PLURAL_IS_ONE
    hint = messages.SAY_SINGULAR if several else messages.NAME_IT_IN_SINGULAR
    ctx.remarks.note_doubt(scalar.place, problem(name=name), hint(one=canonical(name), many=name))
