"""Lookups with `for`: figures with arguments, tables of words, entries of counters."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.diagnostics import RelatedPlace
from rulewright.compiler import (
    amounts,
    attributes,
    messages,
    name_resolution,
    owned_names,
    piece_members,
    unknown_names,
)
from rulewright.compiler.arguments import argument_miscount, arguments_of
from rulewright.compiler.context import Context
from rulewright.compiler.figures import declared_type
from rulewright.compiler.registry import figure_meaning, meaning_of, means
from rulewright.compiler.scopes import Scope, fixed_binding
from rulewright.compiler.set_operations import bind_open_figures
from rulewright.compiler.type_checks import require_present, require_type, single_value
from rulewright.compiler.typed_expressions import compile_number, compile_set, compile_value
from rulewright.compiler.typed_values import SEAT, SET, Amounts, Meaning, ReportedError, Value, fits
from rulewright.model.declarations import NUMBERS, Figure, canonical
from rulewright.program.instructions import ZERO, constant
from rulewright.program.value_types import Type
from rulewright.syntax.expression_nodes import Expression, Lookup, Path, PossessionOf, Several
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import Name


@means(Lookup)
def meaning_of_lookup(ctx: Context, expression: Lookup, scope: Scope) -> Meaning:
    """Compile `price for suit`: an entry of a word's table or of a counter, one of several amounts, or a figure with
    arguments; of the acting seat or of `X's`."""
    path, argument = expression.figure, expression.arguments
    if not isinstance(path, Path | PossessionOf):
        raise ctx.error(path, messages.NAME_BEFORE_FOR())
    token = path.names[-1]
    figure = ctx.names.figures.get(canonical(token.text))
    counter = ctx.names.counters.get(canonical(token.text))
    if (entry := table_entry(ctx, path, token, argument, scope)) is not None:
        if (
            figure is not None
            and figure.parameters
            and (owner_expression(path) is None or figure.of in ctx.edition.words)
        ):
            warn_of_table(ctx, token, figure)
        return entry
    if counter is not None and counter.by:
        if isinstance(argument, Several):
            raise ctx.error(argument, messages.COUNTER_TAKES_ONE(name=token.text))
        holder = resolve_owner(ctx, path, token, counter.of, scope)
        word = require_present(ctx, compile_value(ctx, argument, scope, Type("word", counter.by)), argument)
        return amounts.counter_entry(ctx, counter, holder.operand if holder else None, word.operand)
    if figure is None or not figure.parameters:
        if ctx.is_known_wrong(token):
            raise ReportedError
        if (one := amount_of_word(ctx, path, argument, scope)) is not None:
            return one
        valid_names = [name for name, other in ctx.edition.figures.items() if other.parameters]
        valid_names += [name for name, other_counter in ctx.edition.counters.items() if other_counter.by]
        valid_names += [name for words in ctx.edition.words.values() for name in words.tables]
        hints = ctx.edition.unknown_name_hints(token.text, valid_names)
        raise ctx.error(token, messages.NO_SUCH_TABLE(name=token.text), *hints)
    kinds = ctx.analysis.kinds_with(figure)
    owner_or_none = resolve_owner(ctx, path, token, figure.of, scope, Type("piece", kinds) if kinds else None)
    owner, piece = owner_or_none.operand if owner_or_none else None, owner_or_none if kinds else None
    if miscount := argument_miscount(figure.parameters, argument, f"{token} for"):
        related = RelatedPlace(figure.place, messages.DECLARED_HERE(name=figure.name))
        problem = messages.FIGURE_MISCOUNTED(name=token.text, miscount=miscount)
        raise ctx.error(expression, problem, related=(related,))
    bindings = [fixed_binding(each) for each in argument_meanings(ctx, figure.parameters, argument, scope)]
    if piece is not None:
        return piece_members.figure_by_kind(ctx, figure, piece, bindings, scope)
    return figure_meaning(ctx, figure, owner, bindings, scope)


def amount_of_word(
    ctx: Context, path: Path | PossessionOf, argument: Expression | Several, scope: Scope
) -> Value | None:
    """Return one word's entry for `savings for ruby`, where the savings are amounts; else None."""
    token = path.names[-1]
    if name_resolution.local_binding(ctx, token, scope) is None and canonical(token.text) not in ctx.names.figures:
        return None
    every = meaning_of(ctx, path, scope)
    if not isinstance(every, Amounts):
        return None
    if isinstance(argument, Several):
        raise ctx.error(argument, messages.AMOUNTS_TAKE_ONE(name=token.text))
    word = require_present(ctx, compile_value(ctx, argument, scope, Type("word", every.words)), argument)
    return every.open()(word.operand)


def argument_meanings(
    ctx: Context, parameters: Sequence[tuple[str, Scalar]], arguments: Expression | Several | None, scope: Scope
) -> list[Meaning]:
    """Return the arguments of a figure or step, one for each parameter; as many as there are of both."""
    meanings: list[Meaning] = []
    for (_, type_), part in zip(parameters, arguments_of(arguments), strict=False):
        expected = declared_type(ctx, type_)
        if expected.many:
            members = compile_set(ctx, part, scope)
            require_type(ctx, members.type, expected, part)
            meanings.append(bind_open_figures(ctx, members))
        else:
            meanings.append(compile_value(ctx, part, scope, expected))
    return meanings


