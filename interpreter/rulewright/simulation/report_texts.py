"""Texts of a report: numbers with their uncertainty, groups of games, quantities, in one reader's language."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

from rulewright.game.library import Rules
from rulewright.game.messages import stop_text
from rulewright.i18n.localizer import Argument, DecimalNumber, Localizer, Phrase, phrase
from rulewright.program.form import Program
from rulewright.simulation.markup import Html, join_lines, tag
from rulewright.simulation.plan import Plan
from rulewright.simulation.quantities import SEAT, GameGroup, Quantity, decimals, same_players
from rulewright.simulation.report_names import GameWords, words_of
from rulewright.simulation.statistics import Estimate

MAX_PLACES = 4
"""Most decimals of a number on an axis."""
FEW = 20
"""Number of games below which nothing is said to be so in every game, or in nine of ten."""


class ReportTexts:
    """Texts of a report on some groups of games, the first of which the others are compared with.

    rules: of their editions, as far as they are at hand; other shipped editions are loaded, for their words. program:
    of the only run, if it is compiled already. Parameter `shares`: whether an estimate is shown as a percentage.
    """

    def __init__(
        self,
        groups: Sequence[GameGroup],
        localizer: Localizer,
        rules: Sequence[Rules] = (),
        program: Program | None = None,
    ) -> None:
        self.groups, self.localizer = groups, localizer
        plans = {group.plan.identity: group.plan for group in groups}
        self._words = {key: words_of(plan, localizer, rules, program) for key, plan in plans.items()}
        self._runs = {(group.setting.folder, group.plan.identity): self.words(group) for group in groups}

    def say(self, message: Argument) -> str:
        """Return a text in the language."""
        return self.localizer.say(message)

    @property
    def several_runs(self) -> bool:
        """Whether editions, or folders, are compared, rather than settings of one run."""
        return len(self._runs) > 1

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """Options and values that differ between the settings of the only run; () where there are several runs."""
        plan = self.groups[0].plan
        return () if self.several_runs else plan.varied

    def words(self, group: GameGroup) -> GameWords:
        """Return the names of a group's run."""
        return self._words[group.plan.identity]

    # ── groups ──

    def label(self, group: GameGroup) -> str:
        """Return the name of a group beside others: 'hand limit 8', or the edition."""
        words, plan = self.words(group), group.plan
        if len(self.varied) > 1 and self.is_unchanged(group):
            return self.say(phrase("report", "the edition as it is"))
        setting = words.setting(plan.settings[group.setting.number], plan.varied)
        if not self.several_runs:
            return setting or words.title()
        name = words.title() if self._titles_differ else group.label
        return self.localizer.join_items([name, setting]) if setting else name

    @cached_property
    def _titles_differ(self) -> bool:
        """Whether each run has a title of its own."""
        titles = [words.title() for words in self._runs.values()]
        return len(set(titles)) == len(titles)

    def short_label(self, group: GameGroup) -> str:
        """Return the short name of a group where it is clear what is tried, '8'; its label unless a single thing
        varies."""
        if len(self.varied) != 1:
            return self.label(group)
        [name] = self.varied
        return self.words(group).value(name, group.plan.settings[group.setting.number][name])

    def is_unchanged(self, group: GameGroup) -> bool:
        """Return whether a group plays by the edition's own options and values, while others of its run do not."""
        return len(group.plan.settings) > 1 and group.plan.settings[group.setting.number] == group.plan.own

    def short_with_note(self, group: GameGroup) -> str:
        """Return the short label, with a note if it is the unchanged edition."""
        name = self.short_label(group)
        return self._as_it_is(name) if self.is_unchanged(group) and len(self.varied) < 2 else name

    def _as_it_is(self, name: str) -> str:
        """Return a name with the note that it is the unchanged edition's."""
        return self.localizer.with_note(name, self.say(phrase("report", "as it is")))

    def values(self, group: GameGroup) -> list[str]:
        """Return the values of a group that differ between groups, with a note on the first if it is the unchanged
        edition. Raises ValueError if none differs."""
        words, setting = self.words(group), group.plan.settings[group.setting.number]
        first, *rest = (words.value(name, setting[name]) for name in self.varied)
        return [self._as_it_is(first) if self.is_unchanged(group) else first, *rest]

    def row_label(self, group: GameGroup) -> str:
        """Return the name of a group in a picture: its values alone where several vary, 8 · 5, else the short label
        with its note."""
        return " · ".join(self.values(group)) if len(self.varied) > 1 else self.short_with_note(group)

    def seat(self, plan: Plan, seat: int) -> str:
        """Return 'Seat 2', or 'Seat 2 (greedy)' if not all seats but virtual players have the same
        kind of player. seat: from 0."""
        name = self.say(phrase("report", "Seat {number}", number=seat + 1))
        if same_players(plan):
            return name
        return self.localizer.with_note(name, self.player(plan, seat))

    def player(self, plan: Plan, seat: int) -> str:
        """Return the player of a seat: a virtual player by name, or a kind of player as `--seats` has it."""
        place = plan.seats[seat]
        return self._words[plan.identity].role(place.role) if place.role else place.player

    # ── numbers ──

    def number(self, value: float, places: int = 0, shares: bool = False) -> str:
        """Format a number with so many decimals; shares as percentages."""
        if abs(value) * (100 if shares else 1) < 0.5 * 10**-places:
            value = 0.0
        return self.localizer.decimal(DecimalNumber(value, places, shares))

    def whole(self, value: float) -> str:
        """Format a number without decimals, cut off."""
        return self.localizer.number(int(value))

    def plain(self, value: float) -> str:
        """Format a number on an axis, with the decimals that it needs."""
        places = next((places for places in range(MAX_PLACES) if abs(value - round(value, places)) < 1e-9), MAX_PLACES)
        return self.number(value, places)

    def percent(self, value: float) -> str:
        """Format a share on an axis as a percentage, with the decimals that it needs."""
        places = next((n for n in range(MAX_PLACES) if abs(value * 100 - round(value * 100, n)) < 1e-7), MAX_PLACES)
        return self.number(value, places, True)

    def signed(self, value: float, places: int, shares: bool = False) -> str:
        """Format a number with its sign, + too, and what rounds to 0 without one; differences of shares are percentage
        points, without their unit."""
        text = self.number(value * (100 if shares else 1), places)
        return f"+{text}" if value > 0 and any(digit in "123456789" for digit in text) else text

    def value(self, estimate: Estimate, shares: bool = False) -> str:
        """Format an estimate without its interval."""
        if math.isnan(estimate.value):
            return "–"
        return self.number(estimate.value, decimals(estimate, shares), shares)

    def interval_text(self, estimate: Estimate, shares: bool = False) -> str:
        """Format the interval of an estimate: 26.2 to 28.0; '' without an estimate, and words for that of a single
        game, and where it is one value."""
        if math.isnan(estimate.value):
            return ""
        if not estimate.known:
            return self.say(phrase("report", "one game tells nothing more"))
        places, scale = decimals(estimate, shares), 100 if shares else 1
        low, high = self.number(estimate.low * scale, places), self.number(estimate.high * scale, places)
        if low == high and estimate.count < FEW:
            return self.say(phrase("report", "in all {games} [game|games]", games=estimate.count))
        if low == high:
            return self.say(phrase("report", "always"))
        return self.say(phrase("report", "{low} to {high}", low=low, high=high))

    def value_with_interval(self, estimate: Estimate, shares: bool = False) -> str:
        """Format an estimate with its interval: 27.1% (26.2 to 28.0), with the decimals that the interval leaves a
        meaning."""
        reach = self.interval_text(estimate, shares)
        return self.localizer.with_note(self.value(estimate, shares), reach) if reach else self.value(estimate, shares)

    def cell(self, estimate: Estimate | None, shares: bool = False) -> Html:
        """Return an estimate as a cell of a page, the interval small."""
        if estimate is None or math.isnan(estimate.value):
            return Html("–")
        return join_lines(tag("span", self.value(estimate, shares)), tag("small", self.interval_text(estimate, shares)))

    def signed_cell(self, estimate: Estimate | None, shares: bool = False) -> Html:
        """Return a difference as a cell of a page, the interval small; a dash where one game gives no interval."""
        if estimate is None or not estimate.known:
            return Html("–")
        places = decimals(estimate, shares)
        value, low, high = (self.signed(x, places, shares) for x in (estimate.value, estimate.low, estimate.high))
        reach = self.say(phrase("report", "{low} to {high}", low=low, high=high))
        return join_lines(tag("span", value), tag("small", reach))

    # ── quantities ──

    def title(self, quantity: Quantity) -> str:
        """Return a quantity as a heading."""
        return self.localizer.title(self.name(quantity))

    def name(self, quantity: Quantity) -> Argument:
        """Return a quantity's name inside of a sentence; its key if no run knows it."""
        prefix, _, name = quantity.key.partition(": ")
        if quantity.key in _TITLES:
            return _TITLES[quantity.key]
        # What only one edition has is called as it is there.
        for words in self._words.values():
            plan = words.plan
            match prefix:
                case "won":
                    return phrase("report", "{seat} wins", seat=self.seat(plan, int(name) - 1))
                case "points" if any(line.name == name for line in plan.lines):
                    return words.line(name)
                case "measure" if any(measure.name == name for measure in plan.measures):
                    return words.measure(name)
                case "held" if name in plan.powers:
                    return phrase("report", "{power}: held by seats", power=words.power(name))
                case "used" if name in plan.powers:
                    return phrase("report", "{power}: used", power=words.power(name))
        return quantity.key


