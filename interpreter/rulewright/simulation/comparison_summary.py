"""Summary of a comparison in a few sentences, the total first."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rulewright.i18n.localizer import Argument, Phrase, phrase
from rulewright.simulation.comparison import Comparison, QuantityComparison
from rulewright.simulation.comparison_texts import MAIN_KEYS, games_for, main_rank, sentence, signed_interval
from rulewright.simulation.effects import Effect, ValueChange
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.report_texts import ReportTexts, seat_of
from rulewright.simulation.statistics import Estimate

_MAX_SENTENCES = 4
"""Limit of sentences on figures that differ."""
_MAX_TOGETHER = 2
"""Limit of joint effects that are told."""


def verdict(texts: ReportTexts, comparison: Comparison, effects: Sequence[Effect] = ()) -> list[str]:
    """Summarize all groups against the first one in a few sentences.

    First the change of the total, then the other main figures that differ, then what has no clear difference. effects:
    of values of which all combinations were played.
    """
    by_quantity = _by_quantity(comparison)
    if not by_quantity:
        return [texts.say(phrase("report", "There are no results to compare."))]
    main = sorted(by_quantity, key=lambda key: (main_rank(key), key))
    several = len(comparison.others) > 1
    clear = [
        key for key in main if any(each.differs for each in by_quantity[key]) and not key.startswith(("held", "used"))
    ]
    clear = [key for key in clear if main_rank(key) < len(MAIN_KEYS)] or clear[:1]
    first = [key for key in ("total",) if key in by_quantity and not all(each.same for each in by_quantity[key])]
    shown_keys = dict.fromkeys([*first, *clear[:_MAX_SENTENCES]])
    sentences = []
    for key in shown_keys:
        if own := [effect for effect in effects if effect.quantity.key == key]:
            sentences.append(_sentence_by_value(texts, by_quantity[key], own))
        else:
            sentences.append(
                _sentence_over_groups(texts, by_quantity[key]) if several else sentence(texts, by_quantity[key][0])
            )
    if not clear:
        sentences.append(_nothing_clear(texts, comparison))
    rest = [
        each for key in main if key not in shown_keys and main_rank(key) < len(MAIN_KEYS) for each in by_quantity[key]
    ]
    if open_ := [each for each in rest if not each.same and each.difference.estimate.known]:
        sentences.append(_unclear_sentence(texts, open_, several, bool(clear)))
    return list(filter(None, sentences))


def _by_quantity(comparison: Comparison) -> dict[str, list[QuantityComparison]]:
    """Group the comparisons by the key of their quantity."""
    grouped: dict[str, list[QuantityComparison]] = {}
    for each in comparison.compared:
        grouped.setdefault(each.quantity.key, []).append(each)
    return grouped


def _nothing_clear(texts: ReportTexts, comparison: Comparison) -> str:
    """Return the sentence that no difference is clear, with the number of games of the smallest group."""
    games = min(len(group.setting.games) for group in comparison.groups)
    return texts.say(
        phrase("report", "With {games} [game|games] each, no difference can be told for certain.", games=games)
    )


def _unclear_sentence(texts: ReportTexts, unclear: Sequence[QuantityComparison], several: bool, clear: bool) -> str:
    """Name the figures without a clear difference, and the number of games that would show one."""
    names = list(dict.fromkeys(texts.say(texts.name(each.quantity)) for each in unclear if seat_of(each.quantity) < 0))
    if any(seat_of(each.quantity) >= 0 for each in unclear):
        names.insert(0, texts.say(phrase("report", "which seat wins")))
    slots: dict[str, Argument] = {"names": tuple(names)}
    if clear:
        message = phrase("report", "Cannot be told apart, or not for certain: {names}.", **slots)
    else:
        message = phrase("report", "Neither can be told apart: {names}.", **slots)
    varying = [each for each in unclear if math.isfinite(each.difference.deviation) and each.difference.deviation > 0]
    if several or not varying:
        return texts.say(message)
    return f"{texts.say(message)} {games_for(texts, varying[0])}"


def _first_figure(texts: ReportTexts, first: QuantityComparison) -> str:
    """Return the figure of the first group as a sentence."""
    quantity = first.quantity
    slots: dict[str, Argument] = {
        "setting": texts.short_with_note(first.before),
        "value": texts.value(first.figures[0], quantity.shares),
    }
    match quantity.key:
        case "total":
            message = phrase("report", "A seat scores {value} points with {setting}.", **slots)
        case "rounds":
            message = phrase("report", "A game lasts {value} rounds with {setting}.", **slots)
        case _:
            message = phrase("report", "{what}: {value} with {setting}.", what=texts.title(quantity), **slots)
    return texts.say(message)


def _sentence_over_groups(texts: ReportTexts, comparisons: Sequence[QuantityComparison]) -> str:
    """Describe one figure in many groups: its value in the first, then the groups where it is higher, lower, or
    unclear."""
    sentences = [_first_figure(texts, comparisons[0])]
    higher = [each for each in comparisons if each.differs and each.difference.estimate.value > 0]
    lower = [each for each in comparisons if each.differs and each.difference.estimate.value < 0]
    rest = [each for each in comparisons if not each.differs]
    if higher:
        sentences.append(
            texts.say(phrase("report", "More with {settings}.", settings=_groups_with_intervals(texts, higher)))
        )
    if lower:
        sentences.append(
            texts.say(phrase("report", "Less with {settings}.", settings=_groups_with_intervals(texts, lower)))
        )
    if rest:
        names = tuple(texts.short_label(each.after) for each in rest)
        sentences.append(texts.say(phrase("report", "Cannot be told apart with {settings}.", settings=names)))
        varying = [each for each in rest if each.difference.deviation > 0]
        if varying:
            sentences.append(games_for(texts, max(varying, key=lambda each: each.difference.deviation)))
    return " ".join(filter(None, sentences))


def _groups_with_intervals(texts: ReportTexts, comparisons: Sequence[QuantityComparison]) -> tuple[str, ...]:
    """Return the groups, each with the interval of its difference."""
    return tuple(
        texts.localizer.with_note(texts.short_label(each.after), signed_interval(texts, each)) for each in comparisons
    )


# ── values of which all combinations were played ──


def _sentence_by_value(texts: ReportTexts, comparisons: Sequence[QuantityComparison], effects: Sequence[Effect]) -> str:
    """Describe one figure by values: its value in the first group, the effect of each value, strongest first, joint
    effects, and the extremes."""
    single = sorted((each for each in effects if len(each.changes) == 1), key=_size, reverse=True)
    more = [each for each in single if each.differs and each.difference.estimate.value > 0]
    less = [each for each in single if each.differs and each.difference.estimate.value < 0]
    rest = tuple(change_text(texts, each.changes[0]) for each in single if not each.differs)
    phrases: list[Phrase] = []
    if more:
        phrases.append(phrase("report", "More with {settings}.", settings=_changes_with_intervals(texts, more)))
    if less:
        phrases.append(phrase("report", "Less with {settings}.", settings=_changes_with_intervals(texts, less)))
    if rest:
        phrases.append(phrase("report", "Cannot be told apart with {settings}.", settings=rest))
    joint = sorted((each for each in effects if len(each.changes) > 1 and each.differs), key=_size, reverse=True)
    sentences = [_first_figure(texts, comparisons[0]), *map(texts.say, phrases)]
    sentences += [joint_effect_sentence(texts, each) for each in joint[:_MAX_TOGETHER]]
    return " ".join(filter(None, [*sentences, _extremes(texts, comparisons)]))


def _size(effect: Effect) -> float:
    """Return the size of an effect without its sign, for sorting."""
    return abs(effect.difference.estimate.value)


def _changes_with_intervals(texts: ReportTexts, effects: Sequence[Effect]) -> tuple[str, ...]:
    """Return the changes of single values, each with the interval of its effect."""
    return tuple(
        texts.localizer.with_note(change_text(texts, each.changes[0]), signed_interval(texts, each)) for each in effects
    )


def change_text(texts: ReportTexts, change: ValueChange) -> str:
    """Return a change of a value as text: hand limit 8 instead of 10; for an option that is switched on, its name."""
    words = texts.words(texts.groups[0])
    return words.instead(change.name, change.after, change.before)


def joint_effect_sentence(texts: ReportTexts, effect: Effect) -> str:
    """Describe the joint effect of two values beyond their own effects."""
    one, other = (change_text(texts, change) for change in effect.changes)
    return texts.say(
        phrase(
            "report",
            "Beyond what each does by itself, {one} together with {other}: {difference}.",
            one=one,
            other=other,
            difference=signed_interval(texts, effect),
        )
    )


def _extremes(texts: ReportTexts, comparisons: Sequence[QuantityComparison]) -> str:
    """Name the settings with the least and the greatest value of a figure."""
    quantity = comparisons[0].quantity
    settings = [
        (comparisons[0].figures[0], comparisons[0].before),
        *((each.figures[1], each.after) for each in comparisons),
    ]

    def value(pair: tuple[Estimate, GameGroup]) -> float:
        return pair[0].value

    def slots(pair: tuple[Estimate, GameGroup]) -> dict[str, str]:
        estimate, group = pair
        return {"setting": texts.label(group), "value": texts.value(estimate, quantity.shares)}

    least, most = min(settings, key=value), max(settings, key=value)
    extremes = (
        (least, phrase("report", "The least is {value}, with {setting}.", **slots(least))),
        (most, phrase("report", "The most is {value}, with {setting}.", **slots(most))),
    )
    return " ".join(texts.say(message) for (_, group), message in extremes if group is not comparisons[0].before)
