"""Figures (values and terms), and the change sets of options, roles and powers that alter them.

A later level changes the result of an earlier one; within a level additions come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from rulewright.base.diagnostics import nearest
from rulewright.compiler import amounts, attributes, name_resolution, owned_names, piece_members, unknown_names
from rulewright.compiler.arguments import argument_count_error, arguments_of
from rulewright.compiler.case_values import figure_by_cases
from rulewright.compiler.context import Context
from rulewright.compiler.emitter import ONE, ZERO, constant, constant_value
from rulewright.compiler.fractions import clamp_bound
from rulewright.compiler.owned_names import ANY_PIECE
from rulewright.compiler.registry import figure_meaning, meaning_of, means
from rulewright.compiler.set_operations import append_members, as_group, bind_open_figures, group_from_vector
from rulewright.compiler.type_checks import require_present, require_type, single_value
from rulewright.compiler.typed_expressions import compile_group, compile_number, compile_value
from rulewright.compiler.typed_values import (
    FRACTION,
    NUMBER,
    SEAT,
    SET,
    TRUTH,
    UNBOUNDED,
    Amounts,
    Binding,
    Group,
    Meaning,
    ReportedError,
    Scope,
    Value,
    fits,
)
from rulewright.compiler.work_budget import MAX_CALL_DEPTH, too_deep
from rulewright.compiler.zone_access import note_zone_read, zone_group
from rulewright.model.declarations import NUMBERS, ChangeSet, Figure, canonical
from rulewright.program.form import Type
from rulewright.syntax import sentences
from rulewright.syntax.nouns import an
from rulewright.syntax.source import Scalar
from rulewright.syntax.tree import Expression, Lookup, Name, Path, PossessionOf, Several


@figure_meaning.defines
def compile_figure(ctx: Context, figure: Figure, owner: int | None, arguments: list[Binding], scope: Scope) -> Meaning:
    """Return a figure's value for a seat (or the game), with every change that is active for it."""
    if figure.name in ctx.open_figures:
        chain = " → ".join((*ctx.open_figures[ctx.open_figures.index(figure.name) :], figure.name))
        ctx.report.error(figure.place, "circular", f"This is worked out from itself: {chain}.")
        raise ReportedError
    if len(ctx.open_figures) >= MAX_CALL_DEPTH:
        raise too_deep(ctx.open_figures[0], figure.place)
    ctx.work.write_out(figure.name, figure.place)
    with ctx.within_figures((*ctx.open_figures, figure.name)):
        inner = owner_scope(ctx, figure.name, figure.of, owner)
        for (name, _), argument in zip(figure.parameters, arguments, strict=True):
            inner.bind(name, argument)
        meaning = figure_with_changes(ctx, figure, owner if figure.of == SEAT.base else None, inner)
        if isinstance(meaning, Group):
            meaning = bind_open_figures(ctx, meaning)
    if not arguments:
        ctx.checked_figures.add(figure.name)
    return meaning


def owner_scope(ctx: Context, name: str, of: str, owner: int | None) -> Scope:
    """Return the scope of something owned by a seat, by a word or piece (the item there), or by the table."""
    if of in ("", SEAT.base):
        return Scope(name, me=owner, someone=owner is not None)
    assert owner is not None
    type_ = Type("piece", frozenset([of])) if ctx.edition.is_of_pieces(of) else Type("word", of)
    thing = Value(type_, owner)
    scope = Scope(name, someone=False, item=thing)
    scope.bind(of, lambda: thing)
    return scope


def figure_with_changes(ctx: Context, figure: Figure, owner: int | None, scope: Scope) -> Meaning:
    """Return a figure with the change sets that may be active."""
    base = base_meaning(ctx, figure, scope)
    changes = [change for change in ctx.analysis.changes.get(figure.name, ()) if not is_never_active(ctx, change[0])]
    if not changes:
        return base
    for change_set, _, text in changes:
        if figure.of not in ("", SEAT.base) and change_set.level != "option":
            owned = f"what belongs to a seat; this belongs to each {figure.of}"
            message = f"{an(change_set.level).capitalize()} changes only {owned}."
            ctx.report.error(text.place, "owner", message, "Let an option change it.")
            raise ReportedError
    if isinstance(base, Group):
        return replaced_set(ctx, base, changes, owner, scope)
    return changed_value(ctx, base, changes, owner, scope)


