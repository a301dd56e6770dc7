"""Expressions: what can be said of the things in scope, of the type that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from drawn.declared import FRACTION, NUMBER, SEAT, TRUTH, Counter, Figure, Kind, Owner, Scope, Thing, Words, World, Zone
from drawn.luck import Luck
from drawn.naming import Naming, Symbol

MORE = ("is at least", "is at most", "is more than", "is less than", "is", "is not", "are at least", "are")
SAME = ("is", "is", "is not", "are", "are not")
EMPTY = ("is empty", "is not empty", "are empty", "are not empty")
AMONG = ("is among", "is not among", "are among")
ENDS = ("first", "last", "top", "bottom")
EXTREMES = ("highest", "lowest")


def together(told: list[str]) -> str:
    """What a figure or a step is told, behind 'for'."""
    return f"({', '.join(told)})" if len(told) > 1 else told[0]


class Saying:
    """Says things. The deeper `d`, the more there may be in what is said; 0 is a name or a number."""

    def __init__(self, luck: Luck, world: World, naming: Naming) -> None:
        self.luck, self.world, self.naming = luck, world, naming
        self._named: dict[Scope, tuple[int, list[tuple[str, Thing]]]] = {}

    # ── names ──

    def named(self, scope: Scope) -> list[tuple[str, Thing]]:
        """Everything that a path can lead to."""
        world = self.world
        size = len(world.figures) + len(world.counters) + len(world.switches)
        known = self._named.get(scope)
        if known is None or known[0] != size:
            known = self._named[scope] = size, list(self._all_named(scope))
        return known[1]

    def _all_named(self, scope: Scope) -> Iterator[tuple[str, Thing]]:
        made = {name: thing for name, thing in scope.names if name != "it" or scope.item is None}
        yield from made.items()
        if scope.acts:
            yield "you", SEAT
        if (item := scope.item) is not None:
            yield "it", item
            for head in ("", "its "):
                yield from ((head + text, thing) for text, thing in self._of(item))
        if scope.own is not None:
            if scope.item is None:
                own = Thing("word", scope.own)
                if isinstance(scope.own, Kind):
                    own = Thing("piece", frozenset([scope.own]))
                yield "it", own
                yield from self._of(own)
            else:
                head = f"{scope.own.name}'s "
                yield from ((head + text, thing) for text, thing in self._belonging(scope.own))
        owners = [(text, thing) for text, thing in made.items() if not thing.many and thing.sure]
        owners += [(word, Thing("word", words)) for words in self.world.lists for word in words.words]
        for text, thing in owners:
            yield from ((f"{text}'s {name}", found) for name, found in self._of(thing))
        for name, thing in self._belonging("game"):
            yield name, thing
        yield from ((str(switch), TRUTH) for switch in self.world.switches)
        if scope.acts:
            here = item is not None and item.base == "seat"
            for name, thing in self._of(SEAT):
                yield f"my {name}", thing
            for name, thing in (*self._belonging("seat"), *self._of_side()):
                if not here:
                    yield name, thing

    def _of(self, owner: Thing) -> Iterator[tuple[str, Thing]]:
        """What belongs to a thing."""
        if owner.base == "seat":
            yield from self._belonging("seat")
            if sides := self.world.sides:
                yield str(sides.name), Thing("word", sides)
                yield from self._of_side()
                own = (kind for kind in self.world.kinds if sides in kind.reach().values())
                yield from ((kind.name.many, Thing("piece", frozenset([kind]), True)) for kind in own)
        elif owner.base == "word":
            yield from self._belonging(owner.of)
            for symbol, held in owner.of.reach().items():
                yield str(symbol), NUMBER if held is None else Thing("word", held, sure=False)
            yield from self._rows(owner)
        elif owner.base == "piece":
            for kind in (kind for kind in self.world.kinds if kind in owner.of):
                yield from self._belonging(kind)
            for symbol, held in self.reach(owner.of).items():
                yield str(symbol), NUMBER if held is None else Thing("word", held, sure=False)
            yield from self._rows(owner)
            yield "owner", Thing("seat", sure=False)
            for words in self._lists_with_zones():
                if words.name not in self.reach(owner.of):
                    yield str(words.name), Thing("word", words, sure=False)

    def _of_side(self) -> Iterator[tuple[str, Thing]]:
        """What the word that a seat plays has."""
        for symbol, held in self.world.sides.reach().items() if self.world.sides else ():
            yield str(symbol), NUMBER if held is None else Thing("word", held, sure=False)

    def _rows(self, owner: Thing) -> Iterator[tuple[str, Thing]]:
        """The tables of numbers for words, each named as a whole."""
        for symbol, (by, held) in self.tables(owner).items():
            if by is not None and held is None:
                yield str(symbol), Thing("amount", by, sure=False)

    def _lists_with_zones(self) -> list[Words]:
        return [words for words in self.world.lists if any(zone.of is words for zone in self.world.zones)]

    def _belonging(self, owner: Owner) -> Iterator[tuple[str, Thing]]:
        for zone in self.world.zones:
            if zone.of is owner or zone.of == owner:
                yield str(zone.name), Thing("piece", zone.holds, True)
        for counter in self.world.counters:
            if (counter.of is owner or counter.of == owner) and counter.whole is not None:
                yield str(counter.name), counter.whole
        for figure in self.world.figures:
            if not figure.parameters and (figure.of is owner or figure.of == owner):
                yield str(figure.name), figure.is_

    def reach(self, kinds: frozenset[Kind]) -> dict[Symbol, Words | None]:
        """The attributes that pieces of some kinds have."""
        found: dict[Symbol, Words | None] = {}
        for kind in self.world.kinds:
            if kind in kinds:
                found |= kind.reach()
        return found

    def path(self, scope: Scope, fits: Callable[[Thing], bool]) -> str:
        """A name of something, or ''."""
        found = [text for text, thing in self.named(scope) if fits(thing)]
        odd = self.naming.odd()
        found += 4 * [text for text in found if odd and any(symbol in text for symbol in odd)]
        return self.luck.pick(found) if found else ""

    def one(self, scope: Scope, thing: Thing, sure: bool = True) -> str:
        """A name of one such thing, or ''. sure: it is one where rules go right; else it may be none."""
        return self.path(
            scope,
            lambda found: (
                found.holds == thing.holds
                and not found.many
                and (found.sure or not sure)
                and (thing.base != "piece" or found.of <= thing.of)
            ),
        )

    def seat(self, scope: Scope) -> str:
        """Somebody's name, or ''; rarely one that may be nobody's."""
        return self.one(scope, SEAT, not self.luck.chance(3))

    def zone(self, scope: Scope, fits: Callable[[Zone], bool], own: bool = True) -> str:
        """A zone's name, with whose it is, or ''."""
        heads: list[tuple[str, Owner]] = [("", "game")]
        if scope.acts and own:
            heads += [("", "seat"), ("my ", "seat")]
        for text, thing in dict(scope.names).items():
            if not thing.many and thing.sure and thing.base in ("seat", "word") and (text != "it" or not scope.item):
                heads.append((f"{text}'s ", "seat" if thing.base == "seat" else thing.of))
        for words in self.world.lists:
            heads += [(f"{word}'s ", words) for word in words.words]
        found = [
            head + str(zone.name)
            for zone in self.world.zones
            if fits(zone)
            for head, owner in heads
            if zone.of is owner or zone.of == owner
        ]
        return self.luck.pick(found) if found else ""

    # ── numbers ──

    def fraction(self, scope: Scope, d: int = 1) -> str:
        """A number with a fraction, or that may have one."""
        literal = self.luck.pick(("0.5", "1.5", "2.25", "0.1"))
        found = self.path(scope, lambda thing: thing.holds == FRACTION.holds) or literal
        ways: list[tuple[int, Callable[[], str]]] = [(3, lambda: found), (1, lambda: literal)]
        if d > 0:
            several = [str(c.name) for c in self.world.counters if c.of == "seat" and c.holds == FRACTION and not c.by]
            ways += [
                (2, lambda: f"{found} {self.luck.pick('+-')} {self.product(scope, 0)}"),
                (1, lambda: f"{found} * {self.luck.number(-2, 3)}"),
                (1, lambda: f"{self.primary(scope, 0)} * {literal}"),
                (1, lambda: f"{self.luck.pick(EXTREMES)} of ({found}, {self.number(scope, 0)})"),
                (1, lambda: f"remainder of {found} / {self.luck.number(1, 2)}"),
            ]
            if several:
                ways += [
                    (1, lambda: f"total {self.luck.pick(several)} of {self.seats(scope, 0)[0]}"),
                    (1, lambda: f"{self.luck.pick(EXTREMES)} {self.luck.pick(several)} among seats"),
                ]
        return self.luck.said(*ways)

    def number(self, scope: Scope, d: int = 1) -> str:
        ways: list[tuple[int, Callable[[], str]]] = [(6, lambda: self.operand(scope, d))]
        if d > 0:
            ways += [
                (2, lambda: f"{self.number(scope, d - 1)} + {self.product(scope, d - 1)}"),
                (2, lambda: f"{self.number(scope, d - 1)} - {self.product(scope, d - 1)}"),
                (2, lambda: self.product(scope, d)),
            ]
        return self.luck.said(*ways)

    def product(self, scope: Scope, d: int) -> str:
        def over() -> str:
            by = self.primary(scope, d - 1) if self.luck.chance(5) else str(self.luck.number(2, 4))
            if self.luck.chance(20):
                return f"({self.fraction(scope)}) / {by} rounded {self.luck.pick(('down', 'up'))}"
            return f"{self.primary(scope, d - 1)} / {by} rounded {self.luck.pick(('down', 'up'))}"

        if d <= 0:
            return self.primary(scope, d)
        return self.luck.said(
            (3, lambda: self.primary(scope, d)),
            (1, lambda: f"{self.primary(scope, d - 1)} * {self.luck.number(2, 3)}"),
            (1, over),
        )

    def primary(self, scope: Scope, d: int) -> str:
        if d > 0 and self.luck.chance(15):
            return f"({self.number(scope, d - 1)})"
        return self.operand(scope, d)

    def operand(self, scope: Scope, d: int) -> str:
        literal = str(self.luck.number(0, 6))
        ways: list[tuple[int, Callable[[], str]]] = [
            (3, lambda: literal),
            (6, lambda: self.path(scope, lambda thing: thing.holds == NUMBER.holds and not thing.many) or literal),
            (2, lambda: self.lookup(scope, NUMBER) or literal),
        ]
        if d > 0:
            ways += [
                (4, lambda: f"number of {self.nset(scope, d - 1)}"),
                (1, lambda: f"number of {self.amounts(scope, 0)}".removesuffix("number of ") or literal),
                (3, lambda: self.total(scope, d - 1) or literal),
                (2, lambda: self.extreme(scope, d - 1)),
                (1, lambda: self.extreme(scope, d - 1, "longest run of")),
                (1, lambda: f"remainder of {self.number(scope, 0)} / {self.luck.number(1, 4)}"),
                (1, lambda: self.extreme_of(scope, d - 1)),
                (1, lambda: f"number of {self.groups(scope)}".removesuffix("number of ") or literal),
                (2, lambda: self.on_board(scope, d - 1) or literal),
                (1, lambda: self.position(scope, d - 1) or literal),
                (1, lambda: f"-{literal}"),
                (1, lambda: self.possession(scope, d - 1, NUMBER) or literal),
            ]
        return self.luck.said(*ways)

    def few(self, scope: Scope, kind: Kind) -> str:
        """A few pieces of a kind."""
        found = [
            text for text, thing in self.named(scope) if thing.many and thing.holds == ("piece", frozenset([kind]))
        ]
        return f"first {self.luck.number(2, 5)} of {self.luck.pick([*found, str(kind.name.many)])}"

    def groups(self, scope: Scope) -> str:
        """The groups of a few pieces, or ''."""
        if not self.world.groupings:
            return ""
        name, kind = self.luck.pick(self.world.groupings)
        return f"{self.luck.pick((name.one, name.many))} in {self.few(scope, kind)}"

    def outside(self, scope: Scope) -> tuple[str, Thing] | None:
        """What is left of a few pieces without groups."""
        if not self.world.groupings:
            return None
        name, kind = self.luck.pick(self.world.groupings)
        numbers = [attribute for attribute, words in kind.attributes.items() if words is None]
        leaving = f" leaving lowest {self.luck.pick(numbers)}" if numbers and self.luck.chance(50) else ""
        return f"({self.few(scope, kind)}) outside {name.many}{leaving}", Thing("piece", frozenset([kind]), True)

    def possession(self, scope: Scope, d: int, wanted: Thing) -> str:
        """(first 1 of hand)'s value: where there is none, the game stops."""
        if not self.luck.chance(25):
            return ""
        text, thing = self.some(scope, d)
        found = [name for name, held in self._of(thing.one()) if held.holds == wanted.holds and not held.many]
        if not found:
            return ""
        if self.luck.chance(50):
            return f"({self.luck.pick(EXTREMES_OF)} 1 of {text})'s {self.luck.pick(found)}"
        inner = Scope.within(scope, thing)
        test = self.test(inner, 0)
        return f"({text} where {test})'s {self.luck.pick(found)}"

    def position(self, scope: Scope, d: int) -> str:
        """A number for what lies openly with some words or seats."""
        owners = [zone.of for zone in self.world.zones if zone.open and zone.of != "game"]
        if not owners:
            return ""
        of = self.luck.pick(owners)
        return f"position of {(self.words(scope, d, of) if isinstance(of, Words) else self.seats(scope, d))[0]}"

    def on_board(self, scope: Scope, d: int) -> str:
        """How far it is from one space to another, or how long a line of spaces is."""
        boards = [words for words in self.world.lists if words.board]
        if not boards:
            return ""
        words = self.luck.pick(boards)
        if words.drawn and self.luck.chance(50):
            through = f" through {self.luck.pick(words.words)}" if self.luck.chance(30) else ""
            return f"longest line of {self.words(scope, d, words)[0]}{through}"
        return f"distance between {self.luck.pick(words.words)} and {self.luck.pick(words.words)}"

    def total(self, scope: Scope, d: int) -> str:
        text, thing = self.set(scope, d)
        names = [name for name, held in self._of(thing.one()) if held == NUMBER]
        return f"total {self.luck.pick(names)} of {text}" if names else ""

    def amounts(self, scope: Scope, d: int, of: Words | None = None) -> str:
        """Amounts, of a list if it is told which; or ''."""
        found = [thing.of for _, thing in self.named(scope) if thing.base == "amount"]
        if not found or (of is not None and of not in found):
            return ""
        words = of or self.luck.pick(found)
        name = self.path(scope, lambda thing: thing.holds == ("amount", words))
        if d <= 0 or self.luck.chance(60):
            return name
        if self.luck.chance(30):
            return f"{name} {self.luck.pick(('+', '-'))} {self.amounts(scope, d - 1, words)}"
        every = [counter for counter in self.world.counters if counter.by is words and counter.of == "seat"]
        every = [counter for counter in every if counter.holds == NUMBER]
        if every and self.luck.chance(50):
            return f"total {self.luck.pick(every).name} of {self.seats(scope, 0)[0]}"
        return f"{name} * {self.luck.number(0, 3)}"

    def compared_amounts(self, scope: Scope) -> str:
        found = [thing.of for _, thing in self.named(scope) if thing.base == "amount"]
        if not found:
            return ""
        words = self.luck.pick(found)
        one, other = self.amounts(scope, 0, words), self.amounts(scope, 0, words)
        if self.luck.chance(20):
            return f"{one} {self.luck.pick(EMPTY)}"
        return f"{one} {self.luck.pick(MORE)} {self.luck.pick((other, str(self.luck.number(0, 2))))}"

    def extreme(self, scope: Scope, d: int, head: str = "") -> str:
        text, thing = self.set(scope, d)
        figure = self.operand(scope.within(thing), 0)
        return f"{head or self.luck.pick(EXTREMES)} {figure} among {text}"

    def extreme_of(self, scope: Scope, d: int) -> str:
        several = ", ".join(self.number(scope, d) for _ in range(self.luck.number(2, 3)))
        return f"{self.luck.pick(EXTREMES)} of ({several})"

    def lookup(self, scope: Scope, wanted: Thing) -> str:
        """A figure with parameters, or a table's entry, or ''."""
        found: list[tuple[str, tuple[Thing, ...]]] = []
        heads = [("", scope.item)] if scope.item is not None else []
        made = {text: thing for text, thing in scope.names if text != "it" or scope.item is None}
        heads += [(f"{text}'s ", thing) for text, thing in made.items() if not thing.many and thing.sure]
        heads += [(f"{word}'s ", Thing("word", words)) for words in self.world.lists for word in words.words[:1]]
        things: list[Figure | Counter] = [figure for figure in self.world.figures if figure.parameters]
        for figure in [*things, *(counter for counter in self.world.counters if counter.by is not None)]:
            if (figure.is_ if isinstance(figure, Figure) else figure.holds) == wanted:
                owners = [head for head, owner in heads if figure.of == owner.base or figure.of is owner.of]
                if figure.of == "game" or (figure.of == "seat" and scope.acts):
                    owners.append("")
                if figure.of == "seat" and scope.acts:
                    owners.append("my ")
                needs = figure.parameters if isinstance(figure, Figure) else (Thing("word", figure.by),)
                found += [(head + str(figure.name), needs) for head in owners]
        for head, owner in heads:
            for name, (by, held) in self.tables(owner).items():
                if wanted == (NUMBER if held is None else Thing("word", held, sure=False)):
                    found.append((head + str(name), (NUMBER if by is None else Thing("word", by),)))
        if not found:
            return ""
        text, parameters = self.luck.pick(found)
        told = [self.argument(scope, parameter) for parameter in parameters]
        return f"{text} for {together(told)}" if all(told) else ""

    def tables(self, owner: Thing) -> dict[Symbol, tuple[Words | None, Words | None]]:
        if owner.base == "word":
            return dict(owner.of.tables_behind())
        found: dict[Symbol, tuple[Words | None, Words | None]] = {}
        if owner.base == "piece" and len(owner.of) == 1:
            for kind in owner.of:
                for held in kind.attributes.values():
                    if held is not None:
                        found |= held.tables_behind()
        return found

    def argument(self, scope: Scope, parameter: Thing) -> str:
        """What a figure, a table or a step is told, or ''."""
        if parameter.base == "number":
            if self.luck.chance(20):
                return f"({self.number(scope, 1)})"
            names = self.path(scope, lambda thing: thing.holds == NUMBER.holds and not thing.many)
            return names if names and self.luck.chance(50) else str(self.luck.number(0, 3))
        if parameter.many or (parameter.base == "piece"):
            return ""
        if parameter.base == "word" and self.luck.chance(60):
            words: list[str] = parameter.of.words
            return self.luck.pick(words)
        return self.one(scope, parameter)

    # ── sets ──

    def set(self, scope: Scope, d: int, base: str = "") -> tuple[str, Thing]:
        """Any set, of two joined perhaps."""
        text, thing = self.some(scope, d, base)
        if d > 0 and self.luck.chance(12):
            other, second = self.some(scope, d - 1, thing.base)
            if thing.base == "piece":
                return f"{text} plus {other}", Thing("piece", thing.of | second.of, True)
            if second.holds == thing.holds:
                return f"{text} plus {other}", thing
        return text, thing

    def nset(self, scope: Scope, d: int) -> str:
        text, thing = self.set(scope, d)
        return f"{text} where {self.test(scope.within(thing), 0)}" if d > 0 and self.luck.chance(25) else text

    def filtered(self, scope: Scope, d: int, base: str = "") -> tuple[str, Thing]:
        """A set with a condition behind it."""
        text, thing = self.set(scope, d, base)
        inner = scope.within(thing)
        where = f" where {self.condition(inner, d)}"
        best = f" with {self.luck.pick(EXTREMES)} {self.primary(inner, 0)}"
        return text + self.luck.pick((where, where, best, where + best)), thing

    def any_set(self, scope: Scope, d: int, base: str = "") -> tuple[str, Thing]:
        """Any set, with a condition behind it perhaps."""
        return self.filtered(scope, d - 1, base) if d > 0 and self.luck.chance(30) else self.set(scope, d, base)

    def some(self, scope: Scope, d: int, base: str = "") -> tuple[str, Thing]:
        """A set that needs no parentheses."""
        base = base or self.luck.weighted((5, "piece"), (3, "seat"), (2, "word"))
        if not {"word": self.world.lists, "piece": self.world.kinds}.get(base, True):
            base = "seat"
        if d > 0 and self.luck.chance(30):
            found = self.part(scope, d - 1, base)
            if found:
                return found
        if base == "piece":
            return self.pieces(scope, d)
        return self.seats(scope, d) if base == "seat" else self.words(scope, d)

    def part(self, scope: Scope, d: int, base: str) -> tuple[str, Thing] | None:
        """Some of a set: of the first, of the best, of equals."""
        if base == "piece" and self.luck.chance(10) and (left := self.outside(scope)):
            return left
        text, thing = self.some(scope, d, base)
        amount = self.amount(scope)
        kind = self.luck.below(6)
        if kind == 5:
            inner, thing = self.filtered(scope, d, base)
            return f"({inner})", thing
        if kind == 4 and base != "seat":
            names = [name for name, held in self._of(thing.one()) if not held.many and held.base != "truth"]
            return (f"group {amount} of {text} by {self.luck.pick(names)}", thing) if names else None
        return f"{self.luck.pick(ENDS)} {amount} of {text}", thing

    def amount(self, scope: Scope) -> str:
        named = self.path(scope, lambda thing: thing.holds == NUMBER.holds and not thing.many)
        return self.luck.weighted(
            (6, str(self.luck.number(1, 3))), (1, named or "2"), (1, f"({self.number(scope, 0)} + 1)")
        )

    def pieces(self, scope: Scope, d: int) -> tuple[str, Thing]:
        sets = [(text, thing) for text, thing in self.named(scope) if thing.base == "piece"]
        kind = self.luck.pick(self.world.kinds)
        everything = self.luck.pick(("cards", "pieces")), Thing("piece", frozenset(self.world.kinds), True)
        way = self.luck.below(10)
        if way < 5 and sets:
            text, thing = self.luck.pick(sets)
            return text, thing.set()
        if way < 8:
            zone = self.zone(scope, lambda zone: kind in zone.holds)
            if zone:
                name, kinds = (kind.name.many, {kind}) if self.luck.chance(50) else ("", set())
                holds = next(z.holds for z in self.world.zones if zone.endswith(str(z.name)))
                text = f"{name or 'cards'} in {zone}"
                if d > 0 and self.luck.chance(20):
                    every = Thing("piece", frozenset(self.world.kinds), True)
                    text = f"(pieces where {self.test(scope.within(every), 0)}) in {zone}"
                return text, Thing("piece", frozenset(kinds) or holds, True)
        if way == 8 and (placed := self.lying(scope)):
            return placed
        if way == 9 and d > 0:
            return self.images_of_seats(scope) or everything
        return (kind.name.many, Thing("piece", frozenset([kind]), True)) if self.luck.chance(70) else everything

    def lying(self, scope: Scope) -> tuple[str, Thing] | None:
        """The pieces in the zones of a word, or of several."""
        lists = self._lists_with_zones()
        if not lists:
            return None
        words = self.luck.pick(lists)
        holds = frozenset[Kind]().union(*(zone.holds for zone in self.world.zones if zone.of is words))
        where = self.luck.pick([words.name.many, *words.words])
        if self.luck.chance(30):
            kind = self.luck.pick(sorted(holds, key=lambda kind: kind.name.number))
            return f"{kind.name.many} in {where}", Thing("piece", frozenset([kind]), True)
        everything = frozenset(self.world.kinds)
        for words_ in self.world.lists:
            if words in words_.reach().values():
                holds = everything
        return f"cards in {where}", Thing("piece", holds, True)

    def images_of_seats(self, scope: Scope) -> tuple[str, Thing] | None:
        zones = [zone for zone in self.world.zones if zone.of == "seat"]
        if not zones:
            return None
        zone = self.luck.pick(zones)
        return f"{zone.name.many} of {self.seats(scope, 0)[0]}", Thing("piece", zone.holds, True)

    def seats(self, scope: Scope, d: int) -> tuple[str, Thing]:
        ways = ["seats", "seats", "players", "virtual players"]
        if scope.acts:
            ways += ["opponents", "opponents", "you"]
            ways += ["partners"] if self.world.sides else []
        ways += [text for text, thing in self.named(scope) if thing.base == "seat" and (thing.many or thing.sure)]
        if d > 0:
            if self.world.kinds:
                ways.append(f"owners of {self.pieces(scope, d - 1)[0]}")
            if seat := self.seat(scope):
                ways += [f"left of {seat}", f"next of {self.seats(scope, 0)[0]} after {seat}"]
            holders = [
                counter for counter in self.world.counters if counter.of == "seat" and counter.holds.base == "seat"
            ]
            if holders:
                ways.append(f"{self.luck.pick(holders).name.many} of {self.seats(scope, 0)[0]}")
        return self.luck.pick(ways), SEAT.set()

    def words(self, scope: Scope, d: int, of: Words | None = None) -> tuple[str, Thing]:
        words = of or self.luck.pick(self.world.lists)
        thing = Thing("word", words, True)
        ways = [words.name.many]
        ways += [text for text, found in self.named(scope) if found.holds == thing.holds and (found.many or found.sure)]
        if d > 0:
            if words.board:
                here = self.words(scope, d - 1, words)[0]
                ways += [f"neighbours of {here}", f"{words.name.many} connected to {self.luck.pick(words.words)}"]
                if words.ways:
                    way = f"{self.luck.pick(words.ways)} of {self.luck.pick((here, self.luck.pick(words.words)))}"
                    first, second = (self.condition(scope.within(thing), 0) for _ in range(2))
                    ways += [way, f"({way} as far as possible)", f"({way} as far as {first})"]
                    ways += [f"({way} as long as {first})", f"({way} as long as {first} up to {second})"]
                    if self.luck.chance(50):
                        return self.luck.pick(ways[-4:]), thing
                some = self.path(scope, lambda found: found == thing)
                if words.drawn and self.luck.chance(30):
                    return f"{some or words.name.many} in lines of {self.luck.number(1, 3)}", thing
                if some:
                    ways += [f"{some} connected to {here}", f"{some} in neighbours of {here}"]
            if self.world.kinds:
                ways += self._words_of_pieces(scope, d - 1, words)
            for other in self.world.lists:
                if other is not words and other in words.attributes.values():
                    ways.append(f"{words.name.many} in {self.luck.pick(other.words)}")
                    ways.append(f"{words.name.many} in {self.words(scope, 0, other)[0]}")
        return self.luck.pick(ways), thing

    def _words_of_pieces(self, scope: Scope, d: int, words: Words) -> Iterator[str]:
        """Words of a list that some pieces have, or in whose zones they lie."""
        pieces, held = self.pieces(scope, d)
        names = [str(symbol.many) for symbol, of_ in self.reach(held.of).items() if of_ is words]
        if words in self._lists_with_zones() and words.name not in self.reach(held.of):
            names.append(words.name.many)
        if names:
            yield f"{self.luck.pick(names)} of {pieces}"

    def singled(self, scope: Scope, base: str = "") -> tuple[str, str, Thing]:
        """A set, what to ask to be sure that there is something in it, and how one of it is called."""
        text, thing = self.some(scope, 1, base)
        return f"{text} is not empty", f"{self.luck.pick(EXTREMES_OF)} 1 of {text}", thing.one()

    # ── conditions ──

    def truth(self, scope: Scope, d: int = 1) -> str:
        if d <= 0:
            return self.comparison(scope, d)
        return self.luck.said(
            (6, lambda: self.comparison(scope, d)),
            (1, lambda: f"{self.comparison(scope, d - 1)} or {self.truth(scope, d - 1)}"),
            (1, lambda: f"{self.comparison(scope, d - 1)} and {self.comparison(scope, d - 1)}"),
            (1, lambda: f"not {self.comparison(scope, d - 1)}"),
        )

    def comparison(self, scope: Scope, d: int) -> str:
        def numbers() -> str:
            if self.luck.chance(15):
                return f"{self.fraction(scope, d)} {self.luck.pick(MORE)} {self.number(scope, 0)}"
            return f"{self.number(scope, d)} {self.luck.pick(MORE)} {self.number(scope, 0)}"

        def some() -> str:
            how, (text, _) = self.luck.pick(("any", "no")), self.set(scope, d)
            return f"{how} {(self.luck.chance(20) and self.groups(scope)) or text}"

        def quantified() -> str:
            how, (text, thing) = self.luck.pick(("any", "every", "no")), self.set(scope, d - 1)
            return f"{how} {text} has {self.condition(scope.within(thing), d - 1)}"

        ways: list[tuple[int, Callable[[], str]]] = [
            (4, numbers),
            (3, lambda: self.test(scope, d, False)),
            (2, lambda: self.one(scope, TRUTH) or self.luck.pick(("yes", "no"))),
        ]
        if d > 0:
            ways += [(2, some), (2, quantified), (1, lambda: self.compared_amounts(scope) or numbers())]
        return self.luck.said(*ways)

    def condition(self, scope: Scope, d: int) -> str:
        """What stands behind 'where' of a whole set, and behind 'has'."""
        truth = self.one(scope, TRUTH)
        quantified = f"{self.luck.pick(('any', 'no'))} {self.some(scope, 0)[0]}"
        return self.luck.said(
            (6, lambda: self.test(scope, d)),
            (2 if truth else 0, lambda: self.luck.pick(("", "not ")) + truth),
            (1, lambda: quantified),
        )

    def test(self, scope: Scope, d: int, number: bool = True) -> str:
        """One comparison, or anything in parentheses."""

        def numbers() -> str:
            return f"{self.operand(scope, d)} {self.luck.pick(MORE)} {self.primary(scope, 0)}"

        def empty() -> str:
            return f"{self.some(scope, d)[0]} {self.luck.pick(EMPTY)}"

        return self.luck.said(
            (4 if number else 0, numbers),
            (4, lambda: self.same(scope) or numbers()),
            (2, lambda: self.among(scope, d) or empty()),
            (2, empty),
            (2, lambda: f"({self.truth(scope, d - 1)})"),
        )

    def same(self, scope: Scope) -> str:
        """Whether somebody is somebody, a word a word, or a piece a piece."""
        found = [(text, thing) for text, thing in self.named(scope) if not thing.many and thing.base in _THINGS]
        if not found:
            return ""
        text, thing = self.luck.pick(found)
        others: list[str] = [other for other, second in found if second.holds == thing.holds and other != text]
        if thing.base == "piece":
            others = [
                other for other, second in found if second.base == "piece" and second.of & thing.of and other != text
            ]
        if thing.base == "word":
            others += thing.of.words
        if thing.base != "piece":
            others.append("nobody" if thing.base == "seat" else "nothing")
        return f"{text} {self.luck.pick(SAME)} {self.luck.pick(others)}" if others else ""

    def among(self, scope: Scope, d: int) -> str:
        found = [(text, thing) for text, thing in self.named(scope) if not thing.many and thing.base in _THINGS]
        if not found:
            return ""
        text, thing = self.luck.pick(found)
        where = self.words(scope, d, thing.of) if thing.base == "word" else self.some(scope, d, thing.base)
        return f"{text} {self.luck.pick(AMONG)} {where[0]}"

    # ── orders and texts ──

    def order(self, scope: Scope, thing: Thing) -> str:
        inner = scope.within(thing)
        ways: list[tuple[int, Callable[[], str]]] = [
            (4, lambda: f"{self.luck.pick(EXTREMES)} {self.number(inner, 1)}"),
            (1, lambda: f"{self.luck.pick(EXTREMES)} {self.fraction(inner)}"),
            (2, lambda: self.is_first(inner)),
            (1, lambda: "random"),
        ]
        if thing.base == "seat" and (start := self.seat(scope)):
            ways.append((3, lambda: f"clockwise from {start}"))
        return ", ".join(self.luck.said(*ways) for _ in range(self.luck.number(1, 2)))

    def is_first(self, scope: Scope) -> str:
        truth = self.truth(scope, 1)
        return f"({truth}) first" if truth.endswith(("yes", "no")) else f"{truth} first"

    def anything(self, scope: Scope) -> str:
        return self.luck.said(
            (3, lambda: self.number(scope, 1)),
            (1, lambda: self.fraction(scope)),
            (2, lambda: self.any_set(scope, 1)[0]),
            (2, lambda: self.path(scope, lambda thing: True) or "1"),
            (1, lambda: self.truth(scope, 0)),
            (2, lambda: self.amounts(scope, 1) or "1"),
        )

    def text(self, scope: Scope, words: Sequence[str] = ("So it is",)) -> str:
        """A text, with slots perhaps."""
        told = self.luck.pick(words)
        for _ in range(self.luck.number(0, 2)):
            told += f" {self.luck.pick(('with', 'and', 'of'))} {{{self.anything(scope)}}}"
        return f"{told}."


EXTREMES_OF = ("first", "last")
_THINGS = ("seat", "word", "piece")


def belongs(figure: Figure, owner: Owner) -> bool:
    return figure.of is owner or figure.of == owner
