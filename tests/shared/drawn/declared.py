"""What a drawn edition has, as far as sentences can speak of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from drawn.naming import Symbol


@dataclass(eq=False)
class Words:
    """A word list, or the spaces of a board. words: as sentences say them; attributes: each a number (None) or a list;
    tables: what they go by and hold, None for numbers; drawn: whether they are the spaces of a map; ways: the
    directions there, if they have names."""

    name: Symbol
    words: list[str]
    attributes: dict[Symbol, Words | None] = field(default_factory=dict)
    tables: dict[Symbol, tuple[Words | None, Words | None]] = field(default_factory=dict)
    board: bool = False
    drawn: bool = False
    ways: tuple[str, ...] = ()

    def reach(self) -> dict[Symbol, Words | None]:
        """Its attributes, and those of the words that it has."""
        found: dict[Symbol, Words | None] = {}
        todo, seen = [self], {self}
        while todo:
            here = todo.pop(0)
            for symbol, held in here.attributes.items():
                found.setdefault(symbol, held)
                if held is not None and held not in seen:
                    seen.add(held)
                    todo.append(held)
        return found

    def tables_behind(self) -> dict[Symbol, tuple[Words | None, Words | None]]:
        found = dict(self.tables)
        for held in self.reach().values():
            if held is not None:
                found |= held.tables
        return found


@dataclass(eq=False)
class Kind:
    """attributes: each a number (None) or a list; spans: of those with numbers; changing: what of it changes."""

    name: Symbol
    attributes: dict[Symbol, Words | None]
    spans: dict[Symbol, tuple[int, int]]
    changing: Symbol | None = None

    def reach(self) -> dict[Symbol, Words | None]:
        found = dict(self.attributes)
        for held in self.attributes.values():
            if held is not None:
                for symbol, inner in held.reach().items():
                    found.setdefault(symbol, inner)
        return found


Owner = Words | Kind | str  # "game", "seat", a list or a kind


@dataclass(frozen=True)
class Thing:
    """What an expression is. of: the kinds of pieces or the list of words; many: a set; sure: surely there is one."""

    base: str
    of: Any = None
    many: bool = False
    sure: bool = True

    def set(self) -> Thing:
        return replace(self, many=True)

    def one(self, sure: bool = True) -> Thing:
        return replace(self, many=False, sure=sure)

    @property
    def holds(self) -> Any:
        """What tells it from others of its base."""
        return self.base, self.of if self.base in ("word", "amount") else None


NUMBER, TRUTH, SEAT = Thing("number"), Thing("truth"), Thing("seat")
FRACTION = Thing("fraction")


@dataclass(eq=False)
class Zone:
    name: Symbol
    of: Owner
    holds: frozenset[Kind]
    pile: bool = False
    open: bool = False  # whether all see it


@dataclass(eq=False)
class Counter:
    """by: the list for whose words it is told, if any."""

    name: Symbol
    of: Owner
    holds: Thing
    by: Words | None = None

    @property
    def whole(self) -> Thing | None:
        """What it is, named alone: amounts if it is told for words and holds numbers; None if it holds others."""
        if self.by is None:
            return self.holds
        return Thing("amount", self.by) if self.holds == NUMBER else None


@dataclass(eq=False)
class Figure:
    """parameters: what it is told for; changed: by how many change sets it is set."""

    name: Symbol
    of: Owner
    is_: Thing
    value: bool
    parameters: tuple[Thing, ...] = ()


@dataclass(eq=False)
class Step:
    """acts: whether somebody must act; asks: whether it may ask; sealed: it can be done inside `at once`; gives: what
    it gives, if it does."""

    name: Symbol
    acts: bool
    asks: bool
    sealed: bool
    parameters: tuple[Thing, ...]
    gives: Thing | None = None


@dataclass
class World:
    lists: list[Words] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    counters: list[Counter] = field(default_factory=list)
    kept: list[Counter] = field(default_factory=list)  # those that hold a list, all of the table
    figures: list[Figure] = field(default_factory=list)
    groupings: list[tuple[Symbol, Kind]] = field(default_factory=list)  # figures that tell groups of a kind
    switches: list[Symbol] = field(default_factory=list)  # options that sentences can ask for
    steps: list[Step] = field(default_factory=list)
    sides: Words | None = None  # of which each seat plays a word
    saying: Words | None = None  # the list whose words say what to do, where sentences may do that


@dataclass(frozen=True)
class Scope:
    """Where a sentence stands. acts: somebody acts; item: what `where` looks at; own: the list or kind whose figure
    this is; names: made here."""

    acts: bool = False
    item: Thing | None = None
    own: Words | Kind | None = None
    names: tuple[tuple[str, Thing], ...] = ()

    def within(self, item: Thing) -> Scope:
        return replace(self, item=item.one())

    def knowing(self, name: str, thing: Thing) -> Scope:
        return replace(self, names=(*self.names, (name, thing)))

    def acting(self) -> Scope:
        return replace(self, acts=True)
