"""Components of a random edition: words, boards, pieces, zones, counters, values and terms."""

from __future__ import annotations

from typing import Any

from edition_generator.declarations import (
    FRACTION,
    NUMBER,
    SEAT,
    TRUTH,
    Counter,
    Declarations,
    Figure,
    Kind,
    Owner,
    Scope,
    Type,
    Words,
    Zone,
    format_span,
    owner_key,
)
from edition_generator.expressions import ExpressionGenerator
from edition_generator.names import Namer, Symbol
from edition_generator.random_source import RandomSource
from edition_generator.statements import StatementGenerator

SIMILAR_PERCENT = 5
WITH_SIMILAR_NAMES = 40
"""Percentage of editions in which LIKE_EACH_OTHER percent of the names are nearly another's."""


DIRECTIONS = {
    "orthogonal": ("north", "east", "south", "west"),
    "diagonal": ("north", "northeast", "west", "southwest", "straight", "diagonal"),
    "hexagonal": ("northeast", "east", "southwest", "northwest"),
}
"""Directions of maps, some of which stand for several, by the kind of neighbours."""


class ComponentGenerator:
    """Generator of an edition's components. tree: its YAML, with symbols for names; namer: the names of the symbols.

    similar_percent: the share of names that are nearly another's; by chance if it is None.
    """

    def __init__(self, rng: RandomSource, similar_percent: int | None = None) -> None:
        self.rng = rng
        some = SIMILAR_PERCENT * rng.chance(WITH_SIMILAR_NAMES)
        self.namer = Namer(rng, some if similar_percent is None else similar_percent)
        self.declarations = Declarations()
        self.expressions = ExpressionGenerator(rng, self.declarations, self.namer)
        self.statements = StatementGenerator(rng, self.declarations, self.namer, self.expressions, 12)
        self.tree: dict[str, Any] = {"rulewright": "1", "title": rng.pick(("Drawn", "By lot", "Chance"))}
        self.people = rng.weighted((3, (2, 2)), (2, (2, 3)), (1, (1, 2)), (1, (3, 3)))
        self.seats = self.people
        self._roles = rng.chance(25)
        if self._roles:
            self.seats = max(2, self.people[0]), self.people[1] + 1
        self.tree["players"] = format_span(self.people)
        if self._roles:
            self.tree["seats"] = format_span(self.seats)
        if rng.chance(30):
            self.tree["minutes"] = rng.pick(("30", "30 to 45"))

    def _declare(self) -> None:
        rng = self.rng
        words = {str(word_list.name): entry for word_list, entry in (self._words() for _ in range(rng.number(0, 2)))}
        boards = {}
        if rng.chance(40):
            name, entry = self._board(on_map=rng.chance(60))
            boards[str(name)] = entry
        if words:
            self.tree["words"] = words
        if boards:
            self.tree["boards"] = boards
        if kinds := rng.weighted((2, 0), (6, 1), (5, 2)):
            zones = self._zones_of_the_table()
            self.tree["pieces"] = {}
            for _ in range(kinds):
                self._pieces()
            self._zones(zones)
        self._sides()
        self._counters()
        if rng.chance(50):
            self.declarations.switches.append(self.namer.new("option"))
        self._figures()

    def _sides(self) -> None:
        """Choose a list as the seats' sides, perhaps; most often one that pieces have."""
        played = [
            words for kind in self.declarations.kinds for words in kind.all_attributes().values() if words is not None
        ]
        if (lists := played or self.declarations.lists) and self.rng.chance(30):
            self.declarations.sides = self.rng.pick(lists)
            self.tree["sides"] = str(self.declarations.sides.name)

    def _words(self) -> tuple[Words, dict[str, Any]]:
        word_list = Words(self.namer.new("list"), [str(self.namer.new("word")) for _ in range(self.rng.number(2, 3))])
        entry: dict[str, Any] = {word: {} for word in word_list.words}
        self._attributes(word_list, entry)
        self.declarations.lists.append(word_list)
        if self.rng.chance(15):
            entry[word_list.words[0]]["noun"] = "elf | elves"
        return word_list, {word: inner or None for word, inner in entry.items()}

    def _attributes(self, word_list: Words, declaration: dict[str, Any]) -> None:
        rng = self.rng
        for other in [*self.declarations.lists, None, None]:
            if rng.chance(40):
                name = other.name if other is not None and rng.chance(60) else self.namer.new("attribute")
                word_list.attributes[name] = other
                for inner in declaration.values():
                    if not rng.chance(12):
                        inner[str(name)] = rng.pick(other.words) if other else str(rng.number(-1, 5))
                if not any(str(name) in inner for inner in declaration.values()):
                    del word_list.attributes[name]
        if rng.chance(30):
            name = self.namer.new("table")
            index = rng.pick([None, *self.declarations.lists])
            values = rng.pick([None, None, *self.declarations.lists])

            def entry() -> str:
                return rng.pick(values.words) if values else str(rng.number(0, 9))

            word_list.tables[name] = index, values
            for inner in declaration.values():
                size = rng.number(1, 3)
                inner[str(name)] = {word: entry() for word in index.words} if index else [entry() for _ in range(size)]

    def _board(self, on_map: bool) -> tuple[Symbol, dict[str, Any]]:
        rng = self.rng
        name, of = self.namer.new_unique("board"), self.namer.new("list")
        entry: dict[str, Any] = {"of": str(of)}
        word_list = Words(of, [], board=True)
        if not on_map:
            word_list.words = [str(self.namer.new("word")) for _ in range(rng.number(2, 4))]
            spaces: dict[str, Any] = {word: {} for word in word_list.words}
            self._attributes(word_list, spaces)
            for number, (word, inner) in enumerate(spaces.items()):
                neighbours = rng.some([other for other in word_list.words[:number] if other != word], 0, 2)
                if neighbours:
                    inner["next to"] = neighbours if len(neighbours) > 1 or rng.chance(30) else neighbours[0]
            entry["spaces"] = {word: inner or None for word, inner in spaces.items()}
        else:
            letters = rng.pick(("n", "nm", "nm"))
            rows = [
                "".join(rng.pick((*letters, *letters, ".")) for _ in range(rng.number(2, 3)))
                for _ in range(rng.number(1, 3))
            ]
            rows[0] = letters + rows[0][2:]
            plain = rng.chance(25)
            if plain:
                rows = ["n" * len(rows[0])] * len(rows)
            if plain:
                entry["size"] = f"{len(rows[0])} by {len(rows)}"
            else:
                legend: dict[str, Any] = {letter: {} for letter in letters}
                self._attributes(word_list, legend)
                entry["map"] = "\n".join(rows) + "\n" if len(rows) > 1 else rows[0]
                entry["legend"] = legend
            self._directions(word_list, entry)
            bottom = "first row" in entry
            word_list.words = [
                f"{'abcdefg'[column]}{len(rows) - row if bottom else row + 1}"
                for row, line in enumerate(rows)
                for column, letter in enumerate(line)
                if letter != "."
            ]
        if rng.chance(30):
            entry["text"] = "Where it all happens."
        self.declarations.lists.append(word_list)
        return name, entry

    def _directions(self, word_list: Words, entry: dict[str, Any]) -> None:
        """Choose neighbours, wrapping and named directions of a map."""
        rng = self.rng
        word_list.on_map = True
        shape = rng.pick(tuple(DIRECTIONS)) if rng.chance(70) else ""
        if shape:
            entry["neighbours"] = shape
        if rng.chance(30):
            directions = ("across",) if shape == "hexagonal" else ("across", "down", "both")
            entry["wraps"] = rng.pick(directions)
        if rng.chance(60):
            entry["directions"] = str(self.namer.new("list"))
            word_list.directions = DIRECTIONS[shape or "orthogonal"]
        if rng.chance(20):
            entry["first row"] = "bottom"
        if rng.chance(10):
            entry["letters"] = "ABCDEFG"
        for key in ("columns", "rows"):
            if rng.chance(30):
                name = self.namer.new("attribute")
                entry[key] = str(name)
                word_list.attributes[name] = None

    def _zones_of_the_table(self) -> list[Symbol]:
        return [self.namer.new("zone") for _ in range(self.rng.number(2, 3))]

    def _pieces(self) -> None:
        rng, declarations = self.rng, self.declarations
        kind = Kind(self.namer.new("kind"), {}, {})
        entry: dict[str, Any] = {}
        plain = [words for words in declarations.lists if len(words.words) <= 4]
        each = rng.pick(plain) if plain and rng.chance(40) else None
        if each is not None:
            entry["each"] = str(each.name)
            kind.attributes[each.name] = each
        has: dict[str, Any] = {}
        for _ in range(rng.number(0 if each else 1, 2 - bool(each))):
            if plain and rng.chance(50):
                words = rng.pick(plain)
                name = words.name if words.name not in kind.attributes and rng.chance(70) else None
                name = name or self.namer.new("attribute")
                kind.attributes[name] = words
                has[str(name)] = str(words.name)
            else:
                name, minimum = self.namer.new("attribute"), rng.number(-1, 1)
                kind.attributes[name], kind.spans[name] = None, (minimum, minimum + rng.number(1, 2))
                has[str(name)] = f"{minimum} to {kind.spans[name][1]}"
        if has:
            entry["has"] = has
            free = [name for name in kind.attributes if str(name) in has and not self._in_others(name)]
            if free and rng.chance(30):
                kind.changing = rng.pick(free)
                entry["changing"] = str(kind.changing)
        if rng.chance(60):
            entry["copies"] = self._copies(kind, each)
        entry["noun"] = " ".join([str(kind.name), *(f"{{{name}}}" for name in kind.attributes)])
        if rng.chance(30):
            entry["text"] = "There are some."
        declarations.kinds.append(kind)
        self.tree["pieces"][str(kind.name)] = entry

    def _in_others(self, name: Symbol) -> bool:
        """Return whether an attribute is another's as well: then it could not change here alone."""
        return any(name in kind.attributes for kind in self.declarations.kinds) or any(
            name in words.attributes or name is words.name for words in self.declarations.lists
        )

    def _copies(self, kind: Kind, each: Words | None) -> Any:
        if kind.changing is None and len(kind.spans) == 1 and self.rng.chance(30):
            ((minimum, maximum),) = kind.spans.values()
            return [str(self.rng.number(1, 2)) for _ in range(minimum, maximum + 1)]
        if each is not None and self.rng.chance(30):
            return {word: str(self.rng.number(1, 2)) for word in each.words}
        return str(self.rng.number(2, 3))

    def _zones(self, table: list[Symbol]) -> None:
        rng, declarations = self.rng, self.declarations
        zones: dict[str, Any] = {}
        everything = frozenset(declarations.kinds)

        def zone(name: Symbol, of: Owner, holds: frozenset[Kind]) -> dict[str, Any]:
            entry: dict[str, Any] = {} if of == "game" else {"of": str(of.name) if isinstance(of, Words) else of}
            if holds != everything:
                names = [str(kind.name) for kind in declarations.kinds if kind in holds]
                entry["holds"] = names if len(names) > 1 or rng.chance(30) else names[0]
            entry["seen by"] = rng.pick(("all", "nobody", "owner") if of == "seat" else ("all", "nobody"))
            if rng.chance(30):
                entry["pile"] = "yes"
            if rng.chance(10):
                entry["shown"] = "no"
            if rng.chance(10):
                entry["noun"] = "elf's place | elves' places"
            if rng.chance(20):
                entry["text"] = "Here they lie."
            declarations.zones.append(Zone(name, of, holds, "pile" in entry, entry["seen by"] == "all"))
            zones[str(name)] = entry
            return entry

        for number, name in enumerate(table):
            zone(
                name, "game", everything if number < 2 or rng.chance(60) else frozenset([rng.pick(declarations.kinds)])
            )
        if rng.chance(50):
            zones[str(table[0])]["refills from"] = str(table[1])
        for kind in declarations.kinds:
            self.tree["pieces"][str(kind.name)]["starts in"] = str(rng.pick(table[:2]))
        owners: list[Owner] = ["seat"] * rng.number(1, 2)
        owners += rng.some(declarations.lists, 0, 1)
        for of in owners:
            entry = zone(
                self.namer.new("zone"), of, everything if rng.chance(70) else frozenset([rng.pick(declarations.kinds)])
            )
            if rng.chance(40):
                entry["at most"] = str(rng.number(1, 4))
                if rng.chance(40):
                    entry["counting"] = str(
                        rng.pick([k for k in declarations.kinds if k in declarations.zones[-1].holds]).name
                    )
        for kind in declarations.kinds:
            with_words = next((w for name, w in kind.attributes.items() if w is not None and name is w.name), None)
            each = self.tree["pieces"][str(kind.name)].get("each")
            if each is not None and with_words is not None and rng.chance(60):
                places = [zone for zone in declarations.zones if zone.of == "seat" and kind in zone.holds]
                if places:
                    self.tree["pieces"][str(kind.name)]["power in"] = str(rng.pick(places).name)
        self.tree["zones"] = zones

    def _counters(self) -> None:
        rng, declarations = self.rng, self.declarations
        self.clock = Counter(self.namer.new_unique("counter"), "game", NUMBER)
        sections: dict[str, Any] = {"game": {str(self.clock.name): "0"}}
        owners: list[Owner] = ["game", "seat", "seat", *declarations.lists[:1], *declarations.kinds[:1]]
        for of in [rng.pick(owners) for _ in range(rng.number(1, 4))]:
            counter = Counter(self.namer.new("counter"), of, NUMBER)
            start = str(rng.number(0, 5))
            case = rng.below(8)
            if case == 4:
                counter.holds, start = TRUTH, rng.pick(("no", "yes"))
            elif case == 5:
                counter.holds, start = Type("seat", sure=False), "seat"
            elif case >= 6 and declarations.lists:
                words = rng.pick(declarations.lists)
                start = str(words.name) if case == 6 or words.board else rng.pick(words.words)
                counter.holds = Type("word", words, sure=False)
            elif case >= 6:
                start = "-3"
            elif case == 3:
                counter.holds, start = FRACTION, rng.pick(("0.0", "0.5", "-1.25"))
            entry: Any = start
            if declarations.lists and of not in declarations.kinds and rng.chance(30):
                counter.index = rng.pick(declarations.lists)
                entry = {"for": str(counter.index.name), "starts at": start}
                if counter.holds == NUMBER and rng.chance(50):
                    entry["starts at"] = {word: str(rng.number(0, 3)) for word in rng.some(counter.index.words, 1, 2)}
            elif rng.chance(25):
                entry = {"starts at": start, "noun": "ox | oxen"}
                if rng.chance(40):
                    entry["shown"] = "no"
                if rng.chance(40):
                    entry["text"] = "What is counted."
            sections.setdefault(owner_key(of), {})[str(counter.name)] = entry
            declarations.counters.append(counter)
        for _ in range(rng.number(0, 2)):
            value = rng.pick((NUMBER, Type("seat"), *(Type("word", words) for words in declarations.lists)))
            new_list = Counter(self.namer.new("counter"), "game", value)
            sections["game"][str(new_list.name)] = {"list of": self._type_of(value), "at most": str(rng.number(1, 9))}
            declarations.lists_of_values.append(new_list)
        self.tree["counters"] = sections

    def _figures(self) -> None:
        rng, declarations = self.rng, self.declarations
        for section in ("values", "terms"):
            entries: dict[str, Any] = {}
            owners: list[Owner] = ["game", "seat", "seat", *declarations.lists[:1], *declarations.kinds[:1]]
            for _ in range(rng.number(0, 3)):
                of = rng.pick(owners)
                figure, entry = self._figure(of, section == "values")
                entries.setdefault(owner_key(of), {})[str(figure.name)] = entry
                declarations.figures.append(figure)
            if section == "terms" and self.declarations.kinds and rng.chance(30):
                self._grouping(entries)
            if entries:
                self.tree[section] = entries

    def _grouping(self, entries: dict[str, Any]) -> None:
        """Add a term that says which pieces of a kind are a group."""
        kind = self.rng.pick(self.declarations.kinds)
        name, group = self.namer.new("figure"), self.namer.new("name")
        conditions = [f"number of {group} is {self.rng.number(1, 3)}"]
        for attribute, words in kind.attributes.items():
            conditions.append(f"number of group 1 of {group} by {attribute} is number of {group}")
            if words is None:
                conditions += [
                    f"total {attribute} of {group} is {self.rng.number(1, 6)}",
                    f"longest run of {attribute} among {group} is number of {group}",
                ]
        joined = self.rng.pick((" and ", " or ")).join(self.rng.pick(conditions) for _ in range(self.rng.number(1, 2)))
        entries.setdefault("game", {})[str(name)] = {"for": {str(group): str(kind.name.many)}, "is": joined}
        self.declarations.groupings.append((name, kind))

    def _figure(self, of: Owner, value: bool) -> tuple[Figure, Any]:
        rng, expressions = self.rng, self.expressions
        scope = Scope(acts=of == "seat", own=None if isinstance(of, str) else of)
        name = self.namer.new("figure")
        parameters: tuple[Type, ...] = ()
        entry: dict[str, Any] = {}
        if not value and rng.chance(35):
            parameters = tuple(self._parameter(sets=False) for _ in range(rng.weighted((3, 1), (2, 2), (1, 3))))
            scope, entry["for"] = self._parameters(scope, parameters)
        case = rng.below(6)
        if case == 3 and not parameters:
            cases, is_ = self._cases(scope)
            return Figure(name, of, is_, value), {**entry, **cases}
        is_ = NUMBER
        if case < 3:
            entry["is"] = str(rng.number(1, 5)) if value and rng.chance(60) else expressions.number(scope, 1)
        elif case == 4:
            is_, entry["is"] = TRUTH, expressions.truth(scope, 1)
        else:
            text, type_ = expressions.any_set(scope, 1)
            is_, entry["is"] = type_.set(), text
        if rng.chance(20):
            entry["text"] = "What it comes to."
        if rng.chance(15) and isinstance(of, str):
            entry["noun"] = "lure"
        figure = Figure(name, of, is_, value, parameters)
        return figure, entry["is"] if len(entry) == 1 and rng.chance(80) else entry

    def _cases(self, scope: Scope) -> tuple[dict[str, Any], Type]:
        """Make cases by the number of seats or by a counter; return them with the type that all have."""
        rng = self.rng
        if rng.chance(50):
            keys = [str(seats) for seats in range(self.seats[0], self.seats[1] + 1)]
            cases: dict[str, Any] = {"by": "number of seats"}
        else:
            keys = [str(number) for number in range(rng.number(1, 3))]
            cases = {"by": self.expressions.number(scope, 0), "otherwise": ""}
        if len(keys) > 1 and rng.chance(30):
            keys[:2] = [", ".join(keys[:2])]
        lines = [*keys, *(["otherwise"] if "otherwise" in cases else [])]
        if rng.chance(50):
            return cases | {key: self.expressions.number(scope, 0) for key in lines}, NUMBER
        if rng.chance(30):
            return cases | {key: self.expressions.truth(scope, 0) for key in lines}, TRUTH
        text, type_ = self.expressions.any_set(scope, 1)
        cases[lines[0]] = text
        for key in lines[1:]:
            other, second = self.expressions.any_set(scope, 1, type_.base)
            if type_.base == "piece":
                type_ = Type("piece", type_.of | second.of)
            cases[key] = other if second.holds == type_.holds else text
        return cases, type_.set()

    def _parameters(self, scope: Scope, parameters: tuple[Type, ...]) -> tuple[Scope, dict[str, str]]:
        """Declare parameters; return the scope that knows them, and their types as YAML."""
        entry: dict[str, str] = {}
        for parameter in parameters:
            name = self.namer.new("name")
            entry[str(name)] = self._type_of(parameter)
            scope = scope.with_name(name.one, parameter)
        return scope, entry

    def _parameter(self, sets: bool = True) -> Type:
        types: list[Type] = [NUMBER, SEAT]
        types += [Type("word", words) for words in self.declarations.lists]
        if sets:
            types += [SEAT.set(), *(Type("word", words, True) for words in self.declarations.lists)]
            types += [
                Type("piece", frozenset([kind]), many) for kind in self.declarations.kinds for many in (False, True)
            ]
        return self.rng.pick(types)

    def _type_of(self, type_: Type) -> str:
        if type_.base in ("number", "seat"):
            return type_.base + "s" * type_.many
        name = type_.of.name if type_.base == "word" else next(iter(type_.of)).name
        return str(name.many if type_.many else name)
