"""Summary of a comparison in a few sentences, the total first."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rulewright.i18n.localizer import Argument, Phrase, phrase
from rulewright.simulation.comparison import Compared, Comparison
from rulewright.simulation.comparison_texts import MAIN, games_for, rank, sentence, signed_interval
from rulewright.simulation.effects import Effect, ValueChange
from rulewright.simulation.quantities import GameGroup
from rulewright.simulation.report_texts import Teller, seat_of
from rulewright.simulation.statistics import Estimate

_MOST = 4
_MOST_TOGETHER = 2


def verdict(teller: Teller, comparison: Comparison, effects: Sequence[Effect] = ()) -> list[str]:
    """Summarize all groups against the first one in a few sentences.

    First the change of the total, then the other main figures that differ, then what has no clear difference. effects:
    of values of which all combinations were played.
    """
    found = _by_quantity(comparison)
    if not found:
        return [teller.say(phrase("report", "There are no results to compare."))]
    main = sorted(found, key=lambda key: (rank(key), key))
    several = len(comparison.others) > 1
    clear = [key for key in main if any(each.differs for each in found[key]) and not key.startswith(("held", "used"))]
    clear = [key for key in clear if rank(key) < len(MAIN)] or clear[:1]
    first = [key for key in ("total",) if key in found and not all(each.same for each in found[key])]
    said = dict.fromkeys([*first, *clear[:_MOST]])
    told = []
    for key in said:
        if own := [effect for effect in effects if effect.quantity.key == key]:
            told.append(_by_value(teller, found[key], own))
        else:
            told.append(_over_all(teller, found[key]) if several else sentence(teller, found[key][0]))
    if not clear:
        told.append(_nothing_clear(teller, comparison))
    rest = [each for key in main if key not in said and rank(key) < len(MAIN) for each in found[key]]
    if open_ := [each for each in rest if not each.same and each.difference.estimate.known]:
        told.append(_open(teller, open_, several, bool(clear)))
    return list(filter(None, told))


def _by_quantity(comparison: Comparison) -> dict[str, list[Compared]]:
    found: dict[str, list[Compared]] = {}
    for each in comparison.compared:
        found.setdefault(each.quantity.key, []).append(each)
    return found


def _nothing_clear(teller: Teller, comparison: Comparison) -> str:
    games = min(len(group.setting.games) for group in comparison.groups)
    return teller.say(
        phrase("report", "With {games} [game|games] each, no difference can be told for certain.", games=games)
    )


def _open(teller: Teller, found: Sequence[Compared], several: bool, clear: bool) -> str:
    """Name the figures without a clear difference, and the number of games that would show one."""
    names = list(dict.fromkeys(teller.say(teller.named(each.quantity)) for each in found if seat_of(each.quantity) < 0))
    if any(seat_of(each.quantity) >= 0 for each in found):
        names.insert(0, teller.say(phrase("report", "which seat wins")))
    slots: dict[str, Argument] = {"names": tuple(names)}
    if clear:
        told = phrase("report", "Cannot be told apart, or not for certain: {names}.", **slots)
    else:
        told = phrase("report", "Neither can be told apart: {names}.", **slots)
    shown = [each for each in found if math.isfinite(each.difference.deviation) and each.difference.deviation > 0]
    if several or not shown:
        return teller.say(told)
    return f"{teller.say(told)} {games_for(teller, shown[0])}"


def _as_the_first_has_it(teller: Teller, first: Compared) -> str:
    """Return the figure of the first group as a sentence."""
    quantity = first.quantity
    slots: dict[str, Argument] = {
        "setting": teller.marked(first.before),
        "value": teller.value(first.figures[0], quantity.shares),
    }
    match quantity.key:
        case "total":
            told = phrase("report", "A seat scores {value} points with {setting}.", **slots)
        case "rounds":
            told = phrase("report", "A game lasts {value} rounds with {setting}.", **slots)
        case _:
            told = phrase("report", "{what}: {value} with {setting}.", what=teller.title(quantity), **slots)
    return teller.say(told)


def _over_all(teller: Teller, found: Sequence[Compared]) -> str:
    """Describe one figure in many groups: its value in the first, then the groups where it is higher, lower, or
    unclear."""
    told = [_as_the_first_has_it(teller, found[0])]
    higher = [each for each in found if each.differs and each.difference.estimate.value > 0]
    lower = [each for each in found if each.differs and each.difference.estimate.value < 0]
    rest = [each for each in found if not each.differs]
    if higher:
        told.append(teller.say(phrase("report", "More with {settings}.", settings=_by(teller, higher))))
    if lower:
        told.append(teller.say(phrase("report", "Less with {settings}.", settings=_by(teller, lower))))
    if rest:
        names = tuple(teller.short(each.after) for each in rest)
        told.append(teller.say(phrase("report", "Cannot be told apart with {settings}.", settings=names)))
        varying = [each for each in rest if each.difference.deviation > 0]
        if varying:
            told.append(games_for(teller, max(varying, key=lambda each: each.difference.deviation)))
    return " ".join(filter(None, told))


def _by(teller: Teller, found: Sequence[Compared]) -> tuple[str, ...]:
    return tuple(teller.speech.noted(teller.short(each.after), signed_interval(teller, each)) for each in found)


# ── values of which all combinations were played ──


def _by_value(teller: Teller, found: Sequence[Compared], effects: Sequence[Effect]) -> str:
    """Describe one figure by values: its value in the first group, the effect of each value, strongest first, joint
    effects, and the extremes."""
    alone = sorted((each for each in effects if len(each.changes) == 1), key=_size, reverse=True)
    more = [each for each in alone if each.differs and each.difference.estimate.value > 0]
    less = [each for each in alone if each.differs and each.difference.estimate.value < 0]
    rest = tuple(changed(teller, each.changes[0]) for each in alone if not each.differs)
    told: list[Phrase] = []
    if more:
        told.append(phrase("report", "More with {settings}.", settings=_noted(teller, more)))
    if less:
        told.append(phrase("report", "Less with {settings}.", settings=_noted(teller, less)))
    if rest:
        told.append(phrase("report", "Cannot be told apart with {settings}.", settings=rest))
    joint = sorted((each for each in effects if len(each.changes) > 1 and each.differs), key=_size, reverse=True)
    said = [_as_the_first_has_it(teller, found[0]), *map(teller.say, told)]
    said += [together(teller, each) for each in joint[:_MOST_TOGETHER]]
    return " ".join(filter(None, [*said, _ends(teller, found)]))


def _size(effect: Effect) -> float:
    return abs(effect.difference.estimate.value)


def _noted(teller: Teller, effects: Sequence[Effect]) -> tuple[str, ...]:
    return tuple(
        teller.speech.noted(changed(teller, each.changes[0]), signed_interval(teller, each)) for each in effects
    )


def changed(teller: Teller, change: ValueChange) -> str:
    """Return a change of a value as text: hand limit 8 instead of 10; for an option that is switched on, its name."""
    words = teller.words(teller.groups[0])
    return words.instead(change.name, change.after, change.before)


def together(teller: Teller, effect: Effect) -> str:
    """Describe the joint effect of two values beyond their own effects."""
    one, other = (changed(teller, change) for change in effect.changes)
    return teller.say(
        phrase(
            "report",
            "Beyond what each does by itself, {one} together with {other}: {difference}.",
            one=one,
            other=other,
            difference=signed_interval(teller, effect),
        )
    )


def _ends(teller: Teller, found: Sequence[Compared]) -> str:
    """Name the settings with the least and the greatest value of a figure."""
    quantity = found[0].quantity
    settings = [(found[0].figures[0], found[0].before), *((each.figures[1], each.after) for each in found)]

    def value(pair: tuple[Estimate, GameGroup]) -> float:
        return pair[0].value

    def slots(pair: tuple[Estimate, GameGroup]) -> dict[str, str]:
        estimate, group = pair
        return {"setting": teller.label(group), "value": teller.value(estimate, quantity.shares)}

    least, most = min(settings, key=value), max(settings, key=value)
    told = (
        (least, phrase("report", "The least is {value}, with {setting}.", **slots(least))),
        (most, phrase("report", "The most is {value}, with {setting}.", **slots(most))),
    )
    return " ".join(teller.say(said) for (_, group), said in told if group is not found[0].before)
