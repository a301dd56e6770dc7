"""Labels: names of the things in a game, for readers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby
from weakref import WeakKeyDictionary

from rulewright.base.records import record
from rulewright.game.decisions import Decision
from rulewright.game.game import Game
from rulewright.game.library import Rules
from rulewright.game.messages import counter_items, yes_or_no
from rulewright.i18n.localizer import ENGLISH, YOU, Argument, Item, Person, phrase
from rulewright.model.declarations import NUMBERS, PLAIN, SLOT
from rulewright.model.edition import Edition
from rulewright.model.pictures import Pictures, kind_slot_values, picture_name
from rulewright.program.appearance import appearances_by_name, name_without_marks, type_with_marks
from rulewright.program.form import PieceType
from rulewright.program.state_layout import Counter as StateCounter
from rulewright.publish.suit_order import alternating_suits
from rulewright.runtime.view import CounterValue, ListValue, WordValues, initial_value


class Labels:
    """Names in one game's edition, in one language; things are given by their names in the edition.

    Unknown pieces keep their names; an unknown zone, counter, board or word list raises KeyError. order: position of
    each piece's name among all kinds, pieces of one suit together; boards: word lists of drawn boards' spaces.
    """

    def __init__(self, game: Game, language: str = ENGLISH) -> None:
        self.edition, self._program, self._names = game.rules.edition, game.program, game.names
        self.game, self.language, self.localizer = game, language, game.localizer(language)
        self.terms = game.messages.terms
        known = _shared_names(game)
        self.order, self.boards, self._types = known.order, known.boards, known.types
        self._piece_names = known.names.setdefault(self.language, {})
        self._types_with_counters: dict[str, PieceType | None] = {}

    def say(self, text: Argument) -> str:
        """Return a text in the language."""
        return self.localizer.say(text)

    def heading_label(self, label: str) -> str:
        """Return a label with a colon (in most languages), before the text that it introduces."""
        return self.localizer.with_colon(label)

    def names(self, seats: Iterable[int]) -> tuple[Item, ...]:
        """Return seats as items for a list in a phrase."""
        return tuple(Person(self._names[seat], self._names[seat] == YOU) for seat in seats)

    def name(self, seat: int) -> str:
        """Return the name of a seat where it stands alone."""
        name = self._names[seat]
        return self.localizer.title(self.names([seat])[0]) if name == YOU else self.localizer.isolate(name)

    def type(self, name: str) -> PieceType | None:
        """Return the type of a piece, with its counters; None for an unknown one."""
        if name in self._types:
            return self._types[name]
        if name not in self._types_with_counters:
            looks = appearances_by_name(self._program, [name])
            self._types_with_counters[name] = type_with_marks(self._program, looks[name]) if looks else None
        return self._types_with_counters[name]

    def piece_order(self, name: str) -> int:
        """Return the position of a piece's name among all kinds, from 0, whatever its counters; unknown ones come
        last."""
        place = self.order.get(name)
        return self.order.get(name_without_marks(name), len(self.order)) if place is None else place

    def piece(self, name: str) -> str:
        """Return the name of a piece for readers."""
        if name not in self._piece_names:
            type_ = self.type(name)
            text = self.say(self.game.messages.type(type_)) if type_ is not None else name
            if name not in self._types:
                return text
            self._piece_names[name] = text
        return self._piece_names[name]

    def signs_text(self, name: str) -> str:
        """Describe the signs on a piece that its name does not mention; '' for none."""
        type_ = self.type(name)
        artwork = self.edition.looks.get(type_.kind) if type_ is not None else None
        if type_ is None or artwork is None:
            return ""
        kind = self.edition.kinds[type_.kind]
        piece_values = kind_slot_values(self.edition, kind, tuple(type_.attributes.values()))
        slots = dict.fromkeys(slot for sign in artwork.signs for slot in SLOT.findall(sign.text))
        value_pairs = [
            piece_values[slot] for slot in slots if slot in piece_values and f"{{{slot}}}" not in kind.noun.one
        ]
        return self.localizer.join_items(
            [self.word(list_name, value) for list_name, value in value_pairs if list_name not in NUMBERS and value >= 0]
        )

    def piece_with_signs(self, name: str, count: int) -> str:
        """Return a number of equal pieces, with their signs."""
        sign = self.signs_text(name)
        piece = self.localizer.with_note(self.piece(name), sign) if sign else self.piece(name)
        return self.localizer.isolate(self.localizer.times(piece, count))

    def word(self, words: str, number: int) -> str:
        """Return a word of a list, by its index, as it stands in a sentence."""
        return self.say(self.terms.word(words, number))

    def letters(self, board: str) -> Mapping[str, str]:
        """Map the letters of a map from the edition to the reader; to themselves if several have one letter there."""
        letters_ = dict.fromkeys(self.edition.boards[board].letters)
        translated = {
            letter: letter if letter == PLAIN else self.say(self.terms.letter(board, letter)) for letter in letters_
        }
        return (
            translated if len(set(translated.values())) == len(translated) else {letter: letter for letter in letters_}
        )

    def zone(self, name: str) -> str:
        """Return the heading of a zone, in the language."""
        return self.say(self.terms.zone(name))

    def counter(self, name: str) -> str:
        """Return the heading of a counter, in the language."""
        return self.say(self.terms.counter(name))

    def counter_value(self, name: str, value: CounterValue) -> str:
        """Return a counter's value as text."""
        holds = self.edition.counters[name].holds
        if isinstance(value, WordValues):
            texts = [
                self.say(item) for item in counter_items(self.terms, self.edition.counters[name], value, self._names)
            ]
            return self.localizer.join_items(texts) if texts else self.say(phrase("argument", "nothing"))
        if isinstance(value, ListValue):
            if not value.items:
                return self.say(phrase("argument", "nothing"))
            return ", ".join(self.counter_value(name, one) for one in value.items)
        if value is None:
            return self.say(phrase("argument", "nobody") if holds == "seat" else phrase("argument", "nothing"))
        if isinstance(value, str):
            number = [word.name for word in self.edition.words[holds].words].index(value)
            return self.word(holds, number)
        if holds == "seat":
            return self.name(int(value))
        return self.say(yes_or_no(value)) if isinstance(value, bool) else self.localizer.number(value)

    def is_informative(self, name: str, value: CounterValue) -> bool:
        """Return whether a counter's value is worth showing: all but nothing, no, and an empty list, where it is as at
        the start."""
        is_empty = value is None or value is False or (isinstance(value, ListValue) and not value.items)
        return not is_empty or value != initial_value(self._program, self._declared(name))

    def _declared(self, name: str) -> StateCounter:
        """Return a counter of the program by its name. Raises StopIteration for an unknown one."""
        return next(counter for counter in self._program.layout.counters if counter.name == name)

    def phase(self, name: str) -> str:
        """Return the title of a phase, in the language; 'Set-up' for ''."""
        return self.say(self.terms.phase(name))

    def rule(self, key: str) -> str:
        """Return the heading of a rule, given as 'phases.NAME', 'powers.NAME' …."""
        return self.localizer.title(self.terms.rule(key))

    def power(self, piece: str, zone: str) -> str:
        """Return the power that a piece gives while it is in a zone, or ''."""
        type_ = self.type(piece)
        kind = self.edition.kinds.get(type_.kind) if type_ is not None else None
        if type_ is None or kind is None or kind.power_in != zone:
            return ""
        words = self.edition.words[kind.attributes[kind.power_word]].words
        return words[type_.attributes[kind.power_word]].name

    def pieces_with_known(self, down: str, known_text: str) -> str:
        """Return face-down pieces with those that a reader knows."""
        return self.say(phrase("table", "{pieces} (you know: {known})", pieces=down, known=known_text))

    def face_down(self, count: int, kinds: Iterable[str]) -> str:
        """Return a number of pieces of which only the possible kinds are known."""
        return self.say(self.terms.face_down(count, kinds))

    def counted_piece(self, name: str, count: int) -> str:
        """Return a number of equal pieces."""
        return self.localizer.isolate(self.localizer.times(self.piece(name), count))

    def changed_words(self, name: str, values: Mapping[str, CounterValue]) -> list[str]:
        """List the words whose value in a counter has changed since the start; [] if the counter is not shown."""
        if not self.edition.counters[name].shown:
            return []
        first = initial_value(self._program, self._declared(name))
        return [word for word, value in values.items() if value != first]

    def answer(self, decision: Decision, keys: Sequence[str]) -> str:
        """Return the chosen answer to a decision as text; the decision's own text for none, or 'Nothing.' Unknown keys
        stay as they are."""
        labels = {choice.key: choice.label for choice in decision.choices}
        chosen_labels = [self.localizer.times(labels.get(key, key), count) for key, count in Counter(keys).items()]
        return (
            self.localizer.join_items(chosen_labels)
            if chosen_labels
            else decision.none or self.say(phrase("prompt", "Nothing."))
        )

    def sort_pieces(self, pieces: Iterable[str]) -> list[str]:
        """Sort pieces in the edition's order; equal pieces always in the same order."""
        return sorted(pieces, key=lambda name: (self.piece_order(name), name))


