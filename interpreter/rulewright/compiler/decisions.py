"""Decisions: where somebody is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulewright.base.records import record
from rulewright.compiler.at_once import AtOnceStatements
from rulewright.compiler.effects import Parts
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.meaning import NUMBER, TRUTH, AtOnceProgress, Group, Scope, Value, described
from rulewright.compiler.slots import KeptSlot
from rulewright.compiler.texts import one_line
from rulewright.program.form import Site, Text, Type
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from rulewright.syntax.trees import Token, Tree

MOST_NUMBERS = 1000


@record
class DecisionTexts:
    """What a decision is called and says. at: its sentence; branches: of a menu."""

    name: str
    at: Scalar
    ask: Scalar | None
    none: Scalar | None = None
    branches: tuple[str, ...] = ()
    branch_texts: tuple[Text, ...] = ()


@record
class Candidates:
    """What may be answered: a vector of things of one type, and operands for how many. capacity: bound of an answer;
    some: whether at least one may be chosen wherever there is one; by_place: the cell of whether equal pieces are told
    apart by their places, or -1."""

    element: Type
    vector: int
    least: int
    most: int
    capacity: int = 1
    some: bool = False
    by_place: int = -1


class Decisions(AtOnceStatements):
    """Compiles choices: each is a block that asks and a block that goes on."""

    def optional(
        self,
        name: str,
        ask: Scalar | None,
        at: Scalar,
        then: Callable[[], None],
        scope: Scope,
        other: Callable[[], None] | None = None,
    ) -> None:
        """Ask whether; then, or otherwise."""

        def candidates() -> Candidates:
            vector = self.emit.vector()
            self.emit.op("fixed", vector, self.plan.table((1, 0)))
            return Candidates(TRUTH, vector, ONE, ONE, some=True)

        slot = self.ask(DecisionTexts(name, at, ask), candidates, scope)
        answer = self.single(self.got(slot), Tree("path", [])).operand
        self.branch(answer, then, other, scope, True)

    def do_may(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        name = str(tree.children[0]) if tree.children[0] is not None else "may"
        body = parts.clause("do") or SequenceNode([], parts.key.place)
        inner = scope.branch()
        self.optional(f"{scope.step}.{name}", parts.text("ask"), parts.key, lambda: self.body(body, inner), scope)

    def do_choose(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        how_many, group_tree, outcome = tree.children
        assert isinstance(how_many, Tree) and isinstance(outcome, Tree)
        scalar = self._scalar
        bound = outcome.children[0]
        named = outcome.data == "named"
        if isinstance(bound, Token):
            self.fresh(bound, scope)

        condition = parts.text("by place")
        apart = self.slot(TRUTH, 0, scope) if condition is not None else None
        if condition is not None and apart is not None:
            with self.reading(condition):
                tree = self.parse(condition, "value")
                always = condition.text.strip() == "yes"
                told = self.value(tree, scope, TRUTH).operand if always else self.truth(tree, scope)
                self.put(apart, Value(TRUTH, told, 0, 1))

        def candidates() -> Candidates:
            with self.reading(scalar):
                group = self.group(group_tree, scope)
                if condition is not None and group.type.base != "piece":
                    message = f"'by place' is for pieces, which lie somewhere; this is {described(group.type)}."
                    raise self.wrong(group_tree, "type", message)
                least, most = self.how_many(how_many, scope, group)
                if not named:
                    self.demand_held(group, self.target(outcome.children[0], scope)[0], group_tree)
                capacity = max(0, min(group.capacity, most.high))
                element = replace(group.type, many=False)
                vector = self.vector(group)
                cell = apart.cell if apart is not None else -1
                return Candidates(element, vector, least.operand, most.operand, capacity, most.low > 0, cell)

        name = str(bound) if named else self.zone_name(bound)
        question = DecisionTexts(f"{scope.step}.{name}", parts.key, parts.text("ask"), parts.text("none"))
        slot = self.ask(question, candidates, scope, moves=not named)
        if named:
            scope.bind(name, lambda: self.got(slot))
            return
        chosen = self.got(slot)
        assert isinstance(chosen, Group)
        place, bottom = self.target(outcome.children[0], scope)
        self.move_all(chosen, place, bottom)

    def zone_name(self, target: Tree[Token] | Token) -> str:
        path = target.children[0] if isinstance(target, Tree) else target
        return str(path.children[-1]) if isinstance(path, Tree) else str(path)

    def how_many(self, tree: Tree[Token], scope: Scope, group: Group) -> tuple[Value, Value]:
        zero = Value(NUMBER, ZERO, 0, 0)
        everything = Value(NUMBER, constant(group.capacity), group.capacity, group.capacity)
        if tree.data == "any_number":
            return zero, everything
        numbers = [self.number(child, scope) for child in tree.children]
        return (zero, numbers[0]) if tree.data == "up_to" else (numbers[0], numbers[-1])

    def do_choose_at_random(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        how_many, group_tree, outcome = tree.children
        assert isinstance(how_many, Tree) and isinstance(outcome, Tree)
        group = self.group(group_tree, scope)
        if how_many.data != "exactly":
            raise self.wrong(how_many, "syntax", "Chance is told exactly how many to choose.")
        _, amount = self.how_many(how_many, scope, group)

        def make() -> int:
            vector = self.copied(group)
            self.emit.op("draw", vector, amount.operand)
            return vector

        drawn = self.listed(group.type, max(0, min(group.capacity, amount.high)), make)
        bound = outcome.children[0]
        if outcome.data == "named":
            assert isinstance(bound, Token)
            self.fresh(bound, scope)
            self.remember(str(bound), drawn, scope)
        else:
            place, bottom = self.target(bound, scope)
            self.demand_held(group, place, group_tree)
            self.move_all(drawn, place, bottom)

    def do_choose_number(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        low_tree, high_tree, name = tree.children
        assert isinstance(name, Token)
        self.fresh(name, scope)

        def candidates() -> Candidates:
            low, high = self.number(low_tree, scope), self.number(high_tree, scope)
            vector, number = self.emit.vector(), self.emit.variable(low.operand)
            last = self.emit.value("add", low.operand, constant(MOST_NUMBERS - 1))
            self.emit.op("vector", vector)
            with self.emit.loop():
                for bound in (high.operand, last):
                    with self.emit.when(self.emit.value("less", bound, number)):
                        self.emit.op("break")
                self.emit.op("push", vector, number)
                self.emit.change("add", number, number, ONE)
            return Candidates(NUMBER, vector, ONE, ONE)

        question = DecisionTexts(f"{scope.step}.{name}", parts.key, parts.text("ask"))
        slot = self.ask(question, candidates, scope)
        scope.bind(str(name), lambda: self.got(slot))

    def do_choose_one(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        """A menu: each branch with its text, its condition and what it does."""
        self.menu(tree, scope, parts, {}, None)

    def do_repeat_choosing(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        """A menu that comes again until nothing is chosen, or can be; each branch as often as its `times` allows."""
        left: dict[int, KeptSlot] = {}
        for index, (_, details) in enumerate(self.branches_of(tree, parts)):
            times = details.get("times") if isinstance(details, MappingNode) else None
            if isinstance(times, Scalar):
                left[index] = self.slot(NUMBER, 0, scope)
                with self.reading(times):
                    self.put(left[index], self.number(self.parse(times, "value"), scope))
        again, after = self.new_block(), self.new_block()
        self.begin(again, scope.step)
        self.emit.spend()
        inner = scope.branch()
        self.looped(lambda: self.menu(tree, inner, parts, left, after), inner, tree)
        self.emit.op("goto", again)
        self.begin(after, scope.step)

    def branches_of(self, tree: Tree[Token], parts: Parts) -> list[tuple[Scalar, Node]]:
        among = parts.clause("among")
        if not isinstance(among, MappingNode) or not among.keys:
            raise self.wrong(
                tree,
                "among-missing",
                "'choose one' says with 'among' what there is to choose: a name for each branch.",
            )
        return list(among.items())

    def menu(self, tree: Tree[Token], scope: Scope, parts: Parts, left: dict[int, KeptSlot], leave: int | None) -> None:
        """Ask for one of the branches and do it. left: how often each may still be chosen, if that is limited; leave:
        the block to go to where none is chosen, if there is one."""
        branches = self.branches_of(tree, parts)
        name = str(tree.children[0]) if tree.children[0] is not None else "one"

        def remaining(index: int) -> int:
            return self.emit.load(left[index].cell, self.slot_index(left[index]))

        def candidates() -> Candidates:
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            for index, (_, details) in enumerate(branches):
                condition = details.get("if") if isinstance(details, MappingNode) else None
                holds = self.emit.value("less", ZERO, remaining(index)) if index in left else ONE
                with self.emit.when(holds):
                    if isinstance(condition, Scalar):
                        with self.reading(condition):
                            holds = self.truth(self.parse(condition, "value"), scope)
                    else:
                        holds = ONE
                    with self.emit.when(holds):
                        self.emit.op("push", vector, constant(index))
            return Candidates(Type("branch"), vector, self.least(parts, scope), ONE)

        texts = [
            self.static_text(details.get("text") if isinstance(details, MappingNode) else None, key, scope)
            for key, details in branches
        ]
        names = tuple(key.text for key, _ in branches)
        id_ = f"{scope.step}.{name}"
        question = DecisionTexts(id_, parts.key, parts.text("ask"), parts.text("none"), names, tuple(texts))
        with self.heading(parts.node, scope, True):
            slot = self.ask(question, candidates, scope)
        chosen = self.slot(NUMBER, 0, scope)
        picked = self.emit.variable(NONE)
        with self.emit.each(self.vector(self.as_group(self.got(slot)))) as branch:
            self.emit.assign(picked, branch)
        if leave is not None:
            with self.emit.when(self.emit.value("equal", picked, NONE)):
                self.emit.op("goto", leave)
        self.emit.store(chosen.cell, self.slot_index(chosen), picked)
        before = self.progress(scope)
        after = before
        for index, (_, details) in enumerate(branches):
            body = details.get("do") if isinstance(details, MappingNode) else details
            if body is None:
                continue
            self.set_progress(scope, before)
            condition = self.emit.value("equal", self.emit.load(chosen.cell, self.slot_index(chosen)), constant(index))
            inner = scope.branch()
            self.branch(condition, self.counting_down(body, inner, left.get(index)), None, scope, True)
            after = after.or_else(self.progress(scope))
        self.set_progress(scope, after)

    def least(self, parts: Parts, scope: Scope) -> int:
        """How many branches of a menu must be chosen: none where it may be declined."""
        condition = parts.text("none if")
        if parts.text("none") is None:
            if condition is not None:
                message = "'none if' tells when nothing need be chosen, but there is no 'none'."
                self.report.error(condition.place, "missing-key", message, "Say with 'none' what that is called.")
            return ONE
        if condition is None:
            return ZERO
        with self.reading(condition):
            least = self.emit.variable(ONE)
            with self.emit.when(self.truth(self.parse(condition, "value"), scope)):
                self.emit.assign(least, ZERO)
            return least

    def counting_down(self, body: Node, scope: Scope, left: KeptSlot | None) -> Callable[[], None]:
        def do() -> None:
            if left is not None:
                index = self.slot_index(left)
                self.emit.store(left.cell, index, self.emit.value("subtract", self.emit.load(left.cell, index), ONE))
            self.body(body, scope)

        return do

    def refuse_slots(self, text: Node | None) -> None:
        if isinstance(text, Scalar) and "{" in text.text:
            message = "This text is always the same: only 'ask', 'log' and rules have {slots}."
            self.report.error(text.place, "slot", message)

    def static_text(self, node: Node | None, key: Scalar, scope: Scope) -> Text:
        self.refuse_slots(node)
        text = node.text if isinstance(node, Scalar) else key.text.capitalize()
        return Text(f"{scope.step}.{key.text}", one_line(text))

    def ask(
        self, question: DecisionTexts, candidates: Callable[[], Candidates], scope: Scope, moves: bool = False
    ) -> KeptSlot:
        """A decision of the acting seat; its answer stands in the slot that this gives.

        moves: whether what is chosen moves at once; inside an `at once` that has to wait.
        """
        if not scope.flat:
            raise self.wrong(None, "cannot-ask", "Nobody can be asked here.")
        if self.progress(scope).effects:
            message = "Inside 'at once' every choice comes before anything happens, or its answer could show too early."
            raise self.wrong(None, "choice-after-effect", message)
        asking, resume = self.new_block(), self.new_block()
        self.begin(asking, scope.step)
        offered = candidates()
        slot = self.slot(replace(offered.element, many=True), offered.capacity, scope)
        parks = moves and scope.sealed >= 0
        with self.emit.when(self.nothing_to_choose(offered)):
            self.emit.op("keep", self.empty_vector(), slot.cell, self.slot_index(slot))
            if parks:
                self.park(scope, resume)
            else:
                self.emit.op("goto", resume)
        self.refuse_slots(question.none)
        id_ = self.unique(question)
        text, arguments = self.text(question.ask, f"{id_}.ask", scope)
        none = Text(f"{id_}.none", one_line(question.none.text)) if question.none is not None else None
        self.emit.op("ask", len(self.sites), self.me(scope), offered.vector, offered.least, offered.most, *arguments)
        self.sites.append(
            Site(
                id=id_,
                element=offered.element,
                ask=text,
                none=none,
                step=scope.step,
                slot=slot.cell,
                per_seat=slot.per_seat,
                resume=resume,
                sealed=scope.sealed,
                parks=parks,
                branches=question.branches,
                branch_texts=question.branch_texts,
                by_place=offered.by_place,
            )
        )
        self.begin(resume, scope.step)
        if parks:
            self.park_at(scope, resume)
            self.set_progress(scope, AtOnceProgress(effects=True, waited=True))
        return slot

    def nothing_to_choose(self, offered: Candidates) -> int:
        empty = self.empty(offered.vector)
        if offered.some:
            return empty
        nothing = self.emit.variable(empty)
        with self.emit.when(self.emit.value("at_most", offered.most, ZERO)):
            self.emit.assign(nothing, ONE)
        return nothing

    def unique(self, question: DecisionTexts) -> str:
        """The decision's id: its name, numbered where a step has several of that name."""
        places = self._site_ids.setdefault(question.name, [])
        if question.at.place not in places:
            places.append(question.at.place)
        number = places.index(question.at.place) + 1
        return question.name if number == 1 else f"{question.name} {number}"
