"""What can be said of a game in one number, and hence of many games: compared and told about in the same way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rulewright.base.records import record
from rulewright.simulation import powers, statistics
from rulewright.simulation.plan import Plan
from rulewright.simulation.powers import Holders
from rulewright.simulation.results import GameColumns, Gathered, PartReader, SettingResults
from rulewright.simulation.sample import Gathering, Sample, Sums, together
from rulewright.simulation.statistics import Estimate, EstimatedDifference

Numbers = NDArray[np.float64]

SEAT = "won: "
"""Begins the keys of single seats' shares of wins."""


@record
class GameGroup:
    """Games that are looked at together, and what they are called among others."""

    setting: SettingResults
    label: str

    @property
    def plan(self) -> Plan:
        return self.setting.plan

    @property
    def fair(self) -> float:
        """The share of wins that each scored seat would have if all were alike."""
        return 1 / max(1, len(self.setting.scored_seats))


@record
class Quantity:
    """One number per game.

    title: as a heading; subject: begins a sentence about it; more, less: what it is to have more or less of it, with
    {} for how much; shares: whether it is a part of 1; section: what it belongs to in a report; read: the numbers of
    some games, shape (games,), nan for what has none.
    """

    key: str
    title: str
    subject: str
    section: str
    read: PartReader
    shares: bool = False
    unit: str = ""
    more: str = ""
    less: str = ""

    def values(self, group: GameGroup) -> Sample:
        """One number of each game that has one."""
        return _sample(group.setting, self.key)

    def estimate(self, group: GameGroup) -> Estimate:
        values = self.values(group)
        return statistics.share(values) if self.shares else statistics.mean(values)

    def compare(self, before: GameGroup, after: GameGroup) -> EstimatedDifference:
        """after - before: paired by the numbers of the games where those have the same seeds."""
        if not paired(before, after):
            return statistics.unpaired(self.values(before), self.values(after), self.shares)
        pairs = statistics.Pairs()
        for first, second in _side_by_side(before.setting, after.setting, self.read):
            both = ~(np.isnan(first) | np.isnan(second))
            pairs.add(first[both], second[both])
        return pairs.difference(self.shares)


def _side_by_side(before: SettingResults, after: SettingResults, read: PartReader) -> Iterator[tuple[Numbers, Numbers]]:
    """Of the games that both have, one number each, some at a time."""
    there = after.parts()
    part = next(there, None)
    numbers, values = (part.games, read(part)) if part else (np.empty(0, np.int64), np.empty(0))
    for here in before.parts():
        games, found = here.games, read(here)
        while len(games) and part is not None:
            _, first, second = np.intersect1d(games, numbers, assume_unique=True, return_indices=True)
            yield found[first], values[second]
            if part.last > here.last:
                break
            part = next(there, None)
            numbers, values = (part.games, read(part)) if part else (np.empty(0, np.int64), np.empty(0))


def paired(before: GameGroup, after: GameGroup) -> bool:
    """Whether games of the same number began from the same seed, at tables of the same size."""
    same = before.plan.seed == after.plan.seed and len(before.plan.seats) == len(after.plan.seats)
    return same and _shared(before.setting.games, after.setting.games) > 1


def _shared(here: Sequence[int], there: Sequence[int]) -> int:
    """How many games both have."""
    if isinstance(here, range) and isinstance(there, range):
        return len(range(max(here.start, there.start), min(here.stop, there.stop)))
    return len(np.intersect1d(here, there, assume_unique=True))


# ── what is gathered of all games, in one go ──


def of_games(setting: SettingResults, column: str) -> Sample:
    """A column of `games`: 'rounds', 'lead_changes', or 'winners'."""
    return _sample(setting, _game_key(column))


def of_seat(setting: SettingResults, column: str, seat: int) -> Sample:
    """A column of `seats` in all games: of a seat that is scored, by its number from 0. column: 'won', 'total', a line
    of scoring, or a measure."""
    return _sample(setting, _seat_key(column, seat))


