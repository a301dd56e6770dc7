"""Resolution of names: the item at hand, then local names, then the acting seat, then the game. Parameters of most
functions: own: 'my' or 'its' before the name, or ''; expected_list: word list of an expected word, '' for none;
expected: base of the expected type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from rulewright.base.rule_keys import RuleKey
from rulewright.base.wording import Wording
from rulewright.compiler import messages, owned_names, sides, unknown_names
from rulewright.compiler.context import Context
from rulewright.compiler.registry import meaning_of, means, path_meaning
from rulewright.compiler.scopes import Binding, Scope, fixed_binding
from rulewright.compiler.senses import (
    BUILT_IN,
    KIND,
    LIST,
    LOCAL,
    WORD,
    Sense,
    choose_sense,
    warn_of_rival,
    warn_of_shadowed_name,
)
from rulewright.compiler.set_operations import constant_group, filter_group
from rulewright.compiler.type_checks import require_present, single_value
from rulewright.compiler.typed_values import (
    NOTHING,
    SEAT,
    SET,
    TRUTH,
    Meaning,
    MemberSet,
    ReportedError,
    Value,
    kinds_in,
    member_type,
)
from rulewright.model.declarations import canonical
from rulewright.model.naming import report_ambiguous
from rulewright.program.instructions import NONE, ZERO, constant
from rulewright.program.state_layout import ME
from rulewright.program.value_types import Type
from rulewright.syntax.expression_nodes import Expression, Path, PossessionOf
from rulewright.syntax.tree import Name, Node

BUILT_IN_SETS = ("seat", "player", "virtual player", "opponent", "partner")
"""Canonical names of sets of seats that every edition has."""


def acting_seat(ctx: Context, scope: Scope, part: Node | None = None) -> int:
    """Return the acting seat; its read from the state is emitted where the scope has none. Raises ReportedError where
    nobody acts. part: that the error points to, None for the whole text."""
    if not scope.somebody_acts:
        raise ctx.error(part, messages.NOBODY_ACTS(), hint_at_side(ctx, scope) or messages.LET_SOMEBODY_ACT())
    if scope.acting_seat is not None:
        return scope.acting_seat
    return ctx.emit.cached(("me",), lambda: ctx.emit.load(ME))


def hint_at_side(ctx: Context, scope: Scope) -> Wording | None:
    """Return a hint for the error that nobody acts, in a figure of pieces that belong to sides: compare sides. None in
    other figures."""
    side, figure = ctx.edition.sides, ctx.names.figures.get(canonical(scope.step))
    if not side or figure is None or not ctx.edition.is_of_pieces(figure.of):
        return None
    return messages.COMPARE_SIDES(side=side, figure=figure.of)


@path_meaning.defines
def meaning_of_path(
    ctx: Context, path: Path, scope: Scope, expected_list: str, expected: str, all_seats: bool
) -> Meaning:
    """Return the meaning of a path. expected: base of the expected type, as in `registry.meaning_of`; all_seats:
    whether `seat` means all seats."""
    seats = every_seat(ctx, path, scope) if all_seats else None
    return seats or resolve_path(ctx, path, scope, expected_list, expected)


def resolve_path(
    ctx: Context, expression: Path, scope: Scope, expected_list: str = "", expected: str = "", owner_of: str = ""
) -> Meaning:
    """Return the meaning of a path such as `my hand` or `dealer's row`. owner_of: name looked up in the result, ''
    if none; only for a path of one name, for it is the second name otherwise."""
    own, (first, *owned) = expression.own or "", expression.names
    expected = SET if owned else expected
    owner_of = canonical(owned[0].text) if owned else owner_of
    meaning = resolve_first_name(ctx, first, own, scope, expected_list, expected, owner_of)
    if owned and not own:
        meaning = inspected_item(ctx, meaning, first, scope)
    for name in owned:
        owner_text = _text_before(ctx, expression, name)
        owner = require_present(ctx, single_value(ctx, meaning, expression), expression, owner_text)
        doubt = partial(owner_doubt, ctx, first, own, scope, expected_list, owner_of)
        meaning = resolve_owned(ctx, owner, name, scope, doubt if name is owned[0] else None)
    return meaning


def _text_before(ctx: Context, path: Path, name: Name) -> str:
    """Return the text in a path before the "'s" of a name; '' where it is not written."""
    if path.span is None or name.span is None:
        return ""
    return ctx.source_text(path)[: name.span.start - path.span.start].rstrip().removesuffix("'s")


def single_name(expression: Expression) -> Name | None:
    """Return the name of a path of one name without 'my' or 'its', else None."""
    match expression:
        case Path(own=None, names=(name,)):
            return name
    return None


def inspected_item(ctx: Context, meaning: Meaning, name: Name, scope: Scope) -> Meaning:
    """Return the one item that an enclosing condition inspects, where a list's or kind's name must mean one thing:
    the cell in `no cell has (any turn has (cell's fits for it))`."""
    if not isinstance(meaning, MemberSet) or meaning.constant_members is None or len(meaning.constant_members) < 2:
        return meaning
    things = ctx.names.lists.get(canonical(name.text)) or ctx.names.kinds.get(canonical(name.text))
    if things is None or name.text != things.name:
        return meaning
    matches = [item for item in scope.items if isinstance(item, Value) and item.type == member_type(meaning.type)]
    return matches[0] if len(matches) == 1 else meaning


def owner_doubt(ctx: Context, token: Name, own: str, scope: Scope, expected_list: str, owner_of: str) -> Wording | None:
    """Return what else an owner's name could mean, as a problem, or None. It is not noted as a doubt."""
    outer = ctx.remarks
    ctx.remarks = replace(outer, warns_of_doubts=True, doubts={})
    try:
        resolve_first_name(ctx, token, own, scope, expected_list, SET, owner_of)
        return next((doubt.problem for doubt in ctx.remarks.doubts.values()), None)
    finally:
        ctx.remarks = outer


