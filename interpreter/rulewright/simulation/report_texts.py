"""How a report speaks: numbers with their uncertainty, groups of games, quantities, in one reader's language."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property

from rulewright.game.library import Rules
from rulewright.game.messages import stopping
from rulewright.i18n.localizer import Argument, DecimalNumber, Phrase, Speech, phrase
from rulewright.program.form import Program
from rulewright.simulation.markup import Html, joined, tag
from rulewright.simulation.plan import Plan
from rulewright.simulation.quantities import SEAT, GameGroup, Quantity, alike, decimals
from rulewright.simulation.report_names import GameWords, words_of
from rulewright.simulation.statistics import Estimate

MOST_PLACES = 4
FEW = 20
"""Of fewer games nothing is said to be so in every game, or in nine of ten."""


class Teller:
    """Says what a report of these groups of games says. rules: of their editions, as far as they are at hand; program:
    of the only run, if it is compiled already."""

    def __init__(
        self, groups: Sequence[GameGroup], speech: Speech, rules: Sequence[Rules] = (), program: Program | None = None
    ) -> None:
        self.groups, self.speech = groups, speech
        plans = {group.plan.identity: group.plan for group in groups}
        self._words = {key: words_of(plan, speech, rules, program) for key, plan in plans.items()}
        self._runs = {(group.setting.folder, group.plan.identity): self.words(group) for group in groups}

    def say(self, told: Argument) -> str:
        return self.speech.say(told)

    @property
    def several_runs(self) -> bool:
        """Whether editions, or folders, are compared, rather than settings of one run."""
        return len(self._runs) > 1

    @cached_property
    def varied(self) -> tuple[str, ...]:
        """What is not the same in all groups of the only run, but was tried."""
        plan = self.groups[0].plan
        return () if self.several_runs else plan.varied

    def words(self, group: GameGroup) -> GameWords:
        return self._words[group.plan.identity]

    # ── groups ──

    def label(self, group: GameGroup) -> str:
        """What a group is called beside others: 'hand limit 8', or the edition."""
        words, plan = self.words(group), group.plan
        if len(self.varied) > 1 and self.own(group):
            return self.say(phrase("report", "the edition as it is"))
        setting = words.setting(plan.settings[group.setting.number], plan.varied)
        if not self.several_runs:
            return setting or words.title()
        name = words.title() if self._titles_differ else group.label
        return self.speech.row([name, setting]) if setting else name

    @cached_property
    def _titles_differ(self) -> bool:
        titles = [words.title() for words in self._runs.values()]
        return len(set(titles)) == len(titles)

    def short(self, group: GameGroup) -> str:
        """The same where it is clear what is tried: '8'."""
        if len(self.varied) != 1:
            return self.label(group)
        [name] = self.varied
        return self.words(group).value(name, group.plan.settings[group.setting.number][name])

    def own(self, group: GameGroup) -> bool:
        """Whether a group plays the edition as it is, while others of its run do not."""
        return len(group.plan.settings) > 1 and group.plan.settings[group.setting.number] == group.plan.own

    def marked(self, group: GameGroup) -> str:
        """The short name, with a note where it is the edition's own."""
        told = self.short(group)
        return self._as_it_is(told) if self.own(group) and len(self.varied) < 2 else told

    def _as_it_is(self, told: str) -> str:
        return self.speech.noted(told, self.say(phrase("report", "as it is")))

    def values(self, group: GameGroup) -> list[str]:
        """What a group has for each that is not the same in all; the edition's own first value says that it is that."""
        words, setting = self.words(group), group.plan.settings[group.setting.number]
        first, *rest = (words.value(name, setting[name]) for name in self.varied)
        return [self._as_it_is(first) if self.own(group) else first, *rest]

    def row(self, group: GameGroup) -> str:
        """What a group is called in a picture: by its values alone where several are tried, 8 · 5."""
        return " · ".join(self.values(group)) if len(self.varied) > 1 else self.marked(group)

    def seat(self, plan: Plan, seat: int) -> str:
        """Seat 2, or Seat 2 (greedy) where not all are played by the same kind of player. seat: from 0."""
        told = self.say(phrase("report", "Seat {number}", number=seat + 1))
        if alike(plan):
            return told
        return self.speech.noted(told, self.player(plan, seat))

    def player(self, plan: Plan, seat: int) -> str:
        """Who sits there: a virtual player by name, or a kind of player as it is written for `--seats`."""
        place = plan.seats[seat]
        return self._words[plan.identity].role(place.role) if place.role else place.player

    # ── numbers ──

    def number(self, value: float, places: int = 0, shares: bool = False) -> str:
        """A number with so many decimals; shares as percentages."""
        if abs(value) * (100 if shares else 1) < 0.5 * 10**-places:
            value = 0.0
        return self.speech.figure(DecimalNumber(value, places, shares))

    def whole(self, value: float) -> str:
        return self.speech.number(int(value))

    def plain(self, value: float) -> str:
        """A number as an axis has it, with the decimals that it needs."""
        places = next(
            (places for places in range(MOST_PLACES) if abs(value - round(value, places)) < 1e-9), MOST_PLACES
        )
        return self.number(value, places)

    def percent(self, value: float) -> str:
        """The same, of a share."""
        places = next((n for n in range(MOST_PLACES) if abs(value * 100 - round(value * 100, n)) < 1e-7), MOST_PLACES)
        return self.number(value, places, True)

    def signed(self, value: float, places: int, shares: bool = False) -> str:
        """With a sign in any case; differences of shares are percentage points, told without their unit."""
        told = self.number(value * (100 if shares else 1), places)
        return f"+{told}" if value > 0 and any(digit in "123456789" for digit in told) else told

    def value(self, estimate: Estimate, shares: bool = False) -> str:
        """An estimate alone."""
        if math.isnan(estimate.value):
            return "–"
        return self.number(estimate.value, decimals(estimate, shares), shares)

    def reach(self, estimate: Estimate, shares: bool = False) -> str:
        """The interval of an estimate: 26.2 to 28.0."""
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

    def interval(self, estimate: Estimate, shares: bool = False) -> str:
        """27.1% (26.2 to 28.0): as many decimals as the interval leaves a meaning."""
        reach = self.reach(estimate, shares)
        return self.speech.noted(self.value(estimate, shares), reach) if reach else self.value(estimate, shares)

    def cell(self, estimate: Estimate | None, shares: bool = False) -> Html:
        """The same for a page, the interval small."""
        if estimate is None or math.isnan(estimate.value):
            return Html("–")
        return joined(tag("span", self.value(estimate, shares)), tag("small", self.reach(estimate, shares)))

    def signed_cell(self, estimate: Estimate | None, shares: bool = False) -> Html:
        """A difference for a page, the interval small."""
        if estimate is None or not estimate.known:
            return Html("–")
        places = decimals(estimate, shares)
        value, low, high = (self.signed(x, places, shares) for x in (estimate.value, estimate.low, estimate.high))
        reach = self.say(phrase("report", "{low} to {high}", low=low, high=high))
        return joined(tag("span", value), tag("small", reach))

    # ── quantities ──

    def title(self, quantity: Quantity) -> str:
        """A quantity as a heading."""
        return self.speech.title(self.named(quantity))

    def named(self, quantity: Quantity) -> Argument:
        """A quantity inside of a sentence."""
        what, _, name = quantity.key.partition(": ")
        if quantity.key in _TITLES:
            return _TITLES[quantity.key]
        # What only one edition has is called as it is there.
        for words in self._words.values():
            plan = words.plan
            match what:
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


