"""The sections of a report: groups of games side by side, each figure drawn with its interval.

What is the same in all games is drawn nowhere: `constants` names it. A section without anything to tell is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rulewright.i18n.localizer import Phrase, phrase
from rulewright.simulation import plots, statistics
from rulewright.simulation.choices_section import choices_section
from rulewright.simulation.markup import Html, paragraph, section, table, tag
from rulewright.simulation.plots import Strip, StripMark
from rulewright.simulation.powers import Holders
from rulewright.simulation.quantities import GameGroup, Quantity, alike, holders, of_seat, of_seats, quantities
from rulewright.simulation.report_texts import Teller, seat_of
from rulewright.simulation.sample import Sample
from rulewright.simulation.statistics import Estimate

Groups = Sequence[GameGroup]

LEAST_SHARE = 0.2
"""The shortest axis of shares: a fifth of all games."""

_PORTIONS = (0.05, 0.25, 0.5, 0.75, 0.95)
_MOST_PANELS = 12


class Sections:
    """The sections of one report. groups: in the order in which they are shown."""

    def __init__(self, teller: Teller, groups: Groups) -> None:
        self.teller, self.groups = teller, groups
        self.say = teller.say
        self.labels = [teller.row(group) for group in groups]
        self._of: list[dict[str, Quantity]] = [{q.key: q for q in quantities(group.setting)} for group in groups]
        self._estimates: dict[tuple[int, str], Estimate] = {}
        self.constants: dict[str, float] = {}
        for key in dict.fromkeys(key for known in self._of for key in known):
            self._look(key)

    def _look(self, key: str) -> None:
        """Work out a quantity in every group, and whether it is always the same."""
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

    def drawn(self) -> list[tuple[str, str, Html]]:
        """Every section that has something to tell: its name, its title, the whole of it."""
        found = []
        for name, (title, draw) in _SECTIONS.items():
            parts = list(draw(self))
            if parts:
                told = self.say(title)
                found.append((name, told, section(name, told, *parts)))
        return found

    def always(self) -> str:
        """What is the same in all games, in words; '' for nothing."""
        kept = {key: value for key, value in self.constants.items() if np.isfinite(value)}
        names = tuple(
            self.teller.speech.noted(self.say(self.teller.named(quantity)), told)
            for key, value in kept.items()
            if (quantity := self.quantity(key)) and quantity.section != "powers"
            for told in [self.teller.percent(value) if quantity.shares else self.teller.plain(value)]
        )
        return self.say(phrase("report", "The same in every game: {names}.", names=names)) if names else ""

    # ── what there is ──

    def quantity(self, key: str) -> Quantity:
        return next(known[key] for known in self._of if key in known)

    def having(self, name: str) -> list[Quantity]:
        """The quantities of a section that are not always the same."""
        keys = dict.fromkeys(key for known in self._of for key, q in known.items() if q.section == name)
        return [self.quantity(key) for key in keys if key not in self.constants]

    def estimates(self, key: str) -> list[Estimate | None]:
        """Of each group."""
        return [self._estimates.get((number, key)) for number in range(len(self.groups))]

    def strip(self, number: int, estimate: Estimate | None, shares: bool, label: str = "") -> Strip:
        """A row for a group, by its number among those that are shown."""
        mark = StripMark(estimate, self.colour(number), self.teller.own(self.groups[number]))
        return Strip(label or self.labels[number], [mark], self.teller.cell(estimate, shares))

    def colour(self, number: int) -> int:
        """The groups' colours: grey for what the others are held against."""
        if len(self.groups) == 1:
            return 1
        base = next((n for n, group in enumerate(self.groups) if group is self.teller.groups[0]), 0)
        return 0 if number == base else 1 + (number - (number > base)) % (plots.COLOURS - 1)

    def strips(
        self,
        caption: Phrase,
        found: Sequence[Quantity],
        least: float,
        line: float | None = None,
        name: Callable[[Quantity], str] | None = None,
        zero: bool = True,
    ) -> Html:
        """Quantities as strips; of several groups, below each other. zero: whether the axis begins at nothing."""
        shares, name = found[0].shares, name or self.teller.title
        every = {quantity.key: self.estimates(quantity.key) for quantity in found}
        ends = [e for row in every.values() for each in row if each for e in (each.low, each.value, each.high)]
        bounds = (0.0, 1.0) if shares else (0.0 if min(ends, default=0.0) >= 0 else -np.inf, np.inf)
        axis = plots.scale([*ends, *([0.0] if zero else [])], least, line, bounds)
        told = self.teller.percent if shares else self.teller.plain
        if len(self.groups) == 1:
            rows = [("", [self.strip(0, every[q.key][0], shares, name(q)) for q in found])]
        else:
            rows = [(name(q), [self.strip(n, e, shares) for n, e in enumerate(every[q.key]) if e]) for q in found]
        return plots.strips(self.say(caption), rows, axis, told)

    def numbers(self, inner: Html) -> Html:
        return plots.numbers(self.say(phrase("report", "The numbers")), inner)

    def named(self, name: str, number: int) -> str:
        """A line's name, and whose it is where there are several groups."""
        return (
            name if len(self.groups) == 1 else self.teller.speech.row(list(filter(None, (name, self.labels[number]))))
        )

    def portions(self, values: Sample) -> list[str]:
        return [self.teller.plain(round(value, 1)) for value in statistics.quantiles(values, _PORTIONS)]

    def portion_titles(self) -> list[str]:
        half = self.say(phrase("report", "half up to"))
        told = [self.say(phrase("report", "{part} up to", part=self.teller.percent(part))) for part in _PORTIONS]
        return [*told[:2], half, *told[3:]]

    def distribution(self, caption: Phrase, values: Sequence[tuple[int, Sample]], least: float) -> Iterable[Html]:
        """How numbers are spread over games or seats, of each group by its number."""
        values = [(number, each) for number, each in values if len(each)]
        if not values or min(each.min() for _, each in values) == max(each.max() for _, each in values):
            return
        rows = [
            [self.labels[number], self.teller.number(each.mean(), 2), *self.portions(each)] for number, each in values
        ]
        head = ["", self.say(phrase("report", "mean")), *self.portion_titles()]
        said = self.say(caption)
        panels = [(self.labels[number], each) for number, each in values[:_MOST_PANELS]]
        numbers = self.numbers(table(head, rows, said))
        colours = [self.colour(number) for number, _ in values[:_MOST_PANELS]]
        yield plots.histogram(said, panels, least, self.teller.plain, self.teller.percent, numbers, colours)
        if len(values) > _MOST_PANELS:
            told = phrase("report", "The first {count} are drawn; the numbers are of all.", count=_MOST_PANELS)
            yield paragraph(self.say(told), faint=True)

    def of_games(self, key: str, caption: Phrase, least: float) -> Iterable[Html]:
        if key in self.constants:
            return
        found = [(number, self.values(key, number)) for number in range(len(self.groups))]
        yield from self.distribution(caption, [(number, values) for number, values in found if values], least)

    def values(self, key: str, number: int) -> Sample | None:
        """A quantity's numbers in a group, by its number; None where it has none."""
        quantity = self._of[number].get(key)
        return quantity.values(self.groups[number]) if quantity else None


