"""Whole editions: what there is, what happens, what changes it and what counts."""

from __future__ import annotations

from typing import Any

from drawn.declared import (
    FRACTION,
    NUMBER,
    SEAT,
    TRUTH,
    Counter,
    Figure,
    Kind,
    Owner,
    Scope,
    Step,
    Thing,
    Words,
    World,
    Zone,
)
from drawn.doing import Doing, Where
from drawn.luck import Luck
from drawn.naming import Naming, Symbol
from drawn.saying import Saying

LIKE_EACH_OTHER = 5
WITH_SOME_ALIKE = 40
"""Of a hundred editions, so many have names of which LIKE_EACH_OTHER in a hundred are nearly another's."""


WAYS = {
    "orthogonal": ("north", "east", "south", "west"),
    "diagonal": ("north", "northeast", "west", "southwest", "straight", "diagonal"),
    "hexagonal": ("northeast", "east", "southwest", "northwest"),
}
"""Directions of maps, or some that tell of several of them, by their neighbours."""


class Edition:
    """One drawn edition. tree: it, with symbols for its names; naming: what they are called.

    alike: of so many names in a hundred, each is nearly another's; chance tells, if it is not given.
    """

    def __init__(self, luck: Luck, alike: int | None = None) -> None:
        self.luck = luck
        some = LIKE_EACH_OTHER * luck.chance(WITH_SOME_ALIKE)
        self.naming = Naming(luck, some if alike is None else alike)
        self.world = World()
        self.saying = Saying(luck, self.world, self.naming)
        self.doing = Doing(luck, self.world, self.naming, self.saying, 12)
        self.tree: dict[str, Any] = {"rulewright": "1", "title": luck.pick(("Drawn", "By lot", "Chance"))}
        self.people = luck.weighted((3, (2, 2)), (2, (2, 3)), (1, (1, 2)), (1, (3, 3)))
        self.seats = self.people
        self._roles = luck.chance(25)
        if self._roles:
            self.seats = max(2, self.people[0]), self.people[1] + 1
        self.tree["players"] = _span(self.people)
        if self._roles:
            self.tree["seats"] = _span(self.seats)
        if luck.chance(30):
            self.tree["minutes"] = luck.pick(("30", "30 to 45"))
        self._declare()
        self._play()
        self._change()
        self._count()

    # ── what there is ──

    def _declare(self) -> None:
        luck = self.luck
        words = {str(made.name): told for made, told in (self._words() for _ in range(luck.number(0, 2)))}
        boards = {}
        if luck.chance(40):
            name, told = self._board(drawn=luck.chance(60))
            boards[str(name)] = told
        if words:
            self.tree["words"] = words
        if boards:
            self.tree["boards"] = boards
        if kinds := luck.weighted((2, 0), (6, 1), (5, 2)):
            zones = self._zones_of_the_table()
            self.tree["pieces"] = {}
            for _ in range(kinds):
                self._pieces()
            self._zones(zones)
        self._sides()
        self._counters()
        if luck.chance(50):
            self.world.switches.append(self.naming.new("option"))
        self._figures()

    def _sides(self) -> None:
        """What each seat plays, perhaps; most often something that pieces have."""
        held = [words for kind in self.world.kinds for words in kind.reach().values() if words is not None]
        if (lists := held or self.world.lists) and self.luck.chance(30):
            self.world.sides = self.luck.pick(lists)
            self.tree["sides"] = str(self.world.sides.name)

    def _words(self) -> tuple[Words, dict[str, Any]]:
        made = Words(self.naming.new("list"), [str(self.naming.new("word")) for _ in range(self.luck.number(2, 3))])
        told: dict[str, Any] = {word: {} for word in made.words}
        self._attributes(made, told)
        self.world.lists.append(made)
        if self.luck.chance(15):
            told[made.words[0]]["noun"] = "elf | elves"
        return made, {word: inner or None for word, inner in told.items()}

    def _attributes(self, made: Words, told: dict[str, Any]) -> None:
        luck = self.luck
        for other in [*self.world.lists, None, None]:
            if luck.chance(40):
                name = other.name if other is not None and luck.chance(60) else self.naming.new("attribute")
                made.attributes[name] = other
                for inner in told.values():
                    if not luck.chance(12):
                        inner[str(name)] = luck.pick(other.words) if other else str(luck.number(-1, 5))
                if not any(str(name) in inner for inner in told.values()):
                    del made.attributes[name]
        if luck.chance(30):
            name = self.naming.new("table")
            by = luck.pick([None, *self.world.lists])
            held = luck.pick([None, None, *self.world.lists])

            def entry() -> str:
                return luck.pick(held.words) if held else str(luck.number(0, 9))

            made.tables[name] = by, held
            for inner in told.values():
                size = luck.number(1, 3)
                inner[str(name)] = {word: entry() for word in by.words} if by else [entry() for _ in range(size)]

    def _board(self, drawn: bool) -> tuple[Symbol, dict[str, Any]]:
        luck = self.luck
        name, of = self.naming.of_its_own("board"), self.naming.new("list")
        told: dict[str, Any] = {"of": str(of)}
        made = Words(of, [], board=True)
        if not drawn:
            made.words = [str(self.naming.new("word")) for _ in range(luck.number(2, 4))]
            spaces: dict[str, Any] = {word: {} for word in made.words}
            self._attributes(made, spaces)
            for number, (word, inner) in enumerate(spaces.items()):
                beside = luck.some([other for other in made.words[:number] if other != word], 0, 2)
                if beside:
                    inner["next to"] = beside if len(beside) > 1 or luck.chance(30) else beside[0]
            told["spaces"] = {word: inner or None for word, inner in spaces.items()}
        else:
            letters = luck.pick(("n", "nm", "nm"))
            rows = [
                "".join(luck.pick((*letters, *letters, ".")) for _ in range(luck.number(2, 3)))
                for _ in range(luck.number(1, 3))
            ]
            rows[0] = letters + rows[0][2:]
            plain = luck.chance(25)
            if plain:
                rows = ["n" * len(rows[0])] * len(rows)
            made.words = [
                f"{'abcdefg'[column]}{row + 1}"
                for row, line in enumerate(rows)
                for column, letter in enumerate(line)
                if letter != "."
            ]
            if plain:
                told["size"] = f"{len(rows[0])} by {len(rows)}"
            else:
                legend: dict[str, Any] = {letter: {} for letter in letters}
                self._attributes(made, legend)
                told["map"] = "\n".join(rows) + "\n" if len(rows) > 1 else rows[0]
                told["legend"] = legend
            self._ways(made, told)
        if luck.chance(30):
            told["text"] = "Where it all happens."
        self.world.lists.append(made)
        return name, told

    def _ways(self, made: Words, told: dict[str, Any]) -> None:
        """What is next to what on a map, and in which direction."""
        luck = self.luck
        made.drawn = True
        shape = luck.pick(tuple(WAYS)) if luck.chance(70) else ""
        if shape:
            told["neighbours"] = shape
        if luck.chance(30):
            ways = ("across",) if shape == "hexagonal" else ("across", "down", "both")
            told["wraps"] = luck.pick(ways)
        if luck.chance(60):
            told["directions"] = str(self.naming.new("list"))
            made.ways = WAYS[shape or "orthogonal"]
        for key in ("columns", "rows"):
            if luck.chance(30):
                name = self.naming.new("attribute")
                told[key] = str(name)
                made.attributes[name] = None

    def _zones_of_the_table(self) -> list[Symbol]:
        return [self.naming.new("zone") for _ in range(self.luck.number(2, 3))]

    def _pieces(self) -> None:
        luck, world = self.luck, self.world
        kind = Kind(self.naming.new("kind"), {}, {})
        told: dict[str, Any] = {}
        plain = [words for words in world.lists if len(words.words) <= 4]
        each = luck.pick(plain) if plain and luck.chance(40) else None
        if each is not None:
            told["each"] = str(each.name)
            kind.attributes[each.name] = each
        has: dict[str, Any] = {}
        for _ in range(luck.number(0 if each else 1, 2 - bool(each))):
            if plain and luck.chance(50):
                words = luck.pick(plain)
                name = words.name if words.name not in kind.attributes and luck.chance(70) else None
                name = name or self.naming.new("attribute")
                kind.attributes[name] = words
                has[str(name)] = str(words.name)
            else:
                name, least = self.naming.new("attribute"), luck.number(-1, 1)
                kind.attributes[name], kind.spans[name] = None, (least, least + luck.number(1, 2))
                has[str(name)] = f"{least} to {kind.spans[name][1]}"
        if has:
            told["has"] = has
            free = [name for name in kind.attributes if str(name) in has and not self._in_others(name)]
            if free and luck.chance(30):
                kind.changing = luck.pick(free)
                told["changing"] = str(kind.changing)
        if luck.chance(60):
            told["copies"] = self._copies(kind, each)
        told["noun"] = " ".join([str(kind.name), *(f"{{{name}}}" for name in kind.attributes)])
        if luck.chance(30):
            told["text"] = "There are some."
        world.kinds.append(kind)
        self.tree["pieces"][str(kind.name)] = told

    def _in_others(self, name: Symbol) -> bool:
        """Whether an attribute is another's as well: then it could not change here alone."""
        return any(name in kind.attributes for kind in self.world.kinds) or any(
            name in words.attributes or name is words.name for words in self.world.lists
        )

    def _copies(self, kind: Kind, each: Words | None) -> Any:
        if kind.changing is None and len(kind.spans) == 1 and self.luck.chance(30):
            ((least, most),) = kind.spans.values()
            return [str(self.luck.number(1, 2)) for _ in range(least, most + 1)]
        if each is not None and self.luck.chance(30):
            return {word: str(self.luck.number(1, 2)) for word in each.words}
        return str(self.luck.number(2, 3))

    def _zones(self, table: list[Symbol]) -> None:
        luck, world = self.luck, self.world
        zones: dict[str, Any] = {}
        everything = frozenset(world.kinds)

        def zone(name: Symbol, of: Owner, holds: frozenset[Kind]) -> dict[str, Any]:
            told: dict[str, Any] = {} if of == "game" else {"of": str(of.name) if isinstance(of, Words) else of}
            if holds != everything:
                names = [str(kind.name) for kind in world.kinds if kind in holds]
                told["holds"] = names if len(names) > 1 or luck.chance(30) else names[0]
            told["seen by"] = luck.pick(("all", "nobody", "owner") if of == "seat" else ("all", "nobody"))
            if luck.chance(30):
                told["pile"] = "yes"
            if luck.chance(10):
                told["shown"] = "no"
            if luck.chance(10):
                told["noun"] = "elf's place | elves' places"
            if luck.chance(20):
                told["text"] = "Here they lie."
            world.zones.append(Zone(name, of, holds, "pile" in told, told["seen by"] == "all"))
            zones[str(name)] = told
            return told

        for number, name in enumerate(table):
            zone(name, "game", everything if number < 2 or luck.chance(60) else frozenset([luck.pick(world.kinds)]))
        if luck.chance(50):
            zones[str(table[0])]["refills from"] = str(table[1])
        for kind in world.kinds:
            self.tree["pieces"][str(kind.name)]["starts in"] = str(luck.pick(table[:2]))
        owners: list[Owner] = ["seat"] * luck.number(1, 2)
        owners += luck.some(world.lists, 0, 1)
        for of in owners:
            told = zone(
                self.naming.new("zone"), of, everything if luck.chance(70) else frozenset([luck.pick(world.kinds)])
            )
            if luck.chance(40):
                told["at most"] = str(luck.number(1, 4))
                if luck.chance(40):
                    told["counting"] = str(luck.pick([k for k in world.kinds if k in world.zones[-1].holds]).name)
        for kind in world.kinds:
            with_words = next((w for name, w in kind.attributes.items() if w is not None and name is w.name), None)
            each = self.tree["pieces"][str(kind.name)].get("each")
            if each is not None and with_words is not None and luck.chance(60):
                places = [zone for zone in world.zones if zone.of == "seat" and kind in zone.holds]
                if places:
                    self.tree["pieces"][str(kind.name)]["power in"] = str(luck.pick(places).name)
        self.tree["zones"] = zones

    def _counters(self) -> None:
        luck, world = self.luck, self.world
        self.clock = Counter(self.naming.of_its_own("counter"), "game", NUMBER)
        told: dict[str, Any] = {"game": {str(self.clock.name): "0"}}
        owners: list[Owner] = ["game", "seat", "seat", *world.lists[:1], *world.kinds[:1]]
        for of in [luck.pick(owners) for _ in range(luck.number(1, 4))]:
            counter = Counter(self.naming.new("counter"), of, NUMBER)
            start = str(luck.number(0, 5))
            way = luck.below(8)
            if way == 4:
                counter.holds, start = TRUTH, luck.pick(("no", "yes"))
            elif way == 5:
                counter.holds, start = Thing("seat", sure=False), "seat"
            elif way >= 6 and world.lists:
                words = luck.pick(world.lists)
                start = str(words.name) if way == 6 or words.board else luck.pick(words.words)
                counter.holds = Thing("word", words, sure=False)
            elif way >= 6:
                start = "-3"
            elif way == 3:
                counter.holds, start = FRACTION, luck.pick(("0.0", "0.5", "-1.25"))
            entry: Any = start
            if world.lists and of not in world.kinds and luck.chance(30):
                counter.by = luck.pick(world.lists)
                entry = {"for": str(counter.by.name), "starts at": start}
                if counter.holds == NUMBER and luck.chance(50):
                    entry["starts at"] = {word: str(luck.number(0, 3)) for word in luck.some(counter.by.words, 1, 2)}
            elif luck.chance(25):
                entry = {"starts at": start, "noun": "ox | oxen"}
                if luck.chance(40):
                    entry["shown"] = "no"
                if luck.chance(40):
                    entry["text"] = "What is counted."
            told.setdefault(_owner(of), {})[str(counter.name)] = entry
            world.counters.append(counter)
        for _ in range(luck.number(0, 2)):
            held = luck.pick((NUMBER, Thing("seat"), *(Thing("word", words) for words in world.lists)))
            kept = Counter(self.naming.new("counter"), "game", held)
            told["game"][str(kept.name)] = {"list of": self._type_of(held), "at most": str(luck.number(1, 9))}
            world.kept.append(kept)
        self.tree["counters"] = told

    def _figures(self) -> None:
        luck, world = self.luck, self.world
        for section in ("values", "terms"):
            told: dict[str, Any] = {}
            owners: list[Owner] = ["game", "seat", "seat", *world.lists[:1], *world.kinds[:1]]
            for _ in range(luck.number(0, 3)):
                of = luck.pick(owners)
                figure, entry = self._figure(of, section == "values")
                told.setdefault(_owner(of), {})[str(figure.name)] = entry
                world.figures.append(figure)
            if section == "terms" and self.world.kinds and luck.chance(30):
                self._grouping(told)
            if told:
                self.tree[section] = told

    def _grouping(self, told: dict[str, Any]) -> None:
        """A figure that tells which pieces of a kind are a group."""
        kind = self.luck.pick(self.world.kinds)
        name, those = self.naming.new("figure"), self.naming.new("name")
        ways = [f"number of {those} is {self.luck.number(1, 3)}"]
        for attribute, words in kind.attributes.items():
            ways.append(f"number of group 1 of {those} by {attribute} is number of {those}")
            if words is None:
                ways += [
                    f"total {attribute} of {those} is {self.luck.number(1, 6)}",
                    f"longest run of {attribute} among {those} is number of {those}",
                ]
        joined = self.luck.pick((" and ", " or ")).join(self.luck.pick(ways) for _ in range(self.luck.number(1, 2)))
        told.setdefault("game", {})[str(name)] = {"for": {str(those): str(kind.name.many)}, "is": joined}
        self.world.groupings.append((name, kind))

    def _figure(self, of: Owner, value: bool) -> tuple[Figure, Any]:
        luck, saying = self.luck, self.saying
        scope = Scope(acts=of == "seat", own=None if isinstance(of, str) else of)
        name = self.naming.new("figure")
        parameters: tuple[Thing, ...] = ()
        entry: dict[str, Any] = {}
        if not value and luck.chance(35):
            parameters = tuple(self._parameter(sets=False) for _ in range(luck.weighted((3, 1), (2, 2), (1, 3))))
            scope, entry["for"] = self._told(scope, parameters)
        way = luck.below(6)
        if way == 3 and not parameters:
            cases, is_ = self._cases(scope)
            return Figure(name, of, is_, value), {**entry, **cases}
        is_ = NUMBER
        if way < 3:
            entry["is"] = str(luck.number(1, 5)) if value and luck.chance(60) else saying.number(scope, 1)
        elif way == 4:
            is_, entry["is"] = TRUTH, saying.truth(scope, 1)
        else:
            text, thing = saying.any_set(scope, 1)
            is_, entry["is"] = thing.set(), text
        if luck.chance(20):
            entry["text"] = "What it comes to."
        if luck.chance(15) and isinstance(of, str):
            entry["noun"] = "lure"
        figure = Figure(name, of, is_, value, parameters)
        return figure, entry["is"] if len(entry) == 1 and luck.chance(80) else entry

    def _cases(self, scope: Scope) -> tuple[dict[str, Any], Thing]:
        """By the number of seats, or by a counter; and what all cases are."""
        luck = self.luck
        if luck.chance(50):
            keys = [str(seats) for seats in range(self.seats[0], self.seats[1] + 1)]
            cases: dict[str, Any] = {"by": "number of seats"}
        else:
            keys = [str(number) for number in range(luck.number(1, 3))]
            cases = {"by": self.saying.number(scope, 0), "otherwise": ""}
        if len(keys) > 1 and luck.chance(30):
            keys[:2] = [", ".join(keys[:2])]
        lines = [*keys, *(["otherwise"] if "otherwise" in cases else [])]
        if luck.chance(50):
            return cases | {key: self.saying.number(scope, 0) for key in lines}, NUMBER
        if luck.chance(30):
            return cases | {key: self.saying.truth(scope, 0) for key in lines}, TRUTH
        text, thing = self.saying.any_set(scope, 1)
        cases[lines[0]] = text
        for key in lines[1:]:
            other, second = self.saying.any_set(scope, 1, thing.base)
            if thing.base == "piece":
                thing = Thing("piece", thing.of | second.of)
            cases[key] = other if second.holds == thing.holds else text
        return cases, thing.set()

    def _told(self, scope: Scope, parameters: tuple[Thing, ...]) -> tuple[Scope, dict[str, str]]:
        """The scope of what is told something, and what it says of that."""
        entry: dict[str, str] = {}
        for parameter in parameters:
            name = self.naming.new("name")
            entry[str(name)] = self._type_of(parameter)
            scope = scope.knowing(name.one, parameter)
        return scope, entry

    def _parameter(self, sets: bool = True) -> Thing:
        ways: list[Thing] = [NUMBER, SEAT]
        ways += [Thing("word", words) for words in self.world.lists]
        if sets:
            ways += [SEAT.set(), *(Thing("word", words, True) for words in self.world.lists)]
            ways += [Thing("piece", frozenset([kind]), many) for kind in self.world.kinds for many in (False, True)]
        return self.luck.pick(ways)

    def _type_of(self, thing: Thing) -> str:
        if thing.base in ("number", "seat"):
            return thing.base + "s" * thing.many
        name = thing.of.name if thing.base == "word" else next(iter(thing.of)).name
        return str(name.many if thing.many else name)

    # ── what happens ──

    def _play(self) -> None:
        luck = self.luck
        steps = [self._step() for _ in range(luck.number(0, 3))]
        saying = self._saying() if luck.chance(50) else None
        self.world.saying = saying
        self.doing.left = 14
        self.tree["setup"] = {"do": self._setup()}
        phases: dict[str, Any] = {}
        for left in reversed(range(luck.number(1, 2))):
            phase: dict[str, Any] = {}
            if luck.chance(40):
                phase["title"] = "A part of it"
            if luck.chance(70):
                phase["text"] = self.saying.text(Scope(acts=True), ("You play", "It is done"))
            ends = frozenset(["phase"] if left else [])  # the last one counts the rounds
            phase["do"] = self.doing.body(Scope(), Where(d=3, ends=ends), 1, 3)
            phases[str(self.naming.of_its_own("phase"))] = phase
        last = phases[list(phases)[-1]]
        last["do"].append(f"add 1 to {self.clock.name}")
        if luck.chance(25):
            self._limit()
        if "limit" not in self.tree or luck.chance(50):
            last["do"].append({f"if {self.clock.name} is at least {luck.number(1, 2)}": "end game"})
        for step, told in zip(self.world.steps, steps, strict=True):
            home = self.tree["setup"] if luck.chance(20) else luck.pick(list(phases.values()))
            home.setdefault("steps", {})[str(step.name)] = told
        if luck.chance(15):
            self.tree["round"] = list(phases)
        self.tree["phases"] = phases
        self.world.saying = None  # a hook's step could do what says so

    def _limit(self) -> None:
        """Where a game ends that need not end: by rounds at any rate, for there may be nobody to answer."""
        luck = self.luck
        told = {"rounds": str(luck.number(1, 3))}
        if luck.chance(60):
            told["answers"] = str(luck.number(1, 20))
        if luck.chance(50):
            told["scored"] = luck.pick(("yes", "no"))
        self.tree["limit"] = told

    def _setup(self) -> list[Any]:
        body: list[Any] = []
        for zone in self.world.zones:
            if zone.of == "game" and self.luck.chance(40):
                body.append(f"shuffle {zone.name}")
            if zone.of == "seat" and self.luck.chance(80):
                source = self.world.zones[self.luck.below(2)]
                told = (
                    f"move top {self.luck.number(1, 3)} of {source.name} to {zone.name}"
                    if zone.holds == source.holds
                    else f"move first 2 of {next(iter(zone.holds)).name.many} in {source.name} to {zone.name}"
                )
                body.append({"each seat": told})
        body += self.doing.body(Scope(), Where(asks=self.luck.chance(20), d=1), 0, 1)
        return body

    def _step(self) -> Any:
        luck = self.luck
        parameters = tuple(self._parameter() for _ in range(luck.weighted((7, 0), (2, 1), (1, 2))))
        sealed = luck.chance(25)
        acts, asks = sealed or luck.chance(80), sealed or luck.chance(70)
        scope = Scope(acts=acts)
        told: dict[str, Any] = {}
        if parameters:
            scope, told["for"] = self._told(scope, parameters)
        gives = self._parameter() if luck.chance(25) else None
        if gives:
            told["gives"] = self._type_of(gives)
        if luck.chance(30):
            told["title"] = "Do it"
        if luck.chance(50):
            told["text"] = self.saying.text(Scope(acts=acts), ("Now this", "Take some"))
        self.doing.left = 8
        body: list[Any] = []
        if sealed:
            self.doing.choose(body, scope, Where(once=True), into=False)
        else:
            ends = frozenset() if gives else frozenset(["step"])
            body = self.doing.body(scope, Where(asks=asks and acts, d=2, ends=ends), 1, 3)
        if gives:
            body.append(f"give {self.doing.given(gives, scope)}")
        told["do"] = body[0] if len(body) == 1 and isinstance(body[0], str) and luck.chance(50) else body
        self.world.steps.append(Step(self.naming.of_its_own("step"), acts, asks and acts, sealed, parameters, gives))
        return told["do"] if len(told) == 1 and luck.chance(60) else told

    def _saying(self) -> Words | None:
        """A list whose words say what to do, with the steps that there are."""
        luck = self.luck
        said: dict[str, Any] = self.tree.get("words", {})
        held = [list(kind.attributes.values()) for kind in self.world.kinds]
        lists = [w for w in self.world.lists if str(w.name) in said and all(each.count(w) < 2 for each in held)]
        if not lists:
            return None
        words = luck.pick(lists)
        told = said[str(words.name)]
        for number, word in enumerate(words.words):
            if number and luck.chance(30):
                continue
            scope = Scope(acts=True).knowing(words.name.one, Thing("word", words))
            self.doing.left = 4
            body = self.doing.body(scope, Where(asks=luck.chance(60), d=1), 1, 2)
            text = self.saying.text(Scope(acts=True, item=Thing("word", words)), ("It says so", "Take it"))
            told[word] = {**(told[word] or {}), "text": text, "do": body}
        return words

    # ── what changes ──

    def _change(self) -> None:
        luck = self.luck
        self._set: set[tuple[str, str]] = set()
        options: dict[str, Any] = {}
        for switch in self.world.switches:
            options[str(switch)] = {**self._change_set("option", str(switch)), **self._default(("yes", "no"))}
        if luck.chance(30):
            name = str(self.naming.of_its_own("option"))
            choices = [str(self.naming.of_its_own("choice")) for _ in range(luck.number(2, 3))]
            told: dict[str, Any] = {
                choice: {"text": "As they say.", **self._change_set("option", name, no_text=True)} for choice in choices
            }
            options[name] = {"text": "A choice.", "choices": told, **self._default(tuple(choices))}
        if options:
            self.tree["options"] = options
        powers: dict[str, Any] = {}
        for kind in self.world.kinds:
            pieces = self.tree["pieces"][str(kind.name)]
            if "power in" in pieces:
                words = next(words for words in self.world.lists if str(words.name) == pieces["each"])
                for word in luck.some(words.words, 1, 2):
                    powers.setdefault(word, self._change_set("power", word))
        if powers:
            self.tree["powers"] = powers
        if self._roles:
            self._virtual_players()

    def _default(self, choices: tuple[str, ...]) -> dict[str, Any]:
        return {"default": self.luck.pick(choices)} if self.luck.chance(50) else {}

    def _virtual_players(self) -> None:
        roles: dict[str, Any] = {}
        name = str(self.naming.of_its_own("role"))
        must = self.people[0] < self.seats[0]
        joins = {
            str(people): "required" if people < self.seats[0] or (must and people + 1 <= self.seats[0]) else "optional"
            for people in range(self.people[0], self.people[1] + 1)
        }
        told: dict[str, Any] = {"joins": joins, **self._change_set("role", name)}
        for key in ("scored", "uses powers"):
            if self.luck.chance(30):
                told[key] = self.luck.pick(("no", "yes"))
        roles[name] = told
        if self.luck.chance(30):
            other = str(self.naming.of_its_own("role"))
            roles[other] = {"like": name, "title": "Another", "joins": {str(self.people[1]): "optional"}}
        self.tree["roles"] = roles

    def _change_set(self, level: str, name: str, no_text: bool = False) -> dict[str, Any]:
        luck = self.luck
        told: dict[str, Any] = {}
        if not no_text and luck.chance(70):
            told["text"] = self.saying.text(Scope(acts=level != "option"), ("It is otherwise", "This changes"))
        changes: dict[str, Any] = {}
        for figure in self.world.figures:
            if figure.value and (level == "option" or figure.of == "seat") and luck.chance(50):
                if figure.is_ == NUMBER and luck.chance(50):
                    changes[str(figure.name)] = f"{luck.pick(('+', '-'))}{luck.number(1, 3)}"
                elif (level, str(figure.name)) not in self._set and (to := self._changed(figure)):
                    changes[str(figure.name)] = to
                    self._set.add((level, str(figure.name)))
        if changes:
            told["change"] = changes
        for place, step in enumerate(self.world.steps):
            if step.acts and not step.sealed and luck.chance(45):
                self._hook(told, level, step, place)
        return told

    def _changed(self, figure: Figure) -> str:
        """What a value may be set to, or '': made of those before it, so that none is made of itself."""
        luck, every = self.luck, self.world.figures
        self.world.figures = every[: every.index(figure)]
        scope = Scope(acts=figure.of == "seat")
        if figure.is_ == NUMBER:
            to = luck.pick((str(luck.number(0, 7)), self.saying.number(scope, 1)))
        elif figure.is_ == TRUTH:
            to = luck.pick(("yes", "no", self.saying.truth(scope, 1)))
        elif figure.is_.base == "seat":
            to = self.saying.seats(scope, 1)[0]
        else:
            to = self.saying.words(scope, 1, figure.is_.of)[0] if figure.is_.base == "word" else ""
        self.world.figures = every
        return to

    def _hook(self, told: dict[str, Any], level: str, step: Step, place: int) -> None:
        """What happens besides a step, or in its place: with steps that came before it only, so none does itself."""
        luck = self.luck
        when = luck.pick(("before", "after", "instead of", "whenever"))
        if when == "instead of":
            if (level, f"step {step.name}") in self._set:
                when = "after"
            self._set.add((level, f"step {step.name}"))
        head = f"{when} {step.name}"
        may = step.asks and luck.chance(50)
        if luck.chance(30):
            head += f" if {self.saying.truth(Scope(acts=True), 1)}"
        every, self.world.steps = self.world.steps, self.world.steps[:place]
        self.doing.left = 4
        body = self.doing.body(Scope(acts=True), Where(asks=step.asks, d=1), 1, 2)
        self.world.steps = every
        if may:
            ask = self.saying.text(Scope(acts=True), ("Do you want that", "Shall it be"))
            told[f"may {head}"] = {"ask": ask, "do": body}
        else:
            told[head] = body

    # ── what counts ──

    def _count(self) -> None:
        luck, saying = self.luck, self.saying
        scope = Scope(acts=True)
        if luck.chance(85):
            lines: dict[str, Any] = {}
            for _ in range(luck.number(1, 2)):
                points = saying.fraction(scope) if luck.chance(20) else saying.number(scope, 2)
                line: dict[str, Any] = {"points": points}
                if luck.chance(40):
                    line["title"] = "Line"
                if luck.chance(50):
                    line["text"] = saying.text(scope, ("You score", "Points"))
                lines[str(self.naming.of_its_own("line"))] = line
            self.tree["scoring"] = lines
        if luck.chance(60):
            keys = ["highest score"] if "scoring" in self.tree else []
            inner = scope.within(SEAT)
            keys += [
                luck.pick(
                    (f"{luck.pick(('highest', 'lowest'))} {saying.number(inner, 1)}", f"{saying.is_first(inner)}")
                )
                for _ in range(luck.number(0 if keys else 1, 1))
            ]
            by = ", ".join(keys)
            self.tree["ranking"] = {"text": "Who wins.", "by": by} if luck.chance(40) else by
        if luck.chance(30):
            amount = luck.pick((saying.number(scope, 1), saying.truth(scope, 1)))
            self.tree["measures"] = {str(self.naming.of_its_own("measure")): {"title": "So much", "is": amount}}
        if luck.chance(30):
            self._looks()
        if luck.chance(20):
            self.tree["reconstructed"] = {"setup": "how it begins"}
        if luck.chance(30):
            self.tree["text"] = saying.text(scope, ("A game", "What it is about"))

    def _looks(self) -> None:
        luck = self.luck
        looks: dict[str, Any] = {}
        for kind in self.world.kinds:
            slots = [f"{{{name}}}" for name in kind.attributes]
            look: dict[str, Any] = {"corner": luck.pick(slots)} if slots else {"corner": "x"}
            looks.setdefault(luck.pick(("cards", "pieces")), {})[str(kind.name)] = look
        for zone in self.world.zones:
            if luck.chance(30):
                looks.setdefault("zones", {})[str(zone.name)] = luck.pick(("row", "heaps", "fan", "pile", "aside"))
        for words in self.world.lists:
            if words.attributes and luck.chance(30):
                looks.setdefault("words", {})[str(words.name)] = [
                    str(name) for name in (*words.attributes, *words.tables)
                ]
        self.tree["looks"] = looks


def _owner(of: Owner) -> str:
    return of if isinstance(of, str) else str(of.name)


def _span(span: tuple[int, int]) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
