"""What the things of a game are called: every name that is shown comes through here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby
from weakref import WeakKeyDictionary

from rulewright.base.records import record
from rulewright.game.game import Decision, Game
from rulewright.game.library import Rules
from rulewright.game.messages import answer, held_for
from rulewright.i18n.localizer import ENGLISH, YOU, Argument, Item, Person, phrase
from rulewright.model.declarations import NUMBERS, PLAIN, SEAT, SLOT, Edition, canonical
from rulewright.model.pictures import name_of, values
from rulewright.program.appearance import bare, looks_called, type_at
from rulewright.program.form import Counter as StateCounter
from rulewright.program.form import PieceType
from rulewright.runtime.view import Counters, Held, HeldFor, HeldList, View, ZoneView, first_held


class Labels:
    """The names in one game's edition, in one language. order: the place of each piece's name among all kinds, those of
    one suit together; boards: the word lists of drawn boards' spaces."""

    def __init__(self, game: Game, language: str = ENGLISH) -> None:
        self.edition, self._program, self._names = game.rules.edition, game.program, game.names
        self.game, self.language, self.speech = game, language, game.speech(language)
        self.terms = game.messages.terms
        known = _shared_names(game)
        self.order, self.boards, self._types = known.order, known.boards, known.types
        self._called = known.called.setdefault(self.language, {})
        self._marked: dict[str, PieceType | None] = {}

    def say(self, told: Argument) -> str:
        return self.speech.say(told)

    def headed(self, label: str) -> str:
        """A label before what it is about."""
        return self.speech.headed(label)

    def names(self, seats: Iterable[int]) -> tuple[Item, ...]:
        """Seats, to be listed in a phrase."""
        return tuple(Person(self._names[seat], self._names[seat] == YOU) for seat in seats)

    def name(self, seat: int) -> str:
        """What somebody is called where the name stands alone."""
        name = self._names[seat]
        return self.speech.title(self.names([seat])[0]) if name == YOU else self.speech.isolated(name)

    def type(self, name: str) -> PieceType | None:
        """The type of a piece, with its marks, given by its name in the edition."""
        if name in self._types:
            return self._types[name]
        if name not in self._marked:
            looks = looks_called(self._program, [name])
            self._marked[name] = type_at(self._program, looks[name]) if looks else None
        return self._marked[name]

    def place(self, name: str) -> int:
        """The place of a piece's name among all kinds, whatever its marks."""
        place = self.order.get(name)
        return self.order.get(bare(name), len(self.order)) if place is None else place

    def piece(self, name: str) -> str:
        """What a piece is called, given by its name in the edition."""
        if name not in self._called:
            type_ = self.type(name)
            said = self.say(self.game.messages.type(type_)) if type_ is not None else name
            if name not in self._types:
                return said
            self._called[name] = said
        return self._called[name]

    def sign(self, name: str) -> str:
        """What the signs on a piece say that its name does not, in words; '' for nothing."""
        type_ = self.type(name)
        look = self.edition.looks.get(type_.kind) if type_ is not None else None
        if type_ is None or look is None:
            return ""
        kind = self.edition.kinds[type_.kind]
        found = values(self.edition, kind, tuple(type_.attributes.values()))
        slots = dict.fromkeys(slot for sign in look.signs for slot in SLOT.findall(sign.text))
        told = [found[slot] for slot in slots if slot in found and f"{{{slot}}}" not in kind.noun.one]
        return self.speech.row([self.word(of, value) for of, value in told if of not in NUMBERS and value >= 0])

    def signed(self, name: str, count: int) -> str:
        """So many of a piece, with what its signs say."""
        sign = self.sign(name)
        piece = self.speech.noted(self.piece(name), sign) if sign else self.piece(name)
        return self.speech.isolated(self.speech.times(piece, count))

    def word(self, words: str, number: int) -> str:
        return self.say(self.terms.word(words, number))

    def letters(self, board: str) -> Mapping[str, str]:
        """The letters of a map, as the edition has them -> as the reader has them, if no two are alike then."""
        own = dict.fromkeys(self.edition.boards[board].letters)
        said = {letter: letter if letter == PLAIN else self.say(self.terms.letter(board, letter)) for letter in own}
        return said if len(set(said.values())) == len(said) else {letter: letter for letter in own}

    def zone(self, name: str) -> str:
        return self.say(self.terms.zone(name))

    def secret(self, name: str) -> bool:
        """Whether a zone is seen by its owner alone."""
        return self.edition.zones[name].seen_by == "owner"

    def shown_zone(self, zone: str) -> bool:
        """Whether people see a zone on the table at all."""
        return self.edition.zones[zone].shown

    def lies_away(self, zone: str) -> bool:
        """Whether a zone is no part of the table, as the box that a game comes in: the game's own, hidden from all, and
        no pile that people draw from."""
        declared = self.edition.zones[zone]
        laid_out = declared.pile or zone in self.edition.layouts
        return not laid_out and declared.seen_by == "nobody" and not declared.of

    def shown(self, counter: str) -> bool:
        """Whether a counter is meant for people."""
        return self.edition.counters[counter].shown

    def total(self) -> str:
        """The counter of each seat that people see and that is all of the points, or ''."""
        scored = self.scored()
        return scored[0] if len(self.edition.scoring) == 1 and scored else ""

    def scored(self) -> list[str]:
        """The counters of each seat that people see and that are a line of the score just as they are."""
        counters = {canonical(name): counter for name, counter in self.edition.counters.items()}
        found = (counters.get(canonical(line.points.text)) for line in self.edition.scoring)
        return [one.name for one in found if one is not None and one.of == SEAT and one.shown]

    def counter(self, name: str) -> str:
        return self.say(self.terms.counter(name))

    def held(self, name: str, value: Held) -> str:
        """What a counter holds, in words."""
        holds = self.edition.counters[name].holds
        if isinstance(value, HeldFor):
            told = [self.say(item) for item in held_for(self.terms, self.edition.counters[name], value, self._names)]
            return self.speech.row(told) if told else self.say(phrase("argument", "nothing"))
        if isinstance(value, HeldList):
            if not value.items:
                return self.say(phrase("argument", "nothing"))
            return ", ".join(self.held(name, one) for one in value.items)
        if value is None:
            return self.say(phrase("argument", "nobody") if holds == "seat" else phrase("argument", "nothing"))
        if isinstance(value, str):
            number = [word.name for word in self.edition.words[holds].words].index(value)
            return self.word(holds, number)
        if holds == "seat":
            return self.name(int(value))
        return self.say(answer(value)) if isinstance(value, bool) else self.speech.number(value)

    def tells(self, name: str, value: Held) -> bool:
        """Return whether it is worth telling what a counter of the table or of a seat holds: where it is still nobody,
        nothing or no, as it began, that says nothing about the game."""
        empty = value is None or value is False or (isinstance(value, HeldList) and not value.items)
        return not empty or value != first_held(self._program, self._declared(name))

    def _declared(self, name: str) -> StateCounter:
        return next(counter for counter in self._program.layout.counters if counter.name == name)

    def phase(self, name: str) -> str:
        return self.say(self.terms.phase(name))

    def rule(self, key: str) -> str:
        """The heading of a rule, given as 'phases.NAME', 'powers.NAME' …"""
        return self.speech.title(self.terms.rule(key))

    def power(self, piece: str, zone: str) -> str:
        """The power that a piece gives while it lies in a zone, or ''."""
        type_ = self.type(piece)
        kind = self.edition.kinds.get(type_.kind) if type_ is not None else None
        if type_ is None or kind is None or kind.power_in != zone:
            return ""
        words = self.edition.words[kind.attributes[kind.power_word]].words
        return words[type_.attributes[kind.power_word]].name

    def tells_owners(self, name: str) -> bool:
        """Whether a counter may tell whose pieces are: every seat has a word in it."""
        counter = self.edition.counters[name]
        return counter.of == SEAT and counter.holds in self.edition.words and counter.shown and not counter.most

    def owners(self, counters: Counters, lying: Iterable[str]) -> dict[str, int]:
        """Whose a piece is, as far as every seat has a word of its own in a counter that is also the piece's. lying:
        the names of pieces that are seen."""
        found: dict[str, int] = {}
        for name, counter in self.edition.counters.items():
            values = counters.get(name)
            if not isinstance(values, tuple) or not self.tells_owners(name):
                continue
            if None in values or len(set(values)) < len(values):
                continue
            words = [word.name for word in self.edition.words[counter.holds].words]
            seats = {words.index(str(value)): seat for seat, value in enumerate(values)}
            for type_ in self._program.types:
                for attribute, words_of in self.edition.kinds[type_.kind].attributes.items():
                    if words_of == counter.holds and type_.attributes[attribute] in seats:
                        found.setdefault(type_.name, seats[type_.attributes[attribute]])
        if not found:
            return found
        marked = {name for name in lying if name not in self.order}
        return found | {name: found[bare(name)] for name in sorted(marked) if bare(name) in found}

    def of_word(self, view: View, words: str, word: str) -> list[str]:
        """What lies in a word's zones, and its counters where they are not as they began."""
        zones = [name for name, zone in self.edition.zones.items() if zone.of == words and zone.shown]
        told = []
        for name in zones:
            if lying := self.lying(view.zone(name, word=word)):
                told.append(lying if len(zones) == 1 else f"{self.zone(name)} {lying}")
        for name, counter in self.edition.counters.items():
            values = view.counters.get(name)
            if (
                counter.of == words
                and counter.shown
                and isinstance(values, Mapping)
                and word in self.counted(name, values)
            ):
                told.append(f"{self.counter(name)} {self.held(name, values[word])}")
        return told

    def lying(self, zone: ZoneView) -> str:
        """What lies in a zone, as far as it may be known."""
        if zone.pieces is None:
            down = self.face_down(zone.count, self.edition.zones[zone.name].holds) if zone.count else ""
            return self.known(down, self.speech.row(self.known_pieces(zone))) if zone.known else down
        if zone.pile and zone.pieces:
            return self.pile(zone)
        return self.speech.row([self.times(*run) for run in runs(zone.pieces)])

    def known_pieces(self, zone: ZoneView) -> list[str]:
        """The pieces of a zone that a reader knows without seeing them, in their order; where some are not known and
        the edition asks for pieces like them by place, each with its place."""
        kinds = set(self.edition.zones[zone.name].holds)
        if len(zone.known) < zone.count and kinds & self._program.told_by_place:
            return [self.placed(name, place) for name, place in zone.known]
        return [self.times(*run) for run in runs([name for name, _ in zone.known])]

    def placed(self, name: str, place: int) -> str:
        """A piece, and where in its zone it lies, from 1; 0: nobody knows."""
        piece = self.times(name, 1)
        return self.say(phrase("choice", "{piece} (place {number})", piece=piece, number=place)) if place else piece

    def known(self, down: str, known: str) -> str:
        """Pieces that lie face down, of which a reader knows some."""
        return self.say(phrase("table", "{pieces} (you know: {known})", pieces=down, known=known))

    def face_down(self, count: int, kinds: Iterable[str]) -> str:
        """So many pieces, of which only that is known that they are of these kinds."""
        return self.say(self.terms.face_down(count, kinds))

    def pile(self, zone: ZoneView) -> str:
        """How many lie on a pile, and what is on top."""
        top = self.piece(zone.pieces[-1]) if zone.pieces else ""
        return self.say(phrase("table", "({count}) top: {piece}", count=zone.count, piece=top))

    def times(self, name: str, count: int) -> str:
        """A piece, by its name in the edition, and how many of it there are."""
        return self.speech.isolated(self.speech.times(self.piece(name), count))

    def counted(self, name: str, values: Mapping[str, Held]) -> list[str]:
        """The words for which a counter that is meant for people is not as it began."""
        if not self.shown(name):
            return []
        first = first_held(self._program, self._declared(name))
        return [word for word, value in values.items() if value != first]

    def answer(self, decision: Decision, keys: Sequence[str]) -> str:
        """What was taken of what a decision offers, in words."""
        labels = {choice.key: choice.label for choice in decision.choices}
        taken = [self.speech.times(labels.get(key, key), count) for key, count in Counter(keys).items()]
        return self.speech.row(taken) if taken else decision.none or self.say(phrase("prompt", "Nothing."))

    def sorted(self, pieces: Iterable[str]) -> list[str]:
        """Pieces in the order of the edition; alike pieces always in the same order."""
        return sorted(pieces, key=lambda name: (self.place(name), name))


