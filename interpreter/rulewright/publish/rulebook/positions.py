"""Positions of a game in a rulebook: the contents of zones and boards, as one seat sees them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulewright.game.game import Game
from rulewright.game.messages import answer, held_for
from rulewright.i18n.localizer import Argument, Item, Localizer, Person, phrase
from rulewright.model.declarations import NUMBERS, SEAT, SLOT, Board, CounterDeclaration
from rulewright.model.pictures import values_of
from rulewright.program.appearance import looks_by_name, type_at
from rulewright.program.form import PieceType
from rulewright.publish.board_annotations import BoardAnnotations, PieceOnSpace
from rulewright.publish.drawing import Field, Window, board
from rulewright.publish.rulebook.model import Drawing, Piece, ShownTable, ShownZone, Tableau
from rulewright.publish.rulebook.pieces import Pieces
from rulewright.publish.static_spaces import StaticSpace, static_spaces
from rulewright.runtime.position import TABLE
from rulewright.runtime.view import Held, HeldFor, HeldList, HeldOne, View, ZoneView, first_held

MAX_CUT_SHARE = 0.75
"""Share of a board above which the whole is drawn."""

MAX_SORTS = 12
"""Limit of sorts of pieces in one zone that are shown individually."""


class Positions:
    """Positions of one game. names: of the seats, if other than in the game."""

    def __init__(self, game: Game, localizer: Localizer, names: Sequence[str] = ()) -> None:
        self.names = names or game.names
        self.game, self.edition, self.localizer = game, game.rules.edition, localizer
        self.pieces, self.terms = Pieces(game.rules, localizer, game.options), game.messages.terms
        self._types = {type_.name: type_ for type_ in game.program.types}
        program = game.program
        self._first_values = {found.name: first_held(program, found) for found in program.layout.counters}
        self._static_spaces: dict[str, list[StaticSpace]] = {}
        self._spaces_by_word: dict[tuple[str, str], list[list[int]]] = {}
        self._cached_views: list[tuple[View, dict[tuple[str, str], PieceOnSpace]]] = []
        self._windows: list[tuple[Board, Sequence[View], Window | None]] = []

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
            self.board(view, found, near, parts=parts)
            for found in self.edition.boards.values()
            if found.positions and zones & {found.spaces, *self.region_lists(found).values()}
        )
        return ShownTable(tuple(found for found in (table, *seats) if found.places), tuple(boards))

    def type(self, name: str) -> PieceType:
        """Return the type of a piece, with its counters, by its name in the edition."""
        if name not in self._types:
            program = self.game.program
            self._types[name] = type_at(program, looks_by_name(program, [name])[name])
        return self._types[name]

    def piece(self, name: str, count: int = 1) -> Piece:
        """Return a number of pieces, by name in the edition, with their counters."""
        type_ = self.type(name)
        piece = self.pieces.of_type(type_, count)
        if not type_.marks:
            return piece
        marks = [self.game.messages.mark(mark, held) for mark, held in type_.marks]
        note = self.localizer.list([" ".join(map(self.localizer.say, mark)) for mark in marks])
        return replace(
            piece, name=self.localizer.with_note(piece.name, note), told=self.localizer.with_note(piece.told, note)
        )

    # ── what belongs to whom ──

    def shared(self, view: View, empty: bool) -> Iterator[ShownZone]:
        """Yield what belongs to all, and what belongs to words and is on no board."""
        boards = [found for found in self.edition.boards.values() if found.positions]
        board_words = {words for found in boards for words in (found.spaces, *self.region_lists(found).values())}
        for zone in view.zones:
            of = self.edition.zones[zone.name].of
            if zone.owner is None and of not in board_words and (place := self.place(zone, empty)) is not None:
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
        """Yield hidden pieces, separately where their backs differ."""
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
        for kinds_alike in backs.values():
            yield self.pieces.hidden(kinds_alike, sum(kinds[kind] for kind in kinds_alike))

    def owner_of(self, zone: ZoneView) -> int:
        """Return the index of the seat or word that owns a zone, as in the layout."""
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
                self.localizer.say(self.terms.any(kind, count)),
            )
            piece_ = self.piece(first, count)
            if piece_.card:
                piece_ = self.pieces.hidden([name], count)
            yield replace(piece_, name=title, told=description)

    def counter(self, counter: CounterDeclaration, value: Held, word: str = "") -> Iterator[ShownZone]:
        """Yield a visible counter that has changed since the start, or a player's side."""
        if not counter.shown or (value == self._first_values[counter.name] and not counter.side):
            return
        name = self.localizer.title(self.terms.counter(counter.name))
        title = self.localizer.entry(self.word(counter.of, word), name) if word else name
        yield ShownZone(title, (), self.localizer.title(self.counter_value(counter, value)), counter.name)

    def counter_value(self, counter: CounterDeclaration, value: Held) -> Argument:
        """Return the value of a counter."""
        if isinstance(value, HeldFor):
            return held_for(self.terms, counter, value, self.names) or phrase("argument", "nothing")
        if isinstance(value, HeldList):
            return tuple(self.single_value(counter, one) for one in value.items) or phrase("argument", "nothing")
        return self.single_value(counter, value)

    def single_value(self, counter: CounterDeclaration, value: HeldOne) -> Item:
        if isinstance(value, bool):
            return answer(value)
        if value is None:
            return phrase("argument", "nobody") if counter.holds == SEAT else phrase("argument", "nothing")
        if isinstance(value, str):
            return self.terms.word(counter.holds, self.number(counter.holds, value))
        return Person(self.names[int(value)]) if counter.holds == SEAT else value

    def name(self, seat: int) -> str:
        return self.localizer.isolate(self.names[seat])

    def word(self, words: str, name: str) -> str:
        return self.localizer.title(self.terms.word(words, self.number(words, name)))

    def number(self, words: str, name: str) -> int:
        return [word.name for word in self.edition.words[words].words].index(name)

    # ── boards ──

    def board(
        self,
        view: View,
        board_: Board,
        near: Sequence[View] = (),
        traces: BoardAnnotations | None = None,
        parts: bool = False,
    ) -> Drawing:
        """Draw a board with everything on it. near, parts: as above; traces: annotations."""
        words = self.edition.words[board_.spaces].words
        tops = {word.name: self.top_piece(view, board_.spaces, word.name) for word in words}
        flags = self.flags(view, board_)
        fields = {
            place: Field(region, ground, tops[word.name], flags.get(number), sign)
            for number, (place, word, (region, ground, sign)) in enumerate(
                zip(board_.positions, words, self.static_spaces(board_), strict=True)
            )
        }
        surroundings = self.edition.surroundings.get(board_.name)
        picture = self.pieces.faces.picture(surroundings.text) if surroundings is not None else ""
        svg = board(fields, board_.hexagonal, picture, self.window(board_, near), traces)
        return Drawing(svg, self.description(board_, tops, flags, parts), tuple(self.key(board_)), board_.name)

    def static_spaces(self, board_: Board) -> list[StaticSpace]:
        """Return the static spaces of a board, which an example shows before and after."""
        if board_.name not in self._static_spaces:
            self._static_spaces[board_.name] = static_spaces(self.edition, board_, self.pieces.faces)
        return self._static_spaces[board_.name]

    def window(self, board_: Board, near: Sequence[View]) -> Window | None:
        """Return the part of a board to draw, or None for the whole.

        That is where something lies in these views, with its regions and neighbouring spaces; the whole if hardly
        anything would be left out.
        """
        for cached_board, views, window in self._windows:
            if cached_board is board_ and views is near:
                return window
        self._windows = [(board_, near, self._window(board_, near)), *self._windows[:3]]
        return self._windows[0][2]

    def _window(self, board_: Board, near: Sequence[View]) -> Window | None:
        words = self.edition.words[board_.spaces].words
        occupied = [
            at for view in near for at, word in enumerate(words) if self.top_piece(view, board_.spaces, word.name)
        ]
        flagged = [at for view in near for at in self.flags(view, board_)]
        if not (occupied or flagged):
            return None
        region = [region for region, _, _ in self.static_spaces(board_)]
        regions = {region[at] for at in occupied if region[at]}
        visible = [place for at, place in enumerate(board_.positions) if at in flagged or region[at] in regions]
        for column, row in (board_.positions[at] for at in occupied):
            visible += [(column - 1, row - 1), (column + 1, row + 1)]
        columns, rows = zip(*board_.positions, strict=True)
        across, down = zip(*visible, strict=True)
        left, right = max(min(across), min(columns)), min(max(across), max(columns))
        top, bottom = max(min(down), min(rows)), min(max(down), max(rows))
        total = (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)
        cut = (right - left + 1) * (bottom - top + 1) <= MAX_CUT_SHARE * total
        return (left, top, right, bottom) if cut else None

    def top_piece(self, view: View, words: str, word: str) -> PieceOnSpace | None:
        """Return the topmost piece in the zones of a word, with the number of all."""
        return self._top_pieces(view).get((words, word))

    def _top_pieces(self, view: View) -> dict[tuple[str, str], PieceOnSpace]:
        """Map list and word to the topmost visible piece in its zones.

        Cached for two views, since an example shows a position before and after it.
        """
        cached = next((found for seen, found in self._cached_views if seen is view), None)
        if cached is not None:
            return cached
        full: dict[tuple[str, str], list[ZoneView]] = {}
        for zone in view.zones:
            declared = self.edition.zones[zone.name]
            if zone.word and zone.count and declared.shown:
                full.setdefault((declared.of, zone.word), []).append(zone)
        tops = {}
        for place, zones in full.items():
            *below, top = (piece for zone in zones for piece in self.zone_pieces(zone))
            description = self.localizer.join_items([piece.told for piece in (*below, top)])
            tops[place] = PieceOnSpace(top.name, top.picture, sum(zone.count for zone in zones), description)
        self._cached_views = [(view, tops), *self._cached_views[:1]]
        return tops

    def flags(self, view: View, board_: Board) -> dict[int, PieceOnSpace]:
        """Map spaces to the piece in the zone of their region, drawn at the region's central space."""
        flags_: dict[int, PieceOnSpace] = {}
        for words in self.region_lists(board_).values():
            for number, word in enumerate(self.edition.words[words].words):
                piece = self.top_piece(view, words, word.name)
                inside = self.spaces_with(board_, words, number)
                if piece is not None and inside:
                    flags_[self.central_space(board_, inside)] = piece
        return flags_

    def spaces_with(self, board_: Board, words: str, number: int) -> list[int]:
        """Return the spaces that have a word as an attribute."""
        key = (board_.name, words)
        if key not in self._spaces_by_word:
            names = [name for name, of in self.region_lists(board_).items() if of == words]
            spaces: list[list[int]] = [[] for _ in self.edition.words[words].words]
            for index, space in enumerate(self.edition.words[board_.spaces].words):
                for word in {space.attributes[name] for name in names if name in space.attributes}:
                    spaces[word].append(index)
            self._spaces_by_word[key] = spaces
        return self._spaces_by_word[key][number]

    @staticmethod
    def central_space(board_: Board, spaces: list[int]) -> int:
        """Return the space nearest to the middle of these."""
        columns, rows = zip(*(board_.positions[space] for space in spaces), strict=True)
        middle = sum(columns) / len(spaces), sum(rows) / len(spaces)

        def distance(space: int) -> float:
            column, row = board_.positions[space]
            return math.dist((column, row), middle)

        return min(spaces, key=distance)

    def region_lists(self, board_: Board) -> dict[str, str]:
        """Map the attributes of a board's spaces that are words, but no spaces, to their word lists."""
        attributes = self.edition.words[board_.spaces].attributes
        return {name: of for name, of in attributes.items() if of not in NUMBERS and of != board_.spaces}

    def key(self, board_: Board) -> Iterator[tuple[str, str]]:
        """Yield each sign on a board, with its meaning."""
        pattern = self.edition.space_signs.get(board_.name)
        if pattern is None:
            return
        sign_slots = [slot[1].strip() for slot in SLOT.finditer(pattern.text)]
        visited: set[tuple[tuple[str, int], ...]] = set()
        for number in range(len(board_.positions)):
            slots = values_of(self.edition, board_.spaces, number)
            words = tuple(slots[name] for name in sign_slots if name in slots and slots[name][0] not in NUMBERS)
            if words and words not in visited:
                visited.add(words)
                names = [self.localizer.title(self.terms.word(of, value)) for of, value in words]
                yield self.static_spaces(board_)[number][2], self.localizer.join_items(names)

    def description(
        self, board_: Board, lying: Mapping[str, PieceOnSpace | None], flags: Mapping[int, PieceOnSpace], parts: bool
    ) -> str:
        """Describe the board and everything on it as text."""
        title = self.localizer.title(self.terms.rule(f"boards.{board_.name}"))
        regions = [
            phrase("rulebook", "{region} ({spaces})", region=self.terms.word(of, number), spaces=len(inside))
            for of in dict.fromkeys(self.region_lists(board_).values())
            for number in range(len(self.edition.words[of].words))
            if parts and (inside := self.spaces_with(board_, of, number))
        ]
        spaces = len(board_.positions)
        texts = [self.localizer.say(phrase("rulebook", "{board}: {count} spaces.", board=title, count=spaces))]
        if regions:
            texts.append(self.localizer.say(phrase("rulebook", "Its parts: {regions}.", regions=tuple(regions))))
        names = {word.name: flags.get(number) for number, word in enumerate(self.edition.words[board_.spaces].words)}
        words_by_text: dict[str, list[str]] = {}
        for word, tops in ((word, (lying[word], names[word])) for word in lying):
            for top in filter(None, tops):
                words_by_text.setdefault(top.text, []).append(word)
        if words_by_text:
            pieces = tuple(
                self.localizer.with_note(told, self.localizer.join_items(where))
                for told, where in words_by_text.items()
            )
            texts.append(self.localizer.say(phrase("rulebook", "On it lie: {pieces}.", pieces=pieces)))
        return " ".join(texts)
