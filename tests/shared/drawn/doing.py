"""Sentences that do something, and those that ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from drawn.declared import FRACTION, NUMBER, SEAT, TRUTH, Counter, Scope, Step, Thing, World
from drawn.luck import Luck
from drawn.naming import Naming
from drawn.saying import EXTREMES_OF, Saying, together

Body = list[Any]


@dataclass(frozen=True)
class Where:
    """asks: somebody can be asked here; drops: whoever's turn it is can drop out; once: inside `at once`; d: how many
    bodies may still be inside each other; ends: what can be ended here, of loop, step and phase."""

    asks: bool = True
    drops: bool = False
    once: bool = False
    d: int = 2
    ends: frozenset[str] = frozenset()

    def deeper(self) -> Where:
        return replace(self, d=self.d - 1)

    def looping(self) -> Where:
        return replace(self.deeper(), ends=self.ends | {"loop"})


class Doing:
    """Draws bodies. left: about how many sentences there may still be."""

    def __init__(self, luck: Luck, world: World, naming: Naming, saying: Saying, left: int) -> None:
        self.luck, self.world, self.naming, self.saying, self.left = luck, world, naming, saying, left

    def body(self, scope: Scope, where: Where, least: int = 1, most: int = 3) -> Body:
        """Some sentences, each of which knows the names that those before it made."""
        body: Body = []
        for _ in range(self.luck.number(least, most)):
            if where.once and not where.asks:
                where = replace(where, asks=False)
            scope = self.sentence(body, scope, where)
        return body

    def sentence(self, body: Body, scope: Scope, where: Where) -> Scope:
        """One more sentence, or a few that belong together; gives the scope behind them."""
        self.left -= 1
        ways: list[tuple[int, Callable[[Body, Scope, Where], Scope]]] = [
            (10 if scope.acts else 3, self.effect),
            (2, self.log),
            (3, self.let),
            (4, self.do),
        ]
        if scope.acts and where.asks:
            ways += [(7, self.choose), (2, self.choose_number)]
            if self.world.groupings:
                ways.append((2, self.choose_group))
        if scope.acts and where.asks and not where.once and self.world.saying is not None:
            ways.append((6, self.do_what))
        if where.d > 0 and self.left > 0:
            often = 2 if self.world.kinds else 8  # where nothing lies anywhere, notes are all that there is
            ways += [(4, self.if_), (4, self.each), (often, self.repeat), (1, self.each_group), (2, self.as_)]
            if scope.acts and where.asks:
                ways += [(3, self.choose_one), (2, self.may), (2, self.repeat_choosing)]
            if where.asks and not where.once:
                ways += [(3 if scope.acts else 6, self.at_once), (2, self.go_round)]
            if not scope.acts:
                ways.append((12, self.each_seat))
        if where.drops:
            ways.append((1, self.drop_out))
        if where.ends:
            ways.append((2, self.end))
        return self.luck.weighted(*ways)(body, scope, where)

    # ── what happens ──

    def effect(self, body: Body, scope: Scope, where: Where) -> Scope:
        ways: list[tuple[int, Callable[[Scope], Any]]] = [(6, self.count), (4, self.set)]
        if self.world.kinds:
            ways += [
                (6, self.move),
                (3, self.draw),
                (1, self.shuffle),
                (2, self.fill),
                (1, self.swap),
                (2, self.turn),
                (2, self.at_random),
                (1, self.show),
            ]
        if self.world.kept:
            ways.append((4, self.keep))
        found = self.luck.weighted(*ways)(scope)
        body.append(found or (self.shuffle(scope) if self.world.kinds else {"log": "Nothing happens."}))
        return scope

    def target(self, zone: str) -> str:
        return self.luck.pick(("", "", "top of ", "bottom of ")) + zone

    def move(self, scope: Scope) -> str:
        text, thing = self.saying.any_set(scope, 2, "piece")
        zone = self.saying.zone(scope, lambda zone: bool(zone.holds & thing.of) and zone.holds >= thing.of)
        return f"move {text} to {self.target(zone)}" if zone else ""

    def draw(self, scope: Scope) -> str:
        """From a pile, which is refilled if need be."""
        pile = self.saying.zone(scope, lambda zone: zone.of == "game")
        if not pile:
            return ""
        held = next(zone.holds for zone in self.world.zones if str(zone.name) == pile)
        zone = self.saying.zone(scope, lambda zone: held <= zone.holds and str(zone.name) != pile)
        return f"move top {self.saying.amount(scope)} of {pile} to {self.target(zone)}" if zone else ""

    def fill(self, scope: Scope) -> str:
        kind = self.luck.pick(self.world.kinds)
        pile = self.saying.zone(scope, lambda zone: zone.holds == {kind})
        name = kind.name.many
        if not pile:
            pile = self.saying.zone(scope, lambda zone: zone.holds == frozenset(self.world.kinds))
            name = self.luck.pick(("cards", "pieces"))
        held = frozenset({kind} if name == kind.name.many else self.world.kinds)
        zone = self.saying.zone(scope, lambda zone: held <= zone.holds)
        if not pile or zone in ("", pile):
            return ""
        return f"fill {zone} with {name} from {pile} up to {self.saying.number(scope, 0)}"

    def shuffle(self, scope: Scope) -> str:
        return f"shuffle {self.saying.zone(scope, lambda zone: True)}"

    def show(self, scope: Scope) -> str:
        if not self.luck.chance(30):  # whoever is shown anything remembers all: few editions do
            return ""
        return f"show {self.saying.some(scope, 1, 'piece')[0]} to {self.saying.seats(scope, 0)[0]}"

    def swap(self, scope: Scope) -> Any:
        """Asks first whether there is something to swap, as a careful author does."""
        kind = self.luck.pick(self.world.kinds)
        one, other = (self.saying.zone(scope, lambda zone: kind in zone.holds) for _ in range(2))
        names = [self.naming.new("name") for _ in range(2)]
        every = self.luck.pick((kind.name.many, kind.name.many))
        if not one or not other:
            return ""
        return {
            f"if any {every} in {one} and any {every} in {other}": [
                f"let {names[0]} be {self.luck.pick(EXTREMES_OF)} 1 of {every} in {one}",
                f"let {names[1]} be {self.luck.pick(EXTREMES_OF)} 1 of {every} in {other}",
                f"swap {names[0]} with {names[1]}",
            ]
        }

    def turn(self, scope: Scope) -> Any:
        """Rolls what changes, or turns it."""
        kinds = [kind for kind in self.world.kinds if kind.changing is not None]
        if not kinds:
            return ""
        kind = self.luck.pick(kinds)
        zone = self.saying.zone(scope, lambda zone: kind in zone.holds)
        which = f"{kind.name.many} in {zone}" if zone and self.luck.chance(60) else kind.name.many
        if self.luck.chance(60):
            return f"roll {which}"
        assert kind.changing is not None
        name = self.naming.new("name")
        if kind.changing in kind.spans:
            least, most = kind.spans[kind.changing]
            to = str(self.luck.number(least, most))
        else:
            words = kind.attributes[kind.changing]
            assert words is not None
            to = self.luck.pick(words.words)
        change = f"set {name}'s {kind.changing} to {to}"
        return {f"each {kind.name.one if which == kind.name.many else which} as {name}": [change]}

    def at_random(self, scope: Scope) -> str:
        kind = self.luck.pick(self.world.kinds)
        source = self.saying.zone(scope, lambda zone: kind in zone.holds)
        zone = self.saying.zone(scope, lambda zone: kind in zone.holds)
        amount = self.luck.pick((str(self.luck.number(1, 2)), self.saying.number(scope, 0)))
        if not source or not zone:
            return ""
        odds = f" weighted by {self.luck.pick(('1', '0', 'number of seats'))}" if self.luck.chance(30) else ""
        return f"choose at random {amount} from {kind.name.many} in {source}{odds} into {self.target(zone)}"

    def counter(self, scope: Scope, fits: Callable[[Counter], bool]) -> tuple[str, Thing] | None:
        """A counter, with whose it is."""
        names = {str(counter.name): counter.holds for counter in self.world.counters if fits(counter)}
        found = [
            (text, held)
            for text, held in self.saying.named(replace(scope, item=None))
            if text.removeprefix("my ").rpartition("'s ")[2] in names
        ]
        return self.luck.pick(found) if found else None

    def count(self, scope: Scope) -> str:
        found = self.counter(scope, lambda counter: counter.holds.base in ("number", "fraction"))
        if found is None:
            return ""
        text, held = found
        amount = self.saying.number(scope, 1)
        if held == FRACTION and self.luck.chance(70):
            amount = self.saying.fraction(scope)
        if held.base == "amount" and self.luck.chance(50):
            text += f" for {self.luck.pick(held.of.words)}"
        elif held.base == "amount" and self.luck.chance(60):
            amount = self.saying.amounts(scope, 1, held.of) or amount
        return f"take {amount} from {text}" if self.luck.chance(40) else f"add {amount} to {text}"

    def set(self, scope: Scope) -> str:
        found = self.counter(scope, lambda counter: True)
        if found is None:
            return ""
        text, held = found
        saying = self.saying
        if held.base == "number":
            to = saying.number(scope, 1)
        elif held.base == "fraction":
            to = saying.fraction(scope)
        elif held.base == "amount":
            to = saying.amounts(scope, 1, held.of) if self.luck.chance(60) else saying.number(scope, 1)
        elif held.base == "truth":
            to = self.luck.pick(("yes", "no", saying.truth(scope, 1)))
        elif held.base == "seat":
            seat = saying.seat(scope)
            to = self.luck.pick((seat, seat, f"left of {seat}")) if seat else "nobody"
        else:
            to = self.luck.pick([*held.of.words, "nothing", saying.one(scope, held, False) or "nothing"])
        return f"set {text} to {to}"

    def keep(self, scope: Scope) -> Any:
        """Puts something into a list, or takes it out, or puts it in order."""
        kept = self.luck.pick(self.world.kept)
        base, way = kept.holds.base, self.luck.below(6)
        if way < 3:
            saying = self.saying
            if base == "number":
                found = saying.number(scope, 1)
            else:
                found = saying.seats(scope, 1)[0] if base == "seat" else saying.words(scope, 1, kept.holds.of)[0]
            return f"add {found} to {self.luck.pick(('end', 'beginning'))} of {kept.name}"
        end = self.luck.pick(("first", "last"))
        if way == 3:
            return f"take {end} {self.saying.amount(scope)} of {kept.name} as {self.naming.new('name')}"
        if way == 4:
            figure = f"{self.luck.pick(('highest', 'lowest'))} it, " if base == "number" else ""
            return f"sort {kept.name} by {figure}random"
        return f"set {kept.name} to {end} {self.saying.amount(scope)} of {kept.name}"

    def log(self, body: Body, scope: Scope, where: Where) -> Scope:
        body.append({"log": self.saying.text(scope, ("It goes on", "Look", "{seat}" if scope.acts else "There"))})
        return scope

    def let(self, body: Body, scope: Scope, where: Where) -> Scope:
        """A name for something; if it is one of a set, only where there is one."""
        name = self.naming.new("name")
        way = self.luck.below(6)
        saying = self.saying
        if way < 2:
            body.append(f"let {name} be {saying.number(scope, 1)}")
            return scope.knowing(name.one, NUMBER)
        if way == 2:
            text, thing = saying.any_set(scope, 2)
            body.append(f"let {name} be {text}")
            return scope.knowing(name.one, thing.set())
        if way == 3 and (seat := saying.seat(scope)):
            body.append(f"let {name} be {self.luck.pick((seat, f'left of {seat}'))}")
            return scope.knowing(name.one, SEAT)
        if way == 4:
            body.append(f"let {name} be {saying.truth(scope, 1)}")
            return scope.knowing(name.one, TRUTH)
        if where.d <= 0:
            body.append(f"let {name} be {saying.number(scope, 0)}")
            return scope.knowing(name.one, NUMBER)
        condition, text, thing = saying.singled(scope)
        inner = self.body(scope.knowing(name.one, thing), self.inside(where))
        body.append({f"if {condition}": [f"let {name} be {text}", *inner]})
        return scope

    def do(self, body: Body, scope: Scope, where: Where) -> Scope:
        """A step, several times perhaps: one that asks has many places to go back to."""
        steps = [
            step
            for step in self.world.steps
            if (scope.acts or not step.acts) and (where.asks or not step.asks) and (step.sealed or not where.once)
        ]
        if not steps:
            return self.effect(body, scope, where)
        step = self.luck.pick(steps)
        times = self.luck.weighted((7, 1), (2, 2), (1, 5)) if not where.once else 1
        for _ in range(times):
            body.append(self.doing(step, scope))
        if step.gives is None or self.luck.chance(30):
            return scope
        name = self.naming.new("name")
        body[-1] += f" as {name}"
        return scope.knowing(name.one, replace(step.gives, sure=False))

    def do_what(self, body: Body, scope: Scope, where: Where) -> Scope:
        """What a word says, or a piece that has it."""
        words = self.world.saying
        assert words is not None
        kinds = [kind for kind in self.world.kinds if words in kind.attributes.values()]
        if kinds and self.luck.chance(60):
            one = f"first 1 of {self.luck.pick(kinds).name.many}"
        else:
            one = self.saying.one(scope, Thing("word", words)) or self.luck.pick(words.words)
        body.append(f"do what {one} says")
        return scope

    def doing(self, step: Step, scope: Scope) -> str:
        told = [self.given(parameter, scope) for parameter in step.parameters]
        return f"do {step.name} for {together(told)}" if told else f"do {step.name}"

    def given(self, parameter: Thing, scope: Scope) -> str:
        """What a step is told: always something, so that there is one where there must be."""
        saying = self.saying
        if parameter.base == "number":
            return saying.number(scope, 1)
        if parameter.base == "word" and not parameter.many:
            return saying.one(scope, parameter) or self.luck.pick(parameter.of.words)
        if parameter.base == "seat" and not parameter.many:
            return saying.one(scope, parameter) or "first 1 of seats"
        if parameter.base == "seat":
            return saying.set(scope, 1, "seat")[0]
        if parameter.base == "word":
            return saying.words(scope, 1, parameter.of)[0]
        kind = self.luck.pick(sorted(parameter.of, key=lambda kind: kind.name.number))
        zone = saying.zone(scope, lambda zone: kind in zone.holds)
        which = f"{kind.name.many} in {zone}" if zone else kind.name.many
        return which if parameter.many else f"first 1 of {kind.name.many}"

    # ── bodies ──

    def inside(self, where: Where) -> Where:
        """Where a body stands that asks nobody inside `at once`: what happens there comes last."""
        return where.deeper()

    def if_(self, body: Body, scope: Scope, where: Where) -> Scope:
        found: dict[str, Any] = {f"if {self.saying.truth(scope, 2)}": self.body(scope, where.deeper())}
        if self.luck.chance(30):
            found["otherwise"] = self.body(scope, where.deeper())
        body.append(found)
        return scope

    def each(self, body: Body, scope: Scope, where: Where) -> Scope:
        """Once for each of some seats, who act, or of some pieces or words."""
        base = self.luck.weighted((5, "seat"), (3, "piece"), (2, "word"))
        text, thing = self.saying.any_set(scope, 1, base)
        if thing.base == "seat" and where.once and where.asks:
            where = replace(where, asks=False)
        head, item = f"each {text}", thing.one()
        inner = scope.knowing("it", item)
        if self.luck.chance(40):
            name = self.naming.new("name")
            head += f" as {name}"
            inner = inner.knowing(name.one, item)
        if self.luck.chance(35):
            head += f" by {self.saying.order(scope, thing)}"
        if thing.base == "seat":
            inner = inner.acting()
            where = replace(where, drops=False)
        elif thing.base == "piece" and not self.luck.chance(30):
            where = replace(where, asks=False)
        body.append({head: self.body(inner, where.looping())})
        return scope

    def each_seat(self, body: Body, scope: Scope, where: Where) -> Scope:
        """All in turn, as most phases say."""
        inner = scope.knowing("it", SEAT).acting()
        body.append({"each seat": self.body(inner, replace(where.looping(), drops=False), 1, 3)})
        return scope

    def each_group(self, body: Body, scope: Scope, where: Where) -> Scope:
        text, thing = self.saying.any_set(scope, 1)
        name = self.naming.new("name")
        head = f"each group of {text} by {self.saying.order(scope, thing)} as {name}"
        body.append({head: self.body(scope.knowing(name.one, thing.set()), where.looping())})
        return scope

    def repeat(self, body: Body, scope: Scope, where: Where) -> Scope:
        if self.luck.chance(60):
            times = self.luck.pick((str(self.luck.number(1, 3)), f"lowest of (3, {self.saying.number(scope, 1)})"))
            body.append({f"repeat {times} times": self.body(scope, where.looping())})
            return scope
        found = self.counter(scope, lambda counter: counter.holds.base == "number")
        if found is None:
            return self.effect(body, scope, where)
        text, _ = found
        inner = [f"add {self.luck.number(1, 2)} to {text}"]
        also = f" and {self.saying.comparison(scope, 0)}" if self.luck.chance(40) else ""
        inside = replace(where.looping(), asks=where.asks and not where.once)
        body.append(
            {f"repeat while {text} is less than {self.luck.number(2, 5)}{also}": inner + self.body(scope, inside)}
        )
        return scope

    def as_(self, body: Body, scope: Scope, where: Where) -> Scope:
        seat = self.saying.seat(scope)
        if not seat:
            name = self.naming.new("name")
            body.append(f"let {name} be first 1 of seats")
            scope, seat = scope.knowing(name.one, SEAT), name.one
        where = replace(where.deeper(), drops=False, asks=where.asks and not where.once)
        body.append({f"as {seat}": self.body(scope.acting(), where)})
        return scope

    def at_once(self, body: Body, scope: Scope, where: Where) -> Scope:
        """First the choices, then what comes of them."""
        text = self.saying.set(scope, 1, "seat")[0]
        inner = scope.acting()
        inside = replace(where.deeper(), once=True, drops=False, ends=frozenset())
        several: Body = []
        for _ in range(self.luck.number(1, 3)):
            inner = self.sealed_choice(several, inner, inside)
        if self.luck.chance(40):
            self.choose(several, inner, inside, into=True)
        several += self.body(inner, replace(inside, asks=False), 0, 2)
        body.append({f"all {text} at once": several})
        return scope

    def sealed_choice(self, body: Body, scope: Scope, where: Where) -> Scope:
        steps = [step for step in self.world.steps if step.sealed and step.asks]
        if steps and self.luck.chance(25):
            body.append(self.doing(self.luck.pick(steps), scope))
            return scope
        if self.luck.chance(15):
            branches = {str(self.branch_name()): {"do": self.chosen_inside(scope, where)} for _ in range(2)}
            body.append({self.called("choose one"): {**self.asking(scope), "among": branches}})
            return scope
        if self.luck.chance(15):
            body.append({f"if {self.saying.truth(scope, 1)}": self.chosen_inside(scope, where)})
            return scope
        if self.luck.chance(30):
            return self.choose_number(body, scope, where)
        return self.choose(body, scope, where, into=False)

    def chosen_inside(self, scope: Scope, where: Where) -> Body:
        body: Body = []
        self.choose(body, scope, where, into=False)
        return body

    def go_round(self, body: Body, scope: Scope, where: Where) -> Scope:
        """Until all have dropped out, which each may do when asked."""
        text = self.saying.any_set(scope, 1, "seat")[0]
        head = f"go round {text}"
        if self.luck.chance(40):
            head += f" by {self.saying.order(scope, SEAT)}"
        inner = scope.knowing("it", SEAT).acting()
        if self.luck.chance(40):
            head += f" until {self.saying.truth(inner, 1)}"
        inside = replace(where.looping(), drops=True)
        several = self.body(inner, inside, 0, 2)
        if self.luck.chance(80):
            out = {str(self.branch_name()): {"do": self.luck.pick(("drop out", ["drop out"]))}}
            on = {str(self.branch_name()): {"do": self.body(inner, replace(inside, d=0), 0, 1)}}
            several.append({"choose one": {**self.asking(scope.acting()), "among": {**out, **on}}})
        else:
            several.append({f"if {self.saying.truth(inner, 1)}": ["drop out"], "otherwise": ["drop out"]})
        body.append({head: several})
        return scope

    def end(self, body: Body, scope: Scope, where: Where) -> Scope:
        """Leaves what stands around it, perhaps."""
        body.append({f"if {self.saying.truth(scope, 1)}": f"end {self.luck.pick(sorted(where.ends))}"})
        return scope

    def drop_out(self, body: Body, scope: Scope, where: Where) -> Scope:
        body.append("drop out")
        return scope

    # ── decisions ──

    def called(self, head: str) -> str:
        """A decision, with a name of its own perhaps."""
        return f"{head} as {self.naming.new('name')}" if self.luck.chance(40) else head

    def branch_name(self) -> Any:
        return self.naming.of_its_own("branch")

    def asking(self, scope: Scope, none: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.luck.chance(70):
            found["ask"] = self.saying.text(scope, ("What do you take", "And now", "Which"))
        if self.luck.chance(none):
            found["none"] = self.luck.pick(("Nothing.", "Pass."))
        return found

    def how_many(self, scope: Scope) -> str:
        return self.luck.weighted(
            (5, "1"),
            (2, f"up to {self.luck.number(1, 2)}"),
            (1, f"{self.luck.number(0, 1)} to {self.luck.number(1, 3)}"),
            (1, "any number"),
            (1, f"{self.luck.number(1, 2)} or more"),
            (1, self.saying.number(scope, 0)),
        )

    def choose(self, body: Body, scope: Scope, where: Where, into: bool | None = None) -> Scope:
        if into is None:
            into = self.luck.chance(50) and not where.once and bool(self.world.kinds)
        text, thing = self.saying.any_set(scope, 2, "piece" if into else "")
        how_many = self.how_many(scope)
        if into:
            zone = self.saying.zone(scope, lambda zone: zone.holds >= thing.of)
            if not zone:
                return scope
            body.append(self.put(f"choose {how_many} from {text} into {self.target(zone)}", self.asking(scope, 30)))
            return scope
        name = self.naming.new("name")
        body.append(self.put(f"choose {how_many} from {text} as {name}", self.asking(scope, 30)))
        return scope.knowing(name.one, thing.set())

    def choose_group(self, body: Body, scope: Scope, where: Where) -> Scope:
        grouping, kind = self.luck.pick(self.world.groupings)
        clauses = self.asking(scope, 30)
        if self.luck.chance(50):
            clauses["none more"] = "That is all."
        if self.luck.chance(30):
            clauses["ask more"] = self.saying.text(scope, ("What else", "What goes with {it}"))
        head = f"choose {self.how_many(scope)} from {self.saying.few(scope, kind)} that make one {grouping.one}"
        zone = self.saying.zone(scope, lambda zone: zone.holds >= {kind})
        if zone and not where.once and self.luck.chance(50):
            body.append(self.put(f"{head} into {self.target(zone)}", clauses))
            return scope
        name = self.naming.new("name")
        body.append(self.put(f"{head} as {name}", clauses))
        return scope.knowing(name.one, Thing("piece", frozenset([kind]), True))

    def put(self, sentence: str, clauses: dict[str, Any]) -> Any:
        return {sentence: clauses} if clauses else sentence

    def choose_number(self, body: Body, scope: Scope, where: Where) -> Scope:
        name = self.naming.new("name")
        least = self.saying.number(scope, 0)
        most = f"{least} + {self.luck.number(0, 4)}"
        if self.luck.chance(40):
            least, most = str(self.luck.number(0, 1)), str(self.luck.number(1, 5))
        clauses = {key: text for key, text in self.asking(scope).items() if key == "ask"}
        body.append(self.put(f"choose number from {least} to {most} as {name}", clauses))
        return scope.knowing(name.one, NUMBER)

    def branches(self, scope: Scope, where: Where, times: bool) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in range(self.luck.number(2, 3)):
            details: dict[str, Any] = {}
            if self.luck.chance(50):
                details["text"] = self.luck.pick(("This one", "That one", "Go on"))
            if self.luck.chance(40):
                details["if"] = self.saying.truth(scope, 1)
            if times and self.luck.chance(70):
                details["times"] = self.luck.pick(("1", "2", f"lowest of (3, {self.saying.number(scope, 0)})"))
            details["do"] = self.body(scope, where.deeper(), 0, 2)
            found[str(self.branch_name())] = details
        return found

    def choose_one(self, body: Body, scope: Scope, where: Where) -> Scope:
        clauses = self.asking(scope, 30)
        body.append({self.called("choose one"): {**clauses, "among": self.branches(scope, where, False)}})
        return scope

    def repeat_choosing(self, body: Body, scope: Scope, where: Where) -> Scope:
        clauses = {**self.asking(scope), "none": self.luck.pick(("Enough.", "Done."))}
        if self.luck.chance(30):
            clauses["none if"] = self.saying.truth(scope, 1)
        among = self.branches(scope, where.looping(), True)
        if self.luck.chance(20) and all("times" in branch for branch in among.values()):
            clauses = {"ask": "Go on?"}
        body.append({self.called("repeat choosing one"): {**clauses, "among": among}})
        return scope

    def may(self, body: Body, scope: Scope, where: Where) -> Scope:
        ask = self.saying.text(scope, ("Do you want it", "Really"))
        body.append({self.called("may"): {"ask": ask, "do": self.body(scope, where.deeper())}})
        return scope
