"""Phrases made from an edition's texts and their arguments, in no language yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from rulewright.base.records import record
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import YOU, Argument, Item, Localizer, Person, Phrase, Term, phrase
from rulewright.model.declarations import FRACTION, NUMBER, QUIET_ROUNDS, SEAT, CounterDeclaration
from rulewright.model.edition import Edition
from rulewright.program.appearance import type_with_marks
from rulewright.program.form import PieceType, Program, Text
from rulewright.program.state_layout import ANSWERS, Mark, StateZone
from rulewright.program.value_types import Type
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State
from rulewright.runtime.view import HIDDEN, WordValues, remembers, sees_zone

_MAX_SINGLE = 6
"""Maximum number of equal pieces that are listed one by one."""


@record
class LogPart:
    """Part of a log line. seat: seat that it names, or None; piece: edition's name of the pieces that it names, or '';
    count: their number."""

    text: str
    seat: int | None = None
    piece: str = ""
    count: int = 0


class Messages:
    """Phrases of one game. names: of the seats; cache: for callers, keyed by all inputs."""

    def __init__(self, program: Program, edition: Edition, names: Sequence[str]) -> None:
        self.program, self.edition, self.names, self.terms = program, edition, names, Terms(edition)
        self._pieces: dict[tuple[int, int], Term] = {}
        self.cache: dict[Hashable, Any] = {}
        self._spaces = {space.address: space for space in program.layout.zones}
        zones = {(space.of, space.name) for space in program.layout.zones}
        self._shared = {of for of in program.words if sum(of == other for other, _ in zones) > 1}
        self._boards = {board.spaces for board in edition.boards.values()}
        counts = Counter(chain.from_iterable(map(program.possible_types, range(program.layout.pieces))))
        self._single = {look for look, count in counts.items() if count == 1}

    def text(self, text: Text, arguments: Sequence[Any] | None, reader: int | None, addresses: bool = False) -> Phrase:
        """Return the sentence as `reader` (None: a spectator) may read it: hidden pieces are counted.

        arguments: None if they could not be computed; addresses: whether it calls the reader 'you', whatever their
        name, as a question does.
        """
        if arguments is None:
            return Phrase(text.key, text.text, tuple((name, "…") for name in text.slots))
        filled = [
            (name, self.argument(type_, items, reader, addresses))
            for name, type_, items in zip(text.slots, text.types, arguments, strict=True)
        ]
        return Phrase(text.key, text.text, tuple(filled))

    def notation(self, text: Text, arguments: Sequence[Any] | None, reader: int | None) -> Phrase:
        """Return the short form of a sentence, as `reader` may read it. It is no text to translate."""
        return self.text(replace(text, key="", text=text.notation), arguments, reader)

    def parts(
        self, text: Text, arguments: Sequence[Any] | None, reader: int | None, localizer: Localizer
    ) -> list[LogPart]:
        """Return the sentence of `text` in one language, in parts. It calls the reader 'you'; where a language leaves
        that pronoun out, its part is empty."""
        named_parts = {
            slot: self._item_parts(type_, items, reader)
            for slot, type_, items in zip(text.slots, text.types, arguments or (), strict=False)
        }
        sentence, mentions = localizer.say_with_mentions(self.text(text, arguments, reader, addresses=True))
        result, position = [], 0
        for one in mentions:
            things = named_parts.get(one.slot, ())
            part = things[one.number] if one.number < len(things) else None
            if part is not None and (one.start < one.end or part.seat is not None):
                if position < one.start:
                    result.append(LogPart(sentence[position : one.start]))
                result.append(LogPart(sentence[one.start : one.end], part.seat, part.piece, part.count))
                position = one.end
        return [*result, LogPart(sentence[position:])] if position < len(sentence) else result

    def visible_key(self, text: Text, arguments: Sequence[Any] | None, reader: int | None) -> Hashable:
        """Return a key that is equal if two readers' versions of a sentence in parts are: which of its pieces are
        visible, and which of its seats are addressed."""
        result: list[Hashable] = []
        for type_, items in zip(text.types, arguments or (), strict=False):
            if type_.base == "piece":
                result.append(tuple(self._sees(item, reader) for item in items))
            elif type_.base == "seat":
                result.append(tuple(0 <= seat < len(self.names) and self._is_addressed(seat, reader) for seat in items))
        return tuple(result)

    def is_same_for_all(self, text: Text, arguments: Sequence[Any] | None) -> bool:
        """Return whether a sentence in parts is the same for all readers: a spectator sees all of it, and it names
        nobody."""
        for type_, items in zip(text.types, arguments or (), strict=False):
            if type_.base == "piece":
                if not all(self._sees(item, None) for item in items):
                    return False
            elif type_.base == "seat" and any(0 <= seat < len(self.names) for seat in items):
                return False
        return True

    def _item_parts(self, type_: Type, items: Sequence[Any], reader: int | None) -> Sequence[LogPart | None]:
        """Return the parts for an argument's items, in the order of `argument`; None for items that cannot be shown."""
        if type_.base == "piece":
            return [
                LogPart("", piece=type_with_marks(self.program, look).name, count=count)
                for look, count in self._visible_groups(items, reader)
            ]
        if type_.base == "seat":
            return [LogPart("", seat=seat) if 0 <= seat < len(self.names) else None for seat in items]
        return ()

    def _visible_groups(self, items: Sequence[Any], reader: int | None) -> list[tuple[int, int]]:
        """Return the pieces visible to a reader, or known, by appearance, each with its number; a few that are called
        by a number, such as dice, one by one: '3, 3 and 5'."""
        counts = Counter(item[0] for item in items if self._sees(item, reader))
        result = list[tuple[int, int]]()
        for look, count in counts.items():
            term = self.piece(look)
            is_single = count <= _MAX_SINGLE and term.one.isdigit() and not term.notes
            result += [(look, 1)] * count if is_single else [(look, count)]
        return result

    def _sees(self, item: Sequence[Any], reader: int | None) -> bool:
        """Return whether a reader may know which piece an item names: it lies in the open for them, or they remember
        it."""
        _, zone, *knowers = item
        return sees_zone(self._spaces[zone], reader) or bool(knowers and remembers(knowers[0], reader))

    def _hidden_pieces_noun(self, items: Sequence[Any], count: int, reader: int | None) -> Term:
        """Return a noun for the hidden ones of some pieces; 'cards' if their zones hold only cards."""
        zones = {item[1] for item in items if not self._sees(item, reader)}
        kinds = {kind for zone in zones for kind in self._spaces[zone].holds}
        if all(kind in self.edition.looks and self.edition.looks[kind].card for kind in kinds):
            return Term("piece", "a hidden card", "hidden cards", (), count)
        return Term("piece", "a hidden piece", "hidden pieces", (), count)

    def argument(self, type_: Type, items: Sequence[Any], reader: int | None, addresses: bool = False) -> Argument:
        """Return an argument for a phrase, with 'nothing' for no items; equal items are joined with their number.
        items: as the program emits them; reader, addresses: as for `text`."""
        result: list[Item]
        if type_.base == "piece":
            visible_groups = self._visible_groups(items, reader)
            result = [self.piece(look, count) for look, count in visible_groups]
            if hidden := len(items) - sum(count for _, count in visible_groups):
                result.append(self._hidden_pieces_noun(items, hidden, reader))
        elif type_.base == "seat":
            result = [self.seat(seat, reader, addresses) for seat in items]
        elif type_.base == "word":
            result = [self.word(str(type_.detail), word) for word in items]
        elif type_.base == "amount":
            result = amounts(self.terms, str(type_.detail), items)
        elif type_.base == "truth":
            result = [yes_or_no(bool(item)) for item in items]
        else:
            result = [type_.decode(int(item)) for item in items]
        if not result:
            return phrase("argument", "nothing")
        return tuple(result) if type_.many else result[0]

    def seat(self, seat: int, reader: int | None, addresses: bool = False) -> Item:
        """Return a seat's name, as a pronoun for a reader who is addressed, or where the name is YOU; 'nobody' for no
        seat. addresses: as for `text`."""
        if not 0 <= seat < len(self.names):
            return phrase("argument", "nobody")
        return Person(self.names[seat], self._is_addressed(seat, reader, addresses))

    def _is_addressed(self, seat: int, reader: int | None, addresses: bool = True) -> bool:
        """Return whether a seat's name is a pronoun for a reader."""
        return (addresses and seat == reader) or (self.names[seat] == YOU and reader in (seat, None))

    def word(self, words: str, word: int) -> Item:
        """Return a word of a list as an item: 'nothing' for -1; coordinates of a map as they are, in no language."""
        if word < 0:
            return phrase("argument", "nothing")
        term = self.terms.word(words, word)
        return term.one if term.one == self._coordinates(words, word) else term

    def word_label(self, words: str, word: int, seat: int | None = None) -> Item:
        """Return the label of a word as a choice: a space of a map by the number that a seat calls it by, by its name
        if it alone has that, or by its coordinates."""
        if seat is not None and words in self.edition.space_numbers:
            return self.edition.space_number(words, word, seat) or self.word(words, word)
        coordinates = "" if self.edition.own_name(words, word) else self._coordinates(words, word)
        return coordinates or self.word(words, word)

    def _coordinates(self, words: str, word: int) -> str:
        """Return the coordinates of a space of a map; '' for any other word."""
        maps = (map_ for map_ in self.program.maps if map_.spaces == words)
        return next((map_.coordinates.label(map_.positions[word]) for map_ in maps), "")

    def piece(self, look: int, count: int = 1) -> Term:
        """Return pieces of a look, with their number."""
        if (look, count) not in self._pieces:
            self._pieces[look, count] = self.type(type_with_marks(self.program, look), count)
        return self._pieces[look, count]

    def type(self, type_: PieceType, count: int = 1) -> Term:
        """Return the noun of a piece type with its marks."""
        term = self.terms.piece(self.edition.kinds[type_.kind], tuple(type_.attributes.values()), count)
        return (
            replace(term, notes=tuple(self.mark(mark, content) for mark, content in type_.marks))
            if type_.marks
            else term
        )

    def mark(self, mark: Mark, content: int) -> tuple[Argument, ...]:
        """Return a piece counter that differs from its start, with its content; for yes, the name alone."""
        counter = self.terms.counter(mark.name)
        return (
            (counter,)
            if mark.type.base == "truth" and content
            else (counter, self.argument(mark.type, [content], None))
        )

    def key(self, look: int | None, space: StateZone, place: int = 0, with_zone: bool = False) -> str:
        """Return the key of a piece in answers, the same in every language: its name in the edition, or that it is
        hidden (look: None), and the word of its zone. with_zone: whether to add a zone of a seat or of the table,
        since an equal piece lies in another one; place: place in the zone, from 1, if that distinguishes it."""
        if place:
            return f"{self.key(look, space, with_zone=with_zone)} (place {place})"
        name = self.name(look)
        if space.of in self.program.words:
            word = self.program.words[space.of][space.owner]
            # If every word has several zones, the word alone is ambiguous.
            return f"{name} in {word}'s {space.name}" if space.of in self._shared else f"{name} on {word}"
        if with_zone and space.of == SEAT:
            return f"{name} in {self.names[space.owner]}'s {space.name}"
        return f"{name} in {space.name}" if with_zone else name

    def name(self, look: int | None) -> str:
        """Return a piece's name in the edition, or that it is hidden."""
        return HIDDEN if look is None else type_with_marks(self.program, look).name

    def label(self, look: int | None, space: StateZone, place: int = 0, with_zone: bool = False) -> Argument:
        """Return the label of a piece as a choice; parameters as of `key`. The space of a unique piece is added on
        boards only."""
        if place:
            return phrase(
                "choice", "{piece} (place {number})", piece=self.label(look, space, with_zone=with_zone), number=place
            )
        piece = self.piece_label(look)
        zone = self.terms.zone(space.name)
        if space.of in self.program.words:
            if look in self._single and space.of not in self._boards:
                return piece
            word = self.word_label(space.of, space.owner)
            if space.of in self._shared:
                return phrase("choice", "{piece} in {space}’s {zone}", piece=piece, space=word, zone=zone)
            return phrase("choice", "{piece} on {space}", piece=piece, space=word)
        if with_zone and space.of == SEAT and (owner := self.names[space.owner]) != YOU:
            return phrase("choice", "{piece} in {space}’s {zone}", piece=piece, space=owner, zone=zone)
        return phrase("choice", "{piece} in {zone}", piece=piece, zone=zone) if with_zone else piece

    def piece_label(self, look: int | None) -> Term | Phrase:
        """Return a piece as a choice without its zone; None: a hidden one."""
        return phrase("choice", "hidden") if look is None else self.piece(look)

    def space(self, address: int) -> StateZone:
        """Return the zone at an address of the state. Raises KeyError for any other cell."""
        return self._spaces[address]


