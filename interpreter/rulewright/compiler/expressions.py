"""Expressions: syntax tree -> typed meaning, written as instructions when it is used.

Every method is named after the grammar's rule and stands for what it means; `spec/LANGUAGE.md` tells it to people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from lark import Token, Tree

from rulewright import sentences
from rulewright.compiler.emitter import NONE, ONE, ZERO, Emitter, constant, known
from rulewright.compiler.layout import Plan
from rulewright.compiler.meaning import (
    NOTHING,
    NUMBER,
    SEAT,
    TRUTH,
    UNBOUNDED,
    Binding,
    Group,
    Meaning,
    Place,
    Scope,
    Tally,
    Value,
    described,
)
from rulewright.diagnostics import Report, nearest
from rulewright.edition import ChangeSet, Edition, Figure, canonical
from rulewright.program import ME, Type
from rulewright.source import Scalar

ANY_PIECE = ("card", "piece")
_LEVELS = ("option", "role", "power")


class Wrong(Exception):
    """Reported already: leave what is being compiled and go on with the next."""


class Expressions:
    """Compiles expressions of one edition for one number of seats."""

    def __init__(self, edition: Edition, plan: Plan, report: Report) -> None:
        self.edition, self.plan, self.report = edition, plan, report
        self.emit = Emitter()
        self._scalar = Scalar("", plan.nowhere, True)
        self._figures_open: list[str] = []
        self._figures = {canonical(name): figure for name, figure in edition.figures.items()}
        self._counters = {canonical(name): counter for name, counter in edition.counters.items()}
        self._zones = {canonical(name): zone for name, zone in edition.zones.items()}
        self._kinds = {canonical(name): kind for name, kind in edition.kinds.items()}
        self._lists = {canonical(name): words for name, words in edition.words.items()}
        self._options = {canonical(name): option for name, option in edition.options.items()}
        for kind in edition.kinds.values():
            if "{" not in kind.noun.many:
                self._kinds.setdefault(canonical(kind.noun.many), kind)

    # ── messages ──

    @contextmanager
    def reading(self, scalar: Scalar) -> Iterator[None]:
        """While the tree of `scalar` is compiled: messages point into it."""
        before, self._scalar = self._scalar, scalar
        try:
            yield
        finally:
            self._scalar = before

    def wrong(self, where: Tree[Token] | Token | None, code: str, message: str, hint: str = "") -> Wrong:
        """Report an error at a part of the sentence; the caller raises what this gives."""
        start, length = 0, len(self._scalar.text)
        if isinstance(where, Token):
            start, length = where.start_pos or 0, len(where)
        elif where is not None and not where.meta.empty:
            start, length = where.meta.start_pos, where.meta.end_pos - where.meta.start_pos
        self.report.error(self._scalar.place_at(start, max(1, length)), code, message, hint)
        return Wrong()

    def source_place(self, where: Tree[Token]) -> int:
        """The number of a source place that a run-time error names."""
        start = 0 if where.meta.empty else where.meta.start_pos
        place = self._scalar.place_at(start, 1)
        excerpt = self._scalar.text if len(self._scalar.text) < 80 else self._scalar.text[:77] + "…"
        return self.plan.place(f"{place.file}:{place.line}: '{excerpt}'")

    def parse(self, scalar: Scalar, start: str) -> Tree[Token]:
        try:
            return sentences.parse(scalar.text, start)
        except sentences.SentenceError as error:
            self.report.error(scalar.place_at(error.at, error.length), "syntax", error.message, error.hint)
            raise Wrong from None

    # ── entry points ──

    def meaning_of(self, scalar: Scalar, scope: Scope, expect: str = "") -> Meaning:
        """What a whole expression text stands for."""
        with self.reading(scalar):
            return self.meaning(self.parse(scalar, "value"), scope, expect)

    def meaning(self, tree: Tree[Token] | Token, scope: Scope, expect: str = "") -> Meaning:
        """expect: the word list whose words the expression may name, where the context tells."""
        if isinstance(tree, Token):
            raise self.wrong(tree, "syntax", f"I did not expect '{tree}' here.")
        if tree.data == "path":
            return self.path(tree, scope, expect)
        method: Callable[[Tree[Token], Scope], Meaning] = getattr(self, "on_" + str(tree.data))
        return method(tree, scope)

    def value(self, tree: Tree[Token] | Token, scope: Scope, wanted: Type | None = None, expect: str = "") -> Value:
        """One value; a set stands for its only member."""
        expect = expect or (str(wanted.detail) if wanted and wanted.base == "word" else "")
        value = self.single(self.meaning(tree, scope, expect), tree)
        if wanted is not None:
            self.demand(value.type, wanted, tree)
        return value

    def single(self, meaning: Meaning, tree: Tree[Token] | Token) -> Value:
        if isinstance(meaning, Value):
            return meaning
        place = self.source_place(tree) if isinstance(tree, Tree) else self.plan.place(str(tree))
        if isinstance(meaning, Place):
            size = self.emit.load(0, meaning.address)
            with self.emit.when(self.emit.value("unequal", size, ONE)):
                self.emit.op("fail", place)
            return Value(replace(meaning.type, many=False), self.emit.load(1, meaning.address))
        vector = self.vector(meaning)
        size = self.emit.register()
        self.emit.op("length", size >> 1, vector)
        with self.emit.when(self.emit.value("unequal", size, ONE)):
            self.emit.op("fail", place)
        item = self.emit.register()
        self.emit.op("item", item >> 1, vector, ZERO)
        return Value(replace(meaning.type, many=False), item)

    def group(self, tree: Tree[Token] | Token, scope: Scope, base: str = "") -> Group:
        """A set; one value stands for the set of it, and nobody for the empty one."""
        meaning = self.everyone(tree, scope) or self.meaning(tree, scope)
        found = self.as_group(meaning)
        if base and found.type.base != base:
            raise self.wrong(tree, "type", f"Expected a set of {base}s here; this is {described(meaning.type)}.")
        if not base and found.type.base in ("number", "truth"):
            raise self.wrong(tree, "type", f"Expected a set here; this is {described(meaning.type)}.")
        return found

    def everyone(self, tree: Tree[Token] | Token, scope: Scope) -> Group | None:
        """Where a set is expected, `seat` means all of them, as in `each seat`; elsewhere the acting one."""
        if isinstance(tree, Tree) and tree.data == "path" and tree.children[0] is None:
            names = [str(name) for name in tree.children[1:]]
            if len(names) == 1 and canonical(names[0]) == "seat" and "seat" not in scope.names:
                return self.fixed(SEAT, tuple(range(self.plan.seats)))
        return None

    def as_group(self, meaning: Meaning) -> Group:
        if isinstance(meaning, Group):
            return meaning
        value = meaning

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            with self.emit.when(self.emit.value("unequal", value.operand, NONE)):
                self.emit.op("push", vector, value.operand)
            with self.emit.each(vector) as item:
                body(item)

        return Group(replace(value.type, many=True), 1, walk)

    def number(self, tree: Tree[Token] | Token, scope: Scope) -> Value:
        return self.value(tree, scope, NUMBER)

    def truth(self, tree: Tree[Token] | Token, scope: Scope) -> int:
        return self.value(tree, scope, TRUTH).operand

    def demand(self, found: Type, wanted: Type, tree: Tree[Token] | Token) -> None:
        if not fits(found, wanted):
            raise self.wrong(tree, "type", f"Expected {described(wanted)} here; this is {described(found)}.")

    # ── sets ──

    def vector(self, group: Group) -> int:
        """The members as a vector register."""
        if group.vector is not None:
            return group.vector()
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        group.walk(lambda item: self.emit.op("push", vector, item), None)
        return vector

    def listed(self, type_: Type, capacity: int, make: Callable[[], int]) -> Group:
        """A set whose members `make` puts into a vector."""

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            with self.emit.each(make()) as item:
                body(item)

        return Group(replace(type_, many=True), capacity, walk, make)

    def fixed(self, type_: Type, members: tuple[int, ...]) -> Group:
        def make() -> int:
            vector = self.emit.vector()
            self.emit.op("fixed", vector, self.plan.table(members))
            return vector

        return self.listed(type_, len(members), make)

    def filtered(self, group: Group, keep: Callable[[int], int]) -> Group:
        """The members for which `keep(item)`, a truth, holds."""

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            def checked(item: int) -> None:
                with self.emit.when(keep(item)):
                    body(item)

            group.walk(checked, stop)

        return Group(group.type, group.capacity, walk)

    def size(self, group: Group) -> Value:
        if isinstance(group, Place):
            return Value(NUMBER, self.emit.load(0, group.address), 0, group.capacity)
        total = self.emit.variable(ZERO)
        group.walk(lambda _: self.emit.change("add", total, total, ONE), None)
        return Value(NUMBER, total, 0, group.capacity)

    def some(self, group: Group, holds: Callable[[int], int] | None = None) -> int:
        """Whether there is a member (for which `holds`)."""
        if isinstance(group, Place) and holds is None:
            return self.emit.value("less", ZERO, self.emit.load(0, group.address))
        found = self.emit.variable(ZERO)

        def body(item: int) -> None:
            if holds is None:
                self.emit.assign(found, ONE)
                self.emit.op("break")
            else:
                with self.emit.when(holds(item)):
                    self.emit.assign(found, ONE)
                    self.emit.op("break")

        group.walk(body, found)
        return found

    def element(self, group: Group, item: int) -> Value:
        return Value(replace(group.type, many=False), item)

    def kinds_in(self, type_: Type) -> frozenset[str]:
        return type_.detail if isinstance(type_.detail, frozenset) else frozenset()

    def of_kinds(self, group: Group, kinds: frozenset[str]) -> Group:
        """The pieces of these kinds."""
        have = self.kinds_in(group.type)
        if have <= kinds:
            return group
        type_ = Type("piece", have & kinds, True)
        capacity = min(group.capacity, self.plan.pieces_of(kinds))
        found = self.filtered(group, lambda piece: self.emit.look_up(self.plan.kind_table(kinds), piece))
        return Group(type_, capacity, found.walk)

    def zone(self, name: str, owner: int | None) -> Place:
        zone = self.edition.zones[name]
        base, stride, capacity = self.plan.zone(name)
        address = constant(base)
        if zone.of_seat:
            assert owner is not None
            address = self.emit.value("add", constant(base), self.emit.value("multiply", owner, constant(stride)))

        def make() -> int:
            vector = self.emit.vector()
            self.emit.op("read", vector, 0, address)
            return vector

        group = self.listed(Type("piece", zone.holds), capacity, make)
        return Place(group.type, capacity, group.walk, make, zone, address, owner)

    # ── names ──

    def me(self, scope: Scope, where: Tree[Token] | Token | None = None) -> int:
        """The acting seat."""
        if not scope.someone:
            raise self.wrong(where, "nobody-acts", "Nobody acts here, so there is no 'you' and nothing of a seat's.")
        if scope.me is not None:
            return scope.me
        return self.emit.kept("me", lambda: self.emit.load(ME))

    def path(self, tree: Tree[Token], scope: Scope, expect: str = "") -> Meaning:
        own, first, *rest = tree.children
        assert isinstance(first, Token)
        meaning = self.first_name(first, str(own) if own else "", scope, expect)
        for token in rest:
            assert isinstance(token, Token)
            if token.type == "NAME":
                meaning = self.possession(self.single(meaning, tree), token, scope)
        return meaning

    def first_name(self, token: Token, own: str, scope: Scope, expect: str) -> Meaning:
        name = canonical(str(token))
        if own == "its":
            if scope.item is None:
                raise self.wrong(token, "no-item", "'its' speaks of the thing that 'where', 'has' or an order looks at; there is none here.")
            return self.possession(self.single(scope.item, token), token, scope)
        if own != "my":
            if name == "it" and scope.item is not None:
                return scope.item
            if scope.item is not None and isinstance(scope.item, Value):
                found = self.of_thing(scope.item, name, scope)
                if found is not None:
                    return found
            if name in scope.names:
                return scope.names[name]()
            if expect and (word := self.word(name, expect)) is not None:
                return word
        if scope.someone:
            found = self.of_seat(name, lambda: self.me(scope, token), scope)
            if found is not None:
                return found
        if own != "my":
            found = self.of_game(name, scope)
            if found is None:
                found = self.builtin(name, scope, token)
            if found is not None:
                return found
        raise self.unknown(token, scope)

    def possession(self, owner: Value, token: Token, scope: Scope) -> Meaning:
        """What a name means with an owner: talisman's owner, heir's front, wanted's home."""
        found = self.of_thing(owner, canonical(str(token)), scope)
        if found is None:
            has = self.things_of(owner.type)
            message = f"{described(owner.type).capitalize()} has no '{token}'."
            raise self.wrong(token, "unknown-name", message, nearest(str(token), has))
        return found

    def of_thing(self, owner: Value, name: str, scope: Scope) -> Meaning | None:
        if owner.type.base == "seat":
            return self.of_seat(name, lambda: owner.operand, scope)
        if owner.type.base == "piece":
            if name == "owner":
                address = self.emit.load(self.plan.at, owner.operand)
                return Value(SEAT, self.emit.look_up(self.plan.owner_table(), address))
            return self.attribute(owner, name)
        if owner.type.base == "word":
            return self.word_attribute(owner, name)
        return None

    def attribute(self, piece: Value, name: str) -> Value | None:
        for kind in sorted(self.kinds_in(piece.type)):
            for attribute, type_ in self.edition.kinds[kind].attributes.items():
                if canonical(attribute) == name:
                    table, low, high = self.plan.attribute_table(attribute)
                    operand = self.emit.look_up(table, piece.operand)
                    if type_ == "number":
                        return Value(NUMBER, operand, low, high)
                    return Value(Type("word", type_), operand)
        for kind in sorted(self.kinds_in(piece.type)):  # a word's attributes are its piece's as well
            for attribute, type_ in self.edition.kinds[kind].attributes.items():
                if type_ != "number" and name in map(canonical, self.edition.words[type_].attributes):
                    word = self.attribute(piece, canonical(attribute))
                    return self.word_attribute(word, name) if word else None
        return None

    def word_attribute(self, word: Value, name: str) -> Value | None:
        words = self.edition.words[str(word.type.detail)]
        for attribute, type_ in words.attributes.items():
            if canonical(attribute) == name:
                values = tuple(entry.attributes.get(attribute, -1) for entry in words.words)
                operand = self.emit.look_up(self.plan.table((*values, -1)), word.operand)
                if type_ == "number":
                    return Value(NUMBER, operand, min(values), max(values))
                return Value(Type("word", type_), operand)
        return None

    def of_seat(self, name: str, seat: Callable[[], int], scope: Scope) -> Meaning | None:
        zone = self._zones.get(name)
        if zone is not None and zone.of_seat:
            return self.zone(zone.name, seat())
        figure = self._figures.get(name)
        if figure is not None and figure.of_seat and not figure.parameters:
            return self.figure(figure, seat(), [], scope)
        counter = self._counters.get(name)
        if counter is not None and counter.of_seat:
            return self.tally(name, seat())
        return None

    def of_game(self, name: str, scope: Scope) -> Meaning | None:
        zone = self._zones.get(name)
        if zone is not None and not zone.of_seat:
            return self.zone(zone.name, None)
        figure = self._figures.get(name)
        if figure is not None and not figure.of_seat and not figure.parameters:
            return self.figure(figure, None, [], scope)
        counter = self._counters.get(name)
        if counter is not None and not counter.of_seat:
            return self.tally(name, ZERO)
        option = self._options.get(name)
        if option is not None and option.choices == ("no", "yes"):
            return Value(TRUTH, self.emit.load(self.plan.option(option.name)), 0, 1)
        return None

    def tally(self, name: str, index: int) -> Tally:
        counter = self._counters[name]
        cell, truth = self.plan.counter(counter.name)
        low, high = (0, 1) if truth else (-UNBOUNDED, UNBOUNDED)
        return Tally(TRUTH if truth else NUMBER, self.emit.load(cell, index), low, high, counter, cell, index)

    def builtin(self, name: str, scope: Scope, token: Token) -> Meaning | None:
        if name in ("you", "seat") and str(token) != "seats":
            return Value(SEAT, self.me(scope, token))
        if name == "seat":
            return self.fixed(SEAT, tuple(range(self.plan.seats)))
        if name in ("player", "virtual player"):
            virtual = name != "player"
            everyone = self.fixed(SEAT, tuple(range(self.plan.seats)))
            return self.filtered(everyone, lambda seat: self.is_virtual(seat, virtual))
        if name == "opponent":
            return self.opponents(self.me(scope, token))
        if name in ("nobody", "nothing"):
            return Value(NOTHING, NONE)
        if name in map(canonical, ANY_PIECE) and name not in self._kinds:
            return self.pieces(frozenset(self.edition.kinds))
        if name in self._kinds:
            return self.pieces(frozenset([self._kinds[name].name]))
        if name in self._lists:
            words = self._lists[name]
            return self.fixed(Type("word", words.name), tuple(range(len(words.words))))
        homes = [words.name for words in self.edition.words.values() if self.word(name, words.name)]
        if len(homes) > 1:
            raise self.wrong(token, "ambiguous-word", f"'{token}' is a word of {' and of '.join(homes)}; I cannot tell which is meant.")
        return self.word(name, homes[0]) if homes else None

    def is_virtual(self, seat: int, virtual: bool) -> int:
        role = self.emit.load(self.plan.role, seat)
        return self.emit.value("unequal" if virtual else "equal", role, NONE)

    def opponents(self, me: int) -> Group:
        seats = self.plan.seats
        rows = [(seat + step) % seats for seat in range(seats) for step in range(1, seats)]

        def make() -> int:
            vector = self.emit.vector()
            self.emit.op("row", vector, self.plan.table(tuple(rows)), me, seats - 1)
            return vector

        return self.listed(SEAT, seats - 1, make)

    def pieces(self, kinds: frozenset[str]) -> Group:
        return self.fixed(Type("piece", kinds), self.plan.pieces(kinds))

    def word(self, name: str, word_list: str) -> Value | None:
        for index, word in enumerate(self.edition.words[word_list].words):
            if canonical(word.name) == name:
                return Value(Type("word", word_list), constant(index))
        return None

    def things_of(self, type_: Type) -> list[str]:
        """The names that mean something with such an owner."""
        if type_.base == "seat":
            named = (self.edition.zones, self.edition.figures, self.edition.counters)
            return [name for table in named for name, thing in table.items() if thing.of_seat]
        if type_.base == "piece":
            kinds = [self.edition.kinds[kind] for kind in self.kinds_in(type_)]
            lists = [self.edition.words[t] for kind in kinds for t in kind.attributes.values() if t != "number"]
            return ["owner", *(a for kind in kinds for a in kind.attributes), *(a for w in lists for a in w.attributes)]
        if type_.base == "word":
            return list(self.edition.words[str(type_.detail)].attributes)
        return []

    def names(self, scope: Scope) -> list[str]:
        """Every name that means something here."""
        edition = self.edition
        tables = (edition.zones, edition.figures, edition.counters, edition.options, edition.kinds, edition.words)
        found = [name for table in tables for name in table]
        found += [word.name for words in edition.words.values() for word in words.words]
        found += ["seats", "players", "virtual players", "opponents", "you", "nobody", *scope.names]
        return found + (self.things_of(scope.item.type) if scope.item else [])

    def unknown(self, token: Token, scope: Scope) -> Wrong:
        text, known_names = str(token), self.names(scope)
        figure = self._figures.get(canonical(text))
        if figure is not None and figure.parameters:
            needed = figure.parameters[0][0]
            return self.wrong(token, "argument-missing", f"'{text}' needs to be told for which {needed}: '{text} for …'.")
        if figure is not None or canonical(text) in self._zones or canonical(text) in self._counters:
            return self.wrong(token, "nobody-acts", f"'{text}' belongs to a seat, and nobody acts here.")
        hint = nearest(text, known_names) or self.keyword_hint(text, known_names)
        return self.wrong(token, "unknown-name", f"Nothing here is called '{text}'.", hint)

    def keyword_hint(self, text: str, known_names: list[str]) -> str:
        """For names that swallowed a misspelt keyword, such as 'any seat have waiting'."""
        known_canonical = {canonical(name) for name in known_names}
        words = text.split()
        for size in range(len(words) - 1, 0, -1):
            for start in range(len(words) - size + 1):
                inside = " ".join(words[start : start + size])
                if canonical(inside) in known_canonical:
                    odd = [*words[:start], *words[start + size :]]
                    close = nearest(odd[0], sentences.keywords())
                    return f"'{inside}' is known, so what is '{odd[0]}'? {close}".strip()
        return ""

    # ── figures and what changes them ──

    def figure(self, figure: Figure, owner: int | None, arguments: list[Binding], scope: Scope) -> Meaning:
        """A value or term for a seat (or the game), with every change that is active for it."""
        if figure.name in self._figures_open:
            chain = " → ".join([*self._figures_open[self._figures_open.index(figure.name) :], figure.name])
            self.report.error(figure.place, "circular", f"This is worked out from itself: {chain}.")
            raise Wrong
        self._figures_open.append(figure.name)
        try:
            inner = Scope(step=figure.name, me=owner, someone=owner is not None)
            for (name, _), argument in zip(figure.parameters, arguments, strict=True):
                inner.bind(name, argument)
            return self.changed(figure, owner, inner)
        finally:
            self._figures_open.pop()

    def changed(self, figure: Figure, owner: int | None, scope: Scope) -> Meaning:
        base = self.unchanged(figure, scope)
        changes = [
            (changes, operation, text)
            for level in _LEVELS
            for operation in ("add", "set")
            for changes in self.edition.change_sets
            if changes.level == level
            for found, text in [changes.changes.get(figure.name, ("", figure.body))]
            if found == operation
        ]
        if not changes:
            return base
        return self.chosen(base, changes, owner, scope) if isinstance(base, Group) else self.adjusted(
            base, changes, owner, scope
        )  # fmt: skip

    def adjusted(
        self, base: Value, changes: list[tuple[ChangeSet, str, Scalar]], owner: int | None, scope: Scope
    ) -> Value:
        result, low, high = self.emit.variable(base.operand), base.low, base.high
        for change_set, operation, text in changes:
            with self.reading(text), self.emit.when(self.active(change_set, owner)):
                if operation == "add":
                    amount = self.number(self.parse(_without_plus(text), "value"), scope)
                    self.emit.change("add", result, result, amount.operand)
                    low, high = _bounded(low + min(0, amount.low)), _bounded(high + max(0, amount.high))
                else:
                    value = self.value(self.parse(text, "value"), scope, base.type)
                    self.emit.assign(result, value.operand)
                    low, high = min(low, value.low), max(high, value.high)
        return Value(base.type, result, low, high)

    def chosen(
        self, base: Group, changes: list[tuple[ChangeSet, str, Scalar]], owner: int | None, scope: Scope
    ) -> Group:
        """A set that change sets replace: the last active one counts."""
        others: list[tuple[ChangeSet, Scalar]] = []
        capacity = base.capacity
        for change_set, operation, text in changes:
            with self.reading(text):
                tree = self.parse(_without_plus(text), "value")
                if operation == "add":
                    raise self.wrong(tree, "type", "Only numbers can be added to; this is a set.", "Say the whole set.")
                group = self.as_group(self.meaning(tree, scope))
                self.demand(group.type, base.type, tree)
                capacity = max(capacity, group.capacity)
            others.append((change_set, text))

        def make() -> int:
            which = self.emit.variable(ZERO)
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            for number, (change_set, _) in enumerate(others, 1):
                with self.emit.when(self.active(change_set, owner)):
                    self.emit.assign(which, constant(number))
            with self.emit.when(self.emit.value("equal", which, ZERO)):
                base.walk(lambda item: self.emit.op("push", vector, item), None)
            for number, (_, text) in enumerate(others, 1):
                with self.reading(text), self.emit.when(self.emit.value("equal", which, constant(number))):
                    group = self.as_group(self.meaning(self.parse(text, "value"), scope))
                    group.walk(lambda item: self.emit.op("push", vector, item), None)
            return vector

        return self.listed(base.type, capacity, make)

    def unchanged(self, figure: Figure, scope: Scope) -> Meaning:
        with self.reading(figure.body):
            tree = self.parse(figure.body, "value")
            if not figure.cases:
                return self.meaning(tree, scope)
            subject = self.value(tree, scope)
        result, bounds, type_ = self.emit.variable(ZERO), [0, 0], NUMBER
        for key, text in figure.cases:
            with self.reading(key):
                case = self.value(self.parse(key, "value"), scope, subject.type)
            with self.reading(text), self.emit.when(self.emit.value("equal", subject.operand, case.operand)):
                value = self.value(self.parse(text, "value"), scope, NUMBER)
                self.emit.assign(result, value.operand)
                bounds += [value.low, value.high]
        return Value(type_, result, min(bounds), max(bounds))

    def active(self, change_set: ChangeSet, owner: int | None) -> int:
        """Whether a change set holds for a seat (for the game, if there is no owner)."""
        if change_set.level == "option":
            option = self.edition.options[change_set.name]
            cell = self.emit.load(self.plan.option(option.name))
            return self.emit.value("equal", cell, constant(option.choices.index(change_set.choice)))
        if owner is None:
            message = f"A {change_set.level} changes only what belongs to a seat; this belongs to the game."
            raise self.wrong(None, "owner", message)
        role = self.emit.load(self.plan.role, owner)
        if change_set.level == "role":
            return self.emit.value("equal", role, constant(list(self.edition.roles).index(change_set.name)))
        return self.holds_power(change_set.name, owner, role)

    def holds_power(self, power: str, owner: int, role: int) -> int:
        held = self.emit.variable(ZERO)
        for zone, pieces in self.plan.power_pieces(power):
            address = self.zone(zone, owner).address
            for piece in pieces:
                at = self.emit.load(self.plan.at, constant(piece))
                with self.emit.when(self.emit.value("equal", at, address)):
                    self.emit.assign(held, ONE)
        if not all(other.uses_powers for other in self.edition.roles.values()):
            uses = tuple(int(other.uses_powers) for other in self.edition.roles.values())
            with self.emit.when(self.emit.negated(self.emit.look_up(self.plan.table((*uses, 1)), role))):
                self.emit.assign(held, ZERO)
        return held

    def on_lookup(self, tree: Tree[Token], scope: Scope) -> Meaning:
        """herd for kind: a figure that needs an argument, of the acting seat or of `X's`."""
        path, argument = tree.children
        assert isinstance(path, Tree)
        own, *names = path.children
        token = names[-1]
        assert isinstance(token, Token)
        figure = self._figures.get(canonical(str(token)))
        if figure is None or not figure.parameters:
            hint = nearest(str(token), [name for name, found in self.edition.figures.items() if found.parameters])
            raise self.wrong(token, "unknown-name", f"There is no value or term '{token}' that is told 'for' which.", hint)
        owner: int | None = None
        if figure.of_seat:
            if len(names) > 1:
                whose = Tree("path", [own, *names[:-2]], path.meta)
                owner = self.value(whose, scope, SEAT).operand
            elif own is None and isinstance(scope.item, Value) and scope.item.type.base == "seat":
                owner = scope.item.operand
            else:
                owner = self.me(scope, token)
        wanted = self.declared_type(figure.parameters[0][1])
        assert not isinstance(argument, str)
        value = self.value(argument, scope, wanted)
        return self.figure(figure, owner, [lambda: value], scope)

    def declared_type(self, scalar: Scalar) -> Type:
        """The type that a parameter's declaration names: species, animal, animals, seat, seats, number."""
        name, many = canonical(scalar.text), scalar.text.strip() != canonical(scalar.text)
        if name in ("number", "seat"):
            return Type(name, "", many)
        if name in self._lists:
            words = self._lists[name].name
            return Type("word", words, many and scalar.text != words)
        if name in self._kinds:
            return Type("piece", frozenset([self._kinds[name].name]), many)
        if name in map(canonical, ANY_PIECE):
            return Type("piece", frozenset(self.edition.kinds), many)
        known_types = ["number", "seat", *self.edition.words, *self.edition.kinds]
        message = f"Expected what a parameter is: a number, a seat, a kind of piece or a word list, not '{scalar.text}'."
        self.report.error(scalar.place, "unknown-name", message, nearest(scalar.text, known_types))
        raise Wrong

    # ── truths ──

    def on_or_(self, tree: Tree[Token], scope: Scope) -> Value:
        result = self.emit.variable(self.truth(tree.children[0], scope))
        with self.emit.when(self.emit.negated(result)):
            self.emit.assign(result, self.truth(tree.children[1], scope))
        return Value(TRUTH, result, 0, 1)

    def on_and_(self, tree: Tree[Token], scope: Scope) -> Value:
        result = self.emit.variable(self.truth(tree.children[0], scope))
        with self.emit.when(result):
            self.emit.assign(result, self.truth(tree.children[1], scope))
        return Value(TRUTH, result, 0, 1)

    def on_not_(self, tree: Tree[Token], scope: Scope) -> Value:
        return Value(TRUTH, self.emit.negated(self.truth(tree.children[-1], scope)), 0, 1)

    def on_true(self, tree: Tree[Token], scope: Scope) -> Value:
        return Value(TRUTH, ONE, 0, 1)

    def on_false(self, tree: Tree[Token], scope: Scope) -> Value:
        return Value(TRUTH, ZERO, 0, 1)

    def on_compare(self, tree: Tree[Token], scope: Scope) -> Value:
        left_tree, operator, right_tree = tree.children
        assert not isinstance(left_tree, str) and not isinstance(right_tree, str)
        relation = " ".join(str(operator).split()[1:])
        left = self.single(self.meaning(left_tree, scope), left_tree)
        expect = str(left.type.detail) if left.type.base == "word" else ""
        right = self.value(right_tree, scope, None, expect)
        if not fits(right.type, left.type) and not fits(left.type, right.type):
            message = f"This compares {described(left.type)} with {described(right.type)}."
            raise self.wrong(tree, "type", message)
        if relation not in ("", "not") and left.type.base != "number":
            raise self.wrong(left_tree, "type", f"Only numbers are more or less; this is {described(left.type)}.")
        a, b = left.operand, right.operand
        forms = {
            "": ("equal", a, b),
            "not": ("unequal", a, b),
            "at least": ("at_most", b, a),
            "at most": ("at_most", a, b),
            "more than": ("less", b, a),
            "less than": ("less", a, b),
        }
        return Value(TRUTH, self.emit.value(*forms[relation]), 0, 1)

    def on_among(self, tree: Tree[Token], scope: Scope) -> Value:
        left_tree, operator, right_tree = tree.children
        assert not isinstance(left_tree, str) and not isinstance(right_tree, str)
        left = self.value(left_tree, scope)
        group = self.group(right_tree, scope, left.type.base)
        found = self.some(group, lambda item: self.emit.value("equal", item, left.operand))
        return Value(TRUTH, self.emit.negated(found) if "not" in str(operator) else found, 0, 1)

    def on_empty(self, tree: Tree[Token], scope: Scope) -> Value:
        group = self.group(tree.children[0], scope)
        found = self.some(group)
        return Value(TRUTH, found if "not" in str(tree.children[1]) else self.emit.negated(found), 0, 1)

    def on_exists(self, tree: Tree[Token], scope: Scope) -> Value:
        quantifier = _quantifier(tree)
        if quantifier == "every":
            raise self.wrong(tree, "syntax", "'every' is followed by 'has' and a condition.", "For example: every card in hand has (value is 1).")
        found = self.some(self.group(tree.children[1], scope))
        return Value(TRUTH, self.emit.negated(found) if quantifier == "no" else found, 0, 1)

    def on_quantified(self, tree: Tree[Token], scope: Scope) -> Value:
        quantifier = _quantifier(tree)
        group = self.group(tree.children[1], scope)

        def holds(item: int) -> int:
            condition = self.truth(tree.children[2], scope.within(self.element(group, item)))
            return self.emit.negated(condition) if quantifier == "every" else condition

        found = self.some(group, holds)
        return Value(TRUTH, found if quantifier == "any" else self.emit.negated(found), 0, 1)

    # ── numbers ──

    def on_number(self, tree: Tree[Token], scope: Scope) -> Value:
        return self.literal(tree, 1)

    def on_negative(self, tree: Tree[Token], scope: Scope) -> Value:
        return self.literal(tree, -1)

    def literal(self, tree: Tree[Token], sign: int) -> Value:
        digits = str(tree.children[0])
        if len(digits) > 9:
            raise self.wrong(tree, "number-too-large", "A number has at most nine digits.")
        number = sign * int(digits)
        return Value(NUMBER, constant(number), number, number)

    def on_plus(self, tree: Tree[Token], scope: Scope) -> Value:
        a, b = (self.number(child, scope) for child in tree.children)
        operand = self.emit.value("add", a.operand, b.operand)
        return Value(NUMBER, operand, _bounded(a.low + b.low), _bounded(a.high + b.high))

    def on_minus(self, tree: Tree[Token], scope: Scope) -> Value:
        a, b = (self.number(child, scope) for child in tree.children)
        operand = self.emit.value("subtract", a.operand, b.operand)
        return Value(NUMBER, operand, _bounded(a.low - b.high), _bounded(a.high - b.low))

    def on_times(self, tree: Tree[Token], scope: Scope) -> Value:
        a, b = (self.number(child, scope) for child in tree.children)
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        operand = self.emit.value("multiply", a.operand, b.operand)
        return Value(NUMBER, operand, _bounded(min(corners)), _bounded(max(corners)))

    def on_over(self, tree: Tree[Token], scope: Scope) -> Value:
        a, b = self.number(tree.children[0], scope), self.number(tree.children[1], scope)
        operation = "divide_up" if str(tree.children[2]).endswith("up") else "divide_down"
        result = self.emit.register()
        self.emit.op(operation, result >> 1, a.operand, b.operand, self.source_place(tree))
        largest = max(abs(a.low), abs(a.high))
        return Value(NUMBER, result, -largest, largest)

    def on_number_of(self, tree: Tree[Token], scope: Scope) -> Value:
        return self.size(self.group(tree.children[0], scope))

    def on_total(self, tree: Tree[Token], scope: Scope) -> Value:
        name, group_tree = tree.children
        assert isinstance(name, Token) and not isinstance(group_tree, str)
        group = self.group(group_tree, scope)
        total = self.emit.variable(ZERO)
        bounds = [0, 0]

        def body(item: int) -> None:
            figure = self.single(self.possession(self.element(group, item), name, scope), name)
            self.demand(figure.type, NUMBER, name)
            self.emit.change("add", total, total, figure.operand)
            bounds[:] = [figure.low, figure.high]

        group.walk(body, None)
        low, high = (_bounded(bound * group.capacity) for bound in bounds)
        return Value(NUMBER, total, min(0, low), max(0, high))

    def on_extreme(self, tree: Tree[Token], scope: Scope) -> Value:
        """highest herd among opponents; 0 where there is nobody."""
        extreme, figure_tree, group_tree = tree.children
        assert not isinstance(figure_tree, str) and not isinstance(group_tree, str)
        group = self.group(group_tree, scope)
        best, found = self.emit.variable(ZERO), self.emit.variable(ZERO)
        bounds = [0, 0]

        def body(item: int) -> None:
            figure = self.number(figure_tree, scope.within(self.element(group, item)))
            bounds[:] = [min(0, figure.low), max(0, figure.high)]
            better = ("less", best, figure.operand) if str(extreme) == "highest" else ("less", figure.operand, best)
            take = self.emit.variable(self.emit.value(*better))
            with self.emit.when(self.emit.negated(found)):
                self.emit.assign(take, ONE)
                self.emit.assign(found, ONE)
            with self.emit.when(take):
                self.emit.assign(best, figure.operand)

        group.walk(body, None)
        return Value(NUMBER, best, bounds[0], bounds[1])

    def on_extreme_of(self, tree: Tree[Token], scope: Scope) -> Value:
        """highest of (1, food - 3)"""
        extreme, *rest = tree.children
        values = [self.number(child, scope) for child in rest]
        best = self.emit.variable(values[0].operand)
        for value in values[1:]:
            pair = (best, value.operand) if str(extreme) == "highest" else (value.operand, best)
            with self.emit.when(self.emit.value("less", *pair)):
                self.emit.assign(best, value.operand)
        pick = max if str(extreme) == "highest" else min
        return Value(NUMBER, best, pick(v.low for v in values), pick(v.high for v in values))

    # ── sets ──

    def on_where(self, tree: Tree[Token], scope: Scope) -> Group:
        group = self.group(tree.children[0], scope)
        scalar = self._scalar

        def keep(item: int) -> int:
            with self.reading(scalar):
                return self.truth(tree.children[1], scope.within(self.element(group, item)))

        return self.filtered(group, keep)

    def on_best(self, tree: Tree[Token], scope: Scope) -> Group:
        group_tree, extreme, figure = tree.children
        return self.best_of(self.group(group_tree, scope), str(extreme), figure, scope)

    def on_best_where(self, tree: Tree[Token], scope: Scope) -> Group:
        group_tree, condition, extreme, figure = tree.children
        where: Tree[Token] = Tree("where", [group_tree, condition], tree.meta)
        return self.best_of(self.on_where(where, scope), str(extreme), figure, scope)

    def best_of(self, group: Group, extreme: str, figure_tree: Tree[Token] | Token, scope: Scope) -> Group:
        """All the members that have the highest (lowest) figure."""
        scalar = self._scalar

        def make() -> int:
            with self.reading(scalar):
                vector, best = self.emit.vector(), self.emit.variable(ZERO)
                self.emit.op("vector", vector)

                def body(item: int) -> None:
                    figure = self.number(figure_tree, scope.within(self.element(group, item)))
                    pair = (best, figure.operand) if extreme == "highest" else (figure.operand, best)
                    size = self.emit.register()
                    self.emit.op("length", size >> 1, vector)
                    better = self.emit.variable(self.emit.value("equal", size, ZERO))
                    with self.emit.when(self.emit.negated(better)):
                        self.emit.assign(better, self.emit.value("less", *pair))
                    with self.emit.when(better):
                        self.emit.op("vector", vector)
                        self.emit.assign(best, figure.operand)
                    with self.emit.when(self.emit.value("equal", figure.operand, best)):
                        self.emit.op("push", vector, item)

                group.walk(body, None)
                return vector

        return self.listed(group.type, group.capacity, make)

    def on_union(self, tree: Tree[Token], scope: Scope) -> Group:
        first, second = (self.group(child, scope) for child in tree.children)
        if first.type.base != second.type.base:
            raise self.wrong(tree, "type", f"This joins {described(first.type)} and {described(second.type)}.")
        type_ = first.type
        if type_.base == "piece":
            type_ = Type("piece", self.kinds_in(first.type) | self.kinds_in(second.type), True)

        def walk(body: Callable[[int], None], stop: int | None) -> None:
            first.walk(body, stop)
            if stop is None:
                second.walk(body, stop)
            else:
                with self.emit.when(self.emit.negated(stop)):
                    second.walk(body, stop)

        return Group(type_, first.capacity + second.capacity, walk)

    def on_inside(self, tree: Tree[Token], scope: Scope) -> Group:
        """animals in display; also any other set of pieces, as far as it lies there."""
        what, where = tree.children
        assert isinstance(what, Tree) and not isinstance(where, str)
        place = self.group(where, scope, "piece")
        own, name, *rest = what.children
        if own is None and not rest and canonical(str(name)) not in scope.names:
            key = canonical(str(name))
            if key in self._kinds:
                kind = self._kinds[key].name
                if kind not in self.kinds_in(place.type):
                    raise self.wrong(what, "zone-does-not-hold", f"There is never a {kind} in {described(place.type)}.")
                return self.of_kinds(place, frozenset([kind]))
            if key in map(canonical, ANY_PIECE):
                return place
        if not isinstance(place, Place):
            raise self.wrong(where, "type", f"Expected a zone after 'in'; this is {described(place.type)}.")
        group = self.group(what, scope, "piece")
        lying = self.filtered(
            group, lambda piece: self.emit.value("equal", self.emit.load(self.plan.at, piece), place.address)
        )
        return Group(lying.type, min(group.capacity, place.capacity), lying.walk)

    def on_some_of(self, tree: Tree[Token], scope: Scope) -> Group:
        end, amount_tree, group_tree = tree.children
        amount = self.number(amount_tree, scope)
        group = self.group(group_tree, scope)
        from_end = str(end) in ("top", "last")

        def make() -> int:
            vector, taken = self.vector(group), self.emit.vector()
            size = self.emit.register()
            self.emit.op("length", size >> 1, vector)
            self.emit.op("vector", taken)
            index = self.emit.variable(ZERO)
            with self.emit.loop():
                done = self.emit.variable(self.emit.value("at_most", size, index))
                with self.emit.when(self.emit.value("at_most", amount.operand, index)):
                    self.emit.assign(done, ONE)
                with self.emit.when(done):
                    self.emit.op("break")
                at = index
                if from_end:
                    at = self.emit.value("subtract", self.emit.value("subtract", size, index), ONE)
                item = self.emit.register()
                self.emit.op("item", item >> 1, vector, at)
                self.emit.op("push", taken, item)
                self.emit.change("add", index, index, ONE)
            return taken

        return self.listed(group.type, max(0, min(group.capacity, amount.high)), make)

    def on_next_of(self, tree: Tree[Token], scope: Scope) -> Value:
        """The first member clockwise after a seat; the seat itself comes last; nobody if there is none."""
        group = self.group(tree.children[0], scope, "seat")
        after = self.value(tree.children[1], scope, SEAT)
        best, distance = self.emit.variable(NONE), self.emit.variable(constant(self.plan.seats + 1))

        def body(seat: int) -> None:
            steps = self.clockwise_distance(self.emit.value("add", after.operand, ONE), seat)
            with self.emit.when(self.emit.value("less", steps, distance)):
                self.emit.assign(distance, steps)
                self.emit.assign(best, seat)

        group.walk(body, None)
        return Value(SEAT, best)

    def clockwise_distance(self, start: int, seat: int) -> int:
        """Steps clockwise from `start` (which may be one beyond the last seat) to `seat`."""
        seats = self.plan.seats
        steps = self.emit.value("add", self.emit.value("subtract", seat, start), constant(seats))
        return self.emit.look_up(self.plan.table(tuple(n % seats for n in range(2 * seats + 1))), steps)

    def on_left_of(self, tree: Tree[Token], scope: Scope) -> Value:
        seat = self.value(tree.children[0], scope, SEAT)
        seats = self.plan.seats
        left = tuple((n + 1) % seats for n in range(seats))
        return Value(SEAT, self.emit.look_up(self.plan.table((*left, -1)), seat.operand))

    def on_group_of(self, tree: Tree[Token], scope: Scope) -> Group:
        """group 2 of collection by species: the members of the second largest group of equals."""
        rank_tree, group_tree, name = tree.children
        assert isinstance(name, Token)
        rank = self.number(rank_tree, scope)
        group = self.group(group_tree, scope)

        def make() -> int:
            vector, keys, members = self.vector(group), self.emit.vector(), self.emit.vector()
            self.emit.op("vector", keys)
            with self.emit.each(vector) as item:
                key = self.single(self.possession(self.element(group, item), name, scope), name)
                self.emit.op("push", keys, key.operand)
            self.emit.op("largest_group", members, vector, keys, rank.operand)
            return members

        make_checked = make
        return self.listed(group.type, group.capacity, make_checked)


def fits(found: Type, wanted: Type) -> bool:
    """Whether what is found may stand where something is wanted."""
    if found.base == "nothing":
        return wanted.base in ("seat", "piece", "word", "nothing")
    if found.base != wanted.base:
        return False
    if found.base == "piece" and wanted.detail and found.detail:
        return bool(frozenset(found.detail) & frozenset(wanted.detail))
    return found.base != "word" or not wanted.detail or not found.detail or found.detail == wanted.detail


def _bounded(number: int) -> int:
    return max(-UNBOUNDED, min(UNBOUNDED, number))


def _quantifier(tree: Tree[Token]) -> str:
    quantifier = tree.children[0]
    assert isinstance(quantifier, Tree)
    return str(quantifier.children[0])


def _without_plus(scalar: Scalar) -> Scalar:
    """The amount of an addition, '+2', as an expression."""
    text = scalar.text
    return replace(scalar, text=text.replace("+", " ", 1)) if text.lstrip().startswith("+") else scalar


__all__ = ["Expressions", "Wrong", "fits", "known"]
