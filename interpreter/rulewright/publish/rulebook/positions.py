"""Positions of a game as a rulebook shows them: what lies where, as one seat sees it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.game.game import Game
from rulewright.game.messages import answer, held_for
from rulewright.i18n.localizer import Argument, Item, Person, Speech, phrase
from rulewright.model.declarations import NUMBERS, SEAT, SLOT, Board, CounterDeclaration
from rulewright.model.pictures import values_of
from rulewright.program.appearance import looks_called, type_at
from rulewright.program.form import PieceType
from rulewright.publish.board_annotations import BoardAnnotations, PieceOnSpace
from rulewright.publish.drawing import Field, Window, board
from rulewright.publish.rulebook.model import Drawing, Piece, ShownTable, ShownZone, Tableau
from rulewright.publish.rulebook.pieces import Pieces
from rulewright.publish.static_spaces import StaticSpace, static_spaces
from rulewright.runtime.position import TABLE
from rulewright.runtime.view import Held, HeldFor, HeldList, HeldOne, View, ZoneView, first_held

MOST_CUT = 0.75
"""Share of a board above which the whole is drawn."""

MOST_SORTS = 12
"""Of pieces in one zone that are shown each by itself."""


class Positions:
    """The positions of one game. names: what the seats are called, if not as in the game."""

    def __init__(self, game: Game, speech: Speech, names: Sequence[str] = ()) -> None:
        self.names = names or game.names
        self.game, self.edition, self.speech = game, game.rules.edition, speech
        self.pieces, self.terms = Pieces(game.rules, speech, game.options), game.messages.terms
        self._types = {type_.name: type_ for type_ in game.program.types}
        program = game.program
        self._starts = {found.name: first_held(program, found) for found in program.layout.counters}
        self._still: dict[str, list[StaticSpace]] = {}
        self._within: dict[tuple[str, str], list[list[int]]] = {}
        self._looked_at: list[tuple[View, dict[tuple[str, str], PieceOnSpace]]] = []
        self._windows: list[tuple[Board, Sequence[View], Window | None]] = []

    def position(self, seat: int | None) -> ShownTable:
        """The table as it is now and as a seat sees it, that seat first; or nobody in particular."""
        return self.of(self.game.view(seat), seat or 0, parts=True)

    def of(
        self, view: View, first: int = 0, empty: bool = False, near: Sequence[View] = (), parts: bool = False
    ) -> ShownTable:
        """What a view shows, a seat first. empty: also zones where nothing lies; near: of a board draw only what is
        near to what lies there in these views; parts: whether words say what parts a board has, which need not be told
        again and again. A view may leave zones out."""
        table = Tableau("", tuple(self.shared(view, empty)))
        order = [first + after for after in range(len(self.names))]
        owners = [place % len(self.names) for place in order]
        seats = [Tableau(self.name(owner), tuple(self.owned(view, owner, empty))) for owner in owners]
        zones = {self.edition.zones[zone.name].of for zone in view.zones}
        boards = (
            self.board(view, found, near, parts=parts)
            for found in self.edition.boards.values()
            if found.positions and zones & {found.spaces, *self.lists(found).values()}
        )
        return ShownTable(tuple(found for found in (table, *seats) if found.places), tuple(boards))

    def type(self, name: str) -> PieceType:
        """The type of a piece, with its marks, by its name in the edition."""
        if name not in self._types:
            program = self.game.program
            self._types[name] = type_at(program, looks_called(program, [name])[name])
        return self._types[name]

    def piece(self, name: str, count: int = 1) -> Piece:
        """So many of a piece, by its name in the edition, with what it counts."""
        type_ = self.type(name)
        piece = self.pieces.of_type(type_, count)
        if not type_.marks:
            return piece
        marks = [self.game.messages.mark(mark, held) for mark, held in type_.marks]
        note = self.speech.list([" ".join(map(self.speech.say, mark)) for mark in marks])
        return replace(piece, name=self.speech.noted(piece.name, note), told=self.speech.noted(piece.told, note))

    # ── what belongs to whom ──

    def shared(self, view: View, empty: bool) -> Iterator[ShownZone]:
        """What belongs to all, and what belongs to words and is on no board."""
        boards = [found for found in self.edition.boards.values() if found.positions]
        drawn = {words for found in boards for words in (found.spaces, *self.lists(found).values())}
        for zone in view.zones:
            of = self.edition.zones[zone.name].of
            if zone.owner is None and of not in drawn and (place := self.place(zone, empty)) is not None:
                yield place
        for name, value in view.counters.items():
            declared = self.edition.counters[name]
            if not isinstance(value, tuple | Mapping):
                yield from self.counter(declared, value)
            elif isinstance(value, Mapping):
                for word, of_word in value.items():
                    yield from self.counter(declared, of_word, word)

    def owned(self, view: View, seat: int, empty: bool) -> Iterator[ShownZone]:
        for zone in view.zones:
            if zone.owner == seat and (place := self.place(zone, empty)) is not None:
                yield place
        for name, values in view.counters.items():
            if isinstance(values, tuple):
                yield from self.counter(self.edition.counters[name], values[seat])

    def place(self, zone: ZoneView, empty: bool) -> ShownZone | None:
        """A zone where something lies, if people see it at all."""
        declared = self.edition.zones[zone.name]
        if not (zone.count or empty) or not declared.shown:
            return None
        name = self.speech.title(self.terms.zone(zone.name))
        if zone.word:
            name = self.speech.entry(self.word(declared.of, zone.word), name)
        return ShownZone(name, tuple(self.lying(zone)), declared=zone.name)

    def lying(self, zone: ZoneView) -> Iterator[Piece]:
        """The pieces in a zone, alike ones together; of a pile the top, for all."""
        if not zone.count:
            return
        if zone.pieces is None:
            yield from self.face_down(zone)
        elif zone.pile:
            yield self.piece(zone.pieces[-1], zone.count)
        else:
            sorts = Counter(zone.pieces)
            if len(sorts) > MOST_SORTS:
                yield from self.kinds(zone.pieces)
                return
            for name, count in sorts.items():
                yield self.piece(name, count)

    def face_down(self, zone: ZoneView) -> Iterator[Piece]:
        """Hidden pieces, apart where their backs tell them apart."""
        layout, state = self.game.program.layout, self.game.state
        space = next(each for each in layout.spaces if each.name == zone.name and each.owner == self.owner_of(zone))
        kinds = Counter(
            self.game.program.types[self.game.program.type_of[piece]].kind for piece in state[space.address]
        )
        backs: dict[str, list[str]] = {}
        for kind in sorted(self.edition.zones[zone.name].holds):
            if kinds[kind]:
                backs.setdefault(self.pieces.back(kind), []).append(kind)
        if len(backs) < 2 or "" in backs:
            yield self.pieces.hidden(sorted(self.edition.zones[zone.name].holds), zone.count)
            return
        for alike in backs.values():
            yield self.pieces.hidden(alike, sum(kinds[kind] for kind in alike))

    def owner_of(self, zone: ZoneView) -> int:
        """The number of the seat or word that a zone belongs to, as layouts count them."""
        if zone.word:
            return self.number(self.edition.zones[zone.name].of, zone.word)
        return zone.owner if zone.owner is not None else TABLE

    def kinds(self, names: Sequence[str]) -> Iterator[Piece]:
        """Many sorts of pieces at a glance: one piece of each kind, for all of them; of cards their backs."""
        for name, count in Counter(self.type(name).kind for name in names).items():
            first = next(piece for piece in names if self.type(piece).kind == name)
            kind = self.edition.kinds[name]
            title, told = self.speech.title(self.terms.kind(kind)), self.speech.say(self.terms.any(kind, count))
            drawn = self.piece(first, count)
            if drawn.card:
                drawn = self.pieces.hidden([name], count)
            yield replace(drawn, name=title, told=told)

    def counter(self, counter: CounterDeclaration, value: Held, word: str = "") -> Iterator[ShownZone]:
        """A counter that is not as it began, or a side, if people see it at all."""
        if not counter.shown or (value == self._starts[counter.name] and not counter.side):
            return
        name = self.speech.title(self.terms.counter(counter.name))
        title = self.speech.entry(self.word(counter.of, word), name) if word else name
        yield ShownZone(title, (), self.speech.title(self.held(counter, value)), counter.name)

    def held(self, counter: CounterDeclaration, value: Held) -> Argument:
        """What a counter holds."""
        if isinstance(value, HeldFor):
            return held_for(self.terms, counter, value, self.names) or phrase("argument", "nothing")
        if isinstance(value, HeldList):
            return tuple(self.one_held(counter, one) for one in value.items) or phrase("argument", "nothing")
        return self.one_held(counter, value)

    def one_held(self, counter: CounterDeclaration, value: HeldOne) -> Item:
        if isinstance(value, bool):
            return answer(value)
        if value is None:
            return phrase("argument", "nobody") if counter.holds == SEAT else phrase("argument", "nothing")
        if isinstance(value, str):
            return self.terms.word(counter.holds, self.number(counter.holds, value))
        return Person(self.names[int(value)]) if counter.holds == SEAT else value

    def name(self, seat: int) -> str:
        return self.speech.isolated(self.names[seat])

    def word(self, words: str, name: str) -> str:
        return self.speech.title(self.terms.word(words, self.number(words, name)))

    def number(self, words: str, name: str) -> int:
        return [word.name for word in self.edition.words[words].words].index(name)

    # ── boards ──

    def board(
        self,
        view: View,
        found: Board,
        near: Sequence[View] = (),
        traces: BoardAnnotations | None = None,
        parts: bool = False,
    ) -> Drawing:
        """A drawn board with all that lies on it. near, parts: as above; traces: what happens there."""
        words = self.edition.words[found.spaces].words
        lying = {word.name: self.on(view, found.spaces, word.name) for word in words}
        flags = self.flags(view, found)
        fields = {
            place: Field(region, ground, lying[word.name], flags.get(number), sign)
            for number, (place, word, (region, ground, sign)) in enumerate(
                zip(found.positions, words, self.still(found), strict=True)
            )
        }
        around = self.edition.surroundings.get(found.name)
        picture = self.pieces.faces.picture(around.text) if around is not None else ""
        svg = board(fields, found.hexagonal, picture, self.window(found, near), traces)
        return Drawing(svg, self.told(found, lying, flags, parts), tuple(self.key(found)), found.name)

    def still(self, found: Board) -> list[StaticSpace]:
        """What lies still in each space, which an example shows before and after."""
        if found.name not in self._still:
            self._still[found.name] = static_spaces(self.edition, found, self.pieces.faces)
        return self._still[found.name]

    def window(self, found: Board, near: Sequence[View]) -> Window | None:
        """The part of a board where something lies in these views, with the regions that it lies in and with what is
        next to it; None for the whole, also where hardly anything would be left out."""
        for shown, views, window in self._windows:
            if shown is found and views is near:
                return window
        self._windows = [(found, near, self._window(found, near)), *self._windows[:3]]
        return self._windows[0][2]

    def _window(self, found: Board, near: Sequence[View]) -> Window | None:
        words = self.edition.words[found.spaces].words
        taken = [at for view in near for at, word in enumerate(words) if self.on(view, found.spaces, word.name)]
        flagged = [at for view in near for at in self.flags(view, found)]
        if not (taken or flagged):
            return None
        region = [region for region, _, _ in self.still(found)]
        regions = {region[at] for at in taken if region[at]}
        seen = [place for at, place in enumerate(found.positions) if at in flagged or region[at] in regions]
        for column, row in (found.positions[at] for at in taken):
            seen += [(column - 1, row - 1), (column + 1, row + 1)]
        columns, rows = zip(*found.positions, strict=True)
        across, down = zip(*seen, strict=True)
        left, right = max(min(across), min(columns)), min(max(across), max(columns))
        top, bottom = max(min(down), min(rows)), min(max(down), max(rows))
        whole = (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)
        cut = (right - left + 1) * (bottom - top + 1) <= MOST_CUT * whole
        return (left, top, right, bottom) if cut else None

    def on(self, view: View, words: str, word: str) -> PieceOnSpace | None:
        """What lies on top in the zones of a word, with the number of all."""
        return self._full(view).get((words, word))

    def _full(self, view: View) -> dict[tuple[str, str], PieceOnSpace]:
        """What lies on top in the zones of words that people see, by list and word; known of two views, for an example
        shows a position before and after it."""
        known = next((found for seen, found in self._looked_at if seen is view), None)
        if known is not None:
            return known
        full: dict[tuple[str, str], list[ZoneView]] = {}
        for zone in view.zones:
            declared = self.edition.zones[zone.name]
            if zone.word and zone.count and declared.shown:
                full.setdefault((declared.of, zone.word), []).append(zone)
        found = {}
        for place, zones in full.items():
            *below, top = (piece for zone in zones for piece in self.lying(zone))
            told = self.speech.row([piece.told for piece in (*below, top)])
            found[place] = PieceOnSpace(top.name, top.picture, sum(zone.count for zone in zones), told)
        self._looked_at = [(view, found), *self._looked_at[:1]]
        return found

    def flags(self, view: View, found: Board) -> dict[int, PieceOnSpace]:
        """What lies in the zones of regions, by the number of the space where it is drawn: the one in the middle."""
        shown: dict[int, PieceOnSpace] = {}
        for words in self.lists(found).values():
            for number, word in enumerate(self.edition.words[words].words):
                lying = self.on(view, words, word.name)
                inside = self.within(found, words, number)
                if lying is not None and inside:
                    shown[self.central(found, inside)] = lying
        return shown

    def within(self, found: Board, words: str, number: int) -> list[int]:
        """The spaces that have a word as an attribute."""
        key = (found.name, words)
        if key not in self._within:
            names = [name for name, of in self.lists(found).items() if of == words]
            inside: list[list[int]] = [[] for _ in self.edition.words[words].words]
            for at, space in enumerate(self.edition.words[found.spaces].words):
                for word in {space.attributes[name] for name in names if name in space.attributes}:
                    inside[word].append(at)
            self._within[key] = inside
        return self._within[key][number]

    @staticmethod
    def central(found: Board, spaces: list[int]) -> int:
        """The space that is nearest to the middle of these."""
        columns, rows = zip(*(found.positions[space] for space in spaces), strict=True)
        middle = sum(columns) / len(spaces), sum(rows) / len(spaces)

        def distance(space: int) -> float:
            column, row = found.positions[space]
            return math.dist((column, row), middle)

        return min(spaces, key=distance)

    def lists(self, found: Board) -> dict[str, str]:
        """The attributes of a board's spaces that are words, but no spaces themselves, each with the list of these."""
        attributes = self.edition.words[found.spaces].attributes
        return {name: of for name, of in attributes.items() if of not in NUMBERS and of != found.spaces}

    def key(self, found: Board) -> Iterator[tuple[str, str]]:
        """Each sign that there is on a board, with the words that it stands for."""
        pattern = self.edition.space_signs.get(found.name)
        if pattern is None:
            return
        told = [slot[1].strip() for slot in SLOT.finditer(pattern.text)]
        seen: set[tuple[tuple[str, int], ...]] = set()
        for number in range(len(found.positions)):
            slots = values_of(self.edition, found.spaces, number)
            words = tuple(slots[name] for name in told if name in slots and slots[name][0] not in NUMBERS)
            if words and words not in seen:
                seen.add(words)
                names = [self.speech.title(self.terms.word(of, value)) for of, value in words]
                yield self.still(found)[number][2], self.speech.row(names)

    def told(
        self, found: Board, lying: Mapping[str, PieceOnSpace | None], flags: Mapping[int, PieceOnSpace], parts: bool
    ) -> str:
        """The same in words."""
        title = self.speech.title(self.terms.rule(f"boards.{found.name}"))
        regions = [
            phrase("rulebook", "{region} ({spaces})", region=self.terms.word(of, number), spaces=len(inside))
            for of in dict.fromkeys(self.lists(found).values())
            for number in range(len(self.edition.words[of].words))
            if parts and (inside := self.within(found, of, number))
        ]
        spaces = len(found.positions)
        texts = [self.speech.say(phrase("rulebook", "{board}: {count} spaces.", board=title, count=spaces))]
        if regions:
            texts.append(self.speech.say(phrase("rulebook", "Its parts: {regions}.", regions=tuple(regions))))
        names = {word.name: flags.get(number) for number, word in enumerate(self.edition.words[found.spaces].words)}
        on: dict[str, list[str]] = {}
        for word, tops in ((word, (lying[word], names[word])) for word in lying):
            for top in filter(None, tops):
                on.setdefault(top.text, []).append(word)
        if on:
            pieces = tuple(self.speech.noted(told, self.speech.row(where)) for told, where in on.items())
            texts.append(self.speech.say(phrase("rulebook", "On it lie: {pieces}.", pieces=pieces)))
        return " ".join(texts)