def resolve_first_name(
    ctx: Context, token: Name, own: str, scope: Scope, expected_list: str, expected: str = "", owner_of: str = ""
) -> Meaning:
    """Return the meaning of a path's first name, of the item's own after 'its'. owner_of: name looked up in it, '' if
    none."""
    if own == "its":
        if scope.item is None:
            raise ctx.error(token, messages.NO_ITEM())
        return resolve_owned(ctx, single_value(ctx, scope.item, token), token, scope)
    senses = senses_of_name(ctx, token, own, scope, expected_list, owner_of)
    if owner_of:
        senses = (replace(sense, expected=sense.expected or is_word_owning(ctx, sense, owner_of)) for sense in senses)
    sense = choose_sense(ctx, token, senses, expected)
    if sense is not None and sense.sort == LIST and scope.item is not None and ctx.may_be_broken_kind(scope.item.type):
        raise ReportedError  # the name may belong to the item's broken kind
    if sense is None:
        raise unknown_names.report_unknown_name(ctx, token, scope, expected_list)
    if sense.sort == LOCAL:
        warn_of_shadowed_name(ctx, token, scope.names[sense.name])
    return sense.mean()


def is_word_owning(ctx: Context, sense: Sense, name: str) -> bool:
    """Whether a sense is a word that has something of this name."""
    return sense.sort == WORD and name in map(canonical, owned_names.names_owned_by(ctx, Type("word", sense.thing)))


def senses_of_name(
    ctx: Context, token: Name, own: str, scope: Scope, expected_list: str, owner_of: str = ""
) -> Iterator[Sense]:
    """Yield all that a name can mean here, the most specific first. own: see the module; owner_of: as in
    `resolve_first_name`."""
    name = canonical(token.text)
    if own != "my":
        if name == "it" and scope.item is not None:
            item = scope.item
            yield Sense(BUILT_IN, name, lambda: item)
        if isinstance(scope.item, Value):
            yield from (sense for sense in owned_names.senses_of(ctx, scope.item, name, scope) if sense.sort != KIND)
        if (local_ := local_name(ctx, token, scope)) is not None:
            thing = local_content(ctx, local_, scope) if name in ctx.names.lists or name in ctx.names.kinds else ""
            yield Sense(LOCAL, local_, scope.names[local_], thing=thing)
        yield from word_senses(ctx, name, [expected_list] if expected_list else [], True)
    if scope.somebody_acts:
        mine = owned_names.seat_senses(ctx, name, lambda: acting_seat(ctx, scope, token), scope)
        yield from (sense for sense in mine if own == "my" or not needs_my(sense))
    if own != "my":
        yield from owned_names.declared_senses(ctx, "", name, lambda: None, scope)
        for option in ctx.edition.options.values():
            if canonical(option.name) == name and option.choices == ("no", "yes"):
                yield Sense("option", option.name, partial(option_truth, ctx, option.name), option.place, TRUTH.base)
        yield from global_senses(ctx, token, scope, owner_of)


def needs_my(sense: Sense) -> bool:
    """Whether only 'my' means the acting seat's own, and the plain name all of them: its side, its pieces."""
    return sense.sort == KIND or (sense.sort == "counter" and sense.thing != "")


