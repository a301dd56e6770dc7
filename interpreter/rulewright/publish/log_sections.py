"""Log sections: what has happened, as one reader may know it, by rounds and phases; then the points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rulewright.game.early_ends import CONCEDED, early_end_texts
from rulewright.game.game import Game
from rulewright.game.log import LogLine
from rulewright.game.ranking import SeatResult
from rulewright.i18n.localizer import ENGLISH, Item, Localizer, english, phrase
from rulewright.publish.console import Console, ConsoleLine, Styled, bar, cell_width, flow, shorten
from rulewright.publish.labels import Labels

_MAX_NAME_CELLS = 12
"""Cells of a name above the score's columns, beyond which it is shortened."""


@dataclass
class LogSection:
    """Lines below one heading.

    round: from 1, or 0 for what happened before the first phase; heading: None above the first one.
    """

    round: int
    heading: LogLine | None = None
    lines: list[LogLine] = field(default_factory=list)

    def turns(self) -> list[list[LogLine]]:
        """Group neighbouring lines about one seat."""
        return [list(lines) for _, lines in groupby(self.lines, key=lambda line: line.seat)]


def sections(game: Game, seat: int | None, start: int = 0, language: str = ENGLISH) -> list[LogSection]:
    """Return the log from line `start` on, as a seat may read it, without empty sections. seat: None for a
    spectator."""
    result = [LogSection(0)]
    for number, line in enumerate(game.log.lines(seat, language=language)):
        if line.heading:
            result.append(LogSection(line.round, line))
        elif number >= start:
            result[-1].lines.append(line)
    return [section for section in result if section.lines]


def recent_start(game: Game) -> int:
    """Return the line of the log where the round before this one begins, for people who come back; 0 in the first
    round."""
    rounds = [line.round for line in game.log.lines(None)]
    return rounds.index(rounds[-1] - 1) if rounds and rounds[-1] > 1 else 0


def write_sections(console: Console, log: Iterable[LogSection]) -> None:
    """Write sections, line by line."""
    for block in blocks(console, log):
        console.write_lines(block)


def blocks(console: Console, log: Iterable[LogSection], brief: bool = False) -> list[list[ConsoleLine]]:
    """Return sections as blocks that are read at once: what one seat did, with the headings above it.

    brief: make each block one paragraph, to leave room for the table; else each log line has lines of its own.
    """
    result: list[list[ConsoleLine]] = []
    last = 0
    for section in log:
        heads: list[ConsoleLine] = []
        if section.round != last:
            last = section.round
            heads.append([Styled(console.translate(phrase("log", "Round {round}", round=section.round)), "strong")])
        if section.heading:
            heads += heading_lines(console, section.heading)
        for lines in section.turns():
            texts = [line.text for line in lines]
            for text in [" ".join(texts)] if brief else texts:
                heads += paragraph_lines(
                    console, LogLine(text, seat=lines[0].seat), "    " if section.heading else "  "
                )
            result.append(heads)
            heads = []
    return result


def heading_lines(console: Console, heading: LogLine) -> list[ConsoleLine]:
    """Return the lines of a log heading."""
    return _with_bar(console.wrap_paragraph(heading.text, "  ", hang="  ", style="key"), heading.seat, "  ")


def paragraph_lines(console: Console, log_line: LogLine, indent: str) -> list[ConsoleLine]:
    """Return the lines of a log paragraph."""
    return _with_bar(console.wrap_paragraph(log_line.text, indent, hang="  "), log_line.seat, indent)


def _with_bar(lines: list[ConsoleLine], seat: int | None, indent: str) -> list[ConsoleLine]:
    """Put a bar in a seat's colour at the end of each line's indentation; lines stay as they are for None. lines: each
    begins with a part for its indentation; indent: that of all."""
    return lines if seat is None else [[indent[:-2], bar(seat), " ", *rest] for _, *rest in lines]


def write_result(console: Console, game: Game) -> None:
    """Write the points of every seat line by line, ranks, and the winner; or the reason why there is no result."""
    standings, localizer = game.standings(console.localizer.language), console.localizer
    labels = Labels(game, localizer.language)
    if (limited := game.position.limit_text()) is not None:
        console.paragraph(limited, style="title")
        if not standings:
            return
    if game.cut_off:
        for text in early_end_texts(game.names, game.conceded, game.late, game.cut_off):
            console.paragraph(text, style="title")
        if standings and game.cut_off == CONCEDED:
            console.paragraph(winners(standings, labels.names(one.seat for one in standings), localizer), style="title")
        return
    console.write_lines(score_table(standings, [labels.name(s.seat) for s in standings], console.width, localizer))
    unscored = [seat for seat in range(len(game.names)) if seat not in {s.seat for s in standings}]
    if unscored:
        console.paragraph(phrase("score", "Not scored: {names}.", names=labels.names(unscored)))
    if standings:
        console.write_line()
        console.write_line(Styled(winners(standings, labels.names(s.seat for s in standings), localizer), "title"))


