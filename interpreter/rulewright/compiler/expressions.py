"""Expressions: syntax tree -> typed meaning, written as instructions when it is used.

Every `on_` method is named after a rule of the grammar and stands for what it means; `spec/LANGUAGE.md` tells it to
people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from lark import Token, Tree

from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.figures import Figures, bounded
from rulewright.compiler.meaning import (
    NUMBER,
    SEAT,
    TRUTH,
    UNBOUNDED,
    Group,
    Meaning,
    Place,
    Scope,
    Value,
    described,
    fits,
)
from rulewright.compiler.names import ANY_PIECE
from rulewright.declarations import (
    canonical,
)
from rulewright.program import Type


class Expressions(Figures):
    """Compiles expressions."""

    def meaning(self, tree: Tree[Token] | Token, scope: Scope, expect: str = "") -> Meaning:
        """expect: the word list whose words the expression may name, where the context tells."""
        if isinstance(tree, Token):
            raise self.wrong(tree, "syntax", f"I did not expect '{tree}' here.")
        if tree.data == "path":
            return self.path(tree, scope, expect)
        method: Callable[[Tree[Token], Scope], Meaning] = getattr(self, "on_" + str(tree.data))
        return method(tree, scope)

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
        low, high = _proven(relation, left, right)
        return Value(TRUTH, self.emit.value(*forms[relation]), low, high)

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
            raise self.wrong(
                tree,
                "syntax",
                "'every' is followed by 'has' and a condition.",
                "For example: every card in hand has (value is 1).",
            )
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
        return self.in_range(operand, a.low + b.low, a.high + b.high, tree)

    def on_minus(self, tree: Tree[Token], scope: Scope) -> Value:
        a, b = (self.number(child, scope) for child in tree.children)
        operand = self.emit.value("subtract", a.operand, b.operand)
        return self.in_range(operand, a.low - b.high, a.high - b.low, tree)

    def on_times(self, tree: Tree[Token], scope: Scope) -> Value:
        a, b = (self.number(child, scope) for child in tree.children)
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        operand = self.emit.value("multiply", a.operand, b.operand)
        return self.in_range(operand, min(corners), max(corners), tree)

    def in_range(self, operand: int, low: int, high: int, tree: Tree[Token]) -> Value:
        """A result that may not leave the 32 bits that numbers have."""
        if low < -UNBOUNDED or high > UNBOUNDED:
            checked = self.emit.register()
            self.emit.op("checked", checked >> 1, operand, self.source_place(tree))
            operand = checked
        return Value(NUMBER, operand, bounded(low), bounded(high))

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
        bounds = [0, 0]
        if group.type.base == "piece" and (found := self.attribute_table(group.type, canonical(str(name)))):
            table, type_, *bounds = found
            self.demand(type_, NUMBER, name)
            total = self.tally(group, table)
        else:
            total = self.emit.variable(ZERO)

            def body(item: int) -> None:
                figure = self.single(self.possession(self.element(group, item), name, scope), name)
                self.demand(figure.type, NUMBER, name)
                self.emit.change("add", total, total, figure.operand)
                bounds[:] = [figure.low, figure.high]

            group.walk(body, None)
        low, high = (bounded(bound * group.capacity) for bound in bounds)
        return Value(NUMBER, total, min(0, low), max(0, high))

    def on_extreme(self, tree: Tree[Token], scope: Scope) -> Value:
        """highest price among opponents; 0 where there is nobody."""
        extreme, figure_tree, group_tree = tree.children
        assert not isinstance(figure_tree, str) and not isinstance(group_tree, str)
        figures, low, high = self.figures_of(self.group(group_tree, scope), figure_tree, scope)
        best = self.emit.register()
        self.emit.op("greatest" if str(extreme) == "highest" else "smallest", best >> 1, figures)
        return Value(NUMBER, best, low, high)

    def figures_of(self, group: Group, figure_tree: Tree[Token] | Token, scope: Scope) -> tuple[int, int, int]:
        """A figure of each member, as a vector; and bounds of them and 0."""
        bounds = [0, 0]
        figures = self.emit.vector()
        self.emit.op("vector", figures)

        def body(item: int) -> None:
            figure = self.number(figure_tree, scope.within(self.element(group, item)))
            bounds[:] = [min(0, figure.low), max(0, figure.high)]
            self.emit.op("push", figures, figure.operand)

        group.walk(body, None)
        return figures, bounds[0], bounds[1]

    def on_longest_run(self, tree: Tree[Token], scope: Scope) -> Value:
        """longest run of value among hand: how many numbers there are one after the other."""
        figure_tree, group_tree = tree.children
        group = self.group(group_tree, scope)
        figures, _, _ = self.figures_of(group, figure_tree, scope)
        longest = self.emit.register()
        self.emit.op("longest_run", longest >> 1, figures)
        return Value(NUMBER, longest, 0, group.capacity)

    def on_extreme_of(self, tree: Tree[Token], scope: Scope) -> Value:
        """highest of (1, gold - 3)"""
        extreme, *rest = tree.children
        values = [self.number(child, scope) for child in rest]
        best = self.emit.variable(values[0].operand)
        for value in values[1:]:
            pair = (best, value.operand) if str(extreme) == "highest" else (value.operand, best)
            with self.emit.when(self.emit.value("less", *pair)):
                self.emit.assign(best, value.operand)
        pick = max if str(extreme) == "highest" else min
        return Value(NUMBER, best, pick(v.low for v in values), pick(v.high for v in values))

    def on_where(self, tree: Tree[Token], scope: Scope) -> Group:
        group_tree, condition = tree.children
        group = self.group(group_tree, scope)
        scalar = self._scalar
        if looked_up := self.attribute_is(group, condition, scope):
            return looked_up

        def keep(item: int) -> int:
            with self.reading(scalar):
                return self.truth(condition, scope.within(self.element(group, item)))

        return self.filtered(group, keep)

    def attribute_is(self, group: Group, condition: Tree[Token] | Token, scope: Scope) -> Group | None:
        """For `where suit is trump`, the quick way: one look into a table for each piece."""
        if group.type.base != "piece" or not isinstance(condition, Tree) or condition.data != "compare":
            return None
        left, operator, right = condition.children
        if not isinstance(left, Tree) or not isinstance(right, Tree) or str(operator) not in ("is", "are"):
            return None
        if left.data != "path" or len(left.children) != 2 or str(left.children[0]) == "my":
            return None
        found = self.attribute_table(group.type, canonical(str(left.children[1])))
        fixed = right.data == "number" or (
            right.data == "path"
            and str(right.children[0]) != "its"
            and canonical(str(right.children[1])) not in map(canonical, ["it", *self.things_of(group.type)])
        )
        if found is None or not fixed:
            return None
        value = self.value(right, scope, found[1])
        if value.type == NUMBER:
            self.notice(condition, None if value.low <= found[3] and found[2] <= value.high else 0)
        return self.selected(group, found[0], value.operand)

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

        apart = self.apart(first, second)

        def make() -> int:
            one, other, both = self.vector(first), self.vector(second), self.emit.vector()
            self.emit.op("join" if apart else "unite", both, one, other)
            return both

        places = (*first.all_of, *second.all_of) if apart and first.all_of and second.all_of else ()
        return replace(self.listed(type_, first.capacity + second.capacity, make), all_of=places)

    def apart(self, first: Group, second: Group) -> bool:
        """Whether nothing can be in both."""
        if first.type.base == "piece" and not self.kinds_in(first.type) & self.kinds_in(second.type):
            return True
        ones, others = ({place.zone.name for place in group.all_of if place.zone} for group in (first, second))
        return bool(ones) and bool(others) and not ones & others

    def on_inside(self, tree: Tree[Token], scope: Scope) -> Group:
        """tiles in row; also any other set of pieces, as far as it lies there. Of words: spaces in region."""
        what, where = tree.children
        assert isinstance(what, Tree) and not isinstance(where, str)
        place = self.group(where, scope)
        if place.type.base == "word":
            return self.in_words(what, place, where, scope)
        if place.type.base != "piece":
            raise self.wrong(where, "type", f"Expected a zone or words after 'in'; this is {described(place.type)}.")
        own, name, *rest = what.children
        assert isinstance(name, Token)
        if own is None and not rest and self.local(name, scope) is None:
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

    def in_words(self, what: Tree[Token], words: Group, where: Tree[Token] | Token, scope: Scope) -> Group:
        """The pieces that lie with words, or the words that have some of them as an attribute."""
        own, name, *rest = what.children
        assert isinstance(name, Token)
        key = canonical(str(name)) if own is None and not rest and self.local(name, scope) is None else ""
        if key in self._lists:
            list_ = self._lists[key]
            everything = self.fixed(Type("word", list_.name), tuple(range(len(list_.words))))
            return self.related(everything, words, what)
        if key in self._kinds or key in map(canonical, ANY_PIECE):
            kinds = frozenset([self._kinds[key].name] if key in self._kinds else self.edition.kinds)
            return self.lying_with(kinds, words, where)
        group = self.group(what, scope)
        if group.type.base == "word":
            return self.related(group, words, what)
        if group.type.base != "piece":
            raise self.wrong(what, "type", f"Expected pieces or words before 'in'; this is {described(group.type)}.")
        there = self.lying_with(self.kinds_in(group.type), words, where)
        identity = self.plan.table((*range(self.plan.pieces_of(frozenset(self.edition.kinds))), -1))
        return self.within(group, identity, there)

    def within(self, group: Group, table: int, wanted: Group) -> Group:
        """The members whose entry in a table is among others."""

        def make() -> int:
            vector, others, found = self.vector(group), self.vector(wanted), self.emit.vector()
            self.emit.op("within", found, vector, table, others)
            return found

        return self.listed(group.type, group.capacity, make)

    def related(self, group: Group, words: Group, tree: Tree[Token] | Token) -> Group:
        """The members of a set of words that are, or have as an attribute, one of some words."""
        here, there = str(group.type.detail), str(words.type.detail)
        columns = self.towards(here, there)
        if not columns:
            raise self.wrong(tree, "type", f"A word of '{here}' has nothing to do with {described(words.type)}.")
        if group.members is not None and words.members is not None:
            wanted = frozenset(words.members)
            return self.fixed(group.type, tuple(n for n in group.members if any(c[n] in wanted for c in columns)))
        related = [self.within(group, self.plan.table((*column, -1)), words) for column in columns]
        if len(related) == 1:
            return related[0]
        identity = self.plan.table((*range(len(columns[0])), -1))
        return self.within(group, identity, reduce(self.united, related))

    def towards(self, here: str, there: str) -> list[tuple[int, ...]]:
        """For every word of a list, the word of another list that it is or has; as often as it has one. What a word
        has itself counts before what its words have."""
        if here == there:
            return [tuple(range(len(self.edition.words[here].words)))]
        for list_, path in self.lists_behind(here):
            names = [name for name, type_ in list_.attributes.items() if type_ == there]
            if names:
                return [self.word_values(here, [*path, name]) for name in names]
        return []

    def united(self, first: Group, second: Group) -> Group:
        """The members of both, each once."""

        def make() -> int:
            one, other, both = self.vector(first), self.vector(second), self.emit.vector()
            self.emit.op("unite", both, one, other)
            return both

        return self.listed(first.type, first.capacity + second.capacity, make)

    def lying_with(self, kinds: frozenset[str], words: Group, where: Tree[Token] | Token) -> Group:
        """The pieces of some kinds in the zones of words, and of words that have those as an attribute."""
        there = str(words.type.detail)
        zones = [zone for zone in self.edition.zones.values() if zone.of in self.edition.words and zone.holds & kinds]
        found = [zone for zone in zones if self.towards(zone.of, there)]
        if not found:
            one = " or ".join(sorted(kinds)) if len(kinds) <= 3 else "piece"
            raise self.wrong(where, "zone-does-not-hold", f"There is never a {one} in {described(words.type)}.")

        def make() -> int:
            all_ = self.emit.vector()
            self.emit.op("vector", all_)
            for zone in found:
                base, _ = self.plan.zone(zone.name)
                owners = words
                if zone.of != there:
                    everyone = self.fixed(Type("word", zone.of), tuple(range(len(self.edition.words[zone.of].words))))
                    owners = self.related(everyone, words, where)
                vector, pieces = self.vector(owners), self.emit.vector()
                self.emit.op("gather", pieces, vector, base)
                self.emit.op("append", all_, pieces)
            return all_

        held = frozenset.union(*(zone.holds for zone in found))
        everything = self.listed(Type("piece", held), self.plan.pieces_of(held), make)
        return self.of_kinds(everything, held & kinds)

    def on_images(self, tree: Tree[Token], scope: Scope) -> Group:
        """suits of hand: what an attribute of the members comes to, each once."""
        what, where = tree.children
        assert isinstance(what, Tree)
        own, name, *rest = what.children
        assert isinstance(name, Token)
        if own is not None or rest:
            raise self.wrong(what, "syntax", "Before 'of' stands the name of an attribute, as in 'colours of hand'.")
        group = self.group(where, scope)
        key = canonical(str(name))
        if group.type.base == "piece" and (found := self.attribute_table(group.type, key)) and found[1] != NUMBER:
            table, type_ = found[0], found[1]
            return self.listed(type_, self.how_many_of(type_, group.capacity), lambda: self.images(group, table))
        if group.type.base == "piece" and (of := self.owners(key)) is not None:
            owners = self.plan.owner_table(self.owner_name(of))

            def lying() -> int:
                vector, places = self.vector(group), self.emit.vector()
                self.emit.op("lying", places, vector, owners, self.plan.at)
                return places

            return self.listed(of, self.how_many_of(of, group.capacity), lying)
        words = str(group.type.detail)
        path = self.attribute_path(words, key) if group.type.base == "word" else []
        if path and (held := self.type_along(words, path)) != NUMBER:
            values = self.plan.table((*self.word_values(words, path), -1))
            return self.listed(held, self.how_many_of(held, group.capacity), lambda: self.images(group, values))
        return self.images_one_by_one(group, name, scope)

    def images(self, group: Group, table: int) -> int:
        vector, images = self.vector(group), self.emit.vector()
        self.emit.op("images", images, vector, table)
        return images

    def images_one_by_one(self, group: Group, name: Token, scope: Scope) -> Group:
        sample = self.emit.register()
        with self.emit.unwritten():
            first = self.as_group(self.possession(self.element(group, sample), name, scope))
        type_, several = replace(first.type, many=False), group.capacity * first.capacity
        if type_.base not in ("seat", "word", "piece"):
            raise self.wrong(name, "type", f"Expected what is a seat, a piece or a word; this is {described(type_)}.")
        scalar = self._scalar

        def make() -> int:
            found, distinct, none = self.emit.vector(), self.emit.vector(), self.emit.vector()
            self.emit.op("vector", found)

            def body(item: int) -> None:
                with self.reading(scalar):
                    image = self.as_group(self.possession(self.element(group, item), name, scope))
                image.walk(lambda one: self.emit.op("push", found, one), None)

            group.walk(body, None)
            self.emit.op("vector", none)
            self.emit.op("unite", distinct, none, found)
            return distinct

        return self.listed(type_, self.how_many_of(type_, several), make)

    def how_many_of(self, type_: Type, most: int) -> int:
        """At most so many different things of a type are there among so many."""
        if type_.base == "seat":
            return min(self.plan.seats, most)
        if type_.base == "word":
            return min(len(self.edition.words[str(type_.detail)].words), most)
        return min(self.plan.pieces_of(self.kinds_in(type_)), most)

    def on_neighbours(self, tree: Tree[Token], scope: Scope) -> Group:
        group = self.spaces(tree.children[0], scope)
        table, width = self.neighbours_table(group)

        def make() -> int:
            vector, found = self.vector(group), self.emit.vector()
            self.emit.op("beside", found, vector, table, width)
            return found

        words = len(self.edition.words[str(group.type.detail)].words)
        return self.listed(group.type, min(words, group.capacity * width), make)

    def on_connected(self, tree: Tree[Token], scope: Scope) -> Group:
        """The members that can be reached from a space, from neighbour to neighbour."""
        land, origins = self.spaces(tree.children[0], scope), self.spaces(tree.children[1], scope)
        if land.type.detail != origins.type.detail:
            raise self.wrong(tree, "type", f"There is no way from {described(origins.type)} to {described(land.type)}.")
        table, width = self.neighbours_table(land)

        def make() -> int:
            start, through, found = self.vector(origins), self.vector(land), self.emit.vector()
            self.emit.op("reached", found, start, through, table, width)
            return found

        return self.listed(land.type, land.capacity, make)

    def spaces(self, tree: Tree[Token] | Token, scope: Scope) -> Group:
        group = self.group(tree, scope)
        if not any(board.spaces == group.type.detail for board in self.edition.boards.values()):
            boards = ", ".join(f"'{board.spaces}'" for board in self.edition.boards.values())
            hint = f"The boards have spaces called {boards}." if boards else "A board is declared under 'boards'."
            raise self.wrong(tree, "type", f"Expected spaces of a board; this is {described(group.type)}.", hint)
        return group

    def neighbours_table(self, group: Group) -> tuple[int, int]:
        """A table with a row for each space, and the rows' width."""
        board = next(board for board in self.edition.boards.values() if board.spaces == group.type.detail)
        width = max(1, *(len(row) for row in board.neighbours))
        rows = tuple(
            space for row in board.neighbours for space in (*row, *[-1] * (width - len(row)))
        )  # fmt: skip
        return self.plan.table((*rows, -1)), width

    def on_possession_of(self, tree: Tree[Token], scope: Scope) -> Meaning:
        """(first 1 of hand)'s value"""
        whose, *rest = tree.children
        meaning = self.meaning(whose, scope)
        for token in rest:
            assert isinstance(token, Token)
            if token.type == "NAME":
                meaning = self.possession(self.sure(self.single(meaning, whose), whose), token, scope)
        return meaning

    def on_some_of(self, tree: Tree[Token], scope: Scope) -> Group:
        end, amount_tree, group_tree = tree.children
        amount = self.number(amount_tree, scope)
        group = self.group(group_tree, scope)
        from_end = str(end) in ("top", "last")

        def make() -> int:
            vector, taken = self.vector(group), self.emit.vector()
            self.emit.op("back" if from_end else "front", taken, vector, amount.operand)
            return taken

        return self.listed(group.type, max(0, min(group.capacity, amount.high)), make)

    def on_next_of(self, tree: Tree[Token], scope: Scope) -> Value:
        """The first member clockwise after a seat; the seat itself comes last; nobody if there is none."""
        group = self.group(tree.children[0], scope, "seat")
        after = self.sure(self.value(tree.children[1], scope, SEAT), tree)
        best, distance = self.emit.variable(NONE), self.emit.variable(constant(self.plan.seats + 1))

        def body(seat: int) -> None:
            steps = self.clockwise_distance(self.emit.value("add", after.operand, ONE), seat)
            with self.emit.when(self.emit.value("less", steps, distance)):
                self.emit.assign(distance, steps)
                self.emit.assign(best, seat)

        group.walk(body, None)
        return Value(SEAT, best, maybe=True)

    def clockwise_distance(self, start: int, seat: int) -> int:
        """Steps clockwise from `start` (which may be one beyond the last seat) to `seat`."""
        seats = self.plan.seats
        steps = self.emit.value("add", self.emit.value("subtract", seat, start), constant(seats))
        return self.emit.look_up(self.plan.table(tuple(n % seats for n in range(2 * seats + 1))), steps)

    def on_left_of(self, tree: Tree[Token], scope: Scope) -> Value:
        seat = self.sure(self.value(tree.children[0], scope, SEAT), tree)
        seats = self.plan.seats
        left = tuple((n + 1) % seats for n in range(seats))
        return Value(SEAT, self.emit.look_up(self.plan.table((*left, -1)), seat.operand))

    def on_group_of(self, tree: Tree[Token], scope: Scope) -> Group:
        """group 2 of tricks by suit: the members of the second largest group of equals."""
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


def _proven(relation: str, a: Value, b: Value) -> tuple[int, int]:
    """The least and the greatest that a comparison can come to, by the bounds of what it compares."""
    if a.type != NUMBER or b.type != NUMBER:
        return 0, 1
    less, more = a.high < b.low, b.high < a.low
    same = a.low == a.high == b.low == b.high
    always, never = {
        "": (same, less or more),
        "not": (less or more, same),
        "at least": (b.high <= a.low, less),
        "at most": (a.high <= b.low, more),
        "more than": (more, a.high <= b.low),
        "less than": (less, b.high <= a.low),
    }[relation]
    return int(always), int(not never)


def _quantifier(tree: Tree[Token]) -> str:
    quantifier = tree.children[0]
    assert isinstance(quantifier, Tree)
    return str(quantifier.children[0])
