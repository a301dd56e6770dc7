"""What a name in a sentence stands for, here and now.

It is looked up: the item at hand, then local names, then the acting seat, then the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from rulewright.base.rule_keys import RuleKey
from rulewright.compiler import owned_names, sides, unknown_names
from rulewright.compiler.context import SET, Context
from rulewright.compiler.emitter import NONE, constant
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
from rulewright.compiler.typed_values import (
    NOTHING,
    SEAT,
    TRUTH,
    Binding,
    Group,
    Meaning,
    ReportedError,
    Scope,
    Value,
    member_type,
)
from rulewright.model.declarations import canonical
from rulewright.model.naming import report_ambiguous
from rulewright.program.form import ME, Type
from rulewright.syntax.tree import Expression, Name, Node, Path

BUILT_IN_SETS = ("seat", "player", "virtual player", "opponent", "partner")


def acting_seat(ctx: Context, scope: Scope, where: Node | None = None) -> int:
    """The acting seat."""
    if not scope.someone:
        message = "Nobody acts here, so there is no 'you' and nothing of a seat's."
        raise ctx.error(where, "nobody-acts", message, hint_at_side(ctx, scope) or unknown_names.ACT)
    if scope.me is not None:
        return scope.me
    return ctx.emit.cached(("me",), lambda: ctx.emit.load(ME))


def hint_at_side(ctx: Context, scope: Scope) -> str:
    """For a figure of pieces that belong to sides, where an enemy is told by its side."""
    side, figure = ctx.edition.sides, ctx.figures.get(canonical(scope.step))
    if not side or figure is None or not ctx.edition.is_of_pieces(figure.of):
        return ""
    return f"In a figure of pieces nobody acts. Tell them by their side: '… where {side} is not {figure.of}'s {side}'."


def resolve_path(
    ctx: Context, expression: Path, scope: Scope, expect: str = "", wanted: str = "", owner_of: str = ""
) -> Meaning:
    """owner_of: what is asked for of the thing that the path leads to; '' where it is meant itself."""
    own, (first, *owned) = expression.own or "", expression.names
    wanted = SET if owned else wanted
    owner_of = canonical(owned[0].text) if owned else owner_of
    meaning = resolve_first_name(ctx, first, own, scope, expect, wanted, owner_of)
    if owned and not own:
        meaning = inspected_item(ctx, meaning, first, scope)
    for name in owned:
        whose = _text_before(ctx, expression, name)
        owner = ctx.require_present(ctx.single(meaning, expression), expression, whose)
        doubt = partial(owner_doubt, ctx, first, own, scope, expect, owner_of)
        meaning = resolve_owned(ctx, owner, name, scope, doubt if name is owned[0] else str)
    return meaning


def _text_before(ctx: Context, path: Path, name: Name) -> str:
    """What stands in a path before the "'s" of a name."""
    if path.span is None or name.span is None:
        return ""
    return ctx.source_text(path)[: name.span.start - path.span.start].rstrip().removesuffix("'s")


def single_name(expression: Expression) -> Name | None:
    """The name of a path that is nothing else: no 'my' before it, nothing owned behind it."""
    match expression:
        case Path(own=None, names=(name,)):
            return name
    return None


def inspected_item(ctx: Context, meaning: Meaning, name: Name, scope: Scope) -> Meaning:
    """The one thing of a list or kind that a condition around a name looks at, where the name is that of the list and
    only one can stand: the cell in `no cell has (any turn has (cell's fits for it))`."""
    if not isinstance(meaning, Group) or meaning.members is None or len(meaning.members) < 2:
        return meaning
    things = ctx.lists.get(canonical(name.text)) or ctx.kinds.get(canonical(name.text))
    if things is None or name.text != things.name:
        return meaning
    alike = [item for item in scope.items if isinstance(item, Value) and item.type == member_type(meaning.type)]
    return alike[0] if len(alike) == 1 else meaning


def owner_doubt(ctx: Context, token: Name, own: str, scope: Scope, expect: str, owner_of: str) -> str:
    """What an owner's name could mean as well, if that is doubtful."""
    kept, ctx.warns_of_doubts, ctx.doubts = (ctx.warns_of_doubts, ctx.doubts), True, {}
    try:
        resolve_first_name(ctx, token, own, scope, expect, SET, owner_of)
        return next((doubt.message for doubt in ctx.doubts.values()), "")
    finally:
        ctx.warns_of_doubts, ctx.doubts = kept


def resolve_first_name(
    ctx: Context, token: Name, own: str, scope: Scope, expect: str, wanted: str = "", owner_of: str = ""
) -> Meaning:
    """owner_of: what is asked for of the thing that is called so; '' where it is meant itself."""
    if own == "its":
        if scope.item is None:
            message = "'its' speaks of the thing that 'where', 'has' or an order looks at; there is none here."
            raise ctx.error(token, "no-item", message)
        return resolve_owned(ctx, ctx.single(scope.item, token), token, scope)
    senses = senses_of_name(ctx, token, own, scope, expect, owner_of)
    if owner_of:
        senses = (replace(sense, expected=sense.expected or is_word_owning(ctx, sense, owner_of)) for sense in senses)
    sense = choose_sense(ctx, token, senses, wanted)
    if sense is not None and sense.sort == LIST and scope.item is not None and ctx.may_be_lost_kind(scope.item.type):
        raise ReportedError  # it may be the item's
    if sense is None:
        raise unknown_names.unknown_name(ctx, token, scope, expect)
    if sense.sort == LOCAL:
        warn_of_shadowed_name(ctx, token, scope.names[sense.name])
    return sense.mean()


