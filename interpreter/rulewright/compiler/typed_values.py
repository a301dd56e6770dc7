"""Typed meanings of expressions: single values, sets, zones; and the scope that binds names to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rulewright.base.records import record
from rulewright.base.wording import SlotValue, Wording
from rulewright.compiler import messages
from rulewright.model.declarations import Zone
from rulewright.program.value_types import Type
from rulewright.syntax.messages import OR
from rulewright.syntax.nouns import article, join_parts

NUMBER, TRUTH, SEAT, NOTHING = Type("number"), Type("truth"), Type("seat"), Type("nothing")
FRACTION = Type("fraction")
"""Number with a fraction, in hundredths."""

UNBOUNDED = 2**31 - 1

SET, COUNTER, PLACE, ANYTHING = "set", "counter", "place", "anything"
"""Expectations of positions in a sentence, beside the bases of types; a set of a base ends in SET, too."""


class ReportedError(Exception):
    """Error that is reported already: skip what is being compiled, and continue."""


@record
class Value:
    """One value at run time. operand: register or constant; low and high: proven bounds of a number; maybe: whether
    it can be nobody."""

    type: Type
    operand: int
    low: int = -UNBOUNDED
    high: int = UNBOUNDED
    maybe: bool = False


@record
class Group:
    """Ordered set at run time.

    walk(body, stop) emits loops that run `body(item)` for every member; if `stop` is a register, the loops end once
    a body has set it and emitted `break`. capacity: proven bound of the size. vector() emits the members as a vector
    register, count() their number, none() whether there is none, holds(item) whether something is a member; each is
    None unless simpler than walking. members: constant members; all_of: zones whose pieces the set consists of;
    only: operand, if the set is one value or nothing.
    """

    type: Type
    capacity: int
    walk: Callable[[Callable[[int], None], int | None], None]
    vector: Callable[[], int] | None = None
    members: tuple[int, ...] | None = None
    count: Callable[[], int] | None = None
    none: Callable[[], int] | None = None
    all_of: tuple[ZoneGroup, ...] = ()
    only: int | None = None
    holds: Callable[[int], int] | None = None


@record
class ZoneGroup(Group):
    """Zone: a set of pieces that is also a target of moves. owner: its seat, as an operand, or None."""

    zone: Zone | None = None
    address: int = 0
    owner: int | None = None


@record
class Amounts(Group):
    """Number for each word of a list, in the order of its words. open: emits what all entries share, returns the
    function that emits the entry of a word; cell_of: returns the cell of an entry, where entries can be set."""

    words: str = ""
    open: Callable[[], Callable[[int], Value]] = lambda: lambda word: Value(NUMBER, word)
    cell_of: Callable[[int], Settable] | None = None


@record
class ListGroup(Group):
    """Contents of a list, stored in cell + index, in order; may hold something twice."""

    cell: int = 0
    index: int = 1


@record
class Round:
    """Cells of a `go round`: its seats (a set), the index of the next one, the seat whose turn it is."""

    seats: int
    next: int
    current: int


@record
class AtOnceProgress:
    """Progress of a seat inside an `at once`. effects: whether effects may have happened; waited: whether it has
    certainly waited for the answers of all."""

    effects: bool = False
    waited: bool = False

    def or_else(self, other: AtOnceProgress) -> AtOnceProgress:
        """Merge the progress of two alternative paths."""
        return AtOnceProgress(self.effects or other.effects, self.waited and other.waited)


@record
class Settable(Value):
    """Value in cell + index that can be set: a counter, or the changing `attribute` of a piece. kinds: kinds of
    piece that have it, if others could be asked."""

    cell: int = 0
    index: int = 1
    attribute: str = ""
    kinds: frozenset[str] = frozenset()


Meaning = Value | Group
Binding = Callable[[], Meaning]


@dataclass(eq=False)
class Frame:
    """Construct around a sentence that an inner sentence can end, or whose acting seat must be restored.

    sort: 'loop', 'step', 'phase', 'once' for an `at once`, 'acting' where another seat acts, 'routine' for a
    subroutine; number: of a phase; after: next block, or None for structured code inside one block; before: cell of
    the previous acting seat, or -1; left: register that says whether the enclosing construct ends as well, or None;
    used: whether anything sets that; gives: type of a step's result; give: stores the result; arrivals: progress
    inside an `at once` of those who end it.
    """

    sort: str
    name: str = ""
    number: int = -1
    after: int | None = None
    before: int = -1
    left: int | None = None
    used: bool = False
    gives: Type | None = None
    give: Callable[[Meaning], None] | None = None
    arrivals: list[AtOnceProgress] = field(default_factory=list)


@record
class Scope:
    """Names in scope, and the context of a sentence.

    me: acting seat as an operand, None for the seat in the state; someone: whether anybody acts; item: element that
    `where`, `has` or an order inspects; items: that and those of outer conditions, outermost first; names: local
    names as written; outer: names of the enclosing list; step: for decision ids and messages; sealed: number of the
    enclosing `at once`, or -1; flat: whether decisions may follow, so that names need saved cells; round: enclosing
    `go round`; among: cell of the seats still in one that seats drop out of, also in called steps, or -1; frames:
    enclosing constructs, outermost first.
    """

    step: str
    me: int | None = None
    someone: bool = True
    item: Meaning | None = None
    names: dict[str, Binding] = field(default_factory=dict)
    outer: Mapping[str, Binding] = field(default_factory=dict)
    sealed: int = -1
    flat: bool = False
    round: Round | None = None
    among: int = -1
    frames: tuple[Frame, ...] = ()
    items: tuple[Meaning, ...] = ()

    def inside(self, frame: Frame) -> Scope:
        """Return the scope inside a construct."""
        return replace(self, frames=(*self.frames, frame))

    def within(self, item: Meaning) -> Scope:
        """Return the scope inside `where`, `has` or an order, for an item."""
        return Scope(
            self.step,
            self.me,
            self.someone,
            item,
            self.names,
            self.outer,
            self.sealed,
            round=self.round,
            items=(*self.items, item),
        )

    def acting(self, seat: int | None) -> Scope:
        """Return the scope of another acting seat, outside the turns of a `go round`."""
        return replace(self, me=seat, someone=True, round=None)

    def structured(self) -> Scope:
        """Return the scope of a body inside one block, where nobody is asked."""
        return self._inner(flat=False)

    def branch(self) -> Scope:
        """Return the scope of an inner list of statements."""
        return self._inner(self.flat)

    def _inner(self, flat: bool) -> Scope:
        names = dict(self.names)
        return replace(self, names=names, outer=self.names, flat=flat)

    def bind(self, name: str, binding: Binding) -> None:
        """Bind a name exactly as written: `let towns be …` leaves `as town` unchanged, and vice versa."""
        self.names[" ".join(name.split())] = binding


def member_type(type_: Type) -> Type:
    """Return the type of a set's members; of one thing, its type."""
    return Type(type_.base, type_.detail) if type_.many else type_