def grouped(names: Iterable[str]) -> list[tuple[str, int]]:
    """Each name once with how often it occurs, in order of first occurrence."""
    return list(Counter(names).items())


def runs(names: Sequence[str]) -> list[tuple[str, int]]:
    """Neighbours that are alike together: the order of a row stays to be seen."""
    return [(name, len(list(group))) for name, group in groupby(names)]


@record
class _SharedNames:
    """What is the same in all games of an edition with so many seats. types: by name, without marks; called: by
    language, how those are called in it, as far as anybody asked."""

    order: Mapping[str, int]
    boards: frozenset[str]
    types: Mapping[str, PieceType]
    called: dict[str, dict[str, str]]


_editions: WeakKeyDictionary[Rules, dict[int, _SharedNames]] = WeakKeyDictionary()


def _shared_names(game: Game) -> _SharedNames:
    known = _editions.setdefault(game.rules, {})
    if len(game.names) not in known:
        types = {type_.name: type_ for type_ in game.program.types}
        boards = frozenset(map_.spaces for map_ in game.program.maps)
        known[len(game.names)] = _SharedNames(_in_order(game), boards, types, {})
    return known[len(game.names)]


def _in_order(game: Game) -> Mapping[str, int]:
    """The place of each piece's name: as the edition has them, but cards by the picture that tells their suit."""
    found: dict[tuple[str, str], list[str]] = {}
    for type_ in game.program.types:
        found.setdefault((type_.kind, _suit(game.rules.edition, type_)), []).append(type_.name)
    return {name: place for place, name in enumerate(chain.from_iterable(found.values()))}


def _suit(edition: Edition, type_: PieceType) -> str:
    look, kind = edition.looks.get(type_.kind), edition.kinds[type_.kind]
    if look is None or look.suit is None:
        return ""
    return name_of(look.suit.text, edition, values(edition, kind, tuple(type_.attributes.values())))
