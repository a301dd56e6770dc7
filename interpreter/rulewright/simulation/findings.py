"""Findings on the games of one setting, in a few sentences with their uncertainty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from rulewright.i18n.localizer import Argument, phrase
from rulewright.simulation import statistics
from rulewright.simulation.quantities import SEAT, GameGroup, Quantity, holders, quantities
from rulewright.simulation.report_texts import FEW, ReportTexts, seat_of
from rulewright.simulation.statistics import Estimate

MAX_FINDINGS = 6
"""Limit of sentences."""
_MANY = 100
"""Number of holders of a power, or of offers of an answer, from which on it is told of."""
_NEAR = 0.1
"""Distance from the fair share, in shares of games, within which seats count as even."""


def findings(texts: ReportTexts, group: GameGroup) -> list[str]:
    """Return the most important sentences, six at most, the total first."""
    known = {quantity.key: quantity for quantity in quantities(group.setting)}
    sentences = [
        *_points_sentence(texts, group, known),
        *_seat_sentences(texts, group, known),
        *_length_sentences(texts, group, known),
        *_closeness_sentence(texts, group, known),
        *_lines(texts, group, known),
        *_powers(texts, group),
        *_unused_answers(texts, group),
    ]
    return sentences[:MAX_FINDINGS]


def _points_sentence(texts: ReportTexts, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    """Yield the sentence on points, unless they are always the same."""
    total = known.get("total")
    if total is None or is_constant(total, group):
        return
    slots: dict[str, Argument] = {"points": texts.value_with_interval(total.estimate(group))}
    if "best" in known and len(group.setting.scored_seats) > 1:
        message = phrase(
            "report",
            "A seat scores {points} points; the most in a game are {best}.",
            best=texts.value_with_interval(known["best"].estimate(group)),
            **slots,
        )
    else:
        message = phrase("report", "A seat scores {points} points.", **slots)
    yield texts.say(message)


def is_constant(quantity: Quantity, group: GameGroup) -> bool:
    """Return whether a quantity is the same in every game; True if no game has one."""
    values = quantity.values(group)
    return not len(values) or bool(values.min() == values.max())


def _seat_sentences(texts: ReportTexts, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    """Yield a sentence on whether a seat wins more or less than its share, if there are scored seats to compare."""
    seats = [quantity for key, quantity in known.items() if key.startswith(SEAT)]
    if not seats:
        return
    names = [texts.seat(group.plan, seat_of(quantity)) for quantity in seats]
    chances = statistics.holm([statistics.by_chance(quantity.values(group), group.fair) for quantity in seats])
    yield seats_sentence(texts, names, [quantity.estimate(group) for quantity in seats], group.fair, chances)


def seats_sentence(
    texts: ReportTexts, names: Sequence[str], wins: Sequence[Estimate], fair: float, chances: Sequence[float] = ()
) -> str:
    """Return a sentence on whether a seat wins more or less than its share. chances: that a seat's share is as far from
    the fair one by chance; else its interval decides."""
    odd = max(range(len(wins)), key=lambda number: abs(wins[number].value - fair))
    fair_text = texts.percent(round(fair, 3))
    is_odd = chances[odd] < statistics.CHANCE if chances else not wins[odd].low <= fair <= wins[odd].high
    if is_odd:
        slots: dict[str, Argument] = {
            "seat": names[odd],
            "won": texts.value_with_interval(wins[odd], True),
            "fair": fair_text,
        }
        if wins[odd].value > fair:
            return texts.say(
                phrase("report", "{seat} wins {won} of games: more than its fair share of {fair}.", **slots)
            )
        return texts.say(phrase("report", "{seat} wins {won} of games: less than its fair share of {fair}.", **slots))
    low, high = min(each.low for each in wins), max(each.high for each in wins)
    between: dict[str, Argument] = {
        "low": texts.number(low, 1, True),
        "high": texts.number(high, 1, True),
        "fair": fair_text,
    }
    if max(high - fair, fair - low) <= _NEAR:
        message = phrase(
            "report",
            "No seat shows an advantage: all win between {low} and {high} of games, where {fair} would be fair.",
            **between,
        )
    else:
        message = phrase(
            "report",
            "Whether a seat has an advantage cannot be told from {games} [game|games]: each may win between {low} "
            "and {high}, where {fair} would be fair.",
            games=wins[0].count,
            **between,
        )
    return texts.say(message)


def _length_sentences(texts: ReportTexts, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    """Say how many rounds and decisions games have."""
    rounds, decisions = known["rounds"], known["decisions"]
    decisions_text = texts.value_with_interval(decisions.estimate(group))
    if is_constant(rounds, group):
        slots: dict[str, Argument] = {"rounds": int(rounds.values(group).min()), "decisions": decisions_text}
        games = len(rounds.values(group))
        if games < FEW:
            message = phrase(
                "report",
                "{games} [game|games] of {rounds} [round|rounds] [games: was|were] played, with {decisions} decisions.",
                games=games,
                **slots,
            )
        else:
            message = phrase(
                "report", "Every game lasts {rounds} [round|rounds] and asks for {decisions} decisions.", **slots
            )
        yield texts.say(message)
        return
    if len(rounds.values(group)) < FEW:
        yield texts.say(
            phrase(
                "report",
                "A game lasts {rounds} rounds and asks for {decisions} decisions.",
                rounds=texts.value_with_interval(rounds.estimate(group)),
                decisions=decisions_text,
            )
        )
        return
    low, high = statistics.quantiles(rounds.values(group), (0.05, 0.95))
    yield texts.say(
        phrase(
            "report",
            "A game lasts {rounds} rounds, nine in ten of them {low} to {high}, and asks for {decisions} decisions.",
            rounds=texts.value_with_interval(rounds.estimate(group)),
            low=texts.plain(low),
            high=texts.plain(high),
            decisions=decisions_text,
        )
    )


def _closeness_sentence(texts: ReportTexts, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    """Say how far the winner is ahead, and how often games are close or shared."""
    if "margin" not in known:
        return
    margin = known["margin"].values(group)
    shared = known["shared"].estimate(group)
    if not len(margin) or is_constant(known["margin"], group):
        if len(margin) and shared.value:
            yield texts.say(
                phrase(
                    "report", "{shared} of games end in a shared win.", shared=texts.value_with_interval(shared, True)
                )
            )
        return
    most = max(1, int(margin.mean() // 4))
    yield texts.say(
        phrase(
            "report",
            "The winner is {margin} points ahead; {near} of games are decided by {most} [point|points] or fewer, and "
            "{shared} end in a shared win.",
            margin=texts.value_with_interval(known["margin"].estimate(group)),
            near=texts.value_with_interval(statistics.share(margin <= most), True),
            most=most,
            shared=texts.value_with_interval(shared, True),
        )
    )


def _lines(texts: ReportTexts, group: GameGroup, known: dict[str, Quantity]) -> Iterator[str]:
    """Yield which line of scoring gives most points, and which fewest, if the intervals leave no doubt."""
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
    yield texts.say(
        phrase(
            "report",
            "Most points come from {most}: {much} a seat, {part} of all. Fewest come from {least}: {little}.",
            most=texts.localizer.quote(texts.title(lines[most])),
            much=texts.value_with_interval(means[most]),
            part=texts.number(abs(means[most].value) / whole, 0, True),
            least=texts.localizer.quote(texts.title(lines[least])),
            little=texts.value_with_interval(means[least]),
        )
    )


def _powers(texts: ReportTexts, group: GameGroup) -> Iterator[str]:
    """Yield the powers whose holders win most and fewest games, if the difference is more than chance would give."""
    winning: list[tuple[Estimate, str]] = []
    for power in group.plan.powers:
        power_holders = holders(group.setting, power)
        if power_holders is not None and power_holders.count >= _MANY:
            winning.append((power_holders.wins, power))
    if len(winning) < 2 or len(group.setting.scored_seats) < 2:
        return
    (least, weak), (most, strong) = min(winning, key=_by_value), max(winning, key=_by_value)
    if statistics.surely_above(most, least, comb(len(winning), 2)):
        words = texts.words(group)
        yield texts.say(
            phrase(
                "report",
                "Seats that had {strong} won {most} of games, those with {weak} {least}. Powers go together with "
                "winning; that need not be their doing.",
                strong=texts.localizer.quote(words.power(strong)),
                most=texts.value_with_interval(most, True),
                weak=texts.localizer.quote(words.power(weak)),
                least=texts.value_with_interval(least, True),
            )
        )


def _by_value(pair: tuple[Estimate, str]) -> float:
    """Return the value of an estimate, for sorting."""
    return pair[0].value


def _unused_answers(texts: ReportTexts, group: GameGroup) -> Iterator[str]:
    """Yield a sentence on the answers that nobody ever gives."""
    words = texts.words(group)
    never = [
        texts.localizer.with_note(words.choice(each.decision, each.choice), words.decision(each.decision))
        for each in group.setting.choices
        if not each.total("chosen") and each.total("offered") >= _MANY
    ]
    if not never:
        return
    slots: dict[str, Argument] = {"often": _MANY, "answers": texts.localizer.join_parts(never[:3])}
    if more := len(never) - 3 if len(never) > 3 else 0:
        message = phrase(
            "report",
            "Never chosen, though offered {often} times or oftener: {answers}; and {more} more.",
            more=more,
            **slots,
        )
    else:
        message = phrase("report", "Never chosen, though offered {often} times or oftener: {answers}.", **slots)
    yield texts.say(message)
