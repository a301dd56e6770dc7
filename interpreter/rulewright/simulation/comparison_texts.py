"""Texts of a comparison of two groups, in sentences with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median

from rulewright.i18n.localizer import Argument, phrase
from rulewright.simulation.comparison import Compared, Comparison
from rulewright.simulation.effects import Effect
from rulewright.simulation.quantities import GameGroup, Quantity, decimals, paired
from rulewright.simulation.report_texts import Teller, not_by_rules, seat_of
from rulewright.simulation.statistics import Estimate

MAIN = ("total", "rounds", "decisions", "won: ", "margin", "lead_changes", "shared", "tie_break")
"""Main figures in order, by the beginnings of the quantities' keys."""

_MOST_POWERS = 6


def rank(key: str) -> int:
    """Return the position of a quantity among the main figures."""
    return next((place for place, begin in enumerate(MAIN) if key.startswith(begin)), len(MAIN))


# ── one figure ──


def sentence(teller: Teller, compared: Compared) -> str:
    """Describe a difference: With hand limit 12, games last 0.8 rounds longer (0.7 to 0.9): 9.1 instead of 8.3."""
    quantity, estimate = compared.quantity, compared.difference.estimate
    title = teller.title(quantity)
    alike = compared.difference.deviation == 0 and not (compared.same or compared.differs or compared.perhaps)
    if not estimate.known or alike:
        return teller.say(phrase("report", "{what}: too few games to compare.", what=title))
    if compared.same:
        value = teller.value(compared.figures[0], quantity.shares)
        return teller.say(
            phrase("report", "{what}: the same on both sides, game by game: {value}.", what=title, value=value)
        )
    if compared.differs:
        return _differing(teller, compared)
    if compared.perhaps:
        told = phrase(
            "report",
            "Perhaps: {told} Among all that is compared here, this may be chance.",
            told=_differing(teller, compared),
        )
        return teller.say(told)
    slots = _bounds(teller, estimate, quantity)
    told = phrase(
        "report",
        "{what}: cannot be told apart at {games} games. The difference is between {low} and {high}.",
        what=title,
        games=compared.difference.games,
        **slots,
    )
    return f"{teller.say(told)} {games_for(teller, compared)}"


def _unit(teller: Teller, points: str) -> str:
    if points == teller.plain(1):
        return teller.say(phrase("report", "{points} percentage point", points=points))
    return teller.say(phrase("report", "{points} percentage points", points=points))


def _bounds(teller: Teller, estimate: Estimate, quantity: Quantity) -> dict[str, Argument]:
    places, shares = decimals(estimate, quantity.shares), quantity.shares
    low, high = (teller.signed(bound, places, shares) for bound in (estimate.low, estimate.high))
    return {"low": low, "high": _unit(teller, high) if shares else high}


def _differing(teller: Teller, compared: Compared) -> str:
    quantity, estimate = compared.quantity, compared.difference.estimate
    up, shares = estimate.value >= 0, quantity.shares
    places, scale = decimals(estimate, shares), 100 if shares else 1
    both = min(decimals(each, shares) for each in compared.figures)
    low, high = (estimate.low, estimate.high) if up else (-estimate.high, -estimate.low)
    much = teller.number(abs(estimate.value) * scale, places)
    slots: dict[str, Argument] = {
        "setting": teller.label(compared.after),
        "much": _unit(teller, much) if shares else much,
        "low": teller.number(low * scale, places),
        "high": teller.number(high * scale, places),
        "after": teller.number(compared.figures[1].value, both, shares),
        "before": teller.number(compared.figures[0].value, both, shares),
    }
    match quantity.key, up:
        case "total", True:
            told = phrase(
                "report",
                "With {setting}, a seat scores {much} points more ({low} to {high}): {after} instead of {before}.",
                **slots,
            )
        case "total", False:
            told = phrase(
                "report",
                "With {setting}, a seat scores {much} points less ({low} to {high}): {after} instead of {before}.",
                **slots,
            )
        case "rounds", True:
            told = phrase(
                "report",
                "With {setting}, games last {much} rounds longer ({low} to {high}): {after} instead of {before}.",
                **slots,
            )
        case "rounds", False:
            told = phrase(
                "report",
                "With {setting}, games are over {much} rounds sooner ({low} to {high}): {after} instead of {before}.",
                **slots,
            )
        case _, True:
            told = phrase(
                "report",
                "{what} with {setting}: {much} more ({low} to {high}), {after} instead of {before}.",
                what=teller.title(quantity),
                **slots,
            )
        case _:
            told = phrase(
                "report",
                "{what} with {setting}: {much} less ({low} to {high}), {after} instead of {before}.",
                what=teller.title(quantity),
                **slots,
            )
    return teller.say(told)


