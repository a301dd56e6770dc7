"""Local names: `let`, and what a new name may be."""

from __future__ import annotations

from functools import partial

from rulewright.base.diagnostics import RelatedPlace
from rulewright.compiler import cell_access, messages
from rulewright.compiler.context import Context
from rulewright.compiler.registry import StatementParts, compiles, meaning_of
from rulewright.compiler.scopes import Scope
from rulewright.compiler.typed_values import ANYTHING, Meaning, ReportedError
from rulewright.model.declarations import CounterDeclaration, Figure, Kind, OptionDeclaration, Zone, canonical
from rulewright.syntax.change_nodes import Let
from rulewright.syntax.tree import Name


@compiles(Let)
def compile_let(ctx: Context, statement: Let, scope: Scope, parts: StatementParts) -> None:
    """Compile `let`; a name whose value is wrong reports no further errors."""
    name, value = statement.name, statement.value
    check_new_name(ctx, name, scope)
    try:
        meaning = meaning_of(ctx, value, scope, "", ANYTHING)
    except ReportedError:
        scope.bind(str(name), partial(raise_reported, ctx))
        raise
    cell_access.bind_value(ctx, str(name), meaning, scope)


def raise_reported(ctx: Context) -> Meaning:
    """Raise for a name whose definition is reported as wrong."""
    raise ReportedError


def check_new_name(ctx: Context, name: Name, scope: Scope) -> None:
    """Raise ReportedError if a new name is not free: reserved, or that of a zone, figure, counter, kind or option; note
    the local one of an outer list that it shadows."""
    outer = scope.names.get(text := name.text)
    if outer is not None and scope.outer.get(text) is outer:
        ctx.remarks.shadowed.setdefault(outer, ctx.place_of(name))
    key = canonical(str(name))
    if (refusal := ctx.analysis.naming.local_refusal(text)) is not None:
        raise ctx.error(name, refusal.problem, *refusal.hints)
    yes_no_options = {key: option for key, option in ctx.names.options.items() if option.choices == ("no", "yes")}
    for sort, table in (
        (messages.A_ZONE, ctx.names.zones),
        (messages.A_FIGURE, ctx.names.figures),
        (messages.A_COUNTER, ctx.names.counters),
        (messages.A_KIND, ctx.names.kinds),
        (messages.AN_OPTION, yes_no_options),
    ):
        if key in table:
            existing = table[key].name
            if _is_singular_of(table[key], text):
                continue
            hints = [messages.SINGULAR_AND_PLURAL(existing=existing)] if existing != text else []
            related = RelatedPlace(table[key].place, messages.DECLARED_HERE(name=existing))
            raise ctx.error(name, messages.NAME_TAKEN(name=text, sort=sort()), *hints, related=(related,))


def _is_singular_of(existing: Zone | Figure | CounterDeclaration | Kind | OptionDeclaration, name: str) -> bool:
    """Whether a name is the singular of something named in the plural, as `column` of `columns`; a counter of one
    value has no singular."""
    if isinstance(existing, CounterDeclaration) and not existing.most:
        return False
    return name == canonical(name) != existing.name
