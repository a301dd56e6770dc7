"""Report section on a comparison: all settings in one table, curves over a number, and every difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

from rulewright.i18n.localizer import phrase
from rulewright.simulation import comparison_texts, plots
from rulewright.simulation.comparison import Compared, Comparison
from rulewright.simulation.comparison_summary import together
from rulewright.simulation.effects import Effect, ValueChange
from rulewright.simulation.markup import Html, bullets, folded, joined, paragraph, section, table, tag
from rulewright.simulation.plots import CurvePoint, Strip, StripMark
from rulewright.simulation.quantities import Quantity
from rulewright.simulation.report_texts import Teller
from rulewright.simulation.sections import Sections
from rulewright.simulation.statistics import Estimate

_MOST_COLUMNS = 5
_MOST_CURVES = 12
_LEAST_POINTS, _LEAST_PART = 0.1, 20.0
"""Shortest axes of differences: a tenth of all games; a fifth of the figure."""


def at_a_glance(its: Sections, comparison: Comparison) -> Html:
    """Return a table with a row for every setting, a column for each main figure, and marks for clear differences."""
    teller = its.teller
    keys = _main(its)[:_MOST_COLUMNS]
    found = {(id(each.after), each.quantity.key): each for each in comparison.compared}
    quantities = {each.quantity.key: each.quantity for each in comparison.compared}
    kept = [key for key in keys if key in quantities]
    if not kept:
        return Html("")
    rows = []
    for number, group in enumerate(its.groups):
        cells: list[str] = teller.values(group) if teller.varied else [its.labels[number]]
        for key in kept:
            estimate, shares = its.estimates(key)[number], quantities[key].shares
            value = teller.value(estimate, shares) if estimate else "–"
            cells.append(_cell(value, found.get((id(group), key))))
        rows.append(cells)
    title = teller.say(phrase("report", "At a glance"))
    told = teller.say(
        phrase(
            "report", "▲ and ▼: surely more or less than with {setting}.", setting=teller.marked(comparison.groups[0])
        )
    )
    words = teller.words(teller.groups[0])
    what = [teller.speech.title(words.option(name)) for name in teller.varied] or [""]
    head = [*what, *(teller.title(quantities[key]) for key in kept)]
    return joined(table(head, rows, title, len(what)), paragraph(told, faint=True))


def _cell(value: str, compared: Compared | None) -> Html:
    if compared is None or not compared.differs:
        return tag("span", value)
    up = compared.difference.estimate.value > 0
    return tag("strong", value, " ", tag("span", "▲" if up else "▼", class_="up" if up else "down"))


def _main(its: Sections) -> list[str]:
    """Return the keys of the main figures that vary; one seat stands for all."""
    keys = [q.key for name in ("score", "length", "seats", "closeness", "lead", "ties") for q in its.having(name)]
    found = [next((key for key in keys if key.startswith(begin)), "") for begin in comparison_texts.MAIN]
    if "rounds" in found:
        found.remove("decisions")
    return [key for key in found if key]


def comparison_section(its: Sections, comparison: Comparison, effects: Sequence[Effect] = ()) -> Html:
    """Return the section on differences between groups, as text and pictures.

    effects: of values of which all combinations were played; they come first, and the single combinations are folded.
    """
    teller, parts = its.teller, [*_curves(its)]
    pairs = []
    for group in comparison.others:
        pairs.append(tag("h3", teller.speech.title(comparison_texts.heading(teller, comparison, group))))
        if said := list(comparison_texts.told(teller, comparison, group)):
            pairs.append(bullets(said))
        worth = comparison_texts.helped(teller, comparison, group)
        rest = [
            bullets(comparison_texts.untold(teller, comparison, group)),
            *([paragraph(worth, faint=True)] if worth else []),
        ]
        pairs.append(folded(teller.say(phrase("report", "What cannot be told apart")), *rest))
    pairs += _drawn(its, comparison)
    if effects:
        parts += _effects(its, comparison, effects)
        against = phrase("report", "Every combination against {setting}", setting=teller.label(comparison.groups[0]))
        pairs = [folded(teller.speech.title(against), *pairs)]
    parts += pairs
    if missing := list(comparison_texts.missing(teller, comparison)):
        parts.append(bullets(missing))
    title = teller.say(phrase("report", "What differs"))
    return section("comparison", title, *parts, paragraph(comparison_texts.caution(teller, comparison), faint=True))


def _effects(its: Sections, comparison: Comparison, effects: Sequence[Effect]) -> Iterator[Html]:
    """Yield the effect of each value by itself, relative to the figure or in percentage points, then joint effects."""
    teller = its.teller
    yield tag("h3", teller.say(phrase("report", "What each value does by itself")))
    told = phrase(
        "report",
        "All combinations were played, so that each value has an effect of its own: the mean over all that the others "
        "may be. Grey is what cannot be told from chance.",
    )
    yield paragraph(teller.say(told), faint=True)
    base = {each.quantity.key: abs(each.figures[0].value) for each in reversed(comparison.compared)}
    first = teller.label(comparison.groups[0])
    relative = phrase("report", "Differences, as a part of what {setting} has", setting=first)
    for shares, caption in ((False, relative), (True, phrase("report", "Differences of shares, in percentage points"))):
        rows: dict[str, list[Strip]] = {}
        ends = [0.0]
        for effect in sorted(effects, key=lambda effect: comparison_texts.rank(effect.quantity.key)):
            quantity, estimate = effect.quantity, effect.difference.estimate
            scale = 1.0 if shares else base[quantity.key]
            if quantity.shares != shares or len(effect.changes) > 1 or not (estimate.known and scale):
                continue
            mark = StripMark(_scaled(estimate, scale), 1 if effect.differs else 0)
            ends += [estimate.low / scale, estimate.high / scale]
            strip = Strip(_arrow(teller, effect.changes[0]), [mark], teller.signed_cell(estimate, shares))
            rows.setdefault(teller.title(quantity), []).append(strip)
        rows = {title: strips for title, strips in rows.items() if any(map(_moves, strips))}
        if rows:
            axis = plots.scale(ends, _least(shares), 0.0)
            yield plots.strips(teller.say(caption), list(rows.items()), axis, partial(_axis, teller, shares=shares))
    joint = [
        teller.speech.entry(teller.title(effect.quantity), together(teller, effect))
        for effect in effects
        if len(effect.changes) > 1 and effect.differs
    ]
    nothing = phrase(
        "report", "No two values do more, or less, together than by themselves that these games could show."
    )
    yield bullets(joint) if joint else paragraph(teller.say(nothing))


def _arrow(teller: Teller, change: ValueChange) -> str:
    """Return a change of a value as text: Hand limit 8 → 10."""
    words = teller.words(teller.groups[0])
    values = (words.value(change.name, value) for value in (change.before, change.after))
    return f"{words.option(change.name)} {' → '.join(values)}"


def _moves(strip: Strip) -> bool:
    """Return whether a row shows any difference."""
    return any(mark.estimate is not None and mark.estimate.high > mark.estimate.low for mark in strip.marks)


def _least(shares: bool) -> float:
    """Return the length of the shortest axis of differences."""
    return 2 * _LEAST_POINTS if shares else 2 * _LEAST_PART / 100


def _curves(its: Sections) -> Iterator[Html]:
    """Yield curves of the figures over the only number that varies, if it has three values or more."""
    teller = its.teller
    if len(teller.varied) != 1 or len(its.groups) < 3:
        return
    [name] = teller.varied
    values = [group.plan.settings[group.setting.number][name] for group in its.groups]
    if not all(value.lstrip("-").isdigit() for value in values):
        return
    keys = [*_main(its), *(q.key for part in ("score", "measures") for q in its.having(part))]
    drawn = []
    for key in list(dict.fromkeys(keys))[:_MOST_CURVES]:
        estimates = its.estimates(key)
        points = [
            CurvePoint(int(value), estimate, teller.own(group))
            for value, estimate, group in zip(values, estimates, its.groups, strict=True)
            if estimate is not None
        ]
        quantity = its.quantity(key)
        told = teller.percent if quantity.shares else teller.plain
        known = [abs(point.estimate.value) for point in points if point.estimate.known]
        lowest = min((point.estimate.low for point in points if point.estimate.known), default=0.0)
        bounds = (0.0, 1.0) if quantity.shares else (0.0 if lowest >= 0 else -math.inf, math.inf)
        least = 0.2 if quantity.shares else 0.3 * max(known, default=1.0)
        drawn.append(plots.curve(teller.title(quantity), points, least, told, teller.plain, bounds))
    option = teller.words(teller.groups[0]).option(name)
    said = phrase(
        "report", "By {option}: means, with their intervals. A hollow dot is the edition as it is.", option=option
    )
    yield paragraph(teller.say(said), faint=True)
    yield plots.panels(*drawn)


def _drawn(its: Sections, comparison: Comparison) -> Iterator[Html]:
    """Yield differences: those with the same unit on one axis, others relative to the first group."""
    teller = its.teller
    first = teller.label(comparison.groups[0])
    shares: list[Quantity] = []
    powers: list[Quantity] = []
    rest: list[Quantity] = []
    known = {each.quantity.key: each.quantity for each in comparison.compared}
    for quantity in sorted(known.values(), key=lambda quantity: comparison_texts.rank(quantity.key)):
        if quantity.key not in its.constants:
            (powers if quantity.section == "powers" else shares if quantity.shares else rest).append(quantity)
    relative = phrase("report", "Differences, as a part of what {setting} has", setting=first)
    points = phrase("report", "Differences of shares, in percentage points")
    of_powers = phrase("report", "Differences of powers held, in percentage points")
    for caption, kept in ((relative, rest), (points, shares), (of_powers, [q for q in powers if q.shares])):
        if kept:
            yield _differences(teller, its, comparison, teller.say(caption), kept)


def _differences(teller: Teller, its: Sections, comparison: Comparison, caption: str, kept: Sequence[Quantity]) -> Html:
    shares = kept[0].shares
    rows: list[tuple[str, list[Strip]]] = []
    numbers: list[list[str]] = []
    ends = [0.0]
    others = [group for group in its.groups if group in comparison.others]
    found = {(id(each.after), each.quantity.key): each for each in comparison.compared}
    for quantity in kept:
        strips = []
        for group in others:
            each = found.get((id(group), quantity.key))
            if each is None:
                continue
            base = 1.0 if shares else abs(each.figures[0].value)
            estimate = _scaled(each.difference.estimate, base) if base > 0 else None
            if estimate is not None and estimate.known:
                ends += [estimate.low, estimate.high]
            name = teller.title(quantity) if len(others) == 1 else its.labels[its.groups.index(group)]
            text = teller.signed_cell(each.difference.estimate, shares)
            strips.append(Strip(name, [StripMark(estimate, its.colour(its.groups.index(group)))], text))
            whose = teller.title(quantity)
            whose = whose if len(others) == 1 else teller.speech.row([whose, name])
            cells = (teller.cell(figures, shares) for figures in each.figures)
            numbers.append([whose, *cells, text, _told(teller, each)])
        if strips:
            rows.append((teller.title(quantity), strips))
    if len(others) == 1:
        rows = [("", [strip for _, strips in rows for strip in strips])]
    axis = plots.scale(ends, _least(shares), 0.0)
    inner = plots.strips(caption, rows, axis, partial(_axis, teller, shares=shares))
    other = teller.label(others[0]) if len(others) == 1 else teller.say(phrase("report", "the other"))
    head = [
        "",
        teller.label(comparison.groups[0]),
        other,
        teller.say(phrase("report", "difference")),
        teller.say(phrase("report", "verdict")),
    ]
    return joined(inner, plots.numbers(teller.say(phrase("report", "The numbers")), table(head, numbers, caption)))


def _axis(teller: Teller, value: float, shares: bool) -> str:
    """Return a tick label with a sign: percentage points, or a percentage of a figure."""
    if shares:
        return teller.signed(value, 0 if abs(value * 100 - round(value * 100)) < 1e-6 else 1, True)
    return f"+{teller.percent(value)}" if value > 0 else teller.percent(value)


def _told(teller: Teller, compared: Compared) -> str:
    if compared.differs:
        return teller.say(phrase("report", "differs"))
    if compared.perhaps:
        return teller.say(phrase("report", "perhaps"))
    if compared.same:
        return teller.say(phrase("report", "the same"))
    return teller.say(phrase("report", "cannot be told apart"))


def _scaled(estimate: Estimate, base: float) -> Estimate:
    return Estimate(estimate.value / base, estimate.low / base, estimate.high / base, estimate.count)
