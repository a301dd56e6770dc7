"""The few sentences that stand at the top of a report: what a designer would ask first, with its uncertainty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from rulewright.simulation import choices, statistics
from rulewright.simulation.comparison import CHANCE, Comparison, listed, lowered, sentence
from rulewright.simulation.quantities import SEAT, GameGroup, Quantity, alike, counted, figure, interval, quantities
from rulewright.simulation.statistics import Estimate

MOST = 6
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_OFTEN = 100


def findings(groups: Sequence[GameGroup], comparison: Comparison | None) -> list[str]:
    """Three to six sentences. With several groups, first what differs, then about the first of them."""
    told = list(_differences(comparison)) if comparison is not None else []
    where = f"With {groups[0].label}: " if comparison is not None else ""
    told += [f"{where}{lowered(each) if where else each}" for each in _about(groups[0])]
    return told[:MOST]


def _differences(comparison: Comparison) -> Iterator[str]:
    """The clearest difference of each group, and what cannot be told of the first seat."""
    for group in comparison.groups[1:4]:
        clear = [each for each in comparison.of(group) if each.differs]
        if clear:
            main = [each for each in clear if each.quantity.section not in ("powers", "measures")]
            yield sentence(max(main or clear, key=lambda each: each.size))
        else:
            yield f"Between {comparison.groups[0].label} and {group.label} no difference can be told."
    first = next(
        (each for each in comparison.compared if each.quantity.key.startswith(SEAT) and not each.differs), None
    )
    if first is not None:
        told, names_both = sentence(first), first.perhaps or not first.difference.estimate.known
        yield told if names_both else f"Between {first.before.label} and {first.after.label} {lowered(told)}"


def _about(group: GameGroup) -> Iterator[str]:
    known = {quantity.key: quantity for quantity in quantities(group.setting)}
    yield from _seats(group, known)
    yield _length(group, known)
    if "margin" in known:
        yield _closeness(group, known)
    yield from _lines(group, known)
    yield from _powers(group)
    yield from _never(group)


def _seats(group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    seats = {key: quantity for key, quantity in known.items() if key.startswith(SEAT)}
    if not seats:
        return
    values = [quantity.values(group) - group.fair for quantity in seats.values()]
    chances = statistics.holm([statistics.paired(np.zeros(len(each)), each).p for each in values])
    estimates = [quantity.estimate(group) for quantity in seats.values()]
    odd = max(range(len(values)), key=lambda number: abs(estimates[number].value - group.fair))
    names = [_seat(group, int(place)) for place in group.setting.scored_seats]
    fair = f"{figure(group.fair, 1, True).removesuffix('.0')} %"
    told = f"The {names[odd]} wins {interval(estimates[odd], True)} of games"
    if chances[odd] < CHANCE:
        much = "more" if estimates[odd].value > group.fair else "less"
        yield f"{told}: {much} than its fair share of {fair}."
    else:
        low, high = min(each.low for each in estimates), max(each.high for each in estimates)
        yield (
            f"No seat shows an advantage: all win between {figure(low, 1, True)} and {figure(high, 1, True)} % of "
            f"games, where {fair} would be fair."
        )


def _seat(group: GameGroup, place: int) -> str:
    name = f"{_ORDINALS[place]} seat" if place < len(_ORDINALS) else f"seat {place + 1}"
    return name if alike(group.plan) else f"{name}, played by {group.plan.seats[place].player},"


def _length(group: GameGroup, known: dict[str, Quantity]) -> str:
    rounds = known["rounds"].values(group)
    low, high = statistics.quantiles(rounds, (0.05, 0.95))
    decisions = interval(known["decisions"].estimate(group))
    if low == high == rounds.mean():
        return f"Every game lasts {low:g} rounds; it asks for {decisions} decisions."
    told = f"A game lasts {interval(known['rounds'].estimate(group))} rounds"
    return f"{told}, nine in ten of them {low:g} to {high:g}; it asks for {decisions} decisions."


def _closeness(group: GameGroup, known: dict[str, Quantity]) -> str:
    margin = known["margin"].values(group)
    most = max(1, int(margin.mean() // 4))
    near = statistics.share((margin <= most).astype(np.float64))
    shared = known["shared"].estimate(group)
    return (
        f"The winner is {interval(known['margin'].estimate(group))} points ahead; {interval(near, True)} of games are "
        f"decided by {counted(most, 'point')} or fewer, and {interval(shared, True)} end in a shared win."
    )


def _lines(group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    """Which line of scoring weighs most, and least."""
    lines = [quantity for key, quantity in known.items() if key.startswith("points: ")]
    if len(lines) < 2:
        return
    means = [quantity.estimate(group) for quantity in lines]
    whole = sum(abs(each.value) for each in means)
    if not whole:
        return
    order = sorted(range(len(lines)), key=lambda number: abs(means[number].value))
    most, least = order[-1], order[0]
    yield (
        f"'{lines[most].title}' brings most: {interval(means[most])} points a seat, "
        f"{figure(abs(means[most].value) / whole, 0, True)} % of all; "
        f"'{lines[least].title}' least: {interval(means[least])}."
    )


def _powers(group: GameGroup) -> Iterator[str]:
    """The powers whose holders win most and fewest games."""
    found: list[tuple[Estimate, str]] = []
    won = group.setting.scored("won")
    for power in group.plan.powers:
        if f"held: {power}" not in group.setting.columns or won.shape[1] < 2:
            continue
        held = (group.setting.scored(f"held: {power}") > 0).astype(np.float64)
        if held.sum() >= _OFTEN:
            found.append((statistics.ratio((won * held).sum(axis=1), held.sum(axis=1)), power))
    if len(found) > 1:
        (least, weak), (most, strong) = min(found, key=_by_value), max(found, key=_by_value)
        if least.high < most.low:
            yield (
                f"Seats that had '{strong}' won {interval(most, True)} of games, those with '{weak}' "
                f"{interval(least, True)}: powers go together with winning, which need not be their doing."
            )


def _by_value(found: tuple[Estimate, str]) -> float:
    return found[0].value


def _never(group: GameGroup) -> Iterator[str]:
    """Answers that nobody ever gives."""
    never = [
        f"'{answer.name}' ({each.step})"
        for [each] in choices.asked([group.setting])
        if each is not None
        for answer in each.answers
        if not answer.chosen and answer.offered >= _OFTEN
    ]
    if never:
        more = f" and {len(never) - 3} more" if len(never) > 3 else ""
        yield f"Never chosen, though offered {_OFTEN} times or oftener: {listed(never[:3])}{more}."
