"""Texts of a comparison of two groups, in sentences with their uncertainty."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median

from rulewright.i18n.localizer import Argument, phrase
from rulewright.simulation.comparison import Comparison, QuantityComparison
from rulewright.simulation.effects import Effect
from rulewright.simulation.quantities import GameGroup, Quantity, are_paired, decimals
from rulewright.simulation.report_texts import ReportTexts, seat_of, unfinished_notes
from rulewright.simulation.statistics import Estimate

MAIN_KEYS = ("total", "rounds", "decisions", "won: ", "margin", "lead_changes", "shared", "tie_break")
"""Beginnings of the keys of the main figures, in order."""

_MAX_POWERS = 6
"""Limit of differences of powers that are told one by one."""


def main_rank(key: str) -> int:
    """Return the position of a quantity among the main figures; len(MAIN_KEYS) for any other."""
    return next((place for place, begin in enumerate(MAIN_KEYS) if key.startswith(begin)), len(MAIN_KEYS))


# ── one figure ──


def sentence(texts: ReportTexts, compared: QuantityComparison) -> str:
    """Describe a difference, or why none can be told: With hand limit 12, games last 0.8 rounds longer (0.7 to 0.9):
    9.1 instead of 8.3."""
    quantity, estimate = compared.quantity, compared.difference.estimate
    title = texts.title(quantity)
    too_few = compared.difference.deviation == 0 and not (compared.same or compared.differs or compared.perhaps)
    if not estimate.known or too_few:
        return texts.say(phrase("report", "{what}: too few games to compare.", what=title))
    if compared.same:
        value = texts.value(compared.figures[0], quantity.shares)
        return texts.say(
            phrase("report", "{what}: the same on both sides, game by game: {value}.", what=title, value=value)
        )
    if compared.differs:
        return _difference_sentence(texts, compared)
    if compared.perhaps:
        message = phrase(
            "report",
            "Perhaps: {told} Among all that is compared here, this may be chance.",
            told=_difference_sentence(texts, compared),
        )
        return texts.say(message)
    slots = _bounds(texts, estimate, quantity)
    message = phrase(
        "report",
        "{what}: cannot be told apart at {games} games. The difference is between {low} and {high}.",
        what=title,
        games=compared.difference.games,
        **slots,
    )
    return f"{texts.say(message)} {games_for(texts, compared)}"


def _unit(texts: ReportTexts, points: str) -> str:
    """Return a number of percentage points with its unit."""
    if points == texts.plain(1):
        return texts.say(phrase("report", "{points} percentage point", points=points))
    return texts.say(phrase("report", "{points} percentage points", points=points))


def _bounds(texts: ReportTexts, estimate: Estimate, quantity: Quantity) -> dict[str, Argument]:
    """Return the ends of a difference's interval, the upper one with its unit."""
    places, shares = decimals(estimate, quantity.shares), quantity.shares
    low, high = (texts.signed(bound, places, shares) for bound in (estimate.low, estimate.high))
    return {"low": low, "high": _unit(texts, high) if shares else high}


def _difference_sentence(texts: ReportTexts, compared: QuantityComparison) -> str:
    """Return a sentence that says how a quantity differs, with its interval."""
    quantity, estimate = compared.quantity, compared.difference.estimate
    up, shares = estimate.value >= 0, quantity.shares
    places, scale = decimals(estimate, shares), 100 if shares else 1
    both = min(decimals(each, shares) for each in compared.figures)
    low, high = (estimate.low, estimate.high) if up else (-estimate.high, -estimate.low)
    much = texts.number(abs(estimate.value) * scale, places)
    slots: dict[str, Argument] = {
        "setting": texts.label(compared.after),
        "much": _unit(texts, much) if shares else much,
        "low": texts.number(low * scale, places),
        "high": texts.number(high * scale, places),
        "after": texts.number(compared.figures[1].value, both, shares),
        "before": texts.number(compared.figures[0].value, both, shares),
    }
    match quantity.key, up:
        case "total", True:
            message = phrase(
                "report",
                "With {setting}, a seat scores {much} points more ({low} to {high}): {after} instead of {before}.",
                **slots,
            )
        case "total", False:
            message = phrase(
                "report",
                "With {setting}, a seat scores {much} points less ({low} to {high}): {after} instead of {before}.",
                **slots,
            )
        case "rounds", True:
            message = phrase(
                "report",
                "With {setting}, games last {much} rounds longer ({low} to {high}): {after} instead of {before}.",
                **slots,
            )
        case "rounds", False:
            message = phrase(
                "report",
                "With {setting}, games are over {much} rounds sooner ({low} to {high}): {after} instead of {before}.",
                **slots,
            )
        case _, True:
            message = phrase(
                "report",
                "{what} with {setting}: {much} more ({low} to {high}), {after} instead of {before}.",
                what=texts.title(quantity),
                **slots,
            )
        case _:
            message = phrase(
                "report",
                "{what} with {setting}: {much} less ({low} to {high}), {after} instead of {before}.",
                what=texts.title(quantity),
                **slots,
            )
    return texts.say(message)