def of_seats(setting: SettingResults, column: str) -> Sample:
    """The same of all seats that are scored."""
    return together([of_seat(setting, column, int(seat)) for seat in setting.scored_seats])


def holders(setting: SettingResults, power: str) -> Holders | None:
    """The seats that ever had a power; None where the tables do not tell."""
    if f"held: {power}" not in setting.columns or not len(setting.scored_seats):
        return None
    sums = setting.gathered(_holders_key(power), lambda: _gathered(setting))
    assert isinstance(sums, Sums)
    return Holders(sums)


def _sample(setting: SettingResults, key: str) -> Sample:
    gathering = setting.gathered(key, lambda: _gathered(setting))
    assert isinstance(gathering, Gathering)
    return gathering.sample


def _gathered(setting: SettingResults) -> dict[str, Gathered]:
    """All that a report wants to know, by its key."""
    found: dict[str, Gathered] = {each.key: (each.read, Gathering()) for each in quantities(setting)}
    for column in ("rounds", "lead_changes", "winners"):
        found[_game_key(column)] = _game_reader(column), Gathering()
    columns = ["won", "total", *(f"points: {line.name}" for line in setting.plan.lines)]
    for column in (*columns, *(f"measure: {measure.name}" for measure in setting.plan.measures)):
        for seat in map(int, setting.scored_seats):
            found[_seat_key(column, seat)] = _seat_reader(column, seat), Gathering()
    for power in setting.plan.powers:
        if f"held: {power}" in setting.columns:
            found[_holders_key(power)] = powers.gathered(power, f"used: {power}" in setting.columns)
    return found


def _game_key(column: str) -> str:
    return f"game: {column}"


def _seat_key(column: str, seat: int) -> str:
    return f"seat {seat}: {column}"


def _holders_key(power: str) -> str:
    return f"holders: {power}"


def _game_reader(column: str) -> PartReader:
    return lambda setting: setting.game(column)


def _seat_reader(column: str, seat: int) -> PartReader:
    return lambda setting: setting.seat(column)[:, seat]


def seat_title(plan: Plan, seat: int) -> str:
    """Seat 2, or Seat 2 (greedy) where not all are played by the same kind of player. seat: from 0."""
    place = plan.seats[seat]
    return f"Seat {seat + 1}" if alike(plan) else f"Seat {seat + 1} ({place.role or place.player})"


def alike(plan: Plan) -> bool:
    """Whether all seats but virtual players' are played by the same kind of player."""
    return len({seat.player for seat in plan.seats if not seat.role}) <= 1


def quantities(setting: SettingResults) -> Iterator[Quantity]:
    """All that the games of a setting can be asked for."""
    yield from _course()
    if len(setting.scored_seats) == 0:
        return
    yield from _results(setting)
    yield from _points(setting)
    for measure in setting.plan.measures:
        yield _of_seats(f"measure: {measure.name}", measure.title, f"The measure '{measure.title}'", "measures")
    for power in setting.plan.powers:
        if f"held: {power}" in setting.columns:
            yield Quantity(
                f"held: {power}",
                f"{power}: held",
                f"The share of seats that ever have the power '{power}'",
                "powers",
                _ever(f"held: {power}"),
                shares=True,
            )
        if f"used: {power}" in setting.columns:
            yield _of_seats(f"used: {power}", f"{power}: used", f"The number of uses of '{power}' by a seat", "powers")


def _course() -> Iterator[Quantity]:
    yield Quantity(
        "rounds",
        "Rounds",
        "The number of rounds",
        "length",
        lambda setting: setting.game("rounds"),
        unit="rounds",
        more="Games last {} longer",
        less="Games are over {} sooner",
    )
    yield Quantity(
        "decisions",
        "Decisions",
        "The number of decisions in a game",
        "length",
        lambda setting: setting.game("decisions"),
        unit="decisions",
        more="Games ask for {} more",
        less="Games ask for {} fewer",
    )


