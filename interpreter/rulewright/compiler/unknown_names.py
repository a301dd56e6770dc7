"""Errors for names without a meaning: the likely cause, the nearest name, a hint."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from rulewright.base.diagnostics import did_you_mean
from rulewright.base.similar_names import preselect
from rulewright.base.wording import Problem, Wording
from rulewright.compiler import attributes, messages, owned_names
from rulewright.compiler.arguments import argument_miscount
from rulewright.compiler.context import Context
from rulewright.compiler.scopes import Scope
from rulewright.compiler.type_descriptions import describe
from rulewright.compiler.typed_values import NUMBER, SEAT, ReportedError, Value
from rulewright.model.declarations import CounterDeclaration, Figure, Zone, canonical
from rulewright.program.instructions import ZERO
from rulewright.program.value_types import Type
from rulewright.syntax import sentence_grammar
from rulewright.syntax.nouns import article, join_parts
from rulewright.syntax.phrasing_hints import phrasing_hint
from rulewright.syntax.tree import Name

WRITTEN_OUT = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
"""Numbers in words, from two on."""

Hints = tuple[Wording, ...]
"""Advice for the message of an unknown name; empty where there is none."""


def report_unknown_name(ctx: Context, token: Name, scope: Scope, expected_list: str = "") -> ReportedError:
    """Report a name without a meaning, unless it is known to be wrong; return the exception to raise."""
    if ctx.is_known_wrong(token) or (scope.item is not None and ctx.may_be_broken_kind(scope.item.type)):
        return ReportedError()
    text = token.text
    known_names = names_here(ctx, scope, text)
    figure = ctx.names.figures.get(canonical(text))
    if figure is not None and figure.parameters:
        miscount = argument_miscount(figure.parameters, None, f"{text} for")
        assert miscount is not None
        return ctx.error(token, messages.FIGURE_MISCOUNTED(name=text, miscount=miscount))
    declared = declaration(ctx, canonical(text))
    if isinstance(declared, CounterDeclaration) and declared.by:
        return report_missing_argument(ctx, token, declared)
    if declared is not None and declared.of == SEAT.base:
        return ctx.error(token, messages.NOBODY_ACTS_FOR_NAME(name=text), messages.LET_SOMEBODY_ACT())
    if declared is not None and not declared.of:
        return ctx.error(token, messages.NOT_OF_SEAT(name=text))
    if declared is not None and ctx.edition.is_of_pieces(declared.of):
        return ctx.error(token, messages.WHOSE_PIECE(owner=declared.of, name=text), messages.NAME_PIECE())
    if declared is not None:
        return report_missing_owner(ctx, token, declared.of, *hint_at_owner(ctx, token, scope))
    if isinstance(scope.item, Value) and attributes.find_table(ctx, scope.item, canonical(text)) is not None:
        return report_unknown_member(ctx, scope.item, token)
    hints = (
        hint_at_acting(text)
        or hint_at_map(ctx, text)
        or hint_at_sides(ctx, canonical(text))
        or hint_at_owner(ctx, token, scope)
        or hint_at_wording(ctx, token)
        or hint_at_names(ctx, text, known_names)
    )
    if not hints and expected_list:
        words = tuple(word.name for word in ctx.edition.words[expected_list].words)
        hints = (messages.KNOWN_WORDS(list=expected_list, words=words),)
    return ctx.error(token, messages.UNKNOWN_NAME(name=text), *hints, related=ctx.edition.removed_at(text))


def report_unknown_member(ctx: Context, owner: Value, token: Name, doubt: Wording | None = None) -> ReportedError:
    """Report that an owner has nothing of a name, or a table without its argument, unless it is known to be wrong;
    return the exception to raise."""
    if ctx.is_known_wrong(token) or ctx.may_be_broken_kind(owner.type):
        return ReportedError()
    name = canonical(token.text)
    if (match := attributes.find_table(ctx, owner, name)) is not None:
        key = describe(NUMBER if match[1].by == "number" else Type("word", match[1].by))
        return ctx.error(token, messages.TABLE_NEEDS_ARGUMENT(name=token.text, key=key))
    hints: Hints = did_you_mean(token.text, owned_names.names_owned_by(ctx, owner.type))
    declared = declaration(ctx, name)
    if doubt:
        hints = (doubt,)
    elif declared is not None and declared.of not in ("", owned_names.owner_name(ctx, owner.type)):
        hints = (messages.EVERY_HAS_ONE(owner=declared.of),)
    elif not hints and owner.type.base == "seat":
        hints = hint_at_sides(ctx, name)
    return ctx.error(token, messages.UNKNOWN_MEMBER(owner=describe(owner.type), name=token.text), *hints)


def declaration(ctx: Context, name: str) -> Figure | Zone | CounterDeclaration | None:
    """Return the figure, zone or counter of a canonical name; None if there is none."""
    return ctx.names.figures.get(name) or ctx.names.zones.get(name) or ctx.names.counters.get(name)


def report_missing_argument(ctx: Context, token: Name, counter: CounterDeclaration) -> ReportedError:
    """Report a counter by word that lacks its word and holds no numbers; return the exception to raise."""
    miscount = messages.NEEDS_ARGUMENTS(parameters=counter.by, example=f"{token} for …")
    return ctx.error(token, messages.FIGURE_MISCOUNTED(name=token.text, miscount=miscount))


def report_missing_owner(
    ctx: Context, token: Name, words: str, *hints: Wording, template: Problem = messages.WHOSE_WORD
) -> ReportedError:
    """Report that something of each word is named without its owner; return the exception to raise. template: of the
    problem."""
    example = next((word.name for word in ctx.edition.words[words].words), words)
    return ctx.error(token, template(owner=words, name=token.text, example=example), *hints)


def names_here(ctx: Context, scope: Scope, like: str) -> list[str]:
    """Return the names that mean something here; of global ones those similar to `like`."""
    names = [*preselect(like, ctx.analysis.global_names), *scope.names]
    names += ["partners", *owned_names.reachable_attribute_names(ctx, ctx.edition.sides)] if ctx.edition.sides else []
    return names + (owned_names.names_owned_by(ctx, scope.item.type) if scope.item else [])


def hint_at_acting(text: str) -> Hints:
    """Suggest 'you' for whoever acts."""
    return (messages.WHOEVER_ACTS(),) if text in ("me", "i", "myself") else ()


def hint_at_names(ctx: Context, text: str, known_names: list[str]) -> Hints:
    """Suggest a similar name, or a keyword for a part of the name."""
    hints = ctx.edition.unknown_name_hints(text, known_names)
    return hints or hint_at_keyword(text, partial(_is_known, ctx, known_names))


def hint_at_owner(ctx: Context, token: Name, scope: Scope) -> Hints:
    """Suggest the last local name whose value has something of this name."""
    for name, binding in reversed([*scope.outer.items(), *scope.names.items()]):
        with suppress(ReportedError), ctx.emit.if_true(ZERO):
            if name != "it" and canonical(token.text) in map(
                canonical, owned_names.names_owned_by(ctx, binding().type)
            ):
                return (messages.SAY_WHOSE(owner=name, name=token.text),)
    return ()


def hint_at_wording(ctx: Context, token: Name) -> Hints:
    """Suggest this language's wording: digits, steps, spaces, phrases of other languages."""
    first = token.text.split()[0]
    if first in WRITTEN_OUT:
        return (messages.WRITE_DIGITS(digits=WRITTEN_OUT.index(first) + 2),)
    if step := next((name for name in ctx.edition.steps if canonical(name) == canonical(token.text)), ""):
        return (messages.IS_STEP(step=step),)
    if canonical(first) == "space" and ctx.edition.boards:
        spaces = (
            messages.SPACES_ON_BOARD(spaces=board.spaces, board=board.name) for board in ctx.edition.boards.values()
        )
        return (messages.SPACES_ARE(spaces=tuple(spaces)),)
    hint = phrasing_hint(ctx.scalar.text, token.span.start if token.span is not None else 0)
    return (hint,) if hint else ()


