"""Senses: all meanings of a name at a position; choice among them, with a warning where another was possible.

An exact name comes before one in the singular or plural.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import reduce

from rulewright.base.diagnostics import RelatedPlace, SourcePlace
from rulewright.base.records import record
from rulewright.base.wording import Wording
from rulewright.compiler import messages
from rulewright.compiler.context import Context
from rulewright.compiler.scopes import Binding
from rulewright.compiler.typed_values import ANYTHING, COUNTER, PLACE, SET, Meaning, ReportedError
from rulewright.model.declarations import canonical
from rulewright.syntax.condition_nodes import Compare
from rulewright.syntax.expression_nodes import Path
from rulewright.syntax.number_nodes import Arithmetic, Minus, Plus, Times
from rulewright.syntax.set_nodes import Best, BestWhere, SomeOf, Union, Where
from rulewright.syntax.tree import Name

ATTRIBUTE, LOCAL, WORD, LIST, KIND, BUILT_IN = "attribute", "name made here", "word", "word list", "kind", "built-in"
"""Sorts of senses; a LOCAL name is bound by a sentence. `_DESCRIPTIONS` has the others."""


_DESCRIPTIONS = {
    ATTRIBUTE: messages.THE_ATTRIBUTE,
    LOCAL: messages.LOCAL_NAME,
    WORD: messages.THE_WORD,
    LIST: messages.THE_LIST,
    KIND: messages.THE_KIND,
    BUILT_IN: messages.BUILT_IN_NAME,
    "zone": messages.THE_ZONE,
    "counter": messages.THE_COUNTER,
    "value": messages.THE_VALUE,
    "term": messages.THE_TERM,
    "table": messages.THE_TABLE,
    "option": messages.THE_OPTION,
}
"""Sort of a sense -> template that names such a thing in messages."""

ONE_OF_ALL = ("card", "piece", "player", "virtual player", "opponent")
"""Singular names of the language's sets that also name one member."""


@record
class Sense:
    """One meaning of a name.

    - sort: what it is, for people
    - name: as declared
    - mean: gives the meaning, and may emit code
    - place: of the declaration
    - base: of its type, '' if unknown
    - thing: word list of a word, of an attribute's words, or of what a list or kind holds, '' if there is none
    - expected: whether a word of this list is expected here
    - owner: of an attribute, for people
    - via: path of attributes that leads to it, joined by '|'
    """

    sort: str
    name: str
    mean: Callable[[], Meaning]
    place: SourcePlace | None = None
    base: str = ""
    thing: str = ""
    expected: bool = False
    owner: Wording | None = None
    via: str = ""

    @property
    def description(self) -> Wording:
        """Sort, name and owner, for messages."""
        owner = messages.QUOTED(name=self.thing) if self.sort == WORD else self.owner
        thing = _DESCRIPTIONS[self.sort](name=self.name)
        return messages.OF_OWNER(thing=thing, owner=owner) if owner else thing

    def description_near(self, place: SourcePlace, *, is_chosen: bool = False) -> Wording:
        """Return its description, with the line of its declaration. is_chosen: whether the name has this sense."""
        thing = self.description
        if is_chosen and self.sort != LOCAL:
            thing = messages.THING_HERE(thing=thing)
        if self.place is None:
            return thing
        if self.place.file == place.file:
            return messages.IN_LINE(thing=thing, line=self.place.line)
        return messages.IN_LINE_OF_FILE(thing=thing, line=self.place.line, file=self.place.file)


def choose_sense(ctx: Context, token: Name, senses: Iterable[Sense], expected: str = "") -> Sense | None:
    """Return the first sense, an exact name before others; None if there is none. expected: base of the type, if known.
    Raises ReportedError for a name that is reported as ambiguous."""
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
    """Note a doubt if a name could also mean another sense than the chosen one. every: all senses, the chosen one
    included or not; expected: as in `choose_sense`."""
    if not ctx.remarks.warns_of_doubts:
        return
    text = token.text
    rival = next((sense for sense in every if _could_be_meant(choice, sense, text, expected)), None)
    if rival is not None:
        place = ctx.place_of(token)
        related = (
            RelatedPlace(sense.place, messages.DECLARED_HERE(name=sense.name))
            for sense in (choice, rival)
            if sense.place is not None
        )
        ctx.remarks.note_doubt(place, *_two_meanings(place, text, choice, rival), related=related)


