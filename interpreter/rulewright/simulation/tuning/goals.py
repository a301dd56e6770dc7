"""Goals of a search: each a measure that is to be low, high, a number, or in a span."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np

from rulewright.base.diagnostics import escape_controls
from rulewright.base.records import record
from rulewright.i18n.localizer import DecimalNumber, Localizer, Phrase, phrase, suggestion
from rulewright.simulation import statistics
from rulewright.simulation.plan import PlanError
from rulewright.simulation.quantities import Numbers, decimals
from rulewright.simulation.statistics import Estimate
from rulewright.simulation.tuning.measures import LENGTH, SPREAD, GameMeasure

MAX_GOALS = 6
"""Limit of goals of a search."""

_DIRECTIONS = {"low": "low", "lowest": "low", "lower": "low", "high": "high", "highest": "high", "higher": "high"}
"""Words for a goal without a number."""
_FIGURE = r"(-?\d{1,9}(?:\.\d{1,4})?)\s*%?"
"""Pattern of a number, perhaps as a percentage."""
_SPAN = re.compile(rf"{_FIGURE}\s*(?:\.\.+|…|to)\s*{_FIGURE}")
"""Aim between two numbers."""
_ONE = re.compile(_FIGURE)
"""Aim at one number."""
_BOUND = re.compile(rf"(at most|at least|<=|>=)\s*{_FIGURE}")
"""Aim above or below a number."""
_UNIT = re.compile(r"(.*[\d%])\s*([^\W\d_][\w -]*)")
"""Aim with a unit behind it."""
_CLOCK = ("minute", "minutes", "min", "hour", "hours", "second", "seconds")
"""Units of time, which no game is measured in."""


@record
class Goal:
    """One goal.

    toward: 'low', 'high' or 'span'; least, most: of a span, in which every figure is as good; they are the same for one
    number, and infinite where there is no bound.
    """

    measure: GameMeasure
    toward: Literal["low", "high", "span"]
    least: float = -math.inf
    most: float = math.inf

    @property
    def name(self) -> str:
        """Name of the measure, as people type it."""
        return self.measure.name

    def estimate(self, values: Numbers) -> Estimate:
        """Return the figure of the games that have one, and its interval."""
        known = values[~np.isnan(values)]
        if self.measure.among > 1 or self.measure.key == SPREAD:
            return _greatest(known, self.measure.among)
        if self.measure.share and len(known) and known.min() >= 0:
            return statistics.share(known)
        return statistics.mean(known)

    def off_by(self, figure: float) -> float:
        """Return the distance of a figure from the goal, 0 inside its range; for 'low' and 'high', less is better
        without end."""
        if self.toward == "low":
            return figure
        if self.toward == "high":
            return -figure
        return max(0.0, self.least - figure, figure - self.most)

    def losses(self, values: Numbers) -> Numbers:
        """Return the distance game by game, so that their mean is the distance of the mean."""
        if self.toward == "low":
            return values
        if self.toward == "high":
            return -values
        middle = float(np.nanmean(values)) if np.isfinite(values).any() else math.nan
        if middle < self.least:
            return self.least - values
        if middle > self.most:
            return values - self.most
        return np.where(np.isnan(values), np.nan, 0.0)

    # ── in words ──

    def aim(self) -> Phrase:
        """Return the aim in words."""
        if self.toward == "low":
            return phrase("tuning", "as low as can be")
        if self.toward == "high":
            return phrase("tuning", "as high as can be")
        if self.least == self.most:
            return phrase("tuning", "{figure}", figure=self._format(self.least))
        if math.isinf(self.least):
            return phrase("tuning", "at most {figure}", figure=self._format(self.most))
        if math.isinf(self.most):
            return phrase("tuning", "at least {figure}", figure=self._format(self.least))
        return phrase("tuning", "{low} to {high}", low=self._format(self.least), high=self._format(self.most))

    def in_words(self, localizer: Localizer) -> str:
        """Return the measure and the aim."""
        return localizer.entry(self.measure.title_in(localizer), localizer.say(self.aim()))

    def _format(self, figure: float) -> float | DecimalNumber:
        """Return a figure with the decimals that it needs."""
        places = max(0, -math.floor(math.log10(abs(figure) % 1)) if abs(figure) % 1 > 1e-9 else 0)
        if self.measure.share:
            return DecimalNumber(figure, max(0, min(places, 4) - 2), percent=True)
        return DecimalNumber(figure, min(places, 4)) if places else int(figure)

    def figure(self, estimate: Estimate, localizer: Localizer) -> str:
        """Format a figure with its interval: 27.1 % (26.2 to 28.0 %), with the decimals that the interval leaves a
        meaning."""
        if math.isnan(estimate.value):
            return "–"
        if not estimate.known:
            return localizer.decimal(DecimalNumber(estimate.value, 1, self.measure.share))
        always = estimate.high - estimate.low < 1e-9
        places = 0 if always and estimate.value.is_integer() else decimals(estimate, self.measure.share)
        value, low, high = (
            localizer.decimal(DecimalNumber(_unsigned(each, places, self.measure.share), places, self.measure.share))
            for each in (estimate.value, estimate.low, estimate.high)
        )
        if low == high:
            return value
        return localizer.say(phrase("tuning", "{figure} ({low} to {high})", figure=value, low=low, high=high))


def _greatest(difference: Numbers, among: int) -> Estimate:
    """Return the greatest of so many differences. difference: that one, game by game.

    The interval holds for all of them at once (Bonferroni), since the greatest is picked from the same games.
    """
    estimate = statistics.mean(difference)
    if not estimate.known:
        return estimate
    usual, wide = (NormalDist().inv_cdf(1 - (1 - statistics.CONFIDENCE) / 2 / count) for count in (1, among))
    width = (estimate.high - estimate.value) * wide / usual
    return Estimate(estimate.value, max(0.0, estimate.value - width), estimate.value + width, estimate.count)


def _unsigned(value: float, places: int, share: bool) -> float:
    """Return a value that is not shown as -0."""
    rounded = round(value * (100 if share else 1), places)
    return 0.0 if rounded == 0 else value


def goals(texts: Sequence[str], known: Sequence[GameMeasure]) -> tuple[Goal, ...]:
    """Parse goals from texts such as 'spread of seat wins', 'length=45', 'lead changes=high', 'rounds=8..12'.

    known: all that can be measured here. Raises PlanError.
    """
    if not texts:
        raise PlanError(
            phrase(
                "errors",
                "Say what to look for, such as {one} or {two}. It can be: {names}.",
                one='--toward "length=45"',
                two='--toward "spread of seat wins"',
                names=_format_names(known),
            )
        )
    if len(texts) > MAX_GOALS:
        raise PlanError(phrase("errors", "At most {most} goals are looked for at once.", most=MAX_GOALS))
    parsed: list[Goal] = []
    for text in texts:
        goal = _parse_goal(text, known)
        if goal.name in {each.name for each in parsed}:
            raise PlanError(phrase("errors", "'{name}' is given twice.", name=goal.name))
        parsed.append(goal)
    return tuple(parsed)


def _parse_goal(text: str, known: Sequence[GameMeasure]) -> Goal:
    """Parse 'length=40..50', 'margin low' or the like; a measure alone has its usual direction. Raises PlanError."""
    name, equals, aim = (" ".join(part.split()) for part in text.partition("="))
    if name.endswith((">", "<")):
        name, aim = name[:-1].strip(), f"{name[-1]}={aim}"
    if not equals:
        words = name.split()
        if len(words) > 1 and words[-1] in _DIRECTIONS:
            name, aim = " ".join(words[:-1]), words[-1]
        elif len(words) > 1 and words[0] in _DIRECTIONS:
            name, aim = " ".join(words[1:]), words[0]
    measure = _find_measure(name, known)
    if not aim and not equals and measure.better:
        aim = measure.better
    if not aim:
        raise PlanError(
            phrase(
                "errors",
                "Say where '{name}' is to come to: {one}, {two}, {three}, {four} or {five}.",
                name=name,
                one=f"'{name}=45'",
                two=f"'{name}=40..50'",
                three=f"'{name}=at most 50'",
                four=f"'{name}=low'",
                five=f"'{name}=high'",
            )
        )
    if aim in _DIRECTIONS:
        return Goal(measure, "low" if _DIRECTIONS[aim] == "low" else "high")
    return _parse_aim(measure, name, aim)


def _parse_aim(measure: GameMeasure, name: str, aim: str) -> Goal:
    """Parse what a measure is to come to: a number, a bound or a span, perhaps with its unit. Raises PlanError."""
    unit = _UNIT.fullmatch(aim)
    bare = aim
    if unit is not None and not _BOUND.fullmatch(aim) and not _SPAN.fullmatch(aim):
        bare = unit[1]
        if unit[2] in _CLOCK:
            raise PlanError(
                phrase(
                    "errors",
                    "Nobody knows how many {unit} a simulated game would take at a table. Its length is counted in "
                    "decisions, '{one}', or in rounds, '{two}'.",
                    unit=unit[2],
                    one="length=120",
                    two="rounds=9",
                )
            )
        if name == LENGTH and unit[2] in ("rounds", "round"):
            raise PlanError(phrase("errors", "For a length in rounds write '{example}'.", example=f"rounds={bare}"))
        if unit[2] not in (measure.name, *measure.others, "points", "decisions", "times", "percent", "per cent"):
            raise PlanError(
                phrase(
                    "errors",
                    "'{name}' is not counted in '{unit}'.",
                    name=name,
                    unit=escape_controls(unit[2][:40]),
                )
            )
    scale = 0.01 if measure.share else 1.0
    if match := _ONE.fullmatch(bare):
        return Goal(measure, "span", float(match[1]) * scale, float(match[1]) * scale)
    if match := _SPAN.fullmatch(bare):
        low, high = float(match[1]) * scale, float(match[2]) * scale
        if low <= high:
            return Goal(measure, "span", low, high)
    if match := _BOUND.fullmatch(bare):
        if match[1] in ("at most", "<="):
            return Goal(measure, "span", most=float(match[2]) * scale)
        return Goal(measure, "span", least=float(match[2]) * scale)
    raise PlanError(
        phrase(
            "errors",
            "'{name}' cannot come to '{aim}'. Write a number, a span such as {span}, {bound}, {low} or {high}.",
            name=name,
            aim=escape_controls(aim[:60]),
            span="'40..50'",
            bound="'at most 50'",
            low="'low'",
            high="'high'",
        )
    )


def _find_measure(name: str, known: Sequence[GameMeasure]) -> GameMeasure:
    """Return the measure of a name or of another name for it. Raises PlanError with the nearest one."""
    bare_name = _bare(name)
    for part in ("name", "others"):
        for measure in known:
            if bare_name in map(_bare, (measure.name, measure.key) if part == "name" else measure.others):
                return measure
    raise PlanError(
        phrase(
            "errors",
            "Games are not measured by '{name}'. {hint} It can be: {names}.",
            name=escape_controls(name[:60]),
            hint=suggestion(name, [each for measure in known for each in (measure.name, *measure.others)]),
            names=_format_names(known),
        )
    )


def _bare(name: str) -> str:
    """Return a name without differences of case, blanks and hyphens."""
    return " ".join(re.sub(r"[-_]+", " ", name).casefold().split())


def _format_names(known: Sequence[GameMeasure]) -> str:
    """Return the names of all measures, some with another name that people look for."""
    return ", ".join(f"{each.name} ({LENGTH})" if LENGTH in each.others else each.name for each in known)
