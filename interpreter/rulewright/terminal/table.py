"""Drawing of the table: what one seat may see, on as few lines as possible, for any game.

Title · round 3 · Phase
shared zone   contents
pile (23), top: this · hidden zone (9)
zone of words  word: contents · another word: contents

          points  secret  counter  zone of each seat     another
▸ Ada      11 #1       6        2  that ×2, this         ★this
  Ben       7 #2      10        0  that                  –

secret: my own pieces, in full
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulewright.game.game import Game
from rulewright.i18n.localizer import ENGLISH, phrase
from rulewright.publish.console import (
    ConsoleLine,
    ConsolePart,
    Styled,
    cell_width,
    flow,
    join_with_dots,
    seat_style,
    shorten,
)
from rulewright.publish.labels import Labels, count_names, count_runs
from rulewright.publish.owners import owners
from rulewright.publish.scores import total_counter
from rulewright.publish.zone_contents import is_off_table, pile, word_contents, zone_contents
from rulewright.runtime.view import CounterValue, View, ZoneView
from rulewright.terminal import board, seat_charts
from rulewright.terminal.grid import EMPTY_CELL, Column, grid

_MAX_LINES = 2
"""Maximum number of lines of a zone in a brief drawing."""
_MAX_NAME_WIDTH = 14
"""Maximum width of a seat's name above its column, in cells of the terminal."""


def draw(
    game: Game,
    seat: int | None,
    width: int,
    offered: Sequence[str] = (),
    brief: bool = False,
    language: str = ENGLISH,
) -> list[ConsoleLine]:
    """Draw the table as a seat or a spectator sees it now, without the boards.

    offered: names of pieces that the reader is shown anyway; an own zone with just those is left out; brief: cut shared
    zones that take many lines, draw only the reader's own chart, and leave out columns of which colours say enough.
    """
    return _TableDrawing(Labels(game, language), game.view(seat), width, brief).lines(sorted(offered))


