"""Statements: effects, decisions and bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from edition_generator.declarations import FRACTION, NUMBER, SEAT, TRUTH, Counter, Declarations, Scope, Step, Type
from edition_generator.expressions import EXTREMES_OF, ExpressionGenerator, together
from edition_generator.names import Namer
from edition_generator.random_source import RandomSource

Body = list[Any]


@dataclass(frozen=True)
class Context:
    """Context of a statement. asks: it may ask; drops: the acting seat can drop out; once: inside `at once`; depth: how
    deeply bodies may still nest; ends: which of loop, step and phase can be ended."""

    asks: bool = True
    drops: bool = False
    once: bool = False
    depth: int = 2
    ends: frozenset[str] = frozenset()

    def deeper(self) -> Context:
        return replace(self, depth=self.depth - 1)

    def looping(self) -> Context:
        return replace(self.deeper(), ends=self.ends | {"loop"})


class StatementGenerator:
    """Generator of bodies. left: about how many sentences there may still be."""

    def __init__(
        self, rng: RandomSource, declarations: Declarations, namer: Namer, expressions: ExpressionGenerator, left: int
    ) -> None:
        self.rng, self.declarations, self.namer, self.expressions, self.left = (
            rng,
            declarations,
            namer,
            expressions,
            left,
        )

    def body(self, scope: Scope, context: Context, minimum: int = 1, maximum: int = 3) -> Body:
        """Generate sentences, each of which knows the names that those before it made."""
        body: Body = []
        for _ in range(self.rng.number(minimum, maximum)):
            if context.once and not context.asks:
                context = replace(context, asks=False)
            scope = self.sentence(body, scope, context)
        return body

    def sentence(self, body: Body, scope: Scope, context: Context) -> Scope:
        """Add a sentence, or a few that belong together; return the scope after them."""
        self.left -= 1
        alternatives: list[tuple[int, Callable[[Body, Scope, Context], Scope]]] = [
            (10 if scope.acts else 3, self.effect),
            (2, self.log),
            (3, self.let),
            (4, self.do),
        ]
        if scope.acts and context.asks:
            alternatives += [(7, self.choose), (2, self.choose_number)]
            if self.declarations.groupings:
                alternatives.append((2, self.choose_group))
        if scope.acts and context.asks and not context.once and self.declarations.do_words is not None:
            alternatives.append((6, self.do_what))
        if context.depth > 0 and self.left > 0:
            often = 2 if self.declarations.kinds else 8  # where nothing lies anywhere, notes are all that there is
            alternatives += [(4, self.if_), (4, self.each), (often, self.repeat), (1, self.each_group), (2, self.as_)]
            if scope.acts and context.asks:
                alternatives += [(3, self.choose_one), (2, self.may), (2, self.repeat_choosing)]
            if context.asks and not context.once:
                alternatives += [(3 if scope.acts else 6, self.at_once), (2, self.go_round)]
            if not scope.acts:
                alternatives.append((12, self.each_seat))
        if context.drops:
            alternatives.append((1, self.drop_out))
        if context.ends:
            alternatives.append((2, self.end))
        return self.rng.weighted(*alternatives)(body, scope, context)

    # ── what happens ──

    def effect(self, body: Body, scope: Scope, context: Context) -> Scope:
        alternatives: list[tuple[int, Callable[[Scope], Any]]] = [(6, self.count), (4, self.set)]
        if self.declarations.kinds:
            alternatives += [
                (6, self.move),
                (3, self.draw),
                (1, self.shuffle),
                (2, self.fill),
                (1, self.swap),
                (2, self.turn),
                (2, self.at_random),
                (1, self.show),
            ]
        if self.declarations.lists_of_values:
            alternatives.append((4, self.keep))
        result = self.rng.weighted(*alternatives)(scope)
        body.append(result or (self.shuffle(scope) if self.declarations.kinds else {"log": "Nothing happens."}))
        return scope

    def target(self, zone: str) -> str:
        return self.rng.pick(("", "", "top of ", "bottom of ")) + zone

    def move(self, scope: Scope) -> str:
        text, type_ = self.expressions.any_set(scope, 2, "piece")
        zone = self.expressions.zone(scope, lambda zone: bool(zone.holds & type_.of) and zone.holds >= type_.of)
        return f"move {text} to {self.target(zone)}" if zone else ""

    def draw(self, scope: Scope) -> str:
        """Draw from a pile, which is refilled if need be."""
        pile = self.expressions.zone(scope, lambda zone: zone.of == "game")
        if not pile:
            return ""
        kinds = next(zone.holds for zone in self.declarations.zones if str(zone.name) == pile)
        zone = self.expressions.zone(scope, lambda zone: kinds <= zone.holds and str(zone.name) != pile)
        return f"move top {self.expressions.amount(scope)} of {pile} to {self.target(zone)}" if zone else ""

    def fill(self, scope: Scope) -> str:
        kind = self.rng.pick(self.declarations.kinds)
        pile = self.expressions.zone(scope, lambda zone: zone.holds == {kind})
        name = kind.name.many
        if not pile:
            pile = self.expressions.zone(scope, lambda zone: zone.holds == frozenset(self.declarations.kinds))
            name = self.rng.pick(("cards", "pieces"))
        kinds = frozenset({kind} if name == kind.name.many else self.declarations.kinds)
        zone = self.expressions.zone(scope, lambda zone: kinds <= zone.holds)
        if not pile or zone in ("", pile):
            return ""
        return f"fill {zone} with {name} from {pile} up to {self.expressions.number(scope, 0)}"

    def shuffle(self, scope: Scope) -> str:
        return f"shuffle {self.expressions.zone(scope, lambda zone: True)}"

    def show(self, scope: Scope) -> str:
        if not self.rng.chance(30):  # whoever is shown anything remembers all: few editions do
            return ""
        return f"show {self.expressions.some(scope, 1, 'piece')[0]} to {self.expressions.seats(scope, 0)[0]}"

    def swap(self, scope: Scope) -> Any:
        """Swap two pieces, after asking whether there are any, as a careful author does."""
        kind = self.rng.pick(self.declarations.kinds)
        one, other = (self.expressions.zone(scope, lambda zone: kind in zone.holds) for _ in range(2))
        names = [self.namer.new("name") for _ in range(2)]
        every = self.rng.pick((kind.name.many, kind.name.many))
        if not one or not other:
            return ""
        return {
            f"if any {every} in {one} and any {every} in {other}": [
                f"let {names[0]} be {self.rng.pick(EXTREMES_OF)} 1 of {every} in {one}",
                f"let {names[1]} be {self.rng.pick(EXTREMES_OF)} 1 of {every} in {other}",
                f"swap {names[0]} with {names[1]}",
            ]
        }

    def turn(self, scope: Scope) -> Any:
        """Roll dice, or turn them to a side."""
        kinds = [kind for kind in self.declarations.kinds if kind.changing is not None]
        if not kinds:
            return ""
        kind = self.rng.pick(kinds)
        zone = self.expressions.zone(scope, lambda zone: kind in zone.holds)
        which = f"{kind.name.many} in {zone}" if zone and self.rng.chance(60) else kind.name.many
        if self.rng.chance(60):
            return f"roll {which}"
        assert kind.changing is not None
        name = self.namer.new("name")
        if kind.changing in kind.spans:
            minimum, maximum = kind.spans[kind.changing]
            to = str(self.rng.number(minimum, maximum))
        else:
            words = kind.attributes[kind.changing]
            assert words is not None
            to = self.rng.pick(words.words)
        change = f"set {name}'s {kind.changing} to {to}"
        return {f"each {kind.name.one if which == kind.name.many else which} as {name}": [change]}

    def at_random(self, scope: Scope) -> str:
        kind = self.rng.pick(self.declarations.kinds)
        source = self.expressions.zone(scope, lambda zone: kind in zone.holds)
        zone = self.expressions.zone(scope, lambda zone: kind in zone.holds)
        amount = self.rng.pick((str(self.rng.number(1, 2)), self.expressions.number(scope, 0)))
        if not source or not zone:
            return ""
        odds = f" weighted by {self.rng.pick(('1', '0', 'number of seats'))}" if self.rng.chance(30) else ""
        return f"choose at random {amount} from {kind.name.many} in {source}{odds} into {self.target(zone)}"

    def counter(self, scope: Scope, fits: Callable[[Counter], bool]) -> tuple[str, Type] | None:
        """Pick a counter, with its owner."""
        names = {str(counter.name): counter.holds for counter in self.declarations.counters if fits(counter)}
        counters = [
            (text, held)
            for text, held in self.expressions.named_values(replace(scope, item=None))
            if text.removeprefix("my ").rpartition("'s ")[2] in names
        ]
        return self.rng.pick(counters) if counters else None

    def count(self, scope: Scope) -> str:
        choice = self.counter(scope, lambda counter: counter.holds.base in ("number", "fraction"))
        if choice is None:
            return ""
        text, type_ = choice
        amount = self.expressions.number(scope, 1)
        if type_ == FRACTION and self.rng.chance(70):
            amount = self.expressions.fraction(scope)
        if type_.base == "amount" and self.rng.chance(50):
            text += f" for {self.rng.pick(type_.of.words)}"
        elif type_.base == "amount" and self.rng.chance(60):
            amount = self.expressions.amounts(scope, 1, type_.of) or amount
        return f"take {amount} from {text}" if self.rng.chance(40) else f"add {amount} to {text}"

    def set(self, scope: Scope) -> str:
        choice = self.counter(scope, lambda counter: True)
        if choice is None:
            return ""
        text, type_ = choice
        expressions = self.expressions
        if type_.base == "number":
            to = expressions.number(scope, 1)
        elif type_.base == "fraction":
            to = expressions.fraction(scope)
        elif type_.base == "amount":
            to = expressions.amounts(scope, 1, type_.of) if self.rng.chance(60) else expressions.number(scope, 1)
        elif type_.base == "truth":
            to = self.rng.pick(("yes", "no", expressions.truth(scope, 1)))
        elif type_.base == "seat":
            seat = expressions.seat(scope)
            to = self.rng.pick((seat, seat, f"left of {seat}")) if seat else "nobody"
        else:
            to = self.rng.pick([*type_.of.words, "nothing", expressions.one(scope, type_, False) or "nothing"])
        return f"set {text} to {to}"

    def keep(self, scope: Scope) -> Any:
        """Change a list of values: put something in, take it out, or sort it."""
        target = self.rng.pick(self.declarations.lists_of_values)
        base, case = target.holds.base, self.rng.below(6)
        if case < 3:
            expressions = self.expressions
            if base == "number":
                item = expressions.number(scope, 1)
            else:
                item = (
                    expressions.seats(scope, 1)[0]
                    if base == "seat"
                    else expressions.words(scope, 1, target.holds.of)[0]
                )
            return f"add {item} to {self.rng.pick(('end', 'beginning'))} of {target.name}"
        end = self.rng.pick(("first", "last"))
        if case == 3:
            return f"take {end} {self.expressions.amount(scope)} of {target.name} as {self.namer.new('name')}"
        if case == 4:
            figure = f"{self.rng.pick(('highest', 'lowest'))} it, " if base == "number" else ""
            return f"sort {target.name} by {figure}random"
        return f"set {target.name} to {end} {self.expressions.amount(scope)} of {target.name}"

    def log(self, body: Body, scope: Scope, context: Context) -> Scope:
        body.append({"log": self.expressions.text(scope, ("It goes on", "Look", "{seat}" if scope.acts else "There"))})
        return scope

    def let(self, body: Body, scope: Scope, context: Context) -> Scope:
        """Name a value; an element of a set only where there is one."""
        name = self.namer.new("name")
        case = self.rng.below(6)
        expressions = self.expressions
        if case < 2:
            body.append(f"let {name} be {expressions.number(scope, 1)}")
            return scope.with_name(name.one, NUMBER)
        if case == 2:
            text, type_ = expressions.any_set(scope, 2)
            body.append(f"let {name} be {text}")
            return scope.with_name(name.one, type_.set())
        if case == 3 and (seat := expressions.seat(scope)):
            body.append(f"let {name} be {self.rng.pick((seat, f'left of {seat}'))}")
            return scope.with_name(name.one, SEAT)
        if case == 4:
            body.append(f"let {name} be {expressions.truth(scope, 1)}")
            return scope.with_name(name.one, TRUTH)
        if context.depth <= 0:
            body.append(f"let {name} be {expressions.number(scope, 0)}")
            return scope.with_name(name.one, NUMBER)
        condition, text, type_ = expressions.first_of_set(scope)
        inner = self.body(scope.with_name(name.one, type_), self.inside(context))
        body.append({f"if {condition}": [f"let {name} be {text}", *inner]})
        return scope

    def do(self, body: Body, scope: Scope, context: Context) -> Scope:
        """Run a step, perhaps several times: one that asks has many places to return to."""
        steps = [
            step
            for step in self.declarations.steps
            if (scope.acts or not step.acts) and (context.asks or not step.asks) and (step.sealed or not context.once)
        ]
        if not steps:
            return self.effect(body, scope, context)
        step = self.rng.pick(steps)
        times = self.rng.weighted((7, 1), (2, 2), (1, 5)) if not context.once else 1
        for _ in range(times):
            body.append(self.do_step(step, scope))
        if step.gives is None or self.rng.chance(30):
            return scope
        name = self.namer.new("name")
        body[-1] += f" as {name}"
        return scope.with_name(name.one, replace(step.gives, sure=False))

    def do_what(self, body: Body, scope: Scope, context: Context) -> Scope:
        """Follow what a word says, or a piece that has it."""
        words = self.declarations.do_words
        assert words is not None
        kinds = [kind for kind in self.declarations.kinds if words in kind.attributes.values()]
        if kinds and self.rng.chance(60):
            one = f"first 1 of {self.rng.pick(kinds).name.many}"
        else:
            one = self.expressions.one(scope, Type("word", words))
            if not one or one in words.words:  # by its name: one that says what to do
                one = words.words[0]
        body.append(f"do what {one} says")
        return scope

    def do_step(self, step: Step, scope: Scope) -> str:
        arguments = [self.argument_of(parameter, scope) for parameter in step.parameters]
        return f"do {step.name} for {together(arguments)}" if arguments else f"do {step.name}"

    def argument_of(self, parameter: Type, scope: Scope) -> str:
        """Generate an argument of a step; never an empty set where there must be one."""
        expressions = self.expressions
        if parameter.base == "number":
            return expressions.number(scope, 1)
        if parameter.base == "word" and not parameter.many:
            return expressions.one(scope, parameter) or self.rng.pick(parameter.of.words)
        if parameter.base == "seat" and not parameter.many:
            return expressions.one(scope, parameter) or "first 1 of seats"
        if parameter.base == "seat":
            return expressions.set(scope, 1, "seat")[0]
        if parameter.base == "word":
            return expressions.words(scope, 1, parameter.of)[0]
        kind = self.rng.pick(sorted(parameter.of, key=lambda kind: kind.name.number))
        zone = expressions.zone(scope, lambda zone: kind in zone.holds)
        which = f"{kind.name.many} in {zone}" if zone else kind.name.many
        return which if parameter.many else f"first 1 of {kind.name.many}"

    # ── bodies ──

    def inside(self, context: Context) -> Context:
        """Return the context of a body inside another, as deep as may be."""
        return context.deeper()

    def if_(self, body: Body, scope: Scope, context: Context) -> Scope:
        statement: dict[str, Any] = {f"if {self.expressions.truth(scope, 2)}": self.body(scope, context.deeper())}
        if self.rng.chance(30):
            statement["otherwise"] = self.body(scope, context.deeper())
        body.append(statement)
        return scope

    def each(self, body: Body, scope: Scope, context: Context) -> Scope:
        """Loop over some seats, who act, or over some pieces or words."""
        base = self.rng.weighted((5, "seat"), (3, "piece"), (2, "word"))
        text, type_ = self.expressions.any_set(scope, 1, base)
        if type_.base == "seat" and context.once and context.asks:
            context = replace(context, asks=False)
        head, item = f"each {text}", type_.one()
        inner = scope.with_name("it", item)
        if self.rng.chance(40):
            name = self.namer.new("name")
            head += f" as {name}"
            inner = inner.with_name(name.one, item)
        if self.rng.chance(35):
            head += f" by {self.expressions.order(scope, type_)}"
        if type_.base == "seat":
            inner = inner.acting()
            context = replace(context, drops=False)
        elif type_.base == "piece" and not self.rng.chance(30):
            context = replace(context, asks=False)
        body.append({head: self.body(inner, context.looping())})
        return scope

    def each_seat(self, body: Body, scope: Scope, context: Context) -> Scope:
        """Loop over all seats in turn, as most phases do."""
        inner = scope.with_name("it", SEAT).acting()
        body.append({"each seat": self.body(inner, replace(context.looping(), drops=False), 1, 3)})
        return scope

    def each_group(self, body: Body, scope: Scope, context: Context) -> Scope:
        text, type_ = self.expressions.any_set(scope, 1)
        name = self.namer.new("name")
        head = f"each group of {text} by {self.expressions.order(scope, type_)} as {name}"
        body.append({head: self.body(scope.with_name(name.one, type_.set()), context.looping())})
        return scope

    def repeat(self, body: Body, scope: Scope, context: Context) -> Scope:
        if self.rng.chance(60):
            times = self.rng.pick((str(self.rng.number(1, 3)), f"lowest of (3, {self.expressions.number(scope, 1)})"))
            body.append({f"repeat {times} times": self.body(scope, context.looping())})
            return scope
        choice = self.counter(scope, lambda counter: counter.holds.base == "number")
        if choice is None:
            return self.effect(body, scope, context)
        text, _ = choice
        inner = [f"add {self.rng.number(1, 2)} to {text}"]
        also = f" and {self.expressions.comparison(scope, 0)}" if self.rng.chance(40) else ""
        inside = replace(context.looping(), asks=context.asks and not context.once)
        body.append(
            {f"repeat while {text} is less than {self.rng.number(2, 5)}{also}": inner + self.body(scope, inside)}
        )
        return scope

    def as_(self, body: Body, scope: Scope, context: Context) -> Scope:
        seat = self.expressions.seat(scope)
        if not seat:
            name = self.namer.new("name")
            body.append(f"let {name} be first 1 of seats")
            scope, seat = scope.with_name(name.one, SEAT), name.one
        context = replace(context.deeper(), drops=False, asks=context.asks and not context.once)
        body.append({f"as {seat}": self.body(scope.acting(), context)})
        return scope

    def at_once(self, body: Body, scope: Scope, context: Context) -> Scope:
        """Make sealed choices first, then effects."""
        text = self.expressions.set(scope, 1, "seat")[0]
        inner = scope.acting()
        inside = replace(context.deeper(), once=True, drops=False, ends=frozenset())
        several: Body = []
        for _ in range(self.rng.number(1, 3)):
            inner = self.sealed_choice(several, inner, inside)
        if self.rng.chance(40):
            self.choose(several, inner, inside, into=True)
        several += self.body(inner, replace(inside, asks=False), 0, 2)
        body.append({f"all {text} at once": several})
        return scope

    def sealed_choice(self, body: Body, scope: Scope, context: Context) -> Scope:
        steps = [step for step in self.declarations.steps if step.sealed and step.asks]
        if steps and self.rng.chance(25):
            body.append(self.do_step(self.rng.pick(steps), scope))
            return scope
        if self.rng.chance(15):
            branches = {str(self.branch_name()): {"do": self.chosen_inside(scope, context)} for _ in range(2)}
            body.append({self.maybe_named("choose one"): {**self.asking(scope), "among": branches}})
            return scope
        if self.rng.chance(15):
            body.append({f"if {self.expressions.truth(scope, 1)}": self.chosen_inside(scope, context)})
            return scope
        if self.rng.chance(30):
            return self.choose_number(body, scope, context)
        return self.choose(body, scope, context, into=False)

    def chosen_inside(self, scope: Scope, context: Context) -> Body:
        body: Body = []
        self.choose(body, scope, context, into=False)
        return body

    def go_round(self, body: Body, scope: Scope, context: Context) -> Scope:
        """Go round until all have dropped out, which each may do when asked."""
        text = self.expressions.any_set(scope, 1, "seat")[0]
        head = f"go round {text}"
        if self.rng.chance(40):
            head += f" by {self.expressions.order(scope, SEAT)}"
        inner = scope.with_name("it", SEAT).acting()
        if self.rng.chance(40):
            head += f" until {self.expressions.truth(inner, 1)}"
        inside = replace(context.looping(), drops=True)
        several = self.body(inner, inside, 0, 2)
        if self.rng.chance(80):
            out = {str(self.branch_name()): {"do": self.rng.pick(("drop out", ["drop out"]))}}
            on = {str(self.branch_name()): {"do": self.body(inner, replace(inside, depth=0), 0, 1)}}
            several.append({"choose one": {**self.asking(scope.acting()), "among": {**out, **on}}})
        else:
            several.append({f"if {self.expressions.truth(inner, 1)}": ["drop out"], "otherwise": ["drop out"]})
        body.append({head: several})
        return scope

    def end(self, body: Body, scope: Scope, context: Context) -> Scope:
        """End a loop, step or phase on a condition."""
        body.append({f"if {self.expressions.truth(scope, 1)}": f"end {self.rng.pick(sorted(context.ends))}"})
        return scope

    def drop_out(self, body: Body, scope: Scope, context: Context) -> Scope:
        body.append("drop out")
        return scope

    # ── decisions ──

    def maybe_named(self, head: str) -> str:
        """Give a decision a name of its own, perhaps."""
        return f"{head} as {self.namer.new('name')}" if self.rng.chance(40) else head

    def branch_name(self) -> Any:
        return self.namer.new_unique("branch")

    def asking(self, scope: Scope, none: int = 0) -> dict[str, Any]:
        clauses: dict[str, Any] = {}
        if self.rng.chance(70):
            clauses["ask"] = self.expressions.text(scope, ("What do you take", "And now", "Which"))
        if self.rng.chance(none):
            clauses["none"] = self.rng.pick(("Nothing.", "Pass."))
        return clauses

    def how_many(self, scope: Scope) -> str:
        return self.rng.weighted(
            (5, "1"),
            (2, f"up to {self.rng.number(1, 2)}"),
            (1, f"{self.rng.number(0, 1)} to {self.rng.number(1, 3)}"),
            (1, "any number"),
            (1, f"{self.rng.number(1, 2)} or more"),
            (1, self.expressions.number(scope, 0)),
        )

    def choose(self, body: Body, scope: Scope, context: Context, into: bool | None = None) -> Scope:
        if into is None:
            into = self.rng.chance(50) and not context.once and bool(self.declarations.kinds)
        text, type_ = self.expressions.any_set(scope, 2, "piece" if into else "")
        how_many = self.how_many(scope)
        if into:
            zone = self.expressions.zone(scope, lambda zone: zone.holds >= type_.of)
            if not zone:
                return scope
            body.append(self.put(f"choose {how_many} from {text} into {self.target(zone)}", self.asking(scope, 30)))
            return scope
        name = self.namer.new("name")
        body.append(self.put(f"choose {how_many} from {text} as {name}", self.asking(scope, 30)))
        return scope.with_name(name.one, type_.set())

    def choose_group(self, body: Body, scope: Scope, context: Context) -> Scope:
        grouping, kind = self.rng.pick(self.declarations.groupings)
        clauses = self.asking(scope, 30)
        if self.rng.chance(50):
            clauses["none more"] = "That is all."
        if self.rng.chance(30):
            clauses["ask more"] = self.expressions.text(scope, ("What else", "What goes with {it}"))
        pieces = f"{self.how_many(scope)} from {self.expressions.few_pieces(scope, kind)}"
        head = f"choose {pieces} that make one {grouping.one}"
        zone = self.expressions.zone(scope, lambda zone: zone.holds >= {kind})
        if zone and not context.once and self.rng.chance(50):
            body.append(self.put(f"{head} into {self.target(zone)}", clauses))
            return scope
        name = self.namer.new("name")
        body.append(self.put(f"{head} as {name}", clauses))
        return scope.with_name(name.one, Type("piece", frozenset([kind]), True))

    def put(self, sentence: str, clauses: dict[str, Any]) -> Any:
        return {sentence: clauses} if clauses else sentence

    def choose_number(self, body: Body, scope: Scope, context: Context) -> Scope:
        name = self.namer.new("name")
        minimum = self.expressions.number(scope, 0)
        maximum = f"{minimum} + {self.rng.number(0, 4)}"
        if self.rng.chance(40):
            minimum, maximum = str(self.rng.number(0, 1)), str(self.rng.number(1, 5))
        clauses = {key: text for key, text in self.asking(scope).items() if key == "ask"}
        body.append(self.put(f"choose number from {minimum} to {maximum} as {name}", clauses))
        return scope.with_name(name.one, NUMBER)

    def branches(self, scope: Scope, context: Context, times: bool) -> dict[str, Any]:
        branches: dict[str, Any] = {}
        for _ in range(self.rng.number(2, 3)):
            details: dict[str, Any] = {}
            if self.rng.chance(50):
                details["text"] = self.rng.pick(("This one", "That one", "Go on"))
            if self.rng.chance(40):
                details["if"] = self.expressions.truth(scope, 1)
            if times and self.rng.chance(70):
                details["times"] = self.rng.pick(("1", "2", f"lowest of (3, {self.expressions.number(scope, 0)})"))
            details["do"] = self.body(scope, context.deeper(), 0, 2)
            branches[str(self.branch_name())] = details
        return branches

    def choose_one(self, body: Body, scope: Scope, context: Context) -> Scope:
        clauses = self.asking(scope, 30)
        body.append({self.maybe_named("choose one"): {**clauses, "among": self.branches(scope, context, False)}})
        return scope

    def repeat_choosing(self, body: Body, scope: Scope, context: Context) -> Scope:
        clauses = {**self.asking(scope), "none": self.rng.pick(("Enough.", "Done."))}
        if self.rng.chance(30):
            clauses["none if"] = self.expressions.truth(scope, 1)
        among = self.branches(scope, context.looping(), True)
        if self.rng.chance(20) and all("times" in branch for branch in among.values()):
            clauses = {"ask": "Go on?"}
        body.append({self.maybe_named("repeat choosing one"): {**clauses, "among": among}})
        return scope

    def may(self, body: Body, scope: Scope, context: Context) -> Scope:
        ask = self.expressions.text(scope, ("Do you want it", "Really"))
        body.append({self.maybe_named("may"): {"ask": ask, "do": self.body(scope, context.deeper())}})
        return scope
