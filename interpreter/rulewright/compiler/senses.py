"""Senses: all that a name can mean at a place of a sentence, and what is said where that is more than one thing.

Tells what a name means: what is called exactly so, else what is called so in the singular or plural.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from rulewright.base.diagnostics import SourcePlace
from rulewright.base.records import record
from rulewright.compiler.context import ANYTHING, COUNTER, PLACE, SET, Context, Doubt
from rulewright.compiler.typed_values import Binding, Meaning, ReportedError
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
"""What the language knows as sets of all of them, called as one of them."""


@record
class Sense:
    """One thing that a name can mean. sort: what it is, for people; name: as it is declared; mean: what it stands for;
    base: the base of its type, '' where that is not known yet; of: the word list of a word, or of an attribute that
    holds one; expected: whether it is a word of a list whose words are asked for here; whose: what
    has an attribute, for people; behind: by which attributes it is come to."""

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
        if self.sort == BUILT_IN:
            return f"the language's own '{self.name}'"
        if self.sort == LOCAL:
            return f"the {self.sort}"
        whose = f"'{self.of}'" if self.sort == WORD else self.owner_text
        return f"the {self.sort} '{self.name}'{whose and f' of {whose}'}"


def choose_sense(ctx: Context, token: Name, senses: Iterable[Sense], wanted: str = "") -> Sense | None:
    """The first sense, of those that are called exactly as it is written if there are any. wanted: the base of the
    type that the place asks for, if it is known."""
    if canonical(token.text) in ctx.edition.lost.ambiguous:
        raise ReportedError
    written = token.text
    every: list[Sense] = []
    chosen: Sense | None = None
    for sense in senses:
        every.append(sense)
        if chosen is None and sense.name == written:
            chosen = sense
            if not ctx.warns_of_doubts:
                break
    if chosen is None and every:
        chosen = next((sense for sense in every if _is_plural_collection(sense, written)), every[0])
    if chosen is not None:
        warn_of_rival(ctx, token, chosen, every, wanted)
    return chosen


def warn_of_rival(ctx: Context, token: Name, chosen: Sense, every: Iterable[Sense], wanted: str) -> None:
    """What else a name could mean that is read as the chosen one."""
    if not ctx.warns_of_doubts:
        return
    written = token.text
    rival = next((sense for sense in every if _could_be_meant(chosen, sense, written, wanted)), None)
    if rival is not None:
        ctx.doubts.setdefault(place := ctx.place_of(token), _two_meanings(
            place, written, chosen, rival
        ))  # fmt: skip


def warn_of_shadowed_name(ctx: Context, token: Name, made: Binding) -> None:
    """A name made here was given to something else in a list inside: who reads it may think that this is meant."""
    if not ctx.warns_of_doubts or (other := ctx.shadowed.get(made)) is None:
        return
    place = ctx.place_of(token)
    if other < place:
        message = f"'{token}' is the one made before here; the one that line {other.line} makes ends with its list."
        hint = "What changes during the game is a counter. Else give one of the two another name."
        ctx.doubts.setdefault(place, Doubt(place, "two-meanings", message, hint))


def warn_of_arithmetic_after_where(ctx: Context, expression: Arithmetic) -> None:
    """Where a sum goes on behind the comparison of a 'where': who reads it may think that it belongs to that."""
    counted = expression.left
    while isinstance(counted, Plus | Minus | Times):
        counted = counted.right
    where = list(counted.children())[-1:]
    if not ctx.warns_of_doubts or expression.span is None:
        return
    match where:
        case [Where(condition=Compare(right=limit) as compare) as looked]:
            pass
        case _:
            return
    if compare.span is None or looked.span is None or compare.span.end != looked.span.end:
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
    ctx.doubts.setdefault(place, Doubt(place, "two-meanings", message, hint))


def _is_word(ctx: Context, name: str) -> bool:
    return any(canonical(name) in words for words in ctx.words.values())


def warn_of_first_before_filter(ctx: Context, expression: Where | Best | BestWhere) -> None:
    """Where the first few are taken before they are looked at: who reads it may think of the first few that fit."""
    some = expression.things
    if not ctx.warns_of_doubts or not isinstance(some, SomeOf) or expression.span is None or some.span is None:
        return
    start, end = expression.span
    taken = ctx.scalar.text[start : some.span.end]
    place = ctx.scalar.place_at(start, end - start)
    rest = ctx.scalar.text[some.span.end : end].strip()
    kept = "those of them that fit" if isinstance(expression, Where) else "the best of them"
    head, _, set_ = taken.partition(" of ")
    message = f"These are '{taken}', and then only {kept}."
    hint = f"Say '{head} of ({set_} {rest})' for the first that fit; else name the first ones before: let … be {taken}."
    ctx.doubts.setdefault(place, Doubt(place, "two-meanings", message, hint))


def warn_of_filtered_union(ctx: Context, expression: Where) -> None:
    """Where two sets are joined before they are looked at, and the first has been looked at by itself: who reads it may
    think that only the second is."""
    both = expression.things
    if not ctx.warns_of_doubts or not isinstance(both, Union) or expression.span is None or both.span is None:
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
    ctx.doubts.setdefault(place, Doubt(place, "two-meanings", message, hint))


def _is_plural_collection(sense: Sense, written: str) -> bool:
    """Whether a sense is a list or kind named in the plural, so that all of it is meant and not one of an item's."""
    return sense.sort in (LIST, KIND) and written != canonical(written) and sense.name == canonical(sense.name)


