"""Contents of a board as short marks, and the legend that explains them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from rulewright.model.declarations import NUMBERS, SLOT, Board, Word, written_number
from rulewright.model.pictures import SlotValues, kind_slot_values
from rulewright.program.appearance import name_without_marks
from rulewright.publish.abbreviations import abbreviate
from rulewright.publish.console import cell_width, flow, join_with_dots, seat_style
from rulewright.publish.labels import Labels, count_names
from rulewright.publish.owners import owners
from rulewright.publish.static_spaces import counts_regions, shown_attributes
from rulewright.publish.zone_contents import word_contents
from rulewright.runtime.view import View, ZoneView

_FEW_FREE = 40
"""Number of free spaces that can be chosen up to which these are always in brackets."""
_MOST_FREE = 0.9
"""Share of the free spaces that can be chosen up to which more of them are in brackets; beyond, none of them is."""
_HIDDEN = "?"
"""Mark of a piece whose type is not seen."""
GAP = 3
"""Blanks between columns."""
_MAX_COUNT = 9
"""Greatest number of equal pieces behind a mark; of more there is a plus."""
_MAX_PIECES = 100
"""Number of pieces, all alike, from which on a space has a plus in place of their number."""
_SIGNS = "*'^~!"
"""Signs behind a mark, for variants of a piece that differ by its counters; the last for all that are left."""

Choosable = Collection[tuple[str, str]]
"""Words that can be chosen, each with its list."""


class BoardLegend:
    """Legend of one board. before: an earlier view, from which changes stand out.

    words: its spaces; declared: type of each attribute of these; numbers: index of each space; visible_attributes:
    names of those that readers are shown; counted: whether it matters what lies in its regions; choosable: names of
    spaces in brackets, since they can be chosen; contents: names of pieces by space, the top one last; changed: spaces
    with other contents than before; kinds: that lie on it; letter_texts: letters of the map, each as the reader has it;
    marks: letters by name of a piece; owners: seats by name of a piece; holds_several: a space may hold more than one
    piece; shows_counts: all pieces are alike, so that a number says it all; has_no_letters: all letters of the map mean
    the same."""

    def __init__(self, labels: Labels, board: Board, view: View, choosable: Choosable, before: View | None) -> None:
        game = labels.game
        self.board, self.view, self.labels, self.names = board, view, labels, game.names
        self.edition = labels.edition
        self.words, self.declared = self.edition.words[board.spaces].words, self.edition.words[board.spaces].attributes
        self.numbers = {word.name: number for number, word in enumerate(self.words)}
        self.visible_attributes = shown_attributes(self.edition, board)
        self.counted = counts_regions(self.edition, board)
        self.choosable = {word for words, word in choosable if words == board.spaces}
        self.contents = self.pieces_by_space(view)
        free = {word for word, pieces in self.contents.items() if not pieces}
        if len(free & self.choosable) > max(_FEW_FREE, _MOST_FREE * len(free)):
            self.choosable -= free
        previous_contents = self.pieces_by_space(before) if before is not None else self.contents
        self.changed = {word for word in self.contents if previous_contents[word] != self.contents[word]}
        self.kinds = kinds = {
            kind for zone in self.edition.zones.values() if zone.of == board.spaces for kind in zone.holds
        }
        type_names = [type_.name for type_ in game.program.types if type_.kind in kinds]
        self.letter_texts = labels.letters(board.name)
        letters = frozenset(self.letter_texts.values()) if self.visible_attributes else frozenset()
        mark_of_label = abbreviate(tuple(labels.piece(name) for name in type_names), letters)
        self.marks = {name: mark_of_label[labels.piece(name)] for name in type_names}
        self.marks |= self.letters_of_pieces(type_names)
        self.marks |= self.marks_of_variants()
        present = {piece for pieces in self.contents.values() for piece in pieces}
        self.marks |= {
            _hidden_mark(name): mark + _HIDDEN for name, mark in self.marks.items() if _hidden_mark(name) in present
        }
        self.owners = owners(self.labels, view.counters, view.visible_pieces())
        room: Counter[int] = Counter()
        for zone in game.program.layout.zones:
            room[zone.owner] += zone.capacity if zone.of == board.spaces else 0
        self.holds_several = max(room.values(), default=0) > 1
        self.shows_counts = self.holds_several and len(type_names) == 1  # all are alike, so that a number says it all
        self.has_no_letters = not self.letters()

    def letters_of_pieces(self, names: Sequence[str]) -> dict[str, str]:
        """Return the letters that looks give pieces, by name: small for the second sort that has one; {} if a third
        has it."""
        result: dict[str, str] = {}
        for name in names:
            type_ = self.labels.type(name)
            look = self.edition.looks.get(type_.kind) if type_ is not None else None
            if type_ is None or look is None or look.letter is None:
                continue
            slots = kind_slot_values(self.edition, self.edition.kinds[type_.kind], tuple(type_.attributes.values()))
            letter = SLOT.sub(partial(self.noun_in_slot, slots), look.letter.text)
            result[name] = letter.lower() if letter in result.values() else letter
        return result if len(set(result.values())) == len(result) else {}

    def noun_in_slot(self, slots: SlotValues, slot: re.Match[str]) -> str:
        """Return the noun that replaces a slot, for `re.sub`. slots: words and number of each value, by slot."""
        return self.noun(*slots[slot[1].strip()])

    def marks_of_variants(self) -> dict[str, str]:
        """Return marks for pieces on the board whose names have counters: that of their sort, with another sign for
        each variant."""
        result: dict[str, str] = {}
        sorts: Counter[str] = Counter()
        present = dict.fromkeys(piece for pieces in self.contents.values() for piece in pieces)
        for name in self.labels.sort_pieces(present):
            if name not in self.marks and (plain := name_without_marks(name)) in self.marks:
                result[name] = self.marks[plain] + _SIGNS[min(sorts[plain], len(_SIGNS) - 1)]
                sorts[plain] += 1
        return result

    def pieces_by_space(self, view: View) -> dict[str, tuple[str, ...]]:
        """Return the pieces on each space, in all its zones, the top one last; hidden ones as `_hidden_pieces` does."""
        result: dict[str, tuple[str, ...]] = {word.name: () for word in self.words}
        for zone in view.zones:
            if zone.word and self.edition.zones[zone.name].of == self.board.spaces:
                result[zone.word] += _hidden_pieces(zone) if zone.pieces is None else zone.pieces
        return result

    def mark(self, word: str) -> str:
        """Return a few letters for what is on a space, behind its number where it has one."""
        mark = self.mark_of_pieces(self.contents[word])
        return f"{self.space_label(word):>2} {mark}" if self.board.coordinates.numbered else mark

    def mark_of_pieces(self, pieces: Sequence[str]) -> str:
        """Return the mark of the top piece, and behind it the number of pieces if they are equal, else a plus; only
        their number where `shows_counts`; '' without pieces."""
        if not pieces:
            return ""
        if self.shows_counts:
            return str(len(pieces)) if len(pieces) < _MAX_PIECES else "+"
        mark = self.marks.get(pieces[-1], _HIDDEN)
        if len(pieces) == 1:
            return mark
        return mark + (str(len(pieces)) if len(set(pieces)) == 1 and len(pieces) <= _MAX_COUNT else "+")

    def style(self, word: str) -> str:
        """Return the style of what is on a space: the colour of the top piece's owner; the reader's own stand out.
        Without an owner 'faint' where spaces have numbers, else ''."""
        pieces = self.contents[word]
        owner = self.owners.get(_without_mark(pieces[-1])) if pieces else None
        if owner is None and self.board.coordinates.numbered:
            return "faint"
        return seat_style(owner, own=owner == self.view.seat) if owner is not None else ""

    # ── the legend ──

    def legend(self, width: int, room: int = 0) -> list[str]:
        """List what letters and marks mean, what is in the regions, and what did not fit on the map: in columns if
        these take at most one line more, or fit into the room. room: lines that it may take."""
        rest = self.rest(width)
        close = [*join_with_dots(self.letters(), width), *join_with_dots(self.pieces(), width)]
        wide = [*_columns(self.letters(), width), *_columns(self.pieces(), width)]
        fits = len(wide) <= max(len(close) + 1, room - len(rest)) and max(map(cell_width, wide), default=0) <= width
        return [*(wide if fits else close), *rest]

    def letters(self) -> list[str]:
        """List what the letters mean, equal meanings together; empty if all mean the same."""
        if not self.visible_attributes:
            return []
        letters_by_text: dict[str, list[str]] = {}
        for letter in dict.fromkeys(self.board.letters):
            letters_by_text.setdefault(self.letter(letter), []).append(self.letter_texts[letter])
        return (
            [f"{' '.join(letters)} {text}" for text, letters in letters_by_text.items()]
            if len(letters_by_text) > 1
            else []
        )

    def pieces(self) -> list[str]:
        """List the pieces on the board with their marks."""
        counts = Counter(piece for pieces in self.contents.values() for piece in pieces)
        hidden = [f"{_HIDDEN} {self.counted_name(_HIDDEN, counts[_HIDDEN])}"] if _HIDDEN in counts else []
        return [*(self.piece(name, counts[name]) for name in self.marks if name in counts), *hidden]

    def letter(self, letter: str) -> str:
        """Describe a letter: `large wood`, or if its filling matters, with the number of its spaces that hold anything,
        `large wood 3/8: contents of its zones`."""
        spaces = [word for word, other in zip(self.words, self.board.letters, strict=True) if other == letter]
        text = self.attributes(spaces[0].attributes)
        if not self.counted:
            return text
        extra = self.in_regions(spaces[0].attributes)
        text += f" {sum(bool(self.contents[word.name]) for word in spaces)}/{len(spaces)}"
        text += "".join(f" {mark}{count}" for mark, count in self.count_owned_pieces(spaces))
        return self.labels.localizer.entry(text, extra) if extra else text

    def count_owned_pieces(self, spaces: Sequence[Word]) -> list[tuple[str, int]]:
        """Count the seats' pieces on some spaces, each with its mark, most first; [] for all spaces of the board."""
        if len(spaces) == len(self.words):
            return []
        pieces = Counter(
            piece for word in spaces for piece in self.contents[word.name] if _without_mark(piece) in self.owners
        )
        return [(self.marks[piece], count) for piece, count in pieces.most_common()]

    def attributes(self, attributes: Mapping[str, int]) -> str:
        """Describe the attributes of a space that readers are shown; its word list's name if there are none."""
        texts = [
            self.number(name, value) if (words := self.declared[name]) in NUMBERS else self.noun(words, value)
            for name, value in attributes.items()
            if name in self.visible_attributes and not self.board.is_coordinate(name)
        ]
        return self.labels.localizer.join_items(texts) or self.labels.say(self.labels.terms.words(self.board.spaces))

    def number(self, name: str, value: int) -> str:
        """Return an attribute's title with its number, in the language. value: as the state has it."""
        attribute = self.labels.terms.attribute(self.board.spaces, name)
        return (
            f"{self.labels.say(attribute)} {self.labels.localizer.number(written_number(self.declared[name], value))}"
        )

    def space_label(self, word: str) -> str:
        """Return a space's name for people: its name in the edition on a map without numbered spaces, such as b3, else
        its noun."""
        is_map = self.board.positions and not self.board.coordinates.numbered
        return word if is_map else self.noun(self.board.spaces, self.numbers[word])

    def noun(self, words: str, number: int) -> str:
        """Return the noun of a word, in the language. words: its list; number: of the word in it."""
        return self.labels.word(words, number)

    def in_regions(self, attributes: Mapping[str, int]) -> str:
        """Describe the zones and counters of the words that a space has as attributes; '' for none."""
        texts = []
        for name, value in attributes.items():
            if (words := self.declared[name]) not in NUMBERS:
                texts += word_contents(self.labels, self.view, words, self.edition.words[words].words[value].name)
        return self.labels.localizer.join_items(texts)

    def piece(self, name: str, count: int) -> str:
        """Describe a piece: `Mn elf ×5 (Ada)`."""
        owner = self.owners.get(_without_mark(name))
        text, mark = self.counted_name(name, count), self.marks[name]
        if not self.shows_counts and mark != self.labels.piece(name):
            text = f"{mark} {text}"
        return self.labels.localizer.with_note(text, self.labels.name(owner)) if owner is not None else text

    def entries(self, name: str, items: list[str], width: int) -> list[str]:
        """Format `name: this, that`; empty if there are no items."""
        return flow([self.labels.heading_label(name), *self.labels.localizer.items(items)], width) if items else []

    def rest(self, width: int) -> list[str]:
        """List a map's spaces with different pieces, or with too many for their number, and counters of spaces that
        have changed from their start."""
        lines: list[str] = []
        for word, pieces in self.contents.items():
            most = _MAX_PIECES - 1 if self.shows_counts else _MAX_COUNT
            if self.board.positions and (len(set(pieces)) > 1 or len(pieces) > most):
                lines += self.entries(word, [self.counted_name(*group) for group in count_names(pieces)], width)
        for name, declared in self.edition.counters.items():
            values = self.view.counters.get(name)
            if declared.of == self.board.spaces and declared.shown and isinstance(values, Mapping):
                entries = [
                    f"{self.space_label(word)} {self.labels.counter_value(name, values[word])}"
                    for word in self.labels.changed_words(name, values)
                ]
                lines += self.entries(self.labels.counter(name), entries, width)
        return lines

    def counted_name(self, name: str, count: int) -> str:
        """Name a number of pieces; hidden ones with what is known of them."""
        if not name.endswith(_HIDDEN):
            return self.labels.counted_piece(name, count)
        down = self.labels.face_down(count, self.kinds)
        if name == _HIDDEN:
            return down
        return self.labels.pieces_with_known(down, self.labels.counted_piece(_without_mark(name), count))


def _hidden_pieces(zone: ZoneView) -> tuple[str, ...]:
    """Return hidden pieces bottom first, as _HIDDEN, known ones as `_hidden_mark`; known ones whose places are unknown
    come uppermost."""
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
    number = max(1, (width + GAP) // (widest + GAP))
    rows = -(-len(items) // number)
    padded = [item + " " * (widest - cell_width(item) + GAP) for item in items]
    return ["".join(padded[row::rows]).rstrip() for row in range(rows)]