def is_word_owning(ctx: Context, sense: Sense, name: str) -> bool:
    """Whether a sense is a word that has something of this name."""
    return sense.sort == WORD and name in map(canonical, owned_names.names_owned_by(ctx, Type("word", sense.of)))


def senses_of_name(
    ctx: Context, token: Name, own: str, scope: Scope, expect: str, owner_of: str = ""
) -> Iterator[Sense]:
    """All that a name can mean here, what counts first before the rest."""
    name = canonical(token.text)
    if own != "my":
        if name == "it" and scope.item is not None:
            item = scope.item
            yield Sense(BUILT_IN, name, lambda: item)
        if isinstance(scope.item, Value):
            yield from (sense for sense in owned_names.senses_of(ctx, scope.item, name, scope) if sense.sort != KIND)
        if (made := local_name(ctx, token, scope)) is not None:
            of = local_content(ctx, made, scope) if name in ctx.lists or name in ctx.kinds else ""
            yield Sense(LOCAL, made, scope.names[made], of=of)
        yield from word_senses(ctx, name, [expect] if expect else [], True)
    if scope.someone:
        mine = owned_names.seat_senses(ctx, name, lambda: acting_seat(ctx, scope, token), scope)
        yield from (sense for sense in mine if own == "my" or not needs_my(sense))
    if own != "my":
        yield from owned_names.declared_senses(ctx, "", name, lambda: None, scope)
        for option in ctx.edition.options.values():
            if canonical(option.name) == name and option.choices == ("no", "yes"):
                yield Sense("option", option.name, partial(option_truth, ctx, option.name), option.place, TRUTH.base)
        yield from global_senses(ctx, token, scope, expect, owner_of)


def needs_my(sense: Sense) -> bool:
    """Whether something of the acting seat is told from all there are only by 'my': its side, its pieces."""
    return sense.sort == KIND or (sense.sort == "counter" and sense.of != "")


def local_binding(ctx: Context, token: Name, scope: Scope) -> Binding | None:
    """What is called so here."""
    made = local_name(ctx, token, scope)
    return None if made is None else scope.names[made]


def local_name(ctx: Context, token: Name, scope: Scope) -> str | None:
    """The name made here that is meant. Where `town` is one of the towns, `towns` are still all of them."""
    written, name = token.text, canonical(token.text)
    if written in scope.names:
        return written
    made = next((made for made in reversed(scope.names) if canonical(made) == name), None)
    things = ctx.lists.get(name) or ctx.kinds.get(name)
    one = name if name in BUILT_IN_SETS else things.name if things is not None else written
    return made if written in (name, one) else None


def local_content(ctx: Context, made: str, scope: Scope) -> str:
    """The word list of what a name made here stands for, if it is a word; the kind, if it is a piece of one."""
    outer, sights, ctx.emit = ctx.emit, set(ctx.visibilities), ctx.emitter(parameters=1)
    try:
        type_ = scope.names[made]().type
    except ReportedError:
        return made
    finally:
        ctx.emit, ctx.visibilities = outer, sights
    if type_.base == "piece" and len(kinds := ctx.kinds_in(type_)) == 1:
        return min(kinds)
    return str(type_.detail) if type_.base == "word" else type_.base


def resolve_owned(ctx: Context, owner: Value, token: Name, scope: Scope, doubt: Callable[[], str] = str) -> Meaning:
    """What a name means with an owner: crown's owner, dealer's row, trump's colour. doubt: tells what the owner's
    name could mean as well."""
    sense = choose_sense(ctx, token, owned_names.senses_of(ctx, owner, canonical(token.text), scope))
    if sense is None:
        raise unknown_names.unknown_member(ctx, owner, token, doubt())
    return sense.mean()


def global_senses(ctx: Context, token: Name, scope: Scope, expect: str, owner_of: str = "") -> Iterator[Sense]:
    """Yield the meanings of a name that hold everywhere: what the language knows, kinds, lists, words. Of a word of
    several lists, those count whose words have what is asked for."""
    name, written = canonical(token.text), token.text
    known = (name in BUILT_IN_SETS and (name != "partner" or ctx.edition.sides)) or name in ("you", "nobody", "nothing")
    if known or (name in owned_names.ANY_PIECE and name not in ctx.kinds):
        base = "nothing" if name in ("nobody", "nothing") else "piece" if name in owned_names.ANY_PIECE else SEAT.base
        yield Sense(BUILT_IN, written, lambda: built_in_meaning(ctx, name, scope, token), None, base)
    if (kind := ctx.kinds.get(name)) is not None:
        called = kind.name if canonical(kind.name) == name else written
        yield Sense(KIND, called, partial(pieces_of_kinds, ctx, frozenset([kind.name])), kind.place, "piece", kind.name)
    if (words := ctx.lists.get(name)) is not None:
        type_, every = Type("word", words.name), tuple(range(len(words.words)))
        yield Sense(LIST, words.name, partial(ctx.constant_group, type_, every), words.place, "word", words.name)
    homes = [words for words, numbers in ctx.words.items() if name in numbers]
    if len(homes) > 1 and owner_of:
        having = [
            home for home in homes if owner_of in map(canonical, owned_names.names_owned_by(ctx, Type("word", home)))
        ]
        homes = having or homes
    if len(homes) > 1:
        yield Sense(WORD, written, partial(report_shared_word, ctx, token, homes), None, "word", homes[0])
    else:
        yield from word_senses(ctx, name, homes)


