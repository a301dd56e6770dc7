"""Boards of a game in a rulebook, with everything on them as one seat sees it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rulewright.game.game import Game
from rulewright.i18n.localizer import Localizer, phrase
from rulewright.model.declarations import NUMBERS, SLOT, Board
from rulewright.model.edition import Edition
from rulewright.model.pictures import word_slot_values
from rulewright.publish.board_annotations import BoardAnnotations, PieceOnSpace
from rulewright.publish.board_places import PLACES, TRACK, board_places
from rulewright.publish.drawing import Field, Window, board
from rulewright.publish.faces import Faces
from rulewright.publish.rulebook.model import Drawing, Piece
from rulewright.publish.static_spaces import StaticSpace, board_looks, static_spaces
from rulewright.runtime.view import View, ZoneView

_WHOLE_KINDS = ("points", "pits", TRACK, PLACES)
"""Kinds of boards of which parts tell little: they are never cut."""
MAX_CUT_SHARE = 0.75
"""Share of a board above which the whole is drawn."""


def region_lists(edition: Edition, board_: Board) -> dict[str, str]:
    """Map the attributes of a board's spaces that are words, but no spaces, to their word lists."""
    attributes = edition.words[board_.spaces].attributes
    return {
        name: value_type
        for name, value_type in attributes.items()
        if value_type not in NUMBERS and value_type != board_.spaces
    }


