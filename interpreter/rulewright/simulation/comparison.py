"""Groups of games against the first of them: what differs, what cannot be told, in sentences with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import median

from rulewright.base.records import record
from rulewright.simulation import statistics
from rulewright.simulation.quantities import (
    SEAT,
    GameGroup,
    Quantity,
    at_the_limit,
    decimals,
    figure,
    interval,
    paired,
    quantities,
)
from rulewright.simulation.statistics import Estimate, EstimatedDifference

CHANCE = 1 - statistics.CONFIDENCE


@record
class Compared:
    """One quantity in two groups. chance: the p-value as it counts among all that is asked (Holm)."""

    quantity: Quantity
    before: GameGroup
    after: GameGroup
    figures: tuple[Estimate, Estimate]
    difference: EstimatedDifference
    chance: float = 1.0

    @property
    def differs(self) -> bool:
        return self.chance < CHANCE

    @property
    def perhaps(self) -> bool:
        """Whether it would count as a difference if nothing else had been asked."""
        return not self.differs and self.difference.p < CHANCE

    @property
    def size(self) -> float:
        """The difference in standard errors, to put the clearest first."""
        error = self.difference.deviation / math.sqrt(max(1, self.difference.games))
        return abs(self.difference.estimate.value) / error if error > 0 else math.inf


@record
class Comparison:
    """All groups that have games with a result, against the first of them. asked: how many questions count as asked at
    once; missing: what was not compared, in words."""

    groups: Sequence[GameGroup]
    compared: Sequence[Compared]
    missing: Sequence[str]

    @property
    def asked(self) -> int:
        return len(self.compared)

    def of(self, group: GameGroup) -> list[Compared]:
        return [each for each in self.compared if each.after is group]


def compare(groups: Sequence[GameGroup]) -> Comparison:
    """Every quantity that the first group shares with another, and how far that is away. groups: one or more."""
    missing = [told for group in groups if (told := at_the_limit(group))]
    groups = [group for group in groups if len(group.setting.games)]
    if len(groups) < 2:
        return Comparison(groups, [], [*missing, "There are no results to compare."])
    first = groups[0]
    known = {quantity.key: quantity for quantity in quantities(first.setting)}
    found: list[Compared] = []
    for group in groups[1:]:
        others = {quantity.key: quantity for quantity in quantities(group.setting)}
        missing += _missing(first, group, known, others)
        for key, quantity in known.items():
            # At other tables a single seat is another player's.
            if key not in others or (key.startswith(SEAT) and not _same_table(first, group)):
                continue
            figures = quantity.estimate(first), quantity.estimate(group)
            if all(each.count for each in figures):
                found.append(Compared(quantity, first, group, figures, quantity.compare(first, group)))
    chances = statistics.holm([each.difference.p for each in found])
    return Comparison(groups, [replace(c, chance=p) for c, p in zip(found, chances, strict=True)], missing)


def _same_table(first: GameGroup, other: GameGroup) -> bool:
    return first.plan.seats == other.plan.seats


def _missing(
    first: GameGroup, group: GameGroup, known: dict[str, Quantity], others: dict[str, Quantity]
) -> Iterator[str]:
    for here, there, lacking in ((first, group, known.keys() - others), (group, first, others.keys() - known)):
        names = {**known, **others}
        titles = [f"'{names[key].title}'" for key in names if key in lacking and not key.startswith(SEAT)]
        if titles:
            yield f"Only {here.label} has {listed(titles)}; {there.label} has nothing to compare with it."
    if not _same_table(first, group):
        yield (
            f"At the table of {first.label} sit {seats_in_words(first)}, at that of {group.label} "
            f"{seats_in_words(group)}: differences come from that too, and single seats are not compared."
        )


def seats_in_words(group: GameGroup) -> str:
    return ", ".join(place.role or place.player for place in group.plan.seats)


# ── in words ──


def sentence(compared: Compared) -> str:
    """With hand limit 12 games last 0.8 rounds longer (0.7 to 0.9): 9.1 instead of 8.3."""
    quantity, estimate = compared.quantity, compared.difference.estimate
    where = f"With {compared.after.label}"
    if not estimate.known:
        return f"{where}: {lowered(quantity.subject)} cannot be compared with so few games."
    if compared.differs:
        return f"{where} {_by_how_much(compared)}: {_instead(compared)}."
    if compared.perhaps:
        told = f"Perhaps {lowered(where)} {_by_how_much(compared)}: {_instead(compared)}"
        return f"{told}. Alone that would count as a difference; among all that is compared here it may be chance."
    if compared.difference.deviation == 0:
        return f"{quantity.subject} is the same on both sides, game by game: {_plain(compared.figures[0], quantity)}."
    unit = " percentage points" if quantity.shares else f" {quantity.unit}".rstrip()
    places = decimals(estimate, quantity.shares)
    low, high = (_signed(bound, places, quantity.shares) for bound in (estimate.low, estimate.high))
    told = (
        f"{quantity.subject} cannot be told apart at {compared.difference.games:,} games: "
        f"the difference is between {low} and {high}{unit}"
    )
    return f"{told}; {plan_for(compared)}."


def _seats_alike(seats: Sequence[Compared]) -> str:
    """Several seats' shares of wins that cannot be told apart, in one sentence."""
    estimates = [each.difference.estimate for each in seats]
    low, high = min(each.low for each in estimates), max(each.high for each in estimates)
    places = min(decimals(each, True) for each in estimates)
    names = listed([each.quantity.key.removeprefix(SEAT) for each in seats])
    if not any(each.difference.deviation for each in seats):
        return f"Seats {names} win exactly the same games."
    return (
        f"Whether seats {names} win more or fewer games cannot be told from {seats[0].difference.games:,} games: the "
        f"differences are between {_signed(low, places, True)} and {_signed(high, places, True)} percentage points; "
        f"{plan_for(max(seats, key=lambda each: each.difference.deviation))}."
    )