def seat_of(quantity: Quantity) -> int:
    """The seat, from 0, whose wins a quantity tells; -1 for others."""
    return int(quantity.key.removeprefix(SEAT)) - 1 if quantity.key.startswith(SEAT) else -1


def not_by_rules(teller: Teller, group: GameGroup) -> Iterator[str]:
    """Sentences on the games that came to no end by their rules: how many, how they are counted, one to look at."""
    if group.setting.limited:
        yield _at_the_limit(teller, group)
    if group.setting.stopped:
        yield _stopped(teller, group)


def _stopped(teller: Teller, group: GameGroup) -> str:
    stopped = group.setting.stopped
    told = phrase(
        "report",
        "{setting}: {stopped} of {games} [game|games] could not be played to [stopped: its end and has|their ends and "
        "have] no result; all other figures leave them out. The first of them, with the seed {seed}, stops {where}. "
        "{why}",
        setting=teller.label(group),
        stopped=len(stopped),
        games=group.setting.played,
        seed=str(stopped[0].seed),
        where=stopping(stopped[0].rounds, stopped[0].decisions),
        why=stopped[0].why,
    )
    return teller.say(told)


def _at_the_limit(teller: Teller, group: GameGroup) -> str:
    """How many games came to their limit, how they are counted, and one to look at."""
    played = group.setting.played
    slots: dict[str, Argument] = {
        "setting": teller.label(group),
        "limited": group.setting.limited,
        "games": played,
        "seed": str(group.setting.first_limited),
    }
    if len(group.setting.games) + len(group.setting.stopped) < played:
        return teller.say(
            phrase(
                "report",
                "{setting}: {limited} of {games} [game|games] came to the limit and [limited: has|have] no result, and "
                "all other figures leave them out. The first of them has the seed {seed}.",
                **slots,
            )
        )
    return teller.say(
        phrase(
            "report",
            "{setting}: {limited} of {games} [game|games] came to the limit and [limited: is|are] counted as they "
            "stood. The first of them has the seed {seed}.",
            **slots,
        )
    )


def in_order(groups: Sequence[GameGroup]) -> list[GameGroup]:
    """Groups as they are shown: by the number that was tried, if one was; else as they come."""
    plans = {(group.setting.folder, group.plan.identity) for group in groups}
    varied = groups[0].plan.varied
    if len(plans) > 1 or len(varied) != 1:
        return list(groups)
    values = [group.plan.settings[group.setting.number][varied[0]] for group in groups]
    if not all(value.lstrip("-").isdigit() for value in values):
        return list(groups)
    return [group for _, group in sorted(zip(map(int, values), groups, strict=True), key=lambda pair: pair[0])]