def is_never_active(ctx: Context, changes: ChangeSet) -> bool:
    """Whether a change set is known not to be active at this table."""
    setting = ctx.plan.setting
    if setting is None or changes.level == "power":
        return False
    if changes.level == "role":
        return list(ctx.edition.roles).index(changes.name) not in setting.roles
    return constant_value(emit_is_active(ctx, changes, None)) == 0


def changed_value(
    ctx: Context, base: Value, changes: list[tuple[ChangeSet, str, Scalar]], owner: int | None, scope: Scope
) -> Value:
    """Emit a value with its changes: additions, or replacements."""
    result, low, high, maybe = ctx.emit.variable(base.operand), base.low, base.high, base.maybe
    for change_set, operation, text in changes:
        with ctx.reading(text), when_active(ctx, change_set, owner):
            if operation == "add":
                tree = ctx.parse(_without_plus(text), sentences.value)
                if base.type != FRACTION:
                    require_type(ctx, base.type, NUMBER, tree)
                amount = compile_value(ctx, tree, scope, base.type)
                ctx.emit.change("add", result, result, amount.operand)
                low, high = low + min(0, amount.low), high + max(0, amount.high)
                if low < -UNBOUNDED or high > UNBOUNDED:
                    ctx.emit.change("checked", result, result, ctx.source_place(tree))
                low, high = clamp_bound(low), clamp_bound(high)
            else:
                value = compile_value(ctx, ctx.parse(text, sentences.value), scope, base.type)
                ctx.emit.assign(result, value.operand)
                low, high, maybe = min(low, value.low), max(high, value.high), maybe or value.maybe
    return Value(base.type, result, low, high, maybe)


def replaced_set(
    ctx: Context, base: Group, changes: list[tuple[ChangeSet, str, Scalar]], owner: int | None, scope: Scope
) -> Group:
    """Return a set that change sets replace; the last active one counts."""
    others: list[tuple[ChangeSet, Scalar]] = []
    capacity = base.capacity
    for change_set, operation, text in changes:
        with ctx.reading(text):
            tree = ctx.parse(_without_plus(text), sentences.value)
            if operation == "add":
                raise ctx.error(tree, "type", "Only numbers can be added to; this is a set.", "Say the whole set.")
            group = as_group(ctx, meaning_of(ctx, tree, scope))
            require_type(ctx, group.type, base.type, tree)
            capacity = max(capacity, group.capacity)
        others.append((change_set, text))

    def make() -> int:
        which = ctx.emit.variable(ZERO)
        vector = ctx.emit.vector()
        ctx.emit.op("vector", vector)
        for number, (change_set, _) in enumerate(others, 1):
            with ctx.emit.if_true(emit_is_active(ctx, change_set, owner)):
                ctx.emit.assign(which, constant(number))
        with ctx.emit.if_true(ctx.emit.value("equal", which, ZERO)):
            append_members(ctx, vector, base)
        for number, (_, text) in enumerate(others, 1):
            with ctx.reading(text), ctx.emit.if_true(ctx.emit.value("equal", which, constant(number))):
                group = as_group(ctx, meaning_of(ctx, ctx.parse(text, sentences.value), scope))
                append_members(ctx, vector, group)
        return vector

    return group_from_vector(ctx, base.type, capacity, make)


def base_meaning(ctx: Context, figure: Figure, scope: Scope) -> Meaning:
    """Return a figure as declared, without changes."""
    if figure.cases:
        return figure_by_cases(ctx, figure, scope)
    with ctx.reading(figure.body):
        return meaning_of(ctx, ctx.parse(figure.body, sentences.value), scope)


