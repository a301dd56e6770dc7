"""Senses: all meanings of a name at a position; choice among them, with a warning where another was possible.

An exact name comes before one in the singular or plural.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.compiler.context import Context
from rulewright.compiler.remarks import Doubt
from rulewright.compiler.typed_values import ANYTHING, COUNTER, PLACE, SET, Binding, Meaning, ReportedError
from rulewright.model.declarations import canonical
from rulewright.syntax.tree import (
    Arithmetic,
    Best,
    BestWhere,
    Compare,
    Minus,
    Name,
    Path,
    Plus,
    SomeOf,
    Times,
    Union,
    Where,
)

ATTRIBUTE, LOCAL, WORD, LIST, KIND, BUILT_IN = "attribute", "name made here", "word", "word list", "kind", "built-in"


ONE_OF_ALL = ("card", "piece", "player", "virtual player", "opponent")
"""Singular names of the language's sets."""


@record
class Sense:
    """One meaning of a name. sort: what it is, for people; name: as declared; mean: gives the meaning; base: of its
    type, '' if unknown; of: word list of a word, or of an attribute's words; expected: whether a word of this list
    is expected here; owner_text: owner of an attribute, for people; via: path of attributes that leads to it."""

    sort: str
    name: str
    mean: Callable[[], Meaning]
    place: SourcePlace | None = None
    base: str = ""
    of: str = ""
    expected: bool = False
    owner_text: str = ""
    via: str = ""

    @property
    def description(self) -> str:
        """Sort, name and owner, for messages."""
        if self.sort == BUILT_IN:
            return f"the language's own '{self.name}'"
        if self.sort == LOCAL:
            return f"the {self.sort}"
        owner = f"'{self.of}'" if self.sort == WORD else self.owner_text
        return f"the {self.sort} '{self.name}'{owner and f' of {owner}'}"


def choose_sense(ctx: Context, token: Name, senses: Iterable[Sense], expected: str = "") -> Sense | None:
    """Return the first sense, an exact name before others; None if there is none. expected: base of the type,
    if known."""
    if canonical(token.text) in ctx.edition.lost.ambiguous:
        raise ReportedError
    text = token.text
    every: list[Sense] = []
    choice: Sense | None = None
    for sense in senses:
        every.append(sense)
        if choice is None and sense.name == text:
            choice = sense
            if not ctx.remarks.warns_of_doubts:
                break
    if choice is None and every:
        choice = next((sense for sense in every if _is_plural_collection(sense, text)), every[0])
    if choice is not None:
        warn_of_rival(ctx, token, choice, every, expected)
    return choice


def warn_of_rival(ctx: Context, token: Name, choice: Sense, every: Iterable[Sense], expected: str) -> None:
    """Warn if a name could also mean another sense than the chosen one."""
    if not ctx.remarks.warns_of_doubts:
        return
    text = token.text
    rival = next((sense for sense in every if _could_be_meant(choice, sense, text, expected)), None)
    if rival is not None:
        doubt = _two_meanings(ctx.place_of(token), text, choice, rival)
        ctx.remarks.doubts.setdefault(doubt.place, doubt)


def warn_of_shadowed_name(ctx: Context, token: Name, binding: Binding) -> None:
    """Warn when an inner list rebinds a name that is read afterwards; the outer value is unchanged."""
    if not ctx.remarks.warns_of_doubts or (other := ctx.remarks.shadowed.get(binding)) is None:
        return
    place = ctx.place_of(token)
    if other < place:
        message = f"'{token}' is the one made before here; the one that line {other.line} makes ends with its list."
        hint = "What changes during the game is a counter. Else give one of the two another name."
        ctx.remarks.note_doubt(place, "two-meanings", message, hint)


def warn_of_arithmetic_after_where(ctx: Context, expression: Arithmetic) -> None:
    """Warn where arithmetic continues after the comparison of a 'where': it applies to the whole, not to the
    comparison."""
    counted = expression.left
    while isinstance(counted, Plus | Minus | Times):
        counted = counted.right
    last_parts = list(counted.children())[-1:]
    if not ctx.remarks.warns_of_doubts or expression.span is None:
        return
    match last_parts:
        case [Where(condition=Compare(right=limit) as compare) as filter_]:
            pass
        case _:
            return
    if compare.span is None or filter_.span is None or compare.span.end != filter_.span.end:
        return
    if isinstance(limit, Path) and _is_word(ctx, limit.names[-1].text):
        return
    start, end, text = compare.span.start, expression.span.end, ctx.scalar.text
    if ")" in re.split(r"[+*/-]", text[compare.span.end : end], maxsplit=1)[0]:
        return
    place = ctx.scalar.place_at(start, end - start)
    compared = text[start : compare.span.end]
    message = f"The comparison behind 'where' is '{compared}'; what follows is reckoned with the result."
    hint = f"Say 'where ({text[start:end]})' if it belongs to that; else put it first, or count in a value of its own."
    ctx.remarks.note_doubt(place, "two-meanings", message, hint)


def _is_word(ctx: Context, name: str) -> bool:
    return any(canonical(name) in words for words in ctx.names.words.values())


def warn_of_first_before_filter(ctx: Context, expression: Where | Best | BestWhere) -> None:
    """Warn where the first few are taken before a filter: a reader may think of the first few that pass."""
    some = expression.things
    if not ctx.remarks.warns_of_doubts or not isinstance(some, SomeOf) or expression.span is None or some.span is None:
        return
    start, end = expression.span
    head_text = ctx.scalar.text[start : some.span.end]
    place = ctx.scalar.place_at(start, end - start)
    rest = ctx.scalar.text[some.span.end : end].strip()
    filtered_text = "those of them that fit" if isinstance(expression, Where) else "the best of them"
    head, _, set_ = head_text.partition(" of ")
    message = f"These are '{head_text}', and then only {filtered_text}."
    hint = (
        f"Say '{head} of ({set_} {rest})' for the first that fit; "
        f"else name the first ones before: let … be {head_text}."
    )
    ctx.remarks.note_doubt(place, "two-meanings", message, hint)