# ── sections ──


def _seats(its: Sections) -> Iterable[Html]:
    first, found = its.groups[0], its.having("seats")
    if not found:
        return
    yield its.strips(
        phrase("report", "Share of games that each seat wins"),
        found,
        2 * first.fair,
        first.fair,
        lambda q: its.teller.seat(first.plan, seat_of(q)),
    )
    fair = its.teller.percent(round(first.fair, 3))
    yield plots.dashed(
        its.say(phrase("report", "fair share, {fair}: what each would win if all seats were alike", fair=fair))
    )
    if not alike(first.plan):
        told = phrase("report", "Different kinds of players sit there: their shares tell of these, too.")
        yield paragraph(its.say(told))
    unscored = [seat for seat in range(len(first.plan.seats)) if seat not in first.setting.scored_seats]
    if unscored:
        names = tuple(its.teller.player(first.plan, seat) for seat in unscored)
        yield paragraph(its.say(phrase("report", "Not scored, and left out: {names}.", names=names)))
    told = phrase("report", "A win that several share counts as its part: half a win each for two.")
    yield paragraph(its.say(told), faint=True)


def _score(its: Sections) -> Iterable[Html]:
    found, several = its.having("score"), len(its.groups) > 1
    lines = [quantity for quantity in found if quantity.key.startswith("points: ")]
    if not found:
        return
    if len(lines) > 1 and (several or len(its.groups[0].setting.scored_seats)):
        bars, parts = _bars(its, lines)
        caption = phrase("report", "Where the points of a seat come from, on average")
        yield plots.stacked(its.say(caption), bars, parts, lambda value: its.teller.number(value, 1), its.teller.plain)
    names = [found[0], *(lines if len(lines) > 1 else [])] if found[0].key == "total" else found
    everything = [e.value for q in names for e in its.estimates(q.key) if e and e.known] or [0.0]
    least = 0.25 * max(map(abs, everything))
    yield its.strips(phrase("report", "Points of a seat, with the interval of their mean"), names, least)
    rows = []
    for line in names:
        for number, group in enumerate(its.groups):
            if line.key not in group.setting.columns:
                continue
            values = of_seats(group.setting, line.key)
            if not len(values):
                continue
            never = its.teller.number(values.map(lambda points: points == 0).mean(), 0, True)
            deviation = its.teller.number(values.std(), 1)
            rows.append([its.named(its.teller.title(line), number), deviation, never, *its.portions(values)])
    summary = its.say(phrase("report", "How much that varies from seat to seat"))
    head = [
        "",
        its.say(phrase("report", "standard deviation")),
        its.say(phrase("report", "nothing in")),
        *its.portion_titles(),
    ]
    yield plots.numbers(summary, table(head, rows, summary))


