"""Names in a scope, and expressions that are no more than a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from edition_generator.declarations import (
    NUMBER,
    SEAT,
    TRUTH,
    Declarations,
    Kind,
    Owner,
    Scope,
    Type,
    Words,
    Zone,
)
from edition_generator.names import Namer, Symbol
from edition_generator.random_source import RandomSource


class ScopeNames:
    """Names that sentences may use in a scope, each with its type."""

    def __init__(self, rng: RandomSource, declarations: Declarations, namer: Namer) -> None:
        self.rng, self.declarations, self.namer = rng, declarations, namer
        self._cache: dict[Scope, tuple[int, list[tuple[str, Type]]]] = {}

    def named_values(self, scope: Scope) -> list[tuple[str, Type]]:
        """Return everything in scope that has a name, with its type."""
        declarations = self.declarations
        size = len(declarations.figures) + len(declarations.counters) + len(declarations.switches)
        known = self._cache.get(scope)
        if known is None or known[0] != size:
            known = self._cache[scope] = size, list(self._all_named(scope))
        return known[1]

    def _all_named(self, scope: Scope) -> Iterator[tuple[str, Type]]:
        names = {name: type_ for name, type_ in scope.names if name != "it" or scope.item is None}
        yield from names.items()
        if scope.acts:
            yield "you", SEAT
        if (item := scope.item) is not None:
            yield "it", item
            for head in ("", "its "):
                yield from ((head + text, type_) for text, type_ in self._members_of(item))
        if scope.own is not None:
            if scope.item is None:
                own = Type("word", scope.own)
                if isinstance(scope.own, Kind):
                    own = Type("piece", frozenset([scope.own]))
                yield "it", own
                yield from self._members_of(own)
            else:
                head = f"{scope.own.name}'s "
                yield from ((head + text, type_) for text, type_ in self._owned_by(scope.own))
        owners = [(text, type_) for text, type_ in names.items() if not type_.many and type_.sure]
        owners += [(word, Type("word", words)) for words in self.declarations.lists for word in words.words]
        for text, type_ in owners:
            yield from ((f"{text}'s {name}", found) for name, found in self._members_of(type_))
        for name, type_ in self._owned_by("game"):
            yield name, type_
        yield from ((str(switch), TRUTH) for switch in self.declarations.switches)
        if scope.acts:
            seat_item = item is not None and item.base == "seat"
            for name, type_ in self._members_of(SEAT):
                yield f"my {name}", type_
            for name, type_ in (*self._owned_by("seat"), *self._members_of_side()):
                if not seat_item:
                    yield name, type_

    def _members_of(self, owner: Type) -> Iterator[tuple[str, Type]]:
        """Yield the names that belong to a value of some type."""
        if owner.base == "seat":
            yield from self._owned_by("seat")
            if sides := self.declarations.sides:
                yield str(sides.name), Type("word", sides)
                yield from self._members_of_side()
                own = (kind for kind in self.declarations.kinds if sides in kind.all_attributes().values())
                yield from ((kind.name.many, Type("piece", frozenset([kind]), True)) for kind in own)
        elif owner.base == "word":
            yield from self._owned_by(owner.of)
            for symbol, values in owner.of.all_attributes().items():
                yield str(symbol), NUMBER if values is None else Type("word", values, sure=False)
            yield from self._rows(owner)
        elif owner.base == "piece":
            for kind in (kind for kind in self.declarations.kinds if kind in owner.of):
                yield from self._owned_by(kind)
            for symbol, values in self.all_attributes(owner.of).items():
                yield str(symbol), NUMBER if values is None else Type("word", values, sure=False)
            yield from self._rows(owner)
            yield "owner", Type("seat", sure=False)
            for words in self._lists_with_zones():
                if words.name not in self.all_attributes(owner.of):
                    yield str(words.name), Type("word", words, sure=False)

    def _members_of_side(self) -> Iterator[tuple[str, Type]]:
        """Yield the attributes of the word that a seat plays."""
        for symbol, values in self.declarations.sides.all_attributes().items() if self.declarations.sides else ():
            yield str(symbol), NUMBER if values is None else Type("word", values, sure=False)

    def _rows(self, owner: Type) -> Iterator[tuple[str, Type]]:
        """Yield the tables of numbers that have words as index: amounts, if named as a whole."""
        for symbol, (index, values) in self.tables(owner).items():
            if index is not None and values is None:
                yield str(symbol), Type("amount", index, sure=False)

    def _lists_with_zones(self) -> list[Words]:
        return [words for words in self.declarations.lists if any(zone.of is words for zone in self.declarations.zones)]

    def _owned_by(self, owner: Owner) -> Iterator[tuple[str, Type]]:
        for zone in self.declarations.zones:
            if zone.of is owner or zone.of == owner:
                yield str(zone.name), Type("piece", zone.holds, True)
        for counter in self.declarations.counters:
            if (counter.of is owner or counter.of == owner) and counter.whole is not None:
                yield str(counter.name), counter.whole
        for figure in self.declarations.figures:
            if not figure.parameters and (figure.of is owner or figure.of == owner):
                yield str(figure.name), figure.is_

    def all_attributes(self, kinds: frozenset[Kind]) -> dict[Symbol, Words | None]:
        """Return the attributes that pieces of some kinds have."""
        attributes: dict[Symbol, Words | None] = {}
        for kind in self.declarations.kinds:
            if kind in kinds:
                attributes |= kind.all_attributes()
        return attributes

    def path(self, scope: Scope, fits: Callable[[Type], bool]) -> str:
        """Pick a name whose type fits, or ''."""
        names = [text for text, type_ in self.named_values(scope) if fits(type_)]
        odd = self.namer.similar_symbols()
        names += 4 * [text for text in names if odd and any(symbol in text for symbol in odd)]
        return self.rng.pick(names) if names else ""

    def one(self, scope: Scope, type_: Type, sure: bool = True) -> str:
        """Pick a name of one value of a type, or ''. sure: exclude names that may stand for nothing."""
        return self.path(
            scope,
            lambda other: (
                other.holds == type_.holds
                and not other.many
                and (other.sure or not sure)
                and (type_.base != "piece" or other.of <= type_.of)
            ),
        )

    def seat(self, scope: Scope) -> str:
        """Pick a name of a seat, or ''; rarely one that may be nobody's."""
        return self.one(scope, SEAT, not self.rng.chance(3))

    def zone(self, scope: Scope, fits: Callable[[Zone], bool], own: bool = True) -> str:
        """Pick a zone, with its owner, or ''."""
        heads: list[tuple[str, Owner]] = [("", "game")]
        if scope.acts and own:
            heads += [("", "seat"), ("my ", "seat")]
        for text, type_ in dict(scope.names).items():
            if not type_.many and type_.sure and type_.base in ("seat", "word") and (text != "it" or not scope.item):
                heads.append((f"{text}'s ", "seat" if type_.base == "seat" else type_.of))
        for words in self.declarations.lists:
            heads += [(f"{word}'s ", words) for word in words.words]
        names = [
            head + str(zone.name)
            for zone in self.declarations.zones
            if fits(zone)
            for head, owner in heads
            if zone.of is owner or zone.of == owner
        ]
        return self.rng.pick(names) if names else ""

    def tables(self, owner: Type) -> dict[Symbol, tuple[Words | None, Words | None]]:
        if owner.base == "word":
            return dict(owner.of.all_tables())
        tables: dict[Symbol, tuple[Words | None, Words | None]] = {}
        if owner.base == "piece" and len(owner.of) == 1:
            for kind in owner.of:
                for values in kind.attributes.values():
                    if values is not None:
                        tables |= values.all_tables()
        return tables
