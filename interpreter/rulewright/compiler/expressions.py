"""Expressions: syntax tree -> typed meaning, written as instructions when it is used.

Every `on_` method is named after a rule of the grammar and stands for what it means; `spec/LANGUAGE.md` tells it to
people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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
        """tiles in row; also any other set of pieces, as far as it lies there."""
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