def word_senses(ctx: Context, name: str, lists: list[str], expected: bool = False) -> Iterator[Sense]:
    for words in lists:
        for index, word in enumerate(ctx.edition.words[words].words):
            if canonical(word.name) == name:
                value = Value(Type("word", words), constant(index))
                place = ctx.edition.words[words].place
                yield Sense(WORD, word.name, partial(_identity, value), place, "word", words, expected)


def list_of_other_side(ctx: Context, expression: Expression, other: Expression, scope: Scope) -> str:
    """Of a word of several lists, the one of which the other side of a comparison is, or ''."""
    token = single_name(expression)
    if token is None or sum(canonical(token.text) in numbers for numbers in ctx.words.values()) < 2:
        return ""
    sights = set(ctx.visibilities)
    with ctx.emit.discarding():
        type_ = ctx.meaning(other, scope).type
    ctx.visibilities = sights
    return str(type_.detail) if type_.base == "word" else ""


def _identity(value: Value) -> Value:
    return value


def report_shared_word(ctx: Context, token: Name, homes: list[str]) -> Meaning:
    """A word of several lists, where none is expected."""
    place = ctx.place_of(token)
    shared = {home: [word.name for word in ctx.edition.words[home].words] for home in homes}
    report_ambiguous(ctx.report, place, token.text, shared)
    raise ReportedError


def built_in_meaning(ctx: Context, name: str, scope: Scope, token: Name) -> Meaning:
    if name in ("you", "seat") and token.text != "seats":
        return Value(SEAT, acting_seat(ctx, scope, token))
    if name == "seat":
        return ctx.constant_group(SEAT, tuple(range(ctx.plan.seats)))
    if name in ("player", "virtual player"):
        virtual = name != "player"
        everyone = ctx.constant_group(SEAT, tuple(range(ctx.plan.seats)))
        if setting := ctx.plan.setting:
            found = (seat for seat, role in enumerate(setting.roles) if (role >= 0) == virtual)
            return ctx.constant_group(SEAT, tuple(found))
        return ctx.filter_group(everyone, lambda seat: is_virtual(ctx, seat, virtual))
    if name == "opponent":
        return sides.opponents(ctx, acting_seat(ctx, scope, token))
    if name == "partner":
        return sides.partners(ctx, acting_seat(ctx, scope, token))
    if name in ("nobody", "nothing"):
        return Value(NOTHING, NONE, maybe=True)
    return pieces_of_kinds(ctx, frozenset(ctx.edition.kinds))


def every_seat(ctx: Context, expression: Expression, scope: Scope) -> Group | None:
    """Where a set is expected, `seat` means all of them, as in `each seat`; elsewhere the acting one."""
    name = single_name(expression)
    if name is None or canonical(name.text) != "seat" or local_binding(ctx, name, scope) is not None:
        return None
    found = ctx.constant_group(SEAT, tuple(range(ctx.plan.seats)))
    all_of_them = Sense(BUILT_IN, name.text, lambda: found, None, SEAT.base)
    warn_of_rival(ctx, name, all_of_them, senses_of_name(ctx, name, "", scope, ""), SET)
    return found


def option_truth(ctx: Context, option: str) -> Value:
    return Value(TRUTH, option_choice(ctx, option), 0, 1)


def option_choice(ctx: Context, option: str) -> int:
    """The index of what is chosen for an option."""
    if setting := ctx.plan.setting:
        return constant(setting.options[list(ctx.edition.options).index(option)])
    return ctx.emit.load(ctx.plan.option(option))


def is_virtual(ctx: Context, seat: int, virtual: bool) -> int:
    role = ctx.emit.load(ctx.plan.role, seat)
    return ctx.emit.value("unequal" if virtual else "equal", role, NONE)


def pieces_of_kinds(ctx: Context, kinds: frozenset[str]) -> Group:
    return ctx.constant_group(Type("piece", kinds), ctx.plan.stock.pieces(kinds))


def find_word(ctx: Context, name: str, word_list: str) -> Value | None:
    number = ctx.words[word_list].get(name)
    return None if number is None else Value(Type("word", word_list), constant(number))


def rule_subject(ctx: Context, rule: RuleKey) -> Value | None:
    """The word that a rule is about, if it is about one."""
    return find_word(ctx, canonical(rule.name), rule.words) if rule.words else None
