"""Charts in front of seats: what each can do where, and what its tiles have added.

zone of charts  this  that  another
  Ada  one      ■     ■■□   –
  Ben  other    ■■■   –     ■
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rulewright.base.records import record
from rulewright.i18n.localizer import phrase
from rulewright.model.declarations import NUMBER, NUMBERS, SEAT, Kind, WordList, WordTable
from rulewright.model.edition import Edition
from rulewright.program.form import PieceType
from rulewright.publish.console import ConsoleLine, ConsolePart, Styled, cell_width, join_with_dots, seat_style, shorten
from rulewright.publish.labels import Labels
from rulewright.runtime.view import View
from rulewright.terminal.grid import Column, grid

_STEP, _ADDED_STEP, _NO_STEP = "■", "□", "–"
"""Marks of a printed step, of one that the seat's pieces add, and of no step."""
_MAX_NAME_WIDTH = 14
"""Characters of a seat's name above its chart."""


@record
class SeatCharts:
    """Charts in one zone of the seats.

    - zone: its name
    - kind: of the pieces that are charts
    - attribute: of that kind, whose words have the table
    - rises: whether each word that the table holds is more than the one before
    - from_nothing: whether the first counts as 0
    """

    zone: str
    kind: Kind
    attribute: str
    table: WordTable
    rises: bool
    from_nothing: bool


def charts_of(edition: Edition) -> list[SeatCharts]:
    """List the charts in zones of the seats, by the edition's artwork: of kinds that it shows by a table."""
    result: list[SeatCharts] = []
    for name, zone in edition.zones.items():
        kinds = [edition.kinds[kind] for kind in zone.holds]
        look = edition.looks.get(kinds[0].name) if len(kinds) == 1 else None
        if zone.of != SEAT or not zone.shown or look is None or not look.table:
            continue
        for attribute, value_type in kinds[0].attributes.items():
            table = edition.words[value_type].tables.get(look.table) if value_type != NUMBER else None
            if table is not None and not {table.by, table.holds} & set(NUMBERS):
                steps = _steps(edition.words[table.holds])
                result.append(SeatCharts(name, kinds[0], attribute, table, bool(steps), steps[:1] == [0]))
    return result


def _steps(words: WordList) -> list[int]:
    """Return the words' numbers in the first attribute that rises from each to the next; [] if there is none."""
    for name, value_type in words.attributes.items():
        numbers = [word.attributes.get(name, 0) for word in words.words]
        if value_type == NUMBER and all(first < second for first, second in pairwise(numbers)):
            return numbers
    return []


def draw(labels: Labels, view: View, seats: Sequence[int], width: int) -> list[ConsoleLine]:
    """Draw the charts of some seats, with a legend; empty if there are none."""
    lines: list[ConsoleLine] = []
    for charts in charts_of(labels.edition):
        lines += _SeatChartsDrawing(labels, view, charts, width).lines(seats)
    return lines