def _name(teller: Teller, compared: Compared) -> str:
    return teller.say(teller.named(compared.quantity))


def games_for(teller: Teller, compared: Compared | Effect) -> str:
    """Name the number of games for a difference: About 90,000 games would show a difference of 0.5."""
    scale = 100 if compared.quantity.shares else 1
    wanted = _round_number(compared.difference.detectable * scale / 2)
    games = compared.difference.games_for(wanted / scale)
    if not math.isfinite(games):
        return ""
    size = teller.plain(wanted)
    return teller.say(
        phrase(
            "report",
            "About {games} games would show a difference of {size}.",
            games=_about(games),
            size=_unit(teller, size) if compared.quantity.shares else size,
        )
    )


def _round_number(value: float) -> float:
    """Return the nearest number not above it of 1, 2 and 5 times a power of ten."""
    if not (math.isfinite(value) and value > 0):
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value * 1.0000001)


def _about(games: float) -> int:
    digits = max(0, math.floor(math.log10(max(1, games))) - 1)
    return int(math.ceil(games / 10**digits) * 10**digits)


# ── everything ──


def heading(teller: Teller, comparison: Comparison, group: GameGroup) -> str:
    """Describe the two groups, their games, and whether these are paired."""
    first = comparison.groups[0]
    before, after = len(first.setting.games), len(group.setting.games)
    slots: dict[str, Argument] = {"one": teller.label(group), "other": teller.label(first)}
    same = paired(first, group)
    if before == after and same:
        told = phrase(
            "report",
            "{one} against {other}: {games} [game|games] each, the same shuffles on both sides",
            games=before,
            **slots,
        )
    elif before == after:
        told = phrase(
            "report", "{one} against {other}: {games} [game|games] each, on different shuffles", games=before, **slots
        )
    elif same:
        told = phrase(
            "report",
            "{one} against {other}: {games} and {before} games, the same shuffles on both sides",
            games=after,
            before=before,
            **slots,
        )
    else:
        told = phrase(
            "report",
            "{one} against {other}: {games} and {before} games, on different shuffles",
            games=after,
            before=before,
            **slots,
        )
    return teller.say(told)


def told(teller: Teller, comparison: Comparison, group: GameGroup) -> Iterator[str]:
    """Yield sentences on one group's differences: the total first, then the clearest; then possible ones."""
    found = comparison.of(group)
    clear = [each for each in found if each.differs]
    clear.sort(key=lambda each: (each.quantity.key != "total", -each.size))
    powers = [each for each in clear if each.quantity.section == "powers"]
    yield from (sentence(teller, each) for each in clear if each not in powers)
    yield from (sentence(teller, each) for each in powers[:_MOST_POWERS])
    if (more := len(powers) - _MOST_POWERS) > 0:
        yield teller.say(
            phrase(
                "report",
                "{count} more [difference|differences] [count: is|are] in how often powers are held and used.",
                count=more,
            )
        )
    if perhaps := [each for each in found if each.perhaps]:
        names = tuple(teller.speech.noted(_name(teller, each), signed_interval(teller, each)) for each in perhaps)
        yield teller.say(
            phrase(
                "report",
                "Perhaps different: {names}. Alone each of these would count as a difference; among all that is "
                "compared here it may be chance.",
                names=names,
            )
        )


def untold(teller: Teller, comparison: Comparison, group: GameGroup) -> Iterator[str]:
    """Yield sentences on one group's quantities without a clear difference, and on those that are the same."""
    found = comparison.of(group)
    same = [each for each in found if each.same]
    if len(same) == len(found) and found:
        yield teller.say(phrase("report", "Every game is the same on both sides."))
        return
    rest = [each for each in found if not (each.differs or each.perhaps or each.same)]
    seats = [each for each in rest if each.quantity.section == "seats"]
    if len(seats) > 1 and all(each.difference.estimate.known for each in seats):
        yield _seats_alike(teller, seats)
        rest = [each for each in rest if each not in seats]
    rest.sort(key=lambda each: rank(each.quantity.key))
    yield from (sentence(teller, each) for each in rest if rank(each.quantity.key) < len(MAIN))
    others = tuple(_name(teller, each) for each in rest if rank(each.quantity.key) == len(MAIN))
    if others:
        yield teller.say(phrase("report", "Nor can be told apart: {names}.", names=others))
    if same:
        names = tuple(
            teller.speech.noted(_name(teller, each), teller.value(each.figures[0], each.quantity.shares))
            for each in same
        )
        yield teller.say(phrase("report", "The same on both sides, game by game: {names}.", names=names))