def amounts(terms: Terms, words: str, numbers: Sequence[int]) -> list[Item]:
    """Return the amount of each word of a list; zeros are left out."""
    return [
        replace(terms.word(words, word), count=int(number), counted=True)
        for word, number in enumerate(numbers)
        if number
    ]


def counter_items(
    terms: Terms, counter: CounterDeclaration, content: WordValues, names: Sequence[str]
) -> tuple[Item, ...]:
    """Return the content of a counter with words: amounts, or the words with yes, or each word with its word or seat.
    Empty ones are left out."""
    entries = [value for _, value in content.entries]
    if counter.holds == NUMBER:
        return tuple(amounts(terms, counter.by, [int(value or 0) for value in entries]))
    result: list[Item] = []
    for word, value in enumerate(entries):
        term = terms.word(counter.by, word)
        if isinstance(value, bool):
            result += [term] if value else []
        elif counter.holds == FRACTION:
            result += [phrase("form", "{what} ({note})", what=term, note=value)] if value else []
        elif value is not None:
            words = terms.edition.words.get(counter.holds)
            of = [entry.name for entry in words.words].index(str(value)) if words else 0
            value_item = terms.word(counter.holds, of) if words else Person(names[int(value)])
            result.append(phrase("form", "{what} ({note})", what=term, note=value_item))
    return tuple(result)