def set_of(type_: Type) -> Type:
    """Return the type of a set whose members are of a type."""
    return type_ if type_.many else Type(type_.base, type_.detail, True)


def member_value(group: Group, item: int) -> Value:
    """Return a member of a set, in an operand, as a value."""
    return Value(member_type(group.type), item)


def kinds_in(type_: Type) -> frozenset[str]:
    """Return the kinds of piece of a type."""
    return type_.detail if isinstance(type_.detail, frozenset) else frozenset()


_DESCRIPTIONS = {
    "number": (messages.A_NUMBER, messages.NUMBERS),
    "fraction": (messages.A_FRACTION, messages.FRACTIONS),
    "truth": (messages.YES_OR_NO, messages.YES_OR_NOS),
    "seat": (messages.A_SEAT, messages.SEATS),
    "nothing": (messages.NOBODY, messages.NOBODYS),
    "group": (messages.A_GROUP, messages.GROUPS),
    "piece": (messages.PIECE, messages.PIECES),
    "word": (messages.A_WORD, messages.WORDS),
}
"""Words for one value, and for several, by the base of their type."""


def describe(type_: Type) -> Wording:
    """Return a type in words."""
    if type_.base == "amount":
        return messages.AMOUNTS(list=str(type_.detail))
    if type_.many:
        return messages.A_SET_OF(members=describe_members(type_))
    if type_.base == "piece":
        return article(_kinds(type_))
    if type_.base == "word":
        return messages.A_WORD(list=str(type_.detail))
    return _DESCRIPTIONS[type_.base][0]()


def describe_members(type_: Type) -> Wording:
    """Return the members of a set in words. type_: of the set."""
    if type_.base == "piece":
        return messages.PIECES_OF_KIND(kinds=_kinds(type_))
    if type_.base == "word":
        return messages.WORDS_OF_LIST(list=str(type_.detail))
    return _DESCRIPTIONS[type_.base][1]()


def describe_set(base: str) -> Wording:
    """Return a set of any members of a base in words."""
    return messages.A_SET_OF(members=_DESCRIPTIONS[base][1]())


def _kinds(type_: Type) -> SlotValue:
    kinds = sorted(kinds_in(type_))
    return either(kinds) if 0 < len(kinds) <= 3 else messages.PIECE()


def either(names: Sequence[SlotValue]) -> SlotValue:
    """Join names by 'or'."""
    return join_parts(OR, names)


def fits(type_: Type, expected: Type) -> bool:
    """Whether a value of a type may stand where another type is expected."""
    if type_.base == "nothing":
        return expected.base in ("seat", "piece", "word", "nothing")
    if type_ == NUMBER and expected == FRACTION:
        return True
    if type_.base != expected.base:
        return False
    if type_.base == "piece" and expected.detail and type_.detail:
        return bool(frozenset(type_.detail) & frozenset(expected.detail))
    return (
        type_.base not in ("word", "amount")
        or not expected.detail
        or not type_.detail
        or type_.detail == expected.detail
    )
