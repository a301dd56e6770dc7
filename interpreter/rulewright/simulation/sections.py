"""Sections of a report: groups of games side by side, each figure drawn with its interval.

Quantities that are the same in all games are not drawn: `constants` names them. Empty sections are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rulewright.i18n.localizer import Phrase, phrase
from rulewright.simulation import plots, statistics
from rulewright.simulation.choices_section import choices_section
from rulewright.simulation.markup import Html, fold, paragraph, section, table, tag
from rulewright.simulation.plots import Strip, StripMark
from rulewright.simulation.powers import Holders
from rulewright.simulation.quantities import GameGroup, Quantity, holders, of_seat, of_seats, quantities, same_players
from rulewright.simulation.report_texts import ReportTexts, seat_of
from rulewright.simulation.sample import Sample
from rulewright.simulation.statistics import Estimate

Groups = Sequence[GameGroup]

MIN_SHARE = 0.2
"""Shortest axis of shares: a fifth of all games."""

_PORTIONS = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Portions of games whose values are told."""
_MAX_PANELS = 12
"""Limit of groups that are drawn."""


class Sections:
    """Sections of one report. groups: in the order in which they are shown. constants: by key, the value of each
    quantity that is the same in all games of all groups, or nan if no game has one."""

    def __init__(self, texts: ReportTexts, groups: Groups) -> None:
        self.texts, self.groups = texts, groups
        self.say = texts.say
        self.labels = [texts.row_label(group) for group in groups]
        self._of: list[dict[str, Quantity]] = [{q.key: q for q in quantities(group.setting)} for group in groups]
        self._estimates: dict[tuple[int, str], Estimate] = {}
        self.constants: dict[str, float] = {}
        for key in dict.fromkeys(key for known in self._of for key in known):
            self._estimate(key)

    def _estimate(self, key: str) -> None:
        """Estimate a quantity in every group, and note whether it is always the same."""
        low, high = np.inf, -np.inf
        for number, group in enumerate(self.groups):
            quantity = self._of[number].get(key)
            if quantity is None:
                continue
            values = quantity.values(group)
            self._estimates[number, key] = statistics.share(values) if quantity.shares else statistics.mean(values)
            if len(values):
                low, high = min(low, float(values.min())), max(high, float(values.max()))
        if low >= high:
            self.constants[key] = low if low == high else np.nan

    def render(self) -> list[tuple[str, str, Html]]:
        """Return every section with content, in the order of `_SECTIONS`: its name, its title, the whole of it."""
        sections = []
        for name, (title, draw) in _SECTIONS.items():
            parts = list(draw(self))
            if parts:
                title_text = self.say(title)
                sections.append((name, title_text, section(name, title_text, *parts)))
        return sections

    def constants_note(self) -> str:
        """Return the quantities that are the same in all games as a sentence; '' if there are none."""
        finite = {key: value for key, value in self.constants.items() if np.isfinite(value)}
        names = tuple(
            self.texts.localizer.with_note(self.say(self.texts.name(quantity)), text)
            for key, value in finite.items()
            if (quantity := self.quantity(key)) and quantity.section != "powers"
            for text in [self.texts.percent(value) if quantity.shares else self.texts.plain(value)]
        )
        return self.say(phrase("report", "The same in every game: {names}.", names=names)) if names else ""

    # ── what there is ──

    def quantity(self, key: str) -> Quantity:
        """Return a quantity as the first group has it that has it; one of them must."""
        return next(known[key] for known in self._of if key in known)

    def quantities_of(self, name: str) -> list[Quantity]:
        """Return the quantities of a section that are not always the same."""
        keys = dict.fromkeys(key for known in self._of for key, q in known.items() if q.section == name)
        return [self.quantity(key) for key in keys if key not in self.constants]

    def estimates(self, key: str) -> list[Estimate | None]:
        """Return the estimate of each group, in their order; None where a group has no such quantity."""
        return [self._estimates.get((number, key)) for number in range(len(self.groups))]

    def strip(self, number: int, estimate: Estimate | None, shares: bool, label: str = "") -> Strip:
        """Return a row for a group. number: among the groups that are shown, from 0; shares: whether the estimate is
        shown as a percentage; label: the group's by default."""
        mark = StripMark(estimate, self.colour(number), self.texts.is_unchanged(self.groups[number]))
        return Strip(label or self.labels[number], [mark], self.texts.cell(estimate, shares))

    def colour(self, number: int) -> int:
        """Return the colour of a group: grey, 0, for the one with which the others are compared; never grey if it is
        alone. number: among the groups that are shown."""
        if len(self.groups) == 1:
            return 1
        base = next((n for n, group in enumerate(self.groups) if group is self.texts.groups[0]), 0)
        return 0 if number == base else 1 + (number - (number > base)) % (plots.COLOURS - 1)

    def strips(
        self,
        caption: Phrase,
        shown_quantities: Sequence[Quantity],
        least: float,
        line: float | None = None,
        name: Callable[[Quantity], str] | None = None,
        zero: bool = True,
    ) -> Html:
        """Return quantities as strips, several groups below each other; at least one quantity, all shares or none.
        least: the shortest axis; line: of reference, or None; name: gives a quantity's label, by default its title;
        zero: whether the axis begins at 0."""
        shares, name = shown_quantities[0].shares, name or self.texts.title
        every = {quantity.key: self.estimates(quantity.key) for quantity in shown_quantities}
        ends = [e for row in every.values() for each in row if each for e in (each.low, each.value, each.high)]
        bounds = (0.0, 1.0) if shares else (0.0 if min(ends, default=0.0) >= 0 else -np.inf, np.inf)
        axis = plots.scale([*ends, *([0.0] if zero else [])], least, line, bounds)
        format_number = self.texts.percent if shares else self.texts.plain
        if len(self.groups) == 1:
            rows = [("", [self.strip(0, every[q.key][0], shares, name(q)) for q in shown_quantities])]
        else:
            rows = [
                (name(q), [self.strip(n, e, shares) for n, e in enumerate(every[q.key]) if e]) for q in shown_quantities
            ]
        return plots.strips(self.say(caption), rows, axis, format_number)

    def numbers(self, inner: Html) -> Html:
        """Return the part 'The numbers' of a section, as HTML that can be opened. inner: its content."""
        return fold(self.say(phrase("report", "The numbers")), inner)

    def with_group(self, name: str, number: int) -> str:
        """Return a line's name, followed by its group if there are several. number: as for `strip`."""
        return (
            name
            if len(self.groups) == 1
            else self.texts.localizer.join_items(list(filter(None, (name, self.labels[number]))))
        )

    def portions(self, values: Sample) -> list[str]:
        """Return as text what the portions of numbers do not exceed."""
        return [self.texts.plain(round(value, 1)) for value in statistics.quantiles(values, _PORTIONS)]

    def portion_titles(self) -> list[str]:
        """Return the headings for `portions`."""
        half = self.say(phrase("report", "half up to"))
        titles = [self.say(phrase("report", "{part} up to", part=self.texts.percent(part))) for part in _PORTIONS]
        return [*titles[:2], half, *titles[3:]]

    def distribution(self, caption: Phrase, values: Sequence[tuple[int, Sample]], least: float) -> Iterable[Html]:
        """Yield a histogram of each group's numbers, of the first _MAX_PANELS groups, and the numbers of all; nothing
        where all are the same. values: each with the number of its group; least: the shortest axis."""
        values = [(number, each) for number, each in values if len(each)]
        if not values or min(each.min() for _, each in values) == max(each.max() for _, each in values):
            return
        rows = [
            [self.labels[number], self.texts.number(each.mean(), 2), *self.portions(each)] for number, each in values
        ]
        head = ["", self.say(phrase("report", "mean")), *self.portion_titles()]
        caption_text = self.say(caption)
        panels = [(self.labels[number], each) for number, each in values[:_MAX_PANELS]]
        numbers = self.numbers(table(head, rows, caption_text))
        colours = [self.colour(number) for number, _ in values[:_MAX_PANELS]]
        yield plots.histogram(caption_text, panels, least, self.texts.plain, self.texts.percent, numbers, colours)
        if len(values) > _MAX_PANELS:
            note = phrase("report", "The first {count} are drawn; the numbers are of all.", count=_MAX_PANELS)
            yield paragraph(self.say(note), faint=True)

    def of_games(self, key: str, caption: Phrase, least: float) -> Iterable[Html]:
        """Yield the histograms of a quantity that is not always the same."""
        if key in self.constants:
            return
        samples = [(number, self.values(key, number)) for number in range(len(self.groups))]
        yield from self.distribution(caption, [(number, values) for number, values in samples if values], least)

    def values(self, key: str, number: int) -> Sample | None:
        """Return a quantity's numbers in a group; None if it has none. number: as for `strip`."""
        quantity = self._of[number].get(key)
        return quantity.values(self.groups[number]) if quantity else None