def emit_is_active(ctx: Context, change_set: ChangeSet, owner: int | None) -> int:
    """Emit whether a change set is active for a seat (for the game, if there is no owner)."""
    if change_set.level == "option":
        option = ctx.edition.options[change_set.name]
        index = constant(option.choices.index(change_set.choice))
        return ctx.emit.value("equal", name_resolution.option_choice(ctx, option.name), index)
    if owner is None:
        message = f"{an(change_set.level).capitalize()} changes only what belongs to a seat; this belongs to the game."
        hint = "Declare the value under 'seat' instead of 'game', or let an option change it."
        raise ctx.error(None, "owner", message, hint)
    if change_set.level == "role":
        return emit_has_role(ctx, owner, list(ctx.edition.roles).index(change_set.name))
    return emit_holds_power(ctx, change_set.name, owner)


@contextmanager
def when_active(ctx: Context, change_set: ChangeSet, owner: int | None) -> Iterator[None]:
    """Emit code for where a change set is active; a power of a single piece needs no register of its own."""
    pieces = [piece for _, pieces_ in ctx.plan.stock.power_pieces(change_set.name) for piece in pieces_]
    if change_set.level != "power" or owner is None or len(pieces) != 1:
        with ctx.emit.if_true(emit_is_active(ctx, change_set, owner)):
            yield
        return
    [zone] = [zone for zone, pieces_ in ctx.plan.stock.power_pieces(change_set.name) if pieces_]
    address = ctx.emit.load(ctx.plan.piece_addresses, constant(pieces[0]))
    with ctx.emit.if_true(ctx.emit.value("equal", address, searched_zone(ctx, zone, owner))):
        with ctx.emit.if_true(emit_uses_powers(ctx, owner)):
            yield


def emit_holds_power(ctx: Context, power: str, owner: int) -> int:
    """Emit whether a seat holds a power."""
    result = ctx.emit.variable(ZERO)
    for zone, pieces in ctx.plan.stock.power_pieces(power):
        address = searched_zone(ctx, zone, owner)
        for piece in pieces:
            piece_address = ctx.emit.load(ctx.plan.piece_addresses, constant(piece))
            with ctx.emit.if_true(ctx.emit.value("equal", piece_address, address)):
                with ctx.emit.if_true(emit_uses_powers(ctx, owner)):
                    ctx.emit.assign(result, ONE)
    return result


def searched_zone(ctx: Context, zone: str, owner: int) -> int:
    """Return the address of a zone in which certain pieces are searched, and note the search."""
    note_zone_read(ctx, ctx.edition.zones[zone], own=owner == 0)
    return zone_group(ctx, zone, owner).address


def emit_uses_powers(ctx: Context, seat: int) -> int:
    """Emit whether a seat's role, if it has one, uses powers."""
    uses = tuple(int(role.uses_powers) for role in ctx.edition.roles.values())
    if all(uses):
        return ONE
    if setting := ctx.plan.setting:
        return truth_by_seat(ctx, tuple(role < 0 or bool(uses[role]) for role in setting.roles), seat)
    return ctx.emit.look_up(ctx.plan.table((*uses, 1)), ctx.emit.load(ctx.plan.role, seat))


def emit_has_role(ctx: Context, seat: int, role: int) -> int:
    """Emit whether a seat plays a role."""
    if setting := ctx.plan.setting:
        return truth_by_seat(ctx, tuple(other == role for other in setting.roles), seat)
    return ctx.emit.value("equal", ctx.emit.load(ctx.plan.role, seat), constant(role))


def truth_by_seat(ctx: Context, truths: tuple[bool, ...], seat: int) -> int:
    """Return a seat's entry of truths known for each seat."""
    if len(set(truths)) == 1:
        return constant(int(truths[0]))
    return ctx.emit.look_up(ctx.plan.table((*map(int, truths), 0)), seat)