def local_binding(ctx: Context, token: Name, scope: Scope) -> Binding | None:
    """Return the local name's binding, or None."""
    name = local_name(ctx, token, scope)
    return None if name is None else scope.names[name]


def local_name(ctx: Context, token: Name, scope: Scope) -> str | None:
    """Return the local name that is meant; None if none is. Where `town` is one of the towns, `towns` are still all of
    them."""
    text, name = token.text, canonical(token.text)
    if text in scope.names:
        return text
    candidate = next((candidate for candidate in reversed(scope.names) if canonical(candidate) == name), None)
    things = ctx.names.lists.get(name) or ctx.names.kinds.get(name)
    one = name if name in BUILT_IN_SETS else things.name if things is not None else text
    return candidate if text in (name, one) else None


def local_content(ctx: Context, name: str, scope: Scope) -> str:
    """Return the word list or kind of a local name's value, else the base of its type; the name itself if its value is
    wrong. Emits nothing."""
    outer, sights, ctx.emit = ctx.emit, set(ctx.visibilities), ctx.emitter(parameters=1)
    try:
        type_ = scope.names[name]().type
    except ReportedError:
        return name
    finally:
        ctx.emit, ctx.visibilities = outer, sights
    if type_.base == "piece" and len(kinds := kinds_in(type_)) == 1:
        return min(kinds)
    return str(type_.detail) if type_.base == "word" else type_.base


def resolve_owned(
    ctx: Context, owner: Value, token: Name, scope: Scope, doubt: Callable[[], Wording | None] | None = None
) -> Meaning:
    """Return the meaning of a name with an owner: crown's owner, dealer's row, trump's colour. doubt: gives what the
    owner's name could mean as well."""
    sense = choose_sense(ctx, token, owned_names.senses_of(ctx, owner, canonical(token.text), scope))
    if sense is None:
        raise unknown_names.report_unknown_member(ctx, owner, token, doubt() if doubt else None)
    return sense.mean()


@means(PossessionOf)
def meaning_of_possession_of(ctx: Context, expression: PossessionOf, scope: Scope) -> Meaning:
    """Compile `(first 1 of hand)'s value`."""
    owner = expression.owner
    meaning = meaning_of(ctx, owner, scope)
    for name in expression.names:
        meaning = resolve_owned(ctx, require_present(ctx, single_value(ctx, meaning, owner), owner), name, scope)
    return meaning


def global_senses(ctx: Context, token: Name, scope: Scope, owner_of: str = "") -> Iterator[Sense]:
    """Yield the meanings of a name that hold everywhere: built-in names, kinds, lists, words. For a word of several
    lists, those count that have `owner_of`; of several that are left, the sense reports the doubt when it is meant."""
    name, text = canonical(token.text), token.text
    known = (name in BUILT_IN_SETS and (name != "partner" or ctx.edition.sides)) or name in ("you", "nobody", "nothing")
    if known or (name in owned_names.ANY_PIECE and name not in ctx.names.kinds):
        base = "nothing" if name in ("nobody", "nothing") else "piece" if name in owned_names.ANY_PIECE else SEAT.base
        yield Sense(BUILT_IN, text, lambda: built_in_meaning(ctx, name, scope, token), None, base)
    if (kind := ctx.names.kinds.get(name)) is not None:
        declared_name = kind.name if canonical(kind.name) == name else text
        yield Sense(
            KIND, declared_name, partial(pieces_of_kinds, ctx, frozenset([kind.name])), kind.place, "piece", kind.name
        )
    if (words := ctx.names.lists.get(name)) is not None:
        type_, every = Type("word", words.name), tuple(range(len(words.words)))
        yield Sense(LIST, words.name, partial(constant_group, ctx, type_, every), words.place, "word", words.name)
    lists = [words for words, numbers in ctx.names.words.items() if name in numbers]
    if len(lists) > 1 and owner_of:
        owning = [
            list_ for list_ in lists if owner_of in map(canonical, owned_names.names_owned_by(ctx, Type("word", list_)))
        ]
        lists = owning or lists
    if len(lists) > 1:
        yield Sense(WORD, text, partial(report_shared_word, ctx, token, lists), None, "word", lists[0])
    else:
        yield from word_senses(ctx, name, lists)


def word_senses(ctx: Context, name: str, lists: list[str], expected: bool = False) -> Iterator[Sense]:
    """Yield the word of each list that has this name. expected: as in Sense."""
    for words in lists:
        for index, word in enumerate(ctx.edition.words[words].words):
            if canonical(word.name) == name:
                value = Value(Type("word", words), constant(index))
                place = ctx.edition.words[words].place
                yield Sense(WORD, word.name, fixed_binding(value), place, "word", words, expected)