class BoardDrawings:
    """Drawings of one game's boards. zone_pieces: describes the contents of a zone."""

    def __init__(
        self, game: Game, localizer: Localizer, faces: Faces, zone_pieces: Callable[[ZoneView], Iterable[Piece]]
    ) -> None:
        self.edition, self.localizer, self.terms = game.rules.edition, localizer, game.messages.terms
        self._faces, self._zone_pieces = faces, zone_pieces
        self._cached_spaces: dict[str, list[StaticSpace]] = {}
        self._spaces_by_board_and_list: dict[tuple[str, str], list[list[int]]] = {}
        self._cached_views: list[tuple[View, dict[tuple[str, str], PieceOnSpace]]] = []
        self._cached_windows: list[tuple[Board, Sequence[View], Window | None]] = []

    def draw(
        self,
        view: View,
        board_: Board,
        near: Sequence[View] = (),
        annotations: BoardAnnotations | None = None,
        parts: bool = False,
    ) -> Drawing:
        """Draw a board with everything on it.

        near: views around whose pieces a part of the board is drawn, () for the whole; parts: whether the description
        names its regions; annotations: annotations.
        """
        words = self.edition.words[board_.spaces].words
        tops = {word.name: self._top_piece(view, board_.spaces, word.name) for word in words}
        flags = self._flags(view, board_)
        fields = {
            place: Field(region, ground, tops[word.name], flags.get(number), sign)
            for number, (place, word, (region, ground, sign)) in enumerate(
                zip(board_places(self.edition, board_), words, self._static_spaces(board_), strict=True)
            )
        }
        looks = board_looks(self.edition, board_, self._faces)
        window = None if looks.kind in _WHOLE_KINDS else self._window(board_, near)
        svg = board(fields, board_.hexagonal, looks, window, annotations, board_.coordinates)
        signs = tuple(self._signs_with_meanings(board_))
        return Drawing(svg, self._description(board_, tops, flags, parts), signs, board_.name)

    def _static_spaces(self, board_: Board) -> list[StaticSpace]:
        """Return the static spaces of a board, which an example shows before and after."""
        if board_.name not in self._cached_spaces:
            self._cached_spaces[board_.name] = static_spaces(self.edition, board_, self._faces)
        return self._cached_spaces[board_.name]

    def _window(self, board_: Board, near: Sequence[View]) -> Window | None:
        """Return the part of a board to draw, or None for the whole.

        That is where something lies in these views, with its regions and neighbouring spaces; the whole if hardly
        anything would be left out.
        """
        for cached_board, views, window in self._cached_windows:
            if cached_board is board_ and views is near:
                return window
        self._cached_windows = [(board_, near, self._find_window(board_, near)), *self._cached_windows[:3]]
        return self._cached_windows[0][2]

    def _find_window(self, board_: Board, near: Sequence[View]) -> Window | None:
        """Return the part of a board around the pieces in some views; None without pieces, or if it is most of the
        board."""
        words = self.edition.words[board_.spaces].words
        occupied = [
            number
            for view in near
            for number, word in enumerate(words)
            if self._top_piece(view, board_.spaces, word.name)
        ]
        flagged = [number for view in near for number in self._flags(view, board_)]
        if not (occupied or flagged):
            return None
        region = [region for region, _, _ in self._static_spaces(board_)]
        regions = {region[number] for number in occupied if region[number]}
        visible = [
            place for number, place in enumerate(board_.positions) if number in flagged or region[number] in regions
        ]
        for column, row in (board_.positions[number] for number in occupied):
            visible += [(column - 1, row - 1), (column + 1, row + 1)]
        columns, rows = zip(*board_.positions, strict=True)
        across, down = zip(*visible, strict=True)
        left, right = max(min(across), min(columns)), min(max(across), max(columns))
        top, bottom = max(min(down), min(rows)), min(max(down), max(rows))
        total = (max(columns) - min(columns) + 1) * (max(rows) - min(rows) + 1)
        cut = (right - left + 1) * (bottom - top + 1) <= MAX_CUT_SHARE * total
        return (left, top, right, bottom) if cut else None

    def _top_piece(self, view: View, words: str, word: str) -> PieceOnSpace | None:
        """Return the topmost piece in the shown zones of a word, with the number and text of all; None where none
        lies."""
        return self._top_pieces(view).get((words, word))

    def _top_pieces(self, view: View) -> dict[tuple[str, str], PieceOnSpace]:
        """Map list and word to the topmost piece in its zones that a table shows, face down where the view does not see
        it.

        Cached for two views, since an example shows a position before and after it."""
        cached = next((tops for other, tops in self._cached_views if other is view), None)
        if cached is not None:
            return cached
        full: dict[tuple[str, str], list[ZoneView]] = {}
        for zone in view.zones:
            declared = self.edition.zones[zone.name]
            if zone.word and zone.count and declared.shown:
                full.setdefault((declared.of, zone.word), []).append(zone)
        tops = {}
        for place, zones in full.items():
            *below, top = (piece for zone in zones for piece in self._zone_pieces(zone))
            description = self.localizer.join_items([piece.description for piece in (*below, top)])
            tops[place] = PieceOnSpace(top.name, top.picture, sum(zone.count for zone in zones), description)
        self._cached_views = [(view, tops), *self._cached_views[:1]]
        return tops

    def _flags(self, view: View, board_: Board) -> dict[int, PieceOnSpace]:
        """Map each region's central space, by number, to the topmost piece in the region's zones, if there is one."""
        flags_: dict[int, PieceOnSpace] = {}
        for words in region_lists(self.edition, board_).values():
            for number, word in enumerate(self.edition.words[words].words):
                piece = self._top_piece(view, words, word.name)
                inside = self._spaces_with(board_, words, number)
                if piece is not None and inside:
                    flags_[_central_space(board_places(self.edition, board_), inside)] = piece
        return flags_

    def _spaces_with(self, board_: Board, words: str, number: int) -> list[int]:
        """Return the numbers of the spaces that have a word as an attribute. words: its list; number: its index
        there."""
        key = (board_.name, words)
        if key not in self._spaces_by_board_and_list:
            names = [name for name, list_name in region_lists(self.edition, board_).items() if list_name == words]
            spaces: list[list[int]] = [[] for _ in self.edition.words[words].words]
            for index, space in enumerate(self.edition.words[board_.spaces].words):
                for word in {space.attributes[name] for name in names if name in space.attributes}:
                    spaces[word].append(index)
            self._spaces_by_board_and_list[key] = spaces
        return self._spaces_by_board_and_list[key][number]

    def _signs_with_meanings(self, board_: Board) -> Iterator[tuple[str, str]]:
        """Yield each sign on a board as SVG, with its meaning."""
        pattern = self.edition.space_signs.get(board_.name)
        if pattern is None:
            return
        sign_slots = [slot[1].strip() for slot in SLOT.finditer(pattern.text)]
        visited: set[tuple[tuple[str, int], ...]] = set()
        for number in range(len(self.edition.words[board_.spaces].words)):
            slots = word_slot_values(self.edition, board_.spaces, number)
            words = tuple(slots[name] for name in sign_slots if name in slots and slots[name][0] not in NUMBERS)
            if words and words not in visited:
                visited.add(words)
                names = [self.localizer.title(self.terms.word(list_name, value)) for list_name, value in words]
                yield self._static_spaces(board_)[number][2], self.localizer.join_items(names)

    def _description(
        self,
        board_: Board,
        tops_by_word: Mapping[str, PieceOnSpace | None],
        flags: Mapping[int, PieceOnSpace],
        parts: bool,
    ) -> str:
        """Describe the board and everything on it as text."""
        title = self.localizer.title(self.terms.rule(f"boards.{board_.name}"))
        regions = [
            phrase("rulebook", "{region} ({spaces})", region=self.terms.word(list_name, number), spaces=len(inside))
            for list_name in dict.fromkeys(region_lists(self.edition, board_).values())
            for number in range(len(self.edition.words[list_name].words))
            if parts and (inside := self._spaces_with(board_, list_name, number))
        ]
        spaces = len(self.edition.words[board_.spaces].words)
        texts = [self.localizer.say(phrase("rulebook", "{board}: {count} spaces.", board=title, count=spaces))]
        if regions:
            texts.append(self.localizer.say(phrase("rulebook", "Its parts: {regions}.", regions=tuple(regions))))
        names = {word.name: flags.get(number) for number, word in enumerate(self.edition.words[board_.spaces].words)}
        words_by_text: dict[str, list[str]] = {}
        for number, word in enumerate(tops_by_word):
            own_name = self.edition.own_name(board_.spaces, number)
            if not board_.positions:
                label = self.localizer.say(self.terms.word(board_.spaces, number))
            else:
                is_unnamed = own_name in ("", word)
                label = board_.coordinates.label(board_.positions[number]) if is_unnamed else own_name
            for top in filter(None, (tops_by_word[word], names[word])):
                words_by_text.setdefault(top.text, []).append(label)
        if words_by_text:
            pieces = tuple(
                self.localizer.with_note(text, self.localizer.join_items(labels))
                for text, labels in words_by_text.items()
            )
            texts.append(self.localizer.say(phrase("rulebook", "On it lie: {pieces}.", pieces=pieces)))
        return " ".join(texts)


def _central_space(places: Sequence[tuple[int, int]], spaces: list[int]) -> int:
    """Return the space nearest to the middle of these."""
    columns, rows = zip(*(places[space] for space in spaces), strict=True)
    middle = sum(columns) / len(spaces), sum(rows) / len(spaces)

    return min(spaces, key=lambda space: math.dist(places[space], middle))