# ── sections ──


def _seats_section(sections: Sections) -> Iterable[Html]:
    """Yield the shares of games that each seat wins."""
    first, shown_quantities = sections.groups[0], sections.quantities_of("seats")
    if not shown_quantities:
        return
    yield sections.strips(
        phrase("report", "Share of games that each seat wins"),
        shown_quantities,
        2 * first.fair,
        first.fair,
        lambda q: sections.texts.seat(first.plan, seat_of(q)),
    )
    fair = sections.texts.percent(round(first.fair, 3))
    yield plots.dashed_line_legend(
        sections.say(phrase("report", "fair share, {fair}: what each would win if all seats were alike", fair=fair))
    )
    if not same_players(first.plan):
        note = phrase("report", "Different kinds of players sit there: their shares tell of these, too.")
        yield paragraph(sections.say(note))
    unscored = [seat for seat in range(len(first.plan.seats)) if seat not in first.setting.scored_seats]
    if unscored:
        names = tuple(sections.texts.player(first.plan, seat) for seat in unscored)
        yield paragraph(sections.say(phrase("report", "Not scored, and left out: {names}.", names=names)))
    note = phrase("report", "A win that several share counts as its part: half a win each for two.")
    yield paragraph(sections.say(note), faint=True)


def _score_section(sections: Sections) -> Iterable[Html]:
    """Yield where points come from, and how much they vary."""
    shown_quantities, several = sections.quantities_of("score"), len(sections.groups) > 1
    lines = [quantity for quantity in shown_quantities if quantity.key.startswith("points: ")]
    if not shown_quantities:
        return
    if len(lines) > 1 and (several or len(sections.groups[0].setting.scored_seats)):
        bars, parts = _bars(sections, lines)
        caption = phrase("report", "Where the points of a seat come from, on average")
        yield plots.stacked_bars(
            sections.say(caption), bars, parts, lambda value: sections.texts.number(value, 1), sections.texts.plain
        )
    names = (
        [shown_quantities[0], *(lines if len(lines) > 1 else [])]
        if shown_quantities[0].key == "total"
        else shown_quantities
    )
    everything = [e.value for q in names for e in sections.estimates(q.key) if e and e.known] or [0.0]
    least = 0.25 * max(map(abs, everything))
    yield sections.strips(phrase("report", "Points of a seat, with the interval of their mean"), names, least)
    rows = []
    for line in names:
        for number, group in enumerate(sections.groups):
            if line.key not in group.setting.columns:
                continue
            values = of_seats(group.setting, line.key)
            if not len(values):
                continue
            never = sections.texts.number(values.map(lambda points: points == 0).mean(), 0, True)
            deviation = sections.texts.number(values.std(), 1)
            rows.append(
                [sections.with_group(sections.texts.title(line), number), deviation, never, *sections.portions(values)]
            )
    summary = sections.say(phrase("report", "How much that varies from seat to seat"))
    head = [
        "",
        sections.say(phrase("report", "standard deviation")),
        sections.say(phrase("report", "nothing in")),
        *sections.portion_titles(),
    ]
    yield fold(summary, table(head, rows, summary))


