"""Typed meanings of expressions: single values, sets and zones while a program is compiled."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.records import record
from rulewright.model.declarations import Zone
from rulewright.program.value_types import Type

NUMBER, TRUTH, SEAT, NOTHING = Type("number"), Type("truth"), Type("seat"), Type("nothing")
"""Types of values; NOTHING is that of `nobody` and `nothing`."""
FRACTION = Type("fraction")
"""Number with a fraction, in hundredths."""

UNBOUNDED = 2**31 - 1
"""Bound of a number of which nothing is known."""

SET, COUNTER, PLACE, ANYTHING = "set", "counter", "place", "anything"
"""Expectations of positions in a sentence, beside the bases of types; a set of a base ends in SET, too."""


class ReportedError(Exception):
    """Error that is reported already: skip what is being compiled, and continue."""


@record
class Value:
    """One value at run time. operand: register or constant; low and high: proven bounds of a number; may_be_nothing:
    whether it can be nothing (or nobody), -1."""

    type: Type
    operand: int
    low: int = -UNBOUNDED
    high: int = UNBOUNDED
    may_be_nothing: bool = False


@record
class MemberSet:
    """Ordered set at run time. It is no code itself: each call of its functions emits code anew, so that members may
    change from one use to the next.

    walk(body, stop) emits loops that run `body(item)` for every member; if `stop` is a register, the loops end once a
    body has set it and emitted `break`. capacity: proven bound of the size. vector() emits a vector of the members as
    they are at that moment, whatever moves later; only `copy_vector` gives one that may be changed. vector, emit_size,
    emit_is_empty, emit_contains (of an item): None unless there is something simpler than walking; the functions of
    `set_operations` use them. constant_members: all members, if they are known now; zones: those whose pieces together
    are the set; single_operand: operand, if the set is one value or nothing.
    """

    type: Type
    capacity: int
    walk: Callable[[Callable[[int], None], int | None], None]
    vector: Callable[[], int] | None = None
    constant_members: tuple[int, ...] | None = None
    emit_size: Callable[[], int] | None = None
    emit_is_empty: Callable[[], int] | None = None
    zones: tuple[ZoneSet, ...] = ()
    single_operand: int | None = None
    emit_contains: Callable[[int], int] | None = None


@record
class ZoneSet(MemberSet):
    """Zone: a set of pieces that is also a target of moves. zone: its declaration; address: of its cell, as an operand;
    owner: its seat or word, as an operand; None for the table's."""

    zone: Zone | None = None
    address: int = 0
    owner: int | None = None


@record
class Amounts(MemberSet):
    """Number for each word of a list, in the order of its words. words: name of the list; open: emits what all entries
    share, returns the function that emits the entry of a word; cell_of: emits the read of an entry as one that can be
    set, None where entries cannot; both take the word's number as an operand."""

    words: str = ""
    open: Callable[[], Callable[[int], Value]] = lambda: lambda word: Value(NUMBER, word)
    cell_of: Callable[[int], Assignable] | None = None


@record
class ListGroup(MemberSet):
    """Contents of a list, stored in cell + index, in order; may hold something twice. index: operand."""

    cell: int = 0
    index: int = 1


@record
class Assignable(Value):
    """Value that can be set: a counter, or a changing attribute of a piece.

    - operand: value when it was read
    - cell: first cell of its owners' values; the owner's number is added to it
    - owner: operand of the number of the seat, word, space or piece that has it; ZERO for the table's
    - attribute: '' for a counter
    - kinds: kinds of pieces that have it, where others could be asked; else none
    """

    cell: int = 0
    owner: int = 1
    attribute: str = ""
    kinds: frozenset[str] = frozenset()


Meaning = Value | MemberSet
"""Value of an expression while it is compiled: one thing, or a set."""


def member_type(type_: Type) -> Type:
    """Return the type of a set's members; of one thing, its type."""
    return Type(type_.base, type_.detail) if type_.many else type_


def set_of(type_: Type) -> Type:
    """Return the type of a set whose members are of a type."""
    return type_ if type_.many else Type(type_.base, type_.detail, True)


def member_value(members: MemberSet, item: int) -> Value:
    """Return a member of a set, in an operand, as a value."""
    return Value(member_type(members.type), item)


def kinds_in(type_: Type) -> frozenset[str]:
    """Return the kinds of piece of a type."""
    return type_.detail if isinstance(type_.detail, frozenset) else frozenset()


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
