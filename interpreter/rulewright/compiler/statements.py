"""Statements: what a step does, written as instructions.

A statement that asks nobody is structured code inside one block. One that may ask is laid out over several blocks,
with what it needs to remember in cells of its own: steps never recurse, so every step's cells are its own as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from lark import Token, Tree

from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.expressions import Expressions, Wrong, fits
from rulewright.compiler.meaning import NUMBER, SEAT, TRUTH, Binding, Group, Meaning, Place, Scope, Tally, Value, described
from rulewright.diagnostics import nearest
from rulewright.edition import ChangeSet, Hook, Step, canonical
from rulewright.program import ME, Sealed, Site, Text, Type
from rulewright.source import Mapping, Node, Scalar, Sequence, part

MOST_NUMBERS = 1000
_PARKED = -2
_ASKING = ("choose", "choose_number", "choose_one", "may")


@dataclass(frozen=True)
class Slot:
    """Cells that outlive a decision: a set of at most `capacity`, or one value where that is 0.

    Inside an `at once` every seat has its own."""

    type: Type
    cell: int
    capacity: int
    per_seat: bool


@dataclass
class Subroutine:
    """A step that may ask somebody, laid out once and called from several places."""

    step: Step
    entry: int
    back: Slot
    parameters: list[Slot]
    sealed: int


@dataclass
class AtOnce:
    """An `all … at once` being compiled: the cells of its schedule."""

    number: int
    schedule: int
    phase: int
    seats: int
    next_block: int
    ask_block: int
    effects: bool = False


class Statements(Expressions):
    """Compiles statements, steps and hooks."""

    def prepare(self) -> None:
        self.sites: list[Site] = []
        self.sealed: list[Sealed] = []
        self.texts: list[Text] = []
        self.block_steps: dict[int, str] = {}
        self._at_once: dict[int, AtOnce] = {}
        self._blocks = 0
        self._subroutines: dict[tuple[str, int], Subroutine] = {}
        self._pending: list[Subroutine] = []
        self._asking: dict[str, bool] = {}
        self._steps_open: list[str] = []
        self._site_ids: dict[str, int] = {}
        self._steps = {canonical(name): step for name, step in self.edition.steps.items()}

    # ── blocks, slots ──

    def new_block(self) -> int:
        self._blocks += 1
        return self._blocks

    def begin(self, block: int, step: str) -> None:
        self.block_steps[block] = step
        self.emit.block(block)

    def act_as(self, seat: int) -> None:
        self.emit.store(ME, ZERO, seat)
        self.emit.forget("me")

    def slot(self, type_: Type, capacity: int, scope: Scope) -> Slot:
        per_seat = scope.sealed >= 0
        size = capacity + 1 if type_.many else 1
        return Slot(type_, self.plan.cells(size * (self.plan.seats if per_seat else 1)), capacity, per_seat)

    def slot_index(self, slot: Slot) -> int:
        if not slot.per_seat:
            return ZERO
        seat = self.emit.kept("me", lambda: self.emit.load(ME))
        size = slot.capacity + 1 if slot.type.many else 1
        return self.emit.value("multiply", seat, constant(size)) if size > 1 else seat

    def put(self, slot: Slot, meaning: Meaning) -> None:
        if isinstance(meaning, Value):
            operand = meaning.operand
            if meaning.type == TRUTH:
                operand = self.emit.variable(ZERO)
                with self.emit.when(meaning.operand):
                    self.emit.assign(operand, ONE)
            self.emit.store(slot.cell, self.slot_index(slot), operand)
        else:
            self.emit.op("keep", self.vector(meaning), slot.cell, self.slot_index(slot))

    def got(self, slot: Slot) -> Meaning:
        if not slot.type.many:
            return Value(slot.type, self.emit.load(slot.cell, self.slot_index(slot)))

        def make() -> int:
            vector = self.emit.vector()
            self.emit.op("read", vector, slot.cell, self.slot_index(slot))
            return vector

        return self.listed(slot.type, slot.capacity, make)

    def remember(self, name: str, meaning: Meaning, scope: Scope) -> None:
        """Give a name to what something stands for now."""
        if scope.flat:
            slot = self.slot(meaning.type, meaning.capacity if isinstance(meaning, Group) else 0, scope)
            self.put(slot, meaning)
            scope.bind(name, lambda: self.got(slot))
        elif isinstance(meaning, Value):
            value = replace(meaning, operand=self.emit.variable(meaning.operand)) if not isinstance(meaning, Tally) else (
                Value(meaning.type, self.emit.variable(meaning.operand), meaning.low, meaning.high)
            )  # fmt: skip
            scope.bind(name, lambda: value)
        else:
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            meaning.walk(lambda item: self.emit.op("push", vector, item), None)
            kept = self.listed(meaning.type, meaning.capacity, lambda: vector)
            scope.bind(name, lambda: kept)

    # ── which statements may ask ──

    def may_ask(self, node: Node) -> bool:
        """Whether anybody may be asked in a body or statement."""
        if isinstance(node, Sequence):
            return any(self.may_ask(item) for item in node.items)
        if isinstance(node, Scalar):
            return self.sentence_asks(node)
        if not node.keys:
            return False
        key, value = next(node.items())
        if key.text == "log":
            return False
        if self.sentence_asks(key):
            return True
        bodies = [value] if not isinstance(value, Mapping) or "do" not in value.entries else [value.entries["do"]]
        if other := node.get("otherwise"):
            bodies.append(other)
        return any(self.may_ask(body) for body in bodies)

    def sentence_asks(self, scalar: Scalar) -> bool:
        try:
            tree = self.parse(scalar, "statement")
        except Wrong:
            return False
        if tree.data == "do":
            step = self._steps.get(canonical(str(tree.children[0])))
            return step is not None and self.step_asks(step)
        return str(tree.data) in _ASKING

    def step_asks(self, step: Step) -> bool:
        if step.name not in self._asking:
            self._asking[step.name] = False  # while we look: a circle is reported elsewhere
            bodies = [step.body, *(hook.body for _, hook in self.hooks(step))]
            optional = any(hook.optional for _, hook in self.hooks(step))
            self._asking[step.name] = optional or any(self.may_ask(body) for body in bodies)
        return self._asking[step.name]

    def hooks(self, step: Step, when: str = "") -> list[tuple[ChangeSet, Hook]]:
        """The hooks on a step, options' first, then roles', then powers'."""
        return [
            (changes, hook)
            for level in ("option", "role", "power")
            for changes in self.edition.change_sets
            if changes.level == level
            for hook in changes.hooks
            if hook.step == step.name and when in ("", hook.when)
        ]

    # ── bodies ──

    def body(self, node: Node, scope: Scope) -> None:
        """A sentence, or a list of statements."""
        for item in node.items if isinstance(node, Sequence) else [node]:
            try:
                self.statement(item, scope)
            except Wrong:
                continue

    def statement(self, node: Node, scope: Scope) -> None:
        if isinstance(node, Sequence):
            self.report.error(node.place, "shape", "Expected one statement here, not a list.")
            return
        key, value = (node, None) if isinstance(node, Scalar) else next(node.items())
        clauses = value if isinstance(value, Mapping) else None
        if key.text == "log" and isinstance(value, Scalar):
            self.effect(scope)
            self.log(value, scope)
            return
        if isinstance(node, Scalar) and re.match(r"(if|each|all|as|repeat)\b.*:\s", node.text):
            message = "A sentence with a body stands alone before its colon, as a key: use no quotes here."
            self.report.error(node.place, "shape", message)
            return
        with self.reading(key):
            tree = self.parse(key, "statement")
            asks = self.may_ask(node)
            if asks and not scope.flat:
                raise self.wrong(tree, "cannot-ask", "Nobody can be asked here.")
            if not asks and str(tree.data) != "let":
                self.effect(scope)
            self.check_shape(tree, node, value)
            getattr(self, "do_" + str(tree.data).strip("_"))(tree, scope, _Parts(key, value, clauses, node, asks))

    def check_shape(self, tree: Tree[Token], node: Node, value: Node | None) -> None:
        """The clauses and bodies that a sentence may have."""
        sentence = str(tree.data)
        allowed = _CLAUSES.get(sentence, frozenset())
        present = isinstance(node, Mapping) and value is not None and not (isinstance(value, Scalar) and value.absent)
        name = sentence.strip("_").replace("_", " ")
        if sentence in _BODIED and not present:
            raise self.wrong(tree, "body-missing", f"'{name}' is followed by a colon and what is to be done.")
        if sentence not in _BODIED and present and not isinstance(value, Mapping):
            raise self.wrong(tree, "shape", f"Nothing is done inside '{name}'; start a new line with '- '.")
        if isinstance(value, Mapping) and sentence not in _BODIED:
            for key in value.keys.values():
                if key.text not in allowed:
                    message = f"'{name}' has no clause '{key.text}'."
                    hint = nearest(key.text, allowed) or ("It has " + ", ".join(sorted(allowed)) if allowed else "")
                    self.report.error(key.place, "unknown-key", message, hint)
        if isinstance(node, Mapping):
            for key in list(node.keys.values())[1:]:
                if key.text != "otherwise" or sentence != "if_":
                    message = f"'{key.text}' does not belong here." if key.text != "otherwise" else "'otherwise' belongs to an 'if'."
                    self.report.error(key.place, "shape", message, "Every statement begins with '- '.")

    def effect(self, scope: Scope) -> None:
        """Before something happens: inside an `at once`, wait until everybody has answered."""
        if scope.sealed < 0 or not scope.flat:
            return
        once = self._at_once[scope.sealed]
        once.effects = True
        here = self.new_block()
        seat = self.emit.load(ME)
        with self.emit.when(self.emit.value("equal", self.emit.load(once.phase), ZERO)):
            self.emit.store(once.next_block, seat, constant(_PARKED - here))
            self.emit.op("goto", once.schedule)
        self.begin(here, scope.step)

    def branch(self, condition: int, then: Callable[[], None], other: Callable[[], None] | None, scope: Scope, asks: bool) -> None:
        """if … otherwise …, over blocks where somebody may be asked inside."""
        if not asks:
            with self.emit.when(condition):
                then()
                if other:
                    self.emit.otherwise()
                    other()
            return
        no, after = self.new_block(), self.new_block()
        with self.emit.when(self.emit.negated(condition)):
            self.emit.op("goto", no)
        before = self.effects_so_far(scope)
        self.begin(self.new_block(), scope.step)
        then()
        self.emit.op("goto", after)
        happened = self.effects_so_far(scope, before)
        self.begin(no, scope.step)
        if other:
            other()
        if happened:
            self.effects_so_far(scope, True)
        self.begin(after, scope.step)

    def effects_so_far(self, scope: Scope, set_to: bool | None = None) -> bool:
        if scope.sealed < 0:
            return False
        once = self._at_once[scope.sealed]
        before = once.effects
        if set_to is not None:
            once.effects = set_to
        return before

    # ── moving pieces ──

    def do_move(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        what, target = tree.children
        place, bottom = self.target(target, scope)
        drawn = self.drawn(what, scope)
        if drawn is not None:
            amount, pile = drawn
            self.demand_held(pile, place, what)
            self.draw(pile, place, amount.operand, bottom)
            return
        group = self.group(what, scope, "piece")
        self.demand_held(group, place, what)
        self.move_all(group, place, bottom)

    def drawn(self, tree: Tree[Token] | Token, scope: Scope) -> tuple[Value, Place] | None:
        """For `top N of PILE`: the number and the pile, so that a pile that runs out can be refilled."""
        if not isinstance(tree, Tree) or tree.data != "some_of" or str(tree.children[0]) != "top":
            return None
        source = tree.children[2]
        if not isinstance(source, Tree) or source.data != "path":
            return None
        pile = self.meaning(source, scope)
        if not isinstance(pile, Place):
            return None
        return self.number(tree.children[1], scope), pile

    def target(self, tree: Tree[Token] | Token, scope: Scope) -> tuple[Place, int]:
        """The zone something goes to, and 1 if to its bottom."""
        assert isinstance(tree, Tree)
        return self.the_zone(tree.children[0], scope), ONE if tree.data == "bottom_of" else ZERO

    def the_zone(self, tree: Tree[Token] | Token, scope: Scope) -> Place:
        place = self.meaning(tree, scope)
        if not isinstance(place, Place):
            hint = nearest(str(tree.children[-1]) if isinstance(tree, Tree) else "", self.edition.zones)
            raise self.wrong(tree, "type", f"Expected a zone here; this is {described(place.type)}.", hint)
        return place

    def demand_held(self, group: Group, place: Place, tree: Tree[Token] | Token) -> None:
        if group.type.base == "nothing":
            return
        if not fits(group.type, place.type) or not (self.kinds_in(group.type) & self.kinds_in(place.type)):
            name = place.zone.name if place.zone else ""
            raise self.wrong(tree, "zone-does-not-hold", f"'{name}' holds {described(place.type)}; this is {described(group.type)}.")

    def move_all(self, group: Group, place: Place, bottom: int) -> None:
        """Every piece as long as there is room; what does not fit stays where it is."""
        with self.fitting(place) as fits_in:
            with self.emit.each(self.vector(self.of_kinds(group, self.kinds_in(place.type)))) as piece:
                fits_in(piece, lambda: self.emit.op("move", piece, place.address, bottom))

    def draw(self, pile: Place, place: Place, amount: int, bottom: int) -> None:
        """The top pieces one by one, until there are enough, no room, or nothing left to draw."""
        left = self.emit.variable(amount)
        with self.fitting(place) as fits_in, self.emit.loop():
            with self.emit.when(self.emit.value("at_most", left, ZERO)):
                self.emit.op("break")
            assert pile.zone is not None
            size = self.emit.load(0, pile.address)
            with self.emit.when(self.emit.value("equal", size, ZERO)):
                if pile.zone.refills_from:
                    refill = self.zone(pile.zone.refills_from, pile.owner)
                    self.emit.op("pour", refill.address, pile.address)
                    self.emit.change("load", size, 0, pile.address)
            with self.emit.when(self.emit.value("equal", size, ZERO)):
                self.emit.op("break")
            piece = self.emit.load(0, self.emit.value("add", pile.address, size))
            before = self.emit.load(self.plan.at, piece)
            fits_in(piece, lambda: self.emit.op("move", piece, place.address, bottom))
            with self.emit.when(self.emit.value("equal", self.emit.load(self.plan.at, piece), before)):
                self.emit.op("break")
            self.emit.change("subtract", left, left, ONE)

    def fitting(self, place: Place) -> _Fitting:
        return _Fitting(self, place)

    def do_shuffle(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        self.emit.op("shuffle", self.the_zone(tree.children[0], scope).address)

    def do_swap(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        piece = Type("piece")
        one, other = (self.value(child, scope, piece) for child in tree.children)
        self.emit.op("swap", one.operand, other.operand)

    def do_fill(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        target, kind, source, amount = tree.children
        place, pile = self.the_zone(target, scope), self.the_zone(source, scope)
        kinds = self.group(kind, scope, "piece")
        self.demand_held(pile, place, source)
        there = self.size(self.of_kinds(place, self.kinds_in(kinds.type)))
        wanted = self.number(amount, scope)
        self.draw(pile, place, self.emit.value("subtract", wanted.operand, there.operand), ZERO)

    # ── counters and names ──

    def do_set(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        tally = self.tally_at(tree.children[0], scope)
        value = self.value(tree.children[1], scope, tally.type)
        if tally.type == TRUTH:
            truth = self.emit.variable(ZERO)
            with self.emit.when(value.operand):
                self.emit.assign(truth, ONE)
            self.emit.store(tally.cell, tally.index, truth)
        else:
            self.emit.op("count", tally.cell, tally.index, value.operand, self.source_place(tree))

    def do_add(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        self.count("add", tree.children[0], tree.children[1], tree, scope)

    def do_take(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        self.count("subtract", tree.children[0], tree.children[1], tree, scope)

    def count(self, operation: str, amount: Tree[Token] | Token, counter: Tree[Token] | Token, tree: Tree[Token], scope: Scope) -> None:
        value, tally = self.number(amount, scope), self.tally_at(counter, scope)
        self.demand(tally.type, NUMBER, counter)
        total = self.emit.value(operation, tally.operand, value.operand)
        self.emit.op("count", tally.cell, tally.index, total, self.source_place(tree))

    def tally_at(self, tree: Tree[Token] | Token, scope: Scope) -> Tally:
        tally = self.meaning(tree, scope)
        if not isinstance(tally, Tally):
            hint = "Values and terms are changed by options, roles and powers; what changes during the game is a counter."
            raise self.wrong(tree, "not-a-counter", f"Expected a counter here; this is {described(tally.type)}.", hint)
        return tally

    def do_let(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        name, value = tree.children
        assert isinstance(name, Token)
        self.fresh(name, scope)
        try:
            meaning = self.meaning(value, scope)
        except Wrong:
            scope.bind(str(name), self.unusable)
            raise
        self.remember(str(name), meaning, scope)

    def unusable(self) -> Meaning:
        """What a name stands for whose making was reported as wrong."""
        raise Wrong

    def fresh(self, name: Token, scope: Scope) -> None:
        """A new name must not hide one that means something everywhere."""
        key = canonical(str(name))
        for what, table in (("zone", self._zones), ("figure", self._figures), ("counter", self._counters), ("kind of piece", self._kinds)):
            if key in table:
                raise self.wrong(name, "name-taken", f"'{name}' is the name of a {what} already; choose another.")

    # ── loops and branches ──

    def do_if(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        condition = self.truth(tree.children[0], scope)
        assert isinstance(parts.node, Mapping) and parts.value is not None
        inner = scope.branch() if parts.asks else scope.structured()
        body, other = parts.value, parts.node.get("otherwise")
        outer = scope.branch() if parts.asks else scope.structured()
        otherwise = (lambda: self.body(other, outer)) if other is not None else None
        self.branch(condition, lambda: self.body(body, inner), otherwise, scope, parts.asks)

    def do_each(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        group_tree, name, keys = tree.children
        group = self.group(group_tree, scope)
        body = parts.body
        if keys is not None:
            ordered = group

            def in_order() -> int:
                return self.ordered(ordered, keys, scope)[0]

            group = self.listed(group.type, group.capacity, in_order)
        seats = group.type.base == "seat"
        if not parts.asks:
            with self.emit.each(self.vector(group)) as item:
                inner = scope.structured()
                if seats:
                    inner = inner.acting(item)
                value = self.element(group, item)
                self.name_item(inner, name, value)
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
        index, size = self.emit.load(cursor.cell, self.slot_index(cursor)), self.emit.load(items.cell, self.slot_index(items))
        with self.emit.when(self.emit.value("at_most", size, index)):
            self.emit.op("goto", after)
        offset = self.emit.value("add", self.slot_index(items), index)
        item = self.emit.load(items.cell + 1, offset)
        self.emit.store(cursor.cell, self.slot_index(cursor), self.emit.value("add", index, ONE))
        self.emit.store(current.cell, self.slot_index(current), item)
        if seats:
            self.act_as(item)
        inner = scope.branch()
        if seats:
            inner = replace(inner, someone=True)
        inner.bind("it", lambda: self.got(current))
        if name is not None:
            self.fresh(name, scope)
            inner.bind(str(name), lambda: self.got(current))
        self.body(body, inner)
        self.emit.op("goto", again)
        self.begin(after, scope.step)
        if seats:
            self.act_as(self.emit.load(before.cell))

    def name_item(self, scope: Scope, name: Tree[Token] | Token | None, value: Value) -> None:
        scope.bind("it", lambda: value)
        if isinstance(name, Token):
            self.fresh(name, scope)
            scope.bind(str(name), lambda: value)

    def ordered(self, group: Group, keys: Tree[Token] | Token, scope: Scope) -> tuple[int, list[int]]:
        """The members in an order, as a vector, with the vectors of their keys."""
        assert isinstance(keys, Tree)
        vector, columns = self.emit.vector(), []
        self.emit.op("vector", vector)
        group.walk(lambda item: self.emit.op("push", vector, item), None)
        for key in keys.children:
            assert isinstance(key, Tree)
            column = self.emit.vector()
            self.emit.op("vector", column)
            with self.emit.each(vector) as item:
                self.emit.op("push", column, self.key(key, self.element(group, item), scope))
            columns.append(column)
        self.emit.op("sort", vector, *columns)
        return vector, columns

    def key(self, key: Tree[Token], item: Value, scope: Scope) -> int:
        """A number that is smaller the earlier something comes."""
        if key.data == "at_random":
            number = self.emit.register()
            self.emit.op("random", number >> 1, constant(2**31 - 1))
            return number
        if key.data == "clockwise":
            self.demand(item.type, SEAT, key)
            start = self.value(key.children[0], scope, SEAT)
            return self.clockwise_distance(start.operand, item.operand)
        inner = scope.within(item)
        if key.data == "first":
            return self.emit.negated(self.truth(key.children[0], inner))
        extreme, figure = key.children
        number = self.number(figure, inner).operand
        return self.emit.value("subtract", ZERO, number) if str(extreme) == "highest" else number

    def do_each_group(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        """Runs of equals, first the first; the groups are fixed when the loop begins."""
        group_tree, keys, name = tree.children
        assert isinstance(name, Token)
        self.fresh(name, scope)
        group = self.group(group_tree, scope)
        vector, columns = self.ordered(group, keys, scope)
        classes = self.emit.vector()
        self.emit.op("classes", classes, *columns)
        members = self.slot(group.type, group.capacity, scope)
        numbers = self.slot(Type("number", "", True), group.capacity, scope)
        current = self.slot(group.type, group.capacity, scope)
        cursor = self.slot(NUMBER, 0, scope)
        self.emit.op("keep", vector, members.cell, self.slot_index(members))
        self.emit.op("keep", classes, numbers.cell, self.slot_index(numbers))
        self.emit.store(cursor.cell, self.slot_index(cursor), ZERO)

        def gather() -> None:
            """The next run into `current`, the cursor behind it."""
            run = self.emit.vector()
            self.emit.op("vector", run)
            index = self.emit.variable(self.emit.load(cursor.cell, self.slot_index(cursor)))
            first = self.emit.load(numbers.cell + 1, self.emit.value("add", self.slot_index(numbers), index))
            size = self.emit.load(members.cell, self.slot_index(members))
            with self.emit.loop():
                with self.emit.when(self.emit.value("at_most", size, index)):
                    self.emit.op("break")
                this = self.emit.load(numbers.cell + 1, self.emit.value("add", self.slot_index(numbers), index))
                with self.emit.when(self.emit.value("unequal", this, first)):
                    self.emit.op("break")
                self.emit.op("push", run, self.emit.load(members.cell + 1, self.emit.value("add", self.slot_index(members), index)))
                self.emit.change("add", index, index, ONE)
            self.emit.op("keep", run, current.cell, self.slot_index(current))
            self.emit.store(cursor.cell, self.slot_index(cursor), index)

        def finished() -> int:
            index = self.emit.load(cursor.cell, self.slot_index(cursor))
            return self.emit.value("at_most", self.emit.load(members.cell, self.slot_index(members)), index)

        inner = scope.branch() if parts.asks else scope.structured()
        inner.bind(str(name), lambda: self.got(current))
        if not parts.asks:
            with self.emit.loop():
                with self.emit.when(finished()):
                    self.emit.op("break")
                gather()
                self.body(parts.body, inner)
            return
        again, after = self.new_block(), self.new_block()
        self.begin(again, scope.step)
        with self.emit.when(finished()):
            self.emit.op("goto", after)
        gather()
        self.body(parts.body, inner)
        self.emit.op("goto", again)
        self.begin(after, scope.step)

    def do_repeat_while(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        self.repeat(lambda: self.truth(tree.children[0], scope), scope, parts)

    def do_repeat_times(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        left = self.slot(NUMBER, 0, scope)
        self.put(left, self.number(tree.children[0], scope))

        def again() -> int:
            number = self.emit.load(left.cell, self.slot_index(left))
            self.emit.store(left.cell, self.slot_index(left), self.emit.value("subtract", number, ONE))
            return self.emit.value("less", ZERO, number)

        self.repeat(again, scope, parts)

    def repeat(self, condition: Callable[[], int], scope: Scope, parts: _Parts) -> None:
        if not parts.asks:
            with self.emit.loop():
                with self.emit.when(self.emit.negated(condition())):
                    self.emit.op("break")
                self.body(parts.body, scope.structured())
            return
        again, after = self.new_block(), self.new_block()
        self.begin(again, scope.step)
        with self.emit.when(self.emit.negated(condition())):
            self.emit.op("goto", after)
        self.body(parts.body, scope.branch())
        self.emit.op("goto", again)
        self.begin(after, scope.step)

    def do_act_as(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        seat = self.value(tree.children[0], scope, SEAT)
        if not parts.asks:
            self.body(parts.body, scope.structured().acting(self.emit.variable(seat.operand)))
            return
        if scope.sealed >= 0:
            raise self.wrong(tree, "nested-at-once", "Inside 'at once' nobody else can be asked in turn.")
        before = self.slot(SEAT, 0, scope)
        self.emit.store(before.cell, ZERO, self.emit.load(ME))
        self.act_as(seat.operand)
        self.body(parts.body, replace(scope.branch(), someone=True))
        self.begin(self.new_block(), scope.step)
        self.act_as(self.emit.load(before.cell))

    def do_end_game(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        self.emit.op("halt")

    # ── steps ──

    def do_do(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        name, argument = tree.children
        assert isinstance(name, Token)
        step = self._steps.get(canonical(str(name)))
        if step is None:
            raise self.wrong(name, "unknown-name", f"There is no step called '{name}'.", nearest(str(name), self.edition.steps))
        if (argument is None) == bool(step.parameters):
            wanted = f"needs to be told for which {step.parameters[0][0]}: 'do {name} for …'" if step.parameters else "is not told 'for' anything"
            raise self.wrong(tree, "argument", f"The step '{name}' {wanted}.")
        arguments: list[Meaning] = []
        if argument is not None:
            wanted_type = self.declared_type(step.parameters[0][1])
            if wanted_type.many:
                group = self.group(argument, scope)
                self.demand(group.type, wanted_type, argument)
                arguments.append(group)
            else:
                arguments.append(self.value(argument, scope, wanted_type))
        self.call(step, arguments, scope)

    def call(self, step: Step, arguments: list[Meaning], scope: Scope) -> None:
        if step.name in self._steps_open:
            chain = " → ".join([*self._steps_open[self._steps_open.index(step.name) :], step.name])
            self.report.error(step.place, "circular", f"This step does itself: {chain}.", "Use 'repeat while' to do something again.")
            raise Wrong
        if not self.step_asks(step):
            inner = Scope(step.name, scope.me, scope.someone, None, {}, scope.sealed, False)
            for (name, _), argument in zip(step.parameters, arguments, strict=True):
                self.remember(name, argument, inner)
            self.step_body(step, inner)
            return
        routine = self.subroutine(step, scope)
        for slot, argument in zip(routine.parameters, arguments, strict=True):
            self.put(slot, argument)
        back = self.new_block()
        self.emit.store(routine.back.cell, self.slot_index(routine.back), constant(back))
        self.emit.op("goto", routine.entry)
        self.begin(back, scope.step)

    def subroutine(self, step: Step, scope: Scope) -> Subroutine:
        key = (step.name, scope.sealed)
        if key not in self._subroutines:
            parameters = []
            for _, type_name in step.parameters:
                type_ = self.declared_type(type_name)
                parameters.append(self.slot(type_, self.capacity_of(type_) if type_.many else 0, scope))
            routine = Subroutine(step, self.new_block(), self.slot(NUMBER, 0, scope), parameters, scope.sealed)
            self._subroutines[key] = routine
            self._pending.append(routine)
        elif scope.sealed >= 0:
            self._at_once[scope.sealed].effects = True
        return self._subroutines[key]

    def capacity_of(self, type_: Type) -> int:
        if type_.base == "seat":
            return self.plan.seats
        if type_.base == "word":
            return len(self.edition.words[str(type_.detail)].words)
        return self.plan.pieces_of(self.kinds_in(type_))

    def finish_subroutines(self, sealed: int = -1) -> None:
        """Lay out the steps that have been called (inside one `at once`, or outside all)."""
        while routine := next((r for r in self._pending if r.sealed == sealed), None):
            self._pending.remove(routine)
            self.begin(routine.entry, routine.step.name)
            scope = Scope(routine.step.name, sealed=routine.sealed, flat=True)
            for (name, _), slot in zip(routine.step.parameters, routine.parameters, strict=True):
                scope.bind(name, self.reader(slot))
            self.step_body(routine.step, scope)
            self.emit.op("goto_cell", routine.back.cell, self.slot_index(routine.back))

    def reader(self, slot: Slot) -> Binding:
        return lambda: self.got(slot)

    def step_body(self, step: Step, scope: Scope) -> None:
        """A step with its hooks woven in: before, instead of or itself, after."""
        self._steps_open.append(step.name)
        try:
            for changes, hook in self.hooks(step, "before"):
                self.hooked(changes, hook, scope, None)
            self.instead(self.hooks(step, "instead of"), step, scope)
            for changes, hook in self.hooks(step, "after"):
                self.hooked(changes, hook, scope, None)
        finally:
            self._steps_open.pop()

    def instead(self, hooks: list[tuple[ChangeSet, Hook]], step: Step, scope: Scope) -> None:
        """The highest-ranking active hook, or the step itself."""
        if not hooks:
            self.body(step.body, scope)
            return
        *lower, (changes, hook) = hooks
        self.hooked(changes, hook, scope, lambda: self.instead(lower, step, scope))

    def hooked(self, changes: ChangeSet, hook: Hook, scope: Scope, other: Callable[[], None] | None) -> None:
        asks = self.may_ask(hook.body) or hook.optional or (scope.flat and (other is not None or scope.sealed >= 0))
        with self.reading(hook.condition_text):
            owner = self.me(scope) if scope.someone else None
            condition = self.emit.variable(self.active(changes, owner))
            if hook.condition is not None:
                with self.emit.when(condition):
                    self.emit.assign(condition, self.truth(hook.condition, scope))
        inner = replace(scope.branch() if asks else scope.structured(), step=changes.name)
        if hook.optional:
            self.branch(condition, lambda: self.optional(changes.name, hook.ask, hook.condition_text, lambda: self.body(hook.body, inner), inner, other), other, scope, True)
        else:
            self.branch(condition, lambda: self.body(hook.body, inner), other, scope, asks)

    # ── decisions ──

    def optional(self, name: str, ask: Scalar | None, at: Scalar, then: Callable[[], None], scope: Scope, other: Callable[[], None] | None = None) -> None:
        """Ask whether; then, or otherwise."""

        def candidates() -> tuple[int, int, int]:
            vector = self.emit.vector()
            self.emit.op("fixed", vector, self.plan.table((1, 0)))
            return vector, ONE, ONE

        text = ask or Scalar("", at.place, True)
        slot = self.ask(name, TRUTH, 2, text, None, candidates, scope, at)
        answer = self.emit.load(slot.cell + 1, self.slot_index(slot))
        self.branch(answer, then, other, scope, True)

    def do_may(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        name = str(tree.children[1]) if tree.children[1] is not None else "may"
        body = parts.clause("do") or Sequence([], parts.key.place)
        inner = scope.branch()
        self.optional(f"{scope.step}.{name}", parts.text("ask"), parts.key, lambda: self.body(body, inner), scope)

    def do_choose(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        how_many, group_tree, outcome = tree.children
        assert isinstance(how_many, Tree) and isinstance(outcome, Tree)
        bounds: list[int] = []
        capacity = [0]
        elements: list[Type] = []
        scalar = self._scalar

        def candidates() -> tuple[int, int, int]:
            with self.reading(scalar):
                group = self.group(group_tree, scope)
                elements.append(replace(group.type, many=False))
                least, most = self.how_many(how_many, scope, group)
                capacity[0] = max(0, min(group.capacity, most.high))
                if outcome.data == "into":
                    place, _ = self.target(outcome.children[0], scope)
                    self.demand_held(group, place, group_tree)
                vector = self.vector(group)
                bounds[:] = [least.operand, most.operand]
                return vector, least.operand, most.operand

        bound = outcome.children[0]
        name = str(bound) if outcome.data == "named" else self.zone_name(bound)
        if outcome.data == "named":
            assert isinstance(bound, Token)
            self.fresh(bound, scope)
        slot = self.ask(f"{scope.step}.{name}", None, 0, parts.text("ask"), parts.text("none"), candidates, scope, parts.key, elements, capacity)
        if outcome.data == "named":
            scope.bind(name, lambda: self.got(slot))
            return
        self.effect(scope)
        chosen = self.got(slot)
        assert isinstance(chosen, Group)
        place, bottom = self.target(bound, scope)
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

    def do_choose_at_random(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        how_many, group_tree, outcome = tree.children
        assert isinstance(how_many, Tree) and isinstance(outcome, Tree)
        group = self.group(group_tree, scope)
        if how_many.data != "exactly":
            raise self.wrong(how_many, "syntax", "Chance is told exactly how many to choose.")
        _, amount = self.how_many(how_many, scope, group)

        def make() -> int:
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            group.walk(lambda item: self.emit.op("push", vector, item), None)
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

    def do_choose_number(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        low_tree, high_tree, name = tree.children
        assert isinstance(name, Token)
        self.fresh(name, scope)

        def candidates() -> tuple[int, int, int]:
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
            return vector, ONE, ONE

        slot = self.ask(f"{scope.step}.{name}", NUMBER, 1, parts.text("ask"), None, candidates, scope, parts.key)
        scope.bind(str(name), lambda: self.got(slot))

    def do_choose_one(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        """A menu: each branch with its text, its condition and what it does."""
        among = parts.clause("among")
        if not isinstance(among, Mapping) or not among.keys:
            raise self.wrong(tree, "among-missing", "'choose one' says with 'among' what there is to choose: a name for each branch.")
        branches = list(among.items())
        name = str(tree.children[0]) if tree.children[0] is not None else "one"

        def candidates() -> tuple[int, int, int]:
            vector = self.emit.vector()
            self.emit.op("vector", vector)
            for index, (_, details) in enumerate(branches):
                condition = details.get("if") if isinstance(details, Mapping) else None
                holds = ONE
                if isinstance(condition, Scalar):
                    with self.reading(condition):
                        holds = self.truth(self.parse(condition, "value"), scope)
                with self.emit.when(holds):
                    self.emit.op("push", vector, constant(index))
            least = ZERO if parts.text("none") else ONE
            return vector, least, ONE

        element = Type("branch")
        texts = [
            self.static_text(details.get("text") if isinstance(details, Mapping) else None, key, scope)
            for key, details in branches
        ]
        slot = self.ask(
            f"{scope.step}.{name}", element, 1, parts.text("ask"), parts.text("none"), candidates, scope, parts.key,
            branches=tuple(key.text for key, _ in branches), branch_texts=tuple(texts),
        )  # fmt: skip
        chosen = self.slot(NUMBER, 0, scope)
        picked = self.emit.variable(NONE)
        with self.emit.when(self.emit.load(slot.cell, self.slot_index(slot))):
            self.emit.assign(picked, self.emit.load(slot.cell + 1, self.slot_index(slot)))
        self.emit.store(chosen.cell, self.slot_index(chosen), picked)
        before, happened = self.effects_so_far(scope), False
        for index, (_, details) in enumerate(branches):
            body = details.get("do") if isinstance(details, Mapping) else details
            if body is None:
                continue
            self.effects_so_far(scope, before)
            condition = self.emit.value("equal", self.emit.load(chosen.cell, self.slot_index(chosen)), constant(index))
            inner = scope.branch()
            self.branch(condition, self.doer(body, inner), None, scope, True)
            happened = happened or self.effects_so_far(scope)
        self.effects_so_far(scope, before or happened)

    def doer(self, body: Node, scope: Scope) -> Callable[[], None]:
        return lambda: self.body(body, scope)

    def static_text(self, node: Node | None, key: Scalar, scope: Scope) -> Text:
        return Text(f"{scope.step}.{key.text}", (node.text if isinstance(node, Scalar) else key.text.capitalize(),))

    def ask(
        self, name: str, element: Type | None, capacity: int, ask: Scalar | None, none: Scalar | None,
        candidates: Callable[[], tuple[int, int, int]], scope: Scope, at: Scalar,
        elements: list[Type] | None = None, capacities: list[int] | None = None,
        branches: tuple[str, ...] = (), branch_texts: tuple[Text, ...] = (),
    ) -> Slot:  # fmt: skip
        """A decision of the acting seat; its answer stands in the slot that this gives."""
        if not scope.flat:
            raise self.wrong(None, "cannot-ask", "Nobody can be asked here.")
        if self.effects_so_far(scope):
            raise self.wrong(
                None, "choice-after-effect",
                "Inside 'at once' every choice comes before anything happens, or its answer could show too early.",
            )  # fmt: skip
        asking, resume = self.new_block(), self.new_block()
        self.begin(asking, scope.step)
        vector, least, most = candidates()
        if elements:
            element = elements[0]
        if capacities is not None:
            capacity = capacities[0]
        assert element is not None
        slot = self.slot(replace(element, many=True), capacity, scope)
        nobody = self.emit.register()
        self.emit.op("length", nobody >> 1, vector)
        nothing = self.emit.variable(self.emit.value("equal", nobody, ZERO))
        with self.emit.when(self.emit.value("at_most", most, ZERO)):
            self.emit.assign(nothing, ONE)
        with self.emit.when(nothing):
            empty = self.emit.vector()
            self.emit.op("vector", empty)
            self.emit.op("keep", empty, slot.cell, self.slot_index(slot))
            self.emit.op("goto", resume)
        site_id = self.unique(name)
        text, arguments = self.text(ask, f"{site_id}.ask", scope)
        none_text = Text(f"{site_id}.none", (none.text,)) if none is not None else None
        seat = self.me(scope)
        self.emit.op("ask", len(self.sites), seat, vector, least, most, *arguments)
        stride = (slot.capacity + 1) if slot.per_seat else 0
        self.sites.append(
            Site(site_id, element, text, none_text, scope.step, slot.cell, stride, resume, scope.sealed, branches, branch_texts)
        )
        self.begin(resume, scope.step)
        return slot

    def unique(self, name: str) -> str:
        self._site_ids[name] = self._site_ids.get(name, 0) + 1
        return name if self._site_ids[name] == 1 else f"{name} {self._site_ids[name]}"

    def do_at_once(self, tree: Tree[Token], scope: Scope, parts: _Parts) -> None:
        """Everybody answers in any order; then what follows happens seat by seat."""
        group = self.group(tree.children[0], scope, "seat")
        if not parts.asks:
            with self.emit.each(self.vector(group)) as seat:
                self.body(parts.body, scope.structured().acting(seat))
            return
        if scope.sealed >= 0:
            raise self.wrong(tree, "nested-at-once", "An 'at once' cannot stand inside another.")
        seats = self.plan.seats
        once = AtOnce(
            number=len(self.sealed), schedule=self.new_block(), phase=self.plan.cells(1),
            seats=self.plan.cells(seats + 1), next_block=self.plan.cells(seats), ask_block=self.plan.cells(seats),
        )  # fmt: skip
        self._at_once[once.number] = once
        self.sealed.append(Sealed(once.schedule, once.seats, once.next_block, once.ask_block))
        before, target = self.plan.cells(1), self.plan.cells(1)
        entry, end, after = self.new_block(), self.new_block(), self.new_block()
        members = self.vector(group)
        self.emit.op("keep", members, once.seats, ZERO)
        self.emit.store(before, ZERO, self.emit.load(ME))
        self.emit.store(once.phase, ZERO, ZERO)
        with self.emit.each(members) as seat:
            self.emit.store(once.next_block, seat, constant(entry))
            self.emit.store(once.ask_block, seat, ZERO)
        self.schedule(once, before, target, after, scope)
        self.begin(entry, scope.step)
        inner = replace(scope.branch(), sealed=once.number, me=None, someone=True)
        self.body(parts.body, inner)
        self.begin(end, scope.step)
        with self.emit.when(self.emit.value("equal", self.emit.load(once.phase), ZERO)):
            self.emit.store(once.next_block, self.emit.load(ME), constant(_PARKED - end))
        self.emit.op("goto", once.schedule)
        self.finish_subroutines(once.number)
        self.begin(after, scope.step)

    def schedule(self, once: AtOnce, before: int, target: int, after: int, scope: Scope) -> None:
        """Let every seat go on to its next decision; when nobody has one, to its effects, in order."""
        self.begin(once.schedule, scope.step)
        seats = self.emit.vector()
        self.emit.op("read", seats, once.seats, ZERO)
        with self.emit.when(self.emit.value("equal", self.emit.load(once.phase), ZERO)):
            waiting = self.emit.variable(ZERO)
            with self.emit.each(seats) as seat:
                block = self.emit.load(once.next_block, seat)
                with self.emit.when(self.emit.value("less", ZERO, block)):
                    self.go_on(once, seat, block, target)
                with self.emit.when(self.emit.value("equal", block, NONE)):
                    self.emit.assign(waiting, ONE)
            with self.emit.when(waiting):
                self.emit.op("wait")
            self.emit.store(once.phase, ZERO, ONE)
        with self.emit.each(seats) as seat:
            block = self.emit.load(once.next_block, seat)
            with self.emit.when(self.emit.value("less", block, NONE)):
                self.go_on(once, seat, self.emit.value("subtract", constant(_PARKED), block), target)
        self.emit.op("keep", self.empty_vector(), once.seats, ZERO)
        self.emit.store(ME, ZERO, self.emit.load(before))
        self.emit.op("goto", after)

    def empty_vector(self) -> int:
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        return vector

    def go_on(self, once: AtOnce, seat: int, block: int, target: int) -> None:
        self.emit.store(once.next_block, seat, ZERO)
        self.emit.store(ME, ZERO, seat)
        self.emit.store(target, ZERO, block)
        self.emit.op("goto_cell", target, ZERO)

    # ── texts ──

    def log(self, scalar: Scalar, scope: Scope) -> None:
        with self.emit.told():
            text, arguments = self.text(scalar, f"{scope.step}.log", scope)
            self.emit.op("tell", len(self.texts), *arguments)
            self.texts.append(text)

    def text(self, scalar: Scalar | None, key: str, scope: Scope) -> tuple[Text, list[int]]:
        """A text with its arguments, each as a vector."""
        if scalar is None:
            return Text(key, ("",)), []
        parts: list[str | int] = []
        types: list[Type] = []
        arguments: list[int] = []
        inner = scope.structured()
        for literal, slot, offset in _slots(scalar.text):
            if literal:
                parts.append(literal)
            if not slot:
                continue
            slot_text = part(scalar, offset, slot)
            with self.reading(slot_text):
                try:
                    tree = self.parse(slot_text, "value")
                    meaning = self.meaning(tree, inner)
                except Wrong:
                    continue
                arguments.append(self.argument(meaning))
                parts.append(len(types))
                types.append(meaning.type)
        return Text(key, tuple(parts), tuple(types)), arguments

    def argument(self, meaning: Meaning) -> int:
        if isinstance(meaning, Group):
            return self.vector(meaning)
        vector = self.emit.vector()
        self.emit.op("vector", vector)
        self.emit.op("push", vector, meaning.operand)
        return vector


@dataclass(frozen=True)
class _Parts:
    """What stands around a sentence."""

    key: Scalar
    value: Node | None
    clauses: Mapping | None
    node: Node
    asks: bool

    @property
    def body(self) -> Node:
        assert self.value is not None
        return self.value

    def clause(self, name: str) -> Node | None:
        return self.clauses.get(name) if self.clauses else None

    def text(self, name: str) -> Scalar | None:
        found = self.clause(name)
        return found if isinstance(found, Scalar) else None


class _Fitting:
    """Room in a zone with a limit: counted once, then taken piece by piece."""

    def __init__(self, compiler: Statements, place: Place) -> None:
        self.compiler, self.place = compiler, place

    def __enter__(self) -> Callable[[int, Callable[[], None]], None]:
        compiler, place = self.compiler, self.place
        zone = place.zone
        if zone is None or zone.at_most is None:
            return lambda piece, then: then()
        emit = compiler.emit
        owner = Scope(zone.name, place.owner, place.owner is not None)
        limit = compiler.single(compiler.meaning_of(zone.at_most, owner), Tree("path", []))
        there = compiler.size(compiler.of_kinds(place, zone.counting))
        room = emit.variable(emit.value("subtract", limit.operand, there.operand))
        counted = compiler.plan.kind_table(zone.counting)

        def fits_in(piece: int, then: Callable[[], None]) -> None:
            counts = ONE if zone.counting >= zone.holds else emit.look_up(counted, piece)
            fits = emit.variable(emit.value("less", ZERO, room))
            with emit.when(emit.negated(counts)):
                emit.assign(fits, ONE)
            with emit.when(fits):
                then()
                emit.change("subtract", room, room, counts)

        return fits_in

    def __exit__(self, *error: object) -> None:
        return None


_BODIED = frozenset(["each", "each_group", "at_once", "act_as", "if_", "repeat_while", "repeat_times"])
_CLAUSES: dict[str, frozenset[str]] = {
    "choose": frozenset(["ask", "none"]),
    "choose_number": frozenset(["ask"]),
    "choose_one": frozenset(["ask", "none", "among"]),
    "may": frozenset(["ask", "do"]),
}


def _slots(text: str) -> list[tuple[str, str, int]]:
    """A text as (literal, slot, the slot's offset), the last without a slot."""
    found, at = [], 0
    for match in re.finditer(r"\{([^{}]*)\}", text):
        found.append((text[at : match.start()], match[1], match.start(1)))
        at = match.end()
    return [*found, (text[at:], "", at)]