def _bars(sections: Sections, lines: Sequence[Quantity]) -> tuple[list[str], list[tuple[str, list[float]]]]:
    """Return a bar for each group, or for each seat of the only one."""
    if len(sections.groups) > 1:
        every = [(sections.texts.title(line), sections.estimates(line.key)) for line in lines]
        return sections.labels, [(title, [each.value if each else 0.0 for each in row]) for title, row in every]
    [group] = sections.groups
    setting, seats = group.setting, [int(seat) for seat in group.setting.scored_seats]
    bars = [sections.texts.seat(group.plan, seat) for seat in seats]
    return bars, [(sections.texts.title(line), [of_seat(setting, line.key, s).mean() for s in seats]) for line in lines]


def _spread_section(sections: Sections) -> Iterable[Html]:
    """Yield how often each total occurs, and the spread of points."""
    if "total" in sections.constants:
        return
    totals = [(number, of_seats(group.setting, "total")) for number, group in enumerate(sections.groups)]
    yield from sections.distribution(phrase("report", "Points of all seats: how often each total occurs"), totals, 5.0)
    if shown_quantities := sections.quantities_of("spread"):
        everything = [e.value for q in shown_quantities for e in sections.estimates(q.key) if e and e.known] or [0.0]
        yield sections.strips(
            phrase("report", "Points, on average"), shown_quantities, 0.25 * max(map(abs, everything))
        )


