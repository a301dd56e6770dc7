"""Errors for names without a meaning: the likely cause, the nearest name, a hint."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from string import ascii_lowercase

from rulewright.base.diagnostics import nearest
from rulewright.base.similar_names import preselect
from rulewright.compiler import attributes, owned_names
from rulewright.compiler.arguments import argument_count_error
from rulewright.compiler.context import Context
from rulewright.compiler.typed_values import SEAT, ReportedError, Scope, Value, describe
from rulewright.model.declarations import CounterDeclaration, Figure, Zone, canonical
from rulewright.program.form import Type
from rulewright.syntax import sentences
from rulewright.syntax.nouns import an
from rulewright.syntax.phrasing_hints import phrasing_hint
from rulewright.syntax.tree import Name

WRITTEN_OUT = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ACT = "Let somebody act: put this, or the 'do' that leads here, inside 'each seat:'. Or say whose it is: ada's hand."
_ACTING = "Whoever acts is 'you', and what they have is 'my …'."


def unknown_name(ctx: Context, token: Name, scope: Scope, expected_list: str = "") -> ReportedError:
    """Report a name without a meaning."""
    if ctx.is_lost(token) or (scope.item is not None and ctx.may_be_lost_kind(scope.item.type)):
        return ReportedError()
    text = token.text
    known_names = names_here(ctx, scope, text)
    figure = ctx.names.figures.get(canonical(text))
    if figure is not None and figure.parameters:
        return ctx.error(
            token, "argument-missing", f"'{text}' {argument_count_error(figure.parameters, None, f'{text} for')}."
        )
    declared = declaration(ctx, canonical(text))
    if isinstance(declared, CounterDeclaration) and declared.by:
        return missing_argument(ctx, token, declared)
    if declared is not None and declared.of == SEAT.base:
        return ctx.error(token, "nobody-acts", f"'{text}' belongs to a seat, and nobody acts here.", ACT)
    if declared is not None and not declared.of:
        return ctx.error(token, "unknown-name", f"'{text}' belongs to the game: leave out 'my'.")
    if declared is not None and ctx.edition.is_of_pieces(declared.of):
        message = f"Every {declared.of} has its own '{text}', so say whose: as in mover's {text}, or its {text}."
        return ctx.error(token, "whose", message, "'choose', 'let' and 'each … as' give a piece a name.")
    if declared is not None:
        return missing_owner(ctx, token, declared.of, hint=hint_at_owner(ctx, token, scope))
    if isinstance(scope.item, Value) and attributes.find_table(ctx, scope.item, canonical(text)) is not None:
        return unknown_member(ctx, scope.item, token)
    hint = _ACTING if text in ("me", "i", "myself") else ""
    hint = hint or hint_at_map(ctx, text) or hint_at_sides(ctx, canonical(text)) or hint_at_owner(ctx, token, scope)
    hint = (
        hint
        or hint_at_wording(ctx, token)
        or ctx.edition.missing(text, known_names)
        or hint_at_keyword(ctx, text, partial(_is_known, ctx, known_names))
    )
    if not hint and expected_list:
        hint = f"Words of '{expected_list}': {', '.join(word.name for word in ctx.edition.words[expected_list].words)}."
    return ctx.error(token, "unknown-name", f"Nothing here is called '{text}'.", hint)


def unknown_member(ctx: Context, owner: Value, token: Name, doubt: str = "") -> ReportedError:
    """Report that an owner has nothing of a name; or that it is a table, without its argument."""
    if ctx.is_lost(token) or ctx.may_be_lost_kind(owner.type):
        return ReportedError()
    name = canonical(token.text)
    if (match := attributes.find_table(ctx, owner, name)) is not None:
        key = "a number" if match[1].by == "number" else describe(Type("word", match[1].by))
        return ctx.error(token, "argument-missing", f"'{token}' is a table: say '{token} for' and {key}.")
    hint = nearest(token.text, owned_names.names_owned_by(ctx, owner.type))
    declared = declaration(ctx, name)
    if declared is not None and declared.of not in ("", owned_names.owner_name(ctx, owner.type)):
        hint = f"Every {declared.of} has one of its own."
    message = f"{describe(owner.type).capitalize()} has no '{token}'."
    hint = hint or (hint_at_sides(ctx, name) if owner.type.base == "seat" else "")
    return ctx.error(token, "unknown-name", message, doubt or hint)


def declaration(ctx: Context, name: str) -> Figure | Zone | CounterDeclaration | None:
    """Return the figure, zone or counter of a name."""
    return ctx.names.figures.get(name) or ctx.names.zones.get(name) or ctx.names.counters.get(name)


def missing_argument(ctx: Context, token: Name, counter: CounterDeclaration) -> ReportedError:
    """Report a counter by word that lacks its word and holds no numbers."""
    message = f"'{token}' needs to be told for which {counter.by}: '{token} for …'."
    return ctx.error(token, "argument-missing", message)


def missing_owner(ctx: Context, token: Name, words: str, argument: str = "", hint: str = "") -> ReportedError:
    """Report that something of each word is named without its owner. argument: text after the name in the example."""
    example = next((word.name for word in ctx.edition.words[words].words), words)
    message = f"Every {words} has its own '{token}', so say whose: {example}'s {token}{argument}."
    return ctx.error(token, "whose", message, hint)


def names_here(ctx: Context, scope: Scope, like: str) -> list[str]:
    """Return the names that mean something here; of global ones those similar to `like`."""
    names = [*preselect(like, ctx.analysis.global_names), *scope.names]
    names += ["partners", *owned_names.reachable_attribute_names(ctx, ctx.edition.sides)] if ctx.edition.sides else []
    return names + (owned_names.names_owned_by(ctx, scope.item.type) if scope.item else [])


def hint_at_owner(ctx: Context, token: Name, scope: Scope) -> str:
    """Suggest the last local name whose value has something of this name."""
    for name, binding in reversed([*scope.outer.items(), *scope.names.items()]):
        with suppress(ReportedError), ctx.emit.discarding():
            if name != "it" and canonical(token.text) in map(
                canonical, owned_names.names_owned_by(ctx, binding().type)
            ):
                return f"Say whose it is: {name}'s {token}."
    return ""


def hint_at_wording(ctx: Context, token: Name) -> str:
    """Suggest this language's wording: digits, steps, spaces, phrases of other languages."""
    first = token.text.split()[0]
    if first in WRITTEN_OUT:
        return f"Write numbers as digits: {WRITTEN_OUT.index(first) + 2}."
    if step := next((name for name in ctx.edition.steps if canonical(name) == canonical(token.text)), ""):
        return f"'{step}' is a step: 'do {step}' does it, and 'do {step} as …' makes a name for what it gives."
    if canonical(first) == "space" and ctx.edition.boards:
        space_names = (f"'{board.spaces}' on '{board.name}'" for board in ctx.edition.boards.values())
        return f"The spaces are called {', '.join(space_names)}."
    return phrasing_hint(ctx.scalar.text, token.span.start if token.span is not None else 0)


