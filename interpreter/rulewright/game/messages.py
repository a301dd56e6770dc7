"""Sentences for people, made from a text of an edition and its arguments, in no language yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from rulewright.base.records import record
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import YOU, Argument, Item, Person, Phrase, Speech, Term, phrase
from rulewright.model.declarations import FRACTION, NUMBER, QUIET_ROUNDS, SEAT, CounterDeclaration, Edition
from rulewright.program.appearance import type_at
from rulewright.program.form import ANSWERS, Mark, PieceType, Program, StateZone, Text, Type
from rulewright.runtime.operations import RuleError
from rulewright.runtime.state import State
from rulewright.runtime.view import HIDDEN, HeldFor, remembers, sees


@record
class LogPart:
    """A part of a line of the log. seat: who is named by it, or None; piece: the name in the edition of the pieces that
    it names, or ''; count: how many of them."""

    text: str
    seat: int | None = None
    piece: str = ""
    count: int = 0


class Messages:
    """The texts of one game. names: of the seats; kept: what was made of them, by all that it depends on, for whoever
    makes it again and again."""

    def __init__(self, program: Program, edition: Edition, names: Sequence[str]) -> None:
        self.program, self.edition, self.names, self.terms = program, edition, names, Terms(edition)
        self._pieces: dict[tuple[int, int], Term] = {}
        self.kept: dict[Hashable, Any] = {}
        self._spaces = {space.address: space for space in program.layout.spaces}
        zones = {(space.of, space.name) for space in program.layout.spaces}
        self._shared = {of for of in program.words if sum(of == other for other, _ in zones) > 1}
        self._boards = {board.spaces for board in edition.boards.values()}
        counts = Counter(chain.from_iterable(map(program.looks, range(program.layout.pieces))))
        self._single = {look for look, count in counts.items() if count == 1}

    def text(self, text: Text, arguments: Sequence[Any] | None, reader: int | None) -> Phrase:
        """The sentence as `reader` (None: a spectator) may read it: pieces that the reader may not see are counted.

        arguments: None where they could not be worked out.
        """
        if arguments is None:
            return Phrase(text.key, text.text, tuple((name, "…") for name in text.slots))
        filled = [
            (name, self.argument(type_, items, reader))
            for name, type_, items in zip(text.slots, text.types, arguments, strict=True)
        ]
        return Phrase(text.key, text.text, tuple(filled))

    def parts(self, text: Text, arguments: Sequence[Any] | None, reader: int | None, speech: Speech) -> list[LogPart]:
        """The sentence as `text` has it, in one language, in parts."""
        named = {
            slot: self._named(type_, items, reader)
            for slot, type_, items in zip(text.slots, text.types, arguments or (), strict=False)
        }
        said, mentions = speech.with_mentions(self.text(text, arguments, reader))
        found, at = [], 0
        for one in mentions:
            things = named.get(one.slot, ())
            part = things[one.number] if one.number < len(things) else None
            if part is not None and one.start < one.end:
                if at < one.start:
                    found.append(LogPart(said[at : one.start]))
                found.append(LogPart(said[one.start : one.end], part.seat, part.piece, part.count))
                at = one.end
        return [*found, LogPart(said[at:])] if at < len(said) else found

    def seen(self, text: Text, arguments: Sequence[Any] | None, reader: int | None) -> Hashable:
        """All that makes a sentence another one for a reader than for others: what of its pieces the reader sees, and
        whether somebody in it is only called what the reader is."""
        found: list[Hashable] = []
        for type_, items in zip(text.types, arguments or (), strict=False):
            if type_.base == "piece":
                found.append(tuple(self._sees(item, reader) for item in items))
            elif type_.base == "seat" and YOU in self.names:
                found.append(reader)
        return tuple(found)

    def seen_alike(self, text: Text, arguments: Sequence[Any] | None) -> bool:
        """Whether a sentence is the same for all readers: a spectator sees all that is in it, and nobody in it is only
        called what a reader is."""
        for type_, items in zip(text.types, arguments or (), strict=False):
            if type_.base == "piece":
                if not all(self._sees(item, None) for item in items):
                    return False
            elif type_.base == "seat" and YOU in self.names:
                return False
        return True

    def _named(self, type_: Type, items: Sequence[Any], reader: int | None) -> Sequence[LogPart | None]:
        """What the things of an argument are, in the order in which `argument` tells them; None for what is nothing
        that could be shown."""
        if type_.base == "piece":
            seen = self._seen(items, reader)
            return [LogPart("", piece=type_at(self.program, look).name, count=count) for look, count in seen.items()]
        if type_.base == "seat":
            return [LogPart("", seat=seat) if 0 <= seat < len(self.names) else None for seat in items]
        return ()

    def _seen(self, items: Sequence[Any], reader: int | None) -> dict[int, int]:
        """What is shown by those of some pieces that a reader sees, or knows, and by how many of them."""
        found: dict[int, int] = {}
        for item in items:
            if self._sees(item, reader):
                found[item[0]] = found.get(item[0], 0) + 1
        return found

    def _sees(self, item: Sequence[Any], reader: int | None) -> bool:
        _, zone, *knowers = item
        return sees(self._spaces[zone], reader) or bool(knowers and remembers(knowers[0], reader))

    def _hidden(self, items: Sequence[Any], count: int, reader: int | None) -> Term:
        """What the reader does not see of some pieces: cards, where nothing else can lie there."""
        zones = {item[1] for item in items if not self._sees(item, reader)}
        kinds = {kind for zone in zones for kind in self._spaces[zone].holds}
        if all(kind in self.edition.looks and self.edition.looks[kind].card for kind in kinds):
            return Term("piece", "a hidden card", "hidden cards", (), count)
        return Term("piece", "a hidden piece", "hidden pieces", (), count)

    def argument(self, type_: Type, items: Sequence[Any], reader: int | None) -> Argument:
        """Things alike are told once, with their number."""
        found: list[Item]
        if type_.base == "piece":
            seen = self._seen(items, reader)
            found = [self.piece(look, count) for look, count in seen.items()]
            if hidden := len(items) - sum(seen.values()):
                found.append(self._hidden(items, hidden, reader))
        elif type_.base == "seat":
            found = [self.seat(seat, reader) for seat in items]
        elif type_.base == "word":
            found = [self.word(str(type_.detail), word) for word in items]
        elif type_.base == "amount":
            found = amounts(self.terms, str(type_.detail), items)
        elif type_.base == "truth":
            found = [answer(bool(item)) for item in items]
        else:
            found = [type_.told(int(item)) for item in items]
        if not found:
            return phrase("argument", "nothing")
        return tuple(found) if type_.many else found[0]

    def seat(self, seat: int, reader: int | None) -> Item:
        """A seat's name; where that is only what the reader is called, a pronoun, as it is for a spectator."""
        if not 0 <= seat < len(self.names):
            return phrase("argument", "nobody")
        return Person(self.names[seat], self.names[seat] == YOU and reader in (seat, None))

    def word(self, words: str, word: int) -> Item:
        if word < 0:
            return phrase("argument", "nothing")
        term = self.terms.word(words, word)
        coordinates = self._is_drawn(words) and term.one == self.program.words[words][word]
        return term.one if coordinates else term

    def spot(self, words: str, word: int) -> Item:
        """A word as one of several to choose from: a space of a map by its coordinates, whatever it is called."""
        return self.program.words[words][word] if self._is_drawn(words) else self.word(words, word)

    def _is_drawn(self, words: str) -> bool:
        return any(map_.spaces == words for map_ in self.program.maps)

    def piece(self, look: int, count: int = 1) -> Term:
        if (look, count) not in self._pieces:
            self._pieces[look, count] = self.type(type_at(self.program, look), count)
        return self._pieces[look, count]

    def type(self, type_: PieceType, count: int = 1) -> Term:
        term = self.terms.piece(self.edition.kinds[type_.kind], tuple(type_.attributes.values()), count)
        return replace(term, notes=tuple(self.mark(mark, held) for mark, held in type_.marks)) if type_.marks else term

    def mark(self, mark: Mark, held: int) -> tuple[Argument, ...]:
        """A counter of a piece that is not as it began, and what it holds: yes is told by the counter's name alone."""
        counter = self.terms.counter(mark.name)
        return (counter,) if mark.type.base == "truth" and held else (counter, self.argument(mark.type, [held], None))

    def key(self, look: int | None, space: StateZone, place: int = 0, told: bool = False) -> str:
        """What a piece is called in answers, whatever people read: its name in the edition, or that it is hidden (look:
        None), and in which word's zone it lies. told: whether the zone of a seat or of the table is told as well, since
        one like it lies in another; place: where it lies there, from 1, if that tells it apart from those like it."""
        if place:
            return f"{self.key(look, space, told=told)} (place {place})"
        name = self.name(look)
        if space.of in self.program.words:
            word = self.program.words[space.of][space.owner]
            # Where every word has several zones, the word alone would not do.
            return f"{name} in {word}'s {space.name}" if space.of in self._shared else f"{name} on {word}"
        if told and space.of == SEAT:
            return f"{name} in {self.names[space.owner]}'s {space.name}"
        return f"{name} in {space.name}" if told else name

    def name(self, look: int | None) -> str:
        """A piece's name in the edition, or that it is hidden."""
        return HIDDEN if look is None else type_at(self.program, look).name

    def label(self, look: int | None, space: StateZone, place: int = 0, told: bool = False) -> Argument:
        """Name a choice for people. Of a piece that there is once, a place is told only on a board."""
        if place:
            return phrase("choice", "{piece} (place {number})", piece=self.label(look, space, told=told), number=place)
        piece = self.called(look)
        zone = self.terms.zone(space.name)
        if space.of in self.program.words:
            if look in self._single and space.of not in self._boards:
                return piece
            word = self.spot(space.of, space.owner)
            if space.of in self._shared:
                return phrase("choice", "{piece} in {space}’s {zone}", piece=piece, space=word, zone=zone)
            return phrase("choice", "{piece} on {space}", piece=piece, space=word)
        if told and space.of == SEAT and (owner := self.names[space.owner]) != YOU:
            return phrase("choice", "{piece} in {space}’s {zone}", piece=piece, space=owner, zone=zone)
        return phrase("choice", "{piece} in {zone}", piece=piece, zone=zone) if told else piece

    def called(self, look: int | None) -> Term | Phrase:
        """A piece as one of several to choose from, wherever it lies; None: one that is hidden."""
        return phrase("choice", "hidden") if look is None else self.piece(look)

    def space(self, address: int) -> StateZone:
        return self._spaces[address]


