"""Drawings of boards: a map with a legend, or a table of spaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from rulewright.game.game import Game
from rulewright.i18n.localizer import ENGLISH, phrase
from rulewright.model.declarations import NUMBERS, PLAIN, Board, Edition, Word, number_of
from rulewright.program.appearance import name_without_marks
from rulewright.publish.abbreviations import abbreviate
from rulewright.publish.console import (
    ConsoleLine,
    ConsolePart,
    Styled,
    cell_width,
    flow,
    join_with_dots,
    plain_text,
    seat_style,
    shorten,
    wrap,
)
from rulewright.publish.labels import Labels, count_names
from rulewright.publish.static_spaces import counts_regions, shown_attributes
from rulewright.runtime.view import View, ZoneView
from rulewright.terminal.grid import Column, grid
from rulewright.terminal.map import Map, MapPosition, MapSpace

_HIDDEN = "?"
_GAP = 3
_MIN_LEGEND_WIDTH = 18
_MAX_NAME_WIDTH = 30
_MAX_COUNT = 9
_MAX_PIECES = 100  # for a number alone
_MAX_MARKED = 24
_SIGNS = "*'^~!"

Choosable = Collection[tuple[str, str]]
"""Words that can be chosen, each with its list."""


def draw(
    game: Game,
    view: View,
    width: int,
    room: int,
    chosen: Choosable = (),
    before: View | None = None,
    language: str = ENGLISH,
    brief: bool = False,
) -> list[ConsoleLine]:
    """Draw all boards as a seat sees them.

    room: lines that each should take at most; chosen: spaces marked because they can be chosen; before: an earlier
    view, from which changes are highlighted; brief: of a map far higher than its room, draw only the part with pieces.
    """
    lines: list[ConsoleLine] = []
    for board in game.rules.edition.boards.values():
        drawing = _BoardDrawing(Labels(game, language), board, view, chosen, before)
        lines += [[], *(drawing.map(width, room, brief) if board.positions else drawing.table(width))]
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


class _BoardDrawing:
    """Drawing of one board."""

    def __init__(self, labels: Labels, board: Board, view: View, chosen: Choosable, before: View | None) -> None:
        game = labels.game
        self.board, self.view, self.labels, self.names = board, view, labels, game.names
        self.edition = labels.edition
        self.words, self.declared = self.edition.words[board.spaces].words, self.edition.words[board.spaces].attributes
        self.numbers = {word.name: number for number, word in enumerate(self.words)}
        self.told = shown_attributes(self.edition, board)
        self.counted = counts_regions(self.edition, board)
        self.chosen = {word for words, word in chosen if words == board.spaces}
        self.contents = self.lying(view)
        old = self.lying(before) if before is not None else self.contents
        self.changed = {word for word in self.contents if old[word] != self.contents[word]}
        self.kinds = kinds = {
            kind for zone in self.edition.zones.values() if zone.of == board.spaces for kind in zone.holds
        }
        type_names = [type_.name for type_ in game.program.types if type_.kind in kinds]
        self.drawn_as = labels.letters(board.name)
        letters = frozenset(self.drawn_as.values()) if self.told else frozenset()
        mark_of_label = abbreviate(tuple(labels.piece(name) for name in type_names), letters)
        self.marks = {name: mark_of_label[labels.piece(name)] for name in type_names}
        self.marks |= self.with_marks()
        seen = {piece for pieces in self.contents.values() for piece in pieces}
        self.marks |= {
            _hidden_mark(name): mark + _HIDDEN for name, mark in self.marks.items() if _hidden_mark(name) in seen
        }
        self.owners = self.labels.owners(view.counters, view.lying())
        room: Counter[int] = Counter()
        for zone in game.program.layout.spaces:
            room[zone.owner] += zone.capacity if zone.of == board.spaces else 0
        self.crowds = max(room.values(), default=0) > 1
        self.counts = self.crowds and len(type_names) == 1  # all are alike, so that a number says it all
        self.plain = not self.letters()

    def with_marks(self) -> dict[str, str]:
        """Return marks for pieces that also differ by what they count: each variant with another sign."""
        result: dict[str, str] = {}
        sorts: Counter[str] = Counter()
        present = dict.fromkeys(piece for pieces in self.contents.values() for piece in pieces)
        for name in self.labels.sort_pieces(present):
            if name not in self.marks and (plain := name_without_marks(name)) in self.marks:
                result[name] = self.marks[plain] + _SIGNS[min(sorts[plain], len(_SIGNS) - 1)]
                sorts[plain] += 1
        return result

    def lying(self, view: View) -> dict[str, tuple[str, ...]]:
        """Return the pieces on each space, in all its zones."""
        result: dict[str, tuple[str, ...]] = {word.name: () for word in self.words}
        for zone in view.zones:
            if zone.word and self.edition.zones[zone.name].of == self.board.spaces:
                result[zone.word] += _hidden_pieces(zone) if zone.pieces is None else zone.pieces
        return result

    # ── as a map ──

    def map(self, width: int, room: int, brief: bool = False) -> list[ConsoleLine]:
        """Draw the map; in brief, of one far higher than its room, only the part with pieces."""
        spaces = {position: self.space(word) for position, word in zip(self.board.positions, self.words, strict=True)}
        drawn = self.drawn(spaces, width, room)
        part = self.inhabited(spaces) if brief and len(drawn) > room + room // 3 else spaces
        if len(part) == len(spaces):
            return drawn
        left_out = len(spaces) - len(part)
        rest = phrase("terminal", "Nothing lies on the other {count} [space|spaces]: type table", count=left_out)
        return [
            *self.drawn(part, width, room, min(column for column, _ in part), min(row for _, row in part)),
            *([Styled(line, "faint")] for line in wrap(self.labels.say(rest), width)),
        ]

    def inhabited(self, spaces: Mapping[MapPosition, MapSpace]) -> Mapping[MapPosition, MapSpace]:
        """Return the part of a map with pieces, changes, and few choosable spaces, plus neighbours; all of it if there
        are none."""
        chosen = len(self.chosen) <= _MAX_MARKED
        positions = [
            position
            for position, word in zip(self.board.positions, self.words, strict=True)
            if self.contents[word.name] or word.name in self.changed or (chosen and word.name in self.chosen)
        ]
        if not positions:
            return spaces
        (left, right), (top, bottom) = ((min(line) - 1, max(line) + 1) for line in zip(*positions, strict=True))
        return {
            (column, row): space
            for (column, row), space in spaces.items()
            if left <= column <= right and top <= row <= bottom
        }

    def drawn(
        self, spaces: Mapping[MapPosition, MapSpace], width: int, room: int, left: int = 0, top: int = 0
    ) -> list[ConsoleLine]:
        """Draw the largest form that fits, with its legend beside or below; else the one with the fewest lines."""
        longest = 2 if self.counts else max((len(mark) for mark in self.marks.values()), default=0) + self.crowds
        forms = [
            Map(spaces, self.board.hexagonal, longest, lines, gap, left, top)
            for lines, gap in ((True, True), (False, True), (False, False))
        ]
        drawings = [self.with_legend(form, width) for form in forms if form.width(form.columns - form.left) <= width]
        if not drawings:
            drawings = [[*forms[-1].bands(width), *([line] for line in self.legend(width))]]
        return next((lines for lines in drawings if len(lines) <= room), min(drawings, key=len))

    def space(self, word: Word) -> MapSpace:
        letter = self.drawn_as[self.board.letters[self.numbers[word.name]]]
        if self.plain and letter.isalnum():
            letter = PLAIN
        style = "new" if word.name in self.changed else self.style(word.name)
        return MapSpace(letter, self.mark(word.name), style, word.name in self.chosen, self.region(word))

    def with_legend(self, form: Map, width: int) -> list[ConsoleLine]:
        """Draw a map with its legend beside or below it, whichever takes fewer lines."""
        drawn = form.drawn(form.left, form.columns)
        wide = max(cell_width(plain_text(line)) for line in drawn)
        left = width - wide - _GAP
        below = [*drawn, *([line] for line in self.legend(width))]
        if left < max([_MIN_LEGEND_WIDTH, *map(cell_width, self.letters())]):
            return below
        texts = self.legend(left, len(drawn))
        rows = range(max(len(drawn), len(texts)))
        if len(rows) > len(below):
            return below
        blank: ConsoleLine = [" " * wide]
        return [
            [*(drawn[row] if row < len(drawn) else blank), *([" " * _GAP, texts[row]] if row < len(texts) else [])]
            for row in rows
        ]

    def region(self, word: Word) -> object:
        """Return what makes a space part of a region: its attributes that are words and shown to readers."""
        return tuple(
            (name, value)
            for name, value in word.attributes.items()
            if self.declared[name] not in NUMBERS and name in self.told
        )

    def mark(self, word: str) -> str:
        """Return a few letters for what is on a space: the top piece's mark, and how many there are."""
        pieces = self.contents[word]
        if not pieces:
            return ""
        if self.counts:
            return str(len(pieces)) if len(pieces) < _MAX_PIECES else "+"
        mark = self.marks.get(pieces[-1], _HIDDEN)
        if len(pieces) == 1:
            return mark
        return mark + (str(len(pieces)) if len(set(pieces)) == 1 and len(pieces) <= _MAX_COUNT else "+")

    def style(self, word: str) -> str:
        """Return the style of the top piece: its owner's colour; the reader's own stand out."""
        pieces = self.contents[word]
        owner = self.owners.get(_without_mark(pieces[-1])) if pieces else None
        return seat_style(owner, own=owner == self.view.seat) if owner is not None else ""

    # ── its legend ──

    def legend(self, width: int, room: int = 0) -> list[str]:
        """List what letters and marks mean, what is in the regions, and what did not fit on the map: in columns if
        these fit."""
        rest = self.rest(width)
        close = [*join_with_dots(self.letters(), width), *join_with_dots(self.pieces(), width)]
        wide = [*_columns(self.letters(), width), *_columns(self.pieces(), width)]
        fits = len(wide) <= max(len(close) + 1, room - len(rest)) and max(map(cell_width, wide), default=0) <= width
        return [*(wide if fits else close), *rest]

    def letters(self) -> list[str]:
        """List what the letters mean, equal meanings together; empty if all mean the same."""
        if not self.told:
            return []
        letters_by_text: dict[str, list[str]] = {}
        for letter in dict.fromkeys(self.board.letters):
            letters_by_text.setdefault(self.letter(letter), []).append(self.drawn_as[letter])
        return (
            [f"{' '.join(letters)} {text}" for text, letters in letters_by_text.items()]
            if len(letters_by_text) > 1
            else []
        )

    def pieces(self) -> list[str]:
        """List the pieces on the board with their marks."""
        counts = Counter(piece for pieces in self.contents.values() for piece in pieces)
        hidden = [f"{_HIDDEN} {self.times(_HIDDEN, counts[_HIDDEN])}"] if _HIDDEN in counts else []
        return [*(self.piece(name, counts[name]) for name in self.marks if name in counts), *hidden]

    def letter(self, letter: str) -> str:
        """Describe a letter: `large wood`, or if its filling matters, `large wood 3/8: contents of its zones`."""
        spaces = [word for word, other in zip(self.words, self.board.letters, strict=True) if other == letter]
        text = self.attributes(spaces[0].attributes)
        if not self.counted:
            return text
        extra = self.in_regions(spaces[0].attributes)
        text += f" {sum(bool(self.contents[word.name]) for word in spaces)}/{len(spaces)}"
        text += "".join(f" {mark}{count}" for mark, count in self.living(spaces))
        return self.labels.localizer.entry(text, extra) if extra else text

    def living(self, spaces: Sequence[Word]) -> list[tuple[str, int]]:
        """Count the seats' pieces on some spaces by their marks, most first."""
        if len(spaces) == len(self.words):
            return []
        pieces = Counter(
            piece for word in spaces for piece in self.contents[word.name] if _without_mark(piece) in self.owners
        )
        return [(self.marks[piece], count) for piece, count in pieces.most_common()]

    def attributes(self, attributes: Mapping[str, int]) -> str:
        """Describe the attributes of a space; its word list's name if it has none."""
        texts = [
            self.number(name, value) if (words := self.declared[name]) in NUMBERS else self.noun(words, value)
            for name, value in attributes.items()
            if name in self.told and not self.board.is_coordinate(name)
        ]
        return self.labels.localizer.join_items(texts) or self.labels.say(self.labels.terms.words(self.board.spaces))

    def number(self, name: str, value: int) -> str:
        attribute = self.labels.terms.attribute(self.board.spaces, name)
        return f"{self.labels.say(attribute)} {self.labels.localizer.number(number_of(self.declared[name], value))}"

    def called(self, word: str) -> str:
        """Return a space's name for people: on a map, its coordinates."""
        return word if self.board.positions else self.noun(self.board.spaces, self.numbers[word])

    def noun(self, words: str, number: int) -> str:
        return self.labels.word(words, number)

    def in_regions(self, attributes: Mapping[str, int]) -> str:
        """Describe the zones and counters of the words that a space has as attributes."""
        texts = []
        for name, value in attributes.items():
            if (words := self.declared[name]) not in NUMBERS:
                texts += self.labels.word_contents(self.view, words, self.edition.words[words].words[value].name)
        return self.labels.localizer.join_items(texts)

    def piece(self, name: str, count: int) -> str:
        """Describe a piece: `Mn elf ×5 (Ada)`."""
        owner = self.owners.get(_without_mark(name))
        text, mark = self.times(name, count), self.marks[name]
        if not self.counts and mark != self.labels.piece(name):
            text = f"{mark} {text}"
        return self.labels.localizer.with_note(text, self.labels.name(owner)) if owner is not None else text

    def entries(self, name: str, items: list[str], width: int) -> list[str]:
        """Format `name: this, that`; empty if there are no items."""
        return flow([self.labels.heading_label(name), *self.labels.localizer.items(items)], width) if items else []

    def rest(self, width: int) -> list[str]:
        """List spaces with different pieces, and counters of spaces that have changed from their start."""
        lines: list[str] = []
        for word, pieces in self.contents.items():
            most = _MAX_PIECES - 1 if self.counts else _MAX_COUNT
            if self.board.positions and (len(set(pieces)) > 1 or len(pieces) > most):
                lines += self.entries(word, [self.times(*group) for group in count_names(pieces)], width)
        for name, declared in self.edition.counters.items():
            values = self.view.counters.get(name)
            if declared.of == self.board.spaces and declared.shown and isinstance(values, Mapping):
                entries = [
                    f"{self.called(word)} {self.labels.counter_value(name, values[word])}"
                    for word in self.labels.changed_words(name, values)
                ]
                lines += self.entries(self.labels.counter(name), entries, width)
        return lines

    # ── as a table ──

    def table(self, width: int) -> list[ConsoleLine]:
        """Draw a table of all spaces: pieces, attributes, and neighbours."""
        nouns = [self.noun(self.board.spaces, number) for number in range(len(self.words))]
        names = [shorten(name, min(_MAX_NAME_WIDTH, width // 3)) for name in nouns]
        say, items = self.labels.say, self.labels.localizer.items
        margin = max(map(cell_width, names)) + 2
        heads = [self.head(word, name, margin) for word, name in zip(self.words, names, strict=True)]
        columns = [
            Column(
                say(phrase("board", "pieces")),
                [items([self.times(*g) for g in count_names(self.contents[w.name])]) for w in self.words],
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
        shown = [column for column in columns if any(column.cells)]
        return grid(heads, margin, shown, width, self.labels.localizer.entry) + [[line] for line in self.rest(width)]

    def times(self, name: str, count: int) -> str:
        if not name.endswith(_HIDDEN):
            return self.labels.counted_piece(name, count)
        down = self.labels.face_down(count, self.kinds)
        if name == _HIDDEN:
            return down
        return self.labels.pieces_with_known(down, self.labels.counted_piece(_without_mark(name), count))

    def head(self, word: Word, name: str, margin: int) -> list[ConsolePart]:
        """Return a space's name, in brackets if it can be chosen."""
        left, right = ("[", "]") if word.name in self.chosen else (" ", " ")
        style = "new" if word.name in self.changed else ""
        return [Styled(left, "mark"), Styled(name, style), Styled(right, "mark"), " " * (margin - 2 - cell_width(name))]


def _hidden_pieces(zone: ZoneView) -> tuple[str, ...]:
    """Return hidden pieces bottom first: known ones by name; those whose places are unknown come uppermost."""
    pieces = [_HIDDEN] * zone.count
    for name, place in zone.known:
        if place:
            pieces[place - 1] = _hidden_mark(name)
    free = (place for place in range(zone.count - 1, -1, -1) if pieces[place] == _HIDDEN)
    for place, (name, _) in zip(list(free), (one for one in zone.known if not one[1]), strict=False):
        pieces[place] = _hidden_mark(name)
    return tuple(pieces)


def _hidden_mark(name: str) -> str:
    """Mark a name as that of a known piece that is not open."""
    return name + _HIDDEN


def _without_mark(name: str) -> str:
    """Return the name of a piece without the mark of a hidden one."""
    return name.removesuffix(_HIDDEN)


def _columns(items: list[str], width: int) -> list[str]:
    """Arrange items in columns, read downwards."""
    widest = max(map(cell_width, items), default=0)
    number = max(1, (width + _GAP) // (widest + _GAP))
    rows = -(-len(items) // number)
    padded = [item + " " * (widest - cell_width(item) + _GAP) for item in items]
    return ["".join(padded[row::rows]).rstrip() for row in range(rows)]