def winners(standings: list[SeatResult], names: Sequence[Item], localizer: Localizer | None = None) -> str:
    """Return the sentence with the winners, or about a draw, and the points where there are any; of a single seat only
    its points. standings: best first, not empty; names: of these seats, in the same order; localizer: English by
    default."""
    best = [standing for standing in standings if standing.rank == 1]
    first, say = tuple(names[: len(best)]), (localizer or english()).say
    totals, scored = {standing.total for standing in best}, bool(standings[0].lines)
    points = standings[0].total
    if len(standings) == 1:
        return say(phrase("score", "Result: {points} [point|points].", points=points))
    if len(best) == len(standings):
        if not scored or len(totals) > 1:
            return say(phrase("score", "A draw."))
        return say(phrase("score", "A draw: {names}, {points} [point|points] each.", names=first, points=points))
    if len(best) > 1:
        if not scored:
            return say(phrase("score", "Winners: {names}.", names=first))
        if len(totals) > 1:  # partners
            total = sum(standing.total for standing in best)
            message = phrase("score", "Winners: {names}, {points} [point|points] together.", names=first, points=total)
            return say(message)
        message = phrase("score", "Winners: {names}, {points} [point|points] each.", names=first, points=points)
        return say(message)
    if not scored:
        return say(phrase("score", "Winner: {name}.", name=first[0]))
    return say(phrase("score", "Winner: {name}, {points} [point|points].", name=first[0], points=points))


def score_table(
    standings: list[SeatResult], names: list[str], width: int, localizer: Localizer | None = None
) -> list[ConsoleLine]:
    """Return the score as lines: a column for each seat, best seat first; or one seat below the other if that is too
    wide."""
    if not standings:
        return []
    localizer = localizer or english()
    say = localizer.say
    points, rank = say(phrase("score", "Points")), say(phrase("score", "Rank"))
    names = [shorten(name, _MAX_NAME_CELLS) for name in names]
    titles, ties = (
        [title for title, _ in standings[0].lines],
        [tie_break_title(title, localizer) for title, _ in standings[0].ties],
    )
    margin = max(cell_width(title) for title in [*titles, *ties, points, rank])
    columns = [max(cell_width(name), 4) for name in names]
    if margin + sum(columns) + 2 * len(columns) > width:
        return _score_list(standings, names, width, localizer)

    def row(title: str, entries: Iterable[str], style: str) -> ConsoleLine:
        cells_ = "".join(
            "  " + " " * (column - cell_width(entry)) + entry for entry, column in zip(entries, columns, strict=True)
        )
        return [Styled(title + " " * (margin - cell_width(title)) + cells_, style)]

    lines = [row("", names, "strong")]
    for number, title in enumerate(titles):
        lines.append(row(title, [localizer.number(s.lines[number][1]) for s in standings], ""))
    lines.append([Styled("─" * (margin + sum(columns) + 2 * len(columns)), "faint")])
    if titles:
        lines.append(row(points, [localizer.number(s.total) for s in standings], "strong"))
    for number, title in enumerate(ties):
        lines.append(row(title, [s.ties[number][1] for s in standings], ""))
    lines.append(row(rank, [localizer.place(s.rank) for s in standings], "strong"))
    return lines


def tie_break_title(title: str, localizer: Localizer) -> str:
    """Return the title of a tie-breaking criterion."""
    return localizer.say(phrase("score", "In a tie: {what}", what=title))


def _score_list(standings: list[SeatResult], names: list[str], width: int, localizer: Localizer) -> list[ConsoleLine]:
    """Return the score with one seat below the other."""
    lines: list[ConsoleLine] = []
    for result, name in zip(standings, names, strict=True):
        text = localizer.entry(name, localizer.number(result.total)) if result.lines else name
        lines.append([Styled(f"{localizer.place(result.rank)}  {text}", "strong")])
        items = [localizer.entry(title, localizer.number(points)) for title, points in result.lines]
        items += [localizer.entry(tie_break_title(title, localizer), number) for title, number in result.ties if number]
        items = [f"{item} ·" for item in items[:-1]] + items[-1:]
        lines += [["   ", line] for line in flow(items, width - 3)]
    return lines
