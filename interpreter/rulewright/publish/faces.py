"""Faces of pieces in one language: names, corners, pictures and backs, as an edition's artwork declares."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from rulewright.base.records import record
from rulewright.base.rule_keys import RuleKey
from rulewright.game.library import Rules
from rulewright.game.rule_texts import RuleTexts
from rulewright.game.setup import check_options
from rulewright.game.terms import Terms
from rulewright.i18n.localizer import Localizer, Phrase
from rulewright.model.declarations import NUMBERS, SLOT, Kind, WordList, WordTable, written_number
from rulewright.model.edition import Edition
from rulewright.model.pictures import PictureError, Pictures, kind_slot_values, picture_name
from rulewright.syntax.source import Scalar


@record
class ChartRow:
    """Row of a chart: a word and its value; pictures are SVG, '' for none."""

    key: str
    key_picture: str
    value: str
    value_picture: str


@record
class ChartWord:
    """Word at the edge of a chart: its name in the edition, its text, and the name of its picture or ''."""

    name: str
    text: str
    picture: str


@record
class ChartGrid:
    """Chart as a grid.

    keys: its columns; values: its rows, in the edition's order; cells: for each column, the row of its value, or -1;
    rises: whether each row is more than those before it.
    """

    keys: tuple[ChartWord, ...]
    values: tuple[ChartWord, ...]
    cells: tuple[int, ...]
    rises: bool


@record
class Face:
    """Face of one sort of piece.

    picture, suit, ground, signs, back: SVG, '' for none; card: whether it is a card; round: whether it is a disc;
    chart: the table on it.
    """

    name: str
    corner: str
    suit: str
    ground: str
    picture: str
    signs: tuple[str, ...]
    back: str
    card: bool
    round: bool = False
    chart: tuple[ChartRow, ...] = ()


class Faces:
    """Faces of an edition's pieces. Parameter `row`: values of a kind's attributes, in their order, as in `Kind.rows`.

    options: chosen options, of which usual ones may be left out; picture_errors: of pictures that had to be left out,
    by name; it grows.
    """

    def __init__(self, rules: Rules, localizer: Localizer, options: Mapping[str, str] | None = None) -> None:
        self.edition: Edition = rules.edition
        self.localizer, self._rules, self._options = localizer, rules, options or {}
        self.terms, self.pictures = Terms(rules.edition), Pictures(rules.edition)
        self.picture_errors: dict[str, str] = {}

    def face(self, kind: Kind, row: Sequence[int]) -> Face:
        """Return the face of the pieces of a kind with these values of its attributes."""
        look, piece_values = self.edition.looks.get(kind.name), kind_slot_values(self.edition, kind, row)
        name = self.localizer.title(self.terms.piece(kind, row))
        picture = self.picture(self.pictures.of_piece(kind, row))
        if look is None:
            return Face(name, "", "", "", picture, (), "", card=False)

        def artwork(source: Scalar | None) -> str:
            return self.picture(picture_name(source.text, self.edition, piece_values)) if source is not None else ""

        return Face(
            name=name,
            corner=self.corner(kind, row),
            suit=artwork(look.suit),
            ground=artwork(look.ground),
            picture=picture,
            signs=tuple(filter(None, map(artwork, look.signs))),
            back=artwork(look.back),
            card=look.card,
            round=look.round,
            chart=tuple(self.chart(kind, row, look.table)) if look.table else (),
        )

    def corner(self, kind: Kind, row: Sequence[int]) -> str:
        """Return the text in the corner: the piece's own numbers and words, and figures of the rule on it; '' without
        one."""
        look, piece_values = self.edition.looks.get(kind.name), kind_slot_values(self.edition, kind, row)
        if look is None or look.corner is None:
            return ""

        def slot_text(slot_name: str) -> str:
            if slot_name not in piece_values:
                rule = self.rule(kind, row)
                figure = dict(rule.slots).get(slot_name) if rule is not None else None
                return self.localizer.say(figure) if figure is not None else ""
            value_type, value = piece_values[slot_name]
            return (
                self.localizer.number(written_number(value_type, value))
                if value_type in NUMBERS
                else self.localizer.noun(self.terms.word(value_type, value)).one
            )

        return SLOT.sub(lambda slot: slot_text(slot[1].strip()), look.corner.text)

    def rule(self, kind: Kind, row: Sequence[int]) -> Phrase | None:
        """Return the text of the nearest rule that stands on pieces with these values, as `rules_on` orders them, or
        None."""
        rules = map(self._texts.rule, rules_on(self.edition, kind, row))
        return next((rule for rule in rules if rule is not None), None)

    @cached_property
    def _texts(self) -> RuleTexts:
        """Texts of rules with the chosen options. Raises GameError for impossible choices."""
        return RuleTexts(self._rules, check_options(self._rules, self._options))

    def signs(self, kind: Kind) -> tuple[tuple[str, str], ...]:
        """Return the pictures on the charts of a kind, as SVG, each with its meaning, in the order of the words; () for
        a kind without charts."""
        look = self.edition.looks.get(kind.name)
        if look is None or not look.table:
            return ()
        rows = [row for values, _ in kind.rows for row in self.face(kind, values).chart]
        declared = self.edition.words[self._table_word(kind, kind.rows[0][0], look.table)[0]].tables[look.table]
        order = [
            self.picture(self.word_picture(words, number))
            for words in self._table_word_lists(declared)
            for number in range(len(words.words))
        ]
        meanings = {row.key_picture: row.key for row in rows} | {row.value_picture: row.value for row in rows}
        return tuple((drawn, meanings[drawn]) for drawn in dict.fromkeys(order) if drawn and drawn in meanings)

    def _table_word(self, kind: Kind, row: Sequence[int], table: str) -> tuple[str, int]:
        """Return the word of a piece that has a table: its list, and its number in it."""
        return next(
            (list_name, value)
            for list_name, value in _piece_words(kind, row)
            if table in self.edition.words[list_name].tables
        )

    def _table_word_lists(self, table: WordTable) -> list[WordList]:
        """Return the word lists that a table is keyed by, and whose words it holds."""
        return [self.edition.words[list_name] for list_name in (table.by, table.holds) if list_name not in NUMBERS]

    def chart(self, kind: Kind, row: Sequence[int], table: str) -> Iterator[ChartRow]:
        """Yield the rows of the chart on a piece, with pictures as SVG. table: by name; some word of the piece must
        have it."""
        for chart_row in self.table(kind, row, table):
            pictures = map(self.picture, (chart_row.key_picture, chart_row.value_picture))
            yield ChartRow(chart_row.key, next(pictures), chart_row.value, next(pictures))

    def table(self, kind: Kind, row: Sequence[int], table: str) -> Iterator[ChartRow]:
        """Yield the rows of the chart on a piece, as `chart` does, but with the names of pictures."""
        list_name, number = self._table_word(kind, row, table)
        declared = self.edition.words[list_name].tables[table]
        keys = self.edition.words[declared.by]
        holds = None if declared.holds in NUMBERS else self.edition.words[declared.holds]
        for index, value in enumerate(declared.rows[number]):
            figure = self.localizer.number(written_number(declared.holds, value))
            text = figure if holds is None else self.word(holds, value) if value >= 0 else ""
            picture = self.word_picture(holds, value) if holds is not None and value >= 0 else ""
            yield ChartRow(self.word(keys, index), self.word_picture(keys, index), text, picture)

    def grid(self, kind: Kind, row: Sequence[int], table: str) -> ChartGrid:
        """Return the chart on a piece as a grid: a column for each key, a row for each possible value. table: as for
        `chart`."""
        list_name, number = self._table_word(kind, row, table)
        declared = self.edition.words[list_name].tables[table]
        cells = declared.rows[number]
        if declared.holds in NUMBERS:
            numbers = sorted({each for row in declared.rows for each in row})
            values = tuple(
                ChartWord(str(held), self.localizer.number(written_number(declared.holds, held)), "")
                for held in numbers
            )
            cells, rises = tuple(map(numbers.index, cells)), True
        else:
            holds = self.edition.words[declared.holds]
            values, rises = self._edge_words(holds), _is_rising(holds)
        return ChartGrid(self._edge_words(self.edition.words[declared.by]), values, cells, rises)

    def _edge_words(self, words: WordList, among: Container[int] | None = None) -> tuple[ChartWord, ...]:
        """Return words as an edge of a chart. among: the numbers of those that belong there, or None for all."""
        return tuple(
            ChartWord(word.name, self.word(words, number), self.word_picture(words, number))
            for number, word in enumerate(words.words)
            if among is None or number in among
        )

    def stock_table(self, kinds: Sequence[Kind]) -> tuple[tuple[ChartWord, ...], tuple[ChartWord, ...]] | None:
        """Return the columns and rows of a table of pieces that are told apart by two words; None if these are not.

        The list with more words is across.
        """
        lists = {tuple(sorted(kind.attributes.values())) for kind in kinds}
        if len(lists) != 1 or len(set(*lists)) != 2 or not set(*lists).isdisjoint(NUMBERS):
            return None
        used: dict[str, set[int]] = {name: set() for name in min(lists)}
        for kind in kinds:
            for row in (row for row, copies in kind.rows if copies):
                for name, value in zip(kind.attributes.values(), row, strict=True):
                    used[name].add(value)
        down, across = sorted(used, key=lambda name: len(used[name]))
        words = self.edition.words
        return self._edge_words(words[across], used[across]), self._edge_words(words[down], used[down])

    def word(self, words: WordList, number: int) -> str:
        """Return a word's title. number: its index in the list."""
        return self.localizer.title(self.terms.word(words.name, number))

    def word_picture(self, words: WordList, number: int) -> str:
        """Return the name of the picture that is named like a word, or '' if there is none. number: the word's
        index."""
        name = "-".join(words.words[number].name.split())
        return name if self.pictures.path(name) is not None else ""

    def picture(self, name: str) -> str:
        """Return a picture by its name; '' if there is none, or for a broken one, whose error is noted."""
        try:
            return self.pictures.svg(name) if name else ""
        except PictureError as error:
            self.picture_errors[name] = str(error)
            return ""