def warn_of_filtered_union(ctx: Context, expression: Where) -> None:
    """Warn where a filter applies to a union whose first set has a filter of its own."""
    both = expression.things
    if not ctx.remarks.warns_of_doubts or not isinstance(both, Union) or expression.span is None or both.span is None:
        return
    last = both.right
    if last.span is None or not any(both.left.find(Where)):
        return
    start, end, text = *expression.span, ctx.scalar.text
    second, rest = text[slice(*last.span)], text[both.span.end : end].strip()
    message = f"'{rest}' looks at all that stands before it, not at '{second}' alone."
    joined = text[start : both.span.end]
    hint = f"Say 'plus ({second} {rest})' if only that is meant; else name all of it before: let … be {joined}."
    place = ctx.scalar.place_at(start, end - start)
    ctx.remarks.note_doubt(place, "two-meanings", message, hint)


def _is_plural_collection(sense: Sense, text: str) -> bool:
    """Whether a sense is a list or kind named in the plural, so that all of it is meant and not an item's."""
    return sense.sort in (LIST, KIND) and text != canonical(text) and sense.name == canonical(sense.name)


def _could_be_meant(choice: Sense, other: Sense, text: str, expected: str) -> bool:
    """Whether a reader could take the other sense for the meaning."""
    if not _fits_position(other, expected):
        return False
    if BUILT_IN in (choice.sort, other.sort):
        return _built_in_could_be_meant(choice, other, text)
    if (choice.sort, choice.name, choice.owner_text) == (other.sort, other.name, other.owner_text):
        return bool(choice.via) and bool(other.via) and choice.via != other.via
    named_so = LOCAL in (choice.sort, other.sort) and choice.name == text != other.name
    if named_so and not {choice.sort, other.sort} & {ATTRIBUTE, KIND, LIST, WORD}:
        return False  # `column` as the name of one of the columns is no rival
    if choice.sort == other.sort == ATTRIBUTE and not other.owner_text:
        return False  # a piece's own attribute comes before its zone's owner
    if expected == PLACE and {choice.sort, other.sort} == {WORD, "zone"}:
        return choice.name == other.name
    if choice.sort == WORD:
        return other.sort == WORD and other.of == choice.of
    if other.sort == WORD and not other.expected and expected != ANYTHING:
        return False  # words count only where they are expected
    if other.sort in (LIST, KIND) and choice.sort == ATTRIBUTE:
        return expected.endswith(SET) and text != canonical(text)  # a singular name means one of them
    if other.sort in (LIST, KIND):
        return choice.of != other.of
    return True


def _built_in_could_be_meant(choice: Sense, other: Sense, text: str) -> bool:
    """Like `_could_be_meant`, where one sense belongs to the language. A name for one of them, as `let card be …`,
    leaves all of them, the `cards`, unchanged."""
    if choice.sort == other.sort or "it" in (choice.name, other.name):
        return False
    if WORD in (choice.sort, other.sort) and "nothing" not in (choice.base, other.base):
        return False  # words count only where they are expected
    return _has_exact_name(choice, text) == _has_exact_name(other, text)


def _has_exact_name(sense: Sense, text: str) -> bool:
    """Whether a sense is named exactly as written; built-in sets are named in the plural."""
    one_of_all = sense.sort == BUILT_IN and text in ONE_OF_ALL
    return sense.name == text and not one_of_all


def _fits_position(sense: Sense, expected: str) -> bool:
    """Whether a sense can stand where something of a type is expected."""
    if expected == COUNTER:
        return sense.sort in ("counter", ATTRIBUTE, LOCAL)
    if expected in (SET, PLACE):
        return sense.base not in ("number", "truth", "amount")
    if sense.base == "nothing":
        return expected not in ("number", "truth")
    return expected in ("", ANYTHING) or sense.base in ("", expected.removesuffix(f" {SET}"))


def _two_meanings(place: SourcePlace, text: str, choice: Sense, other: Sense) -> Doubt:
    """Return the doubt about two senses."""
    if choice.via and other.via and choice.via != other.via:
        paths = [" of ".join(f"its '{name}'" for name in reversed(sense.via.split("|"))) for sense in (choice, other)]
        message = f"'{text}' is that of {paths[0]} here, not that of {paths[1]}."
        example = "'s ".join([*choice.via.split("|"), choice.name])
        return Doubt(place, "two-meanings", message, f'Where that is possible, say whose it is, as in "its {example}".')
    note = "" if choice.name == other.name else ": singular and plural are one name"
    scope_text = "" if choice.sort == LOCAL else " here"
    rival = f"{other.description}{_line_note(other, place)}"
    message = f"'{text}' is {choice.description}{scope_text}{_line_note(choice, place)}, not {rival}{note}."
    if other.sort == ATTRIBUTE:
        hint = f"If the attribute is meant, say 'its {other.name}'. Else give one of the two another name."
    elif choice.sort == ATTRIBUTE:
        hint = f"If that is meant, say 'its {choice.name}'. Else give one of the two another name."
    else:
        hint = "Give one of the two another name."
    return Doubt(place, "two-meanings", message, hint)


def _line_note(sense: Sense, near: SourcePlace) -> str:
    """Return where a sense is declared, in parentheses."""
    if sense.place is None:
        return ""
    return f" (line {sense.place.line}{'' if sense.place.file == near.file else f' of {sense.place.file}'})"