def _length_section(sections: Sections) -> Iterable[Html]:
    """Yield how many rounds and answers games have."""
    yield from sections.of_games("rounds", phrase("report", "Rounds in a game"), 5.0)
    yield from sections.of_games("decisions", phrase("report", "Answers given in a game, by all seats together"), 5.0)


def _lead_section(sections: Sections) -> Iterable[Html]:
    """Yield how often the lead changes."""
    yield from sections.of_games("lead_changes", phrase("report", "How often the lead changes in a game"), 5.0)


def _closeness_section(sections: Sections) -> Iterable[Html]:
    """Yield margins, and how often games are close or tied."""
    yield from sections.of_games("margin", phrase("report", "Points between the first two places"), 5.0)
    rows = []
    for number in range(len(sections.groups)):
        margin = sections.values("margin", number)
        if margin and "margin" not in sections.constants:
            shares = [statistics.share(margin <= most) for most in (0, 1, 3, 5, 10)]
            name = sections.labels[number] if len(sections.groups) > 1 else sections.say(phrase("report", "games"))
            rows.append([name, *(sections.texts.value(share, True) for share in shares)])
    if rows:
        title = sections.say(phrase("report", "Decided by so many points, or fewer"))
        yield tag("h3", title)
        yield table(["", *(sections.texts.whole(most) for most in (0, 1, 3, 5, 10))], rows, title)
    if shown_quantities := sections.quantities_of("ties"):
        yield sections.strips(phrase("report", "Share of games with a tie"), shown_quantities, MIN_SHARE)
        note = phrase(
            "report",
            "A win is shared where nothing parts the first. A tie-break decides where several are equal by what the "
            "ranking goes by first, and something further parts them.",
        )
        yield paragraph(sections.say(note), faint=True)


def _choices_section(sections: Sections) -> Iterable[Html]:
    """Yield the decisions, and how the seats fared that made them."""
    return choices_section(sections.texts, sections.groups, sections.labels, sections.colour)