def _is_rising(words: WordList) -> bool:
    """Return whether some attribute of these words rises from each to the next."""
    numbers = [name for name, value_type in words.attributes.items() if value_type in NUMBERS]
    columns = ([word.attributes.get(name, 0) for word in words.words] for name in numbers)
    return any(all(one < other for one, other in pairwise(column)) for column in columns)


def rules_on(edition: Edition, kind: Kind, row: Sequence[int]) -> Iterator[RuleKey]:
    """Yield the rules whose texts may stand on pieces with these values, nearest first.

    First those that the artwork names for their words, then the power that they give, the texts of their words and of
    themselves, and the one that the artwork names for all.
    """
    look = edition.looks.get(kind.name)
    named_rules = look.rules if look is not None else {}
    words = [edition.words[list_name].words[value].name for list_name, value in _piece_words(kind, row)]
    yield from (named_rules[word] for word in words if word in named_rules)
    if kind.power_in:
        yield RuleKey.of("powers", words[0])
    yield from (
        RuleKey.of("words", list_name, word=edition.words[list_name].words[value].name)
        for list_name, value in _piece_words(kind, row)
    )
    if kind.says is not None:
        yield RuleKey.of("pieces", kind.name)
    if "" in named_rules:
        yield named_rules[""]


def _piece_words(kind: Kind, row: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield the words of a piece with these values: list and number."""
    attributes = zip(kind.attributes.values(), row, strict=True)
    return ((list_name, value) for list_name, value in attributes if list_name not in NUMBERS and value >= 0)