@means(Lookup)
def meaning_of_lookup(ctx: Context, expression: Lookup, scope: Scope) -> Meaning:
    """Compile `price for suit`: a figure with arguments, of the acting seat or of `X's`."""
    path, argument = expression.figure, expression.arguments
    if not isinstance(path, Path | PossessionOf):
        raise ctx.error(path, "syntax", "Before 'for' stands the name of what is told for something.")
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
            raise ctx.error(argument, "argument", f"'{token}' is a counter, which is told 'for' one thing.")
        holder = resolve_owner(ctx, path, token, counter.of, scope)
        word = require_present(ctx, compile_value(ctx, argument, scope, Type("word", counter.by)), argument)
        return amounts.counter_entry(ctx, counter, holder.operand if holder else None, word.operand)
    if figure is None or not figure.parameters:
        if ctx.is_lost(token):
            raise ReportedError
        if (one := amount_of_word(ctx, path, argument, scope)) is not None:
            return one
        valid_names = [name for name, owner_or_none in ctx.edition.figures.items() if owner_or_none.parameters]
        valid_names += [name for name, owner_or_none in ctx.edition.counters.items() if owner_or_none.by]
        valid_names += [name for words in ctx.edition.words.values() for name in words.tables]
        hint = ctx.edition.missing(token.text, valid_names)
        raise ctx.error(token, "unknown-name", f"There is no value or term '{token}' that is told 'for' which.", hint)
    kinds = ctx.analysis.kinds_with(figure)
    owner_or_none = resolve_owner(ctx, path, token, figure.of, scope, Type("piece", kinds) if kinds else None)
    owner, piece = owner_or_none.operand if owner_or_none else None, owner_or_none if kinds else None
    if miscounted := argument_count_error(figure.parameters, argument, f"{token} for"):
        raise ctx.error(expression, "argument-missing", f"'{token}' {miscounted}.")
    bindings: list[Binding] = [
        partial(_identity, each) for each in argument_meanings(ctx, figure.parameters, argument, scope)
    ]
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
        raise ctx.error(argument, "argument", f"'{token}' are amounts, which are told 'for' one word.")
    word = require_present(ctx, compile_value(ctx, argument, scope, Type("word", every.words)), argument)
    return every.open()(word.operand)


def argument_meanings(
    ctx: Context, parameters: Sequence[tuple[str, Scalar]], arguments: Expression | Several | None, scope: Scope
) -> list[Meaning]:
    """Return the arguments of a figure or step, one for each parameter."""
    meanings: list[Meaning] = []
    for (_, type_), part in zip(parameters, arguments_of(arguments), strict=False):
        expected = declared_type(ctx, type_)
        if expected.many:
            group = compile_group(ctx, part, scope)
            require_type(ctx, group.type, expected, part)
            meanings.append(bind_open_figures(ctx, group))
        else:
            meanings.append(compile_value(ctx, part, scope, expected))
    return meanings


def _identity(meaning: Meaning) -> Meaning:
    """Return the meaning."""
    return meaning


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
    ctx: Context, path: Path | PossessionOf, token: Name, of: str, scope: Scope, type_: Type | None = None
) -> Value | None:
    """Return the owner of what is looked up with 'for': a seat, word or piece, or None for the table. of: owner in
    the declaration; type_: of a piece."""
    if not of:
        return None
    type_ = type_ or (SEAT if of == SEAT.base else Type("word", of))
    if (expression := owner_expression(path)) is not None:
        return require_present(ctx, owner_value(ctx, expression, scope, type_), expression)
    own = path.own if isinstance(path, Path) else None
    if own != "my" and isinstance(scope.item, Value) and fits(scope.item.type, type_):
        return scope.item
    if type_.base == "word":
        raise unknown_names.missing_owner(ctx, token, of, " for …")
    if type_ != SEAT:
        raise unknown_names.unknown_name(ctx, token, scope)
    return Value(SEAT, name_resolution.acting_seat(ctx, scope, token))


