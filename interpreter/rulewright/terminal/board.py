"""Drawings of boards: a map with a legend, or a table of spaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from rulewright.game.game import Game
from rulewright.i18n.localizer import ENGLISH, phrase
from rulewright.model.declarations import NUMBERS, PLAIN, Word
from rulewright.model.edition import Edition
from rulewright.publish.board_places import board_kind, is_path
from rulewright.publish.console import (
    ConsoleLine,
    ConsolePart,
    Styled,
    cell_width,
    plain_text,
    shorten,
    wrap,
)
from rulewright.publish.labels import Labels, count_names
from rulewright.runtime.view import View
from rulewright.terminal.board_legend import GAP, BoardLegend, Choosable
from rulewright.terminal.grid import Column, grid
from rulewright.terminal.map import Map, MapPosition, MapSpace

_MIN_LEGEND_WIDTH = 18
"""Least width of a legend beside a map, in cells of the terminal."""
_MAX_NAME_WIDTH = 30
"""Maximum width of a heading, in cells of the terminal."""
_MAX_MARKED = 24
"""Number of spaces in brackets up to which they belong to the part of a large map that is drawn."""
_NEAR_CHANGES = 3
"""Columns and rows shown around what has changed."""

Extent = Literal["all", "pieces", "changes"]
"""Part of a large map that is drawn: all of it, where anything lies, or what has changed."""


def draw(
    game: Game,
    view: View,
    width: int,
    room: int,
    choosable: Choosable = (),
    before: View | None = None,
    language: str = ENGLISH,
    extent: Extent = "all",
) -> list[ConsoleLine]:
    """Draw all boards as a seat sees them.

    room: lines that each should take at most; choosable: spaces marked because they can be chosen; before: an earlier
    view, from which changes are highlighted.

    extent: 'pieces' leaves out the empty rim of a map that is a third higher than its room; 'changes' leaves out what
    is far from changes, where there are any and the map is higher than its room, and else is as 'pieces'.
    """
    lines: list[ConsoleLine] = []
    for board in game.rules.edition.boards.values():
        drawing = _BoardDrawing(Labels(game, language), board, view, choosable, before)
        lines += [[], *drawing.lines(width, room, extent)]
    return lines[1:]


def words_in_legends(edition: Edition) -> set[tuple[str, str]]:
    """Return the words, each with its list, whose zones and counters a map's legend shows."""
    result: set[tuple[str, str]] = set()
    for board in edition.boards.values():
        spaces = edition.words[board.spaces]
        lists = {name: words for name, words in spaces.attributes.items() if words not in NUMBERS and board.positions}
        for word in spaces.words:
            result |= {
                (lists[name], edition.words[lists[name]].words[value].name)
                for name, value in word.attributes.items()
                if name in lists
            }
    return result


