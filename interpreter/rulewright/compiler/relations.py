"""What lies where, and what is beside what: pieces and the words in whose zones they lie, spaces of boards."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from rulewright.compiler import attributes
from rulewright.compiler.core import PLACE
from rulewright.compiler.meaning import NUMBER, Group, Scope, ZoneGroup, described
from rulewright.compiler.names import ANY_PIECE
from rulewright.compiler.sets import Sets
from rulewright.model.declarations import canonical
from rulewright.program.form import Type
from rulewright.syntax.trees import Token, Tree


class Relations(Sets):
    """Compiles the ways from pieces to words, from words to pieces, and over boards."""

    def on_inside(self, tree: Tree[Token], scope: Scope) -> Group:
        """tiles in row; also any other set of pieces, as far as it lies there. Of words: spaces in region."""
        what, where = tree.children
        assert isinstance(what, Tree) and not isinstance(where, str)
        place = self.as_group(self.everyone(where, scope) or self.meaning(where, scope, "", PLACE))
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
        if not isinstance(place, ZoneGroup):
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
        identity = self.plan.table((*range(self.plan.stock.count(frozenset(self.edition.kinds))), -1))
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
        for list_, path in attributes.lists_behind(self.edition, here):
            names = [name for name, type_ in list_.attributes.items() if type_ == there]
            if names:
                return [attributes.word_values(self.edition, here, [*path, name]) for name in names]
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
                self.look_at(zone)
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
        everything = self.listed(Type("piece", held), self.plan.stock.count(held), make)
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
        key = self.called(name, group.type, scope)
        if (
            group.type.base == "piece"
            and (found := attributes.attribute_table(self, group.type, key))
            and found[1] != NUMBER
        ):
            table, type_ = found[0], found[1]
            return self.listed(type_, self.how_many_of(type_, group.capacity), lambda: self.images(group, table))
        if group.type.base == "piece" and (of := self.owners(key)) is not None:
            owners = self.plan.owner_table(self.owner_name(of))
            self.look_for(self.kinds_in(group.type), self.owner_name(of))

            def lying() -> int:
                vector, places = self.vector(group), self.emit.vector()
                self.emit.op("lying", places, vector, owners, self.plan.at)
                return places

            return self.listed(of, self.how_many_of(of, group.capacity), lying)
        words = str(group.type.detail)
        path = attributes.attribute_path(self.edition, words, key) if group.type.base == "word" else []
        if path and (held := attributes.type_along(self.edition, words, path)) != NUMBER:
            values = self.plan.table((*attributes.word_values(self.edition, words, path), -1))
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
        return min(self.plan.stock.count(self.kinds_in(type_)), most)

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
