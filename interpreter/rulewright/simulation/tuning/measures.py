"""Measures of a search: one number of each game, by the name that people type.

All quantities of simulations, and the spread of seat wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb

import numpy as np

from rulewright.base.records import record
from rulewright.i18n.localizer import Localizer, Phrase, phrase
from rulewright.simulation.quantities import SEAT, Numbers, quantities
from rulewright.simulation.results import SettingResults

SPREAD = "spread of seat wins"
"""Key of the measure of how far apart the seats' shares of wins are."""
LENGTH = "length"
"""Name of a game's length, without saying in what it is measured."""


@record
class GameMeasure:
    """Measure of a game.

    - name: what people type
    - key: of the quantity in a simulation
    - title: what people read
    - share: whether it is a part of 1, shown in per cent
    - better: 'low' or 'high' where that is plain, else ''
    - others: further names
    - among: number of differences of which it is the greatest, or 1
    """

    name: str
    key: str
    title: Phrase | str
    share: bool = False
    better: str = ""
    others: tuple[str, ...] = ()
    among: int = 1

    def title_in(self, localizer: Localizer) -> str:
        """Return the title in a language."""
        return localizer.title(self.title)


def measures(setting: SettingResults) -> list[GameMeasure]:
    """Return all measures of the games of a table."""
    keys = {quantity.key: quantity for quantity in quantities(setting)}
    return [each for each in _all_measures(setting) if each.key in keys or (each.key == SPREAD and f"{SEAT}1" in keys)]


def _all_measures(setting: SettingResults) -> Iterator[GameMeasure]:
    """Yield the measures that games of a setting have."""
    yield GameMeasure(
        SPREAD,
        SPREAD,
        phrase("tuning", "Spread of seat wins"),
        share=True,
        better="low",
        others=("spread of wins", "spread of wins by seat", "seat spread"),
        among=max(1, comb(len(setting.scored_seats), 2)),
    )
    title = phrase("tuning", "Length, in decisions")
    yield GameMeasure("decisions", "decisions", title, others=(LENGTH, "decisions in a game", "answers"))
    yield GameMeasure("rounds", "rounds", phrase("tuning", "Rounds"), others=("length in rounds", "turns"))
    yield GameMeasure(
        "margin",
        "margin",
        phrase("tuning", "Points between first and second"),
        better="low",
        others=("closeness", "margin of victory", "points between first and second"),
    )
    yield GameMeasure(
        "distance of points",
        "apart",
        phrase("tuning", "Points from first to last"),
        better="low",
        others=("spread of points", "apart", "points from first to last", "from first to last"),
    )
    yield GameMeasure("lead changes", "lead_changes", phrase("tuning", "Lead changes"), better="high")
    title = phrase("tuning", "Games with several winners")
    yield GameMeasure("shared wins", "shared", title, share=True, better="low", others=("ties", "draws"))
    title = phrase("tuning", "Games that a tie-break decides")
    yield GameMeasure("tie-breaks", "tie_break", title, share=True, better="low", others=("won by a tie-break",))
    title = phrase("tuning", "Points of a seat")
    yield GameMeasure("points", "total", title, others=("points of a seat", "total", "score"))
    yield GameMeasure(
        "most points", "best", phrase("tuning", "Most points in a game"), others=("best", "points of the winner")
    )
    for seat in range(1, len(setting.plan.seats) + 1):
        title = phrase("tuning", "Wins of seat {seat}", seat=seat)
        yield GameMeasure(f"wins of seat {seat}", f"{SEAT}{seat}", title, share=True)
    for line in setting.plan.lines:
        title = phrase("tuning", "Points for '{line}'", line=line.title)
        yield GameMeasure(f"points for {line.name}", f"points: {line.name}", title, others=(line.name, line.title))
    for it in setting.plan.measures:
        yield GameMeasure(f"{it.name}", f"measure: {it.name}", it.title, others=(it.title,))
    for power in setting.plan.powers:
        title = phrase("tuning", "Seats that have '{power}'", power=power)
        yield GameMeasure(f"held {power}", f"held: {power}", title, share=True)
        title = phrase("tuning", "Uses of '{power}' by a seat", power=power)
        yield GameMeasure(f"used {power}", f"used: {power}", title)


def game_numbers(setting: SettingResults, games: int, chosen_measures: Mapping[str, GameMeasure]) -> dict[str, Numbers]:
    """Return one number of every game for each measure, by its name, shape (games,): nan where a game has none."""
    keys = {quantity.key: quantity.read for quantity in quantities(setting)}
    by_name = {}
    for name, measure in chosen_measures.items():
        values = np.full(games, np.nan)
        if measure.key == SPREAD and f"{SEAT}1" in keys:
            values[setting.games] = _seat_spread(setting)
        elif measure.key in keys:
            values[setting.games] = keys[measure.key](setting)
        by_name[name] = values
    return by_name


def _seat_spread(setting: SettingResults) -> Numbers:
    """Return the wins of the seat that wins most less those of the seat that wins least, game by game."""
    won = setting.scored("won")
    means = won.mean(axis=0)
    return np.asarray(won[:, means.argmax()] - won[:, means.argmin()])
