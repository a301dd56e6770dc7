"""Quantities: one number for each game, and hence for many games, that can be compared and described alike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray

from rulewright.base.records import record
from rulewright.simulation import powers, statistics
from rulewright.simulation.plan import Plan
from rulewright.simulation.powers import Holders
from rulewright.simulation.results import GameColumns, GameReader, PartReader, SettingResults
from rulewright.simulation.sample import Gathering, Sample, Sums, joined_sample
from rulewright.simulation.statistics import Estimate, EstimatedDifference

Numbers = NDArray[np.float64]
"""One number for each game."""

SEAT = "won: "
"""Beginning of the keys of single seats' shares of wins."""


@record
class GameGroup:
    """Games that belong together, and their label among other groups."""

    setting: SettingResults
    label: str

    @property
    def plan(self) -> Plan:
        """Plan of the run that the games are of."""
        return self.setting.plan

    @property
    def fair(self) -> float:
        """Share of wins that each scored seat would have if all were equal."""
        return 1 / max(1, len(self.setting.scored_seats))


@record
class Quantity:
    """Quantity with one number per game; its title is in `report_texts`.

    shares: whether it is a part of 1; section: of the report; read: returns the numbers of some games, shape (games,),
    nan for games without one.
    """

    key: str
    section: str
    read: PartReader
    shares: bool = False

    def values(self, group: GameGroup) -> Sample:
        """Return one number for each game that has one. All that a report needs of the setting is read on first use."""
        return _sample(group.setting, self.key)

    def estimate(self, group: GameGroup) -> Estimate:
        """Return the mean or the share of a group's games, with its interval."""
        values = self.values(group)
        return statistics.share(values) if self.shares else statistics.mean(values)


def differences(compared: Sequence[Quantity], before: GameGroup, after: GameGroup) -> list[EstimatedDifference]:
    """Return the differences after - before: paired by game number if these games have the same seeds."""
    if not compared or not are_paired(before, after):
        return [
            statistics.unpaired_difference(each.values(before), each.values(after), each.shares) for each in compared
        ]
    pairs = [statistics.Pairs() for _ in compared]
    for games in side_by_side([before.setting, after.setting], compared):
        for each, known in zip(pairs, np.moveaxis(games, 1, 0), strict=True):
            each.add(*known[:, ~np.isnan(known).any(axis=0)])
    return [known.difference(each.shares) for each, known in zip(compared, pairs, strict=True)]


def side_by_side(settings: Sequence[SettingResults], read_quantities: Sequence[Quantity]) -> Iterator[Numbers]:
    """Yield the numbers of all quantities in the games that all settings have, some games at a time.

    Shape (settings, quantities, games): each file is read once. It ends with the setting that ends first.
    """
    parts = [setting.parts(whole=len(read_quantities) > 1) for setting in settings]
    games: list[NDArray[np.int64]] = [np.empty(0, np.int64) for _ in settings]
    values: list[Numbers] = [np.empty(0) for _ in settings]
    while True:
        for index, part in enumerate(parts):
            while not len(games[index]):
                next_part = next(part, None)
                if next_part is None:
                    return
                games[index], values[index] = (
                    next_part.games,
                    np.stack([each.read(next_part) for each in read_quantities]),
                )
        last = min(each[-1] for each in games)
        ends = [int(np.searchsorted(each, last, "right")) for each in games]
        both = reduce(np.intersect1d, [each[:end] for each, end in zip(games, ends, strict=True)])
        yield np.stack([each[:, np.searchsorted(numbers, both)] for numbers, each in zip(games, values, strict=True)])
        games = [each[end:] for each, end in zip(games, ends, strict=True)]
        values = [each[:, end:] for each, end in zip(values, ends, strict=True)]


def are_paired(before: GameGroup, after: GameGroup) -> bool:
    """Return whether games of the same number began from the same seed, at tables of the same size, and both groups
    have at least two of the same numbers."""
    same = before.plan.seed == after.plan.seed and len(before.plan.seats) == len(after.plan.seats)
    return same and _shared(before.setting.games, after.setting.games) > 1


def _shared(games: Sequence[int], other_games: Sequence[int]) -> int:
    """Count the games that both have."""
    if isinstance(games, range) and isinstance(other_games, range):
        return len(range(max(games.start, other_games.start), min(games.stop, other_games.stop)))
    return len(np.intersect1d(games, other_games, assume_unique=True))


# ── what is gathered of all games, in one go ──


def of_games(setting: SettingResults, column: str) -> Sample:
    """Return a column of `games`: 'rounds', 'lead_changes', or 'winners'. Raises DamagedError."""
    return _sample(setting, _game_key(column))


def of_seat(setting: SettingResults, column: str, seat: int) -> Sample:
    """Return a column of `seats` in all games for one scored seat, by its number from 0.

    column: 'won', 'total', a line of scoring, or a measure. Raises DamagedError.
    """
    return _sample(setting, _seat_key(column, seat))


def of_seats(setting: SettingResults, column: str) -> Sample:
    """Return a column of `seats` for all scored seats together. Raises DamagedError."""
    return joined_sample([of_seat(setting, column, int(seat)) for seat in setting.scored_seats])


def holders(setting: SettingResults, power: str) -> Holders | None:
    """Return the seats that ever had a power; None if the tables do not have it. Raises DamagedError."""
    if f"held: {power}" not in setting.columns or not len(setting.scored_seats):
        return None
    sums = setting.samples_of(_holders_key(power), lambda: report_readers(setting))
    assert isinstance(sums, Sums)
    return Holders(sums)