_TITLES: dict[str, Phrase] = {
    "rounds": phrase("report", "rounds"),
    "decisions": phrase("report", "decisions"),
    "margin": phrase("report", "lead of the winner"),
    "lead_changes": phrase("report", "lead changes"),
    "shared": phrase("report", "shared wins"),
    "tie_break": phrase("report", "won by a tie-break"),
    "total": phrase("report", "points of a seat"),
    "best": phrase("report", "most points in a game"),
    "apart": phrase("report", "from first to last"),
}
"""Key of a quantity -> its name."""


def seat_of(quantity: Quantity) -> int:
    """Return the seat, from 0, whose wins a quantity counts; -1 for other quantities."""
    return int(quantity.key.removeprefix(SEAT)) - 1 if quantity.key.startswith(SEAT) else -1


def unfinished_notes(texts: ReportTexts, group: GameGroup) -> Iterator[str]:
    """Yield sentences on the games without an end by their rules: how many, how they are counted, one to look at;
    first those that came to the limit, then those that failed."""
    if group.setting.limited:
        yield _limit_note(texts, group)
    if group.setting.stopped:
        yield _stopped_note(texts, group)


def _stopped_note(texts: ReportTexts, group: GameGroup) -> str:
    """Return a sentence on the games that failed: how many, and the first one."""
    stopped = group.setting.stopped
    message = phrase(
        "report",
        "{setting}: {stopped} of {games} [game|games] could not be played to [stopped: its end and has|their ends and "
        "have] no result; all other figures leave them out. The first of them, with the seed {seed}, stops {where}. "
        "{why}",
        setting=texts.label(group),
        stopped=len(stopped),
        games=group.setting.played,
        seed=str(stopped[0].seed),
        where=stop_text(stopped[0].rounds, stopped[0].decisions),
        why=stopped[0].reason,
    )
    return texts.say(message)