def plan_for(compared: Compared) -> str:
    """About 90,000 games would show a difference of 0.5."""
    wanted = _round_number(compared.difference.detectable * (100 if compared.quantity.shares else 1) / 2)
    games = compared.difference.games_for(wanted / (100 if compared.quantity.shares else 1))
    return f"about {_about(games)} games would show a difference of {wanted:g}"


def _by_how_much(compared: Compared) -> str:
    quantity, estimate = compared.quantity, compared.difference.estimate
    low, high = sorted((abs(estimate.low), abs(estimate.high)))
    if estimate.low < 0 < estimate.high:
        low = -low if abs(estimate.value - low) else low
    upward = Estimate(abs(estimate.value), low, high, estimate.count)
    places = decimals(upward, quantity.shares)
    unit = (" percentage points" if quantity.shares else f" {quantity.unit}").rstrip()
    bounds = f"({figure(low, places, quantity.shares)} to {figure(high, places, quantity.shares)})"
    much = f"{figure(upward.value, places, quantity.shares)}{unit}"
    phrase = quantity.more if estimate.value >= 0 else quantity.less
    if phrase:
        return f"{lowered(phrase.format(much))} {bounds}"
    return f"{lowered(quantity.subject)} is {'higher' if estimate.value >= 0 else 'lower'} by {much} {bounds}"


def _instead(compared: Compared) -> str:
    after, before = compared.figures[1], compared.figures[0]
    return f"{_plain(after, compared.quantity)} instead of {_plain(before, compared.quantity)}"


def _plain(estimate: Estimate, quantity: Quantity) -> str:
    return interval(estimate, quantity.shares).partition(" (")[0]


def _signed(value: float, places: int, shares: bool) -> str:
    text = figure(value, places, shares)
    return f"+{text}" if value > 0 and not text.startswith("−") else text


def _signed_interval(compared: Compared) -> str:
    """−1.2 (−2.3 to −0.0)"""
    estimate, shares = compared.difference.estimate, compared.quantity.shares
    places = decimals(estimate, shares)
    value, low, high = (_signed(each, places, shares) for each in (estimate.value, estimate.low, estimate.high))
    return f"{value}{' percentage points' if shares else ''} ({low} to {high})"