class _BoardDrawing(BoardLegend):
    """Drawing of one board."""

    def lines(self, width: int, room: int, extent: Extent) -> list[ConsoleLine]:
        """Draw the board as a path, a map or a table. room, extent: of a map, as for `draw`."""
        if is_path(self.edition, self.board):
            return self.track(width)
        return self.map(width, room, extent) if self.board.positions else self.table(width)

    # ── as a path ──

    def track(self, width: int) -> list[ConsoleLine]:
        """Draw the spaces of a path one after the other: the number of each, and what lies there; then the legend."""
        last, cells = len(str(len(self.words))), list[list[ConsolePart]]()
        marks = {word.name: self.mark(word.name) for word in self.words}
        room = max((cell_width(mark) for mark in marks.values()), default=0)
        for number, word in enumerate(self.words, 1):
            left, right = ("[", "]") if word.name in self.choosable else (" ", " ")
            mark = marks[word.name] + " " * (room - cell_width(marks[word.name]))
            style = "new" if word.name in self.changed else self.style(word.name)
            cells.append(
                [Styled(left, "mark"), Styled(f"{number:>{last}}", "faint"), Styled(mark, style), Styled(right, "mark")]
            )
        across = max(1, width // (last + room + 2))
        rows = (cells[first : first + across] for first in range(0, len(cells), across))
        return [*([part for cell in row for part in cell] for row in rows), *([line] for line in self.legend(width))]

    # ── as a map ──

    def map(self, width: int, room: int, extent: Extent) -> list[ConsoleLine]:
        """Draw the map and its legend, or only the part that `extent` asks for, and how many spaces are left out."""
        spaces = {position: self.space(word) for position, word in zip(self.board.positions, self.words, strict=True)}
        lines = self.best_drawing(spaces, width, room)
        part: Mapping[MapPosition, MapSpace] = spaces
        is_change = extent == "changes" and bool(self.changed) and len(lines) > room
        if is_change:
            part = self.near([self.is_fresh(word) for word in self.words], spaces, _NEAR_CHANGES)
        elif extent != "all" and len(lines) > room + room // 3:
            part = self.near([self.is_fresh(word) or bool(self.contents[word.name]) for word in self.words], spaces)
        if len(part) == len(spaces):
            return lines
        left_out = len(spaces) - len(part)
        if is_change:
            rest = phrase("terminal", "The other {count} [space is|spaces are] as before: type table", count=left_out)
        else:
            rest = phrase("terminal", "Nothing lies on the other {count} [space|spaces]: type table", count=left_out)
        return [
            *self.best_drawing(part, width, room, min(column for column, _ in part), min(row for _, row in part)),
            *([Styled(line, "faint")] for line in wrap(self.labels.say(rest), width)),
        ]

    def is_fresh(self, word: Word) -> bool:
        """Return whether a space has changed, or is one of few that can be chosen."""
        return word.name in self.changed or (len(self.choosable) <= _MAX_MARKED and word.name in self.choosable)

    def near(
        self, included: Iterable[bool], spaces: Mapping[MapPosition, MapSpace], margin: int = 1
    ) -> Mapping[MapPosition, MapSpace]:
        """Return the part of a map with the included spaces and a margin around them; the whole map if none is
        included."""
        positions = [position for position, one in zip(self.board.positions, included, strict=True) if one]
        if not positions:
            return spaces
        (left, right), (top, bottom) = (
            (min(line) - margin, max(line) + margin) for line in zip(*positions, strict=True)
        )
        return {
            (column, row): space
            for (column, row), space in spaces.items()
            if left <= column <= right and top <= row <= bottom
        }

    def best_drawing(
        self, spaces: Mapping[MapPosition, MapSpace], width: int, room: int, left: int = 0, top: int = 0
    ) -> list[ConsoleLine]:
        """Draw the largest form that fits, with its legend beside or below; else the one with the fewest lines, in
        bands where all are too wide. left, top: first column and row of the part."""
        longest = max((len(mark) for mark in self.marks.values()), default=0) + self.holds_several
        mark_width = (2 if self.shows_counts else longest) + 3 * bool(self.board.coordinates.numbered)
        forms = [
            Map(spaces, self.board.hexagonal, mark_width, lines, gap, left, top, self.board.coordinates, self.heads())
            for lines, gap in ((True, True), (False, True), (False, False))
        ]
        drawings = [self.with_legend(form, width) for form in forms if form.width(form.columns - form.left) <= width]
        if not drawings:
            drawings = [[*forms[-1].bands(width), *([line] for line in self.legend(width))]]
        return next((lines for lines in drawings if len(lines) <= room), min(drawings, key=len))

    def heads(self) -> Mapping[MapPosition, str]:
        """Return the numbers of points, as a seat counts them, that stand above and below the board; {} on boards
        without points."""
        if board_kind(self.edition, self.board) != "points":
            return {}
        last = max(row for _, row in self.board.positions)
        numbers = [self.edition.space_number(self.board.spaces, n, self.view.seat or 0) for n in range(len(self.words))]
        places = zip(self.board.positions, numbers, strict=True)
        return {place: str(number or "") for place, number in places if place[1] in (0, last)}

    def space(self, word: Word) -> MapSpace:
        """Return a space as it is drawn: letter, contents in short, and style."""
        letter = self.letter_texts[self.board.letters[self.numbers[word.name]]]
        if self.has_no_letters and letter.isalnum():
            letter = PLAIN
        style = "new" if word.name in self.changed else self.style(word.name)
        return MapSpace(letter, self.mark(word.name), style, word.name in self.choosable, self.region(word))

    def with_legend(self, form: Map, width: int) -> list[ConsoleLine]:
        """Draw a map with its legend beside it, if there is room and it takes no more lines, else below."""
        lines = form.draw(form.left, form.columns)
        wide = max(cell_width(plain_text(line)) for line in lines)
        left = width - wide - GAP
        below = [*lines, *([line] for line in self.legend(width))]
        if left < max([_MIN_LEGEND_WIDTH, *map(cell_width, self.letters())]):
            return below
        texts = self.legend(left, len(lines))
        rows = range(max(len(lines), len(texts)))
        if len(rows) > len(below):
            return below
        blank: ConsoleLine = [" " * wide]
        return [
            [*(lines[row] if row < len(lines) else blank), *([" " * GAP, texts[row]] if row < len(texts) else [])]
            for row in rows
        ]

    def region(self, word: Word) -> object:
        """Return a key that is equal for spaces of one region: its attributes that are words and shown to readers."""
        return tuple(
            (name, value)
            for name, value in word.attributes.items()
            if self.declared[name] not in NUMBERS and name in self.visible_attributes
        )

    # ── as a table ──

    def table(self, width: int) -> list[ConsoleLine]:
        """Draw a table of all spaces: pieces, attributes, and neighbours; then what `rest` lists."""
        nouns = [self.noun(self.board.spaces, number) for number in range(len(self.words))]
        names = [shorten(name, min(_MAX_NAME_WIDTH, width // 3)) for name in nouns]
        say, items = self.labels.say, self.labels.localizer.items
        margin = max(map(cell_width, names)) + 2
        heads = [self.head(word, name, margin) for word, name in zip(self.words, names, strict=True)]
        columns = [
            Column(
                say(phrase("board", "pieces")),
                [items([self.counted_name(*g) for g in count_names(self.contents[w.name])]) for w in self.words],
            ),
            Column(
                say(phrase("board", "is")),
                [items([self.attributes(w.attributes)] if w.attributes else []) for w in self.words],
            ),
            Column(
                say(phrase("board", "next to")),
                [items([nouns[other] for other in others]) for others in self.board.neighbours],
            ),
        ]
        used_columns = [column for column in columns if any(column.cells)]
        return grid(heads, margin, used_columns, width, self.labels.localizer.entry) + [
            [line] for line in self.rest(width)
        ]

    def head(self, word: Word, name: str, margin: int) -> list[ConsolePart]:
        """Return a space's name, in brackets if it can be chosen, padded. margin: width with the brackets."""
        left, right = ("[", "]") if word.name in self.choosable else (" ", " ")
        style = "new" if word.name in self.changed else ""
        return [Styled(left, "mark"), Styled(name, style), Styled(right, "mark"), " " * (margin - 2 - cell_width(name))]