def count_names(names: Iterable[str]) -> list[tuple[str, int]]:
    """Count names, in order of first occurrence."""
    return list(Counter(names).items())


def count_runs(names: Sequence[str]) -> list[tuple[str, int]]:
    """Count runs of equal neighbours, so that the order of a row remains visible."""
    return [(name, len(list(group))) for name, group in groupby(names)]


@record
class _SharedNames:
    """Names that are equal in all games of an edition with a number of seats.

    types: by name, without counters; names: cached for readers, by language.
    """

    order: Mapping[str, int]
    boards: frozenset[str]
    types: Mapping[str, PieceType]
    names: dict[str, dict[str, str]]


_shared_by_edition: WeakKeyDictionary[Rules, dict[int, _SharedNames]] = WeakKeyDictionary()
"""Shared names of each edition, by number of seats."""


def _shared_names(game: Game) -> _SharedNames:
    """Return the names that all labels of an edition with so many seats share."""
    by_seats = _shared_by_edition.setdefault(game.rules, {})
    if len(game.names) not in by_seats:
        types = {type_.name: type_ for type_ in game.program.types}
        boards = frozenset(map_.spaces for map_ in game.program.maps)
        by_seats[len(game.names)] = _SharedNames(_name_order(game), boards, types, {})
    return by_seats[len(game.names)]


