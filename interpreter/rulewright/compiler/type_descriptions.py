"""Types in words, for messages."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.wording import SlotValue, Wording
from rulewright.compiler import messages
from rulewright.compiler.typed_values import kinds_in
from rulewright.program.value_types import Type
from rulewright.syntax.messages import OR
from rulewright.syntax.nouns import article, join_parts

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
    """Name up to three kinds of piece; more of them are 'a piece'."""
    kinds = sorted(kinds_in(type_))
    return either(kinds) if 0 < len(kinds) <= 3 else messages.PIECE()


def either(names: Sequence[SlotValue]) -> SlotValue:
    """Join names by 'or'. names: at least one."""
    return join_parts(OR, names)