def warn_of_shadowed_name(ctx: Context, token: Name, binding: Binding) -> None:
    """Warn when an inner list rebinds a name that is read afterwards; the outer value is unchanged."""
    if not ctx.remarks.warns_of_doubts or (other := ctx.remarks.shadowed.get(binding)) is None:
        return
    place = ctx.place_of(token)
    if other < place:
        problem = messages.SHADOWED_NAME(name=token.text, line=other.line)
        related = RelatedPlace(other, messages.MADE_HERE(name=token.text))
        ctx.remarks.note_doubt(place, problem, messages.USE_COUNTER(), related=(related,))


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
    problem = messages.ARITHMETIC_AFTER_WHERE(compared=text[start : compare.span.end])
    ctx.remarks.note_doubt(place, problem, messages.PARENTHESES_AFTER_WHERE(all=text[start:end]))


def _is_word(ctx: Context, name: str) -> bool:
    """Whether any list has a word of this name."""
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
    problem = messages.FIRST_THEN_FILTERED if isinstance(expression, Where) else messages.FIRST_THEN_BEST
    head, _, set_ = head_text.partition(" of ")
    hint = messages.FIRST_OF_FILTERED(head=head, set=set_, filter=rest, first=head_text)
    ctx.remarks.note_doubt(place, problem(first=head_text), hint)


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
    problem = messages.FILTERED_UNION(filter=rest, second=second)
    hint = messages.FILTER_SECOND(filter=rest, second=second, joined=text[start : both.span.end])
    ctx.remarks.note_doubt(ctx.scalar.place_at(start, end - start), problem, hint)


def _is_plural_collection(sense: Sense, text: str) -> bool:
    """Whether a sense is a list or kind named in the plural, so that all of it is meant and not an item's."""
    return sense.sort in (LIST, KIND) and text != canonical(text) and sense.name == canonical(sense.name)


def _could_be_meant(choice: Sense, other: Sense, text: str, expected: str) -> bool:
    """Whether a reader could take the other sense for the meaning."""
    if not _fits_position(other, expected):
        return False
    if BUILT_IN in (choice.sort, other.sort):
        return _built_in_could_be_meant(choice, other, text)
    if (choice.sort, choice.name, choice.owner) == (other.sort, other.name, other.owner):
        return bool(choice.via) and bool(other.via) and choice.via != other.via
    named_so = LOCAL in (choice.sort, other.sort) and choice.name == text != other.name
    if named_so and not {choice.sort, other.sort} & {ATTRIBUTE, KIND, LIST, WORD}:
        return False  # `column` as the name of one of the columns is no rival
    if choice.sort == other.sort == ATTRIBUTE and not other.owner:
        return False  # a piece's own attribute comes before its zone's owner
    if expected == PLACE and {choice.sort, other.sort} == {WORD, "zone"}:
        return choice.name == other.name
    if choice.sort == WORD:
        return other.sort == WORD and other.thing == choice.thing
    if other.sort == WORD and not other.expected and expected != ANYTHING:
        return False  # words count only where they are expected
    if other.sort in (LIST, KIND) and choice.sort == ATTRIBUTE:
        return expected.endswith(SET) and text != canonical(text)  # a singular name means one of them
    if other.sort in (LIST, KIND):
        return choice.thing != other.thing
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


def _two_meanings(place: SourcePlace, text: str, choice: Sense, other: Sense) -> tuple[Wording, Wording]:
    """Return the problem of two senses, and a hint."""
    if choice.via and other.via and choice.via != other.via:
        problem = messages.TWO_PATHS(name=text, choice=_path_description(choice), rival=_path_description(other))
        path = "'s ".join([*choice.via.split("|"), choice.name])
        return problem, messages.SAY_WHOSE_IT_IS(path=path)
    template = messages.TWO_MEANINGS if choice.name == other.name else messages.TWO_MEANINGS_OF_PLURAL
    problem = template(
        name=text, choice=choice.description_near(place, is_chosen=True), rival=other.description_near(place)
    )
    if other.sort == ATTRIBUTE:
        return problem, messages.SAY_ITS_FOR_ATTRIBUTE(name=other.name)
    if choice.sort == ATTRIBUTE:
        return problem, messages.SAY_ITS(name=choice.name)
    return problem, messages.RENAME_ONE()


def _path_description(sense: Sense) -> Wording:
    """Return the path of attributes that leads to a sense in words, its last part first."""
    parts = (messages.ITS_ATTRIBUTE(name=name) for name in reversed(sense.via.split("|")))
    return reduce(lambda thing, owner: messages.OF_OWNER(thing=thing, owner=owner), parts)
