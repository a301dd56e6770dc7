"""What a run came to, in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rulewright.i18n.speech import Argument, DecimalNumber, Phrase, phrase
from rulewright.simulation.quantities import decimals
from rulewright.simulation.results import ResultsFolder, SettingResults
from rulewright.simulation.statistics import mean, share

_INDENT = "  "


def summary(found: ResultsFolder) -> Iterator[tuple[str, Phrase]]:
    """A run, by setting and seat, in lines, each after its indent. Raises DamagedError."""
    for setting in found.settings:
        if setting.limited:
            yield "", _at_the_limit(setting)
        if not len(setting.games):
            continue
        shared = float((setting.game("winners") > 1).mean())
        wins, totals = setting.seat("won"), setting.seat("total")
        yield (
            "",
            phrase(
                "simulation",
                "{setting} {games} [game|games] of {rounds} rounds; the lead changes {changes} times; {shared} end in "
                "a shared win",
                setting=f"{setting.label}:" if setting.label else "",
                games=len(setting.games),
                rounds=DecimalNumber(float(setting.game("rounds").mean())),
                changes=DecimalNumber(float(setting.game("lead_changes").mean())),
                shared=DecimalNumber(shared, percent=True),
            ),
        )
        for seat, player in enumerate(found.plan.seats, 1):
            who: dict[str, Argument] = {"seat": seat, "player": player.role or player.player}
            if np.isnan(totals[:, seat - 1]).any():
                yield _INDENT, phrase("simulation", "seat {seat} ({player}): not scored", **who)
                continue
            won, points = share(wins[:, seat - 1]), mean(totals[:, seat - 1])
            of_won, of_points = max(1, decimals(won, shares=True)), max(1, decimals(points))
            yield (
                _INDENT,
                phrase(
                    "simulation",
                    "seat {seat} ({player}): wins {won} ({low} to {high}), {points} points (± {more})",
                    **who,
                    won=DecimalNumber(won.value, of_won, percent=True),
                    low=DecimalNumber(won.low, of_won, percent=True),
                    high=DecimalNumber(won.high, of_won, percent=True),
                    points=DecimalNumber(points.value, of_points),
                    more=DecimalNumber(points.high - points.value, of_points),
                ),
            )


def _at_the_limit(setting: SettingResults) -> Phrase:
    """How many games came to their limit, and the seed of one to look at."""
    slots: dict[str, Argument] = {
        "setting": f"{setting.label}:" if setting.label else "",
        "limited": len(setting.limited),
        "games": setting.played,
        "seed": str(setting.limited[0]),
    }
    if len(setting.games) < setting.played:
        return phrase(
            "simulation",
            "{setting} {limited} of {games} [game|games] came to the limit and [limited: has|have] no result, and "
            "all other figures leave them out. The first of them has the seed {seed}.",
            **slots,
        )
    return phrase(
        "simulation",
        "{setting} {limited} of {games} [game|games] came to the limit and [limited: is|are] counted as they stood. "
        "The first of them has the seed {seed}.",
        **slots,
    )