def _bars(its: Sections, lines: Sequence[Quantity]) -> tuple[list[str], list[tuple[str, list[float]]]]:
    """A bar for each group, or for each seat of the only one."""
    if len(its.groups) > 1:
        every = [(its.teller.title(line), its.estimates(line.key)) for line in lines]
        return its.labels, [(title, [each.value if each else 0.0 for each in row]) for title, row in every]
    [group] = its.groups
    setting, seats = group.setting, [int(seat) for seat in group.setting.scored_seats]
    bars = [its.teller.seat(group.plan, seat) for seat in seats]
    return bars, [(its.teller.title(line), [of_seat(setting, line.key, s).mean() for s in seats]) for line in lines]


def _spread(its: Sections) -> Iterable[Html]:
    if "total" in its.constants:
        return
    totals = [(number, of_seats(group.setting, "total")) for number, group in enumerate(its.groups)]
    yield from its.distribution(phrase("report", "Points of all seats: how often each total occurs"), totals, 5.0)
    if found := its.having("spread"):
        everything = [e.value for q in found for e in its.estimates(q.key) if e and e.known] or [0.0]
        yield its.strips(phrase("report", "Points, on average"), found, 0.25 * max(map(abs, everything)))


def _length(its: Sections) -> Iterable[Html]:
    yield from its.of_games("rounds", phrase("report", "Rounds in a game"), 5.0)
    yield from its.of_games("decisions", phrase("report", "Answers given in a game, by all seats together"), 5.0)


def _lead(its: Sections) -> Iterable[Html]:
    yield from its.of_games("lead_changes", phrase("report", "How often the lead changes in a game"), 5.0)


def _closeness(its: Sections) -> Iterable[Html]:
    yield from its.of_games("margin", phrase("report", "Points between the first two places"), 5.0)
    rows = []
    for number in range(len(its.groups)):
        margin = its.values("margin", number)
        if margin and "margin" not in its.constants:
            shares = [statistics.share(margin <= most) for most in (0, 1, 3, 5, 10)]
            name = its.labels[number] if len(its.groups) > 1 else its.say(phrase("report", "games"))
            rows.append([name, *(its.teller.value(share, True) for share in shares)])
    if rows:
        title = its.say(phrase("report", "Decided by so many points, or fewer"))
        yield tag("h3", title)
        yield table(["", *(its.teller.whole(most) for most in (0, 1, 3, 5, 10))], rows, title)
    if found := its.having("ties"):
        yield its.strips(phrase("report", "Share of games with a tie"), found, LEAST_SHARE)
        told = phrase(
            "report",
            "A win is shared where nothing parts the first. A tie-break decides where several are equal by what the "
            "ranking goes by first, and something further parts them.",
        )
        yield paragraph(its.say(told), faint=True)


def _choices(its: Sections) -> Iterable[Html]:
    return choices_section(its.teller, its.groups, its.labels, its.colour)