def list_of_other_side(ctx: Context, expression: Expression, other: Expression, scope: Scope) -> str:
    """Return the word list of the other side of a comparison, for a word of several lists; else ''. That side is
    compiled into code that never runs. May raise ReportedError."""
    token = single_name(expression)
    if token is None or sum(canonical(token.text) in numbers for numbers in ctx.names.words.values()) < 2:
        return ""
    sights = set(ctx.visibilities)
    with ctx.emit.if_true(ZERO):
        type_ = meaning_of(ctx, other, scope).type
    ctx.visibilities = sights
    return str(type_.detail) if type_.base == "word" else ""


def report_shared_word(ctx: Context, token: Name, lists: list[str]) -> Meaning:
    """Report a word of several lists where none is expected, and raise ReportedError."""
    place = ctx.place_of(token)
    shared = {list_: [word.name for word in ctx.edition.words[list_].words] for list_ in lists}
    report_ambiguous(ctx.report, place, token.text, shared)
    raise ReportedError


def built_in_meaning(ctx: Context, name: str, scope: Scope, token: Name) -> Meaning:
    """Return the meaning of a name of the language. name: canonical; token: as written."""
    if name in ("you", "seat") and token.text != "seats":
        return Value(SEAT, acting_seat(ctx, scope, token))
    if name == "seat":
        return constant_group(ctx, SEAT, tuple(range(ctx.plan.seats)))
    if name in ("player", "virtual player"):
        virtual = name != "player"
        everyone = constant_group(ctx, SEAT, tuple(range(ctx.plan.seats)))
        if setting := ctx.plan.setting:
            seats = (seat for seat, role in enumerate(setting.roles) if (role >= 0) == virtual)
            return constant_group(ctx, SEAT, tuple(seats))
        return filter_group(ctx, everyone, lambda seat: emit_is_virtual(ctx, seat, virtual))
    if name == "opponent":
        return sides.opponents(ctx, acting_seat(ctx, scope, token))
    if name == "partner":
        return sides.partners(ctx, acting_seat(ctx, scope, token))
    if name in ("nobody", "nothing"):
        return Value(NOTHING, NONE, may_be_nothing=True)
    return pieces_of_kinds(ctx, frozenset(ctx.edition.kinds))


def every_seat(ctx: Context, expression: Expression, scope: Scope) -> MemberSet | None:
    """Return all seats for `seat` where a set is expected, as in `each seat`; None for other names, and for
    a local one."""
    name = single_name(expression)
    if name is None or canonical(name.text) != "seat" or local_binding(ctx, name, scope) is not None:
        return None
    seats = constant_group(ctx, SEAT, tuple(range(ctx.plan.seats)))
    all_of_them = Sense(BUILT_IN, name.text, lambda: seats, None, SEAT.base)
    warn_of_rival(ctx, name, all_of_them, senses_of_name(ctx, name, "", scope, ""), SET)
    return seats


def option_truth(ctx: Context, option: str) -> Value:
    """Return an option with yes or no as a truth."""
    return Value(TRUTH, option_choice(ctx, option), 0, 1)


def option_choice(ctx: Context, option: str) -> int:
    """Emit the index of an option's choice; a constant where the program is for one setting."""
    if setting := ctx.plan.setting:
        return constant(setting.options[list(ctx.edition.options).index(option)])
    return ctx.emit.load(ctx.plan.option(option))


def emit_is_virtual(ctx: Context, seat: int, virtual: bool) -> int:
    """Emit whether a seat is a virtual player, or is not."""
    role = ctx.emit.load(ctx.plan.role, seat)
    return ctx.emit.evaluate("unequal" if virtual else "equal", role, NONE)


def pieces_of_kinds(ctx: Context, kinds: frozenset[str]) -> MemberSet:
    """Return all pieces of some kinds."""
    return constant_group(ctx, Type("piece", kinds), ctx.plan.stock.pieces(kinds))


def find_word(ctx: Context, name: str, word_list: str) -> Value | None:
    """Return a word of a list by its canonical name, or None."""
    number = ctx.names.words[word_list].get(name)
    return None if number is None else Value(Type("word", word_list), constant(number))


def rule_subject(ctx: Context, rule: RuleKey) -> Value | None:
    """Return the word that a rule is about, or None."""
    return find_word(ctx, canonical(rule.name), rule.words) if rule.words else None
