"""Statements: effects, decisions and bodies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from edition_generator.declarations import NUMBER, SEAT, TRUTH, Scope, Type
from edition_generator.effects import Body, Context, EffectGenerator

_ENDINGS = {"loop": "end loop", "phase": "end phase", "step": "end step"}
"""Sentences that leave a construct, by its kind."""


class StatementGenerator(EffectGenerator):
    """Generator of bodies. left: about how many sentences there may still be."""

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
        body.append({f"if {self.expressions.truth(scope, 1)}": _ENDINGS[self.rng.pick(sorted(context.ends))]})
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
