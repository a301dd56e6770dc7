"""Whole editions: declarations, phases and steps, change sets, scoring."""

from __future__ import annotations

from typing import Any

from edition_generator.components import ComponentGenerator
from edition_generator.declarations import NUMBER, SEAT, TRUTH, Figure, Scope, Step, Type, Words
from edition_generator.effects import Context
from edition_generator.random_source import RandomSource


class Edition(ComponentGenerator):
    """Random edition: components, and what happens, changes and counts."""

    def __init__(self, rng: RandomSource, similar_percent: int | None = None) -> None:
        super().__init__(rng, similar_percent)
        self._declare()
        self._play()
        self._change()
        self._count()

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
