"""Learned values: what a position is worth at the end of a turn, linear in general features of each seat.

A value is kept by the digest of the rules that it was learned for: beside the editions of the shelf, or in the user's
cache for any other edition. A search looks no further than to the end of the turn, and asks it what that is worth.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import mul
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from rulewright.base import cache, files, resources
from rulewright.base.records import record
from rulewright.i18n.file_errors import read_error
from rulewright.i18n.localizer import Phrase, phrase
from rulewright.players.evaluation import END_PLACE_WEIGHT, EPSILON, draw_rng_cells
from rulewright.players.kinds import PlayerError
from rulewright.program.bids import with_modest_bids
from rulewright.program.features import features, with_features
from rulewright.program.form import Program
from rulewright.program.wagers import without_wagers
from rulewright.runtime.machine import Machine
from rulewright.runtime.native import GAME_WORDS, EndTerms, Executor, LearnedTerms, executor
from rulewright.runtime.operations import OutOfTime, RuleError

FORMAT = 1
"""Version of the format of files; others are refused."""
MAX_FILE_BYTES = 100_000
"""Maximum size of a file."""
MAX_WEIGHT = 1e9
"""Bound of weights."""
ROLLOUTS, BEST_SHARE = 12, 0.25
"""Rollouts to the end of the turn, from each position that is evaluated, and the share of them that counts."""
MAX_AHEAD = 48
"""Rollouts that show how much positions at the end of the turn differ."""
MAX_ANSWERS = 400
"""Limit of answers until the end of a turn."""


@record
class LearnedValue:
    """Value of one edition's positions. title: of the edition; plays: digest of its rules; weights: by the name of a
    feature."""

    title: str
    plays: str
    weights: Mapping[str, float]


def read(path: Path) -> LearnedValue:
    """Read a value from a file. Raises PlayerError for a file that holds none."""
    try:
        data = files.read(path, MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise PlayerError(read_error(path, error)) from None
    try:
        if len(data) > MAX_FILE_BYTES:
            raise ValueError
        content = json.loads(data)
        if content["rulewright value"] != FORMAT:
            raise _refusal(path, phrase("errors", "another version of Rulewright has written it"))
        weights = {str(name): float(weight) for name, weight in content["weights"].items()}
        if not all(abs(weight) <= MAX_WEIGHT for weight in weights.values()):  # nor is any of them no number
            raise ValueError
        return LearnedValue(str(content["title"]), str(content["plays"]), weights)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise _refusal(path, phrase("errors", "it is damaged")) from None


def _refusal(path: Path, reason: Phrase) -> PlayerError:
    return PlayerError(
        phrase("errors", "'{path}' holds no learned value of Rulewright: {why}.", path=str(path), why=reason)
    )


def write(path: Path, value: LearnedValue) -> None:
    """Write a value to a file, replacing its content; weights have four decimals. Raises OSError."""
    weights = {name: round(weight, 4) for name, weight in value.weights.items()}
    content = {"rulewright value": FORMAT, "title": value.title, "plays": value.plays, "weights": weights}
    files.replace(path, (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode())


@lru_cache(1)
def _shipped() -> Mapping[str, LearnedValue]:
    """Values that come along, by the digest of the rules; a file that holds none is left out."""
    values: dict[str, LearnedValue] = {}
    folder = resources.folder("editions") / "values"
    for path in sorted(folder.glob("*.json")):
        with suppress(PlayerError):
            value = read(path)
            values[value.plays] = value
    return values


def value_of(program: Program) -> LearnedValue | None:
    """Return what was learned for the rules of a program, if anything was."""
    own = cache.get(cache.key("learned value", program.plays)) if program.plays else None
    value = own if isinstance(own, LearnedValue) else _shipped().get(program.plays)
    return value if value is not None and fits(program, value) else None


def store(value: LearnedValue) -> None:
    """Store a value in the user's cache, where `value_of` finds it for games with its rules."""
    cache.store(cache.key("learned value", value.plays), value)


def fits(program: Program, value: LearnedValue) -> bool:
    """Return whether a value was learned for these rules, and knows no feature that they have not."""
    return value.plays == program.plays and value.weights.keys() <= set(feature_names(program))


def feature_names(program: Program) -> list[str]:
    """Return the names of a program's features: the lines of its score, then the others."""
    return [f"points: {line.name}" for line in program.scoring] + [feature.name for feature in features(program)]


# ── evaluation ──


def learned_program(program: Program) -> Program:
    """Return a program for rollouts whose score tells the features, too."""
    return with_features(with_modest_bids(without_wagers(program)), features(program))


executors: WeakKeyDictionary[Machine, Executor] = WeakKeyDictionary()
"""Executors of programs with features, by machine."""


def learned_executor(machine: Machine) -> Executor:
    """Return the executor of a machine's rollouts with features; making it takes a second."""
    if machine not in executors:
        executors[machine] = executor(learned_program(machine.program))
    return executors[machine]