def _powers(its: Sections) -> Iterable[Html]:
    lines: list[list[str]] = []
    shown: list[tuple[float, str, list[Strip]]] = []
    for power in dict.fromkeys(power for group in its.groups for power in group.plan.powers):
        strips_, best, name = [], -1.0, power
        for number, group in enumerate(its.groups):
            found = holders(group.setting, power)
            if found is None:
                continue
            name = its.teller.words(group).power(power)
            share, line = _power(its, group, power, found)
            lines.append([its.named(name, number), *line])
            if share.known:
                strips_.append(its.strip(number, share, True, name if len(its.groups) == 1 else ""))
                best = max(best, share.value)
        if strips_:
            shown.append((best, name, strips_))
    if not lines:
        return
    shown.sort(key=lambda each: -each[0])
    fair = its.groups[0].fair
    if shown and fair < 1:
        every = [strip for _, _, strips_ in shown for strip in strips_]
        marked = [mark.estimate for strip in every for mark in strip.marks if mark.estimate]
        ends = [end for estimate in marked for end in (estimate.low, estimate.high)]
        axis = plots.scale([0.0, *ends], 2 * fair, fair, (0, 1))
        rows = [("", every)] if len(its.groups) == 1 else [(name, strips_) for _, name, strips_ in shown]
        caption = its.say(phrase("report", "Share of games won by seats that ever had a power"))
        yield plots.strips(caption, rows, axis, its.teller.percent)
        yield plots.dashed(its.say(phrase("report", "fair share")))
    head = [
        "",
        its.say(phrase("report", "held by seats")),
        its.say(phrase("report", "rounds held")),
        its.say(phrase("report", "used, times")),
        its.say(phrase("report", "wins of holders")),
        its.say(phrase("report", "against others")),
        its.say(phrase("report", "used or not")),
    ]
    yield its.numbers(table(head, lines, its.say(phrase("report", "Powers"))))
    told = phrase(
        "report",
        "'Against others' is by how many percentage points holders won more than seats without the power; 'used or "
        "not' is the same between holders who used it and holders who did not. Powers may come to those who do well "
        "anyway: that is an association, not a cause.",
    )
    yield paragraph(its.say(told), faint=True)


def _power(its: Sections, group: GameGroup, power: str, found: Holders) -> tuple[Estimate, list[str]]:
    """Wins of holders, clustered by game; and a line of a table."""
    teller, told = its.teller, {quantity.key: quantity for quantity in quantities(group.setting)}
    share = found.wins
    share = Estimate(share.value, max(0.0, share.low), min(1.0, share.high), share.count)
    times = used = Html("–")
    if f"used: {power}" in told:
        times = teller.cell(told[f"used: {power}"].estimate(group))
        used = teller.signed_cell(found.used_or_not, True)
    ever = teller.cell(told[f"held: {power}"].estimate(group), True)
    against = teller.signed_cell(found.against_others, True)
    return share, [ever, teller.cell(found.rounds), times, teller.cell(share, True), against, used]


def _measures(its: Sections) -> Iterable[Html]:
    """Each on an axis of its own, since each is counted in a unit of its own."""
    rows = []
    for quantity in its.having("measures"):
        values = [e.value for e in its.estimates(quantity.key) if e and e.known]
        if len(its.groups) > 1 and values:
            yield its.strips(phrase("report", "Mean of a seat"), [quantity], 0.25 * max(map(abs, values)))
        for number, group in enumerate(its.groups):
            if quantity.key in group.setting.columns:
                spread = its.portions(of_seats(group.setting, quantity.key))
                cell = its.teller.cell(its.estimates(quantity.key)[number])
                rows.append([its.named(its.teller.title(quantity), number), cell, *spread])
    if rows:
        title = its.say(phrase("report", "Measures"))
        numbers = table(["", its.say(phrase("report", "mean")), *its.portion_titles()], rows, title)
        yield numbers if len(its.groups) == 1 else its.numbers(numbers)


_SECTIONS: dict[str, tuple[Phrase, Callable[[Sections], Iterable[Html]]]] = {
    "score": (phrase("report", "Points"), _score),
    "spread": (phrase("report", "Spread of points"), _spread),
    "seats": (phrase("report", "Who wins"), _seats),
    "closeness": (phrase("report", "How close it is"), _closeness),
    "lead": (phrase("report", "Lead changes"), _lead),
    "length": (phrase("report", "Length"), _length),
    "choices": (phrase("report", "Choices"), _choices),
    "powers": (phrase("report", "Powers"), _powers),
    "measures": (phrase("report", "Measures"), _measures),
}
