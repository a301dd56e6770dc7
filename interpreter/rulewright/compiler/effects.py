"""Effects: moving pieces, counting, giving names."""

from __future__ import annotations

from dataclasses import replace

from rulewright.base.diagnostics import nearest
from rulewright.base.records import record
from rulewright.compiler import attributes
from rulewright.compiler.core import ANYTHING, COUNTER, Wrong
from rulewright.compiler.emitter import NONE, ONE, ZERO, constant
from rulewright.compiler.meaning import (
    NUMBER,
    TRUTH,
    Group,
    Meaning,
    Scope,
    Settable,
    Value,
    ZoneGroup,
    described,
    fits,
)
from rulewright.compiler.texts import Texts
from rulewright.model.declarations import canonical
from rulewright.program.form import Type
from rulewright.syntax.source import MappingNode, Node, Scalar
from rulewright.syntax.trees import Token, Tree


@record
class Parts:
    """What stands around a sentence."""

    key: Scalar
    value: Node | None
    clauses: MappingNode | None
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


class Effects(Texts):
    """Compiles statements that change the state and ask nobody."""

    def do_move(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        what, target = tree.children
        place, bottom = self.target(target, scope)
        drawn = self.drawn(what, scope)
        if drawn is not None:
            amount, pile = drawn
            self.demand_all_held(pile, place, what)
            self.draw(pile, place, amount.operand, bottom)
            return
        meaning = self.meaning(what, scope)
        group = self.as_group(meaning)
        self.demand_held(group, place, what)
        if isinstance(meaning, Value) and self.room(place) is None:
            with self.emit.when(self.emit.value("unequal", meaning.operand, NONE)):
                self.emit.op("move", meaning.operand, place.address, bottom)
        else:
            self.move_all(group, place, bottom)

    def drawn(self, tree: Tree[Token] | Token, scope: Scope) -> tuple[Value, ZoneGroup] | None:
        """For `top N of PILE`: the number and the pile, so that a pile that runs out can be refilled."""
        if not isinstance(tree, Tree) or tree.data != "some_of" or str(tree.children[0]) != "top":
            return None
        source = tree.children[2]
        if not isinstance(source, Tree) or source.data != "path":
            return None
        pile = self.meaning(source, scope)
        if not isinstance(pile, ZoneGroup):
            return None
        return self.number(tree.children[1], scope), pile

    def target(self, tree: Tree[Token] | Token, scope: Scope) -> tuple[ZoneGroup, int]:
        """The zone something goes to, and 1 if to its bottom."""
        assert isinstance(tree, Tree)
        return self.the_zone(tree.children[0], scope), ONE if tree.data == "bottom_of" else ZERO

    def the_zone(self, tree: Tree[Token] | Token, scope: Scope) -> ZoneGroup:
        place = self.meaning(tree, scope, "", "piece")
        if not isinstance(place, ZoneGroup):
            hint = nearest(str(tree.children[-1]) if isinstance(tree, Tree) else "", self.edition.zones)
            raise self.wrong(tree, "type", f"Expected a zone here; this is {described(place.type)}.", hint)
        return place

    def demand_held(self, group: Group, place: ZoneGroup, tree: Tree[Token] | Token) -> None:
        if group.type.base == "nothing":
            return
        if group.type.base == "piece" and (self.lost_kind(group.type) or self.lost_kind(place.type)):
            raise Wrong
        if not fits(group.type, place.type) or not (self.kinds_in(group.type) & self.kinds_in(place.type)):
            name = place.zone.name if place.zone else ""
            raise self.wrong(
                tree,
                "zone-does-not-hold",
                f"'{name}' holds {described(place.type)}; this is {described(group.type)}.",
                "Name the kind in the zone's 'holds', or move it elsewhere.",
            )

    def demand_all_held(self, pile: ZoneGroup, place: ZoneGroup, tree: Tree[Token] | Token) -> None:
        """What is drawn unseen must fit whatever it is."""
        self.demand_held(pile, place, tree)
        if not self.kinds_in(pile.type) <= self.kinds_in(place.type):
            name = place.zone.name if place.zone else ""
            message = f"'{name}' holds {described(place.type)}, but what is drawn may be {described(pile.type)}."
            raise self.wrong(tree, "zone-does-not-hold", message)

    def move_all(self, group: Group, place: ZoneGroup, bottom: int) -> None:
        """Every piece as long as there is room; what does not fit stays where it is."""
        assert place.zone is not None
        kinds = self.kinds_in(place.type)
        sources = [source for source in group.all_of if source.zone is not None]
        if sources and bottom == ZERO and place.zone.at_most is None and place.zone not in [s.zone for s in sources]:
            for source in sources:
                if self.kinds_in(source.type) <= kinds:
                    self.emit.op("spill", source.address, place.address)
                else:
                    self.emit.op("sift", source.address, place.address, self.plan.kind_table(kinds), ONE)
            return
        pieces = self.vector(self.of_kinds(group, kinds))
        room = self.room(place)
        if room is None:
            if bottom == ONE or not self.emit.sifted(pieces, place.address):
                self.emit.op("move_all", pieces, place.address, bottom)
        elif self.kinds_in(group.type) <= place.zone.counting:
            fitting = self.emit.vector()
            self.emit.op("front", fitting, pieces, room)
            self.emit.op("move_all", fitting, place.address, bottom)
        else:
            fitting = self.emit.vector()
            self.emit.op("fitting", fitting, pieces, self.plan.kind_table(place.zone.counting), room)
            self.emit.op("move_all", fitting, place.address, bottom)

    def room(self, place: ZoneGroup) -> int | None:
        """How many more pieces a zone can take of those that its limit counts; None if it has no limit."""
        zone = place.zone
        if zone is None or zone.at_most is None:
            return None
        owner = self.owned(zone.name, zone.of, place.owner)
        limit = self.single(self.meaning_of(zone.at_most, owner), Tree("path", []))
        there = self.size(self.of_kinds(place, zone.counting))
        return self.emit.variable(self.emit.value("subtract", limit.operand, there.operand))

    def draw(self, pile: ZoneGroup, place: ZoneGroup, amount: int, bottom: int) -> None:
        """The top pieces of a pile, until there are enough, no room, or nothing left to draw."""
        left, room = self.emit.variable(amount), self.room(place)
        assert pile.zone is not None and place.zone is not None
        if room is not None and not self.kinds_in(pile.type) <= place.zone.counting:
            self.draw_one_by_one(pile, place, left, bottom)
            return
        if room is not None:
            with self.emit.when(self.emit.value("less", room, left)):
                self.emit.assign(left, room)
        refill = self.zone(pile.zone.refills_from, pile.owner).address if pile.zone.refills_from else NONE
        self.emit.op("deal", pile.address, place.address, left, bottom, refill)

    def refill(self, pile: ZoneGroup) -> None:
        assert pile.zone is not None
        source = self.zone(pile.zone.refills_from, pile.owner)
        self.emit.op("pour", source.address, pile.address)

    def draw_one_by_one(self, pile: ZoneGroup, place: ZoneGroup, left: int, bottom: int) -> None:
        """For a limit that counts only some of the kinds that may be drawn."""
        assert pile.zone is not None
        with self.emit.loop():
            with self.emit.when(self.emit.value("at_most", left, ZERO)):
                self.emit.op("break")
            if pile.zone.refills_from:
                with self.emit.when(self.emit.negated(self.some(pile))):
                    self.refill(pile)
            before = self.size(pile).operand
            with self.emit.when(self.emit.value("equal", before, ZERO)):
                self.emit.op("break")
            last = self.emit.register()
            self.emit.op("item", last >> 1, self.vector(pile), NONE)
            self.move_all(self.as_group(Value(replace(pile.type, many=False), last)), place, bottom)
            with self.emit.when(self.emit.value("equal", self.size(pile).operand, before)):
                self.emit.op("break")
            self.emit.change("subtract", left, left, ONE)

    def do_shuffle(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        self.emit.op("shuffle", self.the_zone(tree.children[0], scope).address)

    def do_swap(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        piece = Type("piece")
        one, other = (self.sure(self.value(child, scope, piece), child) for child in tree.children)
        if self.kinds_in(one.type) != self.kinds_in(other.type):
            message = f"Only pieces of one kind change places, not {described(one.type)} and {described(other.type)}."
            raise self.wrong(tree, "type", message)
        self.emit.op("swap", one.operand, other.operand)

    def do_fill(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        target, kind, source, amount = tree.children
        place, pile = self.the_zone(target, scope), self.the_zone(source, scope)
        kinds = self.group(kind, scope, "piece")
        self.demand_all_held(pile, place, source)
        if not self.kinds_in(pile.type) <= self.kinds_in(kinds.type):
            message = f"What is drawn here may be {described(pile.type)}, not only {described(kinds.type)}."
            raise self.wrong(source, "type", message)
        there = self.size(self.of_kinds(place, self.kinds_in(kinds.type)))
        wanted = self.number(amount, scope)
        self.draw(pile, place, self.emit.value("subtract", wanted.operand, there.operand), ZERO)

    def do_roll(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        """Every piece shows a random one of the values of its attribute that changes."""
        group = self.group(tree.children[0], scope, "piece")
        if self.lost_kind(group.type):
            raise Wrong
        lasting = self.kinds_in(group.type) - {kind.name for kind in attributes.changing(self, group.type)}
        if lasting:
            message = f"A {min(lasting)} cannot be rolled: nothing of it changes."
            raise self.wrong(tree, "type", message, "What a piece shows changes if its kind says so with 'changing'.")
        for kind in attributes.changing(self, group.type):
            cell = self.plan.face(kind.changing)
            assert cell is not None
            with self.emit.each(self.vector(self.of_kinds(group, frozenset([kind.name])))) as piece:
                number = self.emit.register()
                self.emit.op("random", number >> 1, constant(len(kind.faces)))
                self.emit.store(cell, piece, self.emit.value("add", number, constant(kind.faces[0])))

    def do_set(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        tally = self.tally_at(tree.children[0], scope)
        value = self.value(tree.children[1], scope, tally.type)
        self.put_in(tally, value.operand, tree)

    def do_add(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        self.count("add", tree.children[0], tree.children[1], tree, scope)

    def do_take(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        self.count("subtract", tree.children[0], tree.children[1], tree, scope)

    def count(
        self,
        operation: str,
        amount: Tree[Token] | Token,
        counter: Tree[Token] | Token,
        tree: Tree[Token],
        scope: Scope,
    ) -> None:
        value, tally = self.number(amount, scope), self.tally_at(counter, scope)
        self.demand(tally.type, NUMBER, counter)
        self.put_in(tally, self.emit.value(operation, tally.operand, value.operand), tree)

    def put_in(self, tally: Settable, operand: int, tree: Tree[Token]) -> None:
        """A counter or an attribute that changes becomes something of its type."""
        if tally.attribute:
            least = self.emit.look_up(self.plan.first_face_table(tally.attribute), tally.index)
            greatest = self.emit.look_up(self.plan.last_face_table(tally.attribute), tally.index)
            for smaller, larger in ((operand, least), (greatest, operand)):
                with self.emit.when(self.emit.value("less", smaller, larger)):
                    self.emit.op("fail", self.source_place(tree, f"no such {tally.attribute} can show there."))
        if tally.type == TRUTH:
            truth = self.emit.variable(ZERO)
            with self.emit.when(operand):
                self.emit.assign(truth, ONE)
            operand = truth
        if tally.type == NUMBER and not tally.attribute:
            self.emit.op("count", tally.cell, tally.index, operand, self.source_place(tree))
        else:
            self.emit.store(tally.cell, tally.index, operand)

    def tally_at(self, tree: Tree[Token] | Token, scope: Scope) -> Settable:
        tally = self.meaning(tree, scope, "", COUNTER)
        if not isinstance(tally, Settable):
            hint = "Options, roles and powers change values; what changes during the game is a counter."
            if tally.type.base == "piece":
                hint = "Pieces are moved: 'move … to …'."
            raise self.wrong(tree, "not-a-counter", f"Expected a counter here; this is {described(tally.type)}.", hint)
        return tally

    def do_let(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        name, value = tree.children
        assert isinstance(name, Token)
        self.fresh(name, scope)
        try:
            meaning = self.meaning(value, scope, "", ANYTHING)
        except Wrong:
            scope.bind(str(name), self.unusable)
            raise
        self.remember(str(name), meaning, scope)

    def unusable(self) -> Meaning:
        """What a name stands for whose making was reported as wrong."""
        raise Wrong

    def fresh(self, name: Token, scope: Scope) -> None:
        """A new name must not hide one that means something everywhere; what it hides until the end of the list is
        noted."""
        made = scope.names.get(written := " ".join(str(name).split()))
        if made is not None and scope.outer.get(written) is made:
            self.hidden.setdefault(made, self._scalar.place_at(name.start_pos or 0, len(name)))
        key = canonical(str(name))
        for what, table in (
            ("zone", self._zones),
            ("figure", self._figures),
            ("counter", self._counters),
            ("kind of piece", self._kinds),
        ):
            if key in table:
                raise self.wrong(name, "name-taken", f"'{name}' is the name of a {what} already; choose another.")

    def do_end_game(self, tree: Tree[Token], scope: Scope, parts: Parts) -> None:
        self.emit.op("halt")