def _name(texts: ReportTexts, compared: QuantityComparison) -> str:
    """Return a quantity's name inside of a sentence."""
    return texts.say(texts.name(compared.quantity))


def games_for(texts: ReportTexts, compared: QuantityComparison | Effect) -> str:
    """Return a sentence with the number of games that would show a difference: About 90,000 games would show a
    difference of 0.5. '' where no number would."""
    scale = 100 if compared.quantity.shares else 1
    size = _round_number(compared.difference.detectable * scale / 2)
    games = compared.difference.games_for(size / scale)
    if not math.isfinite(games):
        return ""
    size_text = texts.plain(size)
    return texts.say(
        phrase(
            "report",
            "About {games} games would show a difference of {size}.",
            games=_about(games),
            size=_unit(texts, size_text) if compared.quantity.shares else size_text,
        )
    )


def _round_number(value: float) -> float:
    """Return the nearest number not above it of 1, 2 and 5 times a power of ten."""
    if not (math.isfinite(value) and value > 0):
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value * 1.0000001)


def _about(games: float) -> int:
    """Round a number of games up to two digits."""
    digits = max(0, math.floor(math.log10(max(1, games))) - 1)
    return int(math.ceil(games / 10**digits) * 10**digits)


# ── everything ──


def heading(texts: ReportTexts, comparison: Comparison, group: GameGroup) -> str:
    """Describe the two groups, their games, and whether these are paired."""
    first = comparison.groups[0]
    before, after = len(first.setting.games), len(group.setting.games)
    slots: dict[str, Argument] = {"one": texts.label(group), "other": texts.label(first)}
    same = are_paired(first, group)
    if before == after and same:
        message = phrase(
            "report",
            "{one} against {other}: {games} [game|games] each, the same shuffles on both sides",
            games=before,
            **slots,
        )
    elif before == after:
        message = phrase(
            "report", "{one} against {other}: {games} [game|games] each, on different shuffles", games=before, **slots
        )
    elif same:
        message = phrase(
            "report",
            "{one} against {other}: {games} and {before} games, the same shuffles on both sides",
            games=after,
            before=before,
            **slots,
        )
    else:
        message = phrase(
            "report",
            "{one} against {other}: {games} and {before} games, on different shuffles",
            games=after,
            before=before,
            **slots,
        )
    return texts.say(message)


def clear_differences(texts: ReportTexts, comparison: Comparison, group: GameGroup) -> Iterator[str]:
    """Yield sentences on one group's differences: the total first, then the clearest; then possible ones."""
    comparisons = comparison.comparisons_of(group)
    clear = [each for each in comparisons if each.differs]
    clear.sort(key=lambda each: (each.quantity.key != "total", -each.size))
    powers = [each for each in clear if each.quantity.section == "powers"]
    yield from (sentence(texts, each) for each in clear if each not in powers)
    yield from (sentence(texts, each) for each in powers[:_MAX_POWERS])
    if (more := len(powers) - _MAX_POWERS) > 0:
        yield texts.say(
            phrase(
                "report",
                "{count} more [difference|differences] [count: is|are] in how often powers are held and used.",
                count=more,
            )
        )
    if perhaps := [each for each in comparisons if each.perhaps]:
        names = tuple(texts.localizer.with_note(_name(texts, each), signed_interval(texts, each)) for each in perhaps)
        yield texts.say(
            phrase(
                "report",
                "Perhaps different: {names}. Alone each of these would count as a difference; among all that is "
                "compared here it may be chance.",
                names=names,
            )
        )


def unclear_differences(texts: ReportTexts, comparison: Comparison, group: GameGroup) -> Iterator[str]:
    """Yield sentences on one group's quantities without a clear difference, and on those that are the same."""
    comparisons = comparison.comparisons_of(group)
    same = [each for each in comparisons if each.same]
    if len(same) == len(comparisons) and comparisons:
        yield texts.say(phrase("report", "Every game is the same on both sides."))
        return
    rest = [each for each in comparisons if not (each.differs or each.perhaps or each.same)]
    seats = [each for each in rest if each.quantity.section == "seats"]
    if len(seats) > 1 and all(each.difference.estimate.known for each in seats):
        yield _unclear_seats(texts, seats)
        rest = [each for each in rest if each not in seats]
    rest.sort(key=lambda each: main_rank(each.quantity.key))
    yield from (sentence(texts, each) for each in rest if main_rank(each.quantity.key) < len(MAIN_KEYS))
    others = tuple(_name(texts, each) for each in rest if main_rank(each.quantity.key) == len(MAIN_KEYS))
    if others:
        yield texts.say(phrase("report", "Nor can be told apart: {names}.", names=others))
    if same:
        names = tuple(
            texts.localizer.with_note(_name(texts, each), texts.value(each.figures[0], each.quantity.shares))
            for each in same
        )
        yield texts.say(phrase("report", "The same on both sides, game by game: {names}.", names=names))