def _round_number(value: float) -> float:
    """The nearest below of 1, 2 and 5 times a power of ten."""
    if not (math.isfinite(value) and value > 0):
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value * 1.0000001)


def _about(games: float) -> str:
    if not math.isfinite(games):
        return "endlessly many"
    digits = max(0, math.floor(math.log10(max(1, games))) - 1)
    return f"{math.ceil(games / 10**digits) * 10**digits:,}"


def heading(comparison: Comparison, group: GameGroup) -> str:
    """What was compared, and how."""
    first = comparison.groups[0]
    counts = [len(each.setting.games) for each in (first, group)]
    games = f"{counts[0]:,}" if counts[0] == counts[1] else f"{counts[0]:,} and {counts[1]:,}"
    told = f"{group.label} against {first.label}: {games} games each" if counts[0] == counts[1] else ""
    told = told or f"{group.label} against {first.label}: {counts[1]:,} and {counts[0]:,} games"
    return f"{told}, {'the same shuffles on both sides' if paired(first, group) else 'on different shuffles'}"


def helped(comparison: Comparison, group: GameGroup) -> str:
    """How much the same shuffles helped, or ''."""
    worths = [each.difference.worth for each in comparison.of(group) if each.difference.paired]
    worths = [worth for worth in worths if math.isfinite(worth) and worth != 1.0]
    if not worths:
        return ""
    middle, most = median(worths), max(worths)
    if middle < 1.05:
        return "Playing the same shuffles on both sides hardly made the differences clearer: the games soon part ways."
    return (
        f"The same shuffles on both sides made the differences as clear as {_times(middle)} the games would have "
        f"without (half of all comparisons win more; the most is {_times(most)})."
    )


def _times(worth: float) -> str:
    return f"{worth:,.1f} times" if worth < 10 else f"{worth:,.0f} times"


def caution(comparison: Comparison) -> str:
    """How all these questions at once were reckoned with."""
    return (
        f"{comparison.asked} questions are asked here at once. 'Differs' is said so strictly that in 19 of 20 such "
        "comparisons it is never said by mistake (Holm's method); the intervals beside it are of 95 % each."
    )


def told(comparison: Comparison, group: GameGroup) -> Iterator[str]:
    """Sentences for one group: what differs, the clearest first; what may; what cannot be told."""
    found = comparison.of(group)
    clear = sorted((each for each in found if each.differs), key=lambda each: -each.size)
    powers = [each for each in clear if each.quantity.section == "powers"]
    yield from (sentence(each) for each in clear if each.quantity.section != "powers")
    yield from (sentence(each) for each in powers[:_MOST_POWERS])
    if len(powers) > _MOST_POWERS:
        yield f"{len(powers) - _MOST_POWERS} more differences are in how often powers are held and used."
    if perhaps := [each for each in found if each.perhaps]:
        yield (
            "Perhaps different: "
            + "; ".join(f"'{each.quantity.title}' by {_signed_interval(each)}" for each in perhaps)
            + ". Alone each of these would count as a difference; among all that is compared here it may be chance."
        )
    rest = [each for each in found if not (each.differs or each.perhaps)]
    seats = [each for each in rest if each.quantity.section == "seats"]
    if len(seats) > 1:
        yield _seats_alike(seats)
        rest = [each for each in rest if each not in seats]
    yield from (sentence(each) for each in rest if each.quantity.section in _MAIN)
    others = [f"'{each.quantity.title}'" for each in rest if each.quantity.section not in _MAIN]
    if others:
        yield f"Nor can be told apart: {listed(others)}."


_MOST_POWERS = 6
_MAIN = ("length", "seats", "closeness", "lead")


def listed(names: Sequence[str]) -> str:
    """Ada, Ben and Cora"""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def lowered(text: str) -> str:
    """A sentence's beginning, as it goes on inside another."""
    return text[:1].lower() + text[1:]