def hint_at_sides(ctx: Context, name: str) -> Hints:
    """Explain what needs sides."""
    if name == "partner":
        return (messages.SAY_PARTNERS() if ctx.edition.sides else messages.PARTNERS_NEED_SIDES(),)
    if name not in ctx.names.kinds or owned_names.sided_kinds_named(ctx, name):
        return ()
    if ctx.edition.sides:
        return (messages.ON_NO_SIDE(kind=article(ctx.names.kinds[name].name), sides=ctx.edition.sides),)
    return (messages.SAY_WHERE_THEY_LIE(),)


def hint_at_map(ctx: Context, text: str) -> Hints:
    """Explain names such as b9, where a map has no such space."""
    maps = [board for board in ctx.edition.boards.values() if board.positions]
    if not maps or not re.fullmatch(r"[a-z]\d+", text):
        return ()
    sizes = (
        messages.MAP_SIZE(
            board=board.name,
            column=max(map(board.coordinates.letter, board.positions), key=board.coordinates.letters.index).lower(),
            rows=1 + max(row for _, row in board.positions),
        )
        for board in maps
    )
    return (messages.NO_SPACE_ON_MAP(sizes=join_parts(messages.SERIES, sizes)),)


def _is_known(ctx: Context, known_names: list[str], name: str) -> bool:
    """Whether a name, canonical, means something everywhere or is one of those given."""
    return name in ctx.analysis.global_names_singular or name in map(canonical, known_names)


def hint_at_keyword(text: str, is_known: Callable[[str], bool]) -> Hints:
    """Suggest a keyword for names that swallowed a misspelt one, such as 'any seat have waiting'. is_known: whether
    a name means something here."""
    words = text.split()
    for size in range(len(words) - 1, 0, -1):
        for start in range(len(words) - size + 1):
            inside = " ".join(words[start : start + size])
            if is_known(canonical(inside)):
                odd = [*words[:start], *words[start + size :]]
                hint = messages.KNOWN_AND_ODD(known=inside, odd=odd[0])
                return (hint, *did_you_mean(odd[0], sentence_grammar.words()))
    return ()
