"""Control: bodies, branches, loops.

A statement that asks nobody is structured code inside one block. One that may ask is laid out over several blocks,
with what it needs to remember in cells of its own.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from rulewright.base.diagnostics import nearest
from rulewright.compiler.core import Wrong
from rulewright.compiler.effects import Effects, Parts
from rulewright.compiler.emitter import ONE, ZERO, constant, known
from rulewright.compiler.meaning import NUMBER, SEAT, AtOnceProgress, Binding, Group, Round, Scope, Value
from rulewright.compiler.outline import bodies_of, head_of
from rulewright.model.salvage import names_made
from rulewright.program.form import ME, Type
from rulewright.syntax.source import MappingNode, Node, Scalar, SequenceNode
from rulewright.syntax.trees import Token, Tree


class Control(Effects):
    """Compiles bodies and the statements that have one."""

    def body(self, node: Node, scope: Scope) -> None:
        """A sentence, or a list of statements."""
        for item in node.items if isinstance(node, SequenceNode) else [node]:
            try:
                with self.emit.compiling(head_of(item)):
                    self.statement(item, scope)
            except Wrong:
                self.forget_names(item, scope)

    def forget_names(self, node: Node, scope: Scope) -> None:
        """What a statement that is wrong gives a name to is known by that name, and nothing else is known of it."""
        head = head_of(node)
        for name in names_made(head.text if head else ""):
            scope.bind(name, self.unusable)

    @contextmanager
    def heading(self, node: Node, scope: Scope, asks: bool) -> Iterator[None]:
        """While what stands before the bodies of a statement is read: where that is wrong, they are checked still."""
        try:
            yield
        except Wrong:
            inner = replace(scope.branch() if asks else scope.structured(), someone=True)
            self.forget_names(node, inner)
            inner.bind("it", self.unusable)
            if inner.round is None:
                inner = replace(inner, round=Round(self.plan.sets(1, 0), self.plan.cells(1), self.plan.cells(1)))
            for body in bodies_of(node) if scope.flat or not asks else ():
                self.body(body, replace(inner, names=dict(inner.names)))
            raise

    def statement(self, node: Node, scope: Scope) -> None:
        if isinstance(node, SequenceNode):
            self.report.error(node.place, "shape", "Expected one statement here, not a list.")
            return
        key, value = (node, None) if isinstance(node, Scalar) else next(node.items())
        clauses = value if isinstance(value, MappingNode) else None
        if key.text == "log" and isinstance(value, Scalar):
            self.effect(scope)
            self.log(value, scope)
            return
        if isinstance(node, Scalar) and re.match(r"(if|each|all|as|repeat|go)\b.*:\s", node.text):
            message = "A sentence with a body stands alone before its colon, as a key: use no quotes here."
            self.report.error(node.place, "shape", message)
            return
        with self.reading(key):
            asks = self.outline.may_ask(node)
            with self.heading(node, scope, asks):
                tree = self.parse(key, "statement")
            if asks and not scope.flat:
                raise self.wrong(tree, "cannot-ask", "Nobody can be asked here.")
            if not asks and str(tree.data) != "let":
                self.effect(scope)
            self.check_shape(tree, node, value)
            getattr(self, "do_" + str(tree.data).strip("_"))(tree, scope, Parts(key, value, clauses, node, asks))

    def check_shape(self, tree: Tree[Token], node: Node, value: Node | None) -> None:
        """The clauses and bodies that a sentence may have."""
        sentence = str(tree.data)
        allowed = _CLAUSES.get(sentence, frozenset())
        present = (
            isinstance(node, MappingNode) and value is not None and not (isinstance(value, Scalar) and value.absent)
        )
        name = sentence.strip("_").replace("_", " ")
        if sentence in _BODIED and not present:
            raise self.wrong(tree, "body-missing", f"'{name}' is followed by a colon and what is to be done.")
        if sentence not in _BODIED and present and not isinstance(value, MappingNode):
            raise self.wrong(tree, "shape", f"Nothing is done inside '{name}'; start a new line with '- '.")
        if isinstance(value, MappingNode) and sentence not in _BODIED:
            for key in value.keys.values():
                if key.text not in allowed:
                    message = f"'{name}' has no clause '{key.text}'."
                    hint = nearest(key.text, allowed) or ("It has " + ", ".join(sorted(allowed)) if allowed else "")
                    self.report.error(key.place, "unknown-key", message, hint)
        if isinstance(node, MappingNode):
            for key in list(node.keys.values())[1:]:
                if key.text != "otherwise" or sentence != "if_":
                    message = (
                        f"'{key.text}' does not belong here."
                        if key.text != "otherwise"
                        else "'otherwise' belongs to an 'if'."
                    )
                    self.report.error(key.place, "shape", message, "Every statement begins with '- '.")

    def branch(
        self,
        condition: int,
        then: Callable[[], None],
        other: Callable[[], None] | None,
        scope: Scope,
        asks: bool,
    ) -> None:
        """if … otherwise …, over blocks where somebody may be asked inside."""
        if not asks:
            if other is None or known(condition) is None:
                with self.emit.when(condition):
                    then()
                    if other:
                        self.emit.otherwise()
                        other()
            else:
                with self.emit.when(condition):
                    then()
                with self.emit.when(self.emit.negated(condition)):
                    other()
            return
        if self.plan.setting is not None and known(condition) is not None:  # all has been checked before
            if known(condition):
                then()
            elif other:
                other()
            return
        no, after = self.new_block(), self.new_block()
        with self.emit.when(self.emit.negated(condition)):
            self.emit.op("goto", no)
        before = self.progress(scope)
        self.begin(self.new_block(), scope.step)
        then()
        self.emit.op("goto", after)
        one = self.progress(scope)
        self.set_progress(scope, before)
        self.begin(no, scope.step)
        if other:
            other()
        self.set_progress(scope, one.or_else(self.progress(scope)))
        self.begin(after, scope.step)

    def do_if(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        with self.heading(parts.node, scope, parts.asks):
            condition = self.truth(tree.children[0], scope)
        assert isinstance(parts.node, MappingNode) and parts.value is not None
        inner = scope.branch() if parts.asks else scope.structured()
        body, other = parts.value, parts.node.get("otherwise")
        outer = scope.branch() if parts.asks else scope.structured()
        otherwise = (lambda: self.body(other, outer)) if other is not None else None
        self.branch(condition, lambda: self.body(body, inner), otherwise, scope, parts.asks)

    def do_each(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        group_tree, name, keys = tree.children
        with self.heading(parts.node, scope, parts.asks):
            group = self.group(group_tree, scope)
        body = parts.body
        if keys is not None:
            ordered = group

            def in_order() -> int:
                return self.ordered(ordered, keys, scope)

            group = self.listed(group.type, group.capacity, in_order)
        if self.plan.setting is not None and group.members == ():
            return
        seats = group.type.base == "seat"
        if not parts.asks:
            with self.emit.each(self.vector(group)) as item:
                inner = scope.structured()
                if seats:
                    inner = inner.acting(item)
                value = self.element(group, item)
                inner.bind("it", lambda: value)
                self.name_item(inner, name, lambda: value)
                self.body(body, inner)
            return
        if seats and scope.sealed >= 0:
            raise self.wrong(tree, "nested-at-once", "Inside 'at once' nobody else can be asked in turn.")
        items = self.slot(group.type, group.capacity, scope)
        self.put(items, group)
        cursor, current = self.slot(NUMBER, 0, scope), self.slot(replace(group.type, many=False), 0, scope)
        self.emit.store(cursor.cell, self.slot_index(cursor), ZERO)
        before = self.slot(SEAT, 0, scope)
        if seats:
            self.emit.store(before.cell, ZERO, self.emit.load(ME))
        again, after = self.new_block(), self.new_block()
        self.begin(again, scope.step)
        index, all_ = self.emit.load(cursor.cell, self.slot_index(cursor)), self.emit.vector()
        self.emit.op("read", all_, items.cell, self.slot_index(items))
        size, item = self.emit.register(), self.emit.register()
        self.emit.op("length", size >> 1, all_)
        with self.emit.when(self.emit.value("at_most", size, index)):
            self.emit.op("goto", after)
        self.emit.op("item", item >> 1, all_, index)
        self.emit.store(cursor.cell, self.slot_index(cursor), self.emit.value("add", index, ONE))
        self.emit.store(current.cell, self.slot_index(current), item)
        if seats:
            self.act_as(item)
        inner = scope.branch()
        if seats:
            inner = inner.acting(None)
        inner.bind("it", lambda: self.got(current))
        self.name_item(inner, name, lambda: self.got(current))
        self.looped(lambda: self.body(body, inner), inner, tree)
        self.emit.op("goto", again)
        self.begin(after, scope.step)
        if seats:
            self.act_as(self.emit.load(before.cell))

    def name_item(self, scope: Scope, name: Tree[Token] | Token | None, item: Binding) -> None:
        """The name that `as` gives to the item of a loop."""
        if isinstance(name, Token):
            self.fresh(name, scope)
            scope.bind(str(name), item)

    def ordered(self, group: Group, keys: Tree[Token] | Token, scope: Scope) -> int:
        """The members in an order, as a vector."""
        match keys, group.members:
            case Tree(children=[Tree(data="clockwise") as key]), (_, _, *_) as members:
                self.demand(replace(group.type, many=False), SEAT, key)
                return self.clockwise_from(self.first_seat(key, scope), members)
        vector = self.vector(group)
        with self.emit.when(self.several(vector)):
            self.emit.op("sort", vector, *self.columns(vector, group, keys, scope))
        return vector

    def several(self, vector: int) -> int:
        size = self.emit.register()
        self.emit.op("length", size >> 1, vector)
        return self.emit.value("less", ONE, size)

    def columns(self, vector: int, group: Group, keys: Tree[Token] | Token, scope: Scope) -> list[int]:
        """For each key of an order, the vector of what it gives for each item."""
        assert isinstance(keys, Tree)
        columns: list[int] = []
        for key in keys.children:
            assert isinstance(key, Tree)
            column = self.emit.vector()
            rank = self.key(key, replace(group.type, many=False), scope)
            self.emit.op("vector", column)
            with self.emit.each(vector) as item:
                self.emit.op("push", column, rank(self.element(group, item)))
            columns.append(column)
        return columns

    def key(self, key: Tree[Token], type_: Type, scope: Scope) -> Callable[[Value], int]:
        """A number for each item that is smaller the earlier it comes."""
        if key.data == "clockwise":
            self.demand(type_, SEAT, key)
            start = self.first_seat(key, scope)
            return lambda item: self.clockwise_distance(start, item.operand)

        def rank(item: Value) -> int:
            if key.data == "at_random":
                number = self.emit.register()
                self.emit.op("random", number >> 1, constant(2**31 - 1))
                return number
            inner = scope.within(item)
            if key.data == "first":
                return self.emit.negated(self.truth(key.children[0], inner))
            extreme, figure = key.children
            number = self.number(figure, inner).operand
            return self.emit.value("subtract", ZERO, number) if str(extreme) == "highest" else number

        return rank

    def first_seat(self, clockwise: Tree[Token], scope: Scope) -> int:
        """The seat that an order `clockwise from` begins with, as an operand."""
        return self.sure(self.value(clockwise.children[0], scope, SEAT), clockwise).operand

    def do_each_group(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        """Runs of equals, first the first; the groups are fixed when the loop begins."""
        group_tree, keys, name = tree.children
        assert isinstance(name, Token)
        self.fresh(name, scope.branch())
        with self.heading(parts.node, scope, parts.asks):
            group = self.group(group_tree, scope)
        vector, sizes = self.vector(group), self.emit.vector()
        self.emit.op("fixed", sizes, self.plan.table((1,)))
        with self.emit.when(self.several(vector)):
            columns = self.columns(vector, group, keys, scope)
            self.emit.op("rank", vector, sizes, *columns)
        members = self.slot(group.type, group.capacity, scope)
        in_run = self.slot(Type("number", "", True), max(1, group.capacity), scope)
        current = self.slot(group.type, group.capacity, scope)
        cursor = self.slot(NUMBER, 0, scope)
        self.emit.op("keep", vector, members.cell, self.slot_index(members))
        self.emit.op("keep", sizes, in_run.cell, self.slot_index(in_run))
        self.emit.store(cursor.cell, self.slot_index(cursor), ZERO)

        def next_run(leave: Callable[[], None]) -> None:
            """Keep the next run as the current one, or leave if there is none."""
            first = self.emit.load(cursor.cell, self.slot_index(cursor))
            all_, size = self.emit.vector(), self.emit.register()
            self.emit.op("read", all_, members.cell, self.slot_index(members))
            self.emit.op("length", size >> 1, all_)
            with self.emit.when(self.emit.value("at_most", size, first)):
                leave()
            run, counted, equals = self.emit.vector(), self.emit.vector(), self.emit.register()
            self.emit.op("read", counted, in_run.cell, self.slot_index(in_run))
            self.emit.op("item", equals >> 1, counted, first)
            self.emit.op("slice", run, all_, first, equals)
            self.emit.op("keep", run, current.cell, self.slot_index(current))
            self.emit.store(cursor.cell, self.slot_index(cursor), self.emit.value("add", first, equals))

        inner = scope.branch() if parts.asks else scope.structured()
        inner.bind(str(name), lambda: self.got(current))
        if not parts.asks:
            with self.emit.loop():
                next_run(lambda: self.emit.op("break"))
                self.body(parts.body, inner)
            return
        again, after = self.new_block(), self.new_block()
        self.begin(again, scope.step)
        next_run(lambda: self.emit.op("goto", after))
        self.looped(lambda: self.body(parts.body, inner), inner, tree)
        self.emit.op("goto", again)
        self.begin(after, scope.step)

    def looped(self, body: Callable[[], None], scope: Scope, tree: Tree[Token]) -> None:
        """The body of a loop that asks: inside an `at once`, what happens in it would come before its next question."""
        before = self.progress(scope)
        body()
        after = self.progress(scope)
        self.set_progress(scope, before.or_else(after))  # it may be nobody's turn
        if after.effects and not before.effects:
            message = "Inside 'at once' every choice comes before anything happens; this loop chooses again after it."
            raise self.wrong(tree, "choice-after-effect", message)

    def do_repeat_while(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        def again() -> int:
            with self.heading(parts.node, scope, parts.asks):
                return self.truth(tree.children[0], scope)

        self.repeat(again, tree, scope, parts)

    def do_repeat_times(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        left = self.slot(NUMBER, 0, scope)
        with self.heading(parts.node, scope, parts.asks):
            self.put(left, self.number(tree.children[0], scope))

        def again() -> int:
            number = self.emit.load(left.cell, self.slot_index(left))
            self.emit.store(left.cell, self.slot_index(left), self.emit.value("subtract", number, ONE))
            return self.emit.value("less", ZERO, number)

        self.repeat(again, tree, scope, parts)

    def repeat(self, condition: Callable[[], int], tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        if not parts.asks:
            with self.emit.loop():
                self.emit.spend()
                with self.emit.when(self.emit.negated(condition())):
                    self.emit.op("break")
                self.body(parts.body, scope.structured())
            return
        again, after = self.new_block(), self.new_block()
        self.begin(again, scope.step)
        self.emit.spend()
        with self.emit.when(self.emit.negated(condition())):
            self.emit.op("goto", after)
        inner = scope.branch()
        self.looped(lambda: self.body(parts.body, inner), inner, tree)
        self.emit.op("goto", again)
        self.begin(after, scope.step)

    def do_go_round(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        """Each in turn, again and again; who drops out is passed over."""
        group_tree, keys, until = tree.children
        if scope.sealed >= 0:
            raise self.wrong(tree, "nested-at-once", "Inside 'at once' nobody else can be asked in turn.")
        with self.heading(parts.node, scope, parts.asks):
            group = self.group(group_tree, scope, "seat")
            members = self.vector(group) if keys is None else self.ordered(group, keys, scope)
        round_ = Round(self.plan.sets(1, group.capacity), self.plan.cells(1), self.plan.cells(1))
        before = self.plan.cells(1)
        self.emit.op("keep", members, round_.seats, ZERO)
        self.emit.store(round_.next, ZERO, ZERO)

        def next_turn(leave: Callable[[], None]) -> Scope:
            """Let the next one act, or leave if there is none."""
            everyone, size, seat = self.emit.vector(), self.emit.register(), self.emit.register()
            self.emit.spend()
            self.emit.op("read", everyone, round_.seats, ZERO)
            self.emit.op("length", size >> 1, everyone)
            with self.emit.when(self.emit.value("equal", size, ZERO)):
                leave()
            index = self.emit.variable(self.emit.load(round_.next))
            with self.emit.when(self.emit.value("at_most", size, index)):
                self.emit.assign(index, ZERO)
            self.emit.op("item", seat >> 1, everyone, index)
            self.emit.store(round_.next, ZERO, self.emit.value("add", index, ONE))
            self.emit.store(round_.current, ZERO, seat)
            if parts.asks:
                self.act_as(seat)
                inner = replace(scope.branch().acting(None), round=round_)
            else:
                inner = replace(scope.structured().acting(seat), round=round_)
            inner.bind("it", lambda: Value(SEAT, self.emit.load(round_.current)))
            if until is not None:
                with self.heading(parts.node, inner, parts.asks), self.emit.when(self.truth(until, inner)):
                    leave()
            return inner

        if not parts.asks:
            with self.emit.loop():
                self.body(parts.body, next_turn(lambda: self.emit.op("break")))
            return
        self.emit.store(before, ZERO, self.emit.load(ME))
        again, after = self.new_block(), self.new_block()
        self.begin(again, scope.step)
        self.body(parts.body, next_turn(lambda: self.emit.op("goto", after)))
        self.emit.op("goto", again)
        self.begin(after, scope.step)
        self.act_as(self.emit.load(before))

    def do_drop_out(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        """Whose turn it is in the `go round` around this has no more turns in it."""
        round_ = scope.round
        if round_ is None:
            message = "Nobody can drop out here: it says so inside a 'go round', not in a step that is done there."
            raise self.wrong(tree, "no-round", message, "Nor where another one acts, as inside 'each' and 'as'.")
        everyone, left = self.emit.vector(), self.emit.vector()
        leaver = self.emit.load(round_.current)
        self.emit.op("read", everyone, round_.seats, ZERO)
        self.emit.op("vector", left)
        with self.emit.each(everyone) as seat:
            with self.emit.when(self.emit.value("unequal", seat, leaver)):
                self.emit.op("push", left, seat)
            with self.emit.when(self.emit.value("equal", seat, leaver)):  # so that the next one is not passed over
                self.emit.store(round_.next, ZERO, self.emit.value("subtract", self.emit.load(round_.next), ONE))
        self.emit.op("keep", left, round_.seats, ZERO)

    def do_act_as(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        with self.heading(parts.node, scope, parts.asks):
            seat = self.sure(self.value(tree.children[0], scope, SEAT), tree)
        if not parts.asks:
            self.body(parts.body, scope.structured().acting(self.emit.variable(seat.operand)))
            return
        if scope.sealed >= 0:
            raise self.wrong(tree, "nested-at-once", "Inside 'at once' nobody else can be asked in turn.")
        before = self.slot(SEAT, 0, scope)
        self.emit.store(before.cell, ZERO, self.emit.load(ME))
        self.act_as(seat.operand)
        self.body(parts.body, scope.branch().acting(None))
        self.begin(self.new_block(), scope.step)
        self.act_as(self.emit.load(before.cell))

    @abstractmethod
    def effect(self, scope: Scope) -> None:
        """Before something happens: inside an `at once`, wait until everybody has answered."""

    @abstractmethod
    def progress(self, scope: Scope) -> AtOnceProgress:
        """How far the acting seat is in the `at once` it is in, if any."""

    @abstractmethod
    def set_progress(self, scope: Scope, progress: AtOnceProgress) -> None:
        """Go on compiling from there."""


_BODIED = frozenset(["each", "each_group", "at_once", "act_as", "if_", "repeat_while", "repeat_times", "go_round"])
_CLAUSES: dict[str, frozenset[str]] = {
    "choose": frozenset(["ask", "none", "by place"]),
    "choose_number": frozenset(["ask"]),
    "choose_one": frozenset(["ask", "none", "among"]),
    "repeat_choosing": frozenset(["ask", "none", "none if", "among"]),
    "may": frozenset(["ask", "do"]),
}