def _name_order(game: Game) -> Mapping[str, int]:
    """Map each piece's name to its position: in the edition's order, but cards by the picture of their suit,
    or first by what their looks say."""
    edition, by_suit = game.rules.edition, dict[str, dict[str, list[str]]]()
    for type_ in game.program.types:
        by_suit.setdefault(type_.kind, {}).setdefault(_suit(edition, type_), []).append(type_.name)
    pictures = Pictures(edition)
    names = (suits[suit] for suits in by_suit.values() for suit in alternating_suits(suits, pictures))
    ranks = {type_.name: _rank(edition, type_) for type_ in game.program.types}
    return {name: place for place, name in enumerate(sorted(chain.from_iterable(names), key=ranks.__getitem__))}


def _rank(edition: Edition, type_: PieceType) -> tuple[int, int]:
    """Return the place of a piece's kind, and of the attribute by which its looks sort it first, if they do."""
    artwork, kinds = edition.looks.get(type_.kind), list(edition.kinds)
    value = type_.attributes[artwork.sort] if artwork is not None and artwork.sort else 0
    return kinds.index(type_.kind), value if isinstance(value, int) else 0


def _suit(edition: Edition, type_: PieceType) -> str:
    """Return the name of the picture of a piece's suit, or ''."""
    artwork, kind = edition.looks.get(type_.kind), edition.kinds[type_.kind]
    if artwork is None or artwork.suit is None:
        return ""
    return picture_name(artwork.suit.text, edition, kind_slot_values(edition, kind, tuple(type_.attributes.values())))