def _seats_alike(teller: Teller, seats: Sequence[Compared]) -> str:
    """Describe in one sentence several seats' shares of wins without a clear difference."""
    estimates = [each.difference.estimate for each in seats]
    places = min(decimals(each, True) for each in estimates)
    low, high = min(each.low for each in estimates), max(each.high for each in estimates)
    said = phrase(
        "report",
        "Whether seats {seats} win more or fewer games cannot be told from {games} games. The differences are between "
        "{low} and {high}.",
        seats=tuple(seat_of(each.quantity) + 1 for each in seats),
        games=seats[0].difference.games,
        low=teller.signed(low, places, True),
        high=_unit(teller, teller.signed(high, places, True)),
    )
    return f"{teller.say(said)} {games_for(teller, max(seats, key=lambda each: each.difference.deviation))}"


def signed_interval(teller: Teller, compared: Compared | Effect) -> str:
    """Return a difference with its interval: −1.2 (−2.3 to −0.0)."""
    estimate, shares = compared.difference.estimate, compared.quantity.shares
    slots = _bounds(teller, estimate, compared.quantity)
    value = teller.signed(estimate.value, decimals(estimate, shares), shares)
    return teller.say(phrase("report", "{value}, {low} to {high}", value=value, **slots))


def missing(teller: Teller, comparison: Comparison) -> Iterator[str]:
    """Yield what was not compared, and the reasons."""
    for group in comparison.played:
        yield from not_by_rules(teller, group)
    for only in comparison.only:
        yield teller.say(
            phrase(
                "report",
                "Only {one} has {names}; {other} has nothing to compare with it.",
                one=teller.label(only.there),
                names=tuple(teller.speech.quoted(teller.title(quantity)) for quantity in only.quantities),
                other=teller.label(only.lacking),
            )
        )
    first = comparison.groups[0] if comparison.groups else None
    for group in comparison.tables:
        assert first is not None
        yield teller.say(
            phrase(
                "report",
                "At the table of {one} sit {these}, at that of {other} {those}: differences come from that too, and "
                "single seats are not compared.",
                one=teller.label(first),
                these=_seated(teller, first),
                other=teller.label(group),
                those=_seated(teller, group),
            )
        )
    if not comparison.compared:
        yield teller.say(phrase("report", "There are no results to compare."))


def _seated(teller: Teller, group: GameGroup) -> tuple[str, ...]:
    return tuple(teller.player(group.plan, seat) for seat in range(len(group.plan.seats)))


def helped(teller: Teller, comparison: Comparison, group: GameGroup) -> str:
    """Return how much the pairing of games helped, or ''."""
    worths = [each.difference.worth for each in comparison.of(group) if each.difference.paired]
    worths = [worth for worth in worths if math.isfinite(worth) and worth != 1.0]
    if not worths:
        return ""
    middle, most = median(worths), max(worths)
    if middle < 1.05:
        return teller.say(
            phrase(
                "report",
                "Playing the same shuffles on both sides hardly made the differences clearer: the games soon part "
                "ways.",
            )
        )
    return teller.say(
        phrase(
            "report",
            "The same shuffles on both sides made the differences as clear as {times} times the games would have "
            "without. Half of all comparisons win more; the most is {most} times.",
            times=_times(teller, middle),
            most=_times(teller, most),
        )
    )


def _times(teller: Teller, worth: float) -> str:
    return teller.number(worth, 1 if worth < 10 else 0)


def caution(teller: Teller, comparison: Comparison) -> str:
    """Explain how the number of questions was taken into account."""
    return teller.say(
        phrase(
            "report",
            "{questions} questions are asked here at once. That something differs is said so strictly that in 19 of 20 "
            "such comparisons it is never said by mistake (Holm's method); the intervals beside it are of 95% each.",
            questions=comparison.asked,
        )
    )