def _powers_section(sections: Sections) -> Iterable[Html]:
    """Yield wins of seats with each power, and the numbers behind them."""
    lines: list[list[str]] = []
    strips_of_powers: list[tuple[float, str, list[Strip]]] = []
    for power in dict.fromkeys(power for group in sections.groups for power in group.plan.powers):
        strips_, best, name = [], -1.0, power
        for number, group in enumerate(sections.groups):
            power_holders = holders(group.setting, power)
            if power_holders is None:
                continue
            name = sections.texts.words(group).power(power)
            share, line = _power_row(sections, group, power, power_holders)
            lines.append([sections.with_group(name, number), *line])
            if share.known:
                strips_.append(sections.strip(number, share, True, name if len(sections.groups) == 1 else ""))
                best = max(best, share.value)
        if strips_:
            strips_of_powers.append((best, name, strips_))
    if not lines:
        return
    strips_of_powers.sort(key=lambda each: -each[0])
    fair = sections.groups[0].fair
    if strips_of_powers and fair < 1:
        every = [strip for _, _, strips_ in strips_of_powers for strip in strips_]
        marked = [mark.estimate for strip in every for mark in strip.marks if mark.estimate]
        ends = [end for estimate in marked for end in (estimate.low, estimate.high)]
        axis = plots.scale([0.0, *ends], 2 * fair, fair, (0, 1))
        rows = (
            [("", every)] if len(sections.groups) == 1 else [(name, strips_) for _, name, strips_ in strips_of_powers]
        )
        caption = sections.say(phrase("report", "Share of games won by seats that ever had a power"))
        yield plots.strips(caption, rows, axis, sections.texts.percent)
        yield plots.dashed_line_legend(sections.say(phrase("report", "fair share")))
    head = [
        "",
        sections.say(phrase("report", "held by seats")),
        sections.say(phrase("report", "rounds held")),
        sections.say(phrase("report", "used, times")),
        sections.say(phrase("report", "wins of holders")),
        sections.say(phrase("report", "against others")),
        sections.say(phrase("report", "used or not")),
    ]
    yield sections.numbers(table(head, lines, sections.say(phrase("report", "Powers"))))
    note = phrase(
        "report",
        "'Against others' is by how many percentage points holders won more than seats without the power; 'used or "
        "not' is the same between holders who used it and holders who did not. Powers may come to those who do well "
        "anyway: that is an association, not a cause.",
    )
    yield paragraph(sections.say(note), faint=True)


def _power_row(sections: Sections, group: GameGroup, power: str, power_holders: Holders) -> tuple[Estimate, list[str]]:
    """Return the share of wins of holders, clustered by game, and a line of the table."""
    texts, by_key = sections.texts, {quantity.key: quantity for quantity in quantities(group.setting)}
    share = power_holders.wins
    share = Estimate(share.value, max(0.0, share.low), min(1.0, share.high), share.count)
    times = used = Html("–")
    if f"used: {power}" in by_key:
        times = texts.cell(by_key[f"used: {power}"].estimate(group))
        used = texts.signed_cell(power_holders.used_or_not, True)
    ever = texts.cell(by_key[f"held: {power}"].estimate(group), True)
    against = texts.signed_cell(power_holders.against_others, True)
    return share, [ever, texts.cell(power_holders.rounds), times, texts.cell(share, True), against, used]


def _measures_section(sections: Sections) -> Iterable[Html]:
    """Yield measures, each on an axis of its own, since each is counted in a unit of its own."""
    rows = []
    for quantity in sections.quantities_of("measures"):
        values = [e.value for e in sections.estimates(quantity.key) if e and e.known]
        if len(sections.groups) > 1 and values:
            yield sections.strips(phrase("report", "Mean of a seat"), [quantity], 0.25 * max(map(abs, values)))
        for number, group in enumerate(sections.groups):
            if quantity.key in group.setting.columns:
                spread = sections.portions(of_seats(group.setting, quantity.key))
                cell = sections.texts.cell(sections.estimates(quantity.key)[number])
                rows.append([sections.with_group(sections.texts.title(quantity), number), cell, *spread])
    if rows:
        title = sections.say(phrase("report", "Measures"))
        numbers = table(["", sections.say(phrase("report", "mean")), *sections.portion_titles()], rows, title)
        yield numbers if len(sections.groups) == 1 else sections.numbers(numbers)


_SECTIONS: dict[str, tuple[Phrase, Callable[[Sections], Iterable[Html]]]] = {
    "score": (phrase("report", "Points"), _score_section),
    "spread": (phrase("report", "Spread of points"), _spread_section),
    "seats": (phrase("report", "Who wins"), _seats_section),
    "closeness": (phrase("report", "How close it is"), _closeness_section),
    "lead": (phrase("report", "Lead changes"), _lead_section),
    "length": (phrase("report", "Length"), _length_section),
    "choices": (phrase("report", "Choices"), _choices_section),
    "powers": (phrase("report", "Powers"), _powers_section),
    "measures": (phrase("report", "Measures"), _measures_section),
}
"""Sections of a report in order, each with its title and the function that draws it."""
