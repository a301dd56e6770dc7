"""Names: what a word or phrase of a sentence stands for, here and now."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from string import ascii_lowercase

from rulewright.base.diagnostics import SourcePlace, nearest
from rulewright.compiler import attributes
from rulewright.compiler.core import SET, Wrong
from rulewright.compiler.emitter import NONE, ZERO, Emitter, constant
from rulewright.compiler.meaning import (
    NOTHING,
    SEAT,
    TRUTH,
    UNBOUNDED,
    Binding,
    Group,
    Meaning,
    Scope,
    Settable,
    Value,
    described,
)
from rulewright.compiler.senses import ATTRIBUTE, BUILT_IN, KIND, LIST, LOCAL, WORD, Sense, Senses
from rulewright.model.declarations import CounterDeclaration, Figure, Zone, canonical
from rulewright.program.form import ME, Type
from rulewright.syntax import sentences
from rulewright.syntax.trees import Token, Tree

ANY_PIECE = ("card", "piece")
BUILT_IN_SETS = ("seat", "player", "virtual player", "opponent")
ACT = "Let somebody act: put this, or the 'do' that leads here, inside 'each seat:'. Or say whose it is: ada's hand."


class Names(Senses):
    """Looks names up: the item at hand, then local names, then the acting seat, then the game."""

    def me(self, scope: Scope, where: Tree[Token] | Token | None = None) -> int:
        """The acting seat."""
        if not scope.someone:
            raise self.wrong(
                where, "nobody-acts", "Nobody acts here, so there is no 'you' and nothing of a seat's.", ACT
            )
        if scope.me is not None:
            return scope.me
        return self.emit.kept(("me",), lambda: self.emit.load(ME))

    def path(self, tree: Tree[Token], scope: Scope, expect: str = "", wanted: str = "") -> Meaning:
        own, first, *rest = tree.children
        assert isinstance(first, Token)
        owned = [token for token in rest if isinstance(token, Token) and token.type == "NAME"]
        owner_of = canonical(str(owned[0])) if owned else ""
        meaning = self.first_name(first, str(own) if own else "", scope, expect, SET if owned else wanted, owner_of)
        for token in owned:
            owner = self.sure(self.single(meaning, tree), tree)
            doubt = partial(self.doubt_of, first, str(own) if own else "", scope, expect, owner_of)
            meaning = self.possession(owner, token, scope, doubt if token is owned[0] else str)
        return meaning

    def doubt_of(self, token: Token, own: str, scope: Scope, expect: str, owner_of: str) -> str:
        """What an owner's name could mean as well, if that is doubtful."""
        kept, self.doubting, self.doubts = (self.doubting, self.doubts), True, {}
        try:
            self.first_name(token, own, scope, expect, SET, owner_of)
            return next((doubt.message for doubt in self.doubts.values()), "")
        finally:
            self.doubting, self.doubts = kept

    def first_name(
        self, token: Token, own: str, scope: Scope, expect: str, wanted: str = "", owner_of: str = ""
    ) -> Meaning:
        """owner_of: what is asked for of the thing that is called so; '' where it is meant itself."""
        if own == "its":
            if scope.item is None:
                raise self.wrong(
                    token,
                    "no-item",
                    "'its' speaks of the thing that 'where', 'has' or an order looks at; there is none here.",
                )
            return self.possession(self.single(scope.item, token), token, scope)
        senses = self.senses(token, own, scope, expect)
        if owner_of:
            senses = (replace(sense, expected=sense.expected or self.is_word_with(sense, owner_of)) for sense in senses)
        sense = self.meant(token, senses, wanted)
        if sense is not None and sense.sort == LIST and scope.item is not None and self.lost_kind(scope.item.type):
            raise Wrong  # it may be the item's
        if sense is None:
            raise self.unknown(token, scope, expect)
        if sense.sort == LOCAL:
            self.tell_hidden(token, scope.names[sense.name])
        return sense.mean()

    def is_word_with(self, sense: Sense, name: str) -> bool:
        """Whether a sense is a word that has something of this name."""
        return sense.sort == WORD and name in map(canonical, self.things_of(Type("word", sense.of)))

    def senses(self, token: Token, own: str, scope: Scope, expect: str) -> Iterator[Sense]:
        """All that a name can mean here, what counts first before the rest."""
        name = canonical(str(token))
        if own != "my":
            if name == "it" and scope.item is not None:
                item = scope.item
                yield Sense(BUILT_IN, name, lambda: item)
            if isinstance(scope.item, Value):
                yield from self.senses_of(scope.item, name, scope)
            if (made := self.local_name(token, scope)) is not None:
                yield Sense(LOCAL, made, scope.names[made], of=self.list_of(made, scope) if name in self._lists else "")
            yield from self.word_senses(name, [expect] if expect else [], True)
        if scope.someone:
            yield from self.belongings(SEAT.base, name, lambda: self.me(scope, token), scope)
        if own != "my":
            yield from self.belongings("", name, lambda: None, scope)
            for option in self.edition.options.values():
                if canonical(option.name) == name and option.choices == ("no", "yes"):
                    yield Sense(
                        "option", option.name, partial(self.chosen_or_not, option.name), option.place, TRUTH.base
                    )
            yield from self.everywhere(token, scope, expect)

    def local(self, token: Token, scope: Scope) -> Binding | None:
        """What is called so here."""
        made = self.local_name(token, scope)
        return None if made is None else scope.names[made]

    def local_name(self, token: Token, scope: Scope) -> str | None:
        """The name made here that is meant. Where `town` is one of the towns, `towns` are still all of them."""
        written, name = " ".join(str(token).split()), canonical(str(token))
        if written in scope.names:
            return written
        made = next((made for made in reversed(scope.names) if canonical(made) == name), None)
        one = name if name in BUILT_IN_SETS else self._lists[name].name if name in self._lists else written
        return made if written in (name, one) else None

    def list_of(self, made: str, scope: Scope) -> str:
        """The word list of what a name made here stands for, if it is a word."""
        outer, sights, self.emit = self.emit, set(self.sights), Emitter(parameters=1)
        try:
            type_ = scope.names[made]().type
        except Wrong:
            return made
        finally:
            self.emit, self.sights = outer, sights
        return str(type_.detail) if type_.base == "word" else type_.base

    def possession(self, owner: Value, token: Token, scope: Scope, doubt: Callable[[], str] = str) -> Meaning:
        """What a name means with an owner: crown's owner, dealer's row, trump's colour. doubt: tells what the owner's
        name could mean as well."""
        sense = self.meant(token, self.senses_of(owner, canonical(str(token)), scope))
        if sense is None:
            raise self.has_no(owner, token, doubt())
        return sense.mean()

    def has_no(self, owner: Value, token: Token, doubt: str = "") -> Wrong:
        """There is no such thing of this owner; or it is a table, and not told for what."""
        if self.lost(token) or self.lost_kind(owner.type):
            return Wrong()
        name = canonical(str(token))
        if (found := attributes.table_of(self, owner, name)) is not None:
            by = "a number" if found[1].by == "number" else described(Type("word", found[1].by))
            return self.wrong(token, "argument-missing", f"'{token}' is a table: say '{token} for' and {by}.")
        hint = nearest(str(token), self.things_of(owner.type))
        declared = self.declared(name)
        if declared is not None and declared.of not in ("", self.owner_name(owner.type)):
            hint = f"Every {declared.of} has one of its own."
        message = f"{described(owner.type).capitalize()} has no '{token}'."
        return self.wrong(token, "unknown-name", message, doubt or hint)

    def declared(self, name: str) -> Figure | Zone | CounterDeclaration | None:
        return self._figures.get(name) or self._zones.get(name) or self._counters.get(name)

    def senses_of(self, owner: Value, name: str, scope: Scope) -> Iterator[Sense]:
        """All that a name can mean with an owner."""
        if owner.type.base == "seat":
            yield from self.belongings(SEAT.base, name, lambda: owner.operand, scope)
        elif owner.type.base == "piece":
            yield from self.piece_senses(owner, name)
        elif owner.type.base == "word":
            words = str(owner.type.detail)
            yield from self.belongings(words, name, lambda: owner.operand, scope)
            yield from self.attribute_senses(words, name, lambda path: attributes.word_along(self, owner, path))

    def piece_senses(self, piece: Value, name: str) -> Iterator[Sense]:
        """What a piece has itself, else what its words have; then where it lies."""
        held = attributes.held_by(self.edition, self.kinds_in(piece.type))
        own = [attribute for attribute in held if canonical(attribute) == name]
        for attribute in own:
            mean = partial(attributes.attribute_of, self, piece, attribute)
            kind_ = held[attribute]
            yield self.attribute_sense(attribute, kind_.place, kind_.attributes[attribute], mean, f"a {kind_.name}")
        for attribute, kind_ in held.items():
            if (words := kind_.attributes[attribute]) != "number":
                yield from self.attribute_senses(
                    words, name, partial(self.behind_attribute, piece, attribute), attribute
                )
        if (of := self.owners(name)) is not None:
            list_ = str(of.detail) if of.base == "word" else name
            yield Sense(ATTRIBUTE, list_, partial(self.lying_at, piece, of), None, of.base, list_)

    def behind_attribute(self, piece: Value, attribute: str, path: list[str]) -> Value:
        return attributes.word_along(self, attributes.attribute_of(self, piece, attribute), path)

    def attribute_senses(
        self, words: str, name: str, along: Callable[[list[str]], Value], behind: str = ""
    ) -> Iterator[Sense]:
        """What the words of a list have, or the words that they have, the nearest first. behind: an attribute of pieces
        that holds these words."""
        for list_, path in attributes.lists_behind(self.edition, words):
            for attribute, of in list_.attributes.items():
                if canonical(attribute) == name:
                    mean = partial(along, [*path, attribute])
                    sense = self.attribute_sense(attribute, list_.places[attribute], of, mean, f"'{list_.name}'")
                    yield replace(sense, behind="|".join([behind, *path]))

    def called(self, token: Token, type_: Type, scope: Scope) -> str:
        """What a sentence means by the name of something that things of a type have, as it is declared."""
        thing = Value(replace(type_, many=False), NONE)
        sense = self.meant(token, self.senses_of(thing, canonical(str(token)), scope))
        return canonical(str(token)) if sense is None else sense.name

    def attribute_sense(self, name: str, place: SourcePlace, of: str, mean: Binding, whose: str) -> Sense:
        number = of == "number"
        return Sense(ATTRIBUTE, name, mean, place, of if number else "word", "" if number else of, whose=whose)

    def lying_at(self, piece: Value, of: Type) -> Value:
        """Whose the zone is in which a piece lies."""
        self.look_for(self.kinds_in(piece.type), self.owner_name(of))
        address = self.emit.load(self.plan.at, piece.operand)
        return Value(of, self.emit.look_up(self.plan.owner_table(self.owner_name(of)), address), maybe=True)

    def owners(self, name: str) -> Type | None:
        """What the zones belong to whose `name` a piece can be asked for: its owner, its space."""
        if name == "owner":
            return SEAT
        words = self._lists.get(name)
        if words is None or not any(zone.of == words.name for zone in self.edition.zones.values()):
            return None
        return Type("word", words.name)

    def owner_name(self, type_: Type) -> str:
        """As `of` has it: SEAT or the name of a word list."""
        return str(type_.detail) if type_.base == "word" else SEAT.base

    def tell_tables(self, token: Token, type_: Type) -> None:
        """Which table is meant, where several ways lead to one."""
        senses = [
            Sense("table", str(token), lambda: Value(type_, NONE), list_.place, whose=f"'{list_.name}'", behind=way)
            for list_, path, _ in attributes.tables_behind(self, type_, canonical(str(token)))
            if (way := "|".join(path))
        ]
        if len(senses) > 1:
            self.tell_rival(token, senses[0], senses[1:], "")

    def belongings(self, of: str, name: str, owner: Callable[[], int | None], scope: Scope) -> Iterator[Sense]:
        """What belongs to a seat, to a word of a list or (of: '') to the game, by its name."""
        zone, figure, counter = self._zones.get(name), self._figures.get(name), self._counters.get(name)
        if zone is not None and zone.of == of:
            place = zone.name
            yield Sense("zone", place, lambda: self.zone(place, owner()), zone.place, "piece")
        if figure is not None and figure.of == of and not figure.parameters:
            sort = "value" if figure.is_value else "term"
            yield Sense(sort, figure.name, lambda: self.figure(figure, owner(), [], scope), figure.place)
        if counter is not None and counter.of == of:
            _, type_ = self.plan.counter(counter.name)
            index = partial(self.counter_of, name, owner)
            yield Sense("counter", counter.name, index, counter.place, type_.base)

    def counter_of(self, name: str, owner: Callable[[], int | None]) -> Settable:
        index = owner()
        return self.counter(name, ZERO if index is None else index)

    def counter(self, name: str, index: int) -> Settable:
        counter = self._counters[name]
        cell, type_ = self.plan.counter(counter.name)
        low, high = (0, 1) if type_ == TRUTH else (-UNBOUNDED, UNBOUNDED)
        return Settable(type_, self.emit.load(cell, index), low, high, type_.base in ("seat", "word"), cell, index)

    def everywhere(self, token: Token, scope: Scope, expect: str) -> Iterator[Sense]:
        """What a name can mean wherever it stands: what the language knows, kinds, lists, words."""
        name, written = canonical(str(token)), " ".join(str(token).split())
        if name in (*BUILT_IN_SETS, "you", "nobody", "nothing") or (name in ANY_PIECE and name not in self._kinds):
            base = "nothing" if name in ("nobody", "nothing") else "piece" if name in ANY_PIECE else SEAT.base
            yield Sense(BUILT_IN, written, lambda: self.builtin(name, scope, token), None, base)
        if (kind := self._kinds.get(name)) is not None:
            called = kind.name if canonical(kind.name) == name else written
            yield Sense(KIND, called, partial(self.pieces, frozenset([kind.name])), kind.place, "piece", kind.name)
        if (words := self._lists.get(name)) is not None:
            type_, every = Type("word", words.name), tuple(range(len(words.words)))
            yield Sense(LIST, words.name, partial(self.fixed, type_, every), words.place, "word", words.name)
        homes = [words for words, numbers in self._words.items() if name in numbers]
        if len(homes) > 1:
            yield Sense(WORD, written, partial(self.ambiguous, token, homes), None, "word", homes[0])
        else:
            yield from self.word_senses(name, homes)

    def word_senses(self, name: str, lists: list[str], expected: bool = False) -> Iterator[Sense]:
        for words in lists:
            for index, word in enumerate(self.edition.words[words].words):
                if canonical(word.name) == name:
                    value = Value(Type("word", words), constant(index))
                    place = self.edition.words[words].place
                    yield Sense(WORD, word.name, partial(self.as_it_is, value), place, "word", words, expected)

    def as_it_is(self, value: Value) -> Value:
        return value

    def ambiguous(self, token: Token, homes: list[str]) -> Meaning:
        """A word of several lists, where none is expected."""
        raise self.wrong(
            token,
            "ambiguous-word",
            f"'{token}' is a word of {' and of '.join(homes)}; I cannot tell which is meant.",
        )

    def builtin(self, name: str, scope: Scope, token: Token) -> Meaning:
        if name in ("you", "seat") and str(token) != "seats":
            return Value(SEAT, self.me(scope, token))
        if name == "seat":
            return self.fixed(SEAT, tuple(range(self.plan.seats)))
        if name in ("player", "virtual player"):
            virtual = name != "player"
            everyone = self.fixed(SEAT, tuple(range(self.plan.seats)))
            if setting := self.plan.setting:
                found = (seat for seat, role in enumerate(setting.roles) if (role >= 0) == virtual)
                return self.fixed(SEAT, tuple(found))
            return self.filtered(everyone, lambda seat: self.is_virtual(seat, virtual))
        if name == "opponent":
            return self.opponents(self.me(scope, token))
        if name in ("nobody", "nothing"):
            return Value(NOTHING, NONE, maybe=True)
        return self.pieces(frozenset(self.edition.kinds))

    def everyone(self, tree: Tree[Token] | Token, scope: Scope) -> Group | None:
        """Where a set is expected, `seat` means all of them, as in `each seat`; elsewhere the acting one."""
        if isinstance(tree, Tree) and tree.data == "path" and tree.children[0] is None:
            names = [name for name in tree.children[1:] if isinstance(name, Token)]
            if len(names) == 1 and canonical(str(names[0])) == "seat" and self.local(names[0], scope) is None:
                found = self.fixed(SEAT, tuple(range(self.plan.seats)))
                all_of_them = Sense(BUILT_IN, str(names[0]), lambda: found, None, SEAT.base)
                self.tell_rival(names[0], all_of_them, self.senses(names[0], "", scope, ""), SET)
                return found
        return None

    def chosen_or_not(self, option: str) -> Value:
        return Value(TRUTH, self.choice(option), 0, 1)

    def choice(self, option: str) -> int:
        """The index of what is chosen for an option."""
        if setting := self.plan.setting:
            return constant(setting.options[list(self.edition.options).index(option)])
        return self.emit.load(self.plan.option(option))

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
        return self.fixed(Type("piece", kinds), self.plan.stock.pieces(kinds))

    def word(self, name: str, word_list: str) -> Value | None:
        number = self._words[word_list].get(name)
        return None if number is None else Value(Type("word", word_list), constant(number))

    def things_of(self, type_: Type) -> list[str]:
        """The names that mean something with such an owner."""
        of = self.owner_name(type_)
        named = (self.edition.zones, self.edition.figures, self.edition.counters)
        own = [name for table in named for name, thing in table.items() if thing.of == of]
        if type_.base == "seat":
            return own
        if type_.base == "piece":
            kinds = [self.edition.kinds[kind] for kind in self.kinds_in(type_)]
            lists = {type_name for kind in kinds for type_name in kind.attributes.values() if type_name != "number"}
            return [
                "owner",
                *(name for name in self.edition.words if self.owners(canonical(name))),
                *(a for kind in kinds for a in kind.attributes),
                *(name for words in sorted(lists) for name in self.attributes_behind(words)),
            ]
        if type_.base == "word":
            return [*own, *self.attributes_behind(str(type_.detail))]
        return []

    def attributes_behind(self, words: str) -> Iterator[str]:
        """What the words of a list have, and the words that they have."""
        for list_, _ in attributes.lists_behind(self.edition, words):
            yield from (*list_.attributes, *list_.tables)

    def names(self, scope: Scope) -> list[str]:
        """Every name that means something here."""
        edition = self.edition
        tables = (
            edition.zones,
            edition.figures,
            edition.counters,
            edition.options,
            edition.kinds,
            edition.words,
        )
        found = [name for table in tables for name in table]
        found += [word.name for words in edition.words.values() for word in words.words]
        found += ["seats", "players", "virtual players", "opponents", "you", "nobody", *scope.names]
        return found + (self.things_of(scope.item.type) if scope.item else [])

    def unknown(self, token: Token, scope: Scope, expect: str = "") -> Wrong:
        if self.lost(token) or (scope.item is not None and self.lost_kind(scope.item.type)):
            return Wrong()
        text, known_names = str(token), self.names(scope)
        figure = self._figures.get(canonical(text))
        if figure is not None and figure.parameters:
            needed = figure.parameters[0][0]
            return self.wrong(
                token, "argument-missing", f"'{text}' needs to be told for which {needed}: '{text} for …'."
            )
        declared = self.declared(canonical(text))
        if declared is not None and declared.of == SEAT.base:
            return self.wrong(token, "nobody-acts", f"'{text}' belongs to a seat, and nobody acts here.", ACT)
        if declared is not None and not declared.of:
            return self.wrong(token, "unknown-name", f"'{text}' belongs to the game: leave out 'my'.")
        if declared is not None:
            return self.whose(token, declared.of)
        if isinstance(scope.item, Value) and attributes.table_of(self, scope.item, canonical(text)) is not None:
            return self.has_no(scope.item, token)
        hint = self.off_the_map(text) or self.edition.missing(text, known_names)
        hint = hint or self.keyword_hint(text, known_names)
        if not hint and expect:
            hint = f"Words of '{expect}': {', '.join(word.name for word in self.edition.words[expect].words)}."
        return self.wrong(token, "unknown-name", f"Nothing here is called '{text}'.", hint)

    def whose(self, token: Token, words: str, told: str = "") -> Wrong:
        """What belongs to each word of a list is named without its owner."""
        example = next((word.name for word in self.edition.words[words].words), words)
        message = f"Every {words} has its own '{token}', so say whose: {example}'s {token}{told}."
        return self.wrong(token, "whose", message)

    def off_the_map(self, text: str) -> str:
        """For names such as b9, where a map has no space."""
        maps = [board for board in self.edition.boards.values() if board.positions]
        if not maps or not re.fullmatch(r"[a-z]\d+", text):
            return ""
        sizes = [
            f"'{board.name}' has the columns a to {ascii_lowercase[max(column for column, _ in board.positions)]} "
            f"and the rows 1 to {1 + max(row for _, row in board.positions)}"
            for board in maps
        ]
        return f"No map has such a space: {'; '.join(sizes)}."

    def keyword_hint(self, text: str, known_names: list[str]) -> str:
        """For names that swallowed a misspelt keyword, such as 'any seat have waiting'."""
        known_canonical = {canonical(name) for name in known_names}
        words = text.split()
        for size in range(len(words) - 1, 0, -1):
            for start in range(len(words) - size + 1):
                inside = " ".join(words[start : start + size])
                if canonical(inside) in known_canonical:
                    odd = [*words[:start], *words[start + size :]]
                    close = nearest(odd[0], sentences.words())
                    return f"'{inside}' is known, so what is '{odd[0]}'? {close}".strip()
        return ""

    @abstractmethod
    def figure(self, figure: Figure, owner: int | None, arguments: list[Binding], scope: Scope) -> Meaning:
        """A value or term for a seat (or the game)."""
