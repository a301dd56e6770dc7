"""What has happened, as one reader may know it: by rounds and phases, then the points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rulewright.game.game import Game, Standing
from rulewright.i18n.speech import ENGLISH, Item, Speech, english, phrase
from rulewright.publish.console import Console, ConsoleLine, Styled, cells, flow, shortened
from rulewright.publish.labels import Labels

_LONGEST_NAME = 12


@dataclass
class LogSection:
    """The lines of one phase. round: from 1, or 0 for what happened before the first phase."""

    round: int
    phase: str
    lines: list[str] = field(default_factory=list)


def sections(game: Game, seat: int | None, start: int = 0, language: str = ENGLISH) -> list[LogSection]:
    """The log from line `start` on, as a seat may read it; phases in which nothing happened are left out."""
    phases = max(1, len(game.program.phases))
    found, headings = [LogSection(0, "")], 0
    for number, line in enumerate(game.log(seat, language=language)):
        if line.heading:
            # Phases come round in their order, so that their headings count the rounds.
            headings += 1
            found.append(LogSection(1 + (headings - 1) // phases, line.text))
        elif number >= start:
            found[-1].lines.append(line.text)
    return [section for section in found if section.lines]


def recent(game: Game) -> int:
    """The line of the log where the round before this one begins, for somebody who comes back."""
    headings = [number for number, line in enumerate(game.log(None)) if line.heading]
    phases = max(1, len(game.program.phases))
    begins = headings[::phases]
    return begins[-2] if len(begins) > 1 else 0


def tell(console: Console, told: Iterable[LogSection], brief: bool = False) -> None:
    """Write sections. brief: each as one paragraph, to leave room for the table."""
    last = 0
    for section in told:
        if section.round != last:
            last = section.round
            console.say(Styled(console.told(phrase("log", "Round {round}", round=section.round)), "strong"))
        if brief:
            first = Styled(console.speech.headed(section.phase), "key") if section.phase else None
            console.paragraph(" ".join(section.lines), indent="  ", first=first, hang="  ")
            continue
        if section.phase:
            console.say("  ", Styled(section.phase, "key"))
        for line in section.lines:
            console.paragraph(line, indent="    " if section.phase else "  ", hang="  ")


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
    """The line that says who has won."""
    first = tuple(name for name, standing in zip(names, standings, strict=True) if standing.rank == 1)
    total, say = standings[0].total, (speech or english()).say
    if len(standings) == 1:
        return say(phrase("score", "Result: {points} [point|points].", points=total))
    if len(first) > 1:
        told = phrase("score", "Winners: {names}, {points} [point|points] each.", names=first, points=total)
        return say(told)
    return say(phrase("score", "Winner: {name}, {points} [point|points].", name=first[0], points=total))


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
    titles = [title for title, _ in standings[0].lines]
    margin = max(cells(title) for title in [*titles, points, rank])
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
    lines.append(row(points, [speech.number(s.total) for s in standings], "strong"))
    lines.append(row(rank, [speech.place(s.rank) for s in standings], "strong"))
    return lines


def _listed(standings: list[Standing], names: list[str], width: int, speech: Speech) -> list[ConsoleLine]:
    lines: list[ConsoleLine] = []
    for standing, name in zip(standings, names, strict=True):
        told = speech.entry(name, speech.number(standing.total))
        lines.append([Styled(f"{speech.place(standing.rank)}  {told}", "strong")])
        items = [speech.entry(title, speech.number(points)) for title, points in standing.lines]
        items = [f"{item} ·" for item in items[:-1]] + items[-1:]
        lines += [["   ", line] for line in flow(items, width - 3)]
    return lines