def _sample(setting: SettingResults, key: str) -> Sample:
    """Return what a reader has gathered of all games of a setting. key: of the reader."""
    gathering = setting.samples_of(key, lambda: report_readers(setting))
    assert isinstance(gathering, Gathering)
    return gathering.sample


def report_readers(setting: SettingResults) -> dict[str, GameReader]:
    """Return the readers of all that a report needs, by key, each with an empty sample or sums."""
    readers: dict[str, GameReader] = {each.key: (each.read, Gathering()) for each in quantities(setting)}
    for column in ("rounds", "lead_changes", "winners"):
        readers[_game_key(column)] = _game_reader(column), Gathering()
    columns = ["won", "total", *(f"points: {line.name}" for line in setting.plan.lines)]
    for column in (*columns, *(f"measure: {measure.name}" for measure in setting.plan.measures)):
        for seat in map(int, setting.scored_seats):
            readers[_seat_key(column, seat)] = _seat_reader(column, seat), Gathering()
    for power in setting.plan.powers:
        if f"held: {power}" in setting.columns:
            readers[_holders_key(power)] = powers.holder_sums(power, f"used: {power}" in setting.columns)
    return readers


def _game_key(column: str) -> str:
    """Return the key of the reader of a column of `games`."""
    return f"game: {column}"


def _seat_key(column: str, seat: int) -> str:
    """Return the key of the reader of a column of `seats` for one seat, from 0."""
    return f"seat {seat}: {column}"


def _holders_key(power: str) -> str:
    """Return the key of the reader of a power's holders."""
    return f"holders: {power}"


def _game_reader(column: str) -> PartReader:
    """Return the reader of a column of `games`."""
    return lambda setting: setting.game(column)


def _seat_reader(column: str, seat: int) -> PartReader:
    """Return the reader of a column of `seats` for one seat."""
    return lambda setting: setting.seat(column)[:, seat]


def same_players(plan: Plan) -> bool:
    """Return whether all seats but virtual players' have the same kind of player."""
    return len({seat.player for seat in plan.seats if not seat.role}) <= 1


def quantities(setting: SettingResults) -> Iterator[Quantity]:
    """Yield all quantities of a setting's games; only their lengths if no seat is scored."""
    yield Quantity("rounds", "length", lambda setting: setting.game("rounds"))
    yield Quantity("decisions", "length", lambda setting: setting.game("decisions"))
    if len(setting.scored_seats) == 0:
        return
    yield from _result_quantities(setting)
    yield from _point_quantities(setting)
    for measure in setting.plan.measures:
        yield _of_seats(f"measure: {measure.name}", "measures")
    for power in setting.plan.powers:
        if f"held: {power}" in setting.columns:
            yield Quantity(f"held: {power}", "powers", _ever_reader(f"held: {power}"), shares=True)
        if f"used: {power}" in setting.columns:
            yield _of_seats(f"used: {power}", "powers")


def _won_by(column: int, setting: SettingResults) -> Numbers:
    """Return, game by game, a scored seat's part of the win: 0, 1, or less where several share it. column: its index
    among the scored seats."""
    return setting.scored("won")[:, column]


def _result_quantities(setting: SettingResults) -> Iterator[Quantity]:
    """Yield the quantities of seats' wins, margins, leads and ties; none with fewer than two scored seats."""
    if len(setting.scored_seats) < 2:
        return
    for column, place in enumerate(setting.scored_seats):
        yield Quantity(
            f"{SEAT}{place + 1}",
            "seats",
            partial(_won_by, column),
            shares=True,
        )
    yield Quantity("margin", "closeness", lambda setting: setting.game("margin"))
    yield Quantity("lead_changes", "lead", lambda setting: setting.game("lead_changes"))
    yield Quantity("shared", "ties", lambda setting: (setting.game("winners") > 1).astype(np.float64), shares=True)
    yield Quantity("tie_break", "ties", lambda setting: setting.game("tie_break"), shares=True)


def _point_quantities(setting: SettingResults) -> Iterator[Quantity]:
    """Yield the quantities of points: totals, the best, the spread, and each score line."""

    def spread(setting: GameColumns) -> Numbers:
        total = setting.scored("total")
        return np.asarray(total.max(axis=1) - total.min(axis=1))

    yield _of_seats("total", "score")
    if len(setting.scored_seats) > 1:
        yield Quantity("best", "spread", lambda setting: np.asarray(setting.scored("total").max(axis=1)))
        yield Quantity("apart", "spread", spread)
    for line in setting.plan.lines:
        yield _of_seats(f"points: {line.name}", "score")


def _of_seats(column: str, section: str) -> Quantity:
    """Return the quantity that is the mean of a column of `seats` over the scored seats of a game."""
    return Quantity(column, section, lambda setting: setting.scored(column).mean(axis=1))


def _ever_reader(column: str) -> PartReader:
    """Return the reader of the share of scored seats whose column is ever above 0."""
    return lambda setting: (setting.scored(column) > 0).mean(axis=1)


# ── how exact a figure is ──


def decimals(estimate: Estimate, shares: bool = False) -> int:
    """Return the number of meaningful decimals, from 0 to 4, by the half width of an interval; 1 for an infinite one
    and for one of no width. shares: whether it is shown as a percentage."""
    width = (estimate.high - estimate.low) / 2 * (100 if shares else 1)
    if not (math.isfinite(width) and width > 1e-9):
        return 1
    return max(0, min(4, -math.floor(math.log10(width / 3))))
