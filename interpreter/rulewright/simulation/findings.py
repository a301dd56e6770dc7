"""Findings on the games of one setting, in a few sentences with their uncertainty."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from rulewright.i18n.localizer import Argument, phrase
from rulewright.simulation import statistics
from rulewright.simulation.quantities import SEAT, GameGroup, Quantity, holders, quantities
from rulewright.simulation.report_texts import FEW, Teller, seat_of
from rulewright.simulation.statistics import Estimate

MOST = 6
_OFTEN = 100
_NEAR = 0.1
"""Distance from the fair share, in shares of games, within which seats count as even."""


def findings(teller: Teller, group: GameGroup) -> list[str]:
    """Return three to six sentences, the total first."""
    known = {quantity.key: quantity for quantity in quantities(group.setting)}
    told = [
        *_total(teller, group, known),
        *_seats(teller, group, known),
        *_length(teller, group, known),
        *_closeness(teller, group, known),
        *_lines(teller, group, known),
        *_powers(teller, group),
        *_never(teller, group),
    ]
    return told[:MOST]


def _total(teller: Teller, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    total = known.get("total")
    if total is None or constant(total, group):
        return
    slots: dict[str, Argument] = {"points": teller.interval(total.estimate(group))}
    if "best" in known and len(group.setting.scored_seats) > 1:
        told = phrase(
            "report",
            "A seat scores {points} points; the most in a game are {best}.",
            best=teller.interval(known["best"].estimate(group)),
            **slots,
        )
    else:
        told = phrase("report", "A seat scores {points} points.", **slots)
    yield teller.say(told)


def constant(quantity: Quantity, group: GameGroup) -> bool:
    """Return whether a quantity is the same in every game."""
    values = quantity.values(group)
    return not len(values) or bool(values.min() == values.max())


def _seats(teller: Teller, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    seats = [quantity for key, quantity in known.items() if key.startswith(SEAT)]
    if not seats:
        return
    values = [quantity.values(group) for quantity in seats]
    chances = statistics.holm([statistics.by_chance(each, group.fair) for each in values])
    estimates = [quantity.estimate(group) for quantity in seats]
    odd = max(range(len(values)), key=lambda number: abs(estimates[number].value - group.fair))
    fair = teller.percent(round(group.fair, 3))
    if chances[odd] < statistics.CHANCE:
        slots: dict[str, Argument] = {
            "seat": teller.seat(group.plan, seat_of(seats[odd])),
            "won": teller.interval(estimates[odd], True),
            "fair": fair,
        }
        if estimates[odd].value > group.fair:
            told = phrase("report", "{seat} wins {won} of games: more than its fair share of {fair}.", **slots)
        else:
            told = phrase("report", "{seat} wins {won} of games: less than its fair share of {fair}.", **slots)
    else:
        low, high = min(each.low for each in estimates), max(each.high for each in estimates)
        between: dict[str, Argument] = {
            "low": teller.number(low, 1, True),
            "high": teller.number(high, 1, True),
            "fair": fair,
        }
        if max(high - group.fair, group.fair - low) <= _NEAR:
            told = phrase(
                "report",
                "No seat shows an advantage: all win between {low} and {high} of games, where {fair} would be fair.",
                **between,
            )
        else:
            told = phrase(
                "report",
                "Whether a seat has an advantage cannot be told from {games} [game|games]: each may win between {low} "
                "and {high}, where {fair} would be fair.",
                games=len(values[0]),
                **between,
            )
    yield teller.say(told)


def _length(teller: Teller, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    rounds, decisions = known["rounds"], known["decisions"]
    asked = teller.interval(decisions.estimate(group))
    if constant(rounds, group):
        slots: dict[str, Argument] = {"rounds": int(rounds.values(group).min()), "decisions": asked}
        games = len(rounds.values(group))
        if games < FEW:
            told = phrase(
                "report",
                "{games} [game|games] of {rounds} [round|rounds] [games: was|were] played, with {decisions} decisions.",
                games=games,
                **slots,
            )
        else:
            told = phrase(
                "report", "Every game lasts {rounds} [round|rounds] and asks for {decisions} decisions.", **slots
            )
        yield teller.say(told)
        return
    if len(rounds.values(group)) < FEW:
        yield teller.say(
            phrase(
                "report",
                "A game lasts {rounds} rounds and asks for {decisions} decisions.",
                rounds=teller.interval(rounds.estimate(group)),
                decisions=asked,
            )
        )
        return
    low, high = statistics.quantiles(rounds.values(group), (0.05, 0.95))
    yield teller.say(
        phrase(
            "report",
            "A game lasts {rounds} rounds, nine in ten of them {low} to {high}, and asks for {decisions} decisions.",
            rounds=teller.interval(rounds.estimate(group)),
            low=teller.plain(low),
            high=teller.plain(high),
            decisions=asked,
        )
    )


def _closeness(teller: Teller, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    if "margin" not in known:
        return
    margin = known["margin"].values(group)
    shared = known["shared"].estimate(group)
    if not len(margin) or constant(known["margin"], group):
        if len(margin) and shared.value:
            yield teller.say(
                phrase("report", "{shared} of games end in a shared win.", shared=teller.interval(shared, True))
            )
        return
    most = max(1, int(margin.mean() // 4))
    yield teller.say(
        phrase(
            "report",
            "The winner is {margin} points ahead; {near} of games are decided by {most} [point|points] or fewer, and "
            "{shared} end in a shared win.",
            margin=teller.interval(known["margin"].estimate(group)),
            near=teller.interval(statistics.share(margin <= most), True),
            most=most,
            shared=teller.interval(shared, True),
        )
    )


def _lines(teller: Teller, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    """Yield which line of scoring gives most points, and which fewest."""
    lines = [quantity for key, quantity in known.items() if key.startswith("points: ")]
    if len(lines) < 2:
        return
    means = [quantity.estimate(group) for quantity in lines]
    whole = sum(abs(each.value) for each in means)
    if not whole:
        return
    sizes = [
        sorted((abs(each.low), abs(each.high))) if each.low * each.high > 0 else [0.0, each.high] for each in means
    ]
    order = sorted(range(len(lines)), key=lambda number: abs(means[number].value))
    (least, second), (next_, most) = order[:2], order[-2:]
    if not (sizes[least][1] < sizes[second][0] and sizes[next_][1] < sizes[most][0]):
        return
    yield teller.say(
        phrase(
            "report",
            "Most points come from {most}: {much} a seat, {part} of all. Fewest come from {least}: {little}.",
            most=teller.speech.quoted(teller.title(lines[most])),
            much=teller.interval(means[most]),
            part=teller.number(abs(means[most].value) / whole, 0, True),
            least=teller.speech.quoted(teller.title(lines[least])),
            little=teller.interval(means[least]),
        )
    )


def _powers(teller: Teller, group: GameGroup) -> Iterator[str]:
    """Yield the powers whose holders win most and fewest games, if the difference is more than chance would give."""
    found: list[tuple[Estimate, str]] = []
    for power in group.plan.powers:
        had = holders(group.setting, power)
        if had is not None and had.count >= _OFTEN:
            found.append((had.wins, power))
    if len(found) < 2 or len(group.setting.scored_seats) < 2:
        return
    (least, weak), (most, strong) = min(found, key=_by_value), max(found, key=_by_value)
    if statistics.surely_above(most, least, comb(len(found), 2)):
        words = teller.words(group)
        yield teller.say(
            phrase(
                "report",
                "Seats that had {strong} won {most} of games, those with {weak} {least}. Powers go together with "
                "winning; that need not be their doing.",
                strong=teller.speech.quoted(words.power(strong)),
                most=teller.interval(most, True),
                weak=teller.speech.quoted(words.power(weak)),
                least=teller.interval(least, True),
            )
        )


def _by_value(found: tuple[Estimate, str]) -> float:
    return found[0].value


def _never(teller: Teller, group: GameGroup) -> Iterator[str]:
    """Yield the answers that nobody ever gives."""
    words = teller.words(group)
    never = [
        teller.speech.noted(words.choice(each.decision, each.choice), words.decision(each.decision))
        for each in group.setting.choices
        if not each.total("chosen") and each.total("offered") >= _OFTEN
    ]
    if not never:
        return
    slots: dict[str, Argument] = {"often": _OFTEN, "answers": teller.speech.parts(never[:3])}
    if more := len(never) - 3 if len(never) > 3 else 0:
        told = phrase(
            "report",
            "Never chosen, though offered {often} times or oftener: {answers}; and {more} more.",
            more=more,
            **slots,
        )
    else:
        told = phrase("report", "Never chosen, though offered {often} times or oftener: {answers}.", **slots)
    yield teller.say(told)
