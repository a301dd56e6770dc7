"""Sets: chosen, joined, filtered, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulewright.compiler import attributes
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.figures import Figures
from rulewright.compiler.meaning import NUMBER, SEAT, Group, Scope, Value, described
from rulewright.compiler.senses import ATTRIBUTE, WORD
from rulewright.model.declarations import canonical
from rulewright.program.form import Type
from rulewright.syntax.trees import Token, Tree


class Sets(Figures):
    """Compiles what makes sets of sets, and picks from them."""

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
        own, token = left.children
        item = self.element(group, NONE)
        assert isinstance(token, Token)
        here = scope.within(item)
        name = canonical(str(token))
        senses = self.senses_of(item, name, here) if own is not None else self.senses(token, "", here, "")
        sense = self.meant(token, senses, NUMBER.base if right.data == "number" else "")
        if sense is None or sense.sort != ATTRIBUTE:
            return None
        found = attributes.attribute_table(self, group.type, sense.name)
        if found is None or not (right.data == "number" or self.stays(right, here, str(found[1].detail))):
            return None
        value = self.value(right, scope, found[1])
        if value.type == NUMBER:
            self.notice(condition, None if value.low <= found[3] and found[2] <= value.high else 0)
        return self.selected(group, found[0], value.operand)

    def stays(self, path: Tree[Token], scope: Scope, expect: str) -> bool:
        """Whether a path means the same whatever the item is."""
        if path.data != "path" or str(path.children[0]) == "its" or scope.item is None:
            return False
        own, token, *_ = path.children
        assert isinstance(token, Token)
        if canonical(str(token)) not in map(canonical, ["it", *self.things_of(scope.item.type)]):
            return True
        sense = self.meant(token, self.senses(token, str(own or ""), scope, expect), "word" if expect else "")
        return sense is not None and sense.sort == WORD

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

    def clockwise_from(self, start: int, members: Sequence[int]) -> int:
        """Some seats clockwise from `start`, as a vector."""
        seats = range(self.plan.seats)
        rows = [member for first in seats for member in sorted(members, key=lambda seat: (seat - first) % len(seats))]
        return self.row(tuple(rows), start, len(members))

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
            begin = len(self.emit.code)
            self.emit.op("vector", keys)
            with self.emit.each(vector) as item:
                key = self.single(self.possession(self.element(group, item), name, scope), name)
                self.emit.op("push", keys, key.operand)
            self.emit.looked_up(begin)
            self.emit.op("largest_group", members, vector, keys, rank.operand)
            return members

        make_checked = make
        return self.listed(group.type, group.capacity, make_checked)