class FeatureRows:
    """Parts of rows of results with features. program: with the edition's own lines alone; over: number of a seat's
    word that says whether the game is over."""

    def __init__(self, program: Program) -> None:
        self.names = feature_names(program)
        self._lines, width = len(program.scoring), 2 + len(self.names)
        self._firsts = [GAME_WORDS + seat * width for seat in range(program.layout.seats)]
        self._width, self.over = width, 1 + self._lines

    def is_over(self, row: Sequence[int]) -> bool:
        """Return whether the game is over."""
        return any(row[first + 1 + self._lines] for first in self._firsts)

    def places(self, row: Sequence[int]) -> list[int]:
        """Return the place of each seat, or 0."""
        return [row[first] for first in self._firsts]

    def points(self, row: Sequence[int]) -> list[int]:
        """Return the points of each seat, all lines together."""
        return [sum(row[first + 1 : first + 1 + self._lines]) for first in self._firsts]

    def features(self, row: Sequence[int]) -> list[list[int]]:
        """Return the features of each seat."""
        lines, width = self._lines, self._width
        return [
            [*row[first + 1 : first + 1 + lines], *row[first + 2 + lines : first + width]] for first in self._firsts
        ]

    def weights(self, value: LearnedValue) -> list[float]:
        """Return the weights of a seat's words in a row, for `totals`."""
        weights = [value.weights.get(name, 0.0) for name in self.names]
        return [0.0, *weights[: self._lines], 0.0, *weights[self._lines :]]

    def totals(self, row: Sequence[int], weights: Sequence[float]) -> list[float]:
        """Return for each seat the sum of its words, each times its weight."""
        return [sum(map(mul, weights, row[first : first + self._width])) for first in self._firsts]


def relative(values: Sequence[float], sides: Sequence[int]) -> list[float]:
    """Return for each seat the average of its side, less that of the seats of other sides, if there are any."""
    result = []
    for side in sides:
        own = [value for value, other in zip(values, sides, strict=True) if other == side]
        others = [value for value, other in zip(values, sides, strict=True) if other != side]
        result.append(sum(own) / len(own) - (sum(others) / len(others) if others else 0.0))
    return result


class LearnedEvaluator:
    """Terms of positions at the end of a turn by a learned value, with the methods of `RolloutEvaluator` that a search
    needs. seat: that decides; worlds: determinized states, each with the side of every seat."""

    most: int | None = None

    def __init__(
        self,
        machine: Machine,
        value: LearnedValue,
        worlds: Sequence[tuple[Any, tuple[int, ...]]],
        seat: int,
        rng: Random,
        until: float,
    ) -> None:
        self._executor, self._rows_of, self._seat = learned_executor(machine), FeatureRows(machine.program), seat
        self._weights = self._rows_of.weights(value)
        self._times, self._until, self._each = ROLLOUTS, until, 0.0
        self._middle, self._scale = [0.0] * machine.program.layout.seats, 1.0
        leads: list[list[float]] = []
        start_time = monotonic()
        for world, sides in worlds:
            if leads and monotonic() >= until:
                break
            with suppress(RuleError, OutOfTime):
                self._executor.load_state(world, draw_rng_cells(rng))
                leads += [self._leads(row, sides) for row in self._rows(rng, max(1, MAX_AHEAD // len(worlds)))]
        self._each = (monotonic() - start_time) / max(1, len(leads))
        if leads:
            self._middle = [sum(of_seat) / len(leads) for of_seat in zip(*leads, strict=True)]
            own = [lead[seat] - self._middle[seat] for lead in leads]
            self._scale = math.sqrt(sum(lead * lead for lead in own) / len(own)) or 1.0

    def _rows(self, rng: Random, times: int) -> list[list[int]]:
        """Play on so many times at most, to the end of the seat's turn; return the words of the results."""
        return self._executor.play_on_often(int(rng.random() * 2**53), MAX_ANSWERS, times, self._until, self._seat)

    def _leads(self, row: Sequence[int], sides: Sequence[int]) -> list[float]:
        """Return the learned lead of each seat."""
        return relative(self._rows_of.totals(row, self._weights), sides)

    def limit_rollouts(self, until: float, tries: int) -> bool:
        """Limit the rollouts of each try as `RolloutEvaluator.limit_rollouts` does."""
        self._until = until
        if until < math.inf:
            times = int((until - monotonic()) / tries / max(self._each, EPSILON))
            self._times = max(1, min(self._times, times))
            return times > 0
        return True

    def terms(self, sides: Sequence[int]) -> EndTerms:
        """Return how far leads are from their middle, for a search in native code."""
        return EndTerms(0.0, 0.0, False, sides, self._middle, self._scale)

    def learned_terms(self) -> LearnedTerms:
        """Return the terms by which a search in native code values the end of a turn: it takes those rollouts that are
        the best for the seat that decides, which will not go on at random."""
        best = max(1, round(BEST_SHARE * self._times))
        over = self._rows_of.over
        return LearnedTerms(self._weights, over, self._times, best, END_PLACE_WEIGHT)
