"""Summary of a run in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.i18n.localizer import Argument, DecimalNumber, phrase
from rulewright.simulation.quantities import decimals, of_games, of_seat
from rulewright.simulation.report_texts import ReportTexts, unfinished_notes
from rulewright.simulation.statistics import mean, share

_INDENT = "  "
"""Blanks before the lines below a heading."""


def summary(texts: ReportTexts) -> Iterator[tuple[str, Argument]]:
    """Yield lines on groups of games, seat by seat, each with its indent. Raises DamagedError."""
    for group in texts.groups:
        setting = group.setting
        label = texts.localizer.with_colon(texts.label(group)) if len(texts.groups) > 1 else ""
        yield from (("", line) for line in unfinished_notes(texts, group))
        if not len(setting.games):
            continue
        shared = (of_games(setting, "winners") <= 1).map(lambda alone: 1 - alone).mean()
        yield (
            "",
            phrase(
                "simulation",
                "{setting} {games} [game|games] of {rounds} rounds; the lead changes {changes} times; {shared} end in "
                "a shared win",
                setting=label,
                games=len(setting.games),
                rounds=DecimalNumber(of_games(setting, "rounds").mean()),
                changes=DecimalNumber(of_games(setting, "lead_changes").mean()),
                shared=DecimalNumber(shared, percent=True),
            ),
        )
        for seat, _ in enumerate(group.plan.seats, 1):
            slots: dict[str, Argument] = {"seat": seat, "player": texts.player(group.plan, seat - 1)}
            if seat - 1 not in setting.scored_seats:
                yield _INDENT, phrase("simulation", "seat {seat} ({player}): not scored", **slots)
                continue
            won, points = share(of_seat(setting, "won", seat - 1)), mean(of_seat(setting, "total", seat - 1))
            of_won, of_points = max(1, decimals(won, shares=True)), max(1, decimals(points))
            slots |= {
                "won": DecimalNumber(won.value, of_won, percent=True),
                "low": DecimalNumber(won.low, of_won, percent=True),
                "high": DecimalNumber(won.high, of_won, percent=True),
                "points": DecimalNumber(points.value, of_points),
            }
            if not points.known:
                line = phrase(
                    "simulation", "seat {seat} ({player}): wins {won} ({low} to {high}), {points} points", **slots
                )
            else:
                line = phrase(
                    "simulation",
                    "seat {seat} ({player}): wins {won} ({low} to {high}), {points} points (± {more})",
                    **slots,
                    more=DecimalNumber(points.high - points.value, of_points),
                )
            yield _INDENT, line