def amounts(terms: Terms, words: str, numbers: Sequence[int]) -> list[Item]:
    """So many of each word of a list; what there is none of is left out."""
    return [
        replace(terms.word(words, word), count=int(number), counted=True)
        for word, number in enumerate(numbers)
        if number
    ]


def held_for(terms: Terms, counter: CounterDeclaration, held: HeldFor, names: Sequence[str]) -> tuple[Item, ...]:
    """What a counter holds that is told for words: so many of each, or the words for which it is yes, or each with the
    word or seat. What there is none of is left out."""
    entries = [value for _, value in held.entries]
    if counter.holds == NUMBER:
        return tuple(amounts(terms, counter.by, [int(value or 0) for value in entries]))
    found: list[Item] = []
    for word, value in enumerate(entries):
        term = terms.word(counter.by, word)
        if isinstance(value, bool):
            found += [term] if value else []
        elif counter.holds == FRACTION:
            found += [phrase("form", "{what} ({note})", what=term, note=value)] if value else []
        elif value is not None:
            words = terms.edition.words.get(counter.holds)
            of = [entry.name for entry in words.words].index(str(value)) if words else 0
            told = terms.word(counter.holds, of) if words else Person(names[int(value)])
            found.append(phrase("form", "{what} ({note})", what=term, note=told))
    return tuple(found)


def stopping(round_: int, answers: int) -> Phrase:
    """Where the rules stop. round_: 0 before the first; answers: how many there were."""
    if not round_:
        return phrase("errors", "before the first round, after {answers} [answer|answers]", answers=answers)
    return phrase("errors", "in round {round}, after {answers} [answer|answers]", round=round_, answers=answers)


def cut_short(seed: int, round_: int, answers: int, error: RuleError) -> Phrase:
    """Say that the rules of a game stop before its end. answers: as for `stopping`."""
    return phrase(
        "errors",
        "The game (seed {seed}) cannot be played to its end: it stops {where}. {why}",
        seed=str(seed),
        where=stopping(round_, answers),
        why=str(error),
    )


def at_the_limit(program: Program, s: State) -> Phrase:
    """What people should know about a game that ended because it came to its limit."""
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


def answer(yes: bool) -> Phrase:
    return phrase("answer", "yes") if yes else phrase("answer", "no")