def stop_text(round_: int, answers: int) -> Phrase:
    """Return where the rules stopped, in words. round_: from 1, 0 before the first; answers: number so far."""
    if not round_:
        return phrase("errors", "before the first round, after {answers} [answer|answers]", answers=answers)
    return phrase("errors", "in round {round}, after {answers} [answer|answers]", round=round_, answers=answers)


def rules_failed(seed: int, round_: int, answers: int, error: RuleError) -> Phrase:
    """Return the text that the rules of a game failed before its end. answers: as for `stop_text`."""
    return phrase(
        "errors",
        "The game (seed {seed}) cannot be played to its end: it stops {where}. {why}",
        seed=str(seed),
        where=stop_text(round_, answers),
        why=str(error),
    )


def limit_text(program: Program, s: State) -> Phrase:
    """Return the text that a game has ended at its limit; the caller knows that it did."""
    limit = program.limit
    if s[ANSWERS] >= limit.answers and limit.scored:
        return phrase(
            "score",
            "The game has reached its limit of {answers} [answer|answers]. It counts as it stands.",
            answers=limit.answers,
        )
    if s[ANSWERS] >= limit.answers:
        return phrase(
            "score",
            "The game has reached its limit of {answers} [answer|answers]. It ends without a result.",
            answers=limit.answers,
        )
    if not limit.rounds and limit.scored:
        return phrase(
            "score",
            "Nobody had anything to decide for {rounds} [round|rounds]. The game ends here. It counts as it stands.",
            rounds=QUIET_ROUNDS,
        )
    if not limit.rounds:
        return phrase(
            "score",
            "Nobody had anything to decide for {rounds} [round|rounds]. The game ends here, without a result.",
            rounds=QUIET_ROUNDS,
        )
    if limit.scored:
        return phrase(
            "score",
            "The game has reached its limit of {rounds} [round|rounds]. It counts as it stands.",
            rounds=limit.rounds,
        )
    return phrase(
        "score",
        "The game has reached its limit of {rounds} [round|rounds]. It ends without a result.",
        rounds=limit.rounds,
    )


def yes_or_no(yes: bool) -> Phrase:
    """Return 'yes' or 'no' as a phrase."""
    return phrase("answer", "yes") if yes else phrase("answer", "no")
