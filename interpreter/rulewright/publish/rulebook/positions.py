"""Positions of a game in a rulebook: the contents of zones and boards, as one seat sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.game.game import Game
from rulewright.game.messages import counter_items, yes_or_no
from rulewright.i18n.localizer import Argument, Item, Localizer, Person, phrase
from rulewright.model.declarations import SEAT, CounterDeclaration
from rulewright.program.appearance import appearances_by_name, type_with_marks
from rulewright.program.form import PieceType
from rulewright.publish.board_places import board_places
from rulewright.publish.rulebook.board_drawings import BoardDrawings, region_lists
from rulewright.publish.rulebook.model import Piece, ShownTable, ShownZone, Tableau
from rulewright.publish.rulebook.pieces import Pieces
from rulewright.runtime.position import TABLE
from rulewright.runtime.state import State
from rulewright.runtime.view import CounterValue, ListValue, SingleValue, View, WordValues, ZoneView, initial_value

MAX_SORTS = 12
"""Limit of sorts of pieces in one zone that are shown individually."""


class Positions:
    """Positions of one game. names: of the seats, if other than in the game; state: the one that all views are of, None
    for the present one: views do not tell the kinds of hidden pieces, which may have different backs.

    Names of pieces, zones, counters and words are those of the edition."""

    def __init__(self, game: Game, localizer: Localizer, names: Sequence[str] = (), state: State | None = None) -> None:
        self._state = game.state if state is None else state
        self.names = names or game.names
        self.game, self.edition, self.localizer = game, game.rules.edition, localizer
        self.pieces, self.terms = Pieces(game.rules, localizer, game.options), game.messages.terms
        self._types = {type_.name: type_ for type_ in game.program.types}
        program = game.program
        self._first_values = {counter.name: initial_value(program, counter) for counter in program.layout.counters}
        self.boards = BoardDrawings(game, localizer, self.pieces.faces, self.zone_pieces)

    def position(self, seat: int | None) -> ShownTable:
        """Return the present table as a seat sees it, that seat first; None: for a spectator."""
        return self.show(self.game.view(seat), seat or 0, parts=True)

    def show(
        self, view: View, first: int = 0, empty: bool = False, near: Sequence[View] = (), parts: bool = False
    ) -> ShownTable:
        """Return the table of a view, a seat first.

        empty: include empty zones; near: draw only the part of a board near to what lies there in these views; parts:
        describe the parts of a board in words, which is needed only once. A view may leave zones out.
        """
        table = Tableau("", tuple(self.shared(view, empty)))
        order = [first + after for after in range(len(self.names))]
        owners = [place % len(self.names) for place in order]
        seats = [Tableau(self.name(owner), tuple(self.owned(view, owner, empty))) for owner in owners]
        zones = {self.edition.zones[zone.name].of for zone in view.zones}
        boards = (
            self.boards.draw(view, board, near, parts=parts)
            for board in self.edition.boards.values()
            if board_places(self.edition, board) and zones & {board.spaces, *region_lists(self.edition, board).values()}
        )
        return ShownTable(tuple(tableau for tableau in (table, *seats) if tableau.places), tuple(boards))

    def type(self, name: str) -> PieceType:
        """Return the type of a piece, with its counters, by a name such as 'tank (damage 2)'. Raises KeyError."""
        if name not in self._types:
            program = self.game.program
            self._types[name] = type_with_marks(program, appearances_by_name(program, [name])[name])
        return self._types[name]

    def piece(self, name: str, count: int = 1) -> Piece:
        """Return a number of pieces of a name, with their counters. Raises KeyError."""
        type_ = self.type(name)
        piece = self.pieces.of_type(type_, count)
        if not type_.marks:
            return piece
        marks = [self.game.messages.mark(mark, held) for mark, held in type_.marks]
        note = self.localizer.list([" ".join(map(self.localizer.say, mark)) for mark in marks])
        return replace(
            piece,
            name=self.localizer.with_note(piece.name, note),
            description=self.localizer.with_note(piece.description, note),
        )

    # ── what belongs to whom ──

    def shared(self, view: View, empty: bool) -> Iterator[ShownZone]:
        """Yield what belongs to all: zones and counters of the table, zones of words that are on no board, and counters
        of all words. empty: whether zones without pieces are yielded, too."""
        boards = [board for board in self.edition.boards.values() if board_places(self.edition, board)]
        board_words = {
            words for board in boards for words in (board.spaces, *region_lists(self.edition, board).values())
        }
        for zone in view.zones:
            owner_type = self.edition.zones[zone.name].of
            if zone.owner is None and owner_type not in board_words and (place := self.place(zone, empty)) is not None:
                yield place
        for name, value in view.counters.items():
            declared = self.edition.counters[name]
            if not isinstance(value, tuple | Mapping):
                yield from self.counter(declared, value)
            elif isinstance(value, Mapping):
                for word, of_word in value.items():
                    yield from self.counter(declared, of_word, word)

    def owned(self, view: View, seat: int, empty: bool) -> Iterator[ShownZone]:
        """Yield the zones and counters of a seat. empty: as for `shared`."""
        for zone in view.zones:
            if zone.owner == seat and (zone_ := self.place(zone, empty)) is not None:
                yield zone_
        for name, values in view.counters.items():
            if isinstance(values, tuple):
                yield from self.counter(self.edition.counters[name], values[seat])

    def place(self, zone: ZoneView, empty: bool) -> ShownZone | None:
        """Return a zone with its contents, or None if it is empty or people do not see it."""
        declared = self.edition.zones[zone.name]
        if not (zone.count or empty) or not declared.shown:
            return None
        name = self.localizer.title(self.terms.zone(zone.name))
        if zone.word:
            name = self.localizer.entry(self.word(declared.of, zone.word), name)
        return ShownZone(name, tuple(self.zone_pieces(zone)), declared=zone.name)

    def zone_pieces(self, zone: ZoneView) -> Iterator[Piece]:
        """Yield the pieces in a zone, equal ones together; of a pile the top, with the number of all."""
        if not zone.count:
            return
        if zone.pieces is None:
            yield from self.face_down(zone)
        elif zone.pile:
            yield self.piece(zone.pieces[-1], zone.count)
        else:
            sorts = Counter(zone.pieces)
            if len(sorts) > MAX_SORTS:
                yield from self.pieces_by_kind(zone.pieces)
                return
            for name, count in sorts.items():
                yield self.piece(name, count)

    def face_down(self, zone: ZoneView) -> Iterator[Piece]:
        """Yield hidden pieces, separately where their backs differ; as one if some kind has no back."""
        program, owner = self.game.program, self.owner_of(zone)
        space = next(each for each in program.layout.zones if each.name == zone.name and each.owner == owner)
        kinds = Counter(program.types[program.type_of[piece]].kind for piece in self._state[space.address])
        backs: dict[str, list[str]] = {}
        for kind in sorted(self.edition.zones[zone.name].holds):
            if kinds[kind]:
                backs.setdefault(self.pieces.back(kind), []).append(kind)
        if len(backs) < 2 or "" in backs:
            yield self.pieces.hidden(sorted(self.edition.zones[zone.name].holds), zone.count)
            return
        for kinds_alike in backs.values():
            yield self.pieces.hidden(kinds_alike, sum(kinds[kind] for kind in kinds_alike))

    def owner_of(self, zone: ZoneView) -> int:
        """Return the index of the seat or word that owns a zone, from 0; TABLE for none."""
        if zone.word:
            return self.number(self.edition.zones[zone.name].of, zone.word)
        return zone.owner if zone.owner is not None else TABLE

    def pieces_by_kind(self, names: Sequence[str]) -> Iterator[Piece]:
        """Yield many sorts of pieces in brief: one piece of each kind, with its number; cards by their backs."""
        for name, count in Counter(self.type(name).kind for name in names).items():
            first = next(piece for piece in names if self.type(piece).kind == name)
            kind = self.edition.kinds[name]
            title, description = (
                self.localizer.title(self.terms.kind(kind)),
                self.localizer.say(self.terms.any_of_kind(kind, count)),
            )
            piece_ = self.piece(first, count)
            if piece_.card:
                piece_ = self.pieces.hidden([name], count)
            yield replace(piece_, name=title, description=description)

    def counter(self, counter: CounterDeclaration, value: CounterValue, word: str = "") -> Iterator[ShownZone]:
        """Yield a visible counter that has changed since the start, or a player's side. word: name of the word whose
        counter it is."""
        if not counter.shown or (value == self._first_values[counter.name] and not counter.side):
            return
        name = self.localizer.title(self.terms.counter(counter.name))
        title = self.localizer.entry(self.word(counter.of, word), name) if word else name
        yield ShownZone(title, (), self.localizer.title(self.counter_value(counter, value)), counter.name)

    def counter_value(self, counter: CounterDeclaration, value: CounterValue) -> Argument:
        """Return the value of a counter as an argument of a sentence: the items of a list, or 'nothing' without any."""
        if isinstance(value, WordValues):
            return counter_items(self.terms, counter, value, self.names) or phrase("argument", "nothing")
        if isinstance(value, ListValue):
            return tuple(self.single_value(counter, one) for one in value.items) or phrase("argument", "nothing")
        return self.single_value(counter, value)

    def single_value(self, counter: CounterDeclaration, value: SingleValue) -> Item:
        """Return a counter's value as an item of a sentence: a number, yes or no, a word, or a seat's name; 'nobody' or
        'nothing' for None."""
        if isinstance(value, bool):
            return yes_or_no(value)
        if value is None:
            return phrase("argument", "nobody") if counter.holds == SEAT else phrase("argument", "nothing")
        if isinstance(value, str):
            return self.terms.word(counter.holds, self.number(counter.holds, value))
        return Person(self.names[int(value)]) if counter.holds == SEAT else value

    def name(self, seat: int) -> str:
        """Return a seat's name, isolated from the direction of the text around it."""
        return self.localizer.isolate(self.names[seat])

    def word(self, words: str, name: str) -> str:
        """Return the title of a word of a list, in the language. Raises KeyError or ValueError for an unknown one."""
        return self.localizer.title(self.terms.word(words, self.number(words, name)))

    def number(self, words: str, name: str) -> int:
        """Return a word's number in its list, from 0. Raises KeyError or ValueError for an unknown one."""
        return [word.name for word in self.edition.words[words].words].index(name)