class _SeatChartsDrawing:
    """Drawing of the charts in one zone. column_words: across; value_words: that the cells hold; adding_kinds: kinds of
    pieces that have added something, in rows drawn so far."""

    def __init__(self, labels: Labels, view: View, charts: SeatCharts, width: int) -> None:
        self.labels, self.view, self.charts, self.width = labels, view, charts, width
        words = labels.edition.words
        self.column_words, self.value_words = words[charts.table.by], words[charts.table.holds]
        self.adding_kinds: set[str] = set()

    def lines(self, seats: Sequence[int]) -> list[ConsoleLine]:
        """Return a row for each seat with a chart that may be seen, with a column for each word, and the legend; [] if
        there are none."""
        charts = [(seat, type_) for seat in seats for type_ in self.chart(seat)]
        if not charts:
            return []
        title = self.labels.zone(self.charts.zone)
        names = [shorten(self.labels.name(seat), _MAX_NAME_WIDTH) for seat, _ in charts]
        word_list = self.charts.kind.attributes[self.charts.attribute]
        words = [self.labels.word(word_list, type_.attributes[self.charts.attribute]) for _, type_ in charts]
        first, second = max(map(cell_width, names)), max(map(cell_width, words))
        margin = max(cell_width(title), 2 + first + 2 + second)
        heads: list[list[ConsolePart]] = []
        for (seat, _), name, word in zip(charts, names, words, strict=True):
            rest = f"{' ' * (first - cell_width(name) + 2)}{word}"
            style = seat_style(seat, own=seat == self.view.seat)
            heads.append(["  ", Styled(name, style), rest, " " * (margin - 2 - cell_width(name) - cell_width(rest))])
        rows = [self.row(seat, type_) for seat, type_ in charts]
        columns = [
            Column(self.labels.word(self.charts.table.by, column), [[row[column]] for row in rows])
            for column in range(len(self.column_words.words))
        ]
        chart_lines = grid(heads, margin, columns, self.width, self.labels.localizer.entry)
        chart_lines[0] = [Styled(title, "strong"), " " * (margin - cell_width(title)), *chart_lines[0][1:]]
        return [*chart_lines, *([Styled(line, "faint")] for line in join_with_dots(self.legend(), self.width))]

    def chart(self, seat: int) -> list[PieceType]:
        """Return the chart of a seat, as a list of one; [] if there is none that may be seen."""
        types = map(self.labels.type, (self.view.zone(self.charts.zone, seat).pieces or ())[-1:])
        return [type_ for type_ in types if type_ is not None]

    def row(self, seat: int, chart: PieceType) -> list[str]:
        """Return the cells of a seat's chart."""
        additions = self.highest_additions(seat)
        values = self.charts.table.rows[chart.attributes[self.charts.attribute]]
        return [self.cell(value, additions.get(column, -1)) for column, value in enumerate(values)]

    def cell(self, printed: int, added: int) -> str:
        """Return an entry of the chart. printed: value on the chart itself, -1 for none; added: the highest value that
        pieces give it instead, -1 for none."""
        if not self.charts.rises:
            return self.labels.word(self.value_words.name, printed) if printed >= 0 else _NO_STEP
        return self.steps(printed) + _ADDED_STEP * max(0, added - printed) or _NO_STEP

    def steps(self, value: int) -> str:
        """Return a mark for each step up to a value."""
        return _STEP * (value + (not self.charts.from_nothing))

    def highest_additions(self, seat: int) -> dict[int, int]:
        """Return the highest value, by column, that the seat's open pieces add to its chart; note their kinds in
        `adding_kinds`."""
        best: dict[int, int] = {}
        for zone in self.view.zones:
            for piece in (zone.pieces or ()) if zone.owner == seat else ():
                if (type_ := self.labels.type(piece)) is None:
                    continue
                kind_attributes = self.labels.edition.kinds[type_.kind].attributes
                attribute_of = {words: name for name, words in kind_attributes.items()}
                if self.column_words.name in attribute_of and self.value_words.name in attribute_of:
                    column, value = (
                        type_.attributes[attribute_of[words.name]] for words in (self.column_words, self.value_words)
                    )
                    best[column] = max(value, best.get(column, value))
                    self.adding_kinds.add(type_.kind)
        return best

    def legend(self) -> list[str]:
        """Return the meaning of each step, and where added ones come from; nothing where values do not rise."""
        if not self.charts.rises:
            return []
        values = range(int(self.charts.from_nothing), len(self.value_words.words))
        texts = [f"{self.steps(value)} {self.labels.word(self.value_words.name, value)}" for value in values]
        for kind in sorted(self.adding_kinds):
            pieces = self.labels.terms.kind(self.labels.edition.kinds[kind])
            texts.append(f"{_ADDED_STEP} {self.labels.say(phrase('table', 'from {pieces}', pieces=pieces))}")
        return texts
