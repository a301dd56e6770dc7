"""Expressions over the names in scope, of a requested type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from edition_generator.declarations import (
    FRACTION,
    NUMBER,
    SEAT,
    TRUTH,
    Counter,
    Figure,
    Kind,
    Owner,
    Scope,
    Type,
    Words,
)
from edition_generator.scope_names import ScopeNames

MORE = ("is at least", "is at most", "is more than", "is less than", "is", "is not", "are at least", "are")
SAME = ("is", "is", "is not", "are", "are not")
EMPTY = ("is empty", "is not empty", "are empty", "are not empty")
AMONG = ("is among", "is not among", "are among")
ENDS = ("first", "last", "top", "bottom")
EXTREMES = ("highest", "lowest")


def together(arguments: list[str]) -> str:
    """Format the arguments behind 'for'."""
    return f"({', '.join(arguments)})" if len(arguments) > 1 else arguments[0]


class ExpressionGenerator(ScopeNames):
    """Generator of expressions. `depth` limits how deeply they nest; at 0 they are names and numbers."""

    # ── numbers ──

    def fraction(self, scope: Scope, depth: int = 1) -> str:
        """Generate a number with a fraction, or one that may have one."""
        literal = self.rng.pick(("0.5", "1.5", "2.25", "0.1"))
        name = self.path(scope, lambda type_: type_.holds == FRACTION.holds) or literal
        alternatives: list[tuple[int, Callable[[], str]]] = [(3, lambda: name), (1, lambda: literal)]
        if depth > 0:
            several = [
                str(c.name)
                for c in self.declarations.counters
                if c.of == "seat" and c.holds == FRACTION and not c.index
            ]
            alternatives += [
                (2, lambda: f"{name} {self.rng.pick('+-')} {self.product(scope, 0)}"),
                (1, lambda: f"{name} * {self.rng.number(-2, 3)}"),
                (1, lambda: f"{self.primary(scope, 0)} * {literal}"),
                (1, lambda: f"{self.rng.pick(EXTREMES)} of ({name}, {self.number(scope, 0)})"),
                (1, lambda: f"remainder of {name} / {self.rng.number(1, 2)}"),
            ]
            if several:
                alternatives += [
                    (1, lambda: f"total {self.rng.pick(several)} of {self.seats(scope, 0)[0]}"),
                    (1, lambda: f"{self.rng.pick(EXTREMES)} {self.rng.pick(several)} among seats"),
                ]
        return self.rng.call_weighted(*alternatives)

    def number(self, scope: Scope, depth: int = 1) -> str:
        alternatives: list[tuple[int, Callable[[], str]]] = [(6, lambda: self.operand(scope, depth))]
        if depth > 0:
            alternatives += [
                (2, lambda: f"{self.number(scope, depth - 1)} + {self.product(scope, depth - 1)}"),
                (2, lambda: f"{self.number(scope, depth - 1)} - {self.product(scope, depth - 1)}"),
                (2, lambda: self.product(scope, depth)),
            ]
        return self.rng.call_weighted(*alternatives)

    def product(self, scope: Scope, depth: int) -> str:
        def over() -> str:
            divisor = self.primary(scope, depth - 1) if self.rng.chance(5) else str(self.rng.number(2, 4))
            if self.rng.chance(20):
                return f"({self.fraction(scope)}) / {divisor} {self.rng.pick(('rounded down', 'rounded up'))}"
            return f"{self.primary(scope, depth - 1)} / {divisor} {self.rng.pick(('rounded down', 'rounded up'))}"

        if depth <= 0:
            return self.primary(scope, depth)
        return self.rng.call_weighted(
            (3, lambda: self.primary(scope, depth)),
            (1, lambda: f"{self.primary(scope, depth - 1)} * {self.rng.number(2, 3)}"),
            (1, over),
        )

    def primary(self, scope: Scope, depth: int) -> str:
        if depth > 0 and self.rng.chance(15):
            return f"({self.number(scope, depth - 1)})"
        return self.operand(scope, depth)

    def operand(self, scope: Scope, depth: int) -> str:
        literal = str(self.rng.number(0, 6))
        alternatives: list[tuple[int, Callable[[], str]]] = [
            (3, lambda: literal),
            (6, lambda: self.path(scope, lambda type_: type_.holds == NUMBER.holds and not type_.many) or literal),
            (2, lambda: self.lookup(scope, NUMBER) or literal),
        ]
        if depth > 0:
            alternatives += [
                (4, lambda: f"number of {self.nset(scope, depth - 1)}"),
                (1, lambda: f"number of {self.amounts(scope, 0)}".removesuffix("number of ") or literal),
                (3, lambda: self.total(scope, depth - 1) or literal),
                (2, lambda: self.extreme(scope, depth - 1)),
                (1, lambda: self.extreme(scope, depth - 1, "longest run of")),
                (1, lambda: f"remainder of {self.number(scope, 0)} / {self.rng.number(1, 4)}"),
                (1, lambda: self.extreme_of(scope, depth - 1)),
                (1, lambda: f"number of {self.groups(scope)}".removesuffix("number of ") or literal),
                (2, lambda: self.on_board(scope, depth - 1) or literal),
                (1, lambda: self.position(scope, depth - 1) or literal),
                (1, lambda: f"-{literal}"),
                (1, lambda: self.possession(scope, depth - 1, NUMBER) or literal),
            ]
        return self.rng.call_weighted(*alternatives)

    def few_pieces(self, scope: Scope, kind: Kind) -> str:
        """Generate a set of a few pieces of a kind."""
        names = [
            text
            for text, type_ in self.named_values(scope)
            if type_.many and type_.holds == ("piece", frozenset([kind]))
        ]
        return f"first {self.rng.number(2, 5)} of {self.rng.pick([*names, str(kind.name.many)])}"

    def groups(self, scope: Scope) -> str:
        """Generate the groups of a few pieces, or ''."""
        if not self.declarations.groupings:
            return ""
        name, kind = self.rng.pick(self.declarations.groupings)
        return f"{self.rng.pick((name.one, name.many))} in {self.few_pieces(scope, kind)}"

    def outside(self, scope: Scope) -> tuple[str, Type] | None:
        """Generate the rest of a few pieces without their groups."""
        if not self.declarations.groupings:
            return None
        name, kind = self.rng.pick(self.declarations.groupings)
        numbers = [attribute for attribute, words in kind.attributes.items() if words is None]
        leaving = f" leaving lowest {self.rng.pick(numbers)}" if numbers and self.rng.chance(50) else ""
        return f"({self.few_pieces(scope, kind)}) outside {name.many}{leaving}", Type("piece", frozenset([kind]), True)

    def possession(self, scope: Scope, depth: int, result: Type) -> str:
        """Generate a possessive such as (first 1 of hand)'s value: with an empty set, the game stops."""
        if not self.rng.chance(25):
            return ""
        text, type_ = self.some(scope, depth)
        names = [name for name, held in self._members_of(type_.one()) if held.holds == result.holds and not held.many]
        if not names:
            return ""
        if self.rng.chance(50):
            return f"({self.rng.pick(EXTREMES_OF)} 1 of {text})'s {self.rng.pick(names)}"
        inner = Scope.with_item(scope, type_)
        test = self.test(inner, 0)
        return f"({text} where {test})'s {self.rng.pick(names)}"

    def position(self, scope: Scope, depth: int) -> str:
        """Generate the hash of all that lies openly at some words or seats."""
        owners = [zone.of for zone in self.declarations.zones if zone.open and zone.of != "game"]
        if not owners:
            return ""
        of = self.rng.pick(owners)
        return f"position of {(self.words(scope, depth, of) if isinstance(of, Words) else self.seats(scope, depth))[0]}"

    def on_board(self, scope: Scope, depth: int) -> str:
        """Generate a distance between spaces, or the length of a line of spaces."""
        boards = [words for words in self.declarations.lists if words.board]
        if not boards:
            return ""
        words = self.rng.pick(boards)
        if words.on_map and self.rng.chance(50):
            through = f" through {self.rng.pick(words.words)}" if self.rng.chance(30) else ""
            return f"longest line of {self.words(scope, depth, words)[0]}{through}"
        return f"distance between {self.rng.pick(words.words)} and {self.rng.pick(words.words)}"

    def total(self, scope: Scope, depth: int) -> str:
        text, type_ = self.set(scope, depth)
        names = [name for name, held in self._members_of(type_.one()) if held == NUMBER]
        return f"total {self.rng.pick(names)} of {text}" if names else ""

    def amounts(self, scope: Scope, depth: int, of: Words | None = None) -> str:
        """Generate amounts, of a list if one is given; or ''."""
        lists = [type_.of for _, type_ in self.named_values(scope) if type_.base == "amount"]
        if not lists or (of is not None and of not in lists):
            return ""
        words = of or self.rng.pick(lists)
        name = self.path(scope, lambda type_: type_.holds == ("amount", words))
        if depth <= 0 or self.rng.chance(60):
            return name
        if self.rng.chance(30):
            return f"{name} {self.rng.pick(('+', '-'))} {self.amounts(scope, depth - 1, words)}"
        every = [counter for counter in self.declarations.counters if counter.index is words and counter.of == "seat"]
        every = [counter for counter in every if counter.holds == NUMBER]
        if every and self.rng.chance(50):
            return f"total {self.rng.pick(every).name} of {self.seats(scope, 0)[0]}"
        return f"{name} * {self.rng.number(0, 3)}"

    def compared_amounts(self, scope: Scope) -> str:
        lists = [type_.of for _, type_ in self.named_values(scope) if type_.base == "amount"]
        if not lists:
            return ""
        words = self.rng.pick(lists)
        one, other = self.amounts(scope, 0, words), self.amounts(scope, 0, words)
        if self.rng.chance(20):
            return f"{one} {self.rng.pick(EMPTY)}"
        return f"{one} {self.rng.pick(MORE)} {self.rng.pick((other, str(self.rng.number(0, 2))))}"

    def extreme(self, scope: Scope, depth: int, head: str = "") -> str:
        text, type_ = self.set(scope, depth)
        figure = self.operand(scope.with_item(type_), 0)
        return f"{head or self.rng.pick(EXTREMES)} {figure} among {text}"

    def extreme_of(self, scope: Scope, depth: int) -> str:
        several = ", ".join(self.number(scope, depth) for _ in range(self.rng.number(2, 3)))
        return f"{self.rng.pick(EXTREMES)} of ({several})"

    def lookup(self, scope: Scope, type_: Type) -> str:
        """Generate a term with arguments, or a table's entry, or ''."""
        lookups: list[tuple[str, tuple[Type, ...]]] = []
        heads = [("", scope.item)] if scope.item is not None else []
        names = {text: type_ for text, type_ in scope.names if text != "it" or scope.item is None}
        heads += [(f"{text}'s ", type_) for text, type_ in names.items() if not type_.many and type_.sure]
        heads += [(f"{word}'s ", Type("word", words)) for words in self.declarations.lists for word in words.words[:1]]
        things: list[Figure | Counter] = [figure for figure in self.declarations.figures if figure.parameters]
        for figure in [*things, *(counter for counter in self.declarations.counters if counter.index is not None)]:
            if (figure.is_ if isinstance(figure, Figure) else figure.holds) == type_:
                owners = [head for head, owner in heads if figure.of == owner.base or figure.of is owner.of]
                if figure.of == "game" or (figure.of == "seat" and scope.acts):
                    owners.append("")
                if figure.of == "seat" and scope.acts:
                    owners.append("my ")
                needs = figure.parameters if isinstance(figure, Figure) else (Type("word", figure.index),)
                lookups += [(head + str(figure.name), needs) for head in owners]
        for head, owner in heads:
            for name, (index, values) in self.tables(owner).items():
                if type_ == (NUMBER if values is None else Type("word", values, sure=False)):
                    lookups.append((head + str(name), (NUMBER if index is None else Type("word", index),)))
        if not lookups:
            return ""
        text, parameters = self.rng.pick(lookups)
        arguments = [self.argument(scope, parameter) for parameter in parameters]
        return f"{text} for {together(arguments)}" if all(arguments) else ""

    def argument(self, scope: Scope, parameter: Type) -> str:
        """Generate an argument of a term, a table or a step, or ''."""
        if parameter.base == "number":
            if self.rng.chance(20):
                return f"({self.number(scope, 1)})"
            names = self.path(scope, lambda type_: type_.holds == NUMBER.holds and not type_.many)
            return names if names and self.rng.chance(50) else str(self.rng.number(0, 3))
        if parameter.many or (parameter.base == "piece"):
            return ""
        if parameter.base == "word" and self.rng.chance(60):
            words: list[str] = parameter.of.words
            return self.rng.pick(words)
        return self.one(scope, parameter)

    # ── sets ──

    def set(self, scope: Scope, depth: int, base: str = "") -> tuple[str, Type]:
        """Generate a set, perhaps of two joined."""
        text, type_ = self.some(scope, depth, base)
        if depth > 0 and self.rng.chance(12):
            other, second = self.some(scope, depth - 1, type_.base)
            if type_.base == "piece":
                return f"{text} plus {other}", Type("piece", type_.of | second.of, True)
            if second.holds == type_.holds:
                return f"{text} plus {other}", type_
        return text, type_

    def nset(self, scope: Scope, depth: int) -> str:
        text, type_ = self.set(scope, depth)
        return f"{text} where {self.test(scope.with_item(type_), 0)}" if depth > 0 and self.rng.chance(25) else text

    def filtered(self, scope: Scope, depth: int, base: str = "") -> tuple[str, Type]:
        """Generate a set with a condition."""
        text, type_ = self.set(scope, depth, base)
        inner = scope.with_item(type_)
        condition = f" where {self.condition(inner, depth)}"
        best = f" with {self.rng.pick(EXTREMES)} {self.primary(inner, 0)}"
        return text + self.rng.pick((condition, condition, best, condition + best)), type_

    def any_set(self, scope: Scope, depth: int, base: str = "") -> tuple[str, Type]:
        """Generate a set, perhaps with a condition."""
        return (
            self.filtered(scope, depth - 1, base) if depth > 0 and self.rng.chance(30) else self.set(scope, depth, base)
        )

    def some(self, scope: Scope, depth: int, base: str = "") -> tuple[str, Type]:
        """Generate a set that needs no parentheses."""
        base = base or self.rng.weighted((5, "piece"), (3, "seat"), (2, "word"))
        if not {"word": self.declarations.lists, "piece": self.declarations.kinds}.get(base, True):
            base = "seat"
        if depth > 0 and self.rng.chance(30):
            part = self.part(scope, depth - 1, base)
            if part:
                return part
        if base == "piece":
            return (self.rng.chance(15) and self.outside(scope)) or self.pieces(scope, depth)
        return self.seats(scope, depth) if base == "seat" else self.words(scope, depth)

    def part(self, scope: Scope, depth: int, base: str) -> tuple[str, Type] | None:
        """Generate a part of a set: its first, its best, its equal ones."""
        text, type_ = self.some(scope, depth, base)
        amount = self.amount(scope)
        kind = self.rng.below(6)
        if kind == 5:
            inner, type_ = self.filtered(scope, depth, base)
            return f"({inner})", type_
        if kind == 4 and base != "seat":
            names = [name for name, held in self._members_of(type_.one()) if not held.many and held.base != "truth"]
            return (f"group {amount} of {text} by {self.rng.pick(names)}", type_) if names else None
        return f"{self.rng.pick(ENDS)} {amount} of {text}", type_

    def amount(self, scope: Scope) -> str:
        name = self.path(scope, lambda type_: type_.holds == NUMBER.holds and not type_.many)
        return self.rng.weighted(
            (6, str(self.rng.number(1, 3))), (1, name or "2"), (1, f"({self.number(scope, 0)} + 1)")
        )

    def pieces(self, scope: Scope, depth: int) -> tuple[str, Type]:
        sets = [(text, type_) for text, type_ in self.named_values(scope) if type_.base == "piece"]
        kind = self.rng.pick(self.declarations.kinds)
        everything = self.rng.pick(("cards", "pieces")), Type("piece", frozenset(self.declarations.kinds), True)
        way = self.rng.below(10)
        if way < 5 and sets:
            text, type_ = self.rng.pick(sets)
            return text, type_.set()
        if way < 8:
            zone = self.zone(scope, lambda zone: kind in zone.holds)
            if zone:
                name, kinds = (kind.name.many, {kind}) if self.rng.chance(50) else ("", set())
                holds = next(z.holds for z in self.declarations.zones if zone.endswith(str(z.name)))
                text = f"{name or 'cards'} in {zone}"
                if depth > 0 and self.rng.chance(20):
                    every = Type("piece", frozenset(self.declarations.kinds), True)
                    text = f"(pieces where {self.test(scope.with_item(every), 0)}) in {zone}"
                return text, Type("piece", frozenset(kinds) or holds, True)
        if way == 8 and (placed := self.pieces_in_words(scope)):
            return placed
        if way == 9 and depth > 0:
            return self.images_of_seats(scope) or everything
        return (kind.name.many, Type("piece", frozenset([kind]), True)) if self.rng.chance(70) else everything

    def pieces_in_words(self, scope: Scope) -> tuple[str, Type] | None:
        """Generate the pieces in the zones of a word, or of several."""
        lists = self._lists_with_zones()
        if not lists:
            return None
        words = self.rng.pick(lists)
        holds = frozenset[Kind]().union(*(zone.holds for zone in self.declarations.zones if zone.of is words))
        place = self.rng.pick([words.name.many, *words.words])
        if self.rng.chance(30):
            kind = self.rng.pick(sorted(holds, key=lambda kind: kind.name.number))
            return f"{kind.name.many} in {place}", Type("piece", frozenset([kind]), True)
        everything = frozenset(self.declarations.kinds)
        for words_ in self.declarations.lists:
            if words in words_.all_attributes().values():
                holds = everything
        return f"cards in {place}", Type("piece", holds, True)

    def images_of_seats(self, scope: Scope) -> tuple[str, Type] | None:
        zones = [zone for zone in self.declarations.zones if zone.of == "seat"]
        if not zones:
            return None
        zone = self.rng.pick(zones)
        return f"{zone.name.many} of {self.seats(scope, 0)[0]}", Type("piece", zone.holds, True)

    def seats(self, scope: Scope, depth: int) -> tuple[str, Type]:
        sets = ["seats", "seats", "players", "virtual players"]
        if scope.acts:
            sets += ["opponents", "opponents", "you"]
            sets += ["partners"] if self.declarations.sides else []
        sets += [
            text for text, type_ in self.named_values(scope) if type_.base == "seat" and (type_.many or type_.sure)
        ]
        if depth > 0:
            if self.declarations.kinds:
                sets.append(f"owners of {self.pieces(scope, depth - 1)[0]}")
            if seat := self.seat(scope):
                sets += [f"left of {seat}", f"next of {self.seats(scope, 0)[0]} after {seat}"]
            holders = [
                counter
                for counter in self.declarations.counters
                if counter.of == "seat" and counter.holds.base == "seat"
            ]
            if holders:
                sets.append(f"{self.rng.pick(holders).name.many} of {self.seats(scope, 0)[0]}")
        return self.rng.pick(sets), SEAT.set()

    def words(self, scope: Scope, depth: int, of: Words | None = None) -> tuple[str, Type]:
        words = of or self.rng.pick(self.declarations.lists)
        type_ = Type("word", words, True)
        sets = [words.name.many]
        sets += [
            text
            for text, other in self.named_values(scope)
            if other.holds == type_.holds and (other.many or other.sure)
        ]
        if depth > 0:
            if words.board:
                origin = self.words(scope, depth - 1, words)[0]
                sets += [f"neighbours of {origin}", f"{words.name.many} connected to {self.rng.pick(words.words)}"]
                if words.directions:
                    direction = (
                        f"{self.rng.pick(words.directions)} of {self.rng.pick((origin, self.rng.pick(words.words)))}"
                    )
                    first, second = (self.condition(scope.with_item(type_), 0) for _ in range(2))
                    sets += [direction, f"({direction} as far as possible)", f"({direction} as far as {first})"]
                    sets += [f"({direction} as long as {first})", f"({direction} as long as {first} up to {second})"]
                    if self.rng.chance(50):
                        return self.rng.pick(sets[-4:]), type_
                some = self.path(scope, lambda other: other == type_)
                if words.on_map and self.rng.chance(30):
                    return f"{some or words.name.many} in lines of {self.rng.number(1, 3)}", type_
                if some:
                    sets += [f"{some} connected to {origin}", f"{some} in neighbours of {origin}"]
            if self.declarations.kinds:
                sets += self._words_of_pieces(scope, depth - 1, words)
            for other in self.declarations.lists:
                if other is not words and other in words.attributes.values():
                    sets.append(f"{words.name.many} in {self.rng.pick(other.words)}")
                    sets.append(f"{words.name.many} in {self.words(scope, 0, other)[0]}")
        return self.rng.pick(sets), type_

    def _words_of_pieces(self, scope: Scope, depth: int, words: Words) -> Iterator[str]:
        """Yield words of a list that some pieces have, or in whose zones they lie."""
        pieces, type_ = self.pieces(scope, depth)
        names = [str(symbol.many) for symbol, of_ in self.all_attributes(type_.of).items() if of_ is words]
        if words in self._lists_with_zones() and words.name not in self.all_attributes(type_.of):
            names.append(words.name.many)
        if names:
            yield f"{self.rng.pick(names)} of {pieces}"

    def first_of_set(self, scope: Scope, base: str = "") -> tuple[str, str, Type]:
        """Generate a condition that a set is not empty, and an element of it with its type."""
        text, type_ = self.some(scope, 1, base)
        return f"{text} is not empty", f"{self.rng.pick(EXTREMES_OF)} 1 of {text}", type_.one()

    # ── conditions ──

    def truth(self, scope: Scope, depth: int = 1) -> str:
        if depth <= 0:
            return self.comparison(scope, depth)
        return self.rng.call_weighted(
            (6, lambda: self.comparison(scope, depth)),
            (1, lambda: f"{self.comparison(scope, depth - 1)} or {self.truth(scope, depth - 1)}"),
            (1, lambda: f"{self.comparison(scope, depth - 1)} and {self.comparison(scope, depth - 1)}"),
            (1, lambda: f"not {self.comparison(scope, depth - 1)}"),
        )

    def comparison(self, scope: Scope, depth: int) -> str:
        def numbers() -> str:
            if self.rng.chance(15):
                return f"{self.fraction(scope, depth)} {self.rng.pick(MORE)} {self.number(scope, 0)}"
            return f"{self.number(scope, depth)} {self.rng.pick(MORE)} {self.number(scope, 0)}"

        def some() -> str:
            quantifier, (text, _) = self.rng.pick(("any", "no")), self.set(scope, depth)
            return f"{quantifier} {(self.rng.chance(20) and self.groups(scope)) or text}"

        def quantified() -> str:
            quantifier, (text, type_) = self.rng.pick(("any", "every", "no")), self.set(scope, depth - 1)
            return f"{quantifier} {text} has {self.condition(scope.with_item(type_), depth - 1)}"

        alternatives: list[tuple[int, Callable[[], str]]] = [
            (4, numbers),
            (3, lambda: self.test(scope, depth, False)),
            (2, lambda: self.one(scope, TRUTH) or self.rng.pick(("yes", "no"))),
        ]
        if depth > 0:
            alternatives += [(2, some), (2, quantified), (1, lambda: self.compared_amounts(scope) or numbers())]
        return self.rng.call_weighted(*alternatives)

    def condition(self, scope: Scope, depth: int) -> str:
        """Generate a condition as it stands after 'where' of a whole set, and after 'has'."""
        truth = self.one(scope, TRUTH)
        quantified = f"{self.rng.pick(('any', 'no'))} {self.some(scope, 0)[0]}"
        return self.rng.call_weighted(
            (6, lambda: self.test(scope, depth)),
            (2 if truth else 0, lambda: self.rng.pick(("", "not ")) + truth),
            (1, lambda: quantified),
        )

    def test(self, scope: Scope, depth: int, number: bool = True) -> str:
        """Generate a single comparison, or anything in parentheses."""

        def numbers() -> str:
            return f"{self.operand(scope, depth)} {self.rng.pick(MORE)} {self.primary(scope, 0)}"

        def empty() -> str:
            return f"{self.some(scope, depth)[0]} {self.rng.pick(EMPTY)}"

        return self.rng.call_weighted(
            (4 if number else 0, numbers),
            (4, lambda: self.same(scope) or numbers()),
            (2, lambda: self.is_among(scope, depth) or empty()),
            (2, empty),
            (2, lambda: f"({self.truth(scope, depth - 1)})"),
        )

    def same(self, scope: Scope) -> str:
        """Compare two seats, two words or two pieces by 'is'."""
        values = [
            (text, type_) for text, type_ in self.named_values(scope) if not type_.many and type_.base in _SINGLE_BASES
        ]
        if not values:
            return ""
        text, type_ = self.rng.pick(values)
        others: list[str] = [other for other, second in values if second.holds == type_.holds and other != text]
        if type_.base == "piece":
            others = [
                other for other, second in values if second.base == "piece" and second.of & type_.of and other != text
            ]
        if type_.base == "word":
            others += type_.of.words
        if type_.base != "piece":
            others.append("nobody" if type_.base == "seat" else "nothing")
        return f"{text} {self.rng.pick(SAME)} {self.rng.pick(others)}" if others else ""

    def is_among(self, scope: Scope, depth: int) -> str:
        values = [
            (text, type_) for text, type_ in self.named_values(scope) if not type_.many and type_.base in _SINGLE_BASES
        ]
        if not values:
            return ""
        text, type_ = self.rng.pick(values)
        target = self.words(scope, depth, type_.of) if type_.base == "word" else self.some(scope, depth, type_.base)
        return f"{text} {self.rng.pick(AMONG)} {target[0]}"

    # ── orders and texts ──

    def order(self, scope: Scope, type_: Type) -> str:
        inner = scope.with_item(type_)
        alternatives: list[tuple[int, Callable[[], str]]] = [
            (4, lambda: f"{self.rng.pick(EXTREMES)} {self.number(inner, 1)}"),
            (1, lambda: f"{self.rng.pick(EXTREMES)} {self.fraction(inner)}"),
            (2, lambda: self.is_first(inner)),
            (1, lambda: "random"),
        ]
        if type_.base == "seat" and (start := self.seat(scope)):
            alternatives.append((3, lambda: f"clockwise from {start}"))
        return ", ".join(self.rng.call_weighted(*alternatives) for _ in range(self.rng.number(1, 2)))

    def is_first(self, scope: Scope) -> str:
        truth = self.truth(scope, 1)
        return f"({truth}) first" if truth.endswith(("yes", "no")) else f"{truth} first"

    def anything(self, scope: Scope) -> str:
        return self.rng.call_weighted(
            (3, lambda: self.number(scope, 1)),
            (1, lambda: self.fraction(scope)),
            (2, lambda: self.any_set(scope, 1)[0]),
            (2, lambda: self.path(scope, lambda type_: True) or "1"),
            (1, lambda: self.truth(scope, 0)),
            (2, lambda: self.amounts(scope, 1) or "1"),
        )

    def text(self, scope: Scope, words: Sequence[str] = ("So it is",)) -> str:
        """Generate a text, perhaps with slots."""
        text = self.rng.pick(words)
        for _ in range(self.rng.number(0, 2)):
            text += f" {self.rng.pick(('with', 'and', 'of'))} {{{self.anything(scope)}}}"
        return f"{text}."


EXTREMES_OF = ("first", "last")
_SINGLE_BASES = ("seat", "word", "piece")


def belongs(figure: Figure, owner: Owner) -> bool:
    return figure.of is owner or figure.of == owner
