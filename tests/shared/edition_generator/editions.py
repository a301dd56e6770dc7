"""Whole editions: declarations, phases and steps, change sets, scoring."""

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
    Step,
    Type,
    Words,
    Zone,
)
from edition_generator.expressions import ExpressionGenerator
from edition_generator.names import Namer, Symbol
from edition_generator.random_source import RandomSource
from edition_generator.statements import Context, StatementGenerator

SIMILAR_PERCENT = 5
WITH_SIMILAR_NAMES = 40
"""Percentage of editions in which LIKE_EACH_OTHER percent of the names are nearly another's."""


DIRECTIONS = {
    "orthogonal": ("north", "east", "south", "west"),
    "diagonal": ("north", "northeast", "west", "southwest", "straight", "diagonal"),
    "hexagonal": ("northeast", "east", "southwest", "northwest"),
}
"""Directions of maps, some of which stand for several, by the kind of neighbours."""


class Edition:
    """Random edition. tree: its YAML, with symbols for names; namer: the names of the symbols.

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
        self.tree["players"] = _span(self.people)
        if self._roles:
            self.tree["seats"] = _span(self.seats)
        if rng.chance(30):
            self.tree["minutes"] = rng.pick(("30", "30 to 45"))
        self._declare()
        self._play()
        self._change()
        self._count()

    # ── what there is ──

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
            sections.setdefault(_owner(of), {})[str(counter.name)] = entry
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
                entries.setdefault(_owner(of), {})[str(figure.name)] = entry
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

    # ── what happens ──

    def _play(self) -> None:
        rng = self.rng
        steps = [self._step() for _ in range(rng.number(0, 3))]
        do_words = self._do_words() if rng.chance(50) else None
        self.declarations.do_words = do_words
        self.statements.left = 14
        self.tree["setup"] = {"do": self._setup()}
        phases: dict[str, Any] = {}
        for left in reversed(range(rng.number(1, 2))):
            phase: dict[str, Any] = {}
            if rng.chance(40):
                phase["title"] = "A part of it"
            if rng.chance(70):
                phase["text"] = self.expressions.text(Scope(acts=True), ("You play", "It is done"))
            ends = frozenset(["phase"] if left else [])  # the last one counts the rounds
            phase["do"] = self.statements.body(Scope(), Context(depth=3, ends=ends), 1, 3)
            phases[str(self.namer.new_unique("phase"))] = phase
        last = phases[list(phases)[-1]]
        last["do"].append(f"add 1 to {self.clock.name}")
        if rng.chance(25):
            self._limit()
        if "limit" not in self.tree or rng.chance(50):
            last["do"].append({f"if {self.clock.name} is at least {rng.number(1, 2)}": "end game"})
        for step, entry in zip(self.declarations.steps, steps, strict=True):
            home = self.tree["setup"] if rng.chance(20) else rng.pick(list(phases.values()))
            home.setdefault("steps", {})[str(step.name)] = entry
        if rng.chance(15):
            self.tree["round"] = list(phases)
        self.tree["phases"] = phases
        self.declarations.do_words = None  # a hook's step could do what says so

    def _limit(self) -> None:
        """Limit a game that need not end: by rounds at any rate, for there may be nobody to answer."""
        rng = self.rng
        entry = {"rounds": str(rng.number(1, 3))}
        if rng.chance(60):
            entry["answers"] = str(rng.number(1, 20))
        if rng.chance(50):
            entry["scored"] = rng.pick(("yes", "no"))
        self.tree["limit"] = entry

    def _setup(self) -> list[Any]:
        body: list[Any] = []
        for zone in self.declarations.zones:
            if zone.of == "game" and self.rng.chance(40):
                body.append(f"shuffle {zone.name}")
            if zone.of == "seat" and self.rng.chance(80):
                source = self.declarations.zones[self.rng.below(2)]
                movement = (
                    f"move top {self.rng.number(1, 3)} of {source.name} to {zone.name}"
                    if zone.holds == source.holds
                    else f"move first 2 of {next(iter(zone.holds)).name.many} in {source.name} to {zone.name}"
                )
                body.append({"each seat": movement})
        body += self.statements.body(Scope(), Context(asks=self.rng.chance(20), depth=1), 0, 1)
        return body

    def _step(self) -> Any:
        rng = self.rng
        parameters = tuple(self._parameter() for _ in range(rng.weighted((7, 0), (2, 1), (1, 2))))
        sealed = rng.chance(25)
        acts, asks = sealed or rng.chance(80), sealed or rng.chance(70)
        scope = Scope(acts=acts)
        entry: dict[str, Any] = {}
        if parameters:
            scope, entry["for"] = self._parameters(scope, parameters)
        gives = self._parameter() if rng.chance(25) else None
        if gives:
            entry["gives"] = self._type_of(gives)
        if rng.chance(30):
            entry["title"] = "Do it"
        if rng.chance(50):
            entry["text"] = self.expressions.text(Scope(acts=acts), ("Now this", "Take some"))
        self.statements.left = 8
        body: list[Any] = []
        if sealed:
            self.statements.choose(body, scope, Context(once=True), into=False)
        else:
            ends = frozenset() if gives else frozenset(["step"])
            body = self.statements.body(scope, Context(asks=asks and acts, depth=2, ends=ends), 1, 3)
        if gives:
            body.append(f"give {self.statements.argument_of(gives, scope)}")
        entry["do"] = body[0] if len(body) == 1 and isinstance(body[0], str) and rng.chance(50) else body
        self.declarations.steps.append(
            Step(self.namer.new_unique("step"), acts, asks and acts, sealed, parameters, gives)
        )
        return entry["do"] if len(entry) == 1 and rng.chance(60) else entry

    def _do_words(self) -> Words | None:
        """Let the words of a list say what to do, with the steps that exist; return the list."""
        rng = self.rng
        word_lists: dict[str, Any] = self.tree.get("words", {})
        values = [list(kind.attributes.values()) for kind in self.declarations.kinds]
        lists = [
            w
            for w in self.declarations.lists
            if str(w.name) in word_lists and all(each.count(w) < 2 for each in values)
        ]
        if not lists:
            return None
        words = rng.pick(lists)
        entry = word_lists[str(words.name)]
        for number, word in enumerate(words.words):
            if number and rng.chance(30):
                continue
            scope = Scope(acts=True).with_name(words.name.one, Type("word", words))
            self.statements.left = 4
            body = self.statements.body(scope, Context(asks=rng.chance(60), depth=1), 1, 2)
            text = self.expressions.text(Scope(acts=True, item=Type("word", words)), ("It says so", "Take it"))
            entry[word] = {**(entry[word] or {}), "text": text, "do": body}
        return words

    # ── what changes ──

    def _change(self) -> None:
        rng = self.rng
        self._set: set[tuple[str, str]] = set()
        options: dict[str, Any] = {}
        for switch in self.declarations.switches:
            options[str(switch)] = {**self._change_set("option", str(switch)), **self._default(("yes", "no"))}
        if rng.chance(30):
            name = str(self.namer.new_unique("option"))
            choices = [str(self.namer.new_unique("choice")) for _ in range(rng.number(2, 3))]
            entry: dict[str, Any] = {
                choice: {"text": "As they say.", **self._change_set("option", name, no_text=True)} for choice in choices
            }
            options[name] = {"text": "A choice.", "choices": entry, **self._default(tuple(choices))}
        if options:
            self.tree["options"] = options
        powers: dict[str, Any] = {}
        for kind in self.declarations.kinds:
            pieces = self.tree["pieces"][str(kind.name)]
            if "power in" in pieces:
                words = next(words for words in self.declarations.lists if str(words.name) == pieces["each"])
                for word in rng.some(words.words, 1, 2):
                    powers.setdefault(word, self._change_set("power", word))
        if powers:
            self.tree["powers"] = powers
        if self._roles:
            self._virtual_players()

    def _default(self, choices: tuple[str, ...]) -> dict[str, Any]:
        return {"default": self.rng.pick(choices)} if self.rng.chance(50) else {}

    def _virtual_players(self) -> None:
        roles: dict[str, Any] = {}
        name = str(self.namer.new_unique("role"))
        must = self.people[0] < self.seats[0]
        joins = {
            str(people): "required" if people < self.seats[0] or (must and people + 1 <= self.seats[0]) else "optional"
            for people in range(self.people[0], self.people[1] + 1)
        }
        entry: dict[str, Any] = {"joins": joins, **self._change_set("role", name)}
        for key in ("scored", "uses powers"):
            if self.rng.chance(30):
                entry[key] = self.rng.pick(("no", "yes"))
        roles[name] = entry
        if self.rng.chance(30):
            other = str(self.namer.new_unique("role"))
            roles[other] = {"like": name, "title": "Another", "joins": {str(self.people[1]): "optional"}}
        self.tree["roles"] = roles

    def _change_set(self, level: str, name: str, no_text: bool = False) -> dict[str, Any]:
        rng = self.rng
        entry: dict[str, Any] = {}
        if not no_text and rng.chance(70):
            entry["text"] = self.expressions.text(Scope(acts=level != "option"), ("It is otherwise", "This changes"))
        changes: dict[str, Any] = {}
        for figure in self.declarations.figures:
            if figure.value and (level == "option" or figure.of == "seat") and rng.chance(50):
                if figure.is_ == NUMBER and rng.chance(50):
                    changes[str(figure.name)] = f"{rng.pick(('+', '-'))}{rng.number(1, 3)}"
                elif (level, str(figure.name)) not in self._set and (to := self._changed(figure)):
                    changes[str(figure.name)] = to
                    self._set.add((level, str(figure.name)))
        if changes:
            entry["change"] = changes
        for place, step in enumerate(self.declarations.steps):
            if step.acts and not step.sealed and rng.chance(45):
                self._hook(entry, level, step, place)
        return entry

    def _changed(self, figure: Figure) -> str:
        """Return an expression for a changed value, or ''; it uses only values before that one, so that none depends on
        itself."""
        rng, every = self.rng, self.declarations.figures
        self.declarations.figures = every[: every.index(figure)]
        scope = Scope(acts=figure.of == "seat")
        if figure.is_ == NUMBER:
            to = rng.pick((str(rng.number(0, 7)), self.expressions.number(scope, 1)))
        elif figure.is_ == TRUTH:
            to = rng.pick(("yes", "no", self.expressions.truth(scope, 1)))
        elif figure.is_.base == "seat":
            to = self.expressions.seats(scope, 1)[0]
        else:
            to = self.expressions.words(scope, 1, figure.is_.of)[0] if figure.is_.base == "word" else ""
        self.declarations.figures = every
        return to

    def _hook(self, entry: dict[str, Any], level: str, step: Step, place: int) -> None:
        """Add a hook to a step, with steps that came before it only, so that none does itself."""
        rng = self.rng
        hook = rng.pick(("before", "after", "instead of", "whenever"))
        if hook == "instead of":
            if (level, f"step {step.name}") in self._set:
                hook = "after"
            self._set.add((level, f"step {step.name}"))
        head = f"{hook} {step.name}"
        may = step.asks and rng.chance(50)
        if rng.chance(30):
            head += f" if {self.expressions.truth(Scope(acts=True), 1)}"
        every, self.declarations.steps = self.declarations.steps, self.declarations.steps[:place]
        self.statements.left = 4
        body = self.statements.body(Scope(acts=True), Context(asks=step.asks, depth=1), 1, 2)
        self.declarations.steps = every
        if may:
            ask = self.expressions.text(Scope(acts=True), ("Do you want that", "Shall it be"))
            entry[f"may {head}"] = {"ask": ask, "do": body}
        else:
            entry[head] = body

    # ── what counts ──

    def _count(self) -> None:
        rng, expressions = self.rng, self.expressions
        scope = Scope(acts=True)
        if rng.chance(85):
            lines: dict[str, Any] = {}
            for _ in range(rng.number(1, 2)):
                points = expressions.fraction(scope) if rng.chance(20) else expressions.number(scope, 2)
                line: dict[str, Any] = {"points": points}
                if rng.chance(40):
                    line["title"] = "Line"
                if rng.chance(50):
                    line["text"] = expressions.text(scope, ("You score", "Points"))
                lines[str(self.namer.new_unique("line"))] = line
            self.tree["scoring"] = lines
        if rng.chance(60):
            keys = ["highest score"] if "scoring" in self.tree else []
            inner = scope.with_item(SEAT)
            keys += [
                rng.pick(
                    (
                        f"{rng.pick(('highest', 'lowest'))} {expressions.number(inner, 1)}",
                        f"{expressions.is_first(inner)}",
                    )
                )
                for _ in range(rng.number(0 if keys else 1, 1))
            ]
            order = ", ".join(keys)
            self.tree["ranking"] = {"text": "Who wins.", "by": order} if rng.chance(40) else order
        if rng.chance(30):
            amount = rng.pick((expressions.number(scope, 1), expressions.truth(scope, 1)))
            self.tree["measures"] = {str(self.namer.new_unique("measure")): {"title": "So much", "is": amount}}
        if rng.chance(30):
            self._looks()
        if rng.chance(20):
            self.tree["reconstructed"] = {"setup": "how it begins"}
        if rng.chance(30):
            self.tree["text"] = expressions.text(scope, ("A game", "What it is about"))

    def _looks(self) -> None:
        rng = self.rng
        looks: dict[str, Any] = {}
        for kind in self.declarations.kinds:
            slots = [f"{{{name}}}" for name in kind.attributes]
            look: dict[str, Any] = {"corner": rng.pick(slots)} if slots else {"corner": "x"}
            looks.setdefault(rng.pick(("cards", "pieces")), {})[str(kind.name)] = look
        for zone in self.declarations.zones:
            if rng.chance(30):
                looks.setdefault("zones", {})[str(zone.name)] = rng.pick(("row", "heaps", "fan", "pile", "aside"))
        for words in self.declarations.lists:
            if words.attributes and rng.chance(30):
                looks.setdefault("words", {})[str(words.name)] = [
                    str(name) for name in (*words.attributes, *words.tables)
                ]
        self.tree["looks"] = looks


def _owner(of: Owner) -> str:
    return of if isinstance(of, str) else str(of.name)


def _span(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
