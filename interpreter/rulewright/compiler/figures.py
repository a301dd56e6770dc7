"""Values and terms, and the change sets of options, roles and powers that alter them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rulewright.base.diagnostics import nearest
from rulewright.compiler import attributes
from rulewright.compiler.core import Doubt, Wrong
from rulewright.compiler.emitter import DEEPEST_CALLS, ONE, ZERO, TooLarge, constant, known
from rulewright.compiler.meaning import NUMBER, SEAT, UNBOUNDED, Binding, Group, Meaning, Scope, Value, fits
from rulewright.compiler.names import ANY_PIECE, Names
from rulewright.model.declarations import ChangeSet, Figure, canonical
from rulewright.program.form import Type
from rulewright.syntax.source import Scalar
from rulewright.syntax.trees import Token, Tree

_LEVELS = ("option", "role", "power")


class Figures(Names):
    """Works out figures. A later level changes what an earlier one left; within a level additions come first."""

    def figure(self, figure: Figure, owner: int | None, arguments: list[Binding], scope: Scope) -> Meaning:
        """A value or term for a seat (or the game), with every change that is active for it."""
        if figure.name in self._figures_open:
            chain = " → ".join([*self._figures_open[self._figures_open.index(figure.name) :], figure.name])
            self.report.error(figure.place, "circular", f"This is worked out from itself: {chain}.")
            raise Wrong
        if len(self._figures_open) >= DEEPEST_CALLS:
            raise TooLarge
        self.count_part()
        self._figures_open.append(figure.name)
        try:
            inner = self.owned(figure.name, figure.of, owner)
            for (name, _), argument in zip(figure.parameters, arguments, strict=True):
                inner.bind(name, argument)
            found = self.changed(figure, owner if figure.of == SEAT.base else None, inner)
        finally:
            self._figures_open.pop()
        if not arguments:
            self.whole_figures.add(figure.name)
        return found

    def owned(self, name: str, of: str, owner: int | None) -> Scope:
        """The scope of what belongs to a seat, to a word of a list (which is the item there), or to the table."""
        if of in ("", SEAT.base):
            return Scope(name, me=owner, someone=owner is not None)
        assert owner is not None
        word = Value(Type("word", of), owner)
        scope = Scope(name, someone=False, item=word)
        scope.bind(of, lambda: word)
        return scope

    def changed(self, figure: Figure, owner: int | None, scope: Scope) -> Meaning:
        base = self.unchanged(figure, scope)
        changes: list[tuple[ChangeSet, str, Scalar]] = [
            (changes, operation, text)
            for level in _LEVELS
            for operation in ("add", "set")
            for changes in self.edition.change_sets
            if changes.level == level
            for found, text in [changes.changes.get(figure.name, ("", figure.body))]
            if found == operation and not self.never(changes)
        ]
        if not changes:
            return base
        for change_set, _, text in changes:
            if figure.of in self.edition.words and change_set.level != "option":
                message = f"A {change_set.level} changes only what belongs to a seat; this belongs to each {figure.of}."
                self.report.error(text.place, "owner", message, "Let an option change it.")
                raise Wrong
        return self.chosen(base, changes, owner, scope) if isinstance(base, Group) else self.adjusted(
            base, changes, owner, scope
        )  # fmt: skip

    def never(self, changes: ChangeSet) -> bool:
        """Whether it is known that a change set is not active at this table."""
        setting = self.plan.setting
        if setting is None or changes.level == "power":
            return False
        if changes.level == "role":
            return list(self.edition.roles).index(changes.name) not in setting.roles
        return known(self.active(changes, None)) == 0

    def adjusted(
        self, base: Value, changes: list[tuple[ChangeSet, str, Scalar]], owner: int | None, scope: Scope
    ) -> Value:
        result, low, high, maybe = self.emit.variable(base.operand), base.low, base.high, base.maybe
        for change_set, operation, text in changes:
            with self.reading(text), self.while_active(change_set, owner):
                if operation == "add":
                    tree = self.parse(_without_plus(text), "value")
                    amount = self.number(tree, scope)
                    self.emit.change("add", result, result, amount.operand)
                    low, high = low + min(0, amount.low), high + max(0, amount.high)
                    if low < -UNBOUNDED or high > UNBOUNDED:
                        self.emit.change("checked", result, result, self.source_place(tree))
                    low, high = bounded(low), bounded(high)
                else:
                    value = self.value(self.parse(text, "value"), scope, base.type)
                    self.emit.assign(result, value.operand)
                    low, high, maybe = min(low, value.low), max(high, value.high), maybe or value.maybe
        return Value(base.type, result, low, high, maybe)

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
                self.append(vector, base)
            for number, (_, text) in enumerate(others, 1):
                with self.reading(text), self.emit.when(self.emit.value("equal", which, constant(number))):
                    group = self.as_group(self.meaning(self.parse(text, "value"), scope))
                    self.append(vector, group)
            return vector

        return self.listed(base.type, capacity, make)

    def unchanged(self, figure: Figure, scope: Scope) -> Meaning:
        with self.reading(figure.body):
            tree = self.parse(figure.body, "value")
            if not figure.cases:
                return self.meaning(tree, scope)
            subject = self.value(tree, scope)
        numbers = [known(subject.operand), *(known(key.operand) for key, _ in self.cases(figure, subject, scope))]
        if numbers[0] is not None and numbers[0] not in numbers[1:] and figure.otherwise is None:
            message = f"There is no case for {numbers[0]} here."
            self.report.error(figure.place, "case-missing", message, "Every number of seats needs its case.")
            raise Wrong
        result, found, bounds = self.emit.variable(ZERO), self.emit.variable(ZERO), [UNBOUNDED, -UNBOUNDED]
        for case, text in self.cases(figure, subject, scope):
            with self.reading(text), self.emit.when(self.emit.value("equal", subject.operand, case.operand)):
                value = self.value(self.parse(text, "value"), scope, NUMBER)
                self.emit.assign(result, value.operand)
                self.emit.assign(found, ONE)
                bounds = [min(bounds[0], value.low), max(bounds[1], value.high)]
        if figure.otherwise is not None:
            with self.reading(figure.otherwise), self.emit.when(self.emit.negated(found)):
                value = self.value(self.parse(figure.otherwise, "value"), scope, NUMBER)
                self.emit.assign(result, value.operand)
                bounds = [min(bounds[0], value.low), max(bounds[1], value.high)]
        elif numbers[0] is None:
            with self.reading(figure.body), self.emit.when(self.emit.negated(found)):
                self.emit.op("fail", self.source_place(tree, "there is no case for this."))
        return Value(NUMBER, result, bounds[0], bounds[1])

    def cases(self, figure: Figure, subject: Value, scope: Scope) -> Iterator[tuple[Value, Scalar]]:
        for key, text in figure.cases:
            with self.reading(key):
                yield self.value(self.parse(key, "value"), scope, subject.type), text

    def active(self, change_set: ChangeSet, owner: int | None) -> int:
        """Whether a change set holds for a seat (for the game, if there is no owner)."""
        if change_set.level == "option":
            option = self.edition.options[change_set.name]
            index = constant(option.choices.index(change_set.choice))
            return self.emit.value("equal", self.choice(option.name), index)
        if owner is None:
            message = f"A {change_set.level} changes only what belongs to a seat; this belongs to the game."
            hint = "Declare the value under 'seat' instead of 'game', or let an option change it."
            raise self.wrong(None, "owner", message, hint)
        if change_set.level == "role":
            return self.has_role(owner, list(self.edition.roles).index(change_set.name))
        return self.holds_power(change_set.name, owner)

    @contextmanager
    def while_active(self, change_set: ChangeSet, owner: int | None) -> Iterator[None]:
        """What happens where a change set holds; a power of a single piece needs no register of its own."""
        pieces = [piece for _, found in self.plan.stock.power_pieces(change_set.name) for piece in found]
        if change_set.level != "power" or owner is None or len(pieces) != 1:
            with self.emit.when(self.active(change_set, owner)):
                yield
            return
        [zone] = [zone for zone, found in self.plan.stock.power_pieces(change_set.name) if found]
        at = self.emit.load(self.plan.at, constant(pieces[0]))
        with self.emit.when(self.emit.value("equal", at, self.zone(zone, owner).address)):
            with self.emit.when(self.uses_powers(owner)):
                yield

    def holds_power(self, power: str, owner: int) -> int:
        held = self.emit.variable(ZERO)
        for zone, pieces in self.plan.stock.power_pieces(power):
            address = self.zone(zone, owner).address
            for piece in pieces:
                at = self.emit.load(self.plan.at, constant(piece))
                with self.emit.when(self.emit.value("equal", at, address)):
                    with self.emit.when(self.uses_powers(owner)):
                        self.emit.assign(held, ONE)
        return held

    def uses_powers(self, seat: int) -> int:
        """Whether a seat's role, if it has one, uses powers."""
        uses = tuple(int(role.uses_powers) for role in self.edition.roles.values())
        if all(uses):
            return ONE
        if setting := self.plan.setting:
            return self.by_seat(tuple(role < 0 or bool(uses[role]) for role in setting.roles), seat)
        return self.emit.look_up(self.plan.table((*uses, 1)), self.emit.load(self.plan.role, seat))

    def has_role(self, seat: int, role: int) -> int:
        if setting := self.plan.setting:
            return self.by_seat(tuple(other == role for other in setting.roles), seat)
        return self.emit.value("equal", self.emit.load(self.plan.role, seat), constant(role))

    def by_seat(self, truths: tuple[bool, ...], seat: int) -> int:
        """What holds for a seat, of what is known for each."""
        if len(set(truths)) == 1:
            return constant(int(truths[0]))
        return self.emit.look_up(self.plan.table((*map(int, truths), 0)), seat)

    def on_lookup(self, tree: Tree[Token], scope: Scope) -> Meaning:
        """price for suit: a figure that needs an argument, of the acting seat or of `X's`."""
        path, argument = tree.children
        assert isinstance(path, Tree)
        own, *names = path.children
        token = names[-1]
        assert isinstance(token, Token)
        figure = self._figures.get(canonical(str(token)))
        if (entry := self.table_entry(path, token, argument, scope)) is not None:
            if figure is not None and figure.parameters and (len(names) == 1 or figure.of in self.edition.words):
                self.doubt_table(token, figure)
            return entry
        if figure is None or not figure.parameters:
            if self.lost(token):
                raise Wrong
            told_for = [name for name, found in self.edition.figures.items() if found.parameters]
            hint = self.edition.missing(str(token), told_for)
            raise self.wrong(
                token, "unknown-name", f"There is no value or term '{token}' that is told 'for' which.", hint
            )
        owner: int | None = None
        if figure.of:
            wanted_owner = SEAT if figure.of == SEAT.base else Type("word", figure.of)
            if len(names) > 1:
                whose = Tree("path", [own, *names[:-2]], path.meta)
                owner = self.sure(self.value(whose, scope, wanted_owner), whose).operand
            elif own is None and isinstance(scope.item, Value) and fits(scope.item.type, wanted_owner):
                owner = scope.item.operand
            elif wanted_owner == SEAT:
                owner = self.me(scope, token)
            else:
                raise self.unknown(token, scope)
        wanted = self.declared_type(figure.parameters[0][1])
        assert not isinstance(argument, str)
        if wanted.many:
            group = self.group(argument, scope)
            self.demand(group.type, wanted, argument)
            return self.figure(figure, owner, [lambda: group], scope)
        value = self.value(argument, scope, wanted)
        return self.figure(figure, owner, [lambda: value], scope)

    def table_entry(self, path: Tree[Token], token: Token, argument: Tree[Token] | Token, scope: Scope) -> Value | None:
        """For `rook's reach for stone`, where words have a table of that name."""
        name = canonical(str(token))
        homes = [words.name for words in self.edition.words.values() if name in map(canonical, words.tables)]
        if not homes:
            return None
        own, *names = path.children
        owner: Value | None = None
        if len(names) > 1:
            whose = Tree("path", [own, *names[:-2]], path.meta)
            owner = self.sure(self.single(self.meaning(whose, scope), whose), whose)
        elif isinstance(scope.item, Value) and str(own) != "my":
            owner = scope.item
        found = attributes.table_of(self, owner, name) if owner is not None else None
        if found is None:
            if name in self._figures:
                return None
            if owner is not None and len(names) > 1:
                raise self.has_no(owner, token)
            raise self.whose(token, homes[0], " for …")
        if owner is not None:
            self.tell_tables(token, owner.type)
        word, table = self.sure(found[0], path), found[1]
        width = len(table.rows[0])
        nothing = 0 if table.holds == "number" else -1
        if table.by == "number":
            asked = self.number(argument, scope).operand
            row = self.emit.variable(asked)
            with self.emit.when(self.emit.value("less", row, ZERO)):
                self.emit.assign(row, ZERO)
            with self.emit.when(self.emit.value("at_most", constant(width), row)):
                self.emit.assign(row, ZERO)
        else:
            row = self.sure(self.value(argument, scope, Type("word", table.by)), argument).operand
        entries = tuple(entry for entries in table.rows for entry in entries)
        place = self.emit.value("add", self.emit.value("multiply", word.operand, constant(width)), row)
        operand = self.emit.look_up(self.plan.table((*entries, nothing)), place)
        if table.holds == "number":
            return Value(NUMBER, operand, min(0, *entries), max(0, *entries))
        return Value(Type("word", table.holds), operand, maybe=-1 in entries)

    def declared_type(self, scalar: Scalar) -> Type:
        """The type that a parameter's declaration names: suit, tile, tiles, seat, seats, number."""
        name, many = canonical(scalar.text), scalar.text.strip() != canonical(scalar.text)
        if name in ("number", "seat"):
            return Type(name, "", many)
        if name in self._lists:
            words = self._lists[name].name
            several = many and scalar.text != words
            self.doubt_number(scalar, many, words, several)
            return Type("word", words, several)
        if name in self._kinds:
            self.doubt_number(scalar, many, self._kinds[name].name, many)
            return Type("piece", frozenset([self._kinds[name].name]), many)
        if name in map(canonical, ANY_PIECE):
            return Type("piece", frozenset(self.edition.kinds), many)
        if name in self.edition.lost:
            raise Wrong
        known_types = ["number", "seat", *self.edition.words, *self.edition.kinds]
        message = (
            f"Expected what a parameter is: a number, a seat, a kind of piece or a word list, not '{scalar.text}'."
        )
        self.report.error(scalar.place, "unknown-name", message, nearest(scalar.text, known_types))
        raise Wrong

    def doubt_table(self, token: Token, figure: Figure) -> None:
        """What is read as a table, and could be a figure that is told for the same."""
        place = self._scalar.place_at(token.start_pos or 0, len(token))
        sort = "value" if figure.is_value else "term"
        message = f"'{token} for' is a table of words here, not the {sort} '{figure.name}' (line {figure.place.line})."
        self.doubts.setdefault(place, Doubt(place, message, "Give one of the two another name."))

    def doubt_number(self, scalar: Scalar, many: bool, name: str, several: bool) -> None:
        """A list or kind that is itself named in the plural can mean one of them here, or several."""
        if not many or scalar.text != name:
            return
        one = canonical(name)
        what, not_ = ("several", "one") if several else ("one", "several")
        message = f"'{name}' is {what} of them here, not {not_}: it is named in the plural itself."
        hint = f"Name it '{one}': then '{one}' is one, and '{name}' are several."
        if several:
            hint = f"If one is meant, say '{one}'. Else name it so: then '{name}' are several."
        self.doubts.setdefault(scalar.place, Doubt(scalar.place, message, hint))


def _without_plus(scalar: Scalar) -> Scalar:
    """The amount of an addition, '+2', as an expression."""
    text = scalar.text
    return replace(scalar, text=text.replace("+", " ", 1)) if text.lstrip().startswith("+") else scalar


def bounded(number: int) -> int:
    """A bound, kept within the numbers there are."""
    return max(-UNBOUNDED, min(UNBOUNDED, number))