def owner_expression(path: Path | PossessionOf) -> Expression | None:
    """Return the expression before the last "'s" of a path; None if there is none."""
    before = path.names[:-1]
    if isinstance(path, PossessionOf):
        return PossessionOf(path.owner, before).with_span(path.span) if before else path.owner
    return Path(path.own, before).with_span(path.span) if before else None


def owner_value(ctx: Context, expression: Expression, scope: Scope, type_: Type) -> Value:
    """Return the owner that is named before "'s", as one value of a type."""
    meaning = meaning_of(ctx, expression, scope, str(type_.detail) if type_.base == "word" else "", type_.base)
    if (name := name_resolution.single_name(expression)) is not None:
        meaning = name_resolution.inspected_item(ctx, meaning, name, scope)
    value = single_value(ctx, meaning, expression)
    require_type(ctx, value.type, type_, expression)
    return value


def resolve_owner(
    ctx: Context, path: Path | PossessionOf, token: Name, owner_type: str, scope: Scope, type_: Type | None = None
) -> Value | None:
    """Return the owner of what is looked up with 'for': a seat, word or piece, or None for the table. owner_type: as
    in the declaration: 'seat', a word list, or '' for the table; type_: of a piece."""
    if not owner_type:
        return None
    type_ = type_ or (SEAT if owner_type == SEAT.base else Type("word", owner_type))
    if (expression := owner_expression(path)) is not None:
        return require_present(ctx, owner_value(ctx, expression, scope, type_), expression)
    own = path.own if isinstance(path, Path) else None
    if own != "my" and isinstance(scope.item, Value) and fits(scope.item.type, type_):
        return scope.item
    if type_.base == "word":
        raise unknown_names.report_missing_owner(ctx, token, owner_type, template=messages.WHOSE_TABLE)
    if type_ != SEAT:
        raise unknown_names.report_unknown_name(ctx, token, scope)
    return Value(SEAT, name_resolution.acting_seat(ctx, scope, token))


def table_entry(
    ctx: Context, path: Path | PossessionOf, token: Name, argument: Expression | Several, scope: Scope
) -> Value | None:
    """Emit the entry for `rook's reach for stone`, where words have a table of that name; else None. By number, one
    that the table lacks counts as 0."""
    name = canonical(token.text)
    lists = [words.name for words in ctx.edition.words.values() if name in map(canonical, words.tables)]
    if not lists or (isinstance(argument, Several) and name in ctx.names.figures):
        return None
    if isinstance(argument, Several):
        raise ctx.error(argument, messages.TABLE_TAKES_ONE(name=token.text))
    own, owner_path = path.own if isinstance(path, Path) else None, owner_expression(path)
    owner: Value | None = None
    if owner_path is not None:
        if isinstance(owner_path, Path):
            meaning = name_resolution.resolve_path(ctx, owner_path, scope, expected=SET, owner_of=name)
            if (alone := name_resolution.single_name(owner_path)) is not None:
                meaning = name_resolution.inspected_item(ctx, meaning, alone, scope)
        else:
            meaning = meaning_of(ctx, owner_path, scope)
        owner = require_present(ctx, single_value(ctx, meaning, owner_path), owner_path)
    elif isinstance(scope.item, Value) and own != "my":
        owner = scope.item
    match = attributes.find_table(ctx, owner, name) if owner is not None else None
    if match is None and owner_path is None and own != "its" and ctx.edition.sides and scope.somebody_acts:
        owner = Value(SEAT, name_resolution.acting_seat(ctx, scope, token))
        match = attributes.find_table(ctx, owner, name)
    if match is None:
        if name in ctx.names.figures or name in ctx.names.counters:
            return None
        if owner is not None and owner_path is not None:
            raise unknown_names.report_unknown_member(ctx, owner, token)
        raise unknown_names.report_missing_owner(ctx, token, lists[0], template=messages.WHOSE_TABLE)
    if owner is not None:
        owned_names.warn_of_rival_tables(ctx, token, owner.type)
    word, table = match
    width = len(table.rows[0])
    nothing = 0 if table.holds in NUMBERS else -1
    if table.by == "number":
        number = compile_number(ctx, argument, scope).operand
        row = ctx.emit.new_variable(number)
        with ctx.emit.if_true(ctx.emit.evaluate("less", row, ZERO)):
            ctx.emit.assign(row, ZERO)
        with ctx.emit.if_true(ctx.emit.evaluate("at_most", constant(width), row)):
            ctx.emit.assign(row, ZERO)
    else:
        row = require_present(ctx, compile_value(ctx, argument, scope, Type("word", table.by)), argument).operand
    entries = tuple(entry for entries in table.rows for entry in entries)
    place = attributes.row_entry_index(ctx, word, width, row)
    operand = ctx.emit.look_up(ctx.plan.add_table((*entries, nothing)), place)
    if table.holds in NUMBERS:
        return Value(Type(table.holds), operand, min(0, *entries), max(0, *entries))
    return Value(Type("word", table.holds), operand, may_be_nothing=-1 in entries)


def warn_of_table(ctx: Context, token: Name, figure: Figure) -> None:
    """Warn where a name is taken for a table, and a figure is looked up in the same way."""
    template = messages.TABLE_NOT_VALUE if figure.is_value else messages.TABLE_NOT_TERM
    problem = template(name=token.text, figure=figure.name, line=figure.place.line)
    related = RelatedPlace(figure.place, messages.DECLARED_HERE(name=figure.name))
    ctx.remarks.note_doubt(ctx.place_of(token), problem, messages.RENAME_ONE(), related=(related,))