class _TableDrawing:
    """Drawing of the table for one reader. chart_zones: zones that are drawn as charts; has_power_marks: whether a
    power has been marked, which the heading then explains; points_counter: counter that is the total of points, or
    ''."""

    def __init__(self, labels: Labels, view: View, width: int, brief: bool) -> None:
        self.game, self.width, self.labels, self.brief = labels.game, width, labels, brief
        self.edition = labels.edition
        self.view = replace(view, zones=tuple(zone for zone in view.zones if self.edition.zones[zone.name].shown))
        self.owners = owners(self.labels, view.counters, view.visible_pieces())
        self.items, self.number = labels.localizer.items, labels.localizer.number
        self.chart_zones = {charts.zone for charts in seat_charts.charts_of(labels.edition)}
        self.has_power_marks = False
        self.points_counter = total_counter(labels.edition)

    def lines(self, offered: list[str]) -> list[ConsoleLine]:
        """Return the whole table: what belongs to all, to words, to seats, and what the viewer alone sees."""
        seats = self.seats()
        own = [*self.own(offered), *self.known()]
        charts = self.charts()
        lines = [*self.heading(), *self.shared(), *self.of_words(), [], *seats]
        return [*lines, *([[]] if charts else []), *charts, *([[]] if own else []), *own]

    def charts(self) -> list[ConsoleLine]:
        """Draw the charts in front of the seats; in brief, only the reader's own."""
        own = [self.view.seat] if self.view.seat is not None else []
        return seat_charts.draw(self.labels, self.view, own if self.brief else range(len(self.game.names)), self.width)

    def heading(self) -> list[ConsoleLine]:
        """Return the title, the progress of the game, and the meaning of the power mark if it is used."""
        view = self.view
        say = self.labels.say
        title = say(self.labels.terms.title())
        if view.round and not view.over:
            number = say(phrase("table", "round {round}", round=view.round))
            title += f" · {number} · {self.labels.phase(view.phase)}"
        line = flow([title], self.width)
        legend = "★ " + say(phrase("table", "power in force"))
        lines: list[ConsoleLine] = [[Styled(text, "title")] for text in line]
        blank = self.width - cell_width(line[-1]) - cell_width(legend)
        if self.has_power_marks and blank > 0:
            lines[-1] = [*lines[-1], " " * blank, Styled(legend, "faint")]
        elif self.has_power_marks:
            lines.append([Styled(legend, "faint")])
        return lines

    # ── what belongs to all ──

    def shared(self) -> list[ConsoleLine]:
        """Return the zones and counters that belong to nobody."""
        zones = [zone for zone in self.view.zones if zone.owner is None and not zone.word]
        open_zones = [zone for zone in zones if zone.pieces and not zone.pile]
        names = [self.labels.zone(zone.name) for zone in open_zones]
        indent = min(max(map(cell_width, names), default=0), self.width // 3)
        lines: list[ConsoleLine] = []
        for zone, name in zip(open_zones, names, strict=True):
            items = [self.labels.piece_with_signs(*run) for run in count_runs(zone.pieces or ())]
            lines += self.cut(_entry(Styled(name, "strong"), indent, self.items(items), self.width), indent, zone)
        rest = [self.closed(zone) for zone in zones if zone not in open_zones and self.is_there(zone)]
        rest += [
            self.labels.localizer.entry(self.labels.counter(name), self.labels.counter_value(name, value))
            for name, value in self.single_counters()
        ]
        return lines + [[line] for line in join_with_dots(rest, self.width)]

    def cut(self, lines: list[ConsoleLine], indent: int, zone: ZoneView) -> list[ConsoleLine]:
        """Cut many lines of a zone, in a brief drawing, to the first ones and the number of pieces."""
        if not self.brief or len(lines) <= _MAX_LINES:
            return lines
        rest = self.labels.say(phrase("table", "… {count} in all: type table", count=zone.count))
        rest = shorten(rest, self.width - indent - 2)
        return [*lines[: _MAX_LINES - 1], [" " * (indent + 2), Styled(rest, "faint")]]

    def is_there(self, zone: ZoneView) -> bool:
        """Return whether a zone without open pieces is worth showing: a pile, even used up, hidden pieces, or known
        ones."""
        if zone.known:
            return True
        return zone.pile or (zone.count > 0 and not is_off_table(self.edition, zone.name))

    def closed(self, zone: ZoneView) -> str:
        """Describe a pile, an empty zone, or one of which only the number of pieces may be known."""
        name = self.labels.zone(zone.name)
        if zone.known:
            return self.labels.localizer.entry(name, zone_contents(self.labels, zone))
        if not zone.pieces:
            return self.labels.localizer.with_note(name, self.number(zone.count))
        top = self.labels.piece(zone.pieces[-1])
        return self.labels.say(
            phrase("table", "{zone} ({count}), top: {piece}", zone=name, count=zone.count, piece=top)
        )

    def single_counters(self) -> list[tuple[str, CounterValue]]:
        """Return the visible counters with a single value that says something: those of seats and words are left
        out."""
        counters = self.view.counters.items()
        visible = [(name, value) for name, value in counters if self.edition.counters[name].shown]
        scalars = [(name, v) for name, v in visible if not isinstance(v, tuple | Mapping)]
        return [(name, value) for name, value in scalars if self.labels.is_informative(name, value)]

    # ── what belongs to words ──

    def of_words(self) -> list[ConsoleLine]:
        """Draw zones and counters of words that no board shows, if they hold anything."""
        on_boards = board.words_in_legends(self.edition)
        on_boards |= {
            (b.spaces, word.name) for b in self.edition.boards.values() for word in self.edition.words[b.spaces].words
        }
        lines: list[ConsoleLine] = []
        for name, words in self.edition.words.items():
            items = [
                self.labels.localizer.entry(self.labels.word(name, number), self.labels.localizer.join_items(contents))
                for number, word in enumerate(words.words)
                if (name, word.name) not in on_boards
                and (contents := word_contents(self.labels, self.view, name, word.name))
            ]
            if items:
                head = self.labels.say(self.labels.terms.words(name))
                first, *more = join_with_dots(items, self.width - cell_width(head) - 2)
                lines.append([Styled(head, "strong"), "  ", first])
                lines += [[" " * (cell_width(head) + 2), line] for line in more]
        return lines

    # ── what belongs to the seats ──

    def seats(self) -> list[ConsoleLine]:
        """Return a row for each seat, with its points, counters, zones and powers."""
        columns = [self.points(), *self.counts(), *self.tallies(), *self.contents(), self.powers()]
        used_columns = [column for column in columns if column is not None and any(column.cells)]
        full_names = map(self.labels.name, range(len(self.game.names)))
        names = [shorten(name, min(_MAX_NAME_WIDTH, self.width // 4)) for name in full_names]
        margin = max(map(cell_width, names)) + 2
        heads = [self.name(seat, name, margin) for seat, name in enumerate(names)]
        return grid(heads, margin, used_columns, self.width, self.labels.localizer.entry)

    def name(self, seat: int, name: str, margin: int) -> list[ConsolePart]:
        """Return a seat's name, marked if it is awaited; the reader's own stands out."""
        mark = "▸ " if seat in self.view.waiting else "  "
        style = seat_style(seat, own=seat == self.view.seat)
        return [Styled(mark, "mark"), Styled(name, style), " " * (margin - 2 - cell_width(name))]

    def points(self) -> Column | None:
        """Return the column of known points, with ranks while the game lasts and all are known, the fewest first where
        they win; under the counter's name if points are a counter. None if nothing is scored."""
        scores = self.view.scores
        if not any(score and score.lines for score in scores):
            return None
        totals = [score.total for score in scores if score is not None]
        sign = -1 if self.game.program.lowest_first else 1
        cells: list[list[str]] = []
        for score in scores:
            if score is None:
                cells.append([])
            elif score.total is None:
                cells.append([f"{self.number(score.known)} + ?"])
            else:
                better = sum(total is not None and sign * total > sign * score.total for total in totals)
                ranked = None not in totals and not self.view.over
                total, localizer = self.number(score.total), self.labels.localizer
                cells.append([localizer.with_note(total, localizer.place(1 + better)) if ranked else total])
        title = (
            self.labels.counter(self.points_counter)
            if self.points_counter
            else self.labels.say(phrase("table", "points"))
        )
        return Column(title, cells, number=True)

    def counts(self) -> list[Column]:
        """Return columns with the number of pieces in seats' zones that are not open to the reader."""
        return [
            Column(self.labels.zone(name), [[self.number(zone.count)] for zone in zones], number=True)
            for name, zones in self.owned().items()
            if name not in self.chart_zones
            and self.is_counted(zones)
            and any(zone.count for zone in zones)
            and not self.is_plain(zones)
        ]

    def tallies(self) -> list[Column]:
        """Return a column for each shown counter of seats, except the one that is the score."""
        return [
            Column(
                self.labels.counter(name),
                [
                    [self.labels.counter_value(name, value)] if self.labels.is_informative(name, value) else []
                    for value in values
                ],
                number=True,
            )
            for name, values in self.view.counters.items()
            if isinstance(values, tuple) and self.edition.counters[name].shown and name != self.points_counter
        ]

    def contents(self) -> list[Column]:
        """Return a column for each zone of seats whose pieces are named, not counted."""
        return [
            Column(self.labels.zone(name), [self.items(self.content(zone)) for zone in zones])
            for name, zones in self.owned().items()
            if name not in self.chart_zones and not self.is_counted(zones)
        ]

    def content(self, zone: ZoneView) -> list[str]:
        """Describe the contents of a seat's open zone; a piece whose power its owner has is marked, and
        `has_power_marks` set."""
        if zone.pile and zone.pieces:
            return [pile(self.labels, zone)]
        items = []
        for piece, count in count_names(self.labels.sort_pieces(zone.pieces or ())):
            power = self.labels.power(piece, zone.name)
            active = power and zone.owner is not None and power in self.view.powers[zone.owner]
            self.has_power_marks = self.has_power_marks or bool(active)
            items.append(("★" if active else "") + self.labels.counted_piece(piece, count))
        return items

    def powers(self) -> Column:
        """Return the column of active powers that no visible piece of the seat shows."""
        carried = {
            (zone.owner, self.labels.power(piece, zone.name)) for zone in self.view.zones for piece in zone.pieces or ()
        }
        rest = [
            [f"★{self.labels.rule(f'powers.{p}')}" for p in powers if (seat, p) not in carried]
            for seat, powers in enumerate(self.view.powers)
        ]
        return Column(self.labels.say(phrase("table", "powers")), [self.items(powers) for powers in rest])

    def owned(self) -> dict[str, list[ZoneView]]:
        """Return the zones of seats by name, in the order of the seats."""
        zones: dict[str, list[ZoneView]] = {}
        for zone in self.view.zones:
            if zone.owner is not None:
                zones.setdefault(zone.name, []).append(zone)
        return zones

    def is_closed(self, zones: Sequence[ZoneView]) -> bool:
        """Return whether only owners see a zone of seats, or this reader does not see all of them."""
        return self.edition.zones[zones[0].name].seen_by == "owner" or any(zone.pieces is None for zone in zones)

    def is_counted(self, zones: Sequence[ZoneView]) -> bool:
        """Return whether a zone's number of pieces says it all: they are hidden, or known to be their seat's own."""
        return self.is_closed(zones) or self.is_own(zones)

    def is_own(self, zones: Sequence[ZoneView]) -> bool:
        """Return whether all open pieces in a zone of seats belong to the seat that they lie before."""
        return all(self.owners.get(piece) == zone.owner for zone in zones for piece in zone.pieces or ())

    def is_plain(self, zones: Sequence[ZoneView]) -> bool:
        """Return whether colours say enough in place of a number: in a brief drawing, where every seat has just one
        piece in these zones, and all see it."""
        return self.brief and all(zone.count == 1 for zone in zones) and not self.is_closed(zones)

    # ── what belongs to the reader alone ──

    def own(self, offered: list[str]) -> list[ConsoleLine]:
        """Return the pieces that the viewer alone sees, but for zones with just what is offered anyway."""
        lines: list[ConsoleLine] = []
        mine = (zone for zone in self.view.zones if zone.owner is not None and zone.owner == self.view.seat)
        for zone in mine:
            if zone.pieces and self.edition.zones[zone.name].seen_by == "owner" and sorted(zone.pieces) != offered:
                groups = count_names(self.labels.sort_pieces(zone.pieces))
                items = [self.labels.counted_piece(*group) for group in groups]
                lines += _entry(
                    Styled(self.labels.heading_label(self.labels.zone(zone.name)), "strong"),
                    0,
                    self.items(items),
                    self.width,
                )
        return lines

    def known(self) -> list[ConsoleLine]:
        """Draw what the reader knows of seats' zones that are hidden from it."""
        lines: list[ConsoleLine] = []
        for zone in self.view.zones:
            if zone.owner is not None and zone.known:
                name = self.labels.zone(zone.name)
                if zone.owner != self.view.seat:
                    name = self.labels.localizer.with_note(name, self.labels.name(zone.owner))
                head = Styled(self.labels.heading_label(name), "strong")
                lines += _entry(head, 0, [zone_contents(self.labels, zone)], self.width)
        return lines


def _entry(name: Styled, indent: int, items: Sequence[str], width: int) -> list[ConsoleLine]:
    """Format a name, then items on as many lines as needed, aligned in one column."""
    head = max(indent, cell_width(name.text))
    item_lines = flow(items or [EMPTY_CELL], width - head - 2)
    lines: list[ConsoleLine] = [[name, " " * (head - cell_width(name.text) + 2), item_lines[0]]]
    return lines + [[" " * (head + 2), line] for line in item_lines[1:]]
