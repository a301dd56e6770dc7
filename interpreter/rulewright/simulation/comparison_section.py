"""Report section on a comparison: all settings in one table, curves over a number, and every difference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial

from rulewright.i18n.localizer import phrase
from rulewright.simulation import comparison_texts, plots
from rulewright.simulation.comparison import Comparison, QuantityComparison
from rulewright.simulation.comparison_summary import joint_effect_sentence
from rulewright.simulation.effects import Effect, ValueChange
from rulewright.simulation.markup import Html, bullets, fold, join_lines, paragraph, section, table, tag
from rulewright.simulation.plots import CurvePoint, Strip, StripMark
from rulewright.simulation.quantities import Quantity
from rulewright.simulation.report_texts import ReportTexts
from rulewright.simulation.sections import Sections
from rulewright.simulation.statistics import Estimate

_MAX_COLUMNS = 5
"""Limit of main figures in the table of settings."""
_MAX_CURVES = 12
"""Limit of figures drawn as curves."""
_MIN_POINTS, _MIN_PART = 0.1, 20.0
"""Shortest axes of differences: a tenth of all games; a fifth of the figure."""


def settings_table(sections: Sections, comparison: Comparison) -> Html:
    """Return a table with a row for every setting, a column for each main figure that varies, _MAX_COLUMNS at most, and
    marks for clear differences; '' without such a figure."""
    texts = sections.texts
    keys = _main_keys(sections)[:_MAX_COLUMNS]
    by_group = {(id(each.after), each.quantity.key): each for each in comparison.compared}
    quantities = {each.quantity.key: each.quantity for each in comparison.compared}
    shown_keys = [key for key in keys if key in quantities]
    if not shown_keys:
        return Html("")
    rows = []
    for number, group in enumerate(sections.groups):
        cells: list[str] = texts.values(group) if texts.varied else [sections.labels[number]]
        for key in shown_keys:
            estimate, shares = sections.estimates(key)[number], quantities[key].shares
            value = texts.value(estimate, shares) if estimate else "–"
            cells.append(_cell(value, by_group.get((id(group), key))))
        rows.append(cells)
    title = texts.say(phrase("report", "At a glance"))
    legend = texts.say(
        phrase(
            "report",
            "▲ and ▼: surely more or less than with {setting}.",
            setting=texts.short_with_note(comparison.groups[0]),
        )
    )
    words = texts.words(texts.groups[0])
    option_titles = [texts.localizer.title(words.option(name)) for name in texts.varied] or [""]
    head = [*option_titles, *(texts.title(quantities[key]) for key in shown_keys)]
    return join_lines(table(head, rows, title, len(option_titles)), paragraph(legend, faint=True))


def _cell(value: str, compared: QuantityComparison | None) -> Html:
    """Return a figure as a cell, with a mark if it surely differs."""
    if compared is None or not compared.differs:
        return tag("span", value)
    up = compared.difference.estimate.value > 0
    return tag("strong", value, " ", tag("span", "▲" if up else "▼", class_="up" if up else "down"))


def _main_keys(sections: Sections) -> list[str]:
    """Return the keys of the main figures that vary; the first seat stands for all, and rounds for decisions."""
    keys = [
        q.key
        for name in ("score", "length", "seats", "closeness", "lead", "ties")
        for q in sections.quantities_of(name)
    ]
    keys_found = [next((key for key in keys if key.startswith(begin)), "") for begin in comparison_texts.MAIN_KEYS]
    if "rounds" in keys_found:
        keys_found.remove("decisions")
    return [key for key in keys_found if key]


def comparison_section(sections: Sections, comparison: Comparison, effects: Sequence[Effect] = ()) -> Html:
    """Return the section on differences between groups, as text and pictures.

    effects: of values of which all combinations were played; they come first, and the single combinations are folded.
    """
    texts, parts = sections.texts, [*_curves(sections)]
    pairs = []
    for group in comparison.others:
        pairs.append(tag("h3", texts.localizer.title(comparison_texts.heading(texts, comparison, group))))
        if sentences := list(comparison_texts.clear_differences(texts, comparison, group)):
            pairs.append(bullets(sentences))
        benefit = comparison_texts.pairing_benefit(texts, comparison, group)
        rest = [
            bullets(comparison_texts.unclear_differences(texts, comparison, group)),
            *([paragraph(benefit, faint=True)] if benefit else []),
        ]
        pairs.append(fold(texts.say(phrase("report", "What cannot be told apart")), *rest))
    pairs += _difference_strips(sections, comparison)
    if effects:
        parts += _effects(sections, comparison, effects)
        against = phrase("report", "Every combination against {setting}", setting=texts.label(comparison.groups[0]))
        pairs = [fold(texts.localizer.title(against), *pairs)]
    parts += pairs
    if missing := list(comparison_texts.uncompared_notes(texts, comparison)):
        parts.append(bullets(missing))
    title = texts.say(phrase("report", "What differs"))
    return section("comparison", title, *parts, paragraph(comparison_texts.caution(texts, comparison), faint=True))


def _effects(sections: Sections, comparison: Comparison, effects: Sequence[Effect]) -> Iterator[Html]:
    """Yield the effect of each value by itself, relative to the figure or in percentage points, then joint effects."""
    texts = sections.texts
    yield tag("h3", texts.say(phrase("report", "What each value does by itself")))
    note = phrase(
        "report",
        "All combinations were played, so that each value has an effect of its own: the mean over all that the others "
        "may be. Grey is what cannot be told from chance.",
    )
    yield paragraph(texts.say(note), faint=True)
    base = {each.quantity.key: abs(each.figures[0].value) for each in reversed(comparison.compared)}
    first = texts.label(comparison.groups[0])
    relative = phrase("report", "Differences, as a part of what {setting} has", setting=first)
    for shares, caption in ((False, relative), (True, phrase("report", "Differences of shares, in percentage points"))):
        rows: dict[str, list[Strip]] = {}
        ends = [0.0]
        for effect in sorted(effects, key=lambda effect: comparison_texts.main_rank(effect.quantity.key)):
            quantity, estimate = effect.quantity, effect.difference.estimate
            scale = 1.0 if shares else base[quantity.key]
            if quantity.shares != shares or len(effect.changes) > 1 or not (estimate.known and scale):
                continue
            mark = StripMark(_divided(estimate, scale), 1 if effect.differs else 0)
            ends += [estimate.low / scale, estimate.high / scale]
            strip = Strip(_change_with_arrow(texts, effect.changes[0]), [mark], texts.signed_cell(estimate, shares))
            rows.setdefault(texts.title(quantity), []).append(strip)
        rows = {title: strips for title, strips in rows.items() if any(map(_has_difference, strips))}
        if rows:
            axis = plots.scale(ends, _least_axis(shares), 0.0)
            yield plots.strips(texts.say(caption), list(rows.items()), axis, partial(_axis, texts, shares=shares))
    joint = [
        texts.localizer.entry(texts.title(effect.quantity), joint_effect_sentence(texts, effect))
        for effect in effects
        if len(effect.changes) > 1 and effect.differs
    ]
    nothing = phrase(
        "report", "No two values do more, or less, together than by themselves that these games could show."
    )
    yield bullets(joint) if joint else paragraph(texts.say(nothing))


def _change_with_arrow(texts: ReportTexts, change: ValueChange) -> str:
    """Return a change of a value as text: Hand limit 8 → 10."""
    words = texts.words(texts.groups[0])
    values = (words.value(change.name, value) for value in (change.before, change.after))
    return f"{words.option(change.name)} {' → '.join(values)}"


def _has_difference(strip: Strip) -> bool:
    """Return whether a row shows any difference."""
    return any(mark.estimate is not None and mark.estimate.high > mark.estimate.low for mark in strip.marks)


def _least_axis(shares: bool) -> float:
    """Return the length of the shortest axis of differences: of shares, or as parts of a figure."""
    return 2 * _MIN_POINTS if shares else 2 * _MIN_PART / 100


def _curves(sections: Sections) -> Iterator[Html]:
    """Yield curves of the figures over the only number that varies, if it has three values or more."""
    texts = sections.texts
    if len(texts.varied) != 1 or len(sections.groups) < 3:
        return
    [name] = texts.varied
    values = [group.plan.settings[group.setting.number][name] for group in sections.groups]
    if not all(value.lstrip("-").isdigit() for value in values):
        return
    keys = [*_main_keys(sections), *(q.key for part in ("score", "measures") for q in sections.quantities_of(part))]
    curves = []
    for key in list(dict.fromkeys(keys))[:_MAX_CURVES]:
        estimates = sections.estimates(key)
        points = [
            CurvePoint(int(value), estimate, texts.is_unchanged(group))
            for value, estimate, group in zip(values, estimates, sections.groups, strict=True)
            if estimate is not None
        ]
        quantity = sections.quantity(key)
        format_number = texts.percent if quantity.shares else texts.plain
        known = [abs(point.estimate.value) for point in points if point.estimate.known]
        lowest = min((point.estimate.low for point in points if point.estimate.known), default=0.0)
        bounds = (0.0, 1.0) if quantity.shares else (0.0 if lowest >= 0 else -math.inf, math.inf)
        least = 0.2 if quantity.shares else 0.3 * max(known, default=1.0)
        curves.append(plots.curve(texts.title(quantity), points, least, format_number, texts.plain, bounds))
    option = texts.words(texts.groups[0]).option(name)
    note = phrase(
        "report", "By {option}: means, with their intervals. A hollow dot is the edition as it is.", option=option
    )
    yield paragraph(texts.say(note), faint=True)
    yield plots.panels(*curves)


def _difference_strips(sections: Sections, comparison: Comparison) -> Iterator[Html]:
    """Yield differences: those with the same unit on one axis, others relative to the first group."""
    texts = sections.texts
    first = texts.label(comparison.groups[0])
    shares: list[Quantity] = []
    powers: list[Quantity] = []
    rest: list[Quantity] = []
    known = {each.quantity.key: each.quantity for each in comparison.compared}
    for quantity in sorted(known.values(), key=lambda quantity: comparison_texts.main_rank(quantity.key)):
        if quantity.key not in sections.constants:
            (powers if quantity.section == "powers" else shares if quantity.shares else rest).append(quantity)
    relative = phrase("report", "Differences, as a part of what {setting} has", setting=first)
    points = phrase("report", "Differences of shares, in percentage points")
    of_powers = phrase("report", "Differences of powers held, in percentage points")
    for caption, unit_quantities in ((relative, rest), (points, shares), (of_powers, [q for q in powers if q.shares])):
        if unit_quantities:
            yield _differences_plot(texts, sections, comparison, texts.say(caption), unit_quantities)


def _differences_plot(
    texts: ReportTexts, sections: Sections, comparison: Comparison, caption: str, unit_quantities: Sequence[Quantity]
) -> Html:
    """Return the differences of some quantities from the first group, as strips and as a table."""
    shares = unit_quantities[0].shares
    rows: list[tuple[str, list[Strip]]] = []
    numbers: list[list[str]] = []
    ends = [0.0]
    others = [group for group in sections.groups if group in comparison.others]
    by_group = {(id(each.after), each.quantity.key): each for each in comparison.compared}
    for quantity in unit_quantities:
        strips = []
        for group in others:
            each = by_group.get((id(group), quantity.key))
            if each is None:
                continue
            base = 1.0 if shares else abs(each.figures[0].value)
            estimate = _divided(each.difference.estimate, base) if base > 0 else None
            if estimate is not None and estimate.known:
                ends += [estimate.low, estimate.high]
            name = texts.title(quantity) if len(others) == 1 else sections.labels[sections.groups.index(group)]
            text = texts.signed_cell(each.difference.estimate, shares)
            strips.append(Strip(name, [StripMark(estimate, sections.colour(sections.groups.index(group)))], text))
            row_title = texts.title(quantity)
            row_title = row_title if len(others) == 1 else texts.localizer.join_items([row_title, name])
            cells = (texts.cell(figures, shares) for figures in each.figures)
            numbers.append([row_title, *cells, text, _verdict_text(texts, each)])
        if strips:
            rows.append((texts.title(quantity), strips))
    if len(others) == 1:
        rows = [("", [strip for _, strips in rows for strip in strips])]
    axis = plots.scale(ends, _least_axis(shares), 0.0)
    inner = plots.strips(caption, rows, axis, partial(_axis, texts, shares=shares))
    other = texts.label(others[0]) if len(others) == 1 else texts.say(phrase("report", "the other"))
    head = [
        "",
        texts.label(comparison.groups[0]),
        other,
        texts.say(phrase("report", "difference")),
        texts.say(phrase("report", "verdict")),
    ]
    return join_lines(inner, fold(texts.say(phrase("report", "The numbers")), table(head, numbers, caption)))


def _axis(texts: ReportTexts, value: float, shares: bool) -> str:
    """Return a tick label with a sign: percentage points, or a percentage of a figure."""
    if shares:
        return texts.signed(value, 0 if abs(value * 100 - round(value * 100)) < 1e-6 else 1, True)
    return f"+{texts.percent(value)}" if value > 0 else texts.percent(value)


def _verdict_text(texts: ReportTexts, compared: QuantityComparison) -> str:
    """Return the verdict on a difference in a word or two."""
    if compared.differs:
        return texts.say(phrase("report", "differs"))
    if compared.perhaps:
        return texts.say(phrase("report", "perhaps"))
    if compared.same:
        return texts.say(phrase("report", "the same"))
    return texts.say(phrase("report", "cannot be told apart"))


def _divided(estimate: Estimate, base: float) -> Estimate:
    """Return an estimate divided by a base."""
    return Estimate(estimate.value / base, estimate.low / base, estimate.high / base, estimate.count)
