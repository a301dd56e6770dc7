"""What has happened, as one reader may know it: by rounds and phases, then the points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rulewright.game.game import Game, LogLine, Standing
from rulewright.i18n.localizer import ENGLISH, Item, Speech, english, phrase
from rulewright.publish.console import Console, ConsoleLine, Styled, bar, cells, flow, shortened
from rulewright.publish.labels import Labels

_LONGEST_NAME = 12


@dataclass
class LogSection:
    """The lines below one heading. round: from 1, or 0 for what happened before the first phase; heading: None above
    the first one."""

    round: int
    heading: LogLine | None = None
    lines: list[LogLine] = field(default_factory=list)

    def turns(self) -> list[list[LogLine]]:
        """Neighbouring lines that tell of one seat, together."""
        return [list(lines) for _, lines in groupby(self.lines, key=lambda line: line.seat)]


def sections(game: Game, seat: int | None, start: int = 0, language: str = ENGLISH) -> list[LogSection]:
    """The log from line `start` on, as a seat may read it; headings below which nothing was told are left out."""
    found = [LogSection(0)]
    for number, line in enumerate(game.log(seat, language=language)):
        if line.heading:
            found.append(LogSection(line.round, line))
        elif number >= start:
            found[-1].lines.append(line)
    return [section for section in found if section.lines]


def recent(game: Game) -> int:
    """The line of the log where the round before this one begins, for somebody who comes back."""
    rounds = [line.round for line in game.log(None)]
    return rounds.index(rounds[-1] - 1) if rounds and rounds[-1] > 1 else 0


def tell(console: Console, told: Iterable[LogSection]) -> None:
    """Write sections, line by line."""
    for block in blocks(console, told):
        console.lines(block)


def blocks(console: Console, told: Iterable[LogSection], brief: bool = False) -> list[list[ConsoleLine]]:
    """Sections in parts that are read at once: what one seat did, with the headings over it. brief: each part is one
    paragraph, to leave room for the table; else each line stands for itself."""
    found: list[list[ConsoleLine]] = []
    last = 0
    for section in told:
        heads: list[ConsoleLine] = []
        if section.round != last:
            last = section.round
            heads.append([Styled(console.told(phrase("log", "Round {round}", round=section.round)), "strong")])
        if section.heading:
            heads += title(console, section.heading)
        for lines in section.turns():
            texts = [line.text for line in lines]
            for text in [" ".join(texts)] if brief else texts:
                heads += line(console, LogLine(text, seat=lines[0].seat), "    " if section.heading else "  ")
            found.append(heads)
            heads = []
    return found


def title(console: Console, heading: LogLine) -> list[ConsoleLine]:
    """A heading of the log."""
    return _barred(console.wrapped(heading.text, "  ", hang="  ", style="key"), heading.seat, "  ")


def line(console: Console, told: LogLine, indent: str) -> list[ConsoleLine]:
    """A paragraph of the log."""
    return _barred(console.wrapped(told.text, indent, hang="  "), told.seat, indent)


def _barred(written: list[ConsoleLine], seat: int | None, indent: str) -> list[ConsoleLine]:
    """Indented lines, with a bar in the colour of a seat before them."""
    return written if seat is None else [[indent[:-2], bar(seat), " ", *rest] for _, *rest in written]


def tell_result(console: Console, game: Game) -> None:
    """The points of every seat line by line, ranks, and who has won; or why there is no result."""
    standings, speech = game.standings(console.speech.language), console.speech
    if (limited := game.limited()) is not None:
        console.paragraph(limited, style="title")
        if not standings:
            return
    labels = Labels(game, speech.language)
    console.lines(score_table(standings, [labels.name(s.seat) for s in standings], console.width, speech))
    unscored = [seat for seat in range(len(game.names)) if seat not in {s.seat for s in standings}]
    if unscored:
        console.paragraph(phrase("score", "Not scored: {names}.", names=labels.names(unscored)))
    if standings:
        console.say()
        console.say(Styled(winners(standings, labels.names(s.seat for s in standings), speech), "title"))


def winners(standings: list[Standing], names: Sequence[Item], speech: Speech | None = None) -> str:
    """The line that says who has won; with the points, where there are any."""
    best = [standing for standing in standings if standing.rank == 1]
    first, say = tuple(names[: len(best)]), (speech or english()).say
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
            together = sum(standing.total for standing in best)
            told = phrase("score", "Winners: {names}, {points} [point|points] together.", names=first, points=together)
            return say(told)
        told = phrase("score", "Winners: {names}, {points} [point|points] each.", names=first, points=points)
        return say(told)
    if not scored:
        return say(phrase("score", "Winner: {name}.", name=first[0]))
    return say(phrase("score", "Winner: {name}, {points} [point|points].", name=first[0], points=points))


def score_table(
    standings: list[Standing], names: list[str], width: int, speech: Speech | None = None
) -> list[ConsoleLine]:
    """Scoring lines by seats, best seat first; or the seats one below the other where that is too wide."""
    if not standings:
        return []
    speech = speech or english()
    say = speech.say
    points, rank = say(phrase("score", "Points")), say(phrase("score", "Rank"))
    names = [shortened(name, _LONGEST_NAME) for name in names]
    titles, ties = [title for title, _ in standings[0].lines], [tied(title, speech) for title, _ in standings[0].ties]
    margin = max(cells(title) for title in [*titles, *ties, points, rank])
    columns = [max(cells(name), 4) for name in names]
    if margin + sum(columns) + 2 * len(columns) > width:
        return _listed(standings, names, width, speech)

    def row(title: str, entries: Iterable[str], style: str) -> ConsoleLine:
        written = "".join(
            "  " + " " * (column - cells(entry)) + entry for entry, column in zip(entries, columns, strict=True)
        )
        return [Styled(title + " " * (margin - cells(title)) + written, style)]

    lines = [row("", names, "strong")]
    for number, title in enumerate(titles):
        lines.append(row(title, [speech.number(s.lines[number][1]) for s in standings], ""))
    lines.append([Styled("─" * (margin + sum(columns) + 2 * len(columns)), "faint")])
    if titles:
        lines.append(row(points, [speech.number(s.total) for s in standings], "strong"))
    for number, title in enumerate(ties):
        lines.append(row(title, [s.ties[number][1] for s in standings], ""))
    lines.append(row(rank, [speech.place(s.rank) for s in standings], "strong"))
    return lines


def tied(title: str, speech: Speech) -> str:
    """What is said before the numbers that decided between equals."""
    return speech.say(phrase("score", "In a tie: {what}", what=title))


def _listed(standings: list[Standing], names: list[str], width: int, speech: Speech) -> list[ConsoleLine]:
    lines: list[ConsoleLine] = []
    for standing, name in zip(standings, names, strict=True):
        told = speech.entry(name, speech.number(standing.total)) if standing.lines else name
        lines.append([Styled(f"{speech.place(standing.rank)}  {told}", "strong")])
        items = [speech.entry(title, speech.number(points)) for title, points in standing.lines]
        items += [speech.entry(tied(title, speech), number) for title, number in standing.ties if number]
        items = [f"{item} ·" for item in items[:-1]] + items[-1:]
        lines += [["   ", line] for line in flow(items, width - 3)]
    return lines