def _unclear_seats(texts: ReportTexts, seats: Sequence[QuantityComparison]) -> str:
    """Describe in one sentence several seats' shares of wins without a clear difference."""
    estimates = [each.difference.estimate for each in seats]
    places = min(decimals(each, True) for each in estimates)
    low, high = min(each.low for each in estimates), max(each.high for each in estimates)
    message = phrase(
        "report",
        "Whether seats {seats} win more or fewer games cannot be told from {games} games. The differences are between "
        "{low} and {high}.",
        seats=tuple(seat_of(each.quantity) + 1 for each in seats),
        games=seats[0].difference.games,
        low=texts.signed(low, places, True),
        high=_unit(texts, texts.signed(high, places, True)),
    )
    return f"{texts.say(message)} {games_for(texts, max(seats, key=lambda each: each.difference.deviation))}"


def signed_interval(texts: ReportTexts, compared: QuantityComparison | Effect) -> str:
    """Return a difference with its interval: −1.2 (−2.3 to −0.0)."""
    estimate, shares = compared.difference.estimate, compared.quantity.shares
    slots = _bounds(texts, estimate, compared.quantity)
    value = texts.signed(estimate.value, decimals(estimate, shares), shares)
    return texts.say(phrase("report", "{value}, {low} to {high}", value=value, **slots))


def uncompared_notes(texts: ReportTexts, comparison: Comparison) -> Iterator[str]:
    """Yield what was not compared, and the reasons."""
    for group in comparison.played:
        yield from unfinished_notes(texts, group)
    for only in comparison.unmatched:
        yield texts.say(
            phrase(
                "report",
                "Only {one} has {names}; {other} has nothing to compare with it.",
                one=texts.label(only.group),
                names=tuple(texts.localizer.quote(texts.title(quantity)) for quantity in only.quantities),
                other=texts.label(only.other),
            )
        )
    first = comparison.groups[0] if comparison.groups else None
    for group in comparison.tables:
        assert first is not None
        yield texts.say(
            phrase(
                "report",
                "At the table of {one} sit {these}, at that of {other} {those}: differences come from that too, and "
                "single seats are not compared.",
                one=texts.label(first),
                these=_player_names(texts, first),
                other=texts.label(group),
                those=_player_names(texts, group),
            )
        )
    if not comparison.compared:
        yield texts.say(phrase("report", "There are no results to compare."))


def _player_names(texts: ReportTexts, group: GameGroup) -> tuple[str, ...]:
    """Return the players of all seats."""
    return tuple(texts.player(group.plan, seat) for seat in range(len(group.plan.seats)))


def pairing_benefit(texts: ReportTexts, comparison: Comparison, group: GameGroup) -> str:
    """Return how much the pairing of games helped; '' if no games were paired, or if it is not known."""
    worths = [each.difference.worth for each in comparison.comparisons_of(group) if each.difference.paired]
    worths = [worth for worth in worths if math.isfinite(worth) and worth != 1.0]
    if not worths:
        return ""
    middle, most = median(worths), max(worths)
    if middle < 1.05:
        return texts.say(
            phrase(
                "report",
                "Playing the same shuffles on both sides hardly made the differences clearer: the games soon part "
                "ways.",
            )
        )
    return texts.say(
        phrase(
            "report",
            "The same shuffles on both sides made the differences as clear as {times} times the games would have "
            "without. Half of all comparisons win more; the most is {most} times.",
            times=_times(texts, middle),
            most=_times(texts, most),
        )
    )


def _times(texts: ReportTexts, worth: float) -> str:
    """Return a factor as text."""
    return texts.number(worth, 1 if worth < 10 else 0)


def caution(texts: ReportTexts, comparison: Comparison) -> str:
    """Explain how the number of questions was taken into account."""
    return texts.say(
        phrase(
            "report",
            "{questions} questions are asked here at once. That something differs is said so strictly that in 19 of 20 "
            "such comparisons it is never said by mistake (Holm's method); the intervals beside it are of 95% each.",
            questions=comparison.questions,
        )
    )