def hint_at_sides(ctx: Context, name: str) -> str:
    """Explain what needs sides."""
    if name == "partner" and ctx.edition.sides:
        return "Say 'partners': they are always those of whoever acts."
    if name == "partner":
        return "Partners are the seats of one side: say with 'sides' what each seat plays."
    if name not in ctx.names.kinds or owned_names.sided_kinds_named(ctx, name):
        return ""
    if ctx.edition.sides:
        return (
            f"{an(ctx.names.kinds[name].name).capitalize()} has no word of '{ctx.edition.sides}', so it is on no side."
        )
    return "Say where they lie, as in 'cards in my hand'; pieces are somebody's own where there are 'sides'."


def hint_at_map(ctx: Context, text: str) -> str:
    """Explain names such as b9, where a map has no such space."""
    maps = [board for board in ctx.edition.boards.values() if board.positions]
    if not maps or not re.fullmatch(r"[a-z]\d+", text):
        return ""
    sizes = [
        f"'{board.name}' has the columns a to {ascii_lowercase[max(column for column, _ in board.positions)]} "
        f"and the rows 1 to {1 + max(row for _, row in board.positions)}"
        for board in maps
    ]
    return f"No map has such a space: {'; '.join(sizes)}."


def _is_known(ctx: Context, known_names: list[str], name: str) -> bool:
    return name in ctx.analysis.global_names_singular or name in map(canonical, known_names)


def hint_at_keyword(ctx: Context, text: str, is_known: Callable[[str], bool]) -> str:
    """Suggest a keyword for names that swallowed a misspelt one, such as 'any seat have waiting'. is_known: whether
    a name means something here."""
    words = text.split()
    for size in range(len(words) - 1, 0, -1):
        for start in range(len(words) - size + 1):
            inside = " ".join(words[start : start + size])
            if is_known(canonical(inside)):
                odd = [*words[:start], *words[start + size :]]
                close = nearest(odd[0], sentences.words())
                return f"'{inside}' is known, so what is '{odd[0]}'? {close}".strip()
    return ""