def _limit_note(texts: ReportTexts, group: GameGroup) -> str:
    """Return a sentence on the games that came to their limit: how many, how they are counted, and one to look at."""
    played = group.setting.played
    slots: dict[str, Argument] = {
        "setting": texts.label(group),
        "limited": group.setting.limited,
        "games": played,
        "seed": str(group.setting.first_limited),
    }
    if len(group.setting.games) + len(group.setting.stopped) < played:
        return texts.say(
            phrase(
                "report",
                "{setting}: {limited} of {games} [game|games] came to the limit and [limited: has|have] no result, and "
                "all other figures leave them out. The first of them has the seed {seed}.",
                **slots,
            )
        )
    return texts.say(
        phrase(
            "report",
            "{setting}: {limited} of {games} [game|games] came to the limit and [limited: is|are] counted as they "
            "stood. The first of them has the seed {seed}.",
            **slots,
        )
    )


def order_groups(groups: Sequence[GameGroup]) -> list[GameGroup]:
    """Return the groups in the order in which they are shown: by the number that was tried, if one was the only thing
    to vary; else as they are."""
    plans = {(group.setting.folder, group.plan.identity) for group in groups}
    varied = groups[0].plan.varied
    if len(plans) > 1 or len(varied) != 1:
        return list(groups)
    values = [group.plan.settings[group.setting.number][varied[0]] for group in groups]
    if not all(value.lstrip("-").isdigit() for value in values):
        return list(groups)
    return [group for _, group in sorted(zip(map(int, values), groups, strict=True), key=lambda pair: pair[0])]