def table_entry(
    ctx: Context, path: Path | PossessionOf, token: Name, argument: Expression | Several, scope: Scope
) -> Value | None:
    """Return the entry for `rook's reach for stone`, where words have a table of that name; else None."""
    name = canonical(token.text)
    lists = [words.name for words in ctx.edition.words.values() if name in map(canonical, words.tables)]
    if not lists or (isinstance(argument, Several) and name in ctx.names.figures):
        return None
    if isinstance(argument, Several):
        raise ctx.error(argument, "argument", f"'{token}' is a table, which is told 'for' one thing.")
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
    if match is None and owner_path is None and own != "its" and ctx.edition.sides and scope.someone:
        owner = Value(SEAT, name_resolution.acting_seat(ctx, scope, token))
        match = attributes.find_table(ctx, owner, name)
    if match is None:
        if name in ctx.names.figures or name in ctx.names.counters:
            return None
        if owner is not None and owner_path is not None:
            raise unknown_names.unknown_member(ctx, owner, token)
        raise unknown_names.missing_owner(ctx, token, lists[0], " for …")
    if owner is not None:
        owned_names.warn_of_rival_tables(ctx, token, owner.type)
    word, table = match
    width = len(table.rows[0])
    nothing = 0 if table.holds in NUMBERS else -1
    if table.by == "number":
        number = compile_number(ctx, argument, scope).operand
        row = ctx.emit.variable(number)
        with ctx.emit.if_true(ctx.emit.value("less", row, ZERO)):
            ctx.emit.assign(row, ZERO)
        with ctx.emit.if_true(ctx.emit.value("at_most", constant(width), row)):
            ctx.emit.assign(row, ZERO)
    else:
        row = require_present(ctx, compile_value(ctx, argument, scope, Type("word", table.by)), argument).operand
    entries = tuple(entry for entries in table.rows for entry in entries)
    place = attributes.row_entry_index(ctx, word, width, row)
    operand = ctx.emit.look_up(ctx.plan.table((*entries, nothing)), place)
    if table.holds in NUMBERS:
        return Value(Type(table.holds), operand, min(0, *entries), max(0, *entries))
    return Value(Type("word", table.holds), operand, maybe=-1 in entries)


def declared_type(ctx: Context, scalar: Scalar) -> Type:
    """Return the type that a declaration names: suit, tile, tiles, seat, seats, number, yes or no."""
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
    expectation = "a number, yes or no, a seat, a kind of piece or a word list"
    message = f"Expected what a parameter is: {expectation}, not '{scalar.text}'."
    ctx.report.error(scalar.place, "unknown-name", message, nearest(scalar.text, known_types))
    raise ReportedError


def warn_of_table(ctx: Context, token: Name, figure: Figure) -> None:
    """Warn where a name is taken for a table, and a figure is looked up in the same way."""
    place = ctx.place_of(token)
    sort = "value" if figure.is_value else "term"
    message = f"'{token} for' is a table of words here, not the {sort} '{figure.name}' (line {figure.place.line})."
    ctx.remarks.note_doubt(place, "two-meanings", message, "Give one of the two another name.")


def warn_of_plural_type(ctx: Context, scalar: Scalar, many: bool, name: str, several: bool) -> None:
    """Warn where a list or kind that is itself named in the plural could mean one of them, or several."""
    if not many or scalar.text != name:
        return
    one = canonical(name)
    sense, other_sense = ("several", "one") if several else ("one", "several")
    message = f"'{name}' is {sense} of them here, not {other_sense}: it is named in the plural itself."
    hint = f"Name it '{one}': then '{one}' is one, and '{name}' are several."
    if several:
        hint = f"If one is meant, say '{one}'. Else name it so: then '{name}' are several."
    ctx.remarks.note_doubt(scalar.place, "two-meanings", message, hint)


def _without_plus(scalar: Scalar) -> Scalar:
    """Return the amount of an addition, '+2', as an expression."""
    text = scalar.text
    return replace(scalar, text=text.replace("+", " ", 1)) if text.lstrip().startswith("+") else scalar