def _could_be_meant(chosen: Sense, other: Sense, written: str, wanted: str) -> bool:
    """Whether a reader could take the other for what is meant."""
    if not _fits_position(other, wanted):
        return False
    if BUILT_IN in (chosen.sort, other.sort):
        return _built_in_could_be_meant(chosen, other, written)
    if (chosen.sort, chosen.name, chosen.owner_text) == (other.sort, other.name, other.owner_text):
        return bool(chosen.via) and bool(other.via) and chosen.via != other.via
    named_so = LOCAL in (chosen.sort, other.sort) and chosen.name == written != other.name
    if named_so and not {chosen.sort, other.sort} & {ATTRIBUTE, KIND, LIST, WORD}:
        return False  # one of the columns is called `column`
    if chosen.sort == other.sort == ATTRIBUTE and not other.owner_text:
        return False  # what it is, before what lies around it
    if wanted == PLACE and {chosen.sort, other.sort} == {WORD, "zone"}:
        return chosen.name == other.name
    if chosen.sort == WORD:
        return other.sort == WORD and other.of == chosen.of
    if other.sort == WORD and not other.expected and wanted != ANYTHING:
        return False  # words stand where they are expected
    if other.sort in (LIST, KIND) and chosen.sort == ATTRIBUTE:
        return wanted.endswith(SET) and written != canonical(written)  # else it is one of them, called so
    if other.sort in (LIST, KIND):
        return chosen.of != other.of
    return True


def _built_in_could_be_meant(chosen: Sense, other: Sense, written: str) -> bool:
    """Likewise, where one of the two is what the language knows. A name for one of them, as `let card be …`, leaves
    all of them, the `cards`, as they are."""
    if chosen.sort == other.sort or "it" in (chosen.name, other.name):
        return False
    if WORD in (chosen.sort, other.sort) and "nothing" not in (chosen.base, other.base):
        return False  # words stand where they are expected
    return _has_exact_name(chosen, written) == _has_exact_name(other, written)


def _has_exact_name(sense: Sense, written: str) -> bool:
    """Whether something is called as it is written; the language's own sets are called in the plural."""
    one_of_all = sense.sort == BUILT_IN and written in ONE_OF_ALL
    return sense.name == written and not one_of_all


def _fits_position(sense: Sense, wanted: str) -> bool:
    """Whether it can stand where something of a type is asked for."""
    if wanted == COUNTER:
        return sense.sort in ("counter", ATTRIBUTE, LOCAL)
    if wanted in (SET, PLACE):
        return sense.base not in ("number", "truth", "amount")
    if sense.base == "nothing":
        return wanted not in ("number", "truth")
    return wanted in ("", ANYTHING) or sense.base in ("", wanted.removesuffix(f" {SET}"))


def _two_meanings(place: SourcePlace, written: str, chosen: Sense, other: Sense) -> Doubt:
    if chosen.via and other.via and chosen.via != other.via:
        ways = [" of ".join(f"its '{name}'" for name in reversed(sense.via.split("|"))) for sense in (chosen, other)]
        message = f"'{written}' is that of {ways[0]} here, not that of {ways[1]}."
        whose = "'s ".join([*chosen.via.split("|"), chosen.name])
        return Doubt(place, "two-meanings", message, f'Where that is possible, say whose it is, as in "its {whose}".')
    alike = "" if chosen.name == other.name else ": singular and plural are one name"
    here = "" if chosen.sort == LOCAL else " here"
    rival = f"{other.description}{_line_note(other, place)}"
    message = f"'{written}' is {chosen.description}{here}{_line_note(chosen, place)}, not {rival}{alike}."
    if other.sort == ATTRIBUTE:
        hint = f"If the attribute is meant, say 'its {other.name}'. Else give one of the two another name."
    elif chosen.sort == ATTRIBUTE:
        hint = f"If that is meant, say 'its {chosen.name}'. Else give one of the two another name."
    else:
        hint = "Give one of the two another name."
    return Doubt(place, "two-meanings", message, hint)


def _line_note(sense: Sense, near: SourcePlace) -> str:
    if sense.place is None:
        return ""
    return f" (line {sense.place.line}{'' if sense.place.file == near.file else f' of {sense.place.file}'})"
