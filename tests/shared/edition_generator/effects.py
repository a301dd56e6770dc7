"""Effects: statements that ask nobody and have nothing below them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from edition_generator.declarations import FRACTION, Counter, Declarations, Scope, Step, Type
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


class EffectGenerator:
    """Generator of effects."""

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
            return f"add {item} to {self.rng.pick(('end of', 'beginning of'))} {target.name}"
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
