"""What expressions mean while they are compiled: single values, sets, zones, and the names in scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rulewright.base.records import record
from rulewright.model.declarations import Zone
from rulewright.program.form import Type
from rulewright.syntax.nouns import an

NUMBER, TRUTH, SEAT, NOTHING = Type("number"), Type("truth"), Type("seat"), Type("nothing")
FRACTION = Type("fraction")
"""A number with a fraction."""

UNBOUNDED = 2**31 - 1


class ReportedError(Exception):
    """Reported already: leave what is being compiled and go on with the next."""


@record
class Value:
    """One thing at run time. low and high: proven bounds of a number; maybe: whether it can be nobody."""

    type: Type
    operand: int
    low: int = -UNBOUNDED
    high: int = UNBOUNDED
    maybe: bool = False


@record
class Group:
    """A set at run time, in order.

    walk(body, stop) writes loops that run `body(item)` for every member; where `stop` is a register, the loops are
    left as soon as a body has set it and written `break`. capacity: a proven bound of its size. vector() writes the
    members into a vector register, where that is simpler than walking; count() writes how many there are, likewise, and
    none() whether there is none; members: what they are, if that is known now; all_of: the zones whose pieces together
    it consists of, if it does; only: of what was one thing or nothing, its operand;
    holds(item) writes whether something is a member, where that is simpler than looking for it.
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
    """A zone: a set of pieces that can be moved into. owner: its seat, as an operand, or None."""

    zone: Zone | None = None
    address: int = 0
    owner: int | None = None


@record
class Amounts(Group):
    """A number for each word of a list, in the order of its words. open: writes what all of them need, and gives what
    writes one, for a word; cell_of: what writes one that can be set, for those of a counter."""

    words: str = ""
    open: Callable[[], Callable[[int], Value]] = lambda: lambda word: Value(NUMBER, word)
    cell_of: Callable[[int], Settable] | None = None


@record
class ListGroup(Group):
    """What a list holds that is kept in the set in cell + index, in its order; it may hold something twice."""

    cell: int = 0
    index: int = 1


@record
class Round:
    """A `go round`: the cells of its seats (a set), of the number of the next one, and of the one whose turn it is."""

    seats: int
    next: int
    current: int


@record
class AtOnceProgress:
    """How far a seat is inside an `at once`. effects: something may have happened already; waited: whatever way it
    came here, it has waited for the answers of all."""

    effects: bool = False
    waited: bool = False

    def or_else(self, other: AtOnceProgress) -> AtOnceProgress:
        """After two ways of which either may have been gone."""
        return AtOnceProgress(self.effects or other.effects, self.waited and other.waited)


@record
class Settable(Value):
    """One thing that can be set, in cell + index: a counter, or the `attribute` of a piece that changes. kinds: those
    of the pieces that have it, where it may be asked of others."""

    cell: int = 0
    index: int = 1
    attribute: str = ""
    kinds: frozenset[str] = frozenset()


Meaning = Value | Group
Binding = Callable[[], Meaning]


@dataclass(eq=False)
class Frame:
    """Something that a sentence inside it can end, or that has to be set right where it is left.

    sort: 'loop', 'step', 'phase', 'once' for an `at once`, 'acting' where another one acts, or 'routine' for a step
    that is laid out once, wherever it is done; number: of a phase; after: the block that follows it, or None where it
    is structured code inside one block; before: the cell of whoever acted before it, or -1; left: the register that
    tells whether what is around it is left as well, or None; used: whether anything sets that; give: keeps what a
    step gives, of that type; arrivals: how far those who end it are inside an `at once`.
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
    """Where a name is looked up.

    me: the acting seat as an operand, or None where the state's own cell tells; someone: whether anybody acts at
    all; item: the element that `where`, `has` and orders speak of; items: that one and those of the conditions around
    it, from outside in; names: given by `let`, `as`, `for`, as they are
    written; outer: those of the list that this one stands in; step: for decisions' ids and messages; sealed: the number
    of the `at once` this stands in, or -1; flat: whether decisions may follow here, so that names must be kept in the
    state; round: the `go round` this stands in; among: the cell of those who are still in one that some drop out
    of, also in steps that are done there, or -1; frames: what it stands in, from outside in.
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
        """The same, inside something that can be ended."""
        return replace(self, frames=(*self.frames, frame))

    def within(self, item: Meaning) -> Scope:
        """The same where something is looked at: inside `where`, `has` or an order."""
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
        """The same names with another acting seat, whose turn in a `go round` it is not."""
        return replace(self, me=seat, someone=True, round=None)

    def structured(self) -> Scope:
        return self._inner(flat=False)

    def branch(self) -> Scope:
        return self._inner(self.flat)

    def _inner(self, flat: bool) -> Scope:
        names = dict(self.names)
        return replace(self, names=names, outer=self.names, flat=flat)

    def bind(self, name: str, binding: Binding) -> None:
        """As it is written: `let towns be …` leaves what `as town` is as it is, and the other way round."""
        self.names[" ".join(name.split())] = binding


def member_type(type_: Type) -> Type:
    """The type of a member of a set."""
    return Type(type_.base, type_.detail) if type_.many else type_


def set_of(type_: Type) -> Type:
    """The type of a set whose members are of a type."""
    return type_ if type_.many else Type(type_.base, type_.detail, True)


_BASES = {
    "number": "number",
    "fraction": "fraction",
    "truth": "yes or no",
    "seat": "seat",
    "nothing": "nobody",
    "group": "group",
}


def describe(type_: Type) -> str:
    """A type in words."""
    if type_.base == "piece":
        kinds = sorted(type_.detail) if isinstance(type_.detail, frozenset) else []
        one = " or ".join(kinds) if 0 < len(kinds) <= 3 else "piece"
        return f"a set of pieces ({one})" if type_.many else an(one)
    if type_.base == "word":
        return f"a set of words of '{type_.detail}'" if type_.many else f"a word of '{type_.detail}'"
    if type_.base == "amount":
        return f"amounts of '{type_.detail}'"
    one = _BASES[type_.base]
    if type_.many:
        return f"a set of {one}s"
    return one if type_.base in ("truth", "nothing") else an(one)


def fits(found: Type, wanted: Type) -> bool:
    """Whether what is found may stand where something is wanted."""
    if found.base == "nothing":
        return wanted.base in ("seat", "piece", "word", "nothing")
    if found == NUMBER and wanted == FRACTION:
        return True
    if found.base != wanted.base:
        return False
    if found.base == "piece" and wanted.detail and found.detail:
        return bool(frozenset(found.detail) & frozenset(wanted.detail))
    return (
        found.base not in ("word", "amount") or not wanted.detail or not found.detail or found.detail == wanted.detail
    )