def _results(setting: SettingResults) -> Iterator[Quantity]:
    if len(setting.scored_seats) < 2:
        return
    for column, place in enumerate(setting.scored_seats):
        title = seat_title(setting.plan, int(place))
        yield Quantity(
            f"{SEAT}{place + 1}",
            f"Wins of {title[0].lower()}{title[1:]}",
            f"The share of wins of {title[0].lower()}{title[1:]}",
            "seats",
            lambda setting, column=column: setting.scored("won")[:, column],  # type: ignore[misc]
            shares=True,
        )
    yield Quantity(
        "margin",
        "Margin of victory",
        "The distance between the first two places",
        "closeness",
        lambda setting: setting.game("margin"),
        unit="points",
    )
    yield Quantity(
        "lead_changes",
        "Lead changes",
        "The number of lead changes",
        "lead",
        lambda setting: setting.game("lead_changes"),
    )
    yield Quantity(
        "shared",
        "Shared wins",
        "The share of games with several winners",
        "ties",
        lambda setting: (setting.game("winners") > 1).astype(np.float64),
        shares=True,
    )
    yield Quantity(
        "tie_break",
        "Won by a tie-break",
        "The share of games that a tie-break decides",
        "ties",
        lambda setting: setting.game("tie_break"),
        shares=True,
    )


def _points(setting: SettingResults) -> Iterator[Quantity]:
    def spread(setting: GameColumns) -> Numbers:
        total = setting.scored("total")
        return np.asarray(total.max(axis=1) - total.min(axis=1))

    yield _of_seats("total", "Points of a seat", "The mean total of a seat", "score", "points")
    if len(setting.scored_seats) > 1:
        yield Quantity(
            "best",
            "Most points",
            "The highest total of a game",
            "spread",
            lambda setting: np.asarray(setting.scored("total").max(axis=1)),
            unit="points",
        )
        yield Quantity(
            "apart",
            "From first to last",
            "The distance between the highest and the lowest total",
            "spread",
            spread,
            unit="points",
        )
    for line in setting.plan.lines:
        yield _of_seats(f"points: {line.name}", line.title, f"What a seat scores for '{line.title}'", "score", "points")


def _of_seats(column: str, title: str, subject: str, section: str, unit: str = "") -> Quantity:
    """The mean of a column over the seats of a game that are scored."""
    return Quantity(column, title, subject, section, lambda setting: setting.scored(column).mean(axis=1), unit=unit)


def _ever(column: str) -> PartReader:
    return lambda setting: (setting.scored(column) > 0).mean(axis=1)


# ── figures in words ──


def figure(value: float, places: int, shares: bool = False) -> str:
    """A number with so many decimals; shares as percentages, without the sign."""
    text = f"{value * (100 if shares else 1):,.{places}f}"
    return text.removeprefix("-") if not any(digit in "123456789" for digit in text) else text.replace("-", "−")


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def interval(estimate: Estimate, shares: bool = False, unit: str = " %") -> str:
    """27.1 % (26.2 to 28.0): as many decimals as the interval leaves a meaning. unit: of shares."""
    if math.isnan(estimate.value):
        return "–"
    places = decimals(estimate, shares)
    value = figure(estimate.value, places, shares) + (unit if shares else "")
    if not estimate.known:
        return f"{value} (one game tells nothing more)"
    low, high = figure(estimate.low, places, shares), figure(estimate.high, places, shares)
    return f"{value} ({low} to {high})" if low != high else f"{value} (always)"


def decimals(estimate: Estimate, shares: bool = False) -> int:
    """How many decimals are worth telling, by the half width of an interval."""
    width = (estimate.high - estimate.low) / 2 * (100 if shares else 1)
    if not (math.isfinite(width) and width > 1e-9):
        return 1
    return max(0, min(4, -math.floor(math.log10(width / 3))))
