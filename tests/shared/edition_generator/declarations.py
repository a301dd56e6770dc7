"""Declarations of a random edition that its sentences can name."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from edition_generator.names import Symbol


@dataclass(eq=False)
class Words:
    """Word list, or the spaces of a board. words: as sentences name them; attributes: each a number (None) or a list;
    tables: their index and their values, None for numbers; on_map: the spaces of a map; directions: those of the map,
    if they have names."""

    name: Symbol
    words: list[str]
    attributes: dict[Symbol, Words | None] = field(default_factory=dict)
    tables: dict[Symbol, tuple[Words | None, Words | None]] = field(default_factory=dict)
    board: bool = False
    on_map: bool = False
    directions: tuple[str, ...] = ()

    def all_attributes(self) -> dict[Symbol, Words | None]:
        """Return the attributes of the list, and those of the words that are values of them."""
        attributes: dict[Symbol, Words | None] = {}
        queue, visited = [self], {self}
        while queue:
            words = queue.pop(0)
            for symbol, values in words.attributes.items():
                attributes.setdefault(symbol, values)
                if values is not None and values not in visited:
                    visited.add(values)
                    queue.append(values)
        return attributes

    def all_tables(self) -> dict[Symbol, tuple[Words | None, Words | None]]:
        tables = dict(self.tables)
        for values in self.all_attributes().values():
            if values is not None:
                tables |= values.tables
        return tables


@dataclass(eq=False)
class Kind:
    """Kind of pieces. attributes: each a number (None) or a list; spans: ranges of the numbers; changing: the attribute
    that changes."""

    name: Symbol
    attributes: dict[Symbol, Words | None]
    spans: dict[Symbol, tuple[int, int]]
    changing: Symbol | None = None

    def all_attributes(self) -> dict[Symbol, Words | None]:
        attributes = dict(self.attributes)
        for values in self.attributes.values():
            if values is not None:
                for symbol, inner in values.all_attributes().items():
                    attributes.setdefault(symbol, inner)
        return attributes


Owner = Words | Kind | str  # "game", "seat", a list or a kind


@dataclass(frozen=True)
class Type:
    """Type of an expression. of: the kinds of pieces or the list of words; many: a set; sure: never empty."""

    base: str
    of: Any = None
    many: bool = False
    sure: bool = True

    def set(self) -> Type:
        return replace(self, many=True)

    def one(self, sure: bool = True) -> Type:
        return replace(self, many=False, sure=sure)

    @property
    def holds(self) -> Any:
        """Key that tells types of one base apart."""
        return self.base, self.of if self.base in ("word", "amount") else None


NUMBER, TRUTH, SEAT = Type("number"), Type("truth"), Type("seat")
FRACTION = Type("fraction")


@dataclass(eq=False)
class Zone:
    name: Symbol
    of: Owner
    holds: frozenset[Kind]
    pile: bool = False
    open: bool = False  # whether all see it


@dataclass(eq=False)
class Counter:
    """Counter. index: the list for whose words it has amounts, if any."""

    name: Symbol
    of: Owner
    holds: Type
    index: Words | None = None

    @property
    def whole(self) -> Type | None:
        """Type of its bare name: amounts if it has an index and holds numbers; None if it has an index and holds
        others."""
        if self.index is None:
            return self.holds
        return Type("amount", self.index) if self.holds == NUMBER else None


@dataclass(eq=False)
class Figure:
    """Value or term. parameters: types of its arguments."""

    name: Symbol
    of: Owner
    is_: Type
    value: bool
    parameters: tuple[Type, ...] = ()


@dataclass(eq=False)
class Step:
    """Step. acts: it needs an acting seat; asks: it may ask; sealed: allowed inside `at once`; gives: type of its
    result."""

    name: Symbol
    acts: bool
    asks: bool
    sealed: bool
    parameters: tuple[Type, ...]
    gives: Type | None = None


@dataclass
class Declarations:
    lists: list[Words] = field(default_factory=list)
    kinds: list[Kind] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    counters: list[Counter] = field(default_factory=list)
    lists_of_values: list[Counter] = field(default_factory=list)  # those that hold a list, all of the table
    figures: list[Figure] = field(default_factory=list)
    groupings: list[tuple[Symbol, Kind]] = field(default_factory=list)  # figures that tell groups of a kind
    switches: list[Symbol] = field(default_factory=list)  # options that sentences can ask for
    steps: list[Step] = field(default_factory=list)
    sides: Words | None = None  # of which each seat plays a word
    do_words: Words | None = None  # the list whose words say what to do, where sentences may do that


@dataclass(frozen=True)
class Scope:
    """Scope of an expression. acts: there is an acting seat; item: type that `where` filters; own: the list or kind
    whose figure this is; names: those that sentences before have made."""

    acts: bool = False
    item: Type | None = None
    own: Words | Kind | None = None
    names: tuple[tuple[str, Type], ...] = ()

    def with_item(self, item: Type) -> Scope:
        return replace(self, item=item.one())

    def with_name(self, name: str, type_: Type) -> Scope:
        return replace(self, names=(*self.names, (name, type_)))

    def acting(self) -> Scope:
        return replace(self, acts=True)


def owner_key(of: Owner) -> str:
    """Return the key of an owner in the sections of figures and counters."""
    return of if isinstance(of, str) else str(of.name)


def format_span(span: tuple[int, int]) -> str:
    """Write a range of numbers: 2 or 2 to 4."""
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
