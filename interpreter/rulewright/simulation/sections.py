"""The sections of a report: groups of games side by side, each figure with its interval, a plot and its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rulewright.simulation import choices, plots, statistics
from rulewright.simulation.choices import AnswerCount
from rulewright.simulation.comparison import Comparison, caution, heading, helped, told
from rulewright.simulation.page import Html, bullets, paragraph, picture, section, table, tag
from rulewright.simulation.plots import DotRow
from rulewright.simulation.quantities import (
    GameGroup,
    Numbers,
    Quantity,
    alike,
    figure,
    interval,
    quantities,
    seat_title,
)
from rulewright.simulation.statistics import Estimate

Groups = Sequence[GameGroup]

_PORTIONS = (0.05, 0.25, 0.5, 0.75, 0.95)
_MOST_PANELS = 12
_MOST_DECISIONS = 16


def comparison_section(comparison: Comparison) -> Html:
    """What differs between the groups, in words and as plots of differences."""
    parts: list[Html] = []
    for group in comparison.groups[1:]:
        worth = helped(comparison, group)
        parts += [tag("h3", heading(comparison, group)), bullets(told(comparison, group))]
        parts += [paragraph(worth, faint=True)] if worth else []
    parts += _plots_of_differences(comparison)
    parts += [bullets(comparison.missing)] if comparison.missing else []
    return section("comparison", "What differs", *parts, paragraph(caution(comparison), faint=True))


def _plots_of_differences(comparison: Comparison) -> list[Html]:
    """Differences that are measured in the same unit on one axis; those in units of their own relative to the first."""
    first, others = comparison.groups[0], comparison.groups[1:]
    parts = []
    for title, axis, shares, kept in (
        ("Differences of shares", "percentage points", True, lambda q: q.shares and q.section != "powers"),
        ("Differences of powers held", "percentage points", True, lambda q: q.shares and q.section == "powers"),
        ("Differences of other figures", f"% of what {first.label} has", False, lambda q: not q.shares),
    ):
        rows, numbers = [], []
        for quantity in dict.fromkeys(each.quantity for each in comparison.compared if kept(each.quantity)):
            found = {id(each.after): each for each in comparison.compared if each.quantity == quantity}
            row: list[Estimate | None] = []
            for group in others:
                each = found.get(id(group))
                base = 1.0 if shares or each is None else abs(each.figures[0].value) / 100
                estimate = None if each is None else each.difference.estimate
                row.append(_scaled(estimate, base) if estimate is not None and base > 0 else None)
                if each is not None:
                    verdict = "differs" if each.differs else "perhaps" if each.perhaps else "cannot be told apart"
                    name = quantity.title if len(others) == 1 else f"{quantity.title}, {group.label}"
                    both = (interval(figures, quantity.shares) for figures in each.figures)
                    numbers.append([name, *both, interval(each.difference.estimate, quantity.shares, unit=""), verdict])
            rows.append(DotRow(quantity.title, row))
        if rows:
            head = ["", first.label, others[0].label if len(others) == 1 else "the other", "difference", ""]
            labels = [group.label for group in others]
            plot = plots.dots(title, rows[: plots.MOST_ROWS], labels, axis, shares, (0.0, "no difference"))
            parts += [tag("h3", title), picture(plot, table(head, numbers))]
    return parts


def _scaled(estimate: Estimate, base: float) -> Estimate:
    return Estimate(estimate.value / base, estimate.low / base, estimate.high / base, estimate.count)


# ── sections ──


def _seats(groups: Groups) -> Iterable[Html]:
    first = groups[0]
    found = _of("seats", groups)
    if not found:
        yield paragraph("Fewer than two seats are scored here: nobody wins against anybody.")
        return
    count = len(first.setting.scored_seats)
    yield paragraph(f"Were all {count} seats alike, each would win {figure(first.fair, 1, True)} % of the games.")
    if not alike(first.plan):
        yield paragraph("The seats are played by different kinds of players: their shares tell of these, too.")
    if roles := [seat_title(first.plan, seat) for seat in _unscored(first)]:
        yield paragraph(f"Not scored, and left out: {', '.join(roles)}.")
    yield _dots(
        "Wins by seat", found, groups, "% of games won", (first.fair, "fair share"), lambda q: q.title[8:].capitalize()
    )
    yield paragraph("A shared win counts as its part: half a win each for two.", faint=True)


def _unscored(group: GameGroup) -> list[int]:
    return [seat for seat in range(len(group.plan.seats)) if seat not in group.setting.scored_seats]


def _score(groups: Groups) -> Iterable[Html]:
    found = _of("score", groups)
    lines = [quantity for quantity in found if quantity.key.startswith("points: ")]
    if not found:
        yield paragraph("No seat is scored here.")
        return
    if lines:
        if len(groups) > 1:
            bars = [group.label for group in groups]
            parts = [(line.title, [line.estimate(group).value for group in groups]) for line in lines]
        else:
            bars = [seat_title(groups[0].plan, int(seat)) for seat in groups[0].setting.scored_seats]
            parts = [(line.title, list(groups[0].setting.scored(line.key).mean(axis=0))) for line in lines]
        plot = plots.stacked("Points by line", bars, parts, "mean points of a seat")
        yield picture(plot, _table(found, groups))
    else:
        yield paragraph("This edition has no scoring lines; these are the totals.")
        yield _table(found, groups)
    rows = []
    for line in [*lines, *found[:1]]:
        for group in groups:
            values = group.setting.scored(line.key).ravel()
            deviation = figure(float(values.std()), 1) if len(values) else "–"
            never = figure(float((values == 0).mean()), 0, True) if len(values) else "–"
            rows.append([_named(line.title, group, groups), deviation, f"{never} %", *_portions(values)])
    varying = table(["", "standard deviation", "nothing in", *_portion_titles()], rows)
    yield tag("details", tag("summary", "How much that varies from seat to seat"), varying)


def _spread(groups: Groups) -> Iterable[Html]:
    found = _of("spread", groups)
    totals = [(group.label, group.setting.scored("total").ravel()) for group in groups]
    if not any(len(values) for _, values in totals):
        yield paragraph("No seat is scored here.")
        return
    yield from _histograms("Totals of all seats", totals, "points of a seat in all", "seats")
    if found:
        yield _table(found, groups)


def _length(groups: Groups) -> Iterable[Html]:
    yield from _distribution(groups, key="rounds", axis="rounds in a game")
    yield tag("h3", "Decisions")
    yield from _distribution(groups, key="decisions", axis="answers given in a game")


def _lead(groups: Groups) -> Iterable[Html]:
    yield from _distribution(groups, key="lead_changes", axis="lead changes in a game")


def _closeness(groups: Groups) -> Iterable[Html]:
    yield from _distribution(groups, key="margin", axis="points between the first two places")
    rows = []
    for group in groups:
        margin = group.setting.game("margin")
        margin = margin[~np.isnan(margin)]
        if not len(margin):
            continue
        shares = [statistics.share((margin <= most).astype(np.float64)) for most in (0, 1, 3, 5, 10)]
        rows.append([_named("", group, groups) or "games", *(interval(share, True) for share in shares)])
    if rows:
        yield tag("h3", "Decided by so many points, or fewer")
        yield table(["", "0", "1", "3", "5", "10"], rows)


def _choices(groups: Groups) -> Iterable[Html]:
    yield paragraph(
        "What was chosen, of the times it was offered; and how seats fared in the games in which they chose it, "
        "against those in which they could have and never did. That is an association, not a cause: who is ahead "
        "chooses differently, and a choice may come with a good hand."
    )
    found = choices.asked([group.setting for group in groups])
    if not found:
        yield paragraph("No seat that is scored had a choice.")
        return
    kinds = {each.player for per_group in found for each in per_group if each}
    for per_group in found[:_MOST_DECISIONS]:
        player, step, decision = next((each.player, each.step, each.decision) for each in per_group if each)
        name = f"{step}: {decision.removeprefix(f'{step}.')}"
        yield tag("h3", f"{name}, answered by {player}" if len(kinds) > 1 else name)
        names = dict.fromkeys(answer.name for each in per_group if each for answer in each.answers)
        by_name = [{answer.name: answer for answer in each.answers} if each else {} for each in per_group]
        rows = [
            DotRow(name, [answers[name].taken if name in answers else None for answers in by_name]) for name in names
        ]
        title = f"How often {player} chose at {name}"
        plot = plots.dots(title, rows[: plots.MOST_ROWS], [group.label for group in groups], "% of times offered", True)
        lines = [
            [_named(name, group, groups), *_answer(answers[name])]
            for name in names
            for group, answers in zip(groups, by_name, strict=True)
            if name in answers
        ]
        yield picture(plot, table(["", "offered", "chosen", "wins, percentage points", "points"], lines))
    if len(found) > _MOST_DECISIONS:
        yield paragraph(f"{len(found) - _MOST_DECISIONS} less frequent decisions are not shown; the tables have them.")
    yield paragraph(
        f"At most {choices.MOST} answers of a decision are shown, the most offered ones; the rest is put together. "
        + (
            "Intervals come from how chunks of games differ from each other."
            if all(len(choice.counts) >= choices.ENOUGH_CHUNKS for g in groups for choice in g.setting.choices[:1])
            else "There are too few chunks of games to compare them: the intervals take games and seats as independent."
        ),
        faint=True,
    )


def _answer(answer: AnswerCount) -> list[str]:
    return [
        f"{answer.offered:,}",
        interval(answer.taken, True),
        interval(answer.wins, True, unit=""),
        interval(answer.points),
    ]


def _powers(groups: Groups) -> Iterable[Html]:
    rows, lines = [], []
    for power in dict.fromkeys(power for group in groups for power in group.plan.powers):
        shares: list[Estimate | None] = []
        for group in groups:
            if f"held: {power}" not in group.setting.columns or not len(group.setting.scored_seats):
                shares.append(None)
                continue
            share, line = _power(group, power)
            shares.append(share)
            lines.append([_named(power, group, groups), *line])
        rows.append(DotRow(power, shares))
    if not lines:
        yield paragraph("This edition declares no powers.")
        return
    rows.sort(key=lambda row: -max((each.value for each in row.estimates if each and each.known), default=-1.0))
    shown = [row for row in rows if any(each and each.known for each in row.estimates)]
    head = [
        "",
        "held by seats",
        "rounds held",
        "used, times",
        "wins of holders",
        "against others",
        "used or not",
    ]
    numbers = table(head, lines)
    if shown:
        labels, fair = [group.label for group in groups], (groups[0].fair, "fair share")
        title, kept = "Wins of those who held a power", shown[: plots.MOST_ROWS]
        plot = plots.dots(title, kept, labels, "% of games won", True, fair)
        yield picture(plot, numbers)
    else:
        yield numbers
    yield paragraph(
        "'Against others' is by how many percentage points holders won more than seats without the power; 'used or "
        "not' is the same between holders who used it and holders who did not. Powers may come to those who do well "
        "anyway: that is an association, not a cause.",
        faint=True,
    )


def _power(group: GameGroup, power: str) -> tuple[Estimate, list[str]]:
    """Wins of holders, clustered by game; and a line of a table."""
    setting = group.setting
    rounds, won = setting.scored(f"held: {power}"), setting.scored("won")
    held = (rounds > 0).astype(np.float64)
    share = statistics.ratio((won * held).sum(axis=1), held.sum(axis=1))
    share = Estimate(share.value, max(0.0, share.low), min(1.0, share.high), share.count)
    against = _against(won, held, 1 - held)
    times = used = "–"
    if f"used: {power}" in setting.columns:
        uses = setting.scored(f"used: {power}")
        who = (uses > 0).astype(np.float64)
        times = interval(statistics.mean(uses.mean(axis=1)))
        used = interval(_against(won, who, held * (1 - who)), True, unit="")
    ever = interval(statistics.share(held.mean(axis=1)), True)
    length = interval(statistics.ratio(rounds.sum(axis=1), held.sum(axis=1)))
    return share, [ever, length, times, interval(share, True), interval(against, True, unit=""), used]


def _against(won: Numbers, these: Numbers, those: Numbers) -> Estimate:
    if min(these.sum(), those.sum()) < 2:
        return statistics.NOTHING
    sums = ((won * these).sum(axis=1), these.sum(axis=1), (won * those).sum(axis=1), those.sum(axis=1))
    return statistics.ratios_apart(*sums)


def _measures(groups: Groups) -> Iterable[Html]:
    found = _of("measures", groups)
    if not found:
        yield paragraph("This edition declares no measures of its own.")
        return
    head, everything = ["", "mean", *_portion_titles()], []
    for quantity in found:
        having = [group for group in groups if quantity.key in group.setting.columns]
        rows = [
            [
                _named(quantity.title, group, groups),
                interval(quantity.estimate(group)),
                *_portions(group.setting.scored(quantity.key).ravel()),
            ]
            for group in having
        ]
        if len(groups) == 1:
            everything += rows
            continue
        dots = [DotRow(group.label, [quantity.estimate(group)]) for group in having]
        yield picture(plots.dots(quantity.title, dots, [""], f"{quantity.title}, mean of a seat"), table(head, rows))
    if everything:
        yield table(head, everything)


def _ties(groups: Groups) -> Iterable[Html]:
    found = _of("ties", groups)
    if not found:
        yield paragraph("Fewer than two seats are scored here.")
        return
    yield _dots("Ties", found, groups, "% of games")
    yield paragraph(
        "A win is shared where nothing parts the first; a tie-break decides where several are equal by what the "
        "ranking goes by first, and something further parts them.",
        faint=True,
    )


# ── parts of sections ──


def _of(name: str, groups: Groups) -> list[Quantity]:
    """The quantities of a section that any group has."""
    found: dict[str, Quantity] = {}
    for group in groups:
        found |= {q.key: q for q in quantities(group.setting) if q.section == name and q.key not in found}
    return list(found.values())


def _has(quantity: Quantity, group: GameGroup) -> bool:
    return any(each.key == quantity.key for each in quantities(group.setting))


def _dots(
    title: str,
    found: Sequence[Quantity],
    groups: Groups,
    axis: str,
    line: tuple[float, str] | None = None,
    name: Callable[[Quantity], str] = lambda quantity: quantity.title,
) -> Html:
    rows = [DotRow(name(q), [q.estimate(g) if _has(q, g) else None for g in groups]) for q in found]
    plot = plots.dots(title, rows, [group.label for group in groups], axis, found[0].shares, line)
    return picture(plot, _table(found, groups))


def _table(found: Sequence[Quantity], groups: Groups) -> Html:
    """Means with their intervals, a column per group."""
    rows = [[q.title, *(interval(q.estimate(g), q.shares) if _has(q, g) else "–" for g in groups)] for q in found]
    return table(["", *(group.label if len(groups) > 1 else "mean" for group in groups)], rows)


def _distribution(groups: Groups, key: str, axis: str) -> Iterable[Html]:
    """How a quantity is spread over the games of each group."""
    found = {group.label: [q for q in quantities(group.setting) if q.key == key] for group in groups}
    values = [(group.label, found[group.label][0].values(group)) for group in groups if found[group.label]]
    if not any(len(each) for _, each in values):
        yield paragraph("Fewer than two seats are scored here.")
        return
    yield from _histograms(axis[0].upper() + axis[1:], values, axis)


def _histograms(title: str, values: Sequence[tuple[str, Numbers]], axis: str, of: str = "games") -> Iterable[Html]:
    values = [(label, each) for label, each in values if len(each)]
    rows = [[label, interval(statistics.mean(each)), *_portions(each)] for label, each in values]
    if of == "seats":  # several of a game, which are not independent
        rows = [[label, figure(float(each.mean()), 1), *_portions(each)] for label, each in values]
    everything = np.concatenate([each for _, each in values])
    if everything.min() == everything.max():
        yield paragraph(f"Always {figure(float(everything[0]), 0)} {axis}.")
        return
    numbers = table(["", "mean", *_portion_titles()], rows)
    yield picture(plots.histogram(title, values[:_MOST_PANELS], axis, of), numbers)
    if len(values) > _MOST_PANELS:
        yield paragraph(f"The first {_MOST_PANELS} of {len(values)} are drawn; the numbers are of all.", faint=True)


def _portions(values: Numbers) -> list[str]:
    return [figure(value, 0 if value == round(value) else 1) for value in statistics.quantiles(values, _PORTIONS)]


def _portion_titles() -> list[str]:
    return ["5 % up to", "25 % up to", "half up to", "75 % up to", "95 % up to"]


def _named(name: str, group: GameGroup, groups: Groups) -> str:
    """A line's name, and whose it is where there are several groups."""
    return name if len(groups) == 1 else ", ".join(filter(None, (name, group.label)))


_SECTIONS: dict[str, tuple[str, Callable[[Groups], Iterable[Html]]]] = {
    "seats": ("Wins by seat", _seats),
    "score": ("Points by line", _score),
    "spread": ("Spread of points", _spread),
    "length": ("Length", _length),
    "lead": ("Lead changes", _lead),
    "closeness": ("Closeness", _closeness),
    "choices": ("Choices", _choices),
    "powers": ("Powers", _powers),
    "measures": ("Measures", _measures),
    "ties": ("Ties", _ties),
}


def sections(groups: Groups) -> list[Html]:
    """All of them, in the order in which they stand in a report."""
    return [section(name, title, *draw(groups)) for name, (title, draw) in _SECTIONS.items()]


def contents(compared: bool) -> Html:
    """Links to the sections."""
    named = {"comparison": "What differs"} if compared else {}
    named |= {name: title for name, (title, _) in _SECTIONS.items()}
    return tag("nav", *(tag("a", title, href=f"#{name}") for name, title in named.items()), aria_label="Sections")
