"""Names that mean nothing: why that may be, what was meant, and which names there are."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from string import ascii_lowercase

from rulewright.base.diagnostics import nearest
from rulewright.base.similar_names import likely
from rulewright.compiler import attributes, owned_names
from rulewright.compiler.arguments import miscount
from rulewright.compiler.context import Context
from rulewright.compiler.typed_values import (
    SEAT,
    Scope,
    Value,
    Wrong,
    described,
)
from rulewright.model.declarations import CounterDeclaration, Figure, Zone, canonical
from rulewright.program.form import Type
from rulewright.syntax import sentences
from rulewright.syntax.nouns import an
from rulewright.syntax.tree import Name
from rulewright.syntax.wording import said_here

WRITTEN_OUT = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ACT = "Let somebody act: put this, or the 'do' that leads here, inside 'each seat:'. Or say whose it is: ada's hand."
_ACTING = "Whoever acts is 'you', and what they have is 'my …'."


def unknown(ctx: Context, token: Name, scope: Scope, expect: str = "") -> Wrong:
    if ctx.lost(token) or (scope.item is not None and ctx.lost_kind(scope.item.type)):
        return Wrong()
    text = token.text
    known_names = names(ctx, scope, text)
    figure = ctx.figures.get(canonical(text))
    if figure is not None and figure.parameters:
        return ctx.wrong(token, "argument-missing", f"'{text}' {miscount(figure.parameters, None, f'{text} for')}.")
    declared = declaration(ctx, canonical(text))
    if isinstance(declared, CounterDeclaration) and declared.by:
        return untold(ctx, token, declared)
    if declared is not None and declared.of == SEAT.base:
        return ctx.wrong(token, "nobody-acts", f"'{text}' belongs to a seat, and nobody acts here.", ACT)
    if declared is not None and not declared.of:
        return ctx.wrong(token, "unknown-name", f"'{text}' belongs to the game: leave out 'my'.")
    if declared is not None and ctx.edition.is_of_pieces(declared.of):
        message = f"Every {declared.of} has its own '{text}', so say whose: as in mover's {text}, or its {text}."
        return ctx.wrong(token, "whose", message, "'choose', 'let' and 'each … as' give a piece a name.")
    if declared is not None:
        return whose(ctx, token, declared.of, hint=named_owner(ctx, token, scope))
    if isinstance(scope.item, Value) and attributes.table_of(ctx, scope.item, canonical(text)) is not None:
        return has_no(ctx, scope.item, token)
    hint = _ACTING if text in ("me", "i", "myself") else ""
    hint = hint or off_the_map(ctx, text) or of_no_side(ctx, canonical(text)) or named_owner(ctx, token, scope)
    hint = (
        hint
        or said_otherwise(ctx, token)
        or ctx.edition.missing(text, known_names)
        or keyword_hint(ctx, text, partial(_is_known, ctx, known_names))
    )
    if not hint and expect:
        hint = f"Words of '{expect}': {', '.join(word.name for word in ctx.edition.words[expect].words)}."
    return ctx.wrong(token, "unknown-name", f"Nothing here is called '{text}'.", hint)


def has_no(ctx: Context, owner: Value, token: Name, doubt: str = "") -> Wrong:
    """There is no such thing of this owner; or it is a table, and not told for what."""
    if ctx.lost(token) or ctx.lost_kind(owner.type):
        return Wrong()
    name = canonical(token.text)
    if (found := attributes.table_of(ctx, owner, name)) is not None:
        by = "a number" if found[1].by == "number" else described(Type("word", found[1].by))
        return ctx.wrong(token, "argument-missing", f"'{token}' is a table: say '{token} for' and {by}.")
    hint = nearest(token.text, owned_names.things_of(ctx, owner.type))
    declared = declaration(ctx, name)
    if declared is not None and declared.of not in ("", owned_names.owner_name(ctx, owner.type)):
        hint = f"Every {declared.of} has one of its own."
    message = f"{described(owner.type).capitalize()} has no '{token}'."
    hint = hint or (of_no_side(ctx, name) if owner.type.base == "seat" else "")
    return ctx.wrong(token, "unknown-name", message, doubt or hint)


def declaration(ctx: Context, name: str) -> Figure | Zone | CounterDeclaration | None:
    return ctx.figures.get(name) or ctx.zones.get(name) or ctx.counters.get(name)


def untold(ctx: Context, token: Name, counter: CounterDeclaration) -> Wrong:
    """A counter that is told for words, and holds no numbers, so that it is nothing as a whole."""
    message = f"'{token}' needs to be told for which {counter.by}: '{token} for …'."
    return ctx.wrong(token, "argument-missing", message)


def whose(ctx: Context, token: Name, words: str, told: str = "", hint: str = "") -> Wrong:
    """What belongs to each word of a list is named without its owner."""
    example = next((word.name for word in ctx.edition.words[words].words), words)
    message = f"Every {words} has its own '{token}', so say whose: {example}'s {token}{told}."
    return ctx.wrong(token, "whose", message, hint)


def names(ctx: Context, scope: Scope, like: str) -> list[str]:
    """The names that mean something here, of many those that could be meant by one."""
    found = [*likely(like, ctx.outline.everywhere), *scope.names]
    found += ["partners", *owned_names.attributes_behind(ctx, ctx.edition.sides)] if ctx.edition.sides else []
    return found + (owned_names.things_of(ctx, scope.item.type) if scope.item else [])


def named_owner(ctx: Context, token: Name, scope: Scope) -> str:
    """For what a thing has that has a name here, the last that was made."""
    for name, named in reversed([*scope.outer.items(), *scope.names.items()]):
        with suppress(Wrong), ctx.emit.unwritten():
            if name != "it" and canonical(token.text) in map(canonical, owned_names.things_of(ctx, named().type)):
                return f"Say whose it is: {name}'s {token}."
    return ""


def said_otherwise(ctx: Context, token: Name) -> str:
    """For what is said in other words here: numbers, spaces, and what other languages and games say."""
    first = token.text.split()[0]
    if first in WRITTEN_OUT:
        return f"Write numbers as digits: {WRITTEN_OUT.index(first) + 2}."
    if step := next((name for name in ctx.edition.steps if canonical(name) == canonical(token.text)), ""):
        return f"'{step}' is a step: 'do {step}' does it, and 'do {step} as …' makes a name for what it gives."
    if canonical(first) == "space" and ctx.edition.boards:
        called = (f"'{board.spaces}' on '{board.name}'" for board in ctx.edition.boards.values())
        return f"The spaces are called {', '.join(called)}."
    return said_here(ctx.scalar.text, token.span.start if token.span is not None else 0)


def of_no_side(ctx: Context, name: str) -> str:
    """For what only sides have."""
    if name == "partner" and ctx.edition.sides:
        return "Say 'partners': they are always those of whoever acts."
    if name == "partner":
        return "Partners are the seats of one side: say with 'sides' what each seat plays."
    if name not in ctx.kinds or owned_names.kinds_of_sides(ctx, name):
        return ""
    if ctx.edition.sides:
        return f"{an(ctx.kinds[name].name).capitalize()} has no word of '{ctx.edition.sides}', so it is on no side."
    return "Say where they lie, as in 'cards in my hand'; pieces are somebody's own where there are 'sides'."


def off_the_map(ctx: Context, text: str) -> str:
    """For names such as b9, where a map has no space."""
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
    return name in ctx.outline.everywhere_alike or name in map(canonical, known_names)


def keyword_hint(ctx: Context, text: str, known: Callable[[str], bool]) -> str:
    """For names that swallowed a misspelt keyword, such as 'any seat have waiting'. known: whether a name means
    something here."""
    words = text.split()
    for size in range(len(words) - 1, 0, -1):
        for start in range(len(words) - size + 1):
            inside = " ".join(words[start : start + size])
            if known(canonical(inside)):
                odd = [*words[:start], *words[start + size :]]
                close = nearest(odd[0], sentences.words())
                return f"'{inside}' is known, so what is '{odd[0]}'? {close}".strip()
    return ""
